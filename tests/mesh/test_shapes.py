"""Shapes of links as surfaces: places, stretches, materials; and the function that users call."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.mesh.build import codes, obj, stl, tetrahedron

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache, link_surfaces, shape_surfaces, signed_volume
from unibody.model.pose import Pose, from_axis_angle
from unibody.model.robot import Link, Robot
from unibody.model.shape import Box, Cone, LineSet, Material, MeshFile, Shape

QUARTER = Pose((1.0, 2.0, 3.0), from_axis_angle((0.0, 0.0, 1.0), math.pi / 2) or (1.0, 0.0, 0.0, 0.0))
RED = Material(name="red", diffuse=(1.0, 0.0, 0.0))


def robot(*visuals: Shape, collisions: tuple[Shape, ...] = ()) -> Robot:
    return Robot(name="r", links=(Link(name="a", visuals=visuals, collisions=collisions),))


def test_a_shape_stays_in_its_own_frame_and_a_link_s_is_placed() -> None:
    shape = Shape(geometry=Box(size=(2.0, 4.0, 6.0)), pose=QUARTER)
    (own,) = shape_surfaces(shape, MeshCache())
    assert own.vertices.max(0).tolist() == [1.0, 2.0, 3.0]
    (placed,) = link_surfaces(robot(shape), "a", "visual")
    assert np.allclose(placed.vertices.min(0), [-1.0, 1.0, 0.0])
    assert np.allclose(placed.vertices.max(0), [3.0, 3.0, 6.0])


def test_a_stretch_comes_before_the_pose() -> None:
    stretch = ((1.0, 0.5, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0))
    shape = Shape(geometry=Cone(radius=1.0, height=2.0), pose=QUARTER, linear=stretch)
    (own,) = shape_surfaces(shape, MeshCache())
    (placed,) = link_surfaces(robot(shape), "a", "visual")
    wanted = own.vertices @ np.array(stretch).T @ np.array(QUARTER.rotation()).T + QUARTER.xyz
    assert np.allclose(placed.vertices, wanted)
    # normals stay square to their triangles
    assert placed.normals is not None
    cap = (own.normals is not None) and np.isclose(own.normals[:, 2], -1.0)
    assert np.allclose(placed.normals[cap], [0, 0, -1])
    assert np.allclose(np.linalg.norm(placed.normals, axis=1), 1.0)


def test_a_mirrored_shape_keeps_its_outside() -> None:
    mirror = ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    (placed,) = link_surfaces(
        robot(Shape(geometry=Cone(radius=1.0, height=2.0), linear=mirror)), "a", "visual"
    )
    assert signed_volume(placed) > 0.0
    assert placed.normals is not None
    a, b, c = (placed.vertices[placed.faces[:, i]] for i in range(3))
    outward = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", outward, placed.normals[placed.faces[:, 0]]) > 0.0).all()


def test_the_file_s_own_material_counts_else_the_shape_s() -> None:
    files = MemoryFiles(
        {"m/a.obj": ("mtllib a.mtl\nusemtl blue\n" + obj()).encode(), "m/a.mtl": b"newmtl blue\nKd 0 0 1\n"}
    )
    file = MeshFile(uri="a.obj", path="m/a.obj")
    own = Shape(geometry=file)
    cache = MeshCache(files)
    only = replace(own, geometry=replace(file, geometry_only=True))
    shapes = (own, replace(own, material=RED), only, replace(only, material=RED))
    made = link_surfaces(robot(*shapes), "a", "visual", cache)
    assert [s.material.name if s.material else "" for s in made] == ["blue", "blue", "", "red"]
    (plain,) = link_surfaces(robot(Shape(geometry=Box(size=(1.0, 1.0, 1.0)))), "a", "visual", cache)
    assert plain.material is None


def test_visual_and_collision() -> None:
    box = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    cone = Shape(geometry=Cone(radius=1.0, height=1.0))
    made = robot(box, cone, collisions=(cone,))
    assert [s.faces.shape[0] for s in link_surfaces(made, "a", "visual")] == [12, 40]
    assert [s.faces.shape[0] for s in link_surfaces(made, "a", "collision")] == [40]


def test_mesh_joins_all_triangles() -> None:
    box = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    lines = Shape(geometry=LineSet(vertices=(0.0,) * 6, lines=(0, 1, -1)))
    vertices, faces = ub.mesh(robot(box, lines, replace(box, pose=QUARTER)), "a")
    assert vertices.shape == (48, 3)
    assert faces.shape == (24, 3)
    assert faces.dtype == np.int32
    assert np.allclose(vertices[faces[12:]].reshape(-1, 3).min(0), [0.5, 1.5, 2.5])
    # nothing is shared with the cache: it may be changed
    vertices += 1.0
    empty = ub.mesh(robot(), "a", "collision")
    assert (empty[0].shape, empty[1].shape) == ((0, 3), (0, 3))


def test_unknown_links_and_words() -> None:
    with pytest.raises(KeyError):
        ub.mesh(robot(), "b")
    with pytest.raises(ValueError, match="collision"):
        ub.mesh(robot(), "a", "visuals")  # type: ignore[arg-type]


def test_a_finding_names_the_shape_s_place() -> None:
    urdf = b"""<robot name="r"><link name="a"><visual><geometry>
    <mesh filename="bad.stl"/></geometry></visual></link></robot>"""
    files = MemoryFiles({"m/r.urdf": urdf, "m/bad.stl": stl(tetrahedron(), count=9)})
    reading = ub.read("m/r.urdf")
    assert reading.robot is None
    from unibody.formats.loader import read

    found = read("m/r.urdf", files=files).robot
    assert found is not None
    cache = MeshCache(files)
    assert link_surfaces(found, "a", "visual", cache) == []
    assert codes(cache) == ["triangle-count"]
    assert str(cache.findings[0]).startswith("m/r.urdf:1:")


def test_the_bad_files_of_the_corpus(shared: object) -> None:
    """Rows of ../shared/corpus/bad/EXPECT.tsv about meshes."""
    import time
    import tracemalloc
    from pathlib import Path

    folder = Path(str(shared)) / "corpus/bad/urdf"
    for name, words in (
        ("stl_huge_count", ("huge_count.stl", "triangle count")),
        ("obj_bad_index", ("bad_index.obj",)),
    ):
        made = ub.read(folder / f"{name}.urdf").robot
        assert made is not None
        cache = MeshCache()
        tracemalloc.start()
        started = time.process_time()
        for link in made.links:
            link_surfaces(made, link.name, "visual", cache)
            link_surfaces(made, link.name, "collision", cache)
        assert time.process_time() - started < 10.0
        # nothing like the 200 GB that the count asks for
        assert tracemalloc.get_traced_memory()[1] < 1_000_000_000
        tracemalloc.stop()
        levels = {f.severity for f in cache.findings}
        assert levels & {"warning", "error"}
        text = " ".join(map(str, cache.findings)).lower()
        assert all(word in text for word in words), text
