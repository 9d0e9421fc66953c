"""Lenses and noise of sensors: what of them the robot has, what is kept, and that both are written."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import unibody as ub
from unibody.model.device import Camera, Opaque, RangeSensor

IMAGE = "<image><width>320</width><height>240</height></image>"
LENS = "<lens><intrinsics><fx>{}</fx><fy>{}</fy><cx>{}</cx><cy>{}</cy><s>{}</s></intrinsics></lens>"


def _load(kind: str, inside: str, path: Path) -> ub.Robot:
    block = "lidar" if "lidar" in kind else "camera"
    path.write_text(
        f'<sdf version="1.11"><model name="m"><link name="a"><sensor name="s" type="{kind}">'
        f"<{block}>{inside}</{block}></sensor></link></model></sdf>"
    )
    return ub.load(path)


def _again(robot: ub.Robot, path: Path) -> str:
    """The text that is written of a robot, which says all of it."""
    report = ub.save(robot, path, plain=True)
    assert [x for x in report.losses if x.outcome == "lost"] == []
    assert [d for d in ub.diff(robot, ub.load(path)) if d.path.startswith("devices")] == []
    return path.read_text()


def test_intrinsics_are_the_lens_and_rule_over_the_field_of_view(tmp_path: Path) -> None:
    inside = f"<horizontal_fov>1</horizontal_fov>{IMAGE}{LENS.format(277, 300, 100, 130, 0)}"
    robot = _load("camera", inside, tmp_path / "m.sdf")
    lens = robot.devices[0].spec
    assert isinstance(lens, Camera)
    assert lens.field_of_view == pytest.approx(2.0 * math.atan(120.0 / 300.0), abs=1e-15)
    assert lens.focal_ratio == pytest.approx(277.0 / 300.0, abs=1e-15)
    assert lens.principal_offset == (-60.0, 10.0)
    text = _again(robot, tmp_path / "out.sdf")
    assert all(word in text for word in ("<fx>277</fx>", "<fy>300</fy>", "<cx>100</cx>", "<cy>130</cy>"))
    across = text.partition("<horizontal_fov>")[2].partition("<")[0]
    assert float(across) == pytest.approx(2.0 * math.atan(160.0 / 277.0), abs=1e-15)


def test_a_lens_that_the_field_of_view_says_has_no_intrinsics(tmp_path: Path) -> None:
    length = 160.0 / math.tan(0.5)
    inside = f"{IMAGE}{LENS.format(length, length, 160, 120, 0)}"
    robot = _load("depth_camera", inside, tmp_path / "m.sdf")
    assert "intrinsics" not in _again(robot, tmp_path / "out.sdf")


def test_a_skew_is_kept_with_its_intrinsics(tmp_path: Path) -> None:
    robot = _load("camera", f"{IMAGE}{LENS.format(277, 277, 160, 120, 2)}", tmp_path / "m.sdf")
    text = _again(robot, tmp_path / "out.sdf")
    assert "<s>2</s>" in text
    assert "<fx>277</fx>" in text


def test_a_lens_without_length_is_reported_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    robot = _load("camera", f"{IMAGE}{LENS.format(0, 277, 160, 120, 0)}", path)
    assert isinstance(robot.devices[0].spec, Opaque)
    assert [f.code for f in ub.read(path).findings if f.severity == "warning"] == ["camera-image"]


@pytest.mark.parametrize(
    ("kind", "noise", "deviation", "kept"),
    [
        ("gpu_lidar", "<noise type='gaussian'><stddev>0.01</stddev></noise>", 0.01, ()),
        (
            "gpu_lidar",
            "<noise type='gaussian'><mean>0.1</mean><stddev>0.01</stddev></noise>",
            0.01,
            ("<mean>0.1</mean>",),
        ),
        ("gpu_lidar", "<noise type='none'><stddev>0.01</stddev></noise>", 0.0, ('type="none"', "0.01")),
        ("depth_camera", "<noise><type>gaussian</type><stddev>0.02</stddev></noise>", 0.02, ()),
        ("camera", "<noise type='gaussian'><stddev>0.02</stddev></noise>", None, ('type="gaussian"',)),
    ],
)
def test_normal_noise_of_distances_is_their_deviation(
    kind: str, noise: str, deviation: float | None, kept: tuple[str, ...], tmp_path: Path
) -> None:
    robot = _load(kind, noise, tmp_path / "m.sdf")
    spec = robot.devices[0].spec
    assert isinstance(spec, Camera | RangeSensor)
    assert spec.error_deviation == deviation
    text = _again(robot, tmp_path / "out.sdf")
    assert all(word in text for word in kept)
    assert (f"<stddev>{deviation}</stddev>" in text) == bool(deviation)
    assert text.count("<noise") == 1
