"""Numbers that are none: NaN, wherever it stands in a robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from unibody.model.parts import part
from unibody.model.robot import Extra, Robot
from unibody.model.schema import hints
from unibody.text.finding import Findings

# Of a robot with nothing but NaN it is enough to say it so often.
_ENOUGH = 20


def check_numbers(robot: Robot, findings: Findings) -> None:
    """An error with its path for each number that is none; reading gives no such robot without an error."""
    for count, path in enumerate(_nan(robot)):
        if count == _ENOUGH:
            return
        findings.error("number-not-finite", f"{path} is not a number (NaN)")


def _nan(robot: Robot) -> Iterator[str]:
    todo: list[tuple[str, Any]] = [("", robot)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, float):
            if value != value:
                yield path
        elif isinstance(value, np.ndarray):
            if value.dtype.kind == "f" and np.isnan(value).any():
                yield path
        elif isinstance(value, tuple):
            todo += [(f"{path}/{_name(v, k)}", v) for k, v in reversed(list(enumerate(value)))]
        elif is_dataclass(value) and not isinstance(value, Extra):
            inner = [(name, _known(value, name)) for name in reversed(hints(value.__class__))]
            todo += [(f"{path}/{name}" if path else name, v) for name, v in inner]


def _name(value: Any, number: int) -> str:
    name = getattr(value, "name", "") if is_dataclass(value) else ""
    return part(name) if name else str(number)


def _known(thing: Any, name: str) -> Any:
    """A field; None where it is read late, and then without NaN."""
    try:
        return object.__getattribute__(thing, name)
    except AttributeError:
        return None
