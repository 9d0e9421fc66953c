"""The verb: one file with --html, else a server until Ctrl-C."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from unibody.cli import view
from unibody.cli.main import main
from unibody.view.page import empty_page

SLIPS = str(Path(__file__).resolve().parents[1] / "commands/models/slips.urdf")


def test_html_writes_one_file(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "biped.html"
    assert main(["view", biped, "--html", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}: 0.6 MB\n"
    assert target.read_bytes().startswith(empty_page()[:1000])
    assert list(tmp_path.iterdir()) == [target]
    first = target.read_bytes()
    assert main(["view", biped, "--html", str(target)]) == 0
    assert target.read_bytes() == first


def test_html_with_json(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "biped.html"
    assert main(["view", biped, "--html", str(target), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"file": str(target), "bytes": target.stat().st_size}


def test_findings_are_reported_as_by_every_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", SLIPS, "--html", str(tmp_path / "slips.html")]) == 0
    assert "[file-missing]" in capsys.readouterr().err


def test_without_a_model_there_is_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    assert main(["view", "nowhere.urdf", "--html", str(target)]) == 2
    forest = tmp_path / "forest.urdf"
    forest.write_text("<robot name='forest'><link name='a'/><link name='b'/></robot>")
    assert main(["view", str(forest), "--html", str(target)]) == 2
    assert "[cannot-assemble]" in capsys.readouterr().err
    assert not target.exists()


def test_a_page_cannot_take_the_place_of_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "stone.urdf"
    model.write_text("<robot name='stone'><link name='stone'/></robot>")
    for target in (model, tmp_path / "." / "stone.urdf"):
        assert main(["view", str(model), "--html", str(target)]) == 2
    assert "is the model itself" in capsys.readouterr().err
    assert model.read_text().startswith("<robot")


def test_a_place_that_cannot_be_written(
    biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", biped, "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "cannot write" in capsys.readouterr().err
    (tmp_path / "folder").mkdir()
    assert main(["view", biped, "--html", str(tmp_path / "folder")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("port", ["-1", "65536", "x", "99999999999999999999"])
def test_a_port_that_is_none(biped: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", biped, "--port", port]) == 2
    assert "is no port" in capsys.readouterr().err


def test_a_port_that_is_taken(biped: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["view", biped, "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot be had" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process on Windows")
@pytest.mark.parametrize("json_too", [False, True])
def test_it_serves_until_ctrl_c(biped: str, json_too: bool) -> None:
    words = [sys.executable, "-m", "unibody", "view", biped, "--no-browser", *["--json"][:json_too]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        lines = ""
        while "/\n" not in lines and '/"' not in lines:
            lines += process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32,}/", lines)
        assert address, lines
        with urllib.request.urlopen(address[0], timeout=10) as answer:
            assert answer.read() == empty_page()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stderr.read() == ""


def test_a_browser_is_opened_only_where_it_has_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not view._has_browser()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert view._has_browser()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert view._has_browser()


def test_the_command_does_not_load_the_page_before_it_is_asked_for() -> None:
    heavy = ("unibody.view", "unibody.mesh", "numpy", "http")
    code = f"import sys, unibody.cli.view; print([m for m in sys.modules if m.startswith({heavy})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
