"""OpenHRP's nodes, declared: those of the reference, and those of the loaders and of real files.

Fields, defaults and units are those of the reference's PROTO blocks, word for word; fields that
only a loader or real files know follow behind. Section numbers name the facts page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from unibody.document.declare import Tagged, element, key, node, nodes, plan
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
_ZERO = (0.0, 0.0, 0.0)
_ONES = (1.0, 1.0, 1.0)
_NO_TURN = (0.0, 0.0, 1.0, 0.0)
_NO_LIMIT = (-1.0, -1.0, -1.0)


@element
class File(World):
    """An OpenHRP model file: one Humanoid, its ExtraJoints, and what is seen beside them."""

    TAG = ""


@element
class Placed(Tagged):
    """Where a node is in its parent, as VRML's Transform says it."""

    KEEPS = True

    translation: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m")
    rotation: tuple[float, ...] = key(SF_ROTATION, _NO_TURN, unit="rad", doc="axis and angle")
    center: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m", doc="the point that the joint turns about")
    scale: tuple[float, ...] = key(SF_VEC3F, _ONES, doc="not applied, as in the loaders")
    scale_orientation: tuple[float, ...] = key(
        SF_ROTATION, _NO_TURN, name="scaleOrientation", unit="rad", doc="not applied"
    )


@element
class Humanoid(Placed):
    """The robot: exactly one in a file."""

    name: str = key(SF_STRING, "", doc="the model's name; the DEF name counts before it")
    version: str = key(SF_STRING, "1.1", doc="the model's version")
    info: tuple[str, ...] = key(MF_STRING, (), doc="comments on the model")
    humanoid_body: list[Tagged] = nodes(
        name="humanoidBody", doc="the root Joint; any number of Joints and one Segment"
    )
    joints: list[Tagged] = nodes(doc="all Joints of the model, by USE")
    segments: list[Tagged] = nodes(doc="all Segments of the model, by USE")
    sites: list[Tagged] = nodes(doc="not used in OpenHRP")
    link_connections: list[Tagged] = nodes(name="linkConnections", doc="in old files")
    viewpoints: list[Tagged] = nodes()
    bbox_center: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="bboxCenter", unit="m", doc="not used in OpenHRP"
    )
    bbox_size: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="bboxSize", unit="m", doc="not used in OpenHRP"
    )


@element
class Joint(Placed):
    """A link and the joint that moves it; its frame is the link's frame."""

    name: str = key(SF_STRING, "", doc="the joint's name; the DEF name counts before it")
    joint_type: str = key(JOINT_TYPE, "", name="jointType", doc="free for a root that is not fixed")
    joint_id: int = key(SF_INT32, -1, doc="from 0 on, without gaps; -1 none", name="jointId")
    joint_axis: Any = key(AXIS, (0.0, 0.0, 1.0), name="jointAxis", doc="in the joint's own frame")
    llimit: tuple[float, ...] = key(FEW_FLOATS, (), unit="rad, m", doc="lowest position; none when empty")
    ulimit: tuple[float, ...] = key(FEW_FLOATS, (), unit="rad, m", doc="highest position")
    lvlimit: tuple[float, ...] = key(FEW_FLOATS, (), unit="rad/s, m/s", doc="lowest velocity")
    uvlimit: tuple[float, ...] = key(FEW_FLOATS, (), unit="rad/s, m/s", doc="highest velocity")
    climit: tuple[float, ...] = key(
        FEW_FLOATS, (), unit="A", doc="largest current of the motor (Choreonoid)"
    )
    gear_ratio: float = key(SF_FLOAT, 1.0, name="gearRatio", doc="100 when the reduction is 1/100")
    gear_efficiency: float = key(SF_FLOAT, 1.0, name="gearEfficiency", doc="0.6 for 60 %")
    rotor_inertia: float = key(SF_FLOAT, 0.0, name="rotorInertia", unit="kg·m²")
    rotor_resistor: float = key(SF_FLOAT, 0.0, name="rotorResistor", unit="Ω")
    torque_const: float = key(SF_FLOAT, 1.0, name="torqueConst", unit="N·m/A")
    encoder_pulse: float = key(SF_FLOAT, 1.0, name="encoderPulse")
    equivalent_inertia: float = key(
        SF_FLOAT, 0.0, name="equivalentInertia", unit="kg·m²", doc="old: gearRatio² · rotorInertia"
    )
    children: list[Tagged] = nodes(doc="Joints, Segments, sensors")
    limit_orientation: tuple[float, ...] = key(
        SF_ROTATION, _NO_TURN, name="limitOrientation", unit="rad", doc="not used in OpenHRP"
    )
    stiffness: tuple[float, ...] = key(FEW_FLOATS, _ZERO, doc="not used in OpenHRP")
    dh: tuple[float, ...] = key(FEW_FLOATS, (0.0, 0.0, 0.0, 0.0), doc="Denavit-Hartenberg; not used")
    joint_value: float = key(SF_FLOAT, 0.0, name="jointValue", doc="not used")


