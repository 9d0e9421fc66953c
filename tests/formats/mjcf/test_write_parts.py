"""Devices, contacts, keyframes, actuators and the scene of a written MJCF file."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.convert.models import neutral, plain
from tests.formats.mjcf.test_write_corpus import silence

import unibody as ub
from unibody.cli.main import main
from unibody.conversion.output import SaveError
from unibody.formats.mjcf.write import from_robot
from unibody.formats.mjcf.write_actuators import efforts, joint_inertias
from unibody.formats.mjcf.write_bodies import balanced
from unibody.model import device as m
from unibody.model.inertia import Inertial
from unibody.model.pose import Matrix3, Pose
from unibody.model.robot import (
    Actuator,
    Configuration,
    Coupling,
    Joint,
    Limits,
    Link,
    Robot,
    SelfCollision,
)
from unibody.model.shape import Box, Mesh, Shape

ROD = Inertial(mass=2.0, com=(0.0, 0.0, 0.1), inertia=((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.002)))
TURNED = Pose((0.1, 0.2, 0.3), (math.cos(0.3), 0.0, math.sin(0.3), 0.0))
WORLD_Z = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)


def arm(links: int = 3, size: float = 0.2, **more: Any) -> Robot:
    """A chain of hinges about Y, each link with a box."""
    box = Shape(geometry=Box(size=(size, size, size)))
    names = [f"l{k}" for k in range(links)]
    joints = [
        Joint(
            name=f"j{k}",
            kind="revolute",
            parent=names[k - 1],
            child=names[k],
            origin=Pose((0.0, 0.0, 0.1)),
            axis=(0.0, 1.0, 0.0),
            limits=Limits(position=(-1.0, 2.0), velocity=(-3.0, 3.0), effort=(-40.0, 40.0)),
        )
        for k in range(1, links)
    ]
    made = Robot(
        name="arm",
        links=tuple(Link(name=name, inertial=ROD, collisions=(box,), visuals=(box,)) for name in names),
        joints=tuple(joints),
        base="fixed",
    )
    return replace(made, **more)


def compiled(robot: Robot, folder: Path, **options: Any) -> Any:
    """What MuJoCo makes of the file that is written for a robot."""
    ub.save(robot, folder / "m.xml", overwrite=True, **options)
    return mujoco.MjModel.from_xml_path(str(folder / "m.xml"))


# --- devices ----------------------------------------------------------------------------

DEVICES = (
    m.Device(name="eye", link="l2", pose=TURNED, spec=m.Camera(width=320, height=480, field_of_view=0.8)),
    m.Device(
        name="lamp", link="l1", pose=TURNED, spec=m.SpotLight(color=(0.5, 1.0, 0.0), cut_off_angle=0.4)
    ),
    m.Device(name="imu", link="l1", pose=TURNED, spec=m.Imu()),
    m.Device(name="second_imu", link="l1", pose=TURNED, spec=m.Imu()),
    m.Device(name="wrist", link="l2", spec=m.ForceTorque(), id=3),
    m.Device(name="gyro", link="l2", pose=TURNED, spec=m.Gyro()),
    m.Device(name="bumper", link="l2", pose=TURNED, spec=m.ContactSwitch(threshold=3.0)),
    m.Device(name="second_bumper", link="l2", spec=m.ContactSwitch()),
    m.Device(name="acceleration", link="l2", pose=TURNED, spec=m.Accelerometer()),
    m.Device(name="range", link="l2", pose=TURNED, spec=m.RangeSensor(min_distance=0.0, max_distance=3.0)),
    m.Device(name="lidar", link="l2", spec=m.RangeSensor(min_yaw=-1.0, max_yaw=1.0, yaw_step=0.1)),
    m.Device(name="pressure", link="l2", spec=m.Opaque(kind="PressureSensor"), on=False),
)


def test_devices_return(tmp_path: Path) -> None:
    robot = arm(devices=DEVICES)
    report = ub.save(robot, tmp_path / "m.xml")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []
    back = {device.name: device for device in plain(tmp_path / "m.xml").devices}
    assert set(back) == {device.name for device in DEVICES} - {"pressure"}
    for name in ("imu", "second_imu", "gyro", "acceleration", "range", "second_bumper"):
        assert back[name] == robot.device(name)
    assert back["bumper"] == m.Device(name="bumper", link="l2", spec=m.ContactSwitch())
    camera = back["eye"].spec
    assert isinstance(camera, m.Camera)
    assert (camera.width, camera.height) == (320, 480)
    assert camera.field_of_view == pytest.approx(0.8)


def test_mujoco_reads_devices_as_meant(tmp_path: Path) -> None:
    down = Pose((0.0, 0.0, -0.5))  # looks along -Z, at the floor
    robot = arm(
        2,
        devices=(
            m.Device(name="range", link="l1", pose=down, spec=m.RangeSensor(max_distance=5.0)),
            m.Device(
                name="eye", link="l1", pose=down, spec=m.Camera(width=300, height=600, field_of_view=0.5)
            ),
            m.Device(name="imu", link="l1", spec=m.Imu()),
            m.Device(name="wrist", link="l1", spec=m.ForceTorque()),
        ),
        joints=(Joint(name="j", kind="revolute", parent="l0", child="l1", origin=Pose((0.0, 0.0, 1.0))),),
        pose=Pose((0.0, 0.0, 1.0)),
    )
    ub.save(robot, tmp_path / "m.xml", scene="floor")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m_scene.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    # from 1.5 m down to the box around the first link
    assert data.sensor("range").data == pytest.approx([0.4])
    assert data.sensor("imu").data == pytest.approx([0.0, 0.0, 9.81])
    # what holds the link against gravity: the reading of OpenHRP has the other sign
    assert data.sensor("wrist").data == pytest.approx([0.0, 0.0, 2.0 * 9.81])
    vertical = 2.0 * math.atan(2.0 * math.tan(0.25))
    assert math.radians(model.cam_fovy[0]) == pytest.approx(vertical)
    assert -data.cam("eye").xmat.reshape(3, 3)[:, 2] == pytest.approx([0.0, 0.0, -1.0])


@pytest.mark.parametrize("size", [(640, 480), (480, 640)])
def test_a_lens_is_written_as_mujoco_has_it(size: tuple[int, int]) -> None:
    width, height = size
    lens = m.Camera(
        width=width, height=height, field_of_view=0.8, focal_ratio=1.25, principal_offset=(12.0, -7.5)
    )
    flat = m.Camera(width=width, height=height, orthographic_span=1.5)
    devices = (m.Device(name="lens", link="l1", spec=lens), m.Device(name="flat", link="l1", spec=flat))
    joints = (Joint(name="j", kind="revolute", parent="l0", child="l1"),)
    text = ub.dumps(arm(2, devices=devices, joints=joints), format="mjcf", plain=True)
    model = mujoco.MjModel.from_xml_string(text)
    up = 240.0 / math.tan(0.4)
    pixels = np.tile(model.cam_resolution[0] / model.cam_sensorsize[0], 2)
    assert model.cam_intrinsic[0] * pixels == pytest.approx([1.25 * up, up, -12.0, 7.5], rel=1e-5)
    assert model.cam_projection.tolist() == [0, 1]
    assert model.cam_fovy[1] == pytest.approx(1.5 * max(1.0, height / width))
    back = ub.loads(text, format="mjcf")
    assert back.devices[1].spec == flat
    found = back.devices[0].spec
    assert isinstance(found, m.Camera)
    for name in ("field_of_view", "focal_ratio", "principal_offset"):
        assert getattr(found, name) == pytest.approx(getattr(lens, name), abs=1e-9)
    changed = replace(back, devices=(replace(back.devices[0], spec=replace(lens, focal_ratio=1.0)),))
    again = mujoco.MjModel.from_xml_string(ub.dumps(changed, format="mjcf", plain=True))
    assert again.cam_intrinsic[0, :2] * pixels[:2] == pytest.approx([up, up], rel=1e-5)


SWITCHES = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 0.1"/>
<body name="a" pos="0 0 0.1"><freejoint/><geom name="ball" size="0.1"/><site name="s"/></body></worldbody>
<sensor><contact name="plain" body1="a"/><contact name="world" body1="world"/>
<contact name="one" body1="a" data="found" num="1" reduce="mindist" noise="0.1"/>
<contact name="many" body1="a" num="3"/>
<contact name="pair" body1="a" geom2="floor"/><contact name="at" site="s"/>
<contact name="force" body1="a" data="force"/><contact name="below" subtree1="a"/></sensor></mujoco>"""


