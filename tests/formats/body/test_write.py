"""The neutral robots as Body files, against what was written when someone last looked.

``pytest tests/formats/body --accept`` writes the goldens anew: reading the difference is the work.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import CASES, neutral, with_files

from unibody.conversion.pipeline import save

FOLDER = Path(__file__).parent / "write"


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    golden = FOLDER / f"{case}.body"
    target = with_files(tmp_path) / golden.name
    save(neutral(case), target)
    text = target.read_text("utf-8")
    if request.config.getoption("--accept"):
        golden.write_text(text, "utf-8", newline="\n")
    assert golden.is_file(), "run pytest with --accept, then read what is new"
    assert text == golden.read_text("utf-8")


def test_every_golden_has_its_case() -> None:
    assert {p.stem for p in FOLDER.iterdir()} == set(CASES)
