"""Declaration of URDF: all elements and attributes of the reference and of the ROS parsers.

Numbers are stored as written; units are SI and radians.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unibody.document.declare import (
    INTEGER,
    TEXT,
    Document,
    child,
    children,
    choice,
    element,
    key,
    words_vector,
)
from unibody.formats.urdf.values import (
    BOUND,
    COLOR,
    DAMPING,
    DIRECTION,
    NUMBER,
    SCALE,
    SIZE,
    TRIPLE,
    harmless,
    read_as,
)

ZERO = (0.0, 0.0, 0.0)
_NO_SHAPE = "the shape is ignored"
_NO_INERTIA = "assuming zero inertia"


@element
class Origin(Document):
    """Pose of a frame in its parent frame: position and roll, pitch, yaw about fixed axes or quaternion."""

    xyz: tuple[float, ...] = key(TRIPLE, ZERO, unit="m")
    rpy: tuple[float, ...] = key(TRIPLE, ZERO, unit="rad")
    quat_xyzw: tuple[float, ...] | None = key(words_vector(4), doc="URDF 1.1; instead of rpy")


@element
class Mass(Document):
    """Mass of a link."""

    value: float | None = key(NUMBER, required=True, unit="kg", otherwise="the inertial is ignored")


@element
class Inertia(Document):
    """Moments and products of inertia about the center of mass, in the axes of ``origin``."""

    ixx: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise=_NO_INERTIA)
    ixy: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise="using 0")
    ixz: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise="using 0")
    iyy: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise=_NO_INERTIA)
    iyz: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise="using 0")
    izz: float | None = key(NUMBER, required=True, unit="kg·m²", otherwise=_NO_INERTIA)


@element
class Inertial(Document):
    """Inertial properties of a link; a link without them is massless."""

    origin: Origin | None = child(Origin)
    mass: Mass | None = child(Mass, required=True, otherwise="the inertial is ignored")
    inertia: Inertia | None = child(Inertia, required="warning", otherwise=_NO_INERTIA)


@element
class Box(Document):
    """A box centered at the origin."""

    KEY = "box"
    size: tuple[float, ...] | None = key(SIZE, required=True, unit="m", otherwise=_NO_SHAPE)


@element
class Cylinder(Document):
    """A cylinder along Z, centered at the origin."""

    KEY = "cylinder"
    radius: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)
    length: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)


@element
class CapsuleValues(Document):
    """A cylinder along Z with hemispherical caps; ``length`` excludes the caps."""

    radius: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)
    length: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)


@element
class Capsule(CapsuleValues):
    """A cylinder along Z with hemispherical caps (URDF 1.1); ``length`` excludes the caps."""

    KEY = "capsule"


@element
class Sphere(Document):
    """A sphere at the origin."""

    KEY = "sphere"
    radius: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)


@element
class Plane(Document):
    """An infinite plane, supported by some simulators (not in the reference)."""

    KEY = "plane"
    normal: tuple[float, ...] = key(SIZE, (0.0, 0.0, 1.0))


@element
class DrakeCapsule(CapsuleValues):
    """A capsule, as Drake writes it in a file of any version."""

    KEY = "drake:capsule"


@element
class DrakeEllipsoid(Document):
    """An ellipsoid at the origin with three half axes (Drake)."""

    KEY = "drake:ellipsoid"
    a: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)
    b: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)
    c: float | None = key(NUMBER, required=True, unit="m", otherwise=_NO_SHAPE)


@element
class Empty(Document):
    """An element whose presence is all that it says."""


@element
class Mesh(Document):
    """A mesh file; the components of ``scale`` may be negative."""

    KEY = "mesh"
    filename: str | None = key(TEXT, required="warning", doc="package:// or file:// URI, or relative path")
    scale: tuple[float, ...] = key(SCALE, (1.0, 1.0, 1.0), otherwise=_NO_SHAPE)
    declare_convex: Empty | None = child(
        Empty, name="drake:declare_convex", doc="Drake: the mesh collides as its convex hull"
    )


@element
class Geometry(Document):
    """Exactly one shape."""

    shapes: list[Document] = children(
        Box, Cylinder, Capsule, Sphere, Plane, Mesh, DrakeCapsule, DrakeEllipsoid, by="key"
    )


@element
class Color(Document):
    """Red, green, blue and opacity, each between 0 and 1."""

    rgba: tuple[float, ...] | None = key(COLOR, required="warning")


@element
class Texture(Document):
    """A texture image."""

    filename: str | None = key(TEXT, required="warning")


@element
class Material(Document):
    """A material, defined in place or a reference by name."""

    KEY = "material"
    name: str | None = key(TEXT)
    color: Color | None = child(Color)
    texture: Texture | None = child(Texture)


@element
class Visual(Document):
    """A visual shape."""

    KEY = "visual"
    name: str = key(TEXT, "")
    origin: Origin | None = child(Origin)
    geometry: Geometry | None = child(Geometry, required="warning")
    material: Material | None = child(Material)


@element
class Collision(Document):
    """A collision shape."""

    KEY = "collision"
    KNOWN = frozenset(("verbose", "group", "contact_coefficients"))
    name: str = key(TEXT, "")
    origin: Origin | None = child(Origin)
    geometry: Geometry | None = child(Geometry, required="warning")


@element
class Link(Document):
    """A rigid body."""

    KEEPS = True
    KEY = "link"
    KNOWN = frozenset(("collision_checking", "contact", "self_collision_checking", "type"))
    name: str | None = key(TEXT, required=True)
    inertial: Inertial | None = child(Inertial)
    visuals: list[Visual] = children(Visual, by="key")
    collisions: list[Collision] = children(Collision, by="key")


@element
class LinkRef(Document):
    """A reference to a link."""

    link: str | None = key(TEXT, required=True, refers="links")


@element
class Axis(Document):
    """The joint axis, in the joint frame."""

    xyz: tuple[float, ...] | None = key(DIRECTION, required=True, otherwise="using 1 0 0")


@element
class Limit(Document):
    """Limits of a joint: lower and upper position, and the magnitudes of its rates and effort."""

    KEEPS = True
    KNOWN = frozenset(("k_velocity",))
    lower: float = key(BOUND, 0.0, unit="rad or m")
    upper: float = key(BOUND, 0.0, unit="rad or m")
    velocity: float | None = key(BOUND, unit="rad/s or m/s", otherwise="assuming unlimited")
    effort: float | None = key(BOUND, unit="N·m or N", otherwise="assuming unlimited")
    acceleration: float | None = key(
        BOUND, unit="rad/s² or m/s²", otherwise="assuming unlimited", doc="URDF 1.2; absent: unlimited"
    )
    deceleration: float | None = key(
        BOUND,
        unit="rad/s² or m/s²",
        otherwise="assuming unlimited",
        doc="URDF 1.2; absent: as acceleration",
    )
    jerk: float | None = key(
        BOUND, unit="rad/s³ or m/s³", otherwise="assuming unlimited", doc="URDF 1.2; absent: unlimited"
    )


@element
class DynamicsValues(Document):
    """What joints of URDF and of Drake have beside damping."""

    KEEPS = True
    LEADING = ("damping",)
    friction: float = key(NUMBER, 0.0, unit="N·m or N")
    armature: float | None = key(
        harmless(NUMBER), unit="kg·m² or kg", doc="inertia that the drive adds (Isaac Gym, Newton)"
    )
    spring_stiffness: float | None = key(harmless(NUMBER), unit="N·m/rad or N/m", doc="as in SDF")
    spring_reference: float | None = key(harmless(NUMBER), unit="rad or m", doc="as in SDF")


@element
class Dynamics(DynamicsValues):
    """Damping and dry friction of a joint; the other attributes are extensions of simulators."""

    damping: float = key(NUMBER, 0.0, unit="N·m·s/rad or N·s/m")


@element
class DrakeDynamics(DynamicsValues):
    """Damping of a joint of Drake."""

    damping: tuple[float, ...] = key(
        DAMPING, (0.0,), unit="N·m·s/rad or N·s/m", doc="of a planar joint along X, along Y and about Z"
    )


@element
class Mimic(Document):
    """Coupling to another joint: q = multiplier · q_other + offset."""

    joint: str | None = key(TEXT, required=True, otherwise="ignored", refers="joints")
    multiplier: float = key(NUMBER, 1.0)
    offset: float = key(NUMBER, 0.0, unit="rad or m")


@element
class Calibration(Document):
    """Reference positions for the calibration of the hardware."""

    reference_position: float | None = key(harmless(NUMBER))
    rising: float | None = key(harmless(NUMBER))
    falling: float | None = key(harmless(NUMBER))


@element
class Safety(Document):
    """Soft limits of the hardware's safety controller."""

    soft_lower_limit: float = key(harmless(NUMBER), 0.0)
    soft_upper_limit: float = key(harmless(NUMBER), 0.0)
    k_position: float = key(harmless(NUMBER), 0.0)
    k_velocity: float | None = key(harmless(NUMBER), required="warning")


