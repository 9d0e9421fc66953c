"""When a kernel is compiled, and how its code is kept and called.

numpy computes until it has spent ``PATIENCE`` on a kernel of a tree; then the kernel is traced and compiled
to machine code, which needs the extra ``fast``, and the code kept in the user's cache, where later
processes find it after a few calls. Without the extra, a kernel that is called for few configurations at a
time becomes a function of Python.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import math
import os
import threading
from collections.abc import Callable, Sequence
from functools import cache
from time import perf_counter
from typing import Any, Literal

import numpy as np

from unibody.files.user_cache import KeptResults
from unibody.mechanism import arrays
from unibody.mechanism.tracing import Symbols, Tape
from unibody.mechanism.tree import Tree, derived
from unibody.model.arrays import Floats

#: The environment variable that switches machine code off, for numbers that are the same everywhere.
VARIABLE, OFF = "UNIBODY_FAST", "off"

#: Seconds that numpy may spend on a kernel of a tree of so many links and degrees of freedom before it is
#: compiled; for larger ones more, by the square, as compilation takes longer.
PATIENCE, _USUAL = 0.03, 65

#: Times the patience that batches may take with the code that is made first, and its calls for one
#: configuration, before there is better code.
_LONG, _LONG_CALLS = 10.0, 10_000

#: Calls, or configurations, after which the cache is asked for the code.
_CALLS, _MANY = 4, 64

#: Configurations of a call that code in Python is faster for than numpy, and such calls after which there
#: is some. Calls are counted, not timed, so that the numbers of a program are the same in each of its runs.
FEW, FEW_CALLS = 4, 150

#: Kernels of a tree that are remembered.
MOST_KERNELS = 200

#: Links and degrees of freedom of the largest tree, and operations and results of the largest kernel: such
#: a kernel takes a few seconds to compile.
LARGEST_TREE, _LARGEST_KERNEL = 400, 80_000

_cache = KeptResults("code", 1, private=True)
_compiling = threading.Lock()

#: Machine code for one configuration at a time, made quickly or well, and for several.
Form = Literal["quick", "one", "many"]

#: Computes one configuration, or None.
DirectCall = Callable[..., "Floats | None"]

#: Records a kernel on a tape: its results as ``Symbols``, and the numbers of each argument.
Trace = Callable[[Tape], tuple[Symbols, tuple[int, ...]]]


class Candidate:
    """A kernel of a tree: the time that was spent on it, and its code once there is some.

    Machine code is first made in a tenth of a second, for one configuration at a time. Of what is used for
    long, there is better code, which takes a second: for one configuration, and for batches, as many at a
    time as a register holds.
    """

    def __init__(self, tree: Tree, key: tuple[Any, ...]) -> None:
        self._tree, self._key = tree, key
        self._spent, self._calls, self._asked = 0.0, 0, False
        self._quick: _Loaded | None = None
        self._one: _Loaded | None = None
        self._many: _Loaded | None = None
        self._straight: Any = None
        self._trace: Trace | None = None
        size = len(tree.parents) + tree.nv
        self._unable = size > LARGEST_TREE or not is_available()
        self._numpy_only = size > LARGEST_TREE or is_off()
        self._patience = PATIENCE * max(1.0, (size / _USUAL) ** 2)

    def charge(self, seconds: float, count: int, trace: Trace) -> None:
        """Count the time of a call on numpy; compile, if that has been enough."""
        if self._unable:
            self._charge_few(count, trace)
        elif not self.is_compiled:
            self._trace = trace
            self._spent += seconds
            self._calls += 1
            if not self._asked and (self._calls >= _CALLS or count >= _MANY):
                self._asked = True
                self._one, self._many = self._take("one", None), self._take("many", None)
                self._quick = self._one or self._take("quick", None)
                self._offer()
            if not self.is_compiled and self._spent >= self._patience:
                self._quick, self._spent, self._calls = self._take("quick", trace), 0.0, 0

    def _charge_few(self, count: int, trace: Trace) -> None:
        """Count a call that there is no machine code for; write code in Python, if that has been enough."""
        if self._numpy_only or self._straight is not None or count > FEW:
            return
        self._calls += 1
        if self._calls < FEW_CALLS:
            return
        from unibody.mechanism.python_code import Straight

        with _compiling:
            traced = _traced(trace)
            if traced is None:
                self._numpy_only = True
            else:
                tape, results, _ = traced
                self._straight = Straight(tape, results)

    def _charge_many(self, seconds: float) -> None:
        """Count the time of a batch that code for one configuration computed."""
        self._spent += seconds
        if self._trace is not None and self._spent >= _LONG * self._patience:
            self._many = self._take("many", self._trace)

    def _charge_one(self) -> None:
        """Count a call for one configuration of the code that was made first."""
        self._calls += 1
        if self._trace is not None and self._calls >= _LONG_CALLS:
            self._one = self._take("one", self._trace)
            self._offer()

    def _offer(self) -> None:
        """Let callers reach the best code for one configuration without asking for it here."""
        if self._one is not None and (call := self._one.direct_call()) is not None:
            direct_calls(self._tree)[self._key] = call

    def _take(self, form: Form, trace: Trace | None) -> _Loaded | None:
        """The code that is kept, or else the code of a trace."""
        from unibody.mechanism import machine_code

        with _compiling:
            cpu = _processor()
            if cpu is None:
                self._unable = True
                return None
            cpu = cpu if form == "many" else cpu.narrow()
            name = _name(self._tree, self._key, form)
            kept = _cache.get(name)
            code = None if kept is None else _unpacked(kept)
            if code is None and trace is not None:
                traced = _traced(trace)
                if traced is None:
                    self._unable = self._numpy_only = True
                    return None
                code = machine_code.compile_tape(*traced, cpu, quick=form == "quick")
                _cache.put(name, _packed(code))
            return None if code is None else _Loaded(machine_code.Loaded(code, cpu))

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code."""
        return self._quick is not None or self._many is not None

    def is_ready(self, count: int) -> bool:
        """Whether there is code for so many configurations."""
        return self.is_compiled or (self._straight is not None and count <= FEW)

    def run(self, given: Sequence[Floats], lead: tuple[int, ...]) -> Floats | None:
        """The results (*lead, ...) for rows (count, n) of arguments or, the same for all, (n,).

        None if an angle is too large for machine code, or a root or quotient does not exist in Python.
        """
        if not lead:
            if self._one is not None:
                return self._one.run_one(given)
            if self._quick is not None:
                self._charge_one()
                return self._quick.run_one(given)
        if self._many is not None:
            return self._many.run(given, lead) if lead else self._many.run_one(given)
        if self._quick is not None:
            start = perf_counter()
            out = (self._one or self._quick).run(given, lead)
            self._charge_many(perf_counter() - start)
            return out
        found: Floats | None = self._straight.run(given, lead)
        return found


