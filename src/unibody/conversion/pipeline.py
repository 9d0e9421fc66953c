"""Saves and converts models: lower, write, read back, measure."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Literal

from unibody.conversion.asset_paths import file_paths
from unibody.conversion.destination import UrdfLoops, UrdfVersion, choose_destination
from unibody.conversion.lowering import check_writable, lower
from unibody.conversion.measurement import find_differences, measure
from unibody.conversion.output import SaveError, exclusive_output
from unibody.conversion.readback import obsolete_assets, read_output
from unibody.conversion.reading_loss import reading_loss
from unibody.conversion.report import Report
from unibody.conversion.writing import sidecar_lines, write
from unibody.files.access import Files
from unibody.formats.format import Format
from unibody.formats.loader import LoadError, Reading, read_watched
from unibody.model.robot import Robot, check_is_robot
from unibody.model.shape import conversion_findings
from unibody.text.finding import Finding, ordered
from unibody.text.limits import DEFAULT as DEFAULT_LIMITS
from unibody.text.limits import ReadLimits

Meshes = Literal["copy", "keep"]


def save(
    robot: Robot,
    path: str | os.PathLike[str],
    *,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    package: str = "",
    urdf_version: UrdfVersion = "",
    loops: UrdfLoops = "",
    dry_run: bool = False,
) -> Report:
    """Write a robot as a model file; the report lists what the format cannot represent.

    ``format`` is a name or a Format, by default that of the suffix; ``overwrite`` replaces an existing
    model; ``plain`` writes no side-car for what the format lacks; ``meshes`` copies mesh files into the
    asset folder beside the model ("copy") or refers to the originals ("keep"); ``package`` makes their
    URIs begin with package://NAME/; ``urdf_version`` is the version that a URDF file states, "auto" the
    oldest that can say everything, "" that of a URDF source, else 1.0; ``loops`` chooses the elements for
    closed loops in URDF, "constraint" by default; ``dry_run`` measures without writing.
    Raises SaveError if the robot cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from unibody.model.robot import Link
    >>> file = Path(tempfile.mkdtemp()) / "box.urdf"
    >>> report = save(Robot(name="box", links=(Link(name="box"),)), file)
    >>> print(file.read_text(), end="")
    <?xml version="1.0"?>
    <robot name="box">
      <link name="box"/>
    </robot>
    """
    check_is_robot(robot)
    return _save(
        robot,
        os.fspath(path),
        format=format,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=package,
        options={"urdf_version": urdf_version, "loops": loops},
        dry_run=dry_run,
    )


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    package: str = "",
    urdf_version: UrdfVersion = "",
    loops: UrdfLoops = "",
    dry_run: bool = False,
    source_format: str | Format | None = None,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
) -> Report:
    """Convert a model file: read it, write it, and report what was lost on both sides.

    The options of writing are those of :func:`save`; ``source_format`` and those after it are those of
    :func:`read`. Raises LoadError if the source has errors, SaveError if the target cannot be written.

    >>> convert("nowhere.urdf", "nowhere.body")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    LoadError: nowhere.urdf cannot be loaded
    """
    reading = read_source(
        source,
        source_format=source_format,
        packages=packages,
        allow=allow,
        arguments=arguments,
        limits=limits,
    )
    return save_reading(
        reading,
        target,
        format=format,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=package,
        urdf_version=urdf_version,
        loops=loops,
        dry_run=dry_run,
    )


def read_source(
    path: str | os.PathLike[str],
    *,
    source_format: str | Format | None = None,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
) -> Reading:
    """Read a model file and record which elements are read; LoadError if it has errors."""
    files = Files(packages=dict(packages or {}), allow=allow, limits=limits or DEFAULT_LIMITS)
    reading = read_watched(path, files, source_format, dict(arguments or {}))
    if not reading.ok:
        raise LoadError(os.fspath(path), reading.findings)
    return reading


def save_reading(
    reading: Reading,
    path: str | os.PathLike[str],
    *,
    robot: Robot | None = None,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    package: str = "",
    urdf_version: UrdfVersion = "",
    loops: UrdfLoops = "",
    dry_run: bool = False,
) -> Report:
    """Write the robot of a reading, or a changed ``robot``; the report includes the reading loss."""
    robot = robot or reading.robot
    assert robot is not None
    target = os.fspath(path)
    sources = {*reading.opened, *file_paths(reading.robot or robot)}
    if os.path.realpath(target) in set(map(os.path.realpath, sources)):
        what = f"{target} is a source of the model"
        hint = "write to another name, or use 'unibody fmt' to format the file"
        raise SaveError([Finding("output-exists", "error", what, hint=hint)])
    report = _save(
        robot,
        target,
        format=format,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=package,
        options={"urdf_version": urdf_version, "loops": loops},
        dry_run=dry_run,
        sources=sources,
    )
    findings = ordered([*reading.findings, *_shape_findings(robot)], reading.source)
    return replace(
        report,
        source=robot.name if reading.source is None else reading.source.name,
        reading=reading_loss(reading),
        findings=(*(f for f in findings if f.severity != "info"), *report.findings),
    )


def _save(
    robot: Robot,
    path: str,
    *,
    format: str | Format | None,
    overwrite: bool,
    plain: bool,
    meshes: Meshes,
    package: str,
    options: Mapping[str, str],
    dry_run: bool,
    sources: Collection[str] = (),
) -> Report:
    """Lower, write, read back, measure; ``sources`` are files that must not be removed."""
    used = file_paths(robot)
    keep = meshes == "keep"
    allow = {os.path.dirname(os.path.abspath(p)) for p in used} if keep else ()
    destination = choose_destination(path, format, keep=keep, package=package, allow=allow, options=options)
    robot = destination.writer.requested(robot)
    check_writable(robot)
    with nullcontext() if dry_run else exclusive_output(destination.path):
        lowered = lower(robot, destination, plain)
        output = write(lowered, destination, [])
        output.check(overwrite)
        readback = read_output(output, destination.format, plain=True)
        loaded = destination.writer.as_loaded(readback)
        losses = find_differences(robot, loaded, output.assets.digest)
        remaining = losses
        if losses and not plain:
            carried = readback
            if sidecar := sidecar_lines(lowered, readback):
                output = write(lowered, destination, sidecar)
                output.check(overwrite)
                carried = read_output(output, destination.format)
            remaining = find_differences(robot, carried, output.assets.digest)
        report = measure(
            robot,
            readback,
            loaded=loaded,
            losses=losses,
            remaining=remaining,
            output=output,
            destination=destination,
        )
        if not dry_run:
            output.save(overwrite, obsolete_assets(output, {*used, *sources}) if overwrite else ())
    warnings = tuple(f for f in lowered.store.findings if f.severity != "info")
    return replace(report, target=path, findings=warnings, written=not dry_run)


def _shape_findings(robot: Robot) -> Iterator[Finding]:
    """Findings in the numbers of lazy shapes, which are parsed when they are first used."""
    seen: set[int] = set()
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions, *(link.collisions_alt or ())):
            found = conversion_findings(shape.geometry)
            if found and id(found) not in seen:
                seen.add(id(found))
                yield from found
