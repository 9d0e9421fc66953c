from __future__ import annotations

import contextlib
import math
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.document.strategies import FLOATS, Syntax, value
from tests.document.toy import Bag, Ball, Chest, Lid, Other

from unibody.document.declare import (
    FLAG,
    INTEGER,
    NUMBER,
    Document,
    ValueType,
    Wrong,
    choice,
    describe,
    element,
    flat,
    key,
    kind_names,
    plan,
    vector,
    words_vector,
)
from unibody.document.unread import watched
from unibody.formats.body.document import Body
from unibody.formats.urdf.document import Robot
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml


def row(*words: str) -> Row:
    return Row([Word(w) for w in words])


def wrong(type: ValueType, value: Value) -> Wrong:
    with pytest.raises(Wrong) as caught:
        type.parse(value)
    return caught.value


def value_types(*roots: type[Document]) -> list[ValueType]:
    from fuzz.declarations import classes

    specs = [spec for root in roots for cls in classes(root) for spec in plan(cls).fields.values()]
    return list({spec.type.name: spec.type for spec in specs if spec.type is not None}.values())


# --- numbers (facts page A.1: what strtod and strtol take) ------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.", 1.0),
        (".5", 0.5),
        ("+.5", 0.5),
        ("1e3", 1000.0),
        ("-2E-3", -0.002),
        ("010", 10.0),
        (" 4 ", 4.0),
    ],
)
def test_number(text: str, expected: float) -> None:
    assert NUMBER.parse(Word(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("0x1p3", 8.0), ("-0X1F", -31.0), ("0x10kg", 16.0), ("+0x.8", 0.5)]
)
def test_hexadecimal_number(text: str, expected: float) -> None:
    found = wrong(NUMBER, Word(text))
    assert (found.value, found.code) == (expected, "number-suffix")


@pytest.mark.parametrize("text", ["", "abc", "kg1", "１", "٣", "0x", "0x1p99999", "--1", "true", "²"])
def test_number_refused(text: str) -> None:
    found = wrong(NUMBER, Word(text))
    assert found.value is None
    assert "must be a number" in found.message


@pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-Infinity", "1e400", "-1e999"])
def test_number_must_be_finite(text: str) -> None:
    assert wrong(NUMBER, Word(text)).code == "number-not-finite"


@pytest.mark.parametrize(("text", "read"), [("1.5kg", 1.5), ("3,5", 3.0), ("2 3", 2.0), ("1_000", 1.0)])
def test_number_prefix_is_read_with_a_warning(text: str, read: float) -> None:
    found = wrong(NUMBER, Word(text))
    assert (found.value, found.code) == (read, "number-suffix")


@pytest.mark.parametrize(("text", "expected"), [("7", 7), ("-1", -1), ("010", 10), ("+3", 3)])
def test_integer(text: str, expected: int) -> None:
    assert INTEGER.parse(Word(text)) == expected


@pytest.mark.parametrize(("text", "read"), [("3.7", 3), ("5deg", 5), ("1e300", 1), ("0x10", 0)])
def test_integer_is_cut_with_a_warning(text: str, read: int) -> None:
    found = wrong(INTEGER, Word(text))
    assert (found.value, found.code) == (read, "number-suffix")


@pytest.mark.parametrize("text", ["x", "", ".5", "nan", "٣", "9007199254740994", "9" * 30, "9" * 5000])
def test_integer_refused(text: str) -> None:
    assert wrong(INTEGER, Word(text)).value is None


def test_flags_are_those_of_yaml() -> None:
    assert all(FLAG.parse(Word(w)) for w in ["y", "Yes", "TRUE", "on"])
    assert not any(FLAG.parse(Word(w)) for w in ["n", "No", "FALSE", "off"])
    for text in ["1", "0", "yES", "", "t"]:
        assert "must be true or false" in wrong(FLAG, Word(text)).message


# --- lists of numbers -------------------------------------------------------------------


