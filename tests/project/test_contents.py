"""What no file of the project may contain."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.sources import tree

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "unibody"
CODE = [path for folder in ("src", "tests", "bench") for path in sorted((ROOT / folder).rglob("*.py"))]

WRITTEN = {".py", ".md", ".toml", ".body", ".urdf", ".ts", ".css"}
# Test inputs and goldens are data: they may hold whatever a test needs.
DATA = {"tests", "node_modules", "__pycache__", "out", "dist"}

# Alice is the author of example models.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:home/(?!alice\b)\w|Users/(?!alice\b)\w|root/|work/(?:main|shared)\b|opt/pypi)|[A-Z]:\\Users\\(?!\\?alice)"
    r"|registry\.(?:npmjs|yarnpkg)|pypi\.org|pythonhosted\.org|crates\.io|proxy\.golang|deb\.debian"
)
LOUD = re.compile(r"\b(?:print|_?exit|quit|SystemExit)\b")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def pages() -> list[Path]:
    """Every text that people write by hand: code, pages, models, settings."""
    found = [path for path in sorted(ROOT.iterdir()) if path.is_file() and not path.name.startswith(".")]
    for folder in ("src", "bench", "docs", "viewer", ".ci"):
        found += [path for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    kept = [path for path in found if not DATA.intersection(path.relative_to(ROOT).parts)]
    return kept + [path for path in CODE if path.is_relative_to(ROOT / "tests")]


def is_by_hand(path: Path) -> bool:
    return path.suffix in WRITTEN or path.name in {"Makefile", "run", "LICENSE"}


def test_only_the_command_prints_and_exits() -> None:
    # loaders of engines are programs of their own
    programs = (SRC / "cli", SRC / "proof/loaders")
    below = [p for p in CODE if p.is_relative_to(SRC) and not any(map(p.is_relative_to, programs))]
    loud = [
        f"{place(path, node.lineno)}: {ast.unparse(node)}"
        for path in below
        if path != SRC / "__main__.py" and LOUD.search(path.read_text("utf-8"))
        for node in ast.walk(tree(path))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"print", "exit", "quit"}
        )
        or (isinstance(node, ast.Name) and node.id == "SystemExit")
        or (
            isinstance(node, ast.Attribute)
            and node.attr in {"exit", "_exit"}
            and ast.unparse(node) in {"sys.exit", "os._exit"}
        )
    ]
    assert not loud, "\n".join(loud)


def test_no_tabs_and_no_trailing_white_space() -> None:
    wrong = []
    for path in filter(is_by_hand, pages()):
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            if line != line.rstrip() or ("\t" in line and path.name != "Makefile"):
                wrong.append(f"{place(path, number)}: {line!r}")
    assert not wrong, "\n".join(wrong)


def test_no_registry_host_and_no_home_path() -> None:
    wrong = []
    for path in pages():
        text = path.read_bytes().decode("utf-8", "replace")
        wrong += [
            f"{place(path, text.count(chr(10), 0, m.start()) + 1)}: {m[0]}" for m in PRIVATE.finditer(text)
        ]
    assert not wrong, "\n".join(wrong)


def test_links_between_pages_lead_somewhere() -> None:
    dead = []
    for path in pages():
        if path.suffix == ".md":
            for match in LINK.finditer(path.read_text("utf-8")):
                if not (path.parent / match[1]).exists():
                    dead.append(f"{path.relative_to(ROOT)}: {match[1]}")
    assert not dead, "\n".join(dead)
