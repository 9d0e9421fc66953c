"""Two robots compared in numbers, at random configurations: the last line of every report."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.files import Files
from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.mesh import MeshCache, bounds, link_surfaces
from unibody.model.change.joints import split_joints
from unibody.model.parts import renamed
from unibody.model.robot import JOINT_SIZE, Joint, JointKind, Robot
from unibody.model.shape import Plane

Floats = NDArray[np.float64]

CONFIGURATIONS = 20
_TURNS: tuple[JointKind, ...] = ("screw", "universal")
# How far joints without limits are moved, in rad or m.
_FAR = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The largest deviations between a robot and its written twin, as seen from the root link.

    poses in m, turns in rad, mass in kg, com in m, inertia (entries of the mass matrix of the joints
    that both have) in kg·m², limits in rad or m, bounds of meshes in m; None where there is nothing
    to compare. ``skipped`` says what was left out, and why.
    """

    configurations: int = 0
    poses: float | None = None
    turns: float | None = None
    mass: float | None = None
    com: float | None = None
    inertia: float | None = None
    limits: float | None = None
    bounds: float | None = None
    skipped: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The numbers as plain JSON data."""
        return {name: _plain(getattr(self, name)) for name in self.__slots__}

    def __str__(self) -> str:
        named = (
            ("link poses", self.poses, "m"),
            ("turns", self.turns, "rad"),
            ("mass", self.mass, "kg"),
            ("centre of mass", self.com, "m"),
            ("mass matrix", self.inertia, "kg m²"),
            ("limits", self.limits, "rad or m"),
            ("mesh bounds", self.bounds, "m"),
        )
        # below this it is the last bits of the numbers, which processors round differently
        shown = [
            f"{word} {'exact' if v < 1e-12 else f'off by {v:.2g} {unit}'}"
            for word, v, unit in named
            if v is not None
        ]
        skipped = [f"not compared: {s}" for s in self.skipped]
        return f"{self.configurations} configurations: " + ", ".join(shown + skipped)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def prove(a: Robot, b: Robot, files: Files, changed: Iterable[str] = ()) -> Proof:
    """Compare two robots that should be one; ``changed`` names links whose shapes are to be measured."""
    b = _paired(a, b)
    skipped: list[str] = []
    moving = _moving(a, b, skipped)
    extent = _bounds(a, b, files, changed)
    return Proof(
        **moving,
        mass=abs(a.mass - b.mass),
        limits=_limits(a, b),
        bounds=extent,
        skipped=tuple(skipped),
    )


def _paired(a: Robot, b: Robot) -> Robot:
    """The second robot with its joints called as those of the first that move the same links."""
    known = {j.child: j.name for j in a.joints}
    names = {j.name: known.get(j.child, j.name) for j in b.joints}
    if all(k == v for k, v in names.items()) or len(set(names.values())) < len(names):
        return b
    return renamed(b, "joints", names)


def _moving(a: Robot, b: Robot, skipped: list[str]) -> dict[str, Any]:
    """What depends on the configuration."""
    if any(j.kind in _TURNS for j in a.joints):
        skipped.append("the second motion of screw and universal joints, which the model does not hold")
    try:
        first, second = (assemble(split_joints(r, _TURNS)) for r in (a, b))
    except AssembleError as e:
        skipped.append(f"poses ({e})")
        return {}
    p, q = _configurations(first, second)
    shared = [n for n in first.link_names if n in set(second.link_names)]
    x, y = _relative(first, p, shared), _relative(second, q, shared)
    out: dict[str, Any] = {
        "configurations": len(p),
        "poses": _largest(x[..., :3, 3] - y[..., :3, 3]),
        "turns": _largest(x[..., :3, :3] - y[..., :3, :3]),
    }
    if a.mass > 0.0 and b.mass > 0.0:
        out["com"] = _largest(_com(first, p) - _com(second, q))
        out["inertia"] = _inertia(first, second, p, q)
    return out


def _largest(values: Any) -> float:
    finite = np.abs(np.asarray(values, np.float64))
    return float(np.nanmax(finite)) if finite.size and not np.isnan(finite).all() else 0.0


def _configurations(a: Mechanism, b: Mechanism) -> tuple[Floats, Floats]:
    """The same random configurations of both: joints that one of them does not have stay at zero."""
    rng = np.random.default_rng(0)
    p, q = (np.tile(_zero(m), (CONFIGURATIONS, 1)) for m in (a, b))
    others = {j.name: (k, j) for k, j in enumerate(b.robot.joints)}
    for k, joint in enumerate(a.robot.joints):
        n, twin = others.get(joint.name, (0, None))
        size = JOINT_SIZE[joint.kind]
        if twin is None or twin.kind != joint.kind or not size:
            continue
        values = _random(joint, size, rng)
        p[:, a.offsets[k] : a.offsets[k] + size] = values
        q[:, b.offsets[n] : b.offsets[n] + size] = values
    return p, q


def _random(joint: Joint, size: int, rng: np.random.Generator) -> Floats:
    if size == 1:
        low, high = (
            v if math.isfinite(v) and abs(v) < 1e6 else math.copysign(_FAR, v)
            for v in joint.limits.position
        )
        return np.asarray(rng.uniform(min(low, high), max(low, high), (CONFIGURATIONS, 1)))
    values = rng.uniform(-1.0, 1.0, (CONFIGURATIONS, size))
    if size in (4, 7):
        values[:, -4:] /= np.linalg.norm(values[:, -4:], axis=1)[:, None]
    return values


def _zero(m: Mechanism) -> Floats:
    """All joints at zero, turns at none."""
    q = np.zeros(m.nq)
    if m.base == "free":
        q[3] = 1.0
    for joint, offset in zip(m.robot.joints, m.offsets.tolist(), strict=True):
        size = JOINT_SIZE[joint.kind]
        if size in (4, 7):
            q[offset + size - 4] = 1.0
    return q


def _relative(m: Mechanism, q: Floats, names: list[str]) -> Floats:
    """Poses of some links seen from the root."""
    poses = np.asarray(m.forward(q))
    root = poses[:, m.link_names.index(m.robot.root)]
    chosen = poses[:, [m.link_names.index(n) for n in names]]
    return np.asarray(np.linalg.inv(root)[:, None] @ chosen)


def _com(m: Mechanism, q: Floats) -> Floats:
    """The centre of mass seen from the root."""
    root = np.asarray(m.forward(q))[:, m.link_names.index(m.robot.root)]
    com = np.asarray(m.center_of_mass(q))
    return np.asarray(np.einsum("bji,bj->bi", root[:, :3, :3], com - root[:, :3, 3]))


def _inertia(a: Mechanism, b: Mechanism, p: Floats, q: Floats) -> float | None:
    """Entries of the mass matrices of joints of one kind; those with the rotors' inertia count too."""
    twins = {j.name: j.kind for j in b.robot.joints}
    shared = [j.name for j in a.robot.joints if JOINT_SIZE[j.kind] == 1 and twins.get(j.name) == j.kind]
    if not shared:
        return None
    blocks = []
    for m, values in ((a, p), (b, q)):
        place = {n: int(v) for n, v in zip(m.joint_names, m.velocity_offsets.tolist(), strict=True)}
        rows = [place[n] for n in shared]
        blocks.append(np.asarray(m.mass_matrix(values))[:, rows][:, :, rows])
    return _largest(blocks[0] - blocks[1])


