"""Other files: Inline and EXTERNPROTO."""

from __future__ import annotations

import pytest
from tests.formats.vrml97.reading import HEADER, read, unfold

from unibody.model.shape import Box, MeshFile, Sphere
from unibody.text.node import Node

BOX = HEADER + "Shape { geometry Box { size 1 2 3 } }\n"


def test_the_nodes_of_the_file_are_there() -> None:
    made = read('Transform { translation 1 0 0 children Inline { url "b.wrl" } }', {"dir/b.wrl": BOX})
    (shape,) = made.found.visuals
    assert shape.geometry == Box(size=(1.0, 2.0, 3.0))
    assert shape.pose.xyz == (1.0, 0.0, 0.0)
    assert made.found.collisions == [shape]
    assert shape.at is not None
    assert shape.at.source.name == "dir/b.wrl"
    assert made.findings == []


def test_a_part_needs_no_header() -> None:
    made = read('Inline { url [ "b.wrl" ] }', {"dir/b.wrl": BOX.removeprefix(HEADER)})
    assert len(made.found.visuals) == 1
    assert made.told == []


def test_relative_to_the_file_that_names_it() -> None:
    files = {"dir/sub/b.wrl": HEADER + 'Inline { url "c.wrl" }', "dir/sub/c.wrl": BOX}
    made = read('Inline { url "sub/b.wrl" }', files)
    assert len(made.found.visuals) == 1
    assert made.findings == []


def test_names_do_not_cross_files() -> None:
    files = {"dir/b.wrl": HEADER + "DEF A Group { } PROTO P [ ] { Box { } } Group { children USE B }"}
    made = read('DEF B Group { } Inline { url "b.wrl" } Group { children [ USE A P { } ] }', files)
    assert [f.code for f in made.findings] == ["use-undefined", "use-undefined", "node-unknown"]
    assert [f.at.source.name for f in made.findings if f.at] == ["dir/b.wrl", "dir/a.wrl", "dir/a.wrl"]


def test_a_missing_file_costs_only_itself() -> None:
    made = read('Inline { url "nowhere.wrl" } Shape { geometry Sphere { } }')
    missing, sphere = made.found.visuals
    assert missing.geometry == MeshFile(uri="nowhere.wrl")
    assert isinstance(sphere.geometry, Sphere)
    assert made.told == ["file-missing"]
    assert "nowhere.wrl" in made.findings[0].message
    assert str(made.findings[0]).startswith("dir/a.wrl:2:14: warning: ")


def test_a_broken_file_costs_only_itself() -> None:
    made = read('Inline { url "b.wrl" } Shape { geometry Sphere { } }', {"dir/b.wrl": BOX + "Group {"})
    assert [type(x.geometry) for x in made.found.visuals] == [MeshFile, Sphere]
    assert made.told == ["vrml-syntax"]
    assert made.findings[0].at is not None
    assert made.findings[0].at.source.name == "dir/b.wrl"


def test_all_of_several_are_read() -> None:
    made = read('Inline { url [ "b.wrl" "c.wrl" ] }', {"dir/b.wrl": BOX, "dir/c.wrl": BOX})
    assert len(made.found.visuals) == 2
    assert made.told == ["reference-differs"]


def test_a_file_that_is_named_often_is_read_once() -> None:
    made = read('Inline { url "b.wrl" } Inline { url "b.wrl" }', {"dir/b.wrl": BOX})
    one, two = made.found.visuals
    assert one.geometry is two.geometry
    first, second = (node for _, node, _ in made.node.items)
    assert isinstance(first, Node)
    assert isinstance(second, Node)
    assert first.items[-1][1] is second.items[-1][1]


def test_a_file_that_names_itself() -> None:
    made = read('Shape { geometry Box { } } Inline { url "a.wrl" }')
    assert len(made.found.visuals) == 1
    assert made.told == ["include-recursion"]
    assert "recursive Inline 'a.wrl'" in made.findings[0].message


def test_files_that_name_each_other() -> None:
    files = {"dir/b.wrl": BOX + 'Inline { url "c.wrl" }', "dir/c.wrl": BOX + 'Inline { url "b.wrl" }'}
    made = read('Inline { url "b.wrl" }', files)
    assert len(made.found.visuals) == 2
    assert made.told == ["include-recursion"]
    assert "recursive Inline 'b.wrl'" in made.findings[0].message


def test_files_that_multiply_are_read_once_each() -> None:
    files = {f"dir/f{i}.wrl": f'Inline {{ url "f{i + 1}.wrl" }} ' * 2 for i in range(20)}
    root, findings = unfold('Inline { url "f0.wrl" }', {**files, "dir/f20.wrl": BOX})
    assert [f for f in findings if f.severity != "info"] == []
    assert len(root.items) == 1


