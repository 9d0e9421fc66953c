"""Compares a robot with what MuJoCo compiled of the same file (a dump in ../shared/oracle/more)."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import unibody as ub
from unibody.model import device
from unibody.model import shape as s
from unibody.model.pose import Pose

RELATIVE, POSES = 1e-7, 1e-9
_LIGHTS = (
    device.PointLight,
    device.SpotLight,
    device.DirectionalLight,
)
_IMAGE = 3
_KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "free"}


def load(path: Path) -> dict[str, Any]:
    """A dump, with its infinite numbers."""
    words = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}

    def numbers(value: Any) -> Any:
        if isinstance(value, list):
            return [numbers(v) for v in value]
        return words.get(value, value) if isinstance(value, str) else value

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        return {k: v if k == "name" else numbers(v) for k, v in items}

    data = path.read_bytes()
    data = gzip.decompress(data) if path.suffix == ".gz" else data
    return json.loads(data, object_pairs_hook=pairs)  # type: ignore[no-any-return]


@dataclass
class Comparison:
    """A robot beside a dump; ``wrong`` lists what differs."""

    robot: ub.Robot
    dump: dict[str, Any]
    wrong: list[str] = field(default_factory=list)

    def check(self, good: bool, what: str) -> None:
        if not good:
            self.wrong.append(what)

    def near(self, ours: Any, theirs: Any, what: str, tolerance: float = RELATIVE) -> None:
        a, b = np.array(ours, float), np.array(theirs, float)
        if a.shape != b.shape:
            self.wrong.append(f"{what}: {a.tolist()} is not {b.tolist()}")
            return
        both = (a == b) | (np.isnan(a) & np.isnan(b))
        scale = 1.0 + np.abs(np.where(np.isfinite(b), b, 0.0))
        with np.errstate(invalid="ignore"):
            good = both | (np.abs(a - b) <= tolerance * scale)
        if not good.all():
            self.wrong.append(f"{what}: {a.tolist()} is not {b.tolist()}")

    def run(self) -> list[str]:
        if self._tree():
            self._joints()
            self._masses()
            self._poses()
            self._geoms()
            self._sites()
            self._devices()
            self._loops()
            self._couplings()
            self._keys()
            self._excludes()
        return self.wrong

    # --- tree ---------------------------------------------------------------------------

    def _tree(self) -> bool:
        """The link of each body; False if they do not match."""
        bodies, joints = self.dump["bodies"], self.dump["joints"]
        by_body: dict[int, list[dict[str, Any]]] = {}
        for joint in joints:
            by_body.setdefault(joint["body"], []).append(joint)
        self.by_body = by_body
        links = list(self.robot.links)
        tops = [i for i, body in enumerate(bodies) if i and body["parent"] == 0]
        free = len(tops) == 1 and all(j["type"] == "free" for j in by_body.get(tops[0], []))
        world = links[0].name == "world" and links[0].name not in [b["name"] for b in bodies[1:]]
        self.root = 0 if world else tops[0] if free else 0
        self.links: dict[int, Any] = {}
        self.chain: dict[int, list[Any]] = {}
        at = 0
        for i in range(self.root, len(bodies)):
            count = 1 if i == self.root else max(1, len(by_body.get(i, [])))
            mine = links[at : at + count]
            at += count
            if not mine:
                self.wrong.append(f"{len(links)} links for {len(bodies)} bodies")
                return False
            self.links[i], self.chain[i] = mine[-1], mine
            name = bodies[i]["name"]
            self.check(not name or mine[-1].name == name, f"body {i} '{name}' is link '{mine[-1].name}'")
        self.check(at == len(links), f"{len(links)} links, not {at}")
        parents = {j.child: j.parent for j in self.robot.joints}
        for i in range(self.root + 1, len(bodies)):
            parent = self.links.get(bodies[i]["parent"])
            first = self.chain[i][0]
            self.check(parent is not None and parents.get(first.name) == parent.name, f"parent of body {i}")
        return not self.wrong

    def anchor(self, body: int) -> Any:
        """The origin of the link of a body, in the body."""
        own = [] if body == self.root else self.by_body.get(body, [])
        if not own or own[-1]["type"] == "free":
            return (0.0, 0.0, 0.0)
        return tuple(own[-1]["p"])

    def body_pose(self, body: int) -> Pose:
        """The frame of a body in its link."""
        x, y, z = self.anchor(body)
        return Pose((-x, -y, -z))

    def pairs(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """The joints that are not fixed, beside those of the dump."""
        ours = [j for j in self.robot.joints if j.kind != "fixed"]
        theirs = [j for j in self.dump["joints"] if not (j["body"] == self.root and self.root)]
        self.check(len(ours) == len(theirs), f"{len(ours)} joints, not {len(theirs)}")
        yield from zip(ours, theirs, strict=False)

    def _joints(self) -> None:
        free = self.robot.base == "free"
        own = [j for j in self.dump["joints"] if self.root and j["body"] == self.root]
        self.check(free == bool(own), f"base is {self.robot.base}")
        for ours, theirs in self.pairs():
            what = f"joint '{theirs['name']}'"
            self.check(not theirs["name"] or ours.name == theirs["name"], f"{what} is '{ours.name}'")
            self.check(ours.kind == _KINDS[theirs["type"]], f"{what}: {ours.kind}")
            if ours.kind in ("ball", "free"):
                continue
            self.near(ours.axis, theirs["a"], f"{what}: axis")
            ref = theirs["ref"]
            limits = theirs["range"] if theirs["limited"] else [-math.inf, math.inf]
            self.near(ours.limits.position, [v - ref for v in limits], f"{what}: range")
            for name, value in (
                ("damping", ours.dynamics.damping),
                ("frictionloss", ours.dynamics.friction),
            ):
                self.near(value, _first(theirs[name]), f"{what}: {name}")
            self.near(ours.dynamics.stiffness, _first(theirs["stiffness"]), f"{what}: stiffness")
            if ours.dynamics.stiffness:
                self.near(ours.dynamics.rest, theirs["springref"] - ref, f"{what}: springref")
            self.near(ours.actuator.reflected_inertia, theirs["armature"], f"{what}: armature")

    def _masses(self) -> None:
        for i, link in self.links.items():
            body = self.dump["bodies"][i]
            what = f"body {i} '{body['name']}'"
            mass = link.inertial.mass if link.inertial else 0.0
            if i == 0:
                continue
            self.near(mass, body["m"], f"{what}: mass", RELATIVE * max(1e-3, abs(body["m"])))
            if body["m"] and link.inertial:
                com = self.body_pose(i).inverse().apply(link.inertial.com)
                self.near(com, body["c"], f"{what}: center")
                theirs = np.array(body["I"]).reshape(3, 3)
                size = float(np.abs(theirs).max()) or 1.0
                ours = np.array(link.inertial.inertia)
                self.near(ours / size, theirs / size, f"{what}: inertia")

    # --- poses --------------------------------------------------------------------------

    def _poses(self) -> None:
        m = ub.assemble(self.robot)
        names = list(m.link_names)
        for k, configuration in enumerate(self.dump["configurations"]):
            q = np.array(self._positions(configuration["qpos"]))
            if q.shape != (m.nq,):
                self.wrong.append(f"{q.size} positions, not {m.nq}")
                return
            found = np.asarray(m.forward_kinematics(q))
            for i, link in self.links.items():
                at = found[names.index(link.name)] @ np.array(self.body_pose(i).matrix())
                self.near(at[:3, 3], configuration["xpos"][i], f"configuration {k}: body {i}", POSES)
                turn = Pose((0, 0, 0), tuple(configuration["xquat"][i])).rotation()
                self.near(at[:3, :3], turn, f"configuration {k}: turn of body {i}", POSES)
            if self.wrong:
                return

    def _positions(self, qpos: list[float]) -> list[float]:
        out: list[float] = []
        if self.root:
            for joint in self.by_body.get(self.root, []):
                out += qpos[joint["qposadr"] : joint["qposadr"] + 7]
        for ours, theirs in self.pairs():
            at = theirs["qposadr"]
            if ours.kind == "free":
                x, y, z, *quat = qpos[at : at + 7]
                pose = ours.origin.inverse() @ Pose((x, y, z), tuple(quat))  # type: ignore[arg-type]
                out += [*pose.xyz, *pose.quat]
            elif ours.kind == "ball":
                out += qpos[at : at + 4]
            else:
                out.append(qpos[at] - theirs["ref"])
        return out

    # --- geoms --------------------------------------------------------------------------

    def _geoms(self) -> None:
        if self.root and self.robot.surroundings is not None:
            self.links[0] = self.robot.surroundings
        for i, link in self.links.items():
            theirs = [g for g in self.dump["geoms"] if g["body"] == i]
            paired = {pair[word] for pair in self.dump["pairs"] for word in ("geom1", "geom2")}
            solid = [
                g for g in theirs if g["contype"] or g["conaffinity"] or (g["name"] and g["name"] in paired)
            ]
            drawn = [g for g in theirs if not (g["contype"] or g["conaffinity"]) or g["group"] < 3]
            for group, chosen, word in (
                (link.visuals, drawn, "visuals"),
                (link.collisions, solid, "collisions"),
            ):
                self.check(len(group) == len(chosen), f"body {i}: {len(group)} {word}, not {len(chosen)}")
                for shape, geom in zip(group, chosen, strict=False):
                    self._geom(i, shape, geom)

    def _geom(self, body: int, shape: s.Shape, geom: dict[str, Any]) -> None:
        what = f"body {body}: geom '{geom['name']}'"
        self.check(not geom["name"] or shape.name == geom["name"], f"{what}: is '{shape.name}'")
        ours = self.body_pose(body).inverse() @ shape.pose
        size = geom["size"]
        match shape.geometry:
            case s.Sphere(radius=r):
                self.near([r], size[:1], f"{what}: size")
            case s.Capsule(radius=r, height=h) | s.Cylinder(radius=r, height=h):
                self.near([r, h / 2], size[:2], f"{what}: size")
            case s.Box(size=(x, y, z)):
                self.near([x / 2, y / 2, z / 2], size, f"{what}: size")
            case s.Ellipsoid(radii=radii):
                self.near(radii, size, f"{what}: size")
            case s.Plane(half_size=half):
                self.near(half or (0.0, 0.0), size[:2] if all(size[:2]) else (0.0, 0.0), f"{what}: size")
            case _:
                return
        self.near(ours.xyz, geom["p"], f"{what}: position")
        turn = Pose((0, 0, 0), tuple(geom["q"])).rotation()
        if not isinstance(shape.geometry, s.Sphere):
            mine, other = np.array(ours.rotation()), np.array(turn)
            if shape.at is not None and "mesh=" in shape.at.text:  # fitted: principal axes have no sign
                other = other * np.sign(np.einsum("ij,ij->j", mine, other))
            self.near(mine, other, f"{what}: orientation")

    # --- all else -----------------------------------------------------------------------

    def kept(self, kind: str) -> list[dict[str, Any]]:
        """The sites, cameras or lights of bodies that are links."""
        return [x for x in self.dump[kind] if x["body"] in self.links]

    def placed(self, link: str, pose: Pose, theirs: dict[str, Any], what: str) -> None:
        """Compare the link and the pose of something with its body and pose in the dump."""
        self.check(self.links[theirs["body"]].name == link, f"{what}: on link '{link}'")
        self.pose(self.body_pose(theirs["body"]).inverse() @ pose, theirs["p"], theirs.get("q"), what)

    def pose(self, ours: Pose, p: list[float], q: list[float] | None, what: str) -> None:
        self.near(ours.xyz, p, f"{what}: position")
        if q is not None:
            turn = Pose((0, 0, 0), (q[0], q[1], q[2], q[3])).rotation()
            self.near(ours.rotation(), turn, f"{what}: orientation")

    def _sites(self) -> None:
        sites = self.kept("sites")
        self.check(len(self.robot.frames) == len(sites), f"{len(self.robot.frames)} frames")
        for frame, site in zip(self.robot.frames, sites, strict=False):
            what = f"site '{site['name']}'"
            self.check(not site["name"] or frame.name == site["name"], f"{what} is '{frame.name}'")
            self.placed(frame.link, frame.pose, site, what)

    def _devices(self) -> None:
        for word, cls in (("cameras", device.Camera), ("lights", _LIGHTS)):
            ours = [d for d in self.robot.devices if isinstance(d.spec, cls)]
            theirs = [x for x in self.kept(word) if x["mode"] == "fixed" and x.get("type") != _IMAGE]
            self.check(len(ours) == len(theirs), f"{len(ours)} {word}, not {len(theirs)}")
            for mine, other in zip(ours, theirs, strict=False):
                what = f"{word} '{other['name']}'"
                self.check(not other["name"] or mine.name == other["name"], f"{what}: '{mine.name}'")
                self.placed(mine.link, mine.pose, other, what)
                if isinstance(mine.spec, device.Camera):
                    wide = mine.spec.width >= mine.spec.height
                    # MuJoCo's fovy of an orthographic camera is the height of the image in m
                    span = mine.spec.orthographic_span
                    view = math.degrees(mine.spec.field_of_view) if span is None else span
                    self.check(not wide or abs(view - other["fovy"]) < 1e-4, f"{what}: {view}")

    def _loops(self) -> None:
        theirs = [e for e in self.dump["equalities"] if e["type"] in ("connect", "weld") and e["active"]]
        self.check(len(self.robot.loops) == len(theirs), f"{len(self.robot.loops)} loops")
        ids = {body["name"]: i for i, body in enumerate(self.dump["bodies"]) if body["name"]}
        for loop, equality in zip(self.robot.loops, theirs, strict=False):
            what = f"equality '{equality['name']}'"
            self.check(loop.holds.swing == (equality["type"] == "weld"), f"{what}: holds {loop.holds}")
            if equality["objtype"] != "body":
                continue
            ends = [ids.get(equality[key] or "world", 0) for key in ("obj1", "obj2")]
            poses = [
                self.body_pose(i).inverse() @ pose
                for i, pose in zip(ends, (loop.pose_a, loop.pose_b), strict=True)
            ]
            if equality["obj1"]:
                self.check(self.links[ends[0]].name == loop.link_a, f"{what}: {loop.link_a}")
            data = equality["data"]
            if equality["type"] == "connect":
                self.near(poses[0].xyz, data[:3], f"{what}: anchor")
                self.near(poses[1].xyz, data[3:6], f"{what}: second anchor")
            else:
                self.near(poses[1].xyz, data[:3], f"{what}: anchor")
                self.pose(poses[0], data[3:6], data[6:10], what)

    def _couplings(self) -> None:
        linear = {
            (e["obj1"], e["obj2"]): e["data"]
            for e in self.dump["equalities"]
            if e["type"] == "joint" and e["active"] and e["obj2"] and not any(e["data"][2:5])
        }
        for coupling in self.robot.couplings:
            data = linear.pop((coupling.joint, coupling.leader), None)
            if data is not None:
                self.near((coupling.offset, coupling.ratio), data[:2], f"coupling of {coupling.joint}")

    def _keys(self) -> None:
        # <size nkey> adds keyframes without a name
        more = self.dump["keys"][len(self.robot.configurations) :]
        self.check(not any(key["name"] for key in more), f"{len(self.robot.configurations)} keyframes")
        at = {j["name"]: (j["qposadr"], j["ref"]) for j in self.dump["joints"] if "ref" in j}
        for ours, key in zip(self.robot.configurations, self.dump["keys"], strict=False):
            for name, value in ours.positions:
                if name in at:
                    place, ref = at[name]
                    self.near(value, key["qpos"][place] - ref, f"key '{key['name']}': {name}")

    def _excludes(self) -> None:
        off = {frozenset(pair) for pair in self.robot.self_collision.disabled}
        names = {link.name for link in self.links.values()}
        for pair in self.dump["excludes"]:
            self.check(not set(pair) <= names or frozenset(pair) in off, f"exclude {pair}")


def _first(value: Any) -> float:
    return float(value[0] if isinstance(value, list) else value)
