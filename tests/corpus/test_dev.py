"""Every model file of the corpus has the outcome that the table says: a robot, or the errors it deserves.

Errors are those of test data for errors, which no loader of the format loads, either.
"""

from __future__ import annotations

import pytest
from tests.corpus.outcomes import TABLE, files, is_read, models, outcome_of, outcomes
from tests.loaders import verdicts
from tests.sampling import sampled
from tests.shared import SHARED

import unibody as ub


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(outcomes()))
def test_outcome(name: str) -> None:
    reading = ub.read(SHARED / name)
    assert outcome_of(reading) == outcomes()[name]
    if reading.ok:
        assert reading.robot is not None
        assert reading.robot.links
        ub.assemble(reading.robot)


@pytest.mark.usefixtures("shared")
def test_the_table_has_every_model_file(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--accept"):
        rows = [f"{name}\t{outcome_of(ub.read(SHARED / name))}\n" for name in files()]
        TABLE.write_text("".join(rows), "utf-8", newline="\n")
        outcomes.cache_clear()
    assert list(outcomes()) == files(), "run pytest with --accept, then read what changed"


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_a_watched_reading_gives_the_same_robot() -> None:
    """Noting what is looked at changes nothing."""
    from unibody.formats.loader import read, read_with

    for path in models("")[::12]:
        assert read_with(path, watch=True).robot == read(path).robot


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("loader", ["Pinocchio", "PyBullet"])
def test_no_urdf_file_with_an_error_is_loaded_by(loader: str) -> None:
    """Every URDF file of the corpus that the loader loads, loads here: the others are its errors, too."""
    wrong = [SHARED / name for name in outcomes() if name.endswith(".urdf") and not is_read(SHARED / name)]
    found = verdicts.loaded(loader, wrong)
    if found is None:
        pytest.skip(f"{loader} is not installed")
    assert found == []
