"""How much reading a model may take, and the meter that a load keeps of it."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from threading import get_ident
from typing import Any, TypeVar

import numpy as np

from unibody.text.finding import Finding, TextError
from unibody.text.near import near
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span

T = TypeVar("T")
#: The match of a compiled pattern: (text, offset).
Match = Callable[[str, int], "re.Match[str] | None"]

_UNITS = {"k": 1e3, "M": 1e6, "G": 1e9}

# How often a guarded loop looks at the clock, in steps.
_OFTEN = 4096


# What ends the load, not only the reading of one file.
_OF_ALL = ("total_bytes", "nodes", "parts", "numbers", "seconds", "work")
# So many bytes of text may stand for each part of a model: files that people and programs write have more.
_BYTES_OF_A_PART = 16


class LimitError(TextError):
    """A limit of the whole load that is met: nothing more is read."""


def _limit(default: float, unit: str, code: str, what: str) -> Any:
    return field(default=default, metadata={"unit": unit, "code": code, "what": what})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """What one load may take; no real model comes near the defaults (docs/limits.md).

    >>> ReadLimits(nodes=1000).nodes
    1000
    >>> ReadLimits.of(["nodes=2e6", "seconds=inf"]).seconds
    inf
    """

    file_bytes: int = _limit(
        512 * 2**20, "bytes", "file-too-large", "one file, and what a packed file unpacks to"
    )
    total_bytes: int = _limit(
        2 * 2**30, "bytes", "load-too-large", "all files of one load together, meshes too"
    )
    depth: int = _limit(1000, "levels", "nesting-too-deep", "elements, lists or braces in one another")
    nodes: int = _limit(
        500_000,
        "values",
        "too-many-nodes",
        "elements, attributes, keys and entries of lists in a model with all that it includes, what "
        "aliases, USE and PROTO stand for too (a word of a .rob file counts twice); of a mesh file, for "
        "itself",
    )
    parts: int = _limit(
        16_000,
        "parts",
        "too-many-nodes",
        "links, joints, shapes and whatever else has fields, beyond one for every 16 bytes of text",
    )
    findings: int = _limit(
        10_000,
        "findings",
        "findings-left-out",
        "findings of one load; of errors twice as many",
    )
    includes: int = _limit(32, "files", "include-too-deep", "files that are read for one another")
    aliases: int = _limit(
        200_000, "values", "alias-expansion", "what the aliases of a YAML file add, written out"
    )
    entities: int = _limit(
        0,
        "characters",
        "xml-entity",
        "what the entities that a DOCTYPE declares stand for in a file; external ones are never read",
    )
    numbers: int = _limit(50_000_000, "numbers", "list-too-long", "numbers in one list")
    pixels: int = _limit(64_000_000, "pixels", "image-too-large", "one image")
    triangles: int = _limit(20_000_000, "triangles", "mesh-too-large", "one mesh file, unfolded")
    seconds: float = _limit(300.0, "s", "load-too-long", "processor time of one load, meshes too")
    work: int = _limit(
        10_000_000,
        "µs, about",
        "model-too-large",
        "what is made of a model by unfolding it: includes, instances, tracks, pairs of links; xacro has "
        "three tenths of it",
    )

    @classmethod
    def of(cls, settings: Iterable[str]) -> ReadLimits:
        """The usual limits but for some, each as NAME=VALUE; ValueError says what is wrong.

        A value is a number, also 2e6 or 2M (k, M, G), or inf for no limit.
        """
        given: dict[str, float] = {}
        for setting in settings:
            name, _, text = setting.partition("=")
            name = name.strip().replace("-", "_")
            if name not in LIMITS:
                alike = near(name, LIMITS)
                hint = f"did you mean '{alike}'?" if alike else f"the limits are {', '.join(LIMITS)}"
                raise ValueError(f"'{name}' is no limit; {hint}")
            given[name] = _value(name, text.strip())
        return replace(DEFAULT, **given)  # type: ignore[arg-type]

    @classmethod
    def unlimited(cls) -> ReadLimits:
        """No limit at all but on depth, for text that this program made itself."""
        return cls.of(f"{name}=inf" for name in LIMITS if name != "depth")

    def finding(self, name: str, what: str, at: Span | None = None) -> Finding:
        """The error for a limit that is met: what met it, the limit, and how it is raised."""
        limit, entry = getattr(self, name), LIMITS[name]
        unit = entry["unit"].partition(",")[0]
        message = f"{what}: more than {limit:.15g} {unit}, the limit '{name}'"
        return Finding(entry["code"], "error", message, at, how_to_raise(name))

    def met(self, name: str, what: str, at: Span | None = None) -> TextError:
        """The same, to be raised; a LimitError when it ends the load."""
        return (LimitError if name in _OF_ALL else TextError)(self.finding(name, what, at))


#: Each limit's unit, finding code and description, by name.
LIMITS: dict[str, Any] = {f.name: f.metadata for f in fields(ReadLimits)}
DEFAULT = ReadLimits()


def how_to_raise(name: str) -> str:
    """The hint of a finding about a limit."""
    return f"if the file is to be trusted, raise the limit: --limit {name}=…, or ReadLimits({name}=…)"


def _value(name: str, text: str) -> float:
    factor = _UNITS.get(text[-1:], 1.0)
    try:
        value = float(text[:-1] if factor != 1.0 else text) * factor
    except ValueError:
        value = math.nan
    if not value >= 0.0:
        raise ValueError(f"limit '{name}' is {text!r}: it must be a number from 0 up, like 2e6, or inf")
    if isinstance(getattr(DEFAULT, name), float):
        return value
    return int(min(value, sys.maxsize))


# So many seconds on the wall are taken for processor time: the processor's clock is slow to ask.
_SHORT = 0.02


class Meter:
    """What one load has taken so far: values, bytes, seconds of this thread's own time, which files.

    A text that cannot hold too much by its length alone is read at full speed, and what it holds is
    counted only when many such texts together might be too much.
    """

    __slots__ = (
        *("_pending", "_since", "_thread", "_wall"),
        *("bytes", "limits", "nodes", "opened", "parts", "spent"),
    )

    def __init__(self, limits: ReadLimits = DEFAULT) -> None:
        self.limits = limits
        self.begin()

    def begin(self) -> None:
        """Begin a new load."""
        self.nodes = self.bytes = self.parts = 0
        self.opened: set[str] = set()
        self.spent, self._since, self._wall, self._thread = 0.0, 0.0, 0.0, 0
        self._pending: list[tuple[Value, int]] = []

    def end_text(self) -> None:
        """Nothing of what was counted is held any longer."""
        self.nodes = self.parts = 0
        self._pending.clear()

    @contextmanager
    def running(self) -> Iterator[None]:
        """The time within counts."""
        if self._thread:
            yield
            return
        self._since, self._wall, self._thread = time.thread_time(), time.monotonic(), get_ident()
        try:
            yield
        finally:
            elapsed = time.monotonic() - self._wall
            self.spent += elapsed if elapsed < _SHORT else time.thread_time() - self._since
            self._thread = 0

    @property
    def is_running(self) -> bool:
        """Whether time counts now."""
        return self._thread != 0

    def taken(self) -> float:
        """Seconds so far."""
        # another thread has a clock of its own
        here = self._thread == get_ident()
        return self.spent + (time.thread_time() - self._since if here else 0.0)

    def look(self, at: Span | None = None) -> None:
        """LimitError when the time is up."""
        # the clock on the wall never says less, and is asked a hundred times as fast
        if self.spent + time.monotonic() - self._wall <= self.limits.seconds:
            return
        taken = self.taken()
        if taken > self.limits.seconds:
            raise self.limits.met("seconds", f"reading has taken {taken:.1f} s", at)

    def take_bytes(self, count: int, what: str, at: Span | None = None) -> None:
        """Count bytes that were read; LimitError when they are too many, or the time is up."""
        self.bytes += count
        if self.bytes > self.limits.total_bytes:
            raise self.limits.met("total_bytes", f"with {what} the load has {self.bytes} bytes", at)
        self.look(at)

    def take_nodes(self, count: int, at: Callable[[], Span | None] = lambda: None) -> None:
        """Count values that were made; LimitError, with the place ``at`` gives, when they are too many."""
        self.nodes += count
        if self.nodes > self.limits.nodes:
            raise self.limits.met("nodes", f"the model has {self.nodes} elements and values so far", at())

    def take_parts(self, count: int, at: Span) -> None:
        """Count parts of the model that were made; LimitError when there are too many for the text."""
        self.parts += count
        beyond = self.beyond(at)
        if beyond > self.limits.parts:
            every = f"one for every {_BYTES_OF_A_PART} bytes of text"
            what = f"the model has {self.parts} parts so far, {beyond} beyond {every}"
            raise self.limits.met("parts", what, at)

    def beyond(self, at: Span) -> int:
        """How many parts there are beyond one for every so many bytes of text."""
        # a text alone was read by no meter
        return self.parts - max(self.bytes, len(at.source.text)) // _BYTES_OF_A_PART

    def guard(self, source: Source, least: int, weight: int = 1) -> Guard:
        """The guard for reading a text each of whose values takes at least so many characters.

        ``weight`` says for how many each of them counts.
        """
        most = len(source.text) * weight // least + 1
        if sum(n for _, n in self._pending) + self.nodes + most > self.limits.nodes:
            for tree, _ in self._pending:
                self.nodes += values_in(tree)
            self._pending.clear()
        return Guard(self, source, most)


class Guard:
    """Watches over the reading of one text; ``tight`` says that it may hold too many values."""

    def __init__(self, meter: Meter, source: Source, most: int) -> None:
        self.meter, self.source, self.most = meter, source, most
        limits = meter.limits
        self.tight = meter.nodes + most > limits.nodes
        self.lists = len(source.text) // 2 + 1 > limits.numbers
        self.count = 0
        meter.look(Span(source, 0, 1))

    def step(self, at: Callable[[], int], count: int = 1) -> None:
        """Count values, of a text that is tight; ``at`` gives the offset that is reached."""
        self.count += count
        meter = self.meter
        if self.count + meter.nodes > meter.limits.nodes:
            meter.take_nodes(self.count, lambda: self._place(at()))
        if self.count % _OFTEN < count and meter.taken() > meter.limits.seconds:
            meter.look(self._place(at()))

    def counted(self, match: Match) -> Match:
        """The match of a pattern; each is counted in a text that is tight."""
        if not self.tight:
            return match

        def counting(text: str, at: int) -> re.Match[str] | None:
            self.step(lambda: at)
            return match(text, at)

        return counting

    def _place(self, at: int) -> Span:
        at = max(0, min(at, len(self.source.text) - 1))
        return Span(self.source, at, at + 1)

    def done(self, tree: T) -> T:
        """The tree that was read; LimitError for too long a list in it."""
        if self.tight:
            self.meter.nodes += self.count
        else:
            self.meter._pending.append((tree, self.most))  # type: ignore[arg-type]
        if self.lists:
            check_lists(tree, self.source, self.meter.limits)  # type: ignore[arg-type]
        return tree


def meter_of(source: Source) -> Meter:
    """The meter of the load that a text is read for; a fresh one for a text alone."""
    return source.meter if source.meter is not None else Meter()


def values_in(value: Value) -> int:
    """How many values a tree holds, those of nodes that are still to be read left out."""
    count, seen, todo = 0, set[int](), [value]
    while todo:
        v = todo.pop()
        count += 1
        if id(v) in seen:
            continue
        if isinstance(v, Row):
            seen.add(id(v))
            todo += v.values
        elif isinstance(v, Node):
            seen.add(id(v))
            todo += [inner for _, inner, _ in _items(v)]
    return count


def check_lists(tree: Value, source: Source, limits: ReadLimits) -> None:
    """LimitError for a list of numbers that is too long."""
    todo, seen = [tree], set[int]()
    while todo:
        v = todo.pop()
        if isinstance(v, Row | Node) and id(v) not in seen:
            seen.add(id(v))
            todo += v.values if isinstance(v, Row) else [inner for _, inner, _ in _items(v)]
        text = v.body if isinstance(v, Numbers) else v.text if isinstance(v, Word) else ""
        if len(text) // 2 + 1 > limits.numbers and (count := words_in(text)) > limits.numbers:
            start = max(v.start, 0)
            raise limits.met("numbers", f"this list has {count} numbers", Span(source, start, start + 1))


def words_in(text: str) -> int:
    """How many words white space and commas part a text into.

    >>> words_in("1 2,3, -4e5\\n")
    4
    """
    codes = np.frombuffer(text.encode("latin-1", "replace"), np.uint8)
    inside = (codes > 32) & (codes != 44)
    return int(inside[:1].sum() + (inside[1:] & ~inside[:-1]).sum())


def _items(node: Node) -> list[Any]:
    try:
        found: list[Any] = object.__getattribute__(node, "items")
    except AttributeError:  # it is read when somebody asks
        return []
    return found
