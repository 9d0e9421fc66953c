"""Simplifies the collision shapes of a robot, and says how far they are off."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unibody.files.atomic import write_atomic
from unibody.formats.loader import robot_of
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.pieces import pieces
from unibody.meshes.surface import joined
from unibody.model import shape as s
from unibody.model.arrays import Faces, Flags, Floats
from unibody.model.pose import Pose
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene
from unibody.model.shape import Material, Shape
from unibody.simplification import bounds, known_shapes
from unibody.simplification.curobo import ignored_pairs, packed_config, robot_config
from unibody.simplification.hulls import Hull, containing, distinct_points, grown, hull_of
from unibody.simplification.known_shapes import Found
from unibody.simplification.masses import inertia_of_hull
from unibody.simplification.parts import convex_parts
from unibody.simplification.spheres import covering_spheres
from unibody.simplification.triangles import Triangles
from unibody.text.finding import Finding
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

Method = Literal["hull", "parts", "spheres"]
Which = Literal["collision", "visual"]
Inertias = Literal["file", "hull"]

METHODS: tuple[Method, ...] = ("hull", "parts", "spheres")

#: What spheres stick out by default, and the least that shapes are made larger by, relative to the size.
_USUAL, _LEAST = 0.1, 1e-9
#: Tries to find a smaller hull within the tolerance.
_TRIES = 8
#: Sides of round shapes, and what makes these contain the round shapes.
_SIDES, _AROUND = 64, 1.01
_ROUND = (s.Sphere, s.Cylinder, s.Capsule, s.Cone, s.Ellipsoid)
_CONVEX = (s.Box, *_ROUND)
#: How simplified shapes are drawn.
_LOOK = Material(diffuse=(0.25, 0.55, 0.95), transparency=0.55)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedLink:
    """The shapes of a link, and their errors, both certified upper bounds in m.

    No point of the surface of ``shapes`` is farther than ``sticks_out`` from the mesh, or from what its
    closed pieces enclose; NaN if it was not searched for. No point of the mesh is farther than
    ``uncovered`` from the shapes: if it is 0, they contain the mesh, which is proved. ``size`` (m) is the
    diagonal of the mesh, ``triangles`` are those it has. Shapes that were simple enough are ``kept``.
    """

    link: str
    shapes: tuple[Shape, ...]
    sticks_out: float
    uncovered: float
    size: float
    triangles: int
    kept: bool = False

    @property
    def contains(self) -> bool:
        """Whether the shapes contain the mesh, proved."""
        return self.uncovered == 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simplification:
    """A ``robot`` whose links have simpler collision shapes, and their errors in ``links``.

    ``findings`` are those about mesh files; a link whose mesh cannot be read is left as it was.
    """

    robot: Robot
    method: Method
    links: tuple[SimplifiedLink, ...]
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        count = sum(len(each.shapes) for each in self.links)
        return f"Simplification({self.robot.name!r}: {count} shapes of {len(self.links)} links)"

    def of(self, link: str) -> SimplifiedLink:
        """The shapes of a link; KeyError if it has none."""
        for each in self.links:
            if each.link == link:
                return each
        raise KeyError(f"link {link!r} has no simplified shapes")

    def spheres(self) -> dict[str, list[dict[str, Any]]]:
        """The spheres of each link as cuRobo has them, in the link's frame: center and radius in m.

        ValueError if there are other shapes.
        """
        out: dict[str, list[dict[str, Any]]] = {}
        for each in self.links:
            rows = []
            for shape in each.shapes:
                if not isinstance(shape.geometry, s.Sphere):
                    raise ValueError("there are other shapes than spheres; use method='spheres'")
                rows.append({"center": list(shape.pose.xyz), "radius": shape.geometry.radius})
            out[each.link] = rows
        return out

    def ignored_pairs(self) -> list[tuple[str, str]]:
        """The pairs of links with spheres that a planner must not test: see ``curobo.ignored_pairs``."""
        return ignored_pairs(self.robot, [each.link for each in self.links])

    def save_spheres(
        self,
        path: str | PathLike[str],
        overwrite: bool = False,
        ignore: Iterable[tuple[str, str]] | None = None,
    ) -> None:
        """Write what cuRobo has of spheres as .yml, .yaml or .json: links, their spheres, ignored pairs.

        ``ignore`` are the pairs that are not tested, by default :meth:`ignored_pairs`. ValueError for
        another suffix, or other shapes; FileExistsError unless ``overwrite`` is set.
        """
        write_atomic(fspath(path), packed_spheres(self, path, ignore), overwrite)


def spheres_suffix(path: str | PathLike[str]) -> str:
    """The suffix of a file of spheres, in lower case without dot; ValueError if it is not written."""
    suffix = fspath(path).lower().rpartition(".")[2]
    if suffix not in ("json", "yml", "yaml"):
        raise ValueError(f"{fspath(path)}: spheres are written as .yml, .yaml or .json")
    return suffix


def packed_spheres(
    found: Simplification, path: str | PathLike[str], ignore: Iterable[tuple[str, str]] | None = None
) -> bytes:
    """The spheres as a file of a suffix; ValueError for another suffix, or other shapes."""
    pairs = found.ignored_pairs() if ignore is None else ignore
    config = robot_config(found.spheres(), pairs)
    return packed_config(config, spheres_suffix(path))


@renamed_keywords(of="shapes")
def simplify(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    method: Method = "hull",
    tolerance: float | None = None,
    *,
    contain: bool = True,
    fast: bool = False,
    inertias: Inertias = "file",
    shapes: Which = "collision",
    links: Iterable[str] | None = None,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Simplification:
    """Replace the collision shapes of a robot's links by simpler ones, whose errors are certified.

    ``robot`` may be a scene, or the path of a model file, which is read with the keywords of
    :func:`unibody.read`. ``method`` is "hull", one convex hull for each link; "parts", the hulls of convex
    parts (CoACD, extra ``parts``); or "spheres". With ``contain`` the shapes contain the mesh, which is
    proved. ``tolerance`` (m): a hull may stick out of the exact one by so much, and then has fewer corners;
    parts are divided until they are about so concave; spheres stick out by so much (a tenth of the size
    without it), if they need not grow more to contain the mesh. ``shapes`` says from which shapes they are
    made, ``links`` of which links. Shapes that are convex already (spheres, for "spheres") are kept.
    ``fast`` leaves out the search for ``sticks_out``. With ``inertias="hull"`` the links keep their
    masses, and have the center of mass and the inertia of the evenly filled convex hull of those shapes.

    ValueError for wrong arguments, KeyError for an unknown link, MissingExtra without CoACD.

    >>> from unibody.formats.loader import load
    >>> found = simplify(load("src/unibody/models/biped.body"), "spheres", 0.02, links=["WAIST"])
    >>> waist = found.of("WAIST")
    >>> waist.contains, waist.sticks_out < 0.04
    (True, True)
    """
    robot = robot_of(robot, format, **reading)
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; expected 'hull', 'parts' or 'spheres'")
    if inertias not in ("file", "hull"):
        raise ValueError(f"inertias must be 'file' or 'hull', got {inertias!r}")
    if shapes not in ("collision", "visual"):
        raise ValueError(f"shapes must be 'collision' or 'visual', got {shapes!r}")
    if tolerance is not None and not 0.0 < tolerance < np.inf:
        raise ValueError(f"tolerance is {tolerance}; expected a length above 0 m")
    chosen = {link.name for link in robot.links} if links is None else set(links)
    for name in sorted(chosen):
        robot.link(name)
    cache = MeshCache()
    made: list[SimplifiedLink] = []
    new: list[Link] = []
    for link in robot.links:
        originals = link.collisions if shapes == "collision" else link.visuals
        found = None
        if link.name in chosen and originals:
            known = len(cache.findings)
            found = _simplified(link.name, originals, method, tolerance, contain, fast, cache)
            if any(each.severity == "error" for each in list(cache.findings)[known:]):
                found = None
        simple = link if found is None else replace(link, collisions=found.shapes)
        if inertias == "hull" and found is not None and link.inertial is not None:
            simple = replace(simple, inertial=inertia_of_hull(link.inertial, originals, cache))
        new.append(simple)
        made += [] if found is None else [found]
    return Simplification(
        robot=replace(robot, links=tuple(new)),
        method=method,
        links=tuple(made),
        findings=tuple(cache.findings),
    )


def _simplified(
    name: str,
    shapes: Sequence[Shape],
    method: Method,
    tolerance: float | None,
    contain: bool,
    fast: bool,
    cache: MeshCache,
) -> SimplifiedLink | None:
    """The simpler shapes of a link; None if it has no triangles."""
    simple = (s.Sphere,) if method == "spheres" else _CONVEX
    plain = [shape.linear is None and isinstance(shape.geometry, simple) for shape in shapes]
    if all(plain) and (method != "hull" or len(shapes) == 1):
        return SimplifiedLink(
            link=name, shapes=tuple(shapes), sticks_out=0.0, uncovered=0.0, size=0.0, triangles=0, kept=True
        )
    round_ = [_around(shape) for shape in shapes]
    slack = max(each for _, each in round_)
    vertices, faces = joined([surface for shape, _ in round_ for surface in placed_surfaces(shape, cache)])
    count = len(faces) - int(_without_area(vertices[faces]).sum())
    if not count or not np.isfinite(vertices).all():
        return None
    options = {"method": method, "tolerance": tolerance, "contain": contain, "fast": fast}
    key = known_shapes.key_of_mesh(vertices, faces, options)
    found = known_shapes.known(key)
    if found is None:
        if method == "hull" and contain:
            found = _around_hull(vertices, faces, tolerance, fast)
        else:
            found = _covering(vertices, faces, method, tolerance, contain, fast)
        known_shapes.keep(key, found)
    made = _shapes(found)
    # of several shapes, the one with the largest friction says how they touch
    stated = [shape.contact for shape in shapes if shape.contact is not None]
    contact = max(stated, key=lambda each: each.sliding or 0.0, default=None)
    named = [
        replace(shape, name=f"{name} {number}" if len(made) > 1 else name, material=_LOOK, contact=contact)
        for number, shape in enumerate(made, 1)
    ]
    return SimplifiedLink(
        link=name,
        shapes=tuple(named),
        sticks_out=found.sticks_out + slack,
        uncovered=found.uncovered,
        size=found.size,
        triangles=count,
    )


def _without_area(corners: Floats) -> Flags:
    """Which of triangles (n, 3, 3) have two equal corners."""
    return np.asarray((corners == np.roll(corners, 1, axis=1)).all(axis=2).any(axis=1))


def _shapes(found: Found) -> list[Shape]:
    """What was found as shapes of the model."""
    hulls = [Shape(geometry=triangle_mesh(vertices, faces)) for vertices, faces in found.solids]
    balls = [
        Shape(geometry=s.Sphere(radius=radius), pose=Pose((x, y, z)))
        for x, y, z, radius in found.balls.tolist()
    ]
    return [*hulls, *balls]


def _found(hulls: Sequence[Hull], out: float, left: float, mesh: Triangles) -> Found:
    return Found([(hull.vertices, hull.faces) for hull in hulls], np.empty((0, 4)), out, left, mesh.size)


def _around_hull(vertices: Floats, faces: Faces, tolerance: float | None, fast: bool) -> Found:
    """A hull that contains a mesh: no part of its surface is inside of the mesh, closed or not."""
    mesh = Triangles(vertices[faces])
    points = distinct_points(vertices)
    hull = _hull(points, mesh.size, tolerance, True)
    around = containing(hull, points, _LEAST * mesh.size)
    if around is None:
        (around,), _ = _containing([hull], mesh, True)
    out = np.nan if fast else bounds.hull_around_sticks_out(around, mesh)
    return _found([around], out, 0.0, mesh)


def _covering(
    vertices: Floats, faces: Faces, method: Method, tolerance: float | None, contain: bool, fast: bool
) -> Found:
    """Shapes that cover a mesh, if that is asked, and otherwise nearly."""
    corners, _, closed = pieces(vertices, faces)
    # points and segments, which are triangles with equal corners, are contained, too
    flat = vertices[faces]
    flat = flat[_without_area(flat)]
    mesh = Triangles(np.concatenate([corners, flat]), np.concatenate([closed, np.zeros(len(flat), bool)]))
    if method == "spheres":
        centers, radii, left = _balls(mesh, _USUAL * mesh.size if tolerance is None else tolerance, contain)
        out = np.nan if fast else bounds.spheres_stick_out(centers, radii, mesh)
        return Found([], np.column_stack([centers, radii]), out, left, mesh.size)
    if method == "hull":
        hulls = [_hull(distinct_points(vertices), mesh.size, tolerance, contain)]
    else:
        hulls = convex_parts(mesh, tolerance)
    hulls, left = _containing(hulls, mesh, contain)
    out = np.nan if fast else bounds.hulls_stick_out(hulls, mesh)
    return _found(hulls, out, left, mesh)


def _around(shape: Shape) -> tuple[Shape, float]:
    """The shape, or one with flat sides around a round one, and how far (m) that sticks out."""
    g = shape.geometry
    if not isinstance(g, _ROUND):
        return shape, 0.0
    if isinstance(g, s.Ellipsoid):
        x, y, z = (_AROUND * radius for radius in g.radii)
        made: s.Geometry = replace(g, radii=(x, y, z))
        largest = max(g.radii)
    else:
        made, largest = replace(g, radius=_AROUND * g.radius), g.radius
    stretch = 1.0 if shape.linear is None else float(np.linalg.norm(np.array(shape.linear), 2))
    return replace(shape, geometry=made, divisions=_SIDES), (_AROUND - 1.0) * largest * stretch


def _hull(points: Floats, size: float, tolerance: float | None, contain: bool) -> Hull:
    """The hull of points, or a simpler one that sticks out of it by no more than the tolerance."""
    exact = hull_of(points)
    if tolerance is None:
        return exact
    height = tolerance
    for _ in range(_TRIES):
        # what is farthest from a convex solid is a corner
        small = hull_of(exact.vertices, height)
        left = float(small.distances(exact.vertices).max())
        by = (1.0 + 1e-6) * left + _LEAST * size
        for made in (grown(small, by, scaled=True), grown(small, by)) if contain else (small,):
            off = float(exact.distances(made.vertices).max())
            if max(off, 0.0 if contain else left) <= tolerance and len(made.faces) < len(exact.faces):
                return replace(made, apart=np.inf)
        height *= 0.5
    return exact


def _containing(hulls: list[Hull], mesh: Triangles, contain: bool) -> tuple[list[Hull], float]:
    """The hulls, made larger until they contain the mesh if that is asked, and what they leave of it."""
    left = _leaves(hulls, mesh)
    if not contain or left == 0.0:
        return hulls, left
    # each point of the mesh is within that of one of them
    by = (1.0 + 1e-6) * left + _LEAST * mesh.size
    return [grown(hull, by) for hull in hulls], 0.0


def _leaves(hulls: list[Hull], mesh: Triangles) -> float:
    """What hulls leave of a mesh; a single one leaves most at a corner."""
    if len(hulls) == 1:
        return float(hulls[0].distances(np.unique(mesh.corners.reshape(-1, 3), axis=0)).max())
    return bounds.hulls_leave(hulls, mesh)


def _balls(mesh: Triangles, tolerance: float, contain: bool) -> tuple[Floats, Floats, float]:
    """The centers and radii of balls that cover a mesh, and what they leave of it."""
    centers, radii = covering_spheres(mesh, tolerance)
    left = bounds.spheres_leave(centers, radii, mesh)
    if contain and left > 0.0:
        # each point of the mesh is within that of one of them
        radii, left = radii + (1.0 + 1e-6) * left + _LEAST * mesh.size, 0.0
    return centers, radii, left


def triangle_mesh(vertices: Floats, faces: Faces) -> s.Mesh:
    """Triangles (m, 3) of vertices (n, 3), which enclose a solid, as polygons of the model."""
    polygons = np.column_stack([faces, np.full(len(faces), -1)])
    return s.Mesh(vertices=s.floats(vertices), faces=s.ints(polygons), solid=True)
