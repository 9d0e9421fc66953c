"""Name, pose and unread fields of an OpenHRP node."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, plan
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, Pose, from_axis_angle
from unibody.text.finding import Findings
from unibody.text.node import Item


def pose_of(doc: Any) -> Pose:
    """Translation and rotation of a node as a pose."""
    xyz, (x, y, z, angle) = doc.translation, doc.rotation
    if angle == 0.0:
        return Pose(xyz) if any(xyz) else IDENTITY
    return Pose(xyz, from_axis_angle((x, y, z), angle) or UNIT_QUATERNION)


def leftovers(doc: Document, *names: str) -> list[Item]:
    """The items of fields that the model has no place for, where they say more than their default."""
    if doc.node is None or not names:
        return []
    declared, wanted = plan(doc.__class__), frozenset(names)
    keys, defaults = declared.keys, declared.defaults
    out: list[Item] = []
    for item in doc.node.items:
        entry = keys.get(item[0])
        if entry is not None and entry.name in wanted:
            value = getattr(doc, entry.name)
            if value is not None and value != defaults.get(entry.name, []):
                out.append(item)
    return out


def two_names(doc: Any, findings: Findings) -> list[Item]:
    """Where ``name`` and the DEF name differ: the DEF name counts, the other is kept."""
    if not doc.name or doc.name == name_of(doc):
        return []
    findings.info(
        "reference-differs",
        f"{doc.tag}: its DEF name '{doc.def_name}' counts, as in Choreonoid and OpenHRP; the reference "
        f"says name, which is '{doc.name}'",
        doc.at("name"),
        "give both the same name",
    )
    return leftovers(doc, "name")


def name_of(doc: Any) -> str:
    """What a node is called: its DEF name, as in the loaders, else its ``name`` (facts B.5)."""
    return str(doc.def_name or getattr(doc, "name", ""))
