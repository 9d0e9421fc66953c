"""Optional packages that are not installed."""

from __future__ import annotations


class MissingExtra(ImportError):
    """A function needs a package that cannot be imported; the message says what to do."""


def missing(what: str, packages: str, command: str) -> MissingExtra:
    """The error of a package that is not installed, with the command that installs it.

    >>> print(missing("simulation", "MuJoCo", "pip install mujoco"))
    simulation needs MuJoCo: pip install mujoco
    """
    verb = "need" if what.endswith("s") else "needs"
    return MissingExtra(f"{what} {verb} {packages}: {command}")
