"""What the page sends to have a pose saved: a robot, a name and positions of joints."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Bytes of a request, and letters of a name.
MOST_BYTES = 1 << 18
_LONGEST = 100
# Positions of a joint.
_MOST_NUMBERS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseRequest:
    """A pose that is to be saved: the index of the robot on the page, and positions (rad or m) by joint."""

    robot: int
    name: str
    positions: Mapping[str, float | tuple[float, ...]]


def pose_request(body: bytes) -> PoseRequest:
    """Parse the body of a request; ValueError, which says what is wrong, for anything else.

    >>> pose_request(b'{"robot": 0, "name": "home", "positions": {"knee": 0.5}}').positions
    {'knee': 0.5}
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("the request is not JSON") from None
    if not isinstance(data, dict) or set(data) != {"robot", "name", "positions"}:
        raise ValueError("a request has robot, name and positions")
    robot, name, positions = data["robot"], data["name"], data["positions"]
    if robot not in (0, 1) or isinstance(robot, bool):
        raise ValueError("the robot must be 0 or 1")
    if (
        not isinstance(name, str)
        or not 0 < len(name) <= _LONGEST
        or not name.isprintable()
        or name != name.strip()
    ):
        raise ValueError(f"the name must be one line of at most {_LONGEST} letters, without outer blanks")
    if not isinstance(positions, dict):
        raise ValueError("positions must be numbers by joint")
    return PoseRequest(
        robot=robot, name=name, positions={joint: _numbers(x) for joint, x in positions.items()}
    )


def _numbers(value: Any) -> float | tuple[float, ...]:
    numbers = value if isinstance(value, list) else [value]
    if not 0 < len(numbers) <= _MOST_NUMBERS or not all(_is_finite(number) for number in numbers):
        raise ValueError("positions must be finite numbers")
    found = tuple(float(number) for number in numbers)
    return found if isinstance(value, list) else found[0]


def _is_finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floating-point numbers
        return False
