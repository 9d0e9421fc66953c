"""Robots as MuJoCo models: the coordinates, poses, masses and forces of both agree."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.convert.models import DEV
from tests.formats.mjcf.test_oracle import CORPUS, compiled, needs_shared
from tests.mechanism.robots import heavy_robot, state

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.formats.mjcf.carriers import CARRIER, SHARE
from unibody.model.inertia import matrix3
from unibody.model.pose import Pose
from unibody.model.robot import Actuator, Link, Robot

mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate' (mujoco)")

Floats = NDArray[np.float64]
SAMPLES = Path(__file__).parents[2] / "src/unibody/models"
TOLERANCE = 1e-9
#: Quantities in which masses count.
MASSES = ("masses", "forces")
#: Files whose mass matrix in MuJoCo has the armature of a tendon, too.
TENDON_ARMATURE = ("ten_armature_4.xml",)


def apart(ours: Any, theirs: Any, scale: float = 0.0) -> float:
    """The largest difference in shares of the largest number."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    size = max(float(np.abs(b).max(initial=0.0)), scale) or 1.0
    return float(np.abs(a - b).max(initial=0.0)) / size


def differences(made: ub.MujocoModel, seed: int) -> dict[str, float]:
    """How far the mechanism and MuJoCo are apart in a random state, by quantity."""
    m, model, data = made.mechanism, made.model, mujoco.MjData(made.model)
    q, v, _ = state(m, seed)
    data.qpos[:], data.qvel[:] = made.q_to(q), made.v_to(q, v)
    out = {"v": apart(made.v_from(data.qpos, data.qvel), v)}
    back = made.q_from(data.qpos)
    out["q"] = apart(np.abs(m.difference(q, back)).max(initial=0.0), 0.0)
    for function in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_crb, mujoco.mj_comVel):
        function(model, data)
    found = np.asarray(m.forward_kinematics(q))
    size = max(1.0, float(np.abs(found[:, :3, 3]).max()))
    out["poses"] = 0.0
    for link, body in made.body_ids.items():
        if link not in m.link_names or (place := made.pose_in_body(link)) is None:
            continue
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
        pose = pose @ np.array(place.matrix())
        out["poses"] = max(out["poses"], apart(found[m.link_names.index(link)], pose, size))
    if m.nv:
        jacobian = made.v_to(q, np.eye(m.nv)).T
        masses = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, masses)
        ours = np.asarray(m.mass_matrix(q))
        out["masses"] = apart(jacobian.T @ masses @ jacobian, ours)
        if not made.state_map.turned:
            out["forces"] = _forces(made, data, (q, v), jacobian, float(np.abs(ours).max()))
    return out


def _forces(
    made: ub.MujocoModel, data: Any, at: tuple[Floats, Floats], jacobian: Floats, size: float
) -> float:
    """The forces without an acceleration of MuJoCo's coordinates."""
    q, v = at
    bias, a = np.zeros(made.model.nv), np.zeros(made.mechanism.nv)
    mujoco.mj_rne(made.model, data, 0, bias)
    for body in made.state_map.free:
        start = body.here_v
        a[start : start + 3] = -np.cross(v[start + 3 : start + 6], v[start : start + 3])
    off = bool(made.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    ours = made.mechanism.inverse_dynamics(q, v, a, gravity=made.model.opt.gravity * (not off))
    ours = ours - made.mechanism.tree.armature * a  # which MuJoCo's sum is without
    return apart(jacobian.T @ bias, ours, 1e-3 * size)


def wrong(made: ub.MujocoModel, seed: int = 0) -> dict[str, float]:
    return {word: by for word, by in differences(made, seed).items() if not by < TOLERANCE}


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
        ub.MissingMujoco, match=r"^to_mujoco needs MuJoCo: pip install 'unibody\[simulate\]'$"
    ):
        ub.to_mujoco(heavy_robot(1, 3))


def added_mass(made: ub.MujocoModel) -> float:
    """The share of the masses that the writer adds, as it reports: to massless links, and for loops."""
    if any(link.name.endswith(CARRIER) for link in made.lowered.links):
        return 2.0 * SHARE
    moved = {j.child for j in made.robot.joints if j.kind != "fixed"} | {made.robot.root}
    links = (link for link in made.robot.links if link.name in moved)
    return 1e-7 if any(link.inertial is None or link.inertial.mass <= 0.0 for link in links) else 0.0


@needs_shared
@pytest.mark.slow
def test_robots_of_the_other_formats_agree() -> None:
    bad: dict[str, object] = {}
    count = 0
    paths = (path for suffix in ("body", "urdf", "wrl", "rob") for path in DEV.glob(f"**/*.{suffix}"))
    for path in sorted(paths):
        reading = ub.read(path)
        if reading.robot is None or not reading.ok or not reading.robot.joints:
            continue
        try:
            made = ub.to_mujoco(reading.robot)
        except SaveError:
            continue  # inertias that MuJoCo rejects: test_write_corpus.py
        count += 1
        most = TOLERANCE + added_mass(made)
        found = differences(made, 1)
        found = {word: by for word, by in found.items() if not by < (most if word in MASSES else TOLERANCE)}
        if found:
            bad[path.name] = found
    assert count > 150
    assert not bad, "\n".join(f"{path}: {found}" for path, found in bad.items())


@needs_shared
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
