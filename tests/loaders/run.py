"""Reads URDF files with one other loader: python tests/loaders/run.py LOADER FILE …

Prints one line of JSON for each file. It imports nothing of unibody, so that any Python that has the loader
can run it; a loader that crashes ends only this process.
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Each loader's package, whose version is recorded.
PACKAGES = {
    "urdfdom": "cmeel-urdfdom",
    "Pinocchio": "pin",
    "MuJoCo": "mujoco",
    "Drake": "drake",
    "PyBullet": "pybullet",
}

# What a loader made of a file: {"mass": kg without the root, "joints": {name: facts of a moving joint}}.
Made = dict[str, Any]


def version(loader: str) -> str:
    """The installed version of a loader, "" if it is not installed."""
    try:
        found = importlib.metadata.version(PACKAGES[loader])
    except importlib.metadata.PackageNotFoundError:
        return ""
    return found if loader != "urdfdom" or _check_urdf() else ""


def _check_urdf() -> str | None:
    beside = Path(sys.executable).with_name("check_urdf")
    return str(beside) if beside.exists() else shutil.which("check_urdf")


def urdfdom(path: str) -> Made | None:
    """check_urdf, urdfdom's own command, says only whether it reads the file."""
    tool = _check_urdf()
    assert tool is not None
    done = subprocess.run(
        [tool, path], capture_output=True, text=True, errors="replace", timeout=60, check=False
    )
    if done.returncode < 0:
        raise Crashed(f"signal {-done.returncode}")
    said = done.stdout + done.stderr
    if done.returncode or "Successfully Parsed" not in said:
        raise ValueError(said.strip().splitlines()[0] if said.strip() else "refused")
    return None


def pinocchio(path: str) -> Made | None:
    import numpy as np
    import pinocchio as pin

    model = pin.buildModelFromUrdf(path)
    folders = [os.path.dirname(path)]
    shapes = pin.buildGeomFromUrdf(model, path, pin.GeometryType.COLLISION, package_dirs=folders)
    data = model.createData()
    pin.computeJointJacobians(model, data, pin.neutral(model))
    joints = {}
    for i in range(1, model.njoints):
        joint = model.joints[i]
        low, high = -math.inf, math.inf
        if joint.nq == 1:
            low, high = (
                float(v[joint.idx_q]) for v in (model.lowerPositionLimit, model.upperPositionLimit)
            )
        axis = None
        if joint.nv == 1:
            column = pin.getJointJacobian(model, data, i, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[
                :, joint.idx_v
            ]
            axis = [float(v) for v in (column[3:] if np.any(column[3:]) else column[:3])]
        joints[model.names[i]] = _joint([float(v) for v in data.oMi[i].translation], axis, low, high)
    inertias = [i for i in model.inertias if i.mass or i.inertia.any()]
    return {
        "mass": float(sum(i.mass for i in inertias)),
        "inertia": float(sum(np.trace(i.inertia) for i in inertias)),
        "collisions": len(shapes.geometryObjects),
        "joints": joints,
    }


def mujoco(path: str) -> Made | None:
    import mujoco as mj

    model = mj.MjModel.from_xml_path(path)
    data = mj.MjData(model)
    mj.mj_forward(model, data)
    joints = {}
    for i in range(model.njnt):
        low, high = model.jnt_range[i] if model.jnt_limited[i] else (-math.inf, math.inf)
        kind = int(model.jnt_type[i])
        axis = [float(v) for v in data.xaxis[i]] if kind in (2, 3) else None
        joints[model.joint(i).name] = _joint(
            [float(v) for v in data.xanchor[i]], axis, float(low), float(high)
        )
    return {
        "mass": float(model.body_mass[1:].sum()),
        "inertia": float(model.body_inertia[1:].sum()),
        "collisions": int(model.ngeom),
        "joints": joints,
    }


def drake(path: str) -> Made | None:
    import logging

    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.multibody.tree import JointIndex
    from pydrake.systems.framework import DiagramBuilder

    logging.getLogger("drake").setLevel(logging.CRITICAL)
    plant, _ = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.0)
    models = Parser(plant).AddModels(path)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    joints = {}
    for k in range(plant.num_joints()):
        joint = plant.get_joint(JointIndex(k))
        if (
            joint.type_name() == "weld"
            or joint.model_instance() not in models
            or joint.name().startswith("$")
        ):
            continue
        if joint.name() == joint.child_body().name():  # the joint that Drake adds to a root
            continue
        pose = joint.frame_on_parent().CalcPoseInWorld(context)
        axis = None
        if joint.type_name() in ("revolute", "prismatic"):
            local = joint.revolute_axis() if joint.type_name() == "revolute" else joint.translation_axis()
            axis = [float(v) for v in pose.rotation().matrix() @ local]
        low, high = -math.inf, math.inf
        if joint.num_positions() == 1:
            low, high = float(joint.position_lower_limits()[0]), float(joint.position_upper_limits()[0])
        joints[joint.name()] = _joint([float(v) for v in pose.translation()], axis, low, high)
    bodies = [plant.get_body(b) for m in models for b in plant.GetBodyIndices(m)]
    inertias = [b.default_spatial_inertia() for b in bodies if b.default_mass()]
    about = [i.Shift(i.get_com()).CalcRotationalInertia() for i in inertias]
    return {
        "mass": float(sum(b.default_mass() for b in bodies)),
        "inertia": float(sum(i.get_moments().sum() for i in about)),
        "collisions": sum(len(plant.GetCollisionGeometriesForBody(b)) for b in bodies),
        "joints": joints,
    }


