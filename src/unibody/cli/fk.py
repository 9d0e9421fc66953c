"""Print where every link is (forward kinematics).

Joints start at their initial positions; --pose puts a named configuration on top, and --set
single joints. Positions are in radians or metres, or carry a unit: 30deg, 0.5rad, 20mm, 0.1m.
A joint with several numbers takes them with commas; the root link's name places a free base:
--set WAIST=0,0,0.7,1,0,0,0 (x, y, z, then the quaternion w, x, y, z).
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_model, finish, pair, read_model
from unibody.cli.output import UsageError, Window, emit, emit_data, report, window

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism
    from unibody.model.pose import Pose
    from unibody.model.robot import Joint, Robot
    from unibody.text.finding import Findings

EXAMPLE = "unibody fk robot.urdf --set elbow=30deg"

_UNITS = {
    "deg": ("turns", math.pi / 180.0),
    "rad": ("turns", 1.0),
    "mm": ("slides", 0.001),
    "m": ("slides", 1.0),
}
# A limit that was written in degrees is not exceeded by its own last bit.
_ROUNDING = 1e-9


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_model(parser)
    parser.add_argument(
        "--set",
        metavar="JOINT=VALUE",
        action="append",
        type=pair,
        default=[],
        help="where a joint is, as 0.5, 30deg or 20mm; may be given several times",
    )
    parser.add_argument(
        "--degrees", action="store_true", help="read plain numbers of turning joints as degrees"
    )
    parser.add_argument("--pose", metavar="NAME", help="start from this named configuration")


def run(options: argparse.Namespace) -> int:
    """Print the poses of all links; the exit code."""
    from unibody.mechanism import AssembleError, assemble
    from unibody.text.finding import Findings

    reading = read_model(options)
    if reading.robot is None:
        return finish(reading, options, found=False)
    said = Findings()
    try:
        mechanism = assemble(reading.robot)
        q = mechanism.follow(_positions(mechanism, options, said))
    except AssembleError as error:
        said.error("cannot-assemble", f"the poses cannot be computed: {error}")
        reading.findings.extend(said)
        return finish(reading, options)
    except UsageError:
        report(reading.findings, options.all_findings)
        raise
    _check_limits(mechanism, q, said)
    reading.findings.extend(said)
    if options.json:
        emit_data(_content(mechanism, q))
    else:
        emit(_text(mechanism, q, window()))
    return finish(reading, options)


def _positions(mechanism: Mechanism, options: argparse.Namespace, said: Findings) -> Any:
    """q as the options put it; UsageError when they name what is not there."""
    robot = mechanism.robot
    wanted: dict[str, Any] = dict(_configuration(robot, options.pose)) if options.pose else {}
    joints = {joint.name: joint for joint in robot.joints}
    followed = {coupling.joint: coupling.leader for coupling in mechanism.couplings}
    for name, text in options.set:
        values = [_value(name, joints.get(name), word, options.degrees) for word in text.split(",")]
        _check_numbers(mechanism, name, values)
        wanted[name] = values[0] if len(values) == 1 else values
        if name in followed:
            message = f"joint '{name}' follows '{followed[name]}': what --set gives it is not used"
            said.warning("joint-follows", message, None, f"set '{followed[name]}'")
    try:
        return mechanism.positions(wanted)
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None


def _check_numbers(mechanism: Mechanism, name: str, values: list[float]) -> None:
    """UsageError unless a joint, or the free base, is given as many numbers as it has, and a turn."""
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
        raise UsageError(f"--set {name}: the quaternion is zero, which is no turn; 1,0,0,0 is none at all")


def _configuration(robot: Robot, name: str) -> tuple[tuple[str, float], ...]:
    for configuration in robot.configurations:
        if configuration.name == name:
            return configuration.positions
    known = ", ".join(c.name for c in robot.configurations)
    raise UsageError(
        f"no configuration '{name}'; " + (f"there is {known}" if known else "the model has none")
    )


def _value(name: str, joint: Joint | None, text: str, degrees: bool) -> float:
    """One number of --set in radians or metres."""
    from unibody.cli.words import turns
    from unibody.model.robot import JOINT_SIZE
    from unibody.text.number import parse_float

    single = joint is not None and JOINT_SIZE[joint.kind] == 1
    text = text.strip()
    for unit, (motion, factor) in _UNITS.items():
        if not text.endswith(unit):
            continue
        value = parse_float(text[: -len(unit)])
        if value is None or math.isinf(value):
            break
        if joint is not None and single and (motion == "turns") != turns(joint):
            raise UsageError(
                f"joint '{name}' {'turns' if turns(joint) else 'slides'}: '{text}' is not for it"
            )
        return value * factor
    value = parse_float(text)
    if value is None or math.isinf(value):
        raise UsageError(f"--set {name}: '{text}' is not a number, or one with deg, rad, mm or m behind it")
    return math.radians(value) if degrees and joint is not None and single and turns(joint) else value


def _check_limits(mechanism: Mechanism, q: Any, said: Findings) -> None:
    """A warning for each joint that stands outside its limits."""
    from unibody.cli.output import glyphs
    from unibody.cli.words import number, q_places, scaled, unit_of

    signs = glyphs(sys.stderr)
    robot = mechanism.robot
    for joint, (at, size) in zip(robot.joints, q_places(robot), strict=True):
        low, high = joint.limits.position
        value = float(q[at]) if size == 1 else 0.0
        slack = _ROUNDING * (1.0 + abs(value))
        # Limits the wrong way round have a finding of their own.
        if size != 1 or low > high or low - slack <= value <= high + slack:
            continue
        which, limit = ("upper", high) if value > high else ("lower", low)
        unit = unit_of(joint, signs)
        said.warning(
            "limit-exceeded",
            f"joint '{joint.name}' is at {number(scaled(joint, value))}{unit}, "
            f"beyond its {which} limit {number(scaled(joint, limit))}{unit}",
        )


def _poses(mechanism: Mechanism, q: Any) -> list[tuple[str, Pose]]:
    from unibody.check.loops import pose_of

    matrices = mechanism.forward(q).tolist()
    return [(name, pose_of(m)) for name, m in zip(mechanism.link_names, matrices, strict=True)]


def _content(mechanism: Mechanism, q: Any) -> dict[str, Any]:
    from unibody.cli.words import q_places

    robot = mechanism.robot
    values = q.tolist()
    named: dict[str, Any] = {robot.root: values[:7]} if robot.base == "free" else {}
    for joint, (at, size) in zip(robot.joints, q_places(robot), strict=True):
        if size:
            named[joint.name] = values[at] if size == 1 else values[at : at + size]
    links = {
        name: {"xyz": pose.xyz, "quat": pose.quat, "matrix": pose.matrix()}
        for name, pose in _poses(mechanism, q)
    }
    return {"links": links, "q": named}


def _text(mechanism: Mechanism, q: Any, shown: Window) -> list[str]:
    from unibody.cli.sections import TURN, VECTOR
    from unibody.cli.table import Column, fits, table, wrapped
    from unibody.cli.words import fixed, position_words, turn_words

    quaternion = [Column(letter, "point", gap=2 + (letter == "w"), drop=1) for letter in "wxyz"]
    columns = [Column("link"), *VECTOR, *TURN, *quaternion]
    rows = [
        [name, *position_words(pose), *turn_words(pose), *(fixed(v, 5) for v in pose.quat)]
        for name, pose in _poses(mechanism, q)
    ]
    whole = fits(columns, rows, shown.width)
    also = "quaternion w x y z" if whole else "quaternions in a wider window or with --json"
    title = f"Poses of the links in the world: x y z in m, roll pitch yaw in degrees, {also}"
    return [*wrapped(title.split(), shown.text_width, 0, " "), *table(columns, rows, shown.width)]
