"""What the attributes of elements outside the tree of bodies refer to."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.text.node import Item, Node, Word, elements

#: The kind of thing that an attribute refers to, outside the tree.
REFERENCES = {
    **dict.fromkeys(("joint", "joint1", "joint2", "jointinparent"), "joint"),
    **dict.fromkeys(("body", "body1", "body2", "subtree1", "subtree2", "target"), "body"),
    **dict.fromkeys(("geom", "geom1", "geom2"), "geom"),
    **dict.fromkeys(("site", "site1", "site2", "cranksite", "slidersite", "refsite", "sidesite"), "site"),
    **dict.fromkeys(("tendon", "tendon1", "tendon2"), "tendon"),
    "actuator": "actuator",
    "camera": "camera",
}
#: The same of the attributes that refer to assets.
ASSETS = {"mesh": "mesh", "hfield": "hfield", "material": "material", "texture": "texture"}
#: Attributes whose kind another attribute states.
TYPED = {"objname": "objtype", "refname": "reftype"}


def references(node: Node) -> list[tuple[str, str]]:
    """The kinds and names of what an element outside the tree refers to."""
    return [
        (kind, value.text)
        for inner in elements(node)
        for key, value, _ in inner.items
        if isinstance(value, Word) and value.text and (kind := referred_kind(inner, key))
    ]


def all_references(top: Node) -> Iterator[tuple[str, str, Node, Item]]:
    """The kinds and names of what an element and those inside refer to, assets included, with the items."""
    for node in elements(top):
        for item in node.items:
            key, value, _ = item
            if isinstance(value, Word) and value.text and (kind := _kind(node, key)):
                yield kind, value.text, node, item


def _kind(node: Node, key: str) -> str:
    return ASSETS.get(key, "") or ("flex" if key == "flex" else referred_kind(node, key))


def referred_kind(node: Node, key: str) -> str:
    """The kind of thing that an attribute refers to, "" if to nothing."""
    if key in TYPED:
        word = node.word(TYPED[key]) or ""
        return "body" if word == "xbody" else word
    return REFERENCES.get(key, "")
