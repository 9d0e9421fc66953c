"""What other programs make of written models: every file is found, and every program loads them.

``python -m tests.convert.written`` converts every model of the corpus to every format, with and without
``--plain``, each into an empty folder that is then moved away, and prints a table; the tests take a slice.
Options: ``--only TEXT`` for paths with that text, ``--to FORMAT``, ``--seconds N`` of a processor for each
model, ``--resume FILE`` for a file of outcomes, a JSON object on each line, which is continued; ``--again``
repeats those that were not as they should be; ``--table`` only prints the table of that file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tests.convert.other_programs import LOADERS, Absent, preload, refusal
from tests.corpus import outcomes as table_of
from tests.shared import CORPUS

from unibody.conversion.asset_paths import file_paths
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import read_source, save_reading
from unibody.conversion.readback import dead_references
from unibody.formats import FORMATS
from unibody.formats.loader import Reading, read

SUFFIXES = (".body", ".urdf", ".wrl", ".rob", ".xml")
TARGETS = {f.name: f.suffixes[0] for f in FORMATS if f.writer is not None and not f.completes}
# Bounds of meshes that are further apart (m) are those of other shapes: MuJoCo's have single precision.
_APART = 1e-6
_IGNORED = re.compile(r"<unibody>.*?</unibody>|<!--.*?-->|<\?.*?\?>", re.DOTALL)
# The most characters that are kept of what a program prints.
_PRINTED = 2000


@dataclass(slots=True)
class Outcome:
    """One model in one target format: what is wrong with it, and which programs have loaded it.

    ``refusals`` are what the programs print that do not load it, ``findings`` the report's (code, subject,
    message) where there are such, ``losses`` the paths of what is lost. ``ended`` says why nothing is
    known: the time was over, or a program ended the process.
    """

    model: str
    source: str
    target: str
    plain: bool
    refused: str = ""
    files: int = 0
    loaded: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)
    findings: list[tuple[str, str, str]] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    layout: str = ""
    problems: list[str] = field(default_factory=list)
    ended: str = ""
    seconds: float = 0.0


def models() -> list[Path]:
    """All robots of the corpus in formats that are written, in a fixed order."""
    return [p for below in ("corpus/dev", "corpus/more") for p in table_of.models(*SUFFIXES, below=below)]


def combinations(targets: Iterable[str] = TARGETS) -> list[tuple[str, bool]]:
    """The targets, with and without ``--plain``."""
    return [(target, plain) for target in targets for plain in (False, True)]


def outcomes(path: Path, todo: Iterable[tuple[str, bool]] = combinations()) -> Iterator[Outcome]:
    """What becomes of a model in each format."""
    reading = read_source(path)
    assert reading.format is not None
    known: dict[tuple[str, str], _Checked] = {}
    for target, plain in todo:
        outcome = Outcome(path.relative_to(CORPUS).as_posix(), reading.format.name, target, plain)
        start = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            try:
                _written(reading, outcome, Path(folder), known)
            except SaveError as refused:
                outcome.refused = ", ".join(sorted({f.code for f in refused.findings}))
            except Exception:
                outcome.problems.append(f"exception: {traceback.format_exc(limit=-4)}")
        outcome.seconds = round(time.process_time() - start, 2)
        yield outcome


@dataclass(slots=True)
class _Checked:
    """What was found out about the files of a written model, whatever the report says."""

    files: int
    problems: list[str]
    loaded: list[str] = field(default_factory=list)
    refusals: dict[str, str] = field(default_factory=dict)


def _written(
    reading: Reading, outcome: Outcome, folder: Path, known: dict[tuple[str, str], _Checked]
) -> None:
    """Write a model into an empty folder, move it away, and check it; equal files are checked once."""
    (folder / "out").mkdir()
    name = f"model{TARGETS[outcome.target]}"
    report = save_reading(reading, folder / "out" / name, plain=outcome.plain, format=outcome.target)
    shutil.move(folder / "out", folder / "moved")
    key = outcome.target, _digest(folder / "moved")
    if key not in known:
        known[key] = _checked(folder / "moved" / name, outcome.target, dead_references(reading))
    checked = known[key]
    outcome.files = checked.files
    outcome.loaded += checked.loaded
    outcome.problems += checked.problems
    if report.proof is not None and (report.proof.bounds or 0.0) > _APART:
        outcome.problems.append(f"proof: mesh bounds off by {report.proof.bounds:.2g} m")
    outcome.layout = str(report.layout or "")
    if checked.refusals:
        outcome.refusals |= checked.refusals
        outcome.findings += [(f.code, f.subject, f.message) for f in report.findings]
        outcome.losses += [x.path for x in report.losses if not x.carried]


def _digest(folder: Path) -> str:
    """A digest of the names and contents of all files of a folder."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _checked(path: Path, target: str, gone: frozenset[str]) -> _Checked:
    """Whether the files that a written model names are there, and what other programs make of it.

    ``gone`` are the files and packages that the source does not find, either; a file of a package that it
    finds may be one of a package that is not found from here.
    """
    lacking = {file_name(name) for name in gone}
    named = named_files(path)
    wrong = [
        f"names '{uri}', which is not there"
        for uri, place in named
        if not (place is not None and place.is_file())
        and file_name(uri) not in lacking
        and _package(uri) not in gone
    ]
    again = read(path)
    wrong += [f"read back: {f}" for f in again.findings if f.severity == "error"]
    files = {f.subject: {file_name(name) for name in f.files} for f in again.findings if f.files}
    wrong += [
        f"does not find '{name}'"
        for name in sorted(dead_references(again) - gone)
        if file_name(name) not in lacking and not files.get(name, {""}) <= lacking
    ]
    found = len(named) or (len(file_paths(again.robot)) if again.robot is not None else 0)
    checked = _Checked(found, wrong)
    for program in LOADERS.get(target, ()):
        try:
            said = refusal(program, str(path))
        except Absent:
            continue
        if said is None:
            checked.loaded.append(program)
        else:
            checked.refusals[program] = _NOISE.sub(" ", said.replace(str(path.parent), ""))[:_PRINTED]
    return checked


