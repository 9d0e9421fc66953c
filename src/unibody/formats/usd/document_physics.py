"""Declarations of USD: schemas of UsdPhysics that are applied to prims."""

from __future__ import annotations

import math

from unibody.document.declare import Document, element, key
from unibody.formats.usd.values import BOOL, FLOAT, FLOAT3, POINT3F, QUATF, REL, TOKEN, VECTOR3F, token

INF = math.inf


@element
class PhysicsRigidBodyAPI(Document):
    """A prim that moves as one body, with all below it."""

    angular_velocity: tuple[float, ...] = key(VECTOR3F, (0.0, 0.0, 0.0), name="physics:angularVelocity")
    kinematic_enabled: bool = key(BOOL, False, name="physics:kinematicEnabled")
    rigid_body_enabled: bool = key(BOOL, True, name="physics:rigidBodyEnabled")
    simulation_owner: tuple[str, ...] = key(REL, (), name="physics:simulationOwner")
    starts_asleep: bool = key(BOOL, False, name="physics:startsAsleep")
    velocity: tuple[float, ...] = key(VECTOR3F, (0.0, 0.0, 0.0), name="physics:velocity")


@element
class PhysicsMassAPI(Document):
    """Mass properties of a body or of a collider; each default means that it is derived."""

    center_of_mass: tuple[float, ...] = key(POINT3F, (-INF, -INF, -INF), name="physics:centerOfMass")
    density: float = key(FLOAT, 0.0, name="physics:density")
    diagonal_inertia: tuple[float, ...] = key(FLOAT3, (0.0, 0.0, 0.0), name="physics:diagonalInertia")
    mass: float = key(FLOAT, 0.0, name="physics:mass")
    principal_axes: tuple[float, ...] = key(QUATF, (0.0, 0.0, 0.0, 0.0), name="physics:principalAxes")


@element
class PhysicsCollisionAPI(Document):
    """A shape that collides."""

    collision_enabled: bool = key(BOOL, True, name="physics:collisionEnabled")
    simulation_owner: tuple[str, ...] = key(REL, (), name="physics:simulationOwner")


@element
class PhysicsMeshCollisionAPI(Document):
    """By which shape a simulator replaces a mesh that collides."""

    approximation: str = key(
        token(
            "none",
            "convexDecomposition",
            "convexHull",
            "boundingSphere",
            "boundingCube",
            "meshSimplification",
            uniform=True,
        ),
        "none",
        name="physics:approximation",
    )


@element
class PhysicsMaterialAPI(Document):
    """How a surface touches others."""

    density: float = key(FLOAT, 0.0, name="physics:density")
    dynamic_friction: float = key(FLOAT, 0.0, name="physics:dynamicFriction")
    restitution: float = key(FLOAT, 0.0, name="physics:restitution")
    static_friction: float = key(FLOAT, 0.0, name="physics:staticFriction")


@element
class PhysicsFilteredPairsAPI(Document):
    """Prims with which this one and all below it do not collide."""

    filtered_pairs: tuple[str, ...] = key(REL, (), name="physics:filteredPairs")


@element
class PhysicsLimitAPI(Document):
    """The limits of one axis of a joint; it is locked if ``low`` is above ``high``."""

    PREFIX = "limit"
    instance: str = key(TOKEN, "", name="instance")
    high: float = key(FLOAT, INF, name="physics:high")
    low: float = key(FLOAT, -INF, name="physics:low")


@element
class PhysicsDriveAPI(Document):
    """The drive of one axis of a joint; of angles per degree."""

    PREFIX = "drive"
    instance: str = key(TOKEN, "", name="instance")
    damping: float = key(FLOAT, 0.0, name="physics:damping")
    max_force: float = key(FLOAT, INF, name="physics:maxForce")
    stiffness: float = key(FLOAT, 0.0, name="physics:stiffness")
    target_position: float = key(FLOAT, 0.0, name="physics:targetPosition")
    target_velocity: float = key(FLOAT, 0.0, name="physics:targetVelocity")
    type: str = key(token("force", "acceleration", uniform=True), "force", name="physics:type")


@element
class PhysicsArticulationRootAPI(Document):
    """The root of a robot, or a prim above it."""
