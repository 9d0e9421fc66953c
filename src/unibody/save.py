"""A robot into a file of any format: planned as a whole, read back and measured, then written."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Literal

from unibody.assets import Assets, PlannedDisk
from unibody.document.unbind import unbind
from unibody.files import Files
from unibody.formats import FORMATS, by_name
from unibody.formats.format import Format, Writing
from unibody.formats.load import Reading, read, read_plain
from unibody.formats.tree import check_tree
from unibody.model.change.carry import Rules, entries
from unibody.model.facts import Difference
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.proof import prove
from unibody.references import Place, relocated
from unibody.report import Report, called_as, explained, measured
from unibody.stored import Store
from unibody.text.finding import Finding, Findings


class SaveError(Exception):
    """A model that is not written; ``findings`` say why. Nothing has been changed on the disk."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = list(findings)
        super().__init__("\n".join(f.text() for f in self.findings[:5]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a model is written.

    ``format`` is a name or a Format, else the suffix decides; ``plain`` leaves out what the format
    cannot say; ``meshes`` copies mesh files beside the model or keeps them where they are; with
    ``package`` their names begin with package://NAME/; ``dry_run`` measures all and writes nothing.
    """

    format: str | Format | None = None
    overwrite: bool = False
    plain: bool = False
    meshes: Literal["copy", "keep"] = "copy"
    package: str = ""
    dry_run: bool = False


DEFAULT = Options()


def save(
    robot: Robot,
    path: str | os.PathLike[str],
    format: str | Format | None = None,
    overwrite: bool = False,
    plain: bool = False,
) -> Report:
    """Write a robot as a model file; the report says what the format could not hold.

    Files that it names are copied into a folder beside it. SaveError when it cannot be written, or is
    there already (see ``overwrite``).

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
    return write(robot, path, Options(format=format, overwrite=overwrite, plain=plain))


def write(robot: Robot, path: str | os.PathLike[str], options: Options = DEFAULT) -> Report:
    """As :func:`save`, with all options."""
    planned = plan(robot, os.fspath(path), options)
    if options.dry_run:
        return planned.report
    commit(planned.assets, planned.path, options.overwrite)
    return replace(planned.report, written=True)


@dataclass(frozen=True, slots=True)
class Planned:
    """All files of a written model while none of them is on the disk, and what they say."""

    path: str
    assets: Assets
    report: Report


@dataclass(slots=True)
class _Work:
    """One model on its way: its format, where it goes, and what goes with it."""

    path: str
    format: Format
    writing: Writing
    place: Place
    assets: Assets = field(default_factory=Assets)

    @property
    def files(self) -> Files:
        """A door to the disk as it will be."""
        allow = tuple({os.path.dirname(p) for p in self.assets.copies.values()})
        return Files(disk=PlannedDisk(self.assets), allow=allow)


def plan(robot: Robot, path: str, options: Options) -> Planned:
    """Make all files of a model in memory, read them back, and measure."""
    chosen = _format(path, options.format)
    assert chosen.writing is not None
    absolute = os.path.abspath(path)
    stem = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.join(os.path.dirname(absolute), f"{stem}_files")
    allow = tuple(_folders(robot)) if options.meshes == "keep" else ()
    place = Place(absolute, folder, Files(allow=allow), options.meshes == "keep", options.package)
    work = _Work(absolute, chosen, chosen.writing(), place)
    store = Store(place, work.assets, work.writing)
    _check_tree(robot)

    def wanted(shape: Shape) -> bool:
        return not options.plain or not isinstance(shape.geometry, MeshFile) or store.kept(shape)

    here = relocated(robot, place, work.assets, wanted)
    ready = store.stored(work.writing.changes(here))
    _put(work, ready, [])
    plain = _read_back(work, read_plain(absolute, chosen, work.files))
    losses = measured(robot, plain, work.assets.digest)
    left = losses
    if losses and not options.plain:
        rules = Rules(work.assets.digest, store.geometry_json)
        lines = [entry.line() for entry in entries(here, plain, rules)]
        if lines:
            _put(work, ready, lines)
            full = _read_back(work, read(absolute, chosen, files=work.files))
            left = measured(robot, full, work.assets.digest)
    report = Report(
        source=robot.name,
        target=path,
        format=chosen.name,
        losses=tuple(explained(losses, (robot, plain), left, work.writing.cannot)),
        files=tuple(_relative(work)),
        findings=tuple(f for f in store.findings if f.severity != "info"),
        proof=prove(robot, called_as(plain, losses, back=True), work.files, _reshaped(losses)),
        joints=_joint_map(robot, plain, losses),
    )
    return Planned(absolute, work.assets, report)


def _format(path: str, wanted: str | Format | None) -> Format:
    """The format that a file is written in; SaveError when there is none."""
    if isinstance(wanted, Format):
        found = wanted
    else:
        suffix = path.lower()
        fitting = (e for e in FORMATS if suffix.endswith(e.suffixes))
        entry = by_name(wanted) if wanted else next(fitting, None)
        if entry is None:
            known = ", ".join(e.name for e in FORMATS)
            what = f"'{wanted}' is no format" if wanted else f"{path}: the format cannot be told"
            raise SaveError([Finding("format-unknown", "error", what, hint=f"the formats are {known}")])
        found = entry.load()
    if found.writing is None:
        what = f"{found.title} files are read, not written"
        raise SaveError([Finding("format-not-written", "error", what)])
    return found


def _folders(robot: Robot) -> set[str]:
    return {
        os.path.dirname(os.path.abspath(x.geometry.path))
        for link in robot.links
        for x in (*link.visuals, *link.collisions)
        if isinstance(x.geometry, MeshFile) and x.geometry.path
    }


def _check_tree(robot: Robot) -> None:
    """SaveError for a robot that is no tree of links."""
    findings = Findings()
    check_tree(robot.links, robot.joints, findings)
    if not robot.links:
        findings.error("links-missing", f"'{robot.name}' has no links")
    if findings.errors:
        raise SaveError(findings.errors)


def _put(work: _Work, robot: Robot, lines: list[str]) -> None:
    """Plan the model's own file."""
    document = work.writing.from_robot(robot)
    if lines:
        work.writing.carry(document, lines)
    node = unbind(document, work.writing.tag)
    work.writing.arrange(node)
    try:
        text = work.format.print(node, None)
    except ValueError as e:
        raise SaveError([Finding("not-writable", "error", f"{work.path} is not written: {e}")]) from None
    work.assets.contents[work.path] = text.encode("utf-8", "replace")


def _read_back(work: _Work, reading: Reading) -> Robot:
    """The robot that the planned file gives; SaveError when it gives none."""
    if reading.robot is None or not reading.ok:
        errors = [f for f in reading.findings if f.severity == "error"]
        what = f"{work.path} is not written: what it would hold is not read back"
        raise SaveError([Finding("not-writable", "error", what), *errors])
    return reading.robot


def _relative(work: _Work) -> list[str]:
    folder = os.path.dirname(work.path)
    others = sorted({*work.assets.contents, *work.assets.copies} - {work.path})
    return [os.path.relpath(p, folder) for p in (work.path, *others)]


def _reshaped(losses: list[Difference]) -> list[str]:
    """Links whose shapes are not what they were."""
    parts = [d.path.split("/") for d in losses]
    names = [p[1] for p in parts if len(p) > 2 and p[0] == "links" and p[2] in ("visuals", "collisions")]
    return [n.replace("~1", "/").replace("~0", "~") for n in dict.fromkeys(names)]


def _joint_map(a: Robot, b: Robot, losses: list[Difference]) -> tuple[tuple[str, int, str, int], ...]:
    """Name and index of each joint in both files: the one that moves the same link."""
    links = {d.before: d.after for d in losses if d.kind == "renamed" and d.path.startswith("links/")}
    place = {j.child: (j.name, k) for k, j in enumerate(b.joints)}
    pairs = [(j.name, k, links.get(j.child, j.child)) for k, j in enumerate(a.joints)]
    return tuple((name, k, *place[link]) for name, k, link in pairs if link in place)


# --- the disk -----------------------------------------------------------------------------


def commit(assets: Assets, main: str, overwrite: bool) -> None:
    """Write all planned files: first beside their places, then all moved there, the model last."""
    folder = os.path.dirname(main)
    targets = [*sorted({*assets.contents, *assets.copies} - {main}), main]
    findings = Findings()
    for target in targets:
        _check(target, main, folder, assets, overwrite, findings)
    if findings:
        raise SaveError(findings)
    made: list[tuple[str, str]] = []
    try:
        for target in targets:
            if not (target != main and _is_there(target, assets)):
                made.append((_beside(target, assets.bytes_of(target)), target))
        while made:
            os.replace(*made[0])
            del made[0]
    except OSError as e:
        what = f"cannot write {e.filename or main}: {e.strerror or e}"
        raise SaveError([Finding("output-unwritable", "error", what)]) from None
    finally:
        for temporary, _ in made:
            _remove(temporary)


def _check(
    target: str, main: str, folder: str, assets: Assets, overwrite: bool, findings: Findings
) -> None:
    inside = os.path.commonpath([os.path.realpath(folder), os.path.realpath(target)])
    if inside != os.path.realpath(folder):
        what = f"{target} would lie outside of the output's folder"
        findings.error("output-unwritable", what)
    elif os.path.isdir(target):
        findings.error("output-exists", f"{target} is a directory")
    elif os.path.lexists(target) and not overwrite and (target == main or not _is_there(target, assets)):
        findings.error(
            "output-exists", f"{target} is there already", hint="say overwrite, or write to another name"
        )


def _is_there(target: str, assets: Assets) -> bool:
    """Whether a file of the same content is already at its place."""
    if not os.path.isfile(target):
        return False
    from unibody.model.same import file_digest

    return file_digest(target) == assets.digest(target)


def _beside(target: str, data: bytes) -> str:
    """A whole new file beside its place, safely on the disk."""
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
    except OSError:
        _remove(temporary)
        raise
    return temporary


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)


class _Callable(ModuleType):
    """Importing this module makes it an attribute of ``unibody`` of the same name as its function."""

    def __call__(self, *arguments: Any, **settings: Any) -> Report:
        return save(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
