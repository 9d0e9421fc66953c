"""The Format record: a plain value that ties one format's functions together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from unibody.document.declare import Document
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.model.shape import Shape, Texture
from unibody.text.finding import Findings
from unibody.text.limits import Meter
from unibody.text.node import Node, Value
from unibody.text.source import Source, Span

if TYPE_CHECKING:
    from unibody.files.access import Files


# How much work is done between two looks at the clock.
_OFTEN = 20_000


class Budget:
    """How much one reading may still make of what its files say, shared by all of them.

    A few files that name one another twice, or a track of thousands of links with rules for
    every pair, stand for more than any machine holds. Counted in about microseconds of work.
    """

    def __init__(self, meter: Meter | None = None) -> None:
        self.meter = meter if meter is not None else Meter()
        self.left = self.meter.limits.work
        self._made = 0
        # each thing made costs some ten
        self._often = min(_OFTEN, 10 * self.meter.limits.nodes)
        self._next = max(self.left - self._often, 0)

    def spend(self, cost: int, at: Span | None = None) -> None:
        """Take from what is left for one more thing made; LimitError when nothing is, or time is up."""
        self.left -= cost
        self._made += 1
        if self.left < self._next:
            self._look(at)

    def _look(self, at: Span | None) -> None:
        if self.left < 0:
            what = "the model is too large: its files, tracks, links, elements and pairs multiply"
            raise self.meter.limits.met("work", what, at)
        self.meter.take_nodes(self._made, lambda: at)
        self.meter.look(at)
        self._made, self._next = 0, max(self.left - self._often, 0)


@dataclass(slots=True)
class Context:
    """What the functions of a format are given besides the text.

    ``path`` is the file being read; ``load_robot`` reads another model file that this one
    names (by its own format); ``open`` holds the files on the way, to find cycles;
    ``budget`` ends what would take too long or too much memory; ``documents`` collects all
    that was bound, of this file and of those it names; ``scene`` is where a reader of several
    robots leaves them; ``plain`` leaves out what a file carries beside what its format can say.
    """

    path: str
    files: Files
    findings: Findings
    load_robot: Callable[[str, Context], Robot | None]
    watch: bool = False
    open: tuple[str, ...] = ()
    arguments: dict[str, str] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)
    scene: Scene | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Cannot:
    """One thing that a format cannot say: what it is called, which facts it changes, and why.

    ``path`` is a path of ``facts`` where * stands for one part of it and a last ** for any rest;
    ``when`` narrows it down by the value before and the value after, ``of`` by the joint, shape, link,
    device or loop that it is a fact of. Rows of several formats with the same ``what`` stand in one
    line of the page of capabilities. ``number`` names the number of the proof that is another one then:
    "mass", "inertia", "limits" or "bounds".
    """

    what: str
    path: str
    why: str
    when: Callable[[Any, Any], bool] | None = None
    of: Callable[[Any], bool] | None = None
    number: str = ""


class Stock(Protocol):
    """The files beside a written model, for a format that puts its shapes into files of its own."""

    def put(self, data: bytes, name: str, suffix: str) -> str:
        """Plan a file, and give its path; one of the same content serves again."""
        ...

    def uri(self, path: str) -> str:
        """What the model calls a file."""
        ...

    def beside(self, path: str) -> str:
        """What a file that was put calls another one."""
        ...

    def image(self, texture: Texture) -> str:
        """The name of an image as a file that was put calls it, "" without a file."""
        ...

    def texture(self, texture: Texture) -> Texture:
        """An image file as the model itself calls it."""
        ...

    def kept(self, shape: Shape) -> bool:
        """Whether a shape goes into the document as it is, when its mesh file is there."""
        ...

    def meshes(self, shape: Shape) -> tuple[Shape, ...]:
        """A shape as triangles, one Mesh for each of its looks."""
        ...


@dataclass(frozen=True, slots=True)
class Writing:
    """How a format is written: a robot's document, and what may go into it.

    ``changes`` brings a robot to what the format knows, ``from_robot`` makes its document, ``tag`` is
    the root element's, ``carry`` puts lines of text into the document's own place for extensions.
    Shapes that it does not hold (``holds``) become mesh files; of these its readers open ``meshes``.
    ``arrange`` may put the items of the finished tree in the order that people expect. A format that
    has no shapes but in files of its own, or that takes no mesh files, says in ``models`` what it makes
    of them. ``packages`` says that its readers know names that begin with package://.
    """

    suffix: str
    changes: Callable[[Robot], Robot]
    from_robot: Callable[[Robot], Document]
    carry: Callable[[Document, list[str]], None]
    cannot: tuple[Cannot, ...]
    holds: Callable[[Shape], bool]
    meshes: tuple[str, ...]
    tag: str = ""
    arrange: Callable[[Node], None] = lambda _: None
    models: Callable[[Robot, Stock], Robot] | None = None
    packages: bool = False


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: its name, what it is called, its file suffixes, and its functions.

    ``parse``: text → Node; ``expand``: sugar undone; ``bind``: Node → Document;
    ``to_robot``: Document → Robot, or None when the document describes none;
    ``print``: Node → text with everything but white space kept; ``writing`` imports how a robot is
    written, None for a format that is only read.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    parse: Callable[[Source, Context], Value]
    expand: Callable[[Value, Context], Node]
    bind: Callable[[Node, Context], Document]
    to_robot: Callable[[Document, Context], Robot | None]
    print: Callable[[Value, Source | None], str]
    writing: Callable[[], Writing] | None = None
