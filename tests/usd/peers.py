"""Beside the published converters: the same files through them and through unibody, seen by one reader.

``python -m tests.usd.peers PYTHON FILE...``, where PYTHON has urdf-usd-converter and mujoco-usd-converter.
Prints for each file what differs in masses, inertias, frames and limits of joints, and the processor times,
each taken in a process that has imported all before; then a table of counts and ratios. It is no test: the
converters need an environment of their own, and their slips are theirs.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import unibody as ub
from unibody.conversion.destination import choose_destination
from unibody.conversion.lowering import lower
from unibody.conversion.writing import write
from unibody.model.robot import Robot

NEAR = 1e-5
#: Seconds after which a file counts as not taken.
MOST = 60.0
_SMALL = {
    ".urdf": "<robot name='a'><link name='a'/></robot>",
    ".xml": "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
}
# Converts what each line of its input names, in a process of its own; answers with the processor time.
_SERVER = """
import json, os, signal, sys
import urdf_usd_converter, mujoco_usd_converter
out = os.fdopen(os.dup(1), "w")
null = os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1), os.dup2(null, 2)
print("ready", file=out, flush=True)
for line in sys.stdin:
    source, folder = json.loads(line)
    module = urdf_usd_converter if source.lower().endswith(".urdf") else mujoco_usd_converter
    inner, outer = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(60)
        try:
            asset = module.Converter().convert(source, folder)
            os.write(outer, str(asset.path).encode())
        except BaseException as error:
            os.write(outer, b"")
        os._exit(0)
    os.close(outer)
    path = os.fdopen(inner).read()
    usage = os.wait4(child, 0)[2]
    print(json.dumps([path, usage.ru_utime + usage.ru_stime]), file=out, flush=True)
"""


class Converters:
    """The published converters, in an environment of their own."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "ready"

    def convert(self, source: str, folder: str) -> tuple[str, float]:
        """The stage that a converter writes, and its processor seconds; "" if it fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([source, folder]), file=self._process.stdin, flush=True)
        path, seconds = json.loads(self._process.stdout.readline())
        return path, seconds

    def close(self) -> None:
        """End their process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def apart(work: Callable[[], Any]) -> tuple[Any, float]:
    """What a function returns in a process of its own, as JSON, and its processor seconds; or the error."""
    inner, outer = os.pipe()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(2 * MOST))
        try:
            answer: Any = work()
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
        with os.fdopen(outer, "w") as file:
            json.dump([answer, _seconds()], file)
        os._exit(0)
    os.close(outer)
    with os.fdopen(inner) as file:
        text = file.read()
    os.waitpid(child, 0)
    return tuple(json.loads(text)) if text else ({"error": "killed"}, 0.0)


def _seconds() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def written(source: str, path: str) -> None:
    """Read a model and make all files of its stage; converters measure nothing either."""
    destination = choose_destination(path, "usd", keep=False, package="", allow=(), options={})
    output = write(lower(ub.load(source), destination, plain=True), destination, [])
    for each in output.assets.paths:
        output.assets.bytes_of(each)


def differences(ours: Robot, theirs: Robot) -> Iterator[tuple[str, str]]:
    """What two robots have by the same names and differently: in what, and both values."""
    links = {link.name: link for link in theirs.links}
    for link in ours.links:
        other = links.get(link.name)
        if other is None or link.inertial is None:
            continue
        if other.inertial is None:
            yield "no mass", f"{link.name}: {link.inertial.mass:g}, none"
            continue
        for word in ("mass", "com", "inertia"):
            a, b = np.array(getattr(link.inertial, word)), np.array(getattr(other.inertial, word))
            if not np.allclose(a, b, rtol=NEAR, atol=NEAR * max(1e-3, float(np.abs(a).max()))):
                yield word, f"{link.name}: {a.tolist()}, {b.tolist()}"
    joints = {joint.name: joint for joint in theirs.joints}
    for joint in ours.joints:
        same = joints.get(joint.name)
        if same is None:
            continue
        if joint.kind != same.kind:
            yield "kind", f"{joint.name}: {joint.kind}, {same.kind}"
            continue
        if not np.allclose(joint.origin.matrix(), same.origin.matrix(), atol=NEAR):
            yield "origin", f"{joint.name}: {joint.origin}, {same.origin}"
        if not np.allclose(joint.axis, same.axis, atol=NEAR):
            yield "axis", f"{joint.name}: {joint.axis}, {same.axis}"
        for word in ("position", "velocity", "effort"):
            a, b = getattr(joint.limits, word), getattr(same.limits, word)
            if not np.allclose(a, b, atol=NEAR, rtol=NEAR):
                yield word, f"{joint.name}: {a}, {b}"


