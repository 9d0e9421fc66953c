"""Positions and limits of joints in messages: with their units, angles also in degrees."""

from __future__ import annotations

import math

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Range


def in_degrees(value: float, joint: Joint, what: str = "") -> str:
    """A position or limit with its unit, angles in degrees; ``what`` is not empty for a velocity.

    >>> in_degrees(0.5, Joint(name="s", kind="prismatic", parent="a", child="b"))
    '0.5 m'
    """
    per = "/s" if what else ""
    return f"{value:g} m{per}" if KINDS[joint.kind].slides else f"{math.degrees(value):g}°{per}"


def position(value: float, joint: Joint) -> str:
    """A position in the model's unit, angles also in degrees.

    >>> position(0.5, Joint(name="j", kind="revolute", parent="a", child="b"))
    '0.5 rad (28.6479°)'
    """
    if KINDS[joint.kind].slides:
        return f"{value:g} m"
    return f"{value:g} rad ({math.degrees(value):g}°)" if value else "0 rad"


def span(limits: Range, joint: Joint) -> str:
    """The two limits of a position, angles also in degrees.

    >>> span((-0.5, 1.0), Joint(name="s", kind="prismatic", parent="a", child="b"))
    '-0.5 … 1 m'
    """
    low, high = limits
    if KINDS[joint.kind].slides:
        return f"{low:g} … {high:g} m"
    return f"{low:g} … {high:g} rad ({math.degrees(low):g}° … {math.degrees(high):g}°)"
