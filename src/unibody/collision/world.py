"""A world: robots and obstacles, and which of them touch."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.collision import distance, motion
from unibody.collision.bounds import WORLD, Bounds
from unibody.collision.engine import Engine, Tester
from unibody.collision.geometry import Part, doubt, moved
from unibody.collision.inside import Pieces, enclosed, pieces_of
from unibody.collision.motion import MotionCheck, Space
from unibody.collision.pairs import Pair
from unibody.collision.ranges import FreeRanges, free_ranges
from unibody.mechanism.arguments import Positions
from unibody.mechanism.bodies import lump_bodies
from unibody.mechanism.mechanism import Mechanism
from unibody.model.arrays import Floats, Indices
from unibody.model.left_out import LeftOut
from unibody.model.robot import Robot
from unibody.model.shape import Shape
from unibody.text.finding import Finding

#: The largest position of a joint, in m or rad.
_MOST = 1e9


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A pair that touches: contact points (k, 3) and normals (k, 3) in the world, and depths (k,), in m.

    The normals point from the first of the pair to the second. Surfaces of triangles have no depth.
    """

    pair: Pair
    points: Floats
    normals: Floats
    depths: Floats


@dataclass(frozen=True, slots=True)
class Distance:
    """A certified lower bound on the distance of a pair, in m; 0 if it touches, or may."""

    pair: Pair
    distance: float


