"""Writes a robot as an MJCF document."""

from __future__ import annotations

from unibody.document.declare import Document
from unibody.formats.format import Writer
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_defaults as defaults
from unibody.formats.mjcf.cannot import CANNOT
from unibody.formats.mjcf.kept_elements import Kept, KeptBody, bound
from unibody.formats.mjcf.sidecar_text import carry
from unibody.formats.mjcf.write_assets import AssetTable
from unibody.formats.mjcf.write_bodies import (
    body_element,
    frames_by_link,
    massless,
    other_elements,
    site_elements,
)
from unibody.formats.mjcf.write_changes import changes
from unibody.formats.mjcf.write_geoms import (
    COLLISION,
    COLLISION_GROUP,
    VISUAL,
    VISUAL_GROUP,
    GeomWriter,
    holds,
    opens,
)
from unibody.formats.mjcf.write_tree import BodyTree
from unibody.model.robot import Robot

# Sections that are kept as they are; the others have elements of the model.
_BEFORE = (d.Option, d.Size, d.Visual, d.Statistic)
_BEHIND = (d.Extension, d.Custom)


def from_robot(robot: Robot) -> d.Mujoco:
    """The MJCF document of a lowered robot."""
    kept = Kept(robot)
    tree = BodyTree(robot, kept)
    table = AssetTable(kept)
    world = _bodies(tree, kept, table)
    out = d.Mujoco(model=robot.name)
    out.items = [
        _compiler(kept),
        *(section for cls in _BEFORE for section in kept.whole(cls)),
        *_defaults(world),
        *(section for cls in _BEHIND for section in kept.whole(cls)),
        *table.elements(),
        world,
        *kept.whole(d.Deformable),
    ]
    return out


def _compiler(kept: Kept) -> d.Compiler:
    """How the file is to be read: angles in radians, masses as stated."""
    out = d.Compiler()
    for node in kept.sections.get("compiler", []):
        settings = bound(d.Compiler, node)
        for name in settings.given:
            setattr(out, name, getattr(settings, name))
        out.given |= settings.given
    out.angle, out.autolimits, out.inertiafromgeom = "radian", True, "false"
    return out


def _bodies(tree: BodyTree, kept: Kept, table: AssetTable) -> b.WorldBody:
    """The world with all bodies."""
    frames = frames_by_link(tree)
    geoms = GeomWriter(table)
    light = massless(tree)
    made: dict[int, b.WorldBody | b.Body] = {}
    world = b.WorldBody()
    for body in tree:
        is_world = body is tree.world
        of = KeptBody() if body.link is None else kept.body(body.link.name)
        if is_world and body.link is None:
            of = kept.world()
        items: list[Document] = geoms.elements(body, of.geoms)
        items += site_elements(body, frames.get(body.link.name, []) if body.link else [], of)
        items += other_elements(of)
        element: b.WorldBody | b.Body = world
        if is_world:
            world.items += items
        else:
            element = body_element(body, of, items, light)
            assert body.parent is not None
            made[id(body.parent)].items.append(element)
        made[id(body)] = element
    return world


def _defaults(world: b.WorldBody) -> list[Document]:
    """The classes of visual and collision shapes, if a geom is of one."""
    used: set[str] = set()
    todo: list[Document] = [world]
    while todo:
        doc = todo.pop()
        if isinstance(doc, b.Geom) and doc.class_:
            used.add(doc.class_)
        todo += getattr(doc, "items", [])
    out: list[Document] = []
    if VISUAL in used:
        geom = defaults.DefaultGeom(group=VISUAL_GROUP, contype=0, conaffinity=0)
        out.append(d.Default(class_=VISUAL, items=[geom]))
    if COLLISION in used:
        out.append(d.Default(class_=COLLISION, items=[defaults.DefaultGeom(group=COLLISION_GROUP)]))
    return [d.Default(items=out)] if out else []


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".stl", ".obj", ".msh"),
    opens=opens,
    single=True,
    tag="mujoco",
    complete=True,
)
