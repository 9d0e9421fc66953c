"""The acid test: unibody has every fact right, and the page tells what engines have (docs/acid.md)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.acid import own
from tests.acid.asking import VERDICTS, Asker, Untold, recorded, value
from tests.acid.facts import FORMATS, MODELS, Fact, facts
from tests.project.tools import ROOT, tool

from unibody.proof.engines import ENGINES, Engine, engines_of
from unibody.proof.process import Answer, EngineMissing

ACID = tool("acid")
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


def test_page_is_in_step() -> None:
    assert (ROOT / ACID.PAGE).read_text("utf-8") == ACID.page(), f"run {ACID.HOW}"


def test_every_verdict_is_of_a_fact_and_every_fact_has_one() -> None:
    rows = recorded()
    cases = {(fact.name, file) for fact in facts() for file in fact.files}
    assert {(row.fact, row.file) for row in rows} <= cases
    assert {row.verdict for row in rows} <= set(VERDICTS)
    for engine in engines_of(",".join({row.engine for row in rows})):
        asked = {(row.fact, row.file) for row in rows if row.engine == engine.name}
        assert asked == {case for case in cases if FORMATS[Path(case[1]).suffix] in engine.formats}


def test_numbers_of_an_answer() -> None:
    by_name = {fact.name: fact for fact in facts()}
    joint = {"name": "hinge", "kind": "revolute", "zero": 0.25, "position": [0.0, 1.0]}
    answer = Answer(
        facts={"joints": [joint], "links": ["arm"], "dofs": [0], "passive": [], "couplings": []},
        arrays={"poses": np.eye(4)[None, None], "mass_matrix": np.array([[[0.28]]])},
    )
    assert by_name["limits from ref"].holds(value(by_name["limits from ref"], answer), 1e-15)
    assert by_name["inertia about the center of mass"].holds((0.28,), 1e-12)
    assert value(by_name["inertia about the center of mass"], answer) == (0.28,)
    assert value(by_name["origin without rpy"], answer) == (1.0, 0.0, 0.0)
    for name in ("damping", "unit of COLLADA", "spring", "mass of a scaled mesh"):
        with pytest.raises(Untold):
            value(by_name[name], answer)
    for name, words in (("mimic", "no coupling"), ("two hinges of one body", "no joint")):
        with pytest.raises(LookupError, match=words):
            value(by_name[name], answer)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_engines_answer_as_recorded(engine: Engine) -> None:
    """Of the version that was recorded; the engine may be another one, or not here."""
    known = {row.key: row for row in recorded() if row.engine == engine.name}
    versions = {row.version for row in known.values() if row.version}
    cases = [(fact, file) for fact in facts() for file in fact.files]
    asker = Asker(engine)
    try:
        rows = [asker.verdict(fact, file) for fact, file in cases[::15]]
    except EngineMissing:
        return
    for row in rows:
        if row is not None and row.version in versions:
            assert (row.key, row.verdict) == (row.key, known[row.key].verdict), row.note
