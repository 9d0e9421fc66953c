"""What the scene shows of files: upright meshes, surroundings, groups, patterns, stand-ins, a shadow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.view.browsing import call, complaints, focus, press, ready, show, stage, text, texts
from tools.chromium import Page, path_address

import unibody as ub
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, MeshFile, Shape
from unibody.page.data import Origin, Shown, pages_data
from unibody.page.pack import unpack
from unibody.page.page import filled_page

# A wedge, higher along Y than along Z, of a program that has Y up.
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0  0.3 0 0  0 1 0  0 0 0.2</float_array><technique_common>
<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
MJCF = """<mujoco><asset>
<texture name="squares" type="2d" builtin="checker" rgb1="0 0 1" rgb2="1 1 0" width="64" height="64"/>
<material name="squares" texture="squares" texrepeat="1 1" texuniform="true"/></asset>
<worldbody><geom type="plane" size="90 90 1" {floor}/>{world}
<body name="torso" pos="0 0 0.5"><freejoint/><geom type="box" size="0.2 0.2 0.4" {torso}/>{more}
<body name="arm" pos="0 0 0.4"><joint name="turn" axis="0 1 0"/><geom size="0.1" rgba="1 0 0 1"/>
</body></body></worldbody></mujoco>"""
RED, GREEN, BLUE = (0, (1, 2)), (1, (0, 2)), (2, (0, 1))


def mjcf(folder: Path, **parts: str) -> ub.Reading:
    path = folder / "model.xml"
    wanted = {"floor": "", "world": "", "torso": 'rgba="1 0 0 1"', "more": ""}
    path.write_text(MJCF.format(**{**wanted, **parts}), encoding="utf-8")
    return ub.read(path)


def opened(page: Page, folder: Path, reading: ub.Reading) -> None:
    assert reading.robot is not None
    shown = Shown(robot=reading.robot, findings=reading.findings, origin=Origin(file="model.xml"))
    file = folder / "page.html"
    file.write_bytes(filled_page(pages_data([shown]).bytes))
    page.open(path_address(file))
    ready(page)


def share(seen: NDArray[np.float64], color: Any) -> float:
    """The part of the pixels in which one component is far above the others."""
    one, others = color
    return float((seen[:, :, one] > 60 + seen[:, :, others].max(axis=2)).mean())


def header(reading: ub.Reading) -> dict[str, Any]:
    assert reading.robot is not None
    return unpack(pages_data([Shown(robot=reading.robot)]).bytes)[0]


@pytest.mark.slow
def test_meshes_are_turned_by_a_switch_that_the_first_finding_names(page: Page, tmp_path: Path) -> None:
    (tmp_path / "wedge.dae").write_text(COLLADA, encoding="utf-8")
    urdf = (
        '<robot name="r"><link name="a"><visual><origin rpy="{} 0 0"/>'
        '<geometry><mesh filename="wedge.dae" scale="1 1 {}"/></geometry></visual></link></robot>'
    )
    path = tmp_path / "model.urdf"
    path.write_text(urdf.format("1.5707963267948966", 1), encoding="utf-8")
    opened(page, tmp_path, ub.read(path))
    upright = stage(page)
    path.write_text(urdf.format(0, 1), encoding="utf-8")
    reading = ub.read(path)
    opened(page, tmp_path, reading)
    assert not np.array_equal(stage(page), upright)
    assert "up-axis-ignored" in text(page, ".finding")
    assert "press “Meshes”" in text(page, ".finding")
    press(page, "[data-set=meshes]")
    page.mouse("mouseMoved", 330, 20)
    # the bar says it
    assert np.array_equal(stage(page)[80:], upright[80:])
    assert complaints(page) == []
    # the points are turned before they are scaled, as with the option
    path.write_text(urdf.format(0, 3), encoding="utf-8")
    found = header(ub.read(path))
    turn = np.array(found["turns"][found["robots"][0]["shapes"]["visual"][0]["turn"][0]]).reshape(3, 3)
    assert turn == pytest.approx(np.array([(1, 0, 0), (0, 0, -1 / 3), (0, 3, 0)]), abs=1e-9)


@pytest.mark.slow
def test_the_view_is_fitted_to_what_moves_then_to_all(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path, mjcf(tmp_path))
    near = stage(page)
    rows = np.flatnonzero((near[:, :, 0] > 60 + near[:, :, 1:].max(axis=2)).any(axis=1))
    assert np.ptp(rows) > 0.25 * near.shape[0]
    focus(page, "canvas")
    page.key("0")
    assert share(stage(page), RED) < 0.01 * share(near, RED)
    page.key("0")
    assert share(stage(page), RED) == pytest.approx(share(near, RED), rel=0.01)
    assert complaints(page) == []


@pytest.mark.slow
def test_the_world_is_a_layer(page: Page, tmp_path: Path) -> None:
    stones = "".join(
        f'<geom type="box" pos="{x} {y} 0.05" size="0.04 0.04 0.05" rgba="0 1 0 1"/>'
        for x in np.linspace(-0.6, 0.6, 11)
        for y in np.linspace(-0.6, 0.6, 10)
    )
    reading = mjcf(tmp_path, world=stones)
    drawn = header(reading)["robots"][0]
    world = len(drawn["links"]) - 1
    assert sum(shape["link"] == world for shape in drawn["shapes"]["visual"]) == 111
    assert reading.robot is not None
    assert len(reading.robot.links) == 2
    opened(page, tmp_path, reading)
    seen = stage(page)
    assert share(seen, GREEN) > 0.02
    # one look of one link is drawn at once: floor, stones, torso, arm, ground, shadow and its picture
    assert page.eval("window.unibody.drawn.calls") <= 12
    press(page, "[data-layer=world]")
    page.mouse("mouseMoved", 330, 20)
    assert share(stage(page), GREEN) == 0.0
    assert share(stage(page), RED) > 0.9 * share(seen, RED)


@pytest.mark.slow
def test_groups_show_what_is_only_seen_before_what_collides(page: Page, tmp_path: Path) -> None:
    skin = '<geom type="box" size="0.2 0.2 0.4" group="1" contype="0" conaffinity="0" rgba="0 1 0 1"/>'
    opened(page, tmp_path, mjcf(tmp_path, more=skin))
    assert share(stage(page), GREEN) > 0.1
    assert texts(page, "[data-group]") == ["0", "1"]
    state = "document.querySelector('[data-group=\"0\"]').getAttribute('aria-pressed')"
    assert page.eval(state) == "mixed"
    press(page, '[data-group="1"]')
    assert share(stage(page), GREEN) == 0.0
    press(page, '[data-group="0"]')
    assert page.eval(state) == "true"
    page.mouse("mouseMoved", 330, 20)
    assert share(stage(page), RED) > 0.1


@pytest.mark.slow
def test_patterns_and_sites_are_drawn(page: Page, tmp_path: Path) -> None:
    site = '<site name="mark" type="box" size="0.21 0.21 0.1" rgba="0 1 0 1"/>'
    opened(page, tmp_path, mjcf(tmp_path, floor='material="squares"', more=site))
    seen = stage(page)
    yellow = (np.minimum(seen[:, :, 0], seen[:, :, 1]) > 60 + seen[:, :, 2]).mean()
    assert min(yellow, share(seen, BLUE)) > 0.1
    assert share(seen, GREEN) > 0.01
    press(page, "[data-layer=sites]")
    page.mouse("mouseMoved", 330, 20)
    assert share(stage(page), GREEN) == 0.0
    assert complaints(page) == []


def test_the_other_shape_stands_in_for_a_missing_mesh(page: Page, tmp_path: Path) -> None:
    box = Shape(geometry=Box(size=(0.4, 0.4, 0.8)))
    lost = Shape(geometry=MeshFile(uri="lost.stl"))
    links = (Link(name="base", visuals=(lost,), collisions=(box,)), Link(name="tip", visuals=(lost,)))
    joint = Joint(name="j", kind="revolute", parent="base", child="tip")
    show(page, tmp_path, Robot(name="r", links=links, joints=(joint,), base="fixed"))
    call(page, "look", 1, 0, 0)
    page.settle()
    # a corner that a small box in the middle does not reach
    assert call(page, "linkAt", 640, 180) == "base"
    assert complaints(page) == []


def test_the_shadow_is_drawn_when_something_moves(page: Page, tmp_path: Path) -> None:
    cube = Shape(geometry=Box(size=(0.4, 0.4, 0.4)), material=Material(diffuse=(0.9, 0.9, 0.9)))
    links = (Link(name="base", visuals=(cube,)), Link(name="tip", visuals=(cube,)))
    joint = Joint(name="j", kind="prismatic", parent="base", child="tip", axis=(0.0, 0.0, 1.0))
    show(page, tmp_path, Robot(name="r", links=links, joints=(joint,), base="fixed"))
    page.settle()
    count = page.eval("window.unibody.drawn.shadows")
    focus(page, "canvas")
    for _ in range(4):
        page.key("ArrowLeft")
        page.settle()
    assert page.eval("window.unibody.drawn.shadows") == count
    call(page, "move", "j", 0.2)
    page.settle()
    assert page.eval("window.unibody.drawn.shadows") == count + 1
