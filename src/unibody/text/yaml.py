"""YAML to Node and back, through libyaml's events.

Every scalar stays text: no type is guessed, so ``Y``, ``on`` and ``1e-5`` mean what the
format says. Flow lists of plain numbers are one :class:`Numbers`: before parsing, their
brackets become quotes, so that libyaml sees one scalar and every position stays true.
Aliases are one shared object; merge keys stay items (formats expand them).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

import yaml as pyyaml
from yaml import events as ev

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span

try:
    from yaml.cyaml import CParser as _Parser
except ImportError:  # PyYAML built without libyaml: slower, and stricter about tabs
    from yaml import Loader as _Parser  # type: ignore[assignment]

MAX_DEPTH = 1000
MAX_EXPANDED = 1_000_000

_NUMBER_LIST = re.compile(r"(?<=[\s\[,])\[([0-9eE+\-.,\s]*[0-9][0-9eE+\-.,\s]*)\]")
_STANDARD_TAGS = {
    f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "map", "seq", "merge")
}


class _NotLifted(Exception):
    """A lifted list turned out to stand inside another scalar: parse without lifting."""


def parse(source: Source, findings: Findings, anchors: Mapping[str, Value] | None = None) -> Value:
    """The first document of a YAML text; TextError when it is not readable.

    ``anchors`` are anchors of a file that includes this one; they serve as aliases here.
    """
    text = source.text
    lifted = _NUMBER_LIST.sub(lambda m: f'"{m[1]}"', text)
    if lifted != text:
        try:
            trial = Findings()
            value = _Builder(source, trial, anchors or {}).build(lifted)
        except (_NotLifted, TextError):
            pass
        else:
            findings.extend(trial)
            return value
    return _Builder(source, findings, anchors or {}).build(text)


class _Builder:
    """Builds the tree from events with a stack of its own, so depth costs no recursion."""

    def __init__(self, source: Source, findings: Findings, anchors: Mapping[str, Value]) -> None:
        self.source, self.findings = source, findings
        self.outer = anchors
        self.anchors: dict[str, Value] = {}
        self.sizes: dict[int, int] = {}
        self.open: set[str] = set()

    def build(self, text: str) -> Value:
        try:
            return self._build(text)
        except pyyaml.YAMLError as e:
            raise TextError(_syntax(self.source, e)) from None

    def _fail(self, code: str, message: str, start: int, hint: str = "") -> TextError:
        span = Span(self.source, start, min(start + 1, len(self.source.text)))
        return TextError(Finding(code, "error", message, span, hint))

    def _build(self, text: str) -> Value:  # one loop is the fastest and plainest form
        parser = _Parser(text)
        get = parser.get_event
        root: Value | None = None
        # One frame per open collection: the collection, its pending key, start of the key, size.
        stack: list[list[Any]] = []
        lifting = text is not self.source.text
        while True:
            event = get()
            kind = event.__class__
            if kind is ev.ScalarEvent:
                value: Value = self._scalar(event, lifting)
                size = 1
            elif kind is ev.MappingStartEvent or kind is ev.SequenceStartEvent:
                if len(stack) >= MAX_DEPTH:
                    at = event.start_mark.index
                    raise self._fail("nesting-too-deep", f"nesting is too deep (more than {MAX_DEPTH} levels)", at)
                stack.append([self._collection(event), None, 0, 1])
                continue
            elif kind is ev.MappingEndEvent or kind is ev.SequenceEndEvent:
                value, key, _, size = stack.pop()
                value.end = max(event.end_mark.index, value.start) if value.flow else value.end
                if value.name:
                    self.open.discard(value.name)
                    self.sizes[id(value)] = size
            elif kind is ev.AliasEvent:
                value = self._alias(event)
                size = self.sizes.get(id(value), 1)
            elif kind is ev.StreamEndEvent:
                break
            elif kind is ev.DocumentStartEvent and root is not None:
                at = event.start_mark.index
                self.findings.info(
                    "yaml-second-document", "only the first document is read", Span(self.source, at, at + 3)
                )
                break
            else:
                continue
            if not stack:
                root = value
                continue
            self._add(stack[-1], value, size, event)
        if root is None:
            raise self._fail("empty", "the file is empty", 0)
        return root

    def _add(self, frame: list[Any], value: Value, size: int, event: Any) -> None:
        holder, key = frame[0], frame[1]
        frame[3] += size
        if frame[3] > MAX_EXPANDED and event.__class__ is ev.AliasEvent:
            raise self._fail(
                "alias-expansion",
                f"alias expansion gives more than {MAX_EXPANDED} values",
                event.start_mark.index,
                "the file nests aliases of aliases; write the content out or split the file",
            )
        if holder.__class__ is Row:
            holder.values.append(value)
            holder.starts.append(event.start_mark.index)
            holder.end = event.end_mark.index
        elif key is None:
            if value.__class__ is not Word:
                raise self._fail(
                    "yaml-key", "a key must be a single word, not a list or a mapping", event.start_mark.index
                )
            frame[1], frame[2] = value.text, event.start_mark.index  # type: ignore[union-attr]
        else:
            holder.items.append((key, value, frame[2]))
            frame[1] = None
            holder.end = event.end_mark.index

    def _scalar(self, event: Any, lifting: bool) -> Value:
        start, end = event.start_mark.index, event.end_mark.index
        style, value = event.style, event.value
        name = event.anchor or ""
        if event.tag is not None:
            self._tag(event)
        out: Value
        if lifting and style == '"' and self.source.text[end - 1] == "]":
            begin = self.source.text.rfind("[", start, end)
            out = Numbers(self.source.text[begin + 1 : end - 1], begin, end, name)
        else:
            if lifting and '"' in value and style != '"':
                raise _NotLifted
            out = Word(value, start, end, style or "", name)
        if name:
            self._define(name, out, start)
        return out

    def _collection(self, event: Any) -> Node | Row:
        if event.tag is not None:
            self._tag(event)
        name = event.anchor or ""
        start = event.start_mark.index
        out: Node | Row
        if event.__class__ is ev.MappingStartEvent:
            out = Node("", [], self.source, start, start, name, event.flow_style is True)
        else:
            out = Row([], start, start, name, event.flow_style is True)
        if name:
            self._define(name, out, start)
            self.open.add(name)
        return out

    def _define(self, name: str, value: Value, start: int) -> None:
        if name in self.anchors:
            self.findings.error(
                "anchor-duplicate",
                f"anchor '{name}' is defined twice",
                Span(self.source, start, start + len(name) + 1),
                "Choreonoid refuses such a file; give the second anchor a name of its own",
            )
        self.anchors[name] = value

    def _alias(self, event: Any) -> Value:
        name, start = event.anchor, event.start_mark.index
        if name in self.open:
            raise self._fail("alias-recursive", f"alias '*{name}' stands inside its own anchor", start)
        value = self.anchors.get(name) or self.outer.get(name)
        if value is None:
            near = difflib.get_close_matches(name, [*self.anchors, *self.outer], 1)
            hint = f"did you mean *{near[0]}?" if near else "define it with &" + name
            raise self._fail("alias-undefined", f"alias '*{name}' has no anchor before it", start, hint)
        return value

    def _tag(self, event: Any) -> None:
        if event.tag in _STANDARD_TAGS or event.tag == "!":
            return
        at = event.start_mark.index
        raise self._fail(
            "yaml-tag", f"tag '{event.tag}' is not allowed", at, "remove the tag; nothing in a model file needs one"
        )


def anchors(value: Value) -> dict[str, Value]:
    """All anchored values below ``value``, by name."""
    found: dict[str, Value] = {}
    seen: set[int] = set()
    todo = [value]
    while todo:
        v = todo.pop()
        if id(v) in seen:
            continue
        seen.add(id(v))
        if v.name:
            found[v.name] = v
        if isinstance(v, Row):
            todo.extend(v.values)
        elif isinstance(v, Node):
            todo.extend(x for _, x, _ in v.items)
    return found


def _syntax(source: Source, e: Exception) -> Finding:
    """libyaml's complaint as a finding with the place and what to do."""
    mark = getattr(e, "problem_mark", None) or getattr(e, "context_mark", None)
    problem = str(getattr(e, "problem", None) or getattr(e, "reason", None) or e)
    context_mark = getattr(e, "context_mark", None)
    # libyaml's reader errors carry a position instead of a mark
    at = mark.index if mark is not None else min(getattr(e, "position", 0) or 0, len(source.text))
    at = min(at, len(source.text))
    message, hint = problem, ""
    if at < len(source.text) and source.text[at] == "\t":
        message, hint = "a tab cannot be used for indentation", "use spaces"
    elif not source.text[at:].strip():
        message = f"unexpected end of file: {problem}"
        if context_mark is not None and context_mark.index < at:
            message += f" (what is not closed begins in line {context_mark.line + 1})"
    elif getattr(e, "context", None):
        message = f"{e.context}: {problem}"  # type: ignore[attr-defined]
    return Finding("yaml-syntax", "error", message, Span(source, at, min(at + 1, len(source.text))), hint)


