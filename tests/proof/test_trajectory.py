"""A damped motion of an engine is that of the mechanism, by the same steps."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.proof.models import ARM
from tests.proof.proving import proved, written

import unibody as ub
from unibody.model.arrays import Floats
from unibody.proof.loaders.integration import integrate
from unibody.proof.reference import draw_states, reference_of
from unibody.proof.trajectory import plan_motion

SLIDE = [{"kind": "prismatic", "q": 0, "v": 0}]


def test_a_damped_spring_is_integrated() -> None:
    """q'' = -q - 0.4 q' from q = 1: the solution in closed form."""
    rows = integrate(
        np.array([1.0]), np.zeros(1), np.array([0.4]), 0.01, 500, SLIDE, lambda q, v, effort: effort - q
    )
    rate = math.sqrt(1.0 - 0.04)
    times = np.arange(501) * 0.01
    exact = np.exp(-0.2 * times) * (np.cos(rate * times) + 0.2 / rate * np.sin(rate * times))
    assert np.abs(rows[:, 0] - exact).max() < 1e-9


def test_a_free_body_turns_about_its_own_axis() -> None:
    base = [{"kind": "free", "q": 0, "v": 0}]
    q, v = np.array([0.0, 0, 0, 1, 0, 0, 0]), np.array([1.0, 0, 0, 0, 0, 2.0])
    # a constant velocity in its own axes is a circle of radius 1/2
    rows = integrate(q, v, np.zeros(6), 0.001, 1000, base, lambda q, v, effort: effort)
    assert rows[-1, 3:] == pytest.approx([math.cos(1.0), 0, 0, math.sin(1.0)], abs=1e-12)
    assert rows[-1, :3] == pytest.approx([0.5 * math.sin(2.0), 0.5 * (1.0 - math.cos(2.0)), 0], abs=1e-12)


def test_engines_get_quaternions_of_length_1() -> None:
    base, seen = [{"kind": "free", "q": 0, "v": 0}], []

    def accelerate(q: Floats, v: Floats, effort: Floats) -> Floats:
        seen.append(float(np.linalg.norm(q[3:])))
        return effort

    start, spin = np.array([0.0, 0, 0, 1, 0, 0, 0]), np.array([0.0, 0, 0, 5.0, 3.0, 0])
    integrate(start, spin, np.ones(6), 0.1, 3, base, accelerate)
    assert seen == pytest.approx([1.0] * 12, abs=1e-15)


@pytest.mark.parametrize(("damping", "least", "most"), [(0.3, 2000, 2000), (300, 2001, 16000), (1e6, 0, 0)])
def test_steps_are_as_short_as_damping_needs(damping: float, least: int, most: int) -> None:
    robot = ub.loads(ARM.replace('damping="0.3"', f'damping="{damping}"'), format="urdf", base="fixed")
    reference = reference_of(robot, "urdf")
    planned = plan_motion(reference, draw_states(reference, 3))
    assert least <= planned["count"] <= most
    assert planned["count"] * planned["step"] == pytest.approx(5.0 if most else 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["mujoco", "pinocchio", "drake", "idyntree", "dart"])
def test_an_arm_moves_alike(tmp_path: Path, engine: str) -> None:
    result = proved(engine, written(tmp_path, ARM), states=5, trajectory=True)
    assert result.deviations is not None
    assert result.deviations["trajectory"].largest < 1e-11
    assert result.deviations["trajectory"].compared == 3


@pytest.mark.slow
def test_a_free_base_moves_alike() -> None:
    result = proved("pinocchio", ub.load("src/unibody/models/biped.body"), states=5, trajectory=True)
    assert result.deviations is not None
    assert result.deviations["trajectory"].largest < 1e-9


def test_a_motion_in_single_precision_is_not_compared(tmp_path: Path) -> None:
    result = proved("sapien", written(tmp_path, ARM), states=5, trajectory=True)
    assert "its motion is not compared: it has single precision" in result.notes