# "spherical" is an extension of PyBullet and Newton; Choreonoid reads every unknown type as fixed.
JOINT_TYPE = read_as(
    choice("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"),
    "fixed",
    "using fixed, as Choreonoid does; ROS rejects the file",
)


@element
class Joint(Document):
    """A joint between two links."""

    KEEPS = True
    KEY = "joint"
    # "independent" marks the coordinates that URDF+ chooses as independent.
    KNOWN = frozenset(("hardwareInterface", "independent", "preserveFixedJoint"))
    name: str | None = key(TEXT, required=True)
    type: str | None = key(JOINT_TYPE, required=True)
    origin: Origin | None = child(Origin)
    parent_link: LinkRef | None = child(LinkRef, name="parent", required=True)
    child_link: LinkRef | None = child(LinkRef, name="child", required=True)
    axis: Axis | None = child(Axis)
    limit: Limit | None = child(Limit)
    dynamics: Dynamics | None = child(Dynamics)
    mimic: Mimic | None = child(Mimic)
    calibration: Calibration | None = child(Calibration)
    safety_controller: Safety | None = child(Safety)


DRAKE_JOINT_TYPE = read_as(
    choice("ball", "planar", "universal", "screw"), "fixed", "using fixed; Drake rejects the file"
)


@element
class ThreadPitch(Document):
    """How far a screw moves in a turn."""

    value: float | None = key(NUMBER, required=True, unit="m")


