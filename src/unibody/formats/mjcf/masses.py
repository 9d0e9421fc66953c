"""Masses of bodies: from their inertials or their geoms, as the settings of the compiler say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unibody.formats.format import Context
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.geoms import GeomRecord
from unibody.formats.mjcf.inertia import composed
from unibody.formats.mjcf.tree import BodyRecord, Placed
from unibody.model.inertia import Inertial, matrix3, most_unknown, rotated
from unibody.model.pose import UNIT_QUATERNION, ZERO, Matrix3, Vector3
from unibody.model.traverse import path_of

# The least mass and inertia of a body that moves.
_LEAST = 1e-15
_NO_INERTIA = (ZERO, ZERO, ZERO)


def read_mass(body: BodyRecord, geoms: list[GeomRecord], context: Context) -> Inertial | None:
    """The inertial of a body in its own frame; None without mass."""
    settings = body.scope.settings
    low, high = settings.inertiagrouprange
    counted = [g for g in geoms if low <= g.group <= high]
    explicit = body.inertials[0] if body.inertials else None
    if len(body.inertials) > 1:
        context.findings.error(
            "inertial-rejected",
            f"body '{body.name}' must have one inertial, got {len(body.inertials)}; MuJoCo rejects "
            "the file",
            body.inertials[1].at,
            "keep one of them",
        )
    if settings.inertiafromgeom == "true":
        explicit = None if counted else explicit
    elif settings.inertiafromgeom == "false":
        counted = []
    made = _explicit(body, explicit, context) if explicit is not None else _of_geoms(body, counted)
    made = _bounded(body, made, settings)
    return _balanced(body, made, settings, context)


def _of_geoms(body: BodyRecord, geoms: list[GeomRecord]) -> Inertial | None:
    whole = composed([g.body for g in geoms if g.body is not None])
    unknown = most_unknown(g.unknown for g in geoms)
    if whole is None:
        if not unknown:
            return None
        return Inertial(mass=0.0, inertia=_NO_INERTIA, unknown=unknown, axes=None, at=body.at)
    x, y, z = whole.center.tolist()
    inertia = matrix3((whole.inertia + whole.inertia.T) / 2.0)
    com = (x, y, z)
    return Inertial(mass=whole.mass, com=com, inertia=inertia, unknown=unknown, axes=None, at=body.at)


def _explicit(body: BodyRecord, placed: Placed, context: Context) -> Inertial | None:
    doc = placed.doc
    assert isinstance(doc, b.Inertial)
    if doc.mass is None or doc.pos is None:
        return None
    pose = placed.frame @ placed.scope.poses.of(doc)
    if doc.mass < 0.0:
        context.findings.error(
            "inertial-rejected",
            f"body '{body.name}': mass must not be negative, got {doc.mass:g}",
            doc.at("mass"),
            subject=path_of("links", body.name, "inertial", "mass"),
        )
    if doc.fullinertia is not None and doc.diaginertia is not None:
        context.findings.error(
            "inertial-rejected",
            f"body '{body.name}': diaginertia must not be given beside fullinertia; MuJoCo rejects "
            "the file",
            doc.at("diaginertia"),
            "keep one of them",
        )
    if doc.fullinertia is not None:
        xx, yy, zz, xy, xz, yz = doc.fullinertia
        if any(n in doc.given for n in ("quat", "axisangle", "xyaxes", "zaxis", "euler")):
            context.findings.error(
                "inertial-rejected",
                f"body '{body.name}': an orientation must not be given beside fullinertia; MuJoCo rejects "
                "the file",
                doc.at(),
                "write diaginertia with the orientation",
            )
    else:
        xx, yy, zz = doc.diaginertia or (0.0, 0.0, 0.0)
        xy = xz = yz = 0.0
    tensor: Matrix3 = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    is_full = doc.fullinertia is not None and np.isfinite(doc.fullinertia).all()
    principal = np.linalg.eigvalsh(np.array(tensor)).tolist() if is_full else [1.0]
    if not principal[0] > 0.0:
        moments = " ".join(f"{moment:g}" for moment in principal)
        context.findings.error(
            "inertial-rejected",
            f"body '{body.name}': the principal moments of fullinertia must be positive, got {moments}",
            doc.at("fullinertia"),
            subject=path_of("links", body.name, "inertial", "inertia"),
        )
    if doc.mass == 0.0 and not any(map(any, tensor)):
        return None
    return Inertial(
        mass=doc.mass,
        com=pose.xyz,
        inertia=rotated(tensor, pose),
        axes=pose.quat,
        at=doc.at(),
        mass_at=doc.at("mass"),
        com_at=doc.at("pos"),
        inertia_at=doc.at("fullinertia", "diaginertia"),
    )


def _bounded(body: BodyRecord, made: Inertial | None, settings: Settings) -> Inertial | None:
    """The inertial with the lower bounds of the settings, which hold for empty bodies, too."""
    mass, least = settings.boundmass, settings.boundinertia
    if not (mass > 0.0 or least > 0.0):
        return made
    if made is None:
        center = _massless_center(body)
        made = Inertial(mass=0.0, com=center, inertia=_NO_INERTIA, axes=UNIT_QUATERNION, at=body.at)
    inertia = made.inertia
    if least > 0.0 and np.isfinite(np.array(inertia)).all():
        moments, axes = np.linalg.eigh(np.array(inertia))
        if float(moments[0]) < least:
            inertia = matrix3(axes @ np.diag(np.maximum(moments, least)) @ axes.T)
    return replace(made, mass=max(made.mass, mass), inertia=inertia)


def _massless_center(body: BodyRecord) -> Vector3:
    """Where MuJoCo puts the least mass of a body: at its inertial, else where its ``pos`` is in itself."""
    if body.inertials:
        placed = body.inertials[0]
        doc = placed.doc
        return (placed.frame @ placed.scope.poses.of(doc)).xyz if isinstance(doc, b.Inertial) else ZERO
    return body.scope.poses.of(body.doc).xyz if isinstance(body.doc, b.Body) else ZERO


def _balanced(
    body: BodyRecord, made: Inertial | None, settings: Settings, context: Context
) -> Inertial | None:
    """Check that a body can have its inertia, or make it so if the settings ask for it."""
    if made is None or made.unknown or body.parent < 0 or not np.isfinite(np.array(made.inertia)).all():
        return made  # check_basic reports the overflow
    moments = np.linalg.eigvalsh(np.array(made.inertia) / 2.0 + np.array(made.inertia).T / 2.0)
    a, b_, c = moments.tolist()
    if a + b_ >= c - 1e-12 * abs(c):
        return made
    if settings.balanceinertia:
        mean = float(moments.mean())
        return replace(made, inertia=matrix3(np.eye(3) * mean))
    context.findings.error(
        "inertial-rejected",
        f"body '{body.name}': the largest principal moment must not exceed the sum of the others, got "
        f"{a:g} {b_:g} {c:g}; MuJoCo rejects the file",
        made.inertia_at or made.at,
        'correct them, or write <compiler balanceinertia="true"/>',
        subject=path_of("links", body.name, "inertial", "inertia"),
    )
    return made


def check_moving(
    bodies: list[BodyRecord],
    moves: list[bool],
    masses: list[Inertial | None],
    geoms: list[list[GeomRecord]],
    context: Context,
) -> None:
    """Report moving bodies that have no mass, even with what is welded to them: MuJoCo rejects them.

    A body with a mesh that was not read, which has a finding, may have one.
    """
    heavy = [
        (m is not None and m.mass >= _LEAST and float(np.trace(np.array(m.inertia))) >= _LEAST)
        or any(g.unknown for g in own)
        for m, own in zip(masses, geoms, strict=True)
    ]
    for i in range(len(bodies) - 1, 0, -1):
        if heavy[i] and not moves[i]:
            heavy[bodies[i].parent] = True
    for i, body in enumerate(bodies):
        if i and moves[i] and not heavy[i]:
            context.findings.error(
                "body-massless",
                f"body '{body.name}': mass must be positive, since the body moves; MuJoCo rejects the file",
                body.at,
                "add an <inertial>, or geoms with a density",
                subject=path_of("links", body.name, "inertial"),
            )


def scaled(masses: list[Inertial | None], settings: Settings) -> list[Inertial | None]:
    """The inertials scaled to the total mass that the settings give; unknown if one of the masses is."""
    if settings.settotalmass > 0.0 and any(m is not None and m.unknown == "mass" for m in masses):
        return [None if m is None else replace(m, unknown="mass") for m in masses]
    total = sum(m.mass for m in masses[1:] if m is not None)
    if not settings.settotalmass > 0.0 or not total > 0.0:
        return masses
    factor = settings.settotalmass / total
    return [
        None
        if m is None
        else replace(m, mass=m.mass * factor, inertia=matrix3(np.array(m.inertia) * factor))
        for m in masses
    ]
