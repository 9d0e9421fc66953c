"""Reads the rays of a scanning range sensor, which are a tuple of rangefinders, as one device.

A tuple of the custom data names the site of the sensor, which looks along +Z, and then a rangefinder for
each ray: ``lidar_0``, ``lidar_1``, … on sites with the same names. Rays that are not a grid of angles stay
sensors of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_sensors as sensors
from unibody.formats.mjcf.leftovers import touch
from unibody.formats.mjcf.tree import BodyRecord, Placed
from unibody.formats.tidy import tidy
from unibody.model.arrays import Floats
from unibody.model.device import Device, RangeSensor
from unibody.model.pose import Pose, Quaternion, multiply
from unibody.model.scan import ray_angles, ray_count
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word, with_items

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
    sensors: list[sensors.SensorRangefinder]
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
            if isinstance(item, sensors.SensorRangefinder) and item.name
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

    def replace(self, rays: Sequence[sensors.SensorRangefinder]) -> None:
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
