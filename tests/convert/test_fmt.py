"""Formatting changes layout and the spelling of keys, and nothing else."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.convert.layouts import (
    BODY,
    BODY_NEW,
    NEW,
    OLD,
    ROB,
    ROB_NEW,
    SHARED,
    URDF,
    URDF_NEW,
    VRML,
    VRML_NEW,
)
from tests.corpus.outcomes import models
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.cli.main import main
from unibody.conversion import formatting as fmt
from unibody.conversion.formatting import formatted
from unibody.files.access import Files
from unibody.files.filesystem import OverlayFileSystem
from unibody.formats.read_options import ReadOptions


def texts(path: Path) -> tuple[str, str]:
    reading, found = formatted(str(path))
    assert found is not None, [str(f) for f in reading.findings]
    return found.before, found.after


def test_keys_and_layout(tmp_path: Path) -> None:
    path = tmp_path / "a.body"
    path.write_text(OLD, "utf-8")
    assert texts(path) == (OLD, NEW)
    path.write_text(NEW, "utf-8")
    assert texts(path) == (NEW, NEW)


def test_both_spellings_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.body"
    path.write_text(NEW.replace("joint_type: fixed", "joint_type: fixed\n    jointType: free"), "utf-8")
    _, after = texts(path)
    assert "joint_type: fixed" in after
    assert "jointType: free" in after


def test_shared_parts_are_respelled_once(tmp_path: Path) -> None:
    """What an alias puts in another place is one and the same there."""
    path = tmp_path / "a.body"
    path.write_text(SHARED, "utf-8")
    before, after = texts(path)
    expected = before.replace("jointType", "joint_type").replace("divisionNumber", "division_number")
    assert after == expected


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.body"
    path.write_text(OLD, "utf-8")
    assert main(["fmt", "--check", str(path)]) == 1
    assert path.read_text("utf-8") == OLD
    assert main(["fmt", "--diff", str(path)]) == 1
    assert "+format_version: 1.0" in capsys.readouterr().out
    assert main(["fmt", str(path)]) == 0
    assert path.read_text("utf-8") == NEW
    assert main(["fmt", "--check", str(path)]) == 0
    assert main(["fmt", str(tmp_path / "none.body")]) == 2


def test_a_file_that_changes_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.body"
    path.write_text(OLD, "utf-8")

    def slowly(*arguments: Any) -> Any:
        made = formatted(*arguments)
        path.write_text(OLD + "# mine\n", "utf-8")
        return made

    monkeypatch.setattr(fmt, "formatted", slowly)
    assert main(["fmt", str(path)]) == 2
    assert "changed while it was being formatted" in capsys.readouterr().err
    assert path.read_text("utf-8") == OLD + "# mine\n"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.body", BODY, BODY_NEW),
        ("a.urdf", URDF, URDF_NEW),
        ("a.urdf.xacro", URDF, URDF_NEW),
        ("a.wrl", VRML, VRML_NEW),
        ("a.rob", ROB, ROB_NEW),
    ],
)
def test_layout(tmp_path: Path, name: str, before: str, after: str) -> None:
    """Comments stay in their lines, rows stay rows, one empty line stays, indentation is canonical."""
    path = tmp_path / name
    path.write_text(before, "utf-8")
    assert texts(path) == (before, after)
    path.write_text(after, "utf-8")
    assert texts(path) == (after, after)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (b"\xef\xbb\xbf", "utf-8"),
        (b"", "cp932"),
        (b"", "euc_jp"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ],
)
def test_encoding_and_line_ends_stay(tmp_path: Path, mark: bytes, encoding: str, end: str) -> None:
    path = tmp_path / "a.body"
    path.write_bytes(mark + BODY.replace("\n", end).encode(encoding))
    assert main(["fmt", str(path)]) == 0
    written = path.read_bytes()
    assert written == mark + BODY_NEW.replace("\n", end).encode(encoding)
    stamp = path.stat().st_mtime_ns
    assert main(["fmt", str(path)]) == 0
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (written, stamp)


def test_the_declared_encoding_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    text = URDF.replace('version="1.0"', 'version="1.0" encoding="Shift_JIS"').replace("the only", "腕")
    path.write_bytes(text.encode("cp932"))
    assert main(["fmt", str(path)]) == 0
    head, _, rest = path.read_bytes().decode("cp932").partition("\n")
    assert head == '<?xml version="1.0" encoding="Shift_JIS"?>'
    assert rest == URDF_NEW.replace("the only", "腕").partition("\n")[2]


def test_line_ends_of_two_kinds_become_one(tmp_path: Path) -> None:
    path = tmp_path / "a.body"
    path.write_bytes(BODY_NEW.replace("\n", "\r\n").replace("\r\n", "\n", 3).encode())
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == BODY_NEW.replace("\n", "\r\n").encode()


def refusal(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said, in text and as JSON, of a file that stays as it is."""
    data = path.read_bytes()
    assert main(["fmt", str(path)]) == 2
    said = capsys.readouterr().err
    assert "[not-formatted]" in said
    assert main(["fmt", "--json", "--check", str(path)]) == 2
    told = json.loads(capsys.readouterr().out)["files"][0]
    assert (told["changes"], told["written"]) == (False, False)
    assert [f["code"] for f in told["findings"]] == ["not-formatted"]
    assert path.read_bytes() == data
    return str(told["findings"][0]["message"])


