"""Features of a robot that SDF cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

from functools import partial
from typing import Any

from unibody.formats.cannot import (
    CENTERS,
    ORTHOGRAPHIC,
    SCALES,
    SIDES,
    UNKNOWN,
    chains,
    contacts,
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
    in_units,
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
from unibody.formats.sdf.write_lowered import LEAST_MASS
from unibody.formats.sdf.write_newer import is_newer
from unibody.formats.sdf.write_versions import Version, text_of
from unibody.model import shape as s
from unibody.model.base import WORLD
from unibody.model.device import (
    Accelerometer,
    Camera,
    DirectionalLight,
    ForceTorque,
    Gyro,
    Imu,
    PointLight,
    RangeSensor,
    SpotLight,
)
from unibody.model.robot import UNBOUNDED, Extra, Joint, Link

_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_GEOMETRY = f"{_SHAPE}/geometry"
_LIMITS = "joints/*/limits"
_NAMES = "links, joints, frames and models in a model have names of their own, none of them world"
_NESTED = "nested models without links, and all before SDF 1.8, are parts of the model that they are in"
_SHAPES = "visuals, collisions and sensors of a link have names of their own"
_FILES = "written as mesh files; SDF has boxes, round shapes, planes, polylines and mesh files"
_STRETCH = "SDF shapes have a pose only; the deformation is applied to the size or a mesh file"
_OLDER = "required by a newer version of SDF than the one that is asked for"
_CLOSED = "cylinders and cones of SDF are closed"
_WHOLE = "SDF uses a mesh file, or one part of it"
_AXIS = "applied to the pose; SDF has no axis of a mesh file"
_PLANE = "a plane that collides has no end in Gazebo: written as a square; one that is drawn has one"
_HOLDER = "a fixed base is a joint to the world, unless nothing of the robot moves"
_AROUND = "static models of a world are on the root link, if that is the world"
_LEAST = (
    "Gazebo gives a link without mass 1 kg: written with 1e-5 kg and 1e-8 kg·m²; "
    "--merge-fixed merges those that fixed joints hold"
)
_LOOP = "a joint that closes a loop has one frame, where its links are at zero"
_MOTORS = "SDF has a gear ratio and a rotor inertia only, in elements of Drake"
_SENSED = "Gazebo has no largest readings, but noise"
_LENS = "Gazebo has no such lens or image"
_DEPTH = "a camera of Gazebo measures from near to far"
_CHAIN = "written as chains of one-DOF joints with light links between"
_NO_AXIS = "fixed and ball joints of SDF, and links that move freely, have no axis, and none of its values"
_ON = "SDF has no such flag"
_LIGHT = "lights of Gazebo have no ambient part"
_DRAKE = "written as drake:gear_ratio and drake:rotor_inertia, which Gazebo ignores"
_FRICTION = "Gazebo's torsional friction, and how it softens contacts, are other numbers"
_TRACK = "written as fixed joints; SDF has no moving surfaces"
_OTHERS = "an SDF file has no place for elements of other formats"
_NOT = "not representable in SDF"
_RULES = "links of a model collide all, none, or those that share one of 16 bits"


def _word(before: Any, after: Any) -> bool:
    """A name changed."""
    return isinstance(before, str) and isinstance(after, str)


def _scoped(before: object, after: object) -> bool:
    """Whether the name of an item of a nested model changed."""
    return isinstance(before, str) and "::" in before and isinstance(after, str)


def _nested(before: object, after: object) -> bool:
    """Whether what was kept of a nested model is left out."""
    if not isinstance(before, Extra) or after is not None:
        return False
    return before.format == "sdf" and before.node.get("model") is not None


def _other(before: object, after: object) -> bool:
    """Whether two values are stated."""
    return before is not None and after is not None


def _is_holder(before: object, after: object) -> bool:
    return (
        before is None
        and isinstance(after, Joint)
        and after.kind in ("fixed", "free")
        and after.parent == WORLD
    )


def _is_held(before: object, after: object) -> bool:
    """Whether a joint from the world is left out: what moves freely needs none."""
    return isinstance(before, Joint) and before.kind == "free" and after is None


def _is_world(before: object, after: object) -> bool:
    return before is None and isinstance(after, Link) and not (after.inertial or after.visuals)


def _is_light(before: object, after: object) -> bool:
    """Whether a link between the joints of a chain is added."""
    if before is not None or not isinstance(after, Link) or after.inertial is None:
        return False
    return after.inertial.mass == LEAST_MASS and not (after.visuals or after.collisions)


def _extra(before: object, after: object) -> bool:
    return before is None and isinstance(after, Extra)


CANNOT: tuple[Cannot, ...] = (
    UNKNOWN,
    weights("<gravity> bears all of a weight or none of it"),
    earthly_gravity("a model has none: left to the world that it is put into, 9.8 m/s² by default"),
    Cannot("gravity of a scene", "gravity", "a world has one gravity: that of its first robot", _other),
    # names
    Cannot("empty names", "name", "a model must have a name", added, outcome="assumed"),
    Cannot("names", "name", _NAMES, _word, outcome="converted"),
    Cannot("names", "links/*", _NESTED, _scoped, outcome="converted"),
    Cannot("names", "joints/*", _NESTED, _scoped, outcome="converted"),
    Cannot("names", "links/*", _NAMES, _word, outcome="converted"),
    Cannot("names", "joints/*", _NAMES, _word, outcome="converted"),
    Cannot("names", "loops/*", _NAMES, _word, outcome="converted"),
    Cannot("names", "frames/*", _NAMES, _word, outcome="converted"),
    Cannot("names", "devices/*", _NAMES, _word, outcome="converted"),
    Cannot("names of shapes", f"{_SHAPE}/name", _SHAPES, outcome="converted"),
    # shapes
    Cannot("inline meshes", _GEOMETRY, _FILES, before_is(s.Mesh), outcome="converted"),
    Cannot("extrusions", _GEOMETRY, _FILES, before_is(s.Extrusion), outcome="converted"),
    Cannot("elevation grids", _GEOMETRY, _FILES, before_is(s.ElevationGrid), outcome="converted"),
    Cannot("planes", _GEOMETRY, _PLANE, before_is(s.Plane), outcome="converted"),
    Cannot("planes", f"{_GEOMETRY}/half_size", _PLANE, added, quantity="bounds", outcome="converted"),
    Cannot("lines", _SHAPE, _NOT, removed, shape(s.LineSet), quantity="bounds"),
    Cannot("points", _SHAPE, _NOT, removed, shape(s.PointSet), quantity="bounds"),
    Cannot("shapes without extent", _SHAPE, "sizes must be positive", removed, quantity="bounds"),
    Cannot("open cylinders", f"{_GEOMETRY}/top", _CLOSED, changed_to(True)),
    Cannot("open cylinders", f"{_GEOMETRY}/bottom", _CLOSED, changed_to(True)),
    Cannot("cylinders without side surface", f"{_GEOMETRY}/side", _CLOSED, changed_to(True)),
    Cannot("stretched shapes", _GEOMETRY, _STRETCH, after_is(s.MeshFile), stretched, outcome="converted"),
    Cannot("stretched shapes", f"{_GEOMETRY}/*", _STRETCH, None, stretched, outcome="converted"),
    Cannot("stretched shapes", _GEOMETRY, _STRETCH, None, stretched, outcome="converted"),
    Cannot("flat boxes", _GEOMETRY, _FILES, before_is(s.Box), outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _STRETCH, removed, outcome="converted"),
    Cannot("parts of mesh files", f"{_GEOMETRY}/fragment", _WHOLE, removed, outcome="converted"),
    Cannot("parts of mesh files", f"{_GEOMETRY}/without/**", _WHOLE, removed, outcome="converted"),
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
        "written as OBJ files; Gazebo does not read the format",
        outcome="converted",
    ),
    CENTERS,
    SCALES,
    SIDES,
    contacts(_FRICTION),
    Cannot(
        "contact values",
        f"{_SHAPE}/contact/*",
        _FRICTION,
    ),
    Cannot(
        "second collision models", "links/*/collisions_alt/**", "a link has one collision model", removed
    ),
    # materials
    Cannot("materials of collisions", "links/*/collisions/*/material", _NOT, removed),
    Cannot("names of materials", f"{_SHAPE}/material/name", "materials of SDF have no names", removed),
    Cannot(
        "ambient reflection",
        f"{_SHAPE}/material/ambient",
        "an ambient color is written, which is black where the diffuse one is",
        changed_to(1.0),
    ),
    Cannot("texture transforms", f"{_SHAPE}/material/texture/transform", _NOT, removed),
    Cannot("clamped textures", f"{_SHAPE}/material/texture/repeat_*", _NOT, changed_to(True)),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/image",
        "textures are image files",
        removed,
        outcome="converted",
    ),
    Cannot(
        "inline textures",
        f"{_SHAPE}/material/texture/uri",
        "textures are image files",
        added,
        outcome="converted",
    ),
    # the world
    Cannot("surroundings", "surroundings", _AROUND, removed, outcome="converted"),
    Cannot("fixed bases", f"links/{WORLD}", _HOLDER, added, outcome="converted"),
    Cannot("fixed bases", "joints/*", _HOLDER, _is_holder, outcome="converted"),
    Cannot("fixed bases", "joints/*", "what moves freely has no joint", _is_held, outcome="converted"),
    Cannot("fixed bases", "pose/*", _HOLDER, changed_to(_ZERO, _NO_TURN), outcome="converted"),
    unstated_base("free"),
    # links and joints
    Cannot(
        "asymmetric inertia",
        "links/*/inertial/inertia",
        "SDF stores six numbers; off-diagonal pairs are averaged",
        asymmetric,
        quantity="inertia",
    ),
    Cannot("massless links", "links/*/inertial", _LEAST, added, quantity="mass", outcome="assumed"),
    Cannot(
        "massless links", "links/*/inertial/**", _LEAST, None, massless, quantity="mass", outcome="assumed"
    ),
    Cannot("multi-DOF joints", "links/*", _CHAIN, _is_light, quantity="mass", outcome="converted"),
    *(row for row in chains("planar", "free") if row.path not in ("links/*", "joints/*/axis")),
    Cannot(
        "multi-DOF joints", "joints/*/origin/*", _CHAIN, None, kind("planar", "free"), outcome="converted"
    ),
    Cannot("tracks", "joints/*/kind", _TRACK, value("track")),
    Cannot("tracks", f"{_LIMITS}/*", "SDF has no moving surfaces", changed_to(UNBOUNDED), kind("track")),
    Cannot("tracks", "joints/*/**", "SDF has no moving surfaces", None, kind("track")),
    Cannot(
        "values of joints without axis",
        "joints/*/dynamics/*",
        _NO_AXIS,
        changed_to(0.0),
        kind("ball", "fixed", "free"),
    ),
    Cannot(
        "values of joints without axis",
        f"{_LIMITS}/*",
        _NO_AXIS,
        changed_to(UNBOUNDED),
        kind("ball", "fixed"),
    ),
    Cannot("initial positions", "joints/*/initial", "SDF joints start at zero", changed_to(0.0)),
    Cannot("joint numbers", "joints/*/number", "SDF joints have names only", removed),
    Cannot("passive joints", "joints/*/passive", _NOT, changed_to(False)),
    Cannot(
        "asymmetric velocity limits", f"{_LIMITS}/velocity", "SDF has one limit for both directions", uneven
    ),
    Cannot(
        "asymmetric effort limits", f"{_LIMITS}/effort", "SDF has one limit for both directions", uneven
    ),
    *rates("SDF joints have velocity limits only"),
    Cannot("actuation modes", "joints/*/actuator/mode", _MOTORS, removed),
    Cannot(
        "reflected inertias",
        "joints/*/actuator/axis_inertia",
        "written as the inertia of a rotor before the gear",
        removed,
        quantity="inertia",
        outcome="converted",
    ),
    Cannot(
        "reflected inertias",
        "joints/*/actuator/rotor_inertia",
        "written as the inertia of a rotor before the gear",
        outcome="converted",
    ),
    Cannot(
        "reflected inertias",
        "joints/*/actuator/gear_ratio",
        "a rotor has a gear; using 1",
        added,
        outcome="assumed",
    ),
    Cannot("motors", "joints/*/actuator/*", _MOTORS, removed),
    # beside the tree
    Cannot("names", "loops/*", _NAMES, added, outcome="converted"),
    Cannot("names", "frames/*", _NAMES, added, outcome="converted"),
    Cannot("names", "frames/*", _NAMES, removed, outcome="converted"),
    Cannot("other loops", "loops/*", "no type of joint holds these directions only", removed),
    Cannot("loops that are open at zero", "loops/*/pose_*/*", _LOOP),
    Cannot("loops that are open at zero", "loops/*/axis", _LOOP),
    Cannot(
        "loops to the world",
        "loops/*/link_*",
        "neither the world nor a link that no joint moves is a child",
        outcome="converted",
    ),
    Cannot("normalized coordinates", "coordinates/**", _NOT, removed),
    Cannot(
        "order of links",
        "links",
        "the world is in no list, and comes first; what is in nested models comes last",
        outcome="converted",
    ),
    Cannot(
        "order of joints",
        "joints",
        "what moves freely has no joint and comes last, as what is in nested models",
        outcome="converted",
    ),
    Cannot("order of couplings", "couplings", "written in the order of the joints", outcome="converted"),
    Cannot("couplings", "couplings/*", "only joints with one position are coupled", removed),
    Cannot("largest readings", "devices/*/spec/max_*", _SENSED, None, spec(Imu, ForceTorque, Gyro)),
    Cannot(
        "acceleration sensors and gyros",
        "devices/*/spec",
        "written as inertial measurement units",
        before_is(Accelerometer, Gyro),
        outcome="converted",
    ),
    Cannot("contact switches", "devices/*/spec/threshold", "contact sensors have no threshold"),
    Cannot("other cameras", "devices/*/spec/image", _LENS, None, spec(Camera)),
    Cannot("other cameras", "devices/*/spec/lens", _LENS, None, spec(Camera)),
    Cannot("other cameras", "devices/*", "a camera needs a picture and a view", removed, spec(Camera)),
    ORTHOGRAPHIC,
    Cannot("sensor ranges", "devices/*/spec/*_distance", _DEPTH, None, spec(Camera)),
    Cannot("sensor noise", "devices/*/spec/detection_rate", "Gazebo detects all that is in reach"),
    Cannot(
        "sensor noise", "devices/*/spec/error_deviation", "cameras with colors have no noise of distances"
    ),
    Cannot(
        "scan steps",
        "devices/*/spec/*_step",
        "SDF stores a whole number of samples",
        None,
        spec(RangeSensor),
    ),
    Cannot(
        "ambient light of lamps",
        "devices/*/spec/ambient",
        _LIGHT,
        changed_to(0.0),
        spec(PointLight, SpotLight, DirectionalLight),
    ),
    Cannot("data of other devices", "devices/*/spec/data", "some elements are not of SDF"),
    Cannot("other devices", "devices/*", "Gazebo has no such sensor", removed),
    Cannot("sensors of <gazebo>", "devices/*", "written as sensors", added, outcome="converted"),
    Cannot("device ids", "devices/*/id", "SDF sensors have names only", removed),
    Cannot("devices switched off", "devices/*/on", _ON, changed_to(True)),
    Cannot("order of devices", "devices", "devices are in their links", outcome="converted"),
    Cannot("order of frames", "frames", "frames of moved links come first", outcome="converted"),
    Cannot("traced frames", "frames/*/trace", _NOT, changed_to(False)),
    Cannot("groups", "groups/**", _NOT, removed),
    Cannot("configurations", "configurations/**", _NOT, removed),
    Cannot("links excluded from collision", "links/*/collides", _RULES, changed_to(True)),
    Cannot("self-collision rules", "self_collision/**", _RULES, outcome="converted"),
    Cannot("vendor data", "extras/**", _NESTED, _nested, outcome="omitted"),
    # vendor data
    Cannot(
        "what Gazebo needs",
        "extras/**",
        "bits of contacts, the shapes of contact sensors, what <gazebo> says",
        _extra,
        outcome="converted",
    ),
    Cannot(
        "vendor data",
        "extras/**",
        "an SDF file has no place for elements of other formats, but what <gazebo> says is written",
        outcome="omitted",
    ),
)


def newer(version: Version) -> Cannot:
    """What was kept of a file and is newer than a version."""
    why = f"newer than SDF {text_of(version)}, which is written"
    return Cannot("newer elements", "extras/**", why, partial(is_newer, version=version), outcome="omitted")


#: What versions before those that have these shapes cannot say.
OLDER: tuple[Cannot, ...] = (
    Cannot("cones", _GEOMETRY, _OLDER, before_is(s.Cone), outcome="converted"),
    Cannot("ellipsoids", _GEOMETRY, _OLDER, before_is(s.Ellipsoid), outcome="converted"),
    Cannot("capsules", _GEOMETRY, _OLDER, before_is(s.Capsule), outcome="converted"),
    Cannot("capsules", _SHAPE, _OLDER, added, outcome="converted"),
)

#: Elements that most programs ignore.
EXTENSIONS: tuple[Cannot, ...] = (
    Cannot("gears and rotors", "joints/*/actuator/gear_ratio", _DRAKE),
    Cannot("gears and rotors", "joints/*/actuator/rotor_inertia", _DRAKE),
    Cannot(
        "loops",
        "loops/*",
        "written as second joints of their child links, which Gazebo's engines with trees leave out",
    ),
)
