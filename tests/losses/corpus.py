"""Every model of the corpus into every format and back: what is lost, explained, carried.

``python -m tests.losses.corpus`` goes through all of them and prints the table; the tests take a
slice. Options: ``--shard K/N`` for one of N slices, ``--only TEXT`` for paths with that text.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path

from tests.corpus import outcomes as table_of
from tests.shared import DEV

import unibody as ub
from unibody.conversion.measurement import find_differences
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import read_source, save, save_reading
from unibody.conversion.report import Report
from unibody.conversion.verification import Proof
from unibody.formats import FORMATS
from unibody.formats.loader import Reading, read, read_with
from unibody.model.equality import same, same_rotation
from unibody.model.facts import Difference
from unibody.model.robot import Robot

SUFFIXES = (".body", ".urdf", ".xacro", ".wrl", ".rob", ".iv", ".xml", ".sdf", ".world")
# An SRDF is no model: it is written beside its URDF.
TARGETS = {f.name: f.suffixes[0] for f in FORMATS if f.writer is not None and not f.completes}
WRITERS = {f.name: f.writer() for f in FORMATS if f.writer is not None}
# What the last bits of the numbers may sum up to, relative to the size of a robot in metres or kilograms.
EXACT, SINGLE = 1e-9, 1e-7
# Of several numbers of single precision, one after the other.
SEVERAL = 1e-6


@dataclass(slots=True)
class Outcome:
    """One model in one target format: how many facts were lost, and all that is wrong with that."""

    source: str
    target: str
    losses: int = 0
    carried: int = 0
    unread: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def models() -> list[Path]:
    """All model files of the corpus, in a fixed order."""
    return table_of.models(*SUFFIXES)


def sliced(paths: list[Path], k: int, n: int) -> list[Path]:
    """Every n-th path from the k-th on."""
    return paths[k::n]


def outcomes(path: Path, targets: Iterable[str] = TARGETS) -> Iterator[Outcome]:
    """What becomes of a model in each format."""
    reading = read_source(path)
    assert reading.robot is not None
    for name in targets:
        start = time.perf_counter()
        outcome = Outcome(_family(reading), name)
        with tempfile.TemporaryDirectory() as folder:
            try:
                _there_and_back(reading, reading.robot, outcome, Path(folder))
            except Exception:
                outcome.problems.append(f"exception: {traceback.format_exc(limit=-4)}")
        outcome.seconds = time.perf_counter() - start
        yield outcome


def _family(reading: Reading) -> str:
    assert reading.format is not None
    return reading.format.name


def _there_and_back(reading: Reading, robot: Robot, outcome: Outcome, folder: Path) -> None:
    there = folder / "there" / f"model{TARGETS[outcome.target]}"
    try:
        report = save_reading(reading, there)
    except SaveError as refused:
        if {f.code for f in refused.findings} == {"inertial-rejected"}:
            return  # MuJoCo has no such inertia; tests/formats/mjcf tries the remedy
        raise
    if reading.scene is not None:
        robot = WRITERS[outcome.target].alone(reading.scene) or robot
    outcome.losses, outcome.unread = len(report.losses), len(report.reading)
    outcome.carried = len(report.carried)
    wrong = outcome.problems
    wrong += [f"unexplained: {x.difference}" for x in report.losses if x.row is None]
    wrong += [f"not carried: {x.difference}" for x in report.losses if not x.carried]
    wrong += _deviations(report.proof, robot, outcome.target)
    # as the file says by itself, and with what stands beside the model
    as_loaded, by_child = WRITERS[outcome.target].as_loaded, WRITERS[outcome.target].one_name
    seen = as_loaded(_read(there, wrong, plain=True))
    wrong += _unlike("plain reading", report, find_differences(robot, seen, by_child=by_child))
    whole = _read(there, wrong)
    home = outcome.source if outcome.source in TARGETS else outcome.target
    back = folder / "back" / f"model{TARGETS[home]}"
    save(whole, back)
    wrong += [f"there and back: {d}" for d in ub.diff(robot, _read(back, wrong))]
    # without anything beside the model it is what the report says
    bare = folder / "bare" / f"model{TARGETS[outcome.target]}"
    said = save(robot, bare, plain=True)
    alone = folder / "alone" / f"model{TARGETS[home]}"
    save(_read(bare, wrong), alone)
    back_again = as_loaded(_read(alone, wrong))
    wrong += _unlike("plain, there and back", said, find_differences(robot, back_again, by_child=by_child))


def _read(path: Path, wrong: list[str], plain: bool = False) -> Robot:
    found = read_with(path, plain=True) if plain else read(path)
    wrong += [f"read back: {f}" for f in found.findings if f.severity == "error"]
    assert found.robot is not None
    return found.robot


def _unlike(what: str, report: Report, found: list[Difference]) -> list[str]:
    """What a report says and a file does not, and the other way round; numbers to their last bits."""
    said, seen = _facts(x.difference for x in report.losses), _facts(found)
    out = [f"{what}: not in the report: {seen[key]}" for key in seen if key not in said]
    for key, d in said.items():
        if key not in seen:
            out.append(f"{what}: only in the report: {d}")
        elif not _near(d, seen[key]):
            out.append(f"{what}: the report says {d}, it is {seen[key].after}")
    return out


def _facts(found: Iterable[Difference]) -> dict[tuple[str, str], Difference]:
    """Differences by path and kind; shapes without names of a list that grew or shrank count alone.

    Which of them is which is a guess then, and the last bits of numbers decide.
    """
    found = list(found)
    sets = {_list_of(d.path) for d in found if d.kind in ("added", "removed") and d.path.count("/") == 3}
    out: dict[tuple[str, str], Difference] = {
        (d.path, d.kind): d for d in found if _list_of(d.path) not in sets
    }
    for at in sets - {""}:
        mine = [d for d in found if _list_of(d.path) == at and d.path.count("/") == 3]
        more = sum(1 if d.kind == "added" else -1 for d in mine if d.kind in ("added", "removed"))
        out[at, f"{more:+} shapes"] = Difference(at, "added", None, more)
    return out


def _list_of(path: str) -> str:
    """The list of shapes that a path lies in; "" for another one."""
    parts = path.split("/")
    shapes = (
        len(parts) > 3 and parts[0] == "links" and parts[2] in ("visuals", "collisions", "collisions_alt")
    )
    return "/".join(parts[:3]) if shapes else ""


def _near(a: Difference, b: Difference) -> bool:
    if a.unit == "quat" and a.after is not None and b.after is not None:
        return same_rotation(a.after, b.after)
    items = is_dataclass(a.after) and a.after.__class__ is b.after.__class__
    if a.path.endswith("/uri"):
        # The asset folder is named after its model file.
        folder = re.compile(r"\bmodel\.\w+_files/")
        # A mesh that MuJoCo reads only in part is exported, under the name of its link.
        exported = re.search(r"\bmodel\.xml_files/", f"{a.after} {b.after}") is not None
        return exported or folder.sub("", str(a.after)) == folder.sub("", str(b.after))
    return items or same(a.after, b.after) or str(a.after) == str(b.after)


def _deviations(proof: Proof | None, robot: Robot, target: str) -> list[str]:
    if proof is None:
        return ["no proof"]
    size = 1.0 + max((abs(v) for j in robot.joints for v in j.origin.xyz), default=0.0) + robot.mass
    names = ("positions", "rotations", "mass", "com", "inertia", "limits", "bounds")
    # MuJoCo's meshes have single precision, and so have USD's frames, limits and masses.
    exact = {"mjcf": {"bounds": SINGLE}, "usd": dict.fromkeys(names, SEVERAL)}.get(target, {})
    found = {
        n: v for n in names if (v := getattr(proof, n)) is not None and not v < exact.get(n, EXACT) * size
    }
    return [f"proof: {n} off by {v:.2g}" for n, v in found.items()]


# --- the table ----------------------------------------------------------------------------


def table(found: Iterable[Outcome]) -> str:
    """The outcomes summed up, a line for each pair of formats.

    >>> print(table([Outcome("body", "urdf", losses=2, carried=2, seconds=1.0)]), end="")
    | from | to | models | lost facts | carried | unexplained | not as it should be | s |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    | body | urdf | 1 | 2 | 2 | 0 | 0 | 1.0 |
    """
    head = ("from", "to", "models", "lost facts", "carried", "unexplained", "not as it should be", "s")
    lines = [f"| {' | '.join(head)} |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for x in found:
        groups.setdefault((x.source, x.target), []).append(x)
    for pair in sorted(groups):
        group = groups[pair]
        unexplained = sum(p.startswith("unexplained") for x in group for p in x.problems)
        cells = (
            *pair,
            len(group),
            sum(x.losses for x in group),
            sum(x.carried for x in group),
            unexplained,
            sum(bool(x.problems) for x in group),
            f"{sum(x.seconds for x in group):.1f}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Go through the corpus; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shard", default="0/1", metavar="K/N")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--to", choices=TARGETS, action="append")
    options = parser.parse_args()
    k, n = map(int, options.shard.split("/"))
    found: list[Outcome] = []
    for path in sliced([p for p in models() if options.only in str(p)], k, n):
        for outcome in outcomes(path, options.to or TARGETS):
            found.append(outcome)
            for problem in outcome.problems:
                print(f"{path.relative_to(DEV)} → {outcome.target}: {problem}", flush=True)
            if outcome.seconds > 20.0:
                print(f"{path.relative_to(DEV)} → {outcome.target}: {outcome.seconds:.0f} s", flush=True)
    print(table(found), end="")
    return int(any(x.problems for x in found))


if __name__ == "__main__":
    sys.exit(main())
