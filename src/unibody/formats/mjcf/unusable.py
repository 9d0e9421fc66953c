"""Leaves out elements and values that MuJoCo rejects, each with a warning.

Other readers of MJCF ignore most of them, so that the rest of the file is a model. Names and references are
those of the declarations, the other rules those of ``requirements``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.asset_elements import name_of
from unibody.formats.mjcf.document_element import tag_of
from unibody.formats.mjcf.drives import activations, actuators, controls, total
from unibody.formats.mjcf.joints import TYPES
from unibody.formats.mjcf.references import Names, Reference, leave_out, table
from unibody.formats.mjcf.requirements import Broken, Model, broken
from unibody.formats.mjcf.tree import BodyRecord
from unibody.model.joint_kind import KINDS
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near
from unibody.text.node import with_items

_TREE = ("joints", "geoms", "sites", "cameras", "lights")
# Unknown names in these are errors: loops, couplings and pairs of links of the model come from them.
_OF_THE_MODEL = (c.Connect, c.Weld, c.JointEquality, c.Exclude)
# Of these the model gives another name to the second one.
_RENAMED = (c.Connect, c.Weld, s.SiteSensor, s.SensorRangefinder)
# Assets stay if they refer to unknown ones, since others refer to them.
_ASSETS = (assets.Material, assets.HeightField, assets.Mesh, assets.Texture)
_MOCAP = Broken(
    "mocap must be of a body in the world without joints", "remove mocap, or the joint", fields=("mocap",)
)


def leave_unusable(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Remove the elements and values of the tree and of all sections that MuJoCo rejects."""
    _Check(docs, records, findings).run()