@pytest.mark.parametrize("written", [Numbers("1, 2.5, -3"), row("1", "2.5", "-3")])
def test_vector(written: Value) -> None:
    assert vector(3).parse(written) == (1.0, 2.5, -3.0)


@pytest.mark.parametrize("written", [Numbers("1, 2"), row("1", "2", "3", "4"), Row([])])
def test_vector_of_another_length(written: Value) -> None:
    assert wrong(vector(3), written).code == "number-count"


def test_vector_may_have_several_lengths() -> None:
    assert len(vector(9, 6).parse(Numbers("1, 2, 3, 4, 5, 6"))) == 6
    assert "9 or 6 numbers, not 8" in wrong(vector(9, 6), Numbers("1, 2, 3, 4, 5, 6, 7, 8")).message


@pytest.mark.parametrize("written", [Word("1 2 3"), Node("", []), Word("")])
def test_vector_is_a_list(written: Value) -> None:
    assert "must be a list of numbers" in wrong(vector(3), written).message


@pytest.mark.parametrize("written", [row("1m", "2", "3"), Numbers("1 9, 2, 3")])
def test_a_half_read_number_in_a_list_keeps_the_list(written: Value) -> None:
    found = wrong(vector(3), written)
    assert (found.value, found.code) == ((1.0, 2.0, 3.0), "number-suffix")
    with pytest.raises(Wrong, match="must be a number"):
        flat(written)


@pytest.mark.parametrize("inner", [Row([]), Node("", [])])
def test_vector_of_lists(inner: Value) -> None:
    found = wrong(vector(3), Row([Word("1"), inner, Word("3")]))
    assert found.value is None


def test_words_vector() -> None:
    assert words_vector(3).parse(Word(" 1\t2\n3 ")) == (1.0, 2.0, 3.0)
    assert wrong(words_vector(3), Word("1 2")).code == "number-count"
    assert wrong(words_vector(3), Word("0,0,1")).value is None
    assert wrong(words_vector(3), Word("1 2 nan")).code == "number-not-finite"
    assert wrong(words_vector(3), Word("")).value is None


@given(st.lists(FLOATS, min_size=1, max_size=5), st.lists(st.sampled_from(["", " ", "\n  "]), min_size=5))
def test_every_number_of_a_lifted_list_knows_its_place(values: list[float], gaps: list[str]) -> None:
    body = ",".join(f"{gap}{v!r}{gap}" for v, gap in zip(values, gaps, strict=False))
    source = Source("a", f"key: [{body}]\n")
    node = yaml.parse(source, Findings())
    assert isinstance(node, Node)
    numbers = node.get("key")
    assert isinstance(numbers, Numbers)
    assert [source.text[w.start : w.end] for w in numbers.places()] == numbers.words()
    assert flat(numbers) == values


@pytest.mark.parametrize(
    ("form", "text"), [("[", "[1 2x # 7\n 3]"), ("", "1 2x # 7\n 3"), (",", "[1, 2x, 3]")]
)
def test_a_wrong_number_of_a_list_has_its_place(form: Literal[",", "[", ""], text: str) -> None:
    odd: list[Wrong] = []
    assert flat(Numbers(text.strip("[]"), 0, len(text), form=form), odd) == [1.0, 2.0, 3.0]
    (half,) = odd
    assert isinstance(half.at, Word)
    assert text[half.at.start : half.at.end] == "2x"


# --- choices, messages ------------------------------------------------------------------


def test_choice_reads_old_words() -> None:
    assert choice("oak", "pine", fir="pine").parse(Word("fir")) == "pine"


@pytest.mark.parametrize(("text", "near"), [("oka", "oak"), ("PINE", "pine"), ("xyz", "")])
def test_choice_names_a_near_word(text: str, near: str) -> None:
    found = wrong(choice("oak", "pine"), Word(text))
    assert found.code == "not-a-choice"
    assert found.hint == (f"did you mean '{near}'?" if near else "")


