"""Resource limits of reading a model, and the meter that counts what a load uses."""

from __future__ import annotations

import math
import re
import sys
import time
from _thread import get_ident
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, fields, replace
from typing import Any, TypeVar

import numpy as np

from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, TextError
from unibody.text.near import suggestion
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span

T = TypeVar("T")
#: The match of a compiled pattern: (text, offset).
Match = Callable[[str, int], "re.Match[str] | None"]

_UNITS = {"k": 1e3, "M": 1e6, "G": 1e9}

# Steps of a guarded loop between two checks of the time limit.
_CHECK_INTERVAL = 4096


# Limits that end the whole load, not only the reading of one file.
_LOAD_LIMITS = ("total_bytes", "nodes", "parts", "numbers", "seconds", "work")
# A model may have one part for this many bytes of text; real files have more bytes per part.
_BYTES_PER_PART = 16
# So many characters of a name that a reader makes of others count as a value.
_PER_VALUE = 64


class LimitError(TextError):
    """A limit of the whole load is exceeded: nothing more is read."""


def _limit(default: float, unit: str, code: str, what: str) -> Any:
    return field(default=default, metadata={"unit": unit, "code": code, "what": what})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLimits:
    """Resource limits of one load; real models are far below the defaults (docs/limits.md).

    >>> ReadLimits(nodes=1000).nodes
    1000
    >>> ReadLimits.of(["nodes=2e6", "seconds=inf"]).seconds
    inf
    """

    file_bytes: int = _limit(512 * 2**20, "bytes", "file-too-large", "one file, also after decompression")
    total_bytes: int = _limit(
        2 * 2**30, "bytes", "load-too-large", "all files of one load together, meshes included"
    )
    depth: int = _limit(1000, "levels", "nesting-too-deep", "nested elements, lists or braces")
    nodes: int = _limit(
        500_000,
        "values",
        "too-many-nodes",
        "elements, attributes, keys and list entries of a model with its includes, aliases, USE and PROTO "
        "expanded (a word of a .rob file counts twice, a name that gets a prefix or suffix once more for "
        "every 64 characters); for a mesh file, its own",
    )
    parts: int = _limit(
        16_000,
        "parts",
        "too-many-nodes",
        "links, joints, shapes and other objects of the model, beyond one for every 16 bytes of text",
    )
    findings: int = _limit(
        10_000,
        "findings",
        "findings-left-out",
        "findings of one load; twice as many errors",
    )
    includes: int = _limit(32, "files", "include-too-deep", "depth of files that include one another")
    aliases: int = _limit(
        200_000, "values", "alias-expansion", "values that the aliases of a YAML file add when expanded"
    )
    entities: int = _limit(
        0,
        "characters",
        "xml-entity",
        "expansion of the entities declared in a DOCTYPE; external ones are never read",
    )
    numbers: int = _limit(50_000_000, "numbers", "list-too-long", "numbers in one list")
    pixels: int = _limit(64_000_000, "pixels", "image-too-large", "one image")
    triangles: int = _limit(20_000_000, "triangles", "mesh-too-large", "one mesh file, instances expanded")
    seconds: float = _limit(300.0, "s", "load-too-long", "processor time of one load, meshes included")
    work: int = _limit(
        10_000_000,
        "µs, roughly",
        "model-too-large",
        "work of expanding a model: includes, instances, tracks, pairs of links; xacro gets 30 % of it",
    )

    @classmethod
    def of(cls, settings: Iterable[str]) -> ReadLimits:
        """The default limits with some changed, each as NAME=VALUE; ValueError for invalid settings.

        A value is a number such as 2e6 or 2M (k, M, G), or inf for no limit.
        """
        given: dict[str, float] = {}
        for setting in settings:
            name, _, text = setting.partition("=")
            name = name.strip().replace("-", "_")
            if name not in LIMITS:
                hint = suggestion(name, LIMITS, f"choose from {', '.join(LIMITS)}")
                raise ValueError(f"unknown limit '{name}'{hint}")
            given[name] = _value(name, text.strip())
        return replace(DEFAULT, **given)  # type: ignore[arg-type]

    @classmethod
    def unlimited(cls) -> ReadLimits:
        """No limits except on depth, for text that unibody wrote itself."""
        return cls.of(f"{name}=inf" for name in LIMITS if name != "depth")

    def finding(self, name: str, what: str, at: Span | None = None) -> Finding:
        """The error for an exceeded limit, with a hint on raising it; ``what`` exceeded it."""
        limit, entry = getattr(self, name), LIMITS[name]
        unit = entry["unit"].partition(",")[0]
        message = f"{what}, which exceeds the limit '{name}' of {limit:.15g} {unit}"
        return Finding(entry["code"], "error", message, at, how_to_raise(name))

    def met(self, name: str, what: str, at: Span | None = None) -> TextError:
        """The exception for an exceeded limit; a LimitError if it ends the load."""
        return (LimitError if name in _LOAD_LIMITS else TextError)(self.finding(name, what, at))


