"""A model for each fix: the diff that fixes it, and what is left alone.

``pytest tests/fix --accept`` writes the diffs; read them before keeping them.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from tests.fix.models import CASES

import unibody as ub
from unibody.checks.rules import fixable_codes, rules
from unibody.files.access import MemoryFiles
from unibody.fixes import Fix
from unibody.text.limits import ReadLimits

# These need other files beside the model, see test_fix.py.
ELSEWHERE = {"file-case", "file-missing", "uri-backslash", "uri-drive", "uri-elsewhere", "uri-slip"}


@pytest.fixture(scope="module")
def fix_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Fix]:
    """Gives all fixes of a case, named as it stands in a copy of its folder."""
    copies = tmp_path_factory.mktemp("cases")

    @cache
    def found(case: Path) -> Fix:
        folder = copies / case.parent.name
        if not folder.exists():
            shutil.copytree(case.parent, folder)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            return ub.fix(case.name, "all")

    return found


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_case(case: Path, fix_of: Callable[[Path], Fix], request: pytest.FixtureRequest) -> None:
    fix = fix_of(case)
    refused = [f"# {r.finding.at}: {r.why} [{r.finding.code}]\n" for r in fix.refused]
    got = fix.diff() + "".join(refused)
    golden = case.with_name(case.name + ".diff")
    if request.config.getoption("--accept"):
        golden.write_text(got, "utf-8")
    assert got == golden.read_text("utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_safe_remedies_leave_the_robot(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(case.parent, tmp_path / case.parent.name)
    monkeypatch.chdir(tmp_path / case.parent.name)
    before = ub.read(case.name).robot
    fix = ub.fix(case.name)
    assert all(r.fix.safe and r.finding.severity != "info" for r in fix.fixes)
    fix.write()
    after = ub.read(case.name).robot
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        changed = [str(d) for d in ub.diff(before, after)]
        assert not [d for d in changed if not d.startswith("extras/")], changed
        if not any(r.fix.leftover for r in fix.fixes):
            assert not changed
    assert ub.fix(case.name).fixes == ()


@pytest.mark.slow
def test_rules_declare_the_kinds_of_fixes() -> None:
    """The fixes of all cases and examples are of the kinds that the rules declare."""
    seen: dict[str, set[str]] = {}
    findings = [f for case in CASES for f in ub.check(case)]
    for rule in rules().values():
        if not rule.fails.command and rule.fails.format not in ("json", "pln"):
            files = MemoryFiles(rule.fails.contents(), limits=ReadLimits.of(rule.fails.limits.split()))
            findings += ub.check(rule.fails.read, files=files)
    for f in findings:
        if f.fix is not None:
            seen.setdefault(f.code, set()).add("safe" if f.fix.safe else "suggested")
    assert seen == {code: set(rules()[code].fixes) for code in fixable_codes()}


def test_every_code_has_a_case(fix_of: Callable[[Path], Fix]) -> None:
    seen = {r.finding.code for case in CASES for r in fix_of(case).fixes}
    assert fixable_codes() - seen == ELSEWHERE
