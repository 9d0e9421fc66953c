"""Compares robots with what libsdformat made of the same SDF file (shared/oracle/more/README.md)."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from unibody.files.access import Files
from unibody.formats.loader import Reading, read
from unibody.formats.sdf import FORMAT
from unibody.model import shape as s
from unibody.model.device import Camera, RangeSensor
from unibody.model.pose import (
    IDENTITY,
    Pose,
    from_axis_angle,
    from_rpy,
    matrix_quaternion,
    multiply,
    rotate,
)
from unibody.model.robot import Joint, Link, Robot

TOLERANCE = 1e-9
_KINDS = {"continuous": "revolute", "revolute2": "universal"}
_LASERS = ("ray", "gpu_ray", "lidar", "gpu_lidar")
_DEVICES = {
    "camera": "camera",
    "depth_camera": "camera",
    "rgbd_camera": "camera",
    "wideanglecamera": "camera",
    "imu": "IMU",
    "force_torque": "force-torque sensor",
    "contact": "contact switch",
    **dict.fromkeys(_LASERS, "range sensor"),
}


def load(path: Path) -> dict[str, Any]:
    """The truth in a file, which may be packed."""
    data = path.read_bytes()
    loaded: dict[str, Any] = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    return loaded


def reading(path: Path) -> Reading:
    """The reading of an SDF file, for which the folder ``model`` beside it is searched."""
    places = f"{path.parent / 'model'}"
    return read(path, FORMAT, files=Files(environment={"SDF_PATH": places}))


def robots(found: Reading) -> list[Robot]:
    """The robots of a file."""
    if found.scene is not None:
        return [*found.scene.robots]
    return [] if found.robot is None else [found.robot]


def pose(numbers: Sequence[float]) -> Pose:
    """A pose of the truth, whose quaternion may not be normalized."""
    x, y, z, *q = map(float, numbers)
    length = math.hypot(*q) or 1.0
    return Pose((x, y, z), (q[0] / length, q[1] / length, q[2] / length, q[3] / length))


def apart(a: Pose, b: Pose) -> float:
    """How far two poses differ, in m or in a quaternion."""
    turn = min(
        max(abs(x - y) for x, y in zip(a.quat, b.quat, strict=True)),
        max(abs(x + y) for x, y in zip(a.quat, b.quat, strict=True)),
    )
    return max(turn, *(abs(x - y) for x, y in zip(a.xyz, b.xyz, strict=True)))


# --- kinematics -------------------------------------------------------------------------


def _motion(joint: Joint, q: Sequence[float]) -> Pose:
    if joint.kind == "revolute":
        return Pose(quat=from_axis_angle(joint.axis, q[0]) or IDENTITY.quat)
    if joint.kind == "prismatic":
        a, b, c = joint.axis
        return Pose((a * q[0], b * q[0], c * q[0]))
    if joint.kind == "screw":
        a, b, c = (v * q[0] * joint.lead for v in joint.axis)
        return Pose((a, b, c), from_axis_angle(joint.axis, q[0]) or IDENTITY.quat)
    if joint.kind == "universal":
        first = from_axis_angle(joint.axis, q[0]) or IDENTITY.quat
        second = from_axis_angle(joint.axis2 or (0.0, 0.0, 1.0), q[1]) or IDENTITY.quat
        return Pose(quat=multiply(first, second))
    if joint.kind == "ball":
        return pose((0.0, 0.0, 0.0, *q))
    return IDENTITY


def link_poses(
    robot: Robot, q: Mapping[str, Sequence[float]] | None = None, at: Mapping[str, Pose] | None = None
) -> dict[str, Pose]:
    """The poses of links in the world; joints without a position are at zero, links of ``at`` there."""
    made = {robot.root: robot.pose, **(at or {})}
    known = {joint.name for joint in robot.joints if joint.child in made}
    todo = [joint for joint in robot.joints if joint.name not in known]
    while todo:
        left = [joint for joint in todo if joint.parent not in made]
        for joint in todo:
            if joint.parent in made:
                moved = _motion(joint, q[joint.name]) if q and joint.name in q else IDENTITY
                made[joint.child] = made[joint.parent] @ joint.origin @ moved
        assert len(left) < len(todo)
        todo = left
    return made


def frame_of(robot: Robot, link: str) -> Pose:
    """The frame of a link of the file in that of the robot's link."""
    return next((f.pose for f in robot.frames if f.name == link and f.link == link), IDENTITY)


