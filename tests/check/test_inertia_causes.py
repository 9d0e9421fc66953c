"""The cause of a wrong inertia: what is named, with which numbers, and what the fix writes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibody as ub
from unibody.checks import examine
from unibody.files.access import MemoryFiles
from unibody.meshes.primitive import primitive
from unibody.model import shape as s
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Link, Robot
from unibody.model.solid import box_solid, mesh_solid, primitive_solid, shape_solid, united
from unibody.text.edit import edited
from unibody.text.finding import Finding

# A solid box of 0.1 × 0.2 × 0.3 m and 1 kg, and one of 12 kg whose products are not small.
A, B, C = 0.010833, 0.0083333, 0.0041667
URDF = """<robot name="r"><link name="a">
<inertial><origin xyz="{com}" rpy="{rpy}"/><mass value="{mass}"/>
<inertia ixx="{i[0]}" ixy="{i[1]}" ixz="{i[2]}" iyy="{i[3]}" iyz="{i[4]}" izz="{i[5]}"/></inertial>
<collision><origin xyz="{at}" rpy="{turn}"/><geometry>{shape}</geometry></collision>
</link></robot>"""
BOX = '<box size="0.1 0.2 0.3"/>'


@dataclass(frozen=True)
class Model:
    """A link with an inertia as it is written, and a shape."""

    entries: tuple[float, ...]
    mass: float = 1.0
    com: str = "0 0 0"
    at: str = "0 0 0"
    rpy: str = "0 0 0"
    turn: str = "0 0 0"
    shape: str = BOX

    def text(self) -> str:
        return URDF.format(
            i=self.entries,
            mass=f"{self.mass:g}",
            com=self.com,
            at=self.at,
            rpy=self.rpy,
            turn=self.turn,
            shape=self.shape,
        )


def found(text: str, name: str = "r.urdf") -> list[Finding]:
    files = MemoryFiles({name: text.encode()})
    return [f for f in examine(ub.read(name, files=files), files) if f.severity != "info"]


def turned_box(roll: float) -> tuple[float, ...]:
    """The entries of the box, rotated about x."""
    c, s_ = math.cos(roll), math.sin(roll)
    m = np.diag([A, B, C])
    r = np.array([[1.0, 0.0, 0.0], [0.0, c, -s_], [0.0, s_, c]])
    m = r @ m @ r.T
    return tuple(float(f"{m[i, k]:.6g}") + 0.0 for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))


T = turned_box(0.6)
SHIFT = 0.5**2
CASES = {
    "one moment, not physical": (
        Model((A, 0, 0, B, 0, 5 * C)),
        ("inertia-triangle", "factor", ("izz",)),
        "change izz to 0.0041667; it then agrees with that of the solid box 0.1 × 0.2 × 0.3 m of its "
        "collision shape within 0.01 %",
    ),
    "one moment, physical": (
        Model((A, 0, 0, B, 0, 3 * C)),
        ("inertia-solid", "factor", ("izz",)),
        "change izz to 0.0041667;",
    ),
    "decimal point": (
        Model((A, 0, 0, 0.083333, 0, C)),
        ("inertia-triangle", "factor", ("iyy",)),
        "change iyy to 0.0083333 (0.1 times as large);",
    ),
    "sign of a moment": (
        Model((-A, 0, 0, B, 0, C)),
        ("inertia-not-positive", "sign", ("ixx",)),
        "change ixx to 0.010833 (opposite sign);",
    ),
    "two moments exchanged": (
        Model((C, 0, 0, B, 0, A)),
        ("inertia-solid", "order", ("ixx", "izz")),
        "exchange ixx and izz;",
    ),
    "moments first": (
        Model((A, B, C, 0, 0, 0)),
        ("inertia-not-positive", "order", ("ixy", "ixz", "iyy", "izz")),
        "write ixx = 0.010833, ixy = 0, ixz = 0, iyy = 0.0083333, iyz = 0, izz = 0.0041667;",
    ),
    "sign of a product": (
        Model((*T[:4], -T[4], T[5]), turn="0.6 0 0"),
        ("inertia-solid", "sign", ("iyz",)),
        f"change iyz to {T[4]:g} (opposite sign);",
    ),
    "decimal point of a product": (
        Model((*T[:4], T[4] * 10, T[5]), turn="0.6 0 0"),
        ("inertia-not-positive", "factor", ("iyz",)),
        f"change iyz to {T[4]:g} (0.1 times as large);",
    ),
    "about the link origin": (
        Model((A + SHIFT, 0, 0, B + SHIFT, 0, C), com="0 0 0.5", at="0 0 0.5"),
        ("inertia-size", "point", ("inertia",)),
        "write ixx = 0.010833, ixy = 0, ixz = 0, iyy = 0.0083333, iyz = 0, izz = 0.0041667;",
    ),
    "moved twice": (
        Model((A - SHIFT, 0, 0, B - SHIFT, 0, C), com="0 0 0.5", at="0 0 0.5"),
        ("inertia-not-positive", "point", ("inertia",)),
        "write ixx = 0.010833,",
    ),
    "kg·mm²": (
        Model((A * 1e6, 0, 0, B * 1e6, 0, C * 1e6)),
        ("inertia-size", "unit", ("inertia",)),
        "multiply the inertia by 1e-06;",
    ),
    "lb·in²": (
        Model((37.018, 0, 0, 28.476, 0, 14.238), mass=1.0),
        ("inertia-size", "unit", ("inertia",)),
        "multiply the inertia by 0.0002926;",
    ),
    "mass in grams": (
        Model((A, 0, 0, B, 0, C), mass=1000.0),
        ("mass-density", "unit", ("mass",)),
        "change the mass to 1 (0.001 times as large);",
    ),
    "another mass": (
        Model((2 * A, 0, 0, 2 * B, 0, 2 * C), mass=6.0),
        ("inertia-solid", "density", ("inertia", "mass")),
        "multiply the inertia by 3, or change the mass from 6 to 2;",
    ),
    "axes of the inertia": (
        Model((A, 0, 0, B * 10, 0, C), rpy="0 1.2 0", turn="0 1.2 0", com="0 0 0.5", at="0 0 0.5"),
        ("inertia-triangle", "factor", ("iyy",)),
        "change iyy to 0.0083333 (0.1 times as large);",
    ),
    "rounded to one digit": (
        Model((0.02, 0, 0, 0.02, 0, 0.0002), shape='<cylinder radius="0.02" length="0.5"/>'),
        None,
        "",
    ),
    "axes of a cylinder": (
        Model((0.0002, 0, 0, 0.020933, 0, 0.020933), shape='<cylinder radius="0.02" length="0.5"/>'),
        ("inertia-axes", "order", ("ixx", "izz")),
        "exchange ixx and izz;",
    ),
    "no solid has it": (Model((A, 0, 0, 0.9 * B, 0, 0.9 * C)), None, ""),
    "two entries wrong": (Model((3 * A, 0, 0, 2 * B, 0, C), mass=1.0), ("inertia-triangle", "", ()), ""),
    "right": (Model((A, 0, 0, B, 0, C)), None, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_the_cause_is_named_and_the_fix_brings_the_inertia_back(name: str) -> None:
    model, expected, hint = CASES[name]
    said = found(model.text())
    if expected is None:
        assert said == []
        return
    code, kind, entries = expected
    assert [f.code for f in said] == [code]
    [finding] = said
    assert finding.subject.startswith("links/a")
    cause = finding.cause if finding.cause is not None and not finding.cause.likely else None
    assert (cause.kind if cause else "", cause.entries if cause else ()) == (kind, entries)
    assert hint in finding.hint
    if cause is None or kind == "density":
        assert finding.fix is None
        return
    assert cause.before > 0.2
    assert cause.after < 0.01
    assert cause.reference == "links/a/collisions/0"
    assert finding.fix is not None
    assert not finding.fix.safe
    assert found(edited(model.text(), finding.edits)) == []


def test_a_center_of_mass_left_at_the_origin_has_no_fix() -> None:
    said = found(Model((A + SHIFT, 0, 0, B + SHIFT, 0, C), at="0 0 0.5").text())
    cause = next(f.cause for f in said if f.cause)
    assert (cause.kind, cause.entries) == ("point", ("com", "inertia"))
    assert not any(f.fix for f in said)


def test_a_cause_is_data_in_json() -> None:
    [finding] = found(Model((A, 0, 0, B, 0, 5 * C)).text())
    data = finding.json()["cause"]
    assert (data["kind"], data["entries"]) == ("factor", ["izz"])
    assert data["values"] == pytest.approx({"izz": C})
    assert data["reference"] == "links/a/collisions/0"
    assert data["before"] == pytest.approx(4.0, abs=0.01)


BODY = """format: ChoreonoidBody
format_version: 2.0
links:
  - name: a
    joint_type: free
    mass: 1.0
    inertia: [ {numbers} ]
    elements: [ {{ type: Shape, geometry: {{ type: Box, size: [ 0.1, 0.2, 0.3 ] }} }} ]
