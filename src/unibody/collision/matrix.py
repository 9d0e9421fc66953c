"""Which pairs of links of a robot can touch within its limits, with a proof or a witness."""

from __future__ import annotations

import operator
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from unibody.collision import search
from unibody.collision.budget import CELLS, SAMPLES
from unibody.collision.construction import Missing, Shapes, construct
from unibody.collision.domain import Domain, domain_of
from unibody.collision.pairs import Pair, Pairs, bodies_of, check_pair, check_pairs
from unibody.collision.world import World
from unibody.formats.loader import model_of
from unibody.mechanism.bodies import lump_bodies
from unibody.mechanism.mechanism import Mechanism
from unibody.meshes.cache import MeshCache
from unibody.model.arrays import Flags, Floats
from unibody.model.base import WORLD
from unibody.model.collision import PairRules, links_tested_with_world, tested_pairs
from unibody.model.left_out import LeftOut
from unibody.model.posture import usable_positions
from unibody.model.robot import Robot, SelfCollision
from unibody.model.scene import Scene, merged
from unibody.text.finding import Finding
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

Status = Literal["adjacent", "always", "never", "possible", "unseen"]
STATUSES: tuple[Status, ...] = ("adjacent", "always", "never", "possible", "unseen")

#: Pairs that touch in this share of the samples, and at the initial pose, always touch.
ALWAYS = 0.95
#: Samples after which pairs that have touched are not tested any further.
_LOTS = (100, 1_000)
#: Cells of the first attempt at a proof, and starts of the search from cells that are left.
_QUICK, _LEFT = 2_000, 200
#: Configurations of closed loops that are closed at once.
_CLOSED = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class LinkPair:
    """The collision status of a pair of links, with its evidence.

    ``status`` is "adjacent": of one rigid body, or of two that a joint connects, unless the robot lists
    these as tested; "always": touches at the initial pose and in at least 95 % of the samples, or one link
    is inside of the other; "never": proved for all configurations within the limits; "possible": touches
    in ``witness`` (nq,), which was ``found`` at the "initial pose", a named posture, a "sample" or by
    "search"; "unseen": neither.

    ``share`` is the share of the ``samples`` that touch, ``cells`` the cells of the proof, and ``tested``
    whether the robot says to test the pair.
    """

    links: Pair
    status: Status
    tested: bool
    witness: Floats | None = None
    found: str = ""
    share: float = 0.0
    samples: int = 0
    cells: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class CollisionMatrix:
    """All pairs of links that have collision shapes, in the order of the links.

    ``mechanism`` has the configurations of the witnesses; ``complete`` is False if the work ended early.
    ``unexamined`` are the pairs that the work was not about, ``unread`` the shapes that were left out:
    no pair of their links is "never".
    """

    mechanism: Mechanism
    pairs: tuple[LinkPair, ...]
    complete: bool
    findings: tuple[Finding, ...] = ()
    unexamined: tuple[Pair, ...] = ()
    unread: tuple[LeftOut, ...] = ()

    def __repr__(self) -> str:
        counts = {status: len(self.with_status(status)) for status in STATUSES}
        words = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
        return f"CollisionMatrix({self.mechanism.robot.name!r}: {words or 'no pairs'})"

    def of(self, a: str, b: str) -> LinkPair:
        """The pair of two links, in either order; CollisionError for a link without shapes.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> matrix = ub.self_collision("tests/commands/models/digger.urdf", samples=100, cells=100)
        >>> matrix.of("boom", "stick").status
        'adjacent'
        """
        solid = sorted({name for pair in self.pairs for name in pair.links})
        check_pair((a, b), solid, "link")
        return next(pair for pair in self.pairs if set(pair.links) == {a, b})

    def with_status(self, *statuses: Status) -> tuple[LinkPair, ...]:
        """The pairs of some statuses.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> matrix = ub.self_collision("tests/commands/models/digger.urdf", samples=100, cells=100)
        >>> len(matrix.with_status("adjacent", "possible")) > 0
        True
        """
        return tuple(pair for pair in self.pairs if pair.status in statuses)

    @property
    def undecided(self) -> tuple[Pair, ...]:
        """The pairs that need tests: possible and unseen ones."""
        return tuple(pair.links for pair in self.with_status("possible", "unseen"))

    @property
    def wrongly_untested(self) -> tuple[LinkPair, ...]:
        """The pairs that the robot does not test, although they can touch."""
        return tuple(pair for pair in self.with_status("possible") if not pair.tested)

    @property
    def needlessly_tested(self) -> tuple[LinkPair, ...]:
        """The pairs that the robot tests, although they never touch."""
        return tuple(pair for pair in self.with_status("never") if pair.tested)

    def rules(
        self,
        untested: Iterable[str] = ("adjacent", "always", "never"),
        default: Literal["all", "none"] = "all",
    ) -> SelfCollision:
        """Rules that test all examined pairs but those of some statuses; they list what differs.

        The status "initial" is that of pairs that touch at the initial pose.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> matrix = ub.self_collision("tests/commands/models/digger.urdf", samples=100, cells=100)
        >>> matrix.rules().default
        'all'
        """
        words = set(untested)
        unknown = sorted(words - {*STATUSES, "initial"})
        if unknown:
            known = ", ".join((*STATUSES, "initial"))
            raise ValueError(f"unknown status {unknown[0]!r}; expected some of {known}")
        disabled = [
            pair.status in words or ("initial" in words and pair.found == INITIAL) for pair in self.pairs
        ]
        wanted = default == "all"
        listed = [p.links for p, is_off in zip(self.pairs, disabled, strict=True) if is_off == wanted]
        if default == "all":
            return SelfCollision(default="all", disabled=(*listed, *self.unexamined))
        return SelfCollision(default="none", enabled=tuple(listed))


