"""Models and meshes are found beside the file, around it, and where Gazebo searches."""

from __future__ import annotations

from pathlib import Path

import pytest

from unibody.files.access import Files
from unibody.formats.loader import Reading, read
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile

STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nendsolid\n"
)
LISTED = '<sdf version="1.5">old.sdf</sdf><sdf version="1.9">new.sdf</sdf><sdf version="2.0">x.sdf</sdf>'


def model(content: str) -> str:
    return f'<sdf version="1.11"><model name="m">{content}</model></sdf>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a model; models/arm is beside its parent."""
    (tmp_path / "robots/here").mkdir(parents=True)
    (tmp_path / "shared/models/arm/meshes").mkdir(parents=True)
    (tmp_path / "shared/models/arm/meshes/a.stl").write_text(STL)
    (tmp_path / "shared/models/arm/model.config").write_text(f"<model>{LISTED}</model>")
    (tmp_path / "shared/models/arm/new.sdf").write_text(model('<link name="new"/>'))
    (tmp_path / "shared/models/arm/old.sdf").write_text(model('<link name="old"/>'))
    return tmp_path / "robots/here"


def reading(folder: Path, content: str, variable: str = "") -> Reading:
    path = folder / "m.sdf"
    path.write_text(model(content))
    environment = {variable: str(folder.parent.parent / "shared/models")} if variable else {}
    return read(str(path), files=Files(environment=environment))


def said(found: Reading) -> list[tuple[str, str]]:
    return [(f.severity, f.code) for f in found.findings if f.severity != "info"]


@pytest.mark.parametrize("variable", ["SDF_PATH", "GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH"])
def test_models_and_meshes_are_found_where_gazebo_searches(variable: str, folder: Path) -> None:
    mesh = "<geometry><mesh><uri>model://arm/meshes/a.stl</uri></mesh></geometry>"
    content = (
        f'<link name="a"><visual name="v">{mesh}</visual></link><include><uri>model://arm</uri></include>'
    )
    found = reading(folder, content, variable)
    assert said(found) == []
    assert isinstance(found.robot, Robot)
    assert [link.name for link in found.robot.links if "::" in link.name] == ["m::new"]
    a = next(link for link in found.robot.links if link.name == "a")
    assert isinstance(a.visuals[0].geometry, MeshFile)
    assert a.visuals[0].geometry.path.endswith("arm/meshes/a.stl")


@pytest.mark.parametrize(
    ("uri", "hint"),
    [
        ("model://arm", "GZ_SIM_RESOURCE_PATH"),
        ("https://example.org/models/arm", "download"),
        ("arm.sdf", "tried"),
    ],
)
def test_a_model_that_is_missing_is_an_error(uri: str, hint: str, folder: Path) -> None:
    found = reading(folder, f'<link name="a"/><include><uri>{uri}</uri></include>')
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert hint in str(error.hint)
    assert isinstance(found.robot, Robot)


def test_words_of_urdf_are_reported(folder: Path) -> None:
    found = reading(
        folder,
        '<link name="a"/><link name="b"><visual name="v"><origin xyz="0 0 1"/></visual></link>'
        '<joint name="j" type="fixed"><parent link="a"/><child>b</child></joint>',
    )
    assert ("warning", "urdf-element") in said(found)
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert str(error.hint) == "write <parent>a</parent>"
