"""The page's server, attacked with raw sockets as another user or another page would."""

from __future__ import annotations

import random
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from unibody.page import server as module
from unibody.page.page import policy
from unibody.page.server import PageServer

SECRET = b"ubvw secret of the model " * 1000


@pytest.fixture
def server(capfd: pytest.CaptureFixture[str]) -> Iterator[PageServer]:
    """A server in a thread; whatever is done to it, it says nothing on standard error."""
    before = threading.active_count()
    with PageServer(SECRET) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        assert model(server).endswith(SECRET), "it does not serve its page any more"
        server.shutdown()
        thread.join()
    assert capfd.readouterr().err == ""
    until(lambda: threading.active_count() <= before, "a connection keeps its thread")


def until(condition: Callable[[], bool], otherwise: str) -> None:
    """Wait until something is so; a minute is long enough on the busiest machine."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.02)


def connect(server: PageServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.server_port), 20)


def said(connection: socket.socket) -> bytes:
    """All that comes until the server hangs up."""
    answer = b""
    try:
        while chunk := connection.recv(1 << 20):
            answer += chunk
    except OSError:
        pass
    return answer


def ask(server: PageServer, request: bytes) -> bytes:
    with connect(server) as connection:
        with suppress(OSError):
            connection.sendall(request)
        return said(connection)


def request(server: PageServer, target: str, *headers: str, method: str = "GET") -> bytes:
    """A request with the right host; other headers as given."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{server.server_port}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


def model(server: PageServer) -> bytes:
    return ask(server, request(server, f"/{server.token}/model"))


def status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.0 "), answer[:80]
    return int(answer.split(b" ", 2)[1])


# --- who may ask ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1:{port}.evil.example",
        "evil.example@127.0.0.1:{port}",
        "127.0.0.1:{port}@evil.example",
        "127.0.0.1:{port}\tevil.example",
        "127.0.0.1:{port}, evil.example",
        "127.0.0.2:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "2130706433:{port}",
        "LOCALHOST.:{port}",
        "",
    ],
)
def test_a_name_that_is_made_to_lead_here_gets_nothing(server: PageServer, host: str) -> None:
    """DNS rebinding: the browser asks under the attacker's name, and tells it."""
    name = host.format(port=server.server_port)
    answer = ask(server, f"GET /{server.token}/model HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
    assert status(answer) == 403
    assert SECRET not in answer


@pytest.mark.parametrize(
    "header",
    [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1",
        "Origin: http://127.0.0.1:1",
        "origin: http://evil.example",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Host: evil.example",
    ],
)
def test_another_page_of_the_browser_gets_nothing(server: PageServer, header: str) -> None:
    for name in ("model", "changes?x", "findings"):
        answer = ask(server, request(server, f"/{server.token}/{name}", header))
        assert status(answer) == 403
        assert SECRET not in answer


def test_a_link_elsewhere_may_lead_to_the_page(server: PageServer) -> None:
    """From a terminal in a browser, say; it cannot be put into a frame there, nor be read."""
    answer = ask(server, request(server, f"/{server.token}/", "Sec-Fetch-Site: cross-site"))
    assert status(answer) == 200
    assert b"frame-ancestors 'none'" in answer


def test_every_answer_carries_what_browsers_obey(server: PageServer) -> None:
    port = server.server_port
    answers = {
        200: model(server),
        403: ask(server, request(server, "/wrong/")),
        404: ask(server, request(server, f"/{server.token}/none")),
        501: ask(server, request(server, f"/{server.token}/", method="POST")),
        400: ask(server, f"GET / HTTP/1.x\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()),
        414: ask(server, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n"),
    }
    for code, answer in answers.items():
        head = answer.partition(b"\r\n\r\n")[0].decode()
        if answer.startswith(b"HTTP/"):
            assert status(answer) == code
            for line in (
                "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff",
                "Cross-Origin-Resource-Policy: same-origin",
                "Cross-Origin-Opener-Policy: same-origin",
                "Referrer-Policy: no-referrer",
                "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
            ):
                assert line in head, (code, line)
        assert b"Access-Control" not in answer
        assert b"Set-Cookie" not in answer
    page = ask(server, request(server, f"/{server.token}/"))
    assert f"Content-Security-Policy: {policy()}; frame-ancestors 'none'".encode() in page


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "<x>"]
)
def test_other_methods_do_nothing(server: PageServer, method: str) -> None:
    answer = ask(
        server, request(server, f"/{server.token}/model", "Content-Length: 99999999", method=method)
    )
    assert status(answer) == 501
    assert SECRET not in answer
    assert method.encode() + b" " not in answer.partition(b"\r\n\r\n")[2]


# --- what may be asked for ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "....//....//etc/passwd",
        "..\\..\\etc\\passwd",
        "/etc/passwd",
        "//etc/passwd",
        "file:///etc/passwd",
        "model/../server.py",
        "model%00.html",
        "model;x",
        "MODEL",
        "viewer.html",
        "mod\u00e9l",
    ],
)
def test_there_are_no_paths(server: PageServer, path: str) -> None:
    for target in (f"/{server.token}/{path}", path, f"/{path}", f"//{server.token}/{path}"):
        answer = ask(server, request(server, target))
        assert b" 200 " not in answer.split(b"\r\n", 1)[0]
        assert b"root:" not in answer
        assert SECRET not in answer


