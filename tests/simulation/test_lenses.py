"""Cameras of MJCF files have the lenses that MuJoCo gives them."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import unibody as ub

TEXT = """
<mujoco>
  <visual><map znear="0.05" zfar="20"/></visual>
  <statistic extent="2"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="box" size="0.5 0.5 0.1" pos="0 0 -2.1" rgba="1 0 0 1"/>
    <body>
      <joint axis="0 0 1"/>
      <geom type="sphere" size="0.01" pos="0 0 1" mass="1"/>
      <camera name="plain" fovy="60" resolution="64 48"/>
      <camera
        name="real" focal="0.01 0.02" sensorsize="0.02 0.015" principal="0.002 0.001" resolution="64 48"
      />
      <camera name="flat" projection="orthographic" fovy="3" resolution="64 48"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("name", ["plain", "real", "flat"])
def test_a_lens_is_that_of_the_file(name: str) -> None:
    sim = ub.simulate(ub.loads(TEXT), floor=-50.0)
    lens = sim.cameras[name]._lens()
    model = mujoco.MjModel.from_xml_string(TEXT)
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, model.camera(name).id
    up, across, clip = (np.zeros((2, 1), np.float32) for _ in range(3))
    mujoco.mjv_cameraFrustum(up, across, clip, model, camera)
    assert (lens.near, lens.far) == pytest.approx(clip[:, 0])
    unit = 1.0 if lens.orthographic else lens.near
    assert (lens.top * unit, -lens.bottom * unit) == pytest.approx(up[:, 0])
    if across.any():
        assert (-lens.left * unit, lens.right * unit) == pytest.approx(across[:, 0])
    else:
        assert (lens.right, lens.left) == pytest.approx((lens.top * 64 / 48, lens.bottom * 64 / 48))


def test_a_lens_is_that_of_the_model() -> None:
    """Without the data of the file, only the clip distances are others."""
    robot = ub.loads(TEXT)
    sim = ub.simulate(robot)
    bare = ub.simulate(replace(robot, extras=(), surroundings=None))
    for name, camera in sim.cameras.items():
        lens = camera._lens()
        assert bare.cameras[name]._lens() == replace(lens, near=0.04, far=200.0)
    spec = robot.device("real").spec
    assert isinstance(spec, ub.Camera)
    assert spec.focal_ratio == pytest.approx(0.5)
    assert spec.principal_offset == pytest.approx((-6.4, -3.2))
    flat = robot.device("flat").spec
    assert isinstance(flat, ub.Camera)
    assert flat.orthographic_span == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("focal_ratio", 0.0, "focal ratio of camera 'plain', 0"),
        ("orthographic_span", -1.0, "orthographic span of camera 'plain', -1 m"),
        ("field_of_view", 3.2, "field of view of camera 'plain', 3.2 rad"),
    ],
)
def test_impossible_lenses_say_so(name: str, value: float, words: str) -> None:
    robot = ub.loads(TEXT)
    device = robot.device("plain")
    spec = replace(device.spec, **{name: value})  # type: ignore[arg-type]
    sim = ub.simulate(replace(robot, devices=(replace(device, spec=spec),)))
    with pytest.raises(RuntimeError, match=words):
        sim.cameras["plain"].points()


def test_intrinsics() -> None:
    cameras = ub.simulate(ub.loads(TEXT)).cameras
    focal = 24.0 / math.tan(math.radians(30.0))
    assert cameras["plain"].focal_length == pytest.approx(focal)
    assert cameras["plain"].intrinsics == pytest.approx((focal, focal, 32.0, 24.0))
    # in pixels of 0.02 m / 64 across and 0.015 m / 48 up; the axis is off the middle by the principal point
    fx, fy, column, row = cameras["real"].intrinsics
    assert (fx, fy) == pytest.approx((32.0, 64.0))
    assert (column, row) == pytest.approx((32.0 - 6.4, 24.0 - 3.2))
    with pytest.raises(ValueError, match="two focal lengths, 32 and 64 pixels"):
        _ = cameras["real"].focal_length
    with pytest.raises(ValueError, match="orthographic lens"):
        _ = cameras["flat"].intrinsics
    assert cameras["flat"].project([[0.0, 0.0, -1.0], [1.0, 0.0, -9.0]]) == pytest.approx(
        np.array([[32.0, 24.0, 1.0], [48.0, 24.0, 9.0]])
    )


@pytest.mark.parametrize("name", ["plain", "real", "flat"])
def test_pictures_agree_with_projection(name: str) -> None:
    """The corners of a box are where its picture ends."""
    camera = ub.simulate(ub.loads(TEXT)).cameras[name]
    try:
        depth = camera.depth()
    except RuntimeError as missing:
        pytest.skip(str(missing))
    seen = np.isfinite(depth)
    assert depth[seen] == pytest.approx(2.0, abs=1e-3)
    corners = camera.project([[x, y, -2.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)])
    rows, columns = np.nonzero(seen)
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert columns.min() == pytest.approx(max(low[0], 0.0), abs=1.0)
    assert columns.max() + 1 == pytest.approx(min(high[0], 64.0), abs=1.0)
    assert rows.min() == pytest.approx(max(low[1], 0.0), abs=1.0)
    assert rows.max() + 1 == pytest.approx(min(high[1], 48.0), abs=1.0)
    points = camera.points()
    assert np.abs(points[seen][:, :2]).max() < 0.5 + 0.05
    red, green, _ = camera.color()[seen].T
    assert (red > green).all()
