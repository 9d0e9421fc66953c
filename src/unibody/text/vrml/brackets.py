"""Stack of open brackets of VRML and Inventor text, and the findings for unbalanced ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

from unibody.text.edit import ProposedFix, without
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import DEFAULT, Guard, Match, meter_of, words_in
from unibody.text.node import Node, Row
from unibody.text.source import Source, Span
from unibody.text.vrml.lexer import GAP, NO_COMMENT

# Minimum length of a value: "a ".
_LEAST = 2
# Limit on mistakes before parsing is abandoned.
_MOST = 50
_GAP = re.compile(GAP)
_BRACKETS = '{}[]"#'
_MARK = re.compile(r'["#\[\]{}]')
# A comment, or a # that starts none.
_COMMENT = re.compile(rf"{NO_COMMENT}|#[^\r\n]*")
# A string as the original loaders read it: without escapes.
_QUOTED = re.compile(r'"[^"]*"')
_CLOSED_BY = {"{": "}", "[": "]"}
_ONLY_CLOSED = re.compile(rf"(?:{GAP}[\]}}])*{GAP}\Z")


def _most_values(text: str) -> int:
    """A bound on the number of values in a text.

    A value starts at a bracket or a quote, directly behind one, or as a word behind white space.
    """
    return words_in(text) + 2 * sum(map(text.count, _BRACKETS))


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
        self.string = _QUOTED
        # characters that may be read ahead to find the ends of such nodes: linear in the length of the text
        self.lookahead = 2 * len(self.text) + 10_000
        self.in_bodies: list[tuple[str, int]] = []

    def watched(self) -> Guard:
        """Start guarding the text by the load's limits."""
        guard = meter_of(self.source).guard(self.source, _LEAST, most_in=_most_values)
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
        fix = ProposedFix(f"remove the unmatched {self.text[at]}", (without(self.source, at, at + 1),))
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
            if held.tag in self.unread or held.tag == "EXTERNPROTO":
                what = "the interface of an EXTERNPROTO" if held.tag == "EXTERNPROTO" else held.tag
                said = f"{message}; {what} is not read"
                self.findings.warning(self.code, said, self.span(at), hint, fix=fix)
                return
            if held.tag == "PROTO" and self.text[bracket] == "{":
                self.in_bodies.append((held.name, len(self.findings)))
                break
        self.findings.error(self.code, message, self.span(at), hint, fix=fix)

    def unread_end(self, at: int, first_brace: bool) -> int:
        """The end of a node whose opening brace ends at ``at``, for loaders that do not read the node.

        It is after the first brace outside of strings and comments; −1 without such a brace, or if the
        brackets match, unless it is to be the first one.
        """
        if self.lookahead < 0:
            return -1
        opened, end = ["}"], len(self.text)
        for char, behind in self.marks(at, self.string):
            end = behind
            if char in _CLOSED_BY:
                opened.append(_CLOSED_BY[char])
            elif opened.pop() != char:
                break
            if not opened:
                break
        first = self.first_closing("}", at)
        self.lookahead -= max(end, first) - at if first >= 0 else len(self.text)
        return -1 if not opened and (not first_brace or first == end) else first

    def first_closing(self, bracket: str, at: int) -> int:
        """The end of the first closing bracket outside of comments and strings without escapes, or −1."""
        return next((end for char, end in self.marks(at, _QUOTED) if char == bracket), -1)

    def marks(self, at: int, string: re.Pattern[str]) -> Iterator[tuple[str, int]]:
        """The brackets from an offset on, each with its end; those in strings and comments are left out."""
        while found := _MARK.search(self.text, at):
            char, at = found[0], found.end()
            if char in "[]{}":
                yield char, at
                continue
            inside = (string if char == '"' else _COMMENT).match(self.text, found.start())
            if not inside:
                return
            at = inside.end()

    def skipped_unread(self, node: Node) -> None:
        """Report a node of which only the end is read."""
        tag, start = node.tag, node.start
        self.mistakes += 1
        message = f"unbalanced brackets in {tag}; skipped up to its first }}, as in Choreonoid and OpenHRP"
        if self.mistakes > _MOST:
            raise self.failure(message, start)
        hint = f"close its brackets, or remove the {tag}"
        self.findings.warning(self.code, message, Span(self.source, start, start + len(tag)), hint)

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
