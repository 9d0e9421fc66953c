"""Lowers a robot to what a format can represent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from unibody.conversion.asset_paths import relocate, without_missing
from unibody.conversion.assets import Assets
from unibody.conversion.destination import Destination
from unibody.conversion.mesh_export import MeshStore
from unibody.conversion.output import SaveError
from unibody.edits.kept import used_frames
from unibody.formats.format import Writer
from unibody.formats.tree import check_tree
from unibody.mechanism.settling import with_settled_loops
from unibody.model.changes.frames import frames_as_links
from unibody.model.changes.shapes import SETS
from unibody.model.changes.surroundings import with_root
from unibody.model.robot import Link, Robot
from unibody.model.shape import MeshFile, Shape
from unibody.model.validation.basic import check_parts
from unibody.model.validation.numbers import check_numbers
from unibody.text.finding import Findings


@dataclass(frozen=True, slots=True)
class Lowered:
    """A robot as a format represents it, and the mesh files for what the format lacks.

    ``relocated`` is the input robot with URIs that hold at the destination.
    """

    relocated: Robot
    robot: Robot
    store: MeshStore


def check_writable(robot: Robot) -> None:
    """SaveError for a robot that is not a tree of links, or has NaN or other invalid numbers."""
    findings = Findings()
    check_tree(robot.links, robot.joints, findings)
    check_parts(robot, findings)
    check_numbers(robot, findings)
    if findings.errors:
        raise SaveError(findings.errors)


def _framed(robot: Robot, is_all: bool) -> Collection[str]:
    """The names of the frames that are written as links."""
    return {frame.name for frame in robot.frames} if is_all else used_frames(robot)


def _named_files(robot: Robot, writer: Writer, store: MeshStore) -> frozenset[tuple[str, str]]:
    """The URIs and paths of the mesh files that the lowered robot refers to instead of converting them."""
    sets: dict[str, Any] = {}
    for name in SETS:
        shapes = [shape for link in robot.solids for shape in getattr(link, name)]
        sets[name] = tuple(s for s in shapes if isinstance(s.geometry, MeshFile) and s.geometry.path)
    if not any(sets.values()):
        return frozenset()
    lowered = writer.changes(Robot(name="meshes", links=(Link(name="meshes", **sets),)))
    kept = (s.geometry for x in lowered.solids for name in SETS for s in getattr(x, name) if store.kept(s))
    return frozenset((mesh.uri, mesh.path) for mesh in kept if isinstance(mesh, MeshFile))


def _with_known_masses(robot: Robot, derived_from: Robot | None) -> Robot:
    """The robot without masses that are unknown, which no format states.

    They stay for a format that derives masses from shapes, in links with all shapes of ``derived_from``.
    """
    whole = {} if derived_from is None else {link.name: link for link in derived_from.links}

    def known(link: Link) -> Link:
        inertial, other = link.inertial, whole.get(link.name)
        if inertial is None or not inertial.unknown:
            return link
        if other is not None and (link.visuals, link.collisions) == (other.visuals, other.collisions):
            return link
        return replace(link, inertial=None if inertial.unknown == "mass" else replace(inertial, unknown=""))

    return robot.with_solids(known)


def lower(
    robot: Robot,
    destination: Destination,
    plain: bool,
    whole: bool = False,
    assets: Assets | None = None,
) -> Lowered:
    """The robot in terms of the joints, shapes and files that the destination's format supports.

    With ``plain``, mesh files that only the side-car could refer to are not copied; with ``whole``,
    references to missing files stay where the loaders of the format reject them. SaveError for a robot
    that they reject. ``assets`` are those of the robots of a scene that were lowered before.
    """
    writer = destination.writer
    if rejected := writer.rejects(robot):
        raise SaveError(rejected)
    assets = assets or Assets(destination.folder, flat=destination.in_memory)
    store = MeshStore(destination, assets)

    used = _named_files(robot, writer, store) if plain else frozenset()

    def is_used(shape: Shape) -> bool:
        mesh = shape.geometry
        return not plain or not isinstance(mesh, MeshFile) or (mesh.uri, mesh.path) in used

    own = {destination.format.name}
    kept = own if plain else own | {extra.format for extra in robot.extras}
    relocated = relocate(robot, destination, assets, is_used, kept)
    present = without_missing(relocated, destination) if writer.complete and not whole else relocated
    present = _with_known_masses(present, relocated if writer.derives else None)
    settled = with_settled_loops(present, writer.settles(present)) if present.loops else present
    if writer.framed != "none":
        # surroundings are a link, too, in a format that writes frames as links
        rooted = with_root(settled)
        settled = frames_as_links(rooted, _framed(rooted, writer.framed == "all"))
    return Lowered(relocated, store.export(writer.changes(settled)), store)
