"""A model file into another format: read, written, and the two losses in one report."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from unibody.conversion.asset_paths import files_of
from unibody.conversion.output import SaveError, check, put
from unibody.conversion.report import Report
from unibody.conversion.save import DEFAULT, Options, plan
from unibody.document.unread import Unread, in_words, unread
from unibody.files.access import Files
from unibody.formats.format import Format
from unibody.formats.loader import LoadError, Reading, read_watched
from unibody.model.device import Opaque
from unibody.model.robot import Robot
from unibody.model.shape import said as shape_said
from unibody.text.finding import Finding, ordered
from unibody.text.limits import DEFAULT as USUAL
from unibody.text.limits import ReadLimits
from unibody.text.node import Item, Node, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How a model file is read: see ``read``."""

    format: str | Format | None = None
    packages: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)
    allow: Sequence[str] = ()
    limits: ReadLimits = USUAL


AS_IS = Source()


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    options: Options = DEFAULT,
    reading: Source = AS_IS,
    *,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Literal["copy", "keep"] = "copy",
    package: str = "",
    dry_run: bool = False,
) -> Report:
    """Write a model file in the format of ``target``; LoadError or SaveError when that cannot be.

    The report says what reading left out, with its place in the file, and what the target cannot hold.
    By keyword, the fields of ``Options``: ``format`` is a name or a Format, else the suffix of ``target``
    decides; ``overwrite`` replaces files that are there; ``plain`` leaves out what the format cannot say;
    ``meshes`` is "copy" (mesh files go beside the model) or "keep"; with ``package`` their names begin
    with package://NAME/; ``dry_run`` measures all and writes nothing.

    >>> convert("nowhere.urdf", "nowhere.body")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    LoadError: nowhere.urdf cannot be loaded
    """
    options = replace(
        options,
        format=format or options.format,
        overwrite=overwrite or options.overwrite,
        plain=plain or options.plain,
        meshes=meshes if meshes != "copy" else options.meshes,
        package=package or options.package,
        dry_run=dry_run or options.dry_run,
    )
    found = read_source(os.fspath(source), reading)
    assert found.robot is not None
    return converted(found, found.robot, os.fspath(target), options)


def read_source(path: str, how: Source) -> Reading:
    """A reading that has a robot and knows what was looked at; LoadError without one."""
    files = Files(packages=dict(how.packages), allow=how.allow, limits=how.limits)
    reading = read_watched(path, files, how.format, dict(how.arguments))
    if not reading.ok:
        raise LoadError(path, reading.findings)
    return reading


def converted(reading: Reading, robot: Robot, target: str, options: Options) -> Report:
    """Write a robot that was read, and perhaps changed, with its reading loss in the report."""
    _check_other(reading, target)
    planned = plan(robot, target, options)
    name = reading.source.name if reading.source is not None else robot.name
    if options.dry_run:
        check(planned, options.overwrite)
    else:
        planned = put(planned, lambda folder: plan(robot, target, options, folder), options.overwrite)
    # what was read otherwise than it stands there is part of what became of it
    noted = ordered([*reading.findings, *_late(robot)], reading.source)
    said = tuple(f for f in noted if f.severity != "info")
    return replace(
        planned.report,
        source=name,
        reading=reading_loss(reading),
        findings=(*said, *planned.report.findings),
        written=not options.dry_run,
    )


def _late(robot: Robot) -> Iterator[Finding]:
    """What was found in the numbers of shapes, which are read when they are looked at."""
    told: set[int] = set()
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *(link.collisions_alt or ())):
            found = shape_said(shape.geometry)
            if found and id(found) not in told:
                told.add(id(found))
                yield from found


def _check_other(reading: Reading, target: str) -> None:
    """SaveError for an output that is one of the files that were read: comments would be lost with it."""
    links = reading.robot.links if reading.robot is not None else ()
    shapes = (s for x in links for s in (*x.visuals, *x.collisions, *x.collisions_alt))
    named = (f.path for shape in shapes for f in files_of(shape) if f.path)
    read = set(map(os.path.realpath, (*reading.opened, *named)))
    if os.path.realpath(target) in read:
        what = f"{target} is a file that the model is read from"
        hint = "write to another name; 'unibody fmt' rewrites a file in its own format"
        raise SaveError([Finding("output-exists", "error", what, hint=hint)])


def reading_loss(reading: Reading) -> tuple[Unread, ...]:
    """What stands in the files and reached the robot in no way, not even as a leftover."""
    if reading.robot is None:
        return ()
    kept = _Kept(reading.robot)
    return tuple(u for document in reading.documents for u in unread(document) if not kept.has(u))


class _Kept:
    """What a robot keeps as it was written: leftovers, and the data of unknown devices."""

    def __init__(self, robot: Robot) -> None:
        self.words: Counter[tuple[str, str]] = Counter()
        self.spans: list[tuple[str, int, int]] = []
        for item in _kept_items(robot):
            self.words[item[0], in_words(item[1])] += 1
            self.spans += _inner(item[1])

    def has(self, u: Unread) -> bool:
        """Whether a field or item is among what is kept."""
        if self.words[u.key, u.text] > 0:
            self.words[u.key, u.text] -= 1
            return True
        if u.at is None:
            return False
        name, at = u.at.source.name, u.at.start
        return any(name == source and start <= at < end for source, start, end in self.spans)


def _kept_items(robot: Robot) -> Iterator[Item]:
    for extra in robot.extras:
        yield from extra.node.items
    for device in robot.devices:
        if isinstance(device.spec, Opaque):
            yield from device.spec.data.items


def _inner(value: Value) -> list[tuple[str, int, int]]:
    """Where a kept element stands, so that all inside of it is known to be kept."""
    if isinstance(value, Node) and value.source is not None and value.start >= 0:
        return [(value.source.name, value.start, value.end)]
    return []
