"""Kinematics of a stage from OpenUSD's own parse of its physics, beside those of the mechanism.

The former know nothing of unibody's reader and writer.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tests.usd.physics import matrix, placement

from unibody.formats.usd.write_lowered import changes
from unibody.mechanism import assemble
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot

_ROTATIONS = ("rotX", "rotY", "rotZ")
_MOTIONS = ("transX", "transY", "transZ", *_ROTATIONS)
_JOINTS = "RevoluteJoint", "PrismaticJoint", "SphericalJoint", "FixedJoint", "D6Joint"


def motions(joint: Any) -> tuple[str, ...]:
    """The axes of a joint that move, of what OpenUSD's parse says of it."""
    kind = type(joint).__name__
    if kind.startswith("Revolute"):
        return (f"rot{str(joint.axis)[-1]}",)
    if kind.startswith("Prismatic"):
        return (f"trans{str(joint.axis)[-1]}",)
    if kind.startswith("Fixed"):
        return ()
    if kind.startswith("Spherical"):
        return _ROTATIONS
    held = {
        str(each.first).rpartition(".")[2].lower()
        for each in joint.jointLimits
        if each.second.enabled and each.second.lower > each.second.upper
    }
    return tuple(name for name in _MOTIONS if name.lower() not in held)


def motion(moving: Sequence[str], values: Sequence[float]) -> Any:
    """The motion of the second frame of a joint in the first one (4×4).

    Distances in meters and angles in radians come first, in the order of ``moving``; three rotations are a
    quaternion (w, x, y, z).
    """
    out = np.eye(4)
    slides = [name for name in moving if name.startswith("trans")]
    turns = [name for name in moving if name.startswith("rot")]
    for name, value in zip(slides, values, strict=False):
        out["XYZ".index(name[-1]), 3] = value
    rest = values[len(slides) :]
    if len(turns) == 3:
        w, x, y, z = rest
        out[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        return out
    for name, value in zip(turns, rest, strict=True):
        turn = np.eye(4)
        a, b = (k for k in range(3) if k != "XYZ".index(name[-1]))
        sign = -1.0 if name[-1] == "Y" else 1.0
        turn[a, a] = turn[b, b] = np.cos(value)
        turn[a, b], turn[b, a] = -sign * np.sin(value), sign * np.sin(value)
        out = out @ turn
    return out


class Kinematics:
    """The bodies of a stage and the joints of its tree, with their frames."""

    def __init__(self, path: str) -> None:
        from pxr import Usd, UsdGeom, UsdPhysics

        beside = "physics:excludeFromArticulation"
        stage = Usd.Stage.Open(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            parsed = UsdPhysics.LoadUsdPhysicsFromRange(stage, ["/"])
        cache = UsdGeom.XformCache()
        self.names: dict[str, str] = {}
        self.joints: list[tuple[str, Any]] = []
        self.placed: dict[str, Any] = {}
        for kind, (paths, found) in parsed.items():
            for where, each in zip(paths, found, strict=True):
                prim = stage.GetPrimAtPath(where)
                name = prim.GetMetadata("displayName") or prim.GetName()
                if kind == UsdPhysics.ObjectType.RigidBody:
                    self.names[str(where)] = name
                    self.placed[str(where)] = matrix(cache.GetLocalToWorldTransform(prim))
                elif kind.name in _JOINTS and not prim.GetAttribute(beside).Get():
                    self.joints.append((name, each))

    def moving(self) -> dict[str, tuple[str, ...]]:
        """The axes that move, by joint."""
        return {name: motions(joint) for name, joint in self.joints}

    def poses(self, values: Mapping[str, Sequence[float]]) -> dict[str, Any]:
        """The poses of all bodies in the world (4×4); what no joint carries is where the stage has it."""
        carried = {str(joint.body1): (name, joint) for name, joint in self.joints}
        found: dict[str, Any] = {}

        def pose(body: str) -> Any:
            if body not in found:
                if body in carried:
                    name, joint = carried[body]
                    at_0 = placement(joint.localPose0Position, joint.localPose0Orientation)
                    at_1 = placement(joint.localPose1Position, joint.localPose1Orientation)
                    base = pose(str(joint.body0)) if str(joint.body0) in self.names else np.eye(4)
                    moved = motion(motions(joint), values.get(name, ()))
                    found[body] = base @ at_0 @ moved @ np.linalg.inv(at_1)
                else:
                    found[body] = self.placed[body]
            return found[body]

        return {name: pose(body) for body, name in self.names.items()}


def deviation(robot: Robot, path: str, count: int = 4, seed: int = 3) -> float:
    """How far links of a written stage are from where the mechanism has them, at random configurations.

    The positions are relative to 1 m plus their size.
    """
    lowered = changes(robot)
    mechanism = assemble(lowered)
    stage = Kinematics(path)
    rng = np.random.default_rng(seed)
    names = [name for name in mechanism.link_names if name in stage.names.values()]
    if set(stage.names.values()) != set(names):
        return np.inf
    most = 0.0
    for _ in range(count):
        q = mechanism.initial.copy()
        for k, joint in enumerate(lowered.joints):
            at, record = mechanism.idx_q[k], KINDS[joint.kind]
            values = rng.uniform(-1.0, 1.0, record.nq)
            if record.has_quaternion:
                values[-4:] /= np.linalg.norm(values[-4:])
            q[at : at + record.nq] = values
        q = np.asarray(mechanism.apply_couplings(q))
        places = zip(lowered.joints, mechanism.idx_q.tolist(), strict=False)
        given = {joint.name: q[at : at + KINDS[joint.kind].nq].tolist() for joint, at in places}
        wanted = dict(zip(mechanism.link_names, np.asarray(mechanism.forward_kinematics(q)), strict=True))
        found = stage.poses(given)
        for name in names:
            size = 1.0 + float(np.abs(wanted[name][:3, 3]).max())
            most = max(most, float(np.abs(found[name] - wanted[name]).max()) / size)
    return most
