"""The findings as the page shows them: with the link they speak of, without the reader's directories."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from unibody.model.robot import Robot
from unibody.text.finding import Finding
from unibody.text.source import Span

_NAMED = re.compile(r"\b(link|joint|device|frame) '([^']*)'")


@dataclass(slots=True)
class Owners:
    """Which link a message speaks of: by the names in it, else by where in the file it points."""

    robot: Robot
    _names: dict[tuple[str, str], int] = field(default_factory=dict)
    _spans: list[tuple[Span, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        links = {link.name: place for place, link in enumerate(self.robot.links)}
        for name, place in links.items():
            self._names["link", name] = place
        for joint in self.robot.joints:
            self._names["joint", joint.name] = links.get(joint.child, -1)
        for word, things in (("device", self.robot.devices), ("frame", self.robot.frames)):
            for thing in things:
                self._names[word, thing.name] = links.get(thing.link, -1)
        for link in self.robot.links:
            for item in (link, link.inertial, *link.visuals, *link.collisions, *link.collisions_alt):
                if item is not None and item.at is not None:
                    self._spans.append((item.at, links[link.name]))
        for item in (*self.robot.joints, *self.robot.devices, *self.robot.frames):
            child = self._names.get((type(item).__name__.lower(), item.name), -1)
            if item.at is not None:
                self._spans.append((item.at, child))

    def link(self, finding: Finding) -> int:
        """The place of the link, -1 when it is not known."""
        for found in _NAMED.finditer(finding.message):
            if found.groups() in self._names:
                return self._names[found[1], found[2]]
        return min(self._around(finding.at), default=(0, -1))[1] if finding.at else -1

    def _around(self, at: Span) -> Iterator[tuple[int, int]]:
        """The lengths and links of all that the place lies in."""
        for span, link in self._spans:
            if span.source is at.source and span.start <= at.start and at.end <= span.end:
                yield span.end - span.start, link


def findings_data(findings: Iterable[Finding], robot: Robot, file: str) -> list[dict[str, Any]]:
    """Findings for the page; paths in them start at the directory of the model file."""
    owners = Owners(robot)
    here = os.path.dirname(file) + os.sep if os.path.dirname(file) else ""
    return [
        {
            "code": finding.code,
            "severity": finding.severity,
            "message": _shorter(finding.message, here),
            "hint": _shorter(finding.hint, here),
            "file": _shorter(finding.at.source.name, here) if finding.at else "",
            "line": finding.at.line if finding.at else 0,
            "link": owners.link(finding),
        }
        for finding in findings
    ]


def _shorter(text: str, here: str) -> str:
    """Without the way to the model: whom the page is sent to has another disk."""
    return text.replace(here, "") if here else text
