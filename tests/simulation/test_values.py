"""Small models with known numbers: forces of contacts, readings of sensors, rules of pairs, couplings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.simulation.checks import check_residual
from unibody.simulation.materials import read_materials
from unibody.text.finding import Findings

GRAVITY = 9.80665
UNIT = ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1))
CUBE = ub.Shape(geometry=ub.Box(size=(1.0, 1.0, 1.0)))


def link(name: str, mass: float, *shapes: ub.Shape) -> ub.Link:
    return ub.Link(name=name, inertial=ub.Inertial(mass=mass, inertia=UNIT), collisions=shapes)


def slides(*names: str, apart: float = 1.5, **more: Any) -> ub.Robot:
    """Cubes on a rail along X, one behind the other."""
    links = (ub.Link(name="rail"), *(link(name, 1.0, CUBE) for name in names))
    joints = tuple(
        ub.Joint(
            name=f"to_{name}",
            kind="prismatic",
            parent="rail",
            child=name,
            axis=(1.0, 0.0, 0.0),
            origin=ub.Pose((apart * k, 0.0, 0.0)),
        )
        for k, name in enumerate(names)
    )
    return ub.Robot(name="slides", base="fixed", links=links, joints=joints, **more)


def test_forces_act_on_both_links_of_a_contact() -> None:
    """Two boxes on one another: the lower one carries the weight of the upper, the floor that of both."""
    lower = ub.Robot(name="lower", base="free", links=(link("low", 2.0, CUBE),))
    upper = ub.Robot(
        name="upper", base="free", links=(link("up", 3.0, CUBE),), pose=ub.Pose((0.0, 0.0, 1.0))
    )
    sim = ub.simulate(ub.Scene(name="tower", robots=(lower, upper)), floor=-0.5)
    sim.step(1500)
    names = {name for pair in sim.contacts.links for name in pair}
    low, up = (next(name for name in names if name.endswith(end)) for end in ("low", "up"))
    assert sim.contacts.force_on(up) == pytest.approx([0.0, 0.0, 3.0 * GRAVITY], abs=1e-2)
    assert sim.contacts.force_on(low) == pytest.approx([0.0, 0.0, 2.0 * GRAVITY], abs=1e-2)


@pytest.mark.parametrize(
    ("pairs", "touching"), [("file", False), ("none", False), ("all", True), ("matrix", False)]
)
def test_rules_of_pairs(pairs: Any, touching: bool) -> None:
    """Two cubes that overlap by 0.2 m and are not tested by the rules of the file."""
    rules = ub.SelfCollision(default="all", disabled=(("a", "b"),))
    robot = slides("a", "b", apart=0.8, self_collision=rules)
    sim = ub.simulate(robot, gravity=(0.0, 0.0, 0.0), pairs=pairs)
    sim.step(200)
    assert (sim.q[1] - sim.q[0] > 0.1) == touching
    # what is tested and overlaps at first is left out, unless all pairs are asked for
    assert any(each.code == "simulation-left-out" for each in sim.findings) == (pairs == "matrix")
    scene = ub.simulate(ub.Scene(name="one", robots=(robot,)), gravity=(0.0, 0.0, 0.0), pairs=pairs)
    scene.step(200)
    assert (scene.q[1] - scene.q[0] > 0.1) == touching


def test_exact_couplings_keep_ratio_and_offset() -> None:
    robot = slides("a", "b", couplings=(ub.Coupling(joint="to_b", leader="to_a", ratio=-2.0, offset=0.25),))
    sim = ub.simulate(robot, gravity=(1.0, 0.0, 0.0), loop_solver="exact", contacts=False)
    begin = sim.q[0]
    sim.step(500)
    a, b = sim.q
    # 1 · a″ + 4 · a″ = F (1 − 2), since b moves twice as far the other way
    time = 500 * sim.timestep
    assert a - begin == pytest.approx(-0.5 * 0.2 * time**2, rel=1e-2)
    assert b == pytest.approx(-2.0 * a + 0.25, abs=1e-9)


def test_a_loop_that_is_open_at_the_end_is_told_of() -> None:
    for residual, count in ((1e-6, 0), (-0.5, 1), (0.5, 1)):
        findings = Findings()
        check_residual(np.array([0.0, residual]), findings)
        assert [f.code for f in findings] == ["simulation-loop-residual"] * count


def gyro(**more: Any) -> Any:
    """A body that turns at 2 rad/s about Z, with a gyro."""
    device = ub.Device(name="gyro", link="body", spec=ub.Gyro(**more))
    robot = ub.Robot(name="top", base="free", links=(link("body", 1.0),), devices=(device,))
    sim = ub.simulate(robot, gravity=(0.0, 0.0, 0.0))
    sim.reset(v=[0.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    return sim


def test_readings_are_cut_at_what_the_sensor_measures_at_most() -> None:
    sim = gyro(max_angular_velocity=(1.0, 1.0, 1.5))
    assert sim.sensors["gyro"] == pytest.approx([0.0, 0.0, 2.0])
    sim.read_sensor_as("gyro")
    assert sim.sensors["gyro"] == pytest.approx([0.0, 0.0, 1.5])
    sim.reset(v=[0.0, 0.0, 0.0, 0.0, 0.0, -2.0])
    assert sim.sensors["gyro"] == pytest.approx([0.0, 0.0, -1.5])


def test_noise_has_its_deviation_and_is_restored_with_the_state() -> None:
    sim = gyro()
    sim.read_sensor_as("gyro", rate=1.0 / sim.timestep, noise=0.5)
    start = sim.state
    first = []
    for _ in range(400):
        sim.step()
        first.append(np.array(sim.sensors["gyro"]))
    errors = np.array(first) - [0.0, 0.0, 2.0]
    assert errors.std() == pytest.approx(0.5, rel=0.1)
    assert abs(errors.mean()) < 0.05
    sim.state = start
    sim.step()
    assert np.array_equal(sim.sensors["gyro"], first[0])


@pytest.mark.parametrize(
    ("word", "value"),
    [("0.25", 0.25), ("0", 0.0), ("-1", 0.5), (".inf", 0.5), ("rough", 0.5), ("1e400", 0.5)],
)
def test_numbers_of_materials(word: str, value: float) -> None:
    text = f"materials:\n  - {{ name: M, roughness: {word}, viscosity: 1 }}\n"
    table = read_materials("m.yaml", MemoryFiles({"m.yaml": text.encode()}))
    assert table.materials["M"] == (value, 1.0)
    assert [f.code for f in table.findings] == ([] if word in ("0.25", "0") else ["material-number"])


@pytest.mark.parametrize(
    ("text", "code"),
    [("a: 1\n", "material-table-invalid"), ("- 1\n", "material-table-invalid"), (None, "file-missing")],
)
def test_tables_that_are_none(text: str | None, code: str) -> None:
    files = MemoryFiles({} if text is None else {"m.yaml": text.encode()})
    table = read_materials("m.yaml", files)
    assert (table.materials, table.pairs) == ({}, {})
    assert [f.code for f in table.findings] == [code]
    assert math.isfinite(table.pair("a", "b").sliding)