# --- names ------------------------------------------------------------------------------


def _models(model: dict[str, Any], outer: Pose, prefix: str) -> Iterator[tuple[dict[str, Any], Pose, str]]:
    yield model, outer, prefix
    for inner in model.get("models", []):
        yield from _models(inner, outer @ pose(inner["X"]), f"{prefix}{inner['name']}::")


def _tops(truth: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    if truth.get("model"):
        return [(truth["model"], "")]
    worlds = truth.get("worlds") or []
    return [(m, m["name"]) for m in worlds[0]["models"]] if worlds else []


def own(name: str, robot: Robot, model: str) -> str:
    """The name in a robot of an item that a model of a world has."""
    joined = f"{model}::{name}"
    taken = {x.name for many in (robot.links, robot.joints, robot.frames) for x in many}
    return joined if model and joined in taken else name


class Comparison:
    """The differences between a reading and the truth about the file."""

    def __init__(self, found: Reading, truth: dict[str, Any]) -> None:
        self.out: list[str] = []
        self.truth = truth
        every = robots(found)
        tops = _tops(truth)
        moving = [model for model, _ in tops if not model.get("static")]
        for model, name in tops:
            if len(every) == 1 and moving and model not in moving:
                self.beside(every[0], model)
                continue
            robot = self._robot(every, model, name)
            if robot is None:
                if any(m["links"] for m, _, _ in _models(model, IDENTITY, "")):
                    self.say(f"no robot for model {model['name']}")
                continue
            self.poses = link_poses(robot)
            for inner, outer, prefix in _models(model, pose(model.get("X") or [0, 0, 0, 1, 0, 0, 0]), ""):
                self.model(robot, inner, outer, prefix, name)
        if truth.get("evaluated"):
            self.evaluated(every, truth)

    def beside(self, robot: Robot, model: dict[str, Any]) -> None:
        """Compare the shapes of a static model with those of what stands beside the robot."""
        around = next((link for link in robot.solids if link.name == "world"), Link(name="world"))
        for inner, outer, prefix in _models(model, pose(model["X"]), f"{model['name']}::"):
            for item in inner["links"]:
                start = f"{prefix}{item['name']}::"
                start = "" if start == "surroundings::link::" else start
                back = (outer @ pose(item["X"])).inverse()
                for word in ("visuals", "collisions"):
                    made = [x for x in getattr(around, word) if x.name.startswith(start)]
                    made = [replace(x, name=x.name.removeprefix(start)) for x in made]
                    made = [x for x in made if "::" not in x.name]
                    self.shapes(f"static {item['name']} {word}", made, item[word], back)

    def _robot(self, every: list[Robot], model: dict[str, Any], name: str) -> Robot | None:
        if len(every) == 1:
            return every[0]
        exact = [r for r in every if r.name == model["name"]]
        if exact:
            return exact[0]
        return next((r for r in every if any(x.name.startswith(f"{name}::") for x in r.links)), None)

    def say(self, text: str) -> None:
        """Note a difference."""
        self.out.append(text)

    def near(self, what: str, a: float, b: Any) -> None:
        """Compare two numbers."""
        b = float(b)
        if a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= TOLERANCE * max(1.0, abs(b))):
            return
        self.say(f"{what}: {a} instead of {b}")

    def placed(self, what: str, a: Pose, b: Pose) -> None:
        """Compare two poses."""
        if not apart(a, b) <= TOLERANCE:
            self.say(f"{what}: {a} instead of {b}")

    def model(self, robot: Robot, truth: dict[str, Any], outer: Pose, prefix: str, top: str) -> None:
        """Compare a model, whose items have names with a prefix."""
        links = {link.name: link for link in robot.links}
        for item in truth["links"]:
            name = own(prefix + item["name"], robot, top)
            if name == "world" and "world_link" in links:
                name = "world_link"
            if name not in links:
                self.say(f"no link {name}")
                continue
            self.link(robot, links[name], item, outer)
        for item in truth["joints"]:
            self.joint(robot, item, outer, prefix, top)
        frames = {frame.name: frame for frame in robot.frames}
        for item in truth["frames"]:
            name = own(prefix + item["name"], robot, top)
            if item["name"].startswith("_merged__"):
                continue
            if name not in frames:
                self.say(f"no frame {name}")
                continue
            frame = frames[name]
            if not isinstance(item.get("X"), list):  # an error of libsdformat
                continue
            self.placed(f"frame {name}", self.poses[frame.link] @ frame.pose, outer @ pose(item["X"]))
            body = own(prefix + item["body"], robot, top)
            if frame.link != body:
                self.say(f"frame {name} is on {frame.link} instead of {body}")

    def link(self, robot: Robot, link: Link, truth: dict[str, Any], outer: Pose) -> None:
        """Compare a link."""
        what = f"link {link.name}"
        held = link.inertial
        frame = frame_of(robot, link.name)
        self.placed(what, self.poses[link.name] @ frame, outer @ pose(truth["X"]))
        back = frame.inverse()
        if held is None:
            self.say(f"{what} has no inertial")
        else:
            self.near(f"{what} mass", held.mass, truth["m"])
            com = back.apply(held.com)
            for a, b in zip(com, truth["inertial_pose"][:3], strict=True):
                self.near(f"{what} com", a, b)
            for a, b in zip([v for row in held.inertia for v in row], truth["I"], strict=True):
                self.near(f"{what} inertia", a, b)
        for word, made in (("visuals", link.visuals), ("collisions", link.collisions)):
            self.shapes(f"{what} {word}", made, truth[word], back)
        devices = {x.name: x for x in robot.devices if x.link == link.name}
        for item in (*truth["sensors"], *truth["lights"]):
            device = devices.get(item["name"]) or devices.get(f"{link.name}::{item['name']}")
            if device is None:
                self.say(f"{what}: no device {item['name']}")
                continue
            kind = _DEVICES.get(item.get("type", ""))
            if kind is not None and device.spec.kind != kind:
                self.say(f"{what}: {item['name']} is a {device.spec.kind} instead of a {item['type']}")
            self.device(f"{what} device {item['name']}", back @ device.pose, device.spec, item)

    def device(self, what: str, made: Pose, spec: Any, truth: dict[str, Any]) -> None:
        """Compare a sensor or a light."""
        at = pose(truth["X"])
        if isinstance(spec, Camera):
            camera = truth["camera"]
            at = at @ pose(camera["raw_pose"])
            self.near(f"{what} width", spec.width, camera["width"])
            self.near(f"{what} height", spec.height, camera["height"])
            self.near(f"{what} near", spec.near, camera["near"])
            self.near(f"{what} far", spec.far, camera["far"])
            wide = max(1.0, spec.width / spec.height)
            fov = 2.0 * math.atan(wide * math.tan(spec.field_of_view / 2.0))
            self.near(f"{what} hfov", fov, camera["hfov"])
        if isinstance(spec, RangeSensor) and "lidar" in truth:
            lidar = truth["lidar"]
            self.near(f"{what} min", spec.min_distance, lidar["range"][0])
            self.near(f"{what} max", spec.max_distance, lidar["range"][1])
            self.near(f"{what} min_yaw", spec.min_yaw, lidar["h"][2])
            self.near(f"{what} max_yaw", spec.max_yaw, lidar["h"][3])
            self.near(f"{what} min_pitch", spec.min_pitch, lidar["v"][2])
        if isinstance(spec, Camera | RangeSensor):
            # forward is −Z of a device, up is Y
            for ours, theirs in (((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)), ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))):
                for a, b in zip(rotate(made.quat, ours), rotate(at.quat, theirs), strict=True):
                    self.near(f"{what} direction", a, b)
            made, at = Pose(made.xyz), Pose(at.xyz)
        self.placed(what, made, at)

    def shapes(self, what: str, made: Sequence[s.Shape], truth: list[dict[str, Any]], back: Pose) -> None:
        """Compare the shapes of a link."""
        theirs = [t for t in truth if (t.get("geometry") or {}).get("type") not in (None, "empty", "image")]
        ours = {shape.name: shape for shape in reversed(made)}
        for item in theirs:
            shape = ours.pop(item["name"], None)
            if shape is None:
                if item["geometry"]["type"] not in ("heightmap", "mesh"):
                    self.say(f"{what}: no {item['name']}")
                continue
            self.shape(f"{what} {item['name']}", shape, item, back)
        if ours:
            self.say(f"{what}: too many: {sorted(ours)}")

    def shape(self, what: str, shape: s.Shape, truth: dict[str, Any], back: Pose) -> None:
        """Compare a shape."""
        geometry, of = shape.geometry, truth["geometry"]
        kind, numbers = type(geometry).__name__.lower(), []
        match geometry:
            case s.Box():
                numbers = [*zip(geometry.size, of.get("size", ()), strict=False)]
            case s.Sphere():
                numbers = [(geometry.radius, of.get("radius", math.nan))]
            case s.Cylinder() | s.Capsule() | s.Cone():
                numbers = [(geometry.radius, of["radius"]), (geometry.height, of["length"])]
            case s.Ellipsoid():
                numbers = [*zip(geometry.radii, of["radii"], strict=True)]
            case s.MeshFile():
                kind = "mesh"
                numbers = [*zip(geometry.scale, of["scale"], strict=True)]
                if geometry.uri != of["uri"] or geometry.fragment != of.get("submesh", ""):
                    self.say(f"{what}: {geometry.uri} {geometry.fragment} instead of {of}")
            case s.Plane():
                normal = rotate((back @ shape.pose).quat, (0.0, 0.0, 1.0))
                theirs = rotate(pose(truth["X"]).quat, tuple(of["normal"]))
                numbers = [*zip(normal, theirs, strict=True)]
            case s.Extrusion() | s.Mesh():
                kind = "polyline"
            case s.ElevationGrid():
                kind = "heightmap"
        if kind != of["type"]:
            self.say(f"{what}: {kind} instead of {of['type']}")
        for a, b in numbers:
            self.near(what, a, b)
        if not isinstance(geometry, s.Plane | s.Extrusion | s.Mesh | s.ElevationGrid):
            self.placed(what, back @ shape.pose, pose(truth["X"]))
        # libsdformat does not read the friction of Drake, and has 1 without another one
        is_stated = truth.get("mu", 1.0) != 1.0
        if is_stated and shape.contact is not None and shape.contact.sliding is not None:
            self.near(f"{what} mu", shape.contact.sliding, truth["mu"])

    def joint(self, robot: Robot, truth: dict[str, Any], outer: Pose, prefix: str, top: str) -> None:
        """Compare a joint of the tree, or one that closes a loop."""
        name = own(prefix + truth["name"], robot, top)
        if truth["type"] == "gearbox":
            if not robot.couplings:
                self.say(f"no coupling for {name}")
            return
        if any(loop.name == name for loop in robot.loops):
            return
        joint = next((j for j in robot.joints if j.name == name), None)
        if joint is None:
            self.say(f"no joint {name}")
            return
        what = f"joint {name}"
        if truth["type"] not in (joint.kind, *(k for k, v in _KINDS.items() if v == joint.kind)):
            self.say(f"{what} is {joint.kind} instead of {truth['type']}")
        ends = [truth.get("parent_link") or truth["parent"], truth.get("child_link") or truth["child"]]
        theirs = [x if x == "world" else own(prefix + x, robot, top) for x in ends]
        if [joint.parent, joint.child] != theirs:
            self.say(f"{what} joins {joint.parent} and {joint.child} instead of {theirs}")
            return
        frame = outer @ pose(truth["X_MJ"])
        child = self.poses[joint.child]
        for ours, word in ((joint.axis, "axis"), (joint.axis2, "axis2")):
            if truth.get(word) and ours is not None and joint.kind not in ("fixed", "ball"):
                turned = rotate(frame.quat, tuple(truth[word]["a"]))
                made = rotate(child.quat, ours)
                for a, b in zip(made, turned, strict=True):
                    self.near(f"{what} {word}", a, b)
        if joint.kind in ("revolute", "screw", "universal", "ball"):
            gap = [a - b for a, b in zip(child.xyz, frame.xyz, strict=True)]
            if joint.kind in ("revolute", "screw"):
                axis = rotate(child.quat, joint.axis)
                along = sum(a * b for a, b in zip(gap, axis, strict=True))
                gap = [g - along * a for g, a in zip(gap, axis, strict=True)]
            if max(map(abs, gap)) > TOLERANCE:
                self.say(f"{what} is at {child.xyz} instead of {frame.xyz}")
        stated = truth.get("axis")
        if stated and joint.kind not in ("fixed", "ball"):
            low, high = float(stated["lower"]), float(stated["upper"])
            if truth["type"] == "continuous":
                low, high = -math.inf, math.inf
            self.near(f"{what} lower", joint.limits.position[0], low if low > -1e16 else -math.inf)
            self.near(f"{what} upper", joint.limits.position[1], high if high < 1e16 else math.inf)
            self.near(f"{what} effort", joint.limits.effort[1], stated["effort"])
            self.near(f"{what} velocity", joint.limits.velocity[1], stated["velocity"])
            self.near(f"{what} damping", joint.dynamics.damping, stated["damping"])
            self.near(f"{what} friction", joint.dynamics.friction, stated["friction"])
            self.near(f"{what} stiffness", joint.dynamics.stiffness, stated["spring_stiffness"])
            self.near(f"{what} rest", joint.dynamics.rest, stated["spring_reference"])
        if joint.kind == "screw":
            assert joint.pitch is not None
            self.near(f"{what} pitch", joint.pitch, truth["screw_thread_pitch"])

    def evaluated(self, every: list[Robot], truth: dict[str, Any]) -> None:
        """Compare the poses of links at the configurations of the truth."""
        tops = {model["name"]: name for model, name in _tops(truth)}
        for number, configuration in enumerate(truth["evaluated"]["configurations"]):
            for robot in every:
                names = {}
                for scoped, values in configuration["q"].items():
                    model, _, rest = scoped.partition("::")
                    if self._robot(every, {"name": model}, model) is robot:
                        name = own(rest, robot, tops.get(model, ""))
                        names[name] = values if isinstance(values, list) else [values]
                poses = link_poses(robot, names)
                for scoped, numbers in configuration["X_WL"].items():
                    model, _, rest = scoped.partition("::")
                    if self._robot(every, {"name": model}, model) is not robot:
                        continue
                    name = own(rest, robot, tops.get(model, ""))
                    name = "world_link" if name == "world" and "world_link" in poses else name
                    if name not in poses:
                        self.say(f"configuration {number}: no link {name}")
                        continue
                    made = poses[name] @ frame_of(robot, name)
                    self.placed(f"configuration {number} link {name}", made, pose(numbers))


