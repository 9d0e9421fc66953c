"""All checks of a robot in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unibody.files import Files
from unibody.model.check.basic import check_basic
from unibody.model.robot import Robot
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source


def check(robot: Robot, files: Files | None = None) -> list[Finding]:
    """Everything that is wrong with a robot, or worth a look: its numbers, its meshes, its loops.

    What reading its file has found (``ub.read(path).findings``) is not here. Mesh files are opened
    through ``files``, by default the disk.

    >>> from unibody.model.robot import Joint, Limits, Link
    >>> limits = Limits(position=(1.0, -1.0))
    >>> arm = Joint(name="j", kind="revolute", parent="a", child="b", limits=limits)
    >>> [f.code for f in check(Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(arm,)))]
    ['limits-reversed', 'inertia-missing']
    """
    findings = Findings()
    check_basic(robot, findings)
    return ordered([*findings, *further(robot, findings, files)])


def further(robot: Robot, known: Sequence[Finding] = (), files: Files | None = None) -> list[Finding]:
    """What the checks find that need meshes, or where the links are, beyond the ``known`` findings."""
    # Imported here: who only asks for the gaps of loops needs no meshes.
    from unibody.check.loops import check_loops
    from unibody.check.masses import check_masses
    from unibody.check.meshes import check_meshes
    from unibody.check.offsets import check_offsets
    from unibody.check.shapes import link_shapes
    from unibody.mesh import MeshCache

    findings = Findings(known)
    shapes = link_shapes(robot, MeshCache(files, findings))
    odd = check_meshes(robot, shapes, findings)
    check_masses(robot, [one for one in shapes if one.link.name not in odd], findings)
    check_offsets(robot, shapes, findings)
    check_loops(robot, findings)
    return findings[len(known) :]


def ordered(findings: Iterable[Finding], main: Source | None = None) -> list[Finding]:
    """Findings in the order of the text: those of the file ``main`` first, those without a place last."""

    def order(f: Finding) -> tuple[int, str, int]:
        if f.at is None:
            return (2, "", 0)
        return (0 if f.at.source is main else 1, f.at.source.name, f.at.start)

    return sorted(findings, key=order)
