"""What derives from a mesh that was not read is unknown, and references to it lead to the same place."""

from __future__ import annotations

import json
import math
import struct
from dataclasses import replace
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.model import json as model_json
from unibody.text.finding import Findings

MJCF = """<mujoco model="cart">
  <compiler{meshdir}/>
  <asset><mesh name="hull" file="{file}"/></asset>
  <worldbody>
    <body name="a"><joint name="x" type="slide" axis="1 0 0"/><geom type="mesh" mesh="hull" {mass}/></body>
    <body name="b"><joint name="y" type="slide" axis="0 1 0"/><geom size="0.1" mass="3"/></body>
  </worldbody>
</mujoco>
"""
URDF = """<robot name="cart"><link name="a">{inertial}
  <visual><geometry><mesh filename="{file}"/></geometry></visual></link></robot>
"""
INERTIAL = (
    '<inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>'
)
POINTS = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 99\n"


def tetrahedron() -> bytes:
    """A binary STL file of volume 1/6 m³."""
    points = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    data = b"".join(struct.pack("<12fH", 0, 0, 0, *(v for k in f for v in points[k]), 0) for f in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder far from the meshes, so that these may not be opened."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "hull.stl").write_bytes(tetrahedron())
    (tmp_path / "lfs.stl").write_text(POINTER, "utf-8")
    made = tmp_path / "a" / "b" / "c"
    made.mkdir(parents=True)
    (made / "lfs.stl").write_text(POINTER, "utf-8")
    return made


def model(folder: Path, file: str, mass: str = "", meshdir: str = "") -> Path:
    path = folder / "cart.xml"
    attribute = f' meshdir="{meshdir}"' if meshdir else ""
    path.write_text(MJCF.format(file=file, mass=mass, meshdir=attribute), "utf-8")
    return path


@pytest.mark.parametrize("file", ["nowhere.stl", "../../../shared/hull.stl", "lfs.stl"])
@pytest.mark.parametrize(("mass", "unknown"), [("", "mass"), ('mass="2"', "inertia"), ('mass="0"', None)])
def test_a_mass_that_derives_from_an_unread_mesh(
    file: str, mass: str, unknown: str | None, folder: Path
) -> None:
    reading = ub.read(model(folder, file, mass))
    assert reading.robot is not None
    inertial = reading.robot.link("a").inertial
    assert (None if inertial is None else inertial.unknown) == unknown
    if inertial is not None:
        assert inertial.mass == (2.0 if unknown == "inertia" else 0.0)
    assert math.isnan(reading.robot.mass) == (unknown == "mass")
    if unknown != "mass":
        assert reading.robot.mass == (5.0 if mass == 'mass="2"' else 3.0)
    assert ("mass-unknown" in [f.code for f in reading.findings]) == (unknown is not None)
    assert reading.robot.link("b").inertial is not None
    assert reading.robot.link("b").inertial.unknown == ""  # type: ignore[union-attr]


def test_a_mass_that_is_read_is_known(folder: Path) -> None:
    path = model(folder, "../../../shared/hull.stl")
    robot = ub.load(path, allow=[str(folder.parents[2] / "shared")])
    assert robot.mass == pytest.approx(1000.0 / 6.0 + 3.0, rel=1e-6)


def test_a_scaled_total_of_an_unknown_mass_is_unknown(folder: Path) -> None:
    path = model(folder, "nowhere.stl")
    path.write_text(path.read_text("utf-8").replace("<compiler", '<compiler settotalmass="9"'), "utf-8")
    unknown = [x.inertial.unknown for x in ub.load(path).links if x.inertial]
    assert unknown == ["mass", "mass"]


@pytest.mark.parametrize("mass", ["", 'mass="2"'])
def test_what_is_unknown_is_saved_and_compared(mass: str, folder: Path) -> None:
    robot = ub.load(model(folder, "nowhere.stl", mass))
    again = model_json.loads(model_json.dumps(robot), "robot.json", Findings())
    assert again == robot
    inertial = robot.link("a").inertial
    assert inertial is not None
    link = replace(robot.link("a"), inertial=replace(inertial, unknown=""))
    known = robot.with_solids(lambda x: link if x.name == "a" else x)
    assert [d.path for d in ub.diff(robot, known)] == ["links/a/inertial/unknown"]


def test_mass_and_info_tell_what_is_unknown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = model(folder, "nowhere.stl")
    assert main(["mass", str(path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["mass"], data["com"], data["unknown"]) == (None, None, {"a": "mass"})
    assert data["links"]["b"]["mass"] == 3.0
    main(["mass", str(path)])
    assert "Mass unknown; 3 kg are known" in capsys.readouterr().out
    main(["info", str(path)])
    assert "unknown; 3 kg without 1 link of unknown mass" in capsys.readouterr().out
    main(["info", str(path), "--json"])
    data = json.loads(capsys.readouterr().out)
    assert (data["mass"], data["masses"]["a"]) == (None, {"mass": None, "com": None})
    main(["mass", str(model(folder, "nowhere.stl", 'mass="2"'))])
    out = capsys.readouterr().out
    assert "Mass 5 kg" in out
    assert "Center of mass and inertia unknown" in out


@pytest.mark.parametrize("mass", ["", 'mass="2"'])
def test_an_unknown_mass_is_not_simulated(mass: str, folder: Path) -> None:
    robot = ub.load(model(folder, "nowhere.stl", mass))
    with pytest.raises(ub.SimulationError) as refused:
        ub.simulate(robot)
    assert [f.code for f in refused.value.findings if f.severity == "error"] == ["simulation-mass-unknown"]
    with pytest.raises(ub.SaveError) as not_written:
        ub.to_mujoco(robot)
    assert [f.code for f in not_written.value.findings] == ["simulation-mass-unknown"]
    pytest.importorskip("pinocchio")
    assert [f.code for f in ub.to_pinocchio(robot).findings] == ["simulation-mass-unknown"]


@pytest.mark.parametrize("meshdir", [False, True])
@pytest.mark.parametrize("mass", ["", 'mass="2"'])
def test_a_written_model_names_the_same_file(meshdir: bool, mass: str, folder: Path) -> None:
    file, home = ("hull.stl", "../../../shared") if meshdir else ("../../../shared/hull.stl", "")
    path = model(folder, file, mass, home)
    target = folder.parents[2] / "out" / "cart.xml"
    report = ub.convert(path, target)
    assert "nothing that was read is lost" in report.headline()
    assert "weighs the same but for 1 link of unknown mass" in report.headline()
    assert report.proof is not None
    assert (report.proof.unknown, report.proof.mass, report.proof.com) == (("a",), 0.0, None)
    assert "1 file not read" in str(report.proof)
    moved = ub.load(target)  # the file is near the new one
    known = ub.load(path, allow=[str(folder.parents[2] / "shared")])
    assert moved.mass == pytest.approx(known.mass, rel=1e-12)
    assert moved.link("a").inertial == known.link("a").inertial


def test_a_format_without_derived_masses_says_what_it_lacks(folder: Path) -> None:
    report = ub.convert(model(folder, "nowhere.stl"), folder / "out" / "cart.urdf", plain=True)
    assert "unknown masses" in report.headline()
    written = (folder / "out" / "cart.urdf").read_text("utf-8")
    assert 'filename="../nowhere.stl"' in written
    assert written.count("<inertial>") == 1
    stated = ub.convert(model(folder, "nowhere.stl", 'mass="2"'), folder / "out" / "b.body", plain=True)
    assert "unknown masses" in stated.headline()
    assert ub.load(folder / "out" / "b.body").mass == 5.0


@pytest.mark.parametrize("inertial", ["", INERTIAL])
@pytest.mark.parametrize("file", ["nowhere.stl", "../../../shared/hull.stl", "lfs.stl"])
def test_urdf_keeps_a_stated_mass(inertial: str, file: str, folder: Path) -> None:
    path = folder / "cart.urdf"
    path.write_text(URDF.format(inertial=inertial, file=file), "utf-8")
    target = folder.parents[2] / "out" / "cart.urdf"
    report = ub.convert(path, target, meshes="keep")
    assert "weighs the same, 1 file not read; nothing that was read is lost" in report.headline()
    assert report.proof is not None
    assert (report.proof.unread, report.proof.unknown, report.proof.bounds) == ((file,), (), None)
    assert ("file-lfs-pointer" in [f.code for f in report.findings]) == (file == "lfs.stl")
    assert ub.load(target).mass == (2.0 if inertial else 0.0)
    mesh = ub.load(target).links[0].visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert (target.parent / mesh.uri).resolve() == (folder / file).resolve()


def test_a_pointer_is_not_copied(folder: Path) -> None:
    path = folder / "cart.urdf"
    path.write_text(URDF.format(inertial=INERTIAL, file="lfs.stl"), "utf-8")
    with pytest.raises(ub.SaveError) as refused:
        ub.convert(path, folder / "out" / "cart.urdf")
    assert [f.code for f in refused.value.findings] == ["file-lfs-pointer"]


def test_srdf_and_attached_models_keep_their_references(folder: Path) -> None:
    (folder / "cart.urdf").write_text(URDF.format(inertial=INERTIAL, file="nowhere.stl"), "utf-8")
    (folder / "cart.srdf").write_text('<robot name="cart"><group name="g"/></robot>', "utf-8")
    report = ub.convert(folder / "cart.urdf", folder / "out" / "cart.urdf")
    assert "1 file not read" in report.headline()
    assert '"../nowhere.stl"' in (folder / "out" / "cart.urdf").read_text("utf-8")
    near = ub.Robot(name="near", links=(ub.Link(name="base"),), folder=str(folder / "out"))
    both = ub.attach(near, ub.load(folder / "cart.urdf"), "base")
    mesh = both.link("a").visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert mesh.uri == "../nowhere.stl"


def test_body_says_what_it_leaves_out(folder: Path) -> None:
    path = folder / "cart.body"
    path.write_text(
        "format: ChoreonoidBody\nformat_version: 2.0\nname: cart\nlinks:\n  -\n    name: a\n    mass: 2\n"
        "    inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n"
        "    elements:\n      -\n        type: Resource\n        uri: nowhere.stl\n",
        "utf-8",
    )
    report = ub.convert(path, folder / "out" / "cart.body")
    assert "1 file not read" in report.headline()
    assert "weighs the same" in report.headline()
    mesh = ub.load(folder / "out" / "cart.body").links[0].visuals[0].geometry
    assert isinstance(mesh, ub.MeshFile)
    assert mesh.uri == "../nowhere.stl"


def test_a_collision_mesh_that_is_missing_is_told(folder: Path) -> None:
    box = ub.Link(
        name="a", inertial=ub.Inertial(mass=1.0), collisions=(ub.Shape(geometry=ub.MeshFile(uri="no.stl")),)
    )
    robot = ub.Robot(name="r", links=(box,), base="free")
    assert "shape-unread" in [f.code for f in ub.simulate(robot).findings]
    assert "shape-unread" not in [f.code for f in ub.simulate(robot, contacts=False).findings]


def test_a_density_does_not_replace_a_mesh(folder: Path) -> None:
    (folder / "cart.urdf").write_text(
        '<robot name="cart"><link name="base"/><link name="a">'
        '<collision><geometry><box size="1 1 1"/></geometry></collision>'
        '<collision><geometry><mesh filename="nowhere.stl"/></geometry></collision></link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>',
        "utf-8",
    )
    sim = ub.simulate(ub.load(folder / "cart.urdf"), density=1000.0)
    assert "simulation-mass-unknown" in [f.code for f in sim.findings]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (POINTS, ["mesh-empty"]),
        (OBJ, []),
        (f"{POINTS}f 1 2 3\n".replace("\n", "\r"), []),
        (f"{POINTS}f\\\n 1 2 3\n", []),
    ],
)
def test_a_mesh_without_faces_is_told(text: str, codes: list[str], tmp_path: Path) -> None:
    """Whether its reference is copied or its text is written anew: other programs refuse the model."""
    (tmp_path / "points.obj").write_bytes(text.encode())
    (tmp_path / "a.urdf").write_text(URDF.format(file="points.obj", inertial=INERTIAL))
    for name in ("b.urdf", "b.xml"):
        report = ub.convert(tmp_path / "a.urdf", tmp_path / "out" / name)
        assert [f.code for f in report.findings if f.code == "mesh-empty"] == codes


STL = (
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
)


@pytest.mark.parametrize(
    ("name", "found"),
    [("t.stl", ("mesh-text", "leaves its shapes out")), ("t.3ds", ("mesh-format", "rejects the file"))],
)
def test_a_mesh_that_pybullet_does_not_open_is_told(
    name: str, found: tuple[str, str], tmp_path: Path
) -> None:
    """Its file is copied as it is, since others open it; MuJoCo has another file."""
    (tmp_path / name).write_text(f"{STL}endsolid a\n")
    (tmp_path / "a.urdf").write_text(URDF.format(file=name, inertial=INERTIAL))
    for where in (tmp_path / "out/b.urdf", tmp_path / "out/b.xml"):
        report = ub.convert(tmp_path / "a.urdf", where)
        told = [(f.code, f.message) for f in report.findings if "PyBullet" in f.message]
        expected = f"b.urdf_files/{name} is a {'text STL' if 'text' in found[0] else repr('.3ds')} file"
        assert told == ([(found[0], f"{expected}; PyBullet {found[1]}")] if where.suffix == ".urdf" else [])
    notes = [f.severity for f in ub.check(tmp_path / "a.urdf") if f.code == found[0]]
    assert notes == ["info"]


def test_findings_about_copies_name_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once each, with the path as it was found from the model."""
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()
    mesh = '<visual><geometry><mesh filename="{}.obj"/></geometry></visual>'
    links = f'<link name="a">{mesh.format("holed")}{mesh.format("empty")}{mesh.format("holed")}</link>'
    Path("src/r.urdf").write_text(f'<robot name="r">{links}</robot>')
    Path("src/holed.obj").write_text(OBJ + "f 1 2 99\n")
    Path("src/empty.obj").write_text("v 0 0 0\nv 1 0 0\n")
    report = ub.convert("src/r.urdf", "out/r.xml")
    found = sorted((f.code, f.subject) for f in report.findings if f.code.startswith("mesh"))
    assert found == [("mesh-empty", "src/empty.obj"), ("mesh-index", "src/holed.obj")]
    assert all(str(tmp_path) not in str(f) for f in report.findings)
