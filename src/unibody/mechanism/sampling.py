"""Samples of configurations, and how far links travel between two of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.model.robot import JOINT_SIZE

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism
    from unibody.mechanism.normalized_space import NormalizedSpace

Floats = NDArray[np.float64]
Method = Literal["uniform", "halton"]


def uniform(mechanism: Mechanism, generator: np.random.Generator, like: Floats) -> Floats:
    """Random configurations (B, nq) within the limits.

    A turning joint without limits goes all the way round, quaternions are uniform; a sliding joint or a
    place without bounds stays as in ``like`` (B, nq).
    """
    q = like.copy()
    for number, joint in enumerate(mechanism.robot.joints):
        at, size = int(mechanism.idx_q[number]), JOINT_SIZE[joint.kind]
        if size == 1:
            low, high = _range(joint.kind, mechanism.lower[at], mechanism.upper[at])
            if math.isfinite(low) and math.isfinite(high):
                q[:, at] = generator.uniform(low, high, len(q))
        elif size in (4, 7):
            q[:, at + size - 4 : at + size] = _quaternions(generator, len(q))
        elif joint.kind == "planar":
            q[:, at + 2] = generator.uniform(-math.pi, math.pi, len(q))
    if mechanism.base == "free":
        q[:, 3:7] = _quaternions(generator, len(q))
    return q


def _range(kind: str, low: float, high: float) -> tuple[float, float]:
    if low > high:
        low, high = -math.inf, math.inf
    if kind != "revolute":
        return low, high
    if math.isinf(low) and math.isinf(high):
        return -math.pi, math.pi
    if math.isinf(low):
        return high - 2.0 * math.pi, high
    return low, min(high, low + 2.0 * math.pi) if math.isinf(high) else high


def _quaternions(generator: np.random.Generator, count: int) -> Floats:
    four = generator.normal(size=(count, 4))
    return np.asarray(four / np.linalg.norm(four, axis=1)[:, None])


def sample(space: NormalizedSpace, count: int, method: Method, seed: int, skip: int = 0) -> Floats:
    """Normalized vectors t (count, n); frozen coordinates stay at their default.

    "uniform" is random, the same for the same seed; "halton" is the sequence of that name, which fills
    the space evenly, from its term ``skip`` + 1 on, shifted by the seed (0: not at all).
    """
    if method not in ("uniform", "halton"):
        raise ValueError(f"method is {method!r}; expected 'uniform' or 'halton'")
    generator = np.random.default_rng([seed, skip] if method == "uniform" else seed)
    if method == "uniform":
        t = generator.random((count, space.n))
    else:
        shift = generator.random(space.n) if seed else np.zeros(space.n)
        terms = np.arange(skip + 1, skip + count + 1)
        columns = [_radical_inverse(terms, prime) for prime in _primes(space.n)]
        t = (np.stack(columns, axis=1) if columns else np.zeros((count, 0))) + shift
        t -= np.floor(t)
    return np.asarray(np.where(space.frozen, space.default, t))


def _radical_inverse(terms: NDArray[np.int64], base: int) -> Floats:
    """The digits of each number in that base, mirrored at the point."""
    out, left, place = np.zeros(len(terms)), terms.copy(), 1.0 / base
    while left.any():
        out += place * (left % base)
        left //= base
        place /= base
    return out


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % p for p in found if p * p <= number):
            found.append(number)
        number += 1
    return found


def travel(mechanism: Mechanism, a: ArrayLike, b: ArrayLike, radii: ArrayLike) -> Floats:
    """Upper bounds (..., n_links), in m, on how far a point of each link travels from q ``a`` to ``b``.

    The joints go straight from a (..., nq) to b; ``radii`` (n_links,) is the distance of each link's
    farthest point from its origin. For every joint on the way a turn counts with the farthest that the
    link gets from its axis, a slide with its length (Schwarzer, Saha and Latombe 2005, section IV).
    """
    start, end = mechanism.positions(a), mechanism.positions(b)
    rates = np.abs(mechanism.difference(start, end))
    reach = np.asarray(radii, np.float64)
    lead = rates.shape[:-1]
    slides = _slides(mechanism, start, end)
    out = np.zeros((*lead, len(mechanism.link_names)))
    for link in range(len(mechanism.link_names)):
        # from the link up to the root: how far its farthest point can be from each frame on the way
        far = np.full(lead, reach[link])
        moved = np.zeros(lead)
        at = link
        while mechanism.parents[at] >= 0 or mechanism.link_joints[at] >= 0:
            joint = int(mechanism.link_joints[at])
            moved = moved + _moved(mechanism, joint, rates, far)
            origin = mechanism.robot.joints[joint].origin.xyz
            far = far + math.hypot(*origin) + slides[..., joint]
            at = int(mechanism.parents[at])
        if mechanism.base == "free":
            moved = moved + np.linalg.norm(rates[..., :3], axis=-1) + _norm(rates[..., 3:6]) * far
        out[..., link] = moved
    return out


def chain(mechanism: Mechanism, link: int) -> list[int]:
    """The joints between a link and the root, from the link upward."""
    found: list[int] = []
    while mechanism.link_joints[link] >= 0:
        found.append(int(mechanism.link_joints[link]))
        link = int(mechanism.parents[link])
    return found


def reach(mechanism: Mechanism, link: int, still: bool = False) -> tuple[int, float]:
    """The link of the first joint that moves ``link``, and how far from its origin that one can get (m).

    Infinite where a slide is unlimited, or the base is free and not ``still``.
    """
    on_way = [link]
    while mechanism.link_joints[on_way[-1]] >= 0:
        on_way.append(int(mechanism.parents[on_way[-1]]))
    root = on_way.pop()
    if mechanism.base == "free" and not still:
        return root, math.inf
    joints = {one: mechanism.robot.joints[mechanism.link_joints[one]] for one in on_way}
    while on_way and JOINT_SIZE[joints[on_way[-1]].kind] == 0:
        on_way.pop()
    if not on_way:
        return link, 0.0
    first = on_way[-1]
    if joints[first].kind not in ("revolute", "ball"):
        # its own origin moves: seen from what carries it, its pose at zero counts, too
        first = int(mechanism.parents[first])
    length = sum(math.hypot(*joints[one].origin.xyz) for one in on_way if one != first)
    return first, length + sum(_stroke(mechanism, int(mechanism.link_joints[one])) for one in on_way)


def _stroke(mechanism: Mechanism, number: int) -> float:
    """How far a joint can move its child's origin."""
    kind, at = mechanism.robot.joints[number].kind, int(mechanism.idx_q[number])
    if kind == "prismatic":
        return max(abs(float(mechanism.lower[at])), abs(float(mechanism.upper[at])))
    return math.inf if kind in ("planar", "free") else 0.0


