"""Shapes: geometry, pose and material.

Geometry keeps the type that it has in its file: a box stays a box, a mesh reference stays a
reference. Cylinders, capsules and cones are along Z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, fields
from functools import cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from unibody.model.metadata import concerns, unit
from unibody.model.pose import IDENTITY, Matrix3, Pose, Vector3
from unibody.model.up_axis import UpAxis
from unibody.text.dataclass import dataclass
from unibody.text.deferred import Deferred, defer, is_deferred
from unibody.text.finding import Finding
from unibody.text.source import Span

Vector2 = tuple[float, float]
Color = tuple[float, float, float]
# Short lists are tuples, long ones read-only arrays (see ``floats``).
Floats: TypeAlias = tuple[float, ...] | NDArray[np.float64]
Ints: TypeAlias = tuple[int, ...] | NDArray[np.int64]
MANY = 64
_SHOWN = 12


def floats(values: object) -> Floats:
    """Convert numbers to a flat tuple, or to a read-only array if there are 64 or more."""
    array = np.array(values, dtype=np.float64).reshape(-1)
    if array.size < MANY:
        return tuple(array.tolist())
    array.setflags(write=False)
    return array


def ints(values: object) -> Ints:
    """Convert integers to a flat tuple, or to a read-only array if there are 64 or more."""
    array = np.array(values, dtype=np.int64).reshape(-1)
    if array.size < MANY:
        return tuple(array.tolist())
    array.setflags(write=False)
    return array


class _Deferred(Deferred):
    """Base of deferrable dataclasses, with the slot that is not a field."""

    __slots__ = ("_compute",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_compute", None)


class _ByValue(_Deferred):
    """Base of dataclasses with array fields, which may be deferred: equality by value, short repr."""

    __slots__ = ("_findings",)
    _findings: Sequence[Finding]

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name))
            if isinstance(getattr(self, f.name), np.ndarray)
            or isinstance(getattr(other, f.name), np.ndarray)
            else getattr(self, f.name) == getattr(other, f.name)
            for f in fields(self)  # type: ignore[arg-type]
            if f.compare
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        values = []
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            if f.repr and (f.default is MISSING or isinstance(value, np.ndarray) or value != f.default):
                many = isinstance(value, tuple | np.ndarray) and len(value) > _SHOWN
                values.append(f"{f.name}=<{len(value)} numbers>" if many else f"{f.name}={value!r}")
        return f"{self.__class__.__name__}({', '.join(values)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box centered at the origin; edge lengths in m."""

    size: Vector3 = field(metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere:
    """A sphere at the origin; radius in m."""

    radius: float = field(metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder:
    """A cylinder along Z, centered; lengths in m; the flags tell which surfaces exist."""

    radius: float = field(metadata=unit("m"))
    height: float = field(metadata=unit("m"))
    top: bool = True
    bottom: bool = True
    side: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule:
    """A cylinder along Z with two half spheres; ``height`` is the cylinder's alone, in m."""

    radius: float = field(metadata=unit("m"))
    height: float = field(metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cone:
    """A cone along Z, centered at half its height, apex at +Z; lengths in m."""

    radius: float = field(metadata=unit("m"))
    height: float = field(metadata=unit("m"))
    bottom: bool = True
    side: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ellipsoid:
    """An ellipsoid at the origin; its three half axes in m."""

    radii: Vector3 = field(metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """The plane z = 0 with its normal along +Z; half sizes in m, None without bound."""

    half_size: Vector2 | None = field(default=None, metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Extrusion(_ByValue):
    """A section in the XZ plane swept along a spine (ISO/IEC 14772-1, 6.18).

    Flat lists: section x z, spine x y z in m; scale x z; orientation as axis x y z and
    angle in radians; one entry of scale or orientation serves the whole spine.
    """

    section: Floats = field(metadata=unit("m"))
    spine: Floats = field(metadata=unit("m"))
    scale: Floats = (1.0, 1.0)
    orientation: Floats = (0.0, 0.0, 1.0, 0.0)
    begin_cap: bool = True
    end_cap: bool = True
    ccw: bool = True
    solid: bool = field(default=True, metadata=concerns("looks"))
    crease_angle: float = field(default=0.0, metadata=unit("rad") | concerns("looks"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ElevationGrid(_ByValue):
    """Heights in m over a grid in the XZ plane, x running fastest (ISO/IEC 14772-1, 6.17)."""

    x_dimension: int
    z_dimension: int
    x_spacing: float = field(metadata=unit("m"))
    z_spacing: float = field(metadata=unit("m"))
    heights: Floats = field(metadata=unit("m"))
    colors: Floats = field(default=(), metadata=concerns("looks"))
    color_per_vertex: bool = field(default=True, metadata=concerns("looks"))
    normals: Floats = field(default=(), metadata=concerns("looks"))
    normal_per_vertex: bool = field(default=True, metadata=concerns("looks"))
    tex_coords: Floats = field(default=(), metadata=concerns("looks"))
    ccw: bool = True
    solid: bool = field(default=True, metadata=concerns("looks"))
    crease_angle: float = field(default=0.0, metadata=unit("rad") | concerns("looks"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Mesh(_ByValue):
    """Polygons held in the model: vertices x y z in m, faces as indices closed by −1.

    Empty index lists follow the faces (ISO/IEC 14772-1, 6.23).
    """

    vertices: Floats = field(metadata=unit("m"))
    faces: Ints
    normals: Floats = field(default=(), metadata=concerns("looks"))
    normal_indices: Ints = field(default=(), metadata=concerns("looks"))
    normal_per_vertex: bool = field(default=True, metadata=concerns("looks"))
    colors: Floats = field(default=(), metadata=concerns("looks"))
    color_indices: Ints = field(default=(), metadata=concerns("looks"))
    color_per_vertex: bool = field(default=True, metadata=concerns("looks"))
    tex_coords: Floats = field(default=(), metadata=concerns("looks"))
    tex_coord_indices: Ints = field(default=(), metadata=concerns("looks"))
    ccw: bool = True
    convex: bool = True
    solid: bool = field(default=False, metadata=concerns("looks"))
    crease_angle: float = field(default=0.0, metadata=unit("rad") | concerns("looks"))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshFile:
    """A reference to a mesh file, as the model file writes it.

    ``path`` is the file that was found ("" if missing; not compared). ``scale`` is per axis and may
    be negative. ``unit`` (m per unit) and ``up_axis`` override those of the mesh file; None if the
    model file does not give them: glTF files are then Y up, all others Z up, whatever a COLLADA file
    states. The file's points are first turned, so that the up axis is +Z ("Y": by 90° about X, "X": by
    -90° about Y, "choreonoid-X" and "choreonoid-Y": by cyclic exchange of the axes), then scaled.
    ``fragment`` names a part of the file, which is moved so that the center of its bounds is the origin if
    it is ``centered``; ``without`` names parts in it that are omitted.
    ``geometry_only``: the materials of the file are not used.
    """

    uri: str
    path: str = field(default="", compare=False)
    fragment: str = ""
    without: tuple[str, ...] = ()
    scale: Vector3 = (1.0, 1.0, 1.0)
    unit: float | None = None
    up_axis: UpAxis | None = None
    geometry_only: bool = False
    centered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineSet(_ByValue):
    """Lines between vertices (x y z in m), as indices closed by −1."""

    vertices: Floats = field(metadata=unit("m"))
    lines: Ints
    colors: Floats = field(default=(), metadata=concerns("looks"))
    color_indices: Ints = field(default=(), metadata=concerns("looks"))
    color_per_vertex: bool = field(default=True, metadata=concerns("looks"))
    width: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PointSet(_ByValue):
    """Points x y z in m, with one color each or none."""

    vertices: Floats = field(metadata=unit("m"))
    colors: Floats = field(default=(), metadata=concerns("looks"))


Geometry: TypeAlias = (
    Box
    | Sphere
    | Cylinder
    | Capsule
    | Cone
    | Ellipsoid
    | Plane
    | Extrusion
    | ElevationGrid
    | Mesh
    | MeshFile
    | LineSet
    | PointSet
)


_G = TypeVar("_G", bound=_ByValue)


@cache
def _names(cls: Any) -> tuple[str, ...]:
    """The names of the fields of a geometry."""
    return tuple(f.name for f in fields(cls))


def defer_geometry(cls: type[_G], convert: Callable[[], tuple[_G, Sequence[Finding]]]) -> _G:
    """Defer a geometry: its lists are converted when the first of its fields is read.

    ``convert`` returns the geometry and its findings (see :func:`conversion_findings`).

    >>> points = defer_geometry(PointSet, lambda: (PointSet(vertices=(0.0, 0.0, 1.0)), []))
    >>> points.vertices
    (0.0, 0.0, 1.0)
    """

    def compute() -> dict[str, Any]:
        geometry, findings = convert()
        values: dict[str, Any] = {name: getattr(geometry, name) for name in _names(cls)}  # type: ignore[arg-type]
        values["_findings"] = tuple(findings)
        return values

    return defer(cls, compute)


#: Number of values per entry in the flat lists of a geometry.
WIDTHS: dict[type, dict[str, int]] = {
    Extrusion: {"section": 2, "spine": 3, "scale": 2, "orientation": 4},
    ElevationGrid: {"colors": 3, "normals": 3, "tex_coords": 2},
    Mesh: {"vertices": 3, "normals": 3, "colors": 3, "tex_coords": 2},
    LineSet: {"vertices": 3, "colors": 3},
    PointSet: {"vertices": 3, "colors": 3},
}


def conversion_findings(geometry: Geometry) -> Sequence[Finding]:
    """Findings about the lists of a deferred geometry; converts them."""
    if is_deferred(geometry):
        getattr(geometry, _names(type(geometry))[0])  # type: ignore[arg-type]
    return getattr(geometry, "_findings", ())


@dataclass(frozen=True, slots=True, kw_only=True)
class TextureTransform:
    """Transform of texture coordinates: center, scale, rotation in radians, translation."""

    center: Vector2 = (0.0, 0.0)
    scale: Vector2 = (1.0, 1.0)
    rotation: float = field(default=0.0, metadata=unit("rad"))
    translation: Vector2 = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Texture(_ByValue):
    """An image file, or pixels held in the model (width, height, components, bytes row by row)."""

    uri: str = ""
    path: str = field(default="", compare=False)
    image: Ints = ()
    repeat_s: bool = True
    repeat_t: bool = True
    transform: TextureTransform | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Appearance of a surface: colors in [0, 1], transparency from 0 (opaque) to 1 (invisible).

    ``pattern`` is what viewers draw without a ``texture``: an image of what the file describes in words.
    """

    name: str = field(default="", metadata=concerns("cosmetics"))
    diffuse: Color = (1.0, 1.0, 1.0)
    ambient: float = 1.0
    emissive: Color = (0.0, 0.0, 0.0)
    specular: Color = (0.0, 0.0, 0.0)
    specular_exponent: float = 25.0
    transparency: float = 0.0
    texture: Texture | None = None
    pattern: Texture | None = field(default=None, compare=False, repr=False)
    at: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """How a collision shape touches others; None for values that the file does not state.

    ``sliding`` friction has no unit; ``torsional`` and ``rolling`` friction are lengths in m. Of two shapes
    that touch, the larger friction counts. ``solref`` (time constant in s and damping ratio, or both
    negative stiffness and damping per mass), ``solimp``, ``margin`` in m and ``condim`` are MuJoCo's.
    """

    sliding: float | None = None
    torsional: float | None = field(default=None, metadata=unit("m"))
    rolling: float | None = field(default=None, metadata=unit("m"))
    solref: Vector2 | None = None
    solimp: tuple[float, float, float, float, float] | None = None
    margin: float | None = field(default=None, metadata=unit("m"))
    condim: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape(_Deferred):
    """Geometry at a pose in its link.

    ``contact`` is that of a collision shape; None if the file does not state it. ``material`` applies to
    a primitive, and to the parts of a mesh file that have none of their own (see
    ``MeshFile.geometry_only``); None is white.

    ``linear`` (3×3, rows) is applied before the pose if the placement is not rigid: a point p of the
    geometry is at pose · (linear · p). ``divisions`` is the number of sides for drawing round
    geometry, if the file gives it. A mesh with ``hull`` collides as its convex hull, filled, instead of as
    its surface, and a grid with all that is below it. ``group`` is the number by which
    MuJoCo's viewers show and hide shapes; the text of the file keeps it.
    """

    geometry: Geometry
    name: str = field(default="", metadata=concerns("cosmetics"))
    pose: Pose = IDENTITY
    linear: Matrix3 | None = field(default=None, metadata={"was": "stretch"})
    material: Material | None = field(default=None, metadata=concerns("looks"))
    divisions: int | None = field(default=None, metadata=concerns("looks"))
    hull: bool = False
    contact: Contact | None = field(default=None, metadata=concerns("actuation"))
    group: int = field(default=0, compare=False, repr=False)
    at: Span | None = field(default=None, compare=False, repr=False)
