"""Declaration of SDF: Sensors and lights."""

from __future__ import annotations

from unibody.document.declare import (
    INTEGER,
    TEXT,
    Document,
    child,
    children,
    content,
    element,
    key,
)
from unibody.formats.sdf.document_shapes import (
    Empty,
    Frame,
    Plugin,
    Pose,
    Posed,
)
from unibody.formats.sdf.values import (
    ATTRIBUTE,
    COLOR,
    FLAG,
    LIMIT,
    NUMBER,
    PAIR,
    VECTOR,
    text,
)


@element
class CameraImage(Document):
    """The image of a camera."""

    width: int = text(INTEGER, 320)
    height: int = text(INTEGER, 240)
    format: str = text(TEXT, "R8G8B8")
    anti_aliasing: int = text(INTEGER, 4, since="1.7")


@element
class Clip(Document):
    """The nearest and farthest distance that a camera sees."""

    near: float = text(NUMBER, 0.1, unit="m")
    far: float = text(NUMBER, 100.0, unit="m")


@element
class Save(Document):
    """Where images are saved."""

    enabled: bool = key(FLAG, False)
    path: str | None = text(TEXT)


@element
class DepthCamera(Document):
    """What a depth camera returns."""

    output: str = text(TEXT, "depths")
    clip: Clip | None = child(Clip, since="1.6")


@element
class Rate(Document):
    """Noise of the rates of an IMU."""

    mean: float = text(NUMBER, 0.0, doc="until 1.5")
    stddev: float = text(NUMBER, 0.0, doc="until 1.5")
    bias_mean: float = text(NUMBER, 0.0, doc="until 1.5")
    bias_stddev: float = text(NUMBER, 0.0, doc="until 1.5")


@element
class Noise(Document):
    """Noise of a sensor."""

    type: str | None = key(ATTRIBUTE, doc="until 1.4 an element")
    mean: float = text(NUMBER, 0.0)
    stddev: float = text(NUMBER, 0.0)
    bias_mean: float = text(NUMBER, 0.0)
    bias_stddev: float = text(NUMBER, 0.0)
    precision: float = text(NUMBER, 0.0)
    rate: Rate | None = child(Rate, doc="until 1.5")
    accel: Rate | None = child(Rate, doc="until 1.5")
    dynamic_bias_stddev: float = text(NUMBER, 0.0, since="1.6")
    dynamic_bias_correlation_time: float = text(NUMBER, 0.0, since="1.6")


@element
class Distortion(Document):
    """Distortion of a lens."""

    k1: float = text(NUMBER, 0.0, since="1.5")
    k2: float = text(NUMBER, 0.0, since="1.5")
    k3: float = text(NUMBER, 0.0, since="1.5")
    p1: float = text(NUMBER, 0.0, since="1.5")
    p2: float = text(NUMBER, 0.0, since="1.5")
    center: tuple[float, ...] = text(PAIR, (0.5, 0.5), since="1.5")


@element
class CustomFunction(Document):
    """The mapping of a lens."""

    c1: float = text(NUMBER, 1.0, since="1.5")
    c2: float = text(NUMBER, 1.0, since="1.5")
    c3: float = text(NUMBER, 0.0, since="1.5")
    f: float = text(NUMBER, 1.0, since="1.5")
    fun: str = text(TEXT, "tan", since="1.5")


@element
class Intrinsics(Document):
    """Intrinsic parameters of a camera."""

    fx: float = text(NUMBER, 277.0, since="1.6")
    fy: float = text(NUMBER, 277.0, since="1.6")
    cx: float = text(NUMBER, 160.0, since="1.6")
    cy: float = text(NUMBER, 120.0, since="1.6")
    s: float = text(NUMBER, 0.0, since="1.6")


@element
class Projection(Document):
    """The projection matrix of a camera."""

    p_fx: float = text(NUMBER, 277.0, since="1.7")
    p_fy: float = text(NUMBER, 277.0, since="1.7")
    p_cx: float = text(NUMBER, 160.0, since="1.7")
    p_cy: float = text(NUMBER, 120.0, since="1.7")
    tx: float = text(NUMBER, 0.0, since="1.7")
    ty: float = text(NUMBER, 0.0, since="1.7")


@element
class Lens(Document):
    """A lens."""

    type: str = text(TEXT, "stereographic", since="1.5")
    scale_to_hfov: bool = text(FLAG, True, since="1.5")
    custom_function: CustomFunction | None = child(CustomFunction, since="1.5")
    cutoff_angle: float = text(NUMBER, 1.5707, since="1.5")
    env_texture_size: int = text(INTEGER, 256, since="1.5")
    intrinsics: Intrinsics | None = child(Intrinsics, since="1.6")
    projection: Projection | None = child(Projection, since="1.7")


