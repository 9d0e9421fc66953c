"""Generated seeds: by this file, by the writers of unibody, and by the builders of the tests."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from fuzz.robots import arm, robots

_ARM_JOINTS = 6
_SIDECAR_ROBOTS = ("closed_loop", "mimic", "mpk", "sensors", "shapes")


def generated(kind: str) -> Iterator[tuple[str, bytes, dict[str, bytes]]]:
    """The generated seeds of a kind: name, bytes, and the files beside it."""
    for name, data in _MAKERS.get(kind, lambda: iter(()))():
        beside = {"a.mtl": _MTL, "a.png": _PNG} if kind in ("obj", "mtl") else {}
        yield name, data, beside


_MTL = (
    b"newmtl red\nKa 0.1 0.1 0.1\nKd 0.8 0.1 0.1\nKs 0.5 0.5 0.5\nNs 96\nd 0.5\nTr 0.5\nillum 2\n"
    b"map_Kd -s 2 2 1 -o 0.5 0 0 a.png\nnewmtl green\nKd 0 1 0\nKe 0 0.2 0\nmap_Kd a.png\n"
)
_PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
    b"\x00\x00\x00\x0cIDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)
_OBJ = (
    "mtllib a.mtl\no part\nvn 0 0 1\nvt 0 0\n{}usemtl red\ns 1\n"
    "f 1/1/1 2/1/1 -3/1/1 4/1/1\nl 1 2 3\np 1\ng a b\n"
)


#: A mesh that uses the materials of ``a.mtl``.
OBJ = _OBJ.format("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\n").encode()


def _plans() -> Iterator[tuple[str, bytes]]:
    row = " ".join(str(k / 7) for k in range(_ARM_JOINTS))
    yield "a.pln", (f"# a path\n* {row}\n*{row} # comment\n" + f"*\t{row}\n" * 20).encode()
    yield "b.pln", b"* 0 0.5\n* 1 0.25 # there\n"


def _csv() -> Iterator[tuple[str, bytes]]:
    yield "a.csv", b"time,J1,J2[deg],base.0\n0,0.1,30,0\n0.5,0.2,40,0\n1,0.3,50,1e-3\n"
    yield "b.csv", b"J1[rad];J2[rad]\n0.5;1\n-0.5;2\n" * 3
    yield "c.csv", b'"J1"\tJ2\n"1"\t2\n'


def _motions() -> Iterator[tuple[str, bytes]]:
    yield "a.json", b'{"time": [0, 1, 2], "J1": [0.1, 0.2, 0.3], "J2[deg]": [1, 2, 3]}'
    yield "b.json", b'[{"time": 0, "J1": 0.5}, {"time": 1.5, "J1": -1e-3}]'
    point = '{"positions": [0.5, 1], "time_from_start": {"sec": 1, "nanosec": 5}}'
    yield "c.json", f'{{"joint_names": ["J1", "J2"], "points": [{point}, {point}]}}'.encode()


def _natives() -> Iterator[tuple[str, bytes]]:
    for name, text in robots():
        yield f"{name}.json", text.encode()


def _sidecars() -> Iterator[tuple[str, bytes]]:
    """Models with a side-car for facts that their format cannot represent."""
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import save
    from unibody.formats import FORMATS
    from unibody.model import json as native
    from unibody.text.finding import Findings

    for name, text in robots():
        robot = native.loads(text, name, Findings())
        if robot is None or name not in _SIDECAR_ROBOTS:
            continue
        for suffix in (f.suffixes[0] for f in FORMATS if f.writer is not None):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, f"{name}{suffix}")
                try:
                    save(robot, path)
                except SaveError:
                    continue
                yield path.name, path.read_bytes()


def _stls() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import stl, stl_text, tetrahedron

    yield "binary.stl", stl(tetrahedron(), b"solid x")
    yield "text.stl", stl_text().encode()
    yield "two.stl", (stl_text("a") + stl_text("b")).encode()


def _objs() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import obj

    yield "a.obj", _OBJ.format(obj()).encode()
    yield "b.obj", obj("vt 0 1\nvn 0 0 1\n").encode()


def _mtls() -> Iterator[tuple[str, bytes]]:
    yield "a.mtl", _MTL


_PLY_HEAD = (
    "ply\nformat {} 1.0\ncomment made\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property double z\nproperty uchar red\nelement face 4\nproperty list uchar int vertex_indices\n"
    "end_header\n"
)


def _plys() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import CORNERS, FACES

    points = "".join(f"{x} {y} {z} 255\n" for x, y, z in CORNERS)
    faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES)
    yield "a.ply", (_PLY_HEAD.format("ascii") + points + faces).encode()
    for name, order in (("binary_little_endian", "<"), ("binary_big_endian", ">")):
        kind = np.dtype([("p", f"{order}f4", 2), ("z", f"{order}f8"), ("r", "u1")])
        table = np.zeros(len(CORNERS), kind)
        table["p"], table["z"] = [c[:2] for c in CORNERS], [c[2] for c in CORNERS]
        face = np.zeros(len(FACES), np.dtype([("n", "u1"), ("i", f"{order}i4", 3)]))
        face["n"], face["i"] = 3, FACES
        yield f"{order == '<'}.ply", _PLY_HEAD.format(name).encode() + table.tobytes() + face.tobytes()


def _gltfs() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import embedded

    yield "a.gltf", embedded(*_gltf()).encode()


def _glbs() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import glb

    yield "a.glb", glb(*_gltf())


def _gltf() -> tuple[dict[str, object], bytes]:
    from tests.mesh.build import CORNERS, FACES, gltf

    tables = [(CORNERS, "<f4", "VEC3"), (np.reshape(FACES, -1), "<u2", "SCALAR"), (CORNERS, "<f4", "VEC3")]
    node = {"mesh": 0, "name": "part", "rotation": [0, 0, 0, 1], "scale": [1, 1, 2], "children": [1]}
    material = {"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0.5}}
    primitive = {"attributes": {"POSITION": 0, "NORMAL": 2}, "indices": 1, "material": 0}
    nodes = [node, {"mesh": 0, "matrix": np.eye(4).reshape(-1).tolist()}]
    return gltf(tables, primitive, nodes=nodes, materials=[material])


def _colladas() -> Iterator[tuple[str, bytes]]:
    from tests.mesh.build import dae

    yield "a.dae", dae(node="<rotate>0 0 1 90</rotate><instance_geometry url='#g'/>").encode()


def _scenes() -> Iterator[tuple[str, bytes]]:
    box = "{type: Shape, geometry: {type: Box, size: [1, 2, 3]}, translation: [1, 2, 3]}"
    yield "a.scen", f"scene: [{box}]\n".encode()


def _binaries() -> Iterator[tuple[str, bytes]]:
    from tests.formats.inventor.cases import BINARY, field, floats, node

    yield "cube.iv", BINARY + node("Cube", field("width", floats(2)), field("height", floats(3)))


_VRML1 = (
    b"#VRML V1.0 ascii\nSeparator { Material { diffuseColor [1 0 0, 0 1 0] } Transform { translation 1 2 3 "
    b"rotation 0 0 1 0.5 } Coordinate3 { point [0 0 0, 1 0 0, 0 1 0] } IndexedFaceSet { coordIndex "
    b"[0, 1, 2, -1] } DEF A Cube { width 2 } USE A Switch { whichChild 0 Sphere { radius 1 } } "
    b'WWWInline { name "b.wrl" } AsciiText { string "hi" } }\n'
)


def _vrml1() -> Iterator[tuple[str, bytes]]:
    yield "a.wrl", _VRML1


_GRIDS = """#VRML V2.0 utf8
PROTO P [ field SFVec3f size 1 2 3 ] { Shape { geometry Box { size IS size } } }
DEF T Transform { rotation 0 0 1 0.5 scale 1 2 3 children [ P { } P { size 3 2 1 }
  Shape { geometry ElevationGrid { xDimension 2 zDimension 2 xSpacing 1 zSpacing 2 height [0 1 2 3] } }
  Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } }
    geometry Extrusion { spine [0 0 0, 0 1 0] } }
  Shape { geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] }
    coordIndex [0 1 2 -1] color Color { color [1 0 0 0 1 0 0 0 1] } } } USE T ] }
