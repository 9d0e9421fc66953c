"""Traverses a scene: visits nodes in order, with the state set by the nodes before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from unibody.document.declare import Tagged
from unibody.formats.format import Context
from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.formats.inventor.kept import Drawing, Effect, Kept
from unibody.formats.inventor.placement import posed
from unibody.formats.inventor.shapes import Shapes
from unibody.formats.inventor.state import CHANGES, Change, State, by_matrix
from unibody.formats.placement import Placement
from unibody.model.pose import Pose
from unibody.model.shape import MeshFile, Shape
from unibody.text.dataclass import dataclass

_COST = 30
# Values of whichChild (SoSwitch): no child, that of the enclosing Switch, all.
_NONE, _INHERIT, _ALL = -1, -2, -3


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """A node on the path to a shape: its placement in the frame of the file, and the enclosing node."""

    node: Tagged
    place: Placement = Placement()
    outer: Way | None = None

    def names(self) -> list[str]:
        """The DEF names of this node and the enclosing ones, the innermost first."""
        out: list[str] = []
        way: Way | None = self
        while way is not None:
            if way.node.def_name:
                out.append(way.node.def_name)
            way = way.outer
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A shape in the frame of the file, and the path to its node."""

    shape: Shape
    way: Way


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A node that is not drawn (a camera, a light, one of another program), and the path to it."""

    node: Tagged
    way: Way


@dataclass(slots=True, eq=False)
class Scene:
    """The shapes and kept nodes of a file, in traversal order."""

    drawn: list[Drawn] = field(default_factory=list)
    kept: list[Placed] = field(default_factory=list)

    @property
    def shapes(self) -> list[Shape]:
        """The shapes, without their paths."""
        return [item.shape for item in self.drawn]


def traverse(nodes: Sequence[Tagged], context: Context, state: State | None = None) -> Scene:
    """The scene of some nodes, in the frame of ``state``.

    TextError if it expands to more than the work limit.
    """
    walk = _Walk(context, Shapes.of(context, Arrays(context.findings)), state or State())
    walk.todo.extend((node, None) for node in reversed(nodes))
    while walk.todo:
        item, way = walk.todo.pop()
        if isinstance(item, State):
            walk.state = item
        elif isinstance(item, Placement):
            walk.state = replace(walk.state, place=item)
        elif isinstance(item, int):
            walk.state = replace(walk.state, child=item)
        else:
            walk.visit(item, way)
    return walk.scene


@dataclass(slots=True, eq=False)
class _Walk:
    """State of one traversal. ``todo`` is a stack of nodes to visit and of values to restore between
    them: a whole state, a placement, or the child of a Switch.
    """

    context: Context
    shapes: Shapes
    state: State
    scene: Scene = field(default_factory=Scene)
    todo: list[tuple[Tagged | State | Placement | int, Way | None]] = field(default_factory=list)
    changes: dict[type[Any], Change | None] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def visit(self, doc: Tagged, outer: Way | None) -> None:
        """Visit a node: draw it, change the state, or schedule its children."""
        at = doc.at()
        self.context.budget.spend(_COST, at)
        change = self._change(type(doc))
        if change is not None:
            self.state = change(doc, self.state, self.shapes.reader)
            return
        way = Way(doc, self.state.place, outer)
        match doc:
            case d.ShapeNode():
                self._draw(doc, way)
            case d.Group() | d.File() | d.WWWInline() | d.Other():
                self._group(doc, way)
            case d.MeshFile():
                self._mesh(doc, way)
            case Kept():
                self._keep(doc, way)

    def _change(self, cls: type[Any]) -> Change | None:
        if cls not in self.changes:
            self.changes[cls] = next((CHANGES[c] for c in cls.__mro__ if c in CHANGES), None)
        return self.changes[cls]

    def _draw(self, doc: d.ShapeNode, way: Way) -> None:
        if not self.state.visible:
            self._tell("not-drawn", doc, "shape after DrawStyle INVISIBLE is ignored")
            return
        found = self.shapes.shapes(doc, self.state, doc.def_name)
        self.context.budget.spend(100 * len(found), doc.at())
        self.scene.drawn += [Drawn(shape, way) for shape in found]

    def _mesh(self, doc: d.MeshFile, way: Way) -> None:
        place = self.state.place
        shape = Shape(
            geometry=MeshFile(uri=doc.url, path=doc.path),
            pose=place.pose,
            linear=place.linear,
            at=doc.at(),
        )
        self.scene.drawn.append(Drawn(shape, way))

    def _keep(self, doc: Tagged, way: Way) -> None:
        self.scene.kept.append(Placed(doc, way))
        if isinstance(doc, Drawing):
            self._tell("not-drawn", doc, f"unsupported node {doc.tag}; kept, not drawn")
        elif isinstance(doc, Effect):
            message = f"unsupported node {doc.tag}; kept, without effect"
            self._tell(code="no-effect", doc=doc, message=message)

    def _tell(self, code: str, doc: Tagged, message: str) -> None:
        """Report an info once."""
        if message not in self.told:
            self.told.add(message)
            self.context.findings.info(code, message, doc.at())

    # --- groups -------------------------------------------------------------------------

    def _group(self, doc: Any, way: Way) -> None:
        match doc:
            case d.Separator():
                self._apart(doc.children, way)
            case d.TransformSeparator():
                self.todo.append((self.state.place, None))
                self._next(doc.children, way)
            case d.Switch():
                self._switch(doc, way)
            case d.LOD() | d.LevelOfDetail():
                self._next(doc.children[:1], way)
            case d.Array():
                self._array(doc, way)
            case d.MultipleCopy():
                self._copies(doc, way)
            case d.PathSwitch():
                self._keep(doc, way)
            case d.File():
                # without content, the name is not marked as read
                self._next(doc.children if doc.children and doc.name else (), way)
            case d.WWWInline():
                self._apart((doc.name and doc.children) or _one(doc.alternate_rep), way)
            case d.Other():
                self.scene.kept.append(Placed(doc, way))
                self._apart(_one(doc.alternate_rep) or doc.children, way)
            case _:
                self._next(doc.children, way)

    def _next(self, nodes: Sequence[Tagged], way: Way) -> None:
        self.todo.extend((node, way) for node in reversed(nodes))

    def _apart(self, nodes: Sequence[Tagged], way: Way) -> None:
        """Visit nodes and restore the state after them."""
        self.todo.append((self.state, None))
        self._next(nodes, way)

    def _switch(self, doc: d.Switch, way: Way) -> None:
        which = doc.which_child
        if isinstance(doc, d.Blinker) and "which_child" not in doc.given:
            which = 0
        if which == _INHERIT:
            which = self.state.child
            if which >= 0 and doc.children:
                which %= len(doc.children)
        else:
            self.todo.append((self.state.child, None))
            self.state = replace(self.state, child=which)
        if which == _ALL:
            self._next(doc.children, way)
        elif which >= 0:
            self._next(doc.children[which : which + 1], way)

    def _array(self, doc: d.Array, way: Way) -> None:
        """Visit the children at each point of a grid; the first direction varies fastest (SoArray)."""
        a, b, c = (max(n, 0) for n in (doc.num_elements1, doc.num_elements2, doc.num_elements3))
        self.context.budget.spend(_COST * a * b * c, doc.at())
        steps = np.array([doc.separation1, doc.separation2, doc.separation3])
        # LAST counts backwards from the origin
        sign = -1.0 if doc.origin == "LAST" else 1.0
        start = np.array([a - 1, b - 1, c - 1]) * (-0.5 if doc.origin == "CENTER" else 0.0)
        places = []
        for number in range(a * b * c):
            at = (sign * np.array([number % a, number // a % b, number // (a * b)]) + start) @ steps
            x, y, z = at.tolist()
            places.append(posed(self.state.place, Pose((x, y, z))))
        self._repeat(doc, places, way)

    def _copies(self, doc: d.MultipleCopy, way: Way) -> None:
        rows = self.shapes.reader.arrays.rows(doc, "matrix", 16).reshape(-1, 4, 4)
        findings = self.context.findings
        self._repeat(doc, [by_matrix(self.state.place, m, doc, findings) for m in rows], way)

    def _repeat(self, doc: Any, places: list[Placement], way: Way) -> None:
        """Visit the children once per placement, with the same state; a Switch inherits the number."""
        before = self.state
        self.todo.append((before, None))
        for number, place in reversed(list(enumerate(places))):
            self._next(doc.children, way)
            self.todo.append((replace(before, place=place, child=number), None))


def _one(node: Tagged | None) -> list[Tagged]:
    return [] if node is None else [node]
