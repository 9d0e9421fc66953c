"""YAML trees as text: everything but white space is kept, comments and anchors too."""

from __future__ import annotations

import re
from typing import Any

from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source

# No plain scalar holds what YAML 1.1 takes for a line break, nor what it refuses to read.
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_PLAIN = re.compile(
    rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`{_ODD}][^:#,\[\]{{}}{_ODD}]*(?<!\s)\Z|-(?:[0-9.][0-9.eE+\-]*)\Z"
)
# YAML looks so far for the colon of a key that is not marked by "?" (in bytes, with a margin).
_LONGEST_KEY = 250
_ODD_CHARACTER = re.compile(f"[{_ODD}]")
_COMMENT = re.compile(r"(?:(?<=\s)|^)#[^\r\n]*", re.M)


def comments(root: Value, source: Source) -> list[tuple[int, str]]:
    """All comments as (offset, text), found in the gaps between scalars."""
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
    seen: set[int] = set()
    todo = [root]
    while todo:
        v = todo.pop()
        if isinstance(v, Row | Node):
            if id(v) in seen:
                continue
            seen.add(id(v))
        if isinstance(v, Row):
            todo.extend(v.values)
        elif isinstance(v, Node):
            for key, value, start in v.items:
                if start >= 0:
                    spans.append((start, start + len(key)))
                todo.append(value)
        elif v.start >= 0:
            spans.append((v.start, v.end))
    return spans


def print_yaml(root: Value, source: Source | None = None) -> str:
    """The text of a tree; with its source, all its comments and anchors too.

    Reading the result gives the same tree: only white space may differ.
    """
    printer = _Printer(comments(root, source) if source else [])
    printer.value(root)
    printer.flush(1 << 62, 0)
    return "".join(printer.out).lstrip("\n") + "\n"


class _Printer:
    """Emits values depth first; comments come out before the first item that follows them."""

    def __init__(self, notes: list[tuple[int, str]]) -> None:
        self.out: list[str] = []
        self.notes = notes
        self.next = 0
        # Anchored values by identity; holding them keeps their ids from being used again.
        self.done: dict[int, Value] = {}

    def flush(self, before: int, indent: int) -> bool:
        wrote = False
        while self.next < len(self.notes) and self.notes[self.next][0] < before:
            self.out.append(f"\n{' ' * indent}{self.notes[self.next][1]}")
            self.next += 1
            wrote = True
        return wrote

    def value(self, v: Value) -> None:
        """Print after what has been printed; a stack of generators stands for recursion."""
        stack = [self._block(v, 0)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)

    def _block(self, v: Value, indent: int, in_flow: bool = False) -> Any:
        if v.name and id(v) in self.done:
            self.out.append(f" *{v.name}")
            return
        anchor = f" &{v.name}" if v.name else ""
        if v.name:
            self.done[id(v)] = v
        if isinstance(v, Word):
            self.out.append(f"{anchor} {_flow_word(v) if in_flow else _word(v, indent)}")
        elif isinstance(v, Numbers):
            self.out.append(f"{anchor} {_numbers(v)}")
        elif (isinstance(v, Row) and not v.values) or (isinstance(v, Node) and not v.items):
            self.out.append(f"{anchor} {'[]' if isinstance(v, Row) else '{}'}")
        elif v.flow:
            self.out.append(anchor)
            yield self._flow(v, indent)
        else:
            self.out.append(anchor)
            yield self._items(v, indent)

    def _items(self, v: Row | Node, indent: int) -> Any:
        pad = " " * indent
        if isinstance(v, Row):
            for i, value in enumerate(v.values):
                self.flush(_start(v, i, value), indent)
                self.out.append(f"\n{pad}-")
                yield self._block(value, indent + 2)
        else:
            for key, value, start in v.items:
                self.flush(start, indent)
                self.out.append(f"\n{pad}{_key(key, chr(10) + pad)}:")
                yield self._block(value, indent + 2)

    def _flow(self, v: Row | Node, indent: int) -> Any:
        row = isinstance(v, Row)
        self.out.append(" [" if row else " {")
        count = len(v.values) if isinstance(v, Row) else len(v.items)
        for i in range(count):
            if isinstance(v, Row):
                value, start = v.values[i], _start(v, i, v.values[i])
                if isinstance(value, Word) and not (value.text or value.quote or value.name):
                    # between commas nothing is no value
                    value = Word("", quote="'")
            else:
                key, value, start = v.items[i]
            if self.flush(start, indent + 2):
                self.out.append("\n" + " " * (indent + 2))
            if not row:
                self.out.append(f" {_key(key, ' ')}:")
            yield self._flow_value(value, indent + 2)
            if i + 1 < count:
                self.out.append(",")
        if v.end > 0 and self.flush(v.end, indent + 2):
            self.out.append("\n" + " " * indent)
        self.out.append(" ]" if row else " }")

    def _flow_value(self, v: Value, indent: int) -> Any:
        if isinstance(v, Row | Node) and not v.flow and id(v) not in self.done:
            if v.name:
                self.done[id(v)] = v
            v = _as_flow(v)
        yield self._block(v, indent, in_flow=True)


def _as_flow(v: Row | Node) -> Row | Node:
    if isinstance(v, Row):
        return Row(v.values, v.start, v.end, v.name, True, v.starts)
    return Node(v.tag, v.items, v.source, v.start, v.end, v.name, True)


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


def _numbers(v: Numbers) -> str:
    return "[" + ", ".join(v.words()) + "]"
