"""Loads models: detects the format, then parses, expands, binds and reads the file."""

from __future__ import annotations

import codecs
import os
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from unibody.document.declare import Document
from unibody.files.access import FileError, Files
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats import FORMATS, by_name, detect
from unibody.formats.budget import Budget
from unibody.formats.foreign import foreign_format
from unibody.formats.format import Context, Format, ModelObject, Up
from unibody.model.base import Base, with_base
from unibody.model.mesh_reading import MeshReading, Scale, UpAxes
from unibody.model.robot import Robot
from unibody.model.scene import Scene, merged
from unibody.model.validation.basic import check_basic
from unibody.text.collector import without_collector
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError, ordered
from unibody.text.gzip import unpacked
from unibody.text.limits import ReadLimits
from unibody.text.near import near
from unibody.text.node import Value
from unibody.text.source import Source, Span

if TYPE_CHECKING:
    from unibody.files.descriptions import Located


class LoadError(Exception):
    """A model that has errors; ``findings`` lists them with their places."""

    def __init__(self, path: str, findings: list[Finding]) -> None:
        errors = [f for f in findings if f.severity == "error"]
        text = "\n".join(f.text() for f in errors[:5])
        more = f"\n… and {len(errors) - 5} more errors" if len(errors) > 5 else ""
        super().__init__(f"{path} cannot be loaded\n{text}{more}")
        self.findings = findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The result of reading a model file.

    ``robot`` is None if the file describes none; ``findings`` lists everything found. ``source``,
    ``node`` (as written) and ``document`` are the intermediate stages; ``documents`` includes those of
    the files that this one refers to. A file of several robots also has a ``scene``; ``robot`` is then
    all of them as one. ``opened`` are the paths of all files that were read, ``missed`` those at which a
    file was looked for that is not there; ``stated_base`` is the base that the file states, whatever was
    asked for. ``turned``: the file is a mesh itself, read with the up axis that the caller gave, so that Z
    is up. ``beside`` are the files of other formats that say something of the same robot (the SRDF of a
    URDF, the URDF of an SRDF), with the names of their formats.
    """

    robot: Robot | None
    findings: list[Finding] = field(default_factory=list)
    scene: Scene | None = None
    document: Document | None = None
    documents: tuple[Document, ...] = ()
    node: Value | None = None
    source: Source | None = None
    format: Format | None = None
    opened: frozenset[str] = frozenset()
    missed: frozenset[str] = frozenset()
    stated_base: Base | None = None
    turned: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)

    @property
    def trees(self) -> list[Value]:
        """The syntax tree of the file as written, and those of all documents, expanded."""
        nodes = [self.node, *(document.node for document in self.documents)]
        return [node for node in nodes if node is not None]

    @property
    def up(self) -> Up:
        """The axis of the file that points up in a view."""
        if self.format is None or self.turned:
            return "z"
        if self.format.up_in is None or self.document is None:
            return self.format.up
        return self.format.up_in()(self.document)

    @property
    def ok(self) -> bool:
        """Whether there is a robot and no finding is an error."""
        return self.robot is not None and all(f.severity != "error" for f in self.findings)


def read(
    path: str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    *,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    remap: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
    srdf: str | os.PathLike[str] | None = None,
    files: Files | None = None,
    base: Base | None = None,
    scale: Scale | None = None,
    up_axis: UpAxes | None = None,
) -> Reading:
    """Read a model file; never raises for bad input.

    Instead of a path, the model may be an object of another library: a ``mujoco.MjSpec``; or, if there is
    no such file, the name of a robot that the package robot_descriptions has downloaded. ``format`` is a
    name or a Format of your own, by default it is detected from suffix and content.
    ``packages`` maps package names to folders; ``allow`` lists further folders that files may be read
    from; ``arguments`` are the values of xacro:arg, or ``scale`` of an MPK robot; ``limits`` overrides the
    resource limits; ``files`` replaces the file system; ``base`` is "fixed" or "free", whatever the file
    says. ``remap`` replaces prefixes of the paths of mesh, texture and included files (old → new, relative
    to the current directory); ``srdf`` is the SRDF of a URDF, "" for none, by default the one in its folder
    or its MoveIt package; ``scale`` is a factor for mesh files (0.001 for millimeters), ``up_axis`` the
    axis that points up in them ("X", "Y" or "Z"), or mappings from names of mesh files to either.

    >>> read("nowhere.urdf").findings[0].code
    'file-missing'
    """
    files = files or Files()
    if not isinstance(path, str | os.PathLike):
        path, format, files = _of_object(path, files)
    files = files.extended(packages=packages, allow=allow, remap=remap, limits=limits, srdf=srdf)
    context = _context(path, files, arguments, base)
    context.meshes = MeshReading.of(scale, up_axis)
    return _checked(context, format)


def _of_object(model: object, files: Files) -> tuple[str, Format, Files]:
    """The path, the format and the files of an object of another library; TypeError for others."""
    for format in FORMATS:
        if format.objects is not None and format.objects.is_model(model):
            path, contents = format.objects.files()(model)
            return path, format, Files(disk=OverlayFileSystem(contents), limits=files.limits)
    raise TypeError(f"a path is needed, not {type(model).__name__}")


def read_watched(
    path: str | os.PathLike[str],
    files: Files | None = None,
    format: str | Format | None = None,
    arguments: Mapping[str, str] | None = None,
    base: Base | None = None,
    meshes: MeshReading | None = None,
) -> Reading:
    """Like :func:`read`, with documents that note which fields are read (see ``document/unread.py``)."""
    context = _context(path, files or Files(), arguments, base)
    context.watch, context.meshes = True, meshes
    return _checked(context, format)


def read_plain(
    path: str | os.PathLike[str], format: str | Format | None = None, files: Files | None = None
) -> Reading:
    """Like :func:`read`, without the side-car."""
    context = _context(path, files or Files())
    context.plain = True
    return _checked(context, format)


def read_completion(path: str, format: Format, robot: Robot, files: Files | None = None) -> Reading:
    """Read a file whose format completes another one, on top of a ``robot`` instead of the other file's."""
    context = _context(path, files or Files())
    context.completed = robot
    return _checked(context, format)


