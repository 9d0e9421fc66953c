"""Real and hostile files: safe fixes keep the robot, fix what they say, and are made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fix.patching import patch
from tests.shared import SHARED

import unibody as ub
from unibody.checks.rules import fixable_codes
from unibody.fixes import Model, fixed
from unibody.fixes.search import patched
from unibody.formats.read_options import ReadOptions

SUFFIXES = {".urdf", ".xacro", ".body", ".yaml", ".wrl", ".iv", ".rob"}


def _curable(folder: Path) -> list[Path]:
    """The files of a folder that reading alone finds something in that has a fix."""
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
    return [p for p in paths if any(_is_curable(f) for f in ub.read(p).findings)]


def _is_curable(finding: ub.Finding) -> bool:
    return finding.code in fixable_codes() and finding.severity != "info"


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["dev", "bad"])
@pytest.mark.usefixtures("shared")
def test_safe_fixes(folder: str) -> None:
    root = SHARED / "corpus" / folder
    count = 0
    for path in _curable(root):
        fix = ub.fix(path)
        if not fix.changes:
            continue
        count += len(fix.fixes)
        for change in fix.changes:
            assert change.after is not None
            lines = [line.replace("\r", "") for line in change.diff()]
            assert _read(change.after) == patch(_read(change.before), lines), path
        model = Model(path=str(path))
        files = patched(model.files, fix.changes)
        assert files is not None
        before, after = ub.read(path), ub.read(path, files=files)
        assert before.robot is not None
        assert after.robot is not None
        changed = [str(d) for d in ub.diff(before.robot, after.robot)]
        assert all(d.startswith("extras/") for d in changed), (path, changed)
        assert len(after.findings) <= len(before.findings), path
        again = fixed(Model(path=str(path), options=ReadOptions(files=files)))
        assert again.fixes == (), (path, again.diff())
    assert count >= {"dev": 40, "bad": 5}[folder]


def _read(data: bytes) -> str:
    return data.decode("utf-8-sig", "surrogateescape")
