"""Declaration of Choreonoid Body files: all nodes and keys of the reference and of real files.

Section numbers (A.3, …) refer to the facts page. Values are stored as written, angles in the unit of the
file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unibody.document.declare import (
    ANY,
    INTEGER,
    NUMBER,
    TEXT,
    Document,
    child,
    children,
    choice,
    element,
    key,
    kind,
    vector,
)
from unibody.formats.body.values import (
    AXIS,
    COUNT,
    FLAG,
    LARGEST,
    LIMIT,
    LIST,
    MEASURE,
    METADATA,
    NAME,
    OPTIONAL,
    OPTIONAL_SETTING,
    RANGE,
    REPEAT,
    ROTATION,
    SETTING,
    TENSOR,
    TEXTS,
    TRANSLATION,
    TURN,
    V2,
    V3,
    V3_SETTING,
    WHOLE,
    optional,
)

# Link-level keys: Choreonoid insists on a list.
STRICT3 = vector(3)
ANGLE = "angle"


def _elements() -> tuple[tuple[type[Document], ...], type[Document] | None]:
    return ELEMENTS, UnknownNode


# --- appearance (A.12) ----------------------------------------------------------------


@element
class Material(Document):
    """Colors of a surface."""

    ambient: float = key(SETTING, 1.0, old=["ambientIntensity"], doc="reflection of ambient light, 0 to 1")
    diffuse: tuple[float, ...] = key(
        V3_SETTING, (1.0, 1.0, 1.0), old=["diffuseColor"], doc="color of the surface"
    )
    emissive: tuple[float, ...] = key(V3_SETTING, (0.0, 0.0, 0.0), old=["emissiveColor"])
    specular: tuple[float, ...] = key(V3_SETTING, (0.0, 0.0, 0.0), old=["specularColor"])
    specular_exponent: float = key(SETTING, 25.0, old=["specularExponent"])
    shininess: float | None = key(SETTING, doc="legacy: exponent = 127·s + 1; specular_exponent wins")
    transparency: float = key(SETTING, 0.0, doc="0 opaque, 1 invisible")


@element
class Texture(Document):
    """A texture image."""

    url: str = key(NAME, "", name="uri", old=["url"], doc="PNG or JPEG file")
    repeat: Any = key(REPEAT)
    repeat_s: bool = key(FLAG, True, old=["repeatS"])
    repeat_t: bool = key(FLAG, True, old=["repeatT"])


@element
class TextureTransform(Document):
    """Transform of texture coordinates."""

    center: tuple[float, ...] = key(V2, (0.0, 0.0))
    scale: tuple[float, ...] = key(V2, (1.0, 1.0))
    translation: tuple[float, ...] = key(V2, (0.0, 0.0))
    rotation: float = key(TURN, 0.0, unit=ANGLE)


@element
class Appearance(Document):
    """Material and texture of a Shape."""

    material: Material | None = child(Material)
    texture: Texture | None = child(Texture)
    texture_transform: TextureTransform | None = child(TextureTransform, old=["textureTransform"])


# --- geometry (A.11) ------------------------------------------------------------------


@element
class Divided(Document):
    """Keys of round geometries: the tessellation."""

    division_number: int | None = key(WHOLE, old=["divisionNumber"], doc="number of sides; 4 or more")
    extra_division_number: int | None = key(WHOLE, old=["extraDivisionNumber"])


@element
class Box(Divided):
    """A box centered at the origin."""

    type: str = kind("Box")
    size: tuple[float, ...] = key(V3, (1.0, 1.0, 1.0), unit="m")
    extra_division_mode: str | None = key(optional(choice("preferred", "x", "y", "z")))


@element
class Sphere(Divided):
    """A sphere at the origin."""

    type: str = kind("Sphere")
    radius: float = key(NUMBER, 1.0, unit="m")


@element
class Cylinder(Divided):
    """A cylinder along Y, centered at the origin."""

    type: str = kind("Cylinder")
    radius: float = key(NUMBER, 1.0, unit="m")
    height: float = key(NUMBER, 1.0, unit="m")
    top: bool = key(FLAG, True)
    bottom: bool = key(FLAG, True)


@element
class Cone(Divided):
    """A cone along Y, apex at +Y."""

    type: str = kind("Cone")
    radius: float = key(NUMBER, 1.0, unit="m")
    height: float = key(NUMBER, 1.0, unit="m")
    bottom: bool = key(FLAG, True)


@element
class Capsule(Divided):
    """A cylinder along Y with hemispherical caps; height excludes the caps."""

    type: str = kind("Capsule")
    radius: float = key(NUMBER, 1.0, unit="m")
    height: float = key(MEASURE, 1.0, unit="m")


@element
class MeshKeys(Document):
    """Keys of meshes given by vertices and faces."""

    vertices: Any = key(LIST, old=["coordinate"], unit="m", doc="flat x y z")
    faces: Any = key(LIST, old=["coordIndex"])
    normals: Any = key(LIST)
    normal_indices: Any = key(LIST, old=["normalIndex"])
    colors: Any = key(LIST)
    color_indices: Any = key(LIST, old=["colorIndex"])
    tex_coords: Any = key(LIST, old=["texCoord"])
    tex_coord_indices: Any = key(LIST, old=["texCoordIndex"])
    crease_angle: float = key(OPTIONAL, 0.0, old=["creaseAngle"], unit=ANGLE)
    solid: bool = key(FLAG, False)


@element
class TriangleMesh(MeshKeys):
    """Triangles: faces are flat triples."""

    type: str = kind("TriangleMesh")


@element
class IndexedFaceSet(MeshKeys):
    """Polygons: each face closed by −1."""

    type: str = kind("IndexedFaceSet")


@element
class Extrusion(Document):
    """A section in the XZ plane swept along a spine."""

    type: str = kind("Extrusion")
    cross_section: Any = key(LIST, old=["crossSection"], unit="m", doc="flat x z")
    spine: Any = key(LIST, unit="m", doc="flat x y z")
    orientation: Any = key(LIST, unit=ANGLE, doc="flat axis and angle per spine point, or one")
    scale: Any = key(LIST, doc="flat x z per spine point, or one")
    crease_angle: float = key(OPTIONAL, 0.0, old=["creaseAngle"], unit=ANGLE)
    # Choreonoid knows only this spelling (facts F.1, 11).
    begin_cap: bool = key(FLAG, True, name="beginCap", old=["begin_cap"])
    end_cap: bool = key(FLAG, True, old=["endCap"])
    solid: bool = key(FLAG, False)


@element
class ElevationGrid(Document):
    """Heights over a grid in the XZ plane."""

    type: str = kind("ElevationGrid")
    x_dimension: int = key(COUNT, 0, old=["xDimension"])
    z_dimension: int = key(COUNT, 0, old=["zDimension"])
    x_spacing: float = key(MEASURE, 1.0, old=["xSpacing"], unit="m")
    z_spacing: float = key(MEASURE, 1.0, old=["zSpacing"], unit="m")
    ccw: bool = key(FLAG, True)
    crease_angle: float = key(OPTIONAL, 0.0, old=["creaseAngle"], unit=ANGLE)
    height: Any = key(LIST, unit="m")
    tex_coord: Any = key(LIST, old=["texCoord"])
    solid: bool = key(FLAG, False)


@element
class GeometryResource(Document):
    """A mesh file used as geometry, with the appearance of its Shape."""

    type: str = kind("Resource")
    uri: str | None = key(TEXT, required=True)
    fragment: str = key(NAME, "", old=["node"])
    metadata: Any = key(METADATA)
    crease_angle: float = key(OPTIONAL, 0.0, old=["creaseAngle"], unit=ANGLE)
    remove_redundant_vertices: bool = key(FLAG, False, old=["removeRedundantVertices"])


GEOMETRIES = (
    Box,
    Sphere,
    Cylinder,
    Cone,
    Capsule,
    TriangleMesh,
    IndexedFaceSet,
    Extrusion,
    ElevationGrid,
    GeometryResource,
)


# --- nodes of the scene (A.8, A.10) ---------------------------------------------------


@element
class SceneNode(Document):
    """Keys of every node below a link."""

    name: str = key(NAME, "")
    is_optional: bool = key(FLAG, False, old=["isOptional"])
    is_meta_scene: bool = key(FLAG, False, old=["isMetaScene"])


@element
class Posed(SceneNode):
    """A node with a pose: translate · rotate · scale."""

    translation: Any = key(TRANSLATION, unit="m")
    rotation: Any = key(ROTATION, unit=ANGLE)
    scale: tuple[float, ...] | None = key(V3)


@element
class Skip(Document):
    """An ignored node."""

    SKIPPED = True
    type: str = kind("Skip")


@element
class EmptyNode(SceneNode):
    """A node without content."""

    type: str = kind("Node")


@element
class Shape(Posed):
    """Geometry with its appearance."""

    type: str = kind("Shape")
    geometry: Document | None = child(*GEOMETRIES, by="type")
    appearance: Appearance | None = child(Appearance)


@element
class Resource(Posed):
    """A mesh file, or a YAML file with body elements (A.9)."""

    type: str = kind("Resource")
    uri: str | None = key(TEXT, required=True)
    fragment: str = key(NAME, "", old=["node"], doc="name of the part to take")
    metadata: Any = key(METADATA, doc="length_unit: millimeter or inch; upper_axis: Y")


@element
class PlainShape(Shape):
    """The ``shape`` key of Visual and Collision, which needs no type."""

    type: str = kind("Shape", "")


@element
class PlainResource(Resource):
    """The ``resource`` key of Visual and Collision, which needs no type."""

    type: str = kind("Resource", "")


@element
class LineSet(Posed):
    """Lines between vertices."""

    type: str = kind("LineSet")
    vertices: Any = key(LIST, unit="m")
    lines: Any = key(LIST, doc="flat pairs of indices")
    material: Material | None = child(Material)
    line_width: float = key(SETTING, 1.0)


@element
class Text(Posed):
    """Text in the scene; kept but not drawn."""

    type: str = kind("Text")
    text: str = key(NAME, "")
    height: float | None = key(MEASURE)
    color: tuple[float, ...] | None = key(V3)


@element
class Group(SceneNode):
    """A named group of nodes, without a pose."""

    type: str = kind("Group")
    elements: list[Document] = children(of=_elements, by="type")


@element
class Transform(Posed):
    """A group of nodes with a common pose and scale."""

    type: str = kind("Transform")
    elements: list[Document] = children(of=_elements, by="type")


@element
class RigidBody(Posed):
    """Inertial properties of a part of a link (A.7)."""

    type: str = kind("RigidBody")
    mass: float = key(MEASURE, 0.0, unit="kg")
    center_of_mass: tuple[float, ...] = key(V3, (0.0, 0.0, 0.0), old=["centerOfMass"], unit="m")
    inertia: tuple[float, ...] | None = key(TENSOR, unit="kg·m²")
    elements: list[Document] = children(of=_elements, by="type")


@element
class ShapeSet(Posed):
    """Keys of Visual and Collision."""

    shape: PlainShape | None = child(PlainShape)
    resource: PlainResource | None = child(PlainResource)
    elements: list[Document] = children(of=_elements, by="type")


@element
class Visual(ShapeSet):
    """Visual shapes."""

    type: str = kind("Visual")


@element
class Collision(ShapeSet):
    """Collision shapes."""

    type: str = kind("Collision")


# --- devices (A.13) -------------------------------------------------------------------


@element
class Device(Posed):
    """Keys of every device."""

    KEEPS = True

    id: int = key(WHOLE, -1)
    on: bool = key(FLAG, True)
    elements: list[Document] = children(of=_elements, by="type")


@element
class AccelerationSensor(Device):
    """Acceleration sensor."""

    type: str = kind("AccelerationSensor")
    max_acceleration: tuple[float, ...] | None = key(LARGEST, old=["maxAcceleration"], unit="m/s²")


@element
class RateGyroSensor(Device):
    """Angular velocity sensor; its limit is in rad/s whatever the angle unit."""

    type: str = kind("RateGyroSensor")
    max_angular_velocity: tuple[float, ...] | None = key(LARGEST, old=["maxAngularVelocity"], unit="rad/s")


@element
class Imu(Device):
    """Acceleration and angular velocity sensor in one; Choreonoid reads only the word IMU."""

    type: str = kind("IMU", "Imu")
    max_acceleration: tuple[float, ...] | None = key(LARGEST, old=["maxAcceleration"], unit="m/s²")
    max_angular_velocity: tuple[float, ...] | None = key(LARGEST, old=["maxAngularVelocity"], unit="rad/s")


@element
class ForceSensor(Device):
    """Force and torque sensor."""

    type: str = kind("ForceSensor")
    max_force: tuple[float, ...] | None = key(LARGEST, old=["maxForce"], unit="N")
    max_torque: tuple[float, ...] | None = key(LARGEST, old=["maxTorque"], unit="N·m")


@element
class Optical(Device):
    """Keys of optical devices."""

    optical_frame: str = key(choice("gl", "cv", "robotics"), "gl", old=["opticalFrame"])
    optical_frame_rotation: Any = key(ROTATION, old=["opticalFrameRotation"], unit=ANGLE)
    min_distance: float = key(SETTING, 0.1, old=["minDistance"], unit="m")
    max_distance: float = key(SETTING, 10.0, old=["maxDistance"], unit="m")
    detection_rate: float = key(SETTING, 1.0, old=["detectionRate"])
    error_deviation: float = key(SETTING, 0.0, old=["errorDeviation"], unit="m")


@element
class Camera(Optical):
    """Camera or depth camera; Choreonoid creates no device without ``format``."""

    type: str = kind("Camera", "CameraDevice")
    format: str | None = key(NAME, doc="COLOR, DEPTH, COLOR_DEPTH, POINT_CLOUD or COLOR_POINT_CLOUD")
    lens_type: str = key(optional(choice("NORMAL", "FISHEYE", "DUAL_FISHEYE")), "NORMAL", old=["lensType"])
    width: int = key(COUNT, 640)
    height: int = key(COUNT, 480)
    # The loader's default is 0.785398 rad, whatever the unit; None stands for it here.
    field_of_view: float | None = key(OPTIONAL_SETTING, old=["fieldOfView"], unit=ANGLE)
    near_clip_distance: float = key(SETTING, 0.04, old=["nearClipDistance"], unit="m")
    far_clip_distance: float = key(SETTING, 200.0, old=["farClipDistance"], unit="m")
    frame_rate: float = key(SETTING, 30.0, old=["frameRate"], unit="Hz")


@element
class RangeSensor(Optical):
    """Scanning distance sensor."""

    type: str = kind("RangeSensor")
    min_yaw_angle: float | None = key(OPTIONAL_SETTING, old=["minYawAngle"], unit=ANGLE)
    max_yaw_angle: float | None = key(OPTIONAL_SETTING, old=["maxYawAngle"], unit=ANGLE)
    yaw_range: float | None = key(OPTIONAL_SETTING, old=["yawRange", "scanAngle"], unit=ANGLE)
    yaw_step: float | None = key(OPTIONAL_SETTING, old=["yawStep", "scanStep"], unit=ANGLE)
    yaw_samples: int | None = key(WHOLE, old=["yawSamples"])
    min_pitch_angle: float | None = key(OPTIONAL_SETTING, old=["minPitchAngle"], unit=ANGLE)
    max_pitch_angle: float | None = key(OPTIONAL_SETTING, old=["maxPitchAngle"], unit=ANGLE)
    pitch_range: float | None = key(OPTIONAL_SETTING, old=["pitchRange"], unit=ANGLE)
    pitch_step: float | None = key(OPTIONAL_SETTING, old=["pitchStep"], unit=ANGLE)
    pitch_samples: int | None = key(WHOLE, old=["pitchSamples"])
    scan_rate: float = key(SETTING, 10.0, old=["scanRate", "frame_rate"], unit="Hz")


@element
class Light(Device):
    """Keys of every light."""

    color: tuple[float, ...] = key(V3_SETTING, (1.0, 1.0, 1.0))
    intensity: float = key(SETTING, 1.0)
    ambient: float = key(SETTING, 0.0, old=["ambientIntensity"])


@element
class PointLight(Light):
    """Light in all directions."""

    type: str = kind("PointLight")
    attenuation: tuple[float, ...] = key(V3_SETTING, (1.0, 0.0, 0.0))


@element
class SpotLight(Light):
    """Light in a cone; the loader's defaults are 90° and 45°."""

    type: str = kind("SpotLight")
    attenuation: tuple[float, ...] = key(V3_SETTING, (1.0, 0.0, 0.0))
    direction: tuple[float, ...] = key(V3_SETTING, (0.0, 0.0, -1.0))
    beam_width: float | None = key(OPTIONAL_SETTING, old=["beamWidth"], unit=ANGLE)
    cut_off_angle: float | None = key(OPTIONAL_SETTING, old=["cutOffAngle"], unit=ANGLE)
    cut_off_exponent: float = key(SETTING, 1.0, old=["cutOffExponent"])


