"""Find the pairs of links that can collide, with a witness, and prove which never do.

Each pair of links with collision shapes has a status: adjacent (of one rigid body, or connected by a
joint and not listed as tested), always (in collision), never (proved for all positions within the
limits), possible (with a configuration in collision), or unseen (neither found nor proved). The result is
compared with the pairs that the model tests.

--output writes the pairs that need no test: as an SRDF file with reasons, or into a copy of the model as
Body, MPK or MJCF. An equal --seed gives an equal result, unless --time-limit or Ctrl-C ends the search;
the results so far are shown and written. Several files, folders and patterns give one table; --to then
writes the tree into the folder --output. Needs coal and Pinocchio (extra collision).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.declaration import Option, add
from unibody.cli.options import (
    MISSING,
    MODELS,
    OVERWRITE,
    SKIP_MISSING,
    TESTED_SHAPES,
    finish,
    pairs_option,
    read_input,
    read_model,
    read_options,
    settings,
)
from unibody.cli.output import UsageError, check_outputs, emit, emit_data, emit_errors, is_folder, window
from unibody.cli.progress import Progress
from unibody.cli.quantity import positive, whole
from unibody.cli.world import unread_shapes
from unibody.formats import FORMATS
from unibody.text.counted import and_more, counted

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.collision.matrix import CollisionMatrix, LinkPair, MatrixSearch
    from unibody.formats.format import Format
    from unibody.formats.loader import Reading
    from unibody.mechanism import Mechanism
    from unibody.model.robot import Robot

EXAMPLE = "unibody pairs arm.urdf --output arm.srdf"
CODES = (
    """\