class _Loaded:
    """Machine code that was loaded, and spare buffers for its calls."""

    def __init__(self, loaded: Any) -> None:
        self._loaded, self._code, self._shape = loaded, loaded.code, loaded.shape
        self._spare: list[_Buffers] = []

    def run(self, given: Sequence[Floats], lead: tuple[int, ...]) -> Floats | None:
        """The results (*lead, ...), or None."""
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = _Buffers(self._code)
        out = buffers.run(self._loaded.function, given, math.prod(lead))
        self._spare.append(buffers)
        return None if out is None else out.reshape(lead + self._shape)

    def run_one(self, given: Sequence[Floats]) -> Floats | None:
        """The results for one configuration, or None."""
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = _Buffers(self._code)
        out = buffers.run_one(self._loaded.one, given)
        self._spare.append(buffers)
        return out

    def direct_call(self) -> DirectCall | None:
        """The function of arrays (n,) that computes one configuration; None where there is none."""
        function, shape, code = self._loaded.direct, self._shape, self._code
        if function is None:
            return None
        own = np.empty(2 + sum(code.arguments))
        own[:2].view(np.uint64)[:] = id(np.ndarray), id(arrays.DOUBLE)
        address, empty = own.ctypes.data, np.empty
        # each with its own arguments, since a tuple of them takes a tenth of a call's time

        def call_one(q: Any, own: Floats = own) -> Floats | None:
            out = empty(shape)
            return None if function(q, out, address) else out

        def call_two(q: Any, b: Any, own: Floats = own) -> Floats | None:
            out = empty(shape)
            return None if function(q, b, out, address) else out

        def call_four(q: Any, b: Any, c: Any, d: Any, own: Floats = own) -> Floats | None:
            out = empty(shape)
            return None if function(q, b, c, d, out, address) else out

        def call(*given: Any, own: Floats = own) -> Floats | None:
            out = empty(shape)
            return None if function(*given, out, address) else out

        calls: dict[int, DirectCall] = {1: call_one, 2: call_two, 4: call_four}
        found: DirectCall = calls.get(len(code.arguments), call)
        return found


