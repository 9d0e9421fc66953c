"""Reads an MPK robot document as a robot."""

from __future__ import annotations

import math
from pathlib import PurePath
from statistics import median

from unibody.files.access import Search
from unibody.formats.arguments import argument, arguments_of
from unibody.formats.extras import Extras, written
from unibody.formats.format import Context
from unibody.formats.mpk import document as d
from unibody.formats.mpk.coordinates import Uses, coordinates, index_of, position
from unibody.formats.mpk.fixes import moved_up, pair_removed
from unibody.formats.mpk.motion import Motion, motion
from unibody.formats.tree import check_tree
from unibody.model.pose import IDENTITY
from unibody.model.robot import Drive, Frame, Joint, Limits, Link, Robot, SelfCollision
from unibody.model.shape import MeshFile, Shape
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.edit import ProposedFix, replaced
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.hint import Hint
from unibody.text.near import did_you_mean, near
from unibody.text.number import parse_float
from unibody.text.source import Span

# Folders of model files (formats/mpk.md, models). Names are relative to MPK's working directory, which may
# be the folder of the .rob file or its parent.
MODEL_SEARCH = Search(("$IVMODELS", "", "ivmodels", "ivmodels.private"))
# Median joint offset (m) above which a file is assumed to be in millimeters.
_LARGEST_MEDIAN_OFFSET = 20.0


@dataclass(slots=True)
class _Node:
    """A joint of the file with its unique name."""

    doc: d.Joint
    name: str
    motion: Motion
    parent: str = ""
    index: int | None = None


def to_robot(doc: d.Robot, context: Context) -> Robot | None:
    """Convert an MPK document to a robot; None without joints."""
    findings = context.findings
    _check_version(doc, findings)
    docs = [x for x in doc.items if isinstance(x, d.Joint)]
    if not docs:
        findings.error("links-missing", "no joints", doc.at(), "add at least one joint block")
        return None
    scale = _scale(context)
    nodes = [
        _Node(x, name, motion(x, name, scale, findings))
        for x, name in zip(docs, _names(docs, findings), strict=True)
    ]
    _check_units(nodes, scale, findings)
    _resolve_parents(nodes, findings)
    extras = Extras("mpk")
    uses = Uses()
    for n in nodes:
        n.index = index_of(n.doc, n.name, n.motion, findings)
        if n.index is not None:
            drive = Drive(joint=n.name, at_zero=n.motion.at_zero, at_one=n.motion.at_one)
            uses.add(n.index, drive, n.doc.at("param"))
    blocks = [x for x in doc.items if isinstance(x, d.Parameters)]
    coords = coordinates(blocks, uses, findings, extras)
    base = _base(nodes, findings)
    links, joints = _tree(nodes, base, _Models(context, scale), [c.default for c in coords])
    check_tree(links, joints, findings, {n.name: n.doc.at("parent") for n in nodes})
    _extras(doc, nodes, extras)
    return Robot(
        name=PurePath(context.path).stem,
        links=tuple(links),
        joints=tuple(joints),
        coordinates=coords,
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


def _check_version(doc: d.Robot, findings: Findings) -> None:
    if doc.version != "1.0":
        findings.warning(
            "mpk-version",
            f"unknown MPK robot version {doc.version[:40]}; reading as 1.0, but MPK rejects the file",
            doc.at("version"),
            "use #MPK v1.0 robot",
            fix=_version_fix(doc.at("version")),
        )


def _version_fix(at: Span | None) -> ProposedFix | None:
    """Change the version to 1.0."""
    return (
        ProposedFix(f"replace {at.text} by 1.0", (replaced(at, "1.0"),), safe=False)
        if at is not None
        else None
    )


def _scale(context: Context) -> float:
    """The caller's scale for lengths; 1 by default."""
    context.declared["scale"] = "1"
    text = arguments_of(context).get("scale")
    if text is None:
        return 1.0
    scale = parse_float(text)
    if scale is None or not 0.0 < scale < math.inf:
        context.findings.error(
            "scale-wrong",
            f"scale must be a positive number, not '{text[:60]}'",
            hint="use scale=0.001 for millimeters",
        )
        return 1.0
    return scale


def _names(docs: list[d.Joint], findings: Findings) -> list[str]:
    """A unique name for each joint; duplicates are errors, since blocks refer to joints by name."""
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
                "rename one of the joints",
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


def _resolve_parents(nodes: list[_Node], findings: Findings) -> None:
    """Set the parents; reports a parent that is defined after its child, which MPK rejects."""
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
                fix=moved_up(nodes[places[n.parent]].doc.node, n.doc.node),
                subject=path_of("joints", n.name),
            )


