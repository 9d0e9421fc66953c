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
    from unibody.check import check
    from unibody.convert import convert
    from unibody.fix import Fix, fix
    from unibody.formats.load import LoadError, Reading, load, read
    from unibody.mechanism import Mechanism, assemble
    from unibody.mechanism.trace import trace
    from unibody.mesh import mesh
    from unibody.model.change.graft import attach, rename, subtree
    from unibody.model.facts import Difference, diff, facts
    from unibody.model.pose import Pose
    from unibody.model.robot import Joint, Link, Robot
    from unibody.plans import Plan, read_plan, write_plan
    from unibody.report import Report
    from unibody.save import Options, SaveError, save
    from unibody.text.finding import Finding
    from unibody.text.limits import ReadLimits
    from unibody.view.show import view

# Where each public name lives; modules are imported when a name is first used, so that
# `import unibody` costs next to nothing.
_HOME = {
    "Difference": "unibody.model.facts",
    "Finding": "unibody.text.finding",
    "Fix": "unibody.fix",
    "Joint": "unibody.model.robot",
    "Link": "unibody.model.robot",
    "LoadError": "unibody.formats.load",
    "Mechanism": "unibody.mechanism",
    "Options": "unibody.save",
    "Plan": "unibody.plans",
    "Pose": "unibody.model.pose",
    "ReadLimits": "unibody.text.limits",
    "Reading": "unibody.formats.load",
    "Report": "unibody.report",
    "Robot": "unibody.model.robot",
    "SaveError": "unibody.save",
    "assemble": "unibody.mechanism",
    "attach": "unibody.model.change.graft",
    "check": "unibody.check",
    "convert": "unibody.convert",
    "diff": "unibody.model.facts",
    "facts": "unibody.model.facts",
    "fix": "unibody.fix",
    "load": "unibody.formats.load",
    "mesh": "unibody.mesh",
    "read": "unibody.formats.load",
    "read_plan": "unibody.plans",
    "rename": "unibody.model.change.graft",
    "save": "unibody.save",
    "subtree": "unibody.model.change.graft",
    "trace": "unibody.mechanism.trace",
    "view": "unibody.view",
    "write_plan": "unibody.plans",
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

    home = import_module(_HOME[name])
    # A package that has the name of its function can itself be called, whoever imports it first.
    value = home if _HOME[name] == f"unibody.{name}" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
