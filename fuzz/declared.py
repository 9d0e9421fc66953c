"""What the formats declare: keys, tags and sample values, to put where they do not belong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from unibody.document.declare import Document, ValueType, plan
from unibody.text.node import Value, Word


@dataclass(frozen=True)
class Declared:
    """Every key with its value types, and every tag, of one format."""

    fields: tuple[tuple[str, ValueType | None], ...]
    tags: tuple[str, ...]


# The root of a format's documents, and the table of its tags where any may stand anywhere.
_ROOTS = {
    "urdf": ("unibody.formats.urdf.document", "Robot", None),
    "body": ("unibody.formats.body.document", "Body", None),
    "openhrp": ("unibody.formats.openhrp.document", "File", ("unibody.formats.openhrp.document", "NODES")),
    "inventor": (
        "unibody.formats.inventor.document",
        "Model",
        ("unibody.formats.inventor.nodes", "TABLE"),
    ),
    "mpk": ("unibody.formats.mpk.document", "Robot", None),
}


@cache
def declared(name: str) -> Declared:
    """The declarations of a format; nothing for other names."""
    if name not in _ROOTS:
        return Declared((), ())
    module, root, table = _ROOTS[name]
    tags: Mapping[str, type[Document]] = getattr(import_module(table[0]), table[1]) if table else {}
    fields: dict[tuple[str, int], tuple[str, ValueType | None]] = {}
    keys: list[str] = []
    for cls in classes(getattr(import_module(module), root), *tags.values()):
        for spec in plan(cls).fields.values():
            keys += spec.members
            for key in (spec.key, *spec.old):
                if key:
                    fields.setdefault((key, id(spec.type)), (key, spec.type))
    return Declared(tuple(fields.values()), tuple(dict.fromkeys([*tags, *keys])) or ("x",))


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
