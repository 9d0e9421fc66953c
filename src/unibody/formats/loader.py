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
from unibody.files.uris import one_for_each_package
from unibody.formats import FORMATS, by_name, detect, is_bytes
from unibody.formats.budget import Budget
from unibody.formats.foreign import foreign_content, foreign_format
from unibody.formats.format import Context, Format, ModelObject, Up
from unibody.formats.read_options import ReadOptions, refuse_reading, unsupported_options
from unibody.model.base import with_base
from unibody.model.robot import Robot, not_accepted
from unibody.model.scene import Scene, merged, scene_with_base
from unibody.model.validation.basic import check_basic
from unibody.text.collector import without_collector
from unibody.text.counted import and_more
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError, ordered
from unibody.text.gzip import unpacked
from unibody.text.near import did_you_mean, near
from unibody.text.node import Value
from unibody.text.source import Source, Span

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.descriptions import Located
    from unibody.formats.read_options import ReadKeywords

# Errors that the message of a LoadError shows.
_SHOWN_ERRORS = 5


class LoadError(Exception):
    """A model that has errors; ``findings`` lists them with their places."""

    def __init__(self, path: str, findings: list[Finding]) -> None:
        errors = [f for f in findings if f.severity == "error"]
        lines = [f"{path} cannot be loaded", *(f.text() for f in errors[:_SHOWN_ERRORS])]
        if rest := and_more(len(errors) - _SHOWN_ERRORS, "error"):
            lines.append(f"… {rest}")
        super().__init__("\n".join(lines))
        self.findings = findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The result of reading a model file.

    ``robot`` is None if the file describes none; ``findings`` lists everything found. ``source``,
    ``node`` (as written) and ``document`` are the intermediate stages; ``documents`` includes those of
    the files that this one refers to. A file of several robots also has a ``scene``; ``robot`` is then
    all of them as one. ``opened`` are the paths of all files that were read, ``missed`` those at which a
    file was looked for that is not there; ``stated`` is the robot without the base, the scale and the up
    axis that the caller asked for, ``files`` the access to files that it was read with. ``turned``: the
    file is a mesh itself, read with the up axis that the caller gave, so that Z is up. ``beside`` are the
    files of other formats that say something of the same robot (the SRDF of a URDF, the URDF of an SRDF),
    with the names of their formats. ``arguments`` are those that the model declares, with their defaults as
    written, None for those without one.
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
    stated: Robot | None = None
    files: Files | None = None
    turned: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, str | None] = field(default_factory=dict)

    def __str__(self) -> str:
        """The robot in a line, and the findings for people."""
        from unibody.text.grouping import text

        return f"{self.robot or 'no robot'}\n{text(self.findings)}"

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
    **reading: Unpack[ReadKeywords],
) -> Reading:
    """Read a model file; never raises for bad input.

    Instead of a path, the model may be an object of another library: a ``mujoco.MjSpec``; or, if there is
    no such file, the name of a robot that the package robot_descriptions has downloaded. ``format`` is a
    name or a Format of your own, by default it is detected from suffix and content.

    All functions that read a path have these keywords. ``packages`` maps package names to folders;
    ``allow`` lists further folders that files may be read from; ``remap`` replaces prefixes of the paths of
    mesh, texture and included files (old → new, relative to the current directory); ``limits`` overrides
    the resource limits; ``files`` replaces the file system; ``base`` is "fixed" or "free", whatever the
    file says; ``scale`` is a factor for mesh files (0.001 for millimeters), ``up_axis`` the axis that
    points up in them ("X", "Y" or "Z"), or mappings from names of mesh files to either. Further ones are
    declared by formats (``Format.read_options``): ``arguments`` are the values of xacro:arg, or ``scale``
    of an MPK robot; ``srdf`` is the SRDF of a URDF, "" for none, by default the one in its folder or its
    MoveIt package. One that the format of the file does not have is the error option-unsupported. TypeError
    for other keywords, ValueError for a wrong ``base``, ``scale`` or ``up_axis``.

    >>> read("nowhere.urdf").findings[0].code
    'file-missing'
    """
    return read_with(path, format, ReadOptions.of(reading, format))


