"""Interaction in a browser: loops, dragging, measuring, search, properties, poses, pairs, touch."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.shared import SHARED
from tests.view.browsing import (
    TESTS,
    call,
    complaints,
    near,
    poses,
    press,
    show,
    show_all,
    stage,
    text,
    texts,
)
from tools.chromium import Chromium, Page

import unibody as ub
from unibody.mechanism import assemble
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Shape
from unibody.page.data import Origin, Shown

SLIPS = TESTS / "commands/models/slips.urdf"
CLOSED = {
    "openhrp": SHARED / "corpus/dev/fkanehiro+openhrp3/sample/model/closed-link-sample.wrl",
    "body": SHARED / "corpus/dev/choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body",
}


def on(page: Page, link: str) -> tuple[int, int]:
    """A point of the window inside the drawing of a link."""
    for y, x in product(range(60, 720, 12), range(300, 920, 12)):
        if all(call(page, "linkAt", x + dx, y + dy) == link for dx, dy in ((0, 0), (6, 0), (0, 6))):
            return x + 2, y + 2
    raise AssertionError(f"{link} is not to be seen")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CLOSED))
@pytest.mark.usefixtures("shared")
def test_loops_of_the_corpus_stay_closed_over_their_range(name: str, page: Page, tmp_path: Path) -> None:
    path = CLOSED[name]
    reading = ub.read(path)
    assert reading.robot is not None
    show(page, tmp_path, reading.robot)
    # The anchors of the Body sample are 40 mm apart along the axis, in every configuration.
    apart = call(page, "gaps")[0]["distance"]
    assert apart == pytest.approx(0.04 if name == "body" else 0.0, abs=1e-9)
    m = assemble(reading.robot)
    for joint in ("J0", "J1", "J3"):
        path_of = f"""[...Array(145).keys()].map(i => {{
            window.unibody.move('{joint}', Math.PI * (i < 37 ? i / 36 : 1 - (i - 36) / 54));
            return [window.unibody.position('{joint}'), window.unibody.gaps()[0].distance];
        }})"""
        reached, gaps = np.array(page.eval(path_of)).T
        assert np.abs(gaps - apart).max() < 1e-4
        assert (reached[36], reached[-1]) == pytest.approx((math.pi, -math.pi))
    q = {j: call(page, "position", j) for j in m.joint_names}
    assert np.abs(poses(page) - m.forward_kinematics(q)).max() < 1e-5
    assert complaints(page) == []


def test_open_loop_shows_its_gap(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(TESTS / "commands/models/four_bar.body"))
    assert text(page, ".loop .gap") == "closed"
    joint = call(page, "joints")[0]
    press(page, "[data-keep=loops]")
    call(page, "move", joint, 1.2)
    assert call(page, "gaps")[0]["distance"] > 0.01
    assert text(page, ".loop .gap").endswith("apart")
    press(page, "[data-keep=loops]")
    assert call(page, "gaps")[0]["distance"] < 1e-6
    press(page, ".loop")
    assert text(page, ".properties h2").endswith("loop")


@pytest.mark.slow
def test_pulling_a_chain(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    show(page, tmp_path, robot)
    before = poses(page)
    x, y = on(page, "RARM_ELBOW")
    page.drag((x, y), (x - 60, y - 20), shift=True)
    q = {j: call(page, "position", j) for j in call(page, "joints")}
    moved = {j for j, value in q.items() if abs(value) > 1e-6}
    # Only the joints between the elbow and the root move, within their limits.
    assert moved <= {"CHEST", "RARM_SHOULDER_P", "RARM_SHOULDER_R", "RARM_SHOULDER_Y", "RARM_ELBOW"}
    assert len(moved) >= 3
    for name, value in q.items():
        low, high = robot.joint(name).limits.position
        assert low - 1e-9 <= value <= high + 1e-9
    assert np.abs(poses(page) - assemble(robot).forward_kinematics(q)).max() < 1e-9
    # The grabbed point is under the pointer; the view has not been rotated.
    assert near(page, "RARM_ELBOW", x - 60, y - 20)
    assert np.abs(poses(page) - before).max() > 0.05
    assert abs(q["CHEST"]) > 1e-6
    press(page, "[data-command='pose.initial']")
    assert np.abs(poses(page) - before).max() < 1e-9
    # From a link that is chosen, the joints above it stay.
    page.key("g", 71, "g")
    page.eval(
        "(menu => { menu.value = 'RARM_SHOULDER_P'; menu.dispatchEvent(new Event('change')); })"
        "(document.querySelector('select.chain'))"
    )
    assert "chain=RARM_SHOULDER_P" in call(page, "address")
    press(page, ".fit")
    x, y = on(page, "RARM_ELBOW")
    page.drag((x, y), (x - 60, y - 20), shift=True)
    rooted = {j: call(page, "position", j) for j in call(page, "joints")}
    still = ("CHEST", "RARM_SHOULDER_P")
    assert [rooted[name] for name in still] == [0.0, 0.0]
    assert abs(rooted["RARM_ELBOW"]) > 1e-3 or abs(rooted["RARM_SHOULDER_R"]) > 1e-3
    call(page, "run", "undo")
    assert np.abs(poses(page) - before).max() < 1e-9
    assert page.eval("document.querySelector('select.chain').value") == "RARM_SHOULDER_P"
    for _ in range(2):
        call(page, "run", "undo")
    assert page.eval("document.querySelector('select.chain').value") == ""


@pytest.mark.slow
def test_a_drag_turns_the_joint_of_the_link(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    show(page, tmp_path, robot)
    call(page, "look", 0, -1, 0)
    page.key("g", 71, "g")
    x, y = on(page, "RARM_ELBOW")
    plain = stage(page)
    page.mouse("mouseMoved", x, y)
    page.settle()
    assert text(page, ".label.hover .position") == "RARM_ELBOW: 0° (−130 … 0°)"
    # The axis and the arc are drawn.
    assert (np.abs(stage(page) - plain).sum(axis=2) > 40).sum() > 300
    for dx in (100, -100):
        call(page, "move", "RARM_ELBOW", -1.0)
        page.settle()
        spots = on(page, "RARM_ELBOW")
        page.drag(spots, (spots[0] + dx, spots[1]))
        q = {j: call(page, "position", j) for j in call(page, "joints")}
        moved = {j for j, value in q.items() if abs(value) > 1e-9}
        assert moved <= {"RARM_ELBOW"}
        assert abs(q["RARM_ELBOW"] + 1.0) > 0.2
        low, high = robot.joint("RARM_ELBOW").limits.position
        assert low - 1e-9 <= q["RARM_ELBOW"] <= high + 1e-9
    # One drag is one step; a drag of the background turns the view as ever.
    call(page, "run", "undo")
    assert call(page, "position", "RARM_ELBOW") == pytest.approx(-1.0, abs=1e-12)
    eye = call(page, "eye")
    page.drag((860, 560), (800, 590))
    assert call(page, "eye") != eye
    assert complaints(page) == []


@pytest.mark.slow
def test_measured_distance_follows_the_links(page: Page, tmp_path: Path) -> None:
    cube = Shape(geometry=Box(size=(0.1, 0.1, 0.1)))
    links = (Link(name="left", visuals=(cube,)), Link(name="right", visuals=(cube,)))
    joint = Joint(name="rail", kind="prismatic", parent="left", child="right", axis=(0.0, 1.0, 0.0))
    show(page, tmp_path, Robot(name="gap", links=links, joints=(joint,), base="fixed"))
    call(page, "move", "rail", 0.4)
    call(page, "look", 1, 0, 0)
    page.key("d", 68, "d")
    for name in ("left", "right"):
        page.click(*on(page, name))
    page.settle()
    first = page.eval("document.querySelector('.label.measure').innerText")
    assert "mm" in first
    length = float(first.split()[0].replace("−", "-"))
    assert 200 < length < 600
    call(page, "move", "rail", 0.5)
    page.settle()
    moved = page.eval("document.querySelector('.label.measure').innerText")
    y, further = (float(words.split()[6].replace("−", "-")) for words in (first, moved))
    assert further - y == pytest.approx(100.0, abs=0.05)
    page.key("Escape", 27)
    assert page.eval("document.querySelector('.label.measure').hidden")


@pytest.mark.slow
def test_search_finds_links_joints_and_devices(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    page.key("/", 191, "/")
    page.call("Input.insertText", text="foot_f")
    assert texts(page, ".hits .name") == ["RIGHT_FOOT_FORCE", "LEFT_FOOT_FORCE"]
    page.key("ArrowDown", 40)
    page.key("Enter", 13, "\r")
    assert text(page, ".properties h2") == "LEFT_FOOT_FORCE device"
    assert "400" in text(page, ".properties .panel-body")
    assert text(page, ".excerpt .at") in text(page, ".excerpt")
    assert "biped.body" not in text(page, ".properties .place") or ":" in text(page, ".properties .place")
    page.key("Escape", 27)
    assert page.eval("document.querySelector('[role=tree]').checkVisibility()")
    assert page.eval("document.querySelector('[title=LEFT_FOOT_FORCE]').ariaSelected") == "true"


def test_click_shows_properties_and_source(page: Page, tmp_path: Path) -> None:
    reading = ub.read(SLIPS)
    assert reading.robot is not None
    shown = Shown(robot=reading.robot, findings=reading.findings, origin=Origin(file=str(SLIPS)))
    show_all(page, tmp_path, [shown])
    call(page, "select", "arm")
    assert text(page, ".properties h2") == "arm link"
    for part in ("mass", "1.5\nkg", "joins", "base → arm", "171.89 °/s".replace(" ", "\n")):
        assert part in text(page, ".properties .panel-body")
    assert text(page, ".properties .place") == "slips.urdf:4"
    assert '<link name="arm">' in text(page, ".properties .excerpt .at")
    press(page, "[data-choice=rad]")
    assert "rad/s" in text(page, ".properties .panel-body")
    assert page.eval("document.querySelector('.joint .unit').textContent") == ""
    # A finding shows its own source location.
    sources = texts(page, ".findings .source")
    place = next(k for k, source in enumerate(sources) if "inertia-not-positive" in source)
    page.eval(f"document.querySelectorAll('.findings button.finding')[{place}].click()")
    assert page.eval("document.querySelector('.findings .excerpt mark').textContent").startswith(
        "<inertia ixx"
    )
    press(page, ".properties .close")
    assert page.eval("document.querySelector('.properties').hidden")


@pytest.mark.slow
def test_poses(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    show(page, tmp_path, robot)

    def take(name: str) -> dict[str, float]:
        page.eval(
            f"(menu => {{ menu.value = {json.dumps(name)}; menu.dispatchEvent(new Event('change')); }})"
            "(document.querySelector('.poses'))"
        )
        return {j: call(page, "position", j) for j in call(page, "joints")}

    standard = dict(robot.configurations[0].positions)
    assert take("Standard pose") == {name: standard.get(name, 0.0) for name in call(page, "joints")}
    random = take("Random pose")
    assert random != take("Random pose")
    for name, value in random.items():
        low, high = robot.joint(name).limits.position
        assert low <= value <= high
    assert set(take("All at zero").values()) == {0.0}
    page.key("t", 84, "t")
    assert stage(page)[:20, :20].mean() < 80
    page.key("t", 84, "t")
    assert stage(page)[:20, :20].mean() > 200


@pytest.mark.slow
def test_self_collision_matrix(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    show(page, tmp_path, robot)
    press(page, "[data-open=pairs]")
    assert "of 276 pairs are tested" in text(page, ".pairs-card .count")
    size = page.eval("document.querySelector('canvas.matrix').getBoundingClientRect().width")
    cell = size / len(robot.links)
    x, y = page.middle("canvas.matrix")
    page.mouse("mouseMoved", x - size / 2 + 1.5 * cell, y - size / 2 + 4.5 * cell)
    page.settle()
    said = text(page, ".pairs-card .said")
    assert said.startswith(f"{robot.links[4].name} and {robot.links[1].name}: ")
    press(page, ".pairs-card .close")
    assert page.eval("document.querySelector('.pairs-card').hidden")
    assert complaints(page) == []


def touch(page: Page, kind: str, *points: tuple[float, float]) -> None:
    """Dispatch a touch event with all current touch points."""
    fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    page.call("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)
    page.settle()


@pytest.mark.slow
def test_touch_selects_and_drags(page: Page, biped: str, tmp_path: Path) -> None:
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    show(page, tmp_path, ub.load(biped))
    x, y = on(page, "RARM_ELBOW")
    touch(page, "touchStart", (x, y))
    touch(page, "touchEnd")
    assert call(page, "selected") == "RARM_ELBOW"
    call(page, "select", None)
    # Two fingers rotate and zoom the view without selecting.
    touch(page, "touchStart", (x, y))
    touch(page, "touchStart", (x, y), (x + 80, y))
    touch(page, "touchMove", (x, y), (x + 120, y))
    touch(page, "touchEnd")
    assert call(page, "selected") is None
    press(page, ".fit")
    press(page, "[data-mode=grab]")
    x, y = on(page, "RARM_ELBOW")
    before = poses(page)
    touch(page, "touchStart", (x, y))
    touch(page, "touchMove", (x + 20, y - 20))
    pulled = poses(page)
    assert np.abs(pulled - before).max() > 0.005
    # A second finger is ignored while dragging.
    touch(page, "touchStart", (x + 20, y - 20), (700, 600))
    touch(page, "touchMove", (x + 20, y - 20), (500, 300))
    assert np.abs(poses(page) - pulled).max() < 1e-9
    touch(page, "touchEnd")
    assert complaints(page) == []


SMALL = """[...document.querySelectorAll('button, select, summary, input')].filter(each => {
    const { width, height } = each.getBoundingClientRect();
    return each.checkVisibility() && width > 0 && each.type !== 'checkbox' && Math.min(width, height) < 24;
}).map(each => each.outerHTML.slice(0, 80))"""

OUTSIDE = """[...document.querySelectorAll('.tools button, .toolbar button')].filter(each => {
    const bar = each.parentElement.getBoundingClientRect(), box = each.getBoundingClientRect();
    const inside = box.left >= bar.left && box.right <= bar.right && box.bottom <= bar.bottom;
    return each.checkVisibility() && !inside;
}).map(each => each.textContent)"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 390, 700])
def test_targets_on_phones_are_large_enough(
    width: int, chromium: Chromium, biped: str, tmp_path: Path
) -> None:
    page = chromium.page(width, 800)
    show(page, tmp_path, ub.load(biped))
    call(page, "select", "CHEST")
    assert page.eval(SMALL) == []
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [740, 820, 1000, 1280])
def test_bars_stay_in_the_scene(width: int, chromium: Chromium, biped: str, tmp_path: Path) -> None:
    page = chromium.page(width, 900)
    show(page, tmp_path, ub.load(biped))
    assert page.eval(OUTSIDE) == []
    page.close()
