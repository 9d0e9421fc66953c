"""Cases of slips in model files, and the recorded verdicts of other loaders (docs/loaders.md)."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.model.robot import Robot

HERE = Path(__file__).parent
TABLE = HERE / "verdicts.tsv"
COLUMNS = ("format", "code", "case", "loader", "version", "verdict", "note")
#: What a loader does with a text: it loads the robot that unibody makes, another one, or (if it says
#: nothing about the robot) some robot; it refuses the text, or its process ends.
VERDICTS = ("same", "differs", "loads", "refuses", "crashes")
LOADS = frozenset(("same", "differs", "loads"))
SUFFIXES = {"urdf": ".urdf", "body": ".body", "openhrp": ".wrl"}


@dataclass(frozen=True)
class Case:
    """A model file with one slip.

    ``severity`` is that of unibody's finding; ``gives`` are facts of the robot that state the assumption.
    ``policy`` tells why the text is an error although a loader takes it.
    """

    format: str
    code: str
    name: str
    text: str
    severity: str
    files: Mapping[str, str] = field(default_factory=dict)
    gives: Mapping[str, Any] = field(default_factory=dict)
    policy: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """The columns that name the case."""
        return self.format, self.code, self.name

    def write(self, folder: Path) -> Path:
        """Write the file of the case, and those beside it; returns its path."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text.encode())
        path = folder / f"model{SUFFIXES[self.format]}"
        path.write_bytes(self.text.encode())
        return path


@dataclass(frozen=True)
class Verdict:
    """One row of the table."""

    format: str
    code: str
    case: str
    loader: str
    version: str
    verdict: str
    note: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """The columns that name the case."""
        return self.format, self.code, self.case


@cache
def cases() -> list[Case]:
    """The cases of all formats, in the order of their files."""
    return [case for path in sorted(HERE.glob("*.yaml")) for case in _cases(path)]


