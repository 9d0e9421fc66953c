"""Reads sites as frames, and cameras, lights, sensors and scans of rangefinders as devices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_sensors
from unibody.formats.mjcf.conventions import between
from unibody.formats.mjcf.document_sensors import SensorContact
from unibody.formats.mjcf.geoms import Geoms
from unibody.formats.mjcf.leftovers import touch
from unibody.formats.mjcf.links import Assembly
from unibody.formats.mjcf.tree import BodyRecord, Placed
from unibody.formats.tidy import tidy
from unibody.model import device as m
from unibody.model.arrays import Floats
from unibody.model.device import Device, RangeSensor
from unibody.model.pose import Pose, Quaternion, multiply, unit
from unibody.model.robot import Frame
from unibody.model.scan import ray_angles, ray_count
from unibody.model.shape import Vector2
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word, with_items

#: Sensors on a site that the model has no type for.
ON_SITE = frozenset(("touch", "velocimeter", "force", "torque", "magnetometer"))
#: Two sensors on one site that are one device.
PAIRS = (("accelerometer", "gyro"), ("force", "torque"))
#: A range sensor of the model looks along −Z, a rangefinder along +Z of its site.
BACK = Pose((0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))


def frames(parts: Assembly, context: Context) -> list[Frame]:
    """The sites of the links."""
    out = []
    # What is wrong with the looks of a site is no finding: they are not converted.
    looks = Geoms(replace(context, findings=Findings()))
    for i in parts.kept:
        for placed in parts.bodies[i].sites:
            doc = placed.doc
            assert isinstance(doc, b.Site)
            pose = placed.frame @ site_pose(doc, placed)
            out.append(
                Frame(
                    name=doc.name or "",
                    link=parts.names[i],
                    pose=parts.in_link(i, pose),
                    shape=looks.site(placed),
                    at=doc.at(),
                )
            )
    return out


def site_pose(doc: b.Site, placed: Placed) -> Pose:
    """The pose of a site; ``fromto`` is as that of a geom."""
    if doc.fromto is None:
        return placed.scope.poses.of(doc)
    return between(doc.fromto) or Pose()


def named_sites(bodies: Sequence[BodyRecord]) -> dict[str, tuple[int, Pose]]:
    """The index of the body of each site that has a name, and the pose of the site in it."""
    out: dict[str, tuple[int, Pose]] = {}
    for i, body in enumerate(bodies):
        for placed in body.sites:
            if isinstance(placed.doc, b.Site) and placed.doc.name:
                out[placed.doc.name] = (i, placed.frame @ site_pose(placed.doc, placed))
    return out


def cameras(parts: Assembly, context: Context) -> list[m.Device]:
    """The cameras that are fixed to a link; others are kept as extras."""
    out = []
    for i in parts.kept:
        for placed in parts.bodies[i].cameras:
            doc = placed.doc
            assert isinstance(doc, b.Camera)
            if not is_device(doc):
                _moving("camera", doc.name, doc.mode, doc, context)
                continue
            pose = placed.frame @ placed.scope.poses.of(doc)
            out.append(
                m.Device(
                    name=doc.name or "",
                    link=parts.names[i],
                    pose=parts.in_link(i, pose),
                    spec=camera_spec(doc),
                    at=doc.at(),
                )
            )
    return out


def is_device(doc: b.Camera | b.Light) -> bool:
    """Whether a camera or light is a device of the model: fixed to its body, and no light of an image."""
    return doc.mode == "fixed" and not (isinstance(doc, b.Light) and light_kind(doc) == "image")


def model_names(parts: Assembly, sites: Sequence[Frame], devices: Sequence[m.Device]) -> dict[int, str]:
    """The names of the frames and devices of sites, cameras and lights, by the identity of the element.

    ``devices`` begin with those of all cameras and all lights, in their order.
    """
    bodies = [parts.bodies[i] for i in parts.kept]
    docs = [placed.doc for body in bodies for placed in body.sites]
    for each in ([body.cameras for body in bodies], [body.lights for body in bodies]):
        for placed in (placed for own in each for placed in own):
            assert isinstance(placed.doc, b.Camera | b.Light)
            if is_device(placed.doc):
                docs.append(placed.doc)
    names = [*(frame.name for frame in sites), *(device.name for device in devices)]
    return {id(doc): name for doc, name in zip(docs, names, strict=False)}


def _moving(what: str, name: str | None, mode: str, doc: Document, context: Context) -> None:
    context.findings.info(
        "device-kept",
        f"{what} '{name or ''}' of mode '{mode}' is not fixed to its body; kept as an extra",
        doc.at("mode"),
    )


def camera_spec(doc: b.Camera) -> m.Camera:
    """The camera that an element describes, with the field of view across the shorter side."""
    width, height = (int(v) for v in doc.resolution)
    out = m.Camera() if width <= 1 or height <= 1 else m.Camera(width=width, height=height)
    shorter = min(1.0, out.width / out.height)
    vertical = field_of_view(doc)
    if doc.projection == "orthographic":
        # MuJoCo does not shift it by the principal point of a sensor
        return replace(out, orthographic_span=tidy(shorter * math.degrees(vertical)))
    view = vertical if shorter == 1.0 else 2.0 * math.atan(math.tan(vertical / 2.0) * shorter)
    ratio, offset = _of_image_sensor(doc, out)
    return replace(out, field_of_view=view, focal_ratio=ratio, principal_offset=offset)


def _of_image_sensor(doc: b.Camera, camera: m.Camera) -> tuple[float, Vector2]:
    """The ratio of the focal lengths of a sensor, and where its axis is, in pixels of a camera."""
    if doc.sensorsize is None or not min(doc.sensorsize) > 0.0:
        return 1.0, (0.0, 0.0)
    across, up = _in_meters(doc, doc.focal, doc.focalpixel)
    right, above = _in_meters(doc, doc.principal, doc.principalpixel)
    x, y = camera.width / doc.sensorsize[0], camera.height / doc.sensorsize[1]
    # a sensor without focal lengths sees nothing in MuJoCo
    ratio = across * x / (up * y) if across > 0.0 and up * y > 0.0 else 1.0
    offset = (tidy(-right * x), tidy(-above * y))
    if not all(map(math.isfinite, (ratio, *offset))) or ratio == 0.0:
        return 1.0, (0.0, 0.0)
    return tidy(ratio), offset


def field_of_view(doc: b.Camera) -> float:
    """The vertical field of view in rad, which a sensor and a focal length may give."""
    height = doc.sensorsize[1] if doc.sensorsize is not None else 0.0
    if height <= 0.0:
        return math.radians(doc.fovy)
    _, focal = _in_meters(doc, doc.focal, doc.focalpixel)
    if focal <= 0.0:
        return math.radians(doc.fovy)
    # the principal point does not matter, as in MuJoCo
    return 2.0 * math.atan(height / (2.0 * focal))


def _in_meters(
    doc: b.Camera, lengths: tuple[float, ...] | None, pixels: tuple[float, ...] | None
) -> tuple[float, ...]:
    """Two lengths of a sensor, which it may give in pixels."""
    if pixels is not None and doc.sensorsize is not None:
        sizes = zip(pixels, doc.sensorsize, doc.resolution, strict=True)
        return tuple(value * size / count if count else 0.0 for value, size, count in sizes)
    return lengths or (0.0, 0.0)


def lights(parts: Assembly, context: Context) -> list[m.Device]:
    """The lights that are fixed to a link; others are kept as extras."""
    out = []
    for i in parts.kept:
        for placed in parts.bodies[i].lights:
            doc = placed.doc
            assert isinstance(doc, b.Light)
            kind = light_kind(doc)
            if not is_device(doc):
                _moving("light", doc.name, doc.mode if doc.mode != "fixed" else kind, doc, context)
                continue
            pose = placed.frame @ Pose((doc.pos[0], doc.pos[1], doc.pos[2]))
            out.append(
                m.Device(
                    name=doc.name or "",
                    link=parts.names[i],
                    pose=parts.in_link(i, pose),
                    spec=_light(doc, kind),
                    on=doc.active,
                    at=doc.at(),
                )
            )
    return out


def light_kind(doc: b.Light) -> str:
    """The type of a light."""
    return "directional" if doc.directional else doc.type or "spot"


def _light(doc: b.Light, kind: str) -> m.Spec:
    color = (doc.diffuse[0], doc.diffuse[1], doc.diffuse[2])
    direction = unit((doc.dir[0], doc.dir[1], doc.dir[2])) or (0.0, 0.0, -1.0)
    fading = (doc.attenuation[0], doc.attenuation[1], doc.attenuation[2])
    if kind == "directional":
        return m.DirectionalLight(color=color, direction=direction)
    if kind == "point":
        return m.PointLight(color=color, attenuation=fading)
    return m.SpotLight(
        color=color,
        attenuation=fading,
        direction=direction,
        cut_off_angle=math.radians(doc.cutoff),
        cut_off_exponent=doc.exponent,
    )


def sensors(
    docs: Sequence[d.Mujoco], parts: Assembly, sites: Sequence[Frame], scans: Mapping[int, m.RangeSensor]
) -> list[m.Device]:
    """The sensors on sites and the contact switches of links; others are kept as extras.

    An accelerometer and a gyro on one site are an IMU, force and torque there one sensor. ``scans`` are
    range sensors with several rays, by the id of the sensor that stands for them.
    """
    where = {frame.name: frame for frame in sites if frame.name}
    links = {parts.names[i] for i in parts.kept}
    found = [
        item
        for doc in docs
        for section in doc.items
        if isinstance(section, d.Sensors)
        for item in section.items
    ]
    on_site: dict[tuple[str, str], Document] = {}
    for item in found:
        site = getattr(item, "site", None)
        if site:
            on_site.setdefault((getattr(item, "KEY", ""), site), item)
    out = []
    paired: set[int] = set()
    for item in found:
        if isinstance(item, SensorContact) and (link := switched_body(item)) in links:
            touch(item)
            out.append(m.Device(name=item.name or "", link=link, spec=m.ContactSwitch(), at=item.at()))
            continue
        key, site = getattr(item, "KEY", ""), getattr(item, "site", None)
        frame = where.get(site or "")
        if frame is None or id(item) in paired:
            continue
        pair = next((p for p in PAIRS if key in p and all((k, site) in on_site for k in p)), None)
        whole = pair is not None and id(on_site[(key, site)]) == id(item)  # type: ignore[index]
        if whole and pair is not None:
            paired |= {id(on_site[(k, site)]) for k in pair}  # type: ignore[index]
        spec = scans.get(id(item)) or _sensor(key, item, pair if whole else None)
        if spec is None:
            continue
        pose = frame.pose @ BACK if isinstance(spec, m.RangeSensor) else frame.pose
        name = getattr(item, "name", None) or ""
        touch(item)
        out.append(m.Device(name=name, link=frame.link, pose=pose, spec=spec, at=item.at()))
    return out


def switched_body(item: SensorContact) -> str:
    """The body all of whose contacts a sensor counts, as a contact switch does; "" for another sensor."""
    others = (item.body2, item.geom1, item.geom2, item.subtree1, item.subtree2, item.site)
    counts = (item.data or "found").split() == ["found"] and item.num in (None, 1)
    return item.body1 or "" if counts and not any(others) else ""


def _sensor(key: str, item: Document, pair: tuple[str, str] | None) -> m.Spec | None:
    if pair is not None:
        return m.Imu() if "gyro" in pair else m.ForceTorque()
    if key == "accelerometer":
        return m.Accelerometer()
    if key == "gyro":
        return m.Gyro()
    if key == "rangefinder":
        most = getattr(item, "cutoff", None) or math.inf
        noise = getattr(item, "noise", None) or 0.0
        return m.RangeSensor(min_distance=0.0, max_distance=most, error_deviation=noise)
    if key in ON_SITE:
        return m.Opaque(kind=key, data=Node(key))
    return None


# --- scans ------------------------------------------------------------------------------
#
# A tuple of the custom data names the site of a scanning range sensor, which looks along +Z, and then a
# rangefinder for each ray: ``lidar_0``, ``lidar_1``, … on sites with the same names. Rays that are not a
# grid of angles stay sensors of their own.

#: Most rays that are written: a lidar of 16 lines with 1000 rays each has fewer.
MOST_RAYS = 1 << 14

# Rounding of the directions in a file.
_NEAR = 1e-9
_SENSOR_KEYS = frozenset(("name", "site", "cutoff", "noise"))
_SITE_KEYS = frozenset(("name", "pos", "quat"))


def is_scan(device: Device) -> bool:
    """Whether a device is written as several rays, or as one that is not along its axis."""
    spec = device.spec
    if not isinstance(spec, RangeSensor):
        return False
    count = ray_count(spec)
    return count <= MOST_RAYS and (count > 1 or spec.min_yaw != 0.0 or spec.min_pitch != 0.0)


def ray_turns(spec: RangeSensor) -> list[Quaternion]:
    """The rotation of the site of each ray in the site of its sensor."""
    yaws, pitches = ray_angles(spec)
    return [
        multiply(
            (math.cos(yaw / 2.0), 0.0, -math.sin(yaw / 2.0), 0.0),
            (math.cos(pitch / 2.0), math.sin(pitch / 2.0), 0.0, 0.0),
        )
        for yaw, pitch in zip(yaws.tolist(), pitches.tolist(), strict=True)
    ]


def ray_names(stem: str, count: int) -> tuple[str, ...]:
    """The names of the sites and of the rangefinders of a scan.

    >>> ray_names("lidar", 11)[:2]
    ('lidar_00', 'lidar_01')
    """
    digits = len(str(count - 1))
    return tuple(f"{stem}_{k:0{digits}d}" for k in range(count))


def take_scans(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord]) -> dict[int, RangeSensor]:
    """Replace the rays of each scan by one sensor; returns what these sensors are, by the id of each.

    The sites of the rays and the tuple are removed.
    """
    tuples = [
        (section, item)
        for doc in docs
        for section in doc.items
        if isinstance(section, d.Custom)
        for item in section.items
        if isinstance(item, d.Tuple) and len(item.elements) > 1
    ]
    if not tuples:
        return {}
    found = _Found(docs, records)
    out: dict[int, RangeSensor] = {}
    gone: set[int] = set()
    for section, item in tuples:
        rays = found.rays(item)
        spec = None if rays is None else rays.spec()
        if rays is None or spec is None:
            continue
        first = rays.sensors[0]
        out[id(first)] = spec
        gone.update(map(id, (*rays.sensors[1:], *rays.sites)))
        for doc in (item, *rays.sensors, *rays.sites):
            touch(doc)
        section.items = [x for x in section.items if x is not item]
        if section.node is not None:
            items = (x for x in section.node.items if x[1] is not item.node)
            section.node = with_items(section.node, items)
        first.name, first.site = item.name, rays.frame.name
        found.replace(rays.sensors)
    if out:
        found.remove(docs, records, gone)
    return out


@dataclass(slots=True)
class _Rays:
    """The sensors and sites of a tuple, each site with its pose in the body, and the site of the whole."""

    frame: b.Site
    pose: Pose
    sensors: list[document_sensors.SensorRangefinder]
    sites: list[b.Site]
    poses: list[Pose]

    def spec(self) -> RangeSensor | None:
        """The range sensor that has these rays, None if there is none."""
        first = self.sensors[0]
        if any((each.cutoff, each.noise) != (first.cutoff, first.noise) for each in self.sensors):
            return None
        grid = self._grid()
        if grid is None:
            return None
        (min_yaw, max_yaw, yaw_step), (min_pitch, max_pitch, pitch_step) = grid
        return RangeSensor(
            min_yaw=min_yaw,
            max_yaw=max_yaw,
            yaw_step=yaw_step,
            min_pitch=min_pitch,
            max_pitch=max_pitch,
            pitch_step=pitch_step,
            min_distance=0.0,
            max_distance=first.cutoff or math.inf,
            error_deviation=first.noise or 0.0,
        )

    def _grid(self) -> tuple[tuple[float, float, float], tuple[float, float, float]] | None:
        back = self.pose.inverse()
        at = [back @ pose for pose in self.poses]
        turns = np.array([pose.rotation() for pose in at])
        if (
            np.abs(np.array([pose.xyz for pose in at])).max() > _NEAR
            or np.abs(turns[:, 1, 0]).max() > _NEAR
        ):
            return None
        yaw = np.arctan2(turns[:, 2, 0], turns[:, 0, 0])
        pitch = np.arctan2(-turns[:, 1, 2], turns[:, 1, 1])
        inner = int(np.argmax(np.abs(pitch - pitch[0]) > _NEAR)) or len(pitch)
        if len(pitch) % inner:
            return None
        yaws, pitches = yaw.reshape(-1, inner), pitch.reshape(-1, inner)
        unlike = np.abs(np.exp(1j * yaws) - np.exp(1j * yaws[0])).max() > _NEAR
        if unlike or np.abs(pitches - pitches[:, :1]).max() > _NEAR:
            return None
        default = RangeSensor()
        one, other = _steps(yaws[0], default.yaw_step), _steps(pitches[:, 0], default.pitch_step)
        return None if one is None or other is None else (one, other)


def _steps(angles: Floats, single: float) -> tuple[float, float, float] | None:
    """First, last and step of angles that are evenly spaced; ``single`` is the step of one angle."""
    if angles[0] > math.pi - _NEAR:
        angles = np.concatenate([[angles[0] - 2.0 * math.pi], angles[1:]])
    angles = np.unwrap(angles)
    first, last, count = float(angles[0]), float(angles[-1]), len(angles)
    step = (last - first) / (count - 1) if count > 1 else single
    even = np.abs(angles - (first + step * np.arange(count))).max() <= _NEAR
    return (tidy(first), tidy(last), tidy(step)) if even and step >= 0.0 else None


class _Found:
    """The sites and rangefinders of a model by their names."""

    def __init__(self, docs: Sequence[d.Mujoco], records: Sequence[BodyRecord]) -> None:
        self.sites: dict[str, tuple[BodyRecord, Placed, b.Site]] = {}
        for record in records:
            for placed in record.sites:
                if isinstance(placed.doc, b.Site) and placed.doc.name:
                    self.sites[placed.doc.name] = record, placed, placed.doc
        self.sensors = {
            item.name: item
            for doc in docs
            for section in doc.items
            if isinstance(section, d.Sensors)
            for item in section.items
            if isinstance(item, document_sensors.SensorRangefinder) and item.name
        }
        self.kept: dict[int, Node | None] = {}

    def rays(self, item: d.Tuple) -> _Rays | None:
        """The rays that a tuple names as the writer does, None if it is another tuple."""
        head, *rest = item.elements
        at = self.sites.get(head.objname or "") if head.objtype == "site" else None
        names = [element.objname or "" for element in rest]
        stem = names[0].rpartition("_")[0]
        if at is None or tuple(names) != ray_names(stem, len(names)):
            return None
        if any(element.objtype != "sensor" for element in rest):
            return None
        record, placed, frame = at
        out = _Rays(frame, _pose(placed, frame), [], [], [])
        for name in names:
            sensor, site = self.sensors.get(name), self.sites.get(name)
            if sensor is None or site is None or site[0] is not record or sensor.site != name:
                return None
            if not (_is_plain(sensor.node, _SENSOR_KEYS) and _is_plain(site[2].node, _SITE_KEYS)):
                return None
            out.sensors.append(sensor)
            out.sites.append(site[2])
            out.poses.append(_pose(site[1], site[2]))
        return out

    def replace(self, rays: Sequence[document_sensors.SensorRangefinder]) -> None:
        """Note what is kept of the rays as written: the first, with its new name and site."""
        first, node = rays[0], rays[0].node
        assert node is not None
        items: list[Item] = [("name", Word(first.name or ""), -1), ("site", Word(first.site or ""), -1)]
        items += [x for x in node.items if x[0] not in ("name", "site")]
        first.node = node.__class__(node.tag, items, node.source, node.start, node.end)
        self.kept.update({id(ray.node): None for ray in rays[1:]})
        self.kept[id(node)] = first.node

    def remove(self, docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], gone: set[int]) -> None:
        """Remove sites and sensors by their ids, also from what is kept as written."""
        for record in records:
            record.sites = [placed for placed in record.sites if id(placed.doc) not in gone]
        for doc in docs:
            for section in doc.items:
                if isinstance(section, d.Sensors):
                    section.items = [item for item in section.items if id(item) not in gone]
                    if section.node is not None:
                        section.node = with_items(section.node, self._kept(section.node.items))

    def _kept(self, items: Sequence[Item]) -> list[Item]:
        out: list[Item] = []
        for key, value, start in items:
            new = self.kept.get(id(value), value)
            if new is not None:
                out.append((key, new, start))
        return out


def _pose(placed: Placed, site: b.Site) -> Pose:
    return placed.frame @ placed.scope.poses.of(site)


def _is_plain(node: Node | None, keys: frozenset[str]) -> bool:
    return node is not None and all(item[0] in keys for item in node.items)
