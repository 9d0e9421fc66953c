"""The data of a robot that only one format knows, in edits: extras, and the data of opaque devices."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unibody.document.declare import Document, plan
from unibody.document.references import (
    Role,
    Slot,
    names_within,
    pieces,
    rewritten,
    slots,
)
from unibody.edits.names import LISTS, fixed_names, names_of
from unibody.formats import FORMATS, by_name
from unibody.formats.copied import copied
from unibody.formats.extras import replace_words
from unibody.model.changes.joints import free_name
from unibody.model.device import Opaque
from unibody.model.facts import Difference
from unibody.model.robot import Extra, ExtraFile, Robot
from unibody.model.traverse import join, part, unpart
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, shared_copy, words
from unibody.text.number import parse_float
from unibody.text.source import Source

# What separates names in free text.
_BETWEEN = re.compile(r"[\s,;:|/\"'()\[\]{}<>=]+")
_VALUES = frozenset(("true", "false", "yes", "no", "on", "off", "none"))
Gone = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Kept:
    """Kept data of a robot: of ``extras[index]``, or of ``devices[index]`` for an opaque device.

    ``cls`` declares its items, None if its format is unknown; ``nodes`` are the format's classes by tag,
    ``source`` is the file of the robot.
    """

    list_name: str
    index: int
    owner: str
    data: Node
    cls: type[Document] | None
    nodes: Mapping[str, type[Document]]
    source: Source | None

    def slots(self) -> list[Slot]:
        """Everything in the data, with its meaning."""
        return slots(self.data, self.cls, self.nodes)


def kept(robot: Robot) -> list[Kept]:
    """All kept data of a robot."""
    at = robot.links[0].at if robot.links else None
    source = at.source if at is not None else None
    out: list[Kept] = []
    for i, extra in enumerate(robot.extras):
        format = by_name(extra.format)
        declared = None if format is None else format.declarations()
        cls = None if declared is None else declared.owners.get(extra.owner.partition("/")[0])
        nodes = {} if declared is None else declared.nodes
        out.append(Kept("extras", i, extra.owner, extra.node, cls, nodes, source))
    for i, device in enumerate(robot.devices):
        if isinstance(device.spec, Opaque):
            found = (f.declarations().devices.get(device.spec.kind) for f in FORMATS)
            cls = next((c for c in found if c is not None), None)
            owner = f"devices/{part(device.name)}"
            out.append(Kept("devices", i, owner, device.spec.data, cls, {}, source))
    return out


def with_data(robot: Robot, data: Mapping[tuple[str, int], Node]) -> Robot:
    """The robot with other kept data, by list and index."""
    if not data:
        return robot
    extras, devices = list(robot.extras), list(robot.devices)
    for (name, i), node in data.items():
        if name == "extras":
            extras[i] = replace(extras[i], node=node)
        else:
            spec: Any = devices[i].spec
            devices[i] = replace(devices[i], spec=replace(spec, data=node))
    return replace(robot, extras=tuple(extras), devices=tuple(devices))


def known_names(robot: Robot, parts: Sequence[Kept]) -> dict[str, set[str]]:
    """The names to which kept data may refer: those of the robot, and those that the data give."""
    out = {kind: set(names) for kind, names in names_of(robot).items()}
    out["coordinates"] = {str(c.index) for c in robot.coordinates}
    for each in parts:
        for kind, names in names_within(each.slots()).items():
            out.setdefault(kind, set()).update(names)
    return out


def used_frames(robot: Robot) -> set[str]:
    """The names of the frames that kept data refer to, such as sensors, and of those that trace a path."""
    out = {frame.name for frame in robot.frames if frame.trace}
    if not robot.frames:
        return out
    for each in kept(robot):
        for slot in each.slots():
            if "frames" in slot.role.refers and not slot.role.names:
                out.update(slot.texts())
    return out


# --- new names --------------------------------------------------------------------------


def rename_kept(
    robot: Robot, names: Mapping[str, Mapping[str, str]], prefix: str, suffix: str, findings: Findings
) -> dict[tuple[str, int], Node]:
    """The kept data that change if items are renamed; what cannot be renamed is a warning.

    ``names`` are the new names by list; ``prefix`` and ``suffix`` are added to the names that the data give
    themselves.
    """
    parts = kept(robot)
    known = known_names(robot, parts)
    new: dict[str, dict[str, str]] = {kind: dict(found) for kind, found in names.items()}
    if prefix or suffix:
        for kind, texts in known.items():
            if kind != "coordinates":
                for text in texts - fixed_names(kind):
                    new.setdefault(kind, {}).setdefault(text, f"{prefix}{text}{suffix}")
    changed = {
        old: (kind, name)
        for kind in reversed((*LISTS, "robot"))
        for old, name in names.get(kind, {}).items()
        if old != name
    }
    out: dict[tuple[str, int], Node] = {}
    for each in parts:
        work = _Renaming(known, new, changed, each, findings)
        old = [(slot, text) for slot in each.slots() for text in slot.texts()]
        if [text for _, text in old] != [work.text(slot, text) for slot, text in old]:
            work.quiet = True
            copy = replace(each, data=shared_copy(each.data))
            for slot in copy.slots():
                work.rewrite(slot)
            out[each.list_name, each.index] = copy.data
    return out


class _Renaming:
    """Renames the words of one part of the kept data."""

    def __init__(
        self,
        known: Mapping[str, Collection[str]],
        new: Mapping[str, Mapping[str, str]],
        changed: Mapping[str, tuple[str, str]],
        of: Kept,
        findings: Findings,
    ) -> None:
        self.known, self.new, self.changed, self.of, self.findings = known, new, changed, of, findings
        self.quiet = False

    def text(self, slot: Slot, text: str) -> str:
        """The new text of a word."""
        role = slot.role
        if role.free:
            self._mention(slot, text)
            return text
        found = pieces(text, role, self.known) if role.refers else []
        if found:
            return rewritten(text, found, lambda name: self._new(slot, name, role))
        return self.new.get(role.names, {}).get(text, text) if role.names else text

    def _new(self, slot: Slot, name: str, role: Role) -> str:
        """The new name of an item; of several items with one name, that in the first list."""
        lists = [kind for kind in role.refers if name in self.known.get(kind, ())]
        wanted = list(dict.fromkeys(self.new.get(kind, {}).get(name, name) for kind in lists))
        if len(wanted) > 1 and not self.quiet:
            self._warn(
                slot,
                f"'{name}' is the name of items in {' and '.join(lists)}; it now refers to '{wanted[0]}'",
                "edit the text if it refers to another one",
            )
        return wanted[0]

    def _mention(self, slot: Slot, text: str) -> None:
        for name in () if self.quiet else mentioned(text, self.changed):
            kind, new = self.changed[name]
            what = "robot" if kind == "robot" else kind[:-1]
            self._warn(
                slot,
                f"{slot.path()} mentions '{name}', which is now '{new}'; the text is unchanged",
                f"edit the text if it refers to the {what}",
            )

    def _warn(self, slot: Slot, message: str, hint: str) -> None:
        subject = self.of.owner
        self.findings.warning("reference-kept", message, slot.place(self.of.source), hint, subject=subject)

    def rewrite(self, slot: Slot) -> None:
        """Put the new text into the copy of the data."""
        value, holder, i = slot.value, slot.holder, slot.index
        if slot.part == "name":
            assert isinstance(value, Node)
            value.name = self.text(slot, value.name)
        elif slot.part == "key":
            assert isinstance(holder, Node)
            old, inner, at = holder.items[i]
            holder.items[i] = (self.text(slot, old), inner, at)
        elif isinstance(value, Word):
            value.text = self.text(slot, value.text)
        elif isinstance(value, Numbers):
            texts = [self.text(slot, text) for text in value.words()]
            if texts != value.words():
                _put(holder, i, Row([Word(text) for text in texts], flow=True))


def _put(holder: Node | Row, i: int, value: Value) -> None:
    if isinstance(holder, Row):
        holder.values[i] = value
    else:
        holder.items[i] = (holder.items[i][0], value, holder.items[i][2])


def mentioned(text: str, names: Collection[str]) -> list[str]:
    """The names that a free text has as a whole word; numbers and truth values are no names.

    >>> mentioned("/elbow/position", {"elbow", "position"}), mentioned("elbow_link", {"elbow"})
    (['elbow', 'position'], [])
    """
    found = (word for word in dict.fromkeys((text.strip(), *_BETWEEN.split(text))) if word in names)
    return [word for word in found if parse_float(word) is None and word.casefold() not in _VALUES]


# --- a part of a robot ----------------------------------------------------------------------


def prune_kept(robot: Robot, gone: Gone, findings: Findings) -> tuple[Robot, set[str]]:
    """Remove from the kept data of a robot what refers to the items that are ``gone``, by list.

    Returns the robot, which still has all of its items, and the names of devices that have lost a link
    they need. Texts that only mention such an item are warnings.
    """
    every = kept(robot)
    known = known_names(robot, every)
    parts = [p for p in every if not _is_gone(p.owner, gone)]
    lost: dict[str, set[str]] = {kind: set(names) for kind, names in gone.items()}
    pruned = [_pruned(p, known, lost) for p in parts]
    while fresh := _unnamed(known, lost, [p for p, _ in pruned]):
        # What referred to dropped elements of the data goes, too.
        for kind, names in fresh.items():
            lost.setdefault(kind, set()).update(names)
        pruned = [_pruned(p, known, lost) for p in parts]
    still = {name for kind in LISTS for name in known[kind] if name not in gone.get(kind, ())}
    mentions = {name for names in gone.values() for name in names} - still
    data: dict[tuple[str, int], Node] = {}
    devices: set[str] = set()
    for old, (new, is_lost) in zip(parts, pruned, strict=True):
        if is_lost:
            devices.add(robot.devices[old.index].name)
            continue
        if words(new.data) != words(old.data):
            data[old.list_name, old.index] = new.data
        for slot in new.slots():
            if slot.role.free:
                _report_mentions(slot, old, mentions, findings)
    return with_data(robot, data), devices


def _unnamed(
    known: Mapping[str, set[str]], lost: Mapping[str, set[str]], parts: Sequence[Kept]
) -> dict[str, set[str]]:
    """The names that only kept data gave, and that are not yet known to be lost."""
    named = names_within(slot for each in parts for slot in each.slots())
    found = {
        kind: names - named.get(kind, set()) - lost.get(kind, set())
        for kind, names in known.items()
        if kind not in LISTS and kind != "coordinates"
    }
    return {kind: names for kind, names in found.items() if names}


def _report_mentions(slot: Slot, of: Kept, names: Collection[str], findings: Findings) -> None:
    for name in (name for text in slot.texts() for name in mentioned(text, names)):
        findings.warning(
            "reference-kept",
            f"{slot.path()} mentions '{name}', which is not part of the result",
            slot.place(of.source),
            "remove the text if it refers to that element",
            subject=of.owner,
        )


def _is_gone(owner: str, gone: Gone) -> bool:
    kind, _, name = owner.partition("/")
    return unpart(name.split("/")[0]) in gone.get(kind, ())


def _pruned(each: Kept, known: Mapping[str, Collection[str]], gone: Gone) -> tuple[Kept, bool]:
    """A copy of kept data without what refers to lost items, and whether nothing of it is left to mean."""
    copy = replace(each, data=shared_copy(each.data))
    found = copy.slots()
    count: dict[int, int] = {}  # references in a slot
    left: dict[int, int] = {}  # those of them that are not dropped
    drop: set[int] = set()
    contents: dict[int, list[int]] = {}  # the slots of the items of a slot
    own = {*LISTS, "coordinates"}
    for slot in reversed(found):
        here = id(slot)
        if slot.part == "value" and slot.within is not None:
            contents.setdefault(id(slot.within), []).append(here)
        if slot.part == "value" and isinstance(slot.value, Node | Row):
            if drop.issuperset(contents.get(here, [here])):
                drop.add(here)
            _judge(slot, count, left, drop)
        elif slot.role.refers:
            refers = [name for text in slot.texts() for name, _ in pieces(text, slot.role, known)]
            lost = [name for name in refers if _is_lost(name, slot.role, known, gone)]
            if not own.isdisjoint(slot.role.refers):  # not those to elements of the data themselves
                count[here], left[here] = len(refers), len(refers) - len(lost)
            if lost:
                _mark(slot, drop)
        if slot.within is not None:
            outer = id(slot.within)
            count[outer] = count.get(outer, 0) + count.get(here, 0)
            left[outer] = left.get(outer, 0) + (0 if here in drop else left.get(here, 0))
    _remove([slot for slot in found if id(slot) in drop])
    if each.list_name != "devices" or not found:
        return copy, False
    top = next(id(slot.within) for slot in found if slot.holder is copy.data)
    needs = copy.cls.NEEDS if copy.cls is not None else ""
    is_less = left.get(top, 0) < count.get(top, 0)
    return copy, is_less and (needs == "all" or (needs == "any" and not left.get(top, 0)))


def _judge(slot: Slot, count: dict[int, int], left: dict[int, int], drop: set[int]) -> None:
    """Whether a node or list is dropped, whose contents have been judged."""
    here = id(slot)
    if left.get(here, 0) >= count.get(here, 0):
        return
    needs = slot.cls.NEEDS if slot.cls is not None else ""
    if needs == "all" or (not left[here] and (needs == "any" or isinstance(slot.value, Row))):
        drop.add(here)


def _mark(slot: Slot, drop: set[int]) -> None:
    """Mark what a lost reference takes along: the word of a list, the list in a list, the item or node."""
    within = slot.within
    if isinstance(slot.holder, Row):
        nested = within is not None and isinstance(within.holder, Row) and within.within is not None
        drop.add(id(within) if nested else id(slot))
        return
    is_map = within is not None and within.cls is not None and bool(within.cls.KEYS or within.cls.VALUES)
    if within is None or within.within is None or is_map:
        drop.add(id(slot))
    else:
        drop.add(id(within))


def _is_lost(name: str, role: Role, known: Mapping[str, Collection[str]], gone: Gone) -> bool:
    lists = [kind for kind in role.refers if name in known.get(kind, ())]
    return all(name in gone.get(kind, ()) for kind in lists)


def _remove(dropped: list[Slot]) -> None:
    """Remove slots from their holders, the last first."""
    by_holder: dict[int, tuple[Node | Row, set[int]]] = {}
    for slot in dropped:
        by_holder.setdefault(id(slot.holder), (slot.holder, set()))[1].add(slot.index)
    for holder, indices in by_holder.values():
        if isinstance(holder, Row):
            holder.values = [v for i, v in enumerate(holder.values) if i not in indices]
            holder.starts = [v for i, v in enumerate(holder.starts) if i not in indices]
        else:
            holder.items = [v for i, v in enumerate(holder.items) if i not in indices]


# --- two robots -----------------------------------------------------------------------------


def joined(extras: Sequence[Extra], others: Sequence[Extra]) -> tuple[Extra, ...]:
    """The extras of two robots. Of those of the robots themselves, what cannot stand twice is joined.

    XML elements stand beside one another, unless they are declared as ``JOINED``; lists and mappings of
    other syntaxes are joined. Where both have another value, that of the first remains.
    """
    out = list(extras)
    places: dict[tuple[str, str], int] = {}
    for i, extra in enumerate(out):
        places.setdefault((extra.format, extra.owner), i)
    for other in others:
        mine = places.setdefault((other.format, other.owner), len(out))
        if mine == len(out):
            out.append(other)
        else:
            format = by_name(other.format)
            syntax = "" if format is None else format.syntax
            first, second = out[mine], _with_other_names(other, out[mine].files)
            items = _joined_items(first.node.items, second.node.items, syntax, _class_of(other))
            files = tuple(dict.fromkeys((*first.files, *second.files)))
            out[mine] = replace(first, node=Node(first.node.tag, items), files=files)
    return tuple(out)


def _with_other_names(extra: Extra, files: Sequence[ExtraFile]) -> Extra:
    """An extra whose files are called otherwise than other ``files``, unless they are the same."""
    taken = {file.name: file for file in files}
    new: dict[str, str] = {}
    for file in extra.files:
        known = taken.get(file.name)
        if known is not None and (known.uri, known.path) != (file.uri, file.path):
            new[file.name] = free_name(file.name, {*taken, *(x.name for x in extra.files), *new.values()})
    if not new:
        return extra
    node = copied(extra.node, sys.maxsize)
    assert isinstance(node, Node)
    replace_words(node, new)
    renamed = (replace(file, name=new.get(file.name, file.name)) for file in extra.files)
    return replace(extra, node=node, files=tuple(renamed))


def _class_of(extra: Extra) -> type[Document] | None:
    """The class that declares the items of an extra, None if its format is unknown."""
    format = by_name(extra.format)
    return None if format is None else format.declarations().owners.get(extra.owner.partition("/")[0])


def _joined_class(cls: type[Document] | None, key: str) -> type[Document] | None:
    """The class of an element inside of another one of which several are one, else None."""
    entry = None if cls is None else plan(cls).keys.get(key)
    return entry.only if entry is not None and entry.only is not None and entry.only.JOINED else None


def _joined_items(
    first: list[Item], second: list[Item], syntax: str, cls: type[Document] | None = None
) -> list[Item]:
    out = list(first)
    places: dict[str, int] = {}
    for i, item in enumerate(out):
        places.setdefault(item[0], i)
    known = {(key, _name(value), words(value)) for key, value, _ in out}
    for key, value, at in second:
        identity = (key, _name(value), words(value))
        if identity in known:
            continue
        place = places.get(key)
        mine = None if place is None else out[place][1]
        of = _joined_class(cls, key)
        made: Value | None = None
        if of is not None and isinstance(mine, Node) and isinstance(value, Node):
            inner = _joined_items(mine.items, value.items, syntax, of)
            made = Node(mine.tag, inner, mine.source, mine.start, mine.end)
        elif place is None or not key or (syntax == "xml" and isinstance(value, Node)) or key == "elements":
            known.add(identity)
            places.setdefault(key, len(out))
            out.append((key, value, at))
        elif isinstance(mine, Row) and isinstance(value, Row):
            made = Row([*mine.values, *value.values], flow=mine.flow)
        elif isinstance(mine, Node) and isinstance(value, Node) and not mine.tag and not value.tag:
            made = Node("", _joined_items(mine.items, value.items, syntax), flow=mine.flow)
        if made is not None and place is not None:
            known.add((key, _name(made), words(made)))
            out[place] = (key, made, -1)
    return out


def _name(value: Value) -> str:
    return value.name if isinstance(value, Node) else ""


def _said(value: Value, uris: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a value with the URIs of files instead of their names."""
    return tuple(uris.get(word, word) for word in words(value)) if uris else words(value)