@element
class DirectionalLight(Light):
    """Parallel light."""

    type: str = kind("DirectionalLight")
    direction: tuple[float, ...] = key(V3_SETTING, (0.0, 0.0, -1.0))


@element
class OtherDevice(Device):
    """A device specific to Choreonoid or one of its plug-ins; its data is kept as written."""

    type: str = kind(
        "MarkerDevice",
        "CompetitorMarker",
        "Holder",
        "Attachment",
        "Conveyor",
        "DigitalIO",
        "ZmpDevice",
        "LivoxMid360",
        "RotorDevice",
        "FireDevice",
        "SmokeDevice",
        "FountainDevice",
        "RainDevice",
        "SnowDevice",
        "PxContinuousTrack",
        "AGXVehicleContinuousTrackDevice",
        "AGXWireDevice",
        "AGXBreakableJointDevice",
        "AGXMagneticJointDevice",
        "PerspectiveCamera",
        "OrthographicCamera",
        "Fog",
    )


@element
class UnknownNode(Device):
    """A node of an undeclared type, read as a device of an unknown plug-in."""

    type: str = key(NAME, "")


DEVICES = (
    AccelerationSensor,
    RateGyroSensor,
    Imu,
    ForceSensor,
    Camera,
    RangeSensor,
    PointLight,
    SpotLight,
    DirectionalLight,
    OtherDevice,
)
ELEMENTS = (
    Skip,
    EmptyNode,
    Group,
    Transform,
    RigidBody,
    Visual,
    Collision,
    Resource,
    Shape,
    LineSet,
    Text,
    *DEVICES,
)

