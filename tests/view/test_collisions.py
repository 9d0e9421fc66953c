"""The page's collisions: those of coal at random poses, the matrix with proofs, its witnesses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.shared import DEV
from tests.view.browsing import TESTS, call, complaints, press, show, stage, text
from tools.chromium import Page

import unibody as ub
from unibody.cli.positions import named
from unibody.mechanism.sampling import uniform
from unibody.page.data import Extras

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

MODELS = Path(ub.__file__).parent / "models"
DIGGER = TESTS / "commands/models/digger.urdf"
#: Paths, and how far (m) round shapes are drawn inside of themselves.
ROBOTS = {
    "digger": (DIGGER, 1e-6),
    "biped": (MODELS / "biped.body", 3e-3),
    "arm": (MODELS / "arm.rob", 1e-6),
    "SR1": (DEV / "choreonoid+choreonoid/share/model/SR1/SR1.body", 3e-3),
    "PA10": (DEV / "choreonoid+choreonoid/share/model/PA10/PA10.body", 1e-6),
    "iiwa": (DEV / "pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf", 1e-6),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_collisions_are_those_of_coal(
    name: str, page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path, least = ROBOTS[name]
    if DEV in path.parents:
        request.getfixturevalue("shared")
    robot = ub.load(path)
    show(page, tmp_path, robot)
    assert call(page, "touching") == []
    call(page, "show", "pairs", True)
    world = ub.collisions(robot, missing="skip")
    m = world.mechanism
    rows = np.asarray(uniform(m.tree, np.random.default_rng(4), np.broadcast_to(m.initial, (40, m.nq))))
    count = 0
    for row in np.asarray(m.apply_couplings(rows)):
        call(page, "take", {k: v for k, v in named(m, row).items() if k in m.joint_names})
        drawn = {frozenset(pair) for pair in call(page, "touching")}
        hits = {frozenset(hit.pair): float(hit.depths.max(initial=0.0)) for hit in world.hits(row)}
        near = {frozenset(d.pair) for d in world.distances(row, within=2e-5)}
        assert drawn - hits.keys() <= near
        for pair in hits.keys() - drawn:
            assert hits[pair] < least, (sorted(pair), hits[pair])
        count += len(drawn)
    # the others touch rarely
    assert count > 0 or name in ("digger", "arm", "iiwa")
    took = page.eval(
        "(() => { const at = performance.now(); for (let i = 0; i < 20; i++) "
        f"window.unibody.move({m.joint_names[-1]!r}, ...window.unibody.positions({m.joint_names[-1]!r}));"
        " return (performance.now() - at) / 20; })()"
    )
    assert took < 50.0, f"{took} ms"
    assert complaints(page) == []


def reds(picture: Any) -> int:
    r, g, b = (picture[..., k].astype(int) for k in range(3))
    return int(((r > 150) & (g < 110) & (b < 110)).sum())


def test_a_click_shows_the_witness_in_red(page: Page, tmp_path: Path) -> None:
    robot = ub.load(DIGGER)
    matrix = ub.self_collision(robot, samples=200)
    # the SRDF disables the pair: it is shown in collision, tested or not
    proof = [(*p.links, p.status, p.witness) for p in matrix.pairs]
    show(page, tmp_path, robot, extras=Extras(proof=proof, layers=("visual", "collision")))
    before = reds(stage(page))
    assert call(page, "touching") == []
    press(page, "[data-open=pairs]")
    assert "never in collision (proved)" in text(page, ".pairs-card .legend")
    size = page.eval("document.querySelector('canvas.matrix').getBoundingClientRect().width")
    cell = size / 4
    x, y = page.middle("canvas.matrix")
    place = (x - size / 2 + 3.5 * cell, y - size / 2 + 0.5 * cell)
    page.mouse("mouseMoved", *place)
    page.settle()
    assert (
        text(page, ".pairs-card .said")
        == "cab and bucket: possible: a click shows them in collision; not tested (disabled in the model)"
    )
    page.mouse("mousePressed", *place)
    page.mouse("mouseReleased", *place)
    page.settle()
    assert call(page, "touching") == [["cab", "bucket"]]
    press(page, ".pairs-card .close")
    assert reds(stage(page)) > before + 500
    call(page, "move", "dig", 0.1)
    assert call(page, "touching") == []
    call(page, "show", "pairs", False)
    assert call(page, "touching") == []
    assert complaints(page) == []