def _context(
    path: str | os.PathLike[str],
    files: Files,
    arguments: Mapping[str, str] | None = None,
    base: Base | None = None,
) -> Context:
    path, arguments = os.fspath(path), dict(arguments or {})
    described = _described(path, files)
    if described is not None:
        path, arguments = described.path, {**described.arguments, **arguments}
        files = files.extended(
            packages={**described.packages, **files.packages},
            allow=described.allow,
            srdf=(described.srdf or None) if files.srdf is None else None,
        )
    return Context(
        path=path,
        files=files,
        findings=Findings(most=files.limits.findings),
        load_robot=_load_inner,
        arguments=arguments,
        budget=Budget(files.meter),
        base=base,
    )


def _described(path: str, files: Files) -> Located | None:
    """The files of a robot of robot_descriptions with this name; a file of the name comes first."""
    if not _is_bare(path) or files.kind(path):
        return None
    from unibody.files.descriptions import DescriptionError, locate

    try:
        return locate(path)
    except DescriptionError:  # what to do is in the finding about the missing file
        return None


def _is_bare(path: str) -> bool:
    """Whether a path is a name without folders and suffix."""
    return bool(path) and not any(c in "./\\" for c in path)


def _with_remedy(finding: Finding, context: Context) -> Finding:
    """A finding about the model file, with what to do if its name is that of a robot to download."""
    if finding.code != "file-missing" or finding.hint or not _is_bare(context.path) or context.open:
        return finding
    from unibody.files.descriptions import remedy

    hint = remedy(context.path)
    return replace(finding, hint=hint) if hint else finding


