"""Faults of importers that were reported in public are named, each in an engine that loads a file with it.

The name of a case is that of the project and the number of its issue. Each has a robot of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.proof.robots import (
    Array,
    Maker,
    Robot,
    merged,
    mjcf,
    other_order,
    rotation,
    steiner,
    turned,
    urdf,
    without,
)
from tests.sampling import few

import unibody as ub
from unibody.model.pose import Pose, from_rpy, matrix_quaternion
from unibody.proof.result import EngineResult

#: The right file, the wrong one, and the causes of the difference.
Case = tuple[str, str, list[str]]


def inertial_rpy() -> Case:
    robot = Maker(1).arm("rrrr", turned=True).with_links(lambda x: {"rpy": (0.0, 0.0, 0.0)}, "l1")
    wrong = robot.with_links(lambda x: {"rpy": (0.0, 0.0, 0.0)})
    cause = (
        "'rpy' of <origin> in <inertial> ignored: "
        "inertia rotated: the axes of the inertial frame are ignored (l0, l2, l3, and 1 more)"
    )
    robot = robot.with_links(lambda x: {"rpy": (0.3, -0.7, 0.4)}, "l0")
    return urdf(robot), mjcf(wrong), [cause]


def about_origin() -> Case:
    robot = Maker(2).arm("rrrr")
    wrong = robot.with_links(lambda x: {"inertia": x.inertia + steiner(x.mass, x.com)})
    cause = "inertia about the origin of the link instead of the center of mass (l1, l2, l3, and 1 more)"
    return urdf(robot), urdf(wrong), [cause]


def products_sign() -> Case:
    robot = Maker(3).arm("rprr")
    wrong = robot.with_links(lambda x: {"inertia": 2.0 * np.diag(np.diag(x.inertia)) - x.inertia})
    return urdf(robot), urdf(wrong), ["products of inertia with the opposite sign (l1, l2, l3, and 1 more)"]


def scaled_twice() -> Case:
    robot, s = Maker(4).arm("rpr"), 0.85
    wrong = robot.with_links(lambda x: {"com": s * x.com, "inertia": s**5 * x.inertia})
    wrong = wrong.with_joints(lambda x: {"xyz": s * x.xyz})
    wrong = wrong.with_joints(lambda x: {"limits": (s * x.limits[0], s * x.limits[1])}, "j2")
    causes = [
        "lengths of origins multiplied by 0.85 (j1, j2, j3)",
        "center of mass multiplied by 0.85, inertia multiplied by 0.443705 (0.85^5) "
        "(l0, l1, l2, and 1 more)",
        "limits multiplied by 0.85 (j2)",
    ]
    return urdf(robot), mjcf(wrong), causes


def com_zero() -> Case:
    robot = Maker(5).arm("rrrrrr")
    wrong = robot.with_links(lambda x: {"com": np.zeros(3)})
    return (
        urdf(robot),
        mjcf(wrong),
        ["'xyz' of <origin> in <inertial> ignored: center of mass ignored (l0, l1, l2, and 4 more)"],
    )


def merged_unturned() -> Case:
    maker = Maker(6)
    robot = maker.fixed(maker.arm("rrr"), "l2", "blade", 1.7)
    cause = "inertia of links that are fixed to it not turned (l2, blade)"
    return urdf(robot), mjcf(merged(robot, "blade", turn=False)), [cause]


def merged_without_com() -> Case:
    maker = Maker(7)
    robot = maker.fixed(maker.arm("rrr"), "l3", "tool", 0.6)
    cause = "its own center of mass ignored where links that are fixed to it are added (l3, tool)"
    return urdf(robot), mjcf(merged(robot, "tool", own_com=False)), [cause]


def merged_rpy_of_the_last() -> Case:
    maker = Maker(8)
    robot = maker.fixed(maker.fixed(maker.arm("rrr"), "l3", "adapter", 0.3), "adapter", "grip", 0.9)
    wrong = merged(merged(robot, "grip", rotate=False), "adapter")
    return urdf(robot), mjcf(wrong), ["rotation of the joint's origin ignored (grip_mount)"]


def light_link() -> Case:
    maker = Maker(9)
    robot = maker.fixed(maker.fixed(maker.arm("rrr"), "l3", "flange", 1e-7), "flange", "cup", 0.93)
    cause = "mass of links that are fixed to it dropped (l3, flange, cup)"
    return urdf(robot), mjcf(without(robot, "flange", "cup")), [cause]


def mass_of_shapes() -> Case:
    robot = Maker(10).arm("rrr").with_links(lambda x: {"mass": 0.0}, "l0")
    wrong = robot.with_links(lambda x: {"mass": 3.0, "inertia": 4.0 * x.inertia}, "l0")
    cause = "mass of 3 kg added, another inertia (l0), the links without mass and no others"
    return urdf(robot), mjcf(wrong), [cause]


def gravity_along_y() -> Case:
    robot = Maker(11).arm("rrr")
    cause = "gravity along another axis: (0, -9.81, 0) m/s² in the engine, not (0, 0, -9.80665)"
    return mjcf(robot), mjcf(replace(robot, gravity=(0.0, -9.81, 0.0))), [cause]


def armature() -> Case:
    robot = Maker(12).arm("rrr", armature=2e-4)
    wrong = robot.with_joints(lambda x: {"armature": 0.1})
    return (
        mjcf(robot),
        mjcf(wrong),
        ["armature 0.1 for all joints, a constant that is not in the file (j1, j2, j3)"],
    )


def damping_per_degree() -> Case:
    robot = Maker(13).arm("rpr", damping=0.7)
    wrong = robot.with_joints(lambda x: {"damping": math.degrees(x.damping)}, "j1", "j3")
    return (
        mjcf(robot),
        mjcf(wrong),
        ["damping per degree: multiplied by 57.3 (j1, j3), the revolute joints and no others"],
    )


def friction_dropped() -> Case:
    robot = Maker(14).arm("rrr", damping=0.4, friction=0.3)
    wrong = robot.with_joints(lambda x: {"friction": 0.0})
    return urdf(robot), urdf(wrong), ["'friction' of <dynamics> ignored: friction missing (j1, j2, j3)"]


def springref() -> Case:
    robot = Maker(15).arm("rpr").with_joints(lambda x: {"stiffness": 30.0, "springref": 0.04}, "j2", "j3")
    wrong = robot.with_joints(lambda x: {"springref": 0.0})
    return (
        mjcf(robot),
        mjcf(wrong),
        ["'springref' of <joint> ignored: spring pulls toward zero (j2, j3)"],
    )


def rpy_order() -> Case:
    robot = Maker(16).arm("rrr", turned=True)
    wrong = robot.with_joints(lambda x: {"turn": other_order(x.rpy)}).with_links(
        lambda x: {
            "inertia": other_order(x.rpy) @ x.inertia @ other_order(x.rpy).T,
            "rpy": (0.0, 0.0, 0.0),
        }
    )
    causes = [
        "order of roll, pitch, yaw (j1, j2, j3)",
        "order of roll, pitch, yaw of the inertial frame (l1, l2, l3), "
        "the links whose inertial frame is turned and no others",
    ]
    return urdf(robot), mjcf(wrong), causes


def axis_turned() -> Case:
    robot = Maker(17).arm("rrr")
    wrong = robot.with_joints(lambda x: {"axis": x.rotated() @ x.axis})
    cause = "axis turned by the rotation of the joint's origin once more (as if stated in the wrong frame)"
    return urdf(robot), urdf(wrong), [f"{cause} (j1, j2, j3)"]


def axis_sign() -> Case:
    robot = Maker(18).arm("rrpr")
    return (
        urdf(robot),
        urdf(robot.with_joints(lambda x: {"axis": -x.axis}, "j2")),
        ["sign of the axis (j2)"],
    )


def axis_anywhere() -> Case:
    robot = Maker(19).arm("rrr")
    wrong = robot.with_joints(lambda x: {"axis": np.array([0.6, 0.64, 0.48])}, "j2")
    return urdf(robot), urdf(wrong), ["axis along 0.6, 0.64, 0.48 in the engine (j2)"]


def ref_ignored() -> Case:
    robot = Maker(20).arm("rrr", stiffness=3.0, damping=0.1)
    robot = robot.with_joints(lambda x: {"ref": -0.785, "limits": (-2.0, 1.1)}, "j3")
    wrong = robot.with_joints(lambda x: {"ref": 0.0})
    return (
        mjcf(robot),
        mjcf(wrong),
        ["'ref' of <joint> ignored: ref of the joint ignored: its zero is at 0 in the engine (j3)"],
    )


def anchor_ignored() -> Case:
    robot = Maker(21).arm("rrr", pos=np.array([0.03, -0.05, 0.04]))
    cause = "anchor of the joint ignored: it is at the origin of its body (j1, j2, j3)"
    cause = f"'pos' of <joint> ignored: {cause}"
    return mjcf(robot), mjcf(robot.with_joints(lambda x: {"pos": None})), [cause]


def welded_root() -> Case:
    robot = replace(Maker(22).arm("rrr"), free=True, pos=(0.0, 0.0, 0.6))
    cause = "base: the root link is fixed to the world in the engine (l0)"
    return mjcf(robot), mjcf(replace(robot, free=False)), [cause]


def freed_root() -> Case:
    robot = Maker(23).arm("rrr")
    cause = "base: the root link is free to move in the engine (l0)"
    return mjcf(robot), mjcf(replace(robot, free=True)), [cause]


def ranges_in_degrees() -> Case:
    robot = Maker(24).arm("rrr")
    wrong = robot.with_joints(lambda x: {"limits": (math.radians(x.limits[0]), math.radians(x.limits[1]))})
    cause = "limits in radians taken as degrees: multiplied by π/180 (j1, j2, j3)"
    cause = f"angles of the file in degrees, or 'range' of <joint> read in degrees: {cause}"
    return mjcf(robot), mjcf(wrong), [cause]


def slide_dropped() -> Case:
    robot = Maker(25).arm("prr")
    wrong = robot.with_joints(lambda x: {"kind": "fixed"}, "j1")
    return mjcf(robot), mjcf(wrong), ["joint welded: the engine does not have it (j1)"]


def class_ignored() -> Case:
    robot = Maker(26).arm("rrp", damping=3.0, armature=0.2)
    wrong = robot.with_joints(
        lambda x: {
            "kind": "revolute",
            "axis": np.array([0.0, 0.0, 1.0]),
            "limits": (-math.pi, math.pi),
            "damping": 0.1,
            "armature": 0.01,
        },
        "j3",
    )
    causes = [
        "joint of another kind in the engine: revolute (j3)",
        "limits of a full turn (j3)",
        "armature 0.01 in the engine, not that of the model (j3)",
        "damping 0.1 in the engine, not that of the model (j3)",
    ]
    return mjcf(robot), mjcf(wrong), causes


def quaternion_order() -> Case:
    robot = Maker(27).arm("rrr")

    def misread(rpy: tuple[float, float, float]) -> Array:
        w, x, y, z = from_rpy(*rpy)
        return np.array(Pose(quat=(z, w, x, y)).rotation())

    wrong = robot.with_joints(lambda x: {"turn": misread(x.rpy)})
    return mjcf(robot), mjcf(wrong), ["order of the quaternion (j1, j2, j3)"]


def root_elsewhere() -> Case:
    robot = replace(Maker(28).arm("rrr"), pos=(0.1, -0.2, 0.4))
    return mjcf(robot), mjcf(replace(robot, pos=(0.0, 0.0, 0.0))), ["pose of the root link ignored (l0)"]


def joint_moved() -> Case:
    robot = Maker(29).arm("rrr")
    wrong = robot.with_joints(
        lambda x: {"xyz": x.xyz + np.array([0.03, 0.0, 0.04]), "turn": x.rotated() @ turned(1, 0.2)}, "j2"
    )
    return mjcf(robot), mjcf(wrong), ["origin moved by 0.05 m and turned by 0.2 rad (j2)"]


def names_exchanged() -> Case:
    maker = Maker(30)
    links, joints = [maker.link("hull", 6.0)], []
    for side in ("left", "right"):
        parent = "hull"
        for part in ("hip", "knee"):
            links.append(maker.link(f"{side}_{part}_link", 1.2))
            joints.append(maker.joint(f"{side}_{part}", "revolute", parent, links[-1].name))
            parent = links[-1].name
    robot = Robot("dog", tuple(links), tuple(joints))
    names = {"left_knee": "right_hip", "right_hip": "left_knee"}
    wrong = robot.with_joints(lambda x: {"name": names.get(x.name, x.name)})
    return mjcf(robot), mjcf(wrong), ["joint order: level by level (left_knee, right_hip)"]


def legs_on_the_world() -> Case:
    maker = Maker(41)
    robot = replace(maker.arm("rr"), free=True)
    arm = maker.joint("j3", "revolute", "l0", "l3")
    robot = replace(robot, links=(*robot.links, maker.link("l3", 1.1)), joints=(*robot.joints, arm))
    tree = ElementTree.fromstring(mjcf(robot))
    world = tree.find("worldbody")
    assert world is not None
    for body in world[0].findall("body"):
        world[0].remove(body)
        world.append(body)
    words = "joint hangs on the world in the engine, not on l0 (j1, j3)"
    cause = f"{words}, the joints at the root link and no others"
    return mjcf(robot), ElementTree.tostring(tree, encoding="unicode"), [cause]


def hung_on_another_link() -> Case:
    robot = Maker(42).arm("rrr")
    wrong = robot.with_joints(lambda x: {"parent": "l1"}, "j3")
    return urdf(robot), urdf(wrong), ["joint hangs on l1 in the engine, not on l2 (j3)"]


def mimic_dropped() -> Case:
    robot = Maker(32).arm("rpp").with_joints(lambda x: {"mimic": ("j2", 1.0, 0.0)}, "j3")
    wrong = robot.with_joints(lambda x: {"mimic": None}, "j3")
    return urdf(robot), mjcf(wrong), ["coupling dropped: the joint moves freely (j3)"]


def mimic_offset() -> Case:
    robot = Maker(33).arm("rrrr").with_joints(lambda x: {"mimic": ("j2", -0.75, 0.31)}, "j4")
    wrong = robot.with_joints(lambda x: {"mimic": ("j2", -0.75, 0.0)}, "j4")
    return urdf(robot), mjcf(wrong), ["'offset' of <mimic> ignored: offset of the coupling dropped (j4)"]


def inertia_in_axes_of_the_root() -> Case:
    robot = Maker(34).arm("rrr")
    turn = robot.joints[0].rotated() @ robot.joints[1].rotated() @ robot.joints[2].rotated()
    wrong = robot.with_links(lambda x: {"inertia": turn @ x.inertia @ turn.T}, "l3")
    return urdf(robot), urdf(wrong), ["inertia in the axes of the root link (l3)"]


def axis_in_inertial_frame() -> Case:
    robot = Maker(35).arm("rrrr", turned=True)
    back = rotation(robot.link("l3").rpy).T
    wrong = robot.with_joints(lambda x: {"axis": back @ x.axis}, "j3")
    return urdf(robot), urdf(wrong), ["axis in the axes of the inertial frame (j3)"]


def roll_at_the_pole() -> Case:
    robot = Maker(36).arm("rrr").with_joints(lambda x: {"rpy": (-0.9, math.pi / 2, 0.0)}, "j2")
    wrong = robot.with_joints(lambda x: {"rpy": (0.9, math.pi / 2, 0.0)}, "j2")
    cause = "roll, pitch, yaw of the joint's origin wrong at the pole: pitch of ±90° (gimbal lock) (j2)"
    return urdf(robot), urdf(wrong), [cause]


def principal_axes_misread() -> Case:
    robot = Maker(37).arm("rrr", turned=True).with_links(lambda x: {"rpy": (0.0, 0.0, 0.0)}, "l1")

    def misread(inertia: Array) -> Array:
        moments, axes = np.linalg.eigh(inertia)
        axes[:, 0] *= np.linalg.det(axes)
        a, b, c = axes.tolist()
        w, x, y, z = matrix_quaternion((tuple(a), tuple(b), tuple(c)))
        turn = np.array(Pose(quat=(y, z, w, x)).rotation())
        return np.asarray(turn @ np.diag(moments) @ turn.T)

    cause = (
        "order of the quaternion of the inertial frame, or inertia turned by 180° about x (l1, l3), "
        "not l0, l2, which could have it, too"
    )
    wrong = robot.with_links(
        lambda x: {"inertia": misread(x.in_link()), "rpy": (0.0, 0.0, 0.0)}, "l1", "l3"
    )
    return urdf(robot), mjcf(wrong), [cause]


def anchor_lost_in_urdf() -> Case:
    robot = Maker(38).arm("rrr").with_joints(lambda x: {"pos": np.array([-0.07, 0.02, 0.045])}, "j2")
    cause = "'pos' of <joint> ignored: anchor of the joint ignored: it is at the origin of its body (j2)"
    return mjcf(robot), urdf(robot), [cause]


def effort_dropped() -> Case:
    robot = Maker(40).arm("rrr")
    wrong = mjcf(robot).replace(' actuatorfrcrange="-80.0 80.0"', "", 1)
    return urdf(robot), wrong, ["effort limits dropped (j1)"]


def solid_for_shell() -> Case:
    shapes = 'size="0.1 0.2 0.3" pos="0.03 0.01 0.2" quat="0.8 0.1 0.5 0.2" mass="2"'
    text = f"""\
