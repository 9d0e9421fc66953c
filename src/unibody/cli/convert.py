"""Convert models to another format and report what was lost.

The report lists ignored content of the source, facts that the target format cannot represent with the
reason, and the numerical deviations of the written model from the source. Facts that the format cannot
represent are carried in a side-car: data inside the file that only unibody reads again. --plain writes
none. Mesh files are copied into a folder beside the output.

With one SRC and a file as DST, writes that file. With several, folders or patterns, DST is a folder, in
which the tree is written, and --to is required. The losses of all files are summarized by reason: what must
be decided first stands on top.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.options import (
    add_json,
    add_reading,
    join_arguments,
    pair,
    read_options,
)
from unibody.cli.output import (
    UsageError,
    check_outputs,
    complain,
    emit,
    emit_data,
    emit_errors,
    emit_json,
    is_folder,
    jsonable,
    report,
    write_output,
)
from unibody.cli.placement import PLACE, place_option, pose_of
from unibody.cli.summary import error_lines
from unibody.cli.terminal import clean
from unibody.text.finding import SEVERITIES, failing
from unibody.text.hint import option_of

if TYPE_CHECKING:
    from unibody.batch.collection import Collection
    from unibody.batch.record import FileRecord
    from unibody.conversion.collection_report import LossSummary
    from unibody.conversion.report import Report
    from unibody.edits.edit import RobotEdit
    from unibody.formats.format import WriteOption
    from unibody.model.robot import Robot
    from unibody.text.finding import Finding

EXAMPLE = "unibody convert robot.body robot.urdf"
CODES = """\
exit codes: 0 written (or would be, with --dry-run), 1 a source has errors and was not converted,
2 wrong usage, or an output cannot be written, 3 with --fail-on-loss: anything is lost; of several files
the largest one, with 130 for an interruption; --fail-on warning or info: 1 for findings of converted
sources, too; --fail-on never: 0 instead of 1
"""
_LOST = 3
# Files that are listed one by one.
_LISTED = 20


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "sources",
        metavar="SRC",
        nargs="+",
        help="model files, folders and patterns; without --output, the last one is DST",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="output file, or folder for several, a folder or a pattern"
    )
    parser.add_argument("--to", metavar="FORMAT", help="output format (see unibody formats)")
    parser.add_argument("--overwrite", action="store_true", help="overwrite existing files")
    parser.add_argument(
        "--plain", action="store_true", help="write no side-car (data that only unibody reads)"
    )
    parser.add_argument("--fail-on-loss", action="store_true", help="exit with code 3 if anything is lost")
    parser.add_argument(
        "--dry-run", action="store_true", help="report what would be written, without writing"
    )
    parser.add_argument(
        "--meshes",
        choices=("copy", "keep"),
        default="copy",
        help="copy mesh files beside the output, or refer to them where they are (default: copy)",
    )
    parser.add_argument(
        "--mesh-package", metavar="NAME", default="", help="refer to copied files as package://NAME/…"
    )
    for option in _own_options():
        flag = option_of(option.name)
        if len(option.choices) == 1:
            parser.add_argument(flag, action="store_const", const=option.choices[0], help=option.help)
        else:
            parser.add_argument(flag, choices=option.choices, help=option.help)
    parser.add_argument(
        "--report", metavar="FILE", help="write the report to FILE (.txt, .md, .json or .csv)"
    )
    _changes(parser)
    add_reading(parser)
    add_json(parser)
    collection.add_collection(parser)


def _own_options() -> tuple[WriteOption, ...]:
    """The options of writing, of all formats, that are no options of reading, too."""
    from unibody.formats import FORMATS
    from unibody.formats.options import declared_options

    reading = declared_options()
    return tuple(option for f in FORMATS for option in f.options if option.name not in reading)


def _check_writing(target: str, options: argparse.Namespace) -> None:
    """Collect the options of writing in ``options.writing``; UsageError if the target lacks one."""
    from unibody.conversion.destination import checked_options, target_format
    from unibody.conversion.output import SaveError

    options.writing = {}
    try:
        format = target_format(target, options.to)
    except SaveError:  # the conversion reports it
        return
    found = {option.name: getattr(options, option.name) for option in _own_options()}
    for option in format.options:
        value = "" if (word := getattr(options, option.name, None)) == "none" else word
        if value in option.choices:
            found[option.name] = value
    try:
        options.writing = checked_options(format, found)
    except SaveError as error:
        first = error.findings[0]
        raise UsageError(first.message, first.hint) from None


def _changes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--subtree", metavar="LINK", help="keep only LINK and its descendants")
    parser.add_argument("--prefix", metavar="TEXT", default="", help="prepend TEXT to every name")
    parser.add_argument(
        "--rename",
        metavar="OLD=NEW",
        action="append",
        type=pair,
        default=[],
        help="rename a link, joint, device, group or material (links/OLD=NEW: only the link)",
    )
    parser.add_argument(
        "--attach", metavar="FILE", help="attach the model in FILE to the link or frame given by --on"
    )
    parser.add_argument(
        "--on", metavar="LINK", default="", help="link or frame (a site of MJCF) to attach to"
    )
    parser.add_argument(
        "--place",
        metavar=PLACE,
        type=place_option,
        help="position (m) and roll, pitch, yaw (deg) of the attached root on --on "
        "(default: at its origin)",
    )
    parser.add_argument(
        "--attach-prefix",
        metavar="TEXT",
        default="",
        help="prepend TEXT to the names of the attached model",
    )


def run(options: argparse.Namespace) -> int:
    """Convert all sources; return the exit code."""
    _check_attach(options)
    if options.report:
        _check_report(options.report, options.overwrite)
    target = _target(options)
    if collection.is_collection(options.sources, options):
        return _run_many(target, options)
    (source,) = options.sources
    if is_folder(target):
        from unibody.batch.collection import InnerPaths

        inner = InnerPaths(options.sources)(source)
        target = os.path.join(target, os.path.splitext(inner)[0] + _output_suffix(target, options))
    _check_others([(source, target)], options.attach)
    read_options(options)  # report its usage errors before any output
    _check_writing(target, options)
    result = _convert(source, target, options)
    if options.report:
        text = result.written
        if _suffix(options.report) == ".json":
            content = ((text or '{"reports": []}') + "\n").encode("utf-8", "replace")
        else:
            content = _encoded(text)
        write_output(options.report, content, options.overwrite)
    _show(result, options)
    return _code(result, options)


def _target(options: argparse.Namespace) -> str:
    """The output: that of --output, or the last of the sources."""
    if options.output is not None:
        return str(options.output)
    if len(options.sources) < 2:
        raise UsageError("the following arguments are required: DST", "see unibody convert --help")
    return str(options.sources.pop())


def _output_suffix(target: str, options: argparse.Namespace) -> str:
    """The suffix of outputs in the folder ``target``; UsageError without a known format."""
    from unibody.formats import FORMATS, by_name

    if not options.to:
        raise UsageError(
            f"several sources, or a folder as output (here: '{target}'), require --to (such as --to urdf)",
            _meant(target, options),
        )
    format = by_name(options.to)
    if format is None:
        raise UsageError(
            f"unknown format '{options.to}'; known formats: {', '.join(f.name for f in FORMATS)}"
        )
    return format.suffixes[0]


def _meant(target: str, options: argparse.Namespace) -> str:
    """What may have been meant by the last argument, which was taken as the output."""
    if options.output is not None:
        return ""
    for option in _own_options():
        if len(option.choices) == 1 and target in option.choices and getattr(options, option.name):
            return f"{option_of(option.name)} takes no value: leave out '{target}'"
    return "the last argument is the output unless --output names it"


def _run_many(target: str, options: argparse.Namespace) -> int:
    """Convert several files into a folder; print and write one report of all losses."""
    from unibody.batch.collection import InnerPaths
    from unibody.batch.outputs import Outputs

    suffix = _output_suffix(target, options)
    if not options.dry_run and os.path.lexists(target) and not os.path.isdir(target):
        raise UsageError(f"{target} is a file; several outputs need a folder")
    read_options(options)
    _check_writing(f"model{suffix}", options)
    found = collection.found_files(options.sources, target)
    outputs = Outputs(found, InnerPaths(options.sources), target, suffix)
    options.form = _suffix(options.report or "")
    _check_targets(found, outputs, options.attach)

    def fails(record: FileRecord) -> bool:
        return bool(_record_code(record, options))

    with collection.done("convert", found, convert_file, options, fails, outputs) as outcome:
        code = outcome.code
        for record in outcome.records():
            code = max(code, _record_code(record, options))
        _show_many(outcome.records, options)
        if options.report:
            text = _report_pieces(outcome.records, options)
            write_output(options.report, text, options.overwrite)
    return code


def _record_code(record: FileRecord, options: argparse.Namespace) -> int:
    if not record.ok:
        return 0 if options.fail_on == "never" else 1
    code = int(record.value["code"])
    severities = {finding["severity"] for finding in record.findings}
    return _exit_code(code, severities, not code and record.value["lost"], options)


def _exit_code(code: int, severities: set[str], lost: bool, options: argparse.Namespace) -> int:
    """The exit code of one source: that of its conversion (0, 1 or 2), its findings and its losses."""
    if code == 1 and options.fail_on == "never":
        return 0
    if code:
        return code
    if options.fail_on_loss and lost:
        return _LOST
    fail_on = options.fail_on
    return int(fail_on in SEVERITIES and not severities.isdisjoint(failing(fail_on)))


def _check_targets(found: Collection, outputs: Callable[[str], str], attach: str | None) -> None:
    """UsageError if an output is one of the sources, or the attached file."""
    sources = {_key(os.path.realpath(path)) for path in found}
    attached = os.path.realpath(attach) if attach else None
    for path in found:
        real = os.path.realpath(target := outputs(path))
        if real == attached or (_key(real) in sources and real != os.path.realpath(path)):
            raise UsageError(f"the output {target} is also a source; write to another name")


def _key(text: str) -> bytes:
    return blake2b(os.fsencode(text), digest_size=16).digest()


def convert_file(path: str, options: argparse.Namespace, target: str) -> FileRecord:
    """Convert one of several files; its value is the exit code and the losses by reason."""
    from unibody.batch.record import FileRecord, states

    start = time.time_ns()
    made = _convert(path, target, options, shared=True)
    value: dict[str, Any] = {"code": made.code}
    findings = made.findings
    if made.code:
        value["message"] = made.message
        # What hindered writing may be gone the next time.
        reads = states(made.read, start) if made.code == 1 else ()
    else:
        value |= made.losses
        findings = made.noted
        reads = (*states(made.read, start), *states(made.files))
    if options.form:
        value["report"] = made.written
    if options.json and not made.code:
        value["data"] = made.data
    data = tuple(f.json("command") for f in findings)
    return FileRecord(path=path, output=target, value=value, findings=data, reads=reads)


def _check_attach(options: argparse.Namespace) -> None:
    """UsageError if the options of --attach do not fit together."""
    if not options.attach:
        given = {"--on": options.on, "--place": options.place, "--attach-prefix": options.attach_prefix}
        if alone := next((name for name, value in given.items() if value), None):
            raise UsageError(f"{alone} requires --attach FILE")
        return
    if not options.on:
        raise UsageError("--attach requires --on LINK")


def _check_others(jobs: list[tuple[str, str]], attached: str | None) -> None:
    """UsageError if an output is the source of another one, or the attached file."""
    sources = {os.path.realpath(source): source for source, _ in jobs}
    for source, target in jobs:
        real = os.path.realpath(target)
        if sources.get(real, source) != source or (attached and real == os.path.realpath(attached)):
            raise UsageError(f"the output {target} is also a source; write to another name")


def _edit(robot: Robot, attached: Robot | None, options: argparse.Namespace) -> RobotEdit | None:
    """The edit that the options ask for, None without one; GraftError if it is impossible."""
    if not (options.subtree or options.prefix or options.rename or attached is not None):
        return None
    from unibody.edits.attach import edit_attach
    from unibody.edits.edit import RobotEdit
    from unibody.edits.rename import edit_names
    from unibody.edits.subtree import edit_subtree
    from unibody.model.base import with_base
    from unibody.model.pose import IDENTITY

    made = RobotEdit(robot)
    if options.subtree:
        made = made.then(edit_subtree(made.robot, options.subtree))
        made = replace(made, robot=with_base(made.robot, options.base))
    if options.prefix or options.rename:
        made = made.then(edit_names(made.robot, dict(options.rename), options.prefix))
    if attached is not None:
        pose = pose_of(options.place) if options.place else IDENTITY
        made = made.then(edit_attach(made.robot, attached, options.on, pose, options.attach_prefix))
    return made


class _Result:
    """The outcome of one source."""

    def __init__(self, source: str, target: str) -> None:
        self.source, self.target = source, target
        self.code, self.lost = 0, False
        # why it was not converted, and what was found in one that was
        self.findings: list[Finding] = []
        self.noted: list[Finding] = []
        self.message = self.text = self.summary = self.written = ""
        self.data: dict[str, Any] = {}
        self.losses: dict[str, Any] = {}
        self.read: set[str] = {source}
        self.files: tuple[str, ...] = ()

    def failure(self) -> dict[str, Any]:
        """Why the source was not converted, as plain JSON data; nothing if it was."""
        if not self.code:
            return {}
        found = {
            "source": self.source,
            "target": self.target,
            "findings": [f.json("command") for f in self.findings],
        }
        return {**found, "message": self.message} if self.message else found


def _convert(source: str, target: str, options: argparse.Namespace, shared: bool = False) -> _Result:
    """Convert one source; errors become part of the result. ``shared``: it is one of several."""
    from unibody.conversion.collection_report import loss_data
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import read_source, save_reading
    from unibody.edits.names import GraftError
    from unibody.formats.loader import LoadError

    result = _Result(source, target)
    try:
        how = read_options(options, shared=shared or bool(options.attach))
        reading = read_source(source, options.source_format, how)
        result.read |= collection.files_of(source, reading)
        attached = read_source(options.attach, None, replace(how, base=None)) if options.attach else None
        result.read |= collection.files_of(options.attach, attached) if attached else set()
        join_arguments([reading, attached] if attached else [reading])
        assert reading.robot is not None
        written = save_reading(
            reading,
            target,
            edit=_edit(reading.robot, attached.robot if attached else None, options),
            attached=[attached] if attached else [],
            format=options.to,
            overwrite=options.overwrite,
            plain=options.plain,
            meshes=options.meshes,
            package=options.mesh_package,
            options=options.writing,
            dry_run=options.dry_run,
        )
    except LoadError as e:
        result.code, result.findings = 1, e.findings
    except SaveError as e:
        result.code, result.findings = 2, e.findings
    except GraftError as e:
        result.code, result.message = 2, str(e)
    else:
        result.text, result.summary, result.lost = (
            written.text(folded=True),
            written.headline(),
            written.lost,
        )
        inputs = [reading, attached] if attached else [reading]
        infos = [f for each in inputs for f in each.findings if f.severity == "info"]
        result.noted = [*written.findings, *infos]
        result.losses, result.files = loss_data(written), _paths(target, written)
        if options.json:
            result.data = written.json("command")
        if form := _REPORTS.get(_suffix(options.report or "")):
            result.written = form(written)
    return result


def _paths(target: str, written: Report) -> tuple[str, ...]:
    """The files that were written."""
    folder = os.path.dirname(target)
    return tuple(os.path.join(folder, name) for name in written.files) if written.written else ()


def _show(result: _Result, options: argparse.Namespace) -> None:
    """The report on standard output; findings on standard error, with --json in the data instead."""
    if options.json:
        emit_data(result.failure() if result.code else result.data)
        return
    if not result.code:
        emit(result.text.splitlines())
    if result.findings:
        report(result.findings, False)
    if result.message:
        complain("unibody convert", result.message)


def _show_many(records: Callable[[], Iterator[FileRecord]], options: argparse.Namespace) -> None:
    """The summary and a line for each file on standard output, errors on standard error."""
    if options.json:
        for piece in _json_pieces(records, options):
            emit_json(piece)
        return
    emit(_losses(records()).text())
    emit([""])
    more = 0
    for number, record in enumerate(records()):
        if number < _LISTED:
            emit([_line(record)])
        more += number >= _LISTED
    if more:
        emit([f"… and {more} more (--report FILE has all)"])
    emit_errors(error_lines(map(_unconverted, records())))


def _unconverted(record: FileRecord) -> FileRecord:
    """A record whose failure and errors are those that stopped the conversion."""
    if record.failure:
        return record
    if not record.value["code"]:
        return replace(record, findings=())
    return replace(record, failure=record.value["message"])


def _line(record: FileRecord) -> str:
    """The outcome of one of several files in one line."""
    if not record.ok or record.value["code"]:
        return f"{record.path}: not converted"
    return f"{record.path} → {record.output}: {record.value['verdict']}"


def _losses(records: Iterable[FileRecord]) -> LossSummary:
    """The losses of all files by reason."""
    from unibody.conversion.collection_report import LossSummary

    found = LossSummary()
    for record in records:
        if record.ok and not record.value["code"]:
            found.add(record.path, record.value)
        else:
            first = next((f for f in record.findings if f["severity"] == "error"), None)
            why = record.failure or (record.value or {}).get("message") or ""
            code, why = (first["code"], first["message"]) if first else (why, why)
            found.add_failure(record.path, code, why)
    return found


def _json_pieces(records: Callable[[], Iterator[FileRecord]], options: argparse.Namespace) -> Iterator[str]:
    """The summary and the reports of all files as one JSON document, in pieces."""
    summary = json.dumps(jsonable(_losses(records()).json()), indent=2, ensure_ascii=False)
    yield f'{{"summary": {summary}, "reports": ['
    for number, record in enumerate(records()):
        data = record.value.get("data") if record.ok and not record.value["code"] else _failure(record)
        if data is None:
            data = json.loads(record.value["report"])
        yield (", " if number else "") + json.dumps(jsonable(data), indent=2, ensure_ascii=False)
    yield "]}\n"


def _failure(record: FileRecord) -> dict[str, Any]:
    """Why a file was not converted, as plain JSON data."""
    value = record.value or {}
    out = {"source": record.path, "target": record.output or None, "findings": list(record.findings)}
    message = record.failure or value.get("message")
    return {**out, "message": message} if message else out


def _report_pieces(
    records: Callable[[], Iterator[FileRecord]], options: argparse.Namespace
) -> Iterator[bytes]:
    """The file of --report for several files: what must be decided first, then file by file."""
    suffix = _suffix(options.report)
    if suffix == ".json":
        for piece in _json_pieces(records, options):
            yield piece.encode("utf-8", "replace")
        return
    if suffix == ".csv":
        header = False
        for record in records():
            text = (record.value or {}).get("report", "")
            first, _, rest = text.partition("\n")
            if first and not header:
                yield _encoded(f"{first}\n")
                header = True
            yield _encoded(rest)
        return
    found = _losses(records())
    for line in found.markdown() if suffix == ".md" else found.text():
        yield _encoded(f"{line}\n")
    if suffix == ".md":
        yield b"## By file\n"
    for record in records():
        yield b"\n"
        text = (record.value or {}).get("report") or f"{_line(record)}\n"
        yield _encoded(_below(text) if suffix == ".md" else text)


def _below(text: str) -> str:
    """Markdown with its titles two levels lower."""
    return "\n".join(f"##{line}" if line.startswith("#") else line for line in text.split("\n"))


def _encoded(text: str) -> bytes:
    return "\n".join(map(clean, text.split("\n"))).encode("utf-8", "replace")


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _json(written: Report) -> str:
    return json.dumps(written.json("command"), indent=2, ensure_ascii=False)


# The text of a report by the suffix of its file.
_REPORTS: dict[str, Callable[[Report], str]] = {
    ".txt": lambda written: written.text(),
    ".md": lambda written: written.markdown(),
    ".json": _json,
    ".csv": lambda written: written.csv(),
}


def _check_report(path: str, overwrite: bool) -> None:
    """UsageError if the report cannot be written; checked before anything is converted."""
    if _suffix(path) not in _REPORTS:
        raise UsageError("--report: file name must end in .txt, .md, .json or .csv")
    check_outputs([path], overwrite)


def _code(result: _Result, options: argparse.Namespace) -> int:
    severities: set[str] = {finding.severity for finding in result.noted}
    return _exit_code(result.code, severities, result.lost, options)
