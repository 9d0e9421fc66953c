"""Targets of the fuzzer: what is done with a damaged file. Only findings and errors of unibody are allowed.

Whatever else is raised is a bug, and so is a warning, a robot with NaN that no finding tells of, and a
reading without a robot and without an error.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from random import Random

import numpy as np

from fuzz.cases import Case
from fuzz.generated import OBJ
from fuzz.kinds import CONTROLS, FORMATS, MESHES, MOTIONS
from fuzz.robots import arm
from unibody.conversion.output import SaveError
from unibody.conversion.pipeline import save
from unibody.files.access import MemoryFiles
from unibody.formats import FORMATS as KNOWN
from unibody.formats.loader import Reading, read
from unibody.mechanism.assembly import AssembleError, assemble
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpaceError
from unibody.meshes import MeshCache
from unibody.model import json as native
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile
from unibody.text.finding import Finding, Findings, TextError

FOLDER = "m"
_DIFFERENT = 40
#: Seconds of its processor that a case may take.
SECONDS = 10


class BugError(Exception):
    """A guarantee of unibody is violated."""


def run(case: Case, rng: Random) -> str:
    """Read a case and sometimes use the robot; returns the outcome in a word or two."""
    if case.kind in MESHES:
        return _mesh(case)
    if case.kind == "plan":
        return _plan(case)
    if case.kind.startswith("motion"):
        return _motion(case)
    if case.kind in CONTROLS:
        return _control(case) if case.kind.startswith("control") else _CONTROLS[case.kind](case)
    if case.kind == "native":
        return _native(case, rng)
    return _model(case, rng)


def run_all(case: Case) -> None:
    """Read a case and use the robot in every way, each within the time limit."""
    if case.kind in (*MESHES, *MOTIONS, *CONTROLS):
        with _in_time("reading"):
            run(case, Random(0))
        return
    is_native = case.kind == "native"
    with _in_time("reading"):
        reading = _loaded(case) if is_native else _read(case, _files(case))
    failed = _said(reading.findings)
    if reading.robot is None:
        if not failed:
            raise BugError("no robot and no error")
        return
    for name, use_it in _USES.items():
        # save chooses a random format: repeat it to reach all of them
        for number in range(16 if name == "save" else 1):
            with _in_time(name):
                use_it(reading.robot, reading, _files(case), Random(number))


@contextmanager
def _in_time(what: str) -> Iterator[None]:
    started = time.thread_time()
    yield
    if time.thread_time() - started > SECONDS:
        raise BugError(f"{what} takes more than {SECONDS} s")


def _files(case: Case) -> MemoryFiles:
    beside = {f"{FOLDER}/{name}": data for name, data in case.beside.items()}
    return MemoryFiles({**beside, f"{FOLDER}/{case.name}": case.data})


def _said(findings: list[Finding] | Findings) -> bool:
    """Whether a finding is an error; also formats the findings."""
    for finding in findings[:20]:
        finding.text()
        finding.json()
    return any(f.severity == "error" for f in findings)


def _read(case: Case, files: MemoryFiles) -> Reading:
    """Read a case with its format; known formats are detected."""
    format = FORMATS.get(case.kind)
    return read(f"{FOLDER}/{case.name}", None if format in KNOWN else format, files=files)


def _model(case: Case, rng: Random) -> str:
    files = _files(case)
    reading = _read(case, files)
    failed = _said(reading.findings)
    if reading.robot is None:
        if not failed:
            raise BugError("no robot and no error")
        return "refused"
    if not failed:
        _finite(reading.robot)
    if rng.random() < 0.3:
        return use(reading, files, rng, failed)
    return "errors" if failed else "read"


def _finite(robot: Robot) -> None:
    """Raise BugError for a NaN in a robot read without errors."""
    todo: list[object] = [native.to_json(robot)]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo += [v for k, v in value.items() if k not in ("extras", "name", "node")]
        elif isinstance(value, list):
            todo += value
        elif isinstance(value, float) and math.isnan(value):
            raise BugError("NaN without a finding")


def use(reading: Reading, files: MemoryFiles, rng: Random, failed: bool) -> str:
    """Use a robot in a random way; returns its name."""
    assert reading.robot is not None
    name = rng.choice(tuple(_USES))
    _USES[name](reading.robot, reading, files, rng)
    return f"{name}{' after errors' if failed else ''}"


def _check(robot: Robot, _: Reading, files: MemoryFiles, __: Random) -> None:
    from unibody.checks import check

    _said(check(robot, files=files))


def _save(robot: Robot, reading: Reading, _: MemoryFiles, rng: Random) -> None:
    format = rng.choice([f for f in FORMATS.values() if f.writer is not None])
    target = f"{tempfile.gettempdir()}/unibody-fuzz/out{format.suffixes[0]}"
    try:
        plain = rng.random() < 0.3
        report = save(robot, target, format=format, overwrite=True, plain=plain, dry_run=True)
    except SaveError as e:
        _said(e.findings)
        # shapes are created lazily: errors in their numbers are found by check, or here
        if reading.ok and any(f.code == "not-writable" for f in e.findings) and not _has_errors(robot):
            raise BugError(f"output cannot be read back: {e}") from None
        return
    str(report)


def _has_errors(robot: Robot) -> bool:
    from unibody.checks import check

    return any(f.severity == "error" for f in check(robot))


def _view(robot: Robot, reading: Reading, files: MemoryFiles, __: Random) -> None:
    from unibody.page.data import page_data

    try:
        page_data(robot, reading.findings, MeshCache(files))
    except AssembleError:
        if reading.ok and not _is_beyond(robot):
            raise BugError("a robot without errors cannot be assembled") from None


def _assemble(robot: Robot, reading: Reading, _: MemoryFiles, rng: Random) -> None:
    try:
        mechanism = assemble(robot)
    except AssembleError as e:
        if reading.ok and not _is_beyond(robot):
            raise BugError(f"a robot without errors cannot be assembled: {e}") from None
        return
    if mechanism.nq < 2_000:
        q = np.array([rng.uniform(-1, 1) for _ in range(mechanism.nq)])
        with np.errstate(all="ignore"):
            mechanism.forward_kinematics(q)
            with suppress(NormalizedSpaceError):
                mechanism.normalized_space  # noqa: B018  (made when first asked for)


def _is_beyond(robot: Robot) -> bool:
    """Whether a joint kind is unsupported by Mechanism."""
    return any(bool(joint.missing) for joint in robot.joints)


def _diff(robot: Robot, _: Reading, __: MemoryFiles, ___: Random) -> None:
    from unibody.model.facts import diff

    if len(robot.links) > _DIFFERENT:
        return
    if diff(robot, robot):
        raise BugError("a robot differs from itself")
    diff(robot, arm())
    diff(arm(), robot)


def _dump(robot: Robot, reading: Reading, _: MemoryFiles, __: Random) -> None:
    try:
        text = native.dumps(robot)
    except TextError:
        return
    findings = Findings()
    again = native.loads(text, "again.json", findings)
    if reading.ok and (again is None or native.dumps(again) != text):
        raise BugError(f"canonical JSON changes the robot: {[str(f) for f in findings[:3]]}")


def _print(_: Robot, reading: Reading, __: MemoryFiles, ___: Random) -> None:
    if reading.format is None or reading.node is None or reading.source is None:
        return
    if reading.source.note:
        return
    try:
        reading.format.reader().print(reading.node, reading.source)
    except ValueError as e:
        if reading.ok:
            raise BugError(f"document cannot be printed: {e}") from None


_Use = Callable[[Robot, Reading, MemoryFiles, Random], None]
_USES: dict[str, _Use] = {
    "check": _check,
    "save": _save,
    "view": _view,
    "assemble": _assemble,
    "diff": _diff,
    "dump": _dump,
    "print": _print,
}


def _mesh(case: Case) -> str:
    name = case.name
    files = _files(case)
    if case.kind == "mtl":
        name = "with.obj"
        files = MemoryFiles(
            {f"{FOLDER}/{k}": v for k, v in case.beside.items()}
            | {f"{FOLDER}/a.mtl": case.data, f"{FOLDER}/{name}": OBJ}
        )
    cache = MeshCache(files)
    surfaces = cache.surfaces(MeshFile(uri=name, path=f"{FOLDER}/{name}"))
    _said(cache.findings)
    if not surfaces and not cache.findings:
        raise BugError("no surface and no finding")
    for surface in surfaces:
        if not np.isfinite(surface.vertices).all():
            raise BugError("vertex is not finite")
        if len(surface.faces) and not 0 <= surface.faces.min() <= surface.faces.max() < len(
            surface.vertices
        ):
            raise BugError("face index out of range")
    return "read" if surfaces else "refused"


def _plan(case: Case) -> str:
    from unibody.formats.mpk.plan import format_plan, read_plan
    from unibody.motions.motion import MotionError
    from unibody.motions.plan import path_of
    from unibody.page.motion import playable

    found = read_plan(f"{FOLDER}/{case.name}", _files(case))
    failed = _said(list(found.findings))
    if not found.ok:
        if not failed:
            raise BugError("no plan and no error")
        return "refused"
    format_plan(found)
    try:
        playable(path_of(_mechanism(), found.points[:50]), _mechanism())
    except (MotionError, NormalizedSpaceError):
        return "refused by motion"
    return "read"


def _motion(case: Case) -> str:
    from unibody.motions.motion import MotionError
    from unibody.motions.notations import format_motion, read_motion

    findings, mechanism = Findings(), _mechanism()
    motion = read_motion(f"{FOLDER}/{case.name}", mechanism, findings, files=_files(case))
    if motion is None:
        if not _said(findings):
            raise BugError("no motion and no error")
        return "refused"
    try:
        format_motion(motion, mechanism, ".csv")
        motion.configurations(mechanism)
    except MotionError:
        return "refused by robot"
    return "read"


def _control(case: Case) -> str:
    from unibody.simulation.control_file import read_control

    findings = Findings()
    control = read_control(f"{FOLDER}/{case.name}", _mechanism(), findings, files=_files(case))
    if control is None:
        if not _said(findings):
            raise BugError("no control and no error")
        return "refused"
    if not np.isfinite(control.at(0.5 * (control.begin + control.end))).all():
        raise BugError("a command is not finite")
    return "read"


def _materials(case: Case) -> str:
    from unibody.simulation.materials import read_materials

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/{case.name}"
        with open(path, "wb") as stream:
            stream.write(case.data)
        table = read_materials(path)
    values = table.pair("Ground", "Steel")
    if not math.isfinite(values.static) or values.static < 0.0:
        raise BugError(f"friction {values.static}")
    return "refused" if _said(list(table.findings)) else "read"


def _record(case: Case) -> str:
    from unibody.motions.run import RecordError
    from unibody.page.pack import Pack
    from unibody.page.record import record_data, record_motion
    from unibody.simulation.record import load_record

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/{case.name}"
        with open(path, "wb") as stream:
            stream.write(case.data)
        try:
            record = load_record(path)
        except RecordError:
            return "refused"
    record_motion(record)
    record_data(record, record.robot, Pack())
    record.csv()
    from unibody.motions.notations import read_motion

    findings = Findings()
    motion = read_motion(f"{FOLDER}/{case.name}", record.mechanism, findings, files=_files(case))
    if motion is None and not _said(findings):
        raise BugError("no motion and no error")
    return "read"


_CONTROLS = {"materials": _materials, "record": _record}


def _native(case: Case, rng: Random) -> str:
    try:
        reading = _loaded(case)
    except TextError:
        return "refused"
    failed = _said(reading.findings)
    if reading.robot is None:
        if not failed:
            raise BugError("no robot and no error")
        return "refused"
    return use(reading, _files(case), rng, failed)


def _loaded(case: Case) -> Reading:
    """Load a robot from JSON and check it."""
    from unibody.checks import check
    from unibody.formats.tree import check_tree
    from unibody.text.decode import decode

    findings = Findings()
    text = decode(case.data, case.name, findings).text
    robot = native.loads(text, case.name, findings)
    if robot is not None:
        check_tree(robot.links, robot.joints, findings)
        findings += check(robot, files=_files(case))
    return Reading(robot=robot, findings=findings)


@cache
def _mechanism() -> Mechanism:
    return assemble(arm())
