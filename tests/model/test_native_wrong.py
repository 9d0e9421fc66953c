from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.model.strategies import robot_of

from unibody.model.json import dumps, from_json, loads, schema, to_json
from unibody.model.robot import Extra, Group, Robot
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node

VALIDATOR = jsonschema.Draft202012Validator(schema())
SLOW = settings(suppress_health_check=list(HealthCheck))


def read(text: str) -> tuple[Robot | None, Findings]:
    findings = Findings()
    return loads(text, "robot.json", findings), findings


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({}, "json-missing", "name: missing, and Robot needs it"),
    ({"name": 1}, "json-type", "name: expected a string, found 1"),
    ({"name": "r", "link": []}, "json-unknown", "link: unknown field"),
    ({"name": "r", "links": {}}, "json-type", "links: expected a list, found an object"),
    ({"name": "r", "links": [{"name": "a"}, 3]}, "json-type", "links[1]: expected an object, found 3"),
    ({"name": "r", "links": [{}]}, "json-missing", "links[0].name: missing, and Link needs it"),
    ({"name": "r", "base": "flying"}, "json-type", 'base: expected one of fixed, free, found "flying"'),
    (
        {"name": "r", "pose": {"xyz": [1, 2]}},
        "json-type",
        "pose.xyz: expected a list of 3, found a list of 2",
    ),
    ({"name": "r", "pose": {"xyz": [1, 2, "x"]}}, "json-type", 'pose.xyz[2]: expected a number, found "x"'),
    (
        {"name": "r", "pose": {"xyz": [1, 2, True]}},
        "json-type",
        "pose.xyz[2]: expected a number, found true",
    ),
    ({"name": "r", "coordinates": [{"index": 0.5}]}, "json-type", "expected a whole number, found 0.5"),
    (
        {"name": "r", "groups": [{"name": "g", "members": [1]}]},
        "json-type",
        "groups[0].members[0]: expected",
    ),
    (
        {"name": "r", "self_collision": {"enabled": [["a"]]}},
        "json-type",
        "enabled[0]: expected a list of 2",
    ),
    (
        {"name": "r", "extras": [{"format": "x", "node": {}}]},
        "json-type",
        "extras[0].node: expected a node",
    ),
    ({"name": "r", "links": [{"name": "a", "at": None}]}, "json-unknown", "links[0].at: unknown field"),
]
SHAPES: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "Bax", "size": [1, 1, 1]}, "json-type", "geometry.type: expected Box or Sphere"),
    ({"size": [1, 1, 1]}, "json-type", "geometry.type: expected Box"),
    ({"type": "Sphere"}, "json-missing", "geometry.radius: missing, and Sphere needs it"),
    ({"type": "PointSet", "vertices": 1}, "json-type", "geometry.vertices: expected a list of numbers"),
    ({"type": "PointSet", "vertices": [0, None]}, "json-type", "geometry.vertices[1]: expected a number"),
    (
        {"type": "LineSet", "vertices": [], "lines": [2**63]},
        "json-type",
        "geometry.lines: expected whole numbers of 64",
    ),
    ({"type": "Sphere", "radius": 10**400}, "json-type", "geometry.radius: expected a number, found 1000"),
]


@pytest.mark.parametrize(("data", "code", "message"), WRONG)
def test_what_is_wrong_is_found_with_its_path(data: dict[str, Any], code: str, message: str) -> None:
    findings = Findings()
    assert from_json({"unibody": 2, **data}, findings) is None
    assert [f.code for f in findings] == [code]
    assert message in findings[0].message
    assert not VALIDATOR.is_valid({"unibody": 2, **data})


@pytest.mark.parametrize(("geometry", "code", "message"), SHAPES)
def test_wrong_geometry_is_found_with_its_path(geometry: dict[str, Any], code: str, message: str) -> None:
    findings = Findings()
    link = {"name": "a", "visuals": [{"geometry": geometry}]}
    assert from_json({"unibody": 2, "name": "r", "links": [link]}, findings) is None
    assert [f.code for f in findings] == [code]
    assert findings[0].message.startswith(f"links[0].visuals[0].{message}")


def test_every_mistake_is_reported_but_no_flood() -> None:
    findings = Findings()
    assert from_json({"unibody": 2, "links": [{"nam": "x", "visuals": 1}]}, findings) is None
    assert sorted(f.code for f in findings) == ["json-missing", "json-missing", "json-type", "json-unknown"]
    assert any(f.hint == "did you mean 'name'?" for f in findings)
    many = Findings()
    assert from_json({"unibody": 2, "name": "r", "links": [0] * 100_000}, many) is None
    assert len(many) == 100


@pytest.mark.parametrize("version", [None, 0, 3, "1", True, [1]])
def test_another_version_is_refused(version: Any) -> None:
    findings = Findings()
    assert from_json({"unibody": version, "name": "r"}, findings) is None
    assert [f.code for f in findings] == ["json-version"]


