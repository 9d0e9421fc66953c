"""Makes the environment of physics engines: every package of the extra ``engines`` that can be installed.

``python tools/engines.py FOLDER``. A package without a wheel for this Python is reported, and the others
are installed.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def requirements(text: str) -> list[str]:
    """The requirements of the extra ``engines`` in the text of a pyproject.toml.

    >>> requirements('[project.optional-dependencies]\\nengines = [\\n    "drake>=1",\\n]\\n')
    ['drake>=1']
    """
    _, _, behind = text.partition("\nengines = [")
    lines = behind.partition("]")[0].splitlines()
    return [line.strip().strip(",").strip('"') for line in lines if line.strip()]


def main(folder: str) -> int:
    """Make or complete the environment; the number of packages that are missing."""
    place = Path(folder)
    if not (place / "pyvenv.cfg").exists():
        venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    missing = 0
    for requirement in requirements((ROOT / "pyproject.toml").read_text("utf-8")):
        command = [str(python), "-m", "pip", "install", "--only-binary", ":all:", requirement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        # pip succeeds, too, where the marker of a requirement excludes this Python or system
        is_here = done.returncode == 0 and "\nIgnoring " not in f"\n{done.stdout}"
        print(f"{requirement}: {'here' if is_here else 'not here'}", flush=True)
        missing += not is_here
    return missing


if __name__ == "__main__":
    main(sys.argv[1])
