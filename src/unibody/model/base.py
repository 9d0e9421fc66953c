"""How the root link is held in the world: what a file implies, and what must be stated.

The base of a robot is "fixed", "free", or None: unspecified. This module has the rules for the last case;
docs/base.md describes them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from unibody.model.robot import Robot

Base: TypeAlias = Literal["fixed", "free"]
BASES: tuple[Base, ...] = get_args(Base)

#: The name of a root link that is the world itself.
WORLD = "world"
#: How an unspecified base is called.
UNSPECIFIED = "unspecified"


def implied_base(root: str) -> Base | None:
    """The base that the name of the root link implies in a format that does not state it.

    >>> implied_base("world"), implied_base("base_link")
    ('fixed', None)
    """
    return "fixed" if root == WORLD else None


def stated_base(robot: Robot, unstated: Base) -> Base:
    """The base of a robot for a format that must state one: ``unstated`` is that of an unspecified base.

    It is what the loaders of the format make of a URDF file: Choreonoid's free, MuJoCo's fixed.

    >>> from unibody.model.robot import Link, Robot
    >>> stated_base(Robot(name="arm", links=(Link(name="foot"),)), "free")
    'free'
    """
    return robot.base or implied_base(robot.root) or unstated


def with_base(robot: Robot, base: Base | None) -> Robot:
    """The robot with another base; None leaves it as it is. ValueError for any other word.

    >>> from unibody.model.robot import Link, Robot
    >>> with_base(Robot(name="arm", links=(Link(name="foot"),)), "free").base
    'free'
    """
    if base is None or base == robot.base:
        return robot
    if base not in BASES:
        raise ValueError(f"base must be 'fixed', 'free' or None, not {base!r}")
    return replace(robot, base=base)
