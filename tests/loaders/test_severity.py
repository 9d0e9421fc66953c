"""unibody's own findings about the cases: as recorded, and no error where another loader loads the text."""

from __future__ import annotations

from tests.loaders.verdicts import LOADS, Case, cases, read, recorded
from tests.sampling import for_each

from unibody.model.facts import facts

CASES = [case for case in cases() if case.format == "urdf"]  # the others: test_choreonoid
LOADED = {row.key for row in recorded() if row.verdict in LOADS}
SAME = {row.key for row in recorded() if row.verdict == "same"}
#: Why a text that another loader loads may be an error.
POLICIES = {
    "not finite": "a number that is not finite enters a computation",
    "tree": "the links form no tree",
    "no robot": "there is nothing to make a robot of",
    "access": "entities are a matter of access and limits",
}


@for_each(CASES, lambda case: ": ".join(case.key))
def test_severity(case: Case) -> None:
    reading = read(case)
    found = [f for f in reading.findings if f.code == case.code]
    severities = [f.severity for f in found]
    worst = next((s for s in ("error", "warning", "info") if s in severities), "none")
    assert worst == case.severity, [str(f) for f in reading.findings]
    if case.severity != "error":
        assert reading.ok, [str(f) for f in reading.findings]
    if reading.ok and reading.robot is not None and case.gives:
        made = facts(reading.robot)
        wanted = {path: _plain(value) for path, value in case.gives.items()}
        assert {path: _plain(made.get(path)) for path in wanted} == wanted


@for_each([case for case in CASES if case.severity == "error"], lambda case: case.name)
def test_an_error_is_of_what_no_loader_loads(case: Case) -> None:
    assert case.policy in POLICIES if case.key in LOADED else case.policy in {"", *POLICIES}


def test_what_is_assumed_is_what_another_loader_makes() -> None:
    """Of most warnings: the other cases are those where all loaders that load the text differ."""
    warned = [case for case in CASES if case.severity == "warning"]
    odd = {case.name for case in warned if case.key in LOADED and case.key not in SAME}
    assert odd == DIFFERENT.keys()


#: Where unibody makes a robot of its own, and why.
DIFFERENT = {
    "commas without blanks in a joint origin": "as Choreonoid, which is not run here",
    "three words as an axis": "a joint that cannot move is fixed",
    "no-break spaces between numbers": "the numbers are known; PyBullet reads zeros",
    "infinite limits of Windows": "infinity as Windows prints it; PyBullet reads 1",
    "very long axis": "the axis is normalized; others lose its direction",
    "unknown joint type": "as Choreonoid, which is not run here",
    "joint type in capitals": "as Choreonoid, which is not run here",
    "joint type ball": "as Choreonoid, which is not run here",
    "zero axis of a prismatic joint": "a joint that cannot move is fixed",
    "zero axis of a revolute joint": "a joint that cannot move is fixed",
    "empty joint name": "joints have names here",
    "two joints of one name": "joints have names of their own here",
    "mesh file that does not exist": "the shape stays, without a file",
    "mesh file name of a folder": "the shape stays, without a file",
    "empty mesh filename": "the shape is ignored",
}


def _plain(value: object) -> object:
    """Lists for tuples, as YAML has them."""
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value
