from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.document.strategies import Syntax, documents
from tests.document.toy import Bag, Ball, Chest, Lid, Other, read

from unibody.document.bind import Binding, bind, text_value, unbind
from unibody.document.declare import Document
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Item, Node, Numbers, Row, Word
from unibody.text.source import Source
from unibody.text.xml import parser as xml
from unibody.text.yaml import parser as yaml

FULL = "size: [1, 2, 3]\ncount: 2\n"


def one(findings: Findings, code: str) -> Finding:
    assert [f.code for f in findings] == [code]
    return findings[0]


def where(finding: Finding) -> tuple[int, int, str]:
    assert finding.at is not None
    return finding.at.line, finding.at.column, finding.at.text


# --- values -----------------------------------------------------------------------------


def test_values_defaults_and_what_was_given() -> None:
    chest, findings = read(FULL + "locked: yes\nwood: fir\nlid: { color: red }\n")
    assert not findings
    assert (chest.size, chest.count, chest.locked, chest.wood) == ((1.0, 2.0, 3.0), 2, True, "pine")
    assert (chest.name, chest.weight, chest.ball, chest.hinges) == ("", None, None, [])
    assert chest.lid == Lid(color="red")
    assert chest.given == {"size", "count", "locked", "wood", "lid"}
    assert chest.node is not None
    assert chest.lid is not None
    assert chest.lid.node is chest.node.get("lid")


def test_a_wrong_value_leaves_the_default_and_is_found_at_its_place() -> None:
    chest, findings = read(FULL + "weight: heavy\n")
    assert chest.weight is None
    assert "weight" not in chest.given
    found = one(findings, "wrong-value")
    assert found.severity == "error"
    assert where(found) == (3, 9, "heavy")


def test_a_wrong_number_in_a_list_is_found_at_its_place() -> None:
    _, findings = read("count: 1\nsize: [1,\n  two, 3]\n")
    assert where(one(findings, "wrong-value")) == (3, 3, "two")


def test_a_half_read_value_counts_with_a_warning() -> None:
    chest, findings = read("count: 3.7\nsize: [1, 2, 3mm]\n")
    assert (chest.count, chest.size) == (3, (1.0, 2.0, 3.0))
    assert [(f.code, f.severity, where(f)) for f in findings] == [
        ("number-suffix", "warning", (1, 8, "3.7")),
        ("number-suffix", "warning", (2, 14, "3mm")),
    ]


def test_a_message_names_the_innermost_named_element() -> None:
    _, findings = read(FULL + "name: SEA\nball: { type: Ball, radius: x }\n")
    assert findings[0].message.startswith("'SEA': ")


def test_what_is_required_is_asked_for() -> None:
    _, findings = read("name: x\n")
    assert [(f.code, f.severity) for f in findings] == [("missing", "error"), ("missing", "warning")]
    assert "needs key 'size'" in findings[0].message
    assert where(findings[0]) == (1, 1, "name: x")


def test_a_wrong_value_is_not_also_missing() -> None:
    _, findings = read("extent: 3\ncount: 1\n")
    one(findings, "wrong-value")


# --- spellings and repetition -----------------------------------------------------------


@pytest.mark.parametrize("spelling", ["size", "dimensions", "extent"])
def test_old_spellings(spelling: str) -> None:
    chest, findings = read(f"{spelling}: [1, 2, 3]\ncount: 1\n")
    assert not findings
    assert chest.size == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("number: 1\ncount: 2\n", 2),
        ("count: 2\nnumber: 1\n", 2),
        ("number: 1\ncount: 2\nnumber: 3\n", 2),
        ("number: 1\ncount: 2\ncount: 3\n", 3),
        ("number: x\ncount: 2\n", 2),
    ],
)
def test_the_first_spelling_wins(text: str, count: int) -> None:
    chest, findings = read("size: [1, 2, 3]\n" + text)
    assert chest.count == count
    assert all(f.code in ("key-twice", "wrong-value") for f in findings)
    assert len(findings) == text.count("\n") - 1


@pytest.mark.parametrize(("last", "count"), [(True, 3), (False, 1)])
def test_a_repeated_key(last: bool, count: int) -> None:
    chest, findings = read("size: [1, 2, 3]\ncount: 1\ncount: 3\n", repeat_last=last)
    assert chest.count == count
    found = one(findings, "key-twice")
    assert f"; using the {'last' if last else 'first'}" in found.message
    assert where(found) == (3, 8, "3")


