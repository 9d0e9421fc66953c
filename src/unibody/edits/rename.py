"""Renames the items of a robot, with every reference to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from unibody.edits.edit import RobotEdit
from unibody.edits.kept import kept, known_names, rename_kept, with_data
from unibody.edits.names import LISTS, GraftError, Names, fixed_names, names_of, resolve
from unibody.model.base import WORLD
from unibody.model.changes.shapes import with_shapes
from unibody.model.robot import Group, Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.shape import Shape
from unibody.model.traverse import renamed
from unibody.text.finding import Finding, Findings


def rename(
    robot: Robot | Scene,
    names: Mapping[str, str] | None = None,
    *,
    prefix: str = "",
    suffix: str = "",
    findings: list[Finding] | None = None,
) -> Robot:
    """Rename links, joints, devices and all other named items, with all references to them.

    ``names`` maps old to new names: of every item with the old name, or of one, as in "links/ARM"; of
    materials if nothing else has the name. ``prefix`` and ``suffix`` are added to the names of all other
    items, but not to materials, keywords of a format ("standard_pose") and a root link "world", whose name
    holds the robot in the world. The data that only one format
    knows follow, as far as the format declares what they refer to; a text that mentions an old name is
    added to ``findings`` as a warning. GraftError if a name is unknown, or two items of one kind would
    have the same name.

    >>> from unibody.model.robot import Link
    >>> robot = Robot(name="arm", links=(Link(name="base"),))
    >>> rename(robot, prefix="left_").links[0].name
    'left_base'
    """
    made = edit_names(as_robot(robot), names or {}, prefix, suffix)
    if findings is not None:
        findings.extend(made.findings)
    return made.robot


def prefix(robot: Robot | Scene, text: str, *, findings: list[Finding] | None = None) -> Robot:
    """Put ``text`` before the names of all items but materials, as :func:`rename` does.

    >>> from unibody.model.robot import Link
    >>> prefix(Robot(name="arm", links=(Link(name="base"),)), "left_").links[0].name
    'left_base'
    """
    return rename(robot, prefix=text, findings=findings)


def edit_names(robot: Robot, wanted: Mapping[str, str], prefix: str = "", suffix: str = "") -> RobotEdit:
    """The edit of :func:`rename`."""
    names = resolve(robot, wanted)
    if prefix or suffix:
        for kind, known in names_of(robot).items():
            fixed = fixed_names(kind) | (_worlds(robot) if kind == "links" else set())
            for name in (name for name in known if name not in fixed):
                names.setdefault(kind, {}).setdefault(name, f"{prefix}{name}{suffix}")
    _check_unique(robot, names)
    findings = Findings()
    data = rename_kept(robot, names, prefix, suffix, findings)
    out = _renamed(with_data(robot, data), names)
    if prefix or suffix:
        out = _with_shapes_named(out, known_names(robot, kept(robot)).get("geoms", ()), prefix, suffix)
    return RobotEdit(out, findings=findings)


def _worlds(robot: Robot) -> set[str]:
    """The name of a root link that is the world itself."""
    children = {joint.child for joint in robot.joints}
    return {link.name for link in robot.links if link.name == WORLD and WORLD not in children}


def _with_shapes_named(robot: Robot, names: Collection[str], prefix: str, suffix: str) -> Robot:
    """The robot with new names of the shapes that kept data name."""

    def step(shape: Shape) -> tuple[Shape, ...]:
        is_known = bool(shape.name) and shape.name in names
        return (replace(shape, name=f"{prefix}{shape.name}{suffix}") if is_known else shape,)

    return with_shapes(robot, step) if names else robot


def _check_unique(robot: Robot, names: Names) -> None:
    """GraftError if two items of one kind would have the same name."""
    for kind in LISTS:
        old = {x.name for x in getattr(robot, kind)}
        new = [names.get(kind, {}).get(name, name) for name in old]
        if len(set(new)) < len(new):
            twice = next(name for name in new if new.count(name) > 1)
            raise GraftError(f"two {kind} of '{robot.name}' would have the name '{twice}'")


def _renamed(robot: Robot, names: Names) -> Robot:
    out = robot
    for kind in LISTS:
        changed = {old: new for old, new in names.get(kind, {}).items() if old != new}
        if not changed:
            continue
        if kind == "groups":
            states = (
                c if c.group is None else replace(c, group=changed.get(c.group, c.group))
                for c in out.configurations
            )
            out = replace(
                out, groups=tuple(_group(x, changed) for x in out.groups), configurations=tuple(states)
            )
        else:
            out = renamed(out, kind, changed)
    if "materials" in names:
        out = _with_materials(out, names["materials"])
    return replace(out, name=names.get("robot", {}).get(out.name, out.name))


def _group(group: Group, names: Mapping[str, str]) -> Group:
    # Readers limit the nesting of groups, so recursion is safe.
    members = tuple(_group(m, names) if isinstance(m, Group) else m for m in group.members)
    subgroups = tuple(names.get(name, name) for name in group.subgroups)
    return replace(group, name=names.get(group.name, group.name), members=members, subgroups=subgroups)


def _with_materials(robot: Robot, names: Mapping[str, str]) -> Robot:
    def of(shape: Shape) -> Shape:
        found = shape.material
        if found is None or found.name not in names:
            return shape
        return replace(shape, material=replace(found, name=names[found.name]))

    links = []
    for link in robot.links:
        lists: dict[str, Any] = {
            key: tuple(map(of, getattr(link, key))) for key in ("visuals", "collisions", "collisions_alt")
        }
        links.append(replace(link, **lists))
    return replace(robot, links=tuple(links))
