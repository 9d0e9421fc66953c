"""Malformed, hostile and odd files: each gives what ../shared/corpus/bad/EXPECT.tsv says."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from tests.shared import SHARED

import unibody as ub
from unibody.formats import FORMATS

TABLE = SHARED / "corpus/bad/EXPECT.tsv"

# Rows about what is inside mesh files, which reading alone does not open.
NEEDS_MESHES = {"urdf/stl_huge_count.urdf", "urdf/obj_bad_index.urdf", "wrl/index_out_of_range.wrl"}
# Findings of the model that name the field in the line they show, not in the message.
SHOWN = {"wrl/inertia_not_pd.wrl", "wrl/limits_reversed.wrl"}
# Files that another loader loads (docs/loaders.md), so that their error is a warning.
LOADED_BY = {
    "urdf/dup_joint.urdf": "MuJoCo",
    "urdf/joint_type_unknown.urdf": "Choreonoid",
    "urdf/mimic_self.urdf": "Pinocchio",
    "urdf/xyz_two_numbers.urdf": "PyBullet",
}
# The folders that are not named after their format.
FOLDERS = {"wrl": "openhrp", "rob": "mpk", "iv": "inventor"}


def _rows() -> list[tuple[str, str, str]]:
    if not TABLE.exists():
        return []
    # folders are called after formats, or after their suffixes
    formats = {e.name for e in FORMATS} | {s.lstrip(".") for e in FORMATS for s in e.suffixes}
    rows = [[*line.split("\t"), "", ""] for line in TABLE.read_text().splitlines()[1:]]
    return [(r[0], r[1], r[2]) for r in rows if _format(r[0]) in formats]


def _format(row: str) -> str:
    folder = row.split("/", maxsplit=1)[0]
    return FOLDERS.get(folder, folder)


def _found(name: str) -> tuple[bool, list[ub.Finding]]:
    reading = ub.read(TABLE.parent / name)
    found = list(reading.findings)
    if name in NEEDS_MESHES and reading.robot is not None:
        found += ub.check(reading.robot)
    return reading.robot is not None and all(f.severity != "error" for f in found), found


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(("name", "must", "words"), _rows(), ids=[r[0] for r in _rows()])
def test_bad_file(name: str, must: str, words: str) -> None:
    started = time.process_time()
    ok, found = _found(name)
    assert time.process_time() - started < 20.0
    findings = [f for f in found if f.severity != "info"]
    level = "error" if not ok else "warning" if findings else "ok"
    if name in LOADED_BY:
        must = "warning"
    assert level in must.split("|"), [str(f) for f in found]
    if level == "ok":
        return
    text = " ".join(f.text() if name in SHOWN else f"{f} {f.hint}" for f in found).lower()
    for word in words.split("; "):
        if word == "line number":
            assert any(f.at is not None for f in findings)
        elif word:
            # "a or b": either word will do
            assert any(w.lower() in text for w in word.split(" or ")), (word, text)
    for f in findings:
        assert "root:x:" not in f.text()
        assert str(f).count("\n") == 0


@pytest.mark.slow
def test_findings_have_places(shared: Path) -> None:
    """A finding about a file's content says where."""
    for name, _, _ in _rows():
        for f in ub.read(shared / "corpus/bad" / name).findings:
            if f.severity == "error" and f.code not in ("empty", "not-a-mapping", "not-text"):
                assert f.at is not None, f
                assert re.search(r":\d+:\d+: error: ", str(f)), f


def test_nothing_is_run(shared: Path) -> None:
    ub.read(shared / "corpus/bad/body/python_tag.body")
    assert not Path("PWNED.txt").exists()
