"""Robots as text: what dumps writes, loads reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.convert.models import neutral
from tests.formats.toy import FORMAT as TOY
from tests.formats.toy import SAMPLE

import unibody as ub
from unibody.formats import FORMATS

PENDULUM = ub.Robot(
    name="pendulum",
    links=(ub.Link(name="stand"), ub.Link(name="bob", inertial=ub.Inertial(mass=1.0))),
    joints=(ub.Joint(name="swing", kind="revolute", parent="stand", child="bob"),),
    base="fixed",
)


WHOLE = [f for f in FORMATS if f.writer is not None and not f.completes]


@pytest.mark.parametrize("format", WHOLE, ids=lambda f: f.name)
def test_there_and_back(format: ub.Format) -> None:
    text = ub.dumps(PENDULUM, format=format)
    assert ub.dumps(PENDULUM, format=format.name) == text
    assert not ub.diff(ub.loads(text, format=format.name), PENDULUM)
    assert not ub.diff(ub.loads(text), PENDULUM)


@pytest.mark.parametrize("name", ["closed_loop", "mimic", "mpk"])
@pytest.mark.parametrize("format", ["urdf", "body", "openhrp"])
def test_the_side_car_is_in_the_text(name: str, format: str) -> None:
    before = neutral(name)
    assert not ub.diff(before, ub.loads(ub.dumps(before, format=format)))


def test_plain_text_has_no_side_car() -> None:
    before = neutral("closed_loop")
    text = ub.dumps(before, format="urdf", plain=True)
    assert "unibody" not in text
    assert ub.diff(before, ub.loads(text))


def test_a_format_of_your_own() -> None:
    door = ub.loads(SAMPLE, format=TOY)
    assert not ub.diff(door, ub.loads(ub.dumps(door, format=TOY), format=TOY))


def test_references_are_kept(tmp_path: Path) -> None:
    (tmp_path / "part.stl").write_bytes(b"solid a\nendsolid a\n")
    shown = '<visual><geometry><mesh filename="part.stl"/></geometry></visual>'
    text = f'<robot name="r"><link name="a">{shown}</link></robot>'
    before = ub.loads(text, directory=tmp_path)
    written = ub.dumps(before, format="urdf", directory=tmp_path)
    assert 'filename="part.stl"' in written
    after = ub.loads(written, directory=tmp_path)
    mesh = after.links[0].visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert mesh.path == str(tmp_path / "part.stl")


def test_what_needs_files_is_an_error() -> None:
    box = ub.Shape(geometry=ub.Box(size=(1.0, 1.0, 1.0)))
    with pytest.raises(ub.SaveError, match=r"text_files/a\.iv") as caught:
        ub.dumps(ub.Robot(name="r", links=(ub.Link(name="a", visuals=(box,)),)), format="mpk")
    assert caught.value.findings[0].hint == "use save"


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "utf-16", "shift_jis"])
def test_a_declared_encoding_does_not_count(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><robot name="ä表"><link name="a"/></robot>'
    assert ub.loads(text).name == "ä表"


def test_unknown_formats_are_errors() -> None:
    with pytest.raises(ub.SaveError, match="unknown format 'urfd'"):
        ub.dumps(PENDULUM, format="urfd")
    with pytest.raises(ub.LoadError, match="unknown format"):
        ub.loads("nothing")
    with pytest.raises(ub.LoadError, match="text:1:33"):
        ub.loads('<robot name="r"><link name="a"/></robot', format="urdf")
