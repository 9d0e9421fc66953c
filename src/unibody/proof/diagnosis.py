"""Finds the likely cause of deviations: the known slip, or the fitted force, that explains the numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, matrix3
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import Pose
from unibody.model.robot import Joint
from unibody.proof.body_slips import BODIES
from unibody.proof.comparison import TOLERANCES, Comparison, angles, compare, inertials_of
from unibody.proof.couplings import (
    coupling_causes,
    dropped_couplings,
    dropped_words,
    number_deviations,
)
from unibody.proof.fits import (
    constant_axis,
    constant_pose,
    factor_between,
    joint_origin,
    motions_of,
    moved_words,
    turned_words,
    with_axis,
    with_origin,
)
from unibody.proof.loops import loop_causes
from unibody.proof.mesh_slips import MESHES, simplified_hulls
from unibody.proof.process import Answer
from unibody.proof.reference import GRAVITY, Misreading, Reference, States
from unibody.proof.shape_slips import SHAPES
from unibody.proof.shapes import TEXTURES_LOST, bounds_causes
from unibody.proof.slips import DYNAMICS, JOINTS, LINKS, WORLD, Slip
from unibody.text.counted import listed

_MASSES, _MOTION = (*LINKS, *SHAPES, *MESHES), (*JOINTS, *BODIES)
# States that the search looks at, and the most names in a cause.
_STATES, _NAMED = 16, 3
# Kinds of joints with one position that engines move.
_SINGLE: dict[str, JointKind] = {"revolute": "revolute", "prismatic": "prismatic"}
_HELD = "coupling held by forces: the engine enforces it, and the joint does not move freely"
# Mass matrices of this condition number, each joint scaled to 1, have no inverse in double precision.
_SINGULAR = 1e15
# An inertia that is not symmetric by this share of its largest entry was not set.
_SKEW = 1e-3
# A fitted force explains a residual if it leaves this share of the largest force term.
_FITTED = 1e-7


@dataclass(frozen=True, slots=True)
class Cause:
    """The likely cause of deviations: the slip, the joints or links that have it, and how it was found.

    ``fitted`` tells that its numbers were fitted, not known.
    """

    cause: str
    owners: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    fitted: bool = False

    def __str__(self) -> str:
        if not self.owners:
            return self.cause
        return f"{self.cause} ({listed(self.owners, _NAMED)})"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes that were found, and the quantities that they do not explain."""

    causes: tuple[Cause, ...] = ()
    unexplained: tuple[str, ...] = ()


def diagnose(
    reference: Reference, states: States, answer: Answer, dofs: Sequence[tuple[str, int]]
) -> Diagnosis:
    """Find the likely causes of all deviations of an answer from a reference."""
    search = _Search(reference, states.first(_STATES), _cut(answer, _STATES), dofs)
    with np.errstate(all="ignore"):
        search.run()
    return Diagnosis(tuple(_joined(search.causes)), tuple(search.unexplained()))


