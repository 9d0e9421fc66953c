"""`unibody view --watch`: saved models are reloaded, unreadable ones are reported."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from tests.sampling import few

from unibody.page.pack import unpack
from unibody.page.watch import NotingFiles, stamp, wait_for_change

STONE = "<robot name='stone'><link name='stone'/></robot>"


def test_accessed_files_are_recorded(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(STONE)
    files = NotingFiles()
    files.read(str(tmp_path / "r.urdf"))
    files.exists(str(tmp_path / "gone.stl"))
    assert set(files.seen) == {str(tmp_path / "r.urdf"), str(tmp_path / "gone.stl")}


def test_waits_until_changes_are_complete(tmp_path: Path) -> None:
    path, gone = tmp_path / "a", tmp_path / "gone"
    path.write_text("1")
    before = {name: stamp(name) for name in (str(path), str(gone), str(tmp_path), "\0")}
    assert before[str(gone)] is before[str(tmp_path)] is before["\0"] is None
    stop = threading.Event()
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(wait_for_change(before, stop, 0.02)))
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    gone.write_text("new")
    thread.join(60)
    assert found == [True]
    stop.set()
    assert not wait_for_change({str(path): stamp(str(path))}, stop, 0.02)


def changes(address: str, seen: str) -> tuple[str, str]:
    """The next version of the server, and its error message; polls for some minutes."""
    for _ in range(10):
        with urllib.request.urlopen(f"{address}changes?{seen}", timeout=60) as answer:
            version, _, trouble = answer.read().decode().partition("\n")
        # "+" comes when the model has been checked
        if version.rstrip("+") != seen.rstrip("+"):
            return version.rstrip("+"), trouble
        seen = version
    raise AssertionError("nothing new")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process on Windows")
@pytest.mark.parametrize("end", few([signal.SIGINT, signal.SIGTERM], 1))
def test_saved_model_is_reloaded(tmp_path: Path, end: signal.Signals) -> None:
    model = tmp_path / "stone.urdf"
    model.write_text(STONE)
    words = [sys.executable, "-m", "unibody", "view", str(model), "--no-browser", "--watch"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            _save_and_look(process, model)
            process.send_signal(end)
            assert process.wait(60) == 0
            assert process.stderr is not None
            assert process.stderr.read() == ""
        finally:
            process.kill()


def _save_and_look(process: subprocess.Popen[str], model: Path) -> None:
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    address = found[0]
    model.write_text(STONE.replace("name='stone'>", "name='pebble'>", 1))
    assert changes(address, "0.0") == ("1.1", "")
    with urllib.request.urlopen(f"{address}model", timeout=60) as answer:
        header, _ = unpack(answer.read())
    assert (header["robots"][0]["name"], header["live"]) == ("pebble", True)
    model.write_text("<robot")
    version, trouble = changes(address, "1.1")
    assert version == "2.1"
    assert "stone.urdf:1:" in trouble
    # A file may be missing for a moment.
    os.remove(model)
    assert "no such file" in changes(address, "2.1")[1]
    model.write_text(STONE)
    assert changes(address, "3.1") == ("4.2", "")
