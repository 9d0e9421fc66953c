"""Declaration of the URDF elements that other programs read: the names in them, for edits of the robot.

Gazebo (sdformat), ros_control, ros2_control and Drake. Their elements are kept as written. Declared here
are the fields that refer to links, joints, frames and sensors, and those that name the elements
themselves. The contents of a plugin are its own, but for the elements by which the plugins of Gazebo call
links, joints and frames.
"""

from __future__ import annotations

from typing import Any

from unibody.document.declare import ANY, TEXT, Document, child, children, content, element, key

#: What sdformat resolves as a frame.
_FRAME = ("links", "joints", "frames")
# What sdformat and Gazebo append to the name of a link to name its shapes.
_SHAPE_ENDS = ("_fixed_joint_lump__", "_collision", "_visual", "_geom")


@element
class LinkText(Document):
    """An element whose text is the name of a link."""

    text: str | None = content(refers="links")


@element
class FrameText(Document):
    """An element whose text is the name of a link, joint or frame."""

    text: str | None = content(refers=_FRAME)


@element
class ShapeText(Document):
    """An element whose text is the name that Gazebo gives to a shape of a link."""

    text: str | None = content(refers="links", ends=_SHAPE_ENDS)


# --- Gazebo -------------------------------------------------------------------------------


@element
class JointsText(Document):
    """An element whose text is the name of a joint, or several with commas or blanks between them."""

    text: str | None = content(refers="joints", ends=(", ", ",", " "))


@element
class Plugin(Document):
    """A plugin, called controller before Gazebo 1.0: only the plugin knows what its contents mean.

    The plugins of gazebo_ros, gazebo_plugins and Gazebo Sim have these words for links, joints and frames,
    those of ROS 1 in the first spelling, those of ROS 2 and Gazebo Sim in another one.
    """

    name: str | None = key(TEXT, names="plugins")
    filename: str | None = key(TEXT)
    links: list[LinkText] = children(
        LinkText,
        name="bodyName",
        old=[
            "body_name",
            "link",
            "linkName",
            "link_name",
            "parent_link",
            "child_link",
            "gripper_link",
            "palm_link",
        ],
    )
    joints: list[JointsText] = children(
        JointsText,
        name="jointName",
        old=[
            "joint_name",
            "joint",
            "mimicJoint",
            "mimic_joint",
            "leftJoint",
            "rightJoint",
            "left_joint",
            "right_joint",
            "leftFrontJoint",
            "rightFrontJoint",
            "leftRearJoint",
            "rightRearJoint",
            "front_left_joint",
            "front_right_joint",
            "rear_left_joint",
            "rear_right_joint",
            "left_steering_joint",
            "right_steering_joint",
            "steering_wheel_joint",
            "steering_joint",
        ],
    )
    frames: list[FrameText] = children(
        FrameText,
        name="frameName",
        old=[
            "frame_name",
            "frameId",
            "frame_id",
            "robotBaseFrame",
            "robot_base_frame",
            "baseFrame",
            "base_frame",
            "child_frame_id",
        ],
    )


@element
class SdfPose(Document):
    """A pose."""

    text: str | None = content()
    relative_to: str | None = key(TEXT, refers=_FRAME)
    frame: str | None = key(TEXT, refers=_FRAME)


@element
class SdfVector(Document):
    """The direction of an axis."""

    text: str | None = content()
    expressed_in: str | None = key(TEXT, refers=_FRAME)


@element
class SdfMimic(Document):
    """The joint that a joint follows."""

    joint: str | None = key(TEXT, refers="joints")


@element
class SdfAxis(Document):
    """The axis of a joint."""

    text: str | None = content()
    xyz: SdfVector | None = child(SdfVector)
    mimic: SdfMimic | None = child(SdfMimic)


@element
class SdfJoint(Document):
    """A joint beside those of URDF, which may close a loop; ``body1`` and others are of Gazebo 0.x."""

    NEEDS = "all"
    name: str | None = key(TEXT, names="joints of Gazebo")
    type: str | None = key(TEXT)
    parent_link: FrameText | None = child(FrameText, name="parent")
    child_link: FrameText | None = child(FrameText, name="child")
    body1: LinkText | None = child(LinkText)
    body2: LinkText | None = child(LinkText)
    anchor: LinkText | None = child(LinkText)
    pose: SdfPose | None = child(SdfPose)
    axis: SdfAxis | None = child(SdfAxis)
    axis2: SdfAxis | None = child(SdfAxis)


