"""The bodies of a model in their order and what is in them: frames multiplied out, models attached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import TypeVar

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.conventions import Poses, Settings
from unibody.model.pose import IDENTITY, Pose
from unibody.text.dataclass import dataclass
from unibody.text.source import Span

Asset = assets.Mesh | assets.Material | assets.Texture | assets.HeightField
A = TypeVar("A", assets.Mesh, assets.Material, assets.Texture, assets.HeightField)


@dataclass(slots=True, eq=False)
class Scope:
    """A file whose elements are used: the main one, or one that is attached.

    ``assets`` are meshes, materials and other assets by kind and name; ``others`` are the files whose
    assets may be used, too; ``way`` are the files that attach one another, this one last.
    """

    doc: d.Mujoco
    path: str
    settings: Settings
    poses: Poses
    assets: dict[tuple[str, str], Asset] = field(default_factory=dict)
    others: Sequence[Scope] = ()
    way: tuple[str, ...] = ()

    def asset(self, cls: type[A], name: str | None) -> tuple[A, Scope] | None:
        """The asset of a class with a name, and the file that has it."""
        key = (cls.KEY, name or "")
        for scope in (self, *self.others):
            found = scope.assets.get(key)
            if isinstance(found, cls):
                return found, scope
        return None


@dataclass(slots=True, eq=False)
class Placed:
    """An element of a body, with the frame around it (in the body) and its file."""

    doc: Document
    frame: Pose
    scope: Scope

    @property
    def at(self) -> Span | None:
        """The place of the element."""
        return self.doc.at()


@dataclass(slots=True, eq=False)
class BodyRecord:
    """A body: its parent (an index; −1 for the world), its pose in it, and what it holds."""

    name: str
    doc: b.Body | b.WorldBody | None
    scope: Scope
    parent: int
    pose: Pose = IDENTITY
    joints: list[Placed] = field(default_factory=list)
    geoms: list[Placed] = field(default_factory=list)
    sites: list[Placed] = field(default_factory=list)
    cameras: list[Placed] = field(default_factory=list)
    lights: list[Placed] = field(default_factory=list)
    inertials: list[Placed] = field(default_factory=list)
    others: list[Placed] = field(default_factory=list)

    @property
    def at(self) -> Span | None:
        """The place of the body."""
        return self.doc.at() if self.doc is not None else None


#: Returns the file and the elements that an `<attach>` stands for.
Attach = Callable[[b.Attach, Scope], "tuple[Scope, list[Document]] | None"]


def bodies(scope: Scope, attach: Attach) -> list[BodyRecord]:
    """The world, then all bodies depth first, as MuJoCo numbers them."""
    worlds = [item for item in scope.doc.items if isinstance(item, b.WorldBody)]
    world = BodyRecord("world", worlds[0] if worlds else None, scope, -1)
    out = [world]
    top = [item for w in worlds for item in w.items]
    # Each entry: the elements left, the frame around them, the index of their body, their file.
    todo: list[tuple[Iterator[Document], Pose, int, Scope]] = [(iter(top), IDENTITY, 0, scope)]
    while todo:
        items, frame, index, inside = todo[-1]
        item = next(items, None)
        if item is None:
            todo.pop()
        elif isinstance(item, b.Body):
            pose = frame @ inside.poses.of(item)
            out.append(BodyRecord(item.name or "", item, inside, index, pose))
            todo.append((iter(item.items), IDENTITY, len(out) - 1, inside))
        elif isinstance(item, b.Frame):
            todo.append((iter(item.items), frame @ inside.poses.of(item), index, inside))
        elif isinstance(item, b.Attach):
            found = attach(item, inside)
            if found is not None:
                todo.append((iter(found[1]), frame, index, found[0]))
        else:
            _add(out[index], Placed(item, frame, inside))
    return out


def world_poses(bodies: Sequence[BodyRecord]) -> list[Pose]:
    """The initial pose of each body in the world."""
    out: list[Pose] = []
    for body in bodies:
        out.append((out[body.parent] if body.parent >= 0 else IDENTITY) @ body.pose)
    return out


def _add(body: BodyRecord, placed: Placed) -> None:
    match placed.doc:
        case b.Joint() | b.FreeJoint():
            body.joints.append(placed)
        case b.Geom():
            body.geoms.append(placed)
        case b.Site():
            body.sites.append(placed)
        case b.Camera():
            body.cameras.append(placed)
        case b.Light():
            body.lights.append(placed)
        case b.Inertial():
            body.inertials.append(placed)
        case _:
            body.others.append(placed)
