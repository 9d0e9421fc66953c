"""What VRML97 and Open Inventor do not share, for the grammar that they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from unibody.text.node import Item, SkippedNode, Value
from unibody.text.vrml.lexer import Patterns
from unibody.text.vrml.skip import Finder

if TYPE_CHECKING:
    from unibody.text.vrml.grammar import Reader

#: Reads what a keyword begins: (reader, start and end of the keyword) → the offset behind.
Statement: TypeAlias = Callable[["Reader", int, int], int]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What VRML97 and Inventor do not share.

    ``skipped`` finds the ends of nodes that are skipped, by their tags; ``read_skipped`` gives the items of
    one when they are asked for. ``undo`` gives the characters of a string as written between
    its quotes; ``keywords`` begin statements; ``odd_item`` and ``odd_value`` read what begins with a
    character that means something in this dialect only: they give the offset behind it, or −1 (None)
    when there is no such thing.
    """

    code: str
    patterns: Patterns
    undo: Callable[[str], str]
    keywords: Mapping[str, Statement]
    bare_children: bool = False
    skipped: Mapping[str, Finder] = field(default_factory=dict)
    read_skipped: Callable[[SkippedNode], list[Item]] = lambda node: []
    odd_item: Callable[[Reader, int], int] = lambda reader, at: -1
    odd_value: Callable[[Reader, int], tuple[Value, int] | None] = lambda reader, at: None