def test_a_repeated_list_replaces_the_first() -> None:
    chest, findings = read(FULL + "hinges: [{color: a}, {color: b}]\nhinges: [{color: c}]\n")
    one(findings, "key-twice")
    assert chest.hinges == [Lid(color="c")]


def test_many_repeated_keys_take_no_time() -> None:
    chest, findings = read("size: [1, 2, 3]\n" + "count: 1\n" * 30_000)
    assert chest.count == 1
    assert len(findings) == 29_999


# --- children and unions ----------------------------------------------------------------


def test_a_union_keeps_the_order() -> None:
    things = "things: [{type: Bag}, {type: Ball, radius: 2}, {type: Sphere}, {type: Bag}]\n"
    chest, findings = read(FULL + things)
    assert not findings
    assert chest.things == [Bag(), Ball(radius=2.0), Ball(type="Sphere"), Bag()]


def test_an_unknown_type_goes_to_the_other_class() -> None:
    chest, findings = read(FULL + "things: [{type: Frog, legs: 4}]\n")
    assert [(f.code, f.severity) for f in findings] == [("type-unknown", "info"), ("not-kept", "info")]
    assert isinstance(chest.things[0], Other)
    assert [(key, value) for key, value, _ in chest.things[0].rest] == [("legs", Word("4"))]


def test_a_nearly_known_type_is_a_warning() -> None:
    _, findings = read(FULL + "things: [{type: Bal}]\n")
    found = one(findings, "type-unknown")
    assert (found.severity, found.hint) == ("warning", "did you mean 'Ball'?")
    assert where(found) == (3, 17, "Bal")


def test_an_unknown_type_without_other_class_is_an_error() -> None:
    chest, findings = read(FULL + "ball: {type: Frog}\n")
    assert one(findings, "type-unknown").severity == "error"
    assert chest.ball is None


def test_a_union_needs_a_type() -> None:
    chest, findings = read(FULL + "things: [{radius: 2}]\n")
    assert where(one(findings, "type-missing")) == (3, 10, "{radius: 2}")
    assert chest.things == []


@pytest.mark.parametrize("text", ["lid: red\n", "lid: [1, 2]\n", "hinges: [red]\n", "things: [3x]\n"])
def test_a_child_is_a_mapping(text: str) -> None:
    chest, findings = read(FULL + text)
    found = one(findings, "odd-value" if "lid" in text else "wrong-value")
    assert "must be a mapping" in found.message
    assert found.at is not None
    assert found.at.line == 3
    assert (chest.lid, chest.hinges, chest.things) == (None, [], [])


# --- unknown keys -----------------------------------------------------------------------


def test_an_unknown_key_near_a_known_one_is_a_warning() -> None:
    chest, findings = read(FULL + "colour: red\nloked: true\n")
    assert [(f.code, f.severity) for f in findings] == [
        ("not-kept", "info"),
        ("unknown-key", "warning"),
    ]
    assert findings[1].hint == "did you mean 'locked'?"
    assert where(findings[1]) == (4, 1, "loked")
    assert [key for key, _, _ in chest.rest] == ["colour", "loked"]


def test_a_key_for_other_programs_is_kept_without_a_word() -> None:
    chest, findings = read(FULL + "smell: musty\n")
    assert not findings
    assert chest.rest == [("smell", Word("musty"), 25)]


# --- XML --------------------------------------------------------------------------------


def read_xml(text: str) -> tuple[Chest, Findings]:
    findings = Findings()
    node = xml.parse(Source("toy.xml", text), findings)
    return bind(Chest, node, Binding(findings, repeat_last=False, xml=True)), findings


def test_xml_findings_stand_at_the_attribute() -> None:
    _, findings = read_xml(
        '<chest count="1"\n  weight = "heavy" loked="1" zz="2"><lid\n color="red"/></chest>'
    )
    assert [(f.code, where(f)) for f in findings if f.code != "missing"] == [
        ("wrong-value", (2, 13, "heavy")),
        ("unknown-key", (2, 27, "1")),
        ("not-kept", (2, 34, "2")),
    ]
    assert "<chest> weight" in findings[0].message
    assert "attribute 'loked'" in next(f.message for f in findings if f.code == "unknown-key")


