"""libsdformat of the system as a judge: ``python -m tests.sdf.libsdformat`` builds what asks it.

On Debian and Ubuntu the library is the package ``libsdformat-dev``, whose version 12.3 knows SDF up to 1.9.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_SOURCE = Path(__file__).with_suffix(".cpp")
_PROGRAM = _ROOT / "build" / "judges" / "libsdformat"
_PACKAGES = ("libsdformat-dev", "g++", "pkg-config")
#: Versions of the library, whose names have the number, by preference.
_VERSIONS = range(17, 11, -1)


def flags() -> list[str]:
    """The flags of the compiler for the newest library here; [] without one."""
    if shutil.which("pkg-config") is None:
        return []
    for number in _VERSIONS:
        command = ["pkg-config", "--cflags", "--libs", f"sdformat{number}"]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            return asked.stdout.split()
    return []


def install() -> None:
    """Install the library where apt answers and may do so."""
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    get = ["apt-get", "install", "--yes", "--no-install-recommends", *_PACKAGES]
    for command in (get, ["apt-get", "update"], get):
        done = subprocess.run(command, capture_output=True, check=False, timeout=600)
        if done.returncode == 0 and command is get:
            return


def build() -> str:
    """Compile the program if its source is newer; why that cannot be, "" if it is here."""
    if _PROGRAM.is_file() and _PROGRAM.stat().st_mtime >= _SOURCE.stat().st_mtime:
        return ""
    if not flags() or shutil.which("g++") is None:
        install()
    known = flags()
    if not known or shutil.which("g++") is None:
        return "libsdformat is not here (Debian, Ubuntu: apt-get install libsdformat-dev g++ pkg-config)"
    _PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    made = _PROGRAM.with_suffix(f".{os.getpid()}")
    command = ["g++", "-o", str(made), str(_SOURCE), *known]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        return f"the program that asks libsdformat is not compiled: {done.stderr[:1000]}"
    made.replace(_PROGRAM)
    return ""


def needed() -> None:
    """Skip the test where the program is not built: ``make judges`` builds it."""
    if not _PROGRAM.is_file():
        pytest.skip("needs libsdformat: make judges")


def ask(path: Path, places: str = "") -> dict[str, Any]:
    """What libsdformat makes of a file; ``places`` are the folders where it searches for models."""
    environment = {**os.environ, "SDF_PATH": places}
    done = subprocess.run(
        [str(_PROGRAM), str(path)], capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    if done.returncode != 0:
        raise ValueError(f"libsdformat ends with {done.returncode}: {done.stderr[-300:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    print(build() or f"{_PROGRAM.relative_to(_ROOT)} is built")
