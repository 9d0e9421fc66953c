"""Features of a robot that MJCF cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

from typing import Any

from unibody.formats.cannot import (
    CENTERS,
    MISSING_TEXTURES,
    SCREW_COUPLINGS,
    SIDES,
    UNKNOWN,
    chains,
    rates,
    unstated_base,
)
from unibody.formats.conditions import (
    added,
    after_is,
    asymmetric,
    before_is,
    changed_to,
    in_units,
    kind,
    massless,
    removed,
    shape,
    spec,
    stretched,
    value,
)
from unibody.formats.format import Cannot
from unibody.formats.mjcf.asset_elements import lost_files
from unibody.formats.mjcf.carriers import CARRIER
from unibody.formats.mjcf.devices import MOST_RAYS
from unibody.formats.mjcf.write_bodies import balanced
from unibody.model import device as m
from unibody.model import shape as s
from unibody.model.base import WORLD
from unibody.model.robot import BALL, FIXED, HINGE, UNBOUNDED, Extra, Frame, Joint, Link, Loop
from unibody.model.scan import ray_count
from unibody.text.node import Node

# --- beside the tree: loops, devices, contacts, keyframes -------------------------------

_CARRIERS = (
    "MuJoCo holds points and poses only; a carrier, a small body with joints, moves as the loop allows"
)
_SETTLED = "moved to where closing the loops leaves it: MuJoCo would pull at the offset"
_ENDS = "the ends of a loop are sites of its bodies"
_SITES = "a sensor is on a site of its body, which has the name of the sensor"
_LIGHTS = "MJCF lights have a position and a direction; colors include the intensity"
_CUTOFF = "MuJoCo has one cutoff for all axes"
_RAYS = "each ray is a rangefinder; the ranges end at the last ray, and there are no rates"
_MANY = f"a scan of more than {MOST_RAYS} rays is written as its middle ray; a larger step has fewer"
_COUNTED = "a contact sensor counts the contacts of a body, however small their forces are"
_PLACES = "a contact sensor is that of a whole body"
_CAMERA = "an MJCF camera has a resolution and the numbers of its lens only"
_NEIGHBORS = "excluded, since MuJoCo tests a body against one that is fixed to the world"
_ALONE = "the contact bits of its geoms tell it, and it has none"
_PAIRS = "MuJoCo never tests a body against its parent"


def _carrier(before: Any, after: Any) -> bool:
    name = after.name if isinstance(after, Link) else after.child if isinstance(after, Joint) else ""
    return before is None and CARRIER in name


def _is_end(before: Any, after: Any) -> bool:
    """Whether an added frame is named as the end of a loop."""
    name = after.name if isinstance(after, Frame) else ""
    return before is None and any(f"{name}_".find(f"_{end}_") > 0 for end in ("a", "b", "a2", "b2"))


def _has_many_rays(device: Any) -> bool:
    return isinstance(device.spec, m.RangeSensor) and ray_count(device.spec) > MOST_RAYS


def _is_carried(loop: Any) -> bool:
    return isinstance(loop, Loop) and loop.holds not in (BALL, HINGE, FIXED)


def _no_axis(loop: Any) -> bool:
    return isinstance(loop, Loop) and loop.holds in (BALL, FIXED)


def _unbalanced(before: Any, after: Any) -> bool:
    return isinstance(before, tuple) and balanced(before) != before


#: The rows of masses that come before those of the tree.
_INERTIAS: tuple[Cannot, ...] = (
    Cannot("carriers of loops", "links/*", _CARRIERS, _carrier, quantity="mass", outcome="assumed"),
    Cannot("carriers of loops", "joints/*", _CARRIERS, _carrier, outcome="assumed"),
    Cannot(
        "impossible inertias",
        "links/*/inertial/inertia",
        "MuJoCo rejects principal moments that belong to no body; the nearest ones are written",
        _unbalanced,
        quantity="inertia",
    ),
)

_BESIDE: tuple[Cannot, ...] = (
    Cannot("loops", "loops/*", "a loop that holds nothing is left out", removed, outcome="converted"),
    Cannot("loops", "loops/*/**", _CARRIERS, None, _is_carried, outcome="converted"),
    Cannot(
        "loops", "loops/*/axis", "a ball and a fixed loop have no axis", None, _no_axis, outcome="converted"
    ),
    Cannot("offsets in loops", "loops/*/pose_b/**", _SETTLED, outcome="converted"),
    Cannot("frames of sensors", "frames/*", _SITES, added, spec(object), outcome="converted"),
    Cannot("loops", "frames/*", _ENDS, _is_end, outcome="converted"),
    Cannot("frames of sensors", "frames/*", _SITES, added, outcome="converted"),
    Cannot(
        "couplings of fixed joints",
        "couplings/*",
        "a fixed joint neither leads nor follows",
        removed,
        outcome="converted",
    ),
    Cannot("normalized coordinates", "coordinates/**", "not representable in MJCF", removed),
    # devices
    Cannot("other devices", "devices/*", "MJCF has no such sensors", removed),
    Cannot("device ids", "devices/*/id", "MJCF sensors have names only", removed),
    Cannot("devices switched off", "devices/*/on", "MJCF sensors are always on", changed_to(True)),
    Cannot(
        "order of devices",
        "devices",
        "cameras and lights are in their bodies, sensors behind them",
        outcome="converted",
    ),
    Cannot("limits of readings", "devices/*/spec/max_*", _CUTOFF, changed_to(m.UNLIMITED)),
    Cannot(
        "sensor ranges", "devices/*/spec/min_distance", "a rangefinder measures from 0", changed_to(0.0)
    ),
    Cannot("scans", "devices/*/spec/*", _MANY, None, _has_many_rays),
    Cannot("scans", "devices/*/spec/*", _RAYS, None, spec(m.RangeSensor)),
    Cannot("thresholds of contact switches", "devices/*/spec/threshold", _COUNTED, changed_to(0.0)),
    Cannot("places of contact switches", "devices/*/pose/*", _PLACES, None, spec(m.ContactSwitch)),
    Cannot("data of cameras", "devices/*/spec/*", _CAMERA, None, spec(m.Camera)),
    Cannot(
        "directions of lights",
        "devices/*/pose/quat",
        _LIGHTS,
        None,
        spec(m.SpotLight, m.DirectionalLight, m.PointLight),
        outcome="converted",
    ),
    Cannot(
        "directions of lights",
        "devices/*/spec/*",
        _LIGHTS,
        None,
        spec(m.SpotLight, m.DirectionalLight, m.PointLight),
    ),
    Cannot("data of other devices", "devices/*/spec/data", "MJCF sensors have no further data"),
    # postures and pairs
    Cannot("traces of frames", "frames/*/trace", "MJCF sites have no trace", changed_to(False)),
    Cannot("groups", "groups/**", "not representable in MJCF", removed),
    Cannot(
        "configurations",
        "configurations/**",
        "a keyframe has the positions of all hinges and slides",
        outcome="converted",
    ),
    Cannot("links excluded from collision", "links/*/collides", _ALONE, changed_to(True)),
    Cannot(
        "neighbors that are not tested",
        "self_collision/disabled/**",
        _NEIGHBORS,
        added,
        outcome="converted",
    ),
    Cannot("neighbors that are tested", "self_collision/**", _PAIRS),
)


# --- the tree, and the whole table ------------------------------------------------------

_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_LIMITS = "joints/*/limits"
_FILES = "written as mesh files; MJCF has boxes, spheres, cylinders, capsules, ellipsoids and meshes"
_TRIANGLES = "MJCF meshes are triangles in single precision, without creases"
_STRETCH = "MJCF geoms have a pose only; the deformation is applied to the size or a mesh file"
_LOOK = "an MJCF material has one specular value and one emission value"
_TEXTURE = "MJCF textures are PNG files that repeat"
_MESH = "MuJoCo reads triangles without materials from binary STL and OBJ files; one file for each material"
_ACTUATORS = "the reflected inertia is written as armature; gears and motors belong to actuators"
_MOVING = "MuJoCo rejects planes that move; written as a thin box below it"
_TRACK = "surfacevel of a geom is a constant, which no control drives"
_ROOT = "a body cannot be called world, and the world has neither a mass nor a pose; renamed"

_ONE_BODY = "the only body of the world is the root link; its joint and its place are those of the base"
_FIXED = "a body without joints has no limits and no friction"
_CHAINS = "a body has several joints; links between are named after them"
_FRAMES = "a body has several joints; links between have the axes of the body and the anchor of the joint"
_HELD = "a joint that follows a fixed one is held where that puts it"
_FRICTION = "where a geom must state friction that is not known, MuJoCo's own values are written"
_CLASS = "where the class of a geom states another value, MuJoCo's own is written"
_SETTINGS = "written for MuJoCo; the source has no such elements"
_EQUAL = "MuJoCo takes a range without extent as no limit"


def _ends_inside(joint: Any) -> bool:
    """Whether the child of a joint is a link between the joints of a body, which is named after both."""
    return isinstance(joint, Joint) and joint.child.endswith(f"_{joint.name}")


def _begins_inside(joint: Any) -> bool:
    return isinstance(joint, Joint) and joint.parent.startswith(f"{joint.child}_")


def _is_held(before: Any, after: Any) -> bool:
    return isinstance(after, tuple) and after[0] == after[1]


def _hangs_in_the_world(before: Any, after: Any) -> bool:
    return after is None and isinstance(before, Joint) and before.parent == WORLD


def _has_more(before: Any, after: Any) -> bool:
    """Whether kept elements are all there, in their order, among others."""
    if not isinstance(before, Node) or not isinstance(after, Node):
        return bool(before == after)
    rest = iter(after.items)
    return before.tag == after.tag and all(
        any(key == other and _has_more(value, new) for other, new, _ in rest)
        for key, value, _ in before.items
    )


def _loses_mocap(before: Any, after: Any) -> bool:
    """Whether a body that mocap moves is written as another one."""
    old, new = (x.node if isinstance(x, Extra) else x for x in (before, after))
    was, stays = (isinstance(x, Node) and x.word("mocap") is not None for x in (old, new))
    return was and not stays


CANNOT: tuple[Cannot, ...] = (
    UNKNOWN,
    # shapes
    Cannot("planes that move", _GEOMETRY, _MOVING, before_is(s.Plane), outcome="converted"),
    Cannot("planes that move", f"{_SHAPE}/pose/xyz", _MOVING, None, shape(s.Plane), outcome="converted"),
    Cannot(
        "convex hulls",
        f"{_SHAPE}/hull",
        "MuJoCo collides with the filled convex hull of a mesh",
        changed_to(True),
        outcome="converted",
    ),
    Cannot("unstated friction", f"{_SHAPE}/contact", _FRICTION, added, outcome="assumed"),
    Cannot("unstated friction", f"{_SHAPE}/contact/sliding", _FRICTION, added, outcome="assumed"),
    Cannot("unstated friction", f"{_SHAPE}/contact/torsional", _FRICTION, added, outcome="assumed"),
    *(
        Cannot("unstated contact values", f"{_SHAPE}/contact/{name}", _CLASS, added, outcome="assumed")
        for name in ("condim", "solimp", "solref")
    ),
    Cannot("inline meshes", _GEOMETRY, _FILES, before_is(s.Mesh), outcome="converted"),
    Cannot("inline meshes", f"{_GEOMETRY}/*", _TRIANGLES, None, shape(s.Mesh), outcome="converted"),
    Cannot("extrusions", _GEOMETRY, _FILES, before_is(s.Extrusion), outcome="converted"),
    Cannot("elevation grids", _GEOMETRY, _FILES, before_is(s.ElevationGrid), outcome="converted"),
    Cannot("cones", _GEOMETRY, _FILES, before_is(s.Cone), outcome="converted"),
    Cannot("stretched shapes", _GEOMETRY, _STRETCH, None, stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_GEOMETRY}/*", _STRETCH, None, stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, removed, outcome="converted"),
    Cannot(
        "flat boxes",
        _GEOMETRY,
        "written as mesh files; sizes must be positive",
        before_is(s.Box),
        outcome="converted",
    ),
    Cannot("lines", _SHAPE, "not representable in MJCF", removed, shape(s.LineSet), quantity="bounds"),
    Cannot("points", _SHAPE, "not representable in MJCF", removed, shape(s.PointSet), quantity="bounds"),
    Cannot(
        "missing mesh files",
        _SHAPE,
        "MuJoCo rejects a model whose mesh file is missing or unreadable",
        removed,
        shape(s.MeshFile),
        quantity="bounds",
        outcome="omitted",
    ),
    Cannot("shapes without extent", _SHAPE, "sizes must be positive", removed, quantity="bounds"),
    Cannot(
        "parts without area",
        f"{_GEOMETRY}/parts",
        "MuJoCo rejects a mesh file without area",
        quantity="bounds",
        outcome="omitted",
    ),
    Cannot("open cylinders", f"{_GEOMETRY}/top", "MJCF cylinders are closed", changed_to(True)),
    Cannot("open cylinders", f"{_GEOMETRY}/bottom", "MJCF cylinders are closed", changed_to(True)),
    Cannot(
        "cylinders without side surface", f"{_GEOMETRY}/side", "MJCF cylinders are closed", changed_to(True)
    ),
    Cannot(
        "parts of mesh files",
        f"{_GEOMETRY}/fragment",
        "MJCF uses mesh files as a whole",
        removed,
        outcome="converted",
    ),
    Cannot(
        "parts of mesh files",
        f"{_GEOMETRY}/without/**",
        "MJCF uses mesh files as a whole",
        removed,
        outcome="converted",
    ),
    Cannot(
        "units of mesh files", f"{_GEOMETRY}/unit", "applied to the scale", removed, outcome="converted"
    ),
    Cannot(
        "units of mesh files",
        f"{_GEOMETRY}/scale",
        "applied to the scale",
        None,
        in_units,
        outcome="converted",
    ),
    Cannot(
        "up axes of mesh files", f"{_GEOMETRY}/up_axis", "applied to the pose", removed, outcome="converted"
    ),
    Cannot(
        "up axes of mesh files",
        f"{_SHAPE}/pose/quat",
        "applied to the pose",
        None,
        in_units,
        outcome="converted",
    ),
    Cannot("mesh files of other types", f"{_GEOMETRY}/uri", _MESH, outcome="converted"),
    Cannot("mesh files of other types", f"{_GEOMETRY}/scale", _MESH, outcome="converted"),
    Cannot(
        "materials of mesh files",
        f"{_GEOMETRY}/geometry_only",
        _MESH,
        changed_to(True),
        outcome="converted",
    ),
    Cannot(
        "materials of mesh files", f"{_SHAPE}/name", _MESH, None, shape(s.MeshFile), outcome="converted"
    ),
    Cannot(
        "materials of mesh files",
        f"{_SHAPE}/material/**",
        _MESH,
        None,
        shape(s.MeshFile),
        outcome="converted",
    ),
    CENTERS,
    SIDES,
    Cannot("second collision models", "links/*/collisions_alt/**", "MJCF has one collision model", removed),
    # materials
    MISSING_TEXTURES,
    Cannot(
        "materials of collisions",
        "links/*/collisions/*/material",
        "a collision geom is not drawn",
        removed,
    ),
    Cannot("materials of mesh files", f"{_SHAPE}", _MESH, added, outcome="converted"),
    Cannot("equal names of shapes", f"{_SHAPE}/name", "the names of geoms are unique", outcome="converted"),
    Cannot(
        "unnamed materials", f"{_SHAPE}/material/name", "MJCF materials must be named", outcome="assumed"
    ),
    Cannot("ambient reflection", f"{_SHAPE}/material/ambient", _LOOK, changed_to(1.0)),
    Cannot("emissive colors", f"{_SHAPE}/material/emissive", _LOOK),
    Cannot("specular colors", f"{_SHAPE}/material/specular", _LOOK),
    Cannot("specular colors", f"{_SHAPE}/material/specular_exponent", _LOOK),
    Cannot("texture transforms", f"{_SHAPE}/material/texture/transform", _TEXTURE, removed),
    Cannot("clamped textures", f"{_SHAPE}/material/texture/repeat_*", _TEXTURE, changed_to(True)),
    Cannot("other images", f"{_SHAPE}/material/texture", _TEXTURE, removed),
    Cannot("inline textures", f"{_SHAPE}/material/texture/image", _TEXTURE, removed, outcome="converted"),
    Cannot("inline textures", f"{_SHAPE}/material/texture/uri", _TEXTURE, added, outcome="converted"),
    # links and joints
    Cannot("worlds with one body", "links/world", _ONE_BODY, removed, outcome="converted"),
    Cannot("worlds with one body", "joints/*", _ONE_BODY, _hangs_in_the_world, outcome="converted"),
    Cannot("worlds with one body", "pose/*", _ONE_BODY, outcome="converted"),
    Cannot("worlds with one body", "base", _ONE_BODY, value("fixed"), outcome="converted"),
    Cannot("links called world", "links/world", _ROOT, outcome="converted"),
    *_INERTIAS,
    Cannot(
        "asymmetric inertia",
        "links/*/inertial/inertia",
        "MJCF stores six numbers; off-diagonal pairs are averaged",
        asymmetric,
        quantity="inertia",
    ),
    Cannot(
        "zero masses",
        "links/*/inertial",
        "written without <inertial>",
        removed,
        massless,
        quantity="inertia",
        outcome="converted",
    ),
    Cannot(
        "massless links",
        "links/*/inertial",
        "MuJoCo rejects bodies that move without mass; using 1e-9 kg, or enough for a loop",
        added,
        quantity="mass",
        outcome="assumed",
    ),
    Cannot(
        "massless links",
        "links/*/inertial/*",
        "MuJoCo rejects bodies that move without mass; using 1e-9 kg and 1e-12 kg·m² at least",
        None,
        massless,
        outcome="assumed",
    ),
    *chains("universal", "screw", "planar", "free"),
    SCREW_COUPLINGS,
    Cannot(
        "frames of links in chains",
        "joints/*/origin/*",
        _FRAMES,
        None,
        _ends_inside,
        "frames",
        outcome="converted",
    ),
    Cannot(
        "frames of links in chains", "joints/*/origin/*", _FRAMES, None, _begins_inside, outcome="converted"
    ),
    Cannot("frames of links in chains", "joints/*/axis", _FRAMES, None, _ends_inside, outcome="converted"),
    Cannot("tracks", "joints/*/kind", f"written as fixed joints; {_TRACK}", value("track")),
    Cannot("tracks", f"{_LIMITS}/*", _TRACK, changed_to(UNBOUNDED), kind("track")),
    Cannot("tracks", "joints/*/axis", _TRACK, None, kind("track")),
    Cannot(
        "names of fixed joints",
        "joints/*",
        "a body without joints is fixed; named after the link",
        outcome="converted",
    ),
    Cannot("data of fixed joints", "joints/*/**", _FIXED, None, kind("fixed"), outcome="converted"),
    Cannot("names of links in chains", "links/*", _CHAINS, after_is(str), outcome="converted"),
    Cannot(
        "order of links and joints",
        "links",
        "written depth first, as a tree of bodies",
        outcome="converted",
    ),
    Cannot(
        "order of links and joints",
        "joints",
        "written depth first, as a tree of bodies",
        outcome="converted",
    ),
    Cannot(
        "order of links and joints",
        "extras",
        "written depth first, as a tree of bodies",
        outcome="converted",
    ),
    Cannot("order of frames", "frames", "written in the bodies that they are on", outcome="converted"),
    Cannot("initial positions", "joints/*/initial", "MuJoCo starts at the zero position", changed_to(0.0)),
    Cannot("joint numbers", "joints/*/number", "MJCF joints have names only", removed),
    Cannot(
        "passive joints",
        "joints/*/passive",
        "MJCF has no such mark: a joint without an actuator is passive",
        changed_to(False),
    ),
    Cannot("velocity limits", f"{_LIMITS}/velocity", "MJCF has no velocity limits", changed_to(UNBOUNDED)),
    *rates("MJCF has limits of positions and forces only"),
    Cannot("couplings of fixed joints", f"{_LIMITS}/position", _HELD, _is_held, outcome="converted"),
    Cannot("limits without a range", f"{_LIMITS}/*", _EQUAL, changed_to(UNBOUNDED)),
    Cannot("actuation modes", "joints/*/actuator/mode", _ACTUATORS, removed),
    Cannot("gears and rotors", "joints/*/actuator/axis_inertia", _ACTUATORS, added, outcome="converted"),
    Cannot("gears and rotors", "joints/*/actuator/*_inertia", _ACTUATORS, removed, outcome="converted"),
    Cannot("gears and rotors", "joints/*/actuator/*", _ACTUATORS, removed),
    *_BESIDE,
    unstated_base("fixed"),
    Cannot("empty names", "name", "using the file name", added, outcome="assumed"),
    Cannot(
        "settings of MJCF",
        "extras/**",
        _SETTINGS,
        added,
        outcome="converted",
    ),
    Cannot(
        "mocap bodies",
        "extras/**",
        "MuJoCo takes only bodies in the world without joints for them",
        _loses_mocap,
    ),
    Cannot("settings of MJCF", "extras/*/node", _SETTINGS, _has_more, outcome="converted"),
    Cannot(
        "missing files of assets",
        "extras/**",
        "MuJoCo rejects a model whose files are missing",
        lost_files,
        outcome="omitted",
    ),
    Cannot(
        "vendor data",
        "extras/**",
        "an MJCF file has no place for elements of other formats",
        outcome="omitted",
    ),
)
