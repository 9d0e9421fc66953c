"""Plans and their motions as records, which the page plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from unibody.collision.motion import way
from unibody.collision.world import World
from unibody.mechanism.assembly import assemble
from unibody.mechanism.mechanism import Mechanism
from unibody.model.arrays import Floats, Indices
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene, merged
from unibody.motions.motion import Motion
from unibody.planning.coordinates import coordinates_of
from unibody.simulation.record import Record

if TYPE_CHECKING:
    from unibody.planning.planner import Branches, PlanResult

#: Seconds in which a coordinate of a plan without times crosses its range.
_CROSSING = 4.0
#: Rows of a record at most, seconds between them, and the largest distance that is plotted (m).
_ROWS, _STEP, _WITHIN = 400, 0.02, 0.1
#: Points of each edge of a search tree.
_POINTS = 6

#: The plot of the distance of the nearest pair.
CLEARANCE = "clearance in m"


def recorded(plan: PlanResult, motion: Motion | None = None, clearance: bool = True) -> Record:
    """The record of a plan, in the times of its motion or at a constant speed, with the obstacles.

    With ``clearance`` it has the distance of the nearest pair at each row: a certified lower bound, 0.1 m
    at most. Of a plan without a path, it has the start and the goals that were looked at, a second each.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody import collisions, load, plan
    >>> record = recorded(plan(collisions(load("src/unibody/models/arm.rob")), None, {"Fore": 0.5}))
    >>> list(record.sensors)
    ['clearance in m']
    """
    world = plan.world
    if plan.path is None:
        times, q = np.arange(float(len(plan.ends))), plan.ends
    elif motion is not None:
        rows = motion.sampled(max(_STEP, motion.duration / _ROWS))
        assert rows.times is not None
        times, q = rows.times, rows.configurations(world.mechanism)
    else:
        times, q = _constant_speed(plan)
        if plan.status == "sampled":
            q = np.asarray(world.mechanism.close_loops(q).q)
    near = [_clearance(world, row) for row in q] if clearance and world.pairs else []
    robot, still = _with_obstacles(world)
    return Record(
        robot=robot,
        times=times,
        q=np.concatenate([q, np.broadcast_to(still, (len(q), len(still)))], axis=1),
        sensors={CLEARANCE: np.array(near)[:, None]} if near else {},
    )


def tree_points(plan: PlanResult, frame: str) -> Floats:
    """Positions (n, 3) in m of a link or frame along the edges of the search trees; KeyError if unknown."""
    mechanism = plan.world.mechanism
    rows = [_along(mechanism, tree) for tree in plan.trees]
    q = np.concatenate(rows) if rows else np.empty((0, mechanism.nq))
    return np.asarray(mechanism.pose(q, frame))[:, :3, 3]


def tree_edges(plan: PlanResult) -> Indices:
    """Pairs (k, 2) of the points of :func:`tree_points` that the edges of the search trees connect."""
    out = [np.empty((0, 2), np.intp)]
    first = 0
    for tree in plan.trees:
        roots, children = np.flatnonzero(tree.parents < 0), np.flatnonzero(tree.parents >= 0)
        # The points of an edge follow one another; the last one is its child.
        points = first + len(roots) + np.arange(len(children) * _POINTS).reshape(-1, _POINTS)
        ends = np.empty(len(tree.parents), np.intp)
        ends[roots] = first + np.arange(len(roots))
        ends[children] = points[:, -1]
        begins = ends[tree.parents[children]]
        chains = np.concatenate([begins[:, None], points], axis=1)
        out.append(np.stack([chains[:, :-1], chains[:, 1:]], axis=2).reshape(-1, 2))
        first += len(roots) + points.size
    return np.concatenate(out)


def _along(mechanism: Mechanism, tree: Branches) -> Floats:
    """Configurations along the edges of a tree, and at its roots."""
    share = (np.arange(_POINTS) + 1.0) / _POINTS
    rows = [tree.q[tree.parents < 0]]
    for child in np.flatnonzero(tree.parents >= 0).tolist():
        rows.append(way(mechanism, tree.q[tree.parents[child]], tree.q[child], "joints").at(share))
    return np.concatenate(rows)


def _constant_speed(plan: PlanResult) -> tuple[Floats, Floats]:
    """Times (k,) and configurations (k, nq) of a path whose fastest coordinate has a constant speed."""
    path = plan.found
    coordinates = coordinates_of(plan.world.mechanism, path[0], plan.rules)
    x = coordinates.from_joints(path)
    shares = coordinates.shares(coordinates.difference(x[:-1], x[1:]))
    seconds = np.maximum(shares * _CROSSING, 1e-3)
    step = max(_STEP, float(seconds.sum()) / _ROWS)
    times, rows = [np.zeros(1)], [path[:1]]
    for begin, end, length in zip(path[:-1], path[1:], seconds.tolist(), strict=True):
        count = max(1, int(np.ceil(length / step)))
        share = (np.arange(count) + 1.0) / count
        rows.append(way(plan.world.mechanism, begin, end, "joints").at(share))
        times.append(times[-1][-1] + share * length)
    return np.concatenate(times), np.concatenate(rows)


def _clearance(world: World, q: Floats) -> float:
    near = world.distances(q, within=_WITHIN)
    return near[0].distance if near else _WITHIN


def _with_obstacles(world: World) -> tuple[Robot, Floats]:
    """The robot with the obstacles, and the positions that these add to q."""
    robot = world.mechanism.robot
    if not world.obstacles:
        return robot, np.empty(0)
    others = []
    for number, each in enumerate(world.obstacles, 1):
        if isinstance(each, Robot):
            others.append(each)
        else:
            name = each.name or f"obstacle {number}"
            others.append(Robot(name=name, links=(Link(name=name, visuals=(each,)),), base="fixed"))
    scene = merged(Scene(name=robot.name, robots=(robot, *others)))
    return scene, np.concatenate([np.asarray(assemble(other).initial) for other in others])
