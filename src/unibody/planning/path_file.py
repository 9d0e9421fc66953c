"""Paths as files: MPK's plans, tables of joint positions, and trajectories of ROS."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from os import PathLike, fspath

import numpy as np

from unibody.files.access import write_atomic
from unibody.formats.mpk.plan import format_plan
from unibody.mechanism.arrays import Floats
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE
from unibody.model.joint_kind import KINDS

#: Suffixes of paths, and of trajectories.
PATH_SUFFIXES = (".pln", ".csv")


def write_path(
    path: Floats, file: str | PathLike[str], mechanism: Mechanism, overwrite: bool = False
) -> None:
    """Write configurations (n, nq) as MPK's ``.pln`` or as ``.csv``; ValueError for another suffix."""
    suffix = os.path.splitext(fspath(file))[1].lower()
    if suffix not in PATH_SUFFIXES:
        raise ValueError(f"{fspath(file)}: a path is written as {' or '.join(PATH_SUFFIXES)}")
    put(packed_path(path, suffix, mechanism), file, overwrite)


def packed_path(path: Floats, suffix: str, mechanism: Mechanism) -> bytes:
    """Configurations (n, nq) as the bytes of a file with one of PATH_SUFFIXES."""
    if suffix == ".pln":
        return format_plan(mechanism.normalized_space.from_joints(path)).encode()
    return packed_table(column_names(mechanism), path)


def packed_table(names: Sequence[str], values: Floats) -> bytes:
    """A table (n, columns) as CSV, with all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([[repr(float(value)) for value in row] for row in values])
    return out.getvalue().encode()


def put(data: bytes, file: str | PathLike[str], overwrite: bool) -> None:
    """Write a file atomically; FileExistsError, with the remedy, if it exists."""
    try:
        write_atomic(fspath(file), data, overwrite)
    except FileExistsError:
        raise FileExistsError(f"{fspath(file)} exists; pass overwrite=True to replace it") from None


def column_names(mechanism: Mechanism) -> list[str]:
    """The names of the entries of q: ``knee``, ``wrist.0`` where a joint has several."""
    root = [(mechanism.link_names[mechanism.order[0]], BASE_SIZE)] if mechanism.base == "free" else []
    sizes = [*root, *((joint.name, KINDS[joint.kind].nq) for joint in mechanism.robot.joints)]
    return [name if size == 1 else f"{name}.{part}" for name, size in sizes for part in range(size)]


def joint_columns(mechanism: Mechanism) -> tuple[list[str], list[int]]:
    """Names and places in q of the joints with one position, as ROS has them."""
    pairs = [
        (joint.name, int(at))
        for joint, at in zip(mechanism.robot.joints, mechanism.idx_q, strict=True)
        if KINDS[joint.kind].nq == 1
    ]
    return [name for name, _ in pairs], [at for _, at in pairs]


def trajectory_yaml(mechanism: Mechanism, times: Floats, q: Floats, v: Floats, a: Floats) -> bytes:
    """A ``trajectory_msgs/JointTrajectory`` as YAML, of the joints with one position.

    ``q`` (k, nq), ``v`` and ``a`` (k, nv) at ``times`` (k,) in s from the start.
    """
    names, at_q = joint_columns(mechanism)
    starts = dict(zip(mechanism.joint_names, mechanism.idx_v.tolist(), strict=True))
    at_v = [starts[name] for name in names]
    lines = ["header:", "  stamp: {sec: 0, nanosec: 0}", "  frame_id: ''", "joint_names:"]
    lines += [f"- {quoted(name)}" for name in names]
    lines.append("points:")
    whole = np.round(times * 1e9).astype(np.int64)
    # times must grow: of rows within one nanosecond the first stays, and the last of all
    kept = np.flatnonzero(np.diff(whole, prepend=-1) > 0)
    kept[-1] = len(whole) - 1
    for row, time in zip(kept.tolist(), whole[kept].tolist(), strict=True):
        for first, word, values in (
            ("- ", "positions", q[row, at_q]),
            ("  ", "velocities", v[row, at_v]),
            ("  ", "accelerations", a[row, at_v]),
        ):
            lines.append(f"{first}{word}: [{', '.join(map(_scalar, values.tolist()))}]")
        lines.append(f"  time_from_start: {{sec: {time // 10**9}, nanosec: {time % 10**9}}}")
    return ("\n".join(lines) + "\n").encode()


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
