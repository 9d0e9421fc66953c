"""Features of a robot that MPK cannot represent, with reasons; explains every measured loss."""

from __future__ import annotations

import math
from typing import Any

from unibody.formats.cannot import (
    CENTERS,
    HULLS,
    SURROUNDINGS,
    chains,
    contacts,
    gravity,
    passive_forces,
    rates,
    weights,
)
from unibody.formats.conditions import added, after_is, changed_to, kind, removed, spec, value
from unibody.formats.format import Cannot
from unibody.model import shape as s
from unibody.model.device import ContactSwitch
from unibody.model.robot import UNBOUNDED

_ZERO, _NO_TURN = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
_SHAPE = "links/*/*s/*"
_LIMITS = "joints/*/limits"
_MODEL = "merged into one Open Inventor file per link"
_UNUSED = f"{_SHAPE}/geometry/geometry_only"
_INSIDE = "applied inside the Open Inventor file of the link"
_CHECKED = "MPK checks the drawn model; separate collision shapes become the second model"
_BLOCK = "a joint and its link are one block, named after the link"
_KINEMATICS = "not representable in MPK (kinematics only)"
_SHARED = "coupled joints share a parameter, each with its own limits"
_TRACE = "a trace point is written as a fixed joint"
_RULES = "MPK lists the pairs to test"


def _is_name(before: Any, after: Any) -> bool:
    return isinstance(before, str)


def _was_unlimited(before: Any, after: Any) -> bool:
    """Whether a limit was infinite."""
    return isinstance(before, tuple) and any(map(math.isinf, before))


