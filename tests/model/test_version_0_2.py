"""Models that version 0.2 wrote, where screw and universal joints had neither pitch nor second axis."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.model.json import dumps, loads
from unibody.text.finding import Findings

HERE = Path(__file__).parent / "version_0_2"
MODELS = sorted(path.name for path in HERE.iterdir() if path.suffix not in (".json", ".srdf"))


def dumped() -> ub.Robot:
    findings = Findings()
    robot = loads((HERE / "press.json").read_text("utf-8"), "press", findings)
    assert robot is not None
    assert findings == []
    return robot


def test_a_dump_is_read_and_written_unchanged() -> None:
    robot = dumped()
    assert {joint.kind: joint.missing for joint in robot.joints} == {
        "screw": "pitch",
        "universal": "axis2",
        "ball": "",
    }
    assert dumps(robot) == (HERE / "press.json").read_text("utf-8")


@pytest.mark.parametrize("name", MODELS)
def test_a_side_car_is_applied(name: str) -> None:
    reading = ub.read(HERE / name)
    assert [finding.code for finding in reading.findings if finding.code.startswith("sidecar")] == []
    assert reading.robot is not None
    assert [str(each) for each in ub.diff(dumped(), reading.robot)] == []


def test_a_newer_version_is_named() -> None:
    findings = Findings()
    assert loads('{"unibody": 99, "name": "press"}', "press", findings) is None
    (found,) = findings
    assert (found.code, found.hint) == ("json-version", "a newer unibody wrote this file")
