"""Stack of open brackets of VRML and Inventor text, and the findings for unbalanced ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable

from unibody.text.edit import ProposedFix, without
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import DEFAULT, Guard, Match, meter_of
from unibody.text.node import Node, Row
from unibody.text.source import Source, Span
from unibody.text.vrml.lexer import GAP

# The least that a value takes: "a ".
_LEAST = 2
# A text with more mistakes than this is no such text.
_MOST = 50
_GAP = re.compile(GAP)
_ONLY_CLOSED = re.compile(rf"(?:{GAP}[\]}}])*{GAP}\Z")


class Tree(Node):
    """A whole file. ``starts`` says where the nodes of each type begin, the statements of each keyword,
    and under DEF the nodes with a name; ``protos`` are the names of all prototypes."""

    __slots__ = ("protos", "starts")

    def __init__(self, source: Source) -> None:
        super().__init__("", [], source, 0, len(source.text))
        self.starts: dict[str, list[int]] = defaultdict(list)
        self.protos: set[str] = set()


class Brackets:
    """``stack`` holds open nodes and lists, ``opened`` their brackets' offsets; findings have ``code``."""

    def __init__(self, source: Source, findings: Findings, code: str) -> None:
        self.source, self.findings, self.code = source, findings, code
        self.text = source.text
        self.tree = Tree(source)
        self.stack: list[Node | Row] = [self.tree]
        self.opened = [-1]
        self.limits = source.meter.limits if source.meter is not None else DEFAULT
        self.deepest = self.limits.depth + 1  # the file itself is one
        self.counted: Callable[[Match], Match] = lambda match: match
        self.mistakes = 0

    def watched(self) -> Guard:
        """The guard of the whole text, from here on."""
        guard = meter_of(self.source).guard(self.source, _LEAST)
        self.counted = guard.counted
        return guard

    @property
    def node(self) -> Node:
        """The innermost node that is open."""
        inner = self.stack[-1]
        if isinstance(inner, Node):
            return inner
        return next(held for held in reversed(self.stack) if isinstance(held, Node))

    def skip(self, at: int) -> int:
        """The offset of the next character that is not white space, a comma or in a comment."""
        found = _GAP.match(self.text, at)
        return found.end() if found else at

    def push(self, value: Node | Row, bracket: int) -> None:
        """Begin what a bracket opens."""
        self.stack.append(value)
        self.opened.append(bracket)
        if len(self.stack) > self.deepest:
            raise self.limits.met("depth", "nesting too deep", self.span(bracket))

    def pop(self) -> None:
        """End the innermost of what is open."""
        self.stack.pop()
        self.opened.pop()

    def unclosed(self, at: int) -> None:
        """A brace that closes what a bracket opened."""
        line = self.source.line_column(self.opened[-1])[0]
        self.mistake(f"the [ of line {line} is not closed before this }}", at, "write ] before it")

    def closes_nothing(self, at: int) -> int:
        """A bracket too many; those at the end of a file leave no doubt about what was meant."""
        message, hint = f"this {self.text[at]} closes nothing", "remove it"
        fix = ProposedFix("removed", (without(self.source, at, at + 1),))
        if len(self.stack) == 1 and (last := _ONLY_CLOSED.match(self.text, at)):
            self.findings.warning(self.code, message, self.span(at), hint, fix=fix)
            return last.end()
        self.mistake(message, at, hint, fix)
        return at + 1

    def cut_off(self, at: int) -> TextError:
        """The end of the text inside of brackets."""
        message = "unexpected end of file"
        if len(self.stack) > 1:
            line, bracket = self.source.line_column(self.opened[-1])[0], self.text[self.opened[-1]]
            message += f": the {bracket} of line {line} is still open"
        return self.failure(message, at, "is the file cut off?")

    def unterminated(self, at: int) -> TextError:
        """A string without a second quote."""
        hint = 'write " behind it'
        if self.text.find('\\"', at) >= 0:
            hint += r", and \\ for a backslash at its end (\" stands for a quote)"
        return self.failure("unterminated string: it begins here and has no end", at, hint)

    def failure(self, message: str, at: int, hint: str = "") -> TextError:
        """The error that ends the reading."""
        return TextError(Finding(self.code, "error", message, self.span(at), hint))

    def mistake(self, message: str, at: int, hint: str = "", fix: ProposedFix | None = None) -> None:
        """An error that reading goes on after."""
        self.mistakes += 1
        if self.mistakes > _MOST:
            raise self.failure(f"{message}; after {_MOST} mistakes the rest is not read", at, hint)
        self.findings.error(self.code, message, self.span(at), hint, fix=fix)

    def span(self, at: int) -> Span:
        """The one character at an offset."""
        return Span(self.source, at, min(at + 1, len(self.text)))
