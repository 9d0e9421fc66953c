"""Stack of open brackets of VRML and Inventor text, and the findings for unbalanced ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

from unibody.text.edit import ProposedFix, without
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import DEFAULT, Guard, Match, meter_of
from unibody.text.node import Node, Row
from unibody.text.source import Source, Span
from unibody.text.vrml.lexer import GAP

# Minimum length of a value: "a ".
_LEAST = 2
# Limit on mistakes before parsing is abandoned.
_MOST = 50
_GAP = re.compile(GAP)
_ONLY_CLOSED = re.compile(rf"(?:{GAP}[\]}}])*{GAP}\Z")


class Tree(Node):
    """A whole file. ``starts`` are the offsets of the nodes of each type, of the statements of each
    keyword, and under DEF of the named nodes; ``protos`` are the names of all prototypes."""

    __slots__ = ("protos", "starts")

    def __init__(self, source: Source) -> None:
        super().__init__("", [], source, 0, len(source.text))
        self.starts: dict[str, list[int]] = defaultdict(list)
        self.protos: set[str] = set()


class Brackets:
    """A stack of open nodes and lists; ``opened`` are the offsets of their brackets, ``code`` is that of
    findings."""

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
        # nodes that the original loaders skip, and mistakes in the bodies of prototypes: (name, index)
        self.unread: frozenset[str] = frozenset()
        self.in_bodies: list[tuple[str, int]] = []

    def watched(self) -> Guard:
        """Start guarding the text by the load's limits."""
        guard = meter_of(self.source).guard(self.source, _LEAST)
        self.counted = guard.counted
        return guard

    @property
    def node(self) -> Node:
        """The innermost open node."""
        inner = self.stack[-1]
        if isinstance(inner, Node):
            return inner
        return next(held for held in reversed(self.stack) if isinstance(held, Node))

    def skip(self, at: int) -> int:
        """The offset of the next character that is not white space, a comma or part of a comment."""
        found = _GAP.match(self.text, at)
        return found.end() if found else at

    def push(self, value: Node | Row, bracket: int) -> None:
        """Push the node or list that a bracket opens."""
        self.stack.append(value)
        self.opened.append(bracket)
        if len(self.stack) > self.deepest:
            raise self.limits.met("depth", "nesting too deep", self.span(bracket))

    def pop(self) -> None:
        """Pop the innermost node or list."""
        self.stack.pop()
        self.opened.pop()

    def unclosed(self, at: int) -> None:
        """Report a brace that closes an open bracket."""
        line = self.source.line_column(self.opened[-1])[0]
        self.mistake(f"the [ of line {line} is not closed before this }}", at, "write ] before it")

    def closes_nothing(self, at: int) -> int:
        """Report an unmatched closing bracket inside a node, or before the end of the file."""
        message, hint = f"unmatched {self.text[at]}", "remove it"
        fix = ProposedFix("removed", (without(self.source, at, at + 1),))
        if len(self.stack) == 1 and (last := self.only_closed(at)):
            self.findings.warning(self.code, message, self.span(at), hint, fix=fix)
            return last
        self.mistake(message, at, hint, fix)
        return at + 1

    def only_closed(self, at: int) -> int:
        """The end of the text if only closing brackets follow, else 0."""
        last = _ONLY_CLOSED.match(self.text, at)
        return last.end() if last else 0

    def cut_off(self, at: int) -> TextError:
        """The error for the end of the text inside brackets."""
        message = "unexpected end of file"
        if len(self.stack) > 1:
            line, bracket = self.source.line_column(self.opened[-1])[0], self.text[self.opened[-1]]
            message += f": the {bracket} of line {line} is still open"
        return self.failure(message, at, "check whether the file is truncated")

    def unterminated(self, at: int) -> TextError:
        """The error for a string without closing quote."""
        hint = 'write " at its end'
        if self.text.find('\\"', at) >= 0:
            hint += r", and \\ for a backslash at its end (\" stands for a quote)"
        return self.failure("unterminated string", at, hint)

    def failure(self, message: str, at: int, hint: str = "") -> TextError:
        """The error that ends parsing."""
        return TextError(Finding(self.code, "error", message, self.span(at), hint))

    def mistake(self, message: str, at: int, hint: str = "", fix: ProposedFix | None = None) -> None:
        """Report an error and continue; TextError after too many."""
        self.mistakes += 1
        if self.mistakes > _MOST:
            raise self.failure(f"{message}; the rest is ignored after {_MOST} mistakes", at, hint)
        for held, bracket in zip(self.stack, self.opened, strict=True):
            if not isinstance(held, Node):
                continue
            if held.tag in self.unread:
                said = f"{message}; {held.tag} is not read"
                self.findings.warning(self.code, said, self.span(at), hint, fix=fix)
                return
            if held.tag == "PROTO" and self.text[bracket] == "{":
                self.in_bodies.append((held.name, len(self.findings)))
                break
        self.findings.error(self.code, message, self.span(at), hint, fix=fix)

    def judge_bodies(self) -> None:
        """Make mistakes in the bodies of unused prototypes warnings; no loader reads such a body."""
        for name, index in self.in_bodies:
            if name not in self.tree.starts and index < len(self.findings):
                found = self.findings[index]
                message = f"{found.message}; PROTO {name} is not used"
                self.findings[index] = replace(found, severity="warning", message=message)

    def span(self, at: int) -> Span:
        """The span of the character at an offset."""
        return Span(self.source, at, min(at + 1, len(self.text)))
