"""Where an engine has the numbers of the joints of a robot: tables, arrays, Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unibody.model.arrays import Floats, Indices
from unibody.model.base import Base


class JointMapError(ValueError):
    """There is no map; the text says why. ``missing`` tells that no interpreter has the engine."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedActuator:
    """The actuator of a joint: its number is ``scale`` times that of the joint plus ``zero``.

    Its rate is ``scale`` times that of the joint, its effort that of the joint divided by ``scale``.
    """

    name: str
    scale: float = 1.0
    zero: float = 0.0

    def json(self) -> dict[str, Any]:
        """The actuator as plain JSON data."""
        return {"name": self.name, "scale": self.scale, "zero": self.zero}

    def __str__(self) -> str:
        shift = f" {'-' if self.zero < 0.0 else '+'} {abs(self.zero):.6g}" if self.zero else ""
        return f"{self.name} = {self.scale:.6g} q{shift}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedJoint:
    """Where the numbers of a joint are: ``q`` and ``v`` here, ``engine_q`` and ``engine_v`` there.

    ``joint`` is "" for a free base, ``name`` that of the engine. The engine's number is ``scale`` times
    ours plus ``zero``, in ``unit``; a unit of "cos, sin" has two numbers for one angle. ``engine_q`` is
    empty if the engine has no such numbers, and ``reason`` says why; ``verified`` tells that the joint,
    moved alone in the engine, moved its link as here and no other joint. ``commands`` and ``states`` are
    the interfaces by which ros2_control has the joint, ``actuator`` is what drives it there.
    """

    joint: str
    kind: str
    q: tuple[int, ...]
    v: tuple[int, ...]
    name: str = ""
    engine_q: tuple[int, ...] = ()
    engine_v: tuple[int, ...] = ()
    scale: float = 1.0
    zero: float = 0.0
    unit: str = ""
    verified: bool = False
    reason: str = ""
    commands: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    actuator: MappedActuator | None = None

    @property
    def remarks(self) -> str:
        """Why it has no numbers, its interfaces, its actuator."""
        words = [self.reason] if self.reason else []
        words += [f"command {', '.join(self.commands)}"] if self.commands else []
        words += [f"state {', '.join(self.states)}"] if self.states else []
        return "; ".join([*words, *([str(self.actuator)] if self.actuator else [])])

    @property
    def sign(self) -> int:
        """1, or -1 if the engine's number falls where ours rises."""
        return -1 if self.scale < 0.0 else 1

    def json(self) -> dict[str, Any]:
        """The joint as plain JSON data."""
        return {
            "joint": self.joint,
            "name": self.name,
            "kind": self.kind,
            "q": list(self.q),
            "v": list(self.v),
            "engine_q": list(self.engine_q),
            "engine_v": list(self.engine_v),
            "sign": self.sign,
            "scale": self.scale,
            "zero": self.zero,
            "unit": self.unit,
            "verified": self.verified,
            "reason": self.reason,
            "commands": list(self.commands),
            "states": list(self.states),
            "actuator": None if self.actuator is None else self.actuator.json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permutation:
    """Numbers taken from others: number i is ``scale[i] * numbers[order[i]] + offset[i]``.

    A number that is taken from none has the scale 0.
    """

    order: Indices
    scale: Floats
    offset: Floats

    def __call__(self, numbers: Floats) -> Floats:
        """The numbers (..., n) taken from others (..., m)."""
        if not numbers.shape[-1]:
            return np.broadcast_to(self.offset, (*numbers.shape[:-1], len(self.offset))).copy()
        return np.asarray(self.scale * numbers[..., self.order] + self.offset)

    def json(self) -> dict[str, Any]:
        """The arrays as plain JSON data."""
        return {
            "order": self.order.tolist(),
            "scale": self.scale.tolist(),
            "offset": self.offset.tolist(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class JointMap:
    """Where an engine has the numbers of the joints of a robot; the result of ``unibody.joint_map``.

    ``start`` is q with all joints at zero, ``engine_start`` the engine's. ``positions`` and ``rotations``
    are the largest deviations of poses of links, in m and rad, with q of the engine and with q that is
    made of it; ``holds`` tells that all joints are verified, and that these poses agree. ``stated`` are the
    words for the rules by which the map was made, if no engine was asked: nothing is verified then, and the
    deviations are NaN.
    """

    robot: str
    engine: str
    title: str
    base: Base
    joints: tuple[MappedJoint, ...]
    start: Floats
    engine_start: Floats
    positions: float = 0.0
    rotations: float = 0.0
    holds: bool = False
    stated: str = ""
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """Whether the engine was asked, and whether it agrees."""
        if self.stated:
            return "stated, not verified in the engine"
        return "verified in the engine" if self.holds else "not verified in the engine"

    def to_engine(self, q: Any) -> Floats:
        """The engine's q (..., engine nq) of configurations (..., nq)."""
        out = self.permutation(np.asarray(q, np.float64))
        cosines, sines = self.turns
        out[..., cosines], out[..., sines] = np.cos(out[..., cosines]), np.sin(out[..., sines])
        return out

    def to_unibody(self, q: Any) -> Floats:
        """The configurations (..., nq) of the engine's q (..., engine nq); what it lacks is zero."""
        numbers = np.array(q, np.float64)
        cosines, sines = self.turns
        numbers[..., cosines] = np.arctan2(numbers[..., sines], numbers[..., cosines])
        return self.inverse(numbers)

    @cached_property
    def permutation(self) -> Permutation:
        """The engine's numbers from ours; a cosine and a sine both have the angle."""
        order = np.zeros(len(self.engine_start), np.intp)
        scale, offset = np.zeros(len(order)), self.engine_start.copy()
        for joint in self.joints:
            there = list(joint.engine_q)
            if there:
                order[there], scale[there], offset[there] = joint.q, joint.scale, joint.zero
        return Permutation(order=order, scale=scale, offset=offset)

    @cached_property
    def inverse(self) -> Permutation:
        """Our numbers from the engine's, where the angle stands for its cosine."""
        order = np.zeros(len(self.start), np.intp)
        scale, offset = np.zeros(len(order)), self.start.copy()
        for joint in self.joints:
            if joint.engine_q:
                here, there = list(joint.q), list(joint.engine_q[: len(joint.q)])
                order[here], scale[here], offset[here] = (
                    there,
                    1.0 / joint.scale,
                    0.0 - joint.zero / joint.scale,
                )
        return Permutation(order=order, scale=scale, offset=offset)

    @cached_property
    def turns(self) -> tuple[list[int], list[int]]:
        """The places of cosines and sines in the engine's q."""
        pairs = [joint.engine_q for joint in self.joints if len(joint.engine_q) > len(joint.q)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def json(self) -> dict[str, Any]:
        """The map as plain JSON data."""
        return {
            "robot": self.robot,
            "engine": self.engine,
            "title": self.title,
            "base": self.base,
            "nq": len(self.start),
            "engine_nq": len(self.engine_start),
            "status": self.status,
            "stated": self.stated,
            "holds": self.holds,
            "positions": self.positions if np.isfinite(self.positions) else None,
            "rotations": self.rotations if np.isfinite(self.rotations) else None,
            "joints": [joint.json() for joint in self.joints],
            "to_engine": self.permutation.json(),
            "to_unibody": self.inverse.json(),
            "cosines": self.turns[0],
            "sines": self.turns[1],
            "notes": list(self.notes),
        }

    def python(self) -> str:
        """Python that turns our q into the engine's and back; it needs only NumPy."""
        prefix = self.engine.upper()
        cosines, sines = self.turns
        lines = [
            f"# {self.robot}, {self.base} base: q of unibody and q of {self.title}",
            f"# {self.status}{': ' if self.stated else ''}{self.stated}",
            "import numpy as np",
            "",
        ]
        for name, made in ((prefix, self.permutation), (f"{prefix}_BACK", self.inverse)):
            lines.append(f"{name}_ORDER = np.array({made.order.tolist()}, int)")
            lines.append(f"{name}_SCALE = np.array({made.scale.tolist()}, float)")
            lines.append(f"{name}_OFFSET = np.array({made.offset.tolist()}, float)")
        lines += ["", "", f"def to_{self.engine}(q):", "    q = np.asarray(q)"]
        lines.append(f"    q = {prefix}_SCALE * q[..., {prefix}_ORDER] + {prefix}_OFFSET")
        if cosines:
            lines.append(f"    q[..., {cosines}] = np.cos(q[..., {cosines}])")
            lines.append(f"    q[..., {sines}] = np.sin(q[..., {sines}])")
        lines += ["    return q", "", "", f"def from_{self.engine}(q):", "    q = np.array(q, float)"]
        if cosines:
            lines.append(f"    q[..., {cosines}] = np.arctan2(q[..., {sines}], q[..., {cosines}])")
        lines.append(f"    return {prefix}_BACK_SCALE * q[..., {prefix}_BACK_ORDER] + {prefix}_BACK_OFFSET")
        lines += self._python_of_actuators()
        return "\n".join(lines) + "\n"

    def _python_of_actuators(self) -> Iterator[str]:
        """Python that turns our q into the numbers of actuators."""
        driven = [(each.engine_q[0], each.actuator) for each in self.joints if each.actuator]
        if not driven:
            return
        prefix = f"{self.engine.upper()}_ACTUATOR"
        yield from ("", "", f"{prefix}_NAMES = {[actuator.name for _, actuator in driven]}")
        yield f"{prefix}_ORDER = np.array({[at for at, _ in driven]}, int)"
        yield f"{prefix}_SCALE = np.array({[actuator.scale for _, actuator in driven]}, float)"
        yield f"{prefix}_OFFSET = np.array({[actuator.zero for _, actuator in driven]}, float)"
        yield from ("", "", f"def to_{self.engine}_actuators(q):")
        yield f"    q = to_{self.engine}(q)"
        yield f"    return {prefix}_SCALE * q[..., {prefix}_ORDER] + {prefix}_OFFSET"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The map in lines, its head first."""
        known = sum(joint.verified for joint in self.joints)
        words = (
            f"{self.status}: {self.stated}"
            if self.stated
            else f"{known} of {len(self.joints)} verified by moving each alone; "
            f"link poses apart by {self.positions:.2g} m and {self.rotations:.2g} rad"
        )
        out = [f"{self.title}, {self.base} base: {words}"]
        out += _aligned([_HEAD, *(_row(joint) for joint in self.joints)])
        return [*out, *(f"  note: {note}" for note in self.notes)]


_HEAD = ("joint", "q", "v", "in the engine", "q", "v", "sign", "zero", "unit", "")


def _row(joint: MappedJoint) -> tuple[str, ...]:
    """A row of the table."""
    name = joint.joint or "free base"
    here = (name, _numbers(joint.q), _numbers(joint.v))
    if not joint.engine_q:
        return (*here, *[""] * 6, joint.remarks)
    sign = "-" if joint.scale < 0.0 else "+"
    there = (joint.name, _numbers(joint.engine_q), _numbers(joint.engine_v))
    return (*here, *there, sign, f"{joint.zero:.6g}", joint.unit, joint.remarks)


def _numbers(places: Sequence[int]) -> str:
    """Places in a row as a range: 3-6, others as a list.

    >>> _numbers((3, 4, 5, 6)), _numbers((6, 3, 4, 5)), _numbers((2,))
    ('3-6', '6,3,4,5', '2')
    """
    if len(places) > 1 and list(places) == list(range(places[0], places[-1] + 1)):
        return f"{places[0]}-{places[-1]}"
    return ",".join(map(str, places))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
