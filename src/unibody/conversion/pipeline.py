"""Saves and converts models: the public functions, and the order of all steps (``_save``)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal

from unibody.conversion.asset_paths import file_paths, places_not_found
from unibody.conversion.completion import (
    completion_at,
    completion_in,
    completions,
    origin_of_completion,
    subject_of,
    with_completions,
)
from unibody.conversion.destination import (
    Destination,
    checked_options,
    choose_destination,
    target_format,
)
from unibody.conversion.layout import Origin, origin_at, origin_of
from unibody.conversion.lowering import check_writable
from unibody.conversion.measurement import edit_losses, measure, measure_beside
from unibody.conversion.output import SaveError, exclusive_output
from unibody.conversion.readback import dead_references, obsolete_assets, without_kept
from unibody.conversion.reading_loss import reading_loss
from unibody.conversion.report import Report
from unibody.conversion.scenes import write_robots
from unibody.conversion.steps import Written, write_model
from unibody.conversion.unread_files import meshes_without_faces, unopened_meshes, unread_files
from unibody.document.declare import Document
from unibody.document.unread import Unread
from unibody.edits.edit import RobotEdit
from unibody.files.access import Files
from unibody.formats import by_name
from unibody.formats.format import Format, ModelObject
from unibody.formats.loader import Reading, check_is_model, checked, read_with
from unibody.formats.options import declared_options
from unibody.formats.read_options import ReadKeywords, ReadOptions, refuse_reading
from unibody.meshes import MeshCache
from unibody.model.base import Base
from unibody.model.equality import last_part
from unibody.model.robot import Robot
from unibody.model.scene import Scene, as_robot, scene_with_base
from unibody.model.shape import conversion_findings
from unibody.text.finding import Finding, Findings, ordered
from unibody.text.renamed import renamed_keywords

Meshes = Literal["copy", "keep"]


@renamed_keywords(package="mesh_package")
def save(
    robot: Robot | Scene,
    path: str | os.PathLike[str],
    *,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    mesh_package: str = "",
    base: Base | None = None,
    dry_run: bool = False,
    **options: str,
) -> Report:
    """Write a robot as a model file; the report lists what the format cannot represent.

    ``format`` is a name or a Format, by default that of the suffix; ``overwrite`` replaces an existing
    model; ``plain`` writes no side-car for what the format lacks; ``meshes`` copies mesh files into the
    asset folder beside the model ("copy") or refers to the originals ("keep"); ``mesh_package`` makes their
    URIs begin with package://NAME/; ``base`` is "fixed" or "free", whatever the robot says; ``dry_run``
    measures without writing. The further ``options`` are those that the format declares, such as
    ``urdf_version="1.2"`` (see docs/options.md); "" is the default of each. If the robot was read from the
    file that is replaced, only the lines that must change do; comments and layout stay. TypeError for an
    option that no format has; SaveError with the code option-unsupported for one that another format has,
    and if the robot cannot be written.

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
    chosen = target_format(os.fspath(path), format)
    given = as_robot(robot, base)
    return _save(
        given,
        os.fspath(path),
        format=chosen,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=mesh_package,
        options=checked_options(chosen, options, save.__kwdefaults__ or ()),
        dry_run=dry_run,
        scene=scene_with_base(robot, base) if isinstance(robot, Scene) else None,
    )


