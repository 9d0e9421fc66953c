"""Joint positions from the options --set, --degrees and --pose."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from unibody.cli.options import finish, pair, read_model
from unibody.cli.output import UsageError, report

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.model.robot import Joint, Robot
    from unibody.text.finding import Findings

_UNITS = {
    "deg": ("angle", math.pi / 180.0),
    "rad": ("angle", 1.0),
    "mm": ("length", 0.001),
    "m": ("length", 1.0),
}
# Tolerance for limits that were converted from degrees.
_ROUNDING = 1e-9


def add_positions(parser: argparse.ArgumentParser) -> None:
    """Add --set, --degrees and --pose."""
    parser.add_argument(
        "--set",
        metavar="JOINT=VALUE",
        action="append",
        type=pair,
        default=[],
        help="position of a joint, e.g. 0.5, 30deg or 20mm; repeatable",
    )
    parser.add_argument(
        "--degrees", action="store_true", help="read plain numbers of revolute joints as degrees"
    )
    parser.add_argument("--pose", metavar="NAME", help="start from this named configuration")


def posed(options: argparse.Namespace, show: Callable[[Mechanism, Any, Findings], None]) -> int:
    """Read the model, set its joints, and call ``show``; return the exit code.

    ``show`` takes the mechanism, q, and findings that it can extend.
    """
    from unibody.mechanism import AssembleError, assemble
    from unibody.text.finding import Findings

    reading = read_model(options)
    if reading.robot is None:
        return finish(reading, options, found=False)
    findings = Findings()
    try:
        mechanism = assemble(reading.robot)
        show(mechanism, mechanism.apply_couplings(positions(mechanism, options, findings)), findings)
    except AssembleError as error:
        findings.error("cannot-assemble", f"cannot compute poses: {error}")
    except UsageError:
        report(reading.findings, options.all_findings)
        raise
    reading.findings.extend(findings)
    return finish(reading, options)


def positions(mechanism: Mechanism, options: argparse.Namespace, findings: Findings) -> Any:
    """q of the options; UsageError for unknown names."""
    from unibody.model.traverse import path_of

    robot = mechanism.robot
    wanted: dict[str, Any] = dict(_configuration(robot, options.pose)) if options.pose else {}
    joints = {joint.name: joint for joint in robot.joints}
    followed = {coupling.joint: coupling.leader for coupling in robot.couplings}
    for name, text in options.set:
        values = [_value(name, joints.get(name), word, options.degrees) for word in text.split(",")]
        _check_numbers(mechanism, name, values)
        wanted[name] = values[0] if len(values) == 1 else values
        if name in followed:
            message = f"joint '{name}' follows '{followed[name]}': the value of --set is ignored"
            findings.warning(
                "joint-follows", message, None, f"set '{followed[name]}'", subject=path_of("joints", name)
            )
    try:
        return mechanism.positions(wanted)
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def _check_numbers(mechanism: Mechanism, name: str, values: list[float]) -> None:
    """UsageError for a wrong number of values, or a zero quaternion, of a joint or the free base."""
    from unibody.model.robot import JOINT_SIZE

    robot = mechanism.robot
    sizes = {joint.name: JOINT_SIZE[joint.kind] for joint in robot.joints}
    if robot.base == "free":
        sizes.setdefault(robot.root, 7)
    wanted = sizes.get(name, len(values))
    if wanted != len(values):
        plural = "" if wanted == 1 else "s"
        raise UsageError(f"'{name}' takes {wanted or 'no'} number{plural}, not {len(values)}")
    if wanted in (4, 7) and not any(values[-4:]):
        raise UsageError(f"--set {name}: zero quaternion; 1,0,0,0 is the identity")


def _configuration(robot: Robot, name: str) -> tuple[tuple[str, float], ...]:
    for configuration in robot.configurations:
        if configuration.name == name:
            return configuration.positions
    known = ", ".join(c.name for c in robot.configurations)
    raise UsageError(
        f"unknown configuration '{name}'; " + (f"known: {known}" if known else "the model has none")
    )


def _value(name: str, joint: Joint | None, text: str, degrees: bool) -> float:
    """A number of --set, in radians or meters."""
    from unibody.cli.words import turns
    from unibody.model.robot import JOINT_SIZE
    from unibody.text.number import parse_float, vanishes

    single = joint is not None and JOINT_SIZE[joint.kind] == 1
    text = text.strip()
    for unit, (quantity, factor) in _UNITS.items():
        if not text.endswith(unit):
            continue
        value = parse_float(text[: -len(unit)])
        if value is None or math.isinf(value) or vanishes(text[: -len(unit)]):
            break
        if joint is not None and single and (quantity == "angle") != turns(joint):
            raise UsageError(f"joint '{name}' is {joint.kind}: the unit of '{text}' does not apply")
        return value * factor
    value = parse_float(text)
    if value is None or math.isinf(value) or vanishes(text):
        raise UsageError(
            f"--set {name}: expected a number, or one followed by deg, rad, mm or m, got '{text}'"
        )
    return math.radians(value) if degrees and joint is not None and single and turns(joint) else value


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
        findings.warning(
            "limit-exceeded",
            f"joint '{joint.name}' is at {number(scaled(joint, value))}{unit}, "
            f"outside its {which} limit {number(scaled(joint, limit))}{unit}",
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
