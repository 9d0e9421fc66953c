"""Replace collision shapes by simpler ones with certified errors.

--method hull computes one convex hull for each link, parts the hulls of convex parts (CoACD, extra
parts), spheres a set of spheres for cuRobo or VAMP. The shapes contain the mesh unless --no-contain is
given. For each link, two certified bounds are printed: how far the shapes stick out of the mesh, and how
far the mesh sticks out of the shapes.

-o writes the model with its new collision shapes. --spheres writes cuRobo's configuration (.yml or
.json): the spheres, their links, and the pairs that must not be tested.

Several files, folders and patterns are processed in parallel, with a summary. -o is then the folder in
which the tree of the models is written, in the format of --to.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.declaration import Option, add
from unibody.cli.options import MODELS, finish, read_input, read_model, read_options, settings
from unibody.cli.output import (
    UsageError,
    check_outputs,
    emit,
    emit_data,
    emit_errors,
    window,
    write_output,
)
from unibody.cli.pages import add_page, check_page, show_page, wants_page
from unibody.cli.quantity import positive_length

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.conversion.report import Report
    from unibody.formats.loader import Reading
    from unibody.simplification.simplify import Simplification

EXAMPLE = "unibody simplify arm.urdf --method spheres --tolerance 0.02 --spheres arm.yml"
CODES = collection.CODES


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(parser, MODELS, *settings(), collection.FORM)
    add(
        parser.add_argument_group("shapes"),
        Option("--method {hull,parts,spheres}", "the shapes (default: hull)", default="hull"),
        Option(
            "--tolerance LENGTH",
            "approximate distance by which shapes may stick out, in m or with a unit, such as 5mm",
            positive_length,
        ),
        Option(
            "--shapes {collision,visual}",
            "the shapes to simplify (default: collision)",
            default="collision",
        ),
        Option("--link LINK", "simplify only this link; repeatable", many=True, keyword="links"),
        Option("--no-contain", "do not enlarge the shapes until they contain the mesh"),
        Option(
            "--inertias {file,hull}",
            "centers of mass and inertias: those of the file (default), or of the filled convex hulls with "
            "the masses of the file",
            default="file",
        ),
        Option("--fast", "do not compute how far the shapes stick out of the mesh"),
    )
    add(
        parser.add_argument_group("output"),
        Option("-o, --output FILE", "write the model with the new shapes, or a folder for several"),
        Option(
            "--to FORMAT", "output format of several models (see unibody formats)", needs="--output FILE"
        ),
        Option("--spheres FILE", "write the spheres for cuRobo: .yml, .yaml or .json"),
    )
    add_page(parser, "the shapes over the original")
    collection.add_collection(parser)


def run(options: argparse.Namespace) -> int:
    """Simplify, then write, show or print; return the exit code."""
    if options.spheres is not None and options.method != "spheres":
        raise UsageError("--spheres requires --method spheres")
    if collection.is_many(options):
        return _run_many(options)
    check_page(options, (options.model,), prints="the errors")
    check_outputs((options.output, options.spheres), options.overwrite)
    _check_formats(options)
    reading = read_model(options)
    if reading.robot is None:
        return finish(reading, options, found=False)
    found = _simplified(reading, options)
    reading.findings.extend(each for each in found.findings if each not in reading.findings)
    _write(found, reading, options)
    if wants_page(options):
        _show(found, reading, options)
    elif options.json:
        emit_data({"links": [_data(each) for each in found.links]})
    else:
        emit(_text(found))
    return finish(reading, options)


def _run_many(options: argparse.Namespace) -> int:
    """Simplify several models; print a line for each, or their records for other programs."""
    from unibody.batch.collection import InnerPaths
    from unibody.batch.outputs import Outputs
    from unibody.cli.summary import error_lines, skipped_line

    if options.spheres is not None or wants_page(options):
        raise UsageError("--spheres and the page are for one model")
    read_options(options)  # report its usage errors before any work
    folder = options.output
    found = collection.found_files(options.models, folder)
    outputs: Callable[[str], str] | None = None
    if folder is not None:
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise UsageError(f"{folder} is a file; several outputs need a folder")
        if options.to is None:
            raise UsageError("--output of several models requires --to (such as --to urdf)")
        outputs = Outputs(found, InnerPaths(options.models), folder, collection.suffix_of(options.to))
        collection.check_targets(found, outputs)
    with collection.done("simplify", found, simplify_file, options, outputs=outputs) as outcome:
        if not collection.emit_records(outcome.records(), options):
            for line in _rows(outcome.records()):
                emit([line])
            emit([skipped_line(found.skipped)] if found.skipped else [])
            emit_errors(error_lines(outcome.records()))
    return outcome.code


def simplify_file(path: str, options: argparse.Namespace, target: str = "") -> FileRecord:
    """Simplify one of several models, and write it; its value are the links."""
    from unibody.batch.record import FileRecord, states
    from unibody.conversion.output import SaveError

    start = time.time_ns()
    reading = read_input(path, options.source_format, options, shared=True)
    value: dict[str, Any] = {"readable": reading.robot is not None}
    findings, failure = list(reading.findings), ""
    written: tuple[str, ...] = ()
    if reading.robot is not None:
        found = _simplified(reading, options)
        findings += [each for each in found.findings if each not in findings]
        value["links"] = [_data(each) for each in found.links]
        if target:
            try:
                written = _save(found, reading, target, options).files
            except SaveError as error:
                failure = error.findings[0].message
    return FileRecord(
        path=path,
        output=target if written else "",
        value=None if failure else value,
        findings=tuple(finding.json("command") for finding in findings),
        failure=failure,
        reads=(
            *states(collection.files_of(path, reading), start),
            *states(os.path.join(os.path.dirname(target), name) for name in written),
        ),
    )


def _rows(records: Iterator[FileRecord]) -> Iterator[str]:
    """The table of several models."""
    from unibody.cli.summary import tables
    from unibody.cli.table import Column

    numbers = [Column(name, "right") for name in ("links", "kept", "shapes")]
    columns = [
        Column("file", cut=True),
        *numbers,
        Column("sticks out, mm", "point"),
        Column("at"),
        Column(""),
    ]

    def row(record: FileRecord) -> list[str]:
        value = record.value or {}
        if "links" not in value:
            return [record.path, *[""] * 5, "not simplified"]
        links = value["links"]
        known = [each for each in links if each["sticks_out"]]
        worst = max(known, key=lambda each: each["sticks_out"], default=None)
        counts = [len(links), sum(each["kept"] for each in links), sum(each["shapes"] for each in links)]
        open_ = sum(not each["kept"] and each["uncovered"] > 0.0 for each in links)
        return [
            record.path,
            *map(str, counts),
            f"{1e3 * worst['sticks_out']:.3g}" if worst else "",
            worst["link"] if worst else "",
            f"{open_} not contained" if open_ else "",
        ]

    return tables(columns, map(row, records), window().width)


def _check_formats(options: argparse.Namespace) -> None:
    """UsageError if an output has a suffix that is not written; checked before any work is done."""
    from unibody.conversion.destination import target_format
    from unibody.simplification.simplify import spheres_suffix

    with _usage_errors():
        if options.output is not None:
            target_format(options.output, options.to)
        if options.spheres is not None:
            spheres_suffix(options.spheres)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Raise UsageError for an output that cannot be written."""
    from unibody.conversion.output import SaveError

    try:
        yield
    except SaveError as error:
        first = error.findings[0]
        raise UsageError(first.message, first.hint) from None
    except (FileExistsError, ValueError) as error:
        raise UsageError(str(error)) from None