def _limits(a: Robot, b: Robot) -> float | None:
    """Position limits that both have."""
    others = {j.name: j.limits.position for j in b.joints}
    gaps = [
        abs(x - y)
        for j in a.joints
        for x, y in zip(j.limits.position, others.get(j.name, ()), strict=False)
        if math.isfinite(x) and math.isfinite(y)
    ]
    return max(gaps, default=None)


def _is_endless(robot: Robot, link_name: str) -> bool:
    """Whether a link has a plane without bound, whose size is only how it is drawn."""
    link = robot.link(link_name)
    planes = [x.geometry for x in (*link.visuals, *link.collisions) if isinstance(x.geometry, Plane)]
    return any(plane.half_size is None for plane in planes)


def _bounds(a: Robot, b: Robot, files: Files, changed: Iterable[str]) -> float | None:
    """Boxes around the shapes of links; those whose shapes are the same files and numbers are equal."""
    names = {link.name for link in b.links}
    cache_a, cache_b = MeshCache(), MeshCache(files)
    out = 0.0 if any(link.visuals or link.collisions for link in a.links) else None
    for name in changed:
        if name not in names or _is_endless(a, name):
            continue
        for which in ("visual", "collision"):
            x = bounds(link_surfaces(a, name, which, cache_a))
            y = bounds(link_surfaces(b, name, which, cache_b))
            if x is not None and y is not None:
                out = max(out or 0.0, _largest(np.array(x) - np.array(y)))
    return out
