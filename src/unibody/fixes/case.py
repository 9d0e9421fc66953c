"""A finding with its fix, a finding that is not fixed, and the nodes of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unibody.files.access import Files
from unibody.formats.loader import Reading
from unibody.text.edit import ProposedFix
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
    def format(self) -> str:
        """The name of the format."""
        return self.reading.format.name if self.reading.format is not None else ""


@dataclass(frozen=True, slots=True)
class Fixable:
    """How the findings of one code are fixed: what the page of fixes says.

    ``kinds`` says what fixes there are: "safe", "suggested", or both. ``make`` finds the edits of a finding
    that has none.
    """

    does: str
    kinds: tuple[str, ...] = ("safe",)
    make: Callable[[Case], ProposedFix | None] | None = None


@dataclass(frozen=True, slots=True)
class FindingFix:
    """A finding and the fix that is used for it."""

    finding: Finding
    fix: ProposedFix

    @property
    def note(self) -> str:
        """The code and the title of the fix, in one line."""
        return f"{self.finding.code}: {self.fix.title}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A finding whose fix is not used, and the reason."""

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
