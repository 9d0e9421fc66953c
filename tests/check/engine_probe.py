"""Loads a model file with one engine: python tests/check/engine_probe.py ENGINE FILE

Prints one line of JSON: what of the model the engine has, or the error of its loader. It imports nothing of
unibody, so that any Python that has the engine can run it.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

Facts = dict[str, Any]


def mujoco(path: str) -> Facts:
    import mujoco as mj

    model = mj.MjModel.from_xml_path(path)
    return {
        "bodies": [model.body(i).name for i in range(model.nbody)],
        "mass": round(float(model.body_mass.sum()), 9),
        "dofs": int(model.nv),
        "shapes": int(model.ngeom),
        "constraints": int(model.neq),
        "limited": [bool(x) for x in model.jnt_limited],
        "turned": bool(abs(model.body_quat[-1][0]) < 0.999),
    }


def pinocchio(path: str) -> Facts:
    import pinocchio as pin

    model = pin.buildModelFromUrdf(path)
    moving = (pin.neutral(model), pin.utils.rand(model.nv), pin.utils.zero(model.nv))
    damped = pin.aba(model, model.createData(), *moving).copy()
    model.damping[:] = 0.0
    model.friction[:] = 0.0
    free = pin.aba(model, model.createData(), *moving)
    return {
        "bodies": list(model.names),
        "dofs": int(model.nv),
        "asked": int(pin.buildModelFromUrdf(path, mimic=True).nv),
        "universe": float(model.inertias[0].mass),
        "resists": bool((damped != free).any()),
    }


def drake(path: str) -> Facts:
    import logging

    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("drake").addHandler(handler)
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph
    from pydrake.systems.framework import DiagramBuilder

    plant, graph = AddMultibodyPlantSceneGraph(DiagramBuilder(), 0.001)
    Parser(plant).AddModels(path)
    plant.Finalize()
    return {
        "dofs": int(plant.num_velocities()),
        "shapes": int(graph.model_inspector().num_geometries()),
        "constraints": int(plant.num_constraints()),
        "warned": any("does not currently support non-zero joint friction" in each for each in said),
        "turned": _is_turned(
            plant.GetJointByName("k").frame_on_parent().GetFixedPoseInBodyFrame().rotation()
        ),
    }


def _is_turned(rotation: Any) -> bool:
    return bool(rotation.matrix().trace() < 2.999)


def idyntree(path: str) -> Facts:
    import idyntree.bindings as idyn

    loader = idyn.ModelLoader()
    if not loader.loadModelFromFile(path) or not loader.model().getNrOfLinks():
        raise ValueError("rejected")
    model = loader.model()
    joints = [model.getJoint(i) for i in range(model.getNrOfJoints())]
    limits = [(j.getMinPosLimit(0), j.getMaxPosLimit(0)) for j in joints if j.hasPosLimits()]
    tool = idyn.KinDynComputations()
    tool.loadRobotModel(model)
    turn = tool.getRelativeTransform("arm", "tool").getRotation().toNumPy()
    return {"dofs": model.getNrOfDOFs(), "limits": limits, "turned": bool(turn.trace() < 2.999)}


def dart(path: str) -> Facts:
    import dartpy

    home = dartpy.io if hasattr(dartpy, "io") and hasattr(dartpy.io, "DartLoader") else dartpy.utils
    if path.endswith(".sdf"):
        skeleton = dartpy.utils.SdfParser.readSkeleton(dartpy.common.Uri.createFromPath(path))
    else:
        skeleton = home.DartLoader().parseSkeleton(path)
    if skeleton is None:
        raise ValueError("rejected")
    return {
        "dofs": skeleton.getNumDofs(),
        "masses": {body.getName(): body.getMass() for body in skeleton.getBodyNodes()},
        "heights": {
            body.getName(): round(float(body.getWorldTransform().translation()[2]), 6)
            for body in skeleton.getBodyNodes()
        },
        "servos": [j.getName() for j in skeleton.getJoints() if "MIMIC" in str(j.getActuatorType())],
    }


def sapien(path: str) -> Facts:
    import sapien as sap

    scene = sap.Scene([sap.physx.PhysxCpuSystem()])
    loader = scene.create_urdf_loader()
    build = loader._build_link

    def without_visuals(link: Any, builder: Any) -> Any:
        link.visuals = []
        return build(link, builder)

    loader._build_link = without_visuals
    robot = loader.load(path)
    robot.set_qpos([0.0] * robot.dof)  # moves the links
    return {
        "fixed": bool(loader.fix_root_link),
        "turned": bool(abs(robot.find_link_by_name("tool").pose.q[0]) < 0.999),
        "dofs": robot.dof,
        "friction": {j.name: round(float(j.friction), 6) for j in robot.get_active_joints()},
        "damping": sorted({round(float(k.linear_damping), 6) for k in robot.get_links()}),
        "light": sorted(k.name for k in robot.get_links() if 0.9e-6 < k.mass < 1.1e-6),
    }


def pybullet(path: str) -> Facts:
    import pybullet as p

    p.connect(p.DIRECT)
    p.setPhysicsEngineParameter(enableFileCaching=0)
    robot = p.loadURDF(path)
    joints = range(p.getNumJoints(robot))
    known = [p.getJointInfo(robot, i) for i in joints]
    moving = [info for info in known if info[2] != p.JOINT_FIXED]
    dynamics = [p.getDynamicsInfo(robot, i) for i in range(-1, len(joints))]
    names = [p.getBodyInfo(robot)[0].decode(), *(info[12].decode() for info in known)]
    last = p.getLinkState(robot, joints[-1], computeForwardKinematics=1)
    held = _after_a_second(p, robot)
    for i in joints:
        p.setJointMotorControl2(robot, i, p.VELOCITY_CONTROL, force=0)
    return {
        "dofs": len(moving) + (6 if dynamics[0][0] else 0),
        "masses": {name: each[0] for name, each in zip(names, dynamics, strict=True)},
        "inert": [name for name, each in zip(names, dynamics, strict=True) if max(each[2]) > 1e-5],
        "shapes": sum(len(p.getCollisionShapeData(robot, i)) for i in range(-1, len(joints))),
        "limited": [bool(info[8] <= info[9]) for info in moving],
        "kinds": [info[2] == p.JOINT_FIXED for info in known],
        "place": [round(x, 6) for x in last[4]],
        "turned": abs(last[5][3]) < 0.999,
        "held": held < 1e-6,
        "damped": 0.9 < _after_a_second(p, robot) < 0.99,
        "friction": known[-1][7],
    }


def gazebo(path: str) -> Facts:
    """What libsdformat, by which Gazebo reads URDF, makes of a file."""
    import ctypes
    import tempfile
    from xml.etree import ElementTree

    library = _library("sdformat", range(20, 8, -1))
    if library.cmdCheck(path.encode()) != 0:
        raise ValueError("rejected")
    with tempfile.TemporaryFile() as out:
        before = os.dup(1)
        os.dup2(out.fileno(), 1)
        library.cmdPrint(path.encode(), 0, 0, ctypes.c_float(0.0))
        ctypes.CDLL(None).fflush(None)
        os.dup2(before, 1)
        out.seek(0)
        model = ElementTree.fromstring(out.read()).find("model")
    assert model is not None
    links, joints = model.findall("link"), model.findall("joint")
    turns = [(joint.findtext("pose") or "0").split()[3:] for joint in joints]
    return {
        "masses": {link.get("name"): float(link.findtext("inertial/mass") or 0) for link in links},
        "joints": [joint.get("name") for joint in joints],
        "on_world": [joint.get("name") for joint in joints if joint.findtext("parent") == "world"],
        "couplings": sum(1 for _ in model.iter("mimic")),
        "lower": [float(joint.findtext("axis/limit/lower") or 0) for joint in joints],
        "turned": any(float(x) for turn in turns for x in turn),
    }


def _library(name: str, versions: Any) -> Any:
    """The newest library of a name that the loader of the system finds."""
    import ctypes

    for version in versions:
        try:
            return ctypes.CDLL(f"lib{name}{version}.so.{version}")
        except OSError:
            continue
    raise ModuleNotFoundError(f"no lib{name}")


def _after_a_second(p: Any, robot: int) -> float:
    """The rate of the first joint a second after it was 1 rad/s."""
    p.resetJointState(robot, 0, 0.0, 1.0)
    for _ in range(240):
        p.stepSimulation()
    return abs(float(p.getJointState(robot, 0)[1]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    said = os.dup(1)
    os.dup2(2, 1)  # engines print on standard output, too
    try:
        answer = globals()[sys.argv[1]](os.path.abspath(sys.argv[2]))
    except ModuleNotFoundError as error:
        answer = {"absent": str(error)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:300]}
    with os.fdopen(said, "w") as out:
        out.write(json.dumps(answer) + "\n")
