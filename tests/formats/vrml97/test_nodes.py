"""The declared nodes: defaults of the standard, and documents that read back as they were written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.document.strategies import FLOATS, TEXTS, Syntax, documents
from tests.formats.vrml97.reading import read

from unibody.document.bind import Binding, bind, unbind
from unibody.document.declare import Document, Tagged, plan
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.values import to_list
from unibody.text.finding import Findings
from unibody.text.node import Node

CLASSES = list(dict.fromkeys(d.NODES.values()))
NUMBERS = st.lists(FLOATS, max_size=4).map(to_list)
VALUES = {
    "SFFloat": FLOATS,
    "SFInt32": st.integers(-(2**31), 2**31),
    "SFBool": st.booleans(),
    "SFString": TEXTS,
    "SFVec2f": st.tuples(FLOATS, FLOATS),
    "SFVec3f": st.tuples(FLOATS, FLOATS, FLOATS),
    "SFRotation": st.tuples(FLOATS, FLOATS, st.just(1.0), FLOATS),
    "SFColor": st.tuples(*[st.floats(0.0, 1.0)] * 3),
    "MFString": st.lists(TEXTS, max_size=3).map(tuple),
    **dict.fromkeys(
        ("MFFloat", "MFInt32", "MFVec2f", "MFVec3f", "MFColor", "MFRotation", "SFImage"), NUMBERS
    ),
}
SYNTAX = Syntax(values=VALUES, nodes=d.NODES)
SETTINGS = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def bound(cls: type[Document], node: Node, findings: Findings) -> Document:
    return bind(cls, node, Binding(findings, nodes=d.NODES, null="NULL"))


@SETTINGS
@given(documents(d.World, SYNTAX))
def test_what_is_written_reads_back(world: Document) -> None:
    findings = Findings()
    assert bound(d.World, unbind(world), findings) == world
    assert {f.code for f in findings} <= {"kept-as-extra", "not-kept"}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_class_reads_back(cls: type[Tagged]) -> None:
    fields = plan(cls).fields.items()
    content = {n: spec.type.samples[0] for n, spec in fields if spec.type is not None}
    made: Any = cls(**content)
    made.def_name = "X"
    node = unbind(made)
    assert node.name == "X"
    findings = Findings()
    assert bound(cls, node, findings) == made
    assert findings == []


# ISO/IEC 14772-1, 6
DEFAULTS: dict[str, dict[str, Any]] = {
    "Box": {"size": (2, 2, 2)},
    "Cone": {"bottomRadius": 1, "height": 2, "side": True, "bottom": True},
    "Cylinder": {"radius": 1, "height": 2, "side": True, "top": True, "bottom": True},
    "Sphere": {"radius": 1},
    "Material": {
        "ambientIntensity": 0.2,
        "diffuseColor": (0.8, 0.8, 0.8),
        "emissiveColor": (0, 0, 0),
        "shininess": 0.2,
        "specularColor": (0, 0, 0),
        "transparency": 0,
    },
    "Transform": {
        "center": (0, 0, 0),
        "rotation": (0, 0, 1, 0),
        "scale": (1, 1, 1),
        "scaleOrientation": (0, 0, 1, 0),
        "translation": (0, 0, 0),
        "bboxCenter": (0, 0, 0),
        "bboxSize": (-1, -1, -1),
    },
    "Switch": {"whichChoice": -1},
    "Collision": {"collide": True, "proxy": None},
    "IndexedFaceSet": {
        "ccw": True,
        "colorPerVertex": True,
        "convex": True,
        "creaseAngle": 0,
        "normalPerVertex": True,
        "solid": True,
    },
    "ElevationGrid": {
        "ccw": True,
        "colorPerVertex": True,
        "creaseAngle": 0,
        "normalPerVertex": True,
        "solid": True,
        "xDimension": 0,
        "xSpacing": 1,
        "zDimension": 0,
        "zSpacing": 1,
    },
    "Extrusion": {
        "beginCap": True,
        "ccw": True,
        "convex": True,
        "creaseAngle": 0,
        "endCap": True,
        "solid": True,
    },
    "ImageTexture": {"url": (), "repeatS": True, "repeatT": True},
    "TextureTransform": {"center": (0, 0), "rotation": 0, "scale": (1, 1), "translation": (0, 0)},
}


@pytest.mark.parametrize("tag", DEFAULTS)
def test_defaults_of_the_standard(tag: str) -> None:
    cls = d.NODES[tag]
    by_key = {
        spec.key: plan(cls).defaults[name] for name, spec in plan(cls).fields.items() if not spec.many
    }
    for key, value in DEFAULTS[tag].items():
        assert by_key[key] == value, key


@pytest.mark.parametrize("tag", [*d.KEPT, *d.LIGHTS])
def test_nodes_without_a_meaning_for_shapes_are_kept(tag: str) -> None:
    if tag == "ROUTE":
        pytest.skip("a statement")
    made = read(f'Group {{ children [ DEF X {tag} {{ some "thing" }} ] }}')
    (kept,) = made.found.kept
    assert (kept.tag, kept.def_name) == (tag, "X")
    assert [key for key, _, _ in kept.rest] == ["some"]
    assert made.told == []


def test_routes_are_kept() -> None:
    made = read("DEF A Group { } DEF B Group { } ROUTE A.x TO B.y")
    assert [x.tag for x in made.found.kept] == ["ROUTE"]
    assert made.findings == []


def test_an_unknown_node_is_kept_and_said_once() -> None:
    made = read("Group { children [ Frob { level 3 } Frob { } Boxx { } ] }")
    assert made.told == ["node-unknown", "node-unknown"]
    assert "'Frob'" in made.findings[0].message
    assert made.findings[1].hint == "did you mean 'Box'?"
    assert [x.tag for x in made.found.kept] == ["Frob", "Frob", "Boxx"]


def test_a_node_in_the_wrong_place() -> None:
    made = read("Shape { appearance Material { } geometry Box { } } Shape { geometry Group { } }")
    assert made.told == ["node-misplaced", "node-misplaced"]
    assert "'appearance' must be Appearance, not Material" in made.findings[0].message
    assert len(made.found.visuals) == 1
    loose = read("Group { children [ Box { } Material { } ] }")
    assert loose.told == ["node-misplaced", "node-misplaced"]


@pytest.mark.parametrize(
    "text",
    [
        "Shape { appearance Frob { } geometry Box { } }",
        "Shape { appearance Appearance { material Frob { } texture Frob { } } geometry Box { } }",
        "Shape { geometry Box { } } Shape { geometry Frob { } }",
        "Shape { geometry Box { } } Shape { geometry IndexedFaceSet { coord Frob { } color Frob { } } }",
    ],
)
def test_unknown_nodes_where_only_some_may_stand(text: str) -> None:
    made = read(text)
    assert len(made.found.visuals) == 1
    assert made.found.visuals[0].material is None
    assert made.told[:1] == ["node-unknown"]
