"""Time to read MJCF files without their meshes, against MuJoCo's own parser."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench._row import ROOT, Row, medians

import unibody
from unibody.document.declare import FILLED
from unibody.text.node import Node
from unibody.text.xml.printer import print_xml

MORE = ROOT.parent / "shared/corpus/more/mjcf"
DEV = ROOT.parent / "shared/corpus/dev"
FILES = (
    DEV / "pypi_dm-control-1.0.50/dm_control/suite/humanoid.xml",
    DEV / "pypi_pybullet-3.2.7/pybullet_data/mjcf/ant.xml",
    MORE / "google-deepmind+mujoco/model/replicate/leaves.xml",
    MORE / "google-deepmind+mujoco/model/replicate/particle_free2d.xml",
    MORE / "google-deepmind+mujoco/model/humanoid/humanoid100.xml",
)
ROUNDS = 10


def run() -> list[Row]:
    import mujoco

    rows: list[Row] = []
    for path in FILES:
        if not path.is_file():
            continue
        tasks: dict[str, Callable[[], object]] = {
            "unibody": partial(unibody.read, path),
            "MjSpec.from_file": partial(mujoco.MjSpec.from_file, str(path)),
        }
        times = {name: 1e3 * seconds for name, seconds in medians(tasks, ROUNDS).items()}
        target = f"< {10.0 + 60.0 * expanded(path) / 1e5:.0f} ms"
        rows.append(Row(f"read {path.name}", times.pop("unibody"), times, target, "ms"))
    return rows


def expanded(path: Path) -> int:
    """The size of a model's text with its includes, copies and attached models."""
    documents = unibody.read(path).documents
    return sum(len(print_xml(_written(doc.node))) for doc in documents if doc.node is not None)


def _written(node: Node) -> Node:
    """A tree without the values of default classes."""
    items: list[Any] = [
        (key, _written(value) if isinstance(value, Node) else value, start)
        for key, value, start in node.items
        if start != FILLED
    ]
    return Node(node.tag, items)
