"""Reloading in a browser: GPU memory is freed, state is kept, idle pages do not render."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.view.browsing import TESTS, call, complaints, ready, served, show, show_all, text
from tools.chromium import Page

import unibody as ub
from unibody.mechanism import assemble
from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Shape
from unibody.motions.motion import motion_of
from unibody.page.data import Extras, Origin, Shown, pages_data

LAYERS = ("visual", "collision", "frames", "axes", "mass", "inertia", "devices")
# Counts what the graphics card holds, and the frames that are asked for.
COUNTING = """
  window.held = {}; window.frames_ = 0;
  for (const kind of ['Buffer', 'Texture', 'VertexArray', 'Program']) {
    const of = WebGL2RenderingContext.prototype, make = of['create' + kind], end = of['delete' + kind];
    held[kind] = 0;
    of['create' + kind] = function (...words) { held[kind] += 1; return make.apply(this, words); };
    of['delete' + kind] = function (it) { held[kind] -= it ? 1 : 0; return end.call(this, it); };
  }
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = act => { window.frames_ += 1; return ask(act); };
"""


def held(page: Page) -> dict[str, int]:
    found: dict[str, int] = page.eval("window.held")
    return found


@pytest.mark.slow
def test_reload_frees_gpu_memory(page: Page, biped: str) -> None:
    robot = ub.load(biped)
    page.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTING)

    def data(number: int) -> bytes:
        made = replace(robot, name=f"version {number}")
        return pages_data([Shown(robot=made)], extras=Extras(live=True, layers=LAYERS)).bytes

    counts = []
    with served(data(0)) as server:
        page.open(server.address)
        ready(page)
        for number in range(1, 5):
            # Selected links have materials of their own, and other poses lines of other lengths.
            call(page, "select", robot.links[2].name)
            for _ in range(2):
                page.key("z")
                page.settle()
            counts.append(held(page))
            server.show(data(number))
            page.wait(f"document.querySelector('h1').textContent === 'version {number}'")
            page.settle()
        assert complaints(page) == []
    assert min(counts[0].values()) > 0
    assert counts[1:] == [counts[1]] * 3


@pytest.mark.slow
def test_idle_page_does_not_render(page: Page, biped: str, tmp_path: Path) -> None:
    page.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTING)
    show(page, tmp_path, ub.load(biped))
    page.settle()
    # Textures may still be decoded.
    time.sleep(0.5)
    page.eval("window.frames_ = 0")
    time.sleep(0.5)
    assert page.eval("window.frames_") == 0
    call(page, "move", "CHEST", 0.1)
    time.sleep(0.5)
    # one draws, two more measure when it is on the screen
    assert page.eval("window.frames_") == 3
    time.sleep(0.5)
    assert page.eval("window.frames_") == 3


def sliding() -> Robot:
    links = (Link(name="base"), Link(name="car", visuals=(Shape(geometry=Box(size=(0.1, 0.1, 0.1))),)))
    joint = Joint(name="slide", kind="prismatic", parent="base", child="car")
    return Robot(name="r", links=links, joints=(joint,), base="fixed")


@pytest.mark.slow
def test_reload_keeps_the_time_of_the_motion(page: Page) -> None:
    robot = sliding()
    # Unix times keep their fractions of a second.
    begin = 1.7e9
    motion = motion_of(assemble(robot), [[0.0], [1.0]], [begin, begin + 1.0])

    def data(name: str) -> bytes:
        shown = [Shown(robot=replace(robot, name=name))]
        return pages_data(shown, extras=Extras(live=True, motion=motion)).bytes

    with served(data("old")) as server:
        page.open(server.address)
        ready(page)
        call(page, "seek", begin + 0.25)
        assert call(page, "position", "slide") == pytest.approx(0.25, abs=1e-6)
        server.show(data("new"))
        page.wait("document.querySelector('h1').textContent === 'new'")
        assert text(page, ".player .time") == "1700000000.25 / 1700000001.00 s"
        assert call(page, "position", "slide") == pytest.approx(0.25, abs=1e-6)


@pytest.mark.slow
def test_reload_keeps_folded_branches_and_the_selection(page: Page, biped: str) -> None:
    robot = ub.load(biped)

    def data(name: str) -> bytes:
        return pages_data([Shown(robot=replace(robot, name=name))], extras=Extras(live=True)).bytes

    def folded() -> list[str]:
        found: list[str] = page.eval(
            "[...document.querySelectorAll('[role=treeitem][aria-expanded=false]')].map(row => row.title)"
        )
        return found

    with served(data("old")) as server:
        page.open(server.address)
        ready(page)
        for name in ("LLEG_HIP_R", "RARM_SHOULDER_P"):
            page.click(*page.middle(f"[role=treeitem][title={name}] > .twist"))
        call(page, "select", "NECK_Y")
        assert sorted(folded()) == ["LLEG_HIP_R", "RARM_SHOULDER_P"]
        hidden = page.eval("document.querySelectorAll('[role=treeitem][hidden]').length")
        assert hidden > 0
        server.show(data("new"))
        page.wait("document.querySelector('h1').textContent === 'new'")
        assert sorted(folded()) == ["LLEG_HIP_R", "RARM_SHOULDER_P"]
        assert page.eval("document.querySelectorAll('[role=treeitem][hidden]').length") == hidden
        assert page.eval("document.querySelector('[role=treeitem][aria-selected=true]').title") == "NECK_Y"
        # A hidden link that is selected is shown.
        call(page, "select", "RARM_ELBOW")
        assert folded() == ["LLEG_HIP_R"]


@pytest.mark.slow
def test_stopped_server_is_reported_quickly(page: Page) -> None:
    data = pages_data([Shown(robot=sliding())], extras=Extras(live=True)).bytes
    with served(data) as server:
        page.open(server.address)
        ready(page)
        # Wait until the page waits for news.
        time.sleep(0.5)
        begin = time.monotonic()
    page.wait("document.querySelector('.notice:not([hidden])')")
    assert "does not answer" in text(page, ".notice")
    assert time.monotonic() - begin < 2.5


def test_keys_respect_the_focus(page: Page, tmp_path: Path) -> None:
    show(page, tmp_path, ub.load(TESTS / "commands/models/four_bar.body"))
    closing = "document.querySelector('[data-keep=loops]')"
    assert page.eval(f"{closing}.checked")
    page.eval(f"{closing}.focus()")
    page.key(" ", 32, " ")
    assert not page.eval(f"{closing}.checked")
    # Escape closes a dialog first, wherever the focus is.
    page.key("?")
    chosen = call(page, "links")[1]
    call(page, "select", chosen)
    page.eval("document.querySelector('canvas').focus()")
    page.key("Escape", 27)
    assert not page.eval("document.querySelector('dialog.help').open")
    assert call(page, "selected") == chosen
    page.key("Escape", 27)
    assert call(page, "selected") is None


def test_excerpt_of_a_long_line(page: Page, tmp_path: Path) -> None:
    links = "".join(f"<link name='l{n}'/>" for n in range(60))
    joints = "".join(
        f"<joint name='j{n}' type='fixed'><parent link='l0'/><child link='l{n}'/></joint>"
        for n in range(1, 60)
    )
    model = tmp_path / "one.urdf"
    model.write_text(f"<robot name='one'>{links}{joints}</robot>")
    reading = ub.read(model)
    assert reading.robot is not None
    show_all(page, tmp_path, [Shown(robot=reading.robot, origin=Origin(file=str(model)))])
    for name in ("l0", "l40"):
        call(page, "select", name)
        mark: Any = page.eval("document.querySelector('.properties .excerpt mark').textContent")
        assert mark == f"<link name='{name}'/>", json.dumps(mark)