def test_a_sensor_of_all_contacts_of_a_body_is_a_contact_switch() -> None:
    robot = ub.loads(SWITCHES, format="mjcf")
    assert [(x.name, x.link, x.spec) for x in robot.devices] == [
        ("plain", "a", m.ContactSwitch()),
        ("world", "world", m.ContactSwitch()),
        ("one", "a", m.ContactSwitch()),
    ]
    names = ("plain", "world", "one", "many", "pair", "at", "force", "below")
    for made, kept in (
        (robot, names),
        (replace(robot, devices=robot.devices[:2]), tuple(name for name in names if name != "one")),
    ):
        text = ub.dumps(made, format="mjcf", plain=True)
        model = mujoco.MjModel.from_xml_string(text)
        assert tuple(model.sensor(i).name for i in range(model.nsensor)) == kept
    assert ub.load(mujoco.MjSpec.from_string(SWITCHES)).devices == robot.devices
    renamed = replace(robot, devices=(replace(robot.devices[0], name="other"),))
    back = ub.loads(ub.dumps(renamed, format="mjcf", plain=True), format="mjcf")
    assert back.devices == renamed.devices


def test_mujoco_reads_contacts_where_a_switch_is_closed() -> None:
    robot = ub.loads(SWITCHES.replace('"0 0 0.1"', '"0 0 0.101"'), format="mjcf")
    sim = ub.simulate(robot, floor=0.0)
    found = ub.to_mujoco(sim.robot).sensor_ids["plain"]
    assert len(found) == 1
    seen = set()
    for _ in range(40):
        sim.step()
        (reading,) = sim.sensors["plain"]
        assert reading == (sim.data.sensor("plain").data[0] > 0.0)
        seen.add(reading)
    assert seen == {0.0, 1.0}


