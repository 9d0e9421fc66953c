"""What other programs make of written models: every file is found, and every program loads them.

``python -m tests.convert.written`` converts every model of the corpus to every format, with and without
``--plain``, each into an empty folder that is then moved away, and prints a table; the tests take a slice.
Options: ``--shard K/N`` for one of N slices, ``--only TEXT`` for paths with that text, ``--to FORMAT``.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import shutil
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.corpus import outcomes as table_of
from tests.shared import CORPUS

from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import read_source, save_reading
from unibody.conversion.readback import dead_references
from unibody.conversion.report import Report
from unibody.formats import FORMATS
from unibody.formats.loader import Reading, read

SUFFIXES = (".body", ".urdf", ".wrl", ".rob", ".xml")
TARGETS = {f.name: f.suffixes[0] for f in FORMATS if f.writer is not None and not f.completes}
# Bounds of meshes that are further apart (m) are those of other shapes: MuJoCo's have single precision.
_APART = 1e-6
_SIDECAR = re.compile(r"<unibody>.*?</unibody>|<!--.*?-->", re.DOTALL)


@dataclass(slots=True)
class Outcome:
    """One model in one target format: what is wrong with it, and which programs have loaded it."""

    source: str
    target: str
    plain: bool
    refused: str = ""
    loaded: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def models() -> list[Path]:
    """All robots of the corpus in formats that are written, in a fixed order."""
    return [p for below in ("corpus/dev", "corpus/more") for p in table_of.models(*SUFFIXES, below=below)]


def outcomes(path: Path, targets: Iterable[str] = TARGETS) -> Iterator[Outcome]:
    """What becomes of a model in each format."""
    reading = read_source(path)
    assert reading.format is not None
    for target in targets:
        for plain in (False, True):
            outcome = Outcome(reading.format.name, target, plain)
            with tempfile.TemporaryDirectory() as folder:
                try:
                    _written(reading, outcome, Path(folder))
                except SaveError as refused:
                    outcome.refused = ", ".join(sorted({f.code for f in refused.findings}))
                except Exception:
                    outcome.problems.append(f"exception: {traceback.format_exc(limit=-4)}")
            yield outcome


def _written(reading: Reading, outcome: Outcome, folder: Path) -> None:
    (folder / "out").mkdir()
    name = f"model{TARGETS[outcome.target]}"
    report = save_reading(reading, folder / "out" / name, plain=outcome.plain, format=outcome.target)
    shutil.move(folder / "out", folder / "moved")
    path = folder / "moved" / name
    wrong = outcome.problems
    gone = dead_references(reading)
    wrong += [
        f"names '{uri}', which is not there"
        for uri, place in named_files(path)
        if not (place is not None and place.is_file()) and not gone & {file_name(uri), _package(uri)}
    ]
    again = read(path)
    wrong += [f"read back: {f}" for f in again.findings if f.severity == "error"]
    wrong += [f"does not find '{name}'" for name in sorted(dead_references(again) - gone)]
    if report.proof is not None and (report.proof.bounds or 0.0) > _APART:
        wrong.append(f"proof: mesh bounds off by {report.proof.bounds:.2g} m")
    for program, load in LOADERS.get(outcome.target, {}).items():
        try:
            load(str(path))
            outcome.loaded.append(program)
        except ImportError:
            continue
        except Exception as refused:
            if not is_announced(load, report, reading):
                wrong.append(f"{program}: {type(refused).__name__}: {str(refused)[:200]}")


def _package(uri: str) -> str:
    """The package of a URI, without the path in it."""
    return "/".join(uri.split("/")[:3])


def file_name(uri: str) -> str:
    """The name of the file that a URI ends with."""
    return uri.replace("\\", "/").rpartition("/")[2]


def is_announced(load: Callable[[str], Any], report: Report, reading: Reading) -> bool:
    """Whether the report says that a program does not load the file.

    It lacks a file already, or its text is that of the source: the report warns of it, and the program does
    not load the source, either.
    """
    if any(f.code in ("file-missing", "outside-model") for f in (*report.findings, *reading.findings)):
        return True
    if report.layout is None or report.layout.anew or not report.findings or reading.source is None:
        return False
    try:
        load(reading.source.name)
    except Exception:
        return True
    return False


# --- the files that a text names, by the rules of its format ---------------------------------------


def named_files(path: Path) -> list[tuple[str, Path | None]]:
    """The files that a URDF or an MJCF names, and where its loaders look for them; None for nowhere."""
    if path.suffix not in (".urdf", ".xml"):
        return []  # the findings of reading say it
    root = ElementTree.fromstring(_SIDECAR.sub("", path.read_text("utf-8", "replace")))
    if path.suffix == ".urdf":
        names = [x.get("filename") for tag in ("mesh", "texture") for x in root.iter(tag)]
        return [(n, path.parent / n if "://" not in n else None) for n in names if n]
    folders, strip = {"mesh": "", "texture": ""}, False
    for compiler in root.iter("compiler"):
        for key in ("asset", "mesh", "texture"):
            if (folder := compiler.get(f"{key}dir")) is not None:
                folders |= dict.fromkeys(("mesh", "texture") if key == "asset" else (key,), folder)
        strip = compiler.get("strippath", str(strip).lower()) == "true"
    out: list[tuple[str, Path | None]] = []
    for tag in ("mesh", "texture", "hfield", "skin", "flexcomp"):
        folder = folders["texture" if tag == "texture" else "mesh"]
        for element in root.iter(tag):
            for key, value in element.attrib.items():
                if key.startswith("file"):
                    out.append((value, path.parent / folder / (file_name(value) if strip else value)))
    return out


# --- other programs ---------------------------------------------------------------------------------


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


def _pybullet(path: str) -> None:
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.loadURDF(path, physicsClientId=client)
    finally:
        pybullet.disconnect(client)


LOADERS: dict[str, dict[str, Callable[[str], Any]]] = {
    "mjcf": {"MuJoCo": _mujoco},
    "urdf": {"Pinocchio": _pinocchio, "yourdfpy": _yourdfpy, "PyBullet": _pybullet},
}


# --- all of the corpus ------------------------------------------------------------------------------


def table(found: Iterable[Outcome]) -> str:
    """The outcomes summed up, a line for each pair of formats.

    >>> print(table([Outcome("body", "urdf", False, loaded=["Pinocchio"])]), end="")
    | from | to | written | refused | loaded by | not as it should be |
    | --- | --- | ---: | ---: | --- | ---: |
    | body | urdf | 1 | 0 | Pinocchio 1 | 0 |
    | all | | 1 | 0 | | 0 |
    """
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for x in found:
        groups.setdefault((x.source, x.target), []).append(x)
    head = ("from", "to", "written", "refused", "loaded by", "not as it should be")
    lines = [f"| {' | '.join(head)} |", "| --- | --- | ---: | ---: | --- | ---: |"]
    total: Counter[str] = Counter()
    for pair in sorted(groups):
        group = groups[pair]
        loaded = Counter(name for x in group for name in x.loaded)
        counts = {
            "written": sum(not x.refused for x in group),
            "refused": sum(bool(x.refused) for x in group),
            "wrong": sum(bool(x.problems) for x in group),
        }
        total.update(counts)
        programs = ", ".join(f"{name} {n}" for name, n in sorted(loaded.items()))
        cells = (*pair, counts["written"], counts["refused"], programs, counts["wrong"])
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines.append(f"| all | | {total['written']} | {total['refused']} | | {total['wrong']} |")
    return "\n".join(lines) + "\n"


def _in_a_child(path: Path, targets: Iterable[str]) -> list[Outcome]:
    """The outcomes of a model from a process of its own, which a loader may end."""
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as lines:
        child = os.fork()
        if not child:
            with open(lines.name, "w", encoding="utf-8") as out:
                for outcome in outcomes(path, targets):
                    print(json.dumps(asdict(outcome)), file=out, flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        found = [Outcome(**json.loads(line)) for line in lines]
    if status:
        found.append(
            Outcome("?", "?", False, problems=[f"the process ended with {status} after {len(found)}"])
        )
    return found


def main() -> int:
    """Go through the corpus; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shard", default="0/1", metavar="K/N")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--to", choices=TARGETS, action="append")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    k, n = map(int, options.shard.split("/"))
    found: list[Outcome] = []
    for path in [p for p in models() if options.only in str(p)][k::n]:
        for outcome in _in_a_child(path, options.to or TARGETS):
            found.append(outcome)
            what = f"{path.relative_to(CORPUS)} → {outcome.target}{' plain' if outcome.plain else ''}"
            if outcome.refused:
                print(f"{what}: refused: {outcome.refused}", flush=True)
            for problem in outcome.problems:
                print(f"{what}: {problem}", flush=True)
    print(table(found), end="")
    return int(any(x.problems for x in found))


if __name__ == "__main__":
    sys.exit(main())
