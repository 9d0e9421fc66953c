"""Known elements, attributes and keys in the wrong place: the finding names the right one."""

from __future__ import annotations

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.text.edit import edited
from unibody.text.finding import Finding

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
GEOM = '<geom size="1"/>'
LINK = "format: ChoreonoidBody\nformat_version: 2.0\nlinks:\n  - name: R\n"
SHAPE = "    elements:\n      - type: Shape\n"
BOX = "        geometry: { type: Box, size: [1, 1, 1] }\n"


def found(name: str, text: str) -> list[Finding]:
    beside = b'<robot name="r"><link name="a"/></robot>'
    return list(read(name, files=MemoryFiles({"a.urdf": beside, name: text.encode()})).findings)


def link(content: str) -> str:
    return f'<robot name="r"><link name="a">{content}</link></robot>'


def joint(content: str) -> str:
    links = '<link name="a"/><link name="b"/>'
    ends = '<parent link="a"/><child link="b"/>'
    return f'<robot name="r">{links}<joint name="j" type="revolute">{ends}{content}</joint></robot>'


def body(content: str) -> str:
    return f"<mujoco><worldbody><body>{GEOM}{content}</body></worldbody></mujoco>"


def wrl(content: str) -> str:
    humanoid = f'DEF H Humanoid {{ humanoidBody [ DEF W Joint {{ jointType "free" {content} }} ] }}'
    return f"#VRML V2.0 utf8\n{humanoid}\n"


