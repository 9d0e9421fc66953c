"""Findings muted by comments in the file, by line and by code."""

from __future__ import annotations

import pytest

from unibody.checks.suppress import mutes, split, unknown_mutes
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source, Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1 # unibody: mute odd-value", [("odd-value", 1)]),
        ("# unibody: mute odd-value key-twice\na: 1", [("odd-value", 0), ("key-twice", 0)]),
        ("a: 1\n  # unibody: mute odd-value, key-twice\nb: 2", [("odd-value", 0), ("key-twice", 0)]),
        ("a: 1\nb: [1, 2] # unibody: mute number-count (it is a pair)", [("number-count", 2)]),
        ("#unibody: mute empty: for now", [("empty", 0)]),
        ('a: "# unibody: mute odd-value"', []),
        ("a: |\n  # unibody: mute odd-value\n", []),
        ("a: 1 # see unibody: mute odd-value", []),
        ("# unibody: unmute odd-value", []),
        ("a: [ # unibody: mute odd-value", [("odd-value", 1)]),
        ("<robot><!-- unibody: mute mesh-open --></robot>", [("mesh-open", 0)]),
        (
            "<robot>\n<!--\n unibody: mute mesh-open\n key-twice\n--></robot>",
            [("mesh-open", 0), ("key-twice", 0)],
        ),
        ("<robot><![CDATA[<!-- unibody: mute mesh-open -->]]></robot>", []),
        ("<robot><link name='a'/> <!-- unibody: mute mesh-open --></robot>", [("mesh-open", 0)]),
    ],
)
def test_comments(text: str, expected: list[tuple[str, int]]) -> None:
    found = mutes(Source("f", text))
    assert [(m.code, m.line) for m in found] == expected
    assert [m.at.text for m in found] == [code for code, _ in expected]


def test_split_by_line_file_and_code() -> None:
    source = Source("a.body", "# unibody: mute empty\na: 1 # unibody: mute odd-value\nb: 2\n")
    other = Source("b.body", "c: 3\n")

    def finding(code: str, at: Span | None) -> Finding:
        return Finding(code, "warning", code, at)

    second, third = Span(source, 25, 26), Span(source, source.text.index("b:"), 53)
    all_of_them = [
        finding("odd-value", second),
        finding("odd-value", third),
        finding("empty", third),
        finding("empty", None),
        finding("empty", Span(other, 0, 1)),
        finding("key-twice", third),
    ]
    stay, muted = split(all_of_them, source, ["key-twice"])
    assert [(f.code, f.at) for f in stay] == [("odd-value", third), ("empty", Span(other, 0, 1))]
    assert len(muted) == 4


def test_unknown_codes_get_a_warning_with_the_near_one() -> None:
    findings = Findings()
    source = Source("a.body", "# unibody: mute emtpy odd-value\na: 1")
    unknown_mutes([source], lambda: ["empty", "odd-value"], findings)
    assert [(f.code, f.hint) for f in findings] == [("mute-unknown", "did you mean 'empty'?")]
    assert findings[0].at is not None
    assert findings[0].at.text == "emtpy"
