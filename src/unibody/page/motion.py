"""Reads motions for the page: joint positions over time, from CSV, JSON, an MPK plan, or arrays."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.mechanism import Mechanism
from unibody.mechanism.columns import Column, ColumnError, doubled, find_column
from unibody.model.joint_kind import KINDS
from unibody.simulation.control import Control
from unibody.text.counted import counted
from unibody.text.number import is_plain, parse_float, vanishes

Floats = NDArray[np.float64]

# Seconds between rows without times, and for a coordinate of a plan to cross its range.
_STEP, _CROSSING = 0.1, 2.0
# Sampling step of plans, as a fraction of a coordinate's range.
_PLAN_STEP = 0.01
# Most values of a motion.
_MAX_VALUES = 2_000_000
# Lists within lists of a YAML file at most: a trajectory has four.
_DEEPEST = 50
# Largest number of the page, which computes in single precision.
_MAX_FLOAT = float(np.finfo(np.float32).max)
_NUMBER = re.compile(r"-?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?")
_TRAJECTORY = re.compile(r"^[ \t]*['\"]?joint_names['\"]?[ \t]*:", re.MULTILINE)
_TIMES = ("time", "t", "time_from_start")
#: What messages of ROS have a trajectory in: goals of actions, MoveIt's RobotTrajectory, DisplayTrajectory.
_AROUND = ("goal", "trajectory", "joint_trajectory")


class MotionError(ValueError):
    """Raised if a motion cannot be played; the message states the reason and the place."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Motion:
    """Positions over time: ``times`` (k,) in s, ascending; ``values`` (k, m) in rad or m.

    ``columns`` are (joint name, index of the position); the name of the root link stands for the base.
    Times that are not ``timed`` are not those of a file.
    """

    name: str
    times: Floats
    columns: tuple[Column, ...]
    values: Floats
    timed: bool = True

    def configurations(self, mechanism: Mechanism) -> Floats:
        """Configurations (k, nq); positions without a column are the initial ones, couplings hold."""
        q = np.tile(np.asarray(mechanism.initial, np.float64), (len(self.times), 1))
        starts = dict(zip(mechanism.joint_names, mechanism.idx_q.tolist(), strict=True))
        starts.setdefault(mechanism.link_names[mechanism.order[0]], 0)
        q[:, [starts[name] + part for name, part in self.columns]] = self.values
        given = {name for name, _ in self.columns}
        if given.issuperset(coupling.joint for coupling in mechanism.robot.couplings):
            return q
        return np.asarray(mechanism.apply_couplings(q), np.float64)


def read_motion(text: str, name: str, mechanism: Mechanism) -> Motion:
    """Parse the text of a CSV, JSON or YAML file; MotionError if it is not a motion of this robot.

    CSV: a header (``time``, then joints; ``knee[deg]`` for degrees, ``wrist.0`` for the first of
    several positions), then numbers. JSON: an object of lists by name, a list of objects by name, or
    ``joint_names`` with ``points`` (ROS JointTrajectory). YAML: a JointTrajectory.
    """
    begin = text.lstrip("\ufeff \t\r\n")[:1]
    if begin and begin in "{[":
        names, rows = _json(text)
    else:
        names, rows = _yaml(text) if is_trajectory(text) else _csv(text)
    return _motion(name, names, rows, mechanism)


def plan_motion(points: ArrayLike, name: str, mechanism: Mechanism) -> Motion:
    """Convert a path of normalized configurations (k, n) to a motion with constant speed."""
    try:
        space = mechanism.normalized_space
        path = space.path(points, _PLAN_STEP)
        positions = space.to_joints(path)
        times = np.concatenate([[0.0], np.cumsum(space.largest(path[:-1], path[1:]))]) * _CROSSING
    except ValueError as error:
        raise MotionError(str(error)) from None
    return _of_positions(name, times, positions, mechanism)


