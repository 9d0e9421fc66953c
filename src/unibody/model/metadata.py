"""Metadata of the model's fields: units and references, declared once where a field is."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

#: The unit of a joint's position: an angle where the joint turns, a length where it slides.
POSITION = "rad or m"


def unit(text: str) -> dict[str, Any]:
    """Metadata of a quantity with this SI unit."""
    return {"unit": text}


def refers(list_name: str) -> dict[str, Any]:
    """Metadata of a field that holds names of items of a list of the robot, alone or in lists."""
    return {"refers": list_name}


@cache
def units(cls: type) -> dict[str, str]:
    """The unit of every field of a dataclass of the model that has one.

    >>> from unibody.model.device import Gyro
    >>> units(Gyro)
    {'max_angular_velocity': 'rad/s'}
    """
    return {f.name: f.metadata["unit"] for f in fields(cls) if "unit" in f.metadata}
