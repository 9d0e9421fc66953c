"""USD is read with usd-core, which needs Python 3.11."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _openusd() -> None:
    pytest.importorskip("pxr")
