"""A file as Choreonoid's loader reads it: what it would refuse (facts B.1 to B.7, B.9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unibody.document.declare import plan
from unibody.formats.vrml97.document import NODES
from unibody.text.finding import Findings
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import parse_float
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml

# Facts B.3: what a file must declare.
REQUIRED = {
    "Humanoid": "center SFVec3f humanoidBody MFNode rotation SFRotation translation SFVec3f",
    "Joint": "center SFVec3f children MFNode rotation SFRotation translation SFVec3f jointType SFString "
    "jointId SFInt32 jointAxis SFVec3f llimit MFFloat ulimit MFFloat lvlimit MFFloat uvlimit MFFloat",
    "Segment": "centerOfMass SFVec3f mass SFFloat momentsOfInertia MFFloat children MFNode",
    "Surface": "visual MFNode collision MFNode",
    "ForceSensor": "sensorId SFInt32 translation SFVec3f rotation SFRotation",
    "Gyro": "sensorId SFInt32 translation SFVec3f rotation SFRotation",
    "AccelerationSensor": "sensorId SFInt32 translation SFVec3f rotation SFRotation",
    "VisionSensor": "translation SFVec3f rotation SFRotation type SFString width SFInt32 height SFInt32 "
    "fieldOfView SFFloat frontClipDistance SFFloat backClipDistance SFFloat frameRate SFFloat",
    "RangeSensor": "translation SFVec3f rotation SFRotation scanAngle SFFloat scanStep SFFloat "
    "scanRate SFFloat maxDistance SFFloat minDistance SFFloat",
    "SpotLightDevice": "translation SFVec3f rotation SFRotation attenuation SFVec3f beamWidth SFFloat "
    "color SFColor cutOffAngle SFFloat direction SFVec3f intensity SFFloat on SFBool",
    "ExtraJoint": "link1Name SFString link2Name SFString link1LocalPos SFVec3f link2LocalPos SFVec3f "
    "jointType SFString jointAxis SFVec3f",
}
_JOINTS = ("fixed", "free", "rotate", "slide", "pseudoContinuousTrack")
_LOOPS = ("ball", "piston")
_WIDTHS = {"SFVec2f": 2, "SFVec3f": 3, "SFColor": 3, "SFRotation": 4}


def refusals(text: str) -> Iterator[str]:
    """What Choreonoid would not take."""
    if text.startswith("\ufeff") or not text.startswith("#VRML V2.0 utf8\n"):
        yield "header"
    for string in re.findall(r'"(?:[^"\\]|\\.)*"', text):
        if "\\" in string:
            yield f"a backslash in {string[:60]}"
    if re.search(r"\bUSE\s+[^\s,]*[\]\[{}]", text) or re.search(r"\bDEF\s+\S+\s+Inline", text):
        yield "a name that ends in a bracket, or a named Inline"
    findings = Findings()
    root = vrml.parse(Source("a.wrl", text), findings)
    yield from map(str, findings)
    protos: dict[str, dict[str, str]] = {}
    humanoids = 0
    for _, node, _ in root.items:
        assert isinstance(node, Node)
        if node.tag == "PROTO":
            protos[node.name] = dict(_declared(node))
            yield from _missing(node.name, protos[node.name])
        else:
            humanoids += node.tag == "Humanoid"
            yield from _instance(node, protos)
    if humanoids != 1:
        yield f"{humanoids} Humanoids"


def _declared(proto: Node) -> Iterator[tuple[str, str]]:
    for key, value, _ in proto.items:
        if key == "interface" and isinstance(value, Node):
            kind = value.word("type") or ""
            default = value.get("value")
            assert default is not None, f"{proto.name}.{value.name} has no default"
            assert _fits(default, kind), f"{proto.name}.{value.name} is no {kind}"
            yield value.name, kind


def _missing(name: str, there: dict[str, str]) -> Iterator[str]:
    words = REQUIRED.get(name, "").split()
    for field, kind in zip(words[::2], words[1::2], strict=True):
        if there.get(field) != kind:
            yield f"PROTO {name} has no {kind} {field}"


def _instance(top: Node, protos: dict[str, dict[str, str]]) -> Iterator[str]:
    todo: list[Value] = [top]
    names: set[str] = set()
    while todo:
        node = todo.pop()
        if not isinstance(node, Node):
            continue
        if node.tag == "USE":
            continue
        names.add(node.name)
        fields = protos.get(node.tag)
        if fields is None and node.tag not in NODES:
            yield f"{node.tag} is declared nowhere"
            continue
        if fields is None:
            fields = {s.key: _kind(s) for s in plan(NODES[node.tag]).fields.values() if s.key}
        for key, value, _ in node.items:
            kind = fields.get(key)
            if kind is None and plan(NODES.get(node.tag, NODES["Group"])).fields and key:
                yield f"{node.tag} has no {key}"
            if kind is not None and not _fits(value, kind):
                yield f"{node.tag}.{key} is no {kind}: {value!r}"
            todo.extend(value.values if isinstance(value, Row) else [value])
        yield from _meaning(node)


def _kind(spec: object) -> str:
    kind = getattr(spec, "type", None)
    if kind is None:
        return "MFNode" if getattr(spec, "many", False) else "SFNode"
    return str(kind.name)


def _meaning(node: Node) -> Iterator[str]:
    kind = node.word("jointType")
    if node.tag == "Joint" and kind not in _JOINTS:
        yield f"jointType {kind}"
    if node.tag == "ExtraJoint" and kind not in _LOOPS:
        yield f"ExtraJoint {kind}"
    moments = node.get("momentsOfInertia")
    if isinstance(moments, Numbers) and len(moments) != 9:
        yield "momentsOfInertia"
    faces = node.get("coordIndex")
    if isinstance(faces, Numbers) and faces.words()[-1] != "-1":
        yield "an open face"
    turns = [v for k, v, _ in node.items if k in ("rotation", "scaleOrientation")]
    if any(isinstance(v, Numbers) and not any(map(float, v.words()[:3])) for v in turns):
        yield "a rotation about nothing"


def _fits(value: Value, kind: str) -> bool:
    match kind:
        case "SFBool":
            return isinstance(value, Word) and value.text in ("TRUE", "FALSE")
        case "SFFloat" | "SFTime":
            return isinstance(value, Word) and not value.quote and parse_float(value.text) is not None
        case "SFInt32":
            return isinstance(value, Word) and re.fullmatch(r"-?\d+", value.text) is not None
        case "SFString":
            return isinstance(value, Word) and value.quote == '"'
        case "SFNode":
            return isinstance(value, Node) or (isinstance(value, Word) and value.text == "NULL")
        case "MFNode":
            return isinstance(value, Row) and all(isinstance(v, Node) for v in value.values)
        case "MFString":
            return isinstance(value, Row) and all(isinstance(v, Word) and v.quote for v in value.values)
    if kind in _WIDTHS:
        return isinstance(value, Numbers) and value.form == "" and len(value) == _WIDTHS[kind]
    if kind.startswith("MF"):
        empty = isinstance(value, Row) and not value.values
        return empty or (isinstance(value, Numbers) and value.form == "[")
    return True
