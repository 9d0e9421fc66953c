"""Compares a mechanism with the MuJoCo model of its robot."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.mechanism.robots import state

import unibody as ub

Floats = NDArray[np.float64]
TOLERANCE = 1e-9
#: Quantities in which masses count.
MASSES = ("masses", "forces")


def apart(ours: Any, theirs: Any, scale: float = 0.0) -> float:
    """The largest difference in shares of the largest number."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    size = max(float(np.abs(b).max(initial=0.0)), scale) or 1.0
    return float(np.abs(a - b).max(initial=0.0)) / size


def differences(made: ub.MujocoModel, seed: int) -> dict[str, float]:
    """How far the mechanism and MuJoCo are apart in a random state, by quantity."""
    import mujoco

    m, model, data = made.mechanism, made.model, mujoco.MjData(made.model)
    q, v, _ = state(m, seed)
    data.qpos[:], data.qvel[:] = made.q_to(q), made.v_to(q, v)
    out = {"v": apart(made.v_from(data.qpos, data.qvel), v)}
    back = made.q_from(data.qpos)
    out["q"] = apart(np.abs(m.difference(q, back)).max(initial=0.0), 0.0)
    for function in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_crb, mujoco.mj_comVel):
        function(model, data)
    found = np.asarray(m.forward_kinematics(q))
    size = max(1.0, float(np.abs(found[:, :3, 3]).max()))
    out["poses"] = 0.0
    for link, body in made.body_ids.items():
        if link not in m.link_names or (place := made.pose_in_body(link)) is None:
            continue
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
        pose = pose @ np.array(place.matrix())
        out["poses"] = max(out["poses"], apart(found[m.link_names.index(link)], pose, size))
    if m.nv:
        jacobian = made.v_to(q, np.eye(m.nv)).T
        masses = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, masses)
        ours = np.asarray(m.mass_matrix(q))
        out["masses"] = apart(jacobian.T @ masses @ jacobian, ours)
        if not made.state_map.turned:
            out["forces"] = _forces(made, data, (q, v), jacobian, float(np.abs(ours).max()))
    return out


def _forces(
    made: ub.MujocoModel, data: Any, at: tuple[Floats, Floats], jacobian: Floats, size: float
) -> float:
    """The forces without an acceleration of MuJoCo's coordinates."""
    import mujoco

    q, v = at
    bias, a = np.zeros(made.model.nv), np.zeros(made.mechanism.nv)
    mujoco.mj_rne(made.model, data, 0, bias)
    if made.model.body_gravcomp.any():
        mujoco.mj_fwdPosition(made.model, data)
        mujoco.mj_fwdVelocity(made.model, data)
        bias -= data.qfrc_gravcomp
    for body in made.state_map.free:
        start = body.here_v
        a[start : start + 3] = -np.cross(v[start + 3 : start + 6], v[start : start + 3])
    off = bool(made.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_GRAVITY)
    ours = made.mechanism.inverse_dynamics(q, v, a, gravity=made.model.opt.gravity * (not off))
    ours = ours - made.mechanism.tree.armature * a  # which MuJoCo's sum is without
    return apart(jacobian.T @ bias, ours, 1e-3 * size)


def wrong(made: ub.MujocoModel, seed: int = 0) -> dict[str, float]:
    return {word: by for word, by in differences(made, seed).items() if not by < TOLERANCE}
