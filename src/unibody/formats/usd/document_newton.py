"""Declarations of USD: schemas of Newton that are applied to prims."""

from __future__ import annotations

import math

from unibody.document.declare import Document, element, key
from unibody.formats.usd.values import ASSET, BOOL, DOUBLES, FLOAT, FLOATS, INT, REL, token
from unibody.text.node import Numbers

INF = math.inf


@element
class NewtonSceneAPI(Document):
    """Newton's settings of a scene."""

    max_solver_iterations: int = key(INT, -1, name="newton:maxSolverIterations")
    time_steps_per_second: int = key(INT, 1000, name="newton:timeStepsPerSecond")
    gravity_enabled: bool = key(BOOL, True, name="newton:gravityEnabled")


@element
class NewtonArticulationRootAPI(Document):
    """Newton's settings of a robot."""

    self_collision_enabled: bool = key(BOOL, True, name="newton:selfCollisionEnabled")
    joints_add_mobility: bool = key(BOOL, False, name="newton:jointsAddMobility")


@element
class NewtonJointAPI(Document):
    """What Newton knows of the axes of a joint; of angles per degree."""

    armature: float = key(FLOAT, 0.0, name="newton:armature")
    damping: float = key(FLOAT, 0.0, name="newton:damping")
    friction: float = key(FLOAT, 0.0, name="newton:friction")
    velocity_limit: float = key(FLOAT, INF, name="newton:velocityLimit")
    limit_stiffness: float = key(FLOAT, -INF, name="newton:limitStiffness")
    limit_damping: float = key(FLOAT, -INF, name="newton:limitDamping")


@element
class NewtonMassAPI(Document):
    """The inertia about the center of mass in the axes of the body: xx, yy, zz, xy, xz, yz."""

    inertia: Numbers | None = key(DOUBLES, None, name="newton:inertia")
    mass_model: str = key(token("solid", "shell", uniform=True), "solid", name="newton:massModel")
    shell_thickness: float = key(FLOAT, -INF, name="newton:shellThickness")


@element
class NewtonCollisionAPI(Document):
    """Newton's margins of a collider."""

    contact_margin: float = key(FLOAT, 0.0, name="newton:contactMargin")
    contact_gap: float = key(FLOAT, -INF, name="newton:contactGap")


@element
class NewtonMeshCollisionAPI(Document):
    """Newton's limit on the corners of a hull."""

    max_hull_vertices: int = key(INT, -1, name="newton:maxHullVertices")


@element
class NewtonSDFCollisionAPI(Document):
    """Newton's field of distances to a collider."""

    sdf_max_resolution: int = key(INT, 64, name="newton:sdfMaxResolution")
    sdf_target_voxel_size: float = key(FLOAT, -INF, name="newton:sdfTargetVoxelSize")
    sdf_narrow_band_inner: float = key(FLOAT, -0.1, name="newton:sdfNarrowBandInner")
    sdf_narrow_band_outer: float = key(FLOAT, 0.1, name="newton:sdfNarrowBandOuter")
    sdf_texture_format: str = key(
        token("uint8", "uint16", "float32", uniform=True), "uint16", name="newton:sdfTextureFormat"
    )
    sdf_padding: float = key(FLOAT, -INF, name="newton:sdfPadding")
    hydroelastic_enabled: bool = key(BOOL, False, name="newton:hydroelasticEnabled")
    hydroelastic_stiffness: float = key(FLOAT, 10000000000.0, name="newton:hydroelasticStiffness")


@element
class NewtonSiteAPI(Document):
    """A named frame: its shape only marks it."""


@element
class NewtonPointsDeformableSimAPI(Document):
    """Masses of the points of a soft body."""

    masses: Numbers | None = key(FLOATS, None, name="physics:masses")


@element
class NewtonMaterialAPI(Document):
    """Newton's values of how a surface touches others."""

    torsional_friction: float = key(FLOAT, 0.005, name="newton:torsionalFriction")
    rolling_friction: float = key(FLOAT, 0.0001, name="newton:rollingFriction")
    contact_stiffness: float = key(FLOAT, -INF, name="newton:contactStiffness")
    contact_damping: float = key(FLOAT, -INF, name="newton:contactDamping")
    contact_friction_gain: float = key(FLOAT, -INF, name="newton:contactFrictionGain")
    contact_adhesion: float = key(FLOAT, -INF, name="newton:contactAdhesion")


@element
class NewtonCurvesDeformableMaterialAPI(Document):
    """Newton's damping of a cable."""

    curves_stretch_damping: float = key(FLOAT, -INF, name="newton:curvesStretchDamping")
    curves_shear_damping: float = key(FLOAT, -INF, name="newton:curvesShearDamping")
    curves_bend_damping: float = key(FLOAT, -INF, name="newton:curvesBendDamping")
    curves_twist_damping: float = key(FLOAT, -INF, name="newton:curvesTwistDamping")


@element
class NewtonMimicAPI(Document):
    """A joint that follows another one: q = coef0 + coef1 · q of the other; angles in degrees."""

    mimic_enabled: bool = key(BOOL, True, name="newton:mimicEnabled")
    mimic_joint: tuple[str, ...] = key(REL, (), name="newton:mimicJoint")
    mimic_coef0: float = key(FLOAT, 0.0, name="newton:mimicCoef0")
    mimic_coef1: float = key(FLOAT, 1.0, name="newton:mimicCoef1")


@element
class NewtonActuatorDelayAPI(Document):
    """The delay of a drive of Newton."""

    delay_steps: int = key(INT, 1, name="newton:delaySteps")


@element
class NewtonActuatorControlBaseAPI(Document):
    """A control of a drive of Newton."""


@element
class NewtonPDControlAPI(Document):
    """A control of position with damping."""

    const_effort: float = key(FLOAT, 0.0, name="newton:constEffort")
    kp: float = key(FLOAT, 0.0, name="newton:kp")
    kd: float = key(FLOAT, 0.0, name="newton:kd")


@element
class NewtonPIDControlAPI(Document):
    """A control of position with damping and an integral."""

    const_effort: float = key(FLOAT, 0.0, name="newton:constEffort")
    kp: float = key(FLOAT, 0.0, name="newton:kp")
    kd: float = key(FLOAT, 0.0, name="newton:kd")
    ki: float = key(FLOAT, 0.0, name="newton:ki")
    integral_max: float = key(FLOAT, INF, name="newton:integralMax")


@element
class NewtonNeuralControlAPI(Document):
    """A control by a network."""

    model_path: str = key(ASSET, "", name="newton:modelPath")


@element
class NewtonActuatorClampingBaseAPI(Document):
    """A bound on what a drive of Newton exerts."""


@element
class NewtonMaxEffortClampingAPI(Document):
    """A bound on the effort."""

    max_effort: float = key(FLOAT, INF, name="newton:maxEffort")


@element
class NewtonDCMotorClampingAPI(Document):
    """A bound as of a motor, that falls with its speed."""

    max_motor_effort: float = key(FLOAT, INF, name="newton:maxMotorEffort")
    saturation_effort: float = key(FLOAT, INF, name="newton:saturationEffort")
    velocity_limit: float = key(FLOAT, INF, name="newton:velocityLimit")


@element
class NewtonPositionBasedClampingAPI(Document):
    """A bound by position."""

    lookup_positions: Numbers | None = key(FLOATS, None, name="newton:lookupPositions")
    lookup_efforts: Numbers | None = key(FLOATS, None, name="newton:lookupEfforts")
