"""Finds why the numbers for the solver of limits and of friction of joints are others in an engine."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unibody.formats.mjcf.engine import SOLVER_DEFAULTS
from unibody.proof.comparison import Comparison
from unibody.proof.guesses import FITTED, Words
from unibody.proof.search import Search

# Products of several numbers agree to this share.
_ALIKE = 1e-6
_UNITS = "taken as stiffness and damping of forces, not of accelerations"


def explain_solvers(search: Search, found: Comparison, quantity: str) -> None:
    """Numbers for the solver of "limit_solver" or "friction_solver" that the engine has otherwise."""
    ending = quantity.partition("_")[0]
    stated = search.reference.stated(search.answer.facts)
    words: dict[str, Words] = {}
    for name in search.beyond(found, quantity):
        own, there = search.reference.solvers[name], stated[name]["solvers"]
        told: dict[str, float] = {}
        solref, solimp = f"solref{ending}", f"solimp{ending}"
        if _is_other(own[solref], there[solref]):
            told |= _reference_words(
                solref, own[solref], there[solref], float(stated[name]["resistance"]), there[solimp]
            )
        if _is_other(own[solimp], there[solimp]):
            told |= _impedance_words(solimp, own[solimp], there[solimp])
        words[name] = told
    search.take_words(words, quantity)
    search.explained.add(quantity)


def _is_other(own: Sequence[float], there: Sequence[float]) -> bool:
    return any(abs(a - b) > 1e-9 * max(abs(a), abs(b)) for a, b in zip(own, there, strict=True))


def _reference_words(
    name: str, own: Sequence[float], there: Sequence[float], resistance: float, solimp: Sequence[float]
) -> Words:
    """Words for a time constant and a damping ratio, or for a stiffness and a damping where negative."""
    out: dict[str, float] = {}
    if not _is_other(SOLVER_DEFAULTS[name], there):
        out[f"{name} ignored: it is the default"] = 1.0
    if not _is_other((own[1], own[0]), there):
        out[f"numbers of {name} exchanged"] = 1.1
    if min(own) > 0.0 and min(there) > 0.0:
        # stiffness 1 / (time constant x damping ratio)^2, damping 2 / time constant
        damping = own[0] / there[0]
        stiffness = (own[0] * own[1] / (there[0] * there[1])) ** 2
        if math.isclose(damping, stiffness, rel_tol=_ALIKE):
            factors = {
                "1 / its inertia": resistance,
                "(1 - dmax) / its inertia": resistance * (1.0 - solimp[1]),
            }
            for words, factor in factors.items():
                for sign, of in ((1.0, "multiplied"), (-1.0, "divided")):
                    if factor > 0.0 and math.isclose(damping, factor**sign, rel_tol=1e-4):
                        told = f"{name} scaled by the inertia of the joint: {_UNITS}, {of} by {words}"
                        out[told] = 1.0
            told = f"{name} scaled: stiffness and damping multiplied by one factor, as {_UNITS}"
            out[told] = 1.2
    elif max(own) <= 0.0 and max(there) <= 0.0 and all(own):
        factors_of = [b / a for a, b in zip(own, there, strict=True)]
        if math.isclose(*factors_of, rel_tol=_ALIKE):
            out[f"{name} scaled: stiffness and damping multiplied by one factor, as {_UNITS}"] = 1.2
    for k, part in enumerate(("time constant", "damping ratio")):
        if own[1 - k] == there[1 - k] and own[k] and there[k] > 0.0:
            out[f"{part} of {name} multiplied by {there[k] / own[k]:.6g}"] = FITTED
    numbers = [f"({', '.join(f'{x:.6g}' for x in each)})" for each in (there, own)]
    out[f"{name} {numbers[0]} in the engine, not {numbers[1]}"] = FITTED + 1.0
    return out


def _impedance_words(name: str, own: Sequence[float], there: Sequence[float]) -> Words:
    out: dict[str, float] = {}
    if not _is_other(SOLVER_DEFAULTS[name], there):
        out[f"{name} ignored: it is the default"] = 1.0
    numbers = [f"({', '.join(f'{x:.6g}' for x in each)})" for each in (there, own)]
    out[f"{name} {numbers[0]} in the engine, not {numbers[1]}"] = FITTED
    return out
