"""Carries the changes between two trees over to the text of a third one, which says the same as the first.

The first two are written by a program, before and after a change; the third is what a person wrote. Only
what differs between the first two is edited in the text of the third: a value is replaced where it
stands, an element is removed with its line, a new one is put beside its neighbor. A change that has no
place of its own, since the text says in another way what the first tree says, replaces the smallest
element around it that can be replaced.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TypeAlias

from unibody.text.edit import Edit, in_order
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, equal, values
from unibody.text.node import words as all_words
from unibody.text.number import parse_float
from unibody.text.splice import Holder, Place, Splicer

# Items of two lists by index.
_Pairs: TypeAlias = dict[int, int]

# Numbers that a reader and a writer converted are the same up to this relative difference.
_CLOSE = 1e-9
# The least share of common words of two elements, one of which replaces the other under a new name.
_ALIKE = 0.3
# More pairs than this are not compared by content.
_MOST_PAIRS = 20_000
# Keys whose words are no names of elements.
_TYPES = ("type", "format")
# YAML's key for the elements whose items another one has, too.
_MERGE = "<<"
# The tag of a reference to a named node.
_USE = "USE"
_NAMES = ("name", "reference")


class MergeError(Exception):
    """A change that has no place in the text."""


def merge(written: Node, before: Node, after: Node, splicer: Splicer) -> list[Edit]:
    """Edits of the text of ``written`` that apply the change from ``before`` to ``after``.

    The new names of elements also replace the old ones where ``before`` says nothing, unless ``after``
    still has the old ones. Raises MergeError for a change without a place.
    """
    merger = _Merger(written, splicer)
    found = merger.container(written, before, after)
    found += merger.references()
    found += merger.other_words(found, after)
    return _apart(in_order(found))


def _apart(edits: list[Edit]) -> list[Edit]:
    """The edits, of which removals leave the blanks that the one before or behind them changes."""
    out: list[Edit] = []
    for edit in edits:
        last = out[-1] if out else None
        if last is None or edit.start >= last.end:
            out.append(edit)
        elif edit.source.text[edit.start : last.end].strip() or (last.text and edit.text):
            raise MergeError
        elif not last.text:
            out[-1:] = [Edit(edit.source, last.start, edit.start, ""), edit]
        else:
            out.append(Edit(edit.source, last.end, max(last.end, edit.end), ""))
    return out


class _Merger:
    """The state of a merge: the text's tree, its named elements, and its elements that are shared."""

    def __init__(self, root: Node, splicer: Splicer) -> None:
        self.splicer, self.root = splicer, root
        self.named: dict[tuple[str, str], list[Place]] = {}
        self.uses: Counter[int] = Counter()
        # What becomes of values that others refer to, and the references.
        self.made: dict[int, Value] = {}
        self.definitions: dict[str, Node] = {}
        self.refer: list[tuple[Place, Value, Value]] = []
        # The items of the text that the first tree has, too, and the names that changed.
        self.known: set[tuple[int, int]] = set()
        self.kept: set[int] = set()
        self.renames: dict[str, str] = {}
        self.gone: set[str] = set()
        self.removed: list[Place] = []
        self.seen: set[tuple[int, int]] = set()
        # Items that an element has from another one: the element, the item there, before and after.
        self.inherited: list[tuple[Node, Place, Value, Item]] = []
        todo: list[Holder] = [root]
        while todo:
            holder = todo.pop()
            for item in items_of(holder):
                value = item[1]
                self.uses[id(value)] += 1
                if isinstance(value, Node | Row) and self.uses[id(value)] == 1:
                    todo.append(value)
                    if isinstance(value, Node) and value.name and value.tag != _USE:
                        self.definitions[value.name] = value
                    if isinstance(value, Node) and name_of(value):
                        self.named.setdefault((value.tag, name_of(value)), []).append((holder, item))

    def container(self, s: Holder, a: Holder, b: Holder) -> list[Edit]:
        """The changes of a list or an element that all three trees have."""
        places = self._places(s, a)
        old, new = items_of(a), items_of(b)
        pairs = paired(old, new, renamed=True)
        changes: list[Edit] = []
        kept: dict[int, Place] = {}
        for i in range(len(old)):
            if i in pairs:
                continue
            self.gone.add(name_of(old[i][1]))
            place = places.get(i)
            if place is None and isinstance(a, Row) and _is_holder(a):
                raise MergeError  # its list says it in another way
            if place is not None:
                self.removed.append(place)
                changes.append(self.splicer.removed(place))
        for i, j in pairs.items():
            if (name := name_of(old[i][1])) != (other := name_of(new[j][1])) and name and other:
                self.renames[name] = other
            place = places.get(i)
            if place is None and isinstance(s, Node) and (found := self._inherited(s, old[i])) is not None:
                self.inherited.append((s, found, old[i][1], new[j]))
                continue
            if place is not None:
                kept[j] = place
            if place is not None and self._is_reference(place):
                self.refer.append((place, old[i][1], new[j][1]))
            elif equal(old[i][1], new[j][1], names=True):
                self.kept |= {id(place[1][1])} if place is not None else set()
            else:
                changes += self._changed(s, place, old[i], new[j])
        moved = self._out_of_order(pairs, kept, new)
        changes += [self.splicer.removed(kept[j]) for j in moved]
        changes += self._put(s, new, set(pairs.values()), kept, moved)
        return changes

    def _changed(self, s: Holder, place: Place | None, old: Item, new: Item) -> list[Edit]:
        a, b = old[1], new[1]
        if self._is_seen(a, b):
            return []
        if place is None:
            if not (_is_holder(a) and _is_holder(b)):
                return self._found(s, old, new)
            try:
                return self._inside(s, a, b)
            except MergeError:
                if isinstance(s, Row):
                    raise
                return [self._inserted(s, new, None, None)]
        value = place[1][1]
        self.made[id(value)] = b
        changes: list[Edit] = []
        if isinstance(a, Node) and isinstance(b, Node) and isinstance(value, Node):
            if value.tag != b.tag or value.tag != a.tag:
                return [self.splicer.replaced(place, b)]
            if a.name != b.name and value.name == a.name:
                changes.append(self.splicer.renamed(place, b.name))
        elif not (_is_holder(a) and _is_holder(b) and _is_holder(value)):
            return [*self._value(place, a, b)]
        assert isinstance(value, Node | Row)
        assert isinstance(a, Node | Row)
        assert isinstance(b, Node | Row)
        inner: Holder = value
        if isinstance(a, Row) and isinstance(value, Node):  # a list of one element without its brackets
            if len(a.values) != len(b.values if isinstance(b, Row) else [b]):
                return [self.splicer.replaced(place, b)]
            inner = Row([value], value.start, value.end, starts=[value.start])
        marks = len(self.refer), len(self.inherited)
        try:
            return [*changes, *self.container(inner, a, b)]
        except MergeError:
            if not self._is_replaceable(value, b):
                raise
        del self.refer[marks[0] :], self.inherited[marks[1] :]
        return [self.splicer.replaced(place, b)]

    def _is_seen(self, a: Value, b: Value) -> bool:
        """Whether the change of an element that is used several times has been carried over."""
        if not (isinstance(a, Node) and isinstance(b, Node)):
            return False
        is_seen = (id(a), id(b)) in self.seen
        self.seen.add((id(a), id(b)))
        return is_seen

    def _is_reference(self, place: Place) -> bool:
        value = place[1][1]
        is_use = isinstance(value, Node) and value.tag == _USE
        return is_use or (self.uses[id(value)] > 1 and self.splicer.is_reference(place))

    def _target(self, value: Value) -> Value | None:
        """The value that a reference stands for."""
        if isinstance(value, Node) and value.tag == _USE:
            return self.definitions.get(value.name)
        return value

    def references(self) -> Iterator[Edit]:
        """Keep references to values that changed in the same way; write out the others."""
        for place, a, b in self.refer:
            made = self.made.get(id(self._target(place[1][1])))
            if made is None and equal(a, b, names=True):
                continue
            if made is None or not equal(made, b, names=True):
                yield self.splicer.replaced(place, b)
            elif isinstance(a, Node) and isinstance(b, Node) and a.name != b.name:
                yield self.splicer.renamed(place, b.name)

        for s, place, a, item in self.inherited:
            made = self.made.get(id(place[1][1]))
            if not (equal(a, item[1], names=True) if made is None else equal(made, item[1], names=True)):
                yield self._inserted(s, item, None, None)

    def other_words(self, edits: list[Edit], after: Node) -> Iterator[Edit]:
        """Rename words where ``before`` says nothing, such as the name of the root; remove what is gone.

        Names that ``after`` still has stay: what the words refer to is not known.
        """
        taken = _Ranges((e.start, e.end) for e in edits if e.end > e.start)
        left = set(all_words(after)) if self.renames else set()
        renames = {old: new for old, new in self.renames.items() if old not in left}
        todo: list[Holder] = [self.root] if renames or self.gone else []
        seen: set[int] = set()
        while todo:
            holder = todo.pop()
            for k, item in enumerate(items_of(holder)):
                value = item[1]
                if isinstance(value, Node | Row) and _is_holder(value):
                    if id(value) not in seen and id(value) not in self.kept:
                        seen.add(id(value))
                        todo.append(value)
                elif (id(holder), k) not in self.known and item[0] not in _TYPES:
                    spots = self.splicer.words((holder, item)) or []
                    if len(spots) == 1 and spots[0][0] in self.gone - {""}:
                        edit = self.splicer.removed((holder, item))
                        if not taken.touch(edit.start, edit.end):
                            yield edit
                    for text, start, end in spots:
                        new = renames.get(text)
                        if new is not None and not taken.touch(start, end):
                            yield self.splicer.word_edit((holder, item), start, end, new)

    def _inherited(self, s: Node, item: Item) -> Place | None:
        """An item of the elements that are merged into another one, by YAML's key ``<<``."""
        merged = [value for key, value, _ in s.items if key == _MERGE]
        seen: set[int] = set()
        while merged:
            value = merged.pop(0)
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, Row):
                merged = [*value.values, *merged]
            elif isinstance(value, Node):
                for inner in value.items:
                    if self.splicer.key(value, inner) == item[0]:
                        return value, inner
                merged = [*(v for key, v, _ in value.items if key == _MERGE), *merged]
        return None

    def _is_replaceable(self, value: Holder, b: Holder) -> bool:
        """Whether an element may be written anew as a whole: it has no element of its own kind inside."""
        if not isinstance(value, Node) or not isinstance(b, Node):
            return False
        if not value.tag:
            return True
        return not any(isinstance(v, Node) and v.tag == value.tag and v is not value for v in values(value))

    def _value(self, place: Place, a: Value, b: Value) -> tuple[Edit, ...]:
        """Replace the words that differ, or the whole value if it says the rest in another way."""
        spots = self.splicer.words(place)
        x, y = _texts(a), _texts(b)
        if spots is None or x is None or y is None or not len(y) == len(x) == len(spots):
            return (self.splicer.replaced(place, b),)
        if len(y) == 1 and isinstance(place[1][1], Word):
            return (self.splicer.replaced(place, b),)
        if all(_means(text, w) for (text, _, _), w in zip(spots, x, strict=True)):
            return tuple(
                self.splicer.word_edit(place, start, end, new)
                for (_, start, end), old, new in zip(spots, x, y, strict=True)
                if old != new
            )
        return (self.splicer.replaced(place, b),)

    def _inside(self, s: Holder, a: Value, b: Value) -> list[Edit]:
        """Changes of an element that the text has in another form: its values are looked for below."""
        assert isinstance(a, Node | Row)
        assert isinstance(b, Node | Row)
        old, new = items_of(a), items_of(b)
        pairs = paired(old, new, renamed=True)
        if len(pairs) < len(old) or len(pairs) < len(new):
            raise MergeError
        out: list[Edit] = []
        for i, j in pairs.items():
            if not equal(old[i][1], new[j][1], names=True) and not self._is_seen(old[i][1], new[j][1]):
                if _is_holder(old[i][1]) and _is_holder(new[j][1]):
                    out += self._inside(s, old[i][1], new[j][1])
                else:
                    place = self._below(s, old[i])
                    if place is None:
                        raise MergeError
                    out += self._value(place, old[i][1], new[j][1])
        return out

    def _found(self, s: Holder, old: Item, new: Item) -> list[Edit]:
        """A value that the element itself does not state: below it, or else it was the default."""
        place = self._below(s, old)
        if place is not None:
            return [*self._value(place, old[1], new[1])]
        if self._says_otherwise(s):
            raise MergeError
        return [self._inserted(s, new, None, None)]

    def _says_otherwise(self, s: Holder) -> bool:
        """Whether an element without others has values of which the first tree says nothing."""
        if not isinstance(s, Node) or any(_is_holder(value) for _, value, _ in s.items):
            return False
        return any((id(s), k) not in self.known for k in range(len(s.items)))

    def _below(self, s: Holder, wanted: Item) -> Place | None:
        """The only value below an element with the key and the meaning of another one."""
        found: list[Place] = []
        todo: list[Holder] = [s]
        while todo:
            holder = todo.pop()
            for item in items_of(holder):
                key, value, _ = item
                if isinstance(value, Node | Row):
                    is_record = isinstance(value, Node) and name_of(value)
                    if not is_record and key != _MERGE and self.uses[id(value)] < 2:
                        todo.append(value)
                elif self.splicer.key(holder, item) == wanted[0] and _mean_the_same(value, wanted[1]):
                    found.append((holder, item))
        return found[0] if len(found) == 1 else None

    def _places(self, s: Holder, a: Holder) -> dict[int, Place]:
        """Where the items of the first tree stand in the text."""
        mine, old = items_of(s), items_of(a)
        spelled = [(self.splicer.key(s, item), *item[1:]) for item in mine]
        found = paired(old, spelled, renamed=False)
        self.known |= {(id(s), k) for k in found.values()}
        out: dict[int, Place] = {i: (s, mine[k]) for i, k in found.items()}
        for i, (_, value, _) in enumerate(old):
            if i not in out and isinstance(value, Node) and name_of(value):
                known = self.named.get((value.tag, name_of(value)), [])
                if len(known) == 1:
                    out[i] = known[0]
        return out

    def _put(
        self, s: Holder, new: list[Item], known: set[int], kept: dict[int, Place], moved: set[int]
    ) -> Iterator[Edit]:
        """Insert what is new behind its neighbor of the same key, else before the next, else at the end.

        What is in another order is put where it belongs, as it stands if nothing in it changed.
        """
        keys = Counter(key for key, _, _ in new)
        settled = {k: place for k, place in kept.items() if k not in moved}
        elements = [k for k in sorted(settled) if _is_holder(new[k][1])]
        beside: dict[Hashable, list[int]] = {}
        for k in sorted(settled):
            beside.setdefault(_sort(new[k]), []).append(k)
        written: dict[str, list[int]] = {}
        if isinstance(s, Node) and len(known) < len(new):
            for k, item in enumerate(s.items):
                written.setdefault(self.splicer.key(s, item), []).append(k)
        for j, item in enumerate(new):
            if j in known and j not in moved:
                continue
            is_new = j not in known
            if is_new and keys[item[0]] == 1 and (stated := self._stated(s, item, written)) is not None:
                yield self.splicer.replaced(stated, item[1])
                continue
            alike = elements if j in moved else beside.get(_sort(item), [])
            at = bisect_left(alike, j)
            after = settled[alike[at - 1]] if at else None
            before = settled[alike[at]] if at < len(alike) else None
            edit = None
            if j in moved and self._is_portable(kept[j]):
                edit = self.splicer.moved(kept[j], after, before)
            yield edit if edit is not None else self._inserted(s, item, after, before)

    def _stated(self, s: Holder, item: Item, written: Mapping[str, list[int]]) -> Place | None:
        """Where the text states a value of which the first tree says nothing, since it is the default.

        ``written`` are the items of the text by key.
        """
        key, value, _ = item
        if not isinstance(s, Node) or not key or not _is_simple(value):
            return None
        found = written.get(key, [])
        if len(found) != 1 or (id(s), found[0]) in self.known or not _is_simple(s.items[found[0]][1]):
            return None
        return s, s.items[found[0]]

    def _inserted(self, s: Holder, item: Item, after: Place | None, before: Place | None) -> Edit:
        if after is None and before is None:
            removed = {id(place[1][1]) for place in self.removed}
            last = self.splicer.last([x for x in items_of(s) if id(x[1]) not in removed])
            after = (s, last) if last is not None else None
        edit = self.splicer.inserted(s, item, after, before if after is None else None)
        if edit is None:
            raise MergeError
        return edit

    def _out_of_order(self, pairs: _Pairs, kept: dict[int, Place], new: list[Item]) -> set[int]:
        """The fewest elements that must move for the order of the new tree."""
        order = [j for _, j in sorted(pairs.items()) if _is_holder(new[j][1]) and j in kept]
        return set(order) - set(_longest_rise(order))

    def _is_portable(self, place: Place) -> bool:
        """Whether an element says the same elsewhere: it did not change, and shares nothing with others."""
        value = place[1][1]
        return id(value) in self.kept and all(
            self.uses[id(x)] < 2 for x in values(value) if isinstance(x, Node | Row)
        )


