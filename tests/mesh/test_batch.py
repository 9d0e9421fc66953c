"""Parts that are tessellated together have the surfaces of parts that are done alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unibody.files.access import MemoryFiles
from unibody.meshes.batch import Part, surface_alone, surfaces_of
from unibody.meshes.indexed import Polygons, Tables
from unibody.meshes.scene import Request
from unibody.meshes.surface import Surface, transformed, transformed_all
from unibody.text.finding import Findings

ARRAYS = ("vertices", "faces", "normals", "tex_coords", "colors")


def random_part(rng: Any, defect: str = "") -> Part:
    """A part of polygons with 0 to 7 corners, with or without normals and texture coordinates."""
    points = rng.normal(size=(rng.integers(4, 30), 3))
    counts = rng.integers(0, 8, rng.integers(1, 6)) if rng.random() < 0.7 else np.full(5, 4)
    corners = rng.integers(0, len(points), int(counts.sum()))
    tables, extra = {}, {}
    if rng.random() < 0.5:
        tables["normals"] = rng.normal(size=(9, 3))
        extra["normals"] = rng.integers(0, 9, corners.size)
    if rng.random() < 0.5:
        tables["tex_coords"] = rng.random((len(points), 2))
        extra["tex_coords"] = corners if rng.random() < 0.7 else rng.integers(0, len(points), corners.size)
    if defect == "index" and corners.size:
        corners = corners.copy()
        corners[0] = len(points)
    if defect == "normal":
        tables["normals"], extra["normals"] = rng.normal(size=(1, 3)), np.full(corners.size, 3)
    if defect == "number":
        points[0] = np.nan
    request = Request("a.wrl", MemoryFiles({}), Findings())
    return Part(
        Polygons(counts, corners, extra),
        Tables(points, tables),
        request,
        crease=float(rng.choice([0.0, 0.5, 2.0])),
        ccw=bool(rng.random() < 0.5),
        convex=bool(rng.random() < 0.5),
    )


def assert_same(a: Surface | None, b: Surface | None) -> None:
    if a is None or b is None:
        assert a is b
        return
    for name in ARRAYS:
        one, other = getattr(a, name), getattr(b, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.dtype == other.dtype
            assert one.shape == other.shape
            assert not one.flags.writeable
            np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-13)


@pytest.mark.parametrize("defect", ["", "index", "normal", "number"])
def test_parts_together_have_the_surfaces_of_parts_alone(defect: str) -> None:
    together = [random_part(np.random.default_rng(k), defect if k % 7 == 0 else "") for k in range(150)]
    alone = [random_part(np.random.default_rng(k), defect if k % 7 == 0 else "") for k in range(150)]
    made = surfaces_of(together)
    assert any(surface is None for surface in made)
    for part, other, surface in zip(together, alone, made, strict=True):
        assert_same(surface, surface_alone(other))
        assert list(part.request.findings) == list(other.request.findings)
    found = {f.code for part in together for f in part.request.findings}
    assert found == {"": set(), "number": {"mesh-not-finite"}}.get(defect, {"mesh-index"})


@pytest.mark.slow
def test_polygons_beyond_the_budget_are_done_alone() -> None:
    # a comb: ear clipping takes quadratic time
    n = 900
    x = np.repeat(np.arange(n), 2).astype(float)
    y = np.tile([0.0, 1.0], n) * (1.0 + np.arange(2 * n) % 3)
    points = np.stack([np.append(x, [n, 0]), np.append(y, [9.0, 9.0]), np.zeros(2 * n + 2)], axis=1)
    corners = np.arange(len(points))

    def comb() -> Part:
        request = Request("a.wrl", MemoryFiles({}), Findings())
        request.work.steps = 2_000_000
        return Part(Polygons(np.array([corners.size]), corners), Tables(points), request)

    expected = surface_alone(comb())
    for surface in surfaces_of([comb() for _ in range(6)]):
        assert_same(surface, expected)


def test_surfaces_are_moved_together_as_alone() -> None:
    rng = np.random.default_rng(3)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    linears = [
        np.eye(3),
        2.0 * np.eye(3),
        -np.eye(3),
        turn,
        -turn,
        np.diag([1.0, 2.0, 3.0]),
        rng.random((3, 3)),
    ]
    surfaces, matrices = list[Surface](), list[Any]()
    for k, linear in enumerate(linears * 2):
        matrix = np.eye(4)
        matrix[:3, :3] = linear
        matrix[:3, 3] = rng.normal(size=3) if k % 3 else 0.0
        normals = rng.normal(size=(5, 3)) if k % 4 else None
        surfaces.append(
            Surface(
                rng.normal(size=(5, 3)),
                rng.integers(0, 5, (4, 3), dtype=np.int32),
                None if normals is None else normals / np.linalg.norm(normals, axis=1)[:, None],
                name=f"part {k}",
            )
        )
        matrices.append(matrix)
    surfaces.append(Surface(rng.normal(size=(3, 3)), np.array([(0, 1, 2)], np.int32)))
    matrices.append(None)
    moved = transformed_all(surfaces, matrices)
    assert moved[-1] is surfaces[-1]
    for surface, matrix, made in zip(surfaces, matrices, moved, strict=True):
        expected = transformed(surface, matrix)
        assert_same(made, expected)
        assert made.name == expected.name
