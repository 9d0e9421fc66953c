"""XML text to nodes and back: places, refusals, and nothing lost in a round trip."""

from __future__ import annotations

import contextlib
import time

import pytest
from tests.shared import CORPUS

from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Node, Word
from unibody.text.source import Source
from unibody.text.xml.element import Element
from unibody.text.xml.parser import parse
from unibody.text.xml.printer import print_xml


def read(text: str) -> Node:
    findings = Findings()
    node = parse(Source("a.xml", text), findings)
    assert not findings
    return node


def refusal(text: str) -> Finding:
    with pytest.raises(TextError) as caught:
        parse(Source("a.xml", text), Findings())
    assert str(caught.value.finding).startswith("a.xml:")
    return caught.value.finding


def child(node: Node, *keys: str) -> Node:
    for key in keys:
        found = node.get(key)
        assert isinstance(found, Node)
        node = found
    return node


def cut(node: Node) -> str:
    assert node.source
    return node.source.text[node.start : node.end]


def test_elements_attributes_and_text_are_items_in_order() -> None:
    node = read('<a x="1" y="é"><b/>one<c>two</c><b z=""/> </a>')
    assert node == Node(
        "a",
        [
            ("x", Word("1"), 0),
            ("y", Word("é"), 0),
            ("b", Node("b"), 0),
            ("", Word("one"), 0),
            ("c", Node("c", [("", Word("two"), 0)]), 0),
            ("b", Node("b", [("z", Word(""), 0)]), 0),
        ],
    )


@pytest.mark.parametrize("mark", ["", "é", "腕🤖"])
def test_places_are_character_offsets(mark: str) -> None:
    text = f"<!--{mark}--><a n='{mark}'>\n <b/><b ></b\n><c>{mark} t <!--{mark}--> u</c>\n{mark}.</a>\n"
    node = read(text)
    assert cut(node) == text[text.index("<a") : text.index("</a>") + 4]
    assert [cut(v) for _, v, _ in node.items if isinstance(v, Node)][:2] == ["<b/>", "<b ></b\n>"]
    inner = child(node, "c")
    word = inner.items[0][1]
    assert isinstance(word, Word)
    assert node.source
    assert (word.text, inner.place(word).text) == (f"{mark} t  u", f"{mark} t <!--{mark}--> u")  # type: ignore[union-attr]
    assert all(node.source.text[at] == "<" for k, _, at in node.items if k)
    place = node.item_span(node.items[0])
    assert place
    assert (place.text, place.start) == (mark, text.index("'") + 1)
    last = node.items[-1][1]
    assert node.place(last).text == f"\n{mark}."  # type: ignore[union-attr]


def test_an_attribute_has_the_place_of_its_element_and_its_own_when_asked() -> None:
    node = read('<a>\n <b x = "1>/"\n  y=\'a"b\' z="&lt;"/></a>')
    inner = child(node, "b")
    word = inner.get("y")
    assert isinstance(word, Word)
    assert word.start == -1
    assert str(inner.place(word)) == "a.xml:2:2"
    assert [str(inner.item_span(i)) for i in inner.items] == ["a.xml:2:10", "a.xml:3:6", "a.xml:3:14"]
    assert inner.item_span(inner.items[2]).text == "&lt;"  # type: ignore[union-attr]
    assert inner.item_span(("no", Word(""), inner.start)) == inner.span
    assert Element("b", [("x", Word("1"), -1)]).item_span(("x", Word("1"), -1)) is None


def test_self_closing_is_not_confused_with_what_follows() -> None:
    node = read("<a><b/></a>")
    assert (cut(child(node, "b")), cut(node)) == ("<b/>", "<a><b/></a>")
    assert cut(read("<a>/></a>")) == "<a>/></a>"
    assert cut(child(read("<a><b x='/'></b ></a>"), "b")) == "<b x='/'></b >"
    assert cut(read("<a><!-- /></a> --></a>")) == "<a><!-- /></a> --></a>"


def test_text_keeps_its_blanks_and_blank_text_is_no_item() -> None:
    assert read("<a>\n \t\r\n<b/>\n</a>").items[0][0] == "b"
    assert read("<a>\n 1 2\r\n 3 </a>").word("") == "\n 1 2\n 3 "
    assert read("<a>\u3000</a>").word("") == "\u3000"
    assert read("<a><![CDATA[<x>&]]></a>").word("") == "<x>&"
    assert read("<a>1<!-- one --> 2<?pi x?> <![CDATA[3]]></a>").word("") == "1 2 3"
    assert read("<a><![CDATA[ ]]></a>").items == []


