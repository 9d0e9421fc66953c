"""Lowers a robot to what MuJoCo has, and writes it as an MJCF document, with the scene beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Any

from unibody.document.declare import Document
from unibody.formats.format import Writer
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_defaults as defaults
from unibody.formats.mjcf.asset_elements import without_missing
from unibody.formats.mjcf.cannot import CANNOT
from unibody.formats.mjcf.carriers import held
from unibody.formats.mjcf.document_element import nested
from unibody.formats.mjcf.joints import TYPES
from unibody.formats.mjcf.kept_elements import Kept, KeptBody, bound, carry
from unibody.formats.mjcf.references import leave_unknown
from unibody.formats.mjcf.write_actuators import with_actuators
from unibody.formats.mjcf.write_assets import AssetTable
from unibody.formats.mjcf.write_bodies import (
    EXACT,
    NEAREST,
    accepted,
    body_element,
    frames_by_link,
    kept_elements,
    massless,
    other_elements,
    rejected,
    site_elements,
)
from unibody.formats.mjcf.write_constraints import (
    APART,
    Bits,
    Equalities,
    bits_of,
    collides_with_itself,
    contact_elements,
    leave_alone,
)
from unibody.formats.mjcf.write_defaults import factor, with_folders_of
from unibody.formats.mjcf.write_geoms import (
    COLLISION,
    COLLISION_GROUP,
    VISUAL,
    VISUAL_GROUP,
    GeomWriter,
    holds,
    opens,
    paired_geoms,
)
from unibody.formats.mjcf.write_keyframes import key_elements
from unibody.formats.mjcf.write_sensors import (
    Scan,
    camera_elements,
    light_elements,
    scans_of,
    sensor_elements,
    tuple_elements,
    with_sites,
)
from unibody.formats.mjcf.write_tree import BodyTree, is_world
from unibody.model import shape as s
from unibody.model.base import stated_base
from unibody.model.changes.joints import split_joints
from unibody.model.changes.shapes import baked, upright, with_shapes
from unibody.model.device import Device
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Link, Robot
from unibody.model.traverse import links_below
from unibody.text.finding import Finding
from unibody.text.node import Node, Word
from unibody.text.xml.printer import print_xml

#: The time step in s of a model with loops: MuJoCo softens their stiffness (``SOLREF``) at a longer one.
LOOP_STEP = 0.001
# Sections that are kept as they are; the others have elements of the model.
_BEFORE = (d.Size, d.Visual, d.Statistic)
_BEHIND = (d.Extension, d.Custom)


# --- the lowered robot -----------------------------------------------------------------


#: Half the size in m of a plane without bounds that moves, and the thickness of planes that move.
FAR, THIN = 50.0, 0.001


def changes(robot: Robot, inertias: str = EXACT) -> Robot:
    """Lower a robot to what MJCF has: four kinds of joints, three of loops, no planes that move.

    ``inertias`` is as in ``write_bodies.accepted``.
    """
    top = robot.root if is_world(robot) else ""
    inner = {joint.name for joint in robot.joints if joint.kind == "free" and joint.parent != top}
    out = split_joints(robot, ("fixed", *TYPES.values()))
    if inner:
        # MuJoCo has free bodies at the top only
        others = {joint.name for joint in out.joints if joint.kind == "free"} - inner
        out = split_joints(out, KINDS.keys() - {"free"}, keep=others)
    out = with_shapes(out, _shape)
    fixed = _fixed(out)
    links = tuple(link if link.name in fixed else _without_planes(link) for link in out.links)
    out = replace(out, links=links)
    own = without_missing([extra for extra in out.extras if extra.format == "mjcf"])
    out = replace(out, extras=(*(extra for extra in out.extras if extra.format != "mjcf"), *own))
    out = held(with_sites(out), kept_loops(out))
    return accepted(out, inertias)


def kept_loops(robot: Robot) -> frozenset[str]:
    """The loops that kept elements of MJCF still say."""
    if not any(extra.format == "mjcf" for extra in robot.extras) or not robot.loops:
        return frozenset()
    kept = Kept(robot)
    return frozenset(Equalities(BodyTree(robot, kept), kept).kept_loops())


def new_loops(robot: Robot) -> frozenset[str]:
    """The loops that are written anew."""
    return frozenset(loop.name for loop in robot.loops) - kept_loops(robot)


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    return tuple(new for old in upright(shape) for new in baked(old))


def _fixed(robot: Robot) -> set[str]:
    """The links that do not move in the world."""
    if stated_base(robot, "fixed") == "free":
        return set()
    return links_below([robot.root], (joint for joint in robot.joints if joint.kind == "fixed"))


def _without_planes(link: Link) -> Link:
    sets: dict[str, Any] = {}
    for name in ("visuals", "collisions"):
        shapes = getattr(link, name)
        if any(isinstance(shape.geometry, s.Plane) for shape in shapes):
            sets[name] = tuple(map(_as_box, shapes))
    return replace(link, **sets) if sets else link


def _as_box(shape: s.Shape) -> s.Shape:
    """A plane as a thin box below it: MuJoCo rejects planes that move."""
    plane = shape.geometry
    if not isinstance(plane, s.Plane):
        return shape
    x, y = plane.half_size or (FAR, FAR)
    box = s.Box(size=(2.0 * x, 2.0 * y, THIN))
    return replace(shape, geometry=box, pose=shape.pose @ Pose((0.0, 0.0, -THIN / 2.0)))


# --- the document ------------------------------------------------------------------------


def from_robot(robot: Robot) -> d.Mujoco:
    """The MJCF document of a lowered robot."""
    kept = Kept(robot)
    tree = BodyTree(robot, kept)
    table = AssetTable(kept)
    apart = not collides_with_itself(robot)
    scans = scans_of(robot, kept)
    world, bits = _bodies(tree, kept, table, APART if apart else (1, 1), scans)
    sections = _sections(tree, kept, bits, scans)
    behind = [section for cls in _BEHIND for section in kept.whole(cls)]
    leave_unknown(world, [*sections, *behind])
    out = d.Mujoco(model=robot.name)
    out.items = [
        _compiler(kept),
        *_options(robot, kept),
        *(section for cls in _BEFORE for section in kept.whole(cls)),
        *_defaults(world, apart, kept),
        *behind,
        *table.elements(),
        world,
        *kept.whole(d.Deformable),
        *(x for x in sections if getattr(x, "items", None) or getattr(x, "keys", None)),
        *tuple_elements(scans),
    ]
    if derived := {x.name for x in robot.links if x.inertial is not None and x.inertial.unknown}:
        _derive(out, derived)
    factor(out, robot)
    return out


def _derive(out: d.Mujoco, names: Collection[str]) -> None:
    """Let MuJoCo derive the masses of these bodies from their geoms; those of others have no mass."""
    for doc in nested(out.items):
        if isinstance(doc, d.Compiler):
            doc.inertiafromgeom = "auto"
        elif isinstance(doc, b.Body) and doc.name not in names:
            is_stated = any(isinstance(item, b.Inertial) for item in doc.items)
            for geom in doc.items if not is_stated else ():
                if isinstance(geom, b.Geom):
                    geom.mass = 0.0


def _sections(tree: BodyTree, kept: Kept, bits: Bits, scans: Mapping[str, Scan]) -> list[Document]:
    """The sections behind the tree."""
    rays = {name: scan.sensors() for name, scan in scans.items()}
    return [
        d.Contact(items=contact_elements(tree, kept, bits)),
        *kept.whole(d.Tendons),
        d.Equalities(items=list(Equalities(tree, kept).elements())),
        *kept.whole(d.Actuators),
        d.Sensors(items=sensor_elements(tree, kept, rays)),
        d.Keyframes(keys=key_elements(tree, kept)),
    ]


def _options(robot: Robot, kept: Kept) -> list[d.Option]:
    """The options that are kept with the gravity, and with the time step that new loops need."""
    out = kept.whole(d.Option)
    if not any("timestep" in option.given for option in out) and new_loops(robot):
        out.insert(0, d.Option(timestep=LOOP_STEP))
    if robot.gravity is not None:
        out = out or [d.Option()]
        out[-1].gravity = robot.gravity
        out[-1].given.add("gravity")
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


def _bodies(
    tree: BodyTree,
    kept: Kept,
    table: AssetTable,
    own: tuple[int, int],
    scans: Mapping[str, Scan],
) -> tuple[b.WorldBody, dict[str, tuple[int, int]]]:
    """The world with all bodies, and the contact bits of each body; ``own`` are those of new shapes."""
    frames = frames_by_link(tree)
    geoms = GeomWriter(table, own, paired_geoms(kept.section("contact")))
    light = massless(tree)
    on_link: dict[str, list[Device]] = {}
    for device in tree.robot.devices:
        on_link.setdefault(device.link, []).append(device)
    bits: dict[str, tuple[int, int]] = {}
    made: dict[int, b.WorldBody | b.Body] = {}
    world = b.WorldBody()
    for body in tree:
        is_world = body is tree.world
        of = KeptBody() if body.link is None else kept.body(body.link.name)
        if is_world and body.link is None:
            of = kept.world()
        elif is_world and not tree.is_world:
            of.others += kept.world().others
        items: list[Document] = geoms.elements(body, of.geoms)
        if body.link is None:
            items += kept_elements(of)
        else:
            items += site_elements(body, frames.get(body.link.name, []), of)
            devices = on_link.get(body.link.name, [])
            for device in devices:
                items += scans[device.name].sites(body) if device.name in scans else []
            items += camera_elements(body, devices, of.cameras)
            items += light_elements(body, devices, of.lights)
        items += other_elements(of)
        if body.link is not None and not body.link.collides:
            leave_alone(items)
        bits[body.name] = bits_of(items, own)
        element: b.WorldBody | b.Body = world
        if is_world:
            world.items += items
        else:
            element = body_element(body, of, items, light)
            assert body.parent is not None
            made[id(body.parent)].items.append(element)
        made[id(body)] = element
    return world, bits


def _defaults(world: b.WorldBody, apart: bool, kept: Kept) -> list[Document]:
    """The classes of visual and collision shapes, if a geom is of one, and those that are kept."""
    used = {doc.class_ for doc in nested([world]) if isinstance(doc, b.Geom)}
    out: list[Document] = []
    if VISUAL in used:
        geom = defaults.DefaultGeom(group=VISUAL_GROUP, contype=0, conaffinity=0)
        out.append(d.Default(class_=VISUAL, items=[geom]))
    if COLLISION in used:
        contype, conaffinity = APART if apart else (1, 1)
        geom = defaults.DefaultGeom(group=COLLISION_GROUP, contype=contype, conaffinity=conaffinity)
        out.append(d.Default(class_=COLLISION, items=[geom]))
    out += [inner for section in kept.whole(d.Default) for inner in section.items]
    return [d.Default(items=out)] if out else []


# --- the writer --------------------------------------------------------------------------


def rejects(robot: Robot) -> list[Finding]:
    """What MuJoCo would reject of a robot."""
    return rejected(changes(robot))


def configured(options: Mapping[str, str]) -> Writer:
    """The writer with the options of the format."""
    out = WRITER
    if options.get("inertias") == NEAREST:
        out = replace(out, changes=partial(changes, inertias=NEAREST), rejects=lambda robot: [])
    if style := options.get("actuators"):
        out = replace(out, requested=partial(with_actuators, style=style))
    if options.get("scene"):
        out = replace(out, beside=scene)
    return out


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".stl", ".obj", ".msh"),
    opens=opens,
    single=True,
    spell=with_folders_of,
    tag="mujoco",
    complete=True,
    derives=True,
    unusable=frozenset(
        (
            "element-rejected",
            "keyframe-length",
            "name-duplicate",
            "reference-unknown",
            "size-not-positive",
            "word-removed",
        )
    ),
    rejects=rejects,
    settles=new_loops,
    configured=configured,
)


def scene(name: str, robot: Robot, document: Document | None = None) -> dict[str, str]:
    """The text of the scene of a model file, by its name: ``arm_scene.xml`` for ``arm.xml``.

    >>> from unibody.model.robot import Link
    >>> list(scene("arm.xml", Robot(name="arm", links=(Link(name="base"),))))
    ['arm_scene.xml']
    """
    stem = PurePath(name).stem
    root = Node("mujoco")
    root.items = [
        ("model", Word(f"{robot.name} scene"), -1),
        _element("include", file=name),
        _element(
            "visual",
            _element("headlight", diffuse="0.6 0.6 0.6", ambient="0.3 0.3 0.3", specular="0 0 0"),
            _element("rgba", haze="0.15 0.25 0.35 1"),
        ),
        _element(
            "asset",
            _element(
                "texture",
                name="scene_sky",
                type="skybox",
                builtin="gradient",
                rgb1="0.3 0.5 0.7",
                rgb2="0 0 0",
                width="512",
                height="3072",
            ),
            _element(
                "texture",
                name="scene_floor",
                type="2d",
                builtin="checker",
                mark="edge",
                rgb1="0.2 0.3 0.4",
                rgb2="0.1 0.2 0.3",
                markrgb="0.8 0.8 0.8",
                width="300",
                height="300",
            ),
            _element(
                "material",
                name="scene_floor",
                texture="scene_floor",
                texuniform="true",
                texrepeat="5 5",
                reflectance="0.2",
            ),
        ),
        _element(
            "worldbody",
            _element("light", name="scene_light", pos="0 0 3.5", dir="0 0 -1", type="directional"),
            _element("geom", name="scene_floor", type="plane", size="0 0 0.05", material="scene_floor"),
        ),
    ]
    return {f"{stem}_scene.xml": print_xml(root)}


def _element(tag: str, *inner: tuple[str, Node, int], **attributes: str) -> tuple[str, Node, int]:
    items = [(key, Word(value), -1) for key, value in attributes.items()]
    return (tag, Node(tag, [*items, *inner]), -1)
