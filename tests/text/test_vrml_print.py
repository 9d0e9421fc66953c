"""VRML97 and Inventor trees printed: all but white space comes back, and any tree reads back equal."""

from __future__ import annotations

import pytest

from unibody.text.finding import Findings
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Numbers, Row, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

WRITTEN = """#VRML V2.0 utf8
# first
PROTO J [ exposedField SFVec3f c 0 0 0 # centre
  # none
  field MFNode n [ ] eventIn SFBool e ] # body
{ Transform { center IS c } # T
  ROUTE a.x TO b.y
}


EXTERNPROTO K [ field SFFloat x ] [ "a.wrl#K", "b.wrl#K" ]

DEF A-1 Group { # group
  children [ # list
    DEF J.1 J { c 1. +.5 -1e-3 n [ USE A-1, ] } # first
    Shape { geometry # between
      IndexedFaceSet { coordIndex [ 0, 1, 2, -1, # one ]
        2 1 0 -1 ] } } ]
  bboxSize 1 # x
   2 3
  info [ "say \\"hi\\"" "C:\\temp" ]
  mass 1.50 # kg
  Script1 NULL
}

ROUTE a.x TO b.y # route
ROUTE c.x TO d.y
# last
"""
PRINTED = """#VRML V2.0 utf8
# first
PROTO J [
  exposedField SFVec3f c 0 0 0 # centre
  # none
  field MFNode n []
  eventIn SFBool e # body
] {
  Transform { center IS c } # T
  ROUTE a.x TO b.y
}

EXTERNPROTO K [
  field SFFloat x
] ["a.wrl#K" "b.wrl#K"]

DEF A-1 Group { # group
  children [ # list
    DEF J.1 J {
      c 1. +.5 -1e-3
      n [
        USE A-1
      ]
    } # first
    Shape {
      geometry # between
        IndexedFaceSet {
        coordIndex [
          0, 1, 2, -1, # one ]
          2 1 0 -1
        ]
      }
    }
  ]
  bboxSize 1 # x
    2 3
  info ["say \\"hi\\"" "C:\\temp"]
  mass 1.50 # kg
  Script1 NULL
}

ROUTE a.x TO b.y # route
ROUTE c.x TO d.y
# last
"""


def test_printing_keeps_everything_but_white_space() -> None:
    source = Source("a.wrl", WRITTEN)
    findings = Findings()
    assert vrml.print(vrml.parse(source, findings), source) == PRINTED
    assert findings == []
    again = Source("b.wrl", PRINTED)
    assert vrml.print(vrml.parse(again, findings), again) == PRINTED


def test_a_tree_made_in_code_is_readable() -> None:
    box = Node("Box", [("size", Numbers("1, 2, 3", form=""), -1)])
    shape = Node("Shape", [("geometry", box, -1)])
    points = Node("Coordinate", [("point", Numbers("0 0 0\n1 0 0"), -1)])
    group = Node(
        "Group",
        [("children", Row([shape, Node("USE", name="B"), points]), -1), ("", Node("X"), -1)],
        name="A",
    )
    names = Row([Word("a", quote='"'), Word('C:\\"', quote='"')])
    file = Node(
        "", [("", group, -1), ("", Node("Info", [("names", names, -1), ("on", Word("TRUE"), -1)]), -1)]
    )
    assert (
        vrml.print(file)
        == r"""#VRML V2.0 utf8

DEF A Group {
  children [
    Shape {
      geometry Box { size 1, 2, 3 }
    }
    USE B
    Coordinate {
      point [
        0 0 0
        1 0 0
      ]
    }
  ]
  X {}
}

Info {
  names ["a" "C:\\\""]
  on TRUE
}
"""
    )


def test_what_stands_twice_in_a_tree_is_used() -> None:
    shared = Node("Box", name="B")
    assert vrml.print(Row([shared, shared])) == "[\n  DEF B Box {}\n  USE B\n]\n"
    unnamed = Node("Box")
    assert vrml.print(Row([unnamed, unnamed])) == "[\n  Box {}\n  Box {}\n]\n"


def test_a_part_of_a_file_brings_its_own_comments() -> None:
    source = Source("a.wrl", "#VRML V2.0 utf8\n# before\nA { # in\n b 1 } # after\n")
    node = vrml.parse(source, Findings()).items[0][1]
    assert vrml.print(node, source) == "A { # in\n  b 1\n}\n"


def test_edited_trees() -> None:
    source = Source("a.wrl", '#VRML V2.0 utf8\nA { b "x # no note" c 1 # one\n d [ 1 2 ] e E { } # two\n }')
    root = vrml.parse(source, Findings())
    node = root.items[0][1]
    assert isinstance(node, Node)
    node.items[0] = ("b", Word("new", quote='"'), -1)
    node.items[2] = ("d", Numbers("3 4"), -1)
    node.items.insert(2, ("f", Node("F", [("g", Row([Word("h", quote='"')]), -1)]), -1))
    printed = vrml.print(root, source)
    assert [line.strip() for line in printed.splitlines()] == [
        *(
            "#VRML V2.0 utf8",
            "A {",
            'b "new"',
            "c 1 # one",
            "f F {",
            'g ["h"]',
            "}",
            "d [3 4]",
            "e E {} # two",
            "}",
        )
    ]


@pytest.mark.parametrize(
    "value",
    [
        Node("A B"),
        Node("A", name="b c"),
        Node("A", [("b c", Word("1"), -1)]),
        Node("A", [("b", Word("c d"), -1)]),
        Node("A", [("b", Word(""), -1)]),
        Node("USE"),
        Node("PROTO"),
        Node("A", [("b", Node("#"), -1)]),
    ],
)
def test_what_the_syntax_cannot_hold_is_refused(value: Node) -> None:
    for syntax in (vrml, inventor):
        with pytest.raises(ValueError, match="cannot be"):
            syntax.print(value)


def test_deep_trees_are_printed() -> None:
    node = Node("A")
    for _ in range(1000):
        node = Node("A", [("b", Row([node]), -1)])
    assert vrml.print(node).count("A {") == 1001
