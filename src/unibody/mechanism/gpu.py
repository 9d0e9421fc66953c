"""Kernels on tensors of PyTorch on a GPU: compiled, checked against the usual path, and run without copies.

The usual path stays for tensors whose gradient is asked for, under ``torch.compile`` and other tracers, for
small batches, and where PyTorch cannot compile CUDA (before 2.9).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from unibody.mechanism.arrays import Array
from unibody.mechanism.compilation import LARGEST_TREE, MOST_KERNELS, Trace
from unibody.mechanism.cuda_code import THREADS, cuda_source
from unibody.mechanism.tracing import Tape
from unibody.mechanism.tree import Tree, derived

#: Configurations from which a kernel is worth its compilation, and those that are computed twice at first.
_FEWEST, _CHECKED = 1024, 256

#: Operations of a kernel from which its compilation takes so long, more than five seconds, that the usual
#: path first computes so many configurations, and operations of the largest kernel.
_LARGE, _PATIENCE, _LARGEST = 10_000, 10_000_000, 40_000

#: How far results of the two paths may be apart, of the largest entry, by bytes of a number.
_APART = {8: 1e-9, 4: 1e-3}

# Values of constants, such as gravity, that stay on the device.
_CONSTANTS = 16

Usual = Callable[[Sequence[Array]], Array]


def run_on_gpu(
    tree: Tree,
    key: tuple[Any, ...],
    trace: Trace,
    given: Sequence[Array],
    constants: Sequence[float],
    usual: Usual,
) -> Array | None:
    """The results (B, *shape) for tensors (B, ...), with constants as one more argument; None if not here.

    ``usual`` computes the same of some rows, for the check of a new kernel.
    """
    if len(tree.parents) + tree.nv > LARGEST_TREE:
        return None
    torch = _torch(given)
    if torch is None or not _FEWEST <= given[0].shape[0] < 2**31:
        return None
    known, name = _candidates(tree), (*key, given[0].dtype, given[0].device)
    found = known.get(name)
    if found is None:
        if len(known) >= MOST_KERNELS:
            known.clear()
        found = known[name] = _Candidate()
    if found.kernel is None and found.is_due(int(given[0].shape[0]), trace):
        try:
            found.kernel = _checked(torch, trace, given, constants, usual)
        except Exception as error:  # compilers and drivers raise various errors
            words = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
            warnings.warn(f"no CUDA kernel, the usual path computes: {words}", RuntimeWarning, stacklevel=2)
    return None if found.kernel is None else found.kernel.run(given, constants)


def _torch(given: Sequence[Array]) -> Any:
    """PyTorch, if these are its tensors on one GPU, with nothing that watches them; else None."""
    if type(given[0]).__module__ != "torch":
        return None
    import torch

    first = given[0]
    if any(
        type(x) is not torch.Tensor or x.device != first.device or x.dtype != first.dtype for x in given
    ):
        return None
    if not first.is_cuda or first.dtype not in (torch.float32, torch.float64):
        return None
    if torch.is_grad_enabled() and any(x.requires_grad for x in given):
        return None
    try:
        watched = (
            torch.compiler.is_compiling()
            or torch._C._len_torch_dispatch_stack() > 0
            or torch._C._functorch.peek_interpreter_stack() is not None
            or torch.autograd.forward_ad._current_level >= 0
            or torch.cuda.is_current_stream_capturing()
        )
        able = callable(torch.cuda._compile_kernel)
    except AttributeError:  # a version without these
        return None
    return torch if able and not watched else None


class _Candidate:
    """A kernel once there is one, and the configurations that the usual path computes until then."""

    def __init__(self) -> None:
        self.kernel: _Kernel | None = None
        self._left = 0.0
        self._is_known = False

    def is_due(self, count: int, trace: Trace) -> bool:
        """Whether to compile at this call, of so many configurations: True once only."""
        if not self._is_known:
            self._is_known = True
            tape = Tape()
            trace(tape)
            size = len(tape.operations)
            self._left = math.inf if size > _LARGEST else _PATIENCE if size > _LARGE else 0
        elif self._left <= 0:
            return False  # it failed
        self._left -= count
        return self._left <= 0


@derived
def _candidates(tree: Tree) -> dict[tuple[Any, ...], _Candidate]:
    return {}


class _Kernel:
    """A compiled kernel with results of one shape, for tensors of one type on one GPU."""

    def __init__(self, torch: Any, source: str, shape: tuple[int, ...], first: Array) -> None:
        self._torch, self._shape = torch, shape
        self._dtype, self._device = first.dtype, first.device
        self._constants: dict[tuple[float, ...], Array] = {}
        with torch.cuda.device(self._device):
            self._compiled = torch.cuda._compile_kernel(source, "run")

    def run(self, given: Sequence[Array], constants: Sequence[float]) -> Array:
        """The results (B, *shape)."""
        count = int(given[0].shape[0])
        out = self._torch.empty((count, *self._shape), dtype=self._dtype, device=self._device)
        arguments: list[Any] = []
        for x in given:
            arguments += [x.contiguous(), math.prod(x.shape[1:])]
        if len(constants):
            arguments += [self._on_device(tuple(constants)), 0]
        grid = (-(-count // THREADS), 1, 1)
        with self._torch.cuda.device(self._device):
            self._compiled(grid=grid, block=(THREADS, 1, 1), args=[*arguments, out, count])
        return out

    def _on_device(self, constants: tuple[float, ...]) -> Array:
        """Constants as a tensor; those of the last calls stay on the device."""
        found = self._constants.get(constants)
        if found is None:
            if len(self._constants) >= _CONSTANTS:
                self._constants.clear()
            found = self._torch.tensor(list(constants), dtype=self._dtype, device=self._device)
            self._constants[constants] = found
        return found


def _checked(
    torch: Any, trace: Trace, given: Sequence[Array], constants: Sequence[float], usual: Usual
) -> _Kernel:
    """A new kernel that gives what the usual path gives."""
    tape, first = Tape(), given[0]
    results, sizes = trace(tape)
    single, constant = first.dtype == torch.float32, len(constants) > 0
    source = cuda_source(tape, results, sizes, single=single, constant=constant)
    kernel = _Kernel(torch, source, results.shape, first)
    some = [x[:_CHECKED] for x in given]
    expected, made = usual(some), kernel.run(some, constants)
    if not math.prod(results.shape):
        return kernel
    apart, largest = float(abs(made - expected).max()), float(abs(expected).max())
    if not apart <= _APART[first.element_size()] * max(largest, 1e-30):
        raise ArithmeticError(f"its results are {apart:.3g} from those of the usual path")
    return kernel
