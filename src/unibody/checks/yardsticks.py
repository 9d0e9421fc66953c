"""What the mass and the inertia of a link are judged by: its shapes, or its joints and the other links."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from unibody.checks.shapes import LARGEST, LinkShapes
from unibody.model.arrays import Floats, Integers
from unibody.model.inertia import Inertial
from unibody.model.pose import quaternion_matrix
from unibody.model.robot import Joint, Robot
from unibody.model.solid import Solid
from unibody.model.traverse import path_of
from unibody.model.validation.references import Reference

# Density (kg/m³) of a link if nothing else is known, and how many links that knowledge is worth.
_DENSITY, _WORTH = 1000.0, 2
# Radius of gyration (m) of a body of 1 kg: that of a ball of 1000 kg/m³ is 0.048.
_GYRATION = 0.08
# Sizes that differ less, in shares of the size of the link, are equal.
_EQUAL = 2e-3
# Radius of gyration of a solid box in diagonals.
_FULL_BOX = 0.29
# The places of the entries of an inertia in its matrix.
_ROW, _COLUMN = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)
_FLIPS = np.array(list(product((1.0, -1.0), repeat=3)))
# Smallest radius of gyration in m.
_SMALLEST = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Yardstick:
    """A body that the link should be like.

    ``reference`` is the solid with its name; ``mass`` is that of the box around the link's shapes with the
    usual density of the other links. ``loose`` if only joints and other links tell the size, which is that
    for a mass of ``grows_from``.
    """

    reference: Reference
    mass: float
    loose: bool = False
    grows_from: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Twins:
    """Links with shapes and joints of the same sizes, and their inertials, mirrored as they are.

    Of equal inertials there is the first. ``names`` are the links of the rows: masses (n,) in kg, centers
    of mass (n, 3) in m and inertias (n, 3, 3) in kg·m², in the axes of the link that is judged; ``links``
    are all.
    """

    names: Sequence[str]
    masses: Floats
    centers: Floats
    inertias: Floats
    links: frozenset[str]


_NO_TWINS = Twins((), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3, 3)), frozenset())


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """The links with shapes and mass, which may be twins: their numbers, one row each.

    ``equals`` numbers the different inertials; the boxes of links without shapes in one are not numbers.
    """

    names: list[str]
    masses: Floats
    centers: Floats
    inertias: Floats
    equals: Integers
    sides: Floats
    middles: Floats
    ends: list[Floats]
    counts: Integers


class _Median:
    """The median of a number of each link, those of one left out."""

    def __init__(self, values: Mapping[str, float], prior: Sequence[float] = ()) -> None:
        self._values = {name: value for name, value in values.items() if math.isfinite(value)}
        self._sorted = sorted([*self._values.values(), *prior])

    def without(self, name: str) -> float:
        count, left_out = len(self._sorted), len(self._sorted)
        if name in self._values:
            count, left_out = count - 1, bisect_left(self._sorted, self._values[name])
        low, high = ((count - 1) // 2, count // 2)
        return (self._sorted[low + (low >= left_out)] + self._sorted[high + (high >= left_out)]) / 2.0


class Surroundings:
    """What a robot tells about each of its links: density and size of the others, and joints."""

    def __init__(self, robot: Robot, shapes: Sequence[LinkShapes]) -> None:
        self.robot = robot
        self._shapes = {one.link.name: one for one in shapes}
        self._joint_ends: dict[str, Floats] = {}

    @cached_property
    def joints(self) -> dict[str, Joint]:
        """The joint of each child."""
        return {joint.child: joint for joint in self.robot.joints}

    @cached_property
    def _children(self) -> dict[str, list[Joint]]:
        out: dict[str, list[Joint]] = {}
        for joint in self.robot.joints:
            out.setdefault(joint.parent, []).append(joint)
        return out

    @cached_property
    def _inertials(self) -> dict[str, Inertial]:
        """The inertials with usual numbers."""
        return {
            link.name: link.inertial
            for link in self.robot.links
            if link.inertial is not None and 0.0 < link.inertial.mass < LARGEST
        }

    @cached_property
    def _masses(self) -> dict[str, float]:
        return {name: math.log(inertial.mass) for name, inertial in self._inertials.items()}

    @cached_property
    def _densities(self) -> dict[str, float]:
        """ln of the density of the box around the shapes of each link."""
        volumes = {name: one.volume for name, one in self._shapes.items() if name in self._inertials}
        return {name: self._masses[name] - math.log(v) for name, v in volumes.items() if v > 0.0}

    @cached_property
    def _gyrations(self) -> dict[str, float]:
        """ln of the radius of gyration of each link, for a mass of 1 kg."""
        out: dict[str, float] = {}
        for name, inertial in self._inertials.items():
            square = gyration_square(inertial)
            if 0.0 < square < LARGEST:
                out[name] = 0.5 * math.log(square) - self._masses[name] / 3.0
        return out

    @cached_property
    def _usual_mass(self) -> _Median:
        return _Median(self._masses)

    @cached_property
    def _usual_density(self) -> _Median:
        return _Median(self._densities, [math.log(_DENSITY)] * _WORTH)

    @cached_property
    def _usual_gyration(self) -> _Median:
        return _Median(self._gyrations, [math.log(_GYRATION)] * _WORTH)

    def others(self, name: str) -> int:
        """The number of other links with mass."""
        return len(self._inertials) - (name in self._inertials)

    def density(self, name: str) -> float:
        """The usual density (kg/m³) of the boxes around the shapes of the other links."""
        return math.exp(self._usual_density.without(name))

    def skeleton(self, name: str, inertial: Inertial) -> Yardstick:
        """A body around the link frame and its joints, as large as the other links for its mass."""
        usual = math.exp(self._usual_gyration.without(name))
        points = np.array([[0.0, 0.0, 0.0], *(j.origin.xyz for j in self._children.get(name, []))])
        center = (points.min(0) + points.max(0)) / 2.0
        arms = points - center
        second = arms.T @ arms / len(points) / 6.0
        radius = max(usual * inertial.mass ** (1.0 / 3.0), _SMALLEST)
        second = second + radius**2 / 3.0 * np.eye(3)
        volume = math.sqrt(float(np.linalg.det(12.0 * second)))
        words = "a body of its mass around its joints" if len(points) > 1 else "other links for its mass"
        solid = Solid(volume, center, second * volume)
        return Yardstick(
            Reference(solid, words, path_of("links", name)), self._mass(name), True, inertial.mass
        )

    def diagonal(self, name: str) -> float:
        """The diagonal (m) of the box around the shapes of a link; 0 without shapes."""
        one = self._shapes.get(name)
        return (
            0.0
            if one is None or one.bounds is None
            else float(np.linalg.norm(one.bounds[1] - one.bounds[0]))
        )

    def misfit(self, name: str, inertial: Inertial) -> float:
        """How far the radius of gyration is from that of the box around the shapes, as ln."""
        square = gyration_square(inertial)
        return (
            abs(math.log(math.sqrt(square) / (_FULL_BOX * self.diagonal(name))))
            if square > 0.0
            else math.inf
        )

    def twins(self, name: str) -> Twins:
        """The links that should have the same inertial, and their inertials as they should be here."""
        one = self._shapes.get(name)
        if one is None:
            return _NO_TWINS
        all_ = self._candidates
        ends = self._ends(name)
        chosen = all_.counts == len(ends)
        if name in self._numbers:
            chosen[self._numbers[name]] = False
        if one.bounds is None:
            if not len(ends):
                return _NO_TWINS
            chosen &= np.isnan(all_.sides[:, 0])
            size = float(np.abs(ends).max())
            some = [k for k in np.flatnonzero(chosen).tolist() if are_sides(all_.names[k], name)]
            fits = np.ones((len(some), len(_FLIPS)), bool)
        else:
            low, high = one.bounds
            own = high - low
            size = float(own.max())
            some = np.flatnonzero(chosen & (np.abs(all_.sides - own).max(axis=1) <= _EQUAL * size)).tolist()
            off = np.abs(_FLIPS * all_.middles[some][:, None] - (low + high) / 2.0).max(2)
            fits = off <= _EQUAL * size
        if not some:
            return _NO_TWINS
        theirs = np.array([all_.ends[k] for k in some])
        for k in range(len(ends)):
            flipped = _FLIPS * theirs[:, k, None]
            fits &= np.abs(ends - flipped[:, :, None]).max(3).min(2) <= _EQUAL * size
        rows, flips = np.nonzero(fits)
        numbers = np.array(some)[rows]
        first = _first_of_each(all_.equals[numbers] * len(_FLIPS) + flips)
        kept, signs = numbers[first], _FLIPS[flips[first]]
        return Twins(
            [all_.names[k] for k in kept.tolist()],
            all_.masses[kept],
            signs * all_.centers[kept],
            signs[:, :, None] * all_.inertias[kept] * signs[:, None, :],
            frozenset(all_.names[k] for k in np.array(some)[fits.any(axis=1)].tolist()),
        )

    @cached_property
    def _candidates(self) -> _Candidates:
        found = [
            (one, inertial)
            for one in self._shapes.values()
            if (inertial := one.link.inertial) is not None and inertial.mass > 0.0
        ]
        numbers: dict[tuple[object, ...], int] = {}
        nowhere = np.full(3, math.nan)
        boxes = [one.bounds or (nowhere, nowhere) for one, _ in found]
        ends = [self._ends(one.link.name) for one, _ in found]
        return _Candidates(
            [one.link.name for one, _ in found],
            np.array([i.mass for _, i in found]),
            np.array([i.com for _, i in found]).reshape(-1, 3),
            np.array([i.inertia for _, i in found]).reshape(-1, 3, 3),
            np.array([numbers.setdefault((i.mass, i.com, i.inertia), len(numbers)) for _, i in found]),
            np.array([high - low for low, high in boxes]).reshape(-1, 3),
            np.array([(low + high) / 2.0 for low, high in boxes]).reshape(-1, 3),
            ends,
            np.array([len(each) for each in ends]),
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The rows of the candidates."""
        return {name: k for k, name in enumerate(self._candidates.names)}

    @cached_property
    def written(self) -> tuple[list[tuple[str, Inertial]], Floats]:
        """The links with mass, and the entries of their inertias (n, 6) in the axes of the file."""
        found = [
            (link.name, link.inertial)
            for link in self.robot.links
            if link.inertial is not None and link.inertial.mass > 0.0
        ]
        return found, np.array([file_entries(inertial) for _, inertial in found]).reshape(-1, 6)

    def _ends(self, name: str) -> Floats:
        """The origins (n, 3) of the joints to the children of a link."""
        ends = self._joint_ends.get(name)
        if ends is None:
            xyz = [j.origin.xyz for j in self._children.get(name, [])]
            ends = self._joint_ends[name] = np.array(xyz).reshape(-1, 3)
        return ends

    def _mass(self, name: str) -> float:
        """The usual mass (kg) of the other links."""
        return math.exp(self._usual_mass.without(name)) if self.others(name) else 1.0


