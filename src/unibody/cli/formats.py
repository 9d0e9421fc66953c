"""List the file formats with their suffixes, and whether they can be read and written.

With --limits, list the resource limits of a load, which --limit NAME=VALUE overrides.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from unibody.cli.declaration import Option, add
from unibody.cli.options import JSON
from unibody.cli.output import UsageError, emit, emit_data
from unibody.cli.table import Column, table
from unibody.formats import FORMATS, Format
from unibody.schemas import schema_file
from unibody.text.near import suggestion

EXAMPLE = "unibody formats"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("[FORMAT]", "list only this format"),
        Option(
            "--schema",
            "print the format's schema for editors, a JSON Schema or XML Schema (docs/editor.md)",
        ),
        Option(
            "--closed",
            "with --schema: print the schema that also rejects undeclared elements",
            needs="--schema",
        ),
        Option("--limits", "list the resource limits instead"),
        JSON,
    )


def run(options: argparse.Namespace) -> int:
    """Print the formats, or the schema of one; return the exit code."""
    formats = [format for format in FORMATS if options.format in (None, format.name)]
    if not formats:
        raise UsageError(_unknown(options.format, [format.name for format in FORMATS]))
    if options.limits:
        _limits(options)
    elif options.schema or options.closed:
        _schema(options)
    elif options.json:
        emit_data({"formats": [_row(format) for format in formats]})
    else:
        _table(formats)
    return 0


def _unknown(name: str, known: list[str]) -> str:
    return f"unknown format '{name}'{suggestion(name, known)}"


def _row(format: Format) -> dict[str, object]:
    return {
        "name": format.name,
        "title": format.title,
        "suffixes": list(format.suffixes),
        "reads": True,
        "writes": format.writer is not None,
    }


def _table(formats: Iterable[Format]) -> None:
    columns = [Column(title) for title in ("name", "title", "suffixes", "reads", "writes")]
    cells = [(f.name, f.title, " ".join(f.suffixes), "yes", "yes" if f.writer else "no") for f in formats]
    emit(table(columns, cells, indent=0))


def _limits(options: argparse.Namespace) -> None:
    from unibody.text.limits import DEFAULT, LIMITS

    if options.format or options.schema or options.closed:
        raise UsageError("--limits cannot be combined with a format or a schema")
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
    schemas = {format.name: format.schema for format in FORMATS if format.schema is not None}
    schema = schemas.get(options.format)
    if options.closed and (schema is None or not schema.closed):
        closed = [name for name, one in schemas.items() if one.closed]
        raise UsageError(f"--closed: only {', '.join(closed)} has a closed schema")
    if schema is None:
        raise UsageError(f"--schema requires a format with a schema: {' or '.join(schemas)}")
    file = schema_file(schema.closed if options.closed else schema.file)
    text = file.read_text("utf-8")
    if options.json:
        name = f"{options.format}-closed" if options.closed else options.format
        emit_data({"schema": name, "file": str(file), "text": text})
    else:
        emit(text.splitlines())
