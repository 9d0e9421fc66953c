"""Simulate a model with MuJoCo: its motion, contacts and sensors over time.

Joints are commanded by a control: a motion in any notation, such as a CSV file (a header of time and joint
names), a pattern of OpenHRP (.pos, .vel, .torque), a body motion of Choreonoid (.seq), a trajectory of
unibody plan, or a recorded run. A control can also be a Python function MODULE:FUNCTION, which is called
with the simulation before each step. --interval gives times to a path that has none. Positions and
velocities are prescribed with any force, unless --gains turns the joints into servos. The run starts at
the first base pose and joint positions of the control; --pose and --set override them.

--record writes the run to a file, which `unibody view` plays. The file is updated every ten seconds or
more; Ctrl-C ends a run early and keeps the recorded part.
"""

from __future__ import annotations

import argparse
import glob
import math
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unibody.cli.command_line import NotAValueError
from unibody.cli.declaration import Option, add, keywords
from unibody.cli.options import (
    MODEL,
    RECORD,
    check_csv,
    csv_option,
    finish,
    pairs_option,
    read_input,
    settings,
)
from unibody.cli.output import (
    UsageError,
    check_outputs,
    emit,
    emit_data,
    report,
    write_output,
)
from unibody.cli.pages import add_page, check_page, show_page, wants_page
from unibody.cli.placement import Placed, placed_models, read_placed
from unibody.cli.positions import POSITIONS, chosen_positions, has_positions, named
from unibody.cli.progress import Progress
from unibody.cli.quantity import length, numbers, positive
from unibody.text.counted import counted

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.mechanism import Mechanism
    from unibody.model.robot import Robot
    from unibody.model.scene import Scene
    from unibody.simulation.control import Control, Program
    from unibody.simulation.record import Record
    from unibody.simulation.recording import Recorder
    from unibody.simulation.simulation import Simulation
    from unibody.text.finding import Finding, Findings

EXAMPLE = "unibody simulate biped.body --floor --control biped-walk.csv --view"
CODES = """\
exit codes: 0 the run is complete, 1 the model has errors but could be simulated, or the run was
interrupted or diverged, 2 wrong usage, or the model could not be simulated
"""

# Seconds of a run without a control.
_FALL = 0.5
_SECONDS = 5.0
# Seconds of work between two writings of the record, at least; and the work between them, in their time.
_KEEP_AFTER, _KEEP_SHARE = 10.0, 20.0
# Sensors of the summary with more numbers than this are described by their nearest one.
_MOST_NUMBERS = 6


def _floor(text: str) -> float:
    """The height of --floor in m; the next word is not the height if it does not begin like a number."""
    if text[:1] not in {*"+-.0123456789"} or os.path.exists(text):
        raise NotAValueError(f"expected a height such as 0.1 or 10cm, got '{text}'")
    return length(text)


def _vector(text: str) -> tuple[float, ...]:
    return numbers(text, (3,), "three numbers, such as 0,0,-9.80665")


def _gains(text: str) -> tuple[float, ...]:
    """Stiffness and damping.

    >>> _gains("400"), _gains("400,20")
    ((400.0,), (400.0, 20.0))
    """
    gains = numbers(text, (1, 2), "KP or KP,KD")
    if min(gains) < 0.0:
        raise argparse.ArgumentTypeError(f"gains must not be negative, got '{text}'")
    return gains


