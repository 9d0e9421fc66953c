"""Starts and goals in all their forms, as configurations that can be reached."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unibody.collision.pairs import Pair
from unibody.collision.world import Hit, World
from unibody.mechanism.arguments import FrameLike, Positions
from unibody.mechanism.inverse_kinematics import Target
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE
from unibody.model.arrays import Flags, Floats
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.posture import posture
from unibody.model.robot import branches
from unibody.planning.coordinates import Coordinates, entries_of, root_of
from unibody.planning.loops import open_loop
from unibody.text.counted import listed
from unibody.text.hint import Hint, Setting
from unibody.text.near import suggestion

#: A configuration (nq,) or joint positions by name; the name of a configuration of the robot; or the pose
#: of a frame, (frame, Pose or (4, 4)), or as a Target.
Goal: TypeAlias = Positions | str | tuple[FrameLike, Pose | Any] | Target

#: Why there is no path; "" if there is one.
Reason = Literal[
    "",
    "start in collision",
    "start inside a body",
    "start off the loops",
    "start outside limits",
    "goal in collision",
    "goal inside a body",
    "goal outside limits",
    "goal out of reach",
    "goal off the loops",
    "goal not reached by the coordinates",
    "not found",
]

_LIMITS: dict[str, Reason] = {"start": "start outside limits", "goal": "goal outside limits"}
_OFF: dict[str, Reason] = {"start": "start off the loops", "goal": "goal off the loops"}
_HIT: dict[str, Reason] = {"start": "start in collision", "goal": "goal in collision"}
_INSIDE: dict[str, Reason] = {"start": "start inside a body", "goal": "goal inside a body"}

#: Starts of inverse kinematics for the pose of a frame, and solutions that are kept.
_TRIES, _MOST = 48, 16
#: Solutions that differ by less in all coordinates are one.
_SAME = 1e-3
# Most pairs that touch in a message.
_PAIRS = 4


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a configuration ``q`` (nq,) cannot be a start or a goal; None if there is no configuration."""

    reason: Reason
    message: str
    pair: Pair | None = None
    joint: str | None = None
    q: Floats | None = None


class Contacts(NamedTuple):
    """What touches in one configuration, and the pairs (inner, outer) that hold one another."""

    hits: tuple[Hit, ...]
    inside: tuple[Pair, ...]

    def without(self, pairs: Collection[Pair]) -> Contacts:
        """The contacts of other pairs."""
        left_out = {frozenset(pair) for pair in pairs}
        return Contacts(
            tuple(hit for hit in self.hits if frozenset(hit.pair) not in left_out),
            tuple(pair for pair in self.inside if frozenset(pair) not in left_out),
        )


def contacts(world: World, q: Floats) -> Contacts:
    """What touches at q (nq,)."""
    return Contacts(world.hits(q), world.inside(q))


def configuration(mechanism: Mechanism, given: Positions | str | None, base: Floats) -> Floats:
    """A configuration (nq,) from its array, joint positions by name, or its own name.

    Joints that are not given are as in ``base`` (nq,), or where they close the loops, if they can; coupled
    joints follow. KeyError for an unknown name, ValueError for a wrong shape.
    """
    if given is None:
        return closed(mechanism, base, ())
    if isinstance(given, str):
        given = dict(_named(mechanism, given))
    q = np.asarray(mechanism.positions(given), np.float64)
    if isinstance(given, Mapping):
        q = np.where(_entries(mechanism, given), q, base)
        q = closed(mechanism, np.asarray(mechanism.apply_couplings(q), np.float64), tuple(given))
    if q.ndim != 1:
        raise ValueError(f"a configuration has shape {q.shape}; expected ({mechanism.nq},)")
    if not np.isfinite(q).all():
        raise ValueError("a configuration has a number that is not finite")
    return np.asarray(mechanism.apply_couplings(q), np.float64)


def closed(mechanism: Mechanism, q: Floats, locked: Sequence[str]) -> Floats:
    """A configuration (nq,) with its loops closed by joints that are not ``locked``, or as it was."""
    if open_loop(mechanism, q) is None:
        return q
    closure = mechanism.close_loops(q, locked)
    return np.asarray(closure.q) if closure.closed else q


def _named(mechanism: Mechanism, name: str) -> Mapping[str, Any]:
    if any(each.name == name for each in mechanism.robot.configurations):
        return posture(mechanism.robot, name)
    known = [each.name for each in mechanism.robot.configurations]
    hint = suggestion(name, known, f"the robot has {', '.join(known) or 'none'}")
    raise KeyError(f"unknown configuration {name!r}{hint}")


