"""Writes devices as cameras, lights, sensors on sites and sensors of bodies; the inverse of ``devices``.

A camera looks along −Z with Y up in both; MJCF has its vertical field of view in degrees. A range sensor
looks along −Z, a rangefinder along +Z of its site. A force sensor of MuJoCo reads the force of the parent
on the body, that of OpenHRP the force of the body on its parent: its readings have the other sign.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_sensors as sensors
from unibody.formats.mjcf.devices import (
    BACK,
    ON_SITE,
    PAIRS,
    camera_spec,
    is_scan,
    light_kind,
    ray_names,
    ray_turns,
    switched_body,
)
from unibody.formats.mjcf.kept_elements import Kept, bound
from unibody.formats.mjcf.write_bodies import paired, placed
from unibody.formats.mjcf.write_tree import BodyTree, PlannedBody
from unibody.model import device as m
from unibody.model.changes.joints import free_name
from unibody.model.device import Device, RangeSensor
from unibody.model.equality import close, same_numbers, same_rotation
from unibody.model.pose import ZERO, Pose, rotate
from unibody.model.robot import Frame, Robot
from unibody.model.scan import ray_count
from unibody.text.dataclass import dataclass
from unibody.text.node import Node

LIGHTS = (m.PointLight, m.SpotLight, m.DirectionalLight)
_LARGEST_FOVY = 179.0
# The side (m) of a pixel of a sensor that no file gives.
_PIXEL = 5e-6
_SENSORS: dict[str, type[sensors.SensorBase]] = {
    cls.KEY: cls
    for cls in (
        sensors.SensorAccelerometer,
        sensors.SensorGyro,
        sensors.SensorForce,
        sensors.SensorTorque,
        sensors.SensorTouch,
        sensors.SensorVelocimeter,
        sensors.SensorMagnetometer,
        sensors.SensorRangefinder,
    )
}


def is_camera(device: m.Device) -> bool:
    """Whether a device is written as a camera."""
    spec = device.spec
    return isinstance(spec, m.Camera) and 0.0 < _fovy(spec) < _LARGEST_FOVY


def words_of(device: m.Device) -> tuple[str, ...]:
    """The elements that read a device, on one site or of its body; empty if MJCF has none."""
    match device.spec:
        case m.Imu():
            return PAIRS[0]
        case m.ForceTorque():
            return PAIRS[1]
        case m.Accelerometer():
            return ("accelerometer",)
        case m.Gyro():
            return ("gyro",)
        case m.RangeSensor():
            return ("rangefinder",)
        case m.ContactSwitch():
            return ("contact",)
        case m.Opaque(kind=kind) if kind in ON_SITE:
            return (kind,)
    return ()


def is_on_site(device: m.Device) -> bool:
    """Whether the elements that read a device are on a site."""
    return bool(words_of(device)) and not isinstance(device.spec, m.ContactSwitch)


# --- sites ------------------------------------------------------------------------------


def with_sites(robot: Robot) -> Robot:
    """The robot with a frame for the site of each sensor that is on one; new ones are named like it."""
    if not any(map(is_on_site, robot.devices)):
        return robot
    kept = Kept(robot)
    own = {device.name for device in _owners(robot, kept.section("sensor")).values()}
    taken = {frame.name for frame in robot.frames}
    present: dict[tuple[str, Pose], str] = {(f.link, f.pose): f.name for f in robot.frames}
    # of one kind of sensors there is one on a site, and of a pair that is one device
    used = {(_family(node.tag), node.word("site") or "") for node in kept.section("sensor")}
    frames = list(robot.frames)
    for device in robot.devices:
        words = words_of(device)
        if not is_on_site(device) or device.name in own:
            continue
        pose = site_pose(device)
        name = next(
            (x for (link, at), x in present.items() if link == device.link and is_near(at, pose)), ""
        )
        if not name or any((_family(word), name) in used for word in words):
            name = free_name(device.name, taken)
            taken.add(name)
            frames.append(Frame(name=name, link=device.link, pose=pose))
        used |= {(_family(word), name) for word in words}
    return replace(robot, frames=tuple(frames)) if len(frames) > len(robot.frames) else robot


def _family(word: str) -> str:
    """The first sensor of the pair that a kind of sensors belongs to, else the kind."""
    return next((pair[0] for pair in PAIRS if word in pair), word)


def site_pose(device: m.Device) -> Pose:
    """The pose of the site of a sensor in the link."""
    return device.pose @ BACK.inverse() if isinstance(device.spec, m.RangeSensor) else device.pose


def is_near(a: Pose, b: Pose) -> bool:
    """Whether two poses are equal up to rounding."""
    return all(map(close, a.xyz, b.xyz)) and same_rotation(a.quat, b.quat)


# --- sensors ----------------------------------------------------------------------------


def sensor_elements(tree: BodyTree, kept: Kept, rays: Mapping[str, Sequence[Document]]) -> list[Document]:
    """The kept sensors in their order, without those of devices that are gone, then those of new ones.

    ``rays`` are the sensors of scans by the name of the device.
    """
    robot = tree.robot
    nodes = kept.section("sensor")
    owners = _owners(robot, nodes)
    gone = {id(node) for group in _groups(robot, nodes) for node in group.nodes} - set(owners)
    out: list[Document] = []
    for node in nodes:
        owner = owners.get(id(node))
        if id(node) not in gone:
            out += (owner and rays.get(owner.name)) or [_kept(node, owner)]
    names = {node.word("name") or "" for node in nodes if id(node) not in gone}
    used = {(_family(node.tag), node.word("site") or "") for node in nodes if id(node) not in gone}
    done = {device.name for device in owners.values()}
    for device in robot.devices:
        if device.name in done or not words_of(device):
            continue
        if isinstance(device.spec, m.ContactSwitch):
            out.append(_switch(device, tree, names))
        else:
            out += rays.get(device.name) or _new(device, robot.frames, names, used)
    return out


def _owners(robot: Robot, nodes: Sequence[Node]) -> dict[int, m.Device]:
    """The device of each kept sensor that still reads one, by the id of the node."""
    frames = {frame.name: frame for frame in robot.frames}
    left = {device.name: device for device in robot.devices if words_of(device)}
    out: dict[int, m.Device] = {}
    for group in sorted(_groups(robot, nodes), key=lambda group: not group.name):
        candidates = [left[group.name]] if group.name in left else [] if group.name else list(left.values())
        for device in candidates:
            if _is_at(group, device, frames) and set(words_of(device)) == group.words:
                out.update((id(node), device) for node in group.nodes)
                del left[device.name]
                break
    return out


def _is_at(group: _Group, device: m.Device, frames: Mapping[str, Frame]) -> bool:
    """Whether kept sensors are where a device is: on its link, at its place if they are on a site."""
    if group.body:
        return group.body == device.link
    frame = frames[group.site]
    return frame.link == device.link and is_near(frame.pose, site_pose(device))


@dataclass(slots=True)
class _Group:
    """Kept sensors that the reader makes one device of; ``name`` is empty if the file does not name it.

    They are on a ``site``, or one of a ``body``.
    """

    name: str
    site: str
    nodes: list[Node]
    body: str = ""

    @property
    def words(self) -> set[str]:
        """The kinds of the sensors."""
        return {node.tag for node in self.nodes}


def _groups(robot: Robot, nodes: Sequence[Node]) -> list[_Group]:
    """The kept sensors that are devices of the model; others are only kept."""
    frames, links = {frame.name for frame in robot.frames}, {link.name for link in robot.solids}
    on_site: dict[tuple[str, str], Node] = {}
    for node in nodes:
        on_site.setdefault((node.tag, node.word("site") or ""), node)
    out: list[_Group] = []
    done: set[int] = set()
    for node in nodes:
        body = switched_body(bound(sensors.SensorContact, node)) if node.tag == "contact" else ""
        if body in links:
            out.append(_Group(node.word("name") or "", "", [node], body))
            continue
        site = node.word("site") or ""
        if site not in frames or id(node) in done or node.tag not in _SENSORS:
            continue
        pair = next((p for p in PAIRS if node.tag in p and all((k, site) in on_site for k in p)), ())
        own = [node]
        if pair and on_site[(node.tag, site)] is node:
            own = [on_site[(k, site)] for k in pair]
        done |= {id(x) for x in own}
        out.append(_Group(node.word("name") or "", site, own))
    return out


def _kept(node: Node, device: m.Device | None) -> Document:
    out = bound(plan(sensors.Sensors).fields["items"].members[node.tag], node)
    if device is not None and isinstance(out, sensors.SensorRangefinder):
        assert isinstance(device.spec, m.RangeSensor)
        most = cutoff_of(device.spec)
        if not close(out.cutoff or 0.0, most):
            out.cutoff = most or None
        if not close(out.noise or 0.0, device.spec.error_deviation):
            out.noise = device.spec.error_deviation or None
    return out


def cutoff_of(spec: m.RangeSensor) -> float:
    """The cutoff of the rangefinders of a sensor, 0 for none."""
    return spec.max_distance if math.isfinite(spec.max_distance) else 0.0


def _new(
    device: m.Device, frames: Sequence[Frame], names: set[str], used: set[tuple[str, str]]
) -> list[Document]:
    words = words_of(device)
    pose = site_pose(device)
    site = next(
        frame.name
        for frame in frames
        if frame.link == device.link
        and is_near(frame.pose, pose)
        and not any((_family(word), frame.name) in used for word in words)
    )
    used |= {(_family(word), site) for word in words}
    out: list[Document] = []
    for k, word in enumerate(words):
        name = free_name(device.name if not k else f"{device.name}_{word}", names)
        names.add(name)
        made = _SENSORS[word](name=name, site=site)  # type: ignore[call-arg]
        if isinstance(device.spec, m.RangeSensor) and isinstance(made, sensors.SensorRangefinder):
            made.cutoff = cutoff_of(device.spec) or None
            made.noise = device.spec.error_deviation or None
        out.append(made)
    return out


def _switch(device: m.Device, tree: BodyTree, names: set[str]) -> sensors.SensorContact:
    """The sensor that counts the contacts of the link of a contact switch."""
    name = free_name(device.name, names)
    names.add(name)
    return sensors.SensorContact(name=name, body1=tree.name_of(device.link), data="found")


# --- cameras ----------------------------------------------------------------------------


def camera_elements(body: PlannedBody, devices: Sequence[m.Device], kept: Sequence[Node]) -> list[Document]:
    """The cameras of a body: its devices, and those that are only kept, in their order."""
    cameras = [device for device in devices if is_camera(device)]
    fixed = [node for node in kept if (node.word("mode") or "fixed") == "fixed"]
    pairs = paired([device.name for device in cameras], fixed)
    out: list[Document] = []
    for device, node in _in_order(cameras, pairs, kept, fixed):
        if device is None:
            assert node is not None
            out.append(bound(b.Camera, node))
        else:
            out.append(_camera(body, device, node))
    return out


def _in_order(
    devices: Sequence[m.Device], pairs: Sequence[Node | None], kept: Sequence[Node], fixed: Sequence[Node]
) -> list[tuple[m.Device | None, Node | None]]:
    """The devices with their kept elements, and the kept elements of no device, in their order."""
    mine = {id(node): device for device, node in zip(devices, pairs, strict=True) if node is not None}
    own = {id(node) for node in fixed}
    out: list[tuple[m.Device | None, Node | None]] = []
    for node in kept:
        if id(node) in mine:
            out.append((mine[id(node)], node))
        elif id(node) not in own:
            out.append((None, node))
    out += [(device, None) for device, node in zip(devices, pairs, strict=True) if node is None]
    return out


def vertical_view(spec: m.Camera) -> float:
    """The vertical field of view in rad of a camera, whose own is across the shorter side."""
    view = min(spec.field_of_view, math.pi)
    if spec.height <= spec.width or spec.width <= 0:
        return view
    return 2.0 * math.atan(math.tan(view / 2.0) * spec.height / spec.width)


def _lens(spec: m.Camera) -> list[float]:
    span = math.nan if spec.orthographic_span is None else spec.orthographic_span
    return [spec.field_of_view, spec.focal_ratio, *spec.principal_offset, span]


def _fovy(spec: m.Camera) -> float:
    """The attribute fovy of a camera: an angle in degrees, or the height of an orthographic view in m."""
    if spec.orthographic_span is None:
        return math.degrees(vertical_view(spec))
    return spec.orthographic_span * max(1.0, spec.height / max(1, spec.width))


def _needs_sensor(spec: m.Camera) -> bool:
    """Whether a camera has other focal lengths, or another principal point, than its fovy tells."""
    is_plain = spec.focal_ratio == 1.0 and spec.principal_offset == (0.0, 0.0)
    return spec.orthographic_span is None and spec.focal_ratio > 0.0 and not is_plain


def _camera(body: PlannedBody, device: m.Device, node: Node | None) -> b.Camera:
    out = b.Camera() if node is None else bound(b.Camera, node)
    spec = device.spec
    assert isinstance(spec, m.Camera)
    said = camera_spec(out)
    is_same_size = (said.width, said.height) == (spec.width, spec.height)
    if not (is_same_size and same_numbers(_lens(said), _lens(spec))):
        size = out.sensorsize or (spec.width * _PIXEL, spec.height * _PIXEL)
        out.sensorsize = out.focal = out.focalpixel = out.principal = out.principalpixel = None
        out.projection = None if spec.orthographic_span is None else "orthographic"
        has_sensor = min(spec.width, spec.height) > 1 and _needs_sensor(spec)
        if has_sensor:
            up = min(spec.width, spec.height) / (2.0 * math.tan(spec.field_of_view / 2.0))
            right, down = spec.principal_offset
            out.sensorsize, out.focalpixel = size, (spec.focal_ratio * up, up)
            out.principalpixel = (-right + 0.0, -down + 0.0)
            out.fovy = b.Camera().fovy
        else:
            out.fovy = _fovy(spec)
        if min(spec.width, spec.height) > 0 and (node is None or has_sensor or not is_same_size):
            out.resolution = (float(spec.width), float(spec.height))
    out.name = device.name
    out.given = {*out.given} - {"name"}
    placed(out, body.in_body(device.pose))
    return out


# --- lights -----------------------------------------------------------------------------


def light_elements(body: PlannedBody, devices: Sequence[m.Device], kept: Sequence[Node]) -> list[Document]:
    """The lights of a body: its devices, and those that are only kept, in their order."""
    lights = [device for device in devices if isinstance(device.spec, LIGHTS)]
    fixed = [
        node
        for node in kept
        if (node.word("mode") or "fixed") == "fixed" and light_kind(bound(b.Light, node)) != "image"
    ]
    pairs = paired([device.name for device in lights], fixed)
    out: list[Document] = []
    for device, node in _in_order(lights, pairs, kept, fixed):
        if device is None:
            assert node is not None
            out.append(bound(b.Light, node))
        else:
            out.append(_light(body, device, node))
    return out


def _light(body: PlannedBody, device: m.Device, node: Node | None) -> b.Light:
    out = b.Light() if node is None else bound(b.Light, node)
    spec, pose = device.spec, body.in_body(device.pose)
    assert isinstance(spec, LIGHTS)
    kind = {m.PointLight: "point", m.SpotLight: "spot", m.DirectionalLight: "directional"}[type(spec)]
    if light_kind(out) != kind:
        out.directional = False
        out.given = {*out.given} - {"directional"}
        out.type = None if kind == "spot" else kind
    out.name, out.active, out.pos = device.name, device.on, pose.xyz
    if not isinstance(spec, m.PointLight):
        x, y, z = rotate(pose.quat, spec.direction)
        length = math.hypot(*out.dir)
        if not (length and all(close(v / length, w) for v, w in zip(out.dir, (x, y, z), strict=True))):
            out.dir = (x, y, z)
    r, g, blue = (value * spec.intensity for value in spec.color)
    out.diffuse = (r, g, blue)
    if spec.ambient:
        out.ambient = tuple(value * spec.ambient for value in spec.color)
    if not isinstance(spec, m.DirectionalLight):
        out.attenuation = spec.attenuation
    if isinstance(spec, m.SpotLight):
        if not close(math.radians(out.cutoff), spec.cut_off_angle):
            out.cutoff = math.degrees(spec.cut_off_angle)
        out.exponent = spec.cut_off_exponent
    out.given = {*out.given} - {
        "name",
        "active",
        "pos",
        "dir",
        "diffuse",
        "attenuation",
        "cutoff",
        "exponent",
    }
    return out


# --- the rays of scans, each a rangefinder; the inverse of `devices` --------------------


@dataclass(slots=True)
class Scan:
    """A scanning range sensor: its rays' names and rotations, and the name of the frame that it has."""

    device: Device
    frame: str
    names: tuple[str, ...]

    @property
    def spec(self) -> RangeSensor:
        """What the sensor measures."""
        assert isinstance(self.device.spec, RangeSensor)
        return self.device.spec

    def sites(self, body: PlannedBody) -> list[Document]:
        """The site of each ray in the body of the sensor's link."""
        at = body.in_body(site_pose(self.device))
        return [
            placed(b.Site(name=name), at @ Pose(ZERO, turn))
            for name, turn in zip(self.names, ray_turns(self.spec), strict=True)
        ]

    def sensors(self) -> list[Document]:
        """The rangefinder of each ray."""
        most, noise = cutoff_of(self.spec) or None, self.spec.error_deviation or None
        return [
            sensors.SensorRangefinder(name=name, site=name, cutoff=most, noise=noise) for name in self.names
        ]

    def tuple(self) -> d.Tuple:
        """The tuple of the sensor's site and its rays."""
        rays = [d.TupleElement(objtype="sensor", objname=name) for name in self.names]
        site = d.TupleElement(objtype="site", objname=self.frame)
        return d.Tuple(name=self.device.name, elements=[site, *rays])


def scans_of(robot: Robot, kept: Kept) -> dict[str, Scan]:
    """The scans of a lowered robot by the names of their devices."""
    devices = [device for device in robot.devices if is_scan(device)]
    if not devices:
        return {}
    taken = {frame.name for frame in robot.frames} | {device.name for device in robot.devices}
    taken |= {node.word("name") or "" for node in kept.section("sensor")}
    out = {}
    for device in devices:
        pose = site_pose(device)
        frame = next(f.name for f in robot.frames if f.link == device.link and is_near(f.pose, pose))
        names = _free_names(device, taken)
        taken |= {*names}
        out[device.name] = Scan(device, frame, names)
    return out


def _free_names(device: Device, taken: set[str]) -> tuple[str, ...]:
    assert isinstance(device.spec, RangeSensor)
    count, stem = ray_count(device.spec), device.name
    while not taken.isdisjoint(names := ray_names(stem, count)):
        stem += "_ray"
    return names


def tuple_elements(scans: dict[str, Scan]) -> list[Document]:
    """The custom data that say which rays are one sensor."""
    return [d.Custom(items=[scan.tuple() for scan in scans.values()])] if scans else []
