"""State of a tree in a batch of configurations, and how a kernel runs over the batch.

A kernel is a function of a state and of arrays with the batch last, so that each number of a vector or
matrix is one long run over the configurations. ``compute`` runs it: in numpy block by block, so that
everything it makes stays in the cache, in other libraries on the whole batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from unibody.mechanism import arrays
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.bodies import Bodies, lump_bodies
from unibody.mechanism.compilation import candidate
from unibody.mechanism.forward_kinematics import Buffers, placed
from unibody.mechanism.frame import Frame
from unibody.mechanism.gpu import run_on_gpu
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


def kernel_key(kernel: Kernel, frames: Sequence[Frame] = (), external: bool = False) -> tuple[Any, ...]:
    """What tells apart the code of a kernel of a tree, with forces on links or without."""
    return (kernel, external, *[frame.key for frame in frames])


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
    if gravity is not None and len(gravity) != 3:
        raise ValueError(f"gravity is three numbers, got {len(gravity)}")
    if not isinstance(q, np.ndarray):
        return _elsewhere(tree, kernel, (q, *rates), external, gravity, frames)
    for a in rates:
        if not isinstance(a, np.ndarray):
            arrays.namespace(q, *rates)  # says which libraries meet here
    known = candidate(tree, kernel_key(kernel, frames, external is not None))
    lead = _leading(q, rates, external)
    if known.is_ready(math.prod(lead)):
        rows = [arrays.rows(a, lead, 1) for a in (q, *rates)]
        if external is not None:
            rows.append(arrays.rows(external, lead, 2))
        if (gravity is not None or frames) and (constants := _constants(gravity, frames)):
            rows.append(np.array(constants, np.float64))
        compiled = known.run(rows, lead)
        if compiled is not None:
            return compiled
    start = perf_counter()
    flat = [arrays.flattened(np, a, lead, 1) for a in (q, *rates)]
    if external is not None:
        flat.append(arrays.flattened(np, external, lead, 2))
    out = _in_blocks(tree, _with(kernel, gravity, frames), flat)
    trace = partial(trace_kernel, tree, kernel, [a.shape[1:] for a in flat], gravity is not None, frames)
    known.charge(perf_counter() - start, len(flat[0]), trace)
    return out.reshape(*lead, *out.shape[1:])


def _leading(q: Array, rates: Sequence[Array], external: Array | None) -> tuple[int, ...]:
    """The batch shapes of all arrays, broadcast."""
    if q.ndim == 1 and external is None and all(a.ndim == 1 for a in rates):
        return ()
    shapes = [tuple(a.shape[:-1]) for a in (q, *rates)]
    return arrays.leading(shapes if external is None else [*shapes, tuple(external.shape[:-2])])


def _with(kernel: Kernel, gravity: Any, frames: tuple[Frame, ...]) -> Kernel:
    """The kernel with gravity and frames, if there are some."""
    named = {} if gravity is None else {"gravity": gravity}
    if frames:
        named["frames"] = frames
    return partial(kernel, **named) if named else kernel


def _constants(gravity: Sequence[float] | None, frames: tuple[Frame, ...]) -> list[float]:
    """What a traced kernel gets as its last argument, the same for all configurations."""
    weight = () if gravity is None else gravity
    return [*weight, *[x for frame in frames for x in frame.numbers]]


def _elsewhere(
    tree: Tree,
    kernel: Kernel,
    vectors: Sequence[Array],
    external: Array | None,
    gravity: Sequence[float] | None,
    frames: tuple[Frame, ...],
) -> Array:
    """The result in another library, for the whole batch at once."""
    xp = arrays.namespace(*vectors, *([] if external is None else [external]))
    lead = _leading(vectors[0], vectors[1:], external)
    flat = [arrays.flattened(xp, a, lead, 1) for a in vectors]
    if external is not None:
        flat.append(arrays.flattened(xp, external, lead, 2))

    def usual(given: Sequence[Array]) -> Array:
        last = [arrays.to_last(xp, a) for a in given]
        state = _state(xp, lump_bodies(tree), placed(xp, program(tree), last[0]))
        return arrays.to_first(xp, _with(kernel, gravity, frames)(state, *last[1:]))

    key = kernel_key(kernel, frames, external is not None)
    trace = partial(trace_kernel, tree, kernel, [a.shape[1:] for a in flat], gravity is not None, frames)
    out = run_on_gpu(tree, key, trace, flat, _constants(gravity, frames), usual)
    if out is None:
        out = usual(flat)
    return xp.reshape(out, (*lead, *out.shape[1:]))


def trace_kernel(
    tree: Tree,
    kernel: Kernel,
    shapes: Sequence[tuple[int, ...]],
    with_gravity: bool,
    frames: tuple[Frame, ...],
    tape: Tape,
) -> tuple[Array, tuple[int, ...]]:
    """The kernel's result on symbols, with the numbers of each argument.

    The last argument, if there are some, are gravity and the numbers of the frames.
    """
    xp = SymbolNamespace(tape)
    inputs, sizes = [tape.inputs(shape) for shape in shapes], [math.prod(shape) for shape in shapes]
    gravity = list(tape.inputs((3,)).values[:, 0]) if with_gravity else None
    frames = tuple(f if f.is_link else replace(f, pose=tape.inputs((3, 4))[..., 0]) for f in frames)
    if constants := 3 * with_gravity + 12 * sum(not frame.is_link for frame in frames):
        sizes.append(constants)
    state = _state(xp, lump_bodies(tree), placed(xp, program(tree), inputs[0]))
    return _with(kernel, gravity, frames)(state, *inputs[1:])[..., 0], tuple(sizes)


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
