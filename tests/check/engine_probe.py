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
    skeleton = home.DartLoader().parseSkeleton(path)
    if skeleton is None:
        raise ValueError("rejected")
    return {
        "dofs": skeleton.getNumDofs(),
        "masses": {body.getName(): body.getMass() for body in skeleton.getBodyNodes()},
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
