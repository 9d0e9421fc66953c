"""Finds the likely cause of deviations: the known slip, or the fitted force, that explains the numbers."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.gravity import STANDARD
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import Pose
from unibody.model.robot import Joint
from unibody.proof.body_slips import BODIES, moved_frames
from unibody.proof.bounds import bounds_words
from unibody.proof.comparison import TOLERANCES, Comparison, angles, compare, inertials_of
from unibody.proof.couplings import (
    coupling_causes,
    dropped_couplings,
    dropped_words,
    number_deviations,
)
from unibody.proof.fits import (
    with_axis,
    with_origin,
)
from unibody.proof.guesses import DEGREE, FITTED, JOINT, RIGHT, Words, alternatives, chosen, is_known
from unibody.proof.inertials import AS_MASS, Body, ExplainedBody, body_words
from unibody.proof.loops import loop_causes
from unibody.proof.measured import Motion, measured
from unibody.proof.mesh_slips import MESHES, simplified_hulls
from unibody.proof.motions import (
    Explained,
    motion_words,
    origin_guesses,
    pose_of,
    pose_words,
    reading_of,
)
from unibody.proof.process import Answer
from unibody.proof.reference import Misreading, Reference, States
from unibody.proof.scalars import (
    effort_words,
    evidence_of,
    limit_words,
    number_of,
    number_words,
    permuted_words,
)
from unibody.proof.scope import scope_of
from unibody.proof.shape_slips import SHAPES
from unibody.proof.shapes import TEXTURES_LOST
from unibody.proof.slips import DEFAULTS, DYNAMICS, FRAMES, JOINTS, LINKS, WELDED, Slip
from unibody.proof.sources import Tree, joint_sources, root_sources
from unibody.text.counted import listed

_NONE: Mapping[str, str] = MappingProxyType({})
_MASSES, _PLACES = (*LINKS, *SHAPES, *MESHES), (*FRAMES, *BODIES)
_MOTION = (*JOINTS, *FRAMES, *BODIES)
# States that the search looks at, and the most names in a cause.
_STATES, _NAMED = 16, 3
# What explains motions at most at this cost is simpler than frames that are elsewhere.
_FRAMES_COST = 2.25
_BODY = ("mass", "com", "inertia")
# Numbers that are explained at this cost or more may be so by chance.
_WEAK = 1.3
# What resists a joint, in forces that are fitted.
_PASSIVE = ("damping", "friction", "spring", "constant force")
# Kinds of joints with one position that engines move.
_SINGLE: dict[str, JointKind] = {"revolute": "revolute", "prismatic": "prismatic"}
_HELD = "coupling held by forces: the engine enforces it, and the joint does not move freely"
# Mass matrices of this condition number, each joint scaled to 1, have no inverse in double precision.
_SINGULAR = 1e15
# A fitted force explains a residual if it leaves this share of the largest force term.
_FITTED = 1e-7


@dataclass(frozen=True, slots=True)
class Cause:
    """The likely cause of deviations: the slip, the joints or links that have it, and how it was found.

    ``fitted`` tells that its numbers were fitted, not known; ``scope`` is what its owners have in common
    and no other joints or links have.
    """

    cause: str
    owners: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    fitted: bool = False
    scope: str = ""

    def __str__(self) -> str:
        if not self.owners:
            return self.cause
        scope = f", the {self.scope} and no others" if self.scope else ""
        return f"{self.cause} ({listed(self.owners, _NAMED)}){scope}"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The causes that were found, and the quantities that they do not explain.

    ``stopped`` tells that the search took longer than it may, and looked no further.
    """

    causes: tuple[Cause, ...] = ()
    unexplained: tuple[str, ...] = ()
    stopped: bool = False


class _Stopped(Exception):
    """The search has taken the time that it may take."""


def diagnose(
    reference: Reference,
    states: States,
    answer: Answer,
    dofs: Sequence[tuple[str, int]],
    *,
    seconds: float = math.inf,
) -> Diagnosis:
    """Find the likely causes of all deviations of an answer from a reference, for so many seconds.

    The step that the search is at when they are over is the last one.
    """
    search = _Search(reference, states.first(_STATES), _cut(answer, _STATES), dofs, seconds)
    stopped = False
    with np.errstate(all="ignore"):
        try:
            search.run()
        except _Stopped:
            stopped = True
    tree = Tree(reference.robot)
    told = sorted(_joined(search.causes), key=lambda cause: cause.fitted)
    causes = (replace(cause, scope=scope_of(tree, cause.owners)) for cause in told)
    return Diagnosis(tuple(causes), tuple(search.unexplained()), stopped)