"""


def _grids() -> Iterator[tuple[str, bytes]]:
    yield "grid.wrl", _GRIDS.encode()


_TRAJECTORY = """joint_names: [J1, J2]
points:
  - positions: [0.0, 0.5]
    velocities: [0.0, 0.0]
    time_from_start: {secs: 0, nsecs: 0}
  - positions: [1.0, -0.5]
    time_from_start: {sec: 1, nanosec: 500000000}
"""


def _trajectories() -> Iterator[tuple[str, bytes]]:
    yield "a.yaml", _TRAJECTORY.encode()


def _control_tables() -> Iterator[tuple[str, bytes]]:
    yield "a.csv", b"time,J1,J2[deg],J6\n0,0,0,0\n0.5,0.1,20,-1e-1\n1.0,0,0,1\n"


def _patterns() -> Iterator[tuple[str, bytes]]:
    for suffix in (".pos", ".vel", ".torque"):
        yield f"a{suffix}", b"0.0 0 0 0 0 0 0\n0.5 0.1 0.2 0.3 -1e-1 0 0\n1.0 0 0 0 0 0 1\n"


_BODY_MOTIONS = (
    """type: BodyMotion
formatVersion: 2
components:
  - {type: MultiValueSeq, content: JointPosition, frameRate: 10, numParts: 6,
     frames: [[0, 0, 0, 0, 0, 0], [0.1, 0.2, 0, 0, 0, 0]]}
  - {type: MultiSE3Seq, content: LinkPosition, frameRate: 10, numParts: 1, format: XYZQWQXQYQZ,
     frames: [[[0, 0, 1, 1, 0, 0, 0]], [[0, 0, 1, 1, 0, 0, 0]]]}
