"""Writes what is kept in one notation, so that equal settings are equal extras."""

from __future__ import annotations

from collections.abc import Collection
from types import MappingProxyType

from unibody.document.declare import Document, plan
from unibody.document.unbind import unbind
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.asset_elements import FILES, References, in_order, name_of, take_files
from unibody.formats.mjcf.kept_elements import bound, class_names, without_classes
from unibody.model.robot import Extra
from unibody.text.node import Node

_OWNERS: dict[str, type[Document]] = {"links": b.Body, "joints": b.Joint}
#: What the model says of a height field.
_HEIGHTS = ("nrow", "ncol", "elevation")


def uniform(
    extra: Extra, used: Collection[tuple[str, str]] = (), references: References = MappingProxyType({})
) -> Extra:
    """An extra with sections and attributes in the order of the grammar, and numbers as they are written.

    ``used`` are the tags and names of the assets that shapes of the model have: what these say of their
    files is dropped. The files of others are ``references``.
    """
    assert isinstance(extra.node, Node)
    cls = _OWNERS.get(extra.owner.partition("/")[0], d.Mujoco)
    doc = bound(cls, without_classes(extra.node, class_names(extra.node.items)))
    if isinstance(doc, d.Mujoco):
        doc.items = _sections(doc.items)
        for section in doc.items:
            if isinstance(section, d.Asset):
                # what a model file has is attached
                own = [item for item in section.items if not isinstance(item, assets.Model)]
                section.items = in_order(own)
                for item in own:
                    _drop_file(item, used)
        doc.items = [section for section in doc.items if not isinstance(section, d.Asset) or section.items]
    for each in (doc, *getattr(doc, "items", [])):
        if isinstance(each, b.Body | b.WorldBody):
            for item in each.items:
                # type and position of a geom tell that the model has no shape for it
                item.given = {*item.given} & {"type", "pos"} if isinstance(item, b.Geom) else set()
    files = take_files(doc, references)
    node = unbind(doc, "mujoco")
    _place(doc, node)
    return Extra(format=extra.format, owner=extra.owner, node=node, files=files)


def _place(doc: Document, node: Node) -> None:
    """Give the elements inside of a node their places in the file."""
    inner = [value for _, value, _ in node.items if isinstance(value, Node)]
    for child, made in zip(getattr(doc, "items", []), inner, strict=False):
        if child.node is not None:
            made.source, made.start, made.end = child.node.source, child.node.start, child.node.end
        _place(child, made)


def _sections(sections: list[Document]) -> list[Document]:
    """The sections in the order of the grammar, several of a kind as one."""
    places = {key: i for i, key in enumerate(plan(d.Mujoco).fields["items"].members)}
    out: list[Document] = []
    for section in sorted(sections, key=lambda each: places[getattr(each, "KEY", "")]):
        if out and section.JOINED and type(out[-1]) is type(section):
            _join(out[-1], section)
        else:
            out.append(section)
    return out


def _join(first: Document, second: Document) -> None:
    """Add what a second element states to a first one, whose attributes it overrides."""
    fields = plan(type(first)).fields
    for name, spec in fields.items():
        mine, other = getattr(first, name), getattr(second, name)
        if spec.many:
            for item in other:
                twin = next((x for x in mine if type(x) is type(item)), None) if item.JOINED else None
                if twin is None:
                    mine.append(item)
                else:
                    _join(twin, item)
        elif isinstance(mine, Document) and isinstance(other, Document):
            _join(mine, other)
        elif name in second.given or (mine is None and other is not None):
            setattr(first, name, other)
    first.given |= second.given
    first.rest += second.rest


def _drop_file(doc: Document, used: Collection[tuple[str, str]]) -> None:
    """Drop what a shape of the model says of an asset; its name is stated."""
    name = name_of(doc)
    if (getattr(doc, "KEY", ""), name) not in used:
        return
    doc.name = name  # type: ignore[attr-defined]
    dropped = FILES if not isinstance(doc, assets.HeightField) else (*FILES, *_HEIGHTS)
    for key in dropped:
        if hasattr(doc, key):
            setattr(doc, key, None)
    doc.given = {*doc.given} - {*dropped}
