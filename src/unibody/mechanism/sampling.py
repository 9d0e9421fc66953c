"""Samples of configurations, reach of links, and bounds on how far they travel."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.mechanism.integration import difference
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.tree import BASE_SIZE, Tree, periodic_entries
from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS, unknown_kind

Method = Literal["uniform", "halton"]


def uniform(tree: Tree, generator: np.random.Generator, like: Floats) -> Floats:
    """Random configurations (B, nq) within the limits.

    A revolute joint without limits covers a full turn, quaternions are uniform; unbounded positions stay as
    in ``like`` (B, nq).
    """
    q = like.copy()
    periodic = periodic_entries(tree)
    for kind, start in zip(tree.kinds, tree.idx_q.tolist(), strict=True):
        end = start + KINDS[kind].scalars
        for at in range(start, end):
            low, high = _range(bool(periodic[at]), tree.lower[at], tree.upper[at])
            if math.isfinite(low) and math.isfinite(high):
                q[:, at] = generator.uniform(low, high, len(q))
        if KINDS[kind].has_quaternion:
            q[:, end : end + 4] = quaternions(generator, len(q))
    if tree.free_base:
        q[:, 3:BASE_SIZE] = quaternions(generator, len(q))
    return q


def _range(periodic: bool, low: float, high: float) -> tuple[float, float]:
    if low > high:
        low, high = -math.inf, math.inf
    if not periodic:
        return low, high
    if math.isinf(low) and math.isinf(high):
        return -math.pi, math.pi
    if math.isinf(low):
        return high - 2.0 * math.pi, high
    return low, min(high, low + 2.0 * math.pi) if math.isinf(high) else high


def quaternions(generator: np.random.Generator, count: int) -> Floats:
    """Random quaternions (count, 4), uniform over all rotations."""
    four = generator.normal(size=(count, 4))
    return np.asarray(four / np.linalg.norm(four, axis=1)[:, None])


def sample(space: NormalizedSpace, count: int, method: Method, seed: int, skip: int = 0) -> Floats:
    """Normalized vectors t (count, n); frozen coordinates stay at their default.

    "uniform" is pseudorandom; "halton" is the Halton sequence, which fills the space evenly, from its term
    ``skip`` + 1 on, shifted by the seed (0: not shifted).
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
    """Digits of each number in that base, mirrored at the radix point."""
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


def travel(tree: Tree, a: ArrayLike, b: ArrayLike, radii: ArrayLike) -> Floats:
    """Upper bounds (..., n_links), in m, on how far a point of each link travels from q ``a`` to ``b``.

    The joints go straight from a (..., nq) to b; ``radii`` (n_links,) is the distance of each link's
    farthest point from its origin. For every joint on the way a turn counts with the farthest that the
    link gets from its axis, a slide with its length (Schwarzer, Saha and Latombe 2005, section IV).
    """
    start, end = np.asarray(a, np.float64), np.asarray(b, np.float64)
    rates = np.abs(difference(tree, start, end))
    reach = np.asarray(radii, np.float64)
    lead = rates.shape[:-1]
    slides = _slides(tree, start, end, rates)
    out = np.zeros((*lead, len(tree.parents)))
    for link in range(len(tree.parents)):
        # from the link up to the root: how far its farthest point can be from each frame on the way
        far = np.full(lead, reach[link])
        moved = np.zeros(lead)
        at = link
        while tree.parents[at] >= 0 or tree.link_joints[at] >= 0:
            joint = int(tree.link_joints[at])
            moved = moved + _moved(tree, joint, rates, far)
            far = far + math.hypot(*tree.origins[joint, :3, 3]) + slides[..., joint]
            at = int(tree.parents[at])
        if tree.free_base:
            moved = moved + np.linalg.norm(rates[..., :3], axis=-1) + _norm(rates[..., 3:6]) * far
        out[..., link] = moved
    return out


def reach(tree: Tree, link: int, still: bool = False) -> tuple[int, float]:
    """Link of the first joint that moves ``link``, and how far from its origin ``link`` can reach (m).

    Infinite where a slide is unlimited, or the base is free and not ``still``.
    """
    on_way = [link]
    while tree.link_joints[on_way[-1]] >= 0:
        on_way.append(int(tree.parents[on_way[-1]]))
    root = on_way.pop()
    if tree.free_base and not still:
        return root, math.inf
    joints = {one: int(tree.link_joints[one]) for one in on_way}
    while on_way and KINDS[tree.kinds[joints[on_way[-1]]]].nq == 0:
        on_way.pop()
    if not on_way:
        return link, 0.0
    first = on_way[-1]
    if tree.kinds[joints[first]] not in ("revolute", "universal", "ball"):
        # its own origin moves: seen from what carries it, its pose at zero counts, too
        first = int(tree.parents[first])
    length = sum(math.hypot(*tree.origins[joints[one], :3, 3]) for one in on_way if one != first)
    return first, length + sum(_stroke(tree, joints[one]) for one in on_way)


def _stroke(tree: Tree, joint: int) -> float:
    """Largest distance that a joint moves its child's origin."""
    kind, at = tree.kinds[joint], int(tree.idx_q[joint])
    if kind in ("prismatic", "screw"):
        rate = 1.0 if kind == "prismatic" else abs(float(tree.leads[joint]))
        return rate * max(abs(float(tree.lower[at])), abs(float(tree.upper[at]))) if rate else 0.0
    return math.inf if kind in ("planar", "free") else 0.0


def _moved(tree: Tree, joint: int, rates: Floats, far: Floats) -> Floats:
    """Largest distance that one joint moves a point that is ``far`` from its frame."""
    kind = tree.kinds[joint]
    at = int(tree.idx_v[joint])
    match kind:
        case "fixed" | "track":
            return np.zeros(far.shape)
        case "revolute":
            return np.asarray(rates[..., at] * far)
        case "prismatic":
            return np.asarray(rates[..., at])
        case "screw":
            return np.asarray(rates[..., at] * np.hypot(far, tree.leads[joint]))
        case "universal":
            return np.asarray((rates[..., at] + rates[..., at + 1]) * far)
        case "ball":
            return np.asarray(_norm(rates[..., at : at + 3]) * far)
        case "planar":
            return np.asarray(_norm(rates[..., at : at + 2]) + rates[..., at + 2] * far)
        case "free":
            return np.asarray(_norm(rates[..., at : at + 3]) + _norm(rates[..., at + 3 : at + 6]) * far)
        case _:
            unknown_kind(kind)


def _slides(tree: Tree, start: Floats, end: Floats, rates: Floats) -> Floats:
    """Largest translation of each joint between start and end.

    A free joint goes along a screw, which bulges: no point of an arc is farther from both ends together
    than the arc is long.
    """
    out = np.zeros((*np.broadcast_shapes(start.shape, end.shape)[:-1], len(tree.kinds)))
    for joint, (kind, at) in enumerate(zip(tree.kinds, tree.idx_q.tolist(), strict=True)):
        if kind == "screw":
            longest = np.maximum(np.abs(start[..., at]), np.abs(end[..., at]))
            out[..., joint] = abs(float(tree.leads[joint])) * longest
            continue
        count = KINDS[kind].q_units.count("m")
        if count:
            places, v = slice(at, at + count), int(tree.idx_v[joint])
            first, last = _norm(start[..., places]), _norm(end[..., places])
            arc = 0.5 * (first + last + _norm(rates[..., v : v + 3]))
            out[..., joint] = arc if kind == "free" else np.maximum(first, last)
    return out


def _norm(rows: Floats) -> Floats:
    return np.asarray(np.linalg.norm(rows, axis=-1))
