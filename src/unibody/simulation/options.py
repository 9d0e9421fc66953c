"""The settings of a simulation, and their checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.model.base import Base
from unibody.model.collision import PAIR_RULES, PairRule
from unibody.simulation.materials import MaterialTable

#: Words for integrators; "auto" is RK4 while nothing touches, else implicitfast.
INTEGRATORS = ("auto", "rk4", "implicitfast", "implicit", "euler")

#: How meshes that are not convex collide: as parts if CoACD is installed, as hulls, as parts.
CONVEX = ("auto", "hull", "parts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a simulation; ``simulate`` describes them."""

    base: Base | None = None
    gravity: Sequence[float] | None = None
    step: float = 1e-3
    integrator: str = "auto"
    position_limits: bool = True
    effort_limits: bool = True
    pairs: PairRule = "file"
    contacts: bool = True
    loop_solver: str = "engine"
    floor: float | None = None
    materials: MaterialTable | None = None
    friction: float | None = None
    solref: tuple[float, float] | None = None
    seed: int = 0
    convex: str = "auto"
    density: float | None = None
    progress: Callable[[float], object] | None = None


def check_options(options: Options) -> None:
    """ValueError for a setting that cannot be used."""
    if not (math.isfinite(options.step) and options.step > 0.0):
        raise ValueError(f"the step must be a positive number of seconds, not {options.step!r}")
    if options.integrator not in INTEGRATORS:
        known = ", ".join(INTEGRATORS)
        raise ValueError(f"unknown integrator {options.integrator!r}; expected one of {known}")
    if options.loop_solver not in ("engine", "exact"):
        raise ValueError(f"loop_solver must be 'engine' or 'exact', got {options.loop_solver!r}")
    if options.pairs not in PAIR_RULES:
        raise ValueError(f"pairs must be one of {', '.join(PAIR_RULES)}, got {options.pairs!r}")
    if options.convex not in CONVEX:
        known = ", ".join(map(repr, CONVEX))
        raise ValueError(f"convex must be one of {known}, not {options.convex!r}")
    if options.gravity is not None and not _are_numbers(options.gravity, 3):
        raise ValueError(f"gravity is three numbers in m/s², not {options.gravity!r}")
    if options.floor is not None and not _are_numbers([options.floor], 1):
        raise ValueError(f"the floor is at a finite height in m, not {options.floor!r}")
    if options.friction is not None and not (
        _are_numbers([options.friction], 1) and options.friction >= 0.0
    ):
        raise ValueError(f"friction is a finite number from 0 on, not {options.friction!r}")
    if options.density is not None and not (_are_numbers([options.density], 1) and options.density > 0.0):
        raise ValueError(f"density is a finite number of kg/m³ above 0, not {options.density!r}")
    solref = options.solref
    if solref is not None and not (_are_numbers(solref, 2) and all(solref)):
        raise ValueError(
            f"solref is two numbers, the time constant (s) and the damping ratio, not {solref!r}"
        )


def _are_numbers(values: Any, count: int) -> bool:
    """Whether values are so many finite numbers."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        return False
    return array.shape == (count,) and bool(np.isfinite(array).all())
