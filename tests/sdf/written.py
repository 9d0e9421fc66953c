"""What independent readers make of robots that are written as SDF.

``python -m tests.sdf.written`` writes the robots of the corpus, of every format, and tells what libsdformat
has otherwise; ``--only TEXT`` takes paths with that text, ``--every N`` each N-th.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.corpus.outcomes import outcomes
from tests.sdf import libsdformat
from tests.sdf.truth import Comparison, apart, link_poses, pose
from tests.shared import SHARED

from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import read_source, save_reading
from unibody.formats.loader import read_with
from unibody.formats.sdf.bodies import file_frames
from unibody.model.inertia import principal_moments
from unibody.model.pose import IDENTITY, rotate
from unibody.model.robot import Joint, Robot

#: The link that has what the world has on it.
ROOT = "surroundings"
#: The version of SDF that is written for libsdformat 12.
VERSION = "1.9"
_NEAR = 1e-9
_SAME = {"revolute": ("revolute", "continuous"), "universal": ("universal",), "prismatic": ("prismatic",)}


def robots() -> list[Path]:
    """The files of the corpus that hold robots."""
    found = [name for name, outcome in outcomes().items() if outcome in ("robot", "scene")]
    return [SHARED / name for name in found if not name.endswith(".srdf")]


def write(path: Path, target: Path, version: str = VERSION, **options: str) -> tuple[Robot, Any]:
    """Write the robot of a file as SDF; the robot and the report. SaveError if it cannot be."""
    found = read_source(path)
    assert found.robot is not None
    report = save_reading(
        found, target, format="sdf", meshes="keep", options={"sdf_version": version, **options}
    )
    return found.robot, report


def faults(path: Path, folder: Path) -> Iterator[str]:
    """What libsdformat has of the robot of a file, written as SDF, otherwise than the robot."""
    target = folder / "model.sdf"
    try:
        robot, _ = write(path, target)
    except SaveError as error:
        yield f"not written: {'; '.join(f.message for f in error.findings)[:300]}"
        return
    truth = libsdformat.ask(target)
    errors = [message for _, message in truth["errors"]]
    yield from (f"libsdformat: {message}" for message in errors if not _is_of_source(message, robot))
    if truth["model"] is None and not truth["worlds"]:
        return
    found = read_with(str(target), plain=True)
    yield from (f"read back: {line}" for line in Comparison(found, truth).out)
    if found.robot is not None:
        yield from differences(renamed(robot, found.robot), found.robot, truth)


def _is_of_source(message: str, robot: Robot) -> bool:
    """Whether an error of libsdformat is about what the source has, too."""
    if message.startswith("A <script> element is missing"):  # kept
        return True
    found = re.fullmatch(r"A link named (.*) has invalid inertia\.", message)
    link = next((link for link in robot.solids if found and link.name == found[1]), None)
    if link is None and found and found[1].startswith(ROOT):
        link = next((link for link in robot.links if link.name == "world"), robot.surroundings)
    if link is None:
        return False
    if link.inertial is None or not link.inertial.mass:
        return True
    low, middle, high = sorted(principal_moments(link.inertial.inertia))
    return low <= 0.0 or low + middle < high * (1.0 + 1e-9)


def renamed(robot: Robot, written: Robot) -> Robot:
    """The robot whose joints have the names of those of a written one that move the same links alike.

    In SDF no joint has the name of a link.
    """
    names = {(joint.child, joint.kind): joint.name for joint in written.joints}
    to = {joint.name: names.get((joint.child, joint.kind), joint.name) for joint in robot.joints}
    return replace(
        robot,
        joints=tuple(replace(joint, name=to[joint.name]) for joint in robot.joints),
        couplings=tuple(
            replace(each, joint=to.get(each.joint, each.joint), leader=to.get(each.leader, each.leader))
            for each in robot.couplings
        ),
    )


def _items(model: Mapping[str, Any], outer: Any, prefix: str = "") -> Iterator[tuple[str, str, Any, Any]]:
    """The links and joints of a model: kind, name, the pose of the model, the item."""
    for kind in ("links", "joints"):
        yield from ((kind, prefix + item["name"], outer, item) for item in model[kind])
    for inner in model["models"]:
        yield from _items(inner, outer @ pose(inner["X"]), f"{prefix}{inner['name']}::")


def differences(robot: Robot, written: Robot, truth: Mapping[str, Any]) -> Iterator[str]:
    """How links and joints of the same names differ between a robot and what libsdformat has.

    ``written`` is the robot of the file, which tells where the frames of its links are.
    """
    above, above_there = ({j.child: j.kind for j in each.joints} for each in (robot, written))
    # a loop at a link on its own is the joint that moves it in SDF, to which the reader moves the link
    frames = {
        name: frame
        for name, frame in file_frames(written).items()
        if above.get(name) == above_there.get(name)
    }
    tops = [truth["model"]] if truth["model"] else truth["worlds"][0]["models"]
    found = [item for top in tops for item in _items(top, pose(top["X"]))]
    there = {(kind, name): (outer, item) for kind, name, outer, item in found}
    poses = link_poses(robot)
    for link in robot.links:
        if ("links", link.name) not in there:
            continue
        outer, item = there["links", link.name]
        own = frames.get(link.name, IDENTITY)
        at = outer @ pose(item["X"]) @ own.inverse()
        if not apart(poses[link.name], at) <= _NEAR * max(1.0, *map(abs, at.xyz)):
            yield f"link {link.name} is at {at} instead of {poses[link.name]}"
        held = link.inertial
        if held is not None and held.mass > 0.0:
            numbers = [*zip(own.inverse().apply(held.com), item["inertial_pose"][:3], strict=True)]
            turned = [rotate(own.inverse().quat, row) for row in held.inertia]
            rows = [rotate(own.inverse().quat, column) for column in zip(*turned, strict=True)]
            numbers += zip([v for row in zip(*rows, strict=True) for v in row], item["I"], strict=True)
            numbers.append((held.mass, item["m"]))
            yield from _unlike(f"link {link.name}", numbers)
    kinds = {joint.name: joint.kind for joint in written.joints}
    for joint in robot.joints:
        # a joint that SDF does not have is a chain, the last of which has its name
        if ("joints", joint.name) in there and kinds.get(joint.name) == joint.kind:
            yield from _joint(joint, *there["joints", joint.name], poses)


def _joint(joint: Joint, outer: Any, item: Mapping[str, Any], poses: Mapping[str, Any]) -> Iterator[str]:
    what = f"joint {joint.name}"
    if item["type"] not in _SAME.get(joint.kind, (joint.kind,)):
        yield f"{what} is {item['type']} instead of {joint.kind}"
        return
    if joint.kind not in ("revolute", "prismatic", "screw", "universal"):
        return
    frame = outer @ pose(item["X_MJ"])
    child = poses[joint.child]
    for word, axis in (("axis", joint.axis), ("axis2", joint.axis2)):
        if axis is not None:
            ours, theirs = rotate(child.quat, axis), rotate(frame.quat, tuple(item[word]["a"]))
            yield from _unlike(f"{what} {word}", zip(ours, theirs, strict=True))
    if joint.kind in ("revolute", "universal"):
        yield from _unlike(f"{what} anchor", zip(child.xyz, frame.xyz, strict=True))
    limits, stated = joint.limits, item["axis"]
    ends = [*zip(limits.position, (stated["lower"], stated["upper"]), strict=True)]
    ends += [(least(limits.effort), stated["effort"]), (least(limits.velocity), stated["velocity"])]
    ends += [(getattr(joint.dynamics, word), stated[word]) for word in ("damping", "friction")]
    yield from _unlike(f"{what} limits", ends)


def least(limits: tuple[float, float]) -> float:
    """The symmetric limit that keeps both."""
    return min(map(abs, limits))


def _unlike(what: str, pairs: Any) -> Iterator[str]:
    for pair in pairs:
        ours, theirs = (x if abs(x) < 1e16 else math.copysign(math.inf, x) for x in map(float, pair))
        if ours != theirs and not abs(ours - theirs) <= _NEAR * max(1.0, abs(ours)):
            yield f"{what}: {theirs} instead of {ours}"
            return


def main() -> int:
    """Print what is wrong with each robot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--most", type=int, default=3_000_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    files = [path for path in robots() if options.only in str(path)][:: options.every]
    for path in files:
        if path.stat().st_size > options.most:
            continue
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            try:
                out = list(faults(path, Path(folder)))
            except Exception as error:  # a fault of this program or of the writer
                out = [f"{type(error).__name__}: {error}"[:400]]
        counts["equal" if not out else "different"] += 1
        if out:
            counts.update({line.split(" ")[0] for line in out})
            seconds = time.perf_counter() - start
            head = f"## {path.relative_to(SHARED)} {len(out)} ({seconds:.1f} s)"
            print(head, *out[:4], sep="\n    ", flush=True)
    print(counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
