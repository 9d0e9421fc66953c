"""Polylines with holes, and parts of meshes at their center: what is read has the triangles of Gazebo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.meshes import MeshCache, shape_surfaces
from unibody.model.shape import Extrusion, Mesh, MeshFile, Shape

SQUARE = "0 0|4 0|4 4|0 4"
HOLE = "1 1|1 3|3 3|3 1"
ISLAND = "1.5 1.5|2.5 1.5|2.5 2.5"


def _polyline(points: str, height: float = 0.5) -> str:
    inner = "".join(f"<point>{point}</point>" for point in points.split("|"))
    return f"<polyline>{inner}<height>{height}</height></polyline>"


def _model(geometry: str) -> str:
    return (
        '<sdf version="1.11"><model name="m"><link name="a">'
        f'<visual name="v"><pose>1 0 0 0 0 0</pose><geometry>{geometry}</geometry></visual>'
        f'<collision name="c"><geometry>{geometry}</geometry></collision></link></model></sdf>'
    )


def _triangles(shape: Shape) -> np.ndarray:
    surfaces = shape_surfaces(shape, MeshCache())
    return np.concatenate([surface.vertices[surface.faces] for surface in surfaces])


def _volume(triangles: np.ndarray) -> float:
    return float(np.einsum("ij,ij->", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])) / 6.0)


def _area_above(triangles: np.ndarray, height: float) -> float:
    """The area of the triangles at a height, which face upward."""
    flat = triangles[(triangles[:, :, 2] == height).all(axis=1)]
    return float(np.cross(flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0])[:, 2].sum() / 2.0)


@pytest.mark.parametrize(
    ("rings", "area"),
    [
        ([SQUARE, HOLE], 12.0),
        ([HOLE, SQUARE], 12.0),
        ([SQUARE, HOLE, ISLAND], 12.5),
        ([f"{SQUARE}|0 0", ISLAND], 15.5),
        ([SQUARE, "5 0|6 0|6 1|5 1"], 17.0),
        ([SQUARE, "0.5 0.5|1 0.5|1 1", "0.5 2|1 2|1 3", "2 0.5|3 0.5|3 1"], 15.375),
    ],
)
def test_polylines_in_others_are_holes(rings: list[str], area: float, tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(_model("".join(map(_polyline, rings))))
    reading = ub.read(path)
    assert [f.code for f in reading.findings if f.severity != "info"] == []
    assert reading.robot is not None
    link = reading.robot.link("a")
    assert isinstance(link.collisions[0].geometry, Mesh)
    triangles = _triangles(link.collisions[0])
    assert _area_above(triangles, 0.5) == pytest.approx(area, abs=1e-12)
    assert _volume(triangles) == pytest.approx(0.5 * area, abs=1e-12)
    assert link.visuals[0].pose.xyz == (1.0, 0.0, 0.0)
    # and written as what they are
    report = ub.save(reading.robot, tmp_path / "out" / "m.sdf")
    assert report.losses == ()
    assert (tmp_path / "out" / "m.sdf").read_text().count("<polyline>") == 2 * len(rings)
    assert ub.diff(reading.robot, ub.load(tmp_path / "out" / "m.sdf")) == []


def test_a_single_polyline_is_an_extrusion_and_another_mesh_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(_model(_polyline(SQUARE)))
    robot = ub.load(path)
    assert isinstance(robot.link("a").visuals[0].geometry, Extrusion)
    path.write_text(_model(_polyline(SQUARE) + _polyline(HOLE)))
    robot = ub.load(path)
    ub.save(robot, tmp_path / "m.urdf", plain=True)
    back = ub.load(tmp_path / "m.urdf")
    shape = back.link("a").collisions[0]
    assert isinstance(shape.geometry, MeshFile)
    assert _volume(_triangles(shape)) == pytest.approx(6.0, abs=1e-6)


@pytest.mark.parametrize(
    ("rings", "found"),
    [
        (_polyline(SQUARE) + _polyline("3 1|5 1|5 2"), "must not cross one another; polyline 2 does"),
        (_polyline(SQUARE) + _polyline(HOLE, 0.2), "the first has 0.5 m, which counts, another one 0.2 m"),
        (_polyline(SQUARE) + _polyline("0 0|1 0"), "polyline needs at least 3 points, has 2; ignored"),
    ],
)
def test_polylines_that_bound_no_solid_are_reported(rings: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(_model(rings))
    messages = [f.message for f in ub.read(path).findings if f.severity == "warning"]
    assert len(messages) == 2
    assert all(found in message for message in messages)


OBJ = "o left\nv 1 0 0\nv 3 0 0\nv 1 4 6\nf 1 2 3\no right\nv 9 0 0\nv 9 1 0\nv 9 0 1\nf 4 5 6\n"


@pytest.mark.parametrize("suffix", [".urdf", ".body", ".sdf"])
def test_a_centered_part_of_a_mesh_is_moved_to_the_origin(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_text(OBJ)
    part = "<submesh><name>left</name><center>true</center></submesh>"
    path = tmp_path / "m.sdf"
    path.write_text(_model(f"<mesh><uri>a.obj</uri><scale>1 2 -1</scale>{part}</mesh>"))
    robot = ub.load(path)
    mesh = robot.link("a").collisions[0].geometry
    assert isinstance(mesh, MeshFile)
    assert (mesh.fragment, mesh.centered) == ("left", True)
    target = tmp_path / "out" / f"m{suffix}"
    report = ub.save(robot, target, plain=True)
    assert [x for x in report.losses if x.row is None] == []
    assert (suffix == ".sdf") == ("<center>true</center>" in target.read_text())
    for robot_there in (robot, ub.load(target)):
        points = _triangles(robot_there.links[-1].collisions[0]).reshape(-1, 3)
        assert points.min(axis=0) == pytest.approx((-1.0, -4.0, -3.0), abs=1e-6)
        assert points.max(axis=0) == pytest.approx((1.0, 4.0, 3.0), abs=1e-6)
