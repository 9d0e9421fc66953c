"""What the attributes of elements outside the tree of bodies refer to."""

from __future__ import annotations

from unibody.text.node import Node, Word

#: The kind of thing that an attribute refers to, outside the tree.
REFERENCES = {
    **dict.fromkeys(("joint", "joint1", "joint2", "jointinparent"), "joint"),
    **dict.fromkeys(("body", "body1", "body2", "target"), "body"),
    **dict.fromkeys(("geom", "geom1", "geom2"), "geom"),
    **dict.fromkeys(("site", "site1", "site2", "cranksite", "slidersite", "refsite", "sidesite"), "site"),
    **dict.fromkeys(("tendon", "tendon1", "tendon2"), "tendon"),
    "actuator": "actuator",
    "camera": "camera",
}
#: Attributes whose kind another attribute states.
TYPED = {"objname": "objtype", "refname": "reftype"}


def references(node: Node) -> list[tuple[str, str]]:
    """The kinds and names of what an element outside the tree refers to."""
    out: list[tuple[str, str]] = []
    todo = [node]
    while todo:
        inner = todo.pop()
        for key, value, _ in inner.items:
            if isinstance(value, Node):
                todo.append(value)
            elif isinstance(value, Word) and value.text and (kind := referred_kind(inner, key)):
                out.append((kind, value.text))
    return out


def referred_kind(node: Node, key: str) -> str:
    """The kind of thing that an attribute refers to, "" if to nothing."""
    if key in TYPED:
        word = node.word(TYPED[key]) or ""
        return "body" if word == "xbody" else word
    return REFERENCES.get(key, "")
