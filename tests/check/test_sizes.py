"""Sizes beyond reason are warned of in every format, each of them, and moving links without mass."""

from __future__ import annotations

from pathlib import Path

import pytest

import unibody as ub
from unibody.text.hint import Hint

SUFFIXES = [".urdf", ".body", ".wrl", ".rob", ".xml"]
INERTIAL = ub.Inertial(mass=2.0, inertia=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))


def arm(size: float = 0.2, hand: float = 0.1, tip: float = 0.1) -> ub.Robot:
    """Four links, each with a cube; ``size`` is that of the first two and of the offsets."""
    sides = {"base": size, "upper": size, "hand": hand, "tip": tip}
    links = tuple(
        ub.Link(
            name=name,
            inertial=INERTIAL,
            visuals=(ub.Shape(geometry=ub.Box(size=(side, side, side))),),
        )
        for name, side in sides.items()
    )
    joints = tuple(
        ub.Joint(
            name=f"to_{b}",
            kind="revolute",
            parent=a,
            child=b,
            origin=ub.Pose(xyz=(0.0, 0.0, size)),
            axis=(0, 1, 0),
        )
        for a, b in zip(("base", "upper", "hand"), ("upper", "hand", "tip"), strict=True)
    )
    return ub.Robot(name="arm", links=links, joints=joints, base="fixed")


def found(robot: ub.Robot, suffix: str) -> list[ub.Finding]:
    """The findings about sizes in the robot's file of a format."""
    path = Path(f"arm{suffix}")
    ub.save(robot, path, plain=True, overwrite=True)
    codes = ("robot-size", "link-size", "mesh-scale", "robot-millimetres")
    return [f for f in ub.check(path) if f.code in codes]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_usual_sizes_are_fine(suffix: str) -> None:
    assert found(arm(), suffix) == []
    assert found(arm(size=3.0, hand=2.0, tip=0.5), suffix) == []
    assert found(arm(size=0.02, hand=0.01, tip=0.02), suffix) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("size", [0.0003, 300.0])
def test_a_tiny_and_a_huge_robot(suffix: str, size: float) -> None:
    (finding,) = (f for f in found(arm(size, size / 2.0, size / 2.0), suffix) if f.code == "robot-size")
    assert finding.severity == "warning"
    assert "1000" in finding.hint


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_link_that_is_hundreds_of_times_its_neighbors(suffix: str) -> None:
    large = found(arm(size=0.05, hand=50.0), suffix)
    assert [f.subject for f in large if f.code in ("link-size", "mesh-scale")] == ["links/hand"]
    both = [f.subject for f in found(arm(size=0.2, hand=0.0002, tip=0.2), suffix)]
    assert both == ["links/hand"]
    assert len(found(arm(size=0.2, hand=0.0002, tip=900.0), suffix)) >= 2


def test_a_mesh_of_all_links_is_scaled_on_reading() -> None:
    rows = [
        "v 0 0 0",
        "v 200000 0 0",
        "v 0 200000 0",
        "v 0 0 200000",
        "f 1 3 2",
        "f 1 2 4",
        "f 1 4 3",
        "f 2 3 4",
    ]
    Path("part.obj").write_text("\n".join(rows))
    link = '<link name="{}"><visual><geometry><mesh filename="part.obj"/></geometry></visual></link>'
    joint = '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
    Path("r.urdf").write_text(f'<robot name="r">{link.format("a")}{link.format("b")}{joint}</robot>')
    (finding,) = (f for f in ub.check("r.urdf") if f.code == "robot-size")
    assert isinstance(finding.hint, Hint)
    assert finding.hint.text("command").endswith("--scale 0.001")
    assert not [f for f in ub.check("r.urdf", scale=1e-6) if f.code == "robot-size"]


def test_a_floor_may_be_large_and_a_marker_small() -> None:
    floor = ub.Shape(geometry=ub.Box(size=(500.0, 500.0, 1.0)))
    assert ub.check(ub.Robot(name="floor", links=(ub.Link(name="floor", visuals=(floor,)),))) == []
    marked = arm(tip=0.0001)
    links = tuple(
        link if link.name != "tip" else ub.Link(name="tip", visuals=link.visuals) for link in marked.links
    )
    assert not [
        f for f in ub.check(ub.Robot(name="r", links=links, joints=marked.joints)) if f.code == "link-size"
    ]


def test_a_moving_end_without_mass_is_a_warning() -> None:
    robot = arm()

    def severities(*massless: str) -> list[tuple[str, str]]:
        links = tuple(
            link if link.name not in massless else ub.Link(name=link.name, visuals=link.visuals)
            for link in robot.links
        )
        changed = ub.Robot(name="r", links=links, joints=robot.joints)
        return [(f.severity, f.subject) for f in ub.check(changed) if f.code == "inertia-missing"]

    assert severities() == []
    assert severities("tip") == [("warning", "links/tip")]
    assert severities("hand", "tip") == [("warning", "links/hand"), ("warning", "links/tip")]
    # A link between two joints, and a model for kinematics.
    assert severities("hand") == [("info", "")]
    assert severities("base", "upper", "hand", "tip") == [("info", "")]
