"""A robot into a file of any format: planned as a whole, read back and measured, then written."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import Literal

from unibody.conversion.asset_paths import Place, relocated
from unibody.conversion.assets import Assets, PlannedDisk
from unibody.conversion.mesh_export import Store
from unibody.conversion.output import SaveError, check, folder_beside, put
from unibody.conversion.report import Report, called_as, explained, known, measured
from unibody.conversion.verification import prove
from unibody.document.unbind import unbind
from unibody.files.access import Files
from unibody.files.uris import PLAIN, shown
from unibody.formats import FORMATS, by_name
from unibody.formats.format import Format, Writer
from unibody.formats.loader import Reading, read, read_plain
from unibody.formats.tree import check_tree
from unibody.model.changes.carry import Rules, entries
from unibody.model.facts import Difference
from unibody.model.needed import check_is_robot
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape
from unibody.model.validation.basic import check_parts
from unibody.model.validation.numbers import check_numbers
from unibody.text.finding import Finding, Findings
from unibody.text.limits import ReadLimits

__all__ = ["DEFAULT", "Options", "Planned", "SaveError", "plan", "save", "write"]


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
    return write(robot, path, Options(format=format, overwrite=overwrite, plain=plain))


def write(robot: Robot, path: str | os.PathLike[str], options: Options = DEFAULT) -> Report:
    """As :func:`save`, with all options."""
    check_is_robot(robot)
    planned = plan(robot, os.fspath(path), options)
    if options.dry_run:
        check(planned, options.overwrite)
        return planned.report
    planned = put(planned, lambda folder: plan(robot, os.fspath(path), options, folder), options.overwrite)
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
    writer: Writer
    place: Place
    assets: Assets = field(default_factory=Assets)

    @property
    def files(self) -> Files:
        """A door to the disk as it will be."""
        allow = tuple({os.path.dirname(p) for p in self.assets.copies.values()})
        # It is this program's own text, of a model that was read.
        return Files(disk=PlannedDisk(self.assets), allow=allow, limits=ReadLimits.unlimited())


def plan(robot: Robot, path: str, options: Options, folder: str = "") -> Planned:
    """Make all files of a model in memory, read them back, and measure.

    Files that it names go into ``folder``, or that beside it.
    """
    chosen = _format(path, options.format)
    assert chosen.writer is not None
    absolute = os.path.abspath(path)
    folder = folder or folder_beside(absolute)
    allow = tuple(_folders(robot)) if options.meshes == "keep" else ()
    place = Place(absolute, folder, Files(allow=allow), options.meshes == "keep", options.package)
    work = _Work(absolute, chosen, chosen.writer(), place)
    if options.package and not work.writer.packages:
        what = f"{path} is not written: readers of {chosen.title} files know no package:// names"
        raise SaveError([Finding("not-writable", "error", what, hint="name files beside the model")])
    if options.package and not PLAIN.fullmatch(options.package):
        what = f"{path} is not written: {shown(options.package)} is no name of a package"
        raise SaveError([Finding("not-writable", "error", what)])
    store = Store(place, work.assets, work.writer)
    _check_tree(robot)

    def wanted(shape: Shape) -> bool:
        return not options.plain or not isinstance(shape.geometry, MeshFile) or store.kept(shape)

    here = relocated(robot, place, work.assets, wanted)
    ready = store.stored(work.writer.changes(here))
    _put(work, ready, [])
    plain = _read_back(work, read_plain(absolute, chosen, work.files))
    losses = measured(robot, plain, work.assets.digest)
    left = losses
    if losses and not options.plain:
        rules = Rules(work.assets.digest, store.geometry_json, store.numbers_json)
        lines = [entry.line() for entry in entries(here, plain, rules)]
        if lines:
            _put(work, ready, lines)
            full = _read_back(work, read(absolute, chosen, files=work.files))
            left = measured(robot, full, work.assets.digest)
    found = explained(losses, (robot, plain), left, work.writer.cannot)
    twin = called_as(plain, losses, back=True)
    report = Report(
        source=robot.name,
        target=path,
        format=chosen.name,
        losses=tuple(found),
        files=tuple(_relative(work)),
        findings=tuple(f for f in store.findings if f.severity != "info"),
        proof=prove(robot, twin, work.files, _reshaped(losses), known(found)),
        joints=_joint_map(robot, plain, losses),
    )
    return Planned(absolute, work.assets, report)


def _format(path: str, wanted: str | Format | None) -> Format:
    """The format that a file is written in; SaveError when there is none."""
    if isinstance(wanted, Format):
        found = wanted
    else:
        suffix = path.lower()
        fitting = (f for f in FORMATS if suffix.endswith(f.suffixes))
        known = by_name(wanted) if wanted else next(fitting, None)
        if known is None:
            what = f"unknown format '{wanted}'" if wanted else f"{path}: unknown format"
            raise SaveError([Finding("format-unknown", "error", what, hint=_written())])
        found = known
    if found.writer is None:
        what = f"{found.title} files are read, not written"
        raise SaveError([Finding("format-not-written", "error", what, hint=_written())])
    return found


def _written() -> str:
    """The formats that there are to write."""
    known = [f"{f.name} ({f.suffixes[0]})" for f in FORMATS if f.writer is not None]
    return f"what can be written: {', '.join(known)}"


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
    check_parts(robot, findings)
    check_numbers(robot, findings)
    if findings.errors:
        raise SaveError(findings.errors)


def _put(work: _Work, robot: Robot, lines: list[str]) -> None:
    """Plan the model's own file."""
    document = work.writer.from_robot(robot)
    if lines:
        work.writer.carry(document, lines)
    node = unbind(document, work.writer.tag)
    work.writer.arrange(node)
    try:
        text = work.format.reader().print(node, None)
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
