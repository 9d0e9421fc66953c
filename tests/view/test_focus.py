"""What is looked at, in a browser: zoom, hide, isolate, fade, labels, projection, sizes; undo, address."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.view.browsing import call, complaints, press, ready, show, stage, texts
from tests.view.test_history import combine, undo
from tests.view.test_interaction import on
from tools.chromium import Page

from unibody.model.robot import Joint, Link, Robot
from unibody.model.shape import Box, Material, Shape

SHIFT = 8


def cubes() -> Robot:
    """A red cube before a larger blue one, beside a green one that is far away."""

    def cube(name: str, size: float, color: tuple[float, float, float]) -> Link:
        look = Material(diffuse=color)
        return Link(name=name, visuals=(Shape(geometry=Box(size=(size, size, size)), material=look),))

    links = (cube("blue", 0.4, (0, 0, 1)), cube("red", 0.2, (1, 0, 0)), cube("green", 0.2, (0, 1, 0)))
    rails = tuple(
        Joint(name=name, kind="prismatic", parent="blue", child=name, axis=axis)
        for name, axis in (("red", (1.0, 0.0, 0.0)), ("green", (0.0, 1.0, 0.0)))
    )
    return Robot(name="cubes", links=links, joints=rails, base="fixed")


def pixels(page: Page) -> dict[str, int]:
    """How many pixels of the scene are red, green and blue."""
    picture = stage(page)
    out = {}
    for k, name in enumerate(("red", "green", "blue")):
        others = np.delete(picture, k, axis=2).max(axis=2)
        out[name] = int((picture[..., k] > 1.6 * others + 30).sum())
    return out


def opened(page: Page, folder: Path) -> None:
    show(page, folder, cubes())
    call(page, "move", "red", 0.6)
    call(page, "move", "green", 0.7)
    call(page, "show", "grid", False)
    call(page, "look", 1, 0, 0)


@pytest.mark.slow
def test_links_are_hidden_isolated_and_faded(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    x, y = on(page, "red")
    first = pixels(page)
    assert min(first.values()) > 500
    # with the selection as it is the red of the cube turns blue
    call(page, "select", "red")
    page.key("h", 72, "h")
    call(page, "select", None)
    hidden = pixels(page)
    assert hidden["red"] < 50
    assert hidden["blue"] > first["blue"] + 500
    assert call(page, "linkAt", x, y) == "blue"
    assert "hidden=red" in call(page, "address")
    undo(page)
    undo(page)
    assert call(page, "linkAt", x, y) == "red"
    call(page, "select", "green")
    combine(page, "I", 73, SHIFT)
    call(page, "select", None)
    alone = pixels(page)
    assert alone["red"] < 50
    assert alone["blue"] < 50
    assert alone["green"] > 500
    address = call(page, "address")
    page.open("about:blank")
    page.open(address)
    ready(page)
    assert pixels(page)["red"] < 50
    combine(page, "H", 72, SHIFT)
    assert pixels(page) == pytest.approx(first, abs=50)
    call(page, "select", "red")
    page.key("b", 66, "b")
    call(page, "select", None)
    # what is behind a faded link shines through
    assert pixels(page)["red"] < first["red"] / 2
    assert call(page, "linkAt", x, y) == "red"
    assert complaints(page) == []


def test_zoom_to_the_selection(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    first = pixels(page)
    eye = call(page, "eye")
    x, y = on(page, "green")
    for count in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)
    page.settle()
    assert call(page, "selected") == "green"
    call(page, "select", None)
    zoomed = pixels(page)
    assert zoomed["green"] > 4 * first["green"]
    assert zoomed["red"] < 50
    assert page.eval("unibody.eye()[4]") == pytest.approx(0.7, abs=1e-6)
    call(page, "select", "red")
    page.key(".", 190, ".")
    assert page.eval("unibody.eye()[4]") == pytest.approx(0.0, abs=1e-6)
    for _ in range(4):
        undo(page)
    assert call(page, "eye") == pytest.approx(eye, abs=1e-9)
    assert complaints(page) == []


@pytest.mark.slow
def test_orthographic_view_labels_and_sizes(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    # equal cubes have equal pictures, whatever their distance
    call(page, "move", "green", -0.5)
    call(page, "look", 1, 0.001, 0)
    perspective = pixels(page)
    assert perspective["red"] > 1.2 * perspective["green"]
    combine(page, "O", 79, SHIFT)
    parallel = pixels(page)
    assert parallel["red"] == pytest.approx(parallel["green"], rel=0.06)
    x, y = on(page, "green")
    assert call(page, "linkAt", x, y) == "green"
    page.key("n", 78, "n")
    names = "[...document.querySelectorAll('.labels .label')].filter(e => e.style.visibility === '')"
    stage(page)
    assert set(page.eval(f"{names}.map(e => e.textContent)")) >= {"red", "green"}
    inside = page.eval(
        f"{names}.map(e => [e.textContent, e.getBoundingClientRect()])"
        ".map(([n, b]) => [n, unibody.linkAt(b.x + b.width / 2, b.y + b.height / 2)])"
    )
    assert ["green", "green"] in inside
    assert ["red", "red"] in inside
    page.key("n", 78, "n")
    page.key("f", 70, "f")
    call(page, "look", 1, 0.6, 0.4)
    usual = stage(page)
    press(page, "[data-open=view]")
    press(page, ".sheet.view [aria-label='Size of frames'] [data-choice='4']")
    press(page, ".sheet.view .close")
    assert np.abs(stage(page) - usual).sum(axis=2).astype(bool).sum() > 1000
    page.key("#", 51, "#")
    plain = stage(page)
    press(page, "[data-open=view]")
    press(page, ".sheet.view [aria-label='Cells of the grid'] [data-choice='1']")
    press(page, ".sheet.view .close")
    assert np.abs(stage(page) - plain).sum(axis=2).astype(bool).sum() > 1000
    address = call(page, "address")
    for part in ("lens=orthographic", "sizes=4,1"):
        assert part in address
    page.open("about:blank")
    page.open(address)
    ready(page)
    for part in ("lens=orthographic", "sizes=4,1", "layers="):
        assert part in call(page, "address")
    assert texts(page, ".sheet.view [aria-pressed=true]") == ["Orthographic", "× 4", "1 m"]
    assert complaints(page) == []
