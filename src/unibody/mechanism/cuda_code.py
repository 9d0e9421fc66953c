"""CUDA source of a traced kernel: straight code, one thread for each configuration.

Reads and writes of neighbouring threads are made to meet in whole lines of memory: arguments are copied
into shared memory first, as many as fit, and results leave it in groups of ``GROUP``, a group as soon as
its last number is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unibody.mechanism.tracing import Scalar, Symbols, Tape

#: Threads of a block, and of a warp.
THREADS, _WARP = 64, 32

#: Results that leave shared memory at a time: a line of doubles.
GROUP = 16

# Bytes of shared memory of a block for arguments; 48 KiB are there without asking, results take the rest.
_SHARED = 36 * 1024


def cuda_source(
    tape: Tape, results: Symbols, arguments: Sequence[int], *, single: bool, constant: bool = False
) -> str:
    """The source of ``extern "C" void run(const T* a0, int s0, …, T* out, int count)``.

    T is float with ``single``, else double; row c of argument j begins at ``a[j] + s[j] * c``. With
    ``constant`` the last argument is the same for all configurations.
    """
    varying = len(arguments) - constant
    return "\n".join(_lines(tape, list(results.values.ravel()), arguments, varying, single))


def _lines(
    tape: Tape, results: Sequence[Any], arguments: Sequence[int], varying: int, single: bool
) -> Iterator[str]:
    real = "float" if single else "double"
    staged = _staged(arguments[:varying], 4 if single else 8)
    given = "".join(f"const {real}* __restrict__ a{j}, int s{j}, " for j in range(len(arguments)))
    yield f'extern "C" __global__ __launch_bounds__({THREADS})'
    yield f"void run({given}{real}* __restrict__ out, int count) {{"
    yield f"__shared__ {real} leaving[{THREADS // _WARP}][{_WARP} * {GROUP + 1}];"
    yield "const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;"
    yield f"const long long first = (long long)blockIdx.x * {THREADS}, own = first + thread;"
    yield "const long long c = own < count ? own : count - 1;"
    for j in staged:
        # an odd number of entries for each thread: no two threads meet in a bank
        size, width = arguments[j], arguments[j] | 1
        yield f"__shared__ {real} given{j}[{THREADS * width}];"
        yield f"for (int i = thread; i < {THREADS * size}; i += {THREADS}) {{"
        yield f"  const long long row = first + i / {size} < count ? first + i / {size} : count - 1;"
        yield f"  given{j}[i / {size} * {width} + i % {size}] = a{j}[row * s{j} + i % {size}]; }}"
    yield "__syncthreads();"
    ends = _ends(results)
    sources = [(j, i) for j, size in enumerate(arguments) for i in range(size)]
    pairs: set[int] = set()
    for k in ends.get(-1, ()):
        yield from _group(results, k, single)
    for place in tape.needed(results):
        kind, a, b = tape.operations[place]
        if kind in ("sin", "cos"):
            if a not in pairs:
                pairs.add(a)
                call = "sincosf" if single else "sincos"
                yield f"{real} sin{a}, cos{a}; {call}({_name(tape, a, single)}, &sin{a}, &cos{a});"
        elif kind == "input":
            j, i = sources[a]
            if j in staged:
                value = f"given{j}[thread * {arguments[j] | 1} + {i}]"
            else:
                value = f"a{j}[{i}]" if j >= varying else f"a{j}[c * s{j} + {i}]"
            yield f"const {real} v{place} = {value};"
        elif kind != "constant":
            left = _name(tape, a, single)
            match kind:
                case "add" | "sub" | "mul" | "div":
                    sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[kind]
                    yield f"const {real} v{place} = {left} {sign} {_name(tape, b, single)};"
                case "neg":
                    yield f"const {real} v{place} = -{left};"
                case "sqrt":
                    yield f"const {real} v{place} = {'sqrtf' if single else 'sqrt'}({left});"
        for k in ends.get(place, ()):
            yield from _group(results, k, single)
    yield "}"


def _staged(arguments: Sequence[int], size: int) -> list[int]:
    """The arguments that go through shared memory, the first that fit."""
    out, left = [], _SHARED
    for j, count in enumerate(arguments):
        needed = THREADS * (count | 1) * size
        if count and needed <= left:
            out.append(j)
            left -= needed
    return out


def _ends(results: Sequence[Any]) -> dict[int, list[int]]:
    """The groups of results by the operation after which all of a group is there; -1 for constants."""
    out: dict[int, list[int]] = {}
    for begin in range(0, len(results), GROUP):
        part = [r.place for r in results[begin : begin + GROUP] if isinstance(r, Scalar)]
        out.setdefault(max(part, default=-1), []).append(begin)
    return out


def _group(results: Sequence[Any], begin: int, single: bool) -> Iterator[str]:
    """The results from one on: each thread puts its own there, then the warp writes line after line."""
    part = results[begin : begin + GROUP]
    for i, result in enumerate(part):
        value = _value(result, single)
        yield f"leaving[warp][lane * {GROUP + 1} + {i}] = {value};"
    yield "__syncwarp();"
    yield f"for (int i = lane; i < {_WARP * len(part)}; i += {_WARP}) {{"
    yield f"  const long long row = first + warp * {_WARP} + i / {len(part)};"
    where = f"row * {len(results)} + {begin} + i % {len(part)}"
    source = f"leaving[warp][i / {len(part)} * {GROUP + 1} + i % {len(part)}]"
    yield f"  if (row < count) out[{where}] = {source}; }}"
    yield "__syncwarp();"


def _value(result: Any, single: bool) -> str:
    if not isinstance(result, Scalar):
        return _literal(float(result), single)
    return _name(result.tape, result.place, single)


def _name(tape: Tape, place: int, single: bool) -> str:
    kind, a, _ = tape.operations[place]
    if kind == "constant":
        return _literal(a, single)
    return f"{kind}{a}" if kind in ("sin", "cos") else f"v{place}"


def _literal(value: float, single: bool) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return f"({'-' if value < 0 else ''}1.0/0.0)" if value == value else "(0.0/0.0)"
    text = f"{value!r}{'f' if single else ''}"
    return f"({text})" if value < 0 else text
