"""What an SRDF cannot say of groups, postures and pairs of links, with reasons."""

from __future__ import annotations

from unibody.formats.conditions import added, changed_to, removed, value
from unibody.formats.format import Cannot
from unibody.model.robot import Configuration, Group

_NESTED = "written as groups of their own, which are subgroups"
_WHOLE = "a state of SRDF belongs to a group: that of all joints"
_NAMES = "MoveIt trims names, and XML has no control characters"
_SEVERAL = "URDF has no such joints; they are written as several"


def _has_groups(before: object, after: object) -> bool:
    members = before if isinstance(before, tuple) else (before,)
    return any(isinstance(x, Group) for x in members)


def _is_whole(before: object, after: object) -> bool:
    """A new group of joints only; groups in groups have links."""
    return before is None and isinstance(after, Group) and bool(after.joint_members) and not after.members


def _is_configuration(before: object, after: object) -> bool:
    return isinstance(before, Configuration) and after is None


CANNOT: tuple[Cannot, ...] = (
    Cannot("groups in groups", "groups/*/members/**", _NESTED, _has_groups, outcome="converted"),
    Cannot("groups in groups", "groups/*/subgroups/**", _NESTED, added, outcome="converted"),
    Cannot("postures of the whole robot", "groups/*", _WHOLE, _is_whole, outcome="converted"),
    Cannot(
        "postures of the whole robot", "configurations/*/group", _WHOLE, value(None), outcome="converted"
    ),
    Cannot("groups in groups", "groups/*", _NESTED, added, outcome="converted"),
    Cannot("names with outer blanks", "groups/**", _NAMES, removed),
    Cannot("names with outer blanks", "configurations/*", _NAMES, _is_configuration),
    Cannot("names with outer blanks", "joints/*/passive", _NAMES, changed_to(False)),
    Cannot("postures of multi-DOF joints", "configurations/*/positions/**", _SEVERAL),
    Cannot("names with outer blanks", "self_collision/**", _NAMES),
    Cannot(
        "order of vendor data",
        "extras",
        "written in the order of MoveIt's setup assistant",
        outcome="converted",
    ),
    Cannot(
        "vendor data",
        "extras/**",
        "an SRDF file has no place for what XML cannot represent",
        outcome="omitted",
    ),
)
