"""Build the pages of `unibody view` and `unibody index` from viewer/: python tools/viewer.py

--check only compares the built pages with those in the package.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "viewer"
# The built pages, and where they are in the package.
PAGES = {
    SOURCE / "dist" / "viewer.html": ROOT / "src" / "unibody" / "page" / "viewer.html",
    SOURCE / "dist" / "catalogue.html": ROOT / "src" / "unibody" / "catalogue" / "catalogue.html",
}

_MINIMUM_VERSION = (20, 19)
_MISSING_NODE = "requires Node.js 20.19 or newer with npm (`make viewer` installs it from PyPI)"


def npm() -> tuple[str, str] | None:
    """The path of npm and the PATH to run it with; None if Node is missing or too old."""
    own = str(Path(sys.executable).parent)
    for path in (os.environ.get("PATH", ""), os.pathsep.join([own, os.environ.get("PATH", "")])):
        node, program = shutil.which("node", path=path), shutil.which("npm", path=path)
        if node and program and _version(node) >= _MINIMUM_VERSION:
            return program, path
    return None


def _version(node: str) -> tuple[int, int]:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", done.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def build(program: str, path: str) -> None:
    """Install the dependencies, lint, run the tests, and build the pages."""
    environment = {**os.environ, "PATH": path}
    for words in (["ci"], ["run", "lint"], ["test"], ["run", "build"]):
        subprocess.run([program, "--silent", *words], cwd=SOURCE, env=environment, check=True)


def main(words: list[str]) -> str | None:
    """Build or check the pages; returns an error message or None."""
    found = npm()
    if found is None:
        return _MISSING_NODE
    if words == ["--node"]:
        return None
    try:
        build(*found)
    except subprocess.CalledProcessError as error:
        return f"{' '.join(map(str, error.cmd))} failed"
    for built, shipped in PAGES.items():
        if words != ["--check"]:
            shipped.write_bytes(built.read_bytes())
        elif not shipped.exists() or shipped.read_bytes() != built.read_bytes():
            return f"{shipped.relative_to(ROOT)} is outdated: run `make viewer`"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
