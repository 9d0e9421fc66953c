"""The proved ranges of joints on the page: on the sliders, in words, and while they hold."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import call, complaints, press, ready, show, text
from tests.view.test_data import header
from tests.view.test_scenes import linkage
from tools.chromium import Page, path_address

import unibody as ub
from unibody.cli.main import main
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Limits, Link, Robot
from unibody.model.shape import Box, Shape
from unibody.page.data import Extras, Shown, pages_data

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

DIGGER = Path(__file__).parents[1] / "commands/models/digger.urdf"


def gate() -> Robot:
    """A post, a slide that meets it 0.3 m from where it starts, and a bar coupled to the slide."""

    def box(name: str, size: float, x: float = 0.0) -> Link:
        cube = Shape(geometry=Box(size=(size, size, size)), pose=Pose(xyz=(x, 0.0, 0.0)))
        return Link(name=name, collisions=(cube,), visuals=(cube,))

    links = (box("post", 0.2), box("slide", 0.2), box("bar", 0.2), box("far", 0.2))
    along = (1.0, 0.0, 0.0)
    joints = (
        Joint(
            name="push",
            kind="prismatic",
            parent="post",
            child="slide",
            axis=along,
            origin=Pose(xyz=(-0.5, 0.0, 0.0)),
            limits=Limits(position=(-1.0, 1.0)),
        ),
        Joint(
            name="follow",
            kind="prismatic",
            parent="post",
            child="bar",
            axis=along,
            origin=Pose(xyz=(-1.5, 0.0, 0.0)),
            limits=Limits(position=(-3.0, 3.0)),
        ),
        Joint(
            name="turn",
            kind="revolute",
            parent="post",
            child="far",
            axis=(0.0, 0.0, 1.0),
            origin=Pose(xyz=(0.0, 3.0, 0.0)),
            limits=Limits(position=(-1.0, 1.0)),
        ),
    )
    coupled = (Coupling(joint="follow", leader="push", ratio=-1.0),)
    return Robot(name="gate", links=links, joints=joints, couplings=coupled, base="fixed")


def test_ranges_end_where_something_touches() -> None:
    world = ub.collisions(gate(), pairs="all")
    found = {each.joint: each for each in world.free_ranges().joints}
    assert set(found) == {"push", "turn"}
    # The slide meets the post after 0.3 m; backwards, it and the bar meet after 0.4 m each.
    assert 0.299 < found["push"].high <= 0.3
    assert found["push"].above == ("post", "slide")
    assert -0.4 <= found["push"].low < -0.399
    assert found["push"].below == ("slide", "bar")
    assert (found["turn"].low, found["turn"].high, found["turn"].above) == (-1.0, 1.0, None)
    # All of it is free, by the engine's own tests.
    values = np.linspace(found["push"].low, found["push"].high, 200)
    rows = world.mechanism.apply_couplings(np.stack([values, 0 * values, 0 * values], axis=1))
    assert not world.colliding(rows).any()


def test_what_touches_already_is_told_and_left_out() -> None:
    world = ub.collisions(gate(), pairs="all")
    found = world.free_ranges({"push": 0.4})
    assert found.touching == (("post", "slide"),)
    push = found.joints[0]
    assert (push.high, push.above) == (1.0, None)


def test_nothing_is_proved_of_closed_loops_and_beyond_limits() -> None:
    world = ub.collisions(gate(), pairs="all")
    assert [each.joint for each in world.free_ranges({"turn": 2.0}).joints] == ["push"]
    open_chain, looped = linkage(loops=()), linkage()
    assert ub.collisions(open_chain, pairs="all").free_ranges().joints
    assert ub.collisions(looped, pairs="all").free_ranges().joints == ()


def test_the_page_has_ranges_and_where_they_hold() -> None:
    robot = gate()
    ranges = ub.collisions(robot, pairs="all").free_ranges()
    data = header(pages_data([Shown(robot=robot)], extras=Extras(ranges=ranges)))
    assert data["ranges"]["positions"][7:] == [0.0, 0.0, 0.0]
    assert [each["joint"] for each in data["ranges"]["joints"]] == [0, 2]
    assert header(pages_data([Shown(robot=robot)]))["ranges"] is None


def test_sliders_show_what_is_proved(page: Page, tmp_path: Path) -> None:
    robot = gate()
    ranges = ub.collisions(robot, pairs="all").free_ranges()
    show(page, tmp_path, robot, extras=Extras(ranges=ranges))
    places = page.eval(
        "[...document.querySelectorAll('.joint .proved')].map(e => [e, e.parentElement.firstChild]"
        ".map(e => e.getBoundingClientRect())).map(([a, b]) => [(a.left - b.left - 6) / (b.width - 12),"
        " (a.right - b.left - 6) / (b.width - 12)])"
    )
    assert np.array(places) == pytest.approx(np.array([[0.3, 0.65], [0.0, 1.0]]), abs=0.01)
    call(page, "select", "slide")
    said = text(page, ".proved-note")
    assert re.fullmatch(
        "Proved: nothing that is tested touches in −0.39\\d+ … 0.29\\d+ m; below slide and bar touch, "
        r"above post and slide touch\.",
        said,
    )
    stale = "[...document.querySelectorAll('.joint .proved')].map(e => e.classList.contains('stale'))"
    assert page.eval(stale) == [False, False]
    # The range of a joint is not about its own position, but about those of others.
    call(page, "move", "push", 0.1)
    assert page.eval(stale) == [False, True]
    call(page, "move", "turn", 0.5)
    assert page.eval(stale) == [True, True]
    assert text(page, ".proved-note").startswith("Proved only with turn where they were: nothing")
    call(page, "move", "turn", 0.0)
    assert page.eval(stale) == [False, True]
    assert complaints(page) == []


def test_the_command_proves_ranges(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "digger.html"
    assert main(["view", str(DIGGER), "--prove-pairs", "--set", "reach=1", "--html", str(target)]) == 0
    page.open(path_address(target))
    ready(page)
    assert page.eval("document.querySelectorAll('.joint .proved:not(.stale)').length") == 3
    press(page, "[role=treeitem][title=stick] .name")
    assert text(page, ".proved-note").startswith("Proved: nothing that is tested touches in 11.5 … ")
    assert complaints(page) == []
