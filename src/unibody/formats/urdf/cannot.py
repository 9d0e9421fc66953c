"""What URDF cannot say of a robot, and why; every measured loss is explained by a row."""

from __future__ import annotations

from unibody.formats.cannot import SCREWS, SIDES, chains, springs
from unibody.formats.conditions import (
    became,
    gone,
    in_units,
    kind,
    made,
    massless,
    new,
    shape,
    spec,
    stretched,
    unbounded,
    uneven,
    value,
    was,
)
from unibody.formats.format import Cannot
from unibody.model import shape as s
from unibody.model.device import Camera, RangeSensor
from unibody.model.robot import UNBOUNDED as NO_BOUNDS

# For what has no bound where the format asks for one: finite, and beyond what any robot does.
UNBOUNDED = 1e9

_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_LIMITS = "joints/*/limits"
_LOOK = "a material is a colour with opacity, and an image"
_FILES = "boxes, spheres, cylinders and mesh files are the only shapes; others become mesh files"
_STRETCH = "shapes are placed by a pose alone: a stretch goes into the size, or into a mesh file"
_CAPSULE = "ROS and Choreonoid refuse them; a cylinder and two spheres are the same body"
_AXIS = "a mesh file has Z upward: another axis goes into the pose"
_ASKED = "ROS asks for one; 1e9 stands for none"
_ACTUATORS = "there are no actuators"
_SRDF = "they are in another file (SRDF)"

