"""Compares what an engine has of a model with the mechanism, quantity by quantity."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.tree import scalar_entries
from unibody.model.arrays import Floats
from unibody.model.gravity import STANDARD
from unibody.model.joint_kind import KINDS
from unibody.proof.couplings import coupling_deviations
from unibody.proof.loops import loop_deviations, missing_loops
from unibody.proof.process import Answer
from unibody.proof.reference import Reference, States
from unibody.proof.shapes import bounds_deviations, texture_deviations
from unibody.proof.solids import extent_of

#: Largest deviations of engines in double and in single precision, relative to the size of the quantity.
TOLERANCES = {"double": 1e-10, "single": 1e-5}
#: Positions, masses and inertias pass through more operations than forces relative to their largest term.
_LOOSER = 10.0
# Engines have the points of meshes in single precision.
_POINTS = 1e-7
# Masses are relative to that of the link, and to this share of the robot's for one without mass; forces are
# relative to the largest one at a state, and to this share of that at all states, and of the weight of the
# robot at 1 m.
_LEAST_MASS, _LEAST_FORCE, _LEAST_WEIGHT = 1e-9, 1e-2, 1e-5
# How far gravity (m/s²) may be from that which a file states, and from the usual one if it states none.
_SAME_GRAVITY, _USUAL_GRAVITY = 1e-6, 0.05
# Inertias are relative to their largest entry, and to this share of that of the mass at the origin of the
# link, or at this distance in m.
_LEAST_POINT, _LEAST_ARM = 1e-6, 0.01
# Entries of the mass matrix are relative to its diagonal, and to this share of the largest entry there;
# below the other share, nothing resists the joint.
_LEAST_INERTIA, _NO_INERTIA = 1e-5, 1e-14
# Where the model has no inertia at all, entries of a mass matrix are relative to this: numbers below it are
# memory that an engine did not set.
_LEAST_SCALE = 1e-200
# Limits that may be large, and are relative to the largest one.
_RATES = ("effort", "velocity")


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is compared: its title, its unit ("" for a share), and what its owners are."""

    title: str
    unit: str
    owner: str


QUANTITIES = {
    "joints": Quantity("joints", "", "joint"),
    "links": Quantity("links", "", "link"),
    "positions": Quantity("link positions", "m", "link"),
    "rotations": Quantity("link rotations", "rad", "link"),
    "mass": Quantity("masses", "", "link"),
    "com": Quantity("centers of mass", "m", "link"),
    "inertia": Quantity("inertias", "", "link"),
    "mass_matrix": Quantity("mass matrix", "", "joint"),
    "bias": Quantity("bias forces", "", "joint"),
    "acceleration": Quantity("accelerations", "", "joint"),
    "trajectory": Quantity("motion of 5 s", "m or rad", "joint"),
    "limits": Quantity("position limits", "rad or m", "joint"),
    "zero": Quantity("zeros of joints", "rad or m", "joint"),
    "effort": Quantity("effort limits", "N·m or N", "joint"),
    "velocity": Quantity("velocity limits", "rad/s or m/s", "joint"),
    "armature": Quantity("armature", "kg m² or kg", "joint"),
    "damping": Quantity("damping", "N·m·s/rad or N·s/m", "joint"),
    "friction": Quantity("friction", "N·m or N", "joint"),
    "limit_solver": Quantity("solver of limits", "", "joint"),
    "friction_solver": Quantity("solver of friction", "", "joint"),
    "load_friction": Quantity("friction by load", "", "joint"),
    "gravity": Quantity("gravity", "m/s²", "world"),
    "gravity_compensation": Quantity("gravity compensation", "", "link"),
    "couplings": Quantity("couplings", "", "joint"),
    "loops": Quantity("loops", "", "loop"),
    "loop_gaps": Quantity("gaps of loops", "m", "loop"),
    "loop_turns": Quantity("turns in loops", "rad", "loop"),
    "bounds": Quantity("bounds of shapes", "m", "link"),
    "textures": Quantity("textures", "", "file"),
}


@dataclass(frozen=True, slots=True)
class Deviation:
    """The largest deviation of a quantity, and the joint or link that has it; ``count`` are too far off."""

    quantity: str
    largest: float
    tolerance: float
    owner: str = ""
    count: int = 0
    compared: int = 0

    @property
    def holds(self) -> bool:
        """Whether the deviation is within the tolerance."""
        return self.largest <= self.tolerance


