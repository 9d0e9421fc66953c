"""Engines do what the scripts in ``disagreements/`` say, and the page on proofs names every one."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.project.tools import ROOT

from unibody.proof.engines import interpreters

FOLDER = ROOT / "tests/proof/disagreements"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def head(script: Path) -> tuple[str, str, str]:
    """The first line of a script, and the words that are expected and seen."""
    text = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or ""
    found = re.fullmatch(r"(.*)\n\nexpected: (.*)\nseen: (.*)", text)
    assert found, f"{script.name} does not say what is expected and seen"
    return found[1], found[2], found[3]


def printed(script: Path) -> str:
    """What a script prints in the first interpreter that has its engine; the test skips without one."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    for interpreter in interpreters():
        done = subprocess.run(
            [interpreter, str(script)],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment,
            check=False,
        )
        if "ModuleNotFoundError" not in done.stderr:
            assert done.returncode == 0, done.stderr
            return done.stdout.strip().splitlines()[-1]
    pytest.skip("the engine is not installed")


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_engine_is_seen_to_do_so(script: Path) -> None:
    first, expected, seen = head(script)
    words = printed(script)
    if "cured in" in first and words.startswith(expected):
        pytest.skip("cured in the installed version")
    assert words.startswith(seen)
    assert not words.startswith(expected)


def test_every_model_has_a_script_and_the_page_names_it() -> None:
    page = (ROOT / "docs/prove.md").read_text("utf-8")
    used = set()
    for script in SCRIPTS:
        assert f"tests/proof/disagreements/{script.name}" in page, (
            f"docs/prove.md does not name {script.name}"
        )
        (model,) = re.findall(r'with_name\("(.*?)"\)', script.read_text("utf-8"))
        used.add(model)
        assert head(script)[0].endswith(".")
    assert used == {path.name for path in FOLDER.iterdir()} - {
        *(s.name for s in SCRIPTS),
        "README.md",
        "__pycache__",
    }
