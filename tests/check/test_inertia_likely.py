"""Likely causes of unlikely inertials, where no solid shows the slip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

import unibody as ub
from unibody.checks import examine
from unibody.checks.shapes import link_shapes
from unibody.checks.yardsticks import Surroundings, are_sides
from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache
from unibody.text.finding import Finding

ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
#: About that of the box below, as that of a housing would be: no entry is that of the solid.
HOUSING = (0.0088, 0.0001, 0.0012, 0.0071, -0.0002, 0.0031)
BOX = '<origin xyz="0.03 0 0"/><geometry><box size="0.1 0.2 0.3"/></geometry>'


@dataclass(frozen=True)
class Part:
    """A link as URDF."""

    name: str = "a"
    entries: tuple[float, ...] = HOUSING
    mass: float = 0.9
    com: tuple[float, ...] = (0.04, 0.02, 0.01)
    shapes: tuple[str, ...] = (BOX,)
    rpy: str = "0 0 0"

    def text(self) -> str:
        inertia = " ".join(f'{n}="{v:g}"' for n, v in zip(ENTRIES, self.entries, strict=True))
        shapes = "".join(f"<collision>{shape}</collision>" for shape in self.shapes)
        com = " ".join(f"{v:g}" for v in self.com)
        return (
            f'<link name="{self.name}"><inertial><origin xyz="{com}" rpy="{self.rpy}"/>'
            f'<mass value="{self.mass:g}"/><inertia {inertia}/></inertial>{shapes}</link>'
        )


@dataclass(frozen=True)
class Tree:
    """A robot of parts on a base; ``origins`` of their joints by name."""

    parts: tuple[Part, ...]
    origins: Mapping[str, str] = field(default_factory=dict)

    def text(self) -> str:
        links = "".join(part.text() for part in self.parts)
        joints = "".join(
            f'<joint name="to_{part.name}" type="continuous"><parent link="base"/>'
            f'<child link="{part.name}"/>'
            f'<origin xyz="{self.origins.get(part.name, "0 0 0")}"/></joint>'
            for part in self.parts
        )
        return f'<robot name="r"><link name="base"/>{links}{joints}</robot>'


def found(*parts: Part, **origins: str) -> list[Finding]:
    text = Tree(parts, origins).text()
    files = MemoryFiles({"r.urdf": text.encode()})
    return [f for f in examine(ub.read("r.urdf", files=files), files) if f.subject.startswith("links/")]


def changed(**entries: float) -> tuple[float, ...]:
    return tuple(entries.get(name, value) for name, value in zip(ENTRIES, HOUSING, strict=True))


def times(factor: float) -> tuple[float, ...]:
    return tuple(float(f"{factor * value:.6g}") for value in HOUSING)


def about_origin(sign: float) -> tuple[float, ...]:
    """The inertia with mass × distance² to a distant link origin added or subtracted."""
    x, y, z = FAR
    shift = (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
    return tuple(float(f"{v + sign * 0.9 * s:.6g}") for v, s in zip(HOUSING, shift, strict=True))


FAR = (0.34, 0.02, 0.01)
FAR_BOX = '<origin xyz="0.33 0 0"/><geometry><box size="0.1 0.2 0.3"/></geometry>'
XX, XY, XZ, YY, YZ, ZZ = HOUSING
SLIPS: dict[str, tuple[Part, str, tuple[str, ...], str]] = {
    "kg·mm²": (
        Part(entries=times(1e6)),
        "unit",
        ("inertia",),
        "inertia looks 1e+06 times too large, as in kg·mm²",
    ),
    "g·mm²": (Part(entries=times(1e9)), "unit", ("inertia",), "as in g·mm²"),
    "lb·in²": (Part(entries=times(3417.17)), "unit", ("inertia",), "as in lb·in²"),
    "mass in g": (Part(mass=900.0), "unit", ("mass",), "mass looks 1000 times too large"),
    "lengths in mm": (
        Part(entries=times(1e6), com=(40.0, 20.0, 10.0)),
        "unit",
        ("com", "inertia"),
        "center of mass and inertia look as if they were written in other units",
    ),
    "lengths in inches": (
        Part(entries=times(1550.0), com=(1.575, 0.787, 0.394)),
        "unit",
        ("com", "inertia"),
        "look as if they were written in other units",
    ),
    "center of mass in mm": (Part(com=(40.0, 20.0, 10.0)), "unit", ("com",), "1000 times too large"),
    "decimal point": (Part(entries=changed(iyy=0.071)), "factor", ("iyy",), "iyy looks 10 times too large"),
    "sign of a moment": (Part(entries=changed(iyy=-YY)), "sign", ("iyy",), "iyy has the opposite sign"),
    "moments first": (
        Part(entries=(XX, YY, ZZ, XY, XY, XY)),
        "order",
        ("ixy", "ixz", "iyy", "izz"),
        "look exchanged",
    ),
    "two moments": (
        Part(entries=changed(ixx=ZZ, izz=XX)),
        "order",
        ("ixx", "izz"),
        "ixx and izz look exchanged",
    ),
    "about the origin": (
        Part(entries=about_origin(1.0), com=FAR, shapes=(FAR_BOX,)),
        "point",
        ("inertia",),
        "about the link origin instead of the center of mass",
    ),
    "moved twice": (
        Part(entries=about_origin(-1.0), com=FAR, shapes=(FAR_BOX,)),
        "point",
        ("inertia",),
        "moved to the center of mass twice",
    ),
    "center of mass zero": (
        Part(com=(0.0, 0.0, 0.0), shapes=(FAR_BOX,)),
        "point",
        ("com",),
        "center of mass looks left at the link origin",
    ),
    "placeholder": (
        Part(entries=(0.05, 0.0, 0.0, 0.05, 0.0, 0.05)),
        "placeholder",
        ("inertia",),
        "one round number about all axes looks like a placeholder",
    ),
}


def the_cause(findings: list[Finding]) -> Finding:
    """The first finding with a cause, which is the only cause, a likely one without a fix."""
    finding, *more = (f for f in findings if f.cause is not None)
    assert all(f.cause == finding.cause for f in more)
    assert finding.cause is not None
    assert finding.cause.likely
    assert finding.fix is None
    return finding


def test_a_housing_is_likely() -> None:
    assert found(Part()) == []
    assert found(Part(com=FAR, shapes=(FAR_BOX,))) == []


@pytest.mark.parametrize("name", SLIPS)
def test_the_likeliest_slip_is_named(name: str) -> None:
    part, kind, entries, words = SLIPS[name]
    finding = the_cause(found(part))
    assert finding.cause is not None
    assert (finding.cause.kind, finding.cause.entries) == (kind, entries)
    if finding.code == "inertia-unlikely":
        assert words in finding.message
        assert "unlikely for the solid box 0.1 × 0.2 × 0.3 m" in finding.message


@pytest.mark.parametrize("name", ["kg·mm²", "mass in g", "lengths in mm", "decimal point", "moved twice"])
def test_the_numbers_that_fit_are_those_before_the_slip(name: str) -> None:
    part = SLIPS[name][0]
    finding = the_cause(found(part))
    assert finding.cause is not None
    right = dict(zip(ENTRIES, HOUSING, strict=True)) | {"mass": 0.9}
    right |= dict(zip(("com_x", "com_y", "com_z"), (0.04, 0.02, 0.01), strict=True))
    assert finding.cause.values
    for entry, value in finding.cause.values:
        assert value == pytest.approx(right[entry], rel=1e-4)


def test_a_likely_cause_is_data_in_json() -> None:
    finding = the_cause(found(SLIPS["two moments"][0]))
    assert finding.json()["cause"]["likely"] is True
    assert "check it; ixx = 0.0088, izz = 0.0031 would fit the solid box" in finding.hint


def test_axes_that_were_not_turned() -> None:
    # Entries in the axes of the link, written into an <origin> that turns them.
    finding = the_cause(found(Part(rpy="0 1.5708 0")))
    assert finding.cause is not None
    assert finding.cause.kind in ("frame", "order")
    assert dict(finding.cause.values)["ixx"] == pytest.approx(ZZ, rel=1e-3)


def test_a_center_of_mass_in_the_frame_of_the_parent() -> None:
    finding = the_cause(found(Part(com=(0.04, 0.02, 0.81)), a="0 0 0.8"))
    assert finding.cause is not None
    assert (finding.cause.kind, finding.cause.entries) == ("frame", ("com",))
    assert dict(finding.cause.values) == {"com_z": pytest.approx(0.01)}


def test_parts_summed_without_their_distances() -> None:
    ends = tuple(
        f'<origin xyz="{x} 0 0"/><geometry><box size="0.1 0.1 0.08"/></geometry>' for x in (-0.4, 0.4)
    )
    summed = (0.0041, 0.0, 0.0, 0.0041, 0.0, 0.005)
    finding = the_cause(found(Part(entries=summed, mass=3.0, com=(0.0, 0.0, 0.0), shapes=ends)))
    assert finding.cause is not None
    assert (finding.cause.kind, finding.cause.entries) == ("parts", ("inertia",))
    assert dict(finding.cause.values)["iyy"] == pytest.approx(0.0041 + 3.0 * 0.16)


def test_an_inertia_copied_from_another_link() -> None:
    small = '<origin xyz="0 0 0"/><geometry><box size="0.05 0.05 0.05"/></geometry>'
    copy = Part(name="b", mass=0.2, com=(0.001, 0.0, 0.0), shapes=(small,))
    finding = the_cause(found(Part(), copy))
    assert finding.cause is not None
    assert finding.subject.startswith("links/b")
    assert (finding.cause.kind, finding.cause.reference) == ("copy", "links/a/inertial")


LEFT = Part(name="left_leg", com=(0.04, 0.05, 0.01), shapes=(BOX.replace("0.03 0 0", "0.03 0.04 0"),))
RIGHT = Part(
    name="right_leg",
    com=(0.04, -0.05, 0.01),
    entries=changed(ixy=-XY, iyz=-YZ),
    shapes=(BOX.replace("0.03 0 0", "0.03 -0.04 0"),),
)


def test_a_copy_that_was_not_mirrored() -> None:
    assert found(LEFT, RIGHT, right_leg="0 -1 0") == []
    wrong = Part(name="right_leg", com=LEFT.com, shapes=RIGHT.shapes)
    finding = the_cause(
        [f for f in found(LEFT, wrong, right_leg="0 -1 0") if f.subject.startswith("links/right_leg")]
    )
    assert finding.cause is not None
    assert (finding.cause.kind, finding.cause.reference) == ("mirror", "links/left_leg/inertial")
    assert dict(finding.cause.values)["com_y"] == pytest.approx(-0.05)


def test_a_link_differs_from_its_mirror_image() -> None:
    # A factor of 2 alone is that of many links; the other leg tells that it is wrong.
    heavy = Part(name="right_leg", mass=1.8, com=RIGHT.com, entries=RIGHT.entries, shapes=RIGHT.shapes)
    assert found(heavy) == []
    finding = the_cause(found(LEFT, heavy, right_leg="0 -1 0"))
    assert finding.cause is not None
    assert (finding.cause.kind, finding.cause.entries) == ("unit", ("mass",))
    assert dict(finding.cause.values) == {"mass": pytest.approx(0.9)}


def test_links_without_shapes_are_judged_by_the_others() -> None:
    # Balls of steel: radii of gyration grow with the third root of the mass.
    masses = {"a": 0.5, "b": 1.0, "c": 2.0, "d": 4.0}
    balls = {
        name: Part(
            name=name,
            mass=mass,
            com=(0.0, 0.0, 0.002),
            entries=tuple(float(f"{v * mass ** (5 / 3):.4g}") for v in (0.0021, 0, 0, 0.0023, 0, 0.0019)),
            shapes=(),
        )
        for name, mass in masses.items()
    }
    assert found(*balls.values()) == []
    wrong = Part(
        name="c",
        mass=2.0,
        com=(0.0, 0.0, 0.002),
        shapes=(),
        entries=tuple(1e6 * v for v in balls["c"].entries),
    )
    finding = the_cause(found(balls["a"], balls["b"], wrong, balls["d"]))
    assert finding.cause is not None
    assert finding.subject == "links/c/inertial/inertia"
    assert finding.cause.kind == "unit"
    assert finding.cause.factor == pytest.approx(1e-6)
    assert "unlikely for other links for its mass" in finding.message


def test_a_placeholder_without_shapes() -> None:
    one = Part(shapes=(), entries=(1.0, 0.0, 0.0, 1.0, 0.0, 1.0))
    [finding] = [f for f in found(one, *(Part(name=name) for name in "bcd")) if f.cause]
    assert finding.code == "inertia-placeholder"
    assert finding.cause is not None
    assert finding.cause.kind == "placeholder"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("l_foot", "r_foot", True),
        ("ARM_LEFT_2", "ARM_RIGHT_2", True),
        ("LLEG", "RLEG", True),
        ("wheel_fl", "wheel_fr", True),
        ("arm", "leg", False),
        ("foot", "foot", False),
    ],
)
def test_sides(a: str, b: str, expected: bool) -> None:
    assert are_sides(a, b) is expected


def test_of_equal_twins_one_is_compared() -> None:
    """A robot of hundreds of equal links: each link is compared with the different inertials only."""
    names = [f"l{k}" for k in range(300)]
    links = "".join(Part(name, mass=900.0 if name == "l7" else 0.9).text() for name in names)
    joints = "".join(
        f'<joint name="j{name}" type="fixed"><parent link="world"/><child link="{name}"/></joint>'
        for name in names
    )
    text = f'<robot name="r"><link name="world"/>{links}{joints}</robot>'
    robot = ub.load("r.urdf", files=MemoryFiles({"r.urdf": text.encode()}))
    around = Surroundings(robot, link_shapes(robot, MeshCache()))
    of_odd, of_other = around.twins("l7"), around.twins("l0")
    assert (len(of_odd.links), len(of_other.links)) == (299, 299)
    assert set(of_odd.names) == {"l0"}
    assert set(of_odd.masses.tolist()) == {0.9}
    assert sorted(set(of_other.masses.tolist())) == [0.9, 900.0]
    assert len(of_odd.masses) <= 8
    assert len(of_other.masses) <= 16
