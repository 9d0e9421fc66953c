from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.document.strategies import TEXTS
from tests.text.yaml_tokens import tokens

from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml
from unibody.text.yaml.printer import print_yaml

TEXT = [
    "a: [1, 2\n  ,3 ]\n",
    "a: [-1, +2, .5, 1e3, -]\n",
    "a: [1, [2, 3], [ ]]\n",
    "a: [1, 2,]\n",
    "a: x [1, 2] y\nb: [1, 2]\n",
    "a: ' [1, 2]'\nb: [3, 4]\n",
    "a: [ x, 'y, z', \"[1, 2]\" ]\n",
    "a: |\n  l1\n\n  l2\nb: |-\n  x\nc: |+\n  y\n\nd: 1\n",
    "a: >-\n  folded\n  text\n# end\nb: 1\n",
    "a: |\n   x\n    y\n",
    "a: 'it''s'\nb: \"q\\\"x\\u0041\"\nc: 'x\n  y'\n",
    "a: ~\nb: null\nc:\nd: ''\ne: =\nf: 10:20\n",
    "a: -x\nb: 'x: y'\nc: x#y\nd: 'x #y'\n",
    "a: {b: c d, 'e f': g, h: }\n",
    "a: &x [1, 2] # one\nb: *x\n",
    "a: &x []\nb: *x\nc: &y {}\nd: *y\n",
    "a: &x\nb: [*x, *x]\n",
    "a: &x\n  b: 1\nc: [*x, {f: *x}]\nd: *x\ne: {g: *x}\n",
    "a: &x { b: &y [z], c: *y }\nd: [*y, *x]\n",
    "<<: &m {x: 1}\ny: 2\n",
    "- a\n-\n  - b # x\n  # y\n- c\n- - - 1\n",
    "{a: 1, b: [x, y], # c1\n c: {d: e}}\n",
    "a: # c0\n  # c1\n  b: 1\n  # c2\n# c3\n",
    "- # c0\n  a: 1\n# c1\n-\n  # c2\n  a: 2\n",
    "links:\n  -\n    name: A\n  # about B\n  -\n    name: B\n    # the end\n",
    '"a #b": 1 # c\n',
    "\ufeffa: 1\n",
    "a:\t1\n",
    "a: 1 \nb: 2\r\nc: 3\r\n",
    "%YAML 1.1\n---\na: 1\n...\n",
    "a: 1 # ä\nb: [1, 2] # ö\n",
]


def parsed(text: str) -> tuple[Value, Source]:
    source, findings = Source("a.yaml", text), Findings()
    value = yaml.parse(source, findings)
    assert not findings
    return value, source


@pytest.mark.parametrize("text", TEXT)
def test_print_keeps_all_but_white_space(text: str) -> None:
    value, source = parsed(text)
    shown = print_yaml(value, source)
    again, source_again = parsed(shown)
    assert again == value
    assert tokens(again, source_again) == tokens(value, source)
    assert print_yaml(again, source_again) == shown


def test_comments_stay_before_what_they_stand_before() -> None:
    value, source = parsed("links:\n- # first\n  name: A\n# about B\n- name: B # inner\n")
    assert print_yaml(value, source) == (
        "links:\n  - # first\n    name: A\n  # about B\n  - name: B # inner\n"
    )


