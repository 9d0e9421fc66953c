"""What MuJoCo rejects of a file has a finding with a place and a remedy; what is written compiles."""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import pytest

import unibody as ub

PARTS = '<joint name="j"/><geom name="g" size=".1"/><site name="s"/>'
BODY = f'<body name="b">{PARTS}</body>'
BALL = '<worldbody><body><joint name="j" type="ball"/><geom size=".1"/></body></worldbody>'
WORLD = f"<worldbody>{BODY}</worldbody>"
BOX = (
    '<worldbody><body><joint name="j"/><geom name="g" type="box" size=".1 .1 .1"/><site name="s"/>'
    '<site name="t"/></body></worldbody>'
)
CORNERS = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'
FIXED = '<fixed name="t"><joint joint="j" coef="1"/></fixed>'

#: Elements of sections, with the code of their finding; each is rejected by MuJoCo.
SECTIONS = {
    '<sensor><gyro name="x" site="so"/></sensor>': "reference-unknown",
    '<sensor><jointpos joint="x"/></sensor>': "reference-unknown",
    '<sensor><actuatorfrc actuator="x"/></sensor>': "reference-unknown",
    '<sensor><framepos objtype="xbody" objname="x"/></sensor>': "reference-unknown",
    '<sensor><framepos objtype="body" objname="b" reftype="site" refname="x"/></sensor>': (
        "reference-unknown"
    ),
    '<sensor><distance geom1="g" body2="x"/></sensor>': "reference-unknown",
    '<sensor><contact subtree1="x"/></sensor>': "reference-unknown",
    '<sensor><camprojection site="s" camera="x"/></sensor>': "reference-unknown",
    '<sensor><jointpos name="a" joint="j"/><jointvel name="a" joint="j"/></sensor>': "name-duplicate",
    '<sensor><jointpos name="a" joint="j"/><gyro name="a" site="s"/></sensor>': "name-duplicate",
    '<contact><pair geom1="g" geom2="x"/></contact>': "reference-unknown",
    '<contact><pair geom1="g"/></contact>': "element-rejected",
    '<actuator><motor joint="x"/></actuator>': "reference-unknown",
    '<actuator><motor site="s" refsite="x"/></actuator>': "reference-unknown",
    '<actuator><motor joint="j" ctrllimited="true"/></actuator>': "element-rejected",
    '<actuator><motor name="a" joint="j"/><motor name="a" joint="j"/></actuator>': "name-duplicate",
    '<tendon><fixed name="t"><joint joint="x" coef="1"/></fixed></tendon>': "reference-unknown",
    '<tendon><spatial name="t"><site site="s"/><site site="x"/></spatial></tendon>': "reference-unknown",
    f"<tendon>{FIXED}{FIXED}</tendon>": "name-duplicate",
    '<asset><texture name="t"/></asset>': "element-rejected",
    '<asset><hfield name="h" size="1 1 1 1"/></asset>': "element-rejected",
    '<equality><joint joint1="j" joint2="j"/></equality>': "element-rejected",
    '<equality><tendon tendon1="x"/></equality>': "reference-unknown",
    '<equality><joint name="e" joint1="j"/><joint name="e" joint1="j"/></equality>': "name-duplicate",
    '<custom><tuple name="n"><element objtype="body" objname="x"/></tuple></custom>': "reference-unknown",
    '<custom><numeric name="n" data="1"/><numeric name="n" data="1"/></custom>': "name-duplicate",
    '<keyframe><key qvel="0 0 0"/></keyframe>': "keyframe-length",
    '<keyframe><key ctrl="0 0"/></keyframe>': "keyframe-length",
    '<keyframe><key mpos="0 0 0"/></keyframe>': "keyframe-length",
    '<option apirate="100"/>': "word-removed",
    '<asset><material name="m" texture="x"/></asset>': "reference-unknown",
    '<asset><hfield name="h" nrow="2" ncol="2" size="1 0 1 1"/></asset>': "element-rejected",
    f'<asset><mesh name="m" {CORNERS}/><mesh name="m" {CORNERS}/></asset>': "name-duplicate",
    '<asset><mesh name="m"/></asset>': "element-rejected",
}
#: Parts of a body.
INSIDE = {
    '<geom name="g" size=".1"/>': "name-duplicate",
    '<geom size=".1" condim="2"/>': "element-rejected",
    '<site material="x"/>': "reference-unknown",
    '<light mode="targetbody" target="x"/>': "reference-unknown",
    '<light dir="0 0 0"/>': "element-rejected",
    '<camera mode="targetbody" target="x"/>': "reference-unknown",
    '<camera fovy="40" sensorsize="1 1" focal="1 1" resolution="9 9"/>': "element-rejected",
    '<camera focal="1 1"/>': "element-rejected",
    '<camera fovy="200"/>': "element-rejected",
    '<body mocap="true"><geom size=".1"/></body>': "element-rejected",
    '<body><joint springdamper="-1 1"/><geom size=".1"/></body>': "element-rejected",
    '<body><joint type="ball" range="-1 1"/><geom size=".1"/></body>': "element-rejected",
    '<body><joint actuatorfrclimited="true"/><geom size=".1"/></body>': "element-rejected",
}
WHOLE = {
    f"<worldbody><joint/>{BODY}</worldbody>": "element-rejected",
    '<worldbody><geom type="plane"/></worldbody>': "size-not-positive",
    '<worldbody><geom type="plane" size="2 3 0"/></worldbody>': "size-not-positive",
    '<default><geom size="1 1"/></default><worldbody><geom type="plane"/></worldbody>': "size-not-positive",
}
CASES = {
    **{WORLD + text: code for text, code in SECTIONS.items()},
    **{
        f'<worldbody><body name="b">{PARTS}{text}</body></worldbody>': code for text, code in INSIDE.items()
    },
    **WHOLE,
}


