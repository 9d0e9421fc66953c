"""Print the model as JSON, or an intermediate stage of reading it.

Stages: node is the syntax tree of the file, document the elements of the format with their fields,
robot the neutral model, facts its values by path, one a line (angles in radians).

--textconv is for git: it prints the facts, and a file that is not a readable model as it is.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import MODEL, finish, read_model, settings
from unibody.cli.output import emit, emit_json

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot

EXAMPLE = "unibody dump robot.urdf --stage node"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        MODEL,
        *settings(),
        Option(
            "--stage {node,document,robot,facts}", "the stage to print (default: robot)", default="robot"
        ),
        Option("--textconv", "print the facts, or else the file itself; exit code 0"),
    )


def run(options: argparse.Namespace) -> int:
    """Print one stage; return the exit code."""
    from unibody.text.finding import TextError
    from unibody.text.json.parser import too_deep

    reading = read_model(options)
    if options.textconv:
        return _print_for_git(reading, options)
    text = None
    try:
        text = _text(reading, options.stage)
    except TextError as error:
        reading.findings.append(error.finding)
    except RecursionError:
        reading.findings.append(too_deep("nodes").finding)
    if text is not None:
        emit_json(text)
    elif options.stage == "facts" and reading.robot is not None:
        emit(_facts(reading.robot))
        return finish(reading, options)
    return finish(reading, options, found=text is not None)


def _text(reading: Reading, stage: str) -> str | None:
    """The JSON text of a stage, or None if reading did not reach it."""
    from unibody.text.json.parser import dumps
    from unibody.text.node import plain

    if stage == "facts":
        return None
    if stage == "robot":
        from unibody.model import json as native

        return None if reading.robot is None else native.dumps(reading.robot)
    if stage == "node":
        return None if reading.node is None else dumps(plain(reading.node))
    if reading.document is None:
        return None
    from unibody.document.bind import unbind

    node = reading.document.node
    data: Any = plain(unbind(reading.document, node.tag if node else ""))
    return dumps(data)


def _facts(robot: Robot) -> list[str]:
    """The facts that are set, one a line, values as JSON; long lists of numbers by length and SHA-256."""
    import json

    from unibody.cli.output import jsonable
    from unibody.model.facts import facts, is_unset
    from unibody.model.json import brief_json

    return [
        f"{path}: {json.dumps(jsonable(brief_json(value)), ensure_ascii=False)}"
        for path, value in facts(robot).items()
        if not is_unset(value)
    ]


def _print_for_git(reading: Reading, options: argparse.Namespace) -> int:
    """Print the facts, or the bytes of a file that is not a readable model; return the exit code."""
    import sys

    if reading.robot is not None and reading.ok:
        emit(_facts(reading.robot))
    elif reading.source is not None and options.model == "-":
        emit(reading.source.text.splitlines())
    else:
        try:
            with open(options.model, "rb") as file:
                content = file.read()
        except OSError:
            return finish(reading, options, found=False)
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    return 0
