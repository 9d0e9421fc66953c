"""Collects what the model does not hold, in place and order, for the writer.

Default classes, frames and units are resolved: each element keeps the values that its class gave it, poses
are those in the body, and angles are in radians.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from unibody.document.declare import FILLED, Document, plan
from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import color_layer, file_references
from unibody.formats.mjcf.defaults import ORIENTATIONS, stated
from unibody.formats.mjcf.geoms import FIELDS, GeomRecord, sizes
from unibody.formats.mjcf.gravity import without_gravity
from unibody.formats.mjcf.joints import JointRecord
from unibody.formats.mjcf.kept_elements import uniform
from unibody.formats.mjcf.links import Assembly, alone
from unibody.formats.mjcf.references import accompanying
from unibody.formats.mjcf.tree import Placed, Scope
from unibody.formats.tidy import steady_vector
from unibody.model import shape as s
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, ZERO, Pose, rotate
from unibody.model.robot import UNBOUNDED, Extra
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

#: What is resolved before: classes, and the notations of poses.
_RESOLVED = frozenset(("class_", "childclass", "pos", *ORIENTATIONS))
#: Sections that are read into the model; what has no meaning for it is kept of the others.
_READ = (d.Compiler, d.Default, d.WorldBody)
#: Settings of the compiler that hold beyond the reading of a file.
_KEPT_SETTINGS = frozenset((
    "alignfree", "conflict", "lengthrange", "passthrough", "savecanonical", "savecompiled", "saveinertial",
    "usethread",
))  # fmt: skip
_JOINT = frozenset((
    "name", "type", "axis", "range", "limited", "ref", "springref", "frictionloss", "armature",
    "actuatorfrcrange", "actuatorfrclimited",
))  # fmt: skip
_GEOM = frozenset(("name", "type", "size", "fromto", "items", "fitscale"))


def touch(top: Document) -> None:
    """Mark all fields of an element and of those inside as read."""
    if not hasattr(top, "seen"):
        return  # nobody watches
    todo = [top]
    while todo:
        doc = todo.pop()
        for name in plan(type(doc)).fields:
            value = getattr(doc, name)
            if isinstance(value, Document):
                todo.append(value)
            elif isinstance(value, list):
                todo += [v for v in value if isinstance(v, Document)]


def remains(doc: Document, used: Collection[str] = ()) -> list[Item]:
    """The items of an element without those that are resolved or ``used`` by the model."""
    touch(doc)
    if doc.node is None:
        return list(doc.rest)
    keys = plan(type(doc)).keys
    out = []
    for item in doc.node.items:
        entry = keys.get(item[0])
        if entry is not None and entry.name not in _RESOLVED and entry.name not in used:
            out.append(item)
    return out + doc.rest


def _numbers(*values: float) -> Word:
    return Word(" ".join(map(format_float, values)))


def _at(pose: Pose) -> list[Item]:
    return (
        [] if pose == IDENTITY else [("pos", _numbers(*pose.xyz), -1), ("quat", _numbers(*pose.quat), -1)]
    )


def _named(doc: Document) -> list[Item]:
    name = getattr(doc, "name", None)
    return [("name", Word(name), -1)] if name else []


def _element(doc: Document, pose: Pose | None = None, used: Collection[str] = ()) -> Item:
    """An element with its name, and with its pose if the model has none for it."""
    tag = doc.node.tag if doc.node is not None else ""
    items = _named(doc) + ([] if pose is None else _at(pose)) + remains(doc, {"name", *used})
    return (tag, Node(tag, items), -1)


def extras(
    scopes: Sequence[Scope],
    parts: Assembly,
    names: Mapping[int, str],
    context: Context,
    more: Sequence[Item] = (),
) -> tuple[Extra, ...]:
    """What the model does not hold of the sections, the world, the bodies and joints; ``more`` sections.

    ``scopes`` are those of the file and of the models that it attaches; ``names`` are those that sites,
    cameras and lights have in the model, by the identity of the element.
    """
    out = Extras("mjcf")
    attached = (d.Default, d.Extension, d.Asset, *accompanying())
    for i, doc in enumerate(scope.doc for scope in scopes):
        touch(doc)
        out.add(doc.rest)
        for section in doc.items:
            # of an attached model the settings do not hold
            if not i or isinstance(section, attached):
                out.add(_section(section))
    out.add(list(more))
    if parts.root:
        out.add(_world(parts))
    apart = alone(parts)
    for i in parts.kept:
        known = frozenset(("contype", "conaffinity")) if i in apart else frozenset()
        out.add(_body(parts, i, names, known), "links", parts.names[i])
        for joint in parts.joints[i] if i != parts.root else ():
            out.add(_joint(joint), "joints", joint.name)
    used = _used(parts)
    soft = [(placed.doc, placed.scope) for body in parts.bodies for placed in body.others]
    references = file_references(scopes, soft, used, context)
    return tuple(uniform(extra, used, references) for extra in out.made())


def _section(section: Document) -> list[Item]:
    touch(section)
    node = section.node
    if node is None:
        return []
    if isinstance(section, d.Option):
        items = without_gravity(node.items)
        return [(node.tag, Node(node.tag, items), -1)] if items else []
    if isinstance(section, d.Compiler):
        items = [item for item in node.items if item[0] in _KEPT_SETTINGS]
        return [(node.tag, Node(node.tag, items), -1)] if items else []
    is_kept = isinstance(section, d.Default) and node.start == FILLED
    if isinstance(section, _READ) and not is_kept:
        return []
    kept = getattr(section, "items", None)
    if kept is None:
        return [(node.tag, node, -1)]
    # of an attached model only what comes in
    chosen = {id(item.node) for item in kept}
    items = [
        (key, stated(value) if isinstance(value, Node) and not is_kept else value, start)
        for key, value, start in node.items
        if not isinstance(value, Node) or id(value) in chosen
    ]
    return [(node.tag, Node(node.tag, items), -1)] if items else []


def _world(parts: Assembly) -> list[Item]:
    """What the surroundings do not have of the world."""
    items = [_element(placed.doc, _pose(placed)) for placed in parts.bodies[0].others]
    return [("worldbody", Node("worldbody", items), -1)] if items else []


def _pose(placed: Placed) -> Pose:
    doc = placed.doc
    if isinstance(doc, b.Posed):
        return placed.frame @ placed.scope.poses.of(doc)
    pos = getattr(doc, "pos", None)
    return placed.frame @ Pose((pos[0], pos[1], pos[2])) if pos is not None else placed.frame


def _body(
    parts: Assembly, index: int, names: Mapping[int, str], known: frozenset[str] = frozenset()
) -> list[Item]:
    """What remains of a body; the model has the fields ``known`` of its geoms."""
    body = parts.bodies[index]
    items: list[Item] = []
    if isinstance(body.doc, b.Body):
        items += remains(body.doc, ("name", "items", "gravcomp"))
    if index == parts.root and index:
        items += [_element(joint.placed.doc, used=("type",)) for joint in parts.joints[index]]
    items += [_geom(geom, known) for geom in parts.geoms[index]]
    items += [_renamed(_site(placed), placed, names) for placed in body.sites]
    for placed in body.cameras:
        moves = isinstance(placed.doc, b.Camera) and placed.doc.mode != "fixed"
        item = _element(placed.doc, _pose(placed) if moves else None)
        items.append(_renamed(item, placed, names))
    for placed in body.lights:
        moves = isinstance(placed.doc, b.Light) and placed.doc.mode != "fixed"
        item = _light(placed) if moves else _element(placed.doc)
        items.append(_renamed(item, placed, names))
    if index or not parts.root:
        items += [_element(placed.doc, _pose(placed)) for placed in body.others]
    for placed in body.inertials:
        touch(placed.doc)
    return items


def _renamed(item: Item, placed: Placed, names: Mapping[int, str]) -> Item:
    """An element with the name that it has in the model, which an unnamed one gets."""
    node, name = item[1], names.get(id(placed.doc))
    assert isinstance(node, Node)
    if name and not node.word("name"):
        node.items.insert(0, ("name", Word(name), -1))
    return item


def _used(parts: Assembly) -> set[tuple[str, str]]:
    """The tags and names of the assets that shapes of the model have."""
    out: set[tuple[str, str]] = set()
    for i in parts.kept:
        for geom in parts.geoms[i]:
            shape, doc = geom.shape, geom.doc
            if shape is None:
                continue
            if isinstance(shape.geometry, s.MeshFile):
                out.add(("mesh", doc.mesh or ""))
            elif isinstance(shape.geometry, s.ElevationGrid):
                out.add(("hfield", doc.hfield or ""))
            if geom.is_drawn and shape.material is not None and shape.material.texture is not None:
                material = geom.placed.scope.asset(assets.Material, doc.material)
                if material is not None:
                    out.add(("texture", material[0].texture or color_layer(material[0]) or ""))
    return out


def _light(placed: Placed) -> Item:
    """A light that the model has not; its direction is in the frame of the body."""
    doc = placed.doc
    assert isinstance(doc, b.Light)
    tag, node, start = _element(doc, used=("dir",))
    assert isinstance(node, Node)
    node.items.append(("pos", _numbers(*_pose(placed).xyz), -1))
    direction = (doc.dir[0], doc.dir[1], doc.dir[2])
    node.items.append(("dir", _numbers(*rotate(placed.frame.quat, direction)), -1))
    return (tag, node, start)


def _site(placed: Placed) -> Item:
    """What remains of a site; ``fromto`` is resolved to sizes."""
    doc = placed.doc
    assert isinstance(doc, b.Site)
    if doc.fromto is None:
        return _element(doc)
    tag, node, start = _element(doc, used=("fromto", "size"))
    assert isinstance(node, Node)
    half = math.dist(doc.fromto[:3], doc.fromto[3:]) / 2.0
    radius = doc.size[0]
    sizes = (radius, half) if doc.type in ("capsule", "cylinder") else (radius, radius, half)
    node.items.append(("size", _numbers(*sizes), -1))
    return (tag, node, start)


def _geom(geom: GeomRecord, known: frozenset[str]) -> Item:
    """What remains of a geom; of one without a shape all, by which it is known. The model has ``known``."""
    doc, shape = geom.doc, geom.shape
    if shape is None:
        return _whole(geom, _pose(geom.placed))
    used = _GEOM | {"rgba"} if geom.is_drawn and not _repeats_color(geom) else _GEOM
    if geom.collides:
        used = used | {*FIELDS} | known
    if doc.type in ("mesh", "sdf", "hfield"):
        # the model has a signed distance field as a mesh
        return _element(doc, used=used - {"type"} if doc.type == "sdf" else used)
    # the mesh that a primitive is fitted to has no meaning any more
    tag, node, start = _element(doc, used=used | {"mesh"})
    assert isinstance(node, Node)
    stated = sizes(shape.geometry, None if doc.mesh else doc.size)
    if stated != sizes(shape.geometry, None):
        node.items.append(("size", _numbers(*stated), -1))
    return (tag, node, start)


def _repeats_color(geom: GeomRecord) -> bool:
    """Whether a geom states the color of its material, from which MuJoCo tells it."""
    material = geom.placed.scope.asset(assets.Material, geom.doc.material)
    return material is not None and geom.doc.rgba == material[0].rgba


def _whole(geom: GeomRecord, pose: Pose) -> Item:
    """A geom without a shape in the model, with its type by which it is known.

    A distance field is known by its position, too.
    """
    # without a shape, ``fromto`` has no meaning
    tag, node, start = _element(geom.doc, pose, ("type", "fromto"))
    assert isinstance(node, Node)
    if geom.doc.type == "sdf" and pose == IDENTITY:
        node.items.append(("pos", _numbers(*pose.xyz), -1))
    node.items.append(("type", Word(geom.doc.type), -1))
    return (tag, node, start)


def _unlimited(joint: JointRecord, doc: b.Joint) -> list[Item]:
    """A range that does not matter, and the rest position of a spring without stiffness."""
    items: list[Item] = []
    if KINDS[joint.kind].nq != 1:
        return items
    scale = joint.placed.scope.settings.angle if joint.kind == "revolute" else 1.0
    if doc.range is not None and joint.limits.position == UNBOUNDED:
        # MuJoCo does not convert it, either
        items += [("range", _numbers(*doc.range), -1), ("limited", Word("false"), -1)]
    elif doc.range is not None and joint.lock is not None:
        items.append(("range", _numbers(*(value + joint.ref for value in joint.limits.position)), -1))
    if doc.springref and not joint.dynamics.stiffness:
        items.append(("springref", _numbers(doc.springref * scale), -1))
    if doc.actuatorfrcrange is not None:
        items.append(("actuatorfrcrange", _numbers(*doc.actuatorfrcrange), -1))
        if joint.limits.effort == UNBOUNDED:
            items.append(("actuatorfrclimited", Word("false"), -1))
    return items


def _joint(joint: JointRecord) -> list[Item]:
    """What remains of a joint: its anchor, the coordinate at its zero, and settings of the solver."""
    doc = joint.placed.doc
    items: list[Item] = []
    if joint.anchor != ZERO:
        items.append(("pos", _numbers(*steady_vector(joint.anchor)), -1))
    if joint.ref:
        items.append(("ref", _numbers(joint.ref), -1))
    used = set(_JOINT)
    if isinstance(doc, b.Joint):
        items += _unlimited(joint, doc)
        if doc.type == "ball" and doc.range is not None:
            # MuJoCo does not convert a range that does not hold
            scale = 1.0 if doc.limited == "false" else joint.placed.scope.settings.angle
            items.append(("range", _numbers(*(v * scale for v in doc.range)), -1))
        if doc.type == "ball" and doc.limited != "auto":
            items.append(("limited", Word(doc.limited), -1))
        used |= {name for name in ("damping", "stiffness") if len(getattr(doc, name) or ()) < 2}
    return items + remains(doc, used)
