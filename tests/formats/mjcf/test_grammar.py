"""The declarations of MJCF are the table of MuJoCo's elements and attributes in ../shared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from tests.shared import SHARED

from unibody.document.declare import Document
from unibody.document.plan import Entry, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import references

TABLE = SHARED / "formats/mjcf-grammar.tsv"
pytestmark = pytest.mark.usefixtures("shared")

#: Elements of the declarations that the table leaves out, with the reason.
OUTSIDE = {
    "composite": "of MuJoCo 3; kept with a finding",
    "default": "a class within a class; the table has the outer one",
    "body": "within a frame or a replicate it is as within a body",
    "frame": "the table has it as a body: it holds the same elements",
    "replicate": "the table has it as a body: it holds the same elements",
    "worldbody": "a body without attributes",
}
#: Defaults that the table does not state, with the reason.
STATED_ELSEWHERE = {
    ("default/equality", "active"): "that of the equalities",
    ("default/equality", "solimp"): "that of the equalities",
    ("default/equality", "solref"): "that of the equalities",
    ("worldbody/body/inertial", "pos"): "required; zero if the file lacks it",
    ("worldbody/body/flexcomp", "pos"): "MuJoCo's mjs_defaultFlexcomp",
    ("worldbody/body/flexcomp", "quat"): "MuJoCo's mjs_defaultFlexcomp",
}
#: Sizes that the table gives by the name of a constant.
SIZES = {"mjNREF": "2", "mjNIMP": "5", "mjNDYN": "10", "mjNGAIN": "10", "mjNBIAS": "10"}
#: References to which no edit of names applies, with the reason.
NOT_FOLLOWED = {
    ("", "model"): "the name of the model",
    ("worldbody/body/attach", "body"): "of another model",
    ("worldbody/body/attach", "frame"): "of another model",
    ("worldbody/body/attach", "model"): "of another file",
}
WORDS = ("string", "file", "id", "ref", "flags", "chars")


class Attribute(NamedTuple):
    """A row of the table."""

    name: str
    type: str
    default: str
    choices: tuple[str, ...]
    refers: str


@cache
def table() -> dict[str, list[Attribute]]:
    """The attributes of each element, by its path below the root."""
    out: dict[str, list[Attribute]] = {}
    for line in TABLE.read_text().splitlines()[1:]:
        path, _, name, kind, default, choices, *_ = (*line.split("\t"), "", "", "", "", "")
        path = re.sub(r"^body\b", "worldbody/body", path.removeprefix("mujoco").removeprefix("/"))
        rows = out.setdefault(path, [])
        if name:
            plain, _, of = kind.rstrip(">").partition("<")
            refers = of.replace("default", "class") if plain == "ref" else ""
            rows.append(Attribute(name, plain, default, tuple(choices.split()), refers))
    return out


def declared(path: str) -> type[Document]:
    cls: type[Document] = d.Mujoco
    for word in filter(None, path.split("/")):
        only = plan(cls).keys[word].only
        assert only is not None
        cls = only
    return cls


def attributes(path: str) -> dict[str, Entry]:
    return {key: entry for key, entry in plan(declared(path)).keys.items() if entry.spec.type is not None}


def pairs() -> Iterator[tuple[str, Attribute, Entry]]:
    for path, rows in table().items():
        own = attributes(path)
        for row in rows:
            yield path, row, own[row.name]


def test_every_attribute_of_the_table_is_declared_and_no_other() -> None:
    assert len(table()) > 150
    for path, rows in table().items():
        assert sorted(attributes(path)) == sorted(row.name for row in rows), path


def test_every_element_that_is_declared_is_in_the_table() -> None:
    known = set(table())
    missing: set[str] = set()
    todo: list[tuple[str, type[Document]]] = [("", d.Mujoco)]
    while todo:
        path, cls = todo.pop()
        if path not in known:
            missing.add(path)
            continue
        for key, entry in plan(cls).keys.items():
            if entry.only is not None:
                todo.append((f"{path}/{key}".lstrip("/"), entry.only))
    assert {path.rpartition("/")[2] for path in missing} <= set(OUTSIDE), missing


def test_types_are_those_of_the_table() -> None:
    for path, row, entry in pairs():
        assert entry.spec.type is not None
        expected = entry.spec.type.name
        where = f"{path} {row.name}: {row.type or '?'}, {expected}"
        if row.choices:
            words = set(re.sub("^(one|some) of ", "", expected).split(", "))
            is_text = row.type == "flags" and expected == "text"
            # the table has the inputs of one kind of actuators for a general one, which may be of any kind
            is_input = row.name == "input" and words > set(row.choices)
            assert words == set(row.choices) or is_text or is_input, where
        elif row.type:
            assert expected == _expected(row.type), where


def _expected(kind: str) -> str:
    """How the declarations say a type of the table."""
    name, _, size = kind.partition("[")
    size = size.rstrip("]")
    if name in WORDS:
        return "text"
    if name == "bool":
        return "true or false"
    if size:
        least, _, most = size.partition("..")
        return f"{least} to {SIZES.get(most, most)} numbers" if most else f"{least} numbers"
    if kind.endswith("[]"):
        return "numbers"
    return "whole number" if name == "int" else "number"


def test_references_are_those_of_the_table() -> None:
    for path, row, _ in pairs():
        found = references.table(declared(path))
        if (path, row.name) in NOT_FOLLOWED or row.refers == "instance":
            assert row.name not in found.refers
        elif row.refers:
            assert found.refers[row.name] == row.refers, f"{path} {row.name}"
        elif row.name in found.refers:
            assert row.type in ("", "id", "string"), f"{path} {row.name}"


def test_defaults_are_those_of_the_table() -> None:
    for path, row, entry in pairs():
        ours = plan(declared(path)).defaults.get(entry.name)
        if (path, row.name) in STATED_ELSEWHERE:
            assert not row.default
        elif not row.default:
            assert ours in (None, False, ""), f"{path} {row.name}: {ours}"
        else:
            assert _text(ours) == _text(row.default), f"{path} {row.name}: {ours}, {row.default}"


def _text(value: Any) -> Any:
    """A default of the declarations or of the table, for a comparison."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return (float(value),)
    if isinstance(value, tuple):
        return tuple(map(float, value))
    try:
        return tuple(map(float, value.replace(",", " ").split()))
    except ValueError:
        return value
