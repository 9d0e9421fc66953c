"""Columns of motions: those of a robot, and their names: ``knee``, ``knee[deg]``, ``wrist.0``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from unibody.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE, BASE_VELOCITY_SIZE
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.text.near import suggestion

#: A joint, or the root link for the base, and the index of one of its numbers.
Column = tuple[str, int]

#: What numbers are: positions (rad, m), velocities (rad/s, m/s), accelerations (rad/s², m/s²) or efforts
#: (N·m, N).
Quantity = Literal["position", "velocity", "acceleration", "effort"]

# Characters of an unknown name shown in messages.
_MAX_NAME = 200
# Numbers of joints beyond this are ignored.
_MOST = 10_000
_UNITS = {"deg": math.pi / 180.0, "rad": 1.0, "m": 1.0, "mm": 0.001}


class ColumnError(ValueError):
    """Raised for a column of no joint; the message states the reason and the closest name."""


def find_column(text: str, sizes: Mapping[str, int]) -> tuple[Column, float]:
    """The column of a name, and the factor of its unit; ``sizes`` are the numbers of each joint.

    >>> find_column("knee[deg]", {"knee": 1})
    (('knee', 0), 0.017453292519943295)
    >>> find_column("wrist.3", {"wrist": 4})
    (('wrist', 3), 1.0)
    """
    name, part, unit = text, "", ""
    if name not in sizes:
        name, unit = split_unit(text.strip())
    if name not in sizes and name[-2:-1] == "." and name[-1] in "0123456789":
        name, part = name[:-2], name[-1]
    if name not in sizes:
        shown = name[:_MAX_NAME]
        raise ColumnError(f"the robot has no joint {shown!r}{suggestion(shown, sizes)}")
    number = int(part or 0)
    if number >= sizes[name] or (not part and sizes[name] > 1):
        hint = f"; write {name}.0 to {name}.{sizes[name] - 1}" if sizes[name] > 1 else ""
        raise ColumnError(f"joint {name!r} takes {sizes[name] or 'no'} numbers{hint}")
    return (name, number), _UNITS[unit] if unit else 1.0


def split_unit(text: str) -> tuple[str, str]:
    """Split a column name into name and unit; "" without a unit in brackets.

    >>> split_unit("knee [deg]"), split_unit("knee[0]")
    (('knee', 'deg'), ('knee[0]', ''))
    """
    name, _, unit = text.removesuffix("]").rpartition("[")
    return (name.rstrip(), unit) if text.endswith("]") and unit in _UNITS else (text, "")


def doubled(columns: tuple[Column, ...]) -> Column | None:
    """The first column that occurs twice."""
    seen: set[Column] = set()
    for column in columns:
        if column in seen:
            return column
        seen.add(column)
    return None


def root_link(mechanism: Mechanism) -> str:
    """The root link, whose name stands for the base."""
    return str(mechanism.link_names[mechanism.order[0]])


def sizes(mechanism: Mechanism, quantity: Quantity) -> dict[str, int]:
    """How many numbers each joint has; a track has the speed of its surface in every quantity.

    >>> import unibody as ub
    >>> sizes(ub.assemble(ub.load("src/unibody/models/biped.body")), "effort")["RLEG_KNEE"]
    1
    """
    counts = _counts(mechanism, quantity)
    return {j.name: 1 if j.kind == "track" else counts[j.name] for j in mechanism.robot.joints}


def _counts(mechanism: Mechanism, quantity: Quantity) -> dict[str, int]:
    """How many numbers each joint has in q, or in v for other quantities."""
    records = {joint.name: KINDS[joint.kind] for joint in mechanism.robot.joints}
    return {name: each.nq if quantity == "position" else each.nv for name, each in records.items()}


def actuator_names(robot: Robot) -> tuple[str, ...]:
    """The names of the actuators in the MJCF file of a robot, whose controls are columns, too.

    >>> actuator_names(Robot(name="stone"))
    ()
    """
    if not any(extra.format == "mjcf" for extra in robot.extras):
        return ()
    from unibody.formats.mjcf.engine import names_of

    return names_of(robot, "actuator")


def columns_of(mechanism: Mechanism, quantity: Quantity = "position") -> tuple[Column, ...]:
    """The columns of q, or of v for other quantities: the root link's first if the base is free.

    >>> import unibody as ub
    >>> columns_of(ub.assemble(ub.load("src/unibody/models/arm.rob")))[:2]
    (('Turn', 0), ('Lift', 0))
    """
    base = BASE_SIZE if quantity == "position" else BASE_VELOCITY_SIZE
    root = [(root_link(mechanism), base)] if mechanism.base == "free" else []
    counts = [*root, *_counts(mechanism, quantity).items()]
    return tuple((name, part) for name, size in counts for part in range(size))


def column_names(columns: tuple[Column, ...], mechanism: Mechanism, quantity: Quantity) -> list[str]:
    """The names of columns in a table: ``knee``, ``wrist.0`` where a joint has several numbers.

    >>> import unibody as ub
    >>> m = ub.assemble(ub.load("src/unibody/models/biped.body"))
    >>> column_names(columns_of(m), m, "position")[6:8]
    ['WAIST.6', 'RLEG_HIP_Y']
    """
    single = {name for name, size in sizes(mechanism, quantity).items() if size == 1}
    return [name if name in single else f"{name}.{part}" for name, part in columns]


def numbered(mechanism: Mechanism) -> list[str | None]:
    """The joints in the order of their numbers (joint ids), None where a number is missing.

    Without numbers: the joints that have one position, in their order.
    """
    given = [(joint.number, joint.name) for joint in mechanism.robot.joints]
    joints = {number: name for number, name in given if number is not None and 0 <= number < _MOST}
    if not joints:
        return [name for name, size in sizes(mechanism, "position").items() if size == 1]
    return [joints.get(number) for number in range(max(joints) + 1)]
