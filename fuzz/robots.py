"""Robots of the fuzzer: those of the tests, and an arm to compare with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from unibody.model.robot import Joint, Link, Robot

_FOLDER = Path(__file__).resolve().parents[1] / "tests/robots"


def robots() -> Iterator[tuple[str, str]]:
    """Names and JSON texts of the neutral robots of the tests."""
    for path in sorted(_FOLDER.glob("*.json")):
        yield path.stem, json.dumps(json.loads(path.read_text("utf-8")))


@cache
def arm() -> Robot:
    links = tuple(Link(name=f"L{k}") for k in range(7))
    joints = tuple(
        Joint(name=f"J{k}", kind="revolute", parent=f"L{k - 1}", child=f"L{k}") for k in range(1, 7)
    )
    return Robot(name="arm", links=links, joints=joints)
