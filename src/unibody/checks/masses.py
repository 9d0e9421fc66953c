"""Checks masses, centers of mass and inertias against the size of the link's shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, permutations

import numpy as np

from unibody.checks.likely import likely_cause
from unibody.checks.shapes import LARGEST, Drawn, LinkShapes
from unibody.checks.yardsticks import Surroundings
from unibody.meshes.surface import joined
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial
from unibody.model.pose import UNIT_MATRIX
from unibody.model.robot import Link, Robot
from unibody.model.shape import Shape
from unibody.model.solid import Solid, box_solid, mesh_solid, shape_solid
from unibody.model.traverse import links_below, path_of
from unibody.model.validation.cause import Explained, explain
from unibody.model.validation.correction import factor_text, is_body, power_of_ten
from unibody.model.validation.explanation import advice, proposed, statement
from unibody.model.validation.references import Reference, references
from unibody.text.edit import ProposedFix
from unibody.text.finding import Cause, Findings
from unibody.text.source import Span

# kg/m³ of the box around a link's shapes: below it is lighter than air, above three times as heavy
# as the heaviest metal (published robots have motors in boxes that are drawn too small).
_LIGHTEST, _HEAVIEST = 1.0, 60_000.0
# Densities (kg/m³) of the links of real robots, to which a wrong mass is corrected.
_USUAL_DENSITY = (50.0, 9_000.0)
# Radius of gyration in diagonals of the box: no body in it has more than 0.5; a full box has 0.29.
_LARGEST_GYRATION, _SMALLEST_GYRATION = 0.8, 0.033
_BOX = 0.29
_USUAL_GYRATION = (0.1, 0.5)
# Spread of mass along an axis in widths of the box, which can be 0.5; thin boxes are widened a little.
_LARGEST_SPREAD, _WIDENED = 0.75, 0.1
# How far a center of mass may be from the box, in its diagonals, and in m.
_FAR, _FAR_METERS = 0.25, 0.01
# Odds, as ln, above which a likely cause is a warning; placeholders never are.
_STRONG = 5.0
# What findings are about, if not the inertia.
_ABOUT = {"mass-density": "mass", "com-outside": "com"}
# Findings of the model alone.
_IMPOSSIBLE = ("inertia-not-positive", "inertia-triangle")
# Masses and shapes this small only mark a frame.
_MARKER_MASS, _MARKER_SIZE, _SMALLEST_SIZE = 1e-4, 0.02, 0.005


@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    """Inertial of a link and the bounding box of its shapes."""

    name: str
    inertial: Inertial
    at: Span | None
    low: Floats
    high: Floats
    volume: float
    explained: Explained | None = None

    def remedy(self, hint: str, about: str = "inertia") -> tuple[str, ProposedFix | None, Cause | None]:
        """Hint, fix and cause of a finding about mass, com or inertia; ``hint`` without a cause."""
        found = self.explained
        if found is None or not concerns(found.cause, about):
            return hint, None, None
        if found.cause.likely and about != "inertia" and found.cause.kind != "frame":
            return hint, None, found.cause
        return advice(found), proposed(found, self.inertial), found.cause

    @property
    def size(self) -> Floats:
        return self.high - self.low

    @property
    def diagonal(self) -> float:
        return math.hypot(*self.size.tolist())

    @property
    def second_moments(self) -> Floats:
        """∫ x xᵀ dm about the center of mass: ½·tr(I)·1 − I."""
        m = np.array(self.inertial.inertia)
        m = (m + m.T) / 2.0
        return np.asarray(0.5 * np.trace(m) * np.eye(3) - m)

    @property
    def gyration(self) -> float:
        """Root of the mean square distance of the mass from its center (m)."""
        return math.sqrt(max(float(np.trace(self.second_moments)), 0.0) / self.inertial.mass)


def check_masses(
    robot: Robot, shapes: list[LinkShapes], findings: Findings, names: Container[str] | None = None
) -> None:
    """Report masses, centers of mass and inertias that do not fit the shapes of their links.

    A finding about the same inertia that is already in ``findings`` is replaced if its cause is found.
    """
    still, missing = static_links(robot), {f.subject for f in findings if f.code == "mass-missing"}
    around = Surroundings(robot, shapes)
    for one in shapes:
        inertial = one.link.inertial
        if inertial is None or inertial.unknown or not _is_sane(inertial):
            continue
        if names is not None and one.link.name not in names:
            continue
        solids = link_references(one)
        explained = _explained(inertial, solids)
        known = explained is not None and _complete(explained, one.link, findings)
        if one.link.name in still or not inertial.mass > _MARKER_MASS:
            continue
        likely = None
        if not known and path_of("links", one.link.name, "inertial") not in missing:
            likely = partial(likely_cause, one, inertial, solids, around)
        _link(one, inertial, None if known else explained, likely, findings)


def _link(
    one: LinkShapes,
    inertial: Inertial,
    explained: Explained | None,
    likely: Callable[[bool], Explained | None] | None,
    findings: Findings,
) -> None:
    """Report what is wrong with the inertial of a moving link.

    ``likely`` finds the likely cause, from less evidence if something is known to be wrong; None where a
    cause is known or the inertial is not that of the file.
    """
    subject = path_of("links", one.link.name, "inertial", "inertia")
    if explained is None and likely is not None:
        wrong = any(f.code in _IMPOSSIBLE and f.subject == subject and not f.cause for f in findings)
        explained = likely(wrong)
        if explained is not None and _complete(explained, one.link, findings):
            explained = likely = None
    elif explained is not None and likely is not None:
        other = likely(True)
        if other is not None and _is_better(other.cause, explained.cause):
            explained = other
    low, high = one.bounds if one.bounds is not None else (np.zeros(3), np.zeros(3))
    at = inertial.at or one.link.at
    body = _Body(one.link.name, inertial, at, low, high, one.volume, explained)
    if one.bounds is not None and not body.diagonal > _SMALLEST_SIZE:
        return
    count = len(findings)
    if one.complete and body.diagonal > _MARKER_SIZE:
        _check(body, likely is None, findings)
    elif inertial.inertia == UNIT_MATRIX and likely is not None and likely(True) is not None:
        _placeholder(body, findings)
    new = findings[count:]
    if explained is None and likely is not None and new:
        explained = likely(True)
        if explained is not None and not _attached(explained, count, findings):
            _differs(replace(body, explained=explained), findings)
    elif explained is not None and not any(f.cause for f in new):
        _differs(body, findings)


def _attached(explained: Explained, first: int, findings: Findings) -> bool:
    """Add a likely cause to the first finding that it explains; whether there is one."""
    for i, f in enumerate(findings[first:], first):
        about = _ABOUT.get(f.code, "inertia")
        if concerns(explained.cause, about):
            own = about != "inertia" and explained.cause.kind != "frame"
            findings[i] = replace(f, hint=f.hint if own else advice(explained), cause=explained.cause)
            return True
    return False


def _is_better(likely: Cause, exact: Cause) -> bool:
    """Whether a likely cause tells more than one that a solid shows: a copy, a unit, the center of mass."""
    if likely.kind == "unit":
        return exact.kind == "density" or (exact.kind == "unit" and "com" in likely.entries)
    return likely.kind == "copy"


def _differs(body: _Body, findings: Findings) -> None:
    """Report an inertial that one slip explains: with the shapes as solids, or best."""
    explained = body.explained
    assert explained is not None
    inertial = body.inertial
    entries = set(explained.cause.entries)
    at, part = inertial.inertia_at, "inertia"
    if entries == {"mass"}:
        at, part = inertial.mass_at, "mass"
    elif entries == {"com"}:
        at, part = inertial.com_at, "com"
    if not explained.cause.likely:
        at, part = inertial.inertia_at, "inertia"
    strong = not explained.cause.likely or (
        explained.odds > _STRONG and explained.cause.kind != "placeholder"
    )
    report = findings.warning if strong else findings.info
    report(
        "inertia-unlikely" if explained.cause.likely else "inertia-solid",
        f"link '{body.name}': {statement(explained)}",
        at or body.at,
        advice(explained),
        subject=path_of("links", body.name, "inertial", part),
        fix=proposed(explained, body.inertial),
        cause=explained.cause,
    )


def concerns(cause: Cause, about: str) -> bool:
    """Whether a cause is about the mass, the com, or the inertia of a link."""
    if about != "inertia":
        return about in cause.entries
    return not set(cause.entries) <= {"mass", "com"}


def _explained(inertial: Inertial, solids: Sequence[Reference]) -> Explained | None:
    """The cause of an inertia that is not that of the link's shapes as solids; None if there is none."""
    if inertial.inertia == UNIT_MATRIX or not inertial.mass > 0.0:
        return None
    return explain(inertial, solids)