def _joined(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Causes with the same words as one."""
    by_words: dict[str, list[Cause]] = {}
    for cause in causes:
        by_words.setdefault(cause.cause, []).append(cause)
    for same in by_words.values():
        owners = dict.fromkeys(owner for cause in same for owner in cause.owners)
        yield replace(same[0], owners=tuple(owners))


def _cut(answer: Answer, count: int) -> Answer:
    by_state = (
        "poses",
        "mass_matrix",
        "bias",
        "acceleration",
        "acceleration_without",
        "loop_gaps",
        "loop_turns",
    )
    arrays = {name: rows[:count] if name in by_state else rows for name, rows in answer.arrays.items()}
    return Answer(facts=answer.facts, arrays=arrays)


class _Search:
    """One search: the reference with the slips found so far."""

    def __init__(
        self, reference: Reference, states: States, answer: Answer, dofs: Sequence[tuple[str, int]]
    ) -> None:
        self.reference, self.states, self.answer, self.dofs = reference, states, answer, dofs
        self.causes: list[Cause] = []
        self.exact = TOLERANCES[answer.facts.get("precision", "double")]
        self.explained: set[str] = set()
        # joints of another kind in the engine
        self.rekinded: set[str] = set()
        # how far zeros are moved, and the words of the cause
        self.zeros: dict[str, tuple[float, str]] = {}

    def run(self) -> None:
        """Search from what others depend on to what depends on others."""
        self._base()
        self._lacking()
        self._dropped()
        failed = self.compared().failed
        if {"positions", "rotations"} & {*failed}:
            self._motion()
        if {"mass", "com", "inertia"} & {*self.compared().failed}:
            self._inertials(("mass", "com", "inertia"))
        elif "bodies" not in self.answer.facts and "mass_matrix" in self.compared().failed:
            self._inertials(("mass_matrix",))
        self._zeros(self.compared())
        self._gravity(self.compared())
        found = self.compared()
        if {"mass_matrix", "bias", "acceleration", "armature", "damping", "friction"} & {
            *found.failed
        } - self.explained:
            self._dynamics()
        if "load_friction" in found.failed:
            self._load_friction(found)
        if "limits" in found.failed:
            self._limits(found)
        if "effort" in found.failed:
            self._effort(found)
        if "couplings" in found.failed:
            self._couplings(found)
        for name in ("loop_gaps", "loop_turns"):
            if name in found.failed:
                self._loops(found, name)
        if "bounds" in found.failed:
            self._bounds(found)
        if "textures" in found.failed:
            self.take(Cause(TEXTURES_LOST, tuple(self._beyond(found, "textures")), ("textures",)))
            self.explained.add("textures")

    def compared(self, reference: Reference | None = None) -> Comparison:
        """The comparison with a reference, by default with that of the slips found so far."""
        try:
            return compare(reference or self.reference, self.states, self.answer, self.dofs)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            # a slip may make a robot that cannot be computed
            if reference is None:
                raise
            return Comparison()

    def unexplained(self) -> Iterator[str]:
        """The quantities that still deviate."""
        yield from (name for name in self.compared().failed if name not in self.explained)

    def take(self, cause: Cause, reference: Reference | None = None) -> None:
        """Record a cause and go on from what it makes of the reference."""
        self.causes.append(cause)
        if reference is not None:
            self.reference = reference

    # --- joints ----------------------------------------------------------------------------------

    def _base(self) -> None:
        """A root link that the engine fixes to the world, or frees."""
        there = self.answer.facts.get("base", self.reference.base)
        if there == self.reference.base or not self.compared().failed:
            return
        changed = replace(self.reference, base=there)
        before, after = self.compared().failed, self.compared(changed)
        if after.deviations and len(after.failed) < len(before):
            mine = tuple(name for name in before if name not in after.failed)
            self.take(_based(there, self.reference, mine), changed)

    def _lacking(self) -> None:
        """Joints that the engine lacks are welded in it, or have another kind."""
        there = {joint["name"]: joint["kind"] for joint in self.answer.facts["joints"]}
        welded = [j.name for j in self.reference.robot.joints if KINDS[j.kind].nv and j.name not in there]
        other = [
            j.name
            for j in self.reference.robot.joints
            if KINDS[j.kind].nv and there.get(j.name, j.kind) != j.kind
        ]
        kinds = {j.name: j.kind for j in self.reference.robot.joints}
        added = [name for name in there if name not in kinds]
        moving = [name for name in there if name in kinds and not KINDS[kinds[name]].nv]
        if self.reference.base == "fixed" and any(there[name] == "free" for name in added):
            added = [name for name in added if there[name] != "free"]
            self.take(_based("free", self.reference, ("joints",)))
            self.explained.add("joints")
        if welded:
            slip = next(x for x in JOINTS if x.cause == "joint welded")
            changed = slip.change(self.reference, welded)
            dropped = [name for name in welded if self._is_dropped(name)]
            kept = [name for name in welded if name not in dropped]
            for words, owners in (
                ("joint dropped: the engine does not have the body that it moves", dropped),
                ("joint welded: the engine does not have it", kept),
            ):
                if owners:
                    self.take(Cause(words, tuple(owners), ("joints",)), changed)
        if other:
            words = ", ".join(sorted({there[name] for name in other}))
            cause = Cause(f"joint of another kind in the engine: {words}", tuple(other), ("joints",))
            self.take(cause, self._of_kinds({name: there[name] for name in other}))
            self.rekinded = {*other}
        if added:
            self.take(Cause("joint added by the engine", tuple(added), ("joints",)))
        if moving:
            self.take(
                Cause("joint moves in the engine, and is fixed in the model", tuple(moving), ("joints",))
            )
        if welded or other or added or moving:
            self.explained.add("joints")

    def _dropped(self) -> None:
        """Links that the engine does not have, and that are fixed to none that it has."""
        found = self.compared()
        if "links" in found.failed:
            owners = tuple(name for name, value in found.by_owner["links"].items() if value)
            self.take(Cause("body dropped: the engine does not have it", owners, ("links",)))
            self.explained.add("links")

    def _is_dropped(self, name: str) -> bool:
        """Whether the engine has no body that a joint moves."""
        bodies, there = self.reference.bodies, self.answer.facts["links"]
        below: dict[str, list[str]] = {}
        for joint in self.reference.robot.joints:
            below.setdefault(joint.parent, []).append(joint.child)
        line = [joint.child for joint in self.reference.robot.joints if joint.name == name]
        for link in line:
            line += below.get(link, [])
        return not any(bodies[link][0] in there for link in line)

    def _of_kinds(self, kinds: Mapping[str, str]) -> Reference:
        """The reference with joints of other kinds, which engines do not move: their numbers are others."""
        joints = tuple(
            replace(joint, kind=_SINGLE[kinds[joint.name]])
            if joint.name in kinds and KINDS[joint.kind].nq == 1 and kinds[joint.name] in _SINGLE
            else joint
            for joint in self.reference.robot.joints
        )
        moving = replace(self.reference, robot=replace(self.reference.robot, joints=joints))
        still = {name: Misreading(name, scale=0.0) for name in kinds}
        resting = replace(moving, readings={**self.reference.readings, **still})
        return min((self.reference, resting, moving), key=lambda each: len(self._away(each)))

    def _away(self, reference: Reference) -> list[str]:
        """The joints whose own motion a reference does not explain."""
        tolerance = self._tolerance()
        return [name for name, value in self._joint_deviations(reference).items() if not value <= tolerance]

    def _motion(self) -> None:
        away = self._joint_deviations(self.reference)
        tolerance = self._tolerance()
        owners = [name for name, value in away.items() if not value <= tolerance]
        quantities = ("positions", "rotations")
        owners = self._rehung(owners, tolerance)
        if (
            not owners
            or self._take_best((*WORLD, *_MOTION), owners, quantities)
            or self._swapped(owners, tolerance)
        ):
            return
        # more than one slip: each joint by itself, and joints with the same one together
        while owners:
            found = [(slip, self._solved(slip, owners, tolerance)) for slip in _MOTION]
            slip, solved = max(found, key=lambda pair: len(pair[1]))
            if not solved:
                break
            self.take(Cause(slip.cause, tuple(solved), quantities), slip.change(self.reference, solved))
            owners = [name for name in owners if name not in solved]
        for name in owners:
            self._fit_motion(name, tolerance)
        away = self._joint_deviations(self.reference)
        self._fit_origins([name for name in owners if not away.get(name, math.inf) <= tolerance], tolerance)

    def _rehung(self, owners: Sequence[str], tolerance: float) -> list[str]:
        """Take joints that hang on another link in the engine, or on the world; the others are left."""
        found: dict[tuple[str, str], list[str]] = {}
        for name in filter(None, owners):
            other = self._hung_on(name, tolerance)
            if other is not None:
                found.setdefault((other, self.reference.robot.joint(name).parent), []).append(name)
        for (other, parent), names in found.items():
            words = f"joint hangs on {other or 'the world'} in the engine, not on {parent}"
            mine = ("positions", "rotations", "mass_matrix", "bias", "acceleration")
            self.take(Cause(words, tuple(names), mine), self._hanging(names, other))
            if not other:
                # no tree of ours has it: what follows from it is not compared
                self.explained |= {*mine}
        taken = {name for names in found.values() for name in names}
        return [name for name in owners if name not in taken]

    def _hung_on(self, name: str, tolerance: float) -> str | None:
        """The link, "" for the world, in which the engine has what a joint moves as in its own parent."""
        theirs = self.answer.arrays["poses"]
        rows = {link: k for k, link in enumerate(self.answer.facts["links"])}
        joint, bodies = self.reference.robot.joint(name), self.reference.bodies
        if bodies[joint.parent][0] not in rows:
            return None
        ours, _ = self._relative_poses(self.reference)[name]
        there = theirs[:, rows[bodies[joint.child][0]]]
        below = {joint.child}
        for each in self.reference.robot.joints:
            below |= {each.child} if each.parent in below else set()
        for other in ("", *(x.name for x in self.reference.robot.links if x.name not in below)):
            if other == joint.parent or (other and bodies[other][0] not in rows):
                continue
            moved = np.linalg.solve(theirs[:, rows[bodies[other][0]]], there) if other else there
            away = np.abs(moved[:, :3] - ours[:, :3]).max()
            if away <= tolerance:
                return other
        return None

    def _hanging(self, names: Collection[str], other: str) -> Reference | None:
        """The reference with joints on another link, where they have the same origins in its body."""
        if not other:
            return None
        robot, bodies = self.reference.robot, self.reference.bodies
        joints = tuple(
            replace(j, parent=other, origin=bodies[other][1].inverse() @ bodies[j.parent][1] @ j.origin)
            if j.name in names
            else j
            for j in robot.joints
        )
        return replace(self.reference, robot=replace(robot, joints=joints))

    def _swapped(self, owners: Sequence[str], tolerance: float) -> bool:
        """Whether each of these joints moves as another one should; such an order is taken."""
        single = [j.name for j in self.reference.robot.joints if KINDS[j.kind].nq == 1]
        chosen: dict[str, str] = {}
        for name in owners:
            for other in single:
                changed = {**self.reference.readings, name: Misreading(other)}
                away = self._joint_deviations(replace(self.reference, readings=changed))
                if away.get(name, math.inf) <= tolerance and other not in chosen.values():
                    chosen[name] = other
                    break
        if len(chosen) < max(2, len(owners)) or {*chosen} != {*chosen.values()}:
            return False
        readings = {name: Misreading(other) for name, other in chosen.items()}
        words = ", ".join(
            f"{name} moves by the numbers of {other}" for name, other in [*chosen.items()][:_NAMED]
        )
        ordered = replace(self.reference, readings={**self.reference.readings, **readings})
        self.take(Cause(f"joint order: {words}", tuple(chosen), ("positions", "rotations")), ordered)
        return True

    def _tolerance(self) -> float:
        poses = self.answer.arrays.get("poses")
        size = 1.0 if poses is None or not poses.size else max(1.0, float(np.abs(poses[..., :3, 3]).max()))
        return 10.0 * self.exact * size

    def _solved(self, slip: Slip, owners: Sequence[str], tolerance: float) -> list[str]:
        """The owners whose own motion a slip explains."""
        if slip.area == "world" or not owners or slip.cause.startswith("joint order"):
            return []
        away = self._joint_deviations(slip.change(self.reference, owners))
        return [name for name in owners if away.get(name, math.inf) <= tolerance]

    def _take_best(self, slips: Sequence[Slip], owners: Collection[str], quantities: Sequence[str]) -> bool:
        """Take the slip that explains the quantities and leaves the fewest others; False without one."""
        before = self.compared().failed
        best: tuple[int, Slip, Reference, tuple[str, ...]] | None = None
        for slip in slips:
            changed = slip.change(self.reference, owners)
            if "positions" in quantities:
                away = self._joint_deviations(changed)
                if not away or max(away.values()) > self._tolerance():
                    continue
            found = self.compared(changed)
            if not found.deviations or any(name in found.failed for name in quantities):
                continue
            if best is None or len(found.failed) < best[0]:
                mine = tuple(name for name in before if name not in found.failed)
                best = len(found.failed), slip, changed, mine
        if best is None or not best[3]:
            return False
        root = self.reference.robot.root
        owners = self._needed(best[1], owners) if "positions" in quantities else owners
        stated = tuple(x or root for x in owners) if best[1].area in ("joints", "links", "dynamics") else ()
        self.take(Cause(best[1].cause, stated, best[3]), best[2])
        return True

    def _needed(self, slip: Slip, owners: Collection[str]) -> Collection[str]:
        """The owners without which a slip does not have the same effect; all, if it names none."""
        tolerance = self._tolerance()
        needed = []
        for name in owners:
            without = slip.change(self.reference, [each for each in owners if each != name])
            away = self._joint_deviations(without)
            if not away or max(away.values()) > tolerance:
                needed.append(name)
        return needed or owners

    def _joint_deviations(self, reference: Reference) -> dict[str, float]:
        """How far each body deviates in the frame of the nearest one above, by the joint in between."""
        out: dict[str, float] = {}
        for name, (ours, theirs) in self._relative_poses(reference).items():
            apart = float(np.abs(ours[:, :3, 3] - theirs[:, :3, 3]).max(initial=0.0))
            turned = float(angles(ours[:, :3, :3], theirs[:, :3, :3]).max(initial=0.0))
            worst = max(apart, turned)
            out[name] = math.inf if math.isnan(worst) else worst
        return out

    def _relative_poses(self, reference: Reference) -> dict[str, tuple[Floats, Floats]]:
        """Poses (B, 4, 4) of bodies in the frame of the nearest one above, ours and the engine's, by joint.

        That of the root link, "" as its joint, is in the world.
        """
        theirs = self.answer.arrays.get("poses")
        if theirs is None:
            return {}
        rows = {name: k for k, name in enumerate(self.answer.facts["links"])}
        try:
            mechanism = reference.mechanism
            poses = np.asarray(mechanism.forward_kinematics(reference.numbers(self.states)[0]))[
                : len(theirs)
            ]
        except (ValueError, ArithmeticError):
            return {}
        links = {name: k for k, name in enumerate(mechanism.link_names)}
        above = {joint.child: joint for joint in reference.robot.joints}
        out: dict[str, tuple[Floats, Floats]] = {}

        def both(name: str) -> tuple[Floats, Floats]:
            body, offset = reference.bodies[name]
            return poses[:, links[name]] @ np.array(offset.inverse().matrix()), theirs[:, rows[body]]

        for link in reference.robot.links:
            if reference.bodies[link.name][0] not in rows:
                continue
            joint = above.get(link.name)
            parent = joint.parent if joint else ""
            while parent and reference.bodies[parent][0] not in rows:
                parent = above[parent].parent if parent in above else ""
            a, b = both(link.name)
            if parent:
                c, d = both(parent)
                a, b = np.linalg.inv(c) @ a, np.linalg.inv(d) @ b
            out[joint.name if joint else ""] = a, b
        return out

    def _fit_motion(self, name: str, tolerance: float) -> None:
        """A constant offset of the zero, if it explains the motion of a joint."""
        joint = next((j for j in self.reference.robot.joints if j.name == name), None)
        if joint is None or KINDS[joint.kind].nq != 1:
            return
        ours, theirs = self._relative_poses(self.reference)[name]
        moved = (
            np.linalg.inv(ours) @ theirs
        )  # in the frame of the child, which the joint moves along its axis
        axis = np.array(joint.axis)
        if joint.kind == "prismatic":
            offset = float((moved[:, :3, 3] @ axis).mean())
        else:
            r = moved[:, :3, :3]
            turn = np.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], -1)
            offset = float(np.arctan2(turn @ axis, np.trace(r, axis1=1, axis2=2) - 1.0).mean())
        own = self.reference.readings.get(name, Misreading(name))
        readings = {
            **self.reference.readings,
            name: replace(own, offset=float(np.sum(own.offset)) + offset),
        }
        changed = replace(self.reference, readings=readings)
        if self._joint_deviations(changed).get(name, math.inf) <= tolerance:
            unit = "m" if joint.kind == "prismatic" else "rad"
            cause = f"zero of the joint moved by {offset:.6g} {unit}"
            self.take(Cause(cause, (name,), ("positions", "rotations"), True), changed)

    def _fit_origins(self, owners: Sequence[str], tolerance: float) -> None:
        """Joints, and the root link, whose origin or axis is elsewhere in the engine."""
        for name in owners:
            origins, motions = self._found_origins(name)
            if not len(origins):
                continue
            own = joint_origin(self.reference.robot, name)
            mean = constant_pose(origins, 10.0 * tolerance)
            axis = constant_axis(motions, self._values(name), self._is_slide(name)) if name else None
            if mean is not None:
                words, changed = moved_words(own, mean), with_origin(self.reference, name, mean)
            elif axis is not None:
                words = "axis along {:.6g}, {:.6g}, {:.6g} in the engine".format(*axis)
                changed = with_axis(self.reference, name, axis)
            else:
                continue
            if self._joint_deviations(changed).get(name, math.inf) <= 10.0 * tolerance:
                cause = Cause(words, (name or self.reference.robot.root,), ("positions", "rotations"), True)
                self.take(cause, changed)

    def _values(self, name: str) -> Floats:
        """The positions of a joint at the states, (B,)."""
        reading = self.reference.readings.get(name, Misreading(name))
        return np.asarray(reading.scale * self.states.q[reading.of][:, 0] + reading.offset)

    def _is_slide(self, name: str) -> bool:
        return self.reference.robot.joint(name).kind == "prismatic"

    def _found_origins(self, name: str) -> tuple[Floats, Floats]:
        """The origin (B, 4, 4) that a joint needs at each state, and the motion of its child (B, 4, 4)."""
        ours, theirs = self._relative_poses(self.reference)[name]
        origin = np.array(joint_origin(self.reference.robot, name).matrix())
        frame = np.eye(4)
        if name:
            joint = self.reference.robot.joint(name)
            if KINDS[joint.kind].nq > 1:
                return np.zeros((0, 4, 4)), np.zeros((0, 4, 4))
            frame = self._frame(joint.parent)
        first = frame @ origin
        found = np.linalg.solve(frame, theirs) @ np.linalg.inv(ours) @ first
        motions = np.linalg.solve(first, theirs) @ np.linalg.inv(ours) @ first @ self._motions(name)
        return found, motions

    def _motions(self, name: str) -> Floats:
        """The motion (B, 4, 4) of a joint of the reference at the states."""
        joint = next((j for j in self.reference.robot.joints if j.name == name), None)
        values = self._values(name) if joint and KINDS[joint.kind].nq else np.zeros(self.states.count)
        return motions_of(joint, values)

    def _frame(self, link: str) -> Floats:
        """The pose (4, 4) of a link in the nearest body above that the engine has."""
        above = {joint.child: joint for joint in self.reference.robot.joints}
        present = {*self.answer.facts["links"]}
        pose = Pose()
        while self.reference.bodies[link][0] not in present and link in above:
            pose, link = above[link].origin @ pose, above[link].parent
        body, offset = self.reference.bodies[link]
        return np.array((offset @ pose if body in present else pose).matrix())

    # --- masses ----------------------------------------------------------------------------------

    def _inertials(self, quantities: tuple[str, ...]) -> None:
        found = self.compared()
        bodies = {body: link for link, (body, _) in self.reference.bodies.items()}
        failing = {
            name
            for quantity in quantities
            for name, value in found.by_owner.get(quantity, {}).items()
            if not value <= found.deviations[quantity].tolerance
        }
        if "mass_matrix" in quantities:
            owners = [link.name for link in self.reference.robot.links if link.inertial is not None]
        else:
            owners = [bodies[body] for body in found.by_owner["mass"] if body in failing and body in bodies]
        # links that the engine has as parts of these bodies slip with them
        whole = [*owners, *self._carried(owners)]
        if self._take_best(_MASSES, whole, quantities) or self._take_best(_MASSES, owners, quantities):
            return
        if "mass_matrix" in quantities:
            any(self._take_best(_MASSES, (name,), quantities) for name in owners)
            return
        while owners:
            solved, slip = max(
                ((self._solved_links(slip, owners), slip) for slip in _MASSES),
                key=lambda pair: len(pair[0]),
            )
            if not solved:
                break
            changed = slip.change(self.reference, [*solved, *self._carried(solved)])
            self.take(Cause(slip.cause, tuple(solved), quantities), changed)
            owners = [name for name in owners if name not in solved]
        for name in owners:
            if not self._take_fixed(name):
                self._fit_inertial(name)

    def _take_fixed(self, link: str) -> bool:
        """A slip in the origins of joints that fix others to a link, in one body of the engine."""
        carried = {*self._carried([link])}
        fixed = [joint.name for joint in self.reference.robot.joints if joint.child in carried]
        for names in [fixed, *([name] for name in fixed if len(fixed) > 1)] if fixed else []:
            for slip in JOINTS:
                changed = slip.change(self.reference, names)
                found = self.compared(changed)
                if found.deviations and self._is_solved(found, link):
                    self.take(Cause(slip.cause, tuple(names), ("mass", "com", "inertia")), changed)
                    return True
        return False

    def _solved_links(self, slip: Slip, owners: Sequence[str]) -> list[str]:
        """The owners whose own mass and inertia a slip explains."""
        found = self.compared(slip.change(self.reference, [*owners, *self._carried(owners)]))
        return [name for name in owners if self._is_solved(found, name)] if found.deviations else []

    def _carried(self, owners: Collection[str]) -> list[str]:
        """The links that the engine has as parts of the bodies of others."""
        present = {*self.answer.facts.get("bodies", self.answer.facts["links"])}
        above = {j.child: j for j in self.reference.robot.joints}
        out = []
        for link in self.reference.robot.links:
            name = link.name
            while (
                self.reference.bodies[name][0] not in present
                and name in above
                and above[name].kind == "fixed"
            ):
                name = above[name].parent
            if name != link.name and name in owners:
                out.append(link.name)
        return out

    def _is_solved(self, found: Comparison, link: str) -> bool:
        body = self.reference.bodies[link][0]
        return all(
            found.by_owner.get(quantity, {}).get(body, 0.0) <= found.deviations[quantity].tolerance
            for quantity in ("mass", "com", "inertia")
            if quantity in found.deviations
        )

    def _fit_inertial(self, link: str) -> None:
        """What the engine has instead, such as a factor or a turned inertia; its numbers are taken."""
        body, offset = self.reference.bodies[link]
        rows = {name: k for k, name in enumerate(self.answer.facts["bodies"])}
        mass, com, inertia = (self.answer.arrays[name][rows[body]] for name in ("mass", "com", "inertia"))
        own = inertials_of(self.reference, rows)[body]
        words = []
        if abs(mass - own[0]) > 1e-9 * max(abs(own[0]), 1e-12):
            words.append(
                f"mass multiplied by {mass / own[0]:.6g}" if own[0] else f"mass of {mass:.6g} kg added"
            )
        factor = None
        if own[0] and np.abs(com - own[1]).max() > 1e-9:
            factor = factor_between(own[1], com)
            words.append(
                f"center of mass moved by {np.linalg.norm(com - own[1]):.6g} m"
                if factor is None
                else f"center of mass multiplied by {factor:.6g}"
            )
        a, b = np.sort(np.linalg.eigvalsh(own[2])), np.sort(np.linalg.eigvalsh(inertia))
        size = max(float(np.abs(a).max()), 1e-300)
        if np.abs(a - b).max() <= 1e-6 * size:
            if np.abs(own[2] - inertia).max() > 1e-6 * size:
                words.append(turned_words(own[2], inertia))
        elif np.abs(inertia - inertia.T).max() > _SKEW * np.abs(inertia).max():
            words.append("inertia of memory that was not set: it is not symmetric")
        elif np.abs(a * (b[2] / max(a[2], 1e-300)) - b).max() <= 1e-6 * np.abs(b).max():
            words.append(f"inertia multiplied by {_power(b[2] / max(a[2], 1e-300), factor)}")
            if np.abs(own[2] * (b[2] / max(a[2], 1e-300)) - inertia).max() > 1e-6 * np.abs(b).max():
                words.append("inertia rotated")
        else:
            words.append("another inertia")
        if not words:
            off = np.abs(own[2] - inertia).max() / size
            words.append(f"axes of the inertia rounded: equal moments, off by {off:.2g} of the largest")
        its = next(each for each in self.reference.robot.links if each.name == link)
        if hulls := simplified_hulls(its, float(mass), self.reference.meshes):
            words = [hulls]
        carried = {*self._carried([link])}
        turn = np.array(offset.rotation())
        x, y, z = offset.inverse().apply((float(com[0]), float(com[1]), float(com[2])))

        made = (
            Inertial(mass=float(mass), com=(x, y, z), inertia=matrix3(turn.T @ inertia @ turn))
            if mass
            else None
        )
        new = {**dict.fromkeys(carried), link: made}
        links = [
            replace(each, inertial=new[each.name]) if each.name in new else each
            for each in self.reference.robot.links
        ]
        robot = replace(self.reference.robot, links=tuple(links))
        cause = Cause(", ".join(words), (link,), ("mass", "com", "inertia"), True)
        self.take(cause, replace(self.reference, robot=robot))

    # --- dynamics --------------------------------------------------------------------------------

    def _dynamics(self) -> None:
        names = ("armature", "damping", "friction", "mass_matrix", "bias", "acceleration")
        owners = self._failing(names)
        for slip in DYNAMICS:
            open_now = [name for name in names if name in self.compared().failed]
            if not open_now:
                return
            changed = slip.change(self.reference, owners)
            found = self.compared(changed)
            solved = [name for name in open_now if found.deviations and name not in found.failed]
            worse = [name for name in found.failed if name not in self.compared().failed]
            if solved and not worse:
                stated = () if slip.cause.startswith(("gravity", "sign of gravity")) else tuple(owners)
                self.take(Cause(slip.cause, stated, tuple(solved)), changed)
        self._singular()
        self._take_stated()
        self._fit_armature()
        self._without_added()
        if (held := self._held(self.compared())) and "acceleration" not in self.explained:
            self.take(Cause(_HELD, held, ("acceleration",)))
            self.explained.add("acceleration")
        self._fit_passive()

    def _singular(self) -> None:
        """Accelerations that the mass matrix does not determine."""
        found = self.compared()
        if {*found.failed} == {"acceleration"} and not found.condition <= _SINGULAR:
            self.take(
                Cause("mass matrix singular: accelerations are not determined", (), ("acceleration",))
            )
            self.explained.add("acceleration")

    def _without_added(self) -> None:
        """What the loader of an engine adds, if the engine's accelerations agree without it."""
        bare = self.answer.arrays.get("acceleration_without")
        if bare is None or "acceleration" not in self.compared().failed:
            return
        arrays = {**self.answer.arrays, "acceleration": bare}
        facts = {**self.answer.facts, "passive": self.answer.facts["passive_without"]}
        answer = Answer(facts=facts, arrays=arrays)
        found = compare(self.reference, self.states, answer, self.dofs)
        held = self._held(found)
        if "acceleration" not in found.failed or held:
            self.take(Cause(str(self.answer.facts.get("added", "")), (), ("acceleration",)))
            self.explained.add("acceleration")
        if held:
            self.take(Cause(_HELD, held, ("acceleration",)))

    def _held(self, found: Comparison) -> tuple[str, ...]:
        """The coupled joints whose forces are all that the engine's accelerations need in addition."""
        if found.residual is None or found.largest_force is None or "acceleration" not in found.failed:
            return ()
        places = {self.reference.dofs[place]: k for k, place in enumerate(found.dofs)}
        rows, joints = [], []
        for coupling in self.reference.robot.couplings:
            ends = (coupling.joint, 0), (coupling.leader, 0)
            if all(end in places for end in ends):
                row = np.zeros(len(found.dofs))
                row[places[ends[0]]], row[places[ends[1]]] = 1.0, -coupling.ratio
                rows.append(row)
                joints.append(coupling.joint)
        if not rows:
            return ()
        matrix = np.stack(rows)
        rest = found.residual - found.residual @ np.linalg.pinv(matrix) @ matrix
        tolerance = found.deviations["acceleration"].tolerance
        return tuple(joints) if np.abs(rest / found.largest_force).max() <= tolerance else ()

    def _take_stated(self) -> None:
        """What the engine states for a joint, where no slip explains that it is another value."""
        found = self.compared()
        for name in ("armature", "damping", "friction"):
            if name not in found.failed:
                continue
            tolerance = found.deviations[name].tolerance
            bad = {owner for owner, value in found.by_owner[name].items() if not value <= tolerance}
            stated = {x["name"]: float(x[name]) for x in self.answer.facts["joints"] if x["name"] in bad}
            for value, owners in _grouped(stated).items():
                cause = f"{name} {value:.6g} in the engine, not that of the model"
                self.take(Cause(cause, tuple(owners), (name,)))
            joints = tuple(
                _with_value(j, name, stated[j.name]) if j.name in stated else j
                for j in self.reference.robot.joints
            )
            self.reference = replace(self.reference, robot=replace(self.reference.robot, joints=joints))

    def _failing(self, names: Sequence[str]) -> list[str]:
        found = self.compared()
        bad = {
            owner
            for name in names
            for owner, value in found.by_owner.get(name, {}).items()
            if name in found.deviations and not value <= found.deviations[name].tolerance
        }
        return [joint.name for joint in self.reference.robot.joints if joint.name in bad]

    def _load_friction(self, found: Comparison) -> None:
        """Friction in proportion to what a joint carries, which no model states."""
        for share, owners in _grouped(found.by_owner["load_friction"]).items():
            cause = f"friction added: {share:.6g} of the load that the joint carries"
            self.take(Cause(cause, tuple(owners), ("load_friction",)))
        self.explained.add("load_friction")

    def _fit_armature(self) -> None:
        """Constant differences on the diagonal of the mass matrix."""
        found = self.compared()
        if "mass_matrix" not in found.failed:
            return
        theirs = self.answer.arrays["mass_matrix"]
        q = self.reference.numbers(self.states)[0][: len(theirs)]
        ours = np.asarray(self.reference.mechanism.mass_matrix(q))[:, found.dofs][:, :, found.dofs]
        away = theirs - ours
        diagonal = np.einsum("bii->bi", away)
        size = np.abs(ours).max()
        rest = away - diagonal[:, :, None] * np.eye(diagonal.shape[1])
        spread = np.abs(diagonal - diagonal.mean(axis=0)).max(initial=0.0)
        if max(np.abs(rest).max(initial=0.0), spread) > 1e2 * self.exact * size:
            return
        values: dict[str, float] = {}
        for place, value in zip(found.dofs, diagonal.mean(axis=0).tolist(), strict=True):
            name = self.reference.dofs[place][0]
            if name and abs(value) > self.exact * size:
                values[name] = value
        joints = tuple(
            _with_value(j, "armature", j.actuator.reflected_inertia + values[j.name])
            if j.name in values
            else j
            for j in self.reference.robot.joints
        )
        for value, owners in _grouped(values).items():
            word = "added" if value > 0.0 else "missing"
            unit = "kg m² (kg of a slide)"
            self.causes.append(
                Cause(f"armature {word}: {abs(value):.6g} {unit}", tuple(owners), ("mass_matrix",), True)
            )
        self.reference = replace(self.reference, robot=replace(self.reference.robot, joints=joints))

    def _fit_passive(self) -> None:
        """Forces that the engine adds, fitted to what its accelerations need besides the known ones."""
        found = self.compared()
        if found.residual is None or "acceleration" not in found.failed or found.largest_force is None:
            return
        if "acceleration" in self.explained:
            return
        q, v, effort = (rows[: len(found.residual)] for rows in self.reference.numbers(self.states))
        tolerance = max(self.exact * 10.0, _FITTED)
        matrix = np.asarray(self.reference.mechanism.mass_matrix(q))
        features = self._features(q, v, effort, matrix, found)
        for size in (1, 2, 3):
            for chosen in combinations(features, size):
                fit = _fit([features[name] for name in chosen], found.residual)
                if fit is None:
                    continue
                values, rest = fit
                if not np.abs(rest / found.largest_force).max() <= tolerance:
                    continue
                for name, value in zip(chosen, values, strict=True):
                    self._take_forces(name, features[name][0], value, found.dofs)
                self.explained.add("acceleration")
                return

    def _features(
        self, q: Floats, v: Floats, effort: Floats, matrix: Floats, found: Comparison
    ) -> dict[str, tuple[bool, Floats]]:
        """Forces (B, n) by cause at factor 1, and whether each joint has a factor of its own."""
        at = found.dofs
        single = {j.name for j in self.reference.robot.joints if KINDS[j.kind].nq == 1}
        names = [self.reference.dofs[k][0] for k in at]
        starts = dict(
            zip(self.reference.mechanism.joint_names, self.reference.mechanism.idx_q, strict=True)
        )
        position = np.zeros((len(q), len(at)))
        for k, name in enumerate(names):
            if name in single:
                position[:, k] = q[:, starts[name]]
        zero = np.zeros_like(v)
        gravity = np.asarray(
            self.reference.mechanism.inverse_dynamics(q, zero, zero, gravity=self.reference.gravity)
        )
        coriolis = np.asarray(self.reference.mechanism.coriolis_bias(q, v))
        moving = np.einsum("bij,bj->bi", matrix, v)
        return {
            "damping": (True, -v[:, at]),
            "friction": (True, -np.sign(v[:, at])),
            "damping of links (per second)": (False, -moving[:, at]),
            "constant force": (True, np.ones((len(q), len(at)))),
            "spring": (True, -position),
            "force in the joint multiplied": (True, effort[:, at]),
            "gravity multiplied": (False, -gravity[:, at]),
            "velocity-dependent forces multiplied": (False, -coriolis[:, at]),
        }

    def _take_forces(self, name: str, own: bool, values: Floats, dofs: Sequence[int]) -> None:
        if not own:
            self.causes.append(Cause(_force_words(name, float(values[0])), (), ("acceleration",), True))
            return
        by_joint = {}
        for place, value in zip(dofs, values.tolist(), strict=True):
            joint = self.reference.dofs[place][0] or self.reference.robot.root
            by_joint[joint] = value
        if name == "constant force":
            by_joint = self._without_springs(by_joint)
        largest = max(map(abs, by_joint.values()), default=0.0)
        for value, owners in _grouped(
            {k: x for k, x in by_joint.items() if abs(x) > 1e-4 * largest}
        ).items():
            self.causes.append(Cause(_force_words(name, value), tuple(owners), ("acceleration",), True))

    def _without_springs(self, forces: Mapping[str, float]) -> dict[str, float]:
        """Constant forces but those of springs whose rest position is another one: these are named."""
        out = dict(forces)
        springs = {j.name: j.dynamics for j in self.reference.robot.joints if j.dynamics.stiffness}
        for name in springs.keys() & forces.keys():
            value = out.pop(name)
            moved = value / springs[name].stiffness
            if abs(moved) <= 1e-7:
                continue
            shift, words = self.zeros.get(name, (0.0, ""))
            if not words or abs(moved + shift) > 1e-6 * abs(moved):
                words = f"rest position of the spring moved by {moved:.6g}"
                if abs(springs[name].rest + moved + self.reference.zeros.get(name, 0.0)) <= 1e-6 * abs(
                    moved
                ):
                    words = "rest position of the spring ignored"
            self.causes.append(Cause(words, (name,), ("acceleration",), True))
        return out

    # --- what the file states --------------------------------------------------------------------

    def _zeros(self, found: Comparison) -> None:
        """Joints that the engine has at another coordinate where the file has its pose."""
        if "zero" not in found.failed:
            return
        stated = {x["name"]: float(x["zero"]) for x in self.answer.facts["joints"] if "zero" in x}
        tolerance = found.deviations["zero"].tolerance
        for name, value in found.by_owner["zero"].items():
            if not value <= tolerance:
                ours = self.reference.zeros.get(name, 0.0)
                words = f"zero of the joint at {stated[name]:.6g} in the engine, not at {ours:.6g}"
                self.take(Cause(words, (name,), ("zero",)))
                self.zeros[name] = stated[name] - ours, words
        self.reference = replace(self.reference, zeros={**self.reference.zeros, **stated})
        moved = self._with_springs_moved()
        if len(self.compared(moved).failed) < len(self.compared().failed):
            self.reference = moved

    def _with_springs_moved(self) -> Reference:
        """The reference with springs that keep their coordinate in the file as zeros move."""

        def of(joint: Joint) -> Joint:
            shift = self.zeros.get(joint.name, (0.0, ""))[0]
            return replace(joint, dynamics=replace(joint.dynamics, rest=joint.dynamics.rest - shift))

        joints = tuple(map(of, self.reference.robot.joints))
        return replace(self.reference, robot=replace(self.reference.robot, joints=joints))

    def _gravity(self, found: Comparison) -> None:
        """Gravity of another size or along another axis."""
        if "gravity" not in found.failed:
            return
        there = [float(x) for x in self.answer.facts["gravity"]]
        ours = self.reference.stated_gravity or GRAVITY
        words = f"{_gravity_words(ours, there)} {_vector(there)} m/s² in the engine, not {_vector(ours)}"
        x, y, z = there
        self.take(Cause(words, (), ("gravity",)), replace(self.reference, stated_gravity=(x, y, z)))

    # --- limits ----------------------------------------------------------------------------------

    def _effort(self, found: Comparison) -> None:
        """Effort limits that the engine does not have, or has otherwise."""
        joints = {joint.name: joint for joint in self.reference.robot.joints}
        tolerance = found.deviations["effort"].tolerance
        bad = [name for name, value in found.by_owner["effort"].items() if not value <= tolerance]
        stated = {
            each["name"]: each["effort"] for each in self.answer.facts["joints"] if each["name"] in bad
        }
        for name, (low, high) in stated.items():
            none = math.isinf(low) and math.isinf(high)
            words = "effort limits dropped" if none else f"effort limits {low:g} and {high:g} in the engine"
            if none and not any(joints[name].limits.effort):
                words = "effort limits of 0 taken as none"
            self.take(Cause(words, (name,), ("effort",)))
        if len(stated) == len(bad):
            self.explained.add("effort")

    def _couplings(self, found: Comparison) -> None:
        """Couplings that the engine drops, and ratios and offsets that are others in it."""
        robot, facts = self.reference.robot, self.answer.facts
        for joint, option in dropped_couplings(robot, facts).items():
            self.take(Cause(dropped_words(option), (joint,), ("couplings",)))
        tolerance = found.deviations["couplings"].tolerance
        bad = [joint for joint, away in number_deviations(robot, facts).items() if not away <= tolerance]
        causes = coupling_causes(robot, facts, bad)
        for joint, cause in causes.items():
            self.take(Cause(cause, (joint,), ("couplings",)))
        if len(causes) == len(bad):
            self.explained.add("couplings")

    def _loops(self, found: Comparison, quantity: str) -> None:
        """Loops that hold other points or frames in the engine."""
        bad = self._beyond(found, quantity)
        poses = np.asarray(
            self.reference.mechanism.forward_kinematics(self.reference.numbers(self.states)[0])
        )
        tolerance = found.deviations[quantity].tolerance
        causes = loop_causes(self.reference, self.answer, poses, quantity, bad, tolerance)
        for loop, cause in causes.items():
            self.take(Cause(cause, (loop,), (quantity,)))
        if len(causes) == len(bad):
            self.explained.add(quantity)

    def _bounds(self, found: Comparison) -> None:
        """Shapes that are elsewhere or have another size in the engine."""
        bad = self._beyond(found, "bounds")
        causes = bounds_causes(self.reference, self.answer, bad, found.deviations["bounds"].tolerance)
        for owner, cause in causes.items():
            self.take(Cause(cause, (owner,), ("bounds",)))
        if len(causes) == len(bad):
            self.explained.add("bounds")

    @staticmethod
    def _beyond(found: Comparison, quantity: str) -> list[str]:
        """The joints or links whose deviation is too large."""
        tolerance = found.deviations[quantity].tolerance
        return [name for name, value in found.by_owner[quantity].items() if not value <= tolerance]

    def _limits(self, found: Comparison) -> None:
        joints = {joint.name: joint for joint in self.reference.robot.joints}
        tolerance = found.deviations["limits"].tolerance
        bad = [name for name, value in found.by_owner["limits"].items() if not value <= tolerance]
        causes: dict[str, list[str]] = {}
        for stated in self.answer.facts["joints"]:
            if stated["name"] not in bad:
                continue
            low, high = joints[stated["name"]].limits.position
            there = [math.nan if x is None else x for x in stated["position"] or (-math.inf, math.inf)]
            zero = stated.get("zero", 0.0)
            if any(math.isnan(value) for value in there):
                causes.setdefault("limits that are no numbers (NaN)", []).append(stated["name"])
                continue
            relative = there[0] - zero, there[1] - zero
            moved, cause = self.zeros.get(stated["name"], (0.0, ""))
            if not cause or not np.allclose((low - moved, high - moved), relative, rtol=0.0, atol=1e-5):
                # what a file states is not moved by its zero
                cause = _limit_slip((low + zero, high + zero), (there[0], there[1]))
                if not cause and stated["name"] in self.rekinded:
                    cause = f"limits {relative[0]:.6g} and {relative[1]:.6g} in the engine"
            if cause:
                causes.setdefault(cause, []).append(stated["name"])
        for cause, owners in causes.items():
            self.take(Cause(cause, tuple(owners), ("limits",)))
        if sum(map(len, causes.values())) == len(bad):
            self.explained.add("limits")


def _based(base: str, reference: Reference, quantities: tuple[str, ...]) -> Cause:
    words = "fixed to the world" if base == "fixed" else "free to move"
    return Cause(f"base: the root link is {words} in the engine", (reference.robot.root,), quantities)


def _with_value(joint: Joint, name: str, value: float) -> Joint:
    """A joint with another armature, damping or friction."""
    if name == "armature":
        return replace(joint, actuator=replace(joint.actuator, axis_inertia=value))
    changed = {name: value}
    return replace(joint, dynamics=replace(joint.dynamics, **changed))


def _limit_slip(ours: tuple[float, float], theirs: tuple[float, float]) -> str:
    low, high = ours
    degree = math.pi / 180.0
    endless = low == -math.inf and high == math.inf
    slips: tuple[tuple[str, Callable[[], tuple[float, float]]], ...] = (
        ("limits of 0 taken as none", lambda: (-math.inf, math.inf) if low == high == 0.0 else ours),
        ("limits that are reversed taken as none", lambda: (-math.inf, math.inf) if low > high else ours),
        ("limits dropped", lambda: (-math.inf, math.inf)),
        ("degrees for radians in the limits", lambda: (low * degree, high * degree)),
        ("radians for degrees in the limits", lambda: (low / degree, high / degree)),
        ("limits swapped", lambda: (high, low)),
        ("sign of the limits", lambda: (-high, -low)),
        ("limits of a full turn", lambda: (-math.pi, math.pi)),
        ("limits of two full turns", lambda: (-2 * math.pi, 2 * math.pi)),
        ("limits of 0", lambda: (0.0, 0.0)),
        ("lower limit of 0", lambda: (0.0, high)),
        ("limits divided by 1000 (mm)", lambda: (low / 1000.0, high / 1000.0)),
        ("limits 1000 times too large (mm)", lambda: (low * 1000.0, high * 1000.0)),
        *(_scaled_limits(ours, theirs)),
        ("limits of a continuous joint that are not to be read", lambda: theirs if endless else ours),
        ("narrower limits in the engine", lambda: (max(low, theirs[0]), min(high, theirs[1]))),
    )
    for cause, slip in slips:
        if all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-5) for a, b in zip(slip(), theirs, strict=True)):
            return cause
    return ""


