"""The blocks of ``<ros2_control>`` that a robot keeps: the joints of its hardware, and what drives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from unibody.document.bind import Binding, bind
from unibody.formats.urdf.kept import Control, Interface
from unibody.formats.urdf.transmissions import Simple, simple
from unibody.model.robot import Robot
from unibody.text.finding import Findings
from unibody.text.node import Node

#: The element of a block.
BLOCK = "ros2_control"


class BlockJoint(NamedTuple):
    """A joint of a block: its command and state interfaces, and the joint that it mimics, if any."""

    name: str
    commands: tuple[str, ...]
    states: tuple[str, ...]
    leader: str


class Block(NamedTuple):
    """A block: its joints in order, its simple transmissions by joint, and the names of the others."""

    joints: tuple[BlockJoint, ...]
    drives: dict[str, Simple]
    coupled: tuple[str, ...]


def blocks(robot: Robot) -> list[Block]:
    """The blocks of ``<ros2_control>`` of a robot, in the order of its file."""
    return [
        _block(value)
        for extra in robot.extras
        if extra.format == "urdf" and not extra.owner
        for key, value, _ in extra.node.items
        if key == BLOCK and isinstance(value, Node)
    ]


def _block(node: Node) -> Block:
    joints = [
        BlockJoint(
            name=each.name or "",
            commands=_names(each.command_interface),
            states=_names(each.state_interface),
            leader=next((param.text or "" for param in each.param if param.name == "mimic"), ""),
        )
        for each in bind(Control, node, Binding(Findings(), xml=True)).joints
    ]
    drives: dict[str, Simple] = {}
    coupled: list[str] = []
    for key, value, _ in node.items:
        if key == "transmission" and isinstance(value, Node):
            own = simple(value)
            if own is None:
                coupled.append(value.word("name") or "")
            else:
                drives.setdefault(own.joint, own)
    return Block(tuple(joints), drives, tuple(coupled))


def _names(interfaces: Sequence[Interface]) -> tuple[str, ...]:
    return tuple(each.name for each in interfaces if each.name)
