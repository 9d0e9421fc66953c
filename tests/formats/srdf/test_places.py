"""Where MoveIt packages keep the SRDF of a URDF, and the URDF of an SRDF."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub

URDF = """<robot name="arm"><link name="base"/><link name="hand"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="hand"/></joint></robot>"""
SRDF = '<robot name="{}"><group name="all"><joint name="turn"/></group></robot>'
MACRO = """<robot xmlns:xacro="http://wiki.ros.org/xacro" name="arm"><xacro:arg name="group" default="all"/>
<group name="$(arg group)"><joint name="turn"/></group></robot>"""
#: Notes of the setup assistants of MoveIt 1 and 2.
FIRST = "moveit_setup_assistant_config:\n  URDF:\n    package: {}\n    relative_path: {}\n"
SECOND = (
    "moveit_setup_assistant_config:\n  urdf:\n    package: {}\n    relative_path: {}\n    xacro_args: ''\n"
)


def packages(top: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, "utf-8")
    for folder in {name.split("/")[0] for name in files}:
        (top / folder / "package.xml").write_text(f"<package><name>{folder}</name></package>")


@pytest.mark.parametrize(
    ("urdf", "srdf"),
    [
        ("arm_description/urdf/arm.urdf", "arm_moveit_config/config/arm.srdf"),
        ("arm_description/urdf/arm.urdf", "arm_moveit_config/config/arm.srdf.xacro"),
        ("arm_description/urdf/arm.urdf.xacro", "arm_moveit_config/config/arm.srdf"),
        ("arm_description/robots/small/arm.urdf.xacro", "arm_moveit_config/config/arm.srdf"),
        ("acme_arm_support/urdf/arm.urdf", "acme_arm_moveit_config/config/acme_arm.srdf"),
        ("acme_robots/urdf/arm.urdf", "acme_moveit/srdf/small_arm.srdf.xacro"),
        ("arm_description/arm.urdf", "arm_moveit_config/config/arm.srdf"),
        ("shop/urdf/arms/small/arm.urdf", "shop/srdf/arms/small/arm.srdf"),
        ("arm/urdf/arm.urdf", "arm/srdf/arm.srdf.xacro"),
    ],
)
def test_the_srdf_of_a_urdf(urdf: str, srdf: str, tmp_path: Path) -> None:
    text = MACRO if srdf.endswith("xacro") else SRDF.format("arm")
    other = "another_moveit_config/config/another.srdf"
    packages(tmp_path, {urdf: URDF, srdf: text, other: SRDF.format("another")})
    (tmp_path / "another_moveit_config/config/broken.srdf.xacro").write_text("<robot")
    reading = ub.read(tmp_path / urdf)
    assert reading.ok
    assert reading.robot is not None
    assert [group.name for group in reading.robot.groups] == ["all"]
    assert [Path(path).relative_to(tmp_path) for path in reading.beside] == [Path(srdf)]


@pytest.mark.parametrize("notes", [FIRST, SECOND])
def test_the_setup_assistant_notes_the_urdf(notes: str, tmp_path: Path) -> None:
    urdf = "acme_robots/models/one.urdf"
    srdf = "small_arm_moveit_config/config/arm.srdf"
    packages(tmp_path, {urdf: URDF, "acme_robots/models/two.urdf": URDF, srdf: SRDF.format("arm")})
    path = tmp_path / "small_arm_moveit_config/.setup_assistant"
    path.write_text(notes.format("acme_robots", "models/one.urdf"))
    reading = ub.read(tmp_path / srdf)
    assert reading.robot is not None
    assert [Path(path).relative_to(tmp_path) for path in reading.beside] == [Path(urdf)]
    for text in (
        notes.format("nowhere", "x.urdf"),
        "[",
        "a: &a [*a]",
        "moveit_setup_assistant_config: 3",
        "",
    ):
        path.write_text(text)
        assert {f.code for f in ub.read(tmp_path / srdf).findings} == {"urdf-missing"}


NEEDY = """<robot xmlns:xacro="http://wiki.ros.org/xacro" name="arm">
<xacro:arg name="dof" default=""/><xacro:arg name="prefix" default="x_"/>
<xacro:include filename="$(find acme_robots)/arms/a$(arg dof).xacro"/>
<xacro:arm prefix="$(arg prefix)"/></robot>"""
ARM = """<robot xmlns:xacro="http://wiki.ros.org/xacro"><xacro:macro name="arm" params="prefix">
<link name="${prefix}base"/><link name="${prefix}hand"/><joint name="turn" type="continuous">
<parent link="${prefix}base"/><child link="${prefix}hand"/></joint></xacro:macro></robot>"""


@pytest.mark.parametrize(
    "given",
    [
        "dof:=7 prefix:=left_",
        "'--inorder dof:=7 prefix:=left_'",
        "\"dof:=7 prefix:='left_' \"",
        ">-\n      dof:=7\n      prefix:=left_",
        "|\n      dof:=7\n      prefix:=left_\n",
        "dof:=7\n      prefix:=left_",
    ],
)
@pytest.mark.parametrize("section", ["URDF", "urdf"])
@pytest.mark.parametrize("robots", ["src/acme_robots", "src/repo/group/acme_robots"])
def test_the_setup_assistant_notes_the_arguments_of_the_urdf(
    given: str, section: str, robots: str, tmp_path: Path
) -> None:
    config = "src/arm_moveit_config"
    state = '<group_state name="home" group="all"><joint name="turn" value="1"/></group_state></robot>'
    files = {
        f"{config}/config/arm.srdf": SRDF.format("arm").replace("</robot>", state),
        f"{config}/package.xml": "<package><name>arm_moveit_config</name></package>",
        f"{config}/.setup_assistant": f"moveit_setup_assistant_config:\n  {section}:\n"
        f"    package: acme_robots\n    relative_path: urdf/arm.urdf.xacro\n    xacro_args: {given}\n",
        f"{robots}/urdf/arm.urdf.xacro": NEEDY,
        f"{robots}/arms/a7.xacro": ARM,
        f"{robots}/arms/a6.xacro": ARM.replace("hand", "tool"),
        f"{robots}/package.xml": "<package><name>acme_robots</name></package>",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    reading = ub.read(tmp_path / config / "config/arm.srdf")
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    assert [link.name for link in reading.robot.links] == ["left_base", "left_hand"]
    assert reading.arguments["dof"] == "7"
    # the caller's come first
    reading = ub.read(tmp_path / config / "config/arm.srdf", arguments={"dof": "6"})
    assert reading.robot is not None
    assert [link.name for link in reading.robot.links] == ["left_base", "left_tool"]
