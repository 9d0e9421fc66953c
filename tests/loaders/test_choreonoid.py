"""Body and OpenHRP files with one slip: what unibody says and assumes, and their loaders' verdicts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.loaders.verdicts import LOADS, SUFFIXES, Case, cases, recorded

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.model.facts import facts

CASES = [case for case in cases() if case.format in ("body", "openhrp")]


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.format}: {case.name}")
def test_case(case: Case) -> None:
    """The finding has the severity of the table, and the robot is what it assumes."""
    name = f"model{SUFFIXES[case.format]}"
    texts = {name: case.text, **case.files}
    reading = ub.read(name, files=MemoryFiles({path: text.encode() for path, text in texts.items()}))
    found = list(reading.findings)
    if reading.ok and reading.robot is not None:
        # shapes of VRML are read when they are used
        found += ub.check(reading.robot)
    assert {f.severity for f in found if f.code == case.code} == {case.severity}, found
    assert any(f.severity == "error" for f in found) == (case.severity == "error"), found
    if case.severity != "error":
        assert reading.robot is not None
        known = facts(reading.robot)
        assert {path: _plain(known.get(path)) for path in case.gives} == dict(case.gives)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.format}: {case.name}")
def test_severity_follows_the_loaders(case: Case) -> None:
    taken = [row.loader for row in recorded() if row.key == case.key and row.verdict in LOADS]
    if taken and case.severity == "error":
        assert case.policy, f"{', '.join(taken)} loads the file"
