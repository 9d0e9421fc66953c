"""Convert models to another format and report what was lost.

The report lists ignored content of the source, facts that the target format cannot represent with the
reason, and the numerical deviations of the written model from the source. The side-car carries facts that
the format cannot represent: data inside the file that only unibody reads. --plain writes no side-car. Mesh
files are copied into a folder beside the output.

With one SRC and a file as DST, writes that file. With several, folders or patterns, DST is a directory, in
which the tree is written, and --to is required. The report then summarizes the losses of all files by
reason, with those that need a decision first.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.declaration import Option, add, keywords
from unibody.cli.options import JSON, OVERWRITE, join_arguments, pair, read_options, reading_options
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
    relative_lines,
    report,
    write_output,
)
from unibody.cli.placement import PLACE, place_option, pose_of
from unibody.cli.prove import ENGINE
from unibody.cli.summary import error_lines
from unibody.cli.terminal import clean
from unibody.text.finding import SEVERITIES, failing
from unibody.text.hint import option_of

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.conversion.collection_report import LossSummary
    from unibody.conversion.report import Report
    from unibody.edits.edit import RobotEdit
    from unibody.formats.format import WriteOption
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot
    from unibody.proof.result import EngineProof
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

OUTPUT = (
    Option("-o, --output FILE", "output file, or folder for several, a folder or a pattern"),
    Option("--to FORMAT", "output format (see unibody formats)"),
    OVERWRITE,
    Option("--plain", "write no side-car (data that only unibody reads)"),
    Option("--fail-on-loss", "exit with code 3 if anything is lost"),
    Option("--dry-run", "report what would be written, without writing"),
    Option(
        "--meshes {copy,keep}",
        "copy mesh files beside the output, or refer to them where they are (default: copy)",
        default="copy",
    ),
    Option("--mesh-package NAME", "refer to copied files as package://NAME/…", default=""),
)
IN_ENGINES = (
    Option(
        "--check-load",
        "load the written file in the engine of its format (MJCF: MuJoCo, URDF: Pinocchio), and report "
        "the result",
    ),
    Option("--prove", "compare the written file in physics engines with the model (see unibody prove)"),
    replace(ENGINE, needs="--prove"),
)
REPORT = Option("--report FILE", "write the report to FILE (.txt, .md, .json or .csv)")
EDITS = (
    Option("--subtree LINK", "keep only LINK and its descendants"),
    Option("--prefix TEXT", "prepend TEXT to every name", default=""),
    Option(
        "--rename OLD=NEW",
        "rename a link, joint, device, group or material (links/OLD=NEW: only the link)",
        pair,
        many=True,
    ),
    Option(
        "--simplify {hull,parts,spheres}",
        "replace collision shapes by simpler ones that contain them (see unibody simplify)",
    ),
    Option(
        "--attach FILE",
        "attach the model in FILE to the link or frame given by --on",
        needs="--on LINK",
    ),
    Option("--on LINK", "link or frame (a site of MJCF) to attach to", needs="--attach FILE"),
    Option(
        f"--place {PLACE}",
        "position (m) and roll, pitch, yaw (deg) of the attached root on --on (default: at its origin)",
        place_option,
        needs="--attach FILE",
    ),
    Option(
        "--attach-prefix TEXT",
        "prepend TEXT to the names of the attached model",
        default="",
        needs="--attach FILE",
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    what = "model files, folders and patterns; without --output, the last one is DST"
    add(parser, Option("SRC", what, keyword="sources", many=True), *OUTPUT)
    add(parser, *map(_writing_option, _own_options()), REPORT, *EDITS, *IN_ENGINES)
    add(parser, *reading_options(), JSON)
    collection.add_collection(parser)


def _writing_option(option: WriteOption) -> Option:
    flag = option_of(option.name)
    if len(option.choices) == 1:
        return Option(flag, option.help, bare=option.choices[0])
    return Option(f"{flag} {{{','.join(option.choices)}}}", option.help)


def _own_options() -> tuple[WriteOption, ...]:
    """The options of writing, of all formats, that are no options of reading, too."""
    from unibody.formats import FORMATS
    from unibody.formats.options import declared_options

    reading = declared_options()
    every = {option.name: option for f in FORMATS for option in f.options}
    return tuple(option for name, option in every.items() if name not in reading)


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


def run(options: argparse.Namespace) -> int:
    """Convert all sources; return the exit code."""
    options.form = _suffix(options.report or "")
    if options.report:
        if options.form not in _REPORTS:
            raise UsageError("--report: file name must end in .txt, .md, .json or .csv")
        check_outputs([options.report], options.overwrite)
    target = _target(options)
    if collection.is_collection(options.sources, options):
        if options.check_load or options.prove:
            raise UsageError("--check-load and --prove are for one file", "see unibody prove --help")
        return _run_many(target, options)
    (source,) = options.sources
    if is_folder(target):
        from unibody.batch.collection import InnerPaths

        inner = InnerPaths(options.sources)(source)
        target = os.path.join(target, os.path.splitext(inner)[0] + _output_suffix(target, options))
    collection.check_targets([source], lambda _: target, options.attach)
    read_options(options)  # report its usage errors before any output
    _check_writing(target, options)
    done = _convert(source, target, options)
    if options.report:
        nothing = '{"reports": []}' if options.form == ".json" else ""
        text = nothing if done.report is None else _REPORTS[options.form](done.report)
        content = f"{text}\n".encode("utf-8", "replace") if options.form == ".json" else _encoded(text)
        write_output(options.report, content, options.overwrite)
    _show(done, options)
    lost = done.report is not None and done.report.lost
    if done.proof is not None and not done.code and not done.proof.holds:
        done.code = 1
    return _exit_code(done.code, {finding.severity for finding in done.findings}, lost, options)


def _target(options: argparse.Namespace) -> str:
    """The output: that of --output, or the last of the sources."""
    if options.output is not None:
        return str(options.output)
    if len(options.sources) < 2:
        raise UsageError("the following arguments are required: DST", "see unibody convert --help")
    return str(options.sources.pop())


def _output_suffix(target: str, options: argparse.Namespace) -> str:
    """The suffix of outputs in the folder ``target``; UsageError without a known format."""
    if not options.to:
        raise UsageError(
            f"several sources, or a folder as output (here: '{target}'), require --to (such as --to urdf)",
            _meant(target, options),
        )
    return collection.suffix_of(options.to)


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
    collection.check_targets(found, outputs, options.attach)

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


def _exit_code(code: int, severities: Set[str], lost: bool, options: argparse.Namespace) -> int:
    """The exit code of one source: that of its conversion (0, 1 or 2), its findings and its losses."""
    if code == 1 and options.fail_on == "never":
        return 0
    if code:
        return code
    if options.fail_on_loss and lost:
        return _LOST
    fail_on = options.fail_on
    return int(fail_on in SEVERITIES and not severities.isdisjoint(failing(fail_on)))


def convert_file(path: str, options: argparse.Namespace, target: str) -> FileRecord:
    """Convert one of several files; its value is the exit code and the losses by reason."""
    from unibody.batch.record import FileRecord, states
    from unibody.conversion.collection_report import loss_data

    start = time.time_ns()
    done = _convert(path, target, options, shared=True)
    value: dict[str, Any] = {"code": done.code}
    if done.report is None:
        value["message"] = done.message
        # What hindered writing may be gone the next time.
        reads = states(done.read, start) if done.code == 1 else ()
    else:
        value |= loss_data(done.report)
        reads = (*states(done.read, start), *states(_written_files(target, done.report)))
    if options.form:
        value["report"] = "" if done.report is None else _REPORTS[options.form](done.report)
    if options.json and done.report is not None:
        value["data"] = done.report.json("command")
    data = tuple(f.json("command") for f in done.findings)
    return FileRecord(path=path, output=target, value=value, findings=data, reads=reads)


def _edit(robot: Robot, attached: Robot | None, options: argparse.Namespace) -> RobotEdit | None:
    """The edit that the options ask for, None without one; GraftError if it is impossible."""
    names = options.prefix or options.rename
    if not (options.subtree or names or options.simplify or attached is not None):
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
    if options.simplify:
        from unibody.simplification.simplify import simplify
        from unibody.text.finding import Findings

        # the report states no errors of shapes
        simpler = simplify(made.robot, options.simplify, fast=True)
        made = made.then(RobotEdit(simpler.robot, findings=Findings(simpler.findings)))
    if names:
        made = made.then(edit_names(made.robot, dict(options.rename), options.prefix))
    if attached is not None:
        pose = pose_of(options.place) if options.place else IDENTITY
        made = made.then(edit_attach(made.robot, attached, options.on, pose, options.attach_prefix))
    return made


@dataclass
class _Conversion:
    """What became of one source: its report, or the exit code and why there is none.

    ``loaded`` is what the engine of the format says of the written file, ``proof`` what engines make of it.
    """

    source: str
    target: str
    report: Report | None = None
    code: int = 0
    message: str = ""
    findings: Sequence[Finding] = ()
    read: set[str] = field(default_factory=set)
    loaded: str = ""
    proof: EngineProof | None = None


def _convert(source: str, target: str, options: argparse.Namespace, shared: bool = False) -> _Conversion:
    """Convert one source; errors become part of the result. ``shared``: it is one of several."""
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import read_source, save_reading
    from unibody.edits.names import GraftError
    from unibody.formats.loader import LoadError

    done = _Conversion(source, target, read={source})
    try:
        how = read_options(options, shared=shared or bool(options.attach))
        reading = read_source(source, options.source_format, how)
        done.read |= collection.files_of(source, reading)
        attached = read_source(options.attach, None, replace(how, base=None)) if options.attach else None
        done.read |= collection.files_of(options.attach, attached) if attached else set()
        join_arguments([reading, attached] if attached else [reading])
        assert reading.robot is not None
        done.report = save_reading(
            reading,
            target,
            edit=_edit(reading.robot, attached.robot if attached else None, options),
            attached=[attached] if attached else [],
            format=options.to,
            package=options.mesh_package,
            options=options.writing,
            **keywords(options, save_reading),
        )
    except LoadError as e:
        done.code, done.findings = 1, e.findings
    except SaveError as e:
        done.code, done.findings = 2, e.findings
    except GraftError as e:
        done.code, done.message = 2, str(e)
    else:
        inputs = [reading, attached] if attached else [reading]
        infos = (f for each in inputs for f in each.findings if f.severity == "info")
        done.findings = [*done.report.findings, *infos]
        if done.report.written:
            _ask_engines(done, reading, options)
    return done


def _ask_engines(done: _Conversion, reading: Reading, options: argparse.Namespace) -> None:
    """What engines make of the written file, if the options ask for it."""
    if not (options.check_load or options.prove):
        return
    if options.check_load and done.report is not None:
        from unibody.proof.loading import check_load

        none = f"no engine is known for {done.report.format} files: not loaded"
        done.loaded = check_load(done.target, done.report.format) or none
    if not options.prove:
        return
    from unibody.formats.loader import read_with
    from unibody.proof.proving import given_of, prove_given

    written = read_with(done.target, plain=True)
    if written.robot is not None:
        assert reading.robot is not None
        edited = options.subtree or options.prefix or options.rename or options.attach
        source = given_of("", written if edited else reading)
        target = given_of(done.target, written)
        try:
            done.proof = prove_given(source, target, **keywords(options, prove_given))
        except ValueError as error:
            raise UsageError(str(error)) from None


def _written_files(target: str, report: Report) -> tuple[str, ...]:
    folder = os.path.dirname(target)
    return tuple(os.path.join(folder, name) for name in report.files) if report.written else ()


def _show(done: _Conversion, options: argparse.Namespace) -> None:
    """The report on standard output; findings on standard error, with --json in the data instead."""
    if options.json and done.report is not None:
        data = done.report.json("command")
        emit_data(data if done.proof is None else {**data, "engines": done.proof.json()["engines"]})
    elif options.json:
        findings = [finding.json("command") for finding in done.findings]
        emit_data(_failure(done.source, done.target, findings, done.message))
    elif done.report is not None:
        emit(relative_lines(done.report.text(folded=True)))
        if done.loaded:
            emit([done.loaded])
        if done.proof is not None:
            emit(str(done.proof).split("\n"))
    else:
        if done.findings:
            report(done.findings, False)
        if done.message:
            complain("unibody convert", done.message)


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
        value = record.value or {}
        if record.ok and not value["code"]:
            data = value.get("data") or json.loads(value["report"])
        else:
            message = record.failure or value.get("message", "")
            data = _failure(record.path, record.output or None, list(record.findings), message)
        yield (", " if number else "") + json.dumps(jsonable(data), indent=2, ensure_ascii=False)
    yield "]}\n"


def _failure(source: str, target: str | None, findings: list[Any], message: str) -> dict[str, Any]:
    """Why a file was not converted, as plain JSON data."""
    out = {"source": source, "target": target, "findings": findings}
    return {**out, "message": message} if message else out


def _report_pieces(
    records: Callable[[], Iterator[FileRecord]], options: argparse.Namespace
) -> Iterator[bytes]:
    """The file of --report for several files: what must be decided first, then file by file."""
    suffix = options.form
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