CANNOT: tuple[Cannot, ...] = (
    *SURROUNDINGS,
    HULLS,
    # shapes
    Cannot(
        "shapes in the file itself", f"{_SHAPE}/geometry", _MODEL, after_is(s.MeshFile), outcome="converted"
    ),
    Cannot(
        "mesh files of other types",
        f"{_SHAPE}/geometry/uri",
        "written as Open Inventor files",
        outcome="converted",
    ),
    Cannot(
        "scales of mesh files",
        f"{_SHAPE}/geometry/scale",
        _INSIDE,
        changed_to((1.0, 1.0, 1.0)),
        outcome="converted",
    ),
    Cannot("parts of mesh files", f"{_SHAPE}/geometry/fragment", _INSIDE, removed, outcome="converted"),
    Cannot("parts of mesh files", f"{_SHAPE}/geometry/without/**", _INSIDE, removed, outcome="converted"),
    CENTERS,
    Cannot("unused materials of mesh files", _UNUSED, _INSIDE, changed_to(False), outcome="converted"),
    Cannot("units of mesh files", f"{_SHAPE}/geometry/unit", _INSIDE, removed, outcome="converted"),
    Cannot("up axes of mesh files", f"{_SHAPE}/geometry/up_axis", _INSIDE, removed, outcome="converted"),
    Cannot("shape poses", f"{_SHAPE}/pose/*", _INSIDE, changed_to(_ZERO, _NO_TURN), outcome="converted"),
    Cannot("stretched shapes", f"{_SHAPE}/linear", _INSIDE, removed, outcome="converted"),
    Cannot("materials", f"{_SHAPE}/material", _INSIDE, removed, outcome="converted"),
    Cannot("names of shapes", f"{_SHAPE}/name", "MPK shapes are unnamed", removed),
    contacts("MPK models have no friction"),
    Cannot("tessellation", f"{_SHAPE}/divisions", _INSIDE, removed, quantity="bounds", outcome="converted"),
    Cannot("several shapes", "links/*/visuals/*", _MODEL, removed, outcome="converted"),
    Cannot("collision-only links", "links/*/visuals/*", _CHECKED, added, outcome="converted"),
    Cannot("separate collision shapes", "links/*/collisions/*", _CHECKED, removed, outcome="converted"),
    Cannot(
        "separate collision shapes",
        "links/*/collisions_alt/*",
        _CHECKED,
        added,
        quantity="bounds",
        outcome="converted",
    ),
    Cannot(
        "second collision models",
        "links/*/collisions_alt/**",
        _MODEL,
        quantity="bounds",
        outcome="converted",
    ),
    # links and joints
    Cannot("masses", "links/*/inertial", _KINEMATICS, removed, quantity="mass"),
    Cannot(
        "names with special characters",
        "links/*",
        "whitespace, braces, quotes and # are replaced; a joint is named after its link",
        _is_name,
        outcome="converted",
    ),
    Cannot(
        "order of links", "links", "written in joint order, parents before children", outcome="converted"
    ),
    Cannot("order of joints", "joints", "parents are written before children", outcome="converted"),
    Cannot("names of joints", "joints/*", _BLOCK, _is_name, outcome="converted"),
    *chains("ball", "universal", "screw", "planar", "free", between="links"),
    Cannot(
        "tracks", "joints/*/kind", "written as fixed joints; MPK has no moving surfaces", value("track")
    ),
    Cannot("tracks", "joints/*/axis", "MPK has no moving surfaces", None, kind("track")),
    Cannot(
        "unlimited joints",
        f"{_LIMITS}/position",
        "MPK requires limits; using one turn or 20 m",
        _was_unlimited,
        outcome="assumed",
    ),
    Cannot(
        "limits of coupled joints", f"{_LIMITS}/position", _SHARED, quantity="limits", outcome="converted"
    ),
    Cannot("velocity limits", f"{_LIMITS}/velocity", _KINEMATICS, changed_to(UNBOUNDED)),
    *rates(_KINEMATICS),
    Cannot("effort limits", f"{_LIMITS}/effort", _KINEMATICS, changed_to(UNBOUNDED)),
    *passive_forces(_KINEMATICS),
    Cannot("actuation modes", "joints/*/actuator/mode", _KINEMATICS, removed),
    Cannot("actuator offsets", "joints/*/actuator/offset", _KINEMATICS, removed),
    Cannot("gears and rotors", "joints/*/actuator/gear_*", _KINEMATICS, removed),
    Cannot("gears and rotors", "joints/*/actuator/*_inertia", _KINEMATICS, removed),
    Cannot("motors", "joints/*/actuator/*", _KINEMATICS, removed),
    Cannot(
        "initial positions",
        "joints/*/initial",
        "set by the default of the parameter, within the joint limits",
    ),
    Cannot("joint numbers", "joints/*/number", "MPK numbers parameters, not joints", removed),
    Cannot("passive joints", "joints/*/passive", "MPK marks parameters, not joints", changed_to(False)),
    # beside the tree
    Cannot("loops", "loops/*", "MPK robots are trees", removed),
    Cannot(
        "joints without a parameter",
        "coordinates/*",
        "MPK requires a parameter for every joint",
        added,
        outcome="assumed",
    ),
    Cannot("mimic joints", "coordinates/*/drives/*", _SHARED, added, outcome="converted"),
    Cannot("mimic joints", "couplings/*", _SHARED, removed, outcome="converted"),
    Cannot("contact switches", "devices/*", "not representable in MPK", removed, spec(ContactSwitch)),
    Cannot("other devices", "devices/*", "not representable in MPK", removed),
    Cannot("trace points off a link frame", "frames/*/link", _TRACE, outcome="converted"),
    Cannot(
        "trace points off a link frame",
        "frames/*/pose/*",
        _TRACE,
        changed_to(_ZERO, _NO_TURN),
        outcome="converted",
    ),
    Cannot("frames", "frames/*", "MPK has trace points only", removed),
    Cannot("groups", "groups/*", "not representable in MPK", removed),
    Cannot("configurations", "configurations/*", "stored in plan files", removed),
    weights(_KINEMATICS),
    *gravity(_KINEMATICS, _KINEMATICS),
    Cannot(
        "links excluded from collision", "links/*/collides", _RULES, changed_to(True), outcome="converted"
    ),
    Cannot(
        "links excluded from collision", "self_collision/enabled/**", _RULES, removed, outcome="converted"
    ),
    Cannot(
        "self-collision rules", "self_collision/default", _RULES, changed_to("none"), outcome="converted"
    ),
    Cannot("self-collision rules", "self_collision/enabled/**", _RULES, added, outcome="converted"),
    Cannot("self-collision rules", "self_collision/disabled/**", _RULES, removed, outcome="converted"),
    Cannot("fixed or free base", "base", "MPK robots are fixed to the scene", changed_to("fixed")),
    Cannot("names of robots", "name", "the file name is the robot name", outcome="converted"),
    Cannot(
        "vendor data",
        "extras/**",
        "an MPK file has no place for elements of other formats",
        outcome="omitted",
    ),
)
