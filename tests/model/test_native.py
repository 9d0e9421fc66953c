from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.model.strategies import NAMES, ROBOTS, robot_of, robots
from unibody.model.inertia import Inertial
from unibody.model.native import dumps, from_json, loads, schema, to_json, value_json
from unibody.model.pose import Pose
from unibody.model.robot import Extra, Group, Joint, Limits, Link, Robot
from unibody.model.shape import Box, Mesh, Shape, Texture
from unibody.text.finding import Findings, TextError
from unibody.text.node import Node, Numbers, Word

VALIDATOR = jsonschema.Draft202012Validator(schema())
SLOW = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def read(text: str) -> tuple[Robot | None, Findings]:
    findings = Findings()
    return loads(text, "robot.json", findings), findings


@SLOW
@given(robots)
def test_any_robot_comes_back(robot: Robot) -> None:
    text = dumps(robot)
    back, findings = read(text)
    assert findings == []
    assert back == robot
    assert dumps(back) == text
    assert from_json(to_json(robot), findings) == robot


@SLOW
@given(robots)
def test_any_robot_fits_the_schema(robot: Robot) -> None:
    VALIDATOR.validate(json.loads(dumps(robot)))
    VALIDATOR.validate(to_json(robot))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()


@pytest.mark.parametrize("name", NAMES)
def test_the_small_robots_are_written_canonically(name: str) -> None:
    text = (ROBOTS / f"{name}.json").read_text("utf-8")
    assert dumps(robot_of(name)) == text
    VALIDATOR.validate(json.loads(text))


def test_signs_and_limits_of_numbers() -> None:
    numbers = (-0.0, 5e-324, 1.7976931348623157e308, 0.1, 1e16, 123456789012345680.0, math.inf, -math.inf)
    robot = Robot(name="n", links=(Link(name="l", visuals=(Shape(geometry=Mesh(vertices=numbers, faces=())),)),))
    back, _ = read(dumps(robot))
    assert back is not None
    mesh = back.links[0].visuals[0].geometry
    assert isinstance(mesh, Mesh)
    assert [float(v).hex() for v in mesh.vertices] == [v.hex() for v in numbers]
    pose, _ = read(dumps(Robot(name="n", pose=Pose((-0.0, 0.0, 0.0)))))
    assert pose is not None
    assert math.copysign(1.0, pose.pose.xyz[0]) == -1.0


def test_nan_comes_back_as_nan() -> None:
    text = dumps(Robot(name="n", links=(Link(name="l", inertial=Inertial(mass=math.nan)),)))
    back, _ = read(text)
    assert '"nan"' in text
    assert back is not None
    assert back.links[0].inertial is not None
    assert math.isnan(back.links[0].inertial.mass)


def test_long_lists_are_read_only_arrays_and_written_twelve_in_a_line() -> None:
    mesh = Mesh(vertices=np.arange(66.0), faces=np.arange(70))
    text = dumps(Robot(name="m", links=(Link(name="l", visuals=(Shape(geometry=mesh),)),)))
    back, _ = read(text)
    assert back is not None
    found = back.links[0].visuals[0].geometry
    assert isinstance(found, Mesh)
    assert isinstance(found.vertices, np.ndarray)
    assert not found.vertices.flags.writeable
    assert isinstance(found.faces, np.ndarray)
    assert found.faces.dtype == np.int64
    assert "              0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,\n" in text


def test_leftovers_keep_words_rows_and_nodes() -> None:
    node = Node("Tag", [("n", Numbers("1, 2, 3"), 0), ("w", Word("x"), 0), ("", Node(name="D"), 0)], name="DEF")
    robot = Robot(name="e", extras=(Extra(format="vrml97", owner="links/a", node=node),))
    back, _ = read(dumps(robot))
    assert back == robot
    assert back.extras[0].node.name == "DEF"


