"""Sixty single defects in healthy models: what the checks find of them, where, and nothing else."""

from __future__ import annotations

import pytest
from tests.check import planted


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_nine_of_ten_defects_are_found_in_their_place() -> None:
    outcomes = [planted.outcome(plant) for plant in planted.plants()]
    assert len(outcomes) == 60
    lost = [f"{o.plant.model}:{o.plant.line}: {o.plant.kind.name}" for o in outcomes if not o.found]
    assert len(lost) <= 6, "\n".join(lost)
    elsewhere = [f"{o.plant.kind.name}: {f}" for o in outcomes for f in o.elsewhere]
    assert not elsewhere, "\n".join(elsewhere)


@pytest.mark.usefixtures("shared")
def test_every_plant_changes_one_line() -> None:
    for plant in planted.plants():
        source = planted.healthy(plant.model).source
        assert source is not None
        before = source.text.split("\n")
        after = plant.text.split("\n")
        assert len(before) == len(after)
        changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b]
        assert plant.line in changed
        assert changed[-1] - changed[0] <= 3