@dataclass(kw_only=True, eq=False)
class Comparison:
    """An engine's answer beside a reference: deviations, and what the search for causes needs.

    ``residual`` (B, n) are the forces that the engine's accelerations need beyond those of the reference,
    with the entries of v in ``dofs``; ``sensitivity``, for an engine in single precision, is what rounding
    makes of forces, relative to the largest one; ``merged`` are links that the engine fixes to
    others; ``unresisted`` are joints that no inertia resists, so that no accelerations are defined.
    """

    deviations: dict[str, Deviation] = field(default_factory=dict)
    by_owner: dict[str, dict[str, float]] = field(default_factory=dict)
    merged: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    dofs: list[int] = field(default_factory=list)
    residual: Floats | None = None
    largest_force: Floats | None = None
    unresisted: list[str] = field(default_factory=list)
    condition: float = math.nan
    sensitivity: float = math.nan

    @property
    def failed(self) -> tuple[str, ...]:
        """The quantities that are out of tolerance."""
        return tuple(name for name, found in self.deviations.items() if not found.holds)

    def note(self, quantity: str, values: Mapping[str, float], tolerance: float) -> None:
        """Record the deviations of all joints or links."""
        self.by_owner[quantity] = dict(values)
        if not values:
            return
        finite = {name: math.inf if math.isnan(value) else value for name, value in values.items()}
        owner = max(finite, key=lambda name: finite[name])
        self.deviations[quantity] = Deviation(
            quantity,
            finite[owner],
            tolerance,
            owner if finite[owner] > 0.0 else "",
            sum(value > tolerance for value in finite.values()),
            len(finite),
        )


def compare(
    reference: Reference,
    states: States,
    answer: Answer,
    dofs: Sequence[tuple[str, int]],
    *,
    moving: bool = True,
    forced: bool = True,
) -> Comparison:
    """Compare an answer with a reference at the states that the engine was given.

    ``dofs`` are the joint and the number of each entry of v that the engine's arrays have. What moves is
    only compared if ``moving``, and what depends on forces and on the mass matrix if ``forced``, too.
    """
    found = Comparison()
    exact = TOLERANCES[answer.facts.get("precision", "double")]
    with np.errstate(all="ignore"):
        _joints(found, reference, answer)
        found.note("loops", missing_loops(reference, answer.facts), 0.0)
        if moving:
            _motion(found, reference, states, answer)
        _masses(found, reference, answer, exact * _LOOSER)
        movers = reference.movers()
        dofs = [(movers.get(name, name), k) for name, k in dofs]
        places = {dof: k for k, dof in enumerate(reference.dofs)}
        # without any mass there are no forces to compare
        if moving and forced and dofs and reference.robot.mass and all(dof in places for dof in dofs):
            found.dofs = [places[dof] for dof in dofs]
            _dynamics(found, reference, states, answer, exact)
        _limits(found, reference, answer, exact * _LOOSER)
        _zeros(found, reference, answer, exact * _LOOSER)
        _gravity(found, reference, answer)
        found.note("gravity_compensation", lifting_deviations(reference, answer), exact * _LOOSER)
        followed = coupling_deviations(reference.robot, answer.facts, reference.polynomials)
        found.note("couplings", followed, exact * _LOOSER)
        size = extent_of(reference.solids)
        found.note("bounds", bounds_deviations(reference, answer), max(exact, _POINTS) * _LOOSER * size)
        found.note("textures", texture_deviations(reference.robot, answer.facts), 0.0)
    return found


def _motion(found: Comparison, reference: Reference, states: States, answer: Answer) -> None:
    """Compare poses of links, and the residuals of loops."""
    q, _, _ = reference.numbers(states)
    poses = np.asarray(reference.mechanism.forward_kinematics(q))
    compare_poses(found, reference, answer, poses, pose_tolerance(answer))
    for name, away in loop_deviations(reference, answer, poses).items():
        found.note(name, away, pose_tolerance(answer) * _LOOSER)


def _joints(found: Comparison, reference: Reference, answer: Answer) -> None:
    """Which joints the engine lacks, has in addition, or has as another kind."""
    there = {joint["name"]: joint["kind"] for joint in answer.facts["joints"]}
    here = {joint.name: joint for joint in reference.robot.joints if KINDS[joint.kind].nv}
    values = {name: float(there.get(name) != joint.kind) for name, joint in here.items()}
    values |= dict.fromkeys(there.keys() - here.keys(), 1.0)
    found.lacking = [name for name in here if name not in there]
    found.note("joints", values, 0.0)


def pose_tolerance(answer: Answer) -> float:
    """The largest deviation of poses in the precision of an engine, in rad and, up to 1 m, in m."""
    return TOLERANCES[answer.facts.get("precision", "double")] * _LOOSER