class _Ranges:
    """Ranges of a text."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(ranges)
        self.starts = [start for start, _ in ordered]
        self.ends = list(accumulate((end for _, end in ordered), max))

    def touch(self, start: int, end: int) -> bool:
        """Whether a range has characters that one of these has."""
        count = bisect_left(self.starts, end)
        return count > 0 and self.ends[count - 1] > start


def items_of(holder: Holder) -> list[Item]:
    """The items of an element, or the values of a list as items without a key."""
    if isinstance(holder, Node):
        return holder.items
    starts = holder.starts
    return [("", v, starts[k] if k < len(starts) else v.start) for k, v in enumerate(holder.values)]


def _is_holder(value: Value) -> bool:
    """Whether a value is an element, or a list that may contain some."""
    if isinstance(value, Row):
        return not value.values or any(isinstance(v, Node | Row) for v in value.values)
    return isinstance(value, Node)


def _is_simple(value: Value) -> bool:
    """Whether a value is no element, or one without a name and without others inside."""
    if isinstance(value, Node):
        return not name_of(value) and not any(_is_holder(v) for _, v, _ in value.items)
    return not _is_holder(value)


def _sort(item: Item) -> Hashable:
    """What items have in common that may stand side by side: values, or elements of one kind."""
    return item[0] if _is_holder(item[1]) else None


def name_of(value: Value) -> str:
    """The name of an element: its own, or what its key for it says; "" without one."""
    if not isinstance(value, Node):
        return ""
    # the anchor of a YAML value is no name of what it says
    own = value.name if value.tag else ""
    return next((w for w in (own, *map(value.word, _NAMES)) if w), "")


def _kind(item: Item) -> tuple[str, str]:
    key, value, _ = item
    if isinstance(value, Node):
        return key, value.tag or value.word("type") or "{"
    return key, "[" if _is_holder(value) else ""


def paired(xs: list[Item], ys: list[Item], *, renamed: bool) -> _Pairs:
    """Pair the items of two lists by index: those with the same name, then equal ones, then in order.

    With ``renamed``, elements of one kind with different names may be the same one; otherwise they are
    paired if one of them has no name.
    """
    out: _Pairs = {}
    left, right = dict.fromkeys(range(len(xs))), dict.fromkeys(range(len(ys)))

    def take(pairs: Iterable[tuple[int, int]]) -> None:
        for i, j in pairs:
            out[i] = j
            del left[i], right[j]

    def groups(key: Callable[[Item], Hashable]) -> Iterator[tuple[list[int], list[int]]]:
        """The indices of both lists that have the same key."""
        found: dict[Hashable, tuple[list[int], list[int]]] = {}
        for side, (some, indices) in enumerate(((xs, left), (ys, right))):
            for k in indices:
                identity = key(some[k])
                if identity is not None:
                    found.setdefault(identity, ([], []))[side].append(k)
        yield from [(mine, others) for mine, others in found.values() if mine and others]

    for mine, others in groups(lambda item: (*_kind(item), name_of(item[1]))):
        take(_in_group(xs, ys, mine, others))
    for mine, others in groups(lambda item: (item[0], name) if (name := name_of(item[1])) else None):
        take(_in_group(xs, ys, mine, others))
    for mine, others in groups(_kind):
        if renamed:
            take(_in_group(xs, ys, mine, others))
            continue
        nameless = [k for k in others if not name_of(ys[k][1])]
        unnamed = [k for k in mine if not name_of(xs[k][1])]
        if nameless and len(nameless) == len(mine):
            take(zip(mine, nameless, strict=True))
        elif unnamed and len(unnamed) == len(others):
            take(zip(unnamed, others, strict=True))
    # another kind of value of the only item with that key
    for mine, others in groups(lambda item: item[0] or None):
        if len(mine) == len(others) == 1:
            take(((mine[0], others[0]),))
    return out


def _in_group(xs: list[Item], ys: list[Item], mine: list[int], others: list[int]) -> list[tuple[int, int]]:
    """Pair items of one kind: in order if there are as many of both, else equal and similar ones first."""
    if len(mine) == len(others):
        return list(zip(mine, others, strict=True))
    first, second = ({k: all_words(some[k][1]) for k in ks} for some, ks in ((xs, mine), (ys, others)))
    by_words: dict[tuple[str, ...], list[int]] = {}
    for j in others:
        by_words.setdefault(second[j], []).append(j)
    out = [(i, found.pop(0)) for i in mine if (found := by_words.get(first[i]))]
    left = sorted(set(mine) - {i for i, _ in out})
    right = sorted(set(others) - {j for _, j in out})
    if not left or not right:
        return out
    if not _is_holder(xs[mine[0]][1]) or len(left) * len(right) > _MOST_PAIRS:
        return out + list(zip(left, right, strict=False))
    bags, others_bags = ({k: Counter(ws[k]) for k in ks} for ws, ks in ((first, left), (second, right)))
    ranked = sorted(
        ((_likeness(bags[i], others_bags[j]), -abs(i - j), i, j) for i in left for j in right), reverse=True
    )
    free, open_ = set(left), set(right)
    for likeness, _, i, j in ranked:
        if likeness >= _ALIKE and i in free and j in open_:
            out.append((i, j))
            free.remove(i)
            open_.remove(j)
    return out


def _likeness(a: Counter[str], b: Counter[str]) -> float:
    return (a & b).total() / max(1, (a | b).total())


def _texts(value: Value) -> list[str] | None:
    """The words of a value that is no element."""
    if isinstance(value, Word):
        return value.text.split() if not value.quote else [value.text]
    if isinstance(value, Numbers):
        return value.words()
    if isinstance(value, Row) and all(isinstance(v, Word) for v in value.values):
        return [v.text for v in value.values if isinstance(v, Word)]
    return None


def _means(text: str, other: str) -> bool:
    """Whether two words are equal, or the same number."""
    if text == other:
        return True
    x, y = parse_float(text), parse_float(other)
    return x is not None and y is not None and math.isclose(x, y, rel_tol=_CLOSE, abs_tol=_CLOSE * 1e-3)


def _mean_the_same(a: Value, b: Value) -> bool:
    x, y = _texts(a), _texts(b)
    return x is not None and y is not None and len(x) == len(y) and all(map(_means, x, y))


def _longest_rise(values: list[int]) -> list[int]:
    """A longest rising subsequence of different numbers.

    >>> _longest_rise([3, 1, 2, 5, 4])
    [1, 2, 4]
    """
    tails: list[int] = []  # the least ends of the subsequences of each length
    before: dict[int, int | None] = {}
    for v in values:
        k = bisect_left(tails, v)
        before[v] = tails[k - 1] if k else None
        tails[k : k + 1] = [v]
    out: list[int] = []
    last = tails[-1] if tails else None
    while last is not None:
        out.append(last)
        last = before[last]
    return out[::-1]
