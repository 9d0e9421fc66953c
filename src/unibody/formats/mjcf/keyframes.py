"""Reads keyframes."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf.attachments import AttachedKey
from unibody.formats.mjcf.links import Assembly
from unibody.model.joint_kind import KINDS
from unibody.model.pose import UNIT_QUATERNION
from unibody.model.robot import Configuration
from unibody.model.traverse import path_of
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float


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
