"""Boxes and round shapes as triangles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unibody.meshes import MeshCache, Surface, area, bounds, shape_surfaces, signed_volume
from unibody.model import shape as s


def surface(geometry: s.Geometry, divisions: int | None = None) -> Surface:
    (found,) = shape_surfaces(s.Shape(geometry=geometry, divisions=divisions), MeshCache())
    return found


# triangles as in Choreonoid's tessellation: ../shared/oracle, links of one primitive
COUNTS = [
    (s.Box(size=(1, 2, 3)), None, 12),
    (s.Sphere(radius=1), None, 360),
    (s.Cylinder(radius=1, height=2), None, 80),
    (s.Cylinder(radius=1, height=2), 60, 240),
    (s.Cylinder(radius=1, height=2), 100, 400),
    (s.Cylinder(radius=1, height=2), 3, 80),
    (s.Cylinder(radius=1, height=2, top=False), None, 60),
    (s.Cylinder(radius=1, height=2, top=False, bottom=False), None, 40),
    (s.Cylinder(radius=1, height=2, side=False), None, 40),
    (s.Cone(radius=1, height=2), None, 40),
    (s.Cone(radius=1, height=2, bottom=False), None, 20),
    (s.Capsule(radius=1, height=2), None, 400),
    (s.Ellipsoid(radii=(1, 2, 3)), None, 360),
    (s.Plane(half_size=(1, 2)), None, 2),
    (s.Plane(), None, 2),
]


@pytest.mark.parametrize(("geometry", "divisions", "count"), COUNTS)
def test_triangle_counts(geometry: s.Geometry, divisions: int | None, count: int) -> None:
    found = surface(geometry, divisions)
    assert found.faces.shape == (count, 3)
    assert np.unique(found.faces).size == len(found.vertices)


SIZES = [
    (s.Box(size=(1, 2, 3)), (1, 2, 3), 6.0, 22.0),
    (s.Sphere(radius=2), (4, 4, 4), 4 / 3 * math.pi * 8, 4 * math.pi * 4),
    (s.Cylinder(radius=1, height=4), (2, 2, 4), 4 * math.pi, 10 * math.pi),
    (s.Cone(radius=3, height=4), (6, 6, 4), 12 * math.pi, 24 * math.pi),
    (s.Capsule(radius=1, height=2), (2, 2, 4), 10 / 3 * math.pi, 8 * math.pi),
    (s.Capsule(radius=1, height=0), (2, 2, 2), 4 / 3 * math.pi, 4 * math.pi),
    (s.Ellipsoid(radii=(1, 2, 3)), (2, 4, 6), 8 * math.pi, None),
]


@pytest.mark.parametrize(("geometry", "size", "volume", "skin"), SIZES)
def test_bounds_volume_and_area(
    geometry: s.Geometry, size: tuple[float, ...], volume: float, skin: float | None
) -> None:
    low, high = bounds([surface(geometry)]) or (None, None)
    assert low is not None
    assert high is not None
    assert np.allclose(high, np.array(size) / 2, rtol=1e-15)
    assert np.allclose(low, -np.array(size) / 2, rtol=1e-15)
    assert signed_volume(surface(geometry, 400)) == pytest.approx(volume, rel=2e-4)
    if skin is not None:
        assert area(surface(geometry, 400)) == pytest.approx(skin, rel=2e-4)


@pytest.mark.parametrize("geometry", [g for g, _, _, _ in SIZES])
def test_normals_look_outward(geometry: s.Geometry) -> None:
    found = surface(geometry, 100)
    assert found.normals is not None
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1.0)
    a, b, c = (found.vertices[found.faces[:, i]] for i in range(3))
    flat = np.cross(b - a, c - a)
    # the middle part of a capsule may have no height
    sized = np.linalg.norm(flat, axis=1) > 1e-12
    flat = flat[sized] / np.linalg.norm(flat[sized], axis=1)[:, None]
    for i in range(3):
        assert np.einsum("ij,ij->i", flat, found.normals[found.faces[sized, i]]).min() > 0.9


def test_open_shapes_are_where_their_closed_ones_are() -> None:
    whole = s.Cylinder(radius=1, height=2)
    top = surface(s.Cylinder(radius=1, height=2, bottom=False, side=False))
    assert np.allclose(top.vertices[:, 2], 1.0)
    assert top.normals is not None
    assert np.allclose(top.normals, [0, 0, 1])
    assert area(surface(whole)) == pytest.approx(
        sum(
            area(
                surface(
                    s.Cylinder(
                        radius=1, height=2, **{**dict.fromkeys(("top", "bottom", "side"), False), k: True}
                    )
                )
            )
            for k in ("top", "bottom", "side")
        )
    )


@pytest.mark.parametrize("geometry", [g for g, _, _ in COUNTS])
def test_texture_coordinates_are_within_the_image(geometry: s.Geometry) -> None:
    found = surface(geometry)
    assert found.tex_coords is not None
    assert found.tex_coords.shape == (len(found.vertices), 2)
    assert found.tex_coords.min() >= -1e-12
    assert found.tex_coords.max() <= 1 + 1e-12


def test_the_image_stands_upright_seen_from_outside() -> None:
    # of a triangle seen counter-clockwise, the image is not mirrored
    for geometry in (s.Box(size=(1, 2, 3)), s.Cylinder(radius=1, height=2), s.Sphere(radius=1)):
        found = surface(geometry)
        assert found.tex_coords is not None
        a, b, c = (found.tex_coords[found.faces[:, i]] for i in range(3))
        assert ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] > 0.0).all()
    box = surface(s.Box(size=(1, 1, 1)))
    assert box.tex_coords is not None
    sides = np.abs(box.normals[:, 2]) < 0.5 if box.normals is not None else None
    assert (box.tex_coords[sides][:, 1] == (box.vertices[sides][:, 2] > 0.0)).all()


@pytest.mark.parametrize(
    "geometry",
    [
        s.Sphere(radius=0.0),
        s.Sphere(radius=-1.0),
        s.Sphere(radius=math.nan),
        s.Sphere(radius=math.inf),
        s.Cylinder(radius=-1.0, height=1.0),
        s.Cylinder(radius=0.0, height=1.0),
        s.Capsule(radius=0.0, height=1.0),
        s.Capsule(radius=1.0, height=-1.0),
        s.Box(size=(0.0, 0.0, 1.0)),
        s.Cylinder(radius=1.0, height=1.0, top=False, bottom=False, side=False),
        s.LineSet(vertices=(0, 0, 0, 1, 1, 1), lines=(0, 1, -1)),
        s.PointSet(vertices=(0, 0, 0)),
    ],
)
def test_what_has_no_surface(geometry: s.Geometry) -> None:
    assert shape_surfaces(s.Shape(geometry=geometry), MeshCache()) == []


def test_a_box_may_be_flat() -> None:
    assert area(surface(s.Box(size=(2.0, 3.0, 0.0)))) == 12.0


def test_sides_are_bounded() -> None:
    assert surface(s.Cylinder(radius=1, height=1), 10**9).faces.shape == (4000, 3)