def pybullet(path: str) -> Made | None:
    import pybullet as p

    client = p.connect(p.DIRECT)
    try:
        body = p.loadURDF(path, useFixedBase=True, flags=p.URDF_USE_INERTIA_FROM_FILE)
        joints = {}
        mass = inertia = 0.0
        collisions = len(p.getCollisionShapeData(body, -1))
        for i in range(p.getNumJoints(body)):
            info = p.getJointInfo(body, i)
            dynamics = p.getDynamicsInfo(body, i)
            mass += dynamics[0]
            inertia += sum(dynamics[2])
            collisions += len(p.getCollisionShapeData(body, i))
            if info[2] == p.JOINT_FIXED:
                continue
            state = p.getLinkState(body, i, computeForwardKinematics=True)
            rotation = p.getMatrixFromQuaternion(state[5])
            axis = None
            if info[2] in (p.JOINT_REVOLUTE, p.JOINT_PRISMATIC):
                axis = [sum(rotation[3 * r + c] * info[13][c] for c in range(3)) for r in range(3)]
            low, high = (info[8], info[9]) if info[8] <= info[9] else (-math.inf, math.inf)
            joints[info[1].decode("utf-8", "replace")] = _joint(list(state[4]), axis, low, high)
        return {"mass": mass, "inertia": inertia, "collisions": collisions, "joints": joints}
    finally:
        p.disconnect(client)


def _joint(at: list[float], axis: list[float] | None, low: float, high: float) -> dict[str, Any]:
    """A moving joint at the zero position: its place and axis in the world, and its limits."""
    return {"at": at, "axis": axis, "limits": [_bound(low), _bound(high)]}


def _bound(value: float) -> float | str:
    return value if abs(value) < 1e9 else "inf" if value > 0 else "-inf"


class Crashed(Exception):
    """A loader that ended by a signal in a process of its own."""


LOADERS: dict[str, Callable[[str], Made | None]] = {
    "urdfdom": urdfdom,
    "Pinocchio": pinocchio,
    "MuJoCo": mujoco,
    "Drake": drake,
    "PyBullet": pybullet,
}


def main(loader: str, paths: list[str]) -> None:
    out = os.fdopen(os.dup(1), "w")
    # the loaders print their own messages
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    out.write(json.dumps({"version": version(loader)}) + "\n")
    out.flush()
    for path in paths:
        answer: dict[str, Any] = {"path": path}
        try:
            answer |= {"verdict": "loads", "made": LOADERS[loader](path)}
        except Crashed as broken:
            answer |= {"verdict": "crashes", "note": str(broken)}
        except Exception as broken:
            answer |= {"verdict": "refuses", "note": " ".join(str(broken).split())[:200]}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
