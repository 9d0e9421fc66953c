"""The files that belong to a mesh file: found by its reader, and copied with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.mesh.build import CORNERS, FACES, dae, glb, gltf, obj

import unibody as ub
from unibody.conversion.asset_paths import with_companions
from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache, link_surfaces

IMAGE = b"\x89PNG\r\n\x1a\n0"
GLTF, BUFFER = gltf(
    [(CORNERS, "<f4", "VEC3"), ([i for f in FACES for i in f], "<u2", "SCALAR")],
    {"attributes": {"POSITION": 0}, "indices": 1},
    images=[{"uri": "a%20b.png"}, {"uri": "caf\u00e9.png"}, {"uri": "data:image/png;base64,AAAA"}],
)
GLTF["buffers"] = [{"uri": "part.bin", "byteLength": len(BUFFER)}]
IMAGES = """\
<library_images>
  <image id="a"><init_from>tex/a%20b&amp;c.png</init_from></image>
  <image id="b"><init_from><ref>./b.png</ref></init_from></image>
  <image id="c"><init_from>file:c.JPG</init_from></image>
  <image id="d"><init_from><hex format="PNG">89504E47</hex></init_from></image>
  <image id="e"><init_from>missing.png</init_from></image>
  <image id="f"><create_2d><init_from mip_index="0"><ref>f.png</ref></init_from></create_2d></image>
  <image id="g"><create_cube>
    <init_from face="POSITIVE_X"><ref>left.png</ref></init_from>
    <init_from face="NEGATIVE_X"><ref>right.png</ref></init_from>
  </create_cube></image>
</library_images>
<library_effects><effect id="x">
  <image id="h"><init_from>own.png</init_from></image>
</effect></library_effects>
"""
MADE = ("f.png", "left.png", "right.png", "own.png")
MTL = """\
newmtl a
map_Kd -blendu on -mm 0 1 -s 1 1 1 my texture.png
MAP_BUMP -bm 0.5 bump.png
  norm n.png