def compare_poses(
    found: Comparison, reference: Reference, answer: Answer, poses: Floats, exact: float
) -> None:
    """Compare poses of links, those of the mechanism (B, links, 4, 4) with those of the engine."""
    theirs = answer.arrays.get("poses")
    links = {name: k for k, name in enumerate(reference.mechanism.link_names)}
    rows = {name: k for k, name in enumerate(answer.facts["links"])}
    away, turned = {}, {}
    size = 1.0
    for link, (body, offset) in reference.bodies.items():
        if body not in rows:
            if body:
                found.merged.append(link)
            continue
        if theirs is None or theirs.ndim != 4 or len(theirs) > len(poses):
            continue
        ours = poses[: len(theirs), links[link]] @ np.array(offset.inverse().matrix())
        engine = theirs[:, rows[body]]
        size = max(size, float(np.abs(ours[:, :3, 3]).max(initial=0.0)))
        away[link] = float(np.abs(ours[:, :3, 3] - engine[:, :3, 3]).max())
        turned[link] = float(angles(ours[:, :3, :3], engine[:, :3, :3]).max())
    if dropped := [link for link in found.merged if not _is_part(reference, link, rows)]:
        found.merged = [link for link in found.merged if link not in dropped]
        found.note("links", {link: float(link in dropped) for link in reference.bodies}, 0.0)
    found.note("positions", away, exact * size)
    found.note("rotations", turned, exact)


def _is_part(reference: Reference, link: str, present: Collection[str]) -> bool:
    """Whether a link is fixed to a body that an engine has, or to the world."""
    above = reference.above
    while reference.bodies[link][0] not in present and link in above and above[link].kind == "fixed":
        link = above[link].parent
    return reference.bodies[link][0] in present or (link not in above and reference.base == "fixed")


def angles(a: Floats, b: Floats) -> Floats:
    """The angles between rotation matrices, in rad; small ones keep all their digits."""
    r = np.swapaxes(a, -1, -2) @ b
    axis = [r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]]
    sine, cosine = np.linalg.norm(axis, axis=0), np.trace(r, axis1=-2, axis2=-1) - 1.0
    return np.asarray(np.abs(np.arctan2(sine, cosine)))


Inertial = tuple[float, Floats, Floats]


def inertials_of(
    reference: Reference, present: Mapping[str, int], only: str | None = None
) -> dict[str, Inertial]:
    """Mass, center of mass and inertia about it of each body that an engine has, in the body's axes.

    A link that is fixed to another one and that the engine does not have is a part of that one's body.
    With ``only`` it is that of one body.
    """
    out: dict[str, Inertial] = {}
    for link in reference.robot.links:
        found = reference.body_of(link.name, present)
        if found is None or (only is not None and found[0] != only):
            continue
        body, place = found
        total = out.get(body, (0.0, np.zeros(3), np.zeros((3, 3))))
        if link.inertial is not None:
            turn = np.array(place.rotation())
            com = turn @ np.array(link.inertial.com) + np.array(place.xyz)
            inertia = turn @ np.array(link.inertial.inertia) @ turn.T
            total = _joined(total, (link.inertial.mass, com, inertia))
        out[body] = total
    return out


def _joined(a: Inertial, b: Inertial) -> Inertial:
    """Two bodies as one."""
    mass = a[0] + b[0]
    if mass == 0.0:
        return mass, b[1], a[2] + b[2]
    com = (a[0] * a[1] + b[0] * b[1]) / mass
    inertia = np.zeros((3, 3))
    for m, c, i in (a, b):
        r = c - com
        inertia += i + m * (np.dot(r, r) * np.eye(3) - np.outer(r, r))
    return mass, com, inertia


def _masses(found: Comparison, reference: Reference, answer: Answer, exact: float) -> None:
    if "mass" not in answer.arrays:
        return
    rows = {name: k for k, name in enumerate(answer.facts["bodies"])}
    total = max(reference.robot.mass, 1e-12)
    masses, coms, inertias = {}, {}, {}
    for body, (mass, com, inertia) in inertials_of(reference, rows).items():
        if body == "world":
            continue
        k = rows[body]
        masses[body] = abs(mass - float(answer.arrays["mass"][k])) / max(mass, _LEAST_MASS * total)
        if mass > 0.0:
            coms[body] = float(np.abs(com - answer.arrays["com"][k]).max())
        # that of a point, far from the origin, is known only as well as its distance
        arm = float(np.dot(com, com)) + _LEAST_ARM**2
        size = max(float(np.abs(inertia).max()), _LEAST_POINT * (mass or total) * arm)
        inertias[body] = float(np.abs(inertia - answer.arrays["inertia"][k]).max()) / size
    found.note("mass", masses, exact)
    found.note("com", coms, exact)
    found.note("inertia", inertias, exact)


