"""The Format record: a plain value that ties one format's functions together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unibody.document.declare import Document
from unibody.model.robot import Robot
from unibody.text.finding import Findings
from unibody.text.node import Node, Value
from unibody.text.source import Source

if TYPE_CHECKING:
    from unibody.files import Files


@dataclass(slots=True)
class Context:
    """What the functions of a format are given besides the text.

    ``path`` is the file being read; ``load_robot`` reads another model file that this one
    names (by its own format); ``open`` holds the files on the way, to find cycles.
    """

    path: str
    files: Files
    findings: Findings
    load_robot: Callable[[str, Context], Robot | None]
    watch: bool = False
    open: tuple[str, ...] = ()
    arguments: dict[str, str] = field(default_factory=dict)


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
