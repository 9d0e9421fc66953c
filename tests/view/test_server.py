"""The server answers only its own page, and only those who have the address."""

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
    """Status, headers and body; Host is the server's own unless given."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, dict(answer.headers), body


def test_the_page_and_the_model_are_at_the_address(server: PageServer) -> None:
    path = urlsplit(server.address).path
    status, headers, body = get(server, path)
    assert (status, body) == (200, empty_page())
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert get(server, path + "model")[::2] == (200, DATA)
    assert get(server, path + "model?x=1")[::2] == (200, DATA)
    assert get(server, path + "model", "HEAD")[::2] == (200, b"")


def test_it_listens_on_this_machine_alone(server: PageServer) -> None:
    assert server.server_address == ("127.0.0.1", server.server_port)
    assert server.address.startswith(f"http://127.0.0.1:{server.server_port}/")


def test_tokens_are_long_and_new_each_time(server: PageServer) -> None:
    with PageServer(DATA) as other:
        assert other.token != server.token
        assert len(other.token) >= 32


@pytest.mark.parametrize(
    "path", ["/", "/model", "/x/", "/x/model", "//model", "/%2e%2e/", "/?token=x", "/token/../etc"]
)
def test_without_the_token_there_is_nothing(server: PageServer, path: str) -> None:
    status, _, body = get(server, path)
    assert status == 403
    assert DATA not in body


def test_the_token_must_be_whole(server: PageServer) -> None:
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
def test_a_name_that_is_not_its_own_is_refused(server: PageServer, host: str) -> None:
    path = urlsplit(server.address).path
    assert get(server, path, Host=host.format(port=server.server_port))[0] == 403


def test_localhost_is_its_own_name(server: PageServer) -> None:
    path = urlsplit(server.address).path
    assert get(server, path, Host=f"localhost:{server.server_port}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "file://", ""],
)
def test_a_foreign_origin_is_refused(server: PageServer, origin: str) -> None:
    path = urlsplit(server.address).path
    status, _, body = get(server, path + "model", Origin=origin.format(port=server.server_port))
    assert status == 403
    assert DATA not in body


def test_its_own_origin_is_welcome(server: PageServer) -> None:
    path = urlsplit(server.address).path
    assert get(server, path + "model", Origin=f"http://127.0.0.1:{server.server_port}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_it_can_only_be_read(server: PageServer, method: str) -> None:
    assert get(server, urlsplit(server.address).path, method)[0] == 501


def raw(server: PageServer, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.server_port), 10) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer


def test_requests_without_a_host_or_with_two_are_refused(server: PageServer) -> None:
    path = urlsplit(server.address).path.encode()
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n\r\n" % path).split(b"\r\n")[0]
    assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n%s%s\r\n" % (path, own, own)).split(b"\r\n")[0]
    assert b" 200 " in raw(server, b"GET %s HTTP/1.0\r\n%s\r\n" % (path, own)).split(b"\r\n")[0]


def test_odd_letters_in_a_path_are_refused(server: PageServer) -> None:
    own = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    for path in (b"/\xe9/", b"/\xff\x80/model", b"nowhere", b"http://127.0.0.1/"):
        assert b" 403 " in raw(server, b"GET %s HTTP/1.0\r\n%s\r\n" % (path, own)).split(b"\r\n")[0]


def test_a_reader_who_leaves_is_no_error(server: PageServer, capfd: pytest.CaptureFixture[str]) -> None:
    for request in (b"", b"GET", b"GET / HTTP/1.0\r\nHost"):
        with socket.create_connection(("127.0.0.1", server.server_port), 10) as connection:
            connection.sendall(request)
    assert get(server, urlsplit(server.address).path)[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_port_that_is_taken_is_an_os_error(server: PageServer) -> None:
    with pytest.raises(OSError, match=r"."):
        PageServer(DATA, server.server_port)
