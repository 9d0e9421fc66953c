"""Bounds on how fast the parts of a mechanism approach one another, per pair and degree of motion.

The distance of two parts changes, for a unit of one joint's motion, by no more than the distance of
either part from the joint's axis: along the line between the nearest points both give the same rate. So
each joint between the two links counts with the smaller radius. A radius holds for all configurations:
crossing a joint, a part sweeps a solid around its axis, which is enclosed in a ball centred on the axis
(Schwarzer, Saha and Latombe 2005, section IV, with the motion relative to the other part).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unibody.collision.geometry import Part
from unibody.mechanism.bodies import lump_bodies
from unibody.mechanism.program import axis_frame, snap
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Flags, Floats
from unibody.model.joint_kind import KINDS, JointKind, unknown_kind

#: The body of what is fixed in the world, beside a free base.
WORLD = -1
#: How much wider than the limits the second box of translations is (m), a power of two; and how many boxes
#: are kept with their bounds.
_WIDER, _KNOWN = 0.125, 16
#: The widest box with bounds (m), and the step of the one without.
_MOST, _LAST_STEP = 1e30, 200
#: How far from the initial position the least box reaches, at most, with and without limits (m).
_LIMITED, _UNLIMITED = 8.0, 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Hinge:
    """The joint between a body and its parent body, or the world.

    ``frame`` (4, 4) is the joint's frame in the parent; ``axis`` (3,) is None for a ball or free joint.
    The translations are along ``slides`` (3, k), unit vectors, by ``rate`` (m per unit of q, 1 but for
    screws) times their positions; their places in q are ``at_q``. ``slide`` and ``turn`` are the columns
    of its motions, -1 where it has none, and ``at_v`` (``turn_v``) the places of the translations
    (rotations) in v. ``turn_q`` is the place of the rotation in q. A universal joint is two hinges, with
    a body between them that is none of the tree.
    """

    body: int
    parent: int
    frame: Floats
    axis: Floats | None
    slides: Floats
    at_q: slice
    slide: int
    turn: int
    at_v: slice
    turn_v: slice
    turn_q: int = -1
    rate: float = 1.0


def hinges_of(tree: Tree) -> list[Hinge]:
    """The joints between the bodies of a tree, parents first."""
    bodies = lump_bodies(tree)
    found: list[Hinge] = []
    columns = 0
    if tree.free_base:
        found.append(
            Hinge(0, WORLD, np.eye(4), None, np.eye(3), slice(0, 3), 0, 1, slice(0, 3), slice(3, 6), 3)
        )
        columns = 2
    between = len(bodies.heads)
    for body, head in enumerate(bodies.heads):
        joint, parent = int(tree.link_joints[head]), int(tree.parents[head])
        if joint < 0:
            continue
        kind, q, v = tree.kinds[joint], int(tree.idx_q[joint]), int(tree.idx_v[joint])
        frame = _pose_in_body(tree, bodies.body_of, parent) @ tree.origins[joint]
        axis = snap(tree.axes[joint])
        outer = bodies.parents[body]
        if kind == "universal":
            first = _turn(between, outer, frame, axis, columns, q, v)
            inner = snap(tree.second_axes[joint])
            found += [first, _turn(body, between, np.eye(4), inner, columns + 1, q + 1, v + 1)]
            columns += 2
            between += 1
            continue
        count, turns = (KINDS[kind].v_units.count(unit) for unit in ("m", "rad"))
        slides, rate, after = _ways(kind, axis), 1.0, count
        if kind == "screw":
            # its translation and its rotation are one entry
            lead = float(tree.leads[joint])
            slides, rate, count, after = math.copysign(1.0, lead) * slides, abs(lead), 1, 0
        slide = columns if count else -1
        turn = columns + bool(count) if turns else -1
        columns += bool(count) + bool(turns)
        found.append(
            Hinge(
                body,
                outer,
                frame,
                None if KINDS[kind].has_quaternion else axis,
                slides,
                slice(q, q + count),
                slide,
                turn,
                slice(v, v + count),
                slice(v + after, v + after + turns),
                q + after,
                rate,
            )
        )
    return found


def _turn(body: int, parent: int, frame: Floats, axis: Floats, column: int, q: int, v: int) -> Hinge:
    """A rotation about an axis."""
    none = np.empty((3, 0))
    return Hinge(body, parent, frame, axis, none, slice(q, q), -1, column, slice(v, v), slice(v, v + 1), q)


def _ways(kind: JointKind, axis: Floats) -> Floats:
    """The directions of the translations of a joint, (3, k)."""
    match kind:
        case "prismatic" | "screw":
            return axis[:, None]
        case "planar":
            return axis_frame(axis.tolist())[:, :2]
        case "free":
            return np.eye(3)
        case "fixed" | "track" | "revolute" | "universal" | "ball":
            return np.empty((3, 0))
        case _:
            unknown_kind(kind)


def _pose_in_body(tree: Tree, body_of: Sequence[int], link: int) -> Floats:
    """Pose of a link in the frame of its body."""
    pose = np.eye(4)
    while tree.parents[link] >= 0 and body_of[link] == body_of[tree.parents[link]]:
        pose = tree.origins[tree.link_joints[link]] @ pose
        link = int(tree.parents[link])
    return pose


class Bounds:
    """Matrix W (pairs, motions): the most by which each pair approaches per rad or m of each motion.

    ``pairs`` are two lists of indices of parts; ``owner`` is the body of each part, in whose frame it is
    given. The radii hold while the translations of the joints stay in ``box`` (nq, 2), which ``cover``
    chooses. No part gets farther from the origin of the world than ``reach`` (m). ``size`` (m) is the
    largest radius that a pair turns with, in the box of the beginning.
    """

    def __init__(
        self,
        tree: Tree,
        parts: Sequence[Part],
        owner: Sequence[int],
        pairs: tuple[Sequence[int], Sequence[int]],
    ) -> None:
        self.tree, self.hinges = tree, hinges_of(tree)
        self._parts, self._owner = parts, owner
        self._first, self._second = (np.array(side, np.intp) for side in pairs)
        self.columns = 1 + max((max(h.slide, h.turn) for h in self.hinges), default=-1)
        motions = [(h.slide, h.at_v, h.rate) for h in self.hinges]
        motions += [(h.turn, h.turn_v, 1.0) for h in self.hinges]
        of_v = [
            (column, at, rate) for column, place, rate in motions for at in range(place.start, place.stop)
        ]
        self._entry_of = np.array([at for _, at, _ in of_v], np.intp)
        self._sums = np.zeros((len(of_v), self.columns))
        self._sums[np.arange(len(of_v)), [column for column, *_ in of_v]] = [rate**2 for *_, rate in of_v]
        self._slides = [at for h in self.hinges for at in range(h.at_q.start, h.at_q.stop)]
        self._slide_rates = np.array(
            [h.rate for h in self.hinges for _ in range(h.at_q.start, h.at_q.stop)]
        )
        counts = [h.at_q.stop - h.at_q.start for h in self.hinges]
        self._starts = np.cumsum([0, *(count for count in counts if count)])[:-1]
        self._counts = [count for count in counts if count]
        self._least = self.box = _box(tree, self._slides)
        self._on_way = self._columns_between()
        self.matrix, self.reach = self._matrix(), self._reach()
        turns = self.matrix[:, [h.turn for h in self.hinges if h.turn >= 0]]
        self.size = float(turns[np.isfinite(turns)].max(initial=0.0))
        self._steps: tuple[int, ...] = (0,) * len(self._counts)
        self._known = {self._steps: (self.box, self.matrix, self.reach)}

    @property
    def has_slides(self) -> bool:
        """Whether a joint translates."""
        return bool(self._slides)

    def rates(self, difference: Floats) -> Floats:
        """The size of each motion (..., columns), in m and rad, of differences (..., nv) of q."""
        return np.sqrt(difference[..., self._entry_of] ** 2 @ self._sums)

    def cover(self, low: Floats, high: Floats) -> None:
        """Make the bounds hold where q is between ``low`` and ``high`` (nq,).

        The box of each joint is the least of a series of boxes, each wider than the one before, so that
        bounds do not depend on what was covered before.
        """
        at = self._slides
        if not at:
            return
        beyond = np.maximum(self._least[at, 0] - low[at], high[at] - self._least[at, 1])
        worst = np.maximum.reduceat(beyond, self._starts).tolist()
        steps = tuple(map(_step, worst))
        if steps == self._steps:
            return
        self._steps = steps
        if steps not in self._known:
            self._widen(steps)
            if len(self._known) >= _KNOWN:
                self._known.pop(next(iter(self._known)))
            self._known[steps] = self.box, self.matrix, self.reach
        self.box, self.matrix, self.reach = self._known[steps]

    def _widen(self, steps: tuple[int, ...]) -> None:
        wider = np.repeat([_wider(step) for step in steps], self._counts)
        self.box = self._least.copy()
        self.box[self._slides] += wider[:, None] * [-1.0, 1.0]
        if np.isinf(wider).any():
            self.matrix, self.reach = np.where(self._on_way, math.inf, 0.0), math.inf
        else:
            self.matrix, self.reach = self._matrix(), self._reach()

    def _columns_between(self) -> Flags:
        """Which motions (columns) are between the two parts of each pair."""
        above: dict[int, Flags] = {WORLD: np.zeros(self.columns, bool), 0: np.zeros(self.columns, bool)}
        for hinge in self.hinges:
            mine = above[hinge.parent].copy()
            mine[[column for column in (hinge.slide, hinge.turn) if column >= 0]] = True
            above[hinge.body] = mine
        rows = np.array([above[body] for body in self._owner], bool).reshape(len(self._owner), self.columns)
        return np.asarray(rows[self._first] ^ rows[self._second])

    def _matrix(self) -> Floats:
        radii = np.array(
            [self._radii(part, body) for part, body in zip(self._parts, self._owner, strict=True)]
        )
        radii = radii.reshape(len(self._owner), self.columns)
        least = np.minimum(radii[self._first], radii[self._second])
        return np.where(self._on_way, least, 0.0)

    def _reach(self) -> float:
        parts = max((float(np.abs(part.points).max(initial=0.0)) for part in self._parts), default=0.0)
        farthest = np.abs(self.box[self._slides]).max(axis=1, initial=0.0)
        slides = float((self._slide_rates * farthest).sum())
        return 2.0 * parts + slides + sum(float(np.linalg.norm(h.frame[:3, 3])) for h in self.hinges)

    def _radii(self, part: Part, start: int) -> Floats:
        """The farthest that a part gets from the axis of each motion; 1 for translations."""
        out = np.ones(self.columns)
        beside: dict[int, list[tuple[Hinge, bool]]] = {}
        for hinge in self.hinges:
            beside.setdefault(hinge.body, []).append((hinge, True))
            beside.setdefault(hinge.parent, []).append((hinge, False))
        waiting: list[tuple[int, int | None, Floats, float]] = [(start, None, part.points, part.margin)]
        while waiting:
            body, came, points, margin = waiting.pop()
            for hinge, upward in beside.get(body, []):
                other = hinge.parent if upward else hinge.body
                if other == came:
                    continue
                if not len(part.points):
                    if hinge.turn >= 0:
                        out[hinge.turn] = math.inf
                    waiting.append((other, body, points, margin))
                    continue
                waiting.append((other, body, *self._crossed(hinge, upward, points, margin, out)))
        return out

    def _crossed(
        self, hinge: Hinge, upward: bool, points: Floats, margin: float, out: Floats
    ) -> tuple[Floats, float]:
        """Points and margin that enclose what is on one side of a joint, seen from the other side."""
        turn, shift = hinge.frame[:3, :3], hinge.frame[:3, 3]
        if not upward:
            points = (points - shift) @ turn
            points, margin = self._slid(hinge, points, margin, -1.0)
        if hinge.turn >= 0:
            points, radius, margin = _swept(points, margin, hinge.axis)
            out[hinge.turn] = radius
        if upward:
            points, margin = self._slid(hinge, points, margin, 1.0)
            points = points @ turn.T + shift
        return points, margin

    def _slid(self, hinge: Hinge, points: Floats, margin: float, sign: float) -> tuple[Floats, float]:
        if hinge.slide < 0:
            return points, margin
        box = self.box[hinge.at_q]
        middle, half = box.mean(axis=1), 0.5 * (box[:, 1] - box[:, 0])
        shift = sign * hinge.rate * (hinge.slides @ middle)
        return points + shift, margin + hinge.rate * math.hypot(*half.tolist())


def _step(beyond: float) -> int:
    """Which box reaches so far beyond the least one (m)."""
    if beyond <= 0.0:
        return 0
    return max(1, math.frexp(beyond / _WIDER)[1] + 1) if beyond < _MOST else _LAST_STEP


def _wider(step: int) -> float:
    """How much wider a box is than the least one (m): twice as much with each step."""
    if step == _LAST_STEP:
        return math.inf
    return math.ldexp(_WIDER, step - 1) if step else 0.0


def _box(tree: Tree, slides: Sequence[int]) -> Floats:
    """Ranges of the translations at first: the limits, or not far to each side of the initial position."""
    low, high = np.minimum(tree.lower, tree.upper), np.maximum(tree.lower, tree.upper)
    box = np.zeros((tree.nq, 2))
    for at in slides:
        start = float(tree.initial[at])
        below, above = (_LIMITED if math.isfinite(end[at]) else _UNLIMITED for end in (low, high))
        box[at, 0] = np.fmax(low[at], np.fmin(start, high[at]) - below)
        box[at, 1] = np.fmin(high[at], np.fmax(start, low[at]) + above)
        box[at] = min(box[at, 0], start), max(box[at, 1], start)
    return box


def _swept(points: Floats, margin: float, axis: Floats | None) -> tuple[Floats, float, float]:
    """A ball around what points sweep about an axis (any axis through the origin if it is None).

    Returns its center (1, 3), the points' largest distance from the axis, margin included, and the radius.
    """
    if axis is None:
        radius = math.sqrt(float(np.einsum("ij,ij->i", points, points).max())) + margin
        return np.zeros((1, 3)), radius, radius
    along = points @ axis
    across = points - along[:, None] * axis
    squares = np.einsum("ij,ij->i", across, across)
    low, high = float(along.min()), float(along.max())
    best, center = math.inf, low
    for _ in range(3):
        centers = np.linspace(low, high, 9)
        reach = (squares[:, None] + (along[:, None] - centers) ** 2).max(axis=0)
        at = int(reach.argmin())
        best, center = float(reach[at]), float(centers[at])
        step = (high - low) / 8.0
        low, high = center - step, center + step
    return (center * axis)[None], math.sqrt(float(squares.max())) + margin, math.sqrt(best) + margin
