"""The command sessions of these pages, and of README.md, run and give what the pages show.

A line ``...`` in an expectation stands for any lines. ``pytest tests/commands --accept`` writes
what the commands give now into the pages; read the difference before keeping it.
"""

from __future__ import annotations

import difflib
import io
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from unibody.cli.main import main, parsers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = [*sorted(HERE.glob("*.md")), ROOT / "README.md"]
GUIDES = [*sorted((ROOT / "docs/start").glob("*.md")), ROOT / "docs/faq.md", ROOT / "docs/install.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROMPT = re.compile(r"^\$ (.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Command:
    """A command of a page, what should come out, and where that stands in the page."""

    line: str
    expected: str
    start: int
    end: int


def commands(page: str) -> Iterator[Command]:
    for block in BLOCK.finditer(page):
        found = list(PROMPT.finditer(page, block.start(1), block.end(1)))
        assert found, f"a console block without a command: {block[1][:80]!r}"
        ends = [*(f.start() for f in found[1:]), block.end(1)]
        for command, end in zip(found, ends, strict=True):
            yield Command(command[1], page[command.end() : end], command.end(), end)


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Standard output and error of a command in the order written, and its exit code if not 0."""
    words = shlex.split(line)
    assert words[0] == "unibody", f"only unibody is run here, not {words[0]}"
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="utf-8", newline="\n", write_through=True)
    with monkeypatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(sys, "stdout", stream)
        patch.setattr(sys, "stderr", stream)
        code = main(words[1:])
    text = written.getvalue().decode("utf-8")
    return f"{text}[exit {code}]\n" if code else text


def matches(expected: str, got: str) -> bool:
    """Whether the text is the expected one, where a line ``...`` stands for any lines."""
    parts = [part.splitlines() for part in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)]
    lines = got.splitlines()
    if len(parts) == 1:
        return parts[0] == lines
    first, *middle, last = parts
    at, end = len(first), len(lines) - len(last)
    if at > end or lines[:at] != first or lines[end:] != last:
        return False
    for part in middle:
        at = next((i for i in range(at, end - len(part) + 1) if lines[i : i + len(part)] == part), -1)
        if at < 0:
            return False
        at += len(part)
    return True


@pytest.mark.golden
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if page.stem == "15-pairs":
        pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    text = page.read_text("utf-8")
    wrong = [(c, got) for c in commands(text) if not matches(c.expected, got := run(c.line, monkeypatch))]
    if request.config.getoption("--accept"):
        for command, got in reversed(wrong):
            text = text[: command.start] + got + text[command.end :]
        page.write_text(text, "utf-8")
        return
    said = [
        "".join(difflib.unified_diff(c.expected.splitlines(True), got.splitlines(True), c.line, "now"))
        for c, got in wrong
    ]
    assert not said, "\n".join(said)


def test_matching() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("...\nc\n...\n", "a\nb\nc\nd\n")
    assert not matches("...\nx\n...\n", "a\nb\n")
    assert not matches("a\n...\na\n", "a\n")
    assert not matches("a\n", "a\nb\n")


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_commands_of_guides_are_accepted(page: Path) -> None:
    """Their files are the reader's own, so they are not run."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("unibody ")]
    for line in (*lines, *re.findall(r"`(unibody [a-z][^`\n]*)`", text)):
        verb, *words = shlex.split(line, comments=True)[1:]
        whole, inner = parsers(verb)
        if words:
            whole.parse_args([verb, *words])
        assert inner is not None, line
