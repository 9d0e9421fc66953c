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

__version__ = "0.3.0"

if TYPE_CHECKING:
    from unibody.batch.mapping import ExecutorLost, map
    from unibody.batch.record import FileRecord
    from unibody.bridges.mimics import UnsupportedCoupling
    from unibody.bridges.mujoco import MujocoError, MujocoModel, to_mujoco
    from unibody.bridges.pinocchio import PinocchioRobot, to_pinocchio
    from unibody.checks.runner import check
    from unibody.collision.collisions import collisions
    from unibody.collision.geometry import CollisionError, MissingMesh
    from unibody.collision.matrix import CollisionMatrix, LinkPair, self_collision
    from unibody.collision.motion import MotionCheck
    from unibody.collision.ranges import FreeRanges, JointRange
    from unibody.collision.world import Distance, Hit, World
    from unibody.conversion.layout import Layout
    from unibody.conversion.output import SaveError
    from unibody.conversion.pipeline import convert, save
    from unibody.conversion.report import Loss, Report
    from unibody.conversion.serialization import dumps
    from unibody.conversion.verification import Proof
    from unibody.edits.attach import attach
    from unibody.edits.names import GraftError
    from unibody.edits.rename import prefix, rename
    from unibody.edits.subtree import subtree
    from unibody.files.access import FileError, Files
    from unibody.fixes.fixer import fix
    from unibody.fixes.plan import Change, FindingFix, Fix, Refused
    from unibody.formats.format import Format
    from unibody.formats.loader import LoadError, Reading, load, loads, read
    from unibody.formats.mpk.plan import Plan, read_plan, write_plan
    from unibody.formats.read_options import ReadKeywords
    from unibody.functions import assemble, diff
    from unibody.mechanism import AssembleError, Mechanism
    from unibody.mechanism.closure import Closure, Mobility
    from unibody.mechanism.inverse_kinematics import Solution, Target
    from unibody.mechanism.normalized_space import NormalizedSpace, NormalizedSpaceError
    from unibody.meshes.cache import MeshCache
    from unibody.meshes.shapes import mesh
    from unibody.model.device import (
        Accelerometer,
        Camera,
        ContactSwitch,
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
    from unibody.model.facts import Difference, facts
    from unibody.model.inertia import Inertial
    from unibody.model.patch import PatchError, patch
    from unibody.model.pose import Pose
    from unibody.model.robot import (
        Actuator,
        Chain,
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
    from unibody.motions.motion import Motion, MotionError, MotionState
    from unibody.motions.notations import load_motion, save_motion
    from unibody.motions.run import RecordError
    from unibody.page.chromium import BrowserError
    from unibody.page.show import View, view
    from unibody.planning.ompl import OmplValidator, ompl_validator
    from unibody.planning.planner import PlanResult, plan
    from unibody.planning.shortening import shorten
    from unibody.planning.timing import timed
    from unibody.proof.joint_map import JointMap, JointMapError, MappedJoint, Permutation
    from unibody.proof.mapping import joint_map
    from unibody.proof.proving import prove
    from unibody.proof.result import EngineProof, EngineResult
    from unibody.simplification.simplify import Simplification, SimplifiedLink, simplify
    from unibody.simulation.batch import run_batch
    from unibody.simulation.checks import SimulationError
    from unibody.simulation.contacts import Contacts
    from unibody.simulation.control import Control
    from unibody.simulation.control_file import ControlError
    from unibody.simulation.materials import MaterialTable
    from unibody.simulation.placement import lifted
    from unibody.simulation.record import Record, load_record
    from unibody.simulation.recording import Recorder
    from unibody.simulation.rendering import RenderingError
    from unibody.simulation.sampling import Sampling
    from unibody.simulation.simulation import Simulation, SimulationState, simulate
    from unibody.text.edit import Edit, ProposedFix
    from unibody.text.finding import Cause, Finding, Findings
    from unibody.text.limits import LimitError, ReadLimits
    from unibody.text.missing import MissingExtra
    from unibody.text.source import Span

# Where each public name is defined; a module is imported on the first use of one of its names, so that
# `import unibody` costs next to nothing.
_HOME = {
    name: f"unibody.{module}"
    for module, names in {
        "batch.mapping": "ExecutorLost map",
        "batch.record": "FileRecord",
        "bridges.mimics": "UnsupportedCoupling",
        "bridges.mujoco": "MujocoError MujocoModel to_mujoco",
        "bridges.pinocchio": "PinocchioRobot to_pinocchio",
        "checks.runner": "check",
        "collision.collisions": "collisions",
        "collision.geometry": "CollisionError MissingMesh",
        "collision.matrix": "CollisionMatrix LinkPair self_collision",
        "collision.motion": "MotionCheck",
        "collision.ranges": "FreeRanges JointRange",
        "collision.world": "Distance Hit World",
        "conversion.layout": "Layout",
        "conversion.output": "SaveError",
        "conversion.pipeline": "convert save",
        "conversion.report": "Loss Report",
        "conversion.serialization": "dumps",
        "conversion.verification": "Proof",
        "edits.attach": "attach",
        "edits.names": "GraftError",
        "edits.rename": "prefix rename",
        "edits.subtree": "subtree",
        "files.access": "FileError Files",
        "fixes.fixer": "fix",
        "fixes.plan": "Change FindingFix Fix Refused",
        "formats.format": "Format",
        "formats.loader": "LoadError Reading load loads read",
        "formats.mpk.plan": "Plan read_plan write_plan",
        "formats.read_options": "ReadKeywords",
        "functions": "assemble diff",
        "mechanism": "AssembleError Mechanism",
        "mechanism.closure": "Closure Mobility",
        "mechanism.inverse_kinematics": "Solution Target",
        "mechanism.normalized_space": "NormalizedSpace NormalizedSpaceError",
        "meshes.cache": "MeshCache",
        "meshes.shapes": "mesh",
        "model.device": (
            "Accelerometer Camera ContactSwitch Device DirectionalLight ForceTorque Gyro Imu Opaque "
            "PointLight RangeSensor SpotLight"
        ),
        "model.facts": "Difference facts",
        "model.inertia": "Inertial",
        "model.patch": "PatchError patch",
        "model.pose": "Pose",
        "model.robot": (
            "Actuator Chain Configuration Coordinate Coupling Drive Dynamics Extra ExtraFile Frame "
            "Group Holds Joint Limits Link Loop Robot SelfCollision"
        ),
        "model.scene": "Scene",
        "model.shape": (
            "Box Capsule Cone Cylinder ElevationGrid Ellipsoid Extrusion LineSet Material Mesh "
            "MeshFile Plane PointSet Shape Sphere Texture TextureTransform"
        ),
        "motions.motion": "Motion MotionError MotionState",
        "motions.notations": "load_motion save_motion",
        "motions.run": "RecordError",
        "page.chromium": "BrowserError",
        "page.show": "View view",
        "planning.ompl": "OmplValidator ompl_validator",
        "planning.planner": "PlanResult plan",
        "planning.shortening": "shorten",
        "planning.timing": "timed",
        "proof.joint_map": "JointMap JointMapError MappedJoint Permutation",
        "proof.mapping": "joint_map",
        "proof.proving": "prove",
        "proof.result": "EngineProof EngineResult",
        "simplification.simplify": "Simplification SimplifiedLink simplify",
        "simulation.batch": "run_batch",
        "simulation.checks": "SimulationError",
        "simulation.contacts": "Contacts",
        "simulation.control": "Control",
        "simulation.control_file": "ControlError",
        "simulation.materials": "MaterialTable",
        "simulation.placement": "lifted",
        "simulation.record": "Record load_record",
        "simulation.recording": "Recorder",
        "simulation.rendering": "RenderingError",
        "simulation.sampling": "Sampling",
        "simulation.simulation": "Simulation SimulationState simulate",
        "text.edit": "ProposedFix Edit",
        "text.finding": "Cause Finding Findings",
        "text.limits": "LimitError ReadLimits",
        "text.missing": "MissingExtra",
        "text.source": "Span",
    }.items()
    for name in names.split()
}

#: Names of earlier versions.
_RENAMED = {
    "MissingMujoco": "MissingExtra",
    "MissingOmpl": "MissingExtra",
    "MissingParts": "MissingExtra",
    "MissingPinocchio": "MissingExtra",
    "Trajectory": "Motion",
}

__all__ = [
    "Accelerometer",
    "Actuator",
    "AssembleError",
    "Box",
    "BrowserError",
    "Camera",
    "Capsule",
    "Cause",
    "Chain",
    "Change",
    "Closure",
    "CollisionError",
    "CollisionMatrix",
    "Cone",
    "Configuration",
    "ContactSwitch",
    "Contacts",
    "Control",
    "ControlError",
    "Coordinate",
    "Coupling",
    "Cylinder",
    "Device",
    "Difference",
    "DirectionalLight",
    "Distance",
    "Drive",
    "Dynamics",
    "Edit",
    "ElevationGrid",
    "Ellipsoid",
    "EngineProof",
    "EngineResult",
    "ExecutorLost",
    "Extra",
    "ExtraFile",
    "Extrusion",
    "FileError",
    "FileRecord",
    "Files",
    "Finding",
    "FindingFix",
    "Findings",
    "Fix",
    "ForceTorque",
    "Format",
    "Frame",
    "FreeRanges",
    "GraftError",
    "Group",
    "Gyro",
    "Hit",
    "Holds",
    "Imu",
    "Inertial",
    "Joint",
    "JointMap",
    "JointMapError",
    "JointRange",
    "Layout",
    "LimitError",
    "Limits",
    "LineSet",
    "Link",
    "LinkPair",
    "LoadError",
    "Loop",
    "Loss",
    "MappedJoint",
    "Material",
    "MaterialTable",
    "Mechanism",
    "Mesh",
    "MeshCache",
    "MeshFile",
    "MissingExtra",
    "MissingMesh",
    "Mobility",
    "Motion",
    "MotionCheck",
    "MotionError",
    "MotionState",
    "MujocoError",
    "MujocoModel",
    "NormalizedSpace",
    "NormalizedSpaceError",
    "OmplValidator",
    "Opaque",
    "PatchError",
    "Permutation",
    "PinocchioRobot",
    "Plan",
    "PlanResult",
    "Plane",
    "PointLight",
    "PointSet",
    "Pose",
    "Proof",
    "ProposedFix",
    "RangeSensor",
    "ReadKeywords",
    "ReadLimits",
    "Reading",
    "Record",
    "RecordError",
    "Recorder",
    "Refused",
    "RenderingError",
    "Report",
    "Robot",
    "Sampling",
    "SaveError",
    "Scene",
    "SelfCollision",
    "Shape",
    "Simplification",
    "SimplifiedLink",
    "Simulation",
    "SimulationError",
    "SimulationState",
    "Solution",
    "Span",
    "Sphere",
    "SpotLight",
    "Target",
    "Texture",
    "TextureTransform",
    "UnsupportedCoupling",
    "View",
    "World",
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
    "joint_map",
    "lifted",
    "load",
    "load_motion",
    "load_record",
    "loads",
    "map",
    "mesh",
    "ompl_validator",
    "patch",
    "plan",
    "prefix",
    "prove",
    "read",
    "read_plan",
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
    "write_plan",
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
