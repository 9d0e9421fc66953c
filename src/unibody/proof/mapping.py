"""Finds where physics engines have the numbers of joints: ``ub.joint_map``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from unibody.conversion.output import SaveError
from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.mechanism.tree import zero_configuration
from unibody.model.arrays import Floats
from unibody.model.base import Base
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Robot
from unibody.model.scene import Scene
from unibody.proof.comparison import Comparison, angles, compare_poses, pose_tolerance
from unibody.proof.engines import MAPPED, Engine, engines_of
from unibody.proof.joint_map import JointMap, JointMapError, MappedJoint
from unibody.proof.loading import REMEDY
from unibody.proof.process import MEMORY, SECONDS, Answer, EngineFailed, EngineMissing
from unibody.proof.proving import Given, ask, file_for, given_from
from unibody.proof.reference import DRAWN, Reference, States, places, reference_of
from unibody.proof.stated import stated_map

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

# How far a joint is moved alone, in rad and m; the numbers of a pose, all different, with a quaternion.
_ALONE = 0.5
_POSE = (0.3, -0.2, 0.6)
_TURN = np.array([0.7, 0.1, -0.5, 0.4]) / np.linalg.norm([0.7, 0.1, -0.5, 0.4])
# States at which all joints are moved, and how far.
_TOGETHER = 20
# Units of an engine by its number for one rad or m.
_UNITS = {"rad": {1.0: "rad", 180.0 / np.pi: "deg"}, "m": {1.0: "m", 1000.0: "mm"}, "1": {1.0: ""}}


def joint_map(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    engine: str,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> JointMap:
    """Where an engine ("mujoco", …) has the numbers of the joints of a robot.

    The engine loads the file as in :func:`unibody.prove`, and moves one joint after the other, then all
    together. The maps of "choreonoid" and "ros2_control" are made by their rules, and nothing is verified.
    ``robot`` may be a path, which is read with the keywords of :func:`unibody.read`. ValueError for an
    unknown engine; JointMapError if it is not here, rejects the file, or finds no joints of its own in it.
    """
    return joint_map_given(
        given_from(robot, format, reading, plain=True), engine, seconds=seconds, memory=memory
    )


def joint_map_given(
    given: Given, engine: str, *, seconds: float = SECONDS, memory: int = MEMORY
) -> JointMap:
    """Like :func:`joint_map`, for a model that was read."""
    chosen = engines_of([engine], MAPPED)[0]
    base: Base = given.robot.base or "fixed"
    try:
        with TemporaryDirectory(prefix="unibody-") as folder:
            if chosen.stated:
                return stated_map(chosen, given, base, folder)
            path, format = file_for(chosen, given, base, folder)
            reference = reference_of(given.robot, format, base)
            own = assemble(given.robot, base=base)
            states = _states(reference)
            answer = ask(chosen, reference, states, path, given.packages, seconds=seconds, memory=memory)
        return _found(chosen, own, reference, states, answer)
    except EngineMissing:
        raise JointMapError(f"{chosen.title}: not here ({REMEDY})", missing=True) from None
    except SaveError as error:
        words = "; ".join(finding.message for finding in error.findings)
        raise JointMapError(f"{chosen.title}: the model cannot be written for it: {words}") from None
    except EngineFailed as error:
        raise JointMapError(f"{chosen.title}: {error}") from None
    except AssembleError as error:
        raise JointMapError(str(error)) from None
    except (KeyError, TypeError, IndexError) as error:
        raise JointMapError(f"{chosen.title} gave no valid answer ({error!r})") from None


# --- states --------------------------------------------------------------------------------------


def _movable(mechanism: Mechanism) -> list[tuple[str, int, int, int, int]]:
    """The places of a free base and of joints that loaders move."""
    kinds = {joint.name: joint.kind for joint in mechanism.robot.joints}
    return [place for place in places(mechanism) if not place[0] or kinds[place[0]] in DRAWN]


def _states(reference: Reference) -> States:
    """All joints at zero, then each alone elsewhere, then all together at random."""
    mechanism = reference.mechanism
    movable = _movable(mechanism)
    generator = np.random.default_rng(0)
    q = np.tile(zero_configuration(mechanism.tree), (1 + len(movable) + _TOGETHER, 1))
    for state, (_, at, size, _, _) in enumerate(movable, 1):
        together = generator.uniform(-_ALONE, _ALONE, (_TOGETHER, size))
        if size >= len(_TURN):
            together[:, -4:] = generator.normal(size=(_TOGETHER, 4))
            together[:, -4:] /= np.linalg.norm(together[:, -4:], axis=1, keepdims=True)
        q[state, at : at + size] = _alone(size)
        q[1 + len(movable) :, at : at + size] = together
    zero = np.zeros((len(q), mechanism.nv))
    where = places(mechanism)
    still = {name: zero[:, at : at + size] for name, _, _, at, size in where}
    return States(
        count=len(q),
        q={name: q[:, at : at + size] for name, at, size, _, _ in where},
        v=still,
        effort=still,
    )


def _alone(size: int) -> Floats:
    """The numbers of a joint that is moved alone."""
    return np.array({1: (_ALONE,), 4: _TURN, 7: (*_POSE, *_TURN)}[size])


# --- what the engine has -------------------------------------------------------------------------


@dataclass
class _Slot:
    """Where the loader puts the numbers of a joint of the request."""

    columns: tuple[int, ...] = ()
    factor: float = 1.0
    zero: float = 0.0
    turns: bool = False


def _found(
    engine: Engine, own: Mechanism, reference: Reference, states: States, answer: Answer
) -> JointMap:
    """The map that the answer of an engine shows."""
    mechanism = reference.mechanism
    movable = _movable(mechanism)
    rows = answer.arrays["q"]
    slots = [_slot(rows[0], rows[k], place[2], answer) for k, place in enumerate(movable, 1)]
    inner = JointMap(
        robot=reference.robot.name,
        engine=engine.name,
        title=answer.title,
        base=reference.base,
        joints=tuple(_joints(reference, answer, movable, slots)),
        start=zero_configuration(mechanism.tree),
        engine_start=rows[0],
        notes=tuple(str(note) for note in answer.facts["notes"]),
    )
    found = Comparison()
    ours = inner.to_unibody(rows)
    if movable and not slots[0].columns and not movable[0][0]:
        # the engine was given the pose of the base in a form of its own
        ours[:, : len(_alone(7))] = states.q[""]
    poses = np.asarray(mechanism.forward_kinematics(ours))
    shift = _shift(reference, answer, poses)
    elsewhere = max(float(np.abs(shift[:3, 3]).max()), float(angles(np.eye(3), shift[:3, :3])))
    notes = list(inner.notes)
    if elsewhere > pose_tolerance(answer):
        notes.append(f"the root link is elsewhere in its world ({elsewhere:.3g} m or rad)")
        poses = shift @ poses
    compare_poses(found, reference, answer, poses, pose_tolerance(answer))
    away = {name: deviation.largest for name, deviation in found.deviations.items()}
    holds = not found.failed and all(joint.verified for joint in inner.joints)
    return replace(
        inner,
        joints=tuple(_owned(inner.joints, own, mechanism)),
        start=zero_configuration(own.tree),
        positions=away.get("positions", 0.0),
        rotations=away.get("rotations", 0.0),
        holds=holds,
        notes=tuple(notes),
    )


def _shift(reference: Reference, answer: Answer, poses: Floats) -> Floats:
    """From our world to that of an engine which has a fixed root link elsewhere, (4, 4)."""
    root = reference.robot.root
    body, offset = reference.bodies[root]
    links = answer.facts["links"]
    if reference.base == "free" or body not in links:
        return np.eye(4)
    there = answer.arrays["poses"][0, links.index(body)] @ np.array(offset.matrix())
    return np.asarray(there @ np.linalg.inv(poses[0, reference.mechanism.link_names.index(root)]))


def _owned(joints: Sequence[MappedJoint], own: Mechanism, split: Mechanism) -> Iterator[MappedJoint]:
    """The joints with their places in the mechanism of the robot, which may have one for a chain of them.

    Chains have the numbers of the joint that they replace, in the same order.
    """
    q_of, v_of = (dict(zip(_flat(split, which), _flat(own, which), strict=True)) for which in ("q", "v"))
    for joint in joints:
        yield replace(joint, q=tuple(q_of[k] for k in joint.q), v=tuple(v_of[k] for k in joint.v))


def _flat(mechanism: Mechanism, which: str) -> list[int]:
    """The places of all numbers in q or v, joint after joint as the robot lists them."""
    where = places(mechanism)
    starts = [(q, nq) if which == "q" else (v, nv) for _, q, nq, v, nv in where]
    return [start + k for start, size in starts for k in range(size)]


def _slot(start: Floats, moved: Floats, size: int, answer: Answer) -> _Slot:
    """Where the numbers of a joint are that alone was moved."""
    given = _alone(size)
    changed = np.flatnonzero(start != moved).tolist()
    exact = pose_tolerance(answer)
    if size == 1:
        if len(changed) == 1:
            (at,) = changed
            return _Slot((at,), float((moved[at] - start[at]) / _ALONE), float(start[at]))
        turn = (np.cos(_ALONE), np.sin(_ALONE))
        is_turn = len(changed) == 2 and np.allclose(moved[changed], turn, atol=exact, rtol=0.0)
        return _Slot(tuple(changed), turns=True) if is_turn else _Slot()
    columns = []
    for value in given:
        same = [at for at in changed if abs(moved[at] - value) <= exact]
        if len(same) != 1:
            return _Slot()
        columns += same
    return _Slot(tuple(columns))


def _joints(
    reference: Reference, answer: Answer, movable: Sequence[Any], slots: Sequence[_Slot]
) -> Iterator[MappedJoint]:
    """Each joint that moves, with the numbers that move it in the engine."""
    slot_of = {place[0]: slot for place, slot in zip(movable, slots, strict=True)}
    joints = {joint.name: joint for joint in reference.robot.joints}
    measured = _measured(reference, answer, [place[0] for place in movable])
    exact = pose_tolerance(answer)
    there = {
        int(k): int(at) for k, at in zip(answer.facts["dofs"], answer.facts["dofs_there"], strict=True)
    }
    names = {int(joint["q"]): str(joint["name"]) for joint in answer.facts["joints"]}
    kinds = {str(joint["name"]): str(joint["kind"]) for joint in answer.facts["joints"]}
    place_of = {place[0]: place for place in places(reference.mechanism)}
    for name, at, size, at_v, size_v in places(reference.mechanism):
        if not size:
            continue
        kind = joints[name].kind if name else "free"
        plain = MappedJoint(
            joint=name,
            kind=kind,
            q=tuple(range(at, at + size)),
            v=tuple(range(at_v, at_v + size_v)),
        )
        slot, mover = slot_of.get(name, _Slot()), name
        motion = measured.get(name)
        if motion is not None:
            moving = [place[0] for place, value in zip(movable, motion.alone, strict=True) if value > exact]
            if len(moving) != 1:
                words = f"the numbers of {', '.join(moving)} move it" if moving else "nothing moves it"
                yield replace(plain, reason=_lack(plain, kinds) if not slot.columns else words)
                continue
            mover = moving[0]
            slot = slot_of[mover]
        if not slot.columns:
            yield replace(plain, reason=_lack(plain, kinds))
            continue
        _, _, _, from_v, _ = place_of[mover]
        engine_v = [there[k] for k in range(from_v, from_v + size_v) if k in there]
        scale, zero, reason = slot.factor, slot.zero, ""
        if motion is not None:
            state = 1 + [place[0] for place in movable].index(mover)
            ratio = _round((motion.values[state] - motion.values[0]) / _ALONE, exact)
            shift = _round(motion.values[0], exact)
            scale, zero = slot.factor / ratio, slot.zero - slot.factor * shift / ratio
            reason = "moves otherwise than here" if motion.residual > exact * motion.size else ""
        elif size == 1:
            reason = "no link of the engine shows its motion"
        yield replace(
            plain,
            name=names.get(min(slot.columns), mover),
            engine_q=slot.columns,
            engine_v=tuple(engine_v),
            scale=scale,
            zero=zero,
            unit="cos, sin" if slot.turns else _unit(KINDS[kind].q_units[0] if size == 1 else "1", scale),
            verified=not reason,
            reason=reason,
        )


def _round(value: float, exact: float) -> float:
    """A whole number if the value is one but for the precision of the engine."""
    nearest = float(round(value))
    return nearest if abs(value - nearest) <= exact else float(value)


def _unit(unit: str, scale: float) -> str:
    """The unit of an engine whose number for one of ours is ``scale``."""
    for size, name in _UNITS[unit].items():
        if abs(abs(scale) - size) <= 1e-4 * size:
            return name
    return f"{abs(scale):.6g}/{unit}"


def _lack(joint: MappedJoint, kinds: dict[str, str]) -> str:
    """Why the engine has no numbers of a joint."""
    if joint.joint and joint.kind not in DRAWN:
        return f"not moved, since it is a {joint.kind} joint"
    if not joint.joint:
        return "the engine has the pose of the base otherwise, or not in q"
    there = kinds.get(joint.joint)
    if there is None:
        return "the engine has no joint of this name"
    return f"its numbers in the engine are others ({there})"


# --- motions -------------------------------------------------------------------------------------


@dataclass
class _Motion:
    """The motion of a joint in the engine at the first states.

    ``values`` are its positions, ``alone`` how far the numbers of each joint move it, ``residual`` what
    is no motion of it in m and rad, ``size`` the size of the robot.
    """

    values: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    residual: float = 0.0
    size: float = 1.0


def _measured(reference: Reference, answer: Answer, movable: Sequence[str]) -> dict[str, _Motion]:
    """The motions of joints with one position, by the poses of links of the engine.

    A joint that shares its two links in the engine with others, such as those of one body of MJCF, is not
    looked at where one of these is moved.
    """
    mechanism = reference.mechanism
    theirs = answer.arrays["poses"][: 1 + len(movable)]
    rows = {name: k for k, name in enumerate(answer.facts["links"])}
    ours = np.asarray(mechanism.forward_kinematics(zero_configuration(mechanism.tree)))
    at_rest = {name: ours[k] for k, name in enumerate(mechanism.link_names)}
    size = max(1.0, float(np.abs(theirs[:, :, :3, 3]).max(initial=0.0)))
    above = reference.above
    below: dict[str, list[str]] = {}
    for each in reference.robot.joints:
        below.setdefault(each.parent, []).append(each.child)
    there: dict[str, Floats] = {}
    for link, (body, offset) in reference.bodies.items():
        if body in rows:
            there[link] = theirs[:, rows[body]] @ np.array(offset.matrix())
    out: dict[str, _Motion] = {}
    for joint in reference.robot.joints:
        if joint.kind not in DRAWN or KINDS[joint.kind].nq != 1:
            continue
        moved = _nearest(joint.child, below, there)
        if moved is None:
            continue
        between, parent = list[str](), moved
        while parent in above and (joint.name not in between or parent not in there):
            between.append(above[parent].name)
            parent = above[parent].parent
        frame, first = (at_rest[parent], there[parent]) if parent in there else (np.eye(4), np.eye(4))
        child, last = at_rest[joint.child], at_rest[moved]
        until, after = np.linalg.solve(frame, child), np.linalg.solve(child, last)
        motion = np.linalg.solve(until, np.linalg.solve(first, there[moved])) @ np.linalg.inv(after)
        others = [k for k, name in enumerate(movable, 1) if name in between and name != joint.name]
        motion[others] = motion[0]
        out[joint.name] = _motion(joint, motion, size)
    return out


def _nearest(link: str, below: dict[str, list[str]], there: dict[str, Floats]) -> str | None:
    """The link, or the nearest one that it carries, that the engine has."""
    line = [link]
    for each in line:
        if each in there:
            return each
        line += below.get(each, [])
    return None


def _motion(joint: Joint, motion: Floats, size: float) -> _Motion:
    """The positions of a joint by motions (B, 4, 4) of its child, and what else they have."""
    axis = np.array(joint.axis)
    turn, place = motion[:, :3, :3], motion[:, :3, 3]
    if joint.kind == "prismatic":
        values = place @ axis
        residual = [np.abs(place - values[:, None] * axis), angles(np.eye(3), turn)]
    else:
        sine = np.stack(
            [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]],
            -1,
        )
        values = np.arctan2(sine @ axis, np.trace(turn, axis1=1, axis2=2) - 1.0)
        residual = [np.abs(place), angles(_about(axis, values), turn)]
    return _Motion(
        values=values.tolist(),
        alone=np.abs(values - values[0])[1:].tolist(),
        residual=max(float(each.max(initial=0.0)) for each in residual),
        size=size,
    )


def _about(axis: Floats, turns: Floats) -> Floats:
    """Rotations about an axis, (B, 3, 3)."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, cosine = np.sin(turns)[:, None, None], np.cos(turns)[:, None, None]
    return np.asarray(np.eye(3) + sine * k + (1.0 - cosine) * (k @ k))
