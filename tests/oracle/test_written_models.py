"""Written Body and OpenHRP files against what Choreonoid's own loader made of their sources.

The small models of ``shared/oracle/written`` reproduce what was once written wrongly. What the written
files say is taken as that loader takes it (``Writer.as_loaded``, joints without id); what then differs from
the dump of the source must be a loss in the report.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.corpus.outcomes import models
from tests.oracle.choreonoid import compare
from tests.oracle.test_meshes import differences
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.conversion.measurement import with_names
from unibody.conversion.pipeline import convert, read_source, save_reading
from unibody.conversion.report import Report
from unibody.formats import by_name
from unibody.formats.loader import read_with
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape

WRITTEN = SHARED / "oracle/written"
MODELS = sorted(p for p in WRITTEN.glob("*.*") if p.with_name(f"{p.name}.json").exists())
TARGETS = {".body": "body", ".wrl": "openhrp"}

# What differs from the dump, and the loss in the report that says so.
ANNOUNCED: dict[tuple[str, str], dict[str, str]] = {
    ("self.body", ".wrl"): {"self-collision": "self-collision rules"},
    ("track.body", ".wrl"): {"T: axis": "tracks"},
    ("arm.urdf", ".wrl"): {
        "B: effort limits": "effort limits",
    },
    ("caps.body", ".wrl"): {"A: triangles": "capsules", "A: area": "capsules", "A: volume": "capsules"},
}


def loaded(path: Path, report: Report) -> Robot:
    """The robot that Choreonoid reads, its links called as before."""
    found = read_with(path, plain=True)
    assert found.robot is not None, [str(f) for f in found.findings]
    writer = by_name(TARGETS[path.suffix]).writer  # type: ignore[union-attr]
    assert writer is not None
    return with_names(writer().as_loaded(found.robot), [x.difference for x in report.losses], back=True)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("suffix", TARGETS)
@pytest.mark.parametrize("model", MODELS, ids=lambda p: p.name)
def test_written_models_are_what_choreonoid_made_of_their_sources(
    model: Path, suffix: str, tmp_path: Path
) -> None:
    truth = json.loads(model.with_name(f"{model.name}.json").read_text())
    # where the reader differs on purpose, the tests of its format say so
    source = ub.load(model)
    known = {*compare(source, truth), *differences(source, truth)}
    report = convert(model, tmp_path / f"m{suffix}", plain=True)
    robot = loaded(tmp_path / f"m{suffix}", report)
    found = [d for d in (*compare(robot, truth), *differences(robot, truth)) if d not in known]
    announced = ANNOUNCED.get((model.name, suffix), {})
    assert [d for d in found if not d.startswith(tuple(announced) or "\0")] == []
    rows = {x.row.what for x in report.losses if x.row is not None}
    for start, what in announced.items():
        assert any(d.startswith(start) for d in found), f"{start}: no longer differs; take it off the list"
        assert what in rows
    numbers = {j.child: j.number for j in robot.joints if j.number is not None}
    assert numbers == {x["name"]: x["joint_id"] for x in truth["links"] if x["joint_id"] >= 0}


# --- the whole corpus ------------------------------------------------------------------------

_SOURCES = models(".body", ".urdf", ".xacro", ".wrl", ".rob")
# With UNIBODY_WHOLE_CORPUS every model is written, else each twentieth.
SOURCES = _SOURCES if os.environ.get("UNIBODY_WHOLE_CORPUS") else _SOURCES[::20]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(DEV).as_posix())
def test_written_files_load_and_their_joints_can_be_controlled(path: Path, tmp_path: Path) -> None:
    reading = read_source(path)
    assert reading.robot is not None
    assert reading.format is not None
    for suffix in TARGETS:
        target = tmp_path / f"m{suffix}"
        report = save_reading(reading, target, plain=True)
        found = read_with(target, plain=True)
        assert found.robot is not None
        # within a format the lines of the source stay, those that name a missing file, too
        if report.layout is None or report.layout.anew:
            assert list(refused(found.robot, target)) == []
        assert list(without_number(reading.robot, reading.format.name, found.robot, report)) == []


def refused(robot: Robot, target: Path) -> Iterator[str]:
    """The mesh and texture files of a written file that Choreonoid would refuse."""
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions):
            for uri, path in files_of(shape):
                if not path or not os.path.isfile(path):
                    yield f"{link.name}: {uri} is missing"
                elif ":" in uri:
                    yield f"{link.name}: {uri} is no path beside the model"


def files_of(shape: Shape) -> Iterator[tuple[str, str]]:
    """URI and path of the mesh file and the texture of a shape."""
    if isinstance(shape.geometry, MeshFile):
        yield shape.geometry.uri, shape.geometry.path
    texture = shape.material.texture if shape.material is not None else None
    if texture is not None and texture.uri:
        yield texture.uri, texture.path


def without_number(source: Robot, format: str, back: Robot, report: Report) -> Iterator[str]:
    """What is wrong with the joint ids of a written file."""
    moving = [j for j in back.joints if j.kind not in ("fixed", "free")]
    if format in TARGETS.values():
        before = {j.number for j in source.joints if j.number is not None and j.number >= 0}
        after = {j.number for j in moving if j.number is not None and j.number >= 0}
        after |= {j.number for j in back.joints if j.number is not None and j.number >= 0}
        if before != after:
            yield f"ids {sorted(before)} became {sorted(after)}"
        return
    if sorted(j.number or 0 for j in moving) != list(range(len(moving))):
        yield f"ids are {[j.number for j in moving]}"
    said = {x.path.split("/")[1] for x in report.losses if x.path.endswith("/number") and x.kind == "added"}
    added = {x.path.split("/")[1] for x in report.losses if x.path.count("/") == 1 and x.kind == "added"}
    for j in moving:
        if j.name.replace("~", "~0").replace("/", "~1") not in said | added:
            yield f"the report does not list the id of {j.name}"
    order = {j.name: k for k, j in enumerate(source.joints)}
    names = {j.child: j.number for j in back.joints}
    ids = [names[j.child] for j in source.joints if names.get(j.child) is not None and j.name in order]
    if ids != sorted(ids):  # type: ignore[type-var]
        yield f"ids are not in document order: {ids}"
