"""The page of remedies is in step with their table."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_page_is_in_step() -> None:
    spec = importlib.util.spec_from_file_location("tools_fix", ROOT / "tools/fix.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert (ROOT / tool.PAGE).read_text("utf-8") == tool.page(), f"run {tool.HOW}"
