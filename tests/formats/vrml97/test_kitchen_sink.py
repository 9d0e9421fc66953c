"""Every declared field of VRML97's nodes is given in kitchen_sink.wrl, and none is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.kitchen import Sink, class_name, given, load_sink, silent, walk

from unibody.document.declare import plan
from unibody.formats.openhrp import FORMAT
from unibody.formats.vrml97 import document as d

# What an Inline holds comes from other files.
CLASSES = sorted({*d.NODES.values()} - {d.Inline, d.MeshReference}, key=lambda cls: cls.__name__)
DECLARED = [cls for cls in CLASSES if plan(cls).fields]

#: Fields that are read and still say nothing, and why.
NO_MEANING = {
    ("Extrusion", "convex"): "not believed: the caps are looked at",
    ("IndexedFaceSet", "convex"): "not believed: every face is looked at",
    ("Transform", "scale_orientation"): "a scale of one has no axes",
}


@pytest.fixture(scope="module")
def sink() -> Sink:
    return load_sink(Path(__file__).parent / "kitchen_sink.wrl", FORMAT)


def test_every_declared_field_is_given(sink: Sink) -> None:
    missing = {f"{cls.__name__}.{name}" for cls in DECLARED for name in plan(cls).fields}
    for doc in walk(sink.document):
        defaults = plan(type(doc)).defaults
        for name in doc.given:
            if getattr(doc, name) != defaults.get(name, []):
                missing.discard(f"{class_name(doc)}.{name}")
    assert missing == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", [cls.__name__ for cls in DECLARED])
def test_looking_is_not_keeping(name: str, sink: Sink) -> None:
    found = {field for field, _ in silent(sink, name)}
    allowed = {field for cls, field in NO_MEANING if cls == name}
    assert found - allowed == set(), "changed without a trace"
    assert allowed - found == set(), "no longer without meaning"
    assert any(True for _ in given(sink, name))
