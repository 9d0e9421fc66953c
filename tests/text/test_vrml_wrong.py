"""Text that is not quite VRML97: each mistake has its line, column and remedy, and nothing hangs."""

from __future__ import annotations

import re
import time
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import STEP, few
from tests.shared import CORPUS

from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.limits import DEFAULT
from unibody.text.node import Node, Numbers, Row, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

BAD = CORPUS / "bad"
HEADER = "#VRML V2.0 utf8\n"


def refusal(text: str) -> Finding:
    """The finding that ends the reading."""
    with pytest.raises(TextError) as caught:
        vrml.parse(Source("a.wrl", text), Findings())
    return caught.value.finding


def read(text: str) -> tuple[Node, list[str]]:
    """The tree, and the findings as ``line:column: message``."""
    findings = Findings()
    root = vrml.parse(Source("a.wrl", HEADER + text), findings)
    assert {f.code for f in findings} == {"vrml-syntax"}
    assert {f.severity for f in findings} == {"error"}
    return root, [f"{f.at.line}:{f.at.column}: {f.message}" for f in findings if f.at]


@pytest.mark.parametrize(
    ("text", "says", "place"),
    [
        ("A {", "the { of line 2 is still open", "2:4"),
        ("A {\n b [\n C { }", "the [ of line 3 is still open", "4:7"),
        ("A { b", "the { of line 2 is still open", "2:6"),
        ("A { b 1", "the { of line 2 is still open", "2:8"),
        ("A { b [ 1 2", "the [ of line 2 is still open", "2:12"),
        ("A { b DEF", "the { of line 2 is still open", "2:10"),
        ("A { b DEF c", "the { of line 2 is still open", "2:12"),
        ("A { b DEF c D", "the { of line 2 is still open", "2:14"),
        ("A { USE", "the { of line 2 is still open", "2:8"),
        ("DEF a", "unexpected end of file", "2:6"),
        ("PROTO P", "unexpected end of file", "2:8"),
        ("PROTO P [", "the [ of line 2 is still open", "2:10"),
        ("PROTO P [ field", "the [ of line 2 is still open", "2:16"),
        ("PROTO P [ field SFFloat", "the [ of line 2 is still open", "2:24"),
        ("PROTO P [ field SFFloat x", "the [ of line 2 is still open", "2:26"),
        ("PROTO P [ ]", "the [ of line 2 is still open", "2:12"),
        ("PROTO P [ ] { A { }", "the { of line 2 is still open", "2:20"),
        ("EXTERNPROTO P [ ]", "unexpected end of file", "2:18"),
        ('EXTERNPROTO P [ ] [ "a"', "the [ of line 2 is still open", "2:24"),
        ("ROUTE a.b", "unexpected end of file", "2:10"),
        ("A { # comment", "the { of line 2 is still open", "2:14"),
        ('A { b "c }\n', "unterminated string", "2:7"),
        ('A { "c }\n', "unterminated string", "2:5"),
        ('A { b [ "c", "d ] }\n', "unterminated string", "2:14"),
        ('A { b [ C { d "e } ] }\n', "unterminated string", "2:15"),
        ('EXTERNPROTO P [ ] "a', "unterminated string", "2:19"),
    ],
)
def test_cut_off(text: str, says: str, place: str) -> None:
    found = refusal(HEADER + text)
    assert says in found.message
    assert str(found).startswith(f"a.wrl:{place}: error: ")
    assert found.code == "vrml-syntax"
    assert found.hint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("} A { } B { }", "2:1: unmatched }"),
        ("] A { } B { }", "2:1: unmatched ]"),
        ("A { c 1 ] d 2 }", "2:9: unmatched ]"),
        ("A { c [ B { } } D { }", "2:15: the [ of line 2 is not closed before this }"),
        ("A { c [ 1 2 } D { e [ 3 ] }", "2:13: the [ of line 2 is not closed before this }"),
        ("A { b }", "2:7: field b has no value"),
        ("A { b ] }", "2:7: field b has no value"),
        ("A { b c 1 }", "2:7: field b has no value"),
        ("A { b c [ ] }", "2:7: field b has no value"),
        ("A { 1 b 2 }", "2:5: expected a field name, not 1"),
        ("A { b TRUE 1 2 }", "2:12: expected a field name, not 1"),
        ("A { b TRUE FALSE }", "2:12: expected a field name, not FALSE"),
        ('A { b 1 "c" }', "2:9: expected a field name, not a string"),
        ('A { b [ 1 "c" [ 2 ] ] }', "2:15: nested list"),
        ("A { [ 1 ] }", "2:5: unexpected [ without a field name"),
        ("A { { b 1 } }", "2:5: unexpected { without a node type"),
        ("A { B { } }", "2:5: B in A has no field name"),
        ("A { DEF b B { } }", "2:5: B b in A has no field name"),
        ("A { USE b }", "2:5: USE b in A has no field name"),
        ("b 1", "2:1: field b is outside of any node"),
        ("PROTO P [ ] { b 1 } P { }", "2:15: field b is outside of any node"),
        ("DEF b { } A { }", "2:1: DEF without"),
        ("A { c DEF b 1 }", "2:7: DEF b is not followed by a node"),
        ("A { c DEF }", "2:7: DEF without a name"),
        ("A { b = { } }", "2:7: invalid node type ="),
        ("A { b DEF c ROUTE { } }", "2:7: invalid node type ROUTE"),
        ("PROTO { }", "2:1: PROTO without a name and [ … ]"),
        ("PROTO P { }", "2:1: PROTO without a name and [ … ]"),
        ("PROTO P [ ] A { }", "2:13: PROTO P has no body"),
        ("PROTO P [ field x 1 ] { }", "2:11: field is not followed by a field type and a name"),
        ("PROTO P [ field SFFloat x ] { }", "2:27: field x has no value"),
        ("PROTO P [ x 1 ] { }", "2:11: x is not a declaration"),
        ("PROTO P [ field SFFloat x 1 } A { }", "2:29: the [ of line 2 is not closed before this }"),
        ("ROUTE a.b c.d A { }", "2:1: ROUTE is not followed by names"),
    ],
)
def test_mistakes_that_reading_goes_on_after(text: str, says: str) -> None:
    if "DEF without" in says and "DEF b {" in text:
        findings = Findings()
        vrml.parse(Source("a.wrl", HEADER + text), findings)
        assert [(f.severity, f.message) for f in findings] == [("warning", "DEF without a name for node b")]
        return
    _, said = read(text)
    assert said[0].startswith(says)


