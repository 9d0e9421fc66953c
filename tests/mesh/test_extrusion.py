"""Extrusions (ISO/IEC 14772-1, 6.18) and elevation grids (6.17)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from unibody.meshes import MeshCache, Surface, area, bounds, shape_surfaces, signed_volume
from unibody.meshes.extrusion import spine_frames
from unibody.model import shape as s

# counter-clockwise seen from +Y, as the standard's own default section
SQUARE = (1, 1, 1, -1, -1, -1, -1, 1, 1, 1)


def surface(geometry: s.Geometry, **more: Any) -> Surface:
    (found,) = shape_surfaces(s.Shape(geometry=geometry, **more), MeshCache())
    return found


def extrusion(section: Any = SQUARE, spine: Any = (0, 0, 0, 0, 1, 0), **more: Any) -> Surface:
    return surface(s.Extrusion(section=section, spine=spine, **more))


def test_the_default_of_the_standard_is_a_box_facing_outward() -> None:
    found = extrusion()
    assert found.faces.shape == (12, 3)
    assert signed_volume(found) == pytest.approx(4.0)
    low, high = bounds([found]) or (None, None)
    assert low is not None
    assert high is not None
    assert (low.tolist(), high.tolist()) == ([-1, 0, -1], [1, 1, 1])


def test_clockwise_turns_it_inside_out() -> None:
    assert signed_volume(extrusion(ccw=False)) == pytest.approx(-4.0)


def test_caps() -> None:
    assert extrusion(begin_cap=False).faces.shape == (10, 3)
    assert extrusion(begin_cap=False, end_cap=False).faces.shape == (8, 3)
    assert area(extrusion(begin_cap=False, end_cap=False)) == pytest.approx(8.0)
    # an open section has the caps that it would have if it were closed
    assert area(extrusion(SQUARE[:8])) == pytest.approx(8.0 - 2.0 + 8.0)


def test_a_concave_section_has_exact_caps() -> None:
    ell = (0, 0, 0, 2, 1, 2, 1, 1, 2, 1, 2, 0, 0, 0)
    assert signed_volume(extrusion(ell)) == pytest.approx(3.0)


@pytest.mark.parametrize(
    "direction",
    [
        (0, 1, 0),
        (0, -1, 0),
        (1, 0, 0),
        (0, 0, 1),
        (1, 1, 0),
        (1, 1, 1),
        (-1, -2, 3),
        (1e-9, -1, 0),
        (0, 0.001, 0),
    ],
)
@pytest.mark.parametrize("points", [2, 4])
def test_straight_spines_in_any_direction_are_prisms(direction: Any, points: int) -> None:
    along = np.array(direction, float)
    spine = (np.linspace(0.0, 1.0, points)[:, None] * along).reshape(-1)
    found = extrusion((2, 1, 2, 0, 0, 0, 0, 1, 2, 1), tuple(spine))
    length = float(np.linalg.norm(along))
    assert signed_volume(found) == pytest.approx(2.0 * length)
    # two caps of 2 and four sides around 6
    assert area(found) == pytest.approx(4.0 + 6.0 * length)


def test_the_frame_of_an_oblique_spine_is_the_shortest_turn_of_y() -> None:
    frame = spine_frames(np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]))[0]
    h = math.sqrt(0.5)
    assert np.allclose(frame, np.array([[h, h, 0], [-h, h, 0], [0, 0, 1]]))


def test_frames_of_a_bent_spine() -> None:
    spine = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]], float)
    frames = spine_frames(spine)
    h = math.sqrt(0.5)
    # Y: along, halfway between the parts at a bend; Z: square to the bend, all the way
    assert np.allclose(frames[:, :, 1], np.array([[0, 1, 0], [h, h, 0], [1, 0, 0], [1, 0, 0]]))
    assert np.allclose(np.abs(frames[:, :, 2]), [[0, 0, 1]] * 4)
    assert np.allclose(frames[0, :, 2], frames[3, :, 2])
    for frame in frames:
        assert np.allclose(frame @ frame.T, np.eye(3))
        assert np.linalg.det(frame) == pytest.approx(1.0)


def test_an_s_bend_does_not_flip_the_section() -> None:
    spine = (0, 0, 0, 0, 1, 0, 1, 2, 0, 1, 3, 0)
    frames = spine_frames(np.array(spine, float).reshape(-1, 3))
    assert (np.einsum("ij,ij->i", frames[1:, :, 2], frames[:-1, :, 2]) > 0.0).all()


def test_points_that_coincide_share_a_frame() -> None:
    spine = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0], [1, 1, 0]], float)
    frames = spine_frames(spine)
    assert np.allclose(frames[1], frames[2])
    assert np.isfinite(frames).all()
    assert np.isfinite(spine_frames(np.zeros((3, 3)))).all()


def test_a_ring_closes() -> None:
    angles = np.linspace(0.0, 2.0 * math.pi, 65)
    spine = np.column_stack([4 * np.cos(angles), np.zeros(65), 4 * np.sin(angles)])
    spine[-1] = spine[0]
    found = extrusion(tuple(np.array(SQUARE) * 0.5), tuple(spine.reshape(-1)))
    # no caps: 64 × 4 sides, and every edge between two triangles
    assert found.faces.shape == (64 * 4 * 2, 3)
    edges = np.sort(np.concatenate([found.faces[:, [i, (i + 1) % 3]] for i in range(3)]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert abs(signed_volume(found)) == pytest.approx(2 * math.pi * 4, rel=0.01)


def test_scale_and_orientation() -> None:
    assert signed_volume(extrusion(scale=(2, 3))) == pytest.approx(24.0)
    assert signed_volume(extrusion(scale=(1, 1, 0, 0))) == pytest.approx(4.0 / 3.0)
    turned = extrusion(orientation=(0, 1, 0, math.pi / 4))
    low, _ = bounds([turned]) or (None, None)
    assert low is not None
    assert np.allclose(low, [-math.sqrt(2), 0, -math.sqrt(2)])


def test_creases() -> None:
    flat = extrusion()
    assert flat.normals is None
    smooth = extrusion(crease_angle=math.radians(100))
    assert smooth.normals is not None
    middle = np.array([0.0, 0.5, 0.0])
    assert (np.einsum("ij,ij->i", smooth.normals, smooth.vertices - middle) > 0.0).all()
    inside = extrusion(crease_angle=math.radians(100), ccw=False)
    assert inside.normals is not None
    assert (np.einsum("ij,ij->i", inside.normals, inside.vertices - middle) < 0.0).all()


@pytest.mark.parametrize("values", [((), ()), ((0, 0), (0, 0, 0)), (SQUARE, (0, 0, 0))])
def test_too_few_points_have_no_surface(values: Any) -> None:
    shape = s.Shape(geometry=s.Extrusion(section=values[0], spine=values[1]))
    assert shape_surfaces(shape, MeshCache()) == []


def test_too_many_points_are_refused() -> None:
    cache = MeshCache()
    shape = s.Shape(geometry=s.Extrusion(section=np.zeros(10_000), spine=np.zeros(9_000)))
    assert shape_surfaces(shape, cache) == []
    assert [f.code for f in cache.findings] == ["mesh-too-large"]


def test_texture_coordinates() -> None:
    material = s.Material(texture=s.Texture(uri="a.png"))
    found = surface(s.Extrusion(section=SQUARE, spine=(0, 0, 0, 0, 1, 0)), material=material)
    assert found.tex_coords is not None
    assert (found.tex_coords.min(), found.tex_coords.max()) == (0.0, 1.0)
    assert extrusion().tex_coords is None


def grid(**more: Any) -> s.ElevationGrid:
    plain = {"x_dimension": 3, "z_dimension": 2, "x_spacing": 2.0, "z_spacing": 5.0}
    return s.ElevationGrid(**{**plain, "heights": (0, 0, 0, 0, 0, 0), **more})


def test_an_elevation_grid_faces_up() -> None:
    found = surface(grid())
    assert found.faces.shape == (4, 3)
    assert area(found) == pytest.approx(20.0)
    low, high = bounds([found]) or (None, None)
    assert low is not None
    assert high is not None
    assert (low.tolist(), high.tolist()) == ([0, 0, 0], [4, 0, 5])
    a, b, c = (found.vertices[found.faces[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 1] > 0.0).all()
    down = surface(grid(ccw=False))
    a, b, c = (down.vertices[down.faces[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 1] < 0.0).all()


def test_heights_run_along_x_first() -> None:
    found = surface(grid(heights=(0, 1, 2, 3, 4, 5)))
    at = {(x, z): y for x, y, z in found.vertices.tolist()}
    assert at[4.0, 0.0] == 2.0
    assert at[0.0, 5.0] == 3.0


def test_colours_of_an_elevation_grid() -> None:
    by_face = surface(grid(colors=(1, 0, 0, 0, 1, 0), color_per_vertex=False))
    assert by_face.colors is not None
    assert by_face.colors[by_face.faces[0, 0]].tolist() == [1, 0, 0, 1]
    assert by_face.colors[by_face.faces[2, 0]].tolist() == [0, 1, 0, 1]
    by_vertex = surface(grid(colors=np.linspace(0, 1, 18)))
    assert by_vertex.colors is not None
    assert by_vertex.colors.shape == (6, 4)


def test_heights_that_do_not_fit() -> None:
    for wrong in (grid(heights=(0.0,) * 5), grid(x_dimension=1), grid(z_dimension=10**9)):
        assert shape_surfaces(s.Shape(geometry=wrong), MeshCache()) == []
