"""Gives general actuators the element that means the same: MuJoCo saves every actuator as a general one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unibody.document.declare import FILLED, plan
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.defaults import remains_of_class
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

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
