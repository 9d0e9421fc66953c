"""Pages and pictures as outputs of a command: written to files, or served to a browser."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Literal

from unibody.cli.declaration import Option, add
from unibody.cli.interrupts import is_interrupted, recorded
from unibody.cli.output import UsageError, check_outputs, emit, emit_data, write_output
from unibody.cli.quantity import whole

if TYPE_CHECKING:
    from unibody.files.access import Files
    from unibody.formats.loader import Reading
    from unibody.page.cloud import Cloud
    from unibody.page.data import Origin, PageData
    from unibody.page.findings import Examination
    from unibody.page.pose_request import PoseRequest
    from unibody.page.server import PageServer
    from unibody.simulation.record import Record
    from unibody.text.finding import Finding

Theme = Literal["light", "dark"]

# Larger pictures exceed the memory of browsers.
_MAX_PIXELS = 8192
_WRITTEN = (".html", ".htm", ".png", ".gif")
# Size of an animation, and its frames in a second.
_SMALL, _FRAMES = (640, 480), 20.0


def file_options(what: str) -> tuple[Option, ...]:
    """Writing a page or a picture."""
    return (
        Option("--html FILE", f"write {what} to one file instead of serving it"),
        Option("--png FILE", f"write a picture instead of serving {what} (needs Chromium)"),
        Option(
            "--size WIDTHxHEIGHT",
            "size of the picture in pixels (default: 1200x800)",
            _size,
            needs="--png or --gif",
        ),
        Option("--overwrite", "overwrite an existing page or picture"),
        Option("--dark", "draw the picture on a dark background"),
    )


#: Pictures of a run.
ANIMATION = (
    Option("--gif FILE", "write an animated picture of the run (needs Chromium)"),
    Option("--at S", "time of the picture in s (default: the end)", float, needs="--png"),
)

#: Serving a page.
SERVING = (
    Option("--port PORT", "port on 127.0.0.1 (default: a free one)", whole(0, 65535, "a port"), default=0),
    Option("--no-browser", "print the address without opening a browser"),
)


def add_page(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the group of the page of a result: --view and the options of files with a page."""
    view = Option("--view", f"play {what} in the browser, until Ctrl-C")
    add(parser.add_argument_group("page"), view, *file_options("the page"), *ANIMATION, *SERVING)


def wants_page(options: argparse.Namespace) -> bool:
    """Whether a page or a picture is asked for."""
    return options.view or any(written(options))


def written(options: argparse.Namespace) -> list[str]:
    """The files that are asked for."""
    return [path for name in _NAMES if (path := getattr(options, name, None)) is not None]


_NAMES = ("html", "png", "gif")


def check_page(options: argparse.Namespace, models: Sequence[str | None] = (), prints: str = "") -> None:
    """UsageError for conflicting options, or an output that would replace a model or another file.

    ``prints`` names what the verb prints as data where it makes no page.
    """
    data = "--json" if options.json else "--csv" if getattr(options, "csv", None) == "" else ""
    if prints and data and wants_page(options):
        raise UsageError(f"{data} prints {prints} and cannot be combined with a page or picture")
    given = [name for name in _NAMES if getattr(options, name, None) is not None]
    if len(given) > 1:
        raise UsageError(f"--{given[0]} and --{given[1]} cannot be combined")
    for path in written(options):
        for model in models:
            if model and os.path.exists(path) and os.path.exists(model) and os.path.samefile(path, model):
                raise UsageError(f"{path} is the model file")
        if os.path.isfile(path) and not path.lower().endswith(_WRITTEN):
            raise UsageError(f"{path} already exists and is not a page or picture; not replaced")
    check_outputs(written(options), options.overwrite)


def examination_of(reading: Reading, files: Files) -> Examination:
    """What unibody check finds of a file that was read."""
    from unibody.checks import examine
    from unibody.checks.suppress import split
    from unibody.page.findings import Examination

    return Examination(*split(examine(reading, files), reading.source, ()))


