"""Fixtures of the page tests: robots, and a browser if one is installed."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.chromium import Chromium, Page, find

ROOT = Path(__file__).resolve().parents[2]

# A run in the background of a shell ignores Ctrl-C, and so would the processes that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser shared by all tests; skips if none is installed."""
    program = find()
    if program is None or sys.platform == "win32":
        pytest.skip("Chromium is not installed (Debian, Ubuntu: apt-get install chromium)")
    with Chromium(program) as browser:
        yield browser


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Page]:
    """An empty page of 1280 by 800 pixels."""
    page = chromium.page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def biped() -> str:
    """The path of the bundled biped."""
    return str(ROOT / "src/unibody/models/biped.body")