def group(content: str) -> str:
    return f'<robot name="r"><group name="g">{content}</group></robot>'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        # URDF
        ("r.urdf", link(INERTIA), "<inertia> belongs in <inertial>, not in <link>; kept, but not used"),
        (
            "r.urdf",
            link('<mass value="1"/>'),
            "<mass> belongs in <inertial>, not in <link>; kept, but not used",
        ),
        (
            "r.urdf",
            link('<visual><box size="1 1 1"/></visual>'),
            "<box> belongs in <geometry>, not in <visual>; not kept",
        ),
        (
            "r.urdf",
            link('<geometry><box size="1 1 1"/></geometry>'),
            "<geometry> belongs in <visual> or <collision>, not in <link>; kept, but not used",
        ),
        (
            "r.urdf",
            link('<collision><material name="m"/></collision>'),
            "<material> belongs in <visual> or <robot>, not in <collision>; not kept",
        ),
        (
            "r.urdf",
            joint("<xyz>0 0 1</xyz>"),
            "'xyz' is an attribute of <origin> or <axis>, not an element of <joint>; kept, but not used",
        ),
        (
            "r.urdf",
            joint('<damping value="1"/>'),
            "'damping' is an attribute of <dynamics>, not an element of <joint>; kept, but not used",
        ),
        # SRDF
        (
            "r.srdf",
            group('<passive_joint name="j"/>'),
            "<passive_joint> belongs in <robot>, not in <group>; not kept",
        ),
        (
            "r.srdf",
            group('<disable_collisions link1="a" link2="a"/>'),
            "<disable_collisions> belongs in <robot>, not in <group>; not kept",
        ),
        (
            "r.srdf",
            '<robot name="r"><chain base_link="a" tip_link="a"/></robot>',
            "<chain> belongs in <group>, not in <robot>; kept, but not used",
        ),
        (
            "r.srdf",
            group('<group_state name="s" group="g"/>'),
            "<group_state> belongs in <robot>, not in <group>; not kept",
        ),
        (
            "r.srdf",
            '<robot name="r"><group_state name="s" group="g"><chain/></group_state></robot>',
            "<chain> belongs in <group>, not in <group_state>; not kept",
        ),
        # Body YAML
        (
            "r.body",
            f"{LINK}{SHAPE}{BOX}        diffuse: [1, 0, 0]\n",
            "'diffuse' belongs in 'material'; not kept",
        ),
        (
            "r.body",
            f"{LINK}{SHAPE}{BOX}        material: {{ a: 1 }}\n",
            "'material' belongs in 'appearance'; not kept",
        ),
        ("r.body", f"{LINK}{SHAPE}        size: [1, 1, 1]\n", "'size' belongs in 'Box'; not kept"),
        (
            "r.body",
            f"{LINK}{SHAPE}{BOX[:-2]}, appearance: {{}} }}\n",
            "'appearance' belongs in 'Shape'; not kept",
        ),
        (
            "r.body",
            f"{LINK}    geometry: {{ type: Box, size: [1, 1, 1] }}\n",
            "'geometry' belongs in 'Shape' or 'shape'; kept, but not used",
        ),
        # OpenHRP VRML
        ("r.wrl", wrl("mass 1"), "'mass' belongs in 'Segment', not in 'Joint'; kept, but not used"),
        (
            "r.wrl",
            wrl("children [ Segment { geometry Box {} } ]"),
            "'geometry' belongs in 'Shape', not in 'Segment'; kept, but not used",
        ),
        (
            "r.wrl",
            wrl("children [ Segment { children [ Shape { material Material {} geometry Box {} } ] } ]"),
            "'material' belongs in 'Appearance', not in 'Shape'; not kept",
        ),
        (
            "r.wrl",
            wrl("children [ Shape { appearance Appearance { diffuseColor 1 0 0 } } ]"),
            "'diffuseColor' belongs in 'Material', not in 'Appearance'; not kept",
        ),
        (
            "r.wrl",
            wrl("momentsOfInertia [ 1 0 0 0 1 0 0 0 1 ]"),
            "'momentsOfInertia' belongs in 'Segment', not in 'Joint'; kept, but not used",
        ),
    ],
)
def test_a_warning_names_the_right_place(name: str, text: str, said: str) -> None:
    [finding] = [f for f in found(name, text) if f.code == "misplaced"]
    assert finding.severity == "warning"
    assert finding.message.split(": ")[-1] == said


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            f"<mujoco>{GEOM}</mujoco>",
            "<geom> belongs in <default>, <worldbody> or <body>, not in <mujoco>",
        ),
        (body('<motor joint="j"/>'), "<motor> belongs in <default> or <actuator>, not in <body>"),
        (body('<mesh name="m"/>'), "<mesh> belongs in <default> or <asset>, not in <body>"),
        (
            "<mujoco><option><compiler/></option></mujoco>",
            "<compiler> belongs in <mujoco>, not in <option>",
        ),
        (
            "<mujoco><gravity/></mujoco>",
            "'gravity' is an attribute of <option> or <flag>, not an element of <mujoco>",
        ),
    ],
)
def test_the_error_about_an_element_that_mujoco_rejects_names_its_place(text: str, hint: str) -> None:
    [finding] = [f for f in found("r.xml", text) if f.code == "unknown-key"]
    assert (finding.severity, finding.hint) == ("error", hint)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        # a word that the format does not have
        ("r.urdf", link('<vendor value="1"/>')),
        # the fields of a sensor of another program are its own
        ("r.body", f"{LINK}    elements:\n      - {{ type: Lidar, size: 3, mass: 2, scan_rate: 1 }}\n"),
        # too many elements have these attributes
        ("r.urdf", link('<visual><geometry name="g" type="t"/></visual>')),
        # what stands in the elements of other programs is theirs
        ("r.urdf", '<robot name="r"><link name="a"/><gazebo><mass value="1"/></gazebo></robot>'),
        # a slip of the pen is likelier than another place
        ("r.urdf", joint('<limit effort="1" velocity="1" loweer="0"/>')),
    ],
)
def test_other_unknown_words_are_reported_as_before(name: str, text: str) -> None:
    assert "misplaced" not in {f.code for f in found(name, text)}


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("r.urdf", f"<inertial><b/></inertial>{INERTIA}", f"<inertial><b/>{INERTIA}</inertial>"),
        (
            "r.urdf",
            "<visual>\n<geometry>\n  <b/>\n</geometry>\n<box size='1 1 1'/>\n</visual>",
            "<visual>\n<geometry>\n  <b/>\n  <box size='1 1 1'/>\n</geometry>\n</visual>",
        ),
        (
            "r.urdf",
            "<visual><geometry><sphere radius='1'/><material name='m'/></geometry></visual>",
            "<visual><geometry><sphere radius='1'/></geometry><material name='m'/></visual>",
        ),
        ("r.urdf", "<visual><origin><xyz>0 0 1</xyz></origin></visual>", None),
        # two kinds of places; the place has one; there are two of it, or none; two would go to one place
        ("r.urdf", "<visual/><geometry><sphere radius='1'/></geometry>", ""),
        ("r.urdf", f"<inertial>{INERTIA}</inertial>{INERTIA}", ""),
        ("r.urdf", f"<visual><geometry/></visual><visual/><geometry/>{INERTIA}", ""),
        ("r.urdf", INERTIA, ""),
        ("r.urdf", f"<inertial><b/></inertial>{INERTIA}{INERTIA}", ""),
        ("r.urdf", f"<inertial/>{INERTIA}", ""),
    ],
)
def test_an_edit_moves_it_where_that_is_sure(name: str, before: str, after: str | None) -> None:
    """ "" stands for no edit, None for the code of another finding."""
    findings = [f for f in found(name, link(before)) if f.code == "misplaced"]
    if after is None:
        assert not findings
        return
    edits = [edit for f in findings for edit in f.edits]
    assert edited(link(before), edits) == link(after or before)
    assert all(f.fix is None or not f.fix.safe for f in findings)


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("<origin><xyz>0 0 1</xyz></origin>", '<origin xyz="0 0 1"></origin>', "wrong-value"),
        (
            '<origin rpy="0 0 1"><xyz> 0 0\n1 </xyz></origin>',
            '<origin rpy="0 0 1" xyz="0 0 1"></origin>',
            "",
        ),
        ("<axis>0 0 1</axis>", '<axis xyz="0 0 1"></axis>', "stray-text"),
        ("<mimic><joint>k</joint></mimic>", '<mimic joint="k"></mimic>', "wrong-value"),
        ('<mimic name="k"/>', '<mimic joint="k"/>', "unknown-key"),
        # two attributes of one name, more than a text, and more than one missing attribute
        ('<axis xyz="1 0 0"><xyz>0 0 1</xyz></axis>', '<axis xyz="1 0 0"></axis>', "key-twice"),
        ("<origin><xyz><b/></xyz></origin>", None, "wrong-value"),
        ("<origin>0 0 1</origin>", "<origin><!-- 0 0 1 --></origin>", "stray-text"),
    ],
)
def test_an_attribute_written_as_an_element_or_a_text(before: str, after: str | None, code: str) -> None:
    findings = [f for f in found("r.urdf", joint(before)) if f.code == code or (not code and f.edits)]
    assert findings
    edits = [edit for f in findings[:1] for edit in f.edits]
    if after is None:
        assert not edits
    else:
        assert edited(joint(before), edits) == joint(after)
