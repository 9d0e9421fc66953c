"""Print the model as JSON, or an intermediate stage of reading it.

Stages: node is the syntax tree of the file, document the elements of the format with their fields,
robot the neutral model.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_model, finish, read_model
from unibody.cli.output import emit_json

if TYPE_CHECKING:
    from unibody.formats.loader import Reading

EXAMPLE = "unibody dump robot.urdf --stage node"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model(parser)
    parser.add_argument(
        "--stage",
        choices=("node", "document", "robot"),
        default="robot",
        help="the stage to print (default: robot)",
    )


def run(options: argparse.Namespace) -> int:
    """Print one stage; return the exit code."""
    from unibody.text.finding import TextError
    from unibody.text.json.parser import too_deep

    reading = read_model(options)
    text = None
    try:
        text = _text(reading, options.stage)
    except TextError as error:
        reading.findings.append(error.finding)
    except RecursionError:
        reading.findings.append(too_deep("nodes").finding)
    if text is not None:
        emit_json(text)
    return finish(reading, options, found=text is not None)


def _text(reading: Reading, stage: str) -> str | None:
    """The JSON text of a stage, or None if reading did not reach it."""
    from unibody.text.json.parser import dumps
    from unibody.text.node import plain

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
