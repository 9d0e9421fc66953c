"""Forward kinematics, for many configurations at a time, and joint couplings.

Two versions run the same program. For numpy, the program becomes a flat list of in-place calls on
preallocated buffers, repeated for each block of configurations: every entry of every pose matrix is one
run of numbers, one per configuration, so that a call works on long runs that stay in the cache; one
transposed copy per block writes the poses out. The other libraries get new arrays only, so that they can
differentiate and compile. That version could serve numpy as well, and is as fast for thousands of
configurations, but takes 1.7 times as long for a single one, which inverse kinematics asks for most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter

import numpy as np

from unibody.mechanism import arrays
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.compilation import candidate
from unibody.mechanism.gpu import run_on_gpu
from unibody.mechanism.program import Orient, Place, Program, Slide, Step, Turn, program
from unibody.mechanism.tracing import SymbolNamespace, Symbols, Tape
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Floats

Call = Callable[[], object]
Columns = Sequence[Array]

#: Largest block of configurations (a little more after rounding): long runs need few calls, short ones
#: stay in the cache; for 13, 30 and 89 links this was within 30 % of the best.
BLOCK = 512

# Configurations in the smallest block.
_FEW = 8

# The columns that turn about column 0, 1, 2, in cyclic order, out of the four of a pose.
_TURNED = (slice(1, 3), slice(2, None, -2), slice(0, 2))


def forward_kinematics(tree: Tree, q: Array) -> Array:
    """Poses of all links in the world, (..., n_links, 4, 4), for q (..., nq); NaN and inf spread."""
    if not isinstance(q, np.ndarray):
        return _poses(tree, program(tree), q)
    lead = q.shape[:-1]
    count = math.prod(lead)
    known = candidate(tree, FORWARD_KINEMATICS)
    if known.is_ready(count):
        compiled = known.run([arrays.rows(q, lead, 1)], lead)
        if compiled is not None:
            return compiled
    code, rows = program(tree), q.reshape(count, tree.nq)
    begin = perf_counter()
    out = np.empty((count, code.n_links, 4, 4))
    buffers = Buffers.borrow(code, count)
    flat = out.reshape(count, code.n_links * 16)
    with np.errstate(all="ignore"):
        for start in range(0, count, buffers.width):
            block = rows[start : start + buffers.width]
            buffers.run(block)
            flat[start : start + buffers.width] = buffers.flat[:, : len(block)].T
    buffers.give_back(code)
    known.charge(perf_counter() - begin, count, partial(trace_poses, code))
    return out.reshape(*lead, *out.shape[1:])


#: What names its code.
FORWARD_KINEMATICS = (forward_kinematics,)


def apply_couplings(tree: Tree, q: Array) -> Array:
    """A copy of q (..., nq) with every coupled entry computed from its leader."""
    if isinstance(q, np.ndarray):
        q = q.copy()
        with np.errstate(all="ignore"):
            for coupling in tree.couplings:
                lead = 0.0 if coupling.leader is None else q[..., coupling.leader]
                q[..., coupling.index] = coupling.ratio * lead + coupling.offset
        return q
    xp = arrays.namespace(q)
    entries = [q[..., i] for i in range(q.shape[-1])]
    for coupling in tree.couplings:
        zero = xp.zeros_like(entries[coupling.index])
        leader = zero if coupling.leader is None else entries[coupling.leader]
        entries[coupling.index] = coupling.ratio * leader + coupling.offset
    return xp.stack(entries, axis=-1) if entries else q


# numpy: buffers and in-place calls.


class Buffers:
    """Buffers of one block of configurations and the calls that fill them.

    ``poses`` has one slot more than links, the world's identity.
    """

    def __init__(self, code: Program, count: int, most: int = BLOCK) -> None:
        # An odd number of cache lines per run: with a power of two the transposed copy would
        # meet the same few cache sets over and over, and take four times as long.
        blocks = max(1, math.ceil(count / most))
        self.width = width = 8 * (math.ceil(count / blocks / 8) | 1)
        links, turns = code.n_links, len(code.angles)
        self.poses = np.zeros((links + 1, 4, 4, width))
        self.poses[:, 3, 3] = 1.0
        self.poses[links, :3, :3] = np.eye(3)[:, :, None]
        self.flat = self.poses[:links].reshape(links * 16, width)
        self.q = np.zeros((code.nq, width))
        self.cosine = np.empty((turns, width))
        self.sines = np.empty((2, turns, width))
        self.body = np.empty((3, 4, width))
        self.turned = np.empty((3, 2, width))
        self.swapped = self.turned[:, ::-1]
        self.slid = np.empty((3, width))
        self.calls = list(_calls(code, self))

    @classmethod
    def borrow(cls, code: Program, count: int, most: int = BLOCK) -> Buffers:
        """One that is spare, or a new one; ``give_back`` afterwards."""
        try:
            return code.spare.pop() if count <= _FEW else cls(code, count, most)
        except IndexError:
            return cls(code, count, most)

    def give_back(self, code: Program) -> None:
        """Keep it for the next time, unless it is large."""
        if self.width <= _FEW:
            code.spare.append(self)

    def run(self, block: Floats) -> Floats:
        """Poses (n_links, 4, 4, B) for a block of q, (B, nq) with B ≤ width: a view, until the next."""
        # A block may be short; what its other lanes compute is not looked at.
        self.q[:, : len(block)] = block.T
        for call in self.calls:
            call()
        return self.poses[:-1, ..., : len(block)]


def _calls(code: Program, buffers: Buffers) -> Iterator[Call]:
    if len(code.angles):
        yield partial(_sines_cosines, code, buffers)
    for step in code.steps:
        yield from _step_calls(step, buffers)


def _sines_cosines(code: Program, buffers: Buffers) -> None:
    """Sine and cosine of all angles by t = tan(angle / 2): cos = 2 / (1 + t²) - 1, sin = 2t / (1 + t²).

    numpy computes tangents many at a time, sines and cosines one by one: 8 times faster,
    and still good to 4e-16.
    """
    (minus, plus), cosine = buffers.sines, buffers.cosine
    np.multiply(buffers.q[code.angles], code.half_angles, out=plus)
    np.tan(plus, out=plus)
    np.multiply(plus, plus, out=cosine)
    cosine += 1.0
    np.divide(2.0, cosine, out=cosine)
    plus *= cosine
    np.negative(plus, out=minus)
    cosine -= 1.0


def _step_calls(step: Step, buffers: Buffers) -> Iterator[Call]:
    source, link = buffers.poses[step.parent, :3], buffers.poses[step.link, :3]
    body = link if step.after is None else buffers.body
    if step.before is not None:
        yield partial(np.matmul, step.before, source, body)
        source = body
    for motion in step.motions:
        match motion:
            case Turn(axis, slot):
                yield from _turn(source[:, _TURNED[axis]], body[:, _TURNED[axis]], slot, buffers)
                if step.before is None:
                    yield from _keep(source, body, axis, step.shift)
            case Slide(axis, index, rate):
                yield partial(np.multiply, body[:, axis], buffers.q[index], buffers.slid)
                if abs(rate) != 1.0:
                    yield partial(np.multiply, buffers.slid, abs(rate), buffers.slid)
                shift = np.add if rate > 0 else np.subtract
                yield partial(shift, body[:, 3], buffers.slid, body[:, 3])
            case Orient(index):
                yield partial(_orient, body[:, :3], buffers.q[index : index + 4])
            case Place(matrix):
                yield partial(_place, body, matrix)
    if step.after is not None:
        yield partial(np.matmul, step.after, body, link)


def _turn(old: Floats, new: Floats, slot: int, buffers: Buffers) -> Iterator[Call]:
    """The two columns that move: (x, y) becomes (c·x + s·y, c·y - s·x); both places may be one."""
    yield partial(np.multiply, old, buffers.sines[:, slot], buffers.turned)
    yield partial(np.multiply, old, buffers.cosine[slot], new)
    yield partial(np.add, new, buffers.swapped, new)


def _keep(source: Floats, target: Floats, axis: int, shift: Floats) -> Iterator[Call]:
    """The two columns that a turn leaves alone, its axis and the position."""
    if shift[:3].any():
        yield partial(np.copyto, target[:, axis], source[:, axis])
        yield partial(np.matmul, shift, source, target[:, 3])
    else:
        kept = slice(axis, None, 3 - axis)
        yield partial(np.copyto, target[:, kept], source[:, kept])


def _place(columns: Floats, matrix: Floats) -> None:
    """Turn the columns (3, 4, width) by a constant rotation."""
    np.copyto(columns, matrix @ columns)


def _orient(columns: Floats, quaternion: Floats) -> None:
    """Turn the columns (3, 3, width) by the quaternion (4, width), normalized first."""
    np.copyto(columns, np.einsum("rib,ijb->rjb", columns, np.array(rotation(quaternion))))


# Other libraries: a pose is four columns (3, B), the body's X, Y and Z axis and its position. All constants
# are Python numbers, which take the type of the arrays and stay on their device.


def _poses(tree: Tree, code: Program, q: Array) -> Array:
    """Poses of all links, (..., n_links, 4, 4), for q (..., nq)."""
    xp = arrays.namespace(q)
    lead = tuple(q.shape[:-1])
    flat = arrays.flattened(xp, q, lead, 1)

    def usual(given: Sequence[Array]) -> Array:
        return _all_poses(xp, code, arrays.to_last(xp, given[0]))

    out = run_on_gpu(tree, FORWARD_KINEMATICS, partial(trace_poses, code), [flat], (), usual)
    if out is None:
        out = usual([flat])
    return xp.reshape(out, (*lead, *out.shape[1:]))


def trace_poses(code: Program, tape: Tape) -> tuple[Symbols, tuple[int, ...]]:
    """Poses of all links on symbols, with the size of q."""
    return _all_poses(SymbolNamespace(tape), code, tape.inputs((code.nq,)))[0, ...], (code.nq,)


def _all_poses(xp: Namespace, code: Program, q: Array) -> Array:
    """Poses of all links, (B, n_links, 4, 4), for q (nq, B)."""
    places = columns(xp, code, q)
    zero = xp.zeros_like(places[0][0][:1, ...])
    ends = (zero, zero, zero, zero + 1.0)
    # One copy of everything, column by column, each with the last row's number below it.
    pieces = [part for place in places for pair in zip(place, ends, strict=True) for part in pair]
    whole = xp.reshape(xp.concat(pieces), (code.n_links, 4, 4, zero.shape[1]))
    return xp.permute_dims(whole, (3, 0, 2, 1))


def placed(xp: Namespace, code: Program, q: Array) -> list[Array]:
    """The three upper rows of all link poses, (3, 4, B) each, for q (nq, B)."""
    return [xp.stack(place, axis=1) for place in columns(xp, code, q)]


def columns(xp: Namespace, code: Program, q: Array) -> list[Columns]:
    """The four columns of all link poses, for q (nq, B)."""
    turns = _cosines_sines(xp, code, q)
    places: dict[int, Columns] = {code.n_links: _identity(xp, q)}
    for step in code.steps:
        places[step.link] = _step(xp, step, places[step.parent], (q, *turns))
    return [places[link] for link in range(code.n_links)]


def rotation(quaternion: Array) -> list[list[Array]]:
    """Rows of the rotation matrix of quaternions (4, B), which are normalized first."""
    w, x, y, z = (quaternion[i, ...] for i in range(4))
    unit = quaternion / (w * w + x * x + y * y + z * z) ** 0.5
    twice = 2.0 * unit[:, None, ...] * unit  # all products at once
    wx, wy, wz = (twice[0, i, ...] for i in (1, 2, 3))
    xx, xy, xz = (twice[1, i, ...] for i in (1, 2, 3))
    yy, yz, zz = twice[2, 2, ...], twice[2, 3, ...], twice[3, 3, ...]
    return [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]


def _identity(xp: Namespace, q: Array) -> Columns:
    unit = arrays.like(xp, [[[float(i == k)] for i in range(3)] for k in range(4)], q)
    whole = xp.broadcast_to(unit, (4, 3, q.shape[1]))
    return [whole[k, ...] for k in range(4)]


def _cosines_sines(xp: Namespace, code: Program, q: Array) -> tuple[Array, Array]:
    """Cosine and sine of all angles, (n, B)."""
    angles = xp.take(q, arrays.indices(xp, code.angles, q), axis=0)
    angles = angles * arrays.like(xp, 2.0 * code.half_angles, q)
    return xp.cos(angles), xp.sin(angles)


def _step(xp: Namespace, step: Step, parent: Columns, given: tuple[Array, Array, Array]) -> Columns:
    if step.before is None:
        shift = _sum(parent, step.shift)
        columns = [*parent[:3], parent[3] if shift is None else shift]
    else:
        columns = _mixed(xp, parent, step.before)
    q, cosines, sines = given
    for motion in step.motions:
        match motion:
            case Turn(axis, slot):
                first, second = (axis + 1) % 3, (axis + 2) % 3
                x, y, c, s = columns[first], columns[second], cosines[slot, :], sines[slot, :]
                columns[first], columns[second] = c * x + s * y, c * y - s * x
            case Slide(axis, index, rate):
                columns[3] = columns[3] + rate * q[index, :] * columns[axis]
            case Orient(index):
                rows = rotation(q[index : index + 4, :])
                turned = [sum(columns[i] * rows[i][k] for i in range(3)) for k in range(3)]
                columns = [*turned, columns[3]]
            case Place(matrix):
                columns = _mixed(xp, columns, matrix)
    return columns if step.after is None else _mixed(xp, columns, step.after)


def _mixed(xp: Namespace, columns: Columns, weights: Floats) -> list[Array]:
    """The columns that each row of weights mixes from the given ones."""
    made = (_sum(columns, row) for row in weights)
    return [xp.zeros_like(columns[0]) if column is None else column for column in made]


def _sum(columns: Columns, weights: Floats) -> Array | None:
    total = None
    for column, weight in zip(columns, weights.tolist(), strict=True):
        if weight:
            part = column if weight == 1.0 else weight * column
            total = part if total is None else total + part
    return total
