"""Checks which links collide where the model says otherwise; silent without coal and Pinocchio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unibody.checks.shapes import LinkShapes
from unibody.model.arrays import Floats
from unibody.model.base import WORLD
from unibody.model.changes.surroundings import without_surroundings
from unibody.model.collision import PairRules, links_tested_with_world
from unibody.model.joint_kind import KINDS
from unibody.model.posture import usable_positions
from unibody.model.robot import Configuration, Robot
from unibody.model.shape import Box, Capsule, Cone, Cylinder, Ellipsoid, Plane, Sphere
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.finding import Finding, Findings, Severity
from unibody.text.missing import MissingExtra

if TYPE_CHECKING:
    from unibody.collision.matrix import CollisionMatrix, LinkPair
    from unibody.collision.world import Hit
    from unibody.formats.format import Format
    from unibody.mechanism import Mechanism
    from unibody.meshes import MeshCache

Pair = tuple[str, str]

#: Robots with more links, more triangles on the links in question, or more pairs take too long.
_LINKS, _TRIANGLES, _PAIRS, _POSTURES = 2_000, 1_000_000, 1_000, 20
#: Larger coordinates (m) are mistakes that other checks report.
_LARGEST = 1e6
#: Random configurations of listed pairs, and cells of proofs.
_SAMPLES, _CELLS = 300, 500
#: Shallower contacts (m) with the world are those of what rests on it.
_INSIDE = 1e-3
#: Shallower contacts (m) of solids are rounding: shapes that lie on one another.
_DEEP = 1e-6
_SOLIDS = (Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid)
#: Positions (rad or m) that differ less are equal.
_MOVED = 1e-9
#: Pairs that a message names.
_NAMED = 3


def check_collisions(
    robot: Robot,
    shapes: list[LinkShapes],
    cache: MeshCache,
    findings: Findings,
    format: Format | None = None,
) -> None:
    """Report tested pairs that touch in a posture, and listed pairs of which the opposite is found.

    Of the world, on which a robot may stand, only what some postures touch is reported. Listed pairs are
    tried in random configurations, and bisected for a proof; nothing depends on time. Remedies are those of
    ``format``.
    """
    from unibody.collision.geometry import CollisionError, engines
    from unibody.mechanism import AssembleError, assemble

    solid = {one.link.name: one for one in shapes if one.link.collides and one.link.collisions}
    if not 0 < len(solid) <= _LINKS:
        return
    try:
        engines()
        _check_world(robot, solid, cache, findings, format)
        if len(solid) == 1:
            return
        robot = without_surroundings(robot)
        mechanism = assemble(robot)
        _check_postures(mechanism, solid, cache, findings, format)
        _check_listed(robot, solid, cache, findings)
    except (MissingExtra, CollisionError, AssembleError):
        # other findings say what cannot be read or assembled
        return


def _check_world(
    robot: Robot,
    solid: Mapping[str, LinkShapes],
    cache: MeshCache,
    findings: Findings,
    format: Format | None,
) -> None:
    """Report links that reach into the world in some postures, and are apart from it in others.

    The world is the root link of this name or the surroundings. What touches in all postures is mounted
    there; what moves freely rests where postures do not say.
    """
    from unibody.collision.construction import construct
    from unibody.mechanism import assemble

    if {link.name for link in robot.links} <= {joint.child for joint in robot.joints}:
        return  # no root, which is reported
    rules, held = PairRules(robot), _held(robot)
    if robot.root == WORLD:
        among = [(WORLD, name) for name in held if WORLD in solid and rules.are_tested(WORLD, name)]
    else:
        among = [(name, name) for name in links_tested_with_world(robot) if name in held]
    pairs = [pair for pair in among if pair[1] in solid]
    if not robot.configurations or not 0 < len(pairs) <= _PAIRS or _triangles(pairs, solid) > _TRIANGLES:
        return
    postures = [(p, q) for p, q in _postures(assemble(robot)) if np.isfinite(q).all()]
    tested = [pair for pair in pairs if pair[0] != pair[1]]
    world = construct(_only(robot, pairs), tested, "collision", "skip", cache=cache)
    hits: list[tuple[Configuration | None, tuple[Hit, ...]]] = []
    for posture, q in postures:
        try:
            hits.append((posture, world.hits(q)))
        except ValueError:  # positions out of range, which other checks report
            continue
    known = set.intersection(*({hit.pair for hit in each} for _, each in hits)) if hits else set()
    for posture, each in hits:
        new = [hit for hit in each if hit.pair not in known and _has_points(hit) and _depth(hit) > _INSIDE]
        known |= {hit.pair for hit in new}
        if new:
            _report_posture(robot, rules, posture, new, findings, format)


def _held(robot: Robot) -> list[str]:
    """The links, in order, that joints other than free ones connect to the world."""
    below: dict[str, list[str]] = {}
    for joint in robot.joints:
        if joint.kind != "free":
            below.setdefault(joint.parent, []).append(joint.child)
    todo, found = [] if robot.base == "free" else [robot.root], set[str]()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += below.get(name, [])
    return [link.name for link in robot.links if link.name in found and link.name != WORLD]


def _check_postures(
    mechanism: Mechanism,
    solid: Mapping[str, LinkShapes],
    cache: MeshCache,
    findings: Findings,
    format: Format | None,
) -> None:
    """Report tested pairs that touch at the initial pose or in a named configuration."""
    from unibody.collision.construction import construct

    robot = mechanism.robot
    rules = PairRules(robot)
    # what stands on the world touches it, whether that is a link or the surroundings
    solid = {name: one for name, one in solid.items() if name != WORLD or robot.root != WORLD}
    boxes = {name: box for name, one in solid.items() if (box := _box(one)) is not None}
    postures = [(p, q) for p, q in _postures(mechanism) if np.isfinite(q).all()]
    overlapping = [_overlapping(mechanism, q, boxes) for _, q in postures]
    pairs = [
        pair for pair in dict.fromkeys(p for each in overlapping for p in each) if rules.are_tested(*pair)
    ]
    if not pairs or len(pairs) > _PAIRS or _triangles(pairs, solid) > _TRIANGLES:
        return
    world = construct(_only(robot, pairs), pairs, "collision", "skip", cache=cache)
    known: set[Pair] = set()
    for (posture, q), near in zip(postures, overlapping, strict=True):
        if set(near).isdisjoint(pairs):
            continue
        try:
            hits = [hit for hit in world.hits(q) if _is_deep(hit, solid)]
        except ValueError:  # positions out of range, which other checks report
            continue
        new = [hit for hit in hits if hit.pair not in known]
        known |= {hit.pair for hit in hits}
        if new:
            _report_posture(robot, rules, posture, new, findings, format)


def _report_posture(
    robot: Robot,
    rules: PairRules,
    posture: Configuration | None,
    hits: Sequence[Hit],
    findings: Findings,
    format: Format | None,
) -> None:
    hits = sorted(hits, key=lambda hit: -round(10_000.0 * _depth(hit)))
    where = "at the initial pose" if posture is None else f"in the posture '{posture.name}'"
    words = [f"'{a}' and '{b}'{_deep(hit)}" for hit in hits for a, b in [hit.pair]]
    stated = [hit.pair for hit in hits if frozenset(hit.pair) in rules.enabled]
    is_said = bool(rules.disabled or stated) or rules.default == "none"
    verb = "collide, which the model tests" if is_said else "collide"
    message = f"{where} {_pairs(words)} {verb}"
    hint = f"correct the shapes or the pose, or {_remedy(robot, (stated or [hits[0].pair])[0], format)}"
    at = (posture.at if posture is not None else None) or _place(robot, hits[0].pair)
    severity: Severity = "warning" if is_said else "info"
    subject = path_of("links", hits[0].pair[0])
    findings.append(Finding("posture-collides", severity, message, at, hint, subject))


def _remedy(robot: Robot, pair: Pair, format: Format | None) -> str:
    """How the files of a format state that a pair needs no test."""
    from unibody.formats import FORMATS

    if format is not None and format.untested is not None:
        return format.untested()(robot, *pair)
    second = next((x for x in FORMATS if format and x.completes == format.name and x.pairs), None)
    if second is not None:
        return f"list the pairs that need no test in {second.title} (unibody pairs --to {second.name})"
    return "state that the pairs need no test (unibody pairs --output FILE)"


def _check_listed(
    robot: Robot, solid: Mapping[str, LinkShapes], cache: MeshCache, findings: Findings
) -> None:
    """Report pairs that the model disables although they collide, or enables although they never do."""
    from unibody.collision.matrix import SAMPLE
    from unibody.formats.srdf.reasons import has_reasons, reasons_of

    rules, reasons = PairRules(robot), reasons_of(robot)
    # elsewhere pairs have no reasons, and are disabled on purpose
    gives_reasons = has_reasons(robot)
    disabled, enabled = (
        [
            pair
            for key, pair in each.items()
            if key <= solid.keys()
            and rules.are_tested(*pair) == is_tested
            and not rules.are_adjacent(*pair)
            and (is_tested or (gives_reasons and reasons.get(key, "").lower() in ("", "never")))
        ]
        for each, is_tested in ((rules.disabled, False), (rules.enabled, True))
    )
    if (matrix := _tried(robot, disabled, 0, solid, cache)) is not None:
        wrong = matrix.with_status("possible", "always")
        claimed = [pair for pair in wrong if frozenset(pair.links) in reasons]
        # what collides in a posture is disabled for that reason; free bodies can be anywhere
        other = [
            pair
            for pair in wrong
            if pair not in claimed and pair.found == SAMPLE and _witness(matrix.mechanism, pair)
        ]
        _report_disabled(matrix.mechanism, claimed, findings, True)
        _report_disabled(matrix.mechanism, other, findings, False)
    if (proved := _tried(robot, enabled, _CELLS, solid, cache)) is not None:
        _report_needless(robot, proved.with_status("never"), findings)


def _report_needless(robot: Robot, pairs: Sequence[LinkPair], findings: Findings) -> None:
    if not pairs:
        return
    words = [f"'{a}' and '{b}'" for pair in pairs for a, b in [pair.links]]
    findings.info(
        "pair-never-collides",
        f"{_pairs(words)} are tested for collision and never collide within the limits of the joints",
        _place(robot, pairs[0].links),
        "such pairs need no test",
        subject=path_of("links", pairs[0].links[0]),
    )


def _tried(
    robot: Robot, pairs: Sequence[Pair], cells: int, solid: Mapping[str, LinkShapes], cache: MeshCache
) -> CollisionMatrix | None:
    """What samples and short proofs say of some pairs; None without any, or with too many."""
    from unibody.collision.matrix import MatrixSearch

    if not pairs or len(pairs) > _PAIRS or _triangles(pairs, solid) > _TRIANGLES:
        return None
    work = MatrixSearch(
        _only(robot, pairs),
        samples=_SAMPLES,
        cells=cells,
        pairs=pairs,
        missing="skip",
        search=False,
        cache=cache,
    )
    for _ in work.steps():
        pass
    wanted = {frozenset(pair) for pair in pairs}
    found = work.result()
    return replace(found, pairs=tuple(p for p in found.pairs if frozenset(p.links) in wanted))


def _report_disabled(
    mechanism: Mechanism, pairs: Sequence[LinkPair], findings: Findings, is_claimed: bool
) -> None:
    if not pairs:
        return
    words = [
        f"'{a}' and '{b}'" + (f" ({where})" if (where := _witness(mechanism, pair)) else "")
        for pair in pairs
        for a, b in [pair.links]
    ]
    message = f"{_pairs(words)} collide; the model does not test them"
    findings.append(
        Finding(
            "pair-disabled-collides",
            "warning" if is_claimed else "info",
            message + (' for the reason "Never"' if is_claimed else ""),
            _place(mechanism.robot, pairs[0].links),
            "test these pairs: a planner would let them collide (unibody pairs lists all)",
            path_of("links", pairs[0].links[0]),
        )
    )


def _witness(mechanism: Mechanism, pair: LinkPair) -> str:
    """Where a pair collides: the posture, or the positions that are not initial; "" for free bodies."""
    from unibody.collision.matrix import INITIAL, SAMPLE, SEARCH

    if pair.found == INITIAL:
        return "at the initial pose"
    if pair.found not in (SAMPLE, SEARCH):
        return f"in the posture '{pair.found}'"
    assert pair.witness is not None
    initial = mechanism.apply_couplings(mechanism.initial)
    values = [
        (name, float(pair.witness[at]))
        for name, kind, at in zip(
            mechanism.joint_names, mechanism.tree.kinds, mechanism.idx_q.tolist(), strict=True
        )
        if KINDS[kind].nq == 1 and abs(pair.witness[at] - initial[at]) > _MOVED
    ]
    words = " ".join(f"{name}={value:.4g}" for name, value in values)
    return f"at {words}" if words else ""


def _postures(mechanism: Mechanism) -> Iterable[tuple[Configuration | None, Any]]:
    """The initial pose, and the named configurations whose joints exist."""
    yield None, np.asarray(mechanism.apply_couplings(mechanism.initial))
    for posture in mechanism.robot.configurations[:_POSTURES]:
        known = usable_positions(mechanism.robot, posture)
        yield posture, np.asarray(mechanism.apply_couplings(mechanism.positions(known)))


def _box(one: LinkShapes) -> tuple[Floats, Floats] | None:
    """The corners around the collision shapes of a link; infinite ones with an unbounded plane."""
    if any(isinstance(shape.geometry, Plane) for shape in one.link.collisions):
        return np.full(3, -_LARGEST), np.full(3, _LARGEST)
    boxes = [d.bounds for d in one.drawn if d.which == "collision" and d.bounds is not None]
    if not boxes:
        return None
    low, high = np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)
    return (low, high) if max(np.abs(low).max(), np.abs(high).max()) < _LARGEST else None


def _overlapping(mechanism: Mechanism, q: Any, boxes: Mapping[str, tuple[Floats, Floats]]) -> list[Pair]:
    """The pairs of links whose boxes along the axes of the world overlap."""
    if len(boxes) < 2:
        return []
    places = {name: number for number, name in enumerate(mechanism.link_names)}
    names = list(boxes)
    poses = np.asarray(mechanism.forward_kinematics(q))[[places[name] for name in names]]
    low, high = (np.array([boxes[name][side] for name in names]) for side in (0, 1))
    turns = poses[:, :3, :3]
    middle = np.einsum("nij,nj->ni", turns, 0.5 * (low + high)) + poses[:, :3, 3]
    half = np.einsum("nij,nj->ni", np.abs(turns), 0.5 * (high - low)) + _DEEP
    apart = np.abs(middle[:, None] - middle[None]) > half[:, None] + half[None]
    first, second = np.nonzero(np.triu(~apart.any(axis=2), 1))
    return [(names[i], names[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]


def _triangles(pairs: Iterable[Pair], solid: Mapping[str, LinkShapes]) -> int:
    """How many triangles the collision shapes of some links have."""
    links = {name for pair in pairs for name in pair}
    drawn = [d for name in links for d in solid[name].drawn if d.which == "collision"]
    return sum(len(surface.faces) for d in drawn for surface in d.surfaces)


def _only(robot: Robot, pairs: Iterable[Pair]) -> Robot:
    """The robot with the collision shapes of some links only."""
    links = {name for pair in pairs for name in pair}
    return replace(
        robot,
        links=tuple(x if x.name in links else replace(x, collisions=()) for x in robot.links),
    )


def _depth(hit: Hit) -> float:
    return float(hit.depths.max(initial=0.0))


def _has_points(hit: Hit) -> bool:
    """Whether a contact has points; one without is a failure of the engine, which says nothing."""
    return bool(np.isfinite(hit.points).all())


def _is_deep(hit: Hit, solid: Mapping[str, LinkShapes]) -> bool:
    """Whether a contact is more than rounding; surfaces of triangles have no depth."""
    if not _has_points(hit):
        return False
    shapes = [shape for name in hit.pair for shape in solid[name].link.collisions]
    are_solids = all(isinstance(shape.geometry, _SOLIDS) and shape.linear is None for shape in shapes)
    return _depth(hit) > _DEEP or not are_solids


def _deep(hit: Hit) -> str:
    """The depth of a contact in words, with the same digits whatever its size."""
    tenths = round(10_000.0 * _depth(hit))
    if _depth(hit) <= _DEEP:
        return ""
    return f" ({tenths // 10}.{tenths % 10} mm deep)" if tenths else " (less than 0.1 mm deep)"


def _pairs(words: Iterable[str]) -> str:
    return listed(words, _NAMED, "pair", "; ")


def _place(robot: Robot, pair: Pair) -> Any:
    links = {link.name: link for link in robot.links}
    return next((links[name].at for name in pair if name in links and links[name].at is not None), None)
