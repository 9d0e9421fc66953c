"""Catalogues as tables: JSON, CSV and Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from unibody.catalogue.entry import Entry
from unibody.text.installation import package_command

#: The columns of a table.
COLUMNS = ("path", "name", "format", "links", "joints", "mass", "devices", "errors", "warnings", "notes")
# Types of Parquet; the others are numbers of things.
_TYPES = {"path": "string", "name": "string", "format": "string", "mass": "float64"}


class TableError(Exception):
    """A table that cannot be written, and what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def row(entry: Entry) -> dict[str, Any]:
    """The values of an entry by column."""
    counts = {
        "errors": entry.count("error"),
        "warnings": entry.count("warning"),
        "notes": entry.count("info"),
    }
    return {name: counts[name] if name in counts else getattr(entry, name) for name in COLUMNS}


def json_data(entry: Entry) -> dict[str, Any]:
    """The row of an entry with its findings, as plain data."""
    return {**row(entry), "findings": [dict(finding) for finding in entry.findings]}


def csv_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of a CSV table with a header (RFC 4180); fields are empty where there is no value."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow(row(entry).values())
        yield from _taken(buffer)
    yield from _taken(buffer)


def _taken(buffer: io.StringIO) -> Iterator[str]:
    yield from buffer.getvalue().splitlines()
    buffer.seek(0)
    buffer.truncate()


def write_parquet(entries: Iterable[Entry]) -> bytes:
    """A Parquet file of the table; TableError without pyarrow."""
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise TableError("Parquet needs pyarrow", package_command("pyarrow")) from None
    rows = [row(entry) for entry in entries]
    schema = arrow.schema([(name, getattr(arrow, _TYPES.get(name, "int64"))()) for name in COLUMNS])
    columns = {name: [_text(one[name]) for one in rows] for name in COLUMNS}
    sink = io.BytesIO()
    parquet.write_table(arrow.table(columns, schema=schema), sink)
    return sink.getvalue()


def _text(value: Any) -> Any:
    """A value without lone surrogates, which Parquet cannot hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
