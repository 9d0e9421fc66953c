"""Pictures of a robot: the page, drawn by headless Chromium."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from unibody.page.chromium import BrowserError, Chromium, Page, find
from unibody.page.server import PageServer

Size = tuple[int, int]

#: Width and height of a picture in pixels, unless given.
USUAL: Size = (1200, 800)
#: Whether a page has been drawn, or has failed.
READY = "window.unibody && window.unibody.status !== 'loading'"
# How long a browser may draw an animation, in s.
_LONGEST = 900.0
#: Why there is no picture without a browser.
NO_BROWSER = (
    "a picture needs Chromium or Chrome, and none was found "
    "(Debian, Ubuntu: apt-get install chromium); the page itself can be written as HTML without it"
)


def picture(
    data: bytes,
    size: Size = USUAL,
    theme: Literal["light", "dark"] = "light",
    time: float | None = None,
) -> bytes:
    """The initial view of a page with this data (``page_data``), as PNG.

    A run is shown at a time in s, by default at its end. BrowserError if there is no browser, or if it
    draws nothing.
    """
    with _shown(data, size, theme) as page:
        at = json.dumps(time)
        # A motion is shown at its beginning unless a time is given.
        page.eval(f"window.unibody.seek({at} ?? window.unibody.span()?.[window.unibody.recorded ? 1 : 0])")
        page.eval("window.unibody.bare()")
        return page.picture()


def animation(
    data: bytes,
    size: Size,
    theme: Literal["light", "dark"] = "light",
    rate: float = 20.0,
    speed: float = 1.0,
) -> bytes:
    """The motion or run of a page as an animated GIF with ``rate`` frames per second.

    BrowserError if there is no browser, or nothing that moves.
    """
    with _shown(data, size, theme) as page:
        if page.eval("window.unibody.span()") is None:
            raise BrowserError("an animated picture needs a motion or a recorded run")
        page.eval("window.unibody.bare()")
        # Drawing takes longer than one answer of the browser may take.
        asked = f"window.unibody.gif({size[0]}, {size[1]}, {rate}, {speed})"
        keep = "text => { window.unibodyGif = text; }"
        page.eval(f"void {asked}.then({keep}, error => {{ window.unibodyGif = 'error: ' + error; }})")
        page.wait("window.unibodyGif", _LONGEST)
        text = str(page.eval("window.unibodyGif"))
        if text.startswith("error: "):
            raise BrowserError(text.removeprefix("error: "))
        return base64.b64decode(text)


@contextmanager
def _shown(data: bytes, size: Size, theme: Literal["light", "dark"]) -> Iterator[Page]:
    """The page in a browser, ready."""
    program = find()
    if program is None:
        raise BrowserError(NO_BROWSER)
    # A sandboxed browser may not read every file, but it may connect to this machine.
    with PageServer(data) as server, Chromium(program) as browser:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            page = browser.page(*size, dark=theme == "dark")
            page.open(server.address)
            page.wait(READY, 120.0)
            status = page.eval("window.unibody.status")
            if status != "ready":
                raise BrowserError(f"the page shows nothing: {status}")
            yield page
        finally:
            server.shutdown()
            thread.join()