class _Check:
    """The names of a model by kind, in which its elements are checked."""

    def __init__(self, docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
        self.docs, self.records, self.findings = docs, records, findings
        # MuJoCo makes more things for these, whose names are not known here
        others = (placed.doc for record in records for placed in record.others)
        self.is_open = any(isinstance(doc, b.Composite | b.Flexcomp) for doc in others)
        #: The names of the tree, to which those of sections are added one by one.
        self.names = Names()
        for record in records:
            if isinstance(record.doc, b.Body):
                self.names.add(record.doc)
            for placed in (placed for kind in _TREE for placed in getattr(record, kind)):
                self.names.add(placed.doc)
        #: The names to which the tree and assets refer.
        self.around = Names(("body", "material", "texture"))
        self.around.known["body"] = self.names.known["body"]
        for (kind, name), asset in (x for each in records[0].scope.others for x in each.assets.items()):
            self.around.known.setdefault(kind, {}).setdefault(name, asset)

    def run(self) -> None:
        """Check the tree, then the sections; keyframes last, since their lengths are those of the rest."""
        settings = self.records[0].scope.settings
        self._check_tree()
        for section in self.docs[0].items:
            if isinstance(section, assets.Asset):
                self._check_inside(section, section.items, Model(settings))
        # each file has names of its own for the models that it attaches
        attached = {id(item) for doc in self.docs[1:] for item in _models(doc)}
        sections = [section for doc in self.docs for section in doc.items]
        leave_out(sections, lambda item: id(item) in attached or self._is_usable(item, Model(settings)))
        for section in self.docs[0].items:
            if isinstance(section, d.Keyframes):
                self._check_inside(section, section.keys, Model(settings, self._counts()))

    # --- values -------------------------------------------------------------------------

    def _check_tree(self) -> None:
        """Ignore values of the bodies and of what is in them, and what the world cannot have."""
        for record in self.records:
            if (
                isinstance(record.doc, b.Body)
                and record.doc.mocap
                and (record.parent != 0 or record.joints)
            ):
                self._ignore(record.doc, _MOCAP)
            for placed in (placed for kind in _TREE for placed in getattr(record, kind)):
                self._check_values(placed.doc, Model(placed.scope.settings))
        for placed in (*self.records[0].joints, *self.records[0].inertials):
            self.findings.warning(
                "element-rejected",
                f"{_named(placed.doc)} must be in a body, got the world; ignored (MuJoCo rejects the file)",
                placed.at,
                "put it into a body",
            )
        for geom in (placed.doc for record in self.records for placed in record.geoms):
            first = self.names.known["geom"].get(getattr(geom, "name", None) or "", geom)
            if first is not geom:
                self._duplicate("geom", geom, "the first geom keeps the name")

    def _check_inside(self, section: Document, elements: Sequence[Document], model: Model) -> None:
        """Ignore values of the elements of a section, whose tree is kept."""
        new = {}
        for doc in elements:
            before = doc.node
            self._check_values(doc, model)
            if doc.node is not before:
                new[id(before)] = doc.node
        if new and section.node is not None:
            items = ((key, new.get(id(value), value), at) for key, value, at in section.node.items)
            section.node = with_items(section.node, items)  # type: ignore[arg-type]

    def _check_values(self, doc: Document, model: Model) -> None:
        for rule in broken(doc, model, values=True):
            self._ignore(doc, rule)
        if isinstance(doc, b.Geom):
            return  # its unknown references are errors of ``geoms``
        for found in [x for x in self.around.references(doc) if x.holder is doc.node]:
            if found.name not in self.around.known[found.kind] and not (
                self.is_open and found.kind == "body"
            ):
                field = plan(type(doc)).keys[found.item[0]].name
                self._unknown(doc, found, self.around, f"{found.item[0]} is ignored")
                _remove(doc, (field,))

    def _ignore(self, doc: Document, rule: Broken) -> None:
        text = f"{_named(doc)}: {rule.text}; ignored (MuJoCo rejects the file)"
        self.findings.warning(rule.code, text, doc.at(*rule.fields), rule.remedy)
        _remove(doc, rule.fields)

    def _counts(self) -> dict[str, int]:
        """The lengths of the fields of a keyframe beside positions, those that are known."""
        if self.is_open:
            return {}
        joints = [placed.doc for record in self.records for placed in record.joints]
        mocap = sum(isinstance(x.doc, b.Body) and bool(x.doc.mocap) for x in self.records)
        counts = {
            "qvel": sum(KINDS[TYPES[getattr(x, "type", "free")]].nv for x in joints),
            "mpos": 3 * mocap,
            "mquat": 4 * mocap,
        }
        for name, count in (("ctrl", controls), ("act", activations)):
            if (number := total(actuators(self.docs), count)) is not None:
                counts[name] = number
        return counts

    # --- elements -----------------------------------------------------------------------

    def _is_usable(self, item: Document, model: Model) -> bool:
        """Whether MuJoCo accepts an element; its name is known from here on."""
        if item.node is None:
            return True
        kind = table(type(item)).kind
        name = name_of(item) if isinstance(item, _ASSETS) else item.node.word("name") or ""
        first = self.names.known.get(kind, {}).get(name) if name else None
        if first is not None:
            if not (isinstance(item, _RENAMED) and isinstance(first, _RENAMED)):
                self._duplicate(kind, item, "the second one is left out")
                return False
        elif not (self._knows_references(item, kind) and self._keeps_rules(item, kind, model)):
            return False
        self.names.add(item, name)
        return True

    def _knows_references(self, item: Document, kind: str) -> bool:
        if self.is_open or isinstance(item, _ASSETS):
            return True
        found = self.names.unknown(item)
        if found is not None:
            outcome = "" if isinstance(item, _OF_THE_MODEL) else f"the {kind} is left out"
            self._unknown(item, found, self.names, outcome)
        return found is None

    def _keeps_rules(self, item: Document, kind: str, model: Model) -> bool:
        for rule in broken(item, model, values=False):
            text = f"{_named(item)}: {rule.text}; the {kind} is left out (MuJoCo rejects the file)"
            self.findings.warning(rule.code, text, item.at(), rule.remedy)
            return False
        return True

    # --- findings -----------------------------------------------------------------------

    def _unknown(self, doc: Document, found: Reference, names: Names, outcome: str) -> None:
        """Report an unknown name: an error if there is no outcome, else a warning."""
        alike = near(found.name, names.known[found.kind])
        what = f"{_named(doc)} refers to unknown {found.kind} '{found.name}'"
        report = self.findings.warning if outcome else self.findings.error
        report(
            "reference-unknown",
            f"{what}; MuJoCo rejects the file" + (f"; {outcome}" if outcome else ""),
            found.holder.item_span(found.item),
            did_you_mean(alike, "correct the name, or remove the element"),
            suggestion=alike,
        )

    def _duplicate(self, kind: str, doc: Document, outcome: str) -> None:
        name = name_of(doc) if isinstance(doc, _ASSETS) else getattr(doc, "name", None)
        self.findings.warning(
            "name-duplicate",
            f"duplicate {kind} name '{name}'; MuJoCo rejects the file; {outcome}",
            doc.at("name") if "name" in doc.given else doc.at(),
            "rename one of them",
        )


def _named(doc: Document) -> str:
    """The tag of an element and its name, if it has one."""
    name = name_of(doc) if isinstance(doc, _ASSETS) else getattr(doc, "name", None)
    return f"<{tag_of(doc)}> '{name}'" if name else f"<{tag_of(doc)}>"


def _remove(doc: Document, names: Collection[str]) -> None:
    """Remove fields from an element, those of its default class, too."""
    if doc.node is not None:
        own = {key for key, entry in plan(type(doc)).keys.items() if entry.name in names}
        doc.node = with_items(doc.node, (item for item in doc.node.items if item[0] not in own))
    doc.given = doc.given - set(names)
    for field in fields(type(doc)):  # type: ignore[arg-type]
        if field.name in names:
            setattr(doc, field.name, field.default)


def _models(doc: d.Mujoco) -> list[Document]:
    """The models that a file may attach."""
    sections = [section for section in doc.items if isinstance(section, assets.Asset)]
    return [item for section in sections for item in section.items if isinstance(item, assets.Model)]
