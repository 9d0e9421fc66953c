"""Small robots without any symmetry, written as URDF and MJCF by means of their own: numpy and text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Triple = tuple[float, float, float]
_HINGES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide"}


def turned(axis: int, angle: float) -> Array:
    """The rotation about a coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    out = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    out[a, a], out[a, b], out[b, a], out[b, b] = c, -s, s, c
    return out


def rotation(rpy: Sequence[float]) -> Array:
    """The rotation of roll, pitch, yaw of URDF."""
    return np.asarray(turned(2, rpy[2]) @ turned(1, rpy[1]) @ turned(0, rpy[0]))


def other_order(rpy: Sequence[float]) -> Array:
    """The rotation of roll, pitch, yaw in the other order."""
    return np.asarray(turned(0, rpy[0]) @ turned(1, rpy[1]) @ turned(2, rpy[2]))


def steiner(mass: float, arm: Array) -> Array:
    """The inertia of a point mass at the end of an arm."""
    return np.asarray(mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm)))


@dataclass(frozen=True, eq=False)
class Link:
    """A link: its mass, center of mass, and the inertia in axes that are turned by ``axes``."""

    name: str
    mass: float
    com: Array
    inertia: Array
    rpy: Triple = (0.0, 0.0, 0.0)

    def in_link(self) -> Array:
        """The inertia in the axes of the link."""
        return np.asarray(rotation(self.rpy) @ self.inertia @ rotation(self.rpy).T)


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint: ``turn`` replaces the rotation of rpy, ``pos`` is the anchor of MJCF.

    ``mimic`` is the joint that it follows, with ratio and offset.
    """

    name: str
    kind: str
    parent: str
    child: str
    xyz: Array
    rpy: Triple
    axis: Array
    limits: tuple[float, float] = (-1.0, 1.0)
    turn: Array | None = None
    pos: Array | None = None
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    springref: float = 0.0
    ref: float = 0.0
    mimic: tuple[str, float, float] | None = None

    def rotated(self) -> Array:
        """The rotation of the origin."""
        return rotation(self.rpy) if self.turn is None else self.turn


@dataclass(frozen=True, eq=False)
class Robot:
    """A tree of links; ``gravity`` is an option of MJCF."""

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    free: bool = False
    pos: Triple = (0.0, 0.0, 0.0)
    gravity: Triple | None = None

    def with_links(self, step: Callable[[Link], Any], *names: str) -> Robot:
        """The robot with fields of links replaced, of all or of those with these names."""
        links = (replace(x, **step(x)) if not names or x.name in names else x for x in self.links)
        return replace(self, links=tuple(links))

    def with_joints(self, step: Callable[[Joint], Any], *names: str) -> Robot:
        """The robot with fields of joints replaced, of all or of those with these names."""
        joints = (replace(x, **step(x)) if not names or x.name in names else x for x in self.joints)
        return replace(self, joints=tuple(joints))

    def link(self, name: str) -> Link:
        """The link with a name."""
        return next(link for link in self.links if link.name == name)


@dataclass(frozen=True)
class Maker:
    """Makes links of clouds of mass points, and joints between them, all different."""

    seed: int
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "random", np.random.default_rng(self.seed))

    def link(self, name: str, mass: float, size: float = 0.12, *, turned: bool = False) -> Link:
        """A link that is a cloud of mass points."""
        points = self.random.uniform(-1.0, 1.0, (9, 3)) * self.random.uniform(0.3, 1.0, 3) * size
        weights = self.random.uniform(0.2, 1.0, 9)
        weights *= mass / weights.sum()
        com = weights @ points / mass
        inertia = sum((steiner(w, p - com) for w, p in zip(weights, points, strict=True)), np.zeros((3, 3)))
        shift = self.random.uniform(-0.6, 0.8, 3) * size
        return Link(name, mass, com + shift, inertia, self.angles() if turned else (0.0, 0.0, 0.0))

    def angles(self) -> Triple:
        """Roll, pitch and yaw."""
        r, p, y = self.random.uniform(-1.2, 1.2, 3).round(3).tolist()
        return r, p, y

    def joint(self, name: str, kind: str, parent: str, child: str, **more: Any) -> Joint:
        """A joint anywhere, with any axis."""
        xyz, axis = self.random.uniform(-0.25, 0.3, 3).round(4), self.random.normal(size=3)
        low, high = self.random.uniform(0.8, 2.4, 2).round(3).tolist()
        limits = (-0.11, 0.23) if kind == "prismatic" else (-low, high)
        unit = axis / np.linalg.norm(axis)
        return Joint(name, kind, parent, child, xyz, self.angles(), unit, limits, **more)

    def arm(self, kinds: str, *, turned: bool = False, **more: Any) -> Robot:
        """A chain l0, l1, … with joints j1, …: r, p and c are revolute, prismatic and continuous."""
        links, joints = [self.link("l0", 3.0)], []
        words = {"r": "revolute", "p": "prismatic", "c": "continuous"}
        for k, kind in enumerate(kinds, 1):
            links.append(self.link(f"l{k}", float(self.random.uniform(0.5, 3.0)), turned=turned))
            joints.append(self.joint(f"j{k}", words[kind], f"l{k - 1}", f"l{k}", **more))
        return Robot(f"arm{self.seed}", tuple(links), tuple(joints))

    def fixed(self, robot: Robot, to: str, name: str, mass: float) -> Robot:
        """The robot with one more link that is fixed to another one."""
        joint = self.joint(f"{name}_mount", "fixed", to, name)
        return replace(robot, links=(*robot.links, self.link(name, mass)), joints=(*robot.joints, joint))


def merged(
    robot: Robot, name: str, *, turn: bool = True, rotate: bool = True, own_com: bool = True
) -> Robot:
    """The robot with a link that is fixed merged into the one above, as importers do it, or do it wrong."""
    child, joint = robot.link(name), next(j for j in robot.joints if j.child == name)
    parent = robot.link(joint.parent)
    by = joint.rotated() if rotate else np.eye(3)
    place, own = joint.xyz + by @ child.com, parent.com if own_com else np.zeros(3)
    mass = parent.mass + child.mass
    com = (parent.mass * own + child.mass * place) / mass
    inertia = by @ child.in_link() @ by.T if turn else child.in_link()
    inertia = (
        inertia + steiner(child.mass, place - com) + parent.in_link() + steiner(parent.mass, own - com)
    )
    whole = Link(parent.name, mass, com, inertia)
    return replace(
        robot,
        links=tuple(whole if x is parent else x for x in robot.links if x is not child),
        joints=tuple(j for j in robot.joints if j is not joint),
    )


def without(robot: Robot, *links: str) -> Robot:
    """The robot without some links and the joints above them."""
    return replace(
        robot,
        links=tuple(x for x in robot.links if x.name not in links),
        joints=tuple(j for j in robot.joints if j.child not in links),
    )


def _words(values: Any) -> str:
    return " ".join(repr(float(value)) for value in np.ravel(values))


def urdf(robot: Robot) -> str:
    """The robot as URDF."""
    lines = [f'<robot name="{robot.name}">']
    for link in robot.links:
        i = link.inertia
        names = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
        moments = " ".join(f'{name}="{_words(i[a, b])}"' for name, a, b in names)
        origin = f'<origin xyz="{_words(link.com)}" rpy="{_words(link.rpy)}"/>'
        inertial = f'<inertial>{origin}<mass value="{link.mass}"/><inertia {moments}/></inertial>'
        lines.append(f'<link name="{link.name}">{inertial if link.mass else ""}</link>')
    for joint in robot.joints:
        low, high = joint.limits
        limits = "" if joint.kind == "continuous" else f'lower="{low}" upper="{high}" '
        lines += [
            f'<joint name="{joint.name}" type="{joint.kind}">',
            f'<parent link="{joint.parent}"/><child link="{joint.child}"/>',
            f'<origin xyz="{_words(joint.xyz)}" rpy="{_words(joint.rpy)}"/>',
        ]
        if joint.kind != "fixed":
            lines += [
                f'<axis xyz="{_words(joint.axis)}"/><limit {limits}effort="80" velocity="3"/>',
                f'<dynamics damping="{joint.damping}" friction="{joint.friction}"/>',
            ]
        if joint.mimic is not None:
            leader, ratio, offset = joint.mimic
            lines.append(f'<mimic joint="{leader}" multiplier="{ratio}" offset="{offset}"/>')
        lines.append("</joint>")
    return "\n".join([*lines, "</robot>\n"])


def mjcf(robot: Robot) -> str:
    """The robot as MJCF, in radians."""
    option = "" if robot.gravity is None else f'<option gravity="{_words(robot.gravity)}"/>'
    children = {joint.child for joint in robot.joints}
    root = next(link for link in robot.links if link.name not in children)
    lines = [f'<mujoco model="{robot.name}"><compiler angle="radian"/>{option}<worldbody>']
    lines.append(f'<body name="{root.name}" pos="{_words(robot.pos)}">')
    lines += ['<freejoint name="root"/>'] if robot.free else []
    lines += [*_body(robot, root), "</body></worldbody><equality>"]
    for joint in robot.joints:
        if joint.mimic is not None:
            leader, ratio, offset = joint.mimic
            numbers = f'polycoef="{offset} {ratio} 0 0 0"'
            lines.append(f'<joint joint1="{joint.name}" joint2="{leader}" {numbers}/>')
    return "\n".join([*lines, "</equality></mujoco>\n"])


def _body(robot: Robot, link: Link) -> Iterator[str]:
    i = link.in_link()
    if link.mass:
        six = _words([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
        yield f'<inertial pos="{_words(link.com)}" mass="{link.mass}" fullinertia="{six}"/>'
    for joint in robot.joints:
        if joint.parent == link.name:
            r = joint.rotated()
            axes = _words([*r[:, 0], *r[:, 1]])
            yield f'<body name="{joint.child}" pos="{_words(joint.xyz)}" xyaxes="{axes}">'
            yield from _joint(joint)
            yield from _body(robot, robot.link(joint.child))
            yield "</body>"


def _joint(joint: Joint) -> Iterator[str]:
    if joint.kind in _HINGES:
        items: dict[str, Any] = {"axis": joint.axis, "actuatorfrcrange": (-80.0, 80.0)}
        if joint.kind != "continuous":
            items["range"] = joint.limits
        for name in ("pos", "damping", "armature", "stiffness", "springref", "ref"):
            value = getattr(joint, name)
            if value is not None and np.any(value):
                items[name] = value
        if joint.friction:
            items["frictionloss"] = joint.friction
        more = " ".join(f'{name}="{_words(value)}"' for name, value in items.items())
        yield f'<joint name="{joint.name}" type="{_HINGES[joint.kind]}" {more}/>'
