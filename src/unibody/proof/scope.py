"""Names what the joints or links of a cause have in common, and no others have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Link
from unibody.model.shape import Box, Capsule, Cylinder, Ellipsoid, MeshFile, Sphere
from unibody.proof.cause import Cause
from unibody.proof.sources import Tree
from unibody.proof.subject import Subject

# As many joints or links have something in common, and what their names begin or end with for a side.
_LEAST = 2
# Where joints and links are says something if this many choices of as many of them are possible.
_CHOICES = 200
_BY_PLACE = frozenset(
    (
        "last joints of their chains",
        "joints with others below them",
        "last links of their chains",
        "links with others below them",
        "joints that are not symmetric about 0",
    )
)
_SIDES = ("l", "r", "left", "right", "front", "rear", "fl", "fr", "rl", "rr", "lf", "rf", "lh", "rh")


def scope_of(tree: Tree, cause: Cause, format: str = "") -> str:
    """The words for all joints or links that are like those of a cause, of a file of this format.

    "" where they are all, one, or not alone, and of what is no reason for such a cause.
    """
    owners: Sequence[str] = cause.owners
    joints = {joint.name: joint for joint in tree.robot.joints}
    of_shapes = not ({*owners} <= {*joints} or {*owners} <= {*tree.links})
    if of_shapes:
        owners = list(dict.fromkeys(name.rpartition("/")[0] for name in owners))
    if len(owners) < _LEAST:
        return ""
    if {*owners} <= {*joints}:
        moving = [joint for joint in tree.robot.joints if joint.kind != "fixed"]
        chosen = [joints[name] for name in owners]
        among = moving if all(joint.kind != "fixed" for joint in chosen) else [*tree.robot.joints]
        if len(among) == len(owners):
            return ""
        if "couplings" in cause.quantities and (followed := _scope_of_followers(tree, owners)):
            return followed
        for words, has in _JOINTS:
            if _is_reason(words, cause, format) and all(
                has(tree, joint) == (joint.name in owners) for joint in among
            ):
                return "" if _may_be_chance(words, len(among), len(owners)) else words
        return _alike("joints", [x.name for x in among], owners)
    if {*owners} <= {*tree.links}:
        heavy = [link for link in tree.robot.links if link.inertial is not None]
        shaped = [link for link in tree.robot.links if link.visuals or link.collisions]
        among_links = (
            shaped if of_shapes else heavy if {*owners} <= {x.name for x in heavy} else [*tree.robot.links]
        )
        if len(among_links) == len(owners):
            return ""
        if not of_shapes and _are_fixed_turned(tree, among_links, owners):
            return "links fixed to one another by a turned origin"
        for words, has_link in _SHAPES if of_shapes else _LINKS:
            if all(has_link(tree, link) == (link.name in owners) for link in among_links):
                return "" if _may_be_chance(words, len(among_links), len(owners)) else words
        return _alike("links", [x.name for x in among_links], owners)
    return ""


def _is_reason(words: str, cause: Cause, format: str) -> bool:
    """Whether what joints have in common may be why they have a cause."""
    if words in _DEFAULT_AXES:
        return format == _DEFAULT_AXES[words] and cause.subject is Subject.AXIS
    if words in _OF_PLACES:
        return not {*cause.quantities} <= _FORCES
    return words not in _OF_FORCES or {*cause.quantities} <= _FORCES


def _scope_of_followers(tree: Tree, owners: Sequence[str]) -> str:
    """What some of the joints that follow others have in common; "" where few others follow."""
    couplings = {x.joint: x for x in tree.robot.couplings if {x.joint, x.leader} <= {*tree.joints}}
    if len(couplings) - len(owners) < _LEAST or not {*owners} <= {*couplings}:
        return ""
    for words, has in _FOLLOWERS:
        if all(has(tree, each) == (name in owners) for name, each in couplings.items()):
            return words
    return ""


def _may_be_chance(words: str, among: int, count: int) -> bool:
    """Whether so many of these are where they are by chance: few choices of as many are possible."""
    return words in _BY_PLACE and math.comb(among, count) < _CHOICES


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


def _is_turned(pose: Pose) -> bool:
    return abs(pose.quat[0]) < 1.0 - 1e-12


def _are_fixed_turned(tree: Tree, among: Sequence[Link], owners: Sequence[str]) -> bool:
    """Whether links are those that are fixed at turned origins, and some others at origins that are not."""
    turned: dict[str, list[bool]] = {}
    for joint in tree.robot.joints:
        if joint.kind == "fixed":
            for link in (joint.parent, joint.child):
                turned.setdefault(link, []).append(_is_turned(joint.origin))
    fixed = [link.name for link in among if link.name in turned]
    mine = [name for name in fixed if any(turned[name])]
    return {*mine} == {*owners} and len(fixed) - len(mine) >= _LEAST


def _has_turned_inertia(link: Link) -> bool:
    axes = link.inertial.axes if link.inertial is not None else None
    return axes is not None and abs(axes[0]) < 1.0 - 1e-12


def _has_products(link: Link) -> bool:
    if link.inertial is None:
        return False
    (_, xy, xz), (_, _, yz), _ = link.inertial.inertia
    return any((xy, xz, yz))


def _has_shape(kind: type) -> Callable[[Tree, Link], bool]:
    return lambda tree, link: any(isinstance(x.geometry, kind) for x in (*link.visuals, *link.collisions))


def _scales(link: Link) -> set[tuple[float, ...]]:
    shapes = (x.geometry for x in (*link.visuals, *link.collisions))
    return {tuple(x.scale) for x in shapes if isinstance(x, MeshFile)}


def _has_mesh(link: Link) -> bool:
    return any(isinstance(shape.geometry, MeshFile) for shape in (*link.visuals, *link.collisions))


_X, _Z = "joints whose axis is x, the default of URDF", "joints whose axis is z, the default of MJCF"
_JOINTS: tuple[tuple[str, Callable[[Tree, Joint], bool]], ...] = (
    ("continuous joints", lambda tree, joint: _is_endless(joint)),
    ("prismatic joints", lambda tree, joint: joint.kind == "prismatic"),
    ("revolute joints", lambda tree, joint: joint.kind == "revolute"),
    ("revolute and ball joints", lambda tree, joint: joint.kind in ("revolute", "ball")),
    (
        "revolute joints with limits",
        lambda tree, joint: joint.kind == "revolute" and not _is_endless(joint),
    ),
    ("fixed joints", lambda tree, joint: joint.kind == "fixed"),
    ("joints with a negative axis", lambda tree, joint: _is_negative(joint)),
    (_X, lambda tree, joint: joint.axis == (1.0, 0.0, 0.0)),
    (_Z, lambda tree, joint: joint.axis == (0.0, 0.0, 1.0)),
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
    ("joints that state limits of velocity", lambda tree, joint: math.isfinite(joint.limits.velocity[1])),
    ("joints with an oblique axis", lambda tree, joint: max(map(abs, joint.axis)) < 1.0 - 1e-9),
    ("joints whose origin is turned", lambda tree, joint: _is_turned(joint.origin)),
    ("joints whose origin is not turned", lambda tree, joint: not _is_turned(joint.origin)),
    ("joints with damping", lambda tree, joint: joint.dynamics.damping != 0.0),
    ("joints with armature", lambda tree, joint: joint.actuator.reflected_inertia != 0.0),
    ("joints with friction", lambda tree, joint: joint.dynamics.friction != 0.0),
    ("joints with a spring", lambda tree, joint: joint.dynamics.stiffness != 0.0),
    (
        "revolute joints with a spring",
        lambda tree, joint: joint.kind == "revolute" and joint.dynamics.stiffness != 0.0,
    ),
    (
        "revolute joints with damping",
        lambda tree, joint: joint.kind == "revolute" and joint.dynamics.damping != 0.0,
    ),
    ("joints that are not symmetric about 0", lambda tree, joint: sum(joint.limits.position) != 0.0),
    (
        "joints whose limits do not contain 0",
        lambda tree, joint: joint.limits.position[0] > 0.0 or joint.limits.position[1] < 0.0,
    ),
    (
        "joints with limits beyond a full turn",
        lambda tree, joint: joint.kind == "revolute" and max(map(abs, joint.limits.position)) > math.pi,
    ),
)
# Default axes are a reason for other axes in files of the format that has them.
_DEFAULT_AXES = {_X: "urdf", _Z: "mjcf"}
# Places, axes and limits are no reason for what resists joints, and this is none for other causes.
_FORCES = frozenset(("armature", "damping", "friction", "mass_matrix", "bias", "acceleration"))
_OF_PLACES = frozenset(
    (
        "joints with a negative axis",
        "joints with an oblique axis",
        "joints whose origin is turned",
        "joints whose origin is not turned",
        "joints that are not symmetric about 0",
        "joints whose limits do not contain 0",
        "joints with limits beyond a full turn",
    )
)
_OF_FORCES = frozenset(("revolute joints with a spring", "revolute joints with damping"))
_FOLLOWERS: tuple[tuple[str, Callable[[Tree, Coupling], bool]], ...] = (
    (
        "joints on the same link as the joint that they follow",
        lambda tree, each: tree.joints[each.joint].parent == tree.joints[each.leader].parent,
    ),
    (
        "joints on the link that the joint moves that they follow",
        lambda tree, each: tree.joints[each.joint].parent == tree.joints[each.leader].child,
    ),
    (
        "joints of another kind than the joint that they follow",
        lambda tree, each: tree.joints[each.joint].kind != tree.joints[each.leader].kind,
    ),
    ("joints that follow with an offset", lambda tree, each: each.offset != 0.0),
    ("joints that follow with a negative ratio", lambda tree, each: each.ratio < 0.0),
    ("revolute joints that follow others", lambda tree, each: tree.joints[each.joint].kind == "revolute"),
    ("prismatic joints that follow others", lambda tree, each: tree.joints[each.joint].kind == "prismatic"),
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
    ("links whose inertial frame is turned", lambda tree, link: _has_turned_inertia(link)),
    ("links with products of inertia", lambda tree, link: _has_products(link)),
    ("links without collision shapes", lambda tree, link: not link.collisions),
    ("links with collision shapes", lambda tree, link: bool(link.collisions)),
    ("last links of their chains", lambda tree, link: not tree.below.get(link.name)),
    ("links with others below them", lambda tree, link: bool(tree.below.get(link.name))),
)
#: What links have in common whose shapes are others.
_SHAPES: tuple[tuple[str, Callable[[Tree, Link], bool]], ...] = (
    ("links with mesh files", lambda tree, link: _has_mesh(link)),
    ("links without mesh files", lambda tree, link: not _has_mesh(link)),
    ("links with mirrored meshes", lambda tree, link: any(min(x) < 0.0 for x in _scales(link))),
    ("links with scaled meshes", lambda tree, link: any(x != (1.0, 1.0, 1.0) for x in _scales(link))),
    ("links with boxes", _has_shape(Box)),
    ("links with cylinders", _has_shape(Cylinder)),
    ("links with capsules", _has_shape(Capsule)),
    ("links with spheres", _has_shape(Sphere)),
    ("links with ellipsoids", _has_shape(Ellipsoid)),
)
