"""The options that all verbs share, and reading the model that they speak of."""

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
    """Add the model's file and the options that say how it is read."""
    parser.add_argument("model", metavar="MODEL", help="the model file")
    parser.add_argument(
        "-f",
        "--format-in",
        metavar="FORMAT",
        help="read it as this format (unibody formats lists them), whatever its name and content say",
    )
    add_reach(parser)
    add_arguments(parser)
    parser.add_argument(
        "--all-findings", action="store_true", help="show every finding, those for information too"
    )
    add_json(parser)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add --arg, what a model's text asks for."""
    parser.add_argument(
        "--arg",
        metavar="NAME=VALUE",
        action="append",
        type=pair,
        default=[],
        help="the value of a xacro argument, or scale=0.001 for an MPK robot in millimetres; "
        "may be given several times",
    )


def add_reach(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what may be read, and how much of it (see :func:`reach`)."""
    parser.add_argument(
        "--package",
        metavar="NAME=DIR",
        action="append",
        type=pair,
        default=[],
        help="where package://NAME/ is; may be given several times",
    )
    parser.add_argument(
        "--allow",
        metavar="DIR",
        action="append",
        default=[],
        help="a further folder that the model may name files in; may be given several times",
    )
    parser.add_argument(
        "--limit",
        metavar="NAME=VALUE",
        action="append",
        type=_limit,
        default=[],
        help="read up to another limit, e.g. nodes=1e7; inf is none (unibody formats --limits lists them)",
    )


class Reach(TypedDict):
    """What may be read, and how much: keywords of ``read`` and of ``Files``."""

    packages: Mapping[str, str]
    allow: Sequence[str]
    limits: ReadLimits


def reach(options: argparse.Namespace) -> Reach:
    """What :func:`add_reach` was given; UsageError for a folder that is not there."""
    from unibody.text.limits import ReadLimits

    folders = [(f"--package {name}={path}", path) for name, path in options.package]
    for option, path in [*folders, *((f"--allow {path}", path) for path in options.allow)]:
        if not os.path.isdir(path):
            raise UsageError(f"{option}: there is no such folder")

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
    """NAME=VALUE as two texts.

    >>> pair("hand=left=1")
    ('hand', 'left=1')
    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not of the form NAME=VALUE")
    return name, value


def read_model(options: argparse.Namespace) -> Reading:
    """Read the model as the options say."""
    from unibody.formats.loader import read

    return read(options.model, options.format_in, arguments=dict(options.arg), **reach(options))


def finish(reading: Reading, options: argparse.Namespace, found: bool = True) -> int:
    """Report the findings; the exit code. ``found`` says whether there was anything to print."""
    report(reading.findings, options.all_findings)
    if not found:
        return 2
    return int(any(f.severity == "error" for f in reading.findings))
