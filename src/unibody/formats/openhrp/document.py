"""Declarations of OpenHRP's nodes: those of the reference, and those that loaders and real files add.

Fields, defaults and units follow the PROTO blocks of the reference; fields that only a loader or real
files define come after them. Section numbers refer to the facts page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from unibody.document.declare import Document, Tagged, element, key, node, nodes, plan, setting
from unibody.formats.openhrp.values import AXIS, JOINT_TYPE, MOMENTS
from unibody.formats.vrml97.document import NODES as VRML97
from unibody.formats.vrml97.document import World
from unibody.formats.vrml97.values import (
    FEW_FLOATS,
    MF_STRING,
    SF_BOOL,
    SF_COLOR,
    SF_FLOAT,
    SF_INT32,
    SF_ROTATION,
    SF_STRING,
    SF_VEC3F,
    endless,
    one_of,
)
from unibody.text.node import Row, Value, Word

LOOP_TYPES = ("xyz", "xy", "z", "ball", "piston")
IMAGES = (
    "NONE",
    "COLOR",
    "DEPTH",
    "COLOR_DEPTH",
    "MONO",
    "MONO_DEPTH",
    "POINT_CLOUD",
    "COLOR_POINT_CLOUD",
)
# Limits may be infinite, as in the loaders; numbers of devices and unused fields enter no computation.
LIMITS = endless(FEW_FLOATS)
LARGEST = setting(endless(SF_VEC3F))
SETTING, SETTINGS = setting(SF_FLOAT), setting(FEW_FLOATS)
VECTOR_SETTING, COLOR_SETTING = setting(SF_VEC3F), setting(SF_COLOR)
_ZERO = (0.0, 0.0, 0.0)
_ONES = (1.0, 1.0, 1.0)
_NO_TURN = (0.0, 0.0, 1.0, 0.0)
_NO_LIMIT = (-1.0, -1.0, -1.0)


@element
class File(World):
    """An OpenHRP model file: one Humanoid, its ExtraJoints, and scene nodes."""

    TAG = ""


@element
class Placed(Tagged):
    """Base of the nodes with the pose fields of a VRML97 Transform."""

    KEEPS = True

    translation: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m")
    rotation: tuple[float, ...] = key(SF_ROTATION, _NO_TURN, unit="rad", doc="axis and angle")
    center: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m", doc="center of rotation of the joint")
    scale: tuple[float, ...] = key(SF_VEC3F, _ONES, doc="ignored, as in the loaders")
    scale_orientation: tuple[float, ...] = key(
        SF_ROTATION, _NO_TURN, name="scaleOrientation", unit="rad", doc="ignored"
    )


@element
class Humanoid(Placed):
    """The robot; a file has exactly one."""

    name: str = key(SF_STRING, "", doc="name of the model, if there is no DEF name")
    version: str = key(SF_STRING, "1.1", doc="version of the model")
    info: tuple[str, ...] = key(MF_STRING, (), doc="comments")
    humanoid_body: list[Tagged] = nodes(
        name="humanoidBody", doc="the root Joint; any number of Joints and one Segment"
    )
    joints: list[Tagged] = nodes(doc="all Joints of the model, by USE")
    segments: list[Tagged] = nodes(doc="all Segments of the model, by USE")
    sites: list[Tagged] = nodes(doc="not used in OpenHRP")
    link_connections: list[Tagged] = nodes(name="linkConnections", doc="in old files")
    viewpoints: list[Tagged] = nodes()
    bbox_center: tuple[float, ...] = key(
        VECTOR_SETTING, _ZERO, name="bboxCenter", unit="m", doc="not used in OpenHRP"
    )
    bbox_size: tuple[float, ...] = key(
        VECTOR_SETTING, _NO_LIMIT, name="bboxSize", unit="m", doc="not used in OpenHRP"
    )


@element
class Joint(Placed):
    """A link and its parent joint; its frame is the link frame."""

    name: str = key(SF_STRING, "", names="joints", doc="name of the joint, if there is no DEF name")
    joint_type: str = key(JOINT_TYPE, "", name="jointType", doc="free for a root with a free base")
    joint_id: int = key(SF_INT32, -1, doc="counts from 0 without gaps; -1: none", name="jointId")
    joint_axis: Any = key(AXIS, (0.0, 0.0, 1.0), name="jointAxis", doc="in the joint frame")
    llimit: tuple[float, ...] = key(LIMITS, (), unit="rad, m", doc="lower position limit; empty: unlimited")
    ulimit: tuple[float, ...] = key(LIMITS, (), unit="rad, m", doc="upper position limit")
    lvlimit: tuple[float, ...] = key(LIMITS, (), unit="rad/s, m/s", doc="lower velocity limit")
    uvlimit: tuple[float, ...] = key(LIMITS, (), unit="rad/s, m/s", doc="upper velocity limit")
    climit: tuple[float, ...] = key(LIMITS, (), unit="A", doc="maximum motor current (Choreonoid)")
    gear_ratio: float = key(SF_FLOAT, 1.0, name="gearRatio", doc="100 for a reduction of 1/100")
    gear_efficiency: float = key(SETTING, 1.0, name="gearEfficiency", doc="0.6 for 60 %")
    rotor_inertia: float = key(SF_FLOAT, 0.0, name="rotorInertia", unit="kg·m²")
    rotor_resistor: float = key(SETTING, 0.0, name="rotorResistor", unit="Ω")
    torque_const: float = key(SETTING, 1.0, name="torqueConst", unit="N·m/A")
    encoder_pulse: float = key(SETTING, 1.0, name="encoderPulse")
    equivalent_inertia: float = key(
        SF_FLOAT, 0.0, name="equivalentInertia", unit="kg·m²", doc="obsolete: gearRatio² · rotorInertia"
    )
    children: list[Tagged] = nodes(doc="Joints, Segments, sensors")
    limit_orientation: tuple[float, ...] = key(
        SF_ROTATION, _NO_TURN, name="limitOrientation", unit="rad", doc="not used in OpenHRP"
    )
    stiffness: tuple[float, ...] = key(SETTINGS, _ZERO, doc="not used in OpenHRP")
    dh: tuple[float, ...] = key(SETTINGS, (0.0, 0.0, 0.0, 0.0), doc="Denavit-Hartenberg; not used")
    joint_value: float = key(SETTING, 0.0, name="jointValue", doc="not used")


@element
class Segment(Tagged):
    """Mass and shapes of a link, or of a part of it."""

    KEEPS = True

    name: str = key(SF_STRING, "", names="segments")
    mass: float = key(SF_FLOAT, 0.0, unit="kg")
    center_of_mass: tuple[float, ...] = key(SF_VEC3F, _ZERO, name="centerOfMass", unit="m")
    moments_of_inertia: tuple[float, ...] = key(
        MOMENTS,
        (0.0,) * 9,
        unit="kg·m²",
        doc="about the center of mass, row by row",
        name="momentsOfInertia",
    )
    children: list[Tagged] = nodes(doc="shapes")
    bbox_center: tuple[float, ...] = key(
        VECTOR_SETTING, _ZERO, name="bboxCenter", unit="m", doc="not used in OpenHRP"
    )
    bbox_size: tuple[float, ...] = key(
        VECTOR_SETTING, _NO_LIMIT, name="bboxSize", unit="m", doc="not used in OpenHRP"
    )
    coord: Tagged | None = node(doc="not used in OpenHRP")
    displacers: list[Tagged] = nodes(doc="not used in OpenHRP")


@element
class Surface(Tagged):
    """Separate visual and collision shapes of a Segment (Choreonoid)."""

    visual: list[Tagged] = nodes(doc="visual shapes")
    collision: list[Tagged] = nodes(doc="collision shapes")


@element
class ExtraJoint(Tagged):
    """A constraint that closes a kinematic loop."""

    KEEPS = True

    link1_name: str = key(SF_STRING, "", name="link1Name", refers="links", doc="DEF name of a Joint")
    link2_name: str = key(SF_STRING, "", name="link2Name", refers="links", doc="DEF name of a Joint")
    link1_local_pos: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="link1LocalPos", unit="m", doc="in the first link"
    )
    link2_local_pos: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="link2LocalPos", unit="m", doc="in the second link"
    )
    joint_type: str = key(
        one_of(*LOOP_TYPES),
        "xyz",
        doc="constrained axes: all, the two across jointAxis, the one along it; ball, piston: Choreonoid",
        name="jointType",
    )
    joint_axis: tuple[float, ...] = key(
        SF_VEC3F, (1.0, 0.0, 0.0), name="jointAxis", doc="in the first link"
    )


# --- devices (B.7) ----------------------------------------------------------------------


@element
class Device(Tagged):
    """Base of the devices; the frame looks along -Z with Y up."""

    KEEPS = True

    translation: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m")
    rotation: tuple[float, ...] = key(SF_ROTATION, _NO_TURN, unit="rad", doc="axis and angle")
    sensor_id: int = key(SF_INT32, -1, doc="counts from 0 within the kind, without gaps", name="sensorId")
    device_id: int | None = key(SF_INT32, name="deviceId", doc="overrides sensorId (Choreonoid)")
    children: list[Tagged] = nodes(doc="shapes of the device")


@element
class AccelerationSensor(Device):
    """Three-axis acceleration sensor."""

    max_acceleration: tuple[float, ...] = key(
        LARGEST, _NO_LIMIT, name="maxAcceleration", unit="m/s²", doc="maximum readings; -1: unlimited"
    )


@element
class Gyro(Device):
    """Three-axis angular velocity sensor; also read as GyroSensor."""

    max_angular_velocity: tuple[float, ...] = key(
        LARGEST, _NO_LIMIT, name="maxAngularVelocity", unit="rad/s", doc="maximum readings; -1: unlimited"
    )


@element
class ForceSensor(Device):
    """Force and torque sensor."""

    max_force: tuple[float, ...] = key(
        LARGEST, _NO_LIMIT, name="maxForce", unit="N", doc="maximum readings; -1: unlimited"
    )
    max_torque: tuple[float, ...] = key(
        LARGEST, _NO_LIMIT, name="maxTorque", unit="N·m", doc="maximum readings; -1: unlimited"
    )


@element
class VisionSensor(Device):
    """Camera or range camera."""

    name: str = key(SF_STRING, "", names="devices", doc="name of the sensor, if there is no DEF name")
    type: str = key(one_of(*IMAGES, assumed="COLOR"), "NONE", doc="image type")
    field_of_view: float = key(SETTING, 0.785398, name="fieldOfView", unit="rad")
    front_clip_distance: float = key(SETTING, 0.01, name="frontClipDistance", unit="m")
    back_clip_distance: float = key(SETTING, 10.0, name="backClipDistance", unit="m")
    width: int = key(SF_INT32, 320)
    height: int = key(SF_INT32, 240)
    frame_rate: float = key(SETTING, 30.0, name="frameRate", unit="Hz")
    on: bool = key(SF_BOOL, True)


@element
class RangeSensor(Device):
    """Scanning distance sensor; scans its XZ plane, centered on -Z."""

    scan_angle: float = key(
        SETTING, 3.14159, name="scanAngle", unit="rad", doc="full scan angle; 0: no scanning"
    )
    scan_step: float = key(SETTING, 0.1, name="scanStep", unit="rad")
    scan_rate: float = key(SETTING, 10.0, name="scanRate", unit="Hz")
    min_distance: float = key(SETTING, 0.01, name="minDistance", unit="m")
    max_distance: float = key(SETTING, 10.0, name="maxDistance", unit="m")
    on: bool = key(SF_BOOL, True)


@element
class SpotLightDevice(Device):
    """Spot light (Choreonoid)."""

    on: bool = key(SF_BOOL, True)
    color: tuple[float, ...] = key(COLOR_SETTING, _ONES)
    intensity: float = key(SETTING, 1.0)
    attenuation: tuple[float, ...] = key(VECTOR_SETTING, (1.0, 0.0, 0.0), doc="constant, linear, quadratic")
    direction: tuple[float, ...] = key(VECTOR_SETTING, (0.0, 0.0, -1.0))
    beam_width: float = key(SETTING, 1.570796, name="beamWidth", unit="rad")
    cut_off_angle: float = key(SETTING, 0.785398, name="cutOffAngle", unit="rad")
    cut_off_exponent: float = key(SETTING, 1.0, name="cutOffExponent")


@element
class OtherDevice(Device):
    """A device of OpenHRP or of real files; its own fields are kept as written."""

    KNOWN = frozenset(("maxPressure", "transmitter", "receiver"))


@element
class HardwareComponent(Device):
    """A hardware component described in another file (OpenHRP)."""

    id: int = key(SF_INT32, -1)
    url: str = key(SF_STRING, "")


@element
class PointerSensor(Tagged):
    """A mouse sensor of real files (CylinderSensorX, Y and Z); read as a group."""

    KEEPS = True

    children: list[Tagged] = nodes()
    min_angle: float = key(SETTING, 0.0, name="minAngle", unit="rad")
    max_angle: float = key(SETTING, -1.0, name="maxAngle", unit="rad")


#: OpenHRP's own nodes by type name.
OWN: dict[str, type[Tagged]] = {
    "Humanoid": Humanoid,
    "Joint": Joint,
    "Segment": Segment,
    "Surface": Surface,
    "ExtraJoint": ExtraJoint,
    "AccelerationSensor": AccelerationSensor,
    "Gyro": Gyro,
    "GyroSensor": Gyro,
    "ForceSensor": ForceSensor,
    "VisionSensor": VisionSensor,
    "RangeSensor": RangeSensor,
    "SpotLightDevice": SpotLightDevice,
    "PressureSensor": OtherDevice,
    "PhotoInterrupter": OtherDevice,
    "TorqueSensor": OtherDevice,
    "HwSensor": OtherDevice,
    "HardwareComponent": HardwareComponent,
    "CylinderSensorX": PointerSensor,
    "CylinderSensorY": PointerSensor,
    "CylinderSensorZ": PointerSensor,
}
#: The nodes of OpenHRP and VRML97 by type name.
NODES: Mapping[str, type[Tagged]] = MappingProxyType({**VRML97, **OWN})

#: The class of the owner of an extra, by the list of the robot that has it.
OWNERS: Mapping[str, type[Document]] = {
    "": Humanoid,
    "links": Joint,
    "devices": VisionSensor,
    "loops": ExtraJoint,
}


@cache
def default_values(tag: str) -> Mapping[str, Value]:
    """The default values of the fields of one of OpenHRP's own nodes, as they are written."""
    declared = plan(OWN[tag])
    out: dict[str, Value] = {}
    for name, spec in declared.fields.items():
        default = declared.defaults.get(name)
        if spec.type is None:
            out[spec.key] = Row([], flow=True) if spec.many else Word("NULL")
        elif default is not None:
            out[spec.key] = spec.type.print(default)
    return out
