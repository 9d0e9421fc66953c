"""Checks for NaN and infinite numbers, and for axes and rotations of zero length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import is_dataclass
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
    for path, field, value in _walk(robot):
        if isinstance(value, float | np.ndarray):
            worst = value if isinstance(value, float) else _largest(value)
            if math.isnan(worst):
                yield "number-not-finite", path, f"{path} is not a number (NaN)"
            elif math.isinf(worst) and field not in fields_with("infinite"):
                yield "number-not-finite", path, f"{path} is infinite"
        elif isinstance(value, Pose) and not any(value.quat):
            yield "rotation-axis-zero", f"{path}/quat", f"{path}/quat is zero, not a rotation"


def _largest(values: NDArray[Any]) -> float:
    """The largest magnitude in an array, NaN if it contains one, 0 if it is empty or not of floats."""
    return float(np.abs(values).max()) if values.size and values.dtype.kind == "f" else 0.0


def _walk(robot: Robot) -> Iterator[tuple[str, str, Any]]:
    """Path, field and value of everything in a robot.

    Deferred shapes are skipped: their reader reports NaN.
    """
    todo: list[tuple[str, str, Any]] = [("", "", robot)]
    while todo:
        path, field, value = todo.pop()
        yield path, field, value
        if isinstance(value, tuple):
            todo += [(f"{path}/{_key(v, k)}", field, v) for k, v in reversed(list(enumerate(value)))]
        elif is_dataclass(value) and not isinstance(value, Extra) and not is_deferred(value):
            names = reversed(hints(value.__class__))
            todo += [(f"{path}/{name}" if path else name, name, getattr(value, name)) for name in names]


def _key(value: Any, index: int) -> str:
    name = getattr(value, "name", "") if is_dataclass(value) else ""
    return part(name) if name else str(index)
