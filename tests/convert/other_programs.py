"""The programs that load written models: MuJoCo, Pinocchio with geometry, yourdfpy, PyBullet.

PyBullet runs in an interpreter of its own, whose path the variable ``UNIBODY_PYBULLET`` states; without it
PyBullet is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


class Refused(Exception):
    """A program does not load a file, or not all of it; the text is all that it prints of that."""


class Absent(Exception):
    """The program is not installed."""


def refusal(program: str, path: str) -> str | None:
    """What a program says of a file that it does not load, with what it prints; None if it loads the file.

    :class:`Absent` if the program is not installed.
    """
    with _captured() as printed:
        try:
            _PROGRAMS[program](path)
        except (Absent, ImportError) as absent:
            raise Absent(program) from absent
        except Refused as refused:
            return str(refused)
        except Exception as refused:
            where = [frame.name for frame in traceback.extract_tb(refused.__traceback__)]
            parsed = " in ".join(name for name in reversed(where) if name.startswith("_parse_"))
            said = f"{type(refused).__name__}: {refused}{' in ' if parsed else ''}{parsed}"
        else:
            return None
    return "\n".join(filter(None, (said, *printed)))


@contextmanager
def _captured() -> Iterator[list[str]]:
    """What C++ code prints meanwhile, in the list after the end."""
    printed: list[str] = []
    kept = [os.dup(n) for n in (1, 2)]
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    with tempfile.TemporaryFile() as file:
        for n in (1, 2):
            os.dup2(file.fileno(), n)
        try:
            yield printed
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            for n, old in zip((1, 2), kept, strict=True):
                os.dup2(old, n)
                os.close(old)
            file.seek(0)
            printed += file.read(100_000).decode("utf-8", "replace").splitlines()


def _mujoco(path: str) -> None:
    import mujoco

    mujoco.MjModel.from_xml_path(path)


def _pinocchio(path: str) -> None:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(path)
    for kind in (pin.GeometryType.VISUAL, pin.GeometryType.COLLISION):
        pin.buildGeomFromUrdf(model, path, kind, package_dirs=[os.path.dirname(path)])


def _yourdfpy(path: str) -> None:
    import yourdfpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yourdfpy.URDF.load(path, build_collision_scene_graph=True, load_collision_meshes=True)


# Answers each path on a line of its input by a line of JSON: whether it loads it, and what it prints.
_PYBULLET = """
import json, os, sys, tempfile
answers = os.fdopen(os.dup(1), "w")
printed = tempfile.TemporaryFile()
os.dup2(printed.fileno(), 1), os.dup2(printed.fileno(), 2)
import pybullet
pybullet.connect(pybullet.DIRECT)
for line in sys.stdin:
    path, error = json.loads(line), None
    printed.seek(0), printed.truncate()
    try:
        pybullet.loadURDF(path)
    except Exception as refused:
        error = str(refused)
    pybullet.resetSimulation()
    printed.seek(0)
    text = printed.read(100000).decode("utf-8", "replace")
    print(json.dumps([error, text]), file=answers, flush=True)
"""


@cache
def _interpreter() -> subprocess.Popen[str]:
    if not (python := os.environ.get("UNIBODY_PYBULLET")):
        raise Absent("PyBullet")
    own = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    pipe = subprocess.PIPE
    return subprocess.Popen([python, "-c", _PYBULLET], stdin=pipe, stdout=pipe, text=True, env=own)


def _pybullet(path: str) -> None:
    process = _interpreter()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        print(json.dumps(path), file=process.stdin, flush=True)
        answer = process.stdout.readline()
    except BrokenPipeError:
        answer = ""
    if not answer:
        _interpreter.cache_clear()
        raise Refused(f"ended with {process.wait()}")
    error, printed = json.loads(answer)
    # it goes on without a mesh that it cannot read
    if error is not None or "cannot extract" in printed or "issue extracting" in printed:
        raise Refused(f"{error or 'loaded without a mesh'}\n{printed}")


_PROGRAMS: dict[str, Callable[[str], Any]] = {
    "MuJoCo": _mujoco,
    "Pinocchio": _pinocchio,
    "yourdfpy": _yourdfpy,
    "PyBullet": _pybullet,
}
#: The programs that load each format.
LOADERS = {"mjcf": ("MuJoCo",), "urdf": ("Pinocchio", "yourdfpy", "PyBullet")}


def preload() -> None:
    """Import what the programs need, before processes are forked."""
    for module in ("mujoco", "pinocchio", "yourdfpy", "trimesh", "scipy.spatial", "lxml.etree"):
        try:
            __import__(module)
        except ImportError:
            continue
