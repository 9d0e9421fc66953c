"""List the file formats: their names, their suffixes, and whether they can be read and written.

With --limits, how much a load may take: the limits that --limit NAME=VALUE sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from unibody.cli.options import add_json
from unibody.cli.output import UsageError, emit, emit_data
from unibody.cli.table import Column, table
from unibody.formats import FORMATS, Entry
from unibody.schemas import FILES, schema_file
from unibody.text.near import near

EXAMPLE = "unibody formats"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("format", metavar="FORMAT", nargs="?", help="tell of this format only")
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the format's schema for editors: JSON Schema for body, XSD for urdf (docs/editor.md)",
    )
    parser.add_argument(
        "--closed",
        action="store_true",
        help="with --schema urdf: refuse elements that URDF does not name, too",
    )
    parser.add_argument("--limits", action="store_true", help="list the limits of a load instead")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the formats, or the schema of one; the exit code."""
    entries = [entry for entry in FORMATS if options.format in (None, entry.name)]
    if not entries:
        raise UsageError(_unknown(options.format, [entry.name for entry in FORMATS]))
    if options.limits:
        _limits(options)
    elif options.schema or options.closed:
        _schema(options)
    elif options.json:
        emit_data({"formats": [_row(entry) for entry in entries]})
    else:
        _table(entries)
    return 0


def _unknown(name: str, known: list[str]) -> str:
    alike = near(name, known)
    return f"there is no format '{name}'" + (f"; did you mean {alike}?" if alike else "")


def _row(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "title": entry.title,
        "suffixes": list(entry.suffixes),
        "reads": True,
        # A format that can be written has a function for it.
        "writes": entry.load().writing is not None,
    }


def _table(entries: Iterable[Entry]) -> None:
    columns = [Column(title) for title in ("name", "title", "suffixes", "reads", "writes")]
    words = {True: "yes", False: "no"}
    cells = [
        (entry.name, entry.title, " ".join(entry.suffixes), "yes", words[bool(_row(entry)["writes"])])
        for entry in entries
    ]
    emit(table(columns, cells, indent=0))


def _limits(options: argparse.Namespace) -> None:
    from unibody.text.limits import DEFAULT, LIMITS

    if options.format or options.schema or options.closed:
        raise UsageError("--limits: they are those of all formats")
    defaults = {name: getattr(DEFAULT, name) for name in LIMITS}
    if options.json:
        keys = ("unit", "code", "what")
        rows = [
            {"name": name, "default": defaults[name], **{k: entry[k] for k in keys}}
            for name, entry in LIMITS.items()
        ]
        emit_data({"limits": rows})
        return
    columns = [Column("name"), Column("default", "right"), Column("unit"), Column("finding")]
    cells = [(name, f"{defaults[name]:.15g}", e["unit"], e["code"]) for name, e in LIMITS.items()]
    emit(table(columns, cells, indent=0))


def _schema(options: argparse.Namespace) -> None:
    if not options.schema:
        raise UsageError("--closed goes with --schema")
    open_ones = [name for name in FILES if f"{name}-closed" in FILES]
    name = f"{options.format}-closed" if options.closed else str(options.format)
    if options.closed and options.format not in open_ones:
        raise UsageError(f"--closed: only {', '.join(open_ones)} has a closed schema")
    if name not in FILES:
        known = [name for name in FILES if not name.endswith("-closed")]
        raise UsageError(f"--schema: name a format that has one: {' or '.join(known)}")
    file = schema_file(name)
    text = file.read_text("utf-8")
    if options.json:
        emit_data({"schema": name, "file": str(file), "text": text})
    else:
        emit(text.splitlines())
