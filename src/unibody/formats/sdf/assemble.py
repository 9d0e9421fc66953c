"""Makes robots of the links and joints of scopes: one tree each, what is left closes loops."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.formats.jointed import HOLDS, offset
from unibody.formats.names import Names
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.filters import filtered
from unibody.formats.sdf.frames import Frames, Scope, Vertex, in_world
from unibody.formats.sdf.joints import GEARBOX, JointReader, JointRecord, moved_axis
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.links import ALL, LinkReader, LinkRecord
from unibody.formats.sdf.poses import is_identity
from unibody.formats.sdf.write_versions import DEFAULT
from unibody.model.base import WORLD as WORLD_LINK
from unibody.model.device import Device
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, ZERO, Pose, rotate
from unibody.model.robot import Coupling, Frame, Joint, Link, Loop, Robot, SelfCollision
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.node import Item

# Decimals of the place of a model in another one.
_DIGITS = 12


@dataclass(slots=True, eq=False)
class Body:
    """What becomes one robot: models that hang together, with all that is in them.

    ``name`` is that of the robot; ``joints`` are those between the models, too.
    """

    name: str
    scopes: list[Scope]
    joints: list[Vertex] = field(default_factory=list)
    frames: list[Vertex] = field(default_factory=list)


def robot_of(body: Body, frames: Frames, context: Context, outer: Pose = IDENTITY) -> Robot | None:
    """The robot of some models; ``outer`` is the pose of the outermost scope in the world.

    None, with a finding, if there is no link.
    """
    return _Assembly(body, frames, context, outer).robot()


class _Assembly:
    def __init__(self, body: Body, frames: Frames, context: Context, outer: Pose) -> None:
        self.body, self.frames, self.context, self.outer = body, frames, context, outer
        self.findings = context.findings
        self.links = LinkReader(frames, context)
        self.joints = JointReader(frames, context.findings)
        self.extras = Extras("sdf")
        self.scopes = [inner for scope in body.scopes for inner in scope.scopes]
        self.records: dict[int, LinkRecord] = {}
        self.static: set[int] = set()
        self.moved: list[tuple[LinkRecord, Pose]] = []

    def robot(self) -> Robot | None:
        """The robot; None without links."""
        for scope in self.scopes:
            for vertex in scope.links:
                self.records[id(vertex)] = self.links.read(vertex)
                if stands_still(scope):
                    self.static.add(id(vertex))
        if not self.records:
            first = self.body.scopes[0]
            self.findings.error(
                "links-missing", f"{first.label} has no links", first.doc.at(), "add at least one <link>"
            )
            return None
        vertices = [v for scope in self.scopes for v in scope.joints] + self.body.joints
        read = [r for v in vertices if not _is_gearbox(v) and (r := self.joints.read(v)) is not None]
        for record in read:
            if id(record.child) in self.static:
                record.kind = "fixed"
        tree, loops = self._split(read)
        self._move(tree)
        names = {id(key): record for key, record in ((r.vertex, r) for r in read)}
        couplings = [c for r in tree if (c := self.joints.coupling(r, names)) is not None]
        moved = {id(r.child): r for r in tree}
        for vertex in vertices:
            if _is_gearbox(vertex) and (made := self.joints.gearbox(vertex, moved)) is not None:
                couplings.append(made)
                self.extras.add(_of_gearbox(vertex.doc), "joints", made.joint)
        roots = [r for r in self.records.values() if id(r.vertex) not in moved]
        world = self._world(tree, loops, roots)
        made_joints = [self._joint(record) for record in tree]
        links = [record.link for record in self.records.values()]
        if world is not None:
            made_joints += self._to_world(roots, world)
            if all(link is not world for link in links):
                links.insert(0, world)
        devices = self._devices(read)
        self._keep(read, loops, self.outer if world is not None else roots[0].pose.inverse())
        is_fixed = world is not None or id(roots[0].vertex) in self.static
        return Robot(
            name=self.body.name,
            links=tuple(links),
            joints=tuple(made_joints),
            loops=tuple(self._loop(record) for record in loops),
            couplings=tuple(_acyclic(couplings)),
            devices=tuple(devices),
            frames=tuple(self._frames()),
            self_collision=filtered(self._self_collision(tree), self.scopes, self.frames),
            base="fixed" if is_fixed else "free",
            pose=IDENTITY if world is not None else self.outer @ roots[0].pose,
            extras=self.extras.made(),
        )

    # --- the tree -----------------------------------------------------------------------

    def _split(self, read: list[JointRecord]) -> tuple[list[JointRecord], list[JointRecord]]:
        """The joints of the tree, and those that close loops: all but the first joint of a link.

        A joint that would close a ring of the tree is one, too.
        """
        above: dict[int, JointRecord] = {}
        group: dict[int, int] = {}

        def top(key: int) -> int:
            while key in group:
                group[key] = group.get(group[key], group[key])
                key = group[key]
            return key

        tree, loops = [], []
        for record in read:
            child = id(record.child)
            parent = None if record.parent is None else id(record.parent)
            is_ring = parent is not None and top(parent) == top(child)
            if child in above or is_ring:
                loops.append(record)
                self._report_loop(record, above.get(child))
                continue
            above[child] = record
            if parent is not None:
                group[top(child)] = top(parent)
            tree.append(record)
        return tree, loops

    def _report_loop(self, record: JointRecord, first: JointRecord | None) -> None:
        if first is None:
            assert record.parent is not None
            self.findings.warning(
                "loop-broken",
                f"{record.parent.name} and {record.child.name} are joined in a ring without a root: "
                f"broken at {record.vertex.label}",
                record.doc.at(),
                "turn the joint round, if this is not meant",
                subject=path_of("joints", record.name),
            )
        else:
            self.findings.info(
                "joint-closes-loop",
                f"{record.vertex.label}: link '{record.child.name}' has {first.vertex.label} already; "
                "this one closes a loop",
                record.doc.at(),
                subject=path_of("links", record.child.path),
            )
        if record.kind in ("universal", "screw"):
            self.findings.warning(
                "constraint-type",
                f"{record.vertex.label}: a {record.kind} joint cannot close a loop; "
                + (
                    "using a ball joint, which leaves the third rotation free"
                    if record.kind == "universal"
                    else "using a sliding hinge, without its thread"
                ),
                record.doc.at(),
            )

    def _move(self, tree: list[JointRecord]) -> None:
        """Move the frames of links to the joints that turn them."""
        for record in tree:
            link = self.records[id(record.child)]
            joint = link.pose.inverse() @ record.frame
            point = offset(record.kind, joint, record.axis)
            moved_axis(record, joint)
            if point != ZERO:
                record.is_moved = True
                back = Pose((-point[0], -point[1], -point[2]))
                self.moved.append((link.moved(back), back))

    def _joint(self, record: JointRecord) -> Joint:
        child = self.records[id(record.child)]
        if record.parent is None:
            origin = self.outer @ child.pose
            parent = WORLD_LINK
        else:
            above = self.records[id(record.parent)]
            origin, parent = above.pose.inverse() @ child.pose, above.link.name
        if record.outer is not None:
            base = IDENTITY if record.parent is None else self.records[id(record.parent)].pose.inverse()
            base = self.outer if record.parent is None else base
            origin = base @ record.outer @ record.frame.inverse() @ child.pose
        is_fixed = record.kind == "fixed"
        plain = Joint(name=record.name, kind=record.kind, parent=parent, child=child.link.name)
        return replace(
            plain,
            origin=origin,
            axis=plain.axis if record.kind in ("fixed", "ball") else record.axis,
            axis2=record.axis2,
            pitch=record.pitch,
            limits=plain.limits if is_fixed else record.limits,
            dynamics=plain.dynamics if is_fixed else record.dynamics,
            actuator=plain.actuator if is_fixed else record.actuator,
            at=record.doc.at(),
        )

    def _loop(self, record: JointRecord) -> Loop:
        child = self.records[id(record.child)]
        b = child.pose.inverse() @ record.frame
        if record.parent is None:
            a, link = self.outer @ (record.outer or record.frame), WORLD_LINK
        else:
            above = self.records[id(record.parent)]
            a, link = above.pose.inverse() @ (record.outer or record.frame), above.link.name
        return Loop(
            name=record.name,
            link_a=link,
            link_b=child.link.name,
            pose_a=a,
            pose_b=b,
            axis=rotate(a.quat, record.axis),
            holds=HOLDS[record.kind],
            at=record.doc.at(),
        )

    # --- the world ----------------------------------------------------------------------

    def _world(
        self, tree: list[JointRecord], loops: list[JointRecord], roots: list[LinkRecord]
    ) -> Link | None:
        """The link that is the world, where joints need it or several links hang on nothing."""
        needed = any(record.parent is None for record in (*tree, *loops))
        if not needed and len(roots) <= 1:
            return None
        if len(roots) > 1 and not self.static:
            shown = listed((f"'{r.link.name}'" for r in roots), 5)
            self.findings.info(
                "roots-free",
                f"{len(roots)} links hang on nothing: {shown}; each moves freely in the world",
                roots[1].link.at,
                "connect them with joints, if they belong together",
            )
        same = next((r for r in self.records.values() if r.link.name == WORLD_LINK), None)
        if same is not None:
            if same in roots and self.outer @ same.pose == IDENTITY:
                roots.remove(same)
                roots.insert(0, same)
                return same.link
            same.link = replace(same.link, name=f"{WORLD_LINK}_link")
        return Link(name=WORLD_LINK)

    def _to_world(self, roots: list[LinkRecord], world: Link) -> list[Joint]:
        """The joints between the world and the links that hang on nothing else."""
        out = []
        taken = Names(v.path for scope in self.scopes for v in scope.joints)
        for root in roots:
            if root.link is world:
                continue
            name = taken.take(in_world(root.link.name))
            kind = "fixed" if id(root.vertex) in self.static else "free"
            out.append(
                Joint(
                    name=name,
                    kind=kind,  # type: ignore[arg-type]
                    parent=world.name,
                    child=root.link.name,
                    origin=self.outer @ root.pose,
                    at=root.link.at,
                )
            )
        return out

    # --- what is on links ---------------------------------------------------------------

    def _devices(self, read: list[JointRecord]) -> list[Device]:
        found: list[tuple[LinkRecord, Device, list[Item]]] = [
            (record, device, items) for record in self.records.values() for device, items in record.devices
        ]
        for record in read:
            parent = None if record.parent is None else self.records[id(record.parent)]
            child = self.records[id(record.child)]
            found += self.links.of_joint(record.doc, record.vertex, parent, child)
        names: dict[str, int] = {}
        for _, device, _ in found:
            names[device.name] = names.get(device.name, 0) + 1
        out: list[Device] = []
        taken = Names()
        for link, device, items in found:
            stem = device.name if names[device.name] == 1 else f"{link.link.name}::{device.name}"
            name = taken.take(stem)
            out.append(replace(device, name=name, link=link.link.name))
            self.extras.add(items, "devices", name)
        return out

    def _frames(self) -> Iterable[Frame]:
        """The frames of the file, and those of links that were moved to their joints."""
        for link, pose in self.moved:
            yield Frame(name=link.vertex.path, link=link.link.name, pose=pose, at=link.vertex.at())
        for vertex in [v for scope in self.scopes for v in scope.frames] + self.body.frames:
            record = None if vertex.link is None else self.records.get(id(vertex.link))
            if record is not None:
                yield self.links.frame(vertex, record)

    def _self_collision(self, tree: list[JointRecord]) -> SelfCollision:
        """Which links are tested: those of one model only if one has ``self_collide``, and no neighbors.

        The pairs that are listed are those that are tested, or those that are not, whichever are fewer.
        """
        every = list(self.records.values())
        models: dict[int, _Members] = {}
        own = [models.setdefault(id(_outermost(r.vertex.scope)), _Members()) for r in every]
        for i, (record, members) in enumerate(zip(every, own, strict=True)):
            members.add(i, _collides(record.vertex))
        if any(record.mask != ALL for record in every):
            return self._by_bits(every, own, tree)
        total = _pairs_of(len(every))
        off = sum(_pairs_of(len(m.off)) for m in models.values())
        if off == 0:
            return SelfCollision()
        is_off = off < total - off
        self.context.budget.spend(5 * min(off, total - off) + len(models) * len(every), every[0].link.at)
        near = {frozenset((id(r.parent), id(r.child))) for r in tree if r.parent is not None}

        def later(i: int) -> Iterable[int]:
            """The links behind a link with which it makes a pair of the list."""
            mine = own[i]
            is_on = mine.is_on(i)
            if is_off:
                return [] if is_on else _after(mine.off, i)
            others = sorted(k for m in models.values() if m is not mine for k in _after(m.every, i))
            return [*_after(mine.every if is_on else mine.on, i), *others]

        pairs = tuple(
            (a.link.name, every[j].link.name)
            for i, a in enumerate(every)
            for j in later(i)
            if frozenset((id(a.vertex), id(every[j].vertex))) not in near
        )
        if is_off:
            return SelfCollision(disabled=pairs)
        return SelfCollision(default="none", enabled=pairs)

    def _by_bits(
        self, every: list[LinkRecord], own: list[_Members], tree: list[JointRecord]
    ) -> SelfCollision:
        """The same where shapes have bits: of two links that collide, both have one of them."""
        self.context.budget.spend(5 * len(every) ** 2, every[0].link.at)
        near = {frozenset((id(r.parent), id(r.child))) for r in tree if r.parent is not None}
        solid = [i for i, record in enumerate(every) if record.link.collisions and record.mask]
        pairs: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
        for k, i in enumerate(solid):
            for j in solid[k + 1 :]:
                a, b = every[i], every[j]
                if frozenset((id(a.vertex), id(b.vertex))) in near:
                    continue
                is_free = own[i] is not own[j] or own[i].is_on(i) or own[j].is_on(j)
                is_on = is_free and a.mask & b.mask != 0
                pairs[is_on].append((a.link.name, b.link.name))
        if len(pairs[False]) <= len(pairs[True]):
            return SelfCollision(disabled=tuple(pairs[False]))
        return SelfCollision(default="none", enabled=tuple(pairs[True]))

    # --- what is kept -------------------------------------------------------------------

    def _keep(self, read: list[JointRecord], loops: list[JointRecord], top: Pose) -> None:
        """Keep what the model does not hold; ``top`` is where the outermost scope is in the robot."""
        for record in self.records.values():
            self.extras.add(record.kept, "links", record.link.name)
        closing = {id(record) for record in loops}
        for joint in read:
            is_loop = id(joint) in closing
            items = _kept_of(joint, is_loop)
            if not is_loop and not joint.is_moved:
                # where a joint is along its axis moves nothing
                at = self.records[id(joint.child)].pose.inverse() @ joint.frame
                items += [] if is_identity(at) else kept(joint.doc, "pose")
            self.extras.add(items, "loops" if is_loop else "joints", joint.name)
        for scope in self.body.scopes:
            self.extras.add(self._of_model(scope, top))

    def _of_model(self, scope: Scope, top: Pose) -> list[Item]:
        """What is kept of a model; ``top`` is where the outermost scope is in the model around it.

        A model whose items have a name before their own says where it is in the model around it.
        """
        doc, home = scope.doc, scope.home
        assert isinstance(doc, Model)
        outer = home.scope.prefix if home is not None else ""
        is_named = scope.prefix != outer
        items: list[Item] = []
        written(doc, "placement_frame")  # its pose is that of its own frame
        if is_named:
            place = self.frames.in_top(None, scope)
            items += _of_place(top @ place)
            top = place.inverse()
        items += kept(
            doc,
            "namespace",
            "allow_auto_disable",
            "plugins",
            "grippers",
            "enable_wind",
            "model_state",
            "includes",
            "canonical_link",
            "filter_groups",
        )
        for vertex in scope.models:
            if vertex.inner is not None:
                items += self._of_model(vertex.inner, top)
        return wrapped("model", items, doc.name) if is_named else items


def _of_place(place: Pose) -> list[Item]:
    """The pose of a model in the one around it, in an element; none for the identity."""
    from unibody.document.unbind import unbind  # few models are in others
    from unibody.formats.sdf.write_poses import pose

    made = pose(place, DEFAULT)
    if made is None or made.value is None:
        return []
    # what is computed again has the same text
    made.value = tuple(round(value, _DIGITS) + 0.0 for value in made.value)
    return [("pose", unbind(made, "pose"), -1)] if any(made.value) else []


def _kept_of(record: JointRecord, is_loop: bool) -> list[Item]:
    """What neither a joint nor a loop of the model holds of a joint."""
    doc = record.doc
    items = kept(doc, "physics", "frames", "gearbox_ratio", "gearbox_reference_body")
    uses = KINDS[record.kind].axes
    for number, (word, axis) in enumerate((("axis", doc.axis), ("axis2", doc.axis2))):
        if axis is None:
            continue
        if number >= uses:
            items += kept(doc, word)
            continue
        inner = kept(axis, "initial_position")
        if is_loop or number:
            inner += kept(axis, "limit", "dynamics", "mimic", "drake_mimic")
        elif axis.limit is not None:
            inner += wrapped("limit", kept(axis.limit, "stiffness", "dissipation"))
        items += wrapped(word, inner)
    return items


def _of_gearbox(doc: object) -> list[Item]:
    """What a coupling does not hold of a gearbox."""
    assert isinstance(doc, d.Joint)
    fields = ("axis", "axis2", "physics", "frames", "sensors", "pose", "screw_thread_pitch", "thread_pitch")
    return wrapped("joint", kept(doc, "gearbox_reference_body", *fields), doc.name)


def _is_gearbox(vertex: Vertex) -> bool:
    return isinstance(vertex.doc, d.Joint) and vertex.doc.type == GEARBOX


def stands_still(scope: Scope) -> bool:
    """Whether a model stands still: it, or one around it."""
    inner: Scope | None = scope
    while inner is not None:
        if isinstance(inner.doc, Model) and inner.doc.static:
            return True
        inner = inner.home.scope if inner.home is not None else None
    return False


def _outermost(scope: Scope) -> Scope:
    """The model that a nested one is in, below the world."""
    while scope.home is not None and not scope.home.scope.is_world:
        scope = scope.home.scope
    return scope


def _collides(vertex: Vertex) -> bool:
    """Whether a link collides with all others of its model: as it says, else as its model says."""
    doc = vertex.doc
    assert isinstance(doc, d.Link)
    if "self_collide" in doc.given:
        return doc.self_collide
    outer = _outermost(vertex.scope).doc
    return isinstance(outer, Model) and outer.self_collide


@dataclass(slots=True, eq=False)
class _Members:
    """The links of a model, by their numbers in the robot: all, and those that do and do not collide."""

    every: list[int] = field(default_factory=list)
    on: list[int] = field(default_factory=list)
    off: list[int] = field(default_factory=list)

    def add(self, number: int, is_on: bool) -> None:
        """Add a link behind the others."""
        self.every.append(number)
        (self.on if is_on else self.off).append(number)

    def is_on(self, number: int) -> bool:
        """Whether a link collides with others of its model."""
        at = bisect_right(self.on, number)
        return at > 0 and self.on[at - 1] == number


def _after(numbers: list[int], number: int) -> list[int]:
    """Those of sorted numbers that are greater."""
    return numbers[bisect_right(numbers, number) :]


def _pairs_of(count: int) -> int:
    """The number of pairs of so many things."""
    return count * (count - 1) // 2


def _acyclic(couplings: Sequence[Coupling]) -> list[Coupling]:
    """The couplings without those of a joint that follows already, or that would follow itself."""
    out: list[Coupling] = []
    top: dict[str, str] = {}  # a joint further up the chain of leaders, for each that follows
    for coupling in couplings:
        joint = coupling.leader
        while joint in top:
            top[joint] = top.get(top[joint], top[joint])
            joint = top[joint]
        if joint != coupling.joint and coupling.joint not in top:
            top[coupling.joint] = joint
            out.append(coupling)
    return out
