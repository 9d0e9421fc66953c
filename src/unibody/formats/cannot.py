"""Rows that the ``CANNOT`` tables of several formats share."""

from __future__ import annotations

from unibody.formats.conditions import (
    added,
    before_is,
    changed_to,
    kind,
    missing_texture,
    removed,
    shape,
    spec,
    unknown,
    value,
)
from unibody.formats.format import Cannot
from unibody.model.base import WORLD, Base
from unibody.model.device import Device, RangeSensor
from unibody.model.gravity import is_earthly
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.robot import UNBOUNDED, Frame, Joint, Link, Robot
from unibody.model.shape import MeshFile, Plane

_WHAT = "multi-DOF joints"
_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)

_TURNS = "written as revolute joints, without the translation"
#: Rows of a format without couplings, where a screw joint is one that turns.
SCREWS = (
    Cannot("screw joints", "joints/*/kind", _TURNS, value("screw")),
    Cannot("screw joints", "joints/*/pitch", _TURNS, removed, quantity="positions"),
)

#: The row of a format with couplings, where a screw joint is a chain.
SCREW_COUPLINGS = Cannot(
    "screw joints",
    "couplings/*",
    "their translation is coupled to their rotation",
    added,
    outcome="converted",
)

SIDES = Cannot(
    "tessellation",
    "links/*/*s/*/divisions",
    "the format has no number of sides",
    removed,
    quantity="bounds",
    outcome="converted",
)

#: The rows of mesh files that are written anew, with what their shapes say of them.
CENTERS = Cannot(
    "parts of mesh files",
    "links/*/*s/*/geometry/centered",
    "the file that is written has the part at its center",
    changed_to(False),
    outcome="converted",
)
SCALES = Cannot(
    "scales of mesh files",
    "links/*/*s/*/geometry/scale",
    "applied to the file that is written",
    changed_to((1.0, 1.0, 1.0)),
    shape(MeshFile),
    outcome="converted",
)

#: The row of a format whose meshes collide as their surfaces.
HULLS = Cannot(
    "convex hulls",
    "links/*/*s/*/hull",
    "collides as its surface: only MuJoCo fills the convex hull of a mesh",
    changed_to(False),
    outcome="converted",
)

#: The row of a format with masses, for those that derive from a mesh file that was not read.
UNKNOWN = Cannot(
    "unknown masses",
    "links/*/inertial/**",
    "they derive from mesh files that were not read: written as those of the other shapes",
    None,
    unknown,
    quantity="mass",
)

#: The row of a format whose cameras all have a perspective.
ORTHOGRAPHIC = Cannot(
    "camera intrinsics",
    "devices/*/spec/orthographic_span",
    "written as a camera with a field of view",
    removed,
)

#: Rows of a format whose cameras have a field of view only.
LENSES = (
    Cannot(
        "camera intrinsics",
        "devices/*/spec/focal_ratio",
        "the pixels of a camera are squares",
        changed_to(1.0),
    ),
    Cannot(
        "camera intrinsics",
        "devices/*/spec/principal_offset",
        "the optical axis of a camera meets the middle of its picture",
        changed_to((0.0, 0.0)),
    ),
    ORTHOGRAPHIC,
)

PLANES = Cannot(
    "planes",
    "links/*/*s/*/geometry",
    "written as a square of two triangles, an infinite one 100 m wide",
    before_is(Plane),
    outcome="converted",
)


def contacts(why: str) -> Cannot:
    """The row for a format that has not all contact values of shapes."""
    return Cannot("contact values", "links/*/collisions/*/contact", why)


def weights(why: str) -> Cannot:
    """The row for a format without links that gravity pulls less."""
    return Cannot("gravity compensation", "links/*/gravity_compensation", why, changed_to(0.0))


def _of_earth(before: object, after: object) -> bool:
    return isinstance(before, tuple) and after is None and is_earthly(before)


def earthly_gravity(why: str) -> Cannot:
    """The row for a format whose files need not state the gravity of the earth."""
    return Cannot("gravity", "gravity", why, _of_earth, outcome="converted")


def gravity(why: str, elsewhere: str = "not representable: give it to the program") -> tuple[Cannot, ...]:
    """The rows for a format without the gravity of a world; ``why`` for that of the earth."""
    return (earthly_gravity(why), Cannot("gravity", "gravity", elsewhere, removed))


MISSING_TEXTURES = Cannot(
    "missing textures",
    "links/*/*s/*/material/texture",
    "the image file is missing",
    removed,
    missing_texture,
    outcome="omitted",
)


