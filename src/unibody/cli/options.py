"""Options shared by the commands, and reading the model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from unibody.cli.output import UsageError, report

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.text.limits import ReadLimits


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the model file and the options of reading it."""
    parser.add_argument("model", metavar="MODEL", help="the model file")
    add_reading(parser)
    add_findings(parser)
    add_json(parser)


def add_findings(parser: argparse.ArgumentParser) -> None:
    """Add --all-findings."""
    parser.add_argument("--all-findings", action="store_true", help="show all findings, notes included")


def add_reading(parser: argparse.ArgumentParser, models: int = 1) -> None:
    """Add the options of reading models; two ``models`` each have a format (:func:`formats_in`)."""
    what = "read the file in this format instead of detecting it (see unibody formats)"
    if models > 1:
        what += "; a second -f is the format of the second model"
    parser.add_argument(
        "-f",
        "--format-in",
        metavar="FORMAT",
        action="append" if models > 1 else "store",
        help=what,
    )
    add_reach(parser)
    parser.add_argument(
        "--arg",
        metavar="NAME=VALUE",
        action="append",
        type=pair,
        default=[],
        help="set a xacro argument, or scale=0.001 for an MPK robot in millimeters; repeatable",
    )


def add_reach(parser: argparse.ArgumentParser) -> None:
    """Add the options of file access and resource limits (see :func:`reach`)."""
    parser.add_argument(
        "--package",
        metavar="NAME=DIR",
        action="append",
        type=pair,
        default=[],
        help="folder of package://NAME/; repeatable",
    )
    parser.add_argument(
        "--allow",
        metavar="DIR",
        action="append",
        default=[],
        help="allow the model to refer to files in DIR; repeatable",
    )
    parser.add_argument(
        "--limit",
        metavar="NAME=VALUE",
        action="append",
        type=_limit,
        default=[],
        help="override a resource limit, e.g. nodes=1e7 or nodes=inf (see unibody formats --limits); "
        "repeatable",
    )


class Reach(TypedDict):
    """File access and resource limits: keywords of ``read`` and ``Files``."""

    packages: Mapping[str, str]
    allow: Sequence[str]
    limits: ReadLimits


def reach(options: argparse.Namespace) -> Reach:
    """The options of :func:`add_reach`; UsageError for a folder that does not exist."""
    from unibody.text.limits import ReadLimits

    folders = [(f"--package {name}={path}", path) for name, path in options.package]
    for option, path in [*folders, *((f"--allow {path}", path) for path in options.allow)]:
        if not os.path.isdir(path):
            raise UsageError(f"{option}: no such folder")

    return Reach(
        packages=dict(options.package),
        allow=tuple(options.allow),
        limits=ReadLimits.of(options.limit),
    )


def _limit(text: str) -> str:
    from unibody.text.limits import ReadLimits

    try:
        ReadLimits.of([text])
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None
    return text


def pair(text: str) -> tuple[str, str]:
    """Split NAME=VALUE.

    >>> pair("hand=left=1")
    ('hand', 'left=1')
    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got '{text}'")
    return name, value


def formats_in(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """The formats of two models; UsageError for more."""
    given: list[str] = options.format_in or []
    if len(given) > 2:
        raise UsageError("-f can be given at most twice: once for each model")
    return given[0] if given else None, given[1] if len(given) > 1 else None


def join_arguments(readings: Sequence[Reading]) -> None:
    """Remove the warnings about arguments that another one of the models declares."""
    unknown = [{f.subject for f in r.findings if f.code == "argument-unknown"} for r in readings]
    undeclared = set[str]().union(*unknown).intersection(*unknown)
    for r in readings:
        r.findings[:] = [f for f in r.findings if f.code != "argument-unknown" or f.subject in undeclared]


def read_model(options: argparse.Namespace) -> Reading:
    """Read the model with the options of the command line."""
    from unibody.formats.loader import read

    return read(options.model, options.format_in, arguments=dict(options.arg), **reach(options))


def finish(reading: Reading, options: argparse.Namespace, found: bool = True) -> int:
    """Report the findings and return the exit code; ``found`` tells whether anything was printed."""
    report(reading.findings, options.all_findings)
    if not found:
        return 2
    return int(any(f.severity == "error" for f in reading.findings))
