"""Reads VRML97 nodes as shapes, for all formats whose scenes are VRML97 (facts B.6, B.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Literal

from unibody.document.declare import Tagged, Unknown
from unibody.formats.format import Context
from unibody.formats.placement import Placement, turned
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.appearance import Materials
from unibody.formats.vrml97.geometry import ALONG_Y, ROUND, Made, geometry
from unibody.formats.vrml97.placement import drawn
from unibody.model.shape import MeshFile, Shape
from unibody.text.dataclass import dataclass
from unibody.text.deferred import defer, is_deferred
from unibody.text.node import SkippedNode

Side = Literal["both", "visual", "collision"]
_COST = 50
_PROPERTIES = (
    *(d.Appearance, d.Material, d.Texture, d.TextureTransform, d.Geometry),
    *(d.Color, d.Coordinate, d.Normal, d.TextureCoordinate),
)


@dataclass(slots=True, eq=False)
class Reader:
    """Reads the geometries and materials of a file; shared nodes are read once."""

    context: Context
    materials: Materials = field(init=False)
    geometries: dict[tuple[int, bool], tuple[d.Geometry, Made | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.materials = Materials(self.context)

    def geometry(self, doc: d.Geometry, textured: bool) -> Made | None:
        """The geometry of a node, shared by all its uses."""
        key = (id(doc), textured and isinstance(doc, d.Box | d.Sphere))
        if key not in self.geometries:
            self.geometries[key] = (doc, geometry(doc, textured, self.context))
        return self.geometries[key][1]


@dataclass(slots=True)
class Found:
    """The shapes below some nodes, and the nodes that are kept for the writer."""

    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)
    kept: list[Tagged] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """A node to read, its placement, and whether it is visual, collision or both."""

    doc: Tagged
    at: Placement
    side: Side = "both"

    def inner(self, docs: Sequence[Tagged], at: Placement | None = None) -> list[Step]:
        """Steps for child nodes, at its own placement or at ``at``."""
        return [Step(doc, at or self.at, self.side) for doc in docs]


#: Reads a node of another format; returns the steps to continue with.
Foreign = Callable[[Step], Sequence[Step]]


def read_shapes(
    docs: Sequence[Tagged], at: Placement, reader: Reader, foreign: Foreign | None = None
) -> Found:
    """The shapes of nodes and their descendants, in document order, placed as in Choreonoid.

    ``foreign`` reads nodes that are not of VRML97; without it they are kept.
    """
    found = Found()
    todo = [Step(doc, at) for doc in reversed(docs)]
    while todo:
        step = todo.pop()
        reader.context.budget.spend(_COST)
        todo.extend(reversed(_step(step, reader, found, foreign)))
    return found


def _step(step: Step, reader: Reader, found: Found, foreign: Foreign | None) -> Sequence[Step]:
    doc, findings = step.doc, reader.context.findings
    match doc:
        case d.Shape():
            _shape(step, doc, reader, found)
        case d.Transform():
            return step.inner(doc.children, drawn(step.at, doc, findings))
        case d.Collision():
            return _collision(step, doc, reader.context)
        case d.Group() | d.Anchor() | d.Billboard():
            return step.inner(doc.children)
        case d.Switch():
            return step.inner(chosen(doc, reader.context))
        case d.LOD():
            return step.inner(doc.level[:1])
        case d.Inline():
            return step.inner(unfolded(doc))
        case d.MeshReference():
            mesh = MeshFile(uri=doc.url, path=doc.path)
            at = doc.at()
            _add(Shape(geometry=mesh, pose=step.at.pose, linear=step.at.linear, at=at), step.side, found)
        case d.Kept() | Unknown():
            found.kept.append(doc)
        case _ if isinstance(doc, _PROPERTIES):
            message = f"{doc.tag} outside of a Shape; ignored"
            findings.warning("node-misplaced", message, doc.at(), f"put the {doc.tag} into a Shape")
            found.kept.append(doc)
        case _ if foreign is not None:
            return foreign(step)
        case _:
            found.kept.append(doc)
    return ()


def inside(doc: Tagged, context: Context) -> Sequence[Tagged] | None:
    """The children of a grouping node, Transform included; None for other nodes."""
    match doc:
        case d.Grouping():
            return doc.children
        case d.Switch():
            return chosen(doc, context)
        case d.LOD():
            return doc.level[:1]
        case d.Inline():
            return unfolded(doc)
    return None


def unfolded(doc: d.Inline) -> Sequence[Tagged]:
    """The nodes of the files of an Inline; without content, ``url`` is not marked as read."""
    return doc.content if doc.content and doc.url else ()


def chosen(doc: d.Switch, context: Context) -> Sequence[Tagged]:
    """The chosen node of a Switch (6.46), as in OpenHRP; Choreonoid shows all (facts B.8)."""
    which, count = doc.which_choice, len(doc.choice)
    shown = doc.choice[which : which + 1] if 0 <= which < count else []
    if len(shown) < count:
        what = f"choice {which}" if shown else "nothing"
        context.findings.info(
            "reference-differs",
            f"Switch: {what} of {count} is shown, as in VRML97 and OpenHRP; Choreonoid shows all",
            doc.at("which_choice"),
        )
    return shown


def _collision(step: Step, doc: d.Collision, context: Context) -> Sequence[Step]:
    """The visual children, and the collision shape: the children, the proxy, or none (6.8)."""
    if doc.collide and doc.proxy is None:
        return step.inner(doc.children)
    context.findings.warning(
        "reference-differs",
        f"Collision: {'proxy' if doc.collide else 'collide FALSE'} is read as in VRML97; Choreonoid "
        "ignores it",
        doc.at("proxy" if doc.collide else "collide"),
    )
    out: list[Step] = []
    if step.side != "collision":
        out += [Step(child, step.at, "visual") for child in doc.children]
    if step.side != "visual" and doc.collide and doc.proxy is not None:
        out.append(Step(doc.proxy, step.at, "collision"))
    return out


def _shape(step: Step, doc: d.Shape, reader: Reader, found: Found) -> None:
    shape = read_shape(doc, step.at, reader, found.kept)
    if shape is not None:
        _add(shape, step.side, found)


def read_shape(doc: d.Shape, at: Placement, reader: Reader, kept: list[Tagged]) -> Shape | None:
    """The shape of a Shape node, placed; None without geometry. ``kept`` takes what only the file has."""
    if is_deferred(doc) and isinstance(doc.node, SkippedNode):
        return _deferred(at, doc, doc.node, reader)
    appearance, drawn = doc.appearance, doc.geometry
    material = reader.materials.of(appearance)
    if appearance is not None and isinstance(appearance.texture, d.MovieTexture):
        kept.append(appearance.texture)
    if drawn is None:
        return None
    made = reader.geometry(drawn, material is not None and material.texture is not None)
    if made is None:
        if isinstance(drawn, d.Text):
            kept.append(doc)
        return None
    at = turned(at, made[1])
    return Shape(
        geometry=made[0],
        name=doc.def_name,
        pose=at.pose,
        linear=at.linear,
        material=material,
        at=doc.at(),
    )


def _deferred(at: Placement, doc: d.Shape, node: SkippedNode, reader: Reader) -> Shape:
    """The shape of a node skipped by the parser: its pose is known, the rest is bound on first use."""
    if node.geometry in ROUND:
        at = turned(at, ALONG_Y)

    def compute() -> dict[str, Any]:
        made = reader.geometry(doc.geometry, textured=False) if doc.geometry is not None else None
        assert made is not None, "a skipped shape is well-formed"
        return {"geometry": made[0], "material": reader.materials.of(doc.appearance)}

    return defer(
        Shape,
        compute,
        name="",
        pose=at.pose,
        linear=at.linear,
        divisions=None,
        hull=False,
        contact=None,
        group=0,
        at=node.span,
    )


def _add(shape: Shape, side: Side, found: Found) -> None:
    if side != "collision":
        found.visuals.append(shape)
    if side != "visual":
        found.collisions.append(shape)
