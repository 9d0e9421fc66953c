"""The matrix of pairs beside the robot: names on both sides, keys, witnesses in sight; undo and address."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.view.browsing import TESTS, call, complaints, press, ready, show, text, texts
from tests.view.test_history import combine
from tools.chromium import Page

import unibody as ub
from unibody.page.data import Extras

DIGGER = TESTS / "commands/models/digger.urdf"

# How many points of the window are on the links, and how many of them are not covered by anything.
SEEN = """(() => {
    let [all, free] = [0, 0];
    const canvas = document.querySelector('.stage > canvas'), box = canvas.getBoundingClientRect();
    for (let x = box.left + 4; x < box.right; x += 8) for (let y = box.top + 4; y < box.bottom; y += 8)
        if (['cab', 'bucket'].includes(unibody.linkAt(x, y))) {
            all += 1;
            free += document.elementFromPoint(x, y) === canvas;
        }
    return [all, free];
})()"""


def cell(page: Page) -> dict[str, str]:
    """The cell of the grid that has the focus, as readers of the screen tell it."""
    page.settle()
    found: dict[str, str] = page.eval(
        "(cell => ({label: cell.ariaLabel, row: cell.parentElement.ariaRowIndex,"
        " column: cell.ariaColIndex}))"
        "(document.activeElement)"
    )
    return found


@pytest.mark.slow
def test_the_matrix_is_beside_the_robot(page: Page, tmp_path: Path) -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    robot = ub.load(DIGGER)
    proof = [(*p.links, p.status, p.witness) for p in ub.self_collision(robot, samples=200).pairs]
    show(page, tmp_path, robot, extras=Extras(proof=proof, layers=("visual", "collision")))
    assert page.eval("document.querySelector('.pairs-card').hidden")
    combine(page, "X", 88, 8)
    names = ["cab", "boom", "stick", "bucket"]
    assert texts(page, ".rows-names span") == names
    assert texts(page, ".columns-names span") == names
    inside = page.eval(
        "(([a, b]) => [a.left - b.left, b.right - a.right])([document.querySelector('.pairs-card'),"
        " document.querySelector('.stage')].map(e => e.getBoundingClientRect()))"
    )
    assert min(inside) >= 0
    # The keys walk through the cells; each tells both names and what is proved.
    rule = "not tested (adjacent links); not tested (disabled in the model)"
    assert cell(page) == {"label": f"cab and boom: {rule}", "row": "1", "column": "2"}
    page.key("End", 35)
    expected = (
        "cab and bucket: possible: a click shows them in collision; not tested (disabled in the model)"
    )
    assert cell(page) == {"label": expected, "row": "1", "column": "4"}
    assert text(page, ".pairs-card .said") == expected
    assert texts(page, ".rows-names .on, .columns-names .on") == ["bucket", "cab"]
    page.key("ArrowDown", 40)
    page.key("ArrowLeft", 37)
    assert cell(page)["label"].startswith("boom and stick")
    page.key("ArrowUp", 38)
    page.key("ArrowRight", 39)
    page.key("Enter", 13)
    page.settle()
    assert call(page, "touching") == [["cab", "bucket"]]
    assert "pairs=on" in call(page, "address")
    # What is shown in collision is not covered.
    page.settle()
    covered, free = page.eval(SEEN)
    assert covered > 50
    assert free >= 0.8 * covered
    address = call(page, "address")
    call(page, "run", "undo")
    assert call(page, "touching") == []
    call(page, "run", "undo")
    assert page.eval("document.querySelector('.pairs-card').hidden")
    page.open("about:blank")
    page.open(address)
    ready(page)
    assert not page.eval("document.querySelector('.pairs-card').hidden")
    press(page, ".pairs-card .close")
    assert page.eval("document.querySelector('.pairs-card').hidden")
    assert complaints(page) == []


def test_the_layer_is_called_collisions(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    assert text(page, "[data-layer=pairs]") == "Collisions"
    # two buttons with one name would do different things
    assert texts(page, ".stage button").count("Pairs") == 1
