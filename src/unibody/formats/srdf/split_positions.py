"""Positions of the joints that URDF has as several, in postures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from unibody.model.pose import quaternion_matrix
from unibody.model.robot import JOINT_SIZE, Configuration, Robot


def with_split_positions(robot: Robot, split: Robot) -> Iterator[Configuration]:
    """The configurations of a ``robot`` for the same one with ``split`` joints."""
    chains = _chains(robot, split)
    sizes = {joint.name: JOINT_SIZE[joint.kind] for joint in robot.joints}
    for configuration in robot.configurations:
        if not any(name in chains for name, _ in configuration.positions):
            yield configuration
            continue
        positions: list[tuple[str, float]] = []
        for name, value in configuration.by_joint.items():
            values = value if isinstance(value, tuple) else (value,)
            if name not in chains:
                positions += [(name, v) for v in values]
            elif len(values) == sizes[name]:
                angles = _angles(values) if len(values) == JOINT_SIZE["ball"] else values
                positions += list(zip(chains[name], angles, strict=False))
        yield replace(configuration, positions=tuple(positions))


def _chains(robot: Robot, split: Robot) -> dict[str, list[str]]:
    """The names of the joints that each joint became, where that are several."""
    own = {joint.name for joint in robot.joints}
    out: dict[str, list[str]] = {}
    chain: list[str] = []
    for joint in split.joints:
        chain.append(joint.name)
        if joint.name in own:
            if len(chain) > 1:
                out[joint.name] = chain
            chain = []
    return out


def _angles(quaternion: tuple[float, ...]) -> tuple[float, ...]:
    """The angles of a rotation about X, then Y and Z of the turned frame, from w x y z."""
    w, x, y, z = quaternion
    r = quaternion_matrix((w, x, y, z))
    second = math.asin(max(-1.0, min(1.0, r[0][2])))
    return math.atan2(-r[1][2], r[2][2]), second, math.atan2(-r[0][1], r[0][0])
