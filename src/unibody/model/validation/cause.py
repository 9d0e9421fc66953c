"""Searches the cause of an inertia that is not that of the link's solid: one slip that explains it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, pairwise, permutations
from typing import Literal

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.pose import UNIT_QUATERNION, quaternion_matrix
from unibody.model.solid import shifted
from unibody.model.validation.references import Reference
from unibody.text.dataclass import dataclass
from unibody.text.finding import Cause

Kind = Literal[
    "sign", "factor", "order", "point", "unit", "density", "frame", "mirror", "copy", "placeholder", "parts"
]

#: The entries of an inertia in the order of rows of the upper triangle.
ENTRIES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_ROW, _COLUMN = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)
_MOMENTS, _PRODUCTS = (0, 3, 5), (1, 2, 4)
_DIAGONAL = tuple(ENTRIES[i] for i in _MOMENTS)

#: An inertia agrees with a solid if no entry deviates more, in shares of √(Iᵢᵢ·Iⱼⱼ) of the solid.
AGREES = 0.2
# An inertia that deviates more from all solids does not resemble them.
_RESEMBLES = 0.5
# An inertia that deviates less from one of the solids is not compared with the others; one that deviates
# less than AGREES must deviate much less from another after the correction.
_CLOSE, _CLEARLY = 0.05, 0.1
# Largest deviation after the correction, with the rounding of the written digits.
_FITS = 0.05
# Largest effect of rounding that is accepted, in the same shares.
_ROUNDING = 0.05
# A factor this close to a power of ten is one: the decimal point is in the wrong place.
_POWER = 0.03
# Largest distance of a solid's center from the center of mass, in radii of gyration.
_NEAR = 0.1
# Moments that differ less count as one number.
_DISTINCT = 0.03
# Evidence, as −ln of a probability: what a cause needs, what a center of mass that agrees is worth, and
# what a large factor is worth at most; agreement counts to this many digits; the rounding of a number that
# agrees better counts this many times its deviation; an equal moment counts this share of the first
# one, and a ratio of moments less than a moment.
_ENOUGH, _CENTER, _LARGE, _EXACT, _ROUNDED, _EQUAL, _RATIO = 5.5, 2.0, 3.0, 5e-4, 20.0, 0.35, 0.5
# Densities of links in kg/m³; wider for the bounding box of a mesh.
_DENSITY, _BOX_DENSITY = (50.0, 12_000.0), (20.0, 12_000.0)
# A density this much nearer to the usual ones decides between mass and inertia.
_DECIDES = math.log(3.0)
# Corrections that differ less, in shares of √(Iᵢᵢ·Iⱼⱼ), are the same.
_SAME = 0.05
# What a cause costs before it explains anything: rare slips must fit better than common ones.
_COST: dict[Kind, float] = {
    "sign": 0.0,
    "unit": 0.0,
    "order": 0.5,
    "factor": 0.5,
    "point": 1.0,
    "density": 1.5,
}
_ODD_FACTOR, _ODD_ORDER, _ODD_SIGNS, _ELSEWHERE, _BOUNDING = 1.5, 1.5, 1.0, 1.0, 1.0
# Masses and moments outside are those of no body.
_TINY, _HUGE = 1e-30, 1e30
# What a deviation after the correction costs, per share.
_WORSE = 40.0
# Costs that differ less leave the cause open.
_MARGIN = 1.0

#: Factors of whole inertias written in another unit than kg·m², with the unit.
UNITS = {
    1e3: "g·m²",
    1e4: "kg·cm²",
    1e6: "kg·mm²",
    1e7: "g·cm²",
    1e9: "g·mm²",
    1.0 / 6.4516e-4: "kg·in²",
    1.0 / 2.926397e-4: "lb·in²",
    1.0 / 4.214011e-2: "lb·ft²",
}
_POWERS = tuple(10.0**e for e in (-9, -7, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 7, 9))
_FACTORS = (*_POWERS, *(f for f in UNITS if f not in _POWERS))


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """A cause with the solid that it was found with.

    ``written`` are the entries and the mass as the file gives them, by name; ``changed`` those that should
    be written instead, empty if the correction is not unique. ``odds`` is how much likelier a likely cause
    is than none, as ln.
    """

    cause: Cause
    reference: Reference
    written: dict[str, float]
    changed: dict[str, float]
    odds: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Slip:
    """A slip that may have happened: what is written becomes ``values`` with the ``slack`` of rounding."""

    kind: Kind
    entries: tuple[str, ...]
    values: Floats
    slack: Floats
    cost: float = 0.0
    factor: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A slip that fits one of the references, with its cost and the deviation that is left."""

    slip: _Slip
    index: int
    after: float
    cost: float


