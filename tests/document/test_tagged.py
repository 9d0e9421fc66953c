"""Elements that are chosen by their own tag, and that may stand in several places."""

from __future__ import annotations

from typing import Any

import pytest
from tools.reference_page import reference

from unibody.document.bind import Binding, bind, unbind
from unibody.document.declare import (
    FILLED,
    NUMBER,
    Document,
    Tagged,
    Unknown,
    element,
    inside,
    key,
    node,
    nodes,
)
from unibody.document.unread import unread
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source


@element
class Fruit(Tagged):
    """What a bowl may hold."""

    weight: float = key(NUMBER, 1.0)


@element
class Apple(Fruit):
    """An apple."""


@element
class Spoon(Tagged):
    """A spoon or a fork."""


@element
class Bowl(Tagged):
    """A bowl."""

    fruit: Fruit | None = node(Fruit)
    things: list[Tagged] = nodes()


@element
class Table(Tagged):
    """A table."""

    TAG = ""
    all: list[Tagged] = inside()


@element
class Room(Document):
    """A root without a tag."""

    bowl: Bowl | None = node(Bowl)


TABLE: dict[str, type[Tagged]] = {"Apple": Apple, "Spoon": Spoon, "Fork": Spoon, "Bowl": Bowl}


def tree(tag: str, *items: tuple[str, Value], name: str = "") -> Node:
    return Node(tag, [(k, v, -1) for k, v in items], name=name)


def read(root: Node, watch: bool = False) -> tuple[Table, Findings]:
    findings = Findings()
    return bind(Table, root, Binding(findings, nodes=TABLE, null="NULL", watch=watch)), findings


def only(root: Node) -> tuple[Bowl, Findings]:
    """The one bowl of a table."""
    table, findings = read(Node("", [("", root, -1)]))
    (bowl,) = table.all
    assert isinstance(bowl, Bowl)
    return bowl, findings


def called(doc: Any, tag: str, def_name: str = "") -> Any:
    """The same element as another tag, or with a name."""
    doc.tag, doc.def_name = tag, def_name
    return doc


def codes(findings: Findings) -> list[str]:
    return [f.code for f in findings]


def test_the_tag_chooses_the_class_and_is_kept() -> None:
    table, findings = read(tree("", ("", tree("Fork", name="F")), ("", tree("Spoon")), ("", tree("Apple"))))
    assert [type(x) for x in table.all] == [Spoon, Spoon, Apple]
    assert [(x.tag, x.def_name) for x in table.all] == [("Fork", "F"), ("Spoon", ""), ("Apple", "")]
    assert findings == []


def test_elements_in_braces_and_in_lists() -> None:
    row = Row([tree("Apple"), tree("Spoon")])
    assert [x.tag for x in only(tree("Bowl", ("things", row)))[0].things] == ["Apple", "Spoon"]
    assert [x.tag for x in only(tree("Bowl", ("things", tree("Apple"))))[0].things] == ["Apple"]
    assert only(tree("Bowl", ("things", Row([]))))[0].things == []


@pytest.mark.parametrize("key_name", ["fruit", "things"])
def test_null_is_nothing_and_is_given(key_name: str) -> None:
    bowl, findings = only(tree("Bowl", (key_name, Word("NULL"))))
    assert bowl.fruit is None
    assert bowl.things == []
    assert key_name in bowl.given
    assert findings == []


@pytest.mark.parametrize("value", [Word("NULL", quote='"'), Word("red"), Numbers("1, 2"), Node("")])
def test_what_is_no_element_is_an_error(value: Value) -> None:
    bowl, findings = only(tree("Bowl", ("fruit", value)))
    assert bowl.fruit is None
    assert codes(findings) == ["wrong-value"]
    assert "must be a node" in findings[0].message
    assert "fruit" not in bowl.given


def test_a_wrong_one_in_a_list_costs_only_itself() -> None:
    bowl, findings = only(tree("Bowl", ("things", Row([Word("red"), tree("Apple")]))))
    assert [x.tag for x in bowl.things] == ["Apple"]
    assert codes(findings) == ["wrong-value"]


def test_a_list_where_one_is_wanted() -> None:
    assert codes(only(tree("Bowl", ("fruit", Row([tree("Apple")]))))[1]) == ["wrong-value"]


def test_only_what_a_field_accepts() -> None:
    bowl, findings = only(tree("Bowl", ("fruit", tree("Spoon"))))
    assert bowl.fruit is None
    assert codes(findings) == ["node-misplaced"]
    assert "'fruit' must be Fruit, not Spoon" in findings[0].message
    # a class below the one that is declared is one of its kind
    assert isinstance(only(tree("Bowl", ("fruit", tree("Apple"))))[0].fruit, Apple)


