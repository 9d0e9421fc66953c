"""Reads contacts and keyframes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.attachments import AttachedKey
from unibody.formats.mjcf.links import Assembly, alone
from unibody.model.joint_kind import KINDS
from unibody.model.pose import UNIT_QUATERNION
from unibody.model.robot import Configuration, SelfCollision
from unibody.model.traverse import path_of
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

_C = TypeVar("_C", c.Pair, c.Exclude)

# Largest number of pairs of links that are listed one by one.
_MOST_PAIRS = 20_000
# MuJoCo's whole numbers have 32 bits.
_BITS = 0xFFFFFFFF


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


def self_collision(docs: Sequence[d.Mujoco], parts: Assembly, context: Context) -> SelfCollision:
    """The pairs of links that MuJoCo tests.

    These are those of the bits of their geoms, without neighbors and excludes, and those of ``<pair>``
    elements in any case. Bodies without joints between them count as one; the world is nobody's neighbor.
    """
    off = _flags(docs)
    if off & {"contact", "constraint"}:
        return SelfCollision(default="none")
    found = _by_bits(docs, parts, context, "filterparent" not in off)
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


def _by_bits(
    docs: Sequence[d.Mujoco], parts: Assembly, context: Context, filters_parents: bool
) -> SelfCollision:
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
    excluded = _excluded(docs, parts, context)
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


def _excluded(docs: Sequence[d.Mujoco], parts: Assembly, context: Context) -> list[tuple[str, str]]:
    names = {body.name: i for i, body in enumerate(parts.bodies) if body.name}
    names["world"] = 0
    out: dict[frozenset[str], tuple[str, str]] = {}
    for item in _contacts(docs, c.Exclude):
        ends = [names.get(name or "") for name in (item.body1, item.body2)]
        unknown = [n for n, e in zip((item.body1, item.body2), ends, strict=True) if e is None]
        if unknown:
            context.findings.error(
                "reference-unknown",
                f"<exclude> refers to unknown body '{unknown[0]}'; MuJoCo rejects the file",
                item.at(),
            )
            continue
        first, second = (e for e in ends if e is not None)
        if first == second or not {first, second}.issubset(parts.kept):
            continue
        pair = (parts.names[first], parts.names[second])
        out.setdefault(frozenset(pair), pair)
    return list(out.values())


# --- keyframes --------------------------------------------------------------------------


def configurations(
    doc: d.Mujoco, attached: Sequence[AttachedKey], parts: Assembly, context: Context
) -> list[Configuration]:
    """The keyframes: positions of hinge and slide joints; all else of a keyframe is kept as an extra."""
    places: dict[int, int] = {}
    count = 0
    for joint in (joint for own in parts.joints for joint in own):
        places[id(joint.placed.doc)] = count
        count += KINDS[joint.kind].nq
    sections = [section for section in doc.items if isinstance(section, d.Keyframes)]
    own = [AttachedKey(key, places, count) for section in sections for key in section.keys]
    made = (_configuration(each, parts, context) for each in (*own, *attached))
    return [each for each in made if each is not None]


def _configuration(given: AttachedKey, parts: Assembly, context: Context) -> Configuration | None:
    key, qpos = given.key, given.key.qpos
    if qpos is not None and len(qpos) > given.count:
        context.findings.error(
            "keyframe-length",
            f"key '{key.name or ''}' has {len(qpos)} positions, the model has {given.count}",
            key.at("qpos"),
            "write one number for each hinge and slide, 4 for a ball, 7 for a free joint",
            subject=path_of("configurations", key.name or ""),
        )
        return None
    positions = []
    for joint in (joint for own in parts.joints for joint in own):
        if KINDS[joint.kind].nq == 1:
            at = given.places.get(id(joint.placed.doc))
            # the last positions may be missing
            is_given = qpos is not None and at is not None and at < len(qpos)
            value = qpos[at] - joint.ref if is_given else 0.0  # type: ignore[index]
            positions.append((joint.name, value))
    places = (key.at("qpos") if qpos is not None else None,) * len(positions)
    return Configuration(name=key.name or "", positions=tuple(positions), at=key.at(), places=places)


def whole_keys(attached: Sequence[AttachedKey], parts: Assembly) -> list[Item]:
    """The keyframes of attached models, with all positions of the model.

    Joints that are not of the attached model are in their initial position.
    """
    joints = [(body, joint) for body, own in zip(parts.bodies, parts.joints, strict=True) for joint in own]
    keys: list[Item] = []
    for each in attached:
        qpos = each.key.qpos
        held = {id(joint.placed.doc) for _, joint in joints if id(joint.placed.doc) in each.places}
        if qpos is None or len(qpos) > each.count or held != each.places.keys() or not each.key.name:
            continue
        out: list[float] = []
        for body, joint in joints:
            initial: Sequence[float] = (joint.ref,)
            if joint.kind == "free":
                initial = (*body.pose.xyz, *body.pose.quat)
            elif joint.kind == "ball":
                initial = UNIT_QUATERNION
            at = each.places.get(id(joint.placed.doc))
            given = () if at is None else qpos[at : at + len(initial)]
            out += (*given, *initial[len(given) :])
        words = Word(" ".join(map(format_float, out)))
        keys.append(("key", Node("key", [("name", Word(each.key.name), -1), ("qpos", words, -1)]), -1))
    return [("keyframe", Node("keyframe", keys), -1)] if keys else []
