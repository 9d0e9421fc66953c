"""Source files as syntax trees, and the imports in them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

from unibody.text.collector import without_collector


class Imported(NamedTuple):
    """An import, at the top of a file or inside a function, and whether it is made at run time."""

    node: ast.Import | ast.ImportFrom
    at_run_time: bool


def tree(path: Path) -> ast.Module:
    """The syntax tree of a file; the trees of all sources are too large to be kept."""
    with without_collector():
        return ast.parse(path.read_text("utf-8"))


@cache
def imports(path: Path) -> tuple[Imported, ...]:
    """All imports of a file; those under TYPE_CHECKING are not made at run time."""
    out = []
    todo: list[tuple[ast.AST, bool]] = [(tree(path), True)]
    while todo:
        node, at_run_time = todo.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            out.append(Imported(node, at_run_time))
        guards = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        # Only statements have statements in them.
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, part, [])
            if isinstance(inner, list):
                todo += [(one, at_run_time and not (guards and part == "body")) for one in inner]
    return tuple(sorted(out, key=lambda one: one.node.lineno))
