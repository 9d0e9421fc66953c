"""Declarations of USD: schemas of PhysX and Isaac Sim that are applied to prims."""

from __future__ import annotations

import math

from unibody.document.declare import Document, element, key
from unibody.formats.usd.openness import OPEN
from unibody.formats.usd.values import BOOL, FLOAT, REL, TOKEN, token

INF = math.inf


@element
class PhysxJointAPI(Document):
    """What PhysX knows of a joint; of angles per degree."""

    KNOWN = OPEN
    max_joint_velocity: float = key(FLOAT, INF, name="physxJoint:maxJointVelocity")
    armature: float = key(FLOAT, 0.0, name="physxJoint:armature")
    joint_friction: float = key(FLOAT, 0.0, name="physxJoint:jointFriction")


@element
class PhysxLimitAPI(Document):
    """How soft a limit of a joint is in PhysX."""

    PREFIX = "physxLimit"
    KNOWN = OPEN
    instance: str = key(TOKEN, "", name="instance")
    stiffness: float = key(FLOAT, 0.0, name="stiffness")
    damping: float = key(FLOAT, 0.0, name="damping")
    restitution: float = key(FLOAT, 0.0, name="restitution")
    bounce_threshold: float = key(FLOAT, 0.0, name="bounceThreshold")


@element
class PhysxMimicJointAPI(Document):
    """An axis of a joint that follows another one: q + gearing · q of the other + offset = 0."""

    PREFIX = "physxMimicJoint"
    KNOWN = OPEN
    instance: str = key(TOKEN, "", name="instance")
    gearing: float = key(FLOAT, 1.0, name="gearing")
    offset: float = key(FLOAT, 0.0, name="offset")
    reference_joint: tuple[str, ...] = key(REL, (), name="referenceJoint")
    reference_joint_axis: str = key(
        token("rotX", "rotY", "rotZ", uniform=True), "rotX", name="referenceJointAxis"
    )
    natural_frequency: float = key(FLOAT, -1.0, name="naturalFrequency")
    damping_ratio: float = key(FLOAT, -1.0, name="dampingRatio")


@element
class PhysxArticulationAPI(Document):
    """PhysX's settings of a robot."""

    KNOWN = OPEN
    articulation_enabled: bool = key(BOOL, True, name="physxArticulation:articulationEnabled")
    enabled_self_collisions: bool = key(BOOL, True, name="physxArticulation:enabledSelfCollisions")


@element
class PhysxRigidBodyAPI(Document):
    """PhysX's settings of a body."""

    KNOWN = OPEN
    disable_gravity: bool = key(BOOL, False, name="physxRigidBody:disableGravity")
