"""What an MPK robot cannot say, and why; every measured loss is explained by a row."""

from __future__ import annotations

import math
from typing import Any

from unibody.formats.cannot import SCREWS, chains, passive_forces
from unibody.formats.conditions import became, gone, kind, made, new, value
from unibody.formats.format import Cannot
from unibody.model import shape as s
from unibody.model.robot import UNBOUNDED

_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_LIMITS = "joints/*/limits"
_MODEL = "a joint has one model, an Open Inventor file with all shapes of the link"
_INSIDE = "it stands in the model's own file"
_CHECKED = "what is drawn is what is checked; other collision shapes are the second model"
_BLOCK = "a joint and its link are one block with one name, the link's"
_KINEMATICS = "there are no forces: a planner moves the robot"
_SHARED = "joints that move together share a parameter, each with bounds of its own"
_TRACE = "a frame whose path is drawn is a joint of its own"
_RULES = "the pairs that are tested are listed, and no others"


def _is_name(before: Any, after: Any) -> bool:
    return isinstance(before, str)


def _endless(before: Any, after: Any) -> bool:
    """A bound was missing."""
    return isinstance(before, tuple) and any(map(math.isinf, before))


CANNOT: tuple[Cannot, ...] = (
    # shapes
    Cannot("shapes in the file itself", f"{_SHAPE}/geometry", _MODEL, became(s.MeshFile)),
    Cannot("other mesh files", f"{_SHAPE}/geometry/uri", "they become Open Inventor files"),
    Cannot("scales of mesh files", f"{_SHAPE}/geometry/scale", _INSIDE, made((1.0, 1.0, 1.0))),
    Cannot("parts of mesh files", f"{_SHAPE}/geometry/fragment", _INSIDE, gone),
    Cannot("parts of mesh files", f"{_SHAPE}/geometry/without/**", _INSIDE, gone),
    Cannot("units of mesh files", f"{_SHAPE}/geometry/unit", _INSIDE, gone),
    Cannot("upward axes of mesh files", f"{_SHAPE}/geometry/up_axis", _INSIDE, gone),
    Cannot("placed shapes", f"{_SHAPE}/pose/*", _INSIDE, made(_ZERO, _NO_TURN)),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _INSIDE, gone),
    Cannot("materials", f"{_SHAPE}/material", _INSIDE, gone),
    Cannot("names of shapes", f"{_SHAPE}/name", "shapes have no names", gone),
    Cannot("numbers of sides", f"{_SHAPE}/divisions", _INSIDE, gone, quantity="bounds"),
    Cannot("several shapes", "links/*/visuals/*", _MODEL, gone),
    Cannot("links that are checked, not drawn", "links/*/visuals/*", _CHECKED, new),
    Cannot("collisions unlike visuals", "links/*/collisions/*", _CHECKED, gone),
    Cannot("collisions unlike visuals", "links/*/collisions_alt/*", _CHECKED, new, quantity="bounds"),
    Cannot("a second collision model", "links/*/collisions_alt/**", _MODEL, quantity="bounds"),
    # links and joints
    Cannot("masses", "links/*/inertial", _KINEMATICS, gone, quantity="mass"),
    Cannot(
        "names of several words",
        "links/*",
        "a name is a word without braces, quotes and #, and a joint has no other than its link",
        _is_name,
    ),
    Cannot("order of links", "links", "parents stand before children, in the order of the joints"),
    Cannot("order of joints", "joints", "parents stand before children"),
    Cannot("names of joints", "joints/*", _BLOCK, _is_name),
    *chains("ball", "universal", "planar", "free", between="links"),
    SCREWS,
    Cannot("tracks", "joints/*/kind", "they become fixed: there are no surfaces that move", value("track")),
    Cannot("tracks", "joints/*/axis", "there are no surfaces that move", None, kind("track")),
    Cannot(
        "joints without bounds",
        f"{_LIMITS}/position",
        "bounds are asked for: a whole turn, or 20 m, stands for none",
        _endless,
    ),
    Cannot("bounds of joints that follow", f"{_LIMITS}/position", _SHARED, quantity="limits"),
    Cannot("largest velocities", f"{_LIMITS}/velocity", _KINEMATICS, made(UNBOUNDED)),
    Cannot("largest efforts", f"{_LIMITS}/effort", _KINEMATICS, made(UNBOUNDED)),
    *passive_forces(_KINEMATICS),
    Cannot("actuation modes", "joints/*/actuator/mode", _KINEMATICS, gone),
    Cannot("gears and rotors", "joints/*/actuator/gear_*", _KINEMATICS, gone),
    Cannot("gears and rotors", "joints/*/actuator/*_inertia", _KINEMATICS, gone),
    Cannot("motors", "joints/*/actuator/*", _KINEMATICS, gone),
    Cannot(
        "initial positions",
        "joints/*/initial",
        "the default of a parameter says where its joints begin, within their bounds",
    ),
    Cannot("joint numbers", "joints/*/number", "parameters have numbers, joints have names", gone),
    # beside the tree
    Cannot("loops", "loops/*", "there are only trees", gone),
    Cannot("joints without parameter", "coordinates/*", "a parameter drives each joint", new),
    Cannot("mimic joints", "coordinates/*/drives/*", _SHARED, new),
    Cannot("mimic joints", "couplings/*", _SHARED, gone),
    Cannot("other devices", "devices/*", "there are no devices", gone),
    Cannot("traced frames away from a link", "frames/*/link", _TRACE),
    Cannot("traced frames away from a link", "frames/*/pose/*", _TRACE, made(_ZERO, _NO_TURN)),
    Cannot("frames", "frames/*", "only those whose path is drawn", gone),
    Cannot("groups", "groups/*", "there are none", gone),
    Cannot("configurations", "configurations/*", "they are in plan files", gone),
    Cannot("self-collision rules", "self_collision/default", _RULES, made("none")),
    Cannot("self-collision rules", "self_collision/enabled/**", _RULES, new),
    Cannot("self-collision rules", "self_collision/disabled/**", _RULES, gone),
    Cannot("fixed or free base", "base", "roots are fixed in the scene", made("fixed")),
    Cannot("names of robots", "name", "a robot is called as its file"),
    Cannot("leftovers", "extras/**", "only the format that they come from has them"),
)
