"""A search for causes: the reference with the slips found so far, and what still deviates from it."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.proof.cause import Cause
from unibody.proof.comparison import TOLERANCES, Comparison, angles, compare
from unibody.proof.guesses import FITTED, WEAK, Words, alternatives, chosen
from unibody.proof.process import Answer
from unibody.proof.reference import Misreading, Reference, States
from unibody.proof.slips import Slip
from unibody.proof.subject import Subject

_NONE: Mapping[str, str] = MappingProxyType({})


class Stopped(Exception):
    """The search has taken the time that it may take."""


class Search:
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
        # what the engine does otherwise without a fault, told after the causes
        self.side: list[Cause] = []
        self.exact = TOLERANCES[answer.facts.get("precision", "double")]
        self.explained: set[str] = set()
        # links of which causes, by their words, would change nothing
        self.unchanged: dict[str, set[str]] = {}
        # bodies with other shapes in the engine
        self.reshaped: set[str] = set()
        # how far-fetched the explanation of motions is
        self.simplicity = 0.0
        # joints of another kind in the engine
        self.rekinded: set[str] = set()
        # how far zeros are moved, and the words of the cause
        self.zeros: dict[str, tuple[float, str]] = {}

    def go_on(self) -> None:
        """Stop the search if it has taken its time."""
        if time.monotonic() > self.end:
            raise Stopped

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

    def take_words(
        self,
        by_owner: Mapping[str, Words],
        quantity: str,
        evidence: Mapping[str, str] = _NONE,
        alike: Collection[str] = (),
    ) -> None:
        """Record what explains a quantity of each owner, once for those with the same words.

        ``evidence`` is the same for owners with the same numbers; words that are ``alike`` are those for
        numbers that others have, too.
        """
        for same, names in chosen(by_owner, WEAK, evidence):
            fitted = by_owner[names[0]][same[0]] >= FITTED
            subject = Subject.LIKENESS if {*same} & {*alike} else Subject.OTHER
            self.take(Cause(alternatives(same), tuple(names), (quantity,), fitted, subject=subject))

    @staticmethod
    def beyond(found: Comparison, quantity: str) -> list[str]:
        """The joints or links whose deviation is too large."""
        tolerance = found.deviations[quantity].tolerance
        return [name for name, value in found.by_owner[quantity].items() if not value <= tolerance]

    def failing(self, names: Sequence[str]) -> list[str]:
        """The joints that deviate in one of these quantities, in the order of the robot."""
        found = self.compared()
        bad = {
            owner
            for name in names
            for owner, value in found.by_owner.get(name, {}).items()
            if name in found.deviations and not value <= found.deviations[name].tolerance
        }
        return [joint.name for joint in self.reference.robot.joints if joint.name in bad]

    def tolerance(self) -> float:
        """How far poses of the engine may be off, in m and rad."""
        poses = self.answer.arrays.get("poses")
        size = 1.0 if poses is None or not poses.size else max(1.0, float(np.abs(poses[..., :3, 3]).max()))
        return 10.0 * self.exact * size

    def joint_deviations(self, reference: Reference) -> dict[str, float]:
        """How far each body deviates in the frame of the nearest one above, by the joint in between."""
        out: dict[str, float] = {}
        for name, (ours, theirs) in self.relative_poses(reference).items():
            apart = float(np.abs(ours[:, :3, 3] - theirs[:, :3, 3]).max(initial=0.0))
            turned = float(angles(ours[:, :3, :3], theirs[:, :3, :3]).max(initial=0.0))
            worst = max(apart, turned)
            out[name] = math.inf if math.isnan(worst) else worst
        return out

    def relative_poses(self, reference: Reference) -> dict[str, tuple[Floats, Floats]]:
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

    def carried(self, owners: Collection[str]) -> list[str]:
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

    def values(self, name: str) -> Floats:
        """The positions of a joint at the states, (B,)."""
        reading = self.reference.readings.get(name, Misreading(name))
        return np.asarray(reading.scale * self.states.q[reading.of][:, 0] + reading.offset)

    def frame(self, link: str) -> Floats:
        """The pose (4, 4) of a link in the nearest body above that the engine has."""
        above = self.reference.above
        present = {*self.answer.facts["links"]}
        pose = Pose()
        while self.reference.bodies[link][0] not in present and link in above:
            pose, link = above[link].origin @ pose, above[link].parent
        body, offset = self.reference.bodies[link]
        return np.array((offset @ pose if body in present else pose).matrix())

    def take_best(self, slips: Sequence[Slip], owners: Collection[str], quantities: Sequence[str]) -> bool:
        """Take the slip that explains the quantities and leaves the fewest others; False without one."""
        before = self.compared().failed
        best: tuple[int, Slip, Reference, tuple[str, ...]] | None = None
        for slip in slips:
            changed = slip.change(self.reference, owners)
            if "positions" in quantities:
                away = self.joint_deviations(changed)
                if not away or max(away.values()) > self.tolerance():
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
        self.take(Cause(best[1].cause, stated, best[3], subject=best[1].subject), best[2])
        return True

    def _needed(self, slip: Slip, owners: Collection[str]) -> Collection[str]:
        """The owners without which a slip does not have the same effect; all, if it names none."""
        tolerance = self.tolerance()
        needed = []
        for name in owners:
            without = slip.change(self.reference, [each for each in owners if each != name])
            away = self.joint_deviations(without)
            if not away or max(away.values()) > tolerance:
                needed.append(name)
        return needed or owners
