"""Which files of folders and patterns are models."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from unibody.batch.collection import collect, inner_path
from unibody.formats import FORMATS
from unibody.formats.recognition import is_model

ROBOT = '<robot name="r"><link name="a"/></robot>'
FILES = {
    "b/arm.urdf": ROBOT,
    "a/hand.xml": "<mujoco/>",
    "a/launch.xml": "<launch/>",
    "a/part.xml": "<mujocoinclude/>",
    "a/settings.yaml": "gain: 3",
    "a/robot.yaml": "format: ChoreonoidBody\n",
    "a/mesh.wrl": "#VRML V2.0 utf8\nPROTO Humanoid [] {}\nShape {}",
    "a/robot.wrl": "#VRML V2.0 utf8\nDEF R Humanoid {}",
    "a/mesh.iv": "#Inventor V2.1 ascii\nCube {}",
    "a/scene.iv": "#Inventor V2.1 ascii\nmpkObstacle {}",
    "a/macros.xacro": '<robot xmlns:xacro="x"/>',
    "a/robot.xacro": ROBOT,
    "a/readme.txt": "<robot",
    ".git/arm.urdf": ROBOT,
}
MODELS = ["a/hand.xml", "a/robot.wrl", "a/robot.xacro", "a/robot.yaml", "a/scene.iv", "b/arm.urdf"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "robots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_models_of_a_folder_in_order(folder: Path) -> None:
    found = collect(["robots"])
    assert list(found) == [f"robots/{name}" for name in MODELS]
    assert [inner_path(path, ["robots"]) for path in found] == MODELS
    assert found.skipped == len(FILES) - len(MODELS) - 1  # the hidden folder is not entered
    assert not found.problems


def test_given_files_are_taken_as_they_are(folder: Path) -> None:
    found = collect(["robots/a/readme.txt", "nowhere.urdf", "robots/a/mesh.iv"])
    assert list(found) == ["robots/a/readme.txt", "nowhere.urdf", "robots/a/mesh.iv"]


def test_a_file_comes_once(folder: Path) -> None:
    found = collect(["robots/b/arm.urdf", "robots", "robots/a", "./robots/b/arm.urdf", "robots/*/arm.urdf"])
    assert next(iter(found)) == "robots/b/arm.urdf"
    assert len(found) == len(MODELS)


def test_patterns(folder: Path) -> None:
    assert list(collect(["robots/*/*.xacro"])) == ["robots/a/robot.xacro"]
    assert len(collect(["robots/**/*"])) == len(MODELS)
    assert len(collect(["robots/*"])) == len(MODELS)


def test_a_pattern_without_a_match_is_one_line(folder: Path) -> None:
    (problem,) = collect(["robots/*.sdf"]).problems
    assert str(problem) == "robots/*.sdf: no file matches this pattern"


def test_a_broken_link_is_one_line(folder: Path) -> None:
    os.symlink("gone.urdf", "robots/b/link.urdf")
    found = collect(["robots"])
    assert [str(p) for p in found.problems] == [
        "robots/b/link.urdf: the link leads to gone.urdf, which is not there"
    ]
    assert len(found) == len(MODELS)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser reads every folder"
)
def test_an_unreadable_folder_is_one_line(folder: Path) -> None:
    os.chmod("robots/b", 0)
    try:
        found = collect(["robots"])
    finally:
        os.chmod("robots/b", 0o755)
    assert [str(p) for p in found.problems] == [
        "robots/b: the folder cannot be read: its permissions do not allow it"
    ]
    assert len(found) == len(MODELS) - 1


def test_a_folder_that_cannot_be_listed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = collect(["robots"])
    assert [p.path for p in found.problems] == ["robots/b"]
    assert len(found) == len(MODELS) - 1


def test_links_to_folders_are_not_entered(folder: Path) -> None:
    os.symlink("..", "robots/b/up")
    assert len(collect(["robots"])) == len(MODELS)


def test_packed_models(folder: Path) -> None:
    Path("robots/packed.wrl").write_bytes(gzip.compress(FILES["a/robot.wrl"].encode()))
    assert is_model("robots/packed.wrl")


@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.samples()])
def test_samples_of_formats_are_models(name: str, tmp_path: Path) -> None:
    (format,) = (f for f in FORMATS if f.name == name)
    first = next(iter(format.samples()))
    (tmp_path / Path(first).name).write_text(format.samples()[first])
    assert is_model(str(tmp_path / Path(first).name)) is (name != "inventor")
