"""What a catalogue tells of one robot."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row of a catalogue.

    ``format`` is the title of the format, "" if the file could not be read; the numbers are None then.
    ``joints`` counts those that move, ``mass`` is in kg. ``findings`` are plain data (``Finding.json``),
    the worst first.
    """

    path: str
    name: str
    format: str
    links: int | None
    joints: int | None
    mass: float | None
    devices: int | None
    findings: Sequence[Mapping[str, Any]]

    @staticmethod
    def of(path: str, facts: Mapping[str, Any], findings: Sequence[Mapping[str, Any]]) -> Entry:
        """The entry of a file by its facts (:func:`facts`; {} if it could not be read) and findings."""
        order = {"error": 0, "warning": 1, "info": 2}
        return Entry(
            path=path,
            name=facts.get("name") or os.path.basename(path),
            format=facts.get("format", ""),
            links=facts.get("links"),
            joints=facts.get("joints"),
            mass=facts.get("mass"),
            devices=facts.get("devices"),
            findings=sorted(findings, key=lambda finding: order[finding["severity"]]),
        )

    def count(self, severity: str) -> int:
        """The number of findings of a severity."""
        return sum(finding["severity"] == severity for finding in self.findings)


def facts(robot: Robot, format: str) -> dict[str, Any]:
    """The facts of an entry as plain data; ``format`` is the title of the format.

    >>> from unibody.model.robot import Link
    >>> facts(Robot(name="stone", links=(Link(name="stone"),)), "URDF")
    {'name': 'stone', 'format': 'URDF', 'links': 1, 'joints': 0, 'mass': 0.0, 'devices': 0}
    """
    return {
        "name": robot.name,
        "format": format,
        "links": len(robot.links),
        "joints": sum(KINDS[joint.kind].nq > 0 for joint in robot.joints),
        "mass": float(robot.mass) if math.isfinite(robot.mass) else None,
        "devices": len(robot.devices),
    }
