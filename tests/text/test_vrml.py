"""VRML97 text to Nodes: every construct of the grammar, and what real files do beyond it."""

from __future__ import annotations

import pytest

from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

HEADER = "#VRML V2.0 utf8\n"


def read(text: str) -> Node:
    """The tree of a text after the header, which must give no finding."""
    findings = Findings()
    root = vrml.parse(Source("a.wrl", HEADER + text), findings)
    assert findings == []
    return root


def field(text: str) -> Value:
    """The value of the one field of a node."""
    node = only(read(f"N {{ f {text} }}"))
    ((key, value, _),) = node.items
    assert key == "f"
    return value


def only(node: Node) -> Node:
    """The one statement of a file."""
    ((key, value, _),) = node.items
    assert key == ""
    assert isinstance(value, Node)
    return value


def test_the_file_is_a_node_of_statements() -> None:
    root = read("Group { } DEF A Box { size 1 2 3 }\nROUTE A.x TO B.y")
    assert (root.tag, root.name) == ("", "")
    assert [(k, v.tag, v.name) for k, v, _ in root.items if isinstance(v, Node)] == [
        ("", "Group", ""),
        ("", "Box", "A"),
        ("", "ROUTE", ""),
    ]
    route = root.items[2][1]
    assert isinstance(route, Node)
    assert route.items[0][:2] == ("from", Word("A.x"))
    assert route.items[1][:2] == ("to", Word("B.y"))


def test_an_empty_file_with_a_header_has_no_statements() -> None:
    assert read("").items == []
    assert read("# nothing\n").items == []
    assert vrml.parse(Source("a", "#VRML V2.0 utf8"), Findings()).items == []


@pytest.mark.parametrize(
    "number",
    "0|1.|.5|+.5|-.5|-0.0|1e5|1E-5|1.e3|0x1F|nan|-nan|inf|007|123456789012345678901234567890"
    "|1.#IND|-1.#IND00|1.#QNAN0|1.#INF|-nan(ind)".split("|"),
)
def test_one_number_is_a_word(number: str) -> None:
    assert field(number) == Word(number)
    assert field(f"{number} # it\n") == Word(number)
    value = only(read(f"N{{f {number}}}")).get("f")
    assert value == Word(number)


@pytest.mark.parametrize(
    "numbers",
    "1 2|1,2|1 2. .5 -1e-3|0x1F 1|1 0x1F|nan 0 0|0 nan|0 -nan 0|1 inf 2|0 inf|1 # a\n 2|1#a\n2"
    "|1,# a 3\n# b\n,2|1.#IND 0|0 -1.#IND 0|1 2 # c\n 0x3 # d\n 4".split("|"),
)
def test_several_numbers_are_numbers(numbers: str) -> None:
    value = field(numbers)
    assert isinstance(value, Numbers)
    assert (value.body, value.form) == (numbers, "")
    list_of = field(f"[{numbers}]")
    assert isinstance(list_of, Numbers)
    assert (list_of.body, list_of.form) == (numbers, "[")
    node = only(read(f"N {{ f {numbers} inf2 3 nan_ 4 e 5 }}"))
    assert node.items[0][1] == value
    assert [(k, v) for k, v, _ in node.items[1:]] == [
        ("inf2", Word("3")),
        ("nan_", Word("4")),
        ("e", Word("5")),
    ]


def test_a_long_run_of_numbers_is_one_value() -> None:
    for number in ("1", "1e5", "0x1", "1 # c\n"):
        value = field(" ".join([number] * 1000))
        assert isinstance(value, Numbers)
        assert len(value) == 1000


def test_numbers_know_their_places() -> None:
    source = Source("a.wrl", HEADER + "N { f [ 1, # two\n 2 ] g 3 4 }")
    node = only(vrml.parse(source, Findings()))
    for value in (node.get("f"), node.get("g")):
        assert isinstance(value, Numbers)
        assert value.words() == [source.text[w.start : w.end] for w in value.places()]
        assert value.words() in (["1", "2"], ["3", "4"])


@pytest.mark.parametrize(
    "body", ["1 2 3", " 1,2 ,3, ", '1\n2 # c ] } { [ " \n3', "\n# first ] \n1 2 3 # last\n"]
)
def test_a_list_of_numbers_is_a_slice_of_the_text(body: str) -> None:
    source = Source("a.wrl", f"{HEADER}N {{ f [{body}] g 1 }}")
    node = only(vrml.parse(source, Findings()))
    value = node.get("f")
    assert isinstance(value, Numbers)
    assert value.body == body
    assert source.text[value.start : value.end] == f"[{body}]"
    assert value.words() == ["1", "2", "3"]
    assert value.array().tolist() == [1.0, 2.0, 3.0]
    assert node.word("g") == "1"


