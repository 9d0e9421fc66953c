"""Declarations of USD: what every prim may have."""

from __future__ import annotations

from unibody.document.declare import Document, Tagged, child, children, element, inside, key
from unibody.formats.usd import document_mjc as mjc
from unibody.formats.usd import document_newton as newton
from unibody.formats.usd import document_physics as physics
from unibody.formats.usd import document_physx as physx
from unibody.formats.usd.openness import OPEN
from unibody.formats.usd.values import (
    BOOL,
    DOUBLE3,
    FLOAT,
    FLOAT3,
    MATRIX4D,
    QUATF,
    REL,
    STRING,
    TOKEN,
    TOKENS,
    UNIFORM_TOKENS,
    token,
)


@element
class Dictionary(Document):
    """Data of any content: keys with their types, such as ``double mass``."""

    KNOWN = OPEN


@element
class MaterialBindingAPI(Document):
    """The materials of a prim and of all below it: by looks, and by touch."""

    binding: tuple[str, ...] = key(REL, (), name="material:binding")
    physics: tuple[str, ...] = key(REL, (), name="material:binding:physics")


@element
class ShapingAPI(Document):
    """The cone of a light."""

    KNOWN = OPEN
    angle: float = key(FLOAT, 90.0, name="inputs:shaping:cone:angle", unit="degrees from the axis")


@element
class CollectionAPI(Document):
    """A named collection of prims, such as the colliders of a group."""

    PREFIX = "collection"
    KNOWN = OPEN
    instance: str = key(TOKEN, "", name="instance")
    expansion_rule: str = key(
        token("expandPrims", "explicitOnly", "expandPrimsAndProperties", uniform=True),
        "expandPrims",
        name="expansionRule",
    )
    includes: tuple[str, ...] = key(REL, (), name="includes")
    excludes: tuple[str, ...] = key(REL, (), name="excludes")


