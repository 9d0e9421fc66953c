"""What the mass and the inertia of a link are judged by: its shapes, or its joints and the other links."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from unibody.checks.shapes import LARGEST, LinkShapes
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
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
class Twin:
    """A link with shapes and joints of the same sizes, its inertial mirrored as they are."""

    name: str
    mass: float
    com: Floats
    inertia: Floats


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

    def twins(self, name: str) -> list[Twin]:
        """The links that should have the same inertial, and their inertials as they should be here."""
        one = self._shapes.get(name)
        return list(self._twins(one)) if one is not None else []

    def _twins(self, one: LinkShapes) -> Iterator[Twin]:
        name = one.link.name
        for other in self._alike(one):
            inertial = other.link.inertial
            if inertial is None or other.link.name == name or not inertial.mass > 0.0:
                continue
            flips = self._flips(other, one)
            if not len(flips):
                continue
            inertias = flips[:, :, None] * np.array(inertial.inertia) * flips[:, None, :]
            for com, inertia in zip(flips * np.array(inertial.com), inertias, strict=True):
                yield Twin(other.link.name, inertial.mass, com, inertia)

    @cached_property
    def _extents(self) -> tuple[list[LinkShapes], Floats]:
        """The links with shapes in a box, and the sides of their boxes (n, 3)."""
        boxes = [(one, one.bounds) for one in self._shapes.values() if one.bounds is not None]
        sides = np.array([high - low for _, (low, high) in boxes]).reshape(-1, 3)
        return [one for one, _ in boxes], sides

    def _alike(self, one: LinkShapes) -> list[LinkShapes]:
        """The links whose boxes have the same sides; for one without shapes, those without any."""
        if one.bounds is None:
            return [other for other in self._shapes.values() if other.bounds is None]
        boxed, sides = self._extents
        own = one.bounds[1] - one.bounds[0]
        near = np.abs(sides - own).max(axis=1) <= _EQUAL * float(own.max())
        return [other for other, is_near in zip(boxed, near.tolist(), strict=True) if is_near]

    def _flips(self, a: LinkShapes, b: LinkShapes) -> Floats:
        """The changes of signs of axes (n, 3) that move the shapes and joints of one link to another's."""
        ends, others = self._ends(a.link.name), self._ends(b.link.name)
        if len(ends) != len(others):
            return _FLIPS[:0]
        flips = _FLIPS
        if a.bounds is None or b.bounds is None:
            if not len(ends) or not are_sides(a.link.name, b.link.name):
                return _FLIPS[:0]
            size = float(np.abs(others).max())
        else:
            (low, high), (other_low, other_high) = a.bounds, b.bounds
            size = float((other_high - other_low).max())
            off = np.abs(flips * ((low + high) / 2.0) - (other_low + other_high) / 2.0).max(1)
            flips = flips[off <= _EQUAL * size]
        for end in ends:
            if not len(flips):
                break
            apart = np.abs(others - (flips * end)[:, None]).max(2).min(1)
            flips = flips[apart <= _EQUAL * size]
        return flips

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
