"""The folder in which the user's results are kept between runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

#: The environment variable that names another folder, or switches the cache off.
VARIABLE, OFF = "UNIBODY_CACHE", "off"


def cache_folder(part: str, environment: Mapping[str, str] | None = None) -> str | None:
    """The folder of one kind of results, which may not exist yet; None if the cache is switched off.

    It is below ``UNIBODY_CACHE`` if that is set, else below the folder for caches of the system:
    ``XDG_CACHE_HOME`` or ``~/.cache`` on Linux.

    >>> cache_folder("parts", {"UNIBODY_CACHE": "off"}) is None
    True
    """
    known = os.environ if environment is None else environment
    chosen = known.get(VARIABLE, "")
    if chosen.lower() == OFF:
        return None
    if chosen:
        return os.path.join(os.path.abspath(chosen), part)
    system = _system_folder(known)
    return os.path.join(system, "unibody", part) if os.path.isabs(system) else None


def _system_folder(known: Mapping[str, str]) -> str:
    """The folder for caches of the system; not absolute if there is no home."""
    if os.path.isabs(known.get("XDG_CACHE_HOME", "")):
        return known["XDG_CACHE_HOME"]
    if sys.platform == "win32":
        return known.get("LOCALAPPDATA", "")
    below = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return os.path.join(os.path.expanduser("~"), *below)
