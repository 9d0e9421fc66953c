"""Composed prims as a syntax tree: the attributes of each applied schema are in an element of its own."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from unibody.document.declare import Document, plan
from unibody.formats.usd.composition.compose import Composed
from unibody.formats.usd.composition.layers import Layer
from unibody.formats.usd.document import TYPES
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.values import Packed
from unibody.text.dataclass import dataclass
from unibody.text.limits import Meter
from unibody.text.node import Item, Node, Row, Value, Word
from unibody.text.source import Source, Span
from unibody.text.usda.singles import shortest

#: The end of the names of schemas that are applied to prims.
API = "API"
#: The library whose attributes mean nothing on a prim to which their schema is not applied.
PHYSICS = "Physics"


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema that is applied to prims: its class, and the prefix of its attributes (with instances)."""

    name: str
    cls: type[Document]
    prefix: str = ""

    def attributes(self) -> dict[str, str]:
        """The type of each attribute, by its name without the prefix and the instance."""
        fields = plan(self.cls).fields.values()
        return {f.key: f.type.name for f in fields if f.type is not None and f.key != "instance"}


@cache
def schemas() -> dict[str, Schema]:
    """The declared schemas that are applied to prims, by name."""
    out = {}
    for spec in plan(Prim).fields.values():
        if spec.key.endswith(API):
            cls = spec.members[""]
            out[spec.key] = Schema(spec.key, cls, getattr(cls, "PREFIX", ""))
    return out


@cache
def owners() -> dict[str, list[str]]:
    """The names of the schemas without instances that have an attribute, by its name."""
    out: dict[str, list[str]] = {}
    for schema in schemas().values():
        for name in schema.attributes() if not schema.prefix else ():
            out.setdefault(name, []).append(schema.name)
    return out


@cache
def own_types(tag: str) -> dict[str, str]:
    """The type of each declared property and piece of metadata of prims of a type, by name."""
    fields = plan(TYPES.get(tag)).fields.values()  # type: ignore[arg-type]
    return {f.key: f.type.name for f in fields if f.type is not None}


def prefixes() -> Iterator[tuple[str, Schema]]:
    """The schemas that have instances, by the prefix of their attributes."""
    return ((schema.prefix, schema) for schema in schemas().values() if schema.prefix)


class PrimNode(Node):
    """A composed prim, or a schema that is applied to it. Its text is searched when a place is needed.

    ``path`` is its path in the stage; ``origins`` are the layers that say something of it, with its path
    there, the strongest first; ``owner`` is the prefix of the names of its properties.
    """

    __slots__ = ("origins", "owner", "path")
    path: str
    origins: list[tuple[Layer, str]]
    owner: str

    @property
    def head(self) -> Span | None:
        """The place of the prim in the strongest layer that is text."""
        return self._place("")

    @property
    def span(self) -> Span | None:
        """The place of the prim."""
        return self._place("")

    def place(self, value: Value, start: int = -1) -> Span | None:
        """The place of a value: that of its prim."""
        return value.head if isinstance(value, PrimNode) else self._place("")

    def item_span(self, item: Item) -> Span | None:
        """The place of a property."""
        if isinstance(item[1], PrimNode):
            return item[1].head
        name = item[0].rpartition(" ")[2].partition(".")[0]
        return self._place(f"{self.owner}{name}") or self._place("")

    def _place(self, name: str) -> Span | None:
        if self.path == "/":
            return Span(self.source, 0, 1) if self.source is not None and self.source.text else None
        for layer, path in self.origins:
            found = layer.places().get((path, name))
            if found is not None:
                return Span(layer.source, *found)
        return None


_VARIANT = re.compile(r"\{[^{}]*\}")
# The properties that the local transform replaces.
_OPS = "xformOp:"
_ORDER = "xformOpOrder"
#: The first word of an order of operations that count from the world.
RESET = "!resetXformStack!"
_PLAIN = ("xformOp:translate", "xformOp:orient", "xformOp:scale")
_KEYS = {"documentation": "doc", "customLayerData": "customLayerData"}
_SINGLE = frozenset({"float", "half", "color3f", "point3f", "vector3f", "normal3f", "texCoord2f", "quatf"})


def gathered(composed: Composed, source: Source, meter: Meter) -> Node:
    """The tree of a composed stage."""
    return _Gathering(composed, source, meter).tree()


