"""Helpers of the browser tests: open a page, query it, read its pixels."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.view.png import pixels
from tools.chromium import Page, path_address

from unibody.model.robot import Robot
from unibody.page.data import Extras, Origin, Shown, pages_data
from unibody.page.page import filled_page
from unibody.page.server import PageServer
from unibody.text.finding import Finding

TESTS = Path(__file__).resolve().parents[1]
# The part of the window between the panels, above the toolbar (x, y, width, height in pixels).
STAGE = (281.0, 0.0, 650.0, 740.0)
# A warning caused by the driver: screenshots read pixels back.
SCREENSHOT_WARNING = "GPU stall due to ReadPixels"


def show(
    page: Page,
    folder: Path,
    robot: Robot,
    findings: Sequence[Finding] = (),
    extras: Extras | None = None,
) -> None:
    """Write the page of a robot to a file, open it, and wait for the first frame."""
    show_all(page, folder, [Shown(robot=robot, findings=findings, origin=Origin(file="r.urdf"))], extras)


def show_all(page: Page, folder: Path, shown: Sequence[Shown], extras: Extras | None = None) -> None:
    """Write the page of one or two robots to a file, open it, and wait for the first frame."""
    file = folder / "page.html"
    file.write_bytes(filled_page(pages_data(shown, extras=extras).bytes))
    page.open(path_address(file))
    ready(page)


@contextmanager
def served(data: bytes) -> Iterator[PageServer]:
    """Run a server in a thread."""
    with PageServer(data) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ready(page: Page) -> None:
    page.wait("window.unibody && window.unibody.status !== 'loading'")
    assert page.eval("window.unibody.status") == "ready"


def call(page: Page, method: str, *arguments: Any) -> Any:
    return page.eval(f"window.unibody.{method}({', '.join(map(json.dumps, arguments))})")


def poses(page: Page, robot: str = "unibody") -> NDArray[np.float64]:
    """The drawn poses of all links, (n_links, 4, 4)."""
    page.settle()
    found = page.eval(f"window.{robot}.links().map(name => window.{robot}.linkPose(name))")
    return np.array(found).reshape(-1, 4, 4)


def near(page: Page, link: str, x: float, y: float) -> bool:
    """Whether a link is drawn at or next to a point of the window."""
    steps = (0, -6, 6)
    return any(call(page, "linkAt", x + dx, y + dy) == link for dx, dy in product(steps, steps))


def stage(page: Page) -> NDArray[np.float64]:
    """The pixels of the scene as it stays, (height, width, 3)."""
    page.settle()
    page.eval("window.unibody?.rest?.()")
    return pixels(page.picture(STAGE, quick=True)).astype(float)


def complaints(page: Page) -> list[str]:
    return [text for text in page.complaints() if SCREENSHOT_WARNING not in text]


def focus(page: Page, selector: str) -> None:
    page.eval(f"document.querySelector({json.dumps(selector)}).focus()")


def slider(joint: str) -> str:
    return f'input[type=range][data-joint="{joint}"]'


def field(joint: str) -> str:
    return f'input.value[data-joint="{joint}"]'


def text(page: Page, selector: str) -> str:
    found: str = page.eval(f"document.querySelector({json.dumps(selector)}).innerText")
    return found


def texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.eval(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)"
    )
    return found


def press(page: Page, selector: str) -> None:
    page.click(*page.middle(selector))
    page.settle()
