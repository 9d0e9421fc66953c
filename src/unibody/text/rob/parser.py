"""Parses MPK's .rob syntax: words, quoted names and braces; each keyword has a fixed number of words.

A file is `#MPK v1.0 robot` and blocks. Neither brackets nor line ends delimit a field, only the number
of words of its keyword (formats/mpk.md, lexical rules); the grammar with these numbers is derived from
the format's declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.fixes import first_line, made_first, respelled
from unibody.text.limits import Guard, meter_of
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Row, Word
from unibody.text.source import Source, Span

# Braces and comments end a word without white space; strings do not span lines.
_TOKEN = re.compile(r'(#[^\r\n]*)|"([^"\r\n]*)("?)|[{}]|[^\s{}#"]+')
_HEADER = re.compile(r"\s*#MPK\s+v?([^\s{}#]+)\s+([^\s{}#]+)")
_LATE_LINE = re.compile(r"^[ \t]*(#MPK\s+v?[^\s{}#]+\s+robot)[^\r\n]*", re.MULTILINE)
_LATE_HEADER = re.compile(r"^[ \t]*#MPK\s", re.MULTILINE)
_KLAMPT = re.compile(
    r"^[ \t]*(?:TParent|links|parents|axis|jointtype|(?:qMin|qMax|velMax|accMax)(?:Deg)?"
    r"|geometry|geomscale|automass|torqueMax|servo[PID]|driver|property)\b",
    re.MULTILINE,
)
_NUMERIC = re.compile(r"[+-]?\.?[0-9]")
_MOST_MISTAKES = 100
# A single brace takes as much memory as two values of other texts.
_WEIGHT = 2


class Statement(Node):
    """A keyword with its words or its block."""

    __slots__ = ()

    @property
    def head(self) -> Span | None:
        """The keyword, else the whole statement."""
        if self.source is None:
            return None
        first = self.items[0][2] if self.items else -1
        end = self.end if first == self.start else self.start + len(self.tag)
        return Span(self.source, self.start, max(end, self.start + 1))


@dataclass(frozen=True, slots=True)
class Field:
    """A keyword and its words, as parts (key, number of words).

    A single part with the key "" is the value of the keyword itself; without words it is an empty Row.
    """

    parts: tuple[tuple[str, int], ...]

    @property
    def arity(self) -> int:
        """The number of words after the keyword."""
        return sum(count for _, count in self.parts)


@dataclass(frozen=True, slots=True)
class Block:
    """A keyword with fields in braces.

    ``head`` is the key of the word before the brace, ``bare`` the field that is written without its
    keyword; ``lenient``: an unknown keyword is a warning instead of an error.
    """

    fields: Mapping[str, Field | Block]
    head: str = ""
    bare: str = ""
    lenient: bool = False


def parse(source: Source, arity: Block, findings: Findings) -> Node:
    """Parse a .rob file; ``arity`` is the grammar with the number of words of each keyword.

    TextError if the text is not an MPK robot.

    >>> grammar = Block({"joint": Block({"parent": Field((("", 1),))}, head="name")})
    >>> parse(Source("a.rob", "#MPK v1.0 robot joint B { parent A }"), grammar, Findings()).items[1]
    ('joint', Node('joint', [('name', Word('B')), ('parent', Word('A'))]), 16)
    """
    root = Statement("robot", source=source, start=0, end=len(source.text))
    at = _header(source, root, arity, findings)
    guard = meter_of(source).guard(source, 1, _WEIGHT)
    reader = _Reader(source, arity, findings, _tokens(source.text, at, guard))
    reader.block(root, arity)
    return guard.done(root)


def _header(source: Source, root: Node, grammar: Block, findings: Findings) -> int:
    """The offset of the content; the version becomes an item."""
    text = source.text
    found = _HEADER.match(text)
    if found and found[2] == "robot":
        start = found.start(1)
        root.items.append(("version", Word(found[1], start, found.end(1)), start))
        return found.end()
    place = Span(source, 0, max(1, len(text.partition("\n")[0].rstrip())))
    hint = "begin the file with #MPK v1.0 robot"
    if found:
        words = " ".join(found[0].split())
        message = f"the first three words must be '#MPK v1.0 robot', not {_shown(Word(words))}"
        raise TextError(Finding("mpk-header", "error", message, place, hint))
    first = next(_words(text), "")
    if first not in grammar.fields:
        other = "; it looks like a robot of Klamp't, which uses the same suffix"
        message = "not an MPK robot: '#MPK v1.0 robot' is missing"
        message += other if _KLAMPT.search(text, 0, 65536) else ""
        raise TextError(Finding("mpk-header", "error", message, place, hint))
    message, fix = "'#MPK v1.0 robot' is missing", first_line(source, "#MPK v1.0 robot")
    if _LATE_HEADER.search(text):
        message = "'#MPK v1.0 robot' is not at the start of the file"
        if late := _LATE_LINE.search(text):
            fix = made_first(Span(source, *late.span()), " ".join(late[1].split()))
    findings.warning("mpk-header", f"{message}; MPK rejects the file", place, hint, fix=fix)
    return 0


def _words(text: str) -> Iterator[str]:
    return (found[0] for found in _TOKEN.finditer(text) if not found[1])


def _tokens(text: str, at: int, guard: Guard) -> list[Word]:
    """All words, strings and braces; an unterminated string has the quote '"?'."""
    out: list[Word] = []
    every = _TOKEN.finditer(text, at)
    for found in _counted(every, guard) if guard.tight else every:
        if found[2] is not None:
            out.append(Word(found[2], found.start(), found.end(), '"' if found[3] else '"?'))
        elif not found[1]:
            out.append(Word(found[0], found.start(), found.end()))
    return out


def _counted(every: Iterator[re.Match[str]], guard: Guard) -> Iterator[re.Match[str]]:
    for found in every:
        guard.step(found.start, _WEIGHT)
        yield found


def _is_brace(token: Word, brace: str) -> bool:
    return token.text == brace and not token.quote


@dataclass(slots=True)
class _Reader:
    """Reads tokens into nodes; the depth of recursion is that of the grammar, not of the text."""

    source: Source
    grammar: Block
    findings: Findings
    tokens: list[Word]
    at: int = 0
    mistakes: int = field(default=0)

    def block(self, node: Node, grammar: Block) -> None:
        """Read all fields up to the closing brace, or to the end of the file for the root."""
        last: Field | None = None
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if _is_brace(token, "}"):
                self.at += 1
                if grammar is not self.grammar:
                    node.end = token.end
                    return
                self._mistake("error", "unmatched '}'", token)
                node.items.append(("", Row([token], token.start, token.end), token.start))
                continue
            if grammar is not self.grammar and self._begins_block():
                self._mistake("error", f"missing '}}' of {_called(node)} before this", token)
                node.end = self.tokens[self.at - 1].end
                return
            kind = None if token.quote else grammar.fields.get(token.text)
            key = token.text
            if kind is None or key == grammar.bare:
                key, kind = grammar.bare, grammar.fields.get(grammar.bare)
                kind = None if _is_brace(token, "{") else kind
            else:
                self.at += 1
            if isinstance(kind, Block):
                node.items.append(self._inner(key, kind, token))
            elif isinstance(kind, Field):
                node.items.append(self._field(key, kind, token, grammar))
            else:
                node.items.append(self._unknown(node, grammar, last))
            last = kind if isinstance(kind, Field) else None
        node.end = len(self.source.text)
        if grammar is not self.grammar:
            last_word = self.tokens[-1]
            place = Span(self.source, last_word.start, last_word.end)
            line = Span(self.source, node.start, node.start + 1).line
            message = f"unexpected end of file: missing '}}' of {_called(node)}"
            self.findings.error("rob-syntax", message, place, f"close the block that begins in line {line}")

    def _begins_block(self) -> bool:
        """Whether a top-level block begins here: its keyword, possibly a name, and a brace."""
        token = self.tokens[self.at]
        kind = None if token.quote else self.grammar.fields.get(token.text)
        if not isinstance(kind, Block):
            return False
        brace = self.at + (2 if kind.head else 1)
        return brace < len(self.tokens) and _is_brace(self.tokens[brace], "{")

    def _inner(self, key: str, grammar: Block, first: Word) -> Item:
        """Read a block from its head on; ``first`` is its keyword, or its head if it has none."""
        node = Statement(key, source=self.source, start=first.start, end=first.end)
        if grammar.head and self.at < len(self.tokens) and not self._at_brace():
            head = self.tokens[self.at]
            self._quotes(head)
            node.items.append((grammar.head, head, head.start))
            node.name = head.text
            self.at += 1
        if self.at < len(self.tokens) and _is_brace(self.tokens[self.at], "{"):
            self.at += 1
        elif self.at < len(self.tokens):
            token = self.tokens[self.at]
            self._mistake("error", f"expected '{{' after {_called(node)}, not {_shown(token)}", token)
            self._skip_to_brace()
        self.block(node, grammar)
        return key, node, first.start

    def _skip_to_brace(self) -> None:
        """Skip words of the same line before an opening brace."""
        at, text = self.at, self.source.text
        while at < len(self.tokens) and not self._at_brace(at):
            if "\n" in text[self.tokens[at - 1].end : self.tokens[at].start]:
                return
            at += 1
        if at < len(self.tokens) and _is_brace(self.tokens[at], "{"):
            self.at = at + 1

    def _at_brace(self, at: int | None = None) -> bool:
        token = self.tokens[self.at if at is None else at]
        return not token.quote and token.text in "{}"

    def _field(self, key: str, kind: Field, first: Word, grammar: Block) -> Item:
        words = self._take(kind.arity, first, grammar, key == grammar.bare)
        end = words[-1].end if words else first.end
        if len(kind.parts) == 1 and not kind.parts[0][0]:
            whole = Row(list(words), first.start, end)
            return key, words[0] if kind.arity == 1 and words else whole, first.start
        node = Statement(key, source=self.source, start=first.start, end=end)
        for part, count in kind.parts:
            mine, words = words[:count], words[count:]
            if mine and count == 1:
                node.items.append((part, mine[0], mine[0].start))
            elif mine:
                node.items.append((part, Row(list(mine), mine[0].start, mine[-1].end), mine[0].start))
        return key, node, first.start

    def _take(self, count: int, first: Word, grammar: Block, bare: bool) -> list[Word]:
        """Read up to ``count`` words, until a brace or a keyword.

        The first word on the keyword's own line is not a keyword: a joint may have the name of one.
        """
        out: list[Word] = []
        while len(out) < count and self.at < len(self.tokens) and not self._at_brace():
            token = self.tokens[self.at]
            if token.text in grammar.fields and not token.quote and not bare:
                between = self.source.text[first.end : token.start]
                if out or "\n" in between or "\r" in between:
                    break
            self._quotes(token)
            out.append(token)
            self.at += 1
        return out

    def _quotes(self, token: Word) -> None:
        if token.quote == '"?':
            self._mistake("error", "unterminated string", token, 'close it with " in the same line')
            token.quote = '"'

    def _unknown(self, node: Node, grammar: Block, last: Field | None) -> Item:
        """Read unknown words up to the next keyword, with balanced braces."""
        first = self.tokens[self.at]
        start, depth = self.at, 0
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if not token.quote:
                if depth == 0 and self.at > start and (token.text in grammar.fields or token.text == "}"):
                    break
                depth += (token.text == "{") - (token.text == "}")
            self.at += 1
        words = self.tokens[start : self.at]
        # truncation is reported at the end of the file
        if self.at < len(self.tokens) or grammar is self.grammar:
            self._say_unknown(first, node, grammar, last)
        return "", Row(list(words), first.start, words[-1].end), first.start

    def _say_unknown(self, first: Word, node: Node, grammar: Block, last: Field | None) -> None:
        owner = "" if grammar is self.grammar else f"{_called(node)}: "
        shown = _shown(first)
        if last is not None and _NUMERIC.match(first.text):
            message, hint, alike = f"{owner}unexpected {shown} after the last value", "", ""
        else:
            what = "block" if grammar is self.grammar else "option" if grammar.lenient else "field"
            message = f"{owner}unknown {what} {shown}"
            alike = near(first.text, grammar.fields)
            hint = did_you_mean(alike, f"use one of {', '.join(grammar.fields)}")
        self._mistake(
            "warning" if grammar.lenient else "error",
            message,
            first,
            hint,
            code="rob-unknown",
            suggestion=alike,
        )

    def _mistake(
        self,
        severity: str,
        message: str,
        token: Word,
        hint: str = "",
        code: str = "rob-syntax",
        suggestion: str = "",
    ) -> None:
        """Report a mistake; TextError after too many of them."""
        place = Span(self.source, token.start, token.end)
        report = self.findings.warning if severity == "warning" else self.findings.error
        fix = respelled(place, token.text, suggestion)
        report(code, message, place, hint, suggestion=suggestion, fix=fix)
        self.mistakes += 1
        if self.mistakes >= _MOST_MISTAKES:
            message = f"stopped after {_MOST_MISTAKES} syntax errors; the rest is ignored"
            raise TextError(Finding("rob-syntax", "error", message, place, subject="the rest"))


def _shown(token: Word) -> str:
    return f"'{token.text if len(token.text) <= 60 else token.text[:57] + '...'}'"


def _called(node: Node) -> str:
    return f"{node.tag} {_shown(Word(node.name))}" if node.name else node.tag