WORLD = (
    placed_models("another model"),
    Option("--floor [HEIGHT]", "add a floor at this height in m (default: 0)", _floor, bare=0.0),
    Option(
        "--above HEIGHT", "start with the lowest point of the model at this height in m, e.g. 0.05", length
    ),
    Option("--gravity X,Y,Z", "gravity in m/s² (default: that of the file, else 0,0,-9.80665)", _vector),
    Option("--friction MU", "friction of all contacts (default: 0.5)", positive),
    Option("--materials FILE", "a material table of Choreonoid (materials.yaml)"),
    pairs_option("file"),
    Option(
        "--convex {auto,hull,parts}",
        "collide non-convex meshes as their hulls or as convex parts (default: as parts if "
        "CoACD is installed)",
    ),
    Option(
        "--density RHO",
        "give links without mass the mass of the hull of their shapes at this density in kg/m³, e.g. 1000",
        positive,
    ),
    Option("--no-contacts", "disable all contacts"),
)
MOTION = (
    Option(
        "--seconds S",
        f"duration of the simulation (default: that of the control file, or {_SECONDS:g})",
        positive,
    ),
    Option("--control FILE|MODULE:FUNCTION", "the motion or function that commands the joints (see above)"),
    Option(
        "--mode {position,velocity,effort}",
        "quantity of a control (default: position, or that of a .vel or .torque file)",
        needs="--control",
    ),
    Option(
        "--interval S",
        "time between the rows of a control without times, in s",
        positive,
        needs="--control",
    ),
    Option("--hold", "hold joints without a command at their start positions"),
    Option(
        "--gains KP[,KD]",
        "turn the joints into servos: stiffness in N·m/rad or N/m, damping in N·m·s/rad or N·s/m",
        _gains,
    ),
    Option("--step S", "time step in s (default: 0.001)", positive),
    Option(
        "--integrator {auto,rk4,implicitfast,implicit,euler}",
        "integrator (default: rk4 without contacts, otherwise implicitfast)",
    ),
    Option("--no-position-limits", "ignore position limits"),
    Option("--no-effort-limits", "ignore effort limits"),
    Option(
        "--loop-solver {engine,exact}",
        "hold closed loops by the constraints of the engine (default), or to machine precision but without "
        "contacts",
    ),
)
KEPT = (
    RECORD,
    Option("--rate HZ", "rows of the record per second (default: 100)", positive),
    Option("--camera NAME", "record the pictures of a camera, or of all cameras with all", many=True),
    Option(
        "--pictures DIR", "write the pictures into a folder, as EYE-0000.png and so on", needs="--camera"
    ),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(parser, MODEL, *settings(), csv_option("the run"))
    add(parser.add_argument_group("world"), *WORLD)
    add(parser.add_argument_group("motion"), *MOTION)
    add(parser, *POSITIONS)
    add(parser.add_argument_group("record"), *KEPT)
    add_page(parser, "the run")


def run(options: argparse.Namespace) -> int:
    """Simulate, then write, show or print the run; return the exit code."""
    _check(options)
    reading = read_input(options.model, options.source_format, options, shared=bool(options.others))
    others = read_placed(options, reading)
    if reading.robot is None or any(other.reading.robot is None for other in others):
        return finish(reading, options, found=False)
    made = _made(reading, others, options)
    if made is None:
        return finish(reading, options, found=False)
    record, ended, findings = made
    reading.findings.extend(findings)
    if options.record is not None:
        write_output(options.record, record.packed(), options.overwrite)
    if options.csv:
        write_output(options.csv, record.csv().encode(), options.overwrite)
    for name, data in record.png_files() if options.pictures is not None else ():
        os.makedirs(options.pictures, exist_ok=True)
        write_output(os.path.join(options.pictures, name), data, options.overwrite)
    if wants_page(options):
        _show(record, reading, options)
    elif options.csv == "":
        sys.stdout.write(record.csv())
    elif options.json:
        emit_data(record.json())
    else:
        emit(_summary(record, options))
    report(reading.findings, options.all_findings, computes=True)
    if not record.finished:
        return 1
    return int(ended or any(f.severity == "error" for f in reading.findings))


def _check(options: argparse.Namespace) -> None:
    """UsageError for conflicting options, before any work is done."""
    check_csv(options, "the run")
    if options.loop_solver == "exact" and (options.floor is not None or options.others):
        raise UsageError(
            "--loop-solver exact has no contacts and cannot be combined with --floor or --with"
        )
    check_page(options, prints="the run")
    check_outputs((options.record, options.csv), options.overwrite)
    if options.pictures is not None:
        check_outputs(
            glob.glob(os.path.join(glob.escape(options.pictures), "*-[0-9]*.png")), options.overwrite
        )
        if os.path.lexists(options.pictures) and not os.path.isdir(options.pictures):
            raise UsageError(f"--pictures {options.pictures} is a file; expected a folder")
    folder = os.path.dirname(options.record or "")
    if folder and not os.path.isdir(folder):
        raise UsageError(f"cannot write {options.record}: there is no folder {folder}")


def _made(
    reading: Reading, others: Sequence[Placed], options: argparse.Namespace
) -> tuple[Record, bool, list[Finding]] | None:
    """The record of the run, whether it failed, and its findings; None with findings if there is none."""
    from unibody.model.scene import as_robot
    from unibody.simulation.checks import SimulationError
    from unibody.simulation.control import Control
    from unibody.simulation.scene import assembled

    given = _placed_robots(reading, others)
    found = _findings()
    try:
        mechanism = assembled(as_robot(given))
        control = _control(mechanism, options, found)
    except SimulationError as error:
        found.extend(error.findings)
        control = None
    reading.findings.extend(found)
    if any(f.severity == "error" for f in found):
        return None
    start = _start(mechanism, control, options, reading.findings)
    simulation = _simulation(given, options, reading.findings)
    if simulation is None:
        return None
    _reset(simulation, control, start, options)
    reading.findings.extend(f for f in simulation.findings if f not in reading.findings)
    if options.gains is not None:
        simulation.set_gains(*options.gains)
    seconds = options.seconds or (control.end - control.begin if isinstance(control, Control) else _SECONDS)
    return _recorded(simulation, control, seconds or _SECONDS, options)


def _reset(
    simulation: Simulation, control: Control | Program | None, start: Any, options: argparse.Namespace
) -> None:
    """Begin at ``start``; a keyframe of the file has more than the positions of joints."""
    if options.pose not in simulation.keyframes:
        simulation.reset(start)
        return
    if options.set or options.t:
        base, _ = simulation.keyframe(options.pose)
        start = _start(simulation.mechanism, control, options, [], base)
        simulation.reset(start, pose=options.pose)
    else:
        simulation.reset(above=options.above, pose=options.pose)


def _findings() -> Findings:
    from unibody.text.finding import Findings

    return Findings()


def _placed_robots(reading: Reading, others: Sequence[Placed]) -> Robot | Scene:
    """One robot, or the robots of scenes and of other models, which may touch one another."""
    assert reading.robot is not None
    if reading.scene is None and not others:
        return reading.robot
    from unibody.model.scene import Scene

    first = (reading.robot,) if reading.scene is None else reading.scene.robots
    robots = (*first, *(robot for other in others for robot in other.robots))
    return Scene(name=reading.robot.name, robots=robots)


def _control(
    mechanism: Mechanism, options: argparse.Namespace, findings: Findings
) -> Control | Program | None:
    """The control of --control; UsageError for a function that cannot be called."""
    from unibody.simulation.control_file import ControlError, find_program, is_program, read_control

    if options.control is None:
        return None
    if is_program(options.control):
        try:
            return find_program(options.control)
        except ControlError as error:
            raise UsageError(str(error)) from None
    return read_control(options.control, mechanism, findings, options.mode, interval=options.interval)


def _start(
    mechanism: Mechanism,
    control: Control | Program | None,
    options: argparse.Namespace,
    findings: list[Finding],
    begin: Any = None,
) -> Any:
    """Where the run begins: the control's first row, the options of positions, the height of --above.

    ``begin`` takes the place of the control's first row.
    """
    from unibody.simulation.control import Control
    from unibody.simulation.placement import at_locks

    noted = _findings()
    if begin is not None:
        q = begin
    elif isinstance(control, Control):
        q = control.start(mechanism)
    else:
        q = at_locks(mechanism, mechanism.initial)
    if has_positions(options):
        q = mechanism.positions({**named(mechanism, q), **chosen_positions(mechanism, options, noted)})
    findings.extend(noted)
    q = mechanism.apply_couplings(q)
    if mechanism.robot.loops:
        q = mechanism.close_loops(q, limits=False).q
    if options.above is None:
        return q
    from unibody.simulation.placement import lifted

    try:
        return lifted(mechanism, q, options.above)
    except ValueError as error:
        remedy = "" if mechanism.base == "free" else "; add --base free to let it move"
        raise UsageError(f"--above: {error}{remedy}") from None


def _simulation(
    robot: Robot | Scene, options: argparse.Namespace, findings: list[Finding]
) -> Simulation | None:
    """The simulation; None with findings if the robot cannot be simulated."""
    from unibody.bridges.mujoco import import_mujoco
    from unibody.simulation.checks import SimulationError
    from unibody.simulation.simulation import simulate

    import_mujoco("simulation")
    bar = Progress()
    try:
        simulation = simulate(
            robot,
            progress=lambda share: bar.show("convex parts", share, at_once=True),
            **keywords(options, simulate),
        )
    except SimulationError as error:
        findings.extend(error.findings)
        return None
    finally:
        bar.end()
    return simulation


def _recorded(
    simulation: Simulation, control: Control | Program | None, seconds: float, options: argparse.Namespace
) -> tuple[Record, bool, list[Finding]]:
    """The record of a run, whether it failed, and its findings; an interrupted run is kept."""
    from unibody.simulation.checks import SimulationError
    from unibody.simulation.control_file import ControlError
    from unibody.simulation.recording import RATE, Recorder

    recorder = Recorder(simulation, options.rate or RATE, _cameras(simulation, options.camera))
    bar, kept = Progress(), _Kept(recorder, options)

    def passed(share: float) -> None:
        bar.show(f"{share * seconds:8.2f} / {seconds:.2f} s", share)
        kept.write_sometimes()

    try:
        recorder.run(seconds, control, hold=options.hold, progress=passed)
    except KeyboardInterrupt:
        bar.end()
        _note(f"interrupted after {simulation.time:.3f} s")
        return recorder.record(finished=False), True, list(simulation.warnings)
    except SimulationError as error:
        bar.end()
        return recorder.record(finished=False), True, list(error.findings)
    except ControlError as error:
        bar.end()
        raise UsageError(f"{options.control} failed: {error}") from None
    bar.end()
    return recorder.record(), False, list(simulation.warnings)


class _Kept:
    """Writes what is recorded now and then, so that a run that is killed leaves a record."""

    def __init__(self, recorder: Recorder, options: argparse.Namespace) -> None:
        self._recorder, self._options = recorder, options
        self._wait, self._last = _KEEP_AFTER, time.monotonic()

    def write_sometimes(self) -> None:
        """Write the record if the last time is long enough ago; it takes a small part of the time."""
        start = time.monotonic()
        if self._options.record is None or start - self._last < self._wait:
            return
        packed = self._recorder.record(finished=False).packed()
        write_output(self._options.record, packed, self._options.overwrite)
        self._options.overwrite = True  # from now on the file is ours
        self._last = time.monotonic()
        self._wait = max(_KEEP_AFTER, _KEEP_SHARE * (self._last - start))


def _cameras(simulation: Simulation, names: Sequence[str]) -> list[str]:
    """The cameras of --camera; none, with a note, if no picture can be drawn."""
    from unibody.simulation.rendering import RenderingError

    known = simulation.cameras
    if names and not known:
        raise UsageError(f"--camera: {simulation.robot.name!r} has no cameras")
    chosen = list(dict.fromkeys(list(known) if "all" in names and "all" not in known else names))
    try:
        for name in chosen:
            known[name].color()
    except KeyError as error:
        raise UsageError(f"--camera: {error.args[0]}") from None
    except RenderingError as error:
        _note(f"{error}; the run goes on without pictures")
        return []
    return chosen


def _note(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"unibody simulate: {text}\n")


def _show(record: Record, reading: Reading, options: argparse.Namespace) -> None:
    from unibody.page.data import Origin

    kind = reading.format
    origin = Origin(file=options.model, format=kind.title if kind else "", asker="command")
    show_page(record, origin, reading.findings, options)


def _summary(record: Record, options: argparse.Namespace) -> list[str]:
    """The end of a run in words."""
    from unibody.cli.words import fixed
    from unibody.simulation.sensors import force_senses

    robot, mechanism = record.robot, record.mechanism
    steps = round(record.duration / record.step) if record.step else 0
    lines = [f"{robot.name}: {record.duration:.3f} s in {steps} steps of {1e3 * record.step:g} ms"]
    if options.record is not None:
        lines.append(f"{options.record}: {len(record)} rows")
    if mechanism.base == "free":
        place = " ".join(fixed(value, 4) for value in record.q[-1, :3].tolist())
        fell = options.floor is None and record.q[0, 2] - record.q[-1, 2] > _FALL
        lines.append(f"{robot.root} at {place} m{'; it fell: --floor adds a floor' if fell else ''}")
    lines += _contact_lines(record)
    senses = force_senses(robot)
    for name, values in record.sensors.items():
        sense = f" ({senses[name]})" if name in senses else ""
        lines.append(f"{name}: {_reading(values[-1].reshape(-1).tolist())}{sense}")
    lines += [f"{name}: {len(film.times)} pictures" for name, film in record.pictures.items()]
    return lines


def _contact_lines(record: Record) -> list[str]:
    """The contact forces on each link at the end, without those that are zero as printed."""
    from unibody.cli.words import fixed

    links = [link.name for link in record.robot.solids]
    forces = record.contacts.forces_on_links(len(record) - 1)
    lines = {link: " ".join(fixed(value, 1) for value in force.tolist()) for link, force in forces.items()}
    pressed = {link: line for link, line in lines.items() if line != "0 0 0"}
    if lines and not pressed:
        return [f"{counted(len(lines), 'link')} in contact at the end, without force"]
    return [f"contact force on {links[link]}: {line} N" for link, line in pressed.items()]


def _reading(values: Sequence[float]) -> str:
    from unibody.cli.words import fixed

    if len(values) > _MOST_NUMBERS:
        nearest = min(values)
        return f"{len(values)} rays, " + (
            f"nearest return at {nearest:.3f} m" if math.isfinite(nearest) else "without a return"
        )
    return " ".join(fixed(value, 3) for value in values)
