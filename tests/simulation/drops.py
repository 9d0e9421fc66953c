"""Drops a robot on a floor: what the sweep over the corpus measures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import unibody as ub
from unibody.mechanism import AssembleError
from unibody.simulation.checks import SimulationError

#: Deepest contact (m) and length (s) of a drop; the height (m) of the lowest point above the floor.
DEEPEST, SECONDS, HEIGHT = 5e-3, 2.0, 0.05
SOLREF = (0.004, 1.0)

#: Files of the corpus whose drop has a fault, and its cause; depths grow with the speed of an impact.
EXCEPTIONS: dict[str, str] = {
    "choreonoid+choreonoid/sample/AGXDynamics/agxWireSample.body": "tips over: a ball lands with 3.7 m/s",
    "choreonoid+choreonoid/sample/WRS2018/model/FullFeaturedFireCabinet.body": (
        "the nozzle (0.3 kg) lands with 1.9 m/s under the cabinet (31 kg)"
    ),
    **dict.fromkeys(
        (
            f"choreonoid+choreonoid/sample/WRS2018/model/TunnelWall{length}m-{side}.body"
            for length in (20, 40, 60)
            for side in "LR"
        ),
        "a wall of 20 m and 1 kg tips over: its edge lands with 15 m/s or more",
    ),
    "choreonoid+choreonoid/share/model/misc/BoxesOnFloor.body": (
        "boxes fall beside the floor that falls: 3.0 m/s"
    ),
    "choreonoid+choreonoid/share/model/misc/ContinuousTrackVehicle.body": (
        "shoes of its tracks (1 kg) land under a vehicle of 1961 kg with 1.9 m/s"
    ),
    "choreonoid+choreonoid/share/model/misc/unevenground.body": "tips over: an edge lands with 2.7 m/s",
    "fkanehiro+hrpsys-base/sample/environments/TerrainFloor.wrl": (
        "terrain of many meters with 1 g and an inertia of 1e-9 kg·m²: it is thrown around with 44 m/s"
    ),
    "fkanehiro+openhrp3/sample/model/floor1.wrl": "a floor of 5 m tips over: an edge lands with 3.0 m/s",
    "fkanehiro+openhrp3/sample/model/floor2.wrl": "a floor of 5 m tips over: an edge lands with 5.8 m/s",
    "gazebosim+sdformat/test/performance/parser_urdf_atlas.urdf": (
        "a hand lands with 1.9 m/s under the arm of a robot of 91 kg"
    ),
    "newton-physics+newton/newton/examples/assets/nv_ant.xml": (
        "the file's own floor, which is part of the robot, is above the feet"
    ),
    "newton-physics+newton/newton/tests/assets/constraints.xml": (
        "3520 kg, held together by soft constraints: parts land with 27 m/s"
    ),
    "pypi_dm-control-1.0.50/dm_control/mujoco/testing/assets/arm.xml": (
        "capsules of 1 cm of the file itself are below the lowest point of its meshes"
    ),
    "pypi_pybullet-3.2.7/pybullet_data/humanoid/humanoid.urdf": "falls over: an ankle lands with 3.0 m/s",
    "RobotLocomotion+drake/examples/pendulum/Pendulum.urdf": (
        "point masses on one line: nothing resists a turn about it"
    ),
}

#: Faults of files that have nothing to drop: parts without mass, and robots without collision shapes.
NOTHING = ("simulation-massless", "shapes")


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
        sim = ub.simulate(reading.robot, base="free", floor=0.0, step=1e-3, solref=SOLREF, pairs="none")
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
