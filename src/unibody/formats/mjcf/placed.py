"""Moves what MJCF keyframes have in the frame of the world."""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.mjcf import document as d
from unibody.model.pose import Pose, rotate
from unibody.model.robot import Extra, Robot
from unibody.text.node import Node, Word, elements, placed_copy
from unibody.text.number import format_float, parse_float


def placed(robot: Robot, place: Pose) -> Robot:
    """The robot whose keyframes have the free base moved by a pose."""
    if robot.base != "free":
        return robot
    return replace(robot, extras=tuple(_placed(extra, place) for extra in robot.extras))


def _placed(extra: Extra, place: Pose) -> Extra:
    if extra.format != "mjcf" or extra.owner:
        return extra
    top = placed_copy(extra.node)
    for node in elements(top):
        if node.tag == d.Key.KEY:
            _move(node, place)
    return replace(extra, node=top)


def _move(key: Node, place: Pose) -> None:
    """Move the base of a keyframe: the first 7 numbers of qpos, and 3 of qvel."""
    for i, (name, value, start) in enumerate(key.items):
        count = {"qpos": 7, "qvel": 3}.get(name, 0)
        if not count or not isinstance(value, Word):
            continue
        words = value.text.split()
        numbers = [number for word in words[:count] if (number := parse_float(word)) is not None]
        if len(numbers) < count:
            continue
        x, y, z, *turn = numbers
        new: tuple[float, ...]
        if turn:
            moved = place @ Pose((x, y, z), (turn[0], turn[1], turn[2], turn[3]))
            new = (*moved.xyz, *moved.quat)
        else:
            new = rotate(place.quat, (x, y, z))
        key.items[i] = (name, Word(" ".join([*map(format_float, new), *words[count:]])), start)
