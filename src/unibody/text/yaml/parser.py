"""Parses YAML through libyaml's events, and prints it.

Scalars are text: no type is guessed, so that the format decides about ``Y``, ``on`` and ``1e-5``. A flow
list of plain numbers is one :class:`Numbers`: before parsing, its brackets become quotes, so that
libyaml sees one scalar, and offsets do not change. Aliases are shared objects; merge keys are items,
which the formats expand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import yaml as pyyaml
from yaml import events as ev

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import Guard, LimitError, meter_of
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.shared import NO_ITEMS
from unibody.text.source import Source, Span
from unibody.text.yaml.printer import comments, print_yaml

__all__ = ["Anchors", "anchors", "comments", "parse", "print_yaml"]

try:
    _Parser: Any = pyyaml.CBaseLoader
except AttributeError:  # PyYAML built without libyaml: slower, and stricter about tabs
    _Parser = pyyaml.BaseLoader

# Minimum length of a value: "a,".
_LEAST = 2

# Deterministic up to the first digit: an unclosed list takes linear, not quadratic time.
_NUMBER_LIST = re.compile(r"(?<=[\s\[,])\[([eE+\-.,\s]*[0-9][0-9eE+\-.,\s]*)\]")
_VALUES = {ev.ScalarEvent, ev.AliasEvent, ev.MappingStartEvent, ev.SequenceStartEvent}
_GAP = re.compile(r",\s*,")
_STANDARD_TAGS = {
    f"tag:yaml.org,2002:{t}" for t in ("str", "int", "float", "bool", "null", "map", "seq", "merge")
}


class _NotLifted(Exception):
    """A lifted list is inside another scalar; parse without lifting."""


def parse(source: Source, findings: Findings, anchors: Mapping[str, Value] | None = None) -> Value:
    """Parse the first document of a YAML text; TextError if it is invalid.

    ``anchors`` are those of an including file; aliases may refer to them.
    """
    text = source.text
    lifted = _NUMBER_LIST.sub(_lift, text)
    if lifted != text:
        try:
            trial = Findings()
            value = _Builder(source, trial, anchors or {}).build(lifted)
        except LimitError:
            raise
        except (_NotLifted, TextError):
            pass
        else:
            findings.extend(trial)
            return value
    return _Builder(source, findings, anchors or {}).build(text)


def _lift(found: re.Match[str]) -> str:
    # libyaml reports an empty item between two commas
    body = found[1]
    return found[0] if _GAP.search(body) or body.lstrip().startswith(",") else f'"{body}"'


class _Builder:
    """Builds the tree from events with an explicit stack instead of recursion."""

    def __init__(self, source: Source, findings: Findings, anchors: Mapping[str, Value]) -> None:
        self.source, self.findings = source, findings
        self.outer = anchors
        self.anchors: dict[str, Value] = {}
        self.sizes: dict[int, int] = {}
        self.events = 0
        self.open: set[str] = set()
        self.guard = meter_of(source).guard(source, _LEAST)
        self.limits = self.guard.meter.limits

    def build(self, text: str) -> Value:
        try:
            return self.guard.done(self._build(text))
        except pyyaml.YAMLError as e:
            raise TextError(yaml_finding(self.source, e)) from None

    def _fail(self, code: str, message: str, start: int, hint: str = "") -> TextError:
        span = Span(self.source, start, min(start + 1, len(self.source.text)))
        return TextError(Finding(code, "error", message, span, hint))

    def _build(self, text: str) -> Value:  # a single loop is fastest
        parser = _Parser(text)
        get: Callable[[], Any] = parser.get_event
        if self.guard.tight:
            get = _counting(get, self.guard)
        deepest = self.limits.depth
        root: Value | None = None
        # One frame per open collection: the collection, its pending key, start of the key, size.
        stack: list[list[Any]] = []
        lifting = text is not self.source.text
        while True:
            event = get()
            kind: Any = event.__class__
            self.events += 1
            if kind is ev.ScalarEvent:
                text = event.value
                is_plain = not event.style and not event.anchor and event.tag is None
                if stack and is_plain and not (lifting and '"' in text):
                    # the usual scalar, as by _scalar and _add; it takes no part in the limit of aliases
                    frame = stack[-1]
                    frame[3] += 1
                    holder, key, key_start, _ = frame
                    start = event.start_mark.index
                    if holder.__class__ is Row:
                        holder.end = event.end_mark.index
                        holder.values.append(Word(text, start, holder.end))
                        holder.starts.append(start)
                    elif key is None:
                        frame[1], frame[2] = text, start
                    else:
                        holder.end = event.end_mark.index
                        holder.items.append((key, Word(text, start, holder.end), key_start))
                        frame[1] = None
                    continue
                value: Any = self._scalar(event, lifting)
                size = 1
            elif kind is ev.MappingStartEvent or kind is ev.SequenceStartEvent:
                if len(stack) >= deepest:
                    at = event.start_mark.index
                    raise self.limits.met("depth", "nesting is too deep", Span(self.source, at, at + 1))
                stack.append([self._collection(event), None, 0, 1])
                continue
            elif kind is ev.MappingEndEvent or kind is ev.SequenceEndEvent:
                value, _, _, size = stack.pop()
                if size == 1:
                    _share(value)
                if value.flow:
                    value.end = event.end_mark.index
                if value.name:
                    self.open.discard(value.name)
                    self.sizes[id(value)] = size
            elif kind is ev.AliasEvent:
                value = self._alias(event)
                size = self._size(value)
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
        # The values of the text itself are not part of the expansion.
        if frame[3] > self.limits.aliases + self.events:
            at = event.start_mark.index
            what = f"alias expansion adds {frame[3] - self.events} values"
            raise self.limits.met("aliases", what, Span(self.source, at, at + 1))
        if event.__class__ is ev.AliasEvent or value.__class__ is Numbers:
            start, end = event.start_mark.index, event.end_mark.index
        else:
            # The end of a block is only seen at the next token, behind the comments that follow. And the
            # numbers that a word has need no twins.
            start, end = value.start, value.end
        if holder.__class__ is Row:
            holder.values.append(value)
            holder.starts.append(start)
            holder.end = end
        elif key is None:
            if value.__class__ is not Word:
                raise self._fail(
                    "yaml-key",
                    "a key must be a single word, not a list or a mapping",
                    start,
                )
            frame[1], frame[2] = value.text, start
        else:
            holder.items.append((key, value, frame[2]))
            frame[1] = None
            holder.end = end

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
            out = Row([], start, start, name, event.flow_style is True, [])
        if name:
            self._define(name, out, start)
            self.open.add(name)
        return out

    def _define(self, name: str, value: Value, start: int) -> None:
        if name in self.anchors:
            self.findings.error(
                "anchor-duplicate",
                f"duplicate anchor '{name}'",
                Span(self.source, start, start + len(name) + 1),
                "rename the second anchor; Choreonoid rejects the file",
            )
        self.anchors[name] = value

    def _alias(self, event: Any) -> Value:
        name, start = event.anchor, event.start_mark.index
        if name in self.open:
            raise self._fail("alias-recursive", f"alias '*{name}' is inside its own anchor", start)
        value = self.anchors.get(name)
        if value is None:
            value = self.outer.get(name)
        if value is None:
            alike = near(name, [*self.anchors, *self.outer])
            hint = did_you_mean(alike and f"*{alike}", "define it with &" + name)
            raise self._fail("alias-undefined", f"undefined alias '*{name}'", start, hint)
        return value

    def _size(self, value: Value) -> int:
        """The number of values of an alias, with all its aliases expanded."""
        known = self.sizes.get(id(value))
        if known is not None or not isinstance(value, Row | Node):
            return known or 1
        # An anchor of the including file: counted once, inner values first.
        todo: list[tuple[Row | Node, bool]] = [(value, False)]
        while todo:
            v, ready = todo.pop()
            inner = [x for x in _inner(v) if isinstance(x, Row | Node)]
            if ready:
                plain = len(_inner(v)) - len(inner)
                self.sizes[id(v)] = 1 + plain + sum(self.sizes[id(x)] for x in inner)
            elif id(v) not in self.sizes:
                todo.append((v, True))
                todo.extend((x, False) for x in inner)
        return self.sizes[id(value)]

    def _tag(self, event: Any) -> None:
        """Report a tag that is not of YAML itself; no value depends on a tag."""
        if event.tag in _STANDARD_TAGS or event.tag == "!":
            return
        at = event.start_mark.index
        self.findings.warning(
            "yaml-tag",
            f"tag '{event.tag}' is ignored",
            Span(self.source, at, min(at + 1, len(self.source.text))),
            "remove the tag",
        )


def _counting(get: Callable[[], Any], guard: Guard) -> Callable[[], Any]:
    """A function that returns the next event and counts values."""

    def counting() -> Any:
        event = get()
        kind: Any = event.__class__
        if kind in _VALUES:
            guard.step(lambda: int(event.start_mark.index))
        return event

    return counting


def _share(value: Row | Node) -> None:
    """Replace the list of an empty collection by the shared one."""
    if isinstance(value, Node):
        value.items = NO_ITEMS
    else:
        value.values = value.starts = NO_ITEMS


def _inner(value: Value) -> Sequence[Value]:
    if isinstance(value, Node):
        return [inner for _, inner, _ in value.items]
    return value.values if isinstance(value, Row) else ()


class Anchors(Mapping[str, Value]):
    """All anchored values in a value, by name; searched for when one is first needed."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._found: dict[str, Value] | None = None

    def _all(self) -> dict[str, Value]:
        if self._found is None:
            self._found = anchors(self._value)
        return self._found

    def __getitem__(self, name: str) -> Value:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def anchors(value: Value) -> dict[str, Value]:
    """All anchored values in ``value``, by name."""
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
        todo.extend(x for x in _inner(v) if x.name or _inner(x))
    return found