def read_with(
    path: str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    options: ReadOptions | None = None,
    *,
    watch: bool = False,
    plain: bool = False,
    alone: bool = False,
    completed: Robot | None = None,
) -> Reading:
    """Like :func:`read`.

    With ``watch``, the documents note which fields are read (see ``document/unread.py``); with ``plain``,
    the side-car is ignored; with ``alone``, files of other formats that complete the model. A file whose
    format completes another one is read on top of the robot ``completed`` instead of the other file's.
    """
    options = options or ReadOptions()
    if not isinstance(path, str | os.PathLike):
        path, format, files = _of_object(path, options.files)
        options = replace(options, files=files)
    context = _context(os.fspath(path), options)
    context.watch, context.plain, context.alone, context.completed = watch, plain, alone, completed
    return _checked(context, format, options)


def _of_object(model: object, files: Files) -> tuple[str, Format, Files]:
    """The path, the format and the files of an object of another library; TypeError for others."""
    for format in FORMATS:
        if format.objects is not None and format.objects.is_model(model):
            path, contents = format.objects.files()(model)
            return path, format, Files(disk=OverlayFileSystem(contents), limits=files.limits)
    raise TypeError(f"expected the path of a model file, got {type(model).__name__}")


def _context(path: str, options: ReadOptions) -> Context:
    files, own = options.files, options.options
    described = _described(path, files)
    if described is not None:
        path, own = described.path, {**described.options, **own}
        for name, value in described.options.items():
            if isinstance(value, Mapping):
                own[name] = {**value, **own[name]}
        files = files.extended(packages={**described.packages, **files.packages}, allow=described.allow)
    return Context(
        path=path,
        files=files,
        findings=Findings(most=files.limits.findings),
        load_robot=_load_inner,
        options=own,
        budget=Budget(files.meter),
        base=options.base,
        meshes=options.meshes,
    )


def _described(path: str, files: Files) -> Located | None:
    """The files of a robot of robot_descriptions with this name; a file of the name comes first."""
    if not _is_bare(path) or files.kind(path):
        return None
    from unibody.formats.descriptions import DescriptionError, locate

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
    from unibody.formats.descriptions import remedy

    hint = remedy(context.path)
    return replace(finding, hint=hint) if hint else finding


def _checked(context: Context, format: str | Format | None, options: ReadOptions) -> Reading:
    if isinstance(format, Format):
        context.load_robot = partial(_load_inner, own=format)
    meter = context.files.meter
    meter.begin()
    with meter.running(), without_collector():
        reading = _read(context, format, options)
        if reading.format is not None:
            context.findings.extend(unsupported_options(reading.format, options).values())
        if reading.robot is not None:
            folder = os.path.dirname(context.files.absolute(context.path))
            robot, scene = replace(reading.robot, folder=folder), _in(folder, reading.scene)
            reading = replace(reading, robot=robot, scene=scene, stated=robot, files=context.files)
            reading = _with_meshes(reading, context)
            assert reading.robot is not None
            scene = reading.scene and scene_with_base(reading.scene, context.base)
            reading = replace(reading, robot=with_base(reading.robot, context.base), scene=scene)
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
        _check_names(context)
    meter.end_text()
    left_out = context.findings.left_out
    context.findings[:] = one_for_each_package(ordered(context.findings, reading.source))
    if left_out:
        what = f"{left_out} more findings are not shown"
        context.findings.append(replace(meter.limits.finding("findings", what), severity="warning"))
    return replace(reading, opened=frozenset(meter.opened), missed=frozenset(meter.missed))


def _in(folder: str, scene: Scene | None) -> Scene | None:
    """The scene with the folder of its file."""
    if scene is None:
        return None
    return replace(scene, robots=tuple(replace(robot, folder=folder) for robot in scene.robots))


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


def _check_names(context: Context) -> None:
    """Report arguments, and other names in options, that no file of the model declares."""
    declared = sorted(context.declared)
    known = f"declared arguments: {', '.join(declared)}" if declared else "the model declares no arguments"
    options = ((option, value) for option, value in context.options.items() if isinstance(value, Mapping))
    for option, name in ((option, name) for option, value in options for name in value):
        if name not in context.declared:
            alike = near(name, declared)
            context.findings.warning(
                "argument-unknown",
                f"unknown argument '{name}' ignored",
                hint=did_you_mean(alike, known),
                subject=f"{option}/{name}",
                suggestion=alike,
            )


