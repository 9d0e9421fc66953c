"""Finds the items of a robot that an edit names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from unibody.formats import FORMATS
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Group, Robot
from unibody.text.near import suggestion

#: The lists of a robot whose items have names, in the order in which a name is looked for.
LISTS = ("links", "joints", "devices", "loops", "frames", "groups", "configurations")
#: Names of the robot by list; "materials" and "robot" in addition to ``LISTS``.
Names = dict[str, dict[str, str]]


class GraftError(ValueError):
    """Raised if robots cannot be renamed, attached or split as requested."""


def all_groups(groups: Collection[Group]) -> Iterator[Group]:
    """The groups and those inside them."""
    # Readers limit the nesting of groups, so recursion is safe.
    for group in groups:
        yield group
        yield from all_groups([m for m in group.members if isinstance(m, Group)])


def names_of(robot: Robot) -> dict[str, list[str]]:
    """The names of a robot's items by list; groups include those inside others."""
    out = {kind: [item.name for item in getattr(robot, kind)] for kind in LISTS}
    out["groups"] = [group.name for group in all_groups(robot.groups)]
    return out


def fixed_names(kind: str) -> set[str]:
    """Names of a list that are keywords of a format: a prefix does not change them.

    >>> fixed_names("configurations")
    {'standard_pose'}
    """
    return {name for format in FORMATS for name in format.fixed_names.get(kind, ())}


def materials_of(robot: Robot) -> list[str]:
    """The names of the materials of all shapes, each once."""
    found: dict[str, None] = {}
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *link.collisions_alt):
            if shape.material is not None and shape.material.name:
                found[shape.material.name] = None
    return list(found)


def check_link(robot: Robot, name: str) -> None:
    """GraftError if a robot has no link of this name."""
    known = [link.name for link in robot.links]
    if name not in known:
        raise GraftError(f"'{robot.name}' has no link '{name}'{suggestion(name, known)}")


def place_of(robot: Robot, name: str) -> tuple[str, Pose]:
    """The link of this name, or that of the frame, and the pose in it; GraftError if there is neither."""
    links = {link.name for link in robot.links}
    for frame in robot.frames:
        if frame.name == name and name not in links and frame.link in links:
            return frame.link, frame.pose
    if name not in links:
        known = [*(link.name for link in robot.links), *(frame.name for frame in robot.frames)]
        raise GraftError(f"'{robot.name}' has no link or frame '{name}'{suggestion(name, known)}")
    return name, IDENTITY


def resolve(robot: Robot, wanted: Mapping[str, str]) -> Names:
    """New names by list. A name stands for every item that has it; ``links/NAME`` only for the link.

    Materials are looked for last. GraftError if a name is unknown, or a new one is empty.
    """
    known = names_of(robot)
    out: Names = {}
    for old, new in wanted.items():
        if not new:
            raise GraftError(f"the new name of '{old}' is empty")
        kinds = [kind for kind in LISTS if old in known[kind]]
        if old == robot.name:
            kinds.append("robot")
        head, _, tail = old.partition("/")
        if kinds:
            name = old
        elif tail in known.get(head, ()):
            kinds, name = [head], tail
        else:
            materials = known.setdefault("materials", materials_of(robot))
            name = tail if head == "materials" and tail in materials else old
            if name not in materials:
                every = [x for names in known.values() for x in names]
                raise GraftError(f"'{robot.name}' has no element named '{old}'{suggestion(old, every)}")
            kinds = ["materials"]
        for kind in kinds:
            out.setdefault(kind, {})[name] = new
    return out