class _Buffers:
    """What a call needs beside its arguments, for one thread at a time."""

    def __init__(self, code: Any) -> None:
        from unibody.mechanism.machine_code import aligned

        n = len(code.arguments)
        self._scratch = aligned(code.scratch)
        self._rows = [np.empty(size) for size in code.arguments]
        self._out = np.empty(code.shape)
        self._results = code.results
        self._own = (ctypes.c_void_p * n)(*(row.ctypes.data for row in self._rows))
        self._still = (ctypes.c_int64 * n)()
        self._pointers = (ctypes.c_void_p * n)()
        self._strides = (ctypes.c_int64 * n)()
        self._at = self._scratch.ctypes.data
        addresses = (
            ctypes.addressof(self._own),
            ctypes.addressof(self._still),
            self._out.ctypes.data,
            self._at,
        )
        self._call = (ctypes.c_void_p * len(addresses))(*addresses)
        self._calls = ctypes.addressof(self._call)

    def run_one(self, function: Any, given: Sequence[Floats]) -> Floats | None:
        """The results for arguments (n,), or None."""
        for row, values in zip(self._rows, given, strict=True):
            row[:] = values
        if function(self._calls):
            return None
        return self._out.copy()

    def run(self, function: Any, given: Sequence[Floats], count: int) -> Floats | None:
        """The results (count, n), or None."""
        held = [np.ascontiguousarray(values) for values in given]
        for j, values in enumerate(held):
            self._pointers[j] = values.ctypes.data
            self._strides[j] = values.shape[-1] if values.ndim > 1 else 0
        out = np.empty((count, self._results))
        if function(self._pointers, self._strides, count, out.ctypes.data, self._at):
            return None
        return out


def candidate(tree: Tree, key: tuple[Any, ...]) -> Candidate:
    """The kernel of that key: a function, and what else tells its results apart."""
    known = _candidates(tree)
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_KERNELS:  # points that are asked for once each
            for other in [k for k, c in known.items() if not c.is_ready(1)] or list(known):
                known.pop(other, None)
                direct_calls(tree).pop(other, None)
        found = known[key] = Candidate(tree, key)
    return found


@derived
def direct_calls(tree: Tree) -> dict[tuple[Any, ...], DirectCall]:
    """Calls of machine code for one configuration, by the keys of kernels without forces on links.

    A call takes what the kernel does, arrays (n,) of doubles, and returns None for anything else, and for
    an angle that is too large for machine code: then ask ``candidate``.
    """
    return {}


@derived
def _candidates(tree: Tree) -> dict[tuple[Any, ...], Candidate]:
    return {}


def _traced(trace: Trace) -> tuple[Tape, Symbols, tuple[int, ...]] | None:
    """The tape of a kernel, its results and the numbers of each argument.

    None if it is too large, or divides by a constant that is zero, as a robot without mass does.
    """
    tape = Tape()
    try:
        results, arguments = trace(tape)
    except ZeroDivisionError:
        return None
    too_large = len(tape.operations) + results.values.size > _LARGEST_KERNEL
    return None if too_large else (tape, results, arguments)


@cache
def is_off() -> bool:
    """Whether code is switched off: numpy computes everything."""
    return os.environ.get(VARIABLE, "").lower() == OFF


@cache
def is_available() -> bool:
    """Whether the compiler of machine code is installed, and not switched off."""
    return not is_off() and importlib.util.find_spec("llvmlite") is not None


@cache
def _processor() -> Any:
    from unibody.mechanism.machine_code import Processor

    return Processor.host()


@cache
def _environment() -> bytes:
    """A digest of what code depends on beside the tree: this package, the compiler, the processor."""
    from llvmlite import binding

    digest = hashlib.sha256()
    folder = os.path.dirname(__file__)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                digest.update(file.read())
    digest.update(repr((binding.llvm_version_info, _processor())).encode())
    return digest.digest()


@derived
def _tree_digest(tree: Tree) -> bytes:
    digest = hashlib.sha256()
    for values in tree.__reduce__()[1][0].values():
        digest.update(values.tobytes() if isinstance(values, np.ndarray) else repr(values).encode())
        digest.update(b"\n")
    return digest.digest()


def _name(tree: Tree, key: tuple[Any, ...], form: Form) -> str:
    function, *others = key
    what = repr((function.__module__, function.__qualname__, others, form)).encode()
    return hashlib.sha256(_environment() + _tree_digest(tree) + what).hexdigest()


def _packed(code: Any) -> bytes:
    sizes = [code.lanes, len(code.shape), *code.shape, *code.arguments]
    numbers = np.array(sizes, "<i8").tobytes()
    return len(numbers).to_bytes(8, "little") + numbers + bytes(code.data)


def _unpacked(kept: bytes) -> Any:
    from unibody.mechanism.machine_code import Code

    size = int.from_bytes(kept[:8], "little")
    lanes, ndim, *sizes = np.frombuffer(kept[8 : 8 + size], "<i8").tolist()
    return Code(kept[8 + size :], tuple(sizes[ndim:]), tuple(sizes[:ndim]), lanes)