#: Where a witness was found: see ``LinkPair.found``.
INITIAL, SAMPLE, SEARCH = "initial pose", "sample", "search"


@renamed_keywords(model="shapes", seconds="time_limit")
def self_collision(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    *,
    pairs: Pairs = "all",
    samples: int = SAMPLES,
    cells: int = CELLS,
    time_limit: float | None = None,
    seed: int = 0,
    shapes: Shapes = "collision",
    missing: Missing = "refuse",
    progress: Callable[[float], object] | None = None,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> CollisionMatrix:
    """Decide for each pair of links whether it can touch within the limits of the joints.

    Each pair is tested at the initial pose, at the named postures, and in ``samples`` random
    configurations; what has not touched is searched for its nearest configurations, and bisected into up to
    ``cells`` cells for a proof. ``time_limit`` (s) ends the work early: its result then depends on the
    machine. ``pairs``, ``shapes`` and ``missing`` are those of :func:`unibody.collisions`, as are the
    errors; adjacent pairs are in the matrix in any case. ``progress`` is called with the share of the work
    that is done. ``robot`` may be the path of a model file, which is read with the keywords of
    :func:`unibody.read`.

    A proof covers all configurations within the limits, with closed loops open, too; frozen coordinates
    move, and coupled joints follow their leaders beyond their own limits. It does not cover coordinates
    without limits, other than turning ones. Meshes are surfaces; a pair is "always" if one link is inside
    of a closed mesh of the other and never touches it.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody.formats.loader import load
    >>> self_collision(load("tests/commands/models/digger.urdf"))
    CollisionMatrix('digger': 3 adjacent, 2 never, 1 possible)
    """
    given = model_of(robot, format, **reading)
    work = MatrixSearch(
        given, pairs=pairs, samples=samples, cells=cells, seed=seed, shapes=shapes, missing=missing
    )
    end = None if time_limit is None else time.monotonic() + time_limit
    for done in work.steps():
        if progress is not None:
            progress(done / max(1, work.total))
        if end is not None and time.monotonic() >= end:
            break
    return work.result()


class MatrixSearch:
    """The work of :func:`self_collision` in steps, with its result so far.

    Without ``search`` it is samples and short proofs only. ``pairs`` are those that the work is about.
    """

    def __init__(
        self,
        robot: Robot | Scene,
        *,
        samples: int = SAMPLES,
        cells: int = CELLS,
        seed: int = 0,
        shapes: Shapes = "collision",
        missing: Missing = "refuse",
        pairs: Pairs = "all",
        search: bool = True,
        cache: MeshCache | None = None,
    ) -> None:
        for name, count in (("samples", samples), ("cells", cells), ("seed", seed)):
            if operator.index(count) < 0:
                raise ValueError(f"{name} is {count}; expected 0 or more")
        if isinstance(robot, Scene):
            robot = merged(robot)
        rule = check_pairs(pairs)
        if rule == "matrix":
            rule = list(self_collision(robot, shapes=shapes, missing=missing).undecided)
        elif rule == "file":
            place = {link.name: number for number, link in enumerate(robot.links)}
            rule = [(a, b) if place[a] < place[b] else (b, a) for a, b in tested_pairs(robot)]
        self.world: World = construct(robot, rule, shapes, missing, cache=cache)
        self.mechanism = self.world.mechanism
        self._samples, self._cells, self._seed, self._search = samples, cells, seed, search
        self._domain = domain_of(self.mechanism)
        self._complete = False
        self._adjacent = _adjacent(self.mechanism)
        apart = [
            number for number, pair in enumerate(self.world.pairs) if frozenset(pair) not in self._adjacent
        ]
        low, high = self._domain.range()
        bounds = self.world.bounds
        rates = self._domain.rates(bounds.hinges, bounds.columns)
        motions = self.world.motions_of(low, high, rates)
        around = _around_loops(self.mechanism)
        self._cases = [_Case(self.world, number, self._domain, motions, around) for number in apart]

    @property
    def total(self) -> int:
        """How many parts the work has, at most."""
        return 6 * len(self._cases)

    def result(self) -> CollisionMatrix:
        """What is known so far."""
        robot = self.mechanism.robot
        tested = {frozenset(pair) for pair in tested_pairs(robot)}
        tested |= {frozenset((link, WORLD)) for link in links_tested_with_world(robot)}
        cases = {frozenset(case.links): case for case in self._cases}
        solid = [link.name for link in robot.solids if link.name in self.world.shaped]
        pairs, unexamined = list[LinkPair](), list[Pair]()
        for links in combinations(solid, 2):
            key = frozenset(links)
            case = cases.get(key)
            if case is not None:
                pairs.append(case.result(key in tested))
            elif key in self._adjacent:
                pairs.append(LinkPair(links, "adjacent", key in tested))
            else:
                unexamined.append(links)
        findings = self.world.findings
        return CollisionMatrix(
            self.mechanism, tuple(pairs), self._complete, findings, tuple(unexamined), self.world.unread
        )

    def steps(self) -> Iterator[int]:
        """Do the work; yields how many parts of it are done, of ``total``."""
        done = 0
        for posture, q in self._postures():
            try:
                touching = {frozenset(hit.pair) for hit in self.world.hits(q)}
            except ValueError:  # positions beyond all measure, reported by the checks of the model
                continue
            for case in self._cases:
                if frozenset(case.links) in touching:
                    case.touch(case.only(q), posture)
            yield done
        for lot in self._drawn():
            for number, case in enumerate(self._cases):
                if case.wants_samples:
                    case.sample(lot)
                    yield done + number
            done += len(self._cases)
        done = 3 * len(self._cases)
        parts = (self._prove_quickly, self._look, self._prove) if self._search else (self._prove_quickly,)
        for part in parts:
            for number, case in enumerate(self._cases):
                if case.is_open:
                    for _ in part(case):
                        yield done + number
            done += len(self._cases)
            yield done
        self._complete = True

    def _postures(self) -> Iterator[tuple[str, Floats]]:
        """The initial pose, and the named postures."""
        m = self.mechanism
        yield INITIAL, np.asarray(m.apply_couplings(m.initial))
        for posture in m.robot.configurations:
            known = usable_positions(m.robot, posture)
            yield posture.name, np.asarray(m.apply_couplings(m.positions(known)))

    def _drawn(self) -> Iterator[_Lot]:
        """The samples in lots; those of robots with loops are closed."""
        generator = np.random.default_rng(self._seed)
        domain, m = self._domain, self.mechanism
        ends = [*(n for n in _LOTS if n < self._samples), self._samples]
        for first, last in zip([0, *ends[:-1]], ends, strict=True):
            u = domain.low + generator.random((last - first, len(domain.low))) * (domain.high - domain.low)
            q = None
            if m.loops:
                q = domain.positions(u)
                lots = [q[at : at + _CLOSED] for at in range(0, len(q), _CLOSED)]
                closures = [m.close_loops(lot) for lot in lots]
                q = np.concatenate([np.asarray(c.q)[np.asarray(c.closed)] for c in closures])
            yield _Lot(u, q, last == self._samples)

    def _prove_quickly(self, case: _Case) -> Iterator[None]:
        return case.prove(min(_QUICK, self._cells))

    def _look(self, case: _Case) -> Iterator[None]:
        return case.look(np.random.default_rng((self._seed, case.number)))

    def _prove(self, case: _Case) -> Iterator[None]:
        return case.prove(self._cells)


@dataclass(frozen=True, slots=True, eq=False)
class _Lot:
    """Some samples: coordinates (n, k), and for robots with loops closed configurations (m, nq)."""

    u: Floats
    q: Floats | None
    last: bool


class _Case:
    """The work on one pair: the coordinates that move it, the test of it, and what is known."""

    def __init__(
        self, world: World, number: int, domain: Domain, motions: tuple[Floats, Floats], around: set[int]
    ) -> None:
        self.world, self.number, self.links = world, number, world.pairs[number]
        couples, self._tester = world.tester(number)
        speeds, self._slack = (each[couples] for each in motions)
        self._moving = np.flatnonzero(speeds.any(axis=0))
        self._speeds = speeds[:, self._moving]
        self._low, self._high = domain.low[self._moving], domain.high[self._moving]
        self._box = domain.only(self._moving)
        unread = {each.owner for each in world.unread}
        is_whole = unread.isdisjoint(self.links) and bool(domain.whole[self._moving].all())
        self._provable = is_whole and bool(np.isfinite(self._speeds).all())
        # a touch of open loops is none of the robot
        self._looped = not around.isdisjoint(self._box.entries.tolist())
        self._none = np.zeros(len(couples))
        self._proof = search.begin(self._low, self._high)
        self.status: Status = "unseen"
        self.witness: Floats | None = None
        self.found = ""
        self._samples = self._touches = 0
        self._sampling = True

    def result(self, tested: bool) -> LinkPair:
        """What is known of the pair."""
        share = self._touches / self._samples if self._samples else 0.0
        return LinkPair(
            self.links,
            self.status,
            tested,
            self.witness,
            self.found,
            share,
            self._samples,
            self._proof.cells,
        )

    def touch(self, q: Floats, found: str) -> None:
        """Note a configuration in which the pair touches, unless there is one."""
        if self.witness is None:
            self.status, self.witness, self.found = "possible", q, found

    def only(self, q: Floats) -> Floats:
        """The configuration q, with all joints that do not move the pair at their initial positions."""
        if self._looped:
            return q
        out = self._box.start.copy()
        out[self._box.entries] = q[self._box.entries]
        return out

    @property
    def wants_samples(self) -> bool:
        """Whether more samples may say more."""
        return self._sampling

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of the pair."""
        return self.status == "unseen"

    def sample(self, lot: _Lot) -> None:
        """Test samples; a pair that touches in almost all of them is tested in all."""
        if lot.q is None or not self._looped:
            values = lot.u[:, self._moving]
            found = self._near(values, self._none)
            if found.any():
                self.touch(self._positions(values[found.argmax()]), SAMPLE)
        else:
            found = self._tester.near(self.world.rows(lot.q), self._none)
            if found.any():
                self.touch(lot.q[found.argmax()], SAMPLE)
        self._samples += len(found)
        self._touches += int(found.sum())
        often = self._touches >= ALWAYS * self._samples and self.found == INITIAL
        if lot.last and often:
            self.status = "always"
        self._sampling = not lot.last and (self.is_open or often)

    def prove(self, budget: int) -> Iterator[None]:
        """Try to prove that the pair never touches."""
        if not self._provable:
            return
        yield from search.prove(self._proof, self._near, self._speeds, self._slack, budget)
        if self._proof.free:
            # what is inside of a mesh in one configuration, and never touches it, is so in all
            middle = self._positions(0.5 * (self._low + self._high))
            if self.world.encloses(self.number, middle):
                self.status, self.witness, self.found = "always", middle, SEARCH
            else:
                self.status = "never"
        elif self._proof.witness is not None and not self._looped:
            self.touch(self._positions(self._proof.witness), SEARCH)

    def look(self, generator: np.random.Generator) -> Iterator[None]:
        """Search for the nearest configurations, those among what the proof has left first."""
        if self._looped or not len(self._moving):
            return
        left = self._proof.centers
        starts = left[generator.permutation(len(left))[:_LEFT]] if self._provable else left[:1]
        speeds = np.nan_to_num(self._speeds, posinf=1.0)
        for found in search.closest(self._near, speeds, self._low, self._high, starts, generator):
            if found is not None:
                self.touch(self._positions(found), SEARCH)
            yield

    def _near(self, values: Floats, margins: Floats) -> Flags:
        return self._tester.near(self.world.rows(self._box.positions(values)), margins)

    def _positions(self, values: Floats) -> Floats:
        return np.asarray(self._box.positions(values[None])[0])


def _adjacent(mechanism: Mechanism) -> set[frozenset[str]]:
    """The pairs of links of one rigid body, or of two that a joint connects, other than a free one.

    Those that the robot lists as tested are examined like others.
    """
    rules = PairRules(mechanism.robot)
    tree, names = mechanism.tree, [link.name for link in mechanism.robot.solids]
    bodies = lump_bodies(tree)
    joined = {
        frozenset((body, bodies.parents[body]))
        for body, head in enumerate(bodies.heads)
        if bodies.parents[body] >= 0 and tree.kinds[int(tree.link_joints[head])] != "free"
    }
    place = bodies_of(mechanism)
    return {
        frozenset((a, b))
        for a, b in combinations(names, 2)
        if place[a] == place[b]
        or (
            frozenset((place[a], place[b])) in joined
            and WORLD not in (a, b)
            and not (frozenset((a, b)) in rules.enabled and rules.are_tested(a, b))
        )
    }


def _around_loops(mechanism: Mechanism) -> set[int]:
    """The places in q of the joints that closed loops go through."""
    tree = mechanism.tree
    joints = {
        joint
        for loop in mechanism.loops
        for joint in set(tree.joints_above(loop.a.link)) ^ set(tree.joints_above(loop.b.link))
    }
    return {int(tree.idx_q[joint]) for joint in joints}