def _scaled_limits(
    ours: tuple[float, float], theirs: tuple[float, float]
) -> Iterator[tuple[str, Callable[[], tuple[float, float]]]]:
    """Both limits multiplied by one factor, or moved by one distance."""
    (low, high), (there_low, there_high) = ours, theirs
    if not all(map(math.isfinite, (*ours, *theirs))):
        return
    factor = there_high / high if high else there_low / low if low else 1.0
    yield f"limits multiplied by {factor:.6g}", lambda: (factor * low, factor * high)
    moved = there_high - high
    yield f"limits moved by {moved:.6g}", lambda: (low + moved, high + moved)


def _power(value: float, factor: float | None) -> str:
    """A number, as a power of a factor of lengths if it is one."""
    for power in (2, 5):
        if factor is not None and factor > 0.0 and math.isclose(value, factor**power, rel_tol=1e-6):
            return f"{value:.6g} ({factor:.6g}^{power})"
    return f"{value:.6g}"


def _gravity_words(ours: Sequence[float], theirs: Sequence[float]) -> str:
    size, along = math.hypot(*theirs), float(np.dot(ours, theirs))
    if size == 0.0:
        return "gravity missing:"
    lined = math.isclose(abs(along), size * math.hypot(*ours), rel_tol=1e-6, abs_tol=0.0)
    if not lined:
        return "gravity along another axis:"
    return "sign of gravity:" if along < 0.0 else "gravity"


