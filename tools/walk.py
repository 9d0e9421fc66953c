"""Compute the walking pattern of the bundled biped, src/unibody/models/biped-walk.csv: python tools/walk.py

The center of mass follows from the steps by preview control of the zero moment point (S. Kajita et al.,
Biped walking pattern generation by using preview control of zero-moment point, ICRA 2003), the joints
from unibody's inverse kinematics.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import unibody as ub
from unibody.mechanism.inverse_kinematics import Target

MODELS = Path(__file__).resolve().parents[1] / "src" / "unibody" / "models"
MODEL, PATTERN = MODELS / "biped.body", MODELS / "biped-walk.csv"

Floats = NDArray[np.float64]

GRAVITY = 9.80665
#: Seconds between the frames of the computation; every second one is written.
FRAME = 0.01
WRITTEN = 2
#: Length of the preview, and how much errors of the zero moment point count against jerk.
PREVIEW, WEIGHT = 1.6, 1e-6

FEET = ("RLEG_ANKLE_R", "LLEG_ANKLE_R")
#: The zero moment point of a foot in front of its ankle, below the middle of the sole.
FORWARD = np.array([0.02, 0.0])
ARMS = ("RARM_SHOULDER_P", "LARM_SHOULDER_P")


@dataclass(frozen=True)
class Gait:
    """Steps of a walk: lengths in m, times in s; ``pause`` is how long it stands before and after."""

    steps: int = 8
    length: float = 0.14
    lift: float = 0.04
    single: float = 0.6
    double: float = 0.25
    pause: float = 0.8
    swing: float = 0.25


def feet_and_zmp(gait: Gait, width: float) -> tuple[Floats, Floats]:
    """Ankles (k, 2, 3) above their places on the floor, and the zero moment point (k, 2)."""
    places = np.array([[0.0, -width], [0.0, width]])
    feet, zmp = [], []

    def add(ankles: Floats, heights: Floats, point: Floats) -> None:
        feet.append(np.column_stack([ankles, heights]))
        zmp.append(point)

    def middle(at: Floats) -> Floats:
        return np.asarray(at.mean(axis=0) + FORWARD)

    def shift(start: Floats, end: Floats, seconds: float) -> None:
        for share in np.arange(1, round(seconds / FRAME) + 1) * FRAME / seconds:
            add(places.copy(), np.zeros(2), start + (end - start) * share)

    for _ in range(round(gait.pause / FRAME)):
        add(places.copy(), np.zeros(2), middle(places))
    point = middle(places)
    for step in range(gait.steps + 1):
        swing, stand = step % 2, 1 - step % 2
        under = places[stand] + FORWARD
        shift(point, under, gait.double * (2.0 if step == 0 else 1.0))
        point = under
        goal = places[swing].copy()
        # The first and the last step are half as long, so that the feet are side by side at the end.
        goal[0] = places[stand][0] + (gait.length if step < gait.steps else 0.0)
        begin = places[swing].copy()
        for share in np.arange(1, round(gait.single / FRAME) + 1) * FRAME / gait.single:
            # The foot is lifted before it moves, and stands still before it lands.
            moved = np.clip((share - 0.1) / 0.75, 0.0, 1.0)
            smooth = moved**3 * (10.0 - 15.0 * moved + 6.0 * moved**2)
            now = places.copy()
            now[swing] = begin + (goal - begin) * smooth
            heights = np.zeros(2)
            heights[swing] = gait.lift * (16.0 * share**2 * (1.0 - share) ** 2)
            add(now, heights, point)
        places[swing] = goal
    shift(point, middle(places), 2.0 * gait.double)
    for _ in range(round(gait.pause / FRAME)):
        add(places.copy(), np.zeros(2), middle(places))
    return np.array(feet), np.array(zmp)


def preview(zmp: Floats, height: float) -> Floats:
    """The center of mass (k, 2) whose zero moment point follows ``zmp`` (k, 2)."""
    step = FRAME
    a = np.array([[1, step, step**2 / 2], [0, 1, step], [0, 0, 1]])
    b = np.array([step**3 / 6, step**2 / 2, step])
    c = np.array([1.0, 0.0, -height / GRAVITY])
    # The state with the sum of the errors in front of it.
    big_a = np.vstack([np.hstack([[1.0], c @ a]), np.hstack([np.zeros((3, 1)), a])])
    big_b = np.hstack([c @ b, b])
    cost = np.diag([1.0, 0.0, 0.0, 0.0])
    p = cost.copy()
    for _ in range(5000):
        gain = big_b @ p @ big_a / (WEIGHT + big_b @ p @ big_b)
        p = cost + big_a.T @ p @ (big_a - np.outer(big_b, gain))
    gain = big_b @ p @ big_a / (WEIGHT + big_b @ p @ big_b)
    closed = (big_a - np.outer(big_b, gain)).T
    count = round(PREVIEW / step)
    ahead, vector = [], p @ np.array([1.0, 0.0, 0.0, 0.0])
    for _ in range(count):
        ahead.append(big_b @ vector / (WEIGHT + big_b @ p @ big_b))
        vector = closed @ vector
    weights = np.array(ahead)
    longer = np.vstack([zmp, np.repeat(zmp[-1:], count + 1, axis=0)])
    out = np.zeros_like(zmp)
    for axis in range(2):
        state, error = np.array([zmp[0, axis], 0.0, 0.0]), 0.0
        for frame in range(len(zmp)):
            out[frame, axis] = state[0]
            future = longer[frame + 1 : frame + 1 + count, axis]
            jerk = -gain[0] * error - gain[1:] @ state + weights @ future
            state = a @ state + b * jerk
            error += c @ state - longer[frame + 1, axis]
    return out


def walk(gait: Gait) -> tuple[ub.Mechanism, Floats]:
    """The configurations (k, nq) of the walk."""
    robot = ub.load(MODEL)
    m = ub.assemble(robot)
    stand = np.asarray(m.positions(dict(robot.configurations[0].by_joint)))
    poses = m.forward_kinematics(stand)
    ankles = poses[[m.link_names.index(name) for name in FEET]]
    floor = 0.08
    stand[2] += floor - ankles[0, 2, 3]
    stand[0] -= ankles[0, 0, 3]
    width = abs(float(ankles[0, 1, 3]))
    feet, zmp = feet_and_zmp(gait, width)
    q = np.repeat(stand[None], len(feet), axis=0)
    swing_arms(m, gait, feet, q)
    target = preview(zmp, float(m.center_of_mass(stand)[2]))
    goals = np.repeat(np.eye(4)[None, None], len(feet) * 2, axis=0).reshape(len(feet), 2, 4, 4)
    goals[:, :, :3, 3] = feet + np.array([0.0, 0.0, floor])
    legs = [name for name in m.joint_names if "LEG_" in name]
    locked = [robot.root, *(name for name in m.joint_names if name not in legs)]
    target[:, :] -= target[0] - zmp[0]
    for _ in range(4):
        q[:, :2] += target - m.center_of_mass(q)[:, :2]
        found = m.inverse_kinematics(
            [Target(frame=name, pose=goals[:, i]) for i, name in enumerate(FEET)],
            start=q, locked=locked, restarts=0,
        )  # fmt: skip
        if not np.all(found.converged):
            raise SystemExit(f"frame {int(np.argmin(found.converged))} cannot be reached")
        q = np.asarray(found.q)
    return m, q


def swing_arms(m: ub.Mechanism, gait: Gait, feet: Floats, q: Floats) -> None:
    """Let each arm swing with the foot of the other side."""
    ahead = (feet[:, 0, 0] - feet[:, 1, 0]) / gait.length
    for name, sign in zip(ARMS, (1.0, -1.0), strict=True):
        q[:, m.idx_q[m.joint_names.index(name)]] += sign * gait.swing * ahead


def table(m: ub.Mechanism, q: Floats) -> str:
    """The pattern as CSV: the time, the pose of the base, and all joints."""
    names = ["time", *(f"{m.robot.root}.{part}" for part in range(7)), *m.joint_names]
    rows = [",".join(names)]
    for frame in range(0, len(q), WRITTEN):
        numbers = [frame * FRAME, *q[frame].tolist()]
        rows.append(",".join(f"{round(value, 4) + 0.0:g}" for value in numbers))
    return "\n".join(rows) + "\n"


def main(words: list[str]) -> str | None:
    """Write the pattern, or with --check compare it with the stored one."""
    m, q = walk(Gait())
    text = table(m, q)
    if words == ["--check"]:
        stored = np.genfromtxt(PATTERN, delimiter=",", skip_header=1)
        made = np.genfromtxt(text.splitlines(), delimiter=",", skip_header=1)
        same = stored.shape == made.shape and np.abs(stored - made).max() < 2e-4
        return None if same else f"{PATTERN.name} is outdated: run python tools/walk.py"
    PATTERN.write_text(text, "utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