@element
class DrakeJoint(Document):
    """A joint of Drake that URDF lacks.

    A universal joint turns about X, then Y, a planar one moves in the plane of X and Y.
    """

    KEEPS = True
    KEY = "drake:joint"
    name: str | None = key(TEXT, required="warning")
    type: str | None = key(DRAKE_JOINT_TYPE, required="warning")
    origin: Origin | None = child(Origin)
    parent_link: LinkRef | None = child(LinkRef, name="parent", required="warning")
    child_link: LinkRef | None = child(LinkRef, name="child", required="warning")
    axis: Axis | None = child(Axis, doc="of a screw joint; default 1 0 0")
    dynamics: DrakeDynamics | None = child(DrakeDynamics)
    pitch: ThreadPitch | None = child(ThreadPitch, name="drake:screw_thread_pitch", doc="of a screw joint")


CONSTRAINT_TYPE = choice(
    "ball",
    "revolute",
    "prismatic",
    "fixed",
    "cylindrical",
    "planar",
    "universal",
    spherical="ball",
    hinge="revolute",
    continuous="revolute",
    piston="cylindrical",
)


LOOP_JOINT_TYPE = choice(
    "revolute", "prismatic", "fixed", "planar", "ball", "floating", spherical="ball", continuous="revolute"
)


@element
class LoopEnd(Document):
    """A link, and the frame of a constraint on it (URDF+)."""

    link: str | None = key(TEXT, required="warning", refers="links")
    origin: Origin | None = child(Origin)


@element
class Ratio(Document):
    """A ratio of velocities: successor to predecessor."""

    value: float | None = key(NUMBER, required="warning")


@element
class Constraint(Document):
    """A joint that closes a kinematic loop (extension proposed to urdfdom, pull request 264).

    The exporter of URDF+ writes its loops and couplings with the same tag, and with ``predecessor`` and
    ``successor`` in place of ``parent`` and ``child``.
    """

    NEEDS = "all"
    KEY = "constraint"
    name: str | None = key(TEXT, required="warning", names="loops")
    type: str | None = key(CONSTRAINT_TYPE, doc="required, except for a coupling")
    parent_link: LinkRef | None = child(LinkRef, name="parent")
    parent_origin: Origin | None = child(Origin)
    parent_axis: Axis | None = child(Axis)
    child_link: LinkRef | None = child(LinkRef, name="child")
    child_origin: Origin | None = child(Origin)
    child_axis: Axis | None = child(Axis)
    predecessor: LoopEnd | None = child(LoopEnd)
    successor: LoopEnd | None = child(LoopEnd)
    axis: Axis | None = child(Axis)
    ratio: Ratio | None = child(Ratio)


@element
class LoopConstraint(Document):
    """A joint that closes a kinematic loop (URDF+)."""

    NEEDS = "all"
    KEY = "loop"
    name: str | None = key(TEXT, required="warning", names="loops")
    type: str | None = key(CONSTRAINT_TYPE, required="warning")
    predecessor: LoopEnd | None = child(LoopEnd, required="warning")
    successor: LoopEnd | None = child(LoopEnd, required="warning")
    axis: Axis | None = child(Axis, doc="in the frame of the constraint; default 1 0 0")


@element
class CouplingConstraint(Document):
    """A ratio between the rotations of two chains from their nearest common ancestor (URDF+)."""

    NEEDS = "all"
    KEY = "coupling"
    name: str | None = key(TEXT, required="warning", names="couplings")
    predecessor: LoopEnd | None = child(LoopEnd, required="warning")
    successor: LoopEnd | None = child(LoopEnd, required="warning")
    ratio: Ratio | None = child(Ratio)


