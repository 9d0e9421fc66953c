"""The catalogue in a browser: search, filters, order, the pane of a robot, keys; pictures are drawn."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.catalogue.test_catalogue import HOSTILE, entry, finding, folder, index, robots
from tests.view.browsing import complaints
from tools.chromium import Chromium, Page, path_address

from unibody.catalogue import Entry, catalogue_page

__all__ = ["folder"]

ENTRIES = [
    entry("arm 10", "a/arm10.urdf", mass=3.0, joints=6),
    entry("Arm 9", "b/arm9.body", format="Choreonoid Body", mass=None, findings=[finding("error")]),
    entry("leg", "b/leg.body", format="Choreonoid Body", mass=2.0, findings=[finding()] * 60),
    entry(HOSTILE, f"b/{HOSTILE}.urdf", findings=[finding(message=HOSTILE)]),
]


def shown(page: Page) -> list[str]:
    """The names in the table."""
    names: list[str] = page.eval(
        "[...document.querySelectorAll('tbody .name button')].map(b => b.textContent)"
    )
    return names


def choose(page: Page, selector: str, value: str, event: str) -> None:
    page.eval(
        f"(e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event({json.dumps(event)})); }})"
        f"(document.querySelector({json.dumps(selector)}))"
    )


@pytest.fixture
def catalogue(page: Page, tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "catalogue.html"
    file.write_bytes(catalogue_page(ENTRIES, {}, {"a/arm10.urdf": "catalogue_files/arm.html"}))
    page.open(path_address(file))
    yield page
    assert complaints(page) == []
    assert all(url.startswith(("file:///", "data:")) for url in page.requests())


def test_names_are_texts(catalogue: Page) -> None:
    name = HOSTILE.replace("\ud800", "\ufffd")
    assert shown(catalogue)[0].encode("utf-16", "replace") == HOSTILE.encode("utf-16", "replace") or (
        name in shown(catalogue)
    )
    assert catalogue.eval("document.querySelectorAll('#app script').length") == 0


def test_search(catalogue: Page) -> None:
    catalogue.eval("document.querySelector('input').focus()")
    catalogue.call("Input.insertText", text="arm b/")
    assert shown(catalogue) == ["Arm 9"]
    assert catalogue.eval("document.querySelector('.count').textContent") == "1 of 4"
    choose(catalogue, "input", "", "input")
    assert len(shown(catalogue)) == 4


def test_filters(catalogue: Page) -> None:
    choose(catalogue, "[aria-label=Format]", "Choreonoid Body", "change")
    assert shown(catalogue) == ["Arm 9", "leg"]
    choose(catalogue, "[aria-label=Findings]", "errors", "change")
    assert shown(catalogue) == ["Arm 9"]


def test_order(catalogue: Page) -> None:
    catalogue.click(*catalogue.middle("thead .mass button"))
    assert [name for name in shown(catalogue) if name != HOSTILE][-1] == "Arm 9"
    assert shown(catalogue)[0] == "arm 10"
    assert catalogue.eval("document.querySelector('thead .mass').ariaSort") == "descending"
    catalogue.click(*catalogue.middle("thead .mass button"))
    assert shown(catalogue)[-2:] == ["arm 10", "Arm 9"]
    assert catalogue.eval("document.querySelectorAll('[aria-sort]:not([aria-sort=none])').length") == 1


def pane(page: Page) -> str:
    text: str = page.eval(
        "document.querySelector('aside').hidden ? '' : document.querySelector('aside').innerText"
    )
    return text


def test_a_click_opens_the_pane(catalogue: Page) -> None:
    assert pane(catalogue) == ""
    choose(catalogue, "input", "leg", "input")
    catalogue.click(*catalogue.middle("tbody td.format"))
    text = pane(catalogue)
    assert "unibody view b/leg.body" in text
    assert "arm.urdf:2:3 · mass-zero" in text
    assert "and 20 more" in text


def test_the_page_of_a_robot_is_linked(catalogue: Page) -> None:
    choose(catalogue, "input", "arm10", "input")
    catalogue.click(*catalogue.middle("tbody button"))
    href = catalogue.eval("document.querySelector('aside a').href")
    assert href.startswith("file:///")
    assert href.endswith("/catalogue_files/arm.html")


def test_keys(catalogue: Page) -> None:
    catalogue.key("/", 191)
    assert catalogue.eval("document.activeElement.matches('input')")
    catalogue.key("ArrowDown", 40)
    catalogue.key("ArrowDown", 40)
    focused = catalogue.eval("document.activeElement.textContent")
    assert focused == shown(catalogue)[1]
    catalogue.key("Enter", 13, "\r")
    assert focused in pane(catalogue)
    assert catalogue.eval("document.activeElement.getAttribute('aria-expanded')") == "true"
    catalogue.key("Escape", 27)
    assert pane(catalogue) == ""
    assert catalogue.eval("document.activeElement.textContent") == focused


def test_only_the_table_scrolls(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "catalogue.html"
    entries = [entry(f"arm {n}", f"robots/arms/{n}.urdf", findings=[finding()]) for n in range(100)]
    file.write_bytes(catalogue_page(entries, {}, {}))
    page.open(path_address(file))
    assert page.eval("document.documentElement.scrollHeight <= innerHeight")
    assert page.eval("(main => main.scrollHeight > main.clientHeight)(document.querySelector('main'))")
    assert page.eval("document.querySelector('h1').textContent") == "Robots in robots/arms/"
    assert page.eval("document.querySelector('.path').textContent") == "0.urdf"


def test_the_address_names_the_robot(catalogue: Page) -> None:
    choose(catalogue, "input", "leg", "input")
    catalogue.click(*catalogue.middle("tbody button"))
    assert catalogue.eval("location.hash") == "#b%2Fleg.body"
    catalogue.eval("location.hash = 'a%2Farm10.urdf'")
    catalogue.wait("document.querySelector('aside h2').textContent === 'arm 10'")


@pytest.mark.slow
def test_large_catalogues_open_quickly(page: Page, tmp_path: Path) -> None:
    entries: list[Entry] = [
        entry(f"robot {n}", f"robots/{n}.urdf", findings=[finding()] * (n % 30)) for n in range(1000)
    ]
    # Pictures of the usual size; their content does not matter.
    pictures = {one.path: bytes(range(256)) * 24 for one in entries}
    file = tmp_path / "catalogue.html"
    file.write_bytes(catalogue_page(entries, pictures, {}))
    assert file.stat().st_size < 15e6
    start = time.perf_counter()
    page.open(path_address(file))
    page.wait("document.querySelectorAll('tbody tr').length === 1000")
    page.settle()
    # A browser on a loaded machine; one robot takes 0.4 ms.
    assert time.perf_counter() - start < 6.0


@pytest.mark.slow
def test_pictures_are_drawn_once(
    chromium: Chromium, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for drawn in (1, 0):
        assert index("--html", "out.html", "--overwrite") == 0
        out, err = capsys.readouterr()
        assert f"1 picture ({drawn} drawn)" in out
        assert err == ""
    arm, _ = robots((folder / "out.html").read_bytes())
    assert arm["picture"].startswith("data:image/webp;base64,UklGR")
    assert len(arm["picture"]) < 20_000


@pytest.mark.slow
def test_pictures_change_with_the_content(
    chromium: Chromium, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def picture() -> Any:
        assert index("--html", "out.html", "--overwrite") == 0
        return robots((folder / "out.html").read_bytes())[0]["picture"]

    before = picture()
    box = '<link name="arm"><visual><geometry><box size="1 1 1"/></geometry></visual>'
    model = folder / "robots" / "arm.urdf"
    model.write_text(model.read_text("utf-8").replace('<link name="arm">', box), "utf-8")
    assert picture() != before
