"""Files that are no models unibody reads are called what they are; folders that are not there, too."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main

FILES: dict[str, tuple[bytes, str]] = {
    "part.stl": (b"solid a\nendsolid a\n", "is a mesh, not a robot"),
    "binary.stl": (b"\x80" * 84 + b"\xff\x00\x01" * 50, "is a mesh, not a robot"),
    "part.dae": (b"<COLLADA/>", "is a mesh, not a robot"),
    "later.urdf": (b"<!-- <robot> -->\n<!-- 2 --><sdf/>", "is SDF"),
    "old.world": (b'<gazebo version="1.0"><world/></gazebo>', "is SDF"),
    "renamed.urdf": (b"<COLLADA><library_geometries/></COLLADA>", "is a mesh, not a robot"),
    "hiro.dae": (
        b"<?xml version='1.0'?><COLLADA version='1.5'><library_joints><joint/></library_joints></COLLADA>",
        "is a robot in COLLADA, which is not read",
    ),
    "systems.dae": (
        b"<COLLADA><library_articulated_systems><articulated_system id='a'/>"
        b"</library_articulated_systems></COLLADA>",
        "is a robot in COLLADA, which is not read",
    ),
    "renamed.wrl": (b"<COLLADA><kinematics_model id='a'/></COLLADA>", "is a robot in COLLADA"),
    "skinned.dae": (b"<COLLADA><node type='JOINT'/><input semantic='JOINT'/></COLLADA>", "is a mesh"),
    "hiro.zae": (b"PK\x03\x04\xff\xfe", "is COLLADA in a ZIP archive"),
    "arm.json": (b'{"unibody": 2, "name": "arm"}', "is a dump of unibody"),
    "notes.txt": (b"hello", "unknown format"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_it_is(name: str, tmp_path: Path) -> None:
    data, words = FILES[name]
    (tmp_path / name).write_bytes(data)
    (finding,) = ub.read(tmp_path / name).findings
    assert finding.code == "format-unknown"
    assert words in finding.message
    assert finding.hint


@pytest.mark.parametrize("option", [["--allow", "{}/none"], ["--package", "arm={}/none"]])
def test_a_folder_that_is_not_there(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.urdf"
    model.write_text('<robot name="r"><link name="a"/></robot>', "utf-8")
    assert main(["info", str(model), *(word.format(tmp_path) for word in option)]) == 2
    assert "no such folder" in capsys.readouterr().err
