"""Crawlers: the surface speed of track joints, as surface velocities of the engine's geoms.

A belt runs about its axis: where the outward normal is n, its surface moves along axis × n at the commanded
speed, so that a belt about +Y with a positive speed drives its vehicle toward +X.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.simulation.engine import Engine


class Crawlers:
    """The tracks of a model by the name of their joint: ``speeds`` in m/s, and the fields they make."""

    def __init__(self, engine: Engine) -> None:
        mechanism, layout, model = engine.mechanism, engine.layout, engine.model
        self.model = model
        self.names = [joint.name for joint in mechanism.robot.joints if joint.kind == "track"]
        self.speeds = np.zeros(len(self.names))
        self._geoms: list[list[tuple[int, Floats]]] = []
        for name in self.names:
            joint = mechanism.robot.joint(name)
            link = mechanism.link_names.index(joint.child)
            axis = layout.in_body[link, :3, :3] @ np.array(joint.axis)
            self._geoms.append(_fields(model, int(layout.bodies[link]), axis))

    def changed(self) -> None:
        """Carry ``speeds`` over to the engine's model; call after changing them."""
        if not self.names:
            return
        for speed, geoms in zip(self.speeds.tolist(), self._geoms, strict=True):
            for geom, turn in geoms:
                self.model.geom_surfacevel[geom, 3:] = speed * turn
        self.model.flg_surfacevel = bool(self.model.geom_surfacevel.any())


def _fields(model: Any, body: int, axis: Floats) -> list[tuple[int, Floats]]:
    """The solid geoms of a body, and the rate (rad/s, geom's axes) that gives their surface 1 m/s."""
    found = []
    for geom in np.flatnonzero(model.geom_bodyid == body).tolist():
        if model.geom_contype[geom] or model.geom_conaffinity[geom]:
            local = _turn(model.geom_quat[geom]).T @ axis
            found.append((geom, local / _radius(model, geom, local)))
    return found


def _radius(model: Any, geom: int, axis: Floats) -> float:
    """The distance of the running surface from the axis: half of the smaller extent across the axis."""
    import mujoco

    kind, size = int(model.geom_type[geom]), model.geom_size[geom]
    kinds = mujoco.mjtGeom
    if kind in (kinds.mjGEOM_SPHERE, kinds.mjGEOM_CYLINDER, kinds.mjGEOM_CAPSULE):
        return float(size[0])
    half = model.geom_aabb[geom, 3:] if kind == kinds.mjGEOM_MESH else size
    across = np.delete(half, int(np.argmax(np.abs(axis))))
    return float(max(across.min(), 1e-6))


def _turn(quaternion: Floats) -> Floats:
    import mujoco

    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, quaternion)
    return out.reshape(3, 3)
