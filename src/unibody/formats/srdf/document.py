"""Declaration of SRDF: all elements and attributes that srdfdom, the reader of MoveIt, knows."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, children, element, key
from unibody.formats.srdf.values import NAME, NUMBER, POINT, TEXT, VALUES

_DROPPED = "the element is ignored"
#: What the name of a joint may refer to: virtual joints are only in the SRDF.
JOINTS = ("joints", "virtual joints")


@element
class VirtualJoint(Document):
    """How the root link of the URDF hangs in the world."""

    NEEDS = "all"
    KEY = "virtual_joint"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, names="virtual joints")
    type: str | None = key(
        NAME, required="warning", doc="fixed, floating or planar; other words: fixed", otherwise=_DROPPED
    )
    parent_frame: str | None = key(NAME, required="warning", otherwise=_DROPPED)
    child_link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")


@element
class LinkMember(Document):
    """A link of a group: the joint above it."""

    NEEDS = "all"
    KEY = "link"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")


@element
class JointMember(Document):
    """A joint of a group."""

    NEEDS = "all"
    KEY = "joint"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers=JOINTS)


@element
class ChainMember(Document):
    """The joints on the path between two links."""

    NEEDS = "all"
    KEY = "chain"
    base_link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    tip_link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")


@element
class Subgroup(Document):
    """All joints of another group."""

    NEEDS = "all"
    KEY = "group"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="groups")


@element
class Group(Document):
    """A named set of joints."""

    KEY = "group"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, names="groups")
    members: list[Any] = children(LinkMember, JointMember, ChainMember, Subgroup, by="key")


@element
class JointValue(Document):
    """The position of a joint: one number, or those of a joint of several degrees of freedom."""

    NEEDS = "all"
    KEY = "joint"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers=JOINTS)
    value: tuple[float, ...] | None = key(VALUES, required="warning", unit="rad or m", otherwise=_DROPPED)


@element
class GroupState(Document):
    """A named posture of a group; joints that are not listed stay where they are."""

    KEY = "group_state"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, names="configurations")
    group: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="groups")
    joints: list[JointValue] = children(JointValue, name="joint")


@element
class EndEffector(Document):
    """A group that is the hand on a link of another group."""

    NEEDS = "all"
    KEY = "end_effector"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, names="end effectors")
    group: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="groups")
    parent_link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    parent_group: str | None = key(NAME, refers="groups")


@element
class DisableCollisions(Document):
    """A pair of links that is not tested for collision."""

    NEEDS = "all"
    KEY = "disable_collisions"
    link1: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    link2: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    reason: str | None = key(NAME, doc="free text: Adjacent, Never, Default, Always, User")


@element
class EnableCollisions(Document):
    """A pair of links that is tested, although the default of one of them is disabled."""

    NEEDS = "all"
    KEY = "enable_collisions"
    link1: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    link2: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    reason: str | None = key(NAME)


@element
class DisableDefaultCollisions(Document):
    """A link that is tested against none but those that ``enable_collisions`` names."""

    NEEDS = "all"
    KEY = "disable_default_collisions"
    link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")


@element
class PassiveJoint(Document):
    """A joint that nothing drives: planners do not move it."""

    NEEDS = "all"
    KEY = "passive_joint"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers=JOINTS)


@element
class JointProperty(Document):
    """A property of a joint for other programs."""

    NEEDS = "all"
    KEY = "joint_property"
    joint_name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers=JOINTS)
    property_name: str | None = key(NAME, required="warning", otherwise=_DROPPED)
    value: str | None = key(TEXT, required="warning", otherwise=_DROPPED)


@element
class Sphere(Document):
    """One sphere of an approximation."""

    center: tuple[float, ...] | None = key(POINT, required="warning", unit="m", otherwise=_DROPPED)
    radius: float | None = key(NUMBER, required="warning", unit="m", otherwise=_DROPPED)


@element
class SphereApproximation(Document):
    """Spheres that stand for the collision shape of a link."""

    NEEDS = "all"
    KEY = "link_sphere_approximation"
    link: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="links")
    spheres: list[Sphere] = children(Sphere, name="sphere")


@element
class Rotor(Document):
    """The rotor of the drive of a joint (Gepetto's robots, read by Pinocchio)."""

    NEEDS = "all"
    name: str | None = key(NAME, required="warning", otherwise=_DROPPED, refers="joints")
    mass: float | None = key(NUMBER, unit="kg·m²", doc="the rotor's inertia, in spite of the name")
    gear_ratio: float | None = key(NUMBER)


@element
class Rotors(Document):
    """The rotors of the drives (Gepetto's robots, read by Pinocchio)."""

    KEY = "rotor_params"
    joints: list[Rotor] = children(Rotor, name="joint")


@element
class Robot(Document):
    """An SRDF file: what a planner knows of the robot of a URDF."""

    KEEPS = True
    name: str | None = key(NAME)
    items: list[Any] = children(
        VirtualJoint,
        Group,
        GroupState,
        EndEffector,
        DisableCollisions,
        EnableCollisions,
        DisableDefaultCollisions,
        PassiveJoint,
        JointProperty,
        SphereApproximation,
        Rotors,
        by="key",
    )


#: The classes that declare the extras of a robot, by the list of their owner.
OWNERS: dict[str, type[Document]] = {"": Robot, "groups": Group, "configurations": GroupState}
