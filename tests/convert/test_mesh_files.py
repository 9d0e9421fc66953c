"""Mesh files that are written, as unibody and others read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.formats.sidecar_mesh import read_arrays, turned
from unibody.meshes import MeshCache, Surface
from unibody.meshes.write_obj import Library, polygons_obj, surfaces_obj
from unibody.model.changes.meshes import outward, per_corner, turned_over
from unibody.model.shape import Material, Mesh, MeshFile

SQUARE = (0.0, 0, 0, 0.1, 0, 0, 0.1, 1 / 3, 0, 0, 1e-7, 2.0)


def read_back(path: Path) -> tuple[Surface, ...]:
    cache = MeshCache()
    found = cache.surfaces(MeshFile(uri=path.name, path=str(path)))
    assert [f for f in cache.findings if f.severity != "info"] == []
    return found


@st.composite
def meshes(draw: st.DrawFn) -> Mesh:
    """Polygons over a few points, with every kind of list beside them."""
    numbers = st.floats(-10, 10)
    count = draw(st.integers(3, 8))
    faces: list[int] = []
    for _ in range(draw(st.integers(1, 4))):
        corners = draw(st.lists(st.integers(0, count - 1), min_size=3, max_size=5, unique=True))
        faces += [*corners, -1]
    normals = draw(st.lists(numbers, min_size=3 * count, max_size=3 * count)) if draw(st.booleans()) else []
    coords = draw(st.lists(numbers, min_size=2 * count, max_size=2 * count)) if draw(st.booleans()) else []
    own = draw(st.booleans())
    return Mesh(
        vertices=tuple(draw(st.lists(numbers, min_size=3 * count, max_size=3 * count))),
        faces=tuple(faces),
        normals=tuple(normals),
        tex_coords=tuple(coords),
        tex_coord_indices=tuple(faces) if coords and own else (),
        ccw=draw(st.booleans()),
    )


@given(meshes())
def test_polygons_come_back_exactly(mesh: Mesh) -> None:
    data = polygons_obj(mesh)
    assert data is not None
    arrays = read_arrays(data)
    if not mesh.ccw:
        arrays = turned(arrays)
    for name in ("vertices", "faces", "normals", "tex_coords"):
        assert tuple(arrays.get(name, ())) == tuple(getattr(mesh, name))


@given(meshes())
def test_turning_over_twice_changes_nothing(mesh: Mesh) -> None:
    assert turned_over(turned_over(mesh)) == mesh
    assert outward(mesh).ccw


def test_face_normals_at_each_corner() -> None:
    mesh = Mesh(
        vertices=SQUARE,
        faces=(0, 1, 2, -1, 0, 2, 3, -1),
        normals=(0.0, 0, 1, 0, 1, 0),
        normal_indices=(1, 0),
        normal_per_vertex=False,
    )
    made = per_corner(mesh)
    assert made.normal_indices == (1, 1, 1, -1, 0, 0, 0, -1)
    assert made.normal_per_vertex


def test_triangles_with_materials(tmp_path: Path) -> None:
    red = Material(diffuse=(1.0, 0.25, 0.125), transparency=0.5, specular_exponent=12.0)
    vertices = np.array(SQUARE).reshape(-1, 3)
    surfaces = [
        Surface(vertices, np.array([[0, 1, 2]], np.int32), material=red, name="front"),
        Surface(
            vertices + 1.0,
            np.array([[0, 2, 3], [1, 2, 3]], np.int32),
            normals=np.tile([0.0, 0.6, 0.8], (4, 1)),
            tex_coords=np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]),
            colors=np.array([[1.0, 0, 0, 1]] * 4),
        ),
    ]
    obj, mtl = surfaces_obj(surfaces, Library(), "part.mtl")
    assert mtl is not None
    (tmp_path / "part.obj").write_bytes(obj)
    (tmp_path / "part.mtl").write_bytes(mtl)
    found = read_back(tmp_path / "part.obj")
    assert len(found) == 2
    assert found[0].material is not None
    assert found[0].material.diffuse == red.diffuse
    assert found[0].material.transparency == red.transparency
    for a, b in zip(found, surfaces, strict=True):
        assert np.array_equal(a.vertices[a.faces], b.vertices[b.faces])
    assert found[1].normals is not None
    assert np.allclose(found[1].normals, [0.0, 0.6, 0.8])


def test_others_read_them(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    data = polygons_obj(Mesh(vertices=SQUARE, faces=(0, 1, 2, 3, -1)))
    assert data is not None
    (tmp_path / "part.obj").write_bytes(data)
    assert len(trimesh.load(tmp_path / "part.obj", force="mesh").faces) == 2
