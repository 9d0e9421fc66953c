"""Writes joints and their couplings as normalized parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from unibody.formats.copied import copied
from unibody.formats.mpk import document as d
from unibody.formats.mpk.coordinates import position
from unibody.formats.mpk.values import MOST_PARAMETERS
from unibody.model.robot import Coordinate, Coupling, Drive, Joint, Limits, Range, Robot
from unibody.text.node import Item, Node
from unibody.text.number import parse_int

MOVING = ("revolute", "prismatic")
#: How far a slide without bounds goes to each side (m): as far as those of MPK's own robots.
FAR = 10.0
# Numbers beyond it are no bounds of anything, and their differences may overflow.
_HUGE = 1e18
_TURN = 2.0 * math.pi


def bounds(limits: Limits, turns: bool) -> Range:
    """Finite bounds of a joint (rad or m): a whole turn, or 20 m, where one is missing."""
    low, high = limits.position
    span = _TURN if turns else 2.0 * FAR
    if is_bound(low):
        return (low, high) if is_bound(high) else (low, low + span)
    return (high - span, high) if is_bound(high) else (-span / 2.0, span / 2.0)


def is_bound(value: float) -> bool:
    """Whether a limit keeps a joint from anything."""
    return abs(value) < _HUGE


@dataclass(slots=True)
class Plan:
    """Which index drives each joint, and how; what is said of each index."""

    drives: dict[str, tuple[int, Drive]] = field(default_factory=dict)
    said: dict[int, Coordinate] = field(default_factory=dict)

    def add(self, index: int, joint: str, ends: Range) -> None:
        """One joint more."""
        self.drives[joint] = (index, Drive(joint=joint, at_zero=ends[0], at_one=ends[1]))

    @property
    def count(self) -> int:
        """How many numbers a configuration has."""
        return max((index for index, _ in self.drives.values()), default=-1) + 1


def planned(robot: Robot) -> Plan:
    """The coordinates of the robot, then one for each joint that they leave out.

    A joint that follows another shares its parameter. Joints are numbered as their author did.
    """
    out = Plan()
    moving = {j.name: j for j in robot.joints if j.kind in MOVING}
    for c in sorted(robot.coordinates, key=lambda c: c.index):
        if c.index in out.said or not 0 <= c.index < MOST_PARAMETERS:
            continue
        out.said[c.index] = c
        for drive in c.drives:
            if drive.joint in moving and drive.joint not in out.drives:
                out.add(c.index, drive.joint, (drive.at_zero, drive.at_one))
    followed = {name: _leader(name, robot.couplings, moving) for name in moving}
    free = [j for j in moving.values() if j.name not in out.drives and followed[j.name] is None]
    for joint in sorted(free, key=lambda j: (j.number is None, j.number or 0)):
        _add(out, joint)
    for name, follows in followed.items():
        if name not in out.drives and follows is not None:
            leader, ratio, offset = follows
            index, drive = out.drives[leader]
            out.add(index, name, (ratio * drive.at_zero + offset, ratio * drive.at_one + offset))
    for joint in free:
        index, drive = out.drives[joint.name]
        mine = [(moving[n], x) for n, (k, x) in out.drives.items() if k == index]
        endless = not any(map(is_bound, joint.limits.position))
        cyclic = endless and all(j.kind == "revolute" and _is_whole(x) for j, x in mine)
        made = Coordinate(index=index, cyclic=cyclic, default=default(drive, joint.initial))
        out.said[index] = made
    return out


def _add(out: Plan, joint: Joint) -> None:
    """An index of its own for a joint."""
    taken = {index for index, _ in out.drives.values()}
    index = out.count
    while index in out.said and index not in taken:
        index += 1  # one that is said to drive nothing
    out.add(index, joint.name, bounds(joint.limits, joint.kind == "revolute"))


def _is_whole(drive: Drive) -> bool:
    """Whether a drive goes round a whole number of times."""
    turns = (drive.at_one - drive.at_zero) / _TURN
    return round(turns) != 0 and math.isclose(turns, round(turns), rel_tol=1e-9)


def _leader(
    name: str, couplings: tuple[Coupling, ...], moving: dict[str, Joint]
) -> tuple[str, float, float] | None:
    """What a joint follows in the end, as leader, ratio and offset; None for one that leads."""
    by_joint = {c.joint: c for c in reversed(couplings)}
    at, ratio, offset = name, 1.0, 0.0
    seen = {name}
    while at in by_joint:
        c = by_joint[at]
        ratio, offset = ratio * c.ratio, ratio * c.offset + offset
        at = c.leader
        if at in seen or at not in moving or not math.isfinite(ratio) or not math.isfinite(offset):
            return None
        seen.add(at)
    return None if at == name else (at, ratio, offset)


def default(drive: Drive, initial: float) -> float:
    """The parameter's value, in few digits, that puts a joint where it begins, as near as can be.

    >>> default(Drive(joint="a", at_zero=-1.0, at_one=3.0), 0.0)
    0.25
    """
    width = drive.at_one - drive.at_zero
    if not width:
        return 0.5
    exact = min(max((initial - drive.at_zero) / width, 0.0), 1.0)
    goal = position(drive, exact)
    room = 1e-15 * (1.0 + abs(goal))
    tries = (float(f"{exact:.{digits}g}") for digits in range(1, 17))
    return next((t for t in tries if abs(position(drive, t) - goal) <= room), exact)


def parameters(plan: Plan, extras: dict[str, list[Item]]) -> d.Parameters | None:
    """The block that says what holds for the coordinates; None when all is as by default."""
    out = d.Parameters()
    count = plan.count
    for index, c in sorted(plan.said.items()):
        rest = extras.get(f"coordinates/{index}", [])
        plain = replace(c, drives=(), at=None) == Coordinate(index=index)
        if index >= count or (plain and not rest):
            continue
        made = d.Parameter(
            index=index,
            cyclic=c.cyclic,
            passive=c.passive,
            frozen=c.frozen,
            weight=max(c.weight, 0.0),
            default=min(max(c.default, 0.0), 1.0),
        )
        made.rest.extend(item for item in rest if not item[0])
        out.parameters.append(made)
    for key, value, _ in extras.get("", []):
        node = copied(value) if key == "parameter" else None
        word = node.word("index") if isinstance(node, Node) else None
        if node is not None and word is not None and (parse_int(word) or 0) >= count:
            out.rest.append((key, node, -1))
    return out if out.parameters or out.rest else None
