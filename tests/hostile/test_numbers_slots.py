"""The places of numbers that test_numbers fills: a text with @ for the number, and where its value is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.mesh.build import CORNERS, FACES, dae, embedded, gltf

from unibody.checks import further
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.formats.mpk.plan import parse_plan
from unibody.meshes import MeshCache
from unibody.model import json as native
from unibody.model.shape import MeshFile
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source

# What these small models have anyway, or what follows from the number that is missing.
USUAL = frozenset(
    "inertia-missing shapes-only shapes-missing mesh-empty mesh-not-finite mesh-index index-out-of-range "
    "inertia-triangle inertia-not-symmetric inertia-not-positive proto-missing joint-type-missing "
    "mass-zero mass-missing size-not-positive shape-size up-axis-ignored plan-range mass-without-inertia "
    "inertia-implausible inertia-without-mass param-unused vertices-unused".split()
)


@dataclass(frozen=True)
class Seen:
    """What came of a text: its findings, and the number."""

    findings: Sequence[Finding]
    value: Callable[[], Any]

    def is_gone(self) -> bool:
        """Whether what would hold the number was left out, being nothing."""
        try:
            return self.value() is None
        except (IndexError, AttributeError):
            return True


@dataclass(frozen=True)
class Slot:
    """A place of a number: the file's name, its text, and the way to its value."""

    name: str
    file: str
    text: str
    get: Callable[[Any], Any]
    placed: bool = True
    exact: bool = True
    usual: frozenset[str] = USUAL

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the number."""
        before = self.text[: self.text.index("@")]
        return before.count("\n") + 1, len(before) - before.rfind("\n")


def seen(slot: Slot, word: str) -> Seen:
    """Read a slot with a word in it."""
    text = slot.text.replace("@", word)
    if slot.file.startswith("part."):
        return _mesh(slot, text)
    findings = Findings()
    if slot.file.endswith(".json"):
        robot = native.loads(text, slot.file, findings)
        return Seen(findings, lambda: slot.get(robot))
    if slot.file.endswith(".pln"):
        plan = parse_plan(Source(slot.file, text))
        return Seen(plan.findings, lambda: slot.get(plan))
    if slot.file.endswith(".csv"):
        return _motion(slot, text)
    files = MemoryFiles({slot.file: text.encode()})
    reading = read(slot.file, files=files)
    found = list(reading.findings)
    if reading.robot is not None:
        found += further(reading.robot, found, files)
    shown = [f for f in found if f.severity != "info"]
    return Seen(shown, lambda: slot.get(reading.robot))


def _mesh(slot: Slot, text: str) -> Seen:
    cache = MeshCache(MemoryFiles({slot.file: text.encode()}))
    surfaces = cache.surfaces(MeshFile(uri=slot.file, path=slot.file))
    return Seen(cache.findings, lambda: slot.get(surfaces))


def _motion(slot: Slot, text: str) -> Seen:
    from unibody.files.access import MemoryFiles
    from unibody.mechanism import assemble
    from unibody.model.robot import Joint, Link, Robot
    from unibody.motions.motion import MotionError
    from unibody.motions.notations import load_motion

    joint = Joint(name="J1", kind="revolute", parent="a", child="b")
    robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,))
    try:
        files = MemoryFiles({slot.file: text.encode()})
        motion = load_motion(slot.file, assemble(robot), files=files)
    except MotionError as error:
        return Seen([Finding("refused", "error", str(error))], lambda: None)
    return Seen([], lambda: slot.get(motion))


def gltf_text(word: str) -> str:
    """A glTF file with a word for a number of a node's translation."""
    tables = [(CORNERS, "<f4", "VEC3"), (np.reshape(FACES, -1), "<u2", "SCALAR")]
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    return embedded(*gltf(tables, primitive, nodes=[{"mesh": 0, "translation": ["@", 0, 0]}])).replace(
        '"@"', word
    )


_MANY = ", ".join(["0.25"] * 300)
_BODY = "format: ChoreonoidBody\nformat_version: 2.0\nname: m\nlinks:\n - name: a\n   "
_INERTIA = "inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1]"
_FACES = (
    "elements: [ { type: Shape, geometry: { type: IndexedFaceSet, coordIndex: [0, 1, 2, -1], coordinate: [ "
)
_SET = "coordIndex [0 1 2 -1] coord Coordinate { point ["
_SEGMENT = "DEF l Segment { mass 1 momentsOfInertia ["
_HUMANOID = "#VRML V2.0 utf8\nDEF r Humanoid { humanoidBody [ DEF b Joint { children [ " + _SEGMENT
_URDF = '<robot name="r">\n<link name="a">'
_SIX = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
_IV = "#Inventor V2.1 ascii\n"
_PLY = "property float x\nproperty float y\nproperty float z\nelement face 1\n"
_PLY += "property list uchar int vertex_indices"
_TRIANGLE = "IndexedFaceSet { coordIndex [0, 1, 2, -1] }\n"
_BALL = '<geometry><sphere radius="1"/></geometry></visual></link></robot>'


def _first(robot: Any) -> Any:
    return robot.links[0].visuals[0]


def _vertex(robot: Any) -> float:
    return float(_first(robot).geometry.vertices[0])


def _mass(robot: Any) -> float:
    return robot.links[0].inertial.mass  # type: ignore[no-any-return]


def _shift(robot: Any) -> float:
    return _first(robot).pose.xyz[0]  # type: ignore[no-any-return]


def _corner(surfaces: Any) -> float:
    return float(surfaces[0].vertices[0][0])


