"""Simpler shapes contain the mesh where that is said, and stay within their bounds."""

from __future__ import annotations

import json
import math
import re
import sys
import time
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray
from tests.sampling import few

import unibody as ub
from unibody.cli.main import main
from unibody.meshes.pieces import pieces
from unibody.meshes.shapes import mesh as mesh_of
from unibody.simplification.hulls import grown, hull_of
from unibody.simplification.simplify import SimplifiedLink
from unibody.simplification.triangles import Triangles, point_distances
from unibody.text.installation import install_command

Floats = NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[2]
BIPED = str(ROOT / "src/unibody/models/biped.body")
METHODS = ("hull", "parts", "spheres")


def random_mesh(seed: int) -> tuple[Floats, NDArray[np.int32]]:
    """A closed star-shaped mesh with dents, an open half of one, or two pieces."""
    rng = np.random.default_rng(seed)
    hull = hull_of(rng.normal(size=(60, 3)))
    unit = hull.vertices / np.linalg.norm(hull.vertices, axis=1)[:, None]
    shell = hull_of(unit)
    vertices = shell.vertices * rng.uniform(0.4, 1.0, len(shell.vertices))[:, None]
    vertices = vertices * rng.uniform(0.05, 0.4, 3) + rng.uniform(-1.0, 1.0, 3)
    faces = shell.faces
    if seed % 3 == 1:
        faces = faces[: len(faces) // 2]
    if seed % 3 == 2:
        apart = vertices + np.array([0.5, 0.0, 0.1])
        return np.concatenate([vertices, apart]), np.concatenate([faces, faces + len(vertices)]).astype(
            np.int32
        )
    return vertices, faces


def robot_of(vertices: Floats, faces: NDArray[np.int32]) -> ub.Robot:
    polygons = np.column_stack([faces, np.full(len(faces), -1)])
    geometry = ub.Mesh(
        vertices=tuple(vertices.reshape(-1).tolist()), faces=tuple(polygons.reshape(-1).tolist())
    )
    shape = ub.Shape(geometry=geometry)
    return ub.Robot(name="stone", links=(ub.Link(name="stone", collisions=(shape,)),), base="fixed")


def on_triangles(corners: Floats, count: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(3) * 0.7, (count, len(corners)))
    found = np.einsum("knj,njd->knd", weights, corners).reshape(-1, 3)
    return np.concatenate([found, corners.reshape(-1, 3)])


def judge(found: SimplifiedLink, vertices: Floats, faces: NDArray[np.int32], count: int = 40) -> None:
    """Compare the bounds with dense samples on both sides."""
    corners, _, closed = pieces(vertices, faces)
    mesh = Triangles(corners, closed)
    here = on_triangles(corners, count)
    off = np.full(len(here), np.inf)
    there: list[Floats] = []
    for shape in found.shapes:
        geometry = shape.geometry
        if isinstance(geometry, ub.Sphere):
            center = np.array(shape.pose.xyz)
            off = np.minimum(off, np.maximum(np.linalg.norm(here - center, axis=1) - geometry.radius, 0.0))
            rows = np.random.default_rng(1).normal(size=(200, 3))
            there.append(center + geometry.radius * rows / np.linalg.norm(rows, axis=1)[:, None])
        else:
            assert isinstance(geometry, ub.Mesh)
            hull = hull_of(np.array(geometry.vertices).reshape(-1, 3))
            off = np.minimum(off, np.where(hull.heights(here) <= 0.0, 0.0, hull.boundary.nearest(here)[0]))
            there.append(on_triangles(hull.vertices[hull.faces], count))
    assert off.max() <= found.uncovered
    points = np.concatenate(there)
    out = mesh.nearest(points)[0]
    if mesh.is_closed:
        out[mesh.inside(points)] = 0.0
    assert out.max() <= found.sticks_out


@pytest.mark.parametrize("seed", few(range(6), 1))
@pytest.mark.parametrize("method", ["hull", "spheres"])
def test_bounds_hold_on_random_meshes(method: Any, seed: int) -> None:
    vertices, faces = random_mesh(seed)
    for tolerance, contain in ((None, True), (0.05, seed % 2 == 0)):
        found = ub.simplify(robot_of(vertices, faces), method, tolerance, contain=contain).links[0]
        assert found.contains or not contain
        judge(found, vertices, faces)


def test_a_hull_contains_its_mesh_exactly() -> None:
    """Each point of the mesh is below each plane through a face, in rational numbers."""
    for seed in range(3):
        vertices, faces = random_mesh(seed)
        vertices = np.concatenate([vertices, vertices[:5]])  # repeated points
        geometry = ub.simplify(robot_of(vertices, faces)).links[0].shapes[0].geometry
        assert isinstance(geometry, ub.Mesh)
        corners = [tuple(map(Fraction, row)) for row in np.array(geometry.vertices).reshape(-1, 3)]
        points = [tuple(map(Fraction, row)) for row in vertices]
        for a, b, c, _ in np.array(geometry.faces).reshape(-1, 4):
            (u, v), o = (
                ([p - q for p, q in zip(corners[i], corners[a], strict=True)] for i in (b, c)),
                corners[a],
            )
            normal = [u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2] for i in range(3)]
            assert all(
                sum(n * (p - q) for n, p, q in zip(normal, point, o, strict=True)) < 0 for point in points
            )


