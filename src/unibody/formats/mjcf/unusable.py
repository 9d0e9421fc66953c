"""Leaves out elements outside the tree of bodies that MuJoCo rejects, each with a warning.

Other readers of MJCF ignore most of these elements, so that the rest of the file is a model; without them
MuJoCo accepts it.
"""

from __future__ import annotations

from collections.abc import Sequence

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf import document_constraints as c
from unibody.formats.mjcf import document_sensors as s
from unibody.formats.mjcf.asset_elements import name_of
from unibody.formats.mjcf.outside import all_references
from unibody.formats.mjcf.requirements import NAMED, Model, broken
from unibody.formats.mjcf.tree import BodyRecord
from unibody.text.finding import Findings
from unibody.text.near import did_you_mean, near

# Sections in the order in which their elements refer to one another, and the kind of their names; "" if
# each class of elements is a kind.
_SECTIONS: tuple[tuple[type[Document], str], ...] = (
    (assets.Asset, ""),
    (d.Deformable, ""),
    (c.Contact, ""),
    (c.Tendons, "tendon"),
    (c.Equalities, "equality"),
    (a.Actuators, "actuator"),
    (s.Sensors, "sensor"),
    (d.Custom, ""),
)
_TREE = ("joint", "geom", "site", "camera", "light")
_OUTSIDE = ("tendon", "actuator", "sensor", "flex", "mesh", "material")
# Unknown names in these are errors, since loops, couplings and pairs of links of the model come from them.
_OF_THE_MODEL = (c.Connect, c.Weld, c.JointEquality, c.Exclude)
# Of these the model gives another name to the second one.
_RENAMED = (c.Connect, c.Weld, s.SiteSensor, s.SensorRangefinder)


def leave_out(docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
    """Remove the elements of all sections that MuJoCo rejects, with a warning for each."""
    _Check(docs, records, findings).run()


class _Check:
    """The names of a model by kind, in which the elements of its sections are checked."""

    def __init__(self, docs: Sequence[d.Mujoco], records: Sequence[BodyRecord], findings: Findings) -> None:
        self.docs, self.findings = docs, findings
        self.known: dict[str, dict[str, Document | None]] = {kind: {} for kind in (*_TREE, *_OUTSIDE)}
        self.model = Model(records[0].scope.settings, self.known)
        self.known["body"] = {"world": None}
        for record in records:
            self._add("body", record.name, record.doc)
            for kind in _TREE:
                for placed in getattr(record, f"{kind}s"):
                    self._add(kind, getattr(placed.doc, "name", None) or "", placed.doc)
        # MuJoCo makes more things for these, whose names are not known here
        self.is_open = any(
            isinstance(placed.doc, b.Composite | b.Flexcomp)
            for record in records
            for placed in record.others
        )

    def _add(self, kind: str, name: str, doc: Document | None) -> None:
        if name:
            self.known[kind].setdefault(name, doc)

    def run(self) -> None:
        """Check all sections."""
        for cls, kind in _SECTIONS:
            for doc in self.docs:
                for section in doc.items:
                    if isinstance(section, cls):
                        items: list[Document] = section.items  # type: ignore[attr-defined]
                        # each file has names of its own for the models that it attaches
                        kept = [
                            item
                            for item in items
                            if (isinstance(item, assets.Model) and doc is not self.docs[0])
                            or self._is_usable(item, kind)
                        ]
                        section.items = kept  # type: ignore[attr-defined]

    def _is_usable(self, item: Document, kind: str) -> bool:
        """Whether MuJoCo accepts an element; its name is known from here on."""
        node = item.node
        if node is None:
            return True
        kind = kind or node.tag
        name = name_of(item) if isinstance(item, NAMED) else node.word("name") or ""
        what = f"<{node.tag}> '{name}'" if name else f"<{node.tag}>"
        own = self.known.setdefault(kind, {})
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
        self._add(kind, name, item)
        return True

    def _knows_references(self, item: Document, what: str, kind: str) -> bool:
        if self.is_open or item.node is None or isinstance(item, (*_OF_THE_MODEL, *NAMED)):
            return True
        for of, name, holder, place in all_references(item.node):
            names = self.known.get(of)
            if names is None or name in names:
                continue
            alike = near(name, names)
            self.findings.warning(
                "reference-unknown",
                f"{what} refers to unknown {of} '{name}'; MuJoCo rejects the file; the {kind} is left out",
                holder.item_span(place),
                did_you_mean(alike, "correct the name, or remove the element"),
                suggestion=alike,
            )
            return False
        return True

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
