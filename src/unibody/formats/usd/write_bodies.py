"""Writes links as bodies: nested as the tree of joints, each with its pose in the world."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from unibody.formats.usd.write_devices import device_prim
from unibody.formats.usd.write_masses import mass_values
from unibody.formats.usd.write_shapes import Shapes
from unibody.formats.usd.write_stage import Stage, place, relate, state
from unibody.model.base import WORLD, stated_base
from unibody.model.collision import PairRules
from unibody.model.gravity import is_earthly
from unibody.model.pose import UNIT_QUATERNION, Pose, from_axis_angle
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Plane

#: The radius of the marks of frames (m).
SITE = 0.005


def placements(robot: Robot) -> dict[str, Pose]:
    """The pose of each link in the world, with all joints at their initial positions.

    >>> arm = Joint(name="j", kind="prismatic", parent="a", child="b", initial=0.5)
    >>> placements(Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(arm,)))["b"].xyz
    (0.0, 0.0, 0.5)
    """
    out = {robot.root: robot.pose}
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    todo = [robot.root]
    while todo:
        name = todo.pop()
        for joint in below.get(name, ()):
            out[joint.child] = out[name] @ joint.origin @ _motion(joint)
            todo.append(joint.child)
    return out


def _motion(joint: Joint) -> Pose:
    """The motion of a joint to its initial position."""
    q = joint.initial
    if not q or joint.kind not in ("revolute", "prismatic"):
        return Pose()
    x, y, z = joint.axis
    if joint.kind == "prismatic":
        return Pose((q * x, q * y, q * z))
    return Pose(quat=from_axis_angle(joint.axis, q) or UNIT_QUATERNION)


class Bodies:
    """Writes the links of a robot, and what is on them."""

    def __init__(self, robot: Robot, stage: Stage, shapes: Shapes) -> None:
        self.robot, self.stage, self.shapes = robot, stage, shapes
        self.rules = PairRules(robot)

    def write(self) -> None:
        """Write the bodies of all links, then their shapes, frames and devices, and what stands around."""
        robot, stage = self.robot, self.stage
        stage.geometry.make(stage.bodies, "Scope")
        places = placements(robot)
        below: dict[str, list[str]] = {}
        for joint in robot.joints:
            below.setdefault(joint.parent, []).append(joint.child)
        todo = [(stage.top, stage.bodies)]
        while todo:
            name, parent = todo.pop()
            path = stage.add(stage.geometry, parent, name, "Xform", "link")
            stage.links[name] = path
            place(stage.geometry.at(path), places[name], reset=True)
            todo += [(child, path) for child in reversed(below.get(name, ()))]
        for name in stage.links:
            self._body(robot.link(name))
        around = robot.surroundings
        on_world = any(x.link == WORLD for x in robot.frames) or any(x.link == WORLD for x in robot.devices)
        if around is not None or (on_world and WORLD not in stage.links):
            path = stage.add(stage.geometry, stage.bodies, WORLD, "Xform", WORLD)
            if around is not None:
                self.shapes.add(around, path, moves=False)
            self._on(WORLD, path)
        self._gravity()
        self._collision_rules()

    def _gravity(self) -> None:
        """State a gravity that is not that of the earth, which the program has that opens the stage."""
        gravity, stage = self.robot.gravity, self.stage
        if gravity is None or is_earthly(gravity):
            return
        scope = f"{stage.root}/Physics"
        scene = stage.physics.at(stage.add(stage.physics, scope, "", "PhysicsScene", "scene"))
        size = math.hypot(*gravity)
        if size:
            x, y, z = gravity
            state(scene, ("physics:gravityDirection", (x / size, y / size, z / size)))
        state(scene, ("physics:gravityMagnitude", size))

    def _body(self, link: Link) -> None:
        stage = self.stage
        path = stage.links[link.name]
        prim = stage.physics.at(path)
        prim.apply("PhysicsRigidBodyAPI")
        if link.gravity_compensation == 1.0:
            prim.apply("PhysxRigidBodyAPI")
            state(prim, ("physxRigidBody:disableGravity", True))
        if link.inertial is not None:
            prim.apply("PhysicsMassAPI")
            state(prim, *mass_values(link.inertial))
        if link.name == WORLD and self.robot.root == WORLD and stated_base(self.robot, "fixed") == "fixed":
            link = self._without_ground(link)
        self.shapes.add(link, path)
        self._on(link.name, path)

    def _without_ground(self, link: Link) -> Link:
        """The world without the planes that collide, which no body may have: they are written beside it."""
        ground = tuple(x for x in link.collisions if isinstance(x.geometry, Plane))
        if ground:
            path = self.stage.add(self.stage.geometry, self.stage.bodies, WORLD, "Xform", WORLD)
            self.shapes.add(replace(link, visuals=(), collisions=ground), path, moves=False)
        return replace(link, collisions=tuple(x for x in link.collisions if x not in ground))

    def _on(self, link: str, path: str) -> None:
        """Write the frames and devices of a link."""
        stage = self.stage
        for frame in self.robot.frames:
            if frame.link == link:
                at = stage.add(stage.geometry, path, frame.name, "Sphere", "frame")
                # MuJoCo reads no stage in which a site is no geometry
                state(stage.geometry.at(at), ("purpose", "guide"), ("radius", SITE))
                state(stage.geometry.at(at), ("extent", [(-SITE,) * 3, (SITE,) * 3]))
                place(stage.geometry.at(at), frame.pose)
                stage.physics.at(at).apply("NewtonSiteAPI", "MjcSiteAPI")
        for device in self.robot.devices:
            if device.link == link:
                device_prim(stage, path, device)

    @staticmethod
    def _is_solid(link: Link) -> bool:
        return bool(link.collisions) and link.collides

    # --- which links collide --------------------------------------------------------------

    def _collision_rules(self) -> None:
        """State which pairs of links are not tested, besides those that a joint connects."""
        robot, stage = self.robot, self.stage
        root = stage.physics.at(stage.links[stage.top])
        root.apply("PhysicsArticulationRootAPI", "NewtonArticulationRootAPI", "PhysxArticulationAPI")
        solid = [name for name in stage.links if self._is_solid(robot.link(name))]
        pairs = list(combinations(solid, 2))
        tested = {frozenset(pair) for pair in pairs if self.rules.are_tested(*pair)}
        joined = {frozenset((joint.parent, joint.child)) for joint in robot.joints}
        collides = bool(tested) or self.rules.default != "none"
        state(
            root,
            ("newton:selfCollisionEnabled", collides),
            ("physxArticulation:enabledSelfCollisions", collides),
        )
        off: dict[str, list[str]] = {}
        for a, b in pairs if collides else ():
            pair = frozenset((a, b))
            if pair not in tested and pair not in joined:
                off.setdefault(a, []).append(b)
        for a, others in off.items():
            prim = stage.physics.at(stage.links[a])
            prim.apply("PhysicsFilteredPairsAPI")
            relate(prim, "physics:filteredPairs", [stage.links[b] for b in others])
