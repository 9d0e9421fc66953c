"""Writes the rays of scanning range sensors as rangefinders; the inverse of ``scans``."""

from __future__ import annotations

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_sensors as sensors
from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.scans import is_scan, ray_names, ray_turns
from unibody.formats.mjcf.write_bodies import placed
from unibody.formats.mjcf.write_sensors import cutoff_of, is_near, site_pose
from unibody.formats.mjcf.write_tree import PlannedBody
from unibody.model.device import Device, RangeSensor
from unibody.model.pose import ZERO, Pose
from unibody.model.robot import Robot
from unibody.model.scan import ray_count
from unibody.text.dataclass import dataclass


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
