"""What MuJoCo rejects of inertias, and the nearest ones that it accepts.

A body needs principal moments of which none exceeds the sum of the others, even where it is fixed to the
world. A body that moves needs three positive moments, of its own or of a body that is fixed to it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.write_tree import BodyTree, PlannedBody
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import Matrix3
from unibody.model.robot import Link, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Finding
from unibody.text.hint import Hint, Setting

EXACT, NEAREST = "exact", "nearest"
#: The least moment in kg·m² that is written where MuJoCo rejects 0.
LEAST_MOMENT = 1e-12
# MuJoCo's smallest mass and moment of a body that moves.
_LEAST = 1e-15
# What MuJoCo computes as a moment of a matrix that is not diagonal is above 1e-14.
_LEAST_COMPUTED = 2e-14
# A change of a moment by this part is rounding, which needs no report.
_ROUNDING = 1e-9


def accepted(robot: Robot, inertias: str = EXACT) -> Robot:
    """The robot with inertias that MuJoCo accepts.

    With "exact" only what does not change its motion: the inertias of links that are fixed to the world,
    the last digits of others, and moments of zero. With "nearest" all of them: a moment that is too large
    becomes the sum of the others.
    """
    tree = BodyTree(robot, Kept(robot))
    still, light = _still(tree), _weightless(tree)
    made: dict[str, Link] = {}
    for link in robot.links:
        if link.inertial is None or link.inertial.unknown:
            continue
        near = replace(link.inertial, inertia=balanced(link.inertial.inertia))
        if link.name in light and near.mass > 0.0:
            near = replace(near, inertia=balanced(raised(near.inertia)))
        if near != link.inertial and (
            inertias == NEAREST or link.name in still or _is_rounding(link.inertial, near)
        ):
            made[link.name] = replace(link, inertial=near)
    if not made:
        return robot
    return replace(robot, links=tuple(made.get(link.name, link) for link in robot.links))


def rejected(robot: Robot) -> list[Finding]:
    """What MuJoCo rejects of the inertias of a lowered robot, with the remedy."""
    out: list[Finding] = []
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and balanced(inertial.inertia) != inertial.inertia:
            a, b, c = _moments(inertial.inertia)
            must = (
                "the principal moments must be positive"
                if not a > 0.0
                else "the largest principal moment must not exceed the sum of the others"
            )
            out.append(
                Finding(
                    "inertial-rejected",
                    "error",
                    f"link '{link.name}': {must}, got {a:g} {b:g} {c:g} (MuJoCo rejects the file)",
                    inertial.inertia_at or inertial.at or link.at,
                    Hint(
                        "correct them, or write the nearest that MuJoCo accepts: ",
                        Setting("inertias", value=NEAREST),
                    ),
                    subject=path_of("links", link.name, "inertial", "inertia"),
                )
            )
    return out


def balanced(inertia: Matrix3) -> Matrix3:
    """The nearest inertia that MuJoCo accepts; the same one if that is it.

    >>> balanced(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 2.0)))[2][2]
    2.0
    >>> round(balanced(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 3.0)))[2][2], 6)
    2.0
    """
    matrix = np.array(inertia)
    size = float(np.abs(matrix).max())
    if not np.isfinite(size) or size == 0.0:
        return inertia
    matrix = matrix / 2.0 + matrix.T / 2.0
    is_diagonal = not np.any(matrix - np.diag(matrix.diagonal()))
    if is_diagonal:
        a, b, c = sorted(matrix.diagonal().tolist())
        if a + b >= c:
            return inertia
    moments, axes = np.linalg.eigh(matrix)
    a, b, c = moments.tolist()
    # MuJoCo computes the moments of other matrices itself, with another rounding
    if not is_diagonal and a > max(_LEAST_COMPUTED, 1e-12 * c) and a + b >= c * (1.0 + 1e-12):
        return inertia
    a = max(a, min(LEAST_MOMENT, 1e-6 * c), 0.0 if is_diagonal else max(4e-12 * c, 2.0 * _LEAST_COMPUTED))
    b = max(a, b)
    c = max(b, min(c, (a + b) * (1.0 - 1e-10)))
    if is_diagonal:
        order = np.argsort(matrix.diagonal(), kind="stable")
        diagonal = np.zeros(3)
        diagonal[order] = a, b, c
        return matrix3(np.diag(diagonal))
    return matrix3(axes @ np.diag([a, b, c]) @ axes.T)


def _moments(inertia: Matrix3) -> tuple[float, float, float]:
    matrix = np.array(inertia)
    a, b, c = np.linalg.eigvalsh(matrix / 2.0 + matrix.T / 2.0).tolist()
    return a, b, c


def _is_rounding(before: Inertial, after: Inertial) -> bool:
    a, b = np.array(before.inertia), np.array(after.inertia)
    return bool(np.abs(a - b).max() <= max(2.0 * LEAST_MOMENT, _ROUNDING * np.abs(a).max()))


def raised(inertia: Matrix3) -> Matrix3:
    """The inertia with moments of at least LEAST_MOMENT."""
    matrix = np.array(inertia)
    moments, axes = np.linalg.eigh(matrix / 2.0 + matrix.T / 2.0)
    return matrix3(axes @ np.diag(np.maximum(moments, LEAST_MOMENT)) @ axes.T)


def _still(tree: BodyTree) -> Collection[str]:
    """The links that do not move in the world."""
    out: set[str] = set()
    still = {id(tree.world)}
    for body in tree:
        if body.parent is None or (id(body.parent) in still and not body.joints and not body.is_free):
            still.add(id(body))
            if body.link is not None:
                out.add(body.link.name)
    return out


def _weightless(tree: BodyTree) -> Collection[str]:
    """Links with mass but without moments, on which it depends that a body that moves has any.

    What moves without mass gets one when its body is written.
    """
    bodies = list(tree)
    heavy = {id(body) for body in bodies if body.link is not None and _is_heavy(body.link.inertial)}
    massive: dict[int, str] = {}
    for body in reversed(bodies):
        inertial = body.link.inertial if body.link is not None else None
        if body.link is not None and inertial is not None and inertial.mass > _LEAST:
            massive[id(body)] = body.link.name
        if not _moves(body) and body.parent is not None:
            if id(body) in heavy:
                heavy.add(id(body.parent))
            if id(body) in massive:
                massive.setdefault(id(body.parent), massive[id(body)])
    return {
        massive[id(body)]
        for body in bodies
        if _moves(body) and id(body) not in heavy and id(body) in massive
    }


def _moves(body: PlannedBody) -> bool:
    return bool(body.joints) or body.is_free


def _is_heavy(inertial: Inertial | None) -> bool:
    if inertial is None or not inertial.mass > _LEAST:
        return False
    return np.isfinite(np.array(inertial.inertia)).all() and _moments(inertial.inertia)[0] > _LEAST