# --- printing -------------------------------------------------------------------------

_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n\r\t:#,\[\]{}]*(?<!\s)\Z|-(?:[0-9.][0-9.eE+\-]*)\Z")
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
    printer.value(root, 0, start=0)
    printer.flush(1 << 62, 0)
    return "".join(printer.out).lstrip("\n") + "\n"


class _Printer:
    """Emits values depth first; comments come out before the first item that follows them."""

    def __init__(self, notes: list[tuple[int, str]]) -> None:
        self.out: list[str] = []
        self.notes = notes
        self.next = 0
        self.done: set[int] = set()

    def flush(self, before: int, indent: int) -> bool:
        wrote = False
        while self.next < len(self.notes) and self.notes[self.next][0] < before:
            self.out.append(f"\n{' ' * indent}{self.notes[self.next][1]}")
            self.next += 1
            wrote = True
        return wrote

    def value(self, v: Value, indent: int, start: int) -> None:
        """Print after what has been printed; a stack of generators stands for recursion."""
        stack = [self._block(v, indent, start)]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)

    def _block(self, v: Value, indent: int, start: int) -> Any:
        if v.name and id(v) in self.done:
            self.out.append(f" *{v.name}")
            return
        anchor = f" &{v.name}" if v.name else ""
        if v.name:
            self.done.add(id(v))
        if isinstance(v, Word):
            self.out.append(f"{anchor} {_word(v, indent)}")
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
                yield self._block(value, indent + 2, 0)
        else:
            for key, value, start in v.items:
                self.flush(start, indent)
                self.out.append(f"\n{pad}{_key(key)}:")
                yield self._block(value, indent + 2, 0)

    def _flow(self, v: Row | Node, indent: int) -> Any:
        row = isinstance(v, Row)
        self.out.append(" [" if row else " {")
        count = len(v.values) if isinstance(v, Row) else len(v.items)
        for i in range(count):
            if isinstance(v, Row):
                value, start = v.values[i], _start(v, i, v.values[i])
            else:
                key, value, start = v.items[i]
            if self.flush(start, indent + 2):
                self.out.append("\n" + " " * (indent + 2))
            if not row:
                self.out.append(f" {_key(key)}:")
            yield self._flow_value(value, indent + 2)
            if i + 1 < count:
                self.out.append(",")
        if v.end > 0 and self.flush(v.end, indent + 2):
            self.out.append("\n" + " " * indent)
        self.out.append(" ]" if row else " }")

    def _flow_value(self, v: Value, indent: int) -> Any:
        if isinstance(v, Row | Node) and not v.flow:
            v = _as_flow(v)
        yield self._block(v, indent, 0)


