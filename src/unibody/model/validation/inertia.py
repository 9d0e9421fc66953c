"""Checks masses and inertias: they must be those of a rigid body."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain

import numpy as np

from unibody.model.base import Base
from unibody.model.inertia import Inertial, principal_moments
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Link, Robot
from unibody.model.shape import MeshFile
from unibody.model.traverse import links_below, path_of
from unibody.model.validation.correction import TRIANGLE_SLACK, corrected_inertia
from unibody.text.counted import listed
from unibody.text.edit import ProposedFix
from unibody.text.finding import Finding, Findings
from unibody.text.fixes import renumbered
from unibody.text.source import Span

# Negative moments up to this share of the largest one are rounding errors.
_ROUNDING = 1e-9


def check_inertias(robot: Robot, findings: Findings) -> None:
    """Report links whose mass or inertia no rigid body can have."""
    moved = {joint.child for joint in robot.joints if joint.kind != "fixed"}
    told = {f.subject for f in findings if f.code == "mass-zero"}
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and not inertial.unknown and not _is_usual(inertial):
            _inertial(link, inertial, link.name in moved, told, findings)
    _unknown(robot, findings)
    _weightless(robot, findings)


def _unknown(robot: Robot, findings: Findings) -> None:
    """Report links whose mass or inertia is unknown, with the mesh files that were not found."""
    for kind in ("mass", "inertia"):
        links = [x for x in robot.links if x.inertial is not None and x.inertial.unknown == kind]
        if not links:
            continue
        shapes = (shape.geometry for link in links for shape in (*link.visuals, *link.collisions))
        uris = dict.fromkeys(x.uri for x in shapes if isinstance(x, MeshFile) and not x.path)
        files = f" ({listed(map(repr, uris), 3)})" if uris else ""
        what = "mass, center of mass and inertia" if kind == "mass" else "center of mass and inertia"
        names = listed((repr(link.name) for link in links), 5)
        findings.warning(
            "mass-unknown",
            f"{what} of {names} unknown: derived from meshes that were not read{files}",
            links[0].at,
            "provide the mesh files, or state mass and inertia in the model",
            subject=path_of("links", links[0].name, "inertial"),
        )


def unknown_mass(robot: Robot, base: Base | None) -> Finding | None:
    """The error of computing motions of a robot whose moving links have an unknown mass or inertia."""
    still: set[str] = set()
    if base != "free":
        still = links_below([robot.root], (joint for joint in robot.joints if joint.kind == "fixed"))
    moving = (link for link in robot.links if link.name not in still)
    links = [link for link in moving if link.inertial is not None and link.inertial.unknown]
    if not links:
        return None
    names = listed((repr(link.name) for link in links), 5)
    return Finding(
        "simulation-mass-unknown",
        "error",
        f"mass or inertia of {names} unknown: derived from meshes that were not read",
        links[0].at,
        "provide the mesh files, or state mass and inertia in the model",
        subject=path_of("links", links[0].name, "inertial"),
    )


def _is_usual(inertial: Inertial) -> bool:
    """Whether mass and inertia are valid, by leading minors: a quick test that most links pass.

    The inertia I and the second moments of mass, ½·tr(I)·1 − I, must both be positive definite;
    the second is the triangle rule for the principal moments.
    """
    (a, b, c), (d, e, f), (g, h, i) = inertial.inertia
    if b != d or c != g or f != h or not inertial.mass > 0.0:
        return False
    half = 0.5 * (a + e + i)
    return _definite(a, e, i, b, c, f) and _definite(half - a, half - e, half - i, -b, -c, -f)


def _definite(a: float, e: float, i: float, b: float, c: float, f: float) -> bool:
    return (
        a > 0.0 and a * e > b * b and a * (e * i - f * f) - b * (b * i - c * f) + c * (b * f - c * e) > 0.0
    )


def _inertial(link: Link, inertial: Inertial, moves: bool, told: set[str], findings: Findings) -> None:
    at = inertial.at or link.at
    who, subject = f"link '{link.name}'", path_of("links", link.name, "inertial")
    if not all(map(math.isfinite, (inertial.mass, *inertial.com, *chain(*inertial.inertia)))):
        return  # reported by sizes
    if inertial.mass < 0.0:
        message = f"{who} has negative mass ({inertial.mass:g} kg)"
        findings.warning(
            "mass-negative", message, at, "write a mass of zero or more", subject=f"{subject}/mass"
        )
        return
    m = np.array(inertial.inertia)
    if not m.any():
        _pointlike(link, inertial, moves, findings)
        return
    _moments(link, inertial, inertial.inertia_at or at, f"{subject}/inertia", findings)
    if inertial.mass == 0.0 and path_of("links", link.name, "inertial", "mass") not in told:
        message = f"{who} has inertia but zero mass"
        findings.warning(
            "mass-zero", message, at, "set the mass, or remove the inertia", subject=f"{subject}/mass"
        )


def _rounded(moment: float, high: float) -> float:
    """A moment that is not negative within rounding; 0.0 where it is only the rounding of ``high``."""
    return moment if moment > 1e-12 * high else 0.0


def _moments(link: Link, inertial: Inertial, at: Span | None, subject: str, findings: Findings) -> None:
    m, who = np.array(inertial.inertia), f"link '{link.name}'"
    if np.abs(m - m.T).max() > 1e-6 * np.abs(m).max():
        message = f"{who}: inertia is not symmetric"
        findings.warning(
            "inertia-not-symmetric", message, at, "check the signs", subject=subject, fix=_symmetric(at)
        )
    low, middle, high = principal_moments(inertial.inertia)
    if low < -_ROUNDING * max(abs(high), 1e-300):
        code, check = "inertia-not-positive", "check the signs and the products of inertia"
        message = (
            f"{who}: inertia is not positive definite (principal moments "
            f"{low:.4g}, {middle:.4g}, {high:.4g})"
        )
    elif high > (max(low, 0.0) + middle) * (1.0 + TRIANGLE_SLACK):
        code, check = "inertia-triangle", "check the decimal points and the frame"
        message = (
            f"{who}: largest principal moment {high:.4g} exceeds the sum of the others "
            f"({_rounded(low, high):.4g} + {_rounded(middle, high):.4g})"
        )
    else:
        return
    # Imported here: most models have no such inertia.
    from unibody.model.validation.cause import explain, resembles
    from unibody.model.validation.explanation import advice, proposed
    from unibody.model.validation.references import references

    solids = references(link)
    found = explain(inertial, solids)
    if found is None:
        hint = corrected_inertia(
            inertial.inertia, lambda corrected: resembles(replace(inertial, inertia=corrected), solids)
        )
        hint = hint or check
        findings.warning(code, message, at, hint, subject=subject)
    else:
        fix = proposed(found, inertial)
        findings.warning(code, message, at, advice(found), subject=subject, fix=fix, cause=found.cause)


def _symmetric(at: Span | None) -> ProposedFix | None:
    """Fix that copies the upper half of an inertia to the lower one if they differ only by rounding."""

    def change(old: list[float]) -> list[float] | None:
        if len(old) != 9:
            return None
        new = list(old)
        for upper, lower in ((1, 3), (2, 6), (5, 7)):
            if abs(old[upper] - old[lower]) > 0.01 * max(abs(old[upper]), abs(old[lower])):
                return None
            new[lower] = old[upper]
        return new

    return renumbered(at, "copy the upper half to the lower half", change)


def _pointlike(link: Link, inertial: Inertial, moves: bool, findings: Findings) -> None:
    if inertial.mass == 0.0:
        return
    message = f"link '{link.name}' has mass ({inertial.mass:g} kg) but zero inertia"
    at = inertial.inertia_at or inertial.at or link.at
    if moves:
        hint = "set the inertia; simulators divide by it when the link rotates"
        findings.warning("inertia-zero", message, at, hint, subject=path_of("links", link.name))
    else:
        findings.info(
            "inertia-zero",
            message,
            at,
            "set the inertia unless a point mass is intended; a fixed link needs none",
            subject=path_of("links", link.name),
        )


def _weightless(robot: Robot, findings: Findings) -> None:
    """Report moving links without mass if no link fixed to them has mass.

    It is a warning for each one that no mass moves with, in a robot that has masses: its mass matrix is
    singular. Links between two joints and robots without any mass, for kinematics, are a note.
    """
    if any(f.code == "inertia-missing" for f in findings):
        return
    fixed_to = {joint.child: joint.parent for joint in robot.joints if joint.kind == "fixed"}
    heads: dict[str, str] = {}
    for link in robot.links:
        way = [link.name]
        while way[-1] in fixed_to and way[-1] not in heads and len(way) <= len(fixed_to):
            way.append(fixed_to[way[-1]])
        head = heads.get(way[-1], way[-1])
        heads.update(dict.fromkeys(way, head))
    heavy = {heads[link.name] for link in robot.links if link.inertial is not None}
    light = [
        joint
        for joint in robot.joints
        if KINDS[joint.kind].nv and joint.child in heads and heads[joint.child] not in heavy
    ]
    places = {link.name: link.at for link in robot.links}
    loads = _carrying(robot) if light else set()
    for joint in light:
        if heavy and joint.child not in loads:
            findings.warning(
                "inertia-missing",
                f"link '{joint.child}' moves without mass: neither it nor any link beyond it has mass",
                places.get(joint.child),
                "set mass and inertia of the link, or make its joint fixed",
                subject=path_of("links", joint.child),
            )
    light = [joint for joint in light if not heavy or joint.child in loads]
    if light:
        names = listed((f"'{j.child}'" for j in light), 5)
        one = f"moving link {names} and the links fixed to it have no mass"
        findings.info(
            "inertia-missing",
            one
            if len(light) == 1
            else f"{len(light)} moving links and the links fixed to them have no mass: {names}",
            places.get(light[0].child),
            "set mass and inertia of each link, or of a link fixed to it",
        )


def _carrying(robot: Robot) -> set[str]:
    """The links with mass, or with a link that has mass beyond them."""
    parents = {joint.child: joint.parent for joint in robot.joints}
    out: set[str] = set()
    for link in robot.links:
        name: str | None = link.name if link.inertial is not None else None
        while name is not None and name not in out:
            out.add(name)
            name = parents.get(name)
    return out
