"""The table of all nodes of Open Inventor by tag, and the field layout for the binary reader."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from unibody.document.declare import Tagged, plan
from unibody.formats.inventor import document as d
from unibody.formats.inventor.effects import EFFECTS
from unibody.formats.inventor.engines import ENGINES
from unibody.formats.inventor.kept import KEPT as NODES
from unibody.text.inventor.binary import Layout

_BASES = (d.Base, d.ShapeNode, d.VertexShape, d.Listed, d.Indexed, d.Other)
_READ = {
    cls.TAG or name: cls
    for name, cls in vars(d).items()
    if isinstance(cls, type) and issubclass(cls, Tagged) and cls is not Tagged and cls not in _BASES
}

#: The nodes that are not in ``document.py``.
KEPT: Mapping[str, type[Tagged]] = MappingProxyType({**NODES, **EFFECTS, **ENGINES})

#: All nodes by tag.
TABLE: Mapping[str, type[Tagged]] = MappingProxyType(
    {
        **_READ,
        **KEPT,
        # names of Inventor 1
        "IndexedTriangleMesh": d.IndexedTriangleStripSet,
        "TriangleMesh": d.TriangleStripSet,
    }
)


@lru_cache(maxsize=1)
def layout() -> Layout:
    """The field types of all nodes, and the tags of the groups, from the declarations."""
    fields: dict[str, dict[str, str]] = {}
    groups = set()
    for tag, cls in TABLE.items():
        types = fields[tag] = {}
        if issubclass(cls, d.Group):
            groups.add(tag)
        for spec in plan(cls).fields.values():
            if spec.by == "inside":
                continue
            kind = spec.type.name.split()[0] if spec.type is not None else "SFNode"
            types.update(dict.fromkeys((spec.key, *spec.old), kind))
    return Layout(fields, frozenset(groups))
