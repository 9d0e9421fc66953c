"""Check a model: its text, numbers, meshes and loops.

Findings are printed on standard output; unibody explain CODE explains them. --mute hides a finding, as
does a comment in the file: "# unibody: mute CODE" in YAML (at the end of a line, for that line only),
"<!-- unibody: mute CODE -->" in XML.

--engine reports what other programs do with this file, with place and remedy: they may reject it, drop
shapes, merge links, fix or free the root, ignore mimic joints or add friction.

--fix corrects findings that have an automatic fix, in the files of the model. It prints the diff first
and writes it after confirmation or with --yes. Nothing else in the files changes.

Several files, folders and patterns give one summary of the findings by rule and by file. A file that
cannot be read, or that crashes its worker, does not stop the others.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.declaration import Option, add
from unibody.cli.exchange import FORMS, Checked
from unibody.cli.options import MODELS, open_input, read_options, settings
from unibody.cli.output import (
    UsageError,
    emit,
    emit_data,
    entries_shown,
    findings_of,
    summary,
    window,
    write_entries,
)
from unibody.text.counted import counted
from unibody.text.finding import SEVERITIES, failing

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.files.access import Files
    from unibody.fixes import Model
    from unibody.formats.loader import Reading
    from unibody.formats.read_options import ReadOptions
    from unibody.text.finding import Finding

EXAMPLE = "unibody check robot.urdf --fail-on warning --mute mesh-open"
CODES = (
    """\
