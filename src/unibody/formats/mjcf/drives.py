"""Reads gears and limits of joints from actuators, and checks the controls of keyframes.

MuJoCo saves every actuator as a general one: such an actuator is given the element that means the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import FILLED, Document, plan
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.conventions import Settings
from unibody.formats.mjcf.defaults import remains_of_class
from unibody.formats.mjcf.joints import is_limited
from unibody.formats.mjcf.links import Assembly
from unibody.model.joint_kind import KINDS
from unibody.model.robot import UNBOUNDED, Joint, Limits, Range
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

# Controls beyond their range by less are rounded (of the largest number of the range).
_ROUNDING = 1e-6


def with_drives(joints: list[Joint], docs: Sequence[d.Mujoco], parts: Assembly) -> list[Joint]:
    """The joints with the limits and armature of the actuators that drive them, and the gear of a motor."""
    drives: dict[str, list[a.GearedDrive]] = {}
    for item in actuators(docs):
        if name := driven_joint(item):
            drives.setdefault(name, []).append(item)  # type: ignore[arg-type]
    settings = parts.bodies[0].scope.settings
    out = []
    for joint in joints:
        own, made = drives.get(joint.name, []), joint
        if own and KINDS[joint.kind].nq == 1:
            effort, velocity = drive_limits(own, joint.limits.effort, settings)
            limits = Limits(
                position=joint.limits.position, velocity=velocity, effort=effort, at=joint.limits.at
            )
            motors = [x for x in own if isinstance(x, a.Motor)]
            if len(motors) == 1:
                made = replace(made, actuator=replace(joint.actuator, gear_ratio=_gear(motors[0])))
            if inertia := reflected(own):
                total = joint.actuator.reflected_inertia + inertia
                made = replace(made, actuator=replace(made.actuator, axis_inertia=total))
            made = replace(made, limits=limits)
        out.append(made)
    return out


def driven_joint(actuator: Document) -> str | None:
    """The joint that an actuator drives, None if it pulls on a site or a tendon."""
    if not isinstance(actuator, a.GearedDrive) or actuator.tendon or actuator.slidersite:
        return None
    return None if getattr(actuator, "site", None) else actuator.joint or actuator.jointinparent


def drive_limits(drives: Sequence[a.GearedDrive], effort: Range, settings: Settings) -> tuple[Range, Range]:
    """The limits of effort and velocity of a joint with the limits of its actuators.

    The efforts of several actuators add up; ``effort`` limits their sum. A limited control of a velocity
    servo limits the velocity.
    """
    low, high = 0.0, 0.0
    velocity = UNBOUNDED
    for drive in drives:
        least, most = _effort(drive, settings)
        low, high = low + least, high + most
        velocity = _narrowed(velocity, _velocity(drive, settings))
    return _narrowed(effort, (low, high)), velocity


def _effort(drive: a.GearedDrive, settings: Settings) -> Range:
    out = UNBOUNDED
    gain = 1.0 if isinstance(drive, a.Motor) else _gain(drive)
    ranges = [(getattr(drive, "forcelimited", "auto"), getattr(drive, "forcerange", None), 1.0)]
    if gain is not None:
        ranges.append((getattr(drive, "ctrllimited", "auto"), drive.ctrlrange, gain))
    for limited, limits, unit in ranges:
        if limits is not None and is_limited(limited, limits, settings):
            factor = unit * _gear(drive)
            low, high = sorted((factor * limits[0], factor * limits[1]))
            out = _narrowed(out, (low, high))
    return out


def _gain(drive: a.GearedDrive) -> float | None:
    """The force for a control of 1, None if the force depends on more than the control."""
    if not isinstance(drive, a.General) or drive.dyntype != "none":
        return None
    is_force = drive.gaintype == "fixed" and drive.biastype == "none"
    return drive.gainprm[0] if is_force and drive.gainprm else None


def _velocity(drive: a.GearedDrive, settings: Settings) -> Range:
    limits = drive.ctrlrange
    if not isinstance(drive, a.Velocity | a.IntVelocity) or limits is None:
        return UNBOUNDED
    gear = _gear(drive)
    if not gear or not is_limited(drive.ctrllimited, limits, settings):
        return UNBOUNDED
    low, high = sorted((limits[0] / gear, limits[1] / gear))
    return low, high


def reflected(drives: Iterable[a.GearedDrive]) -> float:
    """The inertia of actuators at their joint: their armature times the squares of their gears."""
    return float(sum((x.armature or 0.0) * _gear(x) ** 2 for x in drives))


def _gear(drive: a.GearedDrive) -> float:
    return drive.gear[0] if drive.gear else 1.0


def _narrowed(first: Range, second: Range) -> Range:
    return (max(first[0], second[0]), min(first[1], second[1]))


def actuators(docs: Sequence[d.Mujoco]) -> list[Document]:
    """All actuators, in order."""
    sections = (section for doc in docs for section in doc.items if isinstance(section, d.Actuators))
    return [item for section in sections for item in section.items]


# --- controls and activations, which are values of keyframes ------------------------------------


def total(actuators: Iterable[Document], count: Callable[[Document], int | None]) -> int | None:
    """The sum of the counts of actuators; None if it is not known of one."""
    out = 0
    for actuator in actuators:
        found = count(actuator)
        if found is None:
            return None
        out += found
    return out


def controls(actuator: Document) -> int | None:
    """How many controls an actuator has; those of servos with several depend on what they are given."""
    if isinstance(actuator, a.Pid | a.Orientation | a.DcMotor | a.ActuatorPlugin):
        return None
    if isinstance(actuator, a.General):
        is_one = actuator.gaintype in ("fixed", "affine", "muscle") and not _has_class(actuator)
        return 1 if is_one and actuator.input is None else None
    return 1


def activations(actuator: Document) -> int | None:
    """How many activations an actuator has; None if that depends on what is not known of it."""
    match actuator:
        case a.Motor() | a.Velocity() | a.Damper() | a.Adhesion():
            return 0
        case a.Muscle() | a.IntVelocity() | a.Cylinder():
            return 1
        case a.General() | a.Position() if _has_class(actuator):
            return None
        case a.Position():
            return 1 if actuator.timeconst else 0
        case a.General() if actuator.dyntype == "none":
            return 0
        case a.General() if actuator.actdim >= 0:
            return actuator.actdim
        case a.General() if actuator.dyntype in ("integrator", "filter", "filterexact", "muscle"):
            return 1
    return None


def _has_class(actuator: Document) -> bool:
    """Whether the class of an actuator says more than its values."""
    return actuator.node is not None and remains_of_class(actuator.node)


def check_controls(doc: d.Mujoco, docs: Sequence[d.Mujoco], parts: Assembly, context: Context) -> None:
    """Report controls of keyframes that are outside of the range of their actuator."""
    driving = actuators(docs)
    keys = [key for section in doc.items if isinstance(section, d.Keyframes) for key in section.keys]
    if not keys or total(driving, controls) != len(driving):
        return
    settings = parts.bodies[0].scope.settings
    ranges = _joint_ranges(parts)
    for key in keys:
        if key.ctrl is None or len(key.ctrl) != len(driving):
            continue
        for actuator, value in zip(driving, key.ctrl, strict=True):
            found = _control_range(actuator, ranges, settings)
            if found is None:
                continue
            low, high = found
            slack = _ROUNDING * max(abs(low), abs(high))
            if not low - slack <= value <= high + slack:
                name = getattr(actuator, "name", None) or driven_joint(actuator) or ""
                context.findings.warning(
                    "control-limits",
                    f"key '{key.name or ''}': the control {value:g} of actuator '{name}' is outside its "
                    f"range, {low:g} to {high:g}; MuJoCo uses {min(max(value, low), high):g}",
                    key.at("ctrl"),
                    "write a control within the range, or correct ctrlrange",
                    # one finding for each actuator of a key
                    subject=path_of("configurations", key.name or "", "controls", name),
                )


def _joint_ranges(parts: Assembly) -> Mapping[str, Range]:
    """The ranges of the joints as MuJoCo counts positions."""
    joints = (joint for own in parts.joints for joint in own)
    return {j.name: (j.limits.position[0] + j.ref, j.limits.position[1] + j.ref) for j in joints}


def _control_range(actuator: Document, ranges: Mapping[str, Range], settings: Settings) -> Range | None:
    """The range of the control of an actuator, None if it is not limited."""
    limited, limits = getattr(actuator, "ctrllimited", "auto"), getattr(actuator, "ctrlrange", None)
    share = getattr(actuator, "inheritrange", None)
    if limits is None and share and isinstance(actuator, a.Position | a.General) and limited != "false":
        low, high = ranges.get(driven_joint(actuator) or "", UNBOUNDED)
        if not math.isfinite(high - low):
            return None
        middle, half = (low + high) / 2.0, (high - low) / 2.0 * share
        return middle - half, middle + half
    if limits is not None and is_limited(limited, limits, settings):
        return limits[0], limits[1]
    return None


# --- the kinds of general actuators -------------------------------------------------------

# What the element of a kind states by itself, as words of a general actuator.
_STATED = ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm", "input")
# Words of a general actuator that have no effect.
_WITHOUT_EFFECT = frozenset(
    (("actdim", "-1"), ("actearly", "false"), ("actlimited", "auto"), ("ctrllimited", "auto"))
)
_KINDS = {
    cls.KEY: cls
    for cls in (
        a.Motor, a.Position, a.Velocity, a.IntVelocity, a.Damper, a.Cylinder, a.Muscle, a.Adhesion,
        a.Orientation,
    )
}  # fmt: skip
# The gains of a muscle behind its range, with their defaults.
_MUSCLE = {
    "force": -1.0, "scale": 200.0, "lmin": 0.5, "lmax": 1.6, "vmax": 1.5, "fpmax": 1.3, "fvmax": 1.2,
}  # fmt: skip
_Value = float | tuple[float, ...] | str


def name_kinds(root: Node) -> None:
    """Replace the general actuators of a tree with resolved classes that are of another kind, in place.

    An actuator that remains of its class, and what no other element can say, stays as it is.
    """
    for key, section, _ in root.items:
        if key != a.Actuators.KEY or not isinstance(section, Node):
            continue
        section.items = [
            (made.tag, made, start)
            if isinstance(value, Node) and (made := _of_kind(value)) is not None
            else (word, value, start)
            for word, value, start in section.items
        ]


@dataclass(frozen=True, slots=True)
class _Law:
    """Gain, bias and dynamics of an actuator: types, and numbers without the zeros behind them."""

    gain: str
    bias: str
    dynamics: str
    input: str
    gains: tuple[float, ...]
    biases: tuple[float, ...]
    rates: tuple[float, ...]

    @property
    def types(self) -> tuple[str, str, str, str]:
        return self.gain, self.bias, self.dynamics, self.input


def _law(node: Node) -> _Law | None:
    """The law of a general actuator; None if its numbers cannot be read."""
    try:
        gains, biases, rates = (
            _numbers(node.word(key), blank)
            for key, blank in (("gainprm", (1.0,)), ("biasprm", ()), ("dynprm", (1.0,)))
        )
    except ValueError:
        return None
    words = (node.word(key) for key in ("gaintype", "biastype", "dyntype", "input"))
    gain, bias, dynamics, control = (word or "" for word in words)
    return _Law(gain or "fixed", bias or "none", dynamics or "none", control, gains, biases, rates)


def _numbers(text: str | None, blank: Sequence[float]) -> tuple[float, ...]:
    found = list(blank) if text is None else [float(word) for word in text.split()]
    while found and found[-1] == 0.0:
        found.pop()
    return tuple(found)


def _of_kind(node: Node) -> Node | None:
    """The element that says the same as a general actuator in the words of its kind; None without one."""
    if node.tag != a.General.KEY or remains_of_class(node):
        return None
    law = _law(node)
    found = None if law is None else _kind(law, node)
    if found is None:
        return None
    kind, values = found
    keys = plan(_KINDS[kind]).keys
    rest = [x for x in node.items if x[0] not in _STATED and (x[0], node.word(x[0])) not in _WITHOUT_EFFECT]
    if kind in (a.Damper.KEY, a.Adhesion.KEY):
        # both are always limited
        rest = [x for x in rest if (x[0], node.word(x[0])) != ("ctrllimited", "true")]
    if any(key not in keys for key, _, _ in rest):
        return None
    start = next((start for key, _, start in node.items if key in _STATED and start != FILLED), FILLED)
    items: list[Item] = [(key, _word(value), start) for key, value in values.items()]
    return Node(kind, [*rest, *items], node.source, node.start, node.end)


def _word(value: _Value) -> Word:
    if isinstance(value, str):
        return Word(value)
    return Word(" ".join(map(format_float, (value,) if isinstance(value, float) else value)))


def _kind(law: _Law, node: Node) -> tuple[str, Mapping[str, _Value]] | None:
    """The kind of actuator that has a law, and its values that are not its defaults."""
    still = law.rates == (1.0,)
    kp = law.gains[0] if len(law.gains) == 1 else 0.0 if not law.gains else None
    match law.types:
        case ("fixed", "none", "none", "") if still and not law.biases:
            if law.gains == (1.0,) and node.word("body") is None:
                return a.Motor.KEY, {}
            if node.word("body") is not None and kp is not None:
                return a.Adhesion.KEY, _changed("gain", kp, 1.0)
        case ("fixed", "affine", "none", "vel") if still and kp is not None:
            if law.biases == _numbers(None, (0.0, 0.0, -kp)):
                return a.Velocity.KEY, _changed("kv", kp, 1.0)
        case ("fixed", "affine", "none" | "filterexact", "pos") if kp is not None and len(law.rates) < 2:
            damping = _damping(law, kp)
            # without a rate there are no dynamics
            if damping is not None and (law.dynamics == "none") == (still or not law.rates):
                rate: dict[str, _Value] = {} if still else {"timeconst": law.rates[0] if law.rates else 0.0}
                return a.Position.KEY, _changed("kp", kp, 1.0) | damping | rate
        case ("fixed", "affine", "integrator", "vel") if still and kp is not None:
            damping = _damping(law, kp)
            if damping is not None:
                return a.IntVelocity.KEY, _changed("kp", kp, 1.0) | damping
        case ("affine", "none", "none", "") if still and not law.biases:
            if not any(law.gains[:2]) and len(law.gains) < 4 and node.word("ctrllimited") == "true":
                return a.Damper.KEY, _changed("kv", -law.gains[2] if law.gains else 0.0, 0.0)
        case ("fixed", "affine", "filter", "pressure") if kp is not None and len(law.rates) < 2:
            if len(law.biases) < 4:
                bias = {"bias": (*law.biases, 0.0, 0.0)[:3]} if law.biases else {}
                rate = _changed("timeconst", law.rates[0] if law.rates else 0.0, 1.0)
                return a.Cylinder.KEY, _changed("area", kp, 1.0) | rate | bias
        case ("muscle", "muscle", "muscle", "") if law.gains == law.biases and len(law.gains) == 9:
            if len(law.rates) < 4:
                rates = (*law.rates, 0.0, 0.0, 0.0)
                out: dict[str, _Value] = _changed("timeconst", rates[:2], (0.01, 0.04)) | _changed(
                    "tausmooth", rates[2], 0.0
                )
                out |= _changed("range", law.gains[:2], (0.75, 1.05))
                for (name, default), value in zip(_MUSCLE.items(), law.gains[2:], strict=True):
                    out |= _changed(name, value, default)
                return a.Muscle.KEY, out
        case ("so3", "so3", "none", "" | "expmap" | "quat") if still and kp is not None:
            damping = _damping(law, kp)
            if damping is not None:
                chart = {"input": law.input} if law.input == "quat" else {}
                return a.Orientation.KEY, _changed("kp", kp, 1.0) | damping | chart
    return None


def _changed(name: str, value: _Value, default: _Value) -> dict[str, _Value]:
    return {name: value} if value != default else {}


def _damping(law: _Law, kp: float) -> dict[str, _Value] | None:
    """The damping of a servo with a gain; None if its bias is another one."""
    zero, back, rate = (*law.biases, 0.0, 0.0, 0.0)[:3]
    if zero or back != -kp or len(law.biases) > 3:
        return None
    if rate > 0.0:
        return {"dampratio": rate}
    return {"kv": -rate} if rate else {}
