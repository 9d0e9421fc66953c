"""Shapes of equal geometry share one surface, and crease normals of equal faces are equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unibody.meshes import MeshCache, shape_surfaces, tessellation
from unibody.meshes.cache import placed_surfaces
from unibody.meshes.normals import crease_normals, face_normals
from unibody.meshes.surface import cofactors, cross
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.text.finding import Finding

SQUARE = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0)
STRIP = tuple(float(n) for k in range(40) for n in (k, 0, 0, k, 1, k % 3))
MOVED = Pose((0.0, 0.0, 1.0))
TEXTURE = s.Material(texture=s.Texture(uri="a.png"))

#: Two shapes, and whether they have the same surface.
PAIRS: dict[str, tuple[s.Geometry, dict[str, Any], s.Geometry, dict[str, Any], bool]] = {
    "boxes": (s.Box(size=(1.0, 2.0, 3.0)), {}, s.Box(size=(1.0, 2.0, 3.0)), {}, True),
    "other size": (s.Box(size=(1.0, 2.0, 3.0)), {}, s.Box(size=(1.0, 2.0, 4.0)), {}, False),
    "other sides": (s.Sphere(radius=1.0), {}, s.Sphere(radius=1.0), {"divisions": 8}, False),
    "other kind": (s.Cylinder(radius=1.0, height=1.0), {}, s.Capsule(radius=1.0, height=1.0), {}, False),
    "meshes": (
        s.Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)),
        {},
        s.Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)),
        {"material": s.Material()},
        True,
    ),
    "long lists": (
        s.Mesh(vertices=s.floats(STRIP), faces=(0, 1, 2, -1)),
        {},
        s.Mesh(vertices=s.floats(STRIP), faces=(0, 1, 2, -1)),
        {},
        True,
    ),
    "other numbers": (
        s.Mesh(vertices=s.floats(STRIP), faces=(0, 1, 2, -1)),
        {},
        s.Mesh(vertices=s.floats(STRIP[::-1]), faces=(0, 1, 2, -1)),
        {},
        False,
    ),
    "textured": (
        s.Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)),
        {},
        s.Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)),
        {"material": TEXTURE},
        False,
    ),
    "extrusions": (
        s.Extrusion(section=(0, 0, 1, 0, 1, 1), spine=(0, 0, 0, 0, 1, 0)),
        {},
        s.Extrusion(section=(0, 0, 1, 0, 1, 1), spine=(0, 0, 0, 0, 1, 0)),
        {},
        True,
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_equal_geometry_shares_a_surface(name: str) -> None:
    a, more_a, b, more_b, same = PAIRS[name]
    cache = MeshCache()
    (first,) = shape_surfaces(s.Shape(geometry=a, **more_a), cache)
    (second,) = shape_surfaces(s.Shape(geometry=b, **more_b), cache)
    assert (first is second) is same


def test_equal_placements_share_a_surface() -> None:
    cache, shape = MeshCache(), s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0)), pose=MOVED)
    (first,), (second,) = placed_surfaces(shape, cache), placed_surfaces(shape, cache)
    assert first is second
    assert first.vertices[:, 2].min() == 0.5


def test_geometry_with_findings_is_reported_for_each_shape() -> None:
    cache = MeshCache()
    broken = s.Mesh(vertices=SQUARE, faces=(0, 1, 2, -1, 0, 1, 9, -1))
    for name in ("one", "two"):
        shape_surfaces(s.Shape(name=name, geometry=broken), cache)
    assert [f.message.split(":")[0] for f in cache.findings] == ["shape 'one'", "shape 'two'"]


def test_surfaces_beyond_the_room_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tessellation, "_MOST_KEPT", 10)
    cache, shape = MeshCache(), s.Shape(geometry=s.Sphere(radius=1.0))
    (first,), (second,) = shape_surfaces(shape, cache), shape_surfaces(shape, cache)
    assert first is not second
    assert np.array_equal(first.vertices, second.vertices)


def test_cross_products_are_those_of_numpy() -> None:
    a, b = np.random.default_rng(1).normal(size=(2, 5, 4, 3))
    assert np.array_equal(cross(a, b), np.cross(a, b))
    rows = a[0, :3]
    expected = [np.cross(rows[i], rows[(i + 1) % 3]) for i in (1, 2, 0)]
    assert np.array_equal(cofactors(rows), expected)


def mixed(sizes: Any, points: int = 30) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(len(sizes))
    counts = np.array(sizes, np.int64)
    return rng.normal(size=(points, 3)), rng.integers(0, points, int(counts.sum())), counts


@pytest.mark.parametrize("count", [3, 4, 7])
def test_faces_of_one_size_have_the_normals_of_mixed_faces(count: int) -> None:
    points, corners, counts = mixed([count] * 20 + [0])
    assert np.array_equal(
        face_normals(points, corners, counts)[:-1], face_normals(points, corners, counts[:-1])
    )


@pytest.mark.parametrize("sizes", [[3] * 200, [4] * 9, [3, 5, 0, 4] * 30])
def test_crease_normals_are_the_means_of_near_faces(sizes: list[int]) -> None:
    points, corners, counts = mixed(sizes)
    faces = face_normals(points, corners, counts)
    own = faces[np.repeat(np.arange(counts.size), counts)]
    expected = own.copy()
    for k, point in enumerate(corners):
        around = own[corners == point]
        total = around[around @ own[k] >= np.cos(1.0)].sum(axis=0)
        expected[k] = total / np.linalg.norm(total) if np.linalg.norm(total) > 1e-9 else own[k]
    assert np.allclose(crease_normals(points, corners, counts, 1.0), expected)


def test_findings_about_lists_are_reported_for_each_shape() -> None:
    finding = Finding("last-face-open", "warning", "last face without a final -1 is kept")
    cache, surfaces = MeshCache(), list[Any]()
    for x in range(3):
        mesh = s.defer_geometry(s.Mesh, lambda: (s.Mesh(vertices=SQUARE, faces=(0, 1, 2, -1)), [finding]))
        surfaces += placed_surfaces(s.Shape(geometry=mesh, pose=Pose((float(x // 2), 0.0, 0.0))), cache)
    assert list(cache.findings) == [finding] * 3
    assert surfaces[0] is surfaces[1]
    assert surfaces[2].faces is surfaces[0].faces
