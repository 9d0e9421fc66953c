"""Further models of a command, placed in the world: --with FILE@X,Y,Z,R,P,Y."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unibody.cli.declaration import Option
from unibody.cli.options import join_arguments, read_input
from unibody.cli.output import UsageError
from unibody.cli.quantity import place

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.model.pose import Pose
    from unibody.model.robot import Robot


#: How a placement is written: a position in m, and angles in degrees; each number may have a unit.
PLACE = "X,Y,Z[,R,P,Y]"


@dataclass(frozen=True, slots=True)
class Placed:
    """A model, and its position (m) with roll, pitch and yaw (deg), or nothing."""

    reading: Reading
    numbers: Sequence[float]

    @property
    def robot(self) -> Robot:
        """The robot in its place."""
        robot = self.reading.robot
        assert robot is not None
        return self._in_place(robot)

    @property
    def robots(self) -> tuple[Robot, ...]:
        """The robot in its place, or those of a scene."""
        scene = self.reading.scene
        return (self.robot,) if scene is None else tuple(map(self._in_place, scene.robots))

    def _in_place(self, robot: Robot) -> Robot:
        from unibody.formats.placed import placed

        return placed(robot, pose_of(self.numbers)) if self.numbers else robot


def placed_models(what: str) -> Option:
    """Other models, placed in the world."""
    return Option(
        f"--with FILE[@{PLACE}]",
        f"{what}, placed at a position (m) and roll, pitch, yaw (deg), with the base of its file; "
        "repeatable",
        keyword="others",
        many=True,
    )


def read_placed(options: argparse.Namespace, reading: Reading) -> list[Placed]:
    """The models of --with; their findings are added to those of the first model."""
    others = [_read(text, options) for text in options.others]
    join_arguments([reading, *(other.reading for other in others)])
    for other in others:
        reading.findings.extend(f for f in other.reading.findings if f not in reading.findings)
    return others


def _read(text: str, options: argparse.Namespace) -> Placed:
    path, at, words = text.rpartition("@")
    if not at or os.path.exists(text):
        path, words = text, ""
    numbers = place(words) if words else ()
    if numbers is None:
        raise UsageError(f"--with {text}: expected {PLACE} after the @")
    reading = read_input(path, None, argparse.Namespace(**{**vars(options), "base": None}), shared=True)
    if getattr(options, "base", None) and reading.robot is not None and reading.robot.base is None:
        reading = read_input(path, None, options, shared=True)  # its file states none
    return Placed(reading, numbers)


def place_option(text: str) -> tuple[float, ...]:
    """The value of --place, in m and degrees; ArgumentTypeError for anything else."""
    numbers = place(text)
    if numbers is None:
        raise argparse.ArgumentTypeError(f"expected {PLACE} in m and degrees, got '{text}'")
    return numbers


def pose_of(numbers: Sequence[float]) -> Pose:
    """The pose of a place: X,Y,Z in m, and roll, pitch and yaw in degrees."""
    from unibody.model.pose import Pose, from_rpy

    angles = [math.radians(angle) for angle in numbers[3:]] or [0.0, 0.0, 0.0]
    return Pose(xyz=(numbers[0], numbers[1], numbers[2]), quat=from_rpy(*angles))