def _checked(context: Context, format: str | Format | None) -> Reading:
    if isinstance(format, Format):
        context.load_robot = partial(_load_inner, own=format)
    meter = context.files.meter
    meter.begin()
    with meter.running(), without_collector():
        reading = _read(context, format)
        if reading.robot is not None:
            reading = _with_meshes(reading, context)
            assert reading.robot is not None
            stated = reading.robot.base
            reading = replace(reading, robot=with_base(reading.robot, context.base), stated_base=stated)
            assert reading.robot is not None
            count = len(context.findings)
            check_basic(reading.robot, context.findings)
            if reading.format is not None:
                propose_fix = reading.format.reader().propose_fix
                for i, finding in enumerate(context.findings[count:], count):
                    if finding.fix is None and (fix := propose_fix(finding, reading.trees)) is not None:
                        context.findings[i] = replace(finding, fix=fix)
        elif not context.findings.errors:
            context.findings.error(
                "model-missing", f"no robot in {context.path}: its references could not be read"
            )
    if reading.node is not None:
        _check_arguments(context)
    meter.end_text()
    left_out = context.findings.left_out
    context.findings[:] = ordered(context.findings, reading.source)
    if left_out:
        what = f"{left_out} more findings are not shown"
        context.findings.append(replace(meter.limits.finding("findings", what), severity="warning"))
    return replace(reading, opened=frozenset(meter.opened), missed=frozenset(meter.missed))


def _with_meshes(reading: Reading, context: Context) -> Reading:
    """The reading with the mesh files read as the caller asks for."""
    how, robot, chosen = context.meshes, reading.robot, reading.format
    if robot is None or how is None or not (how.scales or how.axes):
        return reading
    from unibody.model.changes.mesh_reading import with_mesh_reading

    # A plain VRML97 or Inventor file, whose shapes are those of a mesh.
    own = chosen is not None and chosen.syntax in ("vrml", "inventor") and not robot.joints
    own = own and all(link.inertial is None for link in robot.links)
    changed = with_mesh_reading(robot, how, own, context.findings)
    scene = reading.scene
    if scene is not None:
        parts = (with_mesh_reading(each, how, own, Findings()) for each in scene.robots)
        scene = replace(scene, robots=tuple(parts))
    turned = own and "*" in how.axes
    if turned and changed.up != "z":
        changed = replace(changed, up="z")
    return replace(reading, robot=changed, scene=scene, turned=turned)


def _check_arguments(context: Context) -> None:
    """Report arguments that no file of the model declares."""
    declared = sorted(context.declared)
    known = f"declared arguments: {', '.join(declared)}" if declared else "the model declares no arguments"
    for name in context.arguments:
        if name not in context.declared:
            alike = near(name, declared)
            context.findings.warning(
                "argument-unknown",
                f"unknown argument '{name}' ignored",
                hint=f"did you mean '{alike}'?" if alike else known,
                subject=f"arguments/{name}",
                suggestion=alike,
            )


def load(
    path: str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    *,
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    remap: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
    srdf: str | os.PathLike[str] | None = None,
    files: Files | None = None,
    base: Base | None = None,
    scale: Scale | None = None,
    up_axis: UpAxes | None = None,
) -> Robot:
    """Read a model file as a Robot; raises LoadError (with .findings) if any finding is an error.

    The parameters are those of :func:`read`.

    >>> load("nowhere.urdf")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    LoadError: nowhere.urdf cannot be loaded
    """
    with without_collector():
        reading = read(
            path,
            format,
            packages=packages,
            allow=allow,
            remap=remap,
            arguments=arguments,
            limits=limits,
            srdf=srdf,
            files=files,
            base=base,
            scale=scale,
            up_axis=up_axis,
        )
        if not reading.ok or reading.robot is None:
            name = path if isinstance(path, str | os.PathLike) else f"the {type(path).__name__}"
            raise LoadError(os.fspath(name), reading.findings)
        robot = reading.robot
        del reading  # before the next search for garbage, which would visit its trees
    return robot


def loads(
    text: str,
    *,
    format: str | Format | None = None,
    directory: str | os.PathLike[str] = "",
    packages: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    remap: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
    limits: ReadLimits | None = None,
    base: Base | None = None,
    scale: Scale | None = None,
    up_axis: UpAxes | None = None,
) -> Robot:
    """Read the text of a model as a Robot; raises LoadError (with .findings) if any finding is an error.

    ``format`` is a name or a Format of your own, by default it is detected from the text. Relative
    references start at ``directory``, by default the current one. The other parameters are those of
    :func:`read`.

    >>> loads('<robot name="box"><link name="box"/></robot>').name
    'box'
    """
    path = os.path.join(directory, "text")
    # the byte order mark overrides an encoding that the text declares
    data = codecs.BOM_UTF8 + text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")
    files = Files(disk=OverlayFileSystem({os.path.abspath(path): data}))
    return load(
        path,
        format,
        packages=packages,
        allow=allow,
        remap=remap,
        arguments=arguments,
        limits=limits,
        files=files,
        base=base,
        scale=scale,
        up_axis=up_axis,
    )


