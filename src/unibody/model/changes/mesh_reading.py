"""Applies a scale and an up axis to the mesh files of a robot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unibody.model import shape as s
from unibody.model.changes.shapes import with_shapes
from unibody.model.inertia import matrix3
from unibody.model.mesh_reading import MeshReading, file_name, matches
from unibody.model.pose import Pose, matrix_quaternion
from unibody.model.robot import Robot
from unibody.model.up_axis import UpAxis, upright_turn
from unibody.text.counted import listed
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near


def with_mesh_reading(robot: Robot, how: MeshReading, own: bool, findings: Findings) -> Robot:
    """The robot with its mesh files read in another way.

    ``own``: the model file itself is a mesh, whose shapes are in the robot. A pattern that matches no
    mesh file is a warning.
    """
    if not how.scales and not how.axes:
        return robot
    names: set[str] = set()

    def step(shape: s.Shape) -> tuple[s.Shape, ...]:
        mesh = shape.geometry
        if not isinstance(mesh, s.MeshFile):
            return (_turned(shape, how.scales.get("*", 1.0), how.axes.get("*")) if own else shape,)
        names.add(mesh.uri)
        factor, axis = how.factor(mesh.uri), how.up_axis(mesh.uri)
        if factor is not None:
            x, y, z = mesh.scale
            mesh = replace(mesh, scale=(x * factor, y * factor, z * factor))
        if axis is not None:
            mesh = replace(mesh, up_axis=axis)
        return (shape if mesh is shape.geometry else replace(shape, geometry=mesh),)

    out = with_shapes(robot, step)
    for setting, patterns in (("scale", how.scales), ("up_axis", how.axes)):
        for pattern in patterns:
            used = (own and pattern == "*") or any(matches(pattern, name) for name in names)
            if not used:
                _report_unused(setting, pattern, names, findings)
    return out


def _report_unused(setting: str, pattern: str, names: set[str], findings: Findings) -> None:
    parts = sorted({file_name(name) for name in names})
    alike = near(pattern, parts) if pattern != "*" else ""
    which = "the model has no mesh files" if not names else f"no mesh file is named '{pattern}'"
    known = f"mesh files: {listed(parts, 8)}" if names else ""
    findings.warning(
        "mesh-setting-unused",
        f"{'scale' if setting == 'scale' else 'up axis'} of mesh files ignored: {which}",
        hint=did_you_mean(alike, known),
        subject=f"{setting}/{pattern}",
        suggestion=alike,
    )


def _turned(shape: s.Shape, factor: float, axis: UpAxis | None) -> s.Shape:
    """A shape of a model file that is a mesh itself, scaled and turned about the origin."""
    pose = shape.pose
    if factor != 1.0:
        linear = np.eye(3) if shape.linear is None else np.array(shape.linear)
        x, y, z = pose.xyz
        pose = Pose((x * factor, y * factor, z * factor), pose.quat)
        shape = replace(shape, linear=matrix3(factor * linear))
    return replace(shape, pose=Pose(quat=matrix_quaternion(upright_turn(axis))) @ pose)