def link_references(one: LinkShapes) -> list[Reference]:
    """The solids with which the inertia of a link is compared, those of meshes included."""
    drawn = {id(d.shape): d for d in one.drawn}
    known: list[tuple[Shape, Solid | None]] = []

    def solid_of(shape: Shape) -> Solid | None:
        # The same mesh is often drawn for both kinds.
        for other, solid in known:
            if (shape.pose, shape.linear, shape.geometry) == (other.pose, other.linear, other.geometry):
                return solid
        known.append((shape, _solid(drawn[id(shape)])))
        return known[-1][1]

    def box_of(shape: Shape) -> Solid | None:
        bounds = drawn[id(shape)].bounds
        return box_solid(*bounds) if bounds is not None else None

    return references(one.link, solid_of, box_of)


def _solid(drawn: Drawn) -> Solid | None:
    """The solid of a shape; None if it is open or without volume."""
    if not drawn.surfaces or drawn.bounds is None:
        return None
    return shape_solid(drawn.shape) or mesh_solid(*joined(drawn.surfaces), drawn.bounds)


def _complete(explained: Explained, link: Link, findings: Findings) -> bool:
    """Add a cause to what was found without the meshes; whether there is such a finding."""
    assert link.inertial is not None
    subject = path_of("links", link.name, "inertial", "inertia")
    for i, f in enumerate(findings):
        if f.subject == subject and f.code in _IMPOSSIBLE:
            if f.cause is None:
                fix = proposed(explained, link.inertial)
                findings[i] = replace(f, hint=advice(explained), fix=fix, cause=explained.cause)
            return True
    return False


