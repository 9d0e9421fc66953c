"""A slice of ``make fuzz``: the same cases in every run, so that a change that breaks one of them is seen.

A fresh seed would find new faults here by chance, in a change that has nothing to do with them: that is
what ``make fuzz`` is for. Without ../shared the seeds are fewer, and the cases others.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from fuzz.cases import Case, make
from fuzz.kinds import KINDS
from fuzz.minimize import minimized
from fuzz.seeds import seeds
from fuzz.targets import run

SEED = "slice"
CASES = 400


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_slice(kind: str) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(CASES):
        case = make(kind, number, SEED)
        try:
            outcomes[run(case, Random(f"use {SEED}/{kind}/{number}"))] += 1
        except Exception as error:
            again = f"python -m fuzz --seed {SEED} --show {kind}/{number}"
            raise AssertionError(f"{case.mutator} of {case.name}: `{again}` shows it") from error
    # Cases that are all rejected, or hardly any that is read, test little.
    assert outcomes["refused"] <= 0.99 * CASES, outcomes
    assert len(outcomes) > 1 or kind == "mtl"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_seeds_are_read(kind: str) -> None:
    """At least one undamaged file of every kind is good."""
    said = {run(Case(kind, "", s.name, s.data, s.beside), Random(0)) for s in seeds(kind)[:20]}
    assert said != {"refused"}


def test_a_case_is_the_same_each_time() -> None:
    for kind in KINDS:
        a, b = make(kind, 7, "x"), make(kind, 7, "x")
        assert (a.data, a.mutator) == (b.data, b.mutator)


def test_what_is_minimized_still_fails() -> None:
    case = Case("urdf", "", "m.urdf", b'<?xml version="1.0"?><robot name="r"/>')

    def has_robot(smaller: Case) -> bool:
        return b"<robot" in smaller.data

    assert minimized(case, has_robot).data == b"<robot"


def test_a_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from fuzz import targets, worker

    def broken(*_: object, **__: object) -> None:
        raise KeyError("a fault")

    case = make("stl", 0, "x")
    monkeypatch.setattr(targets, "_mesh", broken)
    assert worker.attempt(case, Random(0)).mark.startswith("KeyError")
    monkeypatch.setattr(targets, "_mesh", lambda _: 1 / 0)
    assert worker.attempt(case, Random(0)).said == "bug"
