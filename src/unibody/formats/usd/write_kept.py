"""Puts what was kept of a stage back into the prims that are written."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.copied import copied
from unibody.formats.extras import replace_words
from unibody.formats.usd.tree import API, own_types, schemas
from unibody.formats.usd.write_stage import Stage
from unibody.model.robot import Robot
from unibody.model.traverse import part
from unibody.text.node import Node, Numbers, Row, Value, Word, elements
from unibody.text.number import parse_float
from unibody.text.usda.layer import Attribute, Prim, Relationship

# The types of paths and of texts, whose values are rows of words.
_PATHS = ("rel", "connection")
_TEXTS = ("string", "token", "asset")
_METADATA = (
    "displayName",
    "kind",
    "customData",
    "assetInfo",
    "variants",
    "doc",
    "instanceable",
    "instance",
)


def put_back(robot: Robot, stage: Stage) -> None:
    """Add what was kept of a stage to the prims of a robot, where they do not say it themselves."""
    owners = {"": stage.root}
    owners |= {f"links/{part(name)}": path for name, path in stage.links.items()}
    owners |= {f"joints/{part(name)}": path for name, path in stage.joints.items()}
    motors: list[Node] = []
    for extra in robot.extras:
        path = owners.get(extra.owner)
        if extra.format != "usd" or path is None:
            continue
        node = copied(extra.node)
        if not isinstance(node, Node):
            continue
        replace_words(node, {file.name: file.uri for file in extra.files})
        prim = stage.physics.at(path)
        for key, value, _ in node.items:
            if key.endswith(API) and isinstance(value, Node):
                add_schema(prim, key, value)
            elif not key and isinstance(value, Node):
                motors.append(value)
            elif key not in _METADATA:
                add_property(prim, key, value, own_types(prim.type or "Prim"))
    for node in motors:
        _resolve(node, owners)
        _whole(stage, node)


def add_schema(prim: Prim, name: str, node: Node) -> None:
    """The attributes of a schema that is applied to a prim."""
    schema = schemas().get(name)
    instance = node.get("instance")
    words = f":{instance.text}" if isinstance(instance, Word) else ""
    prim.apply(f"{name}{words}")
    prefix = f"{schema.prefix}{words}:" if schema is not None and schema.prefix else ""
    types = schema.attributes() if schema is not None else {}
    for key, value, _ in node.items:
        if key != "instance":
            add_property(prim, key, value, types, prefix)


def _whole(stage: Stage, node: Node) -> None:
    """A prim that belongs to no link or joint; one that the stage has already adds what is new in it."""
    scope = f"{stage.root}/Physics"
    targets = _paths(node)
    given = node.get("displayName")
    name = given.text if isinstance(given, Word) else node.name
    for each in stage.physics.at(scope).children:
        is_known = each.type in ("MjcActuator", "PhysicsScene")
        if is_known and each.type == node.tag and _targets(each) == targets:
            prim = each
            if name and name != prim.name:
                prim.metadata["displayName"] = name
            break
    else:
        prim = stage.physics.at(stage.add(stage.physics, scope, name, node.tag, "prim"))
    types = own_types(node.tag)
    for key, value, _ in node.items:
        if key.endswith(API) and isinstance(value, Node):
            add_schema(prim, key, value)
        elif key and key not in _METADATA:
            add_property(prim, key, value, types)


def _resolve(top: Node, owners: Mapping[str, str]) -> None:
    """Replace the links and joints that relationships name by the paths of their prims, in place."""
    for node in elements(top):
        for i, (key, value, start) in enumerate(node.items):
            if isinstance(value, Row) and any(_is_owner(each) for each in value.values):
                found = [
                    Word(owners.get(each.text, each.text))
                    for each in value.values
                    if isinstance(each, Word) and (not _is_owner(each) or each.text in owners)
                ]
                node.items[i] = (key, Row(list(found), flow=True), start)


def _is_owner(value: Value) -> bool:
    return isinstance(value, Word) and value.text.startswith(("links/", "joints/"))


def _targets(prim: Prim) -> list[str]:
    return [path for x in prim.properties if isinstance(x, Relationship) for path in x.targets]


def _paths(node: Node) -> list[str]:
    """The targets of an actuator."""
    value = node.get("mjc:target")
    return [x.text for x in value.values if isinstance(x, Word)] if isinstance(value, Row) else []


def add_property(prim: Prim, key: str, value: Value, types: dict[str, str], prefix: str = "") -> None:
    """A property by its key: the bare name of a declared one, or "TYPE NAME" of another."""
    kind = types.get(key, "")
    name = key
    if not kind:
        kind, _, name = key.rpartition(" ")
        if not kind:
            return
    full = f"{prefix}{name}"
    of, dot, word = full.rpartition(".")
    if dot and word != "connect":
        for each in prim.properties:
            if each.name == of and isinstance(each, Attribute) and isinstance(value, Word):
                each.metadata = {**each.metadata, word: value.text}
        return
    if any(x.name == full for x in prim.properties):
        return
    words = kind.split()
    base = words[-1]
    is_uniform = "uniform" in words or full.startswith("mjc:")
    if base in _PATHS:
        paths = [x.text for x in value.values if isinstance(x, Word)] if isinstance(value, Row) else []
        if base == "rel" and paths:
            prim.properties.append(Relationship(full, tuple(paths)))
        elif base == "connection" and paths:
            _connect(prim, full.removesuffix(".connect"), paths[0], types)
        return
    if isinstance(value, Node) and not value.items:
        prim.properties.append(Attribute(base, full, uniform=is_uniform, custom="custom" in words))
        return
    found = _value(value, base)
    if found is None:
        return
    prim.properties.append(Attribute(base, full, found, uniform=is_uniform, custom="custom" in words))


def _connect(prim: Prim, name: str, path: str, types: dict[str, str]) -> None:
    """Connect an attribute, which is declared now if it was not before."""
    for each in prim.properties:
        if each.name == name and isinstance(each, Attribute):
            each.connect = path
            return
    kind = types.get(name, "token").split()[-1]
    prim.properties.append(Attribute(kind, name, connect=path))


def _value(value: Value, kind: str) -> object:
    """The value of an attribute of a type; None if it has none."""
    base = kind.removesuffix("[]")
    texts = [value] if isinstance(value, Word) else list(value.values) if isinstance(value, Row) else []
    words = [x.text for x in texts if isinstance(x, Word)]
    if base in _TEXTS:
        return words if kind.endswith("[]") else words[0] if words else None
    if base == "bool":
        flags = [word in ("true", "1") for word in words]
        return flags if kind.endswith("[]") else flags[0] if flags else None
    numbers = value.array().tolist() if isinstance(value, Numbers) else [_number(word) for word in words]
    if any(x is None for x in numbers):
        return None
    width = int(base[-1]) if base[-1].isdigit() else int(base[-2]) if base[-2:-1].isdigit() else 1
    width = 4 if base.startswith("quat") else width
    if base.startswith("matrix"):
        size = int(base[6])
        rows = [tuple(numbers[k : k + size]) for k in range(0, len(numbers), size)]
        return tuple(rows) if len(rows) == size else None
    if kind.endswith("[]"):
        return numbers if width == 1 else [numbers[k : k + width] for k in range(0, len(numbers), width)]
    if not numbers:
        return None
    return tuple(numbers) if width > 1 else numbers[0]


def _number(text: str) -> float | None:
    return float(text) if text in ("inf", "-inf", "nan") else parse_float(text)