def _load_inner(path: str, context: Context, own: Format | None = None) -> Robot | None:
    """A model that another one refers to; its findings are added to those of the other.

    Its format is detected, or the caller's ``own`` if it has its suffix.
    """
    return _read(context, own if own is not None and path.lower().endswith(own.suffixes) else None).robot


def _read(context: Context, wanted: str | Format | None) -> Reading:
    findings = context.findings
    source = node = document = chosen = scene = None
    try:
        data = context.files.read(context.path)
        if not data.strip():
            findings.error("empty", f"{context.path} is empty")
            return Reading(robot=None, findings=findings)
        source = _text(data, context)
        chosen = _format(context.path, source, wanted, findings)
        if chosen is None:
            return Reading(robot=None, findings=findings, source=source)
        reader = chosen.reader()
        if not context.open and context.complete is None:
            context.complete = partial(_completed, format=chosen, context=context)
        node = reader.parse(source, context)
        document = reader.bind(reader.expand(node, context), context)
        context.documents.insert(0, document)
        with np.errstate(all="ignore"):  # check_basic reports overflows with their places
            robot = reader.to_robot(document, context)
            if isinstance(robot, Scene):
                scene, robot = robot, merged(robot)
    except (TextError, FileError) as e:
        finding = e.finding
        if finding.at is None and source is not None:
            finding = replace(finding, at=Span(source, 0, 1))
        findings.append(_with_remedy(finding, context) if source is None else finding)
        robot = None
    reading = Reading(
        robot=robot,
        findings=findings,
        scene=scene,
        document=document,
        documents=tuple(context.documents),
        node=node,
        source=source,
        format=chosen,
        beside=context.beside,
    )
    # a watched document notes what is read of it
    if robot is None or context.watch or reading.up == "z":
        return reading
    return replace(reading, robot=replace(robot, up=reading.up))


def _completed(robot: Robot, format: Format, context: Context) -> Robot:
    """The robot with what files of the formats that complete ``format`` say about it."""
    for other in FORMATS:
        if other.completes == format.name and other.complete is not None:
            robot = other.complete()(robot, context)
    return robot


def _text(data: bytes, context: Context) -> Source:
    """The text of a file, uncompressed; a binary Inventor file is converted to the ASCII form."""
    meter = context.files.meter
    packed = len(data)
    data = unpacked(data, context.path, meter.limits.file_bytes)
    meter.take_bytes(len(data) - packed, f"what {context.path} unpacks to")
    if data.startswith(b"#Inventor"):
        from unibody.text.inventor.binary import is_binary, to_text

        if is_binary(data):
            from unibody.formats.inventor.nodes import layout

            source = to_text(data, context.path, layout())
            source.meter = meter
            return source
    try:
        return decode(data, context.path, context.findings, meter)
    except TextError as e:
        likely = detect(context.path, "")
        if likely is None:
            if (other := foreign_format(context.path, "")) is not None:
                raise TextError(other) from None
            raise
        hint = f"{e.finding.hint} {likely.title} is text"
        raise TextError(replace(e.finding, hint=hint)) from None


def _format(path: str, source: Source, wanted: str | Format | None, findings: Findings) -> Format | None:
    if isinstance(wanted, Format):
        return wanted
    known = ", ".join(f.name for f in FORMATS)
    if wanted is not None:
        found = by_name(wanted)
        if found is None:
            findings.error("format-unknown", f"unknown format '{wanted}'", hint=f"known formats: {known}")
        return found
    head = source.text[:4096]
    found = detect(path, head, source.text)
    if found is None:
        message, hint = f"{path}: unknown format", f"specify the format: {known}"
        findings.append(
            foreign_format(path, head) or Finding("format-unknown", "error", message, hint=hint)
        )
    return found
