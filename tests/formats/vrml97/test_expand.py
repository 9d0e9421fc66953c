"""Prototypes, USE and IS undone: what stands in a file is what it stands for."""

from __future__ import annotations

import time
from collections.abc import Collection

import pytest
from tests.formats.vrml97.reading import context, read, unfold

from unibody.document.declare import FILLED
from unibody.formats.vrml97.document import Group
from unibody.formats.vrml97.expand import expand
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Row, Word, plain
from unibody.text.source import Source
from unibody.text.vrml.parser import parse


def first(text: str, roles: Collection[str] = ()) -> tuple[Node, Findings]:
    """The first statement of an expanded text."""
    root, findings = unfold(text, roles=roles)
    return statement(root, 0), findings


def statement(root: Node, number: int) -> Node:
    """A statement of a file."""
    node = root.items[number][1]
    assert isinstance(node, Node)
    return node


def held(node: Node, key: str = "children") -> list[Node]:
    """The nodes that a field holds, in brackets or not."""
    value = node.get(key)
    values = value.values if isinstance(value, Row) else [value]
    return [v for v in values if isinstance(v, Node)]


def codes(findings: Findings) -> list[str]:
    return [f.code for f in findings if f.severity != "info"]


def field(node: Node, *path: str) -> object:
    """The value below some fields, of lists always the first; as plain data."""
    for key in path[:-1]:
        node = held(node, key)[0]
    value = node.get(path[-1])
    return None if value is None else plain(value)


# --- prototypes ---------------------------------------------------------------------------


BALL = (
    "PROTO Ball [ exposedField SFFloat size 2 field SFColor color 1 0 0 ] { Sphere { radius IS size } }\n"
)


def test_an_instance_is_the_first_node_of_the_body() -> None:
    node, findings = first(BALL + "Ball { size 3 }")
    assert node == Node("Sphere", [("radius", Word("3"), -1)])
    assert field(node, "radius") == "3"
    assert findings == []


def test_a_default_holds_where_nothing_is_given() -> None:
    node, findings = first(BALL + "Ball { }")
    assert field(node, "radius") == "2"
    assert node.items[0][2] == FILLED
    assert findings == []
    # its place is in the declaration
    span = node.place(node.items[0][1])
    assert span is not None
    assert span.line == 2


def test_the_second_node_of_a_body_is_not_drawn() -> None:
    node, _ = first("PROTO P [ ] { Box { } Sphere { } } P { }")
    assert node.tag == "Box"


def test_a_field_that_the_prototype_does_not_declare() -> None:
    node, findings = first(BALL + "Ball { sizes 3 }")
    assert field(node, "radius") == "2"
    assert codes(findings) == ["field-undeclared"]
    assert findings[0].hint == "did you mean 'size'?"
    assert findings[0].at is not None
    assert findings[0].at.text == "3"


def test_nodes_as_values() -> None:
    text = """PROTO Held [ exposedField MFNode inner [ Box { } ] ] { Group { children IS inner } }
Held { inner [ Sphere { } Cone { } ] } Held { } Held { inner Sphere { } }"""
    root, findings = unfold(text)
    tags = [[n.tag for n in held(statement(root, i))] for i in range(3)]
    assert tags == [["Sphere", "Cone"], ["Box"], ["Sphere"]]
    assert findings == []


def test_a_value_of_an_instance_in_another() -> None:
    text = """PROTO Inner [ field SFFloat r 1 ] { Sphere { radius IS r } }
PROTO Outer [ field SFFloat size 2 ] { Transform { children Inner { r IS size } } }
Outer { size 7 }"""
    node, findings = first(text)
    assert field(node, "children", "radius") == "7"
    assert findings == []


def test_a_prototype_inside_of_a_body_is_seen_only_there() -> None:
    text = (
        "PROTO Outer [ ] { PROTO Inner [ ] { Box { } } Group { children Inner { } } }\nOuter { } Inner { }"
    )
    root, _ = unfold(text)
    assert field(statement(root, 0), "children") == {"tag": "Box", "items": []}
    assert statement(root, 1).tag == "Inner"


def test_def_names_of_a_body_stay_in_it() -> None:
    text = """PROTO P [ ] { Group { children [ DEF B Box { size 1 1 1 } USE B ] } }
DEF B Sphere { } P { } Group { children USE B }"""
    root, findings = unfold(text)
    boxes = held(statement(root, 1))
    assert boxes[0] is boxes[1]
    assert held(statement(root, 2)) == [statement(root, 0)]
    assert held(statement(root, 2))[0].tag == "Sphere"
    assert findings == []


def test_each_instance_has_nodes_of_its_own() -> None:
    root, _ = unfold("PROTO P [ ] { Group { children Box { } } } P { } P { }")
    one, two = (node.get("children") for _, node, _ in root.items if isinstance(node, Node))
    assert one == two
    assert one is not two


