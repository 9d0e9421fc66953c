"""Write models in another format, with a measured account of what it cannot hold.

The report says what reading left out, what the target cannot say and why, and how far the numbers of
the written file are from those of the source. What the target cannot say is carried in its own
place for extensions, where unibody reads it again; --plain leaves that out. Mesh files are copied
beside the output under names that do not collide.

One SRC and a DST that is no folder give one file; several sources, or a folder, ask for --format.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_arguments, add_json, add_reach, pair, reach
from unibody.cli.output import UsageError, clean, emit, emit_data, report

if TYPE_CHECKING:
    from unibody.conversion.convert import Source
    from unibody.conversion.save import Options
    from unibody.text.finding import Finding

EXAMPLE = "unibody convert robot.body robot.urdf"
CODES = """\
exit codes: 0 written (or would be, with --dry-run), 1 a source has errors and was not converted,
2 wrong usage, or an output cannot be written, 3 something is lost (with --fail-on-loss)
"""
_LOST = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    parser.add_argument("sources", metavar="SRC", nargs="+", help="model files")
    parser.add_argument("target", metavar="DST", help="the output, or the folder for several")
    parser.add_argument("--format", metavar="FORMAT", help="write this format (unibody formats lists them)")
    parser.add_argument("--overwrite", action="store_true", help="replace outputs that are there")
    parser.add_argument("--plain", action="store_true", help="leave out what the format cannot say")
    parser.add_argument("--fail-on-loss", action="store_true", help="exit with 3 when something is lost")
    parser.add_argument("--dry-run", action="store_true", help="do all but write")
    parser.add_argument(
        "--meshes",
        choices=("copy", "keep"),
        default="copy",
        help="copy mesh files beside the output, or name them where they are (default: copy)",
    )
    parser.add_argument(
        "--mesh-package", metavar="NAME", default="", help="name copied files as package://NAME/…"
    )
    parser.add_argument("--report", metavar="FILE", help="write the report: .txt, .json or .md")
    parser.add_argument("--jobs", metavar="N", type=int, default=0, help="processes (default: all cores)")
    _changes(parser)
    parser.add_argument("-f", "--format-in", metavar="FORMAT", help="read the sources as this format")
    add_reach(parser)
    add_arguments(parser)
    add_json(parser)


def _changes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--subtree", metavar="LINK", help="only this link and what it carries")
    parser.add_argument("--prefix", metavar="TEXT", default="", help="before every name")
    parser.add_argument(
        "--rename",
        metavar="OLD=NEW",
        action="append",
        type=pair,
        default=[],
        help="another name for a thing",
    )
    parser.add_argument("--attach", metavar="FILE", help="another model, fixed on the link of --at")
    parser.add_argument("--at", metavar="LINK", default="", help="the link that --attach goes on")
    parser.add_argument("--attach-prefix", metavar="TEXT", default="", help="before the names of --attach")


def run(options: argparse.Namespace) -> int:
    """Convert all sources; the exit code."""
    from unibody.conversion.convert import Source
    from unibody.conversion.save import Options

    if options.attach and not options.at:
        raise UsageError("--attach needs --at LINK")
    if options.report:
        _check_report(options.report, options.overwrite)
    jobs = _targets(options)
    _check_others(jobs, options.attach)
    how = Source(format=options.format_in, arguments=dict(options.arg), **reach(options))
    settings = Options(
        format=options.format,
        overwrite=options.overwrite,
        plain=options.plain,
        meshes=options.meshes,
        package=options.mesh_package,
        dry_run=options.dry_run,
    )
    work = [_Job(source, target, settings, how, _Edit(options)) for source, target in jobs]
    results = list(_all(work, options.jobs))
    _show(results, options)
    return max((_code(r, options) for r in results), default=0)


def _targets(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Each source with its output."""
    target = options.target
    if len(options.sources) == 1 and not os.path.isdir(target) and not target.endswith(("/", os.sep)):
        return [(options.sources[0], target)]
    if not options.format:
        raise UsageError("several sources, or a folder for the output, need --format (say --format urdf)")
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
    """UsageError when an output is the source of another one, or what is attached."""
    sources = {os.path.realpath(source): source for source, _ in jobs}
    for source, target in jobs:
        real = os.path.realpath(target)
        if sources.get(real, source) != source or (attached and real == os.path.realpath(attached)):
            raise UsageError(f"the output {target} is a file that is read: write to another name")


def _names(sources: list[str]) -> list[str]:
    """Names of outputs: those of the sources, with those of their folders where several are alike."""
    paths = [os.path.abspath(s) for s in sources]
    names = [os.path.splitext(os.path.basename(p))[0] for p in paths]
    parents = [os.path.basename(os.path.dirname(p)) for p in paths]
    count = Counter(n.casefold() for n in names)
    out: list[str] = []
    taken: set[str] = set()
    for name, parent in zip(names, parents, strict=True):
        made = f"{parent}_{name}" if count[name.casefold()] > 1 and parent else name
        stem, number = made, 2
        while made.casefold() in taken:
            made, number = f"{stem}_{number}", number + 1
        taken.add(made.casefold())
        out.append(made)
    return out


