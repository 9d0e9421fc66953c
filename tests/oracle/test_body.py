"""Every Body file of the corpus against what Choreonoid's own loader made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.choreonoid import compare
from tests.sampling import sampled
from tests.shared import DEV, SHARED

import unibody as ub

# Where unibody differs on purpose (docs/formats/body.md says why): what may differ, by file.
ON_PURPOSE = {
    # the reference's link1_local_pos is read; Choreonoid ignores it
    "micro/doc_extra_pos.body": ("loop loop0: T1", "loop loop0: T2"),
    # import: *node is read in place; Choreonoid copies it to info only
    "micro/doc_import.body": ("A: mass", "A: kind", "A: number", "A: axis", "self-collision"),
}
# Choreonoid loads it and loses the links of the cycle; here it is an error.
REFUSED_HERE = {"micro/cyclic.body": "tree-cycle"}
# Choreonoid refuses it; here it loads (the reference documents Imu).
LOADED_HERE = {"micro/doc_imu.body"}
# Why else a file that Choreonoid refuses loads here: its mesh is missing (a finding), or a
# device belongs to a plug-in (kept as an opaque device).
HARMLESS = ("Unable to open file", "is not defined.")


def _rows() -> list[str]:
    index = SHARED / "oracle" / "INDEX.tsv"
    if not index.exists():
        return []
    rows = [line.split("\t") for line in index.read_text().splitlines()[1:]]
    listed = [r[0] for r in rows if r[0].endswith(".body")]
    micro = [f"micro/{p.name}" for p in sorted((SHARED / "oracle/micro/models").glob("*.body"))]
    return sorted({*listed, *micro})


def _model(name: str) -> Path:
    if name.startswith("micro/"):
        return SHARED / "oracle/micro/models" / name.removeprefix("micro/")
    return DEV / name


def _truth(name: str) -> dict[str, Any] | None:
    path = SHARED / "oracle" / f"{name}.json"
    if not path.exists():
        return None
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def _refusal(name: str) -> str:
    """What Choreonoid said when it refused the file."""
    truth = _truth(name)
    if truth is not None:
        return str(truth["messages"])
    for line in (SHARED / "oracle/INDEX.tsv").read_text().splitlines():
        if line.startswith(f"{name}\t"):
            return line.split("\t")[6]
    return ""


ROWS = _rows()


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(ROWS))
def test_body_file_agrees_with_choreonoid(name: str) -> None:
    truth = _truth(name)
    reading = ub.read(_model(name))
    codes = {f.code for f in reading.findings if f.severity == "error"}
    if name in REFUSED_HERE:
        assert REFUSED_HERE[name] in codes
        return
    if truth is None or not truth["ok"]:
        loads = name in LOADED_HERE or any(word in _refusal(name) for word in HARMLESS)
        assert reading.ok == loads, [str(f) for f in reading.findings]
        return
    assert reading.ok, [str(f) for f in reading.findings]
    assert reading.robot is not None
    allowed = ON_PURPOSE.get(name, ())
    found = list(compare(reading.robot, truth))
    assert [d for d in found if not d.startswith(allowed or ("\0",))] == []
    for start in allowed:
        if start != "self-collision" and not start.endswith("axis"):
            assert any(d.startswith(start) for d in found), (
                f"{start}: no longer differs; take it off the list"
            )


@pytest.mark.usefixtures("shared")
def test_every_body_file_was_compared() -> None:
    assert len(ROWS) >= 160
