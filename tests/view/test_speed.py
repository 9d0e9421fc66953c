"""A robot of 300,000 triangles: how soon it is seen, and how large its page is."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from tools.chromium import Page

from unibody.cli.main import main
from unibody.view.pack import unpack
from unibody.view.page import empty_page

LINKS, TRIANGLES = 30, 300_000
LIMIT = 3.0


def ball(triangles: int, seed: int) -> bytes:
    """A bumpy ball as a binary STL file."""
    rows = int((triangles / 2) ** 0.5) + 1
    u, v = np.meshgrid(np.linspace(0, np.pi, rows), np.linspace(0, 2 * np.pi, rows), indexing="ij")
    bumps = 1.0 + 0.01 * np.random.default_rng(seed).standard_normal(u.shape)
    points = 0.1 * np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1)
    points = (points * bumps[..., None]).astype(np.float32)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    faces = np.concatenate(
        [np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)]
    )
    faces = faces[:triangles]
    data = np.zeros(len(faces), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    data["v"] = faces
    return bytes(80) + np.uint32(len(faces)).tobytes() + data.tobytes()


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of links with a mesh file each."""
    folder = tmp_path_factory.mktemp("heavy")
    text = "<robot name='heavy'>"
    for n in range(LINKS):
        (folder / f"l{n}.stl").write_bytes(ball(TRIANGLES // LINKS, n))
        text += (
            f"<link name='l{n}'><visual><geometry><mesh filename='l{n}.stl'/></geometry></visual></link>"
        )
        if n:
            text += (
                f"<joint name='j{n}' type='continuous'><parent link='l{n - 1}'/><child link='l{n}'/>"
                "<origin xyz='0 0 0.15'/><axis xyz='1 0 0'/></joint>"
            )
    (folder / "heavy.urdf").write_text(text + "</robot>")
    return folder / "heavy.urdf"


def triangles(header: dict[str, object]) -> int:
    meshes: list[dict[str, list[int]]] = header["meshes"]  # type: ignore[assignment]
    return sum(mesh["indices"][2] // 3 for mesh in meshes)


def test_it_is_seen_soon(heavy: Path, page: Page) -> None:
    """From the start of the command to the page's first picture, less the time that drawing it took.

    The browser is running already; drawing is in software here. Other work on the machine only adds to
    the time, so the best of three counts.
    """
    spent = []
    for _ in range(3):
        begin = time.perf_counter()
        words = [sys.executable, "-m", "unibody", "view", str(heavy), "--no-browser"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found
                page.call("Page.navigate", url=found[0])
                page.wait("window.unibody && window.unibody.first && window.unibody.first.at > 0", 60.0)
                drawn = page.eval("window.unibody.first.spent") / 1000.0
                spent.append(time.perf_counter() - begin - drawn)
            finally:
                process.kill()
        if min(spent) < LIMIT:
            break
    assert min(spent) < LIMIT


def test_its_page_is_little_more_than_its_meshes(
    heavy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.view.test_page import embedded

    target = tmp_path / "heavy.html"
    assert main(["view", str(heavy), "--html", str(target)]) == 0
    capsys.readouterr()
    page = target.read_bytes()
    header, arrays = unpack(embedded(page))
    assert triangles(header) > 0.95 * TRIANGLES
    assert len(page) <= 1.4 * len(zlib.compress(arrays, 9)) + len(empty_page())
