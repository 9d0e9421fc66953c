"""All checks of a robot in one call."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.files.access import Files
from unibody.model.needed import check_is_robot
from unibody.model.robot import Robot
from unibody.model.validation.basic import check_basic
from unibody.model.validation.numbers import check_numbers
from unibody.text.finding import Finding, Findings, ordered


def check(robot: Robot, files: Files | None = None) -> list[Finding]:
    """Everything that is wrong with a robot, or worth a look: its numbers, its meshes, its loops.

    What reading its file has found (``ub.read(path).findings``) is not here. Mesh files are opened
    through ``files``, by default the disk.

    >>> from unibody.model.robot import Joint, Limits, Link, Robot
    >>> limits = Limits(position=(1.0, -1.0))
    >>> arm = Joint(name="j", kind="revolute", parent="a", child="b", limits=limits)
    >>> [f.code for f in check(Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(arm,)))]
    ['inertia-missing', 'limits-reversed']
    """
    check_is_robot(robot)
    findings = Findings()
    check_basic(robot, findings)
    check_numbers(robot, findings)
    _check_assembly(robot, findings)
    findings += further(robot, findings, files)
    first = next((f.at.source for f in findings if f.at), None)
    return ordered(findings, first)


def _check_assembly(robot: Robot, findings: Findings) -> None:
    """An error for joints that cannot be put together, where none says why already."""
    from unibody.mechanism.assemble import NOT_COMPUTED, AssembleError, assemble

    if findings.errors or any(joint.kind in NOT_COMPUTED for joint in robot.joints):
        return
    try:
        assemble(robot)
    except AssembleError as error:
        findings.error("cannot-assemble", f"the links cannot be moved: {error}")


def further(robot: Robot, known: Sequence[Finding] = (), files: Files | None = None) -> list[Finding]:
    """What the checks find that need meshes, or where the links are, beyond the ``known`` findings."""
    # Imported here: who only asks for the gaps of loops needs no meshes.
    import numpy as np

    from unibody.checks.loops import check_loops
    from unibody.checks.masses import check_masses
    from unibody.checks.meshes import check_meshes
    from unibody.checks.offsets import check_offsets
    from unibody.checks.shapes import link_shapes
    from unibody.meshes import MeshCache

    findings = Findings(known)
    # Numbers that overflow have a finding of their own; here they only fail to compare.
    with np.errstate(all="ignore"):
        shapes = link_shapes(robot, MeshCache(files, findings))
        odd = check_meshes(robot, shapes, findings)
        check_masses(robot, [one for one in shapes if one.link.name not in odd], findings)
        check_offsets(robot, shapes, findings)
        check_loops(robot, findings)
    return findings[len(known) :]
