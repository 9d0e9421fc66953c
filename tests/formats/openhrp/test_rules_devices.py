"""Devices of OpenHRP files against the rules of the facts page (B.7; F.1 by its numbers)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.formats.openhrp.cases import SHAPE, device, kept, robot, rooted

from unibody.model.device import (
    Accelerometer,
    Camera,
    ForceTorque,
    Gyro,
    Opaque,
    RangeSensor,
    SpotLight,
)
from unibody.text.node import plain

INF = math.inf


def test_sensors_hang_on_their_joint() -> None:
    found = device("DEF S Gyro { sensorId 0 translation 1 2 3 rotation 0 0 1 3.141592653589793 }")
    assert (found.name, found.link, found.id, found.pose.xyz) == ("S", "W", 0, (1.0, 2.0, 3.0))
    assert found.pose.quat == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("word", ["Gyro", "GyroSensor"])
def test_f1_36_a_gyro_under_both_names(word: str) -> None:
    assert device(f"{word} {{ sensorId 0 }}", "device-unnamed").spec == Gyro()


def test_f1_34_minus_one_is_no_limit() -> None:
    force = device("DEF S ForceSensor { sensorId 0 maxForce 1 -1 3 maxTorque 4 5 -1 }").spec
    assert force == ForceTorque(max_force=(1.0, INF, 3.0), max_torque=(4.0, 5.0, INF))
    assert device("DEF S ForceSensor { sensorId 0 }").spec == ForceTorque()


def test_f1_33_max_acceleration_is_read() -> None:
    found = device("DEF S AccelerationSensor { sensorId 0 maxAcceleration 1 2 3 }").spec
    assert found == Accelerometer(max_acceleration=(1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    ("word", "image"),
    [
        ("COLOR", "color"),
        ("MONO", "mono"),
        ("DEPTH", "depth"),
        ("COLOR_DEPTH", "color_depth"),
        ("MONO_DEPTH", "mono_depth"),
        ("POINT_CLOUD", "point_cloud"),
        ("COLOR_POINT_CLOUD", "color_point_cloud"),
    ],
)
def test_images_of_all_kinds(word: str, image: str) -> None:
    found = device(f'DEF S VisionSensor {{ sensorId 0 type "{word}" }}').spec
    assert isinstance(found, Camera)
    assert (found.image, found.width, found.height, found.field_of_view) == (image, 320, 240, 0.785398)
    assert (found.near, found.far, found.frame_rate) == (0.01, 10.0, 30.0)
    assert (found.min_distance is None) == (word in ("COLOR", "MONO"))


def test_f1_32_type_none_gives_no_image() -> None:
    for text in ('VisionSensor { sensorId 0 type "NONE" }', "VisionSensor { sensorId 0 }"):
        spec = device(f"DEF S {text}", "reference-differs").spec
        assert isinstance(spec, Camera)
        assert spec.image == "none"
    spec = device('DEF S VisionSensor { sensorId 0 type "COLOUR" }', "not-a-choice").spec
    assert isinstance(spec, Camera)
    assert spec.image == "color"


def test_a_camera_s_def_name_counts_before_its_name() -> None:
    text = 'VisionSensor { sensorId 0 type "COLOR" name "left" }'
    assert device(text).name == "left"
    made = robot(rooted(f"DEF EYE {text}"), "reference-differs")
    assert made.devices[0].name == "EYE"
    assert kept(made, "devices/EYE") == [["name", "left"]]


def test_an_angle_of_view_is_in_radians() -> None:
    device('DEF S VisionSensor { sensorId 0 type "COLOR" fieldOfView 45 }', "field-of-view")


def test_a_range_sensor_scans_half_to_either_side() -> None:
    found = device(
        "DEF S RangeSensor { sensorId 0 scanAngle 2 scanStep 0.5 scanRate 20 maxDistance 5 }"
    ).spec
    assert found == RangeSensor(
        min_yaw=-1.0, max_yaw=1.0, yaw_step=0.5, scan_rate=20.0, min_distance=0.01, max_distance=5.0
    )
    still = device("DEF S RangeSensor { sensorId 0 scanAngle 0 scanStep 0 }").spec
    assert isinstance(still, RangeSensor)
    assert (still.min_yaw, still.max_yaw) == (0.0, 0.0)
    odd = device("DEF S RangeSensor { sensorId 0 scanStep -0.5 }", "scan-step").spec
    assert isinstance(odd, RangeSensor)
    assert odd.yaw_step == 0.0


def test_a_spot_light() -> None:
    found = device("DEF S SpotLightDevice { on FALSE color 1 0 0 beamWidth 0.5 cutOffAngle 0.75 }")
    assert not found.on
    assert found.spec == SpotLight(color=(1.0, 0.0, 0.0), beam_width=0.5, cut_off_angle=0.75)


@pytest.mark.parametrize("word", ["PressureSensor", "PhotoInterrupter", "TorqueSensor", "HwSensor"])
def test_other_devices_keep_their_data(word: str) -> None:
    found = device(f"DEF S {word} {{ sensorId 1 translation 1 2 3 maxPressure 5 }}")
    assert (found.id, found.pose.xyz) == (1, (1.0, 2.0, 3.0))
    assert isinstance(found.spec, Opaque)
    assert (found.spec.kind, plain(found.spec.data)) == (word, {"items": [["maxPressure", "5"]]})


def test_device_id_counts_before_sensor_id() -> None:
    made = robot(rooted("DEF S Gyro { sensorId 4 deviceId 0 }"), "field-undeclared")
    assert made.devices[0].id == 0
    assert kept(made, "devices/S") == [["sensorId", "4"]]


def test_sensor_ids_go_from_0_for_each_kind() -> None:
    robot(rooted("DEF A Gyro { sensorId 0 } DEF B Gyro { sensorId 1 } DEF C ForceSensor { sensorId 0 }"))
    robot(rooted("DEF A Gyro { sensorId 0 } DEF B Gyro { sensorId 0 }"), "sensor-id-duplicate")
    robot(rooted("DEF A Gyro { sensorId 0 } DEF B Gyro { sensorId 2 }"), "sensor-id-gap")
    robot(rooted("DEF A Gyro { }"), "sensor-id-missing")


def test_f1_35_a_sensor_may_stand_below_transforms() -> None:
    found = device(
        "Transform { translation 0 0 1 rotation 0 0 1 1.5707963267948966"
        " children DEF S Gyro { sensorId 0 translation 1 0 0 } }"
    )
    assert np.allclose(found.pose.xyz, (0.0, 1.0, 1.0))
    scaled = device(
        "Transform { scale 2 3 4 children DEF S Gyro { sensorId 0 translation 1 1 1 } }", "device-scaled"
    )
    assert scaled.pose.xyz == (2.0, 3.0, 4.0)


def test_f2_11_shapes_of_a_sensor_are_shown_once_at_its_place() -> None:
    sensor = f"DEF S RangeSensor {{ sensorId 0 translation 1 0 0 children {SHAPE} }}"
    moved = f"Transform {{ translation 0 0 5 children {sensor} }}"
    for text in (moved, f"Segment {{ children {moved} }}"):
        made = robot(rooted(text))
        (shape,) = made.links[0].visuals
        assert shape.pose.xyz == (1.0, 0.0, 5.0)
        assert made.devices[0].pose.xyz == (1.0, 0.0, 5.0)