def explain(inertial: Inertial, references: Sequence[Reference]) -> Explained | None:
    """The single slip that turns the inertia of one of the references into what is written.

    None if the inertia agrees with a reference (:data:`AGREES`), if no slip explains it, and if
    different slips explain it equally well.
    """
    if not references or not _is_usual(inertial):
        return None
    with np.errstate(all="ignore"):
        return _explain(inertial, references)


def _is_usual(inertial: Inertial) -> bool:
    """Whether the numbers are those of a body of any size; products of larger ones overflow."""
    entries = [abs(v) for row in inertial.inertia for v in row]
    size = max(entries)
    usual = all(v < _HUGE for v in (*entries, inertial.mass, *map(abs, inertial.com)))
    return usual and size > _TINY and inertial.mass > _TINY


def resembles(inertial: Inertial, references: Sequence[Reference]) -> bool:
    """Whether an inertia is about that of a reference; True without references."""
    axes = np.eye(3) if inertial.axes is None else np.array(quaternion_matrix(inertial.axes))
    if not _is_usual(inertial):
        return True
    with np.errstate(all="ignore"):
        solids = np.array([r.solid.inertia(inertial.mass) for r in references])
        if not len(solids):
            return True
        solids, written = _entries(axes.T @ solids @ axes), _written(inertial, axes)
        return bool((np.max(np.abs(written - solids) / _scale(solids), axis=1) <= _RESEMBLES).any())


def _scale(solids: Floats) -> Floats:
    """√(Iᵢᵢ·Iⱼⱼ) of each entry (k, 6)."""
    moments = solids[:, _MOMENTS]
    return np.asarray(np.sqrt(moments[:, _ROW] * moments[:, _COLUMN]))


def _explain(inertial: Inertial, references: Sequence[Reference]) -> Explained | None:
    axes = _axes(inertial)
    written = _written(inertial, axes)
    solids = np.array([r.solid.inertia(inertial.mass) for r in references])
    solids = _entries(axes.T @ solids @ axes)
    scale = _scale(solids)
    slack = _rounding(written)
    before = np.max(np.maximum(np.abs(written - solids) - slack, 0.0) / scale, axis=1)
    least = float(before.min())
    if not least > _CLOSE or not np.isfinite(before).all():
        return None
    fits = [
        fit
        for fit in _fits(inertial, axes, written, slack, solids, scale, references)
        if before[fit.index] > AGREES and (least > AGREES or fit.after < _CLEARLY * least)
    ]
    if not fits:
        return None
    best = min(fits, key=lambda fit: fit.cost)
    if any(_rival(other, best, scale) for other in fits):
        return None
    return _explained(best, inertial, written, float(before[best.index]), references[best.index])


def _axes(inertial: Inertial) -> Floats:
    """The rotation (3, 3) of the axes in which the file gives the inertia."""
    if inertial.axes in (None, UNIT_QUATERNION):
        return np.eye(3)
    return np.array(quaternion_matrix(inertial.axes))


def _entries(matrices: Floats) -> Floats:
    """The six entries (..., 6) of symmetric matrices (..., 3, 3)."""
    return np.asarray(matrices[..., _ROW, _COLUMN])


def _written(inertial: Inertial, axes: Floats) -> Floats:
    """The six entries as the file gives them: without the noise of rotating them there and back."""
    m = np.array(inertial.inertia)
    if inertial.axes in (None, UNIT_QUATERNION):
        return _entries(m)
    turned = _entries(axes.T @ m @ axes)
    tiny = 1e-13 * float(np.abs(turned).max())
    return np.array([0.0 if abs(v) <= tiny else float(f"{v:.12g}") for v in turned.tolist()])


def _rounding(values: Floats) -> Floats:
    """Half of the last digit of each number; zeros have none."""
    out = []
    for value in values.tolist():
        digits, _, exponent = f"{value:.12e}".partition("e")
        kept = len(digits.rstrip("0").partition(".")[2])
        out.append(0.5 * 10.0 ** (int(exponent) - kept) if value else 0.0)
    return np.array(out)


