"""Findings as data of the page: with the link they concern, and without absolute paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.page.effects import effect_of
from unibody.page.robot import link_places
from unibody.page.sources import Sources
from unibody.text.finding import Finding
from unibody.text.hint import Asker, hint_text
from unibody.text.source import Span

# Where a path may begin in a message.
_BEFORE = r"(?<![^\s'\"(=,])(?:file://)?"


@dataclass(frozen=True, slots=True)
class Examination:
    """What ``unibody check`` finds of a robot: the findings that it prints, and those that are muted."""

    findings: Sequence[Finding]
    muted: Sequence[Finding] = ()

    def with_drawn(self, drawn: Iterable[Finding]) -> list[Finding]:
        """All findings of the page: those of the examination, and what only drawing the robot finds."""
        known = {(f.code, f.subject) for f in (*self.findings, *self.muted)}
        return [*self.findings, *(f for f in drawn if (f.code, f.subject) not in known)]


@dataclass(slots=True)
class Owners:
    """Finds the link that a finding concerns: by its subject, else by its position in the file."""

    robot: Robot
    _names: dict[str, int] = field(default_factory=dict)
    _spans: list[tuple[Span, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        robot, names = self.robot, self._names
        links = link_places(robot)
        for name, place in links.items():
            names[path_of("links", name)] = place
        for joint in robot.joints:
            names[path_of("joints", joint.name)] = links.get(joint.child, -1)
        for kind, items in (("devices", robot.devices), ("frames", robot.frames)):
            names.update({path_of(kind, item.name): links.get(item.link, -1) for item in items})
        for link in robot.solids:
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
        """The index of the link, -1 if it is unknown."""
        named = self._names.get("/".join(finding.subject.split("/")[:2]))
        if named is not None:
            return named
        return min(self._around(finding.at), default=(0, -1))[1] if finding.at else -1

    def _around(self, at: Span) -> Iterator[tuple[int, int]]:
        """Length and link of each item whose text contains ``at``."""
        for span, link in self._spans:
            if span.source is at.source and span.start <= at.start and at.end <= span.end:
                yield span.end - span.start, link


class Ways:
    """Shortens paths in texts to be relative to the folder of a model file.

    A page is also read on other machines.
    """

    def __init__(self, file: str) -> None:
        given = os.path.dirname(file)
        pairs = [(given, "")]
        for directory in dict.fromkeys([os.path.abspath(given), os.path.realpath(given)]) if file else ():
            above, way = directory, ""
            while above != os.path.dirname(above):
                pairs.append((above, way))
                above, way = os.path.dirname(above), f"../{way}"
        self._ways = [
            (re.compile(_BEFORE + re.escape(path + os.sep)), short)
            for path, short in pairs
            if path not in ("", os.path.dirname(path))
        ]

    def __call__(self, text: str) -> str:
        """Make paths in a text relative to the folder of the model file."""
        for way, short in self._ways:
            text = way.sub(short, text)
        return text


def findings_data(
    findings: Iterable[Finding], robot: Robot, asker: Asker, shorter: Ways, sources: Sources
) -> list[dict[str, Any]]:
    """Findings as data of the page, with paths relative to the folder of the model file.

    Hints name settings in the words of the ``asker``.
    """
    owners = Owners(robot)
    return [
        {
            "code": finding.code,
            "severity": finding.severity,
            "effect": effect_of(finding),
            "message": shorter(finding.message),
            "hint": shorter(hint_text(finding.hint, asker)),
            "at": sources.add(finding.at),
            "link": owners.link(finding),
        }
        for finding in findings
    ]