def _simplified(reading: Reading, options: argparse.Namespace) -> Simplification:
    """The simpler robot; UsageError for an unknown link."""
    from unibody.simplification.simplify import simplify

    assert reading.robot is not None
    try:
        return simplify(
            reading.robot,
            options.method,
            options.tolerance,
            contain=options.contain,
            fast=options.fast,
            inertias=options.inertias,
            shapes=options.shapes,
            links=options.links or None,
        )
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def _save(found: Simplification, reading: Reading, target: str, options: argparse.Namespace) -> Report:
    """Write the model with its new shapes."""
    from unibody.conversion.pipeline import save_reading
    from unibody.edits.edit import RobotEdit

    edit = RobotEdit(found.robot)
    return save_reading(reading, target, edit=edit, format=options.to, overwrite=options.overwrite)


def _write(found: Simplification, reading: Reading, options: argparse.Namespace) -> None:
    from unibody.simplification.simplify import packed_spheres

    with _usage_errors():
        if options.spheres is not None:
            write_output(options.spheres, packed_spheres(found, options.spheres), options.overwrite)
        if options.output is not None:
            _save(found, reading, options.output, options)


def _show(found: Simplification, reading: Reading, options: argparse.Namespace) -> None:
    """The page: the new shapes as collision shapes over the original ones."""
    from dataclasses import replace

    import numpy as np

    from unibody.mechanism import assemble
    from unibody.page.data import Origin
    from unibody.simulation.record import Record

    assert reading.robot is not None
    before = {link.name: link for link in reading.robot.links}
    links = tuple(
        replace(
            link, visuals=before[link.name].collisions if options.shapes == "collision" else link.visuals
        )
        for link in found.robot.links
    )
    kind = reading.format
    origin = Origin(file=options.model, format=kind.title if kind else "", asker="command")
    robot = replace(found.robot, links=links)
    q = np.asarray(assemble(robot).initial)[None]
    still = Record(robot=robot, times=np.zeros(1), q=q)
    show_page(still, origin, reading.findings, options, layers=("visual", "collision"))


def _text(found: Simplification) -> list[str]:
    from unibody.cli.table import Column, table

    rows = [
        [
            each.link,
            str(len(each.shapes)),
            "kept" if each.kept else "" if math.isnan(each.sticks_out) else f"{1e3 * each.sticks_out:.3g}",
            "" if each.kept else ("0, proved" if each.contains else f"{1e3 * each.uncovered:.3g}"),
        ]
        for each in found.links
    ]
    columns = [Column("link"), Column("shapes", "right"), Column("sticks out, mm", "point")]
    return table([*columns, Column("uncovered, mm")], rows)


def _data(each: Any) -> dict[str, Any]:
    return {
        "link": each.link,
        "shapes": len(each.shapes),
        "kept": each.kept,
        "sticks_out": None if math.isnan(each.sticks_out) else each.sticks_out,
        "uncovered": each.uncovered,
        "size": each.size,
        "triangles": each.triangles,
    }