def _cases(path: Path) -> Iterator[Case]:
    data = yaml.load(path.read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for row in data["cases"]:
        text = row.get("text")
        if text is None:
            text = data["base"]
            for old, new in row.get("edit", {}).items():
                assert old in text, f"{path.name}: {row['case']}: {old!r} is not in the base"
                text = text.replace(old, new)
            head, end, tail = text.rpartition("</robot>")
            text = f"{head}{row.get('add', '')}{end}{tail}"
        yield Case(
            format=path.stem,
            code=row["code"],
            name=row["case"],
            text=text,
            severity=row.get("severity", ""),
            files=row.get("files", {}),
            gives=row.get("gives", {}),
            policy=row.get("policy", ""),
        )


def recorded() -> list[Verdict]:
    """The rows of the table."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [Verdict(**row) for row in csv.DictReader(lines, delimiter="\t")]


def write(rows: Iterable[Verdict]) -> None:
    """Write the table, in the order of the cases."""
    order = {case.key: i for i, case in enumerate(cases())}
    kept = sorted((r for r in rows if r.key in order), key=lambda r: order[r.key])
    with TABLE.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows([getattr(row, column) for column in COLUMNS] for row in kept)


def run(loader: str, wanted: list[Case], folder: Path, python: str = sys.executable) -> list[Verdict]:
    """The verdicts of an installed loader about URDF cases; empty if it is not installed.

    ``python`` is the interpreter that has the loader.
    """
    found = answers(loader, wanted, folder, python)
    return [_verdict(case, loader, answer) for case, answer in zip(wanted, found, strict=False)]


def answers(
    loader: str, wanted: list[Case], folder: Path, python: str = sys.executable
) -> list[dict[str, Any]]:
    """What ``run.py`` prints for each case; empty if the loader is not installed.

    After a crash the rest goes to a new process.
    """
    return _asked(loader, [str(case.write(folder / str(i))) for i, case in enumerate(wanted)], python)


def loaded(loader: str, paths: list[Path]) -> list[Path] | None:
    """The files that an installed loader loads; None if it is not installed."""
    found = _asked(loader, [str(path) for path in paths], sys.executable)
    if paths and not found:
        return None
    return [path for path, answer in zip(paths, found, strict=True) if answer["verdict"] in LOADS]


def _asked(loader: str, todo: list[str], python: str) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    while todo:
        done = subprocess.run(
            [python, str(HERE / "run.py"), loader, *todo], capture_output=True, text=True, check=False
        )
        head, *found = [json.loads(line) for line in done.stdout.splitlines()]
        if not head["version"]:
            return []
        if len(found) < len(todo):
            found.append({"verdict": "crashes"})
        out += [{**answer, "version": head["version"]} for answer in found]
        todo = todo[len(found) :]
    return out


def _verdict(case: Case, loader: str, answer: Mapping[str, Any]) -> Verdict:
    verdict, note = answer["verdict"], answer.get("note", "")
    if verdict == "loads" and answer.get("made") is not None:
        reading = read(case)
        if reading.ok and reading.robot is not None:
            note = difference(answer["made"], made(reading.robot))
            verdict = "differs" if note else "same"
    # messages name the folder of the file
    note = "" if verdict == "refuses" and "/model." in note else note
    return Verdict(*case.key, loader, answer["version"], verdict, note)


def read(case: Case) -> ub.Reading:
    """What unibody reads of a case."""
    name = f"model{SUFFIXES[case.format]}"
    texts = {name: case.text.encode(), **{n: text.encode() for n, text in case.files.items()}}
    return ub.read(name, files=MemoryFiles(texts))


def made(robot: Robot) -> dict[str, Any]:
    """A robot in the terms of ``run.py``: sums over all links, and the moving joints at zero."""
    mechanism = ub.assemble(robot)
    q = np.zeros(mechanism.nq)
    for joint, at in zip(robot.joints, mechanism.idx_q.tolist(), strict=True):
        if joint.kind in ("free", "ball"):
            q[at + (3 if joint.kind == "free" else 0)] = 1.0
    poses = np.asarray(mechanism.forward_kinematics(q))
    index = {name: i for i, name in enumerate(mechanism.link_names)}
    start = np.linalg.inv(poses[index[robot.root]])
    joints = {}
    for joint in robot.joints:
        if joint.kind == "fixed":
            continue
        pose = start @ poses[index[joint.child]]
        axis = (pose[:3, :3] @ joint.axis).tolist() if joint.kind in ("revolute", "prismatic") else None
        limits = [v if abs(v) < 1e9 else "inf" if v > 0 else "-inf" for v in joint.limits.position]
        joints[joint.name] = {"at": pose[:3, 3].tolist(), "axis": axis, "limits": limits}
    inertials = [link.inertial for link in robot.links if link.inertial is not None]
    return {
        "mass": sum(i.mass for i in inertials),
        "inertia": float(sum(np.trace(i.inertia) for i in inertials)),
        "collisions": sum(len(link.collisions) for link in robot.links),
        "joints": joints,
    }


def difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """What differs between two robots of :func:`made`, in words; "" if nothing does."""
    said = [
        f"{name} {theirs[name]:g} instead of {ours[name]:g}"
        for name in ("mass", "inertia", "collisions")
        if not np.isclose(theirs[name], ours[name], rtol=1e-5, atol=1e-9)
    ]
    a, b = theirs["joints"], ours["joints"]
    said += [f"no moving joint {name}" for name in b if name not in a]
    said += [f"moving joint {name}" for name in a if name not in b]
    for name in a.keys() & b.keys():
        for what in ("at", "axis", "limits"):
            if not _close(a[name][what], b[name][what]):
                said.append(f"{name}: {what} {_shown(a[name][what])} instead of {_shown(b[name][what])}")
    return "; ".join(said)


def _close(a: list[Any] | None, b: list[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return bool(np.allclose([float(v) for v in a], [float(v) for v in b], rtol=1e-5, atol=1e-6))


def _shown(values: list[Any] | None) -> str:
    return "none" if values is None else " ".join(f"{float(v):.4g}" for v in values)
