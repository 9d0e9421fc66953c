"""Runs all checks of a robot or of a model file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from unibody.files.access import Files
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.validation.basic import check_basic
from unibody.model.validation.numbers import check_numbers
from unibody.text.finding import Finding, Findings, ordered
from unibody.text.source import Source

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.loader import Reading
    from unibody.formats.read_options import ReadKeywords


def check(
    model: Robot | Scene | str | os.PathLike[str] | ModelObject,
    *,
    format: str | Format | None = None,
    engines: str | Iterable[str] = (),
    **reading: Unpack[ReadKeywords],
) -> Findings:
    """Check a robot, a scene or the model file at a path: numbers, structure, meshes, masses and loops.

    For a path, the findings of reading the file come first in the order of its text, and those that its
    comments mute (``unibody: mute CODE``) are left out; the other keywords are those of
    :func:`unibody.read`. With ``engines`` ("mujoco,drake") the last findings are what these programs do
    otherwise with the file. The robots of a scene are checked in one world. Mesh files are opened through
    ``files``, by default the disk. Never raises because of what is in a file.

    >>> from unibody.model.robot import Joint, Limits, Link, Robot
    >>> limits = Limits(position=(1.0, -1.0))
    >>> arm = Joint(name="j", kind="revolute", parent="a", child="b", limits=limits)
    >>> [f.code for f in check(Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(arm,)))]
    ['inertia-missing', 'limits-reversed']
    >>> [f.code for f in check("nowhere.urdf")]
    ['file-missing']
    """
    if not isinstance(model, Robot | Scene):
        from unibody.checks.suppress import split
        from unibody.formats.loader import check_is_model, read_with
        from unibody.formats.read_options import ReadOptions

        check_is_model(model)
        options = ReadOptions.of(reading, format)
        found = read_with(model, format, options)
        return Findings(split(examine(found, options.files, engines), found.source, ())[0])
    if engines:
        raise ValueError(
            "engines: what a program does with a model is a question about a file, not a robot"
        )
    files = reading.pop("files", None)
    if format is not None or reading:
        from unibody.formats.read_options import refuse_reading

        refuse_reading(model, format, reading)
    findings, robot = Findings(), as_robot(model)
    check_basic(robot, findings)
    check_numbers(robot, findings)
    _check_assembly(robot, findings)
    _explore(robot, findings, files)
    first = next((f.at.source for f in findings if f.at), None)
    return Findings(ordered(findings, first))


def examine(reading: Reading, files: Files, engines: str | Iterable[str] = ()) -> list[Finding]:
    """Return the findings of reading, of the checks, of engines, and of unknown codes in mute comments.

    They are sorted by place, with those of engines at the end; muted findings are included.
    """
    from unibody.checks.rules import rules
    from unibody.checks.suppress import unknown_mutes

    findings = Findings(reading.findings)
    if reading.robot is not None:
        _explore(reading.robot, findings, files, reading.format)
    sources: dict[int, Source] = {id(f.at.source): f.at.source for f in findings if f.at}
    if reading.source is not None:
        sources.setdefault(id(reading.source), reading.source)
    unknown_mutes(sources.values(), rules, findings)
    found = ordered(findings, reading.source)
    if not engines:
        return found
    from unibody.checks.engines import engines_named, forecast

    return found + forecast(reading, found, engines_named(engines), files)


def _check_assembly(robot: Robot, findings: Findings) -> None:
    """Report a robot that cannot be assembled, unless other errors explain it."""
    from unibody.mechanism.assembly import AssembleError, assemble

    if findings.errors or any(joint.missing for joint in robot.joints):
        return
    try:
        assemble(robot)
    except AssembleError as error:
        findings.error("cannot-assemble", f"the links cannot be moved: {error}")


def further(robot: Robot, known: Sequence[Finding] = (), files: Files | None = None) -> list[Finding]:
    """Return the findings of the checks that need meshes or link poses, without the ``known`` ones."""
    findings = Findings(known)
    _explore(robot, findings, files)
    return findings[len(known) :]


def _explore(robot: Robot, findings: Findings, files: Files | None, format: Format | None = None) -> None:
    """Run the checks that need meshes or link poses; remedies are those of the format.

    A finding of an inertia is replaced where its cause is found.
    """
    # Imported here, since the gaps of loops need no meshes.
    import numpy as np

    from unibody.checks.collisions import check_collisions
    from unibody.checks.loops import check_loops
    from unibody.checks.masses import check_masses
    from unibody.checks.meshes import check_meshes
    from unibody.checks.offsets import check_offsets
    from unibody.checks.shapes import link_shapes
    from unibody.checks.sides import check_sides
    from unibody.checks.sizes import check_sizes
    from unibody.checks.textures import check_textures
    from unibody.meshes import MeshCache

    # Overflow is reported by check_numbers; here comparisons are just false.
    with np.errstate(all="ignore"):
        cache = MeshCache(files, findings)
        shapes = link_shapes(robot, cache)
        odd = check_meshes(robot, shapes, findings)
        odd |= check_sides(shapes, odd, findings)
        check_textures(shapes, cache.files, findings)
        check_masses(robot, [one for one in shapes if one.link.name not in odd], findings)
        check_offsets(robot, shapes, findings)
        check_sizes(robot, shapes, odd, findings)
        check_loops(robot, findings)
        check_collisions(robot, shapes, cache, findings, format)
