"""The differences between VRML97 and Open Inventor, for their common grammar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from unibody.text.dataclass import dataclass
from unibody.text.node import Item, SkippedNode, Value
from unibody.text.vrml.lexer import Patterns
from unibody.text.vrml.skip import Finder

if TYPE_CHECKING:
    from unibody.text.vrml.grammar import Reader

#: Reads a statement: (reader, start and end of its keyword) → the offset after it.
Statement: TypeAlias = Callable[["Reader", int, int], int]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A dialect of the grammar.

    ``skipped``: functions that find the ends of nodes to be skipped, by tag; ``read_skipped`` parses the
    items of one on demand. ``undo`` unescapes the text between the quotes of a string; ``keywords`` are
    the statements; ``odd_item`` and ``odd_value`` read constructs that start with a special character of
    the dialect, and return the offset after it, or −1 (None) if there is none. ``unread`` are the nodes
    that the original loaders skip up to their closing brace, ``between`` the statements that they read
    among the nodes of a list; with ``first_brace`` unread nodes end at the first closing brace even if the
    brackets match. ``ends_at_stray``: a file ends, without an error, at a character outside of any node
    that begins no statement.
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
    unread: frozenset[str] = frozenset()
    between: frozenset[str] = frozenset()
    first_brace: bool = False
    ends_at_stray: bool = False