def test_an_instance_has_its_own_def_name() -> None:
    root, findings = unfold("PROTO P [ ] { DEF INNER Box { } } DEF MINE P { } Group { children USE MINE }")
    box = statement(root, 0)
    assert (box.tag, box.name) == ("Box", "MINE")
    assert held(statement(root, 1))[0] is box
    assert findings == []


def test_a_body_that_is_an_instance() -> None:
    root, findings = unfold(
        "PROTO A [ ] { Box { } } PROTO B [ ] { DEF X A { } } DEF Y B { } Group { children USE Y }"
    )
    assert (statement(root, 0).tag, statement(root, 0).name) == ("Box", "Y")
    assert held(statement(root, 1))[0] is statement(root, 0)
    assert findings == []


def test_events_have_no_value() -> None:
    text = """PROTO P [ eventIn MFNode addChildren eventOut SFBool isOn exposedField SFFloat r 1 ]
{ Transform { addChildren IS addChildren children Sphere { radius IS r } } } P { }"""
    node, findings = first(text)
    assert [key for key, _, _ in node.items] == ["children"]
    assert findings == []


def test_is_of_a_field_that_is_not_declared() -> None:
    node, findings = first("PROTO P [ field SFFloat size 1 ] { Sphere { radius IS sise } } P { }")
    assert node.items == []
    assert codes(findings) == ["is-undeclared"]
    assert findings[0].hint == "did you mean 'size'?"


def test_is_outside_of_a_prototype() -> None:
    assert codes(first("Sphere { radius IS size }")[1]) == ["is-outside"]


def test_a_prototype_that_holds_itself() -> None:
    root, findings = unfold("PROTO A [ ] { Group { children [ A { } ] } } A { }")
    assert codes(findings) == ["proto-recursion"]
    assert "recursive PROTO A" in findings[0].message
    assert statement(root, 0).tag == "Group"


def test_prototypes_that_hold_each_other() -> None:
    text = "PROTO A [ ] { Group { children B { } } } PROTO B [ ] { Group { children A { } } } A { }"
    assert codes(unfold(text)[1]) == ["proto-recursion"]


def test_an_instance_inside_of_an_instance_is_no_recursion() -> None:
    text = "PROTO A [ field MFNode c [ ] ] { Group { children IS c } } A { c A { c A { c Box { } } } }"
    node, findings = first(text)
    assert field(node, "children", "children", "children") == {"tag": "Box", "items": []}
    assert findings == []


def test_an_empty_body_and_a_second_declaration() -> None:
    assert codes(unfold("PROTO P [ ] { } P { }")[1]) == ["proto-empty"]
    root, findings = unfold("PROTO P [ ] { Box { } } PROTO P [ ] { Cone { } } P { }")
    assert codes(findings) == ["proto-twice"]
    assert statement(root, 0).tag == "Box"


def test_a_prototype_may_be_declared_inside_of_a_node() -> None:
    root, _ = unfold("Group { PROTO P [ ] { Box { } } children P { } ROUTE A.b TO C.d }")
    assert [node.tag for _, node, _ in root.items if isinstance(node, Node)] == ["Group", "ROUTE"]
    assert field(statement(root, 0), "children") == {"tag": "Box", "items": []}


# --- roles --------------------------------------------------------------------------------

JOINT = """PROTO Joint [ exposedField SFString jointType "fixed" exposedField SFInt32 jointId -1
  exposedField MFNode children [ ] eventIn MFNode addChildren ] { Transform { children IS children } }
"""


def test_a_role_stays_with_the_defaults_of_the_file() -> None:
    node, findings = first(JOINT + "DEF J Joint { jointId 3 }", roles={"Joint"})
    assert (node.tag, node.name) == ("Joint", "J")
    assert [(key, start == FILLED) for key, _, start in node.items] == [
        ("jointId", False),
        ("jointType", True),
        ("children", True),
    ]
    assert field(node, "jointType") == "fixed"
    assert findings == []


def test_a_role_without_a_declaration_is_as_written() -> None:
    node, findings = first("Joint { jointId 3 }", roles={"Joint"})
    assert [key for key, _, _ in node.items] == ["jointId"]
    assert findings == []


def test_a_role_keeps_a_field_that_its_declaration_lacks() -> None:
    node, findings = first(JOINT + "Joint { jointAxis 0 0 1 }", roles={"Joint"})
    assert field(node, "jointAxis") == ["0", "0", "1"]
    assert codes(findings) == ["field-undeclared"]


def test_a_role_inside_of_a_prototype() -> None:
    text = JOINT + "PROTO Arm [ field SFInt32 id 0 ] { Joint { jointId IS id } } DEF A Arm { id 5 }"
    node, findings = first(text, roles={"Joint"})
    assert (node.tag, node.name) == ("Joint", "A")
    assert field(node, "jointId") == "5"
    assert findings == []


def test_without_roles_it_is_its_body() -> None:
    node, _ = first(JOINT + "Joint { children Box { } }")
    assert node.tag == "Transform"


# --- DEF and USE --------------------------------------------------------------------------


