"""Written Body and OpenHRP files, read again, against what Choreonoid's own loader made of their sources.

A reader and a writer that share a mistake agree with one another, but not with these numbers. With
UNIBODY_WHOLE_CORPUS every model is written, else each fifth.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.corpus.outcomes import is_read
from tests.oracle import test_body, test_openhrp
from tests.oracle.choreonoid import compare

import unibody as ub
from unibody.conversion.measurement import with_names
from unibody.conversion.pipeline import save
from unibody.formats.loader import read_with
from unibody.model.robot import Robot

WHOLE = bool(os.environ.get("UNIBODY_WHOLE_CORPUS"))
STEP = 1 if WHOLE else 5
MODELS = [*test_body.ROWS[::STEP], *test_openhrp.BODIES[::STEP]]
PAIRS = [
    (name, suffix) for name in MODELS if is_read(test_body._model(name)) for suffix in (".body", ".wrl")
]

# What both formats can say, in the words of ``compare``.
SAID = ("parent", "pose", "kind", "axis", "number", "mass", "com", "inertia", "Jm2")
LIMITS = ("position limits", "velocity limits", "effort limits")

# What the written file cannot say (docs/capabilities.md), by source and suffix.
CANNOT = {
    # of motors an OpenHRP file says the largest current
    ("choreonoid+choreonoid/share/model/misc/pendulum.body", ".wrl"): ("ARM: effort limits",),
    ("choreonoid+choreonoid/share/model/multicopter/quadcopter.body", ".wrl"): tuple(
        f"PROP{k}: effort limits" for k in range(4)
    ),
    # an inertia without mass
    ("tork-a+rtmros_nextage/nextage_description/models/main.wrl", ".body"): (
        "WAIST: inertia",
        "CHEST_JOINT0: inertia",
    ),
}


def source_of(name: str) -> tuple[Path, dict[str, Any] | None]:
    """A model file and its dump, without devices: these have tests of their own."""
    of = test_body if name.endswith(".body") else test_openhrp
    truth = of._truth(name)
    if truth is not None and truth["ok"]:
        truth["devices"] = []
        return of._model(name), truth
    return of._model(name), None


def again(robot: Robot, target: Path) -> Robot:
    """A robot written and read again, its links and joints called as before."""
    report = save(robot, target, plain=True)
    found = read_with(target, plain=True)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    back = with_names(found.robot, [x.difference for x in report.losses], back=True)
    # an OpenHRP robot begins with all joints at zero; the dumped poses begin where the source does
    initial = {j.child: j.initial for j in robot.joints}
    joints = tuple(replace(j, initial=initial.get(j.child, j.initial)) for j in back.joints)
    return replace(back, joints=joints)


def numbers(robot: Robot, truth: dict[str, Any]) -> list[str]:
    """What differs in poses, masses, axes and limits."""
    out = []
    for line in compare(replace(robot, devices=(), loops=(), base=None), {**truth, "extra_joints": []}):
        name, _, what = line.partition(": ")
        if name.startswith(("configuration", "links only")) or what.startswith((*SAID, *LIMITS)):
            out.append(line)
    return out


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(("name", "suffix"), PAIRS)
def test_written_file_agrees_with_choreonoid(name: str, suffix: str, tmp_path: Path) -> None:
    path, truth = source_of(name)
    reading = ub.read(path)
    if truth is None:
        pytest.skip("Choreonoid refuses the source")
    assert reading.ok
    assert reading.robot is not None
    # where the reader differs on purpose, the tests of its format say so
    known = set(numbers(reading.robot, truth))
    found = [d for d in numbers(again(reading.robot, tmp_path / f"m{suffix}"), truth) if d not in known]
    allowed = CANNOT.get((name, suffix), ())
    assert [d for d in found if not d.startswith(allowed or ("\0",))] == []
    for start in allowed:
        assert any(d.startswith(start) for d in found), f"{start}: no longer differs; take it off the list"
