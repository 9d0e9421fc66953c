"""Metadata of the model's fields: units, references, bounds and aspects, declared with the field.

The text of differences, the command line, the page, the JSON Schema, the validation and the order of a
conversion report derive from it.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Literal, get_args

#: What a fact of a robot matters for, in the order of what its loss costs a user.
Aspect = Literal[
    "motion",
    "mass",
    "sensors",
    "actuation",
    "shape",
    "vendor",
    "planning",
    "looks",
    "numbering",
    "cosmetics",
]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)

#: Whether a field's numbers may be ±infinity, as limits are; all other numbers must be finite.
INFINITE: dict[str, Any] = {"infinite": True}


def unit(angular: str, linear: str | None = None) -> dict[str, Any]:
    """Metadata of a quantity in SI units; ``linear`` is its unit for joints that slide, if different."""
    return {"unit": (angular, angular if linear is None else linear)}


def refers(list_name: str) -> dict[str, Any]:
    """Metadata of a field that holds names of items of a list of the robot, alone or in lists."""
    return {"refers": list_name}


def concerns(aspect: Aspect) -> dict[str, Any]:
    """Metadata of a field whose facts, and all below it, matter for an aspect of the robot."""
    return {"concerns": aspect}


def units(cls: type, turns: bool | None = None) -> dict[str, str]:
    """Units by field name of a dataclass of the model; fields without a unit are omitted.

    ``turns`` selects the unit for joints that turn or that slide; None joins both with "or".

    >>> from unibody.model.robot import Limits
    >>> units(Limits, turns=True)["velocity"], units(Limits)["velocity"]
    ('rad/s', 'rad/s or m/s')
    """
    # A call of a cached function with a narrower type than `type` does not type-check.
    return _units(cls, turns)


@cache
def _units(cls: type, turns: bool | None) -> dict[str, str]:
    pairs = {f.name: f.metadata["unit"] for f in fields(cls) if "unit" in f.metadata}
    if turns is None:
        return {name: " or ".join(dict.fromkeys(pair)) for name, pair in pairs.items()}
    return {name: angular if turns else linear for name, (angular, linear) in pairs.items()}
