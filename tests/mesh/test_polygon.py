"""Polygons filled exactly: every triangle inside, none twice."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.meshes.normals import crease_normals, face_normals
from unibody.meshes.polygon import Work, owner_of, triangulate


def fill(points: object, work: Work | None = None) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Twice the signed areas of the triangles of one flat polygon."""
    flat = np.array(points, float)
    space = np.column_stack([flat, np.zeros(len(flat))])
    n = len(flat)
    made = triangulate(space, np.arange(n), np.array([n]), work or Work())
    assert made.shape == (n - 2, 3)
    a, b, c = (flat[made[:, i]] for i in range(3))
    u, v = b - a, c - a
    return np.asarray(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])


def twice_area(points: object) -> float:
    flat = np.array(points, float)
    x, y = flat.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


@given(st.lists(st.floats(0.1, 1.0), min_size=4, max_size=40), st.integers(0, 39), st.booleans())
def test_stars_of_any_radii(radii: list[float], start: int, clockwise: bool) -> None:
    n = len(radii)
    points = [
        (r * math.cos(2 * math.pi * k / n), r * math.sin(2 * math.pi * k / n)) for k, r in enumerate(radii)
    ]
    points = points[start % n :] + points[: start % n]
    if clockwise:
        points.reverse()
    areas = fill(points)
    assert areas.sum() == pytest.approx(twice_area(points))
    # seen from its own front no triangle is turned over
    assert (areas * np.sign(twice_area(points)) > -1e-12).all()


@pytest.mark.parametrize("start", range(4))
def test_a_quad_that_is_not_convex(start: int) -> None:
    arrow = [(0, 0), (2, -1), (1, 0), (2, 1)]
    areas = fill(arrow[start:] + arrow[:start])
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(twice_area(arrow))


def test_a_hole_reached_by_a_bridge() -> None:
    outer = [(0, 0), (6, 0), (6, 6), (0, 6)]
    hole = [(2, 2), (2, 4), (4, 4), (4, 2)]
    points = [outer[0], hole[0], *hole[1:], hole[0], *outer[:1], *outer[1:]]
    areas = fill(points)
    assert (areas >= -1e-12).all()
    assert areas.sum() == pytest.approx(2 * (36 - 4))


def test_straight_corners_and_doubled_points() -> None:
    points = [(0, 0), (1, 0), (2, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2), (0, 1)]
    areas = fill(points)
    assert areas.sum() == pytest.approx(6.0)
    assert (areas >= 0.0).all()


def test_a_comb() -> None:
    teeth = [p for k in range(100) for p in ((2 * k, 0), (2 * k + 1, 10))]
    points = [*teeth, (200, -1), (-1, -1)]
    points.reverse()
    areas = fill(points)
    assert areas.sum() == pytest.approx(twice_area(points))
    assert (areas * np.sign(twice_area(points)) > 0.0).all()


def test_a_polygon_that_crosses_itself_ends() -> None:
    assert len(fill([(0, 0), (2, 2), (2, 0), (0, 2), (5, 1)])) == 3
    assert len(fill([(0, 0)] * 7)) == 5


@pytest.mark.slow
def test_endless_work_is_cut_off() -> None:
    rng = np.random.default_rng(1)
    work = Work()
    started = time.process_time()
    for n in (3000, 100_000, 3000):
        fill(rng.uniform(size=(n, 2)), work)
    assert work.steps <= 0
    assert time.process_time() - started < 20.0


def test_owners_and_short_polygons() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], float)
    corners = np.array([0, 1, 2, 3, 0, 1, 1, 2, 3, 0, 1, 2])
    counts = np.array([4, 2, 0, 3, 3])
    made = triangulate(points, corners, counts, Work())
    assert made.tolist() == [[0, 1, 2], [0, 2, 3], [6, 7, 8], [9, 10, 11]]
    assert owner_of(counts).tolist() == [0, 0, 3, 4]
    assert triangulate(points, corners[:0], counts[:0]).shape == (0, 3)


CUBE = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
SIDES = np.array([0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5])


def test_normals_stay_apart_over_sharp_edges() -> None:
    counts = np.full(6, 4)
    flat = face_normals(CUBE, SIDES, counts)
    assert flat.tolist() == [[0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]]
    sharp = crease_normals(CUBE, SIDES, counts, math.radians(80))
    assert np.allclose(sharp, np.repeat(flat, 4, axis=0))
    smooth = crease_normals(CUBE, SIDES, counts, math.radians(100))
    # the normal of each corner points away from the middle
    assert np.allclose(smooth, (CUBE[SIDES] - 0.5) / np.linalg.norm(CUBE[SIDES] - 0.5, axis=1)[:, None])


def test_normals_where_very_many_faces_meet() -> None:
    n = 5000
    angles = np.linspace(0.0, 2.0 * math.pi, n, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(n)])
    points = np.vstack([[0.0, 0.0, 1.0], rim])
    k = np.arange(n)
    corners = np.column_stack([np.zeros(n, int), 1 + k, 1 + (k + 1) % n]).reshape(-1)
    started = time.process_time()
    normals = crease_normals(points, corners, np.full(n, 3), math.pi)
    assert time.process_time() - started < 20.0
    assert np.allclose(np.linalg.norm(normals, axis=1), 1.0)


def test_faces_without_extent_have_no_normal() -> None:
    points = np.zeros((3, 3))
    assert crease_normals(points, np.arange(3), np.array([3]), 1.0).tolist() == [[0.0] * 3] * 3
