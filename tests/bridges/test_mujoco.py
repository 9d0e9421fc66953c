"""Robots as MuJoCo models: the coordinates, poses, masses and forces of both agree."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.bridges.judge import wrong
from tests.formats.mjcf.test_oracle import compiled
from tests.formats.mjcf.test_write_loops import ALL_HOLDS, NOTHING, two_arms
from tests.mechanism.robots import heavy_robot, state
from tests.sampling import few
from tests.shared import CORPUS

import unibody as ub
from unibody.model.base import Base
from unibody.model.inertia import matrix3
from unibody.model.pose import Pose
from unibody.model.robot import Actuator, Holds, Link, Robot
from unibody.text.installation import install_command

SAMPLES = Path(__file__).parents[2] / "src/unibody/models"
#: Files whose mass matrix in MuJoCo has the armature of a tendon, too.
TENDON_ARMATURE = ("ten_armature_4.xml",)


def random_robot(seed: int, count: int) -> Robot:
    """A random robot with inertias that bodies can have, without rotors in ball joints and the like."""
    robot = heavy_robot(seed, count)
    several = ("ball", "free", "planar")
    joints = (replace(j, actuator=Actuator()) if j.kind in several else j for j in robot.joints)
    return replace(robot, joints=tuple(joints), links=tuple(map(_physical, robot.links)))


def _physical(link: Link) -> Link:
    if link.inertial is None:
        return link
    second = np.array(link.inertial.inertia)
    inertia = matrix3(np.trace(second) * np.eye(3) - second)
    return replace(link, inertial=replace(link.inertial, inertia=inertia))


@pytest.mark.parametrize("seed", range(30))
def test_random_robots_of_all_kinds_of_joints(seed: int) -> None:
    made = ub.to_mujoco(random_robot(seed, 2 + seed % 12))
    assert wrong(made, seed) == {}


@pytest.mark.parametrize("seed", range(6))
def test_robots_of_a_scene(seed: int) -> None:
    places = (Pose((1.0, 2.0, 0.5), (0.5, 0.5, 0.5, 0.5)), Pose((-1.0, 0.0, 0.2), (0.8, 0.0, 0.6, 0.0)))
    first, second = (
        replace(random_robot(k, 6), pose=p) for k, p in zip((seed, seed + 100), places, strict=True)
    )
    robots = (replace(first, base="free"), second, ub.load(SAMPLES / "biped.body"))
    scene = ub.Scene(name="three", robots=robots)
    assert wrong(ub.to_mujoco(scene), seed) == {}
    assert wrong(ub.to_mujoco(scene, base="free"), seed) == {}


def test_batches() -> None:
    made = ub.to_mujoco(ub.load(SAMPLES / "biped.body"))
    q, v, _ = state(made.mechanism, 1, (2, 3))
    qpos, qvel = made.q_to(q), made.v_to(q, v)
    assert qpos.shape == (2, 3, made.model.nq)
    assert qvel.shape == (2, 3, made.model.nv)
    assert np.allclose(made.q_to(q[1, 2]), qpos[1, 2], rtol=0.0, atol=0.0)
    assert np.allclose(made.v_from(qpos, qvel), v)
    assert np.allclose(made.q_from(qpos), q)
    with pytest.raises(ValueError, match=r"^q must have the shape \(..., 30\), not \(29,\)$"):
        made.q_to(np.zeros(29))


def test_places_in_the_model() -> None:
    made = ub.to_mujoco(ub.load(SAMPLES / "biped.body"))
    model = made.model
    assert set(made.body_ids) == {link.name for link in made.robot.links}
    for joint in made.robot.joints:
        (number,) = made.joint_ids[joint.name]
        assert model.joint(number).name == joint.name
        assert made.dofs[joint.name] == (int(model.jnt_dofadr[number]),)
    assert made.data.qpos.tolist() == made.q_to(made.mechanism.initial).tolist()
    sensors = {d.name for d in made.robot.devices if made.sensor_ids[d.name]}
    assert sensors
    assert set(made.camera_ids) <= {d.name for d in made.robot.devices}


@pytest.mark.parametrize(
    ("robot", "within"), [(random_robot(3, 9), set()), (ub.load(SAMPLES / "arm.rob"), {"Turn"})]
)
def test_poses_of_links_in_their_bodies(robot: Robot, within: set[str]) -> None:
    """A link ``within`` a chain of joints that is one body has none."""
    made = ub.to_mujoco(robot)
    q, _, _ = state(made.mechanism, 3)
    made.data.qpos[:] = made.q_to(q)
    mujoco.mj_kinematics(made.model, made.data)
    poses = np.asarray(made.mechanism.forward_kinematics(q))
    found = [made.pose_in_body(name) for name in made.mechanism.link_names]
    names = made.mechanism.link_names
    assert {name for name, pose in zip(names, found, strict=True) if pose is None} == within
    for name, pose, wanted in zip(names, found, poses, strict=True):
        if pose is None:
            continue
        body = made.data.body(made.body_ids[name])
        turn = np.array(body.xmat).reshape(3, 3)
        assert np.allclose(turn @ pose.xyz + body.xpos, wanted[:3, 3], atol=1e-9)
        assert np.allclose(turn @ np.array(pose.rotation()), wanted[:3, :3], atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_places_of_the_map_are_where_numbers_go(seed: int) -> None:
    """Each number that the map places moves one of MuJoCo's, which the links and names lead to as well."""
    made = ub.to_mujoco(random_robot(seed, 12))
    mechanism, model = made.mechanism, made.model
    q, v, _ = state(mechanism, seed)
    places, offsets = made.state_map.q_places()
    placed = np.flatnonzero(places >= 0)
    assert np.abs(made.q_to(q)[places[placed]] - (q + offsets)[placed]).max(initial=0.0) < 1e-12
    in_v = made.state_map.v_places()
    turning = {place for joint in made.state_map.turned for place in joint.turns_v}
    straight = [entry for entry, place in enumerate(in_v.tolist()) if place >= 0 and place not in turning]
    assert (made.v_to(q, v)[in_v[straight]] == v[straight]).all()
    for joint, start in zip(mechanism.robot.joints, mechanism.idx_v.tolist(), strict=True):
        names = made.joint_names[joint.name]
        assert made.joint_ids[joint.name] == tuple(model.joint(name).id for name in names)
        if joint.kind in ("revolute", "prismatic", "screw", "universal", "planar"):
            ids = model.dof_jntid[in_v[start : start + len(names)]]
            driven = names[1:] if joint.kind == "screw" else names
            assert [model.joint(i).name for i in ids[: len(driven)]] == list(driven)
    assert {name: model.body(body).id for name, body in made.body_names.items()} == made.body_ids


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ub.to_mujoco(ub.load(SAMPLES / "biped.body")).model  # noqa: B018
    assert list(tmp_path.iterdir()) == []


