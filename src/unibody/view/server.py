"""A server on this machine for one reader: the page, and the robot it shows.

Only whoever has the address, with its token, gets an answer, and only from a page of this server:
other users of the machine, and other pages open in the same browser, get none.
"""

from __future__ import annotations

import os
import secrets
import socketserver
import sys
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from unibody.view.page import empty_page

_HOST = "127.0.0.1"
_POLICY = "frame-ancestors 'none'"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class PageServer(ThreadingHTTPServer):
    """Serves one robot (the bytes of ``page_data``) at ``address``; port 0 takes a free one.

    OSError when the port cannot be had. ``serve_forever`` serves until ``shutdown``; a ``with``
    statement closes it.

    >>> with PageServer(b"") as server:
    ...     server.address.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    # Windows would let another program take over a port that is in use.
    allow_reuse_address = os.name == "posix"

    def __init__(self, data: bytes, port: int = 0) -> None:
        self.token = secrets.token_urlsafe(24)
        self.pages: Mapping[str, tuple[str, bytes]] = {
            "": ("text/html; charset=utf-8", empty_page()),
            "model": ("application/octet-stream", data),
        }
        super().__init__((_HOST, port), _Handler)
        own = {f"{name}:{self.server_port}" for name in (_HOST, "localhost")}
        # A browser leaves the usual port away.
        self.hosts = own | ({_HOST, "localhost"} if self.server_port == 80 else set())

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{_HOST}:{self.server_port}/{self.token}/"

    def server_bind(self) -> None:
        """Bind without asking a name server for the machine's name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = _HOST, self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader who leaves in the middle is no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    # A connection that sends nothing is closed.
    timeout = 30
    server_version, sys_version = "unibody", ""

    def do_GET(self) -> None:
        """Answer with a page."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers of a page."""
        self._answer(body=False)

    def _answer(self, body: bool) -> None:
        status, (kind, content) = self._look_up()
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _look_up(self) -> tuple[HTTPStatus, tuple[str, bytes]]:
        # A page elsewhere can make a browser send requests here, also under a name of its own that
        # leads to this machine; it cannot make it lie about its origin and the name asked for.
        hosts, origins = self.headers.get_all("Host") or [], self.headers.get_all("Origin") or []
        foreign = [
            o for o in origins if o.partition("://")[::2] not in {("http", h) for h in self.server.hosts}
        ]
        if len(hosts) != 1 or hosts[0] not in self.server.hosts or foreign:
            return HTTPStatus.FORBIDDEN, _text("this server answers only its own page\n")
        token, slash, name = self.path.partition("?")[0][1:].partition("/")
        expected = self.server.token.encode()
        if not secrets.compare_digest(token.encode("utf-8", "replace"), expected) or not slash:
            return HTTPStatus.FORBIDDEN, _text("the address is wrong: take the one that unibody printed\n")
        if name not in self.server.pages:
            return HTTPStatus.NOT_FOUND, _text("there is nothing here\n")
        return HTTPStatus.OK, self.server.pages[name]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _text(message: str) -> tuple[str, bytes]:
    return "text/plain; charset=utf-8", message.encode()
