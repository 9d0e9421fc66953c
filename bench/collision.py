"""Collision tests of batches, exact checks of motions, and their judgement.

``python -m bench.collision 100000`` judges that many motions past thin obstacles by dense samples instead.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from bench._row import ROOT, Row
from tests.collision.oracle import world_of

from unibody.collision.world import World
from unibody.mechanism.sampling import uniform
from unibody.model.arrays import Floats

SHARED = ROOT.parent / "shared"
SCENES = SHARED / "oracle/planning/scenes.json"
BATCH, MOTIONS, ROUNDS = 10_000, 1_000, 5
LENGTH = 2.0
# Motions of one world of thin obstacles, in the judgement.
EACH = 50


def seconds(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Least CPU time of a task; whatever else the machine does only adds to it."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        task()
        taken.append(time.process_time() - start)
    return min(taken)


def configurations(world: World, count: int) -> Floats:
    """Random configurations within the limits."""
    m = world.mechanism
    start = np.broadcast_to(m.initial, (count, m.nq))
    return np.asarray(uniform(m.tree, np.random.default_rng(1), start))


def motions(world: World) -> list[tuple[Floats, Floats]]:
    """Random motions of 2 rad that start free."""
    starts = configurations(world, 8 * MOTIONS)
    free = starts[~world.colliding(starts)][:MOTIONS]
    steps = np.random.default_rng(2).normal(size=free.shape)
    steps *= LENGTH / np.linalg.norm(steps, axis=1, keepdims=True)
    return list(zip(free, free + steps, strict=True))


def batch(name: str, scene: str, target: str) -> Row:
    """10,000 random configurations in one call."""
    world = world_of(SHARED, scene)
    q = configurations(world, BATCH)
    taken = seconds(lambda: world.colliding(q))
    return Row(f"collision: {BATCH} configurations, {name}", taken, {}, target, "s")


def exact(name: str, scene: str, target: str) -> Row:
    """Exact checks per second."""
    world = world_of(SHARED, scene)
    pairs = motions(world)
    taken = seconds(lambda: [world.segment(a, b) for a, b in pairs], 3)
    return Row(f"exact motions of 2 rad, {name}", len(pairs) / taken, {}, target, "1/s")


def judge(count: int) -> None:
    """Print the verdicts on random motions past thin obstacles; AssertionError if one is false."""
    from tests.collision.adversary import tally

    start, total = time.process_time(), 0
    found = tally(range(0), EACH)
    for seed in range(-(-count // EACH)):
        found += tally(range(seed, seed + 1), EACH)
        total += EACH
        if total % 5_000 == 0:
            print(total, dict(found), f"{time.process_time() - start:.0f} s", flush=True)
    print(f"{total} motions, no false one: {dict(found)}")


def run() -> list[Row]:
    try:
        import coal
    except ImportError:
        return []
    del coal
    if not SCENES.is_file():
        return []
    return [
        batch("shelf", "shelf", "<= 0.15 s"),
        batch("SR1", "sr1", "<= 0.5 s"),
        exact("shelf", "shelf", ">= 1000 1/s"),
        exact("needle", "needle", ">= 3000 1/s"),
    ]


if __name__ == "__main__":
    judge(int(sys.argv[1]))
