"""The arrows between the packages: nothing imports upward."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "src"
SRC = ROOT / "unibody"

# What each package or module of unibody may import besides itself. Whoever is not named here
# (convert, report and their like) may import all but cli, which alone may import everything.
ALLOWED: dict[str, set[str]] = {
    "text": set(),
    "document": {"text"},
    "model": {"text"},
    "disk": set(),
    "whole": set(),
    "called": set(),
    "uris": {"text"},
    "packages": {"disk"},
    "metered": {"text", "disk", "uris"},
    "files": {"text", "disk", "whole", "metered", "packages", "uris"},
    "formats": {"called", "text", "document", "model", "files"},
    "mesh": {"called", "text", "document", "model", "files", "formats"},
    "mechanism": {"model"},
    "check": {"called", "text", "model", "files", "mesh", "mechanism"},
    "rules": set(),
    "view": {"called", "text", "model", "files", "mesh", "mechanism"},
    "collide": {"model", "mesh", "mechanism"},
    "plan": {"model", "mesh", "mechanism", "collide"},
    "simulate": {"model", "mesh", "mechanism"},
}
SHARED_FORMATS = {"vrml97", "inventor"}


def imports(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and dotted name below unibody of all that a file imports, TYPE_CHECKING included."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            outer = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (outer, node.module) if part)
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "unibody":
                yield node.lineno, tuple(name.split(".")[1:])


def refusal(source: tuple[str, ...], target: tuple[str, ...]) -> str | None:
    """Why a module (its path below unibody, without suffix) may not import a name, or None."""
    top, goal = source[0], target[0] if target else ""
    if top in {"__init__", "__main__", "cli"}:
        return None
    is_module = goal and ((SRC / goal).is_dir() or (SRC / f"{goal}.py").is_file() or goal in ALLOWED)
    if goal == "cli" or not is_module:
        return "only the command imports the command or the public API"
    if goal != top and goal not in ALLOWED.get(top, {goal}):
        return f"{top} may not import {goal}"
    if top == goal == "formats":
        mine = source[1] if len(source) > 2 else ""
        other = target[1] if len(target) > 1 else ""
        if (SRC / "formats" / other).is_dir() and other not in SHARED_FORMATS | {mine}:
            return "formats do not import one another"
    return None


def test_nothing_imports_upward() -> None:
    wrong = []
    for path in sorted(SRC.rglob("*.py")):
        source = path.relative_to(SRC).with_suffix("").parts
        for line, target in imports(path):
            why = refusal(source, target)
            if why:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {'.'.join(target)}: {why}")
    assert not wrong, "\n".join(wrong)


def test_the_rule_itself() -> None:
    assert refusal(("model", "facts"), ("text", "node", "Node")) is None
    assert refusal(("model", "facts"), ("document", "bind")) == "model may not import document"
    assert refusal(("text", "node"), ("load",)) == "only the command imports the command or the public API"
    assert refusal(("cli", "main"), ("formats", "FORMATS")) is None


def test_importing_unibody_loads_nothing() -> None:
    code = "import sys, unibody; print([m for m in sys.modules if m.startswith(('unibody.', 'numpy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
