"""Short texts for numbers, poses, joints, loops and devices in the output of the command line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from unibody.cli.output import Glyphs
from unibody.model.device import (
    Camera,
    ContactSwitch,
    Device,
    DirectionalLight,
    Opaque,
    PointLight,
    RangeSensor,
    Spec,
    SpotLight,
    quantities,
)
from unibody.model.joint_kind import KINDS
from unibody.model.metadata import units
from unibody.model.pose import Pose
from unibody.model.robot import (
    BALL,
    FIXED,
    HINGE,
    PISTON,
    XY,
    Coordinate,
    Holds,
    Joint,
    Limits,
    Range,
    Robot,
    Z,
)
from unibody.text.node import Word

_NEAR = 1e-9
_LOOPS: dict[Holds, str] = {
    BALL: "ball",
    HINGE: "hinge",
    FIXED: "fixed",
    PISTON: "piston",
    XY: "xy",
    Z: "z",
    Holds(axial=False, radial=True, twist=True, swing=True): "slider",
    Holds(axial=True, radial=False, swing=True): "planar",
}


def number(value: float, digits: int = 6) -> str:
    """Format a number with ``digits`` significant digits and without "-0".

    >>> number(0.1 + 0.2), number(-0.0), number(math.inf)
    ('0.3', '0', 'inf')
    """
    text = f"{value:.{digits}g}"
    return "0" if text == "-0" else text


def fixed(value: float, places: int) -> str:
    """Format a number rounded to ``places`` decimal places, without trailing zeros.

    >>> fixed(0.25000001, 5), fixed(-1e-9, 5), fixed(math.nan, 5)
    ('0.25', '0', 'nan')
    """
    if not math.isfinite(value):
        return number(value)
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def turns(joint: Joint) -> bool:
    """Whether the joint has one position, and it is an angle."""
    return KINDS[joint.kind].q_units == ("rad",)


def scaled(joint: Joint, value: float) -> float:
    """Convert a position or one of its rates to degrees if the joint turns; meters stay meters."""
    return math.degrees(value) if turns(joint) else value


def unit_of(joint: Joint, glyphs: Glyphs) -> str:
    """The unit to append to a joint's position: degrees or meters; "" for joints of several numbers."""
    if KINDS[joint.kind].nq != 1:
        return ""
    return glyphs.degree if turns(joint) else " m"


def effort_unit(joint: Joint, glyphs: Glyphs) -> str:
    """The unit of a joint's effort."""
    return _spelled(units(Limits, turns=not KINDS[joint.kind].slides)["effort"], glyphs)


def _spelled(unit: str, glyphs: Glyphs) -> str:
    """A unit in characters that the output can show."""
    return unit.replace("·", glyphs.dot).replace("²", glyphs.squared).replace("³", glyphs.cubed)


def axis_word(axis: Sequence[float]) -> str:
    """Format an axis in short form: +X, -Z, or its three numbers.

    >>> axis_word((0.0, -1.0, 0.0)), axis_word((0.6, 0.0, 0.8))
    ('-Y', '(0.6 0 0.8)')
    """
    for i, letter in enumerate("XYZ"):
        if abs(abs(axis[i]) - 1.0) < _NEAR:
            return ("-" if axis[i] < 0 else "+") + letter
    return f"({' '.join(number(v, 4) for v in axis)})"


def has_axis(joint: Joint) -> bool:
    """Whether the joint moves along or about an axis."""
    return KINDS[joint.kind].axes > 0


def bounds(limits: Range, factor: float, glyphs: Glyphs) -> str:
    """Format a range: its magnitude if it is symmetric, else both ends; "" if it is unlimited.

    >>> bounds((-2.0, 2.0), 1.0, Glyphs()), bounds((-1.0, 2.0), 1.0, Glyphs())
    ('2', '-1 … 2')
    """
    low, high = limits
    if math.isinf(low) and math.isinf(high):
        return ""
    if low == -high:
        return number(high * factor)
    return f"{number(low * factor)} {glyphs.to} {number(high * factor)}"


def rate_limit(joint: Joint, name: str, glyphs: Glyphs) -> str:
    """A limit of a rate of the joint's position with its unit; "" if it is unlimited.

    >>> limits = Limits(jerk=(-math.pi, math.pi))
    >>> joint = Joint(name="j", kind="revolute", parent="a", child="b", limits=limits)
    >>> rate_limit(joint, "jerk", Glyphs()), rate_limit(joint, "velocity", Glyphs())
    ('180°/s³', '')
    """
    unit = unit_of(joint, glyphs)
    text = bounds(getattr(joint.limits, name), scaled(joint, 1.0), glyphs) if unit else ""
    per = units(Limits)[name].partition(" ")[0].partition("/")[2]
    return f"{text}{unit}/{_spelled(per, glyphs)}" if text else ""


def loop_word(holds: Holds) -> str:
    """The kind of joint that closes a loop, or the motions that the loop forbids."""
    return _LOOPS[holds] if holds in _LOOPS else f"holds {', '.join(holds.forbidden) or 'nothing'}"


def coordinate_data(coordinate: Coordinate) -> dict[str, Any]:
    """A coordinate as plain data, positions in rad or m."""
    return {
        "index": coordinate.index,
        "drives": [{"joint": d.joint, "at_zero": d.at_zero, "at_one": d.at_one} for d in coordinate.drives],
        **{
            name: getattr(coordinate, name) for name in ("default", "weight", "cyclic", "passive", "frozen")
        },
    }


