"""Reads the elements below a link: shapes, rigid bodies and devices (facts A.7 to A.10)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document, Wrong
from unibody.document.unread import mark_read
from unibody.formats.body import document as d
from unibody.formats.body.appearance import Materials
from unibody.formats.body.arrays import array
from unibody.formats.body.devices import device, optical_items
from unibody.formats.body.geometry import ALONG_Y, divisions, geometry, mesh_file
from unibody.formats.body.placement import placed
from unibody.formats.body.resource import load_elements
from unibody.formats.format import Context
from unibody.formats.placement import Placement, rigid, turned
from unibody.model.device import Device
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import UNIT_MATRIX, Pose
from unibody.model.shape import Geometry, LineSet, MeshFile, Shape, Sphere, floats, ints
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Value

_YAML = (".yaml", ".yml")


@dataclass(slots=True)
class Content:
    """The shapes, rigid bodies and devices of one link."""

    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)
    bodies: list[Inertial] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    device_extras: list[tuple[int, list[Item]]] = field(default_factory=list)
    kept: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Reader:
    """The angle unit, materials and anchors of the file that is read, and the YAML files it refers to."""

    unit: str
    context: Context
    materials: Materials
    anchors: Mapping[str, Value]
    resources: dict[tuple[str, str], _Resource] = field(default_factory=dict)
    geometries: dict[tuple[type, int], tuple[Document, Geometry, Pose]] = field(default_factory=dict)

    def geometry(self, doc: Document) -> tuple[Geometry, Pose] | None:
        """The geometry of an element, and the rotation of its placement; None after an error.

        Elements of one node have one geometry: a YAML file or an anchor may be used hundreds of times.
        Findings are reported for each use.
        """
        key = type(doc), id(doc.node)
        if key in self.geometries:
            first, *_ = self.geometries[key]
            mark_read(doc, first)
            return self.geometries[key][1:]
        before = len(self.context.findings)
        made = geometry(doc, self.unit, self.context)
        if made is not None and doc.node is not None and len(self.context.findings) == before:
            self.geometries[key] = doc, *made
        return made


@dataclass(frozen=True, slots=True)
class _Resource:
    """The elements of a YAML file without findings, their reader, and what reading it has taken."""

    elements: list[Document]
    reader: Reader
    work: int
    parts: int


@dataclass(frozen=True, slots=True)
class _Step:
    """An element to read, with its placement and shape set."""

    doc: Document
    at: Placement
    side: str
    reader: Reader


def read_elements(elements: list[Document], link: str, reader: Reader) -> Content:
    """Read the elements of a link in document order."""
    content = Content()
    todo = [_Step(doc, Placement(), "both", reader) for doc in reversed(elements)]
    while todo:
        step = todo.pop()
        reader.context.budget.spend(50)
        inner = _element(step, link, content)
        todo.extend(reversed(inner))
    return content


def _element(step: _Step, link: str, content: Content) -> list[_Step]:
    doc, reader = step.doc, step.reader
    match doc:
        case d.Shape():
            _shape(step, content)
        case d.Group():
            # A Group's own translation and rotation are not read (facts F.1, 17).
            return _inside(step, doc.elements, step.at)
        case d.Transform():
            return _inside(step, doc.elements, _place(step))
        case d.RigidBody():
            at = _place(step)
            content.bodies.append(_rigid_body(doc, at, reader))
            return _inside(step, doc.elements, at)
        case d.Visual() | d.Collision():
            return _shape_set(step, doc)
        case d.Resource():
            return _resource(step, content)
        case d.Device():
            at = _place(step)
            _device(step, at, link, content)
            return _inside(step, doc.elements, at)
        case d.LineSet():
            _lines(step, content)
        case d.Skip() | d.EmptyNode():
            pass
        case _:
            if doc.node is not None:
                content.kept.append(doc.node)
    return []


def _place(step: _Step) -> Placement:
    return placed(step.at, step.doc, step.reader.unit, step.reader.context.findings)


def _inside(step: _Step, elements: list[Document], at: Placement) -> list[_Step]:
    return [_Step(e, at, step.side, step.reader) for e in elements]


def _shape_set(step: _Step, doc: Any) -> list[_Step]:
    side = "visual" if isinstance(doc, d.Visual) else "collision"
    if step.side not in ("both", side):
        step.reader.context.findings.error(
            "shape-set-nested",
            f"{doc.type} must not be inside {step.side.capitalize()}",
            doc.node.span,
            "write Visual and Collision as siblings",
        )
        return []
    at = _place(step)
    inner = [x for x in (doc.resource, doc.shape) if x is not None]
    return [_Step(e, at, side, step.reader) for e in (*inner, *doc.elements)]


def _add(shape: Shape, side: str, content: Content) -> None:
    if side != "collision":
        content.visuals.append(shape)
    if side != "visual":
        content.collisions.append(shape)


def _shape(step: _Step, content: Content) -> None:
    doc: Any = step.doc
    reader = step.reader
    if doc.geometry is None:
        return
    found = reader.geometry(doc.geometry)
    if found is None:
        return
    made, turn = found
    material = reader.materials.of(doc.appearance)
    if isinstance(made, Sphere) and material is not None and material.texture is not None:
        turn = ALONG_Y  # orients the texture
    at = turned(_place(step), turn)
    shape = Shape(
        geometry=made,
        name=doc.name,
        pose=at.pose,
        linear=at.linear,
        material=material,
        divisions=divisions(doc.geometry),
        at=doc.at(),
    )
    _add(shape, step.side, content)


def _rigid_body(doc: d.RigidBody, at: Placement, reader: Reader) -> Inertial:
    linear = np.array(at.matrix())
    com = linear @ np.array(doc.center_of_mass) + np.array(at.pose.xyz)
    inertia = np.einsum("ij,jk,lk->il", linear, inertia_array(doc.inertia), linear)
    if not rigid(at):
        reader.context.findings.warning(
            "mass-scaled",
            "RigidBody below a scale: inertia is scaled but mass is not, as in Choreonoid",
            doc.at(),
            "move the mass data out of the scaled Transform",
        )
    return Inertial(
        mass=doc.mass,
        com=tuple(com.tolist()),
        inertia=matrix3(inertia),
        axes=at.pose.quat if rigid(at) else None,
        mass_at=doc.written_at("mass"),
        com_at=doc.written_at("center_of_mass"),
        inertia_at=doc.written_at("inertia"),
    )


def inertia_array(values: tuple[float, ...] | None) -> Any:
    """A 3×3 matrix from nine numbers, six numbers of the upper triangle, or None (zeros)."""
    if values is None:
        return np.zeros((3, 3))
    if len(values) == 6:
        xx, xy, xz, yy, yz, zz = values
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.array(values).reshape(3, 3)


def _resource(step: _Step, content: Content) -> list[_Step]:
    doc: Any = step.doc
    reader = step.reader
    suffix = os.path.splitext(doc.uri or "")[1].lower()
    if not doc.uri:
        return []
    scale = doc.scale or (1.0, 1.0, 1.0)
    if suffix in _YAML:
        found = _yaml_resource(step)
        if found is not None:
            return found
        file = MeshFile(uri=doc.uri, fragment=doc.fragment, scale=scale)
    else:
        file = mesh_file(doc, scale, reader.context)
    bare = placed(step.at, _WithoutScale(doc), reader.unit, reader.context.findings)
    shape = Shape(
        geometry=file,
        name=doc.name,
        pose=bare.pose,
        linear=bare.linear,
        at=doc.at(),
    )
    _add(shape, step.side, content)
    return []


class _WithoutScale:
    """A posed document without its scale, which is applied to the mesh reference."""

    def __init__(self, doc: Any) -> None:
        self.translation, self.rotation, self.scale, self.node = (
            doc.translation,
            doc.rotation,
            None,
            doc.node,
        )


def _yaml_resource(step: _Step) -> list[_Step] | None:
    """The elements of a YAML file, placed at the Resource, in the angle unit of the referring file.

    None, after a finding, if it cannot be read.
    """
    doc: Any = step.doc
    reader = step.reader
    known = reader.resources.get((doc.uri, doc.fragment))
    budget, meter = reader.context.budget, reader.context.files.meter
    if known is not None:
        # a repeated file counts each time, as its shapes do
        budget.spend(known.work)
        meter.take_parts(known.parts, doc.node.span)
        at = _place(step)
        return [_Step(e, at, step.side, known.reader) for e in known.elements]
    findings, work, parts = len(reader.context.findings), budget.left, meter.parts
    loaded = load_elements(doc, reader.context, reader.anchors)
    if loaded is None:
        return None
    row, context, anchors = loaded
    holder = Node("", [("elements", row, -1)])
    binding = Binding(context.findings, watch=context.watch)
    group = bind(d.Group, holder, binding)
    context.documents.append(group)
    inner = Reader(reader.unit, context, Materials(reader.unit, context), anchors)
    if len(context.findings) == findings:
        taken = work - budget.left, meter.parts - parts
        reader.resources[doc.uri, doc.fragment] = _Resource(group.elements, inner, *taken)
    at = _place(step)
    return [_Step(e, at, step.side, inner) for e in group.elements]


def _device(step: _Step, at: Placement, link: str, content: Content) -> None:
    doc: Any = step.doc
    reader = step.reader
    if not rigid(at):
        reader.context.findings.warning(
            "device-scaled",
            f"device '{doc.name}' is below a scale; the scale is ignored",
            doc.at(),
            subject=path_of("devices", doc.name),
        )
    made = device(doc, link, at.pose, reader.unit, reader.context)
    if made is None:
        return
    rest = [] if isinstance(doc, d.OtherDevice | d.UnknownNode) else doc.rest
    if isinstance(doc, d.Optical):
        rest = [*optical_items(doc, reader.unit), *rest]
    if rest:
        content.device_extras.append((len(content.devices), rest))
    content.devices.append(made)


def _lines(step: _Step, content: Content) -> None:
    doc: Any = step.doc
    reader = step.reader
    try:
        vertices = array(doc, "vertices", reader.context)
        pairs = array(doc, "lines", reader.context).astype(int).reshape(-1, 2)
    except (Wrong, ValueError):
        reader.context.findings.error(
            "list-length", "LineSet: lines must be pairs of indices", doc.at("lines")
        )
        return
    if pairs.size and (pairs.max() >= vertices.size // 3 or pairs.min() < 0):
        reader.context.findings.error(
            "index-out-of-range", "LineSet: lines refer to an unknown vertex", doc.at("lines")
        )
        return
    closed = np.hstack([pairs, np.full((len(pairs), 1), -1)]).reshape(-1)
    at = _place(step)
    material = reader.materials.plain(doc.material) if doc.material is not None else None
    shape = Shape(
        geometry=LineSet(vertices=floats(vertices), lines=ints(closed), width=doc.line_width),
        name=doc.name,
        pose=at.pose,
        linear=at.linear if at.linear != UNIT_MATRIX else None,
        material=material,
        at=doc.at(),
    )
    # lines have no collision
    if step.side != "collision":
        content.visuals.append(shape)
