"""Leaves out elements outside the tree of bodies that MuJoCo rejects, each with a warning.

Other readers of MJCF ignore most of these elements, so that the rest of the file is a model; without them
MuJoCo accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.asset_elements import name_of
from unibody.formats.mjcf.references import Names, leave_out, table
from unibody.formats.mjcf.requirements import NAMED, Model, broken
from unibody.formats.mjcf.tree import BodyRecord
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near

_TREE = ("joints", "geoms", "sites", "cameras", "lights")
# Unknown names in these are errors, since loops, couplings and pairs of links of the model come from them.
_OF_THE_MODEL = (c.Connect, c.Weld, c.JointEquality, c.Exclude)
# Of these the model gives another name to the second one.
_RENAMED = (c.Connect, c.Weld, s.SiteSensor, s.SensorRangefinder)


def leave_rejected(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Remove the elements of all sections that MuJoCo rejects, with a warning for each."""
    _Check(docs, records, findings).run()


class _Check:
    """The names of a model by kind, in which the elements of its sections are checked."""

    def __init__(self, docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
        self.docs, self.findings = docs, findings
        self.names = Names()
        self.model = Model(records[0].scope.settings, self.names.known)
        for record in records:
            if isinstance(record.doc, b.Body):
                self.names.add(record.doc)
            for kind in _TREE:
                for placed in getattr(record, kind):
                    self.names.add(placed.doc)
        # MuJoCo makes more things for these, whose names are not known here
        self.is_open = any(
            isinstance(placed.doc, b.Composite | b.Flexcomp)
            for record in records
            for placed in record.others
        )

    def run(self) -> None:
        """Check all sections."""
        # each file has names of its own for the models that it attaches
        attached = {id(item) for doc in self.docs[1:] for item in _models(doc)}
        sections = [section for doc in self.docs for section in doc.items]
        leave_out(sections, lambda item: id(item) in attached or self._is_usable(item))

    def _is_usable(self, item: Document) -> bool:
        """Whether MuJoCo accepts an element; its name is known from here on."""
        node = item.node
        if node is None:
            return True
        kind = table(type(item)).kind
        name = name_of(item) if isinstance(item, NAMED) else node.word("name") or ""
        what = f"<{node.tag}> '{name}'" if name else f"<{node.tag}>"
        own = self.names.known.get(kind, {})
        if name and name in own:
            if not (isinstance(item, _RENAMED) and isinstance(own[name], _RENAMED)):
                self.findings.warning(
                    "name-duplicate",
                    f"duplicate {kind} name '{name}'; MuJoCo rejects the file; the second one is left out",
                    item.at("name") if node.word("name") else item.at(),
                    "rename one of them",
                )
                return False
        elif not (self._knows_references(item, what, kind) and self._is_accepted(item, what, kind)):
            return False
        self.names.add(item, name)
        return True

    def _knows_references(self, item: Document, what: str, kind: str) -> bool:
        if self.is_open or item.node is None or isinstance(item, (*_OF_THE_MODEL, *NAMED)):
            return True
        found = self.names.unknown(item)
        if found is None:
            return True
        alike = near(found.name, self.names.known[found.kind])
        self.findings.warning(
            "reference-unknown",
            f"{what} refers to unknown {found.kind} '{found.name}'; MuJoCo rejects the file; "
            f"the {kind} is left out",
            found.holder.item_span(found.item),
            did_you_mean(alike, "correct the name, or remove the element"),
            suggestion=alike,
        )
        return False

    def _is_accepted(self, item: Document, what: str, kind: str) -> bool:
        for rule in broken(item, self.model, values=False):
            self.findings.warning(
                rule.code,
                f"{what}: {rule.text}; the {kind} is left out (MuJoCo rejects the file)",
                item.at(),
                rule.remedy,
            )
            return False
        return True


def _models(doc: d.Mujoco) -> list[Document]:
    """The models that a file may attach."""
    sections = [section for section in doc.items if isinstance(section, assets.Asset)]
    return [item for section in sections for item in section.items if isinstance(item, assets.Model)]