def _entries(mechanism: Mechanism, given: Mapping[str, Any]) -> Any:
    """Which entries of q a mapping sets."""
    out = np.zeros(mechanism.nq, bool)
    if mechanism.base == "free" and mechanism.link_names[mechanism.order[0]] in given:
        out[:BASE_SIZE] = True
    for name, kind, at in zip(
        mechanism.joint_names, mechanism.tree.kinds, mechanism.idx_q.tolist(), strict=True
    ):
        if name in given:
            out[at : at + KINDS[kind].nq] = True
    return out


def goals_of(goal: Goal | Sequence[Goal]) -> list[Goal]:
    """The goals of one goal or several: a list of goals, or an array (g, nq)."""
    if isinstance(goal, (str, Mapping, Target)) or target_of(goal) is not None:
        return [goal]  # type: ignore[list-item]
    if isinstance(goal, Sequence) and not (goal and all(_is_number(each) for each in goal)):
        return list(goal)
    array: Any = np.asarray(goal)
    return list(array) if array.ndim == 2 else [array]


def _is_number(given: Any) -> bool:
    return not isinstance(given, (str, Mapping, Target)) and np.ndim(given) == 0


def target_of(goal: Any) -> Target | None:
    """The target of a goal that is the pose of a frame, or None."""
    if isinstance(goal, Target):
        return goal
    if isinstance(goal, tuple) and len(goal) == 2:
        frame, pose = goal
        named = isinstance(frame, str) or (isinstance(frame, tuple) and isinstance(frame[0], str))
        if named and (isinstance(pose, Pose) or np.shape(pose) == (4, 4)):
            return Target(frame=frame, pose=pose)
    return None


def _remedy(given: Any) -> str:
    """How a start or goal that was given may close its loops."""
    if given is None:
        return "name positions of joints at which the others can close it"
    if isinstance(given, (str, Mapping)):
        return "the joints that are named cannot change to close it: name fewer, or name them nearer"
    return "mechanism.close_loops(q).q closes it, where it can be closed"


def refusal(
    world: World,
    coordinates: Coordinates,
    q: Floats,
    what: Literal["start", "goal"],
    given: Any,
    found: Contacts | None = None,
) -> Refusal | None:
    """Why a configuration (nq,), ``given`` in any form, cannot be a start or a goal, or None.

    ``found`` are its contacts, if they are known.
    """
    outside = coordinates.outside(q)
    if outside is not None:
        fits = abs(outside.position) > math.pi and (
            outside.low <= math.radians(outside.position) <= outside.high
        )
        other = "as degrees it would be within them" if fits else f"choose another {what}"
        message = f"the {what} is outside the limits: {outside} (rad or m); {other}"
        return Refusal(_LIMITS[what], message, joint=outside.joint, q=q)
    loop = open_loop(world.mechanism, q) if coordinates.looped else None
    if loop is not None:
        message = f"the {what} leaves the loop {loop} open; {_remedy(given)}"
        return Refusal(_OFF[what], message, q=q)
    hits, inside = contacts(world, q) if found is None else found
    if hits:
        touching = listed((f"{a} touches {b}" for a, b in (hit.pair for hit in hits)), _PAIRS)
        skip = Setting("skip", *hits[0].pair)
        message = Hint(
            f"the {what} is in collision: {touching}; choose another {what}, or leave out a pair that may "
            "touch: ",
            skip,
        )
        return Refusal(_HIT[what], message, pair=hits[0].pair, q=q)
    if inside:
        message = f"the {what} is in collision: {inside[0][0]} is inside of {inside[0][1]}"
        return Refusal(_INSIDE[what], message, pair=inside[0], q=q)
    return None


def goal_configurations(
    world: World, coordinates: Coordinates, start: Floats, goal: Goal, generator: np.random.Generator
) -> list[Floats] | Refusal:
    """Free configurations (nq,) of one goal, or why there is none."""
    target = target_of(goal)
    if target is not None:
        return _solutions(world, coordinates, start, target, generator)
    q = configuration(world.mechanism, goal, start)  # type: ignore[arg-type]
    joint = coordinates.unreached(q)
    if joint is not None:
        message = Hint(f"the goal moves {joint}, which ", coordinates.why_still(joint))
        return Refusal("goal not reached by the coordinates", message, joint=joint)
    return refusal(world, coordinates, q, "goal", goal) or [q]


