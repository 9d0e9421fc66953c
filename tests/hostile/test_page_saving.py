"""What the page may have saved, asked for as another page, another user or a broken page would."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from tests.hostile.test_page_server import ask, request, status

from unibody.page.pose_request import MOST_BYTES, PoseRequest, pose_request
from unibody.page.server import PageServer

GOOD = json.dumps({"robot": 0, "name": "home", "positions": {"knee": 0.5, "ball": [1, 0, 0, 0]}}).encode()
JSON = "Content-Type: application/json"


class Saver:
    """A server that saves, and what it was asked to save."""

    def __init__(self) -> None:
        self.asked: list[PoseRequest] = []
        self.server = PageServer(b"ubvw", save=self.save)

    def save(self, wanted: PoseRequest) -> str:
        self.asked.append(wanted)
        if wanted.name == "nowhere":
            raise ValueError("no place for it")
        return "saved"

    def post(
        self, *headers: str, name: str = "pose", body: bytes = GOOD, length: int | None = None
    ) -> bytes:
        length = len(body) if length is None else length
        lines = (*headers, f"Content-Length: {length}")
        return ask(
            self.server, request(self.server, f"/{self.server.token}/{name}", *lines, method="POST") + body
        )

    @property
    def origin(self) -> str:
        return f"Origin: http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def saver(capfd: pytest.CaptureFixture[str]) -> Iterator[Saver]:
    made = Saver()
    with made.server as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield made
        server.shutdown()
        thread.join()
    assert capfd.readouterr().err == ""


def test_the_own_page_may_save(saver: Saver) -> None:
    answer = saver.post(saver.origin, JSON, "Sec-Fetch-Site: same-origin")
    assert (status(answer), answer.partition(b"\r\n\r\n")[2]) == (200, b"saved\n")
    [wanted] = saver.asked
    assert (wanted.name, wanted.positions) == ("home", {"knee": 0.5, "ball": (1.0, 0.0, 0.0, 0.0)})
    refused = saver.post(saver.origin, JSON, body=GOOD.replace(b"home", b"nowhere"))
    assert (status(refused), refused.partition(b"\r\n\r\n")[2]) == (422, b"no place for it\n")


def test_others_may_not(saver: Saver) -> None:
    origin = saver.origin
    tries = {
        "no origin": saver.post(JSON),
        "null": saver.post("Origin: null", JSON),
        "another": saver.post("Origin: http://evil.example", JSON),
        "two": saver.post(origin, "Origin: http://evil.example", JSON),
        "another port": saver.post("Origin: http://127.0.0.1:1", JSON),
        "https": saver.post(origin.replace("http:", "https:"), JSON),
        "cross-site": saver.post(origin, JSON, "Sec-Fetch-Site: cross-site"),
        "same-site": saver.post(origin, JSON, "Sec-Fetch-Site: same-site"),
        "by hand": saver.post(origin, JSON, "Sec-Fetch-Site: none"),
    }
    assert {name: status(answer) for name, answer in tries.items()} == dict.fromkeys(tries, 403)
    saver.server.token = "another"  # the page of another run
    port = saver.server.server_port
    lines = [
        "POST /wrong/pose HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        origin,
        JSON,
        f"Content-Length: {len(GOOD)}",
    ]
    assert status(ask(saver.server, "\r\n".join([*lines, "", ""]).encode() + GOOD)) == 403
    assert saver.asked == []


def test_forms_cannot_send_a_pose(saver: Saver) -> None:
    """A form of another page sends these types without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert status(saver.post(saver.origin, f"Content-Type: {kind}")) in (400, 415)
    assert status(saver.post(saver.origin, JSON, "Transfer-Encoding: chunked")) == 415
    assert saver.asked == []


def test_only_a_pose_of_some_bytes_is_read(saver: Saver) -> None:
    for name in ("", "model", "findings", "pose/", "pose?x", "../pose", "POSE"):
        assert status(saver.post(saver.origin, JSON, name=name)) == 404
    for length in (0, MOST_BYTES + 1, 99_999_999, 10**30):
        assert status(saver.post(saver.origin, JSON, body=b"", length=length)) == 413
    headers = (saver.origin, JSON, "Content-Length: 1")
    assert status(saver.post(*headers)) == 413
    assert saver.asked == []


BAD = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000,
    b'{"robot": 0, "name": "a"}',
    b'{"robot": 0, "name": "a", "positions": {}, "path": "/etc/passwd"}',
    b'{"robot": 2, "name": "a", "positions": {}}',
    b'{"robot": true, "name": "a", "positions": {}}',
    b'{"robot": 0, "name": "", "positions": {}}',
    b'{"robot": 0, "name": "a\\nb", "positions": {}}',
    b'{"robot": 0, "name": " a", "positions": {}}',
    b'{"robot": 0, "name": "' + b"a" * 101 + b'", "positions": {}}',
    b'{"robot": 0, "name": "a", "positions": [0.5]}',
    b'{"robot": 0, "name": "a", "positions": {"j": NaN}}',
    b'{"robot": 0, "name": "a", "positions": {"j": 1e999}}',
    b'{"robot": 0, "name": "a", "positions": {"j": ' + b"9" * 400 + b"}}",
    b'{"robot": 0, "name": "a", "positions": {"j": "0.5"}}',
    b'{"robot": 0, "name": "a", "positions": {"j": true}}',
    b'{"robot": 0, "name": "a", "positions": {"j": []}}',
    b'{"robot": 0, "name": "a", "positions": {"j": [0,0,0,0,0,0,0,0]}}',
]  # fmt: skip


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_broken_requests_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(the|a|positions) "):
        pose_request(body)


def test_broken_requests_do_nothing(saver: Saver) -> None:
    for body in BAD[1:]:
        assert status(saver.post(saver.origin, JSON, body=body)) == 422
    assert saver.asked == []


def test_without_the_option_nothing_can_be_saved() -> None:
    with PageServer(b"ubvw") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        headers = (f"Origin: http://127.0.0.1:{server.server_port}", JSON, f"Content-Length: {len(GOOD)}")
        target = f"/{server.token}/pose"
        assert status(ask(server, request(server, target, *headers, method="POST") + GOOD)) == 501
        server.shutdown()
        thread.join()