def test_a_chain_of_files_has_an_end() -> None:
    files = {f"dir/f{i}.wrl": f'Inline {{ url "f{i + 1}.wrl" }}' for i in range(100)}
    assert "include-too-deep" in read('Inline { url "f0.wrl" }', files).told


def test_mesh_files_stay_references() -> None:
    made = read('Transform { scale 2 2 2 children Inline { url "b.stl" } }', {"dir/b.stl": "solid"})
    (shape,) = made.found.visuals
    assert shape.geometry == MeshFile(uri="b.stl", path="dir/b.stl")
    assert isinstance(shape.geometry, MeshFile)
    assert shape.geometry.path == "dir/b.stl"
    assert shape.linear == ((2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))
    assert made.findings == []


def test_a_mesh_file_that_is_missing() -> None:
    made = read('Inline { url "b.stl" }')
    (shape,) = made.found.visuals
    assert shape.geometry == MeshFile(uri="b.stl")
    assert made.told == ["file-missing"]


@pytest.mark.parametrize("head", ["#VRML V1.0 ascii\n", "#Inventor V2.1 ascii\n"])
def test_files_of_the_older_syntax_stay_references(head: str) -> None:
    made = read('Inline { url "b.wrl" }', {"dir/b.wrl": head + "Cube { }"})
    (shape,) = made.found.visuals
    assert isinstance(shape.geometry, MeshFile)
    assert shape.geometry.path == "dir/b.wrl"
    assert made.told == []


def test_an_inline_without_a_url() -> None:
    made = read('Inline { } Inline { url [ ] } Inline { url [ "" " " ] }')
    assert made.found.visuals == []
    assert made.findings == []


def test_a_url_from_a_prototype() -> None:
    text = 'PROTO Part [ field MFString file [ ] ] { Inline { url IS file } } Part { file "b.wrl" }'
    assert len(read(text, {"dir/b.wrl": BOX}).found.visuals) == 1


# --- EXTERNPROTO --------------------------------------------------------------------------

BALL = (
    HEADER
    + """PROTO Other [ ] { Box { } }
PROTO Ball [ field SFFloat size 2 ] { Shape { geometry Sphere { radius IS size } } }"""
)
EXTERN = "EXTERNPROTO Ball [ field SFFloat size ] "


@pytest.mark.parametrize("url", ['"b.wrl#Ball"', '[ "urn:web3d:ball" "nowhere.wrl" "b.wrl#Ball" ]'])
def test_a_prototype_of_another_file(url: str) -> None:
    made = read(f"{EXTERN}{url} Ball {{ size 3 }} Ball {{ }}", {"dir/b.wrl": BALL})
    assert [x.geometry.radius for x in made.found.visuals] == [3.0, 2.0]  # type: ignore[union-attr]
    assert made.told == []


def test_the_first_prototype_without_a_name() -> None:
    made = read('EXTERNPROTO Any [ ] "b.wrl" Shape { geometry Any { } }', {"dir/b.wrl": BALL})
    assert isinstance(made.found.visuals[0].geometry, Box)


def test_values_of_another_file_have_the_place_of_the_node() -> None:
    files = {"dir/b.wrl": HEADER + "PROTO P [ field SFVec3f size 1 2 ] { Box { size IS size } }"}
    made = read('EXTERNPROTO P [ ] "b.wrl#P"\n\nShape { geometry P { } }', files)
    assert made.told == ["number-count"]
    assert str(made.findings[0]).startswith("dir/b.wrl:2:")


def test_a_prototype_that_cannot_be_found_is_kept() -> None:
    made = read('EXTERNPROTO Ball [ ] "nowhere.wrl#Ball" Ball { size 3 } Ball { }')
    assert made.told == ["externproto-missing", "node-unknown"]
    assert [x.tag for x in made.found.kept] == ["Ball", "Ball"]


def test_one_that_is_built_in_needs_no_file() -> None:
    root, findings = unfold('EXTERNPROTO Joint [ ] "urn:x" Joint { jointId 1 }', roles={"Joint"})
    assert [f.code for f in findings] == ["externproto-built-in"]
    assert findings[0].severity == "info"
    node = root.items[0][1]
    assert isinstance(node, Node)
    assert [key for key, _, _ in node.items] == ["jointId"]


def test_defaults_of_a_built_in_one_from_another_file() -> None:
    files = {
        "dir/b.wrl": HEADER
        + "PROTO Joint [ field SFInt32 jointId 7 field MFNode c [ Box { } ] ] { Group { } }"
    }
    root, findings = unfold('EXTERNPROTO Joint [ ] "b.wrl#Joint" Joint { }', files, {"Joint"})
    node = root.items[0][1]
    assert isinstance(node, Node)
    assert node.word("jointId") == "7"
    assert findings == []