@element
class SdfContact(Document):
    """The shapes whose contacts a sensor measures."""

    NEEDS = "any"

    collision: list[ShapeText] = children(ShapeText)


@element
class SdfSensor(Document):
    """A sensor or light."""

    name: str | None = key(TEXT, names="sensors")
    type: str | None = key(TEXT)
    pose: SdfPose | None = child(SdfPose)
    contact: SdfContact | None = child(SdfContact)
    geom: list[ShapeText] = children(ShapeText)
    plugin: list[Plugin] = children(Plugin)
    topic: str | None = key(TEXT)


@element
class Posed(Document):
    """An element with a name and a pose."""

    name: str | None = key(TEXT, names="elements of Gazebo")
    type: str | None = key(TEXT)
    pose: SdfPose | None = child(SdfPose)
    plugin: list[Plugin] = children(Plugin)


@element
class SdfFrame(Document):
    """A frame."""

    name: str | None = key(TEXT, names="frames")
    attached_to: str | None = key(TEXT, refers=_FRAME)
    pose: SdfPose | None = child(SdfPose)


@element
class Body(Document):
    """The body of a link (Gazebo 0.x)."""

    name: str | None = key(TEXT, refers="links")


@element
class Gripper(Document):
    """Links that hold what they touch."""

    NEEDS = "any"

    name: str | None = key(TEXT, names="grippers")
    gripper_link: list[LinkText] = children(LinkText)
    palm_link: LinkText | None = child(LinkText)


@element
class Gazebo(Document):
    """Additions to a link or joint (``reference``), or to the whole model."""

    reference: str | None = key(TEXT, refers=("links", "joints"))
    material: str | None = key(TEXT)
    joints: list[SdfJoint] = children(
        SdfJoint,
        name="joint",
        old=["joint:hinge", "joint:slider", "joint:screw", "joint:universal", "joint:ball", "joint:hinge2"],
    )
    sensors: list[SdfSensor] = children(
        SdfSensor,
        name="sensor",
        old=["sensor:camera", "sensor:ray", "sensor:contact", "sensor:generic", "sensor:imu", "light"],
    )
    bodies: list[Body] = children(Body, name="body", old=["body:box", "body:trimesh", "body:cylinder"])
    frames: list[SdfFrame] = children(SdfFrame, name="frame")
    canonical: LinkText | None = child(LinkText, name="canonicalBody")
    projectors: list[Posed] = children(Posed, name="projector")
    grippers: list[Gripper] = children(Gripper, name="gripper")
    plugins: list[Plugin] = children(Plugin, name="plugin")
    pose: SdfPose | None = child(SdfPose)


# --- ros_control and ros2_control ------------------------------------------------------------


@element
class JointOf(Document):
    """A joint that a transmission drives."""

    name: str | None = key(TEXT, refers="joints")
    role: str | None = key(TEXT)
    simulated: str | None = key(TEXT, refers="joints", name="passive_actuated_joint")
    type: str | None = key(TEXT)


@element
class ActuatorOf(Document):
    """An actuator of a transmission."""

    name: str | None = key(TEXT, names="actuators")
    role: str | None = key(TEXT)


@element
class Transmission(Document):
    """Actuators and the joints that they drive; the spellings with capitals are of the PR2."""

    NEEDS = "all"
    name: str | None = key(TEXT, names="transmissions")
    type: str | None = key(TEXT)
    joints: list[JointOf] = children(
        JointOf,
        name="joint",
        old=[
            "flexJoint",
            "rollJoint",
            "gap_joint",
            "passive_joint",
            "simulated_actuated_joint",
            "use_simulated_gripper_joint",
        ],
    )
    actuators: list[ActuatorOf] = children(
        ActuatorOf, name="actuator", old=["leftActuator", "rightActuator"]
    )
    plugin: list[Plugin] = children(Plugin)


@element
class Param(Document):
    """A parameter; "mimic" names the joint that is followed, in ROS 2 before Jazzy."""

    name: str | None = key(TEXT)
    text: str | None = content(refers="joints", where=("name", "mimic"))


