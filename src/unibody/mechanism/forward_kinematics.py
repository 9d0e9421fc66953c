"""Link poses from joint positions, for many configurations at a time.

A plan lists one step per link, parents first. Carrying it out turns the plan into a flat
list of numpy calls on one block of configurations, and repeats that list for every block.
Inside a block each entry of each pose matrix is one run of numbers, one per configuration,
so a call works on long runs that stay in the cache; one transposed copy per block writes
the poses out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from unibody.model.pose import Vector3
from unibody.model.robot import JointKind

Floats = NDArray[np.float64]
Call = Callable[[], object]

#: At most so many configurations in a block (a little more after rounding): long runs need few
#: calls, short ones stay in the cache; for 13, 30 and 89 links this was within 30 % of the best.
BLOCK = 512

# Configurations in the smallest block.
_FEW = 8

# The columns that turn about column 0, 1, 2, in cyclic order, out of the four of a pose.
_TURNED = (slice(1, 3), slice(2, None, -2), slice(0, 2))


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation about the body's own X, Y or Z axis by the plan's angle number ``slot``."""

    axis: int
    slot: int


@dataclass(frozen=True, slots=True)
class Slide:
    """A translation along the body's own X, Y or Z axis by ``sign`` times q[entry]."""

    axis: int
    entry: int
    sign: float = 1.0


@dataclass(frozen=True, slots=True)
class Orient:
    """A rotation by the quaternion (w, x, y, z) at q[entry : entry + 4], normalised first."""

    entry: int


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """pose(link) = pose(parent) · before · motions · after; the parent of the root is the world.

    The matrices are stored transposed, as the right-hand side of columns needs them.
    ``before`` is None when it would be a mere shift (x, y, z, 1) in front of a turn:
    these are most of the steps of most robots, and go a shorter way.
    """

    link: int
    parent: int
    before: Floats | None
    shift: Floats
    motions: tuple[Turn | Slide | Orient, ...]
    after: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """All steps, and which entries of q, times plus or minus a half, are the turns' half angles.

    ``spare`` keeps what was made for a few configurations: for one it takes longer to make
    than to use. Whoever needs one takes it out, so that threads do not share it.
    """

    n_links: int
    nq: int
    steps: tuple[Step, ...]
    angles: NDArray[np.intp]
    halves: Floats
    spare: list[Work] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """How one link moves in its parent: parent -1 is the world, ``entry`` the joint's place in q."""

    link: int
    parent: int
    kind: JointKind
    origin: Sequence[Sequence[float]]
    axis: Vector3 = (0.0, 0.0, 1.0)
    entry: int = 0


def make_plan(n_links: int, nq: int, moves: Iterable[Move]) -> Plan:
    """The steps for ``moves``, which come parents first; axes are unit vectors, origins 4×4."""
    turns: list[tuple[int, float]] = []
    steps = tuple(_step(move, n_links, turns) for move in moves)
    return Plan(
        n_links,
        nq,
        steps,
        np.array([entry for entry, _ in turns], np.intp),
        np.array([[0.5 * sign] for _, sign in turns]).reshape(-1, 1),
    )


