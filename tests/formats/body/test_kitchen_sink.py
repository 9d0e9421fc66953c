"""Every declared key of a Body file is given in kitchen_sink.body, and none of them is lost in silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.declarations import classes
from tests.formats.kitchen import Sink, given, load_sink, not_given, silent

from unibody.formats.body import FORMAT
from unibody.formats.body import document as d

HERE = Path(__file__).parent
NAMES = [cls.__name__ for cls in classes(d.Body)]

#: Fields that are read and still say nothing, and why.
NO_MEANING = {
    ("Body", "format_version"): "every version says the same (facts A.16)",
    ("SubBody", "name"): "prefix and suffix make the names (facts A.13)",
    ("ContinuousTrack", "joint_type"): "its first joint is free, the others turn (facts A.13)",
}


@pytest.fixture(scope="module")
def sinks() -> list[Sink]:
    return [load_sink(HERE / f"{name}.body", FORMAT) for name in ("kitchen_sink", "kitchen_sink_wrapper")]


def test_every_declared_field_is_given(sinks: list[Sink]) -> None:
    assert not_given(d.Body, sinks) == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_looking_is_not_keeping(name: str, sinks: list[Sink]) -> None:
    found = {field for sink in sinks for field, _ in silent(sink, name)}
    allowed = {field for cls, field in NO_MEANING if cls == name}
    assert found - allowed == set(), "changed without a trace"
    assert allowed - found == set(), "no longer without meaning"
    assert any(True for sink in sinks for _ in given(sink, name)) or name == "Skip"
