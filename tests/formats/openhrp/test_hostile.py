"""OpenHRP files that mean to exhaust the reader end in a finding, in seconds."""

from __future__ import annotations

import time

import pytest
from tests.formats.openhrp.cases import reading, rooted

TWICE = "".join(f"DEF G{i} Group {{ children [ USE G{i - 1} USE G{i - 1} ] }} " for i in range(1, 40))


@pytest.mark.slow
@pytest.mark.parametrize(
    "inner", ['Joint { jointType "fixed" }', "Segment { mass 1 }", "Gyro { }", "PointLight { }"]
)
def test_nodes_that_double_many_times(inner: str) -> None:
    started = time.process_time()
    found = reading(rooted(f"DEF G0 Group {{ children {inner} }} {TWICE}"))
    assert [f.code for f in found.findings if f.severity == "error"] == ["model-too-large"]
    assert time.process_time() - started < 20.0


def test_joints_nested_too_deep() -> None:
    text = 'DEF J Joint { jointType "fixed" children [ ' * 5000 + "] } " * 5000
    found = reading(rooted(text))
    assert [f.code for f in found.findings if f.severity == "error"] == ["nesting-too-deep"]


def test_a_chain_of_two_hundred_joints() -> None:
    text = "".join(f'DEF J{i} Joint {{ jointType "rotate" jointId {i} children [ ' for i in range(200))
    found = reading(rooted(text + "] } " * 200))
    assert found.ok
    assert found.robot is not None
    assert len(found.robot.joints) == 200


@pytest.mark.parametrize("number", ["1e999", "nan", "-inf", "1.#IND", "99999999999999999999"])
def test_numbers_that_are_none(number: str) -> None:
    found = reading(rooted(f'DEF S Segment {{ mass {number} }} DEF J Joint {{ jointType "free" }}'))
    assert found.robot is not None
    assert all(f.at is not None for f in found.findings if f.severity == "error")
    ids = reading(rooted(f'DEF J Joint {{ jointType "rotate" jointId {number} }}'))
    assert [f.severity for f in ids.findings if f.message.startswith("Joint 'J': jointId")] in (
        ["error"],
        ["warning"],
    )
