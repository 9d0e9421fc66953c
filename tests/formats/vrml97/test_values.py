"""The field types: what is read, what is said, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.formats.vrml97.reading import HEADER

from unibody.document.declare import ValueType, Wrong
from unibody.formats.vrml97 import values as v
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

TYPES = [
    *(v.SF_FLOAT, v.SF_TIME, v.SF_INT32, v.SF_BOOL, v.SF_STRING, v.SF_VEC2F, v.SF_VEC3F, v.SF_ROTATION),
    *(v.SF_COLOR, v.MF_STRING, v.FEW_FLOATS, v.MF_FLOAT, v.MF_INT32, v.MF_VEC2F, v.MF_VEC3F, v.MF_COLOR),
    *(v.MF_ROTATION, v.SF_IMAGE),
]


def value(text: str) -> Value:
    """A value as the parser gives it."""
    findings = Findings()
    root = vrml.parse(Source("a.wrl", f"{HEADER}Node {{ field_ {text} }}"), findings)
    assert findings == []
    node = root.items[0][1]
    assert isinstance(node, Node)
    found = node.get("field_")
    assert found is not None
    return found


def refused(kind: ValueType, text: str) -> Wrong:
    with pytest.raises(Wrong) as caught:
        kind.parse(value(text))
    return caught.value


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_samples_come_back(kind: ValueType) -> None:
    for sample in kind.samples:
        assert kind.parse(kind.print(sample)) == sample


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (v.SF_FLOAT, "1.5", 1.5),
        (v.SF_FLOAT, "-.5e-3", -0.0005),
        (v.SF_FLOAT, "+1.", 1.0),
        (v.SF_FLOAT, "0x10", 16.0),
        (v.SF_INT32, "-7", -7),
        (v.SF_INT32, "0x1F", 31),
        (v.SF_INT32, "0", 0),
        (v.SF_BOOL, "TRUE", True),
        (v.SF_STRING, '"a \\"b\\" c"', 'a "b" c'),
        (v.SF_STRING, '""', ""),
        (v.SF_VEC3F, "1 2,3", (1.0, 2.0, 3.0)),
        (v.SF_VEC3F, "1 # one\n 2 3", (1.0, 2.0, 3.0)),
        (v.SF_ROTATION, "0 0 2 1.5", (0.0, 0.0, 2.0, 1.5)),
        (v.SF_COLOR, "0 .5 1", (0.0, 0.5, 1.0)),
        (v.MF_STRING, '[ "a", "b" ]', ("a", "b")),
        (v.MF_STRING, '"a"', ("a",)),
        (v.MF_STRING, "[ ]", ()),
        (v.FEW_FLOATS, "[ 1 2 ]", (1.0, 2.0)),
        (v.FEW_FLOATS, "[ ]", ()),
        (v.FEW_FLOATS, "1.57", (1.57,)),
        (v.FEW_FLOATS, "1 2 3", (1.0, 2.0, 3.0)),
    ],
)
def test_read(kind: ValueType, text: str, expected: Any) -> None:
    assert kind.parse(value(text)) == expected


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (v.SF_FLOAT, "1 2", "must be one number, not 2"),
        (v.SF_FLOAT, '"1"', "must not be quoted"),
        (v.SF_FLOAT, "nan", "must be a finite number"),
        (v.SF_FLOAT, "TRUE", "must be a number"),
        (v.SF_FLOAT, "Box { }", "must be a single value"),
        (v.SF_INT32, "1 2", "must be one number"),
        (v.SF_BOOL, "maybe", "must be TRUE or FALSE"),
        (v.SF_BOOL, '"TRUE"', "must be TRUE or FALSE"),
        (v.SF_STRING, '[ "a" ]', "must be a string"),
        (v.SF_VEC3F, "1 2", "must have 3 numbers, not 2"),
        (v.SF_VEC3F, "1", "must have 3 numbers, not 1"),
        (v.SF_VEC3F, "1 2 nan", "must be a finite number"),
        (v.SF_ROTATION, "0 0 1", "must have 4 numbers, not 3"),
        (v.SF_ROTATION, "0 0 0 1", "zero rotation axis"),
        (v.SF_COLOR, "1 1", "must have 3 numbers, not 2"),
        (v.FEW_FLOATS, "[ 1 TRUE ]", "must be a number"),
        (v.MF_VEC3F, '"1 2 3"', "must be a list of numbers"),
        (v.MF_VEC3F, "Box { }", "must be a list of numbers"),
        (v.MF_STRING, "[ 1 2 ]", "must be a string"),
    ],
)
def test_wrong(kind: ValueType, text: str, message: str) -> None:
    wrong = refused(kind, text)
    assert message in wrong.message
    assert wrong.value is None


@pytest.mark.parametrize(
    ("kind", "text", "expected", "code"),
    [
        (v.SF_FLOAT, "NULL", None, ""),
        (v.SF_INT32, "3.0", 3, "number-suffix"),
        (v.SF_INT32, "010", 8, "reference-differs"),
        (v.SF_INT32, "-010", -8, "reference-differs"),
        (v.SF_BOOL, "true", True, ""),
        (v.SF_STRING, "bare", "bare", ""),
        (v.SF_ROTATION, "0 0 0 0", (0.0, 0.0, 0.0, 0.0), "rotation-axis-zero"),
        (v.SF_COLOR, "0 2 0", (0.0, 2.0, 0.0), "color-range"),
    ],
)
def test_read_with_a_warning(kind: ValueType, text: str, expected: Any, code: str) -> None:
    wrong = refused(kind, text)
    assert wrong.value == expected
    assert wrong.code == code


def test_the_place_of_a_wrong_number_in_a_list() -> None:
    wrong = refused(v.FEW_FLOATS, "[ 1 2 # three\n nan 4 ]")
    assert isinstance(wrong.at, Word)
    assert wrong.at.text == "nan"


def test_lists_are_not_looked_at() -> None:
    written = value("[ 1 2 x ]")
    assert isinstance(written, Numbers)
    assert v.MF_FLOAT.parse(written) is written
    single = v.MF_FLOAT.parse(value("2"))
    assert single.words() == ["2"]
    assert v.MF_FLOAT.parse(Row([])).words() == []


def test_one_of_a_few_words() -> None:
    kind = v.one_of("rotate", "slide")
    assert kind.parse(value('"slide"')) == "slide"
    assert refused(kind, '"Slide"').hint == "did you mean 'slide'?"
    assert kind.print("slide").quote == '"'  # type: ignore[union-attr]
