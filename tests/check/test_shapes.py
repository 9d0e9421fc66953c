"""Masses beside shapes, meshes in another unit, offsets, loops: on small robots made here."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unibody as ub
from unibody.checks import check, further
from unibody.files.access import MemoryFiles
from unibody.model import shape as s
from unibody.model.inertia import Inertial
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Joint, Link, Loop, Robot
from unibody.text.finding import Finding

SIZES = st.floats(0.03, 3.0)


def box_inertia(x: float, y: float, z: float, mass: float) -> Inertial:
    m = mass / 12.0
    return Inertial(
        mass=mass,
        inertia=(
            (m * (y * y + z * z), 0.0, 0.0),
            (0.0, m * (x * x + z * z), 0.0),
            (0.0, 0.0, m * (x * x + y * y)),
        ),
    )


def box(x: float, y: float, z: float, inertial: Inertial | None, at: Pose = IDENTITY) -> Link:
    return Link(name="a", inertial=inertial, collisions=(s.Shape(geometry=s.Box(size=(x, y, z)), pose=at),))


def found(*links: Link, **more: Any) -> list[Finding]:
    return further(Robot(name="r", links=links, **more))


def codes(findings: list[Finding]) -> list[str]:
    return [f.code for f in findings]


# --- masses -----------------------------------------------------------------------------


@given(SIZES, SIZES, SIZES, st.floats(5.0, 20_000.0))
def test_a_full_box_of_any_size_and_matter_is_fine(x: float, y: float, z: float, density: float) -> None:
    assert found(box(x, y, z, box_inertia(x, y, z, density * x * y * z))) == []


@given(SIZES, SIZES, SIZES, st.floats(61.0, 3000.0), st.sampled_from([1e-6, 1e-3, 1e3, 1e6, 1e9]))
def test_an_inertia_in_another_unit_is_found_and_mended(
    x: float, y: float, z: float, density: float, factor: float
) -> None:
    good = box_inertia(x, y, z, density * x * y * z)
    if good.mass < 0.001:
        return
    wrong = tuple(tuple(v * factor for v in row) for row in good.inertia)
    said = found(box(x, y, z, replace(good, inertia=wrong)))  # type: ignore[arg-type]
    assert codes(said) == ["inertia-size"]
    assert said[0].cause is not None
    assert math.isclose(said[0].cause.factor, 1.0 / factor, rel_tol=0.01)


@given(SIZES, SIZES, SIZES, st.floats(61.0, 3000.0))
def test_a_mass_in_grams_is_one_finding(x: float, y: float, z: float, density: float) -> None:
    good = box_inertia(x, y, z, density * x * y * z)
    said = found(box(x, y, z, replace(good, mass=1000.0 * good.mass)))
    assert codes(said) == ["mass-density"]
    # the smallest power that gives a usual density; that of the slip, or one near it
    assert any(f"{p:g} times as large" in said[0].hint for p in (0.1, 0.01, 0.001))


def test_exchanged_moments_of_a_rod() -> None:
    good = box_inertia(0.02, 0.02, 0.5, 1.0)
    (a, _, _), (_, b, _), (_, _, c) = good.inertia
    wrong = replace(good, inertia=((c, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, a)))
    said = found(box(0.02, 0.02, 0.5, wrong))
    assert codes(said) == ["inertia-axes"]
    assert said[0].hint.startswith("exchange ixx and izz; ")


@pytest.mark.parametrize(
    ("com", "hint"),
    [
        ((0.0, 0.0, -0.5), "change z to 0.5 (opposite sign)"),
        ((0.0, 0.0, 500.0), "change z to 0.5 (0.001 times as large)"),
        ((30.0, 20.0, 500.0), "multiply all three by 0.001"),
        ((0.0, 0.0, 0.0), "set the center of mass"),
        ((3.0, -2.0, 0.7), "it is in the link frame"),
    ],
)
def test_a_centre_outside(com: tuple[float, float, float], hint: str) -> None:
    inertial = replace(box_inertia(0.1, 0.1, 0.1, 1.0), com=com)
    said = found(box(0.1, 0.1, 0.1, inertial, Pose((0.0, 0.0, 0.5))))
    assert codes(said) == ["com-outside"]
    assert hint in said[0].hint


def test_a_unit_inertia_is_a_placeholder() -> None:
    said = found(box(0.1, 0.1, 0.1, Inertial(mass=2.0, com=(0.0, 0.0, 1.0))))
    assert [(f.code, f.severity) for f in said] == [("inertia-placeholder", "info")]
    known = [Finding("mass-missing", "info", "it gives no inertia", subject="links/a/inertial")]
    robot = Robot(name="r", links=(box(0.1, 0.1, 0.1, Inertial(mass=2.0)),))
    assert further(robot, known) == []


def test_markers_and_unknown_shapes_are_passed_over() -> None:
    heavy = Inertial(mass=5.0, inertia=((9.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 0.0, 9.0)))
    assert codes(found(box(0.001, 0.001, 0.001, heavy))) == ["robot-size"]
    lost = s.Shape(geometry=s.MeshFile(uri="lost.stl"))
    assert found(replace(box(0.1, 0.1, 0.1, heavy), visuals=(lost,))) == []
    floor = s.Shape(geometry=s.Plane())
    assert found(replace(box(0.1, 0.1, 0.1, heavy), visuals=(floor,))) == []
    assert codes(found(box(0.1, 0.1, 0.1, heavy))) == ["inertia-size"]


def test_what_is_fixed_to_the_world_may_weigh_anything() -> None:
    wall = replace(box(10.0, 10.0, 0.1, box_inertia(1.0, 1.0, 1.0, 0.5)), name="wall")
    fixed = Joint(name="j", kind="fixed", parent="world", child="wall")
    assert found(Link(name="world"), wall, joints=(fixed,)) == []
    assert codes(found(wall)) == ["mass-density", "inertia-size"] or codes(found(wall)) == ["mass-density"]
    assert found(wall, base="fixed") == []


@pytest.mark.parametrize("value", [1e60, 1e300, math.inf, math.nan])
def test_numbers_beyond_all_sizes_end_quietly(value: float) -> None:
    huge = Inertial(
        mass=value, com=(value, 0.0, 0.0), inertia=((value, 0.0, 0.0), (0.0, value, 0.0), (0.0, 0.0, value))
    )
    found(box(0.1, 0.1, 0.1, huge))
    found(box(value, value, value, box_inertia(1.0, 1.0, 1.0, 1.0)))


# --- meshes -----------------------------------------------------------------------------

TETRAHEDRON = "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
URDF = """<robot name="r">
<link name="a"><collision><geometry><mesh filename="a.obj" {0}/></geometry></collision></link>
<link name="b"><visual><geometry><box size="0.2 0.1 0.1"/></geometry></visual></link>
<joint name="j" type="fixed"><origin xyz="0.3 0 0"/><parent link="a"/><child link="b"/></joint>
</robot>"""


def with_mesh(text: str, attributes: str = "", urdf: str = URDF) -> list[Finding]:
    files = MemoryFiles({"r.urdf": urdf.format(attributes).encode(), "a.obj": text.encode()})
    reading = ub.read("r.urdf", files=files)
    assert reading.robot is not None
    return further(reading.robot, reading.findings, files)


@pytest.mark.parametrize(
    ("size", "attributes", "hint"),
    [
        (0.2, "", ""),
        (5.0, "", ""),
        (200.0, "", "scale it by 0.001: 0.001 0.001 0.001"),
        (200.0, 'scale="0.001 0.001 0.001"', ""),
        (0.2, 'scale="0.001 0.001 0.001"', "scale it by 1000: 1 1 1"),
        (200.0, 'scale="2 2 2"', "scale it by 0.001: 0.002 0.002 0.002"),
    ],
)
def test_millimetres(size: float, attributes: str, hint: str) -> None:
    said = with_mesh(TETRAHEDRON.format(size), attributes)
    assert codes(said) == (["mesh-scale"] if hint else [])
    assert not hint or said[0].hint.startswith(f"{hint}; or use scale=")
    assert not hint or (said[0].at is not None and said[0].at.line == 2)


def test_one_link_of_many_small_shapes_does_not_set_the_size_of_a_hall() -> None:
    wall = '<link name="{}"><visual><geometry><mesh filename="a.obj"/></geometry></visual></link>'
    small = '<visual><geometry><box size="0.02 0.01 0.01"/></geometry></visual>'
    joint = '<joint name="{0}{1}" type="fixed"><parent link="{0}"/><child link="{1}"/></joint>'
    walls = "".join(wall.format(name) for name in "abc")
    joints = "".join(joint.format("a", name) for name in ("b", "c", "screw"))
    hall = f'<robot name="r">{walls}<link name="screw">{12 * small}</link>{joints}</robot>'
    assert "mesh-scale" not in codes(with_mesh(TETRAHEDRON.format(6), "", hall))


def test_millimetres_are_told_by_mass_when_there_is_nothing_else() -> None:
    single = """<robot name="r"><link name="a">
