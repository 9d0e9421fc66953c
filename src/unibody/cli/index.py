"""Write a catalogue of the models in files, folders and patterns.

--html writes one page with pictures, search, filters and sorting, which needs no network. With --pages,
every robot also gets its own page. Chromium draws the pictures; they are cached, so the next catalogue
draws only new ones. --json, --csv and --parquet write the table.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from unibody.cli import collection
from unibody.cli.declaration import Option, add
from unibody.cli.options import check_csv, csv_option, read_options, reading_options
from unibody.cli.output import (
    UsageError,
    check_outputs,
    complain,
    emit,
    emit_data,
    jsonable,
    window,
    write_output,
)
from unibody.cli.pages import examination_of
from unibody.cli.progress import Progress
from unibody.cli.table import Column, table
from unibody.text.counted import counted

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.catalogue.entry import Entry
    from unibody.catalogue.store import PictureStore
    from unibody.files.access import Files
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot
    from unibody.page.findings import Examination

EXAMPLE = "unibody index robots/ --html catalogue.html"
CODES = """\
exit codes: 0 the catalogue was made, 1 with --fail-on: findings of this severity, or a file at which the
work failed, 2 wrong usage, or something named cannot be looked at, 130 interrupted
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    models = "model files, folders and patterns ('robots/**/*.urdf')"
    add(parser, Option("MODEL", models, keyword="models", many=True))
    add(
        parser.add_argument_group("catalogue"),
        Option("--html FILE", "write the catalogue as one page"),
        Option(
            "--pages",
            "with --html: write the page of each robot, too, into a folder beside the catalogue",
            needs="--html",
        ),
        Option("--no-pictures", "with --html: leave out the pictures", needs="--html"),
        Option("--json", "print the table with all findings as JSON"),
        csv_option("the table"),
        Option("--parquet FILE", "write the table as Parquet (needs pyarrow)"),
        Option("--overwrite", "overwrite existing files"),
    )
    add(parser, *reading_options())
    collection.add_collection(parser, fails="never")


def run(options: argparse.Namespace) -> int:
    """Make the catalogue; return the exit code."""
    from unibody.catalogue.table import csv_lines

    _check(options)
    found = collection.found_files(options.models)
    fails = _failed if options.fail_on is None else None
    with collection.done("index", found, entry_of, options, fails) as made:
        said = []
        if options.html:
            said.append(_write_page(list(made.records()), options))
        if options.parquet:
            write_output(options.parquet, _parquet(_entries(made.records())), options.overwrite)
            said.append(f"{options.parquet}: {counted(len(found) - made.left, 'row')}")
        if options.csv:
            content = "".join(f"{line}\n" for line in csv_lines(_entries(made.records())))
            write_output(options.csv, content.encode("utf-8", "replace"), options.overwrite)
            said.append(f"{options.csv}: {counted(len(found) - made.left, 'row')}")
        if options.json:
            from unibody.catalogue.table import json_data

            emit_data({"robots": [jsonable(json_data(entry)) for entry in _entries(made.records())]})
        elif options.csv == "":
            emit(csv_lines(_entries(made.records())))
        else:
            emit(said or _lines(_entries(made.records())))
    return made.code


def _check(options: argparse.Namespace) -> None:
    """UsageError for options that do not fit."""
    check_csv(options, "the table")
    read_options(options)  # report its usage errors before any work
    check_outputs([options.html, options.csv, options.parquet], options.overwrite)
    if options.parquet:
        _parquet([])  # report a missing package before any work


def _failed(record: FileRecord) -> bool:
    return bool(record.failure)


def entry_of(path: str, options: argparse.Namespace) -> FileRecord:
    """The facts and findings of one file; the data of its page waits for being drawn."""
    from unibody.batch.record import FileRecord, states
    from unibody.catalogue.entry import facts

    start = time.time_ns()
    reading, files = _read(path, options)
    examination = examination_of(reading, files)
    value: dict[str, Any] = {}
    if reading.robot is not None:
        value = facts(reading.robot, reading.format.title if reading.format else "")
        if options.html and (options.pages or options.pictures):
            value["page"] = _prepared(path, reading, files, examination, options)
    return FileRecord(
        path=path,
        value=value,
        findings=tuple(finding.json("command") for finding in examination.findings),
        reads=states({*reading.opened, *files.meter.opened, *files.meter.missed}, start),
    )


