"""Links whose weight is borne, in part or whole, beside MuJoCo, in formats and in simulations."""

from __future__ import annotations

import numpy as np
import pytest

import unibody as ub
from unibody.formats import FORMATS
from unibody.model.robot import Robot

MJCF = """<mujoco><worldbody><body name="a" gravcomp="0.25"><joint name="j" axis="0 1 0" damping="0.1"/>
<geom type="box" size="0.1 0.2 0.3" pos="0.2 0.1 0.3"/>
<body name="b" pos="0.3 0 0.1" gravcomp="1"><joint name="k" axis="1 0 0.3"/>
<geom type="sphere" size="0.1" pos="0.1 0.2 0"/>
<body name="c" pos="0 0 0.3" gravcomp="2"><geom type="sphere" size="0.1" pos="0.1 0.2 0"/></body>
</body></body></worldbody></mujoco>"""
GRAVITY = (1.0, 2.0, -9.0)


def shares(robot: Robot) -> list[float]:
    return [link.gravity_compensation for link in robot.links]


def test_it_moves_as_in_mujoco() -> None:
    import mujoco

    model = mujoco.MjModel.from_xml_string(MJCF)
    model.opt.gravity[:] = GRAVITY
    data, mechanism = mujoco.MjData(model), ub.assemble(ub.loads(MJCF))
    for q, v, effort in np.random.default_rng(1).normal(size=(4, 3, 2)):
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, v, effort
        mujoco.mj_forward(model, data)
        bias = mechanism.inverse_dynamics(q, v, 0.0 * v, gravity=GRAVITY)
        assert bias == pytest.approx(data.qfrc_bias - data.qfrc_gravcomp, rel=1e-10, abs=1e-12)
        rate = mechanism.forward_dynamics(q, v, effort - [0.1 * v[0], 0.0], gravity=GRAVITY)
        assert rate == pytest.approx(data.qacc, rel=1e-9)


def test_its_forces_are_the_slope_of_its_energy() -> None:
    mechanism, q, v = ub.assemble(ub.loads(MJCF)), np.array([0.4, -1.1]), np.zeros(2)
    steps = 1e-5 * np.eye(2)
    above, below = (
        np.asarray(mechanism.energy(q + way * steps, np.zeros((2, 2)), gravity=GRAVITY))[:, 1]
        for way in (1, -1)
    )
    held = mechanism.generalized_gravity(q, gravity=GRAVITY)
    assert held == pytest.approx((above - below) / 2e-5, rel=1e-7)
    assert held == pytest.approx(mechanism.inverse_dynamics(q, v, v, gravity=GRAVITY), rel=1e-12)


def test_mjcf_says_it() -> None:
    robot = ub.loads(MJCF)
    assert shares(robot) == [0.0, 0.25, 1.0, 2.0]
    assert shares(ub.loads(ub.dumps(robot, format="mjcf", plain=True))) == [0.0, 0.25, 1.0, 2.0]


@pytest.mark.parametrize(
    "flag",
    [
        "<gravity>false</gravity>",
        "<gravity>0</gravity>",
        "<turnGravityOff>true</turnGravityOff><material>Gazebo/Red</material>",
        "<mu1>0.5</mu1><mu2>0.5</mu2><gravity>false</gravity>",
    ],
)
def test_a_urdf_says_it_to_gazebo(flag: str) -> None:
    ball = "<collision><geometry><sphere radius='1'/></geometry></collision>"
    text = f"""<robot name="r"><link name="a">{ball}</link>
      <link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
      <gazebo reference="a">{flag}</gazebo><gazebo reference="b"><gravity>true</gravity></gazebo></robot>"""
    robot = ub.loads(text)
    assert shares(robot) == [1.0, 0.0]
    written = ub.dumps(robot, format="urdf", plain=True)
    assert ub.diff(robot, ub.loads(written)) == []
    fallen = ub.loads(
        written.replace(">true</turn", ">false</turn").replace("<gravity>false", "<gravity>true")
    )
    assert shares(fallen) == [0.0, 0.0]


@pytest.mark.parametrize("format", ["body", "openhrp", "mpk", "urdf", "sdf"])
def test_other_formats_lose_it_or_a_part_of_it(format: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "r.xml").write_text(MJCF)
    suffix = next(x.suffixes[0] for x in FORMATS if x.name == format)
    report = ub.convert(tmp_path / "r.xml", tmp_path / f"out/r{suffix}", plain=True)
    lost = {
        x.difference.path
        for x in report.losses
        if x.row is not None and x.row.what == "gravity compensation"
    }
    floating = set() if format in ("urdf", "sdf") else {"links/b/gravity_compensation"}
    assert lost == {"links/a/gravity_compensation", "links/c/gravity_compensation"} | floating


def test_a_simulation_leaves_a_floating_link_where_it_is() -> None:
    link = '<link name="a"><gravity>false</gravity></link>'
    text = f'<sdf version="1.11"><model name="m">{link}</model></sdf>'
    run = ub.simulate(ub.loads(text))
    run.step(100)
    assert run.q[2] == pytest.approx(0.0, abs=1e-12)