def test_use_is_the_same_node() -> None:
    root, findings = unfold("DEF A Box { } Group { children [ USE A Group { children USE A } ] }")
    box = statement(root, 0)
    one, two = held(statement(root, 1))
    assert one is box
    assert held(two)[0] is box
    assert findings == []


def test_use_of_what_is_not_there() -> None:
    _, findings = unfold("DEF WAIST Box { }\nGroup { children [ USE WAST Cone { } ] }")
    assert codes(findings) == ["use-undefined"]
    assert str(findings[0]).startswith("dir/a.wrl:3:20: error: USE refers to unknown node 'WAST'")
    assert findings[0].hint == "did you mean 'WAIST'?"
    # and the rest is read
    group = read("Group { children [ USE A Cone { } ] }").world.children[0]
    assert isinstance(group, Group)
    assert [x.tag for x in group.children] == ["Cone"]


def test_use_before_def() -> None:
    assert codes(unfold("Group { children USE A } DEF A Box { }")[1]) == ["use-undefined"]


def test_the_first_of_a_name_is_used_as_in_choreonoid() -> None:
    root, findings = unfold("DEF A Box { } DEF A Cone { } Group { children USE A }")
    assert held(statement(root, 2))[0] is statement(root, 0)
    assert codes(findings) == ["reference-differs"]


def test_two_that_are_written_the_same_give_no_finding() -> None:
    text = "DEF A Box { size 1 1 1 }\nDEF A Box  {  size 1 1 1 } Group { children USE A }"
    assert unfold(text)[1] == []


def test_a_name_that_is_not_used_may_stand_twice() -> None:
    assert unfold("DEF A Box { } DEF A Cone { }")[1] == []


def test_use_inside_of_itself() -> None:
    root, findings = unfold("DEF A Group { children [ Box { } USE A ] } Group { children USE A }")
    assert codes(findings) == ["use-recursion"]
    assert held(statement(root, 1))[0] is statement(root, 0)


def test_what_is_defined_in_an_instance_can_be_used_behind_it() -> None:
    text = JOINT + "Joint { children DEF B Box { } } Group { children USE B }"
    root, findings = unfold(text)
    assert findings == []
    assert held(statement(root, 1))[0] is held(statement(root, 0))[0]


# --- what must end ------------------------------------------------------------------------


@pytest.mark.slow
def test_prototypes_that_multiply_end_in_a_finding() -> None:
    text = "PROTO P0 [ ] { Box { } }\n"
    for i in range(1, 60):
        text += f"PROTO P{i} [ ] {{ Group {{ children [ P{i - 1} {{ }} P{i - 1} {{ }} ] }} }}\n"
    started = time.process_time()
    with pytest.raises(TextError) as caught:
        unfold(text + "P59 { }")
    assert caught.value.finding.code == "too-many-nodes"
    assert time.process_time() - started < 20.0


def test_uses_that_multiply_cost_nothing() -> None:
    text = "DEF A0 Group { }\n"
    for i in range(1, 200):
        text += f"DEF A{i} Group {{ children [ USE A{i - 1} USE A{i - 1} ] }}\n"
    root, findings = unfold(text)
    assert len(root.items) == 200
    assert findings == []


@pytest.mark.slow
def test_a_deep_chain_of_prototypes() -> None:
    text = "PROTO P0 [ field SFFloat r 1 ] { Sphere { radius IS r } }\n"
    for i in range(1, 3000):
        text += f"PROTO P{i} [ field SFFloat r 1 ] {{ P{i - 1} {{ r IS r }} }}\n"
    node, findings = first(text + "P2999 { r 9 }")
    assert (node.tag, field(node, "radius")) == ("Sphere", "9")
    assert findings == []


@pytest.mark.parametrize(
    "text",
    [
        "DEF A Group { children [ DEF B Shape { } USE B ] } Group { children [ USE A, USE B ] }",
        "Shape { geometry USE X } DEF X Box { } Group { children DEF X Group { children USE X } }",
        "DEF A Group { children [ Group { children [ USE A ] } USE A ] } USE A",
        "DEF A Box { size 1 2 3 } DEF A Box { size 4 5 6 } Shape { geometry USE A }",
        "PROTO P [ ] { DEF A Group { } } P { } DEF B Box { } Shape { geometry USE B }",
        "Shape { appearance Appearance { material DEF M Material { } } } Script { field SFNode n USE M }",
    ],
)
def test_a_tree_that_may_be_changed_expands_alike(text: str) -> None:
    trees = list[tuple[object, Findings]]()
    for reuse in (False, True):
        at = context()
        tree = parse(Source("a.wrl", text), at.findings, part=True, whole=True)
        trees.append((plain(expand(tree, at, reuse=reuse)), at.findings))
    (copied, expected), (reused, findings) = trees
    assert reused == copied
    assert [(f.code, f.message, f.hint) for f in findings] == [
        (f.code, f.message, f.hint) for f in expected
    ]
