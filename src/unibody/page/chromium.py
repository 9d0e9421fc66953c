"""Headless Chromium, driven through its DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from types import TracebackType
from typing import Any, TypeVar

Data = dict[str, Any]
_C = TypeVar("_C", bound="Chromium")
_P = TypeVar("_P", bound="Page")

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# WebGL falls back to software rendering, so graphics must not be switched off.
_OPTIONS = (
    "--headless=new",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
)
# The browser reads commands from descriptor 3 and answers on 4; they may be swapped here.
_START = """\
import fcntl, os, sys
ends = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
_SECONDS = 60.0


class BrowserError(Exception):
    """The browser is missing, or failed."""


class AnswerError(BrowserError):
    """Chromium answered a command with an error, such as of a page that another one replaces."""


def find() -> str | None:
    """The path of a Chromium, or None; on Windows there is no pipe to drive it."""
    if sys.platform == "win32":
        return None
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser with a temporary profile; a context manager that closes both."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="unibody-chromium-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # Chromium refuses to start in its sandbox as root.
        cage = ("--no-sandbox",) if os.geteuid() == 0 else ()
        words = [program, *_OPTIONS, *cage, f"--user-data-dir={self._profile.name}", "about:blank"]
        # The home folder may be read-only, or contain settings that change the page.
        environment = {**os.environ, "HOME": self._profile.name, "TZ": "UTC", "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", _START, str(to_browser), str(from_browser), *words],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = bytearray()
        self._count = 0
        self.events: list[Data] = []

    def __enter__(self: _C) -> _C:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the browser and delete its profile."""
        try:
            self.call("Browser.close")
        except (BrowserError, OSError):
            self._process.kill()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def page(self, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """A new empty page of a size in pixels."""
        return self.new_page(Page, (width, height), dark)

    def new_page(self, kind: type[_P], size: tuple[int, int], dark: bool) -> _P:
        """A new empty page as an object of this class."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = kind(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=False,
        )
        page.dark(dark)
        return page

    def call(self, method: str, session: str | None = None, **params: Any) -> Data:
        """Send a command and wait for its answer; events in between are stored."""
        self._count += 1
        message: Data = {"id": self._count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._send(json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + _SECONDS
        while True:
            answer = self._receive(deadline)
            if answer.get("id") != message["id"]:
                self.events.append(answer)
            elif "error" in answer:
                raise AnswerError(f"{method}: {answer['error'].get('message')}")
            else:
                result: Data = answer["result"]
                return result

    def listen(self, seconds: float) -> None:
        """Receive events for some time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.events.append(self._receive(deadline))
            except BrowserError:
                return

    def _send(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._write, data) :]
        except BrokenPipeError:
            raise BrowserError("Chromium has exited") from None

    def _receive(self, deadline: float) -> Data:
        while (end := self._buffer.find(0)) < 0:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise BrowserError("Chromium does not respond")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise BrowserError("Chromium has exited")
            self._buffer += data
        message: Data = json.loads(self._buffer[:end])
        del self._buffer[: end + 1]
        return message


class Page:
    """One page of a browser."""

    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self.browser, self.session, self._target = browser, session, target

    def call(self, method: str, **params: Any) -> Data:
        """Send a command to this page."""
        return self.browser.call(method, self.session, **params)

    def close(self) -> None:
        """Close the page."""
        self.browser.call("Target.closeTarget", targetId=self._target)

    def open(self, address: str) -> None:
        """Load an address; BrowserError if it fails."""
        error = self.call("Page.navigate", url=address).get("errorText")
        if error:
            raise BrowserError(f"{address}: {error}")
        self.wait("document.readyState === 'complete'")

    def eval(self, expression: str) -> Any:
        """The value of an expression in the page, awaited if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 30.0) -> None:
        """Wait until an expression is true, also of a page that is being loaded."""
        deadline = time.monotonic() + seconds
        while not self._holds(expression):
            if time.monotonic() > deadline:
                raise BrowserError(f"not true within {seconds} s: {expression}")
            time.sleep(0.02)

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.eval(f"!!({expression})"))
        except AnswerError:  # its result was on the way when the page changed
            return False

    def settle(self) -> None:
        """Wait until the page has been drawn."""
        self.eval(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )

    def dark(self, on: bool) -> None:
        """Emulate the preference for dark or light pages."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(
        self,
        clip: tuple[float, float, float, float] | None = None,
        quick: bool = False,
        quality: int | None = None,
        scale: float = 1.0,
    ) -> bytes:
        """A screenshot as PNG, of a part (x, y, width, height) if given; ``quick`` compresses less.

        With a ``quality`` from 0 to 100 it is a WebP picture. The picture of a part is ``scale`` times as
        large.
        """
        self.settle()
        params: Data = {"format": "png", "optimizeForSpeed": quick}
        if quality is not None:
            params |= {"format": "webp", "quality": quality}
        if clip is not None:
            params["clip"] = dict(zip(("x", "y", "width", "height"), clip, strict=True), scale=scale)
        return base64.b64decode(self.call("Page.captureScreenshot", **params)["data"])
