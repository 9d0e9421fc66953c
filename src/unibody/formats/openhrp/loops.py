"""Converts ExtraJoints to loops between links (facts B.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.nodes import leftovers
from unibody.model.pose import Pose, Vector3, unit
from unibody.model.robot import BALL, PISTON, XY, Holds, Loop, Z
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item

# xyz, xy and z are types of the reference, ball and piston of Choreonoid.
_HOLDS: dict[str, Holds] = {"xyz": BALL, "xy": XY, "z": Z, "ball": BALL, "piston": PISTON}


def extra_joints(
    docs: Sequence[d.ExtraJoint], links: Mapping[str, Vector3], context: Context
) -> list[tuple[Loop, list[Item]]]:
    """The loops of a file, each with the items that the model cannot represent.

    ``links`` maps the name of each link to the center of its Joint, where the link frame is.
    """
    out: list[tuple[Loop, list[Item]]] = []
    for i, doc in enumerate(docs):
        ends = ((1, doc.link1_name), (2, doc.link2_name))
        for number, name in ends:
            if name not in links:
                alike = near(name, links)
                # OpenHRP passes the names on without looking for them
                context.findings.warning(
                    "link-unknown",
                    f"ExtraJoint: link{number}Name refers to unknown Joint '{name}'; ignored",
                    doc.at(f"link{number}_name"),
                    did_you_mean(alike, "write the DEF name of a Joint"),
                )
        if any(name not in links for _, name in ends):
            continue
        if doc.joint_type in ("xyz", "xy", "z"):
            context.findings.info(
                "reference-differs",
                f"ExtraJoint: jointType {doc.joint_type} is read as in the reference; Choreonoid supports "
                "only ball and piston and rejects the file",
                doc.at("joint_type"),
            )
        holds = _HOLDS[doc.joint_type]
        loop = Loop(
            name=doc.def_name or f"loop{i}",
            link_a=doc.link1_name,
            link_b=doc.link2_name,
            pose_a=_anchor(doc.link1_local_pos, links[doc.link1_name]),
            pose_b=_anchor(doc.link2_local_pos, links[doc.link2_name]),
            # the axis of a ball has no meaning
            axis=(1.0, 0.0, 0.0) if holds == BALL else _axis(doc, context),
            holds=holds,
            at=doc.at(),
        )
        out.append((loop, (leftovers(doc, "joint_axis") if holds == BALL else []) + doc.rest))
    return out


def _anchor(position: tuple[float, ...], center: Vector3) -> Pose:
    x, y, z = (p - c for p, c in zip(position, center, strict=True))
    return Pose((x, y, z))


def _axis(doc: d.ExtraJoint, context: Context) -> Vector3:
    """The unit vector of a loop axis; X for a zero vector, with a finding."""
    x, y, z = doc.joint_axis
    direction = unit((x, y, z))
    if direction is None:
        at = doc.at("joint_axis")
        context.findings.warning("axis-zero", "ExtraJoint: zero jointAxis; using X", at)
        return (1.0, 0.0, 0.0)
    return direction
