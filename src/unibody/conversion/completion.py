"""The files that complete a model: an SRDF beside a URDF says what the URDF cannot."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from unibody.conversion.destination import Destination
from unibody.conversion.layout import Origin, origin_of, same_file
from unibody.files.access import Files
from unibody.formats import FORMATS
from unibody.formats.format import Format
from unibody.formats.loader import Reading, read_with
from unibody.model.robot import Robot
from unibody.text.node import Node


@dataclass(frozen=True, slots=True)
class Part:
    """A file that completes a model: the part of the robot that it is about, and where it is written."""

    robot: Robot
    destination: Destination
    origin: Origin | str | None

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.destination.path


def subject_of(robot: Robot, destination: Destination) -> tuple[Robot, Destination]:
    """What a file at a destination is about: the robot, or what a completing file says of it."""
    completion = destination.writer.completion
    if completion is None:
        return robot, destination
    part = completion.about(robot)
    return part, replace(destination, over=completion.without(part))


def completions(
    robot: Robot, destination: Destination, reading: Reading | None, overwrite: bool
) -> Iterator[Part]:
    """The files that complete a model at the destination; each is written by a conversion of its own.

    A robot of which the model's own format says everything has none. One that the robot was read from is
    replaced anyway, since it says something else now.
    """
    for format in FORMATS:
        if format.completes != destination.format.name or format.writer is None:
            continue
        if destination.options.get(format.name) == "":  # the caller wants none
            continue
        path = completion_path(destination, format)
        known = completion_in(reading, format) if reading is not None else ""
        if reading is None and overwrite and _is_own(robot, destination, format, path):
            known = path
        writer = format.writer()
        completion = writer.completion
        assert completion is not None
        if not completion.says(destination.writer.unsaid(robot)) and not (known and same_file(known, path)):
            continue
        named = robot if robot.name else replace(robot, name=_stem(destination))
        part, inner = subject_of(named, Destination(path=path, format=format, writer=writer, files=Files()))
        origin = None
        if known:
            origin = origin_of_completion(known, _as_read(robot, destination, reading), inner)
        yield Part(part, inner, origin)


def with_completions(destination: Destination, texts: Mapping[str, bytes]) -> Destination:
    """The destination with the files that complete the model there, and with what they cannot say."""
    if not texts:
        return destination
    rows = destination.writer.cannot
    for format in FORMATS:
        if format.completes == destination.format.name and completion_path(destination, format) in texts:
            assert format.writer is not None
            # the extras of a robot are mostly not of this format
            rows = (*(row for row in format.writer().cannot if not row.path.startswith("extras")), *rows)
    return replace(destination, beside=texts, writer=replace(destination.writer, cannot=rows))


def completion_path(destination: Destination, format: Format) -> str:
    """Where the file that completes a model is: beside it, with the same stem."""
    folder = os.path.dirname(destination.path)
    return os.path.join(folder, _stem(destination) + format.suffixes[0])


def _stem(destination: Destination) -> str:
    name = os.path.basename(destination.path)
    found = (s for s in destination.format.suffixes if name.lower().endswith(s) and len(name) > len(s))
    return name[: -len(next(found, os.path.splitext(name)[1])) or None]


def origin_of_completion(path: str, robot: Robot, destination: Destination) -> Origin | str | None:
    """The file at ``path``, which says something about a ``robot`` as it was read.

    The reason if its layout cannot be kept.
    """
    completion = destination.writer.completion
    assert completion is not None
    part = completion.without(completion.about(robot))
    reading = read_with(path, destination.format, completed=part)
    return origin_of(reading, destination.format) if reading.ok else None


def _as_read(robot: Robot, destination: Destination, reading: Reading | None) -> Robot:
    """The robot as it was read: that of the reading, else of the model that is replaced."""
    if reading is None and os.path.isfile(destination.path):
        reading = read_with(destination.path, destination.format, alone=True)
    return robot if reading is None or reading.robot is None else reading.robot


def completion_in(reading: Reading, format: Format) -> str:
    """The path of the file of a ``format`` that completes the model of a reading, "" if there is none."""
    root = format.declarations().root
    sources = (x.node.source for x in reading.documents if isinstance(x, root) and x.node is not None)
    return next((source.name for source in sources if source is not None), "")


def _is_own(robot: Robot, destination: Destination, format: Format, path: str) -> bool:
    """Whether a robot was read from the model that is replaced, and from the file at ``path``.

    Rules of collision other than those of a model alone are from there.
    """
    if completion_at(robot, format, path):
        return True
    is_replaced = any(x.at and same_file(x.at.source.name, destination.path) for x in robot.links)
    return is_replaced and robot.self_collision.default != "not_adjacent" and os.path.isfile(path)


def completion_at(robot: Robot, format: Format, path: str) -> bool:
    """Whether a robot was read from the file at ``path``, whose ``format`` completes another one."""
    spans = (*(x.at for x in robot.groups), *(x.at for x in robot.configurations))
    places = {span.source.name for span in spans if span is not None}
    values = (value for x in robot.extras if x.format == format.name for _, value, _ in x.node.items)
    places |= {x.source.name for x in values if isinstance(x, Node) and x.source}
    return os.path.isfile(path) and any(same_file(name, path) for name in places)
