"""Compare loads with all meshes to another version and Choreonoid: python -m bench._oracle OLD [NAME ...]

``OLD`` is the root of another checkout, version 0.1 (aa6a2cc) for the figures in the closing notes; with
names, only models whose path has one of them are loaded. ``../shared/oracle/load-times.tsv`` has the time
of Choreonoid's own loader for each model, measured beside version 0.1 on a quiet machine; it is scaled by
what version 0.1 takes now. A load reads the file and tessellates each shape of each link once.

Each version runs in its own process; both load the same model in turn, and the medians of the CPU times are
compared. Peak memory is that of a fresh process that loads one model, beyond the imports; docs/limits.md
promises a bound for it. The last rows are repeated loads of the bundled robot without meshes.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
TIMES = SHARED / "oracle/load-times.tsv"
ROUNDS = 7
# Bounds: total / old total; each model / Choreonoid, from this many ms more on.
TOTAL, EACH, EXCESS = 0.31, 5.0, 30.0
REPEATED = 20

WORKER = """
import gc, json, re, sys, time
import numpy as np
import unibody as ub
try:
    from unibody.meshes import MeshCache, shape_surfaces
except ImportError:  # version 0.1
    from unibody.mesh import MeshCache, shape_surfaces

def meshes(path):
    robot, cache = ub.read(path).robot, MeshCache()
    return [x for link in robot.links for shape in (*link.visuals, *link.collisions)
            for x in shape_surfaces(shape, cache)]

def yourdfpy(path):
    from yourdfpy import URDF
    return URDF.load(path, load_meshes=False, build_scene_graph=False)

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", open("/proc/self/status").read())[1]) * 1024

TASKS = {"meshes": meshes, "read": ub.read, "yourdfpy": yourdfpy}
for line in sys.stdin:
    kind, path, times = json.loads(line)
    if kind == "peak":
        before = peak()
        arrays = {id(a): a.nbytes for x in meshes(path)
                  for a in (x.vertices, x.faces, x.normals, x.tex_coords, x.colors) if a is not None}
        print(json.dumps([peak() - before, sum(arrays.values())]), flush=True)
        continue
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        TASKS[kind](path)
    print(json.dumps((time.process_time() - start) / times * 1e3), flush=True)
"""


class Version:
    """A process that loads models with one version."""

    def __init__(self, root: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env={**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, kind: str, path: str, times: int = 1) -> object:
        """What the process answers to a task: CPU time in ms, or bytes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([kind, path, times]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def time(self, kind: str, path: str, times: int = 1) -> float:
        """CPU time of a load in ms."""
        out = self.ask(kind, path, times)
        assert isinstance(out, float)
        return out


class Model(NamedTuple):
    """A model of the table: its path, and the ms of Choreonoid and of version 0.1 on a quiet machine."""

    path: str
    choreonoid: float
    old: float


def models(names: list[str]) -> list[Model]:
    """The rows of the table whose path has one of the names; all without names."""
    with TIMES.open(encoding="utf-8") as file:
        rows = list(csv.reader((line for line in file if not line.startswith("#")), delimiter="\t"))[1:]
    found = [Model(path, float(theirs), float(ours)) for path, theirs, ours, _ in rows]
    return [m for m in found if not names or any(name in m.path for name in names)]


def peak(root: Path, path: str) -> tuple[int, int]:
    """Bytes that a load takes in a fresh process beyond the imports, and those of the arrays it gives."""
    version = Version(root)
    out = version.ask("peak", path)
    assert version.process.stdin is not None
    version.process.stdin.close()
    version.process.wait()
    assert isinstance(out, list)
    return out[0], out[1]


def loads(old: Path, chosen: list[Model]) -> list[str]:
    """Print the loads with meshes; returns what misses a bound."""
    versions = Version(old), Version(ROOT)
    times: dict[Model, tuple[list[float], list[float]]] = {model: ([], []) for model in chosen}
    for number in range(-1, ROUNDS):
        for model in chosen:
            for k in (0, 1) if number % 2 else (1, 0):
                took = versions[k].time("meshes", str(SHARED / "corpus/dev" / model.path))
                if number >= 0:
                    times[model][k].append(took)
    medians = {model: [statistics.median(t) for t in both] for model, both in times.items()}
    scale = sum(m[0] for m in medians.values()) / sum(model.old for model in chosen)
    print(f"C++ ms of the table x {scale:.2f}, by which this machine is slower now")
    print(f"{'model':<42} {'C++':>7} {'old':>8} {'new':>8} {'/old':>6} {'/C++':>6} {'MB':>6} {'bound':>6}")
    missed = []
    for model, (before, after) in medians.items():
        theirs = model.choreonoid * scale
        path = SHARED / "corpus/dev" / model.path
        taken, arrays = peak(ROOT, str(path))
        bound = 4 * arrays + 60 * path.stat().st_size + 100_000_000
        name = model.path[-42:]
        print(
            f"{name:<42} {theirs:7.1f} {before:8.1f} {after:8.1f} {after / before:6.2f} "
            f"{after / theirs:6.2f} {taken / 1e6:6.1f} {bound / 1e6:6.0f}"
        )
        if after > EACH * theirs + EXCESS * scale:
            missed.append(f"{name}: {after:.0f} ms, C++ {theirs:.0f} ms")
        if taken > bound:
            missed.append(f"{name}: {taken / 1e6:.0f} MB, bound {bound / 1e6:.0f} MB")
    theirs = sum(model.choreonoid for model in chosen) * scale
    before, after = (sum(m[k] for m in medians.values()) for k in (0, 1))
    ratios = f"{after / before:6.2f} {after / theirs:6.2f}"
    print(f"{'total':<42} {theirs:7.1f} {before:8.1f} {after:8.1f} {ratios}")
    if after > TOTAL * before:
        missed.append(f"total: {after / before:.2f} x old, bound {TOTAL}")
    return missed


def repeated(old: Path) -> list[str]:
    """Print repeated loads of the bundled robot; returns what misses a bound."""
    robot = ROOT / "src/unibody/models/biped"
    versions = Version(old), Version(ROOT)
    missed = []
    tasks = [(".body", versions[0], "read", "old", 0.8)]
    if importlib.util.find_spec("yourdfpy"):
        tasks.append((".urdf", Version(old), "yourdfpy", "yourdfpy, no scene graph", 1.0))
    for suffix, other, kind, name, bound in tasks:
        ours, theirs = list[float](), list[float]()
        for number in range(-1, ROUNDS):
            both = (
                versions[1].time("read", f"{robot}{suffix}", REPEATED),
                other.time(kind, f"{robot}{suffix}", REPEATED),
            )
            if number >= 0:
                ours.append(both[0])
                theirs.append(both[1])
        ratio = statistics.median(ours) / statistics.median(theirs)
        print(
            f"biped{suffix}, repeated: {statistics.median(ours):.2f} ms, {name} "
            f"{statistics.median(theirs):.2f} ms, {ratio:.2f} x"
        )
        if ratio > bound:
            missed.append(f"biped{suffix}: {ratio:.2f} x {name}, bound {bound}")
    return missed


def main(old: Path, names: list[str]) -> int:
    """Print the comparison; exit code 1 if a bound is missed."""
    missed = loads(old, models(names)) + ([] if names else repeated(old))
    for line in missed:
        print(f"MISSED {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
