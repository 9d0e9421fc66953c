"""Reads which joints follow others: Newton's mimic, PhysX's, and MuJoCo's constraints of joints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.joints import JointRecord
from unibody.model.robot import Coupling
from unibody.text.finding import Findings
from unibody.text.source import Span

# The joints of the model that one of the stage has become, with the sign of each.
Made = Mapping[str, Sequence[tuple[str, float]]]
# Follower and leader by path, the ratio and the unit of its angles in rad, the offset in the units of the
# file, and the place.
_Follows = tuple[str, str, float, float, float, Span | None]
_DEGREE = math.radians(1.0)


def couplings(
    records: Sequence[JointRecord], made: Made, meters: float, findings: Findings
) -> list[Coupling]:
    """The couplings of the joints of a robot."""
    out: list[Coupling] = []
    top: dict[str, str] = {}
    kinds = {record.place.path: record for record in records}
    for record in records:
        for path, leader, ratio, angle, offset, at in _follows(record.place.path, record.doc):
            mine, others = made.get(path), made.get(leader)
            if not mine or not others:
                findings.warning(
                    "mimic-leader",
                    f"joint <{path}> must follow a joint of its robot, but follows <{leader}>; not read",
                    at,
                    "correct the path of the joint that leads",
                )
                continue
            (name, sign), (other, other_sign) = mine[0], others[0]
            leads = kinds.get(leader)
            unit = _unit(record, meters, _DEGREE)
            # units of angles on both sides cancel out; a mixed ratio has the units of both
            mine_by, others_by = _unit(record, meters, angle), _unit(leads, meters, angle)
            factor = mine_by / others_by if leads is not None else 1.0
            inner = other
            while inner in top:
                inner = top[inner]
            if inner == name or name in top:
                findings.warning(
                    "mimic-leader",
                    f"joint <{path}> follows two joints, or itself; not read",
                    at,
                    "remove one of them",
                )
                continue
            top[name] = other
            out.append(
                Coupling(
                    joint=name,
                    leader=other,
                    ratio=ratio * factor * sign * other_sign,
                    offset=offset * unit * sign if offset else 0.0,
                    at=at,
                )
            )
    return out


def _unit(record: JointRecord | None, meters: float, angle: float) -> float:
    """The unit of the position of a joint in SI; ``angle`` is that of angles."""
    turns = record is None or not record.freedoms or record.freedoms[0].is_turn
    return angle if turns else meters


def _follows(path: str, doc: Prim) -> Iterator[_Follows]:
    mimic = doc.newton_mimic
    if mimic is not None and mimic.mimic_joint:
        if mimic.mimic_enabled:
            # Newton takes the ratio as one of radians
            yield path, mimic.mimic_joint[0], mimic.mimic_coef1, 1.0, mimic.mimic_coef0, mimic.at()
        return
    for physx in doc.physx_mimic_joints:
        if physx.reference_joint:
            # q + gearing · q of the other + offset = 0
            yield path, physx.reference_joint[0], -physx.gearing, _DEGREE, -physx.offset, physx.at()
            return
    equality = doc.mjc_equality_joint
    if (
        equality is not None
        and equality.target
        and not (equality.coef2 or equality.coef3 or equality.coef4)
    ):
        yield path, equality.target[0], equality.coef1, 1.0, math.degrees(equality.coef0), equality.at()
