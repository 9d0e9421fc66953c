"""Reads sites as frames, and cameras, lights and sensors as devices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import between
from unibody.formats.mjcf.document_sensors import SensorContact
from unibody.formats.mjcf.leftovers import touch
from unibody.formats.mjcf.links import Assembly
from unibody.formats.mjcf.tree import Placed
from unibody.formats.tidy import tidy
from unibody.model import device as m
from unibody.model.pose import Pose, unit
from unibody.model.robot import Frame
from unibody.model.shape import Vector2
from unibody.text.node import Node

#: Sensors on a site that the model has no type for.
ON_SITE = frozenset(("touch", "velocimeter", "force", "torque", "magnetometer"))
#: Two sensors on one site that are one device.
PAIRS = (("accelerometer", "gyro"), ("force", "torque"))
#: A range sensor of the model looks along −Z, a rangefinder along +Z of its site.
BACK = Pose((0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))


def frames(parts: Assembly) -> list[Frame]:
    """The sites of the links."""
    out = []
    for i in parts.kept:
        for placed in parts.bodies[i].sites:
            doc = placed.doc
            assert isinstance(doc, b.Site)
            pose = placed.frame @ site_pose(doc, placed)
            out.append(
                Frame(name=doc.name or "", link=parts.names[i], pose=parts.in_link(i, pose), at=doc.at())
            )
    return out


def site_pose(doc: b.Site, placed: Placed) -> Pose:
    """The pose of a site; ``fromto`` is as that of a geom."""
    if doc.fromto is None:
        return placed.scope.poses.of(doc)
    return between(doc.fromto) or Pose()


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
