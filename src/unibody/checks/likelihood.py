"""How likely masses, centers of mass and inertias are for a link of a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unibody.checks.yardsticks import Twins, Yardstick
from unibody.model.arrays import Floats
from unibody.model.validation.correction import TRIANGLE_SLACK


@dataclass(frozen=True, slots=True)
class _Spread:
    """Usual deviations from a yardstick: of ln of the radius of gyration, of ln of the shares of the axes,
    of the center of mass in radii, and of ln of the density (docs/inertia.md).
    """

    size: float
    shape: float
    center: float
    density: float


_SHAPED, _LOOSE = _Spread(0.15, 0.25, 0.4, 1.0), _Spread(0.35, 0.9, 1.2, 1.2)
# How much each deviation weighs.
_WEIGHTS = (1.2, 1.2, 1.0, 0.8)
# Deviation from a twin that is about none, how much it weighs, and what it costs at most.
_TWIN, _TWIN_WEIGHT, _LARGEST_COST = 0.01, 0.6, 5.0
# Twins that are compared at once, so that a robot of many equal links takes little memory.
_AT_ONCE = 64
# Thickness that all bodies have, in shares of the mean square radius of the yardstick.
_THICKNESS = 0.02
# Smallest second moment, in shares of that of the yardstick; what numbers that no body can have cost.
_LEAST, _IMPOSSIBLE = 1e-6, 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Masses (n,), centers of mass (n, 3) and inertias (n, 3, 3) in link axes."""

    masses: Floats
    centers: Floats
    inertias: Floats


def log_likelihood(bodies: Bodies, yardsticks: Sequence[Yardstick]) -> Floats:
    """How likely bodies are (n, k), as ln: 0 at the yardstick, less the more a body deviates from it.

    It falls with the logarithm of large deviations, since published numbers have many of them.
    """
    inertias = (bodies.inertias + np.swapaxes(bodies.inertias, 1, 2)) / 2.0
    trace = np.trace(inertias, axis1=1, axis2=2)
    seconds = (0.5 * trace[:, None, None] * np.eye(3) - inertias) / bodies.masses[:, None, None]
    low, middle, high = np.linalg.eigvalsh(inertias).T
    possible = (low > 0.0) & (high <= (low + middle) * (1.0 + TRIANGLE_SLACK))
    out = []
    for yardstick in yardsticks:
        solid, spread = yardstick.reference.solid, _LOOSE if yardstick.loose else _SHAPED
        second = solid.second / solid.volume
        thick = _THICKNESS * np.trace(second) / 3.0 * np.eye(3)
        values, axes = np.linalg.eigh(second + thick)
        white = axes / np.sqrt(values)
        ratios = np.linalg.eigvalsh(white.T @ (seconds + thick) @ white)
        radii = 0.5 * np.log(np.maximum(ratios, _LEAST))
        size = radii.mean(1)
        if yardstick.loose:
            size = size - np.log(bodies.masses / yardstick.grows_from) / 3.0
        shape = np.linalg.norm(radii - radii.mean(1)[:, None], axis=1)
        center = np.linalg.norm((bodies.centers - solid.center) @ white, axis=1)
        density = np.log(np.maximum(bodies.masses, 1e-30) / yardstick.mass)
        deviations = zip(
            _WEIGHTS,
            (size, shape, center, density),
            (spread.size, spread.shape, spread.center, spread.density),
            strict=True,
        )
        costs = sum(weight * np.log1p((deviation / usual) ** 2) for weight, deviation, usual in deviations)
        out.append(-costs)
    likely = np.stack(out, axis=1)
    return np.asarray(likely - _IMPOSSIBLE * ~possible[:, None])


def agreement(bodies: Bodies, twins: Twins) -> Floats:
    """How well bodies agree with one of the links that should be the same (n,), as ln; 0 without any."""
    count = len(twins.masses)
    if not count:
        return np.zeros(len(bodies.masses))
    best = np.full(len(bodies.masses), _LARGEST_COST)
    for first in range(0, count, _AT_ONCE):
        costs = _disagreement(bodies, twins, slice(first, first + _AT_ONCE))
        np.minimum(best, costs.min(1), out=best)
    return -best


def _disagreement(bodies: Bodies, twins: Twins, some: slice) -> Floats:
    """What the deviations of bodies from some twins cost (n, k)."""
    masses, inertias = twins.masses[some], twins.inertias[some]
    # The largest of √|Iᵢᵢ·Iⱼⱼ| is the largest moment.
    scale = np.maximum(np.abs(np.diagonal(inertias, axis1=1, axis2=2)).max(1), 1e-300)
    traces = np.trace(inertias, axis1=1, axis2=2)
    gyrations = np.maximum(np.sqrt(0.5 * traces / masses), 1e-9)
    off_centers = np.linalg.norm(bodies.centers[:, None] - twins.centers[some], axis=2)
    deviations = np.maximum.reduce(
        (
            np.abs(np.log(np.maximum(bodies.masses, 1e-30)[:, None] / masses)),
            np.abs(bodies.inertias[:, None] - inertias).max((2, 3)) / scale,
            off_centers / gyrations,
        )
    )
    return np.asarray(_TWIN_WEIGHT * np.log1p((deviations / _TWIN) ** 2))
