"""Groups, states and pairs of SRDF files against srdfdom, and the files with mistakes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.shared import SHARED

from unibody.formats.loader import read
from unibody.model.robot import Robot

MICRO = sorted((SHARED / "corpus/micro/srdf").glob("*.srdf"))
REAL = sorted((SHARED / "corpus/more/srdf").glob("*/*/*.srdf"))
BAD = SHARED / "corpus/bad-more"


def truth(path: Path) -> dict[str, Any]:
    """What srdfdom reads."""
    beside = path.with_name(f"{path.name}.srdfdom.json")
    if beside.exists():
        return dict(json.loads(beside.read_text()))
    dump = SHARED / "oracle/more" / path.relative_to(SHARED / "corpus/more")
    return dict(json.loads(gzip.decompress(dump.with_name(f"{dump.name}.srdfdom.json.gz").read_bytes())))


@pytest.mark.parametrize("path", [*MICRO, *REAL], ids=lambda p: f"{p.parent.name}/{p.name}")
def test_it_is_read_as_by_srdfdom(path: Path) -> None:
    robot = read(path).robot
    assert robot is not None
    said = truth(path)
    virtual = {name for name, *_ in said["virtual_joints"]}
    assert {g.name: _group(g) for g in robot.groups} == {
        g["name"]: [
            g["links"],
            [j for j in g["joints"] if j not in virtual],
            g["chains"],
            g["subgroups"],
        ]
        for g in said["groups"]
    }
    assert [(c.name, c.group, _values(c)) for c in robot.configurations] == [
        (s["name"], s["group"], {j: v for j, v in s["values"].items() if j not in virtual})
        for s in said["group_states"]
    ]
    assert {frozenset(pair) for pair in robot.self_collision.disabled} == _disabled(robot, said)


def _group(group: Any) -> list[Any]:
    chains = [[c.base_link, c.tip_link] for c in group.chains]
    return [list(group.members), list(group.joint_members), chains, list(group.subgroups)]


def _values(configuration: Any) -> dict[str, list[float]]:
    found = configuration.by_joint.items()
    return {joint: list(v) if isinstance(v, tuple) else [v] for joint, v in found}


def _disabled(robot: Robot, said: dict[str, Any]) -> set[frozenset[str]]:
    pairs = {frozenset(p[:2]) for p in said["disabled"] if p[0] != p[1]}
    enabled = {frozenset(p[:2]) for p in said["enabled"]}
    for link in said["no_default"]:
        others = (other.name for other in robot.links if other.name != link)
        pairs |= {frozenset((link, other)) for other in others} - enabled
    return pairs


def _expected() -> list[tuple[str, str]]:
    table = BAD / "EXPECT.tsv"
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()] if table.exists() else []
    return [(row[0], row[1]) for row in rows if row[0].startswith("srdf/")]


@pytest.mark.parametrize(("name", "severity"), _expected())
def test_a_mistake_is_a_finding(name: str, severity: str) -> None:
    findings = [
        f for f in read(BAD / name).findings if f.at is not None and f.at.source.name.endswith("srdf")
    ]
    assert severity in {f.severity for f in findings}
    if severity == "warning":
        assert "error" not in {f.severity for f in findings}