def test_an_answer_repeats_nothing_of_the_question(server: PageServer) -> None:
    evil = "<script>alert(1)</script>"
    for asked in (
        request(server, f"/{evil}/"),
        request(server, f"/{server.token}/{evil}"),
        request(server, f"/{server.token}/", f"X: {evil}", method=evil),
        f"GET / {evil}\r\n\r\n".encode(),
        f"{evil}\r\n\r\n".encode(),
        f"GET / HTTP/1.1\r\nHost: {evil}\r\n\r\n".encode(),
    ):
        assert b"<script" not in ask(server, asked)


def test_no_header_can_be_put_into_an_answer(server: PageServer) -> None:
    for asked in ("/%0d%0aX-Evil:%20yes", f"/{server.token}/%0d%0aX-Evil: yes", "/\rX-Evil: yes"):
        assert b"X-Evil" not in ask(server, request(server, asked))


def test_a_token_is_not_told_by_time(monkeypatch: pytest.MonkeyPatch, server: PageServer) -> None:
    """Nothing but the comparison in constant time looks at it."""
    seen = []
    real: Callable[[bytes, bytes], bool] = secrets.compare_digest

    def compare(a: bytes, b: bytes) -> bool:
        seen.append((a, b))
        return real(a, b)

    monkeypatch.setattr(secrets, "compare_digest", compare)
    wrong = server.token[:-1] + ("A" if server.token[-1] != "A" else "B")
    for token in (wrong, "x", "x" * 60_000):
        assert status(ask(server, request(server, f"/{token}/model"))) == 403
        assert seen[-1] == (token.encode(), server.token.encode())


# --- what is too much -----------------------------------------------------------------------------


