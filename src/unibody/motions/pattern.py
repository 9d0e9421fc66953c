"""The patterns of OpenHRP: in each line the time and a number for each joint id, without a header."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from unibody.files.access import FileError
from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats
from unibody.motions.columns import Column, Quantity, numbered, root_link
from unibody.motions.motion import Motion
from unibody.motions.notation import MotionFile, Written
from unibody.motions.representable import joint_table
from unibody.motions.table import numbers, spaced_rows
from unibody.text.decode import decode
from unibody.text.finding import TextError
from unibody.text.number import format_float
from unibody.text.source import Source, Span

#: The suffixes of the files that command joints, and what their numbers are.
PATTERNS: dict[str, Quantity] = {".pos": "position", ".vel": "velocity", ".torque": "effort"}
#: Other files of a pattern, which command no joint.
REFERENCES = {
    ".acc": "accelerations",
    ".hip": "orientations of the base",
    ".rpy": "orientations of the base",
    ".waist": "poses of the base",
    ".zmp": "zero moment points",
    ".gait": "phases of the gait",
    ".wrenches": "wrenches",
    ".optionaldata": "further data",
}
_WAIST = ".waist"


def is_pattern(file: MotionFile) -> bool:
    """Whether the suffix is that of a file of a pattern."""
    return file.suffix in PATTERNS or file.suffix in REFERENCES


def read_pattern(file: MotionFile) -> Motion | None:
    """Read the numbers of the joint ids; a ``.waist`` file beside them has the poses of the base."""
    findings, source = file.findings, file.source
    if file.suffix in REFERENCES:
        message = f"{file.path} holds {REFERENCES[file.suffix]}, which command no joint"
        hint = f"give one of {', '.join(PATTERNS)}"
        findings.error("control-format", message, None, hint, subject=file.path)
        return None
    order = numbered(file.mechanism)
    rows = spaced_rows(source)
    first = next(rows, None)
    if first is None:
        hint = "write the time and one number for each joint id in each line"
        findings.error("control-columns", f"{source.name} has no rows", Span(source, 0, 0), hint)
        return None
    if len(first.words) != len(order) + 1:
        findings.error(
            "control-columns",
            f"the line has {len(first.words)} numbers; expected {len(order) + 1}: the time, and one for "
            f"each of the joint ids 0 to {len(order) - 1} of the robot",
            first.span(source, None),
            "use a pattern made for this robot, or a CSV file, whose header names the joints",
        )
        return None
    table = numbers(source, chain([first], rows), len(order) + 1, 0, findings)
    if table is None:
        return None
    motion = of_joint_ids(
        file.mechanism, table[:, 0], table[:, 1:], file.quantity or PATTERNS[file.suffix], file.name
    )
    beside = file.beside(_WAIST)
    if not file.files.exists(beside):
        return motion
    try:
        waist = decode(file.files.read(beside), beside, findings, file.files.meter)
    except (FileError, TextError) as error:
        findings.append(error.finding)
        return None
    base = _read_waist(waist, table[:, 0], file)
    if base is None:
        return None
    return with_base(motion, base, file.mechanism) if has_free_base(file, None) else motion


def _read_waist(source: Source, times: Floats, file: MotionFile) -> Floats | None:
    """The poses (k, 7) of the base at times; lines have the time, x, y, z (m), roll, pitch, yaw (rad)."""
    layout = "write the time, x, y and z in m, and roll, pitch and yaw in rad in each line"
    table = numbers(source, spaced_rows(source), 7, 0, file.findings, layout=layout)
    if table is None:
        return None
    at = [np.interp(times, table[:, 0], table[:, i]) for i in range(1, 7)]
    return np.column_stack([*at[:3], *quaternions_of(*at[3:])])


def write_pattern(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """The numbers of the joint ids, and for a free base its poses as ``.waist``."""
    assert motion.times is not None
    values, base = joint_table(motion, mechanism, PATTERNS[suffix])
    out = {suffix: _lines(np.column_stack([motion.times, values]))}
    if base is not None:
        rows = np.column_stack([motion.times, base[:, :3], angles_of(base[:, 3:])])
        out[_WAIST] = _lines(rows)
    return out


def _lines(rows: Floats) -> bytes:
    return "".join(" ".join(map(format_float, row)) + "\n" for row in rows.tolist()).encode()


def of_joint_ids(
    mechanism: Mechanism, times: Floats, values: Floats, quantity: Quantity, name: str
) -> Motion:
    """The motion of a table (k, ids) of the joints in the order of their ids."""
    order = numbered(mechanism)
    kept = [i for i, joint in enumerate(order) if joint is not None]
    columns = tuple((str(order[i]), 0) for i in kept)
    numbers = values[:, kept]
    if quantity == "position":
        return Motion(name=name, times=times, columns=columns, q=numbers)
    word = {"velocity": "velocities", "acceleration": "accelerations", "effort": "efforts"}[quantity]
    given: dict[str, Any] = {word: numbers}
    return Motion(name=name, times=times, columns=(), q=np.zeros((len(times), 0)), rates=columns, **given)


def with_base(motion: Motion, base: Floats, mechanism: Mechanism) -> Motion:
    """The motion with the poses (k, 7) of the base."""
    root: tuple[Column, ...] = tuple((root_link(mechanism), part) for part in range(7))
    return replace(
        motion,
        columns=(*root, *motion.columns),
        q=np.column_stack([base, motion.q]),
        rates=motion.rates,
    )


def has_free_base(file: MotionFile, at: Span | None) -> bool:
    """Whether the robot's base follows poses; if not, a note says that they are ignored."""
    if file.mechanism.base == "free":
        return True
    message = f"the poses of the base in {file.name} are ignored: the robot's base is not free"
    file.findings.info("control-ignored", message, at)
    return False


def quaternions_of(roll: Floats, pitch: Floats, yaw: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """w, x, y, z of rotations about X, then Y, then Z (fixed axes)."""
    (a, b, c), (u, v, w) = ([f(0.5 * x) for x in (roll, pitch, yaw)] for f in (np.cos, np.sin))
    return (
        a * b * c + u * v * w,
        u * b * c - a * v * w,
        a * v * c + u * b * w,
        a * b * w - u * v * c,
    )


def angles_of(quaternions: Floats) -> Floats:
    """Roll, pitch and yaw (k, 3) of quaternions (k, 4), without jumps of whole turns between rows.

    >>> angles_of(np.column_stack(quaternions_of(*np.array([[0.1], [0.2], [-3.0]])))).round(12)
    array([[ 0.1,  0.2, -3. ]])
    """
    w, x, y, z = quaternions.T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return np.column_stack([np.unwrap(roll), pitch, np.unwrap(yaw)])
