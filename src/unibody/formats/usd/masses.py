"""Reads the mass properties of bodies; what a body does not state, from its colliders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unibody.formats.solid_bodies import body_of
from unibody.formats.usd.document_physics import PhysicsMassAPI
from unibody.formats.usd.joints import Units
from unibody.formats.usd.looks import Looks
from unibody.formats.usd.places import Place, rotation
from unibody.model import shape as s
from unibody.model.inertia import Inertial, compose, matrix3, placed, rotated
from unibody.model.pose import ZERO, Matrix3, Pose, Vector3
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings

#: The density of what states none, in kg/m³.
DENSITY = 1000.0
_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Collider:
    """A collider of a body: its prim, and its shape in the frame of the body."""

    place: Place
    shape: s.Shape


@dataclass(frozen=True, slots=True)
class MassReader:
    """Reads masses in the units of the stage."""

    units: Units
    looks: Looks
    findings: Findings

    def read(self, body: Place, name: str, colliders: Sequence[Collider]) -> Inertial | None:
        """The mass properties of a body in its frame; None, with a finding, if nothing tells its mass."""
        doc = body.prim.mass
        mass = doc.mass * self.units.kilograms if doc is not None and doc.mass else None
        com, inertia = self._com(doc, body), self._inertia(body, doc, name)
        at = doc.at() if doc is not None else body.prim.at()
        if mass is None or inertia is None or com is None:
            whole = self._derived(doc, name, colliders)
            if whole is None:
                return self._underived(mass, com, inertia, body, name)
            self._tell(body, name, mass, com, inertia, whole)
            if mass is None:
                mass = whole.mass
            if inertia is None:
                factor = mass / whole.mass if whole.mass > 0.0 else 1.0
                inertia = matrix3(np.array(whole.inertia) * factor)
            com = whole.com if com is None else com
        assert inertia is not None
        return Inertial(
            mass=mass,
            com=com,
            inertia=inertia,
            at=at,
            mass_at=doc.written_at("mass") if doc is not None else None,
            com_at=doc.written_at("center_of_mass") if doc is not None else None,
            inertia_at=doc.written_at("diagonal_inertia") if doc is not None else None,
        )

    def _underived(
        self, mass: float | None, com: Vector3 | None, inertia: Matrix3 | None, body: Place, name: str
    ) -> Inertial | None:
        """What is stated of a body without colliders."""
        if mass is None:
            self.findings.warning(
                "mass-unstated",
                f"link '{name}' has no mass, and no colliders to derive it from",
                body.prim.at(),
                "apply PhysicsMassAPI and write physics:mass",
            )
            return None
        if inertia is None:
            self.findings.warning(
                "inertia-unstated",
                f"link '{name}' has a mass of {mass:g} kg, but no inertia, and no colliders to derive it",
                body.prim.at(),
                "write physics:diagonalInertia and physics:principalAxes",
            )
            return Inertial(mass=mass, com=com or ZERO, inertia=(ZERO, ZERO, ZERO))
        return Inertial(mass=mass, com=com or ZERO, inertia=inertia)

    def _tell(
        self,
        body: Place,
        name: str,
        mass: float | None,
        com: Vector3 | None,
        inertia: Matrix3 | None,
        whole: Inertial,
    ) -> None:
        missing = [
            word
            for word, value in (("mass", mass), ("center of mass", com), ("inertia", inertia))
            if value is None
        ]
        if missing == ["center of mass"] and math.hypot(*whole.com) < 1e-9:
            return
        self.findings.info(
            "mass-derived",
            f"link '{name}': {', '.join(missing)} derived from its colliders"
            + (f": {whole.mass:.6g} kg" if mass is None else ""),
            body.prim.at(),
            "write them with PhysicsMassAPI",
        )

    def _com(self, doc: PhysicsMassAPI | None, body: Place) -> Vector3 | None:
        if doc is None or not all(map(math.isfinite, doc.center_of_mass)):
            return None
        x, y, z = (value * factor for value, factor in zip(doc.center_of_mass, body.scale, strict=True))
        return (x, y, z)

    def _inertia(self, body: Place, doc: PhysicsMassAPI | None, name: str) -> Matrix3 | None:
        """The inertia in the axes of the body: Newton's six numbers, else the principal moments."""
        unit = self.units.torque
        newton = body.prim.newton_mass
        stated = self._diagonal(doc)
        if stated is not None and doc is not None and not any(doc.principal_axes):
            self.findings.warning(
                "principal-axes-missing",
                f"link '{name}': physics:diagonalInertia must have physics:principalAxes beside it; read "
                "in the axes of the body",
                doc.at("diagonal_inertia"),
                "write physics:principalAxes = (1, 0, 0, 0)",
            )
        if newton is not None and newton.inertia is not None and len(newton.inertia) == 6:
            xx, yy, zz, xy, xz, yz = (float(v) * unit for v in newton.inertia.array())
            full = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
            if any(map(any, full)):
                self._compare(full, stated, body, name)
                return full
        return stated

    def _diagonal(self, doc: PhysicsMassAPI | None) -> Matrix3 | None:
        if doc is None or not any(doc.diagonal_inertia):
            return None
        a, b, c = (value * self.units.torque for value in doc.diagonal_inertia)
        moments = ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))
        return rotated(moments, Pose(ZERO, rotation(doc.principal_axes)))

    def _compare(self, full: Matrix3, stated: Matrix3 | None, body: Place, name: str) -> None:
        """Report an inertia that is stated twice and differently."""
        if stated is None:
            return
        a, b = np.array(full), np.array(stated)
        if np.abs(a - b).max() > _TOLERANCE * np.abs(a).max():
            self.findings.warning(
                "inertia-twice",
                f"link '{name}': newton:inertia and physics:diagonalInertia in physics:principalAxes "
                "must be the same inertia, but differ; newton:inertia is read",
                body.prim.at(),
                "remove the wrong one",
            )

    # --- derived ----------------------------------------------------------------------------

    def _derived(
        self, doc: PhysicsMassAPI | None, name: str, colliders: Sequence[Collider]
    ) -> Inertial | None:
        """The mass properties of the colliders of a body together; None if they have no volume."""
        parts = []
        for each in colliders:
            solid = _solid(each.shape)
            if solid is None:
                continue
            own = each.place.prim.mass
            if own is not None and own.mass > 0.0:
                factor = own.mass * self.units.kilograms / solid.mass
            else:
                factor = self._density(each, doc)
            inertia = matrix3(np.array(solid.inertia) * factor)
            parts.append(replace(solid, mass=solid.mass * factor, inertia=inertia))
        whole = compose(parts) if parts else None
        return whole if whole is not None and whole.mass > 0.0 else None

    def _density(self, collider: Collider, body: PhysicsMassAPI | None) -> float:
        """The density of a collider in kg/m³: its own, its material's, its body's, else that of water."""
        unit = self.units.kilograms / self.units.meters**3
        own = collider.place.prim.mass
        if own is not None and own.density > 0.0:
            return own.density * unit
        material = self.looks.touch(collider.place)
        surface = None if material is None else material.prim.physics_material
        if surface is not None and surface.density > 0.0:
            return surface.density * unit
        if body is not None and body.density > 0.0:
            return body.density * unit
        return DENSITY