def array_motion(
    positions: ArrayLike, mechanism: Mechanism, times: ArrayLike | None = None, name: str = "motion"
) -> Motion:
    """Convert configurations (k, nq) at ``times`` (k,) in s (default: 0.1 s apart) to a motion."""
    values = np.atleast_2d(np.asarray(positions, np.float64))
    if values.ndim != 2 or values.shape[1] != mechanism.nq:
        raise MotionError(f"positions have shape {values.shape}; expected (k, {mechanism.nq})")
    at = _default_times(len(values)) if times is None else np.asarray(times, np.float64)
    return _of_positions(name, at, values, mechanism)


def control_motion(control: Control, mechanism: Mechanism) -> Motion:
    """Convert a control of positions to a motion; MotionError for one of velocities or efforts."""
    if control.mode != "position":
        raise MotionError("only positions can be played; unibody simulate takes velocities and efforts")
    tracks = {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
    kept = [i for i, (name, _) in enumerate(control.columns) if name not in tracks]
    columns = tuple(control.columns[i] for i in kept)
    values = control.values[:, kept]
    if control.base is not None and mechanism.base == "free":
        root = mechanism.link_names[mechanism.order[0]]
        columns = (*((root, part) for part in range(7)), *columns)
        values = np.column_stack([control.base, values])
    return _checked(Motion(name=control.name, times=control.times, columns=columns, values=values))


def _default_times(count: int) -> Floats:
    """Times (s) of rows without times."""
    return np.asarray(np.arange(count) * _STEP, np.float64)


def _of_positions(name: str, times: Floats, values: Floats, mechanism: Mechanism) -> Motion:
    root = [(mechanism.link_names[mechanism.order[0]], 7)] if mechanism.base == "free" else []
    sizes = [*root, *((joint.name, KINDS[joint.kind].nq) for joint in mechanism.robot.joints)]
    columns = tuple((joint, part) for joint, size in sizes for part in range(size))
    return _checked(Motion(name=name, times=times, columns=columns, values=values))


def _json(text: str) -> tuple[list[str], list[Sequence[Any]]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MotionError(f"the text is not JSON: {error}") from None
    if not is_plain(text) and (found := next(filter(vanishes, _NUMBER.findall(text)), None)):
        raise MotionError(f"{found[:40]} is too close to zero: it would be read as 0")
    inner = _inner(data)
    if isinstance(inner, dict) and "points" in inner:
        return _points(inner)
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        names = list(dict.fromkeys(name for row in data for name in row))
        lacking = next((n for row in data for n in names if n not in row), None)
        if lacking is not None:
            raise MotionError(f"some rows have no '{lacking}'")
        return names, [[row[name] for name in names] for row in data]
    if isinstance(data, dict) and all(isinstance(column, list) for column in data.values()):
        if len({len(column) for column in data.values()}) > 1:
            raise MotionError("the lists of the joints differ in length")
        return list(data), list(zip(*data.values(), strict=True))
    raise MotionError("expected an object of lists, a list of objects, or joint_names and points")


def is_trajectory(text: str) -> bool:
    """Whether a text is YAML with the joint names of a trajectory of ROS.

    >>> is_trajectory("header: {}\\njoint_names: [knee]\\npoints: []")
    True
    """
    return _TRAJECTORY.search(text) is not None


def _yaml(text: str) -> tuple[list[str], list[Sequence[Any]]]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = 0
        for event in yaml.parse(text, loader):  # deep nesting would overflow the stack of the C library
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise MotionError(f"lists are nested more than {_DEEPEST} deep")
            if isinstance(event, yaml.DocumentEndEvent):
                break
        data = next(yaml.load_all(text, loader), None)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise MotionError(f"the text is not YAML: {error}") from None
    found = _inner(data)
    if not isinstance(found, dict) or "points" not in found:
        raise MotionError("expected a trajectory with joint_names and points")
    return _points(found)


def _inner(data: object) -> object:
    """The JointTrajectory in a goal, a RobotTrajectory or a DisplayTrajectory of one part."""
    for _ in range(len(_AROUND) + 1):
        if isinstance(data, list) and len(data) == 1:
            data = data[0]
        if not isinstance(data, dict) or "points" in data:
            break
        data = next((data[key] for key in _AROUND if data.get(key)), None)
    return data


def _points(data: dict[str, Any]) -> tuple[list[str], list[Sequence[Any]]]:
    """Parse a ROS trajectory (trajectory_msgs/JointTrajectory)."""
    names, points = data.get("joint_names"), data["points"]
    if not isinstance(names, list) or not isinstance(points, list):
        raise MotionError("joint_names and points must be lists")
    rows: list[Sequence[Any]] = []
    for number, point in enumerate(points):
        if not isinstance(point, dict) or not isinstance(point.get("positions"), list):
            raise MotionError(f"points[{number}] has no list of positions")
        time = point.get("time_from_start", number * _STEP)
        if isinstance(time, dict):
            nanoseconds = time.get("nanosec", time.get("nsecs", 0))
            time = _number(time.get("sec", time.get("secs", 0)), "sec") + 1e-9 * _number(
                nanoseconds, "nsecs"
            )
        rows.append([time, *point["positions"]])
    return ["time", *map(str, names)], rows


def _csv(text: str) -> tuple[list[str], list[Sequence[Any]]]:
    head = text.lstrip("\ufeff").split("\n", 1)[0]
    mark = max(",;\t", key=head.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=mark) if any(row)]
    except csv.Error as error:
        raise MotionError(f"the text is not CSV: {error}") from None
    if not rows:
        raise MotionError("the file has no rows")
    return [name.strip() for name in rows[0]], rows[1:]  # type: ignore[return-value]


def _motion(name: str, names: Sequence[str], rows: Sequence[Sequence[Any]], mechanism: Mechanism) -> Motion:
    if len(rows) * len(names) > _MAX_VALUES:
        raise MotionError(
            f"{len(rows)} rows of {len(names)} numbers are too many: {_MAX_VALUES} is the limit"
        )
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise MotionError(f"row {number} has {counted(len(row), 'value')}; the names are {len(names)}")
    table = np.array(
        [[_number(value, f"row {number}") for value in row] for number, row in enumerate(rows, 1)]
    ).reshape(len(rows), len(names))
    timed = [i for i, column in enumerate(names) if column.lower() in _TIMES]
    times = table[:, timed[0]] if timed else _default_times(len(rows))
    kept = [i for i in range(len(names)) if i not in timed[:1]]
    found = [_column(names[i], mechanism) for i in kept]
    if not found:
        raise MotionError("the file has times, but no joints")
    values = table[:, kept] * [factor for _, factor in found]
    columns = tuple(column for column, _ in found)
    return _checked(Motion(name=name, times=times, columns=columns, values=values, timed=bool(timed)))


def _number(value: Any, where: str) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        # float() also accepts 1_000 and full-width digits.
        good = not isinstance(value, str) or is_plain(value) or parse_float(value)
        out = float(value) if good else math.nan
    except (TypeError, ValueError, OverflowError):
        what = "a list" if isinstance(value, list | dict) else f"{str(value)[:40]!r}"
        raise MotionError(f"{where}: {what} is not a number") from None
    if not math.isfinite(out):
        raise MotionError(f"{where}: {str(value)[:40]} is not a finite number")
    return out


def _column(text: str, mechanism: Mechanism) -> tuple[Column, float]:
    """The joint and the index of the position of a column, and the factor of its unit."""
    sizes = {joint.name: KINDS[joint.kind].nq for joint in mechanism.robot.joints}
    sizes[mechanism.link_names[mechanism.order[0]]] = 7
    try:
        return find_column(text, sizes)
    except ColumnError as error:
        raise MotionError(str(error)) from None


def _checked(motion: Motion) -> Motion:
    times, values = motion.times, motion.values
    if len(times) == 0 or times.shape != (len(values),):
        raise MotionError(
            "the motion has no rows" if len(times) == 0 else "the numbers of times and rows differ"
        )
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise MotionError("a motion must consist of finite numbers")
    if max(np.abs(times).max(), np.abs(values).max(initial=0.0)) > _MAX_FLOAT / 2:
        raise MotionError("the motion has numbers too large to be shown")
    back = np.flatnonzero(np.diff(times) < 0.0)
    if len(back):
        raise MotionError(f"time decreases at row {int(back[0]) + 2}")
    twice = doubled(motion.columns)
    if twice:
        raise MotionError(f"joint {twice[0]!r} has two columns")
    return motion