# --- Drake ------------------------------------------------------------------------------


def _of_rows(rows: Sequence[float]) -> Pose:
    """A pose of three rows of four numbers."""
    a = [float(v) for v in rows]
    turn = matrix_quaternion(((a[0], a[1], a[2]), (a[4], a[5], a[6]), (a[8], a[9], a[10])))
    return Pose((a[3], a[7], a[11]), turn)


def drake_differences(found: Reading, truth: dict[str, Any]) -> list[str]:
    """How the poses of links at random configurations differ from those of Drake."""
    out: list[str] = []
    every = robots(found)
    bodies = [body["name"] for body in truth["bodies"]]

    def named(name: str, robot: Robot) -> str | None:
        model, _, rest = name.partition("::")
        taken = {x.name for many in (robot.links, robot.joints) for x in many}
        if name in taken:
            return name
        return rest if model == robot.name and rest in taken else None

    for number, configuration in enumerate(truth["configurations"]):
        poses = {name: _of_rows(x) for name, x in zip(bodies, configuration["X_WB"], strict=True)}
        for robot in every:
            q: dict[str, Sequence[float]] = {}
            placed: dict[str, Pose] = {}
            for joint in truth["joints"]:
                values = configuration["q"][joint["start"] : joint["start"] + joint["nq"]]
                if joint["type"] == "quaternion_floating":
                    link = named(joint["child"], robot)
                    if link is not None:
                        placed[link] = poses[joint["child"]] @ frame_of(robot, link).inverse()
                    continue
                name = named(f"{joint['model']}::{joint['name']}", robot)
                if name is None:
                    continue
                if joint["type"] == "ball_rpy":
                    turn = _of_rows(joint["X_CM"]).quat
                    back = (turn[0], -turn[1], -turn[2], -turn[3])
                    values = multiply(multiply(turn, from_rpy(*values)), back)
                q[name] = values
            made = link_poses(robot, q, placed)
            for body, theirs in poses.items():
                link = named(body, robot)
                if link is None or link not in made:
                    continue
                gap = apart(made[link] @ frame_of(robot, link), theirs)
                if not gap <= TOLERANCE:
                    out.append(f"configuration {number} link {link}: {gap}")
        missing = [b for b in bodies if not b.startswith("World") and not any(named(b, r) for r in every)]
        out += [f"no link {b}" for b in missing]
    return out
