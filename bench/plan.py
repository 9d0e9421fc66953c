"""Planning past the shelf and the needles: our planners, OMPL's RRTConnect and roboplan's, ten seeds each.

All paths are judged alike: by exact motion checks of ``unibody``. OMPL has its states checked in Python,
at its default resolution (1 % of the space) and at 0.01 rad; roboplan checks in C++, every 0.01 rad.
Only the shelf is given to roboplan. ``python -m bench.plan`` prints the tables alone.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from bench._row import ROOT, Row
from tests.planning.oracle import Problems

import unibody as ub
from unibody.model.arrays import Floats

SHARED = ROOT.parent / "shared"
SEEDS, LIMIT = 10, 10.0
#: Radians between the states that others check.
FINE = 0.01

Planner = Callable[[Floats, Floats, int], Floats | None]


class Outcome(NamedTuple):
    """The CPU times (ms), the number of paths, and how many of these collide."""

    times: list[float]
    solved: int
    colliding: int


def measured(world: Any, problems: list[tuple[Floats, Floats]], planner: Planner) -> Outcome:
    """The outcome of a planner on all problems and seeds."""
    times, solved, colliding = [], 0, 0
    for start, goal in problems:
        for seed in range(SEEDS):
            begin = time.process_time()
            path = planner(start, goal, seed)
            times.append(1e3 * (time.process_time() - begin))
            if path is not None:
                solved += 1
                colliding += world.path(path).status == "hit"
    return Outcome(times, solved, colliding)


def own(world: Any, method: Any) -> Planner:
    """Our planner."""
    return lambda start, goal, seed: ub.plan(world, start, goal, method, seed=seed, time_limit=LIMIT).path


def moving(world: Any) -> tuple[Any, Floats, Floats]:
    """The places in q of the joints that move, and their limits."""
    m = world.mechanism
    places = np.array([int(at) for kind, at in zip(m.tree.kinds, m.idx_q, strict=True) if kind != "fixed"])
    return places, m.lower[places], m.upper[places]


def ompl(world: Any, resolution: float | None) -> Planner | None:
    """OMPL's RRTConnect with a check of states in Python; None without OMPL."""
    try:
        from ompl import base, geometric, util
    except ImportError:
        return None
    util.setLogLevel(util.LOG_NONE)
    places, low, high = moving(world)
    count = len(places)

    def solve(start: Floats, goal: Floats, seed: int) -> Floats | None:
        util.RNG.setSeed(seed + 1)
        space = base.RealVectorStateSpace(count)
        bounds = base.RealVectorBounds(count)
        for at in range(count):
            bounds.setLow(at, float(low[at]))
            bounds.setHigh(at, float(high[at]))
        space.setBounds(bounds)
        setup = geometric.SimpleSetup(space)
        information = setup.getSpaceInformation()

        def q_of(state: Any) -> Floats:
            q = start.copy()
            q[places] = [state[at] for at in range(count)]
            return q

        setup.setStateValidityChecker(lambda state: not world.colliding(q_of(state)))
        if resolution is not None:
            information.setStateValidityCheckingResolution(resolution / space.getMaximumExtent())
        ends = []
        for q in (start, goal):
            state = information.allocState()
            for at, value in enumerate(q[places].tolist()):
                state[at] = value
            ends.append(state)
        setup.setStartAndGoalStates(*ends)
        setup.setPlanner(geometric.RRTConnect(information))
        setup.solve(LIMIT)
        if not setup.haveExactSolutionPath():
            return None
        return np.array([q_of(state) for state in setup.getSolutionPath().getStates()])

    return solve


