"""Generates the reference page of a format from its declarations: all elements with their keys."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from unibody.document.declare import (
    Document,
    Spec,
    Tagged,
    ValueType,
    describe,
    kind_names,
    plan,
)
from unibody.text.node import Node, Numbers, Row, Value, Word

_HEAD = (
    "| key | old spellings | type | unit | default | required | meaning |\n"
    "| --- | --- | --- | --- | --- | --- | --- |"
)
# Longer unions are separate lists, linked from the tables.
_MOST_IN_A_CELL = 4
_NEEDED = {"error": "yes", "warning": "else a warning", "": ""}

_Members = tuple[type[Document], ...]
_Table = Mapping[str, type[Tagged]]


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists that tables refer to: long unions by the key of their first use, and elements by tag."""

    unions: dict[_Members, str]
    table: _Table = field(default_factory=dict)


def reference(root: type[Document], title: str, nodes: _Table | None = None) -> str:
    """Markdown that describes every element below ``root`` once, breadth first.

    ``nodes`` is the table of elements by their tag, where the format has one (``Binding.nodes``).

    >>> from unibody.document.declare import NUMBER, element, key
    >>> @element
    ... class Cup(Document):
    ...     "A cup."
    ...     volume: float = key(NUMBER, 0.2, old=["size"], unit="l", doc="filled to the brim")
    >>> print(reference(Cup, "Cups").splitlines()[-1])
    | `volume` | `size` | number | l | 0.2 | | filled to the brim |
    """
    # elements created only by the reader have tags that no file can contain
    table = {tag: cls for tag, cls in (nodes or {}).items() if " " not in tag}
    places = _places(root, table)
    lists = _Lists(_unions(places, table), table)
    parts = [f"# {title}"]
    told: set[_Members] = set()
    for cls, stands in places.items():
        parts.append(_element(cls, stands, lists))
        for members in (_members(spec, table) for spec in plan(cls).fields.values()):
            if members in lists.unions and members not in told:
                told.add(members)
                parts.append(_union(lists.unions[members], members))
    return "\n\n".join(parts) + "\n"


def _members(spec: Spec, table: _Table) -> _Members:
    """The classes of a field without duplicates, the one for undeclared types last."""
    if spec.by in ("tag", "inside"):
        return tuple(
            dict.fromkeys(c for c in table.values() if spec.accepts and issubclass(c, spec.accepts))
        )
    found = dict.fromkeys(spec.members.values())
    if spec.other is not None:
        found[spec.other] = None
    return tuple(found)


def _places(root: type[Document], table: _Table) -> dict[type[Document], list[tuple[type[Document], str]]]:
    """Every class reached from ``root``, breadth first, with its parents and keys."""
    out: dict[type[Document], list[tuple[type[Document], str]]] = {root: []}
    todo = [root]
    for cls in todo:
        specs = plan(cls).fields.values()
        for spec in specs:
            for member in _members(spec, table):
                if member not in out:
                    out[member] = []
                    todo.append(member)
                out[member].append((cls, _written(spec, member)))
        for member in table.values() if any(_anything(spec) for spec in specs) else ():
            if member not in out:
                out[member] = []
                todo.append(member)
    return out


def _anything(spec: Spec) -> bool:
    """Whether the field accepts every element of the table."""
    return spec.by in ("tag", "inside") and not spec.accepts


def _written(spec: Spec, member: type[Document]) -> str:
    if spec.by != "key":
        return spec.key
    return next(name for name, cls in spec.members.items() if cls is member)


def _unions(classes: Mapping[type[Document], Any], table: _Table) -> dict[_Members, str]:
    """Long unions by the key of their first use."""
    out: dict[_Members, str] = {}
    for cls in classes:
        for spec in plan(cls).fields.values():
            members = _members(spec, table)
            if spec.by != "key" and len(members) > _MOST_IN_A_CELL:
                out.setdefault(members, spec.key)
    return out


def _union(name: str, members: _Members) -> str:
    rows = [f"- {_link(cls)}: {summary(cls)}" for cls in members]
    return f"## What `{name}` holds\n\n" + "\n".join(rows)