def _moved(mechanism: Mechanism, joint: int, rates: Floats, far: Floats) -> Floats:
    """How far one joint carries a point that is ``far`` from its frame."""
    kind = mechanism.robot.joints[joint].kind
    at = int(mechanism.idx_v[joint])
    if kind == "revolute":
        return np.asarray(rates[..., at] * far)
    if kind == "prismatic":
        return np.asarray(rates[..., at])
    if kind == "ball":
        return np.asarray(_norm(rates[..., at : at + 3]) * far)
    if kind == "planar":
        return np.asarray(_norm(rates[..., at : at + 2]) + rates[..., at + 2] * far)
    if kind == "free":
        return np.asarray(_norm(rates[..., at : at + 3]) + _norm(rates[..., at + 3 : at + 6]) * far)
    return np.zeros(far.shape)


def _slides(mechanism: Mechanism, start: Floats, end: Floats) -> Floats:
    """Per joint the farthest that it moves its child's origin away from where its own origin puts it."""
    out = np.zeros((*np.broadcast_shapes(start.shape, end.shape)[:-1], len(mechanism.robot.joints)))
    for number, joint in enumerate(mechanism.robot.joints):
        at = int(mechanism.idx_q[number])
        count = {"prismatic": 1, "planar": 2, "free": 3}.get(joint.kind, 0)
        if count:
            places = slice(at, at + count)
            out[..., number] = np.maximum(_norm(start[..., places]), _norm(end[..., places]))
    return out


def _norm(rows: Floats) -> Floats:
    return np.asarray(np.linalg.norm(rows, axis=-1))