disp tex\\d.png
refl -type sphere r.png
map_Ks missing.png
map_Ns -CLAMP on ns.png
map_d -imfchan m d.png
decal -o 0.5 decal.png
map_Ke ke.png
map_Pr -t -0.5 0 pr.png
map_aat on
"""
MAPS = {"my texture.png", "bump.png", "n.png", "tex/d.png", "r.png"}
MAPS |= {"ns.png", "d.png", "decal.png", "ke.png", "pr.png"}
WRL = """\
#VRML V2.0 utf8
# url "no.png"
PROTO P [ field MFString skin [] ] {
  Shape { appearance Appearance { texture ImageTexture { url IS skin } } }
}
P { skin [ "gone.png", "a b.png" "second.jpg" ] }
Inline { url [ "part.wrl" ] }
WorldInfo { title "a \\"b.png\\"" }
"""
IV = '#Inventor V2.1 ascii\nTexture2 { filename a.png } File { name "p.wrl" }'
SCENE = "scene:\n  - { type: Resource, uri: a.stl }\n  - appearance: { texture: { url: t.png } }\n"
LIBRARIES = "mtllib a.mtl\nmtllib colored cubes.mtl\nmtllib b.mtl c.mtl\n"
# The text of a file, what is beside it, and which of that belongs to it.
CASES = {
    "p.obj": (
        LIBRARIES + obj(),
        {"a.mtl": MTL, "a.png": "", **dict.fromkeys(("colored cubes.mtl", "b.mtl", "c.mtl", *MAPS), "")},
        {"a.mtl", "colored cubes.mtl", "b.mtl", "c.mtl", *MAPS},
    ),
    "q.obj": ("mtllib Case.mtl\n" + obj(), {"case.MTL": ""}, {"case.MTL"}),
    "p.dae": (
        dae(libraries=IMAGES),
        dict.fromkeys(("tex/a b&c.png", "b.png", "c.JPG", "e.png", *MADE), ""),
        {"tex/a b&c.png", "b.png", "c.JPG", *MADE},
    ),
    "p.gltf": (
        json.dumps(GLTF),
        dict.fromkeys(("a b.png", "caf\u00e9.png", "part.bin", "c.png"), ""),
        {"a b.png", "caf\u00e9.png", "part.bin"},
    ),
    "p.wrl": (
        WRL,
        dict.fromkeys(("a b.png", "second.jpg", "part.wrl", "no.png"), ""),
        {"a b.png", "second.jpg", "part.wrl"},
    ),
    "p.iv": (IV, {"a.png": "", "p.wrl": ""}, {"a.png", "p.wrl"}),
    "p.scen": (SCENE, {"a.stl": "", "t.png": ""}, {"a.stl", "t.png"}),
    "p.ply": ("ply\nformat ascii 1.0\ncomment TextureFile t t.png\n", {"t t.png": ""}, {"t t.png"}),
    "p.stl": ("solid a.png\nendsolid", {"a.png": ""}, set()),
}


@pytest.mark.parametrize("name", CASES)
def test_companions(name: str) -> None:
    text, beside, wanted = CASES[name]
    contents = {f"m/{key}": value.encode() for key, value in {name: text, **beside}.items()}
    found = MeshCache(MemoryFiles(contents)).companions(f"m/{name}")
    assert {path[2:] for path in found} == wanted
    assert len(found) == len(wanted)


def test_companions_of_a_binary_file_and_of_what_is_broken() -> None:
    data = {**GLTF, "buffers": [{"byteLength": len(BUFFER)}]}
    files = MemoryFiles(
        {"p.glb": glb(data, BUFFER), "a b.png": b"", "b.glb": b"glTF", "b.dae": b"<COLLADA"}
    )
    assert MeshCache(files).companions("p.glb") == ["a b.png"]
    for broken in ("b.glb", "b.dae", "nowhere.obj"):
        assert MeshCache(files).companions(broken) == []


def test_parts_of_parts(tmp_path: Path) -> None:
    for name, text in {
        "a.wrl": '#VRML V2.0 utf8\nInline { url "in/b.wrl" }',
        "in/b.wrl": '#VRML V2.0 utf8\nInline { url "../a.wrl" } Inline { url "c.wrl" }',
        "in/c.wrl": '#VRML V2.0 utf8\nAppearance { texture ImageTexture { url "t.png" } }',
        "in/t.png": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = with_companions([str(tmp_path / "a.wrl")], ub.files.access.Files())
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found] == [
        "a.wrl", "in/b.wrl", "in/c.wrl", "in/t.png",
    ]  # fmt: skip


@pytest.mark.parametrize("target", ["r.urdf", "r.body"])
def test_copies_bring_them(tmp_path: Path, target: str) -> None:
    (tmp_path / "tex").mkdir()
    for name in MAPS:
        (tmp_path / name).write_bytes(IMAGE + name.encode())
    (tmp_path / "a.mtl").write_text("newmtl b\n")
    (tmp_path / "b.MTL").write_text(MTL)
    (tmp_path / "p.obj").write_text("mtllib a.mtl\nmtllib b.mtl\nusemtl a\n" + obj())
    mesh = '<visual><geometry><mesh filename="p.obj"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    (tmp_path / "out").mkdir()
    ub.convert(tmp_path / "r.urdf", tmp_path / "out" / target)
    copied = tmp_path / "out" / f"{target}_files"
    for name in (*MAPS, "a.mtl", "b.MTL", "p.obj"):
        assert (copied / name).read_bytes() == (tmp_path / name).read_bytes()


def textured_glb(image: bytes) -> bytes:
    """A GLB file with one material, whose image is in the file."""
    coords, bytes_ = ([[0, 0]] * len(CORNERS), "<f4", "VEC2"), (list(image), "u1", "SCALAR")
    data, binary = gltf(
        [(CORNERS, "<f4", "VEC3"), ([i for f in FACES for i in f], "<u2", "SCALAR"), coords, bytes_],
        {"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 1, "material": 0},
        materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        textures=[{"source": 0}],
        images=[{"bufferView": 3}],
    )
    del data["accessors"][3]
    return glb(data, binary)


@pytest.mark.parametrize("target", ["r.body", "r.xml", "r.wrl", "r.rob"])
def test_images_in_a_file_are_written_where_the_target_cannot_hold_them(
    tmp_path: Path, target: str
) -> None:
    (tmp_path / "p.glb").write_bytes(textured_glb(IMAGE))
    mesh = '<visual><geometry><mesh filename="p.glb"/></geometry></visual>'
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="a">{mesh}</link></robot>')
    (tmp_path / "out").mkdir()
    ub.convert(tmp_path / "r.urdf", tmp_path / "out" / target, plain=True)
    (image,) = (tmp_path / "out").rglob("*.png")
    assert image.read_bytes() == IMAGE
    (surface,) = link_surfaces(ub.load(tmp_path / "out" / target), "a", "visual")
    assert surface.material is not None
    assert surface.material.texture is not None
    assert Path(surface.material.texture.path) == image
