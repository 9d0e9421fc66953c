"""The server serves only its page, and only with the token."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from unibody.page.page import empty_page
from unibody.page.server import PageServer

DATA = b"ubvw the robot"


@pytest.fixture
def server() -> Iterator[PageServer]:
    with PageServer(DATA) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def get(
    server: PageServer, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Send a request; the Host header defaults to the server's own. Returns status, headers and body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.headers), body


def test_page_and_model_are_served(server: PageServer) -> None:
    path = urlsplit(server.address).path
    status, headers, body = get(server, path)
    assert (status, body) == (200, empty_page())
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert get(server, path + "model")[::2] == (200, DATA)
    assert get(server, path + "model?x=1")[::2] == (200, DATA)
    assert get(server, path + "model", "HEAD")[::2] == (200, b"")


def test_listens_on_the_loopback_interface(server: PageServer) -> None:
    assert server.server_address == ("127.0.0.1", server.server_port)
    assert server.address.startswith(f"http://127.0.0.1:{server.server_port}/")


def test_tokens_are_long_and_unique(server: PageServer) -> None:
    with PageServer(DATA) as other:
        assert other.token != server.token
        assert len(other.token) >= 32


@pytest.mark.parametrize(
    "path", ["/", "/model", "/x/", "/x/model", "//model", "/%2e%2e/", "/?token=x", "/token/../etc"]
)
def test_requests_without_the_token_are_rejected(server: PageServer, path: str) -> None:
    status, _, body = get(server, path)
    assert status == 403
    assert DATA not in body


def test_token_must_match_completely(server: PageServer) -> None:
    assert get(server, f"/{server.token}")[0] == 403
    assert get(server, f"/{server.token[:-1]}/")[0] == 403
    assert get(server, f"/{server.token}x/")[0] == 403
    assert get(server, f"/{server.token.swapcase()}/")[0] == 403


@pytest.mark.parametrize(
    "name", ["other", "model/", "../model", "/etc/passwd", "..%2fmodel", "viewer.html"]
)
def test_nothing_else_is_served(server: PageServer, name: str) -> None:
    assert get(server, f"/{server.token}/{name}")[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", ""])
def test_other_host_is_rejected(server: PageServer, host: str) -> None:
    path = urlsplit(server.address).path
    assert get(server, path, Host=host.format(port=server.server_port))[0] == 403


def test_localhost_is_accepted(server: PageServer) -> None:
    path = urlsplit(server.address).path
    assert get(server, path, Host=f"localhost:{server.server_port}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "file://", ""],
)
def test_other_origin_is_rejected(server: PageServer, origin: str) -> None:
    path = urlsplit(server.address).path
    status, _, body = get(server, path + "model", Origin=origin.format(port=server.server_port))
    assert status == 403
    assert DATA not in body


def test_own_origin_is_accepted(server: PageServer) -> None:
    path = urlsplit(server.address).path
    assert get(server, path + "model", Origin=f"http://127.0.0.1:{server.server_port}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_only_get_is_allowed(server: PageServer, method: str) -> None:
    assert get(server, urlsplit(server.address).path, method)[0] == 501


def raw(server: PageServer, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.server_port), 10) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer


def test_requests_without_one_host_header_are_rejected(server: PageServer) -> None:
    path = urlsplit(server.address).path.encode()
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n\r\n" % path).split(b"\r\n")[0]
    assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n%s%s\r\n" % (path, own, own)).split(b"\r\n")[0]
    assert b" 200 " in raw(server, b"GET %s HTTP/1.0\r\n%s\r\n" % (path, own)).split(b"\r\n")[0]


def test_invalid_characters_in_a_path_are_rejected(server: PageServer) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    for path in (b"/\xe9/", b"/\xff\x80/model", b"nowhere", b"http://127.0.0.1/"):
        assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n%s\r\n" % (path, own)).split(b"\r\n")[0]


def test_closed_connection_is_not_an_error(server: PageServer, capfd: pytest.CaptureFixture[str]) -> None:
    for request in (b"", b"GET", b"GET / HTTP/1.0\r\nHost"):
        with socket.create_connection(("127.0.0.1", server.server_port), 10) as connection:
            connection.sendall(request)
    assert get(server, urlsplit(server.address).path)[0] == 200
    assert capfd.readouterr() == ("", "")


def test_port_in_use_raises_os_error(server: PageServer) -> None:
    with pytest.raises(OSError, match=r"."):
        PageServer(DATA, server.server_port)
