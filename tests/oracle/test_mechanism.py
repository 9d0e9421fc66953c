"""Link poses, centre of mass and mass matrix of every model against Choreonoid's own."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.corpus.outcomes import is_read
from tests.sampling import sampled
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.formats import FORMATS
from unibody.model.inertia import Inertial
from unibody.model.pose import UNIT_MATRIX
from unibody.model.robot import Link, Robot

Floats = NDArray[np.float64]

TOLERANCE = 1e-9
SUFFIXES = tuple(suffix for entry in FORMATS for suffix in entry.suffixes)

# What unibody reads otherwise on purpose: tests/oracle/test_body.py says why of Body files, and
# Choreonoid ignores the center of a VRML Joint.
ON_PURPOSE = {"micro/doc_extra_pos.body", "micro/doc_import.body", "micro/vrml_accel.wrl"}


def _names() -> list[str]:
    """The models that Choreonoid loads and unibody has a format for."""
    index = SHARED / "oracle/INDEX.tsv"
    if not index.exists():
        return []
    rows = [line.split("\t") for line in index.read_text().splitlines()[1:]]
    listed = {row[0] for row in rows if row[1] == "body" and row[2].startswith("ok")}
    micro = SHARED / "oracle/micro/models"
    listed |= {
        f"micro/{path.name}" for path in micro.iterdir() if _truth_path(f"micro/{path.name}").exists()
    }
    found = {name for name in listed - ON_PURPOSE if name.lower().endswith(SUFFIXES)}
    return sorted(name for name in found if is_read(_model(name)))


def _truth_path(name: str) -> Path:
    return SHARED / "oracle" / f"{name}.json"


def _model(name: str) -> Path:
    if name.startswith("micro/"):
        return SHARED / "oracle/micro/models" / name.removeprefix("micro/")
    return DEV / name


NAMES = _names()


def as_loaded(robot: Robot, truth: dict[str, Any]) -> Robot:
    """The robot with what Choreonoid assumes where the file is silent: the base, and masses.

    It gives a link without mass data 1 kg, one without inertia a unit inertia, and a URDF a
    free base.
    """
    there = {link["name"]: link for link in truth["links"]}
    links = tuple(_filled(link, there[link.name]) for link in robot.links)
    return replace(robot, base="fixed" if truth["fixed_root"] else "free", links=links)


def _filled(link: Link, there: dict[str, Any]) -> Link:
    own = link.inertial
    if own is None and there["m"]:
        return replace(link, inertial=Inertial(mass=there["m"], com=tuple(there["c"]), inertia=UNIT_MATRIX))
    if own is not None and not np.any(own.inertia) and np.allclose(there["I"], np.eye(3).ravel()):
        return replace(link, inertial=replace(own, inertia=UNIT_MATRIX))
    return link


def _configurations(
    mechanism: ub.Mechanism, truth: dict[str, Any]
) -> Iterator[tuple[Floats, dict[str, Any]]]:
    joints = {joint.child: number for number, joint in enumerate(mechanism.robot.joints)}
    for configuration in truth["configurations"]:
        q = mechanism.initial.copy()
        for name, _, _, value in configuration.get("q", []):
            # Choreonoid lists positions of a root and of welded joints too, and moves neither.
            if name in joints and mechanism.robot.joints[joints[name]].kind in ("revolute", "prismatic"):
                q[mechanism.idx_q[joints[name]]] = value
        yield q, configuration


def _selection(mechanism: ub.Mechanism, truth: dict[str, Any], size: int, turn: Floats) -> Floats:
    """The matrix S with v = S · (Choreonoid's velocities): root along world axes, joints by id."""
    joints = {joint.child: number for number, joint in enumerate(mechanism.robot.joints)}
    base = 0 if truth["fixed_root"] else 6
    out = np.zeros((mechanism.nv, size))
    for start in range(0, base, 3):
        out[start : start + 3, start : start + 3] = turn.T
    for link in truth["links"]:
        # A root may have an id; its row is zero.
        moves = link["name"] in joints and link["joint_type"] in ("revolute", "prismatic")
        if moves and link["joint_id"] >= 0:
            out[mechanism.idx_v[joints[link["name"]]], base + link["joint_id"]] = 1.0
    return out


def _worst(ours: Any, theirs: Any, scale: float = 1.0) -> float:
    difference = np.abs(np.asarray(ours) - np.asarray(theirs))
    return float(difference.max(initial=0.0)) / max(scale, float(np.abs(theirs).max(initial=0.0)))


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(NAMES))
def test_poses_masses_and_mass_matrix(name: str) -> None:
    truth = json.loads(_truth_path(name).read_text())
    if not truth.get("ok") or "configurations" not in truth:
        pytest.skip("Choreonoid does not load it")
    if any(
        abs(math.hypot(*link["a"]) - 1.0) > 1e-9 for link in truth["links"][1:] if link["joint_id"] >= 0
    ):
        pytest.skip("has an axis that is not a unit vector: Choreonoid's turn is no rotation then")
    ids = [link["joint_id"] for link in truth["links"] if link["joint_id"] >= 0]
    if len(ids) > len(set(ids)):
        pytest.skip("has two joints of one id: Choreonoid keeps one of them")
    robot = ub.load(_model(name))
    names = [link["name"] for link in truth["links"]]
    if sorted(names) != sorted(link.name for link in robot.links):
        pytest.skip("has links without names, or several of one name")
    mechanism = ub.assemble(as_loaded(robot, truth))
    order = [mechanism.link_names.index(link) for link in names]
    for q, configuration in _configurations(mechanism, truth):
        poses, rows = mechanism.forward_kinematics(q)[order], np.array(configuration["links"], float)
        assert _worst(poses[:, :3, :3].reshape(-1, 9), rows[:, :9]) < TOLERANCE
        assert _worst(poses[:, :3, 3], rows[:, 9:]) < TOLERANCE
        if truth["mass"]:
            assert _worst(mechanism.center_of_mass(q), np.array(configuration["com"], float)) < TOLERANCE
        size = configuration["mass_matrix"]["n"]
        theirs = np.array(configuration["mass_matrix"]["M"], float).reshape(size, size)
        # With an inertia that is not symmetric in the file theirs is not either.
        theirs = (theirs + theirs.T) / 2.0
        select = _selection(mechanism, truth, size, poses[0, :3, :3])
        assert _worst(select.T @ mechanism.mass_matrix(q) @ select, theirs, 1e-300) < TOLERANCE


@pytest.mark.usefixtures("shared")
def test_every_model_was_compared() -> None:
    assert len(NAMES) >= 290
