"""Time to read MJCF files without their meshes, against MuJoCo's own parser.

The last rows are of all files of the corpus that both read, in processor time without that of mesh files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from typing import Any

from bench._row import ROOT, Row, medians
from bench.meshes import quiet

import unibody
from unibody.document.declare import FILLED
from unibody.formats.mjcf.meshes import Meshes
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
# Rounds of each file of the corpus, of which the fastest counts.
_FEW = 3


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
        rows.append(Row(f"read {path.name}", times.pop("unibody"), times, f"< {limit(path):.0f} ms", "ms"))
    with quiet():
        return rows + corpus()


def limit(path: Path) -> float:
    """The time that reading a model may take, in ms."""
    return 10.0 + 60.0 * expanded(path) / 1e5


def corpus() -> list[Row]:
    """All files: the time of all, and the file that is nearest to its limit."""
    import mujoco

    ours, theirs, worst, slowest = 0.0, 0.0, 0.0, ""
    paths = [path for folder in (DEV, MORE) for path in sorted(folder.rglob("*.xml"))]
    for path in paths:
        if b"<mujoco" not in path.read_bytes():
            continue
        reading = unibody.read(path)
        if reading.robot is None or reading.format is None or reading.format.name != "mjcf":
            continue
        try:
            theirs += min(seconds(partial(mujoco.MjSpec.from_file, str(path))) for _ in range(_FEW))
        except ValueError:
            continue
        with without_meshes() as spent:
            needed = min(seconds(partial(unibody.read, path), spent) for _ in range(_FEW))
        ours += needed
        share = 1e3 * needed / limit(path)
        if share > worst:
            worst, slowest = share, path.name
    if not slowest:
        return []
    return [
        Row("read all files without meshes", 1e3 * ours, {"MjSpec.from_file": 1e3 * theirs}, "", "ms"),
        Row(f"nearest to its limit: {slowest}", worst, {}, "< 1 share", "share"),
    ]


def seconds(task: Callable[[], object], spent: list[float] | None = None) -> float:
    """Processor time of a task without what is ``spent`` on meshes."""
    before = sum(spent or ())
    start = time.process_time()
    task()
    return time.process_time() - start - sum(spent or ()) + before


@contextmanager
def without_meshes() -> Iterator[list[float]]:
    """Measure the processor time of mesh files and what is computed from them."""
    spent: list[float] = []
    outer = [True]

    def measured(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*arguments: Any) -> Any:
            if not outer[0]:
                return method(*arguments)
            outer[0], start = False, time.process_time()
            try:
                return method(*arguments)
            finally:
                outer[0] = True
                spent.append(time.process_time() - start)

        return call

    methods = {name: getattr(Meshes, name) for name in ("triangles", "body")}
    for name, method in methods.items():
        setattr(Meshes, name, measured(method))
    try:
        yield spent
    finally:
        for name, method in methods.items():
            setattr(Meshes, name, method)


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