def _first_of_each(values: Integers) -> Integers:
    """The places where each of some small numbers stands first, in order."""
    first = np.full(values.max(initial=-1) + 1, -1)
    first[values[::-1]] = np.arange(values.size - 1, -1, -1)
    return np.sort(first[first >= 0])


def entries_of(matrix: Floats) -> Floats:
    """The entries xx, xy, xz, yy, yz and zz (…, 6) of symmetric matrices (…, 3, 3)."""
    return np.asarray(matrix[..., _ROW, _COLUMN])


def file_axes(inertial: Inertial) -> Floats:
    """The axes (3, 3) in which the file gives the inertia."""
    return np.eye(3) if inertial.axes is None else np.array(quaternion_matrix(inertial.axes))


def file_entries(inertial: Inertial) -> Floats:
    """The inertia (6,) in the axes of the file: xx, xy, xz, yy, yz and zz."""
    axes = file_axes(inertial)
    return entries_of(axes.T @ np.array(inertial.inertia) @ axes)


def gyration_square(inertial: Inertial) -> float:
    """The mean square distance (m²) of the mass from its center."""
    (xx, _, _), (_, yy, _), (_, _, zz) = inertial.inertia
    return 0.5 * (xx + yy + zz) / inertial.mass


def are_sides(a: str, b: str) -> bool:
    """Whether two names differ only by left and right.

    >>> are_sides("ARM_LEFT_2", "ARM_RIGHT_2"), are_sides("LLEG", "RLEG"), are_sides("arm", "leg")
    (True, True, False)
    """
    a, b = (name.lower().replace("left", "l").replace("right", "r") for name in (a, b))
    differ = {pair for pair in zip(a, b, strict=False) if pair[0] != pair[1]}
    return len(a) == len(b) and differ in ({("l", "r")}, {("r", "l")})