def test_whether_words_are_numbers_is_found_when_they_are_converted() -> None:
    value = field("[1 2 three]")
    assert isinstance(value, Numbers)
    with pytest.raises(ValueError, match="three"):
        value.array()
    short = field("[0 1.#IND 0]")
    assert isinstance(short, Numbers)
    with pytest.raises(ValueError, match="IND"):
        short.array()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"a b"', "a b"),
        ('""', ""),
        (r'"say \"hi\""', 'say "hi"'),
        (r'"C:\\temp"', r"C:\temp"),
        (r'"C:\temp\new"', r"C:\temp\new"),
        (r'"\\"', "\\"),
        (r'"\\\""', r"\""),
        ('"# no comment"', "# no comment"),
        ('"{[]},"', "{[]},"),
        ('"over\ntwo lines"', "over\ntwo lines"),
        ('"腕"', "腕"),
    ],
)
def test_strings(written: str, text: str) -> None:
    value = field(written)
    assert value == Word(text)
    assert isinstance(value, Word)
    assert value.quote == '"'
    assert field(f"[{written}, {written}]") == Row([Word(text), Word(text)])


def test_words() -> None:
    for word in ("TRUE", "FALSE", "NULL", "bare", "Ω", "a.b-c"):
        assert field(word) == Word(word)
    node = only(read("N { jointType rotate jointId 0 axis X on TRUE}"))
    assert [(k, v) for k, v, _ in node.items] == [
        ("jointType", Word("rotate")),
        ("jointId", Word("0")),
        ("axis", Word("X")),
        ("on", Word("TRUE")),
    ]
    assert field("[TRUE FALSE]") == Row([Word("TRUE"), Word("FALSE")])
    assert field("[TRUE 1 2]") == Row([Word("TRUE"), Word("1"), Word("2")])


@pytest.mark.parametrize("empty", ["[]", "[ ]", "[,]", "[ # nothing\n ]", "[\n]"])
def test_an_empty_list_is_an_empty_row(empty: str) -> None:
    value = field(empty)
    assert isinstance(value, Row)
    assert value.values == []
    assert value.flow


def test_nodes_as_values() -> None:
    assert field("A { x 1 }") == Node("A", [("x", Word("1"), -1)])
    assert field("A{}") == Node("A")
    assert field("[A {} B { c NULL }]") == Row([Node("A"), Node("B", [("c", Word("NULL"), -1)])])
    made = field("DEF X-1 A { }")
    assert isinstance(made, Node)
    assert (made.tag, made.name) == ("A", "X-1")
    used = field("[USE X-1, USE Y]")
    assert isinstance(used, Row)
    assert [(v.tag, v.name) for v in used.values if isinstance(v, Node)] == [("USE", "X-1"), ("USE", "Y")]
    made = field("IS y")
    assert isinstance(made, Node)
    assert (made.tag, made.name) == ("IS", "y")


@pytest.mark.parametrize("name", ["a", "a-b", "a.b", "a:b", "a+b", "01-x", "_0", "腕", "a'b", "TO", "a\\b"])
def test_names(name: str) -> None:
    made = only(read(f"DEF {name} N{{}}"))
    assert (made.tag, made.name) == ("N", name)
    row = only(read(f"N {{ f [USE {name}] g USE {name}}}"))
    for value in (row.get("f").values[0], row.get("g")):  # type: ignore[union-attr]
        assert isinstance(value, Node)
        assert value.name == name


def test_words_that_begin_as_keywords_do() -> None:
    node = only(read("DEFAULT { USER 1 ISO 2 fields 3 ROUTED TRUE DEFS DEF DEF1 ISA { } }"))
    assert [k for k, _, _ in node.items] == ["USER", "ISO", "fields", "ROUTED", "DEFS"]
    assert [v.name for _, v, _ in node.items if isinstance(v, Node)] == ["DEF1"]


def test_a_field_written_twice_is_kept() -> None:
    assert [k for k, _, _ in only(read("N { a 1 a 2 }")).items] == ["a", "a"]


def test_a_prototype() -> None:
    proto = only(
        read(
            """PROTO J [ exposedField SFVec3f center 0 0 0, field MFNode c [ ] # none
              eventIn MFNode add eventOut SFBool done
              field SFNode n DEF X Box { size 1 1 1 } field SFString s "" ]
            { Transform { center IS center children [ USE X ] } ROUTE A.b TO C.d PROTO K [] { } }"""
        )
    )
    assert (proto.tag, proto.name) == ("PROTO", "J")
    heads = [v for k, v, _ in proto.items if k == "interface" and isinstance(v, Node)]
    assert [(h.tag, h.word("type"), h.name) for h in heads] == [
        ("exposedField", "SFVec3f", "center"),
        ("field", "MFNode", "c"),
        ("eventIn", "MFNode", "add"),
        ("eventOut", "SFBool", "done"),
        ("field", "SFNode", "n"),
        ("field", "SFString", "s"),
    ]
    assert heads[0].get("value") == Numbers("0 0 0", form="")
    assert heads[1].get("value") == Row([])
    assert heads[2].get("value") is None
    assert isinstance(heads[4].get("value"), Node)
    body = [v for k, v, _ in proto.items if k == ""]
    assert [v.tag for v in body if isinstance(v, Node)] == ["Transform", "ROUTE", "PROTO"]