<mujoco model="barrel"><compiler angle="radian"/><worldbody><body name="stand">
<geom type="box" size="0.1 0.1 0.2"/><body name="drum" pos="0 0.1 0.3"><joint name="spin" axis="0 0.6 0.8"/>
<geom type="box" {shapes} shellinertia="true"/></body></body></worldbody></mujoco>
"""
    cause = (
        "'shellinertia' of <geom> ignored: stated inertia ignored: its mass fills its shapes evenly (drum)"
    )
    return text, text.replace(' shellinertia="true"', ""), [cause]


def box_for_cylinder() -> Case:
    shape = '<origin xyz="0.1 0 0.05" rpy="0 0.9 0.4"/><geometry>{}</geometry>'
    text = urdf(Maker(39).arm("rr"))

    def with_shape(geometry: str) -> str:
        collision = f"<collision>{shape.format(geometry)}</collision>"
        return text.replace('<link name="l1">', f'<link name="l1">{collision}')

    truth, wrong = '<cylinder radius="0.06" length="0.3"/>', '<box size="0.12 0.12 0.3"/>'
    cause = "box around the shape instead of the shape (l1/collision)"
    return with_shape(truth), with_shape(wrong), [cause]


CASES: dict[str, Callable[[], Case]] = {
    "mujoco#3559": inertial_rpy,
    "jsk_aerial_robot#155": about_origin,
    "jsk_aerial_robot#511": products_sign,
    "genesis-world#3312": scaled_twice,
    "newton#2047": com_zero,
    "mujoco#2982": merged_unturned,
    "bullet3#4683": merged_without_com,
    "reBot-Isaacsim#6": merged_rpy_of_the_last,
    "sdformat#199": light_link,
    "urdf-usd-converter#145": mass_of_shapes,
    "newton#84": gravity_along_y,
    "genesis-world#3051": armature,
    "newton#2504": damping_per_degree,
    "dart#890": friction_dropped,
    "newton#107": springref,
    "RigidBodyDynamics.jl#429": rpy_order,
    "simtrans#51": axis_turned,
    "solidworks_urdf_exporter#90": axis_sign,
    "o3de-ros2-gem#167": axis_anywhere,
    "newton#3642": ref_ignored,
    "simtrans#24": anchor_ignored,
    "vcad#769": welded_root,
    "mujoco-urdf-loader#15": freed_root,
    "UnrealRoboticsLab#28": ranges_in_degrees,
    "pinocchio#2364": slide_dropped,
    "robots#2675": class_ignored,
    "newton#33": quaternion_order,
    "pinocchio#2782": root_elsewhere,
    "newton#170": joint_moved,
    "IsaacLab#3490": names_exchanged,
    "mujoco#3527": mimic_dropped,
    "gz_ros2_control#952": mimic_offset,
    "onshape-to-robot#85": inertia_in_axes_of_the_root,
    "bullet3#4240": axis_in_inertial_frame,
    "solidworks_urdf_exporter#171": roll_at_the_pole,
    "newton#1694": principal_axes_misread,
    "webots#2212": anchor_lost_in_urdf,
    "sdformat#683": effort_dropped,
    "pinocchio#2460": legs_on_the_world,
    "pinocchio#2460, a link": hung_on_another_link,
    "newton#3737": solid_for_shell,
    "o3de-extras#166": box_for_cylinder,
}


def proved(folder: Path, truth: str, wrong: str, engine: str = "mujoco") -> EngineResult:
    """The result of an engine that loads the wrong file; the test skips where it is not installed."""
    paths = []
    for name, text in (("truth", truth), ("wrong", wrong)):
        paths.append(folder / f"{name}.{'urdf' if text.startswith('<robot') else 'xml'}")
        paths[-1].write_text(text)
    result = ub.prove(*paths, engines=engine, states=50)[engine]
    if result.verdict == "not here":
        pytest.skip(f"{engine} is not installed")
    return result


@pytest.mark.parametrize("name", few(CASES, 2))
def test_a_fault_of_an_importer_is_named(tmp_path: Path, name: str) -> None:
    truth, wrong, causes = CASES[name]()
    result = proved(tmp_path, truth, wrong)
    assert [str(cause) for cause in result.causes] == causes, result
    assert result.verdict == "explained"


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_right_file_is_equal(tmp_path: Path, name: str) -> None:
    truth, _, _ = CASES[name]()
    assert proved(tmp_path, truth, truth).verdict == "equal"


@pytest.mark.slow
def test_a_continuous_joint_with_limits_of_0_is_named(tmp_path: Path) -> None:
    """dart#1064; MuJoCo ignores such limits, Pinocchio does not."""
    robot = Maker(31).arm("rcr")
    wrong = robot.with_joints(lambda x: {"kind": "revolute", "limits": (0.0, 0.0)}, "j2")
    assert proved(tmp_path, urdf(robot), urdf(wrong)).verdict == "equal"
    result = proved(tmp_path, urdf(robot), urdf(wrong), "pinocchio")
    assert [str(cause) for cause in result.causes] == ["limits of 0 (j2)"]
