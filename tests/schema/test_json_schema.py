"""The schema of .body files: it takes what the reader takes without a word, and refuses the rest.

Wrong values and random documents come from the declarations, as in tests/formats/test_roundtrip.py.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from tests.document.strategies import documents
from tests.formats.test_roundtrip import (
    CAN_BE_WRONG,
    FIELDS,
    LONG_KEYS,
    OLD,
    SETTINGS,
    YAML,
    Field,
    corpus,
    is_urdf,
    keys,
    named,
    printed,
    sample,
    smallest,
    written,
    wrongs,
)
from tests.sampling import for_each
from tests.schema.core import load

import unibody as ub
from unibody.document.bind import unbind
from unibody.document.declare import Document
from unibody.formats.body import document as d
from unibody.schemas import schema_file
from unibody.text.node import Node, Word

SCHEMA: dict[str, Any] = json.loads(schema_file("body.schema.json").read_text("utf-8"))
BODY_FIELDS = [field for field in FIELDS if not is_urdf(field[0])]

#: What the schema lets pass although the reader refuses it, by the value as written.
PASSES = {
    ".nan": "JSON Schema has no word for a number that is none",
    "1e-400": "to a schema this is 0",
}


@cache
def validator(name: str) -> jsonschema.Draft7Validator:
    """What checks one definition, or the whole file."""
    schema = SCHEMA if not name else {**SCHEMA, "allOf": [{"$ref": f"#/definitions/{name}"}]}
    return jsonschema.Draft7Validator(schema)


def refused(text: str, name: str = "") -> list[str]:
    return [error.message for error in validator(name).iter_errors(load(text))]


def test_it_is_a_schema() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    refs = json.dumps(SCHEMA).split('"$ref": "#/definitions/')[1:]
    assert {ref.partition('"')[0] for ref in refs} <= SCHEMA["definitions"].keys()


# --- what is wrong is refused ------------------------------------------------------------


@for_each([f for f in CAN_BE_WRONG if not is_urdf(f[0])], named)
def test_a_wrong_value_is_refused(field: Field) -> None:
    cls, _, spec = field
    items = written(cls, smallest(cls)).items
    others = [item for item in items if item[0] not in keys(spec)]
    rest = printed(Node("", others)) if others else ""
    for key in keys(spec):
        for wrong in wrongs(cls, spec):
            text = f"{key}: {wrong}\n{rest}"
            assert bool(refused(text, cls.__name__)) == (wrong not in PASSES), text


@for_each([f for f in BODY_FIELDS if f[2].required == "error"], named)
def test_what_is_required_is_missed(field: Field) -> None:
    cls, _, spec = field
    node = written(cls, smallest(cls))
    node.items = [item for item in node.items if item[0] not in keys(spec)]
    assert refused(printed(node) if node.items else "{}", cls.__name__)


@for_each([pair for pair in LONG_KEYS if not is_urdf(pair[0]) and not pair[0].SKIPPED])
def test_a_misspelt_key_is_refused(pair: tuple[type[Document], str]) -> None:
    cls, key = pair
    node = written(cls, smallest(cls))
    node.items.insert(0, (key[:3] + key[2:], Word("1"), -1))
    assert any("does not match" in message for message in refused(printed(node), cls.__name__))


LINK = """\
format: ChoreonoidBody
format_version: 2.0
links:
  - name: BASE
    {0}
"""


@pytest.mark.parametrize(
    "line",
    [
        "joint_type: revolut",
        "elements: {type: Shpae}",
        "elements: [{type: Shape, geometry: {type: Boxx}}]",
        "elements: [{type: Shape, geometry: {size: [1, 1, 1]}}]",
        "elements: {Shape: {geometry: {type: Box, size: [1, 1]}}}",
        "elements: {Shape: [1, 2]}",
        "elements: [{geometry: {type: Box}}]",
        "elements: 3",
        "type: SubBody",
        "type: Joint",
    ],
)
def test_what_only_the_whole_file_shows_is_refused(line: str) -> None:
    assert refused(LINK.format(line))


# --- what is right is not ---------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "my_key: {of: [my, own]}",
        "joint_type: revolute",
        'mass: "2.5"',
        "mass: 1.e-3",
        "mass: .5",
        "name: 12",
        "name: ~",
        "name: yes",
        "joint_axis: -y",
        "joint_range: [-30, unlimited]",
        "elements: {Shape: {geometry: {type: Box}}, Camera: {format: COLOR, on: no}}",
        "elements: {type: Skip, mass: heavy}",
        "elements: [{type: MyDevice, volume: loud}]",
        "elements: {MyDevice: {volume: loud}}",
        "elements: {Node: }",
        "translation: [[1, 2, 3], [[4, 5, 6]]]",
        "type: ''",
        "{type: SubBody, import: {uri: other.body}}",
    ],
)
def test_what_the_reader_takes_is_taken(line: str) -> None:
    text = LINK.format(line) if line[0] != "{" else f"format: ChoreonoidBody\nlinks: [{line}]\n"
    assert not refused(text)


def test_merge_keys_bring_what_is_required() -> None:
    anchors = "definitions:\n  - &sub { type: SubBody, uri: hand.body }\n"
    assert not refused(f"{anchors}links:\n  - {{ <<: *sub, prefix: L_ }}\n")
    assert refused(f"{anchors}links:\n  - {{ <<: *sub, joint_id: first }}\n")


@for_each([f for f in OLD if not is_urdf(f[0])], named)
def test_old_spellings_are_taken_and_not_suggested(field: Field) -> None:
    cls, name, spec = field
    doc = smallest(cls)
    setattr(doc, name, sample(cls, name))
    node = written(cls, doc)
    properties = SCHEMA["definitions"][cls.__name__]["properties"]
    for old in spec.old:
        renamed = [(old if key == spec.key else key, value, at) for key, value, at in node.items]
        assert not refused(printed(Node(node.tag, renamed)), cls.__name__)
        assert properties[old]["deprecated"]
        assert properties[old]["doNotSuggest"]


@SETTINGS
@given(documents(d.Body, YAML))
def test_random_documents_are_taken(doc: Document) -> None:
    text = printed(unbind(doc))
    assert not refused(text), text


#: Findings of single values and keys: what a schema can see. How loaders differ, and what keys say
#: together, it cannot.
VISIBLE = {
    "empty-value",
    "missing",
    "not-a-choice",
    "number-count",
    "number-not-finite",
    "number-suffix",
    "odd-value",
    "type-missing",
    "unknown-key",
    "wrong-value",
}


@pytest.mark.parametrize("path", corpus(".body"))
def test_real_files(path: Path) -> None:
    """A file is refused exactly when the reader complains of a value or a key in it."""
    if path.stat().st_size > 20_000:
        pytest.skip("jsonschema takes seconds for it; tried by hand")
    # what the file includes has findings of its own
    own = [f for f in ub.read(str(path)).findings if f.at and f.at.source and f.at.source.name == str(path)]
    told = {f.code for f in own if f.severity != "info"}
    messages = refused(path.read_bytes().decode("utf-8-sig", "replace"))
    # a type that is unlike any to the schema may be like one to the reader
    assert not messages or told & {*VISIBLE, "type-unknown"}, messages[:3]
    assert messages or not told & VISIBLE, told