def _read(path: str, options: argparse.Namespace) -> tuple[Reading, Files]:
    from unibody.formats.loader import read_with

    how = read_options(options, shared=True)
    return read_with(path, options.source_format, how), how.files


def _prepared(
    path: str, reading: Reading, files: Files, examination: Examination, options: argparse.Namespace
) -> str:
    """Store what the page of a robot needs; the key of its picture, "" if it cannot be shown."""
    shown = _portrait(reading, files)
    data = _page_data(path, reading, files, shown, examination)
    if data is None:
        return ""
    store = _store()
    key = store.key(data)
    if options.pictures:
        store.wait(key, data)
    if options.pages:
        # most robots have no floors: their picture and their page have the same data
        whole = shown is reading.robot
        page = data if whole else _page_data(path, reading, files, reading.robot, examination)
        _write_robot_page(path, page or data, options)
    return key


def _portrait(reading: Reading, files: Files) -> Robot | None:
    """What the picture of a robot shows; None if it cannot be shown."""
    from unibody.mechanism import AssembleError
    from unibody.page.portrait import portrait

    try:
        return None if reading.robot is None else portrait(reading.robot, files)
    except AssembleError:
        return None


def _picture_data(path: str, reading: Reading, files: Files) -> bytes | None:
    return _page_data(path, reading, files, _portrait(reading, files))


def _page_data(
    path: str,
    reading: Reading,
    files: Files,
    robot: Robot | None,
    examination: Examination | None = None,
) -> bytes | None:
    """The data of the page of a robot that was read, or of its picture; None if it cannot be shown."""
    from unibody.mechanism import AssembleError
    from unibody.meshes import MeshCache
    from unibody.page.data import Origin, Shown, pages_data
    from unibody.text.finding import Findings

    if robot is None:
        return None
    title = reading.format.title if reading.format else ""
    origin = Origin(file=path, format=title, asker="command")
    shown = Shown(robot=robot, findings=reading.findings, origin=origin, examination=examination)
    try:
        return pages_data([shown], MeshCache(files, Findings())).bytes
    except AssembleError:
        return None


def _store() -> PictureStore:
    from unibody.catalogue.store import PictureStore
    from unibody.files.user_cache import cache_folder

    return PictureStore(cache_folder("pictures"))


def _pages_folder(html: str) -> str:
    """The folder beside a catalogue for the pages of its robots.

    >>> _pages_folder("out/catalogue.html")
    'out/catalogue_files'
    """
    return f"{os.path.splitext(html)[0]}_files"


