"""Where physics engines have the numbers of joints: ``unibody info --engine``."""

from __future__ import annotations

import argparse

from unibody.cli.options import finish, read_input
from unibody.cli.output import UsageError, emit, emit_data


def run(options: argparse.Namespace) -> int:
    """Print the maps of a model; 1 if an engine rejects it or has other joints, 2 if none is here."""
    from unibody.proof.engines import MAPPED, engines_of
    from unibody.proof.joint_map import JointMap, JointMapError
    from unibody.proof.mapping import joint_map_given
    from unibody.proof.proving import CHANGES, given_of

    if options.only:
        raise UsageError("--engine and --only exclude each other")
    try:
        engines = engines_of(options.engines, MAPPED)
    except ValueError as error:
        raise UsageError(str(error)) from None
    reading = read_input(options.model, options.source_format, options, plain=True)
    if finish(reading, options, found=reading.robot is not None) or reading.robot is None:
        return 2
    changed = any(getattr(options, name, None) for name in CHANGES)
    given = given_of("" if options.model == "-" else options.model, reading, changed=changed)
    found: list[JointMap] = []
    failures: dict[str, JointMapError] = {}
    for engine in engines:
        try:
            found.append(joint_map_given(given, engine.name))
        except JointMapError as error:
            failures[engine.name] = error
    if options.json:
        reasons = [{"engine": name, "reason": str(error)} for name, error in failures.items()]
        emit_data({"robot": reading.robot.name, "engines": [*(each.json() for each in found), *reasons]})
    elif options.python:
        emit("\n\n".join(each.python() for each in found).split("\n"))
        emit(f"# {error}" for error in failures.values())
    else:
        emit(line for each in found for line in each.lines())
        emit(str(error) for error in failures.values())
    if not found and all(error.missing for error in failures.values()):
        return 2
    rejected = any(not error.missing for error in failures.values())
    return int(rejected or not all(each.holds or each.stated for each in found))
