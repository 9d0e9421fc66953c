"""What USD cannot say, or says in other terms."""

from __future__ import annotations

import math
from typing import Any

from unibody.formats.cannot import (
    LENSES,
    MISSING_TEXTURES,
    SCREW_COUPLINGS,
    SIDES,
    UNKNOWN,
    chains,
    earthly_gravity,
    rates,
    unstated_base,
    weights,
)
from unibody.formats.conditions import (
    added,
    after_is,
    asymmetric,
    before_is,
    changed_to,
    kind,
    massless,
    removed,
    shape,
    spec,
    stretched,
    uneven,
    value,
)
from unibody.formats.format import Cannot
from unibody.formats.usd.write_lowered import LEAST_INERTIA, LEAST_MASS, is_empty_world, with_extent
from unibody.model import device as m
from unibody.model import shape as s
from unibody.model.base import WORLD
from unibody.model.robot import UNBOUNDED, Extra, Joint, Link

_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_LIMITS = "joints/*/limits"
_SINGLE = "USD has numbers of 32 bits here: seven digits"
_NAMES = "names of prims consist of letters, digits and underscores, and siblings have different ones"
_TRIANGLES = "written as polygons"
_LEAST = (
    f"zero stands for what is derived from shapes: written with {LEAST_MASS:g} kg, {LEAST_INERTIA:g} kg·m²"
)
_ROD = f"principal moments must be positive: {LEAST_INERTIA:g} kg·m² instead of zero"
_HULL = "a mesh that moves collides as its convex hull in every program that reads USD"
_LOOKS = "a preview surface has no such value"
_ONE = "USD has one limit for both directions"
_TWO = "MuJoCo's limit of effort has two directions, the force of a drive has one"
_LOOP = "the anchors of a loop are turned so that its axis is X, Y or Z"
_STANDS = "a stage is the world: a robot stands in it by its pose, and by a joint to no body"
_SENSED = "USD has no such sensor"
_PIXELS = "a camera of USD has no pixels; its apertures have the shape of the picture"
_LENS = "a camera of USD has one lens and makes no depth images"
_LIGHT = "lights of USD fall off with the square of the distance"
_MOTORS = "USD states the reflected inertia"
_PAIRS = "written as pairs that do not collide; a joint tells whether its own two links do"
_NOTHING = "a link without shapes that collide has nothing that is switched off"
_ORDER = "prims are in the order of the tree"
_NOT = "not representable in USD"
_MATERIAL = "equal materials are one prim; that of a shape that is not drawn is not read"
# How near numbers of 32 bits are, relative to 1 plus the number.
_NEAR = 1e-6


def near(before: Any, after: Any) -> bool:
    """Whether values are the same but for the rounding of numbers of 32 bits.

    >>> near((0.1, 2.0), (0.10000000149011612, 2.0)), near(1.0, 1.1), near(math.inf, 1.0)
    (True, False, False)
    """
    if isinstance(before, bool) or isinstance(after, bool):
        return bool(before == after)
    if isinstance(before, int | float) and isinstance(after, int | float):
        return before == after or (
            math.isfinite(before) and abs(before - after) <= _NEAR * (1.0 + abs(before))
        )
    if isinstance(before, tuple) and isinstance(after, tuple):
        return len(before) == len(after) and all(map(near, before, after))
    return False


def _turned(before: Any, after: Any) -> bool:
    """Whether quaternions are one rotation but for rounding."""
    return near(before, after) or (isinstance(after, tuple) and near(before, tuple(-x for x in after)))


def _word(before: Any, after: Any) -> bool:
    return isinstance(before, str) and isinstance(after, str)


def _mean(before: Any, after: Any) -> bool:
    """Whether an inertia is the symmetric part of another one, but for rounding."""
    if not (isinstance(before, tuple) and isinstance(after, tuple)):
        return False
    pairs = ((before[i][j] + before[j][i], 2.0 * after[i][j]) for i in range(3) for j in range(3))
    return all(math.isclose(x, y, rel_tol=_NEAR, abs_tol=1e-12) for x, y in pairs)