@element
class Segment(Tagged):
    """Mass and shape of a link, or of a part of it."""

    KEEPS = True

    name: str = key(SF_STRING, "")
    mass: float = key(SF_FLOAT, 0.0, unit="kg")
    center_of_mass: tuple[float, ...] = key(SF_VEC3F, _ZERO, name="centerOfMass", unit="m")
    moments_of_inertia: tuple[float, ...] = key(
        MOMENTS,
        (0.0,) * 9,
        unit="kg·m²",
        doc="about the centre of mass, row by row",
        name="momentsOfInertia",
    )
    children: list[Tagged] = nodes(doc="shapes")
    bbox_center: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="bboxCenter", unit="m", doc="not used in OpenHRP"
    )
    bbox_size: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="bboxSize", unit="m", doc="not used in OpenHRP"
    )
    coord: Tagged | None = node(doc="not used in OpenHRP")
    displacers: list[Tagged] = nodes(doc="not used in OpenHRP")


@element
class Surface(Tagged):
    """Shapes of a Segment by their use (Choreonoid)."""

    visual: list[Tagged] = nodes(doc="shapes that are only seen")
    collision: list[Tagged] = nodes(doc="shapes that are only collided with")


@element
class ExtraJoint(Tagged):
    """A constraint that closes a chain."""

    KEEPS = True

    link1_name: str = key(SF_STRING, "", name="link1Name", doc="a Joint's DEF name")
    link2_name: str = key(SF_STRING, "", name="link2Name", doc="a Joint's DEF name")
    link1_local_pos: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="link1LocalPos", unit="m", doc="in the first link"
    )
    link2_local_pos: tuple[float, ...] = key(
        SF_VEC3F, _ZERO, name="link2LocalPos", unit="m", doc="in the second link"
    )
    joint_type: str = key(
        one_of(*LOOP_TYPES),
        "xyz",
        doc="what is held: three axes, two across jointAxis, or one along it; ball, piston in Choreonoid",
        name="jointType",
    )
    joint_axis: tuple[float, ...] = key(
        SF_VEC3F, (1.0, 0.0, 0.0), name="jointAxis", doc="in the first link"
    )


# --- devices (B.7) ----------------------------------------------------------------------


@element
class Device(Tagged):
    """Fields of every device; its frame looks along -Z with Y up."""

    KEEPS = True

    translation: tuple[float, ...] = key(SF_VEC3F, _ZERO, unit="m")
    rotation: tuple[float, ...] = key(SF_ROTATION, _NO_TURN, unit="rad", doc="axis and angle")
    sensor_id: int = key(SF_INT32, -1, doc="from 0 on for each kind, without gaps", name="sensorId")
    device_id: int | None = key(SF_INT32, name="deviceId", doc="counts before sensorId (Choreonoid)")
    children: list[Tagged] = nodes(doc="shapes of the device")


@element
class AccelerationSensor(Device):
    """Acceleration sensor of three axes."""

    max_acceleration: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="maxAcceleration", unit="m/s²", doc="largest readings; -1: no limit"
    )


@element
class Gyro(Device):
    """Angular velocity sensor of three axes; the word GyroSensor is read, too."""

    max_angular_velocity: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="maxAngularVelocity", unit="rad/s", doc="largest readings; -1: no limit"
    )


