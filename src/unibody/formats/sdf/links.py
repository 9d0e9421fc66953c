"""Reads links with what is on them."""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.format import Context
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf import document_shapes as shapes
from unibody.formats.sdf.document_sensors import Light, Sensor
from unibody.formats.sdf.frames import Frames, Vertex
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.masses import inertial
from unibody.formats.sdf.sensors import Found, light, measured_in, sensor
from unibody.formats.sdf.shapes import Shapes
from unibody.model.device import Device
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Frame, Link
from unibody.model.shape import Shape
from unibody.text.dataclass import dataclass
from unibody.text.node import Item

#: All bits that Gazebo compares.
ALL = 0xFFFF
_KEPT = (
    "gravity",
    "self_collide",
    "kinematic",
    "must_be_base_link",
    "velocity_decay",
    "projectors",
    "audio_sinks",
    "audio_sources",
    "frames",
    "batterys",
    "enable_wind",
    "particle_emitters",
)


@dataclass(slots=True, eq=False)
class LinkRecord:
    """A link, what is on it in its frame, and what is kept of it; ``pose`` is in the outermost scope.

    ``mask`` are the bits of its collisions: two links collide if they share one.
    """

    vertex: Vertex
    link: Link
    pose: Pose
    kept: list[Item]
    devices: list[tuple[Device, list[Item]]]
    mask: int = ALL

    def moved(self, move: Pose) -> LinkRecord:
        """The link with another frame of the same axes, in which the old frame is ``move``."""
        link = self.link
        held = link.inertial

        def at(shape: Shape) -> Shape:
            return replace(shape, pose=move @ shape.pose)

        self.link = replace(
            link,
            inertial=None if held is None else replace(held, com=move.apply(held.com)),
            visuals=tuple(map(at, link.visuals)),
            collisions=tuple(map(at, link.collisions)),
        )
        self.devices = [(replace(x, pose=move @ x.pose), items) for x, items in self.devices]
        self.pose = self.pose @ move.inverse()
        return self


class LinkReader:
    """Reads the links of scopes."""

    def __init__(self, frames: Frames, context: Context) -> None:
        self.frames, self.context = frames, context
        self.poses, self.findings = frames.poses, context.findings
        self.shapes = Shapes(context)

    def read(self, vertex: Vertex) -> LinkRecord:
        """A link with its shapes, sensors and lights."""
        doc, scope, name = vertex.doc, vertex.scope, vertex.path
        assert isinstance(doc, d.Link)
        visuals: list[Shape] = []
        collisions: list[tuple[shapes.Collision, Shape]] = []
        left: list[Item] = []
        for visual in doc.visuals:
            pose = self.frames.given(scope, vertex, visual.pose, f"visual '{visual.name}'")
            shape, rest = self.shapes.visual(visual, pose, name)
            visuals += [] if shape is None else [shape]
            left += rest
        for collision in doc.collisions:
            pose = self.frames.given(scope, vertex, collision.pose, f"collision '{collision.name}'")
            shape, rest = self.shapes.collision(collision, pose, name)
            collisions += [] if shape is None else [(collision, shape)]
            left += rest
        held = inertial(doc, name, collisions, self.poses, self.findings)
        if doc.inertial is not None:
            more = kept(doc.inertial, "frames", "fluid_added_mass", "auto_inertia_params")
            left += wrapped("inertial", more)
        devices: list[tuple[Device, list[Item]]] = []
        for one in doc.sensors:
            what = f"sensor '{one.name}'"
            pose = self.frames.given(scope, vertex, one.pose, what)
            found = sensor(one, what, self.poses, self.context)
            devices.append(_device(one.name, name, pose, found, one))
        for lamp in doc.lights:
            what = f"light '{lamp.name}'"
            pose = self.frames.given(scope, vertex, lamp.pose, what)
            found = light(lamp, what, self.context)
            devices.append(_device(lamp.name, name, pose, found, lamp))
        left = kept(doc, *_KEPT) + left
        mask = _mask([collision for collision, _ in collisions])
        link = Link(
            name=name,
            collides=mask != 0,
            inertial=held,
            visuals=tuple(visuals),
            collisions=tuple(shape for _, shape in collisions),
            at=doc.at(),
        )
        return LinkRecord(vertex, link, self.frames.in_top(vertex, scope), left, devices, mask)

    def of_joint(
        self, doc: d.Joint, vertex: Vertex, parent: LinkRecord | None, child: LinkRecord
    ) -> list[tuple[LinkRecord, Device, list[Item]]]:
        """The sensors of a joint, each with the link that it is on; they are posed in the joint."""
        out = []
        scope = vertex.scope
        for one in doc.sensors:
            what = f"sensor '{one.name}'"
            joint = self.frames.in_top(vertex, scope)
            pose = joint @ self.frames.given(scope, vertex, one.pose, what)
            found = sensor(one, what, self.poses, self.context, on_joint=True)
            if one.type == "force_torque":
                other = child.pose if parent is None else parent.pose
                pose = measured_in(one, pose, other, child.pose)
            device, items = _device(one.name, child.link.name, child.pose.inverse() @ pose, found, one)
            out.append((child, device, items))
        return out

    def frame(self, vertex: Vertex, link: LinkRecord) -> Frame:
        """A frame of the file, on its link."""
        pose = link.pose.inverse() @ self.frames.in_top(vertex, vertex.scope)
        return Frame(name=vertex.path, link=link.link.name, pose=pose, at=vertex.at())


def _device(
    name: str | None, link: str, pose: Pose, found: Found, doc: Sensor | Light
) -> tuple[Device, list[Item]]:
    pose = pose if found.turn is IDENTITY else pose @ found.turn
    is_on = doc.light_on if isinstance(doc, Light) else True
    made = Device(name=name or "", link=link, spec=found.spec, pose=pose, on=is_on, at=doc.at())
    return made, [*found.kept]


def _mask(collisions: list[shapes.Collision]) -> int:
    """The bits of all collisions of a link together; all bits without collisions."""
    out = 0
    for doc in collisions:
        contact = doc.surface.contact if doc.surface is not None else None
        out |= ALL if contact is None else contact.collide_bitmask & ALL
    return out if collisions else ALL
