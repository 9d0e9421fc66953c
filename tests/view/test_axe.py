"""axe-core finds nothing on the page: panels, cards and dialogs, light and dark, wide and on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.view.browsing import TESTS, call, ready
from tools.chromium import Chromium, Page

from unibody.cli.main import main

pytestmark = pytest.mark.slow

AXE = TESTS.parent / "viewer/node_modules/axe-core/axe.min.js"
FOUND = """axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(
  ({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html.slice(0, 120))]))"""
# What is opened one after the other; what was open stays or is closed by the next one.
WIDE = (
    "",
    "layer.inertia",
    "layer.labels",
    "layer.pairs",
    "pairs",
    "pairs",
    "drag",
    "measure",
    "view",
    "clear",
    "pose.text",
    "clear",
    "help",
    "clear",
    "fold.left",
    "fold.right",
)
PHONE = ("", "drawer.left", "drawer.right", "drawer.cards")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory, biped: str) -> Path:
    """The page of the biped with a motion."""
    folder = tmp_path_factory.mktemp("axe")
    motion = folder / "m.csv"
    motion.write_text("time,CHEST\n0,0\n1,0.4\n", encoding="utf-8")
    words = ["--motion", str(motion), "--html", str(folder / "page.html")]
    assert main(["view", biped, *words]) == 0
    return folder / "page.html"


def opened(page: Page, file: Path) -> None:
    # axe-core is a script of its own, which the page's policy does not allow.
    page.call("Page.setBypassCSP", enabled=True)
    page.open(file.as_uri())
    ready(page)
    page.eval(f"{AXE.read_text(encoding='utf-8')}; 0")


def violations(page: Page, commands: tuple[str, ...]) -> list[object]:
    """What axe-core finds after each command."""
    found: list[object] = []
    call(page, "select", "CHEST")
    for command in commands:
        if command:
            call(page, "run", command)
        page.settle()
        found += [(command, each) for each in page.eval(FOUND)]
    return found


@pytest.mark.skipif(not AXE.exists(), reason="`make viewer` installs axe-core")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_wide(chromium: Chromium, page_file: Path, dark: bool) -> None:
    page = chromium.page(1366, 768, dark=dark)
    opened(page, page_file)
    assert violations(page, WIDE) == []
    page.close()


@pytest.mark.skipif(not AXE.exists(), reason="`make viewer` installs axe-core")
def test_phone(chromium: Chromium, page_file: Path) -> None:
    page = chromium.page(390, 844)
    opened(page, page_file)
    assert violations(page, PHONE) == []
    page.close()
