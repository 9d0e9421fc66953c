"""Declarations of USD: the stage, and the classes of prims by type."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, Tagged, child, element, inside, key
from unibody.formats.usd import document_bodies as bodies
from unibody.formats.usd import document_geometry as geometry
from unibody.formats.usd import document_looks as looks
from unibody.formats.usd.document_prim import Dictionary, Prim
from unibody.formats.usd.openness import OPEN
from unibody.formats.usd.values import DOUBLE, STRING, TOKEN, token


@element
class Stage(Document):
    """A composed stage: its units, the axis that points up, and its prims."""

    KNOWN = OPEN
    default_prim: str = key(TOKEN, "", name="defaultPrim", doc="the robot")
    documentation: str = key(STRING, "", name="doc")
    meters: float = key(DOUBLE, 0.01, name="metersPerUnit", unit="m")
    kilograms: float = key(DOUBLE, 1.0, name="kilogramsPerUnit", unit="kg")
    up: str = key(token("Y", "Z"), "Y", name="upAxis")
    custom_data: Dictionary | None = child(Dictionary, name="customLayerData")
    prims: list[Prim] = inside()


class _Types(dict[str, type[Tagged]]):
    """The classes of prims by type; any other type is a ``Prim``."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key, Prim)


def _subclasses(cls: type[Prim]) -> list[type[Prim]]:
    return [each for sub in cls.__subclasses__() for each in (sub, *_subclasses(sub))]


_PRIMS = {vars(cls).get("TAG") or cls.__name__: cls for cls in _subclasses(Prim)}
_ABSTRACT = ("Gprim", "PointBased", "Light")
TYPES: dict[str, type[Tagged]] = _Types(
    {"Prim": Prim, **{tag: cls for tag, cls in _PRIMS.items() if tag not in _ABSTRACT}}
)

#: The classes that a reference page lists.
OWN: dict[str, type[Tagged]] = dict(TYPES)

__all__ = ["OWN", "TYPES", "Stage", "bodies", "geometry", "looks"]
