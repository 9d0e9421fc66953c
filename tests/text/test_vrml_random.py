"""Random VRML97 and Inventor trees, and every real file: printed and read they are the same."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared import DEV

from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.inventor import parser as inventor
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

# Random trees: what each syntax can hold.
NAMES = st.sampled_from(["a", "bc", "A1", "x_y", "Ω", "コ", "nan_", "e5", "infos"])
DEF_NAMES = st.sampled_from(["", "", "n", "n-1", "n.2", "n+3", "腕"])
NUMBERS = st.sampled_from(["0", "1.", "-.5", "+1e5", "1E-3", "0x1F", "nan", "-inf", "1.#IND"])
STRINGS = st.text(st.characters(codec="utf-8", exclude_characters='\x00"\r'), max_size=6)
QUOTED = st.one_of(STRINGS, st.sampled_from(['"', "\\", '\\"', '"\\', "# x", "C:\\a\\", "{", "a\nb"]))
INVENTOR_TEXT = QUOTED.filter(lambda text: '"\n' not in text)
GAPS = st.sampled_from([" ", "\n", ", ", "\t ,", " # n\n", "\r\n", ' # a ] } "\n# b\n '])


def words(text: st.SearchStrategy[str]) -> st.SearchStrategy[Word]:
    bare = st.one_of(NUMBERS, st.sampled_from(["TRUE", "FALSE", "NULL", "ON"]))
    return st.one_of(bare.map(Word), text.map(lambda t: Word(t, quote='"')))


RUNS = st.builds(
    lambda w, gap, form: Numbers(gap.join(w), form=form),
    st.lists(NUMBERS, min_size=2),
    GAPS,
    st.sampled_from(["", "["]),
)
REFERENCES = st.builds(lambda name: Node("USE", name=name), DEF_NAMES.filter(bool))
HEADS = st.sampled_from(["eventIn", "eventOut"])


def items(values: st.SearchStrategy[Value]) -> st.SearchStrategy[list[Item]]:
    return st.lists(st.builds(lambda k, v: (k, v, -1), NAMES, values), max_size=4)


def nodes(values: st.SearchStrategy[Value], children: bool) -> st.SearchStrategy[Node]:
    def made(tag: str, name: str, fields: list[Item], inner: list[Value]) -> Node:
        held = [("", v, -1) for v in inner if isinstance(v, Node)] if children else []
        return Node(tag, [*fields, *held], name=name)

    return st.builds(made, NAMES, DEF_NAMES, items(values), st.lists(values, max_size=2))


def trees(text: st.SearchStrategy[str], children: bool) -> st.SearchStrategy[Value]:
    leaves: st.SearchStrategy[Value] = st.one_of(words(text), RUNS, REFERENCES)

    def grown(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
        made = nodes(inner, children)
        held = st.one_of(made, REFERENCES)
        rows = st.one_of(
            st.lists(text.map(lambda t: Word(t, quote='"')), max_size=3), st.lists(held, max_size=3)
        )
        return st.one_of(made, made, rows.map(lambda v: Row(list(v))))

    return st.recursive(leaves, grown, max_leaves=12)


def declarations(values: st.SearchStrategy[Value]) -> st.SearchStrategy[list[Item]]:
    def head(tag: str, name: str, value: Value | None) -> Item:
        given: list[Item] = [("value", value, -1)] if value is not None else []
        return ("interface", Node(tag, [("type", Word("SFNode"), -1), *given], name=name), -1)

    fields = st.builds(head, st.sampled_from(["field", "exposedField"]), NAMES, values)
    events = st.builds(head, HEADS, NAMES, st.sampled_from([None, Node("IS", name="y")]))
    return st.lists(st.one_of(fields, events), max_size=3)


@st.composite
def vrml_files(draw: st.DrawFn) -> Node:
    values = trees(QUOTED, children=False)
    statements: list[Node] = draw(st.lists(nodes(values, children=False), max_size=3))
    heads = draw(declarations(values))
    body: list[Item] = [("", node, -1) for node in statements]
    route = Node("ROUTE", [("from", Word("a.x"), -1), ("to", Word("b.y"), -1)])
    urls = Row([Word("u", quote='"'), Word("v", quote='"')])
    given: list[Value] = [Word("u", quote='"'), urls, Row([])]
    url = draw(st.sampled_from(given))
    outside: list[Item] = [("interface", Node("field", [("type", Word("SFBool"), -1)], name="z"), -1)]
    extra = [
        Node("PROTO", deepcopy([*heads, *body, ("", route, -1)]), name="P"),
        Node("EXTERNPROTO", [*outside, ("url", url, -1)], name="Q"),
        Node("Script", [("url", Word("javascript: {", quote='"'), -1), *heads]),
        route,
    ]
    chosen = draw(st.permutations(extra))[: draw(st.integers(0, 4))]
    return Node("", [*body, *(("", node, -1) for node in chosen)])


@st.composite
def inventor_files(draw: st.DrawFn) -> Node:
    values = trees(INVENTOR_TEXT, children=True)
    statements: list[Node] = draw(st.lists(nodes(values, children=True), max_size=3))
    value, other = draw(values), draw(values)
    mask = Row([Word("SIDES"), Word("TOP")])
    engine = draw(st.one_of(REFERENCES, nodes(values, children=True)))
    fed: list[Item] = [("from", engine, -1), ("field", Word("out"), -1)]
    declared = [
        ("interface", Node(tag, [("type", Word("SFFloat"), -1)], name="x"), -1)
        for tag in ("field", "field", "output")
    ]
    special = [
        Node("A", [("parts", mask, -1), ("x", value, -1)]),
        Node("A", [*declared, ("isA", Row([Word("Group", quote='"')]), -1)]),
        Node("A", [("x", Node("~", [("", other, -1)]), -1), ("y", Node("~"), -1)]),
        Node(
            "A", [("x", Node("=", deepcopy([("value", value, -1), *fed])), -1), ("y", Node("=", fed), -1)]
        ),
    ]
    chosen = draw(st.permutations(special))[: draw(st.integers(0, 4))]
    return Node("", [("", node, -1) for node in [*statements, *chosen]])


def shape(value: Value) -> list[Any]:
    """What `==` does not look at: names, quotes, brackets."""
    out: list[Any] = []
    todo: list[Value] = [value]
    while todo:
        v = todo.pop()
        if isinstance(v, Node):
            out.append((v.tag, v.name))
            todo.extend(inner for _, inner, _ in reversed(v.items))
        elif isinstance(v, Row):
            out.append("row")
            todo.extend(reversed(v.values))
        else:
            out.append(v.quote if isinstance(v, Word) else v.form)
    return out


def assert_same(syntax: ModuleType, tree: Node) -> Source:
    """Printed and read, a tree is the same, and its text prints as itself; gives that text."""
    findings = Findings()
    source = Source("a", syntax.print(tree))
    again = syntax.parse(source, findings)
    assert findings == [], source.text
    assert again == tree, source.text
    assert shape(again) == shape(tree), source.text
    assert syntax.print(again, source) == source.text
    return source


@given(vrml_files())
def test_any_vrml_tree_reads_back(tree: Node) -> None:
    assert_same(vrml, tree)


@given(inventor_files())
def test_any_inventor_tree_reads_back(tree: Node) -> None:
    assert_same(inventor, tree)


@given(vrml_files(), st.lists(GAPS, min_size=1, max_size=7))
def test_comments_and_white_space_anywhere(tree: Node, gaps: list[str]) -> None:
    """The text with other gaps is the same tree, and all its comments are printed."""
    source = assert_same(vrml, tree)
    pieces = vrml_tokens(source.text)
    text = "#VRML V2.0 utf8\n" + "".join(piece + gaps[i % len(gaps)] for i, piece in enumerate(pieces))
    findings = Findings()
    noisy = Source("b", text)
    again = vrml.parse(noisy, findings)
    assert findings == [], text
    assert again == tree, text
    printed = Source("c", vrml.print(again, noisy))
    last = vrml.parse(printed, findings)
    assert last == tree, printed.text
    assert all_comments(printed.text) == all_comments(text)
    assert vrml.print(last, printed) == printed.text


def tokens(text: str) -> list[str]:
    """The words of a VRML text, by another way than the parser's: one character at a time."""
    out, word, at = [], "", 0
    while at < len(text):
        c = text[at]
        end = at + 1
        if c == '"':
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            end += 1
        elif c == "#" and text[at + 1 : at + 4] != "IND":
            while end < len(text) and text[end] not in "\r\n":
                end += 1
        if (end > at + 1 or c in "{}[], \t\r\n") and word:
            out.append(word)
            word = ""
        if end > at + 1 or c in "{}[]":
            out.append(text[at:end])
        elif c not in ", \t\r\n":
            word += c
        at = end
    return [*out, word] if word else out


