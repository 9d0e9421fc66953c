"""Name, pose and unrepresented fields of an OpenHRP node."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, plan
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, Pose, from_axis_angle
from unibody.text.finding import Findings
from unibody.text.node import Item


def pose_of(doc: Any) -> Pose:
    """The pose of a node, from its translation and rotation."""
    xyz, (x, y, z, angle) = doc.translation, doc.rotation
    if angle == 0.0:
        return Pose(xyz) if any(xyz) else IDENTITY
    return Pose(xyz, from_axis_angle((x, y, z), angle) or UNIT_QUATERNION)


def leftovers(doc: Document, *names: str) -> list[Item]:
    """The items of the fields ``names`` whose values differ from their defaults."""
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
    """The ``name`` item of a node if it differs from the DEF name, which is used; with a finding."""
    if not doc.name or doc.name == name_of(doc):
        return []
    findings.info(
        "reference-differs",
        f"{doc.tag}: using DEF name '{doc.def_name}', as in Choreonoid and OpenHRP; the reference uses "
        f"name '{doc.name}'",
        doc.at("name"),
        "set name and the DEF name to the same value",
    )
    return leftovers(doc, "name")


def name_of(doc: Any) -> str:
    """The name of a node: its DEF name, as in the loaders, or else its ``name`` (facts B.5)."""
    return str(doc.def_name or getattr(doc, "name", ""))
