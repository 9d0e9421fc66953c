"""The commands that install extras."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from unibody.text import installation
from unibody.text.installation import install_command, package_command


class _Distribution:
    def __init__(self, direct: object) -> None:
        self.direct = direct

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.direct is None else json.dumps(self.direct)


def test_a_checkout_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    assert shlex.split(install_command("simulate"))[-2:] == ["-e", ".[simulate]"]
    monkeypatch.chdir(root.parent)
    assert shlex.split(install_command("parts"))[-1] == f"./{root.name}[parts]"
    monkeypatch.chdir(tmp_path)
    assert shlex.split(install_command("parts"))[-1] == f"{root}[parts]"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the folder of a process")
def test_the_working_folder_was_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert shlex.split(install_command("parts"))[-1] == f"{Path(__file__).parents[2]}[parts]"


@pytest.mark.parametrize(
    ("direct", "requirement"),
    [
        (None, "unibody[parts]"),
        ({"url": "file:///some/where%20else", "dir_info": {}}, "/some/where else[parts]"),
        (
            {"url": "https://example.org/u.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
            "unibody[parts] @ git+https://example.org/u.git",
        ),
        ({"url": "file:///tmp/unibody-0.3.0-py3-none-any.whl", "archive_info": {}}, "unibody[parts]"),
    ],
)
def test_what_it_was_installed_from_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, direct: Any, requirement: str
) -> None:
    monkeypatch.setattr(installation, "__file__", str(tmp_path / "site/unibody/text/installation.py"))
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: _Distribution(direct))
    assert shlex.split(install_command("parts"))[-1] == requirement


def test_pip_is_that_of_this_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shlex.split(package_command("ompl"))[-4:] == ["-m", "pip", "install", "ompl"]
    pip = Path(sys.executable).with_name("pip")
    monkeypatch.setattr("shutil.which", lambda name: str(pip))
    assert package_command("ompl") == "pip install ompl"


def test_pages_name_no_package_that_an_index_does_not_have() -> None:
    root = Path(__file__).parents[2]
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    assert [p.name for p in pages if "pip install 'unibody[" in p.read_text(encoding="utf-8")] == []
