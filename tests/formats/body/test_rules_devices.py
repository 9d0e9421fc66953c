"""Devices of Body files: section A.13 of the facts page, one test per rule."""

from __future__ import annotations

import math

import pytest
from tests.formats.body.cases import close, device, element, error, indented, matrix, robot

from unibody.model.device import (
    UNLIMITED,
    Accelerometer,
    Camera,
    DirectionalLight,
    ForceTorque,
    Gyro,
    ImageType,
    Imu,
    Opaque,
    PointLight,
    RangeSensor,
    Spec,
    SpotLight,
)

DEGREE = math.pi / 180.0
ANY = "kept-as-extra"


@pytest.mark.parametrize(
    ("keys", "spec"),
    [
        ("type: AccelerationSensor", Accelerometer(max_acceleration=UNLIMITED)),
        (
            "type: AccelerationSensor, maxAcceleration: [1, 2, 3]",
            Accelerometer(max_acceleration=(1.0, 2.0, 3.0)),
        ),
        ("type: RateGyroSensor, maxAngularVelocity: [1, 2, 3]", Gyro(max_angular_velocity=(1.0, 2.0, 3.0))),
        ("type: IMU, max_angular_velocity: [1, 2, 3]", Imu(max_angular_velocity=(1.0, 2.0, 3.0))),
        (
            "type: ForceSensor, max_force: [1, 2, 3], maxTorque: [4, 5, 6]",
            ForceTorque(max_force=(1.0, 2.0, 3.0), max_torque=(4.0, 5.0, 6.0)),
        ),
        ("type: PointLight", PointLight()),
        (
            "type: PointLight, color: [1, 0, 0], intensity: 0.5, ambientIntensity: 0.25",
            PointLight(color=(1.0, 0.0, 0.0), intensity=0.5, ambient=0.25),
        ),
        (
            "type: PointLight, attenuation: [1, 2, 3]",
            PointLight(attenuation=(1.0, 2.0, 3.0)),
        ),
        ("type: SpotLight", SpotLight()),
        (
            "type: SpotLight, direction: [1, 0, 0], beamWidth: 30, cutOffAngle: 40, cutOffExponent: 2",
            SpotLight(
                direction=(1.0, 0.0, 0.0),
                beam_width=30 * DEGREE,
                cut_off_angle=40 * DEGREE,
                cut_off_exponent=2.0,
            ),
        ),
        ("type: DirectionalLight, ambient: 0.5", DirectionalLight(ambient=0.5)),
    ],
)
def test_a13_devices(keys: str, spec: Spec) -> None:
    assert device(f"{keys}, name: D").spec == spec


def test_a13_common_keys() -> None:
    keys = "name: F, id: 3, on: false, translation: [1, 2, 3], rotation: [0, 0, 1, 90]"
    found = device(f"type: ForceSensor, {keys}")
    assert (found.name, found.link, found.id, found.on) == ("F", "R", 3, False)
    assert found.pose.xyz == (1.0, 2.0, 3.0)
    assert close(found.pose.axis_angle(), (0, 0, 1, math.pi / 2))
    assert device("type: ForceSensor, name: F").id is None
    assert device("type: ForceSensor, name: F, id: -1").id is None


def test_a13_names_of_devices_are_made_unique() -> None:
    text = "- { type: ForceSensor, name: F }\n- { type: ForceSensor, name: F }\n- { type: ForceSensor }"
    made = robot(element(text), "name-duplicate", "device-unnamed")
    assert [d.name for d in made.devices] == ["F", "F_2", "device_1"]


def _camera(keys: str, *codes: str) -> Camera:
    spec = device(f"type: Camera, name: C, {keys}", *codes).spec
    assert isinstance(spec, Camera)
    return spec


def test_a13_camera_formats() -> None:
    images: dict[str, ImageType] = {
        "COLOR": "color",
        "DEPTH": "depth",
        "COLOR_DEPTH": "color_depth",
        "POINT_CLOUD": "point_cloud",
        "COLOR_POINT_CLOUD": "color_point_cloud",
    }
    for text, image in images.items():
        assert _camera(f"format: {text}").image == image
    assert isinstance(device("type: Camera, name: C, format: COLOUR", "camera-format").spec, Opaque)


def test_a13_camera_defaults() -> None:
    found = _camera("format: COLOR")
    assert (found.lens, found.width, found.height) == ("normal", 640, 480)
    assert (found.near, found.far, found.frame_rate) == (0.04, 200.0, 30.0)
    assert close(found.field_of_view, 0.785398)
    assert (found.min_distance, found.max_distance, found.detection_rate) == (None, None, None)
    deep = _camera("format: DEPTH")
    assert (deep.min_distance, deep.max_distance) == (0.1, 10.0)
    assert (deep.detection_rate, deep.error_deviation) == (1.0, 0.0)


def test_a13_camera_keys_in_old_spelling() -> None:
    keys = "fieldOfView: 60, nearClipDistance: 1, farClipDistance: 2, frameRate: 5, lensType: FISHEYE"
    found = _camera(f"format: COLOR, {keys}")
    assert (found.near, found.far, found.frame_rate, found.lens) == (1.0, 2.0, 5.0, "fisheye")
    assert found.field_of_view == 60 * DEGREE
    assert device("type: CameraDevice, name: C, format: COLOR").spec == _camera("format: COLOR")


