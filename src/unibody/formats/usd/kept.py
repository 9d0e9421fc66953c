"""Keeps what the model of a robot does not hold, as the stage has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unibody.document.declare import READ, Document, plan
from unibody.document.values import to_numbers
from unibody.formats.extras import Extras
from unibody.formats.usd.document import Stage
from unibody.formats.usd.document_bodies import (
    MjcActuator,
    MjcKeyframe,
    MjcTendon,
    NewtonActuator,
    PhysicsDistanceJoint,
    PhysicsScene,
)
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.joints import JointRecord, Units
from unibody.formats.usd.places import Place
from unibody.model.pose import Vector3
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Row, Value, Word

# Schemas of joints and of bodies all of which the model holds, by the names of their fields in ``Prim``.
_JOINT = (
    "drives",
    "physx_limits",
    "mjc_joint",
    "newton_joint",
    "physx_joint",
    "mjc_equality",
    "mjc_equality_connect",
    "mjc_equality_weld",
    "mjc_equality_joint",
    "newton_mimic",
)
# What the model holds of these schemas, in its own terms: it is written from there.
_HELD = {
    "drives": ("max_force",),
    "newton_joint": ("armature", "damping", "friction", "velocity_limit"),
    "physx_joint": ("armature", "joint_friction", "max_joint_velocity"),
    "mjc_joint": (
        "actuatorfrclimited",
        "actuatorfrcrange_max",
        "actuatorfrcrange_min",
        "armature",
        "damping",
        "frictionloss",
        "springref",
        "stiffness",
    ),
}
# Items that say nothing where a schema has no others.
_ALONE = frozenset({"instance", "physics:type"})
_ROBOT = ("newton_articulation_root", "physx_articulation", "articulation")
_BODY = ("rigid_body", "physx_rigid_body")
_WHOLE = (PhysicsScene, MjcActuator, MjcKeyframe, MjcTendon, NewtonActuator)


class Keeper:
    """Adds items to the extras of a robot, and marks what holds them as read."""

    def __init__(self, extras: Extras) -> None:
        self.extras = extras

    def joint(self, record: JointRecord, is_tree: bool, units: Units, sign: float) -> None:
        """Keep what a joint says beyond its motion and its limits, in SI units.

        ``sign`` is −1 for a joint that runs backwards in the model.
        """
        doc = record.doc
        items = [_drive_in_si(item, units, sign) for item in _schemas(doc, _unheld(doc))] + _rest(doc)
        items += _scaled(_field(doc, "break_force"), units.force)
        items += _scaled(_field(doc, "break_torque"), units.torque)
        for name in ("cone_angle0_limit", "cone_angle1_limit"):
            if name in plan(type(doc)).fields:
                items += _field(doc, name)
        self.extras.add(items, "joints" if is_tree else "loops", record.name)

    def link(self, place: Place, name: str, places: Sequence[Place]) -> None:
        """Keep what a body says beyond its mass."""
        items = _schemas(place.prim, _BODY) + _rest(place.prim)
        self.extras.add(items, "links", name)

    def keep_rest(self, stage: Stage, places: Mapping[str, Place], owners: Mapping[str, str]) -> None:
        """Keep prims that belong to no link or joint: scenes, actuators, tendons, states.

        ``owners``: the links and joints of the model, as owners of extras, by the paths of their prims.
        """
        for place in places.values():
            prim = place.prim
            if isinstance(prim, _WHOLE):
                node = prim.node
                if node is not None:
                    whole = _named(_without_gravity(node), prim)
                    self.extras.add([("", _referring(whole, owners), -1)])
                    _mark(prim)
        for prim in stage.prims:
            items = _rest(prim)
            self.extras.add(items)

    def rope(self, rope: Rope, owners: Mapping[str, str]) -> None:
        """Keep a joint that limits a distance, for which the model has nothing, in SI units."""
        doc = rope.place.prim
        assert isinstance(doc, PhysicsDistanceJoint)
        if doc.node is None:
            return
        items: list[Item] = []
        for k, (target, point) in enumerate(rope.ends):
            if target in owners:
                items.append((f"physics:body{k}", Row([Word(owners[target])], flow=True), -1))
            items.append((f"physics:localPos{k}", to_numbers(point), -1))
        for name, value in (("physics:maxDistance", rope.most), ("physics:minDistance", rope.least)):
            if value >= 0.0:
                items.append((name, Word(repr(value)), -1))
        if doc.exclude_from_articulation:
            items.append(("physics:excludeFromArticulation", Word("true"), -1))
        items += _scaled(_field(doc, "break_force"), rope.units.force)
        items += _scaled(_field(doc, "break_torque"), rope.units.torque)
        self.extras.add([("", _named(Node(PhysicsDistanceJoint.TAG, items), doc), -1)])
        _mark(doc)


@dataclass(frozen=True, slots=True)
class Rope:
    """A joint that limits a distance: the body of each end, "" for the world, and its point in the link.

    In meters; a negative distance is none. ``units`` are those of the stage.
    """

    place: Place
    ends: tuple[tuple[str, Vector3], tuple[str, Vector3]]
    least: float
    most: float
    units: Units


def _scaled(items: list[Item], factor: float) -> list[Item]:
    """Items of single numbers, multiplied."""
    return items if factor == 1.0 else [(key, _times(value, factor), at) for key, value, at in items]


def _times(value: Value, factor: float) -> Value:
    if factor == 1.0 or not isinstance(value, Word):
        return value
    return Word(repr(float(value.text) * factor))


def _drive_in_si(item: Item, units: Units, sign: float) -> Item:
    """A drive with gains and targets of SI units, those of angles in degrees; other schemas as they are."""
    node = item[1]
    if item[0] != "PhysicsDriveAPI" or not isinstance(node, Node):
        return item
    words = {key: value.text for key, value, _ in node.items if isinstance(value, Word)}
    is_turn = not words.get("instance", "").startswith(("linear", "trans"))
    gain = units.torque if is_turn else units.kilograms
    if words.get("physics:type") == "acceleration":
        gain = 1.0
    target = sign * (1.0 if is_turn else units.meters)
    factors = {
        "physics:stiffness": gain,
        "physics:damping": gain,
        "physics:targetPosition": target,
        "physics:targetVelocity": target,
    }
    items = [(key, _times(value, factors.get(key, 1.0)), at) for key, value, at in node.items]
    return (item[0], Node(node.tag, items, name=node.name), item[2])


def _named(node: Node, prim: Prim) -> Node:
    """A prim with its name among its items, since copies of nodes have none."""
    items = [item for item in node.items if item[0] != "displayName"]
    name = Word(prim.display_name or prim.def_name)
    return Node(node.tag, [("displayName", name, -1), *items], name=node.name)


def _referring(node: Node, owners: Mapping[str, str]) -> Node:
    """A prim whose relationships name links and joints of the model instead of the paths of their prims."""

    def step(value: Value) -> Value:
        if isinstance(value, Node):
            return _referring(value, owners)
        if isinstance(value, Row):
            return Row([step(each) for each in value.values], flow=value.flow)
        if isinstance(value, Word) and value.text.startswith("/"):
            return Word(owners.get(value.text, value.text))
        return value

    return Node(node.tag, [(key, step(value), at) for key, value, at in node.items], name=node.name)


def _without_gravity(node: Node) -> Node:
    """A scene without its gravity, which the model holds; other prims as they are."""
    if node.tag != PhysicsScene.TAG:
        return node
    fields = plan(PhysicsScene).fields
    held = {fields[name].key for name in ("gravity_direction", "gravity_magnitude")}
    return Node(node.tag, [item for item in node.items if item[0] not in held], name=node.name)


def _schemas(doc: Prim, names: Sequence[str]) -> list[Item]:
    """The schemas of some fields as written, which count as read."""
    node = doc.node
    if node is None:
        return []
    fields = plan(type(doc)).fields
    keys = {fields[name].key: name for name in names}
    out = []
    for item in node.items:
        if item[0] in keys:
            out.append(item)
            value = getattr(doc, keys[item[0]])
            for each in value if isinstance(value, list) else [value]:
                _mark(each)
    left = [_without_held(item, keys[item[0]], doc) for item in out]
    return [item for item in left if isinstance(item[1], Node) and item[1].items]


def _unheld(doc: Prim) -> list[str]:
    """The schemas of a joint but those of couplings that the model holds; these count as read."""
    held = set()
    mimic, equality = doc.newton_mimic, doc.mjc_equality_joint
    if mimic is not None and mimic.mimic_enabled:
        held.add("newton_mimic")
        _mark(mimic)
    if equality is not None and not {"coef2", "coef3", "coef4", "solimp", "solref"} & equality.given:
        held.add("mjc_equality_joint")
        _mark(equality)
    return [name for name in _JOINT if name not in held]


def _without_held(item: Item, name: str, doc: Prim) -> Item:
    """A schema without what the model holds of it."""
    node = item[1]
    if name not in _HELD or not isinstance(node, Node):
        return item
    value = getattr(doc, name)
    fields = plan(type(value[0] if isinstance(value, list) else value)).fields
    held = {fields[each].key for each in _HELD[name]}
    left = [each for each in node.items if each[0] not in held]
    if all(each[0] in _ALONE for each in left):
        left = []
    return (item[0], Node(node.tag, left, name=node.name), item[2])


def _field(doc: Prim, name: str) -> list[Item]:
    node = doc.node
    if node is None or name not in doc.given:
        return []
    key = plan(type(doc)).fields[name].key
    getattr(doc, name)
    return [item for item in node.items if item[0] == key]


def _rest(doc: Prim) -> list[Item]:
    """The undeclared items, which count as read."""
    items = [item for item in doc.rest if item[2] != READ]
    if items:
        doc.rest = [(key, value, READ) for key, value, _ in doc.rest]
    custom = doc.custom_data
    if custom is not None and doc.node is not None and custom.rest:
        left = [item for item in custom.rest if item[2] != READ]
        items += [("customData", Node("customData", left), -1)] if left else []
        custom.rest = [(key, value, READ) for key, value, _ in custom.rest]
    return items


def _mark(doc: Document | None) -> None:
    """Mark all of an element as read."""
    if doc is None:
        return
    for name in plan(type(doc)).fields:
        getattr(doc, name)
    if doc.rest:
        doc.rest = [(key, value, READ) for key, value, _ in doc.rest]
