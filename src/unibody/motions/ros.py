"""Trajectories of ROS (trajectory_msgs/JointTrajectory), as YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE
from unibody.model.arrays import Floats
from unibody.motions.columns import Column, ColumnError, doubled, find_column, root_link, sizes
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notation import NUMBER, SORT, MotionFile, Written, count_numbers, is_number
from unibody.motions.representable import TABLES, refuse_others, require_positions
from unibody.motions.table import json_number
from unibody.text.counted import counted
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.json import parser as json_parser
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float
from unibody.text.source import Source, Span

_TRAJECTORY = re.compile(r"""(?m:^[ \t]*|[{,]\s*)['"]?joint_names['"]?[ \t]*:""")
#: What messages of ROS have a trajectory in: goals of actions, MoveIt's RobotTrajectory, DisplayTrajectory.
_AROUND = ("goal", "trajectory", "joint_trajectory")
_TITLE = "a JointTrajectory"
_FORM = "write joint_names and points, each with positions and time_from_start"
_TIME = "time_from_start"
_YAML = (".yaml", ".yml")
# Levels of lists and mappings at most: a trajectory in a message has eight.
_DEEPEST = 50

Path: TypeAlias = tuple[str | int, ...]


def is_trajectory(file: MotionFile) -> bool:
    """Whether a text has the joint names of a trajectory."""
    return "joint_names" in file.source.text and _TRAJECTORY.search(file.source.text) is not None


def read_trajectory(file: MotionFile) -> Motion | None:
    """Read a trajectory, alone or in a goal, a RobotTrajectory or a DisplayTrajectory of one part."""
    return _Reader(file).motion()


class _Wrong(Exception):
    """A fault of a trajectory, at a path of keys and indices."""

    def __init__(self, code: str, message: str, path: Path, hint: str) -> None:
        super().__init__(message)
        self.code, self.path, self.hint = code, path, hint


class _Reader:
    """Reads a trajectory as plain data; places are those of its YAML tree."""

    def __init__(self, file: MotionFile) -> None:
        self._file = file
        self._tree: Value | None = None

    def motion(self) -> Motion | None:
        """The motion; None with findings."""
        file, findings = self._file, self._file.findings
        if file.begin in ("{", "[") and file.suffix not in _YAML:
            good, data = json_parser.loads(file.source, findings)
            if not good:
                return None
        else:
            from unibody.text.yaml import parser

            self._tree = parser.parse(file.source, findings)
            data = _plain(self._tree, file.source)
        try:
            return self._trajectory(*_inner(data))
        except _Wrong as wrong:
            findings.error(wrong.code, str(wrong), self._place(wrong.path), wrong.hint)
            return None

    def _place(self, path: Path) -> Span:
        source = self._file.source
        tree = self._tree
        if tree is None:  # JSON is YAML, too
            from unibody.text.yaml import parser

            try:
                tree = parser.parse(Source(source.name, source.text), Findings())
            except TextError:
                return Span(source, 0, 1)
        value, place = tree, Span(source, 0, 1)
        for key in path:
            inner: Value | None
            if isinstance(value, Numbers):
                words = value.places()
                inner = words[key] if isinstance(key, int) and key < len(words) else None
            elif isinstance(value, Row):
                inner = value.values[key] if isinstance(key, int) and key < len(value) else None
            else:
                inner = value.get(str(key)) if isinstance(value, Node) else None
            if inner is None:
                break
            value = inner
            start = max(value.start, 0)
            place = Span(source, start, start + max(1, len(source.text[start : value.end].split("\n")[0])))
        return place

    def _trajectory(self, data: Any, at: Path) -> Motion:
        if not isinstance(data, dict) or "points" not in data:
            raise _Wrong("control-format", "not a trajectory: expected joint_names and points", at, _FORM)
        names: Any = data.get("joint_names")
        points: Any = data["points"]
        if isinstance(names, Numbers):
            names = names.words()
        if not isinstance(names, list) or not isinstance(points, list):
            raise _Wrong("control-format", "joint_names and points must be lists", at, _FORM)
        if not len(points):
            raise _Wrong("control-columns", "the trajectory has no points", (*at, "points"), _FORM)
        if not len(names):
            raise _Wrong("control-columns", "joint_names has no joints", (*at, "joint_names"), _FORM)
        found = [self._column(str(name), (*at, "joint_names", i)) for i, name in enumerate(names)]
        columns = [column for column, _ in found]
        count_numbers(self._file.source, len(points) * len(columns))
        arrays = {
            "positions": self._numbers(points, "positions", names, at),
            "velocities": self._numbers(points, "velocities", names, at),
            "accelerations": self._numbers(points, "accelerations", names, at),
            "effort": self._numbers(points, "effort", names, at),
        }
        twice = doubled(tuple(columns))
        if twice is not None:
            raise _Wrong("control-columns", f"joint {twice[0]!r} has two columns", at, "remove one of them")
        factors = np.array([factor for _, factor in found])
        positions, velocities, accelerations = (
            None if each is None else each * factors
            for each in (arrays["positions"], arrays["velocities"], arrays["accelerations"])
        )
        assert positions is not None
        return Motion(
            name=self._file.name,
            columns=tuple(columns),
            q=positions,
            times=self._times(points, (*at, "points")),
            velocities=velocities,
            accelerations=accelerations,
            efforts=arrays["effort"],
        )

    def _column(self, name: str, at: Path) -> tuple[Column, float]:
        mechanism = self._file.mechanism
        try:
            return find_column(name, {root_link(mechanism): BASE_SIZE, **sizes(mechanism, "position")})
        except ColumnError as error:
            raise _Wrong("control-columns", str(error), at, "use a trajectory of this robot") from None

    def _numbers(self, points: Sequence[Any], key: str, names: Sequence[Any], at: Path) -> Floats | None:
        """The numbers (n, joints) of all points; None unless each point has a list, reported if any has."""
        rows: list[Floats] = []
        without: list[int] = []
        for number, point in enumerate(points):
            here = (*at, "points", number, key)
            if not isinstance(point, dict):
                raise _Wrong("control-format", f"points[{number}] must be a mapping", here, _FORM)
            values: Any = point.get(key)
            if not _is_list(values) or not len(values):
                without.append(number)
                if key != "positions":
                    continue
                raise _Wrong("control-columns", f"points[{number}] has no list of positions", here, _FORM)
            if len(values) != len(names):
                message = (
                    f"points[{number}] has {counted(len(values), 'number')} of {key}; expected {len(names)}"
                )
                raise _Wrong("control-columns", message, here, "write one number for each joint name")
            rows.append(self._row(values, here))
        if without and rows:
            self._file.findings.info(
                "control-ignored",
                f"{key} ignored: points[{without[0]}] has none",
                self._place((*at, "points", without[0])),
                subject=self._file.path,
            )
        return None if without else np.array(rows)

    def _row(self, values: Any, at: Path) -> Floats:
        if isinstance(values, Numbers):
            try:
                row = values.array()
                if len(row) == len(values) and is_number(float(np.abs(row).max(initial=0.0))):
                    return row
            except ValueError:
                pass
            values = values.words()
        return np.array([self._number(value, (*at, i)) for i, value in enumerate(values)])

    def _number(self, value: Any, at: Path) -> float:
        out = json_number(value)
        if out is None or not is_number(out):
            shown = "a list" if isinstance(value, list | dict) else repr(str(value)[:40])
            raise _Wrong("control-number", f"expected a finite number, got {shown}", at, NUMBER)
        return out

    def _times(self, points: Sequence[Any], at: Path) -> Floats | None:
        """The times (n,) in s; None if no point has one."""
        if not any(_TIME in point for point in points):
            return None
        out = np.zeros(len(points))
        for number, point in enumerate(points):
            here = (*at, number)
            if _TIME not in point:
                message = f"points[{number}] has no {_TIME}"
                raise _Wrong("control-time", message, here, "write it for each point")
            given, here = point[_TIME], (*here, _TIME)
            if isinstance(given, dict):
                whole = next((given[key] for key in ("sec", "secs") if key in given), 0)
                rest = next((given[key] for key in ("nanosec", "nsecs") if key in given), 0)
                out[number] = self._number(whole, here) + 1e-9 * self._number(rest, here)
            else:
                out[number] = self._number(given, here)
            if number and out[number] < out[number - 1]:
                times = " s comes after ".join(format_float(float(t)) for t in out[[number, number - 1]])
                raise _Wrong("control-time", f"time {times} s", here, SORT)
        return out


def _is_list(value: Any) -> bool:
    return isinstance(value, list | Numbers)


def _inner(data: Any) -> tuple[Any, Path]:
    """The trajectory in a message of ROS, and its path."""
    path: Path = ()
    for _ in range(len(_AROUND) + 1):
        if isinstance(data, list) and len(data) == 1:
            data, path = data[0], (*path, 0)
        if not isinstance(data, dict) or "points" in data:
            break
        key = next((key for key in _AROUND if data.get(key)), None)
        if key is None:
            break
        data, path = data[key], (*path, key)
    return data, path


def _plain(value: Value, source: Source, level: int = 0) -> Any:
    """A YAML value as mappings, lists and words; lists of numbers stay what they are."""
    if level > _DEEPEST:
        start = max(getattr(value, "start", 0), 0)
        message = f"a trajectory must not be nested more than {_DEEPEST} levels deep"
        raise TextError(Finding("control-format", "error", message, Span(source, start, start + 1), _FORM))
    if isinstance(value, Node):
        return {key: _plain(inner, source, level + 1) for key, inner, _ in value.items}
    if isinstance(value, Row):
        return [_plain(inner, source, level + 1) for inner in value.values]
    return value.text if isinstance(value, Word) else value


# --- writing ----------------------------------------------------------------------------


def write_trajectory(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """A trajectory of the joints with one position, as YAML, or as JSON, which is YAML, too."""
    assert motion.times is not None
    require_positions(motion)
    joints = {name for name, size in sizes(mechanism, "position").items() if size == 1}
    joints -= {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
    refuse_others(motion, mechanism, joints, _TITLE)
    at_q = [i for i, (name, _) in enumerate(motion.columns) if name in joints]
    names = [motion.columns[i][0] for i in at_q]
    rates = {column: place for place, column in enumerate(motion.rates)}
    tables = [("positions", motion.q[:, at_q])]
    at_v = [rates.get((name, 0), -1) for name in names]
    for word, values in (
        ("velocities", motion.velocities),
        ("accelerations", motion.accelerations),
        ("effort", motion.efforts),
    ):
        if values is not None:
            if -1 in at_v:
                name = names[at_v.index(-1)]
                raise MotionError(f"{_TITLE} needs {word} of joint {name!r}, too; {TABLES}")
            tables.append((word, values[:, at_v]))
    lines = ["header:", "  stamp: {sec: 0, nanosec: 0}", "  frame_id: ''", "joint_names:"]
    lines += [f"- {quoted(name)}" for name in names]
    lines.append("points:")
    whole = np.round(motion.times * 1e9).astype(np.int64)
    # times must grow: of rows within one nanosecond the first stays, and the last of all
    kept = np.flatnonzero(np.diff(whole, prepend=whole[0] - 1) > 0)
    kept[-1] = len(whole) - 1
    rows = [(word, values[kept].tolist()) for word, values in tables]
    for number, time in enumerate(whole[kept].tolist()):
        for first, (word, values) in zip(("- ", *("  ",) * len(rows)), rows, strict=False):
            lines.append(f"{first}{word}: [{', '.join(map(_scalar, values[number]))}]")
        lines.append(f"  {_TIME}: {{sec: {time // 10**9}, nanosec: {time % 10**9}}}")
    return {suffix: ("\n".join(lines) + "\n").encode()}


def _scalar(value: float) -> str:
    """A number as YAML, whose version 1.1 takes one without a point for text.

    >>> _scalar(0.5), _scalar(1e-07), _scalar(-2e+16)
    ('0.5', '1.0e-07', '-2.0e+16')
    """
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def quoted(name: str) -> str:
    """A name as a YAML scalar in single quotes.

    >>> quoted("joint 1"), quoted("it's")
    ("'joint 1'", "'it''s'")
    """
    return "'" + name.replace("'", "''") + "'"