_ROOT = "the link 'world' must be the root, of a robot with a fixed base; else they are left out"


def _is_holder(before: object, after: object) -> bool:
    return before is None and isinstance(after, Joint) and after.kind == "fixed" and after.parent == WORLD


def _on_world(before: object, after: object) -> bool:
    return isinstance(before, Device | Frame) and before.link == WORLD and after is None


def _is_rooted(robot: Robot) -> bool:
    """Whether the surroundings become the root: its joint has the pose of the robot."""
    return robot.surroundings is not None and robot.base == "fixed"


#: Rows of a format whose robots have links only.
SURROUNDINGS = (
    Cannot("surroundings", "surroundings", _ROOT, removed, _is_rooted, outcome="converted"),
    Cannot("surroundings", "surroundings", _ROOT, removed),
    Cannot("surroundings", f"links/{WORLD}", _ROOT, added, outcome="converted"),
    Cannot("surroundings", "joints/*", _ROOT, _is_holder, outcome="converted"),
    Cannot("surroundings", "devices/*", _ROOT, _on_world),
    Cannot("surroundings", "frames/*", _ROOT, _on_world),
    Cannot("surroundings", "pose/*", _ROOT, changed_to(_ZERO, _NO_TURN), _is_rooted, outcome="converted"),
)


def unstated_base(base: Base) -> Cannot:
    """The row for a format that must state a base, and states this one where none is known."""
    world = "" if base == "fixed" else ", of a root link named world as fixed"
    why = f"must be stated: an unspecified base is written as {base}{world}"
    return Cannot("fixed or free base", "base", why, added, outcome="assumed")


#: What is written for a range sensor without a largest distance (m).
FARTHEST = 1e9
#: The row of a format that must state one.
RANGES = Cannot(
    "sensor ranges",
    "devices/*/spec/max_distance",
    "a largest distance must be stated; using 1e9 m",
    changed_to(FARTHEST),
    spec(RangeSensor),
    outcome="assumed",
)


def chains(*kinds: JointKind, between: str = "massless links") -> tuple[Cannot, ...]:
    """Rows for joint kinds that are written as chains of one-DOF joints, with ``between`` between them."""
    why = f"written as chains of one-DOF joints with {between} between"
    of = kind(*kinds)
    return (
        *(
            Cannot(f"{name} joints", "joints/*/kind", why, value(name), outcome="converted")
            for name in kinds
        ),
        Cannot(_WHAT, "joints/*/parent", why, None, of, outcome="converted"),
        Cannot(_WHAT, "joints/*/origin/*", why, changed_to(_ZERO, _NO_TURN), of, outcome="converted"),
        Cannot(_WHAT, "joints/*/axis", why, None, of, outcome="converted"),
        *(
            Cannot(_WHAT, f"joints/*/{x}", why, removed, outcome="converted")
            for kind in kinds
            for x in KINDS[kind].needs
        ),
        Cannot(
            _WHAT,
            "links/*",
            why,
            lambda before, after: before is None and isinstance(after, Link),
            outcome="converted",
        ),
        Cannot(
            _WHAT,
            "joints/*",
            why,
            lambda before, after: before is None and isinstance(after, Joint),
            outcome="converted",
        ),
    )


def rates(why: str) -> tuple[Cannot, ...]:
    """Rows for a format without limits of acceleration, deceleration and jerk."""
    words = ("acceleration", "deceleration", "jerk")
    return tuple(Cannot(f"{w} limits", f"joints/*/limits/{w}", why, changed_to(UNBOUNDED)) for w in words)


def joint_ids(key: str) -> Cannot:
    """The row for a format whose joints have ids: joints without one are numbered."""
    return Cannot(
        "joints without id",
        "joints/*/number",
        f"numbered in document order; Choreonoid cannot control a joint without {key}",
        value(None),
        outcome="assumed",
    )


def springs(why: str) -> tuple[Cannot, ...]:
    """Rows for a format without joint springs."""
    return (
        Cannot("springs", "joints/*/dynamics/stiffness", why, changed_to(0.0)),
        Cannot("springs", "joints/*/dynamics/rest", why, changed_to(0.0)),
    )


def passive_forces(why: str) -> tuple[Cannot, ...]:
    """Rows for a format without joint damping, friction and springs."""
    return (
        Cannot("damping", "joints/*/dynamics/damping", why, changed_to(0.0)),
        Cannot("friction", "joints/*/dynamics/friction", why, changed_to(0.0)),
        *springs(why),
    )