def test_an_unspecified_base_is_fixed() -> None:
    robot = ub.loads('<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" '
                     'ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link></robot>')  # fmt: skip
    assert ub.to_mujoco(robot).model.nq == 0
    assert ub.to_mujoco(robot, base="free").model.nq == 7


def test_a_moved_world_moves_free_bodies() -> None:
    robot = random_robot(3, 1)
    moved = replace(robot, base="free", pose=Pose((1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 0.0)))
    assert wrong(ub.to_mujoco(moved)) == {}


def test_without_mujoco_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(
        ub.MissingExtra, match=f"^to_mujoco needs MuJoCo: {re.escape(install_command('simulate'))}$"
    ):
        ub.to_mujoco(heavy_robot(1, 3))


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_the_corpus_agrees() -> None:
    bad: dict[str, object] = {}
    for path, _ in compiled():
        try:
            found: object = wrong(ub.to_mujoco(ub.load(CORPUS / path)))
        except ub.MujocoError as refused:
            found = {"refused": str(refused)}
        if path.endswith(TENDON_ARMATURE) and isinstance(found, dict):
            found.pop("masses", None)
        if found:
            bad[path] = found
    assert not bad, "\n".join(f"{path}: {found}" for path, found in bad.items())


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("holds", few([h for h in ALL_HOLDS if h != NOTHING], 4))
def test_carriers_of_loops_are_where_the_loop_is_closed(holds: Holds, base: Base) -> None:
    robot = two_arms(holds, base=base, pose=Pose((1.0, 2.0, 3.0), (0.5, 0.5, 0.5, 0.5)))
    made = ub.to_mujoco(robot)
    mechanism, model, data = made.mechanism, made.model, mujoco.MjData(made.model)
    _, v, _ = state(mechanism, 3)
    q = mechanism.close_loops(mechanism.integrate(mechanism.initial, 0.2 * v)).q
    data.qpos[:] = made.q_to(q)
    mujoco.mj_fwdPosition(model, data)
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-10
    step = 1e-6
    before, after = (made.q_to(mechanism.integrate(q, sign * step * v)) for sign in (-1.0, 1.0))
    rate = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, rate, 2.0 * step, before, after)
    assert np.allclose(made.v_to(q, v), rate, atol=1e-7)
    assert np.allclose(made.v_from(data.qpos, made.v_to(q, v)), v)
    many, speeds, _ = state(mechanism, 4, (3, 2))
    assert np.allclose(made.v_to(many, speeds)[1, 1], made.v_to(many[1, 1], speeds[1, 1]))


def test_files_of_one_name_in_two_folders_are_two_meshes(tmp_path: Path) -> None:
    corners = "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    for name, size in (("small", 1), ("large", 3)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part.obj").write_text(corners.format(size))
    shapes = "".join(
        f'<collision><geometry><mesh filename="{name}/part.obj"/></geometry></collision>'
        for name in ("small", "large")
    )
    (tmp_path / "robot.urdf").write_text(f'<robot name="r"><link name="base">{shapes}</link></robot>')
    made = ub.to_mujoco(ub.load(tmp_path / "robot.urdf"))
    in_memory = mujoco.MjModel.from_xml_string(made.text, dict(made.assets))
    for model in (made.model, in_memory):
        small, large = model.geom_rbound
        assert large == pytest.approx(3.0 * small)


@pytest.mark.parametrize("seed", range(8))
def test_accelerations_are_the_rates_of_velocities(seed: int) -> None:
    """Against central differences of v along the motion that the engine's q, v and rate of v describe."""
    made = ub.to_mujoco(random_robot(seed, 6), base="free")
    rng = np.random.default_rng(seed)
    q, _, _ = state(made.mechanism, seed)
    qpos = made.q_to(q)
    qvel, qacc = rng.normal(size=(2, made.model.nv))
    step = 1e-5

    def v_at(time: float) -> Any:
        moved = qpos.copy()
        mujoco.mj_integratePos(made.model, moved, qvel + 0.5 * time * qacc, time)
        return made.v_from(moved, qvel + time * qacc)

    slope = (v_at(step) - v_at(-step)) / (2.0 * step)
    assert np.allclose(made.a_from(qpos, qvel, qacc), slope, rtol=1e-6, atol=1e-6)
