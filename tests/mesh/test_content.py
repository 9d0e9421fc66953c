"""The type of a mesh file is that of its content, whatever its suffix says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.mesh import test_ply as ply
from tests.mesh.build import (
    CORNERS,
    FACES,
    codes,
    dae,
    embedded,
    glb,
    gltf,
    obj,
    one,
    read,
    stl,
    stl_text,
    tetrahedron,
    triangles,
)

import unibody
from unibody.model.shape import MeshFile

INDICES = [i for face in FACES for i in face]
GLTF = gltf(
    [(CORNERS, "<f4", "VEC3"), (INDICES, "<u2", "SCALAR")], {"attributes": {"POSITION": 0}, "indices": 1}
)
VRML = (
    "Shape { geometry IndexedFaceSet { coord Coordinate { point ["
    + ", ".join(" ".join(map(str, c)) for c in CORNERS)
    + "] } coordIndex ["
    + " ".join(f"{a} {b} {c} -1" for a, b, c in FACES)
    + "] } }"
)
CONTENTS = {
    ".stl": stl(tetrahedron()),
    ".STL": stl_text().encode(),
    ".obj": b"# made here\r\no a\r\n" + obj().replace("\n", "\r\n").encode(),
    ".ply": ply.binary(FACES),
    ".dae": dae().encode(),
    ".glb": glb(*GLTF),
    ".gltf": embedded(*GLTF).encode(),
    ".wrl": b"#VRML V2.0 utf8\n" + VRML.encode(),
}
NAMES = {".stl": "STL", ".obj": "OBJ", ".ply": "PLY", ".dae": "COLLADA", ".glb": "glTF", ".gltf": "glTF"}
NAMES |= {".wrl": "VRML97"}


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply", ".dae", ".glb", ".gltf", ".wrl", ".iv", ""])
@pytest.mark.parametrize("held", CONTENTS)
def test_content_counts_and_a_wrong_suffix_is_a_warning(held: str, suffix: str) -> None:
    (surface,), cache = read(CONTENTS[held], suffix, up_axis="Z")
    assert sorted(triangles(surface)) == sorted(tetrahedron())
    name = NAMES[held.lower()]
    alike = NAMES.get(suffix) == name or (held == ".wrl" and suffix == ".iv")
    found = [f for f in cache.findings if f.code == "mesh-content"]
    assert len(found) == (not alike)
    for finding in found:
        assert finding.severity == "warning"
        assert (f"suffix {suffix}" if suffix else "no suffix") in finding.message
        assert name in finding.message
        assert f"'part{held.lower()}'" in finding.hint


@pytest.mark.parametrize("suffix", [".glb", ".stl", ""])
def test_gltf_is_y_up_by_its_content(suffix: str) -> None:
    (surface,), _ = read(CONTENTS[".glb"], suffix)
    assert sorted(triangles(surface)) == sorted([[x, -z, y] for x, y, z in t] for t in tetrahedron())


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply", ".dae", ".gltf"])
def test_a_byte_order_mark_is_no_content(suffix: str) -> None:
    data = {".stl": stl_text().encode(), ".ply": ply.text(FACES)}.get(suffix, CONTENTS[suffix])
    if suffix == ".obj":
        data = obj().encode()
    (surface,), cache = read(b"\xef\xbb\xbf" + data, suffix, up_axis="Z")
    assert sorted(triangles(surface)) == sorted(tetrahedron())
    assert codes(cache) == (["mesh-text"] if suffix == ".stl" else [])


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".ply", ".dae", ".glb"])
def test_gzip_is_read_with_a_warning(suffix: str) -> None:
    (surface,), cache = read(gzip.compress(CONTENTS[suffix]), suffix, up_axis="Z")
    assert sorted(triangles(surface)) == sorted(tetrahedron())
    assert "gzip" in cache.findings[0].message
    assert codes(cache) == ["mesh-content"]


@pytest.mark.parametrize(
    ("data", "suffix", "code"),
    [
        (b"nothing that is known", "", "mesh-format"),
        (b"# comments only\n", ".stl", "mesh-broken"),
        (b"v 0 0\nv 1 1\n", ".ply", "mesh-broken"),
        (b"<robot/>", ".dae", "mesh-broken"),
        (b"ply me with tea\n", ".stl", "mesh-broken"),
        (b"\x1f\x8b broken", ".stl", "gzip-broken"),
    ],
)
def test_what_nothing_tells_is_read_as_its_suffix_says(data: bytes, suffix: str, code: str) -> None:
    surfaces, cache = read(data, suffix)
    assert surfaces == []
    assert codes(cache)[-1] == code


def test_a_header_that_begins_as_another_type_is_stl_by_its_size() -> None:
    for header in (b"ply\nformat ", b"glTF", b"solid x\nfacet", b"v 0 0 0\n", b"#VRML V2.0 utf8"):
        assert triangles(one(stl(tetrahedron(), header), ".stl")) == tetrahedron()


@pytest.mark.parametrize("target", ["b.xml", "b.body"])
@pytest.mark.parametrize("suffix", [".stl", ".dae", ".ply", ".gltf", ""])
def test_a_converted_model_has_files_of_their_suffix(tmp_path: Path, suffix: str, target: str) -> None:
    (tmp_path / f"part{suffix}").write_text(obj())
    mesh = f'<visual><geometry><mesh filename="part{suffix}"/></geometry></visual>'
    (tmp_path / "a.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    (tmp_path / "out").mkdir()
    unibody.save(unibody.load(tmp_path / "a.urdf"), tmp_path / "out" / target)
    folder = tmp_path / "out" / f"{target}_files"
    assert f"{folder.name}/part.obj" in (tmp_path / "out" / target).read_text()
    assert sorted(triangles(one((folder / "part.obj").read_bytes(), ".obj"))) == sorted(tetrahedron())


@pytest.mark.parametrize("target", ["b.urdf", "b.xml", "b.body"])
@pytest.mark.parametrize(
    "uri",
    [
        "meshes\\part.obj",
        "meshes/PART.obj",
        "C:\\Users\\me\\meshes\\part.obj",
        "package://arm\\meshes\\part.obj",
        "file:///D:/work/meshes/part.obj",
    ],
)
def test_references_of_windows_exporters_are_written_with_slashes(
    tmp_path: Path, uri: str, target: str
) -> None:
    folder = tmp_path / "arm"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "part.obj").write_text(obj())
    mesh = f'<visual><geometry><mesh filename="{uri}"/></geometry></visual>'
    (folder / "a.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    unibody.save(unibody.load(folder / "a.urdf"), folder / target)
    found = unibody.read(folder / target)
    assert not {f.code for f in found.findings if f.code.startswith(("uri-", "file-"))}
    assert found.robot is not None
    geometry = found.robot.links[0].visuals[0].geometry
    assert isinstance(geometry, MeshFile)
    assert Path(geometry.path).read_text() == obj()
