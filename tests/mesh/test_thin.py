"""Flat meshes, and the point that gives their hull a volume."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unibody.meshes.thin import THICKNESS, is_flat, with_four_points, with_thickness
from unibody.model.area import area
from unibody.model.shape import Mesh

SQUARE = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)])
TURN = np.array([(0.36, 0.48, -0.8), (-0.8, 0.6, 0.0), (0.48, 0.64, 0.6)])


def mesh(points: Any, *faces: int) -> Mesh:
    return Mesh(vertices=tuple(points.reshape(-1).tolist()), faces=faces)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_flat_in_any_direction(size: float) -> None:
    points = size * (SQUARE @ TURN.T) + np.array([3.0, -2.0, 1.0])
    assert is_flat(points)
    assert not is_flat(
        points + 1e-2 * size * np.array([(1.0, 0.0, 0.0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]) @ TURN
    )


def test_a_flat_mesh_gets_one_point_beside_its_plane() -> None:
    flat = mesh(SQUARE @ TURN.T, 0, 1, 2, -1, 0, 2, 3, -1)
    thick = with_thickness(flat)
    points = np.asarray(thick.vertices).reshape(-1, 3)
    assert len(points) == 5
    assert thick.faces == flat.faces
    assert abs((points[4] @ TURN)[2]) == pytest.approx(THICKNESS, rel=0.1)
    assert with_thickness(thick) is thick


def test_a_triangle_gets_a_fourth_point() -> None:
    assert len(with_four_points(mesh(SQUARE[:3], 0, 1, 2, -1)).vertices) == 12
    square = mesh(SQUARE, 0, 1, 2, 3, -1)
    assert with_four_points(square) is square


def test_areas_of_triangles_and_polygons() -> None:
    assert area(mesh(SQUARE @ TURN.T, 0, 1, 2, 3, -1)) == pytest.approx(1.0)
    assert area(mesh(SQUARE, 0, 1, 2, -1, 0, 2, 3, -1)) == pytest.approx(1.0)
    assert area(mesh(SQUARE, 0, 1, 0, -1)) == 0.0


@pytest.mark.parametrize("far", [10.0, 1e3, 1e6])
def test_single_precision_leaves_a_flat_mesh_flat_and_the_point_beside_it(far: float) -> None:
    points = (SQUARE @ TURN.T + far).astype(np.float32).astype(np.float64)
    assert is_flat(points)
    thick = np.asarray(with_thickness(mesh(points, 0, 1, 2, -1, 0, 2, 3, -1)).vertices)
    assert not is_flat(thick.reshape(-1, 3).astype(np.float32).astype(np.float64))
