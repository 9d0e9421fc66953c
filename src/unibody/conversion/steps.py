"""The steps by which one model file is written: its text, what it says, and what that lacks.

``write_model`` calls them in order: the source's text with the change merged into it, the fresh text
where that is needed to judge or to replace it, and the judgment. No step calls an earlier one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from unibody.conversion.destination import Destination
from unibody.conversion.layout import Layout, Origin, in_order_of, layout_of, merged, with_references
from unibody.conversion.lowering import lower
from unibody.conversion.measurement import (
    all_differences,
    links_with_changed_shapes,
    losses_in,
    with_names,
)
from unibody.conversion.output import Output, SaveError
from unibody.conversion.readback import dead_references, output_reading, read_output
from unibody.conversion.verification import bounds_deviations
from unibody.conversion.writing import has_sidecar, sidecar_lines, write
from unibody.document.declare import Document
from unibody.meshes import MeshCache
from unibody.model.equality import last_part
from unibody.model.facts import Difference
from unibody.model.robot import Link, Robot
from unibody.text.finding import Finding, Findings
from unibody.text.node import Node

# Meshes that are this far apart (m) are in the same place.
_PLACE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """An output and what was measured of it.

    ``readback`` is what it says without its side-car, ``loaded`` what the format's own loader makes of
    that; ``losses`` are the differences of the robot to this one, ``remaining`` those with the side-car,
    ``dead`` the files to which it refers and that are not found; ``document`` is that of its text.
    """

    output: Output
    readback: Robot
    loaded: Robot
    losses: list[Difference]
    remaining: list[Difference]
    findings: Sequence[Finding] = ()
    layout: Layout | None = None
    dead: Set[str] = frozenset()
    document: Document | None = None


def write_model(
    robot: Robot,
    destination: Destination,
    origin: Origin | str | None,
    plain: bool,
    meshes: MeshCache | None = None,
) -> Written:
    """The file of a robot, in the text of its origin where that says the robot as well as a fresh text.

    An ``origin`` that is a ``str`` says why there is none. ``plain`` leaves out the side-car. ``meshes``, a
    new cache, reads those of the robot.
    """
    meshes = MeshCache(findings=Findings()) if meshes is None else meshes
    why = origin if isinstance(origin, str) else ""
    kept = None
    if isinstance(origin, Origin) and not (why := destination.writer.anew(robot)):
        destination = with_references(destination, origin)
        kept = keep_layout(origin, robot, destination, plain)
        if kept is not None and _is_whole(kept, origin):
            return kept
    fresh = write_fresh(robot, destination, plain, meshes)
    if isinstance(origin, Origin) and not why:
        why = _fault(kept, fresh, origin, robot, destination, meshes)
        if kept is not None and not why:
            return kept
    return replace(fresh, layout=Layout(anew=why)) if why else fresh


def keep_layout(origin: Origin, robot: Robot, destination: Destination, plain: bool) -> Written | None:
    """The text of the origin with the change merged into it, and with another side-car if it needs one.

    Where lists of the robot have another order, the elements of the text are moved only if it then says
    more. None if the change has no place in it, or if it cannot be read.
    """
    stays = in_order_of(origin.robot, robot)
    kept = _merge(origin, robot, stays, destination, plain)
    if stays is robot or (kept is not None and not kept.losses):
        return kept
    moved = _merge(origin, robot, robot, destination, plain)
    says_no_more = kept is not None and (moved is None or _among(kept.losses, moved.losses))
    return kept if says_no_more else moved


def _merge(
    origin: Origin, robot: Robot, stated: Robot, destination: Destination, plain: bool
) -> Written | None:
    """The text of the origin with the change to a ``stated`` robot, measured against the ``robot``."""
    output = merged(origin, stated, destination, plain)
    if output is None:
        return None
    is_same, carries = output.data == origin.data, has_sidecar(output.data, destination.format)
    try:
        written = read_back(output, robot, destination, plain)
        if not plain and carries and is_same:
            written = _with_sidecar(written, output, robot, destination)
        if not plain and (written.remaining or (carries and not is_same)):
            lines = sidecar_lines(lower(robot, destination, plain), written.readback)
            other = merged(origin, stated, destination, plain, lines)
            if other is None:
                return None
            written = _with_sidecar(written, other, robot, destination)
    except SaveError:
        return None
    return replace(written, layout=layout_of(origin, written.output.data))


def write_fresh(robot: Robot, destination: Destination, plain: bool, meshes: MeshCache) -> Written:
    """A new text, with a side-car for what it lacks; SaveError if it cannot be written or read."""
    lowered = lower(robot, destination, plain)
    written = read_back(write(lowered, destination, []), robot, destination, plain)
    left_out = lowered.store.left_out
    if written.remaining and not plain and (lines := sidecar_lines(lowered, written.readback)):
        written = _with_sidecar(written, write(lowered, destination, lines), robot, destination)
    else:
        written = replace(written, remaining=[*written.remaining, *left_out])
    losses = [*written.losses, *left_out]
    return replace(written, losses=losses, findings=lowered.store.findings_about(robot, meshes))


def read_back(output: Output, robot: Robot, destination: Destination, plain: bool) -> Written:
    """What an output says without its side-car, and how that differs from the robot."""
    reading = output_reading(output, destination, plain=True)
    assert reading.robot is not None
    written = compared(reading.robot, output, robot, destination, plain)
    return replace(written, dead=dead_references(reading), document=reading.document)


def compared(found: Robot, output: Output, robot: Robot, destination: Destination, plain: bool) -> Written:
    """How a robot that was found in an output differs from the one that was written."""
    readback = as_unknown(found, robot)
    loaded = destination.writer.as_loaded(readback)
    differences = differences_in(robot, loaded, output, destination)
    remaining = differences
    if not plain and loaded is not readback:
        remaining = differences_in(robot, readback, output, destination)
    return Written(
        output=output,
        readback=readback,
        loaded=loaded,
        losses=losses_in(differences, robot, loaded),
        remaining=remaining,
    )


def _with_sidecar(written: Written, output: Output, robot: Robot, destination: Destination) -> Written:
    """The same with an output that has a side-car, and what remains with it."""
    carried = as_unknown(read_output(output, destination), robot)
    return replace(written, output=output, remaining=differences_in(robot, carried, output, destination))


def differences_in(
    robot: Robot, other: Robot, output: Output, destination: Destination
) -> list[Difference]:
    """The differences of what was read back to a robot."""
    return all_differences(
        robot,
        other,
        output.assets.digest,
        found=not destination.keep,
        by_child=destination.writer.one_name,
    )


def _is_whole(kept: Written, origin: Origin) -> bool:
    """Whether a kept text says all of the robot, so that no fresh text can say more."""
    is_new = bool(kept.losses) and kept.output.data != origin.data
    has_moved = bool(links_with_changed_shapes(kept.losses))
    return not (kept.remaining or is_new or has_moved or kept.dead - dead_references(origin.reading))


def _fault(
    kept: Written | None,
    fresh: Written,
    origin: Origin,
    robot: Robot,
    destination: Destination,
    meshes: MeshCache,
) -> str:
    """Why a fresh text takes the place of the kept one: it says more of the robot, or finds more files."""
    more = "the change is more than its text can take"
    if kept is None:
        return more
    if lost := kept.dead - dead_references(origin.reading) - fresh.dead:
        return f"'{min(map(last_part, lost))}', which its text names, would not be found"
    if not _is_in_place(kept, fresh, robot, destination, meshes):
        return "its meshes would be in other places"
    is_less = not _among(kept.remaining, fresh.remaining) or not _among(kept.losses, fresh.losses)
    return more if is_less else ""


def _is_in_place(
    kept: Written, fresh: Written, robot: Robot, destination: Destination, meshes: MeshCache
) -> bool:
    """Whether the shapes that differ are as near to those of the robot as in the fresh text."""
    links = links_with_changed_shapes(kept.losses)
    if not links:
        return True
    here, there = (
        bounds_deviations(
            robot,
            with_names(x.readback, x.losses, back=True),
            (meshes, MeshCache(x.output.files(destination.files.allow))),
            links,
        )
        for x in (kept, fresh)
    )
    return all(not value > there.get(owner, math.inf) + _PLACE for owner, value in here.items())


def _among(found: Iterable[Difference], others: Iterable[Difference]) -> bool:
    """Whether all differences are among the others; vendor data that differ must be the same in both."""
    known = {(d.path, d.kind): d.after for d in others}
    return all(
        (d.path, d.kind) in known and (not isinstance(d.after, Node) or d.after == known[d.path, d.kind])
        for d in found
    )


def as_unknown(readback: Robot, robot: Robot) -> Robot:
    """The readback, where a mass that it does not state is as unknown as it is in the robot."""
    unknown = {x.name: x.inertial for x in robot.links if x.inertial is not None and x.inertial.unknown}
    if not unknown:
        return readback

    def same(link: Link) -> Link:
        inertial, known = link.inertial, unknown.get(link.name)
        is_derived = known is not None and inertial is not None and inertial.mass_at is None
        return replace(link, inertial=known) if is_derived else link

    return readback.with_solids(same)