def _solutions(
    world: World, coordinates: Coordinates, start: Floats, target: Target, generator: np.random.Generator
) -> list[Floats] | Refusal:
    """Free configurations that put a frame at a pose, of many starts of inverse kinematics."""
    mechanism = world.mechanism
    name = target.frame if isinstance(target.frame, str) else "the frame"
    above = _above(mechanism, target)
    unbounded = next((each for each in above or () if each in coordinates.unbounded), None)
    if above is not None and not above & moved_joints(coordinates):
        message = f"no coordinate moves {name}; choose a goal for another link, or joints that move it"
        if unbounded is not None:
            message = Hint(f"no coordinate moves {name}: {unbounded} ", coordinates.why_still(unbounded))
        return Refusal("goal not reached by the coordinates", message, joint=unbounded)
    x = np.concatenate([coordinates.from_joints(start)[None], coordinates.samples(generator, _TRIES - 1)])
    found = coordinates.bounded.inverse_kinematics(
        [target],
        start=coordinates.to_joints(x),
        locked=_unmoved(coordinates),
        restarts=1,
        seed=int(generator.integers(2**31)),
    )
    if not found.converged.any():
        if (found.why == "out of reach").all():
            return Refusal("goal out of reach", f"the goal is farther away than {name} reaches")
        best = int(np.argmin(found.distance + found.angle))
        near = f"{found.distance[best]:.3g} m and {math.degrees(found.angle[best]):.3g}°"
        message = (
            f"no configuration was found in which {name} is at the goal; the nearest misses it by {near}; "
            "other seeds may find one"
        )
        if unbounded is not None:
            message = Hint(f"{message}; {unbounded} ", coordinates.why_still(unbounded))
        return Refusal("not found", message)
    kept: list[Floats] = []
    refused: list[Refusal] = []
    for q in found.q[found.converged]:
        mine = coordinates.from_joints(q)
        if coordinates.unreached(q) is not None or any(
            np.abs(coordinates.difference(mine, coordinates.from_joints(other))).max(initial=0.0) < _SAME
            for other in kept
        ):
            continue
        why = refusal(world, coordinates, q, "goal", q)
        if why is None:
            kept.append(q)
        else:
            refused.append(why)
        if len(kept) == _MOST:
            break
    if kept:
        return kept
    if refused:
        first = refused[0]
        message = (
            f"all {len(refused)} configurations found for the goal are refused; the first: {first.message}"
        )
        return Refusal(first.reason, message, first.pair, first.joint)
    message = f"the configurations in which {name} is at the goal move joints that no coordinate moves"
    return Refusal("goal not reached by the coordinates", message)


def _above(mechanism: Mechanism, target: Target) -> set[str] | None:
    """The joints above the frame of a target, and a free base by its link; None for an unknown frame."""
    robot = mechanism.robot
    frames = {frame.name: frame.link for frame in robot.frames}
    name = target.frame if isinstance(target.frame, str) else target.frame[0]
    link = frames.get(name, name)
    if link not in mechanism.link_names:
        return None
    joints = mechanism.tree.joints_above(mechanism.link_names.index(link))
    base = [root_of(mechanism)] if mechanism.base == "free" else []
    return {*base, *(mechanism.joint_names[joint] for joint in joints)}


def moved_joints(coordinates: Coordinates) -> set[str]:
    """The joints, and the root link of a free base, that coordinates move, or loops."""
    return set(_movable(coordinates)) - set(_unmoved(coordinates))


def resting_pairs(world: World, moved: Collection[str], found: Contacts) -> tuple[Pair, ...]:
    """The pairs that touch, or hold one another, and between which no joint of ``moved`` is."""
    touching = [hit.pair for hit in found.hits]
    held = {frozenset(pair) for pair in found.inside}
    touching += [pair for pair in world.pairs if frozenset(pair) in held and pair not in touching]
    if not touching:
        return ()
    mechanism = world.mechanism
    joints = mechanism.robot.joints
    base_moves = mechanism.base == "free" and root_of(mechanism) in moved

    def is_still(pair: Pair) -> bool:
        """Whether no joint between the links moves; an obstacle is fixed to the world."""
        if base_moves and not set(pair) <= set(mechanism.link_names):
            return False
        return not any(joint.name in moved for way in branches(joints, *pair) for joint in way)

    return tuple(pair for pair in touching if is_still(pair))


def _movable(coordinates: Coordinates) -> dict[str, Flags]:
    """The joints with positions, and the root link of a free base, with their entries of q (nq,)."""
    mechanism = coordinates.mechanism
    out: dict[str, Flags] = {}
    if mechanism.base == "free":
        out[root_of(mechanism)] = np.arange(mechanism.nq) < BASE_SIZE
    for number, (name, kind) in enumerate(zip(mechanism.joint_names, mechanism.tree.kinds, strict=True)):
        if KINDS[kind].nq:
            out[name] = entries_of(mechanism, [number])
    return out


def _unmoved(coordinates: Coordinates) -> list[str]:
    """The joints, and the root link of a free base, that no coordinate moves."""
    moved = coordinates.moving | coordinates.follows
    return [name for name, entries in _movable(coordinates).items() if not (moved & entries).any()]
