"""The neutral robots as URDF files, with their SRDF, against what was written when someone last looked.

``pytest tests/formats/urdf --accept`` writes the goldens anew: reading the difference is the work.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import CASES, neutral

from unibody.conversion.pipeline import save

FOLDER = Path(__file__).parent / "write"


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    report = save(neutral(case), tmp_path / f"{case}.urdf")
    written = [name for name in report.files if "/" not in name]
    for name in written:
        golden = FOLDER / name
        text = (tmp_path / name).read_text("utf-8")
        if request.config.getoption("--accept"):
            golden.write_text(text, "utf-8", newline="\n")
        assert golden.is_file(), "run pytest with --accept, then read what is new"
        assert text == golden.read_text("utf-8")
    assert {p.name for p in FOLDER.glob(f"{case}.*")} == set(written)


def test_every_golden_has_its_case() -> None:
    assert {p.stem for p in FOLDER.iterdir()} == set(CASES)
