"""The page of a robot of 300,000 triangles: time to the first frame, and size of the file."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
from bench._row import Row

from unibody.page.chromium import Chromium, Page, find
from unibody.page.pack import unpack
from unibody.page.page import empty_page, filled_page

LINKS, TRIANGLES = 30, 300_000
ROUNDS = 5
#: JavaScript: whether the first frame is drawn, and the seconds it took to draw.
DRAWN = "window.unibody && window.unibody.first && window.unibody.first.at > 0"
SPENT = "window.unibody.first.spent / 1000"
HANG = 60.0


def ball(triangles: int, seed: int) -> bytes:
    """A sphere with noise as a binary STL file."""
    rows = int((triangles / 2) ** 0.5) + 1
    u, v = np.meshgrid(np.linspace(0, np.pi, rows), np.linspace(0, 2 * np.pi, rows), indexing="ij")
    bumps = 1.0 + 0.01 * np.random.default_rng(seed).standard_normal(u.shape)
    points = 0.1 * np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1)
    points = (points * bumps[..., None]).astype(np.float32)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    corners = [np.stack(three, 2).reshape(-1, 3, 3) for three in ((a, b, c), (a, c, d))]
    faces = np.concatenate(corners)[:triangles]
    data = np.zeros(len(faces), np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))
    data["v"] = faces
    return bytes(80) + np.uint32(len(faces)).tobytes() + data.tobytes()


def write_heavy(folder: Path) -> Path:
    """Write the URDF of a chain of links with one mesh file each."""
    text = "<robot name='heavy'>"
    for n in range(LINKS):
        (folder / f"l{n}.stl").write_bytes(ball(TRIANGLES // LINKS, n))
        mesh = f"<visual><geometry><mesh filename='l{n}.stl'/></geometry></visual>"
        text += f"<link name='l{n}'>{mesh}</link>"
        if n:
            text += (
                f"<joint name='j{n}' type='continuous'><parent link='l{n - 1}'/><child link='l{n}'/>"
                "<origin xyz='0 0 0.15'/><axis xyz='1 0 0'/></joint>"
            )
    path = folder / "heavy.urdf"
    path.write_text(text + "</robot>")
    return path


def first_picture(path: Path, page: Page) -> float:
    """Seconds from the start of the command to the first frame, without the time to draw it.

    The browser is already running. The drawing time is excluded because it depends on the GPU.
    """
    begin = time.perf_counter()
    words = [sys.executable, "-m", "unibody", "view", str(path), "--no-browser"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            if not found:
                raise RuntimeError("unibody view printed no address")
            page.call("Page.navigate", url=found[0])
            page.wait(DRAWN, HANG)
            drawn = float(page.eval(SPENT))
            return time.perf_counter() - begin - drawn
        finally:
            process.kill()


def sizes(path: Path) -> tuple[int, int]:
    """Size of the page beyond the empty page, and of its deflated mesh data, in bytes."""
    from unibody.formats.loader import read
    from unibody.page.data import page_data

    robot = read(path).robot
    if robot is None:
        raise RuntimeError(f"{path} cannot be read")
    data = page_data(robot).bytes
    return len(filled_page(data)) - len(empty_page()), len(zlib.compress(unpack(data)[1], 9))


def run() -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = write_heavy(Path(folder))
        program = find()
        if program is None:
            print("view: first frame not measured: Chromium is not installed", flush=True)
        else:
            with Chromium(program) as browser:
                seconds = statistics.median(first_picture(path, browser.page()) for _ in range(ROUNDS))
            rows.append(Row("view, 300,000 triangles: first frame", seconds, {}, "< 3 s", "s"))
        page, meshes = (size / 1e6 for size in sizes(path))
    rows.append(
        Row("view --html, beyond the empty page", page, {"meshes deflated": meshes}, "<= 1.4 x", "MB")
    )
    return rows
