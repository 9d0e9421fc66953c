"""COLLADA elements: children by tag, lists of numbers, references."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.meshes.numbers import floats, integers, usable
from unibody.meshes.scene import Request
from unibody.model.arrays import Floats, Integers
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.xml.parser import parse


def children(element: Node | None, *tags: str) -> Iterator[Node]:
    """The child elements with one of ``tags``, in document order."""
    for key, value, _ in element.items if element is not None else ():
        if key in tags and isinstance(value, Node):
            yield value


def child(element: Node | None, *path: str) -> Node | None:
    """The first element at a path of tags; None if there is none."""
    for tag in path:
        for key, value, _ in element.items if element is not None else ():
            if key == tag and isinstance(value, Node):
                element = value
                break
        else:
            return None
    return element


def text(element: Node | None) -> str:
    """The text of an element, "" for None."""
    return element.word("") or "" if element is not None else ""


class Document:
    """A parsed COLLADA file: its root and its elements by id."""

    def __init__(self, source: Source, request: Request) -> None:
        self.request = request
        try:
            self.root = parse(source, Findings())
        except TextError as e:
            raise request.broken(e.finding.message, at=e.finding.at) from None
        if self.root.tag != "COLLADA":
            raise request.broken(f"root element is <{self.root.tag}>, not <COLLADA>", at=self.root.span)
        self.by_id: dict[str, Node] = {}
        todo = [self.root]
        while todo:
            element = todo.pop()
            for key, value, _ in element.items:
                if value.__class__ is not Word:
                    todo.append(value)  # type: ignore[arg-type]
                elif key == "id":
                    self.by_id.setdefault(value.text, element)

    def elements(self, tag: str) -> Iterator[Node]:
        """All elements with a tag, in document order."""
        todo = [self.root]
        while todo:
            element = todo.pop()
            if element.tag == tag:
                yield element
            inner = [value for _, value, _ in element.items if value.__class__ is not Word]
            todo += reversed(inner)  # type: ignore[arg-type]

    def named(self, uri: str | None, *tags: str, user: Node | None = None) -> Node | None:
        """The element with the id in "#id" and one of ``tags``; None after a finding."""
        found = self.by_id.get((uri or "").removeprefix("#"))
        if found is not None and found.tag in tags:
            return found
        what = f"'{uri}' refers to an unknown {' or '.join(tags)}"
        self.request.warn("mesh-reference", what, user.span if user is not None else None)
        return None

    def floats(self, element: Node | None) -> Floats:
        """The numbers in an element (n,); MeshError if a word is not a number."""
        try:
            return floats(text(element))
        except ValueError:
            assert element is not None
            at = element.span
            raise self.request.broken(f"<{element.tag}> must have numbers only", at=at) from None

    def integers(self, element: Node) -> Integers:
        """The integers in an element (n,); MeshError if a word is not an integer."""
        try:
            return integers(text(element))
        except ValueError:
            what = f"<{element.tag}> must have integers only"
            raise self.request.broken(what, at=element.span) from None

    def count(self, element: Node, name: str, default: int) -> int:
        """An attribute that must be an integer from 0 up."""
        word = element.word(name)
        if word is None:
            return default
        if not word.isascii() or not word.strip().isdigit() or len(word) > 12:
            what = f"{name} of <{element.tag}> must be a non-negative integer"
            raise self.request.broken(what, at=element.span)
        return int(word)


def matrix_of(numbers: Floats) -> Floats | None:
    """The 4×4 matrix of sixteen numbers; None if they are not sixteen or not usable."""
    return numbers.reshape(4, 4) if numbers.size == 16 and usable(numbers) else None
