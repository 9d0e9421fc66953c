"""Finds the SRDF of a URDF that is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from unibody.formats.format import Context
from unibody.formats.srdf.places import URDF, folder_and_stem, mirrored, near, package
from unibody.model.robot import Robot
from unibody.text.hint import Hint, Setting

if TYPE_CHECKING:
    from unibody.formats.srdf.reader import Beside

# Folders of SRDF files, beside a URDF or in the folder above.
_FOLDERS = ("srdf", "config")
_SUFFIXES = (".srdf", ".srdf.xacro")
#: What is left out of the name of a package for the name of its robot.
_ENDINGS = ("_description", "_support", "_bringup")
# How far above a URDF its package may be.
_DEPTH = 4
# How many SRDF files of other names are opened to look for the robot's name.
_MOST = 8


def with_srdf(robot: Robot, context: Context) -> Robot:
    """The robot of the URDF at ``context.path``, with its SRDF if it has one.

    It is the file that the caller names, else the first one with the robot's name in the places where
    robots and MoveIt keep it. An SRDF of the URDF's name or of the robot's that is not used is reported.
    """
    path = context.options.get("srdf")
    if path is not None:
        return _added(robot, path, context) if path else robot
    others: list[Beside] = []
    for place in _srdf_places(context):
        if not context.files.exists(place):
            continue
        from unibody.formats.srdf.reader import add_srdf, read_beside  # few robots have one

        srdf = read_beside(place, context)
        if srdf.document is None and not place.endswith(".xacro"):
            return add_srdf(robot, srdf, context)
        if srdf.document is not None and srdf.document.name == robot.name.strip():
            return add_srdf(robot, srdf, context)
        others.append(srdf)
    _report_unused(robot, others, context)
    return robot


def _added(robot: Robot, path: str, context: Context) -> Robot:
    from unibody.formats.srdf.reader import add_srdf, read_beside

    return add_srdf(robot, read_beside(path, context), context)


def _report_unused(robot: Robot, others: Sequence[Beside], context: Context) -> None:
    """Report SRDF files that may be meant for the robot: those of its file's name, or of its own name."""
    folder, stem = folder_and_stem(context.path)
    name = robot.name.strip()
    places = {folder, *_beside(folder)}
    others = [x for x in others if folder_and_stem(x.path)[0] in places]  # others are of other packages
    for srdf in others:
        if srdf.document is not None:
            _unused(
                srdf,
                f"it is for the robot '{srdf.document.name or ''}', the URDF describes '{name}'",
                f', or write name="{name}" in it',
                context,
            )
        else:
            _unused(srdf, "it cannot be read", "", context)
    if others:
        return
    for place in _other_names(context):
        from unibody.formats.srdf.reader import read_beside

        srdf = read_beside(place, context)
        if srdf.document is not None and srdf.document.name == name:
            reason = f"it is not called '{stem}.srdf'"
            _unused(srdf, reason, f", or rename it to '{stem}.srdf'", context)
            return


def _unused(srdf: Beside, reason: str, otherwise: str, context: Context) -> None:
    """Report an SRDF that is not used; with the error of one that cannot be read."""
    errors = [f.message for f in srdf.findings if f.severity == "error"]
    context.findings.warning(
        "srdf-not-used",
        f"the SRDF {srdf.path} is not used: {reason}{f': {errors[0]}' if errors else ''}",
        srdf.document.at() if srdf.document is not None else None,
        Hint("read it with ", Setting("srdf", value=srdf.path), otherwise),
    )


def _beside(folder: str) -> list[str]:
    """The folders of SRDF files beside the URDFs in ``folder``."""
    return [near(folder, *up, word) for up in ([".."], []) for word in _FOLDERS]


def _other_names(context: Context) -> Iterator[str]:
    """SRDF files beside a URDF, or in a folder below, that have neither its name nor another URDF's."""
    folder, _ = folder_and_stem(context.path)
    files = context.files
    count = 0
    stems = {name.partition(".")[0] for name in files.names(folder or ".") if name.endswith(URDF)}
    for place in (folder, *(near(folder, word) for word in _FOLDERS)):
        for name in files.names(place or "."):
            if name.endswith(_SUFFIXES) and name.partition(".")[0] not in stems and count < _MOST:
                count += 1
                yield os.path.join(place, name)


def _srdf_places(context: Context) -> Iterator[str]:
    """Where the SRDF of a URDF may be: in its folder, in one beside it, in a MoveIt package."""
    folder, stem = folder_and_stem(context.path)
    below = (place for word in ("urdf", "robots") for place in mirrored(folder, word, "srdf"))
    for place in (folder, *_beside(folder), *below):
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
