"""Show the model in a browser, with a slider for every joint.

The page is served on this machine only, at an unguessable address, until Ctrl-C. --html writes it as one
file that needs no server and no network, --png as a picture. The page lists the findings of unibody check,
computed while it is open. A second model is shown beside the first, moves with it, and is compared with
it. A recorded run (.npz, see unibody simulate) is played.
"""

from __future__ import annotations

import argparse
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option, add
from unibody.cli.options import FINDINGS, JSON, join_arguments, read_options, reading_options, sides
from unibody.cli.output import UsageError, emit_failure, report
from unibody.cli.pages import (
    ANIMATION,
    SERVING,
    check_page,
    examination_of,
    file_options,
    serve,
    show_page,
    write_page,
    written,
)
from unibody.cli.positions import POSITIONS, chosen_positions, has_positions
from unibody.cli.quantity import whole
from unibody.text.dataclass import dataclass

if TYPE_CHECKING:
    from unibody.collision.ranges import FreeRanges
    from unibody.files.access import Files
    from unibody.formats.loader import Reading
    from unibody.model.robot import Robot
    from unibody.motions.motion import Motion
    from unibody.page.cloud import Cloud
    from unibody.page.data import Extras, PageData, Shown
    from unibody.page.pose_request import PoseRequest
    from unibody.page.server import PageServer
    from unibody.page.watch import NotingFiles
    from unibody.text.finding import Finding

EXAMPLE = "unibody view robot.urdf --html robot.html"

_LAYERS = (
    "visual",
    "collision",
    "frames",
    "axes",
    "mass",
    "inertia",
    "devices",
    "loops",
    "traces",
    "workspace",
    "contacts",
    "pairs",
)
# Samples and cells of --prove-pairs.
_TRIED, _CELLS = 2_000, 5_000
# A browser rotates this many points smoothly.
_MOST_SAMPLES = 2_000_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("[MODEL]", "the model file (default: the biped of unibody)", keyword="model"),
        Option("[MODEL]", "a second model to compare with the first", keyword="other"),
        *reading_options(models=2),
        FINDINGS,
        JSON,
        *file_options("the page"),
        *ANIMATION,
        *POSITIONS,
        Option("--show LAYERS", f"the layers shown initially: {','.join(_LAYERS)}", _layers, ()),
        Option("--motion FILE", "play this motion: .csv, .json, .yaml, .pln, .pos, .seq or .npz"),
        Option("--workspace LINK", "show the reachable points of this link or frame"),
        Option(
            "--samples N",
            "number of configurations for --workspace (default: 10000)",
            whole(1, _MOST_SAMPLES),
            needs="--workspace",
        ),
        Option("--seed N", "seed of the samples (default: 0)", whole(0), needs="--workspace"),
        Option(
            "--up {z,y}",
            "the axis drawn upward (default: z; y for MPK scenes and for plain Inventor and VRML97 files)",
        ),
        Option(
            "--prove-pairs",
            "prove which pairs of links can collide, and how far each joint can move, for the matrix of "
            "pairs and the sliders of the page (takes seconds; see unibody pairs)",
        ),
        Option("--watch", "reload the model whenever it is saved"),
        Option(
            "--edit",
            "let the page save named poses into the model's files (SRDF states, keyframes, standard_pose); "
            "includes --watch",
        ),
        *SERVING,
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """The page, or None if there is nothing to show, and the findings to report.

    ``examine`` computes the findings that the page gets later, as JSON data.
    """

    page: PageData | None
    findings: list[Finding]
    examine: Callable[[], bytes] | None = None


def run(options: argparse.Namespace) -> int:
    """Write or serve the page; return the exit code."""
    if options.model is None:
        if options.edit:
            raise UsageError("--edit changes a model file: name one")
        options.model = str(Path(__file__).parents[1] / "models" / "biped.body")
    options.watch = options.watch or options.edit
    _check(options)
    from unibody.motions.run import is_run
    from unibody.page.watch import NotingFiles

    files = NotingFiles()
    if is_run(options.model):
        return _played(options)
    made = _make(options, files)
    report(made.findings, options.all_findings)
    if made.page is None:
        if options.json:
            emit_failure(made.findings)
        return 2
    if not write_page(made.page, options):
        watched = partial(_accompanied, made=made, options=options, files=files)
        serve(made.page, options, watched, partial(_save_pose, options) if options.edit else None)
    return int(any(finding.severity == "error" for finding in made.findings))


