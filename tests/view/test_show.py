"""unibody.view from Python: opens a page, writes a file, or fills a notebook cell."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import urllib.request
import webbrowser
from pathlib import Path

import numpy as np
import pytest
from tests.view.test_page import embedded

import unibody as ub
from unibody.formats.mpk.plan import parse_plan
from unibody.page.pack import unpack
from unibody.page.show import view
from unibody.text.source import Source


def test_module_is_callable(biped: str) -> None:
    with ub.view(ub.load(biped), browser=False) as shown:
        data, _ = unpack(embedded(shown.html()))
    assert data["robots"][0]["name"] == "Biped"


def test_page_is_served_until_closed(biped: str) -> None:
    shown = view(ub.load(biped), browser=False)
    address = shown.address
    with urllib.request.urlopen(f"{address}model", timeout=60) as answer:
        assert answer.read()[:4] == b"ubvw"
    shown.close()
    shown.close()
    with pytest.raises(OSError, match=r"."):
        urllib.request.urlopen(f"{address}model", timeout=2)


def test_browser_is_opened_except_in_notebooks(biped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def note(address: str) -> bool:
        opened.append(address)
        return False

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setenv("BROWSER", "firefox")
    robot = ub.load(biped)
    with view(robot) as shown:
        assert opened == [shown.address]
        assert repr(shown) == f"<View at {shown.address}>"
    assert repr(shown) == "<View>"
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    view(robot)
    assert len(opened) == 1
    monkeypatch.delitem(sys.modules, "ipykernel")
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    with view(robot) as shown:
        # Without a display a text browser would take over the terminal.
        assert len(opened) == 1


def test_notebook_cell_contains_a_sandboxed_page(biped: str) -> None:
    shown = view(ub.load(biped), browser=False)
    cell = shown._repr_html_()
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"[^<>]*></iframe>', cell)
    assert found
    assert html.unescape(found[1]).encode() == shown.html()


def test_save_writes_one_file(biped: str, tmp_path: Path) -> None:
    shown = view(ub.load(biped), browser=False)
    shown.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_bytes() == shown.html()
    with pytest.raises(FileExistsError):
        shown.save(tmp_path / "a.html")
    shown.save(tmp_path / "a.html", overwrite=True)


def test_saved_page_has_pose_and_motion(biped: str) -> None:
    robot = ub.load(biped)
    m = ub.assemble(robot)
    motion = np.zeros((3, m.nq))
    data, _ = unpack(embedded(view(robot, pose={"CHEST": 0.5}, motion=motion, browser=False).html()))
    assert data["pose"] == [[m.joint_names.index("CHEST"), [0.5]]]
    assert data["motion"]["times"][2] == 3
    arm = ub.load(Path(biped).with_suffix(".urdf"))
    n = ub.assemble(arm).normalized_space.n
    plan = parse_plan(Source("a.pln", f"* {'0 ' * n}\n* {'1 ' * n}\n"))
    data, _ = unpack(embedded(view(arm, motion=plan, browser=False).html()))
    assert data["motion"]["name"] == "plan"


def test_two_robots_are_compared(biped: str) -> None:
    robot = ub.load(biped)
    data, _ = unpack(embedded(view(robot, ub.load(Path(biped).with_suffix(".urdf")), browser=False).html()))
    assert [each["name"] for each in data["robots"]] == ["Biped", "Biped"]
    assert data["comparison"]["count"] > 0


def test_program_waits_until_the_page_is_fetched(biped: str) -> None:
    code = f"""
import threading, urllib.request, webbrowser, unibody as ub
def later(address):
    def fetch():
        print(len(urllib.request.urlopen(address + "model").read()), flush=True)
    threading.Timer(0.5, fetch).start()
    return True
webbrowser.open = later
ub.view(ub.load({biped!r}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "BROWSER": "firefox"},
    )
    assert int(done.stdout) > 10_000
    assert done.stderr == ""
