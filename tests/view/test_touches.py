"""The card of collisions in a browser: what touches, where, what is near and how far, as coal says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import call, complaints, press, ready, show, text, texts
from tests.view.test_history import undo
from tools.chromium import Page

import unibody as ub
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Shape

MODELS = Path(ub.__file__).parent / "models"


def rails() -> Robot:
    """Three cubes of 0.2 m: two touch at the start, the third slides along X."""
    cube = Shape(geometry=Box(size=(0.2, 0.2, 0.2)))
    links = tuple(
        Link(name=name, visuals=(cube,), collisions=(cube,)) for name in ("base", "left", "right")
    )
    joints = (
        Joint(name="up", kind="prismatic", parent="base", child="left", axis=(0.0, 0.0, 1.0)),
        Joint(name="along", kind="prismatic", parent="base", child="right", axis=(1.0, 0.0, 0.0)),
    )
    return Robot(name="rails", links=links, joints=joints, base="fixed")


def rows(page: Page) -> list[str]:
    page.settle()
    found: list[str] = page.eval(
        "[...document.querySelectorAll('.collisions li')].filter(e => e.checkVisibility())"
        ".map(e => e.innerText)"
    )
    return [" ".join(row.split()) for row in found]


def test_the_card_lists_touching_and_near_pairs(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, rails())
    page.key("x", 88, "x")
    assert call(page, "touching") == [["left", "right"]]
    assert text(page, ".collisions .count") == "1 pair touches"
    # it touches at the initial pose: its row is folded
    assert rows(page) == []
    assert text(page, ".collisions summary") == "Also at the initial pose (1)"
    press(page, ".collisions summary")
    assert len(rows(page)) == 1
    assert rows(page)[0].startswith("left right")
    assert "panels" in call(page, "address")
    undo(page)
    assert rows(page) == []
    call(page, "move", "along", 0.21)
    near = call(page, "near")
    assert [each["pair"] for each in near] == [["left", "right"]]
    assert near[0]["distance"] == pytest.approx(0.01, abs=1e-7)
    assert near[0]["b"][0] - near[0]["a"][0] == pytest.approx(0.01, abs=1e-7)
    assert call(page, "touching") == []
    assert rows(page) == ["left right 10 mm"]
    eye = call(page, "eye")
    press(page, ".collisions li button")
    middle = np.add(near[0]["a"], near[0]["b"])[0] / 2
    assert page.eval("unibody.eye()[3]") == pytest.approx(middle, abs=1e-3)
    undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    address = call(page, "address")
    page.open("about:blank")
    page.open(address)
    ready(page)
    call(page, "near")
    assert rows(page) == ["left right 10 mm"]
    press(page, ".collisions .close")
    assert call(page, "touching") == []
    assert call(page, "near") == []
    assert not page.eval("document.querySelector('.collisions').checkVisibility()")
    assert complaints(page) == []


@pytest.mark.slow
def test_distances_are_those_of_coal(page: Page, tmp_path: Path) -> None:
    pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    robot = ub.load(MODELS / "biped.body")
    world = ub.collisions(robot, missing="skip")
    m = world.mechanism
    show(page, tmp_path, robot)
    call(page, "show", "pairs", True)
    random = np.random.default_rng(3)
    compared = 0
    for _ in range(12):
        q = {j: float(random.uniform(*robot.joint(j).limits.position)) for j in m.joint_names}
        call(page, "take", q)
        near = {frozenset(each["pair"]): each["distance"] for each in call(page, "near")}
        exact = {frozenset(d.pair): float(d.distance) for d in world.distances(q, within=1.0)}
        for pair, distance in near.items():
            # round shapes are drawn with sides, inside of themselves
            assert -1e-6 < distance - exact[pair] < 3e-3, (sorted(pair), distance, exact[pair])
            compared += 1
    assert compared > 20
    assert complaints(page) == []


@pytest.mark.slow
def test_the_page_waits_for_no_collision(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(MODELS / "biped.body"))
    # the least of three: other programs take their share of some
    off, on, switch = page.eval("""(async () => {
      const step = () => {
        const at = performance.now();
        for (let i = 0; i < 30; i++) unibody.move('CHEST', 0.01 * i);
        return (performance.now() - at) / 30;
      };
      const least = () => Math.min(step(), step(), step());
      const off = least();
      const at = performance.now();
      unibody.show('pairs', true);
      const switched = performance.now() - at;
      await unibody.touching();
      const on = least();
      await unibody.touching();
      return [off, on, switched];
    })()""")
    # drawing, panels and numbers take their time; collisions add next to none of the main thread's
    assert on < off + 2.0, (off, on)
    assert switch < 50.0
    assert texts(page, ".collisions .count")[0].endswith(("touch", "touches"))
    assert complaints(page) == []
