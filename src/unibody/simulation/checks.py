"""What makes a robot impossible to simulate, as findings: motion without inertia, loops that stay open."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism import loops as equations
from unibody.mechanism.dynamics import massless_link
from unibody.mechanism.loops import LoopClosure
from unibody.mechanism.tree import BASE_VELOCITY_SIZE
from unibody.model.arrays import Floats
from unibody.model.gravity import PLACES, common_gravity
from unibody.model.joint_kind import INCOMPLETE, NEEDED
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile
from unibody.model.traverse import path_of
from unibody.model.validation.inertia import unknown_mass
from unibody.text.counted import listed
from unibody.text.finding import Finding, Findings
from unibody.text.node import Node

# The engine cannot move what has less kinetic energy than this, relative to that of single joints.
_LEAST_INERTIA, _TAKES_PART = 1e-12, 0.1
# A loop is closed within this (m, or the sine of an angle).
_CLOSED = 1e-6
# Links that are named.
_NAMED = 8
# The engine's constraints give way to forces; what they give more (m, rad) is reported.
_OPEN = 1e-4
# Displacements (rad, m) from the closest configuration at which an open equation may move.
_AWAY = (0.3, -0.2, 0.1)


class SimulationError(ValueError):
    """Raised if a robot cannot be simulated; ``findings`` say why."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\n".join(str(finding) for finding in findings))


def check_gravity(robots: Sequence[Robot], findings: Findings) -> None:
    """Report robots whose files state another gravity than that which all of them get."""
    chosen = common_gravity(robots)
    if chosen is None:
        return
    for robot in robots:
        if robot.gravity is not None and dist(robot.gravity, chosen) > PLACES:
            own, theirs = (" ".join(f"{x:g}" for x in each) for each in (robot.gravity, chosen))
            findings.warning(
                "gravity-differs",
                f"the file of {robot.name!r} states the gravity {own} m/s²; simulated with {theirs} m/s², "
                "that of another robot",
                robot.links[0].at if robot.links else None,
                "give the one that is meant (--gravity X,Y,Z, gravity=(x, y, z))",
            )


def has_mjcf(robot: Robot) -> bool:
    """Whether a robot, or one of those that it was merged of, is of an MJCF file.

    >>> has_mjcf(Robot(name="stone"))
    False
    """
    return any(extra.format == "mjcf" for extra in robot.extras)


def check_joints(robot: Robot, findings: Findings) -> None:
    """Report the joints whose motion is not known."""
    for joint in robot.joints:
        if joint.missing:
            findings.error(
                "cannot-assemble",
                f"{joint.kind} joint {joint.name!r} has no {NEEDED[joint.missing]}",
                joint.at,
                INCOMPLETE[joint.missing],
                subject=path_of("joints", joint.name, joint.missing),
            )


def check_masses(mechanism: Mechanism, findings: Findings) -> None:
    """Report links whose mass or inertia is unknown, else one that a force would accelerate infinitely."""
    if (unknown := unknown_mass(mechanism.robot, mechanism.base)) is not None:
        findings.append(unknown)
        return
    link = massless_link(mechanism.tree) if mechanism.nv else None
    if link is not None:
        what = "has a mass"
        hint = (
            "give the link a mass and an inertia, also from its shapes (--density, density=), or make its "
            "joint fixed"
        )
    else:
        link = _link_without_inertia(mechanism)
        what, hint = "has inertia against all of its motions", "give the link a mass and an inertia"
    if link is None:
        return
    name = mechanism.link_names[link]
    findings.error(
        "simulation-massless",
        f"link {name!r} moves, but neither it nor any link beyond it {what}",
        mechanism.robot.link(name).at,
        hint,
        subject=path_of("links", name, "inertial"),
    )


def _link_without_inertia(mechanism: Mechanism) -> int | None:
    """A link that a motion without kinetic energy moves; None if there is no such motion."""
    if not mechanism.nv:
        return None
    ahead = np.resize([0.31, -0.17, 0.23, 0.41], mechanism.nv)  # off symmetric configurations
    q = mechanism.integrate(mechanism.initial, ahead)
    mass = np.asarray(mechanism.mass_matrix(q), np.float64)
    if not np.isfinite(mass).all():
        return None
    scale = np.sqrt(np.maximum(np.diag(mass), 0.0))
    scale[scale < _LEAST_INERTIA] = 1.0
    sizes, motions = np.linalg.eigh(mass / np.outer(scale, scale))
    if sizes[0] > _LEAST_INERTIA:
        return None
    part = np.abs(motions[:, 0])
    if mechanism.base == "free" and part[:BASE_VELOCITY_SIZE].max() > _TAKES_PART:
        return mechanism.link_names.index(mechanism.robot.root)
    joint = int(np.searchsorted(mechanism.idx_v, int(np.argmax(part)), side="right")) - 1
    return mechanism.link_names.index(mechanism.robot.joints[joint].child)