def test_unusual_text_comes_back() -> None:
    for name in ("ロボット", 'quo"te\\', "line\nbreak\x00\x7f", "\U0001f916", "\udcff"):
        text = dumps(Robot(name=name))
        text.encode("utf-8")
        assert read(text)[0] == Robot(name=name)
    assert "ロボット" in dumps(Robot(name="ロボット"))


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({}, "json-missing", "name: missing, and Robot needs it"),
    ({"name": 1}, "json-type", "name: expected a string, found 1"),
    ({"name": "r", "link": []}, "json-unknown", "link: unknown field"),
    ({"name": "r", "links": {}}, "json-type", "links: expected a list, found an object"),
    ({"name": "r", "links": [{"name": "a"}, 3]}, "json-type", "links[1]: expected an object, found 3"),
    ({"name": "r", "links": [{}]}, "json-missing", "links[0].name: missing, and Link needs it"),
    ({"name": "r", "base": "flying"}, "json-type", 'base: expected one of fixed, free, found "flying"'),
    ({"name": "r", "pose": {"xyz": [1, 2]}}, "json-type", "pose.xyz: expected a list of 3, found a list of 2"),
    ({"name": "r", "pose": {"xyz": [1, 2, "x"]}}, "json-type", 'pose.xyz[2]: expected a number, found "x"'),
    ({"name": "r", "pose": {"xyz": [1, 2, True]}}, "json-type", "pose.xyz[2]: expected a number, found true"),
    ({"name": "r", "coordinates": [{"index": 0.5}]}, "json-type", "expected a whole number, found 0.5"),
    ({"name": "r", "groups": [{"name": "g", "members": [1]}]}, "json-type", "groups[0].members[0]: expected"),
    ({"name": "r", "self_collision": {"enabled": [["a"]]}}, "json-type", "enabled[0]: expected a list of 2"),
    ({"name": "r", "extras": [{"format": "x", "node": {}}]}, "json-type", "extras[0].node: expected a node"),
    ({"name": "r", "links": [{"name": "a", "at": None}]}, "json-unknown", "links[0].at: unknown field"),
]
SHAPES: list[tuple[dict[str, Any], str, str]] = [
    ({"type": "Bax", "size": [1, 1, 1]}, "json-type", 'geometry.type: expected Box or Sphere'),
    ({"size": [1, 1, 1]}, "json-type", "geometry.type: expected Box"),
    ({"type": "Sphere"}, "json-missing", "geometry.radius: missing, and Sphere needs it"),
    ({"type": "PointSet", "vertices": 1}, "json-type", "geometry.vertices: expected a list of numbers"),
    ({"type": "PointSet", "vertices": [0, None]}, "json-type", "geometry.vertices[1]: expected a number"),
    ({"type": "LineSet", "vertices": [], "lines": [2**63]}, "json-type", "geometry.lines: expected whole numbers of 64"),
    ({"type": "Sphere", "radius": 10**400}, "json-type", "geometry.radius: expected a number, found 1000"),
]


@pytest.mark.parametrize(("data", "code", "message"), WRONG)
def test_what_is_wrong_is_found_with_its_path(data: dict[str, Any], code: str, message: str) -> None:
    findings = Findings()
    assert from_json({"unibody": 1, **data}, findings) is None
    assert [f.code for f in findings] == [code]
    assert message in findings[0].message
    assert not VALIDATOR.is_valid({"unibody": 1, **data})


@pytest.mark.parametrize(("geometry", "code", "message"), SHAPES)
def test_wrong_geometry_is_found_with_its_path(geometry: dict[str, Any], code: str, message: str) -> None:
    findings = Findings()
    link = {"name": "a", "visuals": [{"geometry": geometry}]}
    assert from_json({"unibody": 1, "name": "r", "links": [link]}, findings) is None
    assert [f.code for f in findings] == [code]
    assert findings[0].message.startswith(f"links[0].visuals[0].{message}")


def test_every_mistake_is_reported_but_no_flood() -> None:
    findings = Findings()
    assert from_json({"unibody": 1, "links": [{"nam": "x", "visuals": 1}]}, findings) is None
    assert sorted(f.code for f in findings) == ["json-missing", "json-missing", "json-type", "json-unknown"]
    assert any(f.hint == "did you mean 'name'?" for f in findings)
    many = Findings()
    assert from_json({"unibody": 1, "name": "r", "links": [0] * 100_000}, many) is None
    assert len(many) == 100


