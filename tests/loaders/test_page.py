"""docs/loaders.md is in step with the cases and verdicts, and these with one another."""

from __future__ import annotations

from tests.loaders.verdicts import VERDICTS, cases, recorded
from tests.project.tools import ROOT, tool

from unibody.checks.rules import rules

LOADERS = tool("loaders")


def test_page_is_in_step() -> None:
    assert (ROOT / LOADERS.PAGE).read_text("utf-8") == LOADERS.page(), f"run {LOADERS.HOW}"


def test_cases_are_unique_and_have_known_codes() -> None:
    keys = [case.key for case in cases()]
    assert len(keys) == len(set(keys))
    assert {case.code for case in cases()} <= rules().keys()


def test_every_verdict_is_of_a_case() -> None:
    keys = {case.key for case in cases()}
    for row in recorded():
        assert row.key in keys
        assert row.verdict in VERDICTS
        assert row.version


def test_every_case_has_a_verdict() -> None:
    judged = {row.key for row in recorded()}
    assert [case.key for case in cases() if case.key not in judged] == []
