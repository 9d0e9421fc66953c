"""Warnings of what the programs that read a format refuse of a robot: they open none of the file."""

from __future__ import annotations

from unibody.model.inertia import principal_moments
from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Finding

# What the moments of a flat body or a rod may be off by, relatively.
_ROUNDING = 1e-14


def impossible_inertias(robot: Robot, who: str) -> list[Finding]:
    """A warning of each inertia that no body has; ``who`` says who refuses it.

    >>> impossible_inertias(Robot(name="arm"), "Gazebo rejects the file")
    []
    """
    out: list[Finding] = []
    for link in robot.links:
        inertial = link.inertial
        if inertial is None or inertial.unknown:
            continue
        low, middle, high = principal_moments(inertial.inertia)
        if low >= -_ROUNDING * high and low + middle >= high * (1.0 - _ROUNDING):
            continue
        must = (
            "principal moments must not be negative"
            if low < 0.0
            else "the largest principal moment must not exceed the sum of the others"
        )
        out.append(
            Finding(
                "engine-rejects",
                "warning",
                f"link '{link.name}': {must}, got {low:g} {middle:g} {high:g}; {who}",
                hint="correct the inertia in the source",
                subject=path_of("links", link.name, "inertial", "inertia"),
            )
        )
    return out
