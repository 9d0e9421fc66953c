"""Conditions of rows: what of a model file a program may read otherwise, with its places."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from unibody.files.access import FileError, Files
from unibody.formats.loader import Reading
from unibody.meshes.stl import is_binary_stl, is_text_stl
from unibody.model.inertia import principal_moments
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import MeshFile, Shape
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding
from unibody.text.node import Node, Value, Word
from unibody.text.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model file as the conditions see it: its robot, what was read and found, its files."""

    robot: Robot
    reading: Reading
    findings: Sequence[Finding]
    files: Files

    @property
    def root(self) -> Link:
        """The root link."""
        name = self.robot.root
        return next(link for link in self.robot.links if link.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One part of a file that meets a condition.

    ``name`` and ``other`` are for the message, ``path`` is the subject of the finding.
    """

    name: str = ""
    other: str = ""
    at: Span | None = None
    path: str = ""


Condition = Callable[[Model, tuple[str, ...]], Iterator[Hit]]


def hits(condition: str, model: Model, of: tuple[str, ...] = ()) -> Iterator[Hit]:
    """What of a model meets a condition, each place once."""
    seen: set[Any] = set()
    for hit in CONDITIONS[condition](model, of):
        key = (hit.name, hit.path)
        if key not in seen:
            seen.add(key)
            yield hit


def _link(link: Link) -> Hit:
    return Hit(name=link.name, at=link.at, path=path_of("links", link.name))


def _joint(joint: Joint, other: str = "") -> Hit:
    return Hit(name=joint.name, other=other, at=joint.at, path=path_of("joints", joint.name))


def _root_floats(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """A root link that is not called "world", of a robot that is not stated to be free."""
    if model.root.name != "world" and model.robot.base != "free":
        yield _link(model.root)


def _root_weighs(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """A root link with a mass, of a robot that is not stated to be fixed."""
    if model.root.inertial is not None and model.robot.base != "fixed":
        yield _link(model.root)


def _root_world(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """A massless root link called "world"."""
    if model.root.name == "world" and model.root.inertial is None:
        yield _link(model.root)


def _base_fixed(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """The root link of a robot that is stated to be fixed."""
    if model.robot.base == "fixed":
        yield _link(model.root)


def _fixed_joints(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for joint in model.robot.joints:
        if joint.kind == "fixed":
            yield Hit(name=joint.child, other=joint.parent, at=joint.at, path=path_of("joints", joint.name))


def _moving_joints(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for joint in model.robot.joints:
        if joint.kind != "fixed":
            yield _joint(joint)


def _joints_of_kind(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for joint in model.robot.joints:
        if joint.kind in of:
            yield _joint(joint)


def _endless_joints(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Continuous joints with limits of effort or velocity."""
    for joint in model.robot.joints:
        limits = joint.limits
        is_endless = joint.kind == "revolute" and all(map(math.isinf, limits.position))
        if is_endless and not all(map(math.isinf, (*limits.velocity, *limits.effort))):
            yield _joint(joint)


def _reversed_limits(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for joint in model.robot.joints:
        low, high = joint.limits.position
        if low > high and KINDS[joint.kind].bounded:
            yield _joint(joint)


def _resisting_joints(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Joints with damping or friction, as ``of`` says."""
    for joint in model.robot.joints:
        if any(getattr(joint.dynamics, name) for name in of):
            yield _joint(joint)


def _couplings(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    at = {joint.name: joint.at for joint in model.robot.joints}
    for coupling in model.robot.couplings:
        place = coupling.at or at.get(coupling.joint)
        path = path_of("couplings", coupling.joint)
        yield Hit(name=coupling.joint, other=coupling.leader, at=place, path=path)


def _massless_links(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links without an inertial, but for a root called "world"."""
    for link in model.robot.links:
        if link.inertial is None and link.name != "world":
            yield _link(link)


def _weighing_links(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links with a mass."""
    for link in model.robot.links:
        if link.inertial is not None and link.inertial.mass > 0:
            at = link.inertial.at or link.at
            yield Hit(name=link.name, at=at, path=path_of("links", link.name, "inertial"))


def _odd_inertias(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links with a negative principal inertia, or one that exceeds the sum of the others.

    One of zero is odd, too, unless ``of`` has "zero", which the program accepts.
    """
    accepts_zero = "zero" in of
    for link in model.robot.links:
        inertial = link.inertial
        if inertial is None or not np.isfinite(inertial.inertia).all():
            continue
        least, middle, most = principal_moments(inertial.inertia)
        is_low = least < -1e-12 * most if accepts_zero else least <= 0.0
        if is_low or least + middle < most * (1 - 1e-12):
            yield Hit(
                name=link.name, at=inertial.at or link.at, path=path_of("links", link.name, "inertial")
            )


def _shaped_links(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links without an inertial that have collision shapes, but for the root."""
    for link in model.robot.links:
        if link.inertial is None and link.collisions and link.name != model.robot.root:
            yield _link(link)


def _light_links(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links that, with what is fixed to them, weigh ``of`` kg or less, but for a root called "world"."""
    mass = {link.name: link.inertial.mass if link.inertial else 0.0 for link in model.robot.links}
    for link, group in _groups(model.robot):
        if link.name != "world" and sum(mass.get(name, 0.0) for name in group) <= float(of[0]):
            yield _link(link)


def _massless_groups(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links that a moving joint carries, without mass and collision shapes, as is what is fixed to them."""
    weighs = {
        link.name: bool(link.collisions) if link.inertial is None else link.inertial.mass > 0
        for link in model.robot.links
    }
    for link, group in _groups(model.robot):
        if link.name != model.robot.root and not any(weighs.get(name) for name in group):
            yield _link(link)


def _groups(robot: Robot) -> Iterator[tuple[Link, set[str]]]:
    """The root and each link that a moving joint carries, with what is fixed to it, and itself."""
    fixed: dict[str, list[str]] = {}
    for joint in robot.joints:
        if joint.kind == "fixed":
            fixed.setdefault(joint.parent, []).append(joint.child)
    links = {link.name: link for link in robot.links}
    for head in (robot.root, *(joint.child for joint in robot.joints if joint.kind != "fixed")):
        if head in links:
            todo, seen = [head], set[str]()
            while todo:
                name = todo.pop()
                seen.add(name)
                todo += [child for child in fixed.get(name, ()) if child not in seen]
            yield links[head], seen


def _shapes(model: Model, where: str) -> Iterator[tuple[Link, Shape]]:
    """The visual, the collision or all shapes of links."""
    for link in model.robot.solids:
        if where != "collision":
            yield from ((link, shape) for shape in link.visuals)
        if where != "visual":
            yield from ((link, shape) for shape in link.collisions)


def _visuals(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for link, shape in _shapes(model, "visual"):
        yield Hit(name=link.name, at=shape.at or link.at, path=path_of("links", link.name, "visuals"))


def _meshes(model: Model, where: str) -> Iterator[tuple[Hit, MeshFile]]:
    for link, shape in _shapes(model, where):
        mesh = shape.geometry
        if isinstance(mesh, MeshFile):
            yield Hit(name=mesh.uri, other=link.name, at=shape.at or link.at), mesh


def _mesh_suffixes(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Mesh files of visual, collision or all shapes whose suffix is none of those that a program opens."""
    where, *opened = of
    for hit, mesh in _meshes(model, where):
        if os.path.splitext(mesh.uri)[1].lower() not in opened:
            yield hit


def _mesh_schemes(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Mesh files of visual, collision or all shapes that are named by a URI of a scheme."""
    where, scheme = of
    for hit, mesh in _meshes(model, where):
        if mesh.uri.startswith(scheme):
            yield hit


def _text_meshes(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """STL files in text of visual, collision or all shapes."""
    for hit, mesh in _meshes(model, of[0]):
        if mesh.path and mesh.uri.lower().endswith(".stl"):
            try:
                data = model.files.read(mesh.path)
            except FileError:  # reported where it is read
                continue
            if is_text_stl(data) and not is_binary_stl(data):
                yield hit


def _versions(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """The version that the file states, unless it is one that a program reads."""
    node = model.reading.node
    version = node.get("version") if isinstance(node, Node) else None
    if isinstance(node, Node) and isinstance(version, Word) and version.text not in of:
        yield Hit(name=version.text, at=node.place(version))


def _found(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Findings of these codes."""
    for finding in model.findings:
        if finding.code in of:
            place = str(finding.at.start) if finding.at else finding.message
            yield Hit(at=finding.at, path=finding.subject or f"at {place}")


def _found_at(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Findings of a code at a text that has a pattern."""
    code, pattern = of
    for hit in _found(model, (code,)):
        if hit.at is not None and re.search(pattern, hit.at.text):
            yield hit


def _written(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Attributes of these names, as they are written."""
    for name, _, at in _words(model.reading):
        if name in of:
            yield Hit(name=name, at=at, path=f"at {at.start if at else 0}")


def _stated(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Attributes and texts of elements with these values: "type=gearbox"."""
    for name, text, at in _words(model.reading):
        if f"{name}={text.strip()}" in of:
            yield Hit(name=f"{name} {text.strip()}", at=at, path=f"at {at.start if at else 0}")


def _present(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Elements of these names."""
    for name, _, at in _elements(model.reading):
        if name in of:
            yield Hit(name=name, at=at, path=f"at {at.start if at else 0}")


def _loops(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    for loop in model.robot.loops:
        yield Hit(name=loop.name, at=loop.at, path=path_of("loops", loop.name))


def _turned_inertials(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links whose <inertial> has a <pose> that turns it."""
    for name, node, at in _elements(model.reading):
        inertial = node.get("inertial")
        pose = inertial.get("pose") if name == "link" and isinstance(inertial, Node) else None
        text = pose.word("") if isinstance(pose, Node) else getattr(pose, "text", None)
        if text and any(word.strip("+-0.eE") for word in text.split()[3:]):
            yield Hit(name=node.word("name") or "", at=at, path=f"at {at.start if at else 0}")


def _lacking(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Elements without some children: "visual|collision" either, "material/texture" one with this."""
    which, *children = of
    names, _, having = which.partition("/")
    for name, node, at in _elements(model.reading):
        own = {key for key, value, _ in node.items if isinstance(value, Node)}
        if name in names.split("|") and not own.intersection(children) and (not having or having in own):
            yield Hit(name=name, at=at, path=f"at {at.start if at else 0}")


def _flat_inertias(model: Model, of: tuple[str, ...]) -> Iterator[Hit]:
    """Links with a mass one of whose principal inertias is not positive, unless all are zero."""
    for link in model.robot.links:
        inertial = link.inertial
        if inertial is None or not inertial.mass or not np.isfinite(inertial.inertia).all():
            continue
        if np.any(inertial.inertia) and principal_moments(inertial.inertia)[0] <= 0.0:
            yield Hit(
                name=link.name, at=inertial.at or link.at, path=path_of("links", link.name, "inertial")
            )


def settings(reading: Reading) -> set[str]:
    """The attributes and texts of the elements of a file: "discardvisual=false"."""
    return {f"{name}={text.strip()}" for name, text, _ in _words(reading)}


def _words(reading: Reading) -> Iterator[tuple[str, str, Span | None]]:
    """The attributes of a file, and elements that hold a text: name, text and place."""
    todo: list[tuple[str, Value]] = [("", reading.node)] if reading.node is not None else []
    while todo:
        tag, value = todo.pop()
        if isinstance(value, Node):
            for item in value.items:
                key, inner, _ = item
                if isinstance(inner, Word):
                    yield key or tag, inner.text, value.item_span(item)
                else:
                    todo.append((key, inner))


def _elements(reading: Reading) -> Iterator[tuple[str, Node, Span | None]]:
    """The elements below the root element: name, node and place; those of <gazebo> are for it alone."""
    todo: list[tuple[str, Node, Span | None]] = []
    node: Value | None = reading.node
    while isinstance(node, Node):
        for item in reversed(node.items):
            key, inner, _ = item
            if isinstance(inner, Node) and key != "gazebo":
                todo.append((key, inner, node.item_span(item)))
        if not todo:
            return
        yield todo[-1]
        node = todo.pop()[1]


#: The conditions that rows name.
CONDITIONS: dict[str, Condition] = {
    "root-floats": _root_floats,
    "root-weighs": _root_weighs,
    "root-world": _root_world,
    "base-fixed": _base_fixed,
    "joint-fixed": _fixed_joints,
    "joint-moving": _moving_joints,
    "joint-kind": _joints_of_kind,
    "joint-endless": _endless_joints,
    "joint-resists": _resisting_joints,
    "limits-reversed": _reversed_limits,
    "coupling": _couplings,
    "link-massless": _massless_links,
    "link-weighs": _weighing_links,
    "inertia-odd": _odd_inertias,
    "link-shaped": _shaped_links,
    "link-light": _light_links,
    "group-massless": _massless_groups,
    "visual": _visuals,
    "mesh-suffix": _mesh_suffixes,
    "mesh-scheme": _mesh_schemes,
    "mesh-text": _text_meshes,
    "version": _versions,
    "finding": _found,
    "finding-at": _found_at,
    "written": _written,
    "stated": _stated,
    "element": _present,
    "loop": _loops,
    "inertial-turned": _turned_inertials,
    "element-lacks": _lacking,
    "inertia-flat": _flat_inertias,
}
