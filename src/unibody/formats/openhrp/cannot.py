"""Facts that OpenHRP files cannot represent; every measured loss is explained by a row."""

from __future__ import annotations

from typing import Any

from unibody.formats.cannot import (
    HULLS,
    LENSES,
    MISSING_TEXTURES,
    PLANES,
    RANGES,
    SCREWS,
    SIDES,
    SURROUNDINGS,
    UNKNOWN,
    chains,
    contacts,
    gravity,
    joint_ids,
    passive_forces,
    rates,
    unstated_base,
    weights,
)
from unibody.formats.conditions import (
    added,
    before_is,
    changed_to,
    kind,
    massless,
    removed,
    shape,
    spec,
    stretched,
)
from unibody.formats.format import Cannot
from unibody.formats.images import OTHER_IMAGES
from unibody.formats.openhrp.names import legal
from unibody.formats.openhrp.write_shapes import EXPONENTS
from unibody.model import shape as s
from unibody.model.device import (
    Accelerometer,
    Camera,
    ContactSwitch,
    DirectionalLight,
    Imu,
    Opaque,
    PointLight,
    RangeSensor,
)
from unibody.model.robot import UNBOUNDED

_NO_TURN = (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_ONE_NAME = "a Joint is a link and its joint, with a single name"
_CAPSULE = "written as a cylinder and two spheres"
_ELLIPSOID = "written as a scaled sphere"
_FILES = "OpenHRP reads only VRML files; other files are written as polygons, and an Inline as its content"
_STRETCH = "written as a symmetric scale and a rotation"
_PASSIVE = "joints have no passive forces"
_RULES = "stored in a Choreonoid project; without one, it tests all links but those that a joint connects"
_IMU = "written as an acceleration sensor and a gyro"
_CAMERA = "range cameras have a fixed range, without errors"
_SCAN = "scans are horizontal and symmetric: the sensor is rotated to the center of its scan"


def _word(before: Any, after: Any) -> bool:
    """A name changed."""
    return isinstance(before, str) and isinstance(after, str)


def _odd_name(before: Any, after: Any) -> bool:
    """A name that is not a legal DEF name changed."""
    return _word(before, after) and legal(before) != before


CANNOT: tuple[Cannot, ...] = (
    *SURROUNDINGS,
    UNKNOWN,
    HULLS,
    # names
    Cannot(
        "names with spaces or first digits",
        "**",
        "DEF names have no spaces, quotes, commas or brackets, and do not begin with a digit, + or -",
        _odd_name,
        outcome="converted",
    ),
    Cannot("names of joints", "joints/*", _ONE_NAME, _word, outcome="converted"),
    Cannot("empty names", "name", "an unnamed robot is named after its file", added, outcome="assumed"),
    # shapes
    Cannot("ellipsoids", f"{_SHAPE}/**", _ELLIPSOID, None, shape(s.Ellipsoid), outcome="converted"),
    PLANES,
    Cannot(
        "clockwise extrusions",
        _GEOMETRY,
        "written as polygons; Choreonoid turns the faces of VRML extrusions inside out",
        before_is(s.Extrusion),
        outcome="converted",
    ),
    Cannot("capsules", _GEOMETRY, _CAPSULE, before_is(s.Capsule), outcome="converted"),
    Cannot(
        "shapes in several parts",
        _SHAPE,
        "a capsule is written as a cylinder and two spheres, a mesh file as one shape for each part",
        added,
        outcome="converted",
    ),
    Cannot(
        "missing mesh files",
        _SHAPE,
        "the loaders reject a file with missing meshes",
        removed,
        shape(s.MeshFile),
        outcome="omitted",
    ),
    MISSING_TEXTURES,
    OTHER_IMAGES,
    Cannot("mesh files", f"{_SHAPE}/**", _FILES, None, shape(s.MeshFile), outcome="converted"),
    Cannot("shapes without extent", _SHAPE, "Choreonoid rejects sizes of zero", removed),
    Cannot("stretched shapes", f"{_SHAPE}/pose/quat", _STRETCH, None, stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, None, stretched, outcome="converted"),
    Cannot(
        "convex faces",
        f"{_GEOMETRY}/convex",
        "the convex flag is not trusted on reading",
        changed_to(False),
    ),
    Cannot("line widths", f"{_GEOMETRY}/width", "lines have no width", removed),
    SIDES,
    contacts("OpenHRP files have no friction"),
    Cannot(
        "second collision models", "links/*/collisions_alt/**", "a link has one collision model", removed
    ),
    Cannot(
        "sharp highlights",
        f"{_SHAPE}/material/specular_exponent",
        "a shininess from 0 to 1 covers exponents from 1 to 128",
        changed_to(*EXPONENTS),
    ),
    # links and joints
    Cannot(
        "zero masses",
        "links/*/inertial/**",
        "without a mass there is no center of mass",
        None,
        massless,
        quantity="inertia",
        outcome="converted",
    ),
    joint_ids("jointId"),
    *chains("ball", "universal", "planar"),
    *SCREWS,
    *rates("OpenHRP joints have velocity limits only"),
    Cannot(
        "effort limits",
        "joints/*/limits/effort",
        "motors have a maximum current instead",
        changed_to(UNBOUNDED),
    ),
    *passive_forces(_PASSIVE),
    Cannot("initial positions", "joints/*/initial", "OpenHRP joints start at zero", changed_to(0.0)),
    Cannot(
        "rotors without inertia",
        "joints/*/actuator/axis_inertia",
        "an equivalentInertia of 0 means unspecified",
        removed,
        outcome="converted",
    ),
    Cannot("actuator offsets", "joints/*/actuator/offset", "motors have no offset", removed),
    Cannot("actuation modes", "joints/*/actuator/mode", "joints have no actuation mode", removed),
    Cannot(
        "tracks",
        "joints/*/actuator/mode",
        "tracks are velocity-controlled",
        changed_to("velocity"),
        kind("track"),
        outcome="converted",
    ),
    Cannot(
        "tracks",
        "joints/*/axis",
        "Choreonoid reads a pseudoContinuousTrack without axis, and does not drive it",
        changed_to((0.0, 0.0, 0.0)),
        kind("track"),
    ),
    Cannot("order of links", "links", "a Joint is nested in its parent", outcome="converted"),
    Cannot("order of joints", "joints", "a Joint is nested in its parent", outcome="converted"),
    # beside the tree
    Cannot("other loops", "loops/*", "only some sets of translations can be constrained", removed),
    Cannot(
        "other loops",
        "loops/*/holds/swing",
        "pistons of Choreonoid do not constrain rotations",
        changed_to(True),
    ),
    Cannot(
        "orientations of loop ends",
        "loops/*/pose_*/quat",
        "loops connect points, without orientation",
        changed_to(_NO_TURN),
    ),
    Cannot(
        "axes of ball and fixed loops",
        "loops/*/axis",
        "balls have no axis",
        changed_to((1.0, 0.0, 0.0)),
        outcome="converted",
    ),
    Cannot("normalized coordinates", "coordinates/**", "not representable in OpenHRP", removed),
    Cannot("mimic joints", "couplings/**", "not representable in OpenHRP", removed),
    Cannot("inertial measurement units", "devices/*/spec", _IMU, before_is(Imu), outcome="converted"),
    Cannot("inertial measurement units", "devices/*", _IMU, added, outcome="converted"),
    Cannot(
        "inertial measurement units",
        "devices/*/id",
        "ids are unique within a kind of sensor",
        None,
        spec(Imu),
        outcome="converted",
    ),
    Cannot(
        "largest readings of acceleration sensors",
        "devices/*/spec/max_acceleration",
        "written, but Choreonoid does not read maxAcceleration",
        None,
        spec(Accelerometer),
    ),
    Cannot("lenses", "devices/*/spec/lens", "cameras have no lens type", changed_to("normal")),
    *LENSES,
    Cannot("sensor ranges", "devices/*/spec/*_distance", _CAMERA, None, spec(Camera)),
    Cannot("sensor noise", "devices/*/spec/detection_rate", _CAMERA),
    Cannot("sensor noise", "devices/*/spec/error_deviation", _CAMERA),
    Cannot("uneven scans", "devices/*/spec/*_yaw", _SCAN, None, spec(RangeSensor), outcome="converted"),
    Cannot("uneven scans", "devices/*/pose/quat", _SCAN, None, spec(RangeSensor), outcome="converted"),
    Cannot("scans up and down", "devices/*/spec/*pitch*", _SCAN, None, spec(RangeSensor)),
    Cannot(
        "devices switched off",
        "devices/*/on",
        "only cameras, scanners and lights can be off",
        changed_to(True),
    ),
    Cannot(
        "ambient light of lamps", "devices/*/spec/ambient", "lights have no ambient part", changed_to(0.0)
    ),
    Cannot("contact switches", "devices/*", "OpenHRP has no such node", removed, spec(ContactSwitch)),
    Cannot("data of other devices", "devices/*/spec/data", "only fields that VRML97 can hold are written"),
    Cannot("other devices", "devices/*", "OpenHRP has no such nodes", removed, spec(Opaque)),
    Cannot(
        "other lights",
        "devices/*",
        "only spot lights are devices in Choreonoid",
        removed,
        spec(PointLight, DirectionalLight),
    ),
    Cannot("order of devices", "devices", "devices are nested in their links", outcome="converted"),
    Cannot("frames", "frames/**", "not representable in OpenHRP", removed),
    Cannot("passive joints", "joints/*/passive", "Choreonoid has no such mark", changed_to(False)),
    Cannot("groups", "groups/**", "not representable in OpenHRP", removed),
    Cannot("configurations", "configurations/**", "not representable in OpenHRP", removed),
    weights("gravity pulls every link"),
    *gravity(
        "OpenHRP has that of the earth, unless a project states another one",
        "OpenHRP has it in its projects: set it there",
    ),
    Cannot(
        "links excluded from collision",
        "links/*/collides",
        "Choreonoid keeps collision rules in Body files only",
        changed_to(True),
    ),
    Cannot("self-collision rules", "self_collision/**", _RULES),
    RANGES,
    unstated_base("free"),
    Cannot(
        "vendor data",
        "extras/**",
        "an OpenHRP file has no place for elements of other formats, or for fields already written",
        outcome="omitted",
    ),
)