def _played(options: argparse.Namespace) -> int:
    """Show a recorded run."""
    from unibody.motions.run import RecordError
    from unibody.page.data import Origin
    from unibody.simulation.record import load_record

    if options.other is not None or options.motion is not None or options.watch or has_positions(options):
        raise UsageError("a recorded run is shown alone, without --motion, --watch, --set, --pose and --t")
    try:
        record = load_record(options.model)
    except RecordError as error:
        raise UsageError(str(error)) from None
    show_page(record, Origin(file=options.model, format="recorded run", asker="command"), [], options)
    return 0


def _check(options: argparse.Namespace) -> None:
    """UsageError for conflicting options."""
    check_page(options, (options.model, options.other))
    if written(options) and options.watch:
        name = next(name for name in ("html", "png", "gif") if getattr(options, name) is not None)
        needing = "--edit" if options.edit else "--watch"
        raise UsageError(f"{needing} needs a served page and cannot be combined with --{name}")


def _make(options: argparse.Namespace, files: Files) -> _Made:
    """Make the page's data; a page that is written to a file has all findings at once."""
    from unibody.formats.loader import read_with
    from unibody.mechanism import AssembleError
    from unibody.meshes import MeshCache
    from unibody.page.data import Origin, Shown, pages_data
    from unibody.text.finding import Finding, Findings

    shown: list[Shown] = []
    found: dict[Finding, None] = {}
    paths = [path for path in (options.model, options.other) if path is not None]
    hows = [read_options(side, files, shared=len(paths) > 1) for side in sides(options)[: len(paths)]]
    readings = [
        read_with(path, side.source_format, how)
        for path, side, how in zip(paths, sides(options), hows, strict=False)
    ]
    join_arguments(readings)
    for path, reading in zip(paths, readings, strict=True):
        found.update(dict.fromkeys(reading.findings))
        if reading.robot is None:
            return _Made(None, list(found))
        kind = reading.format
        title = " with ".join((kind.title if kind else "", *map(os.path.basename, reading.beside)))
        origin = Origin(file=path, format=title, asker="command")
        shown.append(Shown(robot=reading.robot, findings=reading.findings, origin=origin))
    if options.html is not None:
        shown = _examined(shown, readings, hows[0].files)
    try:
        extras = _extras(shown[0].robot, options, hows[0].files)
        page = pages_data(shown, MeshCache(hows[0].files, Findings()), extras)
    except AssembleError as error:
        message = f"cannot show the model: {error}"
        return _Made(None, [*found, Finding("cannot-assemble", "error", message)])
    later = partial(_examination_data, shown, readings, hows[0].files, page)
    return _Made(page, [*page.findings, *_empty_workspace(extras)], later)


def _examined(shown: Sequence[Shown], readings: Sequence[Reading], files: Files) -> list[Shown]:
    """The robots with what unibody check finds of their files."""
    # With limits of their own: an examination may run while another version is read.
    return [
        replace(one, examination=examination_of(reading, files.changed()))
        for one, reading in zip(shown, readings, strict=True)
    ]


def _examination_data(
    shown: Sequence[Shown], readings: Sequence[Reading], files: Files, page: PageData
) -> bytes:
    from unibody.page.examination import examination_data

    return examination_data(_examined(shown, readings, files), page.drawn)


def _extras(robot: Robot, options: argparse.Namespace, files: Files) -> Extras:
    """Pose, layers and motion of the page; UsageError for names that the robot does not have."""
    from unibody.page.data import Extras

    pose = _pose(robot, options) if has_positions(options) else {}
    return Extras(
        pose=pose,
        layers=options.show,
        motion=_motion(robot, options.motion, files, options.all_findings) if options.motion else None,
        workspace=_workspace(robot, options) if options.workspace is not None else None,
        proof=_proof(robot) if options.prove_pairs else None,
        ranges=_ranges(robot, pose) if options.prove_pairs else None,
        up=options.up,
        live=options.watch,
        checking=not written(options),
        editing=options.edit,
    )


def _save_pose(options: argparse.Namespace, wanted: PoseRequest) -> str:
    """Save a pose of the page in the files of its model; ValueError if they have no place for it."""
    from unibody.conversion.named_pose import save_pose
    from unibody.formats.loader import read_with

    path = (options.model, options.other)[wanted.robot]
    if path is None:
        raise ValueError("there is no second model")
    side = sides(options)[wanted.robot]
    try:
        how = read_options(side, shared=options.other is not None)
    except UsageError as error:
        raise ValueError(str(error)) from None
    # As the file is now: it may have been changed since the page was made.
    reading = read_with(path, side.source_format, how)
    target, _ = save_pose(reading, wanted.name, wanted.positions)
    return f"saved '{wanted.name}' in {os.path.basename(target)}"