def _step(move: Move, world: int, turns: list[tuple[int, float]]) -> Step:
    basis, column, sign = np.eye(4), 2, 1.0
    if move.kind in ("revolute", "prismatic", "planar"):
        axis = tuple(snap(np.array(move.axis)).tolist())
        if move.kind != "planar" and axis.count(0.0) == 2:
            column = next(i for i in range(3) if axis[i])
            sign = axis[column]
        else:
            basis[:3, :3] = axis_frame(axis)
    entry, motions = move.entry, list[Turn | Slide | Orient]()
    match move.kind:
        case "revolute":
            motions.append(Turn(column, len(turns)))
            turns.append((entry, sign))
        case "prismatic":
            motions.append(Slide(column, entry, sign))
        case "planar":
            motions += [Slide(0, entry), Slide(1, entry + 1), Turn(2, len(turns))]
            turns.append((entry + 2, 1.0))
        case "ball":
            motions.append(Orient(entry))
        case "free":
            motions += [Slide(0, entry), Slide(1, entry + 1), Slide(2, entry + 2), Orient(entry + 3)]
    # numbers near the largest there are may overflow, as they do later in the poses
    with np.errstate(over="ignore", invalid="ignore"):
        before = np.array(move.origin, float) @ basis
    before[:3, :3] = snap(before[:3, :3])
    plain = move.kind == "revolute" and np.array_equal(before[:3, :3], np.eye(3))
    after = None if np.array_equal(basis, np.eye(4)) else basis.copy()
    parent = world if move.parent < 0 else move.parent
    first = None if plain else before.T.copy()
    return Step(move.link, parent, first, before[:, 3].copy(), tuple(motions), after)


def snap(values: Floats) -> Floats:
    """Entries within a few ulp of a whole number made whole: right angles come as quaternions."""
    whole = np.round(values)
    near = np.abs(values - whole) < 1e-15
    return np.where(near & (np.abs(whole) < 2.0), whole, values)


def axis_frame(axis: Sequence[float]) -> Floats:
    """Rotation (3, 3) whose columns are u, v and the unit vector ``axis``.

    u is the projection of X on the plane normal to the axis (of Y when the axis is along
    X), v = axis × u; these are the two directions in which a planar joint slides.
    """
    x, y, z = axis
    level = math.hypot(y, z)
    u = (level, -x * y / level, -x * z / level) if level else (0.0, 1.0, 0.0)
    return np.stack([u, np.cross(axis, u), axis], axis=1)


class Work:
    """The buffers of one block of configurations and the calls that fill them.

    ``poses`` has one slot more than links, the world's identity.
    """

    def __init__(self, plan: Plan, count: int, most: int = BLOCK) -> None:
        # An odd number of cache lines per run: with a power of two the transposed copy would
        # meet the same few cache sets over and over, and take four times as long.
        blocks = max(1, math.ceil(count / most))
        self.width = width = 8 * (math.ceil(count / blocks / 8) | 1)
        links, turns = plan.n_links, len(plan.angles)
        self.poses = np.zeros((links + 1, 4, 4, width))
        self.poses[:, 3, 3] = 1.0
        self.poses[links, :3, :3] = np.eye(3)[:, :, None]
        self.flat = self.poses[:links].reshape(links * 16, width)
        self.q = np.zeros((plan.nq, width))
        self.cosine = np.empty((turns, width))
        self.sines = np.empty((2, turns, width))
        self.body = np.empty((3, 4, width))
        self.turned = np.empty((3, 2, width))
        self.swapped = self.turned[:, ::-1]
        self.slid = np.empty((3, width))
        self.calls = list(_calls(plan, self))

    @classmethod
    def lent(cls, plan: Plan, count: int, most: int = BLOCK) -> Work:
        """One that is spare, or a new one; ``give_back`` when done."""
        try:
            return plan.spare.pop() if count <= _FEW else cls(plan, count, most)
        except IndexError:
            return cls(plan, count, most)

    def give_back(self, plan: Plan) -> None:
        """Keep it for the next time, unless it is large."""
        if self.width <= _FEW:
            plan.spare.append(self)

    def place(self, block: Floats) -> Floats:
        """Poses (n_links, 4, 4, B) for a block of q, (B, nq) with B ≤ width: a view, until the next."""
        # A block may be short; what its other lanes compute is not looked at.
        self.q[:, : len(block)] = block.T
        for call in self.calls:
            call()
        return self.poses[:-1, ..., : len(block)]