def test_what_is_kept_after_a_mistake() -> None:
    root, _ = read("A { c [ B { } } D { e 1 }")
    assert root == Node(
        "",
        [("", Node("A", [("c", Row([Node("B")]), -1)]), -1), ("", Node("D", [("e", Word("1"), -1)]), -1)],
    )
    root, _ = read("A { b c 1 }")
    assert root.items[0][1] == Node("A", [("c", Word("1"), -1)])
    root, _ = read("A { 1 b 2 }")
    assert root.items[0][1] == Node("A", [("b", Word("2"), -1)])
    root, _ = read("A { { x 1 } y 2 }")
    assert root.items[0][1] == Node("A", [("y", Word("2"), -1)])


def test_brackets_too_many_at_the_end_are_a_warning() -> None:
    findings = Findings()
    vrml.parse(Source("a.wrl", HEADER + "A { } } ] # end\n}" + "}" * 100_000), findings)
    assert [(f.severity, f.message) for f in findings] == [("warning", "unmatched }")]


def test_a_text_of_mistakes_is_given_up() -> None:
    found = refusal(HEADER + "A { 1 } " * 1000)
    assert "after 50 mistakes" in found.message


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "empty", "the file is empty"),
        (" \n\t", "empty", "the file is empty"),
        ("#VRML V1.0 ascii\nCube { }", "vrml-version", "VRML 1.0"),
        ("\n#VRML V1.0 ascii\nCube { }", "vrml-version", "VRML 1.0"),
        ("#Inventor V2.1 ascii\nCube { }", "vrml-version", "Open Inventor"),
        ("#X3D V3.0 utf8\nPROFILE Immersive", "vrml-version", "X3D"),
        ("<robot/>", "vrml-syntax", "not VRML"),
        ('{"a": 1}', "vrml-syntax", "not VRML"),
        ("links: [{ name: BASE }]", "vrml-syntax", "not VRML"),
        ("%PDF-1.4", "vrml-syntax", "not VRML"),
    ],
)
def test_other_files(text: str, code: str, says: str) -> None:
    found = refusal(text)
    assert found.code == code
    assert says in found.message
    assert found.at is not None


