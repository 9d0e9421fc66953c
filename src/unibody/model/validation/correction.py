"""Finds single changes that correct a number: a power of ten or a sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import matrix3, principal_moments
from unibody.model.pose import Matrix3

#: Exponents of common mistakes, the smallest first: a decimal point shifted by one, two or three
#: places; g and mm for kg and m; g·mm² (or mm·mm²) for kg·m².
POWERS = (1, -1, 2, -2, 3, -3, 6, -6, 9, -9)

#: Relative slack of the triangle rule, for moments of thin plates rounded to two or three digits.
TRIANGLE_SLACK = 0.02

_NAMES = (("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2))


def power_of_ten(fits: Callable[[float], bool]) -> int | None:
    """The smallest exponent e for which the factor 10^e fits; None if there is none.

    >>> power_of_ten(lambda factor: 0.5 < 1234.0 * factor < 2.0)
    -3
    """
    return next((e for e in POWERS if fits(10.0**e)), None)


def factor_text(exponent: int) -> str:
    """Format a power of ten: 1000, 0.01, 1e-6."""
    return f"{10.0**exponent:g}"


def is_body(inertia: Matrix3) -> bool:
    """Whether a rigid body can have this inertia: positive definite, and the triangle rule holds."""
    low, middle, high = principal_moments(inertia)
    return low > 0.0 and high <= (low + middle) * (1.0 + TRIANGLE_SLACK)


def corrected_inertia(inertia: Matrix3, fits: Callable[[Matrix3], bool] = lambda _: True) -> str:
    """Describe the single sign or power of ten that makes an inertia possible; "" if it is not unique.

    ``fits`` tells whether a corrected inertia fits what else is known of the link.
    """
    m = np.array(inertia)
    size = float(np.abs(m).max())
    # Scaled first, to avoid overflow; validity does not depend on scale.
    m = m / size
    m = (m + m.T) / 2.0
    # Shifts up and down are equally likely: the correction must be unique among both.
    for exponents in ((None,), *zip(POWERS[::2], POWERS[1::2], strict=True)):
        found = [
            (name, value, exponent)
            for exponent in exponents
            for name, value, changed in _changes(m, exponent)
            if is_body(matrix3(changed)) and fits(matrix3(changed * size))
        ]
        if exponents == (None,) and [name for name, _, _ in found] == ["ixy", "ixz", "iyz"]:
            # Only the product of the three signs matters: any of them may be wrong.
            return "change the sign of ixy, ixz or iyz"
        if len(found) > 1:
            return ""
        if found:
            name, value, exponent = found[0]
            how = "opposite sign" if exponent is None else f"{factor_text(exponent)} times as large"
            return f"change {name} to {value * size:g} ({how})"
    return ""


def _changes(m: Floats, exponent: int | None) -> Iterator[tuple[str, float, Floats]]:
    """Name, new value and the whole inertia for each entry with its other sign, or times 10^exponent."""
    for name, i, j in _NAMES:
        if m[i, j] == 0.0 or (exponent is None and i == j and m[i, j] > 0.0):
            continue
        changed = m.copy()
        value = float(m[i, j]) * (-1.0 if exponent is None else 10.0**exponent)
        changed[i, j] = changed[j, i] = value
        yield name, value, changed
