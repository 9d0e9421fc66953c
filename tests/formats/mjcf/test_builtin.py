"""Meshes that MuJoCo makes of parameters, and height fields without data."""

from __future__ import annotations

import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from tests.formats.mjcf.arrays import differences

import unibody as ub

SHAPES = {
    "sphere": "2",
    "hemisphere": "4",
    "cone": "8 0.3",
    "supersphere": "8 0.5 0.7",
    "supertorus": "8 0.5 0.5 0.5",
    "wedge": "5 5 0.5 0.5 0.1",
}


def model(shape: str, params: str, more: str = "") -> str:
    mesh = f'<mesh name="m" builtin="{shape}" params="{params}" scale="1 2 3" refpos=".1 0 0" {more}/>'
    geoms = '<geom size=".1" pos="3 0 0"/><geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/>'
    body = f'<body name="b"><freejoint/>{geoms}</body>'
    return f"<mujoco><asset>{mesh}</asset><worldbody>{body}</worldbody></mujoco>"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_builtin_mesh_has_the_vertices_and_the_mass_of_mujoco(shape: str) -> None:
    text = model(shape, SHAPES[shape])
    compiled, robot = mujoco.MjModel.from_xml_string(text), ub.loads(text, format="mjcf")
    inertial = robot.link("b").inertial
    assert inertial is not None
    assert inertial.mass == pytest.approx(compiled.body_mass[1], rel=1e-9)
    points, _ = ub.mesh(robot, "b", "collision")
    geom = int(np.flatnonzero(compiled.geom_type == mujoco.mjtGeom.mjGEOM_MESH)[0])
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, compiled.geom_quat[geom])
    theirs = compiled.mesh_vert @ turn.reshape(3, 3).T + compiled.geom_pos[geom]
    apart = np.abs(theirs[:, None] - points[None]).max(axis=2).min(axis=1)
    assert apart.max() < 1e-5
    again = ub.dumps(robot, format="mjcf", plain=True)
    found = differences(compiled, mujoco.MjModel.from_xml_string(again))
    # equal moments have principal axes of rounding
    assert [x for x in found if not x.startswith("body_inertia")] == []


def test_without_mujoco_a_builtin_mesh_is_a_finding(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    text = model("sphere", "2").replace('<geom size=".1" pos="3 0 0"/>', "")
    path = tmp_path / "m.xml"
    path.write_text(text)
    reading = ub.read(path)
    assert reading.robot is not None
    assert reading.robot.link("b").collisions == ()
    assert {f.code for f in reading.findings if f.severity == "warning"} == {"mesh-loader", "mass-unknown"}


def test_a_distance_field_without_vertices_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    text = model("sphere", "2").replace('type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"', "{}")
    monkeypatch.setitem(sys.modules, "mujoco", None)
    for geom in ('type="sdf" mesh="m"', 'type="sdf" mesh="m" pos="1 2 3"'):
        robot = ub.loads(text.format(geom), format="mjcf")
        again = ub.dumps(robot, format="mjcf", plain=True)
        assert '<geom type="sdf" mesh="m" pos=' in again
        assert ub.dumps(ub.loads(again, format="mjcf"), format="mjcf", plain=True) == again


def test_parameters_that_mujoco_rejects_are_an_error() -> None:
    with pytest.raises(ub.LoadError) as caught:
        ub.loads(model("cone", "1"), format="mjcf")
    assert "asset-rejected" in {finding.code for finding in caught.value.findings}


@pytest.mark.parametrize("data", ["", 'elevation="1 1 1 1 1 1"'])
def test_a_height_field_without_heights_keeps_its_size(data: str) -> None:
    field = f'<hfield name="h" nrow="2" ncol="3" size="1 2 3 .5" {data}/>'
    world = '<worldbody><geom type="hfield" hfield="h"/></worldbody>'
    text = f"<mujoco><asset>{field}</asset>{world}</mujoco>"
    again = ub.dumps(ub.loads(text, format="mjcf"), format="mjcf", plain=True)
    compiled = mujoco.MjModel.from_xml_string(again)
    assert compiled.hfield_size.tolist() == [[1.0, 2.0, 3.0, 0.5]]
    assert differences(mujoco.MjModel.from_xml_string(text), compiled) == []
