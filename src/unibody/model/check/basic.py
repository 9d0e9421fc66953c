"""Checks every load runs: masses and inertias that no body can have, limits the wrong way round."""

from __future__ import annotations

import math
from itertools import chain

import numpy as np

from unibody.model.check.size import sizes
from unibody.model.inertia import Inertial, principal_moments
from unibody.model.robot import Joint, Link, Robot
from unibody.text.finding import Findings

# Below this share of the largest moment a negative one is rounding, not a mistake.
_ROUNDING = 1e-9


def check_basic(robot: Robot, findings: Findings) -> None:
    """Findings for what is wrong in numbers: masses, inertias, limits, and what overflowed."""
    sizes(robot, findings)
    for link in robot.links:
        if link.inertial is not None:
            _inertial(link, link.inertial, findings)
    for joint in robot.joints:
        _limits(joint, findings)


def _inertial(link: Link, inertial: Inertial, findings: Findings) -> None:
    at = inertial.at or link.at
    if not all(map(math.isfinite, (inertial.mass, *inertial.com, *chain(*inertial.inertia)))):
        return  # said by sizes
    if inertial.mass < 0.0:
        findings.warning(
            "mass-negative",
            f"link '{link.name}': its mass is negative ({inertial.mass:g} kg)",
            at,
            "a mass is zero or more",
        )
        return
    if _positive(inertial):
        return
    m = np.array(inertial.inertia)
    if not m.any():
        return
    if np.abs(m - m.T).max() > 1e-6 * np.abs(m).max():
        findings.warning(
            "inertia-not-symmetric",
            f"link '{link.name}': its inertia is not symmetric",
            at,
            "check the signs",
        )
    low, middle, high = principal_moments(inertial.inertia)
    if low < -_ROUNDING * max(abs(high), 1e-300):
        findings.warning(
            "inertia-not-positive",
            f"link '{link.name}': its inertia is not positive definite (principal moments "
            f"{low:.4g}, {middle:.4g}, {high:.4g})",
            at,
            "no body turns like that; check signs and products of inertia",
        )


def _positive(inertial: Inertial) -> bool:
    """Whether the inertia is symmetric and positive definite, by its leading minors: the quick
    answer for nearly every link."""
    (a, b, c), (d, e, f), (g, h, i) = inertial.inertia
    if b != d or c != g or f != h:
        return False
    return (
        a > 0.0 and a * e > b * b and a * (e * i - f * f) - b * (b * i - c * f) + c * (b * f - c * e) > 0.0
    )


def _limits(joint: Joint, findings: Findings) -> None:
    for what, (low, high) in (("", joint.limits.position), ("velocity ", joint.limits.velocity)):
        if low > high:
            a, b = (_shown(v, joint, what) for v in (low, high))
            findings.warning(
                "limits-reversed",
                f"joint '{joint.name}': its lower {what}limit {a} is above its upper limit {b}",
                joint.at,
                "swap them",
            )


def _shown(value: float, joint: Joint, what: str) -> str:
    """A limit with its unit, turning joints in degrees."""
    if joint.kind in ("prismatic", "planar", "free"):
        return f"{value:g} m{'/s' if what else ''}"
    return f"{math.degrees(value):g}°{'/s' if what else ''}"
