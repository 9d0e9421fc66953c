"""Several robots in one world."""

from __future__ import annotations

from dataclasses import dataclass

from unibody.model.robot import Extra, Robot


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Robots placed by their own poses; an obstacle is a robot of one fixed link."""

    name: str
    robots: tuple[Robot, ...] = ()
    extras: tuple[Extra, ...] = ()