@pytest.mark.parametrize("data", [None, 1, "x", [], [{}]])
def test_other_data_are_no_robot(data: Any) -> None:
    findings = Findings()
    assert from_json(data, findings) is None
    assert [f.code for f in findings] == ["json-type"]


def test_bad_syntax_has_a_line_and_a_column() -> None:
    robot, findings = read('{\n  "unibody": 2,\n  "name": nope\n}')
    assert robot is None
    assert str(findings[0]) == "robot.json:3:11: error: not JSON: Expecting value [json-syntax]"
    for text, place in (("", "1:1"), ("{", "1:2"), ('{"a": NaN}', "1:7"), ('{"NaN": -Infinity}', "1:9")):
        robot, findings = read(text)
        assert robot is None
        assert str(findings[0]).startswith(f"robot.json:{place}: error: not JSON: ")
    robot, findings = read('{"unibody": ' + "1" * 5000 + "}")
    assert robot is None
    assert "too many digits" in findings[0].message


def test_a_field_given_twice_is_found() -> None:
    robot, findings = read('{"unibody": 2, "name": "r", "links": [{"name": "a", "name": "b"}]}')
    assert robot is None
    assert str(findings[0]) == "error: links[0].name: duplicate key [json-duplicate]"
    node = '{"format": "x", "node": {"items": [], "items": []}}'
    assert read(f'{{"unibody": 2, "name": "r", "extras": [{node}]}}')[1][0].code == "json-type"


def test_numbers_that_do_not_fit_are_refused() -> None:
    robot, findings = read('{"unibody": 2, "name": "r", "pose": {"xyz": [1e999, 0, 0]}}')
    assert robot is None
    assert findings[0].code == "json-type"


DEEP = 100_000
NESTED = [
    "[" * DEEP,
    '{"a":' * DEEP,
    '{"unibody": 2, "name": "r", "groups": [' + '{"name": "g", "members": [' * DEEP + "]}" * DEEP + "]}",
    '{"unibody": 2, "name": "r", "extras": [{"format": "x", "node": ' + '{"items": [["k", ' * DEEP,
]


@pytest.mark.parametrize("text", NESTED, ids=["lists", "objects", "groups", "nodes"])
def test_deep_nesting_is_a_finding(text: str) -> None:
    robot, findings = read(text)
    assert robot is None
    assert [f.code for f in findings] in (["json-depth"], ["json-syntax"])


@pytest.mark.parametrize("levels", [300, 5000])
def test_deep_data_is_a_finding_or_a_robot(levels: int) -> None:
    group: dict[str, Any] = {"name": "g"}
    node: dict[str, Any] = {"items": []}
    for _ in range(levels):
        group = {"name": "g", "members": [group]}
        node = {"items": [["k", node]]}
    for part in ({"groups": [group]}, {"extras": [{"format": "x", "node": node}]}):
        findings = Findings()
        robot = from_json({"unibody": 2, "name": "r", **part}, findings)
        assert robot is not None or [f.code for f in findings] == ["json-depth"]


def test_what_nests_too_deeply_is_refused() -> None:
    group = Group(name="g")
    for _ in range(150):
        group = Group(name="g", members=(group,))
    with pytest.raises(TextError, match="json-depth"):
        dumps(Robot(name="r", groups=(group,)))


@pytest.mark.parametrize("levels", [30, 90, 300, 3000])
def test_what_is_written_can_be_read_however_deep(levels: int) -> None:
    node = Node()
    group = Group(name="g")
    for _ in range(levels):
        node = Node("t", [("k", node, -1)])
        group = Group(name="g", members=(group,))
    for robot in (
        Robot(name="r", extras=(Extra(format="x", node=node),)),
        Robot(name="r", groups=(group,)),
    ):
        try:
            text = dumps(robot)
        except TextError:
            text = ""
        assert levels > 60 if text == "" else read(text)[0] is not None


ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=4), v, max_size=3),
    max_leaves=8,
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container with every key of it."""
    out, todo = [], [data]
    while todo:
        value = todo.pop()
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            out.append((value, key))
            if isinstance(value[key], dict | list):
                todo.append(value[key])
    return out


@SLOW
@given(st.data())
def test_reading_agrees_with_the_schema(data: st.DataObject) -> None:
    text = to_json(robot_of("kitchen_sink"))
    for _ in range(data.draw(st.integers(1, 3))):
        found = places(text)
        container, key = found[data.draw(st.integers(0, len(found) - 1))]
        if isinstance(container, dict) and data.draw(st.booleans()):
            del container[key]
        else:
            container[key] = data.draw(ANY_JSON)
    findings = Findings()
    robot = from_json(text, findings)
    assert (robot is None) == bool(findings)
    assert (robot is not None) == VALIDATOR.is_valid(text)


@given(ANY_JSON)
def test_reading_never_raises(data: Any) -> None:
    findings = Findings()
    assert from_json(data, findings) is None
    assert findings


@given(st.text(max_size=40) | st.text(alphabet='{}[]",:01en- \n', max_size=60))
def test_text_never_raises(text: str) -> None:
    robot, findings = read(text)
    assert robot is None
    assert findings
