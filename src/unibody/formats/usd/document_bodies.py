"""Declarations of USD: joints, scenes, groups, actuators and other prims that are no geometry."""

from __future__ import annotations

import math

from unibody.document.declare import element, key
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.values import (
    BOOL,
    COLOR4F,
    DOUBLE,
    DOUBLES,
    FLOAT,
    INT,
    INTS,
    POINT3F,
    QUATF,
    REL,
    STRING,
    VECTOR3F,
    token,
)
from unibody.text.node import Numbers

INF = math.inf


@element
class PhysicsScene(Prim):
    """A simulated world: its gravity, along −up with 9.81 m/s² unless it states another."""

    TAG = "PhysicsScene"

    gravity_direction: tuple[float, ...] = key(VECTOR3F, (0.0, 0.0, 0.0), name="physics:gravityDirection")
    gravity_magnitude: float = key(FLOAT, -INF, name="physics:gravityMagnitude")


@element
class PhysicsCollisionGroup(Prim):
    """Colliders that do not collide with those of other groups."""

    TAG = "PhysicsCollisionGroup"

    filtered_groups: tuple[str, ...] = key(REL, (), name="physics:filteredGroups")
    invert_filtered_groups: bool = key(BOOL, False, name="physics:invertFilteredGroups")
    merge_group: str = key(STRING, "", name="physics:mergeGroup")


@element
class PhysicsJoint(Prim):
    """A joint of free choice: the limits of each axis say what it holds."""

    TAG = "PhysicsJoint"

    body0: tuple[str, ...] = key(REL, (), name="physics:body0")
    body1: tuple[str, ...] = key(REL, (), name="physics:body1")
    break_force: float = key(FLOAT, INF, name="physics:breakForce")
    break_torque: float = key(FLOAT, INF, name="physics:breakTorque")
    collision_enabled: bool = key(BOOL, False, name="physics:collisionEnabled")
    exclude_from_articulation: bool = key(BOOL, False, name="physics:excludeFromArticulation")
    joint_enabled: bool = key(BOOL, True, name="physics:jointEnabled")
    local_pos0: tuple[float, ...] = key(POINT3F, (0.0, 0.0, 0.0), name="physics:localPos0")
    local_pos1: tuple[float, ...] = key(POINT3F, (0.0, 0.0, 0.0), name="physics:localPos1")
    local_rot0: tuple[float, ...] = key(QUATF, (1.0, 0.0, 0.0, 0.0), name="physics:localRot0")
    local_rot1: tuple[float, ...] = key(QUATF, (1.0, 0.0, 0.0, 0.0), name="physics:localRot1")


@element
class PhysicsRevoluteJoint(PhysicsJoint):
    """A hinge; angles in degrees."""

    TAG = "PhysicsRevoluteJoint"

    axis: str = key(token("X", "Y", "Z", uniform=True), "X", name="physics:axis")
    lower_limit: float = key(FLOAT, -INF, name="physics:lowerLimit")
    upper_limit: float = key(FLOAT, INF, name="physics:upperLimit")


@element
class PhysicsPrismaticJoint(PhysicsJoint):
    """A slider."""

    TAG = "PhysicsPrismaticJoint"

    axis: str = key(token("X", "Y", "Z", uniform=True), "X", name="physics:axis")
    lower_limit: float = key(FLOAT, -INF, name="physics:lowerLimit")
    upper_limit: float = key(FLOAT, INF, name="physics:upperLimit")


@element
class PhysicsSphericalJoint(PhysicsJoint):
    """A ball joint; the angles of its cone in degrees, −1 for none."""

    TAG = "PhysicsSphericalJoint"

    axis: str = key(token("X", "Y", "Z", uniform=True), "X", name="physics:axis")
    cone_angle0_limit: float = key(FLOAT, -1.0, name="physics:coneAngle0Limit")
    cone_angle1_limit: float = key(FLOAT, -1.0, name="physics:coneAngle1Limit")


@element
class PhysicsDistanceJoint(PhysicsJoint):
    """A rope or rod between two points; −1 for no bound."""

    TAG = "PhysicsDistanceJoint"

    max_distance: float = key(FLOAT, -1.0, name="physics:maxDistance")
    min_distance: float = key(FLOAT, -1.0, name="physics:minDistance")


@element
class PhysicsFixedJoint(PhysicsJoint):
    """Two bodies held together."""

    TAG = "PhysicsFixedJoint"


@element
class NewtonActuator(Prim):
    """A drive of Newton, and the joints that it acts on."""

    TAG = "NewtonActuator"

    targets: tuple[str, ...] = key(REL, (), name="newton:targets")


