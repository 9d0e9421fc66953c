"""The examples of docs/planning.md."""

from __future__ import annotations

import doctest
import os

import pytest
from tests.project.tools import ROOT

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")


def test_the_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = os.path.join(ROOT, "docs", "planning.md")
    assert doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0