def test_an_unknown_tag_keeps_all_and_is_said_once() -> None:
    odd = [tree("Aple", ("colour", Word("red"))) for _ in range(3)]
    bowl, findings = only(tree("Bowl", ("things", Row([*odd, tree("Zzz")])), ("fruit", tree("Zzz"))))
    assert [f"{f.code}: {f.hint}" for f in findings] == [
        "node-unknown: did you mean 'Apple'?",
        "node-unknown: ",
    ]
    assert all(isinstance(x, Unknown) for x in bowl.things)
    assert [x.rest for x in bowl.things[:3]] == [[("colour", Word("red"), -1)]] * 3
    # where only some classes may stand it is kept, too, but out of the way
    assert bowl.fruit is None
    assert [key for key, _, _ in bowl.rest] == ["fruit"]
    again = only(unbind(bowl))[0]
    assert again == bowl


def test_a_field_that_is_given_twice() -> None:
    twice = tree("Bowl", ("things", tree("Apple")), ("things", Row([tree("Spoon")])))
    bowl, findings = only(twice)
    assert [x.tag for x in bowl.things] == ["Spoon"]
    assert codes(findings) == ["key-twice"]


def test_a_shared_node_is_one_document() -> None:
    apple = tree("Apple", ("weight", Word("heavy")), name="A")
    table, findings = read(
        tree("", ("", apple), ("", tree("Bowl", ("fruit", apple), ("things", Row([apple])))))
    )
    first, bowl = table.all
    assert isinstance(bowl, Bowl)
    assert bowl.fruit is first
    assert bowl.things[0] is first
    # and what is wrong in it is said once
    assert codes(findings) == ["wrong-value"]


def test_messages_name_elements_by_their_def_name() -> None:
    inner = tree("Apple", ("weight", Word("heavy")))
    findings = only(tree("Bowl", ("things", inner), name="B"))[1]
    assert findings[0].message.startswith("Bowl 'B': Apple: weight: must be a number")
    named = tree("Apple", ("weight", Word("heavy")), name="A")
    assert only(tree("Bowl", ("things", named)))[1][0].message.startswith("Apple 'A': weight: must be")


def test_an_unknown_field_of_a_node_with_a_place() -> None:
    source = Source("a.wrl", "Apple { wieght 2 }")
    apple = Node("Apple", [("wieght", Word("2", 15, 16), 8)], source, 0, 18)
    findings = read(Node("", [("", apple, 0)], source, 0, 18))[1]
    assert codes(findings) == ["unknown-key"]
    assert findings[0].at is not None
    assert findings[0].at.text == "wieght"


def test_what_is_filled_in_counts_but_is_not_given() -> None:
    apple = Node("Apple", [("weight", Word("5"), FILLED)])
    (made,) = read(Node("", [("", apple, 0)]))[0].all
    assert isinstance(made, Apple)
    assert made.weight == 5.0
    assert made.given == set()
    # and it is written, since it is not the default
    assert unbind(made).get("weight") == Word("5")


def test_round_trip_keeps_tags_names_and_what_is_shared() -> None:
    apple = called(Apple(weight=2.0), "Apple", "A")
    fork = called(Spoon(), "Fork")
    table = Table(all=[apple, Bowl(fruit=apple, things=[fork, apple])])
    back = unbind(table)
    assert back.items[0][1] is back.items[1][1].get("fruit")  # type: ignore[union-attr]
    again, findings = read(back)
    assert again == table
    assert findings == []
    assert again.all[0] is again.all[1].fruit  # type: ignore[attr-defined]


def test_null_that_was_given_is_written_again() -> None:
    bowl = only(tree("Bowl", ("fruit", Word("NULL")), ("things", Row([]))))[0]
    assert unbind(bowl) == tree("Bowl", ("fruit", Word("NULL")), ("things", Row([])))


def test_a_root_without_a_tag() -> None:
    findings = Findings()
    room = bind(
        Room, tree("", ("bowl", tree("Bowl", name="B"))), Binding(findings, nodes=TABLE, null="NULL")
    )
    assert room.bowl is not None
    assert room.bowl.def_name == "B"
    assert bind(Room, unbind(room), Binding(findings, nodes=TABLE, null="NULL")) == room


def test_equality_sees_tag_and_name() -> None:
    assert called(Spoon(), "Fork") != Spoon()
    assert called(Spoon(), "Spoon", "S") != Spoon()
    assert Spoon() == Spoon()


def test_shared_documents_do_not_multiply() -> None:
    """Twice the one below, forty times: a tree of a million million, but forty elements."""

    def tower() -> Node:
        at = tree("Apple")
        for _ in range(40):
            at = tree("Bowl", ("things", Row([at, at])))
        return at

    one, two = only(tower())[0], only(tower())[0]
    assert one == two
    assert only(unbind(one))[0] == one
    watched, _ = read(Node("", [("", tower(), -1)]), watch=True)
    todo: list[Tagged] = [*watched.all]
    for at in todo:
        if isinstance(at, Bowl) and len(todo) < 50:
            todo += at.things[:1]
    assert unread(watched) == []


def test_reference_page_shows_the_table() -> None:
    page = reference(Table, "Things", TABLE)
    assert "| in its braces | | any nodes |" in page
    assert "| `fruit` | | [Apple](#apple) |" in page
    assert "## Spoon\n\nA spoon or a fork.\n\nWritten `Spoon`, `Fork`." in page
    assert page.count("## Apple\n") == 1