@element
class MjcActuator(Prim):
    """An actuator of MuJoCo."""

    TAG = "MjcActuator"

    act_dim: int = key(INT, -1, name="mjc:actDim")
    act_early: bool = key(BOOL, False, name="mjc:actEarly")
    act_limited: str = key(token("false", "true", "auto", uniform=True), "auto", name="mjc:actLimited")
    act_range_max: float = key(DOUBLE, 0.0, name="mjc:actRange:max")
    act_range_min: float = key(DOUBLE, 0.0, name="mjc:actRange:min")
    bias_prm: Numbers | None = key(DOUBLES, None, name="mjc:biasPrm")
    bias_type: str = key(
        token("none", "affine", "muscle", "user", uniform=True), "none", name="mjc:biasType"
    )
    crank_length: float = key(DOUBLE, 0.0, name="mjc:crankLength")
    ctrl_limited: str = key(token("false", "true", "auto", uniform=True), "auto", name="mjc:ctrlLimited")
    ctrl_range_max: float = key(DOUBLE, 0.0, name="mjc:ctrlRange:max")
    ctrl_range_min: float = key(DOUBLE, 0.0, name="mjc:ctrlRange:min")
    dyn_prm: Numbers | None = key(DOUBLES, None, name="mjc:dynPrm")
    dyn_type: str = key(
        token("none", "integrator", "filter", "filterexact", "muscle", "user", uniform=True),
        "none",
        name="mjc:dynType",
    )
    force_limited: str = key(token("false", "true", "auto", uniform=True), "auto", name="mjc:forceLimited")
    force_range_max: float = key(DOUBLE, 0.0, name="mjc:forceRange:max")
    force_range_min: float = key(DOUBLE, 0.0, name="mjc:forceRange:min")
    gain_prm: Numbers | None = key(DOUBLES, None, name="mjc:gainPrm")
    gain_type: str = key(
        token("fixed", "affine", "muscle", "user", uniform=True), "fixed", name="mjc:gainType"
    )
    gear: Numbers | None = key(DOUBLES, None, name="mjc:gear")
    group: int = key(INT, 0, name="mjc:group")
    inherit_range: float = key(DOUBLE, 0.0, name="mjc:inheritRange")
    joint_in_parent: bool = key(BOOL, False, name="mjc:jointInParent")
    length_range_max: float = key(DOUBLE, 0.0, name="mjc:lengthRange:max")
    length_range_min: float = key(DOUBLE, 0.0, name="mjc:lengthRange:min")
    ref_site: tuple[str, ...] = key(REL, (), name="mjc:refSite")
    slider_site: tuple[str, ...] = key(REL, (), name="mjc:sliderSite")
    target: tuple[str, ...] = key(REL, (), name="mjc:target")


@element
class MjcKeyframe(Prim):
    """A state of MuJoCo."""

    TAG = "MjcKeyframe"

    act: Numbers | None = key(DOUBLES, None, name="mjc:act")
    ctrl: Numbers | None = key(DOUBLES, None, name="mjc:ctrl")
    mpos: Numbers | None = key(DOUBLES, None, name="mjc:mpos")
    mquat: Numbers | None = key(DOUBLES, None, name="mjc:mquat")
    qpos: Numbers | None = key(DOUBLES, None, name="mjc:qpos")
    qvel: Numbers | None = key(DOUBLES, None, name="mjc:qvel")


@element
class MjcTendon(Prim):
    """A tendon of MuJoCo."""

    TAG = "MjcTendon"

    actuatorfrclimited: str = key(
        token("false", "true", "auto", uniform=True), "auto", name="mjc:actuatorfrclimited"
    )
    actuatorfrcrange_max: float = key(DOUBLE, 0.0, name="mjc:actuatorfrcrange:max")
    actuatorfrcrange_min: float = key(DOUBLE, 0.0, name="mjc:actuatorfrcrange:min")
    armature: float = key(DOUBLE, 0.0, name="mjc:armature")
    damping: float = key(DOUBLE, 0.0, name="mjc:damping")
    frictionloss: float = key(DOUBLE, 0.0, name="mjc:frictionloss")
    group: int = key(INT, 0, name="mjc:group")
    limited: str = key(token("auto", "true", "false", uniform=True), "auto", name="mjc:limited")
    margin: float = key(DOUBLE, 0.0, name="mjc:margin")
    path: tuple[str, ...] = key(REL, (), name="mjc:path")
    path_coef: Numbers | None = key(DOUBLES, None, name="mjc:path:coef")
    path_divisors: Numbers | None = key(DOUBLES, None, name="mjc:path:divisors")
    path_indices: Numbers | None = key(INTS, None, name="mjc:path:indices")
    path_segments: Numbers | None = key(INTS, None, name="mjc:path:segments")
    range_max: float = key(DOUBLE, 0.0, name="mjc:range:max")
    range_min: float = key(DOUBLE, 0.0, name="mjc:range:min")
    rgba: tuple[float, ...] = key(COLOR4F, (0.5, 0.5, 0.5, 1.0), name="mjc:rgba")
    side_sites: tuple[str, ...] = key(REL, (), name="mjc:sideSites")
    side_sites_indices: Numbers | None = key(INTS, None, name="mjc:sideSites:indices")
    solimpfriction: Numbers | None = key(DOUBLES, None, name="mjc:solimpfriction")
    solimplimit: Numbers | None = key(DOUBLES, None, name="mjc:solimplimit")
    solreffriction: Numbers | None = key(DOUBLES, None, name="mjc:solreffriction")
    solreflimit: Numbers | None = key(DOUBLES, None, name="mjc:solreflimit")
    springlength: Numbers | None = key(DOUBLES, None, name="mjc:springlength")
    stiffness: float = key(DOUBLE, 0.0, name="mjc:stiffness")
    type: str = key(token("spatial", "fixed", uniform=True), "spatial", name="mjc:type")
    width: float = key(DOUBLE, 0.003, name="mjc:width")
