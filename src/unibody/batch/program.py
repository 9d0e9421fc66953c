"""Identifies the program by its code, so that results of another one are not taken for its own."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# Files of the package that results depend on: code, rules of findings, tables.
_SUFFIXES = (".py", ".yaml", ".tsv")
# Packages that results depend on, as far as they are there.
_PACKAGES = ("numpy", "PyYAML", "xacro", "trimesh", "pycollada", "coal", "pin", "mujoco")


@cache
def code_digest() -> str:
    """A digest of the code of unibody: equal on two machines that have the same code."""
    made = blake2b(digest_size=8)
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SUFFIXES:
            made.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return made.hexdigest()


def package_versions() -> dict[str, str]:
    """The versions of the packages that results depend on."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