def roboplan(world: Any) -> Planner | None:
    """roboplan's RRT-Connect in C++; None without roboplan."""
    try:
        from roboplan import core
        from roboplan.rrt import _rrt_ext as rrt
    except ImportError:
        return None
    said = json.loads((SHARED / "oracle/planning/scenes.json").read_text("utf-8"))["shelf"]
    path = SHARED / "corpus/dev" / said["robot"]
    scene = core.Scene("shelf", core.loadUrdfSceneDescription(str(path), [str(path.parent)]))
    scene.allowAdjacentLinkCollisions()
    for each in said["obstacles"]:
        pose = np.eye(4, order="F")
        pose[:3, 3] = each["xyz"]
        scene.addBoxGeometry(each["name"], "universe", core.Box(*each["box"]), pose, np.ones(4))
    boxes = [each["name"] for each in said["obstacles"]]
    still = [(a, b) for a in boxes for b in boxes if a < b] + [("lbr_iiwa_link_0", name) for name in boxes]
    scene.setCollisions(still + [tuple(pair) for pair in said["skip"]], False)
    places, _, _ = moving(world)
    names = [
        world.mechanism.joint_names[int(np.flatnonzero(world.mechanism.idx_q == at)[-1])] for at in places
    ]
    scene.addGroup("arm", names)

    def solve(start: Floats, goal: Floats, seed: int) -> Floats | None:
        options = rrt.RRTOptions(
            group_name="arm",
            max_nodes=100_000,
            collision_check_step_size=FINE,
            collision_check_use_bisection=False,
            max_planning_time=LIMIT,
            rrt_connect=True,
        )
        planner = rrt.RRT(scene, options)
        planner.setRngSeed(seed)
        ends = [core.JointConfiguration(names, q[places]) for q in (start, goal)]
        try:
            found = planner.plan(ends[0], ends[1])
        except RuntimeError:
            return None
        if found is None or not len(found.positions):
            return None
        rows = np.tile(start, (len(found.positions), 1))
        rows[:, places] = np.array(found.positions)
        return rows

    return solve


def outcomes(scene: str) -> dict[str, Outcome]:
    """The outcome of each planner that is installed, on the problems of a scene that have a solution."""
    problems = Problems(SHARED)
    chosen = [each for each in problems.all if each["scene"] == scene and each["solvable"]]
    world = problems.world(chosen[0])
    ends = [(start, goal) for _, start, goal in map(problems.ends, chosen)]
    planners: dict[str, Planner | None] = {
        "unibody": own(world, "rrt-connect"),
        "unibody sbl": own(world, "sbl"),
        "OMPL default": ompl(world, None),
        f"OMPL {FINE:g} rad": ompl(world, FINE),
        f"roboplan {FINE:g} rad": roboplan(world) if scene == "shelf" else None,
    }
    return {name: measured(world, ends, each) for name, each in planners.items() if each is not None}


def run() -> list[Row]:
    try:
        import coal
    except ImportError:
        return []
    del coal
    if not (SHARED / "oracle/planning/problems.json").is_file():
        return []
    rows = []
    for scene in ("shelf", "needle"):
        found = outcomes(scene)
        mine, others = found.pop("unibody"), found
        count = len(mine.times)
        measures: list[tuple[str, Callable[[Outcome], float], str, str]] = [
            (f"solved of {count}", lambda each: each.solved, f">= {count} paths", "paths"),
            ("median", lambda each: float(np.median(each.times)), "<= 15 ms", "ms"),
            ("p95", lambda each: float(np.percentile(each.times, 95)), "<= 400 ms", "ms"),
            ("colliding paths", lambda each: each.colliding, "<= 0 paths", "paths"),
        ]
        for name, value, target, unit in measures:
            peers = {each: value(outcome) for each, outcome in others.items()}
            rows.append(Row(f"plans, {scene}: {name}", value(mine), peers, target, unit))
    return rows


def main() -> None:
    """Print the tables."""
    for scene in ("shelf", "needle"):
        print(f"{scene:<20} {'solved':>8} {'median ms':>10} {'p95 ms':>8} {'colliding':>10}")
        for name, each in outcomes(scene).items():
            median, late = np.percentile(each.times, [50, 95])
            solved = f"{each.solved}/{len(each.times)}"
            print(f"{name:<20} {solved:>8} {median:10.1f} {late:8.1f} {each.colliding:10}", flush=True)


if __name__ == "__main__":
    main()
