"""Compares what is read of a stage with what OpenUSD's own parser of physics has of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

import unibody as ub
from unibody.document.declare import Document
from unibody.formats.loader import Reading
from unibody.formats.names import Names
from unibody.formats.usd.document import Stage
from unibody.formats.usd.document_bodies import PhysicsJoint
from unibody.formats.usd.joints import JointReader, Units
from unibody.formats.usd.places import Place, placed, upright
from unibody.model import shape as s
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Robot
from unibody.text.finding import Findings

TOLERANCE = 2e-6
_KINDS = {"cube": s.Box, "sphere": s.Sphere, "capsule": s.Capsule, "cylinder": s.Cylinder, "cone": s.Cone}


def differences(path: Path, truth: Mapping[str, Any]) -> list[str]:
    """In what the reading of a file differs from the truth."""
    reading = ub.read(path)
    if reading.robot is None:
        return [] if not truth["bodies"] else [f"no robot: {reading.findings}"]
    return list(_Comparison(reading, truth).run())


def _number(value: Any) -> float:
    return float(value)


class _Comparison:
    def __init__(self, reading: Reading, truth: Mapping[str, Any]) -> None:
        self.reading, self.truth = reading, truth
        stage = cast(Stage, cast(Document, reading.document))
        self.top = upright(truth["upAxis"], truth["metersPerUnit"])
        self.unit = truth["metersPerUnit"]
        self.places = placed(stage.prims, self.top)
        self.stage = stage
        assert reading.robot is not None
        self.robot: Robot = reading.robot

    def run(self) -> Iterator[str]:
        """Each difference."""
        yield from self._bodies()
        yield from self._joints()
        yield from self._colliders()
        yield from self._kinematics()

    def _close(self, what: str, mine: object, truth: object, scale: float = 1.0) -> Iterator[str]:
        a, b = np.asarray(mine, float).reshape(-1), np.asarray(truth, float).reshape(-1)
        if a.shape != b.shape or not np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE * scale):
            yield f"{what}: {a.tolist()}, must be {b.tolist()}"

    def _pose(self, what: str, mine: Pose, truth: list[float]) -> Iterator[str]:
        yield from self._close(what, mine.xyz, truth[:3])
        if abs(abs(sum(a * b for a, b in zip(mine.quat, truth[3:], strict=True))) - 1.0) > 1e-6:
            yield f"{what}: {mine.quat}, must be {truth[3:]}"

    def _world(self, x: list[float]) -> Pose:
        """A pose of the truth in meters with Z up."""
        turn = np.array(self.top[:3, :3]) / self.unit
        place = Place("", self.stage.prims[0], None, np.eye(4), np.eye(4))
        place.world[:3, :3] = turn
        where = (self.top[:3, :3] @ np.array(x[:3])).tolist()
        size = math.hypot(*x[3:])
        q = tuple(value / size for value in x[3:])
        return Pose((where[0], where[1], where[2]), (place.pose @ Pose((0.0, 0.0, 0.0), q)).quat)  # type: ignore[arg-type]

    def _bodies(self) -> Iterator[str]:
        mine = [p.path for p in self.places.values() if p.prim.rigid_body is not None]
        if mine != self.truth["order"]["bodies"]:
            yield f"bodies {mine}"
        for body in self.truth["bodies"]:
            if body["path"] in self.places:
                world = self._world(body["X"])
                yield from self._pose(
                    body["path"], self.places[body["path"]].pose, [*world.xyz, *world.quat]
                )

    def _joints(self) -> Iterator[str]:
        top = Place("/", self.stage.prims[0], None, self.top, self.top)
        reader = JointReader(self.places, top, Units(self.unit, 1.0, 1.0), Findings())
        mine = [p.path for p in self.places.values() if isinstance(p.prim, PhysicsJoint)]
        known = self.truth["order"]["joints"]
        if [path for path in mine if path in known] != known:
            yield f"joints {mine}, must be {known}"
            return
        for joint in self.truth["joints"]:
            if not joint["enabled"] or joint["kind"] == "distance" or not joint.get("valid", True):
                continue
            record = reader.read(self.places[joint["path"]])
            if record is None:
                if joint["body0"] != joint["body1"]:
                    yield f"{joint['path']} is not read"
                continue
            for side, word in zip(record.sides, ("0", "1"), strict=True):
                path = "" if side.body is None else side.body.path
                if path != (joint[f"body{word}"] or ""):
                    yield f"{joint['path']}: body{word} {path}, must be {joint[f'body{word}']}"
                    continue
                x = joint[f"pose{word}"]
                if path:
                    pose = [value * self.unit for value in x[:3]] + x[3:]
                    yield from self._pose(f"{joint['path']} {word}", side.frame, pose)
                else:
                    world = self._world(x)
                    yield from self._pose(f"{joint['path']} {word}", side.frame, [*world.xyz, *world.quat])
            limit = joint.get("limit")
            if limit is not None and joint["kind"] in ("revolute", "prismatic"):
                unit = math.radians(1.0) if joint["kind"] == "revolute" else self.unit
                low, high = (_number(limit[k]) for k in ("lower", "upper"))
                if not limit["enabled"]:
                    low, high = -math.inf, math.inf
                yield from self._close(
                    f"{joint['path']} limits", record.freedoms[0].limits.position, (low * unit, high * unit)
                )

    def _colliders(self) -> Iterator[str]:
        """Count and kinds of shapes, by body."""
        counts: dict[str, int] = {}
        for each in self.truth["colliders"]:
            if each["enabled"] and each["kind"] in (*_KINDS, "mesh", "plane", "custom"):
                counts[each["body"] or ""] = counts.get(each["body"] or "", 0) + 1
        mine: dict[str, int] = {}
        for place in self.places.values():
            collision = place.prim.collision
            if collision is not None and collision.collision_enabled:
                path = "" if place.body is None else place.body.path
                mine[path] = mine.get(path, 0) + 1
        if counts != mine:
            yield f"colliders {mine}, must be {counts}"

    def _kinematics(self) -> Iterator[str]:
        """The poses of links at the initial positions are those of the stage."""
        apart = {"joint-frames-apart", "loop-broken"}
        if any(f.code in apart for f in self.reading.findings):
            return
        truth = {b["path"]: self._world(b["X"]) for b in self.truth["bodies"]}
        paths = [p.path for p in self.places.values() if p.prim.rigid_body is not None]
        names = Names()
        by_name = {names.take(self._named(path)): path for path in paths}
        scene = self.reading.scene
        for robot in (self.robot,) if scene is None else scene.robots:
            if any(joint.kind in ("ball", "free") for joint in robot.joints):
                continue
            mechanism = ub.assemble(robot)
            poses = mechanism.forward_kinematics(mechanism.initial)
            base = np.array(robot.pose.matrix())
            moved = {frame.link: frame.pose for frame in robot.frames if frame.name == frame.link}
            root = mechanism.link_names.index(robot.root)
            for name, pose in zip(mechanism.link_names, poses, strict=True):
                if name not in by_name:
                    continue
                world = base @ np.linalg.inv(poses[root]) @ pose
                wanted = np.array(truth[by_name[name]].matrix())
                # the frame of the body, if the link was moved to its joint; a site may have its name
                frames = (IDENTITY, moved.get(name, IDENTITY))
                if all(np.abs(world @ np.array(f.matrix()) - wanted).max() > 1e-5 for f in frames):
                    yield f"link {name}: {world.round(6).tolist()}, must be {wanted.round(6).tolist()}"

    def _named(self, path: str) -> str:
        prim = self.places[path].prim
        name = prim.display_name or prim.def_name
        return "world_link" if name == "world" else name
