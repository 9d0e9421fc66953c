"""Options shared by the commands, and reading the model."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from unibody.cli.command_line import NotAValueError
from unibody.cli.declaration import Option
from unibody.cli.output import UsageError, emit_failure, report
from unibody.text.finding import failing

if TYPE_CHECKING:
    from unibody.files.access import Files
    from unibody.formats.format import ReadOption
    from unibody.formats.loader import Reading
    from unibody.formats.read_options import ReadOptions


#: Findings about options that apply to any of several models.
SHARED = ("argument-unknown", "mesh-setting-unused", "option-unsupported")


JSON = Option("--json", "print JSON")
FINDINGS = Option("--all-findings", "show each finding by itself, notes included")
MODEL = Option("MODEL", "the model file, or - for standard input")
#: Of verbs that take several models; :func:`unibody.cli.collection.is_many`.
MODELS = Option(
    "MODEL",
    "a model file, - for standard input, or several files, folders and patterns ('robots/*.urdf')",
    keyword="models",
    many=True,
)
OVERWRITE = Option("--overwrite", "overwrite existing files")


def settings() -> tuple[Option, ...]:
    """How a model is read, and what is printed of it."""
    return (*reading_options(), FINDINGS, JSON)


def reading_options(models: int = 1, only_text: bool = False) -> tuple[Option, ...]:
    """How models are read; two ``models`` each have a format, and files of their own (:func:`sides`).

    ``only_text``: without the options that change the robot or add to it.
    """
    what = "read the file in this format instead of detecting it (see unibody formats)"
    if models > 1:
        what += "; a second -f is the format of the second model"
    source = Option("-f, --from FORMAT", what, keyword="source_format", many=models > 1)
    declared = (o for o in _declared() if not only_text or o.form in ("mapping", "list", "limits"))
    return (source, *(_reading_option(o, models) for o in declared))


def _declared() -> tuple[ReadOption, ...]:
    """The options of reading, of all formats and of some."""
    from unibody.formats.options import READ_OPTIONS, declared_options

    return (*READ_OPTIONS, *declared_options().values())


def _reading_option(option: ReadOption, models: int) -> Option:
    value = f"{{{','.join(option.choices)}}}" if option.choices else option.metavar
    parse = _PARSERS.get(option.form)
    each = models > 1 and option.form == "path"
    return Option(
        f"{option.option} {value}",
        option.help + (f"; a second {option.option} is that of the second model" if each else ""),
        parse or str,
        keyword=option.name,
        many=each or parse is not None,
    )


def _scale(text: str) -> tuple[str, float]:
    """Split [NAME=]FACTOR.

    >>> _scale("0.001"), _scale("hand.stl=2")
    (('*', 0.001), ('hand.stl', 2.0))
    """
    name, _, value = text.rpartition("=")
    from unibody.text.number import parse_float

    factor = parse_float(value)
    if factor is None or not 0.0 < factor < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a positive number, such as 0.001, got '{value}'")
    return name or "*", factor


def _up_axis(text: str) -> tuple[str, str]:
    """Split [NAME=]AXIS.

    >>> _up_axis("y"), _up_axis("hand.dae=choreonoid-Y")
    (('*', 'Y'), ('hand.dae', 'choreonoid-Y'))
    """
    from unibody.model.up_axis import UpAxis

    name, _, value = text.rpartition("=")
    known = {axis.lower(): axis for axis in get_args(UpAxis)}
    if value.lower() not in known:
        raise argparse.ArgumentTypeError(f"expected {', '.join(known.values())}, got '{value}'")
    return name or "*", known[value.lower()]


def csv_option(what: str) -> Option:
    """--csv: "" to print the table, or the file to write it to."""
    text = f"print {what} as CSV, or write it to FILE (.csv)"
    return Option("--csv [FILE]", text, _named(".csv"), bare="")


def check_csv(options: argparse.Namespace, what: str) -> None:
    """UsageError if a table is printed as CSV and as JSON."""
    if options.csv == "" and options.json:
        raise UsageError(f"--csv and --json cannot be combined; --csv FILE writes {what} to a file")


def _named(suffix: str) -> Callable[[str], str]:
    """What parses the name of a file with this suffix.

    >>> _named(".csv")("points.csv")
    'points.csv'
    """

    def parse(text: str) -> str:
        if text and not text.lower().endswith(suffix):
            raise NotAValueError(f"expected a file name that ends with {suffix}, got '{text}'")
        return text

    return parse


RECORD = Option("--record RUN.npz", "write the run to a file, which unibody view plays", _named(".npz"))

#: The hint of an error about mesh files that cannot be read.
SKIP_MISSING = "--missing skip leaves such shapes out, --shapes visual tests the visual ones"

TESTED_SHAPES = Option(
    "--shapes {collision,secondary,visual}",
    "the shapes of links that are tested (default: collision); secondary: model1 of MPK, visual: those "
    "that are drawn, where a link has them",
    default="collision",
)


MISSING = Option(
    "--missing {refuse,skip}",
    "refuse a model with mesh files that cannot be read (default), or skip their shapes",
    default="refuse",
)


def pairs_option(default: str) -> Option:
    """Which pairs of links are tested."""
    return Option(
        "--pairs {file,all,none,matrix}",
        "pairs of links to test: those of the file, all, none, or matrix: those that are not "
        f"certified never to collide, which takes seconds (default: {default})",
        default=default,
    )


def read_options(
    options: argparse.Namespace, files: Files | None = None, shared: bool = False
) -> ReadOptions:
    """How models are read with the options of the command line; UsageError for a missing folder.

    ``shared``: the options are for several models.
    """
    from unibody.formats.read_options import ReadOptions

    keywords: Any = {"files": files}
    for option in _declared():
        flag = option.option
        value = getattr(options, option.name, None)
        if value in (None, []):
            continue
        match option.form:
            case "list":
                _check_folders((f"{flag} {path}", path) for path in value)
            case "mapping" if option.name == "packages":
                _check_folders((f"{flag} {name}={path}", path) for name, path in value)
            case "mapping" if option.name == "remap":
                _check_folders((f"{flag} {o}={n}", n) for o, n in value if n and "://" not in n)
        keywords[option.name] = _value(option, value)
    return ReadOptions.of(keywords, shared=shared)


def _value(option: ReadOption, value: Any) -> Any:
    """The keyword in Python for the value of an option."""
    from unibody.text.limits import ReadLimits

    match option.form:
        case "mapping" | "number" | "axis":
            return dict(value)
        case "limits":
            return ReadLimits.of(value)
        case "path":
            return "" if value == "none" else value
    return value


def _check_folders(named: Iterable[tuple[str, str]]) -> None:
    for option, path in named:
        if not os.path.isdir(path):
            raise UsageError(f"{option}: no such folder")


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


# Functions that parse the values of repeatable options.
_PARSERS: dict[str, Callable[[str], Any]] = {
    "mapping": pair,
    "list": str,
    "limits": _limit,
    "number": _scale,
    "axis": _up_axis,
}


def sides(options: argparse.Namespace) -> tuple[argparse.Namespace, argparse.Namespace]:
    """The options of the first and of the second of two models; UsageError for more values than models.

    A single file of an option holds for both, a single format for the first.
    """
    first, second = argparse.Namespace(**vars(options)), argparse.Namespace(**vars(options))
    files = {option.name: option.option for option in _declared() if option.form == "path"}
    for name, flag in {"source_format": "-f", **files}.items():
        given: list[str | None] = getattr(options, name) or []
        if len(given) > 2:
            raise UsageError(f"{flag} can be given at most twice: once for each model")
        values = [*given, None, None] if name == "source_format" else [*given, *given[-1:], None, None]
        setattr(first, name, values[0])
        setattr(second, name, values[1])
    return first, second


def join_arguments(readings: Sequence[Reading]) -> None:
    """Remove the warnings about arguments and mesh files that another one of the models has."""
    unknown = [{f.subject for f in r.findings if f.code in SHARED} for r in readings]
    undeclared = set[str]().union(*unknown).intersection(*unknown)
    for r in readings:
        r.findings[:] = [f for f in r.findings if f.code not in SHARED or f.subject in undeclared]


def read_model(options: argparse.Namespace) -> Reading:
    """Read the model with the options of the command line."""
    return read_input(options.model, options.source_format, options)


def read_input(
    path: str, format: str | None, options: argparse.Namespace, shared: bool = False, plain: bool = False
) -> Reading:
    """Read a model file, a pipe, or standard input ("-"), with the options of the command line.

    A stream has no folder: relative files are looked for in the current one. ``shared``: the options are
    for several models. ``plain``: without side-cars, as other programs read the file.
    """
    from unibody.formats.loader import read_with

    name, how = open_input(path, options, shared)
    return read_with(name, format, how, plain=plain)


def open_input(path: str, options: argparse.Namespace, shared: bool = False) -> tuple[str, ReadOptions]:
    """The name of a model file, and how it is read; a stream is read at once."""
    how = read_options(options, shared=shared)
    if path != "-" and not _is_pipe(path):
        return path, how
    from unibody.files.filesystem import OverlayFileSystem

    name = "stdin" if path == "-" else _stream_name(path)
    data = _stream_data(path, int(min(how.files.limits.file_bytes, sys.maxsize - 1)))
    disk = OverlayFileSystem({os.path.abspath(name): data})
    return name, replace(how, files=how.files.changed(disk=disk))


# Folders of files that are open in a process, such as those that <(command) of a shell names.
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")


def _is_pipe(path: str) -> bool:
    """Whether a path is a named pipe, or a file that is open in this process."""
    try:
        return path == "/dev/stdin" or path.startswith(_DESCRIPTORS) or stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _stream_name(path: str) -> str:
    """The name of a stream in messages: "fd-63" for /dev/fd/63."""
    name = os.path.basename(path)
    return f"fd-{name}" if path.startswith(_DESCRIPTORS) else name


def _stream_data(path: str, most: int) -> bytes:
    """The content of a stream, at most ``most`` + 1 bytes; UsageError if it cannot be read."""
    try:
        if path == "-":
            if sys.stdin is None:
                raise UsageError("there is no standard input")
            return sys.stdin.buffer.read(most + 1)
        with open(path, "rb", opener=_open_written) as stream:
            return stream.read(most + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None


# How long to wait for a program that writes into a pipe, in s.
_PATIENCE = 3.0


def _open_written(path: str, flags: int) -> int:
    """Open a pipe; UsageError if no program writes into it, where opening it would wait forever."""
    import select

    if not hasattr(select, "poll"):
        return os.open(path, flags)
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    if not waiting.poll(_PATIENCE * 1000):
        os.close(descriptor)
        raise UsageError(f"cannot read {path}: no program writes into it")
    os.set_blocking(descriptor, True)
    return descriptor


def finish(
    reading: Reading, options: argparse.Namespace, found: bool = True, printed: bool | None = None
) -> int:
    """Report the findings and return the exit code.

    ``found`` tells whether there is anything to print, ``printed`` whether it was printed. If nothing was,
    the findings are the output under --json.
    """
    report(reading.findings, options.all_findings)
    if not (found if printed is None else printed) and options.json:
        emit_failure(reading.findings)
    fail_on = getattr(options, "fail_on", None)
    if not found and fail_on is None:
        return 2
    if fail_on == "never":
        return 0
    severities = failing(fail_on or "error")
    return int(not found or any(f.severity in severities for f in reading.findings))