def _deviation(values: Floats, slack: Floats, solids: Floats, scale: Floats) -> Floats:
    """The largest deviation of entries (..., 6) from solids (k, 6), beyond the slack of rounding."""
    allowed = np.minimum(slack / scale, _ROUNDING)
    return np.asarray(np.max(np.maximum(np.abs(values - solids) / scale - allowed, 0.0), axis=-1))


def _fits(
    inertial: Inertial,
    axes: Floats,
    written: Floats,
    slack: Floats,
    solids: Floats,
    scale: Floats,
    references: Sequence[Reference],
) -> Iterator[_Fit]:
    """Every slip that explains the inertia with one of the references."""
    com = axes.T @ np.array(inertial.com)
    distance = [float(np.linalg.norm(r.solid.center - inertial.com)) for r in references]
    gyration = np.sqrt(0.5 * solids[:, _MOMENTS].sum(1) / inertial.mass)
    cost = np.where(np.array(distance) > _NEAR * gyration, _ELSEWHERE, 0.0)
    cost = cost + [_BOUNDING * r.bounding for r in references]
    orders = written[_ORDER_PLACES]
    after = _deviation(orders[:, None], slack[_ORDER_PLACES][:, None], solids, scale)
    found = [
        (slip, k) for i, k in np.argwhere(after <= _FITS).tolist() for slip in _order(written, slack, i)
    ]
    slips = [*_signs(written, slack), *_points(written, slack, inertial, com)]
    if slips:
        values = np.array([s.values for s in slips])
        after = _deviation(values[:, None], slack, solids, scale)
        found += [(slips[i], k) for i, k in np.argwhere(after <= _FITS).tolist()]
    off = np.maximum(np.abs(written - solids) / scale - np.minimum(slack / scale, _ROUNDING), 0.0)
    alone = (off > _FITS).sum(1) <= 1
    for k, reference in enumerate(references):
        if alone[k]:
            found += [(slip, k) for slip in _factors(written, slack, solids[k], scale[k])]
        found += [(slip, k) for slip in _scales(written, slack, inertial, solids[k], reference)]
        found += [(slip, k) for slip in _elsewhere(written, slack, inertial, axes, reference)]
    for slip, k in found:
        left = float(_deviation(slip.values, slip.slack, solids[k], scale[k]))
        near = bool(any(inertial.com)) and distance[k] <= 0.1 * _NEAR * float(gyration[k])
        if left <= _FITS and _evidence(slip, solids[k], scale[k]) + _CENTER * near >= _ENOUGH:
            yield _Fit(slip, k, left, _COST[slip.kind] + slip.cost + float(cost[k]) + _WORSE * left)


def _evidence(slip: _Slip, solid: Floats, scale: Floats) -> float:
    """How unlikely it is that the corrected entries agree by chance: −ln of the probability, about.

    Equal moments count little more than one, products without size not at all, and a number that was chosen
    to fit takes one away.
    """
    off = np.abs(slip.values - solid)
    deviation = (off + np.minimum(slip.slack, _ROUNDED * off)) / scale
    fitted = slip.kind == "factor" and slip.cost > 0.0
    own = [i for i, name in enumerate(ENTRIES) if not (fitted and name in slip.entries)]
    worth = {i: math.log(1.0 / (2.0 * max(float(deviation[i]), _EXACT))) for i in own}
    counted: list[int] = []
    for i in own:
        product = i in _PRODUCTS
        size = abs(float(solid[i]) / float(scale[i]))
        if product and size < _DISTINCT:
            continue
        if product or all(abs(solid[i] / solid[k] - 1.0) > _DISTINCT for k in counted if k in _MOMENTS):
            counted.append(i)
    if slip.kind == "density":
        # All entries are scaled to fit, and ratios of moments agree more often than moments.
        return sum(max(worth[i], 0.0) for i in counted) - max(worth[i] for i in counted) - _RATIO
    again = [i for i in own if i in _MOMENTS and i not in counted]
    total = sum(max(worth[i], 0.0) for i in counted) + _EQUAL * sum(max(worth[i], 0.0) for i in again)
    return total + (min(abs(math.log(slip.factor)), _LARGE) if slip.kind == "unit" else 0.0)


