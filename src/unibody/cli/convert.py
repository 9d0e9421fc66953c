"""Convert models to another format and report what was lost.

The report lists ignored content of the source, facts that the target format cannot represent with the
reason, and the numerical deviations of the written model from the source. Facts that the format cannot
represent are carried in a side-car: data inside the file that only unibody reads again. --plain writes
none. Mesh files are copied into a folder beside the output.

With one SRC and a file as DST, writes that file. With several, DST is a folder and --format is required.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from unibody.cli.options import (
    add_base,
    add_json,
    add_meshes,
    add_reading,
    join_arguments,
    mesh_reading,
    pair,
    reach,
)
from unibody.cli.output import UsageError, check_outputs, emit, emit_data, report, write_output
from unibody.cli.terminal import clean

if TYPE_CHECKING:
    from unibody.conversion.report import Report
    from unibody.edits.edit import RobotEdit
    from unibody.formats.format import WriteOption
    from unibody.formats.loader import Reading
    from unibody.model.base import Base
    from unibody.model.robot import Robot
    from unibody.text.finding import Finding

EXAMPLE = "unibody convert robot.body robot.urdf"
CODES = """\
exit codes: 0 written (or would be, with --dry-run), 1 a source has errors and was not converted,
2 wrong usage, or an output cannot be written, 3 with --fail-on-loss: anything is lost
"""
_LOST = 3
# Seconds between two versions of a report file.
_EVERY = 2.0
# The source, the output and the options.
_Job: TypeAlias = tuple[str, str, argparse.Namespace]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("sources", metavar="SRC", nargs="+", help="model files")
    parser.add_argument("target", metavar="DST", help="output file, or folder for several")
    parser.add_argument("--format", metavar="FORMAT", help="output format (see unibody formats)")
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
    for option in _options():
        flag = f"--{option.name.replace('_', '-')}"
        if len(option.choices) == 1:
            parser.add_argument(
                flag, action="store_const", const=option.choices[0], default="", help=option.help
            )
        else:
            parser.add_argument(flag, choices=option.choices, default="", help=option.help)
    parser.add_argument(
        "--report", metavar="FILE", help="write the report to FILE (.txt, .md, .json or .csv)"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, default=0, help="number of processes (default: all cores)"
    )
    _changes(parser)
    add_reading(parser)
    add_meshes(parser)
    add_base(parser)
    add_json(parser)


def _options() -> tuple[WriteOption, ...]:
    """The options of all formats."""
    from unibody.formats import FORMATS

    return tuple(option for format in FORMATS for option in format.options)


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
        "--attach", metavar="FILE", help="attach the model in FILE to the link given by --at"
    )
    parser.add_argument("--at", metavar="LINK", default="", help="link to attach to")
    parser.add_argument(
        "--pose",
        metavar="POSE",
        default="",
        help='pose of the attached root in LINK: "x y z roll pitch yaw" in m and rad (default: at LINK)',
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
    jobs = _targets(options)
    _check_others(jobs, options.attach)
    reach(options)  # report its usage errors before any output
    results: list[_Result] = []
    kept = _ReportFile(options.report, options.overwrite, len(jobs) > 1) if options.report else None
    for result in _convert_all([(source, target, options) for source, target in jobs], options.jobs):
        results.append(result)
        if kept:
            kept.add(result, last=len(results) == len(jobs))
    _show(results, options)
    return max((_code(r, options) for r in results), default=0)


def _check_attach(options: argparse.Namespace) -> None:
    """UsageError if the options of --attach do not fit together."""
    if not options.attach:
        given = {"--at": options.at, "--pose": options.pose, "--attach-prefix": options.attach_prefix}
        if alone := next((name for name, value in given.items() if value), None):
            raise UsageError(f"{alone} requires --attach FILE")
        return
    if not options.at:
        raise UsageError("--attach requires --at LINK")
    from unibody.edits.attach import as_pose
    from unibody.edits.names import GraftError

    try:
        if options.pose:
            as_pose(options.pose.split())
    except GraftError:
        raise UsageError(
            f"--pose '{options.pose}': write six numbers, \"x y z roll pitch yaw\" in m and rad"
        ) from None


def _targets(options: argparse.Namespace) -> list[tuple[str, str]]:
    """The output of each source."""
    target = options.target
    if len(options.sources) == 1 and not os.path.isdir(target) and not target.endswith(("/", os.sep)):
        return [(options.sources[0], target)]
    if not options.format:
        raise UsageError("several sources, or a folder as output, require --format (such as --format urdf)")
    from unibody.formats import FORMATS, by_name

    format = by_name(options.format)
    if format is None:
        raise UsageError(
            f"unknown format '{options.format}'; known formats: {', '.join(f.name for f in FORMATS)}"
        )
    return [
        (source, os.path.join(target, name + format.suffixes[0]))
        for source, name in zip(options.sources, _names(options.sources), strict=True)
    ]


def _check_others(jobs: list[tuple[str, str]], attached: str | None) -> None:
    """UsageError if an output is the source of another one, or the attached file."""
    sources = {os.path.realpath(source): source for source, _ in jobs}
    for source, target in jobs:
        real = os.path.realpath(target)
        if sources.get(real, source) != source or (attached and real == os.path.realpath(attached)):
            raise UsageError(f"the output {target} is also a source; write to another name")


def _names(sources: list[str]) -> list[str]:
    """Names of outputs: those of the sources, prefixed with the folder name if they are not unique."""
    paths = [os.path.abspath(s) for s in sources]
    names = [os.path.splitext(os.path.basename(p))[0] for p in paths]
    parents = [os.path.basename(os.path.dirname(p)) for p in paths]
    count = Counter(n.casefold() for n in names)
    out: list[str] = []
    taken: set[str] = set()
    for name, parent in zip(names, parents, strict=True):
        stem = f"{parent}_{name}" if count[name.casefold()] > 1 and parent else name
        unique, number = stem, 2
        while unique.casefold() in taken:
            unique, number = f"{stem}_{number}", number + 1
        taken.add(unique.casefold())
        out.append(unique)
    return out


def _read(path: str, format: str | None, options: argparse.Namespace, base: Base | None = None) -> Reading:
    from unibody.conversion.pipeline import read_source

    found = reach(options)
    return read_source(
        path,
        source_format=format,
        packages=found["packages"],
        allow=found["allow"],
        remap=found["remap"],
        arguments=dict(options.arg),
        limits=found["limits"],
        srdf=found["srdf"],
        base=base,
        **mesh_reading(options),
    )


def _edit(robot: Robot, attached: Robot | None, options: argparse.Namespace) -> RobotEdit | None:
    """The edit that the options ask for, None without one; GraftError if it is impossible."""
    if not (options.subtree or options.prefix or options.rename or attached is not None):
        return None
    from unibody.edits.attach import as_pose, edit_attach
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
        pose = as_pose(options.pose.split() if options.pose else IDENTITY)
        made = made.then(edit_attach(made.robot, attached, options.at, pose, options.attach_prefix))
    return made


class _Result:
    """The outcome of one source; it can be sent between processes."""

    def __init__(self, source: str, target: str) -> None:
        self.source, self.target = source, target
        self.code, self.lost = 0, False
        self.findings: list[Finding] = []
        self.message = self.text = self.summary = self.written = ""
        self.data: dict[str, Any] = {}

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

    def line(self) -> str:
        """The result in one line."""
        if self.code:
            return f"{self.source}: not converted"
        return f"{self.source} → {self.target}: {self.summary}"


def _convert(job: _Job) -> _Result:
    """Convert one source; errors become part of the result."""
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import save_reading
    from unibody.edits.names import GraftError
    from unibody.formats.loader import LoadError

    source, target, options = job
    result = _Result(source, target)
    try:
        reading = _read(source, options.format_in, options, options.base)
        attached = _read(options.attach, None, options) if options.attach else None
        join_arguments([reading, attached] if attached else [reading])
        assert reading.robot is not None
        written = save_reading(
            reading,
            target,
            edit=_edit(reading.robot, attached.robot if attached else None, options),
            attached=[attached] if attached else [],
            format=options.format,
            overwrite=options.overwrite,
            plain=options.plain,
            meshes=options.meshes,
            package=options.mesh_package,
            **{option.name: getattr(options, option.name) for option in _options()},
            srdf="" if options.srdf == "none" else None,
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
        if options.json:
            result.data = written.json("command")
        if form := _REPORTS.get(_suffix(options.report or "")):
            result.written = form(written)
    return result


def _convert_all(jobs: list[_Job], processes: int) -> Iterator[_Result]:
    """The results in the order of the sources, each as soon as it is available."""
    wanted = min(processes or os.cpu_count() or 1, len(jobs))
    progress = len(jobs) > 1 and sys.stderr is not None and sys.stderr.isatty()
    results: Iterator[_Result] = map(_convert, jobs) if wanted <= 1 else _in_parallel(jobs, wanted)
    for k, result in enumerate(results, 1):
        if progress:
            sys.stderr.write(f"\r{k}/{len(jobs)} ")
            sys.stderr.flush()
        yield result
    if progress:
        sys.stderr.write("\r")


def _in_parallel(jobs: list[_Job], processes: int) -> Iterator[_Result]:
    import signal
    from concurrent.futures import ProcessPoolExecutor

    # Ctrl-C reaches all processes of a terminal; only this one handles it, after the others end.
    quiet = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(processes, initializer=signal.signal, initargs=quiet) as pool:
        try:
            yield from pool.map(_convert, jobs)
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _show(results: list[_Result], options: argparse.Namespace) -> None:
    """Reports on standard output; findings on standard error, with --json in the data instead."""
    if options.json:
        data = [r.failure() if r.code else r.data for r in results]
        emit_data(data[0] if len(data) == 1 else {"reports": data})
        return
    if len(results) == 1:
        emit(line for r in results if not r.code for line in r.text.splitlines())
    else:
        emit(r.line() for r in results)
    for r in results:
        if r.findings:
            report(r.findings, False)
        if r.message:
            from unibody.cli.output import complain

            complain("unibody convert", r.message)


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


class _ReportFile:
    """The file of --report, replaced while sources are converted: what is done survives an interruption."""

    def __init__(self, path: str, overwrite: bool, several: bool) -> None:
        from unibody.files.atomic import is_stream

        self.path, self.overwrite, self.several = path, overwrite, several
        self.texts: list[str] = []
        self.saved = -_EVERY
        self.is_stream = is_stream(path)

    def add(self, result: _Result, last: bool) -> None:
        """Add the report of a source, or the line that it was not converted."""
        if not result.code:
            self.texts.append(result.written)
        elif self.several and _suffix(self.path) == ".json":
            self.texts.append(json.dumps(result.failure(), indent=2, ensure_ascii=False))
        elif self.several and _suffix(self.path) != ".csv":
            self.texts.append(f"{result.line()}\n")
        if last or (time.monotonic() - self.saved >= _EVERY and not self.is_stream):
            self._save()
            self.saved = time.monotonic()

    def _text(self) -> str:
        suffix = _suffix(self.path)
        if suffix == ".json":
            whole = "[" + ", ".join(self.texts) + "]"
            return (f'{{"reports": {whole}}}' if self.several or not self.texts else self.texts[0]) + "\n"
        if suffix == ".csv":
            header = self.texts[0].partition("\n")[0] + "\n" if self.texts else ""
            return header + "".join(text.partition("\n")[2] for text in self.texts)
        return "\n".join(map(clean, "\n".join(self.texts).split("\n")))

    def _save(self) -> None:
        write_output(self.path, self._text().encode("utf-8", "replace"), self.overwrite)
        self.overwrite = True  # from now on it is our own


def _code(result: _Result, options: argparse.Namespace) -> int:
    if result.code:
        return result.code
    return _LOST if options.fail_on_loss and result.lost else 0
