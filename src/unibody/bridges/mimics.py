"""Coupled joints of Pinocchio models: joints that mimic another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.bridges.state import Follower
from unibody.mechanism import Mechanism
from unibody.mechanism.pinocchio import PinocchioModel
from unibody.model.arrays import Indices
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint

_KINDS = ("revolute", "prismatic")


class UnsupportedCoupling(ValueError):
    """Pinocchio has no joint that moves like a coupled one."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A joint that moves with others: ``q = ratio * x + offset`` for the position x of one of them.

    ``index`` is its entry of the mechanism's q, ``number`` that of Pinocchio's joint.
    """

    joint: Joint
    index: int
    number: int
    ratio: float
    offset: float

    def of(self, other: _Member) -> tuple[float, float]:
        """Ratio and offset in terms of the position of another member."""
        ratio = self.ratio / other.ratio
        return ratio, self.offset - ratio * other.offset


def with_mimics(made: PinocchioModel, mechanism: Mechanism) -> tuple[PinocchioModel, tuple[Follower, ...]]:
    """The model with mimicking joints for coupled ones, and the entries of q that it lacks.

    The joint of several coupled ones that Pinocchio numbers first keeps its coordinate: it has the rotors,
    damping and friction of all. UnsupportedCoupling if a joint is neither revolute nor prismatic, or does
    not move with its leader and comes first.
    """
    import pinocchio

    model, pairs = made.model, []
    for members in _groups(made, mechanism):
        first = min(members, key=lambda member: (not member.ratio, member.number))
        _gather(made, first, members)
        for member in members:
            if member is first:
                continue
            if member.number < first.number:
                raise UnsupportedCoupling(
                    f"joint {member.joint.name!r} must follow a joint that Pinocchio numbers before it"
                )
            ratio, offset = member.of(first)
            model = pinocchio.transformJointIntoMimic(model, first.number, member.number, ratio, offset)
            pairs.append((member, first))
    if not pairs:
        return made, ()
    idx_v = _entries_of_v(mechanism)
    gone = {member.index for member, _ in pairs}
    q_order = np.array([i for i in made.q_order.tolist() if i not in gone], np.intp)
    gone_v = {idx_v[i] for i in gone}
    v_order = np.array([i for i in made.v_order.tolist() if i not in gone_v], np.intp)
    there_q = {i: k for k, i in enumerate(q_order.tolist())}
    there_v = {i: k for k, i in enumerate(v_order.tolist())}
    followers = tuple(
        Follower(
            here_q=member.index,
            here_v=idx_v[member.index],
            there_q=there_q[first.index],
            there_v=there_v[idx_v[first.index]],
            ratio=member.of(first)[0],
            offset=member.of(first)[1],
        )
        for member, first in pairs
    )
    there_q |= {f.here_q: f.there_q for f in followers}
    there_v |= {f.here_v: f.there_v for f in followers}
    return (
        PinocchioModel(
            model=model,
            data=model.createData(),
            q_order=q_order,
            v_order=v_order,
            q_back=_places(there_q),
            v_back=_places(there_v),
        ),
        followers,
    )


def _places(places: dict[int, int]) -> Indices:
    return np.array([places[i] for i in range(len(places))], np.intp)


def _entries_of_v(mechanism: Mechanism) -> dict[int, int]:
    """The entry of v by the entry of q, of joints with one position."""
    places = zip(mechanism.robot.joints, mechanism.idx_q.tolist(), mechanism.idx_v.tolist(), strict=True)
    return {q: v for joint, q, v in places if KINDS[joint.kind].nq == 1}


def _groups(made: PinocchioModel, mechanism: Mechanism) -> list[list[_Member]]:
    """The joints that move with one another, the leader of each group first."""
    joints = {
        q: joint
        for joint, q in zip(mechanism.robot.joints, mechanism.idx_q.tolist(), strict=True)
        if KINDS[joint.kind].nq == 1
    }

    def member(index: int, ratio: float, offset: float) -> _Member:
        joint = joints[index]
        if joint.kind not in _KINDS:
            raise UnsupportedCoupling(
                f"joint {joint.name!r} is coupled and {joint.kind}: Pinocchio has revolute and prismatic "
                "joints that mimic others"
            )
        return _Member(joint, index, int(made.model.getJointId(joint.name)), ratio, offset)

    groups: dict[int, list[_Member]] = {}
    of: dict[int, tuple[int, float, float]] = {}
    for coupling in mechanism.couplings:
        if coupling.leader is None:
            raise UnsupportedCoupling(
                f"joint {joints[coupling.index].name!r} follows a fixed joint: make it a fixed one"
            )
        leader, ratio, offset = of.get(coupling.leader, (coupling.leader, 1.0, 0.0))
        ratio, offset = coupling.ratio * ratio, coupling.ratio * offset + coupling.offset
        of[coupling.index] = (leader, ratio, offset)
        groups.setdefault(leader, [member(leader, 1.0, 0.0)]).append(member(coupling.index, ratio, offset))
    return list(groups.values())


def _gather(made: PinocchioModel, first: _Member, members: list[_Member]) -> None:
    """Give one joint of a group the rotors, damping and friction of all, and the limits of the leader."""
    model = made.model
    entries = {m.number: int(model.joints[m.number].idx_v) for m in members}
    at = entries[first.number]
    for name, power in (
        ("armature", 2),
        ("damping", 2),
        ("upperDryFrictionLimit", 1),
        ("lowerDryFrictionLimit", 1),
        ("friction", 1),
    ):
        values: Any = getattr(model, name, None)
        if values is not None:
            shares = (abs(m.of(first)[0]) ** power * values[entries[m.number]] for m in members)
            values[at] = sum(shares)
    leader = members[0]
    if leader is not first:
        place, own = (int(model.joints[m.number].idx_q) for m in (leader, first))
        ends = (model.lowerPositionLimit[place], model.upperPositionLimit[place])
        low, high = sorted(first.ratio * end + first.offset for end in ends)
        model.lowerPositionLimit[own] = max(low, model.lowerPositionLimit[own])
        model.upperPositionLimit[own] = min(high, model.upperPositionLimit[own])
