"""What only a robot made by hand, or of JSON, can have: NaN, and lists with a part of a point."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.model import shape as s
from unibody.model.device import Camera, Device, ForceTorque, Imu, Spec
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Limits

JOINT = ub.Joint(name="j/1", kind="revolute", parent="a", child="b", axis=(0.0, 0.0, 1.0))
ROBOT = ub.Robot(name="r", links=(ub.Link(name="a"), ub.Link(name="b")), joints=(JOINT,))


def with_shape(geometry: s.Geometry) -> ub.Robot:
    return replace(
        ROBOT, links=(ub.Link(name="a", visuals=(s.Shape(geometry=geometry),)), ub.Link(name="b"))
    )


def errors(robot: ub.Robot, folder: Path) -> list[str]:
    """What check says, which is what save says, too."""
    found = [f for f in ub.check(robot) if f.severity == "error"]
    with pytest.raises(SaveError) as refused:
        save(robot, folder / "r.body")
    assert {f.code for f in refused.value.findings} == {f.code for f in found}
    assert not list(folder.iterdir())
    return [f"{f.code}: {f.message}" for f in found]


def test_nan_in_limits(tmp_path: Path) -> None:
    limits = Limits(position=(-1.0, math.nan), effort=(math.nan, 1.0))
    assert errors(replace(ROBOT, joints=(replace(JOINT, limits=limits),)), tmp_path) == [
        "number-not-finite: joints/j~11/limits/position/1 is not a number (NaN)",
        "number-not-finite: joints/j~11/limits/effort/0 is not a number (NaN)",
    ]


def test_nan_in_lists(tmp_path: Path) -> None:
    points = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, math.nan, 0.0])
    found = errors(with_shape(s.Mesh(vertices=points, faces=(0, 1, 2, -1))), tmp_path)
    assert "number-not-finite: links/a/visuals/0/geometry/vertices is not a number (NaN)" in found


def test_infinity_where_nothing_is_without_end(tmp_path: Path) -> None:
    glass = s.Material(diffuse=(0.0, math.inf, 0.0))
    shape = s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0)), material=glass)
    robot = replace(ROBOT, links=(ub.Link(name="a", visuals=(shape,)), ub.Link(name="b")))
    assert errors(robot, tmp_path) == [
        "number-not-finite: links/a/visuals/0/material/diffuse/1 is infinite",
    ]


def test_what_may_be_without_end() -> None:
    """The defaults of limits and of sensors, but not how far a camera sees."""
    sensors: tuple[Spec, ...] = (ForceTorque(), Imu(), Camera())
    devices = tuple(Device(name=f"d{k}", link="b", spec=spec) for k, spec in enumerate(sensors))
    assert not [f for f in ub.check(replace(ROBOT, devices=devices)) if f.severity == "error"]
    eye = Device(name="eye", link="b", spec=Camera(far=math.inf))
    (found,) = (f for f in ub.check(replace(ROBOT, devices=(eye,))) if f.severity == "error")
    assert found.message == "devices/eye/spec/far is infinite"


def test_what_cannot_be_put_together() -> None:
    twice = (Coupling(joint="k", leader="j/1"),) * 2
    robot = replace(ROBOT, links=(*ROBOT.links, ub.Link(name="c")), couplings=twice)
    robot = replace(robot, joints=(JOINT, replace(JOINT, name="k", parent="b", child="c")))
    (found,) = (f for f in ub.check(robot) if f.severity == "error")
    assert (found.code, found.message) == (
        "cannot-assemble",
        "the links cannot be moved: joint 'k' follows two leaders: 'j/1' and 'j/1'",
    )
    assert not [f for f in ub.check(replace(robot, couplings=twice[:1])) if f.severity == "error"]


def test_directions_that_are_none(tmp_path: Path) -> None:
    joint = replace(JOINT, axis=(0.0, 0.0, 0.0), origin=Pose(quat=(0.0, 0.0, 0.0, 0.0)))
    assert errors(replace(ROBOT, joints=(joint,)), tmp_path) == [
        "axis-zero: joint 'j/1' has a zero axis",
        "rotation-axis-zero: joints/j~11/origin/quat is zero, not a rotation",
    ]
    fixed = replace(JOINT, kind="fixed", axis=(0.0, 0.0, 0.0))
    assert not [f for f in ub.check(replace(ROBOT, joints=(fixed,))) if f.severity == "error"]


@pytest.mark.parametrize(
    ("geometry", "name"),
    [
        (s.Mesh(vertices=(0.0,) * 10, faces=(0, 1, 2, -1)), "vertices"),
        (s.Mesh(vertices=(0.0,) * 9, faces=(0, 1, 2, -1), tex_coords=(0.0,) * 3), "tex_coords"),
        (s.LineSet(vertices=(0.0,) * 6, lines=(0, 1, -1), colors=(0.0,) * 4), "colors"),
        (s.PointSet(vertices=(0.0,) * 4), "vertices"),
        (s.Extrusion(section=(0.0,) * 8, spine=(0.0,) * 7), "spine"),
        (s.Extrusion(section=(0.0,) * 8, spine=(0.0,) * 6, orientation=(0.0,) * 5), "orientation"),
        (
            s.ElevationGrid(
                x_dimension=2,
                z_dimension=2,
                x_spacing=1.0,
                z_spacing=1.0,
                heights=(0.0,) * 4,
                colors=(0.0,),
            ),
            "colors",
        ),
    ],
)
def test_a_part_of_a_point(geometry: s.Geometry, name: str, tmp_path: Path) -> None:
    found = errors(with_shape(geometry), tmp_path)
    assert [f for f in found if f.startswith("list-length") and f" in {name}, " in f]


def test_a_number_that_reading_gives_is_none() -> None:
    """Infinite limits are no limits."""
    assert not [f for f in ub.check(ROBOT) if f.code == "number-not-finite"]