def test_what_is_packed_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.wrl"
    path.write_bytes(gzip.compress(VRML.encode()))
    assert "gzip" in refusal(path, capsys)


def test_what_would_lose_something_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.body"
    path.write_text(BODY + "---\nmore: 1\n", "utf-8")
    assert "yaml-second-document" in refusal(path, capsys)


def test_what_the_encoding_lacks_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.body"
    path.write_bytes(BODY.encode("cp932"))
    monkeypatch.setattr(fmt, "_candidates", lambda reading: [BODY + "# \U0001f916\n"])
    assert "cp932" in refusal(path, capsys)


def test_bytes_that_would_be_others_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.body"
    # NEC and IBM both gave Shift-JIS this sign; only one of its codes comes back.
    path.write_bytes(BODY.encode("cp932").replace("腕の".encode("cp932"), b"\x87\x90"))
    assert "other bytes" in refusal(path, capsys)


SUFFIXES = (".body", ".urdf", ".wrl", ".rob", ".iv", ".xml", ".srdf")
WHOLE = bool(os.environ.get("UNIBODY_WHOLE_CORPUS"))


def corpus() -> list[Path]:
    """Files of every format: all of them with UNIBODY_WHOLE_CORPUS set, else some small ones."""
    every = [models(suffix) for suffix in SUFFIXES]
    if WHOLE:
        return [path for paths in every for path in paths]
    small = [[p for p in paths if p.exists() and p.stat().st_size < 200_000] for paths in every]
    return [path for paths in small for path in paths[:: max(len(paths) // 12, 1)]]


def notes(text: str) -> list[str]:
    """All that looks like a comment."""
    shape = r"<!--.*?-->" if text.lstrip().startswith("<") else r"#[^\r\n]*"
    return [" ".join(note.split()) for note in re.findall(shape, text, re.DOTALL)]


FILES = corpus()


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", few(FILES, 16), ids=[str(p.relative_to(DEV)) for p in FILES])
def test_corpus(path: Path) -> None:
    """A formatted file is the same model, has all its comments, and is not changed again."""
    reading, found = formatted(str(path))
    assert reading.ok
    assert found is not None
    if found.refused:
        assert re.search(r"binary|\((?:text-after-root|nul-character)\)", found.refused.message)
        return
    assert notes(found.after) == notes(found.before)
    if path.suffix in (".wrl", ".rob", ".iv"):
        assert found.after.split() == found.before.split()
    changed = Files(disk=OverlayFileSystem({os.path.abspath(path): found.data}))
    again, second = formatted(str(path), options=ReadOptions(files=changed))
    assert reading.robot is not None
    assert again.robot is not None
    assert second is not None
    assert second.after == second.before == found.after
    assert second.data == found.data
    assert ub.diff(reading.robot, again.robot) == []