@pytest.mark.parametrize(("text", "code"), CASES.items())
def test_what_mujoco_rejects_is_left_out_with_a_warning(text: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco>{text}</mujoco>")
    with pytest.raises(ValueError, match=r"\w"):
        mujoco.MjModel.from_xml_path(str(path))
    reading = ub.read(path)
    found = [f for f in reading.findings if f.severity != "info"]
    assert {f.severity for f in found} == {"warning"}
    assert code in {f.code for f in found}
    assert all(f.at is not None and f.hint for f in found)
    assert reading.robot is not None
    mujoco.MjModel.from_xml_string(ub.dumps(reading.robot, format="mjcf", plain=True))


#: Elements that are kept as they are, with MuJoCo's words on them.
JUDGED = {
    '<sensor><ballquat joint="j"/></sensor>': "joint must be ball in sensor (<ballquat>)",
    '<sensor><jointlimitpos joint="j"/></sensor>': "joint must be limited in sensor (<jointlimitpos>)",
    '<sensor><rangefinder name="r"/></sensor>': (
        "one of 'site', 'camera' must be specified (<rangefinder> 'r')"
    ),
    "<sensor><distance/></sensor>": "one of 'geom1', 'body1' must be specified (<distance>)",
    '<sensor><user dim="1" objtype="site"/></sensor>': (
        "attributes 'objtype', 'objname' must be specified together (<user>)"
    ),
    '<actuator><motor name="m"/></actuator>': "missing transmission target for actuator (<motor> 'm')",
    '<actuator><motor cranksite="s"/></actuator>': "missing base site for slider-crank",
    '<actuator><position joint="j" kv="1" dampratio="1"/></actuator>': (
        "kv and dampratio cannot both be defined (<position>)"
    ),
    '<actuator><position joint="j" inheritrange="1"/></actuator>': "has no range defined in actuator 0",
    '<actuator><damper joint="j" ctrlrange="-1 1"/></actuator>': "damper control range cannot be negative",
    '<actuator><orientation site="s"/></actuator>': "so3 site transmission requires refsite",
    '<actuator><general joint="j" actrange="-1 1"/></actuator>': "actrange specified but dyntype is 'none'",
    '<actuator><motor tendon="t"/></actuator><tendon><fixed name="t"/></tendon>': (
        "path cannot be empty (<fixed> 't')"
    ),
    '<tendon><spatial name="t"><site site="s"/></spatial></tendon>': (
        "spatial path must contain at least two objects (<spatial> 't')"
    ),
    f'<tendon>{FIXED}</tendon><sensor><tendonlimitpos tendon="t"/></sensor>': (
        "tendon must be limited in sensor (<tendonlimitpos>)"
    ),
    '<tendon><fixed springlength="2 1"><joint joint="j" coef="1"/></fixed></tendon>': (
        "invalid springlength in tendon (<fixed>)"
    ),
    '<custom><numeric name="n" size="1" data="1 2"/></custom>': "attribute 'data' has too much data",
    '<custom><text name="n" data=""/></custom>': "text field cannot be empty (<text> 'n')",
    '<asset><texture name="t" type="2d" builtin="flat"/></asset>': "Invalid width of builtin texture",
    "<asset><material/></asset>": "empty name in material (<material>)",
}


@pytest.mark.parametrize(("text", "words"), JUDGED.items())
def test_what_is_only_kept_is_judged_by_mujoco(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco>\n{WORLD}\n{text}</mujoco>")
    with pytest.raises(ValueError, match=re.escape(words.partition(" (<")[0])):
        mujoco.MjModel.from_xml_path(str(path))
    reading = ub.read(path)
    assert [f for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    with pytest.raises(ub.SimulationError, match=re.escape(words)) as caught:
        ub.simulate(reading.robot)
    (found,) = caught.value.findings
    assert found.text().startswith(f"{path}:3:")


def test_a_joint_that_a_tendon_cannot_have_is_judged_by_mujoco() -> None:
    made = ub.to_mujoco(ub.loads(f"<mujoco>{BALL}<tendon>{FIXED}</tendon></mujoco>", format="mjcf"))
    with pytest.raises(ub.MujocoError, match=r"must be slide or hinge \(<joint>\)"):
        made.compile()


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            f'<worldbody>{BODY}<camera name="c" fovy="200"/></worldbody>',
            "<camera> 'c': fovy must be below 180°, got 200; ignored (MuJoCo rejects the file)",
            "correct fovy",
        ),
        (
            '<worldbody><geom name="floor" type="plane" size="2 3"/></worldbody>',
            "geom 'floor': the third size of a plane must be positive, got 2 3; using 1 (MuJoCo rejects "
            "the file)",
            'write size="2 3 1"',
        ),
        (
            f'{WORLD}<actuator><motor joint="j" ctrllimited="true" ctrlrange="1 0"/></actuator>',
            "<motor>: ctrlrange must fit ctrllimited, got 1 0 and true; the actuator is left out "
            "(MuJoCo rejects the file)",
            "correct ctrlrange",
        ),
    ],
)
def test_a_finding_says_what_must_be_and_what_was_found(
    text: str, message: str, hint: str, tmp_path: Path
) -> None:
    (tmp_path / "m.xml").write_text(f"<mujoco>{text}</mujoco>")
    reading = ub.read(tmp_path / "m.xml")
    assert [(f.message, f.hint) for f in reading.findings if f.severity == "warning"] == [(message, hint)]


