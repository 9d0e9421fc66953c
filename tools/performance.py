"""Write the page of speed from the results of the benchmarks: python tools/performance.py [--accept]

With --accept, the results of the last ``make bench`` (bench/out/latest.json) and of the last comparison of
two versions (bench/out/versions.json) are taken first; of a run of some benchmarks, those are replaced.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/performance.md"
RESULTS = "bench/results.json"
HOW = "python tools/performance.py"

#: The benchmarks on the page, in order, by their titles. The others judge quality (docs/inertia.md).
SECTIONS = {
    "dynamics": "Kinematics and dynamics",
    "kinematics": "Other kinematics of a batch",
    "fk": "Link poses of unusual robots and batches",
    "inverse": "Inverse kinematics and loops",
    "load": "Reading a file",
    "mjcf": "Reading MJCF",
    "vrml": "Reading VRML97",
    "meshes": "Reading meshes",
    "startup": "Start-up",
    "check_load": "Checks by engines",
    "convert": "Conversion",
    "batch": "Conversion of a collection",
    "many": "Collections",
    "collision": "Collisions",
    "plan": "Planning",
    "simulate": "Simulation",
    "view": "The page",
}
OTHERS = {"inertia"}

_HEAD = f"""\
<!-- Made from {RESULTS} by `{HOW}`; do not edit. -->

# Speed

`make bench` measures this on your machine, beside other programs where they are installed. In a line,
unibody and the others were measured in turns in one run, so that what the machine did besides affects both:
of a shared machine, only the ratios tell something. A ratio below 1 means less time, or less of whatever
the unit says, than the other took. How methods become fast: [machine code](mechanism.md#machine-code).
"""
_VERSIONS = """\
## Two versions

`python -m bench._versions OLD CORPUS` runs two versions of unibody in turns, each task in CPU time.
"""


def page() -> str:
    """The text of the page."""
    results = json.loads((ROOT / RESULTS).read_text("utf-8"))
    return "\n".join(_lines(results)).rstrip("\n") + "\n"


def _lines(results: dict[str, Any]) -> Iterator[str]:
    yield _HEAD
    settings = [entry["setting"] for entry in results["benchmarks"].values()]
    usual = max(settings, key=settings.count)
    yield f"{_described(usual)}\n"
    for name, title in SECTIONS.items():
        entry = results["benchmarks"].get(name)
        if not entry:
            continue
        yield f"## {title}\n"
        if entry["setting"] != usual:
            yield f"{_described(entry['setting'])}\n"
        yield "| what | unibody | beside it |"
        yield "| --- | ---: | --- |"
        yield from map(_row, entry["rows"])
        yield ""
    if versions := results.get("versions"):
        yield f"{_VERSIONS}\nBefore is {versions['old']}, after this version:\n"
        yield "| what | before | after | after / before |"
        yield "| --- | ---: | ---: | ---: |"
        for row in versions["rows"]:
            before, after, unit = row["before"], row["after"], row["unit"]
            shown = " | ".join(f"{_number(value)} {unit}" for value in (before, after))
            yield f"| {row['name']} | {shown} | {after / before:.2f} |"


def _described(setting: dict[str, Any]) -> str:
    packages = ", ".join(f"{name} {version}" for name, version in setting["packages"].items())
    return f"{setting['machine']}, Python {setting['python']}, {packages}."


def _row(row: dict[str, Any]) -> str:
    peers = ", ".join(
        f"{_ratio(row['ours'] / value)} × {name} ({_number(value)} {row['unit']})"
        if value
        else f"{name} ({_number(value)} {row['unit']})"
        for name, value in row["peers"].items()
    )
    return f"| {row['name']} | {_number(row['ours'])} {row['unit']} | {peers} |"


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.1g}"


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def accept() -> None:
    """Take over the results of the last runs."""
    path, out = ROOT / RESULTS, ROOT / "bench/out"
    known = json.loads(path.read_text("utf-8")) if path.is_file() else {"benchmarks": {}}
    latest, versions = out / "latest.json", out / "versions.json"
    if latest.is_file():
        run = json.loads(latest.read_text("utf-8"))
        for name, rows in run["benchmarks"].items():
            kept = [{key: row[key] for key in ("name", "ours", "peers", "unit")} for row in rows]
            for row in kept:
                row["ours"] = _rounded(row["ours"])
                row["peers"] = {peer: _rounded(value) for peer, value in row["peers"].items()}
            known["benchmarks"][name] = {"setting": run["setting"], "rows": kept}
    if versions.is_file():
        known["versions"] = json.loads(versions.read_text("utf-8"))
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


if __name__ == "__main__":
    if "--accept" in sys.argv[1:]:
        accept()
    (ROOT / PAGE).write_text(page(), "utf-8")
