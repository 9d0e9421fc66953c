"""The page of limits is in step with their declarations, and real models are far below each."""

from __future__ import annotations

import json

from tests.project.tools import ROOT, tool

from unibody.checks.rules import rules
from unibody.text.limits import DEFAULT, LIMITS

TOOL = tool("limits")


def test_page_is_in_step() -> None:
    written = (ROOT / TOOL.PAGE).read_text("utf-8")
    assert written == TOOL.page(), f"{TOOL.PAGE} is out of step: run {TOOL.HOW}"


def test_every_limit_has_a_rule_and_a_number() -> None:
    measured = json.loads((ROOT / TOOL.MEASURED).read_text("utf-8"))
    assert set(measured) == set(LIMITS)
    assert {entry["code"] for entry in LIMITS.values()} <= set(rules())


def test_no_real_model_comes_near() -> None:
    measured = json.loads((ROOT / TOOL.MEASURED).read_text("utf-8"))
    near = [name for name, value in measured.items() if value and getattr(DEFAULT, name) < 10 * value]
    assert not near