class World:
    """Robots and obstacles, whose pairs are tested for collision; made by :func:`unibody.collisions`.

    Configurations q are those of ``mechanism``: of the robot, or of the merged scene. ``pairs`` are the
    tested pairs of links and obstacles that have shapes, in order. Couplings are not applied to q; use
    ``mechanism.apply_couplings``. Meshes are surfaces: a shape wholly inside of one does not touch it, see
    ``inside``. ``obstacles`` are the given ones, ``findings`` those about mesh files. ``unread`` lists
    content that could touch and is not tested, such as left-out meshes: while it has entries, no motion is
    free. ``unconsidered`` lists content that can only constrain motion or add mass.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        names: Sequence[str],
        parts: Sequence[Part],
        links: Sequence[int | None],
        pairs: Sequence[Pair],
        findings: tuple[Finding, ...] = (),
        obstacles: Sequence[Robot | Shape] = (),
        left_out: Sequence[LeftOut] = (),
    ) -> None:
        self.unread = tuple(each for each in left_out if each.touches)
        self.unconsidered = tuple(each for each in left_out if not each.touches)
        self.mechanism, self.findings, self.obstacles = mechanism, findings, tuple(obstacles)
        self._parts, self._names, self._links = parts, names, links
        of_name: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            of_name.setdefault(name, []).append(number)
        self.pairs = tuple(pair for pair in pairs if pair[0] in of_name and pair[1] in of_name)
        couples = [(k, i, j) for k, (a, b) in enumerate(self.pairs) for i in of_name[a] for j in of_name[b]]
        self._pair_of = np.array([k for k, _, _ in couples], np.intp)
        self._couples = [i for _, i, _ in couples], [j for _, _, j in couples]
        self._engine = Engine(mechanism, parts, links, self._couples)
        self._bounds = Bounds(mechanism.tree, *_in_bodies(mechanism, parts, links), self._couples)
        self._doubts = np.array([doubt(parts[i], parts[j]) for _, i, j in couples])

    def without(self, pairs: Collection[Pair]) -> World:
        """A copy of the world that does not test these pairs.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> len(world.pairs), len(world.without(world.pairs[:1]).pairs)
        (6, 5)
        """
        return World(
            self.mechanism,
            self._names,
            self._parts,
            self._links,
            [pair for pair in self.pairs if pair not in pairs],
            self.findings,
            self.obstacles,
            (*self.unread, *self.unconsidered),
        )

    def __repr__(self) -> str:
        return (
            f"World({self.mechanism.robot.name!r}: {len(self._parts)} shapes, {len(self.pairs)} pairs of "
            f"links and obstacles)"
        )

    def colliding(self, q: Positions) -> Any:
        """Whether any tested pair touches in configurations q (..., nq): booleans (...).

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> world.colliding([world.mechanism.initial] * 2)  # a batch of two
        array([False, False])
        """
        rows = self._rows(q)
        batch = rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])
        return self._engine.colliding(self._engine.rows(batch)).reshape(rows.shape[:-1])[()]

    def hits(self, q: Positions) -> tuple[Hit, ...]:
        """The pairs that touch in one configuration (nq,), with their contacts, in the order of ``pairs``.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> [hit.pair for hit in world.hits({"reach": 2.5})]
        [('boom', 'stick')]
        """
        row = self._row(q)
        found: dict[int, list[tuple[Floats, Floats, float]]] = {}
        for couple in self._engine.touching(row).tolist():
            found.setdefault(int(self._pair_of[couple]), []).extend(self._engine.contacts(couple))
        return tuple(
            Hit(
                self.pairs[pair],
                np.array([point for point, _, _ in contacts]).reshape(-1, 3),
                np.array([normal for _, normal, _ in contacts]).reshape(-1, 3),
                np.array([depth for _, _, depth in contacts]),
            )
            for pair, contacts in sorted(found.items())
        )

    def distances(self, q: Positions, within: float = math.inf) -> tuple[Distance, ...]:
        """Lower bounds (m) on the distances of pairs in one configuration (nq,), nearest first.

        Lists all pairs that are nearer than ``within`` (m), by default all pairs. A separating plane
        certifies the bound of two solids. Bounds with meshes are coal's distances less its largest error.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> [each.pair for each in world.distances(world.mechanism.initial)][:1]
        [('boom', 'stick')]
        """
        if math.isnan(within):
            raise ValueError("within is not a number")
        row = self._row(q)
        found = distance.lower_bounds(self._engine, self._parts, self._couples, self._doubts, row, within)
        least: dict[int, float] = {}
        for couple, bound in found:
            pair = int(self._pair_of[couple])
            least[pair] = min(bound, least.get(pair, math.inf))
        listed = sorted(least.items(), key=lambda item: (item[1], item[0]))
        return tuple(Distance(self.pairs[pair], bound) for pair, bound in listed)

    def inside(self, q: Positions) -> tuple[Pair, ...]:
        """The pairs (inner, outer) in one configuration (nq,) whose closed mesh contains a whole shape.

        Pairs that touch are not listed; they are in ``hits``.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> world.inside(world.mechanism.initial)
        ()
        """
        row = self._row(q)
        touching = set(self._pair_of[self._engine.touching(row)].tolist())
        poses = self._engine.poses(row)
        pieces = self._pieces
        found: dict[Pair, None] = {}
        for pair, i, j in zip(self._pair_of.tolist(), *self._couples, strict=True):
            if pair in touching:
                continue
            for inner, outer in ((i, j), (j, i)):
                if enclosed(pieces[inner], poses[inner], pieces[outer], poses[outer]):
                    found[self._names[inner], self._names[outer]] = None
        return tuple(found)

    def encloses(self, pair: int, q: Positions) -> bool:
        """Whether a closed mesh of one of ``pairs`` holds a whole shape of it; they must not touch."""
        poses, pieces = self._engine.poses(self._row(q)), self._pieces
        return any(
            enclosed(pieces[inner], poses[inner], pieces[outer], poses[outer])
            for couple in np.flatnonzero(self._pair_of == pair).tolist()
            for i, j in [(self._couples[0][couple], self._couples[1][couple])]
            for inner, outer in ((i, j), (j, i))
        )

    def segment(self, a: Positions, b: Positions, space: Space = "joints") -> MotionCheck:
        """Prove that the straight motion between two configurations (nq,) is free, or find a collision.

        ``space`` is the space in which the motion is straight: "joints" (the origins of free bases and
        joints move straight while these turn about one axis), "normalized" (MPK's coordinates, cyclic ones
        the short way), or "screw" (as "joints", but free bases and joints follow screws). A motion of
        closed loops is projected onto the loops and only sampled.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> world.segment({"reach": 0.2}, {"reach": 0.4}).status
        'free'
        """
        way = motion.way(self.mechanism, self._row_of_mechanism(a), self._row_of_mechanism(b), space)
        return self._judged(
            motion.checked(self._engine, self._bounds, way, self._doubts, self._name_of_first)
        )

    def _judged(self, check: MotionCheck) -> MotionCheck:
        """A free motion is only incomplete where something is unread."""
        if check.status != "free" or not self.unread:
            return check
        return replace(check, status="incomplete", unread=self.unread)

    def path(self, points: Iterable[Positions], space: Space = "joints") -> MotionCheck:
        """The first motion between successive configurations (k, nq) that is not free, or a free one.

        ``time`` is in segments: 2.5 is the middle of the third. The path is "sampled" if a motion is.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> world.path([{"reach": 0.2}, {"reach": 0.4}, {"reach": 0.3}]).status
        'free'
        """
        rows = [self._row_of_mechanism(point) for point in points]
        if not rows:
            raise ValueError("a path has one configuration at least")
        worst = self._judged(MotionCheck("free", None, None, None))
        for number, (a, b) in enumerate(zip(rows[:-1] or rows, rows[1:] or rows, strict=True)):
            found = self.segment(a, b, space)
            if found.status in ("hit", "near"):
                return motion.later(found, number)
            worst = found if found.status == "sampled" else worst
        return worst

    def free(
        self,
        starts: Positions,
        ends: Positions,
        within: float = 1e-6,
        around: ArrayLike | None = None,
    ) -> Any:
        """Whether each motion that is straight in joint space is proved free: booleans (...).

        The motions between ``starts`` and ``ends`` (..., nq) are tested in one batch, which is faster than
        ``segment``. A motion that brings a pair nearer than ``within`` (m), or moves a closed loop, is not
        proved; ``unread`` content is not considered. With ``around`` (..., nv), in rad or m, the proof
        also covers all configurations that differ from the motion by at most that, such as a nearby curve.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> q = world.mechanism.positions
        >>> world.free([q({"reach": 0.2}), q({"reach": 0.4})], q({"reach": 0.3}))
        array([ True,  True])
        """
        if not within > 0.0:
            raise ValueError(f"within is {within}; expected a distance above 0 m")
        a, b = np.broadcast_arrays(self._rows(starts), self._rows(ends))
        count = math.prod(a.shape[:-1])
        first, last = (end.reshape(count, end.shape[-1]) for end in (a, b))
        wide = np.abs(np.asarray(0.0 if around is None else around, np.float64))
        wide = np.broadcast_to(wide, (*a.shape[:-1], self.mechanism.nv)).reshape(count, self.mechanism.nv)
        found = motion.free_lines(
            self._engine, self._bounds, self.mechanism, self._doubts, (first, last), within, wide
        )
        return found.reshape(a.shape[:-1])[()]

    def sampled(self, starts: Positions, ends: Positions, locked: Sequence[str] = ()) -> Any:
        """Whether samples of each motion on the closed loops are collision-free: booleans (...).

        The straight motions between ``starts`` and ``ends`` (..., nq) are projected onto the loops as in
        ``segment``, in one batch. Joints in ``locked`` keep their positions. This proves nothing between
        the samples.
        """
        a, b = np.broadcast_arrays(self._rows(starts), self._rows(ends))
        first, last = (end.reshape(math.prod(a.shape[:-1]), end.shape[-1]) for end in (a, b))
        found = motion.sampled_lines(self._engine, self.mechanism, first, last, locked)
        return found.reshape(a.shape[:-1])[()]

    def free_ranges(self, q: Positions | None = None) -> FreeRanges:
        """The range of each joint that is proved free around a configuration, by default the initial one.

        Each joint moves alone, with those that are coupled to it: to its limits, or until a pair touches
        that does not touch in q. These joints have no range: joints of closed loops, coupled joints,
        joints with several positions, sliding joints without limits, and joints beyond their limits. While
        the world has ``unread`` content, no joint has one.

        >>> import pytest
        >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
        >>> import unibody as ub
        >>> world = ub.collisions("tests/commands/models/digger.urdf", pairs="all")
        >>> [(each.joint, each.above) for each in world.free_ranges({"reach": 1.0}).joints]
        [('raise', None), ('reach', ('boom', 'stick')), ('dig', None)]
        """
        row = self._row_of_mechanism(self.mechanism.initial if q is None else q)
        return free_ranges(self, row)

    def motions_of(self, low: Floats, high: Floats, rates: Floats) -> tuple[Floats, Floats]:
        """How much nearer each pair of parts comes (pairs, k), at most, per unit of k coordinates.

        ``rates`` (motions, k) are those of the coordinates; q stays between ``low`` and ``high`` (nq,).
        Also how much more margin (pairs,) errors of the engine need, in m.
        """
        self._bounds.cover(low, high)
        with np.errstate(invalid="ignore"):
            found = self._bounds.matrix @ rates
        slack = self._doubts + motion.rounding(self._bounds, low, high)
        return np.nan_to_num(found, nan=math.inf, posinf=math.inf), slack

    @contextmanager
    def watched(self, check: Callable[[], None]) -> Iterator[None]:
        """Call a function several times a second during the tests within; it may raise to end them."""
        before, self._engine.between = self._engine.between, check
        try:
            yield
        finally:
            self._engine.between = before

    @property
    def shaped(self) -> frozenset[str]:
        """The links and obstacles that have shapes."""
        return frozenset(self._names)

    @property
    def bounds(self) -> Bounds:
        """The bounds on the motions of the pairs of parts."""
        return self._bounds

    def tester(self, pair: int) -> tuple[Indices, Tester]:
        """The pairs of parts of one of ``pairs``, and the test of them alone."""
        couples = np.flatnonzero(self._pair_of == pair)
        return couples, self._engine.tester(couples)

    def rows(self, q: Floats) -> Floats:
        """Configurations (B, nq) as the testers take them."""
        return self._engine.rows(q)

    @cached_property
    def _pieces(self) -> list[Pieces]:
        return [pieces_of(part) for part in self._parts]

    def _name_of_first(self, row: Floats, margin: float) -> Pair | None:
        touching = self._engine.touching(row, margin)
        return self.pairs[int(self._pair_of[touching[0]])] if len(touching) else None

    def _rows(self, q: Positions) -> Floats:
        rows = np.asarray(self.mechanism.positions(q), np.float64)
        if not np.isfinite(rows).all():
            raise ValueError("q has a number that is not finite")
        if np.abs(rows).max(initial=0.0) > _MOST:
            raise ValueError(f"q has a number above {_MOST:.0e}, beyond which rounding hides collisions")
        if not self._engine.has_turns(rows):
            raise ValueError("q has a quaternion of length 0")
        return rows

    def _row_of_mechanism(self, q: Positions) -> Floats:
        row = self._rows(q)
        if row.ndim != 1:
            raise ValueError(f"q has shape {row.shape}; expected one configuration ({self.mechanism.nq},)")
        return row

    def _row(self, q: Positions) -> Floats:
        """One configuration in Pinocchio's order."""
        return np.asarray(self._engine.rows(self._row_of_mechanism(q)[None])[0])


def _in_bodies(
    mechanism: Mechanism, parts: Sequence[Part], links: Sequence[int | None]
) -> tuple[list[Part], list[int]]:
    """The parts in the frames of their rigid bodies, and these bodies."""
    bodies = lump_bodies(mechanism.tree)
    poses = np.asarray(mechanism.forward_kinematics(mechanism.initial))
    root = 0 if not mechanism.tree.free_base else WORLD
    out, owner = list[Part](), list[int]()
    for part, link in zip(parts, links, strict=True):
        if link is not None:
            body = bodies.body_of[link]
            frame = np.linalg.inv(poses[bodies.heads[body]]) @ poses[link]
        else:
            body = root
            frame = np.eye(4) if root == WORLD else np.linalg.inv(poses[bodies.heads[0]])
        out.append(moved(part, frame))
        owner.append(body)
    return out, owner