class _Gathering:
    def __init__(self, composed: Composed, source: Source, meter: Meter) -> None:
        self.composed, self.meter = composed, meter
        self.source = source
        self.assets: list[list[str]] = composed.stage["assets"]

    def tree(self) -> Node:
        root = self._node("", [], "/")
        for name, given in self.composed.stage["stage"].items():
            root.items.append(self._metadata(name, given))
        made: dict[str, PrimNode] = {"": root}
        for prim in self.composed.stage["prims"]:
            path = prim["path"]
            parent = made.get(path.rpartition("/")[0])
            if parent is not None:
                node = made[path] = self._prim(prim)
                parent.items.append(("", node, -1))
        return root

    def _node(self, tag: str, origins: list[tuple[Layer, str]], path: str, owner: str = "") -> PrimNode:
        node = PrimNode(tag)
        node.source = self.source
        node.origins, node.path, node.owner = origins, path, owner
        return node

    def _prim(self, prim: dict[str, Any]) -> PrimNode:
        layers = self.composed.layers
        origins = [
            (layers[name], _VARIANT.sub("/", path).replace("//", "/")) for name, path in prim["layer"]
        ]
        origins = [(layer, path.removesuffix("/") or "/") for layer, path in origins]
        path = prim["path"]
        node = self._node(prim["type"] or "Prim", origins, path)
        node.name = path.rpartition("/")[2]
        items = node.items
        for name, given in prim.get("metadata", {}).items():
            items.append(self._metadata(name, given))
        if "variants" in prim:
            chosen: list[Item] = [
                (f"string {name}", Word(selected), -1) for name, (selected, _) in prim["variants"].items()
            ]
            items.append(("variants", Node("variants", chosen), -1))
        applied, others = self._applied(prim, node)
        if others:
            items.append(("apiSchemas", Row([Word(name) for name in others], flow=True), -1))
        items += self._transform(prim)
        types = own_types(node.tag)
        count = len(items)
        for attribute in prim.get("attributes", ()):
            name = attribute["name"]
            if "local" in prim and (name.startswith(_OPS) or name == _ORDER):
                continue
            holder, inner = self._holder(name, types, node, applied)
            known = types if holder is node else schemas()[holder.tag].attributes()
            holder.items += self._attribute(inner, attribute, known)
            count += 1
        for name, targets, custom in prim.get("relationships", ()):
            holder, inner = self._holder(name, types, node, applied)
            known = types if holder is node else schemas()[holder.tag].attributes()
            kind = "" if inner in known else "custom rel " if custom else "rel "
            value: Value = Row([Word(target) for target in targets], flow=True)
            holder.items.append((f"{kind}{inner}", value, -1))
            count += 1
        items += [(schema.tag, schema, -1) for schema in applied.values()]
        self.meter.take_nodes(count + 1, lambda: node.head)
        return node

    def _applied(self, prim: dict[str, Any], node: PrimNode) -> tuple[dict[str, PrimNode], list[str]]:
        """The elements of the schemas that are applied, by name and instance; the names of others."""
        applied: dict[str, PrimNode] = {}
        others = []
        for full in prim.get("schemas", ()):
            name, _, instance = full.partition(":")
            schema = schemas().get(name)
            if schema is None or bool(schema.prefix) != bool(instance):
                others.append(full)
            elif full not in applied:
                applied[full] = self._schema(schema, instance, node)
        return applied, others

    def _schema(self, schema: Schema, instance: str, node: PrimNode) -> PrimNode:
        owner = f"{schema.prefix}:{instance}:" if schema.prefix else ""
        made = self._node(schema.name, node.origins, node.path, owner)
        if schema.prefix:
            made.items.append(("instance", Word(instance), -1))
        return made

    def _holder(
        self, name: str, types: dict[str, str], node: PrimNode, applied: dict[str, PrimNode]
    ) -> tuple[PrimNode, str]:
        """The element that gets a property, and its name there."""
        if name in types:
            return node, name
        parts = name.split(":", 2)
        if len(parts) == 3:
            for prefix, schema in prefixes():
                if parts[0] == prefix and parts[2] in schema.attributes():
                    full = f"{schema.name}:{parts[1]}"
                    if full not in applied and not schema.name.startswith(PHYSICS):
                        applied[full] = self._schema(schema, parts[1], node)
                    if full in applied:
                        return applied[full], parts[2]
        names = owners().get(name, [])
        for owner in names:
            if owner in applied:
                return applied[owner], name
        if len(names) == 1 and not names[0].startswith(PHYSICS):
            applied[names[0]] = self._schema(schemas()[names[0]], "", node)
            return applied[names[0]], name
        return node, name

    def _transform(self, prim: dict[str, Any]) -> list[Item]:
        """The place of a prim: translation, rotation and scale, or the matrix of any other operations."""
        if "local" not in prim:
            return []
        order = prim["order"]
        resets = order[:1] == [RESET]
        plain = order[1:] if resets else order
        found = {each["name"]: each for each in prim.get("attributes", ())}
        if plain == [name for name in _PLAIN if name in plain] and all(
            isinstance(found.get(name, {}).get("value"), list) for name in plain
        ):
            items = [(name, self._numbers(found[name]["value"], found[name]["type"]), -1) for name in plain]
        else:
            plain = ["xformOp:transform"]
            items = [("xformOp:transform", self._numbers(prim["local"], "matrix4d"), -1)]
        words: list[Value] = [Word(word) for word in ((RESET, *plain) if resets else plain)]
        return [*items, (_ORDER, Row(words, flow=True), -1)]

    def _metadata(self, name: str, given: dict[str, Any]) -> Item:
        value = self._value(given["value"], given["type"])
        return (_KEYS.get(name, name), value, -1)

    def _attribute(self, name: str, given: dict[str, Any], known: dict[str, str]) -> list[Item]:
        """The items of an attribute: its value, its connections and its metadata."""
        kind = given["type"]
        prefix = "" if name in known else self._type(given)
        out: list[Item] = []
        if "value" in given:
            out.append((f"{prefix}{name}", self._value(given["value"], kind), -1))
        if "connections" in given:
            key = f"{name}.connect"
            paths: Value = Row([Word(path) for path in given["connections"]], flow=True)
            out.append((key if key in known else f"connection {key}", paths, -1))
        if "value" not in given and name not in known:
            out.append((f"{prefix}{name}", Node(""), -1))
        for word, value in given.get("metadata", {}).items():
            if isinstance(value, str):
                key = f"{name}.{word}"
                out.append((key if key in known else f"token {key}", Word(value), -1))
        return out

    @staticmethod
    def _type(given: dict[str, Any]) -> str:
        custom = "custom " if given.get("custom") else ""
        uniform = "uniform " if given.get("uniform") else ""
        return f"{custom}{uniform}{given['type']} "

    def _value(self, value: Any, kind: str) -> Value:
        if kind == "dictionary":
            items = [
                (f"{given['type']} {name}", self._value(given["value"], given["type"]), -1)
                for name, given in value.items()
            ]
            return Node("dictionary", items)
        if isinstance(value, bool):
            return Word("true" if value else "false")
        if isinstance(value, str):
            return Word(self._asset(value) if kind == "asset" else value)
        if isinstance(value, int | float):
            if isinstance(value, float) and kind in _SINGLE:
                value = float(shortest(np.array([value], np.float32))[0])
            return Word(_text(value))
        if isinstance(value, list) and (kind in ("token[]", "string[]", "asset[]", "bool[]")):
            words = [self._asset(each) if kind == "asset[]" else each for each in value]
            return Row([Word(str(each).lower() if kind == "bool[]" else each) for each in words], flow=True)
        return self._numbers(value, kind)

    def _asset(self, path: str) -> str:
        """The path of an asset from the folder of the stage; layers write it from their own folders."""
        _, found, number = path.partition("./asset-")
        if not found or not number.isdigit():
            return path
        name, asset = self.assets[int(number)]
        return _from_root(asset, self.composed.layers[name], self.composed.root)

    def _numbers(self, value: Any, kind: str) -> Packed:
        """Numbers of a vector or a list."""
        base = kind.removesuffix("[]")
        if isinstance(value, dict):
            dtype = {"int": "<i4", "float": "<f4", "double": "<f8"}[value["kind"]]
            array: Any = np.frombuffer(self.composed.arrays, dtype, value["count"], value["at"])
        else:
            whole = base in ("int", "uint", "int64", "uint64", "uchar") or base[:3] == "int"
            array = np.array([float(x) for x in value], np.int64 if whole else np.float64)
        if array.dtype == np.float32 or base[-1:] in ("f", "h") or base in _SINGLE or base[:5] == "float":
            array = shortest(array)
        return Packed(array)


def _from_root(asset: str, layer: Layer, root: Layer) -> str:
    """The asset path of a layer as the root layer would write it; absolute ones and URIs stay.

    A file in a package is named as OpenUSD does: ``package.usdz[images/a.png]``.
    """
    if "://" in asset or os.path.isabs(asset):
        return asset
    here, there = (posixpath.dirname(x.path.replace(os.sep, "/")) for x in (root, layer))
    if layer.inner:
        inner = posixpath.normpath(posixpath.join(posixpath.dirname(layer.inner), asset))
        package = posixpath.basename(layer.path.replace(os.sep, "/"))
        package = (
            package if here == there else posixpath.relpath(posixpath.join(there, package), here or ".")
        )
        return f"{package}[{inner}]"
    return asset if here == there else posixpath.relpath(posixpath.join(there, asset), here or ".")


def _without_variants(path: str) -> str:
    """The path of a prim in a layer as its text has it, without the selections of variants.

    >>> _without_variants("/r/v{size=big}c")
    '/r/v/c'
    """
    return _VARIANT.sub("/", path).replace("//", "/").removesuffix("/") or "/"


def _text(value: float) -> str:
    return repr(value) if isinstance(value, float) and value != int(value) else str(value)
