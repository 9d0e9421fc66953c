"""Leaves out kept elements that refer to what is not written, such as a geom whose mesh file is missing."""

from __future__ import annotations

from collections.abc import Sequence

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.outside import all_references

#: Sections in the order in which their elements refer to one another, with the kind of their names.
_SECTIONS: tuple[tuple[type[Document], str], ...] = (
    (d.Contact, ""),
    (d.Tendons, "tendon"),
    (d.Equalities, ""),
    (d.Actuators, "actuator"),
    (d.Sensors, "sensor"),
    (d.Custom, ""),
)
_TREE: dict[type[Document], str] = {
    b.Body: "body",
    b.Joint: "joint",
    b.FreeJoint: "joint",
    b.Geom: "geom",
    b.Site: "site",
    b.Camera: "camera",
    b.Light: "light",
}


def leave_unknown(world: b.WorldBody, sections: Sequence[Document]) -> None:
    """Remove the elements of sections that refer to names of neither the bodies nor other sections."""
    known: dict[str, set[str]] = {kind: set() for kind in (*_TREE.values(), "tendon", "actuator", "sensor")}
    known["body"].add("world")
    todo: list[Document] = list(world.items)
    while todo:
        doc = todo.pop()
        if isinstance(doc, b.Composite | b.Flexcomp):
            return  # MuJoCo makes things of names that are not known here
        name = getattr(doc, "name", None)
        if name and type(doc) in _TREE:
            known[_TREE[type(doc)]].add(name)
        todo += getattr(doc, "items", [])
    for cls, kind in _SECTIONS:
        for section in sections:
            if isinstance(section, cls):
                section.items = [  # type: ignore[attr-defined]
                    item
                    for item in section.items  # type: ignore[attr-defined]
                    if _is_known(item, known)
                ]
                if kind:
                    names = (getattr(item, "name", None) for item in section.items)  # type: ignore[attr-defined]
                    known[kind].update(name for name in names if name)


def _is_known(item: Document, known: dict[str, set[str]]) -> bool:
    """Whether all is there that a kept element refers to; others are made of what is there."""
    if item.node is None:
        return True
    return all(kind not in known or name in known[kind] for kind, name, *_ in all_references(item.node))