def _near_inertia(before: Any, after: Any) -> bool:
    size = max((abs(x) for row in before for x in row), default=0.0) if isinstance(before, tuple) else 0.0
    if not isinstance(after, tuple):
        return False
    pairs = zip((x for row in before for x in row), (x for row in after for x in row), strict=True)
    return all(abs(x - y) <= _NEAR * size for x, y in pairs)


def _is_rod(before: Any, after: Any) -> bool:
    """Whether an inertia has a principal moment of zero."""
    return isinstance(before, tuple) and isinstance(after, tuple) and with_extent(before) != before


def _extra(before: object, after: object) -> bool:
    return before is None and isinstance(after, Extra)


def _is_holder(before: object, after: object) -> bool:
    """Whether a joint is left out that holds a robot to the world."""
    return isinstance(before, Joint) and before.parent == WORLD and after is None


def _is_light(before: object, after: object) -> bool:
    """Whether a link between the joints of a chain is added."""
    return (
        before is None
        and isinstance(after, Link)
        and after.inertial is not None
        and math.isclose(after.inertial.mass, LEAST_MASS, rel_tol=_NEAR)
    )


def _is_slack(joint: Joint) -> bool:
    """Whether a joint has no spring."""
    return not joint.dynamics.stiffness


def _one_sided(before: Any, after: Any) -> bool:
    """One limit of effort where another one is infinite, or both limits that are equal to the smaller."""
    return uneven(before, after) or near(min(map(abs, before)), after[1])


