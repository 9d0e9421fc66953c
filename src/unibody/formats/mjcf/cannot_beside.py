"""What MJCF cannot represent beside the tree of bodies: loops, devices, contacts, keyframes."""

from __future__ import annotations

from typing import Any

from unibody.formats.conditions import added, changed_to, removed, spec
from unibody.formats.format import Cannot
from unibody.formats.mjcf.acceptance import balanced
from unibody.formats.mjcf.carriers import CARRIER
from unibody.formats.mjcf.scans import MOST_RAYS
from unibody.model import device as m
from unibody.model.robot import BALL, FIXED, HINGE, Frame, Joint, Link, Loop
from unibody.model.scan import ray_count

_CARRIERS = (
    "MuJoCo holds points and poses only; a carrier, a small body with joints, moves as the loop allows"
)
_SETTLED = "moved to where closing the loops leaves it: MuJoCo would pull at the offset"
_ENDS = "the ends of a loop are sites of its bodies"
_SITES = "a sensor is on a site of its body, which has the name of the sensor"
_LIGHTS = "MJCF lights have a position and a direction; colors include the intensity"
_LIMITS = "MuJoCo has one cutoff for all axes"
_RAYS = "each ray is a rangefinder; the ranges end at the last ray, and there are no rates"
_MANY = f"a scan of more than {MOST_RAYS} rays is written as its middle ray; a larger step has fewer"
_COUNTED = "a contact sensor counts the contacts of a body, however small their forces are"
_PLACES = "a contact sensor is that of a whole body"
_CAMERA = "an MJCF camera has a resolution and the numbers of its lens only"
_NEIGHBORS = "excluded, since MuJoCo tests a body against one that is fixed to the world"
_ALONE = "the contact bits of its geoms tell it, and it has none"
_PAIRS = "MuJoCo never tests a body against its parent"


def _carrier(before: Any, after: Any) -> bool:
    name = after.name if isinstance(after, Link) else after.child if isinstance(after, Joint) else ""
    return before is None and CARRIER in name


def _is_end(before: Any, after: Any) -> bool:
    """Whether an added frame is named as the end of a loop."""
    name = after.name if isinstance(after, Frame) else ""
    return before is None and any(f"{name}_".find(f"_{end}_") > 0 for end in ("a", "b", "a2", "b2"))


def _has_many_rays(device: Any) -> bool:
    return isinstance(device.spec, m.RangeSensor) and ray_count(device.spec) > MOST_RAYS


def _is_carried(loop: Any) -> bool:
    return isinstance(loop, Loop) and loop.holds not in (BALL, HINGE, FIXED)


def _no_axis(loop: Any) -> bool:
    return isinstance(loop, Loop) and loop.holds in (BALL, FIXED)


def _unbalanced(before: Any, after: Any) -> bool:
    return isinstance(before, tuple) and balanced(before) != before


#: The rows of masses that come before those of the tree.
INERTIAS: tuple[Cannot, ...] = (
    Cannot("carriers of loops", "links/*", _CARRIERS, _carrier, quantity="mass", outcome="assumed"),
    Cannot("carriers of loops", "joints/*", _CARRIERS, _carrier, outcome="assumed"),
    Cannot(
        "impossible inertias",
        "links/*/inertial/inertia",
        "MuJoCo rejects principal moments that belong to no body; the nearest ones are written",
        _unbalanced,
        quantity="inertia",
    ),
)

BESIDE: tuple[Cannot, ...] = (
    Cannot("loops", "loops/*", "a loop that holds nothing is left out", removed, outcome="converted"),
    Cannot("loops", "loops/*/**", _CARRIERS, None, _is_carried, outcome="converted"),
    Cannot(
        "loops", "loops/*/axis", "a ball and a fixed loop have no axis", None, _no_axis, outcome="converted"
    ),
    Cannot("offsets in loops", "loops/*/pose_b/**", _SETTLED, outcome="converted"),
    Cannot("frames of sensors", "frames/*", _SITES, added, spec(object), outcome="converted"),
    Cannot("loops", "frames/*", _ENDS, _is_end, outcome="converted"),
    Cannot("frames of sensors", "frames/*", _SITES, added, outcome="converted"),
    Cannot(
        "couplings of fixed joints",
        "couplings/*",
        "a fixed joint neither leads nor follows",
        removed,
        outcome="converted",
    ),
    Cannot("normalized coordinates", "coordinates/**", "not representable in MJCF", removed),
    # devices
    Cannot("other devices", "devices/*", "MJCF has no such sensors", removed),
    Cannot("device ids", "devices/*/id", "MJCF sensors have names only", removed),
    Cannot("devices switched off", "devices/*/on", "MJCF sensors are always on", changed_to(True)),
    Cannot(
        "order of devices",
        "devices",
        "cameras and lights are in their bodies, sensors behind them",
        outcome="converted",
    ),
    Cannot("limits of readings", "devices/*/spec/max_*", _LIMITS, changed_to(m.UNLIMITED)),
    Cannot(
        "sensor ranges", "devices/*/spec/min_distance", "a rangefinder measures from 0", changed_to(0.0)
    ),
    Cannot("scans", "devices/*/spec/*", _MANY, None, _has_many_rays),
    Cannot("scans", "devices/*/spec/*", _RAYS, None, spec(m.RangeSensor)),
    Cannot("thresholds of contact switches", "devices/*/spec/threshold", _COUNTED, changed_to(0.0)),
    Cannot("places of contact switches", "devices/*/pose/*", _PLACES, None, spec(m.ContactSwitch)),
    Cannot("data of cameras", "devices/*/spec/*", _CAMERA, None, spec(m.Camera)),
    Cannot(
        "directions of lights",
        "devices/*/pose/quat",
        _LIGHTS,
        None,
        spec(m.SpotLight, m.DirectionalLight, m.PointLight),
        outcome="converted",
    ),
    Cannot(
        "directions of lights",
        "devices/*/spec/*",
        _LIGHTS,
        None,
        spec(m.SpotLight, m.DirectionalLight, m.PointLight),
    ),
    Cannot("data of other devices", "devices/*/spec/data", "MJCF sensors have no further data"),
    # postures and pairs
    Cannot("traces of frames", "frames/*/trace", "MJCF sites have no trace", changed_to(False)),
    Cannot("groups", "groups/**", "not representable in MJCF", removed),
    Cannot(
        "configurations",
        "configurations/**",
        "a keyframe has the positions of all hinges and slides",
        outcome="converted",
    ),
    Cannot("links excluded from collision", "links/*/collides", _ALONE, changed_to(True)),
    Cannot(
        "neighbors that are not tested",
        "self_collision/disabled/**",
        _NEIGHBORS,
        added,
        outcome="converted",
    ),
    Cannot("neighbors that are tested", "self_collision/**", _PAIRS),
)
