"""Declares sensors."""

from __future__ import annotations

from unibody.document.declare import TEXT, Document, children, choice, element, key
from unibody.formats.mjcf.document_bodies import PluginConfig
from unibody.formats.mjcf.document_element import (
    CAMERAS,
    FRAME_OBJECT,
    INTEGER,
    INTERPOLATION,
    NUMBER,
    NUMBERS,
    OBJECTS,
    SITES,
    Element,
    up_to,
)


@element
class SensorBase(Element):
    """Base of sensors: what all of them have."""

    cutoff: float | None = key(NUMBER)
    name: str | None = key(TEXT, refers="devices", names="sensors")
    user: tuple[float, ...] | None = key(NUMBERS)


@element
class SampledSensor(SensorBase):
    """Base of sensors whose readings have a history."""

    delay: float | None = key(NUMBER)
    interp: str | None = key(INTERPOLATION)
    interval: tuple[float, ...] | None = key(up_to(2))
    nsample: int | None = key(INTEGER)


@element
class NoisySensor(SampledSensor):
    """Base of sensors with a standard deviation of their noise."""

    noise: float | None = key(NUMBER)


@element
class SiteSensor(NoisySensor):
    """Base of sensors of a site."""

    site: str | None = key(TEXT, required=True, refers=SITES)


@element
class JointSensor(NoisySensor):
    """Base of sensors of a joint."""

    joint: str | None = key(TEXT, required=True, refers="joints")


@element
class TendonSensor(NoisySensor):
    """Base of sensors of a tendon."""

    tendon: str | None = key(TEXT, required=True, refers="tendons")


@element
class ActuatorSensor(NoisySensor):
    """Base of sensors of an actuator."""

    actuator: str | None = key(TEXT, required=True, refers="actuators")


@element
class SubtreeSensor(NoisySensor):
    """Base of sensors of a body and its descendants."""

    body: str | None = key(TEXT, required=True, refers="links")


@element
class FrameSensor(NoisySensor):
    """Base of sensors of the frame of an object."""

    objname: str | None = key(TEXT, required=True, refers_by=("objtype", OBJECTS))
    objtype: str | None = key(FRAME_OBJECT, required=True)


@element
class RelativeSensor(FrameSensor):
    """Base of sensors of a frame in another one, by default the world."""

    refname: str | None = key(TEXT, refers_by=("reftype", OBJECTS))
    reftype: str | None = key(FRAME_OBJECT)


@element
class PairSensor(NoisySensor):
    """Base of sensors of the distance of two geoms or bodies."""

    body1: str | None = key(TEXT, refers="links")
    body2: str | None = key(TEXT, refers="links")
    geom1: str | None = key(TEXT, refers="geoms")
    geom2: str | None = key(TEXT, refers="geoms")


@element
class SensorTouch(SiteSensor):
    """Sum of the normal forces of contacts within a site."""

    KEY = "touch"


@element
class SensorAccelerometer(SiteSensor):
    """Acceleration of a site in its axes, gravity included."""

    KEY = "accelerometer"


@element
class SensorVelocimeter(SiteSensor):
    """Velocity of a site in its axes."""

    KEY = "velocimeter"


@element
class SensorGyro(SiteSensor):
    """Angular velocity of a site in its axes."""

    KEY = "gyro"


@element
class SensorForce(SiteSensor):
    """Force between the body of a site and its parent."""

    KEY = "force"


@element
class SensorTorque(SiteSensor):
    """Torque between the body of a site and its parent."""

    KEY = "torque"


@element
class SensorMagnetometer(SiteSensor):
    """Magnetic flux in the axes of a site."""

    KEY = "magnetometer"


@element
class SensorCamprojection(NoisySensor):
    """Position of a site in the image of a camera."""

    KEY = "camprojection"
    camera: str | None = key(TEXT, required=True, refers=CAMERAS)
    site: str | None = key(TEXT, required=True, refers=SITES)


@element
class SensorRangefinder(NoisySensor):
    """Distance to the nearest geom along +Z of a site or −Z of a camera."""

    KEY = "rangefinder"
    camera: str | None = key(TEXT, refers=CAMERAS)
    data: str | None = key(TEXT)
    site: str | None = key(TEXT, refers=SITES)


