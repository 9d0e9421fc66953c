"""Frames that become links of URDF files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub

MODEL = """<mujoco model="m"><worldbody><body name="b"><joint name="j"/><geom size=".1"/>
<site name="imu" pos="0 0 .1" euler="0 0 30"/><site name="plain"/><site name="rope" pos="0 .1 .2"/>
<body name="c"><joint name="k"/><geom size=".1"/><site name="push" pos="0 0 1"/><site name="c"/>
<site name="head" pos=".1 0 0"/></body></body></worldbody>
<sensor><accelerometer site="imu"/><framepos objtype="site" objname="c"/></sensor>
<actuator><motor site="push" gear="0 0 1 0 0 0"/></actuator>
<tendon><spatial name="t"><site site="rope"/><site site="head"/></spatial></tendon></mujoco>"""
USED = {"imu", "rope", "push", "c", "head"}


@pytest.mark.parametrize(
    ("chosen", "names"), [("", USED), ("used", USED), ("all", {*USED, "plain"}), ("none", set())]
)
def test_frames_become_links_behind_fixed_joints(chosen: str, names: set[str]) -> None:
    before = ub.loads(MODEL, format="mjcf")
    after = ub.loads(ub.dumps(before, format="urdf", plain=True, frames=chosen), format="urdf")
    # the frame "c" gets another name than the link "c"
    expected = {"c_2" if name == "c" else name for name in names}
    made = {link.name for link in after.links} - {link.name for link in before.links}
    assert len(made) == len(expected)
    assert {name for name in made if not name.startswith("c")} == {x for x in expected if x[0] != "c"}
    m = ub.assemble(after)
    poses = dict(zip(m.link_names, m.forward_kinematics(np.array([0.3, -0.2])), strict=True))
    for joint in after.joints:
        if joint.child in made:
            assert joint.kind == "fixed"
            frame = next(f for f in before.frames if joint.child in (f.name, f"{f.name}_2", f"{f.name}_1"))
            assert joint.parent == frame.link
            wanted = poses[frame.link] @ np.array(frame.pose.matrix())
            assert np.allclose(poses[joint.child], wanted, atol=1e-12)


def test_frames_come_back_from_the_side_car(tmp_path: Path) -> None:
    robot = ub.loads(MODEL, format="mjcf")
    report = ub.save(robot, tmp_path / "m.urdf")
    assert [loss.path for loss in report.losses if loss.row is None] == []
    assert ub.load(tmp_path / "m.urdf").frames == robot.frames


def test_traced_frames_are_used() -> None:
    frames = (ub.Frame(name="tip", link="base", trace=True), ub.Frame(name="other", link="base"))
    robot = ub.Robot(name="r", links=(ub.Link(name="base"),), frames=frames)
    assert '<link name="tip"/>' in (text := ub.dumps(robot, format="urdf", plain=True))
    assert "other" not in text