def static_links(robot: Robot) -> set[str]:
    """Links fixed to the world, whose mass has no effect."""
    children = {joint.child for joint in robot.joints}
    roots = [link for link in robot.links if link.name not in children]
    if len(roots) != 1 or robot.base == "free":
        return set()
    # URDF does not say whether the base is fixed; a root without mass stands for the world.
    if robot.base is None and (roots[0].inertial is not None or len(robot.links) == 1):
        return set()
    return links_below([roots[0].name], (joint for joint in robot.joints if joint.kind == "fixed"))


def _is_sane(inertial: Inertial) -> bool:
    """Whether the numbers do not overflow; overflow is reported elsewhere."""
    return all(abs(v) < LARGEST for v in (inertial.mass, *inertial.com, *chain(*inertial.inertia)))


def _check(body: _Body, invented: bool, findings: Findings) -> None:
    placeholder = body.inertial.inertia == UNIT_MATRIX
    factor = 1.0
    if not (placeholder and body.inertial.mass == 1.0):
        factor = _density(body, findings)
    if placeholder:
        if not invented:
            _placeholder(body, findings)
        return
    _center(body, findings)
    if is_body(body.inertial.inertia) and _size(body, factor, findings):
        _axes(body, findings)


def _density(body: _Body, findings: Findings) -> float:
    """Report an implausible density; return the factor that corrects the mass, 1 if it is plausible."""
    if body.volume <= 0.0:
        return 1.0
    density = body.inertial.mass / body.volume
    if _LIGHTEST <= density <= _HEAVIEST:
        return 1.0
    exponent = _mass_correction(body, density)
    hint = "look at the mass, and at the size of the shapes"
    if exponent is not None:
        value = body.inertial.mass * 10.0**exponent
        hint = f"mass = {value:g}, {factor_text(exponent)} times as large, would fit"
    hint, fix, cause = body.remedy(hint, "mass")
    than = "lighter than air" if density < _LIGHTEST else "heavier than any metal"
    findings.warning(
        "mass-density",
        f"link '{body.name}': {body.inertial.mass:g} kg in the {_box(body.size)} of its shapes is {than} "
        f"({density:.3g} kg/m³)",
        body.at,
        hint,
        subject=path_of("links", body.name),
        fix=fix,
        cause=cause,
    )
    if cause is not None:
        return 1.0 / cause.factor
    return 1.0 if exponent is None else 10.0**exponent


def _mass_correction(body: _Body, density: float) -> int | None:
    """The power of ten that makes the density usual, preferably also the radius of gyration."""

    def usual(factor: float) -> bool:
        return _USUAL_DENSITY[0] <= density * factor <= _USUAL_DENSITY[1]

    def both(factor: float) -> bool:
        share = body.gyration / body.diagonal / math.sqrt(factor)
        return usual(factor) and _USUAL_GYRATION[0] <= share <= _USUAL_GYRATION[1]

    exponent = power_of_ten(both)
    return power_of_ten(usual) if exponent is None else exponent


def _placeholder(body: _Body, findings: Findings) -> None:
    findings.info(
        "inertia-placeholder",
        f"link '{body.name}': its inertia is 1 kg·m² about every axis, which is a placeholder of exporters",
        body.inertial.inertia_at or body.at,
        f"a solid box of this size has about {_full_box(body)}" if body.diagonal else "set the inertia",
        subject=path_of("links", body.name),
        cause=body.explained.cause if body.explained is not None else None,
    )


def _full_box(body: _Body) -> str:
    x, y, z = (body.size**2).tolist()
    m = body.inertial.mass / 12.0
    return ", ".join(f"{m * v:.2g}" for v in (y + z, x + z, x + y)) + " kg·m²"


