"""Pages that are made from the code are in step with it, and pages name only tests that exist."""

from __future__ import annotations

import re

import pytest
from tests.project.tools import ROOT, tool

NAMED_TEST = re.compile(r"`(test_\w+)`")


REFERENCE = tool("reference")
PAGES: dict[str, str] = REFERENCE.pages()


@pytest.mark.parametrize("path", PAGES)
def test_reference_page_is_in_step(path: str) -> None:
    written = (ROOT / path).read_text("utf-8") if (ROOT / path).is_file() else ""
    assert written == PAGES[path], f"{path} is out of step with the declarations: run {REFERENCE.HOW}"


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
