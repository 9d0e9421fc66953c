"""The facts of the acid test: what a small model must be, as numbers that do not come from unibody."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
MODELS = HERE / "models"
TABLE = HERE / "facts.yaml"
FORMATS = {".urdf": "urdf", ".xml": "mjcf", ".body": "body"}
#: Gravity in all states, along the world's -Z, in m/s².
GRAVITY = 9.80665

#: What a fact may be about, and the words for it: {0} and {1} are the joint or link, and what follows.
QUANTITIES = {
    "point": "place of the point {1} of link `{0}` in the world (m)",
    "mass": "mass of link `{0}` (kg)",
    "total_mass": "mass of all links (kg)",
    "com": "center of mass of link `{0}`, in its axes (m)",
    "inertia": "inertia about the center of mass of link `{0}` (kg m²; xx, yy, zz, xy, xz, yz)",
    "mass_matrix": "entry of the mass matrix for joints `{0}` and `{1}`",
    "bias": "force that keeps the speed of joint `{0}` against gravity",
    "acceleration": "acceleration of joint `{0}`",
    "limits": "range of joint `{0}`, from the position in which the file draws it,",
    "effort": "range of the force in joint `{0}`",
    "armature": "armature of joint `{0}`",
    "damping": "damping of joint `{0}`",
    "friction": "friction of joint `{0}`",
    "freedoms": "number of degrees of freedom",
    "follower": "position of joint `{0}`, which is coupled or held,",
    "posture": "position of joint `{1}` in the posture `{0}`, from that in which the file draws it,",
    "initial": "initial position of joint `{0}`",
    "gap": "distance of the two ends of the loop (m)",
    "equations": "number of equations of the loop",
    "bounds": "box around the shapes of link `{0}` (its lowest and highest corner, in axes of the link; m)",
}


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One number, or a few, of small models that are the same in several formats.

    ``joints`` are the kinds of joints that the state sets; ``q``, ``v`` and ``effort`` the state, zero
    where it has no number. ``expected`` was computed as ``because`` tells. ``needs`` is a passive force
    that the accelerations of an engine must contain. ``section`` is a title of the page.
    """

    section: str
    name: str
    title: str
    files: tuple[str, ...]
    quantity: str
    of: tuple[Any, ...]
    expected: tuple[float, ...]
    because: str
    needs: str = ""
    joints: Mapping[str, str] = field(default_factory=lambda: {"hinge": "revolute"})
    q: Mapping[str, float] = field(default_factory=dict)
    v: Mapping[str, float] = field(default_factory=dict)
    effort: Mapping[str, float] = field(default_factory=dict)

    @property
    def asked(self) -> str:
        """What is asked, in words."""
        words = [", ".join(f"{x:g}" for x in item) if isinstance(item, list) else item for item in self.of]
        return QUANTITIES[self.quantity].format(*(f"({x})" if "," in x else x for x in words))

    @property
    def state(self) -> str:
        """The state in words; "" if all joints rest where they are drawn."""
        rows = (("", self.q), ("speed ", self.v), ("force ", self.effort))
        return ", ".join(f"{word}`{joint}` {value:g}" for word, row in rows for joint, value in row.items())

    def holds(self, found: tuple[float, ...], tolerance: float) -> bool:
        """Whether numbers are those expected, relative to the largest of them."""
        if len(found) != len(self.expected):
            return False
        sizes = [abs(x) for x in self.expected if math.isfinite(x)]
        most = tolerance * (max(sizes, default=0.0) or 1.0)
        return all(a == b or abs(a - b) <= most for a, b in zip(found, self.expected, strict=True))


@cache
def facts() -> tuple[Fact, ...]:
    """All facts, in the order of their table."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return tuple(_facts(yaml.load(TABLE.read_text("utf-8"), loader)))


def _facts(sections: Mapping[str, Any]) -> Iterator[Fact]:
    for section, row in ((section, row) for section, rows in sections.items() for row in rows):
        ask, own = row.pop("ask"), row.pop("is")
        (quantity,) = ask
        of = ask[quantity]
        yield Fact(
            section=section,
            name=row.pop("fact"),
            files=tuple(row.pop("files")),
            quantity=quantity,
            of=tuple(of if isinstance(of, list) else [of] if of else []),
            expected=tuple(number(x) for x in (own if isinstance(own, list) else [own])),
            q=_numbers(row.pop("q", {})),
            v=_numbers(row.pop("v", {})),
            effort=_numbers(row.pop("effort", {})),
            **row,
        )


def _numbers(row: Mapping[str, Any]) -> dict[str, float]:
    return {joint: number(value) for joint, value in row.items()}


_NAMES = {
    **{name: getattr(math, name) for name in ("pi", "inf", "sin", "cos", "sqrt", "radians")},
    "g": GRAVITY,
}


def number(value: str | float) -> float:
    """A number, or the value of a formula.

    >>> number("2 * sin(pi / 6)")
    0.9999999999999999
    """
    if isinstance(value, str):
        return float(eval(value, {"__builtins__": {}}, _NAMES))
    return float(value)
