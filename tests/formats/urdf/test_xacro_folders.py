"""Folders in xacro: $(find …), $(dirname) and $(cwd), with relative paths of the caller."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.files.access import Files


@pytest.mark.parametrize("how", ["packages", "environment"])
def test_a_relative_package_folder_is_that_of_the_caller(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither ../ of the including file nor of the part that it includes."""
    (tmp_path / "here").mkdir()
    (tmp_path / "model/urdf").mkdir(parents=True)
    (tmp_path / "parts/arm/urdf").mkdir(parents=True)
    (tmp_path / "parts/arm/a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    shape = '<visual><geometry><mesh filename="file://$(find arm)/a.obj"/></geometry></visual>'
    (tmp_path / "parts/arm/urdf/link.xacro").write_text(f'<robot><link name="a">{shape}</link></robot>')
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    include = '<xacro:include filename="$(find arm)/urdf/link.xacro"/>'
    (tmp_path / "model/urdf/r.urdf.xacro").write_text(f"{head}{include}</robot>")
    monkeypatch.chdir(tmp_path / "here")
    packages = {"arm": "../parts/arm"} if how == "packages" else {}
    environment = {"ROS_PACKAGE_PATH": "../parts"} if how == "environment" else {}
    files = Files(packages=packages, environment=environment)
    reading = ub.read("../model/urdf/r.urdf.xacro", files=files)
    assert [str(f) for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    mesh = reading.robot.links[0].visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert mesh.path == str(tmp_path / "parts/arm/a.obj")


@pytest.mark.parametrize("place", ["$(dirname)", "$(cwd)/../model"])
def test_folders_of_the_file_and_of_the_caller(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "model").mkdir()
    (tmp_path / "model/part.xacro").write_text('<robot><link name="a"/></robot>')
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    include = f'<xacro:include filename="{place}/part.xacro"/>'
    (tmp_path / "model/r.urdf.xacro").write_text(f"{head}{include}</robot>")
    monkeypatch.chdir(tmp_path / "here")
    assert ub.load("../model/r.urdf.xacro").root == "a"
