"""Pictures of a robot: the page, drawn by headless Chromium."""

from __future__ import annotations

import threading
from typing import Literal

from unibody.page.chromium import BrowserError, Chromium, find
from unibody.page.server import PageServer

Size = tuple[int, int]

#: Width and height of a picture in pixels, unless given.
USUAL: Size = (1200, 800)
_READY = "window.unibody && window.unibody.status !== 'loading'"
_NONE = (
    "a picture needs Chromium or Chrome, and none was found "
    "(Debian, Ubuntu: apt-get install chromium); the page itself can be written as HTML without it"
)


def picture(data: bytes, size: Size = USUAL, theme: Literal["light", "dark"] = "light") -> bytes:
    """The initial view of a page with this data (``page_data``), as PNG.

    BrowserError if there is no browser, or if it draws nothing.
    """
    program = find()
    if program is None:
        raise BrowserError(_NONE)
    # A sandboxed browser may not read every file, but it may connect to this machine.
    with PageServer(data) as server, Chromium(program) as browser:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            page = browser.page(*size, dark=theme == "dark")
            page.open(server.address)
            page.wait(_READY, 120.0)
            status = page.eval("window.unibody.status")
            if status != "ready":
                raise BrowserError(f"the page shows nothing: {status}")
            page.eval("window.unibody.bare()")
            return page.picture()
        finally:
            server.shutdown()
            thread.join()
