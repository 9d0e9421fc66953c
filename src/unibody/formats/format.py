"""The Format record: a plain value that ties one format's functions together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unibody.document.declare import Document
from unibody.model.robot import Robot
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, Value
from unibody.text.source import Source, Span

if TYPE_CHECKING:
    from unibody.files import Files


class Budget:
    """How much one reading may still make of what its files say, shared by all of them.

    A few files that name one another twice, or a track of thousands of links with rules for
    every pair, stand for more than any machine holds. Counted in about microseconds of work.
    """

    def __init__(self, left: int = 10_000_000) -> None:
        self.left = left

    def spend(self, cost: int, at: Span | None = None) -> None:
        """Take from what is left; TextError (``model-too-large``) when nothing is."""
        self.left -= cost
        if self.left < 0:
            message = "the model is too large: its files, tracks, links, elements and pairs multiply"
            hint = "does a file name itself through others, many times over?"
            raise TextError(Finding("model-too-large", "error", message, at, hint))


@dataclass(slots=True)
class Context:
    """What the functions of a format are given besides the text.

    ``path`` is the file being read; ``load_robot`` reads another model file that this one
    names (by its own format); ``open`` holds the files on the way, to find cycles;
    ``budget`` ends what would take too long or too much memory; ``documents`` collects all
    that was bound, of this file and of those it names.
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


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: its name, what it is called, its file suffixes, and its functions.

    ``parse``: text → Node; ``expand``: sugar undone; ``bind``: Node → Document;
    ``to_robot``: Document → Robot, or None when the document describes none;
    ``print``: Node → text with everything but white space kept.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    parse: Callable[[Source, Context], Value]
    expand: Callable[[Value, Context], Node]
    bind: Callable[[Node, Context], Document]
    to_robot: Callable[[Document, Context], Robot | None]
    print: Callable[[Value, Source | None], str]
