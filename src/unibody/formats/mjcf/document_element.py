"""The base of the elements of MJCF, which states the order of their attributes."""

from __future__ import annotations

from typing import ClassVar

from unibody.document.declare import Document, element


@element
class Element(Document):
    """Base of all elements: what it is and what it belongs to is written first, then where it is.

    ``DEFAULT`` is the tag of the element of a default class that has its values, if it is not its own.
    """

    DEFAULT: ClassVar[str] = ""
    LEADING = (
        "name", "class_", "childclass", "type", "texture", "file", "mesh", "hfield", "joint", "tendon",
        "site", "body", "body1", "body2", "site1", "site2", "joint1", "joint2", "geom1", "geom2", "mass",
        "pos", "axis", "quat", "size", "range",
    )  # fmt: skip


def tag_of(doc: Document) -> str:
    """The tag of an element."""
    return doc.node.tag if doc.node is not None else getattr(doc, "KEY", "")
