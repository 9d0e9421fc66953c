"""Every declared attribute of URDF is given in kitchen_sink.urdf, and none of them is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.declarations import classes
from tests.formats.kitchen import Sink, given, load_sink, not_given, silent

from unibody.formats.urdf import FORMAT
from unibody.formats.urdf import document as d

NAMES = sorted({cls.__name__ for cls in classes(d.Robot)})

#: Fields that are read and still say nothing, and why.
NO_MEANING: dict[tuple[str, str], str] = {
    ("Robot", "version"): "another text is reported, and read as the version that it begins with",
}


@pytest.fixture(scope="module")
def sink() -> Sink:
    return load_sink(Path(__file__).parent / "kitchen_sink.urdf", FORMAT, "robot")


def test_every_declared_field_is_given(sink: Sink) -> None:
    assert not_given(d.Robot, [sink]) == set()


@pytest.mark.parametrize("name", NAMES)
def test_looking_is_not_keeping(name: str, sink: Sink) -> None:
    found = {field for field, _ in silent(sink, name)}
    allowed = {field for cls, field in NO_MEANING if cls == name}
    assert found - allowed == set(), "changed without a trace"
    assert allowed - found == set(), "no longer without meaning"
    assert any(True for _ in given(sink, name))
