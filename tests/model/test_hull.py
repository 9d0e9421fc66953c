"""Convex hulls: closed, convex and complete, however the points lie."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from unibody.model.arrays import Floats, Integers
from unibody.model.hull import convex_hull

#: Points on a grid of a few numbers: most of them in common planes, on common lines, or equal.
GRIDS = st.integers(1, 6).flatmap(
    lambda most: st.lists(st.tuples(*[st.integers(-most, most)] * 3), min_size=1, max_size=60)
)


def closed(faces: Integers) -> bool:
    """Whether each edge has one face on either side, and the surface is one sphere without holes."""
    edges = [(int(f[i]), int(f[(i + 1) % 3])) for f in faces for i in range(3)]
    if len(set(edges)) != len(edges) or {(b, a) for a, b in edges} != set(edges):
        return False
    beside = {edge: place for place, edge in enumerate(edges)}
    reached, waiting = {0}, [0]
    while waiting:
        row = waiting.pop()
        for a, b in edges[3 * row : 3 * row + 3]:
            other = beside[b, a] // 3
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    corners = len(np.unique(faces))
    return len(reached) == len(faces) and corners - len(edges) // 2 + len(faces) == 2


def side(points: Floats, face: tuple[int, int, int], other: int) -> Fraction:
    """Six times the exact volume of a face and a point; above 0 outside."""
    a, b, c, p = ([Fraction(float(x)) for x in points[i]] for i in (*face, other))
    u, v, w = ([x - y for x, y in zip(q, a, strict=True)] for q in (b, c, p))
    return (
        (u[1] * v[2] - u[2] * v[1]) * w[0]
        + (u[2] * v[0] - u[0] * v[2]) * w[1]
        + (u[0] * v[1] - u[1] * v[0]) * w[2]
    )


def lie_in_plane(points: Floats) -> bool:
    return int(np.linalg.matrix_rank((points - points[0]).astype(np.float64), tol=1e-6)) < 3


def check(points: Floats, least: float = 1e-13) -> Integers:
    """The hull of points, which is closed and contains all of them to ``least`` of their size."""
    faces = convex_hull(points)
    assert faces is not None
    corners = np.unique(faces)
    assert closed(faces)
    assert len(faces) == 2 * len(corners) - 4
    size = float(np.ptp(points, axis=0).max())
    middle = points.mean(axis=0)
    moved = (points - middle) / size
    a, b, c = (moved[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    directions = np.concatenate(
        [normals, np.random.default_rng(1).normal(size=(200, 3)), np.eye(3), -np.eye(3)]
    )
    lengths = np.linalg.norm(directions, axis=1)
    directions = directions[lengths > 0.0] / lengths[lengths > 0.0, None]
    for block in np.array_split(directions, len(directions) // 500 + 1):
        reached = (moved @ block.T).max(axis=0) - (moved[corners] @ block.T).max(axis=0)
        assert float(reached.max()) <= least
    return faces


@given(GRIDS, st.integers(-1000, 900))
@example([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 0, 0), (1, 1, 0)], 0)
def test_grids_have_exact_hulls(rows: list[tuple[int, int, int]], exponent: int) -> None:
    points = np.array(rows, np.float64)
    faces = convex_hull(np.ldexp(points, exponent))
    if faces is None:
        assert lie_in_plane(points)
        return
    assert closed(faces)
    for face in faces.tolist():
        assert all(side(points, face, other) <= 0 for other in range(len(points)))


@given(
    st.integers(0, 2**32 - 1),
    st.integers(4, 400),
    st.sampled_from(["ball", "sphere", "box", "cylinder", "float32", "lattice", "cone"]),
    st.floats(-9.0, 0.0),
    st.floats(-12.0, 6.0),
)
@example(1649, 119, "lattice", -3.896605044356275, -7.5)
@example(0, 17, "cylinder", -7.0, 6.0)
def test_clouds_have_hulls(seed: int, count: int, kind: str, thin: float, far: float) -> None:
    points = cloud(np.random.default_rng(seed), count, kind)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    points = (points * (1.0, 1.0, 10.0**thin)) @ turn + 10.0**far
    if convex_hull(points) is None:
        assert thin < -5.0 or far > 3.0 or count < 16
        return
    check(points, max(1e-13, 1e-15 * 10.0**far))


def cloud(generator: np.random.Generator, count: int, kind: str) -> Floats:
    points = generator.normal(size=(count, 3))
    if kind == "sphere":
        points /= np.linalg.norm(points, axis=1)[:, None]
    elif kind == "box":
        points = generator.uniform(-1.0, 1.0, (count, 3))
        points[np.arange(count), generator.integers(0, 3, count)] = generator.choice([-1.0, 1.0], count)
    elif kind == "cylinder":
        angles = generator.uniform(0.0, 6.3, count)
        points = np.column_stack(
            [np.cos(angles), np.sin(angles), generator.choice([-1.0, 0.3, 1.0], count)]
        )
    elif kind == "cone":
        angles = np.linspace(0.0, 2.0 * np.pi, count)
        points = np.column_stack([np.cos(angles), np.sin(angles), 0.0 * angles])
        points[0] = (0.0, 0.0, 1.0)
    elif kind == "float32":
        points = np.asarray(generator.uniform(size=(count, 3)).astype(np.float16), np.float64)
    elif kind == "lattice":
        points = generator.integers(0, 4, (count, 3)) / 3.0
    return np.asarray(points, np.float64)


def test_nearly_coplanar_points() -> None:
    # of which an earlier version made 143,610 faces
    generator = np.random.default_rng(5)
    for noise in (1e-5, 1e-8, 1e-11, 1e-13, 1e-15, 0.0):
        flat = np.column_stack([generator.uniform(size=(1676, 2)), np.zeros(1676)])
        flat[:, 2] = noise * generator.normal(size=1676)
        turn = np.linalg.qr(generator.normal(size=(3, 3)))[0]
        plane = flat @ turn
        if noise >= 1e-11:
            check(plane)
        else:
            assert convex_hull(plane) is None or noise == 1e-13
        check(np.concatenate([plane, [turn[2]]]))


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-300, 1e-30, 1e30, 1e300, 1.7e308])
def test_tiny_and_huge(scale: float) -> None:
    box = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
    faces = convex_hull(box * scale)
    assert faces is not None
    assert len(faces) == 12
    assert closed(faces)


def test_no_hull() -> None:
    for points in (
        np.zeros((0, 3)),
        np.zeros((100, 3)),
        np.ones((3, 3)),
        np.arange(30.0).reshape(-1, 3),
        np.column_stack([np.random.default_rng(0).normal(size=(50, 2)), np.ones(50)]),
    ):
        assert convex_hull(points) is None
    with pytest.raises(ValueError, match="not finite"):
        convex_hull(np.array([[0.0, 0.0, np.nan]] * 4))


def test_duplicates() -> None:
    points = np.random.default_rng(2).normal(size=(200, 3))
    faces, more = convex_hull(points), convex_hull(np.repeat(points, 6, axis=0))
    assert faces is not None
    assert more is not None
    assert len(faces) == len(more)
    assert closed(more)


@pytest.mark.slow
def test_many_points() -> None:
    generator = np.random.default_rng(3)
    points = generator.normal(size=(20_000, 3))
    sphere = points / np.linalg.norm(points, axis=1)[:, None]
    faces = convex_hull(sphere)
    assert faces is not None
    assert len(faces) == 2 * 20_000 - 4
    check(points)
    sides = generator.uniform(-1.0, 1.0, (100_000, 3))
    sides[np.arange(100_000), generator.integers(0, 3, 100_000)] = 1.0
    check(sides)
    # a fan of which all faces are seen at once by the tip
    angles = np.linspace(0.0, 2.0 * np.pi, 5000, endpoint=False)
    check(np.concatenate([np.column_stack([np.cos(angles), np.sin(angles), 0.0 * angles]), [[0, 0, 1e-3]]]))


@given(st.integers(0, 2**32 - 1), st.integers(4, 300), st.floats(1e-6, 0.5))
def test_no_point_is_higher_than_asked(seed: int, count: int, height: float) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    faces = convex_hull(points, height)
    assert faces is not None
    assert closed(faces)
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    heights = points @ normals.T - np.einsum("ij,ij->i", normals, a)
    assert float(heights.max()) <= height * (1.0 + 1e-9)
    whole = convex_hull(points)
    assert whole is not None
    assert len(faces) <= len(whole)
