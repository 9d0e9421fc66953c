"""Under --json standard output is one JSON document, whatever is wrong with the input or the options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unibody.cli.main import main

GOOD = """\
<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
"""
FILES = {
    "ok.urdf": GOOD.encode(),
    "broken.urdf": b'<robot name="r"><link name="a"></robot>',
    "twice.urdf": b'<robot name="r"><link name="a"/><link name="a"/></robot>',
    "bytes.urdf": bytes(range(256)),
    "empty.urdf": b"",
}
VERBS = {
    "info": "info {}",
    "view": "view {} --html page.html --overwrite",
    "check": "check {}",
    "fk": "fk {}",
    "ik": "ik {} b --place 1,0,0",
    "workspace": "workspace {} b --samples 5",
    "mass": "mass {}",
    "convert": "convert {} out.body --overwrite",
    "diff": "diff {} ok.urdf",
    "fmt": "fmt {} --check",
    "dump": "dump {}",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)


def output(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("verb", VERBS)
def test_bad_input(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("broken.urdf", "nowhere.urdf", "folder", "bytes.urdf", "empty.urdf"):
        code, data = output(VERBS[verb].format(name).split(), capsys)
        assert code in (1, 2)
        found = data if verb != "fmt" else data["files"][0]
        # an empty folder is a collection without models
        assert found.get("message") or any(f["severity"] == "error" for f in found["findings"]), (
            verb,
            name,
        )
    code, data = output(VERBS[verb].format("twice.urdf").split(), capsys)
    assert verb in ("info", "check", "dump") or code in (1, 2)


@pytest.mark.parametrize("verb", VERBS)
def test_wrong_usage(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = VERBS[verb].format("ok.urdf").split()
    for more in (["--no-such"], ["--package", "a=nowhere"], ["--limit", "seconds=abc"], ["--allow"]):
        code, data = output([*words, *more], capsys)
        assert (code, data["findings"]) == (2, [])
        assert data["message"]


@pytest.mark.parametrize(
    "words",
    [
        "fk ok.urdf --set q=1",
        "ik ok.urdf nothing --place 1,0,0",
        "explain nothing",
        "check ok.urdf --mute nothing",
        "convert ok.urdf ok.urdf",
        "nothing",
        "info",
        "",
    ],
)
def test_other_mistakes(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, data = output(words.split(), capsys)
    assert code == 2
    assert data.get("message") or data["findings"]


def test_a_target_out_of_reach_is_in_the_data(capsys: pytest.CaptureFixture[str]) -> None:
    code, data = output("ik ok.urdf b --place 9,0,0".split(), capsys)
    assert (code, "q" in data or "joints" in data) == (1, True)