def test_standard_entities_and_character_references() -> None:
    node = read("<a b='&lt;&gt;&amp;&quot;&apos;&#10;&#x8155;'>&#65;&#x1F916;&amp;</a>")
    assert node.word("b") == "<>&\"'\n腕"
    assert node.word("") == "A🤖&"


def test_an_undeclared_prefix_is_a_name() -> None:
    node = read("<robot><drake:joint x:y='1'/></robot>")
    assert child(node, "drake:joint").word("x:y") == "1"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("<a>\n<b>\n</a>", "3:3", "</a> does not match: <b> of line 2 is still open"),
        ("<a>\n <b x='1' x='2'/></a>", "2:11", "duplicate attribute 'x'"),
        ("<a>\n<b>\n", "3:1", "unexpected end of file: <b> of line 2"),
        ("<a>\n<b", "2:1", "unexpected end of file: <a> of line 1"),
        ("<a><![CDATA[x", "1:14", "unexpected end"),
        ("<a b=1/>", "1:6", "not well-formed"),
        ('<x x=""{="$"', "1:8", "not well-formed"),
        ("<a>\ud800</a>", "1:4", "character '\\ud800'"),
        ("<a><!-- x -- y </a>", "1:13", "not well-formed"),
        ("", "1:1", "empty"),
        (" \n", "2:1", "empty"),
        ("<!-- only -->", "1:14", "no XML element"),
        ("robot", "1:1", "does not begin with <"),
        ("<!-- 腕 --><a>\n腕<b></c></a>", "2:7", "</c> does not match: <b> of line 2"),
        ("<!-- --><?xml version='1.0'?><a/>", "1:9", "not at the start of the file"),
    ],
)
def test_a_syntax_error_says_where_and_what(text: str, place: str, words: str) -> None:
    finding = refusal(text)
    assert (finding.code, finding.severity) == ("xml-syntax", "error")
    assert words in finding.message
    assert str(finding.at) == f"a.xml:{place}"
    assert finding.text()


@pytest.mark.parametrize(
    ("text", "place", "words", "read"),
    [
        ("<a>\nx & y</a>", "2:3", "unescaped '&'", {"": "\nx & y"}),
        ("<a b='x&y'/>", "1:8", "unescaped '&'", {"b": "x&y"}),
        ("<a b='x?c=1&d=2'/>", "1:12", "unescaped '&'", {"b": "x?c=1&d=2"}),
        ("<a>&deg;</a>", "1:4", "unescaped '&'", {"": "&deg;"}),
        ("<a b='<'/>", "1:7", "'<' in an attribute", {"b": "<"}),
        ("<a>x\x01y</a>", "1:5", "control character '\\x01'", {"": "xy"}),
        ("<a b='x\0y'/>", "1:8", "control character '\\x00'", {"b": "xy"}),
        ("腕<a b='1'/>", "1:1", "text before the root", {"b": "1"}),
        ("<a>x&#0;y</a>", "1:5", "&#0; is no character", {"": "xy"}),
        ("<a b='&#xD800;1'/>", "1:7", "&#xD800; is no character", {"b": "1"}),
        ("<a b='1'c=\"2\"/>", "1:9", "no space between", {"b": "1", "c": "2"}),
        ("<!-- & --><a b='腕&'/>", "1:18", "unescaped '&'", {"b": "腕&"}),
        ("<!-- -- --><a b='&'/>", "1:18", "unescaped '&'", {"b": "&"}),
    ],
)
def test_what_tinyxml_reads_is_a_warning(text: str, place: str, words: str, read: dict[str, str]) -> None:
    findings = Findings()
    source = Source("a.xml", text)
    node = parse(source, findings)
    found = [f for f in findings if f.code == "xml-syntax"]
    assert [(f.severity, str(f.at)) for f in found] == [("warning", f"a.xml:{place}")]
    assert words in found[0].message
    assert {key: node.word(key) for key in read} == read
    # places are those of the text as written
    for item in node.items:
        at = node.item_span(item)
        assert at is not None
        assert item[0] == "" or text[at.start - 1] + text[at.end] in ("''", '""')
    again = parse(Source("b.xml", print_xml(node)), Findings())
    assert {key: again.word(key) for key in read} == read


