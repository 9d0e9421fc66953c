"""Show the model in a browser: its shapes, a slider for every joint, the tree, the findings.

The page is served on this machine alone, at an address that cannot be guessed, until Ctrl-C.
With --html it is written as one file that needs no server and no network.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from unibody.cli.options import add_model, finish, read_model
from unibody.cli.output import UsageError, emit, emit_data

if TYPE_CHECKING:
    from unibody.formats.load import Reading
    from unibody.view.data import PageData

EXAMPLE = "unibody view robot.urdf --html robot.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this verb."""
    add_model(parser)
    parser.add_argument("--html", metavar="FILE", help="write the page as one file, and serve nothing")
    parser.add_argument(
        "--port", type=_port, default=0, help="serve at this port of 127.0.0.1 (default: a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address, open no browser")


def run(options: argparse.Namespace) -> int:
    """Write or serve the page; the exit code."""
    reading = read_model(options)
    page = _page(reading, options)
    code = finish(reading, options, found=page is not None)
    if page is None:
        return code
    if options.html is not None:
        _write(page, options)
    else:
        _serve(page, options)
    return code


def _page(reading: Reading, options: argparse.Namespace) -> PageData | None:
    """The page's data, with its findings added to the reading's; None when there is nothing to show."""
    from unibody.files import Files
    from unibody.mechanism import AssembleError
    from unibody.mesh import MeshCache
    from unibody.text.finding import Finding, Findings
    from unibody.view.data import Origin, page_data

    if reading.robot is None:
        return None
    cache = MeshCache(Files(packages=dict(options.package)), Findings())
    title = reading.format.title if reading.format else ""
    try:
        page = page_data(reading.robot, reading.findings, cache, Origin(file=options.model, format=title))
    except AssembleError as error:
        reading.findings.append(Finding("cannot-assemble", "error", f"the model cannot be shown: {error}"))
        return None
    reading.findings[:] = page.findings
    return page


def _write(page: PageData, options: argparse.Namespace) -> None:
    from unibody.view.page import filled_page

    path = options.html
    if os.path.exists(path) and os.path.samefile(path, options.model):
        raise UsageError(f"{path} is the model itself")
    content = filled_page(page.bytes)
    try:
        _replace(path, content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
    if options.json:
        emit_data({"file": path, "bytes": len(content)})
    else:
        emit([f"{path}: {len(content) / 1e6:.1f} MB"])


def _replace(path: str, content: bytes) -> None:
    """Write a file as a whole, or leave what is there as it is."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "xb") as file:
            file.write(content)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            os.remove(part)
        raise


def _serve(page: PageData, options: argparse.Namespace) -> None:
    """Serve the page until Ctrl-C."""
    from unibody.view.server import PageServer

    try:
        server = PageServer(page.bytes, options.port)
    except OSError as error:
        raise UsageError(f"port {options.port} cannot be had: {error.strerror or error}") from None
    with server:
        if options.json:
            emit_data({"address": server.address})
        else:
            emit([f"the model is at {server.address}", "Ctrl-C ends this"])
        if sys.stdout is not None:
            sys.stdout.flush()
        if not options.no_browser and _has_browser():
            _open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return


def _has_browser() -> bool:
    """Whether a browser would have a screen; without one, text browsers would take this terminal."""
    if sys.platform in ("win32", "darwin") or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    """Open a browser beside the server: some starters wait until the page has come."""
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _port(text: str) -> int:
    """A port number.

    >>> _port("8080")
    8080
    """
    if not text.isdecimal() or not 0 <= int(text[:6]) <= 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is no port: 0 to 65535")
    return int(text)
