"""Pages that are made from the code are in step with it, and pages name only tests that exist."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.project.tools import ROOT, tool

NAMED_TEST = re.compile(r"`(test_\w+)`")


REFERENCE = tool("reference")
FINDINGS = tool("findings")
PAGES: dict[str, str] = REFERENCE.pages()
MADE = [(tool, path, text) for tool in (REFERENCE, FINDINGS) for path, text in tool.pages().items()]


@pytest.mark.parametrize(("tool", "path", "text"), MADE, ids=[path for _, path, _ in MADE])
def test_page_is_in_step(tool: Any, path: str, text: str) -> None:
    written = (ROOT / path).read_text("utf-8") if (ROOT / path).is_file() else ""
    assert written == text, f"{path} is not what its source says now: run {tool.HOW}"


def test_pages_of_findings_are_those_of_the_areas() -> None:
    assert {f"docs/findings/{p.name}" for p in (ROOT / "docs/findings").iterdir()} <= set(FINDINGS.pages())


def test_pages_are_text() -> None:
    control = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert [str(p.relative_to(ROOT)) for p in pages if control.search(p.read_text("utf-8"))] == []


def headings(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")) for title in titles}


@pytest.mark.parametrize("path", PAGES)
def test_links_inside_a_reference_page_lead_somewhere(path: str) -> None:
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGES[path]))
    assert links <= headings(PAGES[path])


def test_tests_that_pages_name_exist() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    known = {name for text in texts for name in re.findall(r"^ *def (\w+)", text, re.MULTILINE)}
    named = {
        (str(page.relative_to(ROOT)), name)
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for name in NAMED_TEST.findall(page.read_text("utf-8"))
    }
    missing = sorted((page, name) for page, name in named if name not in known)
    assert not missing, "\n".join(f"{page}: there is no {name}" for page, name in missing)
