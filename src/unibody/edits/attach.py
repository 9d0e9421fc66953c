"""Attaches one robot to a link of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from unibody.document.references import names_within
from unibody.edits.edit import EditLoss, RobotEdit
from unibody.edits.kept import joined, kept, known_names, lost_items, rename_kept, with_data
from unibody.edits.names import LISTS, GraftError, fixed_names, place_of
from unibody.edits.rename import edit_names
from unibody.edits.subtree import part_of
from unibody.files.embedded import is_embedded
from unibody.files.uris import seen_from
from unibody.formats import FORMATS
from unibody.model.base import WORLD
from unibody.model.changes.joints import free_name
from unibody.model.changes.shapes import with_shapes
from unibody.model.changes.surroundings import without_surroundings
from unibody.model.collision import PairRules, adjacent_pairs, untested_pairs
from unibody.model.facts import Difference, diff
from unibody.model.gravity import common_gravity
from unibody.model.pose import IDENTITY, Pose, from_rpy
from unibody.model.robot import Joint, Robot, SelfCollision
from unibody.model.scene import Scene, as_robot
from unibody.model.shape import MeshFile, Shape
from unibody.model.traverse import renamed
from unibody.text.finding import Finding, Findings
from unibody.text.renamed import renamed_keywords


@renamed_keywords(at="on")
def attach(
    robot: Robot | Scene,
    other: Robot | Scene,
    on: str,
    pose: Pose | Sequence[float] = IDENTITY,
    prefix: str = "",
    *,
    findings: list[Finding] | None = None,
) -> Robot:
    """Attach the root of ``other`` to link or frame ``on`` of ``robot`` by a fixed joint at ``pose``.

    ``pose`` is that of the root in the link or frame: a Pose, or x y z (m) and roll pitch yaw (rad).
    ``prefix`` is prepended to every name of ``other``, as :func:`rename` does, whose warnings are added
    to ``findings``. Name, base and pose of the result are those of ``robot``; joints and coordinates of
    ``other`` are numbered after those of ``robot``. The data that only one format knows are those of
    both, and so are a group or configuration whose name is a keyword of a format ("standard_pose").
    GraftError if the link is unknown or a name is in both robots. A link is found before a frame of the
    same name.

    >>> from unibody.model.robot import Link
    >>> arm = Robot(name="arm", links=(Link(name="base"),))
    >>> hand = Robot(name="hand", links=(Link(name="palm"),))
    >>> [j.name for j in attach(arm, hand, "base", (0.0, 0.0, 0.1, 0.0, 0.0, 0.0)).joints]
    ['base_to_palm']
    """
    made = edit_attach(as_robot(robot), as_robot(other), on, as_pose(pose), prefix)
    if findings is not None:
        findings.extend(made.findings)
    return made.robot


def as_pose(given: Pose | Sequence[float]) -> Pose:
    """A pose from x y z (m) and roll pitch yaw (rad); GraftError if there are not six finite numbers.

    >>> as_pose((0, 0, 1, 0, 0, 0))
    Pose(xyz=(0.0, 0.0, 1.0), quat=(1.0, 0.0, 0.0, 0.0))
    """
    if isinstance(given, Pose):
        return given
    try:
        x, y, z, roll, pitch, yaw = map(float, given)
    except (TypeError, ValueError):
        raise GraftError(
            f"a pose is six numbers, x y z roll pitch yaw in m and rad, not {given!r}"
        ) from None
    if not all(map(math.isfinite, (x, y, z, roll, pitch, yaw))):
        raise GraftError(f"the numbers of a pose must be finite, not {given!r}")
    return Pose((x, y, z), from_rpy(roll, pitch, yaw))


def edit_attach(robot: Robot, other: Robot, on: str, pose: Pose, prefix: str) -> RobotEdit:
    """The edit of :func:`attach`."""
    link, mounted = place_of(robot, on)
    carried = without_surroundings(other)
    # A root link "world" is an ordinary link where it is attached.
    own = {f"links/{WORLD}": f"{prefix}{WORLD}"} if carried.root == WORLD else {}
    named = edit_names(carried, own, prefix)
    second = _seen_from(named.robot, robot.folder)
    for kind in LISTS:
        both = {x.name for x in getattr(robot, kind)} & {x.name for x in getattr(second, kind)}
        if both := both - fixed_names(kind):
            raise GraftError(f"both robots have a {kind[:-1]} named '{min(both)}'; give a prefix")
    findings = Findings(named.findings)
    _report_duplicates(robot, second, findings)
    taken = {j.name for j in (*robot.joints, *second.joints)}
    mount = Joint(
        name=free_name(f"{on}_to_{second.root}", taken),
        kind="fixed",
        parent=link,
        child=second.root,
        origin=mounted @ pose,
    )
    numbered = _numbered_after(robot, second)
    lists: dict[str, Any] = {name: getattr(robot, name) + getattr(numbered, name) for name in _LISTS}
    lists["joints"] = (*robot.joints, mount, *numbered.joints)
    lists["groups"] = _joined_by_name(lists["groups"], "members", "joint_members", "chains", "subgroups")
    lists["configurations"] = _joined_by_name(lists["configurations"], "positions")
    lists["extras"] = joined(robot.extras, numbered.extras)
    lists["gravity"] = common_gravity((robot, other))
    out = replace(robot, **lists, self_collision=_merged_rules(robot, numbered))
    losses = _losses(robot, second, numbered, out)
    used = {extra.format for extra in out.extras}
    for format in FORMATS:
        if format.attached is not None and format.name in used:
            out, left = format.attached()(out, robot, numbered)
            losses += [EditLoss(d, numbered, "values by place", _PLACES) for d in left]
    return RobotEdit(out, tuple(losses), findings)


def _seen_from(robot: Robot, folder: str) -> Robot:
    """The robot with references to files that were not found as they are seen from another folder."""
    if not robot.folder or not folder:
        return robot

    def moved(reference: Any) -> Any:
        uri = reference.uri
        if not reference.path and not is_embedded(uri):
            uri = seen_from(uri, robot.folder, folder)
        return reference if uri == reference.uri else replace(reference, uri=uri)

    def step(shape: Shape) -> tuple[Shape, ...]:
        material = shape.material
        if isinstance(shape.geometry, MeshFile):
            shape = replace(shape, geometry=moved(shape.geometry))
        if material is not None and material.texture is not None and material.texture.uri:
            shape = replace(shape, material=replace(material, texture=moved(material.texture)))
        return (shape,)

    extras = (replace(extra, files=tuple(map(moved, extra.files))) for extra in robot.extras)
    return with_shapes(replace(robot, extras=tuple(extras)), step)


def _joined_by_name(items: Sequence[Any], *lists: str) -> tuple[Any, ...]:
    """Items of both robots, those with one name (a keyword of a format), and group, as one."""
    out: dict[Any, Any] = {}
    for item in items:
        key = (item.name, getattr(item, "group", None))
        first = out.get(key)
        joined = {} if first is None else {x: (*getattr(first, x), *getattr(item, x)) for x in lists}
        out[key] = replace(first or item, **joined)
    return tuple(out.values())


def _report_duplicates(robot: Robot, other: Robot, findings: Findings) -> None:
    """Report elements that only one format knows and that have the same name in both robots."""
    mine, others = (names_within(slot for each in kept(x) for slot in each.slots()) for x in (robot, other))
    for kind, names in mine.items():
        both = names & others.get(kind, set())
        if both and kind not in LISTS:
            findings.warning(
                "name-duplicate",
                f"{kind} of both robots have the name '{min(both)}'",
                None,
                "attach with a prefix",
                subject="extras",
            )


def _losses(robot: Robot, other: Robot, numbered: Robot, made: Robot) -> list[EditLoss]:
    """What differs from the two robots, apart from the name, base and pose of the second."""
    second = replace(other, coordinates=numbered.coordinates)
    out: list[EditLoss] = []
    for before, after in ((robot, made), (second, part_of(made, {link.name for link in other.links}))):
        for d in diff(replace(before, extras=()), replace(after, extras=())):
            if d.kind in ("added", "moved") or d.path.partition("/")[0] in _OF_THE_FIRST:
                continue
            is_number = d.path.endswith("/number")
            what = "joint numbers" if is_number else "attached robot"
            out.append(EditLoss(d, before, what, _ON if is_number else "changed by attaching"))
    old, new = (tuple(c.index for c in x.coordinates) for x in (other, numbered))
    if old != new:
        out.append(
            EditLoss(Difference("coordinates", "changed", old, new), other, "coordinate numbers", _ON)
        )
    for before in (robot, numbered):
        out += [
            EditLoss(d, before, "values of both robots", "one remains, that of the first robot")
            for d in lost_items(before, made)
        ]
    return out


_ON = "numbers go on after those of the first robot"
_PLACES = "the places of the values in the result are unknown"
# The rules of collision are those of both, whatever the default is.
_OF_THE_FIRST = frozenset(("name", "base", "pose", "self_collision"))
_LISTS = (
    "links",
    "joints",
    "loops",
    "coordinates",
    "couplings",
    "devices",
    "frames",
    "groups",
    "configurations",
    "extras",
)


def _numbered_after(robot: Robot, other: Robot) -> Robot:
    """Renumber joints and coordinates of ``other`` after those of ``robot``."""
    first = max((j.number for j in robot.joints if j.number is not None), default=-1) + 1
    joints = tuple(
        j if j.number is None or j.number < 0 else replace(j, number=j.number + first) for j in other.joints
    )
    out = replace(other, joints=joints)
    index = max((int(n) for n in _coordinates(robot)), default=-1) + 1
    numbers = _coordinates(other)
    if not (index and numbers):
        return out
    words = {number: str(int(number) + index) for number in numbers}
    out = with_data(out, rename_kept(out, {"coordinates": words}, "", "", Findings()))
    if not out.coordinates:
        return out
    return renamed(out, "coordinates", {c.index: c.index + index for c in other.coordinates})


def _coordinates(robot: Robot) -> list[str]:
    """The numbers of coordinates, those that no joint uses included."""
    known = known_names(robot, kept(robot))["coordinates"]
    return [number for number in known if number.isdecimal()]


def _merged_rules(a: Robot, b: Robot) -> SelfCollision:
    """Merge the collision rules of two robots; the default of ``a`` applies to pairs across them."""
    x, y = a.self_collision, b.self_collision
    if x.default == y.default:
        return replace(x, enabled=x.enabled + y.enabled, disabled=x.disabled + y.disabled)
    # Write out the default of b pair by pair.
    rules = PairRules(b)
    every = combinations([link.name for link in b.links], 2)
    if x.default == "none":
        return replace(x, enabled=x.enabled + tuple(p for p in every if rules.are_tested(*p)))
    untested = untested_pairs(b)
    if untested is None:
        disabled = tuple(p for p in every if not rules.are_tested(*p))
    else:
        disabled = tuple(untested.values())
    near = adjacent_pairs(b).values() if x.default == "not_adjacent" else ()
    enabled = tuple(p for p in near if rules.are_tested(*p))
    return replace(x, enabled=x.enabled + enabled, disabled=x.disabled + disabled)
