"""Show the inputs of a motion planner for a model.

Prints the coordinates of a normalized configuration (t from 0 to 1, as in MPK's planner) with the joints
and links that each coordinate moves, the tested pairs of links, and the sizes of the links' collision
shapes. A model without coordinates of its own gets one for each joint position. With PLAN, also checks
whether the configurations of a .pln file fit the model.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, settings
from unibody.cli.output import UsageError, Window, emit, emit_data, window
from unibody.cli.positions import POSITIONS, posed, space_of
from unibody.model.traverse import links_below
from unibody.text.counted import and_more, counted

if TYPE_CHECKING:
    from unibody.formats.mpk import Plan
    from unibody.mechanism import Mechanism
    from unibody.mechanism.normalized_space import NormalizedSpace
    from unibody.text.finding import Findings

EXAMPLE = "unibody plan-info arm.rob reach.pln"
# Pairs that are shown; --json has all.
_PAIRS = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(parser, MODEL, *settings(), Option("[PLAN]", "a plan of MPK (.pln)"), *POSITIONS)


@dataclass(frozen=True, slots=True)
class _Size:
    """The collision shapes of a link: their box in the link's frame (m), farthest point (m), triangles."""

    link: str
    low: list[float]
    high: list[float]
    radius: float
    triangles: int


@dataclass(frozen=True, slots=True)
class _Content:
    """What is shown: for each coordinate its links and travel, pairs of links, sizes, and the plan."""

    space: NormalizedSpace
    links: list[list[str]]
    travel: list[float]
    pairs: list[tuple[str, str]]
    sizes: list[_Size]
    plan: Plan | None


def run(options: argparse.Namespace) -> int:
    """Print the content; return the exit code."""

    def show(mechanism: Mechanism, q: Any, findings: Findings) -> bool:
        content = _content(mechanism, q, options.plan, findings)
        if options.json:
            emit_data(_data(content))
        else:
            emit(_text(mechanism, content, window()))
        return True

    return posed(options, show)


def _content(mechanism: Mechanism, q: Any, plan: str | None, findings: Findings) -> _Content:
    from unibody.model.collision import tested_pairs

    space = space_of(mechanism)
    sizes = _sizes(mechanism, findings)
    return _Content(
        space=space,
        links=[_moved(mechanism, k) for k in range(space.n)],
        travel=_travel(mechanism, space, q, {s.link: s.radius for s in sizes}),
        pairs=list(tested_pairs(mechanism.robot)),
        sizes=sizes,
        plan=_plan(plan, space, findings) if plan else None,
    )


def _moved(mechanism: Mechanism, number: int) -> list[str]:
    """The links that a coordinate moves, joints that follow its joints included."""
    robot = mechanism.robot
    joints = {d.joint for d in mechanism.normalized_space.coordinates[number].drives}
    while followers := {c.joint for c in robot.couplings if c.leader in joints} - joints:
        joints |= followers
    moved = links_below((j.child for j in robot.joints if j.name in joints), robot.joints)
    return [link.name for link in robot.links if link.name in moved]


def _travel(mechanism: Mechanism, space: NormalizedSpace, q: Any, radii: dict[str, float]) -> list[float]:
    """Upper bounds on how far any point moves (m) when one coordinate goes from 0 to 1, the others at q."""
    import numpy as np

    from unibody.mechanism.sampling import travel

    if not space.n:
        return []
    reach = np.array([radii.get(name, 0.0) for name in mechanism.link_names])
    # halves, since the difference of two angles is taken the short way
    steps = np.linspace(0.0, 1.0, 5)
    t = np.tile(space.from_joints(q), (space.n, len(steps), 1))
    for k in range(space.n):
        t[k, :, k] = steps
    positions = space.to_joints(t.reshape(-1, space.n)).reshape(space.n, len(steps), -1)
    moved = travel(mechanism.tree, positions[:, :-1], positions[:, 1:], reach)
    return [float(v) for v in moved.sum(axis=1).max(axis=-1)]


