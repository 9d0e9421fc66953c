"""All notations of motions: reading by content and suffix, writing by suffix."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike, fspath

from unibody.files.access import FileError, Files, write_atomic
from unibody.mechanism import Mechanism, assemble
from unibody.model.robot import Robot
from unibody.motions.body_motion import is_body_motion, read_body_motion, write_body_motion
from unibody.motions.columns import Quantity
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notation import MotionFile, Notation, Written
from unibody.motions.pattern import PATTERNS, is_pattern, read_pattern, write_pattern
from unibody.motions.plan import is_plan, read_plan, write_plan
from unibody.motions.ros import is_trajectory, read_trajectory, write_trajectory
from unibody.motions.run import is_run_file, read_run, write_run
from unibody.motions.table import is_json, read_csv, read_json, write_csv, write_json
from unibody.text.finding import Findings, TextError

#: In the order in which they are recognised; a table is what no other one is.
NOTATIONS = (
    Notation(
        name="run", title="recorded run", suffixes=(".npz",),
        recognises=is_run_file, read=read_run, write=write_run, needs_times=True,
    ),
    Notation(
        name="plan", title="plan of MPK", suffixes=(".pln",),
        recognises=is_plan, read=read_plan, write=write_plan,
    ),
    Notation(
        name="pattern", title="pattern of OpenHRP", suffixes=tuple(PATTERNS),
        recognises=is_pattern, read=read_pattern, write=write_pattern, needs_times=True,
    ),
    Notation(
        name="trajectory", title="JointTrajectory of ROS", suffixes=(".yaml", ".yml"),
        recognises=is_trajectory, read=read_trajectory, write=write_trajectory, needs_times=True,
    ),
    Notation(
        name="body-motion", title="body motion of Choreonoid", suffixes=(".seq",),
        recognises=is_body_motion, read=read_body_motion, write=write_body_motion, needs_times=True,
    ),
    Notation(
        name="json", title="JSON table", suffixes=(".json",),
        recognises=is_json, read=read_json, write=write_json,
    ),
    Notation(
        name="csv", title="CSV table", suffixes=(".csv",),
        recognises=lambda file: True, read=read_csv, write=write_csv,
    ),
)  # fmt: skip

#: The notation that is written for each suffix.
BY_SUFFIX: Mapping[str, Notation] = {
    suffix: notation for notation in reversed(NOTATIONS) for suffix in notation.suffixes
}


def read_motion(
    path: str,
    mechanism: Mechanism,
    findings: Findings,
    quantity: Quantity | None = None,
    files: Files | None = None,
) -> Motion | None:
    """Read a motion of a robot in any notation; None if it has errors, which are findings.

    ``quantity`` says what the numbers of a table or a pattern are, if nothing in the file does: by default
    positions.

    >>> import unibody as ub
    >>> found = Findings()
    >>> read_motion("nowhere.csv", ub.assemble(ub.load("src/unibody/models/biped.body")), found)
    >>> found[0].code
    'file-missing'
    """
    files = files or Files()
    try:
        file = MotionFile(
            path=path, data=files.read(path), mechanism=mechanism, findings=findings, files=files,
            quantity=quantity,
        )  # fmt: skip
        return next(notation for notation in NOTATIONS if notation.recognises(file)).read(file)
    except (FileError, TextError) as error:
        findings.append(error.finding)
    except MotionError as error:
        findings.error("control-columns", str(error), None, subject=path)
    return None


def load_motion(
    path: str | PathLike[str],
    robot: Robot | Mechanism,
    *,
    quantity: Quantity | None = None,
    files: Files | None = None,
) -> Motion:
    """Load a motion of a robot, in any notation (docs/motions.md).

    ``quantity`` says what the numbers of a table are where nothing in it does: "position" (rad, m) by
    default, "velocity" or "effort". MotionError, with the findings, if the file is not a motion of the
    robot.

    >>> import unibody as ub
    >>> robot = ub.load("src/unibody/models/biped.body")
    >>> walk = load_motion("src/unibody/models/biped-walk.csv", robot)
    >>> walk.duration, walk.configurations(robot).shape
    (9.98, (500, 30))
    """
    findings = Findings()
    mechanism = robot if isinstance(robot, Mechanism) else assemble(robot)
    motion = read_motion(fspath(path), mechanism, findings, quantity, files)
    if motion is None:
        first = next(finding for finding in findings if finding.severity == "error")
        raise MotionError(str(first), findings)
    return motion


def format_motion(motion: Motion, robot: Robot | Mechanism, suffix: str) -> Written:
    """The files of a motion by their suffixes, the first one in the notation of ``suffix``.

    A motion with jerks is sampled every 0.01 s. ValueError for an unknown suffix, MotionError if the
    notation cannot represent the motion.
    """
    notation = BY_SUFFIX.get(suffix.lower())
    if notation is None:
        raise ValueError(
            f"a motion is written as {', '.join(BY_SUFFIX)}, not as {suffix or 'a file without suffix'}"
        )
    if notation.needs_times and motion.times is None:
        others = ", ".join(each for each, one in BY_SUFFIX.items() if not one.needs_times)
        raise MotionError(
            f"a {notation.title} needs times; write one of {others}, or give the path times with spaced() "
            "or unibody.timed"
        )
    mechanism = robot if isinstance(robot, Mechanism) else assemble(robot)
    return notation.write(motion.without_jerks(), mechanism, suffix.lower())


def save_motion(
    motion: Motion, path: str | PathLike[str], robot: Robot | Mechanism, *, overwrite: bool = False
) -> None:
    """Write a motion in the notation of the path's suffix; docs/motions.md has what each can represent.

    A motion with jerks is sampled every 0.01 s. ValueError for an unknown suffix, MotionError if the
    notation cannot represent the motion, FileExistsError if a file exists and ``overwrite`` is not set.

    >>> import tempfile
    >>> import unibody as ub
    >>> arm = ub.load("src/unibody/models/arm.rob")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     turn = Motion(columns=["Turn"], q=[[0.0], [0.5]], times=[0.0, 1.0])
    ...     save_motion(turn, f"{folder}/a.csv", arm)
    ...     load_motion(f"{folder}/a.csv", arm).q.tolist()
    [[0.0], [0.5]]
    """
    base, suffix = os.path.splitext(fspath(path))
    try:
        written = format_motion(motion, robot, suffix)
    except ValueError as error:
        raise type(error)(f"{fspath(path)}: {error}") from None
    names = {
        fspath(path) if each == suffix.lower() else base + each: data for each, data in written.items()
    }
    there = next((name for name in names if os.path.exists(name)), None)
    if there is not None and not overwrite:
        raise FileExistsError(f"{there} exists; pass overwrite=True to replace it")
    for name, data in names.items():
        write_atomic(name, data, overwrite)
