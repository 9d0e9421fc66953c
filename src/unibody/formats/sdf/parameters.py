"""Changes to an included model: what ``<experimental:params>`` adds, modifies, removes and replaces.

An element of it names by ``element_id`` what it changes, or to what it adds: names down from the included
model, joined by ``::``. Its ``action`` says what is done; without one, each element inside has its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word

_ACTIONS = ("add", "modify", "remove", "replace")
_OWN = ("element_id", "action")
#: The attributes without which an element is not taken.
_NEEDED = {
    "sensor": ("name", "type"),
    "joint": ("name", "type"),
    "light": ("name", "type"),
    "plugin": ("name", "filename"),
}
#: The attribute of a model whose items are those of the model around it.
MERGED = "unibody:merged"


def apply(params: Node, model: Node, findings: Findings) -> None:
    """Apply changes to the tree of an included model, in place; those that fit nothing are reported."""
    for change in _inner(params):
        _Change(model, change, findings).apply()


@dataclass(slots=True)
class _Change:
    """One change to a model."""

    model: Node
    change: Node
    findings: Findings

    def apply(self) -> None:
        """Do what the element says."""
        change, action = self.change, self.change.word("action")
        path = change.word("element_id")
        if path is None:
            self._report(change, "needs element_id, which names what is changed")
            return
        if action is not None and action not in _ACTIONS:
            self._report(change, f"action must be one of {', '.join(_ACTIONS)}, not '{action}'")
            return
        if action == "add":
            self._add(path)
            return
        found = _find(self.model, path, change.tag)
        if found is None:
            self._report(change, f"the included model has no {change.tag} '{path}'")
        elif action is None:
            for inner in _inner(change):
                self._inside(found[1], inner)
        else:
            self._do(action, *found, change)

    def _add(self, path: str) -> None:
        change, name = self.change, self.change.word("name")
        parent = (self.model, self.model) if not path else _find(self.model, path, None)
        if not name:
            self._report(change, "what is added needs a name")
        elif parent is None:
            self._report(change, f"the included model has no element '{path}'")
        elif change.tag != "plugin" and _find(parent[1], name, change.tag) is not None:
            self._report(change, f"the included model has a {change.tag} '{name}' there already")
        elif self._is_whole(change):
            parent[1].items.append((change.tag, _bare(change), change.start))

    def _inside(self, owner: Node, change: Node) -> None:
        """Do what an element says inside of the one that is changed."""
        action = change.word("action")
        if action not in _ACTIONS:
            self._report(change, f"needs an action: {', '.join(_ACTIONS)}")
        elif action == "add":
            if self._is_whole(change):
                owner.items.append((change.tag, _bare(change), change.start))
        else:
            found = _named(owner, change, or_first=action == "modify")
            if found is None:
                self._report(change, f"{owner.tag} '{owner.word('name') or ''}' has none")
            else:
                self._do(action, owner, found, change)

    def _do(self, action: str, owner: Node, found: Node, change: Node) -> None:
        match action:
            case "modify":
                self._modify(owner, found, change)
            case "replace":
                if found.word("name") and not change.word("name"):
                    self._report(
                        change, f"needs a name, since it replaces {found.tag} '{found.word('name')}'"
                    )
                elif self._is_whole(change):
                    _put(owner, found, _bare(change))
            case _:
                self._remove(owner, found, change)

    def _remove(self, owner: Node, found: Node, change: Node) -> None:
        """Remove an element, or those in it that the change names."""
        inner = list(_inner(change))
        if not inner:
            _put(owner, found, None)
        for each in inner:
            there = _named(found, each)
            if there is None:
                self._report(each, f"{found.tag} '{found.word('name') or ''}' has none")
            else:
                _put(found, there, None)

    def _modify(self, owner: Node, found: Node, change: Node) -> None:
        """Give an element the attributes and the text of the change, and the elements in it theirs."""
        todo = [(owner, found, change)]
        while todo:
            owner, found, change = todo.pop()
            attributes = [x for x in _bare(change).items if x[0] and isinstance(x[1], Word)]
            words = {key for key, _, _ in attributes}
            text = [x for x in change.items if not x[0]]
            inner = list(_inner(change))
            is_value = not any(_inner(found))
            if not inner and not text and not words:
                if is_value:
                    _put(owner, found, None)  # its default
                else:
                    self._report(change, "says nothing that changes")
                continue
            kept = [x for x in found.items if x[0] not in words and (x[0] or (inner or not is_value))]
            found.items = [*attributes, *kept, *text]
            for each in inner:
                there = _named(found, each, or_first=True)
                if there is None:
                    self._report(each, f"{found.tag} '{found.word('name') or ''}' has none")
                else:
                    todo.append((found, there, each))

    def _is_whole(self, change: Node) -> bool:
        """Whether an element that is added has the attributes that it needs; reports one that has not."""
        lacking = [word for word in _NEEDED.get(change.tag, ()) if not change.word(word)]
        if lacking:
            self._report(change, f"needs {' and '.join(lacking)}")
        return not lacking

    def _report(self, change: Node, problem: str) -> None:
        self.findings.warning(
            "include-changes",
            f"<{change.tag}> of <experimental:params>: {problem}; not applied",
            change.span,
            "name what the included model has",
        )


def _inner(node: Node) -> Iterator[Node]:
    return (value for key, value, _ in node.items if key and isinstance(value, Node))


def _bare(change: Node) -> Node:
    """What an element adds, without the words about the change."""
    out = Node(change.tag, [x for x in change.items if x[0] not in _OWN], change.source, change.start)
    out.end = change.end
    return out


def _put(owner: Node, old: Node, new: Node | None) -> None:
    """Put another element in the place of one, or remove it."""
    items: list[Item] = []
    for key, value, start in owner.items:
        if value is not old:
            items.append((key, value, start))
        elif new is not None:
            items.append((key, new, start))
    owner.items = items


def _named(owner: Node, change: Node, *, or_first: bool = False) -> Node | None:
    """The element of the tag and name of a change; the first one of the tag if it has no name."""
    every = [x for x in _inner(owner) if x.tag == change.tag]
    name = change.word("name")
    if name:
        same = next((x for x in every if x.word("name") == name), None)
        if same is not None or not or_first:
            return same
    return next(iter(every), None)


def _find(model: Node, path: str, tag: str | None) -> tuple[Node, Node] | None:
    """The element of a path of names below a model, and what it is in; None without one of this tag."""
    todo = [(model, path)]
    while todo:
        owner, rest = todo.pop()
        for each in _inner(owner):
            name = each.word("name")
            if each.get(MERGED) is not None:
                todo.append((each, rest))
            if name and name == rest and tag in (None, each.tag):
                return owner, each
            if name and rest.startswith(f"{name}::"):
                todo.append((each, rest[len(name) + 2 :]))
    return None