@element
class Camera(Posed):
    """A camera, which looks along +X with Z up."""

    name: str | None = key(TEXT)
    horizontal_fov: float = text(NUMBER, 1.047, unit="rad")
    image: CameraImage | None = child(CameraImage)
    clip: Clip | None = child(Clip)
    save: Save | None = child(Save)
    depth_camera: DepthCamera | None = child(DepthCamera)
    noise: Noise | None = child(Noise)
    distortion: Distortion | None = child(Distortion, since="1.5")
    lens: Lens | None = child(Lens, since="1.5")
    camera_info_topic: str | None = text(TEXT, since="1.7")
    visibility_mask: int = text(INTEGER, 4294967295, since="1.7")
    optical_frame_id: str | None = text(TEXT, since="1.7")
    triggered: bool = text(FLAG, False, since="1.9")
    trigger_topic: str | None = text(TEXT, since="1.9")
    segmentation_type: str = text(TEXT, "semantic", since="1.9")
    box_type: str = text(TEXT, "2d", since="1.9")


@element
class ContactSensor(Document):
    """A sensor of contacts of collision shapes."""

    collision: str | None = text(TEXT)
    topic: str = text(TEXT, "__default_topic__")


@element
class AxisNoise(Document):
    """Noise along one axis."""

    noise: Noise | None = child(Noise, since="1.7")


@element
class AxesNoise(Document):
    """Noise by axis."""

    x: AxisNoise | None = child(AxisNoise, since="1.7")
    y: AxisNoise | None = child(AxisNoise, since="1.7")
    z: AxisNoise | None = child(AxisNoise, since="1.7")


@element
class ForceTorque(Document):
    """A force and torque sensor."""

    frame: str = text(TEXT, "child")
    measure_direction: str = text(TEXT, "child_to_parent", since="1.5")
    force: AxesNoise | None = child(AxesNoise, since="1.7")
    torque: AxesNoise | None = child(AxesNoise, since="1.7")


@element
class GpsNoise(Document):
    """Noise of a position or a velocity."""

    horizontal: AxisNoise | None = child(AxisNoise)
    vertical: AxisNoise | None = child(AxisNoise)


@element
class Gps(Document):
    """A satellite navigation sensor."""

    position_sensing: GpsNoise | None = child(GpsNoise)
    velocity_sensing: GpsNoise | None = child(GpsNoise)


@element
class ImuNoise(Document):
    """Noise of an inertial measurement unit or a magnetometer by axis."""

    x: AxisNoise | None = child(AxisNoise, since="1.5")
    y: AxisNoise | None = child(AxisNoise, since="1.5")
    z: AxisNoise | None = child(AxisNoise, since="1.5")


@element
class CustomRpy(Document):
    """The rotation of a reference frame."""

    parent_frame: str | None = key(TEXT, since="1.6")
    value: tuple[float, ...] = content(type=VECTOR, default=(0.0, 0.0, 0.0))


@element
class OrientationReferenceFrame(Document):
    """The frame in which an orientation is measured."""

    localization: str = text(TEXT, "CUSTOM", since="1.6")
    custom_rpy: CustomRpy | None = child(CustomRpy, since="1.6")
    grav_dir_x: CustomRpy | None = child(CustomRpy, since="1.6")


@element
class Imu(Document):
    """An inertial measurement unit."""

    topic: str = text(TEXT, "__default_topic__", doc="until 1.6")
    noise: Noise | None = child(Noise, doc="until 1.5")
    angular_velocity: ImuNoise | None = child(ImuNoise, since="1.5")
    linear_acceleration: ImuNoise | None = child(ImuNoise, since="1.5")
    orientation_reference_frame: OrientationReferenceFrame | None = child(
        OrientationReferenceFrame, since="1.6"
    )
    enable_orientation: bool = text(FLAG, True, since="1.6")


@element
class Sweep(Document):
    """A scan about one axis."""

    samples: int = text(INTEGER, 1)
    resolution: float = text(NUMBER, 1.0)
    min_angle: float = text(NUMBER, 0.0, unit="rad")
    max_angle: float = text(NUMBER, 0.0, unit="rad")


@element
class LidarScan(Document):
    """The scans of a range sensor."""

    horizontal: Sweep | None = child(Sweep)
    vertical: Sweep | None = child(Sweep)


@element
class LidarRange(Document):
    """The range of distances."""

    min: float = text(NUMBER, 0.0)
    max: float = text(LIMIT, 0.0)
    resolution: float = text(NUMBER, 0.0)


@element
class Lidar(Document):
    """A scanning range sensor."""

    scan: LidarScan | None = child(LidarScan)
    range: LidarRange | None = child(LidarRange)
    noise: Noise | None = child(Noise)
    visibility_mask: int = text(INTEGER, 4294967295, since="1.9")


@element
class Sonar(Document):
    """A sonar."""

    min: float = text(NUMBER, 0.0)
    max: float = text(NUMBER, 1.0)
    radius: float = text(NUMBER, 0.5, unit="m")
    geometry: str = text(TEXT, "cone", since="1.6")


