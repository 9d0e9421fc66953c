"""What the page is given: the tree, meshes once each, findings with their links, only good numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import unibody as ub
from unibody.files import MemoryFiles
from unibody.mechanism import AssembleError
from unibody.mesh import MeshCache, Surface
from unibody.model import shape as s
from unibody.model.inertia import Inertial
from unibody.model.native import loads
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Limits, Link, Robot
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source, Span
from unibody.view import shapes
from unibody.view.data import Origin, PageData, page_data
from unibody.view.pack import Pack, unpack

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
    """Let every shape consist of these."""
    monkeypatch.setattr(shapes, "shape_surfaces", lambda shape, cache: list(found))


# The tree


def test_links_come_with_parents_joints_and_masses(biped: str) -> None:
    robot = ub.load(biped)
    data = header(page_data(robot))
    assert [link["name"] for link in data["links"]] == [link.name for link in robot.links]
    knee = next(j for j in data["joints"] if j["name"] == "RLEG_KNEE")
    child = data["links"][knee["child"]]
    assert data["links"][child["parent"]]["name"] == robot.joint("RLEG_KNEE").parent
    assert data["joints"][child["joint"]] == knee
    assert (knee["lower"], knee["upper"]) == robot.joint("RLEG_KNEE").limits.position
    assert sum(link["mass"] for link in data["links"]) == pytest.approx(40.0)
    assert data["root"] == [0.0, 0.0, 0.66, 1.0, 0.0, 0.0, 0.0]
    seen: set[int] = {-1}
    for link in data["order"]:
        assert data["links"][link]["parent"] in seen
        seen.add(link)


def test_couplings_are_between_joints_leaders_first() -> None:
    data = header(page_data(robot_file("mimic")))
    names = [joint["name"] for joint in data["joints"]]
    robot = robot_file("mimic")
    given = {(c.joint, c.leader, c.ratio, c.offset) for c in robot.couplings}
    got = {(names[f["joint"]], names[f["leader"]], f["ratio"], f["offset"]) for f in data["followers"]}
    assert got == given
    moved: set[int] = set()
    for follower in data["followers"]:
        assert follower["leader"] not in {f["joint"] for f in data["followers"]} - moved
        moved.add(follower["joint"])


def test_a_leader_that_cannot_move_counts_as_zero() -> None:
    links = tuple(Link(name=n) for n in "abc")
    joints = (
        Joint(name="weld", kind="fixed", parent="a", child="b"),
        Joint(name="turn", kind="revolute", parent="b", child="c"),
    )
    coupling = Coupling(joint="turn", leader="weld", offset=0.5)
    data = header(page_data(Robot(name="r", links=links, joints=joints, couplings=(coupling,))))
    assert data["followers"] == [{"joint": 1, "leader": None, "ratio": 1.0, "offset": 0.5}]


@pytest.mark.parametrize("name", sorted(path.stem for path in ROBOTS.glob("*.json")))
def test_every_robot_of_the_tests_has_a_page(name: str) -> None:
    robot = robot_file(name)
    page = page_data(robot)
    assert len(header(page)["links"]) == len(robot.links)
    assert page.bytes == page_data(robot_file(name)).bytes


def test_joints_that_take_several_numbers_are_held_and_said() -> None:
    page = page_data(robot_file("kitchen_sink"))
    held = {f.message.split("'")[1] for f in page.findings if f.code == "joint-held"}
    kinds = {j["name"]: j["kind"] for j in header(page)["joints"]}
    assert {kinds[name] for name in held} == {"screw", "universal", "ball", "planar", "free"}


def test_limits_that_are_not_there_are_null() -> None:
    joints = tuple(
        Joint(name=n, kind="revolute", parent="a", child=n, limits=Limits(position=limits))
        for n, limits in {"b": (-math.inf, math.inf), "c": (0.0, math.inf), "d": (-1.0, 2.0)}.items()
    )
    data = header(page_data(Robot(name="r", links=tuple(Link(name=n) for n in "abcd"), joints=joints)))
    assert [(j["lower"], j["upper"]) for j in data["joints"]] == [(None, None), (0.0, None), (-1.0, 2.0)]


def test_links_that_are_no_tree_are_refused() -> None:
    with pytest.raises(AssembleError):
        page_data(Robot(name="r", links=(Link(name="a"), Link(name="b"))))


# Shapes


def test_the_same_shape_twice_is_sent_once() -> None:
    data = header(page_data(one(box(), box(pose=Pose((1.0, 2.0, 3.0)), material=RED), box(2.0))))
    assert [shape["mesh"] for shape in data["shapes"]["visual"]] == [0, 0, 1]
    assert [shape["material"] for shape in data["shapes"]["visual"]] == [-1, 0, -1]
    assert data["shapes"]["visual"][1]["place"] == [1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]
    assert len(data["meshes"]) == 2


def test_visual_and_collision_share_their_meshes() -> None:
    data = header(page_data(one(box(), collisions=(box(), box()))))
    assert [shape["mesh"] for shape in data["shapes"]["collision"]] == [0, 0]


def test_a_mesh_file_used_twice_is_sent_once() -> None:
    files = MemoryFiles({"a.stl": TRIANGLE})
    one_file = s.MeshFile(uri="a.stl", path="a.stl")
    large = replace(one_file, scale=(2.0, 2.0, 2.0))
    page = page_data(
        one(*(s.Shape(geometry=g) for g in (one_file, one_file, large))), cache=MeshCache(files)
    )
    data = header(page)
    assert [shape["mesh"] for shape in data["shapes"]["visual"]] == [0, 0, 1]
    vertices = array(page, data["meshes"][0]["vertices"]).reshape(-1, 3)
    indices = array(page, data["meshes"][0]["indices"])
    assert vertices[indices].tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_vertices_and_faces_are_the_box() -> None:
    page = page_data(one(box(2.0)))
    mesh = header(page)["meshes"][0]
    vertices = array(page, mesh["vertices"]).reshape(-1, 3)
    assert vertices.min(axis=0).tolist() == [-1.0, -0.5, -0.5]
    assert vertices.max(axis=0).tolist() == [1.0, 0.5, 0.5]
    assert mesh["indices"][0] == "u2"
    assert len(array(page, mesh["indices"])) == 36


def test_a_material_is_what_screens_show() -> None:
    page = page_data(one(box(material=RED), box(material=replace(RED, name="other"))))
    assert header(page)["materials"] == [
        {
            "diffuse": [1, 0, 0],
            "emissive": [0, 0, 0],
            "specular": [0, 0, 0],
            "shininess": 10,
            "opacity": 0.75,
        }
    ]


def test_a_surface_keeps_its_own_material_unless_the_shape_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    surfaces(monkeypatch, Surface(np.eye(3), np.array([[0, 1, 2]], np.int32), material=RED))
    blue = s.Material(diffuse=(0.0, 0.0, 1.0))
    data = header(page_data(one(box(), box(material=blue))))
    assert [m["diffuse"] for m in data["materials"]] == [[1, 0, 0], [0, 0, 1]]
    assert [shape["material"] for shape in data["shapes"]["visual"]] == [0, 1]


def test_stretch_is_applied_before_the_pose() -> None:
    half = math.sqrt(0.5)
    turned = Pose((0.0, 0.0, 5.0), (half, 0.0, 0.0, half))
    stretch = ((2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))
    place = header(page_data(one(box(pose=turned, stretch=stretch))))["shapes"]["visual"][0]["place"]
    assert place == pytest.approx([0, -1, 0, 0, 2, 0, 0, 0, 0, 0, -1, 5])


def test_normals_and_colours_are_sent_small(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = np.array([[0, 1, 2]], np.int32)
    colors = np.array([[1.0, 0.5, 0.0, 1.0]] * 3)
    surfaces(monkeypatch, Surface(np.eye(3), faces, normals=-np.eye(3), colors=colors))
    page = page_data(one(box()))
    mesh = header(page)["meshes"][0]
    assert array(page, mesh["normals"]).tolist() == [-32767, 0, 0, 0, -32767, 0, 0, 0, -32767]
    assert array(page, mesh["colors"])[:4].tolist() == [255, 128, 0, 255]


def test_many_vertices_have_long_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, kind in ((65535, "u2"), (65536, "u4")):
        vertices = np.zeros((count, 3))
        surfaces(monkeypatch, Surface(vertices, np.array([[0, 1, count - 1]], np.int32)))
        assert header(page_data(one(box())))["meshes"][0]["indices"][0] == kind


def test_faces_that_cannot_be_drawn_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [math.nan, 0, 0], [1e300, 0, 0]])
    faces = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4], [0, 1, 5], [-1, 0, 1]], np.int32)
    surfaces(monkeypatch, Surface(vertices, faces))
    page = page_data(one(box()))
    mesh = header(page)["meshes"][0]
    assert array(page, mesh["indices"]).tolist() == [0, 1, 2]
    assert np.isfinite(array(page, mesh["vertices"])).all()


def test_lines_and_points_are_drawn_too() -> None:
    lines = s.LineSet(vertices=(0.0, 0, 0, 1, 0, 0, 1, 1, 0), lines=(0, 1, 2, -1, 2, 0, -1, 0, 9))
    points = s.PointSet(vertices=(0.0, 0, 0, 1, 0, 0), colors=(1.0, 0, 0, 0, 1, 0))
    page = page_data(one(s.Shape(geometry=lines), s.Shape(geometry=points)))
    strokes, dots = header(page)["meshes"]
    assert (strokes["kind"], array(page, strokes["indices"]).tolist()) == ("lines", [0, 1, 1, 2, 2, 0])
    assert (dots["kind"], dots["indices"]) == ("points", None)
    assert array(page, dots["colors"]).tolist() == [255, 0, 0, 255, 0, 255, 0, 255]
    empty = (s.LineSet(vertices=(0.0, 1.0), lines=()), s.PointSet(vertices=()))
    assert header(page_data(one(*(s.Shape(geometry=g) for g in empty))))["meshes"] == []


def test_numbers_that_are_none_become_zero() -> None:
    bad = s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0)), pose=Pose((math.inf, math.nan, 1.0)))
    dark = replace(RED, diffuse=(math.nan, 7.0, -1.0), specular_exponent=math.inf)
    robot = one(bad, box(material=dark), inertial=Inertial(mass=math.nan, com=(math.inf, 0.0, 0.0)))
    data = header(page_data(robot))
    assert data["shapes"]["visual"][0]["place"][3::4] == [0, 0, 1]
    assert data["materials"][0]["diffuse"] == [0, 1, 0]
    assert (data["links"][0]["mass"], data["links"][0]["com"]) == (0, [0, 0, 0])


def test_equal_arrays_are_packed_once() -> None:
    pack = Pack()
    places = [pack.add(np.arange(3, dtype=kind)) for kind in (np.uint8, np.uint16, np.uint8, np.float32)]
    assert places == [("u1", 0, 3), ("u2", 4, 3), ("u1", 0, 3), ("f4", 12, 3)]
    assert len(unpack(pack.finish({}))[1]) == 24


# Findings


def test_a_mesh_that_is_missing_has_a_stand_in_and_a_finding() -> None:
    lost = s.Shape(geometry=s.MeshFile(uri="package://p/arm.stl"), pose=Pose((0.0, 0.0, 2.0)))
    page = page_data(one(lost, lost, collisions=(lost,)))
    data = header(page)
    assert [m["link"] for m in data["missing"]["visual"]] == [0, 0]
    assert data["missing"]["collision"][0]["place"][3::4] == [0, 0, 2]
    assert [f.code for f in page.findings] == ["mesh-not-drawn"]
    assert data["findings"][0]["link"] == 0


def test_what_reading_said_of_a_mesh_is_not_said_again() -> None:
    lost = s.Shape(geometry=s.MeshFile(uri="package://p/arm.stl"))
    said = Finding("file-missing", "warning", "'package://p/arm.stl' is missing")
    assert page_data(one(lost), [said]).findings == [said]


def test_a_broken_mesh_is_said_by_its_reader() -> None:
    files = MemoryFiles({"m/arm.stl": b"solid\nfacet nonsense"})
    lost = s.Shape(geometry=s.MeshFile(uri="arm.stl", path="m/arm.stl"))
    page = page_data(one(lost), cache=MeshCache(files))
    assert len(header(page)["missing"]["visual"]) == 1
    assert page.findings
    assert all("arm.stl" in f.message for f in page.findings)


def test_findings_name_their_links() -> None:
    text = "<robot><link>here</link><other/></robot>"
    source = Source("models/r.urdf", text)

    def span(part: str) -> Span:
        return Span(source, text.index(part), text.index(part) + len(part))

    links = (Link(name="base"), Link(name="tip", at=span("<link>here</link>")))
    joint = Joint(name="hinge", kind="revolute", parent="base", child="tip")
    findings = [
        Finding("a", "error", "link 'base': its mass is negative", span("here")),
        Finding("b", "warning", "joint 'hinge': its limits are reversed"),
        Finding("c", "warning", "'arm.stl' is missing", span("here"), "tried models/arm.stl"),
        Finding("d", "info", "nothing that is known", span("<other/>")),
        Finding("e", "info", "link 'nobody' and joint 'hinge'"),
    ]
    robot = Robot(name="r", links=links, joints=(joint,))
    data = header(page_data(robot, findings, origin=Origin(file="models/r.urdf")))["findings"]
    assert [f["link"] for f in data] == [0, 1, 1, -1, 1]
    assert [f["severity"] for f in data] == ["error", "warning", "warning", "info", "info"]
    assert (data[2]["file"], data[2]["line"], data[2]["hint"]) == ("r.urdf", 1, "tried arm.stl")
    assert (data[1]["file"], data[1]["line"]) == ("", 0)


def test_directories_of_the_reader_are_not_sent(tmp_path: Path) -> None:
    model = tmp_path / "urdf" / "r.urdf"
    model.parent.mkdir()
    model.write_text(
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='../meshes/gone.stl'/></geometry>"
        "</visual></link></robot>"
    )
    reading = ub.read(model)
    assert reading.robot is not None
    page = page_data(reading.robot, reading.findings, origin=Origin(file=str(model)))
    (finding,) = header(page)["findings"]
    assert (header(page)["file"], finding["file"]) == ("r.urdf", "r.urdf")
    assert "../meshes/gone.stl" in finding["hint"]
    assert str(tmp_path).encode() not in page.bytes


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("m/a.stl: it is empty", "a.stl: it is empty"),
        ("'m/a.stl' and (m/b.stl)", "'a.stl' and (b.stl)"),
        ("package://m/a.stl, am/a.stl, x/m/a.stl", "package://m/a.stl, am/a.stl, x/m/a.stl"),
        (f"file://{Path('m').absolute()}/a.stl", "a.stl"),
        (f"{Path('x').absolute()}/a.stl", "../x/a.stl"),
    ],
)
def test_paths_start_at_the_model(message: str, expected: str) -> None:
    data = header(page_data(one(), [Finding("x", "info", message)], origin=Origin(file="m/r.urdf")))
    assert data["findings"][0]["message"] == expected


def test_textures_are_left_out_and_said() -> None:
    page = page_data(one(box(material=replace(RED, texture=s.Texture(uri="a.png")))))
    assert [f.code for f in page.findings] == ["texture-not-drawn"]


def test_the_bundled_biped_has_nothing_to_say(biped: str) -> None:
    reading = ub.read(biped)
    assert reading.robot is not None
    assert page_data(reading.robot, reading.findings).findings == []
