"""The table of docs/pairs.md: pairs that published SRDF files disable although they collide."""

from __future__ import annotations

import pytest
from tests.project.tools import ROOT, tool

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("shared"),
]


def test_a_sample_of_the_table() -> None:
    """What the first samples find is in the table, and its witnesses collide."""
    srdf_pairs = tool("srdf_pairs")
    page = (ROOT / "docs/pairs.md").read_text("utf-8")
    count = 0
    for each in srdf_pairs.published():
        for pair, reason, _ in srdf_pairs.wrong(each.robot, 1_000, 0):
            assert f"| `{pair.links[0]}` and `{pair.links[1]}` | {reason or '–'} |" in page
            world = ub.collisions(each.robot, pairs=[pair.links], missing="skip")
            assert world.colliding(pair.witness)
            count += 1
    assert count >= 10