def _page_name(path: str) -> str:
    """The file name of a robot's page: the name of its file, and a digest of its path.

    >>> _page_name("robots/my arm.urdf")
    'my-arm-601472c1.html'
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    word = re.sub("[^A-Za-z0-9_.]+", "-", stem).strip("-.")[:60] or "robot"
    return f"{word}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}.html"


def _write_robot_page(path: str, data: bytes, options: argparse.Namespace) -> None:
    from unibody.page.page import filled_page

    folder = _pages_folder(options.html)
    os.makedirs(folder, exist_ok=True)
    write_output(os.path.join(folder, _page_name(path)), filled_page(data), True)


def _entries(records: Iterable[FileRecord]) -> Iterator[Entry]:
    from unibody.catalogue.entry import Entry

    for record in records:
        failure = {"code": "check failed", "severity": "error", "message": record.failure}
        findings = [*([failure] if record.failure else []), *record.findings]
        yield Entry.of(record.path, record.value or {}, findings)


@dataclass
class _Drawn:
    """What became of the pictures: those drawn now, those that could not be, and why there are none."""

    drawn: int = 0
    failed: int = 0
    reason: str = ""


def _write_page(records: list[FileRecord], options: argparse.Namespace) -> str:
    """Write the page; return what to tell about it."""
    from unibody.catalogue.html import catalogue_page

    drawable = [(one.path, one.value["page"]) for one in records if one.value and one.value.get("page")]
    pages = dict(_pages(drawable, options)) if options.pages else {}
    pictures: dict[str, bytes] = {}
    drawn = _Drawn()
    if options.pictures:
        pictures, drawn = _pictures(drawable, options)
    content = catalogue_page(_entries(records), pictures, pages)
    write_output(options.html, content, options.overwrite)
    if drawn.reason:
        sys.stdout.flush()
        complain("unibody index", f"pictures are missing: {drawn.reason}")
    parts = [counted(len(records), "robot"), f"{counted(len(pictures), 'picture')} ({drawn.drawn} drawn)"]
    parts += [f"{drawn.failed} could not be drawn"] if drawn.failed else []
    parts += [f"{counted(len(pages), 'page')} in {_pages_folder(options.html)}"] if pages else []
    return f"{options.html}: {', '.join(parts)}, {len(content) / 1e6:.1f} MB"


def _pages(drawable: list[tuple[str, str]], options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The address of each robot's page by the path of the model; writes those that are missing."""
    folder = _pages_folder(options.html)
    for path, _ in drawable:
        name = _page_name(path)
        if not os.path.exists(os.path.join(folder, name)):
            reading, files = _read(path, options)
            examination = examination_of(reading, files)
            data = _page_data(path, reading, files, reading.robot, examination)
            if data is None:
                continue
            _write_robot_page(path, data, options)
        yield path, quote(f"{os.path.basename(folder)}/{name}")


def _pictures(
    drawable: list[tuple[str, str]], options: argparse.Namespace
) -> tuple[dict[str, bytes], _Drawn]:
    """The picture of each robot by the path of the model, from the store or drawn now."""
    from unibody.page.chromium import BrowserError, find
    from unibody.page.picture import NO_BROWSER
    from unibody.page.thumbnails import Thumbnails

    store, drawn, bar = _store(), _Drawn(), Progress()
    out = {path: picture for path, key in drawable if (picture := store.picture(key))}
    missing = [(path, key) for path, key in drawable if path not in out]
    if not missing or find() is None:
        drawn.reason = NO_BROWSER if missing else ""
        return out, drawn
    with Thumbnails() as thumbnails:
        for number, (path, key) in enumerate(missing):
            bar.show(f"{number}/{len(missing)} pictures", number / len(missing))
            # Another file with the same content may have been drawn by now.
            picture = store.picture(key)
            if picture is None:
                data = store.waiting(key) or _picture_data(path, *_read(path, options))
                try:
                    picture = thumbnails.draw(data) if data else None
                    drawn.drawn += picture is not None
                except BrowserError as error:
                    drawn.failed += 1
                    drawn.reason = drawn.reason or f"{path}: {error}"
            if picture is not None:
                store.keep(key, picture)
                out[path] = picture
        bar.end()
    return out, drawn


def _parquet(entries: Iterable[Entry]) -> bytes:
    from unibody.catalogue.table import TableError, write_parquet

    try:
        return write_parquet(entries)
    except TableError as error:
        raise UsageError(str(error), error.hint) from None


def _lines(entries: Iterable[Entry]) -> list[str]:
    """The table as text."""
    columns = [
        Column("name"),
        Column("format", drop=2),
        Column("links", "right", drop=3),
        Column("joints", "right", drop=3),
        Column("kg", "point", drop=3),
        Column("devices", "right", drop=4),
        Column("errors", "right"),
        Column("warnings", "right"),
        Column("path", cut=True),
    ]
    rows = [
        [
            entry.name,
            entry.format,
            *("" if value is None else f"{value}" for value in (entry.links, entry.joints)),
            "" if entry.mass is None else f"{entry.mass:.4g}",
            "" if entry.devices is None else f"{entry.devices}",
            *(f"{entry.count(severity)}" for severity in ("error", "warning")),
            entry.path,
        ]
        for entry in entries
    ]
    return [*table(columns, rows, window().width, indent=0), "", counted(len(rows), "robot")]
