"""Names what the joints or links of a cause have in common, and no others have."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Link
from unibody.model.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, MeshFile, Sphere
from unibody.proof.cause import Cause
from unibody.proof.sources import Tree
from unibody.proof.subject import Subject

_Part = TypeVar("_Part", Joint, Link)
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


def scope_of(tree: Tree, cause: Cause, format: str = "", unseen: Collection[str] = ()) -> str:
    """The words for all joints or links that are like those of a cause, of a file of this format.

    "" where they are all, or not alone, and of what is no reason for such a cause. Of links that are
    ``unseen`` nothing is known: the engine does not tell their numbers.
    """
    owners: Sequence[str] = cause.owners
    joints = {joint.name: joint for joint in tree.robot.joints}
    of_shapes = not ({*owners} <= {*joints} or {*owners} <= {*tree.links})
    if of_shapes:
        owners = list(dict.fromkeys(name.rpartition("/")[0] for name in owners))
    if {*owners} <= {*joints}:
        moving = [joint for joint in tree.robot.joints if joint.kind != "fixed"]
        among = moving if all(joints[x].kind != "fixed" for x in owners) else [*tree.robot.joints]
        followed = _scope_of_followers(tree, owners) if "couplings" in cause.quantities else ""
        reasons = [each for each in _JOINTS if _is_reason(each[0], cause, format)]
        needed = [each for each in _NEEDED_OF_JOINTS if {*cause.quantities} & each[1]]
        return followed or _scope(tree, among, owners, reasons, needed, "joints")
    if {*owners} <= {*tree.links}:
        heavy = [link for link in tree.robot.links if link.inertial is not None]
        shaped = [link for link in tree.robot.links if link.visuals or link.collisions]
        links = shaped if of_shapes else heavy if {*owners} <= {x.name for x in heavy} else tree.robot.links
        links = [link for link in links if link.name in owners or link.name not in unseen]
        if not of_shapes and len(owners) >= _LEAST and _are_fixed_turned(tree, links, owners):
            return "links fixed to one another by a turned origin"
        reasons_of = [x for x in (_SHAPES if of_shapes else _LINKS) if _is_reason(x[0], cause, format)]
        needed_of = [each for each in _NEEDED_OF_LINKS if {*cause.quantities} & each[1]]
        return _scope(tree, links, owners, reasons_of, needed_of, "links")
    return ""


def _scope(
    tree: Tree,
    among: Sequence[_Part],
    owners: Sequence[str],
    reasons: Sequence[tuple[str, Callable[[Tree, _Part], bool]]],
    needed: Sequence[tuple[str, frozenset[str], Callable[[Tree, _Part], bool]]],
    noun: str,
) -> str:
    """What these owners have in common and no others among them have: by itself, or of those that could."""
    if len(among) == len(owners):
        return ""

    def found(parts: Sequence[_Part], rare: Collection[str] = _RARE) -> str:
        for words, has in reasons:
            is_telling = len(owners) >= _LEAST or (words in rare and len(parts) > _LEAST)
            if is_telling and all(has(tree, x) == (x.name in owners) for x in parts):
                return "" if _may_be_chance(words, len(parts), len(owners)) else words
        return ""

    alone = found(among) or (_alike(noun, [x.name for x in among], owners) if len(owners) >= _LEAST else "")
    for words, _, has in () if alone else needed:
        # those that have nothing that could be wrong say nothing
        able = [part for part in among if has(tree, part)]
        mine = sum(part.name in owners for part in able)
        if (
            mine == len(owners)
            and len(able) - mine >= _LEAST
            and len(able) > _LEAST + 1
            and (common := found(able, _RARE | _KINDS))
        ):
            return f"{common} among the {words}"
    return alone


def _is_reason(words: str, cause: Cause, format: str) -> bool:
    """Whether what joints have in common may be why they have a cause."""
    if words in _DEFAULT_AXES:
        return format == _DEFAULT_AXES[words] and cause.subject is Subject.AXIS
    if words in _OF_FORMATS:
        return format == _OF_FORMATS[words]
    if words in _OF_PLACES:
        return not {*cause.quantities} <= _FORCES
    return words not in _OF_FORCES or {*cause.quantities} <= _FORCES


def _scope_of_followers(tree: Tree, owners: Sequence[str]) -> str:
    """What some of the joints that follow others have in common; "" where few others follow."""
    couplings = {x.joint: x for x in tree.robot.couplings if {x.joint, x.leader} <= {*tree.joints}}
    if len(couplings) - len(owners) < _LEAST or not owners or not {*owners} <= {*couplings}:
        return ""
    for words, has in _FOLLOWERS:
        if len(owners) < _LEAST and words in _OF_FEW:
            continue
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


def _is_after(tree: Tree, joint: Joint) -> bool:
    """Whether a joint of MJCF has another one of the same body above it."""
    above = tree.above.get(joint.parent)
    return above is not None and _is_before(tree, above)


def _is_before(tree: Tree, joint: Joint) -> bool:
    """Whether a joint of MJCF moves a link without a body of its own, which the next joint is on."""
    link = tree.links[joint.child]
    return (
        link.inertial is None
        and not link.visuals
        and not link.collisions
        and bool(tree.below.get(link.name))
    )


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
    return any(isinstance(shape.geometry, MeshFile | Mesh) for shape in (*link.visuals, *link.collisions))


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
    ("ball joints", lambda tree, joint: joint.kind == "ball"),
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
    ("joints after another joint of their body", _is_after),
    ("joints before another joint of their body", _is_before),
    ("joints at the root link", lambda tree, joint: joint.parent == tree.robot.root),
    ("last joints of their chains", lambda tree, joint: not tree.below.get(joint.child)),
    ("joints with others below them", lambda tree, joint: bool(tree.below.get(joint.child))),
    ("joints that move links with others fixed to them", lambda tree, joint: _carries(tree, joint.child)),
    ("joints on links that are fixed to others", lambda tree, joint: _is_carried(tree, joint.parent)),
    ("joints that move links without mass", lambda tree, joint: tree.links[joint.child].inertial is None),
    ("joints on links without mass", lambda tree, joint: tree.links[joint.parent].inertial is None),
    (
        "joints whose child link comes before their parent link in the file",
        lambda tree, joint: tree.order[joint.child] < tree.order[joint.parent],
    ),
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
# Bodies of MJCF have several joints, and links come in any order in URDF.
_OF_FORMATS = {
    "joints after another joint of their body": "mjcf",
    "joints before another joint of their body": "mjcf",
    "joints whose child link comes before their parent link in the file": "urdf",
    "links that come before their parent link in the file": "urdf",
}
# What one joint or link has by no chance, if others could have it.
_RARE = frozenset(
    (
        "joints whose limits do not contain 0",
        "joints that move links without mass",
        "joints on links without mass",
        "links without mass",
        "links fixed to links that are fixed to others",
        "links with mirrored meshes",
    )
)
# And if others that have such a number could have it.
_KINDS = frozenset(("prismatic joints", "continuous joints", "ball joints"))
# What joints and links need to have to be wrong in a quantity.
_NEEDED_OF_JOINTS: tuple[tuple[str, frozenset[str], Callable[[Tree, Joint], bool]], ...] = (
    ("joints with damping", frozenset(("damping",)), lambda tree, joint: joint.dynamics.damping != 0.0),
    ("joints with friction", frozenset(("friction",)), lambda tree, joint: joint.dynamics.friction != 0.0),
    (
        "joints with armature",
        frozenset(("armature", "mass_matrix")),
        lambda tree, joint: joint.actuator.reflected_inertia != 0.0,
    ),
    (
        "joints with a spring",
        frozenset(("acceleration",)),
        lambda tree, joint: joint.dynamics.stiffness != 0.0,
    ),
    (
        "joints with limits",
        frozenset(("limits",)),
        lambda tree, joint: joint.limits.position != (-math.inf, math.inf),
    ),
    (
        "joints whose origin is turned",
        frozenset(("positions", "rotations")),
        lambda tree, joint: _is_turned(joint.origin),
    ),
)
_NEEDED_OF_LINKS: tuple[tuple[str, frozenset[str], Callable[[Tree, Link], bool]], ...] = (
    (
        "links whose inertial frame is turned",
        frozenset(("com", "inertia")),
        lambda tree, link: _has_turned_inertia(link),
    ),
    ("links with products of inertia", frozenset(("inertia",)), lambda tree, link: _has_products(link)),
    ("links with meshes", frozenset(("bounds",)), lambda tree, link: _has_mesh(link)),
)
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
# What one of a few joints that follow others has by chance.
_OF_FEW = frozenset(
    (
        "joints on the same link as the joint that they follow",
        "joints on the link that the joint moves that they follow",
    )
)
_FOLLOWERS: tuple[tuple[str, Callable[[Tree, Coupling], bool]], ...] = (
    (
        "joints that follow joints that follow others",
        lambda tree, each: any(x.joint == each.leader for x in tree.robot.couplings),
    ),
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
        "links without meshes",
        lambda tree, link: bool(link.visuals or link.collisions) and not _has_mesh(link),
    ),
    ("links with meshes", lambda tree, link: _has_mesh(link)),
    ("links without shapes", lambda tree, link: not (link.visuals or link.collisions)),
    ("links with shapes", lambda tree, link: bool(link.visuals or link.collisions)),
    ("links whose inertial frame is turned", lambda tree, link: _has_turned_inertia(link)),
    ("links whose inertial frame is not turned", lambda tree, link: not _has_turned_inertia(link)),
    ("links with products of inertia", lambda tree, link: _has_products(link)),
    (
        "links fixed to links that are fixed to others",
        lambda tree, link: _is_carried(tree, link.name) and _is_carried(tree, tree.above[link.name].parent),
    ),
    (
        "links that come before their parent link in the file",
        lambda tree, link: (
            link.name in tree.above and tree.order[link.name] < tree.order[tree.above[link.name].parent]
        ),
    ),
    ("links without collision shapes", lambda tree, link: not link.collisions),
    ("links with collision shapes", lambda tree, link: bool(link.collisions)),
    ("last links of their chains", lambda tree, link: not tree.below.get(link.name)),
    ("links with others below them", lambda tree, link: bool(tree.below.get(link.name))),
)
#: What links have in common whose shapes are others.
_SHAPES: tuple[tuple[str, Callable[[Tree, Link], bool]], ...] = (
    ("links with meshes", lambda tree, link: _has_mesh(link)),
    ("links without meshes", lambda tree, link: not _has_mesh(link)),
    ("links with mirrored meshes", lambda tree, link: any(min(x) < 0.0 for x in _scales(link))),
    ("links with scaled meshes", lambda tree, link: any(x != (1.0, 1.0, 1.0) for x in _scales(link))),
    ("links with boxes", _has_shape(Box)),
    ("links with cylinders", _has_shape(Cylinder)),
    ("links with capsules", _has_shape(Capsule)),
    ("links with spheres", _has_shape(Sphere)),
    ("links with ellipsoids", _has_shape(Ellipsoid)),
)
