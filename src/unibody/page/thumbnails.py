"""Small pictures of many robots, drawn by one browser."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from types import TracebackType

from unibody.page.chromium import BrowserError, Chromium, Page, find
from unibody.page.picture import NO_BROWSER, READY
from unibody.page.server import PageServer

#: Width and height in pixels.
SIZE = (320, 240)
# The scene is drawn larger and scaled down, which makes its edges smooth.
_SCALE = 0.5
# Of WebP: a few kilobytes for each picture, without visible blocks.
_QUALITY = 80
#: How pictures are drawn; it changes when others would come out.
MANNER = f"{SIZE[0]}x{SIZE[1]} at {_SCALE}, WebP {_QUALITY}"
# Longest time for one robot, in s.
_SECONDS = 60.0


class Thumbnails:
    """A browser that draws pages one after another; a context manager that ends it.

    The browser is started with the first picture, and again after a page at which it failed.
    """

    def __init__(self) -> None:
        self._server = PageServer(b"")
        self._stack = ExitStack()
        self._page: Page | None = None

    def __enter__(self) -> Thumbnails:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
        self._server.shutdown()
        self._server.server_close()

    def draw(self, data: bytes) -> bytes:
        """The initial view of a page with this data (``page_data``), as WebP; BrowserError if it fails."""
        page = self._page or self._started()
        self._server.show(data)
        try:
            page.open(self._server.address)
            page.wait(READY, _SECONDS)
            status = page.eval("window.unibody.status")
            if status == "ready":
                page.eval("window.unibody.bare()")
                return page.picture((0.0, 0.0, *_window()), quality=_QUALITY, scale=_SCALE)
        except BrowserError:
            self._page = None
            self._stack.close()
            raise
        raise BrowserError(f"the page shows nothing: {status}")

    def _started(self) -> Page:
        program = find()
        if program is None:
            raise BrowserError(NO_BROWSER)
        self._page = self._stack.enter_context(Chromium(program)).page(*_window())
        return self._page


def _window() -> tuple[int, int]:
    """The size of the scene as it is drawn, in pixels."""
    return round(SIZE[0] / _SCALE), round(SIZE[1] / _SCALE)
