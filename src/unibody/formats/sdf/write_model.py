"""Writes the links, joints and frames of a robot as a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from unibody.document.bind import Binding, bind
from unibody.formats.extras import leftovers
from unibody.formats.jointed import offset
from unibody.formats.names import Names
from unibody.formats.sdf import document_parts as d
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_sensors import Light, Sensor
from unibody.formats.sdf.document_shapes import Frame as FrameElement
from unibody.formats.sdf.document_shapes import Pose as PoseElement
from unibody.formats.sdf.poses import PoseReader
from unibody.formats.sdf.write_collision import CollisionRules, rules_of
from unibody.formats.sdf.write_gazebo import GazeboItems
from unibody.formats.sdf.write_joints import LOOP_TYPES, direction_element, joint, mimic
from unibody.formats.sdf.write_kept import put_back
from unibody.formats.sdf.write_lowered import is_static, stands
from unibody.formats.sdf.write_names import ModelNames, ModelPath, legal
from unibody.formats.sdf.write_poses import pose
from unibody.formats.sdf.write_sensors import element
from unibody.formats.sdf.write_shapes import collisions, visuals
from unibody.formats.sdf.write_versions import NESTED, Version
from unibody.model.base import WORLD
from unibody.model.changes.surroundings import is_world
from unibody.model.device import Device, ForceTorque
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, ZERO, Pose, rotate
from unibody.model.robot import Frame, Joint, Link, Loop, Robot
from unibody.model.traverse import part
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Word
from unibody.text.xml.printer import print_xml


def model(robot: Robot, version: Version) -> Model:
    """The model of a lowered robot."""
    return _Model(robot, version).made()


def kept_items(robot: Robot) -> Mapping[str, list[Item]]:
    """What was kept of a robot for SDF, by its owner."""
    return leftovers(robot, "sdf", lambda item: print_xml(Node("sdf", [item])))


@dataclass(slots=True)
class _Model:
    """The state of writing one model, with the models in it.

    ``models`` are those that are written, by their paths, and ``places`` where they are in the outermost
    one; what was kept of a model says where it is in the one around it, while all joints are at zero.
    ``home`` is the frame of a link in the file, in the frame that the model gives it: another one where a
    frame of the robot has the name of its link, since that is where its file had it.
    """

    robot: Robot
    version: Version
    world: str | None = None
    home: dict[str, Pose] = field(default_factory=dict)
    above: dict[str, Joint] = field(default_factory=dict)
    frames: tuple[Frame, ...] = ()
    names: ModelNames = field(init=False)
    rules: CollisionRules = field(init=False)
    kept: Mapping[str, list[Item]] = field(init=False)
    gazebo: GazeboItems = field(init=False)
    models: dict[ModelPath, Model] = field(default_factory=dict)
    places: dict[ModelPath, Pose] = field(default_factory=dict)
    at_zero: dict[str, Pose] = field(default_factory=dict)

    def __post_init__(self) -> None:
        robot = self.robot
        self.world = robot.root if is_world(robot) else None
        self.above = {joint.child: joint for joint in robot.joints if joint.kind != "free"}
        self.home = {x.link: x.pose for x in robot.frames if self._is_own(x)}
        beside = [] if robot.surroundings is None else [robot.surroundings.name]
        self.frames = tuple(x for x in robot.frames if x.link not in beside)
        own = [x.name for x in self.frames if self._is_own(x)]
        is_nested = self.version >= NESTED
        self.names = ModelNames.of(replace(robot, frames=self.frames), own, nested=is_nested)
        self.rules = rules_of(robot)
        self.kept = kept_items(robot)
        self.gazebo = GazeboItems.of(robot)

    def _is_own(self, frame: Frame) -> bool:
        """Whether a frame is that of its link in the file, which reading moved to the joint."""
        moving = self.above.get(frame.link)
        if frame.name != frame.link or moving is None or frame.pose.quat != UNIT_QUATERNION:
            return False
        back = frame.pose.inverse()
        return offset(moving.kind, back, moving.axis) == back.xyz != ZERO

    def made(self) -> Model:
        """The element of the model."""
        robot, version = self.robot, self.version
        out = Model(name=legal(robot.name, "model"), pose=pose(robot.pose, version))
        still = stands(robot)
        if still or is_static(robot):
            out.static = True
        if self.rules.model:
            out.self_collide = True
        self._open(out)
        on_link: dict[str, list[Device]] = {}
        on_joint: dict[str, list[Device]] = {}
        for device in robot.devices:
            moving = self.above.get(device.link)
            if moving is not None and isinstance(device.spec, ForceTorque):
                on_joint.setdefault(moving.name, []).append(device)
            else:
                on_link.setdefault(device.link, []).append(device)
        for link in robot.links:
            if link.name != self.world:
                home = self.models[self.names.links[link.name].scope]
                home.links.append(self._link(link, on_link.get(link.name, [])))
        couplings = {x.joint: x for x in robot.couplings}
        for each in robot.joints:
            if each.kind == "free" or still:
                continue
            coupling = couplings.get(each.name)
            name = self.names.joints[each.name]
            follows: d.Mimic | d.DrakeMimic | None = None
            if coupling is not None:
                leader = self.names.joints[coupling.leader].within(name.scope)
                follows = mimic(coupling, leader, version)
            doc = joint(each, name.name, follows, version)
            self._connect(doc, each)
            self._sensors(doc, on_joint.get(each.name, []), Pose(), on_joint=True)
            put_back(doc, [x for x in self._kept("joints", each.name) if x[0] != "pose"])
            self.gazebo.add_to_joint(doc, each.name)
            home = self.models[name.scope]
            home.joints.append(doc)
        for loop in robot.loops:
            if (made := self._loop(loop)) is not None:
                home = self.models[self.names.loops[loop.name].scope]
                home.joints.append(made)
        for frame in self.frames:
            if not self._is_own(frame):
                home = self.models[self.names.frames[frame.name].scope]
                home.frames.append(self._frame(frame))
        for path, items in self._of_models().items():
            put_back(self.models[path], [item for item in items if self._fits(item, path)])
        self.gazebo.add_to_model(out)
        return out

    def _fits(self, item: Item, path: ModelPath) -> bool:
        """Whether something that was kept of a model or world belongs to the model.

        Its pose is written before, and is that of its own frame.
        """
        key, value, _ = item
        if key == "canonical_link":
            known = (x.within(path) for x in self.names.links.values() if x.scope[: len(path)] == path)
            return isinstance(value, Word) and value.text in known
        return key not in ("world", "model", "placement_frame", "pose")

    # --- models in the model ------------------------------------------------------------

    def _open(self, out: Model) -> None:
        """Make the models in the model, where they were in it."""
        self.models, self.places = {(): out}, {(): IDENTITY}
        homes = dict.fromkeys(x.scope for x in self.names.links.values())
        kept = self._of_models([path[:k] for path in homes for k in range(1, len(path) + 1)])
        for path in kept:
            if not path:
                continue
            around = self.models[path[:-1]]
            self.models[path] = inner = Model(name=path[-1])
            at = next((value for key, value, _ in kept[path] if key == "pose"), None)
            if isinstance(at, Node):
                inner.pose = bind(PoseElement, at, Binding(Findings(), xml=True))
            place = PoseReader(Findings()).read(inner.pose, path[-1])
            self.places[path] = self.places[path[:-1]] @ place
            around.models.append(inner)
        if len(self.models) > 1:
            self.at_zero = self._at_zero()

    def _of_models(self, paths: Iterable[ModelPath] = ()) -> dict[ModelPath, list[Item]]:
        """What was kept of models, by their paths; those that are written if none are given."""
        out: dict[ModelPath, list[Item]] = {(): list(self.kept.get("", []))}
        for path in paths or list(self.models):
            if path:
                out[path] = [
                    item
                    for key, value, _ in out[path[:-1]]
                    if key == "model" and isinstance(value, Node) and value.word("name") == path[-1]
                    for item in value.items
                    if item[0] != "name"
                ]
        return out

    def _kept(self, kind: str, name: str) -> list[Item]:
        return self.kept.get(f"{kind}/{part(name)}", [])

    def _home(self, link: str) -> Pose:
        return self.home.get(link, IDENTITY)

    # --- links --------------------------------------------------------------------------

    def _link(self, link: Link, devices: list[Device]) -> d.Link:
        back = self._home(link.name).inverse()
        version = self.version
        taken = Names()
        out = d.Link(name=self.names.links[link.name].name, pose=self._place(link))
        if link.inertial is not None:
            out.inertial = inertial_element(link.inertial, back, version)
        if link.gravity_compensation == 1.0:
            out.gravity = False
        mask = (self.rules.masks or {}).get(link.name)
        out.collisions = collisions(link.collisions, back, version, taken, mask)
        out.visuals = visuals(link.visuals, back, version, taken)
        self._sensors(out, devices, back, taken)
        put_back(out, self._kept("links", link.name))
        self.gazebo.add_to_link(out, link.name)
        return out

    def _place(self, link: Link) -> PoseElement | None:
        """The pose of a link: in the joint that moves it, else in the model."""
        version, home = self.version, self._home(link.name)
        above, scope = self.above.get(link.name), self.names.links[link.name].scope
        if above is not None and above.parent != self.world:
            mover = self.names.joints[above.name]
            if mover.scope == scope:
                return pose(home, version, mover.name)
        if scope:  # the names of what is around a model have no meaning in it
            return pose(self.places[scope].inverse() @ self.at_zero[link.name] @ home, version)
        held = next((j for j in self.robot.joints if j.child == link.name), None)
        return pose((IDENTITY if held is None else held.origin) @ home, version)

    def _sensors(
        self,
        doc: d.Link | d.Joint,
        devices: list[Device],
        back: Pose,
        taken: Names | None = None,
        *,
        on_joint: bool = False,
    ) -> None:
        """Add the sensors and lights of a link, or those of a joint."""
        names = taken or Names()
        for device in devices:
            word = device.name.removeprefix(f"{device.link}::")
            touched = next((x.name for x in doc.collisions), None) if isinstance(doc, d.Link) else None
            name = legal(word, "sensor")
            made = element(device, name, back, self.version, touched, on_joint=on_joint)
            if made is None:
                continue
            made.name = names.take(made.name or "")
            put_back(made, self._kept("devices", device.name))
            if isinstance(made, Sensor):
                doc.sensors = [*doc.sensors, made]
            elif isinstance(made, Light) and isinstance(doc, d.Link):
                doc.lights = [*doc.lights, made]

    # --- joints -------------------------------------------------------------------------

    def _connect(self, doc: d.Joint, each: Joint) -> None:
        """Set the ends of a joint and its pose: in the parent link, which the pose of the child is in."""
        version, home = self.version, self._home(each.child)
        scope = self.names.joints[each.name].scope
        doc.child_frame = self.names.links[each.child].within(scope)
        if each.parent == self.world:
            doc.parent_frame = WORLD
            doc.pose = pose(home.inverse(), version)
            return
        doc.parent_frame = self.names.links[each.parent].within(scope)
        origin = self._home(each.parent).inverse() @ each.origin
        doc.pose = pose(origin, version, doc.parent_frame)

    def _loop(self, loop: Loop) -> d.Joint | None:
        """The joint that closes a loop; None if no type of joint holds the same.

        The world, which cannot be a child, is its parent, and so is a link that no joint moves, of which it
        would be the first joint; so the axis may be in the child.
        """
        kind = LOOP_TYPES.get(loop.holds)
        is_turned = loop.link_b == self.world or (
            loop.link_b not in self.above and loop.link_a in self.above
        )
        parent, child = (loop.link_b, loop.link_a) if is_turned else (loop.link_a, loop.link_b)
        if kind is None or child == self.world:
            return None
        at_child = loop.pose_a if is_turned else loop.pose_b
        name = self.names.loops[loop.name]
        out = d.Joint(name=name.name, type="continuous" if kind == "revolute" else kind)
        out.parent_frame = WORLD if parent == self.world else self.names.links[parent].within(name.scope)
        out.child_frame = self.names.links[child].within(name.scope)
        out.pose = pose(self._home(child).inverse() @ at_child, self.version)
        if KINDS[kind].axes:
            in_axis_link = at_child
            if not is_turned:
                places = self._at_zero()
                in_axis_link = places[parent].inverse() @ places[child] @ at_child
            axis = rotate(in_axis_link.inverse().quat, loop.axis)
            out.axis = d.Axis(xyz=direction_element(axis))
        put_back(out, self._kept("loops", loop.name))
        return out

    def _at_zero(self) -> dict[str, Pose]:
        """The poses of all links where all joints are at zero."""
        out = {self.robot.root: IDENTITY}
        below: dict[str, list[Joint]] = {}
        for each in self.robot.joints:
            below.setdefault(each.parent, []).append(each)
        todo = [self.robot.root]
        while todo:
            name = todo.pop()
            for each in below.get(name, []):
                out[each.child] = out[name] @ each.origin
                todo.append(each.child)
        return out

    def _frame(self, frame: Frame) -> FrameElement:
        back, name = self._home(frame.link).inverse(), self.names.frames[frame.name]
        return FrameElement(
            name=name.name,
            attached_to=self.names.links[frame.link].within(name.scope),
            pose=pose(back @ frame.pose, self.version),
        )


def inertial_element(given: Inertial, back: Pose, version: Version) -> d.Inertial:
    """The element of the inertial of a link, whose frame ``back`` moves to that of the file."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = given.inertia
    out = d.Inertial(mass=given.mass, pose=pose(Pose(back.apply(given.com)), version))
    inertia = d.Inertia(ixx=xx, ixy=_mean(xy, yx), ixz=_mean(xz, zx), iyy=yy, iyz=_mean(yz, zy), izz=zz)
    inertia.given |= {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}
    out.inertia = inertia
    out.given.add("mass")
    return out


def _mean(a: float, b: float) -> float:
    return a if a == b else a / 2.0 + b / 2.0
