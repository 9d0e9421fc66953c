"""Declaration of SDF: Models, and the state of one."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import (
    INTEGER,
    TEXT,
    Document,
    child,
    children,
    content,
    element,
    key,
)
from unibody.formats.sdf.document_parts import (
    DrakeFilterGroup,
    DrakeJoint,
    Gripper,
    Joint,
    Link,
)
from unibody.formats.sdf.document_shapes import (
    Frame,
    Plugin,
    Pose,
    Posed,
)
from unibody.formats.sdf.values import (
    FLAG,
    LIST,
    NUMBER,
    VECTOR,
    text,
)

#: The element of the side-car in a model or a world, which Gazebo keeps and does not read.
SIDECAR = "unibody:sidecar"


@element
class JointAngle(Document):
    """The position of an axis of a joint."""

    axis: int = key(INTEGER, 0)
    value: float = content(type=NUMBER, default=0.0)


@element
class Position(Document):
    """A number of a state, in radians or meters, or in degrees."""

    degrees: bool = key(FLAG, False, since="1.12")
    value: float = content(type=NUMBER, default=0.0)


@element
class AxisState(Document):
    """The state of an axis of a joint."""

    position: Position | None = child(Position, since="1.12")
    velocity: Position | None = child(Position, since="1.12")
    acceleration: Position | None = child(Position, since="1.12")
    effort: float = text(NUMBER, 0.0, since="1.12")


@element
class JointState(Document):
    """The state of a joint."""

    name: str | None = key(TEXT)
    angles: list[JointAngle] = children(JointAngle, name="angle")
    axis_state: AxisState | None = child(AxisState, since="1.12")
    axis2_state: AxisState | None = child(AxisState, since="1.12")


@element
class CollisionState(Document):
    """The state of a collision."""

    name: str | None = key(TEXT)
    pose: Pose | None = child(Pose, doc="until 1.4")


@element
class AngularVelocity(Document):
    """A vector of a state, in radians or degrees."""

    degrees: bool = key(FLAG, False, since="1.12")
    value: tuple[float, ...] = content(type=VECTOR, default=(0.0, 0.0, 0.0))


@element
class LinkState(Posed):
    """The state of a link."""

    name: str | None = key(TEXT)
    velocity: tuple[float, ...] = text(LIST, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    acceleration: tuple[float, ...] = text(LIST, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    wrench: tuple[float, ...] = text(LIST, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    collisions: list[CollisionState] = children(CollisionState, name="collision", doc="until 1.11")
    angular_velocity: AngularVelocity | None = child(AngularVelocity, since="1.12")
    linear_velocity: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), since="1.12")
    angular_acceleration: AngularVelocity | None = child(AngularVelocity, since="1.12")
    linear_acceleration: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), since="1.12")
    torque: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), since="1.12")
    force: tuple[float, ...] = text(VECTOR, (0.0, 0.0, 0.0), since="1.12")
    collision_states: list[CollisionState] = children(CollisionState, name="collision_state", since="1.12")


@element
class ModelState(Document):
    """The state of a model."""

    name: str | None = key(TEXT)
    pose: Pose | None = child(Pose)
    joints: list[JointState] = children(JointState, name="joint", doc="until 1.11")
    links: list[LinkState] = children(LinkState, name="link", doc="until 1.11")
    models: list[Any] = children(
        name="model", of=lambda: ((ModelState,), None), since="1.5", doc="until 1.11"
    )
    frames: list[Frame] = children(Frame, name="frame", since="1.5")
    scale: tuple[float, ...] = text(VECTOR, (1.0, 1.0, 1.0), since="1.6")
    joint_states: list[JointState] = children(JointState, name="joint_state", since="1.12")
    model_states: list[Any] = children(name="model_state", of=lambda: ((ModelState,), None), since="1.12")
    link_states: list[LinkState] = children(LinkState, name="link_state", since="1.12")


@element
class Include(Document):
    """A model in another file; what is given here replaces what that file says."""

    KEEPS = True
    merge: bool = key(FLAG, False, since="1.9")
    uri: str | None = text(TEXT)
    name: str | None = text(TEXT, since="1.5")
    static: bool = text(FLAG, False, since="1.5")
    pose: Pose | None = child(Pose, since="1.5")
    plugins: list[Plugin] = children(Plugin, name="plugin", since="1.5")
    placement_frame: str | None = text(TEXT, since="1.8")
    namespace: str | None = text(TEXT, since="1.11")
    model_state: ModelState | None = child(ModelState, since="1.12")


@element
class Model(Document):
    """A model: links, joints, frames and nested models."""

    KNOWN = frozenset((SIDECAR,))
    KEEPS = True
    name: str | None = key(TEXT, required=True)
    canonical_link: str | None = key(TEXT, since="1.7")
    placement_frame: str | None = key(TEXT, since="1.8")
    namespace: str | None = key(TEXT, since="1.11")
    merged: bool = key(
        FLAG,
        False,
        name="unibody:merged",
        doc="its items are those of the model around it",
    )
    static: bool = text(FLAG, False)
    allow_auto_disable: bool = text(FLAG, True)
    pose: Pose | None = child(Pose)
    links: list[Link] = children(Link, name="link")
    joints: list[Joint] = children(Joint, name="joint")
    plugins: list[Plugin] = children(Plugin, name="plugin")
    grippers: list[Gripper] = children(Gripper, name="gripper")
    self_collide: bool = text(FLAG, False, since="1.5")
    frames: list[Frame] = children(Frame, name="frame", since="1.5")
    includes: list[Include] = children(Include, name="include", since="1.5")
    models: list[Any] = children(name="model", of=lambda: ((Model,), None), since="1.5")
    enable_wind: bool = text(FLAG, False, since="1.6")
    model_state: ModelState | None = child(ModelState, since="1.12")
    drake_joints: list[DrakeJoint] = children(DrakeJoint, name="drake:joint")
    filter_groups: list[DrakeFilterGroup] = children(DrakeFilterGroup, name="drake:collision_filter_group")
