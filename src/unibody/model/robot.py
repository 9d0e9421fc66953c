"""The neutral model of a robot: links, joints and what belongs to them, for all formats.

SI units, radians, right-handed frames. Names are unique; lists keep document order.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Any, Literal, Protocol, TypeVar

from unibody.model.device import Device
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.metadata import INFINITE, concerns, refers, unit
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.model.shape import Shape
from unibody.text.dataclass import dataclass
from unibody.text.node import Node
from unibody.text.source import Span

Range = tuple[float, float]
UNBOUNDED: Range = (-math.inf, math.inf)


def _place() -> Any:
    return field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Link:
    """A rigid body. ``inertial`` is None exactly when the link is massless.

    ``collisions_alt`` is the second collision model of MPK (``model1``). ``collides`` is False for a
    link that is excluded from all collision detection, with the surroundings too (Body's
    ``disabled_links``); untested pairs of links are in ``SelfCollision``. ``gravity_compensation`` is the
    share of its weight that is borne: 0 falls, 1 floats, as in Gazebo's ``<gravity>false</gravity>``.
    """

    name: str
    inertial: Inertial | None = field(default=None, metadata=concerns("mass"))
    gravity_compensation: float = field(default=0.0, metadata=concerns("mass"))
    visuals: tuple[Shape, ...] = field(default=(), metadata=concerns("shape"))
    collisions: tuple[Shape, ...] = field(default=(), metadata=concerns("shape"))
    collisions_alt: tuple[Shape, ...] = field(default=(), metadata=concerns("shape"))
    collides: bool = field(default=True, metadata=concerns("shape"))
    at: Span | None = _place()

    def __repr__(self) -> str:
        mass = f"{self.inertial.mass:.6g} kg" if self.inertial else "massless"
        if self.inertial and self.inertial.unknown == "mass":
            mass = "unknown mass"
        shapes = f"{len(self.visuals)} visuals, {len(self.collisions)} collisions"
        return f"<Link {self.name!r}: {mass}, {shapes}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Lower and upper bounds: position (rad or m), its rates (per s, s² and s³), effort (N·m or N).

    ``acceleration`` bounds motions that gain speed, ``deceleration`` those that lose it.
    """

    position: Range = field(default=UNBOUNDED, metadata=unit("rad", "m") | INFINITE)
    velocity: Range = field(
        default=UNBOUNDED, metadata=unit("rad/s", "m/s") | INFINITE | concerns("actuation")
    )
    acceleration: Range = field(
        default=UNBOUNDED, metadata=unit("rad/s²", "m/s²") | INFINITE | concerns("actuation")
    )
    deceleration: Range = field(
        default=UNBOUNDED, metadata=unit("rad/s²", "m/s²") | INFINITE | concerns("actuation")
    )
    jerk: Range = field(
        default=UNBOUNDED, metadata=unit("rad/s³", "m/s³") | INFINITE | concerns("actuation")
    )
    effort: Range = field(default=UNBOUNDED, metadata=unit("N·m", "N") | INFINITE | concerns("actuation"))
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dynamics:
    """Passive effects in a joint: damping (N·m·s/rad or N·s/m), dry friction (N·m or N) and a spring.

    The spring with ``stiffness`` (N·m/rad or N/m) pulls toward ``rest`` (rad or m).
    """

    damping: float = field(default=0.0, metadata=unit("N·m·s/rad", "N·s/m"))
    friction: float = field(default=0.0, metadata=unit("N·m", "N"))
    stiffness: float = field(default=0.0, metadata=unit("N·m/rad", "N/m"))
    rest: float = field(default=0.0, metadata=unit("rad", "m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator:
    """The drive of a joint; None for values that the file does not give.

    The joint is at q = q_actuator / gear_ratio + offset (rad or m); a negative ratio turns the other way.
    rotor_inertia in kg·m² before the gear; axis_inertia in kg·m² (kg for sliding joints)
    when the file gives the reflected inertia itself; torque_constant in N·m/A;
    resistance in Ω; encoder_pulses per turn.
    """

    mode: Literal["effort", "displacement", "velocity", "surface_velocity", "link_position"] | None = None
    gear_ratio: float | None = None
    offset: float | None = field(default=None, metadata=unit("rad", "m"))
    gear_efficiency: float | None = None
    rotor_inertia: float | None = field(default=None, metadata=unit("kg·m²"))
    axis_inertia: float | None = field(default=None, metadata=unit("kg·m²", "kg"))
    torque_constant: float | None = field(default=None, metadata=unit("N·m/A"))
    resistance: float | None = field(default=None, metadata=unit("Ω"))
    encoder_pulses: float | None = field(default=None, metadata=unit("per turn"))
    max_current: float | None = field(default=None, metadata=unit("A"))

    @property
    def reflected_inertia(self) -> float:
        """Rotor inertia felt at the joint: gear_ratio² · rotor_inertia, in kg·m²."""
        if self.axis_inertia is not None:
            return self.axis_inertia
        ratio = 1.0 if self.gear_ratio is None else self.gear_ratio
        return ratio * ratio * (self.rotor_inertia or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """A joint between two links; the child's frame is the joint's frame.

    ``origin`` is the child's pose in the parent at the zero position, ``axis`` a unit
    vector in the child's frame, ``initial`` the initial position (rad or m). ``number`` is the
    author's joint id, −1 for a moving joint without id in a format that has them (Choreonoid cannot
    control it), None in a format without. A ``passive`` joint is driven by nothing: planners and inverse
    kinematics do not move it. A continuous joint is a revolute one without limits.

    A screw joint moves its child by ``pitch`` meters along the axis with each turn about it, along the
    axis for a positive turn if positive (a right-handed thread). A universal joint turns its child about
    ``axis`` by its first position, then about ``axis2`` in the turned frame by its second one; the two
    need not be orthogonal. Its ``limits``, ``dynamics`` and ``actuator`` are those of each of the two.
    ``pitch`` and ``axis2`` are None for other kinds, and where a file does not give them: such a joint
    cannot be computed.
    """

    name: str
    kind: JointKind
    parent: str = field(metadata=refers("links"))
    child: str = field(metadata=refers("links"))
    origin: Pose = IDENTITY
    axis: Vector3 = (0.0, 0.0, 1.0)
    axis2: Vector3 | None = None
    pitch: float | None = field(default=None, metadata=unit("m/turn"))
    limits: Limits = Limits()
    dynamics: Dynamics = field(default=Dynamics(), metadata=concerns("actuation"))
    actuator: Actuator = field(default=Actuator(), metadata=concerns("actuation"))
    initial: float = field(default=0.0, metadata=unit("rad", "m"))
    number: int | None = field(default=None, metadata=concerns("numbering"))
    passive: bool = field(default=False, metadata=concerns("planning"))
    at: Span | None = _place()

    @property
    def missing(self) -> str:
        """The field that the motion of the joint needs and that is None, "pitch" or "axis2"; else ""."""
        for name in KINDS[self.kind].needs:
            if getattr(self, name) is None:
                return name
        return ""

    @property
    def is_locked(self) -> bool:
        """Whether equal limits hold the joint where they are.

        >>> limits = Limits(position=(0.5, 0.5))
        >>> Joint(name="j", kind="revolute", parent="a", child="b", limits=limits).is_locked
        True
        """
        low, high = self.limits.position
        return low == high and KINDS[self.kind].bounded

    @property
    def lead(self) -> float:
        """Translation of a screw joint along its axis per angle (m/rad); 0 for other kinds.

        >>> round(Joint(name="j", kind="screw", parent="a", child="b", pitch=0.002).lead, 9)
        0.00031831
        """
        return 0.0 if self.pitch is None or self.kind != "screw" else self.pitch / (2.0 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coupling:
    """``joint`` follows ``leader``: q_joint = ratio · q_leader + offset (URDF mimic)."""

    joint: str = field(metadata=refers("joints"))
    leader: str = field(metadata=refers("joints"))
    ratio: float = 1.0
    offset: float = field(default=0.0, metadata=unit("rad", "m"))
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """Linear map from a coordinate to a joint: the joint's position at 0 and at 1 (rad or m)."""

    joint: str = field(metadata=refers("joints"))
    at_zero: float = field(metadata=unit("rad", "m"))
    at_one: float = field(metadata=unit("rad", "m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Coordinate:
    """A normalized coordinate of the configuration space (an MPK parameter), in [0, 1]."""

    index: int
    drives: tuple[Drive, ...] = ()
    cyclic: bool = False
    passive: bool = False
    frozen: bool = False
    weight: float = 1.0
    default: float = 0.5
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """The motions that a loop forbids, relative to its axis.

    axial: translation along the axis; radial: translation across it; twist: rotation about
    the axis; swing: rotation of the axis itself.
    """

    axial: bool = field(metadata={"was": "along"})
    radial: bool = field(metadata={"was": "across"})
    twist: bool = field(default=False, metadata={"was": "about"})
    swing: bool = field(default=False, metadata={"was": "tilt"})

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The forbidden motions in words.

        >>> BALL.forbidden
        ('sliding along the axis', 'sliding across it')
        """
        motions = {
            "sliding along the axis": self.axial,
            "sliding across it": self.radial,
            "turning about it": self.twist,
            "tilting": self.swing,
        }
        return tuple(motion for motion, held in motions.items() if held)


BALL = Holds(axial=True, radial=True)
HINGE = Holds(axial=True, radial=True, swing=True)
FIXED = Holds(axial=True, radial=True, twist=True, swing=True)
PISTON = Holds(axial=False, radial=True, swing=True)
XY = Holds(axial=False, radial=True)
Z = Holds(axial=True, radial=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A constraint that closes a chain: two link frames held together.

    The poses are of the anchor in each link; ``axis`` is a unit vector in the frame of
    link_a. Choreonoid's own solver holds only the two translations of a piston.
    """

    name: str
    link_a: str = field(metadata=refers("links"))
    link_b: str = field(metadata=refers("links"))
    pose_a: Pose = IDENTITY
    pose_b: Pose = IDENTITY
    axis: Vector3 = (0.0, 0.0, 1.0)
    holds: Holds = BALL
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCollision:
    """The pairs of links that are tested for collision.

    ``default`` applies to pairs that are not listed: "all" are tested, "none", or those whose links
    are "not_adjacent". ``unibody.model.collision.PairRules`` says what that means, and what wins.
    """

    default: Literal["all", "none", "not_adjacent"] = "not_adjacent"
    enabled: tuple[tuple[str, str], ...] = field(default=(), metadata=refers("links"))
    disabled: tuple[tuple[str, str], ...] = field(default=(), metadata=refers("links"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A named frame on a link; ``trace`` marks one whose path a planner draws.

    ``shape`` is what viewers draw there, in the frame; the text of the file keeps it.
    """

    name: str
    link: str = field(metadata=refers("links"))
    pose: Pose = IDENTITY
    trace: bool = False
    shape: Shape | None = field(default=None, compare=False, repr=False)
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The joints on the path from ``base_link`` to ``tip_link``."""

    base_link: str = field(metadata=refers("links"))
    tip_link: str = field(metadata=refers("links"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A named set of links and joints, in order.

    A member is a link or a group; SRDF also lists joints, chains, and other groups of the robot by name.
    """

    name: str
    members: tuple[str | Group, ...] = field(default=(), metadata=refers("links"))
    joint_members: tuple[str, ...] = field(default=(), metadata=refers("joints"))
    chains: tuple[Chain, ...] = ()
    subgroups: tuple[str, ...] = field(default=(), metadata=refers("groups"))
    at: Span | None = _place()


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A named posture: positions (rad or m) by joint; joints that are not listed are left open.

    A joint of several degrees of freedom is listed once for each of its numbers, in their order.
    ``group`` is the group that the posture is of; None for the whole robot. ``places`` are the places of
    ``positions`` in the file, empty if unknown.
    """

    name: str
    group: str | None = field(default=None, metadata=refers("groups"))
    positions: tuple[tuple[str, float], ...] = field(
        default=(), metadata=unit("rad", "m") | refers("joints")
    )
    at: Span | None = _place()
    places: tuple[Span | None, ...] = field(default=(), compare=False, repr=False)

    @property
    def by_joint(self) -> dict[str, float | tuple[float, ...]]:
        """The position of each joint: a number, or those of a joint of several degrees of freedom.

        >>> Configuration(name="home", positions=(("knee", 0.5), ("base", 1.0), ("base", 2.0))).by_joint
        {'knee': 0.5, 'base': (1.0, 2.0)}
        """
        out: dict[str, tuple[float, ...]] = {}
        for joint, value in self.positions:
            out[joint] = (*out.get(joint, ()), value)
        return {joint: values if len(values) > 1 else values[0] for joint, values in out.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraFile:
    """A file that an extra refers to: where its ``node`` has the word ``name``, it means ``uri``.

    ``path`` is the file that was found ("" if missing; not compared).
    """

    name: str
    uri: str
    path: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Data that only one format represents, kept for that format's writer.

    ``owner`` is the path of the item it belongs to ("links/WAIST", "" for the robot); ``node`` holds
    the items as they were written, with the names of ``files`` instead of their URIs.
    """

    format: str
    owner: str = ""
    node: Node = field(default_factory=Node)
    files: tuple[ExtraFile, ...] = ()


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T", bound=_Named)


def _find(items: Sequence[_T], name: str, word: str, robot: str) -> _T:
    for item in items:
        if item.name == name:
            return item
    from unibody.text.near import suggestion

    raise KeyError(f"{robot!r} has no {word} {name!r}{suggestion(name, [item.name for item in items])}")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Robot:
    """A robot: a tree of links and joints with loops, couplings, devices and frames.

    ``base`` is "fixed", "free", or None if the file does not specify it; ``pose`` is the pose of the
    root link in the world. The root link has no joint. ``surroundings`` is what stands beside the robot in
    its file: a link called "world" that is not in ``links``, whose shapes, frames and devices are in the
    frame of the world. ``gravity`` is that of the world, in the world's axes; None if the file states none.
    ``up`` is the axis of its file that is drawn upwards, and ``folder`` is that of its file, where relative
    paths begin; they are neither compared nor saved.

    >>> Robot(name="pendulum", links=(Link(name="base"),)).root
    'base'
    """

    name: str = field(metadata=concerns("numbering"))
    links: tuple[Link, ...] = field(default=(), metadata=concerns("motion"))
    joints: tuple[Joint, ...] = field(default=(), metadata=concerns("motion"))
    loops: tuple[Loop, ...] = field(default=(), metadata=concerns("motion"))
    coordinates: tuple[Coordinate, ...] = field(default=(), metadata=concerns("planning"))
    couplings: tuple[Coupling, ...] = field(default=(), metadata=concerns("motion"))
    devices: tuple[Device, ...] = field(default=(), metadata=concerns("sensors"))
    frames: tuple[Frame, ...] = field(default=(), metadata=concerns("planning"))
    groups: tuple[Group, ...] = field(default=(), metadata=concerns("planning"))
    configurations: tuple[Configuration, ...] = field(default=(), metadata=concerns("planning"))
    self_collision: SelfCollision = field(default=SelfCollision(), metadata=concerns("planning"))
    base: Literal["fixed", "free"] | None = field(default=None, metadata=concerns("motion"))
    pose: Pose = field(default=IDENTITY, metadata=concerns("motion"))
    surroundings: Link | None = field(default=None, metadata=concerns("planning"))
    gravity: Vector3 | None = field(default=None, metadata={**concerns("motion"), **unit("m/s²")})
    extras: tuple[Extra, ...] = field(default=(), metadata=concerns("vendor"))
    up: Literal["y", "z"] = field(default="z", compare=False, repr=False)
    folder: str = field(default="", compare=False, repr=False)

    @property
    def root(self) -> str:
        """Name of the link that is no joint's child; KeyError if there is none."""
        children = {joint.child for joint in self.joints}
        for link in self.links:
            if link.name not in children:
                return link.name
        raise KeyError(f"{self.name!r} has no root link")

    @property
    def solids(self) -> tuple[Link, ...]:
        """Whatever may have shapes: the links, and the surroundings behind them.

        >>> Robot(name="r", links=(Link(name="base"),), surroundings=Link(name="world")).solids[1].name
        'world'
        """
        return self.links if self.surroundings is None else (*self.links, self.surroundings)

    def with_solids(self, step: Callable[[Link], Link]) -> Robot:
        """The robot with the result of ``step`` for each link and for the surroundings."""
        around = None if self.surroundings is None else step(self.surroundings)
        return replace(self, links=tuple(map(step, self.links)), surroundings=around)

    @property
    def mass(self) -> float:
        """Sum of the links' masses in kg; NaN if that of a link is unknown (see ``Inertial``)."""
        inertials = [link.inertial for link in self.links if link.inertial]
        if any(each.unknown == "mass" for each in inertials):
            return math.nan
        return sum(each.mass for each in inertials)

    @property
    def _mass_words(self) -> str:
        mass = self.mass
        return "unknown mass" if math.isnan(mass) else f"{mass:.6g} kg"

    def __repr__(self) -> str:
        counts = f"{len(self.links)} links, {len(self.joints)} joints"
        return f"<Robot {self.name!r}: {counts}, {self._mass_words}>"

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        from html import escape

        rows = {
            "links": f"{len(self.links)}",
            "joints": f"{len(self.joints)}",
            "devices": f"{len(self.devices)}",
            "mass": self._mass_words,
            "base": self.base or "unspecified",
        }
        cells = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>{escape(self.name)}</caption>{cells}</table>"

    def link(self, name: str) -> Link:
        """The link with this name, or the surroundings; KeyError with the closest name otherwise."""
        return _find(self.solids, name, "link", self.name)

    def joint(self, name: str) -> Joint:
        """The joint with this name; KeyError with the closest name otherwise."""
        return _find(self.joints, name, "joint", self.name)

    def device(self, name: str) -> Device:
        """The device with this name; KeyError with the closest name otherwise."""
        return _find(self.devices, name, "device", self.name)

    def frame(self, name: str) -> Frame:
        """The frame with this name; KeyError with the closest name otherwise."""
        return _find(self.frames, name, "frame", self.name)

    def children(self, link: str) -> tuple[str, ...]:
        """Names of the links that joints connect to ``link`` as their parent, in document order."""
        self.link(link)
        return tuple(joint.child for joint in self.joints if joint.parent == link)

    def chain(self, a: str, b: str) -> tuple[str, ...]:
        """Names of the joints on the path from link ``a`` to link ``b``, in that order.

        >>> arm = Joint(name="shoulder", kind="revolute", parent="base", child="arm")
        >>> Robot(name="r", links=(Link(name="base"), Link(name="arm")), joints=(arm,)).chain("arm", "base")
        ('shoulder',)
        """
        for link in (a, b):
            self.link(link)
        up, down = branches(self.joints, a, b)
        return tuple(joint.name for joint in (*up, *reversed(down)))


def branches(joints: Sequence[Joint], a: str, b: str) -> tuple[list[Joint], list[Joint]]:
    """The joints from two links up to their nearest common ancestor; up to their roots if there is none."""
    above = {joint.child: joint for joint in joints}

    def to_root(link: str) -> list[Joint]:
        out: list[Joint] = []
        while link in above and len(out) <= len(joints):
            out.append(above[link])
            link = above[link].parent
        return out

    up, down = to_root(a), to_root(b)
    while up and down and up[-1] is down[-1]:
        up.pop()
        down.pop()
    return up, down


def check_is_robot(given: object) -> None:
    """Raise TypeError if ``given`` is not a robot, such as the path of a model file.

    >>> check_is_robot("arm.urdf")
    Traceback (most recent call last):
    TypeError: expected a Robot, got str; unibody.load('arm.urdf') reads one
    """
    if not isinstance(given, Robot):
        raise not_accepted(given, "a Robot")


def not_accepted(given: object, accepted: str) -> TypeError:
    """The error of an argument of another type, with the call that reads a path."""
    is_path = isinstance(given, (str, os.PathLike))
    hint = f"; unibody.load({os.fspath(given)!r}) reads one" if is_path else ""  # type: ignore[call-overload]
    return TypeError(f"expected {accepted}, got {type(given).__name__}{hint}")
