"""The GitHub action and the hooks of pre-commit: what their files say is what the command does."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.exchange.test_check_forms import ARM
from tests.project.tools import ROOT

from unibody.formats import FORMATS

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
# Suffixes that other kinds of files have, too; files that are no text need an extra.
SHARED = {".xml", ".yaml", ".yml", ".wrl", ".iv"}


def run(words: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command with ``unibody`` on its path."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    script = programs / "unibody"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m unibody "$@"\n', "utf-8")
    script.chmod(0o755)
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    source = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH", ""))))
    variables = {**os.environ, "PATH": path, "PYTHONPATH": source, **environment}
    return subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_hooks_take_the_formats(hook: dict[str, Any]) -> None:
    own = {suffix for format in FORMATS for suffix in format.suffixes if not format.binary} - SHARED
    assert own
    assert all(re.search(hook["files"], f"robots/arm{suffix}") for suffix in own)
    assert not re.search(hook["files"], "README.md")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")
@pytest.mark.parametrize(("limits", "check"), [('lower="1" upper="-1"', 1), ('lower="-1" upper="1"', 0)])
def test_hooks_run(tmp_path: Path, limits: str, check: int) -> None:
    (tmp_path / "arm.urdf").write_text(ARM.replace('lower="1" upper="-1"', limits), "utf-8")
    entries = {hook["id"]: hook["entry"].split() for hook in HOOKS}
    assert (
        run([*entries["unibody-check"], "--fail-on", "warning", "arm.urdf"], tmp_path).returncode == check
    )
    assert run([*entries["unibody-fmt"], "arm.urdf"], tmp_path).returncode == 0


def test_a_hook_runs_once() -> None:
    # several processes of pre-commit would compete for the cores, and print a summary each
    assert all(hook["require_serial"] for hook in HOOKS)


def test_steps_name_inputs_and_outputs_that_exist() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \| [^|]*\| [^|]*\|$", page, re.MULTILINE)) >= {
        *ACTION["inputs"]
    } - {"level"}
    steps = ACTION["runs"]["steps"]
    # Inputs reach the shell through the environment, so that none of them is run.
    assert not any("${{" in step.get("run", "") for step in steps)


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
@pytest.mark.parametrize(
    ("level", "annotate", "code"),
    [
        pytest.param("error", "true", 0, marks=pytest.mark.slow),
        ("warning", "true", 1),
        pytest.param("never", "false", 0, marks=pytest.mark.slow),
    ],
)
def test_action_annotates_and_writes_sarif(tmp_path: Path, level: str, annotate: str, code: int) -> None:
    (tmp_path / "my arm.urdf").write_text(ARM, "utf-8")
    steps = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
    output = tmp_path / "output"
    done = run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps["Check"]["run"]],
        tmp_path,
        FILES="my arm.urdf\n",
        FAIL_ON=level,
        LEVEL="",
        OPTIONS="--mute\ninertia-missing\n",
        ANNOTATE=annotate,
        RUNNER_TEMP=str(tmp_path),
        GITHUB_ACTION="check",
        GITHUB_OUTPUT=str(output),
        GITHUB_WORKSPACE=str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    values = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    assert int(values["code"]) == code
    results = json.loads(Path(values["sarif"]).read_text("utf-8"))["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["limits-reversed"]
    annotated = done.stdout.startswith("::warning file=my arm.urdf,")
    assert annotated == (annotate == "true")
    assert run(["bash", "-c", steps["Result"]["run"]], tmp_path, CODE=values["code"]).returncode == code


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
@pytest.mark.parametrize(("level", "code"), [("error", "1"), ("never", "0")])
@pytest.mark.parametrize(
    "files",
    [
        "cut.urdf\narm.urdf",
        pytest.param("cut.urdf", marks=pytest.mark.slow),
        pytest.param(".", marks=pytest.mark.slow),
    ],
)
def test_action_with_a_file_that_cannot_be_read(tmp_path: Path, files: str, level: str, code: str) -> None:
    (tmp_path / "cut.urdf").write_text("<robot name='r'", "utf-8")
    (tmp_path / "arm.urdf").write_text(ARM, "utf-8")
    steps = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
    output = tmp_path / "output"
    done = run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps["Check"]["run"]],
        tmp_path,
        FILES=files,
        FAIL_ON=level,
        LEVEL="",
        OPTIONS="",
        ANNOTATE="true",
        RUNNER_TEMP=str(tmp_path),
        GITHUB_ACTION="check",
        GITHUB_OUTPUT=str(output),
    )
    assert done.returncode == 0, done.stderr
    assert f"code={code}\n" in output.read_text("utf-8")
    assert "::error file=cut.urdf,line=1,col=1" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_action_reports_wrong_usage(tmp_path: Path) -> None:
    steps = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
    settings = {"RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION": "check", "ANNOTATE": "false"}
    done = run(
        ["bash", "-eo", "pipefail", "-c", steps["Check"]["run"]],
        tmp_path,
        FILES="arm.urdf",
        FAIL_ON="severe",
        LEVEL="",
        OPTIONS="",
        GITHUB_OUTPUT=str(tmp_path / "output"),
        **settings,
    )
    assert done.returncode == 2
    assert "--fail-on" in done.stderr
