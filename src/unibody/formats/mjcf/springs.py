"""Springs and dampers of joints that are stated by a time constant and a damping ratio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.devices import named_sites
from unibody.formats.mjcf.joints import JointRecord
from unibody.formats.mjcf.tree import BodyRecord, world_poses
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Dynamics

# Sites that are closer than this, in m, have no direction between them; MuJoCo takes X.
_CLOSE = 1e-15


def set_springs(
    bodies: Sequence[BodyRecord],
    joints: Sequence[Sequence[JointRecord]],
    masses: Sequence[Inertial | None],
    docs: Sequence[d.Mujoco],
) -> None:
    """Set the passive effects of joints with a time constant T and a damping ratio ζ, in place.

    With the inertia I that the joint feels, the others free to move: stiffness I / (T ζ)², damping 2 I / T.
    """
    if all(_springdamper(joint) is None for own in joints for joint in own):
        return
    motions = _Motions(bodies, joints)
    matrix = motions.mass_matrix(masses) + motions.tendon_matrix(docs)
    if not np.isfinite(matrix).all():
        return  # check_basic reports the overflow
    mobility = np.linalg.pinv(matrix).diagonal()
    for joint, rows in motions.rows:
        given = _springdamper(joint)
        # the mean of the freedoms of a joint, whatever their units
        mean = float(mobility[rows].mean())
        if given is None or not mean > 0.0:
            continue  # a joint without inertia is reported elsewhere
        time, ratio = given
        joint.dynamics = Dynamics(
            damping=2.0 / (mean * time),
            friction=joint.dynamics.friction,
            stiffness=1.0 / (mean * (time * ratio) ** 2),
            rest=_rest(joint),
        )


def _springdamper(joint: JointRecord) -> tuple[float, float] | None:
    doc = joint.placed.doc
    given = doc.springdamper if isinstance(doc, b.Joint) else None
    return (given[0], given[1]) if given is not None and given[0] > 0.0 and given[1] > 0.0 else None


def _rest(joint: JointRecord) -> float:
    """Where the spring of a joint is at rest, from the zero of the model's coordinate."""
    doc = joint.placed.doc
    if not isinstance(doc, b.Joint) or KINDS[joint.kind].nq != 1:
        return 0.0
    scale = joint.placed.scope.settings.angle if doc.type == "hinge" else 1.0
    return (doc.springref or 0.0) * scale - joint.ref


class _Motions:
    """The motions of all joints of a model in its initial pose.

    ``rows`` are the joints with their rows; ``columns`` (n, 6) the angular velocity of a row at unit rate,
    and the linear velocity of the point at the origin of the world; ``under`` (bodies, n) whether a row
    moves a body.
    """

    def __init__(self, bodies: Sequence[BodyRecord], joints: Sequence[Sequence[JointRecord]]) -> None:
        self.bodies, self.world = bodies, world_poses(bodies)
        self.rows: list[tuple[JointRecord, slice]] = []
        columns: list[Floats] = []
        owners: list[int] = []
        for i, own in enumerate(joints):
            for joint in own:
                made = _motions(joint, self.world[i])
                self.rows.append((joint, slice(len(columns), len(columns) + len(made))))
                columns += made
                owners += [i] * len(made)
        self.columns, self.owners = np.array(columns), np.array(owners)
        self.under = np.zeros((len(bodies), len(columns)), bool)
        for i, body in enumerate(bodies):
            if body.parent >= 0:
                self.under[i] = self.under[body.parent]
            self.under[i] |= self.owners == i

    def mass_matrix(self, masses: Sequence[Inertial | None]) -> Floats:
        """The mass matrix (n, n), armature of joints included."""
        armature = np.zeros(len(self.columns))
        for joint, rows in self.rows:
            armature[rows] = joint.actuator.axis_inertia or 0.0
        total = np.diag(armature)
        for i, mass in enumerate(masses):
            if mass is None or i == 0 or not self.under[i].any():
                continue
            rotation = np.array(self.world[i].rotation())
            turning = self.columns[:, :3] * self.under[i][:, None]
            sliding = self._velocities(i, np.array(self.world[i].apply(mass.com)))
            inertia = rotation @ np.array(mass.inertia) @ rotation.T
            total = total + turning @ inertia @ turning.T + mass.mass * (sliding @ sliding.T)
        return total

    def tendon_matrix(self, docs: Sequence[d.Mujoco]) -> Floats:
        """What the armature of tendons adds to the mass matrix, (n, n).

        MuJoCo adds it between rows only of which one moves the body of the other.
        """
        total = np.zeros((len(self.columns), len(self.columns)))
        for tendon in _tendons(docs):
            if tendon.armature:
                rates = self._rates(tendon)
                total += tendon.armature * np.outer(rates, rates)
        inside = self.under[self.owners]
        return np.asarray(np.where(inside | inside.T, total, 0.0))

    def _rates(self, tendon: c.FixedTendon | c.SpatialTendon) -> Floats:
        """The rate of the length of a tendon at unit rates of the rows, (n,)."""
        out = np.zeros(len(self.columns))
        if isinstance(tendon, c.FixedTendon):
            shares = {item.joint: item.coef or 0.0 for item in tendon.joints}
            for joint, rows in self.rows:
                doc = joint.placed.doc
                if isinstance(doc, b.Joint) and doc.name in shares:
                    out[rows] = shares[doc.name]
            return out
        sites = named_sites(self.bodies)
        divisor, last = 1.0, None
        for item in tendon.path:
            here = sites.get(item.site or "") if isinstance(item, c.TendonSite) else None
            if isinstance(item, c.Pulley):
                divisor = item.divisor or 1.0
            if last is not None and here is not None:
                out += self._lengthening(last, here) / divisor
            last = here
        return out

    def _lengthening(self, a: tuple[int, Pose], b: tuple[int, Pose]) -> Floats:
        """The rate of the distance between two sites at unit rates of the rows, (n,)."""
        (first, start), (second, end) = (
            (body, np.array((self.world[body] @ pose).xyz)) for body, pose in (a, b)
        )
        away = end - start
        size = float(np.linalg.norm(away))
        direction = np.array([1.0, 0.0, 0.0]) if size < _CLOSE else away / size
        return np.asarray((self._velocities(second, end) - self._velocities(first, start)) @ direction)

    def _velocities(self, body: int, point: Floats) -> Floats:
        """The velocity of a point of a body, which is in the world, at unit rates of the rows, (n, 3)."""
        moved = self.columns[:, 3:] + np.cross(self.columns[:, :3], point)
        return np.asarray(moved * self.under[body][:, None])


def _tendons(docs: Sequence[d.Mujoco]) -> Iterator[c.FixedTendon | c.SpatialTendon]:
    for doc in docs:
        for section in doc.items:
            for item in section.items if isinstance(section, c.Tendons) else []:
                if isinstance(item, c.FixedTendon | c.SpatialTendon):
                    yield item


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