@pytest.mark.slow
def test_what_is_read_leniently_takes_linear_time() -> None:
    start = time.process_time()
    for text in ("<a b='" + "&" * 30_000 + "'/>", "<a " + "b='1'" * 6_000 + "/>", "<" * 30_000):
        with contextlib.suppress(TextError):
            parse(Source("a.xml", text), Findings())
    assert time.process_time() - start < 5.0


def test_hints_say_what_to_write() -> None:
    assert "</b>" in refusal("<a><b></a>").hint


def test_depth_has_a_limit() -> None:
    assert read("<a>" * 1000 + "</a>" * 1000)
    finding = refusal("\n" + "<a>" * 1001 + "</a>" * 1001)
    assert (finding.code, str(finding.at)) == ("nesting-too-deep", "a.xml:2:3001")


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a b="&x;"/>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/">%x;]><a/>',
        '<!DOCTYPE a [<!NOTATION g SYSTEM "g"><!ENTITY x SYSTEM "y" NDATA g>]><a/>',
        '<!DOCTYPE a SYSTEM "a.dtd"><a>&x;</a>',
        '<!DOCTYPE a SYSTEM "a.dtd"><a><b c="&amp;&x;"/></a>',
    ],
)
def test_entities_are_refused(text: str) -> None:
    finding = refusal(text)
    assert finding.code == "xml-entity"
    assert "not expanded" in finding.message
    assert finding.at


def test_an_external_dtd_is_not_read() -> None:
    findings = Findings()
    text = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a b="&amp;">1 &lt; 2<!-- &x; --></a>'
    assert parse(Source("a.xml", text), findings).word("") == "1 < 2"
    assert [f.code for f in findings] == ["xml-dtd"]


@pytest.mark.parametrize("junk", ["x", "<b/>", "\0", "</a>", "&", "<!-- x", "腕\n"])
def test_text_after_the_root_is_a_warning(junk: str) -> None:
    findings = Findings()
    node = parse(Source("a.xml", f"<a><腕/></a>\n{junk}"), findings)
    assert node == Node("a", [("腕", Node("腕"), -1)])
    assert [(f.code, f.severity) for f in findings] == [("text-after-root", "warning")]
    assert findings[0].at
    assert findings[0].at.line == 2


def test_what_published_files_get_wrong_is_a_warning() -> None:
    findings = Findings()
    text = """

 <?xml version="1.0" encoding="腕"?>
<!DOCTYPE a SYSTEM "x">
<!-- a -- 腕 --><a b="腕"><![CDATA[<!-- kept -->]]><!-- c ---></a>"""
    node = parse(Source("a.xml", text), findings)
    assert [f.code for f in findings] == ["xml-declaration", "xml-comment", "xml-dtd"]
    assert [f.at.line for f in findings if f.at] == [3, 5, 4]
    assert (node.word("b"), node.word(""), str(node.span)) == ("腕", "<!-- kept -->", "a.xml:5:16")
    printed = """<?xml version="1.0" encoding="腕"?>
<!DOCTYPE a SYSTEM "x">
<!-- a -- 腕 -->
<a b="腕"><![CDATA[<!-- kept -->]]><!-- c ---></a>
"""
    assert print_xml(node) == printed
    node = parse(Source("a.xml", '<?xml verison="1.0"?><a/>'), findings)
    assert findings[-1].code == "xml-declaration"
    assert print_xml(node) == '<?xml version="1.0"?>\n<a/>\n'


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("entity_bomb", "xml-entity"),
        ("external_entity", "xml-entity"),
        ("deep_nesting_100k", "nesting-too-deep"),
        ("truncated", "xml-syntax"),
        ("external_dtd", "xml-dtd"),
        ("trailing_text", "text-after-root"),
        ("utf16", ""),
        ("sjis", ""),
        ("bom_crlf", ""),
        ("undeclared_prefix", ""),
        ("ok_chain_2000", ""),
    ],
)
def test_hostile_files(name: str, code: str) -> None:
    path = CORPUS / "bad" / "urdf" / f"{name}.urdf"
    findings = Findings()
    start = time.process_time()
    try:
        node = parse(decode(path.read_bytes(), path.name, findings), findings)
        assert node.tag == "robot"
    except TextError as refused:
        findings.append(refused.finding)
    assert time.process_time() - start < 20  # ends, however slow the machine
    codes = [f.code for f in findings if f.code != "nul-character"]
    assert codes == ([code] if code else [])
    for finding in findings:
        assert "root:" not in finding.text()
        assert finding.at
