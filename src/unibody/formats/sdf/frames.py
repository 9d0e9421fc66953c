"""Frames of a file: what names mean in a model or world, where frames are, and which link they hang on.

A scope is a world or a model. Its names are those of its links, joints, frames and nested models; `a::b`
reaches down into a nested model. The pose of a frame is held in the frame of its scope.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import partial
from typing import Literal, TypeAlias

from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_parts import DrakeJoint, Joint, Link
from unibody.formats.sdf.document_shapes import Frame, Pose
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.poses import PoseReader
from unibody.model import pose as p
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.limits import Meter
from unibody.text.near import did_you_mean, near
from unibody.text.source import Span

WORLD = "world"
#: The name of a world that a file does not have: Gazebo's.
DEFAULT_WORLD = "default"
MODEL = "__model__"
# The most `::` in the name of a model.
_MOST_PARTS = 50
Kind: TypeAlias = Literal["link", "joint", "frame", "model"]


def in_world(link: str) -> str:
    """The name of the joint between the world and a link that hangs on nothing else.

    >>> in_world("floor")
    'floor_in_world'
    """
    return f"{link}_in_world"


@dataclass(slots=True, eq=False)
class Scope:
    """A world or a model: what its names mean.

    ``home`` is the frame of a nested model in the scope around it, None for the outermost one; ``prefix``
    stands before the names of its items in the robot.
    """

    doc: Model | World
    home: Vertex | None = None
    prefix: str = ""
    names: dict[str, Vertex] = field(default_factory=dict)
    links: list[Vertex] = field(default_factory=list)
    joints: list[Vertex] = field(default_factory=list)
    frames: list[Vertex] = field(default_factory=list)
    models: list[Vertex] = field(default_factory=list)

    @property
    def is_world(self) -> bool:
        """Whether it is a world."""
        return isinstance(self.doc, World)

    @property
    def label(self) -> str:
        """What it is, and its name."""
        return f"{'world' if self.is_world else 'model'} '{self.doc.name}'"

    @property
    def scopes(self) -> Iterator[Scope]:
        """The scope and those of all models in it, in document order."""
        todo = [self]
        while todo:
            scope = todo.pop()
            yield scope
            todo += [v.inner for v in reversed(scope.models) if v.inner is not None]


@dataclass(slots=True, eq=False)
class Vertex:
    """A frame with a name: that of a link, a joint, a model, or one of its own.

    ``inner`` is the scope of a model. ``pose`` is in the frame of ``scope``, None before it is computed;
    ``link`` is the link that it hangs on, None for the world.
    """

    kind: Kind
    name: str
    doc: Link | Joint | DrakeJoint | Frame | Model
    scope: Scope
    inner: Scope | None = None
    pose: p.Pose | None = None
    link: Vertex | None = None

    @property
    def label(self) -> str:
        """What it is, and its name."""
        return f"{self.kind} '{self.name}'"

    @property
    def path(self) -> str:
        """Its name in the robot."""
        return self.scope.prefix + self.name

    def at(self, *fields: str) -> Span | None:
        """The place of its element, or of one of its fields."""
        return self.doc.at(*fields)


def scope_of(doc: Model | World, meter: Meter) -> Scope:
    """The scope of a model or world, with those of its models; names are not resolved yet.

    LimitError if the names of the robot, with those of nested models before them, are too long together.
    """
    top = Scope(doc)
    todo = [top]
    while todo:
        scope = todo.pop()
        inside: Model | World = scope.doc
        if isinstance(inside, Model):
            scope.links = [Vertex("link", x.name or "", x, scope) for x in inside.links]
        joints = [*inside.joints, *(inside.drake_joints if isinstance(inside, Model) else ())]
        scope.joints = [Vertex("joint", x.name or "", x, scope) for x in joints]
        scope.frames = [Vertex("frame", x.name or "", x, scope) for x in inside.frames]
        for model in inside.models:
            name = f"_merged__{model.name}__model__" if model.merged else model.name or ""
            vertex = Vertex("model", name, model, scope)
            prefix = scope.prefix if model.merged else f"{scope.prefix}{name}::"
            vertex.inner = Scope(model, vertex, prefix)
            scope.models.append(vertex)
            todo.append(vertex.inner)
    for scope in [*top.scopes][::-1]:  # those inside first
        for vertex in (*scope.links, *scope.joints, *scope.frames, *scope.models):
            meter.take_name(len(scope.prefix) + len(vertex.name), vertex.at)
            scope.names.setdefault(vertex.name, vertex)
            if vertex.inner is not None and isinstance(vertex.doc, Model) and vertex.doc.merged:
                for name, merged in vertex.inner.names.items():
                    scope.names.setdefault(name, merged)
    return top


class Frames:
    """The frames of a world, or of a model that is not in one, with all poses and links computed."""

    def __init__(self, top: Scope, poses: PoseReader, findings: Findings) -> None:
        self.top, self.poses, self.findings = top, poses, findings
        every = [v for s in top.scopes for v in (*s.links, *s.frames, *s.joints, *s.models)]
        self._base = {id(v): self._read_base(v) for v in every}
        self._placed = {id(v): self._read_placement(v) for v in every if v.inner is not None}
        self._holder = {id(v): self._read_holder(v) for v in every}
        _in_order(every, self._needed, self._place, partial(self._cycle, "poses", "relative_to"))
        _in_order(every, self._held_by, self._hang, partial(self._cycle, "frames", "attached_to"))

    def _cycle(self, what: str, word: str, vertex: Vertex, other: Vertex) -> None:
        both = f"{vertex.label} refers to itself"
        if vertex is not other:
            both = f"{vertex.label} and {other.label} refer to each other"
        self.findings.error(
            "frame-cycle", f"{what} of {both}", vertex.at("pose"), f"change {word} of one of them"
        )

    # --- names --------------------------------------------------------------------------

    def find(self, scope: Scope, name: str) -> Vertex | None:
        """What a name means in a scope; None if nothing has it, or if it is that of the scope itself."""
        while True:
            found = scope.names.get(name)
            if found is not None or "::" not in name:
                return found
            models = ((scope.names.get(first), rest) for first, rest in _parted(name))
            inside = next(((v, rest) for v, rest in models if v is not None and v.inner is not None), None)
            if inside is None:
                return None
            vertex, name = inside
            if name == MODEL:
                return vertex
            assert vertex.inner is not None
            scope = vertex.inner

    def look_up(
        self, scope: Scope, name: str, where: str, at: Span | None, what: str = "frame"
    ) -> Vertex | None:
        """What a name means; None for the scope itself, and for an unknown one, which is reported."""
        if name == (WORLD if scope.is_world else MODEL):
            return None
        found = self.find(scope, name)
        if found is None:
            alike = near(name, scope.names)
            hint = did_you_mean(alike, f"name a link, joint, frame or model of {scope.label}")
            message = f"{where} '{name}': no such {what} in {scope.label}"
            if name == WORLD:
                message = f"{where} '{name}': the world has no name inside {scope.label}, but in joints"
                hint = "name a frame of the model, or remove it"
            fix = respelled(at, name, alike)
            self.findings.error("frame-unknown", message, at, hint, suggestion=alike, fix=fix)
        return found

    def _read_base(self, vertex: Vertex) -> Vertex | None:
        """The frame in which the pose of a frame is given; None for that of its scope."""
        doc = vertex.doc
        if doc.pose is not None and doc.pose.relative_to:
            where = f"{vertex.label}: relative_to"
            return self.look_up(vertex.scope, doc.pose.relative_to, where, doc.pose.at("relative_to"))
        name = doc.attached_to if isinstance(doc, Frame) else None
        name = doc.child_frame if isinstance(doc, Joint | DrakeJoint) else name
        # what holds a frame is reported if it is unknown
        return self.find(vertex.scope, name) if name else None

    def _read_placement(self, vertex: Vertex) -> Vertex | None:
        """The frame of a model that its pose places; None for the model's own."""
        doc, inner = vertex.doc, vertex.inner
        if not isinstance(doc, Model) or inner is None or not doc.placement_frame:
            return None
        where = f"{vertex.label}: placement_frame"
        return self.look_up(inner, doc.placement_frame, where, doc.at("placement_frame"))

    def _read_holder(self, vertex: Vertex) -> Vertex | None:
        """What a frame hangs on; None for a link, and for what hangs on the world."""
        doc, scope = vertex.doc, vertex.scope
        if vertex.kind == "link":
            return None
        if isinstance(doc, Joint | DrakeJoint):
            if not doc.child_frame or doc.child_frame == WORLD:
                return None
            where = f"{vertex.label}: child"
            found = self.look_up(scope, doc.child_frame, where, doc.at("child_frame"), "link or frame")
            return found if doc.child_frame != MODEL else self.canonical(scope)
        if isinstance(doc, Frame) and doc.attached_to:
            where = f"{vertex.label}: attached_to"
            found = self.look_up(scope, doc.attached_to, where, doc.at("attached_to"))
            return self.canonical(scope) if doc.attached_to == MODEL else found
        return self.canonical(scope if vertex.inner is None else vertex.inner)

    def canonical(self, scope: Scope) -> Vertex | None:
        """The canonical link of a model; None for a world, and for a model without links."""
        doc = scope.doc
        if not isinstance(doc, Model):
            return None
        if doc.canonical_link:
            where = f"{scope.label}: canonical_link"
            return self.look_up(scope, doc.canonical_link, where, doc.at("canonical_link"), "link")
        return next((link for inner in scope.scopes for link in inner.links), None)

    # --- poses --------------------------------------------------------------------------

    def within(self, vertex: Vertex, scope: Scope) -> p.Pose:
        """The pose of a frame in the frame of a scope around it."""
        pose, inner = vertex.pose or p.IDENTITY, vertex.scope
        while inner is not scope and inner.home is not None:
            pose = (inner.home.pose or p.IDENTITY) @ pose
            inner = inner.home.scope
        return pose

    def in_top(self, vertex: Vertex | None, scope: Scope) -> p.Pose:
        """The pose of a frame, or of a scope for None, in the frame of the outermost scope."""
        if vertex is not None:
            return self.within(vertex, self.top)
        return p.IDENTITY if scope.home is None else self.within(scope.home, self.top)

    def given(self, scope: Scope, owner: Vertex, pose: Pose | None, what: str) -> p.Pose:
        """A pose that is given in a frame, by default in that of ``owner``, in the frame of ``owner``."""
        read = self.poses.read(pose, what)
        if pose is None or not pose.relative_to:
            return read
        at = pose.at("relative_to")
        base = self.look_up(scope, pose.relative_to, f"{what}: relative_to", at)
        if base is owner:
            return read
        outer = self.in_top(owner, scope).inverse()
        return outer @ self.in_top(base, scope) @ read

    def _around(self, vertex: Vertex | None, scope: Scope) -> list[Vertex]:
        """A frame, and the models around it inside a scope."""
        out: list[Vertex] = []
        while vertex is not None:
            out.append(vertex)
            vertex = None if vertex.scope is scope else vertex.scope.home
        return out

    def _needed(self, vertex: Vertex) -> list[Vertex]:
        out = self._around(self._base[id(vertex)], vertex.scope)
        if vertex.inner is not None:
            out += self._around(self._placed[id(vertex)], vertex.inner)
        return out

    def _place(self, vertex: Vertex) -> None:
        base = self._base[id(vertex)]
        pose = self.poses.read(vertex.doc.pose, vertex.label)
        if base is not None:
            pose = self.within(base, vertex.scope) @ pose
        if vertex.inner is not None and (placed := self._placed[id(vertex)]) is not None:
            pose = pose @ self.within(placed, vertex.inner).inverse()
        vertex.pose = pose

    def _held_by(self, vertex: Vertex) -> list[Vertex]:
        holder = self._holder[id(vertex)]
        return [] if holder is None else [holder]

    def _hang(self, vertex: Vertex) -> None:
        holder = self._holder[id(vertex)]
        vertex.link = vertex if vertex.kind == "link" else None if holder is None else holder.link


def _parted(name: str) -> Iterator[tuple[str, str]]:
    """The ways to part a name into that of a model, which may have `::` in old files, and the rest."""
    end = name.find("::")
    for _ in range(_MOST_PARTS):
        if end < 0:
            return
        yield name[:end], name[end + 2 :]
        end = name.find("::", end + 1)


def _in_order(
    every: list[Vertex],
    needs: Callable[[Vertex], list[Vertex]],
    do: Callable[[Vertex], None],
    cycle: Callable[[Vertex, Vertex], None],
) -> None:
    """Do something with each frame, after those that it needs; each cycle is reported once."""
    done: set[int] = set()
    open_: set[int] = set()
    for first in every:
        todo = [first]
        while todo:
            vertex = todo[-1]
            if id(vertex) in done:
                todo.pop()
                continue
            left = [v for v in needs(vertex) if id(v) not in done]
            if id(vertex) not in open_:
                open_.add(id(vertex))
                again = next((v for v in left if id(v) in open_), None)
                if again is not None:
                    cycle(again, vertex)
                    left = [v for v in left if id(v) not in open_]
                if left:
                    todo += left
                    continue
            done.add(id(vertex))
            do(vertex)
            todo.pop()