@pytest.mark.parametrize(
    "text",
    [
        '<geom type="capsule" size=".1" fromto="0 0 0 0 0 1" quat="0 0 0 0"/>',
        '<geom type="capsule" size=".1" fromto="0 0 0 0 0 1" euler="0 0 9" quat="1 0 0 0"/>',
        '<site type="capsule" size=".1" fromto="0 0 0 0 0 1" quat="0 0 0 0"/>',
    ],
)
def test_an_orientation_without_effect_is_an_error_as_in_mujoco(text: str) -> None:
    text = f'<mujoco><worldbody><body name="b"><geom size=".1"/>{text}</body></worldbody></mujoco>'
    with pytest.raises(ValueError, match=r"orientation|quaternion"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(ub.LoadError, match="MuJoCo rejects the file"):
        ub.loads(text, format="mjcf")


@pytest.mark.parametrize(
    "text",
    [
        f'<default><position kv="7"/></default>{WORLD}'
        '<actuator><position joint="j" kp="1" dampratio="1"/></actuator>',
        f'<default><position dampratio="1"/></default>{WORLD}'
        '<actuator><position joint="j" kp="1" kv="7"/></actuator>',
        '<default><camera fovy="30"/></default><worldbody><body><geom size=".1"/>'
        '<camera sensorsize="1 1" focal="1 1" resolution="9 9"/></body></worldbody>',
        '<default><camera sensorsize="1 1" focal="1 1" resolution="9 9"/></default><worldbody><body>'
        '<geom size=".1"/><camera fovy="30"/></body></worldbody>',
        '<worldbody><body><geom size=".1"/></body><replicate count="0"><body><geom size=".1"/></body>'
        "</replicate></worldbody>",
    ],
)
def test_values_that_exclude_one_another_may_come_from_a_class(text: str) -> None:
    text = f"<mujoco>{text}</mujoco>"
    again = ub.dumps(ub.loads(text, format="mjcf"), format="mjcf", plain=True)
    before, after = (mujoco.MjModel.from_xml_string(x) for x in (text, again))
    assert before.nbody == after.nbody
    assert before.actuator_biasprm.tolist() == after.actuator_biasprm.tolist()
    assert before.cam_fovy.tolist() == after.cam_fovy.tolist()


def test_a_keyframe_may_lack_the_last_numbers() -> None:
    arm = (
        '<body><joint name="a" ref="20"/><geom size=".1"/><body><joint name="b" ref="30"/><geom size=".1"/>'
    )
    body = f'<body name="r" pos="4 5 6"><freejoint/><geom size=".1"/>{arm}</body></body></body>'
    keys = '<keyframe><key name="k" qpos="1 2 3 0 1 0 0 0.5" qvel="1 2 3"/><key/></keyframe>'
    text = f"<mujoco><worldbody>{body}</worldbody>{keys}</mujoco>"
    robot = ub.loads(text, format="mjcf")
    assert dict(robot.configurations[0].positions)["b"] == 0.0
    models = [mujoco.MjModel.from_xml_string(x) for x in (text, ub.dumps(robot, format="mjcf", plain=True))]
    assert models[0].key_qpos.ravel() == pytest.approx(models[1].key_qpos.ravel())
    assert models[0].key_qvel.tolist() == models[1].key_qvel.tolist()


@pytest.mark.parametrize(
    ("actuator", "values"),
    [
        ('pid joint="a"', 'ctrl="1 2"'),
        ('orientation site="s" refsite="t"', 'ctrl="1 2 3"'),
        ('general joint="a"', 'ctrl="1 2"'),
        ('general joint="a" dyntype="integrator"', 'act="1"'),
        ('general joint="a" class="filtered"', 'act="1"'),
        ('position joint="a" timeconst="1"', 'act="1"'),
        ('position joint="a" timeconst="1"', 'act="1 2"'),
        ('position joint="a"', 'act="1"'),
    ],
)
def test_a_keyframe_has_the_numbers_of_its_actuators(actuator: str, values: str) -> None:
    """Those that MuJoCo takes are kept, those that it rejects are left out."""
    body = '<body><joint name="a"/><geom size=".1"/><site name="s"/></body><site name="t"/>'
    classes = (
        '<default><default class="filtered"><general dyntype="filter" dynprm="2"/></default></default>'
    )
    keys = f'<actuator><{actuator}/></actuator><keyframe><key name="k" {values}/></keyframe>'
    text = f"<mujoco>{classes}<worldbody>{body}</worldbody>{keys}</mujoco>"
    written = ub.dumps(ub.loads(text, format="mjcf"), format="mjcf", plain=True)
    mujoco.MjModel.from_xml_string(written)
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        assert values not in written
    else:
        assert values in written


@pytest.mark.parametrize(
    "asset", ['hfield name="h" file="no.png" size="1 1 1 1"', 'mesh name="h" file="no.stl"']
)
@pytest.mark.parametrize("base", ["", "<freejoint/>"])
def test_what_refers_to_a_shape_without_its_file_is_not_written(
    asset: str, base: str, tmp_path: Path
) -> None:
    kind = asset.partition(" ")[0]
    (tmp_path / "m.xml").write_text(
        f'<mujoco><asset><{asset}/></asset><worldbody><geom name="floor" type="{kind}" {kind}="h"/>'
        f'<body name="b">{base}<geom name="g" size=".1"/></body></worldbody>'
        '<contact><pair geom1="g" geom2="floor"/></contact><sensor><contact name="c" geom1="floor"/>'
        '<distance geom1="g" geom2="floor"/><framepos name="p" objtype="geom" objname="g"/></sensor>'
        "</mujoco>"
    )
    robot = ub.load(tmp_path / "m.xml")
    model = mujoco.MjModel.from_xml_string(ub.dumps(robot, format="mjcf", plain=True))
    assert (model.nsensor, model.npair) == (1, 0)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        (
            '<worldbody><body><joint name="turn"/><geom size=".1"/></body></worldbody>'
            '<sensor><jointpos joint="turns"/></sensor>',
            "turn",
        ),
        ('<worldbody><geom name="turns" type="plane" size="2 3"/></worldbody>', 'size="2 3 1"'),
    ],
)
def test_a_text_that_is_rejected_is_written_anew(text: str, stays: str, tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(f"<mujoco>{text}</mujoco>")
    report = ub.convert(tmp_path / "m.xml", tmp_path / "out.xml")
    assert report.layout is not None
    assert "reject" in report.layout.anew
    assert stays in (tmp_path / "out.xml").read_text()
    mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))
