"""Leaves out values of elements that MuJoCo rejects, each with a warning."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.counts import activations, controls, total
from unibody.formats.mjcf.document_element import tag_of
from unibody.formats.mjcf.joints import FREEDOMS
from unibody.formats.mjcf.requirements import Broken, Model, broken
from unibody.formats.mjcf.tree import BodyRecord, Scope
from unibody.text.finding import Findings
from unibody.text.node import with_items

_MOCAP = Broken(
    "mocap must be of a body in the world without joints",
    "remove mocap, or the joint",
    "element-rejected",
    ("mocap",),
)


def leave_values_out(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Remove the values that MuJoCo rejects from the elements of the tree and of sections."""
    models: dict[int, Model] = {}

    def model_of(scope: Scope) -> Model:
        if id(scope) not in models:
            models[id(scope)] = Model(scope.settings, {"body": bodies, **_assets(scope)}, counts)
        return models[id(scope)]

    bodies = {"world": None, **{record.name: None for record in records}}
    counts = _counts(docs, records)
    for record in records:
        if isinstance(record.doc, b.Body) and record.doc.mocap and (record.parent != 0 or record.joints):
            _ignore(record.doc, _MOCAP, findings)
        for placed in (*record.joints, *record.geoms, *record.sites, *record.cameras, *record.lights):
            _drop(placed.doc, model_of(placed.scope), findings)
    _check_world(records[0], findings)
    _check_names(records, findings)
    for doc in docs:
        for section in doc.items:
            is_first = doc is docs[0]
            if isinstance(section, a.Actuators) or (is_first and isinstance(section, assets.Asset)):
                _drop_inside(section, model_of(records[0].scope), findings)
    for section in docs[0].items:
        if isinstance(section, d.Keyframes):
            _drop_inside(section, model_of(records[0].scope), findings)


def _assets(scope: Scope) -> dict[str, dict[str, Document | None]]:
    """The assets that a file may use, by kind and name."""
    out: dict[str, dict[str, Document | None]] = {"material": {}, "texture": {}}
    for each in (scope, *scope.others):
        for (kind, name), asset in each.assets.items():
            out.setdefault(kind, {}).setdefault(name, asset)
    return out


def _drop(doc: Document, model: Model, findings: Findings) -> None:
    _drop_overruled(doc)
    for rule in broken(doc, model, values=True):
        _ignore(doc, rule, findings)


def _ignore(doc: Document, rule: Broken, findings: Findings) -> None:
    name = getattr(doc, "name", None)
    of = f"<{tag_of(doc)}> '{name}'" if name else f"<{tag_of(doc)}>"
    text = f"{of}: {rule.text}; ignored (MuJoCo rejects the file)"
    findings.warning(rule.code, text, doc.at(*rule.fields), rule.remedy)
    _remove(doc, rule.fields)


def _drop_overruled(doc: Document) -> None:
    """Remove values of a default class that others of the element overrule."""
    match doc:
        case b.Camera() if doc.sensorsize is not None and not {"fovy", "sensorsize"} <= doc.given:
            _remove(doc, ("fovy",))
        case a.Position() if doc.kv is not None and doc.dampratio is not None:
            if unwritten := {"kv", "dampratio"} - doc.given:
                _remove(doc, unwritten)


def _remove(doc: Document, names: Collection[str]) -> None:
    """Remove fields from an element, those of its default class, too."""
    if doc.node is not None:
        own = {key for key, entry in plan(type(doc)).keys.items() if entry.name in names}
        doc.node = with_items(doc.node, (item for item in doc.node.items if item[0] not in own))
    doc.given = doc.given - set(names)
    for field in fields(type(doc)):  # type: ignore[arg-type]
        if field.name in names:
            setattr(doc, field.name, field.default)


def _drop_inside(
    section: a.Actuators | assets.Asset | d.Keyframes, model: Model, findings: Findings
) -> None:
    """Remove values of the elements of a section, whose tree is kept."""
    elements = section.keys if isinstance(section, d.Keyframes) else section.items
    for doc in elements:
        before = doc.node
        _drop(doc, model, findings)
        if section.node is not None and doc.node is not before:
            items = [(k, doc.node if v is before else v, at) for k, v, at in section.node.items]
            section.node = with_items(section.node, items)  # type: ignore[arg-type]


def _check_world(world: BodyRecord, findings: Findings) -> None:
    for placed in (*world.joints, *world.inertials):
        findings.warning(
            "element-rejected",
            f"<{tag_of(placed.doc)}> must be in a body, got the world; ignored (MuJoCo rejects the file)",
            placed.at,
            "put it into a body",
        )


def _check_names(records: Sequence[BodyRecord], findings: Findings) -> None:
    """Report geoms of one name; each is a shape, and the first one has the name."""
    seen: set[str] = set()
    for record in records:
        for placed in record.geoms:
            name = getattr(placed.doc, "name", None) or ""
            if name and name in seen:
                findings.warning(
                    "name-duplicate",
                    f"duplicate geom name '{name}'; MuJoCo rejects the file; the first geom keeps the name",
                    placed.doc.at("name"),
                    "rename one of them",
                )
            seen.add(name)


def _counts(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord]) -> dict[str, int]:
    """The lengths of the fields of a keyframe beside positions, those that are known."""
    others = (placed.doc for record in records for placed in record.others)
    if any(isinstance(doc, b.Composite | b.Flexcomp) for doc in others):
        return {}
    joints = [placed.doc for record in records for placed in record.joints]
    mocap = sum(isinstance(record.doc, b.Body) and bool(record.doc.mocap) for record in records)
    sections = [section for doc in docs for section in doc.items]
    actuators = [x for section in sections if isinstance(section, a.Actuators) for x in section.items]
    counts = {
        "qvel": sum(FREEDOMS[x.type] if isinstance(x, b.Joint) else 6 for x in joints),
        "mpos": 3 * mocap,
        "mquat": 4 * mocap,
    }
    for name, count in (("ctrl", controls), ("act", activations)):
        if (number := total(actuators, count)) is not None:
            counts[name] = number
    return counts
