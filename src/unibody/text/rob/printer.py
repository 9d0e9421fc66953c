"""Prints trees of .rob files; everything but white space is kept, including comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.rob.parser import Block
from unibody.text.source import Source

_BARE = re.compile(r'[^\s{}#"]+')
_COMMENT = re.compile(r'"[^"\r\n]*"?|(#[^\r\n]*)|[^\s#{}"]+')
_HEAD = re.compile(r"\s*#MPK\s+[^\s{}#]+\s+robot(?=[\s{}#]|\Z)")
_GAP = re.compile(r"(?:\s+|#[^\r\n]*)*")
_FAR = 1 << 62


def print_rob(root: Node, arity: Block, source: Source | None = None) -> str:
    """Print a tree; with its source, comments are kept.

    The result reads back to the same tree; only white space may differ. Missing braces are added; text
    that was skipped because of them is not printed.

    >>> from unibody.text.finding import Findings
    >>> from unibody.text.rob.parser import Field, parse
    >>> grammar = Block({"joint": Block({"parent": Field((("", 1),))}, head="name")})
    >>> text = Source("a.rob", "#MPK v1.0 robot joint B{parent A # the arm\\n}")
    >>> print(print_rob(parse(text, grammar, Findings()), grammar, text), end="")
    #MPK v1.0 robot
    <BLANKLINE>
    joint B {
      parent A # the arm
    }
    """
    printer = _Printer(source)
    version = root.word("version")
    if version is not None or source is None:
        printer.out.append(f"#MPK v{version or '1.0'} robot\n")
    printer.fields([item for item in root.items if item[0] != "version"], arity)
    printer.comments(_FAR)
    printer.newline()
    return "".join(printer.out)


def comments(source: Source) -> list[tuple[int, str]]:
    """Offset and text of every comment, without the header."""
    head = _HEAD.match(source.text)
    found = _COMMENT.finditer(source.text, head.end() if head else 0)
    return [(m.start(), m[1].rstrip()) for m in found if m[1]]


class _Printer:
    """Prints words; comments are printed before the word that follows them in the source."""

    def __init__(self, source: Source | None) -> None:
        self.text = source.text if source else ""
        self.notes = comments(source) if source else []
        self.next = 0
        self.out: list[str] = []
        self.line: list[str] = []
        self.margin = self.indent = 0
        self.end = 0

    def newline(self) -> None:
        """End the current line unless it is empty."""
        if self.line:
            self.out.append("  " * self.margin + " ".join(self.line) + "\n")
            self.line = []

    def word(self, text: str, start: int = -1) -> None:
        """Print a word, at ``start`` in the source (−1 for none)."""
        if start >= 0:
            self.comments(start)
            self.end = start + len(text)
        if not self.line:
            self.margin = self.indent
        self.line.append(text)

    def comments(self, before: int) -> None:
        """Print all comments before an offset: trailing ones in the line, others on lines of their own."""
        self.trailing(before)
        while self.next < len(self.notes) and self.notes[self.next][0] < before:
            self.newline()
            self._note()

    def trailing(self, before: int = _FAR) -> None:
        """Print the comment at the end of the current line, if any."""
        if self.next < len(self.notes) and self.line and self.notes[self.next][0] < before:
            between = self.text[self.end : self.notes[self.next][0]]
            if not between.strip(" \t"):
                self._note()

    def _note(self) -> None:
        start, note = self.notes[self.next]
        self.word(note)
        self.newline()
        self.next += 1
        self.end = start + len(note)

    def fields(self, items: list[Item], grammar: Block, depth: int = 0) -> None:
        """Print all fields of a block; the depth of recursion is that of the grammar."""
        for key, value, start in items:
            kind = grammar.fields.get(key)
            if depth < 2:
                self.trailing()
                self.newline()
            if isinstance(kind, Block) and isinstance(value, Node):
                if depth == 0:
                    self.out.append("\n")
                self.block("" if key == grammar.bare else key, value, start, kind)
                continue
            if key and key != grammar.bare:
                self.word(key, start)
            for inner in _words(value):
                self.word(_written(inner), inner.start)

    def block(self, key: str, node: Node, start: int, grammar: Block) -> None:
        """Print keyword, head, and fields in braces; a block without keyword goes on one line."""
        items = list(node.items)
        if key:
            self.word(key, start)
        if grammar.head and items and items[0][0] == grammar.head:
            for inner in _words(items.pop(0)[1]):
                self.word(_written(inner), inner.start)
        self.word("{", self.brace())
        if key:
            self.trailing()
            self.newline()
        self.indent += 1
        self.fields(items, grammar, 1 if key else 2)
        if node.end > 0:
            self.comments(node.end - 1)
        if key:
            self.trailing()
            self.newline()
        self.indent -= 1
        self.word("}", node.end - 1 if node.end > 0 else -1)

    def brace(self) -> int:
        """The offset of the opening brace that follows in the source; −1 if there is none."""
        found = _GAP.match(self.text, self.end) if self.text else None
        return found.end() if found and self.text[found.end() : found.end() + 1] == "{" else -1


def _words(value: Value) -> Iterator[Word]:
    """The words of a value in order."""
    if isinstance(value, Word):
        yield value
    elif isinstance(value, Numbers):
        yield from map(Word, value.words())
    elif isinstance(value, Row):
        for inner in value.values:
            yield from _words(inner)
    else:
        for _, inner, _ in value.items:
            yield from _words(inner)


def _written(word: Word) -> str:
    """The text of a word: quoted if it was, or if its characters require it; braces are not quoted."""
    if not word.quote and (_BARE.fullmatch(word.text) or word.text in ("{", "}")):
        return word.text
    return f'"{word.text}"'
