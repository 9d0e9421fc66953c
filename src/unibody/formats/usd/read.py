"""Reads a composed stage as a robot, or as a scene of several."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.names import Names
from unibody.formats.usd import document_bodies as d
from unibody.formats.usd import document_geometry as g
from unibody.formats.usd.assemble import (
    Assembly,
    Body,
    assemblies,
    make_joints,
    make_loops,
    move_links,
    name_joints,
)
from unibody.formats.usd.contacts import contact_of
from unibody.formats.usd.couplings import couplings
from unibody.formats.usd.devices import spec_of
from unibody.formats.usd.document import Stage
from unibody.formats.usd.filters import Filters
from unibody.formats.usd.joints import JointReader, JointRecord, Units
from unibody.formats.usd.kept import Keeper, Rope
from unibody.formats.usd.looks import Looks
from unibody.formats.usd.masses import Collider, MassReader
from unibody.formats.usd.places import Place, placed, upright
from unibody.formats.usd.shapes import ShapeReader
from unibody.model.base import WORLD
from unibody.model.device import Device
from unibody.model.inertia import placed as placed_inertial
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.model.robot import Extra, Frame, Joint, Link, Robot
from unibody.model.scene import Scene
from unibody.model.shape import Shape
from unibody.model.traverse import part

# How much the scales of a round collider may differ, relatively.
_EVEN = 1e-5
_HIDDEN = ("guide", "proxy")
#: The gravity of a scene that does not state how large it is, in m/s².
EARTH = 9.81


def to_robot(stage: Stage, context: Context) -> Robot | Scene | None:
    """Convert a stage to a robot or a scene; None, with a finding, without anything to read."""
    return _Reading(stage, context).read()


class _Reading:
    def __init__(self, stage: Stage, context: Context) -> None:
        self.stage, self.context, self.findings = stage, context, context.findings
        self._check_units()
        top = upright(stage.up, stage.meters)
        self.places = placed(stage.prims, top)
        self.top = Place("/", stage.prims[0] if stage.prims else _NOTHING, None, top, top)
        self.units = Units(stage.meters, stage.kilograms, self._angle())
        self.looks = Looks(self.places, context)
        self.shapes = ShapeReader(self.places, self.looks, self.findings)
        self.masses = MassReader(self.units, self.looks, self.findings)
        self.extras = Extras("usd")
        self.keeper = Keeper(self.extras)
        self.links = Names()
        self.joint_names = Names()
        self.device_names = Names()
        self.frame_names = Names()
        self.of_body: dict[int, list[Place]] = {}
        self.world: list[Place] = []

    def _check_units(self) -> None:
        missing = [
            word
            for field, word in (("meters", "metersPerUnit"), ("up", "upAxis"))
            if field not in self.stage.given
        ]
        if missing:
            read_as = []
            if "meters" not in self.stage.given:
                read_as.append("centimeters")
            if "up" not in self.stage.given:
                read_as.append("Y up")
            self.findings.warning(
                "stage-units",
                f"the stage does not state {' and '.join(missing)}: read as {' and '.join(read_as)}, "
                "as OpenUSD does",
                self.stage.at(),
                "write metersPerUnit and upAxis into the metadata of the root layer",
            )
        if not self.stage.meters > 0.0 or not self.stage.kilograms > 0.0:
            self.findings.error(
                "stage-units",
                f"metersPerUnit and kilogramsPerUnit must be positive, but are {self.stage.meters:g} and "
                f"{self.stage.kilograms:g}; read as 1",
                self.stage.at("meters", "kilograms"),
                "write 1, or the unit of the stage",
            )
            self.stage.meters = self.stage.kilograms = 1.0

    def _angle(self) -> float:
        """The unit of angles of MuJoCo's attributes in rad."""
        for prim in self.stage.prims:
            if prim.mjc_scene is not None and prim.mjc_scene.compiler_angle == "radian":
                return 1.0
        return math.radians(1.0)

    # --- the whole ------------------------------------------------------------------------

    def read(self) -> Robot | Scene | None:
        """The robots."""
        self._sort()
        bodies = self._bodies()
        if not bodies:
            return self._without_bodies()
        reader = JointReader(self.places, self.top, self.units, self.findings)
        records = [
            record
            for place in self.places.values()
            if isinstance(place.prim, d.PhysicsJoint) and (record := reader.read(place)) is not None
        ]
        adds = any(
            place.prim.newton_articulation_root is not None
            and place.prim.newton_articulation_root.joints_add_mobility
            for place in self.places.values()
        )
        found = assemblies(bodies, records, adds, self.findings)
        self._name_links(bodies, found)
        by_place = {id(body.place): body for body in bodies}
        for assembly in found:
            name_joints(assembly, self.joint_names)
            move_links(assembly)
        colliders = {
            key: [place for place in places if self._collides(place)]
            for key, places in self.of_body.items()
        }
        filters = Filters(self.places, colliders)
        filters.read()
        robots = [self._robot(assembly, by_place, records, filters, found) for assembly in found]
        devices, frames = self._attached(self.world, WORLD)
        around = self._surroundings(bool(devices or frames))
        if around is not None:
            robots[0] = _with_surroundings(robots[0], around)
        first = robots[0]
        robots[0] = replace(first, devices=(*first.devices, *devices), frames=(*first.frames, *frames))
        gravity = self._gravity()
        robots = [replace(robot, gravity=gravity) for robot in robots]
        self._report_variants()
        owners = {body.place.path: f"links/{part(body.name)}" for body in bodies}
        owners |= {
            path: f"joints/{part(pairs[0][0])}" for each in found for path, pairs in each.made.items()
        }
        self._keep_ropes(reader, by_place, owners)
        self.keeper.keep_rest(self.stage, self.places, owners)
        made = self.extras.made()
        name = self._name()
        if len(robots) == 1:
            return replace(robots[0], name=name, extras=made)
        return Scene(name=name, robots=self._with_extras(robots, made), extras=_of_scene(made))

    def _keep_ropes(
        self, reader: JointReader, by_place: Mapping[int, Body], owners: Mapping[str, str]
    ) -> None:
        """Keep the joints that limit distances, with their ends in the frames of links."""
        unit = self.units.meters
        for place in self.places.values():
            doc = place.prim
            if not isinstance(doc, d.PhysicsDistanceJoint) or not doc.joint_enabled:
                continue
            sides = reader.ends(place)
            if sides is None:
                continue
            first, second = (
                ("", side.frame.xyz)
                if side.body is None
                else (side.body.path, (by_place[id(side.body)].moved @ side.frame).xyz)
                for side in sides
            )
            bounds = doc.min_distance * unit, doc.max_distance * unit
            rope = Rope(place, (first, second), *bounds, units=self.units)
            self.keeper.rope(rope, owners)

    def _without_bodies(self) -> Robot | None:
        """A stage without rigid bodies: what it shows as one link that stands still."""
        self.findings.warning(
            "bodies-missing",
            "no prim of the stage has PhysicsRigidBodyAPI: its shapes are read as one fixed link",
            self.stage.at(),
            "apply PhysicsRigidBodyAPI to the prims that are links",
        )
        link = self._shown(Link(name=self._name() or "stage", at=self.stage.at()), self.world)
        if not link.visuals and not link.collisions:
            self.findings.error(
                "links-missing",
                "the stage has no bodies and no shapes",
                self.stage.at(),
                "check the references of the stage",
            )
            return None
        devices, frames = self._attached(self.world, link.name)
        self._report_variants()
        self.keeper.keep_rest(self.stage, self.places, {})
        return Robot(
            name=self._name(),
            links=(link,),
            devices=tuple(devices),
            frames=tuple(frames),
            base="fixed",
            gravity=self._gravity(),
            extras=self.extras.made(),
        )

    def _name(self) -> str:
        """The name of the robot: that of the default prim, else of the first one."""
        prims = {prim.def_name: prim for prim in self.stage.prims}
        prim = prims.get(self.stage.default_prim) or next(iter(prims.values()), None)
        return (prim.display_name or prim.def_name) if prim is not None else ""

    def _sort(self) -> None:
        """Sort prims that are shown or carried by the body on which they are."""
        hidden: set[int] = set()
        for place in self.places.values():
            if isinstance(place.prim, g.PointInstancer):
                # prototypes are drawn by the instancer
                hidden |= {id(inner) for inner in place.all() if inner is not place}
            if id(place) in hidden:
                continue
            body = place.body
            (self.world if body is None else self.of_body.setdefault(id(body), [])).append(place)

    def _bodies(self) -> list[Body]:
        """The rigid bodies, which get their names when it is known which of them is the world."""
        return [Body(place, "") for place in self.places.values() if place.prim.rigid_body is not None]

    def _name_links(self, bodies: Sequence[Body], found: Sequence[Assembly]) -> None:
        """Name the links; only a root that stands in the origin may be called the world."""
        worlds = {id(each.root) for each in found if each.stands}
        for body in bodies:
            name = body.place.prim.display_name or body.place.prim.def_name
            other = name == WORLD and id(body) not in worlds
            body.name = self.links.take(f"{name}_link" if other else name)

    # --- one robot ------------------------------------------------------------------------

    def _robot(
        self,
        assembly: Assembly,
        by_place: Mapping[int, Body],
        records: Sequence[JointRecord],
        filters: Filters,
        found: Sequence[Assembly],
    ) -> Robot:
        root = assembly.root
        links, devices, frames = [], [], []
        for body in assembly.bodies:
            link, on, at = self._link(body)
            links.append(link)
            devices += on
            frames += at
        make_joints(assembly, WORLD, self.joint_names, self.links)
        links += assembly.links
        joints = list(assembly.joints)
        pose, base = root.pose, "fixed" if assembly.is_fixed else "free"
        if assembly.in_world:
            if root.name != WORLD:
                links.insert(0, Link(name=WORLD))
            if root.above is None and root.name != WORLD:
                kind = "fixed" if assembly.is_fixed else "free"
                name = self.joint_names.take(f"{root.name}_in_world")
                first = Joint(name=name, kind=kind, parent=WORLD, child=root.name, origin=pose)  # type: ignore[arg-type]
                joints.insert(0, first)
            pose, base = IDENTITY, "fixed"
        loops = make_loops(assembly, by_place, WORLD, self.findings)
        mine = {id(body.place) for body in assembly.bodies}
        here = [r for r in records if any(b is not None and id(b) in mine for b in r.bodies)]
        made = {path: pairs for each in found for path, pairs in each.made.items()}
        for record in here:
            of_model = assembly.made.get(record.place.path, [])
            sign = of_model[0][1] if of_model else 1.0
            self.keeper.joint(record, bool(of_model), self.units, sign)
        return Robot(
            name=root.name,
            links=tuple(links),
            joints=tuple(joints),
            loops=tuple(loops),
            couplings=tuple(couplings(here, made, self.units.meters, self.findings)),
            devices=tuple(devices),
            frames=tuple(frames),
            self_collision=filters.rules(assembly),
            base=base,  # type: ignore[arg-type]
            pose=pose,
        )

    def _link(self, body: Body) -> tuple[Link, list[Device], list[Frame]]:
        place, places = body.place, self.of_body.get(id(body.place), [])
        move = body.move
        link = self._shown(Link(name=body.name, at=place.prim.at()), places, place, move)
        colliders = [
            Collider(inner, shape)
            for inner in places
            if inner.prim.collision is not None
            for shape in self.shapes.read(inner, place, IDENTITY, drawn=False)
        ]
        inertial = self.masses.read(place, body.name, colliders)
        if inertial is not None and move != IDENTITY:
            inertial = placed_inertial(inertial, body.moved)
        frames = []
        if move != IDENTITY:
            name = self.frame_names.take(body.name)
            frames = [Frame(name=name, link=body.name, pose=body.moved, at=place.prim.at())]
        devices, sites = self._attached(places, body.name, place, move)
        frames += sites
        physx = place.prim.physx_rigid_body
        lifted = 1.0 if physx is not None and physx.disable_gravity else 0.0
        self.keeper.link(place, body.name, places)
        return replace(link, inertial=inertial, gravity_compensation=lifted), devices, frames

    def _shown(
        self, link: Link, places: Iterable[Place], body: Place | None = None, move: Pose = IDENTITY
    ) -> Link:
        """A link with the shapes of prims in its frame.

        Where all colliders are switched off, the link does not collide; one that is drawn is a visual.
        """
        visuals: list[Shape] = []
        idle: list[Shape] = []
        collisions: list[Shape] = []
        for place in places:
            prim = place.prim
            if isinstance(prim, g.PointInstancer) and self._is_drawn(place):
                visuals += self.shapes.copies(place, body, move)
            if not isinstance(prim, g.Gprim) or _is_site(place):
                continue
            if self._is_drawn(place):
                group = prim.mjc_imageable.group if prim.mjc_imageable is not None else 0
                visuals += [
                    replace(x, group=group) for x in self.shapes.read(place, body, move, drawn=True)
                ]
            collides = self._collides(place)
            if collides or (prim.collision is not None and not self._is_drawn(place)):
                self._check_scale(place)
                contact = contact_of(place, self.looks)
                group = prim.mjc_collision.group if prim.mjc_collision is not None else 0
                (collisions if collides else idle).extend(
                    replace(x, contact=contact, group=group)
                    for x in self.shapes.read(place, body, move, drawn=False)
                )
        solid = tuple(collisions or idle)
        return replace(
            link, visuals=tuple(visuals), collisions=solid, collides=bool(collisions) or not idle
        )

    def _check_scale(self, place: Place) -> None:
        """Report a round collider that is stretched."""
        if not isinstance(place.prim, g.Sphere | g.Cylinder | g.Cone | g.Capsule):
            return
        x, y, z = map(abs, place.scale)
        if max(x, y, z) - min(x, y, z) > _EVEN * max(x, y, z):
            self.findings.warning(
                "collider-stretched",
                f"collider <{place.path}> must have one scale for all axes, but has {x:g}, {y:g}, {z:g}; "
                "PhysX ignores the difference",
                place.prim.at("scale"),
                "change its sizes instead, or make it a mesh",
            )

    @staticmethod
    def _is_drawn(place: Place) -> bool:
        return place.purpose not in _HIDDEN and not place.hidden

    @staticmethod
    def _collides(place: Place) -> bool:
        collision = place.prim.collision
        return isinstance(place.prim, g.Gprim) and collision is not None and collision.collision_enabled

    def _attached(
        self, places: Iterable[Place], link: str, body: Place | None = None, move: Pose = IDENTITY
    ) -> tuple[list[Device], list[Frame]]:
        """The devices and the named frames on a link."""
        devices, frames = [], []
        for place in places:
            prim = place.prim
            name = prim.display_name or prim.def_name
            at = place.pose_in(body, move)
            spec = spec_of(prim, self.units)
            if spec is not None:
                name = self.device_names.take(name)
                devices.append(Device(name=name, link=link, spec=spec, pose=at, at=prim.at()))
            elif _is_site(place):
                frames.append(Frame(name=self.frame_names.take(name), link=link, pose=at, at=prim.at()))
        return devices, frames

    # --- what stands around ---------------------------------------------------------------

    def _gravity(self) -> Vector3 | None:
        """The gravity (m/s²) that the first scene states, in axes with Z up; None if it states none."""
        scenes = (p.prim for p in self.places.values() if isinstance(p.prim, d.PhysicsScene))
        scene = next(scenes, None)
        if scene is None:
            return None
        size, direction = scene.gravity_magnitude, scene.gravity_direction
        length = math.hypot(*direction)
        if size < 0.0 and not length:
            return None
        size = size * self.units.meters if size >= 0.0 else EARTH
        if not length:
            return (0.0, 0.0, -size)
        # the units of the stage turn and scale directions, too
        x, y, z = (self.top.world[:3, :3] @ direction / (length * self.units.meters)).tolist()
        return (size * x, size * y, size * z)

    def _surroundings(self, carries: bool) -> Link | None:
        """The shapes that stand around; None if there are none, and ``carries`` nothing else."""
        link = self._shown(Link(name=WORLD), self.world)
        return link if link.visuals or link.collisions or carries else None

    def _with_extras(self, robots: Sequence[Robot], made: Sequence[Extra]) -> tuple[Robot, ...]:
        """Each robot with the extras of what it has."""
        out = []
        for robot in robots:
            owners = {f"links/{x.name}" for x in robot.links} | {f"joints/{x.name}" for x in robot.joints}
            owners |= {f"loops/{x.name}" for x in robot.loops} | {
                f"devices/{x.name}" for x in robot.devices
            }
            mine = tuple(extra for extra in made if extra.owner in owners)
            out.append(replace(robot, extras=mine))
        return tuple(out)

    def _report_variants(self) -> None:
        """Tell which variants are read: each choice is another robot."""
        for place in self.places.values():
            chosen = place.prim.variants
            if chosen is None:
                continue
            words = [
                f"{key.rpartition(' ')[2]} = {getattr(value, 'text', '')}" for key, value, _ in chosen.rest
            ]
            self.findings.info(
                "variants-selected",
                f"<{place.path}> has variants; read with {', '.join(words)}",
                place.prim.at(),
                "select others in a layer that refers to this one",
            )


_NOTHING = d.PhysicsScene()


def _is_site(place: Place) -> bool:
    return place.prim.newton_site is not None or place.prim.mjc_site is not None


def _with_surroundings(robot: Robot, around: Link) -> Robot:
    """The robot with what stands still beside it: on its link that is the world, if it has one."""
    if any(link.name == WORLD for link in robot.links):
        links = tuple(
            replace(
                link,
                visuals=(*link.visuals, *around.visuals),
                collisions=(*link.collisions, *around.collisions),
            )
            if link.name == WORLD
            else link
            for link in robot.links
        )
        return replace(robot, links=links)
    return replace(robot, surroundings=around)


def _of_scene(made: Sequence[Extra]) -> tuple[Extra, ...]:
    return tuple(extra for extra in made if not extra.owner)