class _Edit:
    """What is changed in a robot between reading and writing."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.subtree, self.prefix, self.names = options.subtree, options.prefix, dict(options.rename)
        self.attach, self.at, self.attach_prefix = options.attach, options.at, options.attach_prefix

    def apply(self, robot: Any, how: Source) -> Any:
        """The changed robot; GraftError when it cannot be changed so."""
        from unibody.conversion.convert import read_source
        from unibody.model.changes.graft import attach, rename, subtree

        if self.subtree:
            robot = subtree(robot, self.subtree)
        if self.prefix or self.names:
            robot = rename(robot, self.names, prefix=self.prefix)
        if self.attach:
            other = read_source(self.attach, how).robot
            assert other is not None
            robot = attach(robot, other, self.at, prefix=self.attach_prefix)
        return robot


class _Job:
    """One source on its way to one output; it goes to another process and back."""

    def __init__(self, source: str, target: str, settings: Options, how: Source, edit: _Edit) -> None:
        self.source, self.target, self.settings, self.how, self.edit = source, target, settings, how, edit

    def run(self) -> _Result:
        """Convert; what goes wrong is in the result."""
        from unibody.conversion.convert import converted, read_source
        from unibody.conversion.save import SaveError
        from unibody.formats.loader import LoadError
        from unibody.model.changes.graft import GraftError

        result = _Result(self.source, self.target)
        try:
            reading = read_source(self.source, self.how)
            made = converted(reading, self.edit.apply(reading.robot, self.how), self.target, self.settings)
        except LoadError as e:
            result.code, result.findings = 1, e.findings
        except SaveError as e:
            result.code, result.findings = 2, e.findings
        except GraftError as e:
            result.code, result.message = 2, str(e)
        else:
            result.text, result.markdown, result.data = made.text(), made.markdown(), made.json()
            result.lost = made.lost
        return result


class _Result:
    """What became of one source, in words and plain data."""

    def __init__(self, source: str, target: str) -> None:
        self.source, self.target = source, target
        self.code, self.lost = 0, False
        self.findings: list[Finding] = []
        self.message = self.text = self.markdown = ""
        self.data: dict[str, Any] = {}

    def line(self) -> str:
        """The result in one line."""
        if self.code:
            return f"{self.source}: not converted"
        count = Counter("carried" if x["carried"] else x["kind"] for x in self.data["losses"])
        count["not read"] = len(self.data["reading"])
        said = ", ".join(f"{n} {word}" for word, n in sorted(count.items()) if n)
        return f"{self.source} → {self.target}: {said or 'nothing lost'}"


def _run(job: _Job) -> _Result:
    return job.run()


def _all(jobs: list[_Job], processes: int) -> Iterator[_Result]:
    """All results in the order of the sources, each as soon as it is there."""
    wanted = min(processes or os.cpu_count() or 1, len(jobs))
    progress = len(jobs) > 1 and sys.stderr is not None and sys.stderr.isatty()
    if wanted <= 1:
        results: Iterator[_Result] = map(_run, jobs)
    else:
        results = _spread(jobs, wanted)
    for k, result in enumerate(results, 1):
        if progress:
            sys.stderr.write(f"\r{k}/{len(jobs)} ")
            sys.stderr.flush()
        yield result
    if progress:
        sys.stderr.write("\r")


def _spread(jobs: list[_Job], processes: int) -> Iterator[_Result]:
    import signal
    from concurrent.futures import ProcessPoolExecutor

    # Ctrl-C goes to all processes of a terminal: this one alone answers it, once those are done.
    quiet = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(processes, initializer=signal.signal, initargs=quiet) as pool:
        try:
            yield from pool.map(_run, jobs)
        except KeyboardInterrupt:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _show(results: list[_Result], options: argparse.Namespace) -> None:
    """Reports on standard output and in the file; findings on standard error."""
    good = [r for r in results if not r.code]
    if options.json:
        data = [r.data for r in good]
        emit_data(data[0] if len(results) == 1 and data else {"reports": data})
    elif len(results) == 1:
        emit(line for r in good for line in r.text.splitlines())
    else:
        emit(r.line() for r in results)
    for r in results:
        if r.findings:
            report(r.findings, False)
        if r.message:
            from unibody.cli.output import complain

            complain("unibody convert", r.message)
    if options.report:
        _write(options.report, good, options.overwrite)


def _check_report(path: str, overwrite: bool) -> None:
    """UsageError, before anything is converted, for a report that cannot be written."""
    if os.path.splitext(path)[1].lower() not in (".txt", ".json", ".md"):
        raise UsageError("--report: its name must end in .txt, .json or .md")
    if os.path.lexists(path) and not overwrite:
        raise UsageError(f"--report: {path} is there already; --overwrite replaces it")


def _write(path: str, results: list[_Result], overwrite: bool) -> None:
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".json":
        data = [r.data for r in results]
        text = (
            json.dumps(data[0] if len(data) == 1 else {"reports": data}, indent=2, ensure_ascii=False)
            + "\n"
        )
    else:
        lines = "\n".join(r.markdown if suffix == ".md" else r.text for r in results).split("\n")
        text = "\n".join(map(clean, lines))
    from unibody.files.access import write_atomic

    try:
        write_atomic(path, text.encode("utf-8", "replace"), overwrite)
    except FileExistsError:
        raise UsageError(f"--report: {path} is there already; --overwrite replaces it") from None
    except OSError as error:
        raise UsageError(f"--report: cannot write {path}: {error.strerror or error}") from None


def _code(result: _Result, options: argparse.Namespace) -> int:
    if result.code:
        return result.code
    return _LOST if options.fail_on_loss and result.lost else 0
