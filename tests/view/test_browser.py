"""The page in a browser: poses agree with the library, and no other resources are loaded."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from tests.view.browsing import (
    TESTS,
    call,
    complaints,
    field,
    focus,
    poses,
    press,
    ready,
    served,
    show,
    slider,
    stage,
)
from tests.view.test_page import HOSTILE, hostile
from tools.chromium import BrowserError, Chromium, Page, path_address

import unibody as ub
from unibody.mechanism import Mechanism, assemble
from unibody.model.joint_kind import KINDS
from unibody.model.json import loads
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Joint, Link, Robot
from unibody.page.data import page_data
from unibody.page.page import empty_page, filled_page
from unibody.page.robot import computable
from unibody.text.finding import Finding, Findings


@pytest.fixture(params=["served", pytest.param("file", marks=pytest.mark.slow)])
def biped_page(
    request: pytest.FixtureRequest, page: Page, biped: str, tmp_path: Path
) -> Iterator[tuple[Page, Mechanism]]:
    """The bundled biped's page, from its server and from a file."""
    reading = ub.read(biped)
    assert reading.robot is not None
    mechanism = assemble(reading.robot)
    if request.param == "file":
        show(page, tmp_path, reading.robot)
        yield page, mechanism
        assert all(url.startswith(("file:///", "data:")) for url in page.requests())
    else:
        with served(page_data(reading.robot).bytes) as server:
            page.open(server.address)
            ready(page)
            yield page, mechanism
        own = f"127.0.0.1:{server.server_port}"
        assert {urlsplit(url).netloc for url in page.requests() if url.startswith("http")} == {own}
    assert complaints(page) == []


def test_slider_poses_agree_with_forward_kinematics(biped_page: tuple[Page, Mechanism]) -> None:
    page, m = biped_page
    assert np.abs(poses(page) - m.forward_kinematics({})).max() < 1e-9
    before = stage(page)
    x, y = page.middle(slider("RLEG_HIP_P"))
    page.drag((x + 21, y), (x - 20, y))
    angle = call(page, "position", "RLEG_HIP_P")
    assert m.robot.joint("RLEG_HIP_P").limits.position[0] < angle < -0.2
    drawn = poses(page)
    assert np.abs(drawn - m.forward_kinematics({"RLEG_HIP_P": angle})).max() < 1e-5
    moved = np.abs(drawn - m.forward_kinematics({})).max(axis=(1, 2)) > 1e-3
    assert {name for name, far in zip(m.link_names, moved, strict=True) if far} == {
        "RLEG_HIP_P",
        "RLEG_KNEE",
        "RLEG_ANKLE_P",
        "RLEG_ANKLE_R",
    }
    assert (np.abs(stage(page) - before).max(axis=2) > 40).mean() > 0.005


def test_scene_is_not_blank(biped_page: tuple[Page, Mechanism]) -> None:
    page, _ = biped_page
    seen = stage(page)
    background = np.median(seen.reshape(-1, 3), axis=0)
    covered = (np.abs(seen - background).max(axis=2) > 25).mean()
    assert 0.1 < covered < 0.6
    assert len(np.unique(seen.reshape(-1, 3).astype(int), axis=0)) > 500
    # The hands and soles are orange.
    orange = (seen[:, :, 0] > 180) & (seen[:, :, 2] < 60)
    assert 0.005 < orange.mean() < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kitchen_sink", "closed_loop", "mimic", "mpk", "pendulum", "sensors"])
def test_all_joints_agree_with_the_library(name: str, page: Page, tmp_path: Path) -> None:
    robot = loads((TESTS / "robots" / f"{name}.json").read_text("utf-8"), name, Findings())
    assert robot is not None
    show(page, tmp_path, robot)
    m = assemble(computable(robot))
    around = np.tile(np.eye(4), (len(robot.solids) - len(robot.links), 1, 1))

    def expected(q: Any) -> Any:
        return np.concatenate([np.asarray(m.forward_kinematics(q)), around])

    assert np.abs(poses(page) - expected(m.apply_couplings({}))).max() < 1e-9
    chance = np.random.default_rng(7)
    for _ in range(5):
        for joint in robot.joints:
            size = KINDS[joint.kind].nq
            if size:
                call(page, "move", joint.name, *chance.uniform(-1.0, 1.0, size))
        q = m.positions({j.name: call(page, "positions", j.name) for j in m.robot.joints if moves(j)})
        if robot.base == "free":
            q[:7] = call(page, "positions", "base")
        assert np.abs(q - m.apply_couplings(q)).max(initial=0.0) < 1e-12
        assert np.abs(poses(page) - expected(q)).max() < 1e-5
    assert complaints(page) == []


def moves(joint: Joint) -> bool:
    return joint.kind not in ("fixed", "track")