""",
    """type: CompositeSeq
purpose: BodyMotion
components:
  - {type: MultiValueSeq, purpose: JointPosition, frameRate: 10, numParts: 6,
     frames: [[0, 0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0, 0]]}
  - {type: Vector3Seq, purpose: ZMP, frameRate: 10, frames: [[0, 0, 0], [0, 0, 0]]}
""",
)


def _body_motions() -> Iterator[tuple[str, bytes]]:
    for number, text in enumerate(_BODY_MOTIONS):
        yield f"a{number}.{'seq' if number else 'yaml'}", text.encode()


_MATERIALS = """materials:
  - {name: Ground, roughness: 0.5, viscosity: 0.0}
  - {name: Steel, roughness: 0.3, viscosity: 0.1}
contact_materials:
  - {materials: [Ground, Steel], static_friction: 0.6, slip_friction: 0.5, restitution: 0.2}
  - {materials: [Steel, [Ground, Steel]], friction: 0.4, cullingDistance: 0.01}
"""


def _material_tables() -> Iterator[tuple[str, bytes]]:
    yield "materials.yaml", _MATERIALS.encode()


def _records() -> Iterator[tuple[str, bytes]]:
    from unibody.simulation.record import PictureHistory, Record

    times = np.array([0.0, 0.1, 0.2])
    numbers = np.outer(times, np.ones(6))
    film = PictureHistory(times=times[:2], pixels=np.zeros((2, 3, 4, 3), np.uint8))
    record = Record(
        robot=arm(), times=times, q=numbers, v=numbers, effort=numbers, sensors={"GYRO": numbers[:, :3]},
        pictures={"EYE": film}, step=0.001,
    )  # fmt: skip
    yield "run.npz", record.packed()


_Maker = Callable[[], Iterator[tuple[str, bytes]]]
_MAKERS: dict[str, _Maker] = {
    "plan": _plans,
    "motion-csv": _csv,
    "motion-json": _motions,
    "motion-yaml": _trajectories,
    "control-csv": _control_tables,
    "control-pattern": _patterns,
    "control-motion": _body_motions,
    "materials": _material_tables,
    "record": _records,
    "native": _natives,
    "sidecar": _sidecars,
    "stl": _stls,
    "obj": _objs,
    "mtl": _mtls,
    "ply": _plys,
    "gltf": _gltfs,
    "glb": _glbs,
    "collada": _colladas,
    "choreonoid-scene": _scenes,
    "inventor-binary": _binaries,
    "vrml1": _vrml1,
    "vrml97": _grids,
}
