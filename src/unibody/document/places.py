"""Where an item belongs that is declared elsewhere in its format, and the edit that moves it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from unibody.document.plan import Entry, Plan, kind_names, plan
from unibody.text.dataclass import dataclass
from unibody.text.edit import Edit, ProposedFix, indent, inserted, is_line_start, line_end, without
from unibody.text.fixes import without_value
from unibody.text.node import Item, Node, Row, Value, Word
from unibody.text.xml.fixes import attribute

if TYPE_CHECKING:
    from unibody.document.bind import Binding
    from unibody.document.declare import Document

# A class, the word it is written as, and whether an element has only one of it.
_Inner: TypeAlias = "tuple[type[Document], str, bool]"
# Places named in a finding.
_MOST = 3
# An attribute or key that more elements have says nothing about its place.
_MOST_OWNERS = 3
# Steps in the tree from an attribute or a key to its place.
_NEAR = 2
# Words and numbers that an attribute may have without being escaped.
_PLAIN = re.compile(r"[^<>&\"]+")


@dataclass(frozen=True, slots=True)
class Place:
    """An element that has the item: its class, the word it is written as, and its distance in the tree.

    ``up`` are the steps of it that go up. ``is_child``: the item is an element there, not an attribute;
    ``many``: one of a list. ``is_sole``: on the way down each element has only one of its kind.
    """

    cls: type[Document]
    word: str
    steps: int
    up: int
    is_child: bool
    many: bool
    is_sole: bool


def places(doc: Document, name: str, child: bool, path: tuple[Any, ...], binding: Binding) -> list[Place]:
    """Where an undeclared item of a document belongs, the nearest first; [] if nothing near declares it.

    ``path`` is that of the document's element. An element of XML may be an attribute of its place. Other
    programs give attributes and keys of the same words other meanings: their place must be beside them.
    """
    binding.searches -= 1
    if binding.searches < 0 or binding.root is None or name not in _declared(binding.root, binding):
        return []
    cls = type(doc)
    kept = cls.KEPT() if cls.KEPT is not None else None
    chain = _classes(path, binding)
    if not chain or (kept is not None and name in plan(kept).keys):
        return []
    known = (name, *chain)
    if known not in binding.reach:
        binding.reach[known] = _nearest(name, chain, binding)
    found: list[Place] = binding.reach[known]
    if binding.xml and child:
        # an element of this name, else an attribute
        elements = [place for place in found if place.is_child]
        found = elements or [place for place in found if place.steps <= _NEAR]
        return found[:_MOST]
    if len({place.cls for place in found}) > _MOST_OWNERS:
        return []
    below = [
        place
        for place in found
        if place.up == 0 and place.steps <= _NEAR and (place.is_sole or (child and place.is_child))
    ]
    if binding.xml or doc.KEEPS:
        return below
    return below or [place for place in found if place.up == place.steps <= _NEAR]


def _declared(root: type[Document], binding: Binding) -> set[str]:
    """The names of all items that are declared in a format."""
    if "" not in binding.reach:
        names: set[str] = set()
        todo, seen = [root], {root}
        while todo:
            cls = todo.pop()
            names.update(plan(cls).keys)
            new = [inner for inner, _, _ in _inner(cls, binding) if inner not in seen]
            seen.update(new)
            todo += new
        binding.reach[""] = names
    found: set[str] = binding.reach[""]
    return found


def _nearest(name: str, chain: list[type[Document]], binding: Binding) -> list[Place]:
    """All places that declare an item, by their distance from the last class of a chain."""
    best: dict[tuple[str, bool], Place] = {}
    started: set[type[Document]] = set()
    for up, start in enumerate(reversed(chain)):
        if sum(place.steps < up for place in best.values()) > _MOST_OWNERS:
            break
        if up and start in started:
            # what is below a class was found from the nearer element of it
            continue
        if up:
            started.add(start)
        todo: list[_Inner] = [(start, "", True)]
        seen = {start}
        down = 0
        while todo:
            below: list[_Inner] = []
            for cls, written, sole in todo:
                entry = plan(cls).keys.get(name)
                if entry is not None and (written or up):
                    word = written or _word(cls, chain, up, binding)
                    is_child, many = entry.spec.type is None, entry.spec.many
                    place = Place(cls, word, up + down, up, is_child, many, sole)
                    known = best.get((word, is_child))
                    if word and (known is None or known.steps > place.steps):
                        best[word, is_child] = place
                for inner, inner_word, is_sole in _inner(cls, binding):
                    if inner not in seen:
                        seen.add(inner)
                        below.append((inner, inner_word, sole and is_sole))
            todo, down = below, down + 1
    return sorted(best.values(), key=lambda place: place.steps)


def _word(cls: type[Document], chain: list[type[Document]], up: int, binding: Binding) -> str:
    """The word that an ancestor is written as; that of the root if it has one."""
    at = len(chain) - 1 - up
    if at == 0:
        return binding.root_tag
    return next((word for inner, word, _ in _inner(chain[at - 1], binding) if inner is cls), "")


def _inner(cls: type[Document], binding: Binding) -> list[_Inner]:
    """The classes of the elements inside one of a class, with their words."""
    found: list[_Inner] | None = binding.reach.get(cls)
    if found is None:
        found = binding.reach[cls] = list(dict.fromkeys(_each_inner(cls, binding)))
    return found


def _each_inner(cls: type[Document], binding: Binding) -> Iterator[_Inner]:
    for key, entry in plan(cls).keys.items():
        spec = entry.spec
        if entry.by_tag:
            for tag, tagged in binding.nodes.items():
                if not spec.accepts or issubclass(tagged, spec.accepts):
                    yield tagged, tag, True
        elif entry.only is not None:
            yield entry.only, key, not spec.many
        elif spec.type is None:
            for member in dict.fromkeys(spec.members.values()):
                yield member, next(iter(kind_names(member)), key), not spec.many


def _classes(path: tuple[Any, ...], binding: Binding) -> list[type[Document]]:
    """The classes of the elements of a path, from the root; [] if they cannot be told."""
    nodes: list[Node] = []
    while path:
        path, node = path
        nodes.append(node)
    nodes.reverse()
    assert binding.root is not None
    out = [binding.root]
    for outer, node in pairwise(nodes):
        known: type[Document] | None = binding.nodes.get(node.tag)
        entry = None if known else _entry_of(node, outer, plan(out[-1]))
        if entry is not None:
            known = (
                entry.only or entry.spec.members.get(node.word("type") or "") or entry.spec.members.get("")
            )
        if known is None:
            return []
        out.append(known)
    return out


def _entry_of(node: Node, outer: Node, declared: Plan) -> Entry | None:
    """The declaration that an element inside another was read by."""
    if node.tag in declared.keys:
        return declared.keys[node.tag]
    for key, value, _ in outer.items:
        if value is node or (isinstance(value, Row) and any(v is node for v in value.values)):
            return declared.keys.get(key)
    return None


def shown(name: str, found: list[Place], here: str, xml: bool, is_child: bool) -> str:
    """Where an item belongs, in words: ``<inertia> belongs in <inertial>, not in <link>``."""
    form = "<{}>" if xml else "'{}'"
    words = [form.format(place.word) for place in found]
    listed = " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
    beside = form.format(here) if here else ""
    if xml and not found[0].is_child:
        other = f"not an element of {beside}" if is_child else f"not of {beside}"
        return f"'{name}' is an attribute of {listed}, {other}"
    what = form.format(name) if is_child or not xml else f"'{name}'"
    return f"{what} belongs in {listed}" + (f", not in {beside}" if beside else "")


def moved(item: Item, found: list[Place], path: tuple[Any, ...]) -> ProposedFix | None:
    """The edit that moves an XML element to the one place beside or above it that has none yet."""
    value = item[1]
    if not isinstance(value, Node) or value.source is None or not found or not found[0].is_child:
        return None
    source, name = value.source, item[0]
    # several elements of one name would be moved to one place
    if sum(key == name for key, _, _ in path[1].items) > 1:
        return None
    # of several places, one that takes any number of them is never lacking it
    words = {place.word for place in found if len(found) == 1 or not place.many}
    if len(words) != 1:
        return None
    targets = [v for k, v, _ in path[1].items if k in words and isinstance(v, Node) and v is not value]
    outer = path[0]
    while outer:
        targets += [outer[1]] if outer[1].tag in words else []
        outer = outer[0]
    if len(targets) != 1:
        return None
    target = targets[0]
    if target.source is not source or any(key == name for key, _, _ in target.items):
        return None
    edit = _appended(target, source.text[value.start : value.end])
    if edit is None:
        return None
    title = f"move <{name}> into <{target.tag}>"
    return ProposedFix(title, (without(source, value.start, value.end), edit), safe=False)


def _appended(target: Node, words: str) -> Edit | None:
    """The edit that adds an element at the end of another one."""
    source = target.source
    assert source is not None
    text = source.text[target.start : target.end]
    end = re.search(r"</[^\s<>/]+\s*>\Z", text)
    if end is None or not text.startswith("<"):
        return None
    at = target.start + end.start()
    if not is_line_start(source, at):
        return inserted(source, at, words)
    last = target.start + len(text[: end.start()].rstrip())
    inner = next((v for _, v, _ in target.items if isinstance(v, Node)), None)
    before = indent(source, inner.start) if inner is not None else f"{indent(source, at)}  "
    return inserted(source, last, f"{line_end(source)}{before}{words}")


def attribute_of(item: Item, node: Node) -> ProposedFix | None:
    """The edit that makes an attribute of an element with nothing but text: ``<xyz>0 0 1</xyz>``."""
    value = item[1]
    if not isinstance(value, Node) or value.source is None:
        return None
    word = value.items[0][1] if len(value.items) == 1 and not value.items[0][0] else None
    edit = _with_attribute(node, item[0], word)
    if edit is None or sum(key == item[0] for key, _, _ in node.items) > 1:
        return None
    gone = without_value(node, item)
    title = f"make {item[0]} an attribute of <{node.tag}>"
    return ProposedFix(title, (edit, gone), safe=False) if gone else None


def attribute_from_text(value: Value, name: str, node: Node) -> ProposedFix | None:
    """The edit that makes the text of an element its attribute: ``<mass>2</mass>``."""
    edit, place = _with_attribute(node, name, value), node.place(value)
    if edit is None or place is None:
        return None
    gone = without(place.source, place.start, place.end)
    return ProposedFix(f"make the text the attribute {name}", (edit, gone), safe=False)


def _with_attribute(node: Node, name: str, value: Value | None) -> Edit | None:
    """The edit that adds an attribute to the start tag of an element."""
    if node.source is None or not isinstance(value, Word):
        return None
    text = " ".join(value.text.split())
    found = re.compile(r"<[^\s/>]+").match(node.source.text, node.start)
    if not found or not _PLAIN.fullmatch(text) or attribute(node.span, name) is not None:
        return None
    at = found.end()
    for key, _, _ in node.items:
        other = attribute(node.span, key)
        at = max(at, other.whole.end if other else at)
    return inserted(node.source, at, f' {name}="{text}"')