def _element(cls: type[Document], stands: list[tuple[type[Document], str]], lists: _Lists) -> str:
    parts = [f"## {cls.__name__}", description(cls)]
    tags = [tag for tag, member in lists.table.items() if member is cls]
    if tags not in ([], [cls.__name__]):
        parts.append(f"Written {', '.join(f'`{tag}`' for tag in tags)}.")
    where = _where(stands, lists.unions)
    if where:
        parts.append(where)
    specs = sorted(plan(cls).fields.values(), key=lambda spec: spec.by != "kind")
    rows = [row for spec in specs for row in _rows(cls, spec, lists)]
    if rows:
        parts.append("\n".join([_HEAD, *rows]))
    if cls.KNOWN:
        words = ", ".join(f"`{word}`" for word in sorted(cls.KNOWN))
        parts.append(f"Read by other programs, kept as written: {words}.")
    return "\n\n".join(parts)


def _where(stands: list[tuple[type[Document], str]], unions: Mapping[_Members, str]) -> str:
    """The keys that may contain an element; a key shared by many parents is listed once."""
    parents: dict[str, list[type[Document]]] = {}
    for parent, key in stands:
        parents.setdefault(key, []).append(parent)
    listed = set(unions.values())
    out = []
    for key, classes in parents.items():
        if key in listed and len(classes) > _MOST_IN_A_CELL:
            out.append(f"[`{key}`](#{_anchor(f'What `{key}` holds')})")
        else:
            out.append(f"`{key}` of {', '.join(map(_link, classes))}")
    return f"Stands in {'; '.join(out)}." if out else ""


def _rows(cls: type[Document], spec: Spec, lists: _Lists) -> Iterator[str]:
    if spec.by == "key":
        for name, member in spec.members.items():
            what = _link(member) + (", any number" if spec.many else "")
            yield _row(spec, name, what, "", _NEEDED[spec.required])
        return
    if spec.by == "kind":
        names = [name for name in kind_names(cls) if name]
        optional = "" in kind_names(cls)
        what = " or ".join(f"`{name}`" for name in names) + (", or nothing" if optional else "")
        yield _row(spec, spec.key, what, "", "" if optional else "yes")
        return
    what = type_text(spec.type) if spec.type is not None else _choice(spec, lists)
    yield _row(spec, spec.key, what, default_text(cls, spec), _NEEDED[spec.required])


def type_text(type: ValueType) -> str:
    """The name of a value type; for an enumeration also its old words."""
    old = [word for word in type.schema.get("enum", ()) if word not in type.samples]
    as_element = ", as an element" if type.schema.get("element") else ""
    return type.name + as_element + (f"; old: {', '.join(old)}" if old else "")


def _choice(spec: Spec, lists: _Lists) -> str:
    if _anything(spec):
        return "any nodes" if spec.many else "any node"
    members = _members(spec, lists.table)
    name = lists.unions.get(members)
    if name is not None:
        what = f"[one of these](#{_anchor(f'What `{name}` holds')})"
    else:
        what = " or ".join(map(_link, members))
    return f"list: {what}" if spec.many else what


def _row(spec: Spec, key: str, what: str, default: str, needed: str) -> str:
    spellings = ", ".join(f"`{word}`" for word in spec.old)
    shown = f"`{key}`" if key else "its text" if spec.by == "text" else "in its braces"
    cells = [shown, spellings, what, spec.unit, default, needed, spec.doc]
    return "|" + "|".join(f" {cell.replace('|', chr(92) + '|')} " if cell else " " for cell in cells) + "|"


def default_text(cls: type[Document], spec: Spec) -> str:
    """The default as written in a file; empty if absence has its own meaning."""
    if spec.type is None or spec.required:
        return ""
    name = next(n for n, s in plan(cls).fields.items() if s is spec)
    value = plan(cls).defaults[name]
    return "" if value is None else _text(spec.type.print(value))


def _text(value: Value) -> str:
    match value:
        case Word():
            return value.text or '`""`'
        case Numbers():
            return " ".join(value.words()) if not value.form else f"[{', '.join(value.words())}]"
        case Row():
            return f"[{', '.join(map(_text, value.values))}]"
        case Node(items=[("", Word() as inner, _)]):
            return _text(inner)
    return describe(value)


def description(cls: type[Document]) -> str:
    """The docstring of a class, for a page."""
    # omit section numbers of unpublished notes
    return re.sub(r" \((?:facts )?[A-F]\.\d[^)]*\)", "", inspect.getdoc(cls) or "").replace("``", "`")


def summary(cls: type[Document]) -> str:
    """The first paragraph of :func:`description`, in one line."""
    return description(cls).partition("\n\n")[0].replace("\n", " ")


def _link(cls: type[Document]) -> str:
    return f"[{cls.__name__}](#{_anchor(cls.__name__)})"


def _anchor(heading: str) -> str:
    """The anchor that Markdown viewers generate for a heading."""
    return "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_")