@element
class SensorJointpos(JointSensor):
    """Joint position."""

    KEY = "jointpos"


@element
class SensorJointvel(JointSensor):
    """Joint velocity."""

    KEY = "jointvel"


@element
class SensorTendonpos(TendonSensor):
    """Tendon position."""

    KEY = "tendonpos"


@element
class SensorTendonvel(TendonSensor):
    """Tendon velocity."""

    KEY = "tendonvel"


@element
class SensorActuatorpos(ActuatorSensor):
    """Actuator position."""

    KEY = "actuatorpos"


@element
class SensorActuatorvel(ActuatorSensor):
    """Actuator velocity."""

    KEY = "actuatorvel"


@element
class SensorActuatorfrc(ActuatorSensor):
    """Actuator force."""

    KEY = "actuatorfrc"


@element
class SensorJointactuatorfrc(JointSensor):
    """Actuator force."""

    KEY = "jointactuatorfrc"


@element
class SensorTendonactuatorfrc(TendonSensor):
    """Actuator force."""

    KEY = "tendonactuatorfrc"


@element
class SensorBallquat(JointSensor):
    """Ball joint orientation."""

    KEY = "ballquat"


@element
class SensorBallangvel(JointSensor):
    """Ball joint angular velocity."""

    KEY = "ballangvel"


@element
class SensorJointlimitpos(JointSensor):
    """Limit of a joint: position."""

    KEY = "jointlimitpos"


@element
class SensorJointlimitvel(JointSensor):
    """Limit of a joint: velocity."""

    KEY = "jointlimitvel"


@element
class SensorJointlimitfrc(JointSensor):
    """Limit of a joint: force."""

    KEY = "jointlimitfrc"


@element
class SensorTendonlimitpos(TendonSensor):
    """Limit of a tendon: position."""

    KEY = "tendonlimitpos"


@element
class SensorTendonlimitvel(TendonSensor):
    """Limit of a tendon: velocity."""

    KEY = "tendonlimitvel"


@element
class SensorTendonlimitfrc(TendonSensor):
    """Limit of a tendon: force."""

    KEY = "tendonlimitfrc"


@element
class SensorFramepos(RelativeSensor):
    """Frame position."""

    KEY = "framepos"


@element
class SensorFramequat(RelativeSensor):
    """Frame orientation."""

    KEY = "framequat"


@element
class SensorFramexaxis(RelativeSensor):
    """Frame X axis."""

    KEY = "framexaxis"


@element
class SensorFrameyaxis(RelativeSensor):
    """Frame Y axis."""

    KEY = "frameyaxis"


@element
class SensorFramezaxis(RelativeSensor):
    """Frame Z axis."""

    KEY = "framezaxis"


@element
class SensorFramelinvel(RelativeSensor):
    """Frame linear velocity."""

    KEY = "framelinvel"


@element
class SensorFrameangvel(RelativeSensor):
    """Frame angular velocity."""

    KEY = "frameangvel"


@element
class SensorFramelinacc(FrameSensor):
    """Frame linear acceleration."""

    KEY = "framelinacc"


@element
class SensorFrameangacc(FrameSensor):
    """Frame angular acceleration."""

    KEY = "frameangacc"


@element
class SensorSubtreecom(SubtreeSensor):
    """Subtree center of mass."""

    KEY = "subtreecom"


@element
class SensorSubtreelinvel(SubtreeSensor):
    """Subtree linear velocity."""

    KEY = "subtreelinvel"


@element
class SensorSubtreeangmom(SubtreeSensor):
    """Subtree angular momentum."""

    KEY = "subtreeangmom"


@element
class SensorInsidesite(NoisySensor):
    """Insidesite."""

    KEY = "insidesite"
    enclosed: str | None = key(TEXT)
    objname: str | None = key(TEXT, required=True, refers_by=("objtype", OBJECTS))
    objtype: str | None = key(FRAME_OBJECT, required=True)
    site: str | None = key(TEXT, required=True, refers=SITES)


