"""The page of capabilities is in step with the formats' tables."""

from __future__ import annotations

import importlib.util
import sys

from tests.convert.models import ROOT


def test_page_is_in_step() -> None:
    spec = importlib.util.spec_from_file_location("tools_capabilities", ROOT / "tools/capabilities.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tool
    spec.loader.exec_module(tool)
    written = (ROOT / tool.PAGE).read_text("utf-8")
    assert written == tool.page(), f"{tool.PAGE} is out of step with the tables: run {tool.HOW}"