@pytest.mark.parametrize("numbers", ["0 # a\n 1 2", "nan 0 0", "0 0x1 nan", "1 -nan 1.#IND"])
def test_numbers_of_every_form_as_defaults(numbers: str) -> None:
    proto = only(read(f"PROTO P [ field SFVec3f x {numbers} field SFFloat y 1 # b\n ] {{ }}"))
    heads = [v.get("value") for _, v, _ in proto.items if isinstance(v, Node)]
    assert heads == [Numbers(numbers, form=""), Word("1")]


def test_what_printf_makes_of_no_number_begins_no_comment() -> None:
    proto = only(read("PROTO P [ field SFFloat x 1.#IND ] { a\n{ f 0 1.#IND g -1.#INF } A\n{ } }"))
    assert [v.tag for _, v, _ in proto.items if isinstance(v, Node)] == ["field", "a", "A"]
    node = proto.items[1][1]
    assert node == Node("a", [("f", Numbers("0 1.#IND", form=""), -1), ("g", Word("-1.#INF"), -1)])
    node = only(read("A#INFO\n{ f#IND\n 0 1#INF 2\n 3 g[1#INF ]\n2.# ]\n3 ]}"))
    assert node.items[0][1] == Numbers("0 1 3", form="")
    assert node.items[1][1] == Numbers("1 2. 3", form="[")


@pytest.mark.parametrize("urls", ['"a.wrl#A"', '[ "a.wrl#A", "b.wrl#A" ]', "[]"])
def test_an_external_prototype(urls: str) -> None:
    root = read(f"EXTERNPROTO A [ field SFFloat x exposedField MFNode y eventIn SFBool z ] {urls} A {{ }}")
    proto = root.items[0][1]
    assert isinstance(proto, Node)
    assert [k for k, _, _ in proto.items] == ["interface"] * 3 + ["url"]
    assert proto.span is not None
    assert proto.span.text.endswith(urls)
    assert root.items[1][1] == Node("A")


def test_a_script() -> None:
    script = only(
        read(
            """Script { url "javascript:
            function f(v) { x = '}'; }" field SFBool a TRUE eventIn SFTime t IS u eventOut SFFloat o
            field SFNode n USE N directOutput TRUE }"""
        )
    )
    assert [k for k, _, _ in script.items] == ["url", *["interface"] * 4, "directOutput"]
    heads = [v for k, v, _ in script.items if isinstance(v, Node)]
    given = [h.get("value") for h in heads]
    assert given[0] == Word("TRUE")
    assert given[2] is None
    for value, name in ((given[1], "u"), (given[3], "N")):
        assert isinstance(value, Node)
        assert value.name == name


def test_places() -> None:
    source = Source(
        "a.wrl", HEADER + 'DEF A B { c DEF D E { } f "s" g [ "t" ] h USE A i TRUE } PROTO P [ ] { }'
    )
    root = vrml.parse(source, Findings())
    node = root.items[0][1]
    assert isinstance(node, Node)

    def text(value: Value) -> str:
        return source.text[value.start : value.end]

    assert text(node).startswith("DEF A B {")
    assert text(node).endswith("i TRUE }")
    assert [text(v) for _, v, _ in node.items] == ["DEF D E { }", '"s"', '[ "t" ]', "USE A", "TRUE"]
    assert [source.text[start] for _, _, start in node.items] == ["c", "f", "g", "h", "i"]
    assert text(root.items[1][1]) == "PROTO P [ ] { }"
    assert text(root) == source.text


def test_commas_and_control_characters_are_white_space() -> None:
    assert read("A,{,b,1,,2,}\x0b\x0cC{\x00}") == read("A { b 1 2 } C { }")
    assert read("A{b[C{}D{}]}") == read("A { b [ C { } D { } ] }")
    assert read("A\r\n{\rb # x\r 1\r\n# y\r}") == read("A { b 1 }")


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("#VRML V2.0 utf8 CosmoWorlds V1.0\nA { }", ""),
        ("#VRML  V2.0\tutf8\nA { }", ""),
        ("A { }", "warning"),
        ("# a comment\nDEF X A { }", "warning"),
        ("\n#VRML V2.0 utf8\nA { }", "warning"),
        ("# a comment\n#VRML V2.0 utf8\nA { }", "warning"),
        ("#VRML V2.0\nA { }", "warning"),
        ("#VRML V2.0 UTF8\nA { }", "warning"),
    ],
)
def test_the_header(text: str, severity: str) -> None:
    findings = Findings()
    assert len(vrml.parse(Source("a.wrl", text), findings).items) == 1
    assert [(f.code, f.severity) for f in findings] == ([("vrml-header", severity)] if severity else [])


def test_a_part_of_another_file_may_lack_the_header() -> None:
    findings = Findings()
    vrml.parse(Source("part.wrl", "Group { }"), findings, part=True)
    assert [(f.code, f.severity) for f in findings] == [("vrml-header", "info")]