@pytest.mark.parametrize("opening", ["A{b[", "A{b ", "PROTO P[]{", "A{b A{c [ ", "A { b DEF c "])
def test_deep_nesting(opening: str) -> None:
    started = time.process_time()
    found = refusal(HEADER + opening * 100_000)
    assert found.code == "nesting-too-deep" or "DEF c is not" in found.message
    assert time.process_time() - started < 20.0


def test_nesting_up_to_the_limit_is_read() -> None:
    deep = DEFAULT.depth - 1
    root = vrml.parse(Source("a.wrl", HEADER + "A { b " * deep + "1" + "}" * deep), Findings())
    assert vrml.print(root).count("A {") == deep


@pytest.mark.parametrize(
    "text",
    few(
        [
            "A { b [ " + "1 " * 1_000_000 + "] }",
            "A { b " + "1 " * 200_000 + "}",
            "A { b " + "1e5 # c\n" * 60_000 + "}",
            "A { b [ " + "1 # c\n" * 100_000 + "] }",
            "A { b [" + '"s" ' * 60_000 + "] }",
            "A { b " + "9" * 1_000_000 + "x }",
            'A { b "' + "\\" * 1_000_000 + '" }',
            "A { b " + "#" * 1_000_000 + "\n1 }",
            "A { b " + "#\n" * 200_000 + "1 }",
            "A { b " + " " * 1_000_000 + "1 }",
            "A { b " + "x" * 1_000_000 + " }",
            "A { b [" + "1 [" * 100_000,
            "A { b 1.#" * 100_000,
            'A { b "' * 100_000,
            "A " * 100_000,
            "A { " + "b c " * 60_000 + "}",
            "A { " + "nan " * 60_000 + "}",
            "A{}" * 40_000,
            "USE " * 60_000,
            "DEF " * 60_000,
            "PROTO " * 60_000,
            "- " * 100_000,
            "A { b " + "- " * 100_000 + "}",
            "A { b " + "1 e " * 100_000 + "}",
            "A { b " + "+.e" * 100_000 + "}",
        ],
        2,
    ),
    ids=lambda text: re.sub(r"(.{24}).*", r"\1", text, flags=re.DOTALL),
)
def test_nothing_takes_long(text: str) -> None:
    for syntax, header in ((vrml, HEADER), (inventor, "#Inventor V2.1 ascii\n")):
        started = time.process_time()
        parsed(syntax, Source("a", header + text), Findings())
        assert time.process_time() - started < 20.0


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\r\n]*|[^\s,"#\[\]{}]+|[\[\]{}]', re.DOTALL)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("folder", ["wrl", "iv"])
def test_a_text_cut_anywhere_gives_findings(folder: str) -> None:
    syntax = vrml if folder == "wrl" else inventor
    seen: set[str] = set()
    for path in sorted((BAD / folder).glob(f"*.{folder}")):
        try:
            text = decode(path.read_bytes(), path.name, Findings()).text
        except TextError:
            continue
        if len(text) > 20_000:
            continue
        ends = {at for m in TOKEN.finditer(text) for at in (m.start(), sum(m.span()) // 2, m.end())}
        for cut in {text[:end] for end in sorted(ends)[::STEP]} - seen:
            seen.add(cut)
            parsed(syntax, Source(path.name, cut), Findings())


PIECES = st.sampled_from(
    [
        *'{ } [ ] " "a" \\ # 1 1.#IND nan - 0x1F é A b TRUE ~ = . ( | )'.split(),
        *"DEF USE IS PROTO EXTERNPROTO ROUTE TO field eventIn SFFloat fields isA".split(),
        *("# c\n", " ", ",", "\n", "\r", "\x00", "\u3000"),
        *("A {", "b [", "DEF a B {", "PROTO P [", "] {", "#VRML V2.0 utf8\n"),
    ]
)


def parsed(syntax: ModuleType, source: Source, findings: Findings) -> Node | None:
    """The tree of a text; None when it is refused, with a finding that has a place."""
    try:
        root: Node = syntax.parse(source, findings)
    except TextError as refused:
        findings.append(refused.finding)
        root = None  # type: ignore[assignment]
    assert all(f.at is not None for f in findings)
    return root


@given(st.lists(PIECES, max_size=30), st.sampled_from(["", " "]), st.booleans())
def test_any_text_is_read_or_refused(pieces: list[str], between: str, is_vrml: bool) -> None:
    syntax = vrml if is_vrml else inventor
    text = between.join(pieces)
    source = Source("a", ("#VRML V2.0 utf8\n" if is_vrml else "#Inventor V2.1 ascii\n") + text)
    findings = Findings()
    root = parsed(syntax, source, findings)
    if root is None:
        return
    todo: list[Node | Row] = [root]
    while todo:
        held = todo.pop()
        values = held.values if isinstance(held, Row) else [v for _, v, _ in held.items]
        for value in values:
            assert 0 <= value.start <= value.end <= len(source.text)
            if isinstance(value, Node | Row):
                todo.append(value)
            elif isinstance(value, Numbers):
                assert source.text[value.start : value.end].strip("[]") == value.body.strip("[]")
    if not findings:
        printed = Source("b", syntax.print(root, source))
        assert syntax.parse(printed, findings) == root, printed.text
        assert not findings
        first, again = (
            syntax.comments(root, source),
            syntax.comments(syntax.parse(printed, findings), printed),
        )
        assert [c for _, c in first] == [c for _, c in again]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A { } } B { }", "2:7: unexpected '}'; the rest of the file is ignored"),
        ("A { } ] B { }", "2:7: unexpected ']'; the rest of the file is ignored"),
        ("A { } @@ rest of 'a page'", "2:7: unexpected '@'; the rest of the file is ignored"),
        ('A { } "b" B { }', "2:7: unexpected '\"'; the rest of the file is ignored"),
        ("A { } [ 1 2 ]", "2:7: unexpected '['; the rest of the file is ignored"),
        ("A { b Script { 1 2 c } }", "2:16: expected a field name, not 1; Script is not read"),
        ("A { b [ TimeSensor { x [ [ 1 ] ] } ] }", "2:26: nested list; TimeSensor is not read"),
        ("A { b Script { { } } }", "2:16: unexpected { without a node type; Script is not read"),
        ("PROTO P [ ] { A { b } }", "2:21: field b has no value; PROTO P is not used"),
        ("PROTO P [ ] { b 1 } A { }", "2:15: field b is outside of any node; PROTO P is not used"),
        (r'A { b "C:\" c 1 }', '2:10: \\" is read as a backslash and the end of the string'),
        (r'A { b [ "C:\d\" "e" ] }', '2:14: \\" is read as a backslash and the end of the string'),
    ],
)
def test_what_a_loader_skips_is_a_warning(text: str, says: str) -> None:
    findings = Findings()
    root = vrml.parse(Source("a.wrl", HEADER + text), findings)
    said = [f"{f.at.line}:{f.at.column}: {f.message}" for f in findings if f.at]
    assert said[0].startswith(says)
    assert {f.severity for f in findings} == {"warning"}
    assert any(isinstance(v, Node) and v.tag in ("A", "PROTO") for _, v, _ in root.items)