exit codes: 0 no errors, 1 the model has errors but could be read, or the work was interrupted, 2 wrong
usage, or the pairs could not be tested
"""
    + collection.CODES
)
# Formats of --to.
_WRITTEN = {format.name: format for format in FORMATS if format.pairs}
_STATUSES = ("adjacent", "always", "never", "initial", "unseen")
_USUAL = "adjacent,always,never"
# MoveIt's reasons.
_REASONS = {"adjacent": "Adjacent", "always": "Always", "never": "Never"}
# Pairs that are listed; --json has all.
_LISTED = 20


_COUNT = whole(0, 999_999_999)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    from unibody.collision.budget import CELLS, SAMPLES

    add(parser, MODELS, *settings())
    add(
        parser.add_argument_group("work"),
        Option("--samples N", f"number of random configurations (default: {SAMPLES})", _COUNT, SAMPLES),
        Option("--cells N", f"largest number of cells of each proof (default: {CELLS})", _COUNT, CELLS),
        Option("--time-limit S", "search for at most S seconds", positive),
        Option("--seed N", "seed of the samples (default: 0)", _COUNT, 0),
        pairs_option("all"),
        TESTED_SHAPES,
        MISSING,
    )
    add(
        parser.add_argument_group("output"),
        Option("-o, --output FILE", "write the pairs that need no test; a folder for several models"),
        Option(
            f"--to {{{','.join(_WRITTEN)}}}",
            "output format (default: that of the suffix of --output; without --output, the file is named "
            "as MODEL, in the current folder)",
        ),
        Option(
            "--untested STATUS,…",
            f"what needs no test, of {', '.join(_STATUSES)} (default: {_USUAL}); initial: pairs in "
            "collision at the initial pose",
            default=_USUAL,
        ),
        OVERWRITE,
    )
    add(parser, collection.FORM)
    collection.add_collection(parser)


def run(options: argparse.Namespace) -> int:
    """Print the pairs, and write them; return the exit code."""
    words = [word.strip() for word in options.untested.split(",") if word.strip()]
    unknown = [word for word in words if word not in _STATUSES]
    if unknown:
        raise UsageError(f"--untested: unknown status '{unknown[0]}'; known: {', '.join(_STATUSES)}")
    if collection.is_many(options):
        return _run_many(words, options)
    target = _target(options)
    check_outputs((target,), options.overwrite)
    reading = read_model(options)
    if reading.robot is None:
        return finish(reading, options, found=False)
    work = _work(reading.robot, options, reading)
    if work is None:
        return finish(reading, options, found=False)
    interrupted = _worked(work, options)
    matrix = work.result()
    _add_findings(reading, matrix)
    written = _write(reading, matrix, words, target, options) if target is not None else None
    if options.json:
        data = {**_data(matrix, reading.robot), "beside": dict(reading.beside)}
        emit_data({**data, **({"written": target} if target is not None else {})})
    else:
        emit([*_text(matrix, reading), *(written or ())])
    return max(finish(reading, options), int(interrupted))


def _run_many(words: list[str], options: argparse.Namespace) -> int:
    """Print a table of the pairs of several models, or their records for other programs."""
    from unibody.batch.collection import InnerPaths
    from unibody.batch.outputs import Outputs
    from unibody.cli.summary import error_lines, skipped_line, tables
    from unibody.cli.table import Column

    if options.to and options.output is None:
        raise UsageError("--to for several models requires --output FOLDER")
    if options.output is not None and not options.to:
        raise UsageError("--output for several models requires --to")
    read_options(options)
    options.statuses = words
    found = collection.found_files(options.models, options.output)
    outputs = None
    if options.to:
        inner = InnerPaths(options.models)
        outputs = Outputs(found, inner, options.output, _WRITTEN[options.to].suffixes[0])
    with collection.done("pairs", found, pairs_file, options, outputs=outputs) as outcome:
        if not collection.emit_records(outcome.records(), options):
            names = ("pairs", *_ORDER, "wrong", "needless")
            columns = [Column("file", cut=True), *(Column(name, "right") for name in names)]
            rows = (
                [record.path, *(str((record.value or {}).get(name, "")) for name in names)]
                for record in outcome.records()
            )
            for line in tables(columns, rows, window().width):
                emit([line])
            emit(
                [
                    "",
                    "wrong: not tested by the model, yet they collide; needless: tested, yet they never do",
                ]
            )
            emit([skipped_line(found.skipped)] if found.skipped else [])
            emit_errors(error_lines(outcome.records()))
    return outcome.code


def pairs_file(path: str, options: argparse.Namespace, target: str = "") -> FileRecord:
    """Find the pairs of one of several models; its value counts them by status, and lists wrong ones."""
    from unibody.batch.record import FileRecord, states

    start = time.time_ns()
    reading = read_input(path, options.source_format, options, shared=True)
    value: dict[str, Any] = {"readable": reading.robot is not None}
    written: list[str] = []
    work = _work(reading.robot, options, reading) if reading.robot is not None else None
    if work is not None and reading.robot is not None:
        end = None if options.time_limit is None else time.monotonic() + options.time_limit
        for _ in work.steps():
            if end is not None and time.monotonic() >= end:
                break
        matrix = work.result()
        _add_findings(reading, matrix)
        value |= {"complete": matrix.complete, "pairs": len(matrix.pairs)}
        value |= {status: len(matrix.with_status(status)) for status in _ORDER}
        wrong, needless = matrix.wrongly_untested, matrix.needlessly_tested
        value |= {"wrong": len(wrong), "needless": len(needless)}
        value |= {
            "wrong_pairs": [list(p.links) for p in wrong],
            "needless_pairs": [list(p.links) for p in needless],
        }
        if target:
            written = [target]
            _write(reading, matrix, options.statuses, target, options)
    return FileRecord(
        path=path,
        output=target,
        value=value,
        findings=tuple(f.json("command") for f in reading.findings),
        reads=(*states(collection.files_of(path, reading), start), *states(written)),
    )


def _target(options: argparse.Namespace) -> str | None:
    """The file to write; UsageError if it is the model, or a folder."""
    if options.output is not None and is_folder(options.output):
        raise UsageError(f"--output {options.output}: expected a file, got a folder")
    if options.to is None:
        if options.output is None:
            return None
        suffix = os.path.splitext(options.output)[1].lower()
        options.to = next((name for name, own in _WRITTEN.items() if suffix in own.suffixes), None)
        if options.to is None:
            raise UsageError(
                f"--output {options.output}: the format is unknown; add --to {', '.join(_WRITTEN)}"
            )
    name = "model" if options.model == "-" else os.path.basename(options.model)
    target: str = options.output or os.path.splitext(name)[0] + _WRITTEN[options.to].suffixes[0]
    if os.path.exists(target) and os.path.exists(options.model) and os.path.samefile(target, options.model):
        raise UsageError(f"{target} is the model; choose another file with --output")
    return target


def _work(robot: Robot, options: argparse.Namespace, reading: Reading) -> MatrixSearch | None:
    """The work to do; None with a finding if the robot cannot be assembled."""
    from unibody.collision.geometry import CollisionError, MissingMesh
    from unibody.collision.matrix import MatrixSearch
    from unibody.mechanism import AssembleError
    from unibody.text.finding import Finding

    try:
        return MatrixSearch(
            robot,
            samples=options.samples,
            cells=options.cells,
            seed=options.seed,
            pairs=options.pairs,
            shapes=options.shapes,
            missing=options.missing,
        )
    except MissingMesh as error:
        raise UsageError(error.what, SKIP_MISSING) from None
    except CollisionError as error:
        raise UsageError(str(error)) from None
    except AssembleError as error:
        reading.findings.append(
            Finding("cannot-assemble", "error", f"the pairs cannot be tested: {error}", None)
        )
        return None


def _add_findings(reading: Reading, matrix: CollisionMatrix) -> None:
    """Add what reading shapes has found, and which are not tested."""
    # what was not found is listed as not tested
    found = (f for f in matrix.findings if f.code != "mesh-missing")
    reading.findings.extend(f for f in found if f not in reading.findings)
    reading.findings.extend(unread_shapes(matrix.unread))


def _worked(work: MatrixSearch, options: argparse.Namespace) -> bool:
    """Do the work, until it ends, or the time is up; whether it was interrupted."""
    bar = Progress()
    end = None if options.time_limit is None else time.monotonic() + options.time_limit
    try:
        for done in work.steps():
            bar.show(f"{len(work.world.pairs):6d} pairs", done / max(1, work.total))
            if end is not None and time.monotonic() >= end:
                break
    except KeyboardInterrupt:
        bar.end()
        if sys.stderr is not None:
            sys.stderr.write("unibody pairs: interrupted; this is what is known so far\n")
        return True
    bar.end()
    return False


def _write(
    reading: Reading, matrix: CollisionMatrix, words: list[str], target: str, options: argparse.Namespace
) -> list[str]:
    """Write the pairs; the lines to print."""
    from dataclasses import replace

    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import save, save_reading
    from unibody.edits.edit import RobotEdit
    from unibody.formats.srdf.reasons import with_reasons

    assert reading.robot is not None
    rules, format = matrix.rules(words), _WRITTEN[options.to]
    if format.completes:
        off = set(rules.disabled)
        reasons = {pair.links: _reason(pair) for pair in matrix.pairs if pair.links in off}
        robot = with_reasons(reading.robot, rules, reasons)
    else:
        own = matrix.rules(words, "none") if format.pairs == "enabled" else rules
        robot = replace(reading.robot, self_collision=own)
    overwrite = options.overwrite
    try:
        if format.completes:
            report = save(robot, target, format=format, overwrite=overwrite)
        else:  # in the text of the model, if that is of the format
            report = save_reading(
                reading, target, edit=RobotEdit(robot), format=format, overwrite=overwrite
            )
    except SaveError as error:
        raise UsageError(error.findings[0].message) from None
    lines = ["", f"{target}: {len(rules.disabled)} of {len(matrix.pairs)} pairs need no test"]
    # what such a file does not say is in the model that it completes
    return lines if format.completes else [*lines, f"  {report.headline()}"]


def _reason(pair: LinkPair) -> str:
    from unibody.collision.matrix import INITIAL

    return _REASONS.get(pair.status, "Default" if pair.found == INITIAL else "User")


def _text(matrix: CollisionMatrix, reading: Reading) -> list[str]:
    """The pairs in words."""
    robot = matrix.mechanism.robot
    title = " with ".join((robot.name, *reading.beside))
    if not matrix.pairs:
        return [f"{title}: no two links have collision shapes"]
    states = {status: matrix.with_status(status) for status in _ORDER}
    out = [f"{title}: {counted(len(matrix.pairs), 'pair')} of links with collision shapes"]
    for status, pairs in states.items():
        if pairs:
            out.append(f"  {len(pairs):5d} {_WORDS[status]}")
    wrong, reasons = matrix.wrongly_untested, _reasons(robot)
    out += _listed(
        "Not tested by the model, yet they collide",
        [[*p.links, _because(reasons, p), _where(matrix.mechanism, p)] for p in wrong],
    )
    always = [[*p.links, _joined(robot, p, reading.format)] for p in states["always"] if p.tested]
    out += _listed("Always in collision, and tested by the model", always)
    at_start = [p for p in matrix.with_status("possible") if p.tested and p.found == _INITIAL]
    out += _listed("In collision at the initial pose, and tested", [[*p.links] for p in at_start])
    never = [[*p.links] for p in matrix.needlessly_tested]
    out += _listed("Tested by the model, yet they never collide", never)
    out += _listed(
        "Neither found to collide nor proved",
        [[*p.links, f"{p.samples} samples, {p.cells} cells"] for p in states["unseen"]],
    )
    return out


_INITIAL = "initial pose"
_ORDER: tuple[Any, ...] = ("adjacent", "always", "never", "possible", "unseen")
_WORDS = {
    "adjacent": "adjacent: of one rigid body, or joined by a joint",
    "always": "always in collision",
    "never": "never in collision: proved within the limits",
    "possible": "possible: positions are known in which they collide",
    "unseen": "unseen: neither found nor proved",
}


def _listed(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    from unibody.cli.table import Column, table

    if not rows:
        return []
    columns = [Column() for _ in range(max(map(len, rows)))]
    more = [f"  {and_more(len(rows) - _LISTED)} (--json lists all)"] if len(rows) > _LISTED else []
    return ["", f"{title} ({len(rows)})", *table(columns, rows[:_LISTED]), *more]


def _reasons(robot: Robot) -> dict[frozenset[str], str]:
    from unibody.formats.srdf.reasons import reasons_of

    return reasons_of(robot)


def _because(reasons: dict[frozenset[str], str], pair: LinkPair) -> str:
    """The reason of the model, in quotes."""
    reason = reasons.get(frozenset(pair.links), "")
    return f'"{reason}"' if reason else ""


def _joined(robot: Robot, pair: LinkPair, format: Format | None) -> str:
    """Of neighbors that are tested: what the format says of them."""
    from unibody.model.collision import PairRules

    if not PairRules(robot).are_adjacent(*pair.links):
        return ""
    if format is None or format.untested is None:
        return "joined by a joint"
    return format.untested()(robot, *pair.links)


def _where(mechanism: Mechanism, pair: LinkPair) -> str:
    """The positions of a witness that are not initial."""
    from unibody.cli.words import fixed

    if pair.found == _INITIAL:
        return f"at the {_INITIAL}"
    words = [
        f"{name}={','.join(fixed(v, 4) for v in (value if isinstance(value, list) else [value]))}"
        for name, value in witness_positions(mechanism, pair).items()
    ]
    return f"at {' '.join(words)}"


def witness_positions(mechanism: Mechanism, pair: LinkPair) -> dict[str, Any]:
    """The positions of a witness that are not initial, by joint."""
    from unibody.cli.positions import named

    given = named(mechanism, pair.witness)
    initial = named(mechanism, mechanism.apply_couplings(mechanism.initial))
    return {name: value for name, value in given.items() if value != initial[name]}


def _data(matrix: CollisionMatrix, robot: Robot) -> dict[str, Any]:
    reasons = _reasons(robot)
    pairs = []
    for pair in matrix.pairs:
        item: dict[str, Any] = {"links": list(pair.links), "status": pair.status, "tested": pair.tested}
        if pair.witness is not None:
            item |= {"found": pair.found, "witness": witness_positions(matrix.mechanism, pair)}
        if pair.samples:
            item |= {"share": pair.share, "samples": pair.samples}
        if pair.cells:
            item["cells"] = pair.cells
        if frozenset(pair.links) in reasons:
            item["reason"] = reasons[frozenset(pair.links)]
        pairs.append(item)
    return {"complete": matrix.complete, "pairs": pairs}