@element
class ForceSensor(Device):
    """Force and torque sensor."""

    max_force: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="maxForce", unit="N", doc="largest readings; -1: no limit"
    )
    max_torque: tuple[float, ...] = key(
        SF_VEC3F, _NO_LIMIT, name="maxTorque", unit="N·m", doc="largest readings; -1: no limit"
    )


@element
class VisionSensor(Device):
    """Camera or range camera."""

    name: str = key(SF_STRING, "", doc="the sensor's name; the DEF name counts before it")
    type: str = key(one_of(*IMAGES), "NONE", doc="what it measures")
    field_of_view: float = key(SF_FLOAT, 0.785398, name="fieldOfView", unit="rad")
    front_clip_distance: float = key(SF_FLOAT, 0.01, name="frontClipDistance", unit="m")
    back_clip_distance: float = key(SF_FLOAT, 10.0, name="backClipDistance", unit="m")
    width: int = key(SF_INT32, 320)
    height: int = key(SF_INT32, 240)
    frame_rate: float = key(SF_FLOAT, 30.0, name="frameRate", unit="Hz")
    on: bool = key(SF_BOOL, True)


@element
class RangeSensor(Device):
    """Scanning distance sensor; it scans in its XZ plane, about -Z."""

    scan_angle: float = key(
        SF_FLOAT, 3.14159, name="scanAngle", unit="rad", doc="the whole angle; 0 when it does not scan"
    )
    scan_step: float = key(SF_FLOAT, 0.1, name="scanStep", unit="rad")
    scan_rate: float = key(SF_FLOAT, 10.0, name="scanRate", unit="Hz")
    min_distance: float = key(SF_FLOAT, 0.01, name="minDistance", unit="m")
    max_distance: float = key(SF_FLOAT, 10.0, name="maxDistance", unit="m")
    on: bool = key(SF_BOOL, True)


@element
class SpotLightDevice(Device):
    """Light in a cone (Choreonoid)."""

    on: bool = key(SF_BOOL, True)
    color: tuple[float, ...] = key(SF_COLOR, _ONES)
    intensity: float = key(SF_FLOAT, 1.0)
    attenuation: tuple[float, ...] = key(SF_VEC3F, (1.0, 0.0, 0.0), doc="constant, linear, quadratic")
    direction: tuple[float, ...] = key(SF_VEC3F, (0.0, 0.0, -1.0))
    beam_width: float = key(SF_FLOAT, 1.570796, name="beamWidth", unit="rad")
    cut_off_angle: float = key(SF_FLOAT, 0.785398, name="cutOffAngle", unit="rad")
    cut_off_exponent: float = key(SF_FLOAT, 1.0, name="cutOffExponent")


@element
class OtherDevice(Device):
    """Devices of OpenHRP and of real files whose own fields are kept as they are written."""

    KNOWN = frozenset(("maxPressure", "transmitter", "receiver"))


@element
class HardwareComponent(Device):
    """A part that other files describe (OpenHRP)."""

    id: int = key(SF_INT32, -1)
    url: str = key(SF_STRING, "")


@element
class PointerSensor(Tagged):
    """Turns what is in it with the mouse; here a group (CylinderSensorX, Y and Z of real files)."""

    KEEPS = True

    children: list[Tagged] = nodes()
    min_angle: float = key(SF_FLOAT, 0.0, name="minAngle", unit="rad")
    max_angle: float = key(SF_FLOAT, -1.0, name="maxAngle", unit="rad")


#: OpenHRP's own nodes by the word that stands in the file.
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
#: The same with those of VRML97.
NODES: Mapping[str, type[Tagged]] = MappingProxyType({**VRML97, **OWN})


@cache
def usual(tag: str) -> Mapping[str, Value]:
    """What the fields of one of OpenHRP's own nodes hold when they are not written, as they would be."""
    declared = plan(OWN[tag])
    out: dict[str, Value] = {}
    for name, spec in declared.fields.items():
        default = declared.defaults.get(name)
        if spec.type is None:
            out[spec.key] = Row([], flow=True) if spec.many else Word("NULL")
        elif default is not None:
            out[spec.key] = spec.type.print(default)
    return out
