"""Included models: changes by experimental:params, and files of other versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.shared import DEV

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.model.shape import MeshFile

PART = """<sdf version="1.11"><model name="part">
  <link name="b"><inertial><mass>2</mass></inertial>
    <visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box/></geometry></visual></link>
  <link name="c"><pose>0 0 3 0 0 0</pose></link>
  <model name="in"><link name="d"/></model>
</model></sdf>"""


def included(params: str, part: str = PART, version: str = "1.11") -> Reading:
    params = f"<experimental:params>{params}</experimental:params>" if params else ""
    include = f"<include><uri>part.sdf</uri>{params}</include>"
    text = f'<sdf version="{version}"><model name="m"><link name="a"/>{include}</model></sdf>'
    return read("m.sdf", files=MemoryFiles({"m.sdf": text.encode(), "part.sdf": part.encode()}))


def changed(params: str) -> list[str]:
    found = included(params)
    assert "include-changes" not in [f.code for f in found.findings]
    assert found.robot is not None
    before = included("").robot
    assert before is not None
    found_now = [x for x in ub.diff(before, found.robot) if not x.path.startswith("joints")]
    return sorted(x.path if x.kind in ("added", "removed") else f"{x.path} {x.after}" for x in found_now)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ('<link element_id="c" action="remove"/>', ["links/part::c"]),
        ('<link element_id="" name="e" action="add"/>', ["links/part::e"]),
        ('<link element_id="in" name="e" action="add"/>', ["links/part::in::e"]),
        (
            '<link element_id="b" action="modify"><inertial><mass>3</mass></inertial></link>',
            ["links/part::b/inertial/mass 3.0"],
        ),
        (
            '<link element_id="b" action="modify"><visual name="v"><pose/></visual></link>',
            ["links/part::b/visuals/0/pose/xyz (0.0, 0.0, 0.0)"],
        ),
        (
            '<link element_id="b"><visual name="v" action="remove"/></link>',
            ["links/part::b/visuals/0"],
        ),
        (
            '<visual element_id="b::v"><geometry action="replace"><sphere/></geometry></visual>',
            ["links/part::b/visuals/0/geometry Sphere(radius=1.0)"],
        ),
        (
            '<link element_id="in::d" name="d" action="replace"><inertial><mass>4</mass></inertial></link>',
            ["links/part::in::d/inertial/mass 4.0"],
        ),
    ],
)
def test_changes_are_applied(params: str, expected: list[str]) -> None:
    assert changed(params) == expected


@pytest.mark.parametrize(
    "params",
    [
        "<link/>",
        '<link element_id="x" action="remove"/>',
        '<visual element_id="b" action="remove"/>',
        '<link element_id="b" action="drop"/>',
        '<link element_id="" action="add"/>',
        '<link element_id="" name="b" action="add"/>',
        '<link element_id="b"><visual name="v"/></link>',
        '<link element_id="b"><visual name="w" action="remove"/></link>',
        '<link element_id="b" action="replace"/>',
        '<sensor element_id="b" name="s" action="add"/>',
        '<link element_id="b" action="modify"><sensor><pose/></sensor></link>',
    ],
)
def test_changes_that_fit_nothing_are_reported(params: str) -> None:
    found = included(params)
    assert [f.code for f in found.findings].count("include-changes") == 1
    assert found.robot is not None
    plain = included("").robot
    assert plain is not None
    assert ub.diff(plain, found.robot) == []


@pytest.mark.usefixtures("shared")
def test_all_changes_of_gazebo_s_own_test(tmp_path: Path) -> None:
    folder = DEV / "gazebosim+sdformat/test/integration"
    for name in ("include_custom_model.sdf", "include_custom_model_expected_output.sdf"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    model = folder / "model/robot"
    (tmp_path / "robot").mkdir()
    for path in model.iterdir():
        (tmp_path / "robot" / path.name).write_bytes(path.read_bytes())
    first, second = (ub.load(path) for path in sorted(tmp_path.glob("*.sdf")))
    left = [x.path for x in ub.diff(first, second) if not x.path.startswith("extras")]
    # an empty <diffuse/> is black in the expected file, and white in a file of its own; libsdformat wrote
    # the gravity that the other file leaves out
    assert left == ["links/vehicle::top/visuals/1/material/diffuse", "gravity"]


def test_a_file_of_another_version_is_converted_on_its_own() -> None:
    part = PART.replace(
        '<model name="in">',
        '<joint name="j" type="revolute"><parent>b</parent><child>c</child><pose>0 0 0 1.57 0 0</pose>'
        '<axis><xyz>0 0 1</xyz></axis></joint><frame name="c"/><model name="in">',
    )
    (old, new) = (included("", part, version) for version in ("1.4", "1.11"))
    assert old.robot is not None
    assert new.robot is not None
    assert old.robot.joint("part::j").axis == new.robot.joint("part::j").axis
    assert [f.code for f in new.findings].count("name-duplicate") == 1


URDF = """<robot name="x"><link name="base"><inertial><mass value="2"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tip"><inertial><origin xyz="0 0 0.1"/><mass value="1"/>
  <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="m.stl"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="tip"/>
  <origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
<gazebo reference="tip"><gravity>false</gravity></gazebo></robot>"""


def with_urdf(urdf: str, more: str = "") -> Reading:
    include = f"<include><uri>part/x.urdf</uri><name>arm</name><pose>1 0 0 0 0 0</pose>{more}</include>"
    hold = '<joint name="hold" type="fixed"><parent>a</parent><child>arm::base</child></joint>'
    text = f'<sdf version="1.9"><model name="m"><link name="a"/>{include}{hold}</model></sdf>'
    files = {"m.sdf": text.encode(), "part/x.urdf": urdf.encode(), "part/m.stl": b""}
    return read("m.sdf", files=MemoryFiles(files))


def test_a_urdf_is_included() -> None:
    change = '<link element_id="tip"><inertial action="modify"><mass>5</mass></inertial></link>'
    found = with_urdf(URDF, f"<experimental:params>{change}</experimental:params>").robot
    own = ub.loads(URDF)
    assert found is not None
    for name in ("kind", "limits", "dynamics", "axis"):
        assert getattr(found.joint("arm::j"), name) == getattr(own.joint("j"), name)
    assert found.joint("arm::j").origin.xyz == pytest.approx(own.joint("j").origin.xyz)
    assert found.joint("arm::j").origin.quat == pytest.approx(own.joint("j").origin.quat)
    assert found.joint("hold").origin.xyz == (1.0, 0.0, 0.0)
    tip = found.link("arm::tip")
    assert tip.inertial is not None
    assert (tip.inertial.mass, tip.inertial.com, tip.gravity_compensation) == (5.0, (0.0, 0.0, 0.1), 1.0)
    (shape,) = tip.visuals
    assert isinstance(shape.geometry, MeshFile)
    assert shape.geometry.path == "part/m.stl"


def test_a_urdf_that_cannot_be_read_is_reported_at_its_place() -> None:
    found = with_urdf(URDF.replace('<child link="tip"/>', '<child link="tap"/>'))
    assert {f.at.source.name for f in found.findings if f.severity == "error" and f.at} >= {"part/x.urdf"}
    assert [f.code for f in with_urdf("<robot name='x'/>").findings].count("links-missing") == 1
