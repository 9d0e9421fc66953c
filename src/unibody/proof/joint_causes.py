"""Finds joints and links that an engine lacks, adds or has as others, and a base that is free or fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.robot import Link
from unibody.proof.cause import Cause
from unibody.proof.reference import Misreading, Reference
from unibody.proof.search import Search
from unibody.proof.slips import WELDED
from unibody.proof.subject import Subject
from unibody.text.counted import listed

# The most names of links in words.
_NAMED = 3
# The mass in kg up to which libsdformat and others leave links out.
_TINY = 1e-6
#: Why an engine leaves out a link with all below it.
_LEFT_OUT: tuple[tuple[str, Callable[[Link], bool]], ...] = (
    ("a link without mass", lambda link: link.inertial is None or not link.inertial.mass),
    (
        "a link of at most 1e-6 kg",
        lambda link: link.inertial is None or link.inertial.mass <= _TINY,
    ),
)
# Kinds of joints with one position that engines move.
_SINGLE: dict[str, JointKind] = {"revolute": "revolute", "prismatic": "prismatic"}


def explain_base(search: Search) -> None:
    """A root link that the engine fixes to the world, or frees."""
    there = search.answer.facts.get("base", search.reference.base)
    if there == search.reference.base or not search.compared().failed:
        return
    changed = replace(search.reference, base=there)
    before, after = search.compared().failed, search.compared(changed)
    if after.deviations and len(after.failed) < len(before):
        mine = tuple(name for name in before if name not in after.failed)
        search.take(_based(there, search.reference, mine), changed)


def explain_lacking(search: Search) -> None:
    """Joints that the engine lacks are welded in it, or have another kind."""
    there = {joint["name"]: joint["kind"] for joint in search.answer.facts["joints"]}
    welded = [j.name for j in search.reference.robot.joints if KINDS[j.kind].nv and j.name not in there]
    other = [
        j.name
        for j in search.reference.robot.joints
        if KINDS[j.kind].nv and there.get(j.name, j.kind) != j.kind
    ]
    kinds = {j.name: j.kind for j in search.reference.robot.joints}
    added = [name for name in there if name not in kinds]
    moving = [name for name in there if name in kinds and not KINDS[kinds[name]].nv]
    if search.reference.base == "fixed" and any(there[name] == "free" for name in added):
        added = [name for name in added if there[name] != "free"]
        search.take(_based("free", search.reference, ("joints",)))
        search.explained.add("joints")
    if welded:
        dropped = [name for name in welded if _is_dropped(search, name)]
        kept = [name for name in welded if name not in dropped]
        if dropped:
            words = "joint dropped: the engine does not have the body that it moves"
            scope = _left_out(search, dropped)
            cause = Cause(words, tuple(dropped), ("joints",), scope=scope)
            search.take(cause, _without(search.reference, dropped))
        rooted = [name for name in kept if _holds_root(search.reference, name)]
        for words, owners, scope in (
            ("joint welded: the engine fixes the base to the world", rooted, "joints of the root body"),
            ("joint welded: the engine does not have it", [x for x in kept if x not in rooted], ""),
        ):
            if owners:
                cause = Cause(words, tuple(owners), ("joints",), scope=scope)
                search.take(cause, WELDED.change(search.reference, owners))
    if other:
        words = ", ".join(sorted({there[name] for name in other}))
        cause = Cause(f"joint of another kind in the engine: {words}", tuple(other), ("joints",))
        search.take(cause, _of_kinds(search, {name: there[name] for name in other}))
        search.rekinded = {*other}
    if added:
        search.take(Cause("joint added by the engine", tuple(added), ("joints",)))
    stated = {joint["name"]: joint for joint in search.answer.facts["joints"]}
    for name in moving:
        limits = stated[name].get("position")
        within = f" between {limits[0]:.6g} and {limits[1]:.6g}" if limits and None not in limits else ""
        words = "joint moves in the engine, and is fixed in the model"
        search.take(Cause(f"{words}: {there[name]}{within}", (name,), ("joints",)))
    if welded or other or added or moving:
        search.explained.add("joints")


def explain_dropped(search: Search) -> None:
    """Links that the engine does not have, and that are fixed to none that it has."""
    found = search.compared()
    if "links" in found.failed:
        owners = tuple(name for name, value in found.by_owner["links"].items() if value)
        search.take(Cause("body dropped: the engine does not have it", owners, ("links",)))
        search.explained.add("links")


def _holds_root(reference: Reference, name: str) -> bool:
    """Whether a joint alone moves all that has mass: it holds the root body in the world."""
    robot = reference.robot
    links = {link.name: link for link in robot.links}
    joint = robot.joint(name)
    siblings = [each for each in robot.joints if each.parent == robot.root]
    return joint.parent == robot.root and links[robot.root].inertial is None and len(siblings) == 1


def _left_out(search: Search, dropped: Sequence[str]) -> str:
    """The words for joints without a body: what the first links of the branches have, and no kept one."""
    robot = search.reference.robot
    links = {link.name: link for link in robot.links}
    joints = {joint.name: joint for joint in robot.joints}
    gone = {joints[name].child for name in dropped}
    tops = [name for name in dropped if joints[name].parent not in gone]
    others = [joint for joint in robot.joints if joint.name not in dropped and KINDS[joint.kind].nv]
    for words, has in _LEFT_OUT:
        if all(has(links[joints[x].child]) for x in tops) and not any(has(links[x.child]) for x in others):
            at = listed([joints[x].child for x in tops], _NAMED)
            return f"joints that move {words} ({at}) or are below such a joint"
    return ""


def _without(reference: Reference, dropped: Sequence[str]) -> Reference:
    """The reference without joints, what is below them, and what refers to it."""
    robot = reference.robot
    gone = {robot.joint(name).child for name in dropped}
    while more := {j.child for j in robot.joints if j.parent in gone} - gone:
        gone |= more
    joints = tuple(joint for joint in robot.joints if joint.child not in gone)
    names = {joint.name for joint in joints}
    rest = replace(
        robot,
        links=tuple(link for link in robot.links if link.name not in gone),
        joints=joints,
        couplings=tuple(x for x in robot.couplings if {x.joint, x.leader} <= names),
        loops=tuple(x for x in robot.loops if not {x.link_a, x.link_b} & gone),
    )
    return replace(reference, robot=rest)


def _is_dropped(search: Search, name: str) -> bool:
    """Whether the engine has no body that a joint moves."""
    bodies, there = search.reference.bodies, search.answer.facts["links"]
    below: dict[str, list[str]] = {}
    for joint in search.reference.robot.joints:
        below.setdefault(joint.parent, []).append(joint.child)
    line = [joint.child for joint in search.reference.robot.joints if joint.name == name]
    for link in line:
        line += below.get(link, [])
    return not any(bodies[link][0] in there for link in line)


def _of_kinds(search: Search, kinds: Mapping[str, str]) -> Reference:
    """The reference with joints of other kinds, which engines do not move: their numbers are others."""
    joints = tuple(
        replace(joint, kind=_SINGLE[kinds[joint.name]])
        if joint.name in kinds and KINDS[joint.kind].nq == 1 and kinds[joint.name] in _SINGLE
        else joint
        for joint in search.reference.robot.joints
    )
    moving = replace(search.reference, robot=replace(search.reference.robot, joints=joints))
    still = {name: Misreading(name, scale=0.0) for name in kinds}
    resting = replace(moving, readings={**search.reference.readings, **still})
    return min((search.reference, resting, moving), key=lambda each: len(_away(search, each)))


def _away(search: Search, reference: Reference) -> list[str]:
    """The joints whose own motion a reference does not explain."""
    tolerance = search.tolerance()
    return [name for name, value in search.joint_deviations(reference).items() if not value <= tolerance]


def _based(base: str, reference: Reference, quantities: tuple[str, ...]) -> Cause:
    words = "fixed to the world" if base == "fixed" else "free to move"
    told = f"base: the root link is {words} in the engine"
    return Cause(told, (reference.robot.root,), quantities, subject=Subject.BASE)
