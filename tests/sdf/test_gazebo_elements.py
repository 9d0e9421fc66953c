"""What a URDF says to Gazebo in <gazebo> is in the SDF that is written of it, and that includes it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.sdf import libsdformat

import unibody as ub

LINK = """<link name="{}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><sphere radius="1"/></geometry></visual>
<collision><geometry><sphere radius="1"/></geometry></collision></link>"""
URDF = f"""<robot name="arm">{LINK.format("base")}{LINK.format("hand")}
<joint name="turn" type="continuous"><parent link="base"/><child link="hand"/></joint>
<gazebo><plugin name="drive" filename="libdrive.so"><gain>3</gain></plugin></gazebo>
<gazebo reference="hand"><mu1>0.3</mu1><mu2>0.3</mu2><kp>1000</kp><kd>2</kd><maxContacts>4</maxContacts>
  <dampingFactor>0.1</dampingFactor><laserRetro>5</laserRetro><turnGravityOff>true</turnGravityOff>
  <sensor type="camera" name="eye"><update_rate>30</update_rate><camera><image><width>100</width>
  <height>80</height></image></camera><plugin name="pictures" filename="libp.so"/></sensor>
  <sensor type="imu"/></gazebo>
<gazebo reference="turn"><provideFeedback>true</provideFeedback><stopCfm>0.1</stopCfm>
  <stopErp>0.3</stopErp></gazebo>
<gazebo reference="nothing"><kp>1</kp></gazebo></robot>"""
#: Where Gazebo reads what, and what is there.
SAID = {
    "plugin/gain": "3",
    "link[@name='hand']/gravity": "false",
    "link[@name='hand']/collision/max_contacts": "4",
    "link[@name='hand']/collision/laser_retro": "5",
    "link[@name='hand']/collision/surface/friction/ode/mu": "0.3",
    "link[@name='hand']/collision/surface/contact/ode/kp": "1000",
    "link[@name='hand']/collision/surface/contact/ode/kd": "2",
    "link[@name='hand']/visual/laser_retro": "5",
    "link[@name='hand']/velocity_decay/linear": "0.1",
    "link[@name='hand']/velocity_decay/angular": "0.1",
    "link[@name='hand']/sensor[@name='eye']/camera/image/width": "100",
    "joint[@name='turn']/physics/provide_feedback": "true",
    "joint[@name='turn']/physics/ode/limit/cfm": "0.1",
    "joint[@name='turn']/physics/ode/limit/erp": "0.3",
}


def test_the_written_file_says_it_to_gazebo(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    report = ub.convert(tmp_path / "arm.urdf", tmp_path / "arm.sdf", plain=True)
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    model = ET.parse(tmp_path / "arm.sdf").getroot().find("model")
    assert model is not None
    assert {path: model.findtext(path) for path in SAID} == SAID
    # once each
    assert [len(model.findall(path)) for path in SAID] == [1] * len(SAID)
    assert len(model.findall(".//sensor")) == 1
    # and with the side-car the robot is what it was
    ub.convert(tmp_path / "arm.urdf", tmp_path / "with.sdf")
    assert ub.diff(ub.load(tmp_path / "arm.urdf"), ub.load(tmp_path / "with.sdf")) == []
    ub.convert(tmp_path / "with.sdf", tmp_path / "back.urdf")
    assert ub.diff(ub.load(tmp_path / "arm.urdf"), ub.load(tmp_path / "back.urdf")) == []


def test_an_included_urdf_says_it_too(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    path = tmp_path / "m.sdf"
    path.write_text(
        "<sdf version='1.11'><model name='m'><include><uri>arm.urdf</uri></include></model></sdf>"
    )
    robot = ub.load(path)
    link = robot.link("arm::hand")
    contact = link.collisions[0].contact
    assert contact is not None
    assert (contact.sliding, link.gravity_compensation) == (0.3, 1.0)
    assert [(x.name, x.link, x.spec.kind) for x in robot.devices] == [("eye", "arm::hand", "camera")]
    kept = {extra.owner for extra in robot.extras}
    assert {"", "links/arm::hand", "joints/arm::turn", "devices/eye"} <= kept
    assert any(extra.node.get("model") is not None for extra in robot.extras)


def test_values_of_older_files_are_attributes_and_others_are_left_out(tmp_path: Path) -> None:
    said = """<kp value="7"/><kd/><maxVel>fast</maxVel><maxContacts>2.5</maxContacts>
    <sensor name="s" type="ray"><update_rate>often</update_rate></sensor><plugin/>
    <sensor name="t" type="contact"/>"""
    text = URDF.replace("<mu1>", f"{said}<mu1>").replace(
        "<kp>1000</kp><kd>2</kd><maxContacts>4</maxContacts>", ""
    )
    (tmp_path / "arm.urdf").write_text(text)
    report = ub.convert(tmp_path / "arm.urdf", tmp_path / "arm.sdf", plain=True)
    assert [str(x.difference) for x in report.losses if x.row is None] == []
    link = ET.parse(tmp_path / "arm.sdf").getroot().find("model/link[@name='hand']")
    assert link is not None
    surface = link.find("collision/surface/contact/ode")
    assert surface is not None
    assert [(x.tag, x.text) for x in surface] == [("kp", "7")]
    assert [x.get("name") for x in link.findall("sensor")] == ["t", "eye"]


@pytest.mark.slow
def test_libsdformat_finds_it(tmp_path: Path) -> None:
    libsdformat.needed()
    (tmp_path / "arm.urdf").write_text(URDF)
    ub.convert(tmp_path / "arm.urdf", tmp_path / "arm.sdf", plain=True, sdf_version="1.9")
    answer = libsdformat.ask(tmp_path / "arm.sdf")
    assert answer["errors"] == []
    sensors = [(x["name"], x["type"]) for link in answer["model"]["links"] for x in link["sensors"]]
    assert sensors == [("eye", "camera")]
