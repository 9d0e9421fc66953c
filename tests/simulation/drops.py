"""Drops a robot on a floor: what the sweep over the corpus measures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import unibody as ub
from unibody.mechanism import AssembleError
from unibody.simulation.scene import SimulationError

#: Deepest contact (m) and length (s) of a drop; the height (m) of the lowest point above the floor.
DEEPEST, SECONDS, HEIGHT = 5e-3, 2.0, 0.05
SOLREF = (0.004, 1.0)


@dataclass(frozen=True)
class Drop:
    """The outcome of a drop: ``fault`` is a word, "" for none; the deepest contact (m) and its time (s)."""

    fault: str = ""
    detail: str = ""
    deepest: float = 0.0
    time: float = 0.0


def drop(path: Path) -> Drop | None:
    """Drop the robot of a file from 5 cm; None if the file has no robot."""
    reading = ub.read(path)
    if reading.robot is None or any(f.severity == "error" for f in reading.findings):
        return None
    try:
        sim = ub.simulate(
            reading.robot, base="free", floor=0.0, step=1e-3, solref=SOLREF, self_collision=False
        )
        sim.reset(above=HEIGHT)
    except AssembleError as error:
        return Drop("assembly", str(error))
    except SimulationError as error:
        return Drop(error.findings[0].code, error.findings[0].message)
    except ValueError as error:
        return Drop("shapes", str(error))
    deepest, time = 0.0, 0.0
    for _ in range(round(SECONDS / sim.timestep)):
        try:
            sim.step()
        except SimulationError as error:
            return Drop("diverged", str(error.findings[0].message), deepest, time)
        if sim.data.ncon and -sim.data.contact.dist.min() > deepest:
            deepest, time = float(-sim.data.contact.dist.min()), sim.time
    warned = [kind for kind, warning in enumerate(sim.data.warning) if warning.number]
    if warned:
        return Drop("warning", f"of kinds {warned}", deepest, time)
    if not (np.isfinite(sim.q).all() and np.isfinite(sim.v).all()):
        return Drop("infinite", "", deepest, time)
    return Drop("depth" if deepest > DEEPEST else "", "", deepest, time)
