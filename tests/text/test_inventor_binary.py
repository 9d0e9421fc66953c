"""Binary Inventor: every type of field, references, groups, versions; and bytes that are none of it."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.inventor.cases import BINARY, field, floats, node, word, words
from tests.shared import CORPUS, DEV

from unibody.formats.inventor.nodes import TABLE, layout
from unibody.text.finding import Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.inventor.binary import Layout, is_binary, to_text
from unibody.text.inventor.byte_reader import TYPES, scalar
from unibody.text.node import Node, Numbers, Row, Word
from unibody.text.source import Source

BAD = CORPUS / "bad/iv"


def text(data: bytes, head: bytes = BINARY) -> str:
    return to_text(head + data, "a.iv", layout()).text


def tree(data: bytes, head: bytes = BINARY) -> Node:
    findings = Findings()
    made = inventor.parse(to_text(head + data, "a.iv", layout()), findings)
    assert findings == []
    return made


def same(data: bytes, ascii_text: str, head: bytes = BINARY) -> None:
    """The bytes are the tree of an ASCII text, DEF names too."""
    wanted = inventor.parse(Source("b.iv", f"#Inventor V2.1 ascii\n{ascii_text}"), Findings())
    made = tree(data, head)
    assert made == wanted
    assert names(made) == names(wanted)


def names(root: Node) -> list[str]:
    """DEF names in order; equal trees need not have the same."""
    out: list[str] = []
    todo: list[Node | Row] = [root]
    while todo:
        item = todo.pop()
        out += [item.name] if isinstance(item, Node) else []
        inner = item.values if isinstance(item, Row) else [value for _, value, _ in item.items]
        todo += [v for v in reversed(inner) if isinstance(v, Node | Row)]
    return out


def wrong(data: bytes, head: bytes = BINARY) -> str:
    with pytest.raises(TextError) as raised:
        to_text(head + data, "a.iv", layout())
    finding = raised.value.finding
    assert finding.code == "inventor-binary"
    assert finding.at is not None
    assert finding.text()
    return finding.message


# --- values of every type -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "name", "value", "written"),
    [
        ("Cube", "width", floats(0.2), "0.2"),
        ("Cube", "width", floats(1e-7), "1e-07"),
        ("Switch", "whichChild", words(-3), "-3"),
        ("Blinker", "on", words(1), "TRUE"),
        ("Blinker", "on", words(0), "FALSE"),
        ("Array", "numElements1", words(3), "3"),
        ("DrawStyle", "linePattern", words(0xFFFF), "65535"),
        ("Translation", "translation", floats(1, 2.5, -3), "1 2.5 -3"),
        ("Rotation", "rotation", floats(0, 0, 1, 0.5), "0 0 1 0.5"),
        ("MatrixTransform", "matrix", floats(*range(16)), " ".join(map(str, range(16)))),
        ("ClipPlane", "plane", floats(1, 0, 0, 2), "1 0 0 2"),
        ("Coordinate4", "point", words(1) + floats(1, 2, 3, 1), "[ 1 2 3 1 ]"),
        ("Coordinate3", "point", words(2) + floats(0, 0, 0, 1, 2, 3), "[ 0 0 0, 1 2 3 ]"),
        ("Coordinate3", "point", words(0), "[ ]"),
        ("Material", "shininess", words(2) + floats(0.5, 1), "[ 0.5, 1 ]"),
        ("IndexedFaceSet", "coordIndex", words(4, 0, 1, 2, -1), "[ 0, 1, 2, -1 ]"),
        ("PackedColor", "orderedRGBA", words(1, 0xFF000080), "[ 0xff000080 ]"),
        ("ShapeHints", "shapeType", word("SOLID"), "SOLID"),
        ("Cone", "parts", word("SIDES") + words(0), "SIDES"),
        ("Cylinder", "parts", word("TOP") + word("BOTTOM") + words(0), "(TOP | BOTTOM)"),
        ("Info", "string", word('say "no"'), '"say \\"no\\""'),
        ("Label", "label", word("ARM"), '"ARM"'),
        ("Text2", "string", words(2) + word("a") + word("日本"), '[ "a", "日本" ]'),
        ("PathSwitch", "path", word("NULL"), "NULL"),
        ("WWWInline", "alternateRep", word("NULL"), "NULL"),
        ("SceneTexture2", "size", words(64, 32), "64 32"),
        ("ElapsedTime", "timeIn", struct.pack(">d", 0.1), "0.1"),
        ("Texture2", "image", words(0, 0, 0), "0 0 0"),
        (
            "Texture2",
            "image",
            words(2, 1, 3) + bytes([255, 0, 1, 2, 3, 4]) + b"\0\0",
            "2 1 3 0xff0001 0x020304",
        ),
        ("Texture3", "images", words(1, 1, 2, 1) + b"\7\x08\0\0", "1 1 2 1 0x07 0x08"),
    ],
)
def test_value(tag: str, name: str, value: bytes, written: str) -> None:
    same(node(tag, field(name, value)), f"{tag} {{ {name} {written} }}")


def test_every_declared_type_can_be_read() -> None:
    kinds = {kind for types in layout().fields.values() for kind in types.values()}
    assert {scalar(kind) for kind in kinds} <= TYPES
    assert {kind[:2] for kind in kinds} == {"SF", "MF"}
    assert {"Separator", "Switch", "Array", "WWWAnchor"} <= layout().groups
    assert {"File", "Cube", "Transform"}.isdisjoint(layout().groups)
    assert set(layout().fields) == set(TABLE)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_give_the_same_float_back(value: float) -> None:
    made = tree(node("Cube", field("width", floats(value)))).items[0][1]
    assert isinstance(made, Node)
    assert np.float32(made.word("width")) == np.float32(value)


def test_the_authors_decimals_come_back() -> None:
    made = tree(node("Coordinate3", field("point", words(1) + floats(0.1, -2.7, 1e10)))).items[0][1]
    assert isinstance(made, Node)
    points = made.get("point")
    assert isinstance(points, Numbers)
    assert points.array().tolist() == [0.1, -2.7, 1e10]


STRINGS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12).filter(
    lambda text: '"\n' not in text and '"\r' not in text
)


@given(st.lists(STRINGS, min_size=1, max_size=4))
def test_strings_survive(values: list[str]) -> None:
    value = words(len(values)) + b"".join(map(word, values))
    made = tree(node("Text2", field("string", value)) + node("Cube")).items
    assert [v.tag for _, v, _ in made if isinstance(v, Node)] == ["Text2", "Cube"]
    first = made[0][1]
    assert isinstance(first, Node)
    row = first.get("string")
    texts = [row.text] if isinstance(row, Word) else [v.text for v in row]  # type: ignore[union-attr]
    assert texts == values


# --- structure ----------------------------------------------------------------------------


def test_groups_names_and_references() -> None:
    same(
        node(
            "Separator",
            children=(
                node("Cube", name="box+3"),
                word("USE") + word("box+3"),
                node("Group", children=()),
            ),
            name="root",
        )
        + node("Cone"),
        "DEF root Separator { DEF box+3 Cube { } USE box+3 Group { } } Cone { }",
    )


def test_nodes_in_fields() -> None:
    inner = node("VertexProperty", field("vertex", words(1) + floats(1, 2, 3)))
    same(
        node("PointSet", field("vertexProperty", inner), field("numPoints", words(1))),
        "PointSet { vertexProperty VertexProperty { vertex [ 1 2 3 ] } numPoints 1 }",
    )


def test_flags_of_fields() -> None:
    engine = word("ElapsedTime") + words(1, 0)
    same(
        node(
            "Material",
            field("diffuseColor", words(1) + floats(1, 0, 0), flags=1),
            word("shininess") + words(1) + floats(0.5) + words(2) + engine + word("timeOut"),
        ),
        "Material { diffuseColor [ 1 0 0 ] ~ shininess [ 0.5 ] = ElapsedTime { } . timeOut }",
    )


def test_nodes_that_describe_themselves() -> None:
    described = word("Gripper") + words(2, 0x4002)
    described += word("SFFloat") + word("force") + word("MFNode") + word("fingers")
    described += field("force", floats(3))
    described += field("fingers", words(2) + node("Cube") + word("NULL")) + words(1) + node("Cone")
    same(
        described,
        "Gripper { fields [ SFFloat force, MFNode fingers ] force 3 fingers [ Cube { } NULL ] Cone { } }",
    )


def test_an_unknown_node_without_fields() -> None:
    same(node("Gripper", children=(node("Cube"),)), "Gripper { Cube { } }")


def test_enumerations_that_their_program_has_not_named() -> None:
    described = word("Gripper") + words(0, 0x4001) + word("MFEnum") + word("modes")
    same(
        described + field("modes", words(3, 0, 1, 2)),
        "Gripper { fields [ MFEnum modes ] modes [ 0, 1, 2 ] }",
    )


def test_version_2_0() -> None:
    """No flags behind the class, no fields of a Group, a word for each pixel."""
    head = b"#Inventor V2.0 binary  \n"
    cube = word("Cube") + words(1) + field("width", floats(3))
    image = words(1, 2, 3) + words(0x00FF0001, 0x00020304)
    texture = word("Texture2") + words(1) + field("image", image)
    made = word("Separator") + words(0, 2) + (word("Group") + words(1) + cube) + texture
    same(made, "Separator { Group { Cube { width 3 } } Texture2 { image 1 2 3 0xff0001 0x020304 } }", head)


def test_zeros_behind_the_last_node_are_padding() -> None:
    same(node("Cube") + b"\0" * 8, "Cube { }")


def test_depth_costs_no_stack() -> None:
    data = (word("Separator") + words(2, 0, 1)) * 20_000 + node("Cube")
    source = to_text(BINARY + data, "a.iv", layout())
    with pytest.raises(TextError, match="nesting too deep"):
        inventor.parse(source, Findings())


# --- what is none of it -------------------------------------------------------------------


def test_a_count_is_believed_only_when_the_bytes_are_there() -> None:
    message = wrong(word("Coordinate3") + words(0, 1) + word("point") + words(0x7FFFFFFF))
    assert "2147483647 values of 'point'" in message
    assert "unexpected end of file" in message
    assert "children" in wrong(word("Separator") + words(2, 0, 0xFFFFFFFF))
    assert "end of file" in wrong(words(0x7FFFFFFF))
    assert "end of file" in wrong(node("Texture2", field("image", words(30000, 30000, 4))))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (node("Cube", field("size", floats(1))), "Cube has no field 'size'"),
        (node("Frob", field("level", floats(1))), "unknown node type 'Frob'"),
        (word("Cube") + words(0, 0x8000), "unknown flags"),
        (word("a b") + words(0, 0), "a node's class is not a valid name"),
        (
            word("Gripper") + words(0, 0x4001) + word("SFFrob") + word("x") + word("x"),
            "unknown type SFFrob",
        ),
        (
            node("PathSwitch", field("path", word("Path")), children=()),
            "holds a path, which is unsupported",
        ),
        (node("Texture2", field("image", words(1, 1, 9))), "1×1 pixels of 9 bytes"),
        (word("DEF"), "end of file"),
    ],
)
def test_wrong(data: bytes, message: str) -> None:
    assert message in wrong(data)


def test_every_cut_is_an_error() -> None:
    data = node("Separator", children=(node("Cube", field("width", floats(1)), name="a"), node("Cone")))
    for end in range(4, len(data)):
        with pytest.raises(TextError):
            to_text(BINARY + data[:end], "a.iv", layout())


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    try:
        inventor.parse(to_text(BINARY + data, "a.iv", layout()), Findings())
    except TextError as e:
        assert e.finding.text()  # noqa: PT017


@given(st.data())
def test_changed_bytes(data: st.DataObject) -> None:
    whole = node(
        "Separator",
        children=(
            node("Material", field("diffuseColor", words(1) + floats(1, 0, 0), flags=1), name="m"),
            node("IndexedFaceSet", field("coordIndex", words(4, 0, 1, 2, -1))),
            word("USE") + word("m"),
        ),
    )
    raw = bytearray(BINARY + whole)
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(len(BINARY), len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        inventor.parse(to_text(bytes(raw), "a.iv", layout()), Findings())
    except TextError as e:
        assert e.finding.text()  # noqa: PT017


def test_headers() -> None:
    assert not is_binary(b"#Inventor V2.1 ascii\n")
    assert not is_binary(b"")
    with pytest.raises(TextError, match="does not begin"):
        to_text(b"#Inventor", "a.iv", Layout({}))


# --- real files ---------------------------------------------------------------------------


@pytest.mark.usefixtures("shared")
def test_the_car_of_the_puma_scene() -> None:
    path = DEV / "aslali+rrt_kuka_mpk/scenes/vwbeetle_body.iv"
    findings = Findings()
    source = to_text(path.read_bytes(), path.name, layout())
    made = inventor.parse(source, findings)
    assert findings == []
    assert inventor.parse(Source("again", inventor.print(made)), Findings()) == made
    top = made.items[0][1]
    assert isinstance(top, Node)
    assert [v.tag for _, v, _ in top.items if isinstance(v, Node)] == [
        "ShapeHints",
        "Material",
        "MaterialBinding",
        "Separator",
    ]
    inner = top.items[3][1]
    assert isinstance(inner, Node)
    points, faces = inner.items[0][1], inner.items[1][1]
    assert isinstance(points, Node)
    assert isinstance(faces, Node)
    point, index = points.get("point"), faces.get("coordIndex")
    assert isinstance(point, Numbers)
    assert isinstance(index, Numbers)
    assert point.array().size == 3 * 0x47C
    assert index.integers().max() == 0x47C - 1
    assert math.isclose(point.array()[0], -0.469056)


@pytest.mark.parametrize("name", ["binary_truncated.iv", "binary_huge_count.iv"])
@pytest.mark.usefixtures("shared")
def test_bad_files(name: str) -> None:
    with pytest.raises(TextError, match="end of file"):
        to_text((BAD / name).read_bytes(), name, layout())
