"""Where the prims of a stage are, and what they inherit from those above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.formats.placement import Placement, split
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.tree import RESET
from unibody.model.decomposition import diagonal, product, singular_values, transposed
from unibody.model.inertia import matrix3
from unibody.model.pose import (
    IDENTITY,
    Matrix3,
    Pose,
    Vector3,
    cross,
    dot,
    matrix_quaternion,
    quaternion_matrix,
)
from unibody.text.dataclass import dataclass

Matrix = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class Place:
    """A prim in its stage.

    ``world`` is its 4×4 transform in the world, in meters with Z up, for points as columns; ``pose`` is
    the same without scale and shear, and ``scale`` the factors along its axes. ``body`` is the nearest
    prim at or above it that is a rigid body. ``purpose`` and ``hidden`` are what it inherits.
    """

    path: str
    prim: Prim
    above: Place | None
    world: Matrix
    local: Matrix
    resets: bool = False
    purpose: str = "default"
    hidden: bool = False
    body: Place | None = None
    below: list[Place] = field(default_factory=list)
    _pose: Pose | None = None
    _scale: Vector3 = (1.0, 1.0, 1.0)

    @property
    def pose(self) -> Pose:
        """Its pose in the world, without scale."""
        if self._pose is None:
            turn, self._scale = _factors(self.world)
            x, y, z = self.world[:3, 3].tolist()
            self._pose = Pose((x, y, z), matrix_quaternion(turn))
        return self._pose

    @property
    def scale(self) -> Vector3:
        """The factors along its axes in the world, in m per unit."""
        _ = self.pose
        return self._scale

    def within(self, body: Place | None, move: Pose = IDENTITY) -> Placement:
        """Its placement, with its scale, in the frame that is at ``move`` in a body, or in the world."""
        placement = _placement(self._below(body))
        return placement if move == IDENTITY else replace(placement, pose=move.inverse() @ placement.pose)

    def pose_in(self, body: Place | None, move: Pose = IDENTITY) -> Pose:
        """Its pose there."""
        return self.within(body, move).pose

    def _below(self, body: Place | None) -> Matrix:
        """Its transform in the frame of a body without scale, if it can as a product of what is between."""
        if body is None:
            return self.world
        made = np.eye(4)
        inner: Place | None = self
        while inner is not None and inner is not body and not inner.resets:
            made = composed(inner.local, made)
            inner = inner.above
        if inner is not body or _sheared(body.world):
            away = np.array(body.pose.inverse().matrix())
            return composed(away, self.world)
        made[:3] *= np.array([_rounded(factor) for factor in body.scale])[:, None]
        return made

    def all(self) -> Iterator[Place]:
        """It and all below it, in the order of the stage."""
        todo = [self]
        while todo:
            place = todo.pop()
            yield place
            todo += reversed(place.below)


def _placement(world: Matrix) -> Placement:
    """A transform as a pose and a scale, exact for one without shear."""
    x, y, z = world[:3, 3].tolist()
    if _sheared(world):
        return split(matrix3(world[:3, :3]), (x, y, z))
    turn, factors = _factors(world)
    a, b, c = map(_rounded, factors)
    return Placement(Pose((x, y, z), matrix_quaternion(turn)), diagonal((a, b, c)))


def _rounded(factor: float) -> float:
    """A factor without the rounding of products."""
    return float(f"{factor:.12g}")


def _factors(world: Matrix) -> tuple[Matrix3, Vector3]:
    """The rotation of a transform, and its factors along the rotated axes; exact for one without shear."""
    if not _sheared(world):
        columns = np.linalg.norm(world[:3, :3], axis=0)
        x, y, z = columns.tolist()
        return matrix3(world[:3, :3] / columns), (x, y, z)
    u, factors, v = singular_values(matrix3(world[:3, :3]))
    return product(u, transposed(v)), factors


def _sheared(world: Matrix) -> bool:
    """Whether a transform does more than to rotate a box that is stretched along its edges."""
    # plain numbers: a stage has many prims, and arrays of nine are slow
    rows = world[:3, :3].tolist()
    x, y, z = zip(*rows, strict=True)
    sizes = [dot(v, v) ** 0.5 for v in (x, y, z)]
    if not min(sizes) > 0.0:
        return True
    x, y, z = (tuple(value / size for value in v) for v, size in zip((x, y, z), sizes, strict=True))
    square = max(abs(dot(x, y)), abs(dot(y, z)), abs(dot(z, x))) <= 1e-6
    return not square or dot(cross(x, y), z) < 0.0


def composed(a: NDArray[np.floating[Any]], b: NDArray[np.floating[Any]]) -> Matrix:
    """The product of two matrices, the same on every processor, as that of a library is not."""
    made: Matrix = np.einsum("ij,jk->ik", a, b)
    return made


def local_matrix(prim: Prim) -> tuple[Matrix, bool]:
    """The transform of a prim below its parent, and whether it counts from the world instead."""
    made = np.eye(4)
    order: Sequence[str] = prim.order
    resets = order[:1] == (RESET,)
    for name in order:
        made = composed(made, _operation(prim, name))
    return made, resets


def _operation(prim: Prim, name: str) -> Matrix:
    made = np.eye(4)
    if name == "xformOp:translate" and prim.translate is not None:
        made[:3, 3] = prim.translate
    elif name == "xformOp:orient" and prim.orient is not None:
        made[:3, :3] = quaternion_matrix(_unit(prim.orient))
    elif name == "xformOp:scale" and prim.scale is not None:
        made[:3, :3] = np.diag(prim.scale)
    elif name == "xformOp:transform" and prim.transform is not None:
        made = np.array(prim.transform).reshape(4, 4).T
    return made


def _unit(q: Sequence[float]) -> tuple[float, float, float, float]:
    w, x, y, z = q
    size = (w * w + x * x + y * y + z * z) ** 0.5
    return (w / size, x / size, y / size, z / size) if size > 0.0 else (1.0, 0.0, 0.0, 0.0)


def rotation(q: Sequence[float]) -> tuple[float, float, float, float]:
    """A quaternion as USD writes it (w, x, y, z), with unit length; the identity for zeros."""
    return _unit(q)


def upright(up: str, meters: float) -> Matrix:
    """From the units and axes of a stage to meters with Z up."""
    made = np.eye(4)
    if up == "Y":
        made[:3, :3] = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    made[:3, :3] *= meters
    return made


def placed(prims: Sequence[Prim], top: Matrix) -> dict[str, Place]:
    """The places of all prims by path, in the order of the stage."""
    out: dict[str, Place] = {}
    todo: list[tuple[Prim, str, Place | None]] = [(prim, "", None) for prim in reversed(prims)]
    while todo:
        prim, parent, above = todo.pop()
        path = f"{parent}/{prim.def_name}"
        local, resets = local_matrix(prim)
        base = top if above is None or resets else above.world
        place = out[path] = Place(path, prim, above, composed(base, local), local, resets)
        if above is not None:
            above.below.append(place)
            place.purpose, place.hidden, place.body = above.purpose, above.hidden, above.body
        if "purpose" in prim.given:
            place.purpose = prim.purpose
        if prim.visibility == "invisible":
            place.hidden = True
        if prim.rigid_body is not None:
            place.body = place
        todo += [(each, path, place) for each in reversed(prim.prims)]
    return out
