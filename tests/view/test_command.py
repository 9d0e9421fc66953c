"""`unibody view`: writes a file with --html, otherwise serves the page until Ctrl-C."""

from __future__ import annotations

import json
import math
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from tests.sampling import few
from tests.view.test_page import embedded

from unibody.cli.main import main
from unibody.page.pack import unpack
from unibody.page.page import empty_page
from unibody.page.show import has_browser

SLIPS = str(Path(__file__).resolve().parents[1] / "commands/models/slips.urdf")


def test_html_writes_one_file(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "biped.html"
    assert main(["view", biped, "--html", str(target)]) == 0
    assert re.fullmatch(rf"{re.escape(str(target))}: 0\.\d MB\n", capsys.readouterr().out)
    assert target.read_bytes().startswith(empty_page()[:1000])
    assert list(tmp_path.iterdir()) == [target]
    first = target.read_bytes()
    assert main(["view", biped, "--html", str(target)]) == 2
    assert "use --overwrite" in capsys.readouterr().err
    assert main(["view", biped, "--html", str(target), "--overwrite"]) == 0
    assert target.read_bytes() == first


def test_html_with_json(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "biped.html"
    assert main(["view", biped, "--html", str(target), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"file": str(target), "bytes": target.stat().st_size}


def test_findings_are_reported_as_by_each_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_page_does_not_overwrite_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "stone.urdf"
    model.write_text("<robot name='stone'><link name='stone'/></robot>")
    for target in (model, tmp_path / "." / "stone.urdf"):
        assert main(["view", str(model), "--html", str(target)]) == 2
    assert "is the model file" in capsys.readouterr().err
    assert model.read_text().startswith("<robot")


def test_unwritable_output(biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", biped, "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "cannot write" in capsys.readouterr().err
    (tmp_path / "folder").mkdir()
    assert main(["view", biped, "--html", str(tmp_path / "folder")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("port", ["-1", "65536", "x", "99999999999999999999"])
def test_invalid_port(biped: str, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", biped, "--port", port]) == 2
    assert "expected a port" in capsys.readouterr().err


def test_port_in_use(biped: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["view", biped, "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot listen on port" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process on Windows")
@pytest.mark.parametrize("json_too", few([False, True], 1))
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
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            assert answer.read() == empty_page()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


# Ctrl-C at a moment of the main thread, in which Python or the server may lose its exception.
PRESSED = """
import signal, sys, threading, time, urllib.request
from unibody.cli import pages
from unibody.cli.main import main
from unibody.page.server import PageServer

class Lost:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

class Printed:
    def write(self, text): pass
    def flush(self): press() if moment == "printed" else None

def press():
    Lost() if moment != "started" else signal.raise_signal(signal.SIGINT)

def served(server, request, address, real=PageServer.process_request):
    if moment == "request":
        press()
    real(server, request, address)

def started(thread, real=threading.Thread.start):
    real(thread)
    if moment == "started" and "process_request" in thread.name:
        thread.join()
        press()

def until(server, is_over, real=PageServer.serve_until):
    threading.Thread(target=lambda: urllib.request.urlopen(server.address).read(), daemon=True).start()
    real(server, is_over)

moment = sys.argv[1]
sys.unraisablehook = lambda lost: None
PageServer.process_request, PageServer.serve_until, threading.Thread.start = served, until, started
sys.stdout = Printed()
sys.exit(main(["view", sys.argv[2], "--no-browser"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process on Windows")
@pytest.mark.parametrize("moment", few(["printed", "request", "started"], 1))
def test_ctrl_c_is_not_lost(biped: str, moment: str) -> None:
    words = [sys.executable, "-c", PRESSED, moment, biped]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_browser_is_opened_only_with_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not has_browser()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_browser()
    monkeypatch.delenv("WAYLAND_DISPLAY")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert has_browser()


def test_command_imports_the_page_lazily() -> None:
    heavy = ("unibody.page", "unibody.meshes", "numpy", "http")
    code = f"import sys, unibody.cli.view; print([m for m in sys.modules if m.startswith({heavy})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def data_of(path: Path) -> dict[str, Any]:
    return unpack(embedded(path.read_bytes()))[0]


def test_two_models_are_compared(biped: str, tmp_path: Path) -> None:
    target = tmp_path / "two.html"
    assert main(["view", biped, biped.replace(".body", ".urdf"), "--html", str(target)]) == 0
    data = data_of(target)
    assert [robot["file"] for robot in data["robots"]] == ["biped.body", "biped.urdf"]
    assert data["comparison"]["count"] > 0
    assert main(["view", biped, "nowhere.urdf", "--html", str(tmp_path / "no.html")]) == 2
    assert not (tmp_path / "no.html").exists()


def test_options_set_the_initial_state(biped: str, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    words = ["--pose", "standard_pose", "--set", "NECK_Y=30deg", "--set", "WAIST=0,0,1,1,0,0,0"]
    assert main(["view", biped, "--html", str(target), *words, "--show", "visual,axes"]) == 0
    data = data_of(target)
    names = [joint["name"] for joint in data["robots"][0]["joints"]]
    pose = {names[joint] if joint >= 0 else "base": numbers for joint, numbers in data["pose"]}
    assert pose["NECK_Y"] == [pytest.approx(math.radians(30))]
    assert pose["base"] == [0, 0, 1, 1, 0, 0, 0]
    assert pose["RLEG_KNEE"] == [pytest.approx(math.radians(60))]
    # The posture names it, wherever the page would have it.
    assert pose["CHEST"] == [0.0]
    assert data["layers"] == ["visual", "axes"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pose", "lying"], "unknown configuration 'lying'; known: standard_pose"),
        (["--set", "KNEE=1"], "no joint 'KNEE'"),
        (["--set", "RLEG_KNEE=far"], "expected a number"),
        (["--show", "visual,wings"], "unknown layer 'wings'"),
        (["--motion", "nowhere.csv"], "no such file"),
        (["--png", "a.png"], "cannot be combined"),
        (["--watch"], "--watch needs a served page"),
        (["--size", "10x10"], "--size requires --png"),
        (["--size", "0x10"], "expected a size"),
        (["--size", "99999x10"], "expected a size"),
    ],
)
def test_invalid_options(
    words: list[str], message: str, biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    assert main(["view", biped, "--html", str(target), *words]) == 2
    assert message in capsys.readouterr().err
    assert not target.exists()


def test_motions_are_read_by_their_suffix(
    biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    csv, plan, target = tmp_path / "a.csv", tmp_path / "a.pln", tmp_path / "page.html"
    csv.write_text("time,CHEST\n0,0\n1,0.5\n")
    plan.write_text(f"* {'0.5 ' * 23}\n* {'0.25 ' * 23}\n")
    for path in (csv, plan):
        assert main(["view", biped, "--html", str(target), "--overwrite", "--motion", str(path)]) == 0
        assert data_of(target)["motion"]["name"] == path.name
    csv.write_text("time,CHEST\n0,x\n")
    plan.write_text("0.5\n")
    for path, message in (
        (csv, "expected a finite number, got 'x'"),
        (plan, "line does not start with '*'"),
    ):
        assert main(["view", biped, "--html", str(target), "--overwrite", "--motion", str(path)]) == 2
        assert message in capsys.readouterr().err


def test_picture_needs_a_browser(
    biped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["view", biped, "--png", str(tmp_path / "a.png")]) == 2
    assert "needs Chromium or Chrome" in capsys.readouterr().err
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    assert main(["view", biped, "--png", str(tmp_path / "a.png")]) == 2
    assert "Chromium has exited" in capsys.readouterr().err
    assert not (tmp_path / "a.png").exists()


def test_without_a_file_the_bundled_biped_is_shown(tmp_path: Path) -> None:
    assert main(["view", "--html", str(tmp_path / "a.html")]) == 0
    page = unpack(embedded((tmp_path / "a.html").read_bytes()))
    assert b"RLEG_KNEE" in json.dumps(page, default=str).encode()
