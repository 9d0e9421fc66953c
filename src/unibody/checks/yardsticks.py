"""What the mass and the inertia of a link are judged by: its shapes, or its joints and the other links."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
_FLIPS = tuple(np.array(signs) for signs in product((1.0, -1.0), repeat=3))
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


class Surroundings:
    """What a robot tells about each of its links: density and size of the others, and joints."""

    def __init__(self, robot: Robot, shapes: Sequence[LinkShapes]) -> None:
        self.robot = robot
        self._shapes = {one.link.name: one for one in shapes}

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

    def others(self, name: str) -> int:
        """The number of other links with mass."""
        return len(self._inertials.keys() - {name})

    def density(self, name: str) -> float:
        """The usual density (kg/m³) of the boxes around the shapes of the other links."""
        others = [v for other, v in self._densities.items() if other != name and math.isfinite(v)]
        return math.exp(float(np.median([*others, *[math.log(_DENSITY)] * _WORTH])))

    def skeleton(self, name: str, inertial: Inertial) -> Yardstick:
        """A body around the link frame and its joints, as large as the other links for its mass."""
        others = [v for other, v in self._gyrations.items() if other != name and math.isfinite(v)]
        usual = math.exp(float(np.median([*others, *[math.log(_GYRATION)] * _WORTH])))
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
            for flip in self._flips(other, one):
                inertia = flip[:, None] * np.array(inertial.inertia) * flip
                yield Twin(other.link.name, inertial.mass, flip * np.array(inertial.com), inertia)

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

    def _flips(self, a: LinkShapes, b: LinkShapes) -> list[Floats]:
        """The changes of signs of axes that move the shapes and joints of one link to those of another."""
        ends = [np.array([j.origin.xyz for j in self._children.get(x.link.name, [])]) for x in (a, b)]
        if len(ends[0]) != len(ends[1]):
            return []
        if a.bounds is None or b.bounds is None:
            if not len(ends[0]) or not are_sides(a.link.name, b.link.name):
                return []
            corners, size = [np.zeros((2, 3))] * 2, float(np.abs(ends[1]).max())
        else:
            corners, size = [np.array(a.bounds), np.array(b.bounds)], float(np.ptp(b.bounds, axis=0).max())
        out = []
        for flip in _FLIPS:
            center = flip * corners[0].mean(0)
            if np.abs(center - corners[1].mean(0)).max() > _EQUAL * size:
                continue
            moved = ends[0] * flip if len(ends[0]) else ends[0]
            if all(np.abs(ends[1] - point).max(1).min() <= _EQUAL * size for point in moved):
                out.append(flip)
        return out

    def _mass(self, name: str) -> float:
        """The usual mass (kg) of the other links."""
        others = [v for other, v in self._masses.items() if other != name]
        return math.exp(float(np.median(others))) if others else 1.0


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
