"""Random robots for hypothesis, built from the type hints of the model's dataclasses."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from unibody.model.facts import Difference
from unibody.model.json import dumps, loads
from unibody.model.pose import Pose
from unibody.model.robot import Link, Robot
from unibody.model.schema import hints, kind
from unibody.model.shape import Box, Shape, floats, ints
from unibody.text.finding import Findings
from unibody.text.node import Node, Row, Value, Word

ROBOTS = Path(__file__).resolve().parents[1] / "robots"
NAMES = sorted(path.stem for path in ROBOTS.glob("*.json"))

_numbers = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-300, 1e16])
_words = st.text(max_size=6)
_simple = {
    "str": st.sampled_from(["a", "b", "a/b", "~", ""]) | _words,
    "bool": st.booleans(),
    "int": st.integers(-(10**18), 10**18),
    "float": _numbers,
}


@cache
def robot_of(name: str) -> Robot:
    """One of tests/robots."""
    findings = Findings()
    found = loads((ROBOTS / f"{name}.json").read_text("utf-8"), f"{name}.json", findings)
    assert found is not None, findings
    return found


def again(robot: Robot) -> Robot:
    """The same robot with no object in common."""
    back = loads(dumps(robot), "again.json", Findings())
    assert back is not None
    return back


def lines(differences: list[Difference]) -> list[str]:
    """Differences as text."""
    return [str(d) for d in differences]


def boxes(*sizes: float) -> tuple[Shape, ...]:
    """Boxes that differ in size and place."""
    return tuple(Shape(geometry=Box(size=(s, 1.0, 2.0)), pose=Pose((0.0, s, 0.0))) for s in sizes)


def with_shapes(*sizes: float) -> Robot:
    """A robot of one link with such boxes."""
    return Robot(name="r", links=(Link(name="L", visuals=boxes(*sizes)),))


def _node(values: st.SearchStrategy[Value]) -> st.SearchStrategy[Node]:
    items = st.lists(st.tuples(_words, values, st.just(-1)), max_size=2)
    return st.builds(lambda tag, items, name: Node(tag, items, name=name), _words, items, _words)


def _values() -> st.SearchStrategy[Value]:
    leaf: st.SearchStrategy[Value] = st.builds(Word, _words)
    return st.recursive(leaf, lambda v: st.builds(Row, st.lists(v, max_size=2)) | _node(v), max_leaves=4)


def _many(one: st.SearchStrategy[Any], pack: Any) -> st.SearchStrategy[Any]:
    # Long lists are one number repeated with a few others, so that drawing them stays cheap.
    short = st.lists(one, max_size=4)
    return st.builds(lambda v, n: pack((v * n)[: max(n, len(v))]), short, st.sampled_from([1, 1, 64, 70]))


@cache
def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type hint of the model."""
    what, args = kind(hint)
    if what in _simple:
        return _simple[what]
    if what == "floats":
        return _many(_numbers, floats)
    if what == "ints":
        return _many(st.integers(-(2**63), 2**63 - 1), ints)
    if what == "node":
        return _node(_values())
    if what == "choice":
        return st.sampled_from(args)
    if what == "row":
        return st.tuples(*[of(a) for a in args])
    if what == "list":
        return st.lists(st.deferred(lambda: of(args[0])), max_size=2).map(tuple)
    if what == "optional":
        return st.none() | of(args[0])
    if what == "union":
        return st.one_of([of(a) for a in args])
    return record(args[0])


@cache
def record(cls: type) -> st.SearchStrategy[Any]:
    """Values of a dataclass; about half of the fields that are no lists keep their default."""
    chosen = {}
    for f in fields(cls):
        if f.name in hints(cls):
            hint = hints(cls)[f.name]
            default = f.default if f.default_factory is MISSING else f.default_factory()
            given = default is MISSING or kind(hint)[0] == "list"
            chosen[f.name] = of(hint) if given else st.just(default) | of(hint)
    return st.builds(cls, **chosen)


robots: st.SearchStrategy[Robot] = record(Robot)
