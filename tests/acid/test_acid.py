"""The acid test: unibody has every fact right, and the page tells what engines have (docs/acid.md)."""

from __future__ import annotations

import pytest
from tests.acid import own
from tests.acid.facts import MODELS, Fact, facts

CASES = [pytest.param(fact, file, id=f"{fact.name}-{file}") for fact in facts() for file in fact.files]


@pytest.mark.parametrize(("fact", "file"), CASES)
def test_fact_holds_in_unibody(fact: Fact, file: str) -> None:
    found = own.found(fact, file)
    assert fact.holds(found, 1e-12), f"expected {fact.expected}, got {found}; {fact.because}"


def test_facts_have_one_name_and_every_model_is_asked() -> None:
    names = [fact.name for fact in facts()]
    assert len(names) == len(set(names))
    meshes = {"tetra.obj", "tetra_mm.dae"}
    assert {file for fact in facts() for file in fact.files} == {p.name for p in MODELS.iterdir()} - meshes
