"""The schemas of URDF: the open one takes what the reader takes and refuses what it calls an error,
the closed one refuses elements that URDF does not name, too.

Wrong values and random documents come from the declarations, as in tests/formats/test_roundtrip.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st
from tests.document.strategies import UNDECLARED_XML, Syntax, documents
from tests.formats.test_roundtrip import (
    CAN_BE_WRONG,
    FIELDS,
    SETTINGS,
    Field,
    bound,
    corpus,
    is_urdf,
    keys,
    named,
    printed,
    smallest,
    source_of,
    wrongs,
)

import unibody as ub
from unibody.document.bind import unbind
from unibody.document.declare import Document, plan
from unibody.formats.urdf.document import Robot
from unibody.schemas import schema_file
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Word
from unibody.text.xml import parser as xml

BOTH = ["urdf", "urdf-closed"]
#: The namespace without which the elements of Drake are no XML for others.
DRAKE = ' xmlns:drake="https://drake.mit.edu"'

#: What the schema lets pass although the reader refuses it, by the value as written.
PASSES = {
    "1e999": "to XML Schema this is a number that is rounded to infinity",
    "1e-400": "to a schema this is 0",
}


@cache
def schema(name: str) -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(schema_file(f"{name}.xsd")))


def refused(text: str, name: str = "urdf") -> list[str]:
    if "drake:" in text and DRAKE not in text:
        text = re.sub(r"<[A-Za-z][^\s/>]*", lambda found: found[0] + DRAKE, text, count=1)
    root = ElementTree.fromstring(text)
    return [str(error.reason) for error in schema(name).iter_errors(root)]


@cache
def tags() -> dict[type[Document], str]:
    """An element's name for each class."""
    out: dict[type[Document], str] = {Robot: "robot"}
    todo: list[type[Document]] = [Robot]
    for cls in todo:
        for spec in plan(cls).fields.values():
            for key, member in spec.members.items():
                if member not in out:
                    out[member] = key or spec.key
                    todo.append(member)
    return out


def in_schema(field: Field) -> bool:
    """Whether the schemas have the element and the item: XML Schema has no names with a prefix."""
    cls, _, spec = field
    return is_urdf(cls) and ":" not in tags()[cls] and ":" not in spec.key


URDF_FIELDS = [field for field in FIELDS if in_schema(field)]


def element(cls: type[Document], without: list[str], *more: tuple[str, str]) -> str:
    node = unbind(smallest(cls), tags()[cls])
    items = [item for item in node.items if item[0] not in without]
    return printed(Node(node.tag, [*((key, Word(text), -1) for key, text in more), *items]))


# --- what is wrong is refused ------------------------------------------------------------


# A child's name as an attribute is no wrong value: attributes of any other name are legal.
@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("field", [f for f in CAN_BE_WRONG if in_schema(f) and f[2].type], ids=named)
def test_a_wrong_value_is_refused(field: Field, name: str) -> None:
    cls, _, spec = field
    for wrong in wrongs(cls, spec):
        text = element(cls, keys(spec), (spec.key, wrong))
        assert bool(refused(text, name)) == (wrong not in PASSES), text


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("field", [f for f in URDF_FIELDS if f[2].required == "error"], ids=named)
def test_what_is_required_is_missed(field: Field, name: str) -> None:
    cls, _, spec = field
    assert not refused(element(cls, []), name)
    assert refused(element(cls, keys(spec)), name)


WHOLE = """\
<robot name="r">
  <link name="a"/>
  <joint name="j" {0}><parent link="a"/><child link="b"/>{1}</joint>
</robot>
"""


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    ("attributes", "inside"),
    [
        ('type="revolut"', ""),
        ('type="Revolute"', ""),
        ('type="revolute"', '<limit lower="-1" upper="NaN"/>'),
        ('type="revolute"', '<limit lower="-1" upper="INF"/>'),
        ('type="revolute"', '<limit lower="-1deg"/>'),
        ('type="revolute"', '<axis xyz="0 0"/>'),
        ('type="revolute"', '<origin xyz="0,0,0"/>'),
        ('type="revolute"', "<mimic/>"),
        ('type="revolute"', '<parent link="c"/>'),
        ('type="revolute"', "stray text"),
    ],
)
def test_mistakes_in_a_whole_file_are_refused(name: str, attributes: str, inside: str) -> None:
    if inside == "stray text":
        etree = pytest.importorskip("lxml.etree", reason="xmlschema looks at no text beside elements")
        made = etree.XMLSchema(etree.parse(str(schema_file(f"{name}.xsd"))))
        assert not made.validate(etree.fromstring(WHOLE.format(attributes, inside)))
        return
    assert refused(WHOLE.format(attributes, inside), name)


