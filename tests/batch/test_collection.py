"""Which files of folders and patterns are models."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from unibody.batch.collection import Collection, InnerPaths, collect
from unibody.batch.outputs import Outputs
from unibody.formats import FORMATS
from unibody.formats.recognition import is_model

ROBOT = '<robot name="r"><link name="a"/></robot>'
FILES = {
    "b/arm.urdf": ROBOT,
    "a/hand.xml": "<mujoco><worldbody/></mujoco>",
    "a/scene.xml": '<mujoco><include file="hand.xml"/></mujoco>',
    "a/assets.xml": "<!-- <worldbody> --><mujoco><asset/><default/></mujoco>",
    "a/fingers.xml": '<mujoco><body name="finger"/></mujoco>',
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
MODELS = [
    "a/hand.xml",
    "a/robot.wrl",
    "a/robot.xacro",
    "a/robot.yaml",
    "a/scene.iv",
    "a/scene.xml",
    "b/arm.urdf",
]


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
    assert [*map(InnerPaths(["robots"]), found)] == MODELS
    assert found.skipped == len(FILES) - len(MODELS) - 1  # the hidden folder is not entered
    assert not found.problems


def test_given_files_are_taken_as_they_are(folder: Path) -> None:
    given = ["robots/a/readme.txt", "nowhere.urdf", "robots/a/mesh.iv", "robots/a/assets.xml"]
    assert list(collect(given)) == given


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


def test_a_link_to_itself_is_one_line(folder: Path) -> None:
    os.symlink("two.urdf", "robots/b/one.urdf")
    os.symlink("one.urdf", "robots/b/two.urdf")
    found = collect(["robots", "robots/b/*.urdf", "robots/b/one.urdf"])
    assert len(found) == len(MODELS)
    assert [str(p) for p in found.problems] == [
        "robots/b/one.urdf: the link leads to itself",
        "robots/b/two.urdf: the link leads to itself",
    ]


def test_folders_are_nested_deeply(folder: Path) -> None:
    depth = 0
    os.chdir("robots")
    try:
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
            depth += 1
        Path("arm.urdf").write_text(ROBOT)
        count = len(collect([str(folder)]))
    finally:
        # pytest cannot remove such a folder
        Path("arm.urdf").unlink(missing_ok=True)
        for _ in range(depth):
            os.chdir("..")
            os.rmdir("d")
    assert count == len(MODELS) + 1


def test_a_named_file_is_read_wherever_it_is(folder: Path) -> None:
    # in a folder that is not entered, and one that is no model; each where it comes first
    assert ".git/arm.urdf" in FILES
    named = ["robots/.git/arm.urdf", "robots/a/readme.txt"]
    found = list(collect(["robots", *named]))
    assert found == [
        *(f"robots/{name}" for name in ("a/hand.xml", "a/readme.txt")),
        *(f"robots/{name}" for name in MODELS[1:]),
        "robots/.git/arm.urdf",
    ]
    assert list(collect([*named, "robots"])) == [*named, *(f"robots/{name}" for name in MODELS)]


def test_a_named_folder_is_entered_whatever_it_is(folder: Path) -> None:
    os.symlink("a", "robots/link")
    found = list(collect(["robots", "robots/.git", "robots/link", "robots/b"]))
    in_a = [name.removeprefix("a/") for name in MODELS if name.startswith("a/")]
    assert found == [
        *(f"robots/{name}" for name in MODELS),
        "robots/.git/arm.urdf",
        *(f"robots/link/{name}" for name in in_a),
    ]


def test_the_folder_of_outputs_is_left_out(folder: Path) -> None:
    assert len(collect(["robots"], left_out="robots/b")) == len(MODELS) - 1
    assert len(collect(["robots", "robots/b"], left_out="robots/b")) == len(MODELS)
    assert len(collect(["robots"], left_out="robots")) == len(MODELS)


def test_outputs_are_unique(folder: Path) -> None:
    for name in ("arm.xacro", "arm_urdf.body"):
        Path("robots/b", name).write_text("")
    paths = ["robots/b/arm.urdf", "robots/b/arm.xacro", "robots/b/arm_urdf.body", "robots/a/robot.wrl"]
    files = Collection()
    for path in paths:
        files.add(path)
    made = [
        Path(path).as_posix() for path in map(Outputs(files, InnerPaths(["robots"]), "o", ".body"), paths)
    ]
    assert made == ["o/b/arm_urdf_2.body", "o/b/arm_xacro.body", "o/b/arm_urdf.body", "o/a/robot.body"]
    # files that are named themselves differ in their folders
    named = ["robots/a/robot.xacro", "robots/b/robot.xacro"]
    files = Collection()
    for path in named:
        files.add(path)
    outputs = Outputs(files, InnerPaths(named), "", ".urdf")
    assert [*map(outputs, named)] == ["a_robot.urdf", "b_robot.urdf"]


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
