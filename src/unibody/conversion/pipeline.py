"""Saves and converts models: lower, write, read back, measure."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal

from unibody.conversion.asset_paths import file_paths, missing_names, not_found
from unibody.conversion.completion import (
    completion_at,
    completion_in,
    origin_of_completion,
    with_completions,
)
from unibody.conversion.destination import (
    Destination,
    checked_options,
    choose_destination,
    target_format,
)
from unibody.conversion.layout import (
    Layout,
    Origin,
    drafts,
    has_mark,
    layout_of,
    origin_at,
    origin_of,
    with_references,
)
from unibody.conversion.lowering import check_writable, lower
from unibody.conversion.measurement import (
    all_differences,
    edit_losses,
    links_with_changed_shapes,
    losses_in,
    measure,
    with_names,
)
from unibody.conversion.output import Output, SaveError, exclusive_output
from unibody.conversion.readback import (
    obsolete_assets,
    output_reading,
    read_output,
    unfound,
    without_kept,
)
from unibody.conversion.reading_loss import reading_loss
from unibody.conversion.report import Report
from unibody.conversion.unread_files import meshes_without_faces, unread_files
from unibody.conversion.verification import bounds_deviations
from unibody.conversion.writing import sidecar_lines, write
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
from unibody.model.facts import Difference
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene, as_robot
from unibody.model.shape import conversion_findings
from unibody.text.finding import Finding, ordered
from unibody.text.renamed import renamed_keywords

Meshes = Literal["copy", "keep"]
# Meshes that are this far apart (m) are in the same place.
_PLACE = 1e-9


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
    return _save(
        as_robot(robot, base),
        os.fspath(path),
        format=chosen,
        overwrite=overwrite,
        plain=plain,
        meshes=meshes,
        package=mesh_package,
        options=checked_options(chosen, options, save.__kwdefaults__ or ()),
        dry_run=dry_run,
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
    )
    found = [f for x in inputs for f in x.findings]
    shapes: Iterator[Finding] = _shape_findings(robot)
    ignored = report.reading
    if report.subject:  # the rest of the model is in other files
        root = _declared(report.format)
        ignored = tuple(u for x in inputs for u in reading_loss(x, root))
        found = [f for f in found if f.at is None or f.at.source.name in _files_of(inputs, root)]
        shapes = iter(())
    findings = ordered([*found, *(() if edit is None else edit.findings), *shapes], reading.source)
    return replace(
        report,
        source=robot.name if reading.source is None else reading.source.name,
        beside=tuple(dict.fromkeys(path for x in inputs for path in x.beside)),
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
) -> Report:
    """Write a robot and measure what was lost; ``sources`` are files that must not be removed.

    ``ignored`` is the content of the source that reading ignored; what the kept text still has is not lost.

    Of the ``notes`` of reading, those that the writer warns of are in the report. The text of the
    ``reading``, or of the file that is overwritten, is kept where the robot is the same.
    """
    used = file_paths(robot)
    keep = meshes == "keep"
    allow = {os.path.dirname(os.path.abspath(p)) for p in used} if keep else ()
    destination = choose_destination(path, format, keep=keep, package=package, allow=allow, options=options)
    whole = destination.writer.requested(robot)
    completion = destination.writer.completion
    robot = whole if completion is None else completion.about(whole)
    if completion is not None:
        destination = replace(destination, over=completion.without(robot))
        plain = True  # the side-car is in the file that this one completes
    check_writable(robot)
    with nullcontext() if dry_run else exclusive_output(destination.path):
        origin = _origin(whole, destination, reading, overwrite)
        destination = with_completions(robot, destination, reading, overwrite, _written_alone)
        result = None
        if isinstance(origin, Origin):
            origin = destination.writer.anew(robot) or origin
        if isinstance(origin, Origin):
            if not package:
                destination = with_references(destination, origin)
            anew = cache(partial(_written_anew, robot, destination, plain))
            kept_text = _written_into(origin, robot, destination, plain, anew)
            if isinstance(kept_text, str):
                result, origin = anew(), kept_text
            else:
                result = kept_text
        result = result or _written_anew(robot, destination, plain)
        if isinstance(origin, str):
            result = replace(result, layout=Layout(anew=origin))
        if further := destination.writer.beside(os.path.basename(destination.path), robot):
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
            unread=unread,
        )
        is_kept = result.layout is not None and not result.layout.anew
        lost = without_kept(ignored, result.output, destination) if is_kept else tuple(ignored)
        report = replace(report, reading=lost)
        if not dry_run:
            kept = {*used, *sources}
            result.output.save(overwrite, obsolete_assets(result.output, kept) if overwrite else ())
    warns = destination.writer.warns
    found = (replace(f, severity="warning") for f in notes if f.severity == "info" and f.code in warns)
    held = (replace(f, severity="warning") for f in unread.values() if f is not None)
    known = missing_names(robot) if reading is None else unfound(reading)
    more = (_not_found(name, path) for name in sorted(result.unfound - known))
    known_empty = {last_part(f.subject) for f in result.findings if f.code == "mesh-empty"}
    empty = (f for f in meshes_without_faces(robot, Files()) if last_part(f.subject) not in known_empty)
    warnings = (*found, *held, *empty, *(f for f in result.findings if f.severity != "info"), *more)
    return replace(report, target=path, findings=warnings, written=not dry_run, layout=result.layout)


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


def _written_alone(robot: Robot, destination: Destination, origin: Origin | None) -> Output:
    """The output of a format without a side-car, in the text of an origin where that is possible."""
    anew = cache(partial(_written_anew, robot, destination, True))
    result = None if origin is None else _written_into(origin, robot, destination, True, anew)
    return (result if isinstance(result, _Result) else anew()).output


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """An output and what was measured of it.

    ``readback`` is what it says without its side-car, ``loaded`` what the format's own loader makes of
    that; ``losses`` are the differences of the robot to this one, ``remaining`` those with the side-car.
    ``unfound`` are the names of files to which the output refers and which are not found.
    """

    output: Output
    readback: Robot
    loaded: Robot
    losses: list[Difference]
    remaining: list[Difference]
    findings: Sequence[Finding] = ()
    layout: Layout | None = None
    unfound: Set[str] = frozenset()


def _written_anew(robot: Robot, destination: Destination, plain: bool) -> _Result:
    """Lower, write, read back, measure; with a side-car for what the text lacks."""
    lowered = lower(robot, destination, plain)
    output = write(lowered, destination, [])
    reading = output_reading(output, destination, plain=True)
    assert reading.robot is not None
    readback = _as_unknown(reading.robot, robot)
    loaded = destination.writer.as_loaded(readback)
    copied, by_child = not destination.keep, destination.writer.one_name
    differences = all_differences(robot, loaded, output.assets.digest, found=copied, by_child=by_child)
    remaining = differences
    if differences and not plain:
        carried = readback
        if sidecar := sidecar_lines(lowered, readback):
            output = write(lowered, destination, sidecar)
            carried = _as_unknown(read_output(output, destination), robot)
        remaining = all_differences(robot, carried, output.assets.digest, found=copied, by_child=by_child)
    return _Result(
        output=output,
        readback=readback,
        loaded=loaded,
        losses=losses_in(differences, robot, loaded),
        remaining=remaining,
        findings=lowered.store.findings,
        unfound=unfound(reading),
    )


def _written_into(
    origin: Origin, robot: Robot, destination: Destination, plain: bool, anew: Callable[[], _Result]
) -> _Result | str:
    """The text of the source with as few changes as possible, or why none of them says the robot.

    It must lose nothing that a text written anew would keep, its meshes must be where those are, and all
    files to which it refers must be found.
    """
    why = ""
    for output in drafts(origin, robot, destination, plain=plain):
        result = _read_back(output, origin, robot, destination, plain)
        if result is None:
            continue
        lost = result.unfound - unfound(origin.reading)
        if lost and (lost := lost - anew().unfound):
            why = why or f"'{min(lost)}', which its text names, would not be found"
            continue
        if not _is_in_place(result, robot, destination, anew):
            why = why or "its meshes would be in other places"
            continue
        is_whole = _loses_no_more(result.remaining, anew, "remaining")
        has_sidecar = not plain and has_mark(output.data, destination.format)
        if is_whole and not (has_sidecar and output.data != origin.data):
            return result
        if not is_whole and (plain or not _loses_no_more(result.losses, anew, "losses")):
            continue
        # only what the format cannot say is missing, or the side-car may say too much
        lines = sidecar_lines(lower(robot, destination, plain), result.readback)
        for second in drafts(origin, robot, destination, plain=plain, sidecar=lines):
            found = _read_back(second, origin, robot, destination, plain)
            if found is not None and _loses_no_more(found.remaining, anew, "remaining"):
                return found
        if is_whole:
            return result
    return why or "the change is more than its text can take"


def _is_in_place(
    found: _Result, robot: Robot, destination: Destination, anew: Callable[[], _Result]
) -> bool:
    """Whether the shapes that differ are as near to those of the robot as in a text written anew."""
    links = links_with_changed_shapes(found.losses)
    if not links:
        return True
    own = MeshCache()
    here, there = (
        bounds_deviations(
            robot,
            with_names(x.readback, x.losses, back=True),
            (own, MeshCache(x.output.files(destination.files.allow))),
            links,
        )
        for x in (found, anew())
    )
    return all(not value > there.get(owner, math.inf) + _PLACE for owner, value in here.items())


def _loses_no_more(
    found: list[Difference], anew: Callable[[], _Result], which: Literal["losses", "remaining"]
) -> bool:
    """Whether a text written anew has all the differences that were found."""
    known = {(d.path, d.kind) for d in getattr(anew(), which)} if found else set()
    return all((d.path, d.kind) in known for d in found)


def _read_back(
    output: Output, origin: Origin, robot: Robot, destination: Destination, plain: bool
) -> _Result | None:
    """What an output says, None if it cannot be read."""
    try:
        reading = output_reading(output, destination, plain=True)
        assert reading.robot is not None
        readback = _as_unknown(reading.robot, robot)
        has_sidecar = not plain and has_mark(output.data, destination.format)
        carried = readback
        if has_sidecar:
            carried = _as_unknown(read_output(output, destination), robot)
    except SaveError:
        return None
    formats = {destination.format.name}
    expected = {destination.seen_from(uri, robot.folder) for uri in not_found(robot, formats)}
    if not not_found(readback, formats) <= expected:
        return None  # a file that was not copied is not where the text says
    digest = output.assets.digest
    loaded = destination.writer.as_loaded(readback)
    copied, by_child = not destination.keep, destination.writer.one_name
    differences = all_differences(robot, loaded, digest, found=copied, by_child=by_child)
    is_same = plain or carried is loaded
    remaining = differences
    if not is_same:
        remaining = all_differences(robot, carried, digest, found=copied, by_child=by_child)
    return _Result(
        output=output,
        readback=readback,
        loaded=loaded,
        losses=losses_in(differences, robot, loaded),
        remaining=remaining,
        layout=layout_of(origin, output.data),
        unfound=unfound(reading),
    )


def _as_unknown(readback: Robot, robot: Robot) -> Robot:
    """The readback, where a mass that it does not state is as unknown as it is in the robot."""
    unknown = {x.name: x.inertial for x in robot.links if x.inertial is not None and x.inertial.unknown}
    if not unknown:
        return readback

    def same(link: Link) -> Link:
        inertial, known = link.inertial, unknown.get(link.name)
        is_derived = known is not None and inertial is not None and inertial.mass_at is None
        return replace(link, inertial=known) if is_derived else link

    return readback.with_solids(same)


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
