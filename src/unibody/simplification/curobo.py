"""What cuRobo's configuration of a robot has of spheres: links, spheres, and pairs that are not tested.

The keys are those of ``robot_cfg/kinematics``: ``collision_link_names``, ``collision_spheres``,
``self_collision_ignore`` and ``self_collision_buffer``. A file that ``collision_spheres`` refers to may
have the others, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from unibody.mechanism import assemble
from unibody.model import shape as s
from unibody.model.collision import PairRules, untested_pairs
from unibody.model.robot import Robot


def ignored_pairs(robot: Robot, links: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of ``links`` that are not to be tested, in their order.

    Those that the rules of the robot do not test, such as neighbors and the pairs of its SRDF, and those
    whose spheres overlap at the initial positions: a planner would find no free start.
    """
    untested = untested_pairs(robot)
    if untested is None:
        rules = PairRules(robot)
        tested = {pair for pair in rules.enabled if pair not in rules.disabled}
        off = {frozenset(pair) for pair in combinations(links, 2)} - tested
    else:
        off = set(untested)
    off |= _overlapping(robot, links)
    return [pair for pair in combinations(links, 2) if frozenset(pair) in off]


def _overlapping(robot: Robot, links: Sequence[str]) -> set[frozenset[str]]:
    """The pairs of links whose spheres overlap at the initial positions."""
    mechanism = assemble(robot)
    poses = mechanism.forward_kinematics(mechanism.initial)
    balls = {}
    for name in links:
        shapes = [x for x in robot.link(name).collisions if isinstance(x.geometry, s.Sphere)]
        pose = poses[mechanism.link_names.index(name)]
        centers = np.array([x.pose.xyz for x in shapes]).reshape(-1, 3) @ pose[:3, :3].T + pose[:3, 3]
        balls[name] = centers, np.array([x.geometry.radius for x in shapes])  # type: ignore[union-attr]
    out = set()
    for a, b in combinations(links, 2):
        (p, r), (q, u) = balls[a], balls[b]
        apart = np.linalg.norm(p[:, None] - q[None], axis=-1)
        if (apart < r[:, None] + u[None]).any():
            out.add(frozenset((a, b)))
    return out


def robot_config(
    spheres: Mapping[str, list[dict[str, Any]]], ignored: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """The part of cuRobo's configuration of a robot that is about spheres.

    >>> robot_config({"a": [], "b": []}, [("a", "b")])["self_collision_ignore"]
    {'a': ['b']}
    """
    ignore: dict[str, list[str]] = {}
    for a, b in ignored:
        ignore.setdefault(a, []).append(b)
    return {
        "collision_link_names": list(spheres),
        "self_collision_ignore": ignore,
        "self_collision_buffer": dict.fromkeys(spheres, 0.0),
        "collision_spheres": dict(spheres),
    }


def packed_config(config: Mapping[str, Any], suffix: str) -> bytes:
    """A configuration as a file: JSON, or YAML with a line for each sphere."""
    if suffix == "json":
        return (json.dumps(config, indent=1) + "\n").encode()
    lines = [f"collision_link_names: {json.dumps(config['collision_link_names'])}"]
    for key in ("self_collision_ignore", "self_collision_buffer"):
        lines.append(f"{key}:" + ("" if config[key] else " {}"))
        lines += [f"  {json.dumps(link)}: {json.dumps(value)}" for link, value in config[key].items()]
    lines.append("collision_spheres:" + ("" if config["collision_spheres"] else " {}"))
    for link, rows in config["collision_spheres"].items():
        lines.append(f"  {json.dumps(link)}:" + ("" if rows else " []"))
        for row in rows:
            center = ", ".join(map(repr, row["center"]))
            lines.append(f"    - {{center: [{center}], radius: {row['radius']!r}}}")
    return ("\n".join(lines) + "\n").encode()
