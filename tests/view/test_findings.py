"""Findings of the page: of meshes, of ``unibody check``, their links, no local paths."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.view.browsing import ready, served, text, texts
from tests.view.test_data import first, one
from tools.chromium import Page, path_address

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache
from unibody.model import shape as s
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot
from unibody.page.data import Origin, Shown, page_data, pages_data
from unibody.page.examination import examination_data, examine_later
from unibody.page.findings import Examination
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


def test_paths_far_above_the_model_are_relative(tmp_path: Path) -> None:
    file = tmp_path / "a/b/c/d/r.urdf"
    found = Finding("x", "info", f"tried {tmp_path}/p/a.stl")
    data = first(page_data(one(), [found], origin=Origin(file=str(file))))
    assert data["findings"][0]["message"] == "tried ../../../../p/a.stl"


def test_bundled_biped_has_no_findings(biped: str) -> None:
    reading = ub.read(biped)
    assert reading.robot is not None
    assert page_data(reading.robot, reading.findings).findings == []


# Reading it finds nothing. The inertia is that of a body of a meter; the mute is of another finding.
WIDE = """<robot name="wide">
  <!-- unibody: mute inertia-missing -->
  <link name="base"><visual><geometry><box size="0.2 0.2 0.2"/></geometry></visual></link>
  <link name="tip">
    <inertial><mass value="1"/><inertia ixx="0.5" iyy="0.6" izz="0.7" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
</robot>
"""


@contextmanager
def viewing(model: Path, *words: str) -> Iterator[str]:
    """Run ``unibody view`` of a model; its address."""
    command = [sys.executable, "-m", "unibody", "view", str(model), "--no-browser", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            yield found[0]
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
            assert process.stderr is not None
            assert process.stderr.read() == ""
        finally:
            process.kill()


def answer(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as found:
        return found.read()


def state_after(address: str, word: str) -> str:
    """The word of the server's next news after these."""
    for _ in range(10):
        state: str = answer(f"{address}changes?{word}").decode().partition("\n")[0]
        if state != word:
            return state
    raise AssertionError("nothing new")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process on Windows")
def test_the_page_has_the_findings_of_check(page: Page, tmp_path: Path) -> None:
    model = tmp_path / "wide.urdf"
    model.write_text(WIDE)
    assert ub.read(model).findings == []
    (finding,) = ub.check(model)
    assert (finding.code, finding.severity) == ("inertia-size", "warning")
    with viewing(model, "--watch") as address:
        page.open(address)
        ready(page)
        page.wait("document.querySelector('.findings .checked').dataset.checked === 'yes'")
        assert texts(page, ".findings .filter") == ["1 warning"]
        assert texts(page, ".findings .message") == [finding.message]
        assert texts(page, ".findings .source") == ["wide.urdf:5 · inertia-size"]
        assert page.eval("document.querySelector('[role=treeitem][title=tip] .dot.warning') !== null")
        # the excerpt is of the lines that come with the findings
        page.click(*page.middle(".findings button.finding"))
        assert "ixx" in text(page, ".findings .excerpt mark")
        model.write_text(WIDE.replace("0.5", "0.0005").replace("0.6", "0.0006").replace("0.7", "0.0007"))
        assert ub.check(model) == []
        page.wait("!document.querySelector('.findings .message')")
        page.wait("document.querySelector('.findings .checked').dataset.checked === 'yes'")
        assert texts(page, ".findings .empty") == ["No errors or warnings."]


def test_a_saved_page_has_the_findings_of_check(page: Page, tmp_path: Path) -> None:
    model, target = tmp_path / "wide.urdf", tmp_path / "wide.html"
    model.write_text(WIDE)
    assert main(["view", str(model), "--html", str(target)]) == 0
    page.open(path_address(target))
    ready(page)
    assert texts(page, ".findings .message") == [f.message for f in ub.check(model)]
    assert page.eval("document.querySelector('.findings .checked').hidden")


def test_a_page_without_an_examination_says_so(page: Page, tmp_path: Path) -> None:
    target = tmp_path / "wide.html"
    ub.view(ub.loads(WIDE, format="urdf"), browser=False).save(target)
    page.open(path_address(target))
    ready(page)
    assert "Not checked" in text(page, ".findings .checked")
    assert texts(page, ".findings .empty") == ["No errors or warnings in reading."]


def test_each_version_is_examined_once_and_only_for_a_page() -> None:
    examined: list[str] = []

    def examine(name: str) -> bytes:
        examined.append(name)
        return b"[]"

    with served(b"first") as server:
        examine_later(server, lambda: examine("first"))
        server.show(b"second")
        examine_later(server, lambda: examine("second"))
        assert state_after(server.address, "0.0") == "1.1"
        assert examined == []
        assert answer(f"{server.address}model") == b"second"
        assert state_after(server.address, "1.1") == "1.1+"
        assert answer(f"{server.address}findings") == b"[]"
    assert examined == ["second"]


def test_findings_of_an_older_version_are_ignored() -> None:
    with served(b"first") as server:
        server.show(b"second")
        server.examined(0, b"[]")
        assert server.page("findings", "") is None
        server.examined(1, b"[1]")
        assert server.page("findings", "") == ("application/json", b"[1]")
        server.complain("the third cannot be read")
        assert server.page("findings", "") == ("application/json", b"[1]")
        server.show(b"fourth")
        assert server.page("findings", "") is None


def test_a_failed_examination_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[Any] = []
    monkeypatch.setattr("threading.excepthook", failed.append)

    def fail() -> bytes:
        raise MemoryError

    with served(b"model") as server:
        examine_later(server, fail)
        server.fetched.set()
        assert state_after(server.address, "0.0") == "0.0+"
        assert server.page("findings", "") == ("application/json", b"null")
    assert len(failed) == 1


def test_what_only_drawing_finds_comes_behind_the_examination() -> None:
    lost = s.Shape(geometry=s.MeshFile(uri="package://p/arm.stl"))
    known = Finding("inertia-missing", "warning", "link 'stone' has no inertia", subject="links/stone")
    page = page_data(one(lost))
    muted = Finding("mesh-not-drawn", "warning", "'arm.stl' is not drawn", subject="links/stone")
    for quiet, codes in (((), ["inertia-missing", "mesh-not-drawn"]), ((muted,), ["inertia-missing"])):
        shown = Shown(robot=one(lost), examination=Examination([known], quiet))
        assert [f["code"] for f in first(pages_data([shown]))["findings"]] == codes
        (data,) = json.loads(examination_data([shown], page.drawn))
        assert [f["code"] for f in data["findings"]] == codes
    assert json.loads(examination_data([Shown(robot=one(lost))], page.drawn)) == [None]
    assert not first(page)["checked"]
