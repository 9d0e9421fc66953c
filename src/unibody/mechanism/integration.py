"""Integration of velocities, and differences of configurations, which are not a vector space.

A free base or joint moves by the exponential map of SE(3), a ball joint by that of SO(3),
both with velocities in the frame that moves; all other entries add up. Arrays have the
component first here, quaternions are w, x, y, z.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import numpy as np

from unibody.mechanism import arrays, spatial
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.forward_kinematics import rotation
from unibody.mechanism.tree import Tree
from unibody.model.joint_kind import KINDS

Kind = Literal["line", "ball", "free"]
Part = tuple[Kind, slice, slice]
Rule = Callable[[Namespace, Array, Array], Array]

# Below these squares (of an angle; of the sine of half of it) series give more digits, and slopes.
_SMALL_ANGLE, _SMALL_SINE = 1e-2, 1e-4


def integrate(tree: Tree, q: Array, v: Array) -> Array:
    """Configuration (..., nq) after one second of motion from q at v (..., nv)."""
    rules: Mapping[Kind, Rule] = {"line": lambda _, here, by: here + by, "ball": turned_by, "free": _move}
    return _applied(rules, list(_parts(tree)), q, v)


def q_dot(tree: Tree, q: Array, v: Array) -> Array:
    """Time derivative (..., nq) of q at v (..., nv)."""
    rules: Mapping[Kind, Rule] = {
        "line": lambda xp, here, by: xp.zeros_like(here) + by,
        "ball": _spin,
        "free": _drift,
    }
    return _applied(rules, list(_parts(tree)), q, v)


def difference(tree: Tree, start: Array, end: Array) -> Array:
    """The v (..., nv) that takes start to end (..., nq) in one second, turning by at most π."""
    rules: Mapping[Kind, Rule] = {
        "line": lambda _, a, b: b - a,
        "ball": turn_between,
        "free": _move_between,
    }
    return _applied(rules, [(kind, place, place) for kind, place, _ in _parts(tree)], start, end)


def _parts(tree: Tree) -> Iterator[Part]:
    """Slices of q and v that belong together: a run of entries that add up, or one ball or free joint."""
    at = speed = first = first_speed = 0
    for kind in ["free" if tree.free_base else "fixed", *tree.kinds]:
        size, speeds = KINDS[kind].nq, KINDS[kind].nv
        if KINDS[kind].has_quaternion:
            if at > first:
                yield "line", slice(first, at), slice(first_speed, speed)
            name: Kind = "ball" if kind == "ball" else "free"
            yield name, slice(at, at + size), slice(speed, speed + speeds)
            first, first_speed = at + size, speed + speeds
        at, speed = at + size, speed + speeds
    if at > first or not tree.nq:
        yield "line", slice(first, at), slice(first_speed, speed)


def _applied(rules: Mapping[Kind, Rule], parts: list[Part], first: Array, second: Array) -> Array:
    xp = arrays.namespace(first, second)
    lead = arrays.leading([first.shape[:-1], second.shape[:-1]])
    one, two = (arrays.to_first(xp, xp.broadcast_to(x, (*lead, x.shape[-1]))) for x in (first, second))
    with np.errstate(all="ignore"):
        made = [rules[kind](xp, one[a, ...], two[b, ...]) for kind, a, b in parts]
    return arrays.to_last(xp, made[0] if len(made) == 1 else xp.concat(made))


def turned_by(xp: Namespace, quaternion: Array, by: Array) -> Array:
    """The quaternion (4, ...) after a turn (3, ...), axis times angle, in the frame that turns."""
    return _times(xp, _unit(xp, quaternion), exponential(xp, by))


def _spin(xp: Namespace, quaternion: Array, by: Array) -> Array:
    return 0.5 * _times(xp, quaternion, xp.concat([xp.zeros_like(by[:1, ...]), by]))


def turn_between(xp: Namespace, start: Array, end: Array) -> Array:
    """The turn (3, ...) by π at most from one quaternion (4, ...) to another, in the frame of the first."""
    return logarithm(xp, _times(xp, _conjugate(xp, _unit(xp, start)), _unit(xp, end)))


def _move(xp: Namespace, pose: Array, by: Array) -> Array:
    """Along the screw: the translation turns while it goes on."""
    shift, turn = by[:3, ...], by[3:, ...]
    square = spatial.dot(turn, turn)
    small, angle = _angle(xp, square)
    half = xp.sin(0.5 * angle)
    once = xp.where(
        small, _series(square, (2, -24, 720, -40320, 3628800)), 2.0 * half * half / (angle * angle)
    )
    twice = (angle - xp.sin(angle)) / (angle * angle * angle)
    twice = xp.where(small, _series(square, (6, -120, 5040, -362880, 39916800)), twice)
    across = spatial.cross(xp, turn, shift)
    along = shift + once * across + twice * spatial.cross(xp, turn, across)
    return xp.concat(
        [pose[:3, ...] + _turned(xp, pose[3:, ...], along), turned_by(xp, pose[3:, ...], turn)]
    )


def _drift(xp: Namespace, pose: Array, by: Array) -> Array:
    quaternion = pose[3:, ...]
    return xp.concat([_turned(xp, quaternion, by[:3, ...]), _spin(xp, quaternion, by[3:, ...])])


def _move_between(xp: Namespace, start: Array, end: Array) -> Array:
    turn = turn_between(xp, start[3:, ...], end[3:, ...])
    along = _turned(xp, _conjugate(xp, start[3:, ...]), end[:3, ...] - start[:3, ...])
    square = spatial.dot(turn, turn)
    small, angle = _angle(xp, square)
    cotangent = 0.5 * angle * xp.cos(0.5 * angle) / xp.sin(0.5 * angle)
    series = _series(square, (12, 720, 30240, 1209600, 47900160))
    twice = xp.where(small, series, (1.0 - cotangent) / (angle * angle))
    across = spatial.cross(xp, turn, along)
    return xp.concat([along - 0.5 * across + twice * spatial.cross(xp, turn, across), turn])


def exponential(xp: Namespace, turn: Array) -> Array:
    """The quaternion of a turn given as axis times angle, (3, ...)."""
    square = spatial.dot(turn, turn)
    small, angle = _angle(xp, square)
    cosine = xp.where(small, _series(square, (1, -8, 384, -46080, 10321920)), xp.cos(0.5 * angle))
    sine = xp.where(small, _series(square, (2, -48, 3840, -645120, 185794560)), xp.sin(0.5 * angle) / angle)
    return xp.concat([cosine[None, ...], sine * turn])


def logarithm(xp: Namespace, quaternion: Array) -> Array:
    """The turn, axis times angle, of a unit quaternion (4, ...); the angle is at most π."""
    w, axis = quaternion[0, ...], quaternion[1:, ...]
    square = spatial.dot(axis, axis)
    small = square < _SMALL_SINE
    sine = xp.sqrt(xp.where(small, xp.ones_like(square), square))
    ratio = xp.where(small, _arcsine(square), xp.atan2(sine, xp.abs(w)) / sine)
    return xp.where(w < 0.0, -2.0 * ratio, 2.0 * ratio) * axis


def _angle(xp: Namespace, square: Array) -> tuple[Array, Array]:
    """Where an angle is small, and the angle; 1 where it is small, so that its slope stays finite."""
    small = square < _SMALL_ANGLE
    return small, xp.sqrt(xp.where(small, xp.ones_like(square), square))


def _series(x: Array, divisors: tuple[int, ...]) -> Array:
    """Σ xⁿ / divisor n."""
    total = 0.0 * x + 1.0 / divisors[-1]
    for divisor in divisors[-2::-1]:
        total = total * x + 1.0 / divisor
    return total


def _arcsine(square: Array) -> Array:
    """asin(s) / s for s² below ``_SMALL_SINE``."""
    return 1.0 + square * (1 / 6 + square * (3 / 40 + square * (15 / 336 + square * (35 / 1152))))


def _unit(xp: Namespace, quaternion: Array) -> Array:
    return quaternion / xp.sqrt(xp.sum(quaternion * quaternion, axis=0))


def _conjugate(xp: Namespace, quaternion: Array) -> Array:
    return xp.concat([quaternion[:1, ...], -quaternion[1:, ...]])


def _times(xp: Namespace, a: Array, b: Array) -> Array:
    """Hamilton product."""
    v, w = a[1:, ...], b[1:, ...]
    real = a[0, ...] * b[0, ...] - spatial.dot(v, w)
    return xp.concat([real[None, ...], a[:1, ...] * w + b[:1, ...] * v + spatial.cross(xp, v, w)])


def _turned(xp: Namespace, quaternion: Array, vector: Array) -> Array:
    rows = rotation(quaternion)
    return xp.stack([sum(row[i] * vector[i, ...] for i in range(3)) for row in rows])