LAYOUT = """# head
%YAML 1.1
--- # doc
format:   x   # f


name:     "R\\x31"
text: |   # the note
   one

     two

notes: >-
    folded
    text
links:
- &ROOT # root
    jointType: fixed      # does not move
    mass: 1.0             # kg
    inertia: [ 1, 0, 0,
              -0, 1, 0 ]
    # end of ROOT

# ARM section
-   name: ARM
    inertia: [
        1.0,  0.0, 0.0,  # x
       -2.0,  0.0, 0.0,  # y
        # z is next
        3.0,  0.0, 0.0
    ]
    elements: [ { type: Shape,
                  box: {size: [1,2,3]} }, # one
                { type: Other } ]
    plain: a long
        plain text
    quoted: 'it''s
       here'
    keep: |+
      x

    last: *ROOT   # alias
      # inner note
  # list note
# root note
joints: []  # none
...
"""
LAID_OUT = """# head
%YAML 1.1
--- # doc
format: x     # f

name: "R\\x31"
text: |   # the note
  one

    two

notes: >-
  folded
  text
links:
  - &ROOT # root
    jointType: fixed      # does not move
    mass: 1.0             # kg
    inertia: [ 1, 0, 0,
              -0, 1, 0 ]
    # end of ROOT

  # ARM section
  - name: ARM
    inertia: [
       1.0,  0.0, 0.0,  # x
      -2.0,  0.0, 0.0,  # y
      # z is next
       3.0,  0.0, 0.0
    ]
    elements: [ { type: Shape,
                  box: {size: [1, 2, 3]} }, # one
                { type: Other } ]
    plain: a long
      plain text
    quoted: 'it''s
      here'
    keep: |+
      x

    last: *ROOT   # alias
    # inner note
  # list note
# root note
joints: []  # none
...
"""


def test_comments_rows_and_spellings_stay() -> None:
    value, source = parsed(LAYOUT)
    assert print_yaml(value, source) == LAID_OUT
    again, source = parsed(LAID_OUT)
    assert again == value
    assert print_yaml(again, source) == LAID_OUT


def test_places_of_list_items_are_where_they_begin() -> None:
    value, source = parsed("a:\n- x: 1\n  # c\n- [1,\n   2]\n- {y: 2}\n- z\n")
    assert isinstance(value, Node)
    row = value.get("a")
    assert isinstance(row, Row)
    assert [source.text[at] for at in row.starts] == ["x", "[", "{", "z"]
    assert [source.text[v.start : v.end] for v in row.values] == ["x: 1", "[1,\n   2]", "{y: 2}", "z"]


@pytest.mark.parametrize("text", ["a: [1,,2]\n", "a: [,1]\n", "a: [1, ,2]\n"])
def test_a_gap_between_commas_is_an_error(text: str) -> None:
    with pytest.raises(TextError) as caught:
        yaml.parse(Source("a", text), Findings())
    assert caught.value.finding.code == "yaml-syntax"


WORDS = st.builds(
    lambda text, quote: Word(text, quote=quote), TEXTS, st.sampled_from(["", "'", '"', "|", ">"])
)
NUMBERS = st.lists(st.integers(-9, 9), min_size=1, max_size=3).map(
    lambda v: Numbers(", ".join(map(str, v)))
)


def _holders(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    rows = st.builds(
        lambda values, flow: Row(values, flow=flow), st.lists(inner, max_size=4), st.booleans()
    )
    items = st.lists(st.tuples(TEXTS.filter(bool), inner, st.just(-1)), max_size=4)
    return rows | st.builds(lambda items, flow: Node("", items, flow=flow), items, st.booleans())


def _inside(value: Value) -> Iterator[Value]:
    yield value
    for inner in value.values if isinstance(value, Row) else []:
        yield from _inside(inner)
    for _, inner, _ in value.items if isinstance(value, Node) else []:
        yield from _inside(inner)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.recursive(WORDS | NUMBERS, _holders, max_leaves=8), max_size=3), st.data())
def test_any_tree_with_any_sharing_reads_back(values: list[Value], data: st.DataObject) -> None:
    parts = [part for value in values for part in _inside(value)]
    shared = data.draw(st.lists(st.sampled_from(parts), max_size=3, unique_by=id)) if parts else []
    for i, part in enumerate(shared):
        part.name = f"n{i}"
    uses: list[Value] = [Row([part], flow=data.draw(st.booleans())) for part in shared]
    tree = Row([*values, *shared, *uses])
    assert parsed(print_yaml(tree))[0] == tree
