"""Which part of a motion a notation can represent: of the others, joints that stay where they begin."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE
from unibody.model.arrays import Floats
from unibody.motions.columns import Column, Quantity, columns_of, numbered, root_link, sizes
from unibody.motions.motion import Motion, MotionError

# Positions (rad, m) that differ by no more than rounding.
_ROUNDED = 1e-9
#: The notations that represent every motion with times.
COMPLETE = "write .csv, .json or .npz, which have numbers for every joint"
#: The notations that represent tracks and rates of some joints, too.
TABLES = "write .csv or .json, which have columns for any number"


def require_positions(motion: Motion) -> None:
    """MotionError if a motion has rates or efforts alone."""
    if not motion.columns:
        raise MotionError(f"{motion.name} has no positions")


def refuse_others(motion: Motion, mechanism: Mechanism, kept: Collection[str], title: str) -> None:
    """MotionError if a joint or base that is not ``kept`` is not at its initial positions in all rows."""
    initial = dict(zip(columns_of(mechanism), np.asarray(mechanism.initial).tolist(), strict=True))
    tracks = {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
    for place, (name, part) in enumerate(motion.columns):
        if name in kept:
            continue
        start = initial.get((name, part))
        if start is None or np.abs(motion.q[:, place] - start).max() > _ROUNDED:
            what = "the base" if name == root_link(mechanism) else f"joint {name!r}"
            others = TABLES if name in tracks else COMPLETE
            raise MotionError(f"{title} cannot represent the motion of {what}; {others}")


def joint_table(motion: Motion, mechanism: Mechanism, quantity: Quantity) -> tuple[Floats, Floats | None]:
    """Numbers (n, ids) in the order of joint ids, and the poses (n, 7) of a base with columns.

    Joints without a column are at their initial positions. MotionError if another joint moves, or the
    motion does not have the quantity.
    """
    title = "a table of joint ids"
    order = numbered(mechanism)
    root = root_link(mechanism)
    by_id = [None if name is None else (name, 0) for name in order]
    base = [(root, part) for part in range(BASE_SIZE)]
    columns = {column: place for place, column in enumerate(motion.columns)}
    single = {name for name, size in sizes(mechanism, "position").items() if size == 1}
    if quantity == "position":
        require_positions(motion)
    refuse_others(motion, mechanism, {root, *(name for name in order if name in single)}, title)
    poses = motion.q[:, [columns[each] for each in base]] if all(each in columns for each in base) else None
    if quantity == "position":
        initial = dict(zip(columns_of(mechanism), np.asarray(mechanism.initial).tolist(), strict=True))
        return _gathered(motion.q, columns, by_id, initial), poses
    values = {
        "velocity": motion.velocities, "acceleration": motion.accelerations, "effort": motion.efforts
    }[quantity]  # fmt: skip
    if values is None:
        raise MotionError(f"{motion.name} has no numbers of the kind {quantity!r}")
    return _gathered(values, {each: i for i, each in enumerate(motion.rates)}, by_id, {}), poses


def _gathered(
    values: Floats, places: dict[Column, int], order: list[Column | None], others: dict[Column, float]
) -> Floats:
    out = np.zeros((len(values), len(order)))
    for at, column in enumerate(order):
        if column in places:
            out[:, at] = values[:, places[column]]
        elif column is not None:
            out[:, at] = others.get(column, 0.0)
    return out