exit codes: 0 no findings of the severity of --fail-on (default: error) or above, 1 such findings, 2 wrong
usage, or the model could not be read (1 with --fail-on); with --fix, for the files after fixing
"""
    + collection.CODES
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    declare(parser, fixes=False)


def declare(parser: argparse.ArgumentParser, *, fixes: bool) -> None:
    """Add the arguments of a command that checks models, and fixes them always or with --fix."""
    add(
        parser,
        MODELS,
        *settings(),
        Option(
            f"--format {{{','.join(('text', *FORMS))}}}",
            "output format (json is the same as --json; jsonl is one line for each file); sarif, github, "
            "gitlab and junit are for other programs (see docs/ci.md)",
            default="text",
        ),
        Option(
            "--engine NAME,…",
            "also report what these programs do differently with the file: RViz, Gazebo, MuJoCo and others "
            "(docs/engines.md)",
            _engines,
            keyword="engines",
            default=(),
        ),
        Option("--mute CODE", "hide findings with this code; repeatable", many=True),
        Option(
            "--fix [WHICH]",
            "print fixes as a diff and write them after confirmation: safe (default: fixes of errors and "
            "warnings that keep the robot the same), all, or codes separated by commas",
            _which,
            many=True,
            bare=["safe"],
        ),
        Option("--yes", "write the fixes without confirmation", needs="" if fixes else "--fix"),
    )
    collection.add_collection(parser)


def _which(text: str) -> list[str]:
    from unibody.cli.fixing import codes

    return codes(text)


def _engines(text: str) -> tuple[str, ...]:
    from unibody.checks.engines import engines_named

    try:
        return tuple(engine.name for engine in engines_named(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(options: argparse.Namespace) -> int:
    """Print the findings; return the exit code."""
    _check_codes(options.mute)
    if options.format not in ("text", "json") and (options.json or options.fix):
        other = "--json" if options.json else "--fix"
        raise UsageError(f"--format {options.format} cannot be combined with {other}")
    if collection.is_collection(options.models, options) or options.format == "jsonl":
        return _run_many(options)
    return _run_one(options.models[0], options)


def _run_one(model: str, options: argparse.Namespace) -> int:
    from unibody.formats.loader import read_with

    as_json = options.json or options.format == "json"
    form = None if options.format == "json" else FORMS.get(options.format)
    fix = _fix(model, options, as_json) if options.fix else None
    name, how = open_input(model, options)
    reading = read_with(name, options.source_format, how)
    kept, muted = _examined(reading, how.files, options)
    if form is not None:
        emit(form([Checked(name, [finding.json("command") for finding in kept])], options))
    elif as_json:
        emit_data(_data(reading, model, kept, muted) | ({"fix": fix} if fix else {}))
    elif fix is None or fix["written"] or not fix["edits"]:
        _print(kept, muted, options, reading)
    if reading.robot is None:
        return 2 if options.fail_on is None else int(options.fail_on != "never")
    return int(
        options.fail_on != "never" and any(f.severity in failing(options.fail_on or "error") for f in kept)
    )


def _examined(
    reading: Reading, files: Files, options: argparse.Namespace
) -> tuple[list[Finding], list[Finding]]:
    """The findings of a model, and those that are muted."""
    from unibody.checks import examine
    from unibody.checks.suppress import split

    return split(examine(reading, files, options.engines), reading.source, options.mute)


def _run_many(options: argparse.Namespace) -> int:
    """Check several files; print their summary, or their records for machines."""
    from unibody.cli.summary import summary_lines

    read_options(options)  # report its usage errors before any work
    found = collection.found_files(options.models)
    with collection.done("check", found, check_file, options) as outcome:
        if not collection.emit_records(outcome.records(), options):
            if options.fix:
                emit(_fix_lines(outcome.records(), options))
            width = window().width
            emit(summary_lines(outcome.records(), options.all_findings, found.skipped, width))
    return outcome.code


def check_file(path: str, options: argparse.Namespace) -> FileRecord:
    """Check one of several files, after fixing it if the options say so."""
    from unibody.batch.record import FileRecord, states
    from unibody.formats.loader import read_with

    how = read_options(options, shared=True)
    fix = _fixed(path, how, options) if options.fix else {}
    start = time.time_ns()
    reading = read_with(path, options.source_format, how)
    kept, muted = _examined(reading, how.files, options)
    data = _data(reading, path, kept, muted)
    findings = data.pop("findings")
    del data["file"]
    read_files = {*reading.opened, *how.files.meter.opened, *how.files.meter.missed}
    return FileRecord(
        path=path,
        value=data | fix,
        findings=tuple(findings),
        reads=states(read_files, None if fix else start),
    )


def _fixed(path: str, how: ReadOptions, options: argparse.Namespace) -> dict[str, Any]:
    """Fix a file with --yes; the fixes as JSON data, with their diff."""
    from unibody.cli.fixing import fix_data, selection
    from unibody.fixes import fixed

    fix = fixed(_model(path, how, options), selection(options.fix))
    written = bool(fix.changes) and options.yes
    if written:
        fix.write()
    return {"fix": fix_data(fix, written) | {"diff": fix.diff() if fix.changes else ""}}


def _fix_lines(records: Iterator[FileRecord], options: argparse.Namespace) -> Iterator[str]:
    """The diffs of all files, and what became of them."""
    changed = findings = 0
    for record in records:
        fix = (record.value or {}).get("fix", {})
        if fix.get("edits"):
            changed += 1
            findings += len(fix["edits"])
            yield from fix["diff"].splitlines()
    if changed:
        said = "written" if options.yes else "not written (use --yes)"
        yield f"{counted(findings, 'edit')} in {counted(changed, 'file')}, {said}"
        yield ""


def _model(path: str, how: ReadOptions, options: argparse.Namespace) -> Model:
    from unibody.fixes import Model

    return Model(path=path, format=options.source_format, options=how, mute=options.mute)


def _fix(path: str, options: argparse.Namespace, as_json: bool) -> dict[str, Any]:
    """Print the fixes, and write them if confirmed; return them as JSON data."""
    from unibody.cli.fixing import apply_fixes, selection

    return apply_fixes(
        _model(path, read_options(options), options), selection(options.fix), options.yes, as_json
    )


def _check_codes(codes: list[str]) -> None:
    """UsageError for an unknown code."""
    if not codes:
        return
    from unibody.checks.rules import rules
    from unibody.text.near import suggestion

    for code in codes:
        if code not in rules():
            hint = suggestion(code, rules(), "unibody explain lists all codes")
            raise UsageError(f"--mute: unknown finding code '{code}'{hint}")


def _data(reading: Reading, path: str, kept: list[Finding], muted: list[Finding]) -> dict[str, Any]:
    return {
        "file": path,
        "format": reading.format.name if reading.format else None,
        "beside": dict(reading.beside),
        "arguments": dict(reading.arguments),
        "readable": reading.robot is not None,
        "counts": {level: sum(f.severity == level for f in kept) for level in SEVERITIES},
        "findings": [f.json("command") for f in kept],
        "muted": [f.json("command") for f in muted],
    }


def _print(
    kept: list[Finding], muted: list[Finding], options: argparse.Namespace, reading: Reading
) -> None:
    everything = options.all_findings or options.fail_on == "info"
    entries = entries_shown(kept, everything)
    write_entries(entries, stderr=False)
    parts = [summary(kept, findings_of(entries)) if kept else "no findings"]
    parts += [f"{len(muted)} muted"] if muted else []
    parts += [f"read with {path}" for path in reading.beside]
    if reading.arguments:
        from unibody.cli.words import arguments_text

        parts.append(f"arguments: {arguments_text(reading.arguments)}")
    emit(["; ".join(parts)])