@element
class LoopJointEnd(Document):
    """A link and the pose of a loop joint on it, as attributes or as ``origin``."""

    link: str | None = key(TEXT, required="warning", refers="links")
    xyz: tuple[float, ...] = key(TRIPLE, ZERO, unit="m")
    rpy: tuple[float, ...] = key(TRIPLE, ZERO, unit="rad")
    origin: Origin | None = child(Origin)


@element
class LoopJoint(Document):
    """A joint that closes a kinematic loop (Isaac Sim, and Drake before MultibodyPlant)."""

    NEEDS = "all"
    KEY = "loop_joint"
    name: str | None = key(TEXT, required="warning", names="loops")
    type: str | None = key(LOOP_JOINT_TYPE, doc="Isaac Sim; absent: revolute")
    link1: LoopJointEnd | None = child(LoopJointEnd, required="warning")
    link2: LoopJointEnd | None = child(LoopJointEnd, required="warning")
    axis: Axis | None = child(Axis, doc="in the frame on the first link; default 1 0 0")


@element
class BodyRef(Document):
    """A link of a constraint of Drake."""

    name: str | None = key(TEXT, required="warning", refers="links")


@element
class Point(Document):
    """A point on a link."""

    value: tuple[float, ...] | None = key(TRIPLE, required="warning", unit="m")


@element
class BallConstraint(Document):
    """Two points that stay together (Drake)."""

    NEEDS = "all"
    KEY = "drake:ball_constraint"
    name: str | None = key(TEXT, names="loops", doc="not in Drake, which ignores it")
    body_a: BodyRef | None = child(BodyRef, name="drake:ball_constraint_body_A", required="warning")
    point_a: Point | None = child(Point, name="drake:ball_constraint_p_AP", required="warning")
    body_b: BodyRef | None = child(BodyRef, name="drake:ball_constraint_body_B", required="warning")
    point_b: Point | None = child(Point, name="drake:ball_constraint_p_BQ", required="warning")


# --- sensors, a proposed extension that Choreonoid supports (facts C.6) -----------------------


@element
class Image(Document):
    """Image of a camera; hfov is the horizontal field of view."""

    width: int | None = key(INTEGER, required=True)
    height: int | None = key(INTEGER, required=True)
    format: str | None = key(TEXT)
    depth_format: str | None = key(TEXT)
    hfov: float | None = key(NUMBER, required=True, unit="rad")
    near: float | None = key(NUMBER, required=True, unit="m")
    far: float | None = key(NUMBER, required=True, unit="m")


@element
class Camera(Document):
    """A camera sensor."""

    image: Image | None = child(Image, required=True)


@element
class Scan(Document):
    """Samples of a scan in one direction."""

    samples: int = key(INTEGER, 1)
    resolution: float | None = key(NUMBER)
    min_angle: float = key(NUMBER, 0.0, unit="rad")
    max_angle: float = key(NUMBER, 0.0, unit="rad")


@element
class Ray(Document):
    """A scanning range sensor."""

    horizontal: Scan | None = child(Scan)
    vertical: Scan | None = child(Scan)


@element
class Sensor(Document):
    """A sensor on a link."""

    KEEPS = True
    NEEDS = "all"
    KEY = "sensor"
    name: str | None = key(TEXT, required=True, otherwise="using a new name", names="sensors")
    type: str | None = key(TEXT)
    update_rate: float = key(NUMBER, 1.0, unit="Hz")
    parent_link: LinkRef | None = child(LinkRef, name="parent", required=True)
    origin: Origin | None = child(Origin)
    camera: Camera | None = child(Camera)
    ray: Ray | None = child(Ray)


def _kept() -> type[Document]:
    from unibody.formats.urdf.kept import RobotKept

    return RobotKept


@element
class Robot(Document):
    """A URDF file."""

    KEEPS = True
    KNOWN = frozenset(
        (
            "transmission",
            "gazebo",
            "ros2_control",
            "unibody",
            "drake:collision_filter_group",
            "collision_filter_group",
        )
    )
    KEPT = staticmethod(_kept)
    name: str | None = key(TEXT)
    version: str | None = key(TEXT)
    items: list[Any] = children(
        Link,
        Joint,
        DrakeJoint,
        Material,
        Constraint,
        LoopConstraint,
        CouplingConstraint,
        LoopJoint,
        BallConstraint,
        Sensor,
        by="key",
    )


#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {"": Robot, "links": Link, "joints": Joint, "devices": Sensor}