def _proof(robot: Robot) -> list[tuple[str, str, str, Any]]:
    """The pairs of --prove-pairs; UsageError if they cannot be tested."""
    from unibody.collision.geometry import CollisionError
    from unibody.collision.matrix import self_collision

    try:
        matrix = self_collision(robot, samples=_TRIED, cells=_CELLS, missing="skip")
    except CollisionError as error:
        raise UsageError(f"--prove-pairs: {error}") from None
    return [(*pair.links, pair.status, pair.witness) for pair in matrix.pairs]


def _ranges(robot: Robot, pose: dict[str, Any]) -> FreeRanges:
    """The ranges of joints that are proved free around the pose in which the page opens."""
    from unibody.collision.collisions import collisions

    return collisions(robot, missing="skip").free_ranges(pose or None)


def _workspace(robot: Robot, options: argparse.Namespace) -> Cloud:
    """The points of --workspace; UsageError for an unknown link."""
    from unibody.mechanism.normalized_space import NormalizedSpaceError
    from unibody.page.cloud import USUAL, sampled

    try:
        return sampled(robot, options.workspace, options.samples or USUAL, options.seed or 0)
    except (KeyError, NormalizedSpaceError) as error:
        raise UsageError(str(error.args[0])) from None


def _empty_workspace(extras: Extras) -> list[Finding]:
    """An error for a workspace without points."""
    from unibody.text.finding import Finding

    if extras.workspace is None or len(extras.workspace.points):
        return []
    message = "no sample closes the loops of the model: no points to show"
    return [Finding("loops-not-closed", "error", message)]


def _pose(robot: Robot, options: argparse.Namespace) -> dict[str, Any]:
    """The joint positions of --pose and --set, in rad and m."""
    from unibody.mechanism import assemble
    from unibody.page.robot import computable
    from unibody.text.finding import Findings

    mechanism = assemble(computable(robot))
    findings = Findings()
    pose = chosen_positions(mechanism, options, findings)
    report(findings, options.all_findings)
    return pose


def _motion(robot: Robot, path: str, files: Files, show_all: bool) -> Motion:
    """The motion in a file; UsageError if it cannot be played."""
    from unibody.mechanism import assemble
    from unibody.motions.motion import MotionError
    from unibody.motions.notations import read_motion
    from unibody.page.motion import playable
    from unibody.page.robot import computable
    from unibody.text.finding import Findings

    mechanism = assemble(computable(robot))
    found = Findings()
    motion = read_motion(path, mechanism, found, files=files)
    report(found, show_all)
    if motion is None:
        raise UsageError(f"{path} cannot be played")
    try:
        return playable(motion, mechanism)
    except MotionError as error:
        raise UsageError(f"{path}: {error}") from None


@contextmanager
def _accompanied(
    server: PageServer, made: _Made, options: argparse.Namespace, files: NotingFiles
) -> Iterator[None]:
    """Check the model, and reload it whenever one of its files changes."""
    _examine(server, made)
    stop = threading.Event()
    thread = threading.Thread(target=_follow, args=(server, options, files, stop), daemon=True)
    if options.watch:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        if options.watch:
            thread.join()


def _follow(
    server: PageServer, options: argparse.Namespace, files: NotingFiles, stop: threading.Event
) -> None:
    from unibody.page.watch import NotingFiles, stamp, wait_for_change

    seen = dict(files.seen)
    while wait_for_change(seen, stop):
        fresh = NotingFiles()
        try:
            made = _make(options, fresh)
        except UsageError as error:
            made = _Made(None, [])
            server.complain(str(error))
        # A file that is missing for a moment comes back: keep watching all files seen so far.
        seen = {path: stamp(path) for path in seen} | fresh.seen
        if made.page is not None:
            server.show(made.page.bytes)
            _examine(server, made)
        elif made.findings:
            server.complain(_first_errors(made.findings))


def _examine(server: PageServer, made: _Made) -> None:
    from unibody.page.examination import examine_later

    if made.examine is not None:
        examine_later(server, made.examine)


def _first_errors(findings: Sequence[Finding]) -> str:
    """The first errors of a model that cannot be shown."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return "\n".join(str(finding) for finding in errors[:5])


def _layers(text: str) -> tuple[str, ...]:
    """Names of layers.

    >>> _layers("visual, axes")
    ('visual', 'axes')
    """
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    unknown = next((name for name in names if name not in _LAYERS), None)
    if unknown is not None:
        raise argparse.ArgumentTypeError(f"unknown layer '{unknown}'; choose from {', '.join(_LAYERS)}")
    return names
