"""Writes the SRDF of a robot: groups, postures and pairs of links, and what was kept of SRDF files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.formats.extras import keep, leftovers
from unibody.formats.format import Completion, Writer
from unibody.formats.srdf import document as d
from unibody.formats.srdf.cannot import CANNOT
from unibody.formats.srdf.implied import RANKS, virtual_joint
from unibody.formats.srdf.names import key_of
from unibody.formats.srdf.write_groups import Saying, flat_groups, whole_group
from unibody.formats.srdf.write_kept import is_of_root, pair_items, with_base_of, with_rotors_of
from unibody.model.base import implied_base
from unibody.model.changes.joints import split_joints
from unibody.model.changes.surroundings import with_root
from unibody.model.collision import explicit
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY
from unibody.model.robot import Configuration, Joint, Robot, SelfCollision
from unibody.model.traverse import part
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml

#: The kinds of joints that URDF has.
URDF_KINDS: tuple[JointKind, ...] = ("fixed", "revolute", "prismatic", "free", "planar")


def says(robot: Robot) -> bool:
    """Whether a robot has anything that its URDF does not say and an SRDF does."""
    rules = robot.self_collision
    kept = any(extra.format == "srdf" for extra in robot.extras) or any(j.passive for j in robot.joints)
    return bool(robot.groups or robot.configurations or rules.enabled or rules.disabled or kept)


def about(robot: Robot) -> Robot:
    """The part of a robot that its SRDF is about, with the joints of its URDF."""
    split = split_joints(explicit(with_root(robot)), URDF_KINDS)
    links = (replace(x, inertial=None, visuals=(), collisions=(), collisions_alt=()) for x in split.links)
    return replace(
        split,
        links=tuple(links),
        loops=(),
        coordinates=(),
        couplings=(),
        devices=(),
        frames=(),
        pose=IDENTITY,
        extras=tuple(x for x in robot.extras if x.format == "srdf"),
    )


def without(robot: Robot) -> Robot:
    """A robot without what its SRDF says."""
    children = {joint.child for joint in robot.joints}
    root = next((link.name for link in robot.links if link.name not in children), "")
    return replace(
        robot,
        joints=tuple(replace(_without_rotor(joint), passive=False) for joint in robot.joints),
        groups=(),
        configurations=(),
        self_collision=SelfCollision(),
        base=implied_base(root),
        extras=(),
    )


def _without_rotor(joint: Joint) -> Joint:
    if joint.actuator.rotor_inertia is None or joint.actuator.axis_inertia is not None:
        return joint
    return replace(joint, actuator=replace(joint.actuator, rotor_inertia=None))


def from_robot(robot: Robot) -> d.Robot:
    """The SRDF document of a robot; names that SRDF cannot hold, and what has them, are left out."""
    robot = explicit(robot)
    extras = leftovers(robot, "srdf", _print_item)
    saying = Saying(robot)
    groups = flat_groups(robot, saying)
    states = [c for c in robot.configurations if saying.name(c.name)]
    if any(c.group is None for c in states):
        groups.append(whole_group(robot, saying, {g.name or "" for g in groups}))
    known = {g.name for g in groups}
    chosen = [(c, groups[-1].name if c.group is None else c.group) for c in states]
    documents: list[d.Group | d.GroupState | d.VirtualJoint | d.PassiveJoint] = [*groups]
    documents += [_state(c, group, saying) for c, group in chosen if group in known]
    for doc in documents:
        kind = "groups" if isinstance(doc, d.Group) else "configurations"
        keep(doc, extras.pop(f"{kind}/{part(doc.name)}", []))
    own = with_rotors_of(robot, with_base_of(robot, extras.get("", [])))
    if not any(is_of_root(robot, item) for item in own):
        documents += [x for x in (virtual_joint(robot),) if x is not None]
    stated = {
        item[1].word("name") for item in own if item[0] == d.PassiveJoint.KEY and isinstance(item[1], Node)
    }
    passive = (j.name for j in robot.joints if j.passive and saying.name(j.name) and j.name not in stated)
    documents += [d.PassiveJoint(name=name) for name in passive]
    out = d.Robot(name=robot.name or None, items=documents)
    out.rest = [*_elements(pair_items(robot, own, saying))]
    return out


def _elements(items: Iterable[Item | Document]) -> Iterator[Item]:
    """Kept items as they are, and those of new documents."""
    for item in items:
        if isinstance(item, Document):
            yield key_of(item), unbind(item, key_of(item)), -1
        else:
            yield item


def _state(configuration: Configuration, group: str | None, saying: Saying) -> d.GroupState:
    joints = []
    for name, value in configuration.by_joint.items():
        values = value if isinstance(value, tuple) else (value,)
        joint = saying.joints.get(name)
        if joint is not None and all(map(math.isfinite, values)):
            joints.append(d.JointValue(name=name, value=_in_srdf_order(values, joint)))
    return d.GroupState(name=configuration.name, group=group, joints=joints)


def _in_srdf_order(values: tuple[float, ...], joint: Joint) -> tuple[float, ...]:
    """The numbers of a joint; the model writes the w of a floating joint's quaternion first, SRDF last."""
    if joint.kind == "free" and len(values) == KINDS["free"].nq:
        return (*values[:3], *values[4:], values[3])
    return values


def arrange(node: Node) -> None:
    """Sort the elements as MoveIt's setup assistant does."""
    node.items.sort(key=lambda item: -1 if isinstance(item[1], Word) else RANKS.get(item[0], len(RANKS)))


def _print_item(item: Item) -> str:
    """Print an extra; ValueError if XML cannot represent it."""
    return print_xml(Node("robot", [item]))


def _carry(doc: Document, lines: list[str]) -> None:
    """SRDF has no side-car: that of the URDF holds what neither can say."""


WRITER = Writer(
    changes=lambda robot: robot,
    from_robot=from_robot,
    carry=_carry,
    cannot=CANNOT,
    holds=lambda shape: True,
    meshes=(),
    tag="robot",
    arrange=arrange,
    completion=Completion(
        subject="groups, states, end effectors and pairs of links",
        says=says,
        about=about,
        without=without,
    ),
)
