"""Body and URDF documents: what is written reads back, and what is wrong is found in its place.

Everything is derived from the declarations, so that a new field is tested when it is declared.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fuzz.declarations import classes
from hypothesis import HealthCheck, given, settings
from tests.document.strategies import UNDECLARED_XML, Syntax, documents
from tests.sampling import for_each, sampled
from tests.shared import DEV
from tests.text.yaml_tokens import tokens

from unibody.document.bind import Binding, bind, unbind
from unibody.document.declare import Document, Spec, kind_names, plan
from unibody.formats.body.document import Body
from unibody.formats.body.expand import expand
from unibody.formats.urdf.document import Robot
from unibody.text.decode import decode
from unibody.text.finding import Findings
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.xml import parser as xml
from unibody.text.xml.printer import print_xml
from unibody.text.yaml import parser as yaml
from unibody.text.yaml.printer import print_yaml

SETTINGS = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Undeclared items and types are generated on purpose.
EXPECTED = {"kept-as-extra", "not-kept", "type-unknown"}
YAML, XML = Syntax(), Syntax(UNDECLARED_XML)


def bound(cls: type[Document], node: Node, findings: Findings | None = None) -> Document:
    is_xml = bool(node.tag)
    found = Findings() if findings is None else findings
    return bind(cls, node, Binding(found, repeat_last=not is_xml, xml=is_xml, lenient=is_xml))


def parsed(text: str, is_xml: bool, findings: Findings | None = None) -> Node:
    source, noted = Source("text", text), Findings() if findings is None else findings
    value = xml.parse(source, noted) if is_xml else yaml.parse(source, noted)
    assert isinstance(value, Node)
    return value


def printed(node: Node) -> str:
    return print_xml(node) if node.tag else print_yaml(node)


def codes(findings: Findings) -> set[str]:
    return {f.code for f in findings}


# --- what is written reads back ---------------------------------------------------------


@SETTINGS
@given(documents(Body, YAML))
def test_body_through_nodes(doc: Document) -> None:
    findings = Findings()
    assert bound(Body, unbind(doc), findings) == doc
    assert codes(findings) <= EXPECTED


@SETTINGS
@given(documents(Body, YAML))
def test_body_through_text(doc: Document) -> None:
    findings = Findings()
    node = parsed(printed(unbind(doc)), is_xml=False, findings=findings)
    assert bound(Body, expand(node, findings), findings) == doc
    assert codes(findings) <= EXPECTED


@SETTINGS
@given(documents(Robot, XML))
def test_urdf_through_nodes(doc: Document) -> None:
    findings = Findings()
    assert bound(Robot, unbind(doc, "robot"), findings) == doc
    assert codes(findings) <= EXPECTED


@SETTINGS
@given(documents(Robot, XML))
def test_urdf_through_text(doc: Document) -> None:
    findings = Findings()
    node = parsed(printed(unbind(doc, "robot")), is_xml=True, findings=findings)
    assert bound(Robot, node, findings) == doc
    assert codes(findings) <= EXPECTED


# --- every field ------------------------------------------------------------------------

Field = tuple[type[Document], str, Spec]
FIELDS: list[Field] = [
    (cls, name, spec)
    for root in (Body, Robot)
    for cls in classes(root)
    for name, spec in plan(cls).fields.items()
]


def is_urdf(cls: type[Document]) -> bool:
    return cls.__module__ == Robot.__module__


def named(field: Field) -> str:
    return f"{'urdf' if is_urdf(field[0]) else 'body'}-{field[0].__name__}-{field[1]}"


def smallest(cls: type[Document]) -> Document:
    """A document with nothing but what is required."""
    content: dict[str, Any] = {}
    for name, spec in plan(cls).fields.items():
        if spec.required and spec.type is not None:
            content[name] = spec.type.samples[0]
        elif spec.required:
            content[name] = smallest(next(iter(spec.members.values())))
    return cls(**content)


def sample(cls: type[Document], name: str) -> Any:
    """A value that is not the default, a document, or a list of one."""
    spec = plan(cls).fields[name]
    if spec.type is not None:
        default = plan(cls).defaults[name]
        return next(value for value in spec.type.samples if value != default)
    made = smallest(next(iter(spec.members.values())))
    return [made] if spec.many else made


def written(cls: type[Document], doc: Document) -> Node:
    return unbind(doc, "element" if is_urdf(cls) else "")


OLD = [field for field in FIELDS if field[2].old]


@for_each(OLD, named)
def test_old_spellings_read_the_same(field: Field) -> None:
    cls, name, spec = field
    doc = smallest(cls)
    setattr(doc, name, sample(cls, name))
    node = written(cls, doc)
    assert any(key == spec.key for key, _, _ in node.items)
    for old in spec.old:
        renamed = [(old if key == spec.key else key, value, at) for key, value, at in node.items]
        findings = Findings()
        assert bound(cls, Node(node.tag, renamed), findings) == doc
        assert not findings


#: Values of the wrong kind, as written in YAML, by the name of their type (N stands for any number).
WRONG: dict[str, list[str]] = {
    "text": ["[zza, zzb]", "{zza: zzb}"],
    "number": ["zzwrong", "1e999", ".nan", "[zza]"],
    "whole number": ["zzwrong", "98765432109876543210"],
    "true or false": ["zzmaybe", "12345"],
    "N numbers": ["[7.125, 7.25, 7.5, 7.75, 7.875]", "7.125", "[7.125, zza, 7.5]", "{zza: 1}"],
    "N or N numbers": ["[7.125, 7.25]", "7.125"],
    "list of numbers": ["zzwrong", "{zza: 1}"],
    "3 numbers, or a list of such": ["[7.125, 7.25]", "[[1, 2, 3], [7.125]]", "zzwrong"],
    "axis and angle (N numbers), or a list of such": [
        "[7.125, 7.25]",
        "[[7, 7, 7, 7], [1]]",
        "zzwrong",
    ],
    "X, Y, Z, -X, -Y, -Z or N numbers": ["zzw", "[7.125, 7.25]"],
    "number or unlimited": ["zzwrong", "[7.125]"],
    "number, unlimited, or two of these": ["zzwrong", "[7.125, 7.25, 7.5]", "[7.125, zzwrong]"],
    "word or list of words": ["{zza: zzb}", "[[zza]]"],
    "true, false, or two of these": ["zzmaybe", "[true, true, true]", "[true, zzmaybe]"],
    "mapping or words": ["[zza]", "{length_unit: [zza]}"],
    "one of": ["zzwrong", "[zza]"],
    "child": ["zzwrong", "[zza]"],
    "children": ["zzwrong", "[zza]"],
}
#: Attributes are always text: only these can be wrong.
WRONG_XML: dict[str, list[str]] = {
    "text": [],
    "number": ["zzwrong", "1e999", "nan"],
    "whole number": ["zzwrong"],
    "N numbers": ["7.125 7.25", "7.125 zza 7.5", "7.125,7.25,7.5", "7.125 7.25 inf"],
    "N or N numbers": ["7.125 7.25", "zzwrong", "7.125 zza 7.5", "7.125 7.25 inf"],
    "one of": ["zzwrong"],
    "child": ["zzwrong"],
    "children": ["zzwrong"],
}


def wrongs(cls: type[Document], spec: Spec) -> list[str]:
    if spec.type is None:
        name = "children" if spec.many else "child"
    else:
        name = "one of" if spec.type.name.startswith("one of") else spec.type.name
        name = name if name in WRONG else re.sub(r"\d+", "N", name)
    table = WRONG_XML if is_urdf(cls) else WRONG
    assert name in table, f"say in WRONG what is no '{name}'"
    return table[name]


def keys(spec: Spec) -> list[str]:
    return list(spec.members) if spec.by == "key" else [spec.key, *spec.old]


CAN_BE_WRONG = [f for f in FIELDS if f[2].by != "kind" and not (f[2].type and f[2].type.name == "anything")]


@for_each(CAN_BE_WRONG, named)
def test_a_wrong_value_is_one_finding_in_its_place(field: Field) -> None:
    """An error, unless another loader of the format reads the text: then a warning says what is assumed."""
    cls, name, spec = field
    rest = written(cls, smallest(cls))
    others = [item for item in rest.items if item[0] not in keys(spec)]
    for key in keys(spec):
        for wrong in wrongs(cls, spec):
            if is_urdf(cls):
                text = printed(Node(rest.tag, [(key, Word(wrong), -1), *others]))
            else:
                text = f"{key}: {wrong}\n" + (printed(Node("", others)) if others else "")
            start = text.index(wrong)
            findings = Findings()
            doc = bound(cls, parsed(text, is_urdf(cls)), findings)
            # what Choreonoid takes for absent or for 0, and NaN where nothing is computed, are warnings
            taken = ("odd-value", "number-not-finite")
            said = [f.severity for f in findings if f.code not in taken or f.severity != "warning"]
            assumed = is_urdf(cls) and [f.severity for f in findings] == ["warning"]
            assert assumed or said in (["error"], []), (text, findings)
            assert len(findings) == 1, (text, findings)
            place = findings[0].at
            assert place is not None
            assert start <= place.start < place.end <= start + len(wrong), (text, place.text)
            if assumed:
                said_so = ("using", "assuming", "ignored", "read as")
                assert any(word in findings[0].message for word in said_so), findings
                continue
            assert name not in doc.given or spec.many or not said
            assert not getattr(doc, name) or getattr(doc, name) == plan(cls).defaults[name]


@for_each([f for f in FIELDS if f[2].required], named)
def test_what_is_required_is_missed(field: Field) -> None:
    cls, name, spec = field
    doc = smallest(cls)
    node = written(cls, doc)
    node.items = [item for item in node.items if item[0] not in keys(spec)]
    text = printed(node) if node.items or node.tag else "{}"
    findings = Findings()
    assert not getattr(bound(cls, parsed(text, is_urdf(cls)), findings), name)
    severity = "warning" if spec.otherwise else spec.required
    assert [(f.code, f.severity) for f in findings] == [("missing", severity)]
    assert spec.otherwise in findings[0].message
    assert f"'{spec.key}'" in findings[0].message
    assert findings[0].at is not None
    assert findings[0].at.start == 0


LONG_KEYS = [
    (cls, key)
    for root in (Body, Robot)
    for cls in classes(root)
    for key in plan(cls).keys
    if len(key) >= 5 and key != "elements"
]


@for_each(LONG_KEYS)
def test_a_misspelt_key_is_a_warning_with_a_hint(pair: tuple[type[Document], str]) -> None:
    cls, key = pair
    node = written(cls, smallest(cls))
    start = key.rpartition(":")[2][:3]
    misspelt = key.replace(start, start + start[-1], 1)
    node.items.insert(0, (misspelt, Word("1"), -1))
    findings = Findings()
    doc = bound(cls, node, findings)
    assert [(f.code, f.severity) for f in findings] == [("unknown-key", "warning")]
    given = any(k == key for k, _, _ in node.items)
    assert (
        findings[0].hint == f"remove it: '{key}' is already given"
        if given
        else "did you mean '" in findings[0].hint
    )
    assert [k for k, _, _ in doc.rest] == [misspelt]


def test_every_kind_is_told_by_its_type() -> None:
    for cls in classes(Body):
        for spec in plan(cls).fields.values():
            for name, member in spec.members.items():
                if spec.by == "type":
                    assert name in kind_names(member)


# --- depth ------------------------------------------------------------------------------


def test_900_transforms_deep() -> None:
    text = "links: [{name: A, elements: "
    text += "{type: Transform, translation: [0, 0, 1], elements: " * 900
    text += "{type: Shape, geometry: {type: Box}}" + "}" * 900 + "}]\n"
    findings = Findings()
    body = bound(Body, expand(parsed(text, is_xml=False), findings), findings)
    assert not findings
    again = bound(Body, unbind(body))
    assert again == body
    assert print_yaml(unbind(again)) == print_yaml(unbind(body))


# --- real files -------------------------------------------------------------------------


def corpus(*suffixes: str) -> list[Any]:
    return sampled(sorted(path for suffix in suffixes for path in DEV.rglob(f"*{suffix}")), root=DEV)


def source_of(path: Path) -> Source:
    return decode(path.read_bytes(), path.name, Findings())


NEED_ANCHORS = {"CeilingHole.yaml", "FlagCommon.yaml", "RoadSurfaceCommon.yaml"}


def read_yaml(path: Path) -> tuple[Node, Source]:
    source = source_of(path)
    if path.name in NEED_ANCHORS:
        pytest.skip("uses anchors of the files that include it")
    value = yaml.parse(source, Findings())
    assert isinstance(value, Node)
    return value, source


@pytest.mark.parametrize("path", corpus(".body", ".yaml", ".yml"))
def test_real_yaml_keeps_all_but_white_space(path: Path) -> None:
    value, source = read_yaml(path)
    text = print_yaml(value, source)
    findings = Findings()
    again = Source("again", text)
    value_again = yaml.parse(again, findings)
    assert value_again == value
    assert tokens(value_again, again) == tokens(value, source)
    assert "anchor-duplicate" not in codes(findings)
    assert list(yaml.anchors(value_again)) == list(yaml.anchors(value))
    assert print_yaml(value_again, again) == text


@pytest.mark.parametrize("path", corpus(".body"))
def test_real_body_documents(path: Path) -> None:
    value, _ = read_yaml(path)
    findings = Findings()
    doc = bound(Body, expand(value, findings), findings)
    node = unbind(doc)
    assert bound(Body, node) == doc
    assert bound(Body, expand(parsed(printed(node), is_xml=False), findings)) == doc


@pytest.mark.parametrize("path", corpus(".urdf"))
def test_real_urdf_documents(path: Path) -> None:
    if path.name == "error_xml_syntax.urdf":
        pytest.skip("is no XML")
    node = xml.parse(source_of(path), Findings())
    doc = bound(Robot, node)
    again = unbind(doc, "robot")
    assert bound(Robot, again) == doc
    assert bound(Robot, parsed(printed(again), is_xml=True)) == doc