def _package(uri: str) -> str:
    """The package of a URI, without the path in it."""
    return "/".join(uri.split("/")[:3])


def file_name(uri: str) -> str:
    """The name of the file that a URI ends with."""
    return uri.replace("\\", "/").rpartition("/")[2]


def wrong(outcome: Outcome) -> list[str]:
    """What is not as it should be: problems, and what a program refuses without a word in the report."""
    unsaid = [
        f"{program}: {said[:300]}"
        for program, said in outcome.refusals.items()
        if not is_announced(outcome, program)
    ]
    return [*outcome.problems, *unsaid]


# What programs print, and findings say, about the same: a file, a name, a part of an element.
_TOPICS = {
    "file": r"could not be found|cannot find|not handled|startswith|join\(\)|load resource|mesh filename"
    r"|file_type|extract.* mesh|file-|outside-|uri-|mesh-|attribute 'filename'",
    "geometry": r"geometry|visual element|collision element|unknown tag|capsule",
    "material": r"material",
    "inertia": r"inertia element|inertia|mass",
    "name": r"is not unique|repeated name|name-duplicate|ended with -11",
    "type": r"no known type|unknown type|not-a-choice|joint-type",
    "mimic": r"mimic",
    "safety": r"safety",
    "limit": r"limit",
    "axis": r"axis",
    "size": r"size",
}
# What PyBullet prints before its messages, and of links that it loads.
_NOISE = re.compile(r"b3(Warning|Error)\[[^\]]*\]:\n?|No inertial data.*?frame")
_QUOTED = re.compile(r"""['"\[]([^'"\[\]\n]+)['"\]]|(?:Link|Joint):?\s+(\w+)""")


def is_announced(outcome: Outcome, program: str) -> bool:
    """Whether a finding of the report is about that for which a program does not load the file.

    It is about the same part of an element, and about the same file, link or joint; yourdfpy names none.
    """
    said = _NOISE.sub(" ", outcome.refusals[program])
    words = {file_name(word) for pair in _QUOTED.findall(said) for word in pair if word}
    for code, subject, message in outcome.findings:
        about = f"{code} {subject} {message}"
        names = {file_name(pair[0]) for pair in _QUOTED.findall(message) if pair[0]}
        names |= {file_name(subject)} if "." in file_name(subject) else set()
        is_named = any(word in about for word in words) or any(
            name.lower() in said.lower() for name in names
        )
        is_nameless = program == "yourdfpy" or said.startswith("ended")
        if _topics(said) & _topics(about) and (is_named or is_nameless):
            return True
    return False


def _topics(text: str) -> set[str]:
    return {topic for topic, words in _TOPICS.items() if re.search(words, text, re.IGNORECASE)}


# --- the files that a text names, by the rules of its format ---------------------------------------


def named_files(path: Path) -> list[tuple[str, Path | None]]:
    """The files that a URDF or an MJCF names, and where its loaders look for them; None for nowhere."""
    if path.suffix not in (".urdf", ".xml"):
        return []  # the findings of reading say it
    try:
        root = ElementTree.fromstring(_IGNORED.sub("", path.read_text("utf-8", "replace")))
    except ElementTree.ParseError:
        return []  # a copy of a source that is no XML; the programs judge it
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