CANNOT: tuple[Cannot, ...] = (
    # shapes
    Cannot("inline meshes", _GEOMETRY, _FILES, was(s.Mesh)),
    Cannot("extrusions", _GEOMETRY, _FILES, was(s.Extrusion)),
    Cannot("elevation grids", _GEOMETRY, _FILES, was(s.ElevationGrid)),
    Cannot("cones", _GEOMETRY, _FILES, was(s.Cone)),
    Cannot("ellipsoids", _GEOMETRY, _FILES, was(s.Ellipsoid)),
    Cannot("planes", _GEOMETRY, f"{_FILES}; a plane as a square", was(s.Plane)),
    Cannot("capsules", _GEOMETRY, _CAPSULE, was(s.Capsule)),
    Cannot("capsules", _SHAPE, _CAPSULE, new),
    Cannot("lines", _SHAPE, "there are no lines", gone, shape(s.LineSet), quantity="bounds"),
    Cannot("points", _SHAPE, "there are no points", gone, shape(s.PointSet), quantity="bounds"),
    Cannot("shapes without extent", _SHAPE, "sizes must be positive", gone, quantity="bounds"),
    Cannot("open cylinders", f"{_GEOMETRY}/top", "a cylinder has both ends", made(True)),
    Cannot("open cylinders", f"{_GEOMETRY}/bottom", "a cylinder has both ends", made(True)),
    Cannot("cylinders without side", f"{_GEOMETRY}/side", "a cylinder has its side", made(True)),
    Cannot("stretched shapes", _GEOMETRY, _STRETCH, became(s.MeshFile), stretched),
    Cannot("stretched shapes", f"{_GEOMETRY}/*", _STRETCH, None, stretched),
    Cannot("flat boxes", _GEOMETRY, "sizes must be positive; what is flat becomes a mesh file", was(s.Box)),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, gone),
    Cannot("parts of mesh files", f"{_GEOMETRY}/fragment", "a mesh file is used whole", gone),
    Cannot("parts of mesh files", f"{_GEOMETRY}/without/**", "a mesh file is used whole", gone),
    Cannot("units of mesh files", f"{_GEOMETRY}/unit", "the unit goes into the scale", gone),
    Cannot("units of mesh files", f"{_GEOMETRY}/scale", "the unit goes into the scale", None, in_units),
    Cannot("upward axes of mesh files", f"{_GEOMETRY}/up_axis", _AXIS, gone),
    Cannot("upward axes of mesh files", f"{_SHAPE}/pose/quat", _AXIS, None, shape(s.MeshFile)),
    Cannot(
        "other mesh files", f"{_GEOMETRY}/uri", "of kinds that ROS does not open; they become OBJ files"
    ),
    SIDES,
    Cannot("a second collision model", "links/*/collisions_alt/**", "there is one", gone),
    # materials
    Cannot("materials of collisions", "links/*/collisions/*/material", "a collision has none", gone),
    Cannot("unnamed materials", f"{_SHAPE}/material/name", "materials are told apart by their names"),
    Cannot("ambient light", f"{_SHAPE}/material/ambient", _LOOK, made(1.0)),
    Cannot("glow", f"{_SHAPE}/material/emissive", _LOOK, made(_ZERO)),
    Cannot("gloss", f"{_SHAPE}/material/specular", _LOOK, made(_ZERO)),
    Cannot("gloss", f"{_SHAPE}/material/specular_exponent", _LOOK, made(25.0)),
    Cannot("placed images", f"{_SHAPE}/material/texture/transform", "an image is laid on as it is", gone),
    Cannot("images once only", f"{_SHAPE}/material/texture/repeat_*", "images repeat", made(True)),
    Cannot("inline images", f"{_SHAPE}/material/texture/image", "images are files", gone),
    Cannot("inline images", f"{_SHAPE}/material/texture/uri", "images are files", new),
    # links and joints
    Cannot(
        "uneven inertia",
        "links/*/inertial/inertia",
        "an inertia is six numbers; pairs are averaged",
        quantity="inertia",
    ),
    Cannot(
        "masses of zero",
        "links/*/inertial",
        "a link without mass has no inertial",
        gone,
        massless,
        quantity="inertia",
    ),
    *chains("ball", "universal"),
    SCREWS,
    Cannot("tracks", "joints/*/kind", "they become fixed: there are no surfaces that move", value("track")),
    Cannot("tracks", f"{_LIMITS}/*", "there are no surfaces that move", made(NO_BOUNDS), kind("track")),
    Cannot("tracks", "joints/*/axis", "there are no surfaces that move", None, kind("track")),
    Cannot("initial positions", "joints/*/initial", "a robot begins with all joints at zero", made(0.0)),
    Cannot("joint numbers", "joints/*/number", "joints have names only", gone),
    Cannot("uneven largest velocities", f"{_LIMITS}/velocity", "one number for both directions", uneven),
    Cannot("uneven largest efforts", f"{_LIMITS}/effort", "one number for both directions", uneven),
    Cannot("joints without largest velocity", f"{_LIMITS}/velocity", _ASKED, unbounded(UNBOUNDED)),
    Cannot("joints without largest effort", f"{_LIMITS}/effort", _ASKED, unbounded(UNBOUNDED)),
    Cannot("joints bounded on one side", f"{_LIMITS}/position", _ASKED, unbounded(UNBOUNDED)),
    *springs("there are damping and friction only"),
    Cannot("actuation modes", "joints/*/actuator/mode", _ACTUATORS, gone),
    Cannot("gears and rotors", "joints/*/actuator/gear_*", _ACTUATORS, gone, quantity="inertia"),
    Cannot("gears and rotors", "joints/*/actuator/*_inertia", _ACTUATORS, gone, quantity="inertia"),
    Cannot("motors", "joints/*/actuator/*", _ACTUATORS, gone),
    # beside the tree
    Cannot("loops of some kinds", "loops/*", "no constraint holds just these motions", gone),
    Cannot("normalized coordinates", "coordinates/**", "there are none", gone),
    Cannot("order of couplings", "couplings", "a mimic stands at its joint"),
    Cannot("data of other devices", "devices/*/spec/data", "XML has no place for some characters"),
    Cannot("other devices", "devices/*", "of sensors there are cameras and scanners only", gone),
    Cannot("ids of devices", "devices/*/id", "sensors have names only", gone),
    Cannot("devices switched off", "devices/*/on", "sensors are on", made(True)),
    Cannot(
        "ranges of sensors",
        "devices/*/spec/*_distance",
        "a camera measures from near to far",
        None,
        spec(Camera),
    ),
    Cannot("ranges of sensors", "devices/*/spec/*_distance", "a scan has none", None, spec(RangeSensor)),
    Cannot("errors of sensors", "devices/*/spec/detection_rate", "sensors are exact"),
    Cannot("errors of sensors", "devices/*/spec/error_deviation", "sensors are exact"),
    Cannot("steps of scans", "devices/*/spec/*_step", "a scan has a whole number of samples"),
    Cannot("frames", "frames/**", "there are none", gone),
    Cannot("groups", "groups/**", _SRDF, gone),
    Cannot("configurations", "configurations/**", _SRDF, gone),
    Cannot("self-collision rules", "self_collision/**", _SRDF),
    Cannot("fixed or free base", "base", "what the robot stands on is not said", gone),
    Cannot("place of the robot", "pose/*", "where the robot stands is not said", made(_ZERO, _NO_TURN)),
    Cannot("empty names", "name", "a robot without name is called as its file", new),
    Cannot("order of leftovers", "extras", "they stand where they belong"),
    Cannot("leftovers", "extras/**", "only the format that they come from has them, if ROS takes them"),
)
