"""Plans: collision-free paths between configurations, found by a planner and proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Literal

import numpy as np

from unibody.collision.collisions import collisions
from unibody.collision.loops import STEP
from unibody.collision.pairs import Pair
from unibody.collision.world import World
from unibody.formats.read_options import refuse_reading
from unibody.mechanism.arguments import Positions
from unibody.model.arrays import Floats, Indices
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.motions.motion import Motion, motion_of
from unibody.planning.coordinates import Coordinates, Rules, coordinates_of, rules_of
from unibody.planning.edges import Edges
from unibody.planning.goals import (
    Goal,
    Reason,
    Refusal,
    configuration,
    contacts,
    goal_configurations,
    goals_of,
    moved_joints,
    refusal,
    resting_pairs,
)
from unibody.planning.lines import configurations
from unibody.planning.loops import AnyCoordinates, AnyEdges, LoopCoordinates, LoopEdges
from unibody.planning.ranges import Given
from unibody.planning.rrt_connect import rrt_connect
from unibody.planning.sbl import LazyForest, sbl
from unibody.planning.tree import SearchTree
from unibody.planning.work import OutOfTime, Progress, Work
from unibody.text.hint import Hint, Setting
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords
    from unibody.simulation.record import Record

Method = Literal["rrt-connect", "sbl"]

METHODS: tuple[Method, ...] = ("rrt-connect", "sbl")

#: The nearest goals to which the straight motion is tried before the search.
_STRAIGHT = 16


@dataclass(frozen=True, slots=True, eq=False)
class Branches:
    """A search tree: configurations ``q`` (count, nq), and the parent of each, -1 for roots."""

    q: Floats
    parents: Indices


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanResult:
    """A path, or why there is none.

    ``path`` (n, nq) are configurations joined by straight lines in joint space, or None. Cyclic
    coordinates count on, so the last one may differ from the goal by whole turns. ``status`` is "free" if
    every line is proved; "incomplete" if so, but for what ``world.unread`` lists; "sampled" if closed loops
    are moved: then nothing touches at samples that are at most ``step`` (rad or m) apart on the loops, and
    nothing is proved. ``goal`` is the number of the goal that is reached.

    ``rules`` are what could move, and within which bounds. ``resting`` are the pairs that touch at the
    start and that no coordinate moves, as what stands on a table: they are not tested.

    Without a path, ``reason`` is one of a few words, and ``message`` a sentence; ``pair`` is what
    collides, ``joint`` what is outside its limits. "not found" says nothing about whether a path exists.
    ``ends`` (n, nq) are the start, and the configurations of the goals that were looked at.
    """

    world: World
    path: Floats | None
    reason: Reason
    message: str
    goal: int | None = None
    pair: Pair | None = None
    joint: str | None = None
    status: Literal["", "free", "incomplete", "sampled"] = ""
    step: float = 0.0
    method: str = ""
    iterations: int = 0
    seconds: float = 0.0
    trees: tuple[Branches, ...] = field(default=(), repr=False)
    rules: Rules = field(default=Rules(), repr=False)
    resting: tuple[Pair, ...] = field(default=(), repr=False)
    ends: Floats = field(default_factory=lambda: np.empty((0, 0)), repr=False)

    def __repr__(self) -> str:
        if self.path is None:
            return f"PlanResult({self.reason!r}: {self.message})"
        return f"PlanResult({len(self.path)} configurations, {self.status})"

    def __bool__(self) -> bool:
        raise TypeError("a plan is neither true nor false; compare its path with None")

    @property
    def points(self) -> Floats:
        """The path in normalized coordinates (n, k), as a ``.pln`` has it; ValueError without a path."""
        return self.world.mechanism.normalized_space.from_joints(self.found)

    @property
    def found(self) -> Floats:
        """The path (n, nq); ValueError with the reason if there is none."""
        if self.path is None:
            raise ValueError(f"there is no path: {self.message}")
        return self.path

    @property
    def length(self) -> float:
        """The length of the path in MPK's metric; ValueError without a path."""
        coordinates = coordinates_in(self)
        x = coordinates.from_joints(self.found)
        return float(coordinates.lengths(coordinates.difference(x[:-1], x[1:])).sum())

    def save(self, path: str | PathLike[str], overwrite: bool = False) -> None:
        """Write the path in a notation that needs no times: MPK's ``.pln``, ``.csv`` or ``.json``.

        ValueError without a path or for another suffix, FileExistsError if the file exists and
        ``overwrite`` is not set.
        """
        from unibody.motions.notations import save_motion

        save_motion(self.motion, path, self.world.mechanism, overwrite=overwrite)

    def record(self, motion: Motion | None = None, clearance: bool = True) -> Record:
        """The record of the path, in the times of its motion or at a constant speed, with the obstacles.

        With ``clearance`` it has the distance of the nearest pair at each row: a certified lower bound,
        0.1 m at most. Without a path, it has the ``ends``, a second each.
        """
        from unibody.planning.recording import recorded

        return recorded(self, motion, clearance)

    @property
    def motion(self) -> Motion:
        """The path as a motion without times; ValueError without a path."""
        return motion_of(self.world.mechanism, self.found, name="path", space="normalized")


