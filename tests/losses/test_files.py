"""Files beside a model: what is converted, what stays, and what is never written over."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.convert.models import whole

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import convert, save
from unibody.model.robot import Link, Robot
from unibody.model.shape import Mesh, MeshFile, Shape, floats, ints

CONE = "#VRML V1.0 ascii\nSeparator { Cone { bottomRadius 0.5 height 1 } }\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 {}\nf 1 2 3\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
)


def urdf(folder: Path, *meshes: str) -> Path:
    """A file of one link with these mesh files."""
    visuals = "".join(f'<visual><geometry><mesh filename="{m}"/></geometry></visual>' for m in meshes)
    path = folder / "a.urdf"
    path.write_text(f'<robot name="a"><link name="base">{visuals}</link></robot>', "utf-8")
    return path


@pytest.mark.parametrize("suffix", [".wrl", ".body"])
def test_vrml_1_is_converted(suffix: str, tmp_path: Path) -> None:
    """Choreonoid and OpenHRP read VRML97 only, whatever a file is called."""
    (tmp_path / "cone.wrl").write_text(CONE, "utf-8")
    target = tmp_path / "out" / f"b{suffix}"
    report = convert(urdf(tmp_path, "cone.wrl"), target, plain=True)
    assert not any("cone.wrl" in name for name in report.files)
    assert report.proof is not None
    assert report.proof.bounds == pytest.approx(0.0, abs=1e-12)
    world = tmp_path / "out" / "c.wrl"
    (tmp_path / "cone.wrl").write_text("#VRML V2.0 utf8\nShape { geometry Box { } }\n", "utf-8")
    kept = convert(urdf(tmp_path, "cone.wrl"), world, plain=True)
    assert "c.wrl_files/cone.wrl" in kept.files


def test_a_file_that_two_shapes_show_is_converted_once(tmp_path: Path) -> None:
    (tmp_path / "part.ply").write_text(PLY, "utf-8")
    report = convert(urdf(tmp_path, "part.ply", "part.ply"), tmp_path / "out/b.body", plain=True)
    assert [n for n in report.files if n.endswith(".obj")] == ["b.body_files/part.obj"]


def test_files_that_stay_are_not_written_over(tmp_path: Path) -> None:
    """What is made beside a model takes no name of what the model shows."""
    home = tmp_path / "a.body_files"
    home.mkdir()
    (home / "part.obj").write_text(TRIANGLE.format(1), "utf-8")
    (tmp_path / "part.ply").write_text(PLY, "utf-8")
    source = urdf(tmp_path, "a.body_files/part.obj", "part.ply")
    report = convert(source, tmp_path / "a.body", overwrite=True)
    assert (home / "part.obj").read_text("utf-8") == TRIANGLE.format(1)
    made = [name for name in report.files if name.startswith("a.body_files/part-")]
    assert len(made) == 1
    assert made[0].endswith(".obj")


def test_a_source_is_not_written_over(tmp_path: Path) -> None:
    source = urdf(tmp_path)
    before = source.read_bytes()
    for target in (source, tmp_path / "sub" / ".." / "a.urdf"):
        with pytest.raises(SaveError) as caught:
            convert(source, target, overwrite=True)
        assert [f.code for f in caught.value.findings] == ["output-exists"]
    assert source.read_bytes() == before


def test_a_dry_run_says_what_is_in_the_way(tmp_path: Path) -> None:
    source = urdf(tmp_path)
    shutil.copy(source, tmp_path / "b.urdf")
    with pytest.raises(SaveError):
        convert(source, tmp_path / "b.urdf", dry_run=True)
    assert not convert(source, tmp_path / "b.urdf", dry_run=True, overwrite=True).written


@pytest.mark.parametrize("name", ["mesh.urdf", "mesh.rob", "mesh.body", "mesh.wrl", "mesh.xml"])
def test_long_lists_come_back(name: str, tmp_path: Path) -> None:
    """Indices of normals that are those of the faces, and colours of faces: no mesh file says these."""
    count = 400
    rng = np.random.default_rng(1)
    faces = ints(
        np.hstack([rng.permuted(np.tile(np.arange(9), (count, 1)), axis=1)[:, :3], [[-1]] * count])
    )
    mesh = Mesh(
        vertices=floats(rng.normal(size=27)),
        faces=faces,
        normals=floats(np.tile([0.0, 0.0, 1.0], 9)),
        normal_indices=faces,
        colors=floats([0.5, 0.25, 0.125, 1.0, 0.0, 0.0]),
        color_indices=ints([k % 2 for k in range(count)]),
        color_per_vertex=False,
        convex=False,
    )
    robot = Robot(name="mesh", base="fixed", links=(Link(name="mesh", visuals=(Shape(geometry=mesh),)),))
    save(robot, tmp_path / name)
    assert [str(d) for d in ub.diff(robot, whole(tmp_path / name))] == []


def test_a_list_that_was_changed_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "mesh.urdf"
    test_long_lists_come_back("mesh.urdf", tmp_path)
    lists = sorted((tmp_path / "mesh.urdf_files").glob("numbers*.json"))
    assert lists
    for bad in ("[[1]]", '{"a": 1}', "[" * 100_000, "[1, true]"):
        lists[0].write_text(bad, "utf-8")
        assert "sidecar-stale" in {f.code for f in ub.read(path).findings}


def test_missing_files_keep_their_names(tmp_path: Path) -> None:
    shape = Shape(geometry=MeshFile(uri="gone.ply"))
    robot = Robot(name="r", links=(Link(name="r", visuals=(shape, replace(shape, name="b"))),))
    save(robot, tmp_path / "r.urdf")
    assert [str(d) for d in ub.diff(robot, whole(tmp_path / "r.urdf"))] == []


@pytest.mark.parametrize("name", ["r.rob", "r.wrl"])
def test_packages_are_for_those_who_know_them(name: str, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="package"):
        convert(urdf(tmp_path), tmp_path / name, mesh_package="parts")
