"""One slip is one cause, of all that have it and with what they have in common: an engine is emulated."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.proof.emulated import answer_of
from tests.proof.proving import written
from tests.proof.robots import Maker, urdf

import unibody as ub
from unibody.formats.loader import read_with
from unibody.model.inertia import matrix3
from unibody.model.pose import IDENTITY, quaternion_matrix
from unibody.model.robot import Joint, Link
from unibody.proof.cause import Cause
from unibody.proof.diagnosis import diagnose
from unibody.proof.misreadings import misreadings
from unibody.proof.reference import Reference, draw_states, reference_of
from unibody.proof.scope import scope_of
from unibody.proof.sources import Tree
from unibody.proof.subject import Subject

_STRAIGHT = {"rpy": (0.0, 0.0, 0.0)}


def told(
    reference: Reference, engine: Reference, misread: Iterable[tuple[str, str, Reference]] = ()
) -> list[str]:
    states = draw_states(reference, 12)
    answer = answer_of(engine, states)
    dofs = [engine.dofs[k] for k in answer.facts["dofs"]]
    found = diagnose(reference, states, answer, dofs, misread=misread)
    assert not found.unexplained
    return [str(cause) for cause in found.causes]


def misread_as_mjcf(path: Path) -> list[tuple[str, str, Reference]]:
    found = misreadings(read_with(path, plain=True))
    return [(words, ignored, reference_of(robot, "mjcf")) for words, ignored, robot in found]


def with_joints(reference: Reference, *changed: Joint) -> Reference:
    by_name = {joint.name: joint for joint in changed}
    joints = tuple(by_name.get(joint.name, joint) for joint in reference.robot.joints)
    return replace(reference, robot=replace(reference.robot, joints=joints))


def test_a_lost_origin_is_one_cause_where_it_is_not_turned_too() -> None:
    arm = Maker(5).arm("rprr", turned=True).with_joints(lambda _: _STRAIGHT, "j2", "j4")
    reference = reference_of(ub.loads(urdf(arm), format="urdf", base="fixed"), "urdf")
    lost = [replace(joint, origin=IDENTITY) for joint in reference.robot.joints]
    assert told(reference, with_joints(reference, *lost)) == [
        "origin of the joint ignored (j1, j2, j3, and 1 more)"
    ]
    # what only straight joints have is no more than the place
    only = [
        replace(joint, origin=IDENTITY) for joint in reference.robot.joints if joint.name in ("j2", "j4")
    ]
    (cause,) = told(reference, with_joints(reference, *only))
    assert cause.startswith("position of the joint's origin ignored (j2, j4)")


def _without_frame(link: Link) -> Link:
    if link.inertial is None:
        return link
    axes = np.array(quaternion_matrix(link.inertial.axes or (1.0, 0.0, 0.0, 0.0)))
    inertia = matrix3(axes.T @ np.array(link.inertial.inertia) @ axes)
    return replace(link, inertial=replace(link.inertial, com=(0.0, 0.0, 0.0), inertia=inertia))


def test_a_lost_inertial_frame_is_one_cause_where_it_is_not_turned_too() -> None:
    arm = Maker(5).arm("rprr", turned=True).with_links(lambda _: _STRAIGHT, "l2", "l4")
    reference = reference_of(ub.loads(urdf(arm), format="urdf", base="fixed"), "urdf")
    links = tuple(map(_without_frame, reference.robot.links))
    engine = replace(reference, robot=replace(reference.robot, links=links))
    (cause,) = told(reference, engine)
    assert cause.startswith("inertial frame ignored: neither center of mass nor axes (")


_BALLS = """<mujoco><compiler angle="radian"/><worldbody><body name="b0">
<inertial pos="0 .1 .02" mass="2" diaginertia=".02 .03 .025"/>
<body name="b1" pos=".1 .2 .3"><inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<joint name="ball" type="ball" damping="0.25"/>
<body name="b2" pos=".2 .1 .1"><inertial pos=".02 .1 .04" mass="1.5" diaginertia=".01 .013 .012"/>
<joint name="slide" type="slide" axis="1 0 0" damping="3"/>
<body name="b3" pos=".1 .1 .1"><inertial pos=".02 .1 .05" mass=".5" diaginertia=".01 .013 .012"/>
<joint name="hinge" axis="0 1 0" damping="0.5"/>
<body name="b4" pos=".1 .1 .1"><inertial pos=".02 .1 .05" mass=".5" diaginertia=".01 .013 .012"/>
<joint name="slide2" type="slide" axis="0 0 1" damping="2"/>
</body></body></body></body></body></worldbody></mujoco>"""


def test_damping_per_degree_is_one_cause_of_hinges_and_balls() -> None:
    reference = reference_of(ub.loads(_BALLS, format="mjcf"), "mjcf")
    turning = [
        replace(joint, dynamics=replace(joint.dynamics, damping=math.degrees(joint.dynamics.damping)))
        for joint in reference.robot.joints
        if joint.kind in ("revolute", "ball")
    ]
    assert told(reference, with_joints(reference, *turning)) == [
        "damping per degree: multiplied by 57.3 (ball, hinge), the revolute and ball joints and no others"
    ]


_MESHES = """<mujoco><asset>
<mesh name="m" vertex="0 0 0 .1 0 0 0 .12 0 0 0 .15 .07 .08 .09"/></asset><worldbody>
<body name="b0"><inertial pos="0 .1 .02" mass="2" diaginertia=".02 .03 .025"/>
<body name="b1" pos=".1 .2 .3"><joint name="j1" axis="0 1 0"/>
<geom type="box" size=".02 .03 .04" pos=".03 .02 .01" mass=".6"/>
<geom type="mesh" mesh="m" pos=".02 .05 .01" quat=".9 .3 .1 .2" mass="1.13"/>
<body name="b2" pos=".1 .2 .3"><joint name="j2" axis="1 0 0"/>
<geom type="capsule" size=".02 .03" pos=".03 .02 -.01" mass=".4"/>
<geom type="mesh" mesh="m" pos=".02 -.05 .01" quat=".9 .1 .3 .2" mass=".71"/>
<body name="b3" pos=".1 .1 .3"><joint name="j3" axis="0 0 1"/>
<geom type="sphere" size=".04" pos=".03 .05 -.01" mass=".4"/>
<geom type="mesh" mesh="m" pos=".02 -.05 .01" quat=".9 .1 .3 .2" density="700"/>
</body></body></body></body></worldbody></mujoco>"""


def test_masses_of_meshes_that_an_engine_does_not_read_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, _MESHES, "meshes.xml")
    reference = reference_of(ub.load(path), "mjcf")
    misread = misread_as_mjcf(path)
    for old, new, words in (
        (' mass="{}"/>\n', ' mass="0"/>\n', "<geom> of a mesh with 'mass' gives no mass (b1, b2)"),
        (' mass="{}"/>\n', "/>\n", "'mass' of <geom> of meshes ignored: their densities count (b1, b2)"),
    ):
        text = _MESHES.replace(old.format("1.13"), new).replace(old.format(".71"), new)
        engine = reference_of(ub.loads(text, format="mjcf"), "mjcf")
        assert told(reference, engine, misread) == [words]
        # without the file no shape is told as the cause: its place is all that fits
        bare = told(reference, engine)
        assert all("shape" not in cause for cause in bare), bare


_CLASSES = """<mujoco><compiler angle="radian"/><default>
<default class="c"><joint armature="0.02"/></default>
<default class="d"><joint armature="0.03"/></default></default>
<worldbody><body name="b0"><inertial pos="0 .1 .02" mass="2" diaginertia=".02 .03 .025"/>
<body name="b1" pos=".1 .2 .3"><joint name="j1" axis="0 1 0" class="c"/>
<inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<body name="b2" pos=".1 .2 .3"><joint name="j2" axis="1 0 0" class="d"/>
<inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<body name="b3" pos=".1 .1 .3"><joint name="j3" axis="0 0 1" armature="0.04"/>
<inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<body name="b4" pos=".1 .2 .3"><joint name="j4" axis="0 1 0" class="c" armature="0.05"/>
<inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
</body></body></body></body></body></worldbody></mujoco>"""


def test_values_of_default_classes_are_told_as_such(tmp_path: Path) -> None:
    path = written(tmp_path, _CLASSES, "classes.xml")
    reference = reference_of(ub.load(path), "mjcf")
    joints = [
        replace(joint, actuator=replace(joint.actuator, axis_inertia=0.17))
        for joint in reference.robot.joints
        if joint.name in ("j1", "j2")
    ]
    assert told(reference, with_joints(reference, *joints), misread_as_mjcf(path)) == [
        "armature 0.17 in the engine, not that of the model (j1, j2), "
        "the joints that have 'armature' of <joint> in the <default> of a class and no others"
    ]


def _tree(joints: str, fixed: str = "") -> Tree:
    links = "".join(
        f'<link name="{x}"><inertial><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        for x in "abcdefgh"
    )
    made = "".join(
        f'<joint name="{name}" type="{kind}"><parent link="{name[0]}"/><child link="{name[1]}"/>'
        f'<origin xyz="0 0 0.1" rpy="{0.3 if name in fixed.split() else 0} 0 0"/><axis xyz="{axis}"/>'
        f'<limit lower="-1" upper="1" effort="1" velocity="1"/>{mimic}</joint>'
        for name, kind, axis, mimic in (line.split(";") for line in joints.split())
    )
    return Tree(ub.loads(f'<robot name="r">{links}{made.replace("|", " ")}</robot>', format="urdf"))


def test_a_scope_is_a_reason() -> None:
    of_x, of_y = "<mimic|joint='ab'/>", "<mimic|joint='ac'/>"
    tree = _tree(
        f"ab;revolute;1|0|0; ac;revolute;0|1|0; ad;revolute;1|0|0;{of_x} ae;revolute;1|0|0;{of_y} "
        f"bf;revolute;0|1|0;{of_x} cg;revolute;0|1|0;{of_y} gh;revolute;0|0|1;"
    )
    coupled = Cause("leader and follower of the coupling exchanged", ("ad", "ae"), ("couplings",))
    assert scope_of(tree, coupled) == "joints on the same link as the joint that they follow"
    # the axis of a joint is the reason of another axis, in the format that has it by default
    of_axes = Cause("axis taken as z", ("ab", "ad", "ae"), ("positions",), subject=Subject.AXIS)
    assert scope_of(tree, of_axes, "urdf").startswith("joints whose axis is x")
    assert scope_of(tree, of_axes, "mjcf") == ""
    damped = Cause("damping missing", of_axes.owners, ("damping",))
    assert scope_of(tree, damped, "urdf") == ""
    tree = _tree(
        "ab;fixed;1|0|0; ac;revolute;0|1|0; cd;fixed;1|0|0; ce;revolute;0|1|0; ef;fixed;1|0|0; "
        "eg;revolute;0|1|0; gh;fixed;1|0|0;",
        fixed="cd gh eg",
    )
    merged = Cause("inertia of links that are fixed to it not turned", ("c", "g", "d", "h"), ("inertia",))
    assert scope_of(tree, merged) == "links fixed to one another by a turned origin"


def _with_dynamics(reference: Reference, names: str, **changed: float) -> Reference:
    return with_joints(
        reference,
        *(
            replace(joint, dynamics=replace(joint.dynamics, **changed))
            for joint in reference.robot.joints
            if joint.name in names.split()
        ),
    )


def test_a_scope_is_that_of_those_that_could_have_the_slip() -> None:
    arm = Maker(7).arm("rprprr", turned=True).with_links(lambda _: _STRAIGHT, "l2", "l4", "l5")
    reference = reference_of(ub.loads(urdf(arm), format="urdf", base="fixed"), "urdf")
    straight = (reference.robot.root, "l2", "l4", "l5")
    links = tuple(
        replace(x, inertial=replace(x.inertial, inertia=matrix3(np.diag(np.diag(x.inertial.inertia)))))
        if x.inertial is not None and x.name in straight
        else x
        for x in reference.robot.links
    )
    (cause,) = told(reference, replace(reference, robot=replace(reference.robot, links=links)))
    assert cause.startswith("products of inertia dropped (")
    assert cause.endswith("the links whose inertial frame is not turned and no others")
    # one joint is enough where several others have what it lost
    damped = _with_dynamics(reference, "j1 j2 j3 j5", damping=0.37)
    lost = Cause("damping missing", ("j2",), ("damping",))
    words = "prismatic joints among the joints with damping"
    assert scope_of(Tree(damped.robot), lost) == words


_HEAD = """<mujoco><compiler angle="degree"/><worldbody><body name="b0">
<inertial pos="0 .1 .02" mass="2" diaginertia=".02 .03 .025"/>
<body name="b1" pos=".1 .2 .3" euler="20 -10 30">{0}
<inertial pos=".1 .03 .02" mass="1" diaginertia=".02 .03 .025"/>
<body name="b2" pos=".1 .1 .1"><joint name="hinge" axis="0 1 0" damping="0.5"/>
<inertial pos=".02 .1 .05" mass=".5" diaginertia=".01 .013 .012"/>
</body></body></body></worldbody></mujoco>"""
_NECK = (
    '<joint name="nod" axis="0 1 0"/>',
    '<joint name="tilt" axis="1 0 0" pos="0.01 0.02 0.03"/>',
    '<joint name="pop" type="slide" axis="0 0.6 0.8"/>',
)


def test_joints_of_a_body_in_the_reverse_order_are_named() -> None:
    reference, engine = (
        reference_of(ub.loads(_HEAD.format("".join(neck)), format="mjcf"), "mjcf")
        for neck in (_NECK, _NECK[::-1])
    )
    (cause,) = told(reference, engine)
    assert cause.startswith("joints of a body in the reverse order (")


def test_angles_of_one_attribute_in_the_other_unit_are_named(tmp_path: Path) -> None:
    text = _HEAD.format("".join(_NECK))
    path = written(tmp_path, text, "head.xml")
    degrees = " ".join(repr(math.degrees(x)) for x in (20.0, -10.0, 30.0))
    engine = reference_of(ub.loads(text.replace("20 -10 30", degrees), format="mjcf"), "mjcf")
    assert told(reference_of(ub.load(path), "mjcf"), engine, misread_as_mjcf(path)) == [
        "angles of the file in radians, or 'euler' of <body> read in radians (b1, b2)"
    ]


def test_what_one_misreading_makes_is_one_cause(tmp_path: Path) -> None:
    path = written(tmp_path, _MESHES, "meshes.xml")
    text = re.sub(r'(mesh="m".*) (mass|density)="[^"]*"/>', r'\1 mass="0"/>', _MESHES)
    engine = reference_of(ub.loads(text, format="mjcf"), "mjcf")
    (cause,) = told(reference_of(ub.load(path), "mjcf"), engine, misread_as_mjcf(path))
    assert cause.startswith("<geom> of a mesh gives no mass")
    assert cause.endswith("(b1, b2, b3)")


def test_axes_of_inertias_that_an_engine_rounds_are_told() -> None:
    arm = Maker(5).arm("rr", turned=True)
    reference = reference_of(ub.loads(urdf(arm), format="urdf", base="fixed"), "urdf")
    turn = np.array(quaternion_matrix((1.0, 4e-10, -2e-10, 3e-10)))
    links = tuple(
        replace(
            x, inertial=replace(x.inertial, inertia=matrix3(turn @ np.array(x.inertial.inertia) @ turn.T))
        )
        if x.inertial is not None and x.name == "l2"
        else x
        for x in reference.robot.links
    )
    causes = told(reference, replace(reference, robot=replace(reference.robot, links=links)))
    assert [cause.split(":")[0] for cause in causes] == [
        "axes of the inertia rounded, as an iteration leaves them that ends early"
    ]
