"""The pages on conversion: that of capabilities follows the tables, that of the command runs."""

from __future__ import annotations

import glob
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.commands import test_commands as sessions
from tests.convert.models import ROOT
from tests.project.tools import tool
from tests.shared import DEV

import unibody as ub

PAGE = ROOT / "docs/convert.md"
REPORTS = ROOT / "docs/reports.md"
SAMPLE = DEV / "choreonoid+choreonoid/share/model/SR1/SR1.body"
MODELS = [ROOT / "tests/commands/models", ROOT / "src/unibody/models"]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^\| ((?:`\w+`(?:, )?)+) \| (.*) \|$", re.MULTILINE)


def test_page_is_in_step() -> None:
    made = tool("capabilities")
    written = (ROOT / made.PAGE).read_text("utf-8")
    assert written == made.page(), f"{made.PAGE} is out of step with the tables: run {made.HOW}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the models that the page speaks of, and the one that it shows."""
    for models in MODELS:
        shutil.copytree(models, tmp_path, dirs_exist_ok=True)
    for kind, text in FENCE.findall(PAGE.read_text("utf-8")):
        if kind == "yaml":
            (tmp_path / text.split()[1]).write_text(text, "utf-8")
    return tmp_path


def did(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints, and its exit code if not 0; of the shell's own there are cat and sed."""
    word, *rest = shlex.split(line)
    if word == "cat":
        return (folder / rest[0]).read_text("utf-8").removesuffix("\n") + "\n"
    if word == "sed":
        _, old, new, _ = rest[1].split("/")
        file = folder / rest[2]
        assert old in file.read_text("utf-8")
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
        return ""
    with monkeypatch.context() as patch:
        patch.setattr(sessions, "ROOT", folder)
        return sessions.run(line, patch).replace(f"{folder}/", "")


def run_page(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Run the commands of a page and compare what they print; with --accept, write it into the page."""
    text = page.read_text("utf-8")
    parts, at, wrong = [], 0, []
    for command in sessions.commands(text):
        got = did(command.line, folder, monkeypatch)
        fits = sessions.matches(command.expected, got)
        if not fits:
            wrong.append(f"$ {command.line}\n{got}")
        parts += [text[at : command.start], command.expected if fits else got]
        at = command.end
    if request.config.getoption("--accept"):
        page.write_text("".join([*parts, text[at:]]), "utf-8")
        return
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_commands_give_what_the_page_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    run_page(PAGE, folder, monkeypatch, request)


def test_python_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for kind, text in FENCE.findall(PAGE.read_text("utf-8")):
        if kind == "python":
            exec(compile(text, str(PAGE), "exec"), names)
    assert glob.glob("out/jib.wrl")
    assert isinstance(names["report"], ub.Report)


def test_fields_of_the_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page names all fields of the JSON, and those within them."""
    told = did("unibody convert lamp.body out/lamp.urdf --json", folder, monkeypatch)
    data = json.loads(told)
    table = PAGE.read_text("utf-8").split("field of the JSON")[1].split("\n\n")[0]
    named = {name: row[1] for row in FIELD.findall(table) for name in re.findall(r"`(\w+)`", row[0])}
    assert list(named) == list(data)
    for name in ("reading", "losses", "joints", "proof"):
        inner = data[name] if isinstance(data[name], dict) else data[name][0]
        assert [key for key in inner if f"`{key}`" not in named[name]] == []


@pytest.mark.usefixtures("shared")
def test_reports_are_as_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    shutil.copy(SAMPLE, folder)
    run_page(REPORTS, folder, monkeypatch, request)
