"""Finds the side-car of a file: facts that its format cannot represent (see ``sidecar_patch``)."""

from __future__ import annotations

from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.model.robot import Robot
from unibody.text.node import Node, Row, Value, Word
from unibody.text.source import Span


def take(doc: Document, key: str) -> tuple[list[str], Span | None]:
    """Remove the lines of the side-car from a document; returns them and their place."""
    for k, item in enumerate(doc.rest):
        if item[0] == key:
            del doc.rest[k]
            at = doc.node.place(item[1], item[2]) if doc.node is not None else None
            return lines_of(item[1]), at
    return [], None


def without(robot: Robot | None, key: str) -> Robot | None:
    """The robot without the side-cars of files that it refers to, which describe other robots."""
    if robot is None or not any(k == key for e in robot.extras for k, _, _ in e.node.items):
        return robot
    kept = (
        replace(e, node=Node(e.node.tag, [i for i in e.node.items if i[0] != key])) for e in robot.extras
    )
    return replace(robot, extras=tuple(e for e in kept if e.node.items))


def lines_of(value: Value) -> list[str]:
    """The lines of the element of a side-car."""
    words = [value] if isinstance(value, Word) else []
    if isinstance(value, Row):
        words = [v for v in value.values if isinstance(v, Word)]
    elif isinstance(value, Node):
        words = [v for k, v, _ in value.items if not k and isinstance(v, Word)]
    lines = [line.strip() for w in words for line in w.text.splitlines()]
    return [line for line in lines if line]


def apply(robot: Robot | None, lines: list[str], at: Span | None, context: Context) -> Robot | None:
    """Apply the lines of a side-car to a robot; entries that do not match it are reported."""
    if robot is None or not lines or context.plain:
        return robot
    from unibody.formats.sidecar_patch import apply_lines  # few files have a side-car

    return apply_lines(robot, lines, at, context)
