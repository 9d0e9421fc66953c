"""State of a tree in a batch of configurations, and how a kernel runs over the batch.

A kernel is a function of a state and of arrays with the batch last, so that each number of a vector or
matrix is one long run over the configurations. ``compute`` runs it: in numpy block by block, so that
everything it makes stays in the cache, in other libraries on the whole batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from unibody.mechanism import arrays
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.bodies import Bodies, lump_bodies
from unibody.mechanism.compilation import candidate
from unibody.mechanism.forward_kinematics import Buffers, placed
from unibody.mechanism.frame import Frame
from unibody.mechanism.program import program
from unibody.mechanism.tracing import SymbolNamespace, Tape
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Floats

#: Configurations times bodies and degrees of freedom in a block: long runs need few calls, short
#: ones stay in the cache; for 9, 35 and 90 degrees of freedom this was within 20 % of the best.
_BLOCK = 16384

#: Doubles in a piece of memory that is taken and given back before the first block. The C library
#: of Linux asks the system anew for each piece larger than the largest it was ever given back, up
#: to 32 MiB; with temporaries of a few hundred KiB that took more than half of the time.
_LARGEST_PIECE = 3_000_000


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Poses in a batch of configurations, in world axes.

    ``links`` holds per link the three upper rows of its pose, (3, 4, B). Spatial vectors
    are about ``origin`` (3, B), where the root link is, so that a robot far from the
    world's origin loses no digits; ``turn`` (3, 3, n, B) and ``place`` (3, n, B) are the
    bodies' rotations and positions from there.
    """

    xp: Namespace
    bodies: Bodies
    links: Sequence[Array]
    origin: Array
    turn: Array
    place: Array

    def constant(self, values: Any) -> Array:
        """Numbers as an array of the state's library, type and device."""
        return arrays.like(self.xp, values, self.origin)

    def zeros(self, *shape: int) -> Array:
        """Zeros (*shape, B)."""
        from array_api_compat import device

        lanes = self.origin.shape[1]
        return self.xp.zeros((*shape, lanes), dtype=self.origin.dtype, device=device(self.origin))

    def pick(self, array: Array, places: Any, axis: int = 1) -> Array:
        """The entries of an array at these places of one axis."""
        return self.xp.take(array, arrays.indices(self.xp, places, self.origin), axis=axis)


Kernel = Callable[..., Array]


def compute(
    tree: Tree,
    kernel: Kernel,
    q: Array,
    *rates: Array,
    external: Array | None = None,
    gravity: Sequence[float] | None = None,
    frames: tuple[Frame, ...] = (),
) -> Array:
    """The kernel's result for q (..., nq), arrays (..., nv), and forces on links (..., n_links, 6).

    The kernel gets ``external`` after the rates, ``gravity`` and ``frames`` by name, each if it is given,
    and returns (*shape, B); the result is (..., *shape), with the batch shapes of all arrays broadcast.
    """
    given = [(q, 1), *((array, 1) for array in rates), *([] if external is None else [(external, 2)])]
    lead = arrays.leading([a.shape[: a.ndim - inner] for a, inner in given])
    if frames:
        kernel = partial(kernel, frames=frames)
    if isinstance(q, np.ndarray):
        return _numpy(_Call(tree, kernel, given, gravity, frames), lead)
    if gravity is not None:
        kernel = partial(kernel, gravity=gravity)
    xp = arrays.namespace(*(a for a, _ in given))
    last = [arrays.to_last(xp, arrays.flattened(xp, a, lead, inner)) for a, inner in given]
    state = _state(xp, lump_bodies(tree), placed(xp, program(tree), last[0]))
    out = arrays.to_first(xp, kernel(state, *last[1:]))
    return xp.reshape(out, (*lead, *out.shape[1:]))


class _Call(NamedTuple):
    """A kernel with what it is called for; ``frames`` are in the kernel already, ``gravity`` is not."""

    tree: Tree
    kernel: Kernel
    given: Sequence[tuple[Floats, int]]
    gravity: Sequence[float] | None
    frames: tuple[Frame, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells kernels of one tree apart."""
        kernel: Any = self.kernel
        if self.frames:
            return (kernel.func, len(self.given), self.given[-1][1], *(f.key for f in self.frames))
        return (kernel, len(self.given), self.given[-1][1])

    def trace(self, tape: Tape) -> tuple[Array, tuple[int, ...]]:
        """The kernel's result on symbols, with the numbers of each argument; gravity comes last."""
        xp = SymbolNamespace(tape)
        inputs = [tape.inputs(array.shape[array.ndim - inner :]) for array, inner in self.given]
        kernel, sizes = self.kernel, [math.prod(a.shape) for a in inputs]
        if self.gravity is not None:
            kernel = partial(kernel, gravity=list(tape.inputs((3,)).values[:, 0]))
            sizes.append(3)
        state = _state(xp, lump_bodies(self.tree), placed(xp, program(self.tree), inputs[0]))
        return kernel(state, *inputs[1:])[..., 0], tuple(sizes)


def _numpy(call: _Call, lead: tuple[int, ...]) -> Floats:
    """With machine code if there is some, else block by block."""
    count = math.prod(lead)
    known = candidate(call.tree, call.key)
    if known.is_compiled:
        rows = [arrays.rows(a, lead, inner) for a, inner in call.given]
        out = known.run(rows if call.gravity is None else [*rows, np.array(call.gravity, float)], count)
        if out is not None:
            return out.reshape(*lead, *out.shape[1:])
    start = perf_counter()
    flat = [arrays.flattened(np, a, lead, inner) for a, inner in call.given]
    kernel = call.kernel if call.gravity is None else partial(call.kernel, gravity=call.gravity)
    out = _in_blocks(call.tree, kernel, flat)
    known.charge(perf_counter() - start, count, call.trace)
    return out.reshape(*lead, *out.shape[1:])


def _in_blocks(tree: Tree, kernel: Kernel, flat: Sequence[Floats]) -> Floats:
    code, lumped, count = program(tree), lump_bodies(tree), len(flat[0])
    buffers = Buffers.borrow(code, count, max(8, _BLOCK // max(1, len(lumped.heads) + lumped.nv)))
    out: Floats | None = None
    np.empty(_LARGEST_PIECE)
    with np.errstate(all="ignore"):
        for start in range(0, max(1, count), buffers.width):
            q, *others = (a[start : start + buffers.width] for a in flat)
            links = buffers.run(q)[:, :3]
            state = _state(np, lumped, list(links))
            result = kernel(state, *(np.ascontiguousarray(np.moveaxis(a, 0, -1)) for a in others))
            if out is None:
                out = np.empty((count, *result.shape[:-1]))
            size = math.prod(result.shape[:-1])
            rows = out.reshape(count, size)[start : start + buffers.width]
            rows[...] = result.reshape(size, len(q)).T
    buffers.give_back(code)
    assert out is not None
    return out


def _state(xp: Namespace, lumped: Bodies, links: Sequence[Array]) -> State:
    poses = xp.stack([links[head] for head in lumped.heads], axis=2)
    origin = links[lumped.heads[0]][:, 3, ...]
    return State(xp, lumped, links, origin, poses[:, :3, ...], poses[:, 3, ...] - origin[:, None, ...])
