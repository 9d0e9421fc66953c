"""Every URDF file of the corpus against Pinocchio and MuJoCo, as far as they load it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.corpus.outcomes import models
from tests.sampling import sampled
from tests.shared import DEV

import unibody as ub
from unibody.model.robot import Joint, Robot

pytestmark = pytest.mark.usefixtures("shared")

FILES = models(".urdf")
NAMES = [str(p.relative_to(DEV)) for p in FILES]
TOLERANCE = 1e-9

pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")

# What a peer does with a file that unibody reads otherwise, and why unibody is right.
PINOCCHIO_DIFFERS: dict[str, str] = {}
MUJOCO_DIFFERS: dict[str, str] = {}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """The C++ parsers write to the process's own stderr."""
    saved = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)


def robot_of(path: Path) -> tuple[Robot, ub.Mechanism]:
    robot = ub.load(path)
    return robot, ub.assemble(robot)


def positions(joint: Joint, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.float64]]:
    match joint.kind:
        case "revolute" | "prismatic":
            return rng.uniform(-1.5, 1.5, 1)
        case "planar":
            return rng.uniform(-1.5, 1.5, 3)
        case "ball":
            q = rng.normal(size=4)
            return np.asarray(q / np.linalg.norm(q))
        case "free":
            q = rng.normal(size=7)
            q[3:] /= np.linalg.norm(q[3:])
            return np.asarray(q)
    return np.empty(0)


def close(a: Any, b: Any) -> bool:
    x, y = np.asarray(a, float), np.asarray(b, float)
    return bool(np.all(np.abs(x - y) <= TOLERANCE * np.maximum(1.0, np.abs(y))))


@pytest.mark.parametrize("path", sampled(FILES, root=DEV))
def test_pinocchio_agrees(path: Path) -> None:
    robot, mechanism = robot_of(path)
    try:
        with quiet():
            model = pin.buildModelFromUrdf(str(path))
    except (ValueError, RuntimeError) as e:
        pytest.skip(f"Pinocchio does not load it: {str(e)[:80]}")
    name = str(path.relative_to(DEV))
    if name in PINOCCHIO_DIFFERS:
        pytest.skip(PINOCCHIO_DIFFERS[name])
    data = model.createData()
    rng = np.random.default_rng(7)
    for _ in range(3):
        q, theirs = np.array(mechanism.initial), pin.neutral(model)
        for i, joint in enumerate(robot.joints):
            value = positions(joint, rng)
            q[mechanism.idx_q[i] : mechanism.idx_q[i] + value.size] = value
            if value.size:
                _set(model, theirs, joint, value)
        ours = mechanism.forward_kinematics(q)
        pin.framesForwardKinematics(model, data, theirs)
        for i, link in enumerate(robot.links):
            frame = model.getFrameId(link.name, pin.FrameType.BODY)
            assert frame < model.nframes, link.name
            assert close(ours[i], data.oMf[frame].homogeneous), link.name
    _same_masses(robot, model)


def _same_masses(robot: Robot, model: Any) -> None:
    """Pinocchio keeps one body per moving joint: the links that are fixed to it, composed."""
    total: dict[int, Any] = {}
    for link in robot.links:
        frame = model.frames[model.getFrameId(link.name, pin.FrameType.BODY)]
        if link.inertial is not None:
            own = pin.Inertia(
                link.inertial.mass, np.array(link.inertial.com), np.array(link.inertial.inertia)
            )
            moved = frame.placement.act(own)
            joint = frame.parentJoint
            total[joint] = total[joint] + moved if joint in total else moved
    for joint, body in total.items():
        theirs = model.inertias[joint]
        assert close(body.mass, theirs.mass), model.names[joint]
        if body.mass > 0.0:
            assert close(body.lever, theirs.lever), model.names[joint]
            assert close(body.inertia, theirs.inertia), model.names[joint]


def _set(model: Any, q: Any, joint: Joint, value: Any) -> None:
    index = model.joints[model.getJointId(joint.name)]
    at = index.idx_q
    match joint.kind:
        case "revolute" if index.nq == 2:
            q[at : at + 2] = np.cos(value[0]), np.sin(value[0])
        case "revolute" | "prismatic":
            q[at] = value[0]
        case "planar":
            # Pinocchio's planar joint is fixed to the XY plane of its frame
            q[at : at + 4] = value[0], value[1], np.cos(value[2]), np.sin(value[2])
        case "free":
            q[at : at + 7] = *value[:3], *value[4:], value[3]
        case "ball":
            q[at : at + 4] = *value[1:], value[0]


@pytest.mark.parametrize("path", sampled(FILES, root=DEV))
def test_mujoco_agrees(path: Path) -> None:
    robot, mechanism = robot_of(path)
    name = str(path.relative_to(DEV))
    model = _mujoco(path)
    if name in MUJOCO_DIFFERS:
        pytest.skip(MUJOCO_DIFFERS[name])
    data = mujoco.MjData(model)
    rng = np.random.default_rng(7)
    for _ in range(3):
        q = np.array(mechanism.initial)
        data.qpos[:] = model.qpos0
        for i, joint in enumerate(robot.joints):
            value = positions(joint, rng)
            if joint.kind == "planar":
                value = value * 0.0  # MuJoCo makes three joints of it
            q[mechanism.idx_q[i] : mechanism.idx_q[i] + value.size] = value
            index = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.name)
            if value.size and joint.kind != "planar":
                at = model.jnt_qposadr[index]
                data.qpos[at : at + value.size] = value
                if joint.kind == "free":
                    # a free joint's position is in the world there, from its origin here
                    data.qpos[at : at + 7] = _placed(joint, value)
        mujoco.mj_kinematics(model, data)
        ours = mechanism.forward_kinematics(q)
        for i, link in enumerate(robot.links):
            body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
            if body < 0 or link.name == robot.root:
                continue
            assert close(ours[i][:3, :3], data.xmat[body].reshape(3, 3)), link.name
            assert close(ours[i][:3, 3], data.xpos[body]), link.name
    for link in robot.links:
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
        if body > 0 and link.name != robot.root:
            mass = link.inertial.mass if link.inertial else 0.0
            assert close(mass, model.body_mass[body]), link.name


def _placed(joint: Joint, value: Any) -> Any:
    from unibody.model.pose import Pose

    pose = joint.origin @ Pose(tuple(value[:3]), tuple(value[3:]))
    return (*pose.xyz, *pose.quat)


def _mujoco(path: Path) -> Any:
    """MuJoCo's model; where it refuses a mass or an inertia, with bounds far below any real one."""
    try:
        return mujoco.MjModel.from_xml_string(_stripped(path, ""))
    except ValueError:
        pass
    bounds = ' boundmass="1e-12" boundinertia="1e-12" balanceinertia="true"'
    try:
        return mujoco.MjModel.from_xml_string(_stripped(path, bounds))
    except ValueError as e:
        pytest.skip(f"MuJoCo does not load it: {str(e)[:80]}")


def _stripped(path: Path, bounds: str) -> str:
    """The file without shapes (their meshes may be missing) and with nothing fused."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    for tag in ("visual", "collision", "gazebo", "mujoco", "transmission"):
        text = re.sub(rf"<{tag}\b[^>]*?/>|<{tag}\b.*?</{tag}>", "", text, flags=re.S)
    option = f'<mujoco><compiler fusestatic="false" strippath="false"{bounds}/></mujoco>'
    return re.sub(r"(<robot\b[^>]*>)", rf"\1{option}", text, count=1)


def test_the_peers_load_most_files() -> None:
    assert len(FILES) >= 210
