"""Every MJCF file of ../shared that MuJoCo loads reads as MuJoCo compiled it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.formats.mjcf.oracle import Comparison, load
from tests.shared import CORPUS, SHARED

import unibody as ub

MICRO = CORPUS / "micro/mjcf"
INDEX, BAD = SHARED / "oracle/more/INDEX.tsv", SHARED / "corpus/bad-more/EXPECT.tsv"
# A joint whose stiffness depends on an inertia to which the armature of a spatial tendon belongs.
TENDON_ARMATURE = "sleep/smooth.xml"
#: The findings of the files of the table.
CODES = {
    "typo_attribute": "unknown-key",
    "degrees_without_compiler": "angle-radians",
    "range_reversed": "range-reversed",
    "massless_moving": "body-massless",
    "triangle": "inertial-rejected",
    "class_cycle": "default-class",
    "frame_to_far_nesting": "nesting-too-deep",
    "replicate_bomb": "too-many-nodes",
    "include_outside": "include-rejected",
    "include_cycle_a": "include-recursion",
    "mesh_without_type": "mesh-without-type",
    "obj_two_objects": "mesh-loader",
    "ascii_stl": "mesh-loader",
    "nan_pose": "number-not-finite",
    "keyframe_length": "keyframe-length",
    "old_composite": "soft-body-kept",
}


@cache
def compiled() -> tuple[tuple[str, Path], ...]:
    """The files that MuJoCo loads, below the corpus, and its dump of each."""
    if not INDEX.exists():
        return ()
    rows = [line.split("\t") for line in INDEX.read_text().splitlines()[1:]]
    out = []
    for path, loader, state, *_ in rows:
        if loader.startswith("mujoco") and state == "ok":
            dumps = (INDEX.parent / f"{p}.mujoco.json.gz" for p in (path.partition("/")[2], path))
            out.append((path, next(dump for dump in dumps if dump.exists())))
    return tuple(out)


def differences(path: Path, dump: Path) -> list[str]:
    """What differs between a file and its dump."""
    reading = ub.read(path)
    errors = [str(f) for f in reading.findings if f.severity == "error"]
    if errors or reading.robot is None:
        return errors or ["no robot"]
    found = Comparison(reading.robot, load(dump)).run()
    if str(path).endswith(TENDON_ARMATURE):
        found = [x for x in found if ": damping: " not in x and ": stiffness: " not in x]
    return found


@pytest.mark.usefixtures("shared")
@pytest.mark.slow
def test_the_corpus_is_read_as_mujoco_compiles_it() -> None:
    files = compiled()
    wrong = {path: found for path, dump in files if (found := differences(CORPUS / path, dump))}
    print(f"{len(files) - len(wrong)} of {len(files)} files agree with MuJoCo")
    assert not wrong, "\n".join(f"{path}: {found[0]}" for path, found in wrong.items())
    assert len(files) == 180


@pytest.mark.usefixtures("shared")
def test_every_rule_is_read_as_mujoco_compiles_it() -> None:
    dumps = sorted(MICRO.rglob("*.mujoco.json"))
    wrong = {}
    for dump in dumps:
        path = dump.with_name(dump.name.removesuffix(".mujoco.json"))
        if found := differences(path, dump):
            wrong[path.name] = found
    print(f"{len(dumps) - len(wrong)} of {len(dumps)} rules agree with MuJoCo")
    assert not wrong, "\n".join(f"{name}: {found[0]}" for name, found in wrong.items())
    assert len(dumps) == 44


def _bad() -> list[tuple[str, str]]:
    if not BAD.exists():
        return []
    rows = [line.split("\t") for line in BAD.read_text().splitlines()[1:]]
    return [(row[0], row[1]) for row in rows if row[0].startswith("mjcf/")]


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(("name", "severity"), _bad(), ids=[name for name, _ in _bad()])
def test_a_bad_file_has_its_finding(name: str, severity: str) -> None:
    reading = ub.read(BAD.parent / name)
    code = CODES[Path(name).stem]
    found = [f for f in reading.findings if f.code == code]
    assert found, [str(f) for f in reading.findings]
    assert all(f.at is not None for f in found)
    assert found[0].severity in severity.split("|")
    assert reading.ok == (severity == "warning")