def show_page(
    record: Record,
    origin: Origin,
    findings: Sequence[Finding],
    options: argparse.Namespace,
    layers: Sequence[str] = (),
    workspace: Cloud | None = None,
) -> None:
    """Write or serve the page of a run, with these layers and points shown at first."""
    from unibody.files.access import Files
    from unibody.meshes import MeshCache
    from unibody.page.data import Extras, Shown, pages_data
    from unibody.text.finding import Findings

    shown = Shown(robot=record.robot, findings=findings, origin=origin)
    page = pages_data(
        [shown], MeshCache(Files(), Findings()), Extras(record=record, layers=layers, workspace=workspace)
    )
    if not write_page(page, options):
        serve(page, options)


def write_page(page: PageData, options: argparse.Namespace) -> bool:
    """Write the page, or its picture, if a file is asked for."""
    if options.html is not None:
        _write(options.html, _html(page), options)
    elif options.png is not None:
        _write(options.png, _picture(page, options), options)
    elif getattr(options, "gif", None) is not None:
        _write(options.gif, _animation(page, options), options)
    else:
        return False
    return True


def _html(page: PageData) -> bytes:
    from unibody.page.page import filled_page

    return filled_page(page.bytes)


def _picture(page: PageData, options: argparse.Namespace) -> bytes:
    from unibody.page.chromium import BrowserError
    from unibody.page.picture import USUAL, picture

    try:
        theme: Theme = "dark" if options.dark else "light"
        return picture(page.bytes, options.size or USUAL, theme, getattr(options, "at", None))
    except BrowserError as error:
        raise UsageError(str(error)) from None


def _animation(page: PageData, options: argparse.Namespace) -> bytes:
    from unibody.page.chromium import BrowserError
    from unibody.page.picture import animation

    try:
        theme: Theme = "dark" if options.dark else "light"
        return animation(page.bytes, options.size or _SMALL, theme, _FRAMES)
    except BrowserError as error:
        raise UsageError(str(error)) from None


def _write(path: str, content: bytes, options: argparse.Namespace) -> None:
    write_output(path, content, options.overwrite)
    if options.json:
        emit_data({"file": path, "bytes": len(content)})
    else:
        size = f"{len(content) / 1e6:.1f} MB" if len(content) >= 500_000 else f"{len(content) / 1e3:.0f} kB"
        emit([f"{path}: {size}"])


def serve(
    page: PageData,
    options: argparse.Namespace,
    watched: Callable[[PageServer], AbstractContextManager[Any]] = nullcontext,
    save: Callable[[PoseRequest], str] | None = None,
) -> None:
    """Serve the page until Ctrl-C or a termination request; ``watched`` is entered while it is served.

    ``save`` saves a pose that the page sends (see :class:`PageServer`).
    """
    from unibody.page.server import PageServer
    from unibody.page.show import has_browser

    try:
        server = PageServer(page.bytes, options.port, save)
    except OSError as error:
        raise UsageError(f"cannot listen on port {options.port}: {error.strerror or error}") from None
    with server, recorded(signal.SIGTERM), suppress(KeyboardInterrupt):
        if options.json:
            emit_data({"address": server.address})
        else:
            emit([f"the model is at {server.address}", "press Ctrl-C to stop"])
        if sys.stdout is not None:
            sys.stdout.flush()
        if options.browser and has_browser():
            _open(server.address)
        with watched(server):
            server.serve_until(is_interrupted)


def _open(address: str) -> None:
    """Open a browser in a thread, since some launchers block until the page is loaded."""
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _size(text: str) -> tuple[int, int]:
    """Width and height in pixels.

    >>> _size("640x480")
    (640, 480)
    """
    width, _, height = text.lower().partition("x")
    if not all(word.isdecimal() and 1 <= int(word[:6]) <= _MAX_PIXELS for word in (width, height)):
        raise argparse.ArgumentTypeError(
            f"expected a size such as 1200x800, at most {_MAX_PIXELS}, got '{text}'"
        )
    return int(width), int(height)
