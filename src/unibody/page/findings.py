"""The findings as the page shows them: with the link they speak of, without the reader's directories."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.page.sources import Sources
from unibody.text.finding import Finding
from unibody.text.source import Span

# Where a path may begin in a message.
_BEFORE = r"(?<![^\s'\"(=,])(?:file://)?"


@dataclass(slots=True)
class Owners:
    """Which link a finding is about: by its subject, else by where in the file it points."""

    robot: Robot
    _names: dict[str, int] = field(default_factory=dict)
    _spans: list[tuple[Span, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        robot, names = self.robot, self._names
        links = {link.name: place for place, link in enumerate(robot.links)}
        for name, place in links.items():
            names[path_of("links", name)] = place
        for joint in robot.joints:
            names[path_of("joints", joint.name)] = links.get(joint.child, -1)
        for kind, items in (("devices", robot.devices), ("frames", robot.frames)):
            names.update({path_of(kind, item.name): links.get(item.link, -1) for item in items})
        for link in robot.links:
            parts = (*link.visuals, *link.collisions, *link.collisions_alt)
            places = [link.at, *(part.at for part in parts)]
            for at in [*places, link.inertial.at] if link.inertial else places:
                self._note(at, links[link.name])
        for joint in robot.joints:
            self._note(joint.at, names[path_of("joints", joint.name)])
        for device in robot.devices:
            self._note(device.at, names[path_of("devices", device.name)])
        for frame in robot.frames:
            self._note(frame.at, names[path_of("frames", frame.name)])

    def _note(self, at: Span | None, link: int) -> None:
        if at is not None:
            self._spans.append((at, link))

    def link(self, finding: Finding) -> int:
        """The place of the link, -1 when it is not known."""
        named = self._names.get("/".join(finding.subject.split("/")[:2]))
        if named is not None:
            return named
        return min(self._around(finding.at), default=(0, -1))[1] if finding.at else -1

    def _around(self, at: Span) -> Iterator[tuple[int, int]]:
        """The lengths and links of all that the place lies in."""
        for span, link in self._spans:
            if span.source is at.source and span.start <= at.start and at.end <= span.end:
                yield span.end - span.start, link


class Ways:
    """The directories around a model's file where messages name them, and what is written instead.

    Whom a page is sent to has another disk.
    """

    def __init__(self, file: str) -> None:
        given = os.path.dirname(file)
        pairs = [(given, "")]
        for directory in dict.fromkeys([os.path.abspath(given), os.path.realpath(given)]) if file else ():
            above = os.path.dirname(directory)
            pairs += [(directory, ""), (above, "../"), (os.path.dirname(above), "../../")]
        self._ways = [
            (re.compile(_BEFORE + re.escape(path + os.sep)), short)
            for path, short in pairs
            if path not in ("", os.path.dirname(path))
        ]

    def __call__(self, text: str) -> str:
        """A text in which paths start at the directory of the model."""
        for way, short in self._ways:
            text = way.sub(short, text)
        return text


def findings_data(
    findings: Iterable[Finding], robot: Robot, shorter: Ways, sources: Sources
) -> list[dict[str, Any]]:
    """Findings for the page; paths in them start at the directory of the model file."""
    owners = Owners(robot)
    return [
        {
            "code": finding.code,
            "severity": finding.severity,
            "message": shorter(finding.message),
            "hint": shorter(finding.hint),
            "at": sources.add(finding.at),
            "link": owners.link(finding),
        }
        for finding in findings
    ]