def test_a13_fisheye_lenses() -> None:
    assert _camera("format: COLOR, lens_type: DUAL_FISHEYE").lens == "dual_fisheye"
    _camera("format: DEPTH, lens_type: FISHEYE", "camera-lens")
    _camera("format: COLOR, lens_type: DUAL_FISHEYE, field_of_view: 90", "camera-lens")
    _camera("format: COLOR, lens_type: FISHEYE, height: 90", "camera-lens")


@pytest.mark.parametrize(
    ("frame", "forward", "up"),
    [("gl", (0, 0, -1), (0, 1, 0)), ("cv", (0, 0, 1), (0, -1, 0)), ("robotics", (1, 0, 0), (0, 0, 1))],
)
@pytest.mark.parametrize("word", ["Camera, format: COLOR", "RangeSensor"])
def test_a13_optical_frames(word: str, frame: str, forward: object, up: object) -> None:
    """The neutral device looks along its own -Z with Y up; these are the same lines in the file's frame."""
    turn = matrix(device(f"type: {word}, name: C, optical_frame: {frame}").pose)[:3, :3]
    assert close(turn @ (0, 0, -1), forward)
    assert close(turn @ (0, 1, 0), up)


def test_a13_optical_frame_rotation_comes_after_the_frame() -> None:
    camera = "type: Camera, name: C, format: COLOR, optical_frame:"
    turn = matrix(device(f"{camera} robotics, optical_frame_rotation: [0, 1, 0, 90]").pose)[:3, :3]
    # a quarter turn about the camera's own up axis, to its left
    assert close(turn @ (0, 0, -1), (0, 1, 0))
    assert close(turn @ (0, 1, 0), (0, 0, 1))
    assert error(element(f"- {{ {camera} ros }}")) == "not-a-choice"


def _scan(keys: str, *codes: str) -> RangeSensor:
    spec = device(f"type: RangeSensor, name: S, {keys}", *codes).spec
    assert isinstance(spec, RangeSensor)
    return spec


def test_a13_ends_of_a_scan_win_over_its_range() -> None:
    found = _scan("min_yaw_angle: -10, max_yaw_angle: 30, yaw_range: 90, yaw_step: 5")
    assert close((found.min_yaw, found.max_yaw), (-10 * DEGREE, 30 * DEGREE))
    found = _scan("min_yaw_angle: -10, yaw_range: 90, yaw_step: 5")
    assert close((found.min_yaw, found.max_yaw), (-45 * DEGREE, 45 * DEGREE))


def test_a13_a_step_wins_over_a_number_of_samples() -> None:
    assert close(_scan("yaw_range: 90, yaw_step: 5, yaw_samples: 4").yaw_step, 5 * DEGREE)
    assert close(_scan("yaw_range: 90, yaw_samples: 4").yaw_step, 30 * DEGREE)
    assert close(_scan("pitch_range: 90, pitch_samples: 4").pitch_step, 30 * DEGREE)
    for keys in ("yaw_step: 0", "yaw_range: 90, yaw_step: -5"):
        spec = device(f"type: RangeSensor, name: S, {keys}", "scan-step").spec
        assert isinstance(spec, RangeSensor)
        assert spec.yaw_step == 0.0


def test_a13_other_keys_of_a_scan() -> None:
    found = _scan("")
    assert (found.min_distance, found.max_distance, found.scan_rate) == (0.1, 10.0, 10.0)
    assert (found.detection_rate, found.error_deviation) == (1.0, 0.0)
    found = _scan("scanAngle: 180, scanStep: 0.5, scanRate: 20, maxDistance: 30, minDistance: 1")
    assert close((found.max_yaw, found.yaw_step), (90 * DEGREE, 0.5 * DEGREE))
    assert (found.min_distance, found.max_distance, found.scan_rate) == (1.0, 30.0, 20.0)
    assert _scan("frame_rate: 20").scan_rate == 20.0


def test_a13_scans_that_the_reference_forbids_are_told_of() -> None:
    _scan("yaw_range: 400, yaw_step: 1", "scan-range")
    _scan("yaw_range: 90, yaw_step: 4", "scan-step")
    _scan("pitch_range: 180, pitch_step: 1", "scan-range")


@pytest.mark.parametrize("word", ["MarkerDevice", "Holder", "Conveyor", "ZmpDevice", "RotorDevice", "Fog"])
def test_a13_other_devices_keep_their_data(word: str) -> None:
    found = device(f"type: {word}, name: D, id: 2, size: 0.5, translation: [1, 0, 0]", ANY)
    assert isinstance(found.spec, Opaque)
    assert (found.spec.kind, found.spec.data.word("size")) == (word, "0.5")
    assert (found.id, found.pose.xyz) == (2, (1.0, 0.0, 0.0))


def test_a13_holders_and_attachments_start_switched_off() -> None:
    for word, on in {"Holder": False, "Attachment": False, "MarkerDevice": True}.items():
        assert device(f"type: {word}, name: D").on is on
    assert device("type: Holder, name: D, on: true").on is True


def test_a13_device_order_is_the_order_of_the_file() -> None:
    text = "- type: Transform\n  elements:\n"
    text += indented("- { type: ForceSensor, name: A, elements: [{ type: ForceSensor, name: B }] }", 4)
    text += "- { type: ForceSensor, name: C }"
    assert [d.name for d in robot(element(text)).devices] == ["A", "B", "C"]