def vrml_tokens(text: str) -> list[str]:
    return [t for t in tokens(text) if t[0] != "#"]


def all_comments(text: str) -> list[str]:
    return [t.rstrip() for t in tokens(text) if t[0] == "#"]


def corpus() -> list[Path]:
    return sorted([*DEV.rglob("*.wrl"), *DEV.rglob("*.iv")])


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_every_file_of_the_corpus_reads_back() -> None:
    count = 0
    for path in corpus():
        try:
            source = decode(path.read_bytes(), path.name, Findings())
        except TextError:
            continue  # binary Inventor
        is_vrml = path.suffix == ".wrl" and not source.text.startswith("#VRML V1")
        is_vrml = is_vrml or source.text.startswith("#VRML V2")
        syntax: ModuleType = vrml if is_vrml else inventor
        findings = Findings()
        root = syntax.parse(source, findings)
        assert findings.errors == [], path
        printed = Source("printed", syntax.print(root, source))
        again = syntax.parse(printed, Findings())
        assert again == root, path
        assert shape(again) == shape(root), path
        assert syntax.print(again, printed) == printed.text, path
        assert syntax.parse(Source("code", syntax.print(root)), Findings()) == root, path
        if len(source.text) < 30_000 and is_vrml:
            assert all_comments(printed.text) == all_comments(source.text), path
        count += 1
    assert count > 200
