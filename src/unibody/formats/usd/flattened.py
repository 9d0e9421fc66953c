"""A composed stage as the text of one layer."""

from __future__ import annotations

from typing import Any

from unibody.formats.usd.tree import API, own_types
from unibody.formats.usd.write_kept import add_property, add_schema
from unibody.text.node import Node, Row, Value, Word
from unibody.text.usda.layer import Layer, Prim, Typed
from unibody.text.usda.printer import print_layer

_FLAGS = {"true": True, "false": False}
_METADATA = ("kind", "displayName", "doc", "instanceable", "customData", "assetInfo", "variants")
# Types of one number or text.
_ONE = frozenset("string token asset bool int int64 uint uint64 uchar float double half".split())
# Metadata of prims and stages that are no texts.
_NUMBERS = ("metersPerUnit", "kilogramsPerUnit", "timeCodesPerSecond", "framesPerSecond")


def flattened(root: Node) -> str:
    """The text of a layer that says what a composed stage is.

    Raises ValueError for a tree that no stage has.

    >>> print(flattened(Node("", [("upAxis", Word("Z"), -1)])))
    #usda 1.0
    (
        upAxis = "Z"
    )
    <BLANKLINE>
    """
    layer = Layer()
    todo: list[tuple[Node, Prim | None]] = [(root, None)]
    while todo:
        node, prim = todo.pop()
        metadata = layer.metadata if prim is None else prim.metadata
        children = layer.prims if prim is None else prim.children
        types = own_types(node.tag) if prim is not None else {}
        for key, value, _ in node.items:
            if not key and isinstance(value, Node):
                inner = Prim(value.name, "" if value.tag == "Prim" else value.tag)
                children.append(inner)
                todo.append((value, inner))
            elif prim is None or key in _METADATA:
                metadata[key] = _metadata(key, value)
            elif key == "apiSchemas":
                if not isinstance(value, Row):
                    raise ValueError("apiSchemas must be a list")
                prim.schemas += [x.text for x in value.values if isinstance(x, Word)]
            elif key.endswith(API) and isinstance(value, Node):
                add_schema(prim, key, value)
            else:
                add_property(prim, key, value, types)
    return print_layer(layer)


def _metadata(key: str, value: Value) -> Any:
    if isinstance(value, Node):
        return {
            name.rpartition(" ")[2]: _metadata(name, inner)
            if isinstance(inner, Node)
            else _typed(name.rpartition(" ")[0] or "string", _content(inner))
            for name, inner, _ in value.items
        }
    if isinstance(value, Word):
        if key in _NUMBERS:
            return float(value.text)
        return _FLAGS.get(value.text, value.text)
    return _content(value)


def _typed(type_name: str, content: Any) -> Typed:
    """A value of a dictionary; ValueError for a list where the type has one number or text."""
    if isinstance(content, list) and type_name in _ONE:
        raise ValueError(f"a value of the type {type_name} must not be a list")
    return Typed(type_name, content)


def _content(value: Value) -> Any:
    if isinstance(value, Row):
        return [x.text for x in value.values if isinstance(x, Word)]
    if isinstance(value, Word):
        return _FLAGS.get(value.text, value.text)
    return value.array().tolist() if not isinstance(value, Node) else None
