"""Models that are attached to others are read as MuJoCo compiles them."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from tests.formats.mjcf.arrays import differences

import unibody as ub

CORNERS = 'vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"'
HAND = f"""<mujoco model="hand">
<asset><material name="red" rgba="1 0 0 1"/><material name="spare" rgba="0 1 0 1"/>
<mesh name="tip" {CORNERS}/></asset><default><joint damping=".3"/></default>
<worldbody><body name="palm"><joint name="grip" axis="1 0 0" range="-30 30"/>
<geom name="pad" type="box" size=".02 .02 .05" material="red"/><site name="tcp"/></body>
<body name="cover"><geom size=".01"/></body></worldbody>
<tendon><fixed name="pull"><joint joint="grip" coef="1"/></fixed></tendon>
<actuator><position name="grip" joint="grip" kp="3"/></actuator></mujoco>"""
ARM = """<mujoco model="arm"><compiler angle="radian"/><asset><model name="inner" file="hand.xml"/>
<material name="blue" rgba="0 0 1 1"/></asset>
<worldbody><body name="upper" euler="0 0 .5"><joint name="lift" axis="0 1 0" range="-1 1"/>
<geom type="capsule" size=".03 .2" material="h_red"/>
<frame name="end" pos="0 0 .3"><attach model="inner" prefix="h_"/></frame></body></worldbody>
<actuator><motor name="m" tendon="h_pull"/></actuator>
<keyframe><key name="k" qpos=".1 .2"/></keyframe></mujoco>"""
URDF = """<robot name="r"><link name="base">
<collision><origin xyz="0 0 1" rpy=".1 .2 .3"/><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="rod"><inertial><mass value="1"/><inertia ixx=".1" iyy=".12" izz=".1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><mesh filename="tip.obj" scale="1 2 1"/></geometry></collision></link>
<joint name="turn" type="revolute"><origin xyz="1 2 3" rpy=".1 .2 .3"/><parent link="base"/>
<child link="rod"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="2" velocity="1"/>
<dynamics damping=".1" friction=".2"/></joint><link name="end"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="follow"
type="continuous"><parent link="rod"/><child link="end"/><axis xyz="0 1 0"/>
<mimic joint="turn" multiplier="2"/>
</joint></robot>"""
OBJ = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
TORSO = '<freejoint/><geom type="box" size=".1 .2 .3" mass="10"/>'
ARMS = '<asset><model name="inner" file="arm.xml"/></asset>'

STYLE = '<asset><model name="s" file="styled.xml"/></asset><worldbody><attach model="s" prefix="s_"/>'

#: A model that attaches others.
MODELS = {
    "twice": f'{ARMS}<worldbody><body name="torso">{TORSO}<frame pos="0 .3 .2">'
    '<attach model="inner" prefix="l_"/></frame><attach model="inner" prefix="r_"/></body></worldbody>',
    "a body": f'{ARMS}<worldbody><body>{TORSO}<attach model="inner" body="upper" prefix="l_"/></body>'
    "</worldbody>",
    "a frame": f'{ARMS}<worldbody><body>{TORSO}<attach model="inner" frame="end" prefix="l_"/></body>'
    "</worldbody>",
    "a body that is attached itself": f'{ARMS}<worldbody><body name="torso">{TORSO}'
    '<attach model="inner" body="h_palm" prefix="l_"/></body></worldbody>',
    "without prefix": f'{ARMS}<worldbody><attach model="inner" prefix=""/></worldbody>',
    "assets of attached models": f'{ARMS}<worldbody><attach model="inner" prefix="l_"/><body name="b">'
    '<geom type="mesh" mesh="l_h_tip"/><geom size=".1" material="l_h_spare"/>'
    '<geom size=".1" material="l_blue"/></body></worldbody>',
    "an asset for an attached model": '<asset><model name="c" file="bare.xml"/>'
    '<material name="c_paint" rgba="1 0 1 1"/></asset>'
    '<worldbody><attach model="c" prefix="c_"/></worldbody>',
    "a URDF": '<asset><model name="u" file="urdf/r.urdf"/></asset>'
    '<worldbody><attach model="u" prefix="u_"/></worldbody>'
    '<actuator><motor joint="u_turn"/></actuator>',
    "a class inside another one": f'{STYLE}<body><geom class="s_inner"/></body>'
    '<geom class="s_outer"/></worldbody>',
    "an attached main class": f'{STYLE}<body><geom class="s_main" size=".4"/></body></worldbody>',
    "sensors": '<asset><model name="c" file="sensed.xml"/></asset>'
    '<worldbody><attach model="c" body="b" prefix="c_"/></worldbody>',
    "a class of children": f'{STYLE}<body childclass="s_inner"><joint/>'
    "<frame><geom/></frame></body></worldbody>",
    "two prefixes": f'{STYLE}<attach model="s" prefix="t_"/><body>'
    '<geom class="s_inner"/><geom class="t_outer"/></body></worldbody>',
    "the main class of a URDF": '<asset><model name="u" file="urdf/r.urdf"/></asset><worldbody>'
    '<attach model="u" prefix="u_"/><body><geom class="u_main" size=".4"/></body></worldbody>',
    "a class of a model that is attached itself": '<asset><model name="m" file="middle.xml"/></asset>'
    '<worldbody><attach model="m" prefix="m_"/><geom class="m_s_inner"/><geom class="m_long"/></worldbody>',
    "an own class with the name of an attached one": "<default>"
    '<default class="s_inner"><geom size=".2"/></default>'
    f'</default>{STYLE}<geom class="s_inner"/></worldbody>',
    "a class in another world": f'{STYLE}</worldbody><worldbody><geom class="s_inner"/></worldbody>',
    "a link of a URDF": '<asset><model name="u" file="urdf/r.urdf"/></asset><worldbody><body name="torso">'
    f'{TORSO}<attach model="u" body="rod" prefix="u_"/></body></worldbody>',
}
STYLED = """<mujoco model="styled"><default><geom rgba="1 0 0 1"/><default class="outer">
<geom type="box" size=".3 .2 .1"/><joint damping="3" range="-40 40"/><default class="inner"><geom mass="7"/>
</default></default></default><worldbody><body name="p"><joint name="j" class="outer"/>
<geom class="inner"/></body></worldbody></mujoco>"""
MIDDLE = """<mujoco model="middle"><asset><model file="styled.xml"/></asset>
<default><default class="long"><geom type="capsule" size=".05 .2"/></default></default>
<worldbody><body name="m"><geom class="long"/><attach model="styled" prefix="s_"/></body></worldbody>
</mujoco>"""
BARE = """<mujoco model="bare"><worldbody><body name="b"><joint name="j"/>
<geom size=".1" material="paint"/></body></worldbody></mujoco>"""

# MuJoCo attaches elements that refer to a tendon that comes later, and to the world beside a body.
SENSED = """<mujoco model="sensed"><sensor><tendonpos name="pull" tendon="t"/>
<framepos name="world" objtype="body" objname="world"/><subtreecom name="all" body="world"/>
<framepos name="tip" objtype="body" objname="b" reftype="body" refname="world"/></sensor>
<worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody>
<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<equality><tendon name="e" tendon1="t"/></equality></mujoco>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of models to attach."""
    (tmp_path / "urdf").mkdir()
    parts = {"hand.xml": HAND, "arm.xml": ARM, "bare.xml": BARE, "urdf/r.urdf": URDF, "urdf/tip.obj": OBJ}
    parts |= {"styled.xml": STYLED, "middle.xml": MIDDLE, "sensed.xml": SENSED}
    for name, text in parts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", MODELS)
def test_an_attached_model_compiles_to_the_same_arrays(name: str, folder: Path) -> None:
    path, out = folder / "model.xml", folder / "out.xml"
    path.write_text(f'<mujoco model="m">{MODELS[name]}</mujoco>')
    reading = ub.read(path)
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    ub.save(reading.robot, out, plain=True)
    assert differences(*(mujoco.MjModel.from_xml_path(str(x)) for x in (path, out))) == []


def test_the_keyframe_of_an_attached_model_has_its_joints(folder: Path) -> None:
    (folder / "m.xml").write_text(f'<mujoco model="m">{MODELS["twice"]}</mujoco>')
    robot = ub.load(folder / "m.xml")
    found = {c.name: {k: v for k, v in c.positions if v} for c in robot.configurations}
    assert found == {"l_k": {"l_lift": 0.1, "l_h_grip": 0.2}, "r_k": {"r_lift": 0.1, "r_h_grip": 0.2}}


def test_a_body_for_mocap_is_one_in_the_world(tmp_path: Path) -> None:
    """MuJoCo rejects others; a keyframe has the poses of those that stay, at their places."""
    text = """<mujoco><worldbody><body name="base"><joint name="j"/><geom size=".1" mass="1"/></body>
    <body name="hand" mocap="true" pos="0 0 1"><geom size=".1" mass="1"/></body></worldbody>
    <keyframe><key name="k" qpos=".5" mpos="1 2 3" mquat="0 1 0 0"/></keyframe></mujoco>"""
    robot = ub.loads(text, format="mjcf")
    path = tmp_path / "both.xml"
    report = ub.save(ub.attach(robot, robot, "base", prefix="b_"), path, plain=True)
    assert [x.row.what for x in report.losses if x.row and "mocap" in x.row.what] == ["mocap bodies"]
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.nmocap == 1
    assert model.key_mpos.tolist() == [[1, 2, 3], [0, 0, 1]]
    assert model.key_mquat.tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]
    assert model.key_qpos.tolist() == [[0.5, 0], [0, 0.5]]


def test_a_missing_model_cannot_be_attached(folder: Path) -> None:
    path = folder / "m.xml"
    path.write_text(
        '<mujoco><asset><model name="c" file="gone.xml"/></asset>'
        '<worldbody><attach model="c" prefix="c_"/></worldbody></mujoco>'
    )
    errors = [f for f in ub.read(path).findings if f.severity == "error"]
    assert [f.code for f in errors] == ["include-rejected"]


@pytest.mark.parametrize(
    "text",
    [
        '<asset><model name="s" file="styled.xml"/></asset><worldbody><geom class="s_inner"/>'
        '<attach model="s" prefix="s_"/></worldbody>',
        f'{STYLE}<geom name="a" size=".1"/><body name="b"><geom name="b" size=".1"/></body></worldbody>'
        '<contact><pair geom1="a" geom2="b" class="s_inner"/></contact>',
    ],
)
def test_an_attached_class_is_unknown_before_and_outside_of_the_tree(text: str, folder: Path) -> None:
    (folder / "m.xml").write_text(f"<mujoco>{text}</mujoco>")
    with pytest.raises(ValueError, match="s_inner"):
        mujoco.MjModel.from_xml_path(str(folder / "m.xml"))
    assert "default-class" in {f.code for f in ub.read(folder / "m.xml").findings if f.severity == "error"}


@pytest.mark.parametrize(
    ("more", "code"), [("", "include-recursion"), ('<geom class="o_o_x" size=".1"/>', "default-class")]
)
def test_models_that_attach_each_other_are_an_error(more: str, code: str, folder: Path) -> None:
    for own, other in (("a", "b"), ("b", "a")):
        (folder / f"{own}.xml").write_text(
            f'<mujoco model="{own}"><asset><model name="o" file="{other}.xml"/></asset>'
            f'<worldbody><body name="{own}"><attach model="o" prefix="o_"/>{more}</body></worldbody>'
            "</mujoco>"
        )
    errors = [f.code for f in ub.read(folder / "a.xml").findings if f.severity == "error"]
    assert code in errors
    assert {*errors} <= {"include-recursion", "default-class"}