#: libyaml from 0.2.6 stops at 1000 levels, whatever the limit here; it reads ahead, and so it stops first.
_LIBYAML_DEPTH = "exceeded maximum nesting depth"


def yaml_finding(source: Source, e: Exception) -> Finding:
    """The finding for an error of libyaml."""
    mark = getattr(e, "problem_mark", None) or getattr(e, "context_mark", None)
    problem = str(getattr(e, "problem", None) or getattr(e, "reason", None) or e)
    context_mark = getattr(e, "context_mark", None)
    # libyaml's reader errors carry a position instead of a mark
    at = mark.index if mark is not None else min(getattr(e, "position", 0) or 0, len(source.text))
    at = min(at, len(source.text))
    message, hint = problem, ""
    if problem == _LIBYAML_DEPTH:
        message = "nesting is too deep: YAML is read to 1000 levels"
        hint = "unfold the nested lists and mappings"
    elif at < len(source.text) and source.text[at] == "\t":
        message, hint = "a tab cannot be used for indentation", "use spaces"
    elif not source.text[at:].strip():
        message = f"unexpected end of file: {problem}"
        if context_mark is not None and context_mark.index < at:
            message += f" (unclosed since line {context_mark.line + 1})"
    elif getattr(e, "context", None):
        message = f"{e.context}: {problem}"  # type: ignore[attr-defined]
    code = "nesting-too-deep" if problem == _LIBYAML_DEPTH else "yaml-syntax"
    return Finding(code, "error", message, Span(source, at, min(at + 1, len(source.text))), hint)
