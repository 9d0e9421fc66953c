"""The acid test: unibody has every fact right, and the page tells what engines have (docs/acid.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.acid import own
from tests.acid.asking import VERDICTS, Asker, recorded
from tests.acid.facts import FORMATS, MODELS, Fact, facts
from tests.project.tools import ROOT, tool

from unibody.proof.engines import ENGINES, Engine, engines_of
from unibody.proof.process import EngineMissing

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
