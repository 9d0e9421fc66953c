"""unibody: read any robot model file into one exact model.

>>> import unibody as ub
>>> robot = ub.load("src/unibody/models/biped.body")
>>> len(robot.links), round(robot.mass, 3)
(24, 40.0)
>>> reading = ub.read("tests/commands/models/slips.urdf")  # never raises; load does
>>> [finding.code for finding in reading.findings]
['inertia-not-positive', 'file-missing', 'limits-reversed']
>>> ub.check(robot)  # meshes, masses and loops, too
[]
>>> report = ub.convert("src/unibody/models/biped.body", "biped.urdf", dry_run=True)
>>> page = ub.view(robot, pose="standard_pose", browser=False)  # without browser=False it opens
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from unibody.batch.mapping import ExecutorLost, map
    from unibody.batch.record import FileRecord
    from unibody.bridges.mujoco import MissingMujoco, MujocoError, MujocoModel, to_mujoco
    from unibody.bridges.pinocchio import PinocchioRobot, to_pinocchio
    from unibody.checks.runner import check
    from unibody.collision.collisions import collisions
    from unibody.collision.matrix import self_collision
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import convert, save
    from unibody.conversion.report import Report
    from unibody.conversion.serialization import dumps
    from unibody.edits.attach import attach
    from unibody.edits.names import GraftError
    from unibody.edits.rename import prefix, rename
    from unibody.edits.subtree import subtree
    from unibody.files.access import Files
    from unibody.fixes.fixer import fix
    from unibody.fixes.plan import Fix
    from unibody.formats.format import Format
    from unibody.formats.loader import LoadError, Reading, load, loads, read
    from unibody.mechanism import AssembleError, Mechanism, assemble
    from unibody.mechanism.inverse_kinematics import Target
    from unibody.mechanism.pinocchio import MissingPinocchio
    from unibody.meshes.shapes import mesh
    from unibody.model.device import (
        Accelerometer,
        Camera,
        Device,
        DirectionalLight,
        ForceTorque,
        Gyro,
        Imu,
        Opaque,
        PointLight,
        RangeSensor,
        SpotLight,
    )
    from unibody.model.facts import Difference, diff, facts
    from unibody.model.inertia import Inertial
    from unibody.model.patch import PatchError, patch
    from unibody.model.pose import Pose
    from unibody.model.robot import (
        Actuator,
        Configuration,
        Coordinate,
        Coupling,
        Drive,
        Dynamics,
        Extra,
        ExtraFile,
        Frame,
        Group,
        Holds,
        Joint,
        Limits,
        Link,
        Loop,
        Robot,
        SelfCollision,
    )
    from unibody.model.scene import Scene
    from unibody.model.shape import (
        Box,
        Capsule,
        Cone,
        Cylinder,
        ElevationGrid,
        Ellipsoid,
        Extrusion,
        LineSet,
        Material,
        Mesh,
        MeshFile,
        Plane,
        PointSet,
        Shape,
        Sphere,
        Texture,
        TextureTransform,
    )
    from unibody.motions.motion import Motion, MotionError
    from unibody.motions.notations import load_motion, save_motion
    from unibody.page.show import view
    from unibody.planning.ompl import MissingOmpl, OmplValidator, ompl_validator
    from unibody.planning.planner import PlanResult, plan
    from unibody.planning.shortening import shorten
    from unibody.planning.timing import timed
    from unibody.simplification.parts import MissingParts
    from unibody.simplification.simplify import Simplification, simplify
    from unibody.simulation.batch import run_batch
    from unibody.simulation.scene import SimulationError
    from unibody.simulation.simulation import Simulation, simulate
    from unibody.text.finding import Finding
    from unibody.text.limits import ReadLimits

# Where each public name is defined; a module is imported on the first use of one of its names, so that
# `import unibody` costs next to nothing.
_HOME = {
    name: f"unibody.{module}"
    for module, names in {
        "batch.mapping": "ExecutorLost map",
        "batch.record": "FileRecord",
        "bridges.mujoco": "MissingMujoco MujocoError MujocoModel to_mujoco",
        "bridges.pinocchio": "PinocchioRobot to_pinocchio",
        "checks.runner": "check",
        "collision.matrix": "self_collision",
        "collision.collisions": "collisions",
        "conversion.output": "SaveError",
        "conversion.pipeline": "convert save",
        "conversion.report": "Report",
        "conversion.serialization": "dumps",
        "edits.attach": "attach",
        "edits.names": "GraftError",
        "edits.rename": "prefix rename",
        "edits.subtree": "subtree",
        "files.access": "Files",
        "fixes.fixer": "fix",
        "fixes.plan": "Fix",
        "formats.format": "Format",
        "formats.loader": "LoadError Reading load loads read",
        "mechanism": "AssembleError Mechanism assemble",
        "mechanism.inverse_kinematics": "Target",
        "mechanism.pinocchio": "MissingPinocchio",
        "meshes.shapes": "mesh",
        "model.device": (
            "Accelerometer Camera Device DirectionalLight ForceTorque Gyro Imu Opaque PointLight "
            "RangeSensor SpotLight"
        ),
        "model.facts": "Difference diff facts",
        "model.inertia": "Inertial",
        "model.patch": "PatchError patch",
        "model.pose": "Pose",
        "model.robot": (
            "Actuator Configuration Coordinate Coupling Drive Dynamics Extra ExtraFile Frame Group Holds "
            "Joint Limits Link Loop Robot SelfCollision"
        ),
        "model.scene": "Scene",
        "model.shape": (
            "Box Capsule Cone Cylinder ElevationGrid Ellipsoid Extrusion LineSet Material Mesh "
            "MeshFile Plane PointSet Shape Sphere Texture TextureTransform"
        ),
        "motions.motion": "Motion MotionError",
        "motions.notations": "load_motion save_motion",
        "page.show": "view",
        "planning.ompl": "MissingOmpl OmplValidator ompl_validator",
        "planning.planner": "PlanResult plan",
        "planning.shortening": "shorten",
        "planning.timing": "timed",
        "simulation.scene": "SimulationError",
        "simplification.parts": "MissingParts",
        "simplification.simplify": "Simplification simplify",
        "simulation.batch": "run_batch",
        "simulation.simulation": "Simulation simulate",
        "text.finding": "Finding",
        "text.limits": "ReadLimits",
    }.items()
    for name in names.split()
}

#: Names of earlier versions.
_RENAMED = {"Trajectory": "Motion"}

__all__ = [
    "Accelerometer",
    "Actuator",
    "AssembleError",
    "Box",
    "Camera",
    "Capsule",
    "Cone",
    "Configuration",
    "Coordinate",
    "Coupling",
    "Cylinder",
    "Device",
    "Difference",
    "DirectionalLight",
    "Drive",
    "Dynamics",
    "ElevationGrid",
    "Ellipsoid",
    "ExecutorLost",
    "Extra",
    "ExtraFile",
    "Extrusion",
    "FileRecord",
    "Files",
    "Finding",
    "Fix",
    "ForceTorque",
    "Format",
    "Frame",
    "GraftError",
    "Group",
    "Gyro",
    "Holds",
    "Imu",
    "Inertial",
    "Joint",
    "Limits",
    "LineSet",
    "Link",
    "LoadError",
    "Loop",
    "Material",
    "Mechanism",
    "Mesh",
    "MeshFile",
    "MissingMujoco",
    "MissingOmpl",
    "MissingParts",
    "MissingPinocchio",
    "Motion",
    "MotionError",
    "MujocoError",
    "MujocoModel",
    "OmplValidator",
    "Opaque",
    "PatchError",
    "PinocchioRobot",
    "PlanResult",
    "Plane",
    "PointLight",
    "PointSet",
    "Pose",
    "RangeSensor",
    "ReadLimits",
    "Reading",
    "Report",
    "Robot",
    "SaveError",
    "Scene",
    "SelfCollision",
    "Shape",
    "Simplification",
    "Simulation",
    "SimulationError",
    "Sphere",
    "SpotLight",
    "Target",
    "Texture",
    "TextureTransform",
    "__version__",
    "assemble",
    "attach",
    "check",
    "collisions",
    "convert",
    "diff",
    "dumps",
    "facts",
    "fix",
    "load",
    "load_motion",
    "loads",
    "map",
    "mesh",
    "ompl_validator",
    "patch",
    "plan",
    "prefix",
    "read",
    "rename",
    "run_batch",
    "save",
    "save_motion",
    "self_collision",
    "shorten",
    "simplify",
    "simulate",
    "subtree",
    "timed",
    "to_mujoco",
    "to_pinocchio",
    "view",
]


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        raise AttributeError(f"unibody.{name} is now unibody.{_RENAMED[name]}")
    if name not in _HOME:
        raise AttributeError(f"module 'unibody' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