def test_xml_children_repeat() -> None:
    chest, _ = read_xml(
        "<chest><hinges color='a'/><lid color='x'/><hinges color='b'/><lid color='y'/></chest>"
    )
    assert chest.hinges == [Lid(color="a"), Lid(color="b")]
    assert chest.lid == Lid(color="x")


def test_xml_text_where_only_elements_belong_is_a_warning() -> None:
    _, findings = read_xml("<chest>hello<lid/></chest>")
    stray = [f for f in findings if f.code == "stray-text"]
    assert [where(f) for f in stray] == [(1, 8, "hello")]


def test_text_value_is_the_text_of_an_element() -> None:
    node = xml.parse(Source("a.xml", "<a> b <c/> d </a>"), Findings())
    assert text_value(node) == "b  d"


# --- and back ---------------------------------------------------------------------------


@given(documents(Chest, Syntax()))
def test_unbind_then_bind_gives_the_document_back(chest: Chest) -> None:
    findings = Findings()
    assert bind(Chest, unbind(chest), Binding(findings)) == chest
    assert all(f.code in ("kept-as-extra", "not-kept", "type-unknown") for f in findings)


@given(documents(Chest, Syntax()))
def test_reading_and_writing_changes_nothing_more(chest: Chest) -> None:
    once = unbind(bind(Chest, unbind(chest), Binding(Findings())))
    assert unbind(bind(Chest, once, Binding(Findings()))) == once


def test_what_was_given_is_written_even_if_it_is_the_default() -> None:
    chest, _ = read(FULL + "wood: oak\nhinges: []\nnumber: 1\n")
    assert [key for key, _, _ in unbind(chest).items] == ["size", "count", "wood", "hinges"]


def test_a_document_made_in_code_writes_what_differs() -> None:
    made = Chest(size=(1.0, 2.0, 3.0), lid=Lid(), things=[Bag(things=[Ball()])])
    ball = Node("", [("type", Word("Ball"), -1)])
    bag = Node("", [("type", Word("Bag"), -1), ("things", Row([ball]), -1)])
    expected: list[Item] = [
        ("size", Numbers("1, 2, 3"), -1),
        ("count", Word("1"), -1),
        ("lid", Node(), -1),
        ("things", Row([bag]), -1),
    ]
    assert unbind(made) == Node("", expected)


def bags(depth: int) -> Node:
    node = Node("", [("type", Word("Ball"), -1)])
    for _ in range(depth):
        node = Node("", [("type", Word("Bag"), -1), ("things", Row([node]), -1)])
    return Node(
        "", [("size", Numbers("1, 2, 3"), -1), ("count", Word("1"), -1), ("things", Row([node]), -1)]
    )


@pytest.mark.parametrize("depth", [900, 20_000])
def test_depth_costs_no_stack(depth: int) -> None:
    findings = Findings()
    chest = bind(Chest, bags(depth), Binding(findings, watch=True))
    assert not findings
    again = bind(Chest, unbind(chest), Binding(findings))
    assert chest == again
    inner: Any = chest.things[0]
    for _ in range(depth):
        inner = inner.things[0]
    assert isinstance(inner, Ball)
    inner.radius = 2.0
    assert chest != again


@given(st.text(max_size=200))
def test_any_yaml_text_binds(text: str) -> None:
    findings = Findings()
    try:
        node = yaml.parse(Source("a", text), findings)
    except TextError:
        return
    if isinstance(node, Node):
        assert isinstance(bind(Chest, node, Binding(findings)), Document)


def test_a_document_knows_where_its_fields_are_written() -> None:
    text = "name: a\ncover: {color: red}\nsize: [1, 2, 3]\nname: b\nextent: [4, 5, 6]\n"
    chest, _ = read(text)
    assert [str(chest.at(name)) for name in ("name", "lid", "size")] == [
        "toy.yaml:4:7",
        "toy.yaml:2:8",
        "toy.yaml:3:7",
    ]
    assert str(chest.at("size", "lid")) == "toy.yaml:2:8"  # the first in the text
    assert chest.at("count") == chest.at() == chest.node.span  # type: ignore[union-attr]
    assert Chest().at() is Chest().at("lid") is None
