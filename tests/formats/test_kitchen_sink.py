"""Every declared field of a format is given in its kitchen sinks, and none of them is lost in silence.

``tests/formats/<format>/kitchen_sink*`` are models that give every field a value of its own; the files
with "part" in their names are read with them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from fuzz.declarations import classes
from tests.formats.kitchen import Sink, given, load_sink, not_given, silent

from unibody.document.declare import Document, plan
from unibody.formats import FORMATS, Format, by_name
from unibody.formats.inventor.nodes import KEPT, TABLE

HERE = Path(__file__).parent

#: Fields that are read and still say nothing, and why; by format.
NO_MEANING = {
    ("body", "Body", "format_version"): "every version says the same (facts A.16)",
    ("body", "SubBody", "name"): "prefix and suffix make the names (facts A.13)",
    ("body", "ContinuousTrack", "joint_type"): "its first joint is free, the others turn (facts A.13)",
    ("urdf", "Robot", "version"): "another text is reported, and read as the version that it begins with",
    ("openhrp", "Humanoid", "joints"): "the tree itself has all Joints; this list is only checked",
    (
        "openhrp",
        "Humanoid",
        "segments",
    ): "the tree itself has all Segments; whether this list has is checked",
    ("openhrp", "Extrusion", "convex"): "not believed: the caps are looked at",
    ("openhrp", "IndexedFaceSet", "convex"): "not believed: every face is looked at",
    ("openhrp", "Transform", "scale_orientation"): "a scale of one has no axes",
    ("inventor", "File", "children"): "they are read from the file again",
    ("inventor", "WWWInline", "children"): "they are read from the file again",
    ("inventor", "File", "name"): "its file is read before, when the tree is expanded",
    ("inventor", "WWWInline", "name"): "its file is read before, when the tree is expanded",
    ("inventor", "MatrixTransform", "matrix"): "its last column is no part of an affine map: a warning",
    ("inventor", "MultipleCopy", "matrix"): "its last column is no part of an affine map: a warning",
    ("inventor", "ResetTransform", "what_to_reset"): "the model has no bounding boxes to reset",
    ("mpk", "Robot", "version"): "every version is read as 1.0",
    ("sdf", "Sdf", "version"): "another text is an error, and read as the newest version",
}
#: Classes whose content comes from other files, or from the reader itself.
ELSEWHERE = {"Inline", "MeshReference", "MeshFile", "Skip", "Include"}
#: Fields that no file can give: of paths only NULL is read, and includes are replaced by what they include.
NOT_WRITTEN = {
    "inventor": {"PathSwitch.path"},
    "sdf": {"Model.includes", "World.includes"},
}

# Of a scene the robots are what is read, and of MJCF MuJoCo says that nothing is lost (tests/formats/mjcf).
# In USD each of 35 types of prims may have each of 60 schemas, most of which say nothing of it (tests/usd).
TESTED = [format for format in FORMATS if format.name not in ("mpk-scene", "mjcf", "usd")]
#: Formats whose classes are tried in seconds; those of the others in `make test-all`.
SMALL = {"urdf", "mpk", "srdf"}


def _classes(format: Format) -> list[type[Document]]:
    """The document classes of a format that a sink has to have."""
    declarations = format.declarations()
    found: set[type[Document]] = {*declarations.nodes.values()} or {*classes(declarations.root)}
    if format.name == "inventor":
        found = {cls for tag, cls in TABLE.items() if tag not in KEPT}
    return sorted((cls for cls in found if cls.__name__ not in ELSEWHERE), key=lambda cls: cls.__name__)


@cache
def _sinks(name: str) -> list[Sink]:
    format = by_name(name)
    assert format is not None
    paths = sorted(p for p in (HERE / name).glob("kitchen_sink*") if p.name.endswith(format.suffixes))
    read_only = format.schema.tag if format.schema is not None else ""
    tag = format.writer().tag if format.writer is not None else read_only
    return [load_sink(p, format, tag) for p in paths if "_part" not in p.name]


@pytest.mark.parametrize("format", TESTED, ids=lambda f: f.name)
def test_every_declared_field_is_given(format: Format) -> None:
    assert not_given(_classes(format), _sinks(format.name)) == NOT_WRITTEN.get(format.name, set())


@pytest.mark.parametrize(
    ("format", "name"),
    [
        pytest.param(f.name, cls.__name__, marks=[] if f.name in SMALL else [pytest.mark.slow])
        for f in TESTED
        for cls in _classes(f)
        if plan(cls).fields
    ],
)
def test_looking_is_not_keeping(format: str, name: str) -> None:
    sinks = _sinks(format)
    found = {field for sink in sinks for field, _ in silent(sink, name)}
    allowed = {field for of, cls, field in NO_MEANING if (of, cls) == (format, name)}
    assert found - allowed == set(), "changed without a trace"
    assert allowed - found == set(), "no longer without meaning"
    assert any(True for sink in sinks for _ in given(sink, name))
