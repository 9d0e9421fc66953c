"""Hidden files beside a model are not the model's: keys, settings and histories lie there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import unibody as ub
from unibody.conversion.pipeline import save
from unibody.files.access import Files, MemoryFiles
from unibody.files.atomic import PART
from unibody.text.finding import Findings

HOME = {"HOME": "/users/u"}
DISK = dict.fromkeys(
    (
        *("/users/u/.ssh/id", "/users/u/.netrc", "/users/u/arm/.git/config", "/users/u/meshes/a.stl"),
        *("/users/u/.cache/arm/meshes/a.stl", "/users/u/.cache/arm/urdf/.b.stl", "/users/u/.config/x"),
    ),
    b"",
)


@pytest.mark.parametrize(
    ("model", "uri", "opened"),
    [
        ("/users/u/arm/m.urdf", "../.ssh/id", False),
        ("/users/u/arm/m.urdf", "../.netrc", False),
        ("/users/u/arm/m.urdf", ".git/config", False),
        ("/users/u/arm/m.urdf", "..\\.ssh\\id", False),
        ("/users/u/arm/m.urdf", "../.SSH/ID", False),
        ("/users/u/arm/m.urdf", "../%2essh/id", False),
        ("/users/u/arm/m.urdf", "package://arm/../.ssh/id", False),
        ("/users/u/m.urdf", ".ssh/id", False),
        ("/users/u/m.urdf", "file:///users/u/.ssh/id", False),
        ("/users/u/arm/m.urdf", "../meshes/a.stl", True),
        # A model that lies in a hidden folder itself has what lies beside it there.
        ("/users/u/.cache/arm/urdf/m.urdf", "../meshes/a.stl", True),
        ("/users/u/.cache/arm/urdf/m.urdf", ".b.stl", False),
        ("/users/u/.cache/arm/urdf/m.urdf", "../../../.config/x", False),
    ],
)
def test_hidden_files(model: str, uri: str, opened: bool) -> None:
    findings = Findings()
    found = MemoryFiles({**DISK, model: b""}, environment=HOME).resolve(uri, model, None, findings)
    assert (found is not None) == opened
    assert opened or findings[0].code in {"outside-model", "file-missing"}


def test_what_is_allowed_is_opened() -> None:
    model = "/users/u/arm/m.urdf"
    files = MemoryFiles({**DISK, model: b""}, environment=HOME, allow=("/users/u/.ssh",))
    assert files.resolve("../.ssh/id", model, None, Findings()) == "/users/u/.ssh/id"


def test_a_conversion_copies_no_key(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh/id").write_text("secret", "utf-8")
    (tmp_path / "Downloads").mkdir()
    mesh = '<visual><geometry><mesh filename="../.ssh/id"/></geometry></visual>'
    path = tmp_path / "Downloads/m.urdf"
    path.write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>', "utf-8")
    reading = ub.read(path)
    assert reading.robot is not None
    save(reading.robot, tmp_path / "out/m.body")
    written = [p for p in (tmp_path / "out").rglob("*") if p.is_file()]
    assert [p.name for p in written] == ["m.body"]
    assert not any(b"secret" in p.read_bytes() for p in written)


@pytest.mark.skipif(os.name == "nt", reason="needs links of Unix")
def test_a_link_called_as_a_package_leads_nowhere_else(tmp_path: Path) -> None:
    """An archive can bring a link to any folder; one with a package.xml was meant to be used."""
    model, keys = tmp_path / "a/b/m/r.urdf", tmp_path / "keys"
    for folder in (model.parent, keys):
        folder.mkdir(parents=True)
    (keys / "id").write_text("secret", "utf-8")
    (model.parent / "parts").symlink_to(keys)
    findings = Findings()
    assert Files(environment={}).resolve("package://parts/id", str(model), None, findings) is None
    assert findings[0].code == "outside-model"
    (keys / "package.xml").write_text("<package><name>parts</name></package>", "utf-8")
    found = Files(environment={}).resolve("package://parts/id", str(model), None, findings)
    assert found == str(model.parent / "parts/id")


def test_what_a_killed_process_left_is_not_included(tmp_path: Path) -> None:
    """A part of a file beside the others is none of "all files here"."""
    part = '<robot name="r"><link name="{}"/></robot>'
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/a.xacro").write_text(part.format("a"), "utf-8")
    (tmp_path / "parts" / ("0" * 16).join(PART)).write_text("<robot", "utf-8")
    line = '<robot name="r" xmlns:xacro="x"><xacro:include filename="parts/*"/></robot>'
    (tmp_path / "m.xacro").write_text(line, "utf-8")
    reading = ub.read(tmp_path / "m.xacro")
    assert reading.robot is not None
    assert [link.name for link in reading.robot.links] == ["a"]
    assert [f for f in reading.findings if f.severity != "info"] == []
