"""The small neutral robots of tests/robots, and robots put through a format and back."""

from __future__ import annotations

import os
import struct
from functools import cache
from pathlib import Path

import numpy as np
from tests.corpus.outcomes import models

from unibody.formats.loader import read, read_with
from unibody.meshes.write_png import write_png
from unibody.model import json as native
from unibody.model.robot import Robot
from unibody.text.finding import Findings

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "tests/robots"
CASES = sorted(p.stem for p in ROBOTS.glob("*.json"))
# A tetrahedron with another extent along each axis, away from the origin.
POINTS = np.array([[0.25, 0.25, 0.25], [1.25, 0.25, 0.25], [0.25, 2.25, 0.25], [0.25, 0.25, 3.25]])
CORNERS = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def every(step: int) -> list[Path]:
    """Every so many-th URDF or Body file of the corpus; with UNIBODY_WHOLE_CORPUS set, all of them."""
    found = models(".urdf", ".body")
    return found if os.environ.get("UNIBODY_WHOLE_CORPUS") else found[::step]


@cache
def neutral(name: str) -> Robot:
    """A robot of tests/robots."""
    findings = Findings()
    made = native.loads((ROBOTS / f"{name}.json").read_text("utf-8"), f"{name}.json", findings)
    assert made is not None, [str(f) for f in findings]
    return made


def with_files(folder: Path) -> Path:
    """A new folder for models, where the files exist that the neutral robots refer to."""
    models = folder / "models"
    stl = (ROOT / "tests/formats/body/kitchen_sink.stl").read_bytes()
    png = write_png((1, 1, 3, 255, 0, 0)) or b""
    files = {
        "models/package.xml": b"<package/>",
        "models/textures/stripes.png": png,
        "models/textures/wood.png": png,
        "models/kitchen_sink.stl": stl,
        "models/part.dae": b"<COLLADA/>",
        "kitchen/meshes/shell.dae": b"<COLLADA/>",
        "kitchen/meshes/shell_hit.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "shapes/meshes/bracket.stl": stl,
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return models


def whole(path: Path) -> Robot:
    """The robot of a file, with what it carries."""
    found = read(path)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    return found.robot


def plain(path: Path) -> Robot:
    """The robot of a file, without what it carries."""
    found = read_with(path, plain=True)
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    return found.robot


def tetrahedron() -> bytes:
    """The tetrahedron as a binary STL file."""
    facets = (struct.pack("<12f", 0, 0, 0, *POINTS[list(face)].ravel()) + b"\0\0" for face in CORNERS)
    return b"\0" * 80 + struct.pack("<I", len(CORNERS)) + b"".join(facets)