def lost_items(before: Robot, after: Robot) -> list[Difference]:
    """The extras of a robot that another one has no longer, item by item."""
    present: Counter[tuple[str, str, str, tuple[str, ...]]] = Counter()
    values: dict[tuple[str, str, str], list[Value]] = {}
    for extra in after.extras:
        uris = {file.name: file.uri for file in extra.files}
        for key, value, _ in extra.node.items:
            present[extra.format, extra.owner, key, _said(value, uris)] += 1
            values.setdefault((extra.format, extra.owner, key), []).append(value)
    missing: list[tuple[int, Extra, Item]] = []
    for i, extra in enumerate(before.extras):
        uris = {file.name: file.uri for file in extra.files}
        for item in extra.node.items:
            identity = (extra.format, extra.owner, item[0], _said(item[1], uris))
            if present[identity] > 0:
                present[identity] -= 1
            else:
                missing.append((i, extra, item))
    free = {group: [(v, words(v)) for v in found] for group, found in values.items()} if missing else {}
    out: list[Difference] = []
    for i, extra, item in missing:
        others = values.get((extra.format, extra.owner, item[0]), [])
        cls = _joined_class(_class_of(extra), item[0])
        if cls is not None and others:
            node = _not_joined(item[1], others[0], cls)
            if node is not None:
                old = Extra(format=extra.format, owner=extra.owner, node=Node("", [(item[0], node, -1)]))
                out.append(Difference(join("extras", str(i)), "removed", old, index=i))
            continue
        group = (extra.format, extra.owner, item[0])
        # the others are found once, since their numbers only fall
        free[group] = [(v, said) for v, said in free.get(group, []) if present[(*group, said)] > 0]
        fresh = [v for v, _ in free[group]]
        if any(_holds(v, item[1]) for v in fresh):
            continue  # a list that the lists of both robots were joined to
        new = next((v for v in fresh if _is_rest(v, item[1])), None)
        if new is not None:
            present[extra.format, extra.owner, item[0], words(new)] -= 1
        for lost in [item] if new is None else _lost_of(item, new):
            old = Extra(format=extra.format, owner=extra.owner, node=Node("", [lost]))
            out.append(Difference(join("extras", str(i)), "removed", old, index=i))
    return out