def _signs(written: Floats, slack: Floats) -> Iterator[_Slip]:
    """One moment with the other sign; one, two or all products."""
    groups: list[tuple[int, ...]] = [(i,) for i in _MOMENTS if written[i] < 0.0]
    given = [i for i in _PRODUCTS if written[i] != 0.0]
    groups += [g for n in (1, 2, 3) for g in combinations(given, n)]
    for group in groups:
        values = written.copy()
        values[list(group)] *= -1.0
        cost = _ODD_SIGNS if len(group) == 2 else 0.0
        yield _Slip("sign", tuple(ENTRIES[i] for i in group), values, slack, cost)


def _possible_orders() -> tuple[tuple[tuple[int, ...], float], ...]:
    """Every order in which the six numbers may have been written instead, with its cost."""
    found: dict[tuple[int, ...], float] = {}
    place = {frozenset((r, c)): i for i, (r, c) in enumerate(zip(_ROW, _COLUMN, strict=True))}
    for order in permutations(range(3)):
        moments = list(range(6))
        for i, k in zip(_MOMENTS, order, strict=True):
            moments[i] = _MOMENTS[k]
        found.setdefault(tuple(moments), 0.0 if sum(order[i] != i for i in range(3)) == 2 else 0.5)
        axes = tuple(place[frozenset((order[r], order[c]))] for r, c in zip(_ROW, _COLUMN, strict=True))
        found.setdefault(axes, found[tuple(moments)])
    # Lists in the order of MuJoCo and of SDF, of the lower triangle, and of Voigt.
    for names in (
        "ixx iyy izz ixy ixz iyz",
        "ixx iyy izz ixy iyz ixz",
        "ixx iyy izz iyz ixz ixy",
        "ixx ixy iyy ixz iyz izz",
    ):
        listed = names.split()
        found.setdefault(tuple(listed.index(name) for name in ENTRIES), 0.5)
    for i, k in combinations(range(6), 2):
        swapped = list(range(6))
        swapped[i], swapped[k] = k, i
        found.setdefault(tuple(swapped), _ODD_ORDER)
    del found[tuple(range(6))]
    return tuple(found.items())


#: Every order in which the entries may have been written instead, with its cost.
ORDERS = _possible_orders()
_ORDER_PLACES = np.array([order for order, _ in ORDERS])


def _order(written: Floats, slack: Floats, which: int) -> Iterator[_Slip]:
    """The same numbers in another order; nothing if they stay."""
    places, cost = _ORDER_PLACES[which], ORDERS[which][1]
    values = written[places]
    moved = tuple(name for name, a, b in zip(ENTRIES, values, written, strict=True) if a != b)
    if moved:
        yield _Slip("order", moved, values, slack[places], cost)


def _points(written: Floats, slack: Floats, inertial: Inertial, com: Floats) -> Iterator[_Slip]:
    """About the link origin instead of the center of mass, or moved to the center of mass twice."""
    shift = inertial.mass * _entries(shifted(com))
    for sign in (-1.0, 1.0) if com.any() else ():
        yield _Slip("point", ("inertia",), written + sign * shift, slack, factor=sign)


def _elsewhere(
    written: Floats, slack: Floats, inertial: Inertial, axes: Floats, reference: Reference
) -> Iterator[_Slip]:
    """About the link origin, with a center of mass that was left at the origin, too."""
    if not any(inertial.com):
        shift = inertial.mass * _entries(shifted(axes.T @ reference.solid.center))
        yield _Slip("point", ("com", "inertia"), written - shift, slack, factor=-1.0)


def _factors(written: Floats, slack: Floats, solid: Floats, scale: Floats) -> Iterator[_Slip]:
    """The entry that deviates most, with its decimal point moved, or else with the number of the solid."""
    i = int(np.argmax(np.abs(written - solid) / scale))
    old, new = float(written[i]), float(solid[i])
    cost, factor, exponent = _ODD_FACTOR, 0.0, 0
    if old and new / old > 0.0:
        factor = new / old
        exponent = round(math.log10(factor))
        if exponent and abs(math.log10(factor) - exponent) <= math.log10(1.0 + _POWER):
            cost = 0.0 if abs(exponent) <= 3 else 0.5
            new = decimal_shift(old, exponent)
            factor = 10.0**exponent
    if cost:
        new = float(f"{new:.5g}") if abs(new) > 1e-9 * float(scale[i]) else 0.0
    values, slacks = written.copy(), slack.copy()
    values[i], slacks[i] = new, slack[i] * 10.0**exponent if not cost else 0.0
    yield _Slip("factor", (ENTRIES[i],), values, slacks, cost, factor)


