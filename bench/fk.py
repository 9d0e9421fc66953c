"""How long forward kinematics takes: `python bench/fk.py` prints µs per configuration.

CPU time of the whole process is measured, so threads cannot make it look shorter.
"""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from unibody.mechanism import assemble
from unibody.model.pose import Pose, from_rpy, matrix_quaternion
from unibody.model.robot import Joint, JointKind, Link, Robot

BATCH = 10_000
ROUNDS = 15
SR1 = Path(__file__).parents[2] / "shared/oracle/choreonoid+choreonoid/share/model/SR1/SR1.body.json"

Result = tuple[str, float, str]

# A limb: one letter per joint, its axis; a number is the length in metres of the link after it.
_ARM = (("y", 0.0), ("x", 0.0), ("z", 0.26), ("y", 0.0), ("z", 0.25), ("y", 0.0), ("x", 0.0))
_LEG = (("x", 0.0), ("y", 0.0), ("z", 0.35), ("y", 0.0), ("y", 0.3), ("x", 0.0))
_SPINE = (("y", 0.2), ("x", 0.0), ("z", 0.35))
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def humanoid(tilt: float = 0.0) -> Robot:
    """30 links and 29 revolute joints; with a ``tilt`` (rad) every limb starts turned by it."""
    links, joints = [Link(name="pelvis")], list[Joint]()

    def limb(name: str, parent: str, side: float, parts: tuple[tuple[str, float], ...], up: float) -> str:
        xyz, turn = (0.0, side, 0.0), from_rpy(tilt, 0.0, tilt)
        for number, (axis, length) in enumerate(parts):
            link = f"{name}{number}"
            links.append(Link(name=link))
            joints.append(
                Joint(name=link, kind="revolute", parent=parent, child=link,
                      origin=Pose(xyz, turn), axis=_AXES[axis])
            )  # fmt: skip
            parent, xyz, turn = link, (0.0, 0.0, up * length), Pose().quat
        return parent

    chest = limb("spine", "pelvis", 0.0, _SPINE, 1.0)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        limb(f"{side}_arm", chest, 0.2 * sign, _ARM, -1.0)
        limb(f"{side}_leg", "pelvis", 0.1 * sign, _LEG, -1.0)
    return Robot(name="humanoid", links=tuple(links), joints=tuple(joints), base="free")


def skewed() -> Robot:
    """The same tree with no axis along X, Y or Z and no origin without rotation: the worst case."""
    robot = humanoid()
    turn, axis = from_rpy(0.3, -0.2, 0.5), (2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0)
    joints = (
        Joint(name=j.name, kind=j.kind, parent=j.parent, child=j.child,
              origin=Pose(j.origin.xyz, turn), axis=axis)
        for j in robot.joints
    )  # fmt: skip
    return Robot(name="skewed", links=robot.links, joints=tuple(joints), base="free")


def oracle_robot(path: Path) -> Robot:
    """The links and joints that Choreonoid made of a file (shared/oracle)."""
    links: list[dict[str, Any]] = json.loads(path.read_text())["links"]

    def pose(row: dict[str, list[float]]) -> Pose:
        (a, b, c, d, e, f, g, h, i), (x, y, z) = row["R"], row["p"]
        return Pose((x, y, z), matrix_quaternion(((a, b, c), (d, e, f), (g, h, i))))

    def joint(link: dict[str, Any]) -> Joint:
        kind: JointKind = link["joint_type"]
        x, y, z = link["a"]
        return Joint(name=link["name"], kind=kind, parent=link["parent"], child=link["name"],
                     origin=pose(link["Tb"]), axis=(x, y, z))  # fmt: skip

    names = tuple(Link(name=link["name"]) for link in links)
    return Robot(name=path.stem, links=names, joints=tuple(joint(link) for link in links[1:]), base="free")


def measure(robot: Robot, batch: int = BATCH) -> float:
    """CPU time in µs per configuration: the median of some rounds."""
    mechanism = assemble(robot)
    q = np.random.default_rng(1).uniform(-3.0, 3.0, (batch, mechanism.nq))
    mechanism.forward(q)
    times = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        mechanism.forward(q)
        times.append(time.process_time_ns() - start)
    return statistics.median(times) / 1e3 / batch


def run() -> list[Result]:
    """Name, value and unit of each figure."""
    robots = {
        "humanoid": humanoid(),
        "humanoid, limbs tilted": humanoid(0.3),
        "all joints skewed": skewed(),
    }
    if SR1.is_file():
        robots["SR1"] = oracle_robot(SR1)
    results = [
        (f"fk {name}, batch {BATCH}", measure(robot), "µs/configuration") for name, robot in robots.items()
    ]
    results += [
        (f"fk humanoid, batch {n}", measure(robots["humanoid"], n), "µs/configuration") for n in (1, 100)
    ]
    return results


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:40} {value:9.3f} {unit}")