def _solid(shape: s.Shape) -> Inertial | None:
    """The mass properties of a shape of density 1; None without volume."""
    geometry = shape.geometry
    if isinstance(geometry, s.Mesh):
        enclosed = _of_mesh(geometry)
        return None if enclosed is None else placed(enclosed, shape.pose)
    found = body_of(geometry)
    if found is None or found[0] <= 0.0 or shape.linear is not None:
        return None
    volume, (xx, yy, zz) = found
    low = -geometry.height / 4.0 if isinstance(geometry, s.Cone) else 0.0
    inertia = ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))
    return placed(Inertial(mass=volume, com=(0.0, 0.0, low), inertia=inertia), shape.pose)


def _of_mesh(mesh: s.Mesh) -> Inertial | None:
    """The mass properties of what a mesh encloses, of density 1, by the tetrahedra to its middle."""
    points = np.asarray(mesh.vertices, np.float64).reshape(-1, 3)
    triangles = _triangles(np.asarray(mesh.faces, np.int64))
    if not triangles.size:
        return None
    triangles = _oriented(points, triangles)
    middle = points.mean(axis=0)
    a, b, c = (points[triangles[:, k]] - middle for k in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    total = float(volumes.sum())
    if abs(total) < 1e-18:
        return None
    sign = 1.0 if total > 0.0 else -1.0
    volumes, total = volumes * sign, total * sign
    center = np.einsum("i,ij->j", volumes, a + b + c) / (4.0 * total)
    second = np.zeros((3, 3))
    corners = np.stack([a, b, c])
    sums = corners.sum(axis=0)
    second = np.einsum("i,ij,ik->jk", volumes, sums, sums)
    for k in range(3):
        second += np.einsum("i,ij,ik->jk", volumes, corners[k], corners[k])
    second = second / 20.0 - total * np.outer(center, center)
    inertia = np.trace(second) * np.eye(3) - second
    x, y, z = (center + middle).tolist()
    return Inertial(mass=total, com=(x, y, z), inertia=matrix3(inertia))


def _triangles(faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Polygons that are closed by −1 as fans of triangles."""
    ends = np.flatnonzero(faces < 0)
    starts = np.concatenate(([0], ends[:-1] + 1))
    counts = np.maximum(ends - starts - 2, 0)
    first = np.repeat(starts, counts)
    step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.stack([faces[first], faces[first + step + 1], faces[first + step + 2]], axis=1)


def _oriented(points: NDArray[np.float64], triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Triangles of which neighbors pass the edge between them in opposite directions, as far as they can.

    Faces that some author has turned would count negative in a volume.
    """
    _, welded = np.unique(points, axis=0, return_inverse=True)
    corners = welded.reshape(-1)[triangles]
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    if len(np.unique(edges, axis=0)) == len(edges):
        return triangles
    sides: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for k, (a, b) in enumerate(edges.tolist()):
        sides.setdefault((min(a, b), max(a, b)), []).append((k % len(corners), a < b))
    flips: dict[int, bool] = {}
    for start in range(len(corners)):
        if start in flips:
            continue
        flips[start] = False
        todo = [start]
        while todo:
            face = todo.pop()
            a, b, c = corners[face].tolist()
            for x, y in ((a, b), (b, c), (c, a)):
                pair = sides[min(x, y), max(x, y)]
                if len(pair) != 2 or pair[0][0] == pair[1][0]:
                    continue
                other = pair[1] if pair[0][0] == face else pair[0]
                if other[0] not in flips:
                    same = pair[0][1] == pair[1][1]
                    flips[other[0]] = flips[face] != same
                    todo.append(other[0])
    turned = np.array([flips[k] for k in range(len(corners))])
    return np.where(turned[:, None], triangles[:, ::-1], triangles)
