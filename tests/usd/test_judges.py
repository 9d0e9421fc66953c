"""What others make of written stages: NVIDIA's validators, OpenUSD's own, and MuJoCo's importer.

``make usd-judges`` makes the two environments in which they are asked; the tests skip without. Other places
of them are in UNIBODY_USD_JUDGES and UNIBODY_USD_NEWTON.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.usd.test_write import arm

import unibody as ub
from unibody.formats.usd.write_lowered import changes
from unibody.mechanism import assemble
from unibody.model.robot import Robot
from unibody.model.shape import Box, Material, Mesh, Shape

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
pytestmark = pytest.mark.slow
#: The features of the profile that every robot has, of those that all programs share and of MuJoCo's.
FEATURES = [
    "FET_001_STANDARD",
    *(f"FET_{number}_{kind}" for number in ("003", "004", "022", "024") for kind in ("STANDARD", "MUJOCO")),
]
#: Rules that a text of USD breaks by being text.
TEXT_ONLY = ("UsdAsciiPerformanceChecker",)


def interpreter(name: str) -> str:
    """The Python of an environment; skips the test without it."""
    folder = Path(os.environ.get(f"UNIBODY_USD_{name.upper()}", ROOT / f".venv-usd-{name}"))
    python = folder / "bin" / "python"
    if not python.exists():
        pytest.skip(f"make usd-judges: {folder} is missing")
    return str(python)


def asked(name: str, script: str, *arguments: str) -> Any:
    """What a script prints last, in the interpreter of an environment."""
    command = [interpreter(name), str(HERE / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def robot() -> Robot:
    """The arm with joints that MuJoCo's importer knows, a box, and a mesh that is drawn and collides."""
    tetra = Mesh(
        vertices=(0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1),
        faces=(0, 2, 1, -1, 0, 1, 3, -1, 1, 2, 3, -1, 0, 3, 2, -1),
    )
    red = Material(name="red", diffuse=(0.8, 0.1, 0.1))
    drawn = (Shape(geometry=tetra, material=red), Shape(geometry=Box(size=(0.1, 0.2, 0.3)), material=red))
    out = arm()
    joints = tuple(replace(j, kind="revolute") if j.kind == "ball" else j for j in out.joints)
    links = tuple(replace(link, visuals=drawn, collisions=drawn[:1]) for link in out.links)
    return replace(out, joints=joints, links=links)


@pytest.mark.parametrize("suffix", ["usda", "usdc"])
def test_three_judges_find_nothing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"arm.{suffix}"
    ub.save(robot(), path)
    (said,) = asked("judges", "validators.py", str(path)).values()
    assert said["openusd"] == []
    assert [x for x in said["nvidia"] if not x.startswith(TEXT_ONLY)] == []
    failed = {name: said["simready"][name] for name in FEATURES if not said["simready"][name]["passed"]}
    assert failed == {}


def test_mujoco_moves_a_written_stage_as_the_mechanism(tmp_path: Path) -> None:
    given = robot()
    ub.save(given, tmp_path / "arm.usda")
    rng = np.random.default_rng(7)
    names = [joint.name for joint in given.joints]
    states = [dict(zip(names, rng.uniform(-0.3, 0.3, 3).tolist(), strict=True)) for _ in range(5)]
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"file": str(tmp_path / "arm.usda"), "states": states}))
    answer = asked("newton", "accelerations.py", str(request))
    model = assemble(changes(given))
    for state, found in zip(states, answer["accelerations"], strict=True):
        q = np.array([state[name] for name in names])
        v = np.zeros(model.nv)
        wanted = model.forward_dynamics(q, v, model.passive_forces(q, v), gravity=(0.0, 0.0, -9.81))
        np.testing.assert_allclose([found[name] for name in names], wanted, rtol=1e-5, atol=1e-5)
