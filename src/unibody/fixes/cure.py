"""What a mechanical remedy is: edits of the file's own text that cure one finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unibody.files.access import Files
from unibody.formats.loader import Reading
from unibody.text.edit import Cure, Edit
from unibody.text.finding import Finding
from unibody.text.node import Node, Row, Value
from unibody.text.source import Source, Span

_MOST_NODES = 200_000


@dataclass(frozen=True, slots=True)
class Case:
    """A finding with a place, and what was read when it was found."""

    finding: Finding
    at: Span
    reading: Reading
    files: Files

    @property
    def source(self) -> Source:
        """The text that the finding is about."""
        return self.at.source

    @property
    def text(self) -> str:
        """The characters at its place."""
        return self.at.text

    @property
    def format(self) -> str:
        """The name of the format."""
        return self.reading.format.name if self.reading.format is not None else ""


@dataclass(frozen=True, slots=True)
class Remedied:
    """How the findings of one code are cured, in general: what the page of remedies says.

    ``kinds`` says what cures there are: "safe", "suggested", or both. ``make`` finds the edits of a finding
    that has none.
    """

    does: str
    kinds: tuple[str, ...] = ("safe",)
    make: Callable[[Case], Cure | None] | None = None


@dataclass(frozen=True, slots=True)
class Remedy:
    """A finding and the edits that cure it. ``safe`` says that the robot stays the same."""

    finding: Finding
    says: str
    edits: tuple[Edit, ...]
    safe: bool

    @property
    def note(self) -> str:
        """The code and what is done, in a line."""
        return f"{self.finding.code}: {self.says}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A finding that has a remedy which is not used, and why."""

    finding: Finding
    why: str


def nodes(case: Case) -> Iterator[Node]:
    """All nodes that were read from the case's own text, as written, each once."""
    roots: list[Value] = [v for v in (case.reading.node,) if v is not None]
    roots += [doc.node for doc in case.reading.documents if doc.node is not None]
    todo, seen = roots[::-1], set[int]()
    while todo and len(seen) < _MOST_NODES:
        value = todo.pop()
        if isinstance(value, Row):
            todo.extend(reversed(value.values))
        elif isinstance(value, Node) and id(value) not in seen:
            seen.add(id(value))
            if value.source is not None and value.source.name == case.source.name:
                yield value
            todo.extend(v for _, v, _ in reversed(value.items) if isinstance(v, Node | Row))
