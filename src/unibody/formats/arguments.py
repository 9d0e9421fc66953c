"""The arguments of a model: those of xacro, and the scale of an MPK robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unibody.formats.format import ReadOption
from unibody.text.hint import Setting

if TYPE_CHECKING:
    from unibody.formats.format import Context

ARGUMENTS = ReadOption(
    name="arguments",
    form="mapping",
    flag="--arg",
    metavar="NAME=VALUE",
    help="set a xacro argument, or scale=0.001 for an MPK robot in millimeters; repeatable",
)


def arguments_of(context: Context) -> Mapping[str, str]:
    """The arguments that the caller gives, as texts."""
    given: Mapping[str, str | float] = context.options.get(ARGUMENTS.name, {})
    return {name: value if isinstance(value, str) else f"{value}" for name, value in given.items()}


def argument(name: str, value: float | None = None) -> Setting:
    """The setting of an argument, for a hint."""
    return Setting(ARGUMENTS.name, name, value, blank="VALUE", flag=ARGUMENTS.option)