def _scales(
    written: Floats, slack: Floats, inertial: Inertial, solid: Floats, reference: Reference
) -> Iterator[_Slip]:
    """All entries by one factor: another unit, or the inertia of a body of another mass."""
    # the squares of tiny numbers are 0
    square = float(written @ written)
    if not square > 0.0:
        return
    factor = float(solid @ written) / square
    if not (0.0 < factor < math.inf) or abs(math.log(factor)) <= math.log(1.0 + AGREES):
        return
    known = next((f for f in _FACTORS if abs(math.log(f * factor)) <= math.log(1.0 + _POWER)), None)
    entries = _mass_or_inertia(inertial.mass / reference.solid.volume, factor, reference.bounding)
    if known is not None and len(entries) == 1:
        factor = 1.0 / known
        yield _Slip("unit", entries, written * factor, slack * factor, 0.0, factor)
        return
    moments = sorted(solid[list(_MOMENTS)].tolist())
    distinct = 1 + sum(b > a * (1.0 + _DISTINCT) for a, b in pairwise(moments))
    if distinct > 1:
        yield _Slip(
            "density", entries, written * factor, slack * factor, 0.0 if distinct > 2 else 0.5, factor
        )


def _mass_or_inertia(density: float, factor: float, bounding: bool) -> tuple[str, ...]:
    """Which of both is wrong if ``factor`` corrects the inertia: as the density of the solid tells."""
    low, high = _BOX_DENSITY if bounding else _DENSITY

    def unusual(value: float) -> float:
        return max(0.0, math.log(low / value), math.log(value / high))

    stays, changes = unusual(density), unusual(density / factor)
    if stays - changes >= _DECIDES:
        return ("mass",)
    return ("inertia",) if changes - stays >= _DECIDES else ("inertia", "mass")


def decimal_shift(value: float, exponent: int) -> float:
    """The number with its decimal point moved: exactly value·10^exponent, as it would be written.

    >>> decimal_shift(0.0375, 3), decimal_shift(8.3, -1)
    (37.5, 0.83)
    """
    return float(Decimal(repr(value)).scaleb(exponent))


def _rival(other: _Fit, best: _Fit, scale: Floats) -> bool:
    """Whether another slip explains the inertia nearly as well and leads elsewhere."""
    if other is best or other.cost >= best.cost + _MARGIN:
        return False
    if "mass" in best.slip.entries or "mass" in other.slip.entries:
        return other.slip.entries != best.slip.entries
    return bool(np.max(np.abs(other.slip.values - best.slip.values) / scale[best.index]) > _SAME)


def _explained(
    fit: _Fit, inertial: Inertial, written: Floats, before: float, reference: Reference
) -> Explained:
    slip, changed = fit.slip, dict[str, float]()
    if slip.entries == ("mass",):
        changed["mass"] = _scaled(inertial.mass, 1.0 / slip.factor)
    elif "mass" not in slip.entries and "com" not in slip.entries:
        new = [_new(slip, a, b) for a, b in zip(written.tolist(), slip.values.tolist(), strict=True)]
        changed = {name: b for name, a, b in zip(ENTRIES, written.tolist(), new, strict=True) if a != b}
    cause = Cause(
        kind=slip.kind,
        entries=slip.entries,
        values=tuple(sorted(changed.items())),
        factor=slip.factor,
        reference=reference.path,
        before=before,
        after=fit.after,
    )
    given = dict(zip(ENTRIES, written.tolist(), strict=True)) | {"mass": inertial.mass}
    return Explained(cause, reference, given, changed)


def _new(slip: _Slip, old: float, new: float) -> float:
    """An entry as it should be written: no more digits than it is known to."""
    if slip.kind in ("unit", "density"):
        return _scaled(old, slip.factor)
    return float(f"{new:.6g}") if slip.kind == "point" else new


def _scaled(value: float, factor: float) -> float:
    exponent = round(math.log10(factor))
    if factor == 10.0**exponent or abs(math.log10(factor) - exponent) < 1e-12:
        return decimal_shift(value, exponent)
    return float(f"{value * factor:.6g}")