def test_requests_without_end_are_ended(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is refused is refused at once, not when its time is up.
    monkeypatch.setattr(module, "_READING", 60.0)
    host = f"Host: 127.0.0.1:{server.server_port}\r\n".encode()
    for asked in (
        b"GET /" + b"a" * 200_000,
        b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 200_000,
        b"GET / HTTP/1.1\r\n" + host + b"X: a\r\n" * 200,
        b"GET / HTTP/1.1\r\n" + host + b" folded\r\n" * 200,
        b"\r\n" * 100_000,
        b"\x00" * 100_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 70_000,  # who speaks TLS
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ):
        begin = time.monotonic()
        answer = ask(server, asked + b"\r\n\r\n")
        assert SECRET not in answer
        assert time.monotonic() - begin < 20


def test_who_drips_bytes_is_hung_up_on(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slowloris: every byte is in time, the request is not."""
    monkeypatch.setattr(module, "_READING", 0.6)
    with connect(server) as connection:
        try:
            for byte in request(server, f"/{server.token}/model", "X: " + "a" * 300):
                connection.sendall(bytes([byte]))
                time.sleep(0.02)
                connection.setblocking(False)
                try:
                    if connection.recv(1, socket.MSG_PEEK) == b"":
                        break
                except BlockingIOError:
                    pass
                connection.settimeout(5)
            else:
                pytest.fail("it takes byte after byte")
        except OSError:
            pass


def test_who_sends_nothing_is_hung_up_on(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_READING", 0.3)
    with connect(server) as connection:
        begin = time.monotonic()
        assert said(connection) == b""
        # Sooner than this end would give up.
        assert time.monotonic() - begin < 19


@pytest.mark.slow
def test_who_does_not_take_the_answer_is_hung_up_on(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WRITING", 2.0)
    server.show(b"x" * 50_000_000)
    before = threading.active_count()
    with connect(server) as connection:
        connection.sendall(request(server, f"/{server.token}/model"))
        until(lambda: threading.active_count() > before, "nobody answers")
        until(lambda: threading.active_count() <= before, "it waits without end")
    server.show(SECRET)


@pytest.mark.slow
def test_many_connections_take_no_more_than_so_many_threads(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_READING", 1.0)
    before = threading.active_count()
    held = [connect(server) for _ in range(module._MOST * 3)]
    time.sleep(0.3)
    assert threading.active_count() - before <= module._MOST
    for connection in held:
        connection.close()
    until(lambda: threading.active_count() <= before, "they keep their threads")
    assert status(model(server)) == 200


def test_questions_for_news_are_bounded_too(server: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """They wait for a while: without the token none does, with it they are counted like all others."""
    monkeypatch.setattr(module, "_PATIENCE", 60.0)
    assert status(ask(server, request(server, "/wrong/changes?0.0"))) == 403
    monkeypatch.setattr(module, "_PATIENCE", 0.5)
    before = threading.active_count()
    held = [connect(server) for _ in range(module._MOST * 2)]
    for connection in held:
        with suppress(OSError):
            connection.sendall(request(server, f"/{server.token}/changes?0.0"))
    time.sleep(0.2)
    assert threading.active_count() - before <= module._MOST
    answers = [said(connection) for connection in held]
    for connection in held:
        connection.close()
    assert any(answer.endswith(b"0\n") for answer in answers)


def test_connections_that_break_off_are_no_error(server: PageServer) -> None:
    asked = request(server, f"/{server.token}/model")
    for cut in (0, 1, 5, len(asked) // 2, len(asked)):
        connection = connect(server)
        connection.sendall(asked[:cut])
        # A reset instead of a farewell.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    time.sleep(0.1)


def test_a_line_that_is_no_header_hides_none(server: PageServer) -> None:
    for line in ("Origin", "Origin : x", " folded", "\x0b", ": x"):
        asked = request(server, f"/{server.token}/model", line, "Origin: http://evil.example")
        assert SECRET not in ask(server, asked)


def test_random_bytes(server: PageServer) -> None:
    """Requests with bytes changed, left out and doubled give an answer or none, and never the model
    to who has not said all that is needed."""
    chance = random.Random(5)
    good = request(server, f"/{server.token}/model", "Origin: http://evil.example")
    for _ in range(300):
        asked = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(asked))
            match chance.randrange(3):
                case 0:
                    asked[at] = chance.randrange(256)
                case 1:
                    del asked[at : at + chance.randint(1, 8)]
                case _:
                    asked[at:at] = asked[at : at + 8]
        origin = b"\r\norigin:" in bytes(asked).lower().partition(b"\r\n\r\n")[0]
        with connect(server) as connection:
            connection.sendall(bytes(asked) + b"\r\n\r\n")
            connection.shutdown(socket.SHUT_WR)
            answer = said(connection)
        assert not (origin and SECRET in answer)
