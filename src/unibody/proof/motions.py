"""Explains how a joint moves in an engine: its origin, axis, zero and scale by values of the file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import IDENTITY, Pose, matrix_quaternion
from unibody.model.robot import Joint
from unibody.proof.fits import factor_between, moved_words
from unibody.proof.guesses import (
    DEGREE,
    FITTED,
    JOINT,
    RIGHT,
    Guess,
    Words,
    axis_guesses,
    explained,
    is_known,
    pole_guesses,
    rotation_guesses,
    vector_guesses,
)
from unibody.proof.measured import Motion, exponentials, logarithm
from unibody.proof.reference import Reference
from unibody.proof.scalars import coupling_words
from unibody.proof.sources import Sources, zeros_in

_BODY = "the pose of its body in that of its parent"
_OWN = ("its own origin", "its own pose", _BODY)
# What a slip of a whole origin costs more where it changes the place alone, or the turn alone.
_PARTLY = 0.5


@dataclass(frozen=True, eq=False)
class Explained:
    """What explains a motion, part by part: where the joint is, its axis, and a zero that is elsewhere."""

    pose: Words
    axis: Words = field(default_factory=lambda: RIGHT)
    arm: Words = field(default_factory=lambda: RIGHT)
    zero: float = 0.0
    zeros: Words = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        """Whether values of the file explain all parts."""
        return all(is_known(words) for words in (self.pose, self.axis, self.arm))


def pose_of(matrix: Floats) -> Pose:
    """A pose of a matrix (4, 4)."""
    a, b, c = matrix[:3, :3].tolist()
    x, y, z = matrix[:3, 3].tolist()
    return Pose((x, y, z), matrix_quaternion((tuple(a), tuple(b), tuple(c))))


def pose_words(own: Pose, there: Floats, sources: Sources, noun: str, tolerance: float) -> Words:
    """What explains a pose (4, 4) that should be another one."""
    here = np.array(own.matrix())
    moved = float(np.abs(here[:3, 3] - there[:3, 3]).max()) > tolerance
    turned = float(np.abs(here[:3, :3] - there[:3, :3]).max()) > tolerance
    if not moved and not turned:
        return RIGHT
    turns = {k: v for k, v in sources.turns.items() if k != _BODY}
    vectors = sources.vectors
    turn_words: Words = RIGHT
    if turned:
        others = {k: v for k, v in turns.items() if k not in _OWN}
        guesses = [
            *pole_guesses(here[:3, :3], there[:3, :3], noun),
            *rotation_guesses(here[:3, :3], noun, others),
        ]
        turn_words = explained(guesses, there[:3, :3], tolerance)
    place_words: Words = RIGHT
    if moved:
        others = {k: v for k, v in vectors.items() if k not in _OWN}
        guesses = vector_guesses(here[:3, 3], f"position of {noun}", others, turns)
        place_words = explained(guesses, there[:3, 3], tolerance)
        factor = factor_between(here[:3, 3], there[:3, 3])
        if not place_words and factor is not None:
            place_words = {f"lengths of origins multiplied by {factor:.6g}": FITTED}
    out = {
        ", ".join(filter(None, (a, b))): x + y
        for (a, x), (b, y) in product(place_words.items(), turn_words.items())
    }
    # what is wrong in a part alone may be the same slip of the whole at other joints
    further = 0.0 if (moved and turned) or noun != JOINT else _PARTLY
    for guess in _whole(own, sources, noun):
        if float(np.abs(guess.value - there).max()) <= tolerance:
            out[guess.words] = min(out.get(guess.words, math.inf), guess.cost + further)
    return out or _body_words(own, there, sources, tolerance) or {moved_words(own, pose_of(there)): FITTED}


def _body_words(own: Pose, there: Floats, sources: Sources, tolerance: float) -> Words:
    """What explains the origin of a joint by another pose of its body of MJCF in that of its parent."""
    parent, child = sources.anchors
    if parent == IDENTITY and child == IDENTITY:
        return {}
    body = parent @ own @ child.inverse()
    before, after = np.array(parent.inverse().matrix()), np.array(child.matrix())
    guesses = origin_guesses(body, sources)
    made = (Guess(x.cost, x.words, before @ x.value @ after) for x in guesses)
    return explained(made, there, 10.0 * tolerance)


def origin_guesses(own: Pose, sources: Sources) -> Iterator[Guess]:
    """What the origin of a joint, as a matrix (4, 4), may become."""
    here = np.array(own.matrix())
    turns = {k: v for k, v in sources.turns.items() if k not in _OWN}
    for guess in rotation_guesses(here[:3, :3], JOINT, turns):
        made = here.copy()
        made[:3, :3] = guess.value
        yield Guess(guess.cost, guess.words, made)
    vectors = {k: v for k, v in sources.vectors.items() if k not in _OWN}
    around = {k: v for k, v in sources.turns.items() if k != _BODY}
    for guess in vector_guesses(here[:3, 3], f"position of {JOINT}", vectors, around):
        made = here.copy()
        made[:3, 3] = guess.value
        yield Guess(guess.cost, guess.words, made)
    yield from _whole(own, sources, JOINT)


def _whole(own: Pose, sources: Sources, noun: str) -> Iterator[Guess]:
    """What a pose may become as a whole."""
    here = np.array(own.matrix())
    back = np.linalg.inv(here)
    is_joint = noun == JOINT
    word = "origin of the joint" if is_joint else "pose of the root link"
    yield Guess(1.0 if is_joint else 0.8, f"{word} ignored", np.eye(4))
    yield Guess(1.0, f"{word} inverted", back)
    yield Guess(1.4, f"{word} applied twice", here @ here)
    for axis in range(3):
        flip = np.eye(4)
        flip[axis, axis] = -1.0
        yield Guess(
            1.2, f"{word.split(' of', maxsplit=1)[0]} mirrored along {'xyz'[axis]}", flip @ here @ flip
        )
    for axis, angle in product(range(3), (90.0, -90.0, 180.0)):
        turn = exponentials(np.eye(3)[axis], np.zeros(3), np.array([angle * DEGREE]))[0]
        words = f"turned by {angle:g}° about {'xyz'[axis]}"
        if axis == 0 and angle != 180.0:
            words += " (Y taken as up)" if angle > 0.0 else " (Z taken for Y as up)"
        yield Guess(1.6, f"{word} {words}", turn @ here)
        yield Guess(1.9, f"frame of {'the joint' if is_joint else 'the root link'} {words}", here @ turn)
        yield Guess(2.0, f"{word} {words} with its axes", turn @ here @ turn.T)
    for name, pose in sources.poses.items():
        if name in _OWN:
            continue
        other = np.array(pose.matrix())
        inverse = np.linalg.inv(other)
        if name == "the pose of its parent in the root link":
            words = "origin of the joint in its parent taken as that in the root link"
            yield Guess(1.2, words, inverse @ here)
            words = "origin of the joint in the root link written as that in its parent"
            yield Guess(1.2, words, other @ here)
        yield Guess(1.6, f"{word} taken from {name}", other)
        yield Guess(1.8, f"{word} moved by {name}", other @ here)
        yield Guess(1.8, f"{word} in {name}", inverse @ here)
        yield Guess(1.8, f"{word} followed by {name}", here @ other)
        yield Guess(1.9, f"{word} followed by the inverse of {name}", here @ inverse)


def motion_words(
    reference: Reference, joint: Joint, motion: Motion, sources: Sources, tolerance: float
) -> Explained:
    """What explains the motion of a joint in an engine, in the frame of the parent link."""
    own = np.array(joint.origin.matrix())
    is_slide = joint.kind == "prismatic"
    axis = np.array(joint.axis)
    rate = motion.linear if is_slide else motion.angular
    arm = np.zeros(3) if is_slide or not rate.any() else motion.arm
    pose = pose_words(joint.origin, motion.zero, sources, JOINT, tolerance)
    zero, zeros = 0.0, {}
    if pose is not RIGHT and rate.any():
        zero = _zero_of(own, motion, is_slide, tolerance)
        if zero:
            zeros = dict(_zero_words(reference, joint, zero))
            pose = {**{k: v for k, v in pose.items() if v < FITTED}, **zeros}
    coupled = _coupled_words(reference, joint, motion, rate, zero)
    if is_known(coupled):
        alone = pose is RIGHT
        if alone:
            # what is of the coupling may be of the axis of the joint
            coupled = {
                **_axis_words(reference, joint, rate, motion.zero[:3, :3], sources, tolerance),
                **coupled,
            }
            coupled = {words: cost for words, cost in coupled.items() if cost < FITTED}
        return Explained(pose=RIGHT if alone else coupled, axis=coupled, zero=zero, zeros=coupled)
    return Explained(
        pose=pose,
        axis=_axis_words(reference, joint, rate, motion.zero[:3, :3], sources, tolerance),
        arm=_arm_words(arm, axis, reference.anchors[joint.child], sources, tolerance),
        zero=zero,
        zeros=zeros,
    )


def reading_of(joint: Joint, motion: Motion, tolerance: float) -> tuple[float, float] | None:
    """The factor and the offset by which a number moves a joint as it should move; None if it does not."""
    axis = np.array(joint.axis)
    is_slide = joint.kind == "prismatic"
    rate = motion.linear if is_slide else motion.angular
    scale = float(rate @ axis)
    if not abs(scale) > tolerance or float(np.abs(rate - scale * axis).max()) > tolerance:
        return None
    if not is_slide and float(np.abs(motion.linear).max()) > tolerance:
        return None
    own = np.array(joint.origin.matrix())
    offset = 0.0
    if float(np.abs(own - motion.zero).max()) > tolerance:
        offset = scale * _zero_of(own, motion, is_slide, tolerance)
        if not offset:
            return None
    return (1.0 if abs(scale - 1.0) <= tolerance else scale), offset


def _coupled_words(reference: Reference, joint: Joint, motion: Motion, rate: Floats, zero: float) -> Words:
    """What explains how a coupled joint follows another one in an engine that moves both by one number."""
    coupling = next((each for each in reference.robot.couplings if each.joint == joint.name), None)
    axis = np.array(joint.axis)
    scale = float(rate @ axis)
    if coupling is None or not coupling.ratio or float(np.abs(rate - scale * axis).max()) > 1e-8:
        return {}
    if not zero and float(np.abs(motion.zero - np.array(joint.origin.matrix())).max()) > 1e-8:
        return {}
    own = coupling.ratio, coupling.offset
    there = scale * coupling.ratio, scale * (coupling.offset + zero)
    away = abs(own[0] - there[0]) + abs(own[1] - there[1])
    return coupling_words(own, there) if away > 1e-9 else {}


def _zero_of(own: Floats, motion: Motion, is_slide: bool, tolerance: float) -> float:
    """The position at which the motion is where the file has its zero; 0 without one."""
    angular, linear = logarithm(np.asarray(np.linalg.solve(own, motion.zero), np.float64))
    rate, there = (motion.linear, linear) if is_slide else (motion.angular, angular)
    value = float(there @ rate) / float(rate @ rate)
    made = own @ exponentials(motion.angular, motion.linear, np.array([value]))[0]
    return value if float(np.abs(made - motion.zero).max()) <= tolerance else 0.0


def _zero_words(reference: Reference, joint: Joint, value: float) -> Words:
    """What explains a zero that is elsewhere by this much."""
    low, high = joint.limits.position
    ref = zeros_in(reference).get(joint.name, 0.0)
    offsets = [x.offset for x in reference.robot.couplings if x.joint == joint.name]
    numbers = (
        (1.0, "zero at the initial position", -joint.initial),
        (1.0, "zero before the initial position", joint.initial),
        (1.0, "zero at the lower limit", -low),
        (1.0, "zero before the lower limit", low),
        (1.1, "zero at the upper limit", -high),
        (1.1, "zero before the upper limit", high),
        (1.1, "zero in the middle of the limits", 0.5 * (low + high)),
        (1.1, "zero before the middle of the limits", -0.5 * (low + high)),
        (1.0, "ref of the joint ignored", ref),
        (1.0, "ref of the joint applied with the opposite sign", 2.0 * ref),
        (1.1, "ref of the joint added to its position", -ref),
        (1.3, "zero at the rest position of the spring", -joint.dynamics.rest),
        (1.3, "zero before the rest position of the spring", joint.dynamics.rest),
        (1.4, "zero at the offset of the actuator", joint.actuator.offset or 0.0),
        (1.4, "zero before the offset of the actuator", -(joint.actuator.offset or 0.0)),
        *((1.0, "offset of the coupling dropped", -x) for x in offsets),
        *((1.0, "sign of the coupling's offset", -2.0 * x) for x in offsets),
        (1.5, "zero moved by 90°", 0.5 * math.pi),
        (1.5, "zero moved by -90°", -0.5 * math.pi),
        (1.5, "zero moved by 180°", math.pi),
    )
    period = 2.0 * math.pi if joint.kind == "revolute" else math.inf

    def is_equal(x: float) -> bool:
        if not x or not math.isfinite(x):
            return False
        away = math.remainder(x - value, period) if math.isfinite(period) else x - value
        return abs(away) <= 1e-7 * max(1.0, abs(value))

    out = {words: cost for cost, words, x in numbers if is_equal(x)}
    unit = "m" if joint.kind == "prismatic" else "rad"
    return out or {f"zero of the joint moved by {value:.6g} {unit}": FITTED}


def _axis_words(
    reference: Reference, joint: Joint, rate: Floats, turn: Floats, sources: Sources, tolerance: float
) -> Words:
    """What explains the axis of a joint times the ratio of its motion."""
    axis = np.array(joint.axis)
    tolerance = max(10.0 * tolerance, 1e-8)
    if float(np.abs(rate - axis).max()) <= tolerance:
        return RIGHT
    size = float(np.linalg.norm(rate))
    if size <= tolerance:
        coupled = any(each.joint == joint.name for each in reference.robot.couplings)
        return {"coupling dropped: the joint stays at zero" if coupled else "joint does not move": 1.0}
    along = rate / size
    kept = turn.T @ np.array(joint.origin.rotation()) @ axis
    others = {k: np.asarray(v / np.linalg.norm(v)) for k, v in sources.vectors.items() if k != "its axis"}
    guesses = [
        Guess(0.0, "", axis),
        *axis_guesses(axis, {k: x for k, x in sources.turns.items() if k not in _OWN[1:]}, others),
        Guess(1.1, "axis kept in the frame of the parent link", kept),
    ]
    words = explained(guesses, along, tolerance) or {
        "axis along {:.6g}, {:.6g}, {:.6g} in the engine".format(*along.tolist()): FITTED
    }
    scales = RIGHT if abs(size - 1.0) <= tolerance else _scale_words(joint, size)
    return {
        ", ".join(filter(None, (a, b))): x + y for (a, x), (b, y) in product(words.items(), scales.items())
    }


def _scale_words(joint: Joint, size: float) -> Words:
    gear = abs(joint.actuator.gear_ratio or 1.0)
    numbers = (
        (1.0, "positions taken as degrees: multiplied by π/180", DEGREE),
        (1.0, "positions in degrees: multiplied by 180/π", 1.0 / DEGREE),
        (1.0, "positions in mm: divided by 1000", 1e-3),
        (1.0, "positions multiplied by 1000", 1e3),
        (1.1, "positions in cm: divided by 100", 1e-2),
        (1.1, "positions multiplied by 100", 1e2),
        (1.2, "positions halved", 0.5),
        (1.2, "positions doubled", 2.0),
        (1.2, "positions in inches", 1.0 / 0.0254),
        (1.2, "positions multiplied by 0.0254", 0.0254),
        (1.2, "positions multiplied by the gear ratio", gear),
        (1.2, "positions divided by the gear ratio", 1.0 / gear),
        (1.3, "turns for radians", 2.0 * math.pi),
        (1.3, "radians for turns", 0.5 / math.pi),
    )
    out = {words: cost for cost, words, x in numbers if math.isclose(x, size, rel_tol=1e-7)}
    return out or {f"positions multiplied by {size:.6g}": FITTED}


# Names of their own for what the pose of a body makes of an anchor.
_ARM_WORDS = {
    f"anchor of the joint placed by the inverse of {_BODY}": (
        "anchor of the joint read in the frame of the parent body"
    ),
    f"anchor of the joint placed by {_BODY}": (
        "anchor of the joint read as in its body where it is in that of the parent"
    ),
}


def _arm_words(arm: Floats, axis: Floats, anchor: Pose, sources: Sources, tolerance: float) -> Words:
    """What explains an axis that is beside the origin of the joint; ``anchor`` is that in its body."""
    tolerance = 10.0 * tolerance
    if float(np.abs(arm).max()) <= tolerance:
        return RIGHT
    back = np.array(anchor.rotation()).T
    place = np.array(anchor.xyz)

    def across(vector: Floats) -> Floats:
        return np.asarray(vector - float(vector @ axis) * axis)

    noun = "anchor of the joint"
    if float(np.abs(across(back @ -place) - arm).max()) <= tolerance:
        return {"anchor of the joint ignored: it is at the origin of its body": 1.0}
    poses = {k: x for k, x in sources.poses.items() if k != "its own origin"}
    vectors = {k: v for k, v in sources.vectors.items() if k != "its anchor in the body"}
    guesses = [
        # in the axes of the link, from the origin of the joint
        Guess(guess.cost, guess.words, across(back @ (guess.value - place)))
        for guess in vector_guesses(place, noun, vectors, sources.turns, poses)
    ]
    words = {
        _ARM_WORDS.get(words, words): cost for words, cost in explained(guesses, arm, tolerance).items()
    }
    return words or {f"axis of the joint {float(np.linalg.norm(arm)):.6g} m beside its origin": FITTED}
