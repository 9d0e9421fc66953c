"""Checks for NaN and infinite numbers, and for axes and rotations of zero length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import is_dataclass
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Extra, Robot
from unibody.model.schema import hints
from unibody.model.traverse import fields_with, part, path_of
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings

_MAX_FINDINGS = 20
# Classes of values that are no numbers, or always finite.
_PLAIN = frozenset((str, int, bool, type(None)))


def check_numbers(robot: Robot, findings: Findings) -> None:
    """Report numbers that are NaN or infinite, and axes and quaternions that are zero.

    Robots that were read without errors have none of these.
    """
    for joint in robot.joints:
        axes = {"zero axis": joint.axis, "zero second axis": joint.axis2}
        for what, axis in list(axes.items())[: KINDS[joint.kind].axes]:
            if axis is not None and not any(axis):
                findings.error(
                    "axis-zero",
                    f"joint '{joint.name}' has a {what}",
                    joint.at,
                    subject=path_of("joints", joint.name),
                )
    for code, subject, message in islice(_problems(robot), _MAX_FINDINGS):
        findings.error(code, message, subject=subject)


def _problems(robot: Robot) -> Iterator[tuple[str, str, str]]:
    """Code, path and message of each number or rotation that is invalid."""
    for place, field, value in _walk(robot):
        if isinstance(value, float | np.ndarray):
            worst = value if isinstance(value, float) else _largest(value)
            if math.isfinite(worst):
                continue
            path = _path(place)
            if math.isnan(worst):
                yield "number-not-finite", path, f"{path} is not a number (NaN)"
            elif field not in fields_with("infinite"):
                yield "number-not-finite", path, f"{path} is infinite"
        elif isinstance(value, Pose) and not any(value.quat):
            path = _path(place)
            yield "rotation-axis-zero", f"{path}/quat", f"{path}/quat is zero, not a rotation"


def _largest(values: NDArray[Any]) -> float:
    """The largest magnitude in an array, NaN if it contains one, 0 if it is empty or not of floats."""
    return float(np.abs(values).max()) if values.size and values.dtype.kind == "f" else 0.0


# A place in a robot: that of what it is in, and the name of a field, or the index and the value in a list.
_Place = tuple[Any, str | tuple[int, Any]]


def _walk(robot: Robot) -> Iterator[tuple[_Place | None, str, Any]]:
    """Place, field and value of what is in a robot, without what is finite at once.

    Paths are made of what is reported only. Deferred shapes are skipped: their reader reports NaN.
    """
    todo: list[tuple[_Place | None, str, Any]] = [(None, "", robot)]
    while todo:
        place, field, value = todo.pop()
        yield place, field, value
        if isinstance(value, tuple):
            for k in range(len(value) - 1, -1, -1):
                if not _is_finite(value[k]):
                    todo.append(((place, (k, value[k])), field, value[k]))
        elif (names := _names(value.__class__)) and not is_deferred(value):
            for name in names:
                if not _is_finite(inner := getattr(value, name)):
                    todo.append(((place, name), name, inner))


def _is_finite(value: Any) -> bool:
    """Whether a value is a finite number, a tuple of such values, or text; False if it may be more."""
    cls = value.__class__
    if cls is float:
        return math.isfinite(value)
    if cls is tuple:
        return all(map(_is_finite, value))
    return cls in _PLAIN


@cache
def _names(cls: type) -> tuple[str, ...]:
    """The fields of a class that are looked into, the last first."""
    return tuple(reversed(hints(cls))) if is_dataclass(cls) and not issubclass(cls, Extra) else ()


def _path(place: _Place | None) -> str:
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step if isinstance(step, str) else _key(step[1], step[0]))
    return "/".join(reversed(steps))


def _key(value: Any, index: int) -> str:
    name = getattr(value, "name", "") if is_dataclass(value) else ""
    return part(name) if name else str(index)
