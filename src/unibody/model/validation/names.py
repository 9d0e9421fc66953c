"""Names that lead nowhere: what stands on a link, or speaks of a joint, that the robot does not have."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.model.robot import Group, Robot
from unibody.text.finding import Findings
from unibody.text.source import Span

_MOST = 20

_Mention = tuple[str, str, Span | None]


def check_names(robot: Robot, findings: Findings) -> None:
    """An error for each link or joint that is spoken of and is not there; of many, for the first."""
    told = 0
    for what, known, mentions in (
        ("link", {link.name for link in robot.links}, _links(robot)),
        ("joint", {joint.name for joint in robot.joints}, _joints(robot)),
    ):
        for who, name, at in mentions:
            if name not in known:
                findings.error("link-unknown", f"{who}: there is no {what} '{name}'", at)
                told += 1
                if told >= _MOST:
                    return


def _links(robot: Robot) -> Iterator[_Mention]:
    for loop in robot.loops:
        yield f"loop '{loop.name}'", loop.link_a, loop.at
        yield f"loop '{loop.name}'", loop.link_b, loop.at
    for device in robot.devices:
        yield f"device '{device.name}'", device.link, device.at
    for frame in robot.frames:
        yield f"frame '{frame.name}'", frame.link, frame.at
    for pair in (*robot.self_collision.enabled, *robot.self_collision.disabled):
        for name in pair:
            yield "self_collision", name, None
    todo: list[Group] = list(robot.groups)
    while todo:
        group = todo.pop()
        for member in group.members:
            if isinstance(member, Group):
                todo.append(member)
            else:
                yield f"group '{group.name}'", member, group.at


def _joints(robot: Robot) -> Iterator[_Mention]:
    for coupling in robot.couplings:
        yield f"coupling of '{coupling.joint}'", coupling.joint, coupling.at
        yield f"coupling of '{coupling.joint}'", coupling.leader, coupling.at
    for coordinate in robot.coordinates:
        for drive in coordinate.drives:
            yield f"coordinate {coordinate.index}", drive.joint, coordinate.at
    for configuration in robot.configurations:
        for name, _ in configuration.positions:
            yield f"configuration '{configuration.name}'", name, configuration.at
