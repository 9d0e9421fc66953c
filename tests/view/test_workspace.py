"""Workspace points in the page's data and in the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.view.browsing import (
    call,
    complaints,
    focus,
    near,
    press,
    ready,
    show,
    show_all,
    stage,
    text,
    texts,
)
from tests.view.test_data import array, header
from tests.view.test_page import embedded
from tools.chromium import Page, path_address

import unibody as ub
from unibody.cli.main import main
from unibody.formats import FORMATS
from unibody.formats.loader import read
from unibody.mechanism import assemble
from unibody.model.pose import Pose
from unibody.model.robot import Frame, Robot
from unibody.page.cloud import Cloud, given, sampled
from unibody.page.data import Extras, Shown, Up, pages_data
from unibody.page.pack import unpack
from unibody.page.page import filled_page

ROOT = Path(__file__).resolve().parents[2]
ARM = str(ROOT / "src/unibody/models/arm.rob")
LOOP = str(ROOT / "tests/commands/models/four_bar.body")
HAND = "LARM_ELBOW"


def drawn(page: Page) -> NDArray[np.float64]:
    page.settle()
    return np.array(call(page, "points")).reshape(-1, 3)


def test_points_are_stored_as_bytes(biped: str) -> None:
    robot = ub.load(biped)
    cloud = sampled(robot, HAND, 100, seed=3)
    made = pages_data([Shown(robot=robot)], extras=Extras(workspace=cloud))
    data = header(made)["workspace"]
    place = [link.name for link in robot.links].index(HAND)
    assert data["item"] == ["link", place]
    assert (data["samples"], data["method"], data["seed"]) == (100, "uniform", 3)
    points = array(made, data["points"]).reshape(-1, 3)
    assert np.abs(points - assemble(robot).workspace(HAND, 100, seed=3)).max() < 1e-6
    again = pages_data([Shown(robot=robot)], extras=Extras(workspace=sampled(robot, HAND, 100, seed=3)))
    assert again.bytes == made.bytes
    assert header(pages_data([Shown(robot=robot)]))["workspace"] is None


def test_frames_and_points_from_elsewhere(biped: str) -> None:
    robot = ub.load(biped)
    framed = with_frame(robot)
    data = header(pages_data([Shown(robot=framed)], extras=Extras(workspace=sampled(framed, "tip", 5))))
    assert data["workspace"]["item"] == ["frame", 0]
    data = header(pages_data([Shown(robot=robot)], extras=Extras(workspace=given(np.zeros((7, 3))))))
    assert data["workspace"] | {"points": 0} == {
        "item": None,
        "samples": 7,
        "method": "",
        "seed": None,
        "search": False,
        "points": 0,
        "edges": None,
    }
    tree = Cloud(points=np.ones((2, 3)), samples=2, search=True)
    assert header(pages_data([Shown(robot=robot)], extras=Extras(workspace=tree)))["workspace"]["search"]
    nothing = Cloud(points=np.zeros((0, 3)), samples=9)
    assert header(pages_data([Shown(robot=robot)], extras=Extras(workspace=nothing)))["workspace"] is None
    for wrong in ([1.0, 2.0, 3.0], [[1.0, 2.0]], [[np.nan, 0.0, 0.0]]):
        with pytest.raises(ValueError, match="finite numbers"):
            given(wrong)


def with_frame(robot: Robot) -> Robot:
    return Robot(
        name=robot.name,
        links=robot.links,
        joints=robot.joints,
        frames=(Frame(name="tip", link=HAND, pose=Pose((0.0, 0.0, -0.15))),),
    )


def test_too_many_points_are_rejected(biped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unibody.page.cloud.MOST", 3)
    with pytest.raises(ValueError, match="at most 3 points"):
        pages_data([Shown(robot=ub.load(biped))], extras=Extras(workspace=given(np.zeros((4, 3)))))


def test_workspace_argument_is_a_name_or_points(biped: str) -> None:
    robot = ub.load(biped)
    by_name = embedded_header(ub.view(robot, workspace=HAND, browser=False).html())
    assert (by_name["workspace"]["samples"], by_name["up"]) == (10_000, "z")
    by_points = embedded_header(ub.view(robot, workspace=np.ones((2, 3)), up="y", browser=False).html())
    assert (by_points["workspace"]["samples"], by_points["up"]) == (2, "y")
    with pytest.raises(KeyError, match="no link or frame"):
        ub.view(robot, workspace="HAND", browser=False)
    with pytest.raises(ValueError, match="no points"):
        ub.view(robot, workspace=np.zeros((0, 3)), browser=False)


def embedded_header(html: bytes) -> dict[str, Any]:
    return unpack(embedded(html))[0]


def test_view_command(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "page.html")
    words = ["view", biped, "--html", target, "--overwrite"]
    assert main([*words, "--workspace", HAND, "--samples", "50", "--seed", "2"]) == 0
    data = embedded_header(Path(target).read_bytes())["workspace"]
    assert (data["samples"], data["seed"], data["points"][2]) == (50, 2, 150)
    capsys.readouterr()
    for more, message in (
        (["--workspace", "HAND"], "no link or frame 'HAND'"),
        (["--samples", "9"], "--samples requires --workspace"),
        (["--seed", "9"], "--seed requires --workspace"),
        (["--workspace", HAND, "--samples", "0"], "expected a whole number from 1 to"),
        (["--workspace", HAND, "--seed", "-1"], "expected a whole number from 0"),
    ):
        assert main([*words, *more]) == 2
        assert message in capsys.readouterr().err


def test_workspace_command(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    words = ["workspace", biped, HAND, "--samples", "60", "--method", "halton", "--html", str(target)]
    assert main(words) == 0
    data = embedded_header(target.read_bytes())["workspace"]
    assert (data["samples"], data["method"], data["seed"]) == (60, "halton", 0)
    capsys.readouterr()
    assert main(words) == 2
    assert "--overwrite" in capsys.readouterr().err


def test_upward_axis() -> None:
    assert {f.name for f in FORMATS if f.up == "y"} == {"mpk-scene", "inventor"}


BOX = "Shape { geometry Box { } }"


# a VRML97 file is a robot if one of OpenHRP's nodes is anywhere in it
@pytest.mark.parametrize(
    ("text", "up"),
    [
        (BOX, "y"),
        (f"Transform {{ children [ {BOX} ] }} Viewpoint {{ }}", "y"),
        (f"Group {{ children Switch {{ whichChoice 0 choice LOD {{ level {BOX} }} }} }}", "y"),
        (f"Joint {{ children Segment {{ children {BOX} }} }}", "z"),
        (f"Group {{ children Switch {{ choice LOD {{ level Segment {{ children {BOX} }} }} }} }}", "z"),
        ('Inline { url "part.wrl" }', "z"),
        (f"Humanoid {{ humanoidBody Joint {{ children Segment {{ children {BOX} }} }} }}", "z"),
    ],
)
def test_upward_axis_of_vrml97_files(text: str, up: str, tmp_path: Path) -> None:
    (tmp_path / "part.wrl").write_text(f"#VRML V2.0 utf8\nSegment {{ children {BOX} }}")
    file = tmp_path / "a.wrl"
    file.write_text(f"#VRML V2.0 utf8\n{text}\n")
    assert read(file).up == up
    target = tmp_path / "a.html"
    assert main(["view", str(file), "--html", str(target)]) in (0, 1)
    assert embedded_header(target.read_bytes())["up"] == up
    robot = read(file).robot
    assert robot is not None
    assert robot.up == up
    renamed = ub.rename(robot, {robot.root: "OTHER"})
    assert embedded_header(ub.view(renamed, browser=False).html())["up"] == up
    other: Up = "z" if up == "y" else "y"
    assert embedded_header(ub.view(robot, up=other, browser=False).html())["up"] == other
    assert main(["workspace", str(file), robot.root, "--html", str(target), "--overwrite"]) in (0, 1)
    assert embedded_header(target.read_bytes())["up"] == up


@pytest.mark.parametrize(("name", "up"), [("arm.rob", "z"), ("biped.body", "z"), ("biped.wrl", "z")])
def test_upward_axis_of_robots(name: str, up: str) -> None:
    assert read(ROOT / "src/unibody/models" / name).up == up


@pytest.mark.slow
def test_points_agree_with_forward_kinematics(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    m = assemble(robot)
    show(page, tmp_path, robot, extras=Extras(workspace=sampled(robot, HAND, 2000, seed=5)))
    points = m.workspace(HAND, 2000, seed=5)
    assert np.abs(drawn(page) - points).max() < 1e-6
    assert text(page, ".card.workspace h2") == f"{HAND} workspace"
    assert text(page, ".card.workspace header + p") == "2,000 points · random, seed 5"
    low, high = points.min(axis=0), points.max(axis=0)
    cells = [row.replace("−", "-") for row in texts(page, ".extents tr")]
    assert cells == [
        f"{axis}{low[i]:.3f}…{high[i]:.3f}{high[i] - low[i]:.3f} m" for i, axis in enumerate("xyz")
    ]
    far = np.linalg.norm(points - m.forward_kinematics({})[0][:3, 3], axis=1)
    assert texts(page, ".card.workspace .ends span") == [f"{far.min():.3f} m", f"{far.max():.3f} m"]
    # The points move with the root.
    call(page, "move", "base", 0.5, -0.25, 1.0, 0.5, 0.5, 0.5, 0.5)
    moved = m.forward_kinematics({"WAIST": [0.5, -0.25, 1.0, 0.5, 0.5, 0.5, 0.5]})[0] @ np.linalg.inv(
        m.forward_kinematics({})[0]
    )
    assert np.abs(drawn(page) - (points @ moved[:3, :3].T + moved[:3, 3])).max() < 1e-6
    assert complaints(page) == []


@pytest.mark.slow
def test_points_can_be_hidden_colored_and_cut(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    cloud = sampled(robot, HAND, 4000)
    show(page, tmp_path, robot, extras=Extras(workspace=cloud, layers=["visual"]))
    page.mouse("mouseMoved", 540, 20)
    seen = stage(page)
    press(page, "[data-layer=workspace]")
    assert len(drawn(page)) == 0
    assert page.eval("document.querySelector('.card.workspace').hidden")
    page.mouse("mouseMoved", 540, 20)
    hidden = stage(page)
    assert (np.abs(hidden - seen).max(axis=2) > 20).mean() > 0.01
    page.key("w", ord("W"), "w")
    # Below the tools, where now something can be undone; a key shows which button has the focus.
    page.eval("document.activeElement.blur()")
    assert np.array_equal(stage(page)[60:], seen[60:])
    page.eval("document.querySelector('.card.workspace select').focus()")
    page.eval(
        "Object.assign(document.activeElement, {value: 'z'})"
        ".dispatchEvent(new Event('change', {bubbles: true}))"
    )
    ends = [f"{cloud.points[:, 2].min():.3f} m", f"{cloud.points[:, 2].max():.3f} m"]
    assert texts(page, ".card.workspace .ends span") == ends
    press(page, '.card.workspace [data-choice="1"]')
    middle = (cloud.points[:, 1].min() + cloud.points[:, 1].max()) / 2
    assert np.abs(drawn(page) - cloud.points[cloud.points[:, 1] <= middle]).max() < 1e-6
    focus(page, ".sliding input")
    page.key("Home", 36)
    assert len(drawn(page)) == 1
    press(page, '.card.workspace [data-choice=""]')
    assert len(drawn(page)) == 4000
    press(page, ".card.workspace .close")
    assert len(drawn(page)) == 0
    assert complaints(page) == []


@pytest.mark.slow
def test_page_samples_workspaces(page: Page, biped: str, tmp_path: Path) -> None:
    robot = with_frame(ub.load(biped))
    show(page, tmp_path, robot)
    assert not page.eval("document.querySelector('[data-layer=workspace]').checkVisibility()")
    call(page, "select", HAND)
    press(page, ".properties .reach")
    m = assemble(robot)
    assert np.abs(drawn(page) - m.workspace(HAND, 10_000, method="halton")).max() < 1e-6
    assert text(page, ".card.workspace header + p") == "10,000 points · Halton, seed 0"
    assert page.eval("document.querySelector('[data-layer=workspace]').checkVisibility()")
    call(page, "workspace", "tip")
    assert np.abs(drawn(page) - m.workspace("tip", 10_000, method="halton")).max() < 1e-6
    # A link that does not move has no workspace.
    call(page, "select", "WAIST")
    assert not page.eval("document.querySelector('.reach').checkVisibility()")
    assert complaints(page) == []


def test_page_does_not_sample_closed_loops(page: Page, tmp_path: Path) -> None:
    robot = ub.load(LOOP)
    assert robot.loops
    show(page, tmp_path, robot)
    call(page, "select", robot.joints[0].child)
    assert "unibody view --workspace" in "".join(texts(page, ".properties .note"))
    assert not page.eval("document.querySelector('.reach').checkVisibility()")


@pytest.mark.slow
def test_with_two_robots(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    cloud = sampled(robot, HAND, 300)
    show_all(page, tmp_path, [Shown(robot=robot), Shown(robot=robot)], Extras(workspace=cloud))
    assert len(texts(page, ".card.workspace:not([hidden])")) == 1
    assert np.abs(drawn(page) - cloud.points).max() < 1e-6
    press(page, "[data-choice=over]")
    assert np.abs(drawn(page) - cloud.points).max() < 1e-6
    assert complaints(page) == []


@pytest.mark.slow
def test_upward_axis_rotates_only_the_view(page: Page, tmp_path: Path) -> None:
    robot = ub.load(ARM)
    show(page, tmp_path, robot, extras=Extras(up="y"))
    upright = stage(page)
    before = page.eval("window.unibody.links().map(name => window.unibody.linkPose(name))")
    assert text(page, "[data-set=up]") == "Y up"
    press(page, "[data-set=up]")
    assert text(page, "[data-set=up]") == "Z up"
    assert page.eval("location.hash") == "#up=z"
    assert (np.abs(stage(page) - upright).max(axis=2) > 20).mean() > 0.01
    assert page.eval("window.unibody.links().map(name => window.unibody.linkPose(name))") == before
    # The setting survives a reload.
    page.eval("location.reload()")
    page.wait("document.readyState === 'complete' && window.unibody")
    ready(page)
    assert text(page, "[data-set=up]") == "Z up"
    page.key("z", ord("Z"), "z")
    assert page.eval("location.hash") == ""
    page.mouse("mouseMoved", 540, 20)
    assert np.abs(stage(page) - upright).mean() < 1.0
    assert complaints(page) == []


@pytest.mark.slow
def test_dragging_a_link_with_y_up(page: Page, tmp_path: Path) -> None:
    robot = ub.load(ARM)
    file = tmp_path / "page.html"
    file.write_bytes(filled_page(pages_data([Shown(robot=robot)], extras=Extras(up="y")).bytes))
    page.open(path_address(file))
    ready(page)
    # The card of this tool moves what is fitted.
    press(page, "[data-mode=grab]")
    page.settle()
    hits = json.loads(
        page.eval(
            "JSON.stringify([...Array(1600).keys()]"
            ".map(i => [300 + 15 * (i % 40), 80 + 15 * Math.floor(i / 40)])"
            ".filter(([x, y]) => window.unibody.linkAt(x, y) === 'Hand'))"
        )
    )
    x, y = hits[len(hits) // 2]
    page.drag((x, y), (x - 30, y + 5), shift=True)
    # The grabbed point stays under the pointer.
    assert near(page, "Hand", x - 30, y + 5)
    assert any(abs(call(page, "position", joint)) > 1e-3 for joint in ("Turn", "Upper", "Fore", "Hand"))
    assert complaints(page) == []
