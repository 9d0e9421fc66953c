"""Compare a model file in physics engines with the model.

Each engine loads the file itself, in its own process with limits of memory and time: B, or A without B. If
the engine does not read the format, it loads a file that is written for it. The engine's numbers are
compared with the mechanism of A at random states: poses of links, masses, mass matrix, bias forces,
accelerations, limits. For deviations, the known importer mistake that explains the numbers is named.

Engines are found in the interpreters or virtual environments of UNIBODY_ENGINES (make engines makes one),
then in that of this command.
"""

from __future__ import annotations

import argparse
from typing import Any

from unibody.cli.declaration import Option, add, keywords
from unibody.cli.options import JSON, read_input, reading_options
from unibody.cli.output import UsageError, emit, emit_data, emit_failure, report
from unibody.proof.engines import ENGINES

EXAMPLE = "unibody prove robot.urdf --engine mujoco,pinocchio"
CODES = """\
exit codes: 0 every engine that is here has the same numbers, or others for a known cause; 1 an engine
rejects the file, or differs without a known cause; 2 wrong usage, a model cannot be read, or no engine is
here
"""

ENGINE = Option(
    "--engine NAME,…",
    f"engines to ask: {', '.join(engine.name for engine in ENGINES)} (default: all that are installed)",
    keyword="engines",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("A", "a model file", keyword="first"),
        Option("[B]", "the file to compare, such as A in another format", keyword="second"),
        ENGINE,
        Option("--states N", "number of random states to compare (default: 1000)", _count),
        Option(
            "--trajectory",
            "compare a damped motion of 5 s, too, which the engine and unibody integrate by the same steps",
        ),
        Option(
            "--seconds S",
            "end an engine, and the search for causes, after this time (default: 120)",
            _seconds,
        ),
        *reading_options(),
        JSON,
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 1000000, got '{text}'")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got '{text}'")
    return value


def run(options: argparse.Namespace) -> int:
    """Print what the engines have; return the exit code."""
    from unibody.proof.proving import CHANGES, given_of, prove_given

    paths = [options.first] if options.second is None else [options.first, options.second]
    alone = len(paths) == 1
    readings = []
    for number, path in enumerate(paths):
        format = options.source_format if not number else None
        readings.append(read_input(path, format, options, not alone, plain=alone or bool(number)))
    errors = [finding for each in readings for finding in each.findings if finding.severity == "error"]
    if errors or any(each.robot is None for each in readings):
        report(errors, False)
        if options.json:
            emit_failure([finding for each in readings for finding in each.findings])
        return 2
    changed = any(getattr(options, name, None) for name in CHANGES)
    first, *rest = [
        given_of(path, each, changed=changed) for path, each in zip(paths, readings, strict=True)
    ]
    target = rest[0] if rest else first
    try:
        proof = prove_given(first, target, **keywords(options, prove_given))
    except ValueError as error:
        raise UsageError(str(error)) from None
    if options.json:
        emit_data(proof.json())
    else:
        emit(str(proof).split("\n"))
    return exit_code(proof)


def exit_code(proof: Any) -> int:
    """0 for a proof that holds, 2 if no engine answered."""
    if all(result.verdict in ("not here", "unsupported") for result in proof.results):
        return 2
    return 0 if proof.holds else 1