def _as_flow(v: Row | Node) -> Row | Node:
    if isinstance(v, Row):
        return Row(v.values, v.start, v.end, v.name, True, v.starts)
    return Node(v.tag, v.items, v.source, v.start, v.end, v.name, True)


def _start(row: Row, i: int, value: Value) -> int:
    return row.starts[i] if i < len(row.starts) else value.start


def _key(key: str) -> str:
    return key if _PLAIN.match(key) else _quoted(key)


def _word(v: Word, indent: int) -> str:
    if v.quote == "|" and v.text.endswith("\n") and v.text[:1] not in (" ", "\n") and v.text[-2:-1] != "\n":
        if not re.search(r"[^\x20-\x7e\n\x85\xa0-\ud7ff\ue000-\ufffd]", v.text):
            body = v.text[:-1].split("\n")
            return "|\n" + "\n".join(" " * indent + line if line else "" for line in body)
    if not v.text:
        return "''" if v.quote else ""
    if v.quote in ("", "'") and _PLAIN.match(v.text) and v.quote == "":
        return v.text
    if v.quote == "'" and v.text.isprintable():
        return "'" + v.text.replace("'", "''") + "'"
    return _quoted(v.text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    out = "".join(c if c.isprintable() else _escape(c) for c in escaped)
    return f'"{out}"'


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _numbers(v: Numbers) -> str:
    return "[" + ", ".join(v.words()) + "]"