_ALL = (
    Slot("Body scalar", "m.body", f"{_BODY}mass: @\n   {_INERTIA}\n", _mass),
    Slot(
        "Body vector",
        "m.body",
        f"{_BODY}mass: 1\n   center_of_mass: [@, 0, 0]\n   {_INERTIA}\n",
        lambda r: r.links[0].inertial.com[0],
    ),
    Slot("Body list", "m.body", f"{_BODY}{_FACES}@, 0, 0, 1, 0, 0, 0, 1, 0 ] }} }} ]\n", _vertex),
    Slot("Body long", "m.body", f"{_BODY}{_FACES}@, 0, 0, 1, 0, 0, 0, 1, 0, {_MANY} ] }} }} ]\n", _vertex),
    Slot(
        "URDF scalar",
        "m.urdf",
        f'{_URDF}<inertial><mass value="@"/>{_SIX}</inertial></link></robot>',
        _mass,
    ),
    Slot(
        "URDF vector",
        "m.urdf",
        f'{_URDF}<visual><origin xyz="@ 0 0"/>{_BALL}',
        _shift,
    ),
    Slot(
        "OpenHRP list",
        "m.wrl",
        f"{_HUMANOID}@ 0 0 0 1 0 0 0 1] }} ] }} ] }}\n",
        lambda r: float(np.reshape(r.links[0].inertial.inertia, -1)[0]),
    ),
    Slot(
        "VRML scalar",
        "m.wrl",
        "#VRML V2.0 utf8\nShape { geometry Sphere { radius @ } }\n",
        lambda r: _first(r).geometry.radius,
    ),
    Slot(
        "VRML vector",
        "m.wrl",
        "#VRML V2.0 utf8\nTransform { translation @ 0 0 children Shape { geometry Sphere { } } }\n",
        _shift,
    ),
    Slot(
        "VRML list",
        "m.wrl",
        f"#VRML V2.0 utf8\nShape {{ geometry IndexedFaceSet {{ {_SET}@ 0 0 1 0 0 0 1 0] }} }} }}\n",
        _vertex,
    ),
    Slot(
        "VRML long",
        "m.wrl",
        f"#VRML V2.0 utf8\nShape {{ geometry IndexedFaceSet {{ {_SET}@ 0 0 1 0 0 0 1 0 {_MANY}] }} }} }}\n",
        _vertex,
    ),
    Slot("Inventor scalar", "m.iv", f"{_IV}Sphere {{ radius @ }}\n", lambda r: _first(r).geometry.radius),
    Slot("Inventor vector", "m.iv", f"{_IV}Translation {{ translation @ 0 0 }}\nSphere {{ }}\n", _shift),
    Slot(
        "Inventor list",
        "m.iv",
        f"{_IV}Coordinate3 {{ point [@ 0 0, 1 0 0, 0 1 0] }}\n{_TRIANGLE}",
        _vertex,
    ),
    Slot(
        "Inventor long",
        "m.iv",
        f"{_IV}Coordinate3 {{ point [@ 0 0, 1 0 0, 0 1 0, {_MANY}] }}\n{_TRIANGLE}",
        _vertex,
    ),
    Slot(
        "MPK scalar",
        "m.rob",
        "#MPK v1.0 robot\njoint a {\n Rot1 0 0 1 @ 2 param 0 }\n",
        lambda r: r.coordinates[0].drives[0].at_zero,
    ),
    Slot(
        "MPK vector",
        "m.rob",
        "#MPK v1.0 robot\njoint a { }\njoint b { parent a ConstTransl @ 0 0 }\n",
        lambda r: r.joints[0].origin.xyz[0],
    ),
    Slot("plan", "m.pln", "* @ 0.5\n* 0 1\n", lambda plan: plan.points[0][0]),
    Slot("long plan", "m.pln", "* @ 0.5\n" + "* 0.25 1\n" * 200, lambda plan: plan.points[0][0]),
    Slot(
        "native",
        "m.json",
        '{"unibody": 2, "name": "r", "links": [{"name": "a", "inertial": {"mass": @, "com": [0, 0, 0], '
        '"inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}]}',
        _mass,
        placed=False,
    ),
    Slot("CSV", "m.csv", "time,J1\n0,@\n1,0\n", lambda motion: float(motion.q[0][0]), placed=False),
    Slot(
        "STL",
        "part.stl",
        "solid a\nfacet normal 0 0 1\nouter loop\nvertex @ 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nendsolid a\n",
        _corner,
        usual=USUAL | {"mesh-text"},
    ),
    Slot("OBJ", "part.obj", "v @ 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", _corner, exact=False),
    Slot(
        "PLY",
        "part.ply",
        f"ply\nformat ascii 1.0\nelement vertex 3\n{_PLY}\nend_header\n@ 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        _corner,
    ),
    Slot("COLLADA", "part.dae", dae().replace('count="12">0.0 ', 'count="12">@ '), _corner, exact=False),
)
SLOTS = {slot.name: slot for slot in _ALL}

COLUMNS = {
    "Body": ("Body scalar", "Body vector", "Body list", "Body long"),
    "URDF": ("URDF scalar",),
    "URDF vectors": ("URDF vector",),
    "VRML, Inventor": (
        "OpenHRP list",
        "VRML scalar",
        "VRML list",
        "VRML long",
        "Inventor scalar",
        "Inventor list",
        "Inventor long",
    ),
    "VRML vectors": ("VRML vector", "Inventor vector"),
    ".rob": ("MPK scalar", "MPK vector"),
    ".pln": ("plan", "long plan"),
    "JSON": ("native",),
    "CSV": ("CSV",),
    "meshes": ("STL", "OBJ", "PLY", "COLLADA"),
    # of the second table
    "Body value": ("Body scalar",),
    "Body list": ("Body vector",),
    "URDF value": ("URDF scalar",),
    "VRML value": ("VRML scalar", "Inventor scalar"),
    "VRML list": ("VRML list",),
    ".rob vector": ("MPK vector",),
}