def coordinates_in(plan: PlanResult) -> Coordinates:
    """The coordinates that a plan moves; ValueError if it has no path."""
    return coordinates_of(plan.world.mechanism, plan.found[0], plan.rules)


@renamed_keywords(seconds="time_limit")
def plan(
    world: World | Robot | Scene | str | PathLike[str] | ModelObject,
    start: Positions | str | None = None,
    goal: Goal | Sequence[Goal] | None = None,
    method: Method = "rrt-connect",
    *,
    seed: int = 0,
    time_limit: float | None = 10.0,
    iterations: int | None = None,
    progress: Progress | None = None,
    group: str | Sequence[str] | None = None,
    lock: Sequence[str] = (),
    bounds: Given | None = None,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> PlanResult:
    """Plan a path from a configuration to a goal, or to any of several, and prove every edge of it.

    ``world`` may be a robot, a scene, or the path of a model file, which is read with the keywords of
    :func:`unibody.read`: that of :func:`unibody.collisions`. ``start`` is a configuration (nq,), joint
    positions by name, or the name of a configuration of the robot; None is the initial one. A goal is one
    of these (joints that are not named stay), or the pose of a frame, (name, Pose), for which inverse
    kinematics finds configurations; a list of goals is any of them. Passive and frozen coordinates, and
    joints without a coordinate, stay where the start has them. Weights are the metric; cyclic coordinates
    go the short way. With ``group``, the name of a group of the robot or a list of joints, only its joints
    move, and those that follow them; the joints of ``lock`` do not move. KeyError for unknown names.

    Planar and free joints, a free base, and sliding joints without limits move only within ``bounds``,
    pairs (low, high) by joint or by the root link: ``{"drive": ((-3, 3), (-3, 3))}`` of x and y (and of the
    angle, which else turns without limits), three of x, y and z for free ones, one for a sliding joint.
    Passive joints never move.

    Where coordinates move closed loops, the path keeps them closed, and its motions are sampled, not
    proved; passive coordinates of joints around them follow, too. Positions by name are completed so that
    the loops are closed; arrays must have them closed.

    ``method`` is "rrt-connect", or "sbl" as in MPK, which has the shorter tail on hard problems, but moves
    no closed loops. The same ``seed`` gives the same path, unless ``time_limit`` (s of the wall clock) ends
    it; ``iterations`` end it reproducibly. ``progress`` is called with the share of the work that is done.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody import collisions, load
    >>> world = collisions(load("src/unibody/models/arm.rob"))
    >>> found = plan(world, None, {"Fore": 0.5})
    >>> found.reason, found.status, found.path.shape[1] == world.mechanism.nq
    ('', 'free', True)
    """
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; expected 'rrt-connect' or 'sbl'")
    if goal is None:
        raise TypeError("plan() requires a goal")
    if not isinstance(world, World):
        world = collisions(world, format=format, **reading)
    else:
        refuse_reading(world, format, reading)
    work = Work(time_limit, iterations, progress)
    first = configuration(world.mechanism, start, np.asarray(world.mechanism.initial, np.float64))
    rules = rules_of(world.mechanism, group, lock, bounds)
    coordinates = coordinates_of(world.mechanism, first, rules)
    if rules.joints is not None and not coordinates.n:
        raise ValueError("no coordinate moves only joints of the group that are not locked")
    found = contacts(world, first)
    resting = resting_pairs(world, moved_joints(coordinates), found)
    if resting:
        world, found = world.without(resting), found.without(resting)
    if coordinates.looped and method == "sbl":
        raise ValueError("sbl moves no closed loops; use method='rrt-connect'")
    if len(coordinates.turning) and method == "sbl":
        raise ValueError("sbl moves no free bases or joints; use method='rrt-connect'")
    try:
        with world.watched(work.check):
            refused = refusal(world, coordinates, first, "start", start, found)
            if refused is not None:
                made = _refused(world, refused, method, work, first[None])
            else:
                generator = np.random.default_rng(seed)
                made = _planned(world, coordinates, first, goals_of(goal), method, generator, work)
            return replace(made, rules=rules, resting=resting)
    except OutOfTime:
        message = "the time was used up before the search began; allow a longer time limit"
        return _refused(world, Refusal("not found", message), method, work, first[None])


def _planned(
    world: World,
    coordinates: Coordinates,
    first: Floats,
    wanted: Sequence[Goal],
    method: Method,
    generator: np.random.Generator,
    work: Work,
) -> PlanResult:
    """The plan from a start, at ``first`` (nq,); OutOfTime if the search does not begin in time."""
    goals: list[tuple[int, Floats]] = []
    reasons: list[Refusal] = []
    looked_at = [first]
    for number, each in enumerate(wanted):
        made = goal_configurations(world, coordinates, first, each, generator)
        if isinstance(made, Refusal):
            reasons.append(made)
            looked_at += [] if made.q is None else [made.q]
        else:
            goals += [(number, q) for q in made]
        if goals and work.late:
            break
    if not goals:
        if not reasons:
            raise ValueError("there is no goal")
        return _refused(world, reasons[0], method, work, np.array(looked_at))
    ends = np.array([q for _, q in goals])
    both = np.concatenate([first[None], ends])
    edges: AnyEdges
    if coordinates.looped:
        edges = LoopEdges(world, LoopCoordinates(coordinates))
        found, reached, trees = _searched(edges, first, ends, method, generator, work)
    else:
        edges = Edges(world, coordinates)
        begin, ends = coordinates.from_joints(first), coordinates.from_joints(ends)
        found, reached, trees = _searched(edges, begin, ends, method, generator, work)
    if found is None:
        message = Hint(
            f"the search ended after {work.iterations} iterations; there may be a path: allow more with ",
            Setting("time_limit", blank="S"),
        )
        return _refused(world, Refusal("not found", message), method, work, both, trees)
    return PlanResult(
        world=world,
        path=configurations(edges.coordinates, found, first, goals[reached][1]),
        reason="",
        message="",
        goal=goals[reached][0],
        status="sampled" if coordinates.looped else "incomplete" if world.unread else "free",
        step=STEP if coordinates.looped else 0.0,
        method=method,
        iterations=work.iterations,
        seconds=work.elapsed,
        trees=trees,
        ends=both,
    )


def _searched(
    edges: AnyEdges,
    start: Floats,
    goals: Floats,
    method: Method,
    generator: np.random.Generator,
    work: Work,
) -> tuple[list[Floats] | None, int, tuple[Branches, ...]]:
    """The path in coordinates, the number of the goal, and the trees: the straight line if it is free."""
    coordinates = edges.coordinates
    straight = coordinates.difference(start, goals)
    nearest = np.argsort(coordinates.lengths(straight), kind="stable")
    for at in nearest[:_STRAIGHT].tolist():
        chains, free = edges.advance(start[None], straight[at : at + 1])
        if free.all():
            return [start, *(chains[0] if isinstance(edges, LoopEdges) else goals[at : at + 1])], at, ()
    if coordinates.n == 0:
        return None, -1, ()
    if isinstance(edges, Edges) and method == "sbl":
        found, reached, forest = sbl(edges, start, goals, generator, work)
        return found, reached, _forest(edges.coordinates, forest)
    found, reached, trees = rrt_connect(edges, start, goals, generator, work)
    return found, reached, tuple(_branches(coordinates, tree) for tree in trees)


def _refused(
    world: World, why: Refusal, method: str, work: Work, ends: Floats, trees: tuple[Branches, ...] = ()
) -> PlanResult:
    return PlanResult(
        world=world,
        path=None,
        reason=why.reason,
        message=why.message,
        pair=why.pair,
        joint=why.joint,
        method=method,
        iterations=work.iterations,
        seconds=work.elapsed,
        trees=trees,
        ends=ends,
    )


def _branches(coordinates: AnyCoordinates, tree: SearchTree) -> Branches:
    return Branches(coordinates.to_joints(tree.nodes), np.array(tree.parents, np.intp))


def _forest(coordinates: Coordinates, forest: LazyForest) -> tuple[Branches, ...]:
    """Both trees of SBL, without what was cut off."""
    out = []
    for side in (0, 1):
        kept = np.flatnonzero(forest.side == side)
        number = np.full(len(forest) + 1, -1, np.intp)
        number[kept] = np.arange(len(kept))
        parents = np.array(forest.parents, np.intp)[kept]
        out.append(Branches(coordinates.to_joints(forest.nodes[kept]), number[parents]))
    return tuple(out)
