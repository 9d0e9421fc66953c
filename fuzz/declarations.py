"""Keys, tags and sample values of the formats' declarations, to insert where they do not belong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from unibody.document.declare import Document, ValueType, plan
from unibody.formats import Format
from unibody.text.node import Value, Word


@dataclass(frozen=True)
class Declared:
    """The keys with their value types, and the tags, of one format."""

    fields: tuple[tuple[str, ValueType | None], ...]
    tags: tuple[str, ...]


@cache
def declared(format: Format) -> Declared:
    """Collect the keys and tags of a format."""
    declarations = format.declarations()
    fields: dict[tuple[str, int], tuple[str, ValueType | None]] = {}
    keys: list[str] = []
    for cls in classes(declarations.root, *declarations.nodes.values()):
        for spec in plan(cls).fields.values():
            keys += spec.members
            for key in (spec.key, *spec.old):
                if key:
                    fields.setdefault((key, id(spec.type)), (key, spec.type))
    tags = tuple(dict.fromkeys([*declarations.nodes, *keys])) or ("x",)
    return Declared(tuple(fields.values()), tags)


def classes(*roots: type[Document]) -> list[type[Document]]:
    """The classes of some documents and of all their descendants, without duplicates."""
    out = list(dict.fromkeys(roots))
    for cls in out:
        for spec in plan(cls).fields.values():
            for member in (*spec.members.values(), spec.other):
                if member is not None and member not in out:
                    out.append(member)
    return out


def sample(kind: ValueType | None, number: int) -> Value:
    """A sample value of a type; a word if the type has no sample."""
    if kind is None or not kind.samples:
        return Word("x")
    return kind.print(kind.samples[number % len(kind.samples)])
