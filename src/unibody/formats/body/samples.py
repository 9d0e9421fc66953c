"""Small Choreonoid Body models."""

from __future__ import annotations

SAMPLES = {
    "pendulum.body": """\
format: ChoreonoidBody
format_version: 2.0
angle_unit: degree
name: pendulum
root_link: stand
links:
  - name: stand
    joint_type: fixed
    mass: 2
    center_of_mass: [ 0, 0, 0.5 ]
    inertia: [ 0.2, 0, 0, 0.2, 0, 0.004 ]
    elements:
      - type: Shape
        translation: [ 0, 0, 0.5 ]
        geometry: { type: Box, size: [ 0.1, 0.1, 1 ] }
  - name: bob
    parent: stand
    joint_name: swing
    joint_id: 0
    joint_type: revolute
    joint_axis: Y
    translation: [ 0, 0.1, 1 ]
    joint_range: [ -90, 90 ]
    max_joint_velocity: 360
    mass: 1
    center_of_mass: [ 0, 0, -0.5 ]
    inertia: [ 0.001, 0, 0, 0.001, 0, 0.001 ]
    elements:
      - type: Shape
        translation: [ 0, 0, -0.5 ]
        geometry: { type: Sphere, radius: 0.05 }
""",
}
