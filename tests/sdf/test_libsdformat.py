"""What is read of SDF files is what the libsdformat of the system makes of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.sdf import libsdformat
from tests.sdf.truth import Comparison, reading
from tests.shared import CORPUS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shared")]

#: The newest version of SDF that libsdformat 12 reads.
NEWEST = (1, 9)

#: Differences that are meant, by the end of the path, and why.
MEANT = {
    "include_invalid_custom_model.sdf": "a size of two numbers is an error, and not left as it was",
    "nested_include/base/base.sdf": "its files have no model.config",
    "nested_include/top_model/top_model.sdf": "its files have no model.config",
    "merge_include_model.sdf": "libsdformat 12 rounds the poses of models that it merges",
    "four_bar_loop.sdf": "joints of frames that are attached to the world inside a model are errors",
    "four_bar_weld.sdf": "joints of frames that are attached to the world inside a model are errors",
    "model/turtlebot.sdf": "includes models that are missing",
}


def version_of(path: Path) -> tuple[int, ...]:
    """The version that an SDF file states; () without one."""
    found = re.search(r"<sdf[^>]*version=[\"']([\d.]+)", path.read_text("utf-8", errors="replace"))
    return tuple(map(int, found[1].split("."))) if found else ()


def test_files_are_read_as_by_the_libsdformat_of_the_system() -> None:
    libsdformat.needed()
    files = [path for path in sorted(CORPUS.rglob("*.sdf")) if "bad" not in path.parts[len(CORPUS.parts)]]
    files = [path for path in files if () < version_of(path) <= NEWEST]
    assert len(files) > 90
    out: list[str] = []
    meant: set[str] = set()
    for path in files:
        truth = libsdformat.ask(path, f"{path.parent / 'model'}")
        found = Comparison(reading(path), truth).out
        why = [end for end in MEANT if str(path).endswith(end)]
        if found and why:
            meant.update(why)
        elif found:
            out += [f"{path.name}: {line}" for line in found[:5]]
    assert out == []
    assert meant == {*MEANT}, "some are no longer different"
