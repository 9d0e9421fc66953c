"""Edits touch their spans and nothing else, in every encoding, and their diff is a true one."""

from __future__ import annotations

import codecs
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fix.patching import patch

from unibody.fixes.composition import OwnedEdit, composed
from unibody.fixes.diff import unified
from unibody.fixes.plan import FindingFix
from unibody.text.decode import decode
from unibody.text.edit import Edit, ProposedFix, edited
from unibody.text.edit_bytes import edited_bytes
from unibody.text.finding import Finding, Findings
from unibody.text.source import Source

PIECES = st.sampled_from(["a", "bb", " ", "\n", "\n", "x\n", "\t"])


@st.composite
def edits(draw: st.DrawFn) -> tuple[Source, list[Edit]]:
    text = "".join(draw(st.lists(PIECES, max_size=60)))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    source = Source("a.txt", text)
    cut = [i for i in range(len(text) + 1) if text[max(0, i - 1) : i + 1] != "\r\n"]
    places = sorted(draw(st.lists(st.sampled_from(cut), max_size=10, unique=True)))
    end = "\r\n" if "\r\n" in text else "\n"
    new = [
        "".join(draw(st.lists(st.sampled_from(["q", "zz", end]), max_size=3)))
        for _ in places[: len(places) // 2]
    ]
    pairs = zip(places[::2], places[1::2], new, strict=False)
    return source, [Edit(source, a, b, words) for a, b, words in pairs]


@given(edits())
def test_the_diff_gives_the_edited_text(made: tuple[Source, list[Edit]]) -> None:
    source, some = made
    lines = unified(source, [(edit, ["a note"]) for edit in some])
    want = edited(source.text, some)
    if "\r\n" in want and "\r\n" not in source.text:
        return
    assert patch(source.text, lines) == want


@given(st.data())
def test_composed_edits_give_the_same_text(data: st.DataObject) -> None:
    source, first = data.draw(edits())
    now = Source("a.txt", edited(source.text, first))
    cut = sorted(data.draw(st.lists(st.integers(0, len(now.text)), max_size=8, unique=True)))
    second = [
        Edit(now, a, b, data.draw(st.sampled_from(["", "q", "zz"])))
        for a, b in zip(cut[::2], cut[1::2], strict=False)
    ]
    one, two = (FindingFix(Finding(c, "info", ""), ProposedFix("", ())) for c in "ab")
    made = [OwnedEdit(edit, (one,)) for edit in first]
    out = composed(made, source, now, [(edit, two) for edit in second])
    assert edited(source.text, [o.edit for o in out]) == edited(now.text, second)
    ordered = sorted(out, key=lambda o: (o.edit.start, o.edit.end))
    assert not any(a.edit.conflicts(b.edit) for a, b in pairwise(ordered))


@given(edits(), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "cp932", "euc_jp", "latin-1"]))
def test_bytes_beside_the_edits_stay(made: tuple[Source, list[Edit]], encoding: str) -> None:
    drawn, some = made
    words = "caf\u00e9" if encoding == "latin-1" else "\u8155\u306e\u9577\u3055"
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    data = mark + (words + drawn.text).encode(encoding)
    source = decode(data, "a.txt", Findings())
    assert source.text == words + drawn.text
    moved = [Edit(source, e.start + len(words), e.end + len(words), e.text) for e in some]
    after = edited_bytes(data, source, moved)
    assert after == mark + (words + edited(drawn.text, some)).encode(encoding)


def test_a_text_that_is_not_the_files_is_refused() -> None:
    assert edited_bytes(b"one", Source("a.txt", "two"), ()) is None


def test_letters_that_the_encoding_lacks_are_refused() -> None:
    data = "腕".encode("cp932")
    source = decode(data, "a.txt", Findings())
    assert edited_bytes(data, source, [Edit(source, 0, 1, "café")]) is None


def test_a_byte_order_mark_stays() -> None:
    data = codecs.BOM_UTF8 + b"one"
    source = decode(data, "a.txt", Findings())
    assert edited_bytes(data, source, [Edit(source, 0, 3, "two")]) == codecs.BOM_UTF8 + b"two"


@pytest.mark.parametrize(("a", "b", "meet"), [((0, 2), (2, 4), False), ((0, 2), (1, 4), True)])
def test_meeting(a: tuple[int, int], b: tuple[int, int], meet: bool) -> None:
    source = Source("a.txt", "abcd")
    assert Edit(source, *a, "x").conflicts(Edit(source, *b, "y")) is meet
    assert not Edit(source, 1, 1, "x").conflicts(Edit(Source("b.txt", "abcd"), 1, 1, "y"))
