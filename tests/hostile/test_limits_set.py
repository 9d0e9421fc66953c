"""Limits are set by argument and by option, and a wrong setting says what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.hostile.test_limits import MANY

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import FileError, Files, MemoryFiles
from unibody.formats.loader import read
from unibody.text.limits import DEFAULT, LIMITS, ReadLimits


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nodes=5", 5),
        ("nodes=2e6", 2_000_000),
        ("nodes=3k", 3000),
        ("file-bytes=2G", 2 * 10**9),
        ("seconds=1.5", 1.5),
    ],
)
def test_settings(text: str, value: float) -> None:
    name = text.partition("=")[0].replace("-", "_")
    assert getattr(ReadLimits.of([text]), name) == value
    assert ReadLimits.of([]) is not None
    assert ReadLimits.of([]) == DEFAULT


@pytest.mark.parametrize(
    "text", ["", "nodes", "nodes=", "nodes=x", "nodes=-1", "nodes=nan", "nods=1", "=1"]
)
def test_wrong_settings_say_what_is_wrong(text: str) -> None:
    with pytest.raises(ValueError, match="limit"):
        ReadLimits.of([text])


def test_unlimited() -> None:
    limits = ReadLimits.unlimited()
    assert limits.depth == DEFAULT.depth
    assert limits.nodes > 10**15
    assert read("m.urdf", files=MemoryFiles({"m.urdf": MANY.encode()}, limits=limits)).ok


def test_limits_by_argument(tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(MANY)
    assert ub.read(path).ok
    assert ub.read(path, limits=ub.ReadLimits(nodes=60)).findings[0].code == "too-many-nodes"
    with pytest.raises(ub.LoadError, match="too-many-nodes"):
        ub.load(path, limits=ub.ReadLimits(nodes=60))
    files = Files(limits=ub.ReadLimits(nodes=60))
    assert not ub.read(path, files=files).ok
    assert ub.read(path, files=files, limits=DEFAULT).ok
    with pytest.raises(TypeError, match="limit"):
        ub.read(path, limit=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("verb", ["check", "info", "dump", "diff", "convert", "fmt", "view", "mass"])
def test_limits_by_option(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(MANY)
    words = [verb, str(path)]
    words += {
        "diff": [str(path)],
        "convert": [str(tmp_path / "out.body")],
        "view": ["--html", str(tmp_path / "p.html")],
    }.get(verb, [])
    assert main([*words, "--limit", "nodes=60"]) != 0
    said = capsys.readouterr()
    assert "too-many-nodes" in said.out + said.err
    assert main([*words, "--limit", "nodes=60", "--limit", "nodes=1e3"]) in (0, 1)


def test_a_wrong_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "m.urdf", "--limit", "nods=1"]) == 2
    assert "did you mean 'nodes'" in capsys.readouterr().err


def test_findings_of_limits_are_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(MANY)
    main(["check", "--json", "--limit", "nodes=60", str(path)])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["code"], finding["line"]) == ("too-many-nodes", 1)


def test_a_file_that_is_too_large_is_not_opened_for_long(tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    with path.open("wb") as file:
        file.truncate(2**40)  # takes no room
    with pytest.raises(FileError) as caught:
        Files().read(str(path))
    assert caught.value.finding.code == "file-too-large"
    assert f"{2**40} bytes" in caught.value.finding.message


def test_the_command_that_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats", "--limits"]) == 0
    title, *rows = capsys.readouterr().out.splitlines()
    assert title.split() == ["name", "default", "unit", "finding"]
    assert [row.split()[0] for row in rows] == list(LIMITS)
    assert main(["formats", "--limits", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["limits"]
    assert {row["name"]: row["code"] for row in listed} == {n: e["code"] for n, e in LIMITS.items()}
    assert main(["formats", "urdf", "--limits"]) == 2
