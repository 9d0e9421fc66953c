"""The sides of the page in a browser: folded, resized, in a notebook cell and on a phone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import call, complaints, focus, press, ready, show
from tools.chromium import Chromium, Page, path_address

import unibody as ub

WIDTH = "document.querySelector('.stage').getBoundingClientRect().width"
HEIGHT = "document.querySelector('.stage').getBoundingClientRect().height"
# The share of the points of the robot's picture that nothing covers.
FREE = """(() => {
    const box = document.querySelector('.stage > canvas').getBoundingClientRect();
    let all = 0, free = 0;
    for (let x = box.left + 3; x < box.right; x += 6) {
        for (let y = box.top + 3; y < box.bottom; y += 6) {
            if (window.unibody.linkAt(x, y)) {
                all += 1;
                free += document.elementFromPoint(x, y)?.tagName === 'CANVAS' ? 1 : 0;
            }
        }
    }
    return free / all;
})()"""


@pytest.mark.slow
def test_sides_fold_and_resize(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    assert page.eval(WIDTH) == 1280 - 280 - 344
    x, y = page.middle(".splitter.right")
    y += 150  # below the button
    page.drag((x, y), (x - 100, y))
    assert page.eval(WIDTH) == pytest.approx(1280 - 280 - 444, abs=2)
    focus(page, ".splitter.left")
    for _ in range(2):
        page.key("ArrowLeft", 37)
    assert page.eval("document.querySelector('.splitter.left').ariaValueNow") == "248"
    page.key("[", 219, "[")
    page.settle()
    assert page.eval(WIDTH) == pytest.approx(1280 - 444, abs=2)
    press(page, ".edge.right")
    assert page.eval(WIDTH) == 1280
    assert page.eval("document.querySelector('.edge.right').ariaExpanded") == "false"
    address = call(page, "address")
    page.open("about:blank")
    page.open(address)
    ready(page)
    assert page.eval(WIDTH) == 1280
    press(page, ".edge.right")
    press(page, ".edge.left")
    assert page.eval(WIDTH) == pytest.approx(1280 - 248 - 444, abs=2)
    # No side leaves the scene without room.
    x, y = page.middle(".splitter.left")
    y += 150
    page.drag((x, y), (1200, y))
    assert page.eval(WIDTH) >= 239
    for _ in range(3):
        call(page, "run", "undo")
    assert page.eval(WIDTH) == 1280
    assert complaints(page) == []


def test_panels_fold(page: Page, biped: str, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(biped))
    high = "document.querySelector('.panel.links').offsetHeight"
    before = page.eval(high)
    press(page, ".findings .fold")
    assert page.eval("document.querySelector('.findings .panel-body').checkVisibility()") is False
    assert page.eval(high) > before
    press(page, ".links .fold")
    assert page.eval("document.querySelector('[role=tree]').checkVisibility()") is False
    assert "panels=findings;first-touches;links" in call(page, "address")


@pytest.mark.slow
def test_the_picture_comes_first_in_a_notebook(page: Page, biped: str, tmp_path: Path) -> None:
    cell = ub.view(ub.load(biped), browser=False)._repr_html_().replace("width: 100%", "width: 860px")
    # The test looks into the frame, which other pages may not.
    cell = cell.replace('sandbox="allow-scripts', 'sandbox="allow-same-origin allow-scripts')
    (tmp_path / "notebook.html").write_text(f"<!doctype html>{cell}", "utf-8")
    page.open(path_address(tmp_path / "notebook.html"))
    inner = "document.querySelector('iframe').contentWindow"
    page.wait(f"{inner}.unibody && {inner}.unibody.status === 'ready'")
    width = f"{inner}.document.querySelector('.stage').getBoundingClientRect().width"
    assert page.eval(width) >= 0.9 * 860
    page.eval(f"{inner}.document.querySelector('.edge.right').click()")
    assert page.eval(width) < 600
    assert [each for each in complaints(page) if "sandbox" not in each] == []


def phone(chromium: Chromium) -> Page:
    page = chromium.page(390, 844)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
    return page


@pytest.mark.slow
def test_drawers_on_a_phone(chromium: Chromium, biped: str, tmp_path: Path) -> None:
    page = phone(chromium)
    show(page, tmp_path, ub.load(biped))
    assert page.eval(HEIGHT) >= 0.9 * 844
    assert page.eval(FREE) >= 0.9
    press(page, "[data-command='drawer.left']")
    assert page.eval("document.querySelector('[role=tree]').checkVisibility()")
    assert page.eval(HEIGHT) >= 0.5 * 844
    press(page, "[data-command='drawer.left']")
    # A selection shows its properties.
    call(page, "select", "LARM_ELBOW")
    page.settle()
    seen = """(row => {
        const box = row.getBoundingClientRect(), list = row.closest('.panel-body').getBoundingClientRect();
        return box.top >= list.top && box.bottom <= innerHeight;
    })(document.querySelector('.joint.selected'))"""
    assert page.eval(seen)
    assert page.eval("document.querySelector('.properties').getBoundingClientRect().top < innerHeight - 60")
    assert page.eval(FREE) >= 0.6
    assert complaints(page) == []
    page.close()


@pytest.mark.slow
def test_a_recorded_run_on_a_phone(chromium: Chromium, biped: str, tmp_path: Path) -> None:
    robot = ub.load(biped)
    m = ub.assemble(robot)
    q = np.repeat(m.initial[None], 31, axis=0)
    q[:, 7:] += np.linspace(0.0, -0.1, 31)[:, None]
    gyro = {"WAIST_GYRO": np.cumsum(np.ones((31, 3)), axis=0)}
    record = ub.Record(robot=robot, times=np.linspace(0.0, 1.5, 31), q=q, sensors=gyro)
    page = phone(chromium)
    ub.view(record, browser=False).save(tmp_path / "run.html")
    page.open(path_address(tmp_path / "run.html"))
    ready(page)
    assert page.eval(FREE) >= 0.9
    press(page, "[data-command='drawer.cards']")
    assert page.eval("document.querySelector('.run').checkVisibility()")
    assert page.eval(FREE) >= 0.6
    press(page, ".play")
    page.wait("document.querySelector('.time').textContent.startsWith('1.50')")
    assert call(page, "position", "CHEST") == pytest.approx(-0.1, abs=1e-6)
    press(page, "[data-command='drawer.cards']")
    assert page.eval(FREE) >= 0.9
    assert complaints(page) == []
    page.close()