def _center(body: _Body, findings: Findings) -> None:
    com = np.array(body.inertial.com)
    distance = _outside(body, com)
    if distance <= max(_FAR * body.diagonal, _FAR_METERS):
        return
    x, y, z = body.inertial.com
    hint, fix, cause = body.remedy(_center_correction(body, com), "com")
    findings.warning(
        "com-outside",
        f"link '{body.name}': its center of mass ({x:g}, {y:g}, {z:g}) is {distance:.3g} m outside of its "
        f"shapes, which are {body.diagonal:.3g} m across",
        body.inertial.com_at or body.at,
        hint,
        subject=path_of("links", body.name),
        fix=fix,
        cause=cause,
    )


def _outside(body: _Body, point: Floats) -> float:
    return math.hypot(*np.maximum(np.maximum(body.low - point, point - body.high), 0.0).tolist())


def _center_correction(body: _Body, com: Floats) -> str:
    """Describe the single sign or power of ten that brings the center of mass into the box."""
    if not com.any():
        return "set the center of mass; it is the origin of the link frame"
    for i, name in enumerate("xyz"):
        changed = com.copy()
        changed[i] = -com[i]
        if com[i] and _outside(body, changed) == 0.0:
            return f"change {name} to {-com[i]:g} (opposite sign)"
    for i, name in enumerate("xyz"):
        for exponent in (-1, -2, -3):
            changed = com.copy()
            changed[i] = com[i] * 10.0**exponent
            if _outside(body, changed) == 0.0:
                return f"change {name} to {changed[i]:g} ({factor_text(exponent)} times as large)"
    exponent_of_all = power_of_ten(lambda factor: factor < 1.0 and _outside(body, com * factor) == 0.0)
    if exponent_of_all is not None:
        return f"multiply all three by {factor_text(exponent_of_all)}"
    return "check its signs and its unit; it is in the link frame"


def _size(body: _Body, factor: float, findings: Findings) -> bool:
    """Report an inertia of the wrong size; True if it is plausible, False if the mass explains it."""
    share = body.gyration / body.diagonal
    if factor != 1.0 and _SMALLEST_GYRATION <= share / math.sqrt(factor) <= _LARGEST_GYRATION:
        return False
    if _SMALLEST_GYRATION <= share <= _LARGEST_GYRATION:
        return True
    low, high = _USUAL_GYRATION
    exponent = power_of_ten(lambda factor: low <= share * math.sqrt(factor) <= high)
    hint = "look at the inertia's unit (kg·m²) and its decimal point"
    if exponent is not None:
        unit = {-6: ", as if they were in kg·mm²", -9: ", as if they were in g·mm²"}.get(exponent, "")
        hint = f"moments {factor_text(exponent)} times as large would fit{unit}"
    hint, fix, cause = body.remedy(hint)
    expected = f"about {_BOX * body.diagonal:.3g} m is usual"
    if share > _LARGEST_GYRATION:
        expected = f"at most {0.5 * body.diagonal:.3g} m is possible"
    findings.warning(
        "inertia-size",
        f"link '{body.name}': its inertia is that of a mass {body.gyration:.3g} m away from its center "
        f"(root mean square), but its shapes are {body.diagonal:.3g} m across: {expected}",
        body.inertial.inertia_at or body.at,
        hint,
        subject=path_of("links", body.name),
        fix=fix,
        cause=cause,
    )
    return False


def _axes(body: _Body, findings: Findings) -> None:
    """Report a spread of mass along an axis that exceeds the width of the shapes along it."""
    spread = np.sqrt(np.maximum(np.diag(body.second_moments), 0.0) / body.inertial.mass)
    widths = body.size + _WIDENED * body.diagonal
    if (spread <= _LARGEST_SPREAD * widths).all():
        return
    i = int(np.argmax(spread / widths))
    hint = "is the inertia given in the link's own axes?"
    for order in permutations(range(3)):
        changed = [k for k in range(3) if order[k] != k]
        if len(changed) == 2 and (spread[list(order)] <= 0.5 * widths).all():
            a, b = (f"i{'xyz'[k]}{'xyz'[k]}" for k in changed)
            hint = f"with {a} and {b} exchanged it would fit"
    hint, fix, cause = body.remedy(hint)
    findings.warning(
        "inertia-axes",
        f"link '{body.name}': its inertia is that of a mass {spread[i]:.3g} m away from its center along "
        f"{'xyz'[i]} (root mean square), but its shapes are {body.size[i]:.3g} m wide there: at most "
        f"{body.size[i] / 2.0:.3g} m is possible",
        body.inertial.inertia_at or body.at,
        hint,
        subject=path_of("links", body.name),
        fix=fix,
        cause=cause,
    )


def _box(size: Floats) -> str:
    return " × ".join(f"{v:.3g}" for v in size) + " m"
