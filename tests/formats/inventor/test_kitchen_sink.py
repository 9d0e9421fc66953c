"""Every field of every node that is read is given in kitchen_sink.iv, and none is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.kitchen import Sink, class_name, load_sink, silent, walk

from unibody.document.declare import plan
from unibody.formats.inventor import FORMAT
from unibody.formats.inventor import document as d
from unibody.formats.inventor.nodes import KEPT, TABLE

CLASSES = sorted({cls for tag, cls in TABLE.items() if tag not in KEPT}, key=lambda cls: cls.__name__)

#: Fields that are read and still say nothing, and why.
NO_MEANING = {
    ("File", "children"): "they are read from the file again",
    ("WWWInline", "children"): "they are read from the file again",
    ("File", "name"): "its file is read before, when the tree is expanded",
    ("WWWInline", "name"): "its file is read before, when the tree is expanded",
    ("MatrixTransform", "matrix"): "its last column is no part of an affine map: a warning",
    ("MultipleCopy", "matrix"): "its last column is no part of an affine map: a warning",
    ("ResetTransform", "what_to_reset"): "the model has no bounding boxes to reset",
}


@pytest.fixture(scope="module")
def sink() -> Sink:
    return load_sink(Path(__file__).parent / "kitchen_sink.iv", FORMAT)


def test_every_declared_field_is_given(sink: Sink) -> None:
    missing = {f"{cls.__name__}.{name}" for cls in CLASSES for name in plan(cls).fields}
    for doc in walk(sink.document):
        defaults = plan(type(doc)).defaults
        for name in doc.given:
            if getattr(doc, name) != defaults.get(name, []):
                missing.discard(f"{class_name(doc)}.{name}")
    # no file can write a MeshFile, and of paths only NULL is read
    made_by_the_reader = {f"MeshFile.{name}" for name in plan(d.MeshFile).fields}
    assert missing == made_by_the_reader | {"PathSwitch.path"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [cls.__name__ for cls in CLASSES])
def test_looking_is_not_keeping(name: str, sink: Sink) -> None:
    found = {field for field, _ in silent(sink, name)}
    allowed = {field for cls, field in NO_MEANING if cls == name}
    assert found - allowed == set(), "changed without a trace"
    assert allowed - found == set(), "no longer without meaning"
