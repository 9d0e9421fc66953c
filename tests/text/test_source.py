"""Lines and columns of places."""

from __future__ import annotations

import re

import pytest

from unibody.text import source as module
from unibody.text.source import Source

TEXTS = {
    "empty": "",
    "one line": "abc",
    "LF": "a\nbc\n\nd\n",
    "CRLF": "a\r\nbc\r\n\r\nd",
    "CR": "a\rbc\r\rd\r",
    "mixed": "a\n\rb\r\r\nc\n\n\rd\r\n\n",
    "not ASCII": "ä\r\n脚\n\ud800b\r𝄞c",
}


@pytest.mark.parametrize("near", [0, 4096])
@pytest.mark.parametrize("name", TEXTS)
def test_every_place_has_its_line(name: str, near: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NEAR", near)
    text = TEXTS[name]
    starts = [0, *(end.end() for end in re.finditer(r"\r\n?|\n", text))]
    for offset in range(len(text) + 1):
        row = max(k for k, start in enumerate(starts) if start <= offset)
        assert Source("a", text).line_column(offset) == (row + 1, offset - starts[row] + 1)
    assert Source("a", text).line_starts() == starts
    lines = re.split(r"\r\n?|\n", text)
    assert [Source("a", text).line(k + 1) for k in range(len(lines))] == lines


def test_a_place_at_the_start_needs_no_other_lines() -> None:
    source = Source("a", "#VRML\n" + "Group { }\n" * 1000)
    assert (source.line_column(3), source.line(1)) == ((1, 4), "#VRML")
    assert source._lines == []
