"""Undo, redo, and the state in the address, in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.view.browsing import (
    TESTS,
    call,
    complaints,
    focus,
    poses,
    press,
    ready,
    show,
    slider,
    texts,
)
from tools.chromium import Chromium, Page, path_address

import unibody as ub
from unibody.page.data import Shown, pages_data
from unibody.page.page import filled_page

CTRL, SHIFT = 2, 8


def combine(page: Page, key: str, code: int, modifiers: int = CTRL) -> None:
    """Press a key together with others."""
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=modifiers
        )
    page.settle()


def undo(page: Page) -> None:
    combine(page, "z", 90)


def redo(page: Page) -> None:
    combine(page, "Z", 90, CTRL | SHIFT)


def state(page: Page) -> dict[str, Any]:
    """What the address must keep."""
    page.settle()
    joints = ["base", *call(page, "joints")]
    return {
        "q": [call(page, "positions", joint) for joint in joints],
        "eye": np.round(call(page, "eye"), 9).tolist(),
        "layers": texts(page, ".toolbar [aria-pressed=true]"),
        "selected": call(page, "selected"),
        "scheme": page.eval("getComputedStyle(document.body).backgroundColor"),
        "units": texts(page, ".joints > header [data-choice][aria-pressed=true]"),
        "folded": len(texts(page, "[role=treeitem][aria-expanded=false]")),
    }


def change_all(page: Page) -> None:
    """Change everything that the address keeps."""
    focus(page, slider("RLEG_KNEE"))
    for _ in range(3):
        page.key("ArrowRight", 39)
    call(page, "move", "base", 0.1, -0.2, 0.9, 0.5, 0.5, -0.5, 0.5)
    call(page, "move", "LARM_ELBOW", -0.1 - 1 / 3)
    page.key("a", 65, "a")
    page.key("t", 84, "t")
    press(page, "[data-choice=rad]")
    press(page, "[title=RLEG_HIP_R] .twist")
    press(page, "[title=CHEST] .name")
    page.drag((600, 120), (520, 160))


@pytest.mark.slow
def test_a_drag_of_a_slider_is_one_step(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    before = poses(page)
    x, y = page.middle(slider("RLEG_HIP_P"))
    page.drag((x + 21, y), (x - 20, y))
    moved = poses(page)
    assert np.abs(moved - before).max() > 0.1
    undo(page)
    assert np.abs(poses(page) - before).max() == 0.0
    assert texts(page, "[data-command=undo]:disabled")
    redo(page)
    assert np.abs(poses(page) - moved).max() == 0.0
    # So is a pull of a link, and a turn of the view.
    eye = call(page, "eye")
    page.drag((600, 120), (520, 160))
    assert call(page, "eye") != eye
    undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    press(page, "[data-command=undo]")
    assert np.abs(poses(page) - before).max() == 0.0
    assert complaints(page) == []


# In one call each, without a frame between steps; a step ends before the next one is awaited.
TWO_HUNDRED = """(async () => {
  for (let step = 0; step < 200; step++) {
    window.unibody.move("CHEST", 0.001 * step + 0.0005);
    await null;
  }
})()"""
UNDO = """(() => {{
  let count = 0;
  while ({} && window.unibody.run("undo")) {{
    count += 1;
  }}
  return count;
}})()"""


@pytest.mark.slow
def test_undo_of_everything_two_hundred_deep(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    first = state(page)
    change_all(page)
    changed = state(page)
    page.eval(TWO_HUNDRED)
    last = state(page)
    assert page.eval(UNDO.format("count < 200")) == 200
    assert state(page) == changed
    page.eval(UNDO.format("!document.querySelector('[data-command=undo]').disabled"))
    assert state(page) == first
    page.wait("location.hash === ''")
    page.eval("(() => { while (window.unibody.run('redo')); })()")
    assert state(page) == last


@pytest.mark.slow
def test_the_address_keeps_the_state(page: Page, chromium: Chromium, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    change_all(page)
    wanted = state(page)
    page.eval("window.old = true")
    page.call("Page.reload")
    page.wait("!window.old && window.unibody && window.unibody.status !== 'loading'")
    ready(page)
    assert state(page) == wanted
    other = chromium.page()
    other.open(call(page, "address"))
    ready(other)
    assert state(other) == wanted
    # Another fragment in the same page is a step.
    other.eval("location.hash = '#theme=dark&layers=mass'")
    other.wait("document.querySelector('[data-layer=mass]').ariaPressed === 'true'")
    assert call(other, "positions", "LARM_ELBOW") == [0.0]
    call(other, "run", "undo")
    assert state(other) == wanted
    assert complaints(page) == complaints(other) == []
    other.close()


@pytest.mark.slow
def test_broken_addresses_are_ignored(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    first = state(page)
    address = path_address(tmp_path / "page.html")
    broken = ("q=zz;RLEG_KNEE:x", "q=0;NOBODY:1", "view=0,0,0,0,0,0&select=link:%&%%", "=&&layers=,,-")
    for fragment in broken:
        page.open("about:blank")
        page.open(f"{address}#{fragment}")
        ready(page)
        assert state(page) == first
    assert complaints(page) == []


@pytest.mark.slow
def test_the_time_of_a_motion_is_kept(page: Page, tmp_path: Path) -> None:
    robot = ub.load(TESTS / "commands/models/four_bar.body")
    m = ub.assemble(robot)
    times = np.linspace(0.0, 3.0, 31)
    record = ub.Record(robot=robot, times=times, q=np.linspace(m.initial, m.initial + 0.3, 31))
    file = tmp_path / "page.html"
    ub.view(record, browser=False).save(file)
    page.open(path_address(file))
    ready(page)
    call(page, "seek", 1.05)
    at = poses(page)
    other = call(page, "address")
    assert "time=1.05" in other
    page.open("about:blank")
    page.open(other)
    ready(page)
    assert np.abs(poses(page) - at).max() == 0.0
    assert texts(page, ".time")[0].startswith("1.05")


@pytest.mark.slow
def test_a_notebook_frame_has_no_address(page: Page, biped: str, tmp_path: Path) -> None:
    inner = filled_page(pages_data([Shown(robot=ub.load(biped))]).bytes).decode()
    file = tmp_path / "notebook.html"
    cell = "<iframe sandbox='allow-scripts' style='width: 860px; height: 600px'></iframe>"
    quoted = json.dumps(inner).replace("</", "<\\/").replace("<!--", "<\\!--")
    fill = f"document.querySelector('iframe').srcdoc = {quoted}"
    file.write_text(f"<!doctype html>{cell}<script>{fill}</script>", "utf-8")
    page.open(path_address(file))
    page.settle()
    page.click(300, 300)
    page.key("a", 65, "a")
    page.drag((300, 120), (360, 160))
    page.settle()
    assert complaints(page) == []


def test_each_command_is_a_step_however_late_timers_are(page: Page, tmp_path: Path, biped: str) -> None:
    """As on a loaded machine, where the next key comes before the timer that ends a step."""
    reading = ub.read(biped)
    assert reading.robot is not None
    show(page, tmp_path, reading.robot)
    eye = call(page, "eye")
    page.eval("(f => { window.setTimeout = (run, time) => f(run, (time ?? 0) + 60000); })(setTimeout)")
    link = call(page, "links")[1]
    call(page, "look", 1, 0, 0)
    call(page, "select", link)
    page.key("h", 72, "h")
    call(page, "select", None)
    page.key("a", 65, "a")
    looked = call(page, "eye")
    for selected, is_hidden in ((None, True), (link, True), (link, False), (None, False)):
        undo(page)
        assert (call(page, "selected"), "hidden=" in call(page, "address")) == (selected, is_hidden)
        assert call(page, "eye") == pytest.approx(looked, abs=1e-9)
    undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
