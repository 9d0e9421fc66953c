"""Numerical comparison of two robots at random configurations."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unibody.conversion.looks import looks_deviations
from unibody.mechanism import AssembleError, Mechanism, assemble
from unibody.mechanism.tree import BASE_VELOCITY_SIZE, zero_configuration
from unibody.meshes import MeshCache, bounds, link_surfaces
from unibody.model.arrays import Floats
from unibody.model.base import UNSPECIFIED, Base
from unibody.model.changes.joints import split_joints
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Coupling, Joint, Robot
from unibody.model.shape import MeshFile, Plane
from unibody.model.traverse import renamed
from unibody.text.counted import counted, listed

CONFIGURATIONS = 20
# The position of joints without limits is drawn from ± this, in rad or m.
_UNLIMITED_RANGE = 3.0
# Smaller deviations are the last bits of the numbers, which processors round differently.
EXACT = 1e-12
# Most links and files of one kind that are named.
_NAMED = 3


#: (quantity, owner) → cause, where the owner is a joint, "link/visual", or "" for the robot. The owner
#: for positions and rotations of a link is the joint above it.
Causes = Mapping[tuple[str, str], str]
_UNITS = {
    "positions": ("link positions", "m"),
    "rotations": ("link rotations", "rad"),
    "mass": ("mass", "kg"),
    "com": ("center of mass", "m"),
    "inertia": ("mass matrix", "kg m²"),
    "limits": ("limits", "rad or m"),
    "bounds": ("mesh bounds", "m"),
    "colors": ("colors", ""),
    "images": ("images", "files"),
}
#: Quantities that are named only where they differ.
LOOKS = ("colors", "images")


@dataclass(frozen=True, slots=True)
class ExplainedDeviation:
    """The largest deviation of a quantity, of ``count`` joints or links, that a reported loss causes."""

    quantity: str
    count: int
    largest: float
    cause: str

    def __str__(self) -> str:
        word, unit = _UNITS[self.quantity]
        of = {"limits": "joint", "mass": "", "com": "", "inertia": ""}.get(self.quantity, "link")
        owner = f" of {self.count} {of}{'s' if self.count > 1 else ''}" if of else ""
        by = f"{self.largest:.2g} {unit}".rstrip()
        return f"{word}{owner} by {by} ({self.cause})"

    def json(self) -> dict[str, Any]:
        """The deviation as plain JSON data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The largest deviations between a robot and its readback.

    Positions (m) and rotations (rad) of links in the frame of the root link, or in the world if each robot
    has another root link; mass (kg), com (m), inertia (entries of the mass matrix of the base and common
    joints, kg·m²), limits (rad or m), bounds of meshes (m), colors (diffuse colors and opacities of visual
    mesh files, 0 to 1), images (the number of those that only one of both has); None where there is nothing
    to compare.
    Deviations that reported losses cause are in ``explained`` instead; ``skipped`` says what was not
    compared, and why. ``unknown`` are the links whose mass or inertia is unknown, ``unread`` the URIs of
    files that were not read. Both robots are computed with the same ``base``; ``bases`` are those that they
    state.
    """

    configurations: int = 0
    positions: float | None = None
    rotations: float | None = None
    mass: float | None = None
    com: float | None = None
    inertia: float | None = None
    limits: float | None = None
    bounds: float | None = None
    colors: float | None = None
    images: float | None = None
    explained: tuple[ExplainedDeviation, ...] = ()
    skipped: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    base: Base = "fixed"
    bases: tuple[Base | None, Base | None] = (None, None)

    def json(self) -> dict[str, Any]:
        """The numbers as plain JSON data."""
        data = {name: getattr(self, name) for name in self.__slots__}
        lists = ("skipped", "unknown", "unread", "bases")
        more = {name: list(getattr(self, name)) for name in lists}
        return {**data, **more, "explained": [x.json() for x in self.explained]}

    @property
    def base_change(self) -> str:
        """The bases of the two robots if they differ: "fixed → free"."""
        before, after = (base or UNSPECIFIED for base in self.bases)
        return "" if before == after else f"{before} → {after}"

    def __str__(self) -> str:
        named = [(word, getattr(self, name), unit) for name, (word, unit) in _UNITS.items()]
        shown = [
            f"{word} {'exact' if v < EXACT else f'off by {v:.2g} {unit}'.rstrip()}"
            for word, v, unit in named
            if v is not None and not (word in LOOKS and v < EXACT)
        ]
        skipped = [f"not compared: {s}" for s in (*self.skipped, *self._unknown_words())]
        text = f"{self.configurations} configurations{self._base_words()}: " + ", ".join(shown + skipped)
        if self.explained:
            text += "; explained by losses: " + ", ".join(map(str, self.explained))
        return text

    def _unknown_words(self) -> Iterator[str]:
        """What is unknown of masses and files."""
        if self.unknown:
            names = listed(map(repr, self.unknown), _NAMED)
            yield f"mass, center of mass and inertia of {names} (unknown)"
        if self.unread:
            yield f"{counted(len(self.unread), 'file')} not read ({listed(map(repr, self.unread), _NAMED)})"

    def _base_words(self) -> str:
        """The base of both robots in the comparison, and where one of them states another."""
        if not self.configurations:
            return ""
        if self.bases == (None, None):
            return ", unspecified base computed as fixed"
        text = f", {self.base} base"
        others = [
            f"{base or UNSPECIFIED} in the {word}"
            for base, word in zip(self.bases, ("source", "target"), strict=True)
            if base != self.base
        ]
        return f"{text} for both ({others[0]})" if others else text


class _Deviations:
    """Deviations by quantity, with those that have a known cause apart."""

    def __init__(self, causes: Causes) -> None:
        self.causes = causes
        self.largest: dict[str, float] = {}
        self.caused: dict[tuple[str, str], list[tuple[str, float]]] = {}

    def note(self, quantity: str, owner: str, value: float) -> None:
        """Record the deviation of one joint or link; an exact one needs no cause."""
        cause = self.causes.get((quantity, owner)) if not value < EXACT else None
        if cause is None:
            self.largest[quantity] = max(self.largest.get(quantity, 0.0), value)
        else:
            name = owner.rpartition("/")[0] if quantity in ("bounds", *LOOKS) else owner
            self.caused.setdefault((quantity, cause), []).append((name, value))

    def explained(self) -> tuple[ExplainedDeviation, ...]:
        """The deviations with a cause, by quantity and cause."""
        return tuple(
            ExplainedDeviation(quantity, len({name for name, _ in found}), max(v for _, v in found), cause)
            for (quantity, cause), found in self.caused.items()
        )


def verify(
    a: Robot,
    b: Robot,
    *,
    caches: tuple[MeshCache, MeshCache] | None = None,
    changed: Iterable[str] = (),
    causes: Causes | None = None,
    unread: Iterable[str] = (),
) -> Proof:
    """Compare a robot with its readback; ``caches`` are those of the meshes of the two.

    ``changed`` lists the links whose shapes are measured; ``causes`` explain deviations; ``unread`` are the
    URIs of files that were not read.
    """
    b = _with_joint_names(a, b)
    changed = list(changed)
    skipped: list[str] = []
    found = _Deviations(causes or {})
    caches = caches or (MeshCache(), MeshCache())
    unknown, unread = _unknown(a, b), tuple(unread)
    masses = _masses(a, unknown), _masses(b, unknown)
    if not unknown or any(masses):
        found.note("mass", "", abs(masses[0] - masses[1]))
    base = a.base or b.base or "fixed"
    with np.errstate(all="ignore"):  # the difference of two overflows is NaN
        count = _moving(a, b, base, skipped, found)
        _limits(a, b, found)
        _bounds(a, b, caches, changed, unread, found)
        for name, deviations in looks_deviations(a, b, caches, set(changed)).items():
            for quantity, value in zip(LOOKS, deviations, strict=True):
                found.note(quantity, f"{name}/visual", value)
    numbers: dict[str, Any] = dict(found.largest)
    return Proof(
        configurations=count,
        explained=found.explained(),
        skipped=tuple(skipped),
        unknown=unknown,
        unread=unread,
        base=base,
        bases=(a.base, b.base),
        **numbers,
    )


def _unknown(a: Robot, b: Robot) -> tuple[str, ...]:
    """The links whose mass or inertia is unknown in one of the robots."""
    links = (*a.links, *b.links)
    return tuple(dict.fromkeys(x.name for x in links if x.inertial is not None and x.inertial.unknown))


def _masses(robot: Robot, unknown: Collection[str]) -> float:
    """The mass of the links without those that are unknown, in kg."""
    links = (link for link in robot.links if link.name not in unknown)
    return sum(link.inertial.mass for link in links if link.inertial is not None)


def _with_joint_names(a: Robot, b: Robot) -> Robot:
    """The second robot with its joints named like those of the first that move the same links."""
    known = {j.child: j.name for j in a.joints}
    names = {j.name: known.get(j.child, j.name) for j in b.joints}
    if all(k == v for k, v in names.items()) or len(set(names.values())) < len(names):
        return b
    return renamed(b, "joints", names)


def _moving(a: Robot, b: Robot, base: Base, skipped: list[str], found: _Deviations) -> int:
    """Compare what depends on the configuration, with the same base; the number of configurations."""
    if any(j.missing for j in a.joints):
        skipped.append("second motion of screw and universal joints without pitch or second axis")
    lost = _lost_translations(a, b)
    turning = [replace(j, kind="revolute", pitch=None) if j.name in lost else j for j in a.joints]
    try:
        first, second = (
            assemble(
                split_joints(
                    r,
                    KINDS.keys() - {"screw", "universal"},
                    keep=[j.name for j in r.joints if j.kind == "screw" and not j.missing],
                ),
                base=base,
            )
            for r in (replace(a, joints=tuple(turning)), b)
        )
    except AssembleError as e:
        skipped.append(f"poses ({e})")
        return 0
    p, q = _configurations(first, second)
    shared = [n for n in first.link_names if n in set(second.link_names)]
    frames = (_roots(first, p), _roots(second, q))
    if a.root != b.root:
        frames = (np.eye(4)[None],) * 2
    x, y = _relative(first, p, shared, frames[0]), _relative(second, q, shared, frames[1])
    above = {joint.child: joint.name for joint in first.robot.joints}
    apart, turned = np.abs(x[..., :3, 3] - y[..., :3, 3]), np.abs(_angles(x[..., :3, :3], y[..., :3, :3]))
    found.note("positions", "", 0.0)
    found.note("rotations", "", 0.0)
    for name, lead in lost.items():
        found.note(
            "positions", name, abs(lead) * _largest(p[:, first.idx_q[first.joint_names.index(name)]])
        )
    for k, name in enumerate(shared):
        found.note("positions", above.get(name, ""), _largest(apart[:, k]))
        found.note("rotations", above.get(name, ""), _largest(turned[:, k]))
    if a.mass > 0.0 and b.mass > 0.0 and not _unknown(a, b):
        found.note("com", "", _largest(_com(first, p, frames[0]) - _com(second, q, frames[1])))
        if (inertia := _inertia(first, second, p, q)) is not None:
            found.note("inertia", "", inertia)
    return len(p)


def _largest(values: Any) -> float:
    finite = np.abs(np.asarray(values, np.float64))
    return float(np.nanmax(finite)) if finite.size and not np.isnan(finite).all() else 0.0


def _angles(a: Floats, b: Floats) -> Floats:
    """The angles between rotation matrices, in rad; small ones keep all their digits."""
    r = np.swapaxes(a, -1, -2) @ b
    axis = [r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]]
    sine, cosine = np.linalg.norm(axis, axis=0), np.trace(r, axis1=-2, axis2=-1) - 1.0
    return np.asarray(np.arctan2(sine, cosine))


def _lost_translations(a: Robot, b: Robot) -> dict[str, float]:
    """The lead (m/rad) of each screw joint of ``a`` that only turns in ``b``, where no slide follows it."""
    kinds = {j.name: j.kind for j in b.joints if not _is_held(j)}
    led = {x.leader for x in _followers(a, b) if kinds.get(x.joint) == "prismatic"}
    return {
        j.name: j.lead
        for j in a.joints
        if j.kind == "screw" and j.lead and kinds.get(j.name) == "revolute" and j.name not in led
    }


def _are_twins(joint: Joint, kind: str | None) -> bool:
    """Whether a joint of this kind has the position of ``joint``: a screw may turn and have a slide."""
    return kind == joint.kind or (joint.kind == "screw" and kind == "revolute")


def _is_held(joint: Joint) -> bool:
    """Whether the limits leave a joint one position."""
    low, high = joint.limits.position
    return low == high and KINDS[joint.kind].nq == 1


def _followers(a: Robot, b: Robot) -> list[Coupling]:
    """How joints that only ``b`` has follow others, by couplings and by coordinates that drive both."""
    known, own = {j.name for j in a.joints}, {j.name for j in b.joints}
    out = [c for c in b.couplings if c.joint in own - known and c.leader in known & own]
    for coordinate in b.coordinates:
        leader = next((x for x in coordinate.drives if x.joint in known and x.at_one != x.at_zero), None)
        for drive in coordinate.drives:
            if leader is not None and drive.joint in own - known:
                ratio = (drive.at_one - drive.at_zero) / (leader.at_one - leader.at_zero)
                offset = drive.at_zero - ratio * leader.at_zero
                out.append(Coupling(joint=drive.joint, leader=leader.joint, ratio=ratio, offset=offset))
    return out


def _configurations(a: Mechanism, b: Mechanism) -> tuple[Floats, Floats]:
    """The same random configurations of both; a joint that ``b`` holds at one position is there in both.

    Joints that only one of them has stay at zero, or where ``b`` holds them, or follow as ``b`` says.
    """
    rng = np.random.default_rng(0)
    p, q = (np.tile(zero_configuration(m.tree), (CONFIGURATIONS, 1)) for m in (a, b))
    others = {j.name: (k, j) for k, j in enumerate(b.robot.joints)}
    for k, joint in enumerate(a.robot.joints):
        n, twin = others.get(joint.name, (0, None))
        size = KINDS[joint.kind].nq
        if twin is None or not _are_twins(joint, twin.kind) or not size:
            continue
        values = _random(joint, size, rng)
        if _is_held(twin):
            values = np.full_like(values, twin.limits.position[0])
        p[:, a.idx_q[k] : a.idx_q[k] + size] = values
        q[:, b.idx_q[n] : b.idx_q[n] + size] = values
    places = dict(zip(b.joint_names, b.idx_q.tolist(), strict=True))
    known = {joint.name for joint in a.robot.joints}
    for joint in b.robot.joints:
        if joint.name not in known and _is_held(joint):
            q[:, places[joint.name]] = joint.limits.position[0]
    for each in _followers(a.robot, b.robot):
        q[:, places[each.joint]] = each.ratio * q[:, places[each.leader]] + each.offset
    return p, q


def _random(joint: Joint, size: int, rng: np.random.Generator) -> Floats:
    if size == 1:
        low, high = (
            v if math.isfinite(v) and abs(v) < 1e6 else math.copysign(_UNLIMITED_RANGE, v)
            for v in joint.limits.position
        )
        return np.asarray(rng.uniform(min(low, high), max(low, high), (CONFIGURATIONS, 1)))
    values = rng.uniform(-1.0, 1.0, (CONFIGURATIONS, size))
    if KINDS[joint.kind].has_quaternion:
        values[:, -4:] /= np.linalg.norm(values[:, -4:], axis=1)[:, None]
    return values


def _roots(m: Mechanism, q: Floats) -> Floats:
    """The poses of the root link, (..., 4, 4)."""
    return np.asarray(m.forward_kinematics(q))[:, m.link_names.index(m.robot.root)]


def _relative(m: Mechanism, q: Floats, names: list[str], frames: Floats) -> Floats:
    """Poses of some links in frames (..., 4, 4)."""
    poses = np.asarray(m.forward_kinematics(q))
    chosen = poses[:, [m.link_names.index(n) for n in names]]
    return np.asarray(np.linalg.inv(frames)[:, None] @ chosen)


def _com(m: Mechanism, q: Floats, frames: Floats) -> Floats:
    """The center of mass in frames (..., 4, 4)."""
    com = np.asarray(m.center_of_mass(q)) - frames[:, :3, 3]
    return np.asarray((np.swapaxes(frames[:, :3, :3], -1, -2) @ com[..., None])[..., 0])


def _inertia(a: Mechanism, b: Mechanism, p: Floats, q: Floats) -> float | None:
    """The largest deviation of the mass matrices of the base and common joints, rotors included."""
    twins = {j.name: j.kind for j in b.robot.joints}
    shared = [j.name for j in a.robot.joints if KINDS[j.kind].nq == 1 and _are_twins(j, twins.get(j.name))]
    base = list(range(BASE_VELOCITY_SIZE)) if a.base == "free" else []
    if not shared and not base:
        return None
    blocks = []
    for m, values, following in ((a, p, []), (b, q, _followers(a.robot, b.robot))):
        place = {n: int(v) for n, v in zip(m.joint_names, m.idx_v.tolist(), strict=True)}
        rows = [*base, *(place[n] for n in shared)]
        matrix = np.asarray(m.mass_matrix(values))
        slides = [
            (place[x.joint], shared.index(x.leader) + len(base), x.ratio)
            for x in following
            if x.leader in shared
        ]
        if slides:
            columns = np.eye(m.nv)[:, rows]
            for row, column, ratio in slides:
                columns[row, column] = ratio
            blocks.append(columns.T @ matrix @ columns)
        else:
            blocks.append(matrix[:, rows][:, :, rows])
    return _largest(blocks[0] - blocks[1])


def _limits(a: Robot, b: Robot, found: _Deviations) -> None:
    """Compare the position limits that both robots have."""
    others = {j.name: j.limits.position for j in b.joints}
    for j in a.joints:
        for x, y in zip(j.limits.position, others.get(j.name, ()), strict=False):
            if math.isfinite(x) and math.isfinite(y):
                found.note("limits", j.name, abs(x - y))


def _is_infinite(robot: Robot, link_name: str) -> bool:
    """Whether a link has an infinite plane, whose size is only that of its drawing."""
    link = robot.link(link_name)
    planes = [x.geometry for x in (*link.visuals, *link.collisions) if isinstance(x.geometry, Plane)]
    return any(plane.half_size is None for plane in planes)


def _bounds(
    a: Robot,
    b: Robot,
    caches: tuple[MeshCache, MeshCache],
    changed: Iterable[str],
    unread: Collection[str],
    found: _Deviations,
) -> None:
    """Compare the bounding boxes of the links that have changed shapes, of those that were read."""
    shapes = (shape.geometry for link in a.solids for shape in (*link.visuals, *link.collisions))
    if any(not isinstance(x, MeshFile) or x.uri not in unread for x in shapes):
        found.largest["bounds"] = 0.0
    for owner, value in bounds_deviations(a, b, caches, changed).items():
        found.note("bounds", owner, value)


def bounds_deviations(
    a: Robot, b: Robot, caches: tuple[MeshCache, MeshCache], links: Iterable[str]
) -> dict[str, float]:
    """How far the bounding boxes of links are apart, by "link/visual" and "link/collision".

    ``caches`` are those of the meshes of the two robots.
    """
    names = {link.name for link in b.solids}
    out: dict[str, float] = {}
    for name in links:
        if name not in names or _is_infinite(a, name):
            continue
        for which in ("visual", "collision"):
            x, y = (bounds(link_surfaces(r, name, which, c)) for r, c in zip((a, b), caches, strict=True))
            if x is not None and y is not None:
                out[f"{name}/{which}"] = _largest(np.array(x) - np.array(y))
    return out
