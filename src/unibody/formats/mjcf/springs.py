"""Stiffness and damping of joints with ``springdamper``, from the inertia in the initial pose."""

from __future__ import annotations

import numpy as np

from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.joints import JointRecord
from unibody.formats.mjcf.tree import BodyRecord
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Dynamics


def set_springs(
    bodies: list[BodyRecord], joints: list[list[JointRecord]], masses: list[Inertial | None]
) -> None:
    """Set the passive effects of joints with a time constant and a damping ratio, in place.

    With the inertia I that the joint feels, the others free to move: stiffness I / (T ζ)², damping 2 I / T.
    """
    flat = [(i, joint) for i, own in enumerate(joints) for joint in own]
    wanted = [joint for _, joint in flat if _springdamper(joint) is not None]
    if not wanted:
        return
    matrix, starts = _mass_matrix(bodies, flat, masses)
    if not np.isfinite(matrix).all():
        return  # check_basic reports the overflow
    inverse = np.linalg.pinv(matrix)
    for (_, joint), start in zip(flat, starts, strict=True):
        given = _springdamper(joint)
        if given is None or KINDS[joint.kind].nq != 1:
            continue
        time, ratio = given
        if not inverse[start, start] > 0.0:
            continue  # a joint without inertia is reported elsewhere
        inertia = 1.0 / float(inverse[start, start])
        stiffness = inertia / (time * ratio) ** 2
        doc = joint.placed.doc
        assert isinstance(doc, b.Joint)
        scale = joint.placed.scope.settings.angle if doc.type == "hinge" else 1.0
        joint.dynamics = Dynamics(
            damping=2.0 * inertia / time,
            friction=joint.dynamics.friction,
            stiffness=stiffness,
            rest=(doc.springref or 0.0) * scale - joint.ref,
        )


def _springdamper(joint: JointRecord) -> tuple[float, float] | None:
    doc = joint.placed.doc
    given = doc.springdamper if isinstance(doc, b.Joint) else None
    return (given[0], given[1]) if given is not None and given[0] > 0.0 and given[1] > 0.0 else None


def _mass_matrix(
    bodies: list[BodyRecord], flat: list[tuple[int, JointRecord]], masses: list[Inertial | None]
) -> tuple[Floats, list[int]]:
    """The mass matrix in the initial pose, armature included, and the first row of each joint."""
    world: list[Pose] = []
    for body in bodies:
        world.append((world[body.parent] if body.parent >= 0 else IDENTITY) @ body.pose)
    # Columns: the angular and linear velocity of the point at the origin of the world.
    columns: list[Floats] = []
    owners: list[int] = []
    starts: list[int] = []
    armature: list[float] = []
    for i, joint in flat:
        starts.append(len(columns))
        made = _motions(joint, world[i])
        columns += made
        owners += [i] * len(made)
        armature += [joint.actuator.axis_inertia or 0.0] * len(made)
    motions = np.array(columns)
    under = np.zeros((len(bodies), len(columns)), bool)
    for i, body in enumerate(bodies):
        if body.parent >= 0:
            under[i] = under[body.parent]
        under[i] |= np.array(owners) == i
    total = np.diag(armature)
    for i, mass in enumerate(masses):
        if mass is None or i == 0 or not under[i].any():
            continue
        rotation = np.array(world[i].rotation())
        center = np.array(world[i].apply(mass.com))
        turning = motions[:, :3] * under[i][:, None]
        sliding = (motions[:, 3:] + np.cross(motions[:, :3], center)) * under[i][:, None]
        inertia = rotation @ np.array(mass.inertia) @ rotation.T
        total = total + turning @ inertia @ turning.T + mass.mass * (sliding @ sliding.T)
    return total, starts


def _motions(joint: JointRecord, pose: Pose) -> list[Floats]:
    """The motions (6,) of a joint at unit velocities."""
    rotation = np.array(pose.rotation())
    anchor = np.array(pose.apply(joint.anchor))
    turns = [np.concatenate([axis, np.cross(anchor, axis)]) for axis in rotation.T]
    slides = [np.concatenate([np.zeros(3), axis]) for axis in np.eye(3)]
    axis = rotation @ np.array(joint.axis)
    match joint.kind:
        case "revolute":
            return [np.concatenate([axis, np.cross(anchor, axis)])]
        case "prismatic":
            return [np.concatenate([np.zeros(3), axis])]
        case "ball":
            return turns
        case _:
            return [*slides, *turns]