KEPT = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/>
<camera name="near" focal="0.01 0.01" sensorsize="0.02 0.02" resolution="100 100"/>
<camera name="far" mode="targetbody" target="a"/><light name="sun" directional="true" dir="0 1 -1"/>
<site name="s" pos="0 0 1"/></body></worldbody><sensor>
<jointpos name="p" joint="j"/><gyro site="s" noise="0.1"/><accelerometer name="x" site="s"/>
<rangefinder site="s" cutoff="4"/><framepos objtype="body" objname="a"/></sensor></mujoco>"""


def test_kept_sensors_cameras_and_lights_return_in_their_order() -> None:
    robot = ub.loads(KEPT, format="mjcf")
    text = ub.dumps(robot, format="mjcf", plain=True)
    before, after = (mujoco.MjModel.from_xml_string(x) for x in (KEPT, text))
    for name in ("sensor_type", "sensor_objid", "sensor_noise", "sensor_cutoff", "cam_fovy", "cam_mode",
                 "cam_sensorsize", "cam_intrinsic", "light_dir", "light_type", "site_pos"):  # fmt: skip
        assert np.allclose(getattr(before, name), getattr(after, name), atol=1e-6), name


def test_sensors_of_a_device_that_is_gone_are_gone() -> None:
    robot = ub.loads(KEPT, format="mjcf")
    (imu,) = (device for device in robot.devices if isinstance(device.spec, m.Imu))
    rest = replace(robot, devices=tuple(device for device in robot.devices if device is not imu))
    text = ub.dumps(rest, format="mjcf", plain=True)
    assert "gyro" not in text
    assert "<jointpos" in text
    assert "<rangefinder" in text


# --- contacts ---------------------------------------------------------------------------


def _touching(model: Any) -> set[frozenset[str]]:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    body = model.geom_bodyid
    return {
        frozenset(model.body(int(body[geom])).name for geom in data.contact[k].geom)
        for k in range(data.ncon)
    }


@pytest.mark.parametrize(
    ("rules", "pairs"),
    [
        (SelfCollision(), {"l0 l2", "l0 l3", "l1 l3"}),
        (SelfCollision(disabled=(("l0", "l2"),)), {"l0 l3", "l1 l3"}),
        (SelfCollision(default="none"), set()),
        (SelfCollision(default="none", enabled=(("l1", "l3"),)), {"l1 l3"}),
    ],
)
def test_mujoco_tests_the_pairs_that_the_robot_tests(
    rules: SelfCollision, pairs: set[str], tmp_path: Path
) -> None:
    robot = arm(4, 0.7, self_collision=rules)
    assert _touching(compiled(robot, tmp_path)) == {frozenset(pair.split()) for pair in pairs}
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


def test_a_robot_that_never_touches_itself_stands_on_the_floor(tmp_path: Path) -> None:
    robot = arm(4, self_collision=SelfCollision(default="none"), base="free")
    ub.save(robot, tmp_path / "m.xml", scene="floor")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "m_scene.xml"))
    assert frozenset(("world", "l0")) in _touching(model)


# --- keyframes --------------------------------------------------------------------------


def test_configurations_are_keyframes_of_all_positions(tmp_path: Path) -> None:
    half = Configuration(name="half", positions=(("j1", 0.5),))
    robot = arm(
        4,
        configurations=(half,),
        couplings=(Coupling(joint="j2", leader="j1", ratio=2.0, offset=0.1),),
        base="free",
        pose=Pose((0.0, 0.0, 1.0)),
    )
    model = compiled(robot, tmp_path)
    assert model.key("half").qpos.tolist() == [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.5, 1.1, 0.0]
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


KEYS = """<mujoco><compiler angle="radian"/><worldbody><body name="a" pos="0 0 1"><freejoint name="f"/>
<geom size="0.1"/><body name="b"><joint name="j" ref="0.5"/><geom size="0.1"/>
<body name="c"><joint name="k" type="ball"/><geom size="0.1"/></body></body></body></worldbody>
<actuator><motor joint="j"/></actuator><keyframe>
<key name="one" qpos="1 2 3 0 1 0 0 0.75 0.6 0.8 0 0" qvel="1 2 3 4 5 6 7 8 9 10" ctrl="3" time="2"/>
<key/></keyframe></mujoco>"""


def test_kept_keyframes_return_whole_and_follow_a_change() -> None:
    robot = ub.loads(KEYS, format="mjcf")
    assert dict(robot.configurations[0].positions) == {"j": 0.25}
    text = ub.dumps(robot, format="mjcf", plain=True)
    before, after = (mujoco.MjModel.from_xml_string(x) for x in (KEYS, text))
    for name in ("key_qpos", "key_qvel", "key_ctrl", "key_time"):
        assert np.array_equal(getattr(before, name), getattr(after, name)), name
    bent = replace(robot.configurations[0], positions=(("j", 1.0),))
    changed = replace(robot, configurations=(bent, *robot.configurations[1:]))
    model = mujoco.MjModel.from_xml_string(ub.dumps(changed, format="mjcf", plain=True))
    assert model.key_qpos[0].tolist() == [1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0, 1.5, 0.6, 0.8, 0.0, 0.0]
    assert model.key_ctrl[0].tolist() == [3.0]


# --- actuators --------------------------------------------------------------------------


def geared() -> Robot:
    robot = arm(4, couplings=(Coupling(joint="j3", leader="j2"),))
    j1 = replace(robot.joints[0], actuator=Actuator(gear_ratio=10.0))
    return replace(robot, joints=(j1, *robot.joints[1:]))


@pytest.mark.parametrize("style", ["motor", "position", "velocity"])
def test_actuators_of_a_style_drive_the_joints_that_nothing_else_moves(style: Any, tmp_path: Path) -> None:
    model = compiled(geared(), tmp_path, actuators=style)
    names = [model.joint(int(model.actuator_trnid[k, 0])).name for k in range(model.nu)]
    assert names == ["j1", "j2"]
    limits = {
        "motor": [[-4.0, 4.0], [-40.0, 40.0]],
        "position": [[-1.0, 2.0]] * 2,
        "velocity": [[-3.0, 3.0]] * 2,
    }
    assert model.actuator_ctrlrange.tolist() == limits[style]
    if style == "motor":
        assert model.actuator_gear[:, 0].tolist() == [10.0, 1.0]
    else:
        assert model.actuator_forcerange.tolist() == [[-40.0, 40.0]] * 2
    back = ub.load(tmp_path / "m.xml")
    assert {d.path for d in ub.diff(geared(), back)} <= {"extras", "joints/j2/actuator/gear_ratio"} | {
        d.path for d in ub.diff(geared(), back) if d.path.startswith("extras")
    }


def test_a_position_servo_holds_its_joint(tmp_path: Path) -> None:
    model = compiled(arm(3, self_collision=SelfCollision(default="none")), tmp_path, actuators="position")
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.5, -0.4
    for _ in range(1000):
        mujoco.mj_step(model, data)
    assert data.qpos == pytest.approx([0.5, -0.4], abs=0.03)
    assert np.abs(data.qvel).max() < 1e-3


def test_kept_actuators_stay_and_others_are_added() -> None:
    robot = ub.loads(KEYS, format="mjcf")
    assert ub.dumps(robot, format="mjcf", plain=True).count("<motor") == 1
    assert ub.dumps(robot, format="mjcf", plain=True, actuators="position").count("<position") == 0


# --- what MuJoCo rejects ------------------------------------------------------------------

THIN: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 3.0))


def test_an_impossible_inertia_is_reported_before_and_the_remedy_compiles(tmp_path: Path) -> None:
    robot = arm()
    links = [*robot.links[:2], replace(robot.links[2], inertial=replace(ROD, inertia=THIN))]
    robot = replace(robot, links=tuple(links))
    with pytest.raises(SaveError) as error:
        ub.save(robot, tmp_path / "m.xml")
    (finding,) = error.value.findings
    assert (finding.code, finding.subject) == ("inertial-rejected", "links/l2/inertial/inertia")
    assert "inertias" in finding.hint
    assert not (tmp_path / "m.xml").exists()
    model = compiled(robot, tmp_path, inertias="nearest")
    assert sorted(model.body("l2").inertia) == pytest.approx([1.0, 1.0, 2.0])
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


def test_the_inertia_of_what_is_fixed_to_the_world_does_not_matter(tmp_path: Path) -> None:
    robot = arm()
    robot = replace(
        robot, links=(replace(robot.links[0], inertial=replace(ROD, inertia=THIN)), *robot.links[1:])
    )
    assert compiled(robot, tmp_path).nbody == 4
    with pytest.raises(SaveError):
        ub.save(replace(robot, base="free"), tmp_path / "free.xml")


@pytest.mark.parametrize(
    "moments",
    [
        (1.0, 1.0, 0.0),
        (0.0, 0.0, 0.0),
        (1.0, 1.0, 2.0),
        (0.3, 0.4, 0.7),
        (1e-26, 1e-26, 2e-26),
        (1e-14, 1e-14, 1e-14),
        (1e-14, 1e-8, 1e-8),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_mujoco_accepts_what_is_balanced(
    moments: tuple[float, float, float], turned: bool, tmp_path: Path
) -> None:
    turn = np.array(TURNED.rotation()) if turned else np.eye(3)
    rows = (turn @ np.diag(moments) @ turn.T).tolist()
    a, b, c = (tuple(row) for row in rows)
    robot = arm()
    last = replace(robot.links[2], inertial=replace(ROD, inertia=(a, b, c)))
    model = compiled(replace(robot, links=(*robot.links[:2], last)), tmp_path)
    assert sorted(model.body("l2").inertia) == pytest.approx(sorted(moments), abs=3e-9)


def test_a_possible_inertia_is_not_changed() -> None:
    for moments in ((1.0, 2.0, 2.5), (1.0, 1.0, 2.0)):
        rows = np.diag(moments).tolist()
        made: Any = tuple(tuple(row) for row in rows)
        assert balanced(made) is made


# --- the whole --------------------------------------------------------------------------


def test_the_options_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = str(tmp_path / "arm.urdf"), tmp_path / "arm.xml"
    ub.save(arm(), source)
    assert main(["convert", source, str(out), "--actuators", "motor", "--scene"]) == 0
    assert "files: 2" in capsys.readouterr().out
    assert out.read_text().count("<motor name=") == 2
    assert '<include file="arm.xml"/>' in (tmp_path / "arm_scene.xml").read_text()
    assert main(["convert", source, str(out), "--scene"]) == 2
    assert main(["convert", source, str(out), "--overwrite"]) == 0
    assert main(["convert", source, str(tmp_path / "b.urdf"), "--actuators", "motor"]) == 2


@pytest.mark.parametrize("name", ["kitchen_sink"])
def test_the_neutral_kitchen_sink_loads(name: str, tmp_path: Path) -> None:
    robot = neutral(name)
    try:
        report = ub.save(robot, tmp_path / "m.xml", inertias="nearest")
    except SaveError as error:
        pytest.fail(str(error))
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


@pytest.mark.parametrize("points", [3, 4])
def test_a_flat_shape_collides(points: int, tmp_path: Path) -> None:
    corners = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0)
    faces = (0, 1, 2, -1, 0, 2, 3, -1)
    flat = Shape(geometry=Mesh(vertices=corners[: 3 * points], faces=faces[: 4 * (points - 2)]))
    line = Shape(geometry=Mesh(vertices=corners[:6] + corners[:3], faces=(0, 1, 2, -1)))
    robot = arm(1, base="free")
    robot = replace(robot, links=(replace(robot.links[0], visuals=(flat, line), collisions=(flat,)),))
    model = compiled(robot, tmp_path)
    assert sorted(model.geom_contype.tolist()) == [0, 1]
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


def test_the_options_of_a_model_in_memory() -> None:
    robot = arm()
    links = (*robot.links[:2], replace(robot.links[2], inertial=replace(ROD, inertia=THIN)))
    made = ub.to_mujoco(replace(robot, links=links), actuators="motor", inertias="nearest", scene="floor")
    assert made.model.nu == 2
    assert made.model.geom("scene_floor").bodyid == [0]


def test_a_massless_link_keeps_its_moments(tmp_path: Path) -> None:
    rotor = Inertial(mass=0.0, inertia=((0.06, 0.001, 0.0), (0.001, 0.03, 0.0), (0.0, 0.0, 0.05)))
    made = arm()
    links = (*made.links[:2], replace(made.links[2], inertial=rotor))
    text = ub.dumps(replace(made, links=links), format="mjcf", plain=True)
    back = ub.loads(text, format="mjcf").links[2].inertial
    assert back is not None
    assert back.mass == pytest.approx(1e-9)
    assert np.allclose(back.inertia, rotor.inertia, rtol=1e-12)


@pytest.mark.parametrize("change", [{}, {"pose": TURNED}, {"mass": ROD}])
def test_a_root_called_world_is_the_world_or_a_body(change: dict[str, Any], tmp_path: Path) -> None:
    made = arm()
    root = replace(made.links[0], name="world", inertial=change.pop("mass", None))
    joints = (replace(made.joints[0], parent="world"), *made.joints[1:])
    robot = replace(made, links=(root, *made.links[1:]), joints=joints, **change)
    report = ub.save(robot, tmp_path / "m.xml")
    assert [loss.path for loss in report.losses if loss.row is None or not loss.carried] == []
    renamed = [loss.row.why for loss in report.losses if loss.path == "links/world" and loss.row]
    assert len(renamed) == (robot.pose != Pose() or root.inertial is not None)
    assert all("the world has neither a mass nor a pose" in why for why in renamed)
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


def test_frames_inside_of_a_chain_of_joints_are_reported(tmp_path: Path) -> None:
    first, second = (Pose((0.1, 0.0, 0.2), (0.8, *axis)) for axis in ((0.6, 0.0, 0.0), (0.0, 0.6, 0.0)))
    joints = (
        Joint(name="j", kind="revolute", parent="l0", child="m", origin=first),
        Joint(name="k", kind="prismatic", parent="m", child="l1", origin=second, axis=(0.0, 1.0, 0.0)),
    )
    links = (Link(name="l0", inertial=ROD), Link(name="m"), Link(name="l1", inertial=ROD))
    robot = Robot(name="r", links=links, joints=joints, base="fixed")
    report = ub.save(robot, tmp_path / "m.xml")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert report.proof is not None
    assert report.proof.rotations is not None
    assert report.proof.rotations < 1e-12
    explained = [(x.quantity, x.count, x.cause) for x in report.proof.explained]
    assert explained == [("rotations", 1, "frames of links in chains")]
    assert ub.diff(robot, ub.load(tmp_path / "m.xml")) == []


@pytest.mark.parametrize(
    ("kind", "base"),
    [("fixed", "fixed"), ("floating", "free")],
)
def test_the_only_body_of_a_world_link_is_the_root_where_it_was(
    kind: str, base: str, tmp_path: Path
) -> None:
    text = (
        '<robot name="r"><link name="world"/><link name="base"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        f'<joint name="hold" type="{kind}"><parent link="world"/><child link="base"/>'
        '<origin xyz="1 2 3" rpy="0 0 1"/></joint></robot>'
    )
    report = ub.save(ub.loads(text, format="urdf"), tmp_path / "r.xml")
    rows = {loss.row.what for loss in report.losses if loss.row} - {"settings of MJCF"}
    assert rows == {"worlds with one body"}
    assert report.proof is not None
    assert report.proof.positions == pytest.approx(0.0)
    assert report.proof.rotations == pytest.approx(0.0)
    made = plain(tmp_path / "r.xml")
    assert (made.root, made.base) == ("base", base)
    assert made.pose.xyz == (1.0, 2.0, 3.0)


def test_joints_without_masses_between_that_move_alike_are_several_bodies(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    robot = Robot(
        name="kinematics",
        links=(*(Link(name=f"l{k}") for k in range(4)), Link(name="l4", inertial=ROD)),
        joints=tuple(
            Joint(name=f"j{k}", kind="revolute", parent=f"l{k}", child=f"l{k + 1}", axis=axis)
            for k, axis in enumerate(axes)
        ),
        base="fixed",
    )
    report = ub.save(robot, tmp_path / "m.xml", plain=True)
    assert [str(loss.path) for loss in report.losses if loss.row and loss.row.what == "massless links"] == [
        "links/l2/inertial"
    ]
    with silence(capfd):
        model = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    assert model.body_jntnum.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "screw"])
def test_the_inertia_felt_at_a_joint_stands_on_the_diagonal_of_the_mass_matrix(kind: Any) -> None:
    robot = arm(4)
    more: dict[str, Any] = {"pitch": 0.3} if kind == "screw" else {}
    joints = tuple(replace(j, kind=kind, axis=(0.6, 0.0, 0.8), origin=TURNED, **more) for j in robot.joints)
    robot = replace(robot, joints=joints, base="fixed")
    mechanism = ub.assemble(robot)
    felt = joint_inertias(robot)
    expected = np.diagonal(mechanism.mass_matrix(np.zeros(mechanism.nq)))
    assert [felt[name] for name in mechanism.joint_names] == pytest.approx(list(expected), rel=1e-12)


def test_the_efforts_that_hold_a_posture_of_a_tilted_robot() -> None:
    text = """<mujoco><worldbody><body name="base" euler="30 40 10"><geom size=".1"/>
      <body name="l" pos="0 .1 .2" euler="10 20 30"><joint name="j" axis="1 1 0"/>
        <geom size=".1" pos=".2 .1 0"/><body name="m" pos=".3 0 0" euler="0 50 0">
          <joint name="k" type="slide" axis="1 0 1" stiffness="3" springref=".2"/>
          <geom type="box" size=".1 .2 .3" pos=".1 .1 .1"/></body></body></body></worldbody>
      <keyframe><key qpos=".3 .1"/></keyframe></mujoco>"""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    (held,) = efforts(ub.loads(text, format="mjcf"))
    needed = data.qfrc_bias - data.qfrc_passive
    assert [held["j"], held["k"]] == pytest.approx(needed.tolist(), rel=1e-9)


def test_links_with_one_name_are_written_once() -> None:
    """A link below another one of its name has the same joints below: each of these is written once."""
    links = tuple(Link(name=name) for name in ("o", "a", "b", "a", "c"))
    ends = (("o", "a"), ("a", "b"), ("b", "a"), ("a", "c"))
    joints = tuple(
        Joint(name=f"{parent}-{child}", kind="revolute", parent=parent, child=child)
        for parent, child in ends
    )
    todo: list[Any] = [*from_robot(Robot(name="r", links=links, joints=joints)).items]
    names = []
    for item in todo:
        names += [item.name] if item.KEY == "joint" else []
        todo += getattr(item, "items", [])
    assert sorted(names) == ["a-b", "a-c", "b-a", "o-a"]
