"""Names what the joints or links of a cause have in common, and no others have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from unibody.model.robot import Joint, Link
from unibody.model.shape import MeshFile
from unibody.proof.sources import Tree

# As many joints or links have something in common, and what their names begin or end with for a side.
_LEAST = 2
_SIDES = ("l", "r", "left", "right", "front", "rear", "fl", "fr", "rl", "rr", "lf", "rf", "lh", "rh")


def scope_of(tree: Tree, owners: Sequence[str]) -> str:
    """The words for all joints or links that are like these, "" where they are all, one, or not alone."""
    joints = {joint.name: joint for joint in tree.robot.joints}
    if len(owners) < _LEAST:
        return ""
    if {*owners} <= {*joints}:
        moving = [joint for joint in tree.robot.joints if joint.kind != "fixed"]
        chosen = [joints[name] for name in owners]
        among = moving if all(joint.kind != "fixed" for joint in chosen) else [*tree.robot.joints]
        if len(among) == len(owners):
            return ""
        for words, has in _JOINTS:
            if all(has(tree, joint) == (joint.name in owners) for joint in among):
                return words
        return _alike("joints", [x.name for x in among], owners)
    if {*owners} <= {*tree.links}:
        heavy = [link for link in tree.robot.links if link.inertial is not None]
        among_links = heavy if {*owners} <= {x.name for x in heavy} else [*tree.robot.links]
        if len(among_links) == len(owners):
            return ""
        for words, has_link in _LINKS:
            if all(has_link(tree, link) == (link.name in owners) for link in among_links):
                return words
        return _alike("links", [x.name for x in among_links], owners)
    return ""


def _alike(noun: str, names: Sequence[str], owners: Sequence[str]) -> str:
    """Words for names that begin or end alike."""
    start = _common(owners)
    if start.strip("_").lower() in _SIDES and sum(name.startswith(start) for name in names) == len(owners):
        return f"{noun} whose names begin with '{start}'"
    end = _common([name[::-1] for name in owners])[::-1]
    if end.strip("_").lower() in _SIDES and sum(name.endswith(end) for name in names) == len(owners):
        return f"{noun} whose names end with '{end}'"
    return ""


def _common(names: Sequence[str]) -> str:
    out = ""
    for letters in zip(*names, strict=False):
        if len({*letters}) > 1:
            break
        out += letters[0]
    return out


def _is_endless(joint: Joint) -> bool:
    return joint.kind == "revolute" and joint.limits.position == (-math.inf, math.inf)


def _is_negative(joint: Joint) -> bool:
    largest = max(joint.axis, key=abs)
    return joint.kind != "fixed" and largest < 0.0


def _is_carried(tree: Tree, link: str) -> bool:
    return link in tree.above and tree.above[link].kind == "fixed"


def _carries(tree: Tree, link: str) -> bool:
    return any(joint.kind == "fixed" for joint in tree.below.get(link, ()))


def _has_mesh(link: Link) -> bool:
    return any(isinstance(shape.geometry, MeshFile) for shape in (*link.visuals, *link.collisions))


_JOINTS: tuple[tuple[str, Callable[[Tree, Joint], bool]], ...] = (
    ("continuous joints", lambda tree, joint: _is_endless(joint)),
    ("prismatic joints", lambda tree, joint: joint.kind == "prismatic"),
    ("revolute joints", lambda tree, joint: joint.kind == "revolute"),
    (
        "revolute joints with limits",
        lambda tree, joint: joint.kind == "revolute" and not _is_endless(joint),
    ),
    ("fixed joints", lambda tree, joint: joint.kind == "fixed"),
    ("joints with a negative axis", lambda tree, joint: _is_negative(joint)),
    ("joints whose axis is x, the default of URDF", lambda tree, joint: joint.axis == (1.0, 0.0, 0.0)),
    ("joints whose axis is z, the default of MJCF", lambda tree, joint: joint.axis == (0.0, 0.0, 1.0)),
    (
        "joints that follow others",
        lambda tree, joint: any(x.joint == joint.name for x in tree.robot.couplings),
    ),
    (
        "joints that do not follow others",
        lambda tree, joint: all(x.joint != joint.name for x in tree.robot.couplings),
    ),
    ("joints at the root link", lambda tree, joint: joint.parent == tree.robot.root),
    ("last joints of their chains", lambda tree, joint: not tree.below.get(joint.child)),
    ("joints with others below them", lambda tree, joint: bool(tree.below.get(joint.child))),
    ("joints that move links with others fixed to them", lambda tree, joint: _carries(tree, joint.child)),
    ("joints on links that are fixed to others", lambda tree, joint: _is_carried(tree, joint.parent)),
    ("joints that move links without mass", lambda tree, joint: tree.links[joint.child].inertial is None),
    ("joints on links without mass", lambda tree, joint: tree.links[joint.parent].inertial is None),
    ("joints with friction", lambda tree, joint: joint.dynamics.friction != 0.0),
    ("joints with a spring", lambda tree, joint: joint.dynamics.stiffness != 0.0),
    ("joints that are not symmetric about 0", lambda tree, joint: sum(joint.limits.position) != 0.0),
    ("joints whose limits do not contain 0", lambda tree, joint: joint.limits.position[0] > 0.0),
)
_LINKS: tuple[tuple[str, Callable[[Tree, Link], bool]], ...] = (
    ("links without mass", lambda tree, link: link.inertial is None),
    ("links that are fixed to others", lambda tree, link: _is_carried(tree, link.name)),
    ("links that others are fixed to", lambda tree, link: _carries(tree, link.name)),
    (
        "links without mesh files",
        lambda tree, link: bool(link.visuals or link.collisions) and not _has_mesh(link),
    ),
    ("links with mesh files", lambda tree, link: _has_mesh(link)),
    ("links without shapes", lambda tree, link: not (link.visuals or link.collisions)),
    ("links with shapes", lambda tree, link: bool(link.visuals or link.collisions)),
    ("last links of their chains", lambda tree, link: not tree.below.get(link.name)),
    ("links with others below them", lambda tree, link: bool(tree.below.get(link.name))),
)
