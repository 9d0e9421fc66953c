"""MPK documents: what is written reads back, through nodes and through text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.document.strategies import FLOATS, Syntax, documents

from unibody.document.bind import Binding, bind, unbind
from unibody.document.declare import Document
from unibody.formats.mpk.document import ARITY, Robot
from unibody.text.decode import decode
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Row, Word
from unibody.text.rob.parser import parse
from unibody.text.rob.printer import print_rob
from unibody.text.source import Source

SETTINGS = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
WORD = st.from_regex(r'[^\s{}#"\x00-\x1f\x7f-\x9f\ufeff]{1,8}', fullmatch=True)
UNKNOWN: st.SearchStrategy[list[Item]] = st.lists(
    st.lists(WORD.map(lambda w: Word(f"zz{w}")), min_size=1, max_size=3).map(
        lambda w: ("", Row(list(w)), -1)
    ),
    max_size=1,
)
VALUES = {
    "text": st.sampled_from(["1.0", "1.1", "9"]),
    "name": WORD,
    "param index": st.integers(0, 9999),
    "quoted file name": st.from_regex(r'[^"\r\n\x00-\x1f\x7f-\x9f]{0,9}', fullmatch=True),
    "TRUE or FALSE": st.booleans(),
    "nothing": st.just(True),
    "number in [0, 1]": st.floats(0.0, 1.0),
    "number ≥ 0": FLOATS.map(abs),
    "3 numbers": st.tuples(FLOATS, FLOATS, FLOATS),
}


def bound(node: Node, findings: Findings) -> Document:
    return bind(Robot, node, Binding(findings))


@SETTINGS
@given(documents(Robot, Syntax(UNKNOWN, VALUES)))
def test_through_nodes(doc: Document) -> None:
    findings = Findings()
    assert bound(unbind(doc, "robot"), findings) == doc
    assert not findings


@SETTINGS
@given(documents(Robot, Syntax(st.builds(list), VALUES)))
def test_through_text(doc: Document) -> None:
    findings = Findings()
    text = print_rob(unbind(doc, "robot"), ARITY)
    again = bound(parse(Source("a.rob", text), ARITY, findings), findings)
    assert again == doc, text
    assert not findings


def test_real_files(shared: Path) -> None:
    files = sorted((shared / "corpus").rglob("*.rob"))
    done = 0
    for path in files:
        if path.name == "klampt_not_mpk.rob":
            continue
        source = decode(path.read_bytes(), path.name, Findings())
        doc = bound(parse(source, ARITY, Findings()), Findings())
        node = unbind(doc, "robot")
        assert bound(node, Findings()) == doc
        if path.parts[-3] == "bad" and "ok_" not in path.name:
            continue
        text = print_rob(node, ARITY)
        assert bound(parse(Source("again", text), ARITY, Findings()), Findings()) == doc
        done += 1
    assert done >= 4


WRONG = {
    "joint A { parent }": "parent: must be followed by a name",
    "joint A { param }": "param: must be followed by the index of a parameter",
    "joint A { param x }": "param: must be a whole number, not 'x'",
    "joint A { model0 }": "model0: must be followed by a file name in double quotes",
    "joint A { ConstTransl }": "ConstTransl needs key 'translation'",
    "joint A { Rot1 0 0 }": "Rot1: axis: must have 3 numbers, not 2",
    "param { 0 { weight } }": "weight: must be followed by a number",
    "param { 0 { default x } }": "default: must be a number, not 'x'",
    "param { x { cyclic } }": "index: must be a whole number, not 'x'",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_value_is_said_in_its_place(text: str) -> None:
    findings = Findings()
    bound(parse(Source("a.rob", f"#MPK v1.0 robot\n{text}"), ARITY, findings), findings)
    assert WRONG[text] in findings[0].message, findings
    assert findings[0].severity == "error"
    assert findings[0].at is not None
    assert findings[0].at.line == 2
    assert re.match(r"a.rob:2:\d+: error: ", str(findings[0]))
