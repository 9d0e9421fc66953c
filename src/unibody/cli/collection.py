"""Commands on many files: their options, the run with its record, progress and exit code."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.output import UsageError, complain, emit, emit_json
from unibody.cli.progress import Progress
from unibody.cli.quantity import positive, whole
from unibody.text.counted import counted
from unibody.text.finding import SEVERITIES, failing
from unibody.text.installation import install_command

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from unibody.batch.collection import Collection
    from unibody.batch.record import FileRecord
    from unibody.batch.run_record import RunRecord
    from unibody.formats.loader import Reading

#: Exit codes of a command that was given several files.
CODES = """\
exit codes for several files, and for one with --fail-on: 0 nothing of the severity of --fail-on or above,
1 findings of it, or files that could not be read, 2 wrong usage, something named cannot be looked at, or
the log cannot be written, 130 interrupted
"""
_INTERRUPTED = 130
# Files after which the remaining time can be told.
_KNOWN = 10
# Up to this number of files begin in the process of the command, and go on there for this processor time
# (s): to begin a worker takes about as long as to check ten small files.
_FEW, _SHORT = 8, 1.0

#: The work on one file: its path, the options of the command, and the path of its output if the command
#: writes one for each file; called in a worker.
FileWork = Callable[..., "FileRecord"]

# Options that no worker needs, and such that are only for output: values do not depend on them.
_OWN = frozenset("run models sources".split())
_NEUTRAL = _OWN | frozenset(
    "all_findings fail_on fail_fast format json jobs cluster log resume timeout overwrite report "
    "html csv parquet pages pictures target output model first second all".split()
)


def add_collection(parser: argparse.ArgumentParser, fails: str = "error") -> None:
    """Add the group of options of several files; ``fails`` is the default of --fail-on."""
    add(
        parser.add_argument_group("several files, folders and patterns"),
        Option("--jobs N", "number of processes (default: all cores)", whole(1, 9999), default=0),
        Option(
            f"--fail-on {{{','.join((*SEVERITIES, 'never'))}}}",
            f"lowest severity that gives exit code 1 (default: {fails}); a file that cannot be read is an "
            "error",
        ),
        Option("--fail-fast", "stop at the first file that gives exit code 1"),
        Option("--timeout S", "give up a file after this time and continue with the next", positive),
        Option("--log FILE", "write the log of the run: JSON lines, one per file"),
        Option(
            "--resume FILE",
            "continue the run of this log, or start it: finished files are skipped, unless the file, the "
            "options or the program changed",
        ),
        Option("--cluster ADDRESS", "work on the dask cluster of this scheduler (tcp://host:8786)"),
    )


#: The form of a result whose text has no other forms than JSON.
FORM = Option(
    "--format {text,json,jsonl}",
    "output format (json is the same as --json; jsonl is one line for each file)",
    default="text",
)


def is_many(options: argparse.Namespace) -> bool:
    """Whether the models of a command are a collection; else ``options.model`` is the one model."""
    if collection_form(options) or is_collection(options.models, options):
        return True
    (options.model,) = options.models
    return False


def collection_form(options: argparse.Namespace) -> bool:
    """Whether --format is for collections; --format json becomes --json."""
    options.json = options.json or options.format == "json"
    return bool(options.format == "jsonl")


def is_collection(operands: Sequence[str], options: argparse.Namespace) -> bool:
    """Whether the command line is about several files, or about one with an option that is for several."""
    if len(operands) != 1:
        return True
    (one,) = operands
    if options.log or options.resume or options.cluster or options.timeout:
        return True
    is_pattern = any(mark in one for mark in "*?[") and not os.path.lexists(one)
    return is_pattern or os.path.isdir(one)


@dataclass(frozen=True)
class OneFile:
    """The work on one file of a collection, to be sent to a worker.

    Paths are relative to ``folder``, the current one of the command, which is the worker's as well; on a
    cluster it must exist on every machine. There, a worker with another version of the program, or other
    code (``program``), refuses; workers of this machine run the command's own. ``named``: there are files
    that were named themselves.
    """

    work: FileWork
    options: argparse.Namespace
    folder: str
    program: tuple[str, str] | None = None
    named: bool = True

    def __call__(self, path: str, *output: str) -> FileRecord:
        """The record of a file."""
        from unibody.batch.record import FileRecord

        if self.program is not None and self.program != (here := _program()):
            theirs, ours = ("{} ({})".format(*each) for each in (here, self.program))
            raise RuntimeError(f"the worker has unibody {theirs}, the command {ours}")
        if os.getcwd() != self.folder:
            os.chdir(self.folder)
        try:
            record = self.work(path, self.options, *output)
            return record if self.named else _excused(record)
        except UsageError as error:
            return FileRecord(path=path, failure=f"{error}; {error.hint}" if error.hint else str(error))


def _program() -> tuple[str, str]:
    """The version of this program, and a digest of its code."""
    from unibody import __version__
    from unibody.batch.program import code_digest

    return __version__, code_digest()


def _excused(record: FileRecord) -> FileRecord:
    """The record of a file in a folder, where a model whose arguments have to be given is no error."""
    value = record.value or {}
    errors = [finding for finding in record.findings if finding["severity"] == "error"]
    needed = bool(errors) and all(finding["code"] == "argument-missing" for finding in errors)
    if value.get("readable") is not False or not needed:
        return record
    value = {**value, "readable": None}
    if "counts" in value:
        counts = value["counts"]
        value["counts"] = {**counts, "error": 0, "warning": counts["warning"] + len(errors)}
    findings = (f | {"severity": "warning"} if f in errors else f for f in record.findings)
    return replace(record, value=value, findings=tuple(findings))


def files_of(path: str, *readings: Reading) -> set[str]:
    """The files that the result of one file depends on: all that were read, looked for, or referred to."""
    from unibody.conversion.asset_paths import file_paths

    out = {path}
    for reading in readings:
        out |= reading.opened | reading.missed
        out |= file_paths(reading.robot) if reading.robot is not None else set()
    return out


class Outcome:
    """What became of a collection: its files, and the record of the run, from which output is made."""

    def __init__(self, files: Collection, record: RunRecord, code: int, left: int) -> None:
        self.files, self._record, self.code, self.left = files, record, code, left

    def records(self) -> Iterator[FileRecord]:
        """The records of the files that are done, in the order of the files."""
        return self._record.records()

    def lines(self) -> Iterator[str]:
        """The same as lines of JSON."""
        return self._record.lines()


@contextmanager
def done(
    command: str,
    files: Collection,
    work: FileWork,
    options: argparse.Namespace,
    fails: Callable[[FileRecord], bool] | None = None,
    outputs: Callable[[str], str] | None = None,
) -> Iterator[Outcome]:
    """Do the work on all files that the log lacks; UsageError without any, or if it cannot be written.

    ``fails`` tells which files give exit code 1, by default those with findings of --fail-on, or without
    a value. ``outputs`` gives the path of the output of each file, which is sent with it.
    """
    from unibody.batch.mapping import ExecutorLost
    from unibody.batch.program import package_versions
    from unibody.batch.run_record import Run, RunRecord, RunRecordError

    last = files.problems[-1] if files.problems and not len(files) else None
    for problem in files.problems:
        if problem is not last:
            complain(f"unibody {command}", str(problem))
    if last is not None:
        raise UsageError(str(last))
    fails = fails or partial(has_severity, fail_on=options.fail_on or "error")
    version, digest = _program()
    program = {"unibody": version, "code": digest, "packages": package_versions()}
    run = Run(program, command, _stated(options))
    path = options.resume or options.log
    if options.resume and options.log and options.resume != options.log:
        raise UsageError("--log and --resume name different files; use --resume alone to continue a log")
    try:
        record = RunRecord(run, path, resume=bool(options.resume))
    except RunRecordError as error:
        raise UsageError(str(error)) from None
    sent = argparse.Namespace(**_sent(options))
    task = OneFile(work, sent, os.getcwd(), (version, digest) if options.cluster else None, files.has_named)
    code = 2 if files.problems else 0
    counter = _Counter(files, outputs)
    try:
        for result in counter.results(record, task, options):
            if fails(result):
                code = max(code, 1)
                if options.fail_fast:
                    break
    except KeyboardInterrupt:
        _tell(command, "interrupted", counter, path)
        code = _INTERRUPTED
    except (RunRecordError, ExecutorLost) as error:
        raise UsageError(
            str(error), _advice(counter, path if isinstance(error, ExecutorLost) else None)
        ) from None
    else:
        if counter.left:
            _tell(command, "stopped by --fail-fast", counter, path)
        # the files that were done before count, too
        if code == 0 and counter.resumed and any(map(fails, record.records())):
            code = 1
    try:
        yield Outcome(files, record, code, counter.left)
    finally:
        record.close()


class _Counter:
    """Counts the files of a run while they are done."""

    def __init__(self, files: Collection, outputs: Callable[[str], str] | None) -> None:
        self._files, self._total, self._outputs = files, len(files), outputs
        self._done = 0
        self.resumed = 0

    @property
    def left(self) -> int:
        """The number of files that are not done."""
        return self._total - self._done - self.resumed

    def results(
        self, record: RunRecord, task: OneFile, options: argparse.Namespace
    ) -> Iterator[FileRecord]:
        """Do and record what the record lacks, with a bar that shows it."""
        from unibody.batch.run_record import RecordedRun

        bar = Progress()
        start = time.monotonic()
        outputs = self._outputs
        jobs = ((path, outputs(path)) if outputs else (path,) for path in self._files)
        run = RecordedRun(record, jobs)
        with executor(options, self._total) as chosen:
            results = self._applied(task, run.missing(), chosen, options)
            try:
                for result in results:
                    run.add(result)
                    self._done, self.resumed = self._done + 1, run.resumed
                    self._show(bar, start)
                    yield result
                self.resumed = run.resumed
            finally:
                results.close()
                bar.end()

    def _applied(
        self, task: OneFile, jobs: Iterator[tuple[str, ...]], chosen: Executor, options: argparse.Namespace
    ) -> Generator[FileRecord, None, None]:
        """The records of jobs: of a few files first here, then those of the executor.

        With a log, each file has to be done in a worker, so that no file ends each run that continues it.
        """
        from unibody.batch.mapping import apply, attempt

        asked = options.jobs or options.cluster or options.timeout or options.log or options.resume
        if self._total <= _FEW and not asked:
            start = time.process_time()
            for job in jobs:
                yield attempt(task, *job)
                if time.process_time() - start > _SHORT:
                    break
        yield from apply(task, jobs, chosen)

    def _show(self, bar: Progress, start: float) -> None:
        seconds = max(time.monotonic() - start, 1e-3)
        ready = self._done + self.resumed
        rate = self._done / seconds
        # The first files wait for the workers to begin.
        left = f", {_clock(self.left / rate)} left" if self._done >= _KNOWN else ""
        bar.show(f"{ready}/{self._total} {rate:.1f}/s{left}", ready / self._total)


def _clock(seconds: float) -> str:
    """A time in hours, minutes and seconds.

    >>> _clock(75), _clock(7322)
    ('1:15', '2:02:02')
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def _tell(command: str, why: str, counter: _Counter, path: str | None) -> None:
    complain(
        f"unibody {command}", f"{why}: {counted(counter.left, 'file')} not done", _advice(counter, path)
    )


