"""3×3 matrices taken apart and put together again, singular, mirrored and of all sizes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from unibody.model.decomposition import eigenvalues, polar, product, singular_values
from unibody.model.pose import Matrix3

NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 2.0, 1e-8, 1e-200]) | st.floats(-10.0, 10.0)
ROWS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
MATRICES = st.tuples(st.tuples(ROWS, ROWS, ROWS), st.sampled_from([1.0, 1e-300, 1e290])).map(
    lambda drawn: tuple(tuple(value * drawn[1] for value in row) for row in drawn[0])
)


def is_rotation(m: Matrix3) -> bool:
    r = np.array(m)
    return bool(np.abs(r @ r.T - np.eye(3)).max() < 1e-13 and np.linalg.det(r) > 0.0)


def relative(m: Matrix3, size: float) -> NDArray[np.float64]:
    return np.array(m) / size


@given(MATRICES)
def test_parts_give_the_matrix(m: Matrix3) -> None:
    size = float(np.abs(np.array(m)).max()) or 1.0
    u, factors, v = singular_values(m)
    assert is_rotation(u)
    assert is_rotation(v)
    assert (
        np.abs(np.array(u) * (np.array(factors) / size) @ np.array(v).T - relative(m, size)).max() < 1e-13
    )
    turn, stretch = polar(m)
    assert is_rotation(turn)
    assert stretch == tuple(zip(*stretch, strict=True))
    assert np.abs(np.array(turn) @ relative(stretch, size) - relative(m, size)).max() < 1e-13


@given(MATRICES)
def test_axes_of_a_symmetric_matrix(m: Matrix3) -> None:
    size = float(np.abs(np.array(m)).max()) or 1.0
    (a, b, c), (_, d, e), (_, _, f) = m
    whole = ((a, b, c), (b, d, e), (c, e, f))
    factors, axes = eigenvalues(whole)
    assert is_rotation(axes)
    found = np.array(axes) * (np.array(factors) / size) @ np.array(axes).T
    assert np.abs(found - relative(whole, size)).max() < 1e-13


def test_products() -> None:
    a, b = (
        ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (7.0, 8.0, 9.0)),
        ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 2.0)),
    )
    assert np.array(product(a, b)).tolist() == (np.array(a) @ np.array(b)).tolist()