<inertial><mass value="{0}"/>
<inertia ixx="0.003" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.003"/></inertial>
<visual><geometry><mesh filename="a.obj"/></geometry></visual></link></robot>"""
    assert codes(with_mesh(TETRAHEDRON.format(100), "2", single)) == ["mesh-scale"]
    # a hill of the same mass is no part in millimetres, but wrong all the same
    assert "mesh-scale" not in codes(with_mesh(TETRAHEDRON.format(100), "2e6", single))


def test_a_mesh_is_told_once() -> None:
    two = URDF.replace(
        '<visual><geometry><box size="0.2 0.1 0.1"/></geometry></visual>',
        '<visual><geometry><mesh filename="a.obj"/></geometry></visual>',
    )
    assert codes(with_mesh(TETRAHEDRON.format(200), "", two)) == ["mesh-scale"]


def test_open_degenerate_and_mirrored_meshes_are_infos() -> None:
    closed = TETRAHEDRON.format(0.2)
    open_, flat = closed.replace("f 2 3 4\n", ""), closed + "f 1 2 2\n"
    assert with_mesh(closed) == []
    for text, attributes, code in (
        (open_, "", "mesh-open"),
        (flat, "", "mesh-degenerate"),
        (closed, 'scale="1 -1 1"', "mesh-mirrored"),
    ):
        assert [(f.code, f.severity) for f in with_mesh(text, attributes)] == [(code, "info")]


@pytest.mark.parametrize(("opacity", "collides", "found"), [("0", "", 1), ("0.1", "", 0), ("0", "c", 0)])
def test_a_visual_that_cannot_be_seen(opacity: str, collides: str, found: int) -> None:
    box = '<geometry><box size="0.2 0.1 0.1"/></geometry>'
    urdf = (
        f'<robot name="r"><link name="a"><visual>{box}<material name="m"><color rgba="1 0 0 {opacity}"/>'
        f"</material></visual>{collides and f'<collision>{box}</collision>'}</link></robot>"
    )
    assert [(f.code, f.severity) for f in with_mesh("", "", urdf)] == [
        ("visual-invisible", "warning")
    ] * found


def test_corners_at_one_place_are_one_corner() -> None:
    """A file that writes every triangle with corners of its own, as STL does, is closed."""
    corners = "v 0 0 0\nv 0 .2 0\nv .2 0 0\nv 0 0 0\nv .2 0 0\nv 0 0 .2\nv 0 0 0\nv 0 0 .2\nv 0 .2 0\n"
    soup = (
        corners
        + "v .2 0 0\nv 0 .2 0\nv 0 0 .2\n"
        + "".join(f"f {i} {i + 1} {i + 2}\n" for i in (1, 4, 7, 10))
    )
    assert with_mesh(soup) == []


def test_a_missing_mesh_is_not_said_again() -> None:
    files = MemoryFiles({"r.urdf": URDF.format("").encode()})
    reading = ub.read("r.urdf", files=files)
    assert codes(list(reading.findings)) == ["file-missing"]
    assert reading.robot is not None
    assert further(reading.robot, reading.findings, files) == []


def test_a_broken_mesh_stops_nothing() -> None:
    assert codes(with_mesh("v 0 0 zero\n")) == ["mesh-broken"]


# --- offsets and loops ------------------------------------------------------------------


def chain(*offsets: float) -> Robot:
    names = [f"l{i}" for i in range(len(offsets) + 1)]
    joints = tuple(
        Joint(name=f"j{i}", kind="fixed", parent=names[i], child=names[i + 1], origin=Pose((0.0, 0.0, d)))
        for i, d in enumerate(offsets)
    )
    return Robot(name="r", links=tuple(Link(name=n) for n in names), joints=joints)


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ((0.3, 0.25, 0.2), []),
        ((0.3, 250.0, 0.2), ["joint-far"]),
        ((0.3, 25.0, 0.2), ["joint-far"]),
        ((0.3, 0.3, 1.9), []),
        ((20.0, 20.0, 20.0), []),
        ((0.0, 0.0, 30.0), []),
    ],
)
def test_offsets(offsets: tuple[float, ...], expected: list[str]) -> None:
    assert codes(further(chain(*offsets))) == expected


@pytest.mark.parametrize(("gap", "expected"), [(0.0, []), (0.0005, []), (0.04, ["loop-open"])])
def test_loops(gap: float, expected: list[str]) -> None:
    loop = Loop(name="close", link_a="l0", link_b="l1", pose_a=Pose((0.0, 0.0, 0.5 + gap)))
    said = further(replace(chain(0.5), loops=(loop,)))
    assert codes(said) == expected
    assert not expected or "40 mm" in said[0].message


def test_links_that_form_no_tree_are_checked_all_the_same() -> None:
    loop = Loop(name="close", link_a="l0", link_b="l1")
    joints = tuple(Joint(name=a, kind="fixed", parent=a, child=b) for a, b in (("l0", "l1"), ("l1", "l0")))
    circle = Robot(name="r", links=(Link(name="l0"), Link(name="l1")), joints=joints, loops=(loop,))
    assert codes(further(circle)) == []


def test_check_is_public_and_whole() -> None:
    robot = Robot(name="r", links=(box(0.1, 0.1, 0.1, box_inertia(0.1, 0.1, 0.1, -2.0)),))
    assert codes(ub.check(robot)) == codes(check(robot)) == ["mass-negative"]
    lost = Link(name="a", visuals=(s.Shape(geometry=s.MeshFile(uri="lost.stl")),))
    assert codes(ub.check(Robot(name="r", links=(lost,)))) == []
