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

__version__ = "0.1.0"

if TYPE_CHECKING:
    from unibody.checks import check
    from unibody.conversion.convert import convert
    from unibody.conversion.report import Report
    from unibody.conversion.save import Options, SaveError, save
    from unibody.fixes import Fix, fix
    from unibody.formats.loader import LoadError, Reading, load, read
    from unibody.formats.mpk.plan import Plan, read_plan, write_plan
    from unibody.mechanism import Mechanism, assemble
    from unibody.mechanism.trace import trace
    from unibody.meshes import mesh
    from unibody.model.changes.graft import attach, rename, subtree
    from unibody.model.facts import Difference, diff, facts
    from unibody.model.pose import Pose
    from unibody.model.robot import Joint, Link, Robot
    from unibody.page.show import view
    from unibody.text.finding import Finding
    from unibody.text.limits import ReadLimits

# Where each public name lives; modules are imported when a name is first used, so that
# `import unibody` costs next to nothing.
_HOME = {
    "Difference": "unibody.model.facts",
    "Finding": "unibody.text.finding",
    "Fix": "unibody.fixes.plan",
    "Joint": "unibody.model.robot",
    "Link": "unibody.model.robot",
    "LoadError": "unibody.formats.loader",
    "Mechanism": "unibody.mechanism",
    "Options": "unibody.conversion.save",
    "Plan": "unibody.formats.mpk.plan",
    "Pose": "unibody.model.pose",
    "ReadLimits": "unibody.text.limits",
    "Reading": "unibody.formats.loader",
    "Report": "unibody.conversion.report",
    "Robot": "unibody.model.robot",
    "SaveError": "unibody.conversion.save",
    "assemble": "unibody.mechanism",
    "attach": "unibody.model.changes.graft",
    "check": "unibody.checks.runner",
    "convert": "unibody.conversion.convert",
    "diff": "unibody.model.facts",
    "facts": "unibody.model.facts",
    "fix": "unibody.fixes.fixer",
    "load": "unibody.formats.loader",
    "mesh": "unibody.meshes.shapes",
    "read": "unibody.formats.loader",
    "read_plan": "unibody.formats.mpk.plan",
    "rename": "unibody.model.changes.graft",
    "save": "unibody.conversion.save",
    "subtree": "unibody.model.changes.graft",
    "trace": "unibody.mechanism.trace",
    "view": "unibody.page.show",
    "write_plan": "unibody.formats.mpk.plan",
}

__all__ = [
    "Difference",
    "Finding",
    "Fix",
    "Joint",
    "Link",
    "LoadError",
    "Mechanism",
    "Options",
    "Plan",
    "Pose",
    "ReadLimits",
    "Reading",
    "Report",
    "Robot",
    "SaveError",
    "__version__",
    "assemble",
    "attach",
    "check",
    "convert",
    "diff",
    "facts",
    "fix",
    "load",
    "mesh",
    "read",
    "read_plan",
    "rename",
    "save",
    "subtree",
    "trace",
    "view",
    "write_plan",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'unibody' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