def test_inertias_are_those_of_the_filled_hull() -> None:
    """A cube of 0.2 m at (0.3, 0, 0) that weighs 3 kg, with a placeholder as inertia: m·a²/6."""
    points = 0.1 * np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
    cube = hull_of(points + np.array([0.3, 0.0, 0.0]))
    robot = robot_of(cube.vertices, cube.faces)
    link = replace(robot.links[0], inertial=ub.Inertial(mass=3.0))
    robot = replace(robot, links=(link,))
    assert ub.simplify(robot).robot.links[0].inertial == link.inertial
    found = ub.simplify(robot, inertias="hull").robot.links[0].inertial
    assert found is not None
    assert found.mass == 3.0
    assert found.com == pytest.approx((0.3, 0.0, 0.0))
    assert np.array(found.inertia) == pytest.approx(3.0 * 0.2**2 / 6.0 * np.eye(3))


def test_fast_leaves_out_how_far_shapes_stick_out() -> None:
    robot = robot_of(*random_mesh(0))
    for method in ("hull", "spheres"):
        whole, fast = (ub.simplify(robot, method, fast=fast).links[0] for fast in (False, True))
        assert math.isnan(fast.sticks_out)
        assert fast.contains
        assert fast.shapes == whole.shapes


def test_bounds_of_hulls_need_little_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bowl: its hull sticks out by the depth of the middle, and only its lid is searched."""
    points = np.random.default_rng(0).normal(size=(3000, 3))
    ball = hull_of(points / np.linalg.norm(points, axis=1)[:, None])
    below = (ball.vertices[ball.faces][:, :, 2] < 0.0).all(axis=1)
    searched = 0
    nearest = Triangles.nearest

    def counted(self: Triangles, points: Floats) -> Any:
        nonlocal searched
        searched += len(points)
        return nearest(self, points)

    monkeypatch.setattr(Triangles, "nearest", counted)
    found = ub.simplify(robot_of(ball.vertices, ball.faces[below])).links[0]
    assert 0.9 <= found.sticks_out <= 1.06
    assert searched < 2000


@pytest.mark.slow
def test_parts_hold_on_random_meshes() -> None:
    for seed in (0, 2, 3):
        vertices, faces = random_mesh(seed)
        for contain in (True, False):
            found = ub.simplify(robot_of(vertices, faces), "parts", 0.1, contain=contain).links[0]
            assert found.contains or not contain
            judge(found, vertices, faces)


@pytest.mark.slow
def test_a_tolerance_gives_fewer_corners() -> None:
    points = np.random.default_rng(0).normal(size=(300, 3))
    ball = hull_of(points / np.linalg.norm(points, axis=1)[:, None])
    robot = robot_of(ball.vertices, ball.faces)
    exact, rough = (ub.simplify(robot, "hull", tolerance).links[0] for tolerance in (None, 0.05))
    count = [len(each.shapes[0].geometry.faces) for each in (exact, rough)]  # type: ignore[union-attr]
    assert count[1] < count[0]
    assert rough.contains
    assert rough.sticks_out <= 1.1 * (exact.sticks_out + 0.05)


def test_bounds_are_near_the_truth() -> None:
    """A cube with a dent: the hull sticks out of it by the depth of the dent."""
    cube = hull_of(np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]))
    faces = cube.faces.tolist()
    top = [face for face in faces if (cube.vertices[face][:, 2] == 1.0).all()]
    corners = [number for number in range(8) if cube.vertices[number, 2] == 1.0]
    assert len(top) == 2
    around = sorted(corners, key=lambda k: np.arctan2(*(cube.vertices[k, :2] - 0.5)))
    dent = [[around[i], around[i - 3], 8] for i in range(4)]
    vertices = np.concatenate([cube.vertices, [[0.5, 0.5, 0.6]]])
    mesh = np.array([face for face in faces if face not in top] + dent, np.int32)
    found = ub.simplify(robot_of(vertices, mesh)).links[0]
    depth = 0.4 / np.hypot(1.0, 0.8)  # from the middle of the top to the sides of the dent
    assert depth <= found.sticks_out <= 1.06 * depth + 1e-3
    assert found.contains
    whole = ub.simplify(robot_of(cube.vertices, cube.faces)).links[0]
    assert whole.sticks_out < 1e-3 * whole.size


def test_convex_shapes_are_kept() -> None:
    box = ub.Shape(geometry=ub.Box(size=(0.1, 0.2, 0.3)))
    ball = ub.Shape(geometry=ub.Sphere(radius=0.1))
    links = (ub.Link(name="a", collisions=(box,)), ub.Link(name="b", collisions=(ball,)), ub.Link(name="c"))
    robot = ub.Robot(
        name="two", links=links[:2], joints=(ub.Joint(name="j", kind="revolute", parent="a", child="b"),)
    )
    found = ub.simplify(robot)
    assert [each.kept for each in found.links] == [True, True]
    assert found.robot.links[0].collisions == (box,)
    spheres = ub.simplify(robot, "spheres", 0.05)
    assert [each.kept for each in spheres.links] == [False, True]
    assert spheres.of("a").contains
    assert spheres.of("a").sticks_out < 0.08


@pytest.mark.slow
def test_a_round_shape_is_contained() -> None:
    tube = ub.Shape(geometry=ub.Cylinder(radius=0.1, height=0.4))
    across = ub.Shape(
        geometry=tube.geometry, pose=ub.Pose((0.0, 0.0, 0.0), (0.70710678, 0.70710678, 0.0, 0.0))
    )
    robot = ub.Robot(name="tube", links=(ub.Link(name="tube", collisions=(tube, across)),))
    for method in ("hull", "spheres"):
        found = ub.simplify(robot, method, 0.05).links[0]
        angle = np.linspace(0.0, 2.0 * np.pi, 997)
        rim = np.stack([0.1 * np.cos(angle), 0.1 * np.sin(angle), np.full(997, 0.2)], axis=1)
        if method == "hull":
            assert hull_of(np.array(found.shapes[0].geometry.vertices).reshape(-1, 3)).contains(rim).all()  # type: ignore[union-attr]
        else:
            off = [
                np.linalg.norm(rim - shape.pose.xyz, axis=1) - shape.geometry.radius  # type: ignore[union-attr]
                for shape in found.shapes
            ]
            assert np.min(off, axis=0).max() <= 0.0


def test_flat_meshes_and_slivers() -> None:
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    faces = np.array([[0, 1, 2], [1, 3, 2], [0, 1, 1]], np.int32)
    for method in ("hull", "spheres"):
        found = ub.simplify(robot_of(flat, faces), method).links[0]
        assert found.contains
        judge(found, flat, faces)
    line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert ub.simplify(robot_of(line, np.array([[0, 1, 2]], np.int32))).links[0].contains


@pytest.mark.slow
def test_hulls_grow_by_what_is_asked() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        hull = hull_of(rng.normal(size=(50, 3)) * rng.uniform(0.02, 1.0, 3))
        for by in (1e-9, 1e-4, 0.05):
            larger = grown(hull, by)
            around = rng.normal(size=(400, 3))
            around *= by / np.linalg.norm(around, axis=1)[:, None]
            assert larger.contains((hull.vertices[:, None] + around).reshape(-1, 3)).all()


def test_distances_agree_with_all_triangles() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        corners = rng.normal(size=(90, 1, 3)) + 0.3 * rng.normal(size=(90, 3, 3))
        corners[::7, 2] = corners[::7, 1]  # without area
        points = 2.0 * rng.normal(size=(300, 3))
        found, places = Triangles(corners).nearest(points)
        every = point_distances(points[:, None], corners[None])
        assert found == pytest.approx(every.min(axis=1))
        assert every[np.arange(300), places] == pytest.approx(found)


@pytest.mark.slow
def test_links_of_the_corpus(shared: Path) -> None:
    path = shared / "corpus/dev/pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf"
    robot = ub.load(path)
    for name in ("lbr_iiwa_link_0", "lbr_iiwa_link_6"):
        vertices, faces = mesh_of(robot, name, "collision")
        for method in ("hull", "spheres"):
            found = ub.simplify(robot, method, links=[name]).of(name)
            assert found.contains
            judge(found, vertices, faces, 4)


def is_inside(points: Floats, vertices: Floats, faces: NDArray[np.int32]) -> bool:
    """Whether points are below the planes of all faces; fractions decide where floating point cannot.

    Needles, which bound nothing that their neighbors do not, are left out.
    """
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    lengths = [np.linalg.norm(side, axis=1) for side in (b - a, c - b, a - c)]
    size = float(np.abs(vertices).max())
    kept = np.linalg.norm(normals, axis=1) > 1e-9 * size * np.max(lengths, axis=0)
    faces, normals, a = faces[kept], normals[kept], a[kept]
    errors = 2.0**-47 * size * (lengths[0] * lengths[2])[kept]
    offsets = np.einsum("ij,ij->i", normals, a) - errors
    for at in range(0, len(points), 64):
        rows, columns = np.nonzero(points[at : at + 64] @ normals.T > offsets)
        for row, column in zip((rows + at).tolist(), columns.tolist(), strict=True):
            o, p, q = ([Fraction(x) for x in vertices[i].tolist()] for i in faces[column])
            u, v = ([x - y for x, y in zip(end, o, strict=True)] for end in (p, q))
            w = [Fraction(x) - y for x, y in zip(points[row].tolist(), o, strict=True)]
            if sum((u[i - 2] * v[i - 1] - u[i - 1] * v[i - 2]) * w[i] for i in range(3)) > 0:
                return False
    return True


@pytest.mark.slow
def test_hulls_of_example_robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All robots of example-robot-data: a minute of CPU time, and each hull contains its mesh."""
    try:
        package = distribution("example-robot-data")
    except PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path))
    folder = Path(str(package.locate_file("cmeel.prefix/share/example-robot-data")))
    seconds, checked = 0.0, 0
    for path in sorted(folder.glob("robots/*/*/*.urdf")):
        begin = time.process_time()
        robot = ub.read(path, packages={"example-robot-data": str(folder)}).robot
        found = None if robot is None else ub.simplify(robot, fast=True)
        seconds += time.process_time() - begin
        if robot is None or found is None:
            continue
        for link in found.links:
            geometry = link.shapes[0].geometry
            if link.kept or not isinstance(geometry, ub.Mesh):
                continue
            assert link.contains
            points = np.unique(mesh_of(robot, link.link, "collision")[0], axis=0)
            corners = np.array(geometry.vertices).reshape(-1, 3)
            assert is_inside(points, corners, np.array(geometry.faces).reshape(-1, 4)[:, :3]), (
                path,
                link.link,
            )
            checked += 1
    print(f"{checked} hulls in {seconds:.1f} s")
    assert checked > 500
    assert seconds < 60.0


