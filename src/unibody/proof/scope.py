"""Names what the joints or links of a cause have in common, and no others have."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Joint, Link
from unibody.model.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, MeshFile, Sphere
from unibody.proof.cause import Cause
from unibody.proof.sources import Tree
from unibody.proof.subject import Subject

_Part = TypeVar("_Part", Joint, Link)
_NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})
# What all joints and links have, and quantities that follow from others.
_OF_ALL = (Subject.ORDER, Subject.GRAVITY, Subject.BASE)
_FOLLOWING = frozenset(("mass_matrix", "bias", "acceleration"))
# Joints that state something are told so if as many choices of them are possible.
_FEW = 6
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


def scope_of(
    tree: Tree,
    cause: Cause,
    format: str = "",
    unseen: Collection[str] = (),
    stated: Mapping[str, Collection[str]] = _NOTHING,
) -> str:
    """The words for all joints or links that are like those of a cause, of a file of this format.

    "" where they are all, or not alone, and of what is no reason for such a cause. Of links that are
    ``unseen`` nothing is known: the engine does not tell their numbers. ``stated`` are words for what the
    file states of joints and links, by name.
    """
    owners, of_shapes = _owners_of(tree, cause)
    joints = tree.joints
    if owners and {*owners} <= {*joints}:
        among = _joints_among(tree, owners)
        followed = _scope_of_followers(tree, owners) if "couplings" in cause.quantities else ""
        reasons = [each for each in _JOINTS if _is_reason(each[0], cause, format)]
        needed = [each for each in _NEEDED_OF_JOINTS if {*cause.quantities} & each[1]]
        found = followed or _scope(tree, among, owners, reasons, needed, "joints")
        return found or _stated_scope(among, owners, stated, "joints")
    if owners and {*owners} <= {*tree.links}:
        links = _links_among(tree, owners, of_shapes, unseen)
        if not of_shapes and len(owners) >= _LEAST and _are_fixed_turned(tree, links, owners):
            return "links fixed to one another by a turned origin"
        reasons_of = [x for x in (_SHAPES if of_shapes else _LINKS) if _is_reason(x[0], cause, format)]
        needed_of = [each for each in _NEEDED_OF_LINKS if {*cause.quantities} & each[1]]
        found = _scope(tree, links, owners, reasons_of, needed_of, "links")
        return found or _stated_scope(links, owners, stated, "links")
    return ""


def spared_by(tree: Tree, cause: Cause, unseen: Collection[str] = ()) -> tuple[str, ...]:
    """The joints or links that could have a cause, too, and do not; none for one that all have.

    Those that have no number that could be wrong are none of them.
    """
    if cause.subject in _OF_ALL or cause.fitted or not {*cause.quantities} - _FOLLOWING:
        return ()
    owners, of_shapes = _owners_of(tree, cause)
    if len(owners) < _LEAST:
        # of one, no list is exact
        return ()
    able: list[str] = []
    if owners and {*owners} <= {*tree.joints}:
        if "couplings" in cause.quantities:
            couplings = _couplings_of(tree)
            able = [*(_with_offset(couplings, owners) or couplings)]
        else:
            able = [
                joint.name
                for joint in _able(tree, _joints_among(tree, owners), owners, cause, _NEEDED_OF_JOINTS)
            ]
    elif owners and {*owners} <= {*tree.links}:
        links = _links_among(tree, owners, of_shapes, unseen)
        able = [link.name for link in _able(tree, links, owners, cause, _NEEDED_OF_LINKS)]
    return tuple(name for name in able if name not in owners)


def _able(
    tree: Tree,
    among: Sequence[_Part],
    owners: Collection[str],
    cause: Cause,
    needed: Sequence[tuple[str, frozenset[str], Callable[[Tree, _Part], bool]]],
) -> Sequence[_Part]:
    """Those that have what all owners need to have to be wrong."""
    for _, quantities, has in needed:
        if {*cause.quantities} & quantities:
            having = [part for part in among if has(tree, part)]
            among = having if {*owners} <= {part.name for part in having} else among
    return among


def _owners_of(tree: Tree, cause: Cause) -> tuple[Sequence[str], bool]:
    """The joints or links of a cause, and whether it is of shapes of links."""
    if {*cause.owners} <= {*tree.joints} or {*cause.owners} <= {*tree.links}:
        return cause.owners, False
    return list(dict.fromkeys(name.rpartition("/")[0] for name in cause.owners)), True


def _joints_among(tree: Tree, owners: Collection[str]) -> list[Joint]:
    """The joints among which owners are: all that move, or all that do not, where none of them does."""
    fixed = {tree.joints[name].kind == "fixed" for name in owners}
    return [x for x in tree.robot.joints if len(fixed) > 1 or (x.kind == "fixed") in fixed]


def _links_among(
    tree: Tree, owners: Collection[str], of_shapes: bool, unseen: Collection[str]
) -> list[Link]:
    """The links among which owners are: those with shapes, or with masses."""
    heavy = [link for link in tree.robot.links if link.inertial is not None]
    shaped = [link for link in tree.robot.links if link.visuals or link.collisions]
    links = shaped if of_shapes else heavy if {*owners} <= {x.name for x in heavy} else tree.robot.links
    return [link for link in links if link.name in owners or link.name not in unseen]


def _stated_scope(
    among: Sequence[Joint] | Sequence[Link],
    owners: Collection[str],
    stated: Mapping[str, Collection[str]],
    noun: str,
) -> str:
    """What the file states of these owners and of no others among them."""
    if len(owners) < _LEAST or math.comb(len(among), len(owners)) < _FEW:
        return ""
    # elements before attributes
    words_of = {x for name in owners for x in stated.get(name, ())}
    for words in sorted(words_of, key=lambda x: (x.startswith("'"), x)):
        if {part.name for part in among if words in stated.get(part.name, ())} == {*owners}:
            return f"{noun} with {words}"
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
    for words, quantities, has in () if alone else needed:
        # those that have nothing that could be wrong say nothing
        able = [part for part in among if has(tree, part)]
        mine = sum(part.name in owners for part in able)
        if (
            mine == len(owners)
            and len(able) - mine >= _LEAST
            and len(able) > _LEAST + 1
            and (common := found(able, _RARE if quantities & _PLACED else _RARE | _KINDS))
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
    couplings = _couplings_of(tree)
    offset = _with_offset(couplings, owners)
    found = _followers_alike(tree, couplings, owners)
    if not found and 0 < len(offset) < len(couplings) and (found := _followers_alike(tree, offset, owners)):
        return f"{found} with an offset"
    return found


def _couplings_of(tree: Tree) -> dict[str, Coupling]:
    return {x.joint: x for x in tree.robot.couplings if {x.joint, x.leader} <= {*tree.joints}}


def _with_offset(couplings: Mapping[str, Coupling], owners: Collection[str]) -> dict[str, Coupling]:
    """The couplings with an offset, where those of all owners have one."""
    having = {name: each for name, each in couplings.items() if each.offset != 0.0}
    return having if {*owners} <= {*having} else {}


def _followers_alike(tree: Tree, couplings: Mapping[str, Coupling], owners: Sequence[str]) -> str:
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


def _files(link: Link) -> list[MeshFile]:
    return [x.geometry for x in (*link.visuals, *link.collisions) if isinstance(x.geometry, MeshFile)]


def _has_namesakes(link: Link) -> bool:
    """Whether two meshes of a link are different files of one name."""
    uris = {mesh.uri for mesh in _files(link)}
    return len({os.path.basename(uri) for uri in uris}) < len(uris)


def _shares_name(tree: Tree, link: Link) -> bool:
    """Whether a mesh of a link has the file name of another file, of another link."""
    own = {os.path.basename(mesh.uri): mesh.uri for mesh in _files(link)}
    return any(
        own.get(os.path.basename(mesh.uri), mesh.uri) != mesh.uri
        for other in tree.robot.links
        if other.name != link.name
        for mesh in _files(other)
    )


def _ends_with(suffix: str) -> Callable[[Tree, Link], bool]:
    return lambda tree, link: any(mesh.uri.lower().endswith(suffix) for mesh in _files(link))


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
    (
        "joints on links without mass",
        lambda tree, joint: joint.parent != tree.robot.root and tree.links[joint.parent].inertial is None,
    ),
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
# Where origins put joints, whatever their kind.
_PLACED = frozenset(("positions", "rotations"))
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
        "joints with limits of effort",
        frozenset(("effort",)),
        lambda tree, joint: math.isfinite(joint.limits.effort[1]),
    ),
    (
        "joints with limits of velocity",
        frozenset(("velocity",)),
        lambda tree, joint: math.isfinite(joint.limits.velocity[1]),
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
    (
        "links of at most 1e-6 kg",
        lambda tree, link: link.inertial is not None and link.inertial.mass <= 1e-6,
    ),
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
    ("links with two mesh files of one name", lambda tree, link: _has_namesakes(link)),
    ("links with a mesh of the file name of another link's", _shares_name),
    ("links with meshes that state an up axis", lambda tree, link: any(x.up_axis for x in _files(link))),
    ("links with meshes that state a unit", lambda tree, link: any(x.unit for x in _files(link))),
    *(
        (f"links with {suffix} meshes", _ends_with(suffix))
        for suffix in (".dae", ".stl", ".obj", ".glb", ".gltf", ".ply")
    ),
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
