"""Exact motion checks for the planners of OMPL."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.collision.world import World
from unibody.mechanism.arguments import Positions
from unibody.model.arrays import Floats
from unibody.planning.coordinates import Coordinates, coordinates_of
from unibody.planning.goals import configuration
from unibody.text.installation import package_command
from unibody.text.missing import missing


class OmplValidator:
    """A world as OMPL sees it; made by :func:`ompl_validator`.

    ``information`` is a SpaceInformation with ``motions``, the exact MotionValidator, and a checker of
    states. A state has the normalized coordinates that move, each from 0 to 1. Cyclic ones do not wrap.
    """

    def __init__(self, world: World, start: Floats, information: Any, motions: Any) -> None:
        self._world, self._start = world, start
        self._coordinates = coordinates_of(world.mechanism, start)
        self.information, self.motions = information, motions

    def state(self, q: Positions | str) -> Any:
        """The state of a configuration; ValueError for one that the coordinates do not reach."""
        given = configuration(self._world.mechanism, q, self._start)
        joint = self._coordinates.unreached(given)
        if joint is not None:
            raise ValueError(f"the configuration moves {joint}, which no coordinate moves there")
        out = self.information.allocState()
        for at, value in enumerate(self._coordinates.from_joints(given).tolist()):
            out[at] = value
        return out

    def configuration(self, state: Any) -> Floats:
        """The configuration (nq,) of a state."""
        return self._coordinates.to_joints(_reals(state, self._coordinates.n))

    def path(self, solution: Any) -> Floats:
        """The configurations (n, nq) of a path of OMPL."""
        return np.array([self.configuration(state) for state in solution.getStates()])


def ompl_validator(world: World, start: Positions | str | None = None) -> OmplValidator:
    """The MotionValidator of OMPL that proves the motions which it calls valid, with its space.

    The states are the coordinates that :func:`unibody.plan` moves from ``start``; everything else stays
    where ``start`` has it. MissingExtra if OMPL is not installed.

    >>> import pytest
    >>> for module in ("coal", "ompl"):
    ...     _ = pytest.importorskip(module, reason="needs coal, pin and ompl")
    >>> from unibody import collisions, load
    >>> validator = ompl_validator(collisions(load("src/unibody/models/arm.rob")))
    >>> validator.information.checkMotion(validator.state({"Fore": 0.0}), validator.state({"Fore": 0.5}))
    True
    """
    try:
        from ompl import base
    except ImportError:
        raise missing("ompl_validator", "OMPL", package_command("ompl")) from None
    first = configuration(world.mechanism, start, np.asarray(world.mechanism.initial, np.float64))
    coordinates = coordinates_of(world.mechanism, first)
    bounds = base.RealVectorBounds(coordinates.n)
    bounds.setLow(0.0)
    bounds.setHigh(1.0)
    space = base.RealVectorStateSpace(coordinates.n)
    space.setBounds(bounds)
    information = base.SpaceInformation(space)
    motions = _motions(base.MotionValidator, information, world, coordinates)

    def valid(state: Any) -> bool:
        return not world.colliding(coordinates.to_joints(_reals(state, coordinates.n)))

    information.setStateValidityChecker(valid)
    information.setMotionValidator(motions)
    information.setup()
    return OmplValidator(world, first, information, motions)


def _motions(base: Any, information: Any, world: World, coordinates: Coordinates) -> Any:
    """The exact MotionValidator; it must not refer to the information, which owns it."""

    class ExactMotions(base):  # type: ignore[misc]
        """Proves motions."""

        def checkMotion(self, a: Any, b: Any) -> bool:  # noqa: N802
            """Whether the straight motion between two states is proved free."""
            x = np.array([_reals(a, coordinates.n), _reals(b, coordinates.n)])
            q = coordinates.to_joints(x)
            return bool(not world.colliding(q[1]) and world.free(q[0], q[1]))

    return ExactMotions(information)


def _reals(state: Any, count: int) -> Floats:
    return np.array([state[at] for at in range(count)])
