"""Bodies, joints, limits, colliders and poses of real stages are those of OpenUSD's own parser."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.shared import CORPUS, ORACLE
from tests.usd.judge import differences

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
