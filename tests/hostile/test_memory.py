"""Peak memory of a load: under 4 times the bytes of arrays, 60 times those of elements, and 100 MB."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from unibody.text.limits import ReadLimits

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc for the peak of a process"),
]

MB = 1_000_000
# The peak since the program began; ru_maxrss is that of whoever started it, when that was larger.
CHILD = """
import re, sys
from unibody.files.access import Files
from unibody.formats.loader import read
from unibody.meshes import MeshCache
from unibody.model.shape import MeshFile
from unibody.text.limits import ReadLimits

path, limits = sys.argv[1], ReadLimits.of(sys.argv[2:])
if path.endswith((".body", ".urdf", ".rob")) or "scene" in path:
    reading = read(path, limits=limits)
    found, made = reading.findings, reading.robot is not None
else:
    cache = MeshCache(Files(limits=limits))
    made, found = bool(cache.surfaces(MeshFile(uri=path, path=path))), cache.findings
print(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1], made)
print([f.code for f in found if f.severity == "error"])
"""


def peak(path: Path, *limits: str) -> tuple[int, bool, str]:
    """Peak memory in bytes, whether there was a model, and the codes of errors."""
    words = [sys.executable, "-c", CHILD, str(path), *limits]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split("\n")
    kilobytes, made = said[0].split()
    return int(kilobytes) * 1024, made == "True", said[1]


# --- arrays ---------------------------------------------------------------------------------

COUNT = 100_000
POINTS = [(i % 317 / 317, i % 211 / 211, i % 97 / 97) for i in range(COUNT)]
POINT_WORDS = ", ".join(f"{x:.6f} {y:.6f} {z:.6f}" for x, y, z in POINTS)
FACES = [(i, i + 1, i + 2) for i in range(COUNT - 2)]
FACE_WORDS = ", ".join(f"{a} {b} {c} -1" for a, b, c in FACES)
WRL = (
    "#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [ "
    f"{POINT_WORDS} ] }} coordIndex [ {FACE_WORDS} ] }} }}"
)
IV = (
    f"#Inventor V2.1 ascii\nSeparator {{ Coordinate3 {{ point [ {POINT_WORDS} ] }} "
    f"IndexedFaceSet {{ coordIndex [ {FACE_WORDS} ] }} }}"
)


def listed(words: str) -> str:
    return words.replace(", ", ",").replace(" ", ",")


BODY = (
    "format: ChoreonoidBody\nformat_version: 2.0\nname: m\nlinks:\n - name: a\n   elements: [{ "
    f"type: Shape, geometry: {{ type: IndexedFaceSet, coordinate: [ {listed(POINT_WORDS)} ], coordIndex: "
    f"[ {listed(FACE_WORDS)} ] }} }}]\n"
)
STL = (b" " * 80 + struct.pack("<I", 2 * COUNT)) + struct.pack(
    "<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0
) * (2 * COUNT)
ASCII = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0.25 0\nvertex 0 1 0.5\nendloop\nendfacet\n"
OBJ = "".join(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in POINTS) + "".join(
    f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES
)
PLY = (
    f"ply\nformat ascii 1.0\nelement vertex {COUNT}\nproperty float x\nproperty float y\nproperty float z\n"
    f"element face {COUNT - 2}\nproperty list uchar int vertex_indices\nend_header\n"
    + "".join(f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in POINTS)
    + "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES)
)
ARRAYS: dict[str, str | bytes] = {
    "scene.wrl": WRL,
    "mesh.wrl": WRL,
    "scene.iv": IV,
    "mesh.iv": IV,
    "robot.body": BODY,
    "mesh.stl": STL,
    "ascii.stl": "solid a\n" + ASCII * 50_000 + "endsolid a\n",
    "mesh.obj": OBJ,
    "mesh.ply": PLY,
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays(name: str, tmp_path: Path) -> None:
    content = ARRAYS[name]
    data = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(data)
    taken, made, codes = peak(tmp_path / name)
    assert (made, codes) == (True, "[]")
    assert len(data) > 4 * MB
    assert taken < 4 * len(data) + 100 * MB


# --- elements -------------------------------------------------------------------------------


def urdf(count: int) -> str:
    link = (
        '<link name="link_{0}"><inertial><origin xyz="0 0 0.1" rpy="0 0 0"/><mass value="1.5"/><inertia '
        'ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial><visual>'
        '<origin xyz="0 0 0.1"/><geometry><box size="0.1 0.1 0.2"/></geometry></visual></link>\n'
    )
    joint = (
        '<joint name="joint_{0}" type="revolute"><parent link="link_{1}"/><child link="link_{0}"/><origin '
        'xyz="0 0 0.2"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint>\n'
    )
    links = (link.format(i) + (joint.format(i, i - 1) if i else "") for i in range(count))
    return f'<robot name="r">{"".join(links)}</robot>'


def body(count: int) -> str:
    link = (
        " - name: link_{0}\n{1}   joint_type: revolute\n   translation: [ 0, 0, 0.1 ]\n   joint_axis: "
        "[ 0, 0, 1 ]\n   joint_range: [ -90, 90 ]\n   mass: 1.0\n   center_of_mass: [ 0, 0, 0.05 ]\n"
        "   inertia: [ 0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01 ]\n   elements:\n     - type: Shape\n"
        "       geometry: {{ type: Box, size: [ 0.1, 0.1, 0.1 ] }}\n"
    )
    links = (link.format(i, f"   parent: link_{i - 1}\n" if i else "") for i in range(count))
    return "format: ChoreonoidBody\nformat_version: 2.0\nname: m\nlinks:\n" + "".join(links)


def rob(count: int) -> str:
    joint = "joint Link{0} {{\n{1}  ConstTransl 0 0 0.1\n  Rot1 0 1 0 -1.5 1.5\n  param {0}\n}}\n"
    joints = (joint.format(i, f"  parent Link{i - 1}\n" if i else "") for i in range(count))
    return f"#MPK v1.0 robot\n{''.join(joints)}"


BOXES = (
    "Transform {{ translation {} 0 0 children [ Shape {{ appearance Appearance {{ material Material "
    "{{ diffuseColor 1 0 0 }} }} geometry Box {{ size 1 2 3 }} }} ] }}\n"
)
CUBES = (
    "Separator {{\n  Translation {{ translation {} 0 0 }}\n  Material {{\n    diffuseColor 0.8 0.25 0.125\n"
    "    specularColor 0.1 0.1 0.1\n    shininess 0.25\n  }}\n"
    "  Cube {{ width 1.5 height 2.5 depth 0.5 }}\n}}\n"
)
ELEMENTS = {
    "links.urdf": urdf(8000),
    "links.body": body(12_000),
    "scene.wrl": "#VRML V2.0 utf8\n" + "".join(BOXES.format(i) for i in range(30_000)),
    "scene.iv": "#Inventor V2.1 ascii\nSeparator {\n"
    + "".join(CUBES.format(i) for i in range(12_000))
    + "}\n",
    "joints.rob": rob(4000),
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements(name: str, tmp_path: Path) -> None:
    data = ELEMENTS[name].encode()
    (tmp_path / name).write_bytes(data)
    taken, made, codes = peak(tmp_path / name)
    assert (made, codes) == (True, "[]")
    assert taken < 60 * len(data) + 100 * MB


# --- the worst ------------------------------------------------------------------------------

BODY_HEAD = "format: ChoreonoidBody\nformat_version: 2.0\nname: m\nlinks: [{name: a"
# What a program writes that saves on every character, or that means harm: each text is about as long as
# the limits let it be, or longer. Beginning, piece, number of pieces, end.
DENSE = {
    "elements.urdf": ('<robot name="r"><link name="l"/>', "<a/>", 480_000, "</robot>"),
    "attributes.urdf": ('<robot name="r"><link name="l"/>', "<a a=''/>", 160_000, "</robot>"),
    "links.urdf": ('<robot name="r"><link name="l"/>', "<link/>", 240_000, "</robot>"),
    "joints.urdf": ('<robot name="r"><link name="l"/>', "<joint/>", 120_000, "</robot>"),
    "visuals.urdf": ('<robot name="r"><link name="l">', "<visual/>", 50_000, "</link></robot>"),
    "words.body": (f"{BODY_HEAD}}}]\na: [", "x,", 480_000, "]\n"),
    "lists.body": (f"{BODY_HEAD}}}]\na: [", "[],", 480_000, "]\n"),
    "maps.body": (f"{BODY_HEAD}}}]\na: [", "{},", 480_000, "]\n"),
    "maps-in-maps.body": (f"{BODY_HEAD}}}]\na: [", "{a: {}},", 160_000, "]\n"),
    "links.body": (f"{BODY_HEAD}}}", ",{}", 240_000, "]\n"),
    "shapes.body": (f"{BODY_HEAD}, elements: [", "{type: Shape},", 60_000, "]}]\n"),
    "elements.body": (f"{BODY_HEAD}, elements: [", "{},", 480_000, "]}]\n"),
    "scene.wrl": ("#VRML V2.0 utf8\n", "A{}", 160_000, ""),
    "scene-groups.wrl": ("#VRML V2.0 utf8\n", "Group{}", 160_000, ""),
    "scene-boxes.wrl": ("#VRML V2.0 utf8\n", "Shape{geometry Box{}}", 20_000, ""),
    "scene.iv": ("#Inventor V2.1 ascii\n", "A{}", 160_000, ""),
    "scene-materials.iv": ("#Inventor V2.1 ascii\n", "Material{}", 120_000, ""),
    "scene-cubes.iv": ("#Inventor V2.1 ascii\nSeparator{", "Separator{Cube{width 2}}", 20_000, "}"),
    "braces.rob": ("#MPK v1.0 robot\n", "{}", 120_000, ""),
    "blocks.rob": ("#MPK v1.0 robot\n", "a{}", 80_000, ""),
    "joints.rob": ("#MPK v1.0 robot\n", "joint{}", 80_000, ""),
    "fields.rob": ("#MPK v1.0 robot\njoint a {\n", "param 0\n", 120_000, "}\n"),
}


@pytest.mark.parametrize("name", DENSE)
def test_text_as_dense_as_it_can_be(name: str, tmp_path: Path) -> None:
    head, piece, count, end = DENSE[name]
    (tmp_path / name).write_text(head + piece * count + end)
    size = (tmp_path / name).stat().st_size
    assert peak(tmp_path / name)[0] < 60 * size + 100 * MB


UNLIMITED = {
    "a.urdf": ('<robot name="r"><link name="l"/>', "<a/>", "</robot>"),
    "scene.wrl": ("#VRML V2.0 utf8\n", "A{}", ""),
    "scene.iv": ("#Inventor V2.1 ascii\n", "A{}", ""),
    "a.body": (f"{BODY_HEAD}}}]\na: [", "x,", "]\n"),
}


@pytest.mark.parametrize("name", UNLIMITED)
def test_the_limit_on_nodes_bounds_any_text(name: str, tmp_path: Path) -> None:
    """Some 300 bytes for each value, however dense the text; it ends when the limit is met."""
    before, each, behind = UNLIMITED[name]
    nodes = 100_000
    (tmp_path / name).write_text(before + each * 3 * nodes + behind)
    taken, made, codes = peak(tmp_path / name, f"nodes={nodes}", "parts=inf")
    assert (made, codes) == (False, "['too-many-nodes']")
    assert taken < 500 * nodes + 100 * MB
    assert ReadLimits().nodes == 500_000
