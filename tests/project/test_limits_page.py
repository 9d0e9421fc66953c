"""The page of limits is in step with their declarations, and real models are far below each."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from unibody.rules import rules
from unibody.text.limits import DEFAULT, LIMITS

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("tool_limits", ROOT / "tools" / "limits.py")
assert SPEC is not None
assert SPEC.loader is not None
TOOL = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TOOL)


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
