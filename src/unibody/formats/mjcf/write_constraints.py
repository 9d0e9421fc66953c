"""Writes loops, couplings and equal limits as equalities, and pairs of links as excludes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from unibody.document.declare import Document
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf.carriers import ends, reach
from unibody.formats.mjcf.constraints import POLYNOMIAL, merged
from unibody.formats.mjcf.conventions import normalized
from unibody.formats.mjcf.geoms import ALONE
from unibody.formats.mjcf.kept_elements import Kept, bound
from unibody.formats.mjcf.write_geoms import COLLISION, VISUAL
from unibody.formats.mjcf.write_tree import BodyTree, PlannedBody
from unibody.model.base import WORLD
from unibody.model.collision import PairRules
from unibody.model.equality import close, same_rotation
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, ZERO, Pose
from unibody.model.robot import BALL, FIXED, HINGE, Coupling, Loop, Robot
from unibody.text.node import Node

#: How stiff loops and couplings are: a time constant of 2 ms without overshoot, as hard as MuJoCo allows.
#: MuJoCo itself makes the time constant at least two time steps.
SOLREF, SOLIMP = (0.002, 1.0), (0.9999, 0.9999, 0.001)

_CLASSES: dict[str, type[c.EqualityValues]] = {
    cls.KEY: cls
    for cls in (c.Connect, c.Weld, c.JointEquality, c.TendonEquality, c.FlexEquality, c.FlexStrain)
}


class Equalities:
    """The equality constraints of a robot: the kept ones that still hold, in their order, then new ones."""

    def __init__(self, tree: BodyTree, kept: Kept) -> None:
        self.tree, self.robot = tree, tree.robot
        found = [(node.tag, node) for node in kept.section("equality")]
        self._docs = [bound(_CLASSES[tag], node) for tag, node in found if tag in _CLASSES]
        self._bodies = {body.name: body for body in tree}
        self._sites = {
            frame.name: (tree.by_link[frame.link], tree.by_link[frame.link].in_body(frame.pose))
            for frame in tree.robot.frames
            if frame.link in tree.by_link
        }
        self._world: dict[int, Pose] = {}
        for body in tree:
            above = IDENTITY if body.parent is None else self._world[id(body.parent)]
            self._world[id(body)] = above @ body.pose

    def kept_loops(self) -> dict[str, list[c.EqualityValues]]:
        """The kept elements of each loop of the robot that they still say."""
        out: dict[str, list[c.EqualityValues]] = {}
        wanted = {loop.name: loop for loop in self.robot.loops}
        for said, elements in self._said():
            loop = wanted.get(said.name)
            if loop is None and not getattr(elements[0], "name", None):
                # the loop of an unnamed element may have been renamed
                loop = next((x for x in self.robot.loops if x.name not in out and _is_same(said, x)), None)
            if loop is not None and _is_same(said, loop):
                out[loop.name] = elements
        return out

    def elements(self) -> list[c.EqualityValues]:
        """The elements in the order of the file."""
        out: list[c.EqualityValues] = []
        loops = self.kept_loops()
        of_loop = {id(doc): name for name, docs in loops.items() for doc in docs}
        ended = {id(doc) for _, docs in self._said() for doc in docs if id(doc) not in of_loop}
        couplings = {coupling.joint: coupling for coupling in self.robot.couplings}
        locked = {
            joint.name: joint.limits.position[0]
            for joint in self.robot.joints
            if joint.is_locked and KINDS[joint.kind].nq == 1 and joint.name not in couplings
        }
        done: set[str] = set()
        coupled: set[str] = set()
        held: set[str] = set()
        for doc in self._docs:
            if id(doc) in ended:
                continue  # its loop is gone, or holds something else now
            if id(doc) in of_loop:
                out.append(doc)
                done.add(of_loop[id(doc)])
            elif isinstance(doc, c.JointEquality) and doc.joint1 in held:
                out.append(doc)
            elif isinstance(doc, c.JointEquality) and (said := self._coupling(doc, coupled)) is not None:
                coupled.add(said.joint)
                wanted = couplings.get(said.joint)
                if wanted is not None:
                    out.append(_with_coupling(doc, said, wanted))
            elif isinstance(doc, c.JointEquality) and (at := self._lock(doc)) is not None:
                assert doc.joint1 is not None
                held.add(doc.joint1)
                value = locked.pop(doc.joint1, None)
                if value is not None:
                    out.append(doc if close(at, value) else lock_element(doc.joint1, value, doc))
                # else the joint is not held any more
            else:
                out.append(doc)
        names: set[str | None] = {getattr(doc, "name", None) for doc in out}
        for loop in self.robot.loops:
            if loop.name not in done:
                out += loop_elements(self.robot, loop, names)
        kinds = {joint.name: joint.kind for joint in self.robot.joints}
        for coupling in self.robot.couplings:
            if coupling.joint not in coupled and KINDS[kinds[coupling.joint]].nq == 1:
                out.append(coupling_element(coupling, KINDS[kinds[coupling.leader]].nq == 1))
        return out + [lock_element(joint, value) for joint, value in locked.items()]

    def _said(self) -> list[tuple[Loop, list[c.EqualityValues]]]:
        """The loops that the reader makes of the kept elements, each with its elements."""
        found: list[tuple[Loop, list[c.EqualityValues]]] = []
        for doc in self._docs:
            if isinstance(doc, c.Connect | c.Weld) and doc.active and (loop := self._loop(doc)) is not None:
                found.append((loop, [doc]))
        loops = merged([loop for loop, _ in found])
        taken = {loop.name for loop, _ in loops if loop.name}
        out: list[tuple[Loop, list[c.EqualityValues]]] = []
        place = number = 0
        for loop, count in loops:
            docs = [doc for _, inner in found[place : place + count] for doc in inner]
            place += count
            if not loop.name:
                number += 1
                while f"loop_{number}" in taken:
                    number += 1
            named = loop if loop.name else replace(loop, name=f"loop_{number}")
            out.append((named, docs))
        return out

    def _loop(self, doc: c.Connect | c.Weld) -> Loop | None:
        """The loop of a kept element; None if it joins something else than two links."""
        holds = BALL if isinstance(doc, c.Connect) else FIXED
        if doc.site1 or doc.site2:
            first, second = self._sites.get(doc.site1 or ""), self._sites.get(doc.site2 or "")
            if first is None or second is None:
                return None
            (a, pose_a), (b, pose_b) = first, second
        else:
            one, other = self._bodies.get(doc.body1 or ""), self._bodies.get(doc.body2 or WORLD)
            if one is None or other is None or one is other:
                return None
            a, b = one, other
            relative = self._world[id(b)].inverse() @ self._world[id(a)]
            anchor = Pose(_triple(doc.anchor))
            if isinstance(doc, c.Connect):
                pose_a, pose_b = anchor, relative @ anchor
            else:
                pose_a, pose_b = relative.inverse() @ anchor, anchor
                if doc.relpose is not None and (quat := normalized(doc.relpose[3:])) is not None:
                    pose_a = Pose(_triple(doc.relpose[:3]), quat)
        if a.link is None or b.link is None:
            return None
        return Loop(
            name=doc.name or "",
            link_a=a.link.name,
            link_b=b.link.name,
            pose_a=_in_link(a, pose_a),
            pose_b=_in_link(b, pose_b),
            holds=holds,
        )

    def _coupling(self, doc: c.JointEquality, coupled: set[str]) -> Coupling | None:
        """The coupling that the reader makes of a kept element, if it does."""
        given = doc.polycoef or ()
        factors = (*given, *POLYNOMIAL[len(given) :])
        if not doc.active or not doc.joint2 or any(factors[2:]) or doc.joint1 in coupled:
            return None
        assert doc.joint1 is not None
        said = Coupling(joint=doc.joint1, leader=doc.joint2, ratio=factors[1], offset=factors[0])
        known = {x.joint for x in self.robot.couplings}
        # an equality that closes a circle of couplings is none
        return said if said.joint in known or not self._closes(said) else None

    def _lock(self, doc: c.JointEquality) -> float | None:
        """Where a kept element holds a joint that follows no other one, if it does."""
        follows = any(coupling.joint == doc.joint1 for coupling in self.robot.couplings)
        if doc.joint2 or not doc.active or not doc.joint1 or follows:
            return None
        return doc.polycoef[0] if doc.polycoef else POLYNOMIAL[0]

    def _closes(self, said: Coupling) -> bool:
        leaders = {x.joint: x.leader for x in self.robot.couplings}
        name, seen = said.leader, {said.joint}
        while name in leaders and name not in seen:
            seen.add(name)
            name = leaders[name]
        return name in seen


def loop_elements(robot: Robot, loop: Loop, names: set[str | None]) -> list[c.EqualityValues]:
    """A ball, a hinge or a fixed loop, whose ends are sites."""
    if loop.holds not in (BALL, HINGE, FIXED):
        return []
    sites = [_site(robot, link, pose) for _, link, pose in ends(loop, reach(robot, loop))]
    out: list[c.EqualityValues] = []
    cls = c.Weld if loop.holds == FIXED else c.Connect
    for k in range(0, len(sites), 2):
        name = loop.name if not k else f"{loop.name}_2"
        while name in names:
            name += "_"
        names.add(name)
        out.append(cls(name=name, site1=sites[k], site2=sites[k + 1], solref=SOLREF, solimp=SOLIMP))
    return out


def _site(robot: Robot, link: str, pose: Pose) -> str:
    """The name of the frame at a place; ``carriers.held`` has made one."""
    return next(frame.name for frame in robot.frames if frame.link == link and frame.pose == pose)


def coupling_element(coupling: Coupling, leads: bool = True) -> c.JointEquality:
    """A coupling; both coordinates of MuJoCo are relative to their ``ref`` here, as those of the model.

    A fixed leader does not lead: it is the constant 0.
    """
    return c.JointEquality(
        joint1=coupling.joint,
        joint2=coupling.leader if leads else None,
        polycoef=(coupling.offset, coupling.ratio, 0.0, 0.0, 0.0),
        solref=SOLREF,
        solimp=SOLIMP,
    )


def lock_element(joint: str, value: float, kept: c.JointEquality | None = None) -> c.JointEquality:
    """What holds a joint at a value: MuJoCo takes a range without extent as no limit."""
    out = c.JointEquality(joint1=joint, solref=SOLREF, solimp=SOLIMP) if kept is None else kept
    out.polycoef = (value, 0.0, 0.0, 0.0, 0.0)
    return out


def _with_coupling(doc: c.JointEquality, said: Coupling, wanted: Coupling) -> c.JointEquality:
    """A kept element with the numbers of the coupling."""
    if wanted.leader != said.leader:
        doc.joint2 = wanted.leader
    if not (close(said.ratio, wanted.ratio) and close(said.offset, wanted.offset)):
        doc.polycoef = (wanted.offset, wanted.ratio, 0.0, 0.0, 0.0)
    return doc


def _in_link(body: PlannedBody, pose: Pose) -> Pose:
    return pose if body.link_pose == IDENTITY else body.link_pose.inverse() @ pose


def _triple(values: Sequence[float] | None) -> tuple[float, float, float]:
    if not values:
        return ZERO
    x, y, z = values
    return (x, y, z)


def _is_same(said: Loop, loop: Loop) -> bool:
    """Whether two loops hold the same; the axis matters for a hinge only."""
    if (said.link_a, said.link_b, said.holds) != (loop.link_a, loop.link_b, loop.holds):
        return False
    if loop.holds == HINGE and not all(map(close, said.axis, loop.axis)):
        return False
    return _is_near(said.pose_a, loop.pose_a) and _is_near(said.pose_b, loop.pose_b)


def _is_near(a: Pose, b: Pose) -> bool:
    return all(map(close, a.xyz, b.xyz)) and same_rotation(a.quat, b.quat)


#: The bits (contype, conaffinity) of shapes of which no two collide; they do with a floor of another file.
APART = (1, 0)
# Largest number of excludes that are written.
_MOST = 20_000

Bits = Mapping[str, tuple[int, int]]


def collides_with_itself(robot: Robot) -> bool:
    """Whether any two links of a robot are tested for collision."""
    rules = robot.self_collision
    return rules.default != "none" or bool(rules.enabled)


def contact_elements(tree: BodyTree, kept: Kept, bits: Bits) -> list[Document]:
    """The kept pairs and excludes that still hold, in their order, then excludes of other untested pairs.

    ``bits`` are the contact bits (contype, conaffinity) of the geoms of each body, or-ed together, by name.
    """
    untested = {} if _is_off(kept) else _untested(tree, bits)
    links = {body.name: body.link.name for body in tree if body.link is not None}
    out: list[Document] = []
    done: set[frozenset[str]] = set()
    rules = tree.robot.self_collision
    disabled = {frozenset(pair) for pair in rules.disabled}
    if any(node.tag == "pair" for node in kept.section("contact")):
        # a pair of geoms is tested beside an exclude of their bodies, which holds for their other geoms
        disabled |= {frozenset(pair) for pair in rules.enabled}
    for node in kept.section("contact"):
        if node.tag == "pair":
            out.append(bound(c.Pair, node))
        elif node.tag == "exclude":
            doc = bound(c.Exclude, node)
            first, second = links.get(doc.body1 or ""), links.get(doc.body2 or "")
            pair = frozenset(name for name in (first, second) if name)
            # one with the world, or of a body with itself, says nothing about two links
            if len(pair) < 2 or pair in untested or pair in disabled:
                out.append(doc)
                done.add(pair)
    for key, (one, other) in untested.items():
        if key not in done:
            out.append(c.Exclude(body1=tree.name_of(one), body2=tree.name_of(other)))
    return out


def _is_off(kept: Kept) -> bool:
    """Whether the kept options switch off all contacts."""
    flags = [node for node in kept.section("option") if node.tag == "flag"]
    return any("disable" in (node.word("contact"), node.word("constraint")) for node in flags)


def leave_alone(items: Iterable[Document]) -> None:
    """Let the geoms of a link that takes part in no collision collide with nothing."""
    for geom in items:
        if isinstance(geom, b.Geom) and geom.class_ != VISUAL and (geom.contype or geom.conaffinity):
            geom.contype, geom.conaffinity = ALONE
            geom.given = {*geom.given, "contype", "conaffinity"}


def bits_of(items: Iterable[Document], own: tuple[int, int]) -> tuple[int, int]:
    """The contact bits of geoms, or-ed together; ``own`` are those of the class of collision shapes."""
    contype = conaffinity = 0
    for geom in items:
        if not isinstance(geom, b.Geom) or geom.class_ == VISUAL:
            continue
        is_own = geom.class_ == COLLISION and (geom.contype, geom.conaffinity) != ALONE
        first, second = own if is_own else (geom.contype, geom.conaffinity)
        contype, conaffinity = contype | first, conaffinity | second
    return contype, conaffinity


def _untested(tree: BodyTree, bits: Bits) -> dict[frozenset[str], tuple[str, str]]:
    """The pairs that MuJoCo would test by the bits of their geoms and the tree, and the robot does not."""
    rules = PairRules(tree.robot)
    group, above = _welded(tree)
    solid = [body for body in tree if body.link is not None and any(bits.get(body.name, (0, 0)))]
    out: dict[frozenset[str], tuple[str, str]] = {}
    if rules.default == "not_adjacent" and not rules.disabled and len(solid) > 400:
        return out
    for first, second in combinations(solid, 2):
        assert first.link is not None
        assert second.link is not None
        (type_a, affinity_a), (type_b, affinity_b) = bits[first.name], bits[second.name]
        if not (type_a & affinity_b or type_b & affinity_a):
            continue
        g, h = group[id(first)], group[id(second)]
        world = id(tree.world)
        if g == h or (world not in (g, h) and (above.get(g) == h or above.get(h) == g)):
            continue
        names = (first.link.name, second.link.name)
        if not rules.are_tested(*names) and len(out) < _MOST:
            out[frozenset(names)] = names
    return out


def _welded(tree: BodyTree) -> tuple[dict[int, int], dict[int, int]]:
    """For each body the first one that no joint separates from it, and the one above each of these."""
    group: dict[int, int] = {}
    above: dict[int, int] = {}
    for body in tree:
        if body.parent is None or not body.moves:
            group[id(body)] = id(body) if body.parent is None else group[id(body.parent)]
        else:
            group[id(body)] = id(body)
            above[id(body)] = group[id(body.parent)]
    return group, above


def untested(robot: Robot, a: str, b: str) -> str:
    """What excludes a pair of links, and why MuJoCo tests it if a joint connects them."""
    if pair := _pair(robot, a, b):
        return f"remove {pair} from <contact>: MuJoCo tests it whatever the file excludes"
    element = f'add <exclude body1="{a}" body2="{b}"/> to <contact>'
    still = _fixed(robot, a, b)
    if not still:
        return element
    reason = "" if still == WORLD else f", as '{still}' is without a <freejoint/>"
    return f"{element}: MuJoCo tests what a joint connects to a body that is fixed to the world{reason}"


def _pair(robot: Robot, a: str, b: str) -> str:
    """The first <pair> of geoms of two links; "" without one."""
    owners = {shape.name: link.name for link in robot.solids for shape in link.collisions if shape.name}
    sections = [
        value
        for extra in robot.extras
        if extra.format == "mjcf" and not extra.owner
        for key, value, _ in extra.node.items
        if key == "contact" and isinstance(value, Node)
    ]
    for section in sections:
        for key, value, _ in section.items:
            if key != "pair" or not isinstance(value, Node):
                continue
            geoms = [value.word(name) or "" for name in ("geom1", "geom2")]
            if {owners.get(geom) for geom in geoms} == {a, b}:
                return f'<pair geom1="{geoms[0]}" geom2="{geoms[1]}"/>'
    return ""


def _fixed(robot: Robot, a: str, b: str) -> str:
    """The one of two adjacent links that is fixed to the world; "" if there is none."""
    rules = PairRules(robot)
    if robot.base != "fixed" or not rules.are_adjacent(a, b):
        return ""
    carried = {joint.child for joint in robot.joints}
    ground = {rules.body(link.name) for link in robot.links if link.name not in carried}
    return next((name for name in (a, b) if rules.body(name) in ground), "")
