"""Chromium without a window, driven through its DevTools protocol over a pipe: nothing to install besides.

The tests of the page and the pictures of the documentation use it.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

Data = dict[str, Any]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# WebGL runs in software here, so nothing may switch the graphics off.
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
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
_SECONDS = 60.0


class BrowserError(Exception):
    """The browser did not do what it was asked for."""


def find() -> str | None:
    """The path of a Chromium, or None."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser with a profile of its own; ``with`` ends both."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="unibody-chromium-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        words = [program, *_OPTIONS, f"--user-data-dir={self._profile.name}", "about:blank"]
        # The browser reads commands at descriptor 3 and answers at 4.
        script = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        # A folder of the user's own may be read-only, or hold settings that change what is seen.
        environment = {**os.environ, "HOME": self._profile.name, "TZ": "UTC", "LANG": "C.UTF-8"}
        self._process = subprocess.Popen(
            ["bash", "-c", script, *words],
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

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and forget its profile."""
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
        """A new empty page of this size in pixels."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        page.dark(dark)
        return page

    def call(self, method: str, session: str | None = None, **params: Any) -> Data:
        """Send a command and wait for its answer; events on the way are kept."""
        self._count += 1
        message: Data = {"id": self._count, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        deadline = time.monotonic() + _SECONDS
        while True:
            answer = self._receive(deadline)
            if answer.get("id") != message["id"]:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError(f"{method}: {answer['error'].get('message')}")
            else:
                result: Data = answer["result"]
                return result

    def listen(self, seconds: float) -> None:
        """Take in events for a while."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.events.append(self._receive(deadline))
            except BrowserError:
                return

    def _receive(self, deadline: float) -> Data:
        while (end := self._buffer.find(0)) < 0:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            data = os.read(self._read, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            self._buffer += data
        message: Data = json.loads(self._buffer[:end])
        del self._buffer[: end + 1]
        return message


class Page:
    """One page of the browser: open, ask, press, look."""

    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self.browser, self._session, self._target = browser, session, target

    def call(self, method: str, **params: Any) -> Data:
        """A command for this page."""
        return self.browser.call(method, self._session, **params)

    def close(self) -> None:
        """Close the page."""
        self.browser.call("Target.closeTarget", targetId=self._target)

    def open(self, address: str) -> None:
        """Load an address; BrowserError when nothing comes."""
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
        """Wait until an expression is true."""
        deadline = time.monotonic() + seconds
        while not self.eval(f"!!({expression})"):
            if time.monotonic() > deadline:
                raise BrowserError(f"not in {seconds} s: {expression}")
            time.sleep(0.02)

    def settle(self) -> None:
        """Wait until what was asked for is drawn."""
        self.eval(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        )

    def dark(self, on: bool) -> None:
        """Be read by somebody who prefers dark pages, or light ones."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, clip: tuple[float, float, float, float] | None = None, quick: bool = False) -> bytes:
        """What is seen, as PNG; of a part (x, y, width, height) if given; quick ones are larger."""
        self.settle()
        params: Data = {"format": "png", "optimizeForSpeed": quick}
        if clip is not None:
            params["clip"] = dict(zip(("x", "y", "width", "height"), clip, strict=True), scale=1)
        return base64.b64decode(self.call("Page.captureScreenshot", **params)["data"])

    def mouse(self, kind: str, x: float, y: float, held: bool = False) -> None:
        """An event of the mouse: mouseMoved, mousePressed or mouseReleased."""
        button = "left" if held or kind != "mouseMoved" else "none"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=int(held or kind == "mousePressed"),
            clickCount=int(kind != "mouseMoved"),
        )

    def click(self, x: float, y: float) -> None:
        """Move to a point of the window and click."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press at one point, move to another, let go."""
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start)
        for step in (0.25, 0.5, 0.75, 1.0):
            x, y = (a + (b - a) * step for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y, held=True)
        self.mouse("mouseReleased", *end)

    def key(self, name: str, code: int = 0, text: str = "") -> None:
        """Press a key: its DOM name, its Windows key code, and the text it types."""
        for kind in ("keyDown", "keyUp"):
            extra: Data = {"text": text} if text and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                code=name,
                windowsVirtualKeyCode=code,
                **extra,
            )

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of the first element of a selector, in pixels of the window."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.eval(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
        return x, y

    def heard(self, keep: Callable[[Data], Any]) -> list[Any]:
        """Of the events of this page, those that ``keep`` makes something of."""
        self.browser.listen(0.1)
        mine = [e for e in self.browser.events if e.get("sessionId") == self._session]
        return [kept for kept in map(keep, mine) if kept]

    def complaints(self) -> list[str]:
        """Errors and warnings of the page: its console, its exceptions, the browser's own about it."""
        return self.heard(_complaint)

    def requests(self) -> list[str]:
        """The addresses that the page asked for."""
        return self.heard(
            lambda e: e["params"]["request"]["url"] if e["method"] == "Network.requestWillBeSent" else ""
        )


def _complaint(event: Data) -> str:
    params = event.get("params", {})
    if event.get("method") == "Runtime.exceptionThrown":
        details = params["exceptionDetails"]
        return str(details.get("exception", {}).get("description") or details["text"])
    if event.get("method") == "Runtime.consoleAPICalled" and params["type"] in (
        "error",
        "warning",
        "assert",
    ):
        return " ".join(str(a.get("value", a.get("description", ""))) for a in params["args"])
    if event.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
        return str(params["entry"]["text"])
    return ""


def path_address(path: Path) -> str:
    """The file: address of a path."""
    return path.resolve().as_uri()
