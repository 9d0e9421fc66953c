"""Chromium for the tests of the page: adds input events and logs to ``unibody.page.chromium``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unibody.page import chromium
from unibody.page.chromium import BrowserError, Data, find

__all__ = ["BrowserError", "Chromium", "Data", "Page", "find", "path_address"]


class Chromium(chromium.Chromium):
    """A browser whose pages support input and logs."""

    def page(self, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        """Open an empty page of a size in pixels."""
        return self.new_page(Page, (width, height), dark)


class Page(chromium.Page):
    """A page with mouse and key events, and logs of its errors and requests."""

    def mouse(self, kind: str, x: float, y: float, held: bool = False, shift: bool = False) -> None:
        """Dispatch a mouse event: mouseMoved, mousePressed or mouseReleased."""
        button = "left" if held or kind != "mouseMoved" else "none"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=int(held or kind == "mousePressed"),
            clickCount=int(kind != "mouseMoved"),
            modifiers=8 if shift else 0,
        )

    def click(self, x: float, y: float) -> None:
        """Move to a point of the window and click."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.mouse(kind, x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float], shift: bool = False) -> None:
        """Press at one point, move to another, release."""
        self.mouse("mouseMoved", *start, shift=shift)
        self.mouse("mousePressed", *start, shift=shift)
        for step in (0.25, 0.5, 0.75, 1.0):
            x, y = (a + (b - a) * step for a, b in zip(start, end, strict=True))
            self.mouse("mouseMoved", x, y, held=True, shift=shift)
            self.settle()
        self.mouse("mouseReleased", *end, shift=shift)

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
        """The center of the first element of a selector, in pixels of the window."""
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        x, y = self.eval(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
        return x, y

    def heard(self, keep: Callable[[Data], Any]) -> list[Any]:
        """The truthy results of ``keep`` for the events of this page."""
        self.browser.listen(0.1)
        mine = [e for e in self.browser.events if e.get("sessionId") == self.session]
        return [kept for kept in map(keep, mine) if kept]

    def complaints(self) -> list[str]:
        """Errors and warnings of the page: console, exceptions, and the browser's log."""
        return self.heard(_complaint)

    def requests(self) -> list[str]:
        """The addresses that the page requested."""
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