def passive_forces(mechanism: Mechanism, q: Floats, v: Floats, which: Sequence[str]) -> Floats:
    """The forces of damping, friction and springs, those of ``which``, (B, nv)."""
    tree = mechanism.tree
    out = np.zeros_like(v)
    if "damping" in which:
        out -= tree.damping * v
    if "friction" in which:
        out -= tree.friction * np.sign(v)
    if "stiffness" in which:
        places = scalar_entries(tree)
        single = places >= 0
        stretch = q[:, np.where(single, places, 0)] - tree.spring_rest
        out -= np.where(single, tree.stiffness * stretch, 0.0)
    return out


def _dynamics(
    found: Comparison,
    reference: Reference,
    states: States,
    answer: Answer,
    exact: float,
) -> None:
    mechanism, at, arrays = reference.mechanism, found.dofs, answer.arrays
    theirs, rates = arrays.get("mass_matrix"), arrays.get("acceleration")
    count = next(
        (len(arrays[name]) for name in ("mass_matrix", "acceleration", "bias") if name in arrays), 0
    )
    q, v, effort = (rows[:count] for rows in reference.numbers(states))
    # joints that the engine's arrays do not have are at rest there
    v = v * np.isin(np.arange(mechanism.nv), at)
    names = [reference.dofs[k][0] or reference.robot.root for k in at]
    full = np.asarray(mechanism.mass_matrix(q))
    ours = full[:, at][:, :, at]
    resisting = np.abs(np.einsum("bii->bi", ours))
    most = resisting.max(axis=1, keepdims=True, initial=0.0)
    diagonal = np.sqrt(np.maximum(resisting, _LEAST_INERTIA * most))
    scale = np.maximum(diagonal[:, :, None] * diagonal[:, None, :], _LEAST_SCALE)
    least = (resisting / np.maximum(most, 1e-300)).min(axis=0, initial=math.inf)
    found.unresisted = [
        name for name, share in zip(names, least.tolist(), strict=True) if share < _NO_INERTIA
    ]
    if found.unresisted:
        rates = None
    if theirs is not None and theirs.shape == ours.shape:
        found.note("mass_matrix", _largest(names, (np.abs(theirs - ours) / scale).max(axis=(0, 2))), exact)
    if len(ours):
        scaled = ours[0] / scale[0]
        found.condition = float(np.linalg.cond(scaled)) if np.isfinite(scaled).all() else math.nan
    bias = np.asarray(mechanism.inverse_dynamics(q, v, np.zeros_like(v), gravity=reference.gravity))[:, at]
    passive = passive_forces(mechanism, q, v, answer.facts["passive"])[:, at]
    terms = [np.abs(bias), np.abs(effort[:, at]), np.abs(passive)]
    if rates is not None:
        rates_found = np.where(np.isfinite(rates), rates, 0.0)
        terms.append(np.einsum("bij,bj->bi", np.abs(ours), np.abs(rates_found)))
    largest = np.nanmax(terms, axis=(0, 2))
    weight = reference.robot.mass * float(np.linalg.norm(reference.gravity))
    least_force = max(_LEAST_FORCE * largest.max(initial=0.0), _LEAST_WEIGHT * weight, 1e-300)
    largest = np.maximum(largest, least_force)[:, None]
    found.largest_force = largest
    slack = reference.rounding(states)[:count, at]
    if states.rounding:
        found.sensitivity = float((slack / largest).max(initial=0.0))
    if "bias" in arrays:
        away = np.maximum(np.abs(arrays["bias"] - bias) - slack, 0.0) / largest
        found.note("bias", _largest(names, away.max(axis=0)), exact)
    if rates is not None:
        # M (a_engine - a_ours), with M a_ours = effort + passive - bias
        found.residual = np.einsum("bij,bj->bi", ours, rates) - (effort[:, at] + passive - bias)
        # rates that are differences of velocities in single precision are not better than these
        error = answer.facts.get("rate_error", 0.0) * np.abs(v[:, at])
        slack = slack + np.einsum("bij,bj->bi", np.abs(ours), error)
        found.residual = np.sign(found.residual) * np.maximum(np.abs(found.residual) - slack, 0.0)
        found.note("acceleration", _largest(names, (np.abs(found.residual) / largest).max(axis=0)), exact)


def _largest(names: Sequence[str], values: Any) -> dict[str, float]:
    out: dict[str, float] = {}
    for name, value in zip(names, values.tolist(), strict=True):
        out[name] = max(out.get(name, 0.0), math.inf if math.isnan(value) else value)
    return out


