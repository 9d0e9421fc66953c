"""Reads the content of one Joint except child Joints: mass, shapes, devices (facts B.6 to B.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

import numpy as np

from unibody.document.declare import Tagged
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.nodes import leftovers, name_of
from unibody.formats.openhrp.sensors import device, device_extras
from unibody.formats.placement import Placement, rigid
from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.placement import placed
from unibody.formats.vrml97.read import Found, Reader, Step, read_shapes
from unibody.model.device import Device
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import ZERO
from unibody.model.shape import Shape
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node

#: Called with a Joint inside a Segment or sensor, and its placement.
Misplaced = Callable[[d.Joint, Placement], None]


@dataclass(slots=True)
class Content:
    """The content of one Joint.

    ``surfaces`` are the collision shapes of Surface nodes, None without such a node.
    ``device_extras`` are pairs of an index into ``devices`` and the undeclared fields of that device.
    ``extras`` are the items that only OpenHRP's writer uses.
    """

    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)
    surfaces: list[Shape] | None = None
    bodies: list[Inertial] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    device_extras: list[tuple[int, list[Item]]] = field(default_factory=list)
    segments: list[d.Segment] = field(default_factory=list)
    loops: list[d.ExtraJoint] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)

    def add(self, found: Found) -> None:
        """Add the shapes and the kept nodes of ``found``."""
        self.visuals += found.visuals
        self.collisions += found.collisions
        self.keep(found.kept)

    def keep(self, docs: Sequence[Tagged]) -> None:
        """Keep nodes that the model cannot represent as extras."""
        self.extras += [("children", x.node, x.node.start) for x in docs if x.node is not None]


@dataclass(slots=True)
class ContentReader:
    """Reads the nodes below one Joint into its content."""

    link: str
    content: Content
    reader: Reader
    misplaced: Misplaced

    @property
    def context(self) -> Context:
        """The context of this load: files, findings, budget."""
        return self.reader.context

    def segment(self, doc: d.Segment, at: Placement) -> None:
        """Read the mass and shapes of a Segment at placement ``at`` below the Joint."""
        content = self.content
        content.segments.append(doc)
        content.bodies.append(_body(doc, at, self.context))
        content.extras += _kept_segment(doc, self.link)
        self.shapes(doc.children, at)

    def shapes(self, docs: Sequence[Tagged], at: Placement) -> None:
        """Read shapes, and the devices and Surfaces among them."""
        if docs:
            self.content.add(read_shapes(docs, at, self.reader, self._foreign))

    def device(self, doc: d.Device, at: Placement) -> Placement:
        """Read a device; returns the placement of its children."""
        content = self.content
        # both loaders apply the outer scale to the device's pose; only position and rotation are kept
        own = placed(at, v.Transform(translation=doc.translation, rotation=doc.rotation))
        if not rigid(own):
            self.context.findings.warning(
                "device-scaled",
                f"{doc.tag} '{name_of(doc)}' is below a scale; only its position and rotation are used",
                doc.at(),
            )
        rest = device_extras(doc, self.context)
        if rest:
            content.device_extras.append((len(content.devices), rest))
        content.devices.append(device(doc, "", own.pose, self.context))
        return own

    def _foreign(self, step: Step) -> Sequence[Step]:
        """Read a node of OpenHRP among shapes."""
        doc = step.doc
        match doc:
            case d.Device():
                return step.inner(doc.children, self.device(doc, step.at))
            case d.PointerSensor():
                return step.inner(doc.children)
            case d.Surface():
                # beside a Surface, no other shape of the link collides (facts B.8)
                found = read_shapes(doc.collision, step.at, self.reader, self._foreign)
                self.content.surfaces = [*(self.content.surfaces or []), *found.collisions]
                self.content.keep(found.kept)
                return [Step(child, step.at, "visual") for child in doc.visual]
            case d.Segment():
                self._report_misplaced(doc)
                self.segment(doc, step.at)
            case d.Joint():
                self._report_misplaced(doc)
                self.misplaced(doc, step.at)
            case d.ExtraJoint():
                self.content.loops.append(doc)
            case _:
                self._report_misplaced(doc)
                self.content.keep([doc])
        return ()

    def _report_misplaced(self, doc: Tagged) -> None:
        self.context.findings.error(
            "node-misplaced",
            f"{doc.tag} '{name_of(doc)}' inside a Segment or sensor",
            doc.at(),
            f"put the {doc.tag} directly below a Joint",
        )


# --- mass (B.6) -------------------------------------------------------------------------


def _body(doc: d.Segment, at: Placement, context: Context) -> Inertial:
    """The mass data of a Segment in the Joint's frame: com → T·com, inertia → L·I·Lᵀ, mass unchanged."""
    x, y, z = doc.center_of_mass
    tensor = np.array(doc.moments_of_inertia).reshape(3, 3)
    made = Inertial(
        mass=doc.mass,
        com=(x, y, z),
        inertia=matrix3(tensor),
        at=doc.at("mass"),
        mass_at=doc.at("mass"),
        com_at=doc.at("center_of_mass"),
        inertia_at=doc.at("moments_of_inertia"),
    )
    if at.linear is None and at.pose.xyz == ZERO and at.pose.quat[0] == 1.0:
        return made
    if not rigid(at):
        context.findings.warning(
            "mass-scaled",
            f"Segment '{name_of(doc)}' is below a scale: its inertia is scaled, its mass is not, "
            "as in Choreonoid and OpenHRP",
            doc.at(),
            "put the mass data outside the scaled Transform",
        )
    linear = np.array(at.matrix())
    com = linear @ np.array(made.com) + np.array(at.pose.xyz)
    tensor = np.einsum("ij,jk,lk->il", linear, tensor, linear)
    axes = at.pose.quat if rigid(at) else None
    return replace(made, com=tuple(com.tolist()), inertia=matrix3(tensor), axes=axes)


def composed(bodies: list[Inertial]) -> Inertial | None:
    """The combined mass data of a link's Segments; None if all of it is zero (facts B.6)."""
    mass = sum(b.mass for b in bodies)
    if len(bodies) == 1 and mass != 0.0:
        return bodies[0]
    com = np.zeros(3)
    if mass != 0.0:
        com = np.sum([b.mass * np.array(b.com) for b in bodies], axis=0) / mass
    total = np.zeros((3, 3))
    for b in bodies:
        arm = com - np.array(b.com)
        total += np.array(b.inertia) + b.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    if mass == 0.0 and not total.any():
        return None
    x, y, z = com.tolist()
    return replace(bodies[0], mass=mass, com=(x, y, z), inertia=matrix3(total), axes=None)


def _kept_segment(doc: d.Segment, link: str) -> list[Item]:
    """The name of a Segment, unless it is the default, and the fields that the model cannot represent."""
    items = leftovers(doc, "bbox_center", "bbox_size", "coord", "displacers")
    if doc.name and doc.name != doc.def_name:
        items += leftovers(doc, "name")
    if doc.mass == 0.0:
        # the model has no center of mass without a mass
        items += leftovers(doc, "center_of_mass")
    items += doc.rest
    if not items and doc.def_name in ("", f"{link}_LINK"):
        return []
    start = doc.node.start if doc.node else -1
    return [("Segment", Node("Segment", items, name=doc.def_name), start)]
