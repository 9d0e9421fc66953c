"""Compare two versions of unibody, interleaved in one run: python -m bench._versions OLD [CORPUS [KIND]]

``OLD`` is the root of another checkout, ``CORPUS`` a folder of model files. Each version runs in its own
process; both work on the same task in turn, and the minimum CPU times are compared. ``KIND`` is
kinematics, load, convert, simulate or plan. Printed are the sums of each kind, and the tasks with the
largest ratios; the sums go to ``bench/out/versions.json``, too, for docs/performance.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
# Tasks shorter than this, in s, are left out of the list of the largest ratios.
SHORT = 0.003

#: Each is measured in a batch of 2,000, or in 100 calls.
KINEMATICS = [
    f"kinematics of {count}{how}"
    for count in ("one configuration", "a batch")
    for how in ("", ", without the extra")
]
METHODS = ("link poses", "Jacobian", "mass matrix", "inverse dynamics", "forward dynamics")

WORKER = """
import gc, json, os, sys, tempfile, time
import numpy as np
import unibody as ub
from unibody.mechanism import compilation

SR1 = sys.argv[1]

def task(kind, path):
    if kind.startswith("kinematics"):
        m = ub.assemble(ub.load(SR1))
        one = "one configuration" in kind
        q = np.random.default_rng(1).uniform(-1.0, 1.0, (m.nq,) if one else (2_000, m.nq))
        v = np.ones((m.nv,) if one else (2_000, m.nv))
        tip = m.link_names[int(m.order[-1])]
        call = {"link poses": lambda: m.forward_kinematics(q), "Jacobian": lambda: m.jacobian(q, tip),
                "mass matrix": lambda: m.mass_matrix(q),
                "inverse dynamics": lambda: m.inverse_dynamics(q, v, v),
                "forward dynamics": lambda: m.forward_dynamics(q, v, v)}[path]
        there = compilation.is_available
        begin = time.process_time()
        if "without" in kind:
            compilation.is_available = lambda: False
            for _ in range(300 if one else 1):
                call()
        else:  # until there is the best code
            while time.process_time() - begin < 1.0:
                call()
        compilation.is_available = there
        return lambda: [call() for _ in range(100 if one else 1)]
    if kind == "load":
        return lambda: ub.read(path)
    if kind == "simulate":
        sim = ub.simulate(ub.load(path))
        return lambda: (sim.reset(), sim.run(0.2))
    if kind == "plan":
        file, seed = path.split("#")
        box = ub.Box(size=(0.05, 0.05, 0.9))
        pillar = ub.Shape(geometry=box, name="pillar", pose=ub.Pose((0.3, 0.25, 0.45)))
        world = ub.collisions(ub.load(file), [pillar])
        ends = [{"Turn": turn, "Upper": 1.0} for turn in (-0.5, 1.9)]
        return lambda: ub.plan(world, *ends, seed=int(seed))
    source, suffix = path.rsplit(">", 1)
    target = os.path.join(tempfile.mkdtemp(), "out" + suffix)
    return lambda: ub.convert(source, target, overwrite=True)

tasks = {}
for line in sys.stdin:
    kind, path = json.loads(line)
    try:
        if (kind, path) not in tasks:
            tasks[kind, path] = task(kind, path)
            tasks[kind, path]()
        gc.collect()
        start = time.process_time()
        tasks[kind, path]()
        print(json.dumps(time.process_time() - start), flush=True)
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"[:200]), flush=True)
"""


class Version:
    """A process that runs tasks with one version."""

    def __init__(self, root: Path, sr1: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(sr1)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, kind: str, path: str) -> float | str:
        """CPU time of a task in s, or why it failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([kind, path]) + "\n")
        self.process.stdin.flush()
        result: float | str = json.loads(self.process.stdout.readline())
        return result


def tasks(corpus: Path) -> list[tuple[str, str]]:
    """Loads of the largest files of each suffix; conversions, kinematics, simulations and plans."""
    out = [(kind, name) for kind in KINEMATICS for name in METHODS]
    for suffix in (".body", ".urdf", ".wrl", ".rob", ".xacro"):
        found = sorted(corpus.rglob(f"*{suffix}"), key=lambda p: p.stat().st_size)
        some = found[-12:] + found[:: max(len(found) // 12, 1)]
        out += [("load", str(path)) for path in dict.fromkeys(some)]
        for target in (".urdf", ".body", ".wrl"):
            out += [("convert", f"{path}>{target}") for path in found[len(found) // 2 :: 25][:3]]
    own = ROOT / "src/unibody/models"
    out += [("simulate", str(own / name)) for name in ("biped.body", "arm.rob")]
    out += [("simulate", str(path)) for path in sorted(corpus.rglob("*.body"))[::25]]
    return out + [("plan", f"{own / 'arm.rob'}#{seed}") for seed in range(10)]


def _rows(kind: str, times: list[tuple[tuple[str, str], list[float]]]) -> list[dict[str, Any]]:
    """Before and after, in s: of each method, or the sums of all tasks of another kind."""
    if kind.startswith("kinematics"):
        calls = 100 if "one" in kind else 2_000
        batch = kind.removeprefix("kinematics of ")
        return [
            {
                "name": f"{name}, {batch}",
                "before": 1e6 * b[0] / calls,
                "after": 1e6 * b[1] / calls,
                "unit": "µs",
            }
            for (_, name), b in times
        ]
    before, after = (sum(b[k] for _, b in times) for k in (0, 1))
    return [{"name": f"{kind}: {len(times)} tasks", "before": before, "after": after, "unit": "s"}]


def main(old: Path, corpus: Path, kind: str = "") -> None:
    """Print the comparison."""
    sr1 = next(iter(sorted(corpus.rglob("SR1.body"))), ROOT / "src/unibody/models/biped.body")
    versions = Version(old, sr1), Version(ROOT, sr1)
    best: dict[tuple[str, str], list[float]] = {}
    failed: dict[tuple[str, str], list[Any]] = {}
    for number in range(ROUNDS):
        for task in (t for t in tasks(corpus) if t[0].startswith(kind)):
            times = [version.run(*task) for version in (versions if number % 2 else versions[::-1])]
            times = times if number % 2 else times[::-1]
            if any(isinstance(t, str) for t in times):
                failed[task] = times
                continue
            kept = best.setdefault(task, [float("inf")] * 2)
            best[task] = [min(a, float(b)) for a, b in zip(kept, times, strict=True)]
    rows = []
    for name in dict.fromkeys(task[0] for task in best):
        some = [(t, b) for t, b in best.items() if t[0] == name]
        rows += _rows(name, some)
        before, after = (sum(b[k] for _, b in some) for k in (0, 1))
        print(f"{name:<46} {len(some):>4} tasks  {before:8.3f} s → {after:8.3f} s  {after / before:5.2f} x")
        large = sorted((b[1] / b[0], t[1], b) for t, b in some if b[0] > SHORT)[-6:]
        for ratio, path, b in reversed(large):
            print(f"  {ratio:5.2f} x  {b[0] * 1e3:8.1f} → {b[1] * 1e3:8.1f} ms  {Path(path).name}")
    out = ROOT / "bench/out/versions.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"old": old.resolve().name, "rows": rows}, indent=1) + "\n", "utf-8")
    for task, times in failed.items():
        if isinstance(times[0], str) is not isinstance(times[1], str):
            print(f"fails in one version: {Path(task[1]).name}: {times}")


if __name__ == "__main__":
    corpus = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT.parent / "shared/corpus/dev"
    main(Path(sys.argv[1]), corpus, *sys.argv[3:])
