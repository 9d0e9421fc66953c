"""COLLADA as elements: children by tag, numbers, references."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.meshes.numbers import floats, integers, usable
from unibody.meshes.polygon import Indices
from unibody.meshes.scene import Request
from unibody.meshes.surface import Floats
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.xml.parser import parse


def children(element: Node | None, *tags: str) -> Iterator[Node]:
    """The child elements with one of some tags, in order."""
    for key, value, _ in element.items if element is not None else ():
        if key in tags and isinstance(value, Node):
            yield value


def child(element: Node | None, *path: str) -> Node | None:
    """The first element that a path of tags leads to."""
    for tag in path:
        element = next(children(element, tag), None)
    return element


def text(element: Node | None) -> str:
    """The text of an element, "" for none."""
    return element.word("") or "" if element is not None else ""


class Document:
    """A COLLADA text: its root, its elements by id, and who asks."""

    def __init__(self, source: Source, request: Request) -> None:
        self.request = request
        try:
            self.root = parse(source, Findings())
        except TextError as e:
            raise request.broken(e.finding.message, at=e.finding.at) from None
        if self.root.tag != "COLLADA":
            raise request.broken(
                f"this is no COLLADA file: its root is <{self.root.tag}>", at=self.root.span
            )
        self.by_id: dict[str, Node] = {}
        todo = [self.root]
        while todo:
            element = todo.pop()
            for key, value, _ in element.items:
                if isinstance(value, Node):
                    todo.append(value)
                elif key == "id" and isinstance(value, Word):
                    self.by_id.setdefault(value.text, element)

    def named(self, uri: str | None, *tags: str, user: Node | None = None) -> Node | None:
        """The element that "#id" names, when it has one of some tags; else None after a finding."""
        found = self.by_id.get((uri or "").removeprefix("#"))
        if found is not None and found.tag in tags:
            return found
        what = f"'{uri}' names no {' or '.join(tags)} of this file"
        self.request.warn("mesh-reference", what, user.span if user is not None else None)
        return None

    def floats(self, element: Node | None) -> Floats:
        """The numbers in an element."""
        try:
            return floats(text(element))
        except ValueError:
            assert element is not None
            at = element.span
            raise self.request.broken(f"<{element.tag}> has something that is no number", at=at) from None

    def integers(self, element: Node) -> Indices:
        """The whole numbers in an element."""
        try:
            return integers(text(element))
        except ValueError:
            what = f"<{element.tag}> has something that is no whole number"
            raise self.request.broken(what, at=element.span) from None

    def count(self, element: Node, name: str, default: int) -> int:
        """An attribute that is a whole number from 0 up."""
        word = element.word(name)
        if word is None:
            return default
        if not word.isascii() or not word.strip().isdigit() or len(word) > 12:
            what = f"{name} of <{element.tag}> is no whole number"
            raise self.request.broken(what, at=element.span)
        return int(word)


def matrix_of(numbers: Floats) -> Floats | None:
    """A 4×4 matrix of sixteen usable numbers."""
    return numbers.reshape(4, 4) if numbers.size == 16 and usable(numbers) else None
