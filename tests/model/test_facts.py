from __future__ import annotations

import math
from collections import Counter
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
import pytest
from tests.model.changes import Change, changes
from tests.model.strategies import NAMES, again, lines, robot_of

from unibody.model.facts import Difference, diff, facts
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose, from_axis_angle
from unibody.model.robot import (
    Joint,
    Link,
    Robot,
)
from unibody.model.schema import hints, kind
from unibody.model.traverse import fields_with

SINK = robot_of("kitchen_sink")
CHANGES = list(changes(SINK))


# facts


def test_every_value_has_its_path() -> None:
    found = facts(SINK)
    assert found["name"] == "kitchen_sink"
    assert found["links/WAIST/inertial/mass"] == 27.0
    assert found["links/TOOL MOUNT/inertial"] is None
    assert found["links/WAIST/visuals/0/geometry"] == "Box"
    assert found["links/WAIST/visuals/0/geometry/size"] == (0.3, 0.4, 0.25)
    assert found["links/WAIST/visuals/0/pose/quat"] == (0.1, 0.5, -0.5, 0.7)
    assert found["joints/SLIDE/limits/effort"] == (-math.inf, 90.0)
    assert found["joints"][:2] == ("CHEST_PITCH", "NECK_YAW")  # type: ignore[index]
    assert found["coordinates/0/drives/1/joint"] == "STRUT_TURN"
    assert found["couplings/SCREW/ratio"] == 12.5
    assert found["configurations/HOME/positions/SLIDE"] == 0.15
    assert found["self_collision/disabled/CHEST/WAIST"] is True
    assert found["groups/UPPER/members"] == ("CHEST", "HEAD", "ARM")
    assert found["groups/UPPER/members/ARM/members/HAND/members"] == ("WRIST", "TOOL MOUNT")
    assert found["devices/CAMERA/spec"] == "Camera"
    assert found["extras/0/owner"] == "links/WAIST"
    assert isinstance(found["links/HEAD/visuals/0/geometry/vertices"], tuple)
    assert not [path for path in found if path.endswith("/at")]


def test_names_with_slashes_and_names_given_twice_lose_nothing() -> None:
    robot = Robot(name="r", links=(Link(name="a/b"), Link(name="a~b"), Link(name="x"), Link(name="x")))
    found = facts(robot)
    assert [p for p in found if p.endswith("inertial")] == [
        "links/a~1b/inertial",
        "links/a~0b/inertial",
        "links/x/inertial",
        "links/x#2/inertial",
    ]
    assert diff(robot, again(robot)) == []


def test_equal_robots_have_equal_facts() -> None:
    assert facts(SINK) == facts(again(SINK))


# the kitchen sink


def reachable(hint: Any, found: set[type]) -> set[type]:
    what, args = kind(hint)
    if what == "record" and args[0] not in found:
        found.add(args[0])
        for inner in hints(args[0]).values():
            reachable(inner, found)
    elif what in ("list", "row", "optional", "union"):
        for inner in args:
            reachable(inner, found)
    return found


def given_fields(value: Any, found: Counter[tuple[type, str]]) -> None:
    """Counts fields whose value is not their default."""
    if isinstance(value, tuple):
        for item in value:
            given_fields(item, found)
    elif type(value) in reachable(Robot, set()):
        for f in fields(value):
            item = getattr(value, f.name)
            default = f.default if f.default_factory is MISSING else f.default_factory()
            same = not isinstance(item, np.ndarray) and item == default
            found[type(value), f.name] += default is MISSING or not same
            given_fields(item, found)


def test_the_kitchen_sink_has_every_field() -> None:
    found: Counter[tuple[type, str]] = Counter()
    given_fields(SINK, found)
    # the sink has masses to compare; one whose mesh was not read has none
    found[Inertial, "unknown"] += 1
    wanted = {(cls, name) for cls in reachable(Robot, set()) for name in hints(cls)}
    assert len(wanted) > 180
    assert not {f"{cls.__name__}.{name}" for cls, name in wanted if not found[cls, name]}


def test_the_kitchen_sink_has_every_kind_of_joint_and_actuator() -> None:
    kinds = kind(hints(Joint)["kind"])[1]
    assert {j.kind for j in SINK.joints} == set(kinds)
    assert {j.actuator.mode for j in SINK.joints} >= {"effort", "velocity", "displacement", None}