# --- links (A.4, A.5) -----------------------------------------------------------------

JOINT_TYPE = choice(
    "fixed",
    "free",
    "revolute",
    "prismatic",
    "pseudo_continuous_track",
    slide="prismatic",
    pseudoContinuousTrack="pseudo_continuous_track",
)
ACTUATION_MODE = choice(
    "joint_effort",
    "joint_displacement",
    "joint_velocity",
    "link_position",
    "jointSurfaceVelocity",
    jointEffort="joint_effort",
    jointTorque="joint_effort",
    jointForce="joint_effort",
    jointDisplacement="joint_displacement",
    jointAngle="joint_displacement",
    jointVelocity="joint_velocity",
    linkPosition="link_position",
)


# Keys that other parts of Choreonoid and its plug-ins read from a link (A.5).
LINK_INFO = frozenset(
    """material childLinks gui_handle_size drive_stiffness drive_damping MultiCopterTargetLink density
    massType AMOR autoSleep convexDecomposition jointCompliance jointMotor jointMotorCompliance
    jointMotorForceRange jointMotorSpookDamping jointLock jointLockCompliance jointLockForceRange
    jointLockSpookDamping jointRangeCompliance jointRangeForceRange jointRangeSpookDamping jointSpookDamping
    forceRange force_range""".split()
)