# --- what is right is not ---------------------------------------------------------------


TAKEN = [
    ('type="revolute"', '<axis xyz=" 0  -1e-3 +.5 "/><limit lower="1." upper="2"/>'),
    ('type="revolute"', '<limit/><axis xyz="0 0 1"/><origin rpy="" xyz="0 0 0"/>'),
    ('type="continuous" my_attribute="x"', "<hardwareInterface>joint</hardwareInterface>"),
    ('type="fixed" xmlns:my="urn:my" my:a="1"', "<my:element><joint/></my:element>"),
]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(("attributes", "inside"), TAKEN)
def test_what_the_reader_takes_is_taken(name: str, attributes: str, inside: str) -> None:
    assert not refused(
        WHOLE.format(attributes, inside).replace("<my:element><joint/>", "<my:element>"), name
    )


@pytest.mark.parametrize("tag", ["gazebo", "transmission", "ros2_control", "unibody"])
@pytest.mark.parametrize("name", BOTH)
def test_what_other_programs_read_may_hold_anything(tag: str, name: str) -> None:
    inner = '<joint name="j">text<origin xyz="a"/></joint><link/>'
    assert not refused(f'<robot name="r"><{tag} a="1">{inner}</{tag}></robot>', name)


@pytest.mark.parametrize("name", BOTH)
def test_elements_inside_those_with_a_prefix_have_their_own_meaning(name: str) -> None:
    inner = '<parent link="a"/><child link="b"/><dynamics damping="1 2 3"/>'
    assert not refused(
        f'<robot name="r"><drake:joint name="j" type="planar">{inner}</drake:joint></robot>', name
    )


def test_only_the_closed_schema_refuses_elements_of_others() -> None:
    for text in (
        '<robot name="r"><motor/></robot>',
        '<robot name="r"><link name="a"><limit/></link></robot>',
    ):
        assert not refused(text, "urdf")
        assert refused(text, "urdf-closed")


@SETTINGS
@given(documents(Robot, Syntax(UNDECLARED_XML)))
def test_random_documents_are_taken(doc: Document) -> None:
    text = printed(unbind(doc, "robot"))
    assert not refused(text), text


@SETTINGS
@given(documents(Robot, Syntax(st.just([]))))
def test_random_documents_without_extensions_are_taken_by_the_closed_schema(doc: Document) -> None:
    text = printed(unbind(doc, "robot"))
    assert not refused(text, "urdf-closed"), text


def read_as_document(path: Path) -> tuple[str, set[tuple[str, str]]]:
    """A file's text without its XML declaration, and codes and severities of what is found in it."""
    findings = Findings()
    source = source_of(path)
    try:
        node = xml.parse(source, findings)
    except TextError:
        pytest.skip("is no XML")
    if node.tag != "robot":
        pytest.skip("is no robot")
    bound(Robot, node, findings)
    return re.sub(r"^\s*<\?xml.*?\?>", "", source.text), {(f.code, f.severity) for f in findings}


@pytest.mark.parametrize("path", corpus(".urdf"))
def test_real_files(path: Path) -> None:
    """A file that reads clean is taken; one with an error of its elements is refused."""
    if path.stat().st_size > 200_000:
        pytest.skip("xmlschema takes seconds for it; tried by hand")
    text, told = read_as_document(path)
    try:
        messages = refused(text)
    except ElementTree.ParseError:
        assert any(severity == "warning" for _, severity in told)
        pytest.skip("is XML to the reader alone, which says so")
    if not any(severity != "info" for _, severity in told):
        assert not messages
    if any(severity == "error" for _, severity in told):
        assert messages


# --- files that name their schema -------------------------------------------------------


INERTIA = '<mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
NAMING = f"""\
<robot name="r"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="urdf.xsd">
  <link name="a"><inertial>{INERTIA}</inertial></link>
  <link name="b"><inertial>{INERTIA}</inertial></link>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def in_unibody(path: Path) -> int:
    reading = ub.read(str(path))
    assert not [f for f in reading.findings if f.severity != "info"]
    assert reading.robot is not None
    return len(reading.robot.joints)


def in_pinocchio(path: Path) -> int:
    pinocchio = pytest.importorskip("pinocchio")
    return int(pinocchio.buildModelFromUrdf(str(path)).njoints) - 1


def in_mujoco(path: Path) -> int:
    model: Any = mujoco.MjModel.from_xml_path(str(path))
    return int(model.njnt)


@pytest.mark.parametrize("joints", [in_unibody, in_pinocchio, in_mujoco])
def test_a_file_that_names_its_schema_loads(joints: Callable[[Path], int], tmp_path: Path) -> None:
    path = tmp_path / "named.urdf"
    path.write_text(NAMING, "utf-8")
    assert joints(path) == 1