def _joined(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Causes with the same words as one."""
    by_words: dict[str, list[Cause]] = {}
    for cause in causes:
        by_words.setdefault(cause.cause, []).append(cause)
    for same in by_words.values():
        owners = dict.fromkeys(owner for cause in same for owner in cause.owners)
        yield replace(same[0], owners=tuple(owners))


def joined_words(parts: Mapping[str, Mapping[str, Words]]) -> Iterator[Cause]:
    """The causes of what explains quantities of owners: those of the same owners are one."""
    by_owners: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for quantity, by_owner in parts.items():
        for same, names in chosen(by_owner, _WEAK if quantity == "mass" else math.inf):
            fitted = by_owner[names[0]][same[0]] >= FITTED
            if same[0] == AS_MASS:
                # it is known as well as the mass
                fitted = (tuple(names), True) in by_owners
            by_owners.setdefault((tuple(names), fitted), []).append(alternatives(same))
    for (owners, fitted), words in by_owners.items():
        yield Cause(", ".join(words), owners, ("mass", "com", "inertia"), fitted)


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
        self,
        reference: Reference,
        states: States,
        answer: Answer,
        dofs: Sequence[tuple[str, int]],
        seconds: float,
    ) -> None:
        self.reference, self.states, self.answer, self.dofs = reference, states, answer, dofs
        self.end = time.monotonic() + seconds
        self.last: tuple[Reference, Comparison] | None = None
        self.causes: list[Cause] = []
        self.exact = TOLERANCES[answer.facts.get("precision", "double")]
        self.explained: set[str] = set()
        # bodies with other shapes in the engine
        self.reshaped: set[str] = set()
        # how far-fetched the explanation of motions is
        self.simplicity = 0.0
        # joints of another kind in the engine
        self.rekinded: set[str] = set()
        # how far zeros are moved, and the words of the cause
        self.zeros: dict[str, tuple[float, str]] = {}

    def run(self) -> None:
        """Search from what others depend on to what depends on others."""
        self._base()
        self._lacking()
        self._dropped()
        if "bounds" in self.compared().failed:
            self._bounds(self.compared())
        failed = self.compared().failed
        if {"positions", "rotations"} & {*failed}:
            self._motion()
        if {"mass", "com", "inertia"} & {*self.compared().failed}:
            self._inertials(("mass", "com", "inertia"))
        elif "bodies" not in self.answer.facts and "mass_matrix" in self.compared().failed:
            self._inertials(("mass_matrix",))
        self._zeros(self.compared())
        self._gravity(self.compared())
        self._gravity_compensation(self.compared())
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
        if "textures" in found.failed:
            self.take(Cause(TEXTURES_LOST, tuple(self._beyond(found, "textures")), ("textures",)))
            self.explained.add("textures")

    def go_on(self) -> None:
        """Stop the search if it has taken its time."""
        if time.monotonic() > self.end:
            raise _Stopped

    def compared(self, reference: Reference | None = None) -> Comparison:
        """The comparison with a reference, by default with that of the slips found so far."""
        self.go_on()
        if reference is None:
            return self._found_so_far()
        try:
            return compare(reference, self.states, self.answer, self.dofs)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            # a slip may make a robot that cannot be computed
            return Comparison()

    def _found_so_far(self) -> Comparison:
        """The comparison with the reference of the slips found so far."""
        if self.last is None or self.last[0] is not self.reference:
            self.last = (
                self.reference,
                compare(self.reference, self.states, self.answer, self.dofs),
            )
        return self.last[1]

    def unexplained(self) -> Iterator[str]:
        """The quantities that still deviate."""
        yield from (name for name in self._found_so_far().failed if name not in self.explained)

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
            changed = WELDED.change(self.reference, welded)
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
            or self._take_places(owners, quantities)
            or self._explain_motions(owners, tolerance, known=True)
            or self._take_best(_MOTION, owners, quantities)
            or self._swapped(owners, tolerance)
        ):
            return
        self._explain_motions(owners, tolerance, known=False)
        away = self._joint_deviations(self.reference)
        owners = [name for name in owners if not away.get(name, math.inf) <= tolerance]
        # more than one slip: each joint by itself, and joints with the same one together
        while owners:
            found = [(slip, self._solved(slip, owners, tolerance)) for slip in _MOTION]
            slip, solved = max(found, key=lambda pair: len(pair[1]))
            if not solved:
                break
            self.take(Cause(slip.cause, tuple(solved), quantities), slip.change(self.reference, solved))
            owners = [name for name in owners if name not in solved]

    def _take_places(self, owners: Sequence[str], quantities: Sequence[str]) -> bool:
        """Take a slip that puts frames elsewhere, if it is simpler than what explains each joint."""
        before = len(self.causes), self.reference
        simple = math.inf
        if self._explain_motions(owners, self._tolerance(), known=True):
            simple, rest = self.simplicity, len(self.compared().failed)
        causes, reference = self.causes[before[0] :], self.reference
        del self.causes[before[0] :]
        self.reference = before[1]
        if simple <= _FRAMES_COST:
            return False
        if not self._take_best(_PLACES, owners, quantities):
            return False
        if math.isfinite(simple) and len(self.compared().failed) > rest:
            del self.causes[before[0] :]
            self.causes += causes
            self.reference = reference
        return True

    # --- measured motions ------------------------------------------------------------------------

    def _explain_motions(self, owners: Sequence[str], tolerance: float, *, known: bool) -> bool:
        """Explain the measured motion of each joint by values of the file; False if not all are.

        With ``known`` nothing is taken unless all are explained so.
        """
        tree = Tree(self.reference.robot)
        found: dict[str, Explained] = {}
        motions: dict[str, Motion] = {}
        for name in owners:
            motion = self._measured(name, tolerance)
            if motion is None:
                continue
            explanation = self._explained(name, motion, tree, tolerance)
            if not known or explanation.is_known:
                found[name], motions[name] = explanation, motion
        if known and len(found) < len(owners):
            return False
        reference, causes, zeros = self.reference, list[Cause](), set[str]()
        self.simplicity = 0.0
        for part in ("pose", "axis", "arm"):
            words = {name: getattr(each, part) for name, each in found.items()}
            wrong = {name: each for name, each in words.items() if each is not RIGHT}
            for same, names in chosen(wrong):
                self.simplicity += 1.0 + words[names[0]][same[0]]
                zeros |= {name for name in names if same[0] in found[name].zeros}
                causes.append(self._motion_cause(same, names, words))
        for name, motion in motions.items():
            reference = self._with_motion(reference, name, motion, found[name], name in zeros)
        away = self._joint_deviations(reference)
        if any(not away.get(name, math.inf) <= 100.0 * tolerance for name in found):
            return False
        self.causes += causes
        self.reference = reference
        return len(found) == len(owners)

    def _motion_cause(
        self, same: Sequence[str], names: Sequence[str], words: Mapping[str, Mapping[str, float]]
    ) -> Cause:
        fitted = not is_known({same[0]: words[names[0]][same[0]]})
        root = self.reference.robot.root
        owners = tuple(name or root for name in names)
        return Cause(alternatives(same), owners, ("positions", "rotations"), fitted)

    def _measured(self, name: str, tolerance: float, other: str = "") -> Motion | None:
        """The motion of the child of a joint in its parent, as the engine has it; None without one.

        It is that by the position of the joint, or of another one.
        """
        robot, bodies = self.reference.robot, self.reference.bodies
        joint = robot.joint(name) if name else None
        if joint is not None and KINDS[joint.kind].nq > 1:
            return None
        if name not in (pairs := self._relative_poses(self.reference)):
            return None
        _, theirs = pairs[name]
        frame = self._frame(joint.parent) if joint is not None else np.eye(4)
        offset = bodies[joint.child if joint is not None else robot.root][1]
        poses = np.linalg.solve(frame, theirs) @ np.array(offset.matrix())
        moves = joint is not None and KINDS[joint.kind].nq == 1
        return measured(poses, self._values(other or name) if moves else np.zeros(len(poses)), tolerance)

    def _explained(self, name: str, motion: Motion, tree: Tree, tolerance: float) -> Explained:
        self.go_on()
        robot = self.reference.robot
        if not name:
            noun = "the root link's pose"
            return Explained(pose_words(robot.pose, motion.zero, root_sources(tree), noun, tolerance))
        joint = robot.joint(name)
        sources = joint_sources(self.reference, tree, joint)
        if joint.kind == "fixed":
            return Explained(pose_words(joint.origin, motion.zero, sources, JOINT, tolerance))
        return motion_words(self.reference, joint, motion, sources, tolerance)

    def _with_motion(
        self, reference: Reference, name: str, motion: Motion, found: Explained, moved: bool
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
        self.go_on()
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
        """Take that joints are moved by the numbers of others, where these and not the own ones do it."""
        single = [j.name for j in self.reference.robot.joints if KINDS[j.kind].nq == 1]
        moved: dict[str, Misreading] = {}
        for name in owners:
            if not name or self._measured(name, tolerance) is not None:
                continue
            joint = self.reference.robot.joint(name)
            for other in (x for x in single if x != name):
                motion = self._measured(name, tolerance, other)
                if motion is None or (reading := reading_of(joint, motion, 100.0 * tolerance)) is None:
                    continue
                moved[name] = Misreading(other, *reading)
                break
        if not moved:
            return False
        ordered = replace(self.reference, readings={**self.reference.readings, **moved})
        away = self._joint_deviations(ordered)
        if any(not away.get(name, math.inf) <= 100.0 * tolerance for name in moved):
            return False
        for cause in self._moved_words(moved):
            self.causes.append(cause)
        self.reference = ordered
        rest = [name for name in owners if not away.get(name, math.inf) <= 100.0 * tolerance]
        if rest:
            self._explain_motions(rest, tolerance, known=False)
        return True

    def _moved_words(self, moved: Mapping[str, Misreading]) -> Iterator[Cause]:
        """The words for joints that are moved by the numbers of others."""
        mine = ("positions", "rotations")
        plain = {name: x.of for name, x in moved.items() if x.scale == 1.0 and x.offset == 0.0}
        if len(plain) > 1:
            words = ", ".join(
                f"{name} moves by the numbers of {of}" for name, of in [*plain.items()][:_NAMED]
            )
            yield Cause(f"joint order: {words}", tuple(plain), mine)
        for name, reading in moved.items():
            if name in plain and len(plain) > 1:
                continue
            words = f"moves by the numbers of {reading.of}"
            if name not in plain:
                words += (
                    f", multiplied by {reading.scale:.6g} and moved by {float(np.sum(reading.offset)):.6g}"
                )
            yield Cause(words, (name,), mine)

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
        self.go_on()
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
        above = reference.above
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

    def _values(self, name: str) -> Floats:
        """The positions of a joint at the states, (B,)."""
        reading = self.reference.readings.get(name, Misreading(name))
        return np.asarray(reading.scale * self.states.q[reading.of][:, 0] + reading.offset)

    def _frame(self, link: str) -> Floats:
        """The pose (4, 4) of a link in the nearest body above that the engine has."""
        above = self.reference.above
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
        if "mass_matrix" in quantities:
            whole = [*owners, *self._carried(owners)]
            if not self._take_best(_MASSES, whole, quantities):
                any(self._take_best(_MASSES, (name,), quantities) for name in owners)
            return
        self._explain_bodies(owners)

    def _explain_bodies(self, owners: Sequence[str]) -> None:
        """Explain masses, centers and inertias of links, and of what is fixed to them, by the file."""
        tree = Tree(self.reference.robot)
        slips = {name: self._slips_of(name) for name in owners}
        parts: dict[str, dict[str, Words]] = {"mass": {}, "com": {}, "inertia": {}}
        listed_slips: dict[str, Words] = {}
        places: dict[str, Words] = {}
        inertials: dict[str, Inertial | None] = {}
        for name in owners:
            there = self._stated_body(name)
            link, body, found = self._part_of(tree, name, there)
            if slips[name] and min(slips[name].values()) <= found.cost:
                listed_slips[name] = slips[name]
                inertials |= dict.fromkeys(self._carried([name])) | {name: there.inertial()}
                continue
            if not found.is_known and (given := self._with_defaults(tree, name, there)) is not None:
                told, made, (link, body, found) = given
                parts["mass"] |= {bare: {told: 1.0} for bare in made}
                inertials |= made
                for quantity, each in found.parts.items():
                    if each is not RIGHT:
                        parts[quantity][link] = each
                inertials[link] = body.inertial()
                continue
            fixed = self._fixed_words(tree, name, there)
            if fixed and min(min(words.values()) for words in fixed.values()) <= found.cost:
                at = min(fixed, key=lambda joint: min(fixed[joint].values()))
                places[at] = fixed[at]
                inertials |= dict.fromkeys(self._carried([name])) | {name: there.inertial()}
                continue
            if not found.is_known:
                found = self._with_slips(name, found)
            if not found.is_known and (added := self._added(name, there)):
                parts["mass"][name] = {added: FITTED}
            else:
                for quantity, words in found.parts.items():
                    if words is not RIGHT:
                        parts[quantity][link] = words
            if link == name and not found.is_known:
                inertials |= dict.fromkeys(self._carried([name])) | {name: there.inertial()}
            else:
                inertials[link] = body.inertial()
        for same, names in chosen(listed_slips):
            owners = [*names, *self._carried(names)]
            self.take(Cause(alternatives(same), tuple(owners), ("mass", "com", "inertia")))
        for same, names in chosen(places):
            self.take(Cause(alternatives(same), tuple(names), ("mass", "com", "inertia")))
        for cause in joined_words(parts):
            self.take(self._of_all(cause, inertials))
        links = [
            replace(each, inertial=inertials[each.name]) if each.name in inertials else each
            for each in self.reference.robot.links
        ]
        self.reference = replace(self.reference, robot=replace(self.reference.robot, links=tuple(links)))

    def _of_all(self, cause: Cause, inertials: Mapping[str, Inertial | None]) -> Cause:
        """A cause with further words: that all masses have one factor, or that they follow from shapes."""
        bodies = self.reference.bodies
        if cause.fitted and all(bodies[name][0] in self.reshaped for name in cause.owners):
            return replace(cause, cause=f"as follows from its shapes: {cause.cause}")
        heavy = [x for x in self.reference.robot.links if x.inertial is not None and x.inertial.mass]
        if not cause.cause.startswith("mass multiplied") or len(cause.owners) < max(2, len(heavy)):
            return cause
        ours = sum(x.inertial.mass for x in heavy if x.inertial is not None)
        there = sum(x.mass for x in inertials.values() if x is not None)
        words = f"one factor for all masses, in sum {there:.6g} kg, not {ours:.6g} kg (total mass)"
        return replace(cause, cause=f"{words}: {cause.cause}")

    def _stated_body(self, link: str) -> Body:
        """What the engine has of the body of a link, in the axes of the link."""
        self.go_on()
        body, offset = self.reference.bodies[link]
        row = self.answer.facts["bodies"].index(body)
        mass, com, inertia = (self.answer.arrays[name][row] for name in ("mass", "com", "inertia"))
        return Body(float(mass), np.asarray(com), np.asarray(inertia)).placed(offset.inverse())

    def _part_of(self, tree: Tree, name: str, there: Body) -> tuple[str, Body, ExplainedBody]:
        """Which of the links in a body is another one, what it is, and what explains it.

        It is the link itself where none is explained alone.
        """
        present = {*self.answer.facts["bodies"]}
        offset = self.reference.bodies[name][1].inverse()
        bodies: dict[str, tuple[Pose, Body]] = {}
        for link in (name, *self._carried([name])):
            place = self.reference.body_of(link, present)
            if place is not None:
                pose = offset @ place[1]
                bodies[link] = pose, Body.of(tree.links[link].inertial).placed(pose)
        best: tuple[float, str, Body, ExplainedBody] | None = None
        last: tuple[Body, ExplainedBody] | None = None
        for link, (pose, _) in bodies.items():
            rest: Body | None = there
            for other, (_, body) in bodies.items():
                if other != link and rest is not None:
                    rest = rest.without(body)
            if rest is None:
                continue
            own = rest.placed(pose.inverse())
            stated = Body.of(tree.links[link].inertial)
            found = body_words(self.reference, tree, tree.links[link], stated, own, self.exact)
            last = own, found
            if found.is_known and (best is None or found.cost < best[0]):
                best = found.cost, link, own, found
        if best is not None:
            return best[1:]
        if len(bodies) == 1 and last is not None:
            return name, last[0], last[1]
        whole = Body.of(None)
        for _, body in bodies.values():
            whole = body if not whole.mass else whole.joined(body)
        return name, there, body_words(self.reference, tree, tree.links[name], whole, there, self.exact)

    def _with_slips(self, name: str, found: ExplainedBody) -> ExplainedBody:
        """What explains a body, where nothing else does by slips that explain one of its quantities."""
        parts = {
            quantity: words if is_known(words) else self._slips_of(name, (quantity,)) or words
            for quantity, words in found.parts.items()
        }
        return ExplainedBody(**parts)

    def _with_defaults(
        self, tree: Tree, name: str, there: Body
    ) -> tuple[str, dict[str, Inertial | None], tuple[str, Body, ExplainedBody]] | None:
        """What explains a body if the links without mass that are fixed to its link have one by default.

        It is the words for the default, what it makes of these links, and the rest; None without a default.
        """
        bare = [x for x in self._carried([name]) if Body.of(tree.links[x].inertial).mass == 0.0]
        for words, make in DEFAULTS if bare else ():
            made = {x: own for x in bare if (own := make(tree.links[x])) is not None}
            links = tuple(
                replace(x, inertial=made[x.name]) if x.name in made else x for x in tree.robot.links
            )
            found = self._part_of(Tree(replace(tree.robot, links=links)), name, there)
            if made and found[2].is_known:
                return words, dict(made), found
        return None

    def _slips_of(self, link: str, quantities: Sequence[str] = ("mass", "com", "inertia")) -> Words:
        """The known slips of whole links that explain these quantities of the body of a link."""
        rows = {name: k for k, name in enumerate(self.answer.facts["bodies"])}
        body = self.reference.bodies[link][0]
        there = [self.answer.arrays[name][rows[body]] for name in ("mass", "com", "inertia")]
        sizes = (max(float(there[0]), 1e-12), 1.0, max(float(np.abs(there[2]).max()), 1e-300))
        out: dict[str, float] = {}
        carried = self._carried([link])
        for slip in _MASSES:
            self.go_on()
            try:
                changed = slip.change(self.reference, [link, *carried])
                made = inertials_of(changed, rows, body).get(body)
            except (ValueError, ArithmeticError, np.linalg.LinAlgError):
                continue
            if made is not None and all(
                float(np.abs(np.asarray(a) - np.asarray(b)).max()) <= 10.0 * max(self.exact, 1e-9) * size
                for a, b, size, name in zip(made, there, sizes, _BODY, strict=True)
                if name in quantities
            ):
                cost = 0.95 if carried else 1.3
                # what holds for links without mass alone is said more exactly
                cost -= 0.2 if slip.cause.startswith("a link without mass") else 0.0
                out[slip.cause] = min(out.get(slip.cause, math.inf), cost)
        return out

    def _added(self, link: str, there: Body) -> str:
        """The words for a mass that a link has by its shapes alone in the engine; "" without them."""
        body = self.reference.bodies[link][0]
        rows = {name: k for k, name in enumerate(self.answer.facts["bodies"])}
        own = inertials_of(self.reference, rows, body)[body]
        if not there.mass or (own[0] and own[2].any()):
            return ""
        its = next(each for each in self.reference.robot.links if each.name == link)
        return simplified_hulls(its, there.mass, self.reference.meshes)

    def _fixed_words(self, tree: Tree, link: str, there: Body) -> dict[str, Words]:
        """What explains a body by another origin of one joint that fixes others to its link, by joint."""
        present = {*self.answer.facts["bodies"]}
        rows = {body: k for k, body in enumerate(self.answer.facts["bodies"])}
        offset = self.reference.bodies[link][1].inverse()
        carried = self._carried([link])
        out: dict[str, Words] = {}
        for joint in [j for j in self.reference.robot.joints if j.child in carried]:
            # the parts below the joint are one, which it places
            below = [name for name in carried if self._is_below(tree, name, joint.name)]
            moved, still = Body.of(None), Body.of(None)
            for name in (link, *carried):
                place = self.reference.body_of(name, rows)
                if place is None:
                    continue
                body = Body.of(tree.links[name].inertial).placed(offset @ place[1])
                moved, still = (moved.joined(body), still) if name in below else (moved, still.joined(body))
            parent = self.reference.body_of(joint.parent, present)
            if parent is None or not moved.mass:
                continue
            outer = offset @ parent[1]
            inside = moved.placed((outer @ joint.origin).inverse())
            sources = joint_sources(self.reference, tree, joint)
            found: dict[str, float] = {}
            for guess in origin_guesses(joint.origin, sources):
                made = still.joined(inside.placed(outer @ pose_of(guess.value)))
                if made.is_like(there, 10.0 * max(self.exact, 1e-9)):
                    found[guess.words] = min(found.get(guess.words, math.inf), guess.cost)
            if found:
                out[joint.name] = found
        return out

    def _is_below(self, tree: Tree, link: str, joint: str) -> bool:
        while link in tree.above:
            if tree.above[link].name == joint:
                return True
            link = tree.above[link].parent
        return False

    def _carried(self, owners: Collection[str]) -> list[str]:
        """The links that the engine has as parts of the bodies of others."""
        present = {*self.answer.facts.get("bodies", self.answer.facts["links"])}
        above = self.reference.above
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

    # --- dynamics --------------------------------------------------------------------------------

    def _dynamics(self) -> None:
        names = ("armature", "damping", "friction", "mass_matrix", "bias", "acceleration")
        self._take_stated()
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
            tree = Tree(self.reference.robot)
            joints_by_name = {joint.name: joint for joint in self.reference.robot.joints}
            words = permuted_words(joints_by_name, name, stated) or {
                x: number_words(tree, joints_by_name[x], name, value) for x, value in stated.items()
            }
            evidence = {
                x: evidence_of((number_of(joints_by_name[x], name),), (value,))
                for x, value in stated.items()
            }
            self._take_words(words, name, evidence)
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
            if abs(value) > self.exact * size:
                values[name] = value
        if "" in values:
            words = f"armature added to the free joint of the base: {values.pop(''):.6g} kg m² and kg"
            mine = ("mass_matrix", "bias", "acceleration")
            self.take(Cause(words, (self.reference.robot.root,), mine, True))
            # no mechanism of ours has it: what follows from it is not compared
            self.explained |= {*mine}
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
        sets = [combo for size in (1, 2, 3) for combo in combinations(features, size)]
        for chosen_ones in [*sets, _PASSIVE]:
            self.go_on()
            fit = _fit([features[name] for name in chosen_ones], found.residual)
            if fit is None:
                continue
            values, rest = fit
            if not np.abs(rest / found.largest_force).max() <= tolerance:
                continue
            fitted = dict(zip(chosen_ones, values, strict=True))
            for name in fitted.keys() - {*_PASSIVE}:
                self._take_forces(name, features[name][0], fitted[name], found.dofs)
            self._take_passive(fitted, found.dofs)
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
        largest = max(map(abs, by_joint.values()), default=0.0)
        for value, owners in _grouped(
            {k: x for k, x in by_joint.items() if abs(x) > 1e-4 * largest}
        ).items():
            self.causes.append(Cause(_force_words(name, value), tuple(owners), ("acceleration",), True))

    def _take_passive(self, fitted: Mapping[str, Floats], dofs: Sequence[int]) -> None:
        """Damping, friction and springs of joints that are others by the fitted forces."""
        tree = Tree(self.reference.robot)
        joints = {joint.name: joint for joint in self.reference.robot.joints}
        largest = max((float(np.abs(x).max()) for k, x in fitted.items() if k in _PASSIVE), default=0.0)
        words: dict[str, dict[str, Words]] = {}
        evidence: dict[str, str] = {}
        for k, place in enumerate(dofs):
            name = self.reference.dofs[place][0]
            away = {each: float(fitted[each][k]) for each in _PASSIVE if each in fitted}
            away = {each: value for each, value in away.items() if abs(value) > 1e-6 * largest}
            if not away:
                continue
            joint = joints.get(name)
            if joint is None or KINDS[joint.kind].nq != 1:
                for each, value in away.items():
                    owner = name or self.reference.robot.root
                    words.setdefault(each, {})[owner] = {_force_words(each, value): FITTED}
                continue
            own_numbers = [number_of(joint, each) for each in ("damping", "friction", "stiffness", "rest")]
            evidence[name] = evidence_of(own_numbers, list(away.values()))
            for quantity in ("damping", "friction"):
                if quantity in away:
                    own = number_of(joint, quantity)
                    there = _round_off(own + away[quantity], own)
                    words.setdefault(quantity, {})[name] = number_words(tree, joint, quantity, there)
            spring = self._spring_words(
                tree, joint, away.get("spring", 0.0), away.get("constant force", 0.0)
            )
            for quantity, each_words in spring.items():
                words.setdefault(quantity, {})[name] = each_words
        for by_owner in words.values():
            self._take_words(by_owner, "acceleration", evidence)

    def _spring_words(self, tree: Tree, joint: Joint, more: float, force: float) -> dict[str, Words]:
        """What explains another spring of a joint, by its stiffness and a constant force in addition."""
        own = joint.dynamics
        stiffness = _round_off(own.stiffness + more, own.stiffness)
        out: dict[str, Words] = {}
        if more:
            out["stiffness"] = number_words(tree, joint, "stiffness", stiffness)
        moved = own.stiffness * own.rest + force
        if not stiffness:
            if abs(moved) > 1e-6 * max(abs(force), abs(own.stiffness * own.rest)):
                out["constant force"] = {_force_words("constant force", moved): FITTED}
            return out
        rest = _round_off(moved / stiffness, own.rest)
        shift, cause = self.zeros.get(joint.name, (0.0, ""))
        if cause and abs(rest - own.rest + shift) <= 1e-6 * abs(shift):
            out["rest"] = {cause: 1.0}
        elif abs(rest - own.rest) > 1e-6 * max(abs(rest), abs(own.rest)):
            zero = self.reference.zeros.get(joint.name, 0.0)
            if zero and abs(rest + zero) <= 1e-6 * abs(zero):
                out["rest"] = {"rest position of the spring ignored": 1.0}
            else:
                out["rest"] = number_words(tree, joint, "rest", rest)
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
                for slip, made in (
                    ("ref of the joint ignored: its zero is at 0 in the engine", 0.0),
                    ("sign of the joint's ref", -ours),
                    ("ref of the joint in degrees", ours / DEGREE),
                    ("ref of the joint in radians taken as degrees", ours * DEGREE),
                ):
                    if abs(made - stated[name]) <= tolerance:
                        words = slip
                        break
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
        ours = self.reference.stated_gravity or STANDARD
        words = f"{_gravity_words(ours, there)} {_vector(there)} m/s² in the engine, not {_vector(ours)}"
        x, y, z = there
        self.take(Cause(words, (), ("gravity",)), replace(self.reference, stated_gravity=(x, y, z)))

    def _gravity_compensation(self, found: Comparison) -> None:
        """Shares of weights that lift bodies, which the engine does not have or has otherwise."""
        if "gravity_compensation" not in found.failed:
            return
        links = {body: link for link, (body, _) in self.reference.bodies.items()}
        there = self.answer.facts["gravity_compensation"]
        words: dict[str, Words] = {}
        for body in self._beyond(found, "gravity_compensation"):
            link = links.get(body, body)
            own, other = self.reference.gravity_compensation.get(link, 0.0), there.get(body, 0.0)
            told = f"gravity compensation of {other:.6g} of the weight in the engine, not {own:.6g}"
            words[link] = {told if other else "gravity compensation (gravcomp) missing": 1.0}
        self._take_words(words, "gravity_compensation")
        self.explained.add("gravity_compensation")

    # --- limits ----------------------------------------------------------------------------------

    def _effort(self, found: Comparison) -> None:
        """Effort limits that the engine does not have, or has otherwise."""
        joints = {joint.name: joint for joint in self.reference.robot.joints}
        tolerance = found.deviations["effort"].tolerance
        bad = [name for name, value in found.by_owner["effort"].items() if not value <= tolerance]
        stated = {
            each["name"]: each["effort"] for each in self.answer.facts["joints"] if each["name"] in bad
        }
        tree = Tree(self.reference.robot)
        words = {
            name: effort_words(tree, joints[name], (low, high)) for name, (low, high) in stated.items()
        }
        self._take_words(words, "effort")
        if len(stated) == len(bad):
            self.explained.add("effort")

    def _take_words(
        self, by_owner: Mapping[str, Words], quantity: str, evidence: Mapping[str, str] = _NONE
    ) -> None:
        """Record what explains a quantity of each owner, once for those with the same words.

        ``evidence`` is the same for owners with the same numbers.
        """
        for same, names in chosen(by_owner, _WEAK, evidence):
            fitted = by_owner[names[0]][same[0]] >= FITTED
            self.take(Cause(alternatives(same), tuple(names), (quantity,), fitted))

    def _couplings(self, found: Comparison) -> None:
        """Couplings that the engine drops, and ratios and offsets that are others in it."""
        robot, facts = self.reference.robot, self.answer.facts
        for joint, option in dropped_couplings(robot, facts).items():
            self.take(Cause(dropped_words(option), (joint,), ("couplings",)))
        tolerance = found.deviations["couplings"].tolerance
        bad = [joint for joint, away in number_deviations(robot, facts).items() if not away <= tolerance]
        causes = coupling_causes(robot, facts, bad)
        self._take_words(causes, "couplings")
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
        tolerance = found.deviations["bounds"].tolerance
        causes = bounds_words(self.reference, self.answer, bad, tolerance)
        self._take_words(causes, "bounds")
        self.reshaped = {owner.rpartition("/")[0] for owner, words in causes.items() if is_known(words)}
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
        tree = Tree(self.reference.robot)
        causes: dict[str, Words] = {}
        evidence: dict[str, str] = {}
        for stated in self.answer.facts["joints"]:
            name = stated["name"]
            if name not in bad:
                continue
            low, high = joints[name].limits.position
            there = [math.nan if x is None else x for x in stated["position"] or (-math.inf, math.inf)]
            zero = stated.get("zero", 0.0)
            if any(math.isnan(value) for value in there):
                causes[name] = {"limits that are no numbers (NaN)": 1.0}
                continue
            relative = there[0] - zero, there[1] - zero
            moved, cause = self.zeros.get(name, (0.0, ""))
            if cause and np.allclose((low - moved, high - moved), relative, rtol=0.0, atol=1e-5):
                causes[name] = {cause: 1.0}
            else:
                # what a file states is not moved by its zero
                own = low + zero, high + zero
                evidence[name] = evidence_of(own, there)
                causes[name] = limit_words(tree, joints[name], own, (there[0], there[1]))
                if own == (-math.inf, math.inf) and self.reference.format == "mjcf":
                    causes[name] = {'limits that the file turns off (limited="false") or has not': 1.0}
        self._take_words(causes, "limits", evidence)
        if len(causes) == len(bad):
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


def _round_off(value: float, own: float) -> float:
    """A fitted number, 0 where it is what a fit makes of 0."""
    return 0.0 if abs(value) <= 1e-6 * abs(own) else value


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
