"""The panel of the joints in a browser: rows, groups, limits, marks, and the selection."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.view.browsing import call, complaints, press, show, slider, text, texts
from tests.view.test_interaction import on
from tools.chromium import Chromium, Page

import unibody as ub
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Limits, Link, Robot
from unibody.model.shape import Box, Shape

CUBE = Shape(geometry=Box(size=(0.06, 0.06, 0.06)))
# Sliders whose whole row is to be seen.
SEEN = """[...document.querySelectorAll('.joint')].filter(row => {
    const list = row.closest('.panel-body').getBoundingClientRect(), box = row.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.top >= list.top && box.bottom <= Math.min(list.bottom, innerHeight) && row.contains(at);
})"""


def tall() -> Robot:
    """A robot like Talos: 44 joints, whose names have 30 letters."""
    links, joints = [Link(name="base")], []

    def chain(stem: str, count: int, parent: str, y: float, z: float) -> str:
        for number in range(1, count + 1):
            name = f"{stem}_{number}_".ljust(24, "x") + "_joint"
            links.append(Link(name=f"{name}_link", visuals=(CUBE,)))
            limits = Limits(position=(-1.5, 0.5 + 0.1 * number))
            origin = Pose(xyz=(0.0, y if number == 1 else 0.0, z))
            joints.append(
                Joint(name=name, kind="revolute", parent=parent, child=links[-1].name, axis=(0.0, 1.0, 0.0),
                      origin=origin, limits=limits)
            )  # fmt: skip
            parent = links[-1].name
        return parent

    torso = chain("torso", 2, "base", 0.0, 0.1)
    for side, y in (("left", 0.2), ("right", -0.2)):
        chain(f"leg_{side}", 6, "base", y / 2, -0.12)
        arm = chain(f"arm_{side}", 7, torso, y, -0.1)
        chain(f"gripper_{side}", 7, arm, y / 4, -0.06)
    chain("head", 2, torso, 0.0, 0.12)
    return Robot(name="tall", links=tuple(links), joints=tuple(joints), base="fixed")


@pytest.mark.slow
def test_many_rows_whatever_the_names(chromium: Chromium, tmp_path: Path) -> None:
    page = chromium.page(1366, 768)
    robot = tall()
    assert {len(joint.name) for joint in robot.joints} == {30}
    assert len(robot.joints) == 44
    show(page, tmp_path, robot)
    assert page.eval(f"{SEEN}.length") >= 24
    assert page.eval("new Set([...document.querySelectorAll('.joint')].map(e => e.offsetHeight)).size") == 1
    assert page.eval("document.querySelector('.joint').offsetHeight") == 24
    titles = texts(page, ".branch summary .name")
    assert titles == [
        "torso, head",
        "arm_left, gripper_left",
        "arm_right, gripper_right",
        "leg_left",
        "leg_right",
    ]
    first = texts(page, ".joint .low")[0], texts(page, ".joint .high")[0]
    assert first == ("−85.9", "34.4")
    press(page, "[data-choice=rad]")
    assert (texts(page, ".joint .low")[0], texts(page, ".joint .high")[0]) == ("−1.5", "0.6")
    page.eval("document.querySelector('.filter-joints').focus()")
    page.call("Input.insertText", text="arm_right_3")
    assert (
        page.eval("[...document.querySelectorAll('.joint')].filter(e => e.checkVisibility()).length") == 1
    )
    # A selection shows its row, whatever the filter says.
    call(page, "select", robot.joints[-1].child)
    assert page.eval(f"{SEEN}.some(row => row.classList.contains('selected'))")
    assert complaints(page) == []
    page.close()


@pytest.mark.slow
def test_ten_of_ten_selected_links_have_a_slider_in_sight(chromium: Chromium, tmp_path: Path) -> None:
    page = chromium.page(1366, 768)
    robot = tall()
    show(page, tmp_path, robot)
    for joint in robot.joints[3:43:4]:
        call(page, "select", joint.child)
        page.settle()
        assert page.eval(f"{SEEN}.some(row => row.querySelector('{slider(joint.name)}'))"), joint.name
        assert text(page, ".properties h2") == f"{joint.child} link"
        assert page.eval(
            "document.querySelector('.properties').getBoundingClientRect().top < innerHeight - 100"
        )
    page.close()


@pytest.mark.slow
def test_from_a_search_to_the_slider(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    page.key("/", 191, "/")
    page.call("Input.insertText", text="larm_shoulder_r")
    page.key("Enter", 13, "\r")
    assert page.eval("document.activeElement.dataset.joint") == "LARM_SHOULDER_R"
    assert page.eval("document.activeElement.type") == "range"
    page.key("ArrowRight", 39)
    assert call(page, "position", "LARM_SHOULDER_R") != 0.0


def test_changed_joints_are_marked_and_reset(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    assert texts(page, ".joint.changed .name") == []
    call(page, "move", "CHEST", 0.2)
    call(page, "move", "NECK_Y", 0.1)
    assert texts(page, ".joint.changed .name") == ["CHEST", "NECK_Y"]
    press(page, ".joint.changed .reset")
    assert (call(page, "position", "CHEST"), call(page, "position", "NECK_Y")) == (0.0, 0.1)
    assert page.eval("document.activeElement.dataset.joint") == "CHEST"
    call(page, "run", "undo")
    assert call(page, "position", "CHEST") == 0.2


@pytest.mark.slow
def test_a_click_on_a_link_opens_below_its_row(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    page.click(*on(page, "LARM_ELBOW"))
    page.settle()
    assert page.eval("document.querySelector('.joint.selected').nextElementSibling.className") == (
        "panel properties"
    )
    assert page.eval(f"{SEEN}.some(row => row.classList.contains('selected'))")
