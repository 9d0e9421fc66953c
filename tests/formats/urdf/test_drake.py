"""Drake's dialect of URDF: joints, shapes, point constraints, and groups that do not collide."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.model import shape as s
from unibody.model.robot import BALL

JOINTS = """\
<robot name="d" xmlns:drake="https://drake.mit.edu">
  <link name="a"/><link name="b"/><link name="c"/><link name="e"/><link name="f"/>
  <drake:joint name="ball" type="ball"><parent link="a"/><child link="b"/>
    <origin xyz="0 0 0.1"/></drake:joint>
  <drake:joint name="uni" type="universal"><parent link="b"/><child link="c"/></drake:joint>
  <drake:joint name="screw" type="screw"><parent link="c"/><child link="e"/><axis xyz="0 2 0"/>
    <dynamics damping="0.3"/><drake:screw_thread_pitch value="0.01"/></drake:joint>
  <drake:joint name="plane" type="planar"><parent link="e"/><child link="f"/>
    <axis xyz="1 0 0"/></drake:joint>
  <drake:ball_constraint><drake:ball_constraint_body_A name="a"/><drake:ball_constraint_p_AP value="0 0 1"/>
    <drake:ball_constraint_body_B name="f"/><drake:ball_constraint_p_BQ value="0 1 0"/>
  </drake:ball_constraint>
</robot>
"""
GROUPS = """\
<robot name="g" xmlns:drake="https://drake.mit.edu">
  {links}
  <drake:collision_filter_group name="left">
    <drake:member link="a"/><drake:member link="b"/>
    <drake:ignored_collision_filter_group name="left"/>
    <drake:ignored_collision_filter_group name="right"/>
  </drake:collision_filter_group>
  <drake:collision_filter_group name="right"><drake:member_group name="tip"/></drake:collision_filter_group>
  <drake:collision_filter_group name="tip"><drake:member link="c"/></drake:collision_filter_group>
  <drake:collision_filter_group name="off" ignore="true"><drake:member link="e"/>
    <drake:ignored_collision_filter_group name="left"/></drake:collision_filter_group>