def _link_kept() -> type[Document]:
    from unibody.formats.body.kept import LinkKept

    return LinkKept


@element
class LinkKeys(Document):
    """Keys of Link, SubBody and ContinuousTrack."""

    KEEPS = True
    KNOWN = LINK_INFO
    KEPT = staticmethod(_link_kept)

    name: str = key(TEXT, "")
    joint_name: str = key(TEXT, "", old=["jointName"], names="joints")
    parent: str = key(TEXT, "", refers="links")
    translation: Any = key(TRANSLATION, unit="m")
    rotation: Any = key(ROTATION, unit=ANGLE)
    joint_type: str = key(JOINT_TYPE, "fixed", old=["jointType"])
    joint_axis: Any = key(AXIS, (0.0, 0.0, 1.0), old=["jointAxis"])
    joint_id: int = key(INTEGER, -1, old=["jointId"])
    joint_angle: float | None = key(NUMBER, old=["jointAngle"], unit=ANGLE)
    joint_displacement: float | None = key(
        NUMBER, old=["jointDisplacement"], unit="angle or m", doc="overrides joint_angle"
    )
    joint_range: Any = key(RANGE, "unlimited", old=["jointRange"], unit="angle or m")
    max_joint_velocity: Any = key(LIMIT, old=["maxJointVelocity"], unit="angle/s or m/s")
    joint_velocity_range: Any = key(RANGE, old=["jointVelocityRange"], unit="angle/s or m/s")
    max_joint_effort: Any = key(LIMIT, old=["maxJointEffort"], unit="N·m or N")
    joint_axis_inertia: float | None = key(NUMBER, old=["jointAxisInertia"], unit="kg·m²")
    rotor_inertia: float | None = key(OPTIONAL, old=["rotorInertia"], unit="kg·m²")
    gear_ratio: float | None = key(OPTIONAL, old=["gearRatio"])
    actuation_mode: str | None = key(ACTUATION_MODE, old=["actuationMode"])
    mass: float | None = key(NUMBER, unit="kg")
    center_of_mass: tuple[float, ...] | None = key(STRICT3, old=["centerOfMass"], unit="m")
    inertia: tuple[float, ...] | None = key(TENSOR, unit="kg·m²")
    elements: list[Document] = children(of=_elements, by="type")