def test_wrong_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = robot_of(*random_mesh(0))
    with pytest.raises(ValueError, match="method is 'box'"):
        ub.simplify(robot, "box")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tolerance is 0"):
        ub.simplify(robot, tolerance=0.0)
    with pytest.raises(ValueError, match="shapes must be"):
        ub.simplify(robot, shapes="both")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="inertias must be"):
        ub.simplify(robot, inertias="mesh")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        ub.simplify(robot, links=["rock"])
    found = ub.simplify(robot)
    with pytest.raises(KeyError, match="rock"):
        found.of("rock")
    with pytest.raises(ValueError, match="method='spheres'"):
        found.spheres()
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(ub.MissingExtra, match=re.escape(install_command("parts"))):
        ub.simplify(robot, "parts")


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, spheres, page = (str(tmp_path / name) for name in ("simple.body", "spheres.yml", "page.html"))
    words = ["simplify", BIPED, "--link", "WAIST", "--link", "RLEG_KNEE", "--method", "spheres"]
    assert main([*words, "--tolerance", "0.04", "-o", file, "--spheres", spheres]) == 0
    out = capsys.readouterr().out
    assert "0, proved" in out
    said = yaml.safe_load(Path(spheres).read_text())["collision_spheres"]
    assert set(said) == {"WAIST", "RLEG_KNEE"}
    read = ub.load(file).link("WAIST").collisions
    assert len(read) == len(said["WAIST"])
    first = read[0]
    assert isinstance(first.geometry, ub.Sphere)
    assert first.geometry.radius == pytest.approx(said["WAIST"][0]["radius"])
    assert main([*words, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["links"][0]["uncovered"] == 0.0
    assert main(["simplify", BIPED, "--link", "WAIST", "--html", page]) == 0
    assert main(["simplify", BIPED, "--spheres", spheres]) == 2
    assert main(["simplify", BIPED, "--link", "TAIL"]) == 2
    assert main(["simplify", BIPED, "--tolerance", "0"]) == 2


def stones(folder: Path) -> Path:
    """A folder with a robot of one mesh, one of four spheres, and a file that is no robot."""
    folder.mkdir()
    ub.save(robot_of(*random_mesh(0)), folder / "stone.urdf")
    (folder / "chain.urdf").write_text(CHAIN)
    (folder / "broken.urdf").write_text("<robot")
    return folder


def test_many_files_are_written_into_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = stones(tmp_path / "in"), tmp_path / "out"
    words = ["simplify", str(folder), "--jobs", "1"]
    assert main([*words, "-o", str(out), "--to", "urdf"]) == 1
    said = capsys.readouterr()
    lines = [line.split() for line in said.out.splitlines()[1:]]
    rows = {row[0].rpartition("in/")[2]: row[1:] for row in lines if row}
    assert rows["stone.urdf"][:3] == ["1", "0", "1"]
    assert rows["stone.urdf"][-1] == "stone"
    assert rows["chain.urdf"] == ["4", "4", "4"]
    assert rows["broken.urdf"] == ["not", "simplified"]
    assert "broken.urdf:1:1: error" in said.err
    written = ub.load(out / "stone.urdf").links[0].collisions[0].geometry
    whole = ub.simplify(str(folder / "stone.urdf")).links[0].shapes[0].geometry
    assert written == whole
    assert not (out / "broken.urdf").exists()
    # a source is never an output
    assert main([*words, "-o", str(folder), "--to", "urdf", "--overwrite"]) == 1
    assert "is a source of the model" in capsys.readouterr().err
    assert (folder / "chain.urdf").read_text() == CHAIN
    chain = str(folder / "chain.urdf")
    for wrong in (["-o", str(out)], ["-o", chain, "--to", "urdf"], ["--html", "x.html"]):
        assert main([*words, *wrong]) == 2


def test_many_files_as_lines_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = stones(tmp_path / "in") / "stone.urdf"
    assert main(["simplify", str(file), "--fast", "--format", "jsonl"]) == 0
    (link,) = json.loads(capsys.readouterr().out)["value"]["links"]
    assert link["sticks_out"] is None
    assert link["uncovered"] == 0.0


def test_conversions_simplify(tmp_path: Path) -> None:
    file = stones(tmp_path / "in") / "stone.urdf"
    assert main(["convert", str(file), str(tmp_path / "stone.body"), "--simplify", "hull"]) == 0
    written = ub.load(tmp_path / "stone.body").links[0].collisions[0].geometry
    whole = ub.simplify(str(file)).links[0].shapes[0].geometry
    assert isinstance(written, ub.Mesh)
    assert isinstance(whole, ub.Mesh)
    assert np.array(written.vertices) == pytest.approx(np.array(whole.vertices))


def test_points_without_triangles_are_contained() -> None:
    """A triangle whose corners are one point, far from the others."""
    corners = [[x, y, z] for x in (0.0, 0.1) for y in (0.0, 0.1) for z in (0.0, 0.1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [i for quad in quads for i in (*quad, -1)] + [8, 8, 8, -1]
    mesh = ub.Mesh(
        vertices=tuple(np.array([*corners, [0.5, 0.0, 0.0]]).ravel().tolist()), faces=tuple(faces)
    )
    link = ub.Link(name="a", collisions=(ub.Shape(geometry=mesh),))
    robot = ub.Robot(name="r", links=(link,))
    (hull,) = ub.simplify(robot).links
    assert hull.contains
    assert np.array(hull.shapes[0].geometry.vertices).max() >= 0.5  # type: ignore[union-attr]
    (balls,) = ub.simplify(robot, "spheres", 0.02).links
    assert any(
        math.dist(s.pose.xyz, (0.5, 0.0, 0.0)) <= s.geometry.radius  # type: ignore[union-attr]
        for s in balls.shapes
    )


CHAIN = """\
<robot name="r">
  <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="c"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="e"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="bare"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 0.5"/></joint>
  <joint name="k" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0 -0.35"/></joint>
  <joint name="l" type="continuous"><parent link="c"/><child link="e"/><origin xyz="0 0 2"/></joint>
  <joint name="m" type="continuous"><parent link="e"/><child link="bare"/><origin xyz="0 0 2"/></joint>
</robot>
"""


@pytest.mark.parametrize("suffix", ["yml", "json"])
def test_curobo_has_links_and_ignored_pairs(suffix: str, tmp_path: Path) -> None:
    found = ub.simplify(ub.loads(CHAIN, format="urdf"), "spheres")
    file = tmp_path / f"r.{suffix}"
    found.save_spheres(file)
    config = yaml.safe_load(file.read_text())
    assert config["collision_link_names"] == ["a", "b", "c", "e"]
    # neighbors, and those that overlap at the start: c is 0.15 m above a
    assert config["self_collision_ignore"] == {"a": ["b", "c"], "b": ["c"], "c": ["e"]}
    assert config["self_collision_buffer"] == {"a": 0.0, "b": 0.0, "c": 0.0, "e": 0.0}
    assert config["collision_spheres"]["e"] == [{"center": [0.0, 0.0, 0.0], "radius": 0.1}]
    found.save_spheres(file, overwrite=True, ignore=[("a", "e")])
    assert yaml.safe_load(file.read_text())["self_collision_ignore"] == {"a": ["e"]}


def test_ignored_pairs_are_those_that_the_model_does_not_test() -> None:
    robot = ub.loads(CHAIN, format="urdf")
    rules = ub.SelfCollision(default="all", disabled=(("b", "e"),))
    found = ub.simplify(replace(robot, self_collision=rules), "spheres")
    assert found.ignored_pairs() == [("a", "c"), ("b", "e")]
    rules = ub.SelfCollision(default="none", enabled=(("a", "e"), ("b", "e")))
    found = ub.simplify(replace(robot, self_collision=rules), "spheres")
    assert found.ignored_pairs() == [("a", "b"), ("a", "c"), ("b", "c"), ("c", "e")]
