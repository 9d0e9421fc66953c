from __future__ import annotations

from typing import Any

import pytest
from tests.convert.models import ROOT
from tests.document.toy import Chest, Lid, read

from unibody.conversion.pipeline import read_source
from unibody.conversion.reading_loss import reading_loss
from unibody.document.bind import Binding, bind
from unibody.document.declare import plan
from unibody.document.unread import Unread, unread, watched
from unibody.formats.urdf.document import Robot
from unibody.text.finding import Findings
from unibody.text.node import Node, Row, Word
from unibody.text.source import Source
from unibody.text.xml import parser as xml

TEXT = """\
name: sea
size: [1, 2, 3]
number: 2
weight: 5
lid: { color: red }
ball: { type: Ball, radius: 2 }
hinges:
  - { color: a }
  - { color: b }
things:
  - type: Bag
    things: [ { type: Ball, radius: 3 } ]
smell: musty
"""


def chest() -> Chest:
    return read(TEXT, watch=True)[0]


def lines(found: list[Unread]) -> list[tuple[str, str, int]]:
    return [(u.path, u.key, u.at.line if u.at else 0) for u in found]


def look_at_all(doc: Any) -> None:
    todo = [doc]
    while todo:
        current = todo.pop()
        for name in plan(type(current)).fields:
            value = getattr(current, name)
            todo.extend(value if isinstance(value, list) else [value] if hasattr(value, "rest") else [])


def test_what_nobody_looked_at_is_reported_where_it_stands() -> None:
    assert lines(unread(chest())) == [
        ("", "name", 1),
        ("", "size", 2),
        ("", "number", 3),
        ("", "weight", 4),
        ("", "lid", 5),
        ("", "ball", 6),
        ("", "hinges", 8),
        ("", "things", 11),
        ("", "smell", 13),
    ]


def test_what_was_looked_at_is_not() -> None:
    doc = chest()

    def to_robot(doc: Chest) -> Any:
        return doc.name, doc.count, [h.color for h in doc.hinges[:1]], doc.things[0], doc.lid

    to_robot(doc)
    assert lines(unread(doc)) == [
        ("", "size", 2),
        ("", "weight", 4),
        ("/lid", "color", 5),
        ("", "ball", 6),
        ("/hinges", "color", 9),
        ("/Bag", "things", 12),
        ("", "smell", 13),
    ]


def test_only_what_is_undeclared_is_left_when_all_was_looked_at() -> None:
    doc = chest()
    look_at_all(doc)
    assert unread(doc) == [Unread("", "smell", "'musty'", unread(doc)[0].at)]


def test_fields_that_were_not_given_do_not_count() -> None:
    assert unread(watched(Chest)()) == []
    assert unread(read("size: [1, 2, 3]\n")[0])[0].key == "size"


@pytest.mark.parametrize("name", [n for n, s in plan(Chest).fields.items() if s.by != "kind"])
def test_each_field_is_watched_alone(name: str) -> None:
    doc = chest()
    before = {u.key for u in unread(doc)}
    getattr(doc, name)
    spec = plan(Chest).fields[name]
    gone = before - {u.key for u in unread(doc) if not u.path}
    assert gone == before & {spec.key, *spec.old}


def test_a_watched_document_is_the_same_document() -> None:
    assert watched(Chest) is watched(Chest)
    assert isinstance(chest(), Chest)
    assert chest() == read(TEXT)[0]
    assert isinstance(chest().lid, Lid)


def test_shared_documents_are_reported_once() -> None:
    doc, _ = read("size: [1, 2, 3]\nhinges: [&a {color: red}, *a]\n", watch=True)
    doc.hinges[1] = doc.hinges[0]
    assert [u.key for u in unread(doc) if u.path] == ["color"]


def test_xml_attributes_have_their_own_place() -> None:
    text = '<robot name="r">\n <link name="a"><visual name="v" zz="1"><geometry/></visual></link>\n</robot>'
    findings = Findings()
    doc = bind(Robot, xml.parse(Source("r", text), findings), Binding(findings, xml=True, watch=True))
    assert doc.items[0].visuals
    found = {(u.path, u.key): u.at for u in unread(doc)}
    assert {k: at.text for k, at in found.items() if at is not None} == {
        ("", "name"): "r",
        ("/a", "name"): "a",
        ("/a/v", "name"): "v",
        ("/a/v", "geometry"): "<geometry/>",
        ("/a/v", "zz"): "1",
    }
    unseen = bind(Robot, xml.parse(Source("r", text), findings), Binding(findings, xml=True, watch=True))
    assert [u.key for u in unread(unseen)] == ["name", "link"]


def test_long_and_deep_values_are_told_in_few_words() -> None:
    node = Node("", [("type", Word("Ball"), -1)])
    deep: Any = Word("x")
    for _ in range(3000):
        node = Node("", [("type", Word("Bag"), -1), ("things", Row([node]), -1)])
        deep = Row([deep])
    root = Node("", [("things", Row([node]), -1), ("zz", deep, -1), ("name", Word("n" * 999), -1)])
    doc = bind(Chest, root, Binding(Findings(), watch=True))
    assert {u.key: u.text for u in unread(doc)} == {
        "things": "1 elements",
        "zz": "a list",
        "name": "n" * 57 + "...",
    }


def test_elements_of_one_node_are_all_read() -> None:
    reading = read_source(ROOT / "src/unibody/models/biped.body")  # its geometry is shared by aliases
    assert {u.key for u in reading_loss(reading)} == {"name"}
