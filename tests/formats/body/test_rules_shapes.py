"""Geometry and appearance in Body files: sections A.11 and A.12 of the facts page, one test per rule."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.formats.body.cases import (
    TETRAHEDRON,
    TRIANGLE,
    close,
    element,
    error,
    geometry,
    matrix,
    shape,
    shapes,
)

from unibody.meshes.extrusion import extrude
from unibody.model.shape import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    ElevationGrid,
    Extrusion,
    Material,
    Mesh,
    Shape,
    Sphere,
    Texture,
    TextureTransform,
)

# --- A.11: geometry ------------------------------------------------------------------------


def test_a11_defaults_and_old_spellings() -> None:
    assert geometry("type: Box") == Box(size=(1.0, 1.0, 1.0))
    assert geometry("type: Sphere") == Sphere(radius=1.0)
    assert geometry("type: Cylinder") == Cylinder(radius=1.0, height=1.0)
    assert geometry("type: Cone") == Cone(radius=1.0, height=1.0)
    assert geometry("type: Capsule") == Capsule(radius=1.0, height=1.0)
    assert geometry("type: Cylinder, top: false, bottom: no, radius: 2, height: 3") == Cylinder(
        radius=2.0, height=3.0, top=False, bottom=False
    )
    assert geometry("type: Cone, bottom: false") == Cone(radius=1.0, height=1.0, bottom=False)
    assert geometry("type: Box, size: [0, 1, 2]") == Box(size=(0.0, 1.0, 2.0))


def test_a11_round_geometries_stand_along_y() -> None:
    for word in ("Cylinder", "Cone", "Capsule"):
        found = shape(f"rotation: [1, 0, 0, 90]\ngeometry: {{ type: {word} }}")
        # Y turned to Z: the neutral model's own axis, apex up
        assert close(matrix(found.pose)[:3, 2], (0, 0, 1))
        assert close(matrix(shape(f"geometry: {{ type: {word} }}").pose)[:3, 2], (0, 1, 0))


def test_a11_a_scaled_cylinder_is_scaled_along_its_own_axes() -> None:
    found = shape("scale: [2, 3, 4]\ngeometry: { type: Cylinder }")
    assert found.linear is not None
    linear = matrix(found.pose)[:3, :3] @ found.linear
    assert close(linear @ (0, 0, 1), (0, 3, 0))
    assert close(linear @ (1, 0, 0), (2, 0, 0))


@pytest.mark.parametrize(
    "keys",
    [
        "type: Box, size: [1, -1, 1]",
        "type: Sphere, radius: 0",
        "type: Cylinder, height: 0",
        "type: Cylinder, radius: -1",
        "type: Cone, radius: 0",
        "type: Capsule, radius: 0",
        "type: Capsule, height: -1",
    ],
)
def test_a11_sizes_that_no_body_has(keys: str) -> None:
    assert error(element(f"- {{ type: Shape, geometry: {{ {keys} }} }}")) == "size-not-positive"


def test_a11_a_geometry_needs_a_known_type() -> None:
    assert error(element("- { type: Shape, geometry: { type: Torus } }")) == "type-unknown"
    assert error(element("- { type: Shape, geometry: { size: [1, 1, 1] } }")) == "type-missing"


def test_a11_a_capsule_may_be_a_sphere() -> None:
    assert geometry("type: Capsule, height: 0") == Capsule(radius=1.0, height=0.0)


def test_a11_meshes() -> None:
    old = "coordinate: [0, 0, 0, 1, 0, 0, 0, 1, 0], coordIndex: [0, 1, 2, -1]"
    old += ", texCoord: [0, 0, 1, 0, 0, 1], texCoordIndex: [0, 1, 2, -1], creaseAngle: 180"
    new = f"{TRIANGLE}, faces: [0, 1, 2, -1]"
    new += ", tex_coords: [0, 0, 1, 0, 0, 1], tex_coord_indices: [0, 1, 2, -1], crease_angle: 180"
    for text in (old, new):
        found = geometry(f"type: IndexedFaceSet, {text}, solid: true")
        assert isinstance(found, Mesh)
        assert (found.faces, found.tex_coords) == ((0, 1, 2, -1), (0.0, 0.0, 1.0, 0.0, 0.0, 1.0))
        assert (found.tex_coord_indices, found.solid) == ((0, 1, 2, -1), True)
        assert found.crease_angle == math.pi
    found = geometry(f"type: TriangleMesh, {TETRAHEDRON}, faces: [0, 1, 2, 0, 2, 3]")
    assert (found.faces, found.solid, found.crease_angle) == ((0, 1, 2, -1, 0, 2, 3, -1), False, 0.0)


def test_a11_elevation_grid() -> None:
    keys = "xDimension: 3, z_dimension: 2, x_spacing: 0.5, height: [1, 2, 3, 4, 5, 6], ccw: false"
    assert geometry(f"type: ElevationGrid, {keys}") == ElevationGrid(
        x_dimension=3,
        z_dimension=2,
        x_spacing=0.5,
        z_spacing=1.0,
        heights=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
        ccw=False,
        solid=False,
    )


def test_a11_extrusion() -> None:
    keys = "type: Extrusion, crossSection: [0, 0, 1, 0, 0, 2], spine: [0, 0, 0, 0, 1, 0], endCap: false"
    assert geometry(keys) == Extrusion(
        section=(0.0, 0.0, 1.0, 0.0, 0.0, 2.0),
        spine=(0.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        end_cap=False,
        ccw=False,
        solid=False,
    )


def test_a11_extrusion_down() -> None:
    """Choreonoid mirrors the section of a spine along −Y in X and in Z."""
    keys = "type: Extrusion, crossSection: [0, 0, 1, 0, 0, 2], spine: [0, 1, 0, 0, 0, 0], endCap: false"
    found = geometry(keys)
    assert isinstance(found, Extrusion)
    assert (found.section, found.spine) == ((0.0, 0.0, 1.0, 0.0, 0.0, 2.0), (0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    assert (found.begin_cap, found.end_cap, found.ccw) == (True, False, False)
    points = extrude(found)[0].reshape(2, 3, 3)
    assert close(points[0], [[0, 1, 0], [-1, 1, 0], [0, 1, -2]])
    turned = geometry(f"{keys}, orientation: [0, 1, 0, 90]")
    assert close(extrude(turned)[0][1], [0, 1, 1])


def test_a11_extrusion_along_an_oblique_line() -> None:
    """Choreonoid shears the section of a straight spine that is neither along nor across Y."""
    section = "type: Extrusion, crossSection: [0, 0, 1, 0, 0, 2]"
    mesh = geometry(f"{section}, spine: [0, 0, 0, 1, 1, 0], scale: [1, 1, 2, 2]", "reference-differs")
    assert isinstance(mesh, Mesh)
    half = math.sqrt(0.5)
    row = np.array([[0.0, 0.0, 0.0], [half, -0.5, 0.0], [0.0, 0.0, 1.0 + half]])
    points = np.reshape(mesh.vertices, (2, 3, 3))
    assert close(points[0], row)
    assert close(points[1], 2.0 * row + [1.0, 1.0, 0.0])
    assert len(mesh.faces) == 4 * 4 + 2 * 4
    across = geometry(f"{section}, spine: [0, 0, 0, 1, 0, 0]")
    assert isinstance(across, Extrusion)


def test_a11_division_number() -> None:
    assert shape("geometry: { type: Sphere, division_number: 8 }").divisions == 8
    assert shape("geometry: { type: Cone, divisionNumber: 5 }").divisions == 5
    assert shape("geometry: { type: Cone }").divisions is None


# --- A.12: appearance ----------------------------------------------------------------------


def _material(keys: str, *codes: str) -> Material | None:
    return shape(f"geometry: {{ type: Box }}\nappearance: {{ {keys} }}", *codes).material


def test_a12_material_in_both_spellings() -> None:
    wanted = Material(
        ambient=0.1,
        diffuse=(0.2, 0.3, 0.4),
        emissive=(0.5, 0.6, 0.7),
        specular=(0.8, 0.9, 0.1),
        specular_exponent=30.0,
    )
    end = "specular_exponent: 30"
    new = "ambient: 0.1, diffuse: [0.2, 0.3, 0.4], emissive: [0.5, 0.6, 0.7], specular: [0.8, 0.9, 0.1]"
    old = "ambientIntensity: 0.1, diffuseColor: [0.2, 0.3, 0.4], emissiveColor: [0.5, 0.6, 0.7]"
    assert _material(f"material: {{ {new}, {end} }}") == wanted
    assert _material(f"material: {{ {old}, specularColor: [0.8, 0.9, 0.1], {end} }}") == wanted
    assert _material("material: {}") == Material()
    assert shape("geometry: { type: Box }").material is None
    assert shape("geometry: { type: Box }\nappearance: {}").material is None


def test_a12_texture_transform() -> None:
    keys = "texture_transform: { center: [1, 2], scale: [3, 4], translation: [5, 6], rotation: 90 }"
    wanted = TextureTransform(
        center=(1.0, 2.0), scale=(3.0, 4.0), translation=(5.0, 6.0), rotation=math.pi / 2
    )
    found = _material(f"texture: {{ uri: a.png }}, {keys}", "file-missing")
    assert found == Material(texture=Texture(uri="a.png", transform=wanted))
    # without a texture there is nothing to move
    assert _material(keys) is None


def test_a12_an_appearance_by_alias_serves_several_shapes() -> None:
    text = "- { type: Shape, geometry: { type: Box }, appearance: &P { material: { ambient: 0.5 } } }\n"
    text += "- { type: Shape, geometry: { type: Sphere }, appearance: *P }"
    made: list[Shape] = list(shapes(text))
    assert made[0].material is made[1].material


def test_a12_a_texture_that_is_missing_is_a_warning() -> None:
    found = _material("texture: { uri: gone.png }", "file-missing")
    assert found == Material(texture=Texture(uri="gone.png"))