@element
class Transceiver(Document):
    """A wireless transceiver."""

    essid: str = text(TEXT, "wireless")
    frequency: float = text(NUMBER, 2442.0)
    min_frequency: float = text(NUMBER, 2412.0)
    max_frequency: float = text(NUMBER, 2484.0)
    gain: float = text(NUMBER, 2.5)
    power: float = text(NUMBER, 14.5)
    sensitivity: float = text(NUMBER, -90.0)


@element
class Altimeter(Document):
    """An altimeter."""

    vertical_position: AxisNoise | None = child(AxisNoise, since="1.5")
    vertical_velocity: AxisNoise | None = child(AxisNoise, since="1.5")


@element
class LogicalCamera(Document):
    """A camera that sees names of models."""

    near: float = text(NUMBER, 0.0, unit="m", since="1.5")
    far: float = text(NUMBER, 1.0, unit="m", since="1.5")
    aspect_ratio: float = text(NUMBER, 1.0, since="1.5")
    horizontal_fov: float = text(NUMBER, 1.0, unit="rad", since="1.5")


@element
class Magnetometer(ImuNoise):
    """A magnetometer."""


@element
class AirPressure(Document):
    """An air pressure sensor."""

    reference_altitude: float = text(NUMBER, 0.0, since="1.6")
    pressure: AxisNoise | None = child(AxisNoise, since="1.6")


@element
class AirSpeed(Document):
    """An air speed sensor."""

    pressure: AxisNoise | None = child(AxisNoise, since="1.10")


@element
class Sensor(Document):
    """A sensor."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    type: str | None = key(TEXT)
    always_on: bool = text(FLAG, False)
    update_rate: float = text(NUMBER, 0.0, unit="Hz")
    visualize: bool = text(FLAG, False)
    pose: Pose | None = child(Pose)
    topic: str | None = text(TEXT)
    plugins: list[Plugin] = children(Plugin, name="plugin")
    cameras: list[Camera] = children(Camera, name="camera", doc="several: of a multicamera")
    contact: ContactSensor | None = child(ContactSensor)
    force_torque: ForceTorque | None = child(ForceTorque)
    gps: Gps | None = child(Gps)
    imu: Imu | None = child(Imu)
    ray: Lidar | None = child(Lidar)
    rfidtag: Empty | None = child(Empty)
    rfid: Empty | None = child(Empty)
    sonar: Sonar | None = child(Sonar)
    transceiver: Transceiver | None = child(Transceiver)
    frames: list[Frame] = children(Frame, name="frame", since="1.5", doc="until 1.6")
    altimeter: Altimeter | None = child(Altimeter, since="1.5")
    logical_camera: LogicalCamera | None = child(LogicalCamera, since="1.5")
    magnetometer: Magnetometer | None = child(Magnetometer, since="1.5")
    air_pressure: AirPressure | None = child(AirPressure, since="1.6")
    lidar: Lidar | None = child(Lidar, since="1.6")
    enable_metrics: bool = text(FLAG, False, since="1.7")
    navsat: Gps | None = child(Gps, since="1.7")
    air_speed: AirSpeed | None = child(AirSpeed, since="1.10")
    frame_id: str | None = text(TEXT, since="1.12")


@element
class Attenuation(Document):
    """How a light weakens with the distance."""

    range: float = text(NUMBER, 10.0, since="1.6")
    linear: float = text(NUMBER, 1.0, since="1.6")
    constant: float = text(NUMBER, 1.0, since="1.6")
    quadratic: float = text(NUMBER, 0.0, since="1.6")


@element
class Spot(Document):
    """The cone of a spot light."""

    inner_angle: float = text(NUMBER, 0.0, unit="rad", since="1.6")
    outer_angle: float = text(NUMBER, 0.0, unit="rad", since="1.6")
    falloff: float = text(NUMBER, 0.0, since="1.6")


@element
class Light(Document):
    """A light: point, spot or directional."""

    KEEPS = True
    name: str | None = key(TEXT, required=True)
    type: str = key(TEXT, "point")
    cast_shadows: bool = text(FLAG, False, since="1.6")
    frames: list[Frame] = children(Frame, name="frame", since="1.6", doc="until 1.6")
    pose: Pose | None = child(Pose, since="1.6")
    diffuse: tuple[float, ...] = text(COLOR, (1.0, 1.0, 1.0, 1.0), since="1.6")
    specular: tuple[float, ...] = text(COLOR, (0.1, 0.1, 0.1, 1.0), since="1.6")
    attenuation: Attenuation | None = child(Attenuation, since="1.6")
    direction: tuple[float, ...] = text(VECTOR, (0.0, 0.0, -1.0), since="1.6")
    spot: Spot | None = child(Spot, since="1.6")
    light_on: bool = text(FLAG, True, since="1.8")
    visualize: bool = text(FLAG, True, since="1.8")
    intensity: float = text(NUMBER, 1.0, since="1.8")