@element
class Link(LinkKeys):
    """A link and the joint to its parent."""

    type: str = kind("Link", "")


@element
class ContinuousTrack(LinkKeys):
    """A track, expanded to a chain of equal links."""

    type: str = kind("ContinuousTrack")
    num_joints: int = key(INTEGER, 0, name="numJoints", old=["num_joints"], required=True)
    joint_offset: tuple[float, ...] = key(STRICT3, (0.0, 0.0, 0.0), old=["jointOffset"], unit="m")
    initial_joint_angles: Any = key(
        LIST, name="initialJointAngles", old=["initial_joint_angles"], unit=ANGLE
    )


@element
class SubBody(LinkKeys):
    """Includes the links of another body file."""

    type: str = kind("SubBody")
    uri: str | None = key(TEXT, required=True)
    prefix: str = key(TEXT, "")
    suffix: str = key(TEXT, "")
    device_prefix: str | None = key(TEXT, old=["devicePrefix"])
    joint_id_offset: int = key(INTEGER, 0, old=["jointIdOffset"])


# --- the file (A.3, A.13, A.14) -------------------------------------------------------


@element
class ExtraJoint(Document):
    """A constraint between two links that closes a loop."""

    name: str = key(TEXT, "")
    link1_name: str | None = key(TEXT, old=["link1Name"], required=True, refers="links")
    link2_name: str | None = key(TEXT, old=["link2Name"], required=True, refers="links")
    joint_type: str | None = key(
        choice("ball", "hinge", "piston", "fixed"), old=["jointType"], required=True
    )
    axis: Any = key(AXIS, old=["jointAxis"], doc="in link 1, for hinge and piston; default X")
    translation_in_link1: Any = key(
        TRANSLATION, old=["translationInLink1", "link1_local_pos", "link1LocalPos"], unit="m"
    )
    translation_in_link2: Any = key(
        TRANSLATION, old=["translationInLink2", "link2_local_pos", "link2LocalPos"], unit="m"
    )
    rotation_in_link1: Any = key(ROTATION, unit=ANGLE)
    rotation_in_link2: Any = key(ROTATION, unit=ANGLE)