def load(
    path: str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Robot:
    """Read a model file as a Robot; raises LoadError (with .findings) if any finding is an error.

    The parameters are those of :func:`read`.

    >>> load("nowhere.urdf")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    LoadError: nowhere.urdf cannot be loaded
    """
    with without_collector():
        found = checked(path, read(path, format, **reading))
        robot = found.robot
        del found  # before the next search for garbage, which would visit its trees
    assert robot is not None
    return robot


def loads(
    text: str,
    *,
    format: str | Format | None = None,
    directory: str | os.PathLike[str] = "",
    **reading: Unpack[ReadKeywords],
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
    files = reading.get("files") or Files()
    disk = OverlayFileSystem({files.absolute(path): data}, below=files.disk)
    reading["files"] = files.changed(disk=disk)
    return load(path, format, **reading)


def model_of(
    source: Robot | Scene | str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Robot | Scene:
    """The robot or the scene that a caller gives, or that the model file at a path describes.

    ``format`` and the keywords are those of :func:`read`. LoadError if the file has errors; TypeError for a
    keyword beside a robot or a scene, and for other objects.

    >>> model_of(Robot(name="box"), base="free")
    Traceback (most recent call last):
    TypeError: base is a keyword for reading a model file, but the model is a Robot
    """
    if isinstance(source, Robot | Scene):
        refuse_reading(source, format, reading)
        return source
    check_is_model(source)
    found = checked(source, read(source, format, **reading))
    assert found.robot is not None
    return found.robot if found.scene is None else scene_with_base(found.scene, reading.get("base"))


def check_is_model(source: object) -> None:
    """TypeError unless ``source`` is a path or a model of another library."""
    if isinstance(source, str | os.PathLike):
        return
    if not any(f.objects is not None and f.objects.is_model(source) for f in FORMATS):
        raise not_accepted(source, "a Robot, a Scene or the path of a model file")


def robot_of(
    source: Robot | Scene | str | os.PathLike[str] | ModelObject,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Robot:
    """Like :func:`model_of`, with the robots of a scene as one, as :func:`load` returns them."""
    if isinstance(source, str | os.PathLike):
        return load(source, format, **reading)
    found = model_of(source, format, **reading)
    return merged(found) if isinstance(found, Scene) else found


def robots_of(
    sources: Sequence[Robot | Scene | str | os.PathLike[str] | ModelObject],
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> list[Robot]:
    """The robots of several models, as :func:`robot_of`; ``format`` and the keywords are for paths."""
    given = [isinstance(source, Robot | Scene) for source in sources]
    if all(given):
        return [robot_of(source, format, **reading) for source in sources]
    return [
        robot_of(source) if is_given else robot_of(source, format, **reading)
        for source, is_given in zip(sources, given, strict=True)
    ]


def checked(path: object, reading: Reading) -> Reading:
    """The reading of a model; LoadError if it has errors."""
    if reading.ok:
        return reading
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else f"the {type(path).__name__}"
    raise LoadError(name, reading.findings)


def _load_inner(path: str, context: Context, own: Format | None = None) -> Robot | None:
    """A model that another one refers to; its findings are added to those of the other.

    Its format is detected, or the caller's ``own`` if it has its suffix.
    """
    return _read(context, own if own is not None and path.lower().endswith(own.suffixes) else None).robot


def _read(context: Context, wanted: str | Format | None, options: ReadOptions | None = None) -> Reading:
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
        if options is not None:
            unsupported = unsupported_options(chosen, options)
            context.options = {k: v for k, v in context.options.items() if k not in unsupported}
        reader = chosen.reader()
        if not context.open and context.complete is None and not context.alone:
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
        arguments=context.declared,
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
    if is_bytes(context.path, data):
        return Source(context.path, "", meter=meter, data=data)
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
    found = detect(path, source.text[:4096], source.text, source.data)
    # a suffix may promise something else than the text
    other = (foreign_format if found is None else foreign_content)(path, source.text)
    if found is None and other is None:
        message, hint = f"{path}: unknown format", f"specify the format: {known}"
        other = Finding("format-unknown", "error", message, hint=hint)
    if other is not None:
        findings.append(other)
    return found if other is None else None