def _zeros(found: Comparison, reference: Reference, answer: Answer, exact: float) -> None:
    """The coordinates of joints at their zeros, if the engine has those of the file."""
    if not answer.facts.get("has_zeros"):
        return
    single = {joint.name for joint in reference.robot.joints if KINDS[joint.kind].nq == 1}
    stated = {x["name"]: float(x["zero"]) for x in answer.facts["joints"] if x["name"] in single}
    values = {name: abs(zero - reference.zeros.get(name, 0.0)) for name, zero in stated.items()}
    found.note("zero", values, exact)


def _gravity(found: Comparison, reference: Reference, answer: Answer) -> None:
    """The gravity of the engine beside that of the file; if this states none, each usual one is right."""
    there = answer.facts.get("gravity")
    if there is None:
        return
    away = float(np.abs(np.subtract(reference.stated_gravity or STANDARD, there)).max())
    if reference.stated_gravity is None and away <= _USUAL_GRAVITY:
        away = 0.0
    found.note("gravity", {"world": away}, _SAME_GRAVITY)


def lifting_deviations(reference: Reference, answer: Answer) -> dict[str, float]:
    """How far the shares of weights that lift bodies are from those of the file, where they are told."""
    there = answer.facts.get("gravity_compensation")
    if there is None or reference.format != "mjcf":
        return {}
    ours = {reference.bodies[link][0]: x for link, x in reference.gravity_compensation.items()}
    return {body: abs(ours.get(body, 0.0) - there.get(body, 0.0)) for body in {**ours, **there} if body}


def _limits(found: Comparison, reference: Reference, answer: Answer, exact: float) -> None:
    """Limits, armature and passive forces that the engine states for its joints."""
    joints = {joint.name: joint for joint in reference.robot.joints if KINDS[joint.kind].nq == 1}
    values: dict[str, dict[str, float]] = {
        name: {}
        for name in ("limits", "effort", "velocity", "armature", "damping", "friction", "load_friction")
    }
    for each, stated in reference.stated(answer.facts).items():
        joint = joints.get(each)
        if joint is None:
            continue
        if "position" in stated:
            there = [math.nan if x is None else x for x in stated["position"] or (-math.inf, math.inf)]
            zero = stated.get("zero", 0.0)
            values["limits"][joint.name] = max(
                _apart(a, b - zero) for a, b in zip(joint.limits.position, there, strict=True)
            )
        # effort limits of an MJCF file are those of actuators, too, which most engines do not read
        if "effort" in stated and (reference.format != "mjcf" or "actuators" in answer.facts):
            values["effort"][joint.name] = max(
                _apart(a, b) for a, b in zip(joint.limits.effort, stated["effort"], strict=True)
            )
        if "velocity" in stated and reference.format != "mjcf":
            values["velocity"][joint.name] = max(
                _apart(a, b) for a, b in zip(joint.limits.velocity, stated["velocity"], strict=True)
            )
        own = {
            "armature": joint.actuator.reflected_inertia,
            "damping": joint.dynamics.damping,
            "friction": joint.dynamics.friction,
            "load_friction": 0.0,  # no format states one
        }
        for name, value in own.items():
            if name in stated:
                values[name][joint.name] = _apart(value, stated[name])
    for name, found_values in solver_deviations(reference, answer).items():
        found.note(name, found_values, exact)
    for name, found_values in values.items():
        ranges = [getattr(joint.limits, name) for joint in joints.values()] if name in _RATES else []
        size = max([1.0, *(abs(x) for pair in ranges for x in pair if math.isfinite(x))])
        found.note(name, found_values, exact * size)


def solver_deviations(reference: Reference, answer: Answer) -> dict[str, dict[str, float]]:
    """How far the numbers for the solver of limits and of friction are apart, of joints that have these."""
    out: dict[str, dict[str, float]] = {"limit_solver": {}, "friction_solver": {}}
    joints = {joint.name: joint for joint in reference.robot.joints}
    for name, stated in reference.stated(answer.facts).items():
        if "solvers" not in stated or name not in reference.solvers or name not in joints:
            continue
        joint = joints[name]
        has = {
            "limit_solver": joint.limits.position != (-math.inf, math.inf),
            "friction_solver": bool(joint.dynamics.friction),
        }
        for quantity in (each for each in out if has[each]):
            ending = quantity.partition("_")[0]
            out[quantity][name] = max(
                _apart(a, b)
                for each, own in reference.solvers[name].items()
                if each.endswith(ending)
                for a, b in zip(own, stated["solvers"][each], strict=True)
            )
    return out


def _apart(a: float, b: float) -> float:
    return 0.0 if a == b else abs(a - b)
