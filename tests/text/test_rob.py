"""The syntax of .rob files: the tree, its places, and that printing keeps all but white space."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared import CORPUS

from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Row, Word, equal
from unibody.text.rob.parser import Block, Field, parse
from unibody.text.rob.printer import comments, print_rob
from unibody.text.source import Source

ONE, NONE = Field((("", 1),)), Field((("", 0),))
GRAMMAR = Block(
    {
        "joint": Block(
            {
                "parent": ONE,
                "ConstTransl": Field((("xyz", 3),)),
                "Rot1": Field((("axis", 3), ("min", 1), ("max", 1))),
                "model0": ONE,
                "tracePoint": NONE,
            },
            head="name",
        ),
        "selfcoll": Block({"pair": Field((("first", 1), ("second", 1)))}, bare="pair"),
        "param": Block(
            {"parameter": Block({"cyclic": NONE, "weight": ONE}, head="index", lenient=True)},
            bare="parameter",
        ),
    }
)
HEAD = "#MPK v1.0 robot\n"
SHARED = CORPUS


def tree(text: str, findings: Findings | None = None) -> tuple[Node, Source]:
    source = Source("a.rob", text)
    return parse(source, GRAMMAR, Findings() if findings is None else findings), source


def content(text: str) -> Node:
    """The first block of a text without findings."""
    findings = Findings()
    node, _ = tree(HEAD + text, findings)
    assert not findings
    value = node.items[1][1]
    assert isinstance(value, Node)
    return value


def test_the_version_and_the_blocks_are_items() -> None:
    node, _ = tree("#MPK v1.0 robot joint A { } joint B { parent A }")
    assert node.tag == "robot"
    assert [key for key, _, _ in node.items] == ["version", "joint", "joint"]
    assert node.word("version") == "1.0"


def test_a_block_has_its_name_and_its_fields_in_order() -> None:
    node = content("joint A { parent B tracePoint Rot1 0 0 1 -2 2 }")
    assert node == Node(
        "joint",
        [
            ("name", Word("A"), -1),
            ("parent", Word("B"), -1),
            ("tracePoint", Row([]), -1),
            (
                "Rot1",
                Node(
                    "Rot1",
                    [
                        ("axis", Row([Word("0"), Word("0"), Word("1")]), -1),
                        ("min", Word("-2"), -1),
                        ("max", Word("2"), -1),
                    ],
                ),
                -1,
            ),
        ],
    )
    assert node.name == "A"


def test_entries_without_keyword_have_a_key_of_their_own() -> None:
    pairs = content("selfcoll { A B C\nD }").items
    assert [key for key, _, _ in pairs] == ["pair", "pair"]
    entries = content("param { 3 { cyclic weight 2 } 4 { } }").items
    assert [(key, value.word("index")) for key, value, _ in entries if isinstance(value, Node)] == [
        ("parameter", "3"),
        ("parameter", "4"),
    ]


def test_everything_knows_its_place() -> None:
    text = HEAD + 'joint Arm {\n  Rot1 0 1 0 -2 2\n  model0 "a b.iv"\n}\n'
    node, source = tree(text)
    block = node.items[1][1]
    assert isinstance(block, Node)
    assert source.text[block.start : block.end].startswith("joint Arm {")
    assert source.text[block.start : block.end].endswith("}")
    turn = block.get("Rot1")
    assert isinstance(turn, Node)
    assert turn.span is not None
    assert turn.span.text == "Rot1 0 1 0 -2 2"
    place = turn.place(turn.get("max") or Word(""))
    assert place is not None
    assert (place.line, place.column, place.text) == (3, 17, "2")
    name = block.get("model0")
    assert isinstance(name, Word)
    assert (name.text, name.quote, source.text[name.start : name.end]) == ("a b.iv", '"', '"a b.iv"')


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("joint A{}", "joint A {\n}\n"),
        ("joint A{parent B ConstTransl 1\n2 3}", "joint A {\n  parent B\n  ConstTransl 1 2 3\n}\n"),
        ("selfcoll{A B C D}", "selfcoll {\n  A B\n  C D\n}\n"),
        ("param{0{cyclic weight 2}1{}}", "param {\n  0 { cyclic weight 2 }\n  1 { }\n}\n"),
        ('joint A{model0"a#b {.iv"}', 'joint A {\n  model0 "a#b {.iv"\n}\n'),
        ("joint A{foo { bar } 3}", "joint A {\n  foo { bar } 3\n}\n"),
        ("joint A{ # the arm\n}# end", "joint A { # the arm\n} # end\n"),
        ("joint A{parent # of A\nB # it is\n}", "joint A {\n  parent # of A\n  B # it is\n}\n"),
        ("joint A\n# before\n{}", "joint A\n# before\n{\n}\n"),
        (
            "#one\n\njoint A{\n#two\nparent B\n#three\n}\n#four",
            "#one\njoint A {\n  #two\n  parent B\n  #three\n}\n#four\n",
        ),
    ],
)
def test_printed(text: str, printed: str) -> None:
    node, source = tree(HEAD + text)
    found = print_rob(node, GRAMMAR, source)
    assert re.sub(r"\n\n", "\n", found.removeprefix(HEAD)).lstrip("\n") == printed
    check_round(HEAD + text)


def test_a_tree_made_in_code_gets_a_header() -> None:
    made = Node("robot", [("joint", Node("joint", [("name", Word("A"), -1)]), -1)])
    assert print_rob(made, GRAMMAR) == "#MPK v1.0 robot\n\njoint A {\n}\n"


def test_names_that_cannot_stand_alone_are_quoted() -> None:
    made = Node(
        "robot",
        [
            (
                "joint",
                Node("joint", [("name", Word("a b"), -1), ("model0", Word("x.iv", quote='"'), -1)]),
                -1,
            )
        ],
    )
    text = print_rob(made, GRAMMAR)
    assert 'joint "a b" {\n  model0 "x.iv"\n' in text
    assert equal(tree(text)[0].items[1][1], made.items[0][1])


def check_round(text: str) -> None:
    """Printing and reading again gives the same tree, words and comments, and prints the same.

    Where braces or quotes do not match, what was understood is printed.
    """
    findings = Findings()
    node, source = tree(text, findings)
    printed = print_rob(node, GRAMMAR, source)
    if any(f.code == "rob-syntax" for f in findings):
        return
    again, other = tree(printed)
    assert again == node
    assert [c for _, c in comments(other)] == [c for _, c in comments(source)]
    assert print_rob(again, GRAMMAR, other) == printed
    words = re.compile(r'#[^\r\n]*|"[^"\r\n]*"?|[{}]|[^\s{}#"]+')
    assert [w.rstrip() for w in words.findall(printed)] == [w.rstrip() for w in words.findall(text)]


PIECES = [
    "joint",
    "A",
    "{",
    "}",
    "parent",
    "ConstTransl",
    "Rot1",
    "1",
    "-2.5",
    "selfcoll",
    "param",
    "cyclic",
]
PIECES += ["weight", '"a b.iv"', "model0", "tracePoint", "# note\n", "\n", "foo", "0"]
PIECES += ["joint B {", "joint C { parent B }", "param { 0 { cyclic } }", "selfcoll { A B }"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_any_order_of_words_is_read_and_printed_back(text: str) -> None:
    check_round(HEAD + text)


def test_any_characters_are_read_or_refused() -> None:
    generator = random.Random(5)
    for _ in range(300):
        text = "".join(generator.choice('{}#"\n\r\t abjoint0.1-\\\ufeff日') for _ in range(60))
        findings = Findings()
        node, source = tree(HEAD + text, findings)
        print_rob(node, GRAMMAR, source)
        with pytest.raises(TextError):
            tree(text)


@pytest.mark.slow
def test_long_texts_take_time_in_proportion() -> None:
    for text in ("joint A { " + "foo " * 200_000, "\n" * 500_000, "{" * 200_000, '"' * 300_000):
        tree(HEAD + text)


@pytest.mark.usefixtures("shared")
def test_real_files_keep_all_but_white_space() -> None:
    files = [
        p for p in SHARED.rglob("*.rob") if p.name not in ("klampt_not_mpk.rob", "unterminated_string.rob")
    ]
    assert len(files) > 20
    for path in files:
        from unibody.formats.mpk.document import ARITY
        from unibody.text.decode import decode

        source = decode(path.read_bytes(), path.name, Findings())
        node = parse(source, ARITY, Findings())
        other = Source("again", print_rob(node, ARITY, source))
        again = parse(other, ARITY, Findings())
        assert again == node
        assert [c for _, c in comments(other)] == [c for _, c in comments(source)]