@element
class FrameParam(Document):
    """A parameter of a sensor; the broadcasters of ros2_control name a frame by "frame_id"."""

    name: str | None = key(TEXT)
    text: str | None = content(refers=_FRAME, where=("name", "frame_id"))


@element
class Interface(Document):
    """A command or state interface."""

    name: str | None = key(TEXT)


@element
class ControlJoint(Document):
    """The interfaces of a joint."""

    name: str | None = key(TEXT, refers="joints")
    param: list[Param] = children(Param)
    command_interface: list[Interface] = children(Interface)
    state_interface: list[Interface] = children(Interface)


@element
class ControlSensor(Document):
    """The interfaces of a sensor, which may be one of the robot's."""

    name: str | None = key(TEXT, refers="devices", names="sensors")
    param: list[FrameParam] = children(FrameParam)
    state_interface: list[Interface] = children(Interface)


@element
class ControlGpio(Document):
    """The interfaces of inputs and outputs."""

    name: str | None = key(TEXT, names="inputs and outputs")
    command_interface: list[Interface] = children(Interface)
    state_interface: list[Interface] = children(Interface)


@element
class Control(Document):
    """A hardware component of ros2_control."""

    NEEDS = "any"

    name: str | None = key(TEXT, names="hardware components")
    type: str | None = key(TEXT)
    joints: list[ControlJoint] = children(ControlJoint, name="joint")
    sensors: list[ControlSensor] = children(ControlSensor, name="sensor")
    gpios: list[ControlGpio] = children(ControlGpio, name="gpio")
    transmissions: list[Transmission] = children(Transmission, name="transmission")


# --- Drake -------------------------------------------------------------------------------


@element
class DrakeFrame(Document):
    """A frame on a link."""

    name: str | None = key(TEXT, names="frames")
    link: str | None = key(TEXT, refers="links")


@element
class Member(Document):
    """A link of a collision filter group."""

    link: str | None = key(TEXT, refers="links")


@element
class GroupOf(Document):
    """A collision filter group that is named elsewhere."""

    name: str | None = key(TEXT, refers="collision filter groups")


@element
class FilterGroup(Document):
    """Links that are not tested for collision with those of other groups."""

    NEEDS = "any"

    name: str | None = key(TEXT, names="collision filter groups")
    members: list[Member] = children(Member, name="drake:member", old=["member"])
    groups: list[GroupOf] = children(GroupOf, name="drake:member_group")
    ignored: list[GroupOf] = children(
        GroupOf,
        name="drake:ignored_collision_filter_group",
        old=["ignored_collision_filter_group"],
    )


@element
class FrameOf(Document):
    """A frame, by name."""

    name: str | None = key(TEXT, refers=("frames", "links"))


@element
class Bushing(Document):
    """A spring and damper between two frames, or a constraint."""

    NEEDS = "all"
    frame_a: FrameOf | None = child(
        FrameOf, name="drake:bushing_frameA", old=["drake:ball_constraint_body_A"]
    )
    frame_c: FrameOf | None = child(
        FrameOf, name="drake:bushing_frameC", old=["drake:ball_constraint_body_B"]
    )


@element
class LinkPair(Document):
    """A pair of links that are not tested for collision (SRDF)."""

    NEEDS = "all"
    link1: str | None = key(TEXT, refers="links")
    link2: str | None = key(TEXT, refers="links")
    reason: str | None = key(TEXT)


@element
class RobotKept(Document):
    """The elements of a robot that other programs read."""

    gazebo: list[Gazebo] = children(Gazebo)
    transmissions: list[Transmission] = children(Transmission, name="transmission")
    control: list[Control] = children(Control, name="ros2_control")
    frames: list[DrakeFrame] = children(DrakeFrame, name="frame")
    groups: list[FilterGroup] = children(
        FilterGroup, name="drake:collision_filter_group", old=["collision_filter_group"]
    )
    bushings: list[Bushing] = children(
        Bushing, name="drake:linear_bushing_rpy", old=["drake:ball_constraint"]
    )
    pairs: list[LinkPair] = children(LinkPair, name="disable_collisions", old=["drake:disable_collisions"])
    sidecar: Any = key(ANY, name="unibody")
