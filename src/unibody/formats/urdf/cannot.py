"""Features of a robot that URDF cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

from unibody.formats.cannot import (
    CENTERS,
    HULLS,
    LENSES,
    SCALES,
    SCREW_COUPLINGS,
    SIDES,
    SURROUNDINGS,
    UNKNOWN,
    chains,
    contacts,
    gravity,
    weights,
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
    unbounded,
    uneven,
    value,
)
from unibody.formats.format import Cannot
from unibody.model import shape as s
from unibody.model.device import Camera, ContactSwitch, RangeSensor
from unibody.model.robot import UNBOUNDED as NO_BOUNDS
from unibody.model.robot import Joint, Link

# Finite stand-in for a missing limit that URDF requires; larger than any limit of a real robot.
UNBOUNDED = 1e9

_DYNAMICS = "of <dynamics>, which some simulators read; other programs ignore it"
_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_LIMITS = "joints/*/limits"
_FRICTION = "<contact> and <gazebo> have the friction of a link: one for all of its shapes"
_LOOK = "a URDF material is a color with opacity and a texture"
_FILES = "written as mesh files; URDF has boxes, spheres, cylinders and mesh files"
_STRETCH = "URDF shapes have a pose only; the deformation is applied to the size or a mesh file"
_CAPSULE = "written as a cylinder and two spheres; capsules require URDF 1.1"
_AXIS = "applied to the pose; URDF mesh files are Z-up"
_ASKED = "ROS requires a limit; using 1e9"
_ACTUATORS = "URDF transmissions have a reduction and an offset only"
_TRANSMISSION = "a transmission needs a joint with one position, and a ratio other than zero"
_SWITCHES = "URDF has none; contact sensors of Gazebo name shapes, and have no threshold"
_SRDF = "in its SRDF, if one is written beside it"

_FRAMES = "those that are used are written as links behind fixed joints (see the option frames)"


def _is_fixed_joint(before: object, after: object) -> bool:
    return before is None and isinstance(after, Joint) and after.kind == "fixed"


def _is_empty(before: object, after: object) -> bool:
    """Whether a link without mass and shapes is added."""
    if before is not None or not isinstance(after, Link):
        return False
    return not (after.inertial or after.visuals or after.collisions)


CANNOT: tuple[Cannot, ...] = (
    *SURROUNDINGS,
    UNKNOWN,
    HULLS,
    # shapes
    Cannot("inline meshes", _GEOMETRY, _FILES, before_is(s.Mesh), outcome="converted"),
    Cannot("extrusions", _GEOMETRY, _FILES, before_is(s.Extrusion), outcome="converted"),
    Cannot("elevation grids", _GEOMETRY, _FILES, before_is(s.ElevationGrid), outcome="converted"),
    Cannot("cones", _GEOMETRY, _FILES, before_is(s.Cone), outcome="converted"),
    Cannot("ellipsoids", _GEOMETRY, _FILES, before_is(s.Ellipsoid), outcome="converted"),
    Cannot(
        "planes", _GEOMETRY, f"{_FILES}; a plane becomes a square", before_is(s.Plane), outcome="converted"
    ),
    Cannot("capsules", _GEOMETRY, _CAPSULE, before_is(s.Capsule), outcome="converted"),
    Cannot("capsules", _SHAPE, _CAPSULE, added, outcome="converted"),
    Cannot("lines", _SHAPE, "not representable in URDF", removed, shape(s.LineSet), quantity="bounds"),
    Cannot("points", _SHAPE, "not representable in URDF", removed, shape(s.PointSet), quantity="bounds"),
    Cannot("shapes without extent", _SHAPE, "sizes must be positive", removed, quantity="bounds"),
    Cannot("open cylinders", f"{_GEOMETRY}/top", "URDF cylinders are closed", changed_to(True)),
    Cannot("open cylinders", f"{_GEOMETRY}/bottom", "URDF cylinders are closed", changed_to(True)),
    Cannot(
        "cylinders without side surface", f"{_GEOMETRY}/side", "URDF cylinders are closed", changed_to(True)
    ),
    Cannot("stretched shapes", _GEOMETRY, _STRETCH, after_is(s.MeshFile), stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_GEOMETRY}/*", _STRETCH, None, stretched, outcome="converted"),
    Cannot(
        "flat boxes",
        _GEOMETRY,
        "written as mesh files; sizes must be positive",
        before_is(s.Box),
        outcome="converted",
    ),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, removed, outcome="converted"),
    Cannot(
        "parts of mesh files",
        f"{_GEOMETRY}/fragment",
        "URDF uses mesh files as a whole",
        removed,
        outcome="converted",
    ),
    Cannot(
        "parts of mesh files",
        f"{_GEOMETRY}/without/**",
        "URDF uses mesh files as a whole",
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
    Cannot("up axes of mesh files", f"{_GEOMETRY}/up_axis", _AXIS, removed, outcome="converted"),
    Cannot("up axes of mesh files", f"{_SHAPE}/pose/quat", _AXIS, None, in_units, outcome="converted"),
    Cannot(
        "unused materials of mesh files",
        f"{_GEOMETRY}/geometry_only",
        "the file has none, or is converted to one without materials",
        changed_to(False),
        outcome="converted",
    ),
    Cannot(
        "mesh files of other types",
        f"{_GEOMETRY}/uri",
        "written as OBJ files; ROS does not support the format",
        outcome="converted",
    ),
    CENTERS,
    SCALES,
    SIDES,
    contacts(_FRICTION),
    Cannot("contact values", f"{_SHAPE}/contact/*", _FRICTION),
    Cannot("second collision models", "links/*/collisions_alt/**", "URDF has one collision model", removed),
    # materials
    Cannot(
        "materials of collisions",
        "links/*/collisions/*/material",
        "URDF collisions have no material",
        removed,
    ),
    Cannot(
        "unnamed materials", f"{_SHAPE}/material/name", "URDF materials must be named", outcome="assumed"
    ),
    Cannot("ambient reflection", f"{_SHAPE}/material/ambient", _LOOK, changed_to(1.0)),
    Cannot("emissive colors", f"{_SHAPE}/material/emissive", _LOOK, changed_to(_ZERO)),
    Cannot("specular colors", f"{_SHAPE}/material/specular", _LOOK, changed_to(_ZERO)),
    Cannot("specular colors", f"{_SHAPE}/material/specular_exponent", _LOOK, changed_to(25.0)),
    Cannot(
        "texture transforms",
        f"{_SHAPE}/material/texture/transform",
        "URDF textures have no transform",
        removed,
    ),
    Cannot(
        "clamped textures", f"{_SHAPE}/material/texture/repeat_*", "URDF textures repeat", changed_to(True)
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/image",
        "URDF textures are image files",
        removed,
        outcome="converted",
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/uri",
        "URDF textures are image files",
        added,
        outcome="converted",
    ),
    # links and joints
    Cannot(
        "asymmetric inertia",
        "links/*/inertial/inertia",
        "URDF stores six numbers; off-diagonal pairs are averaged",
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
    Cannot("frames", "joints/*", _FRAMES, _is_fixed_joint, outcome="converted"),
    Cannot(
        "massless links",
        "links/*",
        "between the joints of a chain, and for frames that are used",
        _is_empty,
        outcome="converted",
    ),
    *(row for row in chains("ball", "universal", "screw") if row.path != "links/*"),
    SCREW_COUPLINGS,
    Cannot(
        "tracks", "joints/*/kind", "written as fixed joints; URDF has no moving surfaces", value("track")
    ),
    Cannot("tracks", f"{_LIMITS}/*", "URDF has no moving surfaces", changed_to(NO_BOUNDS), kind("track")),
    Cannot("tracks", "joints/*/axis", "URDF has no moving surfaces", None, kind("track")),
    Cannot("initial positions", "joints/*/initial", "URDF joints start at zero", changed_to(0.0)),
    Cannot("joint numbers", "joints/*/number", "URDF joints have names only", removed),
    Cannot("passive joints", "joints/*/passive", _SRDF, changed_to(False)),
    Cannot(
        "asymmetric velocity limits",
        f"{_LIMITS}/velocity",
        "URDF has one limit for both directions",
        uneven,
    ),
    *(
        Cannot(
            f"asymmetric {rate} limits",
            f"{_LIMITS}/{rate}",
            "URDF has one limit for both directions",
            uneven,
        )
        for rate in ("acceleration", "deceleration", "jerk")
    ),
    Cannot(
        "missing deceleration limits",
        f"{_LIMITS}/deceleration",
        "without deceleration, the limit is that of acceleration; using 1e9",
        unbounded(UNBOUNDED),
        outcome="assumed",
    ),
    Cannot(
        "asymmetric effort limits", f"{_LIMITS}/effort", "URDF has one limit for both directions", uneven
    ),
    Cannot(
        "missing velocity limits", f"{_LIMITS}/velocity", _ASKED, unbounded(UNBOUNDED), outcome="assumed"
    ),
    Cannot("missing effort limits", f"{_LIMITS}/effort", _ASKED, unbounded(UNBOUNDED), outcome="assumed"),
    Cannot(
        "one-sided position limits", f"{_LIMITS}/position", _ASKED, unbounded(UNBOUNDED), outcome="assumed"
    ),
    Cannot("actuation modes", "joints/*/actuator/mode", _ACTUATORS, removed),
    Cannot(
        "gears of other joints", "joints/*/actuator/gear_ratio", _TRANSMISSION, removed, quantity="inertia"
    ),
    Cannot(
        "missing gear ratios",
        "joints/*/actuator/gear_ratio",
        "an offset needs a reduction; using 1",
        added,
        outcome="assumed",
    ),
    Cannot("gears of other joints", "joints/*/actuator/offset", _TRANSMISSION, removed),
    Cannot("gears and rotors", "joints/*/actuator/gear_efficiency", _ACTUATORS, removed),
    Cannot("gears and rotors", "joints/*/actuator/*_inertia", _ACTUATORS, removed, quantity="inertia"),
    Cannot("motors", "joints/*/actuator/*", _ACTUATORS, removed),
    # beside the tree
    Cannot("other loops", "loops/*", "no <constraint> type fixes these directions", removed),
    Cannot("normalized coordinates", "coordinates/**", "not representable in URDF", removed),
    Cannot("order of couplings", "couplings", "written in the order of the joints", outcome="converted"),
    Cannot("data of other devices", "devices/*/spec/data", "some characters are not representable in XML"),
    Cannot("contact switches", "devices/*", _SWITCHES, removed, spec(ContactSwitch)),
    Cannot("other devices", "devices/*", "URDF has cameras and ray sensors only", removed),
    Cannot("device ids", "devices/*/id", "URDF sensors have names only", removed),
    Cannot("devices switched off", "devices/*/on", "URDF sensors are always on", changed_to(True)),
    Cannot(
        "sensor ranges",
        "devices/*/spec/*_distance",
        "a URDF camera measures from near to far",
        None,
        spec(Camera),
    ),
    Cannot(
        "sensor ranges",
        "devices/*/spec/*_distance",
        "URDF ray sensors have no range",
        None,
        spec(RangeSensor),
    ),
    *LENSES[:2],
    Cannot("sensor noise", "devices/*/spec/detection_rate", "URDF sensors have no noise model"),
    Cannot("sensor noise", "devices/*/spec/error_deviation", "URDF sensors have no noise model"),
    Cannot("scan steps", "devices/*/spec/*_step", "URDF stores a whole number of samples"),
    Cannot("frames", "frames/**", _FRAMES, removed),
    Cannot("groups", "groups/**", _SRDF, removed),
    Cannot("configurations", "configurations/**", _SRDF, removed),
    weights("<gazebo> bears all of a weight or none of it"),
    *gravity("each program has its own, that of the earth"),
    Cannot("links excluded from collision", "links/*/collides", "URDF has no such flag", changed_to(True)),
    Cannot("self-collision rules", "self_collision/**", _SRDF),
    Cannot("fixed or free base", "base", "base type unspecified in URDF", removed),
    Cannot("fixed or free base", "base", "a root link named world is fixed", changed_to("fixed")),
    Cannot("robot pose", "pose/*", "URDF has no pose of the robot", changed_to(_ZERO, _NO_TURN)),
    Cannot("empty names", "name", "using the file name", added, outcome="assumed"),
    Cannot(
        "order of vendor data", "extras", "written next to the element they belong to", outcome="converted"
    ),
    Cannot(
        "vendor data",
        "extras/**",
        "a URDF file has no place for elements of other formats, or for some that ROS rejects",
        outcome="omitted",
    ),
)

#: Elements and attributes that most programs ignore, that of closed loops last.
EXTENSIONS: tuple[Cannot, ...] = (
    Cannot("armatures", "joints/*/actuator/axis_inertia", f"written as armature {_DYNAMICS}"),
    Cannot("springs", "joints/*/dynamics/stiffness", f"written as spring_stiffness {_DYNAMICS}"),
    Cannot(
        "cameras and scanners",
        "devices/*",
        "written as <sensor>, which unibody and Choreonoid read; other programs ignore it",
        of=spec(Camera, RangeSensor),
    ),
    Cannot(
        "loops", "loops/*", "written as <constraint>, which only unibody reads; other programs ignore it"
    ),
)
