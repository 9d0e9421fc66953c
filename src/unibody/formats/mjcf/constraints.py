"""Reads constraints: connect and weld as loops, those of joints as couplings and limits, contacts as pairs.

Two connects of the same bodies hold the line through their points: they are one hinge.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.conventions import normalized
from unibody.formats.mjcf.devices import named_sites
from unibody.formats.mjcf.links import Assembly, alone
from unibody.formats.mjcf.tree import world_poses
from unibody.model.equality import same_rotation
from unibody.model.joint_kind import KINDS
from unibody.model.pose import (
    IDENTITY,
    ZERO,
    Pose,
    Quaternion,
    Vector3,
    cross,
    dot,
    from_axis_angle,
    multiply,
    rotate,
    unit,
)
from unibody.model.robot import BALL, FIXED, HINGE, Coupling, Loop, SelfCollision
from unibody.model.traverse import path_of
from unibody.text.source import Span

_C = TypeVar("_C", c.Pair, c.Exclude)

# Largest number of pairs of links that are listed one by one.
_MOST_PAIRS = 20_000
# MuJoCo's whole numbers have 32 bits.
_BITS = 0xFFFFFFFF
_WORLD = "world"
#: The coefficients of an equality that are not written.
POLYNOMIAL = (0.0, 1.0, 0.0, 0.0, 0.0)


def equalities(docs: Sequence[d.Mujoco]) -> list[c.EqualityValues]:
    """All equality constraints, in order."""
    out: list[c.EqualityValues] = []
    for doc in docs:
        for section in doc.items:
            if isinstance(section, d.Equalities):
                out += [item for item in section.items if isinstance(item, c.EqualityValues)]
    return out


def needs_world(docs: Sequence[d.Mujoco]) -> bool:
    """Whether a constraint holds a body to the world."""
    return any(
        (item.active and item.body1 and item.body2 in (None, "", _WORLD)) or item.body1 == _WORLD
        for item in equalities(docs)
        if isinstance(item, c.Connect | c.Weld)
    )


class Constraints:
    """Reads the equality constraints of a model."""

    def __init__(self, parts: Assembly, context: Context) -> None:
        self.parts, self.context = parts, context
        self.index = {body.name: i for i, body in enumerate(parts.bodies) if body.name}
        self.index[_WORLD] = 0
        self.sites = named_sites(parts.bodies)
        self.world = world_poses(parts.bodies)

    def loops(self, docs: Sequence[d.Mujoco]) -> list[Loop]:
        """The connects and welds that are active; others are kept as extras."""
        out: list[Loop] = []
        for item in equalities(docs):
            if not isinstance(item, c.Connect | c.Weld):
                continue
            if not item.active:
                self._inactive(item.KEY, item.name, item.at())
                continue
            ends = self._ends(item)
            if ends is None:
                continue
            (a, pose_a), (other, pose_b) = ends
            if not (self._is_link(a, item.at()) and self._is_link(other, item.at())):
                continue
            out.append(
                Loop(
                    name=item.name or "",
                    link_a=self.parts.names[a],
                    link_b=self.parts.names[other],
                    pose_a=self.parts.in_link(a, pose_a),
                    pose_b=self.parts.in_link(other, pose_b),
                    holds=BALL if isinstance(item, c.Connect) else FIXED,
                    at=item.at(),
                )
            )
        return [loop for loop, _ in merged(out)]

    def _ends(self, item: c.Connect | c.Weld) -> tuple[tuple[int, Pose], tuple[int, Pose]] | None:
        """The two frames that are held together, each with the index of its body."""
        if item.site1 or item.site2:
            found = [self._site(name, item) for name in (item.site1, item.site2)]
            return None if None in found else (found[0], found[1])  # type: ignore[return-value]
        first, second = self._body(item.body1, item), self._body(item.body2 or _WORLD, item)
        if first is None or second is None:
            return None
        if first == second:
            self.context.findings.error(
                "reference-unknown", f"<{item.KEY}> joins body '{item.body1}' to itself", item.at()
            )
            return None
        relative = self.world[second].inverse() @ self.world[first]
        if isinstance(item, c.Connect):
            x, y, z = item.anchor or (0.0, 0.0, 0.0)
            if item.anchor is None:
                self.context.findings.error("missing", "<connect> needs attribute 'anchor'", item.at())
                return None
            pose = Pose((x, y, z))
            return (first, pose), (second, relative @ pose)
        x, y, z = item.anchor or (0.0, 0.0, 0.0)
        anchor = Pose((x, y, z))
        pose = relative.inverse() @ anchor
        if item.relpose is not None and (quat := normalized(item.relpose[3:])) is not None:
            # where MuJoCo holds the anchor in the first body: not the pose of the second body
            pose = Pose((item.relpose[0], item.relpose[1], item.relpose[2]), quat)
        return (first, pose), (second, anchor)

    def _site(self, name: str | None, item: c.Connect | c.Weld) -> tuple[int, Pose] | None:
        if name not in self.sites:
            self._unknown("site", name, item)
        return self.sites.get(name or "")

    def _body(self, name: str | None, item: c.Connect | c.Weld) -> int | None:
        if name not in self.index:
            self._unknown("body", name, item)
        return self.index.get(name or "")

    def _unknown(self, kind: str, name: str | None, item: c.Connect | c.Weld) -> None:
        """Report an end that is missing, or of a soft body: ``unusable`` reports other unknown names."""
        if name:
            what = f"<{item.KEY}> refers to {kind} '{name}', which MuJoCo makes; kept as an extra"
            self.context.findings.info("equality-kept", what, item.at())
        else:
            what = f"<{item.KEY}> lacks a {kind}; MuJoCo rejects the file"
            self.context.findings.error("reference-unknown", what, item.at())

    def _is_link(self, index: int, at: Span | None) -> bool:
        return index >= self.parts.root

    def _inactive(self, tag: str, name: str | None, at: Span | None) -> None:
        self.context.findings.info(
            "equality-kept", f"<{tag}> '{name or ''}' is switched off; kept as an extra", at
        )

    # --- couplings ----------------------------------------------------------------------

    def couplings(self, docs: Sequence[d.Mujoco]) -> list[Coupling]:
        """The equalities of two joints that are linear; those of one joint become its ``lock``.

        Others are kept as extras.
        """
        own = (joint for joints in self.parts.joints for joint in joints)
        scalar = {joint.name: joint for joint in own if KINDS[joint.kind].nq == 1}
        out: list[Coupling] = []
        leaders: dict[str, str] = {}
        for item in equalities(docs):
            if not isinstance(item, c.JointEquality) or not item.joint1:
                continue
            unknown = [name for name in (item.joint1, item.joint2) if name and name not in scalar]
            if unknown:
                self.context.findings.error(
                    "reference-unknown",
                    f"<joint> of <equality> refers to '{unknown[0]}', which is not a hinge or slide joint",
                    item.at(),
                )
                continue
            if not item.active:
                self._inactive("joint", item.name, item.at())
                continue
            given = item.polycoef or ()
            factors = (*given, *POLYNOMIAL[len(given) :])
            joint = scalar[item.joint1]
            is_held = joint.lock is not None or item.joint1 in leaders
            if not item.joint2 and not is_held:
                joint.lock = factors[0]
                self.context.findings.info(
                    "joint-locked",
                    f"joint '{item.joint1}' is held at {factors[0]:g} by an equality; reading it as equal "
                    "limits",
                    item.at(),
                    subject=path_of("joints", item.joint1, "limits", "position"),
                )
                continue
            if (
                is_held
                or not item.joint2
                or any(factors[2:])
                or self._is_cyclic(item.joint1, item.joint2, leaders)
            ):
                self.context.findings.info(
                    "equality-kept",
                    f"joint '{item.joint1}' is held by an equality other than a linear coupling of joints; "
                    "kept as an extra",
                    item.at(),
                )
                continue
            leaders[item.joint1] = item.joint2
            # both joints are 0 at their ref, so that only the constant term is left
            out.append(
                Coupling(
                    joint=item.joint1,
                    leader=item.joint2,
                    ratio=factors[1],
                    offset=factors[0],
                    at=item.at(),
                )
            )
        return out

    @staticmethod
    def _is_cyclic(joint: str, leader: str, leaders: dict[str, str]) -> bool:
        """Whether a joint follows itself in the end."""
        name = leader
        while name in leaders and name != joint:
            name = leaders[name]
        return name == joint


# --- hinges -----------------------------------------------------------------------------

# The distance of two points in one body may differ by this part from that in the other one.
_RIGID = 1e-9


def merged(loops: Sequence[Loop]) -> list[tuple[Loop, int]]:
    """The loops, each with the number of those that it was made of.

    Two balls one after the other that join the same links in two points are a hinge, with the name and
    the anchors of the first; a third one would hold its rotation, too, unless their names say that they
    are several hinges.
    """
    out: list[tuple[Loop, int]] = []
    place = 0
    while place < len(loops):
        count = 1
        while place + count < len(loops) and _are_alike(loops[place], loops[place + count]):
            count += 1
        out += _hinges(loops[place : place + count])
        place += count
    return out


def _hinges(run: Sequence[Loop]) -> list[tuple[Loop, int]]:
    """As ``merged``, for loops that join the same links."""
    out: list[tuple[Loop, int]] = []
    place = 0
    while place < len(run):
        first, *others = run[place:]
        is_named = bool(others and first.name) and others[0].name == f"{first.name}_2"
        made = _hinge(first, others[0]) if (len(run) == 2 and others) or is_named else None
        out.append((first, 1) if made is None else (made, 2))
        place += out[-1][1]
    return out


def _are_alike(first: Loop, second: Loop) -> bool:
    """Whether two loops are balls that join the same links."""
    ends = [(loop.link_a, loop.link_b, loop.holds) for loop in (first, second)]
    return ends[0] == ends[1] and first.holds == BALL


def _hinge(first: Loop, second: Loop) -> Loop | None:
    """The hinge through the points of two balls; None if these are not equally far apart in both links."""
    apart = [
        _minus(other.xyz, own.xyz)
        for own, other in ((first.pose_a, second.pose_a), (first.pose_b, second.pose_b))
    ]
    length, other = math.hypot(*apart[0]), math.hypot(*apart[1])
    axis, axis_b = unit(apart[0]), unit(apart[1])
    if axis is None or axis_b is None or abs(length - other) > _RIGID * (1.0 + length):
        return None
    # the frame of the second anchor must have the axis where that of the first one has it
    own = rotate(first.pose_b.quat, rotate(_inverse(first.pose_a.quat), axis))
    turn = _between(own, axis_b)
    pose_b = (
        first.pose_b
        if same_rotation(turn, IDENTITY.quat)
        else Pose(first.pose_b.xyz, multiply(turn, first.pose_b.quat))
    )
    return replace(first, pose_b=pose_b, axis=axis, holds=HINGE)


def _minus(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _inverse(q: Quaternion) -> Quaternion:
    return (q[0], -q[1], -q[2], -q[3])


def _between(a: Vector3, b: Vector3) -> Quaternion:
    """The shortest rotation from one direction to another."""
    normal = cross(a, b)
    angle = math.atan2(math.hypot(*normal), dot(a, b))
    if normal == ZERO and angle > 1.0:
        normal = cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))
    return from_axis_angle(normal, angle) or IDENTITY.quat


# --- contacts ---------------------------------------------------------------------------


def paired_geoms(docs: Sequence[d.Mujoco]) -> set[str]:
    """The names of the geoms of all ``<pair>`` elements."""
    return {name or "" for item in _contacts(docs, c.Pair) for name in (item.geom1, item.geom2)} - {""}


def _contacts(docs: Sequence[d.Mujoco], cls: type[_C]) -> list[_C]:
    sections = [section for doc in docs for section in doc.items if isinstance(section, d.Contact)]
    return [item for section in sections for item in section.items if isinstance(item, cls)]


def _flags(docs: Sequence[d.Mujoco]) -> set[str]:
    """The flags that the options of the file switch off."""
    flags = [x.flag for x in docs[0].items if isinstance(x, d.Option) and x.flag is not None]
    words = ("contact", "constraint", "filterparent")
    return {word for flag in flags for word in words if getattr(flag, word) == "disable"}


def self_collision(docs: Sequence[d.Mujoco], parts: Assembly) -> SelfCollision:
    """The pairs of links that MuJoCo tests.

    These are those of the bits of their geoms, without neighbors and excludes, and those of ``<pair>``
    elements in any case. Bodies without joints between them count as one; the world is nobody's neighbor.
    """
    off = _flags(docs)
    if off & {"contact", "constraint"}:
        return SelfCollision(default="none")
    found = _by_bits(docs, parts, "filterparent" not in off)
    pairs = _listed(docs, parts)
    keys = {frozenset(pair) for pair in pairs}
    enabled = [pair for pair in found.enabled if frozenset(pair) not in keys]
    disabled = tuple(pair for pair in found.disabled if frozenset(pair) not in keys)
    return replace(found, enabled=(*enabled, *pairs), disabled=disabled) if pairs else found


def _listed(docs: Sequence[d.Mujoco], parts: Assembly) -> list[tuple[str, str]]:
    """The pairs of links of the ``<pair>`` elements, each once."""
    owners = {geom.doc.name: parts.names[i] for i in parts.kept for geom in parts.geoms[i] if geom.doc.name}
    out: dict[frozenset[str], tuple[str, str]] = {}
    for item in _contacts(docs, c.Pair):
        first, second = owners.get(item.geom1 or ""), owners.get(item.geom2 or "")
        if first is not None and second is not None and first != second:
            out.setdefault(frozenset((first, second)), (first, second))
    return list(out.values())


def _by_bits(docs: Sequence[d.Mujoco], parts: Assembly, filters_parents: bool) -> SelfCollision:
    """The pairs of links that are tested by the bits of their geoms."""
    bits = []
    apart = alone(parts)
    for i in parts.kept:
        if i in apart:
            continue  # the link says so
        contype = conaffinity = 0
        for geom in parts.geoms[i]:
            contype |= geom.contype
            conaffinity |= geom.conaffinity
        bits.append((i, contype, conaffinity))
    solid = [(i, x, y) for i, x, y in bits if x or y]
    excluded = _excluded(docs, parts)
    group = list(range(len(parts.bodies)))
    for i in range(1, len(parts.bodies)):
        if not parts.joints[i]:
            group[i] = group[parts.bodies[i].parent]
    # bodies with one joint at most are adjacent to the one above; others have links between
    above, adjacent = [-1] * len(group), [False] * len(group)
    for i in range(1, len(group)):
        if group[i] == i:
            above[i] = group[parts.bodies[i].parent]
            adjacent[i] = len(parts.joints[i]) <= 1 and not _is_free(parts, i)
    if len(solid) * (len(solid) - 1) // 2 > _MOST_PAIRS:
        return SelfCollision(disabled=tuple(excluded))
    # of each body its group, the one above, and whether that is adjacent
    groups = [group[i] for i, _, _ in solid]
    own, up = np.array(groups, np.int64), np.array([above[k] for k in groups], np.int64)
    by_one = np.array([adjacent[k] for k in groups], bool)
    types, affinities = (np.array([row[k] & _BITS for row in solid], np.int64) for k in (1, 2))
    first, second = np.triu_indices(len(solid), 1)
    same, over, under = own[first] == own[second], up[first] == own[second], up[second] == own[first]
    touches = (types[first] & affinities[second] | types[second] & affinities[first]) != 0
    touches &= ~same
    if filters_parents:
        touches &= ~((own[first] != 0) & (own[second] != 0) & (over | under))
    near = same | over & by_one[first] | under & by_one[second]
    place = {parts.names[i]: k for k, (i, _, _) in enumerate(solid)}
    listed = np.zeros((len(solid), len(solid)), bool)
    for pair in excluded:
        if pair[0] in place and pair[1] in place:
            low, high = sorted((place[pair[0]], place[pair[1]]))
            listed[low, high] = True
    left = ~listed[first, second]
    any_pair, is_stated = bool((left & touches).any()), bool((left & ~near).any())
    names = [parts.names[i] for i, _, _ in solid]
    enabled, disabled = (
        [(names[i], names[j]) for i, j in zip(first[row].tolist(), second[row].tolist(), strict=True)]
        for row in (left & touches & near, left & ~touches & ~near)
    )
    # without pairs but neighbors, nothing is said
    if not any_pair and is_stated:
        return SelfCollision(default="none", disabled=tuple(excluded))
    return SelfCollision(enabled=tuple(enabled), disabled=(*excluded, *disabled))


def _is_free(parts: Assembly, index: int) -> bool:
    return any(joint.kind == "free" for joint in parts.joints[index])


def _excluded(docs: Sequence[d.Mujoco], parts: Assembly) -> list[tuple[str, str]]:
    names = {body.name: i for i, body in enumerate(parts.bodies) if body.name}
    names["world"] = 0
    out: dict[frozenset[str], tuple[str, str]] = {}
    for item in _contacts(docs, c.Exclude):
        first, second = names.get(item.body1 or ""), names.get(item.body2 or "")
        if first is None or second is None or first == second:
            continue
        if not {first, second}.issubset(parts.kept):
            continue
        pair = (parts.names[first], parts.names[second])
        out.setdefault(frozenset(pair), pair)
    return list(out.values())
