"""Range sensors with several rays: written as rangefinders, read back as one device."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.convert.models import plain
from tests.formats.mjcf.test_write_parts import TURNED, arm

import unibody as ub
from unibody.formats.mjcf.devices import MOST_RAYS
from unibody.model import device as m
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Shape, Sphere

SPECS = (
    m.RangeSensor(min_yaw=-1.0, max_yaw=1.0, yaw_step=0.125, min_distance=0.0, error_deviation=0.01),
    m.RangeSensor(min_pitch=-0.5, max_pitch=1.5, pitch_step=0.5, min_distance=0.0, max_distance=3.0),
    # a ray at the back is at both ends; another is straight up
    m.RangeSensor(min_yaw=-math.pi, max_yaw=math.pi, yaw_step=math.pi / 18, min_pitch=-math.pi / 2,
                  max_pitch=math.pi / 2, pitch_step=math.pi / 6, min_distance=0.0),
    m.RangeSensor(min_yaw=0.5, max_yaw=0.5, min_distance=0.0),
    m.RangeSensor(min_distance=0.0),
)  # fmt: skip


def lidar(spec: m.RangeSensor, pose: Pose = TURNED, link: str = "l2") -> m.Device:
    """A device on a link."""
    return m.Device(name="lidar", link=link, pose=pose, spec=spec)


@pytest.mark.parametrize("spec", SPECS)
def test_a_scan_returns_without_the_side_car(spec: m.RangeSensor, tmp_path: Path) -> None:
    robot = arm(devices=(lidar(spec), m.Device(name="imu", link="l2", pose=TURNED, spec=m.Imu())))
    report = ub.save(robot, tmp_path / "m.xml", plain=True)
    assert [loss.path for loss in report.losses if loss.row is None] == []
    back = plain(tmp_path / "m.xml")
    (found,) = (device for device in back.devices if device.name == "lidar")
    assert found.link == "l2"
    assert ub.diff(arm(devices=(lidar(spec),)), arm(devices=(found,))) == []
    assert {frame.name for frame in back.frames} == {"lidar", "imu"}
    # and again the same sensors
    before = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    after = mujoco.MjModel.from_xml_string(ub.dumps(back, format="mjcf", plain=True))
    for name in ("sensor_objid", "sensor_cutoff", "sensor_noise", "site_pos", "site_quat"):
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-12), name


def test_a_scan_of_a_body_file_returns_as_a_body_file(shared: Path, tmp_path: Path) -> None:
    folder = shared / "corpus/dev/choreonoid+choreonoid_ros2_mobile_robot_tutorial/model"
    robot = ub.load(folder / "mobile_robot_sensors.body")
    ub.save(robot, tmp_path / "m.xml")
    ub.save(ub.load(tmp_path / "m.xml"), tmp_path / "again.body")
    again = ub.load(tmp_path / "again.body")
    assert ub.diff(arm(devices=robot.devices), arm(devices=again.devices)) == []


def _room(spec: m.RangeSensor) -> Robot:
    """A scanner among boxes and spheres that are not of its body."""
    rng = np.random.default_rng(4)
    shapes = []
    for k in range(40):
        place = rng.normal(size=3)
        x, y, z = (place / np.linalg.norm(place) * rng.uniform(0.8, 4.0)).tolist()
        solid = Box(size=(0.4, 0.3, 0.6)) if k % 2 else Sphere(radius=0.3)
        shapes.append(Shape(geometry=solid, pose=Pose((x, y, z), TURNED.quat)))
    return Robot(
        name="room",
        links=(Link(name="room", visuals=tuple(shapes)), Link(name="l2", inertial=None)),
        joints=(Joint(name="j", kind="fixed", parent="room", child="l2"),),
        base="fixed",
        devices=(lidar(spec, Pose((0.05, 0.0, 0.1), TURNED.quat)),),
    )


@pytest.mark.parametrize("spec", SPECS)
def test_mujoco_measures_the_distances_of_the_simulation(spec: m.RangeSensor) -> None:
    robot = _room(spec)
    made = ub.to_mujoco(robot)
    there = made.data.sensordata[list(made.sensor_ids["lidar"])]
    here = np.asarray(ub.simulate(robot).sensors["lidar"]).ravel()
    assert here.shape == there.shape
    hit = np.isfinite(here)
    assert hit.any()
    assert there[hit] == pytest.approx(here[hit], abs=1e-12)
    # beyond the range MuJoCo reads its cutoff, without any surface -1
    assert np.isin(there[~hit], (-1.0, spec.max_distance)).all()


def test_two_scans_on_one_place_are_two_devices() -> None:
    devices = (lidar(SPECS[0]), m.Device(name="lidar_0", link="l2", pose=TURNED, spec=SPECS[1]))
    robot = arm(devices=devices)
    back = ub.loads(ub.dumps(robot, format="mjcf", plain=True), format="mjcf")
    assert ub.diff(arm(devices=devices), arm(devices=back.devices)) == []
    made = ub.to_mujoco(robot)
    assert [len(made.sensor_ids[device.name]) for device in devices] == [17, 5]


@pytest.mark.parametrize(
    "edited",
    [
        lambda text: text.replace('<rangefinder name="lidar_03"', '<rangefinder user="1" name="lidar_03"'),
        lambda text: text.replace('<site name="lidar_03"', '<site rgba="1 0 0 1" name="lidar_03"'),
        lambda text: text.replace('name="lidar_03" site="lidar_03"', 'name="lidar_03" site="lidar_04"'),
        lambda text: re.sub(r'(<site name="lidar_03"[^>]*quat=")[^"]*', r"\g<1>1 0.3 0.2 0.1", text),
        lambda text: re.sub(r'(<site name="lidar_03"[^>]*pos=")[^"]*', r"\g<1>0 0 1", text),
        lambda text: re.sub(r'(name="lidar_03" site="lidar_03" cutoff=")[^"]*', r"\g<1>4", text),
        lambda text: text.replace('<element objname="lidar_03" objtype="sensor"/>', ""),
    ],
)
def test_rays_that_are_no_grid_remain_sensors(edited: Any) -> None:
    text = ub.dumps(arm(devices=(lidar(SPECS[0]),)), format="mjcf", plain=True)
    text, before = edited(text), text
    assert text != before
    back = ub.loads(text, format="mjcf")
    assert len(back.devices) == 17
    again = mujoco.MjModel.from_xml_string(ub.dumps(back, format="mjcf", plain=True))
    model = mujoco.MjModel.from_xml_string(text)
    assert (again.nsensor, again.nsite, again.ntuple) == (model.nsensor, model.nsite, model.ntuple)


def test_too_many_rays_are_one(tmp_path: Path) -> None:
    spec = m.RangeSensor(min_yaw=-1.0, max_yaw=1.0, yaw_step=2.0 / MOST_RAYS)
    report = ub.save(arm(devices=(lidar(spec),)), tmp_path / "m.xml")
    assert (tmp_path / "m.xml").read_text("utf-8").count("<rangefinder") == 1
    (loss,) = (loss for loss in report.losses if loss.path.endswith("min_yaw"))
    assert loss.row is not None
    assert str(MOST_RAYS) in loss.row.why
