"""Link poses with the functions of any array library, by the same plan as numpy's ``forward_kinematics``.

A pose is four columns (3, B): the body's X, Y and Z axis and its position in the world. All
constants are Python's numbers, which take the type and stay on the device of the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unibody.mechanism import arrays
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.forward_kinematics import Floats, Orient, Plan, Slide, Step, Turn

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Follower

Columns = Sequence[Array]


def poses(plan: Plan, q: Array) -> Array:
    """Poses of all links, (..., n_links, 4, 4), for q (..., nq)."""
    xp = arrays.namespace(q)
    lead = tuple(q.shape[:-1])
    places = columns(xp, plan, arrays.to_last(xp, arrays.flattened(xp, q, lead, 1)))
    zero = xp.zeros_like(places[0][0][:1, ...])
    ends = (zero, zero, zero, zero + 1.0)
    # One copy of everything, column by column, each with the last row's number below it.
    pieces = [part for place in places for pair in zip(place, ends, strict=True) for part in pair]
    whole = xp.reshape(xp.concat(pieces), (plan.n_links, 4, 4, zero.shape[1]))
    out = xp.permute_dims(whole, (3, 0, 2, 1))
    return xp.reshape(out, (*lead, *out.shape[1:]))


def placed(xp: Namespace, plan: Plan, q: Array) -> list[Array]:
    """The three upper rows of all link poses, (3, 4, B) each, for q (nq, B)."""
    return [xp.stack(place, axis=1) for place in columns(xp, plan, q)]


def columns(xp: Namespace, plan: Plan, q: Array) -> list[Columns]:
    """The four columns of all link poses, for q (nq, B)."""
    turns = _turns(xp, plan, q)
    places: dict[int, Columns] = {plan.n_links: _identity(xp, q)}
    for step in plan.steps:
        places[step.link] = _step(xp, step, places[step.parent], (q, *turns))
    return [places[link] for link in range(plan.n_links)]


def followed(followers: Sequence[Follower], q: Array) -> Array:
    """q (..., nq) with every coupled entry where its leader puts it."""
    xp = arrays.namespace(q)
    entries = [q[..., i] for i in range(q.shape[-1])]
    for follower in followers:
        none = xp.zeros_like(entries[follower.entry])
        lead = none if follower.leader is None else entries[follower.leader]
        entries[follower.entry] = follower.ratio * lead + follower.offset
    return xp.stack(entries, axis=-1) if entries else q


def rotation(quaternion: Array) -> list[list[Array]]:
    """Rows of the rotation matrix of quaternions (4, B), which are normalised first."""
    w, x, y, z = (quaternion[i, ...] for i in range(4))
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    wx, wy, wz = scale * w * x, scale * w * y, scale * w * z
    xx, xy, xz = scale * x * x, scale * x * y, scale * x * z
    yy, yz, zz = scale * y * y, scale * y * z, scale * z * z
    return [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]


def _identity(xp: Namespace, q: Array) -> Columns:
    unit = arrays.like(xp, [[[float(i == k)] for i in range(3)] for k in range(4)], q)
    whole = xp.broadcast_to(unit, (4, 3, q.shape[1]))
    return [whole[k, ...] for k in range(4)]


def _turns(xp: Namespace, plan: Plan, q: Array) -> tuple[Array, Array]:
    """Cosine and sine of all angles, (n, B)."""
    angles = xp.take(q, arrays.indices(xp, plan.angles, q), axis=0)
    angles = angles * arrays.like(xp, 2.0 * plan.halves, q)
    return xp.cos(angles), xp.sin(angles)


def _step(xp: Namespace, step: Step, parent: Columns, given: tuple[Array, Array, Array]) -> Columns:
    if step.before is None:
        shift = _sum(parent, step.shift)
        columns = [*parent[:3], parent[3] if shift is None else shift]
    else:
        columns = _mixed(xp, parent, step.before)
    q, cosines, sines = given
    for motion in step.motions:
        match motion:
            case Turn(axis, slot):
                first, second = (axis + 1) % 3, (axis + 2) % 3
                x, y, c, s = columns[first], columns[second], cosines[slot, :], sines[slot, :]
                columns[first], columns[second] = c * x + s * y, c * y - s * x
            case Slide(axis, entry, sign):
                columns[3] = columns[3] + sign * q[entry, :] * columns[axis]
            case Orient(entry):
                rows = rotation(q[entry : entry + 4, :])
                turned = [sum(columns[i] * rows[i][k] for i in range(3)) for k in range(3)]
                columns = [*turned, columns[3]]
    return columns if step.after is None else _mixed(xp, columns, step.after)


def _mixed(xp: Namespace, columns: Columns, weights: Floats) -> list[Array]:
    """The columns that each row of weights mixes from the given ones."""
    made = (_sum(columns, row) for row in weights)
    return [xp.zeros_like(columns[0]) if column is None else column for column in made]


def _sum(columns: Columns, weights: Floats) -> Array | None:
    total = None
    for column, weight in zip(columns, weights.tolist(), strict=True):
        if weight:
            part = column if weight == 1.0 else weight * column
            total = part if total is None else total + part
    return total