def _vector(values: Sequence[float]) -> str:
    return f"({', '.join(f'{value:.6g}' for value in values)})"


def _force_words(name: str, value: float) -> str:
    if name.endswith("multiplied"):
        return f"{name} by {1.0 + value:.6g}"
    return f"{name} {'added' if value > 0.0 else 'missing'}: {abs(value):.6g}"


def _grouped(values: Mapping[str, float]) -> dict[float, list[str]]:
    """Names by value, of values that agree to four digits."""
    out: dict[float, list[str]] = {}
    for name, value in values.items():
        known = next((x for x in out if abs(x - value) <= 1e-4 * abs(x)), value)
        out.setdefault(known, []).append(name)
    return out


def _fit(features: Sequence[tuple[bool, Floats]], residual: Floats) -> tuple[list[Floats], Floats] | None:
    """Least squares of forces, and what is left; None if the forces depend on one another.

    A force has a factor for each degree of freedom, (n,), or one for all, (1,).
    """
    count, size = residual.shape
    columns: list[Floats] = []
    places: list[tuple[int, int]] = []
    for number, (own, force) in enumerate(features):
        for k in range(size if own else 1):
            column = force
            if own:
                column = np.zeros((count, size))
                column[:, k] = force[:, k]
            if np.abs(column).max(initial=0.0) > 0.0:
                columns.append(column.ravel() / np.abs(column).max())
                places.append((number, k))
    if not columns:
        return None
    matrix = np.stack(columns, axis=1)
    solution, _, rank, _ = np.linalg.lstsq(matrix, residual.ravel(), rcond=1e-12)
    if rank < len(columns):
        return None
    values = [np.zeros(size if own else 1) for own, _ in features]
    for (number, k), value in zip(places, solution.tolist(), strict=True):
        force = features[number][1]
        values[number][k] = value / np.abs(force[:, k] if features[number][0] else force).max()
    return values, residual - (matrix @ solution).reshape(count, size)