def _advice(counter: _Counter, path: str | None) -> str:
    return f"continue with --resume {path}" if path and counter.left else ""


@contextmanager
def executor(options: argparse.Namespace, files: int) -> Iterator[Executor]:
    """The executor that the options ask for: processes here, or a cluster."""
    if options.cluster:
        yield from _cluster(options)
        return
    from unibody.batch.workers import Workers

    workers = Workers(max(1, min(options.jobs or os.cpu_count() or 1, files)), options.timeout)
    try:
        yield workers
    finally:
        workers.shutdown(cancel_futures=True)


def _cluster(options: argparse.Namespace) -> Iterator[Executor]:
    if options.timeout:
        raise UsageError("--timeout is for processes of this machine, not for --cluster")
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UsageError("--cluster needs dask", install_command("cluster")) from None
    _silence_logs()
    try:
        client = distributed.Client(options.cluster, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        why = str(error).partition("\n")[0]
        raise UsageError(f"cannot reach the cluster {options.cluster}: {why}") from None
    try:
        yield client.get_executor()
    finally:
        client.close()


def _silence_logs() -> None:
    """Leave out what dask logs of lost workers and schedulers, which the command tells in one line."""
    import logging

    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _stated(options: argparse.Namespace) -> dict[str, Any]:
    """The options that the values of a record depend on."""
    return {name: value for name, value in sorted(_sent(options).items()) if name not in _NEUTRAL}


def _sent(options: argparse.Namespace) -> dict[str, Any]:
    """The options that workers need."""
    return {name: value for name, value in vars(options).items() if name not in _OWN}


def found_files(operands: Iterable[str], left_out: str | None = None) -> Collection:
    """The files of the operands, with a bar while folders are searched; UsageError if there are none.

    ``left_out`` is the folder of the outputs, which is not searched where it is inside another one.
    """
    from unibody.batch.collection import collect

    operands = list(operands)
    if "-" in operands:
        raise UsageError("standard input (-) can only be read alone, and not with these options")
    bar = Progress()
    files = collect(
        operands, found=lambda count: bar.show(f"{counted(count, 'model')} found"), left_out=left_out
    )
    bar.end()
    if not len(files) and not files.problems:
        where = ", ".join(operands)
        raise UsageError(f"no models in {where} ({counted(files.skipped, 'file')} skipped: not models)")
    return files


def suffix_of(name: str) -> str:
    """The suffix of outputs in a format; UsageError for an unknown one."""
    from unibody.formats import FORMATS, by_name

    format = by_name(name)
    if format is None:
        raise UsageError(f"unknown format '{name}'; known formats: {', '.join(f.name for f in FORMATS)}")
    return format.suffixes[0]


def check_targets(found: Iterable[str], outputs: Callable[[str], str], attach: str | None = None) -> None:
    """UsageError if an output is one of the sources, or the attached file."""
    sources = {_key(os.path.realpath(path)) for path in found}
    attached = os.path.realpath(attach) if attach else None
    for path in found:
        real = os.path.realpath(target := outputs(path))
        if real == attached or (_key(real) in sources and real != os.path.realpath(path)):
            raise UsageError(f"the output {target} is also a source; write to another name")


def _key(text: str) -> bytes:
    from hashlib import blake2b

    return blake2b(os.fsencode(text), digest_size=16).digest()


def has_severity(record: FileRecord, fail_on: str) -> bool:
    """Whether a record has findings of this severity or above, or is of a file that could not be read."""
    if fail_on == "never":
        return False
    if (record.value or {}).get("readable") is False:
        return True
    return any(record.count(severity) for severity in failing(fail_on))


def emit_records(records: Iterable[FileRecord], options: argparse.Namespace) -> bool:
    """Write records to standard output in the form for other programs that is asked for; whether one is."""
    from unibody.cli.exchange import FORMS

    format = "json" if options.json else getattr(options, "format", "text")
    if format not in FORMS:
        return False
    for line in FORMS[format](records, options):
        if format in ("json", "jsonl"):
            emit_json(f"{line}\n")
        else:
            emit([line])
    return True
