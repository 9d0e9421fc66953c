"""A format is one record: a toy format outside the package is read, written, checked, shown, laid out,
fuzzed and documented by passing its record, and nothing in unibody knows of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.formats.toy import FORMAT, SAMPLE
from tests.project.tools import tool

import unibody as ub
from unibody.conversion.formatting import formatted
from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.meshes import MeshCache
from unibody.model.device import Camera, Device
from unibody.page.data import Origin, page_data


@pytest.fixture
def door(tmp_path: Path) -> Path:
    path = tmp_path / "door.toy"
    path.write_text(SAMPLE, "utf-8")
    return path


def test_read(door: Path) -> None:
    reading = ub.read(door, FORMAT)
    assert reading.ok
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.format is FORMAT
    robot = ub.load(door, FORMAT)
    assert [link.name for link in robot.links] == ["frame", "leaf"]
    assert robot.joints[0].limits.position == (0.0, 1.75)
    assert list(ub.assemble(robot).joint_names) == ["hinge"]


def test_what_is_wrong_has_its_place(door: Path) -> None:
    door.write_text(SAMPLE.replace('low="0"', 'low="zero"').replace('parent="frame"', 'parent="fram"'))
    errors = [f for f in ub.read(door, FORMAT).findings if f.severity == "error"]
    assert len(errors) == 2
    assert all(f.at is not None and f.at.line == 5 for f in errors)
    with pytest.raises(ub.LoadError):
        ub.load(door, FORMAT)


def test_a_model_that_it_refers_to_is_read_in_the_same_format(door: Path, tmp_path: Path) -> None:
    reader = FORMAT.reader()

    def inner(document: Document, context: Context) -> ub.Robot | ub.Scene | None:
        if context.path != str(door):
            return context.load_robot(str(door), replace(context, path=str(door)))
        return reader.to_robot(document, context)

    outer = tmp_path / "outer.toy"
    outer.write_text("<toy/>", "utf-8")
    robot = ub.load(outer, replace(FORMAT, reader=lambda: replace(reader, to_robot=inner)))
    assert robot.name == "door"


def test_check(door: Path) -> None:
    assert {f.severity for f in ub.check(ub.load(door, FORMAT))} <= {"info", "warning"}


def test_write(door: Path, tmp_path: Path) -> None:
    robot = ub.load(door, FORMAT)
    report = ub.save(robot, tmp_path / "again.toy", format=FORMAT)
    assert not report.losses
    assert report.format == "toy"
    assert not ub.diff(robot, ub.load(tmp_path / "again.toy", FORMAT))


def test_losses_are_measured_explained_and_carried(door: Path, tmp_path: Path) -> None:
    robot = ub.load(door, FORMAT)
    eye = Device(name="eye", link="leaf", spec=Camera())
    seeing = ub.Robot(name="door", links=robot.links, joints=robot.joints, base="free", devices=(eye,))
    report = ub.save(seeing, tmp_path / "plain.toy", format=FORMAT, plain=True)
    assert {loss.difference.path.split("/")[0] for loss in report.losses} == {"devices", "base"}
    assert all(loss.row is not None for loss in report.losses)
    ub.save(seeing, tmp_path / "carried.toy", format=FORMAT)
    assert not ub.diff(seeing, ub.load(tmp_path / "carried.toy", FORMAT))


def test_convert(door: Path, tmp_path: Path) -> None:
    report = ub.convert(door, tmp_path / "door.urdf", source_format=FORMAT)
    assert not report.reading
    report = ub.convert(tmp_path / "door.urdf", tmp_path / "back.toy", format=FORMAT)
    assert report.format == "toy"
    assert not ub.diff(ub.load(door, FORMAT), ub.load(tmp_path / "back.toy", FORMAT))


def test_page(door: Path) -> None:
    robot = ub.load(door, FORMAT)
    origin = Origin(file=str(door), format=FORMAT.title)
    assert b"leaf" in page_data(robot, [], MeshCache(), origin).bytes


def test_layout(door: Path) -> None:
    door.write_text(SAMPLE.replace(' low="0"', '   lower="0"').replace("\n  ", " "), "utf-8")
    _, found = formatted(str(door), FORMAT)
    assert found is not None
    assert found.refused is None
    assert found.after.split() == SAMPLE.split()


def test_documentation() -> None:
    page = tool("reference").page(FORMAT.declarations())
    assert "| `axis` |" in page
    assert "old spellings" in page


def test_schema() -> None:
    import xmlschema

    (text,) = tool("schema").schemas(FORMAT).values()
    schema = xmlschema.XMLSchema(text)
    assert schema.is_valid(SAMPLE)
    assert not schema.is_valid(SAMPLE.replace('mass="20"', 'mass="heavy"'))


@pytest.fixture
def fuzzed(monkeypatch: pytest.MonkeyPatch) -> None:
    from fuzz import kinds

    monkeypatch.setitem(kinds.FORMATS, "toy", FORMAT)


@pytest.mark.usefixtures("fuzzed")
def test_fuzz() -> None:
    from fuzz.cases import make
    from fuzz.targets import run

    outcomes: Counter[str] = Counter()
    mutators: set[str] = set()
    for number in range(200):
        case = make("toy", number, "slice")
        mutators.add(case.mutator)
        outcomes[run(case, Random(number))] += 1
    assert 0 < outcomes["refused"] < 200
    assert len(outcomes) > 3
    assert "declared field" in mutators
