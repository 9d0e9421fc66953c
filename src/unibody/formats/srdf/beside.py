"""Finds the SRDF of a URDF that is read."""

from __future__ import annotations

import os
from collections.abc import Iterator

from unibody.formats.format import Context
from unibody.formats.srdf.places import folder_and_stem, mirrored, near, package
from unibody.model.robot import Robot

_SUFFIXES = (".srdf", ".srdf.xacro")
#: What is left out of the name of a package for the name of its robot.
_ENDINGS = ("_description", "_support", "_bringup")
# How far above a URDF its package may be.
_DEPTH = 4


def with_srdf(robot: Robot, context: Context) -> Robot:
    """The robot of the URDF at ``context.path``, with its SRDF if it has one.

    It is the file that the caller names, else the first one with the robot's name in the places where
    robots and MoveIt keep it.
    """
    path = context.options.get("srdf")
    places = _srdf_places(context) if path is None else iter([path] if path else [])
    for place in places:
        if path is None and not context.files.exists(place):
            continue
        from unibody.formats.srdf.reader import add_srdf  # few robots have one

        if (made := add_srdf(robot, place, context)) is not None:
            return made
    return robot


def _srdf_places(context: Context) -> Iterator[str]:
    """Where the SRDF of a URDF may be: in its folder, in one beside it, in a MoveIt package."""
    folder, stem = folder_and_stem(context.path)
    beside = (near(folder, "..", "srdf"), near(folder, "..", "config"))
    below = (place for word in ("urdf", "robots") for place in mirrored(folder, word, "srdf"))
    for place in (folder, *beside, *below):
        for suffix in _SUFFIXES:
            yield os.path.join(place, f"{stem}{suffix}")
    names = dict.fromkeys(_robot_name(word) for word in (stem, package(folder)) if word)
    for name in names:
        for inner in dict.fromkeys((stem, name)):
            for suffix in _SUFFIXES:
                yield near(folder, "..", "..", f"{name}_moveit_config", "config", f"{inner}{suffix}")
    yield from _moveit_packages(folder, context)


def _moveit_packages(folder: str, context: Context) -> Iterator[str]:
    """The SRDF files of the MoveIt packages beside the ROS package that a folder is in."""
    files = context.files
    for _ in range(_DEPTH):
        if files.exists(os.path.join(folder, "package.xml")):
            around = near(folder, "..")
            break
        folder = near(folder, "..")
    else:
        return
    for name in files.names(around):
        if "moveit" not in name.lower():
            continue
        for inner in ("config", "srdf"):
            place = os.path.join(around, name, inner)
            for file in files.names(place):
                if file.endswith(_SUFFIXES):
                    yield os.path.join(place, file)


def _robot_name(word: str) -> str:
    for ending in _ENDINGS:
        word = word.removesuffix(ending)
    return word