#: Each limit's unit, finding code and description, by name.
LIMITS: dict[str, Any] = {f.name: f.metadata for f in fields(ReadLimits)}
DEFAULT = ReadLimits()


def how_to_raise(name: str) -> str:
    """The hint on raising a limit."""
    from unibody.text.hint import Hint, Setting

    return Hint("if you trust the file, raise the limit with ", Setting("limit", name, blank="…"))


def _value(name: str, text: str) -> float:
    factor = _UNITS.get(text[-1:], 1.0)
    try:
        value = float(text[:-1] if factor != 1.0 else text) * factor
    except ValueError:
        value = math.nan
    if not value >= 0.0:
        raise ValueError(
            f"limit '{name}' must be a number of at least 0, such as 2e6, or inf, not {text!r}"
        )
    if isinstance(getattr(DEFAULT, name), float):
        return value
    return int(min(value, sys.maxsize))


# Up to this wall time in s, it stands for the processor time, whose clock is slow to query.
_SHORT = 0.02


class Meter:
    """Resources used by one load: values, bytes, processor time of the thread, opened files.

    ``missed`` are the paths at which a file was looked for that is nowhere, ``packages`` the folders of
    packages that were asked for by name; the value tells whether links in one may lead out.

    A text too short to exceed a limit is parsed at full speed; its values are counted only if several
    such texts together might exceed it.
    """

    __slots__ = (
        *("_pending", "_pending_most", "_since", "_thread", "_wall"),
        *("bytes", "limits", "missed", "nodes", "opened", "packages", "parts", "spent"),
    )

    def __init__(self, limits: ReadLimits = DEFAULT) -> None:
        self.limits = limits
        self.begin()

    def begin(self) -> None:
        """Start a new load."""
        self.nodes = self.bytes = self.parts = 0
        self.opened: set[str] = set()
        self.missed: set[str] = set()
        self.packages: dict[str, bool] = {}
        self.spent, self._since, self._wall, self._thread = 0.0, 0.0, 0.0, 0
        # trees that are not counted yet, and the most values that they can have together
        self._pending: list[Value] = []
        self._pending_most = 0

    def end_text(self) -> None:
        """Forget the counted values, which are no longer in memory."""
        self.nodes = self.parts = self._pending_most = 0
        self._pending.clear()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time spent within this context."""
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
        """Whether time is being counted."""
        return self._thread != 0

    def taken(self) -> float:
        """Processor time of the load so far, in s."""
        # other threads have their own clocks
        here = self._thread == get_ident()
        return self.spent + (time.thread_time() - self._since if here else 0.0)

    def look(self, at: Span | None = None) -> None:
        """Check the time limit; LimitError if it is exceeded."""
        # wall time bounds processor time, and is a hundred times as fast to query
        if self.spent + time.monotonic() - self._wall <= self.limits.seconds:
            return
        taken = self.taken()
        if taken > self.limits.seconds:
            raise self.limits.met("seconds", f"reading has taken {taken:.1f} s", at)

    def take_bytes(self, count: int, what: str, at: Span | None = None) -> None:
        """Count bytes that were read; LimitError if a limit on bytes or time is exceeded."""
        self.bytes += count
        if self.bytes > self.limits.total_bytes:
            raise self.limits.met("total_bytes", f"with {what} the load has {self.bytes} bytes", at)
        self.look(at)

    def take_nodes(self, count: int, at: Callable[[], Span | None] = lambda: None) -> None:
        """Count values; LimitError at the place ``at()`` if there are too many."""
        self.nodes += count
        if self.nodes > self.limits.nodes:
            raise self.limits.met("nodes", f"the model has {self.nodes} elements and values so far", at())

    def take_name(self, characters: int, at: Callable[[], Span | None] = lambda: None) -> None:
        """Count a name that is made of others, before it is made; short ones are free."""
        if characters >= _PER_VALUE:
            self.take_nodes(characters // _PER_VALUE, at)

    def take_parts(self, count: int, at: Span) -> None:
        """Count objects of the model; LimitError if there are too many for the size of the text."""
        self.parts += count
        beyond = self.beyond(at)
        if beyond > self.limits.parts:
            every = f"one for every {_BYTES_PER_PART} bytes of text"
            what = f"the model has {self.parts} parts so far, {beyond} beyond {every}"
            raise self.limits.met("parts", what, at)

    def beyond(self, at: Span) -> int:
        """Number of parts in excess of one for every 16 bytes of text."""
        # a text that was not read from a file has no counted bytes
        return self.parts - max(self.bytes, len(at.source.text)) // _BYTES_PER_PART

    def guard(
        self, source: Source, least: int, weight: int = 1, most_in: Callable[[str], int] | None = None
    ) -> Guard:
        """The guard for parsing a text in which a value takes at least ``least`` characters.

        ``weight`` is the count of each value. ``most_in`` returns a closer bound on the number of values
        in a text that might exceed the limit.
        """
        most = len(source.text) * weight // least + 1
        if most_in is not None and self._pending_most + self.nodes + most > self.limits.nodes:
            most = min(most, most_in(source.text) * weight)
        if self._pending_most + self.nodes + most > self.limits.nodes:
            for tree in self._pending:
                self.nodes += values_in(tree)
            self._pending.clear()
            self._pending_most = 0
        return Guard(self, source, most)


class Guard:
    """Counts the values while one text is parsed; ``tight`` if it could exceed the limit."""

    def __init__(self, meter: Meter, source: Source, most: int) -> None:
        self.meter, self.source, self.most = meter, source, most
        limits = meter.limits
        self.tight = meter.nodes + most > limits.nodes
        self.lists = len(source.text) // 2 + 1 > limits.numbers
        self.count = 0
        meter.look(Span(source, 0, 1))

    def step(self, at: Callable[[], int], count: int = 1) -> None:
        """Count values of a tight text; ``at()`` is the current offset."""
        self.count += count
        meter = self.meter
        if self.count + meter.nodes > meter.limits.nodes:
            meter.take_nodes(self.count, lambda: self._place(at()))
        if self.count % _CHECK_INTERVAL < max(count, 1) and meter.taken() > meter.limits.seconds:
            meter.look(self._place(at()))

    def counted(self, match: Match) -> Match:
        """The match method of a pattern, counting each match if the text is tight."""
        if not self.tight:
            return match

        # nothing else counts while a text is parsed: the limit cannot be reached in fewer matches
        left = self.meter.limits.nodes - self.meter.nodes

        def counting(text: str, at: int) -> re.Match[str] | None:
            self.count = count = self.count + 1
            if count > left or count % _CHECK_INTERVAL == 0:
                self.step(lambda: at, 0)
            return match(text, at)

        return counting

    def _place(self, at: int) -> Span:
        at = max(0, min(at, len(self.source.text) - 1))
        return Span(self.source, at, at + 1)

    def done(self, tree: T) -> T:
        """Finish parsing and return the tree; LimitError if it has too long a number list."""
        if self.tight:
            self.meter.nodes += self.count
        else:
            self.meter._pending.append(tree)  # type: ignore[arg-type]
            self.meter._pending_most += self.most
        if self.lists:
            check_lists(tree, self.source, self.meter.limits)  # type: ignore[arg-type]
        return tree


def meter_of(source: Source) -> Meter:
    """The meter of the load that a text belongs to, or a new one."""
    return source.meter if source.meter is not None else Meter()


def values_in(value: Value) -> int:
    """Number of values in a tree, without nodes that are not parsed yet."""
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
    """LimitError for a number list that is too long."""
    todo, seen = [tree], set[int]()
    while todo:
        v = todo.pop()
        if isinstance(v, Row | Node) and id(v) not in seen:
            seen.add(id(v))
            todo += v.values if isinstance(v, Row) else [inner for _, inner, _ in _items(v)]
        text = v.body if isinstance(v, Numbers) else v.text if isinstance(v, Word) else ""
        if len(text) // 2 + 1 > limits.numbers and (count := words_in(text)) > limits.numbers:
            start = max(v.start, 0)
            raise limits.met("numbers", f"the list has {count} numbers", Span(source, start, start + 1))


def words_in(text: str) -> int:
    """Number of words in a text separated by white space and commas.

    >>> words_in("1 2,3, -4e5\\n")
    4
    """
    codes = np.frombuffer(text.encode("latin-1", "replace"), np.uint8)
    inside = (codes > 32) & (codes != 44)
    return int(inside[:1].sum() + (inside[1:] & ~inside[:-1]).sum())


def _items(node: Node) -> list[Any]:
    try:
        found: list[Any] = object.__getattribute__(node, "items")
    except AttributeError:  # not parsed yet
        return []
    return found
