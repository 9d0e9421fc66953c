"""Prints VRML97 and Inventor trees; everything but white space and commas is kept, including comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TypeAlias

from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.vrml.lexer import NAME

# Matches strings, too, since they may contain #: gaps contain the strings of removed nodes.
_NOTE = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|#([^\r\n]*)', re.DOTALL)
_FALSE_NUMBER = re.compile(r"[+-]?[0-9]+\.#(?:IND|INF|QNAN|SNAN)[0-9]*")
_BREAK = re.compile(r"[\r\n][ \t\r\n]*")
_LAST_NOTE = re.compile(r"#[^\r\n]*\Z")
_NO_FLAG = re.compile(r"[+-]?\.?[0-9]|TRUE\Z|FALSE\Z|NULL\Z")
_SPACE = "".join(map(chr, range(33))) + ","
_LONGEST_LINE = 80
_LISTS = {"field": "fields", "input": "inputs", "output": "outputs"}

_Work: TypeAlias = Iterator["_Work"]


@dataclass(frozen=True, slots=True)
class Style:
    """The header of a file, functions that escape and unescape strings, and whether the text is Inventor:
    flags are in parentheses, and \\" at the end of a line ends a string."""

    header: str
    quote: Callable[[str], str]
    unquote: Callable[[str], str]
    is_inventor: bool = False


def print_tree(root: Value, source: Source | None, style: Style) -> str:
    """Print a tree; with its source, comments and the spelling of strings are kept.

    The text reads back to the same tree. ValueError for names and words that the syntax cannot represent.
    """
    printer = _Printer(root, source, style)
    stack: list[_Work] = [printer.value(root, 0)]
    while stack:
        inner = next(stack[-1], None)
        if inner is None:
            stack.pop()
        else:
            stack.append(inner)
    is_file = isinstance(root, Node) and root.tag == ""
    printer.flush(len(source.text) + 1 if source and is_file else 0, 0)
    body = "".join(printer.out).strip("\n")
    parts = [style.header] if is_file and source is None else []
    return "\n\n".join([*parts, body] if body else parts) + "\n"


def comments(root: Value, source: Source) -> list[tuple[int, str]]:
    """All comments of a tree's text as (offset, text), except those inside lists of numbers.

    Searches the gaps between strings, numbers and words.
    """
    text = source.text
    spans, whole = _spans(root, source)
    out: list[tuple[int, str]] = []
    at, stop = whole
    for start, end in [*sorted(spans), (stop, stop)]:
        if start > at and text.find("#", at, start) >= 0:
            found = _NOTE.finditer(text, at, start)
            out.extend((m.start(), m[0].rstrip()) for m in found if m[1] is not None)
        at = max(at, end)
    return out


