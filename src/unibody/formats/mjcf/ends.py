"""Geoms and sites that two points place and turn: ``fromto``."""

from __future__ import annotations

from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.orientations import to_axis
from unibody.model.pose import Pose
from unibody.text.finding import Findings

#: The types of geoms and sites that two points may give.
LONG = frozenset(("capsule", "cylinder", "ellipsoid", "box"))


def between(points: tuple[float, ...]) -> Pose | None:
    """The pose of ``fromto``: the middle of two points, +Z to the first one; None if they are equal."""
    a, c = points[:3], points[3:]
    turn = to_axis((a[0] - c[0], a[1] - c[1], a[2] - c[2]))
    middle = ((a[0] + c[0]) / 2.0, (a[1] + c[1]) / 2.0, (a[2] + c[2]) / 2.0)
    return None if turn is None else Pose(middle, turn)


def check_ends(doc: b.Geom | b.Site, findings: Findings) -> None:
    """Report what MuJoCo rejects beside two points.

    A position may stand there if it is zero; an orientation has no effect.
    """
    if doc.fromto is None:
        return
    what = f"{doc.KEY} '{doc.name}'" if doc.name else doc.KEY
    if doc.type not in LONG:
        findings.error(
            "geom-rejected", f"{what}: fromto must not be given for a {doc.type}", doc.at("fromto")
        )
    elif any(doc.pos):
        shown = " ".join(f"{value:g}" for value in doc.pos)
        findings.error(
            "pose-invalid",
            f"{what}: pos must be zero beside fromto, got {shown}; MuJoCo rejects the file",
            doc.at("pos"),
            "remove pos, also from its default class",
        )
    elif between(doc.fromto) is None:
        findings.error("pose-invalid", f"{what}: the two points of fromto must differ", doc.at("fromto"))
