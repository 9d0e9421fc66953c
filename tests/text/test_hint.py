"""Hints name the settings in the language of who asks: options of the command, keywords in Python."""

from __future__ import annotations

import argparse
import inspect
import json
import pickle
import re
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli import check, convert, plan
from unibody.cli.main import main
from unibody.formats.read_options import ReadKeywords
from unibody.text import hint as hints
from unibody.text.hint import Hint, Setting

SHAPE = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
MESH = f'<robot name="r"><link name="a">{SHAPE}</link></robot>'


def _options() -> set[str]:
    parsers = [argparse.ArgumentParser() for _ in range(3)]
    for verb, parser in zip((check, convert, plan), parsers, strict=True):
        verb.arguments(parser)
    return {name for each in parsers for action in each._actions for name in action.option_strings}


@pytest.mark.parametrize("name", hints._SPELLINGS)
def test_every_setting_is_an_option_and_a_keyword(name: str) -> None:
    option, keyword, _ = hints._SPELLINGS[name]
    functions = (ub.read, ub.convert, ub.collisions, ub.plan)
    assert option in _options()
    found = {k for function in functions for k in inspect.signature(function).parameters}
    assert keyword in found | set(ReadKeywords.__annotations__)


def test_a_hint_is_a_text_and_data() -> None:
    found = Hint("use ", Setting("allow"), Hint(" or ", Setting("remap", "C:\\a b")))
    assert found == 'use allow=[DIR] or remap={"C:\\\\a b": DIR}'
    assert found.text("command") == "use --allow DIR or --remap 'C:\\a b=DIR'"
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.parts) == (found, found.parts)
    assert [setting.json() for setting in found.settings] == [
        {"name": "allow"},
        {"name": "remap", "key": "C:\\a b"},
    ]


def test_the_command_and_python_get_their_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.urdf").write_text(MESH.format("package://arm/a.stl"))
    (finding,) = (f for f in ub.check("r.urdf") if f.code == "file-missing")
    assert 'packages={"arm": DIR}' in finding.text()
    assert "--package" not in finding.text()
    main(["check", "r.urdf"])
    shown = capsys.readouterr().out
    assert "--package arm=DIR" in shown
    assert "packages=" not in shown
    main(["check", "r.urdf", "--json"])
    (data,) = (f for f in json.loads(capsys.readouterr().out)["findings"] if f["code"] == "file-missing")
    assert data["settings"] == [{"name": "packages", "key": "arm"}]
    assert "--package" in data["hint"]
    Path("r.urdf").write_text(MESH.format("a.stl"))
    with pytest.raises(ub.LoadError, match=r"limits=ReadLimits\(nodes=…\)"):
        ub.load("r.urdf", limits=ub.ReadLimits(nodes=1))
    main(["info", "r.urdf", "--limit", "nodes=1"])
    assert "--limit nodes=…" in capsys.readouterr().err


def test_no_hint_names_an_option_or_a_keyword_as_text() -> None:
    source = Path(ub.__file__).parent
    allowed = {"cli", "text/hint.py"}
    named = re.compile(rf"(?:{'|'.join(map(re.escape, OPTIONS))})[ =]")
    found = [
        f"{path.relative_to(source)}:{number}"
        for path in source.rglob("*.py")
        if not any(path.relative_to(source).as_posix().startswith(a) for a in allowed)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if '"' in line and named.search(line) and not line.strip().startswith(("#", '"""', ">>>"))
    ]
    assert found == []


OPTIONS = sorted(option for option, _, _ in hints._SPELLINGS.values())