def forward_kinematics(plan: Plan, q: Floats) -> Floats:
    """Poses of all links, (B, n_links, 4, 4), for q of shape (B, nq); NaN and inf just spread."""
    count = len(q)
    out = np.empty((count, plan.n_links, 4, 4))
    work = Work.lent(plan, count)
    flat = out.reshape(count, plan.n_links * 16)
    with np.errstate(all="ignore"):
        for start in range(0, count, work.width):
            block = q[start : start + work.width]
            work.place(block)
            flat[start : start + work.width] = work.flat[:, : len(block)].T
    work.give_back(plan)
    return out


def _calls(plan: Plan, work: Work) -> Iterator[Call]:
    if len(plan.angles):
        yield partial(_sines_cosines, plan, work)
    for step in plan.steps:
        yield from _step_calls(step, work)


def _sines_cosines(plan: Plan, work: Work) -> None:
    """Sine and cosine of all angles by t = tan(angle / 2): cos = 2 / (1 + t²) - 1, sin = 2t / (1 + t²).

    numpy computes tangents many at a time, sines and cosines one by one: 8 times faster,
    and still good to 4e-16.
    """
    (minus, plus), cosine = work.sines, work.cosine
    np.multiply(work.q[plan.angles], plan.halves, out=plus)
    np.tan(plus, out=plus)
    np.multiply(plus, plus, out=cosine)
    cosine += 1.0
    np.divide(2.0, cosine, out=cosine)
    plus *= cosine
    np.negative(plus, out=minus)
    cosine -= 1.0


def _step_calls(step: Step, work: Work) -> Iterator[Call]:
    source, link = work.poses[step.parent, :3], work.poses[step.link, :3]
    body = link if step.after is None else work.body
    if step.before is not None:
        yield partial(np.matmul, step.before, source, body)
        source = body
    for motion in step.motions:
        match motion:
            case Turn(axis, slot):
                yield from _turn(source[:, _TURNED[axis]], body[:, _TURNED[axis]], slot, work)
                if step.before is None:
                    yield from _keep(source, body, axis, step.shift)
            case Slide(axis, entry, sign):
                yield partial(np.multiply, body[:, axis], work.q[entry], work.slid)
                shift = np.add if sign > 0 else np.subtract
                yield partial(shift, body[:, 3], work.slid, body[:, 3])
            case Orient(entry):
                yield partial(_orient, body[:, :3], work.q[entry : entry + 4])
    if step.after is not None:
        yield partial(np.matmul, step.after, body, link)


def _turn(old: Floats, new: Floats, slot: int, work: Work) -> Iterator[Call]:
    """The two columns that move: (x, y) becomes (c·x + s·y, c·y - s·x); both places may be one."""
    yield partial(np.multiply, old, work.sines[:, slot], work.turned)
    yield partial(np.multiply, old, work.cosine[slot], new)
    yield partial(np.add, new, work.swapped, new)


def _keep(source: Floats, target: Floats, axis: int, shift: Floats) -> Iterator[Call]:
    """The two columns that a turn leaves alone, its axis and the position."""
    if shift[:3].any():
        yield partial(np.copyto, target[:, axis], source[:, axis])
        yield partial(np.matmul, shift, source, target[:, 3])
    else:
        kept = slice(axis, None, 3 - axis)
        yield partial(np.copyto, target[:, kept], source[:, kept])


def _orient(columns: Floats, quaternion: Floats) -> None:
    """Turn the columns (3, 3, width) by the quaternion (4, width)."""
    q = quaternion / np.sqrt((quaternion * quaternion).sum(axis=0))
    (_, wx, wy, wz), (_, xx, xy, xz), (_, _, yy, yz), (_, _, _, zz) = 2.0 * q[:, None] * q
    rotation = np.array(
        (
            (1.0 - (yy + zz), xy - wz, xz + wy),
            (xy + wz, 1.0 - (xx + zz), yz - wx),
            (xz - wy, yz + wx, 1.0 - (xx + yy)),
        )
    )
    np.copyto(columns, np.einsum("rib,ijb->rjb", columns, rotation))