CANNOT: tuple[Cannot, ...] = (
    UNKNOWN,
    earthly_gravity("left to the scene that a stage is put into, 9.81 m/s² by default"),
    Cannot("gravity", "gravity", _SINGLE, near, outcome="converted"),
    weights("PhysX bears all of a weight or none of it"),
    unstated_base("fixed"),
    # names
    Cannot("empty names", "name", "a prim must have a name", added, outcome="assumed"),
    *(
        Cannot("names", path, _NAMES, _word, outcome="converted")
        for path in ("links/*", "joints/*", "loops/*", "frames/*", "devices/*")
    ),
    Cannot("names of shapes", f"{_SHAPE}/name", _NAMES, outcome="converted"),
    # masses
    Cannot(
        "asymmetric inertia",
        "links/*/inertial/inertia",
        "USD stores six numbers; off-diagonal pairs are averaged",
        asymmetric,
        quantity="inertia",
    ),
    Cannot("massless links", "links/*/inertial", _LEAST, added, quantity="mass", outcome="assumed"),
    Cannot(
        "massless links", "links/*/inertial/**", _LEAST, None, massless, quantity="mass", outcome="assumed"
    ),
    Cannot(
        "inertia without extent",
        "links/*/inertial/inertia",
        _ROD,
        _is_rod,
        quantity="inertia",
        outcome="assumed",
    ),
    Cannot("exact numbers", "links/*/inertial/inertia", _SINGLE, _near_inertia, outcome="converted"),
    Cannot("exact numbers", "links/*/inertial/*", _SINGLE, near, outcome="converted"),
    # joints
    Cannot("exact numbers", "joints/*/origin/xyz", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "joints/*/origin/quat", _SINGLE, _turned, outcome="converted"),
    Cannot("exact numbers", "joints/*/axis*", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", f"{_LIMITS}/*", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "joints/*/dynamics/*", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "joints/*/actuator/axis_inertia", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "joints/*/initial", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "couplings/*/*", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "loops/*/pose_*/*", _SINGLE, _turned, outcome="converted"),
    Cannot("exact numbers", "loops/*/axis", _SINGLE, near, outcome="converted"),
    Cannot("surroundings", "pose/*", _STANDS, None, is_empty_world, outcome="converted"),
    Cannot("exact numbers", f"{_SHAPE}/**", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", "devices/*/spec/*", _SINGLE, near, outcome="converted"),
    Cannot("exact numbers", f"{_GEOMETRY}/vertices", _SINGLE, outcome="converted"),
    SCREW_COUPLINGS,
    Cannot("multi-DOF joints", "links/*", "", _is_light, quantity="mass", outcome="converted"),
    *chains("screw", "planar", "universal"),
    Cannot("surroundings", "joints/*", _STANDS, _is_holder, outcome="converted"),
    Cannot(
        "tracks", "joints/*/kind", "written as fixed joints; USD has no moving surfaces", value("track")
    ),
    Cannot("tracks", "joints/*/**", "USD has no moving surfaces", None, kind("track")),
    Cannot(
        "values of joints without axis",
        "joints/*/**",
        "USD states limits, drives and springs of joints with one axis",
        changed_to(0.0, UNBOUNDED, None),
        kind("ball", "fixed", "planar", "universal", "free"),
    ),
    Cannot("joint numbers", "joints/*/number", "USD joints have names only", removed),
    Cannot("passive joints", "joints/*/passive", _NOT, changed_to(False)),
    Cannot("asymmetric velocity limits", f"{_LIMITS}/velocity", _ONE, _one_sided),
    Cannot("asymmetric effort limits", f"{_LIMITS}/effort", _TWO, _one_sided),
    *rates("USD joints have velocity limits only"),
    Cannot("actuation modes", "joints/*/actuator/mode", _MOTORS, removed),
    Cannot(
        "reflected inertias",
        "joints/*/actuator/axis_inertia",
        _MOTORS,
        added,
        outcome="converted",
    ),
    Cannot("motors", "joints/*/actuator/*", _MOTORS, removed),
    Cannot(
        "springs", "joints/*/dynamics/rest", "written with a stiffness only", changed_to(0.0), _is_slack
    ),
    # shapes
    Cannot(
        "mesh files",
        _SHAPE,
        "no triangles are read from the file",
        removed,
        shape(s.MeshFile),
        quantity="bounds",
    ),
    Cannot("mesh files", _GEOMETRY, _TRIANGLES, before_is(s.MeshFile), outcome="converted"),
    Cannot("extrusions", _GEOMETRY, _TRIANGLES, before_is(s.Extrusion), outcome="converted"),
    Cannot("elevation grids", _GEOMETRY, _TRIANGLES, before_is(s.ElevationGrid), outcome="converted"),
    Cannot(
        "ellipsoids that collide",
        _GEOMETRY,
        "PhysX has no ellipsoids: written as polygons",
        before_is(s.Ellipsoid),
        outcome="converted",
    ),
    Cannot("planes", f"{_GEOMETRY}/half_size", "a plane has a size", added, outcome="converted"),
    Cannot(
        "planes", f"{_GEOMETRY}/half_size", "a plane that collides has no end", removed, quantity="bounds"
    ),
    Cannot("stretched shapes", f"{_GEOMETRY}/**", _TRIANGLES, None, stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _TRIANGLES, removed, outcome="converted"),
    Cannot("open cylinders", _GEOMETRY, _TRIANGLES, after_is(s.Mesh), outcome="converted"),
    Cannot("convex hulls", f"{_SHAPE}/hull", _HULL, changed_to(True), outcome="converted"),
    Cannot(
        "parts of mesh files",
        _SHAPE,
        "each material of a mesh file is a prim",
        added,
        outcome="converted",
    ),
    Cannot(
        "lines and points",
        "links/*/collisions/*",
        "lines and points do not collide",
        removed,
        shape(s.LineSet, s.PointSet),
        quantity="bounds",
    ),
    Cannot(
        "shapes without extent",
        _SHAPE,
        "a shape without faces has no prim",
        removed,
        quantity="bounds",
    ),
    SIDES,
    Cannot(
        "looks of meshes",
        f"{_GEOMETRY}/*",
        "meshes have faces with one normal at each corner",
        outcome="converted",
    ),
    Cannot(
        "second collision models", "links/*/collisions_alt/**", "a link has one collision model", removed
    ),
    Cannot("links excluded from collision", "links/*/collides", _NOTHING, changed_to(True)),
    Cannot("contact values", f"{_SHAPE}/contact", "only shapes that collide have them", removed),
    # materials
    MISSING_TEXTURES,
    Cannot("materials of collisions", "links/*/collisions/*/material", _MATERIAL, removed),
    Cannot(
        "materials of mesh files",
        f"{_SHAPE}/material/**",
        "written as materials of the stage",
        None,
        shape(s.MeshFile),
        outcome="converted",
    ),
    Cannot("names of materials", f"{_SHAPE}/material/name", _MATERIAL, outcome="converted"),
    Cannot("ambient reflection", f"{_SHAPE}/material/ambient", _LOOKS),
    Cannot("highlights", f"{_SHAPE}/material/specular*", _LOOKS, outcome="converted"),
    Cannot("texture transforms", f"{_SHAPE}/material/texture/transform", _NOT, removed),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/image",
        "textures are files",
        removed,
        outcome="converted",
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/uri",
        "textures are files",
        added,
        outcome="converted",
    ),
    Cannot(
        "files of textures", f"{_SHAPE}/material/texture/uri", "textures are copied", outcome="converted"
    ),
    # beside the tree
    Cannot("order of links", "links", _ORDER, outcome="converted"),
    Cannot("order of frames", "frames", _ORDER, outcome="converted"),
    Cannot("order of devices", "devices", _ORDER, outcome="converted"),
    Cannot("order of couplings", "couplings", _ORDER, outcome="converted"),
    Cannot("loops", "loops/*/**", _LOOP, outcome="converted"),
    Cannot("couplings", "couplings/*", "only joints with one position are coupled", removed),
    Cannot("traced frames", "frames/*/trace", _NOT, changed_to(False)),
    Cannot("normalized coordinates", "coordinates/**", _NOT, removed),
    Cannot("groups", "groups/**", _NOT, removed),
    Cannot("configurations", "configurations/**", _NOT, removed),
    Cannot("self-collision rules", "self_collision/**", _PAIRS, outcome="converted"),
    Cannot("surroundings", f"links/{WORLD}", _STANDS, removed, outcome="converted"),
    # devices
    *LENSES[:2],
    Cannot("pixels of cameras", "devices/*/spec/width", _PIXELS, None, spec(m.Camera)),
    Cannot("pixels of cameras", "devices/*/spec/height", _PIXELS, None, spec(m.Camera)),
    Cannot("frame rates", "devices/*/spec/frame_rate", _PIXELS, None, spec(m.Camera)),
    Cannot("other cameras", "devices/*/spec/image", _LENS, None, spec(m.Camera)),
    Cannot("other cameras", "devices/*", _LENS, removed, spec(m.Camera)),
    Cannot("sensor ranges", "devices/*/spec/*_distance", _LENS, None, spec(m.Camera)),
    Cannot("sensor noise", "devices/*/spec/detection_rate", _LENS, removed),
    Cannot("sensor noise", "devices/*/spec/error_deviation", _LENS, removed),
    Cannot("largest readings", "devices/*/spec/max_*", _SENSED, None, spec(m.Imu)),
    Cannot("lights", "devices/*/spec/*", _LIGHT, None, spec(m.PointLight, m.SpotLight, m.DirectionalLight)),
    Cannot("lights", "devices/*/pose/quat", "a light shines along −Z", outcome="converted"),
    Cannot("other devices", "devices/*", _SENSED, removed),
    Cannot("device ids", "devices/*/id", _NOT, removed),
    Cannot("devices switched off", "devices/*/on", _NOT, changed_to(True)),
    # vendor data
    Cannot(
        "what programs need",
        "extras/**",
        "schemas of PhysX, Newton and MuJoCo",
        _extra,
        outcome="converted",
    ),
    Cannot(
        "vendor data", "extras/**", "a stage has no place for elements of other formats", outcome="omitted"
    ),
)
