"""A robot of 300,000 triangles: it is drawn, and the size of its page (for the time see bench/view.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.view import LINKS, TRIANGLES, first_picture, sizes, write_heavy
from tests.view.browsing import call
from tests.view.test_page import embedded
from tools.chromium import Page

from unibody.cli.main import main
from unibody.page.pack import unpack
from unibody.page.page import empty_page


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of links with one mesh file each."""
    return write_heavy(tmp_path_factory.mktemp("heavy"))


def triangles(header: dict[str, object]) -> int:
    meshes: list[dict[str, list[int]]] = header["meshes"]  # type: ignore[assignment]
    return sum(mesh["indices"][2] // 3 for mesh in meshes)


@pytest.mark.slow
def test_is_drawn(heavy: Path, page: Page) -> None:
    # Finishes within a minute even on a busy machine.
    first_picture(heavy, page)
    assert len(call(page, "links")) == LINKS


def test_page_is_slightly_larger_than_its_meshes(
    heavy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "heavy.html"
    assert main(["view", str(heavy), "--html", str(target)]) == 0
    capsys.readouterr()
    page = target.read_bytes()
    header, _ = unpack(embedded(page))
    assert triangles(header) > 0.95 * TRIANGLES
    _, meshes = sizes(heavy)
    assert len(page) <= 1.4 * meshes + len(empty_page())
