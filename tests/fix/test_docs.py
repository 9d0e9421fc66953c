"""The page of fixes is in step with the rules, and the command fixes the example of each."""

from __future__ import annotations

import pytest
from tests.project.tools import ROOT, tool

from unibody.checks.rules import Rule, rules

FIX = tool("fix")


def test_page_is_in_step() -> None:
    assert (ROOT / FIX.PAGE).read_text("utf-8") == FIX.page(), f"run {FIX.HOW}"


@pytest.mark.parametrize("rule", [r for r in rules().values() if r.fixes], ids=lambda rule: rule.code)
def test_command_fixes_the_example(rule: Rule) -> None:
    found = FIX.outcomes()[rule.code]
    assert found.gone
    kinds = {"--fix": {"safe"}, "--fix=all": {"safe", "suggested"}}
    assert kinds[found.option] & set(rule.fixes)
    assert all(title[0].islower() or not title[0].isalpha() for title in found.titles)
