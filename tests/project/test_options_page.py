"""The page of options is in step with their declarations, and each option of a hint is declared."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.project.tools import ROOT, tool
from tests.sources import tree

from unibody.formats import FORMATS
from unibody.formats.options import READ_OPTIONS, declared_options
from unibody.text import hint as hints

TOOL = tool("options")


def test_page_is_in_step() -> None:
    written = (ROOT / TOOL.PAGE).read_text("utf-8")
    assert written == TOOL.page(), f"{TOOL.PAGE} is out of step: run {TOOL.HOW}"


def test_settings_of_hints_are_declared() -> None:
    writing = {option.name for format in FORMATS for option in format.options}
    known = {*hints._SPELLINGS, *writing, *declared_options()}
    found = {name for path in sorted((ROOT / "src").rglob("*.py")) for name in _settings(path)}
    assert found
    assert found <= known
    flags = {option.name: option.option for option in READ_OPTIONS}
    assert all(flags.get(keyword, flag) == flag for flag, keyword, _ in hints._SPELLINGS.values())


def _settings(path: Path) -> set[str]:
    """The names in calls ``Setting("name", …)`` of a file."""
    if "Setting(" not in path.read_text("utf-8"):
        return set()
    calls = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return {
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id == "Setting"
        and isinstance(call.args[0], ast.Constant)
    }
