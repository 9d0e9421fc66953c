"""Checks references to links, joints and groups."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.model.robot import Robot
from unibody.model.traverse import all_groups, path_of
from unibody.text.finding import Findings
from unibody.text.source import Span

_MAX_FINDINGS = 20

# Path and description of the item that refers, the name it refers to, and its place.
_Reference = tuple[str, str, str, Span | None]


def check_names(robot: Robot, findings: Findings) -> None:
    """Report references to unknown links, joints or groups, up to 20."""
    count = 0
    for what, known, references in (
        ("link", {link.name for link in robot.solids}, _links(robot)),
        ("joint", {joint.name for joint in robot.joints}, _joints(robot)),
        ("group", {group.name for group in robot.groups}, _groups(robot)),
    ):
        for subject, who, name, at in references:
            if name not in known:
                findings.error(
                    "link-unknown", f"{who} refers to unknown {what} '{name}'", at, subject=subject
                )
                count += 1
                if count >= _MAX_FINDINGS:
                    return


def _links(robot: Robot) -> Iterator[_Reference]:
    for loop in robot.loops:
        for field, link in (("link_a", loop.link_a), ("link_b", loop.link_b)):
            yield path_of("loops", loop.name, field), f"loop '{loop.name}'", link, loop.at
    for device in robot.devices:
        yield path_of("devices", device.name, "link"), f"device '{device.name}'", device.link, device.at
    for frame in robot.frames:
        yield path_of("frames", frame.name, "link"), f"frame '{frame.name}'", frame.link, frame.at
    for pair in (*robot.self_collision.enabled, *robot.self_collision.disabled):
        for name in pair:
            yield "self_collision", "self_collision", name, None
    for group in all_groups(robot):
        who = f"group '{group.name}'"
        for member in group.members:
            if isinstance(member, str):
                yield path_of("groups", group.name, "members"), who, member, group.at
        for chain in group.chains:
            yield path_of("groups", group.name, "chains"), who, chain.base_link, group.at
            yield path_of("groups", group.name, "chains"), who, chain.tip_link, group.at


def _joints(robot: Robot) -> Iterator[_Reference]:
    for coupling in robot.couplings:
        for field, joint in (("joint", coupling.joint), ("leader", coupling.leader)):
            where = path_of("couplings", coupling.joint, field)
            yield where, f"coupling of '{coupling.joint}'", joint, coupling.at
    for coordinate in robot.coordinates:
        for drive in coordinate.drives:
            where = path_of("coordinates", coordinate.index, "drives")
            yield where, f"coordinate {coordinate.index}", drive.joint, coordinate.at
    for configuration in robot.configurations:
        for name, _ in configuration.positions:
            where = path_of("configurations", configuration.name, "positions", name)
            yield where, f"configuration '{configuration.name}'", name, configuration.at
    for group in all_groups(robot):
        for joint in group.joint_members:
            yield path_of("groups", group.name, "joint_members"), f"group '{group.name}'", joint, group.at


def _groups(robot: Robot) -> Iterator[_Reference]:
    for group in all_groups(robot):
        for inner in group.subgroups:
            yield path_of("groups", group.name, "subgroups"), f"group '{group.name}'", inner, group.at
    for configuration in robot.configurations:
        if configuration.group:
            where = path_of("configurations", configuration.name, "group")
            yield where, f"configuration '{configuration.name}'", configuration.group, configuration.at
