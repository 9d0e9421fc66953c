"""Reads an MPK robot document as a robot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import PurePath
from statistics import median

from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.formats.mpk import document as d
from unibody.formats.mpk.coordinates import Uses, coordinates, index_of, position
from unibody.formats.mpk.cures import moved_up, pair_removed
from unibody.formats.mpk.models import Models
from unibody.formats.mpk.motion import Motion, motion
from unibody.formats.tree import check_tree
from unibody.model.pose import IDENTITY
from unibody.model.robot import Drive, Frame, Joint, Limits, Link, Robot, SelfCollision
from unibody.model.traverse import path_of
from unibody.text.cures import respelled
from unibody.text.edit import Cure, replaced
from unibody.text.finding import Findings
from unibody.text.near import near
from unibody.text.number import parse_float
from unibody.text.source import Span

# Half of the offsets of a robot in metres are never so long; those of one in millimetres are.
_LONG = 20.0


@dataclass(slots=True)
class _Node:
    """A joint of the file under its unique name."""

    doc: d.Joint
    name: str
    motion: Motion
    parent: str = ""
    index: int | None = None


def to_robot(doc: d.Robot, context: Context) -> Robot | None:
    """The neutral robot of an MPK document; None when it has no joints."""
    findings = context.findings
    _version(doc, findings)
    docs = [x for x in doc.items if isinstance(x, d.Joint)]
    if not docs:
        findings.error("links-missing", "no joints", doc.at(), "add at least one joint block")
        return None
    scale = _scale(context)
    nodes = [
        _Node(x, name, motion(x, name, scale, findings))
        for x, name in zip(docs, _names(docs, findings), strict=True)
    ]
    _millimetres(nodes, scale, findings)
    _parents(nodes, findings)
    extras = Extras("mpk")
    uses = Uses()
    for n in nodes:
        n.index = index_of(n.doc, n.name, n.motion, findings)
        if n.index is not None:
            drive = Drive(joint=n.name, at_zero=n.motion.at_zero, at_one=n.motion.at_one)
            uses.add(n.index, drive, n.doc.at("param"))
    blocks = [x for x in doc.items if isinstance(x, d.Parameters)]
    made = coordinates(blocks, uses, findings, extras)
    base = _base(nodes, findings)
    links, joints = _tree(nodes, base, Models(context, scale), [c.default for c in made])
    check_tree(links, joints, findings, {n.name: n.doc.at("parent") for n in nodes})
    _extras(doc, nodes, extras)
    return Robot(
        name=PurePath(context.path).stem,
        links=tuple(links),
        joints=tuple(joints),
        coordinates=made,
        frames=tuple(
            Frame(name=n.name, link=n.name, trace=True, at=n.doc.at("trace_point"))
            for n in nodes
            if n.doc.trace_point
        ),
        self_collision=_self_collision(doc, nodes, findings),
        base="fixed",
        pose=IDENTITY if base else next((n.motion.origin for n in nodes if not n.parent), IDENTITY),
        extras=extras.made(),
    )


def _version(doc: d.Robot, findings: Findings) -> None:
    if doc.version != "1.0":
        findings.warning(
            "mpk-version",
            f"unknown MPK robot version {doc.version[:40]}; reading as 1.0, but MPK rejects the file",
            doc.at("version"),
            "use #MPK v1.0 robot",
            cure=_version_written(doc.at("version")),
        )


def _version_written(at: Span | None) -> Cure | None:
    """The one version there is."""
    return Cure(f"{at.text} becomes 1.0", (replaced(at, "1.0"),), safe=False) if at is not None else None


def _scale(context: Context) -> float:
    """The factor for all lengths that the caller gives; 1 without one."""
    text = context.arguments.get("scale")
    if text is None:
        return 1.0
    scale = parse_float(text)
    if scale is None or not 0.0 < scale < math.inf:
        context.findings.error(
            "scale-wrong",
            f"scale must be a positive number, not '{text[:60]}'",
            hint="scale=0.001 for millimetres",
        )
        return 1.0
    return scale


def _names(docs: list[d.Joint], findings: Findings) -> list[str]:
    """A unique name for each joint; a repeated one is an error, since others refer to it."""
    taken = {doc.name for doc in docs if doc.name}
    seen: set[str] = set()
    last: dict[str, int] = {}
    out: list[str] = []
    for number, doc in enumerate(docs, 1):
        name = doc.name or f"joint_{number}"
        if doc.name in seen:
            findings.error(
                "name-duplicate",
                f"duplicate joint name '{name}'",
                doc.at("name"),
                "rename it",
                subject=path_of("joints", name),
            )
        stem, count = name, last.get(name, 1)
        while name in seen or (name in taken and name != doc.name):
            count += 1
            name = f"{stem}_{count}"
        last[stem] = count
        seen.add(name)
        out.append(name)
    return out


def _parents(nodes: list[_Node], findings: Findings) -> None:
    """Parents by name; one that comes later in the file is told of (MPK wants parents first)."""
    places: dict[str, int] = {}
    for i, n in enumerate(nodes):
        places.setdefault(n.doc.name or n.name, i)
    for i, n in enumerate(nodes):
        n.parent = n.doc.parent or ""
        if places.get(n.parent, -1) > i:
            findings.warning(
                "parent-later",
                f"joint '{n.name}': parent '{n.parent}' is defined later; MPK rejects the file",
                n.doc.at("parent"),
                "move the block of the parent before it",
                cure=moved_up(nodes[places[n.parent]].doc.node, n.doc.node),
                subject=path_of("joints", n.name),
            )


def _base(nodes: list[_Node], findings: Findings) -> str:
    """The name of the link that is added below several roots, or one that moves; "" where none is."""
    roots = [n for n in nodes if not n.parent]
    if not roots or (len(roots) == 1 and roots[0].motion.doc is None):
        return ""
    taken = {n.name for n in nodes}
    name = next(x for x in ("base", *(f"base_{i}" for i in range(2, len(taken) + 3))) if x not in taken)
    if len(roots) > 1:
        shown = ", ".join(f"'{n.name}'" for n in roots[:5]) + (" …" if len(roots) > 5 else "")
        why = f"{len(roots)} roots, {shown}"
    else:
        why = f"root joint '{roots[0].name}' moves"
    findings.info("base-added", f"{why}; adding the fixed link '{name}'", roots[-1].doc.at())
    return name


def _tree(
    nodes: list[_Node], base: str, models: Models, defaults: list[float]
) -> tuple[list[Link], list[Joint]]:
    links = [Link(name=base)] if base else []
    joints: list[Joint] = []
    for n in nodes:
        links.append(_link(n, models))
        parent = n.parent or base
        if parent:
            joints.append(
                _joint(n, parent, 0.5 if n.index is None else defaults[n.index], models.context.findings)
            )
    return links, joints


def _link(node: _Node, models: Models) -> Link:
    """model0 is drawn and checked, model1 the second model to check; coll FALSE: only drawn."""
    doc = node.doc
    drawn, second = models.shapes(doc, "model0"), models.shapes(doc, "model1")
    return Link(
        name=node.name,
        visuals=drawn,
        collisions=drawn if doc.coll else (),
        collisions_alt=second if doc.coll else (),
        at=doc.at(),
    )


def _joint(node: _Node, parent: str, default: float, findings: Findings) -> Joint:
    m = node.motion
    if m.doc is None:
        return Joint(
            name=node.name, kind="fixed", parent=parent, child=node.name, origin=m.origin, at=node.doc.at()
        )
    if m.at_zero > m.at_one:
        findings.info(
            "limits-direction",
            f"joint '{node.name}': first limit {m.at_zero:g} is greater than the second {m.at_one:g}; "
            "the joint moves backwards from t = 0 to 1, and the limits are sorted",
            m.doc.at(),
            subject=path_of("joints", node.name),
        )
    return Joint(
        name=node.name,
        kind=m.kind,
        parent=parent,
        child=node.name,
        origin=m.origin,
        axis=m.axis,
        limits=Limits(position=(min(m.at_zero, m.at_one), max(m.at_zero, m.at_one)), at=m.doc.at()),
        initial=position(Drive(joint=node.name, at_zero=m.at_zero, at_one=m.at_one), default),
        at=node.doc.at(),
    )


def _millimetres(nodes: list[_Node], scale: float, findings: Findings) -> None:
    """Nothing in a file says its unit; offsets of tens of metres are millimetres (formats/mpk.md)."""
    offsets = [math.hypot(*n.motion.origin.xyz) for n in nodes]
    lengths = [length for length in offsets if 0.0 < length < math.inf]
    if scale == 1.0 and lengths and median(lengths) > _LONG:
        findings.warning(
            "robot-millimetres",
            f"median joint offset is {median(lengths):.3g} m; the file seems to be in millimetres",
            nodes[0].doc.at(),
            "load it with scale=0.001, or set scaleFactor 0.001 in its scene",
        )


def _self_collision(doc: d.Robot, nodes: list[_Node], findings: Findings) -> SelfCollision:
    """Only the pairs listed are tested (formats/mpk.md, models and collision)."""
    by_name: dict[str, _Node] = {}
    for n in nodes:
        by_name.setdefault(n.doc.name or n.name, n)
    bodies = {name for name, n in by_name.items() if n.doc.coll and (n.doc.model0 or n.doc.model1)}
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for block in doc.items:
        for pair in block.pairs if isinstance(block, d.SelfCollision) else ():
            found = _pair(pair, by_name, findings)
            if found is None or frozenset(found) in pairs:
                continue
            pairs[frozenset(found)] = found
            _bodiless([name for name in found if name not in bodies], pair, bool(bodies), findings)
    return SelfCollision(default="none", enabled=tuple(pairs.values()))


def _bodiless(names: list[str], pair: d.Pair, news: bool, findings: Findings) -> None:
    """Reports joints of a pair without a model; an info if no joint of the robot has one."""
    if not names:
        return
    what = f"'{names[0]}' has" if len(names) == 1 else f"'{names[0]}' and '{names[1]}' have"
    message = f"selfcoll: {what} no collision model; MPK ignores the pair"
    if news:
        findings.warning("selfcoll-no-model", message, pair.at(), "add a model0, or remove the pair")
    else:
        findings.info("selfcoll-no-model", message, pair.at())


def _pair(pair: d.Pair, known: dict[str, _Node], findings: Findings) -> tuple[str, str] | None:
    if pair.first is None or pair.second is None:
        return None
    for key, name in (("first", pair.first), ("second", pair.second)):
        if name not in known:
            alike = near(name, known)
            findings.error(
                "selfcoll-unknown",
                f"selfcoll refers to unknown joint '{name}'",
                pair.at(key),
                f"did you mean '{alike}'?" if alike else "",
                suggestion=alike,
                cure=respelled(pair.at(key), name, alike),
            )
            return None
    if pair.first == pair.second:
        findings.warning(
            "selfcoll-same",
            f"selfcoll: '{pair.first}' is paired with itself; ignored",
            pair.at(),
            cure=pair_removed(pair.at()),
        )
        return None
    return pair.first, pair.second


def _extras(doc: d.Robot, nodes: list[_Node], extras: Extras) -> None:
    """MPK data without a place in the model, kept for the writer."""
    extras.add(doc.rest)
    for n in nodes:
        if not (n.doc.model0 or n.doc.model1):
            extras.add(written(n.doc, "coll"), "links", n.name)
        elif not n.doc.coll:
            extras.add(written(n.doc, "model1"), "links", n.name)
        if n.motion.doc is None:
            extras.add(written(n.doc, "param"), "links", n.name)
        extras.add(n.doc.rest, "links", n.name)
    for item in doc.items:
        if not isinstance(item, d.Joint):
            extras.add(item.rest)
