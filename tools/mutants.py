"""Try whether the tests notice small faults: python tools/mutants.py [--seed N] [--count N] [--dry-run]

Draws faults at random in the packages of ``PACKAGES``: a statement becomes ``pass``, or one comparison or
one sign is flipped. Each is put into a copy of the tree and judged by the package's own tests, and a
survivor of these by all that are not slow. Docstrings, imports, annotations and messages are left alone.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("collision", "planning", "bridges", "simulation", "formats/srdf", "formats/mjcf")
# A test run that takes longer than this has been made endless by its fault, in s.
PATIENCE = 540.0

_FLIPPED = {
    ast.Lt: ">=", ast.GtE: "<", ast.Gt: "<=", ast.LtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_SIGNS = {ast.Add: "-", ast.Sub: "+"}
_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Return,
    ast.Raise,
    ast.Delete,
    ast.Continue,
)
# Calls whose arguments are texts for people.
_MESSAGES = ("error", "warning", "info", "note", "complain", "emit")


@dataclass(frozen=True)
class Mutant:
    """A fault: the characters from ``start`` to ``end`` of a file, and what replaces them."""

    path: Path
    start: int
    end: int
    text: str
    line: int

    def apply(self, source: str) -> str:
        """The source with the fault."""
        return source[: self.start] + self.text + source[self.end :]

    def describe(self, source: str) -> str:
        """The place, the text and its replacement, in one line."""
        line = source.splitlines()[self.line - 1].strip()
        old = source[self.start : self.end].strip().splitlines()[0]
        place = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{place}: {old} -> {self.text.strip()}" + ("" if line.startswith(old) else f"   in: {line}")


def mutants(path: Path) -> Iterator[Mutant]:
    """All faults of a file."""
    source = path.read_text("utf-8")
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def offset(line: int, column: int) -> int:
        start = lines[line - 1]
        return start + len(source[start:].encode("utf-8")[:column].decode("utf-8", "ignore"))

    def fault(node: ast.expr | ast.stmt, text: str, end: tuple[int, int] | None = None) -> Mutant:
        stop = end or (node.end_lineno or 0, node.end_col_offset or 0)
        return Mutant(path, offset(node.lineno, node.col_offset), offset(*stop), text, node.lineno)

    def between(left: ast.expr, right: ast.expr, text: str) -> Mutant:
        start, end = (
            offset(left.end_lineno or 0, left.end_col_offset or 0),
            offset(right.lineno, right.col_offset),
        )
        # A parenthesis before or behind the operator stays.
        gap = source[start:end]
        head, tail = gap[: len(gap) - len(gap.lstrip(") \n"))], gap[len(gap.rstrip("( \n")) :]
        return Mutant(path, start, end, f"{head or ' '}{text}{tail or ' '}", left.end_lineno or 0)

    def visit(node: ast.AST, inside: bool) -> Iterator[Mutant]:
        if isinstance(node, ast.FunctionDef):
            inside = True
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            for statement in body:
                # The end of a function returns None anyway.
                if statement is not node.body[-1] or ast.unparse(statement) not in (
                    "return",
                    "return None",
                ):
                    yield from visit(statement, inside)
            return
        if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
            return
        if inside and isinstance(node, _SIMPLE):
            yield fault(node, "pass")
        if inside and isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield between(node.left, node.comparators[0], _FLIPPED[type(node.ops[0])])
        if inside and isinstance(node, ast.BinOp) and type(node.op) in _SIGNS and not _is_text(node):
            yield between(node.left, node.right, _SIGNS[type(node.op)])
        if inside and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield fault(node, "+", (node.lineno, node.col_offset + 1))
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _is_message(node)):
            return
        if isinstance(node, ast.AnnAssign):
            children: Sequence[ast.AST] = [] if node.value is None else [node.value]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            children = []
        else:
            children = list(ast.iter_child_nodes(node))
        for child in children:
            yield from visit(child, inside)

    yield from visit(ast.parse(source), False)


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(x, ast.JoinedStr) or _is_string(x) for x in (node.left, node.right))


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_message(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in _MESSAGES


def drawn(seed: int, count: int, least: int) -> list[Mutant]:
    """``count`` faults, at least ``least`` in each package, the others by the number of its statements."""
    of_package = {
        name: [m for path in sorted((ROOT / "src/unibody" / name).rglob("*.py")) for m in mutants(path)]
        for name in PACKAGES
    }
    choice = random.Random(seed)
    chosen = [m for every in of_package.values() for m in choice.sample(every, least)]
    others = [m for every in of_package.values() for m in every if m not in set(chosen)]
    return [*chosen, *choice.sample(others, max(0, count - len(chosen)))]


def package_of(path: Path) -> str:
    """The package of ``PACKAGES`` that a file is in."""
    place = path.relative_to(ROOT / "src/unibody").as_posix()
    return next(name for name in PACKAGES if place.startswith(f"{name}/"))


def notices(tree: Path, places: Sequence[str]) -> bool:
    """Whether a test of a tree fails; one that does not end counts as failed."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-n", "auto", *places]
    run = subprocess.Popen(
        command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        return run.wait(PATIENCE) != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)


def verdict(mutant: Mutant, tree: Path) -> str:
    """Which tests notice a fault: "package", "all" or "none"."""
    file = tree / mutant.path.relative_to(ROOT)
    source = file.read_text("utf-8")
    package = package_of(mutant.path)
    try:
        file.write_text(mutant.apply(source), "utf-8")
        if notices(tree, [f"tests/{package}", f"src/unibody/{package}"]):
            return "package"
        return "all" if notices(tree, []) else "none"
    finally:
        file.write_text(source, "utf-8")


def main() -> int:
    """Try the drawn faults and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--least", type=int, default=7, help="faults in each package")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the faults to try, from 1")
    parser.add_argument("--dry-run", action="store_true", help="print the faults only")
    options = parser.parse_args()
    chosen = drawn(options.seed, options.count, options.least)
    found: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "unibody"
        if not options.dry_run:
            left_out = shutil.ignore_patterns(".venv*", ".git", ".hypothesis", "node_modules", ".*_cache")
            shutil.copytree(ROOT, tree, ignore=left_out)
            if (shared := ROOT.parent / "shared").is_dir():
                (Path(folder) / "shared").symlink_to(shared)
        for number, mutant in enumerate(chosen, 1):
            if options.only and number not in options.only:
                continue
            how = "" if options.dry_run else verdict(mutant, tree)
            found[how] = found.get(how, 0) + 1
            print(f"{number:3} {how:8}{mutant.describe(mutant.path.read_text('utf-8'))}", flush=True)
    if not options.dry_run:
        print(", ".join(f"{how}: {count}" for how, count in sorted(found.items())))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
