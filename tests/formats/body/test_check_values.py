"""Numbers that Choreonoid's compiled loader gave: section G of the facts page."""

from __future__ import annotations

import math

import numpy as np
from tests.formats.body.cases import body, close, device, element, inertial, joint, robot, shapes

from unibody.model.device import RangeSensor
from unibody.model.shape import Box, MeshFile

INF = math.inf
DEGREE = math.pi / 180.0

SCALED = """
mass: 1
elements:
  - type: RigidBody
    translation: [0, 0, 1]
    rotation: [0, 0, 1, 90]
    scale: [2, 2, 2]
    mass: 2
    center_of_mass: [1, 0, 0]
    inertia: [1, 0, 0, 2, 0, 3]
    elements: { type: AccelerationSensor, name: S, translation: [1, 0, 0] }
"""


def test_g_mass_composition_with_scale() -> None:
    found = inertial(SCALED, "mass-scaled", "device-scaled")
    assert found.mass == 3.0
    assert close(found.com, (0, 4 / 3, 2 / 3), 1e-9)
    wanted = [[34 / 3, 0, 0], [0, 14 / 3, -4 / 3], [0, -4 / 3, 44 / 3]]
    assert close(found.inertia, wanted, 1e-9)


def test_g_device_below_a_scaled_rigid_body() -> None:
    text = body("- name: R\n" + "\n".join(f"  {line}" for line in SCALED.strip().split("\n")))
    (found,) = robot(text, "mass-scaled", "device-scaled").devices
    assert close(found.pose.xyz, (0, 2, 1))


def test_g_nested_translations_and_rotations() -> None:
    made = joint("translation: [[1, 0, 0], [0, 1, 0]]\nrotation: [[0, 0, 1, 90], [1, 0, 0, 90]]").origin
    assert made.xyz == (1.0, 1.0, 0.0)
    x, y, z, angle = made.axis_angle()
    assert close((x, y, z), np.full(3, 1 / math.sqrt(3)), 1e-9)
    assert close(angle, 120 * DEGREE, 1e-9)


def test_g_prismatic_joint() -> None:
    keys = "joint_type: prismatic\njoint_angle: 90\njoint_displacement: 0.5\njoint_range: [-1, unlimited]\n"
    keys += "max_joint_velocity: 5\njoint_velocity_range: [-1, 1]\nrotor_inertia: 2\ngear_ratio: 3"
    found = joint(keys, "reference-differs")
    assert found.initial == 0.5
    assert found.limits.position == (-1.0, INF)
    assert found.limits.velocity == (-5.0, 5.0)
    assert found.actuator.reflected_inertia == 18.0


def test_g_range_sensor() -> None:
    spec = device("type: RangeSensor, name: S, yaw_range: 120", "scan-step").spec
    assert isinstance(spec, RangeSensor)
    assert close((spec.min_yaw, spec.max_yaw), (-1.0471976, 1.0471976), 1e-7)
    assert spec.yaw_step == 1.0
    assert math.floor((spec.max_yaw - spec.min_yaw) / spec.yaw_step + 1e-7) + 1 == 3


def test_g_visual_with_shape_and_elements() -> None:
    text = "- type: Visual\n  translation: [0, 0, 1]\n"
    text += "  shape: { translation: [0, 0, 1], geometry: { type: Box, size: [1, 1, 1] } }\n"
    text += "  elements: { type: Shape, geometry: { type: Box, size: [1, 1, 1] } }"
    link = robot(element(text)).links[0]
    assert [s.pose.xyz[2] for s in link.visuals] == [2.0, 1.0]
    assert all(s.geometry == Box(size=(1.0, 1.0, 1.0)) for s in link.visuals)
    assert link.collisions == ()


def test_g_mesh_metadata() -> None:
    """The unit and the upward axis that the model file says of a mesh are kept, in either form."""
    wanted = MeshFile(uri="tri.stl", unit=0.001, up_axis="choreonoid-Y")
    for metadata in ("{ length_unit: millimeter, upper_axis: Y }", "millimeter y_upper"):
        (found,) = shapes(f"- {{ type: Resource, uri: tri.stl, metadata: {metadata} }}", "file-missing")
        assert found.geometry == wanted