@pytest.mark.parametrize("version", [None, 0, 2, "1", True, [1]])
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
    robot, findings = read('{\n  "unibody": 1,\n  "name": nope\n}')
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
    robot, findings = read('{"unibody": 1, "name": "r", "links": [{"name": "a", "name": "b"}]}')
    assert robot is None
    assert str(findings[0]) == "error: links[0].name: given twice [json-duplicate]"
    node = '{"format": "x", "node": {"items": [], "items": []}}'
    assert read(f'{{"unibody": 1, "name": "r", "extras": [{node}]}}')[1][0].code == "json-type"


def test_numbers_that_do_not_fit_are_refused() -> None:
    robot, findings = read('{"unibody": 1, "name": "r", "pose": {"xyz": [1e999, 0, 0]}}')
    assert robot is None
    assert findings[0].code == "json-type"


DEEP = 100_000
NESTED = [
    "[" * DEEP,
    '{"a":' * DEEP,
    '{"unibody": 1, "name": "r", "groups": [' + '{"name": "g", "members": [' * DEEP + "]}" * DEEP + "]}",
    '{"unibody": 1, "name": "r", "extras": [{"format": "x", "node": ' + '{"items": [["k", ' * DEEP,
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
        robot = from_json({"unibody": 1, "name": "r", **part}, findings)
        assert robot is not None or [f.code for f in findings] == ["json-depth"]


@pytest.mark.parametrize("levels", [30, 90, 300, 3000])
def test_what_is_written_can_be_read_however_deep(levels: int) -> None:
    node = Node()
    group = Group(name="g")
    for _ in range(levels):
        node = Node("t", [("k", node, -1)])
        group = Group(name="g", members=(group,))
    for robot in (Robot(name="r", extras=(Extra(format="x", node=node),)), Robot(name="r", groups=(group,))):
        try:
            text = dumps(robot)
        except TextError as error:
            assert error.finding.code == "json-depth"
            assert levels > 60
        else:
            assert read(text)[0] is not None


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
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


def test_parts_of_a_robot_as_plain_data() -> None:
    assert value_json(Box(size=(1.0, 2.0, 3.0))) == {"type": "Box", "size": [1.0, 2.0, 3.0]}
    assert value_json((("a", 1.0), ("b", math.inf))) == [["a", 1.0], ["b", "inf"]]
    assert value_json(np.array([1, 2])) == [1, 2]
    assert value_json(Texture(uri="x.png", path="/tmp/x.png")) == {"type": "Texture", "uri": "x.png"}
    assert value_json(None) is None
    json.dumps(value_json(Extra(format="x")))


def chain(size: int) -> Robot:
    joint = Joint(name="", kind="revolute", parent="", child="", limits=Limits(position=(-1.5, 1.5)))
    links = [
        Link(
            name=f"link{i}",
            inertial=Inertial(mass=1.0 + i, com=(0.1, 0.2, i / 7)),
            visuals=(Shape(geometry=Box(size=(0.1, 0.2, i / 3 + 1))),),
        )
        for i in range(size)
    ]
    joints = [
        replace(joint, name=f"joint{i}", parent=f"link{i}", child=f"link{i + 1}", origin=Pose((0.0, 0.0, i / 9)))
        for i in range(size - 1)
    ]
    return Robot(name="chain", links=tuple(links), joints=tuple(joints))


def test_two_thousand_links_take_well_under_a_second() -> None:
    robot = chain(2000)
    dumps(chain(2))
    start = time.process_time()
    text = dumps(robot)
    written = time.process_time()
    back, _ = read(text)
    assert back == robot
    assert written - start < 1.0
    assert time.process_time() - written < 1.5


def test_the_import_is_light() -> None:
    code = "import sys, unibody.model.native; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"jsonschema", "difflib", "yaml", "xml", "trimesh", "rich"} & set(done.stdout.split())
