"""Generates the PROTO declarations of a written file from the document classes (facts B.2, B.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from unibody.document.declare import Plan, Spec, plan
from unibody.formats.openhrp import document as d
from unibody.formats.vrml97.values import SF_BOOL, SF_COLOR, SF_FLOAT, SF_INT32, SF_ROTATION, SF_VEC3F
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, values
from unibody.text.number import parse_float

# Fields outside the reference, declared only if a node has them.
_RARE = frozenset(
    "climit equivalentInertia dh jointValue limitOrientation stiffness linkConnections deviceId "
    "minAngle maxAngle".split()
)
_PLACED = ("center", "rotation", "scale", "scaleOrientation", "translation")
_TYPES = frozenset(t.name for t in (SF_BOOL, SF_COLOR, SF_FLOAT, SF_INT32, SF_ROTATION, SF_VEC3F))
_DEFAULTS: dict[str, Value] = {
    "SFBool": Word("FALSE"),
    "SFFloat": Word("0"),
    "SFInt32": Word("-1"),
    "SFVec3f": Numbers("0 0 0", form=""),
    "SFRotation": Numbers("0 0 1 0", form=""),
    "SFString": Word("", quote='"'),
    "SFNode": Word("NULL"),
    "MFFloat": Numbers("", form="["),
    "MFString": Row([], flow=True),
    "MFNode": Row([], flow=True),
}


@dataclass(slots=True)
class _Used:
    """The fields that instances of one prototype use, in order of first use, with all their values."""

    fields: dict[str, list[Value]] = field(default_factory=dict)


# Order of the fields of a Transform; others come before children.
_ORDER = {"translation": 0, "rotation": 1, "scaleOrientation": 2, "scale": 3, "children": 9}


def arrange(root: Node) -> None:
    """Insert the PROTO declarations of the used nodes at the start of a file, and sort fields.

    Choreonoid and OpenHRP accept only fields that the file declares: the types of unknown fields are
    guessed from their values.
    """
    used: dict[str, _Used] = {}
    for node in _nodes(root):
        if node.tag in d.OWN:
            fields = used.setdefault(node.tag, _Used()).fields
            for key, inner, _ in node.items:
                fields.setdefault(key, []).append(inner)
    for _, humanoid, _ in root.items:
        # nodes beside it keep their order
        for node in _nodes(humanoid) if isinstance(humanoid, Node) and humanoid.tag == "Humanoid" else ():
            if node.tag == "Transform":
                node.items.sort(key=lambda item: _ORDER.get(item[0], 4))
    protos: list[Item] = [("", _proto(tag, used[tag]), -1) for tag in d.OWN if tag in used]
    root.items[:0] = protos


def _nodes(root: Node) -> Iterator[Node]:
    return (value for value in values(root) if isinstance(value, Node))


def _proto(tag: str, used: _Used) -> Node:
    p = plan(d.OWN[tag])
    known = {spec.key: name for name, spec in p.fields.items()}
    keys = [key for key in known if key not in _RARE or key in used.fields]
    items = [_field(key, *_declared(key, known[key], p)) for key in keys]
    items += [_field(key, *_guessed(values)) for key, values in used.fields.items() if key not in known]
    return Node("PROTO", [*items, ("", _body(tag, keys), -1)], name=tag)


def _field(key: str, kind: str, value: Value) -> Item:
    items: list[Item] = [("type", Word(kind), -1), ("value", value, -1)]
    return ("interface", Node("exposedField", items, name=key), -1)


def _declared(key: str, name: str, p: Plan) -> tuple[str, Value]:
    """Type and default of a declared field."""
    spec = p.fields[name]
    kind = _kind(spec)
    value = p.defaults.get(name)
    if spec.type is None or value is None:
        return kind, _DEFAULTS[kind]
    return kind, spec.type.print(value)


def _kind(spec: Spec) -> str:
    """The name of a field's type in VRML97."""
    if spec.type is None:
        return "MFNode" if spec.many else "SFNode"
    if spec.type.name in _TYPES:
        return spec.type.name
    # the name of an OpenHRP type begins with VRML97's name, or describes an enumeration
    word = spec.type.name.split()[0].rstrip(",")
    return word if word in _DEFAULTS else "SFString"


def _guessed(values: list[Value]) -> tuple[str, Value]:
    """Type and default of an undeclared field, from its values; a list type for mixed values."""
    kinds = {_look(v) for v in values}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if not kind:
        kinds = kinds | {_look(values[0])}
        numbers = kinds <= {"SFFloat", "SFVec3f", "SFRotation", "MFFloat"}
        kind = "MFFloat" if numbers else "MFNode" if kinds <= {"SFNode", "MFNode"} else "MFString"
    return kind, _DEFAULTS[kind]


def _look(value: Value) -> str:
    if isinstance(value, Node):
        return "SFNode"
    if isinstance(value, Row):
        return "MFNode" if any(isinstance(v, Node) for v in value.values) else "MFString"
    if isinstance(value, Numbers):
        return {3: "SFVec3f", 4: "SFRotation"}.get(0 if value.form else len(value), "MFFloat")
    if value.quote:
        return "SFString"
    if value.text in ("TRUE", "FALSE"):
        return "SFBool"
    return "SFFloat" if parse_float(value.text) is not None else "SFNode"


# --- bodies, shown by plain VRML97 viewers ----------------------------------------------


def _is(key: str, own: str = "") -> Item:
    return (own or key, Node("IS", name=key), -1)


def _body(tag: str, keys: list[str]) -> Node:
    cls = d.OWN[tag]
    if issubclass(cls, d.Humanoid):
        inner: list[Value] = [Node("Group", [_is(k, "children")]) for k in ("viewpoints", "humanoidBody")]
        box = [_is("bboxCenter"), _is("bboxSize")]
        return Node("Transform", [*box, *map(_is, _PLACED), ("children", Row(inner, flow=True), -1)])
    if issubclass(cls, d.Joint):
        return Node("Transform", [*map(_is, _PLACED), _is("children")])
    if issubclass(cls, d.Device):
        return Node("Transform", [_is("translation"), _is("rotation"), _is("children")])
    if issubclass(cls, d.Surface):
        return Node("Group", [_is("visual", "children")])
    held = [k for k in ("bboxCenter", "bboxSize", "children") if k in keys]
    return Node("Group", [_is(k) for k in held])
