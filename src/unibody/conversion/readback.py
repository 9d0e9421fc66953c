"""Reads models back from an output in memory, and from the disk before they are replaced."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from unibody.conversion.asset_paths import file_paths, with_companions
from unibody.conversion.destination import Destination
from unibody.conversion.output import Output, SaveError, present_assets
from unibody.conversion.reading_loss import reading_loss
from unibody.document.unread import Unread
from unibody.files.access import Files
from unibody.files.uris import place_of
from unibody.formats.loader import Reading, read, read_with
from unibody.formats.read_options import ReadOptions
from unibody.model.robot import Robot
from unibody.text.finding import Finding

# The codes of findings about files that are not found, or not opened.
_UNFOUND = frozenset(("file-missing", "file-special", "outside-model", "uri-ambiguous", "uri-not-opened"))


def read_output(output: Output, destination: Destination, *, plain: bool = False) -> Robot:
    """The robot that an output describes, without its side-car if ``plain``; SaveError if it has errors."""
    robot = output_reading(output, destination, plain=plain).robot
    assert robot is not None
    return robot


def output_reading(output: Output, destination: Destination, *, plain: bool = False) -> Reading:
    """The reading of an output, as programs read it that have its folder only; SaveError as above."""
    reading = _read(output, destination, plain=plain)
    if reading.robot is None or not reading.ok:
        errors = [f for f in reading.findings if f.severity == "error"]
        what = f"cannot write {output.path}: reading it back gives errors"
        raise SaveError([Finding("not-writable", "error", what), *errors])
    return reading


def dead_references(reading: Reading) -> frozenset[str]:
    """The files to which a model refers and that are not found, by their places; a package is one."""
    folder = os.path.dirname(reading.source.name) if reading.source is not None else ""
    return frozenset(place_of(f.subject, folder) for f in reading.findings if f.code in _UNFOUND)


def _read(output: Output, destination: Destination, *, plain: bool = False, watch: bool = False) -> Reading:
    return read_with(
        output.path,
        destination.format,
        ReadOptions(files=output.files(destination.files.allow)),
        plain=plain,
        watch=watch,
        # where no other file completes the model, one that is there already is not part of this output
        alone=not output.beside,
        completed=destination.over,
    )


def without_kept(ignored: Iterable[Unread], output: Output, destination: Destination) -> tuple[Unread, ...]:
    """The content that reading ignored, without what the output still has in the text of the source."""
    ignored = tuple(ignored)
    if not ignored:
        return ()
    kept = Counter((u.key, u.text) for u in reading_loss(_read(output, destination, watch=True)))
    out = []
    for u in ignored:
        if kept[u.key, u.text] > 0:
            kept[u.key, u.text] -= 1
        else:
            out.append(u)
    return tuple(out)


def obsolete_assets(output: Output, used: Iterable[str]) -> list[str]:
    """Assets of the model file on the disk that the output will not refer to, except ``used`` files.

    Files that the model on the disk does not refer to are not listed: they are not its own.
    """
    present = set(present_assets(output.path)) - set(output.assets.paths)
    if not present or not os.path.isfile(output.path):
        return []
    files = Files()
    kept = set(with_companions(used, files))
    reading = read(output.path)
    referenced = set(reading.opened)
    if reading.robot is not None:
        referenced |= file_paths(reading.robot)
    own = set(with_companions(referenced, files)) - kept
    return sorted(p for p in present if os.path.realpath(p) in own)
