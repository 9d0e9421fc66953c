"""Robots of the corpus with mass and shapes are dropped on a floor; ``drops.py`` lists the exceptions."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.shared import DEV
from tests.simulation.drops import EXCEPTIONS, NOTHING, drop

from unibody.formats import FORMATS

CORPUS = DEV
MODELS = Path(__file__).parents[2] / "src" / "unibody" / "models"
# How many robots are dropped at least.
_MOST_OF_THE_CORPUS = 300


@pytest.mark.parametrize("name", ["biped.body", "biped.urdf", "biped.wrl"])
def test_the_bundled_robot_is_dropped(name: str) -> None:
    done = drop(MODELS / name)
    assert done is not None
    assert not done.fault, done


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_the_robots_of_the_corpus_are_dropped() -> None:
    suffixes = tuple({suffix for format_ in FORMATS for suffix in format_.suffixes})
    faults: dict[str, str] = {}
    dropped = 0
    for path in sorted(CORPUS.rglob("*")):
        if not path.is_file() or not path.name.lower().endswith(suffixes):
            continue
        done = drop(path)
        if done is None or done.fault in NOTHING:
            continue
        dropped += 1
        if done.fault:
            faults[str(path.relative_to(CORPUS))] = f"{done.fault} {done.detail} {done.deepest:.4f} m"
    assert sorted(faults) == sorted(EXCEPTIONS), faults
    assert dropped > _MOST_OF_THE_CORPUS
