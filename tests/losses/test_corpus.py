"""The corpus into every format and back: a slice of it, or all with UNIBODY_WHOLE_CORPUS set.

``python -m tests.losses.corpus`` goes through all of it outside of pytest, and prints a table.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.losses.corpus import TARGETS, Outcome, models, outcomes, sliced, table
from tests.shared import DEV

# Every so many-th file; what takes longer than ten seconds is left to the whole.
STEP, FIRST = 24, 3
SLOW = ("Labo1", "mobile_robot", "T12", "pipes.wrl")
WHOLE = bool(os.environ.get("UNIBODY_WHOLE_CORPUS"))
FILES = models() if WHOLE else [p for p in sliced(models(), FIRST, STEP) if not p.name.startswith(SLOW)]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(DEV)) for p in FILES])
def test_every_pair(path: Path) -> None:
    found = list(outcomes(path))
    assert [x.target for x in found] == list(TARGETS)
    assert [f"{x.target}: {problem}" for x in found for problem in x.problems] == []


def test_the_table() -> None:
    found = [Outcome("body", "urdf", losses=2, carried=1, problems=["unexplained: a", "not carried: b"])]
    assert table(found).splitlines()[-1] == "| body | urdf | 1 | 2 | 1 | 1 | 1 | 0.0 |"
