"""Scene contents in a browser: layers, lights, textures, two robots, motions, reloads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.view.browsing import (
    TESTS,
    call,
    complaints,
    focus,
    poses,
    press,
    ready,
    served,
    show,
    show_all,
    stage,
    text,
    texts,
)
from tests.view.png import pixels
from tools.chromium import Chromium, Page

import unibody as ub
from unibody.mechanism import assemble
from unibody.model.device import Device, PointLight
from unibody.model.json import loads
from unibody.model.pose import Pose
from unibody.model.robot import Configuration, Frame, Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape, Texture
from unibody.motions.motion import motion_of
from unibody.page.data import Extras, Origin, Shown, page_data, pages_data
from unibody.page.show import view
from unibody.text.finding import Findings


def linkage(**more: Any) -> Robot:
    """The four-bar linkage of the tests with visual shapes."""
    robot = ub.load(TESTS / "commands/models/four_bar.body")
    cube = Shape(geometry=Box(size=(0.06, 0.06, 0.06)), material=Material(diffuse=(0.6, 0.6, 0.6)))
    links = tuple(replace(link, visuals=(cube,), collisions=(cube,)) for link in robot.links)
    return replace(robot, links=links, **more)


@pytest.mark.slow
def test_every_layer_changes_the_scene(page: Page, tmp_path: Path) -> None:
    light = Device(name="lamp", link=linkage().links[0].name, spec=PointLight())
    frame = Frame(name="tip", link=linkage().links[-1].name, trace=True)
    show(page, tmp_path, linkage(devices=(light,), frames=(frame,)))
    for layer in ("visual", "loops", "traces"):
        call(page, "show", layer, False)
    empty = stage(page)
    for layer in ("visual", "collision", "frames", "axes", "mass", "inertia", "devices", "loops", "traces"):
        press(page, f"[data-layer={layer}]")
        page.mouse("mouseMoved", 330, 20)
        seen = stage(page)
        assert (np.abs(seen - empty).max(axis=2) > 25).mean() > 0.0001, layer
        if layer == "inertia":
            press(page, "[data-layer=inertia]")
            page.mouse("mouseMoved", 330, 20)
            assert text(page, "[data-layer=inertia]") == "Inertia: ellipsoids"
            assert not np.array_equal(stage(page), seen)
        press(page, f"[data-layer={layer}]")
        page.mouse("mouseMoved", 330, 20)
        assert np.array_equal(stage(page), empty), layer
    assert complaints(page) == []


@pytest.mark.slow
def test_lights_illuminate(page: Page, tmp_path: Path) -> None:
    lamp = PointLight(color=(1.0, 0.0, 0.0), intensity=2.0)
    place = Pose((0.3, -0.5, 0.5))
    show(page, tmp_path, linkage(devices=(Device(name="lamp", link="GROUND", spec=lamp, pose=place),)))
    before = stage(page)
    call(page, "show", "devices", True)
    redder = stage(page) - before
    assert ((redder[:, :, 0] - redder[:, :, 2]) > 30).mean() > 0.002


@pytest.mark.slow
def test_textures_are_visible(page: Page, tmp_path: Path) -> None:
    # Two by two pixels: black and red below, green and white above.
    pixels = (0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 255, 255)
    texture = Texture(image=(2, 2, 3, *pixels), repeat_s=False, repeat_t=False)
    cube = Shape(geometry=Box(size=(1.0, 1.0, 1.0)), material=Material(texture=texture))
    show(page, tmp_path, Robot(name="cube", links=(Link(name="cube", visuals=(cube,)),), base="fixed"))
    page.eval("window.unibody.bare()")
    call(page, "look", 1, 0, 0)
    page.settle()
    seen = pixels_of(page)
    for colour in ((255, 0, 0), (0, 255, 0), (0, 0, 0), (255, 255, 255)):
        share = (np.abs(seen - colour).max(axis=2) < 70).mean()
        assert 0.01 < share < 0.9, colour
    # Upright: green is above red, and seen from outside red is to the right of black.
    where = {
        name: np.argwhere(np.abs(seen - colour).max(axis=2) < 70).mean(axis=0)
        for name, colour in {"red": (255, 0, 0), "green": (0, 255, 0), "black": (0, 0, 0)}.items()
    }
    assert where["green"][0] < where["red"][0]
    assert where["black"][1] < where["red"][1]
    assert complaints(page) == []


def pixels_of(page: Page) -> Any:
    return pixels(page.picture(quick=True)).astype(float)


@pytest.mark.slow
def test_two_robots_move_together(page: Page, biped: str, tmp_path: Path) -> None:
    a, b = ub.load(biped), ub.load(biped.replace(".body", ".urdf"))
    # The second robot has another name for the knee.
    shown = [Shown(robot=a, origin=Origin(file="a.body")), Shown(robot=b, origin=Origin(file="b.urdf"))]
    show_all(page, tmp_path, shown)
    call(page, "move", "LLEG_KNEE", 0.8)
    page.eval("window.unibody.other.move('CHEST', 0.3)")
    q = {"LLEG_KNEE": 0.8, "CHEST": 0.3}
    assert np.abs(poses(page) - assemble(a).forward_kinematics(q)).max() < 1e-9
    assert np.abs(poses(page, "unibody.other") - assemble(b).forward_kinematics(q)).max() < 1e-9
    beside = stage(page)
    press(page, "[data-choice=over]")
    assert (np.abs(stage(page) - beside).max(axis=2) > 20).mean() > 0.05
    call(page, "select", "RLEG_KNEE")
    assert page.eval("window.unibody.other.selected()") == "RLEG_KNEE"
    # Paths and texts of the differences; a click selects both links.
    assert text(page, ".differences h2") == f"Differences ({len(ub.diff(a, b))})"
    page.eval("document.querySelector('.differences input').focus()")
    page.call("Input.insertText", text="NECK_Y")
    rows = texts(page, ".differences .path")
    assert rows
    assert all("NECK_Y" in row for row in rows)
    page.eval("document.querySelector('.differences button.finding').click()")
    assert call(page, "selected") == page.eval("window.unibody.other.selected()") == "NECK_Y"
    press(page, ".robots button:nth-child(2)")
    assert text(page, ".left section:not([hidden]) .summary p") == "b.urdf"
    assert complaints(page) == []


@pytest.mark.slow
def test_motion_is_played_and_traced(page: Page, tmp_path: Path) -> None:
    links = (Link(name="base"), Link(name="arm", visuals=(Shape(geometry=Box(size=(0.1, 0.1, 0.1))),)))
    joint = Joint(name="swing", kind="revolute", parent="base", child="arm")
    frame = Frame(name="tip", link="arm", trace=True, pose=ub.Pose((0.5, 0.0, 0.0)))
    robot = Robot(name="r", links=links, joints=(joint,), frames=(frame,), base="fixed")
    motion = motion_of(assemble(robot), [[0.0], [1.0], [2.0]], [0.0, 0.5, 1.0])
    show(page, tmp_path, robot, extras=Extras(motion=motion))
    for time, angle in ((0.25, 0.5), (0.9, 1.8), (0.0, 0.0)):
        call(page, "seek", time)
        assert call(page, "position", "swing") == pytest.approx(angle, abs=1e-6)
    with_trace = stage(page)
    call(page, "show", "traces", False)
    assert (np.abs(stage(page) - with_trace).max(axis=2) > 40).mean() > 0.001
    press(page, ".play")
    page.wait("window.unibody.position('swing') > 1.999", 20)
    page.settle()
    assert text(page, ".player .time") == "1.00 / 1.00 s"
    assert complaints(page) == []


def test_initial_state(page: Page, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    extras = Extras(pose={"RLEG_KNEE": 0.7, "WAIST": [0, 0, 2, 1, 0, 0, 0]}, layers=("collision", "axes"))
    show(page, tmp_path, robot, extras=extras)
    expected = assemble(robot).forward_kinematics({"RLEG_KNEE": 0.7, "WAIST": [0, 0, 2, 1, 0, 0, 0]})
    assert np.abs(poses(page) - expected).max() < 1e-9
    pressed = page.eval(
        "[...document.querySelectorAll('.toolbar [aria-pressed=true]')].map(e => e.textContent)"
    )
    assert pressed == ["Collision", "Axes", "Grid"]


@pytest.mark.slow
def test_live_page_reloads_and_keeps_the_pose(page: Page, biped: str) -> None:
    robot = ub.load(biped)
    live = Extras(live=True)
    with served(pages_data([Shown(robot=robot)], extras=live).bytes) as server:
        page.open(server.address)
        ready(page)
        call(page, "move", "RLEG_KNEE", 0.9)
        call(page, "select", "CHEST")
        server.complain("r.body:3:1: error: it is not YAML")
        page.wait("!document.querySelector('.notice').hidden")
        assert "not YAML" in text(page, ".notice")
        server.show(pages_data([Shown(robot=replace(robot, name="Newer"))], extras=live).bytes)
        page.wait("document.querySelector('h1').textContent === 'Newer'")
        assert page.eval("document.querySelector('.notice').hidden")
        assert call(page, "position", "RLEG_KNEE") == 0.9
        assert call(page, "selected") == "CHEST"
        assert page.eval("document.querySelectorAll('canvas:not(.matrix)').length") == 1
        assert page.eval("document.querySelectorAll('.toolbar').length") == 1
        assert np.abs(poses(page) - assemble(robot).forward_kinematics({"RLEG_KNEE": 0.9})).max() < 1e-9
        assert complaints(page) == []


@pytest.mark.slow
def test_notebook_cell(page: Page, biped: str, tmp_path: Path) -> None:
    cell = view(ub.load(biped), browser=False)._repr_html_()
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><body>{cell}</body>", "utf-8")
    page.open(file.as_uri())
    # The frame has an opaque origin and cannot be queried; its pixels are visible.
    for _ in range(200):
        seen = stage(page)[:600]
        if (np.ptp(seen.reshape(-1, 3), axis=1) > 100).mean() > 0.01:
            break
    assert (np.ptp(seen.reshape(-1, 3), axis=1) > 100).mean() > 0.01
    assert page.eval("document.querySelector('iframe').contentDocument") is None


@pytest.mark.slow
def test_hostile_names_are_shown_as_text_everywhere(page: Page, tmp_path: Path) -> None:
    bad = "</script><img src=x onerror='window.pwned = 1'>"
    cube = Shape(geometry=Box(size=(1.0, 1.0, 1.0)), name=bad, material=Material(name=bad))
    robot = Robot(
        name=bad,
        links=(Link(name=bad, visuals=(cube,), collisions=(cube,)), Link(name="b", visuals=(cube,))),
        joints=(Joint(name=bad, kind="ball", parent=bad, child="b"),),
        devices=(Device(name=bad, link=bad, spec=PointLight()),),
        frames=(Frame(name=bad, link="b", trace=True),),
        configurations=(Configuration(name=bad),),
    )
    origin = Origin(file=f"m/{bad}", format=bad)
    shown = [Shown(robot=robot, origin=origin), Shown(robot=replace(robot, base="fixed"))]
    show_all(page, tmp_path, shown)
    for opener in ("[data-open=pairs]", "[data-open=help]"):
        page.eval(f"document.querySelector('{opener}').click()")
    call(page, "show", "devices", True)
    for kind in ("light", "traced"):
        page.eval(
            f"[...document.querySelectorAll('.leaf')].find(e => e.innerText.includes('{kind}')).click()"
        )
    page.mouse("mouseMoved", 600, 400)
    page.settle()
    assert page.eval("window.pwned") is None
    assert page.eval("document.images.length") == 0
    assert page.eval("document.querySelectorAll('script').length") == 2
    assert complaints(page) == []


def json_robot(name: str) -> Robot:
    robot = loads((TESTS / "robots" / f"{name}.json").read_text("utf-8"), name, Findings())
    assert robot is not None
    return robot


@pytest.mark.slow
def test_joints_with_several_positions_have_several_sliders(page: Page, tmp_path: Path) -> None:
    robot = json_robot("kitchen_sink")
    robot = replace(robot, joints=tuple(replace(joint, pitch=None) for joint in robot.joints))
    show(page, tmp_path, robot)
    ball = next(j.name for j in robot.joints if j.kind == "ball")
    names: list[Any] = page.eval(
        "[...document.querySelectorAll('input[type=range]')].map(e => e.dataset.joint)"
    )
    assert {f"{ball}.{part}" for part in ("roll", "pitch", "yaw")} <= set(names)
    focus(page, f'input[type=range][data-joint="{ball}.yaw"]')
    page.key("ArrowRight", 39)
    q = call(page, "positions", ball)
    assert np.linalg.norm(q) == pytest.approx(1.0)
    assert abs(q[3]) > 1e-3
    assert any("screw joint, held at zero" in words for words in texts(page, ".held"))
    assert complaints(page) == []


@pytest.mark.slow
def test_small_windows_have_everything_too(chromium: Chromium, biped: str) -> None:
    page = chromium.page(390, 780)
    with served(page_data(ub.load(biped)).bytes) as server:
        page.open(server.address)
        ready(page)
        for selector, tab in ((".stage", ""), (".joints", "right"), (".links", "left")):
            if tab:
                call(page, "run", f"drawer.{tab}")
            box = f"document.querySelector('{selector}').getBoundingClientRect()"
            assert page.eval(f"Math.min({box}.width, {box}.height)") > 100, selector
        assert page.eval("document.documentElement.scrollWidth") <= 390
    page.close()
