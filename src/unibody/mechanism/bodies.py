"""Rigid bodies of a tree, links fixed to one another lumped together, and their degrees of freedom.

A body is a moving link (or the root) with all links that are fixed to it; its frame is that link's.
Degrees of freedom are numbered as in v.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unibody.mechanism.program import axis_frame, snap
from unibody.mechanism.tree import Tree, derived
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import KINDS, unknown_kind


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Bodies, parents first, and degrees of freedom; constants have the shapes that kernels need.

    ``heads`` holds the link of each body's frame, ``body_of`` the body of each link, ``parents`` the
    parent body (-1 at the root), ``dofs`` the degrees of freedom of each body's joint. ``mass`` (n, 1),
    ``com`` (3, n, 1) and ``inertia`` (3, 3, n, 1), about it, are in the body's frame. ``borne_mass`` (n, 1)
    is what does not fall of the mass, ``borne_moment`` (3, n, 1) this mass times its center; None where all
    falls.

    Degree of freedom k moves body ``dof_bodies[k]`` in the direction ``directions[:, k]``, fixed in the
    frame of body ``dof_frames[k]``: the same body, except for the translations of planar joints and the
    first rotation of universal joints. ``rotational`` (nv, 1) is 1 for a rotation about an axis through
    the moved body's origin, 0 for a translation; ``translational`` (nv, 1) is the speed along the axis at
    unit speed: 1 for a translation, 0 for a rotation, m/rad for a screw. ``armature`` (nv, 1) is the
    rotor inertia. ``pairs`` are the pairs of degrees of freedom on one path, as two rows of indices, and
    where each entry of an (nv, nv) matrix finds its pair; each with itself comes first.
    """

    heads: tuple[int, ...]
    body_of: tuple[int, ...]
    parents: tuple[int, ...]
    dofs: tuple[tuple[int, ...], ...]
    dof_bodies: Indices
    dof_frames: Indices
    directions: Floats
    rotational: Floats
    translational: Floats
    mass: Floats
    com: Floats
    inertia: Floats
    borne_mass: Floats | None
    borne_moment: Floats | None
    armature: Floats
    pairs: tuple[Indices, Indices, Indices]

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return len(self.dof_bodies)

    def path(self, body: int) -> list[int]:
        """Degrees of freedom that move a body, from the root."""
        chain: list[int] = []
        while body >= 0:
            chain += reversed(self.dofs[body])
            body = self.parents[body]
        return chain[::-1]


_Dof = tuple[int, int, Floats, float, float]
_TURN, _SLIDE = (1.0, 0.0), (0.0, 1.0)


@derived
def lump_bodies(tree: Tree) -> Bodies:
    """The bodies and degrees of freedom of a tree."""
    body_of, heads, parents = [-1] * len(tree.parents), list[int](), list[int]()
    poses: dict[int, Floats] = {}  # of each link in its body
    for link in tree.order.tolist():
        parent, joint = int(tree.parents[link]), int(tree.link_joints[link])
        if parent < 0 or KINDS[tree.kinds[joint]].nv:
            body_of[link] = len(heads)
            heads.append(link)
            parents.append(body_of[parent] if parent >= 0 else -1)
            poses[link] = np.eye(4)
        else:
            body_of[link] = body_of[parent]
            poses[link] = poses[parent] @ tree.origins[joint]
    children = {int(joint): link for link, joint in enumerate(tree.link_joints) if joint >= 0}
    found: list[_Dof] = []
    if tree.free_base:
        found += [(0, 0, axis, *way) for way in (_SLIDE, _TURN) for axis in np.eye(3)]
    for joint, start in enumerate(tree.idx_v.tolist()):
        assert start == len(found)
        found += _joint_dofs(tree, joint, children[joint], body_of, poses)
    groups: list[list[int]] = [[] for _ in heads]
    for k, (body, *_) in enumerate(found):
        groups[body].append(k)
    mass, com, inertia = _inertias(tree, body_of, poses, len(heads))
    borne_mass, borne_moment = _borne(tree, body_of, poses, len(heads))
    return Bodies(
        heads=tuple(heads),
        body_of=tuple(body_of),
        parents=tuple(parents),
        dofs=tuple(map(tuple, groups)),
        dof_bodies=np.array([dof[0] for dof in found], np.intp),
        dof_frames=np.array([dof[1] for dof in found], np.intp),
        directions=np.array([dof[2] for dof in found]).reshape(-1, 3).T[:, :, None].copy(),
        rotational=np.array([[dof[3]] for dof in found]).reshape(-1, 1),
        translational=np.array([[dof[4]] for dof in found]).reshape(-1, 1),
        mass=mass,
        com=com,
        inertia=inertia,
        borne_mass=borne_mass,
        borne_moment=borne_moment,
        armature=tree.armature[:, None],
        pairs=_pairs([dof[0] for dof in found], parents, groups),
    )


