"""Bodies, joints, limits, colliders and poses of real stages are those of OpenUSD's own parser."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.shared import CORPUS, ORACLE
from tests.usd.judge import differences

import unibody as ub

_END = ".usd-core.json.gz"
_TRUTH = sorted(ORACLE.glob(f"more/usd/**/*{_END}")) if ORACLE.is_dir() else []
_MICRO = sorted((CORPUS / "micro" / "usd").glob("*.usd-core.json")) if CORPUS.is_dir() else []


@pytest.mark.slow
@pytest.mark.parametrize("truth", _TRUTH, ids=lambda path: path.name)
def test_stage(truth: Path) -> None:
    path = CORPUS / truth.relative_to(ORACLE).with_name(truth.name.removesuffix(_END))
    with gzip.open(truth) as data:
        assert differences(path, json.load(data)) == []


@pytest.mark.slow
@pytest.mark.parametrize("truth", _MICRO, ids=lambda path: path.name)
def test_micro(truth: Path) -> None:
    path = truth.with_name(truth.name.removesuffix(".usd-core.json"))
    assert differences(path, json.loads(truth.read_text("utf-8"))) == []


#: The findings of the files of the table, with their place in the text.
_BAD = {
    "compressed.usdz": "usdz-layout",
    "joint_frames_apart.usda": "joint-frames-apart",
    "joint_to_nothing.usda": "joint-body-missing",
    "limits_in_radians.usda": "limits-unit",
    "no_units.usda": "stage-units",
    "reference_cycle.usda": "usd-cycle",
    "reference_missing.usda": "file-missing",
    "reference_outside.usda": "outside-model",
    "syntax.usda": "usd-unreadable",
}


@pytest.mark.usefixtures("shared")
def test_bad_files_get_the_findings_that_they_need() -> None:
    folder = CORPUS / "bad-more"
    rows = [line.split("\t") for line in (folder / "EXPECT.tsv").read_text("utf-8").splitlines()]
    rows = [row for row in rows if row[0].startswith("usd/")]
    assert {row[0].removeprefix("usd/") for row in rows} == set(_BAD)
    for name, severity, *_ in rows:
        found = {f.code: f for f in ub.read(folder / name).findings}
        finding = found[_BAD[name.removeprefix("usd/")]]
        assert finding.severity == severity, name
        assert finding.at is not None or name.endswith(".usdz"), name