</robot>
"""
SPHERE = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'


def links(names: str) -> str:
    made = "".join(f'<link name="{name}">{SPHERE}</link>' for name in names)
    return made + "".join(
        f'<joint name="{x}" type="fixed"><parent link="{names[0]}"/><child link="{x}"/></joint>'
        for x in names[1:]
    )


def model(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "robot.urdf"
    path.write_text(text, "utf-8")
    return path


def test_joints_are_those_of_drake(tmp_path: Path) -> None:
    reading = ub.read(model(tmp_path, JOINTS))
    assert reading.ok
    assert reading.robot is not None
    ball, uni, screw, plane = reading.robot.joints
    assert (ball.kind, ball.origin.xyz) == ("ball", (0.0, 0.0, 0.1))
    assert (uni.kind, uni.axis, uni.axis2) == ("universal", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert (screw.kind, screw.axis, screw.pitch) == ("screw", (0.0, 1.0, 0.0), 0.01)
    assert screw.dynamics.damping == 0.3
    # Drake does not look at the axis of a planar joint
    assert (plane.kind, plane.axis) == ("planar", (0.0, 0.0, 1.0))
    (loop,) = reading.robot.loops
    assert (loop.link_a, loop.link_b, loop.holds) == ("a", "f", BALL)
    assert (loop.pose_a.xyz, loop.pose_b.xyz) == ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    found = [f for f in reading.findings if f.severity != "info"]
    assert [f.code for f in found] == ["drake-element", "axis-not-unit", "drake-element"]
    assert "(4 times)" in found[0].message


@pytest.mark.parametrize(
    ("shape", "made"),
    [
        ('<drake:capsule radius="0.1" length="0.3"/>', s.Capsule(radius=0.1, height=0.3)),
        ('<drake:ellipsoid a="0.1" b="0.2" c="0.3"/>', s.Ellipsoid(radii=(0.1, 0.2, 0.3))),
    ],
)
def test_shapes_are_those_of_drake(shape: str, made: s.Geometry, tmp_path: Path) -> None:
    inner = f"<collision><geometry>{shape}</geometry></collision>"
    path = model(tmp_path, f'<robot name="d"><link name="a">{inner}</link></robot>')
    reading = ub.read(path)
    assert reading.robot is not None
    assert reading.robot.links[0].collisions[0].geometry == made
    assert [f.code for f in reading.findings] == ["drake-element"]


def test_a_mesh_declared_convex_collides_as_its_hull(tmp_path: Path) -> None:
    (tmp_path / "m.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    mesh = '<geometry><mesh filename="m.obj"><drake:declare_convex/></mesh></geometry>'
    inner = f"<visual>{mesh}</visual><collision>{mesh}</collision>"
    path = model(tmp_path, f'<robot name="d"><link name="a">{inner}</link></robot>')
    (link,) = ub.load(path).links
    assert (link.visuals[0].hull, link.collisions[0].hull) == (False, True)


def test_an_edited_file_stays_in_the_dialect(tmp_path: Path) -> None:
    shapes = '<collision><geometry><drake:ellipsoid a="0.1" b="0.2" c="0.3"/></geometry></collision>'
    path = model(tmp_path, JOINTS.replace('<link name="c"/>', f'<link name="c">{shapes}</link>'))
    robot = ub.prefix(ub.load(path), "l_")
    report = ub.save(robot, tmp_path / "out" / "out.urdf")
    assert not report.losses
    text = (tmp_path / "out" / "out.urdf").read_text("utf-8")
    assert text.count("<drake:joint ") == 4
    assert "<joint " not in text
    assert '<drake:ellipsoid a="0.1" b="0.2" c="0.3"/>' in text
    assert '<drake:ball_constraint_body_B name="l_f"/>' in text
    assert ub.diff(robot, ub.load(tmp_path / "out" / "out.urdf")) == []


def test_files_of_other_programs_get_none_of_it(tmp_path: Path) -> None:
    path = model(tmp_path, JOINTS.replace(' xmlns:drake="https://drake.mit.edu"', ""))
    ub.convert(path, tmp_path / "arm.xml")
    ub.convert(tmp_path / "arm.xml", tmp_path / "again.urdf", plain=True)
    text = (tmp_path / "again.urdf").read_text("utf-8")
    assert "drake:" not in text
    a, b = (ub.assemble(ub.load(x)) for x in (path, tmp_path / "again.urdf"))
    ends = [m.forward_kinematics(m.initial)[..., m.link_names.index("f"), :3, 3] for m in (a, b)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)


def pairs(robot: ub.Robot) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in robot.self_collision.disabled}


def test_groups_exclude_pairs(tmp_path: Path) -> None:
    reading = ub.read(model(tmp_path, GROUPS.format(links=links("abce"))))
    assert reading.robot is not None
    expected = {frozenset("ab"), frozenset("ac"), frozenset("bc")}
    assert pairs(reading.robot) == expected
    assert not reading.findings
    # the file itself says it: no SRDF is needed, and MJCF gets its own elements
    ub.convert(tmp_path / "robot.urdf", tmp_path / "out" / "out.urdf")
    assert [x.name for x in (tmp_path / "out").iterdir()] == ["out.urdf"]
    assert ub.diff(reading.robot, ub.load(tmp_path / "out" / "out.urdf")) == []
    renamed = ub.rename(reading.robot, {"c": "hand"})
    assert frozenset(("a", "hand")) in pairs(renamed)


def test_pairs_of_groups_are_excluded_in_mjcf_and_beside_those_of_an_srdf(tmp_path: Path) -> None:
    text = GROUPS.format(links=links("abce").replace('type="fixed"', 'type="continuous"'))
    path = model(tmp_path, text)
    ub.convert(path, tmp_path / "arm.xml")
    assert '<exclude body1="b" body2="c"/>' in (tmp_path / "arm.xml").read_text("utf-8")
    path.with_suffix(".srdf").write_text(
        '<robot name="g"><disable_collisions link1="b" link2="e" reason="Never"/></robot>', "utf-8"
    )
    assert pairs(ub.load(path)) == {frozenset(x) for x in ("ab", "ac", "bc", "be")}


@pytest.mark.parametrize(
    ("old", "new"), [('"c"/></drake', '"x"/></drake'), ('name="right"/>', 'name="x"/>')]
)
def test_unknown_members_and_groups_are_reported(old: str, new: str, tmp_path: Path) -> None:
    text = GROUPS.format(links=links("abce"))
    assert old in text
    reading = ub.read(model(tmp_path, text.replace(old, new)))
    assert [f.code for f in reading.findings] == ["link-unknown"]


def test_a_zero_axis_of_a_screw_is_assumed(tmp_path: Path) -> None:
    reading = ub.read(model(tmp_path, JOINTS.replace('xyz="0 2 0"', 'xyz="0 0 0"')))
    assert reading.ok
    assert reading.robot is not None
    assert reading.robot.joint("screw").axis == (1.0, 0.0, 0.0)
    (found,) = [f for f in reading.findings if f.code == "axis-zero"]
    assert (found.severity, "using 1 0 0" in found.message) == ("warning", True)


@pytest.mark.parametrize(("text", "damping"), [("0.2", 0.2), ("0.2 0.2 0.2", 0.2), ("0.2 0.2 0.1", 0.2)])
def test_a_planar_joint_has_a_damping_for_each_direction(text: str, damping: float, tmp_path: Path) -> None:
    plane = f'<axis xyz="1 0 0"/><dynamics damping="{text}"/></drake:joint>'
    path = model(tmp_path, JOINTS.replace('<axis xyz="1 0 0"/></drake:joint>', plane))
    reading = ub.read(path)
    assert reading.ok
    assert reading.robot is not None
    assert reading.robot.joint("plane").dynamics.damping == damping
    assert ("damping-uneven" in {f.code for f in reading.findings}) == ("0.1" in text)
    ub.save(ub.prefix(reading.robot, "l_"), tmp_path / "out" / "out.urdf", plain=True)
    assert '<dynamics damping="0.2 0.2 0.2"' in (tmp_path / "out" / "out.urdf").read_text("utf-8")
