"""Elevation grids and extrusions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.formats.vrml97.test_geometry import drawn, one, surfaces

from unibody.meshes import bounds, signed_volume
from unibody.model import shape as s

GRID = "xDimension 3 zDimension 2 height [ 0 1 2 3 4 5 ]"


def test_every_field_of_a_grid() -> None:
    made, reading = one(
        f"ElevationGrid {{ {GRID} xSpacing 2 zSpacing 3 ccw FALSE solid FALSE creaseAngle 0.5 "
        "colorPerVertex FALSE color Color { color [ 1 0 0, 0 1 0 ] } normalPerVertex FALSE "
        "normal Normal { vector [ 0 1 0, 0 1 0 ] } "
        "texCoord TextureCoordinate { point [ 0 0, 0 1, 0 2, 1 0, 1 1, 1 2 ] } }"
    )
    assert reading.findings == []
    assert made == s.ElevationGrid(
        x_dimension=3,
        z_dimension=2,
        x_spacing=2.0,
        z_spacing=3.0,
        heights=(0.0, 1.0, 2.0, 3.0, 4.0, 5.0),
        colors=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        color_per_vertex=False,
        normals=(0.0, 1.0, 0.0, 0.0, 1.0, 0.0),
        normal_per_vertex=False,
        tex_coords=(0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 1.0, 1.0, 1.0, 2.0),
        ccw=False,
        solid=False,
        crease_angle=0.5,
    )


def test_the_spacing_of_the_standard() -> None:
    """Facts B.8: Choreonoid's default is 0, the standard's 1."""
    low, high = bounds([drawn(f"ElevationGrid {{ {GRID} }}")]) or (np.zeros(3), np.zeros(3))
    assert (high - low).tolist() == [2.0, 5.0, 1.0]


@pytest.mark.parametrize("height", ["0 1 2", "0 1 2 3 4 5 6"])
def test_a_grid_with_another_number_of_heights(height: str) -> None:
    made, reading = one(f"ElevationGrid {{ xDimension 3 zDimension 2 height [ {height} ] }}")
    assert reading.told == ["grid-size"]
    assert len(made.heights) in (0, 6)


def test_the_extrusion_of_the_standard() -> None:
    made, reading = one("Extrusion { }")
    assert made.section == (1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
    assert made.spine == (0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    assert made.orientation == (0.0, 0.0, 1.0, 0.0)
    assert reading.findings == []
    surface = drawn("Extrusion { }")
    # seen from outside, counter-clockwise
    assert signed_volume(surface) == pytest.approx(4.0)


def test_every_field_of_an_extrusion() -> None:
    made, reading = one(
        "Extrusion { crossSection [ 0 0, 1 0, 0 1, 0 0 ] spine [ 0 0 0, 0 1 0, 0 3 0 ] "
        "scale [ 1 1, 2 2, 3 3 ] orientation 0 1 0 1.5 beginCap FALSE endCap FALSE ccw FALSE "
        "solid FALSE creaseAngle 0.5 convex FALSE }"
    )
    assert reading.findings == []
    assert made == s.Extrusion(
        section=(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
        spine=(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0),
        scale=(1.0, 1.0, 2.0, 2.0, 3.0, 3.0),
        orientation=(0.0, 1.0, 0.0, 1.5),
        begin_cap=False,
        end_cap=False,
        ccw=False,
        solid=False,
        crease_angle=0.5,
    )


@pytest.mark.parametrize("rows", ["1 1, 2 2", "1 1, 2 2, 3 3, 4 4"])
def test_lists_that_do_not_fit_the_spine(rows: str) -> None:
    made, reading = one(f"Extrusion {{ spine [ 0 0 0, 0 1 0, 0 3 0 ] scale [ {rows} ] }}")
    assert reading.told == ["list-length"]
    assert made.scale[:4] == (1.0, 1.0, 2.0, 2.0)
    assert len(made.scale) == 6


def test_an_extrusion_that_is_too_short() -> None:
    made, reading = one("Extrusion { spine [ 0 0 0 ] }")
    assert reading.told == ["extrusion-short"]
    assert made.spine == ()
    assert surfaces("Shape { geometry Extrusion { spine [ 0 0 0 ] } }")[0] == []