@pytest.mark.slow
def test_base_can_be_moved(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    show(page, tmp_path, robot)
    place = [0.3, -0.2, 1.0, 0.5, 0.5, -0.5, 0.5]
    call(page, "move", "base", *place)
    assert np.abs(poses(page) - assemble(robot).forward_kinematics({"WAIST": place})).max() < 1e-9
    # The sliders set roll, pitch and yaw in degrees.
    call(page, "move", "base", 0, 0, 1, 1, 0, 0, 0)
    for angle, text in (("pitch", "30"), ("yaw", "-50")):
        focus(page, field(f"base.{angle}"))
        page.eval("document.activeElement.select()")
        page.call("Input.insertText", text=text)
        page.key("Enter", 13, "\r")
    turned = Pose((0.0, 0.0, 1.0), from_rpy(0.0, math.radians(30), math.radians(-50)))
    assert np.abs(poses(page)[0] - np.array(turned.matrix())).max() < 1e-9
    page.click(*page.middle("[data-command='pose.initial']"))
    assert np.abs(poses(page) - assemble(robot).forward_kinematics({})).max() < 1e-9


def enter(page: Page, joint: str, words: str) -> str:
    """Type into the field of a joint; the message below it."""
    focus(page, field(joint))
    page.eval("document.activeElement.select()")
    page.call("Input.insertText", text=words) if words else page.key("Backspace", 8)
    page.key("Enter", 13, "\r")
    note: str = page.eval("document.activeElement.parentElement.querySelector('.told').innerText")
    return note


@pytest.mark.slow
def test_typed_expressions_and_limits(biped_page: tuple[Page, Mechanism]) -> None:
    page, m = biped_page
    for words, angle, note in (
        ("30", 30.0, ""),
        ("pi/4", 45.0, ""),
        ("0.5rad", 28.6, ""),
        ("2*(10 + 5)", 30.0, ""),
        ("500", 140.0, "500° is beyond the limit of 140°"),
        ("-1e3", 0.0, "−1000° is beyond the limit of 0°"),
        ("90deg", 90.0, ""),
    ):
        assert enter(page, "RLEG_KNEE", words) == note
        assert page.eval("document.activeElement.value") == f"{angle:g}"
        assert call(page, "position", "RLEG_KNEE") == pytest.approx(np.radians(angle), abs=1e-3)
        assert page.eval("document.activeElement.ariaInvalid") == "false"
    # What is not a position is refused with the reason; the text stays while the field has the focus.
    for words, part in (
        ("30,5", "30.5"),
        ("", "enter a number"),
        ("30 mm", "angle"),
        ("knee", "unknown name"),
    ):
        assert part in enter(page, "RLEG_KNEE", words)
        assert page.eval("document.activeElement.value") == words
        assert page.eval("document.activeElement.ariaInvalid") == "true"
        assert call(page, "position", "RLEG_KNEE") == pytest.approx(np.radians(90))
    page.eval("document.activeElement.blur()")
    assert page.eval(f"document.querySelector({json.dumps(field('RLEG_KNEE'))}).value") == "90"
    # Keys of shortcuts are text here.
    assert page.eval("window.unibody.selected()") is None
    assert enter(page, "RLEG_KNEE", "0") == ""
    focus(page, field("RLEG_KNEE"))
    page.key("ArrowUp", 38)
    assert call(page, "position", "RLEG_KNEE") == pytest.approx(np.radians(1.0))
    page.click(*page.middle("[data-command='pose.initial']"))
    assert call(page, "position", "RLEG_KNEE") == 0.0
    assert np.abs(poses(page) - m.forward_kinematics({})).max() < 1e-9


def test_arrow_keys_move_a_slider(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    focus(page, slider("NECK_Y"))
    page.key("ArrowRight", 39)
    first = call(page, "position", "NECK_Y")
    page.key("End", 35)
    assert 0 < first < call(page, "position", "NECK_Y")
    upper = ub.load(biped).joint("NECK_Y").limits.position[1]
    assert call(page, "position", "NECK_Y") == pytest.approx(upper)


def test_coupled_joints_follow_and_are_disabled(page: Page, tmp_path: Path) -> None:
    robot = ub.load(TESTS / "commands/models/gripper.urdf")
    show(page, tmp_path, robot)
    call(page, "move", "left", 0.03)
    assert call(page, "position", "right") == pytest.approx(-0.03)
    assert page.eval(f"document.querySelector({json.dumps(slider('right'))}).disabled")
    assert page.eval(f"document.querySelector({json.dumps(field('right'))}).disabled")
    assert page.eval(f"document.querySelector({json.dumps(field('right'))}).value") == "-0.03"
    assert not page.eval(f"document.querySelector({json.dumps(slider('left'))}).disabled")


@pytest.mark.slow
def test_layers_change_the_scene(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    seen = {"": stage(page)}
    for layer in ("collision", "frames", "mass", "visual"):
        page.click(*page.middle(f"[data-layer={layer}]"))
        assert page.eval(f"document.querySelector('[data-layer={layer}]').ariaPressed") == (
            "false" if layer == "visual" else "true"
        )
        page.mouse("mouseMoved", 330, 20)
        seen[layer] = stage(page)
    pictures = list(seen.values())
    for before, after in pairwise(pictures):
        assert (np.abs(after - before).max(axis=2) > 20).mean() > 0.001
    for layer in ("c", "f", "m"):
        page.key(layer, ord(layer.upper()), layer)
    empty = stage(page)
    assert (np.abs(empty - seen[""]).max(axis=2) > 20).mean() > 0.1
    page.key("v", ord("V"), "v")
    # Below the tools, where now something can be undone; a key shows which button has the focus.
    page.eval("document.activeElement.blur()")
    assert np.array_equal(stage(page)[60:], seen[""][60:])


@pytest.mark.slow
def test_pointer_hovers_and_selects_links(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    x, y = next(
        (x, y)
        for y, x in product(range(100, 400, 10), range(500, 700, 10))
        if call(page, "linkAt", x, y) == "CHEST"
    )
    page.mouse("mouseMoved", x + 4, y + 4)
    page.settle()
    words = page.eval("[...document.querySelector('.label.hover').children].map(e => e.textContent)")
    assert words == ["CHEST", "revolute joint · box"]
    assert page.eval("document.querySelector('[role=treeitem].hovered .name').textContent") == "CHEST"
    before = stage(page)
    page.click(x + 4, y + 4)
    assert call(page, "selected") == "CHEST"
    assert (
        page.eval("document.querySelector('[role=treeitem][aria-selected=true] .name').textContent")
        == "CHEST"
    )
    assert (np.abs(stage(page) - before).max(axis=2) > 15).mean() > 0.02
    page.drag((x + 4, y + 4), (x + 90, y + 30))
    assert call(page, "selected") == "CHEST"
    page.click(320, 20)
    assert call(page, "selected") is None


@pytest.mark.slow
def test_tree_supports_keyboard_navigation(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    focus(page, "[role=treeitem]")
    name = "document.activeElement.querySelector('.name').textContent"
    for key, code, expected in (
        ("ArrowDown", 40, "WAIST_ACCELERATION"),
        ("ArrowDown", 40, "WAIST_GYRO"),
        ("ArrowDown", 40, "WAIST_IMU"),
        ("ArrowDown", 40, "RLEG_HIP_Y"),
        ("ArrowRight", 39, "RLEG_HIP_R"),
        ("ArrowLeft", 37, "RLEG_HIP_R"),
        ("ArrowDown", 40, "LLEG_HIP_Y"),
        ("Home", 36, "WAIST"),
        ("End", 35, "LARM_ELBOW"),
        ("ArrowLeft", 37, "LARM_SHOULDER_Y"),
    ):
        page.key(key, code)
        assert page.eval(name) == expected, key
    page.key("Enter", 13, "\r")
    assert call(page, "selected") == "LARM_SHOULDER_Y"
    # Selecting a collapsed link elsewhere expands its ancestors.
    assert page.eval("document.querySelector('[title=RLEG_ANKLE_R]').hidden")
    call(page, "select", "RLEG_ANKLE_R")
    assert not page.eval("document.querySelector('[title=RLEG_ANKLE_R]').hidden")
    page.key("Escape", 27)
    assert call(page, "selected") is None


@pytest.mark.slow
def test_keys_rotate_the_view(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    first = stage(page)
    focus(page, "canvas")
    for key, code in (("ArrowLeft", 37), ("ArrowUp", 38), ("+", 187)):
        before = stage(page)
        page.key(key, code, key if len(key) == 1 else "")
        assert (np.abs(stage(page) - before).max(axis=2) > 20).mean() > 0.01
    page.key("0", 48, "0")
    assert (np.abs(stage(page) - first).max(axis=2) > 20).mean() < 0.005


@pytest.mark.slow
def test_findings_are_grouped_by_rule(page: Page, tmp_path: Path) -> None:
    links = (Link(name="base"), Link(name="tip"))
    robot = Robot(
        name="r", links=links, joints=(Joint(name="j", kind="fixed", parent="base", child="tip"),)
    )
    slips = [Finding("uri-slip", "warning", f"slip {k}", None, subject="links/tip") for k in range(600)]
    missing = [Finding("file-missing", "warning", f"missing {k}") for k in range(3)]
    show(page, tmp_path, robot, [*slips, *missing, Finding("loop", "error", "the error")])
    rows = "[...document.querySelectorAll('.findings .finding')].filter(row => row.checkVisibility())"
    shown: list[str] = page.eval(f"{rows}.map(row => row.innerText)")
    assert ["the error" in shown[0], "uri-slip ×600" in shown[1], "slip 0" in shown[1]] == [True] * 3
    assert len(shown) == 5
    press(page, "[data-rule=uri-slip] > summary")
    assert page.eval(f"{rows}.length") == 505
    assert page.eval("document.querySelector('[data-rule=uri-slip] .empty').innerText") == "… and 100 more"
    call(page, "select", "tip")
    assert page.eval("document.querySelector('[data-rule=uri-slip] > summary').matches('.selected')")
    assert (
        page.eval("document.querySelectorAll('[data-rule=uri-slip] button.finding.selected').length") == 500
    )


def test_findings_select_their_links(page: Page, tmp_path: Path) -> None:
    reading = ub.read(TESTS / "commands/models/slips.urdf")
    assert reading.robot is not None
    show(page, tmp_path, reading.robot, reading.findings)
    text = page.eval("document.querySelector('.findings').innerText")
    for part in (
        "'meshes/arm.stl' is missing",
        "slips.urdf:10",
        "file-missing",
        "limits-reversed",
        "warning",
    ):
        assert part in text
    page.click(*page.middle("button.finding"))
    assert call(page, "selected") == "arm"
    # A box replaces the mesh and can be picked.
    page.click(320, 20)
    assert call(page, "linkAt", 608, 374) == "arm"
    assert page.eval("document.querySelector('[role=treeitem] .dot').className") == "dot warning"
    assert complaints(page) == []


def test_hostile_names_are_shown_as_text(page: Page, tmp_path: Path) -> None:
    findings = [Finding("x", "error", f"link '{name}': {name}", None, name) for name in HOSTILE]
    robot = hostile()
    show(page, tmp_path, robot, findings)
    assert page.eval("window.pwned") is None
    assert page.eval("document.images.length") == 0
    assert page.eval("document.querySelectorAll('script').length") == 2
    shown = page.eval("[...document.querySelectorAll('[role=treeitem] .name')].map(e => e.textContent)")
    # Neither the driver nor the page supports lone surrogates.
    assert shown[:-1] == HOSTILE[:-1]
    for name in HOSTILE[1:-1]:
        call(page, "move", name, 0.25)
        assert call(page, "position", name) == 0.25
    assert page.eval("document.querySelector('h1').textContent") == HOSTILE[0]
    assert complaints(page) == []


@pytest.mark.slow
def test_theme_follows_the_color_scheme(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    light = stage(page)[:20, :20].mean()
    page.dark(True)
    dark = stage(page)[:20, :20].mean()
    page.dark(False)
    assert light > 200
    assert dark < 80
    assert stage(page)[:20, :20].mean() == light


@pytest.mark.slow
def test_robot_without_shapes(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, Robot(name="point", links=(ub.Link(name="point"),), base="fixed"))
    assert page.eval("document.querySelector('.joints').innerText").endswith("No movable joints.")
    frames = stage(page)
    page.key("f", 70, "f")
    assert (np.abs(stage(page) - frames).max(axis=2) > 60).mean() > 0.0005
    assert complaints(page) == []


def test_empty_page_reports_the_missing_model(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "empty.html"
    file.write_bytes(empty_page())
    page.open(path_address(file))
    page.wait("document.querySelector('.problem')")
    assert "contains no model" in page.eval("document.querySelector('.problem').textContent")


def test_without_webgl_the_panels_are_shown(page: Page, biped: str, tmp_path: Path) -> None:
    source = "HTMLCanvasElement.prototype.getContext = () => null"
    page.call("Page.addScriptToEvaluateOnNewDocument", source=source)
    file = tmp_path / "page.html"
    file.write_bytes(filled_page(page_data(ub.load(biped)).bytes))
    page.open(path_address(file))
    page.wait("document.querySelector('.problem')")
    assert "WebGL" in page.eval("document.querySelector('.problem').textContent")
    assert page.eval("document.querySelectorAll('[role=treeitem]:not(.leaf)').length") == 24


def test_wrong_token_is_rejected(chromium: Chromium, page: Page, biped: str) -> None:
    with served(page_data(ub.load(biped)).bytes) as server:
        page.open(f"http://127.0.0.1:{server.server_port}/guess/")
        assert "the address is wrong" in page.eval("document.body.innerText")
        # A page of another origin (here an opaque one) cannot read the response.
        page.open("about:blank")
        with pytest.raises(BrowserError, match="Failed to fetch"):
            page.eval(f"fetch('{server.address}model').then(answer => answer.arrayBuffer())")