@renamed_keywords(package="mesh_package")
def convert(
    source: Robot | Scene | str | os.PathLike[str] | ModelObject,
    target: str | os.PathLike[str],
    *,
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    mesh_package: str = "",
    dry_run: bool = False,
    source_format: str | Format | None = None,
    **options: Any,
) -> Report:
    """Convert a model file: read it, write it, and report what was lost on both sides.

    A robot or a scene instead of a path is written as :func:`save` does.
    The options of writing are those of :func:`save`, ``source_format`` and the other ``options`` those of
    :func:`read` or of the target's format; ``srdf=""`` is both: no SRDF is read, and none is written.
    Raises LoadError if the source has errors, SaveError if the target cannot be written.

    >>> convert("nowhere.urdf", "nowhere.body")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    LoadError: nowhere.urdf cannot be loaded
    """
    chosen = target_format(os.fspath(target), format)
    keywords, given = split_options(options, chosen, source_format, convert.__kwdefaults__ or ())
    if isinstance(source, Robot | Scene):
        base = keywords.pop("base", None)
        reading: Any = {name: value for name, value in keywords.items() if name not in given}
        refuse_reading(source, source_format, reading, "source_format")
        return save(
            source,
            target,
            format=chosen,
            overwrite=overwrite,
            plain=plain,
            meshes=meshes,
            mesh_package=mesh_package,
            base=base,
            dry_run=dry_run,
            **given,
        )
    check_is_model(source)
    how = ReadOptions.of(keywords, source_format)
    return save_reading(
        read_source(source, source_format, how),
        target,
        format=chosen,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=mesh_package,
        options=given,
        dry_run=dry_run,
    )


def split_options(
    options: Mapping[str, Any], target: Format, source: str | Format | None, known: Collection[str]
) -> tuple[ReadKeywords, dict[str, str]]:
    """The options of reading and of writing; one that both have is for writing if its value is a choice.

    ``known`` are further keywords, which an unknown one may mean.
    """
    reading = {*ReadKeywords.__annotations__, *declared_options(source)}
    choices = {option.name: option.choices for option in target.options}
    keywords: Any = {name: value for name, value in options.items() if name in reading}
    written = {
        name: value
        for name, value in options.items()
        if name not in reading or value in choices.get(name, ())
    }
    return keywords, checked_options(target, written, {*reading, *known})


def read_source(
    path: str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    options: ReadOptions | None = None,
) -> Reading:
    """Read a model file and record which elements are read; LoadError if it has errors."""
    return checked(path, read_with(path, format, options, watch=True))


