"""Finds the SRDF of a URDF that is read."""

from __future__ import annotations

import os
from collections.abc import Iterator

from unibody.formats.format import Context
from unibody.formats.srdf.places import folder_and_stem, near, package
from unibody.model.robot import Robot


def with_srdf(robot: Robot, context: Context) -> Robot:
    """The robot of the URDF at ``context.path``, with its SRDF if it has one.

    It is the file that the caller names, else one of the places where robots and MoveIt keep it.
    """
    path = context.files.srdf
    if path is None:
        path = next((p for p in _srdf_places(context.path) if _exists(p, context)), "")
    if not path:
        return robot
    from unibody.formats.srdf.reader import add_srdf  # few robots have one

    return add_srdf(robot, path, context)


def _exists(path: str, context: Context) -> bool:
    """Whether there is a file; the search for one that is not there is noted."""
    found = context.files.exists(path)
    if not found:
        context.files.meter.missed.add(path)
    return found


def _srdf_places(path: str) -> Iterator[str]:
    """Where the SRDF of a URDF may be: in its folder, in one beside it, in the MoveIt package."""
    folder, stem = folder_and_stem(path)
    yield os.path.join(folder, f"{stem}.srdf")
    for name in ("srdf", "config"):
        yield near(folder, "..", name, f"{stem}.srdf")
    names = [stem, package(folder)]
    for name in dict.fromkeys(word.removesuffix("_description") for word in names if word):
        for inner in dict.fromkeys((stem, name)):
            yield near(folder, "..", "..", f"{name}_moveit_config", "config", f"{inner}.srdf")
