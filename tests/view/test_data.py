"""Data of the page: tree, unique meshes, findings with links, finite numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.mechanism import AssembleError
from unibody.meshes import MeshCache, Surface
from unibody.model import shape as s
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.json import loads
from unibody.model.pose import Pose, quaternion_matrix
from unibody.model.robot import Coordinate, Coupling, Drive, Joint, Limits, Link, Loop, Robot
from unibody.page import shapes
from unibody.page.data import PageData, page_data
from unibody.page.pack import Pack, unpack
from unibody.text.finding import Findings

ROBOTS = Path(__file__).resolve().parents[1] / "robots"
TRIANGLE = b"""solid
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1 0
 endloop
endfacet
endsolid
"""
RED = s.Material(diffuse=(1.0, 0.0, 0.0), transparency=0.25, specular_exponent=10.0)


def header(page: PageData) -> dict[str, Any]:
    return unpack(page.bytes)[0]


def first(page: PageData) -> dict[str, Any]:
    """The first robot of the header."""
    data: dict[str, Any] = header(page)["robots"][0]
    return data


def array(page: PageData, place: list[Any]) -> NDArray[Any]:
    kind, start, count = place
    dtype = np.dtype({"f4": "<f4", "i2": "<i2", "u1": "u1", "u2": "<u2", "u4": "<u4"}[kind])
    return np.frombuffer(unpack(page.bytes)[1], dtype, count, start)


def one(*visuals: s.Shape, **more: Any) -> Robot:
    return Robot(name="stone", links=(Link(name="stone", visuals=visuals, **more),))


def box(x: float = 1.0, **more: Any) -> s.Shape:
    return s.Shape(geometry=s.Box(size=(x, 1.0, 1.0)), **more)


def robot_file(name: str) -> Robot:
    robot = loads((ROBOTS / f"{name}.json").read_text("utf-8"), name, Findings())
    assert robot is not None
    return robot


def surfaces(monkeypatch: pytest.MonkeyPatch, *found: Surface) -> None:
    """Let every shape have these surfaces."""
    monkeypatch.setattr(shapes, "shape_surfaces", lambda shape, cache: list(found))


# The tree


def test_links_have_parents_joints_and_masses(biped: str) -> None:
    robot = ub.load(biped)
    data = first(page_data(robot))
    assert [link["name"] for link in data["links"]] == [link.name for link in robot.links]
    knee = next(j for j in data["joints"] if j["name"] == "RLEG_KNEE")
    child = data["links"][knee["child"]]
    assert data["links"][child["parent"]]["name"] == robot.joint("RLEG_KNEE").parent
    assert data["joints"][child["joint"]] == knee
    assert (knee["lower"], knee["upper"]) == robot.joint("RLEG_KNEE").limits.position
    assert sum(link["mass"] for link in data["links"]) == pytest.approx(40.0)
    assert data["start"] == [0.0, 0.0, 0.66, 1.0, 0.0, 0.0, 0.0, *[0.0] * 23]
    seen: set[int] = {-1}
    for link in data["order"]:
        assert data["links"][link]["parent"] in seen
        seen.add(link)


def test_couplings_are_sorted_leaders_first() -> None:
    data = first(page_data(robot_file("mimic")))
    names = [joint["name"] for joint in data["joints"]]
    robot = robot_file("mimic")
    given = {(c.joint, c.leader, c.ratio, c.offset) for c in robot.couplings}
    got = {(names[f["joint"]], names[f["leader"]], f["ratio"], f["offset"]) for f in data["followers"]}
    assert got == given
    moved: set[int] = set()
    for follower in data["followers"]:
        assert follower["leader"] not in {f["joint"] for f in data["followers"]} - moved
        moved.add(follower["joint"])


def test_fixed_leader_is_zero() -> None:
    links = tuple(Link(name=n) for n in "abc")
    joints = (
        Joint(name="weld", kind="fixed", parent="a", child="b"),
        Joint(name="turn", kind="revolute", parent="b", child="c"),
    )
    coupling = Coupling(joint="turn", leader="weld", offset=0.5)
    data = first(page_data(Robot(name="r", links=links, joints=joints, couplings=(coupling,))))
    assert data["followers"] == [{"joint": 1, "leader": None, "ratio": 1.0, "offset": 0.5}]


@pytest.mark.parametrize("name", sorted(path.stem for path in ROBOTS.glob("*.json")))
def test_every_test_robot_has_a_page(name: str) -> None:
    robot = robot_file(name)
    page = page_data(robot)
    assert len(first(page)["links"]) == len(robot.solids)
    assert page.bytes == page_data(robot_file(name)).bytes


def test_positions_start_with_the_root() -> None:
    robot = robot_file("kitchen_sink")
    data = first(page_data(robot))
    assert len(data["start"]) == 7 + sum(KINDS[joint.kind].nq for joint in robot.joints)
    assert data["start"][:3] == list(robot.pose.xyz)


def test_incomplete_joints_are_held() -> None:
    robot = robot_file("kitchen_sink")
    joints = tuple(replace(joint, pitch=None, axis2=None) for joint in robot.joints)
    data = first(page_data(replace(robot, joints=joints)))
    held = {joint["name"]: (joint["kind"], joint["held"]) for joint in data["joints"] if joint["held"]}
    assert held == {"SCREW": ("fixed", "screw"), "WRIST_CROSS": ("fixed", "universal")}
    sizes = {joint.name: 0 if joint.name in held else KINDS[joint.kind].nq for joint in joints}
    assert len(data["start"]) == 7 + sum(sizes.values())


def test_joints_on_one_coordinate_move_together() -> None:
    links = tuple(Link(name=n) for n in "abcd")
    joints = tuple(Joint(name=n, kind="revolute", parent="a", child=n) for n in "bcd")
    drives = (
        Drive(joint="b", at_zero=0.5, at_one=0.5),
        Drive(joint="c", at_zero=1.0, at_one=3.0),
        Drive(joint="d", at_zero=0.0, at_one=-1.0),
    )
    coordinate = Coordinate(index=0, drives=drives)
    robot = Robot(name="r", links=links, joints=joints, coordinates=(coordinate,))
    # The first movable joint is the leader; b keeps its offset.
    assert first(page_data(robot))["followers"] == [
        {"joint": 0, "leader": 1, "ratio": 0.0, "offset": 0.5},
        {"joint": 2, "leader": 1, "ratio": -0.5, "offset": 0.5},
    ]
    coupled = replace(robot, couplings=(Coupling(joint="d", leader="b"),))
    assert [f["leader"] for f in first(page_data(coupled))["followers"]] == [1, 0]


def test_attached_items() -> None:
    data = first(page_data(robot_file("sensors")))
    eye = next(d for d in data["devices"] if d["name"] == "eye")
    assert data["links"][eye["link"]]["name"] == "head"
    assert (eye["kind"], eye["label"], eye["on"]) == ("Camera", "camera", True)
    assert (eye["spec"]["near"], eye["spec"]["far"], eye["spec"]["lens"]) == (0.1, 50.0, "normal")
    force = next(d for d in data["devices"] if d["name"] == "neck_force")
    assert force["spec"]["max_torque"] == [10.0, None, 20.0]
    loop = first(page_data(robot_file("closed_loop")))["loops"][0]
    assert len(loop["holds"]) == 4
    assert np.linalg.norm(loop["axis"]) == pytest.approx(1.0)


def test_loop_s_axis_is_in_its_first_anchor() -> None:
    half = math.sqrt(0.5)
    loop = Loop(
        name="l", link_a="a", link_b="b", axis=(1.0, 0.0, 0.0), pose_a=Pose(quat=(half, 0.0, 0.0, half))
    )
    joint = Joint(name="j", kind="free", parent="a", child="b")
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,), loops=(loop,))
    assert first(page_data(robot))["loops"][0]["axis"] == pytest.approx([0.0, -1.0, 0.0])


def test_principal_axes_diagonalize_the_inertia() -> None:
    inertia = ((0.02, 0.003, -0.001), (0.003, 0.03, 0.002), (-0.001, 0.002, 0.015))
    data = first(page_data(one(inertial=Inertial(mass=2.0, inertia=inertia))))["links"][0]["inertia"]
    axes = np.array(quaternion_matrix(tuple(data["axes"])))
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert axes.T @ np.array(inertia) @ axes == pytest.approx(np.diag(data["moments"]))
    for broken in (((0.0,) * 3,) * 3, ((math.nan,) * 3,) * 3):
        none = one(inertial=Inertial(mass=2.0, inertia=broken))
        assert first(page_data(none))["links"][0]["inertia"] is None


def test_missing_limits_are_null() -> None:
    joints = tuple(
        Joint(name=n, kind="revolute", parent="a", child=n, limits=Limits(position=limits))
        for n, limits in {"b": (-math.inf, math.inf), "c": (0.0, math.inf), "d": (-1.0, 2.0)}.items()
    )
    data = first(page_data(Robot(name="r", links=tuple(Link(name=n) for n in "abcd"), joints=joints)))
    assert [(j["lower"], j["upper"]) for j in data["joints"]] == [(None, None), (0.0, None), (-1.0, 2.0)]


def test_links_that_do_not_form_a_tree_are_rejected() -> None:
    with pytest.raises(AssembleError):
        page_data(Robot(name="r", links=(Link(name="a"), Link(name="b"))))


# Shapes


def test_equal_shapes_share_a_mesh() -> None:
    page = page_data(one(box(), box(pose=Pose((1.0, 2.0, 3.0)), material=RED), box(2.0)))
    shapes = first(page)["shapes"]["visual"]
    assert [shape["mesh"] for shape in shapes] == [0, 0, 1]
    assert [shape["material"] for shape in shapes] == [-1, 0, -1]
    assert shapes[1]["place"] == [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]
    assert len(header(page)["meshes"]) == 2


def test_visual_and_collision_share_their_meshes() -> None:
    data = first(page_data(one(box(), collisions=(box(), box()))))
    assert [shape["mesh"] for shape in data["shapes"]["collision"]] == [0, 0]


def test_mesh_files_are_stored_once() -> None:
    files = MemoryFiles({"a.stl": TRIANGLE})
    one_file = s.MeshFile(uri="a.stl", path="a.stl")
    large = replace(one_file, scale=(2.0, 2.0, 2.0))
    page = page_data(
        one(*(s.Shape(geometry=g) for g in (one_file, one_file, large))), cache=MeshCache(files)
    )
    data = header(page)
    assert [shape["mesh"] for shape in first(page)["shapes"]["visual"]] == [0, 0, 1]
    assert {shape["name"] for shape in first(page)["shapes"]["visual"]} == {"a.stl"}
    vertices = array(page, data["meshes"][0]["vertices"]).reshape(-1, 3)
    indices = array(page, data["meshes"][0]["indices"])
    assert vertices[indices].tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_vertices_and_faces_of_a_box() -> None:
    page = page_data(one(box(2.0)))
    mesh = header(page)["meshes"][0]
    vertices = array(page, mesh["vertices"]).reshape(-1, 3)
    assert vertices.min(axis=0).tolist() == [-1.0, -0.5, -0.5]
    assert vertices.max(axis=0).tolist() == [1.0, 0.5, 0.5]
    assert mesh["indices"][0] == "u2"
    assert len(array(page, mesh["indices"])) == 36


def test_material_colors_are_srgb() -> None:
    page = page_data(one(box(material=RED), box(material=replace(RED, name="other"))))
    assert header(page)["materials"] == [
        {
            "diffuse": [1, 0, 0],
            "emissive": [0, 0, 0],
            "specular": [0, 0, 0],
            "shininess": 10,
            "opacity": 0.75,
            "texture": -1,
        }
    ]


def test_material_of_the_shape_is_for_surfaces_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = np.array([[0, 1, 2]], np.int32)
    surfaces(monkeypatch, Surface(np.eye(3), faces, material=RED), Surface(np.eye(3), faces))
    blue = s.Material(diffuse=(0.0, 0.0, 1.0))
    page = page_data(one(box(material=blue)))
    assert [m["diffuse"] for m in header(page)["materials"]] == [[1, 0, 0], [0, 0, 1]]
    assert [shape["material"] for shape in first(page)["shapes"]["visual"]] == [0, 1]


def test_stretch_is_applied_before_the_pose() -> None:
    half = math.sqrt(0.5)
    turned = Pose((0.0, 0.0, 5.0), (half, 0.0, 0.0, half))
    stretch = ((2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    place = first(page_data(one(box(pose=turned, linear=stretch))))["shapes"]["visual"][0]["place"]
    assert place == pytest.approx([0, -1, 0, 0, 2, 0, 0, 0, 0, 0, -1, 5])


def test_normals_and_colors_are_quantized(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = np.array([[0, 1, 2]], np.int32)
    colors = np.array([[1.0, 0.5, 0.0, 1.0]] * 3)
    surfaces(monkeypatch, Surface(np.eye(3), faces, normals=-np.eye(3), colors=colors))
    page = page_data(one(box()))
    mesh = header(page)["meshes"][0]
    assert array(page, mesh["normals"]).tolist() == [-32767, 0, 0, 0, -32767, 0, 0, 0, -32767]
    assert array(page, mesh["colors"])[:4].tolist() == [255, 128, 0, 255]


def test_many_vertices_use_32_bit_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, kind in ((65535, "u2"), (65536, "u4")):
        vertices = np.zeros((count, 3))
        surfaces(monkeypatch, Surface(vertices, np.array([[0, 1, count - 1]], np.int32)))
        assert header(page_data(one(box())))["meshes"][0]["indices"][0] == kind


def test_invalid_faces_are_omitted(monkeypatch: pytest.MonkeyPatch) -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [math.nan, 0, 0], [1e300, 0, 0]])
    faces = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 1, 5], [-1, 0, 1]], np.int32)
    surfaces(monkeypatch, Surface(vertices, faces))
    page = page_data(one(box()))
    mesh = header(page)["meshes"][0]
    assert array(page, mesh["indices"]).tolist() == [0, 1, 2]
    assert np.isfinite(array(page, mesh["vertices"])).all()


def test_lines_and_points() -> None:
    lines = s.LineSet(vertices=(0.0, 0, 0, 1, 0, 0, 1, 1, 0), lines=(0, 1, 2, -1, 2, 0, -1, 0, 9))
    points = s.PointSet(vertices=(0.0, 0, 0, 1, 0, 0), colors=(1.0, 0, 0, 0, 1, 0))
    page = page_data(one(s.Shape(geometry=lines), s.Shape(geometry=points)))
    strokes, dots = header(page)["meshes"]
    assert (strokes["kind"], array(page, strokes["indices"]).tolist()) == ("lines", [0, 1, 1, 2, 2, 0])
    assert (dots["kind"], dots["indices"]) == ("points", None)
    assert array(page, dots["colors"]).tolist() == [255, 0, 0, 255, 0, 255, 0, 255]
    empty = (s.LineSet(vertices=(0.0, 1.0), lines=()), s.PointSet(vertices=()))
    assert header(page_data(one(*(s.Shape(geometry=g) for g in empty))))["meshes"] == []


def test_nan_becomes_zero() -> None:
    bad = s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0)), pose=Pose((math.inf, math.nan, 1.0)))
    dark = replace(RED, diffuse=(math.nan, 7.0, -1.0), specular_exponent=math.inf)
    robot = one(bad, box(material=dark), inertial=Inertial(mass=math.nan, com=(math.inf, 0.0, 0.0)))
    page = page_data(robot)
    data = first(page)
    assert data["shapes"]["visual"][0]["place"][3::4] == [0, 0, 1]
    assert header(page)["materials"][0]["diffuse"] == [0, 1, 0]
    assert (data["links"][0]["mass"], data["links"][0]["com"]) == (0, [0, 0, 0])


def test_equal_arrays_are_stored_once() -> None:
    pack = Pack()
    places = [pack.add(np.arange(3, dtype=kind)) for kind in (np.uint8, np.uint16, np.uint8, np.float32)]
    assert places == [("u1", 0, 3), ("u2", 4, 3), ("u1", 0, 3), ("f4", 12, 3)]
    assert len(unpack(pack.finish({}))[1]) == 24
