"""Explains the mass, the center of mass and the inertia of a link in an engine by values of the file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import Pose, quaternion_matrix
from unibody.model.robot import Link
from unibody.proof.fits import factor_between, turned_words
from unibody.proof.guesses import (
    FITTED,
    RIGHT,
    WEAK,
    Guess,
    Words,
    explained,
    inertia_factors,
    inertia_guesses,
    is_known,
    multiples,
    steiner,
    vector_guesses,
)
from unibody.proof.reference import Reference
from unibody.proof.sources import Tree, link_sources, other_inertials

# Masses, places (m) and inertias agree to these shares; an inertia that is less symmetric was not set.
_ALIKE, _PLACE, _SKEW = 1e-8, 1e-9, 1e-3


@dataclass(frozen=True, eq=False)
class Body:
    """A mass, its center (3) and its inertia (3, 3) about it, in the axes of a link."""

    mass: float
    com: Floats
    inertia: Floats

    @classmethod
    def of(cls, inertial: Inertial | None) -> Body:
        """The numbers of an inertial, those of nothing without one."""
        if inertial is None:
            return cls(0.0, np.zeros(3), np.zeros((3, 3)))
        return cls(inertial.mass, np.array(inertial.com), np.array(inertial.inertia))

    def placed(self, pose: Pose) -> Body:
        """The body in the frame in which its link has a pose."""
        turn = np.array(pose.rotation())
        return Body(
            self.mass, turn @ self.com + np.array(pose.xyz), np.asarray(turn @ self.inertia @ turn.T)
        )

    def without(self, other: Body) -> Body | None:
        """The rest of a body of which another one is a part; None if it has no mass."""
        mass = self.mass - other.mass
        if not mass > 1e-9 * max(self.mass, other.mass):
            return None
        com = (self.mass * self.com - other.mass * other.com) / mass
        total = self.inertia + steiner(self.mass, self.com)
        inertia = total - other.inertia - steiner(other.mass, other.com) - steiner(mass, com)
        return Body(mass, np.asarray(com), np.asarray(inertia))

    def joined(self, other: Body) -> Body:
        """Two bodies as one."""
        mass = self.mass + other.mass
        if not mass:
            return Body(0.0, self.com, self.inertia + other.inertia)
        com = (self.mass * self.com + other.mass * other.com) / mass
        inertia = (
            self.inertia
            + steiner(self.mass, self.com - com)
            + other.inertia
            + steiner(other.mass, other.com - com)
        )
        return Body(mass, np.asarray(com), np.asarray(inertia))

    def is_like(self, other: Body, tolerance: float) -> bool:
        """Whether all numbers agree to a share of their size."""
        size = max(float(np.abs(other.inertia).max()), 1e-300)
        return (
            abs(self.mass - other.mass) <= tolerance * max(other.mass, 1e-12)
            and float(np.abs(self.com - other.com).max()) <= tolerance
            and float(np.abs(self.inertia - other.inertia).max()) <= tolerance * size
        )

    def inertial(self) -> Inertial | None:
        """The body as an inertial; None without mass and inertia."""
        x, y, z = self.com.tolist()
        if not self.mass and not self.inertia.any():
            return None
        return Inertial(mass=self.mass, com=(x, y, z), inertia=matrix3(self.inertia))


@dataclass(frozen=True, eq=False)
class ExplainedBody:
    """What explains a body, part by part."""

    mass: Words = field(default_factory=lambda: RIGHT)
    com: Words = field(default_factory=lambda: RIGHT)
    inertia: Words = field(default_factory=lambda: RIGHT)

    @property
    def is_known(self) -> bool:
        """Whether values of the file explain all parts."""
        return all(is_known(words) for words in self.parts.values())

    @property
    def parts(self) -> dict[str, Words]:
        """The words by quantity."""
        return {"mass": self.mass, "com": self.com, "inertia": self.inertia}

    @property
    def cost(self) -> float:
        """The cost of the simplest words of all parts."""
        return sum(min(words.values(), default=math.inf) for words in self.parts.values())


def body_words(
    reference: Reference, tree: Tree, link: Link, own: Body, there: Body, exact: float
) -> ExplainedBody:
    """What explains a body of a link that should be another one, both in the axes of the link."""
    sources = link_sources(reference, tree, link)
    others = other_inertials(tree, link)
    tolerance = max(_ALIKE, 10.0 * exact)
    mass, com, inertia = RIGHT, RIGHT, RIGHT
    if abs(there.mass - own.mass) > tolerance * max(abs(own.mass), 1e-12):
        mass = _mass_words(own.mass, there.mass, {k: x.mass for k, x in others.items()}, tolerance)
    size = max(float(np.abs(own.com).max()), float(np.abs(there.com).max()), 1e-2)
    axes = inertial_axes(link)
    if there.mass and float(np.abs(there.com - own.com).max()) > max(_PLACE, tolerance * size):
        guesses = _coms(reference, tree, link, own)
        com = explained(guesses, there.com, max(_PLACE, tolerance * size)) or _fitted_com(own, there)
    largest = float(np.abs(there.inertia).max())
    scale = max(largest, float(np.abs(own.inertia).max()), 1e-300)
    if float(np.abs(there.inertia - own.inertia).max()) > tolerance * scale:
        inertia = _inertia_words(own, there, axes, sources.turns, others, tolerance * scale)
    if not is_known(mass) and not is_known(inertia) and WEAK <= min(com.values(), default=0.0) < FITTED:
        # a place that fits is no cause where nothing else of the body does
        com = _fitted_com(own, there)
    return ExplainedBody(mass, com, inertia)


def body_guesses(
    reference: Reference, tree: Tree, link: Link, own: Body
) -> Iterator[tuple[str, float, Body]]:
    """What simple mistakes make of the body of a link: their words, their cost, and the other body."""
    sources = link_sources(reference, tree, link)
    others = {k: np.array(x.inertia) for k, x in other_inertials(tree, link).items()}
    yield "mass and inertia dropped", 1.0, Body.of(None)
    yield "inertia dropped", 1.0, Body(own.mass, own.com, np.zeros((3, 3)))
    axes = inertial_axes(link)
    simple = next(inertia_guesses(own.inertia, axes, own.mass, own.com, sources.turns, others))
    for guess in simple:
        yield guess.words, guess.cost, Body(own.mass, own.com, guess.value)
    for guess in _coms(reference, tree, link, own):
        yield guess.words, guess.cost, Body(own.mass, guess.value, own.inertia)


def inertial_axes(link: Link) -> Floats:
    """The axes (3, 3) in which the file states the inertia of a link."""
    if link.inertial is None or link.inertial.axes is None:
        return np.eye(3)
    return np.array(quaternion_matrix(link.inertial.axes))


def _coms(reference: Reference, tree: Tree, link: Link, own: Body) -> list[Guess]:
    """What the center of mass of a link may become."""
    sources = link_sources(reference, tree, link)
    others = other_inertials(tree, link)
    coms = {f"that of {k}": np.array(x.com) for k, x in others.items()}
    places = {k: v for k, v in sources.vectors.items() if k != "its center of mass"}
    guesses = vector_guesses(own.com, "center of mass", {**coms, **places}, sources.turns, sources.poses)
    return [*guesses, *_com_guesses(own.com, sources.turns.get("its inertial frame"))]


#: The words for an inertia that has the factor of the mass.
AS_MASS = "inertia multiplied as the mass"
_POUND = 0.45359237


def _mass_words(own: float, there: float, others: Mapping[str, float], tolerance: float) -> Words:
    numbers = [
        (1.0, "mass and inertia dropped", 0.0),
        (1.0, "mass in g (1000 times too large)", 1e3 * own),
        (1.0, "mass divided by 1000", 1e-3 * own),
        (1.2, "mass doubled", 2.0 * own),
        (1.2, "mass halved", 0.5 * own),
        *((1.3, f"mass multiplied by {x:g}", x * own) for x in (10.0, 100.0, 0.1, 0.01)),
        (1.3, "mass in pounds: 2.205 times too large", own / _POUND),
        (1.3, "mass multiplied by 0.4536 (pounds)", own * _POUND),
        (1.3, "weight in N taken as mass: multiplied by 9.81", 9.81 * own),
        (1.3, "weight in N taken as mass: multiplied by 9.80665", 9.80665 * own),
        (1.3, "mass divided by 9.81", own / 9.81),
        (1.3, "mass divided by 9.80665", own / 9.80665),
        *((1.5, f"mass of {value:g} kg instead of that of the file", value) for value in (1.0, 0.1)),
        *((1.7, f"mass taken from {name}", value) for name, value in others.items()),
        *((1.7, f"mass of {name} added", own + value) for name, value in others.items()),
        *((1.9, f"mass of {name} subtracted", own - value) for name, value in others.items()),
        *((2.0, f"mass rounded to {k} digits", round(own, k)) for k in (0, 1, 2, 3)),
    ]
    guesses = [Guess(cost, words, np.array([value])) for cost, words, value in numbers]
    found = explained(guesses, np.array([there]), tolerance * max(abs(there), abs(own)))
    words = f"mass multiplied by {there / own:.6g}" if own else f"mass of {there:.6g} kg added"
    return {**found, words: FITTED}


def _com_guesses(own: Floats, axes: Floats | None) -> Iterator[Guess]:
    """Names of their own for what the axes of the inertial frame make of a center of mass."""
    if axes is not None:
        yield Guess(1.0, "center of mass in the axes of the inertial frame", axes @ own)
        yield Guess(1.1, "center of mass rotated the wrong way", axes.T @ own)


def _fitted_com(own: Body, there: Body) -> Words:
    factor = factor_between(own.com, there.com)
    if factor is not None:
        return {f"center of mass multiplied by {factor:.6g}": FITTED}
    if not own.mass:
        return RIGHT
    return {f"center of mass moved by {float(np.linalg.norm(there.com - own.com)):.6g} m": FITTED}


def _inertia_words(
    own: Body,
    there: Body,
    axes: Floats,
    turns: Mapping[str, Floats],
    others: Mapping[str, Inertial],
    tolerance: float,
) -> Words:
    guesses = [
        Guess(1.0, "inertia dropped", np.zeros((3, 3))),
        Guess(1.1, "unit inertia", np.eye(3)),
    ]
    if own.mass and abs(there.mass - own.mass) > 1e-9 * own.mass:
        guesses.append(Guess(0.3, AS_MASS, own.inertia * there.mass / own.mass))
    factor = factor_between(own.com, there.com)
    if factor is not None and abs(factor - 1.0) > 1e-9:
        words = "inertia multiplied as the square of the lengths"
        guesses.append(Guess(0.5, words, own.inertia * factor**2))
    if own.mass and float(np.abs(own.com - there.com).max()) > _PLACE:
        moved = steiner(own.mass, own.com) - steiner(own.mass, there.com)
        guesses.append(Guess(0.5, "inertia about the origin kept", own.inertia + moved))
        away = steiner(own.mass, there.com - own.com)
        guesses.append(Guess(1.2, "inertia moved to the other center of mass", own.inertia + away))
        guesses.append(Guess(1.2, "inertia moved from the other center of mass", own.inertia - away))
        guesses.append(
            Guess(1.3, "inertia moved to the other center of mass twice", own.inertia + 2.0 * away)
        )
    inertias = {k: np.array(x.inertia) for k, x in others.items()}
    found: dict[str, float] = {}
    for more in inertia_guesses(own.inertia, axes, own.mass, own.com, turns, inertias):
        found = explained([*guesses, *more], there.inertia, tolerance)
        if not found:
            found = multiples(more, there.inertia, tolerance, inertia_factors(own.mass))
        if found:
            break
    return found or {fitted_inertia(own, there): FITTED}


def fitted_inertia(own: Body, there: Body) -> str:
    """What an inertia is that nothing explains."""
    a, b = np.sort(np.linalg.eigvalsh(own.inertia)), np.sort(np.linalg.eigvalsh(there.inertia))
    size = max(float(np.abs(a).max()), 1e-300)
    if np.abs(a - b).max() <= 1e-6 * size:
        if np.abs(own.inertia - there.inertia).max() > 1e-6 * size:
            return turned_words(own.inertia, there.inertia)
        off = float(np.abs(own.inertia - there.inertia).max()) / size
        told = f"equal moments, off by {off:.2g} of the largest"
        return f"axes of the inertia rounded, as an iteration leaves them that ends early: {told}"
    if np.abs(there.inertia - there.inertia.T).max() > _SKEW * np.abs(there.inertia).max():
        return "inertia of memory that was not set: it is not symmetric"
    ratio = b[2] / max(a[2], 1e-300)
    if np.abs(a * ratio - b).max() <= 1e-6 * np.abs(b).max():
        words = f"inertia multiplied by {_power(ratio, factor_between(own.com, there.com))}"
        turned = np.abs(own.inertia * ratio - there.inertia).max() > 1e-6 * np.abs(b).max()
        return f"{words}, inertia rotated" if turned else words
    if not own.mass:
        return "another inertia"
    moments = ", ".join(f"{x:.6g}" for x in b)
    return f"another inertia: principal moments {moments} kg m², not {', '.join(f'{x:.6g}' for x in a)}"


def _power(value: float, factor: float | None) -> str:
    """A number, as a power of a factor of lengths if it is one."""
    for power in (2, 3, 4, 5):
        if factor is not None and factor > 0.0 and math.isclose(value, factor**power, rel_tol=1e-6):
            return f"{value:.6g} ({factor:.6g}^{power})"
    return f"{value:.6g}"