def _sizes(mechanism: Mechanism, findings: Findings) -> list[_Size]:
    import numpy as np

    from unibody.meshes import MeshCache, bounds, link_surfaces

    cache, out = MeshCache(), []
    for link in mechanism.robot.links:
        surfaces = link_surfaces(mechanism.robot, link.name, "collision", cache)
        box = bounds(surfaces)
        if box is not None:
            radius = max(float(np.linalg.norm(s.vertices, axis=1).max(initial=0.0)) for s in surfaces)
            count = sum(len(s.faces) for s in surfaces)
            out.append(_Size(link.name, box[0].tolist(), box[1].tolist(), radius, count))
    findings.extend(cache.findings)
    return out


def _plan(path: str, space: NormalizedSpace, findings: Findings) -> Plan:
    from unibody.formats.mpk import read_plan

    plan = read_plan(path)
    findings.extend(plan.findings)
    if len(plan) and plan.points.shape[1] != space.n:
        raise UsageError(
            f"{path} has {plan.points.shape[1]} numbers in a line; the model has {space.n} coordinates"
        )
    return plan


def _lengths(content: _Content) -> tuple[float, float]:
    """The weighted length of the plan, and its largest change of one coordinate."""
    points = content.plan.points if content.plan is not None else None
    if points is None or len(points) < 2:
        return 0.0, 0.0
    first, last = points[:-1], points[1:]
    space = content.space
    return float(space.distance(first, last).sum()), float(space.largest(first, last).max())


def _data(content: _Content) -> dict[str, Any]:
    from unibody.cli.words import coordinate_data

    out: dict[str, Any] = {
        "coordinates": [
            {**coordinate_data(c), "links": links, "travel": travel}
            for c, links, travel in zip(
                content.space.coordinates, content.links, content.travel, strict=True
            )
        ],
        "unmapped": list(content.space.unmapped),
        "pairs": [list(pair) for pair in content.pairs],
        "sizes": {
            s.link: {"low": s.low, "high": s.high, "radius": s.radius, "triangles": s.triangles}
            for s in content.sizes
        },
    }
    if content.plan is not None:
        length, step = _lengths(content)
        out["plan"] = {"configurations": len(content.plan), "length": length, "largest_step": step}
    return out


def _text(mechanism: Mechanism, content: _Content, shown: Window) -> list[str]:
    from unibody.cli import sections
    from unibody.cli.table import Column, table, wrapped
    from unibody.cli.words import fixed, number

    space, robot = content.space, mechanism.robot
    own = "of the model" if robot.coordinates else "derived from the joints"
    out = [
        f"{counted(space.n, 'coordinate')}, {own}, from t = 0 to t = 1; travel: in m, at most, of any point"
    ]
    more = {
        "links": [str(len(links)) for links in content.links],
        "travel": [fixed(v, 3) for v in content.travel],
    }
    out += sections.coordinate_table(robot, space.coordinates, more, shown)
    if space.unmapped:
        out += ["Moved by no coordinate", *wrapped(list(space.unmapped), shown.text_width)]
    out += ["", f"{counted(len(content.pairs), 'pair')} of links tested for collisions"]
    out += table([Column(), Column()], content.pairs[:_PAIRS])
    if len(content.pairs) > _PAIRS:
        out.append(f"  {and_more(len(content.pairs) - _PAIRS)} (--json lists all)")
    if content.sizes:
        out += ["", "Collision shapes in the frames of their links, in m"]
        rows = [
            [
                s.link,
                *(fixed(high - low, 4) for low, high in zip(s.low, s.high, strict=True)),
                fixed(s.radius, 4),
                str(s.triangles),
            ]
            for s in content.sizes
        ]
        sides = [Column(axis, "point") for axis in "xyz"]
        columns = [Column("link"), *sides, Column("radius", "point"), Column("triangles", "right")]
        out += table(columns, rows, shown.width)
    if content.plan is not None:
        length, step = _lengths(content)
        out += [
            "",
            f"Plan of {counted(len(content.plan), 'configuration')}: weighted length {number(length)}, "
            f"largest change of a coordinate {number(step)}",
        ]
    return out
