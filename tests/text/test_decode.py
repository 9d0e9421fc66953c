"""Bytes to text: marks, declarations, guesses, refusals."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shared import CORPUS

from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_mark_decides_and_is_removed(mark: bytes, encoding: str) -> None:
    findings = Findings()
    source = decode(mark + "腕 🤖\r\n".encode(encoding), "a.body", findings)
    assert (source.name, source.text, findings) == ("a.body", "腕 🤖\r\n", [])


def test_utf_8_is_the_default_and_line_ends_stay() -> None:
    findings = Findings()
    assert decode("a\r\nb\rc\nｱ".encode(), "x", findings).text == "a\r\nb\rc\nｱ"
    assert not findings
    assert decode(b"", "x", findings).text == ""


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen_by_its_nuls(encoding: str) -> None:
    findings = Findings()
    text = '<?xml version="1.0" encoding="UTF-16"?>\n<robot name="腕"/>\n'
    assert decode(text.encode(encoding), "x", findings).text == text
    assert [f.code for f in findings] == ["encoding-guessed"]
    assert "UTF-16" in findings[0].message


@pytest.mark.parametrize(
    ("declared", "codec"),
    [
        ("Shift_JIS", "cp932"),
        ("shift-jis", "cp932"),
        ("EUC-JP", "euc_jp"),
        ("iso-8859-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("UTF-8", "utf-8"),
    ],
)
def test_an_xml_declaration_is_believed(declared: str, codec: str) -> None:
    findings = Findings()
    text = f'<?xml version="1.0" encoding="{declared}"?><a>{"é" if "1" in declared else "肩①"}</a>'
    if codec == "euc_jp":
        text = text.replace("①", "")
    assert decode(text.encode(codec), "x", findings).text == text
    assert not findings


def test_a_declaration_of_ascii_is_wrong_if_there_are_other_characters() -> None:
    findings = Findings()
    text = '<?xml version="1.0" encoding="us-ascii"?><a>'
    assert decode(text.encode(), "x", findings).text == text
    assert not findings
    assert decode(f"{text}肩".encode(), "x", findings).text == f"{text}肩"
    assert [f.code for f in findings] == ["encoding-guessed"]


@pytest.mark.parametrize(
    "declared",
    ["zlib", "rot13", "unicode_escape", "raw_unicode_escape", "utf-7", "no-such", "UTF-16", "idna"],
)
def test_a_declaration_that_cannot_be_true_is_not_followed(declared: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><a>\\u0041+é</a>'
    findings = Findings()
    assert decode(text.encode(), "x", findings).text == text
    (found,) = findings
    assert (found.code, found.severity) == ("encoding-guessed", "warning")
    assert found.at is not None
    assert found.at.text == declared


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("# 肩の関節です", "cp932", "Shift-JIS"),
        ("# 表示ソ能", "cp932", "Shift-JIS"),
        ("# 肩の関節です", "euc_jp", "EUC-JP"),
        ("# 45° für é", "latin-1", "Latin-1"),
    ],
)
def test_other_encodings_are_guessed_with_a_warning_at_the_line(
    text: str, encoding: str, shown: str
) -> None:
    findings = Findings()
    source = decode(f"line one\n{text}\n".encode(encoding), "a.wrl", findings)
    assert source.text == f"line one\n{text}\n"
    (finding,) = findings
    assert (finding.code, finding.severity) == ("encoding-guessed", "warning")
    assert shown in finding.message
    assert "save the file as UTF-8" in finding.hint
    assert finding.at is not None
    assert (finding.at.line, finding.at.text.isascii()) == (2, False)


def test_a_false_declaration_gives_the_guess_and_the_warning() -> None:
    findings = Findings()
    data = '<?xml version="1.0" encoding="utf-8"?><a>肩の関節</a>'.encode("cp932")
    assert "肩の関節" in decode(data, "x", findings).text
    data = '<?xml version="1.0" encoding="euc-jp"?><a>腕</a>'.encode()
    assert "腕" in decode(data, "x", findings).text
    assert [f.code for f in findings] == ["encoding-guessed"] * 2


@pytest.mark.parametrize(
    "data",
    [
        b"\0" * 100,
        bytes(range(256)),
        b"solid\0\0\0" + bytes(80) + b"\1\2\3\4",
        codecs.BOM_UTF16_LE + b"a",
        codecs.BOM_UTF16_LE + b"\x00\xd8a\0",
        codecs.BOM_UTF32_LE + b"abcdefgh",
        codecs.BOM_UTF8 + b"\xff\xff",
        codecs.BOM_UTF16_LE + b"a\0\0\0",
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(TextError) as caught:
        decode(data, "mesh.bin", Findings())
    assert caught.value.finding.code == "not-text"
    assert "mesh.bin" in caught.value.finding.message


def test_a_stray_nul_at_the_end_is_left_to_the_syntax() -> None:
    assert decode(b"<robot>" + b" " * 200 + b"</robot>\n\0\n", "x", Findings()).text.endswith("\0\n")


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_our_own_error(data: bytes) -> None:
    findings = Findings()
    try:
        source = decode(data, "x", findings)
    except TextError:
        return
    source.text.encode()
    for finding in findings:
        assert finding.text()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_utf_8_text_comes_through(text: str) -> None:
    findings = Findings()
    assert decode(text.encode(), "x", findings).text == text.removeprefix("\ufeff")
    assert not findings


@pytest.mark.usefixtures("shared")
def test_the_corpus() -> None:
    guessed = {}
    for path in (CORPUS).rglob("*"):
        if path.suffix.lower() in {".urdf", ".sdf", ".xml", ".wrl", ".body", ".rob"}:
            findings = Findings()
            try:
                decode(path.read_bytes(), path.name, findings)
            except TextError:
                guessed[path.name] = "not-text"
            for finding in (f for f in findings if f.code != "nul-character"):
                guessed[path.name] = finding.message.rpartition(" ")[2]
    assert guessed == {
        "sjis_name.body": "(cp932)",
        "sjis_comment.wrl": "(cp932)",
        "pa10.main.wrl": "(cp932)",
        "texture2transform.wrl": "8859-1)",
        "binary_garbage.wrl": "not-text",
    }
