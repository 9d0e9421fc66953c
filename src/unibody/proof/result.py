"""The result of a proof: what each engine has of a model, in numbers and words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from unibody.proof.cause import Cause
from unibody.proof.comparison import QUANTITIES, Deviation
from unibody.text.counted import counted, listed

Verdict = Literal["equal", "explained", "differs", "failed", "not here", "unsupported"]
# Quantities of joints, links and loops that are there or not.
_COUNTED = ("joints", "links", "loops")
# Names of links that are listed.
_NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """What one engine has of a model.

    ``verdict`` is "equal" within the tolerances; "explained", if known causes explain all that differs;
    "differs"; "failed", if the engine rejects the file or its process ends without an answer; "not here";
    "unsupported", if it does not read the format. ``reason`` says why of the last three, of a failure in
    the words of the engine. ``deviations`` are the largest ones by quantity, ``causes`` the likely causes
    of what differs, or what the engine is known to reject, ``unexplained`` the quantities without one.
    ``merged`` are links that are parts of others in the engine. ``condition`` is the condition number of
    the mass matrix in the initial configuration, each joint scaled to 1. ``sensitivity`` is, for
    engines in single precision, what rounding makes of the mechanism's forces, relative to the largest one.
    """

    engine: str
    title: str
    verdict: Verdict
    reason: str = ""
    file: str = ""
    states: int = 0
    precision: str = "double"
    deviations: Mapping[str, Deviation] | None = None
    causes: tuple[Cause, ...] = ()
    unexplained: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    condition: float = math.nan
    sensitivity: float = math.nan

    @property
    def holds(self) -> bool:
        """Whether nothing differs without a cause."""
        return self.verdict in ("equal", "explained")

    def json(self) -> dict[str, Any]:
        """The result as plain JSON data."""
        return {
            "engine": self.engine,
            "title": self.title,
            "verdict": self.verdict,
            "reason": self.reason,
            "states": self.states,
            "precision": self.precision,
            "deviations": {
                name: {
                    "largest": found.largest if math.isfinite(found.largest) else None,
                    "tolerance": found.tolerance,
                    "owner": found.owner,
                    "count": found.count,
                    "compared": found.compared,
                    "unit": QUANTITIES[name].unit,
                }
                for name, found in (self.deviations or {}).items()
            },
            "causes": [
                {
                    "cause": x.cause,
                    "scope": x.scope,
                    "owners": list(x.owners),
                    "spared": list(x.spared),
                    "quantities": list(x.quantities),
                    "fitted": x.fitted,
                }
                for x in self.causes
            ],
            "unexplained": list(self.unexplained),
            "merged": list(self.merged),
            "notes": list(self.notes),
            "condition": self.condition if math.isfinite(self.condition) else None,
            "sensitivity": self.sensitivity if math.isfinite(self.sensitivity) else None,
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The result in lines, the verdict first."""
        if self.deviations is None:
            head = f"{self.title}: {self.verdict}{f': {self.reason}' if self.reason else ''}"
            return [head, *(f"  cause: {cause}" for cause in self.causes)]
        words = {"equal": "equal", "explained": "differs for a known cause", "differs": "differs"}
        out = [f"{self.title}: {words.get(self.verdict, self.verdict)} at {counted(self.states, 'state')}"]
        out += _table(self.deviations.values())
        out += [f"  cause: {cause}" for cause in self.causes]
        if self.unexplained:
            titles = [QUANTITIES[name].title for name in self.unexplained]
            out.append(f"  unexplained: {', '.join(titles)}")
        if self.merged:
            out.append(f"  parts of other links in the engine: {listed(self.merged, _NAMED)}")
        if math.isfinite(self.condition):
            out.append(f"  condition number of the mass matrix: {self.condition:.3g}")
        if math.isfinite(self.sensitivity):
            out.append(f"  forces of the mechanism in single precision: {self.sensitivity:.2g} off")
        return [*out, *(f"  note: {note}" for note in self.notes)]


def _table(found: Iterable[Deviation]) -> list[str]:
    """A line for each quantity: its largest deviation, where it is, and whether it is too large."""
    rows = []
    for each in found:
        quantity = QUANTITIES[each.quantity]
        size = f"{each.largest:.2g} {quantity.unit}".rstrip() if each.quantity not in _COUNTED else ""
        where = f"at {each.owner}" if each.owner else f"in all of {each.compared}"
        too_far = f"{each.count} of {each.compared} beyond {each.tolerance:.2g}" if not each.holds else ""
        if not each.largest:
            size = "exact"
        rows.append((quantity.title, size, where, too_far))
    widths = [max((len(row[k]) for row in rows), default=0) for k in range(3)]
    return [
        "  "
        + "  ".join([*(x.ljust(width) for x, width in zip(row[:3], widths, strict=True)), row[3]]).rstrip()
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineProof:
    """What engines have of a model, beside the mechanism of a robot; the result of ``unibody.prove``."""

    robot: str
    base: str
    results: tuple[EngineResult, ...]

    @property
    def holds(self) -> bool:
        """Whether an engine answered, and nothing differs without a cause in those that did."""
        found = [x for x in self.results if x.verdict not in ("not here", "unsupported")]
        return bool(found) and all(result.holds for result in found)

    def __getitem__(self, engine: str) -> EngineResult:
        for result in self.results:
            if result.engine == engine:
                return result
        raise KeyError(engine)

    def __str__(self) -> str:
        head = f"{self.robot}, {self.base} base"
        return "\n".join([head, *(line for result in self.results for line in result.lines())])

    def json(self) -> dict[str, Any]:
        """The proof as plain JSON data."""
        return {
            "robot": self.robot,
            "base": self.base,
            "holds": self.holds,
            "engines": [result.json() for result in self.results],
        }
