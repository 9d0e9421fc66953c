"""Converts shape nodes, with the traversal state, to shapes of the model with materials."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.formats.inventor.faces import Piece, pieces
from unibody.formats.inventor.state import Look, Reader, State, vertex_property
from unibody.formats.inventor.texture import Textures, transform_of
from unibody.formats.placement import turned
from unibody.model import shape as s
from unibody.model.pose import Pose, Vector3
from unibody.text.dataclass import dataclass
from unibody.text.source import Span

#: The rotation of the model's Z axis onto Inventor's Y axis.
ALONG_Y = Pose((0.0, 0.0, 0.0), (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))
# Number of sides of round shapes at complexity 1.
_MOST_SIDES = 40
# Corners of a cube as bits of x, y, z; faces in the order of materials: front, back, left, right, top,
# bottom (SoCube).
_CUBE = ((4, 5, 7, 6), (1, 0, 2, 3), (0, 4, 6, 2), (5, 1, 3, 7), (6, 7, 3, 2), (0, 1, 5, 4))
_SOLID_BINDINGS = ("PER_PART", "PER_PART_INDEXED")
_FACE_BINDINGS = (*_SOLID_BINDINGS, "PER_FACE", "PER_FACE_INDEXED")


@dataclass(slots=True, eq=False)
class Shapes:
    """Converts the shapes of one load; a node used twice in the same state becomes one shared object."""

    context: Context
    reader: Reader
    textures: Textures
    made: dict[tuple[object, ...], tuple[object, list[Piece]]]
    looks: dict[tuple[object, ...], tuple[object, s.Material]]

    @staticmethod
    def of(context: Context, arrays: Arrays) -> Shapes:
        """The converter of one file and those that it includes."""
        reader = Reader(arrays, context.findings)
        return Shapes(context, reader, Textures(context, arrays), {}, {})

    def shapes(self, doc: d.ShapeNode, state: State, name: str) -> list[s.Shape]:
        """The shapes of a node; empty, with a finding, if it has no extent."""
        if isinstance(doc, d.VertexShape):
            if isinstance(doc.vertex_property, d.VertexProperty):
                state = vertex_property(doc.vertex_property, state, self.reader)
            found = self._pieces(doc, state)
        else:
            found = self._solids(doc, state)
        at = doc.at()
        return [self._shape(piece, state, name, at) for piece in found]

    def _shape(self, piece: Piece, state: State, name: str, at: Span | None) -> s.Shape:
        geometry, place = piece.geometry, state.place
        material = self.material(state, piece)
        if isinstance(geometry, s.Cylinder | s.Cone):
            place = turned(place, ALONG_Y)
        elif isinstance(geometry, s.Box | s.Sphere) and material.texture is not None:
            # orients the texture as in the file
            place = turned(place, ALONG_Y)
            if isinstance(geometry, s.Box):
                x, y, z = geometry.size
                geometry = s.Box(size=(x, z, y))
        sides = None
        if isinstance(geometry, s.Sphere | s.Cylinder | s.Cone) and state.complexity is not None:
            sides = max(round(_MOST_SIDES * state.complexity), 4)
        return s.Shape(
            geometry=geometry,
            name=name,
            pose=place.pose,
            linear=place.linear,
            material=material,
            divisions=sides,
            at=at,
        )

    # --- geometry ---------------------------------------------------------------------

    def _pieces(self, doc: d.VertexShape, state: State) -> list[Piece]:
        """The pieces of a shape that consists of points, converted once per state."""
        parts = (state.points, state.normals, state.tex_coords, state.look.diffuse, state.look.transparency)
        key = (
            id(doc),
            *map(id, parts),
            state.normal_binding,
            state.tex_binding,
            state.material_binding,
            state.hints,
            state.line_width,
            state.texture is None,
            tuple(map(id, state.tex_transforms)),
        )
        if key not in self.made:
            made = pieces(doc, state, self.reader.arrays, self.context.findings)
            at = doc.at()
            self.context.budget.spend(200 + len(state.points) // 4, at)
            self.made[key] = ((doc, parts, state), made)
        return self.made[key][1]

    def _solids(self, doc: d.ShapeNode, state: State) -> list[Piece]:
        match doc:
            case d.Cube():
                return self._cube(doc, state)
            case d.Sphere():
                return [Piece(s.Sphere(radius=doc.radius))] if self._sizes(doc, radius=doc.radius) else []
            case d.Cylinder():
                if not self._sizes(doc, radius=doc.radius, height=doc.height):
                    return []
                return self._parts(
                    doc.parts,
                    ("SIDES", "TOP", "BOTTOM"),
                    state,
                    lambda on: s.Cylinder(
                        radius=doc.radius, height=doc.height, side=on[0], top=on[1], bottom=on[2]
                    ),
                )
            case d.Cone():
                if not self._sizes(doc, bottomRadius=doc.bottom_radius, height=doc.height):
                    return []
                return self._parts(
                    doc.parts,
                    ("SIDES", "BOTTOM"),
                    state,
                    lambda on: s.Cone(
                        radius=doc.bottom_radius, height=doc.height, side=on[0], bottom=on[1]
                    ),
                )
        return []

    def _sizes(self, doc: Any, **sizes: float) -> bool:
        bad = next((name for name, size in sizes.items() if not size > 0.0), None)
        if bad is not None:
            self._flat(doc, f"{doc.tag}: {bad} must be positive, not {sizes[bad]:g}; ignored")
        return bad is None

    def _flat(self, doc: Document, message: str) -> None:
        self.context.findings.warning("shape-size", message, doc.at())

    def _cube(self, doc: d.Cube, state: State) -> list[Piece]:
        size = (abs(doc.width), abs(doc.height), abs(doc.depth))
        if min(doc.width, doc.height, doc.depth) < 0.0:
            self._flat(doc, "Cube: width, height and depth must not be negative; ignoring the sign")
        if sum(x == 0.0 for x in size) > 1:
            self._flat(doc, "Cube: at least two sizes must be positive; ignored")
            return []
        look = state.look
        if len(look.diffuse) < 2 or state.material_binding not in _FACE_BINDINGS:
            return [Piece(s.Box(size=size))]
        corners = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)]) - 0.5
        faces = np.hstack([np.array(_CUBE), np.full((6, 1), -1)])
        rows = np.minimum(np.arange(6), len(look.diffuse) - 1)
        mesh = s.Mesh(
            vertices=s.floats(corners * size),
            faces=s.ints(faces),
            colors=s.floats(look.diffuse[rows]),
            color_per_vertex=False,
            solid=True,
        )
        return [Piece(mesh)]

    def _parts(
        self, given: tuple[str, ...], names: tuple[str, ...], state: State, make: Any
    ) -> list[Piece]:
        """The pieces of a cylinder or cone: one per part if each part has a material."""
        on = [name in given or "ALL" in given for name in names]
        if not any(on):
            return []
        count = len(state.look.diffuse)
        if count < 2 or state.material_binding not in _SOLID_BINDINGS:
            return [Piece(make(on))]
        return [
            Piece(make([k == i for k in range(len(on))]), min(i, count - 1))
            for i, there in enumerate(on)
            if there
        ]

    # --- materials --------------------------------------------------------------------

    def material(self, state: State, piece: Piece) -> s.Material:
        """The material of a piece; equal materials are shared."""
        textured = isinstance(piece.geometry, s.Mesh) and len(piece.geometry.tex_coords) > 0
        transforms = () if textured else state.tex_transforms
        key = (id(state.look), piece.material, id(state.texture), tuple(map(id, transforms)))
        if key not in self.looks:
            self.looks[key] = (
                (state.look, state.texture),
                self._material(state, piece.material, transforms),
            )
        return self.looks[key][1]

    def _material(self, state: State, row: int, transforms: tuple[d.Texture2Transform, ...]) -> s.Material:
        look = state.look
        red, green, blue = look.diffuse[min(row, len(look.diffuse) - 1)].tolist()
        # unless there are as many transparencies as colors, Inventor uses the first for all
        alphas = look.transparency if len(look.transparency) == len(look.diffuse) else look.transparency[:1]
        texture = self.textures.of(state.texture)
        if texture is not None:
            moved = transform_of(transforms, self.context.findings)
            texture = texture if moved is None else replace(texture, transform=moved)
        return s.Material(
            diffuse=(red, green, blue),
            ambient=_ambient(look, (red, green, blue)),
            emissive=look.emissive,
            specular=look.specular,
            specular_exponent=exponent(look.shininess),
            transparency=float(alphas[min(row, len(alphas) - 1)]),
            texture=texture,
        )


def exponent(shininess: float) -> float:
    """The specular exponent of a shininess from 0 to 1 (as in VRML97)."""
    return 127.0 * min(max(shininess, 0.0), 1.0) + 1.0


def _ambient(look: Look, diffuse: Vector3) -> float:
    """The ambient factor of the model: the ratio of the ambient to the diffuse color."""
    whole = sum(diffuse)
    return min(sum(look.ambient) / whole, 1.0) if whole > 0.0 else 0.0
