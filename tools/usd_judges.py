"""Makes an environment of what judges stages of USD: ``python tools/usd_judges.py judges|newton FOLDER``.

"judges" has NVIDIA's validators, which need a version of OpenUSD and Python 3.11 or 3.12; "newton" has
MuJoCo with its importer of USD. Neither is a dependency of unibody: tests ask them in processes of their
own.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

#: The packages of each environment.
PACKAGES = {
    "judges": (
        "usd-core>=26.8",
        "usd-validation-nvidia",
        "simready-validate",
        "simready-foundation-tier-core",
    ),
    "newton": ("mujoco-core", "mujoco-usd", "usd-core"),
}


def main(which: str, folder: str) -> int:
    """Make or complete an environment; the exit status of pip."""
    place = Path(folder)
    if not (place / "pyvenv.cfg").exists():
        venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    command = [str(python), "-m", "pip", "install", "--only-binary", ":all:", *PACKAGES[which]]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