def q_places(robot: Robot) -> list[tuple[int, int]]:
    """Start index in q and size of each joint.

    >>> neck = Joint(name="neck", kind="ball", parent="body", child="head")
    >>> q_places(Robot(name="a", joints=(neck,), base="free"))
    [(7, 4)]
    """
    at = 7 if robot.base == "free" else 0
    out = []
    for joint in robot.joints:
        size = KINDS[joint.kind].nq
        out.append((at, size))
        at += size
    return out


def root_name(robot: Robot) -> str | None:
    """Name of the root link; None if every link is the child of a joint."""
    try:
        return robot.root
    except KeyError:
        return None


def position_words(pose: Pose) -> list[str]:
    """x, y and z in meters."""
    return [fixed(v, 5) for v in pose.xyz]


def rotation_words(pose: Pose) -> list[str]:
    """Roll, pitch and yaw in degrees."""
    return [fixed(math.degrees(v), 3) for v in pose.rpy()]


def pose_words(pose: Pose, glyphs: Glyphs) -> list[str]:
    """Describe a pose: "at 0 0 1 m", "turned 90 0 0° (roll pitch yaw)"; parts that are zero are omitted.

    >>> pose_words(Pose((0.0, 0.0, 1.0)), Glyphs())
    ['at 0 0 1 m']
    """
    at, turn = " ".join(position_words(pose)), " ".join(rotation_words(pose))
    return [
        *([f"at {at} m"] if at != "0 0 0" else []),
        *([f"turned {turn}{glyphs.degree} (roll pitch yaw)"] if turn != "0 0 0" else []),
    ]


def device_words(device: Device, glyphs: Glyphs) -> list[str]:
    """Describe the main parameters of a device; unlimited and default ones are omitted."""
    spec = device.spec
    words = [] if device.on else ["off"]
    match spec:
        case Camera():
            words += _camera(spec, glyphs)
        case ContactSwitch():
            words += [f"above {number(spec.threshold)} N"] if spec.threshold else []
        case RangeSensor():
            words += _range_sensor(spec, glyphs)
        case Opaque():
            words += [f"{k} {v.text}" for k, v, _ in spec.data.items if isinstance(v, Word) and k][:6]
        case PointLight() | SpotLight() | DirectionalLight():
            words += _light(spec, glyphs)
        case _:
            words += _largest_readings(spec, glyphs)
    return words


def _largest_readings(spec: Spec, glyphs: Glyphs) -> list[str]:
    words, largest = [], {each.largest for each in quantities(spec)}
    for name, unit in units(type(spec)).items():
        limits = getattr(spec, name) if name in largest else ()
        if not all(map(math.isinf, limits)):
            values = limits[:1] if len(set(limits)) == 1 else limits
            words.append(f"up to {' '.join(map(number, values))} {_spelled(unit, glyphs)}")
    return words


def _angle(value: float, glyphs: Glyphs) -> str:
    return number(math.degrees(value)) + glyphs.degree


def _camera(spec: Camera, glyphs: Glyphs) -> list[str]:
    words = [spec.image.replace("_", " ")]
    if spec.lens != "normal":
        words.append(f"{spec.lens.replace('_', ' ')} lens")
    if spec.orthographic_span is None:
        view = f"field of view {_angle(spec.field_of_view, glyphs)}"
    else:
        view = f"orthographic, {number(spec.orthographic_span)} m"
    if spec.focal_ratio != 1.0:
        view += f", focal ratio {number(spec.focal_ratio)}"
    if any(spec.principal_offset):
        view += f", axis off by {' '.join(map(number, spec.principal_offset))} px"
    words += [
        f"{spec.width}{glyphs.times}{spec.height}",
        view,
        f"{number(spec.near)} {glyphs.to} {number(spec.far)} m",
        f"{number(spec.frame_rate)} Hz",
    ]
    if spec.min_distance is not None and spec.max_distance is not None:
        words.append(f"depth {number(spec.min_distance)} {glyphs.to} {number(spec.max_distance)} m")
    return words


def _sweep(name: str, low: float, high: float, step: float, glyphs: Glyphs) -> list[str]:
    if low == high == 0.0:
        return []
    ends = f"{number(math.degrees(low))} {glyphs.to} {_angle(high, glyphs)}"
    return [f"{name} {ends} by {_angle(step, glyphs)}"]


def _range_sensor(spec: RangeSensor, glyphs: Glyphs) -> list[str]:
    return [
        *_sweep("yaw", spec.min_yaw, spec.max_yaw, spec.yaw_step, glyphs),
        *_sweep("pitch", spec.min_pitch, spec.max_pitch, spec.pitch_step, glyphs),
        f"{number(spec.min_distance)} {glyphs.to} {number(spec.max_distance)} m",
        f"{number(spec.scan_rate)} Hz",
    ]


def _light(spec: Any, glyphs: Glyphs) -> list[str]:
    """Describe the fields of a light that differ from a plain white light."""
    words = []
    own = units(type(spec))
    for f in fields(spec):
        value = getattr(spec, f.name)
        if value == f.default:
            continue
        name = f.name.replace("_", " ")
        if own.get(f.name) == "rad":
            words.append(f"{name} {_angle(value, glyphs)}")
        else:
            values = value if isinstance(value, tuple) else (value,)
            words.append(f"{name} {' '.join(number(v) for v in values)}")
    return words


def arguments_text(arguments: Mapping[str, str | None]) -> str:
    """The arguments that a model declares, with their defaults.

    >>> arguments_text({"side": "left", "prefix": "", "name": None})
    "side=left, prefix='', name (no default)"
    """
    return ", ".join(
        f"{name} (no default)" if default is None else f"{name}={_argument(default)}"
        for name, default in arguments.items()
    )


def _argument(text: str) -> str:
    return text if text and not any(c.isspace() or c in ",'" for c in text) else repr(text)
