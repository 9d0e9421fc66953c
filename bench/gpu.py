"""Batches of up to a million configurations with PyTorch on a GPU: ``python -m bench.gpu [MODEL ...]``.

Prints configurations per second, and the share of the memory bandwidth (of a plain copy on the
same GPU) needed to read q and to write the results. "kernel" is the generated CUDA, "eager" the usual
path, and "compiled" the usual path traced and compiled with torch.compile.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from bench._row import Row, model
from bench.dynamics import MODELS

import unibody as ub
from unibody.mechanism import gpu

BATCH = 1_000_000
#: Batch size of dynamics, whose intermediate results need more memory.
FEWER = 100_000
ROUNDS = 10
DEVICE = "cuda"


def seconds(torch: Any, task: Callable[[], object]) -> float:
    """Median time of a call on the GPU."""
    times = []
    for round_ in range(-2, ROUNDS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        task()
        end.record()
        torch.cuda.synchronize()
        if round_ >= 0:
            times.append(start.elapsed_time(end) / 1e3)
    return float(np.median(times))


def bandwidth(torch: Any) -> float:
    """Memory bandwidth of a copy of 1 GiB, in bytes per second (reads and writes)."""
    source = torch.empty(2**27, dtype=torch.float64, device=DEVICE)
    target = torch.empty_like(source)
    return float(2 * source.nbytes / seconds(torch, lambda: target.copy_(source)))


def compiled(torch: Any, call: Callable[..., Any], given: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The call compiled with torch.compile; None if no compiler is available."""
    from torch.fx.experimental.proxy_tensor import make_fx

    try:
        made = torch.compile(make_fx(call)(*given))
        made(*given)
    except Exception as e:  # Triton and its compiler raise various errors
        print(f"not compiled: {type(e).__name__}: {str(e).splitlines()[0][:100]}")
        return None
    return made  # type: ignore[no-any-return]


def measured(torch: Any, m: ub.Mechanism, dtype: Any, peak: float) -> Iterator[Row]:
    """Rows of each call, eager and compiled."""
    rest = torch.zeros(m.nv, dtype=dtype, device=DEVICE)
    q = m.integrate(torch.rand((BATCH, m.nq), dtype=dtype, device=DEVICE), rest)
    v = torch.rand((FEWER, m.nv), dtype=dtype, device=DEVICE)

    # The tracer requires functions of tensors only.
    def poses(q: Any) -> Any:
        return m.forward_kinematics(q)

    def masses(q: Any) -> Any:
        return m.mass_matrix(q)

    def forces(q: Any, v: Any) -> Any:
        return m.inverse_dynamics(q, v, v)

    def rates(q: Any, v: Any) -> Any:
        return m.forward_dynamics(q, v, v)

    calls: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "fk": (poses, (q,)),
        "mass matrix": (masses, (q[:FEWER],)),
        "inverse dynamics": (forces, (q[:FEWER], v)),
        "forward dynamics": (rates, (q[:FEWER], v)),
    }
    fewest = gpu._FEWEST
    for name, (call, given) in calls.items():
        for how in ("kernel", "eager", "compiled"):
            gpu._FEWEST = fewest if how == "kernel" else 2**31
            start = perf_counter()
            run = compiled(torch, call, given) if how == "compiled" else call
            if run is None:
                continue
            run(*given)
            for _ in range(gpu._PATIENCE // len(given[0]) if how == "kernel" else 0):
                run(*given)  # a large kernel waits
            print(f"{name}, {how}: first calls {perf_counter() - start:.1f} s", flush=True)
            moved = sum(x.nbytes for x in (*given, run(*given)))
            time = seconds(torch, partial(run, *given))
            torch.cuda.empty_cache()
            gpu._FEWEST = fewest
            title = f"{name}, {m.robot.name}, {str(dtype).removeprefix('torch.')}, {how}"
            yield Row(title, len(given[0]) / time / 1e6, {}, "", "M/s")
            yield Row("  of the bandwidth", 100.0 * moved / time / peak, {}, "", "%")


def rows(paths: Sequence[Path] = ()) -> Iterator[Row]:
    """The rows, each as soon as it is measured: compiling takes minutes."""
    try:
        import torch
    except ImportError:
        print("no GPU: PyTorch is not installed")
        return
    if not torch.cuda.is_available():
        print("no GPU")
        return
    peak = bandwidth(torch)
    print(f"{torch.cuda.get_device_name()}, a copy moves {peak / 1e9:.0f} GB/s")
    types = (torch.float64, torch.float32)
    with torch.no_grad():
        for path in paths or [path for path in MODELS.values() if path.is_file()] or [model("SR1.body")]:
            mechanism = ub.assemble(ub.load(path))
            for dtype in types:
                yield from measured(torch, mechanism, dtype, peak)


if __name__ == "__main__":
    for row in rows([Path(name) for name in sys.argv[1:]]):
        print(f"{row.name:<52} {row.ours:10.2f} {row.unit}", flush=True)