def _spans(root: Value, source: Source) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The spans of the words of a tree, and of its whole text."""
    spans: list[tuple[int, int]] = []
    seen: set[int] = set()
    todo: list[Value] = [root]
    while todo:
        value = todo.pop()
        if isinstance(value, Node):
            if id(value) not in seen and (value.source is source or value.source is None):
                seen.add(id(value))
                todo.extend(inner for _, inner, _ in value.items)
        elif isinstance(value, Row):
            todo.extend(value.values)
        elif value.start >= 0:
            spans.append((value.start, value.end))
    if isinstance(root, Node) and root.tag == "":
        return spans, (0, len(source.text))
    return spans, (max(root.start, 0), max(root.end, 0))


class _Printer:
    """Prints values depth first; a comment is printed before the item or value that follows it."""

    def __init__(self, root: Value, source: Source | None, style: Style) -> None:
        self.source, self.style = source, style
        self.out: list[str] = []
        self.notes = comments(root, source) if source else []
        self.next = 0
        # Named nodes by id; the references prevent reuse of the ids.
        self.done: dict[int, Node] = {}

    def flush(self, before: int, indent: int) -> bool:
        """Print the comments before an offset; whether there were any."""
        wrote = False
        while self.next < len(self.notes) and self.notes[self.next][0] < before:
            at, note = self.notes[self.next]
            if not self._is_after_note() and self._shares_line(at):
                self.out.append(note if self.out[-1].endswith(" ") else f" {note}")
            else:
                self.out.append(f"{self._blank(at)}\n{' ' * indent}{note}")
            self.next += 1
            wrote = True
        return wrote

    def _is_after_note(self) -> bool:
        """Whether the output is empty or ends with a comment."""
        return not self.out or self.out[-1].lstrip().startswith("#")

    def _trail(self, end: int) -> None:
        """Print the trailing comment on the line of what ends at an offset."""
        if self.source and end >= 0 and self.next < len(self.notes) and not self._is_after_note():
            at, note = self.notes[self.next]
            if at >= end and not self.source.text[end:at].strip(" \t,"):
                self.out.append(f" {note}")
                self.next += 1

    def _blank(self, at: int) -> str:
        """An extra line break if there is an empty line before an offset in the source."""
        text = self.source.text if self.source else ""
        last = text.rfind("\n", 0, max(at, 0))
        if last < 0 or text[last:at].strip(_SPACE):
            return ""
        before = text.rfind("\n", 0, last)
        return "" if before < 0 or text[before:last].strip(_SPACE) else "\n"

    def _shares_line(self, at: int) -> bool:
        """Whether there is something before a comment on its line."""
        text = self.source.text if self.source else ""
        start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
        return bool(text[start:at].strip(_SPACE))

    def value(self, value: Value, indent: int) -> _Work:
        """Print a value."""
        if isinstance(value, Word):
            self.out.append(self._word(value))
        elif isinstance(value, Numbers):
            self.out.append(_numbers(value, indent))
        elif isinstance(value, Row):
            yield self._row(value, indent)
        else:
            yield self._node(value, indent)

    def _node(self, node: Node, indent: int) -> _Work:
        out = self.out
        match node.tag:
            case "":
                yield self._items(node.items, node, indent)
                return
            case "USE" | "IS":
                out.append(f"{node.tag} {_name(node.name)}")
                return
            case "ROUTE":
                ends = [_name(v.text) for _, v, _ in node.items if isinstance(v, Word)]
                out.append(f"ROUTE {' TO '.join(ends)}")
                return
            case "PROTO" | "EXTERNPROTO":
                yield self._proto(node, indent)
                return
            case "=" | "~":
                yield self._fed(node, indent)
                return
        if node.name and id(node) in self.done:
            out.append(f"USE {_name(node.name)}")
            return
        self.done[id(node)] = node
        out.append(f"DEF {_name(node.name)} {_name(node.tag)} {{" if node.name else f"{_name(node.tag)} {{")
        line = self._one_line(node)
        if line is not None:
            out.append(line)
            return
        yield self._items(node.items, node, indent + 2)
        self.flush(self._end(node), indent + 2)
        out.append(f"\n{' ' * indent}}}")

    def _one_line(self, node: Node) -> str | None:
        """The rest of a node that fits on its line: empty, or one short field; else None."""
        if self.next < len(self.notes) and self.notes[self.next][0] < self._end(node):
            return None
        if not node.items:
            return "}"
        key, value, _ = node.items[0]
        if len(node.items) > 1 or not key or _is_declaration(node.items[0]):
            return None
        if isinstance(value, Node) and value.tag in ("USE", "IS"):
            text = f"{value.tag} {_name(value.name)}"
        elif isinstance(value, Word):
            text = self._word(value)
        elif isinstance(value, Numbers) and len(value.body) <= 2 * _LONGEST_LINE:
            text = _numbers(value, 0)
        else:
            return None
        is_long = len(text) > _LONGEST_LINE or "\n" in text or self._ends_line(text)
        return None if is_long else f" {_name(key)} {text} }}"

    def _items(self, items: list[Item], holder: Node, indent: int) -> _Work:
        for tag, group in groupby(items, lambda item: _list_tag(item, holder)):
            if tag:
                yield self._declarations(tag, list(group), holder, indent)
            else:
                for item in group:
                    if holder.tag == "" and self.source is None and item is not items[0]:
                        self.out.append("" if self._is_route(item[1]) else "\n")
                    yield self._item(item, holder, indent)

    def _is_route(self, value: Value) -> bool:
        """Whether this and the previous statement are routes."""
        return isinstance(value, Node) and value.tag == "ROUTE" and self.out[-1].startswith("ROUTE ")

    def _item(self, item: Item, holder: Node, indent: int) -> _Work:
        key, value, start = item
        pad = "\n" + " " * indent
        if self._is_mine(holder):
            self.flush(start, indent)
            self.out.append(self._blank(start))
        if isinstance(value, Node) and _is_declaration(item):
            self.out.append(f"{pad}{value.tag} {_declaration(value)}")
            inner = value.get("value")
            if inner is None:
                return
            holder, value = value, inner
            self.out.append(" ")
        else:
            self.out.append(pad + (f"{_name(key)} " if key else ""))
        if key and self._is_mine(holder) and self.flush(value.start, indent + 2):
            self.out.append(f"{pad}  ")
        yield self.value(value, indent)
        if self._is_mine(holder):
            self._trail(value.end)

    def _declarations(self, tag: str, items: list[Item], holder: Node, indent: int) -> _Work:
        """``fields [ SFFloat x … ]`` of an Inventor node."""
        pad = "\n" + " " * indent
        self.flush(items[0][2] if self._is_mine(holder) else 0, indent)
        self.out.append(f"{pad}{tag} [")
        for _, node, start in items:
            self.flush(start if self._is_mine(holder) else 0, indent + 2)
            if isinstance(node, Node):
                self.out.append(f"{pad}  {_declaration(node)}")
        yield from ()
        self.out.append(f"{pad}]")

    def _proto(self, node: Node, indent: int) -> _Work:
        pad = "\n" + " " * indent
        outer, self.done = self.done, {}  # a prototype has a name scope of its own
        self.out.append(f"{node.tag} {_name(node.name)} [")
        heads = [item for item in node.items if _is_declaration(item)]
        yield self._items(heads, node, indent + 2)
        rest = [item for item in node.items if not _is_declaration(item)]
        self.flush(rest[0][2] if rest and self._is_mine(node) else 0, indent + 2)
        if node.tag == "EXTERNPROTO":
            self.out.append(f"{pad}] ")
            for _, value, _ in rest[:1]:
                yield self.value(value, indent)
            self.done = outer
            return
        self.out.append(f"{pad}] {{")
        yield self._items(rest, node, indent + 2)
        self.flush(self._end(node), indent + 2)
        self.out.append(f"{pad}}}")
        self.done = outer

    def _fed(self, node: Node, indent: int) -> _Work:
        """Print the value of an ignored or connected field of Inventor."""
        for key, value, _ in node.items:
            if key == "field":
                self.out.append(" . ")
            elif key == "from":
                self.out.append("= ")
            yield self.value(value, indent)
            if key in ("", "value"):
                self.out.append("\n" if self._ends_line(self.out[-1]) else " ")
        if node.tag == "~":
            self.out.append("~")

    def _row(self, row: Row, indent: int) -> _Work:
        pad = "\n" + " " * indent
        if self._is_mask(row):
            self.out.append(f"({' | '.join(v.text for v in row.values if isinstance(v, Word))})")
            return
        texts = [self._word(v) if isinstance(v, Word) else None for v in row.values]
        needs_lines = self.next < len(self.notes) and self.notes[self.next][0] < row.end
        short = [text for text in texts if text is not None]
        needs_lines = needs_lines or any(map(self._ends_line, short))
        if len(short) == len(texts) and not needs_lines and sum(map(len, short)) < _LONGEST_LINE:
            self.out.append(f"[{' '.join(short)}]")
            return
        self.out.append("[")
        for value in row.values:
            self.flush(value.start, indent + 2)
            self.out.append(f"{pad}  ")
            yield self.value(value, indent + 2)
            self._trail(value.end)
        self.flush(row.end, indent + 2)
        self.out.append(f"{pad}]")

    def _is_mask(self, row: Row) -> bool:
        """Whether a list consists of Inventor's flags, which are printed in parentheses."""
        for v in row.values:
            if not isinstance(v, Word) or v.quote or _NO_FLAG.match(v.text):
                return False
        if self.source and 0 <= row.start < len(self.source.text):
            return self.source.text[row.start] == "("
        return self.style.is_inventor and len(row.values) > 0

    def _word(self, word: Word) -> str:
        if not word.quote:
            return word.text if _FALSE_NUMBER.fullmatch(word.text) else _name(word.text, "a word")
        raw = self.source.text[word.start : word.end] if self.source and word.start >= 0 else ""
        if len(raw) < 2 or raw[0] != '"' or raw[-1] != '"' or self.style.unquote(raw[1:-1]) != word.text:
            raw = f'"{self.style.quote(word.text)}"'
        return raw

    def _ends_line(self, text: str) -> bool:
        """Whether a line break must follow: in Inventor, \\" ends a string only at the end of a line."""
        return self.style.is_inventor and text.endswith('\\"')

    def _is_mine(self, node: Node) -> bool:
        """Whether the offsets of a node refer to the source that is printed."""
        return node.source is self.source

    def _end(self, node: Node) -> int:
        return node.end if self._is_mine(node) else 0