def test_values_are_described_briefly() -> None:
    assert describe(Word("")) == "nothing"
    assert len(describe(Word("x" * 1000))) < 50
    assert describe(Node("", [])) == "a mapping"
    assert describe(Row([])) == describe(Numbers("1")) == "a list"


# --- every value type -------------------------------------------------------------------


@pytest.mark.parametrize("kind", value_types(Body, Robot, Chest), ids=lambda kind: kind.name)
def test_what_a_type_prints_it_parses(kind: ValueType) -> None:
    @given(value(kind, Syntax()))
    def check(written: Any) -> None:
        assert kind.parse(kind.print(written)) == written

    check()
    for sample in kind.samples:
        assert kind.parse(kind.print(sample)) == sample


@pytest.mark.parametrize("kind", value_types(Body, Robot, Chest), ids=lambda kind: kind.name)
@pytest.mark.parametrize(
    "odd",
    [
        Word(""),
        Word("\x00"),
        Row([]),
        Row([Row([])]),
        Node("", []),
        Numbers(""),
        Row([Node("", []), Word("")]),
    ],
    ids=repr,
)
def test_a_type_parses_anything_or_says_it_is_wrong(kind: ValueType, odd: Value) -> None:
    with contextlib.suppress(Wrong):
        kind.parse(odd)


# --- plans and documents ----------------------------------------------------------------


def test_plan_knows_every_spelling() -> None:
    keys = plan(Chest).keys
    assert [keys[k].rank for k in ("size", "dimensions", "extent")] == [0, 1, 2]
    assert keys["cover"].name == "lid"
    assert plan(Chest).required == {"size", "count"}
    assert plan(Chest).defaults["wood"] == "oak"


def test_a_union_may_hold_itself() -> None:
    spec = plan(Bag).fields["things"]
    assert dict(spec.members) == {"Ball": Ball, "Sphere": Ball, "Bag": Bag}
    assert spec.other is Other
    assert kind_names(Ball) == ("Ball", "Sphere")
    assert kind_names(Lid) == ()


def test_every_spelling_belongs_to_one_field() -> None:
    from fuzz.declarations import classes

    for root in (Body, Robot):
        for cls in classes(root):
            specs = plan(cls).fields.values()
            written = [w for s in specs if s.by != "key" for w in (s.key, *s.old)]
            written += [w for s in specs if s.by == "key" for w in s.members]
            assert len(written) == len(set(written)), cls.__name__


def test_documents_are_equal_by_what_they_say() -> None:
    assert Lid() == Lid(color="white")
    assert Lid() != Lid(color="red")
    assert Lid() != Other()
    assert Chest(hinges=[Lid()]) != Chest()
    assert Chest(ball=Ball()) == Chest(ball=watched(Ball)())
    left: Document = Lid()
    right: Document = Lid()
    left.rest = [("a", Numbers("1, 2"), 5)]
    assert left != right
    right.rest = [("a", row("1", "2"), 7)]
    assert left == right


def test_not_a_number_equals_itself() -> None:
    assert Ball(radius=math.nan) == Ball(radius=math.nan)


def test_deep_values_compare_without_recursion() -> None:
    deep: Value = Word("x")
    other: Value = Word("x")
    for _ in range(3000):
        deep, other = Row([deep]), Row([other])
    assert Chest(note=deep) == Chest(note=other)


def test_a_field_without_default_is_none() -> None:
    @element
    class Cup(Document):
        """A cup."""

        volume: float | None = key(NUMBER)

    assert Cup().volume is None
    assert Cup().given == set()


def test_a_field_cannot_have_the_name_of_what_every_document_has() -> None:
    @element
    class Cup(Document):
        """A cup."""

        rest: float | None = key(NUMBER)  # type: ignore[assignment]

    with pytest.raises(TypeError, match=r"Cup\.rest"):
        plan(Cup)
