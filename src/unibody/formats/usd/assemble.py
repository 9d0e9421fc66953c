"""Makes robots of bodies and joints: one tree each, what is left closes loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from unibody.formats.jointed import HOLDS, offset
from unibody.formats.names import Names
from unibody.formats.usd.joints import Freedom, JointRecord, turned
from unibody.formats.usd.places import Place
from unibody.model.joint_kind import JointKind
from unibody.model.pose import IDENTITY, ZERO, Pose, Vector3, rotate
from unibody.model.robot import BALL, Holds, Joint, Link, Loop
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings


@dataclass(slots=True, eq=False)
class Body:
    """A rigid body that becomes a link, whose frame is at ``move`` in the body: at the joint above."""

    place: Place
    name: str
    move: Pose = IDENTITY
    above: Edge | None = None

    @property
    def pose(self) -> Pose:
        """The pose of the link in the world."""
        return self.place.pose @ self.move

    @property
    def moved(self) -> Pose:
        """The frame of the body in the link."""
        return self.move.inverse()


@dataclass(slots=True, eq=False)
class Edge:
    """A joint of the tree, from its parent (None for the world) to its child; several if they are chained.

    ``forward``: the parent is side 0.
    """

    records: list[JointRecord]
    parent: Body | None
    child: Body
    forward: bool

    def end(self, record: JointRecord) -> Pose:
        """The frame of one of its joints in the child."""
        return record.sides[1 if record.bodies[1] is self.child.place else 0].frame

    @property
    def last_turn(self) -> Vector3:
        """The point in the child about which the last of its joints turns; the origin if none does."""
        turns = [r for r in self.records if any(each.is_turn for each in r.freedoms)]
        return self.end(turns[-1]).xyz if turns else ZERO


@dataclass(slots=True, eq=False)
class Assembly:
    """What becomes one robot: its bodies, the joints of its tree, and those that close loops."""

    bodies: list[Body]
    root: Body
    edges: list[Edge] = field(default_factory=list)
    loops: list[JointRecord] = field(default_factory=list)
    is_fixed: bool = False
    in_world: bool = False
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    #: The joints of the robot that are made of one of the stage, by its path, with the sign of each.
    made: dict[str, list[tuple[str, float]]] = field(default_factory=dict)

    @property
    def stands(self) -> bool:
        """Whether the root is held in the origin of the world."""
        return self.is_fixed and self.root.above is None and self.root.place.pose == IDENTITY


def assemblies(
    bodies: Sequence[Body], records: Sequence[JointRecord], adds_mobility: bool, findings: Findings
) -> list[Assembly]:
    """The bodies that joints connect, as trees, in the order of the stage."""
    return _Assembling(bodies, records, adds_mobility, findings).run()


class _Assembling:
    def __init__(
        self,
        bodies: Sequence[Body],
        records: Sequence[JointRecord],
        adds_mobility: bool,
        findings: Findings,
    ) -> None:
        self.bodies, self.records, self.findings = bodies, records, findings
        self.by_place = {id(body.place): body for body in bodies}
        self.adds_mobility = adds_mobility
        self.group: dict[int, int] = {}

    def _top(self, key: int) -> int:
        while key in self.group:
            self.group[key] = self.group.get(self.group[key], self.group[key])
            key = self.group[key]
        return key

    def run(self) -> list[Assembly]:
        """The trees."""
        # which joints hold the trees together: all but those that close rings
        tree: dict[tuple[int, int], list[JointRecord]] = {}
        loops: list[JointRecord] = []
        held: set[int] = set()
        to_world: dict[int, list[JointRecord]] = {}
        for record in self.records:
            a, b = record.bodies
            if record.excluded:
                loops.append(record)
                continue
            if a is None or b is None:
                to_world.setdefault(id(a or b), []).append(record)
                continue
            pair = (min(id(a), id(b)), max(id(a), id(b)))
            if pair in tree and self.adds_mobility:
                tree[pair].append(record)
                continue
            if self._top(id(a)) == self._top(id(b)):
                loops.append(record)
                self._report(record)
                continue
            self.group[self._top(id(b))] = self._top(id(a))
            tree[pair] = [record]
        groups: dict[int, list[Body]] = {}
        for body in self.bodies:
            groups.setdefault(self._top(id(body.place)), []).append(body)
        out = []
        for members in groups.values():
            mine = {id(body.place) for body in members}
            inner = [records for pair, records in tree.items() if pair[0] in mine]
            outer = [record for body in members for record in to_world.get(id(body.place), ())]
            # a joint that holds comes before one that moves
            outer.sort(key=lambda r: r.kind != "chain" or bool(r.freedoms))
            assembly = self._assembly(members, inner, outer)
            tied = {id(r) for edge in assembly.edges[:1] for r in edge.records} | {id(r) for r in outer[:1]}
            assembly.loops = [
                r for r in loops if any(body is not None and id(body) in mine for body in r.bodies)
            ] + [r for r in outer if id(r) not in tied]
            held |= mine
            if any(body is None for record in assembly.loops for body in record.bodies):
                assembly.in_world = True
            out.append(assembly)
        self._join(out)
        return out

    def _join(self, found: list[Assembly]) -> None:
        """Loops between trees belong to the first of them that has one of their bodies."""
        seen: set[int] = set()
        for assembly in found:
            assembly.loops = [r for r in assembly.loops if id(r) not in seen]
            seen.update(id(r) for r in assembly.loops)

    def _assembly(
        self, members: list[Body], inner: list[list[JointRecord]], outer: list[JointRecord]
    ) -> Assembly:
        """One tree: its root, and its joints away from the root."""
        root = self._root(members, inner)
        assembly = Assembly(members, root)
        if outer:
            first = outer[0]
            a, b = first.bodies
            root = assembly.root = self.by_place[id(a or b)]
            assembly.is_fixed = True
            assembly.in_world = first.kind != "chain" or bool(first.freedoms)
            if assembly.in_world:
                alike = [r for r in outer if r.bodies == first.bodies] if self.adds_mobility else [first]
                root.above = Edge(alike, None, root, forward=a is None)
                assembly.edges.append(root.above)
        elif not root.place.prim.rigid_body or not _moves(root.place):
            assembly.is_fixed = True
        near: dict[int, list[list[JointRecord]]] = {}
        for records in inner:
            for place in records[0].bodies:
                near.setdefault(id(place), []).append(records)
        todo, seen = [root], {id(root.place)}
        while todo:
            body = todo.pop(0)
            for records in near.get(id(body.place), ()):
                a, b = records[0].bodies
                other = b if a is body.place else a
                if other is None or id(other) in seen:
                    continue
                seen.add(id(other))
                child = self.by_place[id(other)]
                edge = Edge(records, body, child, forward=a is body.place)
                child.above = edge
                assembly.edges.append(edge)
                todo.append(child)
        order = {id(records[0]): k for k, records in enumerate(inner)}
        assembly.edges.sort(key=lambda edge: order.get(id(edge.records[0]), -1))
        return assembly

    def _root(self, members: list[Body], inner: list[list[JointRecord]]) -> Body:
        """The link from which the others hang: the articulation root, else one that is no body1."""
        for body in members:
            if body.place.prim.articulation is not None:
                return body
        second = {id(r.bodies[1]) for records in inner for r in records[:1]}
        root = next((body for body in members if id(body.place) not in second), members[0])
        if len(members) > 1:
            self.findings.info(
                "root-chosen",
                f"no body of the robot has PhysicsArticulationRootAPI, and no joint holds it to the world: "
                f"<{root.place.path}> is the root link",
                root.place.prim.at(),
                "apply PhysicsArticulationRootAPI to the root link",
            )
        return root

    def _report(self, record: JointRecord) -> None:
        self.findings.warning(
            "loop-broken",
            f"joint <{record.place.path}> closes a ring of joints, but has no "
            "physics:excludeFromArticulation; it closes a loop",
            record.doc.at(),
            "set physics:excludeFromArticulation on the joint at which the ring is to be open",
        )


def _moves(place: Place) -> bool:
    body = place.prim.rigid_body
    return body is not None and body.rigid_body_enabled and not body.kinematic_enabled


# --- joints of the model -------------------------------------------------------------------


def name_joints(assembly: Assembly, names: Names) -> None:
    """Name the joints of a tree in the order of the stage."""
    for record in (*(r for edge in assembly.edges for r in edge.records), *assembly.loops):
        record.name = names.take(record.doc.display_name or record.doc.def_name)


def move_links(assembly: Assembly) -> None:
    """Move the frames of links to the joints that turn them."""
    for edge in assembly.edges:
        record = edge.records[0]
        frame = record.sides[1 if edge.forward else 0].frame
        kind, axis = _kind(record, edge.forward)
        whole = kind is not None and len(edge.records) == 1
        point = offset(kind, frame, axis) if whole and kind is not None else edge.last_turn
        if point != ZERO:
            edge.child.move = Pose(point)


def _kind(record: JointRecord, forward: bool) -> tuple[JointKind | None, Vector3]:
    """The kind of a joint, and its first axis in its frame; None if it takes several."""
    if record.kind == "free":
        return "free", (0.0, 0.0, 1.0)
    if record.kind == "ball":
        return "ball", (0.0, 0.0, 1.0)
    free = record.freedoms
    if not free:
        return "fixed", (0.0, 0.0, 1.0)
    if len(free) == 1:
        return ("revolute" if free[0].is_turn else "prismatic"), free[0].axis
    if len(free) == 2 and all(each.is_turn for each in free) and _alike(free):
        return "universal", free[0 if forward else 1].axis
    return None, free[0].axis


def _alike(free: list[Freedom]) -> bool:
    """Whether two motions have equal values, as the two of a universal joint have."""
    a, b = free
    return (a.limits, a.dynamics, a.actuator) == (b.limits, b.dynamics, b.actuator) and (
        a.position == b.position == 0.0
    )


def make_joints(assembly: Assembly, world: str, names: Names, links: Names) -> None:
    """The joints of the model, and the links without mass between joints that are chained."""
    for edge in assembly.edges:
        _Edge(assembly, edge, world, names, links).make()


class _Edge:
    """Makes the joints of an edge."""

    def __init__(self, assembly: Assembly, edge: Edge, world: str, names: Names, links: Names) -> None:
        self.assembly, self.edge, self.world, self.names, self.links = assembly, edge, world, names, links
        self.sign = 1.0 if edge.forward else -1.0
        # the child link in its body
        self.child = edge.child.move

    def make(self) -> None:
        edge = self.edge
        above = self.world if edge.parent is None else edge.parent.name
        before = IDENTITY if edge.parent is None else edge.parent.moved
        first = edge.records[0]
        start, end = first.sides if edge.forward else first.sides[::-1]
        frame = self.child.inverse() @ end.frame
        # a frame that both have turns nothing, without rounding
        between = IDENTITY if start.frame == frame else start.frame @ frame.inverse()
        origin = before @ between
        steps = [(record, each) for record in edge.records for each in _steps(record, edge.forward)]
        if (len(edge.records) == 1 and len(steps) <= 1) or _kind(first, edge.forward)[0] == "universal":
            self._single(first, above, origin, frame)
            return
        # links without mass between the motions, each where its joint turns, with the axes of the child
        place: Vector3 | None = None
        for k, (record, each) in enumerate(steps):
            last = k == len(steps) - 1
            name = (
                record.name
                if len(_steps(record, edge.forward)) == 1
                else self.names.take(f"{record.name}_{each.name}")
            )
            below = edge.child.name if last else self.links.take(f"{edge.child.name}_{name}")
            inner = self.child.inverse() @ edge.end(record)
            if not last:
                self.assembly.links.append(Link(name=below, at=record.doc.at()))
            here = ZERO if last else inner.xyz if each.is_turn else place or ZERO
            at = origin @ Pose(here) if place is None else Pose(_minus(here, place))
            self._add(record, each, name, above, below, at, inner)
            above, place = below, here

    def _single(self, record: JointRecord, above: str, origin: Pose, frame: Pose) -> None:
        kind, _ = _kind(record, self.edge.forward)
        child = self.edge.child.name
        if kind == "universal":
            first, second = record.freedoms if self.edge.forward else record.freedoms[::-1]
            made = Joint(
                name=record.name,
                kind="universal",
                parent=above,
                child=child,
                origin=origin,
                axis=rotate(frame.quat, first.axis),
                axis2=rotate(frame.quat, second.axis),
                limits=first.limits if self.edge.forward else turned(first.limits),
                dynamics=first.dynamics,
                actuator=first.actuator,
                at=record.doc.at(),
            )
            self.assembly.joints.append(made)
            self._note(record, record.name)
        elif record.freedoms:
            self._add(record, record.freedoms[0], record.name, above, child, origin, frame)
        else:
            assert kind is not None
            plain = Joint(name=record.name, kind=kind, parent=above, child=child, origin=origin)
            self.assembly.joints.append(replace(plain, at=record.doc.at()))
            self._note(record, record.name)

    def _add(
        self,
        record: JointRecord,
        each: Freedom,
        name: str,
        above: str,
        below: str,
        origin: Pose,
        frame: Pose,
    ) -> None:
        forward = self.edge.forward
        dynamics = each.dynamics
        if not forward and dynamics.rest:
            dynamics = replace(dynamics, rest=-dynamics.rest)
        self.assembly.joints.append(
            Joint(
                name=name,
                kind="revolute" if each.is_turn else "prismatic",
                parent=above,
                child=below,
                origin=origin,
                axis=_clean(rotate(frame.quat, each.axis)),
                limits=each.limits if forward else turned(each.limits),
                dynamics=dynamics,
                actuator=each.actuator,
                initial=each.position * self.sign if each.position else 0.0,
                at=record.doc.at(),
            )
        )
        self._note(record, name)

    def _note(self, record: JointRecord, name: str) -> None:
        self.assembly.made.setdefault(record.place.path, []).append((name, self.sign))


def _minus(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _steps(record: JointRecord, forward: bool) -> list[Freedom]:
    """The motions of a joint from the parent to the child."""
    return record.freedoms if forward else record.freedoms[::-1]


def _clean(axis: Vector3) -> Vector3:
    """An axis without the rounding of 32 bits, if it is along an axis of the link."""
    for k in range(3):
        if abs(abs(axis[k]) - 1.0) < 1e-9 and all(abs(axis[i]) < 1e-6 for i in range(3) if i != k):
            return tuple(float(round(value)) for value in axis)  # type: ignore[return-value]
    return axis


def make_loops(
    assembly: Assembly, bodies: Mapping[int, Body], world: str, findings: Findings
) -> list[Loop]:
    """The loops that joints close outside the tree."""
    out = []
    for record in assembly.loops:
        ends = []
        for side in record.sides:
            body = None if side.body is None else bodies[id(side.body)]
            ends.append((world, side.frame) if body is None else (body.name, body.moved @ side.frame))
        holds, axis = _holds(record)
        if holds is None:
            findings.warning(
                "constraint-type",
                f"joint <{record.place.path}> closes a loop, which can only leave motions about or along "
                "one axis, or all rotations; not read",
                record.doc.at(),
                subject=path_of("loops", record.name),
            )
            continue
        (link_a, pose_a), (link_b, pose_b) = ends
        out.append(
            Loop(
                name=record.name,
                link_a=link_a,
                link_b=link_b,
                pose_a=pose_a,
                pose_b=pose_b,
                axis=rotate(pose_a.quat, axis),
                holds=holds,
                at=record.doc.at(),
            )
        )
    return out


def _holds(record: JointRecord) -> tuple[Holds | None, Vector3]:
    """What a loop holds, and its axis in the frame of the joint."""
    if record.kind == "ball":
        return BALL, (0.0, 0.0, 1.0)
    if record.kind == "free":
        return None, (0.0, 0.0, 1.0)
    kind, axis = _kind(record, forward=True)
    if kind in ("fixed", "revolute", "prismatic"):
        return HOLDS[kind], axis
    turns = {each.name for each in record.freedoms if each.is_turn}
    slides = {each.name for each in record.freedoms if not each.is_turn}
    for name, axis in (("X", (1.0, 0.0, 0.0)), ("Y", (0.0, 1.0, 0.0)), ("Z", (0.0, 0.0, 1.0))):
        across = {f"trans{other}" for other in "XYZ" if other != name}
        if slides not in ({f"trans{name}"}, across, {*across, f"trans{name}"}, set()):
            continue
        if turns not in (set(), {f"rot{name}"}, {"rotX", "rotY", "rotZ"}):
            continue
        return Holds(
            axial=f"trans{name}" not in slides,
            radial=not across <= slides,
            twist=f"rot{name}" not in turns,
            swing=len(turns) < 3,
        ), axis
    return None, (0.0, 0.0, 1.0)