# --- all of the corpus ------------------------------------------------------------------------------


def table(found: Iterable[Outcome]) -> str:
    """The outcomes summed up, a line for each pair of formats.

    >>> x = Outcome("a.body", "body", "urdf", False, loaded=["Pinocchio"])
    >>> print(table([x]), end="")
    | from | to | written | refused | not finished | files | loaded by | announced | wrong |
    | --- | --- | ---: | ---: | ---: | ---: | --- | --- | ---: |
    | body | urdf | 1 | 0 | 0 | 0 | Pinocchio 1 | | 0 |
    | all | | 1 | 0 | 0 | 0 | Pinocchio 1 | | 0 |
    """
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for x in found:
        groups.setdefault((x.source, x.target), []).append(x)
    heads = ("from", "to", "written", "refused", "not finished", "files", "loaded by", "announced", "wrong")
    rule = ("---", "---", "---:", "---:", "---:", "---:", "---", "---", "---:")
    rows = [heads, rule, *((*pair, *_counts(groups[pair])) for pair in sorted(groups))]
    rows.append(("all", "", *_counts(x for group in groups.values() for x in group)))
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in rows)


def _counts(group: Iterable[Outcome]) -> tuple[str, ...]:
    group = list(group)
    loaded = Counter(name for x in group for name in x.loaded)
    announced = Counter(name for x in group for name in x.refusals if is_announced(x, name))
    numbers = (
        sum(not x.refused and not x.ended for x in group),
        sum(bool(x.refused) for x in group),
        sum(bool(x.ended) for x in group),
        sum(x.files for x in group),
    )
    programs = (", ".join(f"{name} {n}" for name, n in sorted(c.items())) for c in (loaded, announced))
    return (*map(str, numbers), *programs, str(sum(bool(wrong(x)) for x in group)))


def _in_children(path: Path, todo: list[tuple[str, bool]], seconds: int) -> Iterator[Outcome]:
    """The outcomes of a model from processes of their own, which a loader or the limit of time may end."""
    while todo:
        found, ended = _in_a_child(path, todo, seconds)
        yield from found
        todo = todo[len(found) :]
        if ended and todo:
            target, plain = todo.pop(0)
            where = path.relative_to(CORPUS).as_posix()
            source = next(name for name, suffix in TARGETS.items() if suffix == path.suffix.lower())
            yield Outcome(where, source, target, plain, ended=ended)


def _in_a_child(path: Path, todo: list[tuple[str, bool]], seconds: int) -> tuple[list[Outcome], str]:
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as lines:
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            with open(lines.name, "w", encoding="utf-8") as out:
                for outcome in outcomes(path, todo):
                    print(json.dumps(asdict(outcome)), file=out, flush=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        found = [Outcome(**json.loads(line)) for line in lines]
    code = os.waitstatus_to_exitcode(status)
    if -code in (signal.SIGXCPU, signal.SIGKILL):
        return found, f"{seconds} s are over"
    return found, f"the process ended with {code}" if code else ""


def known_outcomes(path: str) -> list[Outcome]:
    """The outcomes of a file, the last of each combination."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        found = [Outcome(**json.loads(line)) for line in lines]
    return list({(x.model, x.target, x.plain): x for x in found}.values())


def main() -> int:
    """Go through the corpus, small files first; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--to", choices=TARGETS, action="append")
    parser.add_argument("--seconds", default=300, type=int, metavar="N")
    parser.add_argument("--resume", default="", metavar="FILE")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = known_outcomes(options.resume)
    if not options.table:
        preload()
        if options.again:
            found = [x for x in found if not wrong(x) and not x.ended]
        done = {(x.model, x.target, x.plain) for x in found}
        with open(options.resume or os.devnull, "a", encoding="utf-8") as out:
            for path in sorted(models(), key=lambda p: (p.stat().st_size, p)):
                where = path.relative_to(CORPUS).as_posix()
                todo = [c for c in combinations(options.to or TARGETS) if (where, *c) not in done]
                for outcome in _in_children(path, todo if options.only in where else [], options.seconds):
                    found.append(outcome)
                    print(json.dumps(asdict(outcome)), file=out, flush=True)
    for x in found:
        for problem in wrong(x):
            print(f"{x.model} → {x.target}{' plain' if x.plain else ''}: {problem}", flush=True)
    print(table(found), end="")
    return int(any(map(wrong, found)))


if __name__ == "__main__":
    sys.exit(main())
