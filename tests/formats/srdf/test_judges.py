"""SRDF as unibody writes it, read by srdfdom's rules and by Pinocchio."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.formats.srdf.srdfdom import srdfdom
from tests.formats.srdf.test_oracle import MICRO, REAL, truth
from tests.shared import CORPUS

import unibody as ub
from unibody.formats.loader import Reading, read
from unibody.model.collision import PairRules
from unibody.model.robot import Robot

pytestmark = pytest.mark.usefixtures("shared")
FILES = pytest.mark.parametrize("path", [*MICRO, *REAL], ids=lambda p: f"{p.parent.name}/{p.name}")


def reading_of(path: Path) -> tuple[Reading, Robot]:
    reading = read(path)
    assert reading.robot is not None
    return reading, reading.robot


def parsed(text: str, robot: Robot) -> dict[str, Any]:
    found = srdfdom(text, {x.name for x in robot.links}, {x.name for x in robot.joints})
    return {key: _sorted(key, value) for key, value in found.items()}


def _sorted(key: str, values: list[Any]) -> list[Any]:
    """Groups and states keep their order; pairs have none, and no order of their links."""
    if key in ("enabled", "disabled"):
        return sorted([*sorted(pair[:2]), pair[2]] for pair in values)
    return values if key == "group_states" else sorted(values, key=str)


@FILES
def test_the_rules_are_those_of_srdfdom(path: Path) -> None:
    _, robot = reading_of(path)
    said = truth(path)
    found = parsed(path.read_text("utf-8"), robot)
    assert found == {key: _sorted(key, said[key]) for key in found}


@FILES
def test_what_is_written_says_the_same(path: Path) -> None:
    _, robot = reading_of(path)
    said, found = truth(path), parsed(ub.dumps(robot, format="srdf"), robot)
    expected = {key: _sorted(key, said[key]) for key in found}
    # pairs of one link are no pairs
    expected["disabled"] = [p for p in expected["disabled"] if p[0] != p[1]]
    assert found == expected


@FILES
def test_pinocchio_reads_the_same_of_what_is_written(path: Path, tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")
    reading, robot = reading_of(path)
    (urdf,) = reading.beside
    model = pin.buildModelFromUrdf(urdf)
    written = tmp_path / "written.srdf"
    written.write_text(ub.dumps(robot, format="srdf"), "utf-8")
    before, after = pairs_of(pin, model, path), pairs_of(pin, model, written)
    assert after == before
    # Pinocchio does not trim names, and takes the last number of a joint that is there twice
    expected = {name.strip(): q for name, q in states_of(pin, model, path).items()}
    found = states_of(pin, model, written)
    assert found.keys() == expected.keys()
    twice = {c.name for c in robot.configurations if any(isinstance(v, tuple) for v in c.by_joint.values())}
    for name in expected.keys() - twice:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-12, err_msg=name)


def pairs_of(pin: Any, model: Any, path: Path) -> set[frozenset[str]]:
    """The pairs of links that Pinocchio tests, if each link is a ball."""
    coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal)")
    geometry = pin.GeometryModel()
    links = [f for f in model.frames if f.type == pin.FrameType.BODY and f.name != "universe"]
    for frame in links:
        index = model.getFrameId(frame.name, pin.FrameType.BODY)
        place = frame.placement, coal.Sphere(0.1)
        geometry.addGeometryObject(pin.GeometryObject(f"{frame.name}_0", frame.parentJoint, index, *place))
    geometry.addAllCollisionPairs()
    pin.removeCollisionPairs(model, geometry, str(path), False)
    names = [o.name.removesuffix("_0") for o in geometry.geometryObjects]
    return {frozenset((names[p.first], names[p.second])) for p in geometry.collisionPairs}


def states_of(pin: Any, model: Any, path: Path) -> dict[str, Any]:
    fresh = model.copy()
    pin.loadReferenceConfigurations(fresh, str(path), False)
    return {x.key(): x.data() for x in fresh.referenceConfigurations}


# --- the table of docs/formats/srdf.md ----------------------------------------------------


def pinocchio_of(name: str) -> tuple[Any, Any, Path, Robot]:
    pin = pytest.importorskip("pinocchio", reason="needs the extra 'dynamics' (pin)")
    path = CORPUS / "micro/srdf" / f"{name}.srdf"
    return pin, pin.buildModelFromUrdf(str(path.with_name("robot.urdf"))), path, ub.load(path)


def test_pinocchio_reads_the_first_state_of_a_name() -> None:
    pin, model, path, robot = pinocchio_of("group-states")
    states = states_of(pin, model, path)
    assert [c.name for c in robot.configurations] == ["home", "home", "two"]
    assert sorted(states) == ["home", "two"]
    # of a joint that is there twice, all numbers are kept here; Pinocchio takes the last single one
    assert robot.configurations[2].by_joint == {"j1": (1.0, 2.0, 3.0, 4.0)}
    assert states["two"][model.joints[model.getJointId("j1")].idx_q] == 4.0
    first, second = (c.by_joint for c in robot.configurations[:2])
    home = {name: states["home"][model.joints[model.getJointId(name)].idx_q] for name in ("j1", "j2", "j4")}
    assert home == {**first, "j2": 0.0}
    assert second == {"j2": 1.0}


STATE = """<robot name="r"><group name="g"><joint name="j1"/></group>
<group_state name="s" group="{}"><joint name="{}" {}/></group_state></robot>"""


@pytest.mark.parametrize(
    ("group", "joint", "value", "here", "there"),
    [
        ("g", "j1", 'value="0.5"', {"j1": 0.5}, 0.5),
        ("unknown", "j1", 'value="0.5"', None, 0.5),
        ("g", "j1", 'value="word"', {}, 0.0),
        ("g", "j1", "", {}, None),
        ("g", "j2", 'value="0.5"', {"j2": 0.5}, 0.5),
    ],
)
def test_states_with_mistakes_in_pinocchio(
    group: str, joint: str, value: str, here: Any, there: Any, tmp_path: Path
) -> None:
    pin, model, path, _ = pinocchio_of("group-states")
    srdf = tmp_path / "r.srdf"
    srdf.write_text(STATE.format(group, joint, value))
    robot = read(path.with_name("robot.urdf"), srdf=srdf).robot
    assert robot is not None
    assert [c.by_joint for c in robot.configurations] == ([] if here is None else [here])
    if there is None:
        with pytest.raises(RuntimeError):
            states_of(pin, model, srdf)
    else:
        q = states_of(pin, model, srdf)["s"]
        assert q[model.joints[model.getJointId(joint)].idx_q] == there


def test_continuous_joints_are_cosine_and_sine_in_pinocchio(tmp_path: Path) -> None:
    pin, model, _, robot = pinocchio_of("group-states")
    (name,) = (j.name for j in robot.joints if j.kind == "revolute" and j.limits.position[1] == np.inf)
    srdf = tmp_path / "r.srdf"
    srdf.write_text(STATE.format("g", name, 'value="0.5"'))
    at = model.joints[model.getJointId(name)].idx_q
    assert states_of(pin, model, srdf)["s"][at : at + 2] == pytest.approx([np.cos(0.5), np.sin(0.5)])


def test_pinocchio_ignores_all_but_disabled_pairs() -> None:
    pin, model, path, robot = pinocchio_of("collisions")
    here = {frozenset(p) for p in robot.self_collision.disabled}
    there = pairs_of(pin, model, path)
    ignored = {frozenset(("e", other.name)) for other in robot.links if other.name not in "ae"}
    assert ignored <= here
    carrier = {f.name: f.parentJoint for f in model.frames if f.type == pin.FrameType.BODY}
    moving = {pair for pair in ignored if len({carrier[name] for name in pair}) == 2}
    assert moving <= there
    # links that are fixed to one another are tested by neither
    rules = PairRules(replace(robot, self_collision=ub.SelfCollision(default="all")))
    every = pairs_of(pin, model, path.with_name("groups.srdf"))
    for a, b in combinations([x.name for x in robot.links], 2):
        assert rules.are_tested(a, b) == (frozenset((a, b)) in every)


def test_pinocchio_does_not_trim_names() -> None:
    pin, model, path, robot = pinocchio_of("white-space")
    assert [c.name for c in robot.configurations] == ["h"]
    assert list(states_of(pin, model, path)) == [" h "]


def test_pinocchio_needs_a_free_flyer_for_a_virtual_joint() -> None:
    pin, model, path, robot = pinocchio_of("virtual-joint")
    assert np.array_equal(states_of(pin, model, path)["s"], pin.neutral(model))
    assert [g.name for g in robot.groups] == ["base"]
