"""Polygons that the model itself holds (ISO/IEC 14772-1, 6.23)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from unibody.meshes import MeshCache, Surface, area, shape_surfaces
from unibody.model import shape as s

SQUARE = (0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0)
ELL = (0, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0, 1, 2, 0, 0, 2, 0)


def read(textured: bool = False, **mesh: Any) -> tuple[list[Surface], list[str]]:
    cache = MeshCache()
    material = s.Material(texture=s.Texture(uri="a.png")) if textured else None
    shape = s.Shape(name="part", geometry=s.Mesh(**{"vertices": SQUARE, **mesh}), material=material)
    return shape_surfaces(shape, cache), [str(f) for f in cache.findings]


def one(**mesh: Any) -> Surface:
    surfaces, findings = read(**mesh)
    assert findings == []
    assert len(surfaces) == 1
    return surfaces[0]


def test_faces() -> None:
    assert one(faces=(0, 1, 2, -1, 0, 2, 3, -1)).faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    # the last face needs no −1
    assert one(faces=(0, 1, 2, -1, 0, 2, 3)).faces.shape == (2, 3)
    assert one(faces=(0, 1, 2, 3, -1), ccw=False).faces.tolist() == [[2, 1, 0], [3, 2, 0]]


@pytest.mark.parametrize("start", range(6))
def test_concave_faces_are_filled_unless_said_to_be_convex(start: int) -> None:
    faces = [*((start + i) % 6 for i in range(6)), -1]
    assert area(one(vertices=ELL, faces=faces, convex=False)) == pytest.approx(3.0)


def test_what_is_said_to_be_convex_is_believed() -> None:
    assert one(vertices=ELL, faces=(0, 1, 2, 3, 4, 5, -1), convex=True).faces.tolist() == [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 5],
    ]


def test_normals_of_vertices_faces_and_by_index() -> None:
    faces = (0, 1, 2, -1, 0, 2, 3, -1)
    up, side = (0, 0, 2), (3, 0, 0)
    by_vertex = one(faces=faces, normals=up * 4)
    assert by_vertex.normals is not None
    assert by_vertex.normals.tolist() == [[0, 0, 1]] * 4
    by_face = one(faces=faces, normals=up + side, normal_per_vertex=False)
    assert by_face.normals is not None
    assert by_face.normals[by_face.faces[:, 0]].tolist() == [[0, 0, 1], [1, 0, 0]]
    swapped = one(faces=faces, normals=up + side, normal_per_vertex=False, normal_indices=(1, 0))
    assert swapped.normals is not None
    assert swapped.normals[swapped.faces[:, 0]].tolist() == [[1, 0, 0], [0, 0, 1]]
    for index in ((0, 0, 1, -1, 1, 1, 1, -1), (0, 0, 1, 1, 1, 1)):
        indexed = one(faces=faces, normals=up + side, normal_indices=index)
        assert indexed.normals is not None
        assert indexed.normals[indexed.faces].tolist() == [
            [[0, 0, 1], [0, 0, 1], [1, 0, 0]],
            [[1, 0, 0]] * 3,
        ]


def test_colours_and_texture_coordinates() -> None:
    found = one(faces=(0, 1, 2, 3, -1), colors=(1, 0, 0) * 4, tex_coords=(0, 0, 1, 0, 1, 1, 0, 1))
    assert found.colors is not None
    assert found.tex_coords is not None
    assert found.colors.tolist() == [[1, 0, 0, 1]] * 4
    assert found.tex_coords.tolist() == found.vertices[:, :2].tolist()


def test_an_image_is_laid_along_the_longest_side() -> None:
    surfaces, _ = read(True, vertices=(0, 0, 0, 4, 0, 0, 4, 0, 2, 0, 0, 2), faces=(0, 1, 2, 3, -1))
    assert surfaces[0].tex_coords is not None
    assert surfaces[0].tex_coords.tolist() == [[0, 0], [1, 0], [1, 0.5], [0, 0.5]]


def test_creases() -> None:
    roof = (0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 2, 0, 0, 2, 0)
    faces = (0, 1, 2, 3, -1, 3, 2, 4, 5, -1)
    assert one(vertices=roof, faces=faces).normals is None
    sharp = one(vertices=roof, faces=faces, crease_angle=math.radians(80))
    smooth = one(vertices=roof, faces=faces, crease_angle=math.radians(100))
    assert sharp.normals is not None
    assert smooth.normals is not None
    ridge = smooth.vertices[:, 1] == 1.0
    assert np.allclose(smooth.normals[ridge], [0, 0, 1])
    assert np.allclose(np.abs(sharp.normals), [0, math.sqrt(0.5), math.sqrt(0.5)])


def test_what_is_wrong_is_found_with_the_shape_s_name() -> None:
    surfaces, findings = read(faces=(0, 1, 2, -1, 0, 2, 9, -1))
    assert surfaces[0].faces.shape == (1, 3)
    assert len(findings) == 1
    assert "shape 'part'" in findings[0]
    assert "[mesh-index]" in findings[0]
    surfaces, findings = read(faces=(0, 1, 2, -1), normals=(0, 0, 1))
    assert surfaces[0].normals is None
    assert "[mesh-index]" in findings[0]
    surfaces, findings = read(vertices=(0, 0, 0, 1, 0, 0, math.nan, 1, 0), faces=(0, 1, 2, -1))
    assert surfaces == []
    assert "[mesh-not-finite]" in findings[0]


@pytest.mark.parametrize(
    "mesh",
    [
        {"faces": ()},
        {"faces": (-1, -1, -1)},
        {"faces": (0, 1, -1)},
        {"vertices": (), "faces": ()},
        {"vertices": (0, 0), "faces": (-1,)},
    ],
)
def test_what_has_no_triangle(mesh: Any) -> None:
    assert read(**mesh)[0] == []


@pytest.mark.slow
def test_polygons_that_are_too_hard_are_told_of() -> None:
    rng = np.random.default_rng(3)
    n = 4000
    vertices = np.column_stack([rng.uniform(size=(n, 2)), np.zeros(n)]).reshape(-1)
    faces = np.append(np.arange(n), -1)
    _, findings = read(
        vertices=vertices, faces=np.concatenate([faces, faces[::-1][1:], [-1]]), convex=False
    )
    assert any("[polygons-too-hard]" in f for f in findings)
