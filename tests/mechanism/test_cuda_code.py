"""The CUDA source of a kernel, compiled as C with threads of the system: the same numbers as numpy's."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import heavy, state

from unibody.mechanism import dynamics, forward_kinematics
from unibody.mechanism.cuda_code import THREADS, cuda_source
from unibody.mechanism.program import program
from unibody.mechanism.state import trace_kernel
from unibody.mechanism.tracing import Symbols, Tape

COMPILER = shutil.which("cc") or shutil.which("gcc")
# A block is one group of threads that wait for one another; blocks come one after the other.
HEAD = """
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#define __global__
#define __launch_bounds__(n)
#define __restrict__
#define __shared__ static
#define THREADS %d
struct index { int x; };
static __thread struct index threadIdx;
static struct index blockIdx;
static pthread_barrier_t whole, warps[THREADS / 32];
#define __syncthreads() pthread_barrier_wait(&whole)
#define __syncwarp() pthread_barrier_wait(&warps[threadIdx.x / 32])
"""
TAIL = """
struct call { int thread; void **a; int *s; %(real)s *out; int count; };
static void *one(void *given) {
  struct call *call = given;
  threadIdx.x = call->thread;
  run(%(arguments)s call->out, call->count);
  return 0;
}
void launch(void **a, int *s, %(real)s *out, int count) {
  pthread_barrier_init(&whole, 0, THREADS);
  for (int w = 0; w < THREADS / 32; w++) pthread_barrier_init(&warps[w], 0, 32);
  for (blockIdx.x = 0; blockIdx.x * THREADS < count; blockIdx.x++) {
    pthread_t threads[THREADS];
    struct call calls[THREADS];
    for (int t = 0; t < THREADS; t++) {
      calls[t] = (struct call){t, a, s, out, count};
      pthread_create(&threads[t], 0, one, &calls[t]);
    }
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], 0);
  }
}
"""


class Library:
    """The source compiled as C, with what its function takes."""

    def __init__(self, folder: Path, source: str, real: str) -> None:
        count = source[source.index("void run(") : source.index("{")].count("int s")
        arguments = " ".join(f"call->a[{j}], call->s[{j}]," for j in range(count))
        tail = TAIL % {"real": real, "arguments": arguments}
        (folder / "run.c").write_text(HEAD % THREADS + source.replace('extern "C"', "") + tail)
        path = folder / f"run{len(list(folder.iterdir()))}.so"
        assert COMPILER is not None
        command = [COMPILER, "-O0", "-shared", "-fPIC", "-pthread", "run.c", "-o", str(path), "-lm"]
        subprocess.run(command, cwd=folder, check=True, timeout=120)
        self.launch = ctypes.CDLL(str(path)).launch

    @staticmethod
    def given(arrays: Sequence[Any], strides: Sequence[int]) -> tuple[Any, Any]:
        """Addresses and strides."""
        count = len(arrays)
        return (ctypes.c_void_p * count)(*(x.ctypes.data for x in arrays)), (ctypes.c_int * count)(*strides)

    @staticmethod
    def place(array: Any) -> Any:
        """The address of an array."""
        return ctypes.c_void_p(array.ctypes.data)


def launched(
    folder: Path, tape: Tape, results: Symbols, given: list[Any], sizes: tuple[int, ...], real: str
) -> Any:
    """What the source computes for rows (count, n), or one for all, (n,)."""
    made = Library(folder, cuda_source(tape, results, sizes, single=real == "float"), real)
    dtype = np.dtype(np.float32 if real == "float" else np.float64)
    rows = [np.ascontiguousarray(x, dtype) for x in given]
    out = np.full((len(rows[0]), *results.shape), np.nan, dtype)
    strides = [x.shape[-1] if x.ndim > 1 else 0 for x in rows]
    made.launch(*made.given(rows, strides), made.place(out), len(out))
    return out


pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")


def test_a_group_leaves_when_it_is_there(tmp_path: Path) -> None:
    m = heavy(2, 2)
    q, _, _ = state(m, 4, (65,))
    tape = Tape()
    results, sizes = forward_kinematics.trace_poses(program(m.tree), tape)
    out = launched(tmp_path, tape, results, [q], sizes, "double")
    np.testing.assert_allclose(out, m.forward_kinematics(q), rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 6, 9])
@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-12), ("float", 2e-4)])
def test_the_source_computes_what_numpy_does(
    seed: int, real: str, tolerance: float, tmp_path: Path
) -> None:
    m = heavy(seed, 7)
    q, v, a = state(m, 4, (71,))
    tape = Tape()
    results, sizes = forward_kinematics.trace_poses(program(m.tree), tape)
    out = launched(tmp_path, tape, results, [q], sizes, real)
    np.testing.assert_allclose(out, m.forward_kinematics(q), rtol=0, atol=tolerance)
    for kernel, given, expected in (
        (dynamics._mass_matrix, [q], m.mass_matrix(q)),
        (dynamics._inverse_dynamics, [q, v, a], m.inverse_dynamics(q, v, a, gravity=(0.1, 0.2, -9.0))),
        (dynamics._forward_dynamics, [q, v, a], m.forward_dynamics(q, v, a, gravity=(0.1, 0.2, -9.0))),
    ):
        tape, gravity = Tape(), len(given) > 1
        shapes = [x.shape[1:] for x in given]
        results, sizes = trace_kernel(m.tree, kernel, shapes, gravity, (), tape)
        rows = [*given, np.array([0.1, 0.2, -9.0])] if gravity else given
        out = launched(tmp_path, tape, results, rows, sizes, real)
        np.testing.assert_allclose(out, expected, rtol=0, atol=tolerance * np.abs(expected).max())
