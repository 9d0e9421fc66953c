"""Residuals of closed loops in engines, beside those of the robot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.model.robot import Loop
from unibody.proof.process import Answer
from unibody.proof.reference import Reference
from unibody.proof.sources import Tree


def loop_deviations(reference: Reference, answer: Answer, poses: Floats) -> dict[str, dict[str, float]]:
    """How far residuals of an engine are from those of the robot: "loop_gaps" (m) and "loop_turns" (rad).

    ``poses`` (B, links, 4, 4) are those of the mechanism at the states of the answer. A gap is the distance
    of two points that a loop holds together, a turn the angle between two frames. Loops that the engine
    does not have, or whose residual it does not tell, are not compared.
    """
    found: dict[str, dict[str, float]] = {"loop_gaps": {}, "loop_turns": {}}
    gaps, turns = answer.arrays.get("loop_gaps"), answer.arrays.get("loop_turns")
    if gaps is None or turns is None:
        return found
    frames = _Frames(reference, poses[: len(gaps)])
    stated = [each for each in answer.facts.get("loops", ()) if each["point"] is not None]
    for k, each in enumerate(stated):
        for loop in _between(reference, each):
            gap, turn = frames.residual(loop, each)
            _note(found["loop_gaps"], loop.name, float(np.abs(gap - gaps[:, k]).max(initial=0.0)))
            if np.isfinite(turns[:, k]).all():
                _note(found["loop_turns"], loop.name, float(np.abs(turn - turns[:, k]).max(initial=0.0)))
    return found


def _note(values: dict[str, float], name: str, value: float) -> None:
    """Record the larger one of several values."""
    value = math.inf if math.isnan(value) else value
    values[name] = max(values.get(name, 0.0), value)


def missing_loops(reference: Reference, facts: Mapping[str, Any]) -> dict[str, float]:
    """1 for each loop of the robot that an engine which closes those of the file does not have; else 0."""
    if not facts.get("has_loops") or reference.format != "mjcf":
        return {}
    there = {loop.name for each in facts.get("loops", ()) for loop in _between(reference, each)}
    return {loop.name: float(loop.name not in there) for loop in reference.robot.loops}


def loops_read(reference: Reference, facts: Mapping[str, Any]) -> int:
    """How many loops of the robot an engine has."""
    loops = {loop.name: loop for each in facts.get("loops", ()) for loop in _between(reference, each)}
    return len(loops)


def _between(reference: Reference, stated: Mapping[str, Any]) -> list[Loop]:
    """The loop that a constraint of an engine is a part of, [] if it is none of the robot's.

    Of several between the same two rigid parts, it is that of the same name, or the one whose anchor is
    nearest to the point of the constraint.
    """
    parts = {_part(reference, link) for link in (stated["a"], stated["b"])}
    loops = [
        loop
        for loop in reference.robot.loops
        if {_part(reference, link) for link in (loop.link_a, loop.link_b)} == parts
    ]
    named = [loop for loop in loops if loop.name and loop.name == stated["name"]]
    if named or len(loops) < 2 or stated["point"] is None:
        return (named or loops)[:1]

    def away(loop: Loop) -> float:
        a, b = (_body(reference, x) for x in (loop.link_a, loop.link_b))
        anchors = {a: loop.pose_a.xyz, b: loop.pose_b.xyz}
        return math.dist(anchors.get(stated["a"], loop.pose_a.xyz), stated["point"])

    return [min(loops, key=away)]


def _body(reference: Reference, link: str) -> str:
    return reference.bodies[link][0] if link in reference.bodies else link


def _part(reference: Reference, body: str) -> str:
    """The first link of the rigid part that a body or link of the engine belongs to."""
    links = {named: link for link, (named, _) in reference.bodies.items()}
    above = reference.above
    name = links.get(body, body)
    while name in above and above[name].kind == "fixed":
        name = above[name].parent
    return name


class _Frames:
    """Poses of bodies at states."""

    def __init__(self, reference: Reference, poses: Floats) -> None:
        self._reference, self._poses = reference, poses
        self._rows = {name: k for k, name in enumerate(reference.mechanism.link_names)}
        self._links = {body: link for link, (body, _) in reference.bodies.items()}

    def _body(self, body: str) -> Floats:
        """Poses of a body of the engine, (B, 4, 4)."""
        link = self._links.get(body, body)
        offset = self._reference.bodies[link][1]
        return np.asarray(self._poses[:, self._rows[link]] @ np.array(offset.inverse().matrix()))

    def residual(self, loop: Loop, stated: Mapping[str, Any]) -> tuple[Floats, Floats]:
        """The distance (B) of points that a constraint holds together, and the angle (B) of its frames."""
        a = self._poses[:, self._rows[loop.link_a]] @ np.array(loop.pose_a.matrix())
        b = self._poses[:, self._rows[loop.link_b]] @ np.array(loop.pose_b.matrix())
        point = self._body(stated["a"]) @ np.array([*stated["point"], 1.0])
        is_first = _part(self._reference, stated["a"]) == _part(self._reference, loop.link_a)
        own = a if is_first else b
        local = np.linalg.solve(own, point[..., None])[..., :3, 0]
        if not (loop.holds.twist or loop.holds.swing):
            local = np.zeros_like(local)
        elif not loop.holds.twist:
            axis = np.array(loop.pose_a.rotation()).T @ np.array(loop.axis)
            local = (local @ axis)[:, None] * axis
        held = np.concatenate([local, np.ones((len(local), 1))], axis=1)[..., None]
        gap = np.linalg.norm((a @ held - b @ held)[:, :3, 0], axis=1)
        relative = np.swapaxes(a[:, :3, :3], -1, -2) @ b[:, :3, :3]
        sine = np.stack([relative[:, i, j] - relative[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))])
        trace = np.trace(relative, axis1=1, axis2=2)
        return gap, np.asarray(np.arctan2(np.linalg.norm(sine, axis=0), trace - 1.0))


# --- causes --------------------------------------------------------------------------------------


#: What a loop becomes by a known slip of importers.
SLIPS: tuple[tuple[str, Callable[[Loop], Loop]], ...] = (
    ("anchors of the loop exchanged", lambda x: replace(x, pose_a=x.pose_b, pose_b=x.pose_a)),
    ("anchor of the loop ignored in both links", lambda x: replace(x, pose_a=Pose(), pose_b=Pose())),
    ("anchor of the loop ignored in its first link", lambda x: replace(x, pose_a=Pose())),
    ("anchor of the loop ignored in its second link", lambda x: replace(x, pose_b=Pose())),
    ("anchor of the first link taken for the second one", lambda x: replace(x, pose_b=x.pose_a)),
    ("anchor of the second link taken for the first one", lambda x: replace(x, pose_a=x.pose_b)),
    (
        "rotation of the loop's anchors ignored",
        lambda x: replace(x, pose_a=Pose(x.pose_a.xyz), pose_b=Pose(x.pose_b.xyz)),
    ),
    (
        "relative pose of the loop inverted",
        lambda x: replace(x, pose_a=x.pose_a.inverse(), pose_b=x.pose_b.inverse()),
    ),
)


def _one_sided(reference: Reference) -> Iterator[tuple[str, Callable[[Loop], Loop]]]:
    """Slips of a file that states one anchor: the other one is where that is, the joints at zero."""
    tree = Tree(reference.robot)

    def with_anchor(loop: Loop, own: Pose) -> Loop:
        moved = tree.in_root(loop.link_b).inverse() @ tree.in_root(loop.link_a) @ own
        return replace(loop, pose_a=own, pose_b=replace(moved, quat=loop.pose_b.quat))

    def in_root(loop: Loop) -> Pose:
        return Pose((tree.in_root(loop.link_a).inverse() @ loop.pose_a).xyz, loop.pose_a.quat)

    yield (
        "anchor of the loop ignored: it is at the origin of its first link",
        lambda x: with_anchor(x, Pose(quat=x.pose_a.quat)),
    )
    yield (
        "anchor of the loop in the first link taken as in the world",
        lambda x: with_anchor(x, in_root(x)),
    )
    yield (
        "anchor of the loop in the second link taken as in the first one",
        lambda x: with_anchor(x, Pose(x.pose_b.xyz, x.pose_a.quat)),
    )

    def in_second(loop: Loop) -> Loop:
        moved = tree.in_root(loop.link_a).inverse() @ tree.in_root(loop.link_b) @ Pose(loop.pose_a.xyz)
        own, other = loop.pose_a.quat, loop.pose_b.quat
        return replace(loop, pose_a=Pose(moved.xyz, own), pose_b=Pose(loop.pose_a.xyz, other))

    yield "anchor of the loop in the first link taken as in the second one", in_second
    for k in range(3):
        flip = tuple(-1.0 if j == k else 1.0 for j in range(3))
        yield (
            f"sign of {'xyz'[k]} of the loop's anchor",
            lambda x, f=flip: with_anchor(  # type: ignore[misc]
                x,
                Pose(
                    (f[0] * x.pose_a.xyz[0], f[1] * x.pose_a.xyz[1], f[2] * x.pose_a.xyz[2]), x.pose_a.quat
                ),
            ),
        )


def stated_anchors(reference: Reference, answer: Answer, names: Iterable[str]) -> dict[str, str]:
    """Where an engine has the anchors of these loops, in words, by loop."""
    out: dict[str, str] = {}
    for each in answer.facts.get("loops", ()):
        for loop in _between(reference, each):
            if loop.name in names and each["point"] is not None:
                there = ", ".join(f"{x:.6g}" for x in each["point"])
                out[loop.name] = f"anchor of the loop at ({there}) m in {each['a']} in the engine"
    return out


def loop_causes(
    reference: Reference, answer: Answer, poses: Floats, quantity: str, names: Iterable[str], exact: float
) -> dict[str, str]:
    """Why residuals of these loops differ, by loop; only those with a known slip."""
    out: dict[str, str] = {}
    for cause, slip in (*SLIPS, *_one_sided(reference)):
        left = [name for name in names if name not in out]
        loops = tuple(slip(loop) if loop.name in left else loop for loop in reference.robot.loops)
        changed = replace(reference, robot=replace(reference.robot, loops=loops))
        away = loop_deviations(changed, answer, poses)[quantity]
        out |= {name: cause for name in left if away.get(name, math.inf) <= exact}
    return out
