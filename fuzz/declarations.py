"""What the formats declare: keys, tags and sample values, to put where they do not belong."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from unibody.document.declare import Document, ValueType, plan
from unibody.formats import Format
from unibody.text.node import Value, Word


@dataclass(frozen=True)
class Declared:
    """Every key with its value types, and every tag, of one format."""

    fields: tuple[tuple[str, ValueType | None], ...]
    tags: tuple[str, ...]


@cache
def declared(format: Format) -> Declared:
    """The declarations of a format."""
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
    """The classes of some documents and of all that can stand below them, each once."""
    out = list(dict.fromkeys(roots))
    for cls in out:
        for spec in plan(cls).fields.values():
            for member in (*spec.members.values(), spec.other):
                if member is not None and member not in out:
                    out.append(member)
    return out


def sample(kind: ValueType | None, number: int) -> Value:
    """A value of a type as it is written; a word where there is none."""
    if kind is None or not kind.samples:
        return Word("x")
    return kind.print(kind.samples[number % len(kind.samples)])
