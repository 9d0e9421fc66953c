"""Composed prims as a syntax tree: the attributes of each applied schema are in an element of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from unibody.document.declare import Document, plan
from unibody.formats.usd.document import TYPES
from unibody.formats.usd.document_prim import Prim
from unibody.text.dataclass import dataclass

#: The end of the names of schemas that are applied to prims.
API = "API"
#: The library whose attributes mean nothing on a prim to which their schema is not applied.
PHYSICS = "Physics"


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema that is applied to prims: its class, and the prefix of its attributes (with instances)."""

    name: str
    cls: type[Document]
    prefix: str = ""

    def attributes(self) -> dict[str, str]:
        """The type of each attribute, by its name without the prefix and the instance."""
        fields = plan(self.cls).fields.values()
        return {f.key: f.type.name for f in fields if f.type is not None and f.key != "instance"}


@cache
def schemas() -> dict[str, Schema]:
    """The declared schemas that are applied to prims, by name."""
    out = {}
    for spec in plan(Prim).fields.values():
        if spec.key.endswith(API):
            cls = spec.members[""]
            out[spec.key] = Schema(spec.key, cls, getattr(cls, "PREFIX", ""))
    return out


@cache
def owners() -> dict[str, list[str]]:
    """The names of the schemas without instances that have an attribute, by its name."""
    out: dict[str, list[str]] = {}
    for schema in schemas().values():
        for name in schema.attributes() if not schema.prefix else ():
            out.setdefault(name, []).append(schema.name)
    return out


@cache
def own_types(tag: str) -> dict[str, str]:
    """The type of each declared property and piece of metadata of prims of a type, by name."""
    fields = plan(TYPES.get(tag)).fields.values()  # type: ignore[arg-type]
    return {f.key: f.type.name for f in fields if f.type is not None}


def prefixes() -> Iterator[tuple[str, Schema]]:
    """The schemas that have instances, by the prefix of their attributes."""
    return ((schema.prefix, schema) for schema in schemas().values() if schema.prefix)
