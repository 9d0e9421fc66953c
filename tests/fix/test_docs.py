"""The page of fixes is in step with their table."""

from __future__ import annotations

from tests.project.tools import ROOT, tool


def test_page_is_in_step() -> None:
    made = tool("fix")
    assert (ROOT / made.PAGE).read_text("utf-8") == made.page(), f"run {made.HOW}"
