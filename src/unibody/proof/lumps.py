"""Explains the body of several links that are fixed to one another by one slip of some of these links."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.model.robot import Link
from unibody.proof.guesses import steiner
from unibody.proof.inertials import Body, body_guesses
from unibody.proof.reference import Reference
from unibody.proof.slips import Slip
from unibody.proof.sources import Tree

# Bodies of more links are only searched for slips of all of them or of one.
_MOST = 5
# What some of the links have, and others could have, costs more.
_SOME = 0.15
# What only links without mass have is said more exactly than a slip of all links.
_BARE = 0.7


@dataclass(frozen=True, eq=False)
class Part:
    """A link of a body: its pose there, and what mistakes make of it, by words with their costs."""

    link: Link
    pose: Pose
    own: Body
    made: Mapping[str, tuple[float, Body]]

    @property
    def placed(self) -> Body:
        """The link in the axes of the body."""
        return self.own.placed(self.pose)


@dataclass(frozen=True, slots=True)
class Common:
    """One slip of some links of a body: its cost, the links, and the quantities that it changes."""

    cost: float
    owners: tuple[str, ...]
    quantities: tuple[str, ...]


def part_of(reference: Reference, tree: Tree, link: Link, pose: Pose, slips: Sequence[Slip]) -> Part:
    """A link at a pose in its body, with what guesses and slips of single links make of it."""
    own = Body.of(link.inertial)
    made: dict[str, tuple[float, Body]] = {}
    if own.mass or own.inertia.any():
        for guess_words, cost, body in body_guesses(reference, tree, link, own):
            if cost < made.get(guess_words, (math.inf,))[0]:
                made[guess_words] = cost, body
    for words, body in _slipped(reference, link, slips):
        made.setdefault(words, (1.3 if own.mass else _BARE, body))
    return Part(link, pose, own, made)


def _slipped(reference: Reference, link: Link, slips: Sequence[Slip]) -> Iterator[tuple[str, Body]]:
    """What slips make of a link that change no other one."""
    for slip in slips:
        try:
            changed = slip.change(reference, [link.name])
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue
        links = zip(reference.robot.links, changed.robot.links, strict=True)
        different = [(a.name, b) for a, b in links if a.inertial != b.inertial]
        if [name for name, _ in different] == [link.name]:
            yield slip.cause, Body.of(different[0][1].inertial)


def _spatial(body: Body) -> Floats:
    """Ten numbers of a body that add up where bodies are joined: mass, first and second moments."""
    total = body.inertia + steiner(body.mass, body.com)
    return np.concatenate([[body.mass], body.mass * body.com, total[np.triu_indices(3)]])


def common_words(parts: Sequence[Part], there: Body, tolerance: float) -> dict[str, Common]:
    """The slips of some of the parts after which their body is another one, by words."""
    away = _spatial(there) - sum(_spatial(part.placed) for part in parts)
    size = np.maximum(np.abs(_spatial(there)), sum(np.abs(_spatial(part.placed)) for part in parts))
    close = 100.0 * tolerance * max(float(size.max()), 1e-300)
    changes: dict[str, dict[int, Floats]] = {}
    for k, part in enumerate(parts):
        own = _spatial(part.placed)
        for words, (_, body) in part.made.items():
            changes.setdefault(words, {})[k] = _spatial(body.placed(part.pose)) - own
    out: dict[str, Common] = {}
    for words, change in changes.items():
        for chosen in _choices([*change]):
            if float(np.abs(sum(change[k] for k in chosen) - away).max()) > close:
                continue
            bodies = [
                (part.made[words][1] if k in chosen else part.own).placed(part.pose)
                for k, part in enumerate(parts)
            ]
            if not _whole(bodies).is_like(there, tolerance):
                continue
            cost = max(parts[k].made[words][0] for k in chosen)
            cost += _SOME if len(chosen) < len(change) else 0.0
            owners = tuple(parts[k].link.name for k in chosen)
            changed = {x for k in chosen for x in _different(parts[k].own, parts[k].made[words][1])}
            out[words] = Common(cost, owners, tuple(x for x in ("mass", "com", "inertia") if x in changed))
            break
    return out


def _choices(places: Sequence[int]) -> Iterator[Collection[int]]:
    """All of these places, then fewer and fewer of them."""
    sizes = range(len(places), 0, -1) if len(places) <= _MOST else (len(places), 1)
    for size in sizes:
        yield from combinations(places, size)


def _different(a: Body, b: Body) -> Iterator[str]:
    if a.mass != b.mass:
        yield "mass"
    if not np.array_equal(a.com, b.com):
        yield "com"
    if not np.array_equal(a.inertia, b.inertia):
        yield "inertia"


def _whole(bodies: Sequence[Body]) -> Body:
    whole = Body.of(None)
    for body in bodies:
        whole = body if not whole.mass else whole.joined(body)
    return whole