def check_loops(mechanism: Mechanism, findings: Findings) -> None:
    """Report loops that no configuration near the initial one closes.

    What no motion changes at all, such as an offset of the anchors of a hinge along its axis, is no error.
    """
    if not mechanism.loops:
        return
    closed = mechanism.close_loops(mechanism.initial, limits=False)
    away = [
        mechanism.integrate(closed.q, distance * np.resize([0.31, -0.17, 0.23, 0.41], mechanism.nv))
        for distance in _AWAY
    ]
    rates = equations.jacobian(mechanism.tree, mechanism.loops, np.stack(away))
    first = 0
    for loop, closure, gap in zip(mechanism.robot.loops, mechanism.loops, closed.gap.tolist(), strict=True):
        rows = slice(first, first + _equations(closure))
        first = rows.stop
        left = closed.residual[rows]
        if np.abs(left).max(initial=0.0) > _CLOSED and _moves(rates[:, rows], left):
            findings.error(
                "simulation-loop-open",
                f"loop {loop.name!r} cannot be closed: {_apart(gap)} at the closest",
                loop.at,
                "correct an anchor or the initial positions, or remove the loop",
                subject=path_of("loops", loop.name),
            )


def check_stiffness(robot: Robot, findings: Findings) -> None:
    """Report the links whose contacts have a stiffness or a damping, which are Gazebo's own."""
    named = [
        link
        for extra in robot.extras
        if extra.format == "urdf" and not extra.owner
        for key, node, _ in extra.node.items
        if key == "gazebo" and isinstance(node, Node) and (link := node.word("reference"))
        if any(inner in ("kp", "kd") for inner, _, _ in node.items)
    ]
    if named:
        findings.info(
            "simulation-stiffness",
            f"stiffness and damping of contacts (<kp>, <kd> of <gazebo>) are not simulated: "
            f"{listed(map(repr, dict.fromkeys(named)), _NAMED)}",
            None,
            "give all contacts a time constant and a damping ratio (solref= in Python)",
            subject=path_of("links", named[0], "collisions"),
        )


def check_shapes(robot: Robot, findings: Findings) -> None:
    """Report links with collision meshes that were not found, which touch nothing."""
    unread = [
        link.name
        for link in robot.solids
        if link.collides
        and any(isinstance(x.geometry, MeshFile) and not x.geometry.path for x in link.collisions)
    ]
    if unread:
        findings.warning(
            "shape-unread",
            f"not simulated: collision meshes of {listed(map(repr, unread), _NAMED)} were not found",
            robot.link(unread[0]).at,
            "provide the mesh files",
            subject=path_of("links", unread[0], "collisions"),
        )


def check_residual(residual: Floats, findings: Findings) -> None:
    """Report loops that the engine does not hold closed well: ``residual`` (m,) is in m and rad."""
    worst = float(np.abs(residual).max(initial=0.0))
    if worst > _OPEN:
        findings.warning(
            "simulation-loop-residual",
            f"loops are not closed at the end of the run: they are {worst:.2g} m or rad apart",
            None,
            "hold them exactly, but without contacts (--loop-solver exact, loop_solver='exact'), or use a "
            "shorter step or smaller forces",
        )


def _equations(loop: LoopClosure) -> int:
    return 2 * loop.radial + loop.axial + loop.twist + 2 * loop.swing


def _moves(rates: Floats, left: Floats) -> bool:
    """Whether a motion changes what is left of a residual."""
    return bool(
        np.abs(np.einsum("bmn,m->bn", rates, left)).max(initial=0.0) > _CLOSED * np.linalg.norm(left)
    )


def _apart(gap: float) -> str:
    return (
        f"its ends stay {gap:.3g} m apart" if gap > _CLOSED else "its ends stay turned against each other"
    )
