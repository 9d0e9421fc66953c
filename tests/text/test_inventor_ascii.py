"""Open Inventor ASCII and VRML 1.0 text to Nodes: what they have beyond VRML97, and their mistakes."""

from __future__ import annotations

import pytest

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source

HEADER = "#Inventor V2.1 ascii\n"


def read(text: str) -> Node:
    """The tree of a text after the header, which must give no finding."""
    findings = Findings()
    root = inventor.parse(Source("a.iv", HEADER + text), findings)
    assert findings == []
    return root


def only(node: Node) -> Node:
    """The one statement of a file."""
    ((key, value, _),) = node.items
    assert key == ""
    assert isinstance(value, Node)
    return value


def field(text: str) -> Value:
    """The value of the one field of a node."""
    ((key, value, _),) = only(read(f"N {{ f {text}\n }}")).items
    assert key == "f"
    return value


def refusal(text: str) -> Finding:
    """The finding that ends the reading."""
    with pytest.raises(TextError) as caught:
        inventor.parse(Source("a.iv", text), Findings())
    return caught.value.finding


def test_children_stand_between_fields() -> None:
    group = only(
        read(
            "Separator { renderCaching ON Cube { width 2 } DEF a+1 Sphere{}"
            " USE a+1 whichChild -3, Switch { } }"
        )
    )
    assert [(k, getattr(v, "tag", v)) for k, v, _ in group.items] == [
        ("renderCaching", Word("ON")),
        ("", "Cube"),
        ("", "Sphere"),
        ("", "USE"),
        ("whichChild", Word("-3")),
        ("", "Switch"),
    ]
    assert [v.name for _, v, _ in group.items if isinstance(v, Node)] == ["", "a+1", "a+1", ""]


def test_several_nodes_at_the_top() -> None:
    root = read('DEF robot mpkRobot { fileName "puma.rob" } Cube { } USE robot')
    assert [v.tag for _, v, _ in root.items if isinstance(v, Node)] == ["mpkRobot", "Cube", "USE"]


def test_words_without_quotes() -> None:
    assert field("PER_FACE_INDEXED") == Word("PER_FACE_INDEXED")
    assert field("../a-b_1.iv") == Word("../a-b_1.iv")
    assert field("[ PER_FACE, OVERALL ]") == Row([Word("PER_FACE"), Word("OVERALL")])


@pytest.mark.parametrize(
    "mask", ["(SIDES | TOP)", "( SIDES|TOP )", "(SIDES,TOP)", "(SIDES # c\n | # d\n TOP)"]
)
def test_bitmasks(mask: str) -> None:
    value = field(mask)
    assert value == Row([Word("SIDES"), Word("TOP")])
    assert field(f"[ {mask}, {mask} ]") == Row([value, value])
    source = Source("a.iv", HEADER + f"N {{ f {mask} }}")
    assert (
        "f (SIDES | TOP)" in inventor.print(inventor.parse(source, Findings()), source).replace("\n", " ")
        or "#" in mask
    )


def test_empty_and_single_bitmasks() -> None:
    assert field("()") == Row([])
    assert field("(ALL)") == Row([Word("ALL")])


def test_declarations_of_unknown_nodes() -> None:
    node = only(
        read('Frob { fields [ SFFloat level, MFVec3f points ] isA [ "Group" ] level 3 points [ 0 0 0 ] }')
    )
    assert [k for k, _, _ in node.items] == ["interface", "interface", "isA", "level", "points"]
    heads = [v for k, v, _ in node.items if k == "interface" and isinstance(v, Node)]
    assert [(h.tag, h.word("type"), h.name) for h in heads] == [
        ("field", "SFFloat", "level"),
        ("field", "MFVec3f", "points"),
    ]
    assert node.get("isA") == Row([Word("Group")])
    engine = only(read("E { inputs [ SFFloat a ] outputs [ MFFloat b ] fields [ ] isA [ Engine ] }"))
    assert [v.tag for _, v, _ in engine.items if isinstance(v, Node)] == ["input", "output"]


def test_a_field_may_be_called_fields() -> None:
    assert only(read("N { fields 3 }")).items[0][:2] == ("fields", Word("3"))


def test_ignored_fields() -> None:
    node = only(
        read("M { shininess 0.2 ~ ambientColor 0 0 1~ emissiveColor ~ diffuseColor [ 1 0 0 ] ~ on TRUE }")
    )
    values = [v for _, v, _ in node.items]
    assert [k for k, _, _ in node.items] == [
        "shininess",
        "ambientColor",
        "emissiveColor",
        "diffuseColor",
        "on",
    ]
    assert [v.tag for v in values if isinstance(v, Node)] == ["~"] * 4
    assert [v.get("") for v in values if isinstance(v, Node)] == [
        Word("0.2"),
        Numbers("0 0 1", form=""),
        None,
        Numbers("1 0 0", form="["),
    ]


