from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from tests.model.strategies import NAMES, ROBOTS, robot_of, robots

from unibody.model.inertia import Inertial
from unibody.model.json import dumps, from_json, loads, schema, to_json, value_json
from unibody.model.pose import Pose
from unibody.model.robot import Extra, Joint, Limits, Link, Robot
from unibody.model.shape import Box, Mesh, Shape, Texture
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Word

VALIDATOR = jsonschema.Draft202012Validator(schema())
SLOW = settings(
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
    robot = Robot(
        name="n", links=(Link(name="l", visuals=(Shape(geometry=Mesh(vertices=numbers, faces=())),)),)
    )
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
    node = Node(
        "Tag", [("n", Numbers("1, 2, 3"), 0), ("w", Word("x"), 0), ("", Node(name="D"), 0)], name="DEF"
    )
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


def test_parts_of_a_robot_as_plain_data() -> None:
    assert value_json(Box(size=(1.0, 2.0, 3.0))) == {"type": "Box", "size": [1.0, 2.0, 3.0]}
    assert value_json((("a", 1.0), ("b", math.inf))) == [["a", 1.0], ["b", "inf"]]
    assert value_json(np.array([1, 2])) == [1, 2]
    assert value_json(Texture(uri="x.png", path="/tmp/x.png")) == {"uri": "x.png"}
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
        replace(
            joint, name=f"joint{i}", parent=f"link{i}", child=f"link{i + 1}", origin=Pose((0.0, 0.0, i / 9))
        )
        for i in range(size - 1)
    ]
    return Robot(name="chain", links=tuple(links), joints=tuple(joints))


def test_two_thousand_links_are_written_and_read_in_good_time() -> None:
    robot = chain(2000)
    dumps(chain(2))
    start = time.process_time()
    back, _ = read(dumps(robot))
    assert back == robot
    # Some tenths of a second; work that grew with the square would take minutes.
    assert time.process_time() - start < 20.0


def test_the_import_is_light() -> None:
    code = "import sys, unibody.model.json; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"jsonschema", "difflib", "yaml", "xml", "trimesh", "rich"} & set(done.stdout.split())


def test_names_of_version_1_are_read() -> None:
    data = dumps(robot_of("kitchen_sink"))
    old = {"linear": "stretch", "axial": "along", "radial": "across", "twist": "about", "swing": "tilt"}
    assert all(f'"{name}": ' in data for name in old)
    for case in ("closed_loop", "kitchen_sink"):
        text = dumps(robot_of(case)).replace('"unibody": 2', '"unibody": 1')
        for new, name in old.items():
            text = text.replace(f'"{new}": ', f'"{name}": ')
        findings = Findings()
        assert loads(text, "old.json", findings) == robot_of(case)
        assert not findings
