"""List the robots of the package robot_descriptions, with their formats and whether they are downloaded.

All commands accept these names in place of a file, unless the current folder has a file of that name. Only
--fetch uses the network.
"""

from __future__ import annotations

import argparse

from unibody.cli.declaration import Option, add
from unibody.cli.options import JSON
from unibody.cli.output import UsageError, emit, emit_data, window
from unibody.cli.table import Column, table
from unibody.formats.descriptions import (
    Description,
    DescriptionError,
    cache_folder,
    descriptions,
    fetch,
)

EXAMPLE = "unibody robots panda --json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("[WORD]", "list only robots whose name contains WORD"),
        Option("--cached", "list only robots that are downloaded"),
        Option("--fetch NAME", "download a robot with git, and print its file"),
        JSON,
    )


def run(options: argparse.Namespace) -> int:
    """Print the robots, or download one; return the exit code."""
    try:
        if options.fetch is not None:
            if options.word or options.cached:
                raise UsageError("--fetch cannot be combined with WORD or --cached")
            _fetch(options)
        else:
            _list(options)
    except DescriptionError as error:
        raise UsageError(str(error), error.hint) from None
    return 0


def _fetch(options: argparse.Namespace) -> None:
    found = fetch(options.fetch)
    if options.json:
        emit_data({"name": options.fetch, "path": found.path})
    else:
        emit([found.path])


def _list(options: argparse.Namespace) -> None:
    word = (options.word or "").lower()
    chosen = [x for x in descriptions() if word in x.name.lower() or word in x.robot.lower()]
    chosen = [x for x in chosen if x.cached or not options.cached]
    if options.json:
        emit_data({"cache": cache_folder(), "robots": [_row(x) for x in chosen]})
        return
    columns = [Column("name"), Column("robot", drop=1), Column("maker", drop=2), Column("formats")]
    columns.append(Column("cached"))
    cells = [(x.name, x.robot, x.maker, " ".join(x.formats), "yes" if x.cached else "no") for x in chosen]
    count = sum(x.cached for x in chosen)
    emit(table(columns, cells, limit=window().width, indent=0) if cells else [])
    emit([f"{len(chosen)} robots, {count} in {cache_folder()}"])


def _row(x: Description) -> dict[str, object]:
    return {
        "name": x.name,
        "robot": x.robot,
        "maker": x.maker,
        "formats": list(x.formats),
        "cached": x.cached,
    }
