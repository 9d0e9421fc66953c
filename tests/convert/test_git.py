"""docs/git.md: its commands run in a real repository, and give what the page shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import test_commands as sessions
from tests.convert.models import ROOT

PAGE = ROOT / "docs/git.md"
MODEL = ROOT / "tests/commands/models/gripper.urdf"
WHO = {f"GIT_{role}_{what}": "nobody" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

needs_git = pytest.mark.skipif(
    shutil.which("git") is None or shutil.which("bash") is None, reason="git and bash are needed"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one model."""
    folder = tmp_path / "repository"
    folder.mkdir()
    shutil.copy(MODEL, folder)
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin/unibody"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m unibody "$@"\n', "utf-8")
    command.chmod(0o755)
    for line in ("git init -q -b main", "git add .", "git commit -q -m model"):
        assert shell(line, folder) == ""
    return folder


def shell(line: str, folder: Path) -> str:
    """What bash prints for a command, and its exit code if not 0."""
    environment = {
        **os.environ,
        **WHO,
        "PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        "TERM": "dumb",
    }
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    # The temporary files of git and bash have other names every time.
    text = re.sub(r"\S*/git-blob-\w+/", "/tmp/", done.stdout)
    text = re.sub(r"\bfd-\d+\b", "fd-63", text)
    return f"{text}[exit {done.returncode}]\n" if done.returncode else text


@needs_git
@pytest.mark.slow
def test_the_page(repository: Path, request: pytest.FixtureRequest) -> None:
    text = PAGE.read_text("utf-8")
    parts, at, wrong = [], 0, []
    for command in sessions.commands(text):
        got = shell(command.line, repository)
        if not sessions.matches(command.expected, got):
            wrong.append(f"$ {command.line}\n{got}")
        parts += [text[at : command.start], got]
        at = command.end
    if request.config.getoption("--accept"):
        PAGE.write_text("".join([*parts, text[at:]]), "utf-8")
        return
    assert not wrong, "\n".join(wrong)


@needs_git
def test_textconv_of_a_file_that_is_no_model(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.urdf diff=robot\n", "utf-8")
    assert shell('git config diff.robot.textconv "unibody dump --textconv"', repository) == ""
    model = repository / "gripper.urdf"
    model.write_text(model.read_text("utf-8").replace("</robot>", "<<<<<<< ours"), "utf-8")
    changes = [line for line in shell("git diff", repository).splitlines() if line[:1] in "+-"]
    assert "+<<<<<<< ours" in changes
    assert '-name: "gripper"' in changes


@needs_git
def test_layout_and_comments_are_no_difference(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.urdf diff=robot\n", "utf-8")
    shell('git config diff.robot.textconv "unibody dump --textconv"', repository)
    model = repository / "gripper.urdf"
    model.write_text(model.read_text("utf-8").replace("<mass", "<!-- weighed --> <mass"), "utf-8")
    assert not [line for line in shell("git diff", repository).splitlines() if line[:1] in ("+", "-", "@")]


def test_a_file_that_is_no_text(repository: Path) -> None:
    (repository / "a.urdf").write_bytes(b"\xff\x00<robot")
    assert shell("unibody dump --textconv a.urdf | cmp - a.urdf", repository) == ""
    (repository / "empty.urdf").touch()
    assert shell("unibody dump --textconv empty.urdf", repository) == ""


@pytest.mark.slow
def test_named_pipes(repository: Path) -> None:
    """The format of a pipe is detected from its content; its files are looked for in the current folder."""
    line = "mkfifo pipe && (cat gripper.urdf > pipe &) && unibody diff pipe gripper.urdf && echo same"
    assert shell(line, repository) == "equal\nsame\n"
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual></link>'
    (repository / "m.urdf").write_text(f'<robot name="m"><link name="l">{mesh}</robot>', "utf-8")
    (repository / "a.stl").write_text("solid a\nendsolid a\n", "ascii")
    assert "file-missing" not in shell("unibody check --all-findings <(cat m.urdf)", repository)
    assert "file-missing" in shell("rm a.stl; cat m.urdf | unibody info -", repository)
    assert "only one of the models" in shell("unibody diff - - < m.urdf", repository)
