"""Rejects paths where a robot is required."""

from __future__ import annotations

import os


def check_is_robot(given: object) -> None:
    """Raise TypeError if ``given`` is the path of a model file.

    >>> check_is_robot("arm.urdf")
    Traceback (most recent call last):
    TypeError: a Robot is needed: unibody.load('arm.urdf') reads one
    """
    if isinstance(given, (str, os.PathLike)):
        raise TypeError(f"a Robot is needed: unibody.load({os.fspath(given)!r}) reads one")
