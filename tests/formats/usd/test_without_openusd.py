"""Without OpenUSD, such as on Python 3.10, every way to a stage ends with what installs it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.formats.usd.composition import compose

STAGE = '#usda 1.0\ndef Xform "r"\n{\n}\n'
URDF = '<robot name="r"><link name="a"/></robot>'


@pytest.fixture(autouse=True)
def _hidden(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """OpenUSD is not found."""
    monkeypatch.setattr(compose, "find_spec", lambda name: None)
    compose.packages.cache_clear()
    yield
    compose.packages.cache_clear()


@pytest.mark.parametrize("name", ["r.usda", "r.usd", "r.usdc", "r.usdz"])
def test_a_stage_is_not_read(name: str) -> None:
    (finding,) = read(name, files=MemoryFiles({name: STAGE.encode()})).findings
    _tells(str(finding.message))


@pytest.mark.parametrize("suffix", ["usda", "usd", "usdc", "usdz"])
def test_a_stage_is_not_written(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "r.urdf").write_text(URDF)
    with pytest.raises((ub.SaveError, ub.LoadError)) as error:
        ub.convert(tmp_path / "r.urdf", tmp_path / f"r.{suffix}")
    _tells(str(error.value))
    assert sorted(x.name for x in tmp_path.iterdir()) == ["r.urdf"]


@pytest.mark.parametrize("verb", ["check", "info", "simulate", "dump"])
def test_the_command_says_it_in_a_line(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.usda"
    path.write_text(STAGE)
    assert main([verb, str(path)]) != 0
    said = "".join(capsys.readouterr())
    assert "Traceback" not in said
    _tells(said)


def test_an_older_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    finding = compose.not_installed("r.usda")
    assert finding.message == (
        "r.usda: USD needs OpenUSD (usd-core, Python 3.11 or newer), but this is Python 3.10: "
        "install unibody[usd] with a newer one"
    )


def _tells(text: str) -> None:
    (line,) = [line for line in text.splitlines() if "OpenUSD" in line]
    assert "unibody[usd]" in line or "usd-core" in line
    assert "Python 3.11" in line
