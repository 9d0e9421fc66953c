"""Reading small Inventor files gives exactly what it gave when somebody last looked.

``pytest tests/formats/inventor --accept`` writes the goldens anew: reading the difference is the work.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.formats.goldens import cases, differing

import unibody as ub

FOLDER = Path(__file__).parent / "read"
CASES = cases(FOLDER, ".iv", ".wrl")


@pytest.mark.golden
@pytest.mark.parametrize("path", CASES, ids=[p.name for p in CASES])
def test_golden(path: Path, request: pytest.FixtureRequest) -> None:
    assert differing(path, bool(request.config.getoption("--accept"))) == []


def test_no_golden_without_its_case() -> None:
    assert {p.name.split(".")[0] for p in FOLDER.iterdir() if p.is_file()} == {p.stem for p in CASES}
    assert len(CASES) >= 10


def test_binary_is_the_same_model() -> None:
    """binary.iv is state.iv as Coin 4.0 writes it."""
    ascii_robot, binary_robot = ub.load(FOLDER / "state.iv"), ub.load(FOLDER / "binary.iv")
    assert len(ascii_robot.links[0].visuals) == len(binary_robot.links[0].visuals)
    for a, b in zip(ascii_robot.links[0].visuals, binary_robot.links[0].visuals, strict=True):
        assert a.name == b.name
        assert a.geometry == b.geometry
        assert a.material == b.material
        # turns were floats of four bytes on their way
        assert a.pose.xyz == pytest.approx(b.pose.xyz, abs=1e-6)
        np.testing.assert_allclose(a.pose.rotation(), b.pose.rotation(), atol=1e-6)
