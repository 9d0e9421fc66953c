"""What an OpenHRP file cannot say of a robot, and why; every measured loss is explained by a row."""

from __future__ import annotations

from typing import Any

from unibody.formats.cannot import SCREWS, SIDES, chains, passive_forces
from unibody.formats.conditions import (
    gone,
    kind,
    made,
    massless,
    new,
    shape,
    spec,
    stretched,
    was,
)
from unibody.formats.format import Cannot
from unibody.formats.openhrp.names import legal
from unibody.formats.openhrp.write_shapes import EXPONENTS
from unibody.model import shape as s
from unibody.model.device import Camera, Imu, Opaque, RangeSensor
from unibody.model.robot import UNBOUNDED

_NO_TURN = (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_ONE_NAME = "a Joint is a link and its joint, with one name"
_CAPSULE = "a cylinder and two spheres are the same body"
_ELLIPSOID = "an ellipsoid is a sphere under a scale"
_FILES = "OpenHRP opens VRML files only; others become polygons, an Inline means what is in its file"
_STRETCH = "a stretch is a symmetric one, and the rest of it a turn"
_PASSIVE = "joints have no passive forces"
_IMU = "an acceleration sensor and a gyro do the same"
_CAMERA = "a camera that measures has the usual range, without errors"
_SCAN = "a scan is level, and goes as far to both sides: the sensor is turned to its middle"


def _word(before: Any, after: Any) -> bool:
    """A name became another."""
    return isinstance(before, str) and isinstance(after, str)


def _odd_name(before: Any, after: Any) -> bool:
    """A name that no node may have became another."""
    return _word(before, after) and legal(before) != before


CANNOT: tuple[Cannot, ...] = (
    # names
    Cannot("names with spaces", "**", "a DEF name has no spaces, quotes, commas and brackets", _odd_name),
    Cannot("names of joints", "joints/*", _ONE_NAME, _word),
    Cannot("names of joints", "joints/*", _ONE_NAME, gone, lambda j: j.name != j.child),
    # what is compared then is another joint, which has the name now
    Cannot("names of joints", "joints/*/**", _ONE_NAME, None, lambda j: j.name == j.parent),
    Cannot("empty names", "name", "a robot without name is called as its file", new),
    # shapes
    Cannot("ellipsoids", f"{_SHAPE}/**", _ELLIPSOID, None, shape(s.Ellipsoid)),
    Cannot("planes", _GEOMETRY, "a plane becomes a square of two triangles", was(s.Plane)),
    Cannot("capsules", _GEOMETRY, _CAPSULE, was(s.Capsule)),
    Cannot("capsules", _SHAPE, f"{_CAPSULE}; a mesh file may have several parts, too", new),
    Cannot("missing mesh files", _SHAPE, "no loader goes on without them", gone, shape(s.MeshFile)),
    Cannot("mesh files", f"{_SHAPE}/**", _FILES, None, shape(s.MeshFile)),
    Cannot("shapes without extent", _SHAPE, "Choreonoid refuses sizes of nothing", gone),
    Cannot("stretched shapes", f"{_SHAPE}/pose/quat", _STRETCH, None, stretched),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, None, stretched),
    Cannot("convex faces", f"{_GEOMETRY}/convex", "nobody believes that faces are convex", made(False)),
    Cannot("line widths", f"{_GEOMETRY}/width", "lines have none", gone),
    SIDES,
    Cannot("second collision models", "links/*/collisions_alt/**", "there is one", gone),
    Cannot(
        "sharp highlights",
        f"{_SHAPE}/material/specular_exponent",
        "a shininess of 0 to 1 stands for 1 to 128",
        made(*EXPONENTS),
    ),
    # links and joints
    Cannot(
        "zero masses",
        "links/*/inertial/**",
        "without mass there is no centre",
        None,
        massless,
        quantity="inertia",
    ),
    *chains("ball", "universal", "planar"),
    SCREWS,
    Cannot(
        "effort limits",
        "joints/*/limits/effort",
        "of motors the largest current is said",
        made(UNBOUNDED),
    ),
    *passive_forces(_PASSIVE),
    Cannot("initial positions", "joints/*/initial", "a robot begins with all joints at zero", made(0.0)),
    Cannot(
        "rotors without inertia",
        "joints/*/actuator/axis_inertia",
        "an equivalentInertia of 0 is none at all",
        gone,
    ),
    Cannot("actuation modes", "joints/*/actuator/mode", "how joints are driven is not said", gone),
    Cannot(
        "tracks",
        "joints/*/actuator/mode",
        "a track is driven by its velocity",
        made("velocity"),
        kind("track"),
    ),
    Cannot("order of links", "links", "a Joint stands in the one that it hangs on"),
    Cannot("order of joints", "joints", "a Joint stands in the one that it hangs on"),
    # beside the tree
    Cannot("other loops", "loops/*", "three, two or one translations are held", gone),
    Cannot("other loops", "loops/*/holds/swing", "of pistons Choreonoid holds no turns", made(True)),
    Cannot(
        "orientations of loop ends", "loops/*/pose_*/quat", "the ends of a loop are points", made(_NO_TURN)
    ),
    Cannot("axes of ball and fixed loops", "loops/*/axis", "a ball has none", made((1.0, 0.0, 0.0))),
    Cannot("normalized coordinates", "coordinates/**", "there are none", gone),
    Cannot("mimic joints", "couplings/**", "joints are not coupled", gone),
    Cannot("inertial measurement units", "devices/*/spec", _IMU, was(Imu)),
    Cannot("inertial measurement units", "devices/*", _IMU, new),
    Cannot(
        "inertial measurement units",
        "devices/*/id",
        "an id is that of one sensor of a kind",
        None,
        spec(Imu),
    ),
    Cannot("lenses", "devices/*/spec/lens", "cameras see straight", made("normal")),
    Cannot("sensor ranges", "devices/*/spec/*_distance", _CAMERA, None, spec(Camera)),
    Cannot("sensor noise", "devices/*/spec/detection_rate", _CAMERA),
    Cannot("sensor noise", "devices/*/spec/error_deviation", _CAMERA),
    Cannot("uneven scans", "devices/*/spec/*_yaw", _SCAN, None, spec(RangeSensor)),
    Cannot("uneven scans", "devices/*/pose/quat", _SCAN, None, spec(RangeSensor)),
    Cannot("scans up and down", "devices/*/spec/*pitch*", _SCAN, None, spec(RangeSensor)),
    Cannot(
        "devices switched off", "devices/*/on", "cameras, scanners and lamps only are on or off", made(True)
    ),
    Cannot("ambient light of lamps", "devices/*/spec/ambient", "a lamp has none", made(0.0)),
    Cannot("data of other devices", "devices/*/spec/data", "they are fields of VRML97"),
    Cannot("other devices", "devices/*", "there are no such nodes", gone, spec(Opaque)),
    Cannot("other lights", "devices/*", "Choreonoid knows spot lights as devices", gone),
    Cannot("order of devices", "devices", "a device stands at its link"),
    Cannot("frames", "frames/**", "there are none", gone),
    Cannot("groups", "groups/**", "there are none", gone),
    Cannot("configurations", "configurations/**", "there are none", gone),
    Cannot("self-collision rules", "self_collision/**", "they are in another file (a project's)"),
    Cannot("fixed or free base", "base", "a root is either; free stands for unsaid, as in Choreonoid", new),
    Cannot("extras", "extras/**", "only the format that they come from has them, each field once"),
)