def _list_tag(item: Item, holder: Node) -> str:
    """The keyword of the Inventor list that contains a declaration; "" for anything else."""
    value = item[1]
    if not isinstance(value, Node) or not _is_declaration(item) or value.get("value") is not None:
        return ""
    return "" if holder.tag in ("PROTO", "EXTERNPROTO") else _LISTS.get(value.tag, "")


def _is_declaration(item: Item) -> bool:
    """Whether an item is a declaration, not a field with the name "interface"."""
    return item[0] == "interface" and isinstance(item[1], Node) and item[1].word("type") is not None


def _declaration(node: Node) -> str:
    return f"{_name(node.word('type') or '')} {_name(node.name)}"


def _numbers(value: Numbers, indent: int) -> str:
    body = value.body.strip(", \t\r\n")
    if _BREAK.search(body):
        pad = "\n" + " " * (indent + 2)
        body = _BREAK.sub(pad, body)
        return body if not value.form else f"[{pad}{body}\n{' ' * indent}]"
    if not value.form and body:
        return body
    return f"[{body}\n{' ' * indent}]" if _LAST_NOTE.search(body) else f"[{body}]"


def _name(text: str, what: str = "a name") -> str:
    if not re.fullmatch(NAME, text):
        raise ValueError(f"{text!r} cannot be {what} in VRML")
    return text
