"""Small OpenHRP files, one feature each, against what they were read as when someone last looked.

``pytest tests/formats/openhrp --accept`` writes the goldens anew: reading the difference is the work.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.goldens import cases, differing

FOLDER = Path(__file__).parent / "read"
CASES = cases(FOLDER, ".wrl")


@pytest.mark.golden
@pytest.mark.parametrize("path", CASES, ids=[p.name for p in CASES])
def test_golden(path: Path, request: pytest.FixtureRequest) -> None:
    assert differing(path, bool(request.config.getoption("--accept"))) == []


def test_no_golden_without_its_case() -> None:
    stems = {p.stem for p in CASES}
    assert {p.name.split(".")[0] for p in FOLDER.iterdir() if p.is_file()} == stems
    assert len(CASES) >= 12