def save_reading(
    reading: Reading,
    path: str | os.PathLike[str],
    *,
    edit: RobotEdit | None = None,
    attached: Sequence[Reading] = (),
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
    meshes: Meshes = "copy",
    package: str = "",
    options: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Report:
    """Write the robot of a reading, or of an ``edit`` of it; the report includes the reading loss.

    ``attached`` are the readings of the other inputs of the edit: the report includes their losses, too.
    """
    robot = reading.robot if edit is None else edit.robot
    assert robot is not None
    target = os.fspath(path)
    inputs = (reading, *attached)
    sources = {name for x in inputs for name in (*x.opened, *(file_paths(x.robot) if x.robot else ()))}
    if os.path.realpath(target) in set(map(os.path.realpath, sources)):
        what = f"{target} is a source of the model"
        hint = "write to another name; the verb fmt formats a file in place"
        raise SaveError([Finding("output-exists", "error", what, hint=hint)])
    report = _save(
        robot,
        target,
        format=format,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=package,
        options=options or {},
        dry_run=dry_run,
        sources=sources,
        notes=[f for x in inputs for f in x.findings],
        reading=reading,
        ignored=[u for x in inputs for u in reading_loss(x)],
        scene=reading.scene if edit is None else None,
    )
    found = [f for x in inputs for f in x.findings]
    shapes: Iterator[Finding] = _shape_findings(robot)
    ignored = report.reading
    if report.subject:  # the rest of the model is in other files
        root = _declared(report.format)
        ignored = tuple(u for x in inputs for u in reading_loss(x, root))
        found = [f for f in found if f.at is None or f.at.source.name in _files_of(inputs, root)]
        shapes = iter(())
    joined = [x.source.name for x in attached if x.source is not None]
    findings = ordered([*found, *(() if edit is None else edit.findings), *shapes], reading.source)
    return replace(
        report,
        source=robot.name if reading.source is None else reading.source.name,
        beside=tuple(dict.fromkeys([*joined, *(path for x in inputs for path in x.beside)])),
        reading=ignored,
        losses=(*(() if edit is None else edit_losses(edit)), *report.losses),
        # A file of the same format had them before.
        extensions=() if reading.format and reading.format.name == report.format else report.extensions,
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
    notes: Sequence[Finding] = (),
    reading: Reading | None = None,
    ignored: Sequence[Unread] = (),
    scene: Scene | None = None,
) -> Report:
    """Write a robot and measure what was lost; ``sources`` are files that must not be removed.

    The robot is that of a ``scene``, if there is one; its robots are written each for itself where the
    format holds several.

    ``ignored`` is the content of the source that reading ignored; what the kept text still has is not lost.

    Of the ``notes`` of reading, those that the writer warns of are in the report. The text of the
    ``reading``, or of the file that is overwritten, is kept where the robot is the same.
    """
    used = file_paths(robot)
    keep = meshes == "keep"
    allow = {os.path.dirname(os.path.abspath(p)) for p in used} if keep else ()
    destination = choose_destination(path, format, keep=keep, package=package, allow=allow, options=options)
    kept = {*used, *sources}
    alone = None if scene is None else destination.writer.alone(scene)
    if alone is not None:
        robot = alone
    elif scene is not None and len(scene.robots) > 1 and destination.writer.from_scene is not None:
        several = _save_scene(scene, destination, plain, overwrite, dry_run, kept, notes, reading)
        if several is not None:
            return replace(several, target=path, reading=tuple(ignored), written=not dry_run)
    whole = destination.writer.requested(robot)
    robot, destination = subject_of(whole, destination)
    check_writable(robot)
    with nullcontext() if dry_run else exclusive_output(destination.path):
        parts = completions(robot, destination, reading, overwrite)
        texts = {x.path: write_model(x.robot, x.destination, x.origin, plain=True) for x in parts}
        origin = _origin(whole, destination, reading, overwrite)
        destination = with_completions(destination, {p: x.output.data for p, x in texts.items()})
        # the side-car is in the file that this one completes
        own = MeshCache(findings=Findings())
        result = write_model(robot, destination, origin, plain or destination.over is not None, own)
        name = os.path.basename(destination.path)
        if further := destination.writer.beside(name, result.readback, result.document):
            folder = os.path.dirname(destination.path)
            made = {os.path.join(folder, name): text.encode("utf-8") for name, text in further.items()}
            result = replace(result, output=replace(result.output, beside=made))
        result.output.check(overwrite)
        unread = unread_files(robot, Files())
        report = measure(
            robot,
            result.readback,
            loaded=result.loaded,
            losses=result.losses,
            remaining=result.remaining,
            output=result.output,
            destination=destination,
            meshes=own,
            unread=unread,
        )
        is_kept = result.layout is not None and not result.layout.anew
        lost = without_kept(ignored, result.output, destination) if is_kept else tuple(ignored)
        report = replace(report, reading=lost)
        if not dry_run:
            result.output.save(overwrite, obsolete_assets(result.output, kept) if overwrite else ())
    warnings = [
        *_notes_that_warn(notes, destination),
        *_warnings(robot, result, destination, reading, path, unread),
    ]
    return replace(report, target=path, findings=tuple(warnings), written=not dry_run, layout=result.layout)


def _save_scene(
    scene: Scene,
    destination: Destination,
    plain: bool,
    overwrite: bool,
    dry_run: bool,
    kept: Collection[str],
    notes: Sequence[Finding],
    reading: Reading | None,
) -> Report | None:
    """Write the robots of a scene, each for itself; None if they are written as one.

    ``kept`` are files that must not be removed.
    """
    reports: list[Report] = []
    findings = list(_notes_that_warn(notes, destination))
    with nullcontext() if dry_run else exclusive_output(destination.path):
        made = write_robots(scene, destination, plain)
        if made is None:
            return None
        made.output.check(overwrite)
        for robot, written, meshes in zip(made.scene.robots, made.robots, made.meshes, strict=True):
            unread = unread_files(robot, Files())
            reports.append(
                measure(
                    robot,
                    written.readback,
                    loaded=written.loaded,
                    losses=written.losses,
                    remaining=written.remaining,
                    output=made.output,
                    destination=destination,
                    meshes=meshes,
                    unread=unread,
                )
            )
            findings += _warnings(robot, written, destination, reading, destination.path, unread)
        if not dry_run:
            made.output.save(overwrite, obsolete_assets(made.output, kept) if overwrite else ())
    if reading is None:
        known = frozenset(name for robot in made.scene.robots for name in places_not_found(robot))
    else:
        known = dead_references(reading)
    dead = (_not_found(last_part(name), destination.path) for name in sorted(made.beside.dead - known))
    rest = made.beside
    itself = Robot(name=scene.name, extras=scene.extras)
    own = measure_beside(itself, rest.losses, rest.remaining, rest.readback, destination)
    return Report(
        source=scene.name,
        target=destination.path,
        format=destination.format.name,
        losses=(*own, *(loss for report in reports for loss in report.losses)),
        extensions=tuple(loss for report in reports for loss in report.extensions),
        files=made.output.names,
        joints=tuple(joint for report in reports for joint in report.joints),
        findings=(*findings, *dead),
        robots=tuple(reports),
    )


def _notes_that_warn(notes: Sequence[Finding], destination: Destination) -> Iterator[Finding]:
    """The notes of reading that the loaders of the format read otherwise."""
    warns = destination.writer.warns
    return (replace(f, severity="warning") for f in notes if f.severity == "info" and f.code in warns)


def _warnings(
    robot: Robot,
    result: Written,
    destination: Destination,
    reading: Reading | None,
    path: str,
    unread: Mapping[str, Finding | None],
) -> Iterator[Finding]:
    """What is odd about a robot that was written: files that are not found, read or opened."""
    held = (replace(f, severity="warning") for f in unread.values() if f is not None)
    known = places_not_found(robot) if reading is None else dead_references(reading)
    more = (_not_found(last_part(name), path) for name in sorted(result.dead - known))
    known_empty = {last_part(f.subject) for f in result.findings if f.code == "mesh-empty"}
    empty = (f for f in meshes_without_faces(robot, Files()) if last_part(f.subject) not in known_empty)
    written = result.output.files(destination.files.allow)
    unopened = unopened_meshes(result.readback, written, destination.writer.unopened)
    yield from held
    yield from empty
    yield from unopened
    yield from destination.writer.refused(result.readback)
    yield from (f for f in result.findings if f.severity != "info")
    yield from more


def _not_found(name: str, path: str) -> Finding:
    """The finding about a file that the source finds and the written file does not."""
    message = f"'{name}' is not found from the folder of {os.path.basename(path)}"
    hint = "copy the mesh files, or install the package where the readers of the file search"
    return Finding("file-missing", "warning", message, hint=hint, subject=name)


def _origin(
    robot: Robot, destination: Destination, reading: Reading | None, overwrite: bool
) -> Origin | str | None:
    """The file whose text is kept, or the reason why it cannot be."""
    format = destination.format
    if destination.over is not None and reading is not None:
        known = completion_in(reading, format)
        assert reading.robot is not None
        return origin_of_completion(known, reading.robot, destination) if known else None
    if destination.over is not None:
        is_known = overwrite and completion_at(robot, format, destination.path)
        return origin_of_completion(destination.path, robot, destination) if is_known else None
    if reading is not None:
        return origin_of(reading, format)
    return origin_at(robot, destination) if overwrite else None


def _declared(format: str) -> type[Document]:
    """The class of a whole file of a format."""
    found = by_name(format)
    return Document if found is None else found.declarations().root


def _files_of(inputs: Sequence[Reading], root: type[Document]) -> set[str]:
    """The files of readings that a class declares."""
    nodes = (d.node for x in inputs for d in x.documents if isinstance(d, root))
    return {node.source.name for node in nodes if node is not None and node.source is not None}


def _shape_findings(robot: Robot) -> Iterator[Finding]:
    """Findings in the numbers of lazy shapes, which are parsed when they are first used."""
    seen: set[int] = set()
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions, *(link.collisions_alt or ())):
            found = conversion_findings(shape.geometry)
            if found and id(found) not in seen:
                seen.add(id(found))
                yield from found
