"""Mistakes in bodies, meshes, masses, joints and equalities: MuJoCo rejects them, and so does reading."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles

GEOM = '<geom size=".1"/>'
CORNERS = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'
MESH = (
    '<asset><mesh name="m" {0}/></asset>'
    '<worldbody><body><joint/><geom type="mesh" mesh="m"/></body></worldbody>'
)
HILL = (
    '<asset><hfield name="h" {0} size="1 2 3 .1"/></asset>'
    '<worldbody><geom type="hfield" hfield="h"/></worldbody>'
)
TWO = (
    '<worldbody><body name="a"><joint name="a"/>' + GEOM + '<site name="s"/></body>'
    '<body name="b" pos="1 0 0"><joint name="b"/>' + GEOM + "</body></worldbody>"
)


def _body(inside: str) -> str:
    return f'<worldbody><body name="a">{inside}</body></worldbody>'


#: The inside of a file, with the code of its error.
ERRORS = {
    _body(f'<joint type="ball"/><joint/>{GEOM}'): "joints-of-body",
    _body(f'<joint type="ball"/><joint type="ball"/>{GEOM}'): "joints-of-body",
    _body(f"<freejoint/><joint/>{GEOM}"): "joints-of-body",
    _body(f"<joint/>{GEOM}<body><freejoint/>{GEOM}</body>"): "joints-of-body",
    _body("".join('<joint type="slide"/>' for _ in range(7)) + GEOM): "joints-of-body",
    _body(f'<joint axis="0 0 0"/>{GEOM}'): "axis-zero",
    _body(f'<joint limited="true"/>{GEOM}'): "range-rejected",
    _body('<joint/><geom type="box" size=".1 .1"/>'): "size-not-positive",
    _body('<joint/><geom type="capsule" size=".1"/>'): "size-not-positive",
    _body('<joint/><geom size="0"/>'): "size-not-positive",
    _body('<joint/><geom type="mesh"/>'): "reference-unknown",
    _body('<joint/><geom type="mesh" mesh="x"/>'): "reference-unknown",
    _body('<joint/><geom type="hfield" hfield="x"/>'): "reference-unknown",
    _body('<joint/><geom size=".1" material="x"/>'): "reference-unknown",
    _body('<joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>'): "inertial-rejected",
    _body(
        '<joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/>'
    ): "inertial-rejected",
    _body(
        '<joint/><inertial pos="0 0 0" mass="1" euler="0 0 9" fullinertia="1 1 1 0 0 0"/>'
    ): "inertial-rejected",
    _body('<joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 -1 0 0 0"/>'): "inertial-rejected",
    MESH.format('vertex="0 0 0 1 0 0 0 1 0"'): "asset-rejected",
    MESH.format('vertex="0 0 0 1 0 0 0 1 0 1 1 0"'): "asset-rejected",
    MESH.format(f'{CORNERS} face="0 1 4"'): "asset-rejected",
    MESH.format(f'{CORNERS} face="0 1"'): "asset-rejected",
    HILL.format('nrow="1" ncol="3"'): "asset-rejected",
    HILL.format('nrow="2" ncol="3" elevation="1 2 3"'): "asset-rejected",
    "<default><default/></default>" + TWO: "missing",
    '<default class="top"/>' + TWO: "default-class",
    '<default><default class="c"/><default class="c"/></default>' + TWO: "default-class",
    TWO.replace("<geom", '<geom class="x"', 1): "default-class",
    TWO + '<equality><connect body1="a" anchor="0 0 0" body2="a"/></equality>': "reference-unknown",
    TWO + '<equality><connect body1="a" body2="b"/></equality>': "missing",
    TWO + '<equality><connect body1="a" body2="x" anchor="0 0 0"/></equality>': "reference-unknown",
    TWO + '<equality><weld body1="x"/></equality>': "reference-unknown",
    TWO + '<equality><connect site1="s" site2="x"/></equality>': "reference-unknown",
    TWO + '<contact><exclude body1="a" body2="x"/></contact>': "reference-unknown",
    '<worldbody><attach model="x" prefix="p"/></worldbody>': "reference-unknown",
}


def _read(inside: str, files: Mapping[str, bytes] | None = None) -> ub.Reading:
    text = f"<mujoco>{inside}</mujoco>"
    return ub.read("m.xml", files=MemoryFiles({"m.xml": text.encode(), **(files or {})}))


@pytest.mark.parametrize(("inside", "code"), ERRORS.items())
def test_errors(inside: str, code: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)error"):
        mujoco.MjModel.from_xml_string(f"<mujoco>{inside}</mujoco>")
    found = [f for f in _read(inside).findings if f.severity == "error"]
    assert {f.code for f in found} - {"body-massless"} == {code}, [str(f) for f in found]
    assert all(f.at is not None for f in found)


#: Models that attach or include others, with the code of the error.
FILES = {
    '<asset><model name="p" file="m.xml"/></asset><worldbody><attach model="p" prefix="x"/></worldbody>': (
        "include-recursion"
    ),
    '<asset><model name="p" file="p.xml"/></asset><worldbody><attach model="p" body="x"/></worldbody>': (
        "reference-unknown"
    ),
    '<asset><model name="p" file="x.xml"/></asset><worldbody><attach model="p" prefix="p"/></worldbody>': (
        "include-rejected"
    ),
    "<include/>": "missing",
    '<include file="p.xml"><body/></include>': "include-rejected",
    '<include file="none.xml"/>': "include-rejected",
    '<include file="empty.xml"/>': "include-rejected",
    '<include file="m.xml"/>': "include-recursion",
}


@pytest.mark.parametrize(("inside", "code"), FILES.items())
def test_other_files(inside: str, code: str) -> None:
    part = f'<mujoco><worldbody><body name="a"><joint/>{GEOM}</body></worldbody></mujoco>'
    files = {"p.xml": part.encode(), "empty.xml": b"<mujoco/>"}
    found = _read(inside, files).findings
    assert code in [f.code for f in found], [str(f) for f in found]


_POINTS = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
_MSH = np.array([4, 0, 0, 1], "<i4").tobytes() + np.eye(4, 3, dtype="<f4").tobytes()
#: Mesh files that MuJoCo rejects, with what is said of them.
BROKEN = {
    "word.obj": (_POINTS + b"f 1 2 x\n", "the file is broken"),
    "no-number.obj": (_POINTS + b"v 1 1\nf 1 2 3\n", "the file is broken"),
    "no-vertex.obj": (_POINTS + b"f 1 2 5\n", "a face refers to a vertex that does not exist"),
    "before.obj": (_POINTS + b"f 1 2 -5\n", "a face refers to a vertex that does not exist"),
    "nan.obj": (_POINTS + b"v 1 1 nan\nf 1 2 3\n", "a vertex is not finite"),
    "short.msh": (_MSH, "the file is broken"),
    "negative.msh": (np.array([4, -1, 0, 0], "<i4").tobytes() + _MSH, "the file is broken"),
    "no-vertex.msh": (
        _MSH + np.array([0, 1, 4], "<i4").tobytes(),
        "a face refers to a vertex that does not exist",
    ),
    "short.stl": (bytes(83), "it is no binary STL file of 1 to 200000 triangles"),
    "cut.stl": (bytes(80) + b"\1\0\0\0" + bytes(49), "it is no binary STL file of 1 to 200000 triangles"),
    "none.stl": (bytes(84), "it is no binary STL file of 1 to 200000 triangles"),
    "text.stl": (b"solid a\nendsolid a\n", "is a text STL file"),
    "part.ply": (b"ply\n", "MuJoCo reads no '.ply' files"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_mesh_file_that_mujoco_rejects_is_kept_without_its_mass(name: str) -> None:
    data, said = BROKEN[name]
    ball = '<body pos="9 0 0"><joint/><geom size=".1"/></body></worldbody>'
    inside = MESH.format(f'file="{name}"').replace("</worldbody>", ball)
    with pytest.raises(ValueError, match=r"(?i)error"):
        mujoco.MjModel.from_xml_string(f"<mujoco>{inside}</mujoco>", {name: data})
    (finding,) = (f for f in _read(inside, {name: data}).findings if f.code == "mesh-loader")
    assert said in finding.message


def test_an_attached_model_without_a_name_is_called_as_it_calls_itself() -> None:
    body = f'<body name="a"><joint name="j"/>{GEOM}</body>'
    part = f'<mujoco model="part"><worldbody>{body}</worldbody></mujoco>'
    inside = '<asset><model file="p.xml"/></asset><worldbody><attach model="part" prefix="x_"/></worldbody>'
    reading = _read(inside, {"p.xml": part.encode()})
    assert reading.ok, [str(f) for f in reading.findings]
    assert reading.robot is not None
    assert [joint.name for joint in reading.robot.joints] == ["x_j"]


@pytest.mark.parametrize(
    ("inside", "message", "hint"),
    [
        (
            '<equality><joint joint1="aa"/></equality>',
            "<joint> refers to unknown joint 'aa'",
            "did you mean 'a'?",
        ),
        (
            '<equality><connect body1="a" body2="x" anchor="0 0 0" active="false"/></equality>',
            "<connect> refers to unknown body 'x'",
            "correct the name, or remove the element",
        ),
        (
            '<contact><exclude body1="a" body2="x"/></contact>',
            "<exclude> refers to unknown body 'x'",
            "correct the name, or remove the element",
        ),
    ],
)
def test_an_unknown_name_of_a_constraint_is_an_error_at_its_attribute(
    inside: str, message: str, hint: str
) -> None:
    text = f"<mujoco>{TWO}{inside}</mujoco>"
    with pytest.raises(ValueError, match=r"unknown element|not found"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(ub.LoadError) as caught:
        ub.loads(text, format="mjcf")
    (found,) = caught.value.findings
    assert (found.code, found.message) == ("reference-unknown", f"{message}; MuJoCo rejects the file")
    assert found.hint == hint
    assert found.at is not None
    assert f"'{found.at.text}'" in message


def test_a_constraint_of_a_body_that_mujoco_makes_is_kept() -> None:
    soft = '<flexcomp name="f" type="grid" count="2 2 1" spacing=".1 .1 .1" dim="2" radius=".01" mass="1"/>'
    text = (
        f'<mujoco><worldbody><body name="a"><joint name="a"/>{GEOM}</body>{soft}</worldbody>'
        '<equality><connect body1="f_1" body2="a" anchor="0 0 0"/></equality>'
        '<contact><exclude body1="a" body2="f_2"/></contact></mujoco>'
    )
    robot = ub.loads(text, format="mjcf")
    assert not robot.loops
    model = mujoco.MjModel.from_xml_string(ub.dumps(robot, format="mjcf", plain=True))
    assert (model.neq, model.nexclude) == (1, 1)