# Keys that other parts of Choreonoid read from a body (A.14).
BODY_INFO = frozenset(
    """foot_links footLinks default_ik_setup defaultIKsetup symmetric_joints symmetricJoints
    symmetric_ik_links symmetricIkLinks available_ik_interpolation_links possibleIkInterpolationLinks
    default_ik_interpolation_links defaultIkInterpolationLinks pose_conversion_info poseConversionInfo
    linearInterpolationJoints lipSyncShapes MultiCopterTargetBody body_markers bodyMarkers preset_poses
    possileSupportLinks divisionNumberOfPrimitiveGeometries definitions unibody""".split()
)


def _body_kept() -> type[Document]:
    from unibody.formats.body.kept import BodyKept

    return BodyKept


@element
class Body(Document):
    """A body file: header, links, and data of other parts of Choreonoid."""

    KEEPS = True
    KNOWN = BODY_INFO
    KEPT = staticmethod(_body_kept)

    format: str | None = key(TEXT)
    format_version: float | None = key(NUMBER, old=["formatVersion"])
    angle_unit: str = key(choice("degree", "radian"), "degree", old=["angleUnit"])
    name: str = key(TEXT, "")
    root_link: str = key(TEXT, "", old=["rootLink"], refers="links")
    links: list[Document] = children(Link, SubBody, ContinuousTrack, Skip, by="type")
    extra_joints: list[ExtraJoint] = children(ExtraJoint, old=["extraJoints"])
    body_handlers: tuple[str, ...] | None = key(TEXTS, old=["bodyHandlers"])
    standard_pose: Any = key(LIST, old=["standardPose"], unit=ANGLE, doc="by joint id")
    link_group: Any = key(ANY, old=["linkGroup"], doc="names, or {name, links} groups")
    collision_detection_rules: Any = key(ANY, old=["collisionDetectionRules"])
    collision_detection: Any = key(ANY, name="collisionDetection", doc="old form of the rules")
    model_file: str | None = key(TEXT, old=["modelFile"], doc="the file that this file extends")
    link_info: Any = key(ANY, name="linkInfo", old=["link_info"])
    geometry: Any = key(ANY, doc="with model_file: {divisionNumber: n}")


#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {"": Body, "links": Link, "devices": UnknownNode}
