"""Makes links and joints of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unibody.formats.format import Context
from unibody.formats.mjcf.geoms import ALONE, GeomRecord, read_contact
from unibody.formats.mjcf.joints import JointRecord, offset, shift
from unibody.formats.mjcf.tree import BodyRecord
from unibody.formats.tree import first_place
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, ZERO, Pose, Vector3
from unibody.model.robot import Joint, Limits, Link
from unibody.model.shape import Shape
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.source import Span


@dataclass(slots=True, kw_only=True)
class Assembly:
    """The bodies of a model with all that was read of them; lists by the index of the body.

    ``root`` is the index of the body that is the root link: 0 for the world, which else is the surroundings
    of the robot, if anything is in it. ``names`` are the names of the links, ``chains`` those of the links
    of all joints, the last of which is the body's own.
    """

    bodies: list[BodyRecord]
    joints: list[list[JointRecord]]
    geoms: list[list[GeomRecord]]
    masses: list[Inertial | None]
    names: list[str]
    chains: list[list[str]]
    root: int = 0

    @property
    def is_surrounded(self) -> bool:
        """Whether the world is no link, and has something that the model represents."""
        world = self.bodies[0]
        return bool(self.root and (self.geoms[0] or world.sites or world.cameras or world.lights))

    @property
    def kept(self) -> tuple[int, ...]:
        """The indices of the bodies that are links, that of the surroundings first."""
        return (*((0,) if self.is_surrounded else ()), *range(self.root, len(self.bodies)))

    def offset(self, index: int) -> Vector3:
        """The origin of a link in the frame of its body."""
        return ZERO if index == self.root else offset(self.joints[index])

    def in_link(self, index: int, pose: Pose) -> Pose:
        """A pose in the frame of a body, in the frame of its link."""
        point = self.offset(index)
        return pose if point == ZERO else shift(point) @ pose


def unique(names: Sequence[str], word: str, findings: Findings) -> list[str]:
    """The names, with new ones for the unnamed; MuJoCo rejects a file with equal names."""
    taken = {name for name in names if name}
    out: list[str] = []
    number = 0
    for name in names:
        if name:
            out.append(name)
            continue
        number += 1
        while f"{word}_{number}" in taken:
            number += 1
        out.append(f"{word}_{number}")
    unnamed = sum(not name for name in names)
    if unnamed:
        first = next(made for name, made in zip(names, out, strict=True) if not name)
        what = f"unnamed {word}; using '{first}'"
        findings.info("name-missing", what if unnamed == 1 else f"{unnamed} times {what} and so on")
    return out


def check_names(names: Sequence[tuple[str, Span | None]], word: str, findings: Findings) -> None:
    """Report names that occur twice, which MuJoCo rejects."""
    seen: dict[str, Span | None] = {}
    for name, at in names:
        if name and name in seen:
            place = first_place(seen[name], at)
            findings.error(
                "name-duplicate",
                f"duplicate {word} name '{name}'{place}; MuJoCo rejects the file",
                at,
                "rename one of them",
                subject=path_of(f"{word}s", name),
            )
        seen.setdefault(name, at)


def chain_names(
    bodies: list[BodyRecord], joints: list[list[JointRecord]], names: list[str], context: Context
) -> list[list[str]]:
    """The links of each body: one for each joint, the last of which is the body itself."""
    taken = set(names)
    out = []
    for body, own, name in zip(bodies, joints, names, strict=True):
        made = []
        for joint in own[:-1]:
            stem = f"{name}_{joint.name}"
            link, number = stem, 1
            while link in taken:
                number += 1
                link = f"{stem}_{number}"
            taken.add(link)
            made.append(link)
        if made:
            context.findings.info(
                "joints-several",
                f"body '{name}' has {len(own)} joints; adding massless links between: {', '.join(made)}",
                body.at,
                subject=path_of("links", name),
            )
        out.append([*made, name])
    return out


def alone(parts: Assembly) -> set[int]:
    """The bodies whose shapes collide with nothing, as those of a link without collisions are written."""
    geoms = [(i, geom) for i in parts.kept for geom in parts.geoms[i] if geom.collides]
    if any(geom.conaffinity & ALONE[0] for _, geom in geoms):
        return set()
    others = {i for i, geom in geoms if (geom.contype, geom.conaffinity) != ALONE or geom.is_paired}
    return {i for i, _ in geoms} - others


def make_links(parts: Assembly) -> list[Link]:
    """The links, massless ones of chains included; the first is the surroundings, if there are any."""
    out: list[Link] = []
    apart = alone(parts)
    for i in parts.kept:
        body = parts.bodies[i]
        out += [Link(name=name, at=body.at) for name in parts.chains[i][:-1]]
        geoms = [(g, _placed(parts, i, g.shape)) for g in parts.geoms[i] if g.shape is not None]
        mass = parts.masses[i]
        point = parts.offset(i)
        if mass is not None and point != ZERO:
            x, y, z = mass.com
            mass = replace(mass, com=(x - point[0], y - point[1], z - point[2]))
        out.append(
            Link(
                name=parts.names[i],
                inertial=None if i == 0 else mass,
                gravity_compensation=(getattr(body.doc, "gravcomp", None) or 0.0) if i else 0.0,
                visuals=tuple(shape for g, shape in geoms if g.is_drawn),
                collisions=tuple(
                    replace(shape, material=None, hull=g.is_hull, contact=read_contact(g.doc))
                    for g, shape in geoms
                    if g.collides
                ),
                collides=i not in apart,
                at=body.at,
            )
        )
    return out


def _placed(parts: Assembly, index: int, shape: Shape) -> Shape:
    return replace(shape, pose=parts.in_link(index, shape.pose))


def _limits(joint: JointRecord) -> Limits:
    if joint.lock is None:
        return joint.limits
    return replace(joint.limits, position=(joint.lock, joint.lock))


def make_joints(parts: Assembly) -> list[Joint]:
    """The joints: of a body in their order, fixed ones for bodies without."""
    out: list[Joint] = []
    taken = {joint.name for own in parts.joints for joint in own}
    for i in parts.kept:
        if i in (0, parts.root):
            continue
        body = parts.bodies[i]
        parent = parts.names[body.parent]
        origin = parts.in_link(body.parent, body.pose)
        own = parts.joints[i]
        if not own:
            name = parts.names[i]
            while name in taken:
                name += "_fixed"
            taken.add(name)
            out.append(
                Joint(
                    name=name,
                    kind="fixed",
                    parent=parent,
                    child=parts.names[i],
                    origin=origin,
                    at=body.at,
                )
            )
        before = ZERO
        for joint, link in zip(own, parts.chains[i], strict=False):
            step: Vector3 = (
                joint.anchor[0] - before[0],
                joint.anchor[1] - before[1],
                joint.anchor[2] - before[2],
            )
            out.append(
                Joint(
                    name=joint.name,
                    kind=joint.kind,
                    parent=parent,
                    child=link,
                    origin=origin if step == ZERO else origin @ Pose(step),
                    axis=(0.0, 0.0, 1.0) if not KINDS[joint.kind].axes else joint.axis,
                    limits=_limits(joint),
                    dynamics=joint.dynamics,
                    actuator=joint.actuator,
                    at=joint.placed.at,
                )
            )
            parent, origin, before = link, IDENTITY, joint.anchor
    return out