def _pairs(
    dof_bodies: Sequence[int], parents: Sequence[int], groups: Sequence[Sequence[int]]
) -> tuple[Indices, Indices, Indices]:
    rows, columns = list(range(len(dof_bodies))), list(range(len(dof_bodies)))
    for k, body in enumerate(dof_bodies):
        before = [other for other in groups[body] if other < k]
        while parents[body] >= 0:
            body = parents[body]  # noqa: PLW2901
            before += groups[body]
        rows += before
        columns += [k] * len(before)
    places = np.full((len(dof_bodies), len(dof_bodies)), len(rows))
    numbers = np.arange(len(rows))
    places[rows, columns] = numbers
    places[columns, rows] = numbers
    return np.array(rows, np.intp), np.array(columns, np.intp), places.ravel()


def _joint_dofs(
    tree: Tree, joint: int, child: int, body_of: Sequence[int], poses: dict[int, Floats]
) -> Iterator[_Dof]:
    parent, kind = int(tree.parents[child]), tree.kinds[joint]
    body, axis = body_of[child], snap(tree.axes[joint])
    outer = (poses[parent] @ tree.origins[joint])[:3, :3]
    match kind:
        case "revolute":
            yield body, body, axis, *_TURN
        case "prismatic":
            yield body, body, axis, *_SLIDE
        case "screw":
            yield body, body, axis, 1.0, float(tree.leads[joint])
        case "universal":
            yield body, body_of[parent], outer @ axis, *_TURN
            yield body, body, snap(tree.second_axes[joint]), *_TURN
        case "planar":
            frame = axis_frame(axis.tolist())
            for column in range(2):
                yield body, body_of[parent], outer @ frame[:, column], *_SLIDE
            yield body, body, axis, *_TURN
        case "ball" | "free":
            for way in (_SLIDE, _TURN) if kind == "free" else (_TURN,):
                yield from ((body, body, axis, *way) for axis in np.eye(3))
        case "fixed" | "track":
            pass
        case _:
            unknown_kind(kind)


def _inertias(
    tree: Tree, body_of: Sequence[int], poses: dict[int, Floats], count: int
) -> tuple[Floats, Floats, Floats]:
    """Mass, center of mass and inertia about it of the bodies, in their frames.

    Links that have an inertia but no mass keep it, wherever they are.
    """
    parts: list[list[tuple[float, Floats, Floats]]] = [[] for _ in range(count)]
    for link, pose in poses.items():
        own, about = float(tree.mass[link]), tree.inertia[link]
        if own != 0.0 or (about != 0.0).any():
            rotation = pose[:3, :3]
            center = rotation @ tree.com[link] + pose[:3, 3]
            parts[body_of[link]].append((own, center, rotation @ about @ rotation.T))
    mass, com, inertia = np.zeros((count, 1)), np.zeros((3, count, 1)), np.zeros((3, 3, count, 1))
    for body, links in enumerate(parts):
        mass[body] = total = sum(m for m, _, _ in links)
        center = sum((m * c for m, c, _ in links), np.zeros(3)) / (total or 1.0)
        com[:, body, 0] = links[0][1] if len(links) == 1 else center
        for m, c, about in links:
            d = c - com[:, body, 0]
            inertia[:, :, body, 0] += about + m * (d @ d * np.eye(3) - np.outer(d, d))
    return mass, com, inertia


def _borne(
    tree: Tree, body_of: Sequence[int], poses: dict[int, Floats], count: int
) -> tuple[Floats, Floats] | tuple[None, None]:
    """The mass of each body that does not fall, and that mass times its center, in the body's frame."""
    if not (tree.gravity_compensation * tree.mass).any():
        return None, None
    mass, moment = np.zeros((count, 1)), np.zeros((3, count, 1))
    for link, pose in poses.items():
        own = float(tree.mass[link] * tree.gravity_compensation[link])
        mass[body_of[link]] += own
        moment[:, body_of[link], 0] += own * (pose[:3, :3] @ tree.com[link] + pose[:3, 3])
    return mass, moment