@element
class Prim(Tagged):
    """A prim of any type: its metadata, its place and the schemas that are applied to it."""

    TAG = "Prim"
    KNOWN = OPEN
    schemas: tuple[str, ...] = key(TOKENS, (), name="apiSchemas", doc="those that are not declared here")
    kind: str = key(TOKEN, "", name="kind")
    display_name: str = key(STRING, "", name="displayName", doc="the name, if it is no legal one")
    documentation: str = key(STRING, "", name="doc")
    instanceable: bool = key(BOOL, False, name="instanceable")
    custom_data: Dictionary | None = child(Dictionary, name="customData")
    asset_info: Dictionary | None = child(Dictionary, name="assetInfo")
    variants: Dictionary | None = child(Dictionary, name="variants", doc="the selections")
    translate: tuple[float, ...] | None = key(DOUBLE3, name="xformOp:translate", unit="units of length")
    orient: tuple[float, ...] | None = key(QUATF, name="xformOp:orient", doc="w, x, y, z")
    scale: tuple[float, ...] | None = key(FLOAT3, name="xformOp:scale")
    transform: tuple[float, ...] | None = key(
        MATRIX4D, name="xformOp:transform", doc="rows; the last one is the translation"
    )
    order: tuple[str, ...] = key(UNIFORM_TOKENS, (), name="xformOpOrder", doc="the outermost first")
    purpose: str = key(
        token("default", "render", "proxy", "guide", uniform=True), "default", name="purpose"
    )
    visibility: str = key(token("inherited", "invisible"), "inherited", name="visibility")
    rigid_body: physics.PhysicsRigidBodyAPI | None = child(
        physics.PhysicsRigidBodyAPI, name="PhysicsRigidBodyAPI"
    )
    mass: physics.PhysicsMassAPI | None = child(physics.PhysicsMassAPI, name="PhysicsMassAPI")
    collision: physics.PhysicsCollisionAPI | None = child(
        physics.PhysicsCollisionAPI, name="PhysicsCollisionAPI"
    )
    mesh_collision: physics.PhysicsMeshCollisionAPI | None = child(
        physics.PhysicsMeshCollisionAPI, name="PhysicsMeshCollisionAPI"
    )
    physics_material: physics.PhysicsMaterialAPI | None = child(
        physics.PhysicsMaterialAPI, name="PhysicsMaterialAPI"
    )
    filtered: physics.PhysicsFilteredPairsAPI | None = child(
        physics.PhysicsFilteredPairsAPI, name="PhysicsFilteredPairsAPI"
    )
    articulation: physics.PhysicsArticulationRootAPI | None = child(
        physics.PhysicsArticulationRootAPI, name="PhysicsArticulationRootAPI"
    )
    limits: list[physics.PhysicsLimitAPI] = children(physics.PhysicsLimitAPI, name="PhysicsLimitAPI")
    drives: list[physics.PhysicsDriveAPI] = children(physics.PhysicsDriveAPI, name="PhysicsDriveAPI")
    material: MaterialBindingAPI | None = child(MaterialBindingAPI, name="MaterialBindingAPI")
    collections: list[CollectionAPI] = children(CollectionAPI, name="CollectionAPI")
    shaping: ShapingAPI | None = child(ShapingAPI, name="ShapingAPI")
    newton_scene: newton.NewtonSceneAPI | None = child(newton.NewtonSceneAPI, name="NewtonSceneAPI")
    newton_articulation_root: newton.NewtonArticulationRootAPI | None = child(
        newton.NewtonArticulationRootAPI, name="NewtonArticulationRootAPI"
    )
    newton_joint: newton.NewtonJointAPI | None = child(newton.NewtonJointAPI, name="NewtonJointAPI")
    newton_mass: newton.NewtonMassAPI | None = child(newton.NewtonMassAPI, name="NewtonMassAPI")
    newton_collision: newton.NewtonCollisionAPI | None = child(
        newton.NewtonCollisionAPI, name="NewtonCollisionAPI"
    )
    newton_mesh_collision: newton.NewtonMeshCollisionAPI | None = child(
        newton.NewtonMeshCollisionAPI, name="NewtonMeshCollisionAPI"
    )
    newton_sdf_collision: newton.NewtonSDFCollisionAPI | None = child(
        newton.NewtonSDFCollisionAPI, name="NewtonSDFCollisionAPI"
    )
    newton_site: newton.NewtonSiteAPI | None = child(newton.NewtonSiteAPI, name="NewtonSiteAPI")
    newton_points_deformable_sim: newton.NewtonPointsDeformableSimAPI | None = child(
        newton.NewtonPointsDeformableSimAPI, name="NewtonPointsDeformableSimAPI"
    )
    newton_material: newton.NewtonMaterialAPI | None = child(
        newton.NewtonMaterialAPI, name="NewtonMaterialAPI"
    )
    newton_curves_deformable_material: newton.NewtonCurvesDeformableMaterialAPI | None = child(
        newton.NewtonCurvesDeformableMaterialAPI, name="NewtonCurvesDeformableMaterialAPI"
    )
    newton_mimic: newton.NewtonMimicAPI | None = child(newton.NewtonMimicAPI, name="NewtonMimicAPI")
    newton_actuator_delay: newton.NewtonActuatorDelayAPI | None = child(
        newton.NewtonActuatorDelayAPI, name="NewtonActuatorDelayAPI"
    )
    newton_actuator_control_base: newton.NewtonActuatorControlBaseAPI | None = child(
        newton.NewtonActuatorControlBaseAPI, name="NewtonActuatorControlBaseAPI"
    )
    newton_pd_control: newton.NewtonPDControlAPI | None = child(
        newton.NewtonPDControlAPI, name="NewtonPDControlAPI"
    )
    newton_pid_control: newton.NewtonPIDControlAPI | None = child(
        newton.NewtonPIDControlAPI, name="NewtonPIDControlAPI"
    )
    newton_neural_control: newton.NewtonNeuralControlAPI | None = child(
        newton.NewtonNeuralControlAPI, name="NewtonNeuralControlAPI"
    )
    newton_actuator_clamping_base: newton.NewtonActuatorClampingBaseAPI | None = child(
        newton.NewtonActuatorClampingBaseAPI, name="NewtonActuatorClampingBaseAPI"
    )
    newton_max_effort_clamping: newton.NewtonMaxEffortClampingAPI | None = child(
        newton.NewtonMaxEffortClampingAPI, name="NewtonMaxEffortClampingAPI"
    )
    newton_dc_motor_clamping: newton.NewtonDCMotorClampingAPI | None = child(
        newton.NewtonDCMotorClampingAPI, name="NewtonDCMotorClampingAPI"
    )
    newton_position_based_clamping: newton.NewtonPositionBasedClampingAPI | None = child(
        newton.NewtonPositionBasedClampingAPI, name="NewtonPositionBasedClampingAPI"
    )
    mjc_scene: mjc.MjcSceneAPI | None = child(mjc.MjcSceneAPI, name="MjcSceneAPI")
    mjc_site: mjc.MjcSiteAPI | None = child(mjc.MjcSiteAPI, name="MjcSiteAPI")
    mjc_imageable: mjc.MjcImageableAPI | None = child(mjc.MjcImageableAPI, name="MjcImageableAPI")
    mjc_collision: mjc.MjcCollisionAPI | None = child(mjc.MjcCollisionAPI, name="MjcCollisionAPI")
    mjc_mesh_collision: mjc.MjcMeshCollisionAPI | None = child(
        mjc.MjcMeshCollisionAPI, name="MjcMeshCollisionAPI"
    )
    mjc_joint: mjc.MjcJointAPI | None = child(mjc.MjcJointAPI, name="MjcJointAPI")
    mjc_material: mjc.MjcMaterialAPI | None = child(mjc.MjcMaterialAPI, name="MjcMaterialAPI")
    mjc_equality: mjc.MjcEqualityAPI | None = child(mjc.MjcEqualityAPI, name="MjcEqualityAPI")
    mjc_equality_connect: mjc.MjcEqualityConnectAPI | None = child(
        mjc.MjcEqualityConnectAPI, name="MjcEqualityConnectAPI"
    )
    mjc_equality_weld: mjc.MjcEqualityWeldAPI | None = child(
        mjc.MjcEqualityWeldAPI, name="MjcEqualityWeldAPI"
    )
    mjc_equality_joint: mjc.MjcEqualityJointAPI | None = child(
        mjc.MjcEqualityJointAPI, name="MjcEqualityJointAPI"
    )
    physx_joint: physx.PhysxJointAPI | None = child(physx.PhysxJointAPI, name="PhysxJointAPI")
    physx_limits: list[physx.PhysxLimitAPI] = children(physx.PhysxLimitAPI, name="PhysxLimitAPI")
    physx_mimic_joints: list[physx.PhysxMimicJointAPI] = children(
        physx.PhysxMimicJointAPI, name="PhysxMimicJointAPI"
    )
    physx_articulation: physx.PhysxArticulationAPI | None = child(
        physx.PhysxArticulationAPI, name="PhysxArticulationAPI"
    )
    physx_rigid_body: physx.PhysxRigidBodyAPI | None = child(
        physx.PhysxRigidBodyAPI, name="PhysxRigidBodyAPI"
    )
    prims: list[Prim] = inside()
