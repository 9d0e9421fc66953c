"""Show the content of a model.

Prints its name, counts and mass, the tree of links, and tables of joints, masses and devices. Loops,
couplings, coordinates, named configurations, groups and frames follow if there are any. Angles are in
degrees, lengths in meters, masses in kilograms.

Several files, folders and patterns give one table with a row for each model.

--engine loads the file in physics engines and prints the indices of each joint in their q and v, with
sign, zero and unit. They are verified by moving one joint after the other in the engine. Those of
Choreonoid and ros2_control follow the rules of these programs and are not verified.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from unibody.cli import collection, output
from unibody.cli.declaration import Option, add
from unibody.cli.options import MODELS, finish, read_input, read_model, read_options, settings
from unibody.cli.output import UsageError, Window, emit, emit_data, emit_errors, jsonable, window
from unibody.cli.prove import ENGINE
from unibody.proof.engines import MAPPED

if TYPE_CHECKING:
    from unibody.batch.record import FileRecord
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot

EXAMPLE = "unibody info robot.urdf --only tree"
CODES = (
    output.CODES
    + collection.CODES
    + """\
exit codes with --engine: 0 all joints are verified, or their places are stated by rules, 1 an engine
rejects the file, has joints otherwise, or finds none of its own in it, 2 wrong usage, the model has errors,
or no engine is here
"""
)

# The sections, in the order in which they are printed, and their titles.
SECTIONS = {
    "summary": "",
    "tree": "Links and parent joints",
    "joints": "Joints",
    "masses": "Masses in kg, centers of mass in m",
    "devices": "Devices: positions in m, rotations in degrees",
    "loops": "Loops, with their gaps at the initial pose",
    "couplings": "Joint couplings",
    "coordinates": "Coordinates of MPK, from t = 0 to t = 1",
    "frames": "Frames: positions in m, rotations in degrees",
    "configurations": "Configurations",
    "groups": "Groups of links and joints",
    "extras": "Vendor data: kept for files of this format, without a meaning in the model",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    only = f"print only this section; repeatable: {', '.join(SECTIONS)}"
    sections = Option("--only SECTION", only, choices=tuple(SECTIONS), many=True)
    engine = Option(
        ENGINE.spelling,
        "print the indices of joints in the q and v of these engines: "
        f"{', '.join(each.name for each in MAPPED)}",
        keyword="engines",
    )
    python = Option(
        "--python",
        "print Python code that converts q for the engine and back",
        needs=engine.names[0],
    )
    add(parser, MODELS, *settings(), sections, engine, python, collection.FORM)
    collection.add_collection(parser)


def run(options: argparse.Namespace) -> int:
    """Print the model; return the exit code."""
    if collection.is_many(options):
        if options.engines:
            raise UsageError("--engine is for one file")
        return _run_many(options)
    if options.engines:
        from unibody.cli import joint_maps

        return joint_maps.run(options)
    reading = read_model(options)
    robot = reading.robot
    if robot is None:
        return finish(reading, options, found=False)
    if options.json:
        from unibody.cli.content import content

        data = content(robot, reading)
        emit_data({k: v for k, v in data.items() if not options.only or _section(k) in options.only})
    else:
        emit(_text(robot, reading, options))
    return finish(reading, options)


def _run_many(options: argparse.Namespace) -> int:
    """Print a table of several models, or their records for other programs."""
    from unibody.cli.summary import error_lines, skipped_line
    from unibody.text.counted import counted

    read_options(options)  # report its usage errors before any work
    found = collection.found_files(options.models)
    with collection.done("info", found, info_file, options) as outcome:
        if not collection.emit_records(outcome.records(), options):
            for line in _rows(outcome.records()):
                emit([line])
            read = sum(bool((record.value or {}).get("readable")) for record in outcome.records())
            emit(["", f"{read} of {counted(len(found), 'file')} read"])
            emit([skipped_line(found.skipped)] if found.skipped else [])
            emit_errors(error_lines(outcome.records()))
    return outcome.code


def info_file(path: str, options: argparse.Namespace) -> FileRecord:
    """The content of one of several models: its summary, or the sections of --only."""
    from unibody.batch.record import FileRecord, states
    from unibody.cli.content import content

    start = time.time_ns()
    reading = read_input(path, options.source_format, options, shared=True)
    value: dict[str, Any] = {"readable": reading.robot is not None}
    if reading.robot is not None:
        data = content(reading.robot, reading)
        wanted = options.only or ("summary",)
        value |= {key: data[key] for key in data if _section(key) in wanted and key != "file"}
    findings = tuple(f.json("command") for f in reading.findings)
    return FileRecord(
        path=path,
        value=jsonable(value),
        findings=findings,
        reads=states(collection.files_of(path, reading), start),
    )


def _rows(records: Iterator[FileRecord]) -> Iterator[str]:
    """The table of several models."""
    from unibody.cli.summary import tables
    from unibody.cli.table import Column
    from unibody.cli.words import fixed

    names = ("links", "joints", "devices", "loops")
    numbers = [Column(name, "right", drop=2 if name == "loops" else 1) for name in names]
    columns = [Column("file", cut=True), Column("name"), Column("format"), *numbers, Column("kg", "point")]

    def row(record: FileRecord) -> list[str]:
        value = record.value or {}
        if "counts" not in value:
            why = {True: "", None: "arguments are missing"}.get(
                value.get("readable", False), "cannot be read"
            )
            return [record.path, why, *[""] * 6]
        counts = [str(value["counts"][name]) for name in names]
        mass = value["mass"]
        weight = "unknown" if mass is None else fixed(mass, 4) if isinstance(mass, float) else str(mass)
        return [record.path, value["name"], value["format"], *counts, weight]

    return tables(columns, map(row, records), window().width)


def _section(key: str) -> str:
    """The section of a key of the JSON output."""
    return {"links": "tree"}.get(key, key if key in SECTIONS else "summary")


def _text(robot: Robot, reading: Reading, options: argparse.Namespace) -> list[str]:
    shown = window()
    wanted = options.only or SECTIONS
    out: list[str] = []
    for name, title in SECTIONS.items():
        if name not in wanted:
            continue
        lines = _section_lines(name, robot, reading, shown)
        if not lines and not options.only:
            continue
        if out:
            out.append("")
        out += [title] if title else []
        out += lines or ["  none"]
    return out


def _section_lines(name: str, robot: Robot, reading: Reading, shown: Window) -> list[str]:
    from unibody.cli import sections, words

    if name == "summary":
        file = reading.source.name if reading.source else ""
        title = reading.format.title if reading.format else ""
        arguments = words.arguments_text(reading.arguments)
        return sections.summary(robot, file, ", ".join(reading.beside), title, shown, arguments)
    if name == "loops":
        from unibody.checks.loops import gaps
        from unibody.text.finding import Findings

        findings = Findings()
        lines = sections.loops(robot, gaps(robot, findings), shown)
        reading.findings.extend(findings)
        return lines
    section: Callable[[Any, Window], list[str]] = getattr(sections, name)
    return section(robot, shown)
