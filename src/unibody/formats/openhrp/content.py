"""What stands below one Joint besides other Joints: mass, shapes, devices (facts B.6 to B.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

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
from unibody.text.node import Item, Node
from unibody.text.source import Span

#: What to do with a Joint that stands where none may be, and where it stands.
Misplaced = Callable[[d.Joint, Placement], None]


@dataclass(slots=True)
class Content:
    """All that was found below one Joint.

    ``surfaces`` are the collision shapes of Surface nodes, None without such a node; ``rests``
    are undeclared fields of devices, by index; ``extras`` what only OpenHRP's writer has a use for.
    """

    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)
    surfaces: list[Shape] | None = None
    bodies: list[Inertial] = field(default_factory=list)
    devices: list[Device] = field(default_factory=list)
    rests: list[tuple[int, list[Item]]] = field(default_factory=list)
    segments: list[d.Segment] = field(default_factory=list)
    loops: list[d.ExtraJoint] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)

    def add(self, found: Found) -> None:
        """Take in shapes, and what is no shape."""
        self.visuals += found.visuals
        self.collisions += found.collisions
        self.keep(found.kept)

    def keep(self, docs: Sequence[Tagged]) -> None:
        """Keep nodes that the model has no place for."""
        self.extras += [("children", x.node, x.node.start) for x in docs if x.node is not None]


@dataclass(slots=True)
class Below:
    """Reads what is below one Joint into its content."""

    link: str
    content: Content
    reader: Reader
    misplaced: Misplaced

    @property
    def context(self) -> Context:
        """Files, findings and the budget of this reading."""
        return self.reader.context

    def segment(self, doc: d.Segment, at: Placement) -> None:
        """A Segment's mass and shapes at its place below the Joint."""
        content = self.content
        content.segments.append(doc)
        content.bodies.append(_body(doc, at, self.context))
        content.extras += _kept_segment(doc, self.link)
        self.shapes(doc.children, at)

    def shapes(self, docs: Sequence[Tagged], at: Placement) -> None:
        """Shapes, and the devices and surfaces among them."""
        if docs:
            self.content.add(read_shapes(docs, at, self.reader, self._foreign))

    def device(self, doc: d.Device, at: Placement) -> Placement:
        """A device; gives the place of the shapes that are its children."""
        content = self.content
        # both loaders take the outer scale into the device's pose; only place and turn are kept
        own = placed(at, v.Transform(translation=doc.translation, rotation=doc.rotation))
        if not rigid(own):
            self.context.findings.warning(
                "device-scaled",
                f"{doc.tag} '{name_of(doc)}' is under a scale; only its turn is kept, not the scale",
                _span(doc),
            )
        rest = device_extras(doc, self.context)
        if rest:
            content.rests.append((len(content.devices), rest))
        content.devices.append(device(doc, "", own.pose, self.context))
        return own

    def _foreign(self, step: Step) -> Sequence[Step]:
        """OpenHRP's nodes among shapes."""
        doc = step.doc
        match doc:
            case d.Device():
                return step.inner(doc.children, self.device(doc, step.at))
            case d.PointerSensor():
                return step.inner(doc.children)
            case d.Surface():
                self._surface(doc, step.at)
                return [Step(child, step.at, "visual") for child in doc.visual]
            case d.Segment():
                self._wrong(doc)
                self.segment(doc, step.at)
            case d.Joint():
                self._wrong(doc)
                self.misplaced(doc, step.at)
            case d.ExtraJoint():
                self.content.loops.append(doc)
            case _:
                self._wrong(doc)
                self.content.keep([doc])
        return ()

    def _surface(self, doc: d.Surface, at: Placement) -> None:
        """Where a Surface is, nothing else of the link collides (facts B.8)."""
        found = read_shapes(doc.collision, at, self.reader, self._foreign)
        self.content.surfaces = [*(self.content.surfaces or []), *found.collisions]
        self.content.keep(found.kept)

    def _wrong(self, doc: Tagged) -> None:
        self.context.findings.error(
            "node-misplaced",
            f"{doc.tag} '{name_of(doc)}' stands inside of a Segment or sensor",
            _span(doc),
            "put it directly below a Joint",
        )


def _span(doc: Tagged) -> Span | None:
    return doc.at()


# --- mass (B.6) -------------------------------------------------------------------------


def _body(doc: d.Segment, at: Placement, context: Context) -> Inertial:
    """A Segment's mass data in the Joint's frame: com → T·com, inertia → L·I·Lᵀ, the mass as it is."""
    x, y, z = doc.center_of_mass
    tensor = np.array(doc.moments_of_inertia).reshape(3, 3)
    made = Inertial(
        mass=doc.mass,
        com=(x, y, z),
        inertia=matrix3(tensor),
        at=doc.at("mass"),
        com_at=doc.at("center_of_mass"),
        inertia_at=doc.at("moments_of_inertia"),
    )
    if at.linear is None and at.pose.xyz == ZERO and at.pose.quat[0] == 1.0:
        return made
    if not rigid(at):
        context.findings.warning(
            "mass-scaled",
            f"Segment '{name_of(doc)}' is under a scale: its inertia is scaled, its mass is not, "
            "as in Choreonoid and OpenHRP",
            _span(doc),
            "give the mass data outside the scaled Transform",
        )
    linear = np.array(at.matrix())
    com = linear @ np.array(made.com) + np.array(at.pose.xyz)
    return replace(made, com=tuple(com.tolist()), inertia=matrix3(linear @ tensor @ linear.T))


def composed(bodies: list[Inertial]) -> Inertial | None:
    """The Segments of a link as one body; None when all of them say zero (facts B.6)."""
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
    return replace(bodies[0], mass=mass, com=(x, y, z), inertia=matrix3(total))


def _kept_segment(doc: d.Segment, link: str) -> list[Item]:
    """A Segment's name, where it is not the usual one, and what the model has no place for."""
    items = leftovers(doc, "bbox_center", "bbox_size", "coord", "displacers")
    if doc.name and doc.name != doc.def_name:
        items += leftovers(doc, "name")
    if doc.mass == 0.0:
        # the centre of nothing is nowhere
        items += leftovers(doc, "center_of_mass")
    items += doc.rest
    if not items and doc.def_name in ("", f"{link}_LINK"):
        return []
    start = doc.node.start if doc.node else -1
    return [("Segment", Node("Segment", items, name=doc.def_name), start)]