@dataclass
class Row:
    """What became of a file: processor seconds of both, and the differences."""

    source: str
    theirs: float | None = None
    ours: float | None = None
    whole: float | None = None
    error: str = ""
    links: list[int] = field(default_factory=list)
    found: list[list[str]] = field(default_factory=list)


def row_of(source: str, converters: Converters, folder: str) -> Row:
    """Convert a file with both, and compare."""
    out = Row(source)
    path, seconds = converters.convert(source, f"{folder}/theirs")
    if path:
        out.theirs = seconds
    answer, out.ours = apart(lambda: written(source, f"{folder}/ours.usda"))

    def whole() -> int:
        ub.convert(source, f"{folder}/ours.usda", plain=True)
        return 1

    done, out.whole = apart(whole) if answer is None else (answer, 0.0)
    if isinstance(done, dict):
        out.ours = None
        out.error = done["error"]
    elif path:

        def compare() -> Any:
            ours, theirs = ub.load(f"{folder}/ours.usda"), ub.load(path)
            counts = [len(ours.links), len(theirs.links), len(ours.joints), len(theirs.joints)]
            return [counts, list(differences(ours, theirs))]

        found, _ = apart(compare)
        if isinstance(found, dict):
            out.error = f"compared: {found['error']}"
        else:
            out.links, out.found = found
    return out


def main(python: str, files: list[str]) -> None:
    """Compare both for each file."""
    converters = Converters(python)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # as the converters, with all imported
        for suffix, text in _SMALL.items():
            small = Path(folder, f"small{suffix}")
            small.write_text(text)
            written(str(small), f"{folder}/small.usda")
            ub.convert(small, f"{folder}/small{suffix}.usda", plain=True)
            ub.load(f"{folder}/small{suffix}.usda")
    for source in files:
        with tempfile.TemporaryDirectory() as folder:
            row = row_of(source, converters, folder)
        rows.append(row)
        print(json.dumps(row.__dict__), flush=True)
    converters.close()
    tell(rows)


def tell(rows: list[Row]) -> None:
    """Print a table of the rows by kind of file."""
    for word, suffixes in (("URDF", (".urdf",)), ("MJCF", (".xml", ".mjcf"))):
        part = [row for row in rows if row.source.lower().endswith(suffixes)]
        both = [row for row in part if row.theirs is not None and row.ours is not None]
        print(f"{word}: {len(part)} files; both take {len(both)}", end="")
        print(f", unibody alone {sum(row.theirs is None and row.ours is not None for row in part)}", end="")
        print(f", neither {sum(row.theirs is None and row.ours is None for row in part)}")
        if not both:
            continue
        for name in ("ours", "whole"):
            ratios = [getattr(row, name) / row.theirs for row in both]
            spread = np.percentile(ratios, (0, 50, 90, 100))
            total = sum(getattr(row, name) for row in both) / sum(row.theirs or 0.0 for row in both)
            print(
                f"  {name} over theirs: {np.round(spread, 2)} (least, median, 90 %, most), sums {total:.2f}"
            )
        print(f"  the same: {sum(not row.found and not row.error for row in both)}")
        kinds = Counter(kind for row in both for kind in {kind for kind, _ in row.found})
        print("  files with differences in", dict(kinds))
    print("they take, unibody not:")
    for row in rows:
        if row.theirs is not None and row.ours is None:
            print(f"  {row.source}: {row.error}")


if __name__ == "__main__":
    if sys.argv[1] == "--table":
        tell(
            [Row(**json.loads(x)) for x in Path(sys.argv[2]).read_text().splitlines() if x.startswith("{")]
        )
    else:
        main(sys.argv[1], [str(Path(x).resolve()) for x in sys.argv[2:]])