def test_the_kitchen_sink_has_nothing_symmetric() -> None:
    poses = {path: value for path, value in facts(SINK).items() if path.endswith("quat")}
    assert [path for path, q in poses.items() if q == (1.0, 0.0, 0.0, 0.0)] == []
    for link in SINK.links:
        if link.inertial:
            numbers = np.array(link.inertial.inertia)
            assert np.array_equal(numbers, numbers.T)
            assert len(np.unique(np.abs(numbers))) == 6
            moments = np.linalg.eigvalsh(numbers)
            assert moments[0] > 0.0
            assert moments[2] < moments[0] + moments[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_small_robots_are_sound(name: str) -> None:
    robot = robot_of(name)
    links, joints = [x.name for x in robot.links], [j.name for j in robot.joints]
    assert len(set(links)) == len(links)
    assert len(set(joints)) == len(joints)
    assert sorted([robot.root, *(j.child for j in robot.joints)]) == sorted(links)
    known = {
        "links": {x.name for x in robot.solids},
        "joints": set(joints),
        "groups": {g.name for g in robot.groups},
    }
    for path, value in facts(robot).items():
        field = path.rpartition("/")[2]
        if field in fields_with("refers") and isinstance(value, str):
            assert value in known[fields_with("refers")[field]], path
        if field == "quat":
            assert math.hypot(*value) == pytest.approx(1.0, abs=1e-15)  # type: ignore[misc]
        if field in ("axis", "direction"):
            assert math.hypot(*value) == pytest.approx(1.0, abs=1e-15)  # type: ignore[misc]


def test_the_four_bar_linkage_is_closed_where_it_starts() -> None:
    robot = robot_of("closed_loop")
    places = {robot.root: robot.pose}
    for joint in robot.joints:
        turn = from_axis_angle(joint.axis, joint.initial)
        assert turn is not None
        places[joint.child] = places[joint.parent] @ joint.origin @ Pose(quat=turn)
    loop = robot.loops[0]
    a = (places[loop.link_a] @ loop.pose_a).xyz
    assert a == pytest.approx((places[loop.link_b] @ loop.pose_b).xyz, abs=1e-15)


# every field counts


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:i]) for i in range(1, len(parts))]


def test_every_field_is_changed_once() -> None:
    changed = {change.path.rpartition("/")[2] for change in CHANGES if not change.is_name}
    wanted = {name for cls in reachable(Robot, set()) for name in hints(cls)}
    parents = {path.split("/")[-1] for change in CHANGES for path in _parents(change.path)}
    assert wanted - changed - parents == {"index", "format"}
    assert len(CHANGES) > 1000


def is_expected(change: Change, differences: list[Difference]) -> bool:
    """One difference at the very path; a new name is a rename and whatever referred to the old name."""
    paths = [d.path for d in differences]
    if not change.is_name:
        return paths == [change.path]
    list_path = change.path.rpartition("/")[0] if change.path.count("/") else change.path
    # groups refer to groups: what referred to the old name is in the same list
    own = "/subgroups" in change.path
    named = [
        d for d in differences if d.path.startswith(list_path) and (own or "/subgroups/" not in d.path)
    ]
    return bool(named) and len(named) <= 2


@pytest.mark.slow
def test_one_changed_field_is_one_difference_at_its_path() -> None:
    before, wrong = facts(SINK), []
    for change in CHANGES:
        differences = diff(SINK, change.robot)
        if facts(change.robot) == before or not is_expected(change, differences):
            wrong.append((change.path, lines(differences)))
    assert wrong == []


def test_every_change_back_is_found_too() -> None:
    assert [c.path for c in CHANGES if not diff(c.robot, SINK)] == []


# names of fields


def test_every_name_field_is_known_as_a_reference_or_as_text() -> None:
    """A new field of text must say whether it refers to a link or joint: declare it or add it here."""
    text = {"name", "uri", "fragment", "without", "kind", "format", "owner"}
    for cls in reachable(Robot, set()):
        for name, hint in hints(cls).items():
            if "str" in str(hint) and kind(hint)[0] != "choice":
                assert name in text or name in fields_with("refers"), f"{cls.__name__}.{name}"
