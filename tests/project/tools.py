"""The scripts of tools/, for tests of what they generate."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def tool(name: str) -> ModuleType:
    """A script of tools/."""
    return importlib.import_module(f"tools.{name}")