@pytest.mark.parametrize(
    "connection",
    [
        "ElapsedTime { } . timeOut",
        "ElapsedTime{}.timeOut",
        "DEF t ElapsedTime { } . timeOut",
        "USE t . timeOut",
        "USE t.timeOut",
        "USE t .timeOut",
        "USE t. timeOut",
        "USE a.1.timeOut",
        "USE a.1 . timeOut",
    ],
)
def test_connections(connection: str) -> None:
    node = only(read(f"M {{ a = {connection} b 0.5 = {connection} c 1 2 ~ = {connection} Cube {{ }} }}"))
    assert [k for k, _, _ in node.items] == ["a", "b", "c", ""]
    fed = [v for k, v, _ in node.items if k]
    for value in fed:
        assert isinstance(value, Node)
        assert value.tag == "="
        assert value.word("field") == "timeOut"
        source = value.get("from")
        assert isinstance(source, Node)
        if source.tag == "USE":
            assert source.name in ("t", "a.1")
        assert value.span is not None
        assert value.span.text.endswith("timeOut")
    assert [v.get("value") for v in fed if isinstance(v, Node)] == [
        None,
        Word("0.5"),
        Node("~", [("", Numbers("1 2", form=""), -1)]),
    ]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r'"say \"hi\" "', 'say "hi" '),
        (r'"a\\b"', r"a\\b"),
        ('"C:\\dir\\"', "C:\\dir\\"),
        ('"\\"', "\\"),
        ('"\\\\"', "\\\\"),
        (r'"\", ]"', '", ]'),
        ('"two\nlines"', "two\nlines"),
    ],
)
def test_strings(written: str, text: str) -> None:
    assert field(written) == Word(text)
    source = Source("a.iv", f"{HEADER}N {{ f {written}\n g 1 }}")
    root = inventor.parse(source, Findings())
    assert inventor.parse(Source("b.iv", inventor.print(root, source)), Findings()) == root
    assert inventor.parse(Source("b.iv", inventor.print(root)), Findings()) == root


def test_a_string_that_inventor_cannot_hold() -> None:
    with pytest.raises(ValueError, match="end of a line"):
        inventor.print(Node("N", [("f", Word('a"\nb', quote='"'), -1)]))


def test_names_of_references() -> None:
    for name in ("X.0", "x+3", "+0", "_1", "wings:UNKNOWN", "COLOR-0"):
        group = only(read(f"G {{ DEF {name} A {{ }} USE {name} f USE {name} }}"))
        assert [v.name for _, v, _ in group.items if isinstance(v, Node)] == [name] * 3


def test_images_and_matrices() -> None:
    image = field("2 2 3 0xff0000 0x00ff00\n 0x0000ff 0x7f7f7f")
    assert isinstance(image, Numbers)
    assert image.integers().tolist() == [2, 2, 3, 0xFF0000, 0xFF00, 0xFF, 0x7F7F7F]
    matrix = field("1 0 0 0\n 0 1 0 0\n 0 0 1 0\n 1e1 2. .3 1")
    assert isinstance(matrix, Numbers)
    assert matrix.array()[12:].tolist() == [10.0, 2.0, 0.3, 1.0]


@pytest.mark.parametrize(
    "header",
    [
        "#Inventor V2.0 ascii",
        "#Inventor V2.1 ascii  ",
        "#Inventor V1.0 ascii",
        "#VRML V1.0 ascii",
        "#VRML V1.0 ascii by x",
    ],
)
def test_headers(header: str) -> None:
    findings = Findings()
    assert len(inventor.parse(Source("a.iv", f"{header}\nCube {{ }}"), findings).items) == 1
    assert findings == []


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "empty", "the file is empty"),
        ("Cube { }", "inventor-header", "#Inventor V2.1 ascii header missing"),
        ("#Inventor V2.1 binary  \nCube { }", "inventor-header", "#Inventor V2.1 binary"),
        ("#VRML V2.0 utf8\nShape { }", "inventor-header", "#VRML V2.0 utf8"),
        ("#VRML V1.0 ascii\nPROTO P [ ] { }", "vrml-version", "VRML 1.0"),
        (HEADER + "A { ROUTE a.b TO c.d }", "vrml-version", "Open Inventor"),
        (HEADER + "A { f (B | C", "inventor-syntax", "end of file"),
        (HEADER + "A { fields [ SFFloat x", "inventor-syntax", "end of file"),
        (HEADER + "A { f 1 = ", "inventor-syntax", "end of file"),
        (HEADER + 'A { f "b }', "inventor-syntax", "unterminated string"),
        (HEADER + "A{" * 100_000, "nesting-too-deep", "nesting too deep"),
    ],
)
def test_refusals(text: str, code: str, says: str) -> None:
    found = refusal(text)
    assert (found.code, found.severity) == (code, "error")
    assert says in found.message
    assert found.at is not None


def test_a_header_that_is_not_first_or_not_needed() -> None:
    findings = Findings()
    inventor.parse(Source("a.iv", "# x\n#Inventor V2.0 ascii\nCube { }"), findings)
    assert [(f.code, f.severity) for f in findings] == [("inventor-header", "warning")]
    findings.clear()
    inventor.parse(Source("a.iv", "Cube { }"), findings, part=True)
    assert findings == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A { f (B } C { }", "2:7: unclosed ("),
        ("A { fields [ SFFloat ] }", "2:14: expected a type and a name, or ]"),
        ("A { ~ f 1 }", "2:5: unexpected '~'"),
        ("A { f 1 = 2 }", "2:11: expected an engine's output after ="),
        ("A { ) }", "2:5: unexpected ')'"),
        ("f 1", "2:1: field f is outside of any node"),
        ("A { f }", "2:7: field f has no value"),
    ],
)
def test_mistakes(text: str, says: str) -> None:
    findings = Findings()
    inventor.parse(Source("a.iv", HEADER + text), findings)
    assert [f"{f.at.line}:{f.at.column}: {f.message}" for f in findings if f.at] == [says]
    assert {f.code for f in findings} == {"inventor-syntax"}
