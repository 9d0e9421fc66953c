"""Checks and conversions of what callers pass: positions, frames and joints by name, arrays by shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism.arrays import Array, floats, reals
from unibody.mechanism.frame import REFERENCES, Frame
from unibody.mechanism.tree import BASE_SIZE, BASE_VELOCITY_SIZE, Tree
from unibody.model import robot as model
from unibody.model.arrays import Flags, Floats
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, Pose
from unibody.text.near import suggestion

#: q as an array (..., nq), or as a mapping of joint names to positions.
Positions = ArrayLike | Mapping[str, Any]

#: A link's or a frame's name, or a pose in it: (name, Pose).
FrameLike = str | tuple[str, Pose]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Names:
    """Names of the links, joints and frames of a tree, in order."""

    robot: str
    links: tuple[str, ...]
    joints: tuple[str, ...]
    frames: tuple[model.Frame, ...]


def as_positions(tree: Tree, names: Names, q: Positions) -> Array:
    """q as an array (..., nq); joints left out of a mapping are at their initial position.

    ValueError for a wrong shape, KeyError for an unknown joint.
    """
    if not isinstance(q, np.ndarray) and isinstance(q, Mapping):
        return _from_names(tree, names, q)
    array = reals(q, "q")
    if tuple(array.shape[-1:]) != (tree.nq,):
        raise _wrong_shape(array, "q", (tree.nq,), _q_layout(tree, names))
    return array


def as_array(values: Any, what: str, inner: tuple[int, ...]) -> Array:
    """An array of real numbers (..., *inner); ValueError naming ``what`` for anything else."""
    array = reals(values, what)
    if tuple(array.shape[-len(inner) :]) != inner:
        raise _wrong_shape(array, what, inner)
    return array


def find_frame(
    names: Names, frame: FrameLike, point: Sequence[float] | None = None, reference: str | None = None
) -> Frame:
    """The frame of that name, moved to a point given in it; KeyError for an unknown name."""
    if reference is None:
        reference = "local_world_aligned"
    if reference not in REFERENCES:
        raise ValueError(f"reference is {reference!r}; expected one of {', '.join(REFERENCES)}")
    name, pose = (frame, IDENTITY) if isinstance(frame, str) else frame
    if name not in names.links:
        found = next((f for f in names.frames if f.name == name), None)
        if found is None:
            known = [*names.links, *(f.name for f in names.frames)]
            raise KeyError(f"{names.robot!r} has no link or frame {name!r}{suggestion(name, known)}")
        name, pose = found.link, found.pose @ pose
    if point is not None:
        if np.shape(point) != (3,):
            raise ValueError(f"a point is three numbers, got shape {np.shape(point)}")
        x, y, z = (float(v) for v in point)
        pose = pose @ Pose((x, y, z))
    return Frame(names.links.index(name), np.array(pose.matrix()), reference)  # type: ignore[arg-type]


def joint_masks(tree: Tree, names: Names, chosen: Iterable[str]) -> tuple[Flags, Flags]:
    """Entries of q, and of v, that belong to these joints, or to a free base by its link's name."""
    of_q, of_v = np.zeros(tree.nq, bool), np.zeros(tree.nv, bool)
    for name in chosen:
        joint = _find_joint(tree, names, name)
        if joint < 0:
            of_q[:BASE_SIZE], of_v[:BASE_VELOCITY_SIZE] = True, True
        else:
            q, v, kind = int(tree.idx_q[joint]), int(tree.idx_v[joint]), tree.kinds[joint]
            of_q[q : q + KINDS[kind].nq] = True
            of_v[v : v + KINDS[kind].nv] = True
    return of_q, of_v


def _wrong_shape(array: Array, what: str, inner: tuple[int, ...], layout: str = "") -> ValueError:
    expected = ", ".join(str(size) for size in ("...", *inner))
    return ValueError(f"{what} has shape {tuple(array.shape)}; expected ({expected}){layout}")


def _from_names(tree: Tree, names: Names, given: Mapping[str, Any]) -> Floats:
    q = tree.initial.copy()
    for name, value in given.items():
        joint = _find_joint(tree, names, name)
        start, size = (0, BASE_SIZE) if joint < 0 else (int(tree.idx_q[joint]), KINDS[tree.kinds[joint]].nq)
        numbers = floats(value, f"the position of {name!r}")
        if numbers.size != size or numbers.ndim > 1:
            plural = "" if size == 1 else "s"
            raise ValueError(f"{name!r} takes {size} number{plural}, got shape {numbers.shape}")
        q[start : start + size] = numbers
    return q


def _find_joint(tree: Tree, names: Names, name: str) -> int:
    """Index of a joint, -1 for a free base; KeyError for an unknown name."""
    if name in names.joints:
        return names.joints.index(name)
    root = [names.links[tree.root]] if tree.free_base else []
    if name in root:
        return -1
    raise KeyError(f"{names.robot!r} has no joint {name!r}{suggestion(name, [*names.joints, *root])}")


def _q_layout(tree: Tree, names: Names) -> str:
    base = "the base's xyz and quaternion (w, x, y, z)" if tree.free_base else ""
    moving = [name for name, kind in zip(names.joints, tree.kinds, strict=True) if KINDS[kind].nq]
    listed = ", ".join([*moving[:4], "..."] if len(moving) > 4 else moving)
    order = ", then ".join(part for part in (base, f"joints {listed}" if listed else "") if part)
    return f": {order}" if order else ""
