"""The declarations: complete, as Inventor's reference has them, and what is written reads back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.document.strategies import Syntax, documents
from tests.shared import DEV

from unibody.document.bind import unbind
from unibody.document.declare import Wrong, plan
from unibody.files.access import Files
from unibody.formats.format import Context
from unibody.formats.inventor import document as d
from unibody.formats.inventor import values as v
from unibody.formats.inventor.expand import expand, read_source
from unibody.formats.inventor.nodes import TABLE
from unibody.formats.inventor.read import bind_model
from unibody.text.finding import Findings
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Numbers, Row, Word
from unibody.text.source import Source

WRITABLE = {tag: cls for tag, cls in TABLE.items() if " " not in tag and tag not in ("File", "WWWInline")}


def context() -> Context:
    return Context("a.iv", Files(), Findings(), lambda path, context: None)


def parsed(text: str) -> Node:
    return inventor.parse(Source("a.iv", text), Findings(), True)


@pytest.mark.parametrize(
    ("tag", "field", "default"),
    [
        ("Separator", "renderCaching", "AUTO"),
        ("Switch", "whichChild", -1),
        ("Cube", "width", 2.0),
        ("Cylinder", "height", 2.0),
        ("Cone", "bottomRadius", 1.0),
        ("Cone", "parts", ("ALL",)),
        ("Material", "ambientColor", "0.2 0.2 0.2"),
        ("Material", "diffuseColor", "0.8 0.8 0.8"),
        ("Material", "shininess", "0.2"),
        ("MaterialBinding", "value", "OVERALL"),
        ("NormalBinding", "value", "PER_VERTEX_INDEXED"),
        ("IndexedFaceSet", "coordIndex", "0"),
        ("IndexedFaceSet", "materialIndex", "-1"),
        ("FaceSet", "numVertices", "-1"),
        ("PointSet", "numPoints", -1),
        ("QuadMesh", "verticesPerRow", 1),
        ("Array", "separation3", (0.0, 0.0, 1.0)),
        ("ShapeHints", "faceType", "CONVEX"),
        ("ShapeHints", "vertexOrdering", "UNKNOWN_ORDERING"),
        ("Complexity", "value", 0.5),
        ("Units", "units", "METERS"),
        ("PackedColor", "orderedRGBA", "0xccccccff"),
        ("Transform", "rotation", (0.0, 0.0, 1.0, 0.0)),
        ("PerspectiveCamera", "focalDistance", 5.0),
        ("SpotLight", "cutOffAngle", 0.7853981633974483),
        ("FontStyle", "family", "SERIF"),
        ("Texture2", "wrapS", "REPEAT"),
        ("LocateHighlight", "color", (0.3, 0.3, 0.3)),
    ],
)
def test_defaults(tag: str, field: str, default: Any) -> None:
    p = plan(TABLE[tag])
    name = next(n for n, spec in p.fields.items() if spec.key == field)
    value = p.defaults[name]
    assert value == (Numbers(default, form="[") if isinstance(value, Numbers) else default)


@pytest.mark.usefixtures("shared")
def test_every_node_that_coin_knows_is_declared() -> None:
    path = DEV / "coin3d+coin/models/dead_simple/all-iv.iv"
    top = parsed(path.read_text())
    inner = top.items[0][1]
    assert isinstance(inner, Node)
    tags = {value.tag for _, value, _ in inner.items if isinstance(value, Node)}
    assert len(tags) > 90
    assert tags <= set(TABLE)


@given(documents(d.Model, Syntax(nodes=WRITABLE)))
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_documents_read_back(doc: d.Model) -> None:
    node = unbind(doc)
    assert bind_model(node, context()) == doc


def _files() -> list[Path]:
    found = sorted(DEV.rglob("*.iv")) + sorted(DEV.rglob("vrml1.0/**/*.wrl"))
    return [p for p in found if not p.read_bytes().startswith(b"#VRML V2")]


@pytest.mark.parametrize("path", _files(), ids=lambda p: str(p.relative_to(DEV)))
def test_real_files_lose_nothing(path: Path) -> None:
    """Text → tree → text, with and without the source; tree → document → tree."""
    source = read_source(path.read_bytes(), path.name, Findings())
    tree = inventor.parse(source, Findings())
    printed = inventor.print(tree, source)
    assert parsed(printed) == tree
    assert all(text in printed for _, text in inventor.comments(tree, source))
    assert parsed(inventor.print(tree)) == tree
    doc = bind_model(expand(tree, context()), context())
    assert bind_model(unbind(doc), context()) == doc


# --- values -------------------------------------------------------------------------------


def test_words() -> None:
    kind = v.enum("SIDES", "TOP")
    assert kind.parse(Word("TOP")) == "TOP"
    with pytest.raises(Wrong, match="must be written TOP") as odd:
        kind.parse(Word("top"))
    assert odd.value.value == "TOP"
    with pytest.raises(Wrong, match="one of SIDES, TOP") as wrong:
        kind.parse(Word("TIP"))
    assert (wrong.value.value, wrong.value.hint) == (None, "did you mean 'TOP'?")


def test_bits() -> None:
    kind = v.bits("SIDES", "TOP", "ALL")
    assert kind.parse(Word("ALL")) == ("ALL",)
    assert kind.parse(Row([Word("SIDES"), Word("TOP")])) == ("SIDES", "TOP")
    assert kind.print(("SIDES", "TOP")) == Row([Word("SIDES"), Word("TOP")])
    with pytest.raises(Wrong, match="some of SIDES"):
        kind.parse(Row([Word("SIDE")]))


def test_flags_and_names() -> None:
    assert [v.SF_BOOL.parse(Word(w)) for w in ("TRUE", "FALSE", "1", "0")] == [True, False, True, False]
    with pytest.raises(Wrong):
        v.SF_BOOL.parse(Word("yes"))
    assert v.SF_NAME.parse(Word("Arial")) == "Arial"
    with pytest.raises(Wrong):
        v.SF_NAME.parse(Row([]))
    with pytest.raises(Wrong, match="16 numbers, not 2"):
        v.SF_MATRIX.parse(Numbers("1 2", form=""))


@pytest.mark.parametrize(
    ("text", "code", "severity"),
    [
        ("Cube { width two }", "wrong-value", "error"),
        ("Cube { widht 2 }", "unknown-key", "warning"),
        ("Cube { colour 2 }", "not-kept", "info"),
        ("Cone { parts SIDE }", "not-a-choice", "error"),
        ("Material { diffuseColor red }", "wrong-value", "error"),
        ("Translation { translation 1 2 }", "number-count", "error"),
        ("IndexedFaceSet { vertexProperty Cube { } }", "node-misplaced", "error"),
        ("Rotation { rotation 0 0 1 0 = USE Nowhere . out }", "field-connected", "info"),
    ],
)
def test_what_is_wrong_is_found(text: str, code: str, severity: str) -> None:
    here = context()
    bind_model(expand(parsed(text), here), here)
    assert [(f.code, f.severity) for f in here.findings] == [(code, severity)]
    assert here.findings[0].at is not None
