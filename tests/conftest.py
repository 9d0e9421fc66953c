"""Fixtures that every test may ask for."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings
from tests.shared import SHARED

# The same examples in every run, so that a failing test is about the change at hand: few in `make test`,
# many in `make test-all`. `make fuzz` looks for new ones, as HYPOTHESIS_PROFILE=default does here.
settings.register_profile("few", derandomize=True, deadline=None, max_examples=12)
settings.register_profile("many", derandomize=True, deadline=None, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))

# No test reads what an earlier run left in the user's cache.
os.environ["UNIBODY_CACHE"] = "off"
# Machine code rounds otherwise than numpy, and on each processor in its own way.
os.environ["UNIBODY_FAST"] = "off"
# Nothing that a test writes has to outlive a failure of power.
os.fsync = lambda fd: None


def pytest_collection_finish() -> None:
    """The many thousand tests stay to the end: the search for cyclic garbage passes them by."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what comes out now as the expected texts")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference models and ground truth beside the project; skips without it."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared (reference models and ground truth), which is not here")
    return SHARED
