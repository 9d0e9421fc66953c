"""Small robots for tests of planning."""

from __future__ import annotations

import math

import unibody as ub
from unibody.model.joint_kind import JointKind


def box(name: str, size: tuple[float, float, float], xyz: tuple[float, float, float]) -> ub.Shape:
    return ub.Shape(geometry=ub.Box(size=size), name=name, pose=ub.Pose(xyz))


def joint(
    name: str,
    parent: str,
    child: str,
    kind: JointKind = "revolute",
    limits: tuple[float, float] = (-math.inf, math.inf),
    at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0),
) -> ub.Joint:
    return ub.Joint(
        name=name,
        kind=kind,
        parent=parent,
        child=child,
        axis=axis,
        origin=ub.Pose(at),
        limits=ub.Limits(position=limits),
    )


def bar(name: str, length: float = 1.0) -> ub.Link:
    """A bar from the link's origin along X."""
    return ub.Link(name=name, collisions=(box(name, (length, 0.02, 0.02), (0.5 * length, 0.0, 0.0)),))


def planar_arm(limits: tuple[float, float] = (-3.0, 3.0), count: int = 2, **more: object) -> ub.Robot:
    """Bars of 1 m in a row, each turning about Z."""
    links = [ub.Link(name="base"), *(bar(f"bar{i}") for i in range(count))]
    names = ["base", *(f"bar{i}" for i in range(count))]
    joints = [
        joint(f"j{i}", names[i], names[i + 1], limits=limits, at=(float(i > 0), 0.0, 0.0))
        for i in range(count)
    ]
    return ub.Robot(
        name="planar",
        links=tuple(links),
        joints=tuple(joints),
        self_collision=ub.SelfCollision(default="none"),
        **more,  # type: ignore[arg-type]
    )
