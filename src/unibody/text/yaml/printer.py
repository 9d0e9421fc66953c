"""Prints YAML trees; everything but white space is kept, including comments and anchors."""

from __future__ import annotations

import re
from typing import Any

from unibody.text.node import Node, Numbers, Row, Value, Word, values
from unibody.text.source import Source
from unibody.text.trailing import current, gap
from unibody.text.yaml.lines import as_written, number_rows

# Characters that a plain scalar cannot contain: line breaks of YAML 1.1, and invalid ones.
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN = re.compile(
    rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`{_ODD}][^:#,\[\]{{}}{_ODD}]*(?<!\s)\Z|-(?:[0-9.][0-9.eE+\-]*)\Z"
)
# Limit on keys without "?" (in bytes, with a margin), up to which YAML searches for the colon.
_LONGEST_KEY = 250
_ODD_CHARACTER = re.compile(f"[{_ODD}]")
_BREAK = re.compile(r"[\r\n]")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n|\r[ \t]*\r")
_DASH = re.compile(r"(?<!\S)#[^\r\n]*|(?<!\S)-(?!\S)")
_QUOTED = re.compile(r"'(?:[^'\r\n]|'')*'|\"(?:[^\"\\\r\n]|\\.)*\"")
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")
# Text between the last word of a block and a comment after it.
_NOTHING = re.compile(r"[\s:]*(?:[&*!]\S*\s*)*")
_BEGIN = re.compile(r"^(?:%.*|---(?!\S))", re.M)
_END = re.compile(r"^\.\.\.(?=(?:\s|#.*)*\Z)", re.M)
_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\r\n]*", re.M)


def comments(root: Value, source: Source) -> list[tuple[int, str]]:
    """All comments as (offset, text); searches the gaps between scalars."""
    text = source.text
    out: list[tuple[int, str]] = []
    at = 0
    for start, end in [*sorted(_scalar_spans(root)), (len(text), len(text))]:
        if start > at and text.find("#", at, start) >= 0:
            out.extend((m.start(), m[0].rstrip()) for m in _COMMENT.finditer(text, at, start))
        at = max(at, end)
    return out


def _scalar_spans(root: Value) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for v in values(root):
        if isinstance(v, Node):
            spans += [(start, start + len(key)) for key, _, start in v.items if start >= 0]
        elif not isinstance(v, Row) and v.start >= 0:
            spans.append((v.start, v.end))
    return spans


def _notes(root: Value, source: Source) -> list[tuple[int, str]]:
    """All comments, directives and document markers."""
    text, spans = source.text, _scalar_spans(root)
    first = min((start for start, _ in spans), default=0)
    last = max((end for _, end in spans), default=0)
    marks = [(m.start(), m[0].rstrip()) for m in _BEGIN.finditer(text, 0, first)]
    end = _END.search(text, last)
    return sorted([*comments(root, source), *marks, *([(end.start(), "...")] if end else [])])


def print_yaml(root: Value, source: Source | None = None) -> str:
    """Print a tree; with its source, comments, anchors and the spelling of scalars are kept.

    The text reads back to the same tree; only white space may differ. The lines of lists, empty lines
    between groups and trailing comments are kept.
    """
    printer = _Printer(root, source)
    printer.value(root)
    printer.flush(1 << 62, 0)
    return "".join(printer.out).lstrip("\n") + "\n"


class _Printer:
    """Prints values depth first; comments are printed before the item that follows them."""

    def __init__(self, root: Value, source: Source | None) -> None:
        self.out: list[str] = []
        self.text = source.text if source else ""
        self.notes = _notes(root, source) if source else []
        self.next = 0
        # The offset in the source up to which has been printed.
        self.at = 0
        # The length of the output after the last block scalar, and after one that keeps empty lines.
        self.block = self.kept = -1
        self.is_bare = self.is_inline = False
        # Anchored values by id; the references prevent reuse of the ids.
        self.done: dict[int, Value] = {}

    def flush(self, before: int, indent: int) -> bool:
        """Print the comments before an offset; whether there were any."""
        wrote = False
        while self.next < len(self.notes) and self.notes[self.next][0] < before:
            self._note(indent)
            wrote = True
        return wrote

    def _note(self, indent: int) -> None:
        at, note = self.notes[self.next]
        if self._shares_line(at):
            self.out.append(gap(self.text, at, self.out) + note)
        else:
            self.out.append(f"{self._blank(at)}\n{' ' * indent}{note}")
        self.next += 1
        self.at = max(self.at, at + len(note))

    def _shares_line(self, at: int) -> bool:
        """Whether a comment is on the line of the text printed last."""
        is_open = self.out and self.block != len(self.out)
        return bool(is_open and not _BREAK.search(self.text, self.at, at))

    def _blank(self, at: int) -> str:
        """An extra line break if there is an empty line before an offset in the source."""
        is_free = self.out and self.kept != len(self.out)
        return "\n" if is_free and _EMPTY_LINE.search(self.text, self.at, max(at, 0)) else ""

    def _tail(self, indent: int, column: int) -> None:
        """Print the comments after the last item of a block that are indented like its items."""
        while self.next < len(self.notes):
            at = self.notes[self.next][0]
            if not _NOTHING.fullmatch(self.text, self.at, at):
                return
            if not self._shares_line(at) and self._column(at) < column:
                return
            self._note(indent)

    def _column(self, at: int) -> int:
        return at - self.text.rfind("\n", 0, max(at, 0)) - 1 if self.text else 0

    def value(self, v: Value) -> None:
        """Print a value, with a stack of generators instead of recursion."""
        if self.text and isinstance(v, Row | Node) and v.flow and self.flush(v.start, 0):
            self.out.append("\n")
            self.is_bare = True
        stack = [self._block(v, 0, -1)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)

    def _put(self, text: str) -> None:
        """Print a word, after a blank except after a bracket or at the start of a line."""
        self.out.append(text if self.is_bare else f" {text}")
        self.is_bare = False

    def _block(self, v: Value, indent: int, column: int, in_flow: bool = False) -> Any:
        """Print a value on lines at ``indent``; ``column`` is that of its key or dash in the source."""
        if v.name and id(v) in self.done:
            self._put(f"*{v.name}")
            return
        if v.name:
            self._put(f"&{v.name}")
            self.done[id(v)] = v
        if isinstance(v, Word):
            self._scalar(v, indent, in_flow)
        elif isinstance(v, Numbers):
            self._put(self._numbers(v, indent))
            self.at = max(self.at, v.end)
        elif (isinstance(v, Row) and not v.values) or (isinstance(v, Node) and not v.items):
            self._put("[]" if isinstance(v, Row) else "{}")
            self.at = max(self.at, v.end)
        elif v.flow:
            yield self._flow(v, indent)
        elif isinstance(v, Row):
            yield self._list(v, indent, column)
        else:
            yield self._mapping(v, indent, column)

    def _scalar(self, v: Word, indent: int, in_flow: bool) -> None:
        shown, end = None, v.end
        # A scalar from outside of brackets may be invalid inside.
        fits = not in_flow or v.quote in ("'", '"') or (v.quote == "" and _PLAIN.match(v.text))
        if self.text and 0 <= v.start < v.end and fits:
            raw = self.text[v.start : v.end]
            shown = as_written(v, raw, indent)
            end = v.start + len(raw.rstrip())
        if shown is None:
            shown = _flow_word(v) if in_flow else _word(v, indent)
        self._put(shown)
        if shown[:1] in ("|", ">") and "\n" in shown:
            self.block = len(self.out)
            self.kept = self.block if "+" in shown[:3] else -1
        self.at = max(self.at, end)

    def _list(self, v: Row, indent: int, outer: int) -> Any:
        column = -1
        for i, value in enumerate(v.values):
            start = _start(v, i, value)
            dash = self._dash(start)
            at = start if dash < 0 else dash
            self._begin(at, indent)
            self._put("-")
            self.at = max(self.at, dash + 1)
            column = self._column(at) if column < 0 else column
            self.is_inline = self._stays_inline(value, dash, start)
            yield self._block(value, indent + 2, column)
        # Behind a list that stands as deep as its key, what does so is of the key's block.
        self._tail(indent, max(column, outer + 1))

    def _mapping(self, v: Node, indent: int, outer: int) -> Any:
        column = -1
        for key, value, start in v.items:
            self._begin(start, indent)
            self._key(key, start, "\n" + " " * indent)
            column = self._column(start) if column < 0 else column
            yield self._block(value, indent + 2, column)
        self._tail(indent, column)

    def _begin(self, at: int, indent: int) -> None:
        """Go to where an item begins: the next line, or behind the dash."""
        inline, self.is_inline = self.is_inline, False
        if self.flush(at, indent) or not inline:
            self.out.append(f"{self._blank(at)}\n{' ' * indent}")
            self.is_bare = True

    def _dash(self, before: int) -> int:
        """Where the dash of a list's next item stands in the source; −1 without one."""
        found = _DASH.finditer(self.text, self.at, max(before, 0))
        return next((m.start() for m in found if m[0] == "-"), -1)

    def _stays_inline(self, v: Value, dash: int, start: int) -> bool:
        """Whether the first item of an inner block stands behind the dash."""
        if not isinstance(v, Row | Node) or v.flow or v.name or not (v.items if isinstance(v, Node) else v):
            return False
        return dash >= 0 and not _BREAK.search(self.text, dash, max(start, 0))

    def _key(self, key: str, start: int, gap: str) -> None:
        """A key as it was written, or as it is to be."""
        raw = _QUOTED.match(self.text, start) if self.text and start >= 0 else None
        if raw and as_written(Word(key, quote=raw[0][0]), raw[0], 2) and len(raw[0]) <= _LONGEST_KEY:
            self._put(f"{raw[0]}:")
        else:
            self._put(f"{_key(key, gap)}:")
        self.at = max(self.at, raw.end() if raw else start + len(key))

    def _flow(self, v: Row | Node, indent: int) -> Any:
        opened, closed = ("[", "]") if isinstance(v, Row) else ("{", "}")
        bracket = self._bracket(v, opened)
        is_long = bracket >= 0 and bool(_BREAK.search(self.text, bracket, v.end))
        is_padded = bracket < 0 or self.text[bracket + 1].isspace()
        shift = self._column_now() - self._column(bracket) if is_long else 0
        self._put(opened)
        self.at = max(self.at, bracket + 1)
        self.is_bare = not is_padded
        starts = [at for *_, at in v.items] if isinstance(v, Node) else _starts(v)
        if is_long and _BREAK.search(self.text, bracket, max(starts[0], 0)):
            shift = indent - min(filter(None, map(self._indented, starts)), default=0)
        for i, at in enumerate(starts):
            if self.flush(at, indent) or (is_long and _BREAK.search(self.text, self.at, max(at, 0))):
                inside = is_long and self._column(at) + shift >= indent
                self.out.append("\n" + " " * (self._column(at) + shift if inside else indent))
                self.is_bare = True
            elif is_long and i:
                self.out.append(" " * (_blanks_before(self.text, at) - 1))
            value = v.values[i] if isinstance(v, Row) else v.items[i][1]
            if isinstance(v, Node):
                self._key(v.items[i][0], at, " ")
            elif isinstance(value, Word) and not (value.text or value.quote or value.name):
                value = Word("", quote="'")  # between commas nothing is no value
            yield self._flow_value(value, indent + 2)
            if i + 1 < len(starts):
                self.out.append(",")
        self._close(v.end if bracket >= 0 else -1, closed, indent, None if is_long else is_padded)

    def _close(self, end: int, closed: str, indent: int, is_padded: bool | None) -> None:
        """A closing bracket; ``end`` is where it ends in the source, which may say if it is padded."""
        self.is_bare = not is_padded
        if end >= 0:
            if self.flush(end, indent) or _BREAK.search(self.text, self.at, end):
                self.out.append("\n" + " " * max(indent - 2, 0))
                self.is_bare = True
            elif is_padded is None:
                self.is_bare = not self.text[end - 2].isspace()
            self.at = max(self.at, end)
        self._put(closed)

    def _bracket(self, v: Row | Node, opened: str) -> int:
        """Where a list or mapping opens in the source; −1 where it has no bracket."""
        found = _PROPERTIES.match(self.text, v.start) if self.text and v.start >= 0 else None
        return found.end() if found and self.text.startswith(opened, found.end()) else -1

    def _indented(self, at: int) -> int:
        """The column of what begins a line; 0 for anything else."""
        blanks = _blanks_before(self.text, at)
        return blanks if self.text[at - blanks - 1 : at - blanks] == "\n" else 0

    def _column_now(self) -> int:
        """The column of the word that is printed next."""
        return len(current(self.out)) + (not self.is_bare)

    def _numbers(self, v: Numbers, indent: int) -> str:
        opened, closed = ("[ ", " ]") if v.body.startswith(" ") else ("[", "]")
        if "\n" not in v.body or v.start < 0 or not self.text.startswith("[", v.start):
            return f"{opened}{', '.join(v.words())}{closed}"
        first, second = v.body.split("\n")[:2]
        is_below = first.strip() and len(second) - len(second.lstrip()) > self._column(v.start)
        shift = self._column_now() - self._column(v.start) if is_below else None
        return number_rows(v, shift, indent)

    def _flow_value(self, v: Value, indent: int) -> Any:
        if isinstance(v, Row | Node) and not v.flow and id(v) not in self.done:
            if v.name:
                self.done[id(v)] = v
                self._put(f"&{v.name}")
            v = _as_flow(v)
        yield self._block(v, indent, -1, in_flow=True)


def _blanks_before(text: str, at: int) -> int:
    """How many blanks stand before an offset."""
    start = at
    while start > 0 and text[start - 1] == " ":
        start -= 1
    return at - start


def _as_flow(v: Row | Node) -> Row | Node:
    """The same for the inside of brackets; its anchor has been written."""
    if isinstance(v, Row):
        return Row(v.values, v.start, v.end, "", True, v.starts)
    return Node(v.tag, v.items, v.source, v.start, v.end, "", True)


def _starts(row: Row) -> list[int]:
    return [_start(row, i, value) for i, value in enumerate(row.values)]


def _start(row: Row, i: int, value: Value) -> int:
    return row.starts[i] if i < len(row.starts) else value.start


def _key(key: str, gap: str) -> str:
    """A key; ``gap`` stands between a long one, which YAML wants marked, and its colon."""
    text = key if _PLAIN.match(key) else _quoted(key)
    return text if len(text) <= _LONGEST_KEY else f"? {text}{gap}"


def _word(v: Word, indent: int) -> str:
    if v.quote == "|" and _literal(v.text):
        body = v.text[:-1].split("\n")
        return "|\n" + "\n".join(" " * indent + line if line else "" for line in body)
    if not v.text:
        return "''" if v.quote else ""
    if v.quote in ("", "'") and _PLAIN.match(v.text) and v.quote == "":
        return v.text
    if v.quote == "'" and v.text.isprintable():
        return "'" + v.text.replace("'", "''") + "'"
    return _quoted(v.text)


def _flow_word(v: Word) -> str:
    """Inside brackets no literal block can stand."""
    return _quoted(v.text) if v.quote == "|" else _word(v, 0)


def _literal(text: str) -> bool:
    """Whether a text can stand as a literal block that ends with one line break."""
    whole = text.endswith("\n") and text[:1] not in (" ", "\n") and text[-2:-1] != "\n"
    return whole and not _ODD_CHARACTER.search(text.replace("\n", ""))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    out = "".join(c if c.isprintable() else _escape(c) for c in escaped)
    return f'"{out}"'


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