def _not_joined(old: Value, new: Value, cls: type[Document]) -> Node | None:
    """What an element has that the one that it was joined to has not; None if that has everything."""
    if not isinstance(old, Node) or not isinstance(new, Node):
        return None
    out: list[Item] = []
    for key, value, at in old.items:
        found = [v for k, v, _ in new.items if k == key]
        if any(words(v) == words(value) for v in found):
            continue
        inner = _joined_class(cls, key)
        left = value if inner is None or not found else _not_joined(value, found[0], inner)
        if left is not None:
            out.append((key, left, at))
    return Node(old.tag, out, old.source, old.start, old.end) if out else None


def _lost_of(item: Item, new: Value) -> list[Item]:
    """The outermost items of a value that a similar one has no longer; the whole if its text differs."""
    key, old, at = item
    if isinstance(old, Row) and isinstance(new, Row):
        left = [(key, v, at) for v in old.values]
        right = [(key, v) for v in new.values]
    elif isinstance(old, Node) and isinstance(new, Node) and old.tag == new.tag:
        left = old.items
        right = [(k, v) for k, v, _ in new.items]
    else:
        return [item]
    same = Counter((k, words(v)) for k, v in right)
    changed = Counter((k, words(v)) for k, v in right)
    changed.subtract((k, words(v)) for k, v, _ in left)
    out: list[Item] = []
    for inner in left:
        identity = (inner[0], words(inner[1]))
        if same[identity] > 0:
            same[identity] -= 1
            continue
        rest = (v for k, v in right if k == inner[0] and changed[k, words(v)] > 0)
        twin = next((v for v in rest if _is_rest(v, inner[1])), None)
        if twin is None or isinstance(twin, Word):
            out.append(inner)
        else:
            changed[inner[0], words(twin)] -= 1
            out += _lost_of(inner, twin)
    return out


def _is_rest(new: Value, old: Value) -> bool:
    """Whether a value is what remains of another one."""
    return not Counter(words(new)) - Counter(words(old))


def _holds(new: Value, old: Value) -> bool:
    """Whether a list or mapping has everything of another one."""
    if isinstance(new, Row) and isinstance(old, Row):
        have = Counter(words(v) for v in new.values)
        have.subtract(words(v) for v in old.values)
        return all(n >= 0 for n in have.values())
    if isinstance(new, Node) and isinstance(old, Node) and not new.tag:
        return all(
            any(k == key and (words(v) == words(value) or _holds(v, value)) for k, v, _ in new.items)
            for key, value, _ in old.items
        )
    return False