@element
class SensorDistance(PairSensor):
    """Distance."""

    KEY = "distance"


@element
class SensorNormal(PairSensor):
    """Normal."""

    KEY = "normal"


@element
class SensorFromto(PairSensor):
    """Fromto."""

    KEY = "fromto"


@element
class SensorContact(NoisySensor):
    """Data of contacts."""

    KEY = "contact"
    body1: str | None = key(TEXT, refers="links")
    body2: str | None = key(TEXT, refers="links")
    data: str | None = key(TEXT)
    geom1: str | None = key(TEXT, refers="geoms")
    geom2: str | None = key(TEXT, refers="geoms")
    num: int | None = key(INTEGER)
    reduce: str | None = key(choice("none", "mindist", "maxforce", "netforce"))
    site: str | None = key(TEXT, refers=SITES)
    subtree1: str | None = key(TEXT, refers="links")
    subtree2: str | None = key(TEXT, refers="links")


@element
class SensorEPotential(NoisySensor):
    """Potential energy."""

    KEY = "e_potential"


@element
class SensorEKinetic(NoisySensor):
    """Kinetic energy."""

    KEY = "e_kinetic"


@element
class SensorClock(NoisySensor):
    """Simulation time."""

    KEY = "clock"


@element
class SensorTactile(SampledSensor):
    """Tactile."""

    KEY = "tactile"
    geom: str | None = key(TEXT, required=True, refers="geoms")
    mesh: str | None = key(TEXT, required=True, local="mesh")


@element
class SensorUser(SensorBase):
    """A sensor computed by a callback."""

    KEY = "user"
    datatype: str = key(choice("real", "positive", "axis", "quaternion"), "real")
    dim: int | None = key(INTEGER)
    needstage: str = key(choice("none", "pos", "vel", "acc"), "acc")
    noise: float | None = key(NUMBER)
    objname: str | None = key(TEXT, refers_by=("objtype", OBJECTS))
    objtype: str | None = key(TEXT)


@element
class SensorPlugin(SensorBase):
    """A sensor that a plugin computes."""

    KEY = "plugin"
    instance: str | None = key(TEXT)
    objname: str | None = key(TEXT, refers_by=("objtype", OBJECTS))
    objtype: str | None = key(TEXT)
    plugin: str | None = key(TEXT)
    refname: str | None = key(TEXT, refers_by=("reftype", OBJECTS))
    reftype: str | None = key(TEXT)
    configs: list[PluginConfig] = children(PluginConfig, by="key")


@element
class Sensors(Element):
    """The sensors, in the order of the sensor data."""

    KEY = "sensor"
    JOINED = True
    items: list[Document] = children(
        SensorTouch,
        SensorAccelerometer,
        SensorVelocimeter,
        SensorGyro,
        SensorForce,
        SensorTorque,
        SensorMagnetometer,
        SensorCamprojection,
        SensorRangefinder,
        SensorJointpos,
        SensorJointvel,
        SensorTendonpos,
        SensorTendonvel,
        SensorActuatorpos,
        SensorActuatorvel,
        SensorActuatorfrc,
        SensorJointactuatorfrc,
        SensorTendonactuatorfrc,
        SensorBallquat,
        SensorBallangvel,
        SensorJointlimitpos,
        SensorJointlimitvel,
        SensorJointlimitfrc,
        SensorTendonlimitpos,
        SensorTendonlimitvel,
        SensorTendonlimitfrc,
        SensorFramepos,
        SensorFramequat,
        SensorFramexaxis,
        SensorFrameyaxis,
        SensorFramezaxis,
        SensorFramelinvel,
        SensorFrameangvel,
        SensorFramelinacc,
        SensorFrameangacc,
        SensorSubtreecom,
        SensorSubtreelinvel,
        SensorSubtreeangmom,
        SensorInsidesite,
        SensorDistance,
        SensorNormal,
        SensorFromto,
        SensorContact,
        SensorEPotential,
        SensorEKinetic,
        SensorClock,
        SensorTactile,
        SensorUser,
        SensorPlugin,
        by="key",
    )
