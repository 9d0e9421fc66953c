"""Mutators of the parsed tree of a file: delete, retype and graft fields, then print the tree.

The result is None if the file cannot be parsed or the new tree cannot be printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from fuzz.declarations import declared, sample
from fuzz.dictionary import NUMBERS, TEXTS
from unibody.files.access import MemoryFiles
from unibody.formats import Format
from unibody.formats.format import Context
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.node import Item, Node, Numbers, Row, Value, Word


@dataclass(frozen=True)
class Place:
    """A replaceable item or value in a tree."""

    holder: Node | Row
    index: int

    @property
    def value(self) -> Value:
        if isinstance(self.holder, Node):
            return self.holder.items[self.index][1]
        return self.holder.values[self.index]

    def put(self, value: Value) -> None:
        if isinstance(self.holder, Node):
            key, _, start = self.holder.items[self.index]
            self.holder.items[self.index] = (key, value, start)
        else:
            self.holder.values[self.index] = value


_LARGEST_TREE = 20_000
_DEEPEST = 400
_MOST_PLACES = 10_000


@lru_cache(maxsize=1024)
def _tree(data: bytes, format: Format) -> Value | None:
    context = Context("seed", MemoryFiles({}), Findings(), lambda path, _: None)
    try:
        return format.reader().parse(decode(data, "seed", context.findings), context)
    except (TextError, ValueError):
        return None


def mutate(rng: Random, data: bytes, others: Sequence[bytes], format: Format) -> tuple[str, bytes] | None:
    """The name of the mutation, and the new text; None if it failed."""
    if len(data) > _LARGEST_TREE:
        return None
    tree = _tree(data, format)
    if tree is None:
        return None
    root = copied(tree)
    places = _places(root)
    if not places:
        return None
    name, change = rng.choice(_CHANGES)
    for _k in range(rng.choice((1, 1, 2, 4))):
        change(rng, places, others, format)
    if len(_places(root)) > _MOST_PLACES:
        return None
    try:
        text = format.reader().print(root, None)
    except (ValueError, TextError):
        return None
    head = data[: data.find(b"\n") + 1]
    out = text.encode("utf-8", "replace")
    if head.startswith(b"#") and out.startswith(b"#"):  # the header of the seed
        out = head + out[out.find(b"\n") + 1 :]
    return name, out


def copied(value: Value) -> Value:
    """A deep copy of the tree; shared parts are duplicated, up to a maximum depth."""
    top = Row([value])
    todo: list[tuple[Place, int]] = [(Place(top, 0), 0)]
    while todo:
        place, depth = todo.pop()
        v = place.value
        made: Value
        if isinstance(v, Word):
            made = Word(v.text, quote=v.quote, name=v.name)
        elif isinstance(v, Numbers):
            made = Numbers(v.body, form=v.form, name=v.name)
        elif depth > _DEEPEST:
            made = Word("deep")
        elif isinstance(v, Row):
            made = Row(list(v.values), name=v.name, flow=v.flow)
            todo += [(Place(made, k), depth + 1) for k in range(len(made.values))]
        else:
            items: list[Item] = [(k, inner, -1) for k, inner, _ in v.items]
            made = Node(v.tag, items, name=v.name, flow=v.flow)
            todo += [(Place(made, k), depth + 1) for k in range(len(items))]
        place.put(made)
    return top.values[0]


def _places(root: Value) -> list[Place]:
    out: list[Place] = []
    todo: list[Value] = [root]
    # grafts may contain themselves
    while todo and len(out) <= _MOST_PLACES:
        v = todo.pop()
        if isinstance(v, Node):
            out += [Place(v, k) for k in range(len(v.items))]
            todo += [inner for _, inner, _ in v.items]
        elif isinstance(v, Row):
            out += [Place(v, k) for k in range(len(v.values))]
            todo += v.values
    return out


def _there(rng: Random, places: list[Place]) -> Place:
    """A random place that still exists after earlier changes."""
    while True:
        place = rng.choice(places)
        holder = place.holder
        size = len(holder.items) if isinstance(holder, Node) else len(holder.values)
        if place.index < size:
            return place
        if all(p.index >= _size(p.holder) for p in places):
            return Place(Row([Word("")]), 0)


def _size(holder: Node | Row) -> int:
    return len(holder.items) if isinstance(holder, Node) else len(holder.values)


_Places = list[Place]
_Change = Callable[[Random, _Places, Sequence[bytes], Format], None]


def _delete(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    place = _there(rng, places)
    if isinstance(place.holder, Node):
        del place.holder.items[place.index]
    else:
        del place.holder.values[place.index]


def _double(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    place = _there(rng, places)
    times = rng.choice((1, 1, 2, 50))
    if isinstance(place.holder, Node):
        item = place.holder.items[place.index]
        place.holder.items[place.index : place.index] = [item] * times
    else:
        place.holder.values[place.index : place.index] = [place.value] * times


def _swap(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    a, b = _there(rng, places), _there(rng, places)
    first, second = copied(a.value), copied(b.value)
    a.put(second)
    b.put(first)


def _move(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    """Move an item with its key into another node."""
    nodes = [p for p in places if isinstance(p.holder, Node)]
    if not nodes:
        return
    a, b = _there(rng, nodes), _there(rng, nodes)
    if isinstance(a.holder, Node) and isinstance(b.holder, Node):
        key, value, _start = a.holder.items[a.index]
        b.holder.items.insert(b.index, (key, copied(value), -1))


def _graft(rng: Random, places: _Places, others: Sequence[bytes], format: Format) -> None:
    """Insert a part of another file."""
    other = _tree(rng.choice(others), format)
    parts = _places(other) if other is not None else []
    if not parts:
        return
    part, place = rng.choice(parts), _there(rng, places)
    value = copied(part.value)
    if isinstance(place.holder, Node):
        key = part.holder.items[part.index][0] if isinstance(part.holder, Node) else "children"
        place.holder.items.insert(place.index, (key, value, -1))
    else:
        place.holder.values.insert(place.index, value)


def _odd_values(rng: Random) -> Value:
    word = Word(rng.choice(NUMBERS))
    return rng.choice(
        (
            word,
            word,
            Word(rng.choice(TEXTS)),
            Word(rng.choice(TEXTS), quote='"'),
            Row([]),
            Row([word] * rng.choice((1, 2, 3, 4, 9)), flow=True),
            Row([Row([word, word, word], flow=True)] * 3, flow=True),
            Numbers(", ".join(rng.choice(NUMBERS) for _ in range(rng.choice((1, 2, 3, 4, 9, 200))))),
            Numbers(" ".join([rng.choice(NUMBERS)] * rng.choice((3, 4, 600))), form="["),
            Node("Group", [], flow=True),
            Node("x", [("a", word, -1)], flow=True),
        )
    )


def _retype(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    _there(rng, places).put(_odd_values(rng))


def _declare(rng: Random, places: _Places, _: Sequence[bytes], format: Format) -> None:
    """Insert a declared field where it does not belong, with a value of any declared type."""
    fields = declared(format).fields
    nodes = [p for p in places if isinstance(p.holder, Node)]
    if not fields or not nodes:
        return
    place = _there(rng, nodes)
    key, kind = rng.choice(fields)
    other = kind if rng.random() < 0.5 else rng.choice(fields)[1]
    value = _odd_values(rng) if rng.random() < 0.3 else sample(other, rng.randrange(8))
    if isinstance(place.holder, Node):
        place.holder.items.insert(place.index, (key, value, -1))


def _rekey(rng: Random, places: _Places, _: Sequence[bytes], format: Format) -> None:
    fields = declared(format).fields
    place = _there(rng, places)
    if fields and isinstance(place.holder, Node):
        value, start = place.holder.items[place.index][1:]
        place.holder.items[place.index] = (rng.choice(fields)[0], value, start)


def _retag(rng: Random, places: _Places, _: Sequence[bytes], format: Format) -> None:
    """Change the tag of an element."""
    tags = declared(format).tags
    nodes = [p for p in places if isinstance(p.value, Node)] if tags else []
    if nodes:
        place = _there(rng, nodes)
        if isinstance(place.value, Node):
            place.value.tag = rng.choice(tags)
            if format.syntax == "xml" and isinstance(place.holder, Node):
                place.holder.items[place.index] = (place.value.tag, place.value, -1)


def _bury(rng: Random, places: _Places, _: Sequence[bytes], __: Format) -> None:
    """Nest an element deeply in elements of its kind."""
    place = _there(rng, places)
    value = place.value
    if not isinstance(value, Node):
        return
    key = place.holder.items[place.index][0] if isinstance(place.holder, Node) else "children"
    for _k in range(rng.choice((2, 10, 50, 250))):
        value = Node(value.tag, [(key, value, -1)], flow=value.flow)
    place.put(value)


_CHANGES: tuple[tuple[str, _Change], ...] = (
    ("delete item", _delete),
    ("double item", _double),
    ("swap items", _swap),
    ("move item", _move),
    ("graft", _graft),
    ("retype value", _retype),
    ("retype value", _retype),
    ("declared field", _declare),
    ("declared field", _declare),
    ("rename key", _rekey),
    ("retag", _retag),
    ("bury", _bury),
)
