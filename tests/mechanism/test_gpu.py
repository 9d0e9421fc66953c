"""Kernels on a GPU, on a stand-in for PyTorch: the source is compiled as C, arguments come as there."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import heavy, state
from tests.mechanism.test_cuda_code import COMPILER, Library

from unibody.mechanism import Mechanism, gpu, kinematics
from unibody.mechanism.arguments import find_frame
from unibody.mechanism.cuda_code import THREADS
from unibody.mechanism.dynamics import _inverse_dynamics
from unibody.mechanism.frame import Frame
from unibody.mechanism.state import trace_kernel

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")


class Tensor(np.ndarray[Any, Any]):
    """An array with the methods of a tensor that are used."""

    device: Any = "cuda:0"

    def contiguous(self) -> Tensor:
        return np.ascontiguousarray(self).view(Tensor)

    def element_size(self) -> int:
        return self.itemsize


def stand_in(folder: Path) -> Any:
    """What is used of PyTorch."""

    def compiled(source: str, name: str) -> Any:
        assert name == "run"
        launch = Library(folder, source, "double").launch

        def call(grid: tuple[int, ...], block: tuple[int, ...], args: list[Any]) -> None:
            *pairs, out, count = args
            tensors, strides = pairs[::2], pairs[1::2]
            assert grid == (-(-count // THREADS), 1, 1)
            assert block == (THREADS, 1, 1)
            launch(*Library.given(tensors, strides), Library.place(out), count)

        return call

    return SimpleNamespace(
        float32=np.dtype(np.float32),
        cuda=SimpleNamespace(device=lambda device: nullcontext(), _compile_kernel=compiled),
        empty=lambda shape, dtype, device: np.full(shape, np.nan, dtype).view(Tensor),
        tensor=lambda values, dtype, device: np.array(values, dtype).view(Tensor),
    )


def plain(m: Mechanism, given: Any, gravity: tuple[float, ...]) -> Any:
    q, v, a, force = (np.asarray(x) for x in given)
    return m.inverse_dynamics(q, v, a, force, gravity)


def called(m: Mechanism, count: int, gravity: tuple[float, ...], usual: Any) -> Any:
    q, v, a = (x.view(Tensor) for x in state(m, 4, (count,)))
    force = np.random.default_rng(1).normal(size=(count, len(m.link_names), 6)).view(Tensor)
    given = [q, v, a, force]
    shapes = [x.shape[1:] for x in given]

    def trace(tape: Any) -> Any:
        return trace_kernel(m.tree, _inverse_dynamics, shapes, True, (), tape)

    found = gpu.run_on_gpu(m.tree, (_inverse_dynamics,), trace, given, gravity, usual)
    return found, plain(m, given, gravity)


@pytest.mark.slow
def test_a_kernel_is_compiled_once_and_gets_forces_and_gravity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "_torch", lambda given: stand_in(tmp_path))
    monkeypatch.setattr(gpu, "_FEWEST", 65)
    m = heavy(3, 4)

    def usual(some: Any) -> Any:
        return plain(m, some, (0.0, 0.0, -9.0)).view(Tensor)

    assert called(m, 64, (0.0, 0.0, -9.0), usual)[0] is None
    for count, gravity in ((70, (0.0, 0.0, -9.0)), (129, (1.0, 2.0, 3.0))):
        found, expected = called(m, count, gravity, usual)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert len(list(tmp_path.glob("*.so"))) == 1


@pytest.mark.slow
def test_one_kernel_serves_all_points_of_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "_torch", lambda given: stand_in(tmp_path))
    m = heavy(3, 4)
    q, _, _ = (x.view(Tensor) for x in state(m, 4, (1030,)))
    link = m.link_names[int(m.order[-1])]
    for x in (0.1, -0.7):
        frame = find_frame(m.names, link, (x, 0.2, 0.3), "local")

        def usual(some: Any, frame: Frame = frame) -> Any:
            return kinematics.jacobian(m.tree, np.asarray(some[0]), frame).view(Tensor)

        trace = partial(trace_kernel, m.tree, kinematics._jacobian, [q.shape[1:]], False, (frame,))
        found = gpu.run_on_gpu(m.tree, frame.key, trace, [q], frame.numbers, usual)
        assert found is not None
        np.testing.assert_allclose(found, usual([q]), rtol=0, atol=1e-12)
    assert len(list(tmp_path.glob("*.so"))) == 1


def test_a_large_kernel_waits_until_it_is_worth_its_compilation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "_torch", lambda given: stand_in(tmp_path))
    monkeypatch.setattr(gpu, "_FEWEST", 65)
    monkeypatch.setattr(gpu, "_LARGE", 10)
    monkeypatch.setattr(gpu, "_PATIENCE", 250)
    m, gravity = heavy(3, 2), (0.0, 0.0, -9.0)

    def usual(some: Any) -> Any:
        return plain(m, some, gravity).view(Tensor)

    assert [called(m, 100, gravity, usual)[0] is None for _ in range(4)] == [True, True, False, False]
    monkeypatch.setattr(gpu, "_LARGEST", 10)
    m = heavy(3, 2)
    assert all(called(m, 1000, gravity, usual)[0] is None for _ in range(2))


def test_a_kernel_that_computes_something_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "_torch", lambda given: stand_in(tmp_path))
    monkeypatch.setattr(gpu, "_FEWEST", 65)
    m = heavy(3, 4)

    def usual(some: Any) -> Any:
        return np.ones((len(some[0]), m.nv)).view(Tensor)

    with pytest.warns(RuntimeWarning, match="from those of the usual path"):
        assert called(m, 70, (0.0, 0.0, -9.0), usual)[0] is None
    assert called(m, 70, (0.0, 0.0, -9.0), usual)[0] is None
