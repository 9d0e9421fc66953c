"""Written URDF files as Pinocchio and MuJoCo read them, against the model they were written from."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import unibody as ub
from unibody.model.robot import Robot

Floats = NDArray[np.float64]
_SHAPES = re.compile(r"<(visual|collision)\b.*?</\1>", re.DOTALL)


# MuJoCo's own switches, for what it refuses in any file else: an inertia that no body has, and moving
# links without mass, which get one that is far below what is compared.
_COMPILER = 'balanceinertia="true" boundmass="1e-14" boundinertia="1e-14" discardvisual="false"'


@dataclass(frozen=True)
class Deviation:
    """Largest deviations of link poses (m, and entries of rotations) and of the links' masses (kg).

    ``fused`` links are one with what they are fixed to, and not compared.
    """

    poses: float
    mass: float
    fused: int = 0


def bare(text: str) -> str:
    """The text without shapes: MuJoCo opens no COLLADA files, and moves links without them all the same."""
    return _SHAPES.sub("", text)


def positions(robot: Robot, rng: np.random.Generator) -> dict[str, float]:
    """A random position of each single joint that follows none, within its limits."""
    followers = {c.joint for c in robot.couplings}
    out = {}
    for j in robot.joints:
        if j.kind in ("revolute", "prismatic") and j.name not in followers:
            low, high = (v if abs(v) < 10.0 else math.copysign(2.0, v) for v in j.limits.position)
            out[j.name] = float(rng.uniform(min(low, high), max(low, high)))
    return out


def _relative(poses: dict[str, Floats], root: str) -> dict[str, Floats]:
    back = np.linalg.inv(poses[root])
    return {name: back @ pose for name, pose in poses.items()}


def ours(robot: Robot, q: dict[str, float]) -> dict[str, Floats]:
    """Poses of all links seen from the root, in unibody."""
    m = ub.assemble(robot)
    start = np.zeros(m.nq)
    for joint, at in zip(robot.joints, m.idx_q.tolist(), strict=True):
        if joint.kind in ("free", "ball"):
            start[at + (3 if joint.kind == "free" else 0)] = 1.0
        elif joint.name in q:
            start[at] = q[joint.name]
    if m.base == "free":
        start[3] = 1.0
    found = np.asarray(m.forward_kinematics(start))
    return _relative({n: found[k] for k, n in enumerate(m.link_names)}, robot.root)


def pinocchio(text: str, robot: Robot, q: dict[str, float]) -> Deviation:
    """The same in Pinocchio; RuntimeError when it does not read the text."""
    import pinocchio as pin

    model = pin.buildModelFromXML(text)
    data = model.createData()
    at = pin.neutral(model)
    for name, value in q.items():
        joint = model.joints[model.getJointId(name)]
        if joint.nq == 2:
            at[joint.idx_q : joint.idx_q + 2] = math.cos(value), math.sin(value)
        else:
            at[joint.idx_q] = value
    pin.framesForwardKinematics(model, data, at)
    found = {
        f.name: data.oMf[k].homogeneous for k, f in enumerate(model.frames) if f.type == pin.FrameType.BODY
    }
    mass = sum(i.mass for i in model.inertias)
    return _compared(found, ours(robot, q), robot, abs(mass - robot.mass))


def mujoco(text: str, robot: Robot, q: dict[str, float], fuse: bool = False) -> Deviation:
    """The same in MuJoCo; ValueError when it does not read the text.

    Each link keeps its own body. With ``fuse``, as MuJoCo itself would have it, fixed ones become part of
    others, and what is fixed to the root part of the world, on which free joints may stand.
    """
    import mujoco as mj

    flags = f'<mujoco><compiler fusestatic="{str(fuse).lower()}" {_COMPILER}/></mujoco>'
    start = re.search(r"<robot\b[^>]*>", text)
    assert start is not None
    model = mj.MjModel.from_xml_string(text[: start.end()] + flags + text[start.end() :])
    data = mj.MjData(model)
    for name, value in q.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    mj.mj_kinematics(model, data)
    numbers = {x.name: mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY, x.name) for x in robot.links}
    found: dict[str, Floats] = {}
    for name, k in numbers.items():
        pose = np.eye(4)
        if k >= 0:
            pose[:3, :3], pose[:3, 3] = data.xmat[k].reshape(3, 3), data.xpos[k]
        # the root may be the world
        if k >= 0 or name == robot.root:
            found[name] = pose
    # MuJoCo does not weigh the world.
    still = _fixed_to_root(robot) if fuse else {robot.root} if numbers[robot.root] <= 0 else set()
    weighed = sum(x.inertial.mass for x in robot.links if x.inertial is not None and x.name not in still)
    return _compared(found, ours(robot, q), robot, abs(float(model.body_mass.sum()) - weighed))


def _fixed_to_root(robot: Robot) -> set[str]:
    """The root, and all links that fixed joints alone hold on it."""
    parents = {j.child: j for j in robot.joints}

    def fixed(name: str) -> bool:
        while name in parents and parents[name].kind == "fixed":
            name = parents[name].parent
        return name == robot.root

    return {x.name for x in robot.links if fixed(x.name)}


def _compared(found: dict[str, Floats], wanted: dict[str, Floats], robot: Robot, mass: float) -> Deviation:
    there = _relative(found, robot.root) if robot.root in found else found
    shared = [n for n in wanted if n in there]
    largest = max(float(np.abs(there[n] - wanted[n]).max()) for n in shared)
    return Deviation(largest, mass, len(wanted) - len(shared))
