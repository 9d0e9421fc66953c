"""Joint positions from JOINT=VALUE words and the options --set, --degrees, --pose and --t."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from unibody.cli.declaration import Option
from unibody.cli.options import finish, read_model
from unibody.cli.output import UsageError, report
from unibody.cli.quantity import UNITS, parse_quantity
from unibody.model.joint_kind import KINDS

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.mechanism.normalized_space import NormalizedSpace
    from unibody.model.robot import Joint, Robot
    from unibody.text.finding import Findings

# Tolerance for limits that were converted from degrees.
_ROUNDING = 1e-9


def _position(text: str) -> tuple[str, str]:
    """Split JOINT=VALUE at the last "=", since a value has none.

    >>> _position("x=y=0.1")
    ('x=y', '0.1')
    """
    name, equals, value = text.rpartition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected JOINT=VALUE, got '{text}'")
    return name, value


#: Which positions of the joints are computed with.
POSITIONS = (
    Option(
        "--set JOINT=VALUE",
        "position of a joint, e.g. 0.5, 30deg or 20mm; repeatable; the word --set may be left out",
        _position,
        many=True,
    ),
    Option("--degrees", "read plain numbers of revolute joints as degrees"),
    Option("--pose NAME", "start from this named configuration"),
    Option(
        "--t T",
        "MPK's normalized configuration: numbers from 0 to 1, as in a plan (0.5,0.2,0), or of one "
        "coordinate (3=0.25; repeatable)",
        many=True,
    ),
)


def posed(options: argparse.Namespace, show: Callable[[Mechanism, Any, Findings], bool]) -> int:
    """Read the model, set its joints, and call ``show``; return the exit code.

    ``show`` takes the mechanism, q, and findings that it can extend; it returns whether it printed.
    """
    from unibody.mechanism import AssembleError, assemble
    from unibody.text.finding import Findings

    reading = read_model(options)
    if reading.robot is None:
        return finish(reading, options, found=False)
    findings, printed = Findings(), False
    try:
        mechanism = assemble(reading.robot)
        q = mechanism.apply_couplings(positions(mechanism, options, findings))
        printed = show(mechanism, q, findings)
    except AssembleError as error:
        findings.error("cannot-assemble", f"cannot compute poses: {error}")
    except UsageError:
        report(reading.findings, options.all_findings)
        raise
    reading.findings.extend(findings)
    return finish(reading, options, printed=printed)


def positions(mechanism: Mechanism, options: argparse.Namespace, findings: Findings) -> Any:
    """q of the options; UsageError for unknown names."""
    return _completed(mechanism, _stated(mechanism, options, findings))


def _completed(mechanism: Mechanism, stated: Mapping[str, Any]) -> Any:
    try:
        return mechanism.positions(stated)
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def _stated(mechanism: Mechanism, options: argparse.Namespace, findings: Findings) -> dict[str, Any]:
    """The positions that the options name, by joint; UsageError for unknown names."""
    from unibody.model.traverse import path_of

    robot = mechanism.robot
    wanted: dict[str, Any] = dict(_configuration(robot, options.pose)) if options.pose else {}
    if options.t:
        wanted |= _normalized(mechanism, options.t)
    joints = {joint.name: joint for joint in robot.joints}
    followed = {coupling.joint: coupling.leader for coupling in robot.couplings}
    for name, text in options.set:
        values = [
            position_value(name, joints.get(name), word, "--set", options.degrees)
            for word in text.split(",")
        ]
        check_count(mechanism, name, values)
        wanted[name] = values[0] if len(values) == 1 else values
        if name in followed:
            message = f"joint '{name}' follows '{followed[name]}': the value of --set is ignored"
            findings.warning(
                "joint-follows", message, None, f"set '{followed[name]}'", subject=path_of("joints", name)
            )
    return wanted


def has_positions(options: argparse.Namespace) -> bool:
    """Whether the options give any positions."""
    return bool(options.set or options.pose or options.t)


def chosen_positions(
    mechanism: Mechanism, options: argparse.Namespace, findings: Findings
) -> dict[str, Any]:
    """The positions of the joints that --set, --pose or --t names, by name."""
    stated = _stated(mechanism, options, findings)
    values = named(mechanism, _completed(mechanism, stated))
    return {name: value for name, value in values.items() if name in stated}


def _normalized(mechanism: Mechanism, given: list[str]) -> dict[str, Any]:
    """Positions of the joints that coordinates move; those that are not given are at their default."""
    space = space_of(mechanism)
    t = space.default.copy()
    for text in given:
        index, equals, value = text.rpartition("=")
        if not equals:
            t[:] = unit_numbers(mechanism, text, "--t")
            continue
        known = [str(i) for i in space.indices]
        if index.strip() not in known:
            listed = ", ".join(known) or "none"
            raise UsageError(f"--t {text}: unknown coordinate '{index.strip()}'; known: {listed}")
        t[known.index(index.strip())] = _unit_number(text, value, "--t")
    moved = {drive.joint for coordinate in space.coordinates for drive in coordinate.drives}
    return {name: value for name, value in named(mechanism, space.to_joints(t)).items() if name in moved}


def unit_numbers(mechanism: Mechanism, text: str, option: str) -> list[float]:
    """A number for each normalized coordinate; UsageError for anything else."""
    values = [_unit_number(text, word, option) for word in text.replace(",", " ").split()]
    count = space_of(mechanism).n
    if len(values) != count:
        raise UsageError(f"{option} takes {count} numbers, one for each coordinate, not {len(values)}")
    return values


def _unit_number(text: str, word: str, option: str) -> float:
    from unibody.text.number import parse_float

    value = parse_float(word.strip())
    if value is None or not 0.0 <= value <= 1.0:
        raise UsageError(f"{option} {text}: expected a number from 0 to 1, got '{word.strip()}'")
    return value


def space_of(mechanism: Mechanism) -> NormalizedSpace:
    """The normalized configuration space of a model; UsageError if its coordinates have none."""
    from unibody.mechanism.normalized_space import NormalizedSpaceError

    try:
        return mechanism.normalized_space
    except NormalizedSpaceError as error:
        raise UsageError(str(error)) from None


def normalized(mechanism: Mechanism, q: Any, options: argparse.Namespace) -> list[float] | None:
    """t at q, of a model that states coordinates, or if --t is given; else None."""
    from unibody.mechanism.normalized_space import NormalizedSpaceError

    if not (mechanism.robot.coordinates or options.t):
        return None
    try:
        return [float(value) for value in mechanism.normalized_space.from_joints(q)]
    except NormalizedSpaceError:  # unibody check reports the coordinates
        return None


def normalized_words(t: list[float] | None) -> list[str]:
    """t in one line, as it stands in a plan; no line without it."""
    from unibody.cli.words import fixed

    return [] if t is None else [f"t: {' '.join(fixed(value, 6) for value in t)}"]


def check_count(mechanism: Mechanism, name: str, values: list[float]) -> None:
    """UsageError for a wrong number of values, or a zero quaternion, of a joint or the free base."""
    from unibody.model.base import UNSPECIFIED

    robot = mechanism.robot
    sizes = {joint.name: KINDS[joint.kind].nq for joint in robot.joints}
    if robot.base == "free":
        sizes.setdefault(robot.root, 7)
    elif name == robot.root and name not in sizes:
        raise UsageError(
            f"--set {name}: the base is {robot.base or UNSPECIFIED}; --base free lets the root link move"
        )
    wanted = sizes.get(name, len(values))
    if wanted != len(values):
        plural = "" if wanted == 1 else "s"
        raise UsageError(f"'{name}' takes {wanted or 'no'} number{plural}, not {len(values)}")
    if wanted in (4, 7) and not any(values[-4:]):
        raise UsageError(f"--set {name}: zero quaternion; 1,0,0,0 is the identity")


def _configuration(robot: Robot, name: str) -> Mapping[str, float | tuple[float, ...]]:
    from unibody.model.posture import posture
    from unibody.model.scene import of_several

    if any(configuration.name == name for configuration in robot.configurations):
        return posture(robot, name)
    names = [c.name for c in robot.configurations]
    known = f"; known: {', '.join(names)}" if names else "; the model has none"
    raise UsageError(f"unknown configuration '{name}'{of_several(name, names) or known}")


def position_value(name: str, joint: Joint | None, text: str, option: str, degrees: bool = False) -> float:
    """A number of an option such as --set, in radians or meters."""
    from unibody.cli.words import turns

    found = parse_quantity(text)
    if found is None:
        raise UsageError(
            f"{option} {name}: expected a number, with a unit or none ({', '.join(UNITS)}), "
            f"got '{text.strip()}'"
        )
    if joint is None or KINDS[joint.kind].nq != 1:
        return found.value
    if found.kind is not None and (found.kind == "angle") != turns(joint):
        raise UsageError(f"joint '{name}' is {joint.kind}: the unit of '{text.strip()}' does not apply")
    return math.radians(found.number) if degrees and not found.unit and turns(joint) else found.value


def check_limits(mechanism: Mechanism, q: Any, findings: Findings) -> None:
    """Add a warning for each joint outside its limits."""
    from unibody.cli.output import glyphs
    from unibody.cli.words import number, q_places, scaled, unit_of
    from unibody.model.traverse import path_of

    characters = glyphs(sys.stderr)
    robot = mechanism.robot
    for joint, (at, size) in zip(robot.joints, q_places(robot), strict=True):
        low, high = joint.limits.position
        value = float(q[at]) if size == 1 else 0.0
        slack = _ROUNDING * (1.0 + abs(value))
        # Reversed limits have their own finding.
        if size != 1 or low > high or low - slack <= value <= high + slack:
            continue
        which, limit = ("upper", high) if value > high else ("lower", low)
        unit = unit_of(joint, characters)
        words = f"outside its {which} limit" if low < high else "but equal limits lock it at"
        findings.warning(
            "limit-exceeded",
            f"joint '{joint.name}' is at {number(scaled(joint, value))}{unit}, "
            f"{words} {number(scaled(joint, limit))}{unit}",
            subject=path_of("joints", joint.name),
        )


def named(mechanism: Mechanism, q: Any) -> dict[str, Any]:
    """q (nq,) by joint name; a free base has the name of the root link."""
    from unibody.cli.words import q_places

    robot, values = mechanism.robot, q.tolist()
    out: dict[str, Any] = {robot.root: values[:7]} if robot.base == "free" else {}
    for joint, (at, size) in zip(robot.joints, q_places(robot), strict=True):
        if size:
            out[joint.name] = values[at] if size == 1 else values[at : at + size]
    return out
