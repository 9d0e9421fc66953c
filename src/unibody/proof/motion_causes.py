"""Finds why links move otherwise in an engine: measured motions, exchanged numbers, other parents."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint
from unibody.proof.body_slips import BODIES, moved_frames
from unibody.proof.cause import Cause
from unibody.proof.fits import (
    with_axis,
    with_origin,
)
from unibody.proof.guesses import JOINT, RIGHT, alternatives, chosen, is_known
from unibody.proof.measured import Motion, measured
from unibody.proof.mesh_slips import MESHES
from unibody.proof.motions import (
    Explained,
    motion_words,
    pose_of,
    pose_words,
    reading_of,
)
from unibody.proof.reference import Misreading, Reference
from unibody.proof.search import Search
from unibody.proof.shape_slips import SHAPES
from unibody.proof.slips import FRAMES, JOINTS, LINKS, Slip
from unibody.proof.sources import Tree, joint_sources, root_sources
from unibody.proof.subject import Subject

_MASSES, _PLACES = (*LINKS, *SHAPES, *MESHES), (*FRAMES, *BODIES)
_MOTION = (*JOINTS, *FRAMES, *BODIES)
# What explains motions at most at this cost is simpler than frames that are elsewhere.
_FRAMES_COST = 2.25
_STATES, _NAMED = 16, 3


def explain_motion(search: Search) -> None:
    """Why links are elsewhere: joints with other origins, axes, zeros, parents or numbers."""
    away = search.joint_deviations(search.reference)
    tolerance = search.tolerance()
    owners = [name for name, value in away.items() if not value <= tolerance]
    quantities = ("positions", "rotations")
    owners = _rehung(search, owners, tolerance)
    if (
        not owners
        or _take_places(search, owners, quantities)
        or _explain_motions(search, owners, tolerance, known=True)
        or search.take_best(_MOTION, owners, quantities)
        or _swapped(search, owners, tolerance)
    ):
        return
    _explain_motions(search, owners, tolerance, known=False)
    away = search.joint_deviations(search.reference)
    owners = [name for name in owners if not away.get(name, math.inf) <= tolerance]
    # more than one slip: each joint by itself, and joints with the same one together
    while owners:
        found = [(slip, _solved(search, slip, owners, tolerance)) for slip in _MOTION]
        slip, solved = max(found, key=lambda pair: len(pair[1]))
        if not solved:
            break
        search.take(Cause(slip.cause, tuple(solved), quantities), slip.change(search.reference, solved))
        owners = [name for name in owners if name not in solved]


def _take_places(search: Search, owners: Sequence[str], quantities: Sequence[str]) -> bool:
    """Take a slip that puts frames elsewhere, if it is simpler than what explains each joint."""
    before = len(search.causes), search.reference
    simple = math.inf
    if _explain_motions(search, owners, search.tolerance(), known=True):
        simple, rest = search.simplicity, len(search.compared().failed)
    causes, reference = search.causes[before[0] :], search.reference
    del search.causes[before[0] :]
    search.reference = before[1]
    if simple <= _FRAMES_COST:
        return False
    if not search.take_best(_PLACES, owners, quantities):
        return False
    if math.isfinite(simple) and len(search.compared().failed) > rest:
        del search.causes[before[0] :]
        search.causes += causes
        search.reference = reference
    return True


def _explain_motions(search: Search, owners: Sequence[str], tolerance: float, *, known: bool) -> bool:
    """Explain the measured motion of each joint by values of the file; False if not all are.

    With ``known`` nothing is taken unless all are explained so.
    """
    tree = Tree(search.reference.robot)
    found: dict[str, Explained] = {}
    motions: dict[str, Motion] = {}
    for name in owners:
        motion = _measured(search, name, tolerance)
        if motion is None:
            continue
        explanation = _explained(search, name, motion, tree, tolerance)
        if not known or explanation.is_known:
            found[name], motions[name] = explanation, motion
    if known and len(found) < len(owners):
        return False
    reference, causes, zeros = search.reference, list[Cause](), set[str]()
    search.simplicity = 0.0
    for part in ("pose", "axis", "arm"):
        words = {name: getattr(each, part) for name, each in found.items()}
        wrong = {name: each for name, each in words.items() if each is not RIGHT}
        for same, names in chosen(wrong):
            search.simplicity += 1.0 + words[names[0]][same[0]]
            zeros |= {name for name in names if same[0] in found[name].zeros}
            subject = Subject.AXIS if part == "axis" else Subject.OTHER
            causes.append(_motion_cause(search, same, names, words, subject))
    for name, motion in motions.items():
        reference = _with_motion(search, reference, name, motion, found[name], name in zeros)
    away = search.joint_deviations(reference)
    if any(not away.get(name, math.inf) <= 100.0 * tolerance for name in found):
        return False
    search.causes += causes
    search.reference = reference
    return len(found) == len(owners)


def _motion_cause(
    search: Search,
    same: Sequence[str],
    names: Sequence[str],
    words: Mapping[str, Mapping[str, float]],
    subject: Subject,
) -> Cause:
    fitted = not is_known({same[0]: words[names[0]][same[0]]})
    root = search.reference.robot.root
    owners = tuple(name or root for name in names)
    return Cause(alternatives(same), owners, ("positions", "rotations"), fitted, subject=subject)


def _measured(search: Search, name: str, tolerance: float, other: str = "") -> Motion | None:
    """The motion of the child of a joint in its parent, as the engine has it; None without one.

    It is that by the position of the joint, or of another one.
    """
    robot, bodies = search.reference.robot, search.reference.bodies
    joint = robot.joint(name) if name else None
    if joint is not None and KINDS[joint.kind].nq > 1:
        return None
    if name not in (pairs := search.relative_poses(search.reference)):
        return None
    _, theirs = pairs[name]
    frame = search.frame(joint.parent) if joint is not None else np.eye(4)
    offset = bodies[joint.child if joint is not None else robot.root][1]
    poses = np.linalg.solve(frame, theirs) @ np.array(offset.matrix())
    moves = joint is not None and KINDS[joint.kind].nq == 1
    return measured(poses, search.values(other or name) if moves else np.zeros(len(poses)), tolerance)


def _explained(search: Search, name: str, motion: Motion, tree: Tree, tolerance: float) -> Explained:
    search.go_on()
    robot = search.reference.robot
    if not name:
        noun = "the root link's pose"
        return Explained(pose_words(robot.pose, motion.zero, root_sources(tree), noun, tolerance))
    joint = robot.joint(name)
    sources = joint_sources(search.reference, tree, joint)
    if joint.kind == "fixed":
        return Explained(pose_words(joint.origin, motion.zero, sources, JOINT, tolerance))
    return motion_words(search.reference, joint, motion, sources, tolerance)


def _with_motion(
    search: Search, reference: Reference, name: str, motion: Motion, found: Explained, moved: bool
) -> Reference:
    """The reference with the measured motion of a joint."""
    joint = reference.robot.joint(name) if name else None
    if joint is None or joint.kind == "fixed":
        return with_origin(reference, name, pose_of(motion.zero))
    own = reference.readings.get(name, Misreading(name))
    scale = 1.0
    rate = motion.linear if joint.kind == "prismatic" else motion.angular
    size = float(np.linalg.norm(rate))
    if found.axis is not RIGHT:
        scale = size
        if size > 0.0:
            x, y, z = (rate / size).tolist()
            reference = with_axis(reference, name, (x, y, z))
    offset = float(np.sum(own.offset)) * scale + (found.zero * size if moved else 0.0)
    if scale != 1.0 or moved:
        reading = Misreading(own.of, own.scale * scale, offset)
        reference = replace(reference, readings={**reference.readings, name: reading})
    if found.pose is not RIGHT and not moved:
        reference = with_origin(reference, name, pose_of(motion.zero))
    if found.arm is not RIGHT:
        x, y, z = motion.arm.tolist()
        reference = moved_frames(reference, {joint.child: (x, y, z)})
    return reference


def _rehung(search: Search, owners: Sequence[str], tolerance: float) -> list[str]:
    """Take joints that hang on another link in the engine, or on the world; the others are left."""
    found: dict[str, dict[str, str]] = {}
    for name in filter(None, owners):
        other = _hung_on(search, name, tolerance)
        if other is not None:
            found.setdefault(_hung_words(search, name, other), {})[name] = other
    for words, others in found.items():
        names = [*others]
        mine = ("positions", "rotations", "mass_matrix", "bias", "acceleration")
        search.take(Cause(words, tuple(names), mine), _hanging(search, others))
        if not all(others.values()):
            # no tree of ours has it: what follows from it is not compared
            search.explained |= {*mine}
    taken = {name for others in found.values() for name in others}
    return [name for name in owners if name not in taken]


def _hung_words(search: Search, name: str, other: str) -> str:
    """The words for a joint that hangs on another link, "" for the world."""
    parent, above = search.reference.robot.joint(name).parent, search.reference.above
    link = parent
    while link in above and above[link].kind == "fixed":
        link = above[link].parent
        if link == other:
            return "joint hangs on the link that its parent is fixed to, the fixed joint ignored"
    return f"joint hangs on {other or 'the world'} in the engine, not on {parent}"


def _hung_on(search: Search, name: str, tolerance: float) -> str | None:
    """The link, "" for the world, in which the engine has what a joint moves as in its own parent."""
    search.go_on()
    theirs = search.answer.arrays["poses"]
    rows = {link: k for k, link in enumerate(search.answer.facts["links"])}
    joint, bodies = search.reference.robot.joint(name), search.reference.bodies
    if bodies[joint.parent][0] not in rows:
        return None
    ours, _ = search.relative_poses(search.reference)[name]
    there = theirs[:, rows[bodies[joint.child][0]]]
    below = {joint.child}
    for each in search.reference.robot.joints:
        below |= {each.child} if each.parent in below else set()
    for other in ("", *(x.name for x in search.reference.robot.links if x.name not in below)):
        if other == joint.parent or (other and bodies[other][0] not in rows):
            continue
        moved = np.linalg.solve(theirs[:, rows[bodies[other][0]]], there) if other else there
        away = np.abs(moved[:, :3] - ours[:, :3]).max()
        if away <= tolerance:
            return other
    return None


def _hanging(search: Search, others: Mapping[str, str]) -> Reference | None:
    """The reference with joints on other links, where they have the same origins in their bodies."""
    if not all(others.values()):
        return None
    robot, bodies = search.reference.robot, search.reference.bodies

    def of(joint: Joint) -> Joint:
        other = others.get(joint.name)
        if other is None:
            return joint
        origin = bodies[other][1].inverse() @ bodies[joint.parent][1] @ joint.origin
        return replace(joint, parent=other, origin=origin)

    joints = tuple(map(of, robot.joints))
    return replace(search.reference, robot=replace(robot, joints=joints))


def _swapped(search: Search, owners: Sequence[str], tolerance: float) -> bool:
    """Take that joints are moved by the numbers of others, where these and not the own ones do it."""
    single = [j.name for j in search.reference.robot.joints if KINDS[j.kind].nq == 1]
    moved: dict[str, Misreading] = {}
    for name in owners:
        if not name or _measured(search, name, tolerance) is not None:
            continue
        joint = search.reference.robot.joint(name)
        for other in (x for x in single if x != name):
            motion = _measured(search, name, tolerance, other)
            if motion is None or (reading := reading_of(joint, motion, 100.0 * tolerance)) is None:
                continue
            moved[name] = Misreading(other, *reading)
            break
    if not moved:
        return False
    ordered = replace(search.reference, readings={**search.reference.readings, **moved})
    away = search.joint_deviations(ordered)
    if any(not away.get(name, math.inf) <= 100.0 * tolerance for name in moved):
        return False
    for cause in _moved_words(search, moved):
        search.causes.append(cause)
    search.reference = ordered
    rest = [name for name in owners if not away.get(name, math.inf) <= 100.0 * tolerance]
    if rest:
        _explain_motions(search, rest, tolerance, known=False)
    return True


def _moved_words(search: Search, moved: Mapping[str, Misreading]) -> Iterator[Cause]:
    """The words for joints that are moved by the numbers of others."""
    mine = ("positions", "rotations")
    plain = {name: x.of for name, x in moved.items() if x.scale == 1.0 and x.offset == 0.0}
    if len(plain) > 1:
        words = ", ".join(f"{name} moves by the numbers of {of}" for name, of in [*plain.items()][:_NAMED])
        yield Cause(f"joint order: {words}", tuple(plain), mine, subject=Subject.ORDER)
    for name, reading in moved.items():
        if name in plain and len(plain) > 1:
            continue
        words = f"moves by the numbers of {reading.of}"
        if name not in plain:
            words += f", multiplied by {reading.scale:.6g} and moved by {float(np.sum(reading.offset)):.6g}"
        yield Cause(words, (name,), mine)


def _solved(search: Search, slip: Slip, owners: Sequence[str], tolerance: float) -> list[str]:
    """The owners whose own motion a slip explains."""
    if slip.area == "world" or not owners or slip.subject is Subject.ORDER:
        return []
    away = search.joint_deviations(slip.change(search.reference, owners))
    return [name for name in owners if away.get(name, math.inf) <= tolerance]