"""
WRL = """#VRML V2.0 utf8
PROTO Humanoid [ exposedField MFNode humanoidBody [] exposedField SFString name "" ]
{{ Group {{ children IS humanoidBody }} }}
PROTO Joint [ exposedField MFNode children [] exposedField SFString jointType "" ]
{{ Transform {{ children IS children }} }}
PROTO Segment [ exposedField MFNode children [] exposedField SFFloat mass 0
  exposedField SFVec3f centerOfMass 0 0 0 exposedField MFFloat momentsOfInertia [ 0 0 0 0 0 0 0 0 0 ] ]
{{ Group {{ children IS children }} }}
DEF r Humanoid {{ humanoidBody [ DEF a Joint {{ jointType "free" children [
  DEF s Segment {{ mass 1 momentsOfInertia [ {numbers} ] children [
    Shape {{ geometry Box {{ size 0.1 0.2 0.3 }} }} ] }} ] }} ] }}
"""


@pytest.mark.parametrize(
    ("name", "text", "wrong", "right"),
    [
        ("r.body", BODY, f"{C}, 0, 0, 0, {B}, 0, 0, 0, {A}", f"{A}, 0, 0, 0, {B}, 0, 0, 0, {C}"),
        ("r.body", BODY, f"{A}, {B}, {C}, 0, 0, 0", f"{A}, 0, 0, {B}, 0, {C}"),
        ("r.wrl", WRL, f"{C} 0 0 0 {B} 0 0 0 {A}", f"{A} 0 0 0 {B} 0 0 0 {C}"),
    ],
)
def test_lists_of_nine_and_six_numbers(name: str, text: str, wrong: str, right: str) -> None:
    [finding] = [f for f in found(text.format(numbers=wrong), name) if f.cause]
    assert finding.cause is not None
    assert finding.cause.kind == "order"
    assert edited(text.format(numbers=wrong), finding.edits) == text.format(numbers=right)


def test_the_fix_verb_applies_it(tmp_path: object) -> None:
    path = f"{tmp_path}/r.urdf"
    with open(path, "w", encoding="utf-8") as file:
        file.write(Model((C, 0, 0, B, 0, A)).text())
    assert ub.fix(path).fixes == ()
    fix = ub.fix(path, "all")
    assert [one.note for one in fix.fixes] == ["inertia-solid: exchange ixx and izz"]
    fix.write()
    assert ub.check(path) == []


MESH = "v 0 0 0\nv .1 0 0\nv .1 .2 0\nv 0 .2 0\nv 0 0 .3\nv .1 0 .3\nv .1 .2 .3\nv 0 .2 .3\n" + "".join(
    f"f {face}\n" for face in ("4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8")
)


def test_the_solid_of_a_mesh_completes_a_finding_of_the_load() -> None:
    text = Model((A, 0, 0, B, 0, 5 * C), com=".05 .1 .15", shape='<mesh filename="a.obj"/>').text()
    files = MemoryFiles({"r.urdf": text.encode(), "a.obj": MESH.encode()})
    reading = ub.read("r.urdf", files=files)
    assert [(f.code, f.cause) for f in reading.findings] == [("inertia-triangle", None)]
    [finding] = examine(reading, files)
    assert finding.code == "inertia-triangle"
    assert finding.cause is not None
    assert dict(finding.cause.values) == {"izz": pytest.approx(C, rel=1e-3)}
    assert "the solid mesh 'a.obj' of its collision shape" in finding.hint


# --- solids -----------------------------------------------------------------------------

PRIMITIVES = [
    s.Box(size=(0.1, 0.2, 0.3)),
    s.Sphere(radius=0.2),
    s.Ellipsoid(radii=(0.1, 0.2, 0.4)),
    s.Cylinder(radius=0.1, height=0.5),
    s.Cone(radius=0.2, height=0.3),
    s.Capsule(radius=0.1, height=0.3),
]


@pytest.mark.parametrize("geometry", PRIMITIVES, ids=lambda g: type(g).__name__)
def test_a_solid_is_that_of_its_triangles(geometry: s.Geometry) -> None:
    exact = primitive_solid(geometry)
    surface = primitive(geometry, 400)
    assert exact is not None
    assert surface is not None
    drawn = mesh_solid(surface.vertices, surface.faces)
    assert drawn is not None
    assert drawn.volume == pytest.approx(exact.volume, rel=1e-3)
    assert drawn.center == pytest.approx(exact.center, abs=1e-4)
    assert drawn.inertia(2.0) == pytest.approx(exact.inertia(2.0), rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("geometry", PRIMITIVES, ids=lambda g: type(g).__name__)
def test_a_solid_is_placed_and_stretched_as_its_triangles(geometry: s.Geometry) -> None:
    pose, linear = (
        Pose((0.1, -0.2, 0.3), from_rpy(0.3, -0.5, 0.7)),
        ((1.0, 0.2, 0.0), (0.0, 2.0, 0.0), (0.1, 0.0, 0.5)),
    )
    exact = shape_solid(s.Shape(geometry=geometry, pose=pose, linear=linear))
    surface = primitive(geometry, 400)
    assert exact is not None
    assert surface is not None
    points = surface.vertices @ np.array(linear).T @ np.array(pose.rotation()).T + pose.xyz
    drawn = mesh_solid(points, surface.faces)
    assert drawn is not None
    assert drawn.center == pytest.approx(exact.center, abs=1e-4)
    assert drawn.inertia(1.0) == pytest.approx(exact.inertia(1.0), rel=1e-3, abs=1e-7)


def test_solids_add_up() -> None:
    low, high = np.array([0.0, 0.0, 0.0]), np.array([0.1, 0.2, 0.4])
    middle = np.array([0.1, 0.2, 0.1])
    parts = [box_solid(low, middle), box_solid(np.array([0.0, 0.0, 0.1]), high)]
    whole = box_solid(low, high)
    assert whole is not None
    total = united(part for part in parts if part is not None)
    assert total.volume == pytest.approx(whole.volume)
    assert total.center == pytest.approx(whole.center)
    assert total.second == pytest.approx(whole.second)


@pytest.mark.parametrize(
    "shape",
    [
        s.Shape(geometry=s.Box(size=(0.1, 0.0, 0.3))),
        s.Shape(geometry=s.Cylinder(radius=-0.1, height=-0.1)),
        s.Shape(geometry=s.Sphere(radius=math.inf)),
        s.Shape(geometry=s.Sphere(radius=1e160)),
        s.Shape(geometry=s.Sphere(radius=1e-160)),
        s.Shape(geometry=s.Plane()),
        s.Shape(
            geometry=s.Box(size=(0.1, 0.1, 0.1)), linear=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0))
        ),
    ],
)
def test_what_has_no_volume_is_no_solid(shape: s.Shape) -> None:
    assert shape_solid(shape) is None


def test_open_and_inward_triangles_are_no_solid() -> None:
    surface = primitive(s.Box(size=(0.1, 0.2, 0.3)))
    assert surface is not None
    assert mesh_solid(surface.vertices, surface.faces[:-1]) is None
    assert mesh_solid(surface.vertices, surface.faces[:, ::-1]) is None


# --- all boxes --------------------------------------------------------------------------

EDGES = st.floats(0.05, 1.0)


@given(
    EDGES,
    EDGES,
    EDGES,
    st.floats(300.0, 5000.0),
    st.integers(0, 2),
    st.sampled_from([0.01, 0.1, 10.0, 100.0]),
)
def test_the_decimal_point_of_any_box_is_found(
    x: float, y: float, z: float, density: float, k: int, factor: float
) -> None:
    geometry = s.Box(size=(x, y, z))
    shape = s.Shape(geometry=geometry, pose=Pose((0.1, 0.2, 0.3)))
    solid = shape_solid(shape)
    assert solid is not None
    mass = density * solid.volume
    right = np.array([[float(f"{v:.6g}") for v in row] for row in solid.inertia(mass)])
    wrong = right.copy()
    wrong[k, k] *= factor
    inertial = Inertial(mass=mass, com=(0.1, 0.2, 0.3), inertia=matrix3(wrong))
    said = ub.check(Robot(name="r", links=(Link(name="a", inertial=inertial, collisions=(shape,)),)))
    [cause] = [f.cause for f in said if f.cause]
    assert (cause.kind, cause.entries) == ("factor", (f"i{'xyz'[k]}{'xyz'[k]}",))
    assert cause.values[0][1] == pytest.approx(right[k, k], rel=0.04)
    good = replace(inertial, inertia=matrix3(right))
    assert ub.check(Robot(name="r", links=(Link(name="a", inertial=good, collisions=(shape,)),))) == []
