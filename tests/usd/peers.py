"""Beside the published converters: the same files through them and through unibody, seen by one reader.

``python -m tests.usd.peers PYTHON FILE...``, where PYTHON has urdf-usd-converter and mujoco-usd-converter.
Prints for each file what differs in masses, inertias, frames and limits of joints, and the times. It is no
test: the converters need an environment of their own, and their slips are theirs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import unibody as ub
from unibody.conversion.destination import choose_destination
from unibody.conversion.lowering import lower
from unibody.conversion.writing import write
from unibody.model.robot import Robot

NEAR = 1e-5
_SCRIPT = """
import sys, time
source, folder = sys.argv[1:]
start = time.perf_counter()
if source.endswith(".urdf"):
    import urdf_usd_converter as module
else:
    import mujoco_usd_converter as module
loaded = time.perf_counter()
asset = module.Converter().convert(source, folder)
print(asset.path)
print(loaded - start, time.perf_counter() - loaded)
"""


def converted(python: str, source: str, folder: str) -> tuple[str, float]:
    """The stage that a converter writes, and its seconds without those of its import; "" if it fails."""
    command = [python, "-c", _SCRIPT, source, folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = done.stdout.strip().splitlines()
    if done.returncode or len(lines) < 2:
        return "", 0.0
    return lines[-2], float(lines[-1].split()[1])


def written(source: str, path: str) -> float:
    """The seconds to read a model and to make all files of its stage; converters measure nothing either."""
    start = time.perf_counter()
    destination = choose_destination(path, "usd", keep=False, package="", allow=(), options={})
    output = write(lower(ub.load(source), destination, plain=True), destination, [])
    sum(len(output.assets.bytes_of(x)) for x in output.assets.paths)
    return time.perf_counter() - start


def differences(ours: Robot, theirs: Robot) -> Iterator[str]:
    """What two robots have by the same names and differently."""
    links = {link.name: link for link in theirs.links}
    for link in ours.links:
        other = links.get(link.name)
        if other is None or link.inertial is None:
            continue
        if other.inertial is None:
            yield f"{link.name}: mass {link.inertial.mass:g}, none"
            continue
        for word in ("mass", "com", "inertia"):
            a, b = np.array(getattr(link.inertial, word)), np.array(getattr(other.inertial, word))
            if not np.allclose(a, b, rtol=NEAR, atol=NEAR * max(1e-3, float(np.abs(a).max()))):
                yield f"{link.name}: {word} {a.tolist()}, {b.tolist()}"
    joints = {joint.name: joint for joint in theirs.joints}
    for joint in ours.joints:
        same = joints.get(joint.name)
        if same is None:
            continue
        if joint.kind != same.kind:
            yield f"{joint.name}: {joint.kind}, {same.kind}"
            continue
        if not np.allclose(joint.origin.matrix(), same.origin.matrix(), atol=NEAR):
            yield f"{joint.name}: origin {joint.origin}, {same.origin}"
        if not np.allclose(joint.axis, same.axis, atol=NEAR):
            yield f"{joint.name}: axis {joint.axis}, {same.axis}"
        if not np.allclose(joint.limits.position, same.limits.position, atol=NEAR, rtol=NEAR):
            yield f"{joint.name}: limits {joint.limits.position}, {same.limits.position}"


def main(python: str, files: list[str]) -> None:
    """Compare both for each file."""
    ratios = []
    refused = []
    for source in files:
        with tempfile.TemporaryDirectory() as folder:
            path, theirs = converted(python, source, f"{folder}/theirs")
            if not path:
                continue
            try:
                ours = written(source, f"{folder}/ours.usda")
                ub.convert(source, f"{folder}/ours.usda", plain=True)
            except (ub.LoadError, ub.SaveError) as error:
                refused.append(f"{source}: {str(error)[:200]}")
                continue
            ratios.append(ours / theirs)
            found = list(differences(ub.load(f"{folder}/ours.usda"), ub.load(path)))
            print(
                f"{source}: {ours:.2f} s, {theirs:.2f} s, {len(found)} differences", *found[:5], sep="\n  "
            )
    print(f"{len(ratios)} files; time over theirs: median {np.median(ratios):.2f}")
    print("they take, unibody not:", *refused, sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1], [str(Path(x).resolve()) for x in sys.argv[2:]])