def _base(nodes: list[_Node], findings: Findings) -> str:
    """The name of the link added below several roots or a moving root; "" if none is needed."""
    roots = [n for n in nodes if not n.parent]
    if not roots or (len(roots) == 1 and roots[0].motion.doc is None):
        return ""
    taken = {n.name for n in nodes}
    name = next(x for x in ("base", *(f"base_{i}" for i in range(2, len(taken) + 3))) if x not in taken)
    if len(roots) > 1:
        shown = listed((f"'{n.name}'" for n in roots), 5)
        why = f"{len(roots)} roots, {shown}"
    else:
        why = f"root joint '{roots[0].name}' moves"
    findings.info("base-added", f"{why}; adding the fixed link '{name}'", roots[-1].doc.at())
    return name


class _Models:
    """Finds model files; searches for every name once."""

    def __init__(self, context: Context, scale: float) -> None:
        self.context = context
        self.scale = scale
        self.found: dict[str, str] = {}

    def shapes(self, joint: d.Joint, key: str) -> tuple[Shape, ...]:
        """The shape of ``model0`` or ``model1``; empty if the joint does not have it."""
        name: str | None = getattr(joint, key)
        if name is None:
            return ()
        at = joint.at(key)
        if name not in self.found:
            files, findings = self.context.files, self.context.findings
            self.found[name] = files.search(name, self.context.path, at, findings, MODEL_SEARCH) or ""
        scale = (self.scale, self.scale, self.scale)
        return (Shape(geometry=MeshFile(uri=name, path=self.found[name], scale=scale), at=at),)


def _tree(
    nodes: list[_Node], base: str, models: _Models, defaults: list[float]
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


def _link(node: _Node, models: _Models) -> Link:
    """The link of a joint: model0 is visual and collision, model1 the second collision model."""
    doc = node.doc
    first, second = models.shapes(doc, "model0"), models.shapes(doc, "model1")
    return Link(
        name=node.name,
        visuals=first,
        collisions=first if doc.coll else (),
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
            "limits are sorted; t = 0 is the upper limit",
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


def _check_units(nodes: list[_Node], scale: float, findings: Findings) -> None:
    """Report offsets of tens of meters; MPK files do not declare their unit (formats/mpk.md)."""
    offsets = [math.hypot(*n.motion.origin.xyz) for n in nodes]
    lengths = [length for length in offsets if 0.0 < length < math.inf]
    if scale == 1.0 and lengths and median(lengths) > _LARGEST_MEDIAN_OFFSET:
        findings.warning(
            "robot-millimetres",
            f"median joint offset is {median(lengths):.3g} m; the file seems to be in millimeters",
            nodes[0].doc.at(),
            Hint(
                "read it with ",
                argument("scale", 0.001),
                ", or set scaleFactor 0.001 in its scene",
            ),
        )


def _self_collision(doc: d.Robot, nodes: list[_Node], findings: Findings) -> SelfCollision:
    """The self-collision pairs; MPK tests no others (formats/mpk.md, models and collision)."""
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
            _report_no_model([name for name in found if name not in bodies], pair, bool(bodies), findings)
    return SelfCollision(default="none", enabled=tuple(pairs.values()))


def _report_no_model(names: list[str], pair: d.Pair, is_unusual: bool, findings: Findings) -> None:
    """Report joints of a pair without a model; an info if no joint of the robot has a model."""
    if not names:
        return
    what = f"'{names[0]}' has" if len(names) == 1 else f"'{names[0]}' and '{names[1]}' have"
    message = f"selfcoll: {what} no collision model; MPK ignores the pair"
    if is_unusual:
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
                did_you_mean(alike),
                suggestion=alike,
                fix=respelled(pair.at(key), name, alike),
            )
            return None
    if pair.first == pair.second:
        findings.warning(
            "selfcoll-same",
            f"selfcoll: '{pair.first}' is paired with itself; ignored",
            pair.at(),
            fix=pair_removed(pair.at()),
        )
        return None
    return pair.first, pair.second


def _extras(doc: d.Robot, nodes: list[_Node], extras: Extras) -> None:
    """Collect MPK data that the model cannot represent, for the writer."""
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
