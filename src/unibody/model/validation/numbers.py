"""Numbers that are none: NaN, and infinity where nothing is without end; and directions without one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.pose import Pose
from unibody.model.robot import AXISLESS, Extra, Robot
from unibody.model.schema import hints
from unibody.model.traverse import part, path_of
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings

# Of a robot with nothing but NaN it is enough to say it so often.
_ENOUGH = 20
# What may be without end: the limits of joints, and the most that a device measures.
_ENDLESS = re.compile(r"^joints/[^/]*/limits/|/spec/max_(?:force|torque|acceleration|angular_velocity)/")


def check_numbers(robot: Robot, findings: Findings) -> None:
    """An error with its path for each number that is none, and for axes and turns of nothing but zeros.

    Reading gives no such robot without an error.
    """
    for joint in robot.joints:
        if joint.kind not in AXISLESS and not any(joint.axis):
            findings.error(
                "axis-zero",
                f"joint '{joint.name}': its axis is zero",
                joint.at,
                subject=path_of("joints", joint.name),
            )
    for code, subject, what in islice(_odd(robot), _ENOUGH):
        findings.error(code, what, subject=subject)


def _odd(robot: Robot) -> Iterator[tuple[str, str, str]]:
    """Code, path and message of each."""
    for path, value in _walk(robot):
        if isinstance(value, float | np.ndarray):
            worst = value if isinstance(value, float) else _worst(value)
            if worst != worst or (abs(worst) == math.inf and not _ENDLESS.search(path)):
                what = "not a number (NaN)" if worst != worst else "infinite"
                yield "number-not-finite", path, f"{path} is {what}"
        elif isinstance(value, Pose) and not any(value.quat):
            yield "rotation-axis-zero", f"{path}/quat", f"{path}/quat is no turn: all its numbers are zero"


def _worst(values: NDArray[Any]) -> float:
    """NaN when there is one, else the largest number, 0 for none."""
    return float(np.abs(values).max()) if values.size and values.dtype.kind == "f" else 0.0


def _walk(robot: Robot) -> Iterator[tuple[str, Any]]:
    """All values of a robot with their paths, less those of deferred shapes: their reader has found NaN."""
    todo: list[tuple[str, Any]] = [("", robot)]
    while todo:
        path, value = todo.pop()
        yield path, value
        if isinstance(value, tuple):
            todo += [(f"{path}/{_name(v, k)}", v) for k, v in reversed(list(enumerate(value)))]
        elif is_dataclass(value) and not isinstance(value, Extra) and not is_deferred(value):
            inner = [(name, getattr(value, name)) for name in reversed(hints(value.__class__))]
            todo += [(f"{path}/{name}" if path else name, v) for name, v in inner]


def _name(value: Any, number: int) -> str:
    name = getattr(value, "name", "") if is_dataclass(value) else ""
    return part(name) if name else str(number)
