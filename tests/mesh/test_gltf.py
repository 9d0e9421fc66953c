"""glTF and GLB files."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.mesh.build import CORNERS, FACES, codes, embedded, glb, gltf, read, tetrahedron, triangles

from unibody.meshes import Surface

POSITIONS = (CORNERS, "<f4", "VEC3")
INDICES = (np.reshape(FACES, -1), "<u2", "SCALAR")
PLAIN = {"attributes": {"POSITION": 0}, "indices": 1}


def one(data: dict[str, Any], binary: bytes) -> Surface:
    """The only surface, from text and from binary alike, not turned."""
    surfaces, cache = read(embedded(data, binary), ".gltf", up_axis="Z")
    again, _ = read(glb(data, binary), ".glb", up_axis="Z")
    assert codes(cache) == []
    assert len(surfaces) == len(again) == 1
    assert triangles(surfaces[0]) == triangles(again[0])
    return surfaces[0]


def test_triangles() -> None:
    surface = one(*gltf([POSITIONS, INDICES], PLAIN))
    assert triangles(surface) == tetrahedron()
    assert surface.vertices.dtype == np.float64


def test_a_file_with_its_buffer_beside_it() -> None:
    data, binary = gltf([POSITIONS, INDICES], PLAIN)
    data["buffers"][0]["uri"] = "part%201.bin"
    surfaces, cache = read(json.dumps(data), ".gltf", {"part 1.bin": binary}, up_axis="Z")
    assert triangles(surfaces[0]) == tetrahedron()
    assert codes(cache) == []


def test_without_indices() -> None:
    corners = np.reshape(tetrahedron(), (-1, 3))
    surface = one(*gltf([(corners, "<f4", "VEC3")], {"attributes": {"POSITION": 0}}))
    assert triangles(surface) == tetrahedron()


@pytest.mark.parametrize(("mode", "wanted"), [(5, [[0, 1, 2], [1, 3, 2]]), (6, [[0, 1, 2], [0, 2, 3]])])
def test_strips_and_fans(mode: int, wanted: list[list[int]]) -> None:
    indices = (range(4), "u1", "SCALAR")
    data, binary = gltf([POSITIONS, indices], {**PLAIN, "mode": mode})
    del data["accessors"][1]["normalized"]
    assert triangles(one(data, binary)) == [[list(CORNERS[i]) for i in face] for face in wanted]


def test_lines_are_no_surface() -> None:
    data, binary = gltf([POSITIONS, INDICES], {**PLAIN, "mode": 1})
    surfaces, cache = read(glb(data, binary), ".glb")
    assert surfaces == []
    assert "mesh-empty" in codes(cache)


def test_normals_texture_and_colours() -> None:
    tables = [
        POSITIONS,
        INDICES,
        (((0, 0, 2),) * 4, "<f4", "VEC3"),
        (((0, 0), (0.25, 0), (0.5, 1), (1, 1)), "<f4", "VEC2"),
        (((255, 0, 255, 128),) * 4, "u1", "VEC4"),
    ]
    attributes = {"POSITION": 0, "NORMAL": 2, "TEXCOORD_0": 3, "COLOR_0": 4}
    surface = one(*gltf(tables, {"attributes": attributes, "indices": 1}))
    assert surface.normals is not None
    assert surface.tex_coords is not None
    assert surface.colors is not None
    assert surface.normals.tolist() == [[0.0, 0.0, 1.0]] * 4
    # from the bottom of the image here, from its top there
    assert surface.tex_coords[1].tolist() == [0.25, 1.0]
    assert surface.colors[0].tolist() == [1.0, 0.0, 1.0, 128 / 255]


def test_positions_as_normalized_whole_numbers() -> None:
    corners = np.array(CORNERS) / 3.0 * 32767
    data, binary = gltf([(np.round(corners), "<i2", "VEC3"), INDICES], PLAIN)
    data["bufferViews"][0]["byteStride"] = 8
    padded = np.zeros((4, 4), "<i2")
    padded[:, :3] = np.round(corners)
    binary = padded.tobytes() + binary[24:]
    data["bufferViews"][0]["byteLength"] = 32
    data["bufferViews"][1]["byteOffset"] = 32
    data["buffers"][0]["byteLength"] = len(binary)
    surface = one(data, binary)
    assert np.abs(surface.vertices * 3.0 - np.array(CORNERS)[np.unique(FACES)]).max() < 1e-4


def test_sparse_rows() -> None:
    data, binary = gltf([POSITIONS, INDICES, ([1], "<u2", "SCALAR"), ([(5, 0, 0)], "<f4", "VEC3")], PLAIN)
    data["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": 2, "componentType": 5123},
        "values": {"bufferView": 3},
    }
    assert one(data, binary).vertices.max() == 5.0


def test_nodes_and_transforms() -> None:
    data, binary = gltf([POSITIONS, INDICES], PLAIN)
    half = float(np.sqrt(0.5))
    data["nodes"] = [
        {"name": "top", "children": [1, 2], "translation": [1, 0, 0]},
        {"name": "turned", "mesh": 0, "rotation": [0, 0, half, half], "scale": [1, 2, 1]},
        {"name": "mirrored", "mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1]},
    ]
    surfaces, _ = read(glb(data, binary), ".glb", up_axis="Z")
    # (x, y, z) → (−2y + 1, x, z), and (1 − x, y, z + 5) with the triangles turned round
    assert np.allclose(surfaces[0].vertices.min(0), [-3.0, 0.0, 0.0])
    assert np.allclose(surfaces[0].vertices.max(0), [1.0, 1.0, 3.0])
    assert np.allclose(surfaces[1].vertices.max(0), [1.0, 2.0, 8.0])
    assert surfaces[1].faces.tolist() == [list(face[::-1]) for face in FACES]
    part, _ = read(glb(data, binary), ".glb", fragment="mirrored", up_axis="Z")
    # on its own origin, with its own mirror
    assert np.allclose(part[0].vertices.min(0), [-1.0, 0.0, 0.0])


def test_materials() -> None:
    look = {
        "name": "paint",
        "alphaMode": "BLEND",
        "emissiveFactor": [0, 0, 1],
        "pbrMetallicRoughness": {
            "baseColorFactor": [1, 0, 0.21404114, 0.25],
            "baseColorTexture": {"index": 0},
        },
    }
    more = {
        "materials": [look],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"wrapS": 33071}],
        "images": [{"uri": "a%20b.png"}],
    }
    data, binary = gltf([POSITIONS, INDICES], {**PLAIN, "material": 0}, **more)
    surfaces, _ = read(glb(data, binary), ".glb", {"a b.png": b"PNG"})
    material = surfaces[0].material
    assert material is not None
    assert material.name == "paint"
    # linear light there, sRGB here
    assert material.diffuse == pytest.approx((1.0, 0.0, 0.5), abs=1e-6)
    assert (material.emissive, material.transparency) == ((0.0, 0.0, 1.0), 0.75)
    texture = material.texture
    assert texture is not None
    assert (texture.path, texture.repeat_s, texture.repeat_t) == ("m/a b.png", False, True)


def test_an_image_in_a_buffer_becomes_a_data_uri() -> None:
    more: dict[str, Any] = {"materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
    more |= {"textures": [{"source": 0}], "images": [{"bufferView": 2, "mimeType": "image/jpeg"}]}
    data, binary = gltf(
        [POSITIONS, INDICES, (list(b"abc"), "u1", "SCALAR")], {**PLAIN, "material": 0}, **more
    )
    del data["accessors"][2]
    surfaces, cache = read(glb(data, binary), ".glb")
    assert codes(cache) == []
    assert surfaces[0].material is not None
    assert surfaces[0].material.texture is not None
    assert surfaces[0].material.texture.uri == "data:image/jpeg;base64,YWJj"


def _changed(path: str, value: Any) -> dict[str, Any]:
    """The plain file's JSON with one thing changed."""
    data, _ = gltf([POSITIONS, INDICES], PLAIN)
    *way, last = path.split("/")
    holder: Any = data
    for key in way:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    holder[int(last) if isinstance(holder, list) else last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("accessors/0/count", 5, "mesh-broken"),
        ("accessors/0/count", 10**12, "mesh-broken"),
        ("accessors/0/count", -1, "mesh-broken"),
        ("accessors/0/count", True, "mesh-broken"),
        ("accessors/0/byteOffset", 10**15, "mesh-broken"),
        ("accessors/0/type", "VEC9", "mesh-broken"),
        ("accessors/0/componentType", [5126], "mesh-broken"),
        ("accessors/0/bufferView", 7, "mesh-broken"),
        ("accessors/0/sparse", {"count": 10**9}, "mesh-broken"),
        ("bufferViews/0/byteLength", 10**15, "mesh-broken"),
        ("bufferViews/0/byteStride", 1, "mesh-broken"),
        ("buffers/0/byteLength", 10**15, "mesh-broken"),
        ("buffers/0/uri", "../../../etc/passwd", "mesh-broken"),
        ("buffers/0/uri", "https://example.org/a.bin", "mesh-broken"),
        ("buffers/0/uri", "data:application/octet-stream;base64,!!!", "mesh-broken"),
        ("meshes/0/primitives/0/indices", 0, "mesh-broken"),
        ("meshes/0/primitives/0/attributes/POSITION", 1, "mesh-broken"),
        ("meshes/0/primitives", "none", "mesh-empty"),
        ("nodes/0/mesh", 3, "mesh-reference"),
        ("nodes/0/children", [0], "mesh-too-large"),
        ("nodes/0/translation", [1e60, 0, 0], "mesh-broken"),
        ("nodes/0/matrix", [1.0] * 15, "mesh-broken"),
        ("nodes/0/rotation", "none", "mesh-broken"),
        ("scenes/0/nodes", [0, 5], "mesh-reference"),
        ("scenes/0/nodes", {"a": 1}, "mesh-empty"),
        ("asset", [], "mesh-broken"),
        ("extensionsRequired", ["KHR_draco_mesh_compression"], "mesh-format"),
    ],
)
def test_what_is_wrong_is_found(path: str, value: Any, code: str) -> None:
    _, binary = gltf([POSITIONS, INDICES], PLAIN)
    _, cache = read(glb(_changed(path, value), binary), ".glb")
    assert code in codes(cache), [str(f) for f in cache.findings]
    assert "root:x:" not in " ".join(map(str, cache.findings))


@pytest.mark.parametrize(
    "data",
    [
        b"glTF",
        glb({"asset": {}}, version=1),
        glb({"asset": {}})[:-4],
        b"glTF\x02\0\0\0\x0c\0\0\0",
        b"{",
        b"[1]",
        b"[" * 100_000,
        b'{"asset": {"version": 1e400}, "nodes": NaN}',
        b'{"asset": {}, "n": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_gltf_is_an_error(data: bytes) -> None:
    surfaces, cache = read(data, ".glb")
    assert surfaces == []
    assert cache.findings[0].severity == "error"


def test_data_that_is_read_over_and_over_is_refused() -> None:
    data, binary = gltf([POSITIONS, INDICES], PLAIN)
    # zeros without a buffer, a million rows in each of many primitives
    data["accessors"][0] = {"componentType": 5126, "type": "VEC3", "count": 1_000_000}
    data["meshes"][0]["primitives"] = [PLAIN] * 70
    _, cache = read(glb(data, binary), ".glb")
    assert codes(cache) == ["mesh-too-large"]
