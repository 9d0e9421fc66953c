"""A format is one record: a toy format outside the package is read, written, checked, shown, laid out,
fuzzed and documented by passing its record, and nothing in unibody knows of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.formats.toy import FORMAT, SAMPLE
from tests.project.tools import ROOT, tool

import unibody as ub
from unibody.conversion.formatting import formatted
from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.meshes import MeshCache
from unibody.model.device import Camera, Device
from unibody.page.data import Origin, page_data

#: A reading option that only the toy format has.
MM: dict[str, Any] = {"unit": "mm"}


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


def test_an_option_of_reading(door: Path) -> None:
    small = ub.load(door, FORMAT, **MM)
    assert small.joints[0].origin.xyz == pytest.approx((0.0, 0.00005, 0.0))
    assert small == ub.loads(SAMPLE, format=FORMAT, **MM)
    report = ub.convert(door, door.with_suffix(".urdf"), source_format=FORMAT, dry_run=True, **MM)
    assert not report.reading
    with pytest.raises(ValueError, match="unit must be 'm' or 'mm', not 'inch'"):
        ub.load(door, FORMAT, **{**MM, "unit": "inch"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'units'; did you mean 'unit'"):
        ub.load(door, FORMAT, **{**MM, "units": "mm"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'unit'"):
        ub.load(door, **MM)  # nothing tells of the toy format
    (found,) = (f for f in ub.read(door, FORMAT, srdf="door.srdf").findings if f.severity == "error")
    assert found.message == "option 'srdf' is unsupported in Toy files"
    assert found.hint == "it is an option of URDF files"


def test_an_option_of_writing(door: Path, tmp_path: Path) -> None:
    robot = ub.load(door, FORMAT)
    assert "mass" in ub.dumps(robot, format=FORMAT, plain=True, masses="all")
    assert "mass" not in ub.dumps(robot, format=FORMAT, plain=True, masses="none")
    report = ub.save(robot, tmp_path / "a.toy", format=FORMAT, plain=True, masses="none")
    assert [loss.path for loss in report.losses] == ["links/leaf/inertial"]
    report = ub.convert(door, tmp_path / "b.toy", format=FORMAT, source_format=FORMAT, masses="none", **MM)
    assert report.losses
    with pytest.raises(ub.SaveError, match="masses must be one of all, none, got 'some'"):
        ub.save(robot, tmp_path / "c.toy", format=FORMAT, masses="some")
    with pytest.raises(ub.SaveError, match="option 'loops' is unsupported in Toy files") as error:
        ub.save(robot, tmp_path / "c.toy", format=FORMAT, loops="urdf+")
    assert error.value.findings[0].hint == "it is an option of URDF files"
    with pytest.raises(TypeError, match="unexpected keyword argument 'mases'; did you mean 'masses'"):
        ub.convert("nowhere.toy", tmp_path / "c.toy", format=FORMAT, mases="none")
    with pytest.raises(TypeError, match="unexpected keyword argument 'masses'"):
        ub.save(robot, tmp_path / "c.urdf", masses="none")
    assert not (tmp_path / "c.toy").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("convert door.toy out.toy --masses none --unit mm --plain", 0, "mass off by 20 kg"),
        ("convert door.toy out.urdf --masses none", 2, "'masses' is unsupported in URDF files"),
        ("convert door.toy out.toy --loops urdf+", 2, "'loops' is unsupported in Toy files"),
        ("info door.toy --srdf door.srdf", 1, "'srdf' is unsupported in Toy files"),
        ("info box.urdf --unit mm", 1, "'unit' is unsupported in URDF files"),
        ("diff box.urdf box.urdf --unit mm", 0, "'unit' is unsupported in URDF files; ignored"),
    ],
)
def test_options_of_the_command(door: Path, words: str, code: int, said: str) -> None:
    (door.parent / "box.urdf").write_text('<robot name="box"><link name="box"/></robot>', "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words.split()],
        cwd=door.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr


#: The command in which the toy format is one of FORMATS.
COMMAND = """
import sys, unibody.formats as formats
from tests.formats.toy import FORMAT
formats.FORMATS = (*formats.FORMATS, FORMAT)
from unibody.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


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
