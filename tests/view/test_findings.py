"""Findings of the page: findings of meshes, their links, no local paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.view.test_data import first, one

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.page.data import Origin, page_data
from unibody.text.finding import Finding
from unibody.text.source import Source, Span


def test_missing_mesh_has_a_finding() -> None:
    lost = s.Shape(geometry=s.MeshFile(uri="package://p/arm.stl"), pose=Pose((0.0, 0.0, 2.0)))
    page = page_data(one(lost, lost, collisions=(lost,)))
    data = first(page)
    assert [m["link"] for m in data["missing"]["visual"]] == [0, 0]
    assert data["missing"]["collision"][0]["place"][3::4] == [0, 0, 2]
    assert [f.code for f in page.findings] == ["mesh-not-drawn"]
    assert data["findings"][0]["link"] == 0


VRML = "#VRML V2.0 utf8\n"
IV = "#Inventor V2.1 ascii\n"


# a model whose shape is in a missing or broken file, the other files, and where the shape is
@pytest.mark.parametrize(
    ("name", "text", "others", "place"),
    [
        ("a.wrl", VRML + 'Transform { translation 1 2 3 children Inline { url "b.wrl" } }', {}, (1, 2, 3)),
        ("a.wrl", VRML + 'Inline { url "b.wrl" }', {"b.wrl": VRML + "Group {"}, (0, 0, 0)),
        ("a.wrl", VRML + 'Inline { url "b.stl" }', {}, (0, 0, 0)),
        (
            "a.wrl",
            VRML + 'Inline { url "b.wrl" }',
            {"b.wrl": VRML + 'Transform { translation 0 1 0 children Inline { url "c.wrl" } }'},
            (0, 1, 0),
        ),
        ("a.iv", IV + 'Translation { translation 0 4 0 } File { name "b.iv" }', {}, (0, 4, 0)),
        ("a.iv", IV + 'WWWInline { name "b.iv" }', {}, (0, 0, 0)),
        ("a.iv", IV + 'File { name "b.iv" }', {"b.iv": IV + "Separator {"}, (0, 0, 0)),
        ("a.iv", IV + 'File { name "b.stl" }', {}, (0, 0, 0)),
        (
            "a.body",
            "{format: ChoreonoidBody, format_version: 2.0, name: a, links: [{name: l, joint_type: fixed, "
            "elements: [{type: Resource, uri: b.yaml, translation: [0, 0, 5]}]}]}",
            {},
            (0, 0, 5),
        ),
        (
            "a.body",
            "{format: ChoreonoidBody, format_version: 2.0, name: a, links: [{name: l, joint_type: fixed, "
            "elements: [{type: Resource, uri: b.dae, translation: [0, 0, 5]}]}]}",
            {},
            (0, 0, 5),
        ),
        (
            "a.urdf",
            "<robot name='a'><link name='l'><visual><geometry><mesh filename='b.dae'/></geometry></visual>"
            "</link></robot>",
            {},
            (0, 0, 0),
        ),
    ],
)
def test_missing_geometry_of_every_format_has_a_stand_in(
    name: str, text: str, others: dict[str, str], place: tuple[int, ...], tmp_path: Path
) -> None:
    for file, content in {name: text, **others}.items():
        (tmp_path / file).write_text(content)
    reading = ub.read(tmp_path / name)
    assert reading.robot is not None
    page = page_data(reading.robot, reading.findings)
    (box,) = first(page)["missing"]["visual"]
    assert box["link"] == 0
    assert tuple(box["place"][3::4]) == place
    # what reading the model has reported is not repeated
    assert len([f for f in page.findings if f.code == "file-missing"]) <= 1


def test_an_alternative_of_a_missing_file_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "a.iv").write_text(IV + 'WWWInline { name "b.iv" alternateRep Cube { } }')
    reading = ub.read(tmp_path / "a.iv")
    assert reading.robot is not None
    assert [type(x.geometry) for x in reading.robot.links[0].visuals] == [s.Box]


def test_a_missing_file_inside_a_mesh_file_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "b.wrl").write_text(VRML + 'Inline { url "c.wrl" } Shape { geometry Box { } }')
    (tmp_path / "a.urdf").write_text(
        "<robot name='a'><link name='l'><visual><geometry><mesh filename='b.wrl'/></geometry></visual>"
        "</link></robot>"
    )
    reading = ub.read(tmp_path / "a.urdf")
    assert reading.robot is not None
    page = page_data(reading.robot, reading.findings)
    assert [f.code for f in page.findings if f.severity != "info"] == ["file-missing"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "b.wrl",
            f'{VRML}Transform {{ translation 1 0 2 children Inline {{ url "c.wrl" }} }} '
            "Shape { geometry Box { } }",
        ),
        (
            "b.wrl",
            f"{VRML}DEF PART Transform {{ translation 0 5 0 children [ Transform {{ translation 1 0 2 "
            'children [ Inline { url "c.stl" } ] } Shape { geometry Box { } } ] }',
        ),
        (
            "b.iv",
            f'{IV}Separator {{ Translation {{ translation 1 0 2 }} File {{ name "c.iv" }} }} Cube {{ }}',
        ),
        (
            "b.scen",
            "{format_version: 1.0, scene: [{type: Transform, translation: [1, 0, 2], elements: "
            "[{type: Resource, uri: c.stl}]}, {type: Shape, geometry: {type: Box}}]}",
        ),
    ],
)
def test_a_missing_file_inside_a_mesh_file_has_a_stand_in(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    fragment = ", node: PART" if "PART" in text else ""
    (tmp_path / "a.body").write_text(
        "{format: ChoreonoidBody, format_version: 2.0, name: a, links: [{name: l, elements: "
        f"[{{type: Resource, uri: {name}, translation: [0, 0, 3], scale: [2, 2, 2]{fragment}}}]}}]}}"
    )
    reading = ub.read(tmp_path / "a.body")
    assert reading.robot is not None
    page = page_data(reading.robot, reading.findings)
    data = first(page)
    assert len(data["shapes"]["visual"]) == 1
    (box,) = data["missing"]["visual"]
    assert box["place"][3::4] == [2, 0, 7]
    assert [f.code for f in page.findings if f.severity != "info"] == ["file-missing"]


@pytest.mark.parametrize("subject", ["package://p/arm.stl", "package://p"])
def test_findings_of_the_reader_are_not_repeated(subject: str) -> None:
    lost = s.Shape(geometry=s.MeshFile(uri="package://p/arm.stl"))
    said = Finding("file-missing", "warning", "'package://p/arm.stl' is missing", subject=subject)
    assert page_data(one(lost), [said]).findings == [said]


def test_findings_of_the_mesh_reader() -> None:
    files = MemoryFiles({"m/arm.stl": b"solid\nfacet nonsense"})
    lost = s.Shape(geometry=s.MeshFile(uri="arm.stl", path="m/arm.stl"))
    page = page_data(one(lost), cache=MeshCache(files))
    assert len(first(page)["missing"]["visual"]) == 1
    assert page.findings
    assert all("arm.stl" in f.message for f in page.findings)


def test_findings_have_links() -> None:
    text = "<robot><link>here</link><other/></robot>"
    source = Source("models/r.urdf", text)

    def span(part: str) -> Span:
        return Span(source, text.index(part), text.index(part) + len(part))

    links = (Link(name="base"), Link(name="tip", at=span("<link>here</link>")))
    joint = Joint(name="hinge", kind="revolute", parent="base", child="tip")
    findings = [
        Finding(
            "a",
            "error",
            "link 'base': its mass is negative",
            span("here"),
            subject="links/base/inertial/mass",
        ),
        Finding(
            "b", "warning", "joint 'hinge': its limits are reversed", subject="joints/hinge/limits/position"
        ),
        Finding("c", "warning", "'arm.stl' is missing", span("here"), "tried models/arm.stl"),
        Finding("d", "info", "nothing that is known", span("<other/>")),
        Finding("e", "info", "link 'nobody' and joint 'hinge'", subject="joints/hinge"),
    ]
    robot = Robot(name="r", links=links, joints=(joint,))
    data = first(page_data(robot, findings, origin=Origin(file="models/r.urdf")))["findings"]
    assert [f["link"] for f in data] == [0, 1, 1, -1, 1]
    assert [f["severity"] for f in data] == ["error", "warning", "warning", "info", "info"]
    assert (data[2]["at"], data[2]["hint"]) == ([0, 1, 1, 14, 4], "tried arm.stl")
    assert data[1]["at"] is None


def test_local_directories_are_removed(tmp_path: Path) -> None:
    model = tmp_path / "urdf" / "r.urdf"
    model.parent.mkdir()
    model.write_text(
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='../meshes/gone.stl'/></geometry>"
        "</visual></link></robot>"
    )
    reading = ub.read(model)
    assert reading.robot is not None
    page = page_data(reading.robot, reading.findings, origin=Origin(file=str(model)))
    (finding,) = first(page)["findings"]
    assert (first(page)["file"], first(page)["sources"][0]["name"]) == ("r.urdf", "r.urdf")
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
def test_paths_are_relative_to_the_model(message: str, expected: str) -> None:
    data = first(page_data(one(), [Finding("x", "info", message)], origin=Origin(file="m/r.urdf")))
    assert data["findings"][0]["message"] == expected


def test_bundled_biped_has_no_findings(biped: str) -> None:
    reading = ub.read(biped)
    assert reading.robot is not None
    assert page_data(reading.robot, reading.findings).findings == []
