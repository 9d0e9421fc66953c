"""Solids with which the inertia of a link is compared: its shapes, filled with uniform density."""

from __future__ import annotations

from collections.abc import Callable

from unibody.model.robot import Link
from unibody.model.shape import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    LineSet,
    Mesh,
    MeshFile,
    PointSet,
    Shape,
    Sphere,
)
from unibody.model.solid import Solid, shape_solid, united
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass

# Smallest volume of a shape that may be the whole link, in shares of all shapes of its kind.
_MAIN = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A solid with its name, and the facts path of the shapes that it is made of.

    ``bounding``: it is the box around a mesh. ``parts`` are those of a solid of several shapes.
    """

    solid: Solid
    words: str
    path: str
    bounding: bool = False
    parts: tuple[Solid, ...] = ()


def references(
    link: Link,
    solid_of: Callable[[Shape], Solid | None] = shape_solid,
    box_of: Callable[[Shape], Solid | None] | None = None,
) -> list[Reference]:
    """The solids of a link: each large shape, the shapes of a kind together, and the box around a mesh.

    ``solid_of`` and ``box_of`` give the solid of a shape and the box around it in the link frame, None if
    there is none. By default these are the solids of primitives.
    """
    out: list[Reference] = []
    for kind, listed in (("collision", link.collisions), ("visual", link.visuals)):
        shapes = [(i, s) for i, s in enumerate(listed) if not isinstance(s.geometry, LineSet | PointSet)]
        solids = [solid_of(shape) for _, shape in shapes]
        if box_of is None and not all(solids):
            continue
        known = [solid for solid in solids if solid is not None]
        whole = sum(solid.volume for solid in known)
        for (i, shape), solid in zip(shapes, solids, strict=True):
            path = path_of("links", link.name, f"{kind}s", str(i))
            words = f"{shape_words(shape.geometry)} of " + (
                f"{kind} shape {i + 1}" if len(listed) > 1 else f"its {kind} shape"
            )
            if solid is not None and solid.volume >= _MAIN * whole:
                out.append(Reference(solid, f"the solid {words}", path))
            if box_of is not None and len(shapes) == 1 and isinstance(shape.geometry, Mesh | MeshFile):
                box = box_of(shape)
                if box is not None:
                    out.append(Reference(box, f"a solid box around the {words}", path, bounding=True))
        if len(known) > 1 and len(known) == len(solids):
            words = f"its {len(known)} {kind} shapes as solids"
            path = path_of("links", link.name, f"{kind}s")
            out.append(Reference(united(known), words, path, parts=tuple(known)))
    return out


def shape_words(geometry: Geometry) -> str:
    """A shape in words: its kind and its sizes, or its mesh file."""
    match geometry:
        case Box(size=size):
            return f"box {' × '.join(f'{v:.4g}' for v in size)} m"
        case Sphere(radius=r):
            return f"sphere of radius {r:.4g} m"
        case Ellipsoid(radii=radii):
            return f"ellipsoid of half axes {' × '.join(f'{v:.4g}' for v in radii)} m"
        case Cylinder(radius=r, height=h) | Cone(radius=r, height=h) | Capsule(radius=r, height=h):
            return f"{type(geometry).__name__.lower()} of radius {r:.4g} m and length {h:.4g} m"
        case MeshFile(uri=uri):
            return f"mesh '{uri}'"
    return "mesh"
