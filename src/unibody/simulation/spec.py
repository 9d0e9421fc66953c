"""What a simulation adds to the engine's specification of a robot, before it is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unibody.bridges.mujoco import MujocoModel
from unibody.formats.mjcf.engine import ALONE
from unibody.mechanism import Mechanism
from unibody.model.gravity import STANDARD
from unibody.model.robot import Robot
from unibody.simulation.checks import has_mjcf
from unibody.simulation.contacts import Surfaces
from unibody.simulation.options import Options

#: The name of the plane that ``floor`` adds, and the material that it has in a table.
FLOOR, FLOOR_MATERIAL = "floor", "Ground"

# Bits of contacts: one for each robot of several links, and one for everything else.
_OTHERS, _MOST_ROBOTS = ALONE[0] >> 1, 29
_ALL = ALONE[0] - 1
# The tolerance of the engine's solver: its own leaves forces of some N unbalanced beside prescribed joints,
# whose added inertia is large. A smaller one takes hardly more iterations.
_ENGINE_TOLERANCE, _TOLERANCE = 1e-8, 1e-14


def set_options(spec: Any, options: Options, robot: Robot) -> None:
    """Set gravity, step, solver and what is switched off; a robot of MuJoCo keeps its own settings.

    The specification has the gravity that the robot's file states.
    """
    import mujoco

    of_mujoco = has_mjcf(robot)
    if options.gravity is not None:
        spec.option.gravity = list(options.gravity)
    elif robot.gravity is None and not of_mujoco:
        spec.option.gravity = list(STANDARD)
    spec.option.timestep = options.step
    if not of_mujoco:
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 10.0
    if spec.option.tolerance == _ENGINE_TOLERANCE:
        spec.option.tolerance = _TOLERANCE
    disabled = mujoco.mjtDisableBit
    spec.option.disableflags |= disabled.mjDSBL_AUTORESET
    if not options.contacts:
        spec.option.disableflags |= disabled.mjDSBL_CONTACT
    if options.loop_solver == "exact":
        spec.option.disableflags |= disabled.mjDSBL_CONSTRAINT


def add_floor(spec: Any, height: float, surfaces: Surfaces) -> None:
    """Add a plane at a height in m."""
    import mujoco

    spec.worldbody.add_geom(
        name=FLOOR if spec.geom(FLOOR) is None else f"unibody {FLOOR}",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0.0, 0.0, 1.0],
        pos=[0.0, 0.0, height],
        contype=_ALL,
        conaffinity=_ALL,
        friction=[surfaces.least[FLOOR_MATERIAL], 0.005, 0.0001],
        solref=list(surfaces.solref),
        rgba=[0.8, 0.8, 0.8, 1.0],
    )


def enable_surface_speeds(made: MujocoModel, mechanism: Mechanism) -> None:
    """The engine looks at surface velocities only if some geom has one when the model is compiled."""
    for joint in mechanism.robot.joints:
        if joint.kind == "track":
            for geom in made.spec.body(made.body_names[joint.child]).geoms:
                geom.surfacevel = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]


def separate(made: MujocoModel, groups: Mapping[str, int]) -> None:
    """Let the links of one robot pass through one another; ``groups`` are the numbers of their robots."""
    spec, most = made.spec, max(groups.values(), default=0)
    if most > _MOST_ROBOTS:
        raise ValueError(
            f"pairs='none' works with up to {_MOST_ROBOTS} robots of several links, not {most}"
        )
    robots = {
        name: groups.get(link, 0)
        for link, name in made.body_names.items()
        if name != spec.worldbody.name and made.pose_in_body(link) is not None
    }
    for body in spec.bodies:
        for geom in body.geoms:
            if not (geom.contype or geom.conaffinity) or (geom.contype, geom.conaffinity) == ALONE:
                continue
            group = robots.get(body.name, 0)
            bit = 1 << (group - 1) if group else _OTHERS
            geom.contype, geom.conaffinity = bit, _ALL & ~bit if group else _ALL
    owners = {
        geom.name: robots.get(body.name, 0) for body in spec.bodies for geom in body.geoms if geom.name
    }
    for pair in list(spec.pairs):
        one, two = owners.get(pair.geomname1, 0), owners.get(pair.geomname2, 0)
        if one and one == two:
            spec.delete(pair)
