"""List the file formats: their names, their suffixes, and whether they can be read and written."""

from __future__ import annotations

import argparse

from unibody.cli.options import add_json
from unibody.cli.output import emit, emit_data
from unibody.cli.table import Column, table
from unibody.formats import FORMATS

EXAMPLE = "unibody formats"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the formats; the exit code."""
    rows = [
        {
            "name": entry.name,
            "title": entry.title,
            "suffixes": list(entry.suffixes),
            "reads": True,
            # A format that can be written has a function for it.
            "writes": entry.load().writing is not None,
        }
        for entry in FORMATS
    ]
    if options.json:
        emit_data({"formats": rows})
        return 0
    columns = [Column(title) for title in ("name", "title", "suffixes", "reads", "writes")]
    words = {True: "yes", False: "no"}
    cells = [
        (
            str(row["name"]),
            str(row["title"]),
            " ".join(map(str, row["suffixes"])) if isinstance(row["suffixes"], list) else "",
            words[bool(row["reads"])],
            words[bool(row["writes"])],
        )
        for row in rows
    ]
    emit(table(columns, cells, indent=0))
    return 0
