"""Loopback HTTP server for the page and its robot.

A request must contain the secret token of the address and come from a page of this server, so that other
users of the machine and other pages in the same browser are rejected.
"""

from __future__ import annotations

import io
import os
import secrets
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from unibody.page.page import empty_page, policy
from unibody.page.pose_request import MOST_BYTES, PoseRequest, pose_request

_HOST = "127.0.0.1"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_MODEL, _PAGE = "application/octet-stream", "text/html; charset=utf-8"
_FINDINGS = "application/json"
# Time limit in s for receiving a request and for sending its response, however slowly bytes arrive.
_READING, _WRITING = 10.0, 30.0
# Requests answered at a time; a page needs two.
_MOST = 64
# A long poll is answered after this many seconds even without news: proxies may close idle connections.
_PATIENCE = 20.0


_Request = socket.socket | tuple[bytes, socket.socket]


class PageServer(ThreadingHTTPServer):
    """Serves one robot (the bytes of ``page_data``) at ``address``; port 0 selects a free port.

    OSError if the port is not available. ``serve_forever`` serves until ``shutdown``; a ``with``
    statement closes the server. :meth:`show` replaces the robot; live pages (``Extras.live``) then
    update at once. :meth:`examined` adds what is found of it later (``Extras.checking``). With ``save``,
    the page may have a pose saved: it gets what is asked for and returns what was done, or raises a
    ValueError that says why not. Without, nothing that the page sends changes anything.

    >>> with PageServer(b"") as server:
    ...     server.address.startswith("http://127.0.0.1:")
    True
    """

    daemon_threads = True
    request_queue_size = _MOST
    # On Windows, this option would let another program take over the port.
    allow_reuse_address = os.name == "posix"

    def __init__(
        self, data: bytes, port: int = 0, save: Callable[[PoseRequest], str] | None = None
    ) -> None:
        self._save = save
        self._saving = threading.Lock()
        self.token = secrets.token_urlsafe(24)
        self._data = data
        self._trouble = ""
        # Numbers of the last news and of the robot, and what was found of the robot.
        self._version = self._model = 0
        self._findings: bytes | None = None
        self._stopping = False
        self._is_over: Callable[[], bool] = bool
        self._news = threading.Condition()
        self._free = threading.BoundedSemaphore(_MOST)
        #: Set once a client has fetched the model.
        self.fetched = threading.Event()
        super().__init__((_HOST, port), _Handler)
        own = {f"{name}:{self.server_port}" for name in (_HOST, "localhost")}
        # Browsers omit the default port.
        self.hosts = own | ({_HOST, "localhost"} if self.server_port == 80 else set())

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{_HOST}:{self.server_port}/{self.token}/"

    def show(self, data: bytes) -> None:
        """Serve another robot from now on."""
        with self._news:
            self._data, self._trouble, self._findings = data, "", None
            self._version += 1
            self._model += 1
            self._news.notify_all()

    def complain(self, trouble: str) -> None:
        """Report an error to live pages, which keep showing the last robot."""
        with self._news:
            self._trouble = trouble
            self._version += 1
            self._news.notify_all()

    @property
    def model(self) -> int:
        """The number of the robot that is served."""
        return self._model

    def examined(self, model: int, findings: bytes) -> None:
        """Serve the findings of a robot (``examination_data``), unless another robot is served by now."""
        with self._news:
            if model == self._model:
                self._findings = findings
                self._news.notify_all()

    def page(self, name: str, query: str) -> tuple[str, bytes] | None:
        """Media type and content for a path below the token; None if unknown."""
        if name == "":
            return _PAGE, empty_page()
        if name == "model":
            return _MODEL, self._data
        if name == "findings":
            return None if self._findings is None else (_FINDINGS, self._findings)
        if name == "changes":
            return "text/plain; charset=utf-8", self._wait(query).encode()
        return None

    @property
    def saves(self) -> bool:
        """Whether the page may have a pose saved."""
        return self._save is not None

    def save(self, body: bytes) -> tuple[HTTPStatus, str]:
        """Have the pose of a request saved; the status, and what was done or why not."""
        assert self._save is not None
        try:
            wanted = pose_request(body)
            with self._saving:
                return HTTPStatus.OK, self._save(wanted)
        except ValueError as error:
            return HTTPStatus.UNPROCESSABLE_ENTITY, str(error)

    def _wait(self, seen: str) -> str:
        """Wait for news after those ``seen``; their word and the error message.

        The word is "2.1+" for the second news, of the first robot after the initial one; "+" once there are
        findings of it.
        """
        with self._news:
            self._news.wait_for(lambda: self._stopping or self._state != seen, _PATIENCE)
            return f"{self._state}\n{self._trouble}"

    @property
    def _state(self) -> str:
        return f"{self._version}.{self._model}{'' if self._findings is None else '+'}"

    def serve_until(self, is_over: Callable[[], bool]) -> None:
        """Serve until ``is_over``, which is called after each request and twice a second."""
        self._is_over = is_over
        self.serve_forever()

    def service_actions(self) -> None:
        """End ``serve_until``."""
        if self._is_over():
            raise KeyboardInterrupt

    def shutdown(self) -> None:
        """Stop serving; waiting requests are answered at once, so that live pages notice."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        super().shutdown()

    def server_close(self) -> None:
        """Close the socket; what waits for a client to fetch the model ends."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        self.fetched.set()
        super().server_close()

    @property
    def is_stopping(self) -> bool:
        """Whether the server stops or has stopped."""
        return self._stopping

    def server_bind(self) -> None:
        """Bind without asking a name server for the machine's name, which may take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = _HOST, self.server_address[1]

    def process_request(self, request: _Request, client_address: object) -> None:
        """Answer in a thread; refuse if there are too many."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except Exception:  # of Ctrl-C it is not known whether the thread runs, which releases its own
            self._free.release()
            raise

    def process_request_thread(self, request: _Request, client_address: object) -> None:
        """Answer one request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect early."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Incoming(io.RawIOBase):
    """The bytes of a connection until its time limit; TimeoutError after that."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._end = connection, time.monotonic() + seconds

    def readable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read the available bytes."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the request takes too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    server_version, sys_version = "unibody", ""

    def setup(self) -> None:
        """Apply the time limit to the whole request, not to each read."""
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Incoming(self.connection, _READING))

    def do_GET(self) -> None:
        """Answer with a page."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers of a page."""
        self._answer(body=False)

    def do_POST(self) -> None:
        """Save a pose, if the command allowed the page to."""
        if not self.server.saves:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED)
            return
        # A body that is not read must not become the next request.
        self.close_connection = True
        refused = self._refusal() or self._refused_post()
        status, text = refused or self.server.save(self.rfile.read(self._length()))
        kind, content = _text(f"{text.rstrip()}\n")
        self._send(status, kind, content, len(content))

    def _refused_post(self) -> tuple[HTTPStatus, str] | None:
        """Why a request to save something is refused, beyond what holds for all requests."""
        # A page of another site cannot leave out the origin of a POST, nor send JSON without asking first.
        own = "this server answers only its own page"
        if self.headers.get_all("Origin") is None or self.headers.get("Sec-Fetch-Site") not in {
            None,
            "same-origin",
        }:
            return HTTPStatus.FORBIDDEN, own
        if self._path()[1:] != ("pose", ""):
            return HTTPStatus.NOT_FOUND, "there is nothing here"
        if (
            self.headers.get_all("Content-Type") != ["application/json"]
            or "Transfer-Encoding" in self.headers
        ):
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a pose is sent as application/json"
        if not 0 < self._length() <= MOST_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a pose has at most {MOST_BYTES} bytes"
        return None

    def _length(self) -> int:
        """The length of the body; 0 unless it is stated once, in digits."""
        stated = self.headers.get_all("Content-Length") or []
        text = stated[0] if len(stated) == 1 else ""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0

    def _answer(self, body: bool) -> None:
        status, (kind, content) = self._look_up()
        self._send(status, kind, content if body else b"", len(content))
        if body:
            self.wfile.flush()
            if kind == _MODEL:
                self.server.fetched.set()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Reject an invalid request without echoing any of it."""
        kind, content = _text("unknown request\n")
        self.close_connection = True
        self._send(code, kind, content, len(content))

    def _send(self, status: int, kind: str, content: bytes, length: int) -> None:
        self.connection.settimeout(_WRITING)
        own = policy() if kind == _PAGE else "default-src 'none'"
        about = {"Content-Type": kind, "Content-Length": str(length)}
        self.send_response(status)
        self.send_header("Content-Security-Policy", f"{own}; frame-ancestors 'none'")
        for name, value in (_HEADERS | about).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _look_up(self) -> tuple[HTTPStatus, tuple[str, bytes]]:
        refused = self._refusal()
        if refused is not None:
            return refused[0], _text(f"{refused[1]}\n")
        _, name, query = self._path()
        found = self.server.page(name, query)
        if found is None:
            return HTTPStatus.NOT_FOUND, _text("there is nothing here\n")
        return HTTPStatus.OK, found

    def _path(self) -> tuple[str, str, str]:
        """The token, the name below it and the query of the request."""
        path, _, query = self.path.partition("?")
        token, slash, name = path[1:].partition("/")
        return token if slash else "", name, query

    def _refusal(self) -> tuple[HTTPStatus, str] | None:
        """Why a request is not answered; None if it is one of this page."""
        # Other pages can make a browser send requests here, also by a host name of their own that
        # resolves to this machine (DNS rebinding), but cannot forge the Host and Origin headers.
        if self.headers.defects:
            # A malformed line ends the headers; later ones would be missed.
            return HTTPStatus.BAD_REQUEST, "unknown request"
        hosts, origins = self.headers.get_all("Host") or [], self.headers.get_all("Origin") or []
        foreign = [
            o for o in origins if o.partition("://")[::2] not in {("http", h) for h in self.server.hosts}
        ]
        if len(hosts) != 1 or hosts[0] not in self.server.hosts or foreign:
            return HTTPStatus.FORBIDDEN, "this server answers only its own page"
        token, name, _ = self._path()
        if not secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            return HTTPStatus.FORBIDDEN, "the address is wrong: take the one that unibody printed"
        # Links on other pages may open the page, but only the page may fetch its data.
        site = self.headers.get("Sec-Fetch-Site", "same-origin")
        if name and site not in {"same-origin", "none"}:
            return HTTPStatus.FORBIDDEN, "this server answers only its own page"
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _text(message: str) -> tuple[str, bytes]:
    return "text/plain; charset=utf-8", message.encode()
